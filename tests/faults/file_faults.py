"""Files whose n-th change fails: a full disk, a read-only one, a broken one, a program that dies.

`Faults` counts what Python asks of the system to change files: opening for writing, writing,
flushing to the disk, renaming, making folders and links, removing. One of these calls, or all from
one on, fail with an error of the system, or end the process there and then.
"""

from __future__ import annotations

import builtins
import errno
import io
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

FULL, READ_ONLY, BROKEN = errno.ENOSPC, errno.EROFS, errno.EIO
ERRORS = (FULL, READ_ONLY, BROKEN)
KILL = -1
"""In place of an error: the process ends as by ``kill -9``."""
_CHANGING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_CALLS = ("rename", "replace", "mkdir", "link", "symlink", "unlink", "remove", "fsync", "truncate")


class Faults:
    """Which call fails.

    Attributes:
        error: the number of the system's error, or `KILL`.
        at: the number of the call that fails, from 1; 0 for none.
        lasting: whether all later calls fail, too.
        met: calls since `arm`.
        happened: how many of them failed.
    """

    def __init__(self) -> None:
        self.arm(0, FULL)

    def arm(self, at: int, error: int, *, lasting: bool = True) -> None:
        """Count anew, and let a call fail."""
        self.at, self.error, self.lasting, self.met, self.happened = at, error, lasting, 0, 0

    def meet(self, what: object) -> None:
        """Raise OSError, or end the process, if this call is to fail."""
        self.met += 1
        if not self.at or not (self.met == self.at or (self.lasting and self.met > self.at)):
            return
        self.happened += 1
        if self.error == KILL:
            os.kill(os.getpid(), signal.SIGKILL)
        name = os.fspath(what) if isinstance(what, str | Path) else None
        raise OSError(self.error, os.strerror(self.error), name)

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Within it changes of files are counted."""
        files, open_low = self._opener(io.open), os.open

        def opened(path: Any, flags: int, *rest: Any, **more: Any) -> int:
            if flags & _CHANGING:
                self.meet(path)
            return open_low(path, flags, *rest, **more)

        calls = {name: self._counted(name) for name in _CALLS}
        with (
            mock.patch.multiple(os, open=opened, **calls),
            mock.patch.object(io, "open", files),
            mock.patch.object(builtins, "open", files),
        ):
            yield

    def _counted(self, name: str) -> Callable[..., object]:
        plain = getattr(os, name)

        def call(path: Any, *rest: Any, **more: Any) -> object:
            self.meet(path)
            return plain(path, *rest, **more)

        return call

    def _opener(self, plain: Callable[..., Any]) -> Callable[..., Any]:
        """What opens files whose bytes pass through `_Raw`."""

        def opened(
            file: Any,
            mode: str = "r",
            buffering: int = -1,
            encoding: str | None = None,
            errors: str | None = None,
            newline: str | None = None,
            closefd: bool = True,
            opener: Any = None,
        ) -> Any:
            if not set(mode) & set("wax+"):
                return plain(file, mode, buffering, encoding, errors, newline, closefd, opener)
            if not isinstance(file, int):
                self.meet(file)
            raw = _Raw(self, file, mode.replace("b", "").replace("t", ""), closefd, opener)
            if buffering == 0:
                return raw
            made: Any = io.BufferedRandom(raw) if "+" in mode else io.BufferedWriter(raw)
            return made if "b" in mode else io.TextIOWrapper(made, encoding, errors, newline)

        return opened


class _Raw(io.FileIO):
    """A file whose writing may fail."""

    def __init__(self, faults: Faults, file: Any, mode: str, closefd: bool, opener: Any) -> None:
        super().__init__(file, mode, closefd, opener)
        self._faults = faults

    def write(self, data: Any) -> int:
        """Write, or fail."""
        self._faults.meet(self.name)
        return super().write(data)
