"""Arrays larger than one buffer lie in several; windows over a border pass through a loan.

Every part but the last holds the same number of elements, a multiple of `tiling.ALIGNED`. A
window that lies inside one part is bound where it is. One that does not is copied to a borrowed
buffer before the launch, and back after it if the launch writes there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.accel.backends.wgpu.memory import DeviceBuffer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from app.accel.backends.wgpu.commands import Commands
    from app.accel.backends.wgpu.memory import Pool


def stretches(
    buffer: DeviceBuffer, first: int, count: int
) -> Iterator[tuple[DeviceBuffer, int, int, int]]:
    """Elements by the buffers they lie in: buffer, first element there, elements before, count."""
    if not buffer.parts:
        yield buffer, first, 0, count
        return
    each, done = buffer.parts[0].count, 0
    while done < count:
        part, at = buffer.parts[(first + done) // each], (first + done) % each
        length = min(part.count - at, count - done)
        yield part, at, done, length
        done += length


@dataclass(slots=True)
class BorderCopy:
    """A borrowed buffer that stands for a window over a border.

    Attributes:
        buffer: the array.
        first: where in it the window begins.
        stand_in: the borrowed buffer, as long as the window.
        written: whether the launch writes to the window.
    """

    buffer: DeviceBuffer
    first: int
    stand_in: DeviceBuffer
    written: bool = False

    def copy(self, commands: Commands, *, back: bool) -> None:
        """Copy the window to the borrowed buffer, or back."""
        size = self.buffer.dtype.size
        for part, at, done, count in stretches(self.buffer, self.first, self.stand_in.count):
            ends = [(part.native, at * size), (self.stand_in.native, done * size)]
            if back:
                ends.reverse()
            commands.copy(*ends[0], *ends[1], -(-count * size // 4) * 4)


class Windows:
    """The windows of one part of a dispatch; the same window is the same object."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.loans: list[BorderCopy] = []
        self._made: dict[tuple[int, int], DeviceBuffer] = {}

    def window(
        self, buffer: DeviceBuffer, first: int, count: int, *, written: bool
    ) -> DeviceBuffer:
        """A stretch of an array that can be bound."""
        key = buffer.number, first
        made = self._made.get(key)
        if made is None:
            made = self._made[key] = self._window(buffer, first, count)
        for loan in self.loans:
            loan.written |= written and loan.stand_in is made
        return made

    def _window(self, buffer: DeviceBuffer, first: int, count: int) -> DeviceBuffer:
        places = list(stretches(buffer, first, count))
        if len(places) > 1:
            stand_in = self.pool.take(buffer.dtype, count)
            self.loans.append(BorderCopy(buffer, first, stand_in))
            return stand_in
        [(part, at, _, _)] = places
        size = buffer.dtype.size
        n_bytes = min(-(-(count * size + 16) // 16) * 16, part.native.size - at * size)
        return DeviceBuffer(part.dtype, count, n_bytes, part.native, part.number, at * size)


def give_back(loans: Iterable[BorderCopy], pool: Pool) -> None:
    """Return borrowed buffers; what was submitted still has them first."""
    for loan in loans:
        pool.give(loan.stand_in)
