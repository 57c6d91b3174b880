"""Python work in the background that lets a script beside it keep most of the interpreter."""

from __future__ import annotations

import sys
from threading import Lock
from typing import ClassVar

SWITCH_S = 0.0005
"""How long such work keeps the interpreter while a script wants it."""


class LowPriorityWork:
    """While any such block runs, threads hand over soon."""

    lock: ClassVar[Lock] = Lock()
    under_way: ClassVar[int] = 0
    before: ClassVar[float] = 0.0

    def __enter__(self) -> None:
        kind = type(self)
        with kind.lock:
            kind.under_way += 1
            if kind.under_way == 1:
                kind.before = sys.getswitchinterval()
                sys.setswitchinterval(min(kind.before, SWITCH_S))

    def __exit__(self, *_: object) -> None:
        kind = type(self)
        with kind.lock:
            kind.under_way -= 1
            if not kind.under_way:
                sys.setswitchinterval(kind.before)
