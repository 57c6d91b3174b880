"""Voronoi cells and scattered data in any number of dimensions."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.arguments.checks import MATRIX, NUMBERS, REAL, takes
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    Cell,
    Value,
    as_array,
    canonical,
    numel,
    object_array,
    texts_of,
)
from app.errors import MatlabError

_FAMILY = "geometry"


def _diagram(points: Array, options: str | None = None) -> Any:
    from scipy import spatial

    if points.shape[0] <= points.shape[1] or not np.isfinite(points).all():
        text = "There must be more finite points than dimensions."
        raise MatlabError("MATLAB:voronoi:NotEnoughPts", text)
    try:
        return spatial.Voronoi(points, qhull_options=options)
    except spatial.QhullError as problem:
        text = "The points do not span the space."
        raise MatlabError("MATLAB:voronoi:CollinearPts", text) from problem


@builtin(
    "voronoin",
    category=_FAMILY,
    signatures=("[V, C] = voronoin(X)", "[V, C] = voronoin(X, options)"),
    cases=("isequal(voronoin([0 0; 1 0; 0 1; 1 1]), [Inf Inf; 0.5 0.5])",),
    see=("voronoi", "delaunayn"),
)
@takes(NUMBERS & REAL & MATRIX)
def voronoin(x: Value, options: Value | None = None) -> Value:
    """Voronoi cells of points in rows: vertices (the first is at infinity), and a cell array of
    the vertices of each point's cell; ``options`` are Qhull's, such as {'Qbb', 'QJ'}.
    """
    words = None if options is None or not numel(options) else " ".join(texts_of(options))
    found = _diagram(as_array(x).astype(np.float64), words)
    far = np.full((1, found.points.shape[1]), np.inf)
    cells = [
        canonical(np.array([[float(k) + 2 for k in found.regions[r]]]).reshape(1, -1))
        for r in found.point_region
    ]
    vertices = np.vstack([far, np.round(found.vertices, 15)])
    return canonical(vertices), Cell(object_array(cells, (len(cells), 1)))


@builtin(
    "voronoi",
    category=_FAMILY,
    signatures=("[vx, vy] = voronoi(x, y)",),
    cases=("size(voronoi([0 1 0 1 0.5], [0 0 1 1 0.5]), 1) == 2",),
    see=("voronoin", "delaunay"),
)
@takes(NUMBERS & REAL, NUMBERS & REAL)
def voronoi(x: Value, y: Value) -> Value:
    """Finite edges of the Voronoi cells in the plane, one in each column."""
    a, b = (as_array(v).astype(np.float64).ravel(order="F") for v in (x, y))
    if a.size != b.size:
        text = "The coordinates must have the same number of elements."
        raise MatlabError("MATLAB:voronoi:InputSizeMismatch", text)
    found = _diagram(np.column_stack([a, b]))
    ends = np.array([r for r in found.ridge_vertices if min(r) >= 0], dtype=np.int64)
    ends = ends.reshape(-1, 2)
    corners = found.vertices[ends]
    return canonical(corners[:, :, 0].T), canonical(corners[:, :, 1].T)
