"""Arrays with a short axis along which a loop's passes add up: held as separate columns.

The taps of a bank of adaptive filters are such an axis: ``y = sum(w .* x(:, t:t+3), 2)``. Every
column becomes a variable of its own, sums over the axis become additions, and what is left is a
loop whose points walk side by side.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, cast

from app.accel.fusion.loops.traced import Traced, derived_node
from app.accel.ir import shapes
from app.accel.ir.ops import OPS, Category
from app.errors import Unsupported
from app.records import mutable_record

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.accel.ir.node import Node, Shape

MOST = 16
"""Columns that are still held apart."""
_FOLDS = {"sum": "plus", "prod": "times", "amin": "min", "amax": "max"}
_POINTWISE = {Category.ELEMENTWISE, Category.CAST}


@mutable_record
class Apart:
    """A traced body whose short axis is gone.

    Attributes:
        traced: the body over columns.
        axis: the axis that was taken apart.
        counts: per carry of the original body, its columns.
    """

    traced: Traced
    axis: int
    counts: list[int]

    def joined(self, columns: list[Node]) -> list[Node]:
        """The original variables from their columns."""
        found, at = [], 0
        for width in self.counts:
            part = tuple(columns[at : at + width])
            found.append(part[0] if width == 1 else derived_node("cat", part, (self.axis,)))
            at += width
        return found


def columns(traced: Traced) -> Apart | None:
    """The body over columns; None where no short axis asks for it."""
    variant = traced.variant()
    axes = {axis for node in variant if (axis := _axis_needed_apart(node, variant)) is not None}
    if len(axes) != 1:
        return None
    (axis,) = axes
    made = _Columns(traced, variant, axis)
    whole = {c for c in traced.carries if made.fills(c)}
    held = [
        n for n in variant if n not in whole and not (n.op == "assign" and n.inputs[0] in whole)
    ]
    if max(_extent(node, axis) for node in held) > MOST:
        return None
    return made.apart()


def _extent(node: Node, axis: int) -> int:
    return node.shape[axis] if axis < len(node.shape) else 1


def _axis_needed_apart(node: Node, variant: dict[Node, None]) -> int | None:
    """The axis along which a node needs its operand's columns apart."""
    if node.op in _FOLDS:
        axes = [k for k in cast("tuple[int, ...]", node.attrs[0]) if _extent(node.inputs[0], k) > 1]
        others = node.size > 1
        return axes[0] if len(axes) == 1 and others else None
    if node.op == "cat":
        return cast("int", node.attrs[0])
    if node.op == "slice" and node.inputs[0] in variant:
        source = node.inputs[0]
        cut = [k for k in range(len(source.shape)) if _extent(node, k) != source.shape[k]]
        return cut[0] if len(cut) == 1 else None
    return None


