"""Tracing the body of a loop, and cutting what was traced into loops of one kernel each.

The engine traces a `for` body with placeholders::

    trace = LoopTrace(trips, first, step)
    y = trace.carry(y0)                 # value before a pass
    t = trace.counter                   # 1x1 F64: first + step * pass
    ...apply ops to y, t and outer nodes...
    y_after, = trace.finish([y_next])   # Unsupported (with the reason) where it cannot fuse

Variables of different sizes walk in loops of their own. What is summed over all points in every
pass belongs to a loop; whatever follows from the sums belongs to a later one (its *level*), which
reads the sum of each pass. Only a variable whose next value follows from a sum over itself has no
such order.
"""

from __future__ import annotations

from dataclasses import field, replace
from functools import reduce
from itertools import count
from typing import TYPE_CHECKING, cast

from app.accel.fusion.compile_budget import compile_weight
from app.accel.fusion.loops import pass_rows as loop_rows
from app.accel.fusion.loops import short_axes
from app.accel.fusion.loops.host_scalars import numbers_in_passes
from app.accel.fusion.loops.traced import Alike, Traced, derived_node, is_moving
from app.accel.ir import shapes
from app.accel.ir.dtypes import DType
from app.accel.ir.loop_node import TOTALS, Entry, LoopBody, hold_picks, tiles
from app.accel.ir.node import Node, Number, make, toposort
from app.accel.ir.ops import OPS, Category
from app.accel.ir.parameters import parameter
from app.errors import MatlabError, Unsupported
from app.records import mutable_record

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from app.accel.ir.node import Shape

_TOKENS = count()
_POINTWISE = {Category.ELEMENTWISE, Category.CAST, Category.RANDOM}
MOST_WEIGHT = 4000
"""Compile weight of a body that graphics drivers take about a second for. Where random numbers are
drawn, it is written for four points."""


def new_token() -> int:
    """The mark of the placeholders of one trace."""
    return next(_TOKENS)


class LoopTrace:
    """Placeholders of one loop while its body is traced."""

    def __init__(self, trips: int, first: float = 1.0, step: float = 1.0) -> None:
        token = new_token()
        counter = make("counter", (), (token,), DType.F64, (1, 1))
        self.traced = Traced(trips, first, step, counter, token)
        self.first, self.step, self.counter = first, step, counter

    @property
    def trips(self) -> int:
        """How many passes there are at most."""
        return self.traced.trips

    def end_before(self, trips: int) -> None:
        """Say that the trace holds for no more passes than these."""
        self.traced.trips = min(self.traced.trips, trips)

    def put_together(
        self, trips: int, order: Sequence[Node], known: dict[Hashable, object]
    ) -> None:
        """Say that the trace holds for so many passes, and is one of several like it.

        `order` has its nodes, as all of them have; `known` is theirs together.
        """
        self.traced.trips, self.traced.alike = trips, Alike(order, known)

    def carry(self, initial: Node) -> Node:
        """The value of a variable before a pass; `initial` is its value before the loop."""
        return self.traced.carry(initial)

    def numbers(self, node: Node) -> NDArray[np.generic] | None:
        """What a number that follows from the counter alone is in every pass; None for others.

        The trace holds for no more passes than that says.
        """
        found = numbers_in_passes(self.traced, node)
        if found is not None:
            self.end_before(found.size)
        return found

    def moves(self, node: Node) -> bool:
        """Whether a node is a placeholder, or changes from pass to pass by itself."""
        return node.op in {"carry", "counter"} or is_moving(node)

    def untouched(self, assigned: Node) -> Node:
        """What is, before the loop, in the place that a pass sets. Raises Unsupported."""
        return value_before_loop(self.traced, assigned)

    def points(self, following: Sequence[Node]) -> int:
        """Elements of the largest value that a pass works on."""
        self.traced.following = list(following)
        return self.traced.fact("points", self._points)

    def _points(self) -> int:
        filled = {node for node in self.traced.following if node.op == "assign"}
        sizes = [n.size for n in self.traced.variant() if n not in filled and n.op != "carry"]
        return max(sizes, default=0)

    def finish(self, following: Sequence[Node]) -> list[Node]:
        """The carried variables' values after the loop. Raises Unsupported with the reason."""
        self.traced.following = list(following)
        return loop_kernels(self.traced)


