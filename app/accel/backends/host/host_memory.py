"""Memory of large host arrays that is used again.

A fresh array of many megabytes costs about as much as the work that fills it: the system clears
every page of it at the first touch. So the memory of an array that nobody holds any more, not even
through a view, is kept for the next one of about its size. The process never grows because of it
by more than ``SLACK``: before memory is asked for, most of what is kept goes back.
"""

from __future__ import annotations

from collections import deque
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from app import memory as limit

if TYPE_CHECKING:
    from numpy.typing import NDArray

SMALLEST = 1 << 20
"""Bytes of an array from which its memory is kept."""
MOST = 512 << 20
"""Bytes kept in all."""
SLACK = 32 << 20
"""Bytes kept while the process grows."""
WASTE = 1.25
"""How much larger than the array its memory may be."""

Memory: TypeAlias = np.ndarray[Any, np.dtype[np.uint8]]


class _Lease:
    """Stands behind an array: goes with the last view of it, and gives its memory back.

    That may happen in any thread, and amid any of its steps: nothing is waited for here.
    """

    __slots__ = ("__array_interface__", "memory", "owner")

    def __init__(self, owner: HostMemory, memory: Memory, dtype: np.dtype[Any], count: int) -> None:
        self.owner, self.memory = owner, memory
        self.__array_interface__ = {
            "data": memory.__array_interface__["data"],
            "typestr": dtype.str,
            "shape": (count,),
            "version": 3,
        }

    def __del__(self) -> None:
        if self.owner.held + self.memory.nbytes <= self.owner.most:
            self.owner.returned.append(self.memory)


class HostMemory:
    """Hands out arrays and keeps the memory of those that are gone.

    Attributes:
        returned: memory that came back and has not been sorted in yet.
        most: bytes kept in all; none once it is closed.
    """

    def __init__(self) -> None:
        self.most = MOST
        self.returned: deque[Memory] = deque()
        self._free: list[Memory] = []
        self._lock = Lock()

    @property
    def held(self) -> int:
        """Bytes that wait for their next array."""
        return sum(m.nbytes for m in (*self._free, *self.returned))

    def array(self, dtype: np.dtype[Any], count: int) -> NDArray[Any]:
        """A flat array with whatever was in its memory."""
        size = count * dtype.itemsize
        if not SMALLEST <= size <= self.most:
            limit.require(size, f"a result of {count} elements")
            return np.empty(count, dtype)
        with self._lock:
            memory = self._fitting_memory(size)
            if memory is None:
                self._shrink(SLACK)
        if memory is None:
            limit.require(size, f"a result of {count} elements")
            memory = np.empty(size, np.uint8)
        return np.asarray(_Lease(self, memory, dtype, count))

    def close(self) -> None:
        """Keep nothing any more."""
        self.most = 0
        self.release()

    def release(self) -> None:
        """Give back to the system what is not in use."""
        with self._lock:
            self._shrink(0)

    def _fitting_memory(self, size: int) -> Memory | None:
        """Kept memory for so many bytes: the smallest that does, if it is not far too large."""
        while self.returned:
            self._free.append(self.returned.popleft())
        fitting = [m for m in self._free if size <= m.nbytes <= size * WASTE]
        if not fitting:
            return None
        best = min(fitting, key=len)
        self._free = [m for m in self._free if m is not best]
        return best

    def _shrink(self, most: int) -> None:
        """Forget the oldest until no more than so many bytes are kept."""
        while self.returned:
            self._free.append(self.returned.popleft())
        while self._free and self.held > most:
            del self._free[0]
