"""Polar axes: angles and radii as points of the plane, and the rings and spokes around them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from app.engine.figures.data_arithmetic import combine_data
from app.engine.figures.figure_data import SeriesData
from app.engine.figures.limits import axis_limits
from app.engine.figures.objects import GraphicsObject
from app.engine.figures.ticks import RADIUS_INTERVALS, Limits, linear_ticks, tick_label

ZERO = {"right": 0.0, "top": 90.0, "left": 180.0, "bottom": 270.0}
"""Degrees, counterclockwise from the right, at which the angle zero is."""


def radius_limits(axes: GraphicsObject) -> Limits:
    """Radii at the centre and at the rim; worked out once for all that is placed between them."""
    key = (axes.owner.changes,)
    if axes.derived is None or axes.derived[0] != key:
        axes.derived = key, axis_limits(axes, "R")
    found: Limits = axes.derived[1]
    return found


def turn_of(axes: GraphicsObject) -> tuple[float, float]:
    """Degrees of the angle zero, and the sense of rotation (1 or -1)."""
    sense = 1.0 if axes["ThetaDir"] == "counterclockwise" else -1.0
    return ZERO[axes["ThetaZeroLocation"]], sense


def plane_points(
    axes: GraphicsObject, theta: SeriesData, radius: SeriesData
) -> dict[str, SeriesData]:
    """Points of the plane for angles in radians and radii; computed where the data is."""
    zero, sense = turn_of(axes)
    angle = theta if sense > 0 else combine_data("times", theta, sense)
    if zero:
        angle = combine_data("plus", angle, math.radians(zero))
    low = radius_limits(axes)[0]
    reach = combine_data("minus", radius, low) if low else radius
    return {
        "XData": combine_data("times", reach, combine_data("cos", angle)),
        "YData": combine_data("times", reach, combine_data("sin", angle)),
    }


def plane_vertices(axes: GraphicsObject, vertices: Any) -> Any:
    """Vertices (angle, radius) as points of the plane."""
    zero, sense = turn_of(axes)
    angle = sense * vertices[:, 0] + math.radians(zero)
    reach = np.maximum(vertices[:, 1] - radius_limits(axes)[0], 0.0)
    return np.column_stack([reach * np.cos(angle), reach * np.sin(angle)])


def _sector(axes: GraphicsObject) -> tuple[float, float]:
    """First and last degree that are shown, as the mathematician counts them."""
    zero, sense = turn_of(axes)
    first, last = sorted(zero + sense * end for end in axes["ThetaLim"])
    return first, min(last, first + 360.0)


def plane_limits(axes: GraphicsObject) -> tuple[Limits, Limits]:
    """The part of the plane that holds the visible sector."""
    low, high = radius_limits(axes)
    first, last = _sector(axes)
    corners = [first, last, *(d for d in range(-720, 1081, 90) if first <= d <= last)]
    spots = np.array([[math.cos(math.radians(d)), math.sin(math.radians(d))] for d in corners])
    around = np.vstack([spots, [[0.0, 0.0]]]) * (high - low)
    (x0, y0), (x1, y1) = around.min(axis=0).tolist(), around.max(axis=0).tolist()
    return (x0, x1), (y0, y1)


def radius_ticks(axes: GraphicsObject) -> list[float]:
    """Radii of the rings."""
    if axes["RTickMode"] == "manual":
        return list(axes["RTick"])
    return linear_ticks(radius_limits(axes), RADIUS_INTERVALS)


def angle_ticks(axes: GraphicsObject) -> list[float]:
    """Degrees of the spokes."""
    low, high = axes["ThetaLim"]
    if axes["ThetaTickMode"] == "manual":
        return [tick for tick in axes["ThetaTick"] if low <= tick <= high]
    return [float(tick) for tick in range(math.ceil(low / 30) * 30, math.floor(high) + 1, 30)]


def _tick_labels(axes: GraphicsObject, name: str, ticks: list[float]) -> list[str]:
    if axes[f"{name}TickLabelMode"] == "manual":
        return [*axes[f"{name}TickLabel"], *[""] * len(ticks)][: len(ticks)]
    form = axes[f"{name}TickFormat"]
    if "%" in form:
        return [form % tick for tick in ticks]
    if name == "R":
        return [tick_label(tick) for tick in ticks]
    if axes["ThetaAxisUnits"] == "radians":
        return [_in_radians(tick) for tick in ticks]
    return [f"{tick_label(tick)}°" for tick in ticks]


def _in_radians(degrees: float) -> str:
    """A multiple of pi."""
    over = math.gcd(round(degrees), 180) or 180
    top, bottom = round(degrees / over), 180 // over
    if top == 0:
        return "0"
    sign = "" if top == 1 else "-" if top == -1 else str(top)
    return f"{sign}\\pi" + (f"/{bottom}" if bottom > 1 else "")


def polar_snapshot(axes: GraphicsObject) -> dict[str, Any]:
    """Rings and spokes as the window draws them: all angles as the mathematician counts."""
    low, high = radius_limits(axes)
    zero, sense = turn_of(axes)
    rings = [tick for tick in radius_ticks(axes) if low <= tick <= high]
    spokes = angle_ticks(axes)
    names = _tick_labels(axes, "Theta", spokes)
    whole = axes["ThetaLim"][1] - axes["ThetaLim"][0] >= 360
    if whole and len(spokes) > 1 and spokes[-1] - spokes[0] == 360:
        spokes, names = spokes[:-1], names[:-1]
    return {
        "reach": high - low,
        "sector": _sector(axes),
        "whole": whole,
        "rings": [ring - low for ring in rings],
        "ring_labels": _tick_labels(axes, "R", rings),
        "spokes": [zero + sense * tick for tick in spokes],
        "spoke_labels": names,
        "labels_at": zero + sense * axes["RAxisLocation"],
        "ring_grid": axes["RGrid"],
        "spoke_grid": axes["ThetaGrid"],
    }
