"""From groups to steps: a kernel request with everything its dispatch needs."""

from __future__ import annotations

import math
from dataclasses import field
from typing import TYPE_CHECKING, TypeAlias, cast

from app.accel.codegen.algorithms import ALGORITHMS
from app.accel.fusion import index_map as views
from app.accel.fusion.index_map import Linear, Offset, Row, Rows, View
from app.accel.fusion.lower import Lowering, Slot
from app.accel.fusion.lower_loop import LoopLowering
from app.accel.fusion.partition import Group, product_operand
from app.accel.fusion.variance import MOMENT
from app.accel.ir import shapes, value_ranges
from app.accel.ir.ops import OPS, Category
from app.accel.ir.plan import Access, KernelRequest, MapSpec, Reduce, Store, Template
from app.accel.ir.shapes import flat_strides
from app.records import mutable_record

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.accel.ir.loop_node import LoopBody
    from app.accel.ir.node import Node, Shape
    from app.accel.ir.plan import LoopSpec

    Older: TypeAlias = tuple[Node, tuple[Node, ...]]

STEPS_BACK = 3
"""Values of a stencil among which memory is looked for: two or three take turns."""
TRIVIAL = frozenset("leaf param fill reshape permute slice diagonal carry counter".split())
_REDUCE_OPS = {
    "amin": "min",
    "amax": "max",
    "cumsum": "sum",
    "cumprod": "prod",
    "cummin": "min",
    "cummax": "max",
}


@mutable_record
class Step:
    """One kernel with the nodes and numbers its dispatch is made of.

    Attributes:
        kernel: the request.
        inputs: nodes read, by binding.
        outputs: nodes written, by binding.
        extents: the box.
        maps: run-time halves of the index maps, still symbolic.
        params: where the parameters' values come from.
        nodes: nodes computed here.
        kind: fusion kind for the report.
        homes: of a loop's stand-in nodes: whose data their data items are.
        trips: passes of a loop when the plan was made.
        inherits: a node whose contents are copied and that no later step reads: its memory may be
            taken over instead.
        shared: whether earlier steps read it.
        meant: per instruction of the kernel the node that it computes, where it computes one.
        copies: whether it copies what a part of is set next.
        older: nodes that differ from the output in the part that is set next alone, if the nodes
            beside them set the same part: values of some steps ago, whose memory may be taken over
            instead.
    """

    kernel: KernelRequest
    inputs: tuple[Node, ...]
    outputs: tuple[Node, ...]
    extents: Shape
    maps: tuple[Row, ...]
    params: tuple[Slot, ...]
    nodes: tuple[Node, ...]
    kind: str
    homes: dict[Node, tuple[Node, int]] = field(default_factory=dict)
    trips: int = 1
    inherits: Node | None = None
    shared: bool = False
    copies: bool = False
    older: tuple[Older, ...] = ()
    meant: tuple[Node | None, ...] = ()


