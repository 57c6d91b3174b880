"""Reductions: sum, prod, mean, median, mode, var, std, any, all, nnz."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from app.accel.numerics.complex_products import product_along
from app.engine.arguments.dimensions import (
    NAN_FLAGS,
    NO_WORDS,
    Along,
    along,
    inside,
    is_logical_vector,
    is_plain_vector,
    kept_shape,
    merge_axes,
)
from app.engine.builtins.arrays import array_forms, sorting_forms
from app.engine.builtins.statistics import median_forms, middles, statistic_forms
from app.engine.declarations.device_support import Custom, Reduction, of_resident, term_form
from app.engine.declarations.registry import builtin
from app.engine.operators.arithmetic import saturate
from app.engine.operators.complex_elements import complex_divide
from app.engine.operators.elementwise import wrong_input
from app.engine.values import (
    Array,
    Cell,
    SparseMatrix,
    Value,
    as_array,
    canonical,
    char_codes,
    is_char,
    is_numeric_like,
    make_logical,
    numel,
    object_array,
    unwrap,
)
from app.errors import MatlabError

_FAMILY = "reductions"
_FORMS = ("S = {0}(A)", "S = {0}(A, dim)", "S = {0}(A, 'all')", "S = {0}(A, ..., 'omitnan')")


def _forms(name: str) -> tuple[str, ...]:
    return tuple(form.format(name) for form in _FORMS)


def numbers(name: str, v: Value) -> Array:
    """The array to reduce; sparse stays out of here."""
    if not is_numeric_like(v):
        raise wrong_input(name, v)
    return as_array(v)


def _sum_class(a: Array, out_type: str) -> np.dtype[Any]:
    if a.dtype.kind in "iu":
        return a.dtype if out_type == "native" else np.dtype(np.float64)
    if a.dtype.kind == "b":
        return np.dtype(np.bool_ if out_type == "native" else np.float64)
    return np.dtype(np.float64) if out_type == "double" and a.dtype.kind == "f" else a.dtype


def _accumulate(ufunc: Any, a: Array, how: Along) -> Array:
    """Sum or product along axes with MATLAB's result class."""
    axes = inside(how.axes, a.ndim)
    target = _sum_class(a, how.out_type)
    if how.omit_nan and a.dtype.kind in "fc":
        a = np.where(np.isnan(a), a.dtype.type(ufunc.identity), a)
    if target.kind in "iu":
        wide = np.longdouble if target.itemsize == 8 else np.float64
        return saturate(_reduce(ufunc, a.astype(wide), axes), target, whole=True)
    if target.kind == "c" and ufunc is np.multiply:
        return product_along(a.astype(target, copy=False), axes)
    made = np.asarray(_reduce(ufunc, a.astype(target, copy=False), axes))
    return made.astype(bool) if target.kind == "b" else made


def _reduce(ufunc: Any, a: Array, axes: tuple[int, ...]) -> Array:
    if len(axes) == a.ndim and a.ndim > 1 and not a.flags.c_contiguous:
        flat = a.reshape(-1, order="F")
        return np.asarray(ufunc.reduce(flat, keepdims=True)).reshape((1,) * a.ndim)
    return np.asarray(ufunc.reduce(a, axis=axes, keepdims=True))


@cache
def _sparse_sum() -> Callable[[SparseMatrix, tuple[int, ...]], Value]:
    from app.engine.operators.sparse_arithmetic import sparse_sum  # needed by few programs

    return sparse_sum


@builtin(
    "sum",
    scalar=lambda x: x,
    category=_FAMILY,
    signatures=_forms("sum"),
    device=Reduction("sum"),
    cases=(
        "sum([1 2 3]) == 6",
        "isequal(sum([1 2; 3 4]), [4 6])",
        "sum([]) == 0",
        "isequal(sum([1 2; 3 4], 2), [3; 7])",
        "sum([1 NaN], 'omitnan') == 1",
        "sum(int8([100 100])) == 200",
        "sum(int8([100 100]), 'native') == 127",
        "sum(ones(2,3), 'all') == 6",
    ),
    see=("prod", "cumsum", "mean"),
)
def sum_(a: Value, *args: Value) -> Value:
    """Sum of elements along the first dimension that is not one, or along ``dim``."""
    if not args and is_plain_vector(a):
        return float(np.add.reduce(a, axis=None))
    if type(a) is SparseMatrix:
        return _sparse_sum()(a, along(a.shape, args).axes)
    x = numbers("sum", a)
    return canonical(_accumulate(np.add, x, along(x.shape, args)))


