"""The Timeline: what the engine did when, on one track per kind of work."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from typing import Any, NamedTuple

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QToolTip, QWidget

from app.ui import formats
from app.ui.fonts import ui_font
from app.ui.panels.panel import IconButton, Panel, bar, column, label
from app.ui.theme import theme, theme_hub

TRACKS = ("Script", "Planner", "Compile", "Upload", "Device", "Host", "Download", "UI")
_TOKENS = {
    "Script": "host",
    "Planner": "lazy",
    "Compile": "accent",
    "Upload": "both",
    "Device": "device",
    "Host": "host",
    "Download": "transfer",
    "UI": "faint",
}
SpanRow = tuple[str, str, float, float, dict[str, Any]]
LEFT = 84
TOP = 22
ROW = 26


class Span(NamedTuple):
    """One thing that took time, in µs from the first one."""

    start: float
    duration: float
    name: str
    line: int


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


class TimelineView(QWidget):
    """Paints the spans of the time range in view; wheel zooms, dragging pans, F fits."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Timeline")
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setMouseTracking(True)
        self.setMinimumHeight(TOP + 3 * ROW)
        self.clear()
        self._drag: tuple[float, tuple[float, float]] | None = None
        theme_hub().changed.connect(self.update)

    def clear(self) -> None:
        """Forget everything."""
        self.tracks: dict[str, Track] = {}
        self._origin: float | None = None
        self.end = 1.0
        self.view = (0.0, 1.0)

    def add_spans(self, spans: Iterable[SpanRow]) -> None:
        """Show more spans; the view stays when it was zoomed."""
        fitted = self.view[1] == self.end
        for track, name, start, duration, args in spans:
            if self._origin is None:
                self._origin = start
            span = Span(start - self._origin, duration, name, int(args.get("line") or 0))
            if track not in self.tracks:
                self._add_track(track)
            self.tracks[track].add(span)
            self.end = max(self.end, span.start + duration)
        if fitted:
            self.fit()
        self.update()

    def _add_track(self, name: str) -> None:
        self.tracks[name] = Track()
        order = {known: number for number, known in enumerate(TRACKS)}
        ordered = sorted(self.tracks, key=lambda t: order.get(t, len(order)))
        self.tracks = {track: self.tracks[track] for track in ordered}

    def fit(self) -> None:
        """Show the whole run."""
        first = min((t.starts[0] for t in self.tracks.values()), default=0.0)
        self.view = (min(first, 0.0), self.end)
        self.update()

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

    def span_at(self, position: QPointF) -> tuple[str, Span] | None:
        """The span under a position."""
        row = int((position.y() - TOP) // ROW)
        names = list(self.tracks)
        if not 0 <= row < len(names) or position.x() < LEFT:
            return None
        time = self._time(position.x())
        slack = 2 / self._scale()
        found = self.tracks[names[row]]
        for number in found.between(time - slack, time + slack):
            span = found.spans[number]
            if span.start - slack <= time <= span.start + span.duration + slack:
                return names[row], span
        return None

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
            top = TOP + row * ROW
            painter.setPen(theme().colour("muted"))
            painter.setFont(ui_font(12))
            painter.drawText(QRectF(12, top, LEFT - 16, ROW), Qt.AlignmentFlag.AlignVCenter, track)
            painter.setPen(theme().colour("border"))
            painter.drawLine(LEFT, top + ROW - 1, self.width(), top + ROW - 1)
            self._paint_spans(painter, track, top)
        painter.end()

    def _paint_axis(self, painter: QPainter) -> None:
        step = _nice_step(90 / self._scale())
        painter.setFont(ui_font(11))
        tick = int(self.view[0] // step) + 1 if self.view[0] > 0 else 0
        while tick * step < self.view[1]:
            x = LEFT + (tick * step - self.view[0]) * self._scale()
            painter.setPen(theme().colour("border"))
            painter.drawLine(QPointF(x, TOP - 4), QPointF(x, TOP + ROW * len(self.tracks)))
            painter.setPen(theme().colour("faint"))
            painter.drawText(QPointF(x + 4, TOP - 7), formats.milliseconds(tick * step / 1000))
            tick += 1

    def _paint_spans(self, painter: QPainter, name: str, top: int) -> None:
        track = self.tracks[name]
        painter.setClipRect(LEFT, 0, self.width() - LEFT, self.height())
        painter.setBrush(theme().colour(_TOKENS.get(name, "muted")))
        numbers = track.between(*self.view)
        if len(numbers) > 2 * self.width():
            self._paint_crowd(painter, track, numbers, top)
        else:
            for number in numbers:
                self._paint_span(painter, track.spans[number], top)
        painter.setClipping(False)

    def _paint_span(self, painter: QPainter, span: Span, top: int) -> None:
        x = LEFT + (span.start - self.view[0]) * self._scale()
        width = max(span.duration * self._scale(), 1.5)
        area = QRectF(x, top + 5, width, ROW - 11)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawRoundedRect(area, 2, 2)
        if width > 40:
            painter.setPen(theme().colour("panel"))
            inside = area.adjusted(5, 0, -3, 0)
            painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter, short(span.name))

    def _paint_crowd(self, painter: QPainter, track: Track, numbers: range, top: int) -> None:
        """More spans than pixels: one step per pixel column, by bisection."""
        painter.setPen(Qt.PenStyle.NoPen)
        number = numbers.start
        while number < numbers.stop:
            span = track.spans[number]
            x = LEFT + (span.start - self.view[0]) * self._scale()
            width = max(span.duration * self._scale(), 1.0)
            painter.drawRect(QRectF(x, top + 5, width, ROW - 11))
            number = max(number + 1, bisect_left(track.starts, self._time(x + max(width, 1.0))))

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
        """Begin to drag the view."""
        self._drag = (event.position().x(), self.view)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the view."""
        if self._drag is not None:
            x, (start, end) = self._drag
            moved = (x - event.position().x()) / self._scale()
            self.view = (start + moved, end + moved)
            self.update()

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        """End dragging."""
        self._drag = None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """W and S zoom, A and D pan, F fits."""
        actions = {
            Qt.Key.Key_W: lambda: self.zoom(0.7),
            Qt.Key.Key_S: lambda: self.zoom(1 / 0.7),
            Qt.Key.Key_A: lambda: self.pan(-0.15),
            Qt.Key.Key_D: lambda: self.pan(0.15),
            Qt.Key.Key_F: self.fit,
        }
        action = actions.get(Qt.Key(event.key()))
        if action is None:
            super().keyPressEvent(event)
        else:
            action()

    def event(self, event: QEvent) -> bool:
        """Tooltips say what a span is."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            found = self.span_at(QPointF(event.pos()))
            text = _span_text(*found) if found else ""
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().event(event)


def _span_text(track: str, span: Span) -> str:
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


class TimelinePanel(Panel):
    """The timeline of the last run with a line that sums it up."""

    empty_icon = "timeline"
    empty_title = "No events yet"
    empty_text = "Run a script with F5 to see when what ran where."

    def _build(self) -> QWidget:
        self._run, self._seen = -1, 0
        self.view = TimelineView()
        self.summary = label("", "muted")
        return column(
            bar(
                self.summary,
                None,
                label("wheel zooms · drag pans · W A S D · F fits", "faint"),
                IconButton("refresh", "Fit the whole run", self.view.fit),
            ),
            self.view,
        )

    def _is_empty(self) -> bool:
        return not self.account.spans

    def _refresh(self) -> None:
        account = self.account
        if account.run != self._run:
            self._run, self._seen = account.run, 0
            self.view.clear()
        missing = account.spans_seen - self._seen
        self.view.add_spans(account.spans[-missing:] if missing else ())
        self._seen = account.spans_seen
        parts = [
            f"{name} {formats.milliseconds(track.total / 1000)}"
            for name, track in self.view.tracks.items()
        ]
        self.summary.setText("  ·  ".join(parts))