def value_before_loop(traced: Traced, assigned: Node) -> Node:
    """What is, before the loop, in the place that a pass sets. Raises Unsupported.

    No other pass may have set any of it: every one must go on by at least the whole part.
    """
    base, value = assigned.inputs
    if base.op != "carry" or base not in traced.carries:
        raise Unsupported("only one of the branches fills an array")
    steps = cast("tuple[int, ...]", assigned.attrs[0])
    moves = cast("tuple[int, ...]", assigned.attrs[1]) if len(assigned.attrs) > 1 else ()
    extents = shapes.with_rank(value.shape, len(steps))
    apart = any(
        abs(move) > (extent - 1) * abs(step)
        for move, extent, step in zip(moves, extents, steps, strict=False)
    )
    if not apart:
        raise Unsupported("only one of the branches fills an array, and passes share places")
    whole = traced.initial[traced.carries.index(base)]
    return derived_node("slice", (whole,), (steps, value.shape, moves), assigned.data, assigned)


def loop_kernels(traced: Traced) -> list[Node]:
    """The carried variables' values after all passes, as loops of one kernel each.

    Raises Unsupported with the reason where there are no such loops.
    """
    for node, carry in zip(traced.following, traced.carries, strict=True):
        if (node.dtype, node.shape) != (carry.dtype, carry.shape):
            raise Unsupported("a variable changes class or size from pass to pass")
    traced = _with_totals_of_numbers(traced)
    apart = short_axes.columns(traced)
    if apart is None:
        return Cut(traced).run()
    return apart.joined(Cut(apart.traced).run())


def _with_totals_of_numbers(traced: Traced) -> Traced:
    """The same with ``any``, ``all`` and ``nnz`` as totals of numbers."""
    if not any(map(_is_truth_of_all, traced.variant())):
        return traced
    made: dict[Node, Node] = {}
    for node in toposort(traced.following):
        inputs = tuple([made.get(child, child) for child in node.inputs])
        if _is_truth_of_all(node):
            numbers = derived_node("cast", inputs, (_TOTAL_OF[node.op][1],), (), node)
            found = derived_node(_TOTAL_OF[node.op][0], (numbers,), node.attrs, (), node)
            if found.dtype is not node.dtype:
                found = derived_node("ne", (found, parameter(0.0, found.dtype)), (), (), node)
            made[node] = found
        elif inputs != node.inputs:
            made[node] = derived_node(node.op, inputs, node.attrs, node.data, node)
    following = [made.get(f, f) for f in traced.following]
    return replace(traced, following=following, alike=None)


_TOTAL_OF = {"any": ("amax", DType.F32), "all": ("amin", DType.F32), "nnz": ("sum", DType.F64)}
"""What a kernel takes over all points in place of what is asked of truth values, and of what."""


def _is_truth_of_all(node: Node) -> bool:
    if node.op not in _TOTAL_OF or node.inputs[0].dtype is not DType.BOOL:
        return False
    axes = cast("tuple[int, ...]", node.attrs[0])
    return all(extent == 1 or k in axes for k, extent in enumerate(node.inputs[0].shape))


