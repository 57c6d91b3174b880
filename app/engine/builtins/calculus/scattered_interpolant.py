"""``scatteredInterpolant``: values at scattered points as a function called with coordinates."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine import stoppable
from app.engine.arguments.call_context import CallContext
from app.engine.builtins.calculus.interpolant_object import Interpolant
from app.engine.builtins.calculus.natural_neighbours import natural_weights
from app.engine.declarations.registry import builtin, native_type
from app.engine.values import (
    EMPTY,
    Array,
    Value,
    as_array,
    canonical,
    host,
    is_cell,
    is_text_scalar,
)
from app.errors import MatlabError

_PREFIX = "MATLAB:scatteredInterpolant"


@native_type
class ScatteredInterpolant(Interpolant):
    """Points in the plane or in space, values, and the two methods."""

    class_name = "scatteredInterpolant"
    inside = ("linear", "nearest", "natural")
    outside = ("linear", "nearest", "boundary", "none")

    @classmethod
    def checked(cls, name: str, value: Value) -> Value:
        """A property's value, if it is one that the property can have."""
        if name == "Points":
            points = cls.points(value)
            if points.size and (points.ndim != 2 or points.shape[1] not in (2, 3)):
                text = "The points must have two or three coordinates."
                raise cls.complaint("BadPointsErrId", text)
            return canonical(points)
        return super().checked(name, value)

    def samples(self, ctx: CallContext) -> tuple[Array, Array]:
        """Different points and their values, one row each; doubles count with their mean."""
        points, v = as_array(self.fields["Points"]), as_array(self.fields["Values"])
        if not points.size:
            raise self.complaint("EmptyInterpolantErrId", "The interpolant has no sample data.")
        v = v.reshape(-1, 1, order="F") if v.ndim == 2 and 1 in v.shape else v
        if v.shape[0] != points.shape[0]:
            text = "The number of points and of values must be the same."
            raise self.complaint("InputMismatchErrId", text)
        unique, place, count = np.unique(points, axis=0, return_inverse=True, return_counts=True)
        if len(unique) == len(points):
            return points, np.asarray(v, dtype=np.result_type(v, np.float64))
        text = (
            "Duplicate data points have been detected and removed - corresponding values "
            "have been averaged."
        )
        ctx.warning(f"{_PREFIX}:DupPtsAvValuesWarnId", text)
        total = np.zeros((len(unique), v.shape[1]), dtype=np.result_type(v, np.float64))
        np.add.at(total, place.ravel(), v)
        return unique, total / count[:, None]

    def paren_get(self, ctx: CallContext, args: tuple[Value, ...]) -> Value:
        """``F(P)``, ``F(xq, yq)`` and ``F({x, y})``."""
        from scipy.spatial import Delaunay, QhullError

        points, v = self.samples(ctx)
        queries, shape = self._queries(tuple(host(a) for a in args), points.shape[1])
        try:
            mesh = stoppable.of_matrix(Delaunay)(points)
        except (QhullError, ValueError):
            text = "The underlying triangulation is empty - the points may be collinear."
            ctx.warning(f"{_PREFIX}:EmptyTri{points.shape[1]}DWarnId", text)
            return EMPTY
        found = self.values_at(mesh, v, queries)
        single = as_array(self.fields["Values"]).dtype in (np.float32, np.complex64)
        if single:
            found = found.astype(np.complex64 if found.dtype.kind == "c" else np.float32)
        several = () if v.shape[1] == 1 else (v.shape[1],)
        shape = (queries.shape[0],) if several else shape
        return canonical(found.reshape(*shape, *several, order="F"))

    def _queries(self, args: tuple[Value, ...], count: int) -> tuple[Array, tuple[int, ...]]:
        """Query points as rows, and the size of the result."""
        first = args[0] if len(args) == 1 else None
        if first is not None and not is_cell(first):
            table = self.points(first)
            if table.ndim == 2 and table.shape[1] == count:
                return table, (table.shape[0], 1)
            raise self._bad_count(table.shape[-1], count)
        if first is not None:
            lines = [self.points(a).ravel(order="F") for a in first.items()]
            arrays = list(np.meshgrid(*lines, indexing="ij"))
        else:
            arrays = [self.points(a) for a in args]
        if len(arrays) != count:
            raise self._bad_count(len(arrays), count)
        if len({a.shape for a in arrays}) > 1:
            text = "The query coordinates must be arrays of the same size."
            raise self.complaint("QuerySizeMismatchErrId", text)
        return np.stack([a.ravel(order="F") for a in arrays], axis=1), arrays[0].shape

    def _bad_count(self, given: int, wanted: int) -> MatlabError:
        text = f"The number of query coordinates is {given}, but the points have {wanted}."
        return self.complaint("BadQueryDimErrId", text)

    def values_at(self, mesh: Any, v: Array, queries: Array) -> Array:
        """Values at the rows of ``queries``; NaN coordinates give NaN."""
        found = np.full((len(queries), v.shape[1]), np.nan, dtype=v.dtype)
        known: Array = np.asarray(~np.isnan(queries).any(axis=1))
        inside = known.copy()
        inside[known] = mesh.find_simplex(queries[known], tol=1e-12) >= 0
        far = known & ~inside
        found[inside] = _values_in_hull(mesh, v, queries[inside], self.method)
        found[far] = self._extrapolated_values(mesh, v, queries[far])
        return found

    def _extrapolated_values(self, mesh: Any, v: Array, queries: Array) -> Array:
        if self.beyond == "none" or not len(queries):
            return np.full((len(queries), v.shape[1]), np.nan)
        if self.beyond == "nearest":
            return _values_in_hull(mesh, v, queries, "nearest")
        weights, simplex = _outer(mesh, queries)
        if self.beyond == "boundary":
            weights = np.clip(weights, 0, None)
            weights = weights / weights.sum(axis=1, keepdims=True)
        return np.asarray(np.einsum("qk,qkc->qc", weights, v[mesh.simplices[simplex]]))


