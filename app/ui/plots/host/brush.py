"""What a series is painted with: a painter over the plot box, in pixels of the box."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPolygonF

from app.ui.plots.decimate import Line
from app.ui.plots.series_arrays import Array, Exported, Window, flat_floats, to_axis
from app.ui.plots.style import Style, line_pen

FAR = 1e7
"""Pixels beyond which coordinates are cut: Qt's rasteriser is not made for more."""


@dataclass(slots=True)
class Brush:
    """A painter with the window it shows.

    Attributes:
        painter: its origin is the top left corner of the plot box.
        window: what is visible.
        style: colours.
        axes: the axes' snapshot.
        cache: what one series keeps from one painting to the next.
        margin: pixels around the window that a picture of the device shows too.
    """

    painter: QPainter
    window: Window
    style: Style
    axes: Exported
    cache: dict[str, Any] = field(default_factory=dict)
    margin: int = 0

    def line(self, series: Exported) -> Line:
        """X and Y of a series in axis coordinates, ready to be thinned."""
        key = f"line {self.window.log_x} {self.window.log_y}"
        if key not in self.cache:
            self.cache[key] = Line(*self._points(series))
        found: Line = self.cache[key]
        return found

    def points(self, series: Exported) -> tuple[Array, Array]:
        """X and Y of a series in axis coordinates, as doubles."""
        key = f"points {self.window.log_x} {self.window.log_y}"
        if key not in self.cache:
            line = self.line(series)
            self.cache[key] = tuple(
                part.astype(np.float64, copy=False) for part in (line.x, line.y)
            )
        x, y = self.cache[key]
        return x, y

    def _points(self, series: Exported) -> tuple[Array, Array]:
        x = to_axis(flat_floats(series["XData"]), log=self.window.log_x)
        y = to_axis(flat_floats(series["YData"]), log=self.window.log_y)
        count = min(len(x), len(y))
        return x[:count], y[:count]

    def x(self, values: Array) -> Array:
        """Pixels of axis coordinates."""
        return _near(self.window.x_pixels(values))

    def y(self, values: Array) -> Array:
        """Pixels of axis coordinates."""
        return _near(self.window.y_pixels(values))

    def inside(self, across: Array, down: Array) -> tuple[Array, Array]:
        """Pixels of markers: those outside of the box become gaps, and the others may reach over
        its edge."""
        out = (across < -0.5) | (across > self.window.width + 0.5)
        out |= (down < -0.5) | (down > self.window.height + 0.5)
        self.painter.setClipping(False)
        return np.where(out, np.nan, across), np.where(out, np.nan, down)

    def data_x(self, values: Array) -> Array:
        """Pixels of data coordinates."""
        return self.x(to_axis(np.asarray(values, dtype=np.float64), log=self.window.log_x))

    def data_y(self, values: Array) -> Array:
        """Pixels of data coordinates."""
        return self.y(to_axis(np.asarray(values, dtype=np.float64), log=self.window.log_y))

    def color(self, kept: Any, auto: QColor | None = None) -> QColor:
        """A colour of the model."""
        return self.style.color(kept, auto)

    def mapped(self, values: Array) -> Array:
        """Rows of red, green, blue, 255 that values stand for; NaN rows are transparent."""
        return palette_rows(values, self.axes["colormap"], self.axes["CLim"])

    def stroke(self, series: Exported, color: QColor) -> None:
        """Use the series' line style from now on."""
        self.painter.setPen(line_pen(color, series["LineStyle"], series["LineWidth"]))
        self.painter.setBrush(Qt.BrushStyle.NoBrush)

    def fill(self, color: QColor, rim: QPen | None = None) -> None:
        """Fill shapes from now on."""
        self.painter.setPen(rim or QPen(Qt.PenStyle.NoPen))
        self.painter.setBrush(QBrush(color))


def _near(pixels: Array) -> Array:
    """Coordinates that Qt can draw; infinities become gaps."""
    kept: Array = np.where(np.isinf(pixels), np.nan, np.clip(pixels, -FAR, FAR))
    return kept


def palette_places(values: Array, size: int, limits: tuple[float, float]) -> Array:
    """Which row of a palette every value stands for (NaN gives row 0)."""
    low, high = limits
    with np.errstate(invalid="ignore", over="ignore"):
        place: Array = np.floor((values - low) * (size / (high - low)))
    found: Array = np.nan_to_num(np.clip(place, 0, size - 1)).astype(np.intp)
    return found


def palette_rows(values: Array, palette: Array, limits: tuple[float, float]) -> Array:
    """Red, green, blue, alpha of values; NaN is transparent."""
    rows: Array = palette[palette_places(values, len(palette), limits)].copy()
    rows[np.isnan(values)] = 0
    return rows


def polyline(x: Array, y: Array) -> QPolygonF:
    """Points as a Qt polygon."""
    import pyqtgraph

    if not len(x):  # pyqtgraph cannot fill a polygon without memory
        return QPolygonF()
    made: QPolygonF = pyqtgraph.functions.arrayToQPolygonF(x, y)
    return made


def runs(mask: Array) -> list[slice]:
    """The stretches where a mask is true."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], mask.astype(np.int8), [0]])))
    return [slice(int(a), int(b)) for a, b in edges.reshape(-1, 2)]


def box(left: float, top: float, right: float, bottom: float) -> QRectF:
    """A rectangle from its edges, whichever way round."""
    return QRectF(QPointF(left, top), QPointF(right, bottom)).normalized()
