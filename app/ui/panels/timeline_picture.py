"""How the timeline is painted: axis, tracks, spans, what belongs together, what is measured."""

from __future__ import annotations

from bisect import bisect_left
from itertools import pairwise
from math import ceil
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QPainter, QPainterPath, QPen

from app.ui.run_model.executions import chain
from app.ui.run_model.timeline_spans import Span, Track
from app.ui.support import formats
from app.ui.support.fonts import ui_font
from app.ui.support.theme import theme

if TYPE_CHECKING:
    from app.ui.panels.timeline_view import TimelineView

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
    "Worker": "accent",
}
LEFT = 84
FADED = 0.25
TOP = 22
BAR = 15


def kind_of(track: str) -> tuple[str, int]:
    """What kind of work a track shows, and of which worker or card: ``Worker 2``, ``Device 2``."""
    kind, _, number = track.rpartition(" ")
    return (kind, int(number)) if kind and number.isdecimal() else (track, 0)


class TimelinePicture:
    """Paints the spans of the time range in view; those on one pixel are drawn once."""

    def __init__(self, timeline: TimelineView, painter: QPainter) -> None:
        self.timeline, self.painter = timeline, painter
        self.tracks, self.row = timeline.tracks, timeline.row
        self.width, self.scale = timeline.width(), timeline.scale()

    def paint(self) -> None:
        """Axis, tracks, spans, arrows, what is measured."""
        self.painter.fillRect(self.timeline.rect(), theme().colour("panel"))
        self._paint_axis()
        for row, track in enumerate(self.tracks):
            top = TOP + row * self.row
            self.painter.setPen(theme().colour("muted" if self.tracks[track].spans else "faint"))
            self.painter.setFont(ui_font(12))
            place = QRectF(12, top, LEFT - 16, self.row)
            self.painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, track)
            self.painter.setPen(theme().colour("border"))
            self.painter.drawLine(
                LEFT,
                top + self.row - 1,
                self.width,
                top + self.row - 1,
            )
            self._paint_spans(track, top)
        self._paint_flow()
        self._paint_measure()

    def _x(self, time: float) -> float:
        """Where a time lies."""
        return LEFT + (time - self.timeline.view[0]) * self.scale

    def _clip(self) -> None:
        """Paint nothing over the names of the tracks."""
        self.painter.setClipRect(LEFT, 0, self.width - LEFT, self.timeline.height())

    def _bar(self, x: float, top: float, width: float) -> QRectF:
        """Where a span is painted on the track that begins at ``top``."""
        tall = min(self.row - 2, BAR)
        return QRectF(x, top + (self.row - 1 - tall) / 2, width, tall)

    def _paint_measure(self) -> None:
        """The measured range with its length."""
        if self.timeline.measured is None:
            return
        left, right = (self._x(t) for t in self.timeline.measured)
        area = QRectF(left, TOP - 2, right - left, self.row * len(self.tracks) + 2)
        self._clip()
        self.painter.fillRect(area, theme().colour("accent", 40))
        self.painter.setPen(theme().colour("accent"))
        for x in (left, right):
            self.painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
        self.painter.setClipping(False)

    def _paint_flow(self) -> None:
        """Frame the chosen span, and join what belongs to the same group."""
        if self.timeline.selected is None:
            return
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._clip()
        self.painter.setBrush(Qt.BrushStyle.NoBrush)
        flow = self.timeline.flows.get(self.timeline.selected[1].flow, ())
        for (track, span), (other, following) in pairwise(
            chain(self.timeline.selected, flow, self.tracks)
        ):
            self.painter.setPen(QPen(theme().colour("muted"), 1.3))
            self._paint_arrow(self._area(track, span), self._area(other, following))
        self.painter.setPen(QPen(theme().colour("text"), 1.5))
        self.painter.drawRoundedRect(self._area(*self.timeline.selected), 2, 2)
        self.painter.setClipping(False)

    def _paint_arrow(self, start: QRectF, end: QRectF) -> None:
        leave = min(start.right(), end.left())
        path = QPainterPath(QPointF(leave, start.center().y()))
        middle = (leave + end.left()) / 2
        path.cubicTo(
            QPointF(middle, start.center().y()),
            QPointF(middle, end.center().y()),
            QPointF(end.left(), end.center().y()),
        )
        self.painter.drawPath(path)
        tip = QPointF(end.left(), end.center().y())
        self.painter.drawLine(tip, tip + QPointF(-5, -3))
        self.painter.drawLine(tip, tip + QPointF(-5, 3))

    def _area(self, track: str, span: Span) -> QRectF:
        """Where a span is painted."""
        top = TOP + list(self.tracks).index(track) * self.row
        x = self._x(span.start)
        return self._bar(x, top, max(span.duration * self.scale, 1.5))

    def _paint_axis(self) -> None:
        step = _nice_step(90 / self.scale)
        self.painter.setFont(ui_font(11))
        first = self.timeline.first()
        tick = max(ceil((self.timeline.view[0] - first) / step), 0)
        while first + tick * step < self.timeline.view[1]:
            x = self._x(first + tick * step)
            self.painter.setPen(theme().colour("border"))
            self.painter.drawLine(
                QPointF(x, TOP - 4), QPointF(x, TOP + self.row * len(self.tracks))
            )
            self.painter.setPen(theme().colour("faint"))
            text = formats.milliseconds(tick * step / 1000)
            if x + 4 + self.painter.fontMetrics().horizontalAdvance(text) < self.width:
                self.painter.drawText(QPointF(x + 4, TOP - 7), text)
            tick += 1

    def _paint_spans(self, name: str, top: int) -> None:
        self._clip()
        self.painter.setBrush(theme().colour(_TOKENS.get(kind_of(name)[0], "muted")))
        if self.timeline.lit is None:
            self._paint_track(name, self.tracks[name], top)
        else:
            self.painter.setOpacity(FADED)
            self._paint_track(name, self.tracks[name], top)
            self.painter.setOpacity(1.0)
            self._paint_track(name, self.timeline.lit.get(name, Track()), top)
        self.painter.setClipping(False)

    def _paint_track(self, name: str, track: Track, top: int) -> None:
        for span in track.giants_over(*self.timeline.view):
            self._paint_span(name, span, top)
        numbers = track.between(*self.timeline.view)
        if len(numbers) > self.width // 2:
            self._paint_crowd(track, numbers, top)
            return
        for number in numbers:
            self._paint_span(name, track.spans[number], top)

    def _paint_span(self, name: str, span: Span, top: int) -> None:
        x = self._x(span.start)
        width = max(span.duration * self.scale, 1.5)
        area = self._bar(x, top, width - 1 if width > 4 else width)
        before, brush = self.painter.opacity(), self.painter.brush()
        behind = name == "Script" and not span.line and len(self.tracks[name].spans) > 1
        if behind:  # a run lies palely behind its lines
            self.painter.setOpacity(before * 0.35)
        if span.guessed:
            self.painter.setBrush(QBrush(brush.color(), Qt.BrushStyle.BDiagPattern))
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.drawRoundedRect(area, 2, 2)
        self.painter.setBrush(brush)
        self.painter.setOpacity(before)
        if width > 40 and not behind:
            self.painter.setPen(theme().colour("panel"))
            inside = area.adjusted(5, 0, -3, 0)
            elide = Qt.TextElideMode.ElideRight
            text = self.painter.fontMetrics().elidedText(
                short(span.name), elide, int(inside.width())
            )
            self.painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter, text)

    def _paint_crowd(self, track: Track, numbers: range, top: int) -> None:
        """More spans than pixels: one step per pixel column, by bisection."""
        scale, begin, bars = self.scale, self.timeline.view[0], list[QRectF]()
        y, tall = self._bar(0.0, top, 1.0).y(), self._bar(0.0, top, 1.0).height()
        number = numbers.start
        while number < numbers.stop:
            start, duration, *_ = track.spans[number]
            x = LEFT + (start - begin) * scale
            bars.append(QRectF(x, y, max(duration * scale, 1.0), tall))
            following = begin + (max(x, LEFT - 1.0) + 1.0 - LEFT) / scale
            number = max(number + 1, bisect_left(track.starts, following))
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.drawRects(bars)


def _nice_step(least: float) -> float:
    """The smallest 1, 2 or 5 times a power of ten that is at least ``least``."""
    power = 1.0
    while power * 10 <= least:
        power *= 10
    while power > least:
        power /= 10
    return next(power * f for f in (1, 2, 5, 10) if power * f >= least)


def short(name: str) -> str:
    """A span's name; of a file only its last part."""
    return name.rsplit("/", 1)[-1] if name.endswith(".m") else name
