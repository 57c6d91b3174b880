"""Where the legend of axes stands: in a corner, outside, or where it hides the least."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QRectF, QSizeF

from app.ui.plots.series_arrays import Array, Exported, count_of, flat, to_axis

GAP = 10.0
MOST_POINTS = 400
"""Points of a series that are looked at."""
CORNERS = ("northeast", "northwest", "southeast", "southwest", "north", "south", "east", "west")
Margins = tuple[float, float, float, float]


def corner(location: str, area: QRectF, size: QSizeF, margins: Margins) -> tuple[float, float]:
    """The upper left corner of a legend at a place by its name."""
    left, above, _right, below = margins
    outside = location.endswith("outside")
    x = area.center().x() - size.width() / 2
    y = area.center().y() - size.height() / 2
    east = "east" in location or location in ("bestoutside", "none")
    if outside and location in ("northoutside", "southoutside"):
        north = location.startswith("north")
        return x, area.top() - above - size.height() if north else area.bottom() + below
    if "north" in location or location in ("bestoutside", "none"):
        y = area.top() + (0 if outside else GAP)
    elif "south" in location:
        y = area.bottom() - size.height() - (0 if outside else GAP)
    if outside:
        return (area.right() + GAP if east else area.left() - left - size.width()), y
    if east:
        x = area.right() - GAP - size.width()
    elif "west" in location:
        x = area.left() + GAP
    return x, y


def best(model: Exported, box: Any, area: QRectF, size: QSizeF) -> str:
    """The corner in which the fewest points lie; data on the device is not looked at."""
    spots = [_spots(series, model, box, area) for series in model["children"]]
    known = [points for points in spots if len(points)]
    if not known:
        return "northeast"
    points = np.concatenate(known)
    hidden = []
    for name in CORNERS:
        x, y = corner(name, area, size, (0.0, 0.0, 0.0, 0.0))
        across = (points[:, 0] > x - GAP) & (points[:, 0] < x + size.width() + GAP)
        down = (points[:, 1] > y - GAP) & (points[:, 1] < y + size.height() + GAP)
        hidden.append(int((across & down).sum()))
    return CORNERS[int(np.argmin(hidden))]


def _spots(series: Exported, model: Exported, box: Any, area: QRectF) -> Array:
    """Points of a series in the coordinates of the axes' item."""
    x, y = series.get("XData"), series.get("YData")
    if x is None or y is None or "device" in (x["kind"], y["kind"]) or not series["Visible"]:
        return np.zeros((0, 2))
    count = min(count_of(x), count_of(y))
    if not count:
        return np.zeros((0, 2))
    places = np.linspace(0, count - 1, min(count, MOST_POINTS)).astype(np.intp)
    (left, right), (bottom, top) = box.viewRange()
    across = to_axis(flat(x)[places], log=model["XScale"] == "log")
    up = to_axis(flat(y)[places], log=model["YScale"] == "log")
    found = np.column_stack(
        [
            area.left() + (across - left) / (right - left) * area.width(),
            area.bottom() - (up - bottom) / (top - bottom) * area.height(),
        ]
    )
    kept: Array = found[np.isfinite(found).all(axis=1)]
    return kept
