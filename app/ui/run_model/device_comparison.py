"""Runs a script on the CPU and on the GPU, cold and warm, and tells the times."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from app.engine.protocol import ChooseDevice, RunText
from app.ui.run_model.run_model import RunModel
from app.ui.support.bridge import Bridge

SIDES = (("cpu", "CPU"), ("gpu", "GPU"))
PASSES = 3


@dataclass(frozen=True)
class Side:
    """The times of one device: the first run (with compilation) and the best later one."""

    title: str
    cold_ms: float
    warm_ms: float


class Comparison(QObject):
    """One comparison at a time; ``finished`` carries the sides, or nothing when a run failed."""

    finished = Signal(object)

    def __init__(self, run_model: RunModel, bridge: Bridge) -> None:
        super().__init__(run_model)
        self._run_model = run_model
        self._bridge = bridge
        self._request: RunText | None = None
        self._device = "auto"
        self._times: list[float] = []
        run_model.run_finished.connect(self._on_finished)

    @property
    def active(self) -> bool:
        """True while it runs."""
        return self._request is not None

    def start(self, request: RunText, device: str) -> None:
        """Run ``request`` on both sides; ``device`` is chosen again afterwards."""
        self._request, self._device, self._times = request, device, []
        self._start_next()

    def _start_next(self) -> None:
        if self._request is None:
            return
        done = len(self._times)
        if done == PASSES * len(SIDES):
            self._finish(sides(self._times))
            return
        if done % PASSES == 0:
            self._bridge.post(ChooseDevice(SIDES[done // PASSES][0]))
        self._bridge.post(self._request)

    def _on_finished(self) -> None:
        if self._request is None:
            return
        if self._run_model.status != "ok" or self._run_model.wall_ms is None:
            self._finish([])
            return
        self._times.append(self._run_model.wall_ms)
        self._start_next()

    def _finish(self, result: list[Side]) -> None:
        self._request = None
        self._bridge.post(ChooseDevice(self._device))
        self.finished.emit(result)


def sides(times: list[float]) -> list[Side]:
    """Cold and warm times of each side, from all passes in order."""
    return [
        Side(title, times[n * PASSES], min(times[n * PASSES + 1 : (n + 1) * PASSES]))
        for n, (_, title) in enumerate(SIDES)
    ]


def verdict(found: list[Side]) -> str:
    """Which side is faster, and by how much, warm."""
    if len(found) < 2:
        return "The comparison was not finished: a run failed or was stopped."
    slow, fast = sorted(found, key=lambda s: -s.warm_ms)
    ratio = slow.warm_ms / max(fast.warm_ms, 1e-6)
    return f"{fast.title} is {ratio:.1f}× faster when warm"
