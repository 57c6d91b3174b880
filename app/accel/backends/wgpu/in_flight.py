"""What the device still has to do: bounded in time, and waited for so that it can be given up."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, field
from math import prod
from threading import Condition
from typing import TYPE_CHECKING

from app.accel.backends.base import Tell, nobody_told

if TYPE_CHECKING:
    from collections.abc import Callable
    from threading import RLock

    from app.accel.backends.wgpu.submission import Results
    from app.accel.ir.plan import Dispatch

BATCH_MS = 40.0
"""Expected work of one command buffer: what was handed in last cannot be taken back."""
MOST_MS = 150.0
"""Expected work under way; whoever has more waits before handing it in."""
SHORT_MS = 20.0
"""Expected work that may be waited for without a look at who wants to stop."""
MOST_SENT = 256
"""Command buffers under way."""
POINTS_PER_MS = {"cpu": 1e6}
POINTS_PER_MS_HARDWARE = 1e8
"""How fast a kernel is taken to be until it has run once."""
NEWS = 0.5
"""Weight of the newest measured time of a kernel."""
LEAST_PAUSE_S, MOST_PAUSE_S = 0.00005, 0.005


@dataclass(slots=True)
class Patience:
    """How the engine waits for the device: its lock is free meanwhile, and it can be told to stop.

    Attributes:
        lock: the device's; a window that draws with the device gets it in between.
        tell: told what is waited for; raises Interrupted to give up.
    """

    lock: RLock
    tell: Tell = nobody_told

    def until(
        self, done: Callable[[], bool], what: str, group: int = 0, *, spin_s: float = 0.0
    ) -> None:
        """Wait until ``done()``; asked without a pause for the first ``spin_s`` seconds."""
        began = time.perf_counter()
        resting = Condition(self.lock)
        while not done():
            spent = time.perf_counter() - began
            self.tell(what, group, spent)
            if spent < spin_s:
                continue
            with self.lock:  # held once more than before, all of which the condition lets go
                resting.wait(min(max(spent / 32, LEAST_PAUSE_S), MOST_PAUSE_S))


@dataclass(slots=True)
class Flight:
    """A command buffer on its way, and how long it is expected to take."""

    results: Results
    ms: float


@dataclass(slots=True)
class InFlight:
    """Command buffers under way, oldest first, and how fast kernels have been.

    Attributes:
        under_way_ms: how long all of them are expected to take.
    """

    points_per_ms: float
    receive: Callable[[Results], None]
    flights: deque[Flight] = field(default_factory=deque)
    under_way_ms: float = 0.0
    speeds: dict[str, float] = field(default_factory=dict)

    def expected_ms(self, dispatch: Dispatch) -> float:
        """How long a dispatch will take, by its points and what its kernel took before."""
        key, points = work_of(dispatch)
        return points / self.speeds.get(key, self.points_per_ms)

    def learn(self, key: str, points: int, ms: float) -> None:
        """A kernel took so long for so many points."""
        speed = points / max(ms, 1e-4)
        known = self.speeds.get(key)
        self.speeds[key] = speed if known is None else known + NEWS * (speed - known)

    def sent(self, results: Results, ms: float) -> None:
        """A command buffer has been handed in."""
        self.flights.append(Flight(results, ms))
        self.under_way_ms += ms

    def admit(self, ms: float) -> None:
        """Wait until there is room for more work. Raises Interrupted."""
        flights = self.flights
        while flights and flights[0].results.buffer is None:  # somebody has waited for it
            self._drop_oldest()
        while flights and self._full(ms):
            self.receive(flights[0].results)
            self._drop_oldest()

    def await_long(self) -> None:
        """Wait until what is under way is short. Raises Interrupted.

        Before anything that a driver may hold up until the work before it is done.
        """
        while self.flights and self.under_way_ms > SHORT_MS:
            self.receive(self.flights[0].results)
            self._drop_oldest()

    def clear(self) -> None:
        """Nothing is under way any more."""
        self.flights.clear()
        self.under_way_ms = 0.0

    def _drop_oldest(self) -> None:
        """The oldest command buffer is done."""
        self.under_way_ms -= self.flights.popleft().ms
        if not self.flights:
            self.under_way_ms = 0.0  # what rounding has left

    def _full(self, ms: float) -> bool:
        return self.under_way_ms + ms > MOST_MS or len(self.flights) >= MOST_SENT


def work_of(dispatch: Dispatch) -> tuple[str, int]:
    """The key of a dispatch's kernel, and the points of its box."""
    key = dispatch.pipeline.key
    return key, prod(dispatch.extents)
