"""From where axes are looked at: the camera's place is another way to say the view."""

from __future__ import annotations

import numpy as np

from app.engine.figures import limits
from app.engine.figures.objects import GraphicsObject
from app.engine.figures.properties import row_value, vector_of
from app.engine.values import Array, Value

AWAY = 10.0
"""How many times the size of the axes the camera is away."""


def _box(axes: GraphicsObject) -> tuple[Array, Array]:
    """Middle and sides of the axes' box."""
    ends = np.array([limits.axis_limits(axes, letter) for letter in "XYZ"])
    return ends.mean(axis=1), np.ptp(ends, axis=1)


def target_of(axes: GraphicsObject) -> Array:
    """What the camera looks at: the middle, unless the script says otherwise."""
    manual = axes["CameraTargetMode"] == "manual"
    found: Array = np.array(axes["CameraTarget"]) if manual else _box(axes)[0]
    return found


def get_position(axes: GraphicsObject) -> Value:
    """Where the camera is."""
    azimuth, elevation = np.radians(axes["View"])
    away = np.array(
        [
            np.sin(azimuth) * np.cos(elevation),
            -np.cos(azimuth) * np.cos(elevation),
            np.sin(elevation),
        ]
    )
    return row_value(tuple((target_of(axes) + AWAY * _box(axes)[1] * away).tolist()))


def set_position(axes: GraphicsObject, value: Value) -> None:
    """Look from there: the direction counts, the camera stays as far away as it is."""
    x, y, z = (np.array(vector_of(value)) - target_of(axes)) / _box(axes)[1]
    turned = np.degrees([np.arctan2(x, -y), np.arctan2(z, np.hypot(x, y))]).tolist()
    axes["View"] = turned[0], turned[1]
    axes["CameraPositionMode"] = "manual"


GETTERS = {
    ("axes", "cameraposition"): get_position,
    ("axes", "cameratarget"): lambda axes: row_value(tuple(target_of(axes).tolist())),
}
SETTERS = {("axes", "cameraposition"): set_position}
