"""One trace of a pass that knows nothing of the other passes, computed for many passes at once.

A *lane* is one pass. The pass is traced for single numbers and small arrays, with a placeholder
for the counter; here every element of a value of the trace becomes a column with one number per
lane, so that the pass is elementwise maths, and a loop inside it one loop kernel over all lanes::

    trace = LaneTrace(passes, first)
    x = trace.part(slice_of_x, trace.counter)      # x(i): moves with the counter
    y, = trace.after(InnerLoop(traced, following)) # what a loop inside the pass leaves
    Lanes(trace, runtime, poll, at, count).columns([y])
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import TYPE_CHECKING, TypeAlias, cast

import numpy as np

from app.accel.fusion.loops.loop_trace import LoopTrace, new_token
from app.accel.fusion.loops.traced import Traced
from app.accel.fusion.simplify import just_set
from app.accel.ir.dtypes import DType
from app.accel.ir.node import Attrs, Node, Number, Shape, make, toposort
from app.accel.ir.ops import OPS, Category
from app.accel.ir.parameters import parameter
from app.accel.ir.shapes import with_rank
from app.errors import Unsupported

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from app.accel.runtime.runtime import Runtime

MOST_ELEMENTS = 64
"""Elements of a value of one pass: each is a column of its own."""
MOST_FOLDED = 7
"""Elements that are added one after the other wherever they are added."""
FIRST_PASSES, MOST_PASSES = 64, 1024
"""Passes of a loop inside between two looks at whether lanes still go on."""
_MOVED = frozenset((Category.SOURCE, Category.CAST, Category.INDEX))
"""Where numbers are moved, and none is computed."""
_FOLDS = {"sum": "plus", "prod": "times", "any": "or", "all": "and", "amin": "min", "amax": "max"}
EXACT = frozenset(
    (
        *("plus", "minus", "times", "rdivide", "uminus", "sqrt", "abs", "sign", "min", "max"),
        *("eq", "ne", "lt", "le", "gt", "ge", "and", "or", "xor", "not", "select"),
        *("floor", "ceil", "fix", "round", "mod", "isnan", "isinf", "isfinite"),
    )
)
"""Operations whose result is the same number on single numbers and in kernels, to the last bit: how
fast a machine is decides where passes run, and must not decide what they give. The remainder of a
negative zero has another sign in kernels, so `rem` is none of them."""

Columns: TypeAlias = tuple[Node, ...]


@dataclass(eq=False)
class InnerLoop:
    """A loop inside a pass.

    Attributes:
        traced: its body; `trips` of a loop without a last pass are negative.
        broke: true in the pass that is a lane's last; None where every lane does all passes.
        failed: true in a pass that a lane cannot do here; None where there is none.
    """

    traced: Traced
    broke: Node | None = None
    failed: Node | None = None
    results: list[Node] = field(default_factory=list)


class LaneTrace(LoopTrace):
    """Placeholders of one pass while it is traced.

    Attributes:
        parts: parts of arrays that move with a counter, by their placeholder: the slice, and the
            counter.
        loops: the loop inside the pass and the number of its variable, by placeholder.
    """

    def __init__(self, passes: int, first: float) -> None:
        super().__init__(passes, first, 1.0)
        self._token, self._placeholders = new_token(), 0
        self._known: dict[tuple[Node, Node], Node] = {}
        self.parts: dict[Node, tuple[Node, Node]] = {}
        self.loops: dict[Node, tuple[InnerLoop, int]] = {}

    def part(self, taken: Node, counter: Node) -> Node:
        """What stands for a slice that moves with `counter`; known is what was just set there."""
        known = just_set(taken.inputs[0], taken.attrs, taken.data)
        if known is not None:
            return known
        key = taken, counter
        if key not in self._known:
            made = self._known[key] = self._placeholder(taken)
            self.parts[made] = key
        return self._known[key]

    def untouched(self, assigned: Node) -> Node:
        """What is, before the passes, in the place that a pass sets. Raises Unsupported."""
        return self.part(super().untouched(assigned), self.counter)

    def after(self, loop: InnerLoop) -> list[Node]:
        """What stands for the variables of a loop inside the pass when it has ended."""
        loop.results = [self._placeholder(carry) for carry in loop.traced.carries]
        self.loops.update((made, (loop, k)) for k, made in enumerate(loop.results))
        return loop.results

    def _placeholder(self, like: Node) -> Node:
        self._placeholders += 1
        return make("carry", (), (self._placeholders, self._token), like.dtype, like.shape)


class Lanes:
    """Columns of the values of some passes.

    Args:
        trace: the pass.
        runtime: computes the columns.
        poll: called between pieces of a long loop; may interrupt.
        at: the first of the passes, from 0.
        count: how many there are.
        exact: whether only what has the bits of single numbers may be computed: where the passes
            run must not decide what they give.

    Attributes:
        failed: columns that are true in lanes that cannot be done here.
    """

    def __init__(
        self,
        trace: LaneTrace,
        runtime: Runtime,
        poll: Callable[[], None],
        at: int,
        count: int,
        *,
        exact: bool = True,
    ) -> None:
        self.trace, self.runtime, self.poll = trace, runtime, poll
        self.at, self.count, self.exact = at, count, exact
        self.failed: list[Node] = []
        first = parameter(trace.first + at * trace.step, DType.F64)
        step = parameter(trace.step, DType.F64)
        counted = self._apply("iota", (first, step), (DType.F64, (count, 1)))
        self._known: dict[Node, Columns | None] = {trace.counter: (counted,)}
        self._initial = dict(zip(trace.traced.carries, trace.traced.initial, strict=True))

    def columns(self, wanted: Node) -> Columns:
        """The elements of a value of the trace, columns of one number per lane, in order.

        One that all lanes share is 1x1. Raises Unsupported where there is no such column.
        """
        self._find([wanted], self._known)
        return self._elements(wanted, self._known)

    def _apply(
        self, op: str, inputs: Columns, attrs: Attrs = (), data: tuple[Number, ...] = ()
    ) -> Node:
        return self.runtime.apply(op, inputs, attrs, data)

    # --- from node to node ---

    def _find(self, wanted: Sequence[Node], known: dict[Node, Columns | None]) -> None:
        """The columns of all that `wanted` are made of; None for what all lanes share."""
        for node in toposort(wanted):
            if node in known:
                continue
            if node in self.trace.parts:
                taken, counter = self.trace.parts[node]
                if counter is not self.trace.counter:
                    raise Unsupported("a part that a loop inside a pass reads is used elsewhere")
                known[node] = self._moving_slice(taken, counter, known)
            elif node in self.trace.loops:
                self._run(self.trace.loops[node][0], known)
            elif node.op in {"carry", "counter"}:
                raise Unsupported("a pass reads what another one may have set")
            elif all(known[child] is None for child in node.inputs) and self._keeps_bits(node):
                known[node] = None
            else:
                known[node] = self._computed_columns(node, known)

    def _keeps_bits(self, node: Node) -> bool:
        """Whether what all lanes share has, computed as a whole, the bits of a pass by itself."""
        if not self.exact or self.runtime.device_info is None or self.runtime.state(node) != "lazy":
            return True
        category = OPS[node.op].category
        return node.op in EXACT if category is Category.ELEMENTWISE else category in _MOVED

    def _elements(self, node: Node, known: dict[Node, Columns | None]) -> Columns:
        found = known.get(node)
        if found is not None:
            return found
        if node.size == 1:
            return (node,)
        _check_size(node)
        one = (1,) * len(node.shape)
        places = np.ndindex(*node.shape[::-1])
        starts = [tuple(reversed(place)) for place in places]
        return tuple(self._apply("slice", (node,), (one, (1, 1)), at) for at in starts)

    def _computed_columns(self, node: Node, known: dict[Node, Columns | None]) -> Columns:
        _check_size(node)
        if node.op == "gather" and known[node.inputs[0]] is None:
            at = self._elements(node.inputs[1], known)
            return tuple(self._gathered(node.inputs[0], p) for p in at)
        inputs = [self._elements(child, known) for child in node.inputs]
        spec = OPS[node.op]
        if self.exact and spec.category is Category.ELEMENTWISE and node.op not in EXACT:
            raise Unsupported(f"{node.op} may have other last bits in a kernel")
        if spec.category in {Category.ELEMENTWISE, Category.CAST}:
            spread = [_broadcast_numbers(child.shape, node.shape) for child in node.inputs]
            rows = zip(*spread, strict=True)
            return tuple(
                self._apply(
                    node.op,
                    tuple(column[k] for column, k in zip(inputs, row, strict=True)),
                    node.attrs,
                    node.data,
                )
                for row in rows
            )
        if node.op in _FOLDS:
            return self._folded_columns(node, inputs[0])
        if node.op == "assign":
            base = list(inputs[0])
            for place, value in zip(_block(node, node.inputs[1].shape), inputs[1], strict=True):
                base[place] = value
            return tuple(base)
        if node.op == "cat":
            return _joined_columns(node, inputs)
        places = _places(node)
        return tuple(inputs[0][k] for k in places)

    def _gathered(self, source: Node, places: Node) -> Node:
        """Elements at computed places; a lane that has a wrong one, which is an error, gets any."""
        if not source.size:
            raise Unsupported("a subscript leaves the array")
        last = parameter(source.size - 1, DType.U32)
        places = self._apply("min", (self._apply("cast", (places,), (DType.U32,)), last))
        return self._apply("gather", (source, places), (places.shape,))

    def _folded_columns(self, node: Node, column: Columns) -> Columns:
        """Sums and their kin over a few elements, one after the other."""
        taken = node.inputs[0]
        axes = cast("tuple[int, ...]", node.attrs[0])
        order = _element_numbers(taken.shape)
        kept = [k for k in range(order.ndim) if k not in axes]
        rows = np.transpose(order, (*kept, *axes[::-1])).reshape(node.size, -1, order="F")
        logical = node.op in {"any", "all"}
        if rows.shape[1] > (MOST_FOLDED if self.exact else MOST_ELEMENTS) or (
            logical and taken.dtype is not DType.BOOL
        ):
            raise Unsupported(f"{node.op} of an array in a pass")
        if node.op == "sum" and taken.dtype is not node.dtype:
            raise Unsupported("a sum of another class in a pass")
        op = _FOLDS[node.op]

        def both(a: Node, b: Node) -> Node:
            return self._apply(op, (a, b))

        sums = node.op == "sum" and taken.size > 1  # of negative zeros it is zero
        begun = [parameter(0.0, node.dtype)] if sums else []
        return tuple(reduce(both, [*begun, *(column[k] for k in row)]) for row in rows)

    # --- parts that move ---

    def _moving_slice(
        self, taken: Node, counter: Node, known: dict[Node, Columns | None]
    ) -> Columns:
        """The elements of a slice that moves with a counter."""
        _check_size(taken)
        base = self._base(taken)
        steps, shape, moves = cast("tuple[Shape, Shape, Shape]", taken.attrs)
        starts = cast("tuple[int, ...]", taken.data)
        self._find([base], known)
        if known[base] is not None:
            raise Unsupported("a part of what a pass computes follows a counter")
        places = [np.array(index[::-1]) for index in np.ndindex(*shape[::-1])]
        held = [tuple(int(n) for n in starts + np.multiply(steps, p)) for p in places]
        if counter is not self.trace.counter:
            attrs = (steps, (1,) * len(shape), moves)
            return tuple(self._apply("slice", (base,), attrs, at) for at in held)
        (axis,) = [k for k, move in enumerate(moves) if move] or (None,)
        if axis is None:
            raise Unsupported("a subscript follows the counter in two places")
        begun = [
            tuple(n + self.at * moves[k] if k == axis else n for k, n in enumerate(at))
            for at in held
        ]
        step = tuple(moves[k] if k == axis else 1 for k in range(len(shape)))
        box = tuple(self.count if k == axis else 1 for k in range(len(shape)))
        if base.shape == box and step == (1,) * len(box) and begun == [(0,) * len(box)]:
            return (base,)
        made = tuple(self._apply("slice", (base,), (step, box), at) for at in begun)
        if axis == 0:
            return made
        return tuple(self._apply("reshape", (m,), ((self.count, 1),)) for m in made)

    def _base(self, taken: Node) -> Node:
        """The array before the passes; what a pass has set itself is not read again by place."""
        base = taken.inputs[0]
        return self._initial.get(base, base)

    # --- loops inside ---

    def _run(self, loop: InnerLoop, known: dict[Node, Columns | None]) -> None:
        """The variables of a loop inside the pass when it has ended in all lanes."""
        traced = loop.traced
        self._find(traced.initial, known)
        values = [self._elements(node, known) for node in traced.initial]
        flags: list[Node] = []
        if loop.broke is not None or loop.failed is not None:
            flags = [parameter(True, DType.BOOL), parameter(False, DType.BOOL)]
        done, size = 0, FIRST_PASSES if loop.broke is not None else traced.trips
        while traced.trips < 0 or done < traced.trips:
            trips = size if traced.trips < 0 else min(size, traced.trips - done)
            values, flags = self._run_some_passes(loop, known, values, flags, done, trips)
            done, size = done + trips, min(2 * size, MOST_PASSES)
            if loop.broke is not None and not self._go_on(values, flags[0]):
                break
        if loop.failed is not None:
            self.failed.append(flags[1])
        known.update(zip(loop.results, values, strict=True))

    def _go_on(self, values: list[Columns], running: Node) -> bool:
        """Whether any lane has passes left; what they have made is stored."""
        self.poll()
        some = running if running.size == 1 else self._apply("any", (running,), ((0, 1),))
        self.runtime.evaluate([*(node for column in values for node in column), running, some])
        return bool(self.runtime.gather(some).any())

    def _run_some_passes(
        self,
        loop: InnerLoop,
        known: dict[Node, Columns | None],
        values: list[Columns],
        flags: list[Node],
        done: int,
        trips: int,
    ) -> tuple[list[Columns], list[Node]]:
        """The variables after some more passes.

        What all lanes share stays one number as long as no pass makes it a column.
        """
        wide = [[node.size > 1 for node in column] for column in (*values, tuple(flags))]
        while True:
            found = self._attempt(loop, known, values, flags, (done, trips), wide)
            if found is not None:
                return found

    def _attempt(
        self,
        loop: InnerLoop,
        known: dict[Node, Columns | None],
        values: list[Columns],
        flags: list[Node],
        passes: tuple[int, int],
        wide: list[list[bool]],
    ) -> tuple[list[Columns], list[Node]] | None:
        """The same where `wide` says which variables are columns; None where more of them are."""
        traced, (done, trips) = loop.traced, passes
        trace = LoopTrace(trips, traced.first + done * traced.step, traced.step)
        begun = [
            tuple(trace.carry(self._as_column(n, w)) for n, w in zip(column, row, strict=True))
            for column, row in zip((*values, tuple(flags)), wide, strict=True)
        ]
        inside = dict(known)
        inside.update(zip(traced.carries, begun, strict=False))
        inside[traced.counter] = (trace.counter,)
        self._shift_parts(loop, inside, done)
        ends = [n for n in (loop.broke, loop.failed) if n is not None]
        self._find([*traced.following, *ends], inside)
        after = [self._elements(node, inside) for node in traced.following]
        carries = [node for column in begun for node in column]
        following = [node for column in after for node in column]
        if flags:
            following, more = self._masked_variables(loop, inside, carries, following)
            following += more
        sizes = [w for row in wide for w in row]
        if self._mark_columns(wide, following):
            return None
        made = trace.finish([self._as_column(n, w) for n, w in zip(following, sizes, strict=True)])
        ended, at = [], 0
        for column in values:
            ended.append(tuple(made[at : at + len(column)]))
            at += len(column)
        return ended, made[at:]

    @staticmethod
    def _mark_columns(wide: list[list[bool]], following: list[Node]) -> bool:
        """Mark variables that a pass makes columns; whether there is one that was none."""
        columns, found = iter([node.size > 1 for node in following]), False
        for row in wide:
            for k, was in enumerate(row):
                row[k] = next(columns) or was
                found = found or row[k] != was
        return found

    def _masked_variables(
        self,
        loop: InnerLoop,
        known: dict[Node, Columns | None],
        carries: list[Node],
        following: list[Node],
    ) -> tuple[list[Node], list[Node]]:
        """The variables stay what they are in lanes that have ended; and the two flags."""
        running, failed = carries[-2:]
        kept = carries[:-2]
        if loop.broke is not None:
            following = [
                f if f is c else self._apply("select", (running, f, c))
                for f, c in zip(following, kept, strict=True)
            ]
        onward, wrong = running, failed
        if loop.broke is not None:
            (broke,) = self._elements(loop.broke, known)
            onward = self._apply("and", (running, self._apply("not", (broke,))))
        if loop.failed is not None:
            (bad,) = self._elements(loop.failed, known)
            wrong = self._apply("or", (failed, self._apply("and", (running, bad))))
        return following, [onward, wrong]

    def _shift_parts(self, loop: InnerLoop, known: dict[Node, Columns | None], done: int) -> None:
        """Parts that move with the loop's counter, `done` passes later."""
        for made, (taken, counter) in self.trace.parts.items():
            if counter is not loop.traced.counter:
                continue
            steps, shape, moves = cast("tuple[Shape, Shape, Shape]", taken.attrs)
            data = tuple(
                int(cast("int", n)) + done * move for n, move in zip(taken.data, moves, strict=True)
            )
            later = make(
                "slice", taken.inputs, (steps, shape, moves), taken.dtype, taken.shape, data
            )
            known[made] = self._moving_slice(later, counter, known)

    def _as_column(self, node: Node, wide: bool) -> Node:
        """A number as a column where it has to be one."""
        if not wide or node.size > 1:
            return node
        return self._apply("fill", (node,), ((self.count, 1),))


