"""Room on Python's own stack of frames, so that no depth of calls is slow.

CPython keeps frames in chunks of 16 KiB. A loop that stands where a chunk is full has a new one
mapped and unmapped by every call that it makes: such a call takes a hundred times as long, and
how many variables a script has decides whether it happens. A frame that is larger than a chunk is
given one of twice its size; what is called from it has the rest. To map that much takes some tens
of microseconds, so there is one room in a thread, and none where no code runs.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

_T = TypeVar("_T")
ROOM = 1 << 18
"""Words of frames that fit: some thousand calls deep. Memory that is not touched takes none."""


class _Rooms(threading.local):
    """Whether what this thread calls has room already."""

    there = False


def with_room(action: Callable[[], _T]) -> _T:
    """What ``action`` gives, called with room for ``ROOM`` words of frames."""
    if _rooms.there:
        return action()
    try:
        _rooms.there = True
        return _in_a_large_frame(action)
    finally:
        _rooms.there = False


def _in_a_large_frame(action: Callable[[], _T]) -> _T:
    return action()


_in_a_large_frame.__code__ = _in_a_large_frame.__code__.replace(co_stacksize=ROOM + 1)
_rooms = _Rooms()
