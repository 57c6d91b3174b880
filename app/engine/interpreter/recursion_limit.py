"""Python's limit of recursion, which is one for all threads: raised while any of them runs code."""

from __future__ import annotations

import sys
import threading


class _Users:
    """Whose runs need the raised limit, and what it was before the first of them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: set[int] = set()
        self._before = 0

    def enter(self, user: object, depth: int) -> None:
        """At least ``depth`` calls deep from now on."""
        with self._lock:
            if not self._held:
                self._before = sys.getrecursionlimit()
            self._held.add(id(user))
            sys.setrecursionlimit(max(sys.getrecursionlimit(), depth))

    def leave(self, user: object) -> None:
        """The last one to leave restores what was; one that has left already changes nothing."""
        with self._lock:
            if id(user) in self._held:
                self._held.remove(id(user))
                if not self._held:
                    sys.setrecursionlimit(self._before)


users = _Users()
