"""Spans of time on tracks, found fast by time."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from heapq import heappush, heappushpop, nlargest
from typing import NamedTuple

GIANTS = 16


class Span(NamedTuple):
    """One thing that took time, in µs from the first one; ``guessed`` where nothing measured it."""

    start: float
    duration: float
    name: str
    line: int
    flow: int = 0
    guessed: bool = False


class Track:
    """The spans of one track in the order of their starts.

    The longest ones are known apart, so that a span as long as the run does not slow down finding
    the others.
    """

    def __init__(self) -> None:
        self.spans: list[Span] = []
        self.starts: list[float] = []
        self.giants: list[tuple[float, Span]] = []
        self.longest = 0.0
        self.total = 0.0

    @classmethod
    def of(cls, spans: list[Span]) -> Track:
        """A track of spans that are in order already."""
        made = cls()
        made.spans, made.starts = spans, [span.start for span in spans]
        durations = [span.duration for span in spans]
        longest = nlargest(GIANTS + 1, durations)
        made.longest = longest[GIANTS] if len(longest) > GIANTS else 0.0
        made.giants = sorted((s.duration, s) for s in spans if s.duration > made.longest)
        made.total = sum(durations)
        return made

    def add(self, span: Span) -> None:
        """Take a span; nearly all come in order."""
        place = len(self.starts)
        if place and span.start < self.starts[-1]:
            place = bisect_left(self.starts, span.start)
        self.starts.insert(place, span.start)
        self.spans.insert(place, span)
        if len(self.giants) < GIANTS:
            heappush(self.giants, (span.duration, span))
        else:
            usual = heappushpop(self.giants, (span.duration, span))
            self.longest = max(self.longest, usual[0])
        self.total += span.duration

    @property
    def busy(self) -> float:
        """The time of all spans; where they are nested, no more than from the first to the end."""
        if not self.spans:
            return 0.0
        end = max(self.spans[-1].start, *(s.start + s.duration for _, s in self.giants))
        return min(self.total, end - self.starts[0])

    def between(self, start: float, end: float) -> range:
        """The numbers of the spans that may touch a time range, but for giants before them."""
        first = bisect_left(self.starts, start - self.longest)
        return range(first, bisect_left(self.starts, end))

    def giants_over(self, start: float, end: float) -> list[Span]:
        """The giants that touch a time range and begin before what ``between`` gives."""
        before = start - self.longest
        over = [s for _, s in self.giants if s.start < before and s.start + s.duration >= start]
        return sorted(span for span in over if span.start < end)

    def over(self, start: float, end: float) -> Iterator[Span]:
        """The spans that touch a time range, in the order of their starts."""
        yield from self.giants_over(start, end)
        for number in self.between(start, end):
            if self.spans[number].start + self.spans[number].duration >= start:
                yield self.spans[number]

    def inside(self, start: float, end: float) -> tuple[float, int]:
        """The time of the spans that lies in a range, and how many there are."""
        busy, count = 0.0, 0
        for span in self.over(start, end):
            busy += min(end, span.start + span.duration) - max(start, span.start)
            count += 1
        return busy, count

    def number_of(self, span: Span) -> int:
        """Where a span of this track stands in the order."""
        place = bisect_left(self.starts, span.start)
        while self.spans[place] != span:
            place += 1
        return place
