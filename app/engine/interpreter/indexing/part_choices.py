"""``y(2:end, :) = y(2:end, :) + x`` as a choice for every element: it is computed where ``y`` is.

A part that is set is a step of its own: the rest is copied first, unless nobody reads it again, and
what is set is read back by whoever computes with it. As a choice between new and old elements it is
inlined like any other arithmetic, so that a row of such statements is one kernel. What the part is
made of is seen from all places: an operand shifted against the part is read in runs, of which only
those inside matter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from app.accel.ir.dtypes import DType
from app.accel.ir.ops import OPS, Category
from app.accel.ir.shapes import MOST_READ_APART, SHORT
from app.engine.interpreter.indexing.captured_subscripts import Block

if TYPE_CHECKING:
    from app.accel.ir.node import Node
    from app.accel.runtime.runtime import Runtime

MOST_PUSHED = 48
"""Operations that are moved to all places for one statement."""
MOST_BESIDE = 8
"""Places before or behind a part whose operands are shifted: kernels know where the part ends, and
one that moves through an array would have a kernel for every place."""
POINTWISE = frozenset({Category.ELEMENTWISE, Category.CAST})


def chosen_part(runtime: Runtime, base: Node, block: Block, value: Node) -> Node | None:
    """``base`` with a block set to ``value``, as a choice; None where a step of its own is better.

    Kernels of the host set parts in place; arrays with a short side have variables for its columns
    in loops.
    """
    extents = [n for n in base.shape if n != 1]
    if not runtime.placer.is_apart or not extents or min(extents) <= SHORT:
        return None
    if block.moves or set(block.steps) != {1} or len(block.shape) != len(base.shape):
        return None
    if not SHORT < base.size <= MOST_READ_APART or base.op == "param":
        return None
    placing = _Placing(runtime, base, block)
    made = placing.placed(value) if placing.is_fit(value) else None
    return None if made is None else runtime.apply("select", (placing.inside(), made, base))


class _Placing:
    """Moves what a block is set to to all places of the array.

    Attributes:
        base: the array.
        block: the part.
        known: what has been moved.
    """

    def __init__(self, runtime: Runtime, base: Node, block: Block) -> None:
        self.runtime, self.base, self.block = runtime, base, block
        self.known: dict[Node, Node | None] = {}

    def is_fit(self, value: Node) -> bool:
        """Whether the array is pending arithmetic, or is read where it is set.

        An array that is read elsewhere, too, is a stencil: its steps take turns with two buffers.
        What a small part is set to is not computed for all places.
        """
        if _is_pointwise(value) and 2 * self.block.size < self.base.size:
            return False
        stack, seen, in_place = [value], {value}, False
        while stack:
            node = stack.pop()
            if node is self.base or len(seen) > MOST_PUSHED:
                return False
            if node.op == "slice" and node.inputs and node.inputs[0] is self.base:
                if not self._is_block(node):
                    return False
                in_place = True
            elif _is_pointwise(node) or node.op in {"fill", "repmat"}:
                if OPS[node.op].domain is not None:
                    return False
                fresh = [child for child in node.inputs if child not in seen]
                seen.update(fresh)
                stack += fresh
        return in_place or _is_pointwise(self.base) or self.base.op == "fill"

    def _is_block(self, part: Node) -> bool:
        """Whether a slice is the part that is set."""
        mine = self.block.steps, self.block.shape
        return part.attrs == mine and part.data == self.block.start

    def inside(self) -> Node:
        """Which elements belong to the block."""
        found: Node | None = None
        apply, shape = self.runtime.apply, self.base.shape
        for axis, (start, count) in enumerate(zip(self.block.start, self.block.shape, strict=True)):
            row = tuple(n if k == axis else 1 for k, n in enumerate(shape))
            ends = self._whole(0), self._whole(1)
            tests = [("ge", start)] * (start > 0) + [("lt", start + count)] * (
                start + count < shape[axis]
            )
            for op, bound in tests:
                place = apply("iota", ends, (DType.I32, row))
                reps = tuple(1 if k == axis else n for k, n in enumerate(shape))
                place = apply("repmat", (place,), (reps,))
                test = apply(op, (place, self._whole(bound)))
                found = test if found is None else apply("and", (found, test))
        assert found is not None  # all of an array is no block of it
        return found

    def _whole(self, number: int) -> Node:
        return self.runtime.scalar(number, DType.I32)

    def placed(self, node: Node) -> Node | None:
        """What holds a node's elements where the block is, and anything elsewhere."""
        if node.size == 1:
            return node
        if node not in self.known:
            self.known[node] = self._placed(node)
        return self.known[node]

    def _placed(self, node: Node) -> Node | None:
        if _is_pointwise(node):
            operands = [self.placed(child) for child in node.inputs]
            known = tuple(child for child in operands if child is not None)
            if len(known) < len(operands):
                return None
            return self.runtime.apply(node.op, known, node.attrs, node.data, node.origin)
        if node.op == "fill" or (node.op == "repmat" and self._only_spreads(node)):
            return self.placed(node.inputs[0])
        if node.op == "slice" and _is_dense(node):
            return self._shifted(node.inputs[0], node, cast("tuple[int, ...]", node.data))
        return self._shifted(node, node, (0,) * len(node.shape))

    def _only_spreads(self, node: Node) -> bool:
        """Whether a repmat repeats singletons only: operations do so by themselves."""
        child = node.inputs[0]
        return len(child.shape) == len(node.shape) and all(
            a in {1, b} for a, b in zip(child.shape, node.shape, strict=True)
        )

    def _shifted(self, source: Node, part: Node, starts: tuple[int, ...]) -> Node | None:
        """The array of which a part lies behind the block, read so that it does.

        Along an axis where the part has one element it is spread as it is.
        """
        if len(part.shape) != len(self.base.shape) or source.op == "param":
            return None
        wanted = self.base.shape
        cut: list[tuple[int, int]] = []
        runs: list[tuple[int, list[tuple[int, int]]]] = []
        for axis, extent in enumerate(part.shape):
            n, m = wanted[axis], source.shape[axis]
            move = starts[axis] - self.block.start[axis]
            if extent == 1:
                cut.append((starts[axis], 1))
            elif 0 <= move <= m - n:
                cut.append((move, n))
            else:
                pieces = _pieces(n, m, self.block.start[axis], extent, move)
                if pieces is None:
                    return None
                cut.append((0, m))
                runs.append((axis, pieces))
        made = source
        shape = tuple(count for _, count in cut)
        if shape != source.shape:
            steps = (1,) * len(shape)
            first = tuple(start for start, _ in cut)
            made = self.runtime.apply("slice", (made,), (steps, shape), first, part.origin)
        for axis, pieces in runs:
            attrs = axis, tuple(n for _, n in pieces), (1,) * len(pieces)
            data = tuple(start for start, _ in pieces)
            made = self.runtime.apply("runs", (made,), attrs, data, part.origin)
        return made


def _pieces(n: int, m: int, start: int, count: int, move: int) -> list[tuple[int, int]] | None:
    """Runs of places of `m` for `n` places, those of the block moved: starts and lengths.

    The others are any that there are; None where they are too many.
    """
    first = 0 if move >= 0 else start
    end = n if n - 1 + move < m else start + count
    if max(first, n - end) > min(m, MOST_BESIDE):
        return None
    pieces = [(0, first), (first + move, end - first), (m - (n - end), n - end)]
    return [piece for piece in pieces if piece[1]]


def _is_dense(part: Node) -> bool:
    """Whether a slice takes neighbours, the same in every pass, of an array of its rank."""
    steps, *others = part.attrs
    source = part.inputs[0]
    return set(cast("tuple[int, ...]", steps)) == {1} and (
        len(others) == 1 and len(source.shape) == len(part.data) == len(part.shape)
    )


def _is_pointwise(node: Node) -> bool:
    return bool(node.inputs) and OPS[node.op].category in POINTWISE