@builtin(
    "prod",
    scalar=lambda x: x,
    category=_FAMILY,
    signatures=_forms("prod"),
    device=Reduction("prod"),
    cases=("prod([1 2 3 4]) == 24", "prod([]) == 1", "isequal(prod([1 2; 3 4]), [3 8])"),
    see=("sum", "cumprod"),
)
def prod(a: Value, *args: Value) -> Value:
    """Product of elements."""
    if not args and is_plain_vector(a):
        return float(np.multiply.reduce(a, axis=None))
    x = numbers("prod", a)
    return canonical(_accumulate(np.multiply, x, along(x.shape, args)))


@builtin(
    "sumsq",
    category=_FAMILY,
    signatures=_forms("sumsq"),
    device=term_form(statistic_forms.sumsq),
    cases=("sumsq([3 4]) == 25",),
    see=("sum", "norm"),
)
def sumsq(a: Value, *args: Value) -> Value:
    """Sum of squared magnitudes (Octave's)."""
    x = numbers("sumsq", a)
    squares = (x * x.conj()).real if x.dtype.kind == "c" else x * x
    return canonical(_accumulate(np.add, squares, along(x.shape, args)))


def _to_float(a: Array) -> Array:
    return a if a.dtype.kind in "fc" else a.astype(np.float64)


def _counts(a: Array, axes: tuple[int, ...], *, omit: bool) -> Array:
    if omit and a.dtype.kind in "fc":
        return np.asarray(np.sum(~np.isnan(a), axis=axes, keepdims=True))
    total = int(np.prod([a.shape[i] for i in axes]))
    return np.full(kept_shape(a.shape, axes), total)


def mean_array(a: Array, how: Along) -> Array:
    """The mean along axes, as a float array."""
    a = _to_float(a)
    axes = inside(how.axes, a.ndim)
    total = _accumulate(np.add, a, how)
    if not how.omit_nan:
        count = np.array(math.prod(a.shape[i] for i in axes), total.real.dtype)
        return complex_divide(total, count)
    return complex_divide(total, _counts(a, axes, omit=True).astype(total.real.dtype))


@builtin(
    "mean",
    category=_FAMILY,
    signatures=_forms("mean"),
    device=Reduction("mean", "float"),
    cases=(
        "mean([1 2 3]) == 2",
        "isnan(mean([]))",
        "isequal(mean([1 2; 3 4]), [2 3])",
        "mean([1 NaN 3], 'omitnan') == 2",
        "mean(int8([1 2])) == 1.5",
    ),
    see=("median", "mode", "std"),
)
def mean(a: Value, *args: Value) -> Value:
    """Average of elements."""
    if not args and is_plain_vector(a):
        return float(np.add.reduce(a, axis=None)) / a.size
    x = numbers("mean", a)
    how = along(x.shape, args)
    if how.out_type == "native" and x.dtype.kind in "iu":
        return canonical(saturate(mean_array(x.astype(np.longdouble), how), x.dtype))
    result = mean_array(x, how)
    return canonical(result)


@builtin(
    "median",
    category=_FAMILY,
    signatures=_forms("median"),
    device=of_resident(median_forms.median),
    cases=(
        "median([3 1 2]) == 2",
        "median([1 2 3 4]) == 2.5",
        "isnan(median([1 NaN]))",
        "isequal(median([1 2; 3 4]), [2 3])",
        "isequal(median([realmax realmax; 1 realmax/2], 2), [realmax; realmax/4 + 0.5])",
        "isequal(median([realmax realmax/2 NaN], 'omitnan'), realmax/4*3)",
        "isequal(median([Inf 1]), Inf)",
    ),
    see=("mean", "mode"),
)
def median(a: Value, *args: Value) -> Value:
    """Middle value; NaN if there is one among the elements, unless 'omitnan'."""
    x = numbers("median", a)
    how = along(x.shape, args)
    axes = inside(how.axes, x.ndim)
    shape = kept_shape(x.shape, axes)
    columns = merge_axes(x, axes)
    if columns.shape[-1] == 0:
        return canonical(np.full(shape, np.nan))
    if x.dtype.kind == "c":
        return _complex_median(columns, shape)
    if x.dtype.kind in "iu":
        return canonical(_integer_median(columns).reshape(shape, order="F"))
    wide = columns if x.dtype.kind == "f" else columns.astype(np.float64)
    omit = how.omit_nan and x.dtype.kind == "f"
    middle = _present_median(wide) if omit else middles.median(wide, axis=-1)
    return canonical(middle.reshape(shape, order="F"))


