"""The bars of the run summary: parts of the wall time, and two sides compared."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.ui.run_model.advice import Share
from app.ui.run_model.device_comparison import Side, verdict
from app.ui.support import formats
from app.ui.support.fonts import ui_font
from app.ui.support.theme import theme, theme_hub

BAR = 14
LEGEND = 22
ROW = 24
_NOTHING: Mapping[str, float] = MappingProxyType({})


class ShareBar(QWidget):
    """The parts of the wall time side by side, with a legend below."""

    def __init__(self) -> None:
        super().__init__()
        self.shares: list[Share] = []
        self._before: Mapping[str, float] = _NOTHING
        self.setMinimumHeight(BAR + 12 + LEGEND)
        self.setAccessibleName("Where the time went")
        theme_hub().changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """One bar and one line of text."""
        return QSize(400, BAR + 12 + LEGEND)

    def show_shares(self, shares: list[Share], before: Mapping[str, float] = _NOTHING) -> None:
        """Draw other parts; ``before`` says how long they took in the pinned run."""
        self.shares, self._before = shares, before
        texts = (f"{s.title} {formats.milliseconds(s.ms)}" for s in shares)
        self.setAccessibleDescription(", ".join(texts))
        self._make_room()
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The bar, then a dot, a name and a time for each part."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        total, x = sum(s.ms for s in self.shares) or 1.0, 0.0
        for share in self.shares:
            width = share.ms / total * self.width()
            painter.setBrush(theme().colour(share.tint))
            painter.drawRoundedRect(QRectF(x, 0, max(width - 2, 1.5), BAR), 2, 2)
            x += width
        self._paint_legend(painter)
        painter.end()

    def resizeEvent(self, _event: object) -> None:
        """The words wrap where the bar is narrow."""
        self._make_room()

    def _make_room(self) -> None:
        rows = 1 + int(max((y for _, y, _, _ in self._words()), default=0.0))
        self.setMinimumHeight(BAR + 12 + rows * LEGEND)

    def _words(self) -> list[tuple[float, int, str, Share]]:
        """The legend: place, row, text and what it is about."""
        metrics, x, row = QFontMetricsF(ui_font(12)), 0.0, 0
        words: list[tuple[float, int, str, Share]] = []
        for share in self.shares:
            was = self._before.get(share.title)
            then = f" (was {formats.milliseconds(was)})" if was is not None else ""
            text = f"{share.title}  {formats.milliseconds(share.ms)}{then}"
            width = metrics.horizontalAdvance(text) + 34
            if words and x + width > self.width() + 20:
                x, row = 0.0, row + 1
            words.append((x, row, text, share))
            x += width
        return words

    def _paint_legend(self, painter: QPainter) -> None:
        painter.setFont(ui_font(12))
        for x, row, text, share in self._words():
            y = BAR + 12 + row * LEGEND
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme().colour(share.tint))
            painter.drawEllipse(QRectF(x, y + 4, 8, 8))
            painter.setPen(theme().colour("muted"))
            painter.drawText(QRectF(x + 14, y, self.width(), 16), text)


class CompareBars(QWidget):
    """The times of both sides as bars: warm in full colour, the rest of the cold run pale."""

    def __init__(self) -> None:
        super().__init__()
        self.sides: list[Side] = []
        self.setMinimumHeight(2 * ROW + 24)
        self.setAccessibleName("CPU and GPU compared")
        theme_hub().changed.connect(self.update)

    def show_sides(self, found: list[Side]) -> None:
        """Draw these sides."""
        self.sides = found
        self.setAccessibleDescription(verdict(found))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """A line of text, then one bar per side."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(ui_font(13))
        painter.setPen(theme().colour("text"))
        painter.drawText(QRectF(0, 0, self.width(), 20), verdict(self.sides))
        longest = max((max(s.cold_ms, s.warm_ms) for s in self.sides), default=1.0)
        for number, side in enumerate(self.sides):
            self._paint_side(painter, side, 24 + number * ROW, longest)
        painter.end()

    def _paint_side(self, painter: QPainter, side: Side, top: int, longest: float) -> None:
        tint = "device" if side.title == "GPU" else "host"
        room = max(self.width() - 320, 40)
        painter.setPen(theme().colour("muted"))
        painter.setFont(ui_font(12))
        painter.drawText(QRectF(0, top, 40, BAR + 4), side.title)
        painter.setPen(Qt.PenStyle.NoPen)
        for time, alpha in ((side.cold_ms, 70), (side.warm_ms, 255)):
            painter.setBrush(theme().colour(tint, alpha))
            painter.drawRoundedRect(QRectF(44, top, max(time / longest * room, 2), BAR), 2, 2)
        warm, first = (formats.milliseconds(ms) for ms in (side.warm_ms, side.cold_ms))
        text = f"warm {warm}   first {first}"
        painter.setPen(theme().colour("text"))
        left = 44 + max(side.cold_ms, side.warm_ms) / longest * room + 12
        painter.drawText(QRectF(left, top - 1, 270, BAR + 4), text)
