"""Lines, stairs, stems, error bars, areas and reference lines on the host."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QPainter

from app.ui.plots.decimate import PER_COLUMN, Line, is_sorted, visible_line
from app.ui.plots.host.brush import Brush, polyline, runs
from app.ui.plots.host.markers import EDGE, draw_markers, marker_radius
from app.ui.plots.labels.label import Label
from app.ui.plots.series_arrays import Array, Exported, flat, to_axis
from app.ui.plots.style import POINT, font


def _trace(brush: Brush, x: Array, y: Array) -> None:
    """Draw a line with gaps where there is no number."""
    if len(x) > 2 * brush.window.width:
        # Nobody sees the joints of a line that goes up and down in every pixel column.
        pen = brush.painter.pen()
        pen.setJoinStyle(Qt.PenJoinStyle.BevelJoin)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        brush.painter.setPen(pen)
    across, down = brush.x(x), brush.y(y)
    for run in runs(np.isfinite(across) & np.isfinite(down)):
        if run.stop - run.start == 1:
            brush.painter.drawPoint(QPointF(across[run.start], down[run.start]))
        else:
            brush.painter.drawPolyline(polyline(across[run], down[run]))


def _antialias(brush: Brush) -> None:
    brush.painter.setRenderHint(QPainter.RenderHint.Antialiasing)


def marker_colors(series: Exported, color: QColor, brush: Brush) -> tuple[QColor, QColor]:
    """Face and rim of a line's markers."""
    edge = brush.color(series["MarkerEdgeColor"], color)
    face = brush.color(series["MarkerFaceColor"], color)
    if series["Marker"] == ".":
        return edge, QColor(0, 0, 0, 0)
    return face, edge


def draw_points(brush: Brush, series: Exported, x: Array, y: Array, color: QColor) -> None:
    """Draw the markers of a line, all or those of MarkerIndices."""
    if series["Marker"] == "none":
        return
    chosen = series.get("MarkerIndices")
    if chosen:
        places = [int(place) - 1 for place in chosen if 0 < place <= len(x)]
        x, y = x[places], y[places]
    face, edge = marker_colors(series, color, brush)
    radius = marker_radius(series["Marker"], series["MarkerSize"])
    across, down = brush.inside(brush.x(x), brush.y(y))
    width = max(EDGE, series["LineWidth"] * POINT)
    draw_markers(brush.painter, across, down, series["Marker"], radius, face, edge, width)


def draw_line(brush: Brush, series: Exported) -> None:
    """A line with its markers."""
    color = brush.color(series["Color"])
    _antialias(brush)
    if series["LineStyle"] != "none":
        brush.stroke(series, color)
        _trace(brush, *brush.line(series).visible(brush.window))
    if series["Marker"] != "none":
        draw_points(brush, series, *brush.points(series), color)


def draw_stair(brush: Brush, series: Exported) -> None:
    """A line of steps."""
    x, y = brush.points(series)
    color = brush.color(series["Color"])
    _antialias(brush)
    if series["LineStyle"] != "none":
        brush.stroke(series, color)
        _trace(brush, *_steps(brush, x, y).visible(brush.window))
    draw_points(brush, series, x, y, color)


def _steps(brush: Brush, x: Array, y: Array) -> Line:
    """The corners of steps."""
    if "steps" not in brush.cache:
        brush.cache["steps"] = Line(np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1])
    found: Line = brush.cache["steps"]
    return found


def draw_stem(brush: Brush, series: Exported) -> None:
    """Stems from a base line."""
    x, y = brush.points(series)
    color = brush.color(series["Color"])
    _antialias(brush)
    base = to_axis(np.array([series["BaseValue"]]), log=brush.window.log_y)
    foot = float(brush.y(base)[0]) if np.isfinite(base[0]) else brush.window.height
    across, down = brush.x(x), brush.y(y)
    brush.stroke(series, color)
    lines = [
        QLineF(a, foot, a, b)
        for a, b in zip(across.tolist(), down.tolist(), strict=True)
        if np.isfinite(a) and np.isfinite(b)
    ]
    brush.painter.drawLines(lines)
    draw_base_line(brush, series)
    draw_points(brush, series, x, y, color)


def draw_base_line(brush: Brush, series: Exported, *, upright: bool = False) -> None:
    """The line that stems or bars stand on, right across the axes."""
    if not series["ShowBaseLine"]:
        return
    width, height = brush.window.width, brush.window.height
    value = np.array([series["BaseValue"]])
    place = float((brush.data_x(value) if upright else brush.data_y(value))[0])
    if not np.isfinite(place):
        place = 0.0 if upright else float(height)
    look = {"LineStyle": series["BaseLineStyle"], "LineWidth": series["BaseLineWidth"]}
    brush.stroke(look, brush.color(series["BaseLineColor"], brush.style.frame))
    ends = (place, 0, place, height) if upright else (0, place, width, place)
    brush.painter.drawLine(QLineF(*ends))


