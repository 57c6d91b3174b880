"""Bars, histograms, polygons, rectangles, arrows and scattered markers on the host."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen

from app.ui.plots.decimate import PER_COLUMN, Line
from app.ui.plots.host.blend import fill_blended, vertex_colors
from app.ui.plots.host.brush import Brush, box, palette_rows, polyline
from app.ui.plots.host.lines import draw_base_line
from app.ui.plots.host.markers import EDGE, draw_markers, marker_radius
from app.ui.plots.series_arrays import Array, Exported, flat, table
from app.ui.plots.style import POINT, line_pen

BLACK = (0.0, 0.0, 0.0)


def _alpha(color: QColor, alpha: object) -> QColor:
    """The colour with an opacity, if that is a number."""
    if isinstance(alpha, int | float) and color.alpha():
        color.setAlphaF(float(alpha))
    return color


def rim_of(brush: Brush, series: Exported) -> QColor | None:
    """The colour of the outline of faces, if they have one; the default black follows the
    theme."""
    kept = series["EdgeColor"]
    if kept == "none" or series["LineStyle"] == "none":
        return None
    return _alpha(_ink(brush) if kept == BLACK else brush.color(kept), series["EdgeAlpha"])


def _ink(brush: Brush) -> QColor:
    """The default outline: dark on light, light on dark."""
    return QColor(brush.style.ink)


def _rim(brush: Brush, series: Exported) -> QPen:
    color = rim_of(brush, series)
    if color is None:
        return QPen(Qt.PenStyle.NoPen)
    return line_pen(color, series["LineStyle"], series["LineWidth"])


def _bar_ends(brush: Brush, series: Exported) -> tuple[Array, Array, Array]:
    """Places, feet and heads of bars; where many share a pixel the longest ones."""
    places, tops = flat(series["XData"]), flat(series["YData"])
    base, window = flat(series["YBase"]), brush.window
    if series["Horizontal"]:
        window = window.turned()
    if len(base) or len(tops) <= PER_COLUMN * window.width or window.log_x:
        return places, base if len(base) else np.full(len(tops), series["BaseValue"]), tops
    if "bars" not in brush.cache:
        brush.cache["bars"] = Line(places, tops)
    places, tops = brush.cache["bars"].visible(replace(window, log_y=False))
    return places, np.full(len(tops), series["BaseValue"]), tops


def bar_half(series: Exported, scale: float) -> float:
    """Half the width of bars in data coordinates: never less than half a pixel."""
    return float(max(series["XWidth"] / 2, 0.5 / abs(scale)))


def _bar_boxes(brush: Brush, series: Exported) -> list[QRectF]:
    places, floors, tops = _bar_ends(brush, series)
    scale = brush.window.y_scale if series["Horizontal"] else brush.window.x_scale
    half = bar_half(series, scale)
    middle = places + series["XOffset"]
    if series["Horizontal"]:
        a, b = brush.data_y(middle - half), brush.data_y(middle + half)
        c, d = _base_or_edge(brush.data_x(floors), 0.0), brush.data_x(tops)
        rows = np.column_stack([c, a, d, b])
    else:
        a, b = brush.data_x(middle - half), brush.data_x(middle + half)
        c = _base_or_edge(brush.data_y(floors), float(brush.window.height))
        rows = np.column_stack([a, c, b, brush.data_y(tops)])
    return [box(*row) for row in rows[np.isfinite(rows).all(axis=1)].tolist()]


def _base_or_edge(values: Array, edge: float) -> Array:
    """Where a base has no place on a logarithmic axis it is the edge of the box."""
    return np.where(np.isfinite(values), values, edge)


def draw_bar(brush: Brush, series: Exported) -> None:
    """Bars."""
    boxes = _bar_boxes(brush, series)
    if series["FaceColor"] == "flat":
        _flat_bars(brush, series, boxes)
        return
    color = _alpha(brush.color(series["FaceColor"]), series["FaceAlpha"])
    thin = bool(boxes) and min(min(b.width(), b.height() + 9) for b in boxes) < 4
    brush.painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    brush.fill(color, QPen(Qt.PenStyle.NoPen) if thin else _rim(brush, series))
    brush.painter.drawRects(boxes)
    draw_base_line(brush, series, upright=series["Horizontal"])


def _flat_bars(brush: Brush, series: Exported, boxes: list[QRectF]) -> None:
    """Bars with a colour each."""
    brush.painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    rim = _rim(brush, series)
    if series["CData"] is not None:
        colors = [brush.color(tuple(row)) for row in series["CData"].tolist()]
    else:
        colors = [QColor(*map(int, row)) for row in brush.mapped(series["levels"])]
    for place, rect in enumerate(boxes):
        color = QColor(colors[place % len(colors)])
        brush.fill(_alpha(color, series["FaceAlpha"]), rim)
        brush.painter.drawRect(rect)
    draw_base_line(brush, series, upright=series["Horizontal"])


def draw_histogram(brush: Brush, series: Exported) -> None:
    """Bars between bin edges, or their outline."""
    edges, heights = np.array(series["BinEdges"]), flat(series["Values"])
    base = np.zeros(len(heights))
    air = series["BarGap"] / 2 * np.diff(edges)
    low, high = edges[:-1] + air, edges[1:] - air
    if series["Orientation"] == "vertical":
        a, b = brush.data_x(low), brush.data_x(high)
        rows = np.column_stack(
            [
                a,
                _base_or_edge(brush.data_y(base), float(brush.window.height)),
                b,
                brush.data_y(heights),
            ]
        )
    else:
        a, b = brush.data_y(low), brush.data_y(high)
        rows = np.column_stack(
            [_base_or_edge(brush.data_x(base), 0.0), a, brush.data_x(heights), b]
        )
    brush.painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    color = brush.color(series["FaceColor"])
    if series["DisplayStyle"] == "stairs":
        x = np.concatenate([[edges[0]], np.repeat(edges[1:-1], 2), [edges[-1]]])
        edge = series["EdgeColor"]
        brush.stroke(series, color if edge in (BLACK, "none") else brush.color(edge, color))
        y = np.concatenate([[0.0], np.repeat(heights, 2), [0.0]])
        x = np.concatenate([x[:1], x, x[-1:]])
        spots = brush.data_x(x), _base_or_edge(brush.data_y(y), float(brush.window.height))
        brush.painter.drawPolyline(polyline(*spots))
        return
    kept = rows[np.isfinite(rows).all(axis=1)]
    narrow = bool(len(kept)) and float(np.abs(kept[:, 2] - kept[:, 0]).min()) < 4
    rim = _histogram_rim(brush, series)
    brush.fill(_alpha(color, series["FaceAlpha"]), QPen(Qt.PenStyle.NoPen) if narrow else rim)
    brush.painter.drawRects([box(*row) for row in kept.tolist()])


def _histogram_rim(brush: Brush, series: Exported) -> QPen:
    if series["EdgeColor"] != BLACK:
        return _rim(brush, series)
    ink = _ink(brush)
    ink.setAlphaF(0.75 * series["EdgeAlpha"])
    return line_pen(ink, "-", 0.5)


# --- polygons -----------------------------------------------------------------------------


def draw_patch(brush: Brush, series: Exported) -> None:
    """Filled polygons: one colour, one per face, or blended between the vertices."""
    vertices, faces = table(series["Vertices"]), table(series["Faces"])
    if not vertices.size or not faces.size:
        return
    across, down = brush.data_x(vertices[:, 0]), brush.data_y(vertices[:, 1])
    blended = vertex_colors(brush, series, len(faces), len(vertices))
    colors = patch_colors(brush, series, len(faces), len(vertices))
    brush.painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    rims = patch_rims(brush, series, len(vertices), brush.style.frame)
    for number, face in enumerate(faces):
        corners = face[np.isfinite(face)].astype(np.intp) - 1
        x, y = across[corners], down[corners]
        keep = np.isfinite(x) & np.isfinite(y)
        brush.painter.setBrush(Qt.BrushStyle.NoBrush)
        if blended is not None:
            fill_blended(blended, np.column_stack([x, y])[keep], corners[keep])
            brush.painter.setBrush(Qt.BrushStyle.NoBrush)
        elif colors is not None:
            own = number if len(colors) == len(faces) else int(corners[0]) % len(colors)
            brush.painter.setBrush(QBrush(colors[own]))
        brush.painter.setPen(rims[number if len(rims) > 1 else 0])
        brush.painter.drawPolygon(polyline(x[keep], y[keep]))


def patch_colors(brush: Brush, series: Exported, faces: int, vertices: int) -> list[QColor] | None:
    """The colours of polygons: none, one, or one per face or vertex."""
    kept, values = series["FaceColor"], series["FaceVertexCData"]
    if kept == "none":
        return None
    if isinstance(kept, str) and values is not None:
        values = table(values)
    if isinstance(kept, str) and values is not None and values.size:
        if values.shape[1] == 3:
            rows = np.column_stack([values * 255, np.full(len(values), 255)])
        else:
            rows = palette_rows(values[:, 0], brush.axes["colormap"], brush.axes["CLim"])
        made = [QColor(*map(int, row)) for row in rows]
    else:
        made = [brush.color(kept if not isinstance(kept, str) else (0.0, 0.447, 0.741))]
    alphas = _opacities_of(series, "FaceAlpha", vertices)
    if len(alphas) == 1:
        return [_alpha(color, alphas[0]) for color in made]
    first = table(series["Faces"])[:, 0].astype(np.intp) - 1
    own = _of_faces(len(made), first, vertices)
    return [_alpha(QColor(made[k]), alpha) for k, alpha in zip(own, alphas, strict=True)]


def patch_rims(brush: Brush, series: Exported, vertices: int, black: QColor) -> list[QPen]:
    """The pens of the outlines of polygons: one, or one per face; `black` is the default colour."""
    kept = series["EdgeColor"]
    if kept == "none":
        return [QPen(Qt.PenStyle.NoPen)]
    ink = QColor(black if kept == BLACK else brush.color(kept))
    made = []
    for alpha in _opacities_of(series, "EdgeAlpha", vertices):
        faded = QColor(ink)
        faded.setAlphaF(ink.alphaF() * alpha)
        made.append(line_pen(faded, series["LineStyle"], series["LineWidth"]))
    return made


def _opacities_of(series: Exported, name: str, vertices: int) -> list[float]:
    """The opacity of all polygons, or of each where a property follows the alpha data."""
    kept, found = series[name], series["opacities"]
    if not isinstance(kept, str):
        return [float(kept)]
    if found is None:
        return [1.0]
    alphas = found.reshape(-1).tolist()
    first = table(series["Faces"])[:, 0].astype(np.intp) - 1
    return [alphas[k] for k in _of_faces(len(alphas), first, vertices)]


def _of_faces(count: int, first: Array, vertices: int) -> list[int]:
    """Which of so many things belongs to each face: its own, its first vertex's, or the only one.

    Args:
        count: of the things.
        first: the first vertex of each face.
        vertices: how many there are.
    """
    if count == len(first):
        return list(range(count))
    found: list[int] = (first if count == vertices else np.zeros_like(first)).tolist()
    return found


def draw_rectangle(brush: Brush, series: Exported) -> None:
    """A rectangle, with round corners where wanted."""
    left, bottom, width, height = series["Position"]
    x = brush.data_x(np.array([left, left + width]))
    y = brush.data_y(np.array([bottom, bottom + height]))
    shape = box(x[0], y[0], x[1], y[1])
    curvature = (*series["Curvature"], series["Curvature"][0])[:2]
    edge = brush.color(series["EdgeColor"], brush.style.frame)
    brush.painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    rim = line_pen(edge, series["LineStyle"], series["LineWidth"])
    brush.fill(_alpha(brush.color(series["FaceColor"]), series["FaceAlpha"]), rim)
    brush.painter.drawRoundedRect(
        shape, curvature[0] * shape.width() / 2, curvature[1] * shape.height() / 2
    )


# --- arrows -------------------------------------------------------------------------------


def draw_quiver(brush: Brush, series: Exported) -> None:
    """Arrows."""
    x, y, u, v = (flat(series[name]) for name in ("XData", "YData", "UData", "VData"))
    if not len(x):
        return
    if series["AutoScale"]:
        longest = float(np.nanmax(np.hypot(u, v))) or 1.0
        cells = max(np.sqrt(len(x)) - 1, 1)
        reach = float(np.hypot(np.ptp(x), np.ptp(y))) / cells / np.sqrt(2) or 1.0
        factor = series["AutoScaleFactor"] * reach / longest
        u, v = u * factor, v * factor
    a, b = brush.data_x(x), brush.data_y(y)
    c, d = brush.data_x(x + u), brush.data_y(y + v)
    rows = np.column_stack([a, b, c, d])
    brush.painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    brush.stroke(series, brush.color(series["Color"]))
    lines = []
    head = series["MaxHeadSize"] if series["ShowArrowHead"] else 0.0
    for row in rows[np.isfinite(rows).all(axis=1)].tolist():
        lines += _arrow(row, head)
    brush.painter.drawLines(lines)


def _arrow(ends: list[float], head: float) -> list[QLineF]:
    """A shaft and two strokes of a head."""
    a, b, c, d = ends
    made = [QLineF(a, b, c, d)]
    back = QLineF(c, d, a, b)
    if head and back.length() > 1:
        back.setLength(min(max(back.length() * max(head, 0.25), 3.0), 9.0))
        angle = back.angle()
        for turn in (-24, 24):
            stroke = QLineF(back)
            stroke.setAngle(angle + turn)
            made.append(stroke)
    return made


# --- scatter ------------------------------------------------------------------------------


def draw_scatter(brush: Brush, series: Exported) -> None:
    """Markers of one or many sizes and colours."""
    x, y = brush.points(series)
    across, down = brush.inside(brush.x(x), brush.y(y))
    sizes = flat(series["SizeData"])
    sizes = sizes if len(sizes) else np.array([36.0])
    colors = scatter_colors(brush, series, len(x))
    brush.painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    opacities = marker_opacities(series, len(x))
    if len(colors) == len(sizes) == len(opacities) == 1:
        paints = marker_paints(brush, series, colors[0], opacities[0])
        _scatter_group(brush, series, across, down, float(sizes[0]), paints)
        return
    size_of = (
        np.broadcast_to(sizes, len(x)) if len(sizes) in (1, len(x)) else np.resize(sizes, len(x))
    )
    for place in np.flatnonzero(np.isfinite(across) & np.isfinite(down)).tolist():
        spot = slice(place, place + 1)
        color = colors[place if len(colors) > 1 else 0]
        opacity = opacities[place if len(opacities) > 1 else 0]
        paints = marker_paints(brush, series, color, opacity)
        _scatter_group(brush, series, across[spot], down[spot], float(size_of[place]), paints)


def scatter_colors(brush: Brush, series: Exported, count: int) -> list[QColor]:
    """One colour, or one per point."""
    data = series["CData"]
    if data is None or data["kind"] == "device":
        return [brush.color((0.0, 0.447, 0.741))]
    values = data["array"]
    if values.size == count and count != 1 and values.size != 3:
        rows = palette_rows(
            values.reshape(-1, order="F").astype(np.float64),
            brush.axes["colormap"],
            brush.axes["CLim"],
        )
        return [QColor(*map(int, row)) for row in rows]
    if values.ndim == 2 and values.shape[1] == 3 and len(values) in (1, count):
        return [brush.color(tuple(map(float, row))) for row in values]
    return [brush.color(tuple(map(float, values.reshape(-1)[:3])))]


def marker_opacities(series: Exported, count: int) -> list[float]:
    """The opacity that alpha data give to each of some markers, or one to all."""
    found = series.get("opacities")
    if found is None or found.size != count:
        return [1.0]
    rows: list[float] = found.reshape(-1, order="F").tolist()
    return rows


def marker_paints(
    brush: Brush, series: Exported, color: QColor, opacity: float
) -> tuple[QColor, QColor]:
    """The colours inside and around a marker.

    Args:
        brush: knows what names of colours mean.
        series: the scatter plot.
        color: of the marker, for what follows the data.
        opacity: of the marker, for what follows the alpha data.
    """
    face, edge = (
        _alpha(
            QColor(brush.color(series[f"Marker{part}Color"], color)),
            opacity if series[f"Marker{part}Alpha"] == "flat" else series[f"Marker{part}Alpha"],
        )
        for part in ("Face", "Edge")
    )
    return (edge, QColor(0, 0, 0, 0)) if series["Marker"] == "." else (face, edge)


def _scatter_group(
    brush: Brush,
    series: Exported,
    x: Array,
    y: Array,
    area: float,
    paints: tuple[QColor, QColor],
) -> None:
    size = max(area, 0.0) ** 0.5
    radius = marker_radius(series["Marker"], size)
    width = max(EDGE, series["LineWidth"] * POINT)
    draw_markers(brush.painter, x, y, series["Marker"], radius, *paints, width)
