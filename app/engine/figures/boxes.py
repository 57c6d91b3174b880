"""What box charts show of their values."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.figures.objects import GraphicsObject
from app.engine.figures.ticks import Limits

REACH = 1.5
"""Outliers are farther from the box than this many times its height."""


def box_of(values: Any, place: float) -> dict[str, Any]:
    """Quartiles, ends of the whiskers and outliers of some values."""
    low, middle, high = np.percentile(values, [25, 50, 75], method="hazen").tolist()
    reach = REACH * (high - low)
    inside = values[(values >= low - reach) & (values <= high + reach)]
    notch = 1.57 * (high - low) / len(values) ** 0.5
    return {
        "place": place, "low": low, "middle": middle, "high": high, "notch": notch,
        "ends": (float(inside.min()), float(inside.max())),
        "outliers": values[(values < low - reach) | (values > high + reach)],
    }  # fmt: skip


def boxes_of(chart: GraphicsObject) -> list[dict[str, Any]]:
    """The boxes of a chart, one for every place that has values."""
    x, y = (chart[name].host("plot").reshape(-1).astype(np.float64) for name in ("XData", "YData"))
    keep = np.isfinite(x) & np.isfinite(y)
    x, y = x[keep], y[keep]
    return [box_of(y[x == place], float(place)) for place in np.unique(x)]


def box_extent(chart: GraphicsObject, letter: str, *, positive: bool) -> Limits | None:
    """How far boxes reach."""
    upright = chart["Orientation"] == "vertical"
    if letter == ("Y" if upright else "X"):
        return chart["YData"].limits(positive=positive)  # type: ignore[no-any-return]
    own = chart["XData"].limits(positive=positive) if letter != "Z" else None
    return None if own is None else (own[0] - 0.5, own[1] + 0.5)
