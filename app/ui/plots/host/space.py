"""Lines, points, contours and texts in space."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QLineF, QPointF
from PySide6.QtGui import QColor, QPainter

from app.ui.plots.host.brush import polyline, runs
from app.ui.plots.host.images import grid_points
from app.ui.plots.host.markers import EDGE, draw_markers, marker_radius
from app.ui.plots.host.scene import Scene
from app.ui.plots.host.shapes import marker_opacities, marker_paints, scatter_colors
from app.ui.plots.labels.label import ACROSS, DOWN, label_of
from app.ui.plots.series_arrays import Array, Exported, flat
from app.ui.plots.style import line_pen


def draw_series(scene: Scene, series: Exported) -> None:
    """Paint one series."""
    kind = series["kind"]
    scene.brush.painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if kind in ("line", "animatedline"):
        _line(scene, series)
    elif kind == "scatter":
        _scatter(scene, series)
    elif kind == "contour":
        _contour(scene, series)
    elif kind == "text":
        _text(scene, series)


def _spots(scene: Scene, series: Exported) -> Array:
    x, y = flat(series["XData"]), flat(series["YData"])
    z = flat(series["ZData"]) if series["ZData"] is not None else np.zeros(len(y))
    count = min(len(x), len(y), len(z))
    return scene.projection.place(x[:count], y[:count], z[:count])


def _line(scene: Scene, series: Exported) -> None:
    spots = _spots(scene, series)
    color = scene.brush.color(series["Color"])
    if series["LineStyle"] != "none":
        scene.brush.stroke(series, color)
        for run in runs(np.asarray(np.isfinite(spots).all(axis=1))):
            scene.brush.painter.drawPolyline(polyline(spots[run, 0], spots[run, 1]))
    if series["Marker"] != "none":
        face = scene.brush.color(series["MarkerFaceColor"], color)
        edge = scene.brush.color(series["MarkerEdgeColor"], color)
        if series["Marker"] == ".":
            face, edge = edge, QColor(0, 0, 0, 0)
        radius = marker_radius(series["Marker"], series["MarkerSize"])
        draw_markers(
            scene.brush.painter, spots[:, 0], spots[:, 1], series["Marker"], radius, face, edge
        )


def _scatter(scene: Scene, series: Exported) -> None:
    spots = _spots(scene, series)
    colors = scatter_colors(scene.brush, series, len(spots))
    opacities = marker_opacities(series, len(spots))
    sizes = flat(series["SizeData"])
    sizes = sizes if len(sizes) else np.array([36.0])
    for place in np.argsort(-spots[:, 2]).tolist():
        color = colors[place if len(colors) > 1 else 0]
        area = float(sizes[place % len(sizes)])
        radius = marker_radius(series["Marker"], area**0.5)
        opacity = opacities[place if len(opacities) > 1 else 0]
        draw_markers(
            scene.brush.painter,
            spots[place : place + 1, 0],
            spots[place : place + 1, 1],
            series["Marker"],
            radius,
            *marker_paints(scene.brush, series, color, opacity),
            EDGE,
        )


def _contour(scene: Scene, series: Exported) -> None:
    from app.engine.figures.contours import contour_segments

    if series["LineColor"] == "none":
        return
    x, y, z = grid_points(series)
    floor = min(scene.brush.axes["ZLim"])
    for level in series["LevelList"]:
        pieces = contour_segments(x, y, z, level)
        height = level if series["ZLocation"] == "levels" else floor
        spots = scene.projection.place(pieces[..., 0], pieces[..., 1], np.array(float(height)))
        row = scene.brush.mapped(np.array([level]))[0]
        color = QColor(*map(int, row))
        if series["LineColor"] != "flat":
            color = scene.brush.color(series["LineColor"])
        scene.brush.painter.setPen(line_pen(color, series["LineStyle"], series["LineWidth"]))
        ends = np.concatenate([spots[:, 0, :2], spots[:, 1, :2]], axis=1)
        scene.brush.painter.drawLines([QLineF(*row) for row in ends.tolist()])


def _text(scene: Scene, text: Exported) -> None:
    label = label_of(text, scene.brush.style)
    if label is None:
        return
    x, y, z = (*text["Position"], 0.0, 0.0, 0.0)[:3]
    spot = scene.projection.place(np.array(x), np.array(y), np.array(z))
    anchor = QPointF(float(spot[0]), float(spot[1]))
    across, down = ACROSS[text["HorizontalAlignment"]], DOWN[text["VerticalAlignment"]]
    label.draw(scene.brush.painter, anchor, across, down, text["Rotation"])