def _values_in_hull(mesh: Any, v: Array, queries: Array, method: str) -> Array:
    """Values at points of the hull."""
    if method == "nearest":
        from scipy.spatial import cKDTree

        return np.asarray(v[cKDTree(mesh.points).query(queries)[1]])
    if method == "natural":
        return np.asarray(natural_weights(mesh, queries) @ v)
    simplex = mesh.find_simplex(queries, tol=1e-12)
    weights = _barycentric(mesh, queries, simplex)
    return np.asarray(np.einsum("qk,qkc->qc", weights, v[mesh.simplices[simplex]]))


def _barycentric(mesh: Any, queries: Array, simplex: Array) -> Array:
    n = queries.shape[1]
    affine = mesh.transform[simplex]
    first = np.einsum("qij,qj->qi", affine[:, :n], queries - affine[:, n])
    return np.column_stack([first, 1 - first.sum(axis=1)])


def _outer(mesh: Any, queries: Array) -> tuple[Array, Array]:
    """For points beyond the hull: the simplex at the facet next to each, and its weights.

    The next facet is the one whose plane is farthest in front of the point's side.
    """
    n = queries.shape[1]
    simplex, corner = np.nonzero(mesh.neighbors == -1)
    whole = np.isfinite(mesh.transform[simplex]).all(axis=(1, 2))
    simplex, corner = simplex[whole], corner[whole]
    slopes = mesh.transform[simplex][:, :n]
    slopes = np.concatenate([slopes, -slopes.sum(axis=1, keepdims=True)], axis=1)
    steep = np.linalg.norm(slopes[np.arange(len(corner)), corner], axis=1)
    best = np.full(len(queries), -np.inf)
    chosen = np.zeros(len(queries), dtype=int)
    for s, c, g in zip(simplex, corner, steep, strict=True):
        height = -_barycentric(mesh, queries, np.full(len(queries), s))[:, c] / g
        closer = height > best
        best[closer], chosen[closer] = height[closer], s
    return _barycentric(mesh, queries, chosen), chosen


@builtin(
    "scatteredInterpolant",
    category="interpolation",
    signatures=(
        "F = scatteredInterpolant(x, y, v)",
        "F = scatteredInterpolant(x, y, z, v)",
        "F = scatteredInterpolant(P, v)",
        "F = scatteredInterpolant",
        "F = scatteredInterpolant(..., Method, ExtrapolationMethod)",
    ),
    cases=(
        "abs(subsref(scatteredInterpolant([0 1 0 1]', [0 0 1 1]', [0 1 1 2]'), "
        "substruct('()', {0.5, 0.25})) - 0.75) < 1e-12",
        "isequal(size(scatteredInterpolant([0 0; 1 0; 0 1], [1; 2; 3]).Points), [3 2])",
    ),
    see=("griddedInterpolant", "griddata", "delaunay"),
)
def scattered_interpolant(*args: Value) -> Value:
    """Values at scattered points as a function: ``F(xq, yq)`` interpolates, again and again.

    The methods are linear (on the Delaunay triangulation), nearest, and natural (in the plane:
    weights by stolen Voronoi area). Beyond the hull, ``'linear'`` goes on with the gradient of
    the triangle at the next edge; ``'nearest'``, ``'boundary'`` and ``'none'`` (NaN) are the
    others. ``F(P)`` takes one point per row, ``F({x, y})`` the grid that the vectors span.

    ``F.Points``, ``F.Values``, ``F.Method`` and ``F.ExtrapolationMethod`` can be assigned.
    """
    cls = ScatteredInterpolant
    count = next((k for k, a in enumerate(args) if is_text_scalar(a)), len(args))
    method, beyond = cls.methods_of(list(args[count:]), "linear")
    points, values = _data(args[:count]) if count else (EMPTY, EMPTY)
    return cls(
        {
            "Points": cls.checked("Points", points),
            "Values": cls.sampled(values),
            "Method": method,
            "ExtrapolationMethod": beyond,
        }
    )


def _data(args: tuple[Value, ...]) -> tuple[Value, Value]:
    """The points as rows and the values."""
    cls = ScatteredInterpolant
    if not 2 <= len(args) <= 4:
        text = "Points in the plane or in space, and their values, must be given."
        raise cls.complaint("BadNumberInputsErrId", text)
    if len(args) == 2:
        points = cls.points(args[0])
    else:
        columns = [cls.points(a).ravel(order="F") for a in args[:-1]]
        if len({c.size for c in columns}) > 1:
            text = "The coordinates must be vectors of the same length."
            raise cls.complaint("InputMismatchErrId", text)
        points = np.stack(columns, axis=1)
    v = as_array(cls.sampled(args[-1]))
    if points.shape[0] not in (v.shape[0], v.size):
        text = "The number of points and of values must be the same."
        raise cls.complaint("InputMismatchErrId", text)
    return canonical(points), args[-1]


def from_portable(kind: str, fields: dict[str, Value]) -> Value:
    """What :meth:`Interpolant.to_portable` gave."""
    return ScatteredInterpolant(fields)
