"""Errors, lengths, lags, trimmed and smoothed means of resident columns."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from app.accel.ir.dtypes import DType
from app.engine.arguments.dimensions import dimension, first_axis
from app.engine.builtins.statistics import moving_forms
from app.engine.capture.term_arrays import apply_operation, resident, shift_along
from app.engine.capture.terms import Made, Term, cat, where
from app.engine.values import DeviceArray, Value, as_array, is_text_scalar, numel, text_of

Args = tuple[Value, ...]
F64 = DType.F64
MOST_LAGS = 64
WIDEST = 512
"""Neighbours of a smoothed value that are added up one after the other."""


def error(measure: Callable[[Term, Term, int], Term]) -> Callable[[Args, int], Made]:
    """A measure of the differences of forecasts from what was observed, and of the latter."""

    def form(args: Args, nargout: int) -> Made:
        found = resident(*args)
        if found is None or found[0].shape != found[1].shape:
            return None
        forecast, actual = (x.cast(F64) for x in found)
        return measure(forecast - actual, actual, 0 if forecast.shape[0] != 1 else 1)

    return form


def unit_length(axis: int) -> Callable[[Args, int], Made]:
    """Vectors along an axis divided by their lengths."""

    def form(args: Args, nargout: int) -> Made:
        found = resident(*args)
        if found is None or found[0].rank > 2 or not found[0].dtype.is_float:
            return None
        x = found[0]
        length = (x * x).sum(axis).root()
        return x / where(length > 0.0, length, 1.0)

    return form


def lagmatrix(args: Args, nargout: int) -> Made:
    """Columns moved down by a few lags."""
    found = resident(args[0])
    if found is None or found[0].rank > 2 or type(args[1]) is DeviceArray:
        return None
    x = found[0].cast(F64)
    x = x.permute(1, 0) if x.shape[0] == 1 else x
    lags = as_array(args[1]).ravel().astype(int).tolist()
    if not 0 < len(lags) <= MOST_LAGS:
        return None
    parts = [shift_along(x, 0, lag, np.nan) for lag in lags]
    return cat(1, *parts) if len(parts) > 1 else parts[0]


def trimmean(args: Args, nargout: int) -> Made:
    """The mean between the extremes, half of a percentage at each end."""
    found = resident(args[0])
    if found is None or len(args) > 2 or not found[0].dtype.is_float:
        return None
    x, share = found[0], args[1]
    axis = first_axis(x.shape)
    count = x.shape[axis]
    if type(share) is not float or not 0 <= share < 100:
        return None
    cut = int(np.round(count * share / 200 - 1e-9))
    if 2 * cut >= count:
        return None
    return (
        apply_operation("sort", x, attrs=(axis, False)).part(axis, cut, count - 2 * cut).mean(axis)
    )


def smoothdata(args: Args, nargout: int) -> Made:
    """``smoothdata(A, dim, method, window)``: NaN is left out of every window."""
    found = resident(args[0])
    if found is None or not found[0].dtype.is_float or nargout > 1:
        return None
    x, rest = found[0], list(args[1:])
    axis = first_axis(x.shape)
    if rest and not is_text_scalar(rest[0]):
        axis = dimension(rest.pop(0))
    method = text_of(rest.pop(0)).lower() if rest else "movmean"
    if axis >= x.rank or len(rest) > 1 or any(is_text_scalar(v) for v in rest):
        return None
    count = x.shape[axis]
    window: Value = float(max(min(4, count), count // 10, 1))
    if rest and numel(rest[0]):
        window = rest[0]
    if method in ("movmean", "movmedian"):
        return moving_forms.moving_form(method)((args[0], window, float(axis + 1), "omitnan"), 1)
    return _gaussian(x, axis, window) if method == "gaussian" else None


def _gaussian(x: Term, axis: int, window: Value) -> Term | None:
    """The mean of a window weighted by a Gaussian of a fifth of its width."""
    if type(window) is not float or not 1 <= window <= WIDEST:
        return None
    work = x.cast(F64)
    known = ~work.isnan()
    values, counts = where(known, work, 0.0), known.number()
    total = weights = None
    for away in range(-int((window - 1) // 2), int(window // 2) + 1):
        weight = float(np.exp(-0.5 * (away / (window / 5)) ** 2))
        value, count = (shift_along(part, axis, away, 0.0) * weight for part in (values, counts))
        total = value if total is None else total + value
        weights = count if weights is None else weights + count
    assert total is not None
    assert weights is not None
    return (total / weights).cast(x.dtype)
