"""A wish to stop, looked at between statements and while the engine waits for the device."""

from __future__ import annotations

import time
from collections.abc import Callable

from app.engine import protocol
from app.errors import Interrupted

LONG_WAIT_S = 0.25
"""How long the engine waits before it says so, and how often it says so then."""


class Stops:
    """Whether somebody wants what runs to end; `wanted` may be set by any thread."""

    def __init__(self, emit: Callable[[protocol.Event], None]) -> None:
        self.wanted = False
        self._emit = emit
        self._told = 0.0

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