@middles.without_overflow
def _present_median(columns: Array) -> Array:
    """The median of what is no NaN; NaN of nothing."""
    ordered, count = np.sort(columns, axis=-1), np.count_nonzero(~np.isnan(columns), axis=-1)
    places = (np.maximum(k, 0)[..., None] for k in ((count - 1) // 2, count // 2))
    low, high = (np.take_along_axis(ordered, k, -1)[..., 0] for k in places)
    return np.where(low == high, low, (low + high) / 2)


def _integer_median(columns: Array) -> Array:
    """The middle, or the mean of the two middle ones rounded away from zero; exact."""
    last = columns.shape[-1]
    places = ((last - 1) // 2, last // 2)
    ordered = np.partition(columns, places, axis=-1)
    low, high = (ordered[..., k] for k in places)
    below = (low & high) + ((low ^ high) >> 1)
    return np.asarray(below + ((low ^ high) & 1) * (below >= 0)).astype(columns.dtype)


def _complex_median(columns: Array, shape: tuple[int, ...]) -> Value:
    """The middle by magnitude, then angle."""
    order = np.lexsort((np.angle(columns), np.abs(columns)), axis=-1)
    ordered = np.take_along_axis(columns, order, axis=-1)
    count = columns.shape[-1]
    middle = (ordered[..., (count - 1) // 2] + ordered[..., count // 2]) / 2
    return canonical(middle.reshape(shape, order="F"))


@builtin(
    "mode",
    category=_FAMILY,
    signatures=("M = mode(A)", "[M, F, C] = mode(A)", "M = mode(A, dim)"),
    device=of_resident(sorting_forms.mode),
    cases=("mode([1 2 2 3]) == 2", "mode([1 1 2 2]) == 1"),
    see=("median",),
)
def mode(a: Value, *args: Value) -> Value:
    """Most frequent value, the smallest of several; with how often it occurs."""
    x = numbers("mode", a)
    how = along(x.shape, args, NO_WORDS)
    axes = inside(how.axes, x.ndim)
    shape = kept_shape(x.shape, axes)
    columns = merge_axes(x, axes)
    rows = columns.reshape(int(np.prod(shape)), columns.shape[-1])
    if rows.shape[1] == 0:
        return canonical(np.full(shape, np.nan)), canonical(np.zeros(shape))
    values = np.empty(len(rows), dtype=x.dtype)
    counts = np.empty(len(rows))
    ties: list[Value] = []
    for i, row in enumerate(rows):
        present = row[~np.isnan(row)] if row.dtype.kind in "fc" else row
        distinct, number = np.unique(present, return_counts=True)
        if row.dtype.kind == "c":
            order = np.lexsort((np.angle(distinct), np.abs(distinct)))
            distinct, number = distinct[order], number[order]
        best = int(np.argmax(number)) if number.size else -1
        values[i] = distinct[best] if number.size else np.nan
        counts[i] = number[best] if number.size else 0
        equal = distinct[number == counts[i]] if number.size else values[i : i + 1]
        ties.append(canonical(equal.reshape(-1, 1)))
    # Of 0 and -0, which are one value, the result is 0.
    whole = values.astype(np.float64) if x.dtype.kind == "b" else values + values.dtype.type(0)
    several = Cell(object_array(ties, (len(ties), 1)).reshape(shape))
    return canonical(whole.reshape(shape)), canonical(counts.reshape(shape)), several


def _check_weights(name: str, x: Array, weights: Array, how: Along) -> None:
    """Weights are 0, 1, or as many nonnegative numbers as there are elements along one dim."""
    plain = weights.size == 1 and weights.flat[0] in (0, 1)
    if weights.size == 0 or plain:
        return
    bad = weights.size != max(weights.shape) or weights.dtype.kind == "c" or (weights < 0).any()
    alone = weights.size == 1 and inside(how.axes, x.ndim) and x.shape[how.axes[0]] != 1
    if bad or len(how.axes) > 1 or alone:
        text = "Weights must be a scalar 0 or 1, or a vector of nonnegative weights."
        raise MatlabError(f"MATLAB:{name}:invalidWgts", text)
    if how.axes[0] >= x.ndim or weights.size != x.shape[how.axes[0]]:
        text = "The length of W must be compatible with the size of the data."
        raise MatlabError(f"MATLAB:{name}:invalidSizeWgts", text)


def _variance(a: Value, args: tuple[Value, ...], name: str) -> tuple[Array, Array]:
    """The variance and the mean."""
    if is_char(a):
        raise MatlabError(f"MATLAB:{name}:invalidInput", "The data must be numeric or logical.")
    x = _to_float(numbers(name, a))
    weights = as_array(args[0]) if args and not is_char(args[0]) else np.zeros((0, 0))
    how = along(x.shape, args[1:] if args and not is_char(args[0]) else args, NAN_FLAGS)
    _check_weights(name, x, weights, how)
    if weights.size > 1:
        return _weighted_variance(x, weights, how)
    axes = inside(how.axes, x.ndim)
    centre = mean_array(x, how)
    deviation = x - centre
    squares = (deviation * deviation.conj()).real if x.dtype.kind == "c" else deviation**2
    total = _accumulate(np.add, squares, how)
    counts = _counts(x, axes, omit=how.omit_nan).astype(total.dtype)
    population = weights.size == 1 and float(weights.flat[0]) == 1
    divisor = counts if population else np.where(counts > 1, counts - 1, counts)
    return np.asarray(total / divisor), centre


def _weighted_variance(x: Array, weights: Array, how: Along) -> tuple[Array, Array]:
    axis = how.axes[0]
    shape = [1] * x.ndim
    shape[axis] = -1
    w = weights.reshape(shape) / weights.sum()
    centre = np.sum(w * x, axis=axis, keepdims=True)
    return np.asarray(np.sum(w * np.abs(x - centre) ** 2, axis=axis, keepdims=True)), centre


def _device_spread(name: str) -> Callable[[tuple[Value, ...], int], Any]:
    def form(args: tuple[Value, ...], nargout: int) -> Any:
        from app.engine.capture import reduce_capture, terms

        if len(args) > 1 and not is_char(args[1]) and numel(args[1]) > 1:
            return terms.values(statistic_forms.weighted_spread(name, args, nargout))
        return reduce_capture.spread(name, args, nargout)

    return form


@builtin(
    "var",
    category=_FAMILY,
    signatures=("V = var(A)", "[V, M] = var(A, w)", "V = var(A, w, dim)", "V = var(A, w, 'all')"),
    device=Custom(_device_spread("var")),
    cases=("var([1 2 3 4]) == 5/3", "var([1 2 3 4], 1) == 1.25", "var(5) == 0"),
    see=("std", "mean"),
)
def var(a: Value, *args: Value) -> Value:
    """Variance, normalised by N-1 (w = 0) or N (w = 1), or with weights w."""
    spread, centre = _variance(a, args, "var")
    return canonical(spread), canonical(centre)


@builtin(
    "std",
    category=_FAMILY,
    signatures=("S = std(A)", "[S, M] = std(A, w)", "S = std(A, w, dim)", "S = std(A, w, 'all')"),
    device=Custom(_device_spread("std")),
    cases=("abs(std([1 2 3 4]) - sqrt(5/3)) < eps", "std([2 2 2]) == 0"),
    see=("var", "mean"),
)
def std(a: Value, *args: Value) -> Value:
    """Standard deviation, the square root of the variance."""
    spread, centre = _variance(a, args, "std")
    return canonical(np.sqrt(spread)), canonical(centre)


def _truth(name: str, v: Value) -> Array:
    if type(v) is SparseMatrix:
        return np.not_equal(as_array(v), 0)
    if is_char(v):
        return np.not_equal(char_codes(v), 0)
    x = numbers(name, v)
    if x.dtype.kind == "b":
        return x
    if name == "all" or x.dtype.kind not in "fc":
        return np.not_equal(x, 0)
    return np.asarray((x != 0) & ~np.isnan(x))


def _test(name: str, function: np.ufunc, a: Value, args: tuple[Value, ...]) -> Value:
    x = _truth(name, a)
    axes = inside(along(x.shape, args, NO_WORDS).axes, x.ndim)
    return canonical(np.asarray(function.reduce(x, axis=axes, keepdims=True)))


@builtin(
    "any",
    scalar=lambda x: x != 0 and x == x,
    category=_FAMILY,
    signatures=("B = any(A)", "B = any(A, dim)", "B = any(A, 'all')"),
    device=Reduction("any", "logical"),
    cases=(
        "any([0 0 1])",
        "~any([])",
        "isequal(any([0 1; 0 0]), [false true])",
        "issparse(any(sparse(0, 3)))",
    ),
    see=("all", "find"),
)
def any_(a: Value, *args: Value) -> Value:
    """True where some element is nonzero."""
    if type(a) is bool:
        return a
    if not args and is_plain_vector(a):
        first = a.item(0)
        if first != 0 and first == first:
            return True
        return bool(np.count_nonzero(a) and np.count_nonzero((a != 0) & (a == a)))
    if not args and is_logical_vector(a):
        return bool(np.count_nonzero(a))
    return _test("any", np.logical_or, a, args)


@builtin(
    "all",
    scalar=lambda x: x != 0,
    category=_FAMILY,
    signatures=("B = all(A)", "B = all(A, dim)", "B = all(A, 'all')"),
    device=Reduction("all", "logical"),
    cases=("all([1 1 1])", "all([])", "isequal(all([1 1; 0 1]), [false true])"),
    see=("any",),
)
def all_(a: Value, *args: Value) -> Value:
    """True where every element is nonzero."""
    if type(a) is bool:
        return a
    if not args and (is_plain_vector(a) or is_logical_vector(a)):
        return bool(np.count_nonzero(a) == a.size)
    return _test("all", np.logical_and, a, args)


@builtin(
    "nnz",
    category=_FAMILY,
    signatures=("n = nnz(A)",),
    device=Reduction("nnz", "count", 99),
    cases=("nnz([1 0 2]) == 2",),
    see=("any", "find"),
)
def nnz(a: Value) -> Value:
    """Number of nonzero elements."""
    if type(a) is SparseMatrix:
        return float(np.count_nonzero(a.data))
    return float(np.count_nonzero(as_array(a)))


@builtin(
    "xor",
    category="operators",
    signatures=("C = xor(A, B)", "C = xor(A, B, ...)"),
    device=term_form(array_forms.xor),
    cases=("xor(true, false)", "~xor(true, true)"),
    see=("and", "or"),
)
def xor(a: Value, b: Value, *more: Value) -> Value:
    """Exclusive or of elements."""
    from app.engine.operators.operators import ne

    result = ne(make_logical(a), make_logical(b))
    for c in more:
        result = ne(result, make_logical(c))
    return result


@builtin(
    "range",
    category=_FAMILY,
    signatures=("R = range(A)", "R = range(A, dim)"),
    device=term_form(statistic_forms.range_),
    cases=("range([1 5 3]) == 4",),
    see=("max", "min"),
)
def range_(a: Value, *args: Value) -> Value:
    """Largest minus smallest value."""
    x = numbers("range", a)
    if x.shape == (0, 0) and not args:
        return unwrap(x)
    axes = inside(along(x.shape, args, NO_WORDS).axes, x.ndim)
    if numel(a) == 0:
        kept = (n if k not in axes else min(n, 1) for k, n in enumerate(x.shape))
        return unwrap(np.zeros(tuple(kept), dtype=x.dtype))
    wide = x.astype(np.float64) if x.dtype.kind in "biu" else x
    spread = np.fmax.reduce(wide, axis=axes, keepdims=True) - np.fmin.reduce(
        wide, axis=axes, keepdims=True
    )
    return canonical(saturate(spread, x.dtype) if x.dtype.kind in "iu" else spread)
