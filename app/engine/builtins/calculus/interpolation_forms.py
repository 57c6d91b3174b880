"""Interpolation of resident data: intervals found by bisection, values gathered.

Grid lines that are on the device are looked at once: whether they ascend is fetched.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from app.accel.ir.dtypes import DType
from app.engine.capture.capture_session import Session
from app.engine.capture.term_arrays import (
    clamp_nan_low,
    column,
    count_before,
    elements_at,
    fetch_terms,
    holds,
    is_resident,
    real_term_of,
    resident,
    rows_taken,
    sort_with_places,
)
from app.engine.capture.terms import Made, Term, cat, clamp, constant_array, position, where
from app.engine.operators.linear_solves import best_fit
from app.engine.values import (
    Array,
    DeviceArray,
    Struct,
    Value,
    as_array,
    is_text_scalar,
    numel,
    size_of,
    text_of,
)

Args = tuple[Value, ...]
Pieces = Callable[[str, Array, Array], Value]
"""Makes the piecewise polynomial of a method through points."""
MOST_DEGREE = 24
FIT = "needs-host-value: the coefficients of a fit"
STEPS = frozenset(("nearest", "previous", "next"))
SMOOTH = frozenset(("spline", "pchip", "makima"))
MOST_CUBIC = 2
"""Dimensions of a grid in which the device reads four neighbours along each."""
LONGEST_TABLE = 1 << 16
"""Samples from which pieces of curves are worked out on the host."""


class Line(NamedTuple):
    """An ascending line of grid points.

    Attributes:
        size: how many points.
        points: the points, a column; None for the numbers from 1.
    """

    size: int
    points: Term | None = None

    def point(self, k: Term) -> Term:
        """The points of numbers from 0."""
        return k + 1.0 if self.points is None else elements_at(self.points, k)

    def ends(self) -> tuple[Term | float, Term | float]:
        """The first and the last point."""
        if self.points is None:
            return 1.0, float(self.size)
        return self.points.part(0, 0, 1), self.points.part(0, self.size - 1, 1)

    def interval(self, q: Term) -> Term:
        """The number from 0 of the interval of each q; the end ones go on."""
        found = q.floor() if self.points is None else count_before(q, self.points, True)
        return clamp_nan_low(found - 1.0, 0.0, self.size - 2.0)

    def outside(self, q: Term) -> Term:
        """Where q is beyond the line, or not a number."""
        low, high = self.ends()
        return (q < low) | (q > high) | q.isnan()

    def step(self, q: Term, method: str) -> Term:
        """The number from 0 of the point that a step method chooses."""
        k = self.interval(q)
        left, right = self.point(k), self.point(k + 1.0)
        if method == "nearest":
            return where(q - left < right - q, k, k + 1.0)
        if method == "next":
            return where(q <= left, k, k + 1.0)
        return where(q >= self.ends()[1], self.size - 1.0, k)


def _ascends(x: Value) -> bool:
    """Whether a vector is strictly ascending."""
    if type(x) is not DeviceArray:
        return bool((np.diff(as_array(x).ravel()) > 0).all())
    points = column(Term(x.node))
    after, before = points.part(0, 1, points.size - 1), points.part(0, 0, points.size - 1)
    return holds((after > before).all(), "do the sample points ascend?")


def _real(v: Value) -> Term | None:
    """A real float or logical array as a term."""
    x = real_term_of(v)
    return None if x is None or x.dtype.is_integer else x.number()


class _Call(NamedTuple):
    """A call's arrays, its method, whether it goes on beyond the ends, and what is there else."""

    arrays: list[Value]
    method: str
    beyond: bool
    fill: float


def _read(args: Args, most: int) -> _Call | None:
    """The parts of a call of interp1; None for what only the host reads."""
    arrays: list[Value] = []
    words, fill = list[str](), math.nan
    for arg in args:
        if is_text_scalar(arg):
            words.append(text_of(arg).lower().lstrip("*"))
        elif type(arg) is float and (words or len(arrays) == most):
            fill = arg
        elif words:
            return None
        else:
            arrays.append(arg)
    method = next((w for w in words if w != "extrap"), "linear")
    method = {"cubic": "pchip"}.get(method, method)
    known = set(words) <= {"extrap", "cubic", "linear", *STEPS, *SMOOTH} and len(words) < 3
    if not known or not 2 <= len(arrays) <= most:
        return None
    given = len(words) + len(arrays) < len(args)
    return _Call(arrays, method, "extrap" in words or (method in SMOOTH and not given), fill)


