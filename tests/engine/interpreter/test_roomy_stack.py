"""A call costs the same however deep it stands."""

from __future__ import annotations

import time
from collections.abc import Callable

from tests.engine.interpreter.running import Machine


def _least_seconds() -> float:
    """A hundred calls of a function, the least of several times."""
    best = 1.0
    for _ in range(5):
        started = time.thread_time()
        for _ in range(100):
            _callee(1)
        best = min(best, time.thread_time() - started)
    return best


def _callee(value: int) -> int:
    return value


def _at_depth(depth: int, action: Callable[[], float]) -> float:
    return _at_depth(depth - 1, action) if depth else action()


def test_no_depth_makes_calls_slow() -> None:
    # Python maps a chunk of its stack anew in every call that stands where one is full: every
    # 2,000 words, which 250 frames pass many times.
    times = Machine().interpreter.guarded(
        lambda: [_at_depth(depth, _least_seconds) for depth in range(250)]
    )
    assert max(times) < 20 * min(times)
