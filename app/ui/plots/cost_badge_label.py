"""The label of the badge: in a narrow dock it says less instead of being cut off."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy

from app.ui.plots.cost_badge import SEPARATOR

SIDE = 12


class BadgeLabel(QLabel):
    """Shows as many of the badge's parts as there is room for."""

    def __init__(self) -> None:
        super().__init__()
        self._parts: tuple[str, ...] = ()
        self.setObjectName("FigureBadge")
        self.setProperty("role", "device")
        self.setContentsMargins(SIDE, 3, SIDE, 5)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_parts(self, parts: Sequence[str]) -> None:
        """Show these parts, the first ones at any rate."""
        self._parts = tuple(parts)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """There is more room, or less."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        room, metrics = self.width() - 2 * SIDE, self.fontMetrics()
        for count in range(len(self._parts), 0, -1):
            text = SEPARATOR.join(self._parts[:count])
            if metrics.horizontalAdvance(text) <= room:
                self.setText(text)
                return
        first = self._parts[0] if self._parts else ""
        self.setText(metrics.elidedText(first, Qt.TextElideMode.ElideRight, room))
