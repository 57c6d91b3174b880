"""Parts of a panel beside each other, or one above the other where a panel is narrow."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget


class TurningSplitter(QSplitter):
    """Lies while there is more width than height, else stands.

    Each part comes with the pixels it begins with and its share of what is added later.
    """

    def __init__(self, *parts: tuple[QWidget, int, int]) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)
        for place, (widget, _, share) in enumerate(parts):
            self.addWidget(widget)
            self.setStretchFactor(place, share)
        self.setSizes([size for _, size, _ in parts])

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Turn, with the same shares."""
        super().resizeEvent(event)
        upright = self.width() < self.height()
        wanted = Qt.Orientation.Vertical if upright else Qt.Orientation.Horizontal
        if wanted != self.orientation():
            shares = self.sizes()
            self.setOrientation(wanted)
            self.setSizes(shares)