def draw_errorbar(brush: Brush, series: Exported) -> None:
    """A line with bars of uncertainty."""
    x, y = (flat(series[name]) for name in ("XData", "YData"))
    color = brush.color(series["Color"])
    _antialias(brush)
    brush.stroke({**series, "LineStyle": "-"}, color)
    half = series["CapSize"] / 2 * 4 / 3
    for letter in "YX":
        low, high = (flat(series[f"{letter}{sign}Delta"]) for sign in ("Negative", "Positive"))
        if not len(low) and not len(high):
            continue
        centre = y if letter == "Y" else x
        ends = centre - (low if len(low) else 0), centre + (high if len(high) else 0)
        brush.painter.drawLines(_bars(brush, letter, x, y, ends, half))
    if series["LineStyle"] != "none":
        brush.stroke(series, color)
        _trace(brush, *brush.line(series).visible(brush.window))
    draw_points(brush, series, *brush.points(series), color)


def _bars(
    brush: Brush, letter: str, x: Array, y: Array, ends: tuple[Array, Array], half: float
) -> list[QLineF]:
    """The bars along one axis, each with two caps."""
    made = []
    if letter == "Y":
        places, tops = brush.data_x(x), [brush.data_y(end) for end in ends]
    else:
        places, tops = brush.data_y(y), [brush.data_x(end) for end in ends]
    rows = np.column_stack([places, *tops])
    for a, first, last in rows[np.isfinite(rows).all(axis=1)].tolist():
        if letter == "Y":
            made += [
                QLineF(a, first, a, last),
                QLineF(a - half, first, a + half, first),
                QLineF(a - half, last, a + half, last),
            ]
        else:
            made += [
                QLineF(first, a, last, a),
                QLineF(first, a - half, first, a + half),
                QLineF(last, a - half, last, a + half),
            ]
    return made


def draw_area(brush: Brush, series: Exported) -> None:
    """The area between a line and its base."""
    x, y = brush.points(series)
    base = flat(series["YBase"])
    floor = np.full(len(y), series["BaseValue"]) if not len(base) else base[: len(y)]
    floor = to_axis(floor, log=brush.window.log_y)
    keep = np.isfinite(x) & np.isfinite(y)
    x, y, floor = x[keep], y[keep], floor[keep]
    back = x
    if len(x) > PER_COLUMN * brush.window.width and is_sorted(x):
        back, floor = visible_line(x, floor, brush.window)
        x, y = visible_line(x, y, brush.window)
    color = brush.color(series["FaceColor"])
    color.setAlphaF(series["FaceAlpha"])
    _antialias(brush)
    across = brush.x(np.concatenate([x, back[::-1]]))
    down = brush.y(np.nan_to_num(np.concatenate([y, floor[::-1]]), nan=-1e9))
    brush.fill(color)
    brush.painter.drawPolygon(polyline(across, down))
    if series["EdgeColor"] != "none":
        black = series["EdgeColor"] == (0, 0, 0)
        edge = QColor(brush.style.frame if black else brush.color(series["EdgeColor"]))
        edge.setAlphaF(series["EdgeAlpha"])
        brush.stroke(series, edge)
        brush.painter.drawPolyline(polyline(brush.x(x), brush.y(y)))


def draw_constantline(brush: Brush, series: Exported) -> None:
    """A line right across the axes, with its label, which stays readable over what is drawn."""
    color = brush.color(series["Color"])
    color.setAlphaF(series["Alpha"])
    value = np.array([series["Value"]])
    width, height = brush.window.width, brush.window.height
    vertical = series["InterceptAxis"] == "x"
    place = float((brush.data_x if vertical else brush.data_y)(value)[0])
    if not np.isfinite(place):
        return
    _antialias(brush)
    brush.stroke(series, color)
    line = QLineF(place, 0, place, height) if vertical else QLineF(0, place, width, place)
    brush.painter.drawLine(line)
    if not series["Label"]:
        return
    plain = brush.color(series["Color"])
    label = Label(series["Label"], font(series["FontSize"]), plain, series["Interpreter"])
    label.ground = brush.color(brush.axes.get("Color", "auto"), brush.style.plot)
    label.ground.setAlphaF(0.8 * label.ground.alphaF())
    (_name_upright if vertical else _name_flat)(brush, series, label, place)


def _name_flat(brush: Brush, series: Exported, label: Label, place: float) -> None:
    """The label of a horizontal line."""
    across = {"left": 0.0, "center": 0.5}.get(series["LabelHorizontalAlignment"], 1.0)
    down = {"top": 1.0, "middle": 0.5}.get(series["LabelVerticalAlignment"], 0.0)
    x = 4 + across * (brush.window.width - 8)
    label.draw(brush.painter, QPointF(x, place - 4 * (down - 0.5)), across, down)


def _name_upright(brush: Brush, series: Exported, label: Label, place: float) -> None:
    """The label of a vertical line: along it, or level."""
    up = {"top": 1.0, "middle": 0.5}.get(series["LabelVerticalAlignment"], 0.0)
    aside = {"left": 1.0, "center": 0.5}.get(series["LabelHorizontalAlignment"], 0.0)
    anchor = QPointF(place - 6 * (aside - 0.5), 4 + (1 - up) * (brush.window.height - 8))
    if series["LabelOrientation"] == "horizontal":
        label.draw(brush.painter, anchor, aside, 1 - up)
    else:
        label.draw(brush.painter, anchor, up, aside, 90)
