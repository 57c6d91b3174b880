"""Statistics beyond the plain reductions: quantiles, moments, covariance, scaling."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import (
    DIM,
    DIMS,
    FLAG,
    NONEMPTY,
    NUMBER,
    NUMBERS,
    NUMERIC,
    SCALAR,
    VECTOR,
    one_of,
    optional,
    real_number,
    takes,
)
from app.engine.arguments.dimensions import (
    NAN_FLAGS,
    NO_WORDS,
    along,
    inside,
    kept_shape,
    merge_axes,
)
from app.engine.builtins.arrays import sorting_forms
from app.engine.builtins.statistics import column_forms, middles, statistic_forms
from app.engine.builtins.statistics.reductions import numbers
from app.engine.builtins.vectors import flat_doubles
from app.engine.declarations.device_support import of_resident, term_form
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Value, as_array, canonical, is_text_scalar, numel, text_of
from app.errors import MatlabError

_FAMILY = "statistics"


def floats(name: str, v: Value) -> Array:
    """The data as a float array."""
    a = numbers(name, v)
    return a if a.dtype.kind in "fc" else a.astype(np.float64)


def axis_of(a: Array, dim: Value | None) -> int:
    """The dimension asked for, or the first that is not one, from 0."""
    if dim is not None and numel(dim):
        return int(real_number(dim)) - 1
    return next((k for k, n in enumerate(a.shape) if n != 1), 0)


def _columns(name: str, v: Value, args: tuple[Value, ...]) -> tuple[Array, tuple[int, ...]]:
    """The vectors to reduce as the last axis, NaN kept, and the shape of the result."""
    a = floats(name, v)
    how = along(a.shape, args, NO_WORDS)
    axes = inside(how.axes, a.ndim)
    return merge_axes(a, axes), kept_shape(a.shape, axes)


def _in_shape(value: Array, shape: tuple[int, ...]) -> Value:
    return canonical(np.asarray(value).reshape(shape, order="F"))


def _quantiles(columns: Array, p: Array) -> Array:
    """Quantiles with MATLAB's midpoint positions ``(k - 0.5)/n``, NaN left out; p comes last."""
    lead = columns.shape[:-1]
    flat = columns.reshape(math.prod(lead), columns.shape[-1])
    result = np.full((flat.shape[0], p.size), np.nan)
    for row, data in zip(result, flat, strict=True):
        kept = np.sort(data[~np.isnan(data)])
        if kept.size:
            positions = (np.arange(kept.size) + 0.5) / kept.size
            row[:] = np.interp(p, positions, kept)
    return result.reshape(*lead, p.size)


def _quantile(name: str, x: Value, p: Value, args: tuple[Value, ...], scale: float) -> Value:
    args = tuple(
        a
        for k, a in enumerate(args)
        if not isinstance(a, str) or a == "all" or text_of(args[k - 1]) != "Method"
    )
    a = floats(name, x)
    shares = np.asarray(as_array(p), dtype=np.float64).ravel(order="F")
    if isinstance(p, float) and scale == 1.0 and p > 1 and p == int(p):
        shares = np.arange(1, int(p) + 1) / (int(p) + 1)
    shares = shares / scale
    if args and isinstance(args[0], str):
        return canonical(
            _quantiles(a.ravel(order="F"), shares).reshape(
                np.asarray(as_array(p)).shape if shares.size == numel(p) else (1, -1), order="F"
            )
        )
    if args and numel(args[0]) > 1:
        return _quantiles_together(a, shares, flat_doubles(args[0]).astype(int) - 1)
    axis = axis_of(a, args[0] if args else None)
    if not args and a.ndim == 2 and 1 in a.shape and shares.size > 1:
        # Of a vector: in the shape of p.
        shape = np.asarray(as_array(p)).shape if shares.size == numel(p) else (1, -1)
        found = _quantiles(a.ravel(order="F"), shares)
        return canonical(found.reshape(shape, order="F").astype(a.dtype))
    if len(args) > 1:
        text = "The method of Octave's quantile is not supported: use the option 'Method'."
        raise MatlabError(f"MATLAB:{name}:TooManyInputs", text)
    a = a.reshape(a.shape + (1,) * (axis + 1 - a.ndim))
    found = _quantiles(np.moveaxis(a, axis, -1), shares)
    return canonical(np.moveaxis(found, -1, axis).astype(a.dtype))