class Cut:
    """One traced body on its way to loop nodes.

    Attributes:
        variant: nodes that depend on the pass.
        level: per variant node, how many sums lie below each other in what it is made of.
        rows: per sum, its values of all passes as a row.
        final: per carry, its value after the loop.
    """

    def __init__(self, traced: Traced) -> None:
        self.traced = traced
        self.variant = traced.variant()
        self.after = dict(zip(traced.carries, traced.following, strict=True))
        self.totals = [n for n in self.variant if OPS[n.op].category is Category.REDUCTION]
        self.taken = {node: _summed_operand(node) for node in self.totals}
        self.level: dict[Node, int] = {}
        self.rows: dict[Node, Node] = {}
        self.final: dict[Node, Node] = {}

    def run(self) -> list[Node]:
        """The final values, in order of the carries."""
        for node in self.totals:
            _check_total(node)
        self._find_levels()
        _check(self.variant, self.traced)
        for level in range(1 + max(self.level.values(), default=0)):
            self._at_level(level)
        return [self.final[carry] for carry in self.traced.carries]

    def _find_levels(self) -> None:
        """Levels of all nodes; a carry has the level of its next value."""
        carried = dict.fromkeys(self.traced.carries, 0)
        for _ in range(len(carried) + len(self.totals) + 1):
            for node in self.variant:
                below = max((self.level.get(child, 0) for child in node.inputs), default=0)
                own = carried.get(node, below)
                self.level[node] = own + (node in self.totals)
            moved = {c: self.level.get(f, 0) for c, f in self.after.items()}
            if moved == carried:
                return
            carried = moved
            if max(carried.values()) > len(self.totals):
                break
        raise Unsupported("the next pass depends on a sum over all elements")

    def _at_level(self, level: int) -> None:
        """The loops of one level: results grouped by the points that walk side by side."""
        carries = [c for c, f in self.after.items() if self.level.get(f, 0) == level]
        sums = [n for n in self.totals if self.level[n] == level + 1]
        if level or sums:
            carries = loop_rows.settle(self, carries)
        for group in self._groups([*carries, *sums]):
            self._loop([n for n in group if n.op == "carry"], [n for n in group if n.op != "carry"])

    def _groups(self, wanted: list[Node]) -> list[list[Node]]:
        """Results by box; a smaller box joins a larger one that it spreads over."""
        groups: list[tuple[Shape, list[Node]]] = []
        for node in sorted(wanted, key=lambda n: -shapes.count(self.box(n))):
            box = self.box(node)
            found = next((g for b, g in groups if _spreads(box, b)), None)
            if found is None:
                groups.append((box, [node]))
            else:
                found.append(node)
        return [group for _, group in groups]

    def box(self, node: Node) -> Shape:
        """The points that work on a result."""
        if node.op != "carry":
            return self.taken[node].shape
        after = self.after[node]
        return after.inputs[1].shape if after.op == "assign" else node.shape

    def cone(self, targets: Iterable[Node]) -> dict[Node, None]:
        """Variant nodes that `targets` are made of, in order, down to sums known by now."""
        found: set[Node] = set()
        stack = list(targets)
        while stack:
            node = stack.pop()
            if node in found or node not in self.variant:
                continue
            found.add(node)
            if node.op == "carry":
                stack.append(self.after[node])
            elif node in self.taken and node not in self.rows:
                stack.append(self.taken[node])
            elif node not in self.rows:
                stack.extend(node.inputs)
        return {node: None for node in self.variant if node in found}

    def _loop(self, carries: list[Node], sums: list[Node]) -> None:
        """One loop node that gives these carries and sums."""
        inside = self.cone([*carries, *(self.taken[node] for node in sums)])
        inside.update((n, None) for n in carries)
        _check_weight(inside)
        every = [c for c in self.traced.carries if c in inside]
        loop, body = _Body(self, inside, every, sums).node()
        picks = [
            make("pick", (loop,), (dtype, shape, k), dtype, shape, (), self.after[every[k]].origin)
            for k, (dtype, shape) in enumerate(body.carries)
        ]
        box = (tiles(shapes.count(body.box)), self.traced.trips)
        for k, node in enumerate(sums, len(every)):
            dtype = node.dtype
            parts = make("pick", (loop,), (dtype, box, k), dtype, box)
            picks.append(parts)
            self.rows[node] = make(node.op, (parts,), ((0,),), dtype, (1, box[1]), (), node.origin)
        hold_picks(loop, picks)
        self.final.update((c, pick) for c, pick in zip(every, picks, strict=False) if c in carries)

    def at_pass(self, node: Node) -> Node:
        """A sum that an earlier loop has made, as a pass reads it."""
        row = self.rows[node]
        return make("slice", (row,), ((1, 1), (1, 1), (0, 1)), row.dtype, (1, 1), (0, 0))


def _spreads(small: Shape, large: Shape) -> bool:
    try:
        return shapes.broadcast(small, large) == large
    except MatlabError:
        return False


