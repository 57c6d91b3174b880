"""Points in the plane and in space: coordinates, polygons, hulls, triangulations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from app.accel.ir.ops import OPS
from app.engine import stoppable
from app.engine.arguments.checks import (
    NUMBERS,
    POSITIVE,
    REAL,
    VECTOR,
    WHOLE,
    common_shape,
    takes,
    unknown_option,
)
from app.engine.builtins.arrays import array_forms
from app.engine.builtins.calculus import coordinate_forms, polygon_forms
from app.engine.builtins.calculus.polygon_forms import parts_of_polygon
from app.engine.declarations.device_support import Formula, of_resident, term_form
from app.engine.declarations.registry import builtin
from app.engine.operators.arithmetic import float_operands, to_single
from app.engine.values import (
    EMPTY,
    Array,
    Value,
    as_array,
    canonical,
    numel,
    texts_of,
)
from app.errors import MatlabError, size_error

_FAMILY = "geometry"


def _real(v: Value) -> Array:
    return np.asarray(as_array(v)).real


def _flat_reals(v: Value) -> Array:
    return np.asarray(_real(v), dtype=np.float64).ravel(order="F")


def _floating(v: Value) -> Array:
    """Numbers of a floating class, which may be complex."""
    a = np.asarray(as_array(v))
    return a if a.dtype.kind in "fc" else a.astype(np.float64)


def _angle(y: Array, x: Array) -> Array:
    """The angle of points of the plane, whose coordinates have to be real."""
    if "c" in (x.dtype.kind, y.dtype.kind):
        raise OPS["atan2"].complex_refusal()
    return np.asarray(np.arctan2(y, x))


def _coordinates(
    values: tuple[Value, ...],
    width: tuple[int, ...],
    convert: Callable[..., tuple[Array, ...]],
    nargout: int,
) -> Value:
    """Convert separate coordinates, or one matrix whose columns are coordinates."""
    if len(values) == 1:
        table = _floating(values[0])
        if table.ndim != 2 or table.shape[1] not in width:
            text = f"The matrix must have {' or '.join(map(str, width))} columns."
            raise MatlabError("MATLAB:coordinates:WrongSize", text)
        columns = tuple(table[:, k : k + 1] for k in range(table.shape[1]))
        result = convert(*columns)
        if nargout < 2:
            return canonical(np.concatenate(result, axis=1))
        return tuple(canonical(r) for r in result)
    if len(values) < min(width):
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    if len(values) > max(width):
        raise MatlabError("MATLAB:maxrhs", "Too many input arguments.")
    arrays = [_floating(v) for v in values]
    if any(a.dtype.char in "fF" for a in arrays):
        arrays = [to_single(a) for a in arrays]
    try:
        shape = np.broadcast_shapes(*(a.shape for a in arrays))
    except ValueError:
        raise size_error() from None
    arrays = [np.broadcast_to(a, shape) for a in arrays]
    result = convert(*arrays)
    return tuple(canonical(np.asarray(r)) for r in result)


@builtin(
    "cart2pol",
    words="",
    least=1,
    category=_FAMILY,
    signatures=("[theta, rho] = cart2pol(x, y)", "[theta, rho, z] = cart2pol(x, y, z)"),
    device=Formula(coordinate_forms.cart2pol, 3),
    cases=("abs(cart2pol(1, 1) - pi/4) < 1e-15", "norm(cart2pol([1 1]) - [pi/4 sqrt(2)]) < 1e-15"),
    see=("pol2cart", "cart2sph"),
)
def cart2pol(*values: Value, nargout: int = 1) -> Value:
    """Cartesian to polar (or cylindrical) coordinates, angles in radians."""

    def convert(x: Array, y: Array, *z: Array) -> tuple[Array, ...]:
        return (_angle(y, x), np.hypot(x, y), *z)

    return _coordinates(values, (2, 3), convert, nargout)


@builtin(
    "pol2cart",
    least=1,
    category=_FAMILY,
    signatures=("[x, y] = pol2cart(theta, rho)", "[x, y, z] = pol2cart(theta, rho, z)"),
    device=Formula(coordinate_forms.pol2cart, 3),
    cases=("norm(pol2cart([pi/4 sqrt(2)]) - [1 1]) < 1e-15",),
    see=("cart2pol", "sph2cart"),
)
def pol2cart(*values: Value, nargout: int = 1) -> Value:
    """Polar (or cylindrical) to Cartesian coordinates, angles in radians."""

    def convert(theta: Array, rho: Array, *z: Array) -> tuple[Array, ...]:
        return (rho * np.cos(theta), rho * np.sin(theta), *z)

    return _coordinates(values, (2, 3), convert, nargout)


@builtin(
    "cart2sph",
    least=1,
    category=_FAMILY,
    signatures=("[azimuth, elevation, r] = cart2sph(x, y, z)",),
    device=Formula(coordinate_forms.cart2sph, 3),
    cases=("norm(cart2sph([0 0 2]) - [0 pi/2 2]) < 1e-15",),
    see=("sph2cart", "cart2pol"),
)
def cart2sph(*values: Value, nargout: int = 1) -> Value:
    """Cartesian to spherical coordinates: azimuth, elevation above the x-y plane, radius."""

    def convert(x: Array, y: Array, z: Array) -> tuple[Array, ...]:
        around, flat = _angle(y, x), np.hypot(x, y)
        return around, _angle(z, flat), np.hypot(flat, z)

    return _coordinates(values, (3,), convert, nargout)


@builtin(
    "sph2cart",
    least=1,
    category=_FAMILY,
    signatures=("[x, y, z] = sph2cart(azimuth, elevation, r)",),
    device=Formula(coordinate_forms.sph2cart, 3),
    cases=("norm(sph2cart([0 pi/2 2]) - [0 0 2]) < 1e-15",),
    see=("cart2sph", "pol2cart"),
)
def sph2cart(*values: Value, nargout: int = 1) -> Value:
    """Spherical to Cartesian coordinates."""

    def convert(azimuth: Array, elevation: Array, r: Array) -> tuple[Array, ...]:
        flat = r * np.cos(elevation)
        return flat * np.cos(azimuth), flat * np.sin(azimuth), r * np.sin(elevation)

    return _coordinates(values, (3,), convert, nargout)


@builtin(
    "polyarea",
    category=_FAMILY,
    signatures=("A = polyarea(x, y)", "A = polyarea(x, y, dim)"),
    cases=("polyarea([0 1 1 0], [0 0 1 1]) == 1",),
    see=("inpolygon", "rectint"),
)
def polyarea(x: Value, y: Value, dim: Value | None = None) -> Value:
    """Area of polygons given by their corners (shoelace formula); columns are polygons."""
    xs, ys = _real(x).astype(np.float64), _real(y).astype(np.float64)
    if xs.shape != ys.shape:
        raise MatlabError("MATLAB:polyarea:XYSizeMismatch", "X and Y must be the same size.")
    first = next((k for k, n in enumerate(xs.shape) if n != 1), 0)
    axis = first if dim is None else int(_flat_reals(dim)[0]) - 1
    area = xs * np.roll(ys, -1, axis) - np.roll(xs, -1, axis) * ys
    return canonical(np.abs(area.sum(axis=axis, keepdims=True)) / 2)


@builtin(
    "rectint",
    category=_FAMILY,
    signatures=("area = rectint(A, B)",),
    cases=("rectint([0 0 2 2], [1 1 2 2]) == 1",),
    see=("polyarea",),
)
def rectint(a: Value, b: Value) -> Value:
    """Areas of overlap of rectangles given as rows ``[x y width height]``."""
    n = _real(a).shape[1] // 2
    if _real(a).shape[1] != _real(b).shape[1] or n < 1:
        text = "Rectangles are rows of corners and extents, of the same number of columns."
        raise MatlabError("MATLAB:rectint:InvalidColumns", text)
    p, q = _real(a).astype(np.float64)[:, None, :], _real(b).astype(np.float64)[None, :, :]
    low = np.maximum(p[..., :n], q[..., :n])
    high = np.minimum(p[..., :n] + p[..., n:], q[..., :n] + q[..., n:])
    return canonical(np.prod(np.maximum(high - low, 0), axis=2))


@builtin(
    "inpolygon",
    category=_FAMILY,
    signatures=("in = inpolygon(xq, yq, xv, yv)", "[in, on] = inpolygon(xq, yq, xv, yv)"),
    device=of_resident(polygon_forms.inpolygon),
    cases=("isequal(inpolygon([0.5 2 1], [0.5 0.5 0.5], [0 1 1 0], [0 0 1 1]), logical([1 0 1]))",),
    see=("polyarea",),
)
@takes(NUMBERS & REAL, NUMBERS & REAL, NUMBERS & REAL & VECTOR, NUMBERS & REAL & VECTOR)
def inpolygon(xq: Value, yq: Value, xv: Value, yv: Value) -> Value:
    """Which points lie inside or on a polygon; the second output marks those on its edge.

    Parts of the polygon are separated by NaN. Even-odd rule.
    """
    common_shape("inpolygon", xq, yq)
    if numel(xv) != numel(yv):
        text = "The coordinates of the polygon must have the same number of elements."
        raise MatlabError("MATLAB:inpolygon:PolygonVecDef", text)
    xs, ys = _real(xq).astype(np.float64), _real(yq).astype(np.float64)
    inside = np.zeros(xs.shape, dtype=bool)
    on = np.zeros(xs.shape, dtype=bool)
    for px, py in parts_of_polygon(_flat_reals(xv), _flat_reals(yv)):
        for k in range(px.size):
            ax, ay, bx, by = px[k - 1], py[k - 1], px[k], py[k]
            cross = (bx - ax) * (ys - ay) - (by - ay) * (xs - ax)
            within = (
                (np.minimum(ax, bx) <= xs)
                & (xs <= np.maximum(ax, bx))
                & (np.minimum(ay, by) <= ys)
                & (ys <= np.maximum(ay, by))
            )
            scale = np.finfo(float).eps * 4 * (abs(bx - ax) + abs(by - ay) + 1)
            on |= within & (np.abs(cross) <= scale)
            if ay != by:
                reached = (ay > ys) != (by > ys)
                inside ^= reached & (xs < (bx - ax) * (ys - ay) / (by - ay) + ax)
    return canonical(inside | on), canonical(on)


def _points(values: tuple[Value, ...]) -> Array:
    if not values:
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    if len(values) == 1:
        return np.asarray(_real(values[0]), dtype=np.float64)
    if len({_real(v).size for v in values}) > 1:
        text = "The coordinates must have the same number of elements."
        raise MatlabError("MATLAB:geometry:InputSizeMismatch", text)
    return np.stack([_flat_reals(v).astype(np.float64) for v in values], axis=1)


def _qhull_words(name: str, options: Value | None) -> str:
    """Options of Qhull, given as a cell or a text; empty for the usual ones."""
    if options is None or numel(options) == 0:
        return ""
    words = texts_of(options)
    if not all(w.startswith("Q") for w in words):
        raise unknown_option(name, " ".join(words))
    return " ".join(words)


def _spatial(name: str, points: Array, qhull: str = "", **options: Any) -> Any:
    """A structure of SciPy over points, one in each row."""
    if qhull:
        options["qhull_options"] = qhull
    from scipy import spatial

    least = 1 if name == "cKDTree" else 2
    if (
        points.ndim != 2
        or points.shape[1] < least
        or not points.size
        or not np.isfinite(points).all()
    ):
        text = "The points must be the rows of a matrix of finite numbers."
        raise MatlabError("MATLAB:geometry:InvalidPoints", text)
    try:
        return stoppable.of_matrix(getattr(spatial, name))(points, **options)
    except spatial.QhullError as problem:
        text = f"The points do not span the space: {str(problem).splitlines()[0]}"
        raise MatlabError("MATLAB:qhull:Failed", text) from problem


def _oriented_facets(hull: Any) -> Array:
    """The facets of a hull, numbered from 1, all turned alike: d points in each row.

    The edges from the first point of a facet and the outward normal have a negative determinant:
    counter-clockwise edges in 2-D; triangles that are clockwise seen from outside in 3-D.
    """
    facets: Array = hull.simplices + 1.0
    corners = hull.points[hull.simplices]
    edges = corners[:, 1:] - corners[:, :1]
    frames = np.concatenate([edges, hull.equations[:, None, :-1]], axis=1)
    turned = np.linalg.det(frames) > 0
    facets[turned] = facets[turned][:, [1, 0, *range(2, facets.shape[1])]]
    return facets


@builtin(
    "convhull",
    words="simplify",
    category=_FAMILY,
    signatures=("k = convhull(x, y)", "k = convhull(P)", "[k, v] = convhull(...)"),
    cases=("isequal(convhull([0 1 1 0 .5], [0 0 1 1 .5]), [1;2;3;4;1])",),
    see=("delaunay",),
)
def convhull(*values: Value) -> Value:
    """Convex hull: closed counter-clockwise point list in 2-D, triangles in 3-D; and its size."""
    numbers = tuple(v for v in values if not isinstance(v, str | bool))
    points = _points(numbers)
    if points.ndim == 2 and points.shape[1] not in (2, 3):
        raise MatlabError("MATLAB:convhull:NumDimsNot2or3", "The points must be in 2-D or 3-D.")
    hull = _spatial("ConvexHull", points)
    if points.shape[1] != 2:
        return canonical(_oriented_facets(hull)), float(hull.volume)
    order = np.asarray(hull.vertices, dtype=np.float64) + 1
    start = int(np.argmin(order))
    order = np.roll(order, -start)
    return canonical(np.append(order, order[0]).reshape(-1, 1)), float(hull.volume)


@builtin(
    "convhulln",
    category=_FAMILY,
    signatures=("k = convhulln(P)", "[k, v] = convhulln(P)"),
    cases=(
        "size(convhulln([0 0 0; 1 0 0; 0 1 0; 0 0 1]), 1) == 4",
        "p = [0 0; 2 0; 2 1; 1 2; 0 1]; e = convhulln(p); "
        "all(ismember(e(:, 2), e(:, 1))) && e(e(:, 1) == 1, 2) == 2",
        "p = dec2bin(0:7) - '0'; k = convhulln(p); a = p(k(:, 1), :); "
        "n = cross(p(k(:, 2), :) - a, p(k(:, 3), :) - a, 2); all(dot(n, a - 0.5, 2) < 0)",
    ),
    see=("convhull",),
)
def convhulln(points: Value, options: Value | None = None) -> Value:
    """Convex hull in any dimension: rows of facets, and the volume."""
    words = _qhull_words("convhulln", options)
    hull = _spatial("ConvexHull", np.asarray(_real(points), dtype=np.float64), words)
    return canonical(_oriented_facets(hull)), float(hull.volume)


@builtin(
    "delaunay",
    category=_FAMILY,
    signatures=("T = delaunay(x, y)", "T = delaunay(x, y, z)", "T = delaunay(P)"),
    cases=("isequal(size(delaunay([0 1 0 1], [0 0 1 1])), [2 3])",),
    see=("convhull", "voronoi"),
)
def delaunay(*values: Value) -> Value:
    """Delaunay triangulation: rows of point numbers, counter-clockwise in the plane."""
    points = _points(values)
    if points.ndim != 2 or points.shape[1] not in (2, 3):
        text = "The points must have two or three coordinates."
        raise MatlabError("MATLAB:delaunay:InvalidInputs", text)
    if points.shape[0] <= points.shape[1]:
        return EMPTY
    simplices = np.asarray(_spatial("Delaunay", points).simplices, dtype=np.int64)
    if points.shape[1] == 2:
        a, b, c = (points[simplices[:, k]] for k in range(3))
        turned = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) < (b[:, 1] - a[:, 1]) * (
            c[:, 0] - a[:, 0]
        )
        simplices[turned] = simplices[turned][:, [0, 2, 1]]
    return canonical(simplices + 1.0)


@builtin(
    "delaunayn",
    category=_FAMILY,
    signatures=("T = delaunayn(P)",),
    cases=("isequal(size(delaunayn([0 0; 1 0; 0 1])), [1 3])",),
    see=("delaunay",),
)
def delaunayn(points: Value, options: Value | None = None) -> Value:
    """Delaunay triangulation in any dimension; ``options`` is a cell of Qhull's, as 'QJ'."""
    words = _qhull_words("delaunayn", options)
    if not words:
        return delaunay(points)
    found = _spatial("Delaunay", np.asarray(_real(points), dtype=np.float64), words)
    return canonical(found.simplices + 1.0)


