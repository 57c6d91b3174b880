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

    A stop belongs to what is at work when it is asked for, or to the run asked for next: never to
    a later one. Where nothing is at work and nothing was asked for it is forgotten.

    Attributes:
        lock: held while something begins, ends or is stopped.
        at_work: how many things that can be stopped are at work, each a part of the one before.
        thread: where they are.
        wanted: what is at work is to end.
        ahead: the next run is to end as it begins.
    """

    def __init__(self, emit: Callable[[protocol.Event], None]) -> None:
        self.lock = threading.RLock()  # the handler of a signal may stop what begins
        self.at_work = 0
        self.thread = threading.get_ident()
        self.wanted = False
        self.ahead = False
        self._emit = emit
        self._told = 0.0

    def want(self, ahead: bool) -> None:
        """What is at work is to end; with ``ahead`` what was asked for, as it begins, too."""
        with self.lock:
            self.wanted, self.ahead = self.at_work > 0, ahead

    def begin(self) -> None:
        """Something that can be stopped is at work from now on."""
        with self.lock:
            if not self.at_work:
                self.thread = threading.get_ident()
            self.at_work += 1

    def end(self) -> None:
        """It no longer is; a stop that was not heeded came too late for it."""
        with self.lock:
            self.at_work -= 1
            if not self.at_work:
                self.wanted = False

    def take_ahead(self) -> bool:
        """Whether what comes next is to end as it begins; what comes after it is not."""
        with self.lock:
            ahead, self.ahead = self.ahead, False
            return ahead

    def heed_ahead(self) -> None:
        """Raise Interrupted where what begins was stopped before it did."""
        if self.take_ahead():
            raise Interrupted
        self.heed()

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
