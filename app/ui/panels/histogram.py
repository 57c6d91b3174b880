"""How long each run of a kernel took, as a small histogram."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.ui.support import formats
from app.ui.support.fonts import ui_font
from app.ui.support.theme import theme, theme_hub

BINS, SIDE, TOP, BOTTOM, WIDTH, TALLEST = 24, 14, 24, 36, 220, 250


def bins_of(times: Sequence[float], count: int = BINS) -> list[int]:
    """How many times fall into each of ``count`` equal steps."""
    low, high = min(times), max(times)
    found = [0] * count
    for time in times:
        share = (time - low) / (high - low) if high > low else 0.0
        found[min(int(share * count), count - 1)] += 1
    return found


class TimesHistogram(QWidget):
    """Draws the times of one kernel, in milliseconds."""

    def __init__(self) -> None:
        super().__init__()
        self.times: Sequence[float] = ()
        self.setAccessibleName("Times of the kernel's runs")
        self.setFixedWidth(WIDTH)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        theme_hub().changed.connect(self.update)
        self.hide()

    def show_times(self, times: Sequence[float]) -> None:
        """Draw other times; a single one is no histogram."""
        self.times = times
        self.setVisible(len(times) > 1)
        self.setAccessibleDescription(self.words())
        self.setToolTip(self.words())
        self.update()

    def words(self) -> str:
        """The times in a sentence."""
        if not self.times:
            return ""
        ordered = sorted(self.times)
        median = formats.milliseconds(ordered[len(ordered) // 2])
        return f"{formats.count(len(ordered))} runs, half of them below {median}"

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Bars, the range below them, how many above."""
        if len(self.times) < 2:
            return
        painter = QPainter(self)
        painter.setFont(ui_font(10))
        found = bins_of(self.times)
        wide, tall = self.width() - 2 * SIDE, min(self.height(), TALLEST) - TOP - BOTTOM
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().colour("device"))
        for number, count in enumerate(found):
            height = tall * count / max(found)
            left = SIDE + wide * number / BINS
            painter.drawRect(QRectF(left, TOP + tall - height, wide / BINS - 1, height))
        painter.setPen(theme().colour("faint"))
        painter.drawLine(SIDE, TOP + tall, SIDE + wide, TOP + tall)
        foot = QRectF(SIDE, TOP + tall + 4, wide, BOTTOM)
        painter.drawText(foot, Qt.AlignmentFlag.AlignLeft, formats.milliseconds(min(self.times)))
        painter.drawText(foot, Qt.AlignmentFlag.AlignRight, formats.milliseconds(max(self.times)))
        head = QRectF(SIDE, 5, wide, TOP)
        painter.drawText(head, Qt.AlignmentFlag.AlignLeft, f"{len(self.times)} runs")
        painter.end()