@builtin(
    "dsearchn",
    least=2,
    category=_FAMILY,
    signatures=(
        "k = dsearchn(P, T, Q)",
        "[k, d] = dsearchn(P, Q)",
        "k = dsearchn(P, T, Q, outval)",
    ),
    cases=(
        "isequal(dsearchn([0 0; 1 1], [0.9 0.8; 0.1 0]), [2; 1])",
        "isequal(dsearchn([1; 2; 3], [2.2; 0; NaN]), [2; 1; 1])",
        "isequaln(nthargout(2, @dsearchn, [1; 2], [3; NaN]), [1; NaN])",
    ),
    see=("delaunayn",),
)
def dsearchn(points: Value, *rest: Value) -> Value:
    """Nearest point of P for every query point, and its distance."""
    outside = None
    if len(rest) == 3:
        outside, rest = float(_real(rest[2]).flat[0]), rest[:2]
    query = _points((rest[-1],))
    if query.shape[1] != _points((points,)).shape[1]:
        text = "Points and query points must have the same number of columns."
        raise MatlabError("MATLAB:dsearchn:DimensionMismatch", text)
    unknown = np.isnan(query).any(axis=1)
    distance, index = _spatial("cKDTree", _points((points,))).query(np.nan_to_num(query))
    distance[unknown], index[unknown] = np.nan, 0  # the least of distances that are all NaN
    found = index.reshape(-1, 1) + 1.0
    if outside is not None:
        inside = as_array(tsearchn(points, rest[0], rest[1])[0])
        found = np.where(np.isnan(inside), outside, found)
    return canonical(found), canonical(distance.reshape(-1, 1))


