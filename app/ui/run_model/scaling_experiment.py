"""What if: a section at a hundredth, a tenth and all of its size, on the CPU and on the GPU."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import exp, log

from PySide6.QtCore import QObject, Signal

from app.engine.protocol import ChooseDevice, RunText
from app.ui.run_model.run_model import RunModel
from app.ui.support.bridge import Bridge

FACTORS = (0.01, 0.1, 1.0)
SIDES = ("cpu", "gpu")
PASSES = 2
LEAST = 1000
_SIZE = re.compile(
    r"^[ \t]*(?P<name>[A-Za-z]\w*)[ \t]*=[ \t]*"
    r"(?P<value>\d[\d.]*(?:[eE]\d+)?)[ \t]*[;,\n%]",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Size:
    """A number in the text that says how large the work is.

    Attributes:
        name: the variable.
        value: the number.
        start: where the number stands in the text; -1 when it stands above it.
        end: where it ends.
    """

    name: str
    value: float
    start: int
    end: int


@dataclass(frozen=True)
class Found:
    """The best times: (size, ms) on the host and on the device."""

    name: str
    host: tuple[tuple[float, float], ...]
    device: tuple[tuple[float, float], ...]

    @property
    def crossing(self) -> float | None:
        """The size from which on the device is faster, between those that were run."""
        return crossing(self.host, self.device)


def sizes(text: str, above: str = "") -> list[Size]:
    """The sizes in a text, the largest first; those above it come after its own."""
    inside = [
        Size(m["name"], float(m["value"]), m.start("value"), m.end("value"))
        for m in _SIZE.finditer(text + "\n")
    ]
    known = {size.name for size in inside}
    outside = [
        Size(m["name"], float(m["value"]), -1, -1)
        for m in _SIZE.finditer(above + "\n")
        if m["name"] not in known
    ]
    ordered = (sorted(part, key=lambda s: -s.value) for part in (inside, outside))
    return [size for part in ordered for size in part if size.value >= LEAST]


def scaled_text(text: str, size: Size, factor: float) -> str:
    """The text with another size."""
    value = f"{max(round(size.value * factor), 1)}"
    if size.start < 0:
        return f"{size.name} = {value}; {text}"
    return text[: size.start] + value + text[size.end :]


def crossing(
    host: Sequence[tuple[float, float]], device: Sequence[tuple[float, float]]
) -> float | None:
    """From which size on the device stays ahead, on logarithmic scales; None where it does not."""
    gains = [(log(n), log(h / d)) for (n, h), (_, d) in zip(host, device, strict=True) if h and d]
    found = None
    for (left, before), (right, after) in pairwise(gains):
        if after < 0:
            found = None
        elif before < 0:
            found = exp(left + (right - left) * -before / (after - before))
    return found


class ScalingExperiment(QObject):
    """One at a time; ``finished`` carries what was found, or None when a run failed."""

    finished = Signal(object)
    progress = Signal(int, int)

    def __init__(self, run_model: RunModel, bridge: Bridge) -> None:
        super().__init__(run_model)
        self._run_model = run_model
        self._bridge = bridge
        self._request: RunText | None = None
        self._size = Size("", 0.0, -1, -1)
        self._device = "auto"
        self._times: list[float] = []
        run_model.run_finished.connect(self._on_finished)

    @property
    def active(self) -> bool:
        """True while it runs."""
        return self._request is not None

    def start(self, request: RunText, size: Size, device: str) -> None:
        """Run ``request`` at all sizes on both sides; ``device`` is chosen again afterwards."""
        self._request, self._size, self._device, self._times = request, size, device, []
        self._start_next()

    def _start_next(self) -> None:
        if self._request is None:
            return
        done, each = len(self._times), PASSES * len(FACTORS)
        self.progress.emit(done, each * len(SIDES))
        if done == each * len(SIDES):
            self._finish(self._measured_result())
            return
        if done % each == 0:
            self._bridge.post(ChooseDevice(SIDES[done // each]))
        factor = FACTORS[done % each // PASSES]
        text = scaled_text(self._request.text, self._size, factor)
        self._bridge.post(replace(self._request, text=text))

    def _measured_result(self) -> Found:
        best = [min(part) for part in _parts(self._times, PASSES)]
        points = [self._size.value * factor for factor in FACTORS]
        host, device = (
            tuple(zip(points, part, strict=True)) for part in _parts(best, len(FACTORS))
        )
        return Found(self._size.name, host, device)

    def _on_finished(self) -> None:
        if self._request is None:
            return
        if self._run_model.status != "ok" or self._run_model.wall_ms is None:
            self._finish(None)
            return
        self._times.append(self._run_model.wall_ms)
        self._start_next()

    def _finish(self, found: Found | None) -> None:
        self._request = None
        self._bridge.post(ChooseDevice(self._device))
        self.finished.emit(found)


def _parts(values: list[float], length: int) -> Iterable[list[float]]:
    return [values[n : n + length] for n in range(0, len(values), length)]


def words(found: Found | None) -> str:
    """What was found, in a sentence."""
    if found is None:
        return "What if was not finished: a run failed or was stopped."
    if found.crossing is not None:
        return f"The GPU is faster from about {found.name} = {found.crossing:,.0f} on."
    ahead = [d < h for (_, h), (_, d) in zip(found.host, found.device, strict=True)]
    faster = "GPU" if ahead[-1] else "CPU"
    if len(set(ahead)) == 1:
        return f"The {faster} is faster at every size that was tried."
    size = f"{found.name} = {found.host[-1][0]:,.0f}"
    return f"The {faster} is faster at {size}, but not at all sizes."