def _quantiles_together(a: Array, shares: Array, dims: Array) -> Value:
    """Quantiles of all elements along several dimensions: they lie along the first of these."""
    merged = sorted(set(dims.tolist()))
    a = a.reshape(a.shape + (1,) * (merged[-1] + 1 - a.ndim))
    last = np.moveaxis(a, merged, range(-len(merged), 0))
    found = _quantiles(last.reshape(*last.shape[: -len(merged)], -1), shares)
    made = np.moveaxis(found, -1, merged[0])
    return canonical(np.expand_dims(made, merged[1:]).astype(a.dtype))


def _shares(ctx: CallContext, name: str, given: Value | None, scale: float) -> Value:
    """The shares that are asked for; Octave's dialect has the quartiles without any."""
    if given is not None:
        return given
    if ctx.settings.octave:
        return np.array([[0.0, 0.25, 0.5, 0.75, 1.0]]) * scale
    error = MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    raise error.as_in_octave("Octave:invalid-fun-call", f"Invalid call to {name}")


@builtin(
    "quantile",
    words="all method exact approximate",
    category=_FAMILY,
    signatures=(
        "Q = quantile(A, p)",
        "Q = quantile(A, n)",
        "Q = quantile(A, p, dim)",
        "Q = quantile(A, p, vecdim)",
    ),
    device=term_form(sorting_forms.quantile),
    cases=(
        "quantile([1 2 3 4], 0.5) == 2.5",
        "isequal(quantile(1:5, [0 1]), [1 5])",
        "isequal(size(quantile((1:5)', [0 1])), [1 2])",
        "x = reshape(1:24, 2, 3, 4); isequal(quantile(x, [.5; 1], [1 3]), "
        "[quantile(reshape(x(:, 1, :), [], 1), [.5; 1]), quantile(reshape(x(:, 2, :), [], 1), "
        "[.5; 1]), quantile(reshape(x(:, 3, :), [], 1), [.5; 1])])",
    ),
    see=("prctile", "median"),
)
@takes(NUMBERS, optional(NUMERIC & VECTOR), DIMS)
def quantile(ctx: CallContext, a: Value, p: Value | None = None, *args: Value) -> Value:
    """Quantiles by linear interpolation between the midpoints of the sorted sample."""
    return _quantile("quantile", a, _shares(ctx, "quantile", p, 1.0), args, 1.0)


@builtin(
    "prctile",
    words="all method exact approximate",
    category=_FAMILY,
    signatures=("P = prctile(A, p)", "P = prctile(A, p, dim)", "P = prctile(A, p, vecdim)"),
    device=term_form(sorting_forms.prctile),
    cases=(
        "prctile([1 2 3 4], 50) == 2.5",
        "prctile(magic(4), 50, [1 2]) == 8.5",
    ),
    see=("quantile", "iqr"),
)
@takes(NUMBERS, optional(NUMERIC & VECTOR), DIMS)
def prctile(ctx: CallContext, a: Value, p: Value | None = None, *args: Value) -> Value:
    """Percentiles by linear interpolation between the midpoints of the sorted sample."""
    return _quantile("prctile", a, _shares(ctx, "prctile", p, 100.0), args, 100.0)


@builtin(
    "iqr",
    category=_FAMILY,
    signatures=("r = iqr(A)", "r = iqr(A, dim)"),
    device=term_form(sorting_forms.iqr),
    cases=("iqr(1:4) == 2",),
    see=("quantile", "mad"),
)
@takes(NUMBERS, DIMS)
def iqr(a: Value, *args: Value) -> Value:
    """Interquartile range: third quartile minus first."""
    if len(args) > 1 or any(is_text_scalar(v) and v != "all" for v in args):
        text = "The dimension must be a positive whole number, a vector of them, or 'all'."
        raise MatlabError("stats:iqr:InvalidDim", text)
    columns, shape = _columns("iqr", a, args)
    found = _quantiles(columns, np.array([0.25, 0.75]))
    return _in_shape((found[..., 1] - found[..., 0]).astype(columns.dtype), shape)


def _moments(columns: Array, order: int) -> Array:
    centred = columns - columns.mean(axis=-1, keepdims=True)
    return np.asarray((centred**order).mean(axis=-1))


def _bias(args: tuple[Value, ...]) -> tuple[bool, tuple[Value, ...]]:
    flag = args[0] if args else 1.0
    corrected = not isinstance(flag, str) and numel(flag) == 1 and real_number(flag) == 0
    return corrected, args[1:]