@builtin(
    "tsearchn",
    category=_FAMILY,
    signatures=("[t, P] = tsearchn(P, T, Q)",),
    cases=("tsearchn([0 0; 1 0; 0 1], [1 2 3], [0.2 0.2]) == 1",),
    see=("delaunayn",),
)
@takes(NUMBERS, NUMBERS & WHOLE & POSITIVE, NUMBERS)
def tsearchn(points: Value, simplices: Value, query: Value) -> tuple[Value, Value]:
    """Enclosing simplex of every query point (NaN when outside), and barycentric coordinates."""
    p, q = _points((points,)), _points((query,))
    if p.shape[1] != q.shape[1]:
        text = "Points and query points must have the same number of columns."
        raise MatlabError("MATLAB:tsearchn:DimensionMismatch", text)
    t = np.asarray(_real(simplices), dtype=np.int64) - 1
    if t.shape[1] != p.shape[1] + 1 or t.max(initial=0) >= len(p):
        text = "A row of the simplices names one point of P more than P has columns."
        raise MatlabError("MATLAB:tsearchn:InvalidSimplices", text)
    found = np.full((q.shape[0], 1), np.nan)
    weights = np.full((q.shape[0], p.shape[1] + 1), np.nan)
    for number, simplex in enumerate(t, 1):
        corner = p[simplex]
        part = np.linalg.solve((corner[1:] - corner[0]).T, (q - corner[0]).T).T
        full = np.column_stack([1 - part.sum(axis=1), part])
        hit = np.isnan(found[:, 0]) & np.all(full >= -1e-12, axis=1)
        found[hit, 0] = number
        weights[hit] = full[hit]
    return canonical(found), canonical(weights)