def interp1_form(pieces: Pieces) -> Callable[[Args, int], Made]:
    """The form of interp1; of smooth curves a function makes the pieces."""
    return lambda args, nargout: _interp1(args, nargout, pieces)


def _interp1(args: Args, nargout: int, pieces: Pieces) -> Made:
    """``interp1(x, v, xq, method, extrapolation)``."""
    call = _read(args, 3)
    if call is None or nargout > 1 or not is_resident(*call.arrays):
        return None
    v, q = _real(call.arrays[-2]), _real(call.arrays[-1])
    if v is None or q is None or v.rank > 2:
        return None
    vector = 1 in v.shape
    values = column(v) if vector else v
    x = call.arrays[0] if len(call.arrays) == 3 else None
    if call.method in SMOOTH:
        return _curve(call, values, x, q, pieces) if vector else None
    found = _sample_line(values, x)
    if found is None:
        return None
    line, values = found
    place = q if vector else column(q)
    made = _values_between(line, values, place, call.method)
    if not call.beyond:
        made = where(line.outside(place), call.fill, made)
    single = DType.F32 in (v.dtype, q.dtype)
    return made.cast(DType.F32) if single else made


def _sample_line(values: Term, x: Value | None) -> tuple[Line, Term] | None:
    """The line of sample points and the rows of values at them, in ascending order."""
    count = values.shape[0]
    if count < 2:
        return None
    if x is None:
        return Line(count), values
    points = _real(x)
    if points is None or points.size != count:
        return None
    points = column(points)
    if not _ascends(x):
        points, order = sort_with_places(points)
        values = rows_taken(values, order - 1.0)
        again = points.part(0, 1, count - 1) > points.part(0, 0, count - 1)
        if not holds(again.all(), "are the sample points different?"):
            return None
    return Line(count, points), values


def _row(values: Term, k: Term) -> Term:
    """Values at the row numbers from 0: in the shape of k for one column, else a row each."""
    return elements_at(values, k) if values.shape[1] == 1 else rows_taken(values, k)


def _values_between(line: Line, values: Term, q: Term, method: str) -> Term:
    if method in STEPS:
        return _row(values, line.step(q, method))
    k = line.interval(q)
    low, high = _row(values, k), _row(values, k + 1.0)
    left, right = line.point(k), line.point(k + 1.0)
    made = low + (q - left) / (right - left) * (high - low)
    return where(q.eq(right), high, made)


def _curve(call: _Call, values: Term, x: Value | None, q: Term, pieces: Pieces) -> Made:
    """Smooth curves: their pieces from a short table on the host, their values here."""
    if values.size > LONGEST_TABLE or values.size * 4 > q.size:
        return _shape_preserving(call, values, x, q) if call.method == "pchip" else None
    places = np.arange(1.0, values.size + 1) if x is None else as_array(_host(x)).ravel()
    table = as_array(_host(call.arrays[-2])).astype(np.float64)
    if places.size != table.size or table.size < 4 or not np.isfinite(table).all():
        return None
    if call.method == "makima":
        return None
    order = np.argsort(places, kind="stable")
    places, table = places[order].astype(np.float64), table.ravel()[order]
    if (np.diff(places) == 0).any():
        return None
    made = _pieces(pieces(call.method, places, table), q)
    if made is None:
        return None
    if not call.beyond:
        made = where(Line(places.size, _leaf(places)).outside(q), call.fill, made)
    return made.cast(DType.F32) if DType.F32 in (values.dtype, q.dtype) else made


