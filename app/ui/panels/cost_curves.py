"""Times over sizes, both logarithmic: two sides, and the size at which they cross."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from app.ui.support import formats
from app.ui.support.fonts import ui_font
from app.ui.support.theme import theme, theme_hub

LEFT, RIGHT, TOP, BOTTOM = 56, 14, 26, 24


@dataclass(frozen=True)
class Curve:
    """One line: its name, the theme colour, points of size and milliseconds."""

    name: str
    token: str
    points: tuple[tuple[float, float], ...]
    dashed: bool = False


class Curves(QWidget):
    """Draws curves with decades as ticks, and a mark where they cross."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.curves: Sequence[Curve] = ()
        self.crossing: float | None = None
        self.setAccessibleName(name)
        self.setMinimumSize(230, 150)
        theme_hub().changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """Room for a readable plot."""
        return QSize(380, 200)

    def show_curves(self, curves: Sequence[Curve], crossing: float | None) -> None:
        """Draw other curves."""
        self.curves, self.crossing = [c for c in curves if c.points], crossing
        self.setAccessibleDescription(self.words())
        self.setToolTip(self.words())
        self.update()

    def words(self) -> str:
        """The curves in a sentence."""
        if not self.curves:
            return ""
        if self.crossing is None:
            return "The curves do not cross."
        return f"They cross at {formats.count(self.crossing)} elements."

    # --- places -----------------------------------------------------------------------

    def _ranges(self) -> tuple[float, float, float, float]:
        sizes = [x for c in self.curves for x, _ in c.points]
        times = [y for c in self.curves for _, y in c.points if y > 0]
        low, high = log10(min(times)), log10(max(times))
        return log10(min(sizes)), log10(max(sizes)), floor(low), max(ceil(high), floor(low) + 1)

    def place(self, size: float, ms: float) -> QPointF:
        """Where a point is drawn."""
        left, right, low, high = self._ranges()
        wide, tall = self.width() - LEFT - RIGHT, self.height() - TOP - BOTTOM
        x = (log10(size) - left) / max(right - left, 1e-9)
        y = (log10(max(ms, 1e-9)) - low) / (high - low)
        return QPointF(LEFT + wide * x, TOP + tall * (1 - y))

    # --- painting ---------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Ticks, curves, names, the mark."""
        if not self.curves:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(ui_font(11))
        self._paint_ticks(painter)
        for curve in self.curves:
            style = Qt.PenStyle.DashLine if curve.dashed else Qt.PenStyle.SolidLine
            painter.setPen(QPen(theme().colour(curve.token), 2, style))
            painter.drawPolyline(QPolygonF([self.place(*p) for p in curve.points]))
            if len(curve.points) < 6:
                painter.setBrush(theme().colour(curve.token))
                for point in curve.points:
                    painter.drawEllipse(self.place(*point), 2.5, 2.5)
        self._paint_names(painter)
        self._paint_crossing(painter)
        painter.end()

    def _paint_ticks(self, painter: QPainter) -> None:
        left, right, low, high = self._ranges()
        step = max(1, round((high - low) / 4))
        for power in range(int(low), int(high) + 1, step):
            y = self.place(10**left, 10.0**power).y()
            self._paint_line(painter, QPointF(LEFT, y), QPointF(self.width() - RIGHT, y))
            area = QRectF(0, y - 8, LEFT - 8, 16)
            painter.drawText(area, _RIGHT, formats.milliseconds(10.0**power))
        for power in range(ceil(left - 0.01), floor(right + 0.01) + 1):
            x = self.place(10**power, 10.0**low).x()
            self._paint_line(painter, QPointF(x, TOP), QPointF(x, self.height() - BOTTOM))
            area = QRectF(x - 30, self.height() - BOTTOM + 4, 60, 16)
            painter.drawText(area, Qt.AlignmentFlag.AlignHCenter, formats.short_count(10**power))

    def _paint_line(self, painter: QPainter, start: QPointF, end: QPointF) -> None:
        painter.setPen(theme().colour("border"))
        painter.drawLine(start, end)
        painter.setPen(theme().colour("faint"))

    def _paint_names(self, painter: QPainter) -> None:
        x = float(LEFT)
        for curve in self.curves:
            painter.setPen(theme().colour(curve.token))
            painter.drawText(QPointF(x, 14), curve.name)
            x += painter.fontMetrics().horizontalAdvance(curve.name) + 16

    def _paint_crossing(self, painter: QPainter) -> None:
        left, right, _, _ = self._ranges()
        if self.crossing is None or not left <= log10(self.crossing) <= right:
            return
        x = self.place(self.crossing, 1.0).x()
        painter.setPen(QPen(theme().colour("transfer"), 1, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(x, TOP), QPointF(x, self.height() - BOTTOM))
        text = formats.short_count(self.crossing)
        width = painter.fontMetrics().horizontalAdvance(text)
        near_end = x + 6 + width > self.width() - RIGHT
        painter.drawText(QPointF(x - 6 - width if near_end else x + 6, TOP + 12), text)


_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
