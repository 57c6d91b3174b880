"""Temporary folders of a process, which the next start removes where a killed one left them.

Whoever makes such a folder holds a lock on it for as long as it lives; a lock ends with its
process, however that ends, and is seen across containers. So a folder nobody holds has no owner.
"""

from __future__ import annotations

import logging
import os
import shutil
import stat
import sys
import tempfile
import time
import weakref
from contextlib import suppress
from functools import cache
from pathlib import Path

PREFIX = "fuselab-"
KINDS = ("confined", "restricted", "pool", "record", "sound", "pictures")
"""What is left behind under these names is removed."""
YOUNG_S = 60.0
"""How old a folder must be: a new one may not be held yet."""
_LOG = logging.getLogger("fuselab.files")


class OwnedFolder:
    """A new folder for this user alone; it goes with `cleanup`, its object or the process.

    Args:
        kind: one of `KINDS`, a part of its name.

    Attributes:
        name: its path.
    """

    def __init__(self, kind: str) -> None:
        _sweep_once(tempfile.gettempdir())
        self.name = tempfile.mkdtemp(prefix=f"{PREFIX}{kind}-")
        self._end = weakref.finalize(self, _let_go, self.name, _hold(Path(self.name)))

    def cleanup(self) -> None:
        """Remove it and all that lies in it, as far as this process may."""
        self._end()


def _let_go(name: str, held: int | None) -> None:
    _remove(name)
    if held is not None:
        os.close(held)


def _remove(name: str) -> None:
    """Remove a folder, also where folders in it were closed to everybody.

    A confined process may only empty its own; nothing is said about the folder that stays.
    """
    shutil.rmtree(name, ignore_errors=True)
    for above, folders, _ in os.walk(name):
        for folder in (Path(above, entry) for entry in folders):
            if not folder.is_symlink():
                with suppress(OSError):
                    folder.chmod(0o700)
    shutil.rmtree(name, ignore_errors=True)


@cache
def _sweep_once(above: str) -> None:
    sweep(Path(above))


def sweep(above: Path) -> list[Path]:
    """Remove the folders whose processes are dead, and say which these were.

    Only folders of this user that nobody else may enter are looked at, never what a link leads to.
    """
    removed = []
    with suppress(OSError):
        for kind in KINDS:
            for folder in above.glob(f"{PREFIX}{kind}-*"):
                with suppress(OSError):
                    if _remove_left(folder):
                        removed.append(folder)
    if removed:
        _LOG.info("removed what killed processes left: %s", ", ".join(map(str, removed)))
    return removed


def _remove_left(folder: Path) -> bool:
    state = folder.lstat()
    age = abs(time.time() - state.st_mtime)  # the clock may have been ahead
    if not stat.S_ISDIR(state.st_mode) or age < YOUNG_S:
        return False
    held = _hold(folder)
    if held is None:
        return False
    try:
        state = os.fstat(held)
        if state.st_uid != os.geteuid() or state.st_mode & 0o077:
            return False
        _remove(str(folder))
    finally:
        os.close(held)
    return not folder.exists()


def _hold(folder: Path) -> int | None:
    """The descriptor that locks a folder; None where somebody else has it or nothing can."""
    if sys.platform == "win32":
        return None
    import fcntl

    try:
        held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(held)
        return None
    return held
