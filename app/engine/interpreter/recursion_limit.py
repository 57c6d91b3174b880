"""Python's limit of recursion, which is one for all threads: raised while any of them runs code."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import TypeVar

_T = TypeVar("_T")
DEEPER, STACK = 60_000, 512 << 20
"""Calls of a thread that goes deeper, and the bytes of its stack: eight thousand for each."""


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

    def deeper(self, action: Callable[[], _T]) -> _T:
        """What ``action`` gives, done in a thread with ``DEEPER`` calls while this one waits."""
        given: list[_T] = []
        failed: list[BaseException] = []

        def work() -> None:
            try:
                given.append(action())
            except BaseException as problem:  # raised again where it was asked for
                failed.append(problem)

        with self._lock:
            limit, stack = sys.getrecursionlimit(), threading.stack_size(STACK)
            worker = threading.Thread(target=work, name="fuselab-deep")
            try:
                sys.setrecursionlimit(DEEPER)
                worker.start()
                worker.join()
            finally:
                threading.stack_size(stack)
                if worker.ident is not None:
                    worker.join()  # a stop may have come meanwhile
                sys.setrecursionlimit(limit)
        for problem in failed:
            raise problem
        return given[0]


users = _Users()
