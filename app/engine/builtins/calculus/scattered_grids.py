"""Scattered data at other points, at once: griddata and griddatan."""

from __future__ import annotations

import numpy as np

from app.engine import stoppable
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import MATRIX, NUMBERS, REAL, takes
from app.engine.builtins.calculus.scattered_interpolant import ScatteredInterpolant
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Value, as_array, canonical, is_text_scalar, numel, text_of
from app.errors import MatlabError

_FAMILY = "geometry"
_PLANE_ONLY = ("cubic", "v4")
_AT_ONCE = 2_000_000
"""Distances between points and queries that are held at a time."""
_METHODS = ("linear", "nearest", "natural", *_PLANE_ONLY)


@builtin(
    "griddata",
    category=_FAMILY,
    least=5,
    most=8,
    signatures=(
        "vq = griddata(x, y, v, xq, yq)",
        "vq = griddata(x, y, z, v, xq, yq, zq)",
        "vq = griddata(..., method)",
        "[xq, yq, vq] = griddata(x, y, v, xq, yq)",
        "[xq, yq, zq, vq] = griddata(x, y, z, v, xq, yq, zq)",
    ),
    cases=(
        "abs(griddata([0 1 0 1], [0 0 1 1], [0 1 1 2], 0.5, 0.5) - 1) < 1e-12",
        "x = [0 1 0 1 .4]; y = [0 0 1 1 .3]; v = x - 2*y; "
        "abs(griddata(x, y, v, .7, .6, 'natural') + .5) < 1e-6 && "
        "isnan(griddata(x, y, v, 2, 2)) && ~isnan(griddata(x, y, v, 2, 2, 'v4'))",
        "[X, Y, V] = griddata([0 1 0 1], [0 0 1 1], [0 1 1 2], 0:.5:1, [0; 1]); "
        "isequal(X, [0 .5 1; 0 .5 1]) && isequal(Y, [0 0 0; 1 1 1]) && isequal(size(V), [2 3])",
    ),
    see=("scatteredInterpolant", "interp2", "delaunay"),
)
def griddata(ctx: CallContext, *args: Value, nargout: int = 1) -> Value:
    """Interpolate scattered data in the plane or in space.

    The methods: ``linear``, ``nearest`` and ``natural``; in the plane ``cubic``, too, and ``v4``
    (biharmonic splines), the only one with values beyond the hull of the points. A row of xq with
    a column of yq makes a grid. Values at the same point count with their mean.
    """
    given, method = _method_behind(args)
    if len(given) not in (5, 7):
        text = "The coordinates of the points, their values and those of the queries must be given."
        raise MatlabError("MATLAB:griddata:NotEnoughInputs", text)
    n = len(given) // 2
    if n == 3 and method in _PLANE_ONLY:
        text = f"The method '{method}' is for points in the plane."
        raise MatlabError("MATLAB:griddata:UnsupportedMethod", text)
    values = np.asarray(as_array(given[n]))
    points = _points([_reals(v) for v in given[:n]], values)
    queries = _queries([_reals(v) for v in given[n + 1 :]])
    places = np.stack([q.ravel(order="F") for q in queries], axis=1)
    points, v = _without_doubles(ctx, points, values.ravel(order="F"))
    found = _spline(points, v, places) if method == "v4" else _on_mesh(points, v, places, method)
    found = found.astype(np.result_type(values, np.float32), copy=False)
    made = canonical(found.reshape(queries[0].shape, order="F"))
    return made if nargout < 2 else (*map(canonical, queries), made)


def _method_behind(args: tuple[Value, ...]) -> tuple[tuple[Value, ...], str]:
    """The arguments before the method, and the method: ``linear`` where none is named."""
    if len(args) % 2:
        return args, "linear"
    if numel(args[-1]) and not is_text_scalar(args[-1]):
        text = "The method must be text; griddata has no other options."
        raise MatlabError("MATLAB:griddata:InvalidMethod", text)
    word = text_of(args[-1]).lower() if numel(args[-1]) else "linear"
    if word not in _METHODS:
        text = f"Unknown method '{word}'. The methods are {', '.join(_METHODS)}."
        raise MatlabError("MATLAB:griddata:UnknownMethod", text)
    return args[:-1], word


def _reals(v: Value) -> Array:
    found = np.asarray(as_array(v))
    if found.dtype.kind == "c":
        raise MatlabError("MATLAB:griddata:Complex", "Coordinates must be real.")
    return found.astype(np.float64)


def _points(columns: list[Array], values: Array) -> Array:
    """The points as rows; a row and a column of coordinates of a matrix of values span a grid."""
    sizes = {c.size for c in columns}
    if len(columns) == 2 and (columns[1].size, columns[0].size) == values.shape != (1, 1):
        columns = list(np.meshgrid(*(c.ravel(order="F") for c in columns)))
    elif sizes != {values.size}:
        text = "The coordinates and the values must have the same number of elements."
        raise MatlabError("MATLAB:griddata:InputSizeMismatch", text)
    return np.stack([c.ravel(order="F") for c in columns], axis=1)


