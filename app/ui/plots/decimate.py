"""Lines with more points than pixels, reduced to what can be seen.

For every pixel column: the first point, the lowest, the highest and the last one. Drawn as one
line, they cover the same pixels as all points would. The device does the same (``shaders.py``).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.ui.plots.numbers import Window

Array = NDArray[Any]
PER_COLUMN = 4
FLAT = 0.5
"""A column whose points are within this many pixels needs its ends only."""


def column_starts(x: Array, window: Window) -> NDArray[np.int64]:
    """Index of the first point in every pixel column, and of the first one beyond the last."""
    edges = np.linspace(window.left, window.right, window.width + 1)
    edges[-1] = np.nextafter(edges[-1], np.inf)
    return np.searchsorted(x, edges).astype(np.int64)


def range_starts(start: float, step: float, count: int, window: Window) -> NDArray[np.int64]:
    """``column_starts`` of the points start, start+step, …, without making them."""
    edges = np.linspace(window.left, window.right, window.width + 1)
    if window.log_x:
        edges = 10.0**edges
    places = np.ceil((edges - start) / step - 1e-9)
    places[-1] = np.floor((edges[-1] - start) / step + 1e-9) + 1
    return np.clip(places, 0, count).astype(np.int64)


def is_sorted(x: Array) -> bool:
    """Whether x never falls and has no gaps."""
    return bool(np.all(x[1:] >= x[:-1]))


def visible_line(x: Array, y: Array, window: Window) -> tuple[Array, Array]:
    """The points to draw, in axis coordinates; x must be sorted."""
    starts = column_starts(x, window)
    first, last = max(int(starts[0]) - 1, 0), min(int(starts[-1]) + 1, len(x))
    if last - first <= PER_COLUMN * window.width:
        return x[first:last], y[first:last]
    return _reduced(x, y, starts, (first, last), window)


def _reduced(
    x: Array, y: Array, starts: NDArray[np.int64], ends: tuple[int, int], window: Window
) -> tuple[Array, Array]:
    """Four points per column, with the neighbours outside the window at both ends.

    Where many points share a column their places inside it do not matter: one upright stroke.
    """
    filled = np.flatnonzero(np.diff(starts) > 0)
    begin, end = starts[:-1][filled], starts[1:][filled]
    part = y[: starts[-1]]
    low, high = np.fmin.reduceat(part, begin), np.fmax.reduceat(part, begin)
    centre = window.left + (filled + 0.5) / window.x_scale
    xs = np.stack([x[begin], centre, centre, x[end - 1]], axis=1)
    ys = np.stack([y[begin], low, high, y[end - 1]], axis=1)
    ys[:, 0] = np.where(np.isnan(ys[:, 0]), low, ys[:, 0])
    ys[:, 3] = np.where(np.isnan(ys[:, 3]), high, ys[:, 3])
    seen = np.ones(xs.shape, dtype=bool)
    seen[:, 1:3] = (np.abs(high - low) * abs(window.y_scale) > FLAT)[:, None]
    outside = slice(ends[0], begin[0]), slice(end[-1], ends[1])
    return (
        np.concatenate([x[outside[0]], xs[seen], x[outside[1]]]),
        np.concatenate([y[outside[0]], ys[seen], y[outside[1]]]),
    )