@mutable_record
class Builder:
    """Builds the steps of groups that read leaves and each other's roots.

    Attributes:
        readable: nodes that are read from memory.
        scalars: one-element leaves that are parameters.
        sole: nodes with one reader in the plan that nobody has asked for.
        ranges: range facts.
    """

    readable: set[Node]
    scalars: set[Node]
    sole: set[Node]
    ranges: dict[Node, value_ranges.Range]
    steps: list[Step] = field(default_factory=list)

    def build(self, group: Group) -> list[Step]:
        """The steps of one group."""
        match group.template:
            case "map":
                return [self._map(group)]
            case "reduce":
                return [self._reduce(group)]
            case "scan":
                return [self._scan(group)]
            case "matmul":
                return [self._matmul(group)]
            case "algorithm":
                return [self._algorithm(group)]
            case "cat":
                return self._cat(group.roots[0])
            case "assign":
                return self._assign(group.roots[0])
            case "loop":
                return self._loop(group)
            case _:
                return [self._repmat(group.roots[0])]

    def _lowering(self, group_roots: Iterable[Node]) -> Lowering:
        stored = self.readable - set(group_roots)
        return Lowering(stored, self.scalars, self.ranges)

    def _map(self, group: Group) -> Step:
        low = self._lowering(group.roots)
        view = views.identity(group.box)
        stores = [
            Store(k, low.value(root, view), root.dtype, low.map(flat_row(group.box)))
            for k, root in enumerate(group.stored)
        ]
        return finish(low, Template.MAP, group.box, (), stores, group.stored)

    def _repmat(self, root: Node) -> Step:
        """Tiles beside each other."""
        box = views.tile_box(root)
        rows = views.identity(box).rows[::2]
        low = self._lowering([root])
        child = root.inputs[0]
        at = views.fit(Rows(rows, len(box)), len(child.shape))
        store = Store(0, low.value(child, at), root.dtype, low.map(flat_row(box)))
        return finish(low, Template.MAP, box, (), [store], [root])

    def _cat(self, root: Node) -> list[Step]:
        axis, start, steps = cast("int", root.attrs[0]), 0, []
        for part in root.inputs:
            if part.size:
                steps.append(self._region(root, part, axis, start))
                start += shapes.with_rank(part.shape, axis + 1)[axis]
        return steps

    def _region(self, root: Node, part: Node, axis: int, start: int) -> Step:
        """Write a part of a concatenation at its place."""
        rank = max(len(root.shape), axis + 1)
        box = shapes.with_rank(part.shape, rank)
        offset = start * shapes.multiples(shapes.with_rank(root.shape, rank))[axis]
        strides = shapes.multiples(shapes.with_rank(root.shape, rank))
        return self._write(root, part, box, Row(Offset(offset), strides))

    def _write(self, root: Node, value: Node, box: Shape, row: Row) -> Step:
        low = self._lowering([root])
        at = views.fit(views.identity(box), len(value.shape))
        store = Store(0, low.value(value, at), root.dtype, low.map(row))
        return finish(low, Template.MAP, box, (), [store], [root])

    def _assign(self, root: Node) -> list[Step]:
        base, value = root.inputs
        copy = self._write(root, base, base.shape, flat_row(base.shape))
        copy.inherits = base if base in self.sole else None
        copy.copies, copy.older = True, _older_bases(root)
        steps = cast("tuple[int, ...]", root.attrs[0])
        rank = len(steps)
        distance = shapes.multiples(shapes.with_rank(base.shape, rank))
        terms = tuple((root, k, d) for k, d in enumerate(distance))
        row = Row(Offset(0, terms), tuple(s * d for s, d in zip(steps, distance, strict=True)))
        box = shapes.with_rank(value.shape, rank)
        return [copy, self._write(root, value, box, row)] if value.size else [copy]

    def _loop(self, group: Group) -> list[Step]:
        """First copies of the arrays that passes fill, then the loop."""
        node = group.roots[0]
        low = self._lowering(group.roots)
        body = cast("LoopBody", node.attrs[0])
        picks = {cast("int", pick.attrs[2]): pick for pick in group.stored}
        steps = [
            self._write(pick, node.inputs[k], pick.shape, flat_row(pick.shape))
            for k, pick in picks.items()
            if k < len(body.carries) and body.filled[k]
        ]
        rows = {k: self._final_row(body, pick) for k, pick in picks.items()}
        spec, prologue, stores = LoopLowering(low, node).lower(picks, rows)
        step = finish(
            low, Template.LOOP, body.box, (), stores, list(picks.values()), [], prologue, loop=spec
        )
        step.homes, step.trips = dict(low.homes), int(cast("int", node.data[0]))
        step.nodes = (*step.nodes, node)
        return [*steps, step]

    def _final_row(self, body: LoopBody, pick: Node) -> Row:
        """Where a point stores its final value; smaller carries are stored by many points."""
        rank = len(body.box)
        distance = shapes.multiples(pick.shape)
        strides = [d if e != 1 else 0 for d, e in zip(distance, pick.shape, strict=True)]
        return Row(Offset(), tuple((strides + [0] * rank)[:rank]))

    def _reduce(self, group: Group) -> Step:
        low = self._lowering(group.roots)
        element = views.identity(group.box)
        stores: list[Store] = []
        elements = [root for root in group.stored if root not in group.finished]
        for root in elements:
            number = low.value(root, views.fit(element, len(root.shape)))
            stores.append(Store(len(stores), number, root.dtype, low.map(flat_row(group.box))))
        reductions = []
        for root in group.reductions:
            spread = group.spreads.get(root)
            child = spread.data if spread else root.inputs[0]
            if root in group.walks:
                child = group.walks[root].data
                low.nodes.update(group.walks[root].inner)
            number = low.value(child, _view_in_box(child, group.box, element))
            op = MOMENT if spread else _REDUCE_OPS.get(root.op, root.op)
            reductions.append(Reduce(op, number, root.dtype))
        body = len(low.body)
        finished = [root for root in group.stored if root in group.finished]
        kept = views.identity(group.box, group.axes)
        self._epilogue(low, group, kept, flat_row(group.box, group.axes), finished, stores)
        return finish(
            low,
            Template.REDUCE,
            group.box,
            group.axes,
            stores,
            elements + finished,
            reductions,
            body,
        )

    def _epilogue(
        self,
        low: Lowering,
        group: Group,
        view: Rows,
        row: Row,
        roots: list[Node],
        stores: list[Store],
    ) -> None:
        low.values.clear()
        low.part = 1
        low.results = {root: k for k, root in enumerate(group.reductions)}
        low.spreads = group.spreads
        kept = shapes.normal(kept_box(group))
        for root in roots:
            at = views.fit(view, len(root.shape)) if root.shape == kept else Linear(row, view.rank)
            stores.append(Store(len(stores), low.value(root, at), root.dtype, low.map(row)))

    def _scan(self, group: Group) -> Step:
        root = group.reductions[0]
        low = self._lowering(group.roots)
        view = views.identity(group.box)
        number = low.value(root.inputs[0], view)
        body, stores = len(low.body), list[Store]()
        self._epilogue(low, group, view, flat_row(group.box), group.stored, stores)
        reduce = Reduce(_REDUCE_OPS[root.op], number, root.dtype)
        reverse = int(len(root.attrs) > 1 and bool(root.attrs[1]))
        return finish(
            low,
            Template.SCAN,
            group.box,
            group.axes,
            stores,
            group.stored,
            [reduce],
            body,
            (("reverse", reverse),),
        )

    def _algorithm(self, group: Group) -> Step:
        """Operands and results are whole arrays; there is nothing to inline."""
        results = [root for root in group.reductions if root in group.stored]
        first, *others = results
        algorithm = ALGORITHMS[first.op]
        extents = algorithm.extents(first.inputs[0].shape, first.attrs)
        own = [node.inputs[1] for node in others if node.inputs != first.inputs]
        inputs = (*first.inputs, *own)
        kernel = KernelRequest(
            Template.ALGORITHM,
            f"single {first.op}",
            len(extents),
            (),
            tuple(node.dtype for node in inputs),
            tuple(node.dtype for node in results),
            (),
            (),
            (),
            (),
            tuple(Reduce(node.op, 0, node.dtype) for node in results),
            attrs=algorithm.options(first.inputs[0].shape, first.attrs),
        )
        return Step(kernel, inputs, tuple(results), extents, (), (), tuple(results), "single")

    def _matmul(self, group: Group) -> Step:
        product = group.reductions[0]
        low = self._lowering(group.roots)
        flags: list[int] = []
        operands: list[Node] = []
        for k, given in enumerate(product.inputs):
            turned = bool(product.attrs and product.attrs[k])
            operand = given if given in self.readable else product_operand(given)
            turned ^= operand is not given
            operands.append(operand)
            flags.append(int(turned))
        attrs: tuple[tuple[str, int], ...] = (
            ("transpose_a", flags[0]),
            ("transpose_b", flags[1]),
        )
        if operands[0] is operands[1] and flags[0] != flags[1]:
            attrs += (("symmetric", 1),)
        inlined = not all(operand in self.readable for operand in operands)
        if inlined:
            attrs += self._operands(low, operands)
        else:  # A*A has one operand in both bindings; the product itself stands for the second.
            low.inputs[operands[0]] = 0
            low.inputs[operands[1] if operands[1] is not operands[0] else product] = 1
        body, stores = len(low.body), list[Store]()
        view = views.identity(group.box)
        self._epilogue(low, group, view, flat_row(group.box), group.stored, stores)
        left = product.inputs[0]
        inner = left.shape[0] if product.attrs and product.attrs[0] else left.shape[1]
        boxes = {0: operands[0].shape, 2: operands[1].shape}
        step = finish(
            low,
            Template.MATMUL,
            group.box,
            (),
            stores,
            group.stored,
            [Reduce("matmul", 0, product.dtype)],
            body,
            attrs,
            boxes=boxes,
        )
        if not inlined:
            step.inputs = (*operands, *step.inputs[2:])
        step.extents = (*group.box, inner)
        return step

    @staticmethod
    def _operands(low: Lowering, operands: list[Node]) -> tuple[tuple[str, int], ...]:
        """Lower what a product's operands are made of, each over its own box."""
        first = low.value(operands[0], views.identity(operands[0].shape))
        split, low.part = len(low.body), 2
        low.values.clear()
        second = low.value(operands[1], views.identity(operands[1].shape))
        return (("split", split), ("value_a", first), ("value_b", second))


