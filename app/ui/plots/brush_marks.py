"""The points that were brushed, marked over their charts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from app.ui.plots.axes_item import AxesItem
from app.ui.plots.paint_support import told
from app.ui.plots.series_arrays import Array, Exported, count_of, host_array, to_axis
from app.ui.plots.tip_ground import ground_of

MARK = QColor(0xE5, 0x2B, 0x2B)
"""As in MATLAB, red; readable on light and dark ground."""
WIDTH = 7.0


@dataclass(frozen=True, slots=True)
class _Marked:
    """Points of one series.

    Attributes:
        axes: their axes.
        side: the y axis that they belong to.
        x: coordinates.
        y: coordinates.
    """

    axes: AxesItem
    side: str
    x: Array
    y: Array


class BrushMarks(pg.GraphicsObject):  # type: ignore[misc]
    """A dot over every brushed point of all axes of a figure."""

    def __init__(self, figure: pg.GraphicsWidget) -> None:
        super().__init__(figure)
        self._marked: list[_Marked] = []
        self.setZValue(20)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        figure.moved.connect(self.update)

    def show(self, shown: Iterable[AxesItem]) -> None:
        """Mark the points of the axes as they are now."""
        before = self._marked
        self._marked = [
            _marked_in(axes, series)
            for axes in shown
            if axes.space is None
            for series in axes.model["children"]
            if series["Visible"] and series.get("brushed") is not None
            if series.get("XData") is not None and series.get("YData") is not None
        ]
        if before or self._marked:
            self.update()

    def count(self) -> int:
        """How many points are marked."""
        return sum(len(marked.x) for marked in self._marked)

    def boundingRect(self) -> QRectF:
        """The whole figure."""
        return QRectF(self.parentItem().boundingRect())

    @told
    def paint(self, painter: QPainter, *_args: Any) -> None:
        """The dots, inside their axes."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(MARK, WIDTH, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        for marked in self._marked:
            box = ground_of(marked.axes, marked.side).box
            painter.setClipRect(self.mapRectFromScene(box.sceneBoundingRect()))
            painter.drawPoints(QPolygonF([QPointF(*spot) for spot in self._spots(marked)]))
        painter.setClipping(False)

    def _spots(self, marked: _Marked) -> list[list[float]]:
        """Where the points are drawn; those on one pixel once."""
        ground = ground_of(marked.axes, marked.side)
        (left, right), (low, high) = ground.box.viewRange()
        corners = [QPointF(left, low), QPointF(right, low), QPointF(left, high)]
        begin, across, up = (
            np.array([spot.x(), spot.y()])
            for spot in (self.mapFromScene(ground.box.mapViewToScene(c)) for c in corners)
        )
        x = (to_axis(marked.x, log=ground.log[0]) - left) / ((right - left) or 1.0)
        y = (to_axis(marked.y, log=ground.log[1]) - low) / ((high - low) or 1.0)
        spots = begin + x[:, None] * (across - begin) + y[:, None] * (up - begin)
        seen = np.isfinite(spots).all(axis=1) & (np.abs(x - 0.5) < 1) & (np.abs(y - 0.5) < 1)
        found: list[list[float]] = np.unique(np.round(spots[seen] * 2) / 2, axis=0).tolist()
        return found


def _marked_in(axes: AxesItem, series: Exported) -> _Marked:
    count = min(count_of(series["XData"]), count_of(series["YData"]))
    places = series["brushed"][series["brushed"] < count]
    names = ("YData", "XData") if series.get("Horizontal") else ("XData", "YData")
    x, y = (_elements(series[name], places) for name in names)
    return _Marked(axes, series.get("YAxisSide", "left"), x, y)


def _elements(data: Exported, places: Array) -> Array:
    """Some elements; of data on the device only those come down."""
    if data["kind"] == "device":
        pin = data["buffer"]
        wanted = (places + int(data["offset"])).tolist()
        return np.asarray(pin.runtime.gather_elements(pin.node, wanted, "brush"), dtype=float)
    return np.asarray(host_array(data).reshape(-1, order="F")[places], dtype=float)
