"""Device memory over a run: the live bytes with their peak, and a bar for each buffer's life."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app.ui import formats
from app.ui.fonts import ui_font
from app.ui.models.lifetimes import Life, Lifetimes
from app.ui.theme import theme, theme_hub

SIDE, TOP, CURVE, BAR, WIDTH = 12, 22, 44, 7, 400


class LifeChart(QWidget):
    """Draws a ``Lifetimes``; a click on a bar goes to the line that made the buffer."""

    line_wanted = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._lifetimes = Lifetimes()
        self._budget = 0
        self.setAccessibleName("Device memory over the run")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self.setMouseTracking(True)
        theme_hub().changed.connect(self.update)

    def show_lifetimes(self, lifetimes: Lifetimes, budget: int) -> None:
        """Draw these."""
        self._lifetimes, self._budget = lifetimes, budget
        self.setVisible(bool(lifetimes.samples))
        self.setAccessibleDescription(f"peak {formats.bytes_text(lifetimes.peak[1])}")
        self.update()

    def sizeHint(self) -> QSize:
        """Room for the curve and some buffers."""
        return QSize(WIDTH, TOP + CURVE + 12 * BAR)

    def shown(self) -> list[Life]:
        """The buffers there is room for: the largest, in the order of their allocation."""
        lives, room = self._lifetimes.lives, self.height() - TOP - CURVE - 14
        largest = sorted(lives, key=lambda life: -life.n_bytes)[: max(room // BAR, 1)]
        return sorted(largest, key=lambda life: life.start)

    def bar_of(self, row: int, life: Life) -> QRectF:
        """Where a buffer's bar is."""
        left, right = self._x(life.start), self._x(life.end or self._lifetimes.last)
        return QRectF(left, TOP + CURVE + 8 + row * BAR, max(right - left, 3.0), BAR - 2)

    # --- painting ---------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The curve, the bars, the peak."""
        painter = QPainter(self)
        painter.setFont(ui_font(10))
        if self._lifetimes.samples:
            self._paint_curve(painter)
            self._paint_bars(painter)
            self._paint_peak(painter)
            self._paint_budget(painter)
        painter.end()

    def _x(self, time: float) -> float:
        first = self._lifetimes.first
        room, length = self.width() - 2 * SIDE, max(self._lifetimes.last - first, 1.0)
        return SIDE + room * min(max((time - first) / length, 0.0), 1.0)

    def _y(self, n_bytes: float) -> float:
        return TOP + CURVE * (1 - n_bytes / max(self._lifetimes.peak[1], 1))

    def _paint_curve(self, painter: QPainter) -> None:
        samples = self._lifetimes.samples
        ends = [time for time, _ in samples[1:]] + [self._lifetimes.last]
        for (time, live), end in zip(samples, ends, strict=True):
            left, top = self._x(time), self._y(live)
            area = QRectF(left, top, max(self._x(end) - left, 1.0), TOP + CURVE - top)
            painter.fillRect(area, theme().colour("device_soft"))
            painter.fillRect(QRectF(left, top, area.width(), 1.5), theme().colour("device"))

    def _paint_bars(self, painter: QPainter) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        for row, life in enumerate(self.shown()):
            painter.setBrush(theme().colour("device" if life.end is None else "lazy"))
            painter.drawRoundedRect(self.bar_of(row, life), 2, 2)

    def _paint_peak(self, painter: QPainter) -> None:
        time, n_bytes = self._lifetimes.peak
        x = self._x(time)
        painter.setPen(QPen(theme().colour("transfer"), 1, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(x, TOP), QPointF(x, self.height() - 4))
        text = f"peak {formats.bytes_text(n_bytes)}"
        width = QFontMetricsF(painter.font()).horizontalAdvance(text)
        left = min(max(x - width / 2, SIDE), self.width() - SIDE - width)
        painter.drawText(QPointF(left, TOP - 7), text)

    def _paint_budget(self, painter: QPainter) -> None:
        """A line where the budget is, when the run came near it."""
        if self._budget and self._budget <= self._lifetimes.peak[1] * 1.2:
            y = max(self._y(self._budget), 2.0)
            painter.setPen(QPen(theme().colour("error"), 1, Qt.PenStyle.DotLine))
            painter.drawLine(QPointF(SIDE, y), QPointF(self.width() - SIDE, y))

    # --- mouse ------------------------------------------------------------------------

    def _life_at(self, place: QPointF) -> Life | None:
        for row, life in enumerate(self.shown()):
            if self.bar_of(row, life).adjusted(-3, -1, 3, 1).contains(place):
                return life
        return None

    def event(self, event: QEvent) -> bool:
        """Tooltips say which buffer it is."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            life = self._life_at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), life_text(life, self._lifetimes.last), self)
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the line of a buffer."""
        life = self._life_at(event.position())
        if life is not None and life.line:
            self.line_wanted.emit(life.line)


def life_text(life: Life | None, now: float) -> str:
    """A buffer in words."""
    if life is None:
        return ""
    parts = [life.name] if life.name else []
    parts += [f"line {life.line}"] if life.line else []
    lived = formats.milliseconds(((life.end or now) - life.start) / 1000)
    rest = "still there" if life.end is None else f"lived {lived}"
    return "  ·  ".join([*parts, formats.bytes_text(life.n_bytes), rest])