def _shape_preserving(call: _Call, values: Term, x: Value | None, q: Term) -> Made:
    """The curve of pchip, its slopes worked out where the points are: see `cubic_pieces`."""
    found = _sample_line(values.cast(DType.F64), x) if values.size > 3 else None
    if found is None or not holds(found[1].isfinite().all(), "are the sample values finite?"):
        return None
    line, y = found
    count, work = line.size, q.cast(DType.F64)
    points = position((count, 1), 0) + 1.0 if line.points is None else line.points.cast(DType.F64)
    width = points.part(0, 1, count - 1) - points.part(0, 0, count - 1)
    rise = (y.part(0, 1, count - 1) - y.part(0, 0, count - 1)) / width
    (near, far), (before, after) = (
        (v.part(0, 0, count - 2), v.part(0, 1, count - 2)) for v in (width, rise)
    )
    first, second = far * 2.0 + near, far + near * 2.0
    mean = (first / before + second / after) / (first + second)
    inner = where(before.sign() * after.sign() > 0.0, 1.0 / mean, 0.0)
    ends = [
        _end_slope(*(v.part(0, k, 1) for v in (width, rise) for k in places))
        for places in ((0, 1), (count - 2, count - 3))
    ]
    slopes = cat(0, ends[0], inner, ends[1])
    k = line.interval(work)
    low, high, span = (elements_at(v, n) for v, n in ((slopes, k), (slopes, k + 1.0), (width, k)))
    steep, away = elements_at(rise, k), work - elements_at(points, k)
    bend = (low + high - steep * 2.0) / span
    cubic, square = bend / span, (steep - low) / span - bend
    made = ((cubic * away + square) * away + low) * away + elements_at(y, k)
    if not call.beyond:
        made = where(line.outside(work), call.fill, made)
    return made.cast(DType.F32) if DType.F32 in (values.dtype, q.dtype) else made


def _end_slope(near: Term, next_: Term, rise: Term, onward: Term) -> Term:
    """The slope at an end, by three points, unless the curve would turn there."""
    slope = ((near * 2.0 + next_) * rise - near * onward) / (near + next_)
    steep = rise.sign().ne(onward.sign()) & (abs(slope) > abs(rise) * 3.0)
    return where(slope.sign().ne(rise.sign()), 0.0, where(steep, rise * 3.0, slope))


def _host(v: Value) -> Value:
    return v.gather("needs-host-value: sample points") if type(v) is DeviceArray else v


def _leaf(a: Array) -> Term:
    return Term(Session.runtime.leaf(np.asfortranarray(a, np.float64).reshape(-1, 1)))


def _pieces(pp: Value, q: Term) -> Term | None:
    """The values of a piecewise polynomial."""
    if not isinstance(pp, Struct):
        return None
    breaks = as_array(pp.fields["breaks"]).ravel()
    table = as_array(pp.fields["coefs"])
    if table.ndim != 2 or table.shape[0] != breaks.size - 1 or table.dtype.kind not in "fb":
        return None
    line = Line(breaks.size, _leaf(breaks))
    work = q.cast(DType.F64)
    k = line.interval(work)
    away = work - line.point(k)
    found = elements_at(_leaf(table[:, 0]), k)
    for j in range(1, table.shape[1]):
        found = found * away + elements_at(_leaf(table[:, j]), k)
    return found


def ppval(args: Args, nargout: int) -> Made:
    """``ppval(pp, xq)`` of one function."""
    pp, points = args if isinstance(args[0], Struct) else args[::-1]
    known = isinstance(pp, Struct) and {"breaks", "coefs"} <= set(pp.fields)
    if not known or nargout > 1 or not is_resident(points):
        return None
    q = _real(points)
    made = None if q is None else _pieces(pp, q)
    return None if made is None else made


def smooth_form(method: str, pieces: Pieces) -> Callable[[Args, int], Made]:
    """The form of a smooth curve of a method, whose pieces a function makes."""

    def form(args: Args, nargout: int) -> Made:
        if len(args) != 3 or nargout > 1 or not is_resident(*args):
            return None
        v, q = _real(args[1]), _real(args[2])
        if v is None or q is None or 1 not in v.shape:
            return None
        call = _Call(list(args), method, beyond=True, fill=math.nan)
        return _curve(call, column(v), args[0], q, pieces)

    return form


