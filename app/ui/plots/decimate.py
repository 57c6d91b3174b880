"""Lines with more points than pixels, reduced to what can be seen.

For every pixel column: the first point, the lowest, the highest and the last one. Drawn as one
line, they cover the same pixels as all points would. The device does the same
(`shaders/reduce.wgsl`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.ui.plots.series_arrays import Window

Array = NDArray[Any]
PER_COLUMN = 4
BLOCK = 256
"""Points that are reduced together, once, in lines of very many points."""
CHUNK = 1 << 16
"""Points that are compared at a time, so that what is made of them stays near the processor."""
FLAT = 0.5
"""A column whose points are within this many pixels needs its ends only."""


def column_starts(x: Array, window: Window) -> NDArray[np.int64]:
    """Index of the first point in every pixel column, and of the first one beyond the last."""
    edges = np.linspace(window.left, window.right, window.width + 1)
    edges[-1] = np.nextafter(edges[-1], np.inf)
    if x.dtype == np.float32:  # edges in the class of x, or all of x would be copied
        near = edges.astype(np.float32)
        edges = np.where(near < edges, np.nextafter(near, np.float32(np.inf)), near)
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
    return all(
        bool(np.all(x[at + 1 : at + CHUNK + 1] >= x[at : at + CHUNK][: len(x) - at - 1]))
        for at in range(0, len(x), CHUNK)
    )


class Line:
    """Points of a line, and what helps to thin them again and again.

    Attributes:
        x: abscissas in axis coordinates, singles or doubles.
        y: ordinates.
    """

    def __init__(self, x: Array, y: Array) -> None:
        self.x = x
        self.y = y
        self._sorted: bool | None = None
        self._blocks: tuple[Array, Array] | None = None

    @property
    def is_sorted(self) -> bool:
        """Whether x never falls and has no gaps; looked at once."""
        if self._sorted is None:
            self._sorted = is_sorted(self.x)
        return self._sorted

    def visible(self, window: Window) -> tuple[Array, Array]:
        """The points to draw, as doubles; all of them where the line turns back."""
        x, y = self._visible(window)
        return x.astype(np.float64, copy=False), y.astype(np.float64, copy=False)

    def _visible(self, window: Window) -> tuple[Array, Array]:
        if len(self.x) <= PER_COLUMN * window.width or not self.is_sorted:
            return self.x, self.y
        if window.left > window.right:
            window = replace(window, left=window.right, right=window.left)
        starts = column_starts(self.x, window)
        ends = max(int(starts[0]) - 1, 0), min(int(starts[-1]) + 1, len(self.x))
        if ends[1] - ends[0] <= PER_COLUMN * window.width:
            return self.x[slice(*ends)], self.y[slice(*ends)]
        return _reduced_line(self, starts, ends, window)

    def extremes(self, begin: NDArray[np.int64], end: NDArray[np.int64]) -> tuple[Array, Array]:
        """Lowest and highest ordinates of consecutive stretches."""
        if int(np.min(end - begin)) < 16 * BLOCK:
            part = self.y[: end[-1]]
            return np.fmin.reduceat(part, begin), np.fmax.reduceat(part, begin)
        # Very many points: stretches are rounded to blocks, which were reduced once and for all.
        lows, highs = self._reduced_blocks()
        places, stop = begin // BLOCK, int(-(-end[-1] // BLOCK))
        return (np.fmin.reduceat(lows[:stop], places), np.fmax.reduceat(highs[:stop], places))

    def _reduced_blocks(self) -> tuple[Array, Array]:
        if self._blocks is None:
            places = np.arange(0, len(self.y), BLOCK)
            low = np.minimum.reduceat(self.y, places)
            if np.isnan(low).any():  # gaps are left aside, which takes longer
                low = np.fmin.reduceat(self.y, places)
                self._blocks = low, np.fmax.reduceat(self.y, places)
            else:
                self._blocks = low, np.maximum.reduceat(self.y, places)
        return self._blocks


def visible_line(x: Array, y: Array, window: Window) -> tuple[Array, Array]:
    """The points to draw, in axis coordinates."""
    return Line(x, y).visible(window)


def _reduced_line(
    line: Line, starts: NDArray[np.int64], ends: tuple[int, int], window: Window
) -> tuple[Array, Array]:
    """Four points per column, with the neighbours outside the window at both ends.

    Where many points share a column their places inside it do not matter: one upright stroke.
    """
    filled = np.flatnonzero(np.diff(starts) > 0)
    begin, end = starts[:-1][filled], starts[1:][filled]
    x, y = line.x, line.y
    low, high = line.extremes(begin, end)
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