@builtin(
    "skewness",
    category=_FAMILY,
    signatures=("y = skewness(X)", "y = skewness(X, flag)", "y = skewness(X, flag, dim)"),
    device=term_form(statistic_forms.skewness),
    cases=("skewness([1 2 3]) == 0",),
    see=("kurtosis",),
)
@takes(NUMBERS, FLAG, DIM)
def skewness(x: Value, *args: Value) -> Value:
    """Third standardised moment; flag 0 corrects its bias."""
    corrected, rest = _bias(args)
    columns, shape = _columns("skewness", x, rest)
    n = columns.shape[-1]
    value = _moments(columns, 3) / _moments(columns, 2) ** 1.5
    if corrected:
        value = value * np.sqrt((n - 1) / n) * n / (n - 2) if n > 2 else value * np.nan
    return _in_shape(value, shape)


@builtin(
    "kurtosis",
    category=_FAMILY,
    signatures=("y = kurtosis(X)", "y = kurtosis(X, flag)", "y = kurtosis(X, flag, dim)"),
    device=term_form(statistic_forms.kurtosis),
    cases=("abs(kurtosis([1 2 3]) - 1.5) < 1e-15",),
    see=("skewness",),
)
@takes(NUMBERS, FLAG, DIM)
def kurtosis(x: Value, *args: Value) -> Value:
    """Fourth standardised moment; flag 0 corrects its bias."""
    corrected, rest = _bias(args)
    columns, shape = _columns("kurtosis", x, rest)
    n = columns.shape[-1]
    value = _moments(columns, 4) / _moments(columns, 2) ** 2
    if corrected and n < 4:
        value = value * np.nan
    elif corrected:
        value = 3 + (n - 1) / ((n - 2) * (n - 3)) * ((n + 1) * value - 3 * (n - 1))
    return _in_shape(value, shape)


@builtin(
    "moment",
    category=_FAMILY,
    signatures=("m = moment(X, order)", "m = moment(X, order, dim)"),
    device=term_form(statistic_forms.moment),
    cases=("abs(moment([1 2 3], 2) - 2/3) < 1e-15",),
    see=("var", "skewness"),
)
@takes(NUMBERS & NONEMPTY, NUMERIC & SCALAR)
def moment(x: Value, order: Value, *args: Value) -> Value:
    """Central moment of the given order."""
    columns, shape = _columns("moment", x, args)
    return _in_shape(_moments(columns, int(real_number(order))), shape)


@builtin(
    "mad",
    category=_FAMILY,
    signatures=("y = mad(X)", "y = mad(X, flag)", "y = mad(X, flag, dim)"),
    device=term_form(statistic_forms.mad),
    cases=("mad([1 2 3]) == 2/3", "mad([1 2 9], 1) == 1"),
    see=("iqr", "std"),
)
@takes(NUMBERS, FLAG)
def mad(x: Value, flag: Value = 0.0, *args: Value) -> Value:
    """Mean absolute deviation, or with flag 1 the median absolute deviation."""
    columns, shape = _columns("mad", x, args)
    median = numel(flag) > 0 and real_number(flag) == 1
    centre: Callable[..., Any] = middles.median if median else np.mean
    away = np.abs(columns - centre(columns, axis=-1, keepdims=True))
    return _in_shape(centre(away, axis=-1), shape)


@builtin(
    "rms",
    category=_FAMILY,
    words="all omitnan includenan omitmissing includemissing",
    signatures=("y = rms(X)", "y = rms(X, dim)", "y = rms(..., nanflag)"),
    device=term_form(statistic_forms.rms),
    cases=("rms([3 4]) == sqrt(12.5)", "rms([3 NaN 4], 'omitnan') == sqrt(12.5)"),
    see=("norm", "std"),
)
@takes(NUMBERS)
def rms(x: Value, *args: Value) -> Value:
    """Root mean square."""
    return _in_shape(*_without_nan("rms", x, args, lambda v: np.sqrt(_mean_square(v))))


def _mean_of(
    name: str,
    x: Value,
    args: tuple[Value, ...],
    f: Callable[[Array], Array],
    g: Callable[[Array], Array],
) -> Value:
    return _in_shape(*_without_nan(name, x, args, lambda v: g(np.mean(f(v), axis=-1))))


