"""How long device buffers lived during a run, and how much memory was live when."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

SpanRow = tuple[str, str, float, float, dict[str, Any]]
TRACK = "Memory"
MOST_LIVES = 400
MOST_SAMPLES = 4000


@dataclass(slots=True)
class Life:
    """One buffer: from its allocation to its end, in microseconds; ``end`` is None while it lives.

    Attributes:
        start: when it was allocated.
        n_bytes: its size.
        line: the source line that needed it; 0 when unknown.
        name: the variable, where it was known.
        end: when it was freed.
    """

    start: float
    n_bytes: int
    line: int
    name: str
    end: float | None = None


class Lifetimes:
    """Built from the Memory events of a run.

    Attributes:
        lives: the buffers in the order of their allocation; of very many the largest are kept.
        samples: (time, live bytes) after every change; of very many a selection.
        peak: the sample with the most live bytes.
        last: time of the last event of any track.
    """

    def __init__(self) -> None:
        self.lives: list[Life] = []
        self.samples: list[tuple[float, int]] = []
        self.peak: tuple[float, int] = (0.0, 0)
        self.last = 0.0
        self._open: dict[int, Life] = {}

    @property
    def first(self) -> float:
        """The time of the first allocation."""
        return self.samples[0][0] if self.samples else 0.0

    def take(self, spans: Iterable[SpanRow]) -> list[SpanRow]:
        """Learn from the Memory events among ``spans``; returns the others."""
        others = []
        for span in spans:
            self.last = max(self.last, span[2] + span[3])
            if span[0] == TRACK:
                self._learn(span[1], span[2], span[4])
            else:
                others.append(span)
        self._thin_out()
        return others

    def _learn(self, what: str, time: float, detail: dict[str, Any]) -> None:
        live = int(detail["live"])
        self.samples.append((time, live))
        if live > self.peak[1]:
            self.peak = (time, live)
        buffer = int(detail["buffer"])
        if what == "allocate":
            life = Life(time, detail["bytes"], detail.get("line") or 0, detail.get("name") or "")
            self._open[buffer] = life
            self.lives.append(life)
        elif buffer in self._open:
            self._open.pop(buffer).end = time

    def _thin_out(self) -> None:
        if len(self.lives) > MOST_LIVES:
            least = sorted(life.n_bytes for life in self.lives)[-MOST_LIVES]
            large = [life for life in self.lives if life.n_bytes >= least or life.end is None]
            self.lives = large[-MOST_LIVES:]
        if len(self.samples) > MOST_SAMPLES:
            kept = self.samples[::2]
            self.samples = kept if self.peak in kept else sorted([*kept, self.peak])
