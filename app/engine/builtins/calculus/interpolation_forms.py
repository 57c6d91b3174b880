"""Interpolation of resident data: intervals found by bisection, values gathered.

Grid lines that are on the device are looked at once: whether they ascend is fetched.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from app.accel.ir.dtypes import DType
from app.engine.builtins.calculus import curve_forms
from app.engine.builtins.calculus.sample_lines import STEPS, Line, ascends, leaf_column, real
from app.engine.capture.term_arrays import (
    column,
    elements_at,
    holds,
    is_resident,
    rows_taken,
    sort_with_places,
)
from app.engine.capture.terms import Made, Term, where
from app.engine.values import (
    Array,
    DeviceArray,
    Struct,
    Value,
    as_array,
    is_text_scalar,
    text_of,
)

Args = tuple[Value, ...]
Pieces = Callable[[str, Array, Array], Value]
"""Makes the piecewise polynomial of a method through points."""
SMOOTH = frozenset(("spline", "pchip", "makima"))
LONGEST_TABLE = 1 << 16
"""Samples from which pieces of curves are worked out on the host."""


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
    v, q = real(call.arrays[-2]), real(call.arrays[-1])
    if v is None or q is None or v.rank > 2:
        return None
    vector = 1 in v.shape
    values = column(v) if vector else v
    x = call.arrays[0] if len(call.arrays) == 3 else None
    if call.method in SMOOTH:
        if vector:
            return _curve(call, values, x, q, pieces)
        known = call.method in curve_forms.SLOPES
        return _through_samples(call, values, x, column(q)) if known else None
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
    points = real(x)
    if points is None or points.size != count:
        return None
    points = column(points)
    if not ascends(x):
        points, order = sort_with_places(points)
        values = rows_taken(values, order - 1.0)
        again = points.part(0, 1, count - 1) > points.part(0, 0, count - 1)
        if not holds(again.all(), "are the sample points different?"):
            return None
    return Line(count, points), values


def _values_between(line: Line, values: Term, q: Term, method: str) -> Term:
    if method in STEPS:
        return rows_taken(values, line.step(q, method))
    k = line.interval(q)
    low, high = rows_taken(values, k), rows_taken(values, k + 1.0)
    left, right = line.point(k), line.point(k + 1.0)
    made = low + (q - left) / (right - left) * (high - low)
    return where(q.eq(right), high, made)


def _curve(call: _Call, values: Term, x: Value | None, q: Term, pieces: Pieces) -> Made:
    """Smooth curves: the pieces of a short table of the host's are worked out there."""
    resident_table = type(call.arrays[-2]) is DeviceArray
    if resident_table or values.size > LONGEST_TABLE or values.size * 4 > q.size:
        known = call.method in curve_forms.SLOPES
        return _through_samples(call, values, x, q) if known else None
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
        made = where(Line(places.size, leaf_column(places)).outside(q), call.fill, made)
    return made.cast(DType.F32) if DType.F32 in (values.dtype, q.dtype) else made


def _through_samples(call: _Call, values: Term, x: Value | None, q: Term) -> Made:
    """The same with the slopes worked out where the samples are."""
    found = (
        _sample_line(values.cast(DType.F64), x) if values.shape[0] >= curve_forms.LEAST else None
    )
    if found is None or not holds(found[1].isfinite().all(), "are the sample values finite?"):
        return None
    line, y = found
    work = q.cast(DType.F64)
    made = curve_forms.smooth_values(line, y, call.method, work)
    if not call.beyond:
        made = where(line.outside(work), call.fill, made)
    return made.cast(DType.F32) if DType.F32 in (values.dtype, q.dtype) else made


def _host(v: Value) -> Value:
    return v.gather("needs-host-value: sample points") if type(v) is DeviceArray else v


def _pieces(pp: Value, q: Term) -> Term | None:
    """The values of a piecewise polynomial."""
    if not isinstance(pp, Struct):
        return None
    breaks = as_array(pp.fields["breaks"]).ravel()
    table = as_array(pp.fields["coefs"])
    if table.ndim != 2 or table.shape[0] != breaks.size - 1 or table.dtype.kind not in "fb":
        return None
    line = Line(breaks.size, leaf_column(breaks))
    work = q.cast(DType.F64)
    k = line.interval(work)
    away = work - line.point(k)
    found = elements_at(leaf_column(table[:, 0]), k)
    for j in range(1, table.shape[1]):
        found = found * away + elements_at(leaf_column(table[:, j]), k)
    return found


def ppval(args: Args, nargout: int) -> Made:
    """``ppval(pp, xq)`` of one function."""
    pp, points = args if isinstance(args[0], Struct) else args[::-1]
    known = isinstance(pp, Struct) and {"breaks", "coefs"} <= set(pp.fields)
    if not known or nargout > 1 or not is_resident(points):
        return None
    q = real(points)
    made = None if q is None else _pieces(pp, q)
    return None if made is None else made


def smooth_form(method: str, pieces: Pieces) -> Callable[[Args, int], Made]:
    """The form of a smooth curve of a method, whose pieces a function makes."""

    def form(args: Args, nargout: int) -> Made:
        if len(args) != 3 or nargout > 1 or not is_resident(*args):
            return None
        v, q = real(args[1]), real(args[2])
        if v is None or q is None or 1 not in v.shape:
            return None
        call = _Call(list(args), method, beyond=True, fill=math.nan)
        return _curve(call, column(v), args[0], q, pieces)

    return form
