"""Machine code made in the background, and which loops were worth it in earlier runs.

The newest request comes first: an outer loop asks after the loops inside it, and makes them
needless.
"""

from __future__ import annotations

import logging
import sys
from functools import cache
from threading import Lock, Thread, main_thread
from typing import TYPE_CHECKING

from app import paths, restricted
from app.digests import text_digest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_MOST_HINTS = 4096
_SHARE_S = 0.0003
"""How long the script keeps the interpreter from the compiling thread, which needs it often and
briefly: with Python's own 5 ms every file that it imports would cost it so much."""


class _Queue:
    """Requests and the thread that works on them while there are any."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.waiting: list[Callable[[], None]] = []
        self.busy = False

    def add(self, build: Callable[[], None], hurry: bool) -> None:
        """Do ``build`` soon."""
        with self.lock:
            self.waiting.insert(len(self.waiting) if hurry else 0, build)
            begin, self.busy = not self.busy, True
        if begin:
            Thread(target=self._work, name="fuselab-compile").start()

    def _work(self) -> None:
        interval = sys.getswitchinterval()
        sys.setswitchinterval(_SHARE_S)
        try:
            while (build := self._newest_request()) is not None:
                build()
        finally:
            sys.setswitchinterval(interval)

    def _newest_request(self) -> Callable[[], None] | None:
        """The newest request; none once the program is ending."""
        with self.lock:
            if self.waiting and main_thread().is_alive():
                return self.waiting.pop()
            self.busy = False
            return None


_QUEUE = _Queue()


def soon(build: Callable[[], None], hurry: bool = True) -> None:
    """Have ``build`` run in the background; after all others without ``hurry``."""
    _QUEUE.add(build, hurry)


# --- hints ---


class _Hints:
    """Digests of loops that were compiled before, kept on disk."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.known = set(path.read_text("ascii").split())
        except (OSError, UnicodeDecodeError):
            self.known = set()

    def add(self, digest: str) -> None:
        """Remember a loop."""
        if digest in self.known or len(self.known) >= _MOST_HINTS:
            return
        self.known.add(digest)
        try:
            with restricted.restriction_lifted():
                self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                with paths.opened_to_append(self.path) as out:
                    out.write(f"{digest}\n")
        except OSError as problem:
            logging.getLogger("fuselab.jit").info("hot loops are not remembered: %s", problem)


@cache
def _hints(path: Path) -> _Hints:
    return _Hints(path)


def _hints_of_user() -> _Hints:
    return _hints(paths.cache_dir() / "native" / "hot-loops.txt")


def was_hot(digest: str) -> bool:
    """True when an earlier run compiled this loop."""
    return digest in _hints_of_user().known


def remember(digest: str) -> None:
    """This loop is worth compiling."""
    _hints_of_user().add(digest)


def digest_of(text: str) -> str:
    """What a loop is known by."""
    return text_digest(text)
