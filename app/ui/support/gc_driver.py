"""Garbage is collected in the UI thread alone.

A collection finalizes what it finds in whatever thread it happens to begin. A Qt object that dies
in another thread holds a lock of Qt while it waits for the interpreter; the UI thread may have the
interpreter and wait for that very lock, and the window hangs. So the automatic collector is off
while there is a window, and a timer does its work.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QObject, QTimerEvent

EVERY_MS = 100
LEAST_BETWEEN = 50
"""A full collection waits for this many times as long as the last one took."""
_postponed: list[bool] = []


class GcDriver(QObject):
    """Collects what the automatic collector would have collected, a tenth of a second later."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        self._full_from = 0.0
        self.startTimer(EVERY_MS)

    def timerEvent(self, _event: QTimerEvent) -> None:
        """Collect the oldest generation that is due, unless somebody builds something large."""
        full = time.monotonic() >= self._full_from
        generation = due(gc.get_count(), gc.get_threshold(), full=full)
        if generation >= 0 and not _postponed:
            started = time.monotonic()
            gc.collect(generation)
            ended = time.monotonic()
            if generation == 2:
                self._full_from = ended + LEAST_BETWEEN * (ended - started)


def due(counts: tuple[int, ...], limits: tuple[int, ...], *, full: bool) -> int:
    """The oldest generation that is over its limit, or -1; the last one only when ``full``."""
    over = [n for n in range(2 + full) if counts[n] > limits[n]]
    return max(over, default=-1)


@contextmanager
def gc_postponed() -> Iterator[None]:
    """No collection: it would stop all threads while it walks what is being built."""
    _postponed.append(True)
    try:
        yield
    finally:
        _postponed.pop()
