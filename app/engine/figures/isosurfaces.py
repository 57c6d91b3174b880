"""Surfaces of equal value in a volume, by marching cubes."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
_CORNERS = np.array(
    [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]]
)
"""The corners of a cube: x, y, z."""
_EDGES = (
    *((0, 1), (3, 2), (4, 5), (7, 6)),
    *((0, 3), (1, 2), (4, 7), (5, 6)),
    *((0, 4), (1, 5), (2, 6), (3, 7)),
)
"""Its edges, from the corner nearer to the origin: four along x, four along y, four along z."""
_FACES = ((0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (2, 3, 7, 6), (0, 4, 7, 3), (1, 2, 6, 5))
"""The corners around each face, counterclockwise seen from outside."""
_POWERS = 1 << np.arange(8)


def _edge(start: int, stop: int) -> int:
    return _EDGES.index((start, stop) if (start, stop) in _EDGES else (stop, start))


def _followers(pattern: int) -> dict[int, int]:
    """From each crossed edge of a cube the next around the surface: in each face a line parts every
    run of corners above the level from the others, so that neighbouring cubes agree."""
    found = {}
    above = [bool(pattern >> corner & 1) for corner in range(8)]
    for face in _FACES:
        turns = [(face[k - 1], face[k]) for k in range(4)]
        enters = [k for k, (a, b) in enumerate(turns) if above[b] and not above[a]]
        leaves = [k for k, (a, b) in enumerate(turns) if above[a] and not above[b]]
        for k in enters:
            end = min(leaves, key=lambda place: (place - k) % 4)
            found[_edge(*turns[end])] = _edge(*turns[k])
    return found


def _triangles(pattern: int) -> list[tuple[int, int, int]]:
    """The triangles of a pattern of corners above the level, as edges of the cube."""
    followers, found = _followers(pattern), []
    while followers:
        start, place = next(iter(followers.items()))
        loop = [start]
        while place != start:
            loop.append(place)
            place = followers.pop(place)
        followers.pop(start)
        found += [(loop[0], c, b) for b, c in pairwise(loop[1:])]
    return found


_TRIANGLES = tuple(_triangles(pattern) for pattern in range(256))


def isosurface(axes: tuple[Array, Array, Array], v: Array, level: float) -> tuple[Array, Array]:
    """Vertices (n, 3) and triangles (m, 3), from 0, of the surface v = level; the dimensions of v
    are y, x, z as in MATLAB, the axes are the vectors x, y, z."""
    volume = np.transpose(v, (1, 0, 2)).astype(np.float64)
    corners = [_cube_corner(volume, tuple(shift)) for shift in _CORNERS]
    base = np.indices(tuple(n - 1 for n in volume.shape)).reshape(3, -1).T
    values = np.stack([corner.reshape(-1) for corner in corners], axis=1) - level
    crossed = (values > 0).any(axis=1) & (values <= 0).any(axis=1) & np.isfinite(values).all(axis=1)
    values, base = values[crossed], base[crossed]
    patterns = (values > 0) @ _POWERS
    points, keys, used = _crossings(values, base, volume.shape)
    found = [
        used[np.ix_(rows, triangle)]
        for pattern in np.unique(patterns).tolist()
        for rows in (np.flatnonzero(patterns == pattern),)
        for triangle in _TRIANGLES[pattern]
    ]
    if not found:
        return np.zeros((0, 3)), np.zeros((0, 3), dtype=np.intp)
    _keys, first, number = np.unique(keys, return_index=True, return_inverse=True)
    faces = number.reshape(-1)[np.concatenate(found)]
    whole = (
        (faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 0] != faces[:, 2])
    )
    spots = np.column_stack(
        [np.interp(points[first, k], np.arange(len(axis)), axis) for k, axis in enumerate(axes)]
    )
    return spots, faces[whole]


def _cube_corner(volume: Array, shift: tuple[int, ...]) -> Array:
    """One corner of every cube."""
    return volume[tuple(slice(s, n - 1 + s) for s, n in zip(shift, volume.shape, strict=True))]


def _crossings(values: Array, base: Array, shape: tuple[int, ...]) -> tuple[Array, Array, Array]:
    """Where edges of the cubes cross the level.

    Returns:
        The points in grid coordinates; for each a number that equal points share; and for each cube
        and edge the place of its point, -1 where there is none.
    """
    strides = np.array([shape[1] * shape[2], shape[2], 1])
    used = np.full((len(values), 12), -1, dtype=np.intp)
    points, keys, count = [np.zeros((0, 3))], [np.zeros(0, dtype=np.intp)], 0
    for k, (start, stop) in enumerate(_EDGES):
        rows = np.flatnonzero((values[:, start] > 0) != (values[:, stop] > 0))
        a, b = values[rows, start], values[rows, stop]
        part = a / (a - b)
        origin = base[rows] + _CORNERS[start]
        points.append(origin + part[:, None] * (_CORNERS[stop] - _CORNERS[start]))
        own = 4 * (origin @ strides) + 1 + k // 4
        at_start, at_stop = part == 0, part == 1  # corners on the level belong to several edges
        own[at_start] = 4 * (origin[at_start] @ strides)
        own[at_stop] = 4 * ((base[rows] + _CORNERS[stop])[at_stop] @ strides)
        keys.append(own)
        used[rows, k] = np.arange(count, count + len(rows))
        count += len(rows)
    return np.concatenate(points), np.concatenate(keys), used
