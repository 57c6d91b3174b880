"""From data in three dimensions to the picture."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from app.ui.plots.series_arrays import Array, Exported, Window, to_axis

Limits = tuple[float, float]
STRETCH = 1.45
"""The box may be stretched to fill its place, by at most this factor."""
VIEW_ANGLE = math.radians(10.34) / 2
"""Half the angle at which the whole box is seen."""
_SHAPE = np.array([1.0, 1.0, 0.82])
"""Default lengths of the sides of the axes' box."""


@dataclass(frozen=True, slots=True, eq=False)
class Projection:
    """How the box of the axes is seen.

    Attributes:
        azimuth: degrees around the vertical.
        elevation: degrees above the floor.
        low: smallest coordinates of the box (logarithms on logarithmic axes).
        high: largest coordinates.
        sides: lengths of the box's sides on the picture.
        log: which axes are logarithmic.
        centre: of the picture, in pixels.
        scale: pixels per unit of ``sides``, across and down.
    """

    azimuth: float
    elevation: float
    low: Array
    high: Array
    sides: Array
    log: tuple[bool, bool, bool]
    centre: tuple[float, float]
    scale: tuple[float, float]

    def matrix(self) -> Array:
        """Rows: to the right, down, away from the viewer; for coordinates around the box's
        centre."""
        a, e = math.radians(self.azimuth), math.radians(self.elevation)
        right = [math.cos(a), math.sin(a), 0.0]
        into = [-math.sin(a), math.cos(a), 0.0]
        up = [into[0] * math.sin(e), into[1] * math.sin(e), math.cos(e)]
        away = [into[0] * math.cos(e), into[1] * math.cos(e), -math.sin(e)]
        return np.array([right, [-u for u in up], away])

    def back(self) -> Array:
        """For every axis the side (-1 or 1) of the wall behind everything."""
        away = self.matrix()[2]
        return np.where(away >= 0, 1.0, -1.0)

    def unit(self, x: Array, y: Array, z: Array) -> Array:
        """Data as coordinates around the box's centre, last axis (x, y, z)."""
        axes = [
            to_axis(np.asarray(v, dtype=np.float64), log=log)
            for v, log in zip((x, y, z), self.log, strict=True)
        ]
        stacked = np.stack(np.broadcast_arrays(*axes), axis=-1)
        found: Array = ((stacked - self.low) / (self.high - self.low) - 0.5) * self.sides
        return found

    def project(self, points: Array) -> Array:
        """Coordinates around the box's centre as pixels and depth."""
        turned = points @ self.matrix().T
        found: Array = turned * np.array([*self.scale, 1.0]) + np.array([*self.centre, 0.0])
        return found

    def place(self, x: Array, y: Array, z: Array) -> Array:
        """Data as pixels and depth."""
        return self.project(self.unit(x, y, z))

    def corner(self, signs: tuple[float, float, float]) -> Array:
        """A corner of the box (or the middle of a side, with zeros) around its centre."""
        return np.array(signs) * self.sides / 2


def _sides(axes: Exported, low: Array, high: Array) -> Array:
    """Lengths of the box's sides."""
    if axes["DataAspectRatioMode"] == "manual":
        spans = np.abs(high - low) / np.array(axes["DataAspectRatio"])  # reversed: high < low
        return spans / spans.max()  # type: ignore[no-any-return]
    if axes["PlotBoxAspectRatioMode"] == "manual":
        return np.array(axes["PlotBoxAspectRatio"], dtype=float)
    return _SHAPE


def projection_of(
    axes: Exported, view: tuple[float, float], area: tuple[float, float, float, float]
) -> Projection:
    """The projection that fits the box of the axes into an area (left, top, width, height)."""
    log = tuple(axes[f"{letter}Scale"] == "log" for letter in "XYZ")
    limits = np.array([axes[f"{letter}Lim"] for letter in "XYZ"], dtype=np.float64)
    for row, is_log in zip(limits, log, strict=True):
        if is_log:
            row[:] = np.log10(np.maximum(row, 1e-300))
    for row, letter in zip(limits, "XYZ", strict=True):
        if axes[f"{letter}Dir"] == "reverse":
            row[:] = row[::-1]
    low, high = limits[:, 0], limits[:, 1]
    sides = _sides(axes, low, high)
    bare = Projection(*view, low, high, sides, log, (0.0, 0.0), (1.0, 1.0))
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    corners = bare.project(signs * sides / 2)[:, :2]
    span = np.ptp(corners, axis=0)
    left, top, width, height = area
    fitting = np.array([width, height]) / np.maximum(span, 1e-9)
    manual = "manual" in (axes["DataAspectRatioMode"], axes["PlotBoxAspectRatioMode"])
    scale = np.minimum(fitting, fitting.min() * (1.0 if manual else STRETCH))
    middle = (corners.max(axis=0) + corners.min(axis=0)) / 2 * scale
    if axes["CameraViewAngleMode"] == "manual":
        scale = scale * math.tan(VIEW_ANGLE) / math.tan(math.radians(axes["CameraViewAngle"]) / 2)
        middle = middle * 0.0
    if axes["CameraTargetMode"] == "manual":
        middle = bare.place(*np.array(axes["CameraTarget"], dtype=float))[:2] * scale
    centre = left + width / 2 - middle[0], top + height / 2 - middle[1]
    return Projection(*view, low, high, sides, log, centre, tuple(scale.tolist()))


def flat_projection(window: Window, heights: Limits) -> Projection:
    """A plane seen from above, so that its picture is the window."""
    size = float(window.width), float(window.height)
    return Projection(
        0.0,
        90.0,
        np.array([window.left, window.bottom, heights[0]]),
        np.array([window.right, window.top, heights[1]]),
        np.ones(3),
        (window.log_x, window.log_y, False),
        (size[0] / 2, size[1] / 2),
        size,
    )


def is_space(axes: Exported) -> bool:
    """Whether axes are seen from the side."""
    return tuple(axes["View"]) != (0.0, 90.0)
