"""What a loop does to single numbers, pass by pass, done to a row of all passes at once.

``m(t) = mean(x)`` sets a row of numbers, ``s = s + sum(x)`` adds one up. Once the sums of all
passes are known as a row, neither needs a loop.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from app.accel.fusion.loops.traced import derived_node
from app.accel.ir import shapes
from app.accel.ir.dtypes import DType
from app.accel.ir.node import make
from app.accel.ir.ops import OPS, Category

if TYPE_CHECKING:
    from app.accel.fusion.loops.loop_trace import Cut
    from app.accel.ir.node import Node

_POINTWISE = {Category.ELEMENTWISE, Category.CAST}


class _NoRow(Exception):
    """A value that passes do not give one by one."""


def settle(cut: Cut, carries: list[Node]) -> list[Node]:
    """Settle the carries that need no loop; the others."""
    rest = []
    for carry in carries:
        try:
            cut.final[carry] = _Rows(cut).final(carry)
        except _NoRow:
            rest.append(carry)
    return rest


class _Rows:
    """Rows of the values that single numbers take in all passes."""

    def __init__(self, cut: Cut) -> None:
        self.cut, self.trips = cut, cut.traced.trips
        self.known: dict[Node, Node] = {}

    def final(self, carry: Node) -> Node:
        """The value of a variable after all passes. Raises _NoRow."""
        after = self.cut.after[carry]
        initial = self.cut.traced.initial[self.cut.traced.carries.index(carry)]
        if after.op == "assign":
            return self._array_set_by_passes(after, initial)
        if after.op not in {"plus", "minus"} or after.inputs[0] is not carry:
            after = _with_swapped_operands(after, carry)
        uses = sum(node.inputs.count(carry) for node in self.cut.variant)
        if carry.size != 1 or uses != 1 or not carry.dtype.is_float:
            raise _NoRow
        total = self._total(after)
        return derived_node(after.op, (initial, total), (), (), after)

    def _total(self, after: Node) -> Node:
        """What all passes add."""
        row = self.cut.rows.get(after.inputs[1])
        if row is not None and row.op == "sum":
            return derived_node("sum", row.inputs, ((0, 1),), (), after)
        return derived_node("sum", (self._whole_row(after.inputs[1]),), ((1,),), (), after)

    def _array_set_by_passes(self, after: Node, initial: Node) -> Node:
        """An array of which each pass sets one element."""
        steps = list(cast("tuple[int, ...]", after.attrs[0]))
        moves = cast("tuple[int, ...]", after.attrs[1]) if len(after.attrs) > 1 else ()
        along = [k for k, move in enumerate(moves) if move]
        if len(along) != 1 or after.inputs[1].size != 1:
            raise _NoRow
        steps[along[0]] = moves[along[0]]
        shape = shapes.normal([self.trips if k == along[0] else 1 for k in range(len(steps))])
        row = _in_shape(self._whole_row(after.inputs[1]), shape)
        if row.size == initial.size and min(steps) > 0:
            return _in_shape(row, initial.shape)
        return derived_node("assign", (initial, row), (tuple(steps),), after.data, after)

    def _whole_row(self, node: Node) -> Node:
        """The row of a value, also of one that is the same in all passes."""
        row = self.row(node)
        shape = (1, self.trips)
        return row if row.shape == shape else derived_node("fill", (row,), (shape,))

    def row(self, node: Node) -> Node:
        """A value in all passes, or the value itself where it does not change."""
        if node not in self.known:
            self.known[node] = self._row(node)
        return self.known[node]

    def _row(self, node: Node) -> Node:
        traced = self.cut.traced
        if node in self.cut.rows:
            return self.cut.rows[node]
        if node.size != 1:
            raise _NoRow
        if node not in self.cut.variant:
            return node
        if node is traced.counter:
            ends = tuple(
                make("param", (), (), DType.F64, (1, 1), (v,)) for v in (traced.first, traced.step)
            )
            return derived_node("iota", ends, (DType.F64, (1, self.trips)))
        if node.op == "slice":
            return self._moving(node)
        if node.op == "fill":
            return self.row(node.inputs[0])
        if OPS[node.op].category not in _POINTWISE:
            raise _NoRow
        inputs = tuple(self.row(child) for child in node.inputs)
        return derived_node(node.op, inputs, node.attrs, node.data, node)

    def _moving(self, node: Node) -> Node:
        """An element that moves along an array from outside."""
        source, moves = node.inputs[0], cast("tuple[int, ...]", node.attrs[2])
        along = [k for k, move in enumerate(moves) if move]
        if source in self.cut.variant or len(along) != 1:
            raise _NoRow
        steps = tuple(move or 1 for move in moves)
        shape = shapes.normal([self.trips if k == along[0] else 1 for k in range(len(moves))])
        return _in_shape(
            derived_node("slice", (source,), (steps, shape), node.data), (1, self.trips)
        )


def _with_swapped_operands(after: Node, carry: Node) -> Node:
    """``e + s`` as ``s + e``."""
    if after.op != "plus" or after.inputs[1] is not carry:
        raise _NoRow
    return derived_node("plus", after.inputs[::-1], (), (), after)


def _in_shape(node: Node, shape: tuple[int, ...]) -> Node:
    return node if node.shape == shape else derived_node("reshape", (node,), (shape,))
