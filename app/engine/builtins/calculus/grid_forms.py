"""Interpolation on resident grids of several dimensions."""

from __future__ import annotations

import math

from app.accel.ir.dtypes import DType
from app.accel.ir.node import MAX_POSITION
from app.engine.builtins.calculus import curve_forms
from app.engine.builtins.calculus.sample_lines import STEPS, Line, ascends, leaf_column, real
from app.engine.capture.term_arrays import (
    clamp_nan_low,
    column,
    elements_at,
    holds,
    is_resident,
    real_term_of,
)
from app.engine.capture.terms import Made, Term, cat, clamp, constant_array, position, where
from app.engine.values import Array, Value, is_text_scalar, size_of, text_of

Args = tuple[Value, ...]
MOST_CUBIC = 2
"""Dimensions of a grid in which the device reads four neighbours along each."""
MOST_HALVINGS = 24


def on_grid(v: Term, lines: list[Line], queries: list[Term], method: str) -> Term:
    """Values at query points whose shapes expand against each other."""
    apart, work = 1.0, list[tuple[Term, Term | None, float]]()
    for line, q in zip(lines, queries, strict=True):
        if method in STEPS:
            work.append((line.step(q, method), None, apart))
        else:
            k = line.interval(q)
            left = line.point(k)
            work.append((k, (q - left) / (line.point(k + 1.0) - left), apart))
        apart *= line.size
    return _corner(v, work, None)


def _corner(v: Term, work: list[tuple[Term, Term | None, float]], place: Term | None) -> Term:
    """The value within a cell whose places along the last dimensions are known."""
    if not work:
        assert place is not None
        return elements_at(v, place)
    k, share, apart = work[-1]
    here = k * apart if place is None else place + k * apart
    low = _corner(v, work[:-1], here)
    if share is None:
        return low
    high = _corner(v, work[:-1], here + apart)
    return low + share * (high - low)


def _cubic_on_grid(v: Term, lines: list[Line], queries: list[Term]) -> Term | None:
    """Cubic convolution (R. Keys, 1981); None where points of a line are not equidistant."""
    if not all(line.size > 2 and _is_equidistant(line) for line in lines):
        return None
    work, apart = list[tuple[Term, tuple[Term, ...], float]](), 1.0
    for axis, (line, q) in enumerate(zip(lines, queries, strict=True)):
        first = line.point(constant_array(0.0, (1, 1)))
        place = (q - first) / (line.point(constant_array(1.0, (1, 1))) - first)
        k = clamp_nan_low(place.floor(), 0.0, line.size - 2.0)
        work.append((k, _keys_weights(place - k), apart))
        v = _with_border_rows(v, axis)
        apart *= v.shape[axis]
    return _neighbours(v, work, None)


def _spline_on_grid(v: Term, lines: list[Line], queries: list[Term]) -> Term | None:
    """The tensor spline of a grid, from the slopes along each dimension and those of slopes."""
    if any(line.size < curve_forms.LEAST for line in lines) or not holds(
        v.isfinite().all(), "is it all finite?"
    ):
        return None
    parts: dict[tuple[int, ...], Term] = {(): v}
    work, apart = list[tuple[Term, curve_forms.Shares, float]](), 1.0
    for axis, (line, q) in enumerate(zip(lines, queries, strict=True)):
        points = line.column()
        width = points.part(0, 1, line.size - 1) - points.part(0, 0, line.size - 1)
        k = line.interval(q)
        shares = curve_forms.hermite_shares(q - elements_at(points, k), elements_at(width, k))
        work.append((k, shares, apart))
        apart *= line.size
        steep = {(*along, axis): _slopes_along(x, axis, width) for along, x in parts.items()}
        parts |= steep
    return _tensor_values(parts, work, (), None)