# --- grids of several dimensions --------------------------------------------------------------


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
    points = _real(x)
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
    return Line(size, points) if _ascends(points.value) else None


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
    fill = math.nan
    last = arrays[-1]
    if type(last) is float and len(arrays) > 3:
        fill = last
        del arrays[-1]
    n = len(arrays) // 2 if n is None else n
    method = words[0] if words else "linear"
    usual = len(words) < 2 and (method in ("linear", "cubic") or method in STEPS)
    if method == "cubic" and n > MOST_CUBIC:
        return None
    if not usual or len(arrays) not in (n + 1, 2 * n + 1) or not is_resident(*arrays):
        return None
    whole = len(arrays) == 2 * n + 1
    v = _real(arrays[n] if whole else arrays[0])
    queries = [q for q in map(_real, arrays[-n:]) if q is not None]
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
    cubic = method == "cubic"
    if cubic:
        wide = [q.cast(DType.F64) for q in points]
        made = _cubic_on_grid(v.cast(DType.F64), lines, wide)
    else:
        made = on_grid(v, lines, points, method)
    if made is None:
        return None
    for line, q in zip(lines, points, strict=True):
        made = where(line.outside(q), fill, made)
    return made.cast(v.dtype)


def interp2(args: Args, nargout: int) -> Made:
    """``interp2(X, Y, V, Xq, Yq, method, fill)``."""
    return _grid_call(args, 2, swapped=True) if len(args) > 2 else None


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
    known = (method == "linear" or method in STEPS) and beyond in (method, "none", "boundary")
    if not known or len(args) != len(axes) or not is_resident(v, *args):
        return None
    values, queries = real_term_of(v), [q for q in map(_real, args) if q is not None]
    if values is None or len(queries) < len(args) or len({q.shape for q in queries}) > 1:
        return None
    if values.size != math.prod(x.size for x in axes):
        return None
    single = DType.F32 in {values.dtype, *(q.dtype for q in queries)}
    lines = [Line(x.size, _leaf(x)) for x in axes]
    work = [q.cast(DType.F64) for q in queries]
    if beyond == "boundary":
        work = [clamp(q, *line.ends()) for line, q in zip(lines, work, strict=True)]
    made = on_grid(values.cast(DType.F64), lines, work, method)
    for line, q in zip(lines, work, strict=True):
        if beyond == "none":
            made = where(line.outside(q), math.nan, made)
        elif method in STEPS:
            made = where(q.isnan(), math.nan, made)
    return made.cast(DType.F32) if single else made


def polyfit(args: Args, nargout: int) -> Array | None:
    """``p = polyfit(x, y, n)`` of many points, by polynomials that are orthogonal on them.

    Their recurrence has two coefficients each (Forsythe, 1957), which are fetched with those of the
    fit; no matrix of powers is made. None where the points hardly determine the polynomial, of
    which the host warns.
    """
    if nargout > 1 or len(args) != 3:
        return None
    x, y, degree = args
    if type(degree) is not float or not 0 <= degree <= MOST_DEGREE or degree % 1:
        return None
    points = numel(x)
    found = resident(x, y) if points == numel(y) and points > degree + 1 else None
    if found is None or not all(part.dtype.is_float for part in found):
        return None
    single = any(part.dtype is DType.F32 for part in found)
    at, rest = (column(part.cast(DType.F64)) for part in found)
    one = constant_array(1 / math.sqrt(points), at.shape)
    lines: list[Term] = [one]
    shares: list[Term] = []
    shifts: list[Term] = []
    norms: list[Term] = []
    for k in range(int(degree) + 1):
        line = lines[-1]
        shares.append((rest * line).sum())
        if k == degree:
            break
        rest = rest - shares[-1] * line
        moved = at * line
        shifts.append((moved * line).sum())
        further = moved - shifts[-1] * line
        further = further - norms[-1] * lines[-2] if norms else further
        norms.append((further * further).sum().root())
        lines.append(further / norms[-1])
    numbers = fetch_terms(cat(0, *shares, *shifts, *norms), cause=FIT)[0].ravel()
    if not np.isfinite(numbers).all():
        return None
    known = np.split(numbers, [len(shares), len(shares) + len(shifts)])
    made, rank, _ = best_fit(_powers(points, *known[1:]), known[0].reshape(-1, 1), points)
    if rank < len(shares):
        return None
    return made.reshape(1, -1).astype(np.float32 if single else np.float64)


def _powers(points: int, shifts: Array, norms: Array) -> Array:
    """Powers of x, the highest first, as sums of the polynomials that are orthogonal on it."""
    times_x = np.diag(norms, 1) + np.diag(norms, -1) + np.diag(np.append(shifts, 0.0))
    columns = [np.append(math.sqrt(points), np.zeros(norms.size))]
    for _ in norms:
        columns.append(times_x @ columns[-1])
    return np.column_stack(columns[::-1])
