"""Arrays that grow while the passes of a loop are traced.

``m(k) = …``, ``m(end+1) = …``, ``m(:, k) = …`` and ``m = [m …]`` make an array larger in each of
them. The trace has a placeholder as large as the array is after the last pass, of which the front
part is there already. Nobody may see that size: the array's value has no shape
(`DeviceArray.growing`), ``end`` is a number that goes on with the counter, and no operation takes
the placeholder but those below.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from app.accel.ir import shapes
from app.engine.values import DeviceArray, Value
from app.errors import Unsupported
from app.records import mutable_record

if TYPE_CHECKING:
    from app.accel.ir.node import Attrs, Node
    from app.accel.runtime.runtime import Runtime

MOST_ELEMENTS = 1 << 26
"""Elements of the largest array that is made before it is known that all passes take place."""


class Outgrown(Unsupported):
    """Passes set places behind the end of an array.

    Attributes:
        node: the array, as the trace has it.
        axis: the dimension along which it grows.
        shape: its size after the last pass.
        rate: by how much it grows in a pass.
    """

    def __init__(self, node: Node, axis: int, shape: tuple[int, ...], rate: int) -> None:
        super().__init__("a subscript leaves the array")
        self.node, self.axis, self.shape, self.rate = node, axis, shape, rate


@mutable_record
class Growing:
    """One array that grows.

    Attributes:
        axis: the dimension along which it does.
        begun: its size before the first pass, with as many dimensions as `shape`.
        shape: its size after the last pass.
        rate: by how much it is assumed to grow in a pass.
        passes: how many passes there are.
        counting: gives ``value + step * pass`` as a value of the trace.
        seen: whether a pass has asked for its size, or read a part of it.
    """

    axis: int
    begun: tuple[int, ...]
    shape: tuple[int, ...]
    rate: int
    passes: int
    counting: Callable[[float, float], DeviceArray]
    seen: bool = False

    def length(self, node: Node) -> tuple[int, int]:
        """How long it is in the first pass, and by how much longer in every other one."""
        known = self.begun[self.axis], self.rate
        for stored in reversed(_stores(node)):
            known = self._longer(known, _last_place(stored, self.axis))
        return known

    def _longer(self, a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
        last = self.passes - 1
        for x, y in ((a, b), (b, a)):
            if x[0] >= y[0] and x[0] + last * x[1] >= y[0] + last * y[1]:
                return x
        raise Unsupported("how long an array is follows no rule")

    def is_steady(self, node: Node) -> bool:
        """Whether a pass that leaves `node` has made it longer by what was assumed."""
        return self.length(node) == (self.begun[self.axis] + self.rate, self.rate)

    def rate_of(self, node: Node) -> int:
        """By how much a pass that leaves `node` makes it longer."""
        places = [_last_place(stored, self.axis) for stored in _stores(node)]
        longest = max(places, default=(0, 0))
        return max(1, longest[0] - self.begun[self.axis])

    def shape_after(self, passes: int, node: Node) -> tuple[int, ...]:
        """Its size after some passes that each leave `node`."""
        length = self.begun[self.axis]
        for first, move in (_last_place(stored, self.axis) for stored in _stores(node)):
            length = max(length, first, first + move * (passes - 1))
        return self._with_length(length)

    def _with_length(self, length: int) -> tuple[int, ...]:
        return *self.shape[: self.axis], length, *self.shape[self.axis + 1 :]

    # --- what a pass may do with it -----------------------------------------------------------

    def end(self, node: Node, position: int, count: int) -> Value:
        """``end`` as subscript `position` (from 0) of `count`."""
        across = [n for axis, n in enumerate(self.shape) if axis != self.axis]
        if count == 1 and any(n != 1 for n in across):
            raise Unsupported("an array that grows is counted as a whole")
        if count != 1 and count < len(self.shape):
            raise Unsupported("an array that grows is counted along several dimensions")
        if count != 1 and position != self.axis:
            return float(self.shape[position]) if position < len(self.shape) else 1.0
        self.seen = True
        first, rate = self.length(node)
        return self.counting(float(first), float(rate))

    def appended(self, runtime: Runtime, axis: int, node: Node, parts: list[Node]) -> Node:
        """``[m part …]`` along `axis`."""
        if axis != self.axis:
            raise Unsupported("an array grows along two dimensions")
        self.seen = True
        for part in parts:
            first, rate = self.length(node)
            extents = shapes.with_rank(part.shape, len(self.shape))
            if self._with_length(extents[axis]) != extents:
                raise Unsupported("what is joined to an array that grows has another size")
            start, moves = [0] * len(extents), [0] * len(extents)
            start[axis], moves[axis] = first, rate
            if first + rate * (self.passes - 1) + extents[axis] > self.shape[axis]:
                longer = self._with_length(self.shape[axis] + extents[axis] * self.passes)
                raise Outgrown(node, axis, longer, self.rate)
            attrs = ((1,) * len(extents), tuple(moves))
            same = part.shape == extents
            value = part if same else runtime.apply("reshape", (part,), (extents,))
            node = runtime.apply("assign", (node, value), attrs, tuple(start))
        return node

    def check_read(self, node: Node, attrs: Attrs, data: tuple[int, ...]) -> None:
        """Refuse to read places of `node` that are not there in every pass."""
        self.seen = True
        step, count, move = (
            cast("tuple[int, ...]", a)[self.axis] if a else 0 for a in (*attrs, ())[:3]
        )
        first = 1 + max(data[self.axis], data[self.axis] + step * (count - 1))
        length, rate = self.length(node)
        last = self.passes - 1
        if first > length or first + move * last > length + rate * last:
            raise Unsupported("a part of an array that grows is read before it is there")


def _stores(node: Node) -> list[Node]:
    """The assignments that have made a node of a placeholder, the latest first."""
    found = []
    while node.op == "assign":
        found.append(node)
        node = node.inputs[0]
    return found


def placeholder_below(node: Node) -> Node:
    """The array into which assignments that have made `node` were made."""
    while node.op == "assign":
        node = node.inputs[0]
    return node


def _last_place(stored: Node, axis: int) -> tuple[int, int]:
    """The last place (from 1) that an assignment sets in the first pass, and its move per pass."""
    steps = cast("tuple[int, ...]", stored.attrs[0])
    moves = cast("tuple[int, ...]", stored.attrs[1]) if len(stored.attrs) > 1 else ()
    count = shapes.with_rank(stored.inputs[1].shape, len(steps))[axis]
    start = int(cast("int", stored.data[axis]))
    return 1 + max(start, start + steps[axis] * (count - 1)), moves[axis] if moves else 0


def joined_to(carry: Node, node: Node, passes: int) -> tuple[int, tuple[int, ...], int] | None:
    """Dimension, size after all passes and growth per pass of ``[m …]``; None for all else."""
    if node.op != "cat" or node.inputs[0] is not carry or node.dtype is not carry.dtype:
        return None
    axis = cast("int", node.attrs[0])
    begun = shapes.with_rank(carry.shape, len(node.shape))
    rate = node.shape[axis] - begun[axis]
    shape = (*begun[:axis], begun[axis] + rate * passes, *begun[axis + 1 :])
    return (axis, shape, rate) if shapes.count(shape) <= MOST_ELEMENTS else None


class GrowingArrays(dict["Node", Growing]):
    """Arrays that grow in the pass that is traced, by their nodes."""

    def applied(
        self,
        runtime: Runtime,
        op: str,
        operands: tuple[Node, ...],
        attrs: Attrs = (),
        data: tuple[int, ...] = (),
    ) -> Node:
        """The node of an operation of which an operand is one of them. Raises Unsupported."""
        known = self.get(operands[0])
        if known is None or any(node in self for node in operands[1:]):
            raise Unsupported("an array that grows is read as a whole")
        if op == "slice":
            known.check_read(operands[0], attrs, data)
        elif op != "assign":
            raise Unsupported("an array that grows is read as a whole")
        made: Node = runtime.apply(op, operands, attrs, data)
        if op == "assign":
            self[made] = known
        return made