@mutable_record
class _Body:
    """A loop node being written from the nodes of a cut."""

    cut: Cut
    inside: dict[Node, None]
    carries: list[Node]
    sums: list[Node]
    uses: Iterator[int] = field(default_factory=lambda: iter(()))

    def node(self) -> tuple[Node, LoopBody]:
        """The loop."""
        traced = self.cut.traced
        entries = [
            self._value_at_pass(n)
            for n in self.inside
            if n.op != "carry" and n is not traced.counter
        ]
        for node in entries:
            if node.op in {"reshape", "permute"}:
                raise Unsupported(f"{node.op} in a loop body does not fuse")
        following = [self.cut.after[c] for c in self.carries]
        outers = self._outers(entries, following)
        before = (*self.carries, *outers, traced.counter)
        self.uses = (k for k, node in enumerate(before) if node.op == "param")
        numbers = {node: k for k, node in enumerate(before) if node.op != "param"}
        numbers.update((node, k) for k, node in enumerate(entries, len(before)))
        data: list[Number] = [traced.trips, traced.first, traced.step]
        written = [self._entry(node, numbers, data) for node in entries]
        position = {c: k for k, c in enumerate(traced.carries)}
        initial = [traced.initial[position[c]] for c in self.carries]
        body = LoopBody(
            tuple((c.dtype, c.shape) for c in self.carries),
            len(outers),
            tuple(written),
            tuple(self._number(f, numbers) for f in following),
            reduce(shapes.broadcast, map(self.cut.box, (*self.carries, *self.sums)), (1, 1)),
            tuple((n.op, self._number(self.cut.taken[n], numbers)) for n in self.sums),
            tuple(n.origin for n in entries),
        )
        inputs = (*initial, *outers)
        first = inputs[0]
        return make("loop", inputs, (body,), first.dtype, first.shape, tuple(data)), body

    def _value_at_pass(self, node: Node) -> Node:
        return self.cut.at_pass(node) if node in self.cut.rows else node

    def _number(self, node: Node, numbers: dict[Node, int]) -> int:
        return next(self.uses) if node.op == "param" else numbers[self._value_at_pass(node)]

    def _outers(self, entries: list[Node], following: list[Node]) -> list[Node]:
        """What is read from outside; a loop has at least one operand.

        Parameters are there as often as they are read, in that order: that two of them are equal is
        no part of the structure.
        """
        known = {*entries, *self.inside}
        outers: list[Node] = []
        for node in (*(child for n in entries for child in n.inputs), *following):
            if node not in known:
                outers.append(node)
                if node.op != "param":
                    known.add(node)
        if not outers and not self.carries:
            outers.append(make("param", (), (), DType.F64, (1, 1), (0.0,)))
        return outers

    def _entry(self, node: Node, numbers: dict[Node, int], data: list[Number]) -> Entry:
        args = tuple(self._number(child, numbers) for child in node.inputs)
        made = Entry(node.op, node.attrs, args, node.dtype, node.shape, len(data), len(node.data))
        data.extend(node.data)
        return made


def _summed_operand(total: Node) -> Node:
    """What a sum over everything is taken of: its order does not matter."""
    node = total.inputs[0]
    while node.op in {"reshape", "permute"}:
        node = node.inputs[0]
    return node


# --- what cannot be one kernel ----------------------------------------------------------------


def _check_total(node: Node) -> None:
    """Sums in a body are over all points."""
    if node.op not in TOTALS:
        raise Unsupported(f"{node.op} in a loop body does not fuse")
    axes = cast("tuple[int, ...]", node.attrs[0])
    if any(extent != 1 for k, extent in enumerate(node.inputs[0].shape) if k not in axes):
        raise Unsupported(f"{node.op} along one dimension in a loop body does not fuse")


def _check_weight(body: Iterable[Node]) -> None:
    """Refuse a body that would take too long to compile; as passes it is several kernels."""
    nodes = list(body)
    points = 4 if any(OPS[node.op].category is Category.RANDOM for node in nodes) else 1
    if points * compile_weight(nodes) > MOST_WEIGHT:
        raise Unsupported("its kernel would take too long to compile")


def _check(variant: dict[Node, None], traced: Traced) -> None:
    """Refuse, with the reason, what cannot be one kernel."""
    fills = {
        node: carry
        for node, carry in zip(traced.following, traced.carries, strict=True)
        if node.op == "assign"
    }
    for node in variant:
        _check_node(node, variant, fills)
    for node, carry in fills.items():
        if node.inputs[0] is not carry:
            raise Unsupported("an array is filled and replaced in one pass")
        if node.inputs[1] is carry or any(carry in n.inputs for n in variant if n is not node):
            raise Unsupported("an array is read while passes fill it")


def _check_node(node: Node, variant: dict[Node, None], fills: dict[Node, Node]) -> None:
    category = OPS[node.op].category
    if node.op in {"carry", "counter"} or category in _POINTWISE:
        return
    if node.op == "slice":
        if node.inputs[0] in variant:
            raise Unsupported("a part of a value that the loop computes is read")
    elif node.op == "assign":
        if node not in fills:
            raise Unsupported("an array is assigned into more than once in a pass")
    elif node.op not in {"fill", "reshape", "permute"} and category is not Category.REDUCTION:
        raise Unsupported(f"{node.op} in a loop body does not fuse")
