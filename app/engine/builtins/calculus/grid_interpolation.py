"""Interpolation on grids of two and more dimensions: interp2, interp3, interpn."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

import numpy as np

from app import memory
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import enough
from app.engine.builtins.calculus import grid_forms
from app.engine.builtins.calculus.interpolation import cells, evaluate, nearby, straight_line
from app.engine.declarations.device_support import of_resident
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Value, as_array, canonical, is_text_scalar, numel, text_of
from app.errors import MatlabError

_FAMILY = "interpolation"
_METHODS = ("linear", "nearest", "cubic", "spline", "makima", "pchip", "next", "previous")
_CHUNK = 1 << 16
"""Points worked on together: they stay in the cache."""


def _usable_method(method: str, axes: list[Array]) -> str:
    """The method: cubic convolution needs equidistant points, a spline does not."""
    return "spline" if method == "cubic" and not all(map(_equidistant, axes)) else method


def _equidistant(x: Array) -> bool:
    h = x[1] - x[0]
    return x.size >= 3 and bool(np.abs(np.diff(x) - h).max() <= 1e-10 * abs(h))


def _with_border_rows(v: Array) -> Array:
    """One more row at each end, on the parabola through the last three."""
    first, last = 3 * v[0] - 3 * v[1] + v[2], 3 * v[-1] - 3 * v[-2] + v[-3]
    return np.concatenate([first[None], v, last[None]])


def _keys_cells(x: Array, xq: Array) -> tuple[Array, Array]:
    """The first of the four continued rows around each point, and the share of its cell."""
    place = (xq - x[0]) / (x[1] - x[0])
    k = np.clip(np.nan_to_num(np.floor(place)), 0, x.size - 2).astype(int)
    return k, place - k


def _keys_weights(s: Array) -> tuple[Array, ...]:
    """Weights of four neighbours: R. Keys, Cubic convolution interpolation (1981), a = -1/2."""
    return (
        ((2 - s) * s - 1) * s / 2,
        ((3 * s - 5) * s * s + 2) / 2,
        ((4 - 3 * s) * s + 1) * s / 2,
        (s - 1) * s * s / 2,
    )


def _values_along_axis(method: str, x: Array, v: Array, xq: Array) -> Array:
    if method != "cubic":
        return evaluate(method, x, v, xq)
    wide, (k, share) = _with_border_rows(v), _keys_cells(x, xq)
    return _sum(w[:, None] * wide[k + j] for j, w in enumerate(_keys_weights(share)))


def on_grid(v: Array, axes: list[Array], queries: list[Array], method: str) -> Array:
    """Values on the grid that lines of query points span; further dimensions of ``v`` stay."""
    method = _usable_method(method, axes)
    for d, (x, q) in enumerate(zip(axes, queries, strict=True)):
        moved = np.moveaxis(v, d, 0)
        found = _values_along_axis(method, x, moved.reshape(x.size, -1), q)
        v = np.moveaxis(found.reshape(q.size, *moved.shape[1:]), 0, d)
    return v


def at_points(v: Array, axes: list[Array], queries: list[Array], method: str) -> Array:
    """Values at scattered points, from the grid points around each."""
    if method in ("pchip", "makima"):
        text = f"Method '{method}' needs query points that form a grid."
        raise MatlabError("MATLAB:interpn:InvalidMethod", text)
    method = _usable_method(method, axes)
    if method == "spline":
        return _spline_at_points(v, axes, queries)
    if method == "cubic":
        for d in range(v.ndim):
            v = np.moveaxis(_with_border_rows(np.moveaxis(v, d, 0)), 0, d)
    out = np.empty(queries[0].size, dtype=v.dtype)
    for start in range(0, out.size, _CHUNK):
        part = slice(start, start + _CHUNK)
        out[part] = _near_points(v, axes, [q[part] for q in queries], method)
    return out


def _near_points(v: Array, axes: list[Array], queries: list[Array], method: str) -> Array:
    """Dimension by dimension, the last one first: what the neighbours in it give, weighted."""
    if method == "linear":
        steps = [cells(x, q) for x, q in zip(axes, queries, strict=True)]
    elif method == "cubic":
        steps = [_keys_cells(x, q) for x, q in zip(axes, queries, strict=True)]
    else:
        return v[tuple(nearby(method, x, q) for x, q in zip(axes, queries, strict=True))]

    def found(d: int, place: tuple[Array, ...]) -> Array:
        if d == len(steps):
            return v[place]
        k, share = steps[d]
        if method == "linear":
            return straight_line(found(d + 1, (*place, k)), found(d + 1, (*place, k + 1)), share)
        weights = _keys_weights(share)
        return _sum(w * found(d + 1, (*place, k + j)) for j, w in enumerate(weights))

    return found(0, ())


def _sum(terms: Iterable[Array]) -> Array:
    """The sum of arrays of one size."""
    return reduce(np.add, terms)


def _spline_at_points(v: Array, axes: list[Array], queries: list[Array]) -> Array:
    """A tensor spline of degree three, less where an axis has fewer points, not-a-knot ends."""
    from scipy import interpolate

    if v.dtype.kind == "c":
        real, imag = (_spline_at_points(p, axes, queries) for p in (v.real, v.imag))
        return real + 1j * imag
    knots, degrees = [], [min(3, x.size - 1) for x in axes]
    for d, (x, k) in enumerate(zip(axes, degrees, strict=True)):
        made = interpolate.make_interp_spline(x, np.moveaxis(v, d, 0), k=k, check_finite=False)
        knots.append(made.t)
        v = np.moveaxis(made.c, 0, d)
    spline = interpolate.NdBSpline(tuple(knots), np.ascontiguousarray(v), tuple(degrees))
    return np.asarray(spline(np.column_stack(queries)))


def _axis(x: Array, axis: int, size: int) -> Array:
    """The grid line of a coordinate given as a vector or as a full grid."""
    line = (
        x.ravel(order="F")
        if x.size == max(x.shape)
        else np.moveaxis(x, axis, 0).reshape(x.shape[axis], -1)[:, 0]
    )
    if line.size != size:
        text = "The grid vectors must match the size of the data."
        raise MatlabError("MATLAB:interpn:gridSizeMismatch", text)
    return line.astype(np.float64)


def _grid_lines(queries: list[Array]) -> list[Array] | None:
    """The lines of query points that form a grid; None for scattered ones."""
    n = len(queries)
    vectors = all(q.size == max(q.shape) for q in queries)
    if vectors and len({q.shape for q in queries}) > 1:
        return [q.ravel(order="F").astype(np.float64) for q in queries]
    shape = queries[0].shape
    if len(shape) != n or any(q.shape != shape for q in queries):
        return None
    lines = [np.moveaxis(q, d, 0).reshape(shape[d], -1)[:, 0] for d, q in enumerate(queries)]
    for d, (q, line) in enumerate(zip(queries, lines, strict=True)):
        if not np.array_equal(
            q,
            np.broadcast_to(line.reshape([-1 if k == d else 1 for k in range(n)]), shape),
            equal_nan=True,
        ):
            return None
    return [line.astype(np.float64) for line in lines]


def interpolate(
    name: str, v: Array, axes: list[Array], queries: list[Array], method: str, fill: float | None
) -> Value:
    """``v`` on a grid at query points, in the order of its dimensions."""
    if method not in _METHODS:
        raise MatlabError(f"MATLAB:{name}:InvalidMethod", f"Invalid method '{method}'.")
    data = v if v.dtype.kind == "c" else v.astype(np.float64)
    for d, x in enumerate(axes):
        order = np.argsort(x, kind="stable")
        axes[d], data = x[order], np.take(data, order, axis=d)
        if x.size < 2 or (np.diff(x) == 0).any():
            text = "Interpolation requires at least two distinct points for each grid dimension."
            raise MatlabError("MATLAB:griddedInterpolant:DegenerateGridErrId", text)
    lines = _grid_lines(queries)
    if lines is not None:
        found = on_grid(data, axes, lines, method)
        points = [
            np.broadcast_to(
                line.reshape([-1 if k == d else 1 for k in range(data.ndim)]), found.shape
            )
            for d, line in enumerate(lines)
        ]
    else:
        if len({q.shape for q in queries}) > 1:
            text = "The query points must have the same size, or be vectors that form a grid."
            raise MatlabError(f"MATLAB:{name}:XqYqSizeMismatch", text)
        points = [q.astype(np.float64) for q in queries]
        flat = [q.ravel(order="F") for q in points]
        found = at_points(data, axes, flat, method).reshape(points[0].shape, order="F")
    if fill is None and method not in ("spline", "makima"):
        fill = float("nan")
    if fill is not None:
        outside = np.zeros(found.shape, dtype=bool)
        for x, q in zip(axes, points, strict=True):
            outside |= ~((q >= x[0]) & (q <= x[-1]))
        found = np.where(outside, fill, found)
    single = v.dtype in (np.float32, np.complex64)
    return canonical(found.astype(v.dtype) if single else found)


def _refined_grid(shape: tuple[int, ...], times: int) -> list[Array]:
    """Query lines with ``times`` halvings of every cell, shaped to form a grid."""
    if times > 48:  # no need to write the number down
        raise MatlabError("MATLAB:array:SizeLimitExceeded", memory.TOO_LARGE)
    counts = [(n - 1) * 2**times + 1 for n in shape]
    memory.require_array(counts, 8)
    lines = [np.linspace(1, n, count) for n, count in zip(shape, counts, strict=True)]
    full = np.meshgrid(*lines, indexing="ij")
    return [np.asarray(q) for q in full]


def _read(
    name: str, args: tuple[Value, ...], n: int
) -> tuple[Array, list[Array], list[Array], str, float | None]:
    """Data, grid lines, query points, method and fill value; coordinates as given."""
    arrays: list[Array] = []
    method, fill = "linear", None
    rest = list(args)
    while rest and not is_text_scalar(rest[0]):
        arrays.append(as_array(rest.pop(0)))
    if rest:
        method = text_of(rest.pop(0)).lower().lstrip("*")
    if rest:
        if is_text_scalar(rest[0]) or numel(rest[0]) != 1:
            raise MatlabError(f"MATLAB:{name}:InvalidExtrapval", "EXTRAPVAL must be a scalar.")
        fill = as_array(rest[0]).flat[0].item()
    elif len(arrays) in (n + 2, 2 * n + 2) and n > 0 and arrays[-1].size == 1:
        fill = arrays.pop().flat[0].item()
    if len(arrays) not in (1, 2, n + 1, 2 * n + 1):
        raise MatlabError(f"MATLAB:{name}:nargin", "Wrong number of input arguments.")
    v = arrays[n] if len(arrays) == 2 * n + 1 else arrays[0]
    if v.ndim != n or min(v.shape) < 2:
        text = f"The data must be an array of {n} dimensions with two points in each."
        raise MatlabError(f"MATLAB:{name}:InvalidDimensions", text)
    grid = arrays[:n] if len(arrays) == 2 * n + 1 else []
    if len(arrays) <= 2:
        if len(arrays) == 2 and (arrays[1].size != 1 or arrays[1].flat[0] % 1 or arrays[1] < 0):
            text = "The number of refinements must be a nonnegative whole number."
            raise MatlabError(f"MATLAB:{name}:InvalidNtimes", text)
        times = int(arrays[1].flat[0]) if len(arrays) == 2 else 1
        return v, grid, _refined_grid(v.shape, times), method, fill
    return v, grid, arrays[-n:], method, fill


def default_grid(shape: tuple[int, ...]) -> list[Array]:
    """The grid lines of data that come without coordinates: the numbers from 1."""
    return [np.arange(1.0, n + 1) for n in shape]


def _interpolated_in_columns(name: str, args: tuple[Value, ...], n: int) -> Value:
    """interp2 and interp3, whose first coordinate runs along columns."""
    v, grid, queries, method, fill = _read(name, args, n)
    count = sum(not is_text_scalar(a) for a in args)
    if grid:
        grid[0], grid[1] = grid[1], grid[0]
    if count > 2:
        queries = [queries[1], queries[0], *queries[2:]]
    axes = [_axis(x, d, v.shape[d]) for d, x in enumerate(grid)] or default_grid(v.shape)
    return interpolate(name, v, axes, queries, method, fill)


@builtin(
    "interp2",
    category=_FAMILY,
    signatures=(
        "Vq = interp2(X, Y, V, Xq, Yq)",
        "Vq = interp2(V, Xq, Yq)",
        "Vq = interp2(V, k)",
        "Vq = interp2(..., method, fill)",
    ),
    device=of_resident(grid_forms.interp2),
    cases=(
        "interp2([1 2; 3 4], 1.5, 1.5) == 2.5",
        "isequal(interp2([1 2; 3 4]), [1 1.5 2; 2 2.5 3; 3 3.5 4])",
    ),
    see=("interp1", "griddata"),
)
def interp2(*args: Value) -> Value:
    """Interpolation on a grid in two dimensions: linear, nearest, cubic, spline, makima."""
    return _interpolated_in_columns("interp2", args, 2)


@builtin(
    "interp3",
    category=_FAMILY,
    signatures=(
        "Vq = interp3(X, Y, Z, V, Xq, Yq, Zq)",
        "Vq = interp3(V, Xq, Yq, Zq)",
        "Vq = interp3(..., method, fill)",
    ),
    device=of_resident(grid_forms.interp3),
    cases=("interp3(cat(3, [1 2; 3 4], [5 6; 7 8]), 1.5, 1.5, 1.5) == 4.5",),
    see=("interp2", "interpn"),
)
def interp3(*args: Value) -> Value:
    """Interpolation on a grid in three dimensions."""
    return _interpolated_in_columns("interp3", args, 3)


@builtin(
    "interpn",
    least=2,
    category=_FAMILY,
    signatures=(
        "Vq = interpn(X1, X2, ..., Xn, V, Xq1, Xq2, ..., Xqn)",
        "Vq = interpn(V, Xq1, ..., Xqn)",
        "Vq = interpn(..., method, fill)",
    ),
    device=of_resident(grid_forms.interpn),
    cases=("interpn([1 2; 3 4], 2, 1.5) == 3.5",),
    see=("interp2", "interp3"),
)
def interpn(ctx: CallContext, *args: Value) -> Value:
    """Interpolation on a grid of any number of dimensions."""
    arrays = [as_array(a) for a in args if not is_text_scalar(a)]
    enough(arrays, 1)
    count = len(arrays)
    first = arrays[0].ndim
    n = first if count <= 2 or count in (first + 1, first + 2) else (count - 1) // 2
    if first == 2 and 1 in arrays[0].shape and count == 3:
        return _line(ctx, args)
    v, grid, queries, method, fill = _read("interpn", args, n)
    axes = [_axis(x, d, v.shape[d]) for d, x in enumerate(grid)] or default_grid(v.shape)
    return interpolate("interpn", v, axes, queries, method, fill)


def _line(ctx: CallContext, args: tuple[Value, ...]) -> Value:
    from app.engine.builtins.calculus.interpolation import interp1

    return interp1(ctx, *args)
