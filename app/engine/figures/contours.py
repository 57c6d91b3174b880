"""Lines of equal height over a grid, by marching squares."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
# For each of the 16 patterns of corners above the level: pairs of edges that a line joins.
# Corners: bit 0 (row, column), 1 (row, column+1), 2 (row+1, column+1), 3 (row+1, column);
# edges: 0 top, 1 right, 2 bottom, 3 left.
_JOINS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((3, 0),),
    2: ((0, 1),),
    3: ((3, 1),),
    4: ((1, 2),),
    5: ((3, 2), (1, 0)),
    6: ((0, 2),),
    7: ((3, 2),),
    8: ((2, 3),),
    9: ((2, 0),),
    10: ((2, 1), (0, 3)),
    11: ((2, 1),),
    12: ((1, 3),),
    13: ((1, 0),),
    14: ((0, 3),),
}


def grid_of(x: Array, y: Array, shape: tuple[int, ...]) -> tuple[Array, Array]:
    """Coordinates of every grid point, from vectors or matrices."""
    rows, columns = shape[:2]
    full_x = x if x.shape == shape else np.broadcast_to(x.reshape(1, -1), (rows, columns))
    full_y = y if y.shape == shape else np.broadcast_to(y.reshape(-1, 1), (rows, columns))
    return full_x.astype(np.float64), full_y.astype(np.float64)


def contour_segments(x: Array, y: Array, z: Array, level: float) -> Array:
    """The pieces of the lines at ``level``: an array (n, 2, 2) of ends (x, y)."""
    full_x, full_y = grid_of(x, y, z.shape)
    heights = z.astype(np.float64) - level
    corners = _corners(heights)
    finite = np.isfinite(corners).all(axis=0)
    above = (corners > 0) & finite
    pattern = (above * np.array([1, 2, 4, 8])[:, None, None]).sum(axis=0) * finite
    points = _edge_points(_corners(full_x), _corners(full_y), corners)
    pieces = [
        np.stack([points[a][pattern == code], points[b][pattern == code]], axis=1)
        for code, joins in _JOINS.items()
        for a, b in joins
    ]
    return np.concatenate(pieces)


def _corners(grid: Array) -> Array:
    """The four corners of every cell, stacked in the order of the pattern's bits."""
    return np.stack([grid[:-1, :-1], grid[:-1, 1:], grid[1:, 1:], grid[1:, :-1]])


def _edge_points(x: Array, y: Array, heights: Array) -> list[Array]:
    """Where each of the four edges of every cell crosses zero (nonsense where it does not)."""
    found = []
    for first in range(4):
        second = (first + 1) % 4
        drop = heights[first] - heights[second]
        part = heights[first] / np.where(drop == 0, 1.0, drop)
        found.append(
            np.stack(
                [
                    x[first] + part * (x[second] - x[first]),
                    y[first] + part * (y[second] - y[first]),
                ],
                axis=-1,
            )
        )
    return found


def contour_lines(x: Array, y: Array, z: Array, level: float) -> list[Array]:
    """The lines at ``level``, each an array (n, 2) of points in order."""
    segments = contour_segments(x, y, z, level)
    neighbours: dict[tuple[float, float], list[int]] = {}
    ends = [tuple(map(_key, segment)) for segment in segments]
    for number, pair in enumerate(ends):
        for end in pair:
            neighbours.setdefault(end, []).append(number)
    unused = set(range(len(segments)))
    lines = []
    while unused:
        number = unused.pop()
        line = [ends[number][0], ends[number][1]]
        _extend(line, ends, neighbours, unused)
        line.reverse()
        _extend(line, ends, neighbours, unused)
        lines.append(np.array(line))
    return lines


def _key(point: Array) -> tuple[float, float]:
    return round(float(point[0]), 12), round(float(point[1]), 12)


def _extend(
    line: list[tuple[float, float]],
    ends: list[tuple[tuple[float, float], ...]],
    neighbours: dict[tuple[float, float], list[int]],
    unused: set[int],
) -> None:
    """Follow pieces from the last point as long as there are any."""
    while True:
        number = next((n for n in neighbours[line[-1]] if n in unused), None)
        if number is None:
            return
        unused.discard(number)
        first, second = ends[number]
        line.append(second if first == line[-1] else first)


def contour_matrix(x: Array, y: Array, z: Array, levels: Iterable[float]) -> Array:
    """The lines of all levels in the two-row form of ``M = contour(...)``."""
    parts = [
        np.concatenate([[[level], [len(line)]], line.T], axis=1)
        for level in levels
        for line in contour_lines(x, y, z, level)
    ]
    return np.concatenate(parts, axis=1) if parts else np.zeros((2, 0))
