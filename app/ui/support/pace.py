"""How often something is shown that changes: at once, and at a steady pace when it goes on."""

from __future__ import annotations

import time
from collections import deque

BURST, SPAN_S = 8, 0.6
"""So many times within so long are each shown at once; nobody works faster by hand."""
EVERY_MS = 100
"""What comes more often is shown so often: a slider that is drawn starts runs all the time."""


class Pace:
    """Says when the next time may be."""

    def __init__(self) -> None:
        self._times: deque[float] = deque([-SPAN_S] * BURST, maxlen=BURST)

    def note(self) -> None:
        """It is shown now."""
        self._times.append(time.monotonic())

    def wait_ms(self) -> int:
        """Milliseconds until it may be shown again, mostly 0."""
        now = time.monotonic()
        if now - self._times[0] >= SPAN_S:
            return 0
        return max(0, EVERY_MS - round((now - self._times[-1]) * 1000))