class _Columns:
    """Rewrites the nodes of a body, column by column."""

    def __init__(self, traced: Traced, variant: dict[Node, None], axis: int) -> None:
        self.old, self.variant, self.axis = traced, variant, axis
        self.new = Traced(traced.trips, traced.first, traced.step, traced.counter, traced.token)
        self.parts: dict[Node, list[Node]] = {traced.counter: [traced.counter]}

    def apart(self) -> Apart:
        """The rewritten body."""
        counts: list[int] = []
        for carry, initial in zip(self.old.carries, self.old.initial, strict=True):
            # What passes fill stays whole: it is written, never read.
            filled = self.fills(carry)
            whole = [initial] if filled else self._columns_of_leaf(initial)
            self.parts[carry] = [self.new.carry(part) for part in whole]
            counts.append(len(whole))
        for node in self.variant:
            if node not in self.parts:
                self.parts[node] = self._rewritten(node)
        for following, width in zip(self.old.following, counts, strict=True):
            parts = self.of(following)
            if len(parts) != width:
                raise Unsupported("a variable changes class or size from pass to pass")
            self.new.following.extend(parts)
        return Apart(self.new, self.axis, counts)

    def fills(self, carry: Node) -> bool:
        """Whether passes fill an array, and nothing but the assignment that does so uses it."""
        after = self.old.following[self.old.carries.index(carry)]
        return after.op == "assign" and not any(
            carry in n.inputs for n in self.variant if n is not after
        )

    def of(self, node: Node) -> list[Node]:
        """A value's columns; one for a value without the axis."""
        if node not in self.parts:
            self.parts[node] = self._columns_of_leaf(node)
        return self.parts[node]

    def _shape(self, node: Node) -> Shape:
        """The shape of one column."""
        return shapes.normal([1 if k == self.axis else e for k, e in enumerate(node.shape)])

    def _columns_of_leaf(self, node: Node) -> list[Node]:
        """Columns of a value from outside."""
        width = _extent(node, self.axis)
        if width == 1:
            return [node]
        shape, steps = self._shape(node), (1,) * len(node.shape)
        starts = [
            tuple(j if k == self.axis else 0 for k in range(len(steps))) for j in range(width)
        ]
        return [derived_node("slice", (node,), (steps, shape), start) for start in starts]

    def _rewritten(self, node: Node) -> list[Node]:
        special = _REWRITES.get(node.op)
        if special is not None:
            return special(self, node)
        if node.op.startswith("random"):
            return self._random(node)
        if OPS[node.op].category not in _POINTWISE:
            whole = all(len(self.of(child)) == 1 for child in node.inputs)
            if whole and _extent(node, self.axis) == 1:  # it could make the axis: a reshape does
                return [self._with_inputs(node, tuple(self.of(child)[0] for child in node.inputs))]
            raise Unsupported(f"{node.op} of the columns of an array in a loop body does not fuse")
        width = max(len(self.of(child)) for child in node.inputs)
        sides = [p if len(p) > 1 else p * width for p in map(self.of, node.inputs)]
        return [self._with_inputs(node, tuple(column)) for column in zip(*sides, strict=True)]

    @staticmethod
    def _with_inputs(node: Node, inputs: tuple[Node, ...]) -> Node:
        return derived_node(node.op, inputs, node.attrs, node.data, node)

    def reduced(self, node: Node) -> list[Node]:
        """A sum over the axis, and perhaps over more."""
        axes = cast("tuple[int, ...]", node.attrs[0])
        parts = self.of(node.inputs[0])
        if self.axis not in axes:
            return [self._with_inputs(node, (part,)) for part in parts]
        fold = _FOLDS.get(node.op)
        if fold is None:
            raise Unsupported(f"{node.op} in a loop body does not fuse")
        whole = reduce(lambda a, b: derived_node(fold, (a, b), (), (), node), parts)
        rest = tuple(k for k in axes if _extent(whole, k) > 1)
        return [derived_node(node.op, (whole,), (rest,), (), node) if rest else whole]

    def sliced(self, node: Node) -> list[Node]:
        """A part of an array from outside, or some columns of a value."""
        source = node.inputs[0]
        steps = cast("tuple[int, ...]", node.attrs[0])
        width = _extent(node, self.axis)
        first = int(cast("int", node.data[self.axis])) if self.axis < len(steps) else 0
        step = steps[self.axis] if self.axis < len(steps) else 1
        if source in self.variant:
            moves = cast("tuple[int, ...]", node.attrs[2]) if len(node.attrs) > 2 else ()
            if any(moves) or not self._has_whole_columns(node, source, node):
                raise Unsupported("a part of a value that the loop computes is read")
            return [self.of(source)[first + j * step] for j in range(width)]
        if width == 1:
            return [node]
        attrs = (steps, self._shape(node), *node.attrs[2:])
        starts = [
            tuple(d if k != self.axis else first + j * step for k, d in enumerate(node.data))
            for j in range(width)
        ]
        return [derived_node("slice", (source,), attrs, start, node) for start in starts]

    def _has_whole_columns(self, node: Node, array: Node, part: Node) -> bool:
        """Whether the part of an array that a slice reads or an assignment sets is whole columns,
        from their first element on."""
        steps = cast("tuple[int, ...]", node.attrs[0])
        others = [k for k in range(len(steps)) if k != self.axis and _extent(array, k) > 1]
        straight = all(steps[k] == 1 and node.data[k] == 0 for k in others)
        return straight and self._shape(part) == self._shape(array)

    def joined(self, node: Node) -> list[Node]:
        """Columns next to each other."""
        if node.attrs[0] != self.axis:
            raise Unsupported("cat in a loop body does not fuse")
        return [part for child in node.inputs for part in self.of(child)]

    def filled(self, node: Node) -> list[Node]:
        """One number everywhere."""
        shape = self._shape(node)
        made = derived_node("fill", (self.of(node.inputs[0])[0],), (shape,), (), node)
        return [made] * _extent(node, self.axis)

    def assigned(self, node: Node) -> list[Node]:
        """Columns set anew, or an array that passes fill."""
        base, value = node.inputs
        if node in self.old.following and len(self.of(base)) == 1 and len(self.of(value)) == 1:
            return [self._with_inputs(node, (self.of(base)[0], self.of(value)[0]))]
        steps = cast("tuple[int, ...]", node.attrs[0])
        moves = cast("tuple[int, ...]", node.attrs[1]) if len(node.attrs) > 1 else ()
        parts, values = list(self.of(base)), self.of(value)
        whole = len(steps) == len(base.shape) and self._has_whole_columns(node, base, value)
        if any(moves) or not whole or _extent(base, self.axis) != len(parts):
            raise Unsupported("an array is assigned into more than once in a pass")
        first = int(cast("int", node.data[self.axis]))
        for j, part in enumerate(values):
            parts[first + j * steps[self.axis]] = part
        return parts

    def _random(self, node: Node) -> list[Node]:
        """Numbers of a stream: its columns lie one after another."""
        width, shape = _extent(node, self.axis), self._shape(node)
        size = shapes.count(shape)
        last = self.axis == len(node.shape) - 1
        if width > 1 and (size % 4 or not last):
            raise Unsupported("random columns of such a size do not fuse")
        key, offset = (int(cast("int", item)) for item in node.data)
        attrs = (node.attrs[0], shape, *node.attrs[2:])
        return [
            derived_node(node.op, (), attrs, (key, offset + j * size), node) for j in range(width)
        ]


_REWRITES: dict[str, Callable[[_Columns, Node], list[Node]]] = {
    "slice": _Columns.sliced,
    "cat": _Columns.joined,
    "fill": _Columns.filled,
    "assign": _Columns.assigned,
    **dict.fromkeys(("sum", "prod", "amin", "amax", "any", "all", "nnz"), _Columns.reduced),
}
