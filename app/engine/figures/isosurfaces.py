"""Surfaces of equal value in a volume, by marching tetrahedra."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
# A cube's corners (x, y, z) and the six tetrahedra around its long diagonal.
_CORNERS = np.array(
    [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]]
)
_TETRAHEDRA = ((0, 5, 1, 6), (0, 1, 2, 6), (0, 2, 3, 6), (0, 3, 7, 6), (0, 7, 4, 6), (0, 4, 5, 6))
# For each pattern of corners above the level: triangles of edges (pairs of corners).
_ONE = {1: (0, 1, 2, 3), 2: (1, 0, 3, 2), 4: (2, 0, 1, 3), 8: (3, 0, 2, 1)}
_TWO = {3: (0, 1, 2, 3), 5: (0, 2, 3, 1), 9: (0, 3, 1, 2)}
Edge = tuple[int, int]


def _triangles() -> dict[int, list[tuple[Edge, Edge, Edge]]]:
    found: dict[int, list[tuple[Edge, Edge, Edge]]] = {}
    for pattern, (a, b, c, d) in _ONE.items():
        found[pattern] = [((a, b), (a, c), (a, d))]
        found[15 - pattern] = [((a, b), (a, d), (a, c))]
    for pattern, (a, b, c, d) in _TWO.items():
        found[pattern] = [((a, c), (a, d), (b, d)), ((a, c), (b, d), (b, c))]
        found[15 - pattern] = [((a, c), (b, d), (a, d)), ((a, c), (b, c), (b, d))]
    return found


_TRIANGLES = _triangles()


def isosurface(axes: tuple[Array, Array, Array], v: Array, level: float) -> tuple[Array, Array]:
    """Vertices (n, 3) and triangles (m, 3), from 0, of the surface v = level; the dimensions of v
    are y, x, z as in MATLAB, the axes are the vectors x, y, z."""
    volume = np.transpose(v, (1, 0, 2)).astype(np.float64)
    corners = [_shifted(volume, tuple(shift)) for shift in _CORNERS]
    base = np.indices(tuple(n - 1 for n in volume.shape)).reshape(3, -1).T
    values = np.stack([corner.reshape(-1) for corner in corners], axis=1) - level
    crossed = (values > 0).any(axis=1) & (values <= 0).any(axis=1) & np.isfinite(values).all(axis=1)
    values, base = values[crossed], base[crossed]
    pieces = [_pieces(values, base, tetrahedron) for tetrahedron in _TETRAHEDRA]
    points = np.concatenate(pieces).reshape(-1, 3)
    if not len(points):
        return np.zeros((0, 3)), np.zeros((0, 3), dtype=np.intp)
    spots = np.column_stack(
        [np.interp(points[:, k], np.arange(len(axis)), axis) for k, axis in enumerate(axes)]
    )
    _keys, first, number = np.unique(
        np.round(points, 9), axis=0, return_index=True, return_inverse=True
    )
    faces = number.reshape(-1, 3)
    whole = (
        (faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 0] != faces[:, 2])
    )
    return spots[first], faces[whole]


def _shifted(volume: Array, shift: tuple[int, ...]) -> Array:
    """One corner of every cube."""
    return volume[tuple(slice(s, n - 1 + s) for s, n in zip(shift, volume.shape, strict=True))]


def _pieces(values: Array, base: Array, tetrahedron: tuple[int, ...]) -> Array:
    """The triangles in one of the tetrahedra of every cube: (n, 3, 3) in grid coordinates."""
    own = values[:, tetrahedron]
    pattern = (own > 0) @ np.array([1, 2, 4, 8])
    found = []
    for code, triangles in _TRIANGLES.items():
        rows = np.flatnonzero(pattern == code)
        for triangle in triangles:
            corners = [_crossing(own[rows], base[rows], tetrahedron, edge) for edge in triangle]
            found.append(np.stack(corners, axis=1))
    return np.concatenate(found)


def _crossing(own: Array, base: Array, tetrahedron: tuple[int, ...], edge: Edge) -> Array:
    """Where an edge crosses the level, in grid coordinates."""
    first, second = sorted(edge, key=lambda corner: tetrahedron[corner])
    a, b = own[:, first], own[:, second]
    part = (a / (a - b))[:, None]
    start, stop = _CORNERS[tetrahedron[first]], _CORNERS[tetrahedron[second]]
    found: Array = base + start + part * (stop - start)
    return found
