"""The picture of the timeline: spans of time on one track per kind of work."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable
from itertools import pairwise
from math import ceil
from typing import Any

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from app.ui.run_model.executions import chain
from app.ui.run_model.timeline_spans import Span, Track
from app.ui.support import formats
from app.ui.support.fonts import ui_font
from app.ui.support.theme import theme, theme_hub

TRACKS = ("Script", "Planner", "Compile", "Upload", "Device", "Host", "Wait", "Download", "UI")
SHOWN = tuple(track for track in TRACKS if track not in ("Host", "Wait"))
"""The tracks that are there whatever a run did, so that the eye finds them at their places."""
_TOKENS = {
    "Script": "host",
    "Planner": "lazy",
    "Compile": "accent",
    "Upload": "both",
    "Device": "device",
    "Host": "host",
    "Wait": "faint",
    "Download": "transfer",
    "UI": "faint",
}
SpanRow = tuple[str, str, float, float, dict[str, Any]]
LEFT = 84
FADED = 0.25
TOP = 22
ROW, LEAST_ROW, BAR = 26, 17, 15


class TimelineView(QWidget):
    """Paints the spans of the time range in view; wheel zooms, dragging pans, F fits.

    ``lines_of`` tells the lines of the script that a flow, a group, works for.
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
        self._flows: dict[int, list[tuple[str, Span]]] = {}
        self.selected: tuple[str, Span] | None = None
        self.wanted, self._known = "", dict[str, bool]()
        self.measured: tuple[float, float] | None = None
        self.lines: frozenset[int] = frozenset()
        self._lit: dict[str, Track] | None = None
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
            if self._lit is not None and self._fits(span):
                self._lit.setdefault(track, Track()).add(span)
            if flow:
                self._flows.setdefault(flow, []).append((track, span))
            self.end = max(self.end, span.start + duration)
        if fitted:
            self.fit()
        self.update()

    def _add_track(self, name: str) -> None:
        for known in (*SHOWN, name) if name in TRACKS else (name,):
            self.tracks.setdefault(known, Track())
        order = {known: number for number, known in enumerate(TRACKS)}
        ordered = sorted(self.tracks, key=lambda t: order.get(t, len(order)))
        self.tracks = {track: self.tracks[track] for track in ordered}

    @property
    def row(self) -> int:
        """The height of a track: less where there is little room for all of them."""
        return min(max((self.height() - TOP) // max(len(self.tracks), 1), LEAST_ROW), ROW)

    def _bar(self, x: float, top: float, width: float) -> QRectF:
        """Where a span is painted on the track that begins at ``top``."""
        tall = min(self.row - 2, BAR)
        return QRectF(x, top + (self.row - 1 - tall) / 2, width, tall)

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
        self._lit = None
        if self.lines or self.wanted:
            self._lit = {
                name: Track.of([span for span in track.spans if self._fits(span)])
                for name, track in self.tracks.items()
            }
        self.update()

    def _fits(self, span: Span) -> bool:
        of_group = self.lines_of(span.flow) if self.lines and span.flow else ()
        followed = not self.lines or span.line in self.lines or not self.lines.isdisjoint(of_group)
        return followed and self._found(span)

    def _found(self, span: Span) -> bool:
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
        slack = 2 / self._scale()
        found = list(self.tracks[names[row]].over(time - slack, time + slack))
        return (names[row], min(found, key=lambda span: span.duration)) if found else None

    # --- painting ---------------------------------------------------------------------

    def _scale(self) -> float:
        return max(self.width() - LEFT, 1) / (self.view[1] - self.view[0])

    def _time(self, x: float) -> float:
        return self.view[0] + (x - LEFT) / self._scale()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Axis, tracks, spans; spans that fall on one pixel are drawn once."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme().colour("panel"))
        self._paint_axis(painter)
        for row, track in enumerate(self.tracks):
            top = TOP + row * self.row
            painter.setPen(theme().colour("muted" if self.tracks[track].spans else "faint"))
            painter.setFont(ui_font(12))
            place = QRectF(12, top, LEFT - 16, self.row)
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, track)
            painter.setPen(theme().colour("border"))
            painter.drawLine(LEFT, top + self.row - 1, self.width(), top + self.row - 1)
            self._paint_spans(painter, track, top)
        self._paint_flow(painter)
        self._paint_measure(painter)
        painter.end()

    def _paint_measure(self, painter: QPainter) -> None:
        """The measured range with its length."""
        if self.measured is None:
            return
        left, right = (LEFT + (t - self.view[0]) * self._scale() for t in self.measured)
        area = QRectF(left, TOP - 2, right - left, self.row * len(self.tracks) + 2)
        painter.setClipRect(LEFT, 0, self.width() - LEFT, self.height())
        painter.fillRect(area, theme().colour("accent", 40))
        painter.setPen(theme().colour("accent"))
        for x in (left, right):
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
        painter.setClipping(False)

    def _paint_flow(self, painter: QPainter) -> None:
        """Frame the chosen span, and join what belongs to the same group."""
        if self.selected is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(LEFT, 0, self.width() - LEFT, self.height())
        painter.setBrush(Qt.BrushStyle.NoBrush)
        flow = self._flows.get(self.selected[1].flow, ())
        for (track, span), (other, following) in pairwise(chain(self.selected, flow, self.tracks)):
            painter.setPen(QPen(theme().colour("muted"), 1.3))
            self._paint_arrow(painter, self._area(track, span), self._area(other, following))
        painter.setPen(QPen(theme().colour("text"), 1.5))
        painter.drawRoundedRect(self._area(*self.selected), 2, 2)
        painter.setClipping(False)

    def _paint_arrow(self, painter: QPainter, start: QRectF, end: QRectF) -> None:
        leave = min(start.right(), end.left())
        path = QPainterPath(QPointF(leave, start.center().y()))
        middle = (leave + end.left()) / 2
        path.cubicTo(
            QPointF(middle, start.center().y()),
            QPointF(middle, end.center().y()),
            QPointF(end.left(), end.center().y()),
        )
        painter.drawPath(path)
        tip = QPointF(end.left(), end.center().y())
        painter.drawLine(tip, tip + QPointF(-5, -3))
        painter.drawLine(tip, tip + QPointF(-5, 3))

    def _area(self, track: str, span: Span) -> QRectF:
        """Where a span is painted."""
        top = TOP + list(self.tracks).index(track) * self.row
        x = LEFT + (span.start - self.view[0]) * self._scale()
        return self._bar(x, top, max(span.duration * self._scale(), 1.5))

    def _paint_axis(self, painter: QPainter) -> None:
        step = _nice_step(90 / self._scale())
        painter.setFont(ui_font(11))
        first = self.first()
        tick = max(ceil((self.view[0] - first) / step), 0)
        while first + tick * step < self.view[1]:
            x = LEFT + (first + tick * step - self.view[0]) * self._scale()
            painter.setPen(theme().colour("border"))
            painter.drawLine(QPointF(x, TOP - 4), QPointF(x, TOP + self.row * len(self.tracks)))
            painter.setPen(theme().colour("faint"))
            text = formats.milliseconds(tick * step / 1000)
            if x + 4 + painter.fontMetrics().horizontalAdvance(text) < self.width():
                painter.drawText(QPointF(x + 4, TOP - 7), text)
            tick += 1

    def _paint_spans(self, painter: QPainter, name: str, top: int) -> None:
        painter.setClipRect(LEFT, 0, self.width() - LEFT, self.height())
        painter.setBrush(theme().colour(_TOKENS.get(name, "muted")))
        if self._lit is None:
            self._paint_track(painter, name, self.tracks[name], top)
        else:
            painter.setOpacity(FADED)
            self._paint_track(painter, name, self.tracks[name], top)
            painter.setOpacity(1.0)
            self._paint_track(painter, name, self._lit.get(name, Track()), top)
        painter.setClipping(False)

    def _paint_track(self, painter: QPainter, name: str, track: Track, top: int) -> None:
        for span in track.giants_over(*self.view):
            self._paint_span(painter, name, span, top)
        numbers = track.between(*self.view)
        if len(numbers) > self.width() // 2:
            self._paint_crowd(painter, track, numbers, top)
            return
        for number in numbers:
            self._paint_span(painter, name, track.spans[number], top)

    def _paint_span(self, painter: QPainter, name: str, span: Span, top: int) -> None:
        x = LEFT + (span.start - self.view[0]) * self._scale()
        width = max(span.duration * self._scale(), 1.5)
        area = self._bar(x, top, width - 1 if width > 4 else width)
        before, brush = painter.opacity(), painter.brush()
        behind = name == "Script" and not span.line and len(self.tracks[name].spans) > 1
        if behind:  # a run lies palely behind its lines
            painter.setOpacity(before * 0.35)
        if span.guessed:
            painter.setBrush(QBrush(brush.color(), Qt.BrushStyle.BDiagPattern))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawRoundedRect(area, 2, 2)
        painter.setBrush(brush)
        painter.setOpacity(before)
        if width > 40 and not behind:
            painter.setPen(theme().colour("panel"))
            inside = area.adjusted(5, 0, -3, 0)
            elide = Qt.TextElideMode.ElideRight
            text = painter.fontMetrics().elidedText(short(span.name), elide, int(inside.width()))
            painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter, text)

    def _paint_crowd(self, painter: QPainter, track: Track, numbers: range, top: int) -> None:
        """More spans than pixels: one step per pixel column, by bisection."""
        scale, begin, bars = self._scale(), self.view[0], list[QRectF]()
        y, tall = self._bar(0.0, top, 1.0).y(), self._bar(0.0, top, 1.0).height()
        number = numbers.start
        while number < numbers.stop:
            start, duration, *_ = track.spans[number]
            x = LEFT + (start - begin) * scale
            bars.append(QRectF(x, y, max(duration * scale, 1.0), tall))
            following = begin + (max(x, LEFT - 1.0) + 1.0 - LEFT) / scale
            number = max(number + 1, bisect_left(track.starts, following))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawRects(bars)

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
        ahead = [(name, span) for name in names if (span := self._next(name, by)) is not None]
        if ahead:
            found = min(ahead, key=lambda placed: by * placed[1].start)
            self.select(found)
            self._show_time(found[1])

    def _next(self, name: str, by: int) -> Span | None:
        """The next span of a track, from the chosen one, that fits the search."""
        assert self.selected is not None
        track, (chosen, span) = self.tracks[name], self.selected
        if name == chosen:
            number = track.number_of(span) + by
        else:
            number = bisect_left(track.starts, span.start) - (by < 0)
        while 0 <= number < len(track.spans) and not self._found(track.spans[number]):
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
            (track, next(filter(self._found, found.spans), None))
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
            moved = (x - event.position().x()) / self._scale()
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


def short(name: str) -> str:
    """A span's name; of a file only its last part."""
    return name.rsplit("/", 1)[-1] if name.endswith(".m") else name


def _nice_step(least: float) -> float:
    """The smallest 1, 2 or 5 times a power of ten that is at least ``least``."""
    power = 1.0
    while power * 10 <= least:
        power *= 10
    while power > least:
        power /= 10
    return next(power * f for f in (1, 2, 5, 10) if power * f >= least)
