"""Python's limit of recursion, which is one for all threads: raised while any of them runs code."""

from __future__ import annotations

import sys
import threading


class _Users:
    """How many runs need the raised limit, and what it was before the first of them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._count = 0
        self._before = 0

    def enter(self, depth: int) -> None:
        """At least ``depth`` calls deep from now on."""
        with self._lock:
            if not self._count:
                self._before = sys.getrecursionlimit()
            self._count += 1
            sys.setrecursionlimit(max(sys.getrecursionlimit(), depth))

    def leave(self) -> None:
        """The last one to leave restores what was."""
        with self._lock:
            self._count -= 1
            if not self._count:
                sys.setrecursionlimit(self._before)


users = _Users()
