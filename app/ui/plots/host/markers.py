"""Marker shapes on the host: the same outlines that the device draws."""

from __future__ import annotations

import math
from functools import cache
from typing import cast

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QImage,
    QPaintEngine,
    QPainter,
    QPainterPath,
    QPen,
    QPixmap,
    QPolygonF,
)
from shiboken6 import wrapInstance

from app.ui.plots.series_arrays import Array
from app.ui.plots.style import POINT

STROKED = frozenset(("+", "x", "*", "_", "|"))
EDGE = 1.1
"""Rims are a little wider than a pixel: below that Qt draws them with a thinner rule."""
SPRITES_FROM = 400
"""More markers than this are stamped from one picture."""
CROWD_FROM = 5000
"""More markers than this stand on whole pixels of a screen: nobody sees a part of one then."""
CROWD_CHUNK = 100_000
_FRAGMENT = 10
"""Doubles of a ``QPainter.PixmapFragment``: place, source, scale, rotation, opacity."""


def marker_radius(marker: str, points: float) -> float:
    """Half the size of a marker in pixels; dots are a third of the size."""
    diameter = points * POINT
    return max(diameter / 6, 1.0) if marker == "." else diameter / 2


@cache
def marker_path(marker: str, radius: float) -> QPainterPath:
    """The outline around the origin."""
    made = QPainterPath()
    r = radius
    match marker:
        case "o" | ".":
            made.addEllipse(QPointF(0, 0), r, r)
        case "square":
            made.addRect(-0.9 * r, -0.9 * r, 1.8 * r, 1.8 * r)
        case "diamond":
            _polygon(made, [(0, -r), (0.8 * r, 0), (0, r), (-0.8 * r, 0)])
        case "^" | "v" | "<" | ">":
            turn = {"^": -90, "v": 90, "<": 180, ">": 0}[marker]
            _polygon(made, [_polar(r, turn + k * 120) for k in range(3)])
        case "pentagram":
            _polygon(made, _star(5, r, 0.4))
        case "hexagram":
            _polygon(made, _star(6, r, 0.58))
        case _:
            _strokes(made, marker, r)
    return made


def _polar(radius: float, degrees: float) -> tuple[float, float]:
    return radius * math.cos(math.radians(degrees)), radius * math.sin(math.radians(degrees))


def _star(spikes: int, radius: float, inner: float) -> list[tuple[float, float]]:
    step = 180 / spikes
    return [_polar(radius * (inner if k % 2 else 1), -90 + k * step) for k in range(2 * spikes)]


def _polygon(path: QPainterPath, corners: list[tuple[float, float]]) -> None:
    path.addPolygon(QPolygonF([QPointF(x, y) for x, y in corners]))
    path.closeSubpath()


def _strokes(path: QPainterPath, marker: str, r: float) -> None:
    angles = {"+": (0, 90), "x": (45, 135), "*": (0, 45, 90, 135), "_": (0,), "|": (90,)}[marker]
    for angle in angles:
        x, y = _polar(r, angle)
        path.moveTo(-x, -y)
        path.lineTo(x, y)


def draw_markers(
    painter: QPainter,
    x: Array,
    y: Array,
    marker: str,
    radius: float,
    face: QColor,
    edge: QColor,
    edge_width: float = EDGE,
) -> None:
    """Draw one marker at every finite point that can be seen."""
    keep = np.isfinite(x) & np.isfinite(y) & (np.abs(x) < 1e5) & (np.abs(y) < 1e5)
    x, y = x[keep], y[keep]
    path = marker_path(marker, radius)
    pen = QPen(edge, edge_width) if edge.alpha() else QPen(Qt.PenStyle.NoPen)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    fill = QBrush(Qt.BrushStyle.NoBrush) if marker in STROKED else QBrush(face)
    if len(x) > SPRITES_FROM:
        _stamp(painter, x, y, path, radius + edge_width + 1, pen, fill)
        return
    painter.setPen(pen)
    painter.setBrush(fill)
    for a, b in zip(x.tolist(), y.tolist(), strict=True):
        painter.translate(a, b)
        painter.drawPath(path)
        painter.translate(-a, -b)


def _stamp(
    painter: QPainter, x: Array, y: Array, path: QPainterPath, reach: float, pen: QPen, fill: QBrush
) -> None:
    """Draw the marker once and copy it."""
    side = 2 * math.ceil(reach) + 1
    ratio = painter.device().devicePixelRatio()
    on_screen = painter.paintEngine().type() == QPaintEngine.Type.Raster
    if len(x) > CROWD_FROM and on_screen:
        _stamp_crowd(painter, x, y, _sprite(side, ratio, path, pen, fill), ratio)
        return
    sprite = _sprite(side, ratio * 2, path, pen, fill)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    for a, b in zip(x.tolist(), y.tolist(), strict=True):
        painter.drawImage(QPointF(a - side / 2, b - side / 2), sprite)


def _stamp_crowd(painter: QPainter, x: Array, y: Array, sprite: QImage, ratio: float) -> None:
    """Copy a picture to very many places, without a call for each."""
    picture = QPixmap.fromImage(sprite)
    picture.setDevicePixelRatio(1)  # fragments are cut out in pixels
    for start in range(0, len(x), CROWD_CHUNK):
        part = slice(start, start + CROWD_CHUNK)
        count = len(x[part])
        fragments = np.zeros((count, _FRAGMENT))
        fragments[:, 0], fragments[:, 1] = x[part], y[part]
        fragments[:, 4], fragments[:, 5] = picture.width(), picture.height()
        fragments[:, 6:8] = 1 / ratio
        fragments[:, 9] = 1
        first = cast(
            "QPainter.PixmapFragment",
            wrapInstance(fragments.ctypes.data, QPainter.PixmapFragment),
        )
        painter.drawPixmapFragments(first, count, picture)


def _sprite(side: int, ratio: float, path: QPainterPath, pen: QPen, fill: QBrush) -> QImage:
    """A picture of a marker in the middle of a square."""
    sprite = QImage(
        round(side * ratio), round(side * ratio), QImage.Format.Format_ARGB32_Premultiplied
    )
    sprite.fill(Qt.GlobalColor.transparent)
    pencil = QPainter(sprite)
    pencil.setRenderHint(QPainter.RenderHint.Antialiasing)
    pencil.scale(ratio, ratio)
    pencil.translate(side / 2, side / 2)
    pencil.setPen(pen)
    pencil.setBrush(fill)
    pencil.drawPath(path)
    pencil.end()
    sprite.setDevicePixelRatio(ratio)
    return sprite
