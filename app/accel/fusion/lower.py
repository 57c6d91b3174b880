"""From expressions over views to the instructions of a kernel request.

`Lowering` inlines a cone of nodes, seen from the points of one box, into a list of instructions.
Equal (node, view) pairs become one instruction. Inputs, index maps and parameters are numbered
as they appear; what must be given at run time is kept beside the request as `Slot`s.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, TypeAlias, cast

from app.accel.fusion import index_map as views
from app.accel.fusion import lower_loop
from app.accel.fusion.index_map import Form, Linear, NeedsRoot, Row, Turn, View
from app.accel.ir import value_ranges
from app.accel.ir.dtypes import DType
from app.accel.ir.node import MAX_POSITION
from app.accel.ir.ops import OPS, Category
from app.accel.ir.plan import Instr
from app.records import mutable_record, record

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.accel.fusion.variance import SquaredDeviations
    from app.accel.ir.node import Node

    Emit: TypeAlias = Callable[["Lowering", Node, View, list[int]], int]


@record
class Slot:
    """A parameter: item of a node's data, or the value of a one-element leaf (item -1).

    Without a node, `item` is the value itself.
    """

    node: Node | None
    item: int
    dtype: DType


@mutable_record
class Lowering:
    """The growing kernel.

    Attributes:
        stored: nodes that are read from memory: leaves and other groups' roots.
        scalars: one-element leaves known on the host: they become parameters.
        ranges: range facts by node, for guards.
        part: which body is lowered: 0 the first, 1 the epilogue, 2 a product's second operand.
        carries: in a loop: the numbers of carried values.
        homes: in a loop: whose data a stand-in node's data items are, from which item on.
        meant: per instruction the node that it computes, where it computes one.
    """

    stored: set[Node]
    scalars: set[Node]
    ranges: dict[Node, value_ranges.Range]
    body: list[Instr] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    meant: list[Node | None] = field(default_factory=list)
    inputs: dict[Node, int] = field(default_factory=dict)
    maps: dict[tuple[Row, int, int, bool], int] = field(default_factory=dict)
    params: dict[Slot, int] = field(default_factory=dict)
    values: dict[tuple[Node, View], int] = field(default_factory=dict)
    results: dict[Node, int] = field(default_factory=dict)
    spreads: dict[Node, SquaredDeviations] = field(default_factory=dict)
    guarded: bool = False
    part: int = 0
    nodes: set[Node] = field(default_factory=set)
    carries: dict[Node, int] = field(default_factory=dict)
    homes: dict[Node, tuple[Node, int]] = field(default_factory=dict)

    def value(self, root: Node, view: View) -> int:
        """Number of the instruction that computes `root` at `view`; operands are inlined."""
        stack = [(root, view)]
        while stack:
            node, at = stack[-1]
            if (node, at) in self.values:
                stack.pop()
                continue
            wanted = self._operands(node, at)
            missing = [pair for pair in wanted if pair not in self.values]
            if missing:
                stack.extend(reversed(missing))
                continue
            self.values[node, at] = self._emit(node, at, [self.values[pair] for pair in wanted])
            stack.pop()
        return self.values[root, view]

    def map(self, row: Row, loop_stride: int = 0, *, counted: bool = False) -> int:
        """Number of an index map; those of other parts, and of counted places, are kept apart."""
        key = (row, self.part, loop_stride, counted)
        return self.maps.setdefault(key, len(self.maps))

    def slot(self, node: Node, item: int, dtype: DType) -> int:
        """Number of a parameter."""
        home, first = self.homes.get(node, (node, 0))
        return self.params.setdefault(Slot(home, first + item, dtype), len(self.params))

    def constant(self, value: int, dtype: DType) -> int:
        """Number of a parameter whose value the plan knows."""
        return self.params.setdefault(Slot(None, value, dtype), len(self.params))

    def add(
        self,
        op: str,
        dtype: DType,
        args: tuple[int, ...] = (),
        attrs: tuple[int, ...] = (),
        guard: bool = False,
    ) -> int:
        """Append an instruction."""
        self.body.append(Instr(op, dtype, args, attrs, guard))
        self.notes.append("")
        self.meant.append(None)
        return len(self.body) - 1

    def load(self, node: Node, row: Form, loop_stride: int = 0) -> int:
        """An element of a stored node."""
        if node in self.scalars:
            return self.add("param", node.dtype, (), (self.slot(node, -1, node.dtype),))
        if isinstance(row, Turn) and (loop_stride or node.size >= MAX_POSITION):
            raise NeedsRoot(node)
        binding = self.inputs.setdefault(node, len(self.inputs))
        if isinstance(row, Turn):
            return self.add("load_at", node.dtype, (self.position(row),), (binding,))
        return self.add("load", node.dtype, (), (binding, self.map(row, loop_stride)))

    def _is_inlined(self, node: Node) -> bool:
        return node not in self.stored and node not in self.results

    def _operands(self, node: Node, at: View) -> list[tuple[Node, View]]:
        if node in self.spreads:
            return [(self.spreads[node].total, at), (self.spreads[node].centre, at)]
        if not self._is_inlined(node) or (node.op == "slice" and node in self.homes):
            return []
        if node.op == "gather":
            return [(node.inputs[1], _gather_view(node, at))]
        if OPS[node.op].category in {Category.REDUCTION, Category.SCAN, Category.MATMUL}:
            raise NeedsRoot(node)
        return [(child, views.operand(node, k, at)) for k, child in enumerate(node.inputs)]

    def _emit(self, node: Node, at: View, args: list[int]) -> int:
        if node in self.spreads:
            number = self._squared_deviation(node, *args)
        elif node in self.results:
            number = self.add("result", node.dtype, (), (self.results[node],))
        elif node in self.carries:
            number = self.add("carry", node.dtype, (), (self.carries[node],))
        elif node in self.stored:
            number = self.load(node, at.linear(node.shape))
        elif (special := _SPECIAL.get(node.op)) is not None:
            number = special(self, node, at, args)
        else:
            number = self._elementwise(node, args)
        if self._is_inlined(node) or node in self.results:
            self.nodes.add(node)
            if self.meant[number] is None or self.body[number].op == "param":
                self.meant[number] = node
                self.notes[number] = f"line {node.origin.line}" if node.origin.line else ""
        return number

    def _squared_deviation(self, node: Node, total: int, centre: int) -> int:
        """Squares around the mean, and what the centre is away from it."""
        dtype = node.dtype
        count = self.add("param", dtype, (), (self.constant(self.spreads[node].count, dtype),))
        mean = self.add("rdivide", dtype, (total, count))
        away = self.add("minus", dtype, (mean, centre))
        far = self.add("times", dtype, (away, away))
        around = self.add("result", dtype, (), (self.results[node],))
        self.nodes.add(node.inputs[0])
        return self.add("plus", dtype, (around, self.add("times", dtype, (far, count))))

    def _elementwise(self, node: Node, args: list[int]) -> int:
        spec = OPS[node.op]
        if spec.category not in {Category.ELEMENTWISE, Category.CAST}:
            raise NeedsRoot(node)
        guard = (
            spec.domain is not None
            and node.dtype.is_float
            and not spec.domain.holds(node, self.ranges.get(node.inputs[0], value_ranges.ANY))
        )
        self.guarded |= guard
        return self.add(node.op, node.dtype, tuple(args), (), guard)

    def position(self, row: Form) -> int:
        """The element number of a form as U32; what a point does not choose may be anything."""
        if isinstance(row, Turn):
            bound = self.add("param", DType.U32, (), (self.constant(row.bound, DType.U32),))
            before = self.add("lt", DType.BOOL, (self.position(row.place), bound))
            forms = self.position(row.below), self.position(row.above)
            return self.add("select", DType.U32, (before, *forms))
        return self.add("position", DType.U32, (), (self.map(row, counted=True),))


def _gather_view(node: Node, at: View) -> View:
    """A gather's index has as many elements as its result, perhaps in another shape."""
    if node.inputs[1].shape == node.shape:
        return at
    return Linear(at.linear(node.shape), at.rank)