def _check_size(node: Node) -> None:
    if node.size > MOST_ELEMENTS:
        raise Unsupported(f"a value in a pass has {node.size} elements")
    if not node.size:
        raise Unsupported("a value in a pass is empty")


def _element_numbers(shape: Shape) -> NDArray[np.intp]:
    return np.arange(int(np.prod(shape))).reshape(shape, order="F")


def _broadcast_numbers(shape: Shape, wanted: Shape) -> list[int]:
    """Which element of an operand belongs to each of the result."""
    rank = max(len(shape), len(wanted))
    numbers = _element_numbers(tuple(with_rank(shape, rank)))
    return np.broadcast_to(numbers, tuple(with_rank(wanted, rank))).ravel(order="F").tolist()


def _block(node: Node, shape: Shape) -> list[int]:
    """The elements that a slice takes, or an assignment sets."""
    if len(node.attrs) > (2 if node.op == "slice" else 1) and any(cast("Shape", node.attrs[-1])):
        raise Unsupported("a part of what a pass computes follows a counter")
    steps, starts = cast("Shape", node.attrs[0]), cast("tuple[int, ...]", node.data)
    extents = with_rank(shape, len(steps))
    spans = [s + d * np.arange(n) for s, d, n in zip(starts, steps, extents, strict=True)]
    numbers = _element_numbers(tuple(with_rank(node.inputs[0].shape, len(steps))))
    return numbers[np.ix_(*spans)].ravel(order="F").tolist()


