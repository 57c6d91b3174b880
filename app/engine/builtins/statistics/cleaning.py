"""Preparing data: missing values, outliers, smoothing, local extremes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from app.engine.arguments.checks import NUMBERS, option_pairs, takes
from app.engine.arguments.dimensions import dimension, first_axis
from app.engine.builtins.arrays.native_arrays import NativeArray
from app.engine.builtins.statistics import cleaning_forms, column_forms, middles, statistic_forms
from app.engine.declarations.device_support import of_resident, term_form
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    Cell,
    StringArray,
    Value,
    as_array,
    canonical,
    float_of,
    is_text_scalar,
    make_logical,
    numel,
    text_of,
)
from app.errors import MatlabError

_FAMILY = "data preparation"
_FILLS = (
    "constant",
    "previous",
    "next",
    "nearest",
    "linear",
    "spline",
    "pchip",
    "makima",
    "movmean",
    "movmedian",
)


def _floats(v: Value) -> Array:
    a = as_array(v)
    return a if a.dtype.kind in "fc" else a.astype(np.float64)


def _by_column(a: Array, axis: int, function: Callable[[Array], Array]) -> Array:
    return np.apply_along_axis(function, axis, a) if a.size else a


def _dimension(a: Array, args: list[Value]) -> int:
    """The dimension among the remaining arguments, taken out of them."""
    for k, v in enumerate(args):
        if not is_text_scalar(v) and (k == 0 or not is_text_scalar(args[k - 1])):
            return dimension(args.pop(k))
    return first_axis(a.shape)


@builtin(
    "fillmissing",
    category=_FAMILY,
    signatures=(
        "[F, TF] = fillmissing(A, method)",
        "F = fillmissing(A, 'constant', v)",
        "F = fillmissing(A, movmethod, window)",
        "F = fillmissing(..., dim)",
    ),
    device=of_resident(cleaning_forms.fillmissing),
    cases=(
        "isequal(fillmissing([1 NaN 3], 'linear'), [1 2 3])",
        "isequal(fillmissing([1 NaN], 'constant', 0), [1 0])",
        "isa(fillmissing(single([1 NaN 3]), 'linear'), 'single')",
        "isa(fillmissing(single([1 NaN 3]), 'constant', 0), 'single')",
        "isa(fillmissing(int8([1 2 3]), 'linear'), 'int8')",
        "isequaln(fillmissing([NaN 2 NaN], 'previous'), [NaN 2 2])",
        'isequal(fillmissing(["a" missing], "constant", "z"), ["a" "z"])',
    ),
    see=("rmmissing", "ismissing"),
)
def fillmissing(a: Value, method: Value, *args: Value) -> tuple[Value, Value]:
    """Replace missing values: by a constant, neighbours, interpolation or moving averages."""
    word = text_of(method).lower()
    if isinstance(a, StringArray | Cell | NativeArray):
        return _filled_elements(a, word, args)
    NUMBERS("fillmissing", 1, a)
    x = _floats(a)
    rest = list(args)
    if word not in _FILLS:
        text = f"Invalid fill method '{word}'."
        raise MatlabError("MATLAB:fillmissing:MethodInvalid", text)
    given = rest.pop(0) if word in ("constant", "movmean", "movmedian") and rest else None
    axis = _dimension(x, rest)
    option_pairs("fillmissing", rest, "")
    missing = np.isnan(x)
    if word == "constant":
        if given is None:
            raise MatlabError("MATLAB:minrhs", "The constant to fill with is missing.")
        filled = np.where(missing, as_array(given), x)
    elif word.startswith("mov"):
        filled = np.where(missing, _moving(word, x, given, axis), x)
    else:
        filled = _by_column(x, axis, lambda c: _filled_column(c, word))
    found = make_logical(missing & ~np.isnan(filled))
    if filled.dtype.kind == "f":
        filled = filled.astype(as_array(a).dtype, copy=False)
    return canonical(filled), found


def _filled_elements(a: Any, word: str, args: tuple[Value, ...]) -> tuple[Value, Value]:
    """Texts, times and categories: a constant, or what stands before, after or nearest."""
    data = a.data
    missing = (
        a.is_missing()
        if isinstance(a, NativeArray)
        else np.array([x in (None, "") for x in data.ravel().tolist()], dtype=bool).reshape(
            data.shape
        )
    )
    if hasattr(a, "form") and word in _FILLS and word not in ("constant", "previous", "next"):
        found, filled_in = fillmissing(canonical(data), word, *args)
        return a.like(as_array(found)), filled_in
    if word not in ("constant", "previous", "next", "nearest"):
        text = f"The method '{word}' needs numbers: use constant, previous, next or nearest."
        raise MatlabError("MATLAB:fillmissing:MethodInvalid", text)
    if word == "constant":
        if not isinstance(a, NativeArray):
            return type(a)(np.where(missing, text_of(args[0]), data)), make_logical(missing)
        new = a.accept(args[0])
        base = new.aligned(a)
        return base.like(np.where(missing, new.data.flat[0], base.data)), make_logical(missing)
    axis = dimension(args[0]) if args else first_axis(data.shape)
    places = np.where(
        missing,
        np.nan,
        np.broadcast_to(
            np.arange(data.shape[axis], dtype=float).reshape(
                [-1 if k == axis else 1 for k in range(data.ndim)]
            ),
            data.shape,
        ),
    )
    source = _by_column(places, axis, lambda c: _filled_column(c, word))
    known = ~np.isnan(source)
    taken = np.take_along_axis(data, np.where(known, source, 0).astype(int), axis)
    filled = np.where(known, taken, data)
    made = a.like(filled) if isinstance(a, NativeArray) else type(a)(filled)
    return made, make_logical(missing & known)


def _moving(word: str, x: Array, window: Value, axis: int) -> Array:
    from app.engine.declarations import registry

    found = registry.lookup(word)
    if found is None:
        raise MatlabError("MATLAB:UndefinedFunction", f"Undefined function '{word}'.")
    return as_array(found.function(x, window, float(axis + 1), "omitnan"))


def _filled_column(column: Array, method: str) -> Array:
    from app.engine.builtins.calculus.interpolation import evaluate

    good = ~np.isnan(column)
    places = np.arange(column.size, dtype=float)
    if good.all() or not good.any():
        return column
    known = places[good]
    if method in ("previous", "next", "nearest") or known.size == 1:
        index = np.searchsorted(known, places, side="right") - 1
        after = np.minimum(index + (places != known[np.maximum(index, 0)]), known.size - 1)
        after = np.where(index < 0, 0, after)
        before = np.maximum(index, 0)
        closer = np.where(places - known[before] < known[after] - places, before, after)
        closer = np.where(index < 0, 0, np.where(places > known[-1], known.size - 1, closer))
        pick = {"previous": before, "next": after}.get(method, closer)
        filled = column[good][pick]
        if method == "previous":
            filled = np.where(index < 0, np.nan, filled)
        if method == "next":
            filled = np.where(places > known[-1], np.nan, filled)
        return np.where(good, column, filled)
    found = evaluate(method, known, column[good].reshape(-1, 1), places).ravel()
    return np.where(good, column, found)


@builtin(
    "rmmissing",
    category=_FAMILY,
    signatures=(
        "[R, TF] = rmmissing(A)",
        "R = rmmissing(A, dim)",
        "R = rmmissing(..., 'MinNumMissing', n)",
    ),
    device=of_resident(cleaning_forms.rmmissing),
    cases=(
        "isequal(rmmissing([1 NaN 3]), [1 3])",
        "isequal(rmmissing([1 2; NaN 4]), [1 2])",
        "isequaln(rmmissing([1 NaN; NaN NaN], 'MinNumMissing', 2), [1 NaN])",
    ),
    see=("fillmissing",),
)
def rmmissing(a: Value, *args: Value) -> Value:
    """Remove rows (or elements of a vector) with NaN or missing text."""
    rest = list(args)
    along = dimension(rest.pop(0)) if rest and not is_text_scalar(rest[0]) else None
    options = option_pairs("rmmissing", rest, "MinNumMissing")
    least = float_of(options.get("minnummissing", 1.0))
    if isinstance(a, StringArray | Cell):
        lost = (None,) if isinstance(a, StringArray) else (None, "")
        flags = [isinstance(x, str | None) and x in lost for x in a.data.ravel().tolist()]
        data, gone = a.data, np.array(flags, dtype=bool).reshape(a.data.shape)
    else:
        NUMBERS("rmmissing", 1, a)
        data = _floats(a)
        gone = np.isnan(data)
    if data.ndim > 2 or (along or 0) > 1:
        text = "The input must be a vector, a matrix or a table, and the dimension 1 or 2."
        raise MatlabError("MATLAB:rmmissing:DimensionInvalid", text)
    axis = along if along is not None else int(data.shape[0] == 1)
    bad = gone.sum(axis=1 - axis) >= least
    kept = np.compress(~bad, data, axis=axis)
    whole = type(a)(kept) if isinstance(a, StringArray | Cell) else canonical(kept)
    return whole, make_logical(bad.reshape((1, -1) if axis else (-1, 1)))


@builtin(
    "standardizeMissing",
    category=_FAMILY,
    signatures=("B = standardizeMissing(A, m)",),
    device=term_form(statistic_forms.standardize_missing),
    cases=("isequaln(standardizeMissing([1 -99], -99), [1 NaN])",),
    see=("fillmissing",),
)
@takes(NUMBERS, NUMBERS)
def standardizeMissing(a: Value, indicator: Value) -> Value:  # noqa: N802 - MATLAB's name
    """NaN in place of given values."""
    x = _floats(a)
    return canonical(np.where(np.isin(x, as_array(indicator)), np.nan, x))


def _limits(c: Array, method: str, factor: float | None) -> tuple[float, float, float]:
    good = c[~np.isnan(c)]
    if not good.size:
        return np.nan, np.nan, np.nan
    if method == "mean":
        centre, spread = good.mean(), good.std(ddof=1) if good.size > 1 else 0.0
    elif method == "quartiles":
        low, high = np.quantile(good, [0.25, 0.75], method="hazen")
        reach = (1.5 if factor is None else factor) * (high - low)
        return float(low - reach), float(high + reach), float((low + high) / 2)
    elif method == "median":
        centre = middles.median(good)
        spread = 1.482602218505602 * middles.median(np.abs(good - centre))
    else:
        raise MatlabError("MATLAB:isoutlier:SecondInputString", f"Unknown method '{method}'.")
    reach = (3.0 if factor is None else factor) * spread
    return float(centre - reach), float(centre + reach), float(centre)


def _outliers(a: Array, args: tuple[Value, ...]) -> tuple[Array, Array, int]:
    rest = list(args)
    method, factor = "median", None
    while rest and is_text_scalar(rest[0]):
        word = text_of(rest.pop(0)).lower()
        if word == "thresholdfactor":
            factor = float_of(rest.pop(0))
        elif word == "percentiles":
            shares = as_array(rest.pop(0)).ravel() / 100
            axis = _dimension(a, rest)
            ends = np.nanquantile(a, shares, axis=axis, method="hazen", keepdims=True)
            return (a < ends[0]) | (a > ends[1]), np.concatenate([*ends, ends.mean(0)], axis), axis
        else:
            method = word
    axis = _dimension(a, rest)
    table = _by_column(a, axis, lambda c: np.array(_limits(c, method, factor)))
    low, high, _ = np.split(table, 3, axis=axis)
    return (a < low) | (a > high), table, axis


@builtin(
    "isoutlier",
    category=_FAMILY,
    signatures=(
        "[TF, L, U, C] = isoutlier(A)",
        "TF = isoutlier(A, method)",
        "TF = isoutlier(..., 'ThresholdFactor', f)",
    ),
    device=of_resident(cleaning_forms.isoutlier),
    cases=("isequal(isoutlier([1 2 1 2 50]), logical([0 0 0 0 1]))",),
    see=("rmoutliers",),
)
@takes(NUMBERS)
def isoutlier(a: Value, *args: Value) -> Value:
    """Elements far from the others: by ``median`` (default), ``mean``, ``quartiles``."""
    found, table, axis = _outliers(_floats(a), args)
    ends = np.split(table, 3, axis=axis)
    return make_logical(found), *(canonical(e) for e in ends)


@builtin(
    "rmoutliers",
    category=_FAMILY,
    signatures=("[B, TF, TFoutlier, L, U, C] = rmoutliers(A, ...)",),
    cases=(
        "isequal(rmoutliers([1 2 1 2 50]), [1 2 1 2])",
        "[~, ~, f, l, u, c] = rmoutliers([1 2 1 2 50]); isequal(f, [1 2 1 2 50] > u) && c == 2",
    ),
    see=("isoutlier",),
)
@takes(NUMBERS)
def rmoutliers(a: Value, *args: Value) -> Value:
    """Remove elements (or rows) that are outliers."""
    x = _floats(a)
    found, table, axis = _outliers(x, args)
    bad = found.any(axis=1 - axis)
    shape = (1, -1) if axis == 1 else (-1, 1)
    return (
        canonical(np.compress(~bad, x, axis=axis)),
        make_logical(bad.reshape(shape)),
        make_logical(found),
        *(canonical(e) for e in np.split(table, 3, axis=axis)),
    )


@builtin(
    "filloutliers",
    category=_FAMILY,
    signatures=("[B, TF, L, U, C] = filloutliers(A, fill, ...)",),
    cases=(
        "isequal(filloutliers([1 2 1 2 50], 'clip') < 50, true(1, 5))",
        "[B, ~, ~, U, C] = filloutliers([1 2 1 2 50], 'clip'); B(5) == U && C == 2",
    ),
    see=("isoutlier", "fillmissing"),
)
@takes(NUMBERS)
def filloutliers(a: Value, fill: Value, *args: Value) -> Value:
    """Replace outliers: by a number, ``clip``, ``center``, or as fillmissing does."""
    x = _floats(a)
    found, table, axis = _outliers(x, args)
    low, high, centre = np.split(table, 3, axis=axis)
    word = text_of(fill).lower() if is_text_scalar(fill) else ""
    if not word:
        filled = np.where(found, as_array(fill), x)
    elif word == "clip":
        filled = np.where(found, np.clip(x, low, high), x)
    elif word == "center":
        filled = np.where(found, centre, x)
    else:
        filled = as_array(fillmissing(np.where(found, np.nan, x), word, float(axis + 1))[0])
    return canonical(filled), make_logical(found), *(canonical(v) for v in (low, high, centre))


@builtin(
    "smoothdata",
    category=_FAMILY,
    signatures=("[B, window] = smoothdata(A)", "[B, window] = smoothdata(A, method, window)"),
    device=of_resident(column_forms.smoothdata),
    cases=("isequal(smoothdata([1 2 3], 'movmean', 3), [1.5 2 2.5])",),
    see=("movmean",),
)
@takes(NUMBERS)
def smoothdata(a: Value, *args: Value) -> Value:
    """Smooth by moving averages: ``movmean``, ``movmedian`` or ``gaussian``."""
    x = _floats(a)
    rest = list(args)
    axis = first_axis(x.shape)
    if rest and not is_text_scalar(rest[0]):
        axis = dimension(rest.pop(0))
        if axis >= x.ndim:
            return a, 1.0
    method = text_of(rest.pop(0)).lower() if rest else "movmean"
    default = float(max(min(4, x.shape[axis]), x.shape[axis] // 10, 1))
    window = rest.pop(0) if rest and not is_text_scalar(rest[0]) and numel(rest[0]) else default
    option_pairs("smoothdata", rest, "")
    if method in ("movmean", "movmedian"):
        return canonical(_moving(method, x, window, axis)), window
    if method != "gaussian":
        text = f"Unknown smoothing method '{method}'."
        raise MatlabError("MATLAB:smoothdata:InvalidMethod", text)
    found = _by_column(x, axis, lambda c: _gaussian(c, float_of(window)))
    return canonical(found.astype(x.dtype)), window


def _gaussian(column: Array, window: float) -> Array:
    """Each value as the mean of its window, weighted by a Gaussian of a fifth of its width."""
    known = ~np.isnan(column)
    values, size = np.where(known, column, 0.0), column.size
    total, weights = np.zeros(size), np.zeros(size)
    for away in range(max(-int((window - 1) // 2), 1 - size), min(int(window // 2), size - 1) + 1):
        weight = np.exp(-0.5 * (away / (window / 5)) ** 2)
        to, of = slice(max(away, 0), size + min(away, 0)), slice(max(-away, 0), size - max(away, 0))
        total[to] += values[of] * weight
        weights[to] += known[of] * weight
    return total / weights
