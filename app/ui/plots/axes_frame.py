"""The outline of axes in a plane."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyqtgraph as pg
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPen

from app.ui.plots.paint_support import told
from app.ui.plots.style import POINT

if TYPE_CHECKING:
    from app.ui.plots.axes_item import AxesItem


class FrameItem(pg.GraphicsObject):  # type: ignore[misc]
    """The lines around the plot box, above the series."""

    def __init__(self, axes: AxesItem) -> None:
        super().__init__(axes)
        self._axes = axes
        self.setZValue(10)

    def boundingRect(self) -> QRectF:
        """Around the plot box."""
        return QRectF(self._axes.box.geometry()).adjusted(-2, -2, 2, 2)

    @told
    def paint(self, painter: QPainter, *_args: Any) -> None:
        """Two lines, or four for a box."""
        axes = self._axes
        if not axes.model["Visible"]:
            return
        area = axes.box.geometry().adjusted(0, 0, -1, -1)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        painter.setPen(QPen(axes.style.frame, max(1, round(axes.model["LineWidth"] * POINT))))
        if axes.model["Box"]:
            painter.drawRect(area)
            return
        if axes.model["XShown"] and not axes.rulers["bottom"].shift:
            top = axes.rulers["bottom"].side == "top"
            painter.drawLine(
                area.topLeft() if top else area.bottomLeft(),
                area.topRight() if top else area.bottomRight(),
            )
        if axes.model["YShown"] and not axes.rulers["left"].shift:
            right = axes.rulers["left"].side == "right"
            painter.drawLine(
                area.bottomRight() if right else area.bottomLeft(),
                area.topRight() if right else area.topLeft(),
            )
        if "right" in axes.rulers:
            painter.drawLine(area.bottomRight(), area.topRight())
