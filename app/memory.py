"""A limit of the memory that a script's values take, looked at before large ones are made.

Without it a runaway program has the system kill whatever it likes. The limit is a setting, or a
share of what was free when it was first asked for; it counts what the whole process holds.
"""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cache
from pathlib import Path

from app.errors import MatlabError

LARGE = 64 << 20
"""Bytes from which a request is looked at; smaller ones cost nothing."""
SHARE = 0.6
"""Of the free memory that a process may fill unless the setting says otherwise."""
_GIB = float(1 << 30)


class _Setting:
    """The user's own limit in bytes; 0 for none."""

    limit = 0


def use(limit: int) -> None:
    """Set the limit in bytes; 0 takes a share of what is free."""
    _Setting.limit = limit


def require(size: float, what: str) -> None:
    """Raise MatlabError (MATLAB:nomem) where ``size`` bytes more would exceed the limit."""
    if size < LARGE:
        return
    limit, held = _Setting.limit or _share(), resident()
    if held + size <= limit:
        return
    text = (
        f"Out of memory: {what} needs {size / _GIB:.2f} GB; the program holds {held / _GIB:.2f} GB "
        f"of the {limit / _GIB:.2f} GB it may use. Clear variables, use a smaller class, work in "
        "parts, or raise the setting memory_limit."
    )
    raise MatlabError("MATLAB:nomem", text)


def resident() -> int:
    """Bytes of memory this process holds; 0 where the system does not tell."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * _page()
    except (OSError, ValueError):
        return 0


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
    group = Path("/sys/fs/cgroup")
    with suppress(OSError, ValueError):
        most = (group / "memory.max").read_text().strip()
        used = int((group / "memory.current").read_text())
        found += [max(0, int(most) - used)] if most.isdecimal() else []
    return min(found) if found else None