def _view_in_box(node: Node, box: Shape, element: Rows) -> View:
    """What a reduction takes, in its box; or lined up, where the box has its elements' shape."""
    if math.prod(box) == node.size and shapes.normal(box) != node.shape:
        return Linear(flat_row(box), len(box))
    return views.fit(element, len(node.shape))


def kept_box(group: Group) -> Shape:
    """The box in which the results of a group's walk lie."""
    if group.template != "reduce":
        return group.box
    return tuple(1 if flag else n for n, flag in zip(group.box, group.axes, strict=True))


def sets_alike(a: Node, b: Node) -> bool:
    """Whether two nodes set parts of the same size."""
    same = a.op == b.op == "assign" and a.attrs == b.attrs
    return same and a.inputs[1].shape == b.inputs[1].shape


def _older_bases(root: Node) -> tuple[Older, ...]:
    """What the base of `root` was before parts of it were set that are as large as what it sets."""
    found: list[Older] = []
    between: tuple[Node, ...] = ()
    base = root.inputs[0]
    while len(found) < STEPS_BACK and sets_alike(base, root):
        between = (*between, base)
        base = base.inputs[0]
        found.append((base, between))
    return tuple(found)


def flat_row(box: Shape, skipped: tuple[bool, ...] = ()) -> Row:
    """Column-major distances over the axes that are not skipped."""
    return Row(Offset(), flat_strides(box, skipped))


