"""A stop in the middle of work, and what is still computed after it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from types import TracebackType


class StoppedAfter:
    """While what is in it works, it is told to stop.

    Args:
        seconds: until then.
        stop: tells it.

    Attributes:
        spent: processor seconds of this process from then to the end. What other processes have
            the machine do meanwhile is nobody's delay.
    """

    def __init__(self, seconds: float, stop: Callable[[], object]) -> None:
        self.spent = 0.0
        self._stop, self._asked = stop, 0.0
        self._timer = threading.Timer(seconds, self._ask)

    def _ask(self) -> None:
        self._asked = time.process_time()
        self._stop()

    def __enter__(self) -> StoppedAfter:
        self._timer.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.spent = time.process_time() - self._asked
        self._timer.cancel()
        self._timer.join()