def _places(node: Node) -> list[int]:
    """Which element of its operand each element of a rearranged value is."""
    numbers = _element_numbers(node.inputs[0].shape)
    match node.op:
        case "slice":
            return _block(node, cast("Shape", node.attrs[1]))
        case "reshape":
            return numbers.ravel(order="F").tolist()
        case "fill":
            return [0] * node.size
        case "permute":
            order = cast("Shape", node.attrs[0])
            wide = numbers.reshape(tuple(with_rank(numbers.shape, len(order))), order="F")
            return np.transpose(wide, order).ravel(order="F").tolist()
        case "repmat":
            counts = cast("Shape", node.attrs[0])
            rank = max(len(counts), numbers.ndim)
            wide = numbers.reshape(tuple(with_rank(numbers.shape, rank)), order="F")
            return np.tile(wide, with_rank(counts, rank)).ravel(order="F").tolist()
        case _:
            raise Unsupported(f"{node.op} in a pass")


def _joined_columns(node: Node, inputs: list[Columns]) -> Columns:
    """The elements of arrays side by side."""
    axis = cast("int", node.attrs[0])
    rank = max(axis + 1, len(node.shape))
    every = [element for column in inputs for element in column]
    parts, before = [], 0
    for child in node.inputs:
        parts.append(before + _element_numbers(tuple(with_rank(child.shape, rank))))
        before += child.size
    order = np.concatenate(parts, axis).ravel(order="F")
    return tuple(every[k] for k in order)
