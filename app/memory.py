"""A limit of the memory that a script's values take, looked at before large ones are made.

Without it a runaway program has the system kill whatever it likes. The limit is a setting, or a
share of what was free when it was first asked for; it counts what the whole process holds. Sizes
that are known before are looked at here, so that the error can tell them. What libraries and
Python itself ask for is refused by the system (on Linux) while a script runs: a MemoryError.
"""

from __future__ import annotations

import math
import os
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

from app.errors import MatlabError
from app.late_pattern import late_pattern

LARGE = 64 << 20
"""Bytes from which a request is looked at; smaller ones cost nothing."""
SHARE = 0.6
"""Of the free memory that a process may fill unless the setting says otherwise."""
RESERVE = (256 << 20) + (16 << 20) * (os.cpu_count() or 1)
"""Bytes above the limit that the system still grants: stacks of threads are asked for and never
filled, and the window, in the same process, has to go on."""
MOST_ELEMENTS = 2**48 - 1
"""Elements of the largest array that MATLAB knows."""
TOO_LARGE = "Requested array exceeds the maximum possible variable size."
MOST_LETTERS = 1 << 30
"""Letters of the longest text that is put together: nobody else runs while Python does that."""
HEAPS = 2
"""Of the C library, for all threads."""
_MOST_HEAPS = -8
"""What glibc calls M_ARENA_MAX."""
RECENT_S = 0.05
"""For how long a count serves scripts that follow each other at once."""
_GIB = float(1 << 30)
_COUNTS = "/proc/self/statm"
_GROUP = Path("/sys/fs/cgroup")
_FILES_KEPT = late_pattern(r"(?m)^inactive_file (\d+)$")
"""Of a container's memory: copies of files, given up when something needs the room."""
_RESIDENT, _WRITABLE = 1, 5
"""Where it says what is held, and what private memory was asked for, filled or not."""
_LONGEST = 256
"""More bytes than its seven numbers take."""


class _Setting:
    """The user's own limit in bytes, 0 for none, and what was held when a script began.

    `counts` are what the system said then, and `counted` when that was, in seconds; `file` is where
    it says so, where that stays open.
    """

    limit = 0
    before = 0
    counted = -math.inf
    counts: Sequence[int] = ()
    file: int | None = None


def use(limit: int) -> None:
    """Set the limit in bytes; 0 takes a share of what is free."""
    _Setting.limit = limit


def require(size: float, what: str) -> None:
    """Raise MatlabError (MATLAB:nomem) where ``size`` bytes more would exceed the limit."""
    if size < LARGE:
        return
    if resident() + size > (_Setting.limit or _share()):
        raise refusal(f"{what} needs {size / _GIB:.2f} GB; ")


def require_text(length: float, what: str) -> None:
    """The same for a text of so many letters, none beyond what the window can wait for.

    Raises MatlabError (MATLAB:array:SizeLimitExceeded) for more than `MOST_LETTERS`.
    """
    if length > MOST_LETTERS:
        needed = f"{what[:1].upper()}{what[1:]} needs {length / _GIB:.2f} GB"
        text = f"{needed}; a text has at most {MOST_LETTERS / _GIB:.0f} GB. Work in parts."
        raise MatlabError("MATLAB:array:SizeLimitExceeded", text)
    require(length, what)


def require_array(shape: Sequence[int], itemsize: int) -> None:
    """The same for an array of so many elements of so many bytes.

    Raises MatlabError (MATLAB:array:SizeLimitExceeded) where no memory could hold them.
    """
    count = math.prod(shape)
    if count > MOST_ELEMENTS:
        raise MatlabError("MATLAB:array:SizeLimitExceeded", TOO_LARGE)
    size = count * itemsize
    if size >= LARGE:
        require(size, f"an array of {'x'.join(map(str, shape))}")


def begin() -> None:
    """A script begins: what is held now is no fault of it."""
    _share()
    now = time.monotonic()
    if now - _Setting.counted > RECENT_S:
        _Setting.counted, _Setting.counts = now, _counts()
    counts = _Setting.counts
    _Setting.before = held = counts[_RESIDENT]
    room = max((_Setting.limit or _share()) - held, LARGE)
    _grant(counts[_WRITABLE] + room + RESERVE)