def _slopes_along(v: Term, axis: int, width: Term) -> Term:
    """The slopes of the splines along an axis of a grid."""
    order = [axis, *(k for k in range(v.rank) if k != axis)]
    turned = v.permute(*order) if axis else v
    lines = turned.reshape((v.shape[axis], v.size // v.shape[axis]))
    count = lines.shape[0] - 1
    rise = (lines.part(0, 1, count) - lines.part(0, 0, count)) / width
    slopes = curve_forms.spline_slopes(width, rise).reshape(tuple(v.shape[k] for k in order))
    return slopes.permute(*(order.index(k) for k in range(v.rank))) if axis else slopes


def _tensor_values(
    parts: dict[tuple[int, ...], Term],
    work: list[tuple[Term, curve_forms.Shares, float]],
    along: tuple[int, ...],
    place: Term | None,
) -> Term:
    """What values and slopes at both ends along each dimension give; ``along`` some are slopes."""
    axis = len(work) - 1
    if axis < 0:
        assert place is not None
        return elements_at(parts[tuple(sorted(along))], place)
    (k, shares, apart), rest = work[-1], work[:-1]
    here = k * apart if place is None else place + k * apart
    total: Term | None = None
    for steep, ends in enumerate(shares):
        for end, share in enumerate(ends):
            found = _tensor_values(
                parts, rest, (*along, axis) if steep else along, here + apart * end
            )
            total = found * share if total is None else total + found * share
    assert total is not None
    return total


def _is_equidistant(line: Line) -> bool:
    if line.points is None:
        return True
    points = line.points
    steps = points.part(0, 1, line.size - 1) - points.part(0, 0, line.size - 1)
    first = steps.part(0, 0, 1)
    even = abs(steps - first) <= abs(first) * 1e-10
    return holds(even.all(), "are the grid points equidistant?")


def _with_border_rows(v: Term, axis: int) -> Term:
    """One more row at each end, on the parabola through the last three."""
    count = v.shape[axis]
    first, last = (
        3.0 * v.part(axis, a, 1) - 3.0 * v.part(axis, b, 1) + v.part(axis, c, 1)
        for a, b, c in ((0, 1, 2), (count - 1, count - 2, count - 3))
    )
    return cat(axis, first, v, last)


def _keys_weights(s: Term) -> tuple[Term, ...]:
    """Weights of four neighbours, a = -1/2."""
    return (
        ((2.0 - s) * s - 1.0) * s / 2.0,
        ((3.0 * s - 5.0) * s * s + 2.0) / 2.0,
        ((4.0 - 3.0 * s) * s + 1.0) * s / 2.0,
        (s - 1.0) * s * s / 2.0,
    )


def _neighbours(
    v: Term, work: list[tuple[Term, tuple[Term, ...], float]], place: Term | None
) -> Term:
    """What four neighbours along each dimension give, weighted, as the host adds them up."""
    if not work:
        assert place is not None
        return elements_at(v, place)
    k, weights, apart = work[0]
    total: Term | None = None
    for j, weight in enumerate(weights):
        here = (k + float(j)) * apart
        found = weight * _neighbours(v, work[1:], here if place is None else place + here)
        total = found if total is None else total + found
    assert total is not None
    return total


def _axis_line(x: Value, axis: int, size: int) -> Line | None:
    """The grid line of a coordinate given as a vector or as a full grid."""
    points = real(x)
    if points is None:
        return None
    if points.size != max(points.shape):
        if axis >= points.rank:
            return None
        for other in range(points.rank):
            points = points if other == axis else points.part(other, 0, 1)
    if points.size != size:
        return None
    points = column(points)
    return Line(size, points) if ascends(points.value) else None


def _as_grid(queries: list[Term]) -> list[Term] | None:
    """Query points that expand against each other: all of one size, or vectors along a grid."""
    shapes = {q.shape for q in queries}
    if len(shapes) == 1:
        return queries
    if any(q.size != max(q.shape) for q in queries):
        return None
    sizes = [q.size for q in queries]
    return [
        q.reshape(tuple(n if k == d else 1 for k, n in enumerate(sizes[: d + 1])) + (1,) * (d == 0))
        for d, q in enumerate(queries)
    ]


def _grid_call(args: Args, n: int | None, swapped: bool) -> Made:
    arrays = [a for a in args if not is_text_scalar(a)]
    words = [text_of(a).lower().lstrip("*") for a in args if is_text_scalar(a)]
    fill, last = math.nan, arrays[-1]
    given = False
    if type(last) is float and len(arrays) > 3:
        fill, given = last, True
        del arrays[-1]
    n = len(arrays) // 2 if n is None else n
    method = words[0] if words else "linear"
    usual = len(words) < 2 and (method in ("linear", "cubic", "spline") or method in STEPS)
    if method in ("cubic", "spline") and n > MOST_CUBIC:
        return None
    if not usual or len(arrays) not in (n + 1, 2 * n + 1) or not is_resident(*arrays):
        return None
    whole = len(arrays) == 2 * n + 1
    v = real(arrays[n] if whole else arrays[0])
    queries = [q for q in map(real, arrays[-n:]) if q is not None]
    if v is None or len(queries) < n or v.rank != n or min(v.shape) < 2:
        return None
    turn = [1, 0, *range(2, n)] if swapped else list(range(n))
    found = [
        _axis_line(arrays[turn[d]], d, v.shape[d]) if whole else Line(v.shape[d]) for d in range(n)
    ]
    lines = [line for line in found if line is not None]
    points = _as_grid([queries[turn[d]] for d in range(n)])
    if points is None or len(lines) < n:
        return None
    if method in ("cubic", "spline"):
        wide = [q.cast(DType.F64) for q in points]
        smooth = _cubic_on_grid if method == "cubic" else _spline_on_grid
        made = smooth(v.cast(DType.F64), lines, wide)
    else:
        made = on_grid(v, lines, points, method)
    if made is None:
        return None
    if method != "spline" or given:
        for line, q in zip(lines, points, strict=True):
            made = where(line.outside(q), fill, made)
    return made.cast(v.dtype)


def interp2(args: Args, nargout: int) -> Made:
    """``interp2(X, Y, V, Xq, Yq, method, fill)``, and ``interp2(V, k, method)``."""
    arrays = [a for a in args if not is_text_scalar(a)]
    if len(arrays) < 3:
        queries = _halved_cells(arrays) if is_resident(arrays[0]) else None
        if queries is None:
            return None
        args = (arrays[0], *queries, *(a for a in args if is_text_scalar(a)))
    return _grid_call(args, 2, swapped=True)


def _halved_cells(arrays: list[Value]) -> tuple[Value, Value] | None:
    """A row and a column of query points that halve every cell of a matrix so many times."""
    times = arrays[1] if len(arrays) > 1 else 1.0
    size = size_of(arrays[0])
    if type(times) is not float or times % 1 or not 0 <= times <= MOST_HALVINGS or len(size) > 2:
        return None
    down, across = (int((n - 1) * 2**times + 1) for n in size)
    if min(down, across) < 2 or down * across >= MAX_POSITION:
        return None
    lines = position((1, across), 1), position((down, 1), 0)
    row, rows = (line / 2.0**times + 1.0 for line in lines)
    return row.value, rows.value


def interp3(args: Args, nargout: int) -> Made:
    """``interp3(X, Y, Z, V, Xq, Yq, Zq, method, fill)``."""
    return _grid_call(args, 3, swapped=True) if len(args) > 3 else None


def interpn(args: Args, nargout: int) -> Made:
    """``interpn(X1, …, V, Xq1, …, method, fill)``."""
    arrays = [a for a in args if not is_text_scalar(a)]
    if len(arrays) < 3:
        return None
    rank = len(size_of(arrays[0]))
    n = rank if len(arrays) in (rank + 1, rank + 2) else None
    return _grid_call(args, n, swapped=False)


def grid_form(axes: list[Array], v: Value, args: Args, method: str, beyond: str) -> Term | None:
    """``F(xq, yq, …)`` of a griddedInterpolant; None for what only the host does."""
    dimensions = {"spline": MOST_CUBIC, "pchip": 1}.get(method, len(axes))
    smooth = method in curve_forms.SLOPES
    known = method == "linear" or method in STEPS or smooth
    if len(axes) > dimensions or (smooth and min(x.size for x in axes) < curve_forms.LEAST):
        return None
    if (
        not known
        or beyond not in (method, "none", "boundary")
        or len(args) != len(axes)
        or not is_resident(v, *args)
    ):
        return None
    values, queries = real_term_of(v), [q for q in map(real, args) if q is not None]
    if values is None or len(queries) < len(args) or len({q.shape for q in queries}) > 1:
        return None
    if values.size != math.prod(x.size for x in axes):
        return None
    single = DType.F32 in {values.dtype, *(q.dtype for q in queries)}
    lines = [Line(x.size, leaf_column(x)) for x in axes]
    work = [q.cast(DType.F64) for q in queries]
    if beyond == "boundary":
        work = [clamp(q, *line.ends()) for line, q in zip(lines, work, strict=True)]
    found = _on_any_grid(values.cast(DType.F64), lines, work, method)
    if found is None:
        return None
    made = found
    for line, q in zip(lines, work, strict=True):
        if beyond == "none":
            made = where(line.outside(q), math.nan, made)
        elif method in STEPS:
            made = where(q.isnan(), math.nan, made)
    return made.cast(DType.F32) if single else made


def _on_any_grid(v: Term, lines: list[Line], queries: list[Term], method: str) -> Term | None:
    """Values at query points of one size, by any method that the device has."""
    if method not in curve_forms.SLOPES:
        return on_grid(v, lines, queries, method)
    if len(lines) > 1:
        return _spline_on_grid(v, lines, queries)
    if not holds(v.isfinite().all(), "are the sample values finite?"):
        return None
    return curve_forms.smooth_values(lines[0], column(v), method, queries[0])
