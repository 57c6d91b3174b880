"""Polygons whose colours are blended between their corners, as a picture of their pixels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from app.ui.plots.host.brush import Brush, palette_rows, polyline
from app.ui.plots.paint_support import sharpness_of
from app.ui.plots.series_arrays import Array, Exported, table

EDGE = 1e-9
"""How far outside, as a share of the triangle, a pixel on its edge may be found by rounding."""
SMALL = 1.0, 6.0
"""Pixels across, up to which each of a few and each of `MANY` polygons has its middle's colour."""
MANY = 5000


@dataclass(frozen=True, slots=True, eq=False)
class VertexColors:
    """What the corners of polygons are coloured by.

    Attributes:
        brush: paints the polygons.
        values: a row per vertex: red, green and blue from 0 to 1, or one number for the palette;
            and its opacity.
        small: pixels across, up to which a polygon has the colour of its middle.
    """

    brush: Brush
    values: Array
    small: float = SMALL[0]

    def rows(self, values: Array) -> Array:
        """Red, green, blue, alpha of rows of blended values, from 0 to 255, premultiplied."""
        # Weights of corners do not add up to 1 exactly: equal opacities stay equal.
        values, opacities = values[:, :-1], values[:, -1:].round(6)
        if values.shape[1] == 3:
            levels = np.column_stack(
                [np.clip(np.nan_to_num(values), 0, 1) * 255, np.full(len(values), 255.0)]
            )
        else:
            axes = self.brush.axes
            levels = palette_rows(values[:, 0], axes["colormap"], axes["CLim"]).astype(np.float64)
        return np.floor(levels * opacities + 0.5).astype(np.uint8)

    def middle(self, corners: Array) -> QColor:
        """The colour of the middle of some vertices."""
        row = self.values[corners].mean(axis=0, keepdims=True)
        red, green, blue, alpha = self.rows(row)[0].tolist()
        whole = 255 / alpha if alpha else 0.0
        return QColor(round(red * whole), round(green * whole), round(blue * whole), alpha)


def vertex_colors(brush: Brush, series: Exported, faces: int, vertices: int) -> VertexColors | None:
    """What a polygon series blends; None where its faces have one colour each."""
    values = series["FaceVertexCData"]
    if series["FaceColor"] != "interp" or values is None:
        return None
    rows = table(values).astype(np.float64)
    if len(rows) != vertices or rows.shape[1] not in (1, 3):
        return None
    kept, found = series["FaceAlpha"], series["opacities"]
    if isinstance(kept, str):
        per_vertex = found is not None and found.size == vertices
        opacity = found.reshape(-1, 1) if per_vertex else np.ones((vertices, 1))
    else:
        opacity = np.full((vertices, 1), kept)
    small = float(np.interp(faces, (0, MANY), SMALL))
    return VertexColors(brush, np.hstack([rows, opacity]), small)


def fill_blended(colors: VertexColors, spots: Array, corners: Array) -> None:
    """Fill a convex polygon with the blended colours of its corners.

    Args:
        colors: of all vertices.
        spots: n by 2, the corners in pixels of the box, all finite; what is outside is left out.
        corners: which vertices they are.
    """
    brush = colors.brush
    values = colors.values[corners]
    if (np.ptp(spots, axis=0) <= colors.small).all() or (values == values[0]).all():
        color = colors.middle(corners)
        brush.painter.setBrush(color)
        brush.painter.setPen(Qt.PenStyle.NoPen if color.alpha() < 255 else QPen(color, 0.7))
        brush.painter.drawPolygon(polyline(spots[:, 0], spots[:, 1]))
        return
    ratio = sharpness_of(brush.painter)
    device = brush.painter.deviceTransform()
    # Its pixels are the painter's own, so that polygons beside each other leave no gap.
    origin = np.array([device.dx(), device.dy()]) % 1.0
    limit = np.ceil(np.array([brush.window.width, brush.window.height]) * ratio + origin)
    low = np.clip(np.floor(spots.min(axis=0) * ratio + origin), 0, limit).astype(np.intp)
    high = np.clip(np.ceil(spots.max(axis=0) * ratio + origin), 0, limit).astype(np.intp)
    width, height = (high - low).tolist()
    if width == 0 or height == 0:
        return
    left, top = (low - origin).tolist()
    x = (left + np.arange(width) + 0.5) / ratio
    y = ((top + np.arange(height) + 0.5) / ratio)[:, None]
    shown = np.zeros((height, width, 4), np.uint8)
    for k in range(1, len(spots) - 1):
        inside, weights = _pixels_inside(x, y, spots[[0, k, k + 1]])
        shown[inside] = colors.rows(weights @ values[[0, k, k + 1]])
    picture = QImage(
        shown.data, width, height, 4 * width, QImage.Format.Format_RGBA8888_Premultiplied
    )
    brush.painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, on=False)
    place = QRectF(left / ratio, top / ratio, width / ratio, height / ratio)
    brush.painter.drawImage(place, picture)


def _pixels_inside(x: Array, y: Array, spots: Array) -> tuple[Array, Array]:
    """Which pixels lie in a triangle, and a row of their three barycentric coordinates each."""
    (ax, ay), (bx, by), (cx, cy) = spots.tolist()
    area = (by - cy) * (ax - cx) + (cx - bx) * (ay - cy)
    if area == 0:
        return np.zeros((len(y), x.size), dtype=bool), np.zeros((0, 3))
    first = ((by - cy) * (x - cx) + (cx - bx) * (y - cy)) / area
    second = ((cy - ay) * (x - cx) + (ax - cx) * (y - cy)) / area
    weights = np.stack([first, second, 1 - first - second], axis=-1)
    inside: Array = weights.min(axis=-1) >= -EDGE
    return inside, weights[inside]
