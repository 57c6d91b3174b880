"""Device memory over a run: the live bytes with their peak, and a bar for each buffer's life."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app.ui.run_model.buffer_lifetimes import Life, Lifetimes
from app.ui.support import formats
from app.ui.support.fonts import ui_font
from app.ui.support.theme import theme, theme_hub

SIDE, TOP, CURVE, BAR, TALL, FOOT, WIDTH = 12, 22, 44, 7, 17, 26, 320
NAMED = 12
"""Bars of this height have room for a name."""


class LifeChart(QWidget):
    """Draws a ``Lifetimes``; a click on a bar goes to the line that made the buffer."""

    line_wanted = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._lifetimes = Lifetimes()
        self._budget = 0
        self._names: Mapping[int, str] = {}
        self._followed = ""
        self.setAccessibleName("Device memory over the run")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self.setMouseTracking(True)
        theme_hub().changed.connect(self.update)

    def show_lifetimes(self, lifetimes: Lifetimes, budget: int, names: Mapping[int, str]) -> None:
        """Draw these; ``names`` says which variable a line has made."""
        self._lifetimes, self._budget, self._names = lifetimes, budget, names
        self.setVisible(bool(lifetimes.samples))
        self.setAccessibleDescription(f"peak {formats.bytes_text(lifetimes.peak[1])}")
        self.update()

    def follow(self, name: str) -> None:
        """Fade the bars of other variables; no name, or one without bars, fades nothing."""
        self._followed = name
        self.update()

    def _name(self, life: Life) -> str:
        """What a buffer is called: its variable, or its line."""
        known = life.name or (self._names.get(life.line, "") if life.line else "")
        return known or (f"line {life.line}" if life.line else "")

    def _bar_height(self) -> int:
        """The height of a bar and the gap below it: with room, a name fits on it."""
        room = self.height() - TOP - CURVE - FOOT
        return min(max(room // max(len(self._lifetimes.lives), 1), BAR), TALL)

    def sizeHint(self) -> QSize:
        """Room for the curve and some buffers."""
        return QSize(WIDTH, TOP + CURVE + 12 * BAR)

    def shown(self) -> list[Life]:
        """The buffers there is room for: the largest, in the order of their allocation."""
        lives, room = self._lifetimes.lives, self.height() - TOP - CURVE - FOOT
        largest = sorted(lives, key=lambda life: -life.n_bytes)[
            : max(room // self._bar_height(), 1)
        ]
        return sorted(largest, key=lambda life: life.start)

    def bar_of(self, row: int, life: Life) -> QRectF:
        """Where a buffer's bar is."""
        left, right = self._x(life.start), self._x(life.end or self._lifetimes.last)
        tall = self._bar_height()
        return QRectF(left, TOP + CURVE + 8 + row * tall, max(right - left, 3.0), tall - 2)

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
            self._paint_times(painter)
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
        shown = self.shown()
        some = self._followed in {self._name(life) for life in shown} - {""}
        for row, life in enumerate(shown):
            area, name = self.bar_of(row, life), self._name(life)
            faded = some and name != self._followed
            painter.setPen(Qt.PenStyle.NoPen)
            token = "device" if life.end is None else "lazy"
            painter.setBrush(theme().colour(token, 70 if faded else 255))
            painter.drawRoundedRect(area, 2, 2)
            if area.height() >= NAMED:
                self._paint_name(painter, area, f"{name}  {formats.bytes_text(life.n_bytes)}")

    def _paint_name(self, painter: QPainter, area: QRectF, text: str) -> None:
        """On the bar where it fits, else beside it where there is room."""
        wide = QFontMetricsF(painter.font()).horizontalAdvance(text) + 8
        left = area.left() + 4
        painter.setPen(theme().colour("panel"))
        if wide > area.width():
            painter.setPen(theme().colour("muted"))
            after = area.right() + 4
            left = after if after + wide < self.width() else area.left() - wide + 4
        place = QRectF(left, area.top(), wide, area.height())
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, text)

    def _paint_peak(self, painter: QPainter) -> None:
        time, n_bytes = self._lifetimes.peak
        x = self._x(time)
        painter.setPen(QPen(theme().colour("transfer"), 1, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(x, TOP), QPointF(x, self._foot()))
        text = f"peak {formats.bytes_text(n_bytes)}"
        width = QFontMetricsF(painter.font()).horizontalAdvance(text)
        left = min(max(x - width / 2, SIDE), self.width() - SIDE - width)
        painter.drawText(QPointF(left, TOP - 7), text)

    def _foot(self) -> float:
        """Below the last bar."""
        return TOP + CURVE + 10 + len(self.shown()) * self._bar_height()

    def _paint_times(self, painter: QPainter) -> None:
        """From when to when, below the bars."""
        length = (self._lifetimes.last - self._lifetimes.first) / 1000
        area = QRectF(SIDE, self._foot() + 2, self.width() - 2 * SIDE, 14)
        painter.setPen(theme().colour("faint"))
        painter.drawText(area, Qt.AlignmentFlag.AlignLeft, "0")
        painter.drawText(area, Qt.AlignmentFlag.AlignRight, formats.milliseconds(length))

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
            text = life_text(life, self._lifetimes.last, self._name(life) if life else "")
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the line of a buffer."""
        life = self._life_at(event.position())
        if life is not None and life.line:
            self.line_wanted.emit(life.line)


def life_text(life: Life | None, now: float, name: str = "") -> str:
    """A buffer in words."""
    if life is None:
        return ""
    parts = [name or life.name] if name or life.name else []
    parts += [f"line {life.line}"] if life.line and parts != [f"line {life.line}"] else []
    lived = formats.milliseconds(((life.end or now) - life.start) / 1000)
    rest = "still there" if life.end is None else f"lived {lived}"
    return "  ·  ".join([*parts, formats.bytes_text(life.n_bytes), rest])
