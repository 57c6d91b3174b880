"""What box charts show of their values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from app.engine.figures.figure_data import ResidentData
from app.engine.figures.objects import GraphicsObject
from app.engine.figures.ticks import Limits
from app.engine.values import Value, numel

if TYPE_CHECKING:
    from app.engine.figures.mark_geometry import Geometry

REACH = 1.5
"""Outliers are farther from the box than this many times its height."""
MOST_OUTLIERS = 2000
"""Of more outliers on the device so many are shown, from the lowest to the highest."""


def box_of(values: Any, place: float) -> dict[str, Any]:
    """Quartiles, ends of the whiskers and outliers of some values."""
    low, middle, high = np.percentile(values, [25, 50, 75], method="hazen").tolist()
    reach = REACH * (high - low)
    inside = values[(values >= low - reach) & (values <= high + reach)]
    notch = 1.57 * (high - low) / len(values) ** 0.5
    return {
        "place": place,
        "low": low,
        "middle": middle,
        "high": high,
        "notch": notch,
        "ends": (float(inside.min()), float(inside.max())),
        "outliers": values[(values < low - reach) | (values > high + reach)],
    }


def boxes_of(chart: GraphicsObject) -> list[dict[str, Any]]:
    """The boxes of a chart, one for every place that has values."""
    if isinstance(chart["YData"], ResidentData):
        return _resident_boxes(chart)
    x, y = (chart[name].host().reshape(-1).astype(np.float64) for name in ("XData", "YData"))
    keep = np.isfinite(x) & np.isfinite(y)
    x, y = x[keep], y[keep]
    return [box_of(y[x == place], float(place)) for place in np.unique(x)]


def _resident_boxes(chart: GraphicsObject) -> list[dict[str, Any]]:
    """The boxes of values on the device: they are sorted there, and a few of them come down."""
    from app.engine.figures.mark_geometry import Geometry
    from app.engine.interpreter.indexing.index_read import paren

    geometry = Geometry(chart.owner.inputs.context)
    x, y = (geometry.column(chart[name].value()) for name in ("XData", "YData"))
    places, found = geometry.distinct(x).tolist(), []
    for place in places:
        inside = geometry("isfinite", y)
        if len(places) > 1:
            inside = geometry("and", inside, geometry("eq", x, place))
        found.append(_resident_box(geometry, geometry("sort", paren(y, inside)), place))
    return [box for box in found if box]


def _resident_box(geometry: Geometry, values: Value, place: float) -> dict[str, Any]:
    """``box_of`` for values in order."""
    count = numel(values)
    if not count:
        return {}
    spots = np.clip(np.array([0.25, 0.5, 0.75]) * count - 0.5, 0, count - 1)
    near = geometry.elements(values, np.concatenate([np.floor(spots), np.ceil(spots)]))
    low, middle, high = (near[:3] + (spots % 1) * (near[3:] - near[:3])).tolist()
    reach = REACH * (high - low)
    below = int(geometry.number("sum", geometry("lt", values, low - reach)))
    above = int(geometry.number("sum", geometry("gt", values, high + reach)))
    outside = [*range(below), *range(count - above, count)]
    some = np.unique(np.linspace(0, len(outside) - 1, min(len(outside), MOST_OUTLIERS)).astype(int))
    ends = geometry.elements(values, np.array([below, count - above - 1]))
    return {
        "place": place,
        "low": low,
        "middle": middle,
        "high": high,
        "notch": 1.57 * (high - low) / count**0.5,
        "ends": tuple(ends.tolist()),
        "outliers": geometry.elements(values, np.array(outside, dtype=np.int64)[some]),
    }


def box_extent(chart: GraphicsObject, letter: str, *, positive: bool) -> Limits | None:
    """How far boxes reach."""
    upright = chart["Orientation"] == "vertical"
    if letter == ("Y" if upright else "X"):
        return chart["YData"].limits(positive=positive)  # type: ignore[no-any-return]
    own = chart["XData"].limits(positive=positive) if letter != "Z" else None
    return None if own is None else (own[0] - 0.5, own[1] + 0.5)
