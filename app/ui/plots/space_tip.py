"""The point of a surface, a line or a cloud of markers in space that was meant by a click."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF

from app.ui.plots.host.images import grid_points
from app.ui.plots.host.projection import Projection
from app.ui.plots.series_arrays import Array, Exported, host_array
from app.ui.plots.tip_numbers import number
from app.ui.plots.tip_rows import Coordinate, chosen_rows

Place = tuple[float, float, float]
SAME_SPOT = 6.0
"""Of points that are so many pixels apart on the screen the one in front is meant."""


def space_point(
    projection: Projection, series: Exported, place: QPointF
) -> tuple[float, Place, str, int] | None:
    """How many pixels the nearest point of a series is away, its coordinates, what a tip says, and
    the bytes fetched to say it.

    None where the series has no points on the host.
    """
    points = _points(series)
    if points is None or not points[0].size:
        return None
    across, down, away = np.moveaxis(projection.place(*points), -1, 0)
    gaps = np.hypot(across - place.x(), down - place.y())
    if not np.isfinite(gaps).any():
        return None
    least = float(np.nanmin(gaps))
    index = int(np.argmin(np.where(gaps <= least + SAME_SPOT, away, np.inf)))
    shape = points[0].shape
    place_in_data = int(np.ravel_multi_index(np.unravel_index(index, shape), shape, order="F"))
    return float(gaps.reshape(-1)[index]), *_told(series, points, place_in_data)


def point_in_space(series: Exported, index: int) -> tuple[Place, str, int] | None:
    """The coordinates of the point of an index, what a tip says, and the bytes fetched for it; None
    where the series has no such point on the host."""
    points = _points(series)
    known = points is not None and 0 <= index < points[0].size
    return _told(series, points, index) if points is not None and known else None


def _told(
    series: Exported, points: tuple[Array, Array, Array], index: int
) -> tuple[Place, str, int]:
    x, y, z = (float(part.reshape(-1, order="F")[index]) for part in points)
    title = f"{series['DisplayName']}\n" if series.get("DisplayName") else ""
    usual = f"{title}X  {number(x)}\nY  {number(y)}\nZ  {number(z)}"
    spot = {f"{name}Data": Coordinate(v) for name, v in zip("XYZ", (x, y, z), strict=True)}
    text, fetched = chosen_rows(series, index, spot) or (usual, 0)
    return (x, y, z), text, fetched


def _points(series: Exported) -> tuple[Array, Array, Array] | None:
    """The points of a series, as arrays of one shape."""
    data = [series.get(name) for name in ("XData", "YData", "ZData")]
    if series["kind"] not in ("surface", "line", "scatter", "stem") or not all(
        isinstance(one, dict) and one["kind"] != "device" for one in data
    ):
        return None
    if series["kind"] == "surface":
        return grid_points(series)
    x, y, z = (host_array(one).reshape(-1).astype(np.float64) for one in data if one is not None)
    return (x, y, z) if x.size == y.size == z.size else None
