"""A thin bar that shows how parts fill a whole, with a word about each part."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.ui.support import formats
from app.ui.support.theme import theme, theme_hub

HEIGHT = 6
Part = tuple[str, float, str]


class Meter(QWidget):
    """Parts (name, amount, colour token) of a whole; what is left is the groove."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._parts: tuple[Part, ...] = ()
        self._whole = 0.0
        self.setAccessibleName(name)
        self.setMinimumWidth(80)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme_hub().changed.connect(self.update)

    def show_parts(self, parts: Sequence[Part], whole: float) -> None:
        """Show these parts of ``whole`` (their sum where there is no whole)."""
        self._parts = tuple(parts)
        self._whole = max(whole, sum(amount for _, amount, _ in parts), 1.0)
        self.setToolTip(self.text())
        self.setAccessibleDescription(self.text())
        self.update()

    def text(self) -> str:
        """The parts in words."""
        return "  ·  ".join(f"{name} {formats.bytes_text(n)}" for name, n, _ in self._parts)

    def sizeHint(self) -> QSize:
        """Thin."""
        return QSize(160, HEIGHT + 2)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The groove, then the parts side by side."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        groove = QRectF(0, (self.height() - HEIGHT) / 2, self.width(), HEIGHT)
        painter.setBrush(theme().colour("hover"))
        painter.drawRoundedRect(groove, HEIGHT / 2, HEIGHT / 2)
        left = 0.0
        for _name, amount, token in self._parts:
            width = groove.width() * amount / self._whole
            if amount:
                painter.setBrush(theme().colour(token))
                part = QRectF(left, groove.top(), max(width, 3.0), HEIGHT)
                painter.drawRoundedRect(part, HEIGHT / 2, HEIGHT / 2)
            left += width
        painter.end()
