"""Named pipes, terminals and other devices, where reading and writing may wait for others.

Python's own streams wait inside the system, where no stop reaches them; these look up meanwhile.
"""

from __future__ import annotations

import errno
import io
import os
import select
import stat
from contextlib import suppress
from pathlib import Path
from typing import IO

from app.accel.support.abandonable import LOOK_S
from app.engine.stoppable import Stop

_FLAGS = {"rb": os.O_RDONLY, "wb": os.O_WRONLY, "ab": os.O_WRONLY | os.O_APPEND}
"""Of the modes in which such a file can be opened; both ways need places, which it has not."""


def opened(path: Path, mode: str) -> IO[bytes]:
    """A binary stream of a file, one that heeds stops where others may be waited for.

    Raises OSError where the system cannot open it.
    """
    if mode not in _FLAGS or not _lets_wait(path):
        return path.open(mode)
    raw = _WaitingFile(path, _FLAGS[mode])
    return io.BufferedReader(raw) if mode == "rb" else io.BufferedWriter(raw)  # type: ignore[type-var]


def _lets_wait(path: Path) -> bool:
    if not hasattr(select, "poll"):
        return False
    with suppress(OSError, ValueError):
        kind = path.stat().st_mode
        return stat.S_ISFIFO(kind) or stat.S_ISCHR(kind)
    return False


class _WaitingFile(io.RawIOBase):
    """The bytes as they come; a pipe ends where whoever wrote into it has gone.

    Args:
        path: of the file.
        flags: how the system opens it. Writing into a pipe waits for somebody who reads.
    """

    def __init__(self, path: Path, flags: int) -> None:
        super().__init__()
        self._writes = bool(flags & os.O_WRONLY)
        self._number = self._open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC)
        self._events = select.poll()
        self._events.register(self._number, select.POLLOUT if self._writes else select.POLLIN)

    @staticmethod
    def _open(path: Path, flags: int) -> int:
        while True:
            try:
                return os.open(path, flags)
            except OSError as problem:
                if problem.errno != errno.ENXIO or not stat.S_ISFIFO(path.stat().st_mode):
                    raise
            Stop.poll()
            select.select((), (), (), LOOK_S)

    def _wait(self) -> None:
        Stop.poll()
        while not self._events.poll(LOOK_S * 1e3):
            Stop.poll()

    def readinto(self, room: memoryview) -> int:  # type: ignore[override]
        """Fill ``room`` with what is there, and wait for something where nothing is."""
        while True:
            self._wait()
            with suppress(BlockingIOError):
                data = os.read(self._number, len(room))
                room[: len(data)] = data
                return len(data)

    def write(self, data: memoryview) -> int:  # type: ignore[override]
        """Write what there is room for; how many bytes that was."""
        while True:
            self._wait()
            with suppress(BlockingIOError):
                return os.write(self._number, data)

    def readable(self) -> bool:
        """Whether it was opened for that."""
        return not self._writes

    def writable(self) -> bool:
        """Whether it was opened for that."""
        return self._writes

    def fileno(self) -> int:
        """The number that the system knows it by."""
        return self._number

    def close(self) -> None:
        """Close it; the other end of a pipe sees that."""
        if not self.closed:
            os.close(self._number)
        super().close()
