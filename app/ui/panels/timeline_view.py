"""The picture of the timeline: spans of time on one track per kind of work."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable
from typing import Any

from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import (
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from app.ui.panels.timeline_picture import LEFT, TOP, TimelinePicture, kind_of
from app.ui.run_model.timeline_spans import Span, Track
from app.ui.support import formats
from app.ui.support.theme import theme_hub

TRACKS = ("Script", "Planner", "Compile", "Upload", "Device", "Host", "Wait", "Download", "UI")
SHOWN = tuple(track for track in TRACKS if track not in ("Host", "Wait"))
"""The tracks that are there whatever a run did, so that the eye finds them at their places."""
SpanRow = tuple[str, str, float, float, dict[str, Any]]
ROW, LEAST_ROW = 26, 17


class TimelineView(QWidget):
    """Paints the spans of the time range in view; wheel zooms, dragging pans, F fits.

    ``lines_of`` tells the lines of the script that a flow, a group, works for.

    Attributes:
        tracks: the spans by their tracks.
        flows: the spans of each flow, with their tracks.
        lit: what fits the search and the lines followed; None when nothing is faded.
    """

    span_selected = Signal()
    line_wanted = Signal(int)

    def __init__(self, lines_of: Callable[[int], Collection[int]] = lambda _flow: ()) -> None:
        super().__init__()
        self.setAccessibleName("Timeline")
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setMouseTracking(True)
        self.setMinimumHeight(TOP + len(TRACKS) * LEAST_ROW)
        self.lines_of = lines_of
        self.clear()
        self._drag: tuple[float, tuple[float, float]] | None = None
        self._ruler: float | None = None
        theme_hub().changed.connect(self.update)

    def clear(self) -> None:
        """Forget everything."""
        self.tracks: dict[str, Track] = {}
        self._origin: float | None = None
        self.flows: dict[int, list[tuple[str, Span]]] = {}
        self.selected: tuple[str, Span] | None = None
        self.wanted, self._known = "", dict[str, bool]()
        self.measured: tuple[float, float] | None = None
        self.lines: frozenset[int] = frozenset()
        self.lit: dict[str, Track] | None = None
        self.end = 1.0
        self.view = (0.0, 1.0)

    def add_spans(self, spans: Iterable[SpanRow]) -> None:
        """Show more spans; the view stays when it was zoomed."""
        fitted = self.view[1] == self.end
        for track, name, start, duration, args in spans:
            if self._origin is None:
                self._origin = start
            line, flow = int(args.get("line") or 0), int(args.get("flow") or 0)
            guessed = bool(args.get("guessed"))
            span = Span(start - self._origin, duration, name, line, flow, guessed)
            if track not in self.tracks:
                self._add_track(track)
            self.tracks[track].add(span)
            if self.lit is not None and self._fits(span):
                self.lit.setdefault(track, Track()).add(span)
            if flow:
                self.flows.setdefault(flow, []).append((track, span))
            self.end = max(self.end, span.start + duration)
        if fitted:
            self.fit()
        self.update()

    def _add_track(self, name: str) -> None:
        for known in (*SHOWN, name) if name in TRACKS else (name,):
            self.tracks.setdefault(known, Track())
        order = {known: number for number, known in enumerate(TRACKS)}

        def place(track: str) -> tuple[int, str, int]:
            kind, number = kind_of(track)
            return order.get(kind, len(order)), kind, number

        self.tracks = {track: self.tracks[track] for track in sorted(self.tracks, key=place)}
        self.setMinimumHeight(TOP + max(len(TRACKS), len(self.tracks)) * LEAST_ROW)

    @property
    def row(self) -> int:
        """The height of a track: less where there is little room for all of them."""
        return min(max((self.height() - TOP) // max(len(self.tracks), 1), LEAST_ROW), ROW)

    def fit(self) -> None:
        """Show the whole run."""
        self.view = (self.first(), self.end)
        self.update()

    def first(self) -> float:
        """When the run began: the script's own span comes last, and starts before the others."""
        return min((t.starts[0] for t in self.tracks.values() if t.starts), default=0.0)

    def zoom(self, factor: float, at: float = 0.5) -> None:
        """Zoom by ``factor`` around the share ``at`` of the view."""
        start, end = self.view
        width = max((end - start) * factor, 0.5)
        centre = start + (end - start) * at
        self.view = (centre - width * at, centre + width * (1 - at))
        self.update()

    def pan(self, share: float) -> None:
        """Move the view by a share of its width."""
        start, end = self.view
        step = (end - start) * share
        self.view = (start + step, end + step)
        self.update()

    def measure(self, start: float, end: float) -> None:
        """Measure a range of time; the same time twice forgets it."""
        self.measured = (min(start, end), max(start, end)) if start != end else None
        self.span_selected.emit()
        self.update()

    def follow(self, lines: Iterable[int]) -> None:
        """Fade what other lines set off; no lines fade nothing."""
        self.lines = frozenset(lines)
        self._relight()

    def _relight(self) -> None:
        """Keep what fits the search and the lines apart: it is painted over the rest."""
        self.lit = None
        if self.lines or self.wanted:
            self.lit = {
                name: Track.of([span for span in track.spans if self._fits(span)])
                for name, track in self.tracks.items()
            }
        self.update()

    def _fits(self, span: Span) -> bool:
        of_group = self.lines_of(span.flow) if self.lines and span.flow else ()
        followed = not self.lines or span.line in self.lines or not self.lines.isdisjoint(of_group)
        return followed and self._fits_search(span)

    def _fits_search(self, span: Span) -> bool:
        """Whether a span fits the search; few names come often."""
        if span.name not in self._known:
            self._known[span.name] = self.wanted in span.name.casefold()
        return self._known[span.name]

    def span_at(self, position: QPointF) -> tuple[str, Span] | None:
        """The span under a position."""
        row = int((position.y() - TOP) // self.row)
        names = list(self.tracks)
        if not 0 <= row < len(names) or position.x() < LEFT:
            return None
        time = self._time(position.x())
        slack = 2 / self.scale()
        found = list(self.tracks[names[row]].over(time - slack, time + slack))
        return (names[row], min(found, key=lambda span: span.duration)) if found else None

    # --- painting ---------------------------------------------------------------------

    def scale(self) -> float:
        """Pixels per millisecond."""
        return max(self.width() - LEFT, 1) / (self.view[1] - self.view[0])

    def _time(self, x: float) -> float:
        return self.view[0] + (x - LEFT) / self.scale()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Axis, tracks, spans; spans that fall on one pixel are drawn once."""
        painter = QPainter(self)
        TimelinePicture(self, painter).paint()
        painter.end()

    # --- choosing -----------------------------------------------------------------------

    def select(self, found: tuple[str, Span] | None) -> None:
        """Choose a span; what belongs to it is joined by arrows."""
        self.selected = found
        self.span_selected.emit()
        self.update()

    def step(self, by: int) -> None:
        """Choose the next (1) or previous (-1) span: on its track, with a search on any track."""
        if self.selected is None:
            self._select_first()
            return
        names = list(self.tracks) if self.wanted else [self.selected[0]]
        ahead = [
            (name, span) for name in names if (span := self._next_found_span(name, by)) is not None
        ]
        if ahead:
            found = min(ahead, key=lambda placed: by * placed[1].start)
            self.select(found)
            self._show_time(found[1])

    def _next_found_span(self, name: str, by: int) -> Span | None:
        """The next span of a track, from the chosen one, that fits the search."""
        assert self.selected is not None
        track, (chosen, span) = self.tracks[name], self.selected
        if name == chosen:
            number = track.number_of(span) + by
        else:
            number = bisect_left(track.starts, span.start) - (by < 0)
        while 0 <= number < len(track.spans) and not self._fits_search(track.spans[number]):
            number += by
        return track.spans[number] if 0 <= number < len(track.spans) else None

    def search(self, text: str) -> None:
        """Fade what does not hold ``text``, and choose the first span that does."""
        self.wanted, self._known = text.casefold(), {}
        self._relight()
        if text:
            self._select_first()
        else:
            self.select(None)

    def _select_first(self) -> None:
        firsts = [
            (track, next(filter(self._fits_search, found.spans), None))
            for track, found in self.tracks.items()
        ]
        found = [(track, span) for track, span in firsts if span is not None]
        self.select(min(found, key=lambda placed: placed[1].start) if found else None)
        if self.selected:
            self._show_time(self.selected[1])

    def _show_time(self, span: Span) -> None:
        start, end = self.view
        if not start <= span.start <= end:
            self.view = (span.start - (end - start) / 2, span.start + (end - start) / 2)

    # --- input ------------------------------------------------------------------------

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom around the pointer; with Shift, pan."""
        turned = event.angleDelta().y() / 120
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.pan(-0.1 * turned)
        else:
            share = (event.position().x() - LEFT) / max(self.width() - LEFT, 1)
            self.zoom(0.8**turned, min(max(share, 0.0), 1.0))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin to drag the view, or with Shift to measure."""
        self._ruler = None
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._ruler = self._time(event.position().x())
        else:
            self._drag = (event.position().x(), self.view)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the view, or the end of what is measured."""
        if self._ruler is not None and event.buttons():
            self.measure(self._ruler, self._time(event.position().x()))
        if self._drag is not None:
            x, (start, end) = self._drag
            moved = (x - event.position().x()) / self.scale()
            self.view = (start + moved, end + moved)
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End dragging; a click without a drag chooses a span."""
        if self._drag is not None and self._drag[1] == self.view:
            self.select(self.span_at(event.position()))
        self._drag = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Go to the line of a span."""
        found = self.span_at(event.position())
        if found and found[1].line:
            self.line_wanted.emit(found[1].line)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """W and S zoom, A and D pan, F fits, the full stop and the comma step."""
        actions: dict[Qt.Key, Callable[[], None]] = {
            Qt.Key.Key_W: lambda: self.zoom(0.7),
            Qt.Key.Key_S: lambda: self.zoom(1 / 0.7),
            Qt.Key.Key_A: lambda: self.pan(-0.15),
            Qt.Key.Key_D: lambda: self.pan(0.15),
            Qt.Key.Key_F: self.fit,
            Qt.Key.Key_M: self._measure_selected,
            Qt.Key.Key_Period: lambda: self.step(1),
            Qt.Key.Key_Comma: lambda: self.step(-1),
        }
        action = actions.get(Qt.Key(event.key()))
        if action is None:
            super().keyPressEvent(event)
        else:
            action()

    def _measure_selected(self) -> None:
        """Measure the chosen span, or nothing any more."""
        chosen = self.selected[1] if self.selected else None
        self.measure(chosen.start, chosen.start + chosen.duration) if chosen else self.measure(0, 0)

    def event(self, event: QEvent) -> bool:
        """Tooltips say what a span is."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            found = self.span_at(QPointF(event.pos()))
            text = span_text(*found) if found else ""
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().event(event)


def span_text(track: str, span: Span) -> str:
    """A span in words."""
    line = f"\nline {span.line}" if span.line else ""
    return f"{track}: {span.name}\n{formats.milliseconds(span.duration / 1000)}{line}"
