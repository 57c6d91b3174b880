"""A wish to stop, looked at between statements and while the engine waits for the device."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from app.engine import protocol
from app.errors import Interrupted

LONG_WAIT_S = 0.25
"""How long the engine waits before it says so, and how often it says so then."""


class Stops:
    """Whether somebody wants what runs to end.

    A stop belongs to what runs when it is asked for, or to the run asked for next: never to a
    later one.

    Attributes:
        lock: held while something begins, ends or is stopped.
        wanted: what runs is to end.
        ahead: the next run is to end as it begins.
    """

    def __init__(self, emit: Callable[[protocol.Event], None]) -> None:
        self.lock = threading.RLock()  # the handler of a signal may stop what begins
        self.wanted = False
        self.ahead = False
        self._emit = emit
        self._told = 0.0

    def want(self, ahead: bool) -> None:
        """What runs is to end, or where nothing does and ``ahead`` says so, what runs next."""
        self.wanted, self.ahead = True, ahead

    def take_ahead(self) -> bool:
        """Whether what comes next is to end as it begins; what comes after it is not."""
        with self.lock:
            ahead, self.ahead = self.ahead, False
            return ahead

    def heed(self) -> None:
        """Raise Interrupted, once, where a stop is wanted."""
        if self.wanted:
            self.wanted = False
            raise Interrupted

    def on_wait(self, what: str, group: int, seconds: float) -> None:
        """Long waits are told; where a stop is wanted they end."""
        self.heed()
        now = time.monotonic()
        if seconds >= LONG_WAIT_S and now - self._told >= LONG_WAIT_S:
            self._told = now
            self._emit(protocol.Waiting(what, group, seconds))