def _without_nan(
    name: str, v: Value, args: tuple[Value, ...], reduce: Callable[[Array], Array]
) -> tuple[Array, tuple[int, ...]]:
    """What is made of the vectors (of each one's numbers, for 'omitnan'), and its shape."""
    a = floats(name, v)
    how = along(a.shape, args, NAN_FLAGS)
    axes = inside(how.axes, a.ndim)
    columns, shape = merge_axes(a, axes), kept_shape(a.shape, axes)
    if not how.omit_nan or not np.isnan(columns).any():
        return reduce(columns), shape
    lines = columns.reshape(-1, columns.shape[-1])
    known = (line[~np.isnan(line)] for line in lines)
    found = [reduce(line) if line.size else np.nan for line in known]
    return np.array(found, dtype=columns.dtype).reshape(columns.shape[:-1]), shape


@builtin(
    "geomean",
    words="all omitnan includenan",
    category=_FAMILY,
    signatures=("m = geomean(X)", "m = geomean(X, dim)", "m = geomean(..., nanflag)"),
    device=term_form(statistic_forms.geomean),
    cases=(
        "abs(geomean([1 4]) - 2) < 1e-15",
        "norm(geomean([1 4 NaN; 2 2 NaN], 2, 'omitnan') - [2; 2]) < 1e-15",
    ),
    see=("mean", "harmmean"),
)
@takes(NUMBERS)
def geomean(x: Value, *args: Value) -> Value:
    """Geometric mean."""
    return _mean_of("geomean", x, args, np.log, np.exp)


@builtin(
    "harmmean",
    words="all omitnan includenan",
    category=_FAMILY,
    signatures=("m = harmmean(X)", "m = harmmean(X, dim)", "m = harmmean(..., nanflag)"),
    device=term_form(statistic_forms.harmmean),
    cases=(
        "abs(harmmean([1 3]) - 1.5) < 1e-15",
        "abs(harmmean([1 NaN 3], 'omitnan') - 1.5) < 1e-15",
    ),
    see=("mean", "geomean"),
)
@takes(NUMBERS)
def harmmean(x: Value, *args: Value) -> Value:
    """Harmonic mean."""
    return _mean_of("harmmean", x, args, lambda v: 1 / v, lambda v: 1 / v)


@builtin(
    "trimmean",
    words="round floor weighted all",
    category=_FAMILY,
    signatures=("m = trimmean(X, percent)", "m = trimmean(X, percent, flag, dim)"),
    device=of_resident(column_forms.trimmean),
    cases=(
        "trimmean([1 2 3 100], 50) == 2.5",
        "trimmean([1 2 4 9 100], 70, 'floor') == 5",
        "abs(trimmean([1 2 4 9 100], 50, 'weighted') - (0.75*2 + 4 + 0.75*9)/2.5) < 1e-12",
    ),
    see=("mean", "median"),
)
@takes(NUMBERS, NUMBER)
def trimmean(x: Value, percent: Value, *args: Value) -> Value:
    """Mean without the given percentage of extreme values, half at each end.

    Where that is no whole number of values, their number is rounded ('round', a half down), cut
    down ('floor'), or the next value at each end counts as much less ('weighted').
    """
    way, rest = "round", args
    if args and is_text_scalar(args[0]) and text_of(args[0]).lower() != "all":
        way, rest = one_of("trimmean", "flag", args[0], "round floor weighted"), args[1:]
    columns, shape = _columns("trimmean", x, rest)
    n = columns.shape[-1]
    share = n * real_number(percent) / 200
    cut = int(np.ceil(share - 0.5)) if way == "round" else int(np.floor(share))
    kept = np.sort(columns, axis=-1)[..., cut : n - cut]
    if not kept.shape[-1]:
        return _in_shape(np.full(kept.shape[:-1], np.nan, columns.dtype), shape)
    if way != "weighted":
        return _in_shape(kept.mean(axis=-1), shape)
    weights = np.ones(kept.shape[-1])
    weights[[0, -1]] = 1 + cut - share
    return _in_shape(np.average(kept, axis=-1, weights=weights).astype(columns.dtype), shape)


def _mean_square(columns: Array) -> Array:
    """Mean squared magnitude along the last axis; NaN of nothing."""
    with np.errstate(invalid="ignore"):
        total = (np.abs(columns) ** 2).sum(axis=-1)
        return np.asarray(total / total.dtype.type(columns.shape[-1]))


@builtin(
    "meansq",
    category=_FAMILY,
    signatures=("y = meansq(X)", "y = meansq(X, dim)"),
    device=term_form(statistic_forms.meansq),
    cases=("meansq([3 4]) == 12.5",),
    see=("rms",),
)
@takes(NUMBERS)
def meansq(x: Value, *args: Value) -> Value:
    """Mean of squares."""
    columns, shape = _columns("meansq", x, args)
    return _in_shape(_mean_square(columns), shape)
