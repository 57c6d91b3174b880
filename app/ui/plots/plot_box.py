"""pyqtgraph's view box with a figure's habits: drag pans, wheel zooms, double click goes home."""

from __future__ import annotations

from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt, Signal


class PlotBox(pg.ViewBox):  # type: ignore[misc]
    """The area of axes in which series are drawn.

    Attributes:
        brushing: whether a rectangle chooses points instead of zooming.
    """

    reset_wanted = Signal()
    clicked = Signal(object)
    brushed = Signal(QRectF)

    def __init__(self) -> None:
        super().__init__(enableMenu=False, defaultPadding=0.0)
        self.brushing = False
        self.setDefaultPadding(0.0)
        # Series clip themselves: their markers may reach over the edge.
        self.setFlag(self.GraphicsItemFlag.ItemClipsChildrenToShape, enabled=False)
        self.disableAutoRange()
        self.setMouseMode(pg.ViewBox.PanMode)

    def show_range(self, x: tuple[float, float], y: tuple[float, float]) -> None:
        """Show exactly these limits (more where the aspect ratio is locked)."""
        self.setRange(xRange=x, yRange=y, padding=0, disableAutoRange=True)

    def showAxRect(self, rect: QRectF, **_options: Any) -> None:
        """A rectangle was drawn: zoom into it, or choose the points inside."""
        if self.brushing:
            self.brushed.emit(rect)
        else:
            super().showAxRect(rect, padding=0)

    def ignore_mouse(self) -> None:
        """Leave the mouse to the box below."""
        self.setMouseEnabled(x=False, y=False)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self.setZValue(1)

    def mouseDoubleClickEvent(self, event: Any) -> None:
        """Back to the limits of the model."""
        event.accept()
        self.reset_wanted.emit()

    def mouseClickEvent(self, event: Any) -> None:
        """Tell where a click was; a double click goes home."""
        if event.double():
            self.reset_wanted.emit()
        elif event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit(event)
