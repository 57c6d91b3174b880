"""Box charts on the host."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QPainter

from app.ui.plots.host.brush import Brush, polyline
from app.ui.plots.host.markers import draw_markers, marker_radius
from app.ui.plots.series_arrays import Array, Exported
from app.ui.plots.style import line_pen

Spots = tuple[Array, Array]


def _spots(brush: Brush, series: Exported, across: Any, along: Any) -> Spots:
    """Pixels of points given across and along the boxes."""
    a, b = np.asarray(across, dtype=float), np.asarray(along, dtype=float)
    if series["Orientation"] == "horizontal":
        a, b = b, a
    return brush.data_x(a), brush.data_y(b)


def _lines(spots: Spots) -> list[QLineF]:
    """Lines between points taken in pairs."""
    points = [QPointF(x, y) for x, y in zip(*(part.tolist() for part in spots), strict=True)]
    return [QLineF(a, b) for a, b in zip(points[::2], points[1::2], strict=True)]


def _outline(box: dict[str, Any], middle: float, half: float, *, notch: bool) -> tuple[Any, Any]:
    """The corners of a box, with a waist at its median where wanted."""
    low, high, median, waist = box["low"], box["high"], box["middle"], box["notch"]
    if not notch:
        return (
            [middle - half, middle + half, middle + half, middle - half],
            [low, low, high, high],
        )
    right = [middle + half, middle + half, middle + half / 2, middle + half, middle + half]
    heights = [low, median - waist, median, median + waist, high]
    return [*right, *(2 * middle - x for x in reversed(right))], [*heights, *reversed(heights)]


def draw_boxchart(brush: Brush, series: Exported) -> None:
    """Boxes with whiskers, medians and outliers."""
    brush.painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for box in series["boxes"]:
        _draw_box(brush, series, box, box["place"] + series["XOffset"])


def _draw_box(brush: Brush, series: Exported, box: dict[str, Any], middle: float) -> None:
    painter, half = brush.painter, series["BoxWidth"] / 2
    edge = brush.color(series["BoxEdgeColor"])
    face = QColor(brush.color(series["BoxFaceColor"]))
    if face.alpha():
        face.setAlphaF(series["BoxFaceAlpha"])
    outline = _outline(box, middle, half, notch=series["Notch"])
    painter.setPen(line_pen(edge, "-", series["LineWidth"]))
    painter.setBrush(face)
    painter.drawPolygon(polyline(*_spots(brush, series, *outline)))
    waist = half / 2 if series["Notch"] else half
    painter.setPen(line_pen(brush.color(series["MedianColor"], edge), "-", series["LineWidth"]))
    painter.drawLines(
        _lines(_spots(brush, series, [middle - waist, middle + waist], [box["middle"]] * 2))
    )
    first, last = box["ends"]
    whisker = brush.color(series["WhiskerLineColor"], edge)
    painter.setPen(line_pen(whisker, series["WhiskerLineStyle"], series["LineWidth"]))
    painter.drawLines(
        _lines(_spots(brush, series, [middle] * 4, [box["low"], first, box["high"], last]))
    )
    painter.setPen(line_pen(whisker, "-", series["LineWidth"]))
    painter.drawLines(
        _lines(
            _spots(
                brush,
                series,
                [middle - half / 2, middle + half / 2] * 2,
                [first, first, last, last],
            )
        )
    )
    _draw_outliers(brush, series, box["outliers"], middle)


def _draw_outliers(brush: Brush, series: Exported, values: Array, middle: float) -> None:
    if series["MarkerStyle"] == "none" or not len(values):
        return
    places = np.full(len(values), middle)
    if series["JitterOutliers"]:
        turn = np.modf(np.arange(len(values)) * 0.6180339887)[0] - 0.5
        places = places + 0.6 * series["BoxWidth"] * turn
    across, down = _spots(brush, series, places, values)
    edge = brush.color(series["MarkerColor"])
    face = edge if series["MarkerStyle"] == "." else QColor(Qt.GlobalColor.transparent)
    radius = marker_radius(series["MarkerStyle"], series["MarkerSize"])
    draw_markers(
        brush.painter, *brush.inside(across, down), series["MarkerStyle"], radius, face, edge
    )