def finish(  # noqa: PLR0913, PLR0917 - the parts of a request
    low: Lowering,
    template: Template,
    box: Shape,
    axes: tuple[bool, ...],
    stores: list[Store],
    outputs: list[Node],
    reductions: list[Reduce] | None = None,
    body: int | None = None,
    attrs: tuple[tuple[str, int], ...] = (),
    loop: LoopSpec | None = None,
    boxes: dict[int, Shape] | None = None,
) -> Step:
    """Collapse the box, classify the maps and put the request together."""
    split = len(low.body) if body is None else body
    flags = axes or (False,) * len(box)
    merge = template is not Template.MATMUL
    extents, flags, rows = collapse(box, flags, [row for row, *_ in low.maps], merge)
    parts, known = [part for _, part, *_ in low.maps], boxes or {}
    specs = tuple(
        classify(
            row,
            known.get(part, extents),
            flags if part == 1 and template is Template.REDUCE else None,
        )
        for row, part in zip(rows, parts, strict=True)
    )
    kind, label = describe(low.nodes, template)
    epilogue = tuple(low.body[split + (len(loop.steps) if loop else 0) :])
    kernel = KernelRequest(
        template,
        label,
        len(extents),
        flags if axes else (),
        tuple(n.dtype for n in low.inputs),
        tuple(n.dtype for n in outputs),
        tuple(s.dtype for s in low.params),
        specs,
        tuple(low.body[:split]),
        tuple(stores),
        tuple(reductions or ()),
        epilogue,
        low.guarded,
        loop,
        attrs,
        tuple(low.notes),
    )
    nodes = tuple(low.nodes)
    return Step(
        kernel,
        tuple(low.inputs),
        tuple(outputs),
        extents,
        tuple(rows),
        tuple(low.params),
        nodes,
        kind,
        meant=tuple(low.meant),
    )


def collapse(
    box: Shape, flags: tuple[bool, ...], rows: list[Row], merge: bool
) -> tuple[Shape, tuple[bool, ...], list[Row]]:
    """Drop axes of one element and merge neighbours that every map walks without a gap."""
    if not merge:
        return box, flags, rows
    kept: list[int] = []
    extents: list[int] = []
    for k, extent in enumerate(box):
        if extent == 1:
            continue
        if (
            kept
            and flags[kept[-1]] == flags[k]
            and all(row.strides[k] == row.strides[kept[-1]] * extents[-1] for row in rows)
        ):
            extents[-1] *= extent
        else:
            kept.append(k)
            extents.append(extent)
    if not kept or (any(flags) and not any(flags[k] for k in kept)):
        kept.append(next((k for k, flag in enumerate(flags) if flag), 0))
        extents.append(1)
        order = sorted(range(len(kept)), key=kept.__getitem__)
        kept, extents = [kept[i] for i in order], [extents[i] for i in order]
    new_rows = [Row(row.offset, tuple(row.strides[k] for k in kept)) for row in rows]
    return tuple(extents), tuple(flags[k] for k in kept), new_rows


def classify(row: Row, extents: Shape, skipped: tuple[bool, ...] | None) -> MapSpec:
    """What is known of a map when the kernel is generated."""
    if row.strides == flat_strides(extents, skipped or ()):
        return MapSpec(Access.FLAT)
    if not any(row.strides):
        return MapSpec(Access.SCALAR)
    return MapSpec(Access.STRIDED, tuple(stride == 0 for stride in row.strides))


def describe(nodes: set[Node], template: Template) -> tuple[str, str]:
    """Kind and label of a kernel from what it computes."""
    work = [node for node in nodes if node.op not in TRIVIAL]
    categories = {OPS[node.op].category for node in work}
    names = list(dict.fromkeys(node.op for node in sorted(work, key=lambda n: n.depth)))
    label = "·".join(names[:8]) + ("…" if len(names) > 8 else "")
    if len(work) <= 1 and Category.RANDOM not in categories and template is not Template.LOOP:
        kind = "single"
    elif template is Template.REDUCE:
        kind = "reduction"
    elif template is Template.LOOP:
        kind = "loop"
    elif template is Template.SCAN:
        kind = "scan"
    elif template is Template.MATMUL:
        kind = "matmul_epilogue"
    else:
        kind = "random" if Category.RANDOM in categories else "elementwise"
    return kind, f"{kind} {label or 'copy'}"
