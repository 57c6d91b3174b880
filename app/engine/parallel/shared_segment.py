"""Large arrays in memory that processes of this machine share.

One segment holds the arrays of one piece of work. It is written once; whoever attaches it sees the
arrays without copying, and may change its own view: what it writes to becomes its own.
"""

from __future__ import annotations

import mmap
import os
import sys
from contextlib import suppress
from multiprocessing.shared_memory import SharedMemory

import numpy as np

from app.engine.values import Array

SEGMENT_FROM = 1 << 16
"""Bytes from which an array is shared, not sent."""
_ALIGNED = 64


class Segment:
    """Arrays by number, in a mapping of their own.

    Args:
        name: of the segment.
        places: offset and bytes of every array.
    """

    def __init__(self, name: str, places: tuple[tuple[int, int], ...]) -> None:
        self.places = places
        size = places[-1][0] + places[-1][1]
        if sys.platform == "win32":
            self._memory = mmap.mmap(-1, size, tagname=name, access=mmap.ACCESS_COPY)
            return
        import _posixshmem  # type: ignore[import-not-found]

        descriptor = _posixshmem.shm_open(f"/{name}", os.O_RDONLY, mode=0)
        try:
            self._memory = mmap.mmap(descriptor, size, access=mmap.ACCESS_COPY)
        finally:
            os.close(descriptor)

    def array(self, number: int, dtype: np.dtype[np.generic], shape: tuple[int, ...]) -> Array:
        """An array that may be written to; only this process sees what is written."""
        offset, size = self.places[number]
        held = np.frombuffer(self._memory, np.uint8, size, offset)
        return held.view(dtype).reshape(shape, order="F")


class OwnSegment:
    """A segment that this process has made; it goes with `close`.

    Attributes:
        name: how others attach it.
        places: offset and bytes of every array.
        size: bytes in all.
    """

    def __init__(self, arrays: list[Array]) -> None:
        places, at = [], 0
        for array in arrays:
            places.append((at, array.nbytes))
            at += -(-array.nbytes // _ALIGNED) * _ALIGNED
        self.places, self.size = tuple(places), at
        self._memory = SharedMemory(create=True, size=at)
        self.name = self._memory.name.lstrip("/")
        for (offset, size), array in zip(places, arrays, strict=True):
            held = self._memory.buf
            assert held is not None
            target: Array = np.frombuffer(held, array.dtype, array.size, offset)
            target.reshape(array.shape, order="F")[...] = array
            del target, held, size

    def close(self) -> None:
        """Nobody attaches it any more; those who have keep it as long as they use it."""
        self._memory.close()
        with suppress(FileNotFoundError):
            self._memory.unlink()
