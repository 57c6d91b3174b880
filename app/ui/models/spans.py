"""Spans of time on tracks, found fast by time."""

from __future__ import annotations

from bisect import bisect_left
from typing import NamedTuple


class Span(NamedTuple):
    """One thing that took time, in µs from the first one."""

    start: float
    duration: float
    name: str
    line: int
    flow: int = 0


class Track:
    """The spans of one track in the order of their starts."""

    def __init__(self) -> None:
        self.spans: list[Span] = []
        self.starts: list[float] = []
        self.longest = 0.0
        self.total = 0.0

    def add(self, span: Span) -> None:
        """Take a span; nearly all come in order."""
        place = len(self.starts)
        if place and span.start < self.starts[-1]:
            place = bisect_left(self.starts, span.start)
        self.starts.insert(place, span.start)
        self.spans.insert(place, span)
        self.longest = max(self.longest, span.duration)
        self.total += span.duration

    def between(self, start: float, end: float) -> range:
        """The numbers of the spans that may touch a time range."""
        first = bisect_left(self.starts, start - self.longest)
        return range(first, bisect_left(self.starts, end))

    def inside(self, start: float, end: float) -> tuple[float, int]:
        """The time of the spans that lies in a range, and how many there are."""
        busy, count = 0.0, 0
        for number in self.between(start, end):
            span = self.spans[number]
            shared = min(end, span.start + span.duration) - max(start, span.start)
            if shared >= 0:
                busy, count = busy + shared, count + 1
        return busy, count