_LINES_OF_THREE = frozenset(((1, 3), (3, 1)))


@builtin(
    "cross",
    words="",
    category=_FAMILY,
    signatures=("C = cross(A, B)", "C = cross(A, B, dim)"),
    device=term_form(array_forms.cross),
    cases=(
        "isequal(cross([1 0 0], [0 1 0]), [0 0 1])",
        "isequal(cross([1; 0; 0], [0 1 0]), [0 0 1])",
    ),
    see=("dot", "kron"),
)
def cross(a: Value, b: Value, dim: Value | None = None) -> Value:
    """Cross product of vectors of length three; of a row and a column it is a row."""
    x, y = np.asarray(as_array(a)), np.asarray(as_array(b))
    if (
        dim is None
        and x.shape == y.shape in _LINES_OF_THREE
        and x.dtype.char + y.dtype.char == "dd"
    ):
        (p, q, r), (u, v, w) = x.ravel().tolist(), y.ravel().tolist()
        return np.array([[q * w - r * v, r * u - p * w, p * v - q * u]]).reshape(x.shape)
    if x.shape != y.shape:
        if x.size == y.size == 3:
            x, y = x.reshape(1, 3), y.reshape(1, 3)
        else:
            text = "A and B must be same size."
            raise MatlabError("MATLAB:cross:InputSizeMismatch", text)
    axis = next((k for k, n in enumerate(x.shape) if n == 3), -1)
    axis = axis if dim is None else int(_flat_reals(dim)[0]) - 1
    if not 0 <= axis < x.ndim or x.shape[axis] != 3:
        text = "A and B must be of length 3 in the dimension in which the cross product is taken."
        raise MatlabError("MATLAB:cross:InvalidDimAorBForCrossProd", text)
    return canonical(np.cross(*float_operands(x, y), axis=axis))
