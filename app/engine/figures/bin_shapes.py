"""Bins as shapes: boxes in space, tiles of a plane and sectors of a disc."""

from __future__ import annotations

import numpy as np

from app.engine.values import Array

Shapes = tuple[Array, Array]
"""Vertices, and faces of them counted from 1."""

_SIDES = np.array(
    [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]]
)
"""The faces of a box whose corners are numbered by their bits."""
_ARC = 24
"""Points of the rim of a sector."""


def boxes(low: Array, high: Array) -> Shapes:
    """Vertices and faces (from 1) of boxes between two corners each."""
    bits = np.array([[k >> 2 & 1, k >> 1 & 1, k & 1] for k in range(8)])
    vertices = np.where(bits[None] == 1, high[:, None], low[:, None]).reshape(-1, 3)
    faces = (_SIDES[None] + 8 * np.arange(len(low))[:, None, None]).reshape(-1, 4)
    return vertices, faces + 1.0


def towers(across: Array, along: Array, heights: Array, shown: Array) -> Shapes:
    """A box for every cell of the grid between these edges that is shown, six faces each."""
    rows, columns = np.nonzero(shown)
    low = np.column_stack([across[rows], along[columns], np.zeros(len(rows))])
    high = np.column_stack([across[rows + 1], along[columns + 1], heights[rows, columns]])
    return boxes(low, high)


def tiles(across: Array, along: Array, shown: Array) -> Shapes:
    """A rectangle for every cell that is shown; the vertices are those of the whole grid."""
    x, y = np.meshgrid(across, along, indexing="ij")
    rows, columns = np.nonzero(shown)
    first = rows * len(along) + columns + 1.0
    faces = np.column_stack([first, first + len(along), first + len(along) + 1, first + 1])
    return np.column_stack([x.ravel(), y.ravel()]), faces


def sectors(edges: Array, radii: Array, *, outline: bool) -> Shapes:
    """A sector (angle, radius) for every bin, or the one outline of them all."""
    rims = [
        np.column_stack([np.linspace(low, high, _ARC), np.full(_ARC, radius)])
        for low, high, radius in zip(edges[:-1], edges[1:], radii, strict=True)
    ]
    if outline:
        whole = np.isclose(edges[-1] - edges[0], 2 * np.pi)
        ends = [] if whole else [[edges[-1], 0.0], [edges[0], 0.0]]
        path = np.vstack([*rims, *([ends] if ends else [])])
        return path, np.arange(1.0, len(path) + 1)[None, :]
    rows = [np.vstack([[rim[0, 0], 0.0], rim]) for rim in rims]
    faces = np.arange(1.0, (_ARC + 1) * len(rows) + 1).reshape(len(rows), _ARC + 1)
    return np.concatenate(rows), faces