def _queries(given: list[Array]) -> list[Array]:
    if len(given) == 2 and all(q.ndim == 2 and 1 in q.shape for q in given):
        (rows, columns), (other_rows, other_columns) = (q.shape for q in given)
        if (rows == 1) == (other_columns == 1) and (columns == 1) == (other_rows == 1):
            return list(np.meshgrid(*(q.ravel() for q in given)))
    if len({q.shape for q in given}) > 1:
        text = "The coordinates of the queries must be arrays of the same size."
        raise MatlabError("MATLAB:griddata:QuerySizeMismatch", text)
    return given


def _without_doubles(ctx: CallContext, points: Array, values: Array) -> tuple[Array, Array]:
    """Points that differ, none of them NaN, with the mean of the values at each."""
    known = ~np.isnan(points).any(axis=1) & ~np.isnan(values)
    points, values = points[known], values[known].astype(np.result_type(values, np.float64))
    unique, place, count = np.unique(points, axis=0, return_inverse=True, return_counts=True)
    if len(unique) == len(points):
        return points, values
    text = "Duplicate data points have been detected and removed: their values are averaged."
    ctx.warning("MATLAB:griddata:DuplicateDataPoints", text)
    total = np.zeros(len(unique), values.dtype)
    np.add.at(total, place.ravel(), values)
    return unique, total / count


def _on_mesh(points: Array, values: Array, places: Array, method: str) -> Array:
    """By the triangles of the points; NaN beyond them."""
    from scipy.interpolate import CloughTocher2DInterpolator
    from scipy.spatial import Delaunay, QhullError

    if len(points) <= points.shape[1]:
        text = f"At least {points.shape[1] + 1} points are needed to triangulate."
        raise MatlabError("MATLAB:griddata:NotEnoughPts", text)
    try:
        mesh = stoppable.of_matrix(Delaunay)(points)
    except QhullError as problem:
        text = "The points lie on a line or in a plane: they cannot be triangulated."
        raise MatlabError("MATLAB:griddata:EmptyTriangulation", text) from problem
    if method == "cubic":
        return np.asarray(CloughTocher2DInterpolator(mesh, values)(places))
    curve = ScatteredInterpolant({"Method": method, "ExtrapolationMethod": "none"})
    return curve.values_at(mesh, values[:, None], places)[:, 0]


def _spline(points: Array, values: Array, places: Array) -> Array:
    """Biharmonic splines (Sandwell, 1987): a sum of ``d^2*(log(d) - 1)`` around the points."""
    from app.engine.operators.linear_solves import solve

    x, q = (p[:, 0] + 1j * p[:, 1] for p in (points, places))
    weights = np.asarray(solve(_green(x[:, None] - x), values[:, None]))[:, 0]
    step = max(1, _AT_ONCE // max(len(x), 1))
    parts = [_green(q[k : k + step, None] - x) @ weights for k in range(0, len(q), step)]
    return np.concatenate(parts, axis=0) if parts else np.zeros(0)


def _green(between: Array) -> Array:
    distance = np.abs(between)
    with np.errstate(divide="ignore", invalid="ignore"):
        made: Array = distance**2 * (np.log(distance) - 1)
    made[distance == 0] = 0.0
    return made


@builtin(
    "griddatan",
    category=_FAMILY,
    signatures=("yq = griddatan(X, y, XQ)", "yq = griddatan(X, y, XQ, method)"),
    cases=("abs(griddatan([0 0; 1 0; 0 1; 1 1], [0; 1; 1; 2], [0.5 0.25]) - 0.75) < 1e-12",),
    see=("griddata", "interpn"),
)
@takes(NUMBERS & REAL & MATRIX, NUMBERS & REAL, NUMBERS & REAL & MATRIX)
def griddatan(x: Value, y: Value, queries: Value, method: Value = "linear") -> Value:
    """Interpolate scattered data of any dimension: ``linear`` or ``nearest``."""
    from scipy.interpolate import griddata

    word = text_of(method).lower()
    if word not in ("linear", "nearest"):
        text = "The method must be 'linear' or 'nearest'."
        raise MatlabError("MATLAB:griddatan:InvalidMethod", text)
    points, wanted = as_array(x).astype(np.float64), as_array(queries).astype(np.float64)
    values = as_array(y).ravel(order="F")
    if points.shape[0] <= points.shape[1]:
        text = "There must be more points than dimensions."
        raise MatlabError("MATLAB:griddatan:NotEnoughPts", text)
    if points.shape[0] != values.size or points.shape[1] != wanted.shape[1]:
        text = "Points, values and query points must match in size."
        raise MatlabError("MATLAB:griddatan:InputSizeMismatch", text)
    return canonical(griddata(points, values, wanted, method=word).reshape(-1, 1))
