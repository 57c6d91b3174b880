"""A small roofline: what the device could do, and what each kernel did."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app.ui.run_model.roofline_model import EXCEEDED, Roofs, Spot
from app.ui.support import formats
from app.ui.support.fonts import ui_font
from app.ui.support.theme import theme, theme_hub

LEFT, RIGHT, TOP, BOTTOM, RADIUS, TALLEST = 14, 14, 24, 36, 4.0, 250
LEAST, MOST = 0.01, 1000.0
TICKS = (0.1, 1, 10, 100)


class Roofline(QWidget):
    """Operations per second over operations per byte, both logarithmic."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._roofs = Roofs(0.0, 0.0)
        self._spots: Sequence[Spot] = ()
        self._key = ""
        self.setAccessibleName("Roofline of the kernels")
        self.setFixedWidth(250)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        theme_hub().changed.connect(self.update)

    def show_spots(self, roofs: Roofs, spots: Sequence[Spot]) -> None:
        """Draw these kernels; without measured limits there is nothing to draw."""
        self._roofs, self._spots = roofs, spots
        self.setVisible(bool(roofs.bandwidth and roofs.arithmetic and spots))
        self.update()

    def mark(self, key: str) -> None:
        """Highlight a kernel."""
        self._key = key
        self.update()

    # --- places -----------------------------------------------------------------------

    def place(self, intensity: float, rate: float) -> QPointF:
        """Where a point is drawn."""
        wide = self.width() - LEFT - RIGHT
        across = (log10(intensity) - log10(LEAST)) / (log10(MOST) - log10(LEAST))
        rates = [self._roofs.arithmetic, self._roofs.limit(LEAST), *(s.rate for s in self._spots)]
        low, high = log10(max(min(rates), 1.0) / 2), log10(max(rates) * 2)
        down = (high - log10(max(rate, 1.0))) / (high - low)
        return QPointF(
            LEFT + wide * min(max(across, 0.0), 1.0),
            TOP + (self._foot() - TOP) * min(max(down, 0.0), 1.0),
        )

    def _foot(self) -> int:
        """Where the axis is: however tall the panel, a roofline is wider than tall."""
        return min(self.height(), TALLEST) - BOTTOM

    def _spot_at(self, place: QPointF) -> Spot | None:
        for spot in self._spots:
            if (self.place(spot.intensity, spot.rate) - place).manhattanLength() < 3 * RADIUS:
                return spot
        return None

    # --- painting ---------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Roof, kernels, words."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(ui_font(10))
        self._paint_roof(painter)
        for spot in self._spots:
            self._paint_spot(painter, spot)
        painter.end()

    def _paint_roof(self, painter: QPainter) -> None:
        roofs, foot = self._roofs, self._foot()
        for tick in TICKS:
            x = self.place(tick, roofs.arithmetic).x()
            painter.setPen(theme().colour("border"))
            painter.drawLine(QPointF(x, TOP), QPointF(x, foot))
            painter.setPen(theme().colour("faint"))
            area = QRectF(x - 20, foot + 3, 40, 14)
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, f"{tick:g}")
        ridge = self.place(roofs.ridge, roofs.arithmetic)
        painter.setPen(QPen(theme().colour("host"), 1.5))
        painter.drawLine(self.place(LEAST, roofs.limit(LEAST)), ridge)
        painter.drawLine(ridge, self.place(MOST, roofs.arithmetic))
        painter.setPen(theme().colour("faint"))
        words = QRectF(LEFT, foot + 18, self.width() - LEFT - RIGHT, BOTTOM)
        painter.drawText(words, Qt.AlignmentFlag.AlignLeft, "operations per byte →")
        head = QRectF(LEFT, 5, self.width() - LEFT - RIGHT, TOP)
        painter.drawText(head, Qt.AlignmentFlag.AlignLeft, f"{_bytes(roofs.bandwidth)} copied")
        text = f"{formats.large(roofs.arithmetic)} op/s"
        painter.drawText(head, Qt.AlignmentFlag.AlignRight, text)

    def _paint_spot(self, painter: QPainter, spot: Spot) -> None:
        chosen = spot.key == self._key
        painter.setPen(QPen(theme().colour("text"), 1.5) if chosen else Qt.PenStyle.NoPen)
        painter.setBrush(theme().colour("warning" if self._roofs.exceeded(spot) else "device"))
        size = RADIUS + 1 if chosen else RADIUS
        painter.drawEllipse(self.place(spot.intensity, spot.rate), size, size)

    # --- mouse ------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Tooltips name the kernel and its share of what is possible."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            spot = self._spot_at(QPointF(event.pos()))
            text = spot_text(spot, self._roofs) if spot else ""
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the kernel below the mouse."""
        spot = self._spot_at(event.position())
        if spot is not None:
            self.chosen.emit(spot.key)


def _bytes(rate: float) -> str:
    return f"{formats.bytes_text(rate)}/s"


def spot_text(spot: Spot, roofs: Roofs) -> str:
    """A kernel in words."""
    bound = "memory" if spot.intensity < roofs.ridge else "arithmetic"
    share = formats.percent(spot.rate, roofs.limit(spot.intensity))
    remark = f"\n{EXCEEDED}" if roofs.exceeded(spot) else ""
    return (
        f"{spot.label}\n{formats.large(spot.rate)} op/s, {share} of what {bound} allows here "
        f"(operations as the cost model counts them){remark}"
    )
