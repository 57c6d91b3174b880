"""The Timeline: what the engine did when, on one track per kind of work."""

from __future__ import annotations

from bisect import bisect_left
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
LEFT = 84
TOP = 22
ROW = 26


class Span(NamedTuple):
    """One thing that took time, in µs from the first one."""

    start: float
    duration: float
    name: str
    line: int


class TimelineView(QWidget):
    """Paints the spans of the time range in view; wheel zooms, dragging pans, F fits."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Timeline")
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setMouseTracking(True)
        self.setMinimumHeight(TOP + 3 * ROW)
        self.tracks: dict[str, list[Span]] = {}
        self._starts: dict[str, list[float]] = {}
        self._longest: dict[str, float] = {}
        self.end = 1.0
        self.view = (0.0, 1.0)
        self._drag: tuple[float, tuple[float, float]] | None = None
        theme_hub().changed.connect(self.update)

    def set_spans(self, spans: list[tuple[str, str, float, float, dict[str, Any]]]) -> None:
        """Show these spans; the view stays when it was zoomed."""
        fitted = self.view == (0.0, self.end)
        origin = min((s[2] for s in spans), default=0.0)
        self.tracks = {name: [] for name in TRACKS}
        for track, name, start, duration, args in spans:
            span = Span(start - origin, duration, name, int(args.get("line") or 0))
            self.tracks.setdefault(track, []).append(span)
        self.tracks = {name: sorted(found) for name, found in self.tracks.items() if found}
        self._starts = {name: [s.start for s in found] for name, found in self.tracks.items()}
        self._longest = {n: max(s.duration for s in found) for n, found in self.tracks.items()}
        self.end = max((s.start + s.duration for f in self.tracks.values() for s in f), default=1.0)
        if fitted or self.view[1] > self.end * 1.5:
            self.view = (0.0, self.end)
        self.update()

    def fit(self) -> None:
        """Show the whole run."""
        self.view = (0.0, self.end)
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
        for span in self._visible(names[row], time - slack, time + slack):
            if span.start - slack <= time <= span.start + span.duration + slack:
                return names[row], span
        return None

    # --- painting ---------------------------------------------------------------------

    def _scale(self) -> float:
        return max(self.width() - LEFT, 1) / (self.view[1] - self.view[0])

    def _time(self, x: float) -> float:
        return self.view[0] + (x - LEFT) / self._scale()

    def _visible(self, track: str, start: float, end: float) -> list[Span]:
        starts = self._starts[track]
        first = bisect_left(starts, start - self._longest[track])
        return self.tracks[track][first : bisect_left(starts, end)]

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

    def _paint_spans(self, painter: QPainter, track: str, top: int) -> None:
        scale, last = self._scale(), -1.0
        colour = theme().colour(_TOKENS.get(track, "muted"))
        painter.setClipRect(LEFT, 0, self.width() - LEFT, self.height())
        for span in self._visible(track, *self.view):
            x = LEFT + (span.start - self.view[0]) * scale
            width = max(span.duration * scale, 1.5)
            if x + width - last < 1 and last >= 0:
                continue
            last = x + width
            area = QRectF(x, top + 5, width, ROW - 11)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            painter.drawRoundedRect(area, 2, 2)
            if width > 40:
                painter.setPen(theme().colour("panel"))
                inside = area.adjusted(5, 0, -3, 0)
                painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter, short(span.name))
        painter.setClipping(False)

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
        self.view.set_spans(self.account.spans)
        parts = []
        for track, spans in self.view.tracks.items():
            total = sum(s.duration for s in spans) / 1000
            parts.append(f"{track} {formats.milliseconds(total)}")
        self.summary.setText("  ·  ".join(parts))