def end() -> None:
    """A script has ended: what the program itself asks for now is granted again."""
    _grant(None)


def _grant(size: int | None) -> None:
    """Have the system refuse memory beyond so many bytes of what is written to; None: no limit."""
    if sys.platform != "linux":
        return
    import resource

    with suppress(OSError, ValueError):  # another limit is set from outside, and stays
        most = resource.getrlimit(resource.RLIMIT_DATA)[1]
        wanted = most if size is None else size
        if most != resource.RLIM_INFINITY:
            wanted = min(wanted, most)
        resource.setrlimit(resource.RLIMIT_DATA, (wanted, most))


def watch() -> None:
    """Raise MatlabError (MATLAB:nomem) where a script has made the program exceed the limit.

    To be called now and then: it finds what grows in steps too small to be looked at.
    """
    held = resident()
    if held > (_Setting.limit or _share()) and held > _Setting.before + LARGE:
        _Setting.before = held  # it may tidy up
        raise refusal("")


def refusal(what: str) -> MatlabError:
    """The error where memory does not suffice; ``what`` says for what, with "; " at its end."""
    limit, held = _Setting.limit or _share(), resident()
    text = (
        f"Out of memory: {what}the program holds {held / _GIB:.2f} GB "
        f"of the {limit / _GIB:.2f} GB it may use. Clear variables, use a smaller class, work in "
        "parts, or raise the setting memory_limit."
    )
    return MatlabError("MATLAB:nomem", text)


def keep_counts() -> None:
    """Leave the system's counts of this process open: before it may no longer open them."""
    with suppress(OSError):
        _Setting.file = os.open(_COUNTS, os.O_RDONLY)


def resident() -> int:
    """Bytes of memory this process holds; 0 where the system does not tell."""
    return _counts()[_RESIDENT]


def _counts() -> list[int]:
    """The system's counts of this process, in bytes; zeros where it does not tell."""
    try:
        if _Setting.file is not None:
            text = os.pread(_Setting.file, _LONGEST, 0)
        else:
            file = os.open(_COUNTS, os.O_RDONLY)
            try:
                text = os.read(file, _LONGEST)
            finally:
                os.close(file)
        page = _page()
        return [int(count) * page for count in text.split()]
    except (OSError, ValueError):
        return [0] * 7


@cache
def share_heaps() -> None:
    """Let threads share the heaps of the C library; to be called before compilers' threads begin.

    glibc makes up to eight heaps for each core, one for each thread that finds the others busy,
    and a compiler leaves each of them large and nearly empty.
    """
    if (set_option := _c_library("mallopt")) is not None:
        set_option(_MOST_HEAPS, HEAPS)


def give_back() -> None:
    """Hand what is free in the heaps of the C library back to the system."""
    if (trim := _c_library("malloc_trim")) is not None:
        trim(0)


@cache
def _c_library(name: str) -> Callable[..., int] | None:
    """A function that only glibc has."""
    if sys.platform != "linux":
        return None
    import ctypes

    found: Callable[..., int] | None = getattr(ctypes.CDLL(None), name, None)
    return found


def total() -> int:
    """Bytes of the machine's memory."""
    if not hasattr(os, "sysconf"):
        return 1 << 36
    return os.sysconf("SC_PHYS_PAGES") * _page()


@cache
def _page() -> int:
    return os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


@cache
def _share() -> int:
    """The limit without a setting, settled at the first large value."""
    free = _free()
    return total() if free is None else resident() + int(SHARE * free)


def _free() -> int | None:
    """Bytes that are free now, within the limit of a container; None where nobody tells."""
    found = []
    with suppress(OSError, ValueError, IndexError):
        lines = Path("/proc/meminfo").read_text().splitlines()
        found += [int(row.split()[1]) << 10 for row in lines if row.startswith("MemAvailable:")]
    with suppress(OSError, ValueError):
        most = (_GROUP / "memory.max").read_text().strip()
        used = int((_GROUP / "memory.current").read_text())
        kept = _FILES_KEPT.search((_GROUP / "memory.stat").read_text())
        used -= int(kept[1]) if kept else 0
        found += [max(0, int(most) - used)] if most.isdecimal() else []
    return min(found) if found else None
