"""Arrays larger than a binding: the box is cut along its last axis, each part sees windows.

A window is a stretch of a buffer that begins at a multiple of `ALIGNED` elements, so that it can
be bound on its own. Every part is a dispatch with smaller extents and shifted offsets.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeAlias

from app.accel.ir.plan import Access, MapValues, Template
from app.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from app.accel.ir.node import Shape
    from app.accel.ir.plan import Instr, KernelRequest

    Place: TypeAlias = tuple[bool, int]

ALIGNED = 256
SLACK = ALIGNED * 8 + 64
"""Bytes a window may be longer than what is read: it begins early and ends on whole words."""


@record
class Part:
    """One part of a dispatch.

    Attributes:
        extents: its box.
        maps: where its operands lie in their windows.
        windows: first element and length per operand that is seen through a window, by
            (is it an output, binding).
    """

    extents: Shape
    maps: tuple[MapValues, ...]
    windows: dict[Place, tuple[int, int]]


@record
class Cutter:
    """Cuts one dispatch.

    Attributes:
        kernel: what runs.
        extents: the whole box.
        maps: run-time halves of its maps.
        counts: elements per operand, inputs then outputs.
        limit: bytes that can be bound at once.
        moves: per map, elements that a loop's passes move it by in all.
    """

    kernel: KernelRequest
    extents: Shape
    maps: tuple[MapValues, ...]
    counts: tuple[int, ...]
    limit: int
    moves: tuple[int, ...] = ()

    def width(self) -> int:
        """Coordinates of the last axis in a part; 0 where cutting does not help."""
        uses = self.uses()
        if uses is None or not self._can_be_cut(uses):
            return 0
        width = self.extents[-1]
        for members in self._components(uses):
            if not any(self._bytes(place) + 16 > self.limit for place, _ in members):
                continue
            size = max(self._size(place) for place, _ in members)
            room = (self.limit - SLACK) // size
            low, high = self._touched_elements(members, 1)
            step = max(abs(self._stride(number)) for _, number in members)
            if high - low >= room:
                return 0
            if step:
                width = min(width, 1 + (room - (high - low) - 1) // step)
        return width if width < 4 else width // 4 * 4

    def parts(self, width: int) -> Iterator[Part]:
        """The parts, `width` coordinates of the last axis each."""
        uses = self.uses() or []
        components = self._components(uses)
        for first in range(0, self.extents[-1], width):
            count = min(width, self.extents[-1] - first)
            moved = [
                MapValues(m.offset + first * self._stride(k), m.strides)
                for k, m in enumerate(self.maps)
            ]
            windows: dict[Place, tuple[int, int]] = {}
            for members in components:
                if any(self._bytes(place) + 16 > self.limit for place, _ in members):
                    self._open(members, first, count, moved, windows)
            yield Part((*self.extents[:-1], count), tuple(moved), windows)

    def _open(
        self,
        members: list[tuple[Place, int]],
        first: int,
        count: int,
        moved: list[MapValues],
        windows: dict[Place, tuple[int, int]],
    ) -> None:
        """Windows for operands that share maps."""
        low, high = self._touched_elements(members, count, first)
        base = low // ALIGNED * ALIGNED
        for place, _ in members:
            windows[place] = base, min(high + 1, self._count(place)) - base
        for number in {number for _, number in members}:
            at = moved[number]
            moved[number] = MapValues(at.offset - base, at.strides)

    # --- what is accessed --------------------------------------------------------------------

    def uses(self) -> list[tuple[Place, int]] | None:
        """Operands with the maps they are accessed by; None where places are computed."""
        kernel = self.kernel
        steps = kernel.loop.steps if kernel.loop else ()
        found: list[tuple[Place, int]] = []
        instr: Instr
        for instr in (*kernel.body, *steps, *kernel.epilogue):
            if instr.op == "load_at" and self._is_large((False, instr.attrs[0])):
                return None
            if instr.op == "load":
                found.append(((False, instr.attrs[0]), instr.attrs[1]))
        stores = (*kernel.stores, *(kernel.loop.stores if kernel.loop else ()))
        found += [((True, item.binding), item.map) for item in stores]
        return list(dict.fromkeys(found))

    def _can_be_cut(self, uses: list[tuple[Place, int]]) -> bool:
        """Whether parts of the box may be computed apart."""
        kernel, last = self.kernel, len(self.extents) - 1
        if kernel.loop is not None and kernel.loop.totals:
            return False
        instrs = (*kernel.body, *kernel.epilogue)
        placed = {i.attrs[0] for i in instrs if i.op == "position"}
        apart = kernel.template not in {Template.MATMUL, Template.ALGORITHM}
        if not apart or placed & {number for _, number in uses}:
            return False
        if any(i.op == "axis" and i.attrs[0] == last for i in instrs):
            return False
        if not (kernel.reduced and kernel.reduced[-1]):
            return not (self._finishing() & self._visiting())
        late = {i.attrs[0] for i in kernel.epilogue if i.op == "load"}
        merges = not any(r.op.startswith("arg") for r in kernel.reductions)
        return (
            kernel.template is Template.REDUCE
            and all(kernel.reduced)
            and merges
            and not any(self._is_large((False, binding)) for binding in late)
        )

    def _finishing(self) -> set[int]:
        """Maps over the kept axes of a reduction."""
        kernel, split = self.kernel, len(self.kernel.body)
        if kernel.template is not Template.REDUCE:
            return set()
        found = {i.attrs[1] for i in kernel.epilogue if i.op == "load"}
        return found | {item.map for item in kernel.stores if item.value >= split}

    def _visiting(self) -> set[int]:
        """Maps over the whole box."""
        kernel, split = self.kernel, len(self.kernel.body)
        found = {i.attrs[1] for i in kernel.body if i.op == "load"}
        return found | {item.map for item in kernel.stores if item.value < split}

    def _components(self, uses: list[tuple[Place, int]]) -> list[list[tuple[Place, int]]]:
        """Uses that share operands or maps: they must share the beginning of their windows."""
        groups: list[list[tuple[Place, int]]] = []
        for use in uses:
            mine = [g for g in groups if any(p == use[0] or n == use[1] for p, n in g)]
            groups = [g for g in groups if g not in mine]
            groups.append([use, *(member for g in mine for member in g)])
        return groups

    # --- arithmetic --------------------------------------------------------------------------

    def _count(self, place: Place) -> int:
        output, binding = place
        return self.counts[binding + (len(self.kernel.inputs) if output else 0)]

    def _size(self, place: Place) -> int:
        output, binding = place
        return (self.kernel.outputs if output else self.kernel.inputs)[binding].size

    def _bytes(self, place: Place) -> int:
        return self._count(place) * self._size(place)

    def _is_large(self, place: Place) -> bool:
        return self._bytes(place) + 16 > self.limit

    def _strides(self, number: int) -> Sequence[int]:
        """Strides of a map, also where they are not written down."""
        access = self.kernel.maps[number].access
        if access is Access.SCALAR:
            return (0,) * len(self.extents)
        if access is Access.STRIDED:
            return self.maps[number].strides
        skipped = self.kernel.reduced if number in self._finishing() else ()
        strides, step = [], 1
        for k, extent in enumerate(self.extents):
            out = bool(skipped and skipped[k])
            strides.append(0 if out else step)
            step *= 1 if out else extent
        return strides

    def _stride(self, number: int) -> int:
        return self._strides(number)[-1] if self.extents else 0

    def _touched_elements(
        self, members: list[tuple[Place, int]], count: int, first: int = 0
    ) -> tuple[int, int]:
        """Lowest and highest element that a part of `count` coordinates touches."""
        lows, highs = [], []
        for number in {number for _, number in members}:
            strides = self._strides(number)
            low = high = self.maps[number].offset + first * strides[-1]
            box = (*self.extents[:-1], count)
            reaches = [s * (e - 1) for s, e in zip(strides, box, strict=True)]
            reaches.append(self.moves[number] if self.moves else 0)
            lows.append(low + sum(min(0, r) for r in reaches))
            highs.append(high + sum(max(0, r) for r in reaches))
        return min(lows), max(highs)


def whole(kernel: KernelRequest) -> bool:
    """Whether parts of this reduction must be merged: its last axis is reduced."""
    return kernel.template is Template.REDUCE and bool(kernel.reduced) and kernel.reduced[-1]


def too_large(sizes: Sequence[int], limit: int) -> bool:
    """Whether any operand of so many bytes needs a window."""
    return any(n_bytes + 16 > limit for n_bytes in sizes)


def passes(kernel: KernelRequest, params: Sequence[complex | float]) -> tuple[int, ...]:
    """Per map, how far a loop's passes move it in all."""
    loop = kernel.loop
    if loop is None or not loop.loop_strides:
        return ()
    last = max(0, int(params[loop.trips].real) - 1)
    return tuple(last * int(params[s].real) if s >= 0 else 0 for s in loop.loop_strides)


def points(extents: Shape) -> int:
    """Points of a box."""
    return math.prod(extents)