def _param(low: Lowering, node: Node, _: View, __: list[int]) -> int:
    return low.add("param", node.dtype, (), (low.slot(node, 0, node.dtype),))


def _alias(_: Lowering, __: Node, ___: View, args: list[int]) -> int:
    return args[0]


def _random(low: Lowering, node: Node, at: View, _: list[int]) -> int:
    if node.size >= MAX_POSITION:
        raise NeedsRoot(node)
    key = low.add("param", DType.U64, (), (low.slot(node, 0, DType.U64),))
    offset = low.add("param", DType.U64, (), (low.slot(node, 1, DType.U64),))
    if len(node.attrs) > 2 and node in low.homes:
        step = low.constant(cast("int", node.attrs[2]), DType.U64)
        done = low.add("counter", DType.U32)
        offset = low.add("advance", DType.U64, (offset, done), (step,))
    place = low.position(at.linear(node.shape))
    return low.add(node.op, node.dtype, (key, offset, place))


def _slice(low: Lowering, node: Node, at: View, args: list[int]) -> int:
    moving = lower_loop.moving_slice(low, node, at)
    return args[0] if moving is None else moving


def _counter(low: Lowering, node: Node, _: View, __: list[int]) -> int:
    return lower_loop.counter(low, node)


def _iota(low: Lowering, node: Node, at: View, args: list[int]) -> int:
    index = low.add("cast", node.dtype, (low.position(at.linear(node.shape)),))
    step = low.add("times", node.dtype, (index, args[1]))
    return low.add("plus", node.dtype, (args[0], step))


def _position(low: Lowering, node: Node, at: View, _: list[int]) -> int:
    axis = cast("int", node.attrs[1])
    if isinstance(at, Linear):
        if node.size == max(node.shape[axis : axis + 1], default=1):
            return low.add("cast", DType.F64, (low.position(at.row),))
        raise NeedsRoot(node)
    row = views.fit(at, max(len(node.shape), axis + 1)).rows[axis]
    return low.add("cast", DType.F64, (low.position(row),))


def _gather(low: Lowering, node: Node, _: View, args: list[int]) -> int:
    source = node.inputs[0]
    if source not in low.stored:
        raise NeedsRoot(source)
    binding = low.inputs.setdefault(source, len(low.inputs))
    index = args[0]
    if low.body[index].dtype is not DType.U32:
        index = low.add("cast", DType.U32, (index,))
    return low.add("load_at", node.dtype, (index,), (binding,))


_SPECIAL: dict[str, Emit] = {
    "param": _param,
    "fill": _alias,
    "slice": _slice,
    "runs": _alias,
    "permute": _alias,
    "reshape": _alias,
    "repmat": _alias,
    "diagonal": _alias,
    "random_uniform": _random,
    "random_normal": _random,
    "iota": _iota,
    "position": _position,
    "gather": _gather,
    "counter": _counter,
}
