"""Room on Python's own stack of frames, so that no depth of calls is slow.

CPython keeps frames in chunks of 16 KiB. A loop that stands where a chunk is full has a new one
mapped and unmapped by every call that it makes: such a call takes a hundred times as long, and
how many variables a script has decides whether it happens. A frame that is larger than a chunk is
given one of twice its size; what is called from it has the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

_T = TypeVar("_T")
ROOM = 1 << 18
"""Words of frames that fit: some thousand calls deep. Memory that is not touched takes none."""


def with_room(action: Callable[[], _T]) -> _T:
    """What ``action`` gives, called with room for ``ROOM`` words of frames."""
    return action()


with_room.__code__ = with_room.__code__.replace(co_stacksize=ROOM + 1)
