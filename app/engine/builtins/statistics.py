"""Statistics beyond the plain reductions: quantiles, moments, covariance, scaling."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from app.engine.builtins.device import captured
from app.engine.builtins.dimensions import along, inside, kept_shape, swept
from app.engine.builtins.reductions import numbers
from app.engine.builtins.registry import builtin
from app.engine.values import Array, Value, as_array, canonical, numel, text_of
from app.errors import MatlabError

_FAMILY = "statistics"


def _number(v: Value) -> float:
    return float(np.asarray(as_array(v)).real.flat[0])


def _float(name: str, v: Value) -> Array:
    a = numbers(name, v)
    return a if a.dtype.kind in "fc" else a.astype(np.float64)


def _axis(a: Array, dim: Value | None) -> int:
    if dim is not None and numel(dim):
        return int(_number(dim)) - 1
    return next((k for k, n in enumerate(a.shape) if n != 1), 0)


def _columns(name: str, v: Value, args: tuple[Value, ...]) -> tuple[Array, tuple[int, ...]]:
    """The vectors to reduce as the last axis, NaN kept, and the shape of the result."""
    a = _float(name, v)
    how = along(a.shape, args)
    axes = inside(how.axes, a.ndim)
    return swept(a, axes), kept_shape(a.shape, axes)


def _back(value: Array, shape: tuple[int, ...]) -> Value:
    return canonical(np.asarray(value).reshape(shape, order="F"))


def _quantiles(columns: Array, p: Array) -> Array:
    """Quantiles with MATLAB's midpoint positions ``(k - 0.5)/n``, NaN left out; p comes last."""
    lead = columns.shape[:-1]
    flat = columns.reshape(-1, columns.shape[-1])
    result = np.full((flat.shape[0], p.size), np.nan)
    for row, data in zip(result, flat, strict=True):
        kept = np.sort(data[~np.isnan(data)])
        if kept.size:
            positions = (np.arange(kept.size) + 0.5) / kept.size
            row[:] = np.interp(p, positions, kept)
    return result.reshape(*lead, p.size)


def _quantile(name: str, x: Value, p: Value, args: tuple[Value, ...], scale: float) -> Value:
    args = tuple(a for k, a in enumerate(args)
                 if not isinstance(a, str) or a == "all" or text_of(args[k - 1]) != "Method")
    a = _float(name, x)
    shares = np.asarray(as_array(p), dtype=np.float64).ravel(order="F")
    if isinstance(p, float) and scale == 1.0 and p > 1 and p == int(p):
        shares = np.arange(1, int(p) + 1) / (int(p) + 1)
    shares = shares / scale
    if args and isinstance(args[0], str):
        return canonical(_quantiles(a.ravel(order="F"), shares).reshape(np.asarray(
            as_array(p)).shape if shares.size == numel(p) else (1, -1), order="F"))  # fmt: skip
    axis = _axis(a, args[0] if args else None)
    found = _quantiles(np.moveaxis(a, axis, -1), shares)
    return canonical(np.moveaxis(found, -1, axis).astype(a.dtype))


@builtin(
    "quantile", category=_FAMILY,
    signatures=("Q = quantile(A, p)", "Q = quantile(A, n)", "Q = quantile(A, p, dim)"),
    cases=("quantile([1 2 3 4], 0.5) == 2.5", "isequal(quantile(1:5, [0 1]), [1 5])"),
    see=("prctile", "median"),
)  # fmt: skip
def quantile(a: Value, p: Value, *args: Value) -> Value:
    """Quantiles by linear interpolation between the midpoints of the sorted sample."""
    return _quantile("quantile", a, p, args, 1.0)


@builtin(
    "prctile", category=_FAMILY,
    signatures=("P = prctile(A, p)", "P = prctile(A, p, dim)"),
    cases=("prctile([1 2 3 4], 50) == 2.5",), see=("quantile", "iqr"),
)  # fmt: skip
def prctile(a: Value, p: Value, *args: Value) -> Value:
    """Percentiles by linear interpolation between the midpoints of the sorted sample."""
    return _quantile("prctile", a, p, args, 100.0)


@builtin(
    "iqr", category=_FAMILY, signatures=("r = iqr(A)", "r = iqr(A, dim)"),
    cases=("iqr(1:4) == 2",), see=("quantile", "mad"),
)  # fmt: skip
def iqr(a: Value, *args: Value) -> Value:
    """Interquartile range: third quartile minus first."""
    columns, shape = _columns("iqr", a, args)
    found = _quantiles(columns, np.array([0.25, 0.75]))
    return _back(found[..., 1] - found[..., 0], shape)


def _moments(columns: Array, order: int) -> Array:
    centred = columns - columns.mean(axis=-1, keepdims=True)
    return np.asarray((centred**order).mean(axis=-1))


def _bias(args: tuple[Value, ...]) -> tuple[bool, tuple[Value, ...]]:
    flag = args[0] if args else 1.0
    corrected = not isinstance(flag, str) and numel(flag) == 1 and _number(flag) == 0
    return corrected, args[1:]


@builtin(
    "skewness", category=_FAMILY,
    signatures=("y = skewness(X)", "y = skewness(X, flag)", "y = skewness(X, flag, dim)"),
    cases=("skewness([1 2 3]) == 0",), see=("kurtosis",),
)  # fmt: skip
def skewness(x: Value, *args: Value) -> Value:
    """Third standardised moment; flag 0 corrects its bias."""
    corrected, rest = _bias(args)
    columns, shape = _columns("skewness", x, rest)
    n = columns.shape[-1]
    value = _moments(columns, 3) / _moments(columns, 2) ** 1.5
    return _back(value * np.sqrt((n - 1) / n) * n / (n - 2) if corrected and n > 2 else value,
                 shape)  # fmt: skip


@builtin(
    "kurtosis", category=_FAMILY,
    signatures=("y = kurtosis(X)", "y = kurtosis(X, flag)", "y = kurtosis(X, flag, dim)"),
    cases=("abs(kurtosis([1 2 3]) - 1.5) < 1e-15",), see=("skewness",),
)  # fmt: skip
def kurtosis(x: Value, *args: Value) -> Value:
    """Fourth standardised moment; flag 0 corrects its bias."""
    corrected, rest = _bias(args)
    columns, shape = _columns("kurtosis", x, rest)
    n = columns.shape[-1]
    value = _moments(columns, 4) / _moments(columns, 2) ** 2
    if corrected and n > 3:
        value = 3 + (n - 1) / ((n - 2) * (n - 3)) * ((n + 1) * value - 3 * (n - 1))
    return _back(value, shape)


@builtin(
    "moment", category=_FAMILY, signatures=("m = moment(X, order)", "m = moment(X, order, dim)"),
    cases=("abs(moment([1 2 3], 2) - 2/3) < 1e-15",), see=("var", "skewness"),
)  # fmt: skip
def moment(x: Value, order: Value, *args: Value) -> Value:
    """Central moment of the given order."""
    columns, shape = _columns("moment", x, args)
    return _back(_moments(columns, int(_number(order))), shape)


@builtin(
    "mad", category=_FAMILY, signatures=("y = mad(X)", "y = mad(X, flag)", "y = mad(X, flag, dim)"),
    cases=("mad([1 2 3]) == 2/3", "mad([1 2 9], 1) == 1"), see=("iqr", "std"),
)  # fmt: skip
def mad(x: Value, flag: Value = 0.0, *args: Value) -> Value:
    """Mean absolute deviation, or with flag 1 the median absolute deviation."""
    columns, shape = _columns("mad", x, args)
    centre: Callable[..., Any] = np.median if _number(flag) == 1 else np.mean
    away = np.abs(columns - centre(columns, axis=-1, keepdims=True))
    return _back(centre(away, axis=-1), shape)


@builtin(
    "rms", category=_FAMILY, signatures=("y = rms(X)", "y = rms(X, dim)"),
    cases=("rms([3 4]) == sqrt(12.5)",), see=("norm", "std"),
)  # fmt: skip
def rms(x: Value, *args: Value) -> Value:
    """Root mean square."""
    columns, shape = _columns("rms", x, args)
    return _back(np.sqrt(np.mean(np.abs(columns) ** 2, axis=-1)), shape)


def _mean_of(name: str, x: Value, args: tuple[Value, ...],
             f: Callable[[Array], Array], g: Callable[[Array], Array]) -> Value:  # fmt: skip
    columns, shape = _columns(name, x, args)
    return _back(g(np.mean(f(columns), axis=-1)), shape)


@builtin(
    "geomean", category=_FAMILY, signatures=("m = geomean(X)", "m = geomean(X, dim)"),
    cases=("abs(geomean([1 4]) - 2) < 1e-15",), see=("mean", "harmmean"),
)  # fmt: skip
def geomean(x: Value, *args: Value) -> Value:
    """Geometric mean."""
    return _mean_of("geomean", x, args, np.log, np.exp)


@builtin(
    "harmmean", category=_FAMILY, signatures=("m = harmmean(X)", "m = harmmean(X, dim)"),
    cases=("abs(harmmean([1 3]) - 1.5) < 1e-15",), see=("mean", "geomean"),
)  # fmt: skip
def harmmean(x: Value, *args: Value) -> Value:
    """Harmonic mean."""
    return _mean_of("harmmean", x, args, lambda v: 1 / v, lambda v: 1 / v)


@builtin(
    "trimmean", category=_FAMILY, signatures=("m = trimmean(X, percent)",),
    cases=("trimmean([1 2 3 100], 50) == 2.5",), see=("mean", "median"),
)  # fmt: skip
def trimmean(x: Value, percent: Value, *args: Value) -> Value:
    """Mean without the given percentage of extreme values, half at each end."""
    columns, shape = _columns("trimmean", x, tuple(a for a in args if not isinstance(a, str)))
    n = columns.shape[-1]
    cut = int(np.round(n * _number(percent) / 200 - 1e-9))
    return _back(np.sort(columns, axis=-1)[..., cut : n - cut].mean(axis=-1), shape)


def _observations(name: str, x: Value) -> Array:
    a = _float(name, x)
    return a.reshape(-1, 1, order="F") if min(a.shape) == 1 else a


def _covariance(x: Array, y: Array, weight: float) -> Array:
    n = x.shape[0]
    divisor = n if weight == 1 or n == 1 else n - 1
    return np.asarray((x - x.mean(axis=0)).conj().T @ (y - y.mean(axis=0)) / divisor)


def _clean(a: Array, flags: list[str]) -> Array:
    if {"omitrows", "partialrows"} & set(flags):
        return a[~np.isnan(a).any(axis=1)]
    return a


@builtin(
    "cov", category=_FAMILY, device=captured("covariance"),
    signatures=("C = cov(A)", "C = cov(A, B)", "C = cov(A, w)", "C = cov(..., nanflag)"),
    cases=("cov([1 2 3]) == 1", "isequal(cov([1 2; 3 4]), [2 2; 2 2])",
           "isequal(cov([1 2 3], [3 2 1]), [1 -1; -1 1])"), see=("corrcoef", "var"),
)  # fmt: skip
def cov(a: Value, *args: Value) -> Value:
    """Covariance matrix of columns, or of two variables; w 1 divides by n."""
    flags = [text_of(v).lower() for v in args if isinstance(v, str)]
    values = [v for v in args if not isinstance(v, str)]
    x = _observations("cov", a)
    weight = 0.0
    if values and numel(values[-1]) == 1 and (numel(a) != 1 or len(values) > 1):
        weight = _number(values.pop())
    if values:
        other = _float("cov", values[0])
        if other.size != numel(a):
            text = "The lengths of the inputs must match."
            raise MatlabError("MATLAB:cov:XYlengthMismatch", text)
        x = np.column_stack([_float("cov", a).ravel(order="F"), other.ravel(order="F")])
    x = _clean(x, flags)
    if x.size == 0:
        return float("nan")
    return canonical(_covariance(x, x, weight))


@builtin(
    "corrcoef", category=_FAMILY,
    signatures=("R = corrcoef(A)", "R = corrcoef(A, B)", "[R, P] = corrcoef(...)",
                "[R, P, low, high] = corrcoef(...)"),
    cases=("norm(corrcoef([1 2 3], [2 4 6]) - ones(2)) < 1e-15",), see=("cov", "corr"),
)  # fmt: skip
def corrcoef(a: Value, *args: Value) -> Value:
    """Correlation coefficients, with p-values and 95 % confidence bounds."""
    values = []
    while args and not isinstance(args[0], str):
        values.append(args[0])
        args = args[1:]
    x = _observations("corrcoef", a)
    if values:
        x = np.column_stack([_float("corrcoef", v).ravel(order="F") for v in (a, *values)])
    if "complete" in [text_of(v) for v in args if isinstance(v, str)]:
        x = x[~np.isnan(x).any(axis=1)]
    r = _correlation(x, x)
    np.fill_diagonal(r, np.where(np.isnan(np.diag(r)), np.nan, 1.0))
    low, high = _fisher(r, x.shape[0])
    return canonical(r), canonical(_p_value(r, x.shape[0])), canonical(low), canonical(high)


def _correlation(x: Array, y: Array) -> Array:
    deviation = np.outer(x.std(axis=0), y.std(axis=0))
    return np.clip(_covariance(x, y, 1.0) / deviation, -1, 1)


def _p_value(r: Array, n: int) -> Array:
    from scipy import stats

    t = r * np.sqrt((n - 2) / np.maximum(1 - r**2, 1e-300))
    p = 2 * stats.t.sf(np.abs(t), max(n - 2, 1))
    if r.shape[0] == r.shape[1]:
        np.fill_diagonal(p, 1.0)
    return np.asarray(p)


def _fisher(r: Array, n: int) -> tuple[Array, Array]:
    z = np.arctanh(np.clip(r, -1 + 1e-16, 1 - 1e-16))
    half = 1.959963984540054 / np.sqrt(max(n - 3, 1))
    exact = np.abs(r) == 1
    return np.where(exact, r, np.tanh(z - half)), np.where(exact, r, np.tanh(z + half))


@builtin(
    "corr", category=_FAMILY,
    signatures=("rho = corr(X)", "rho = corr(X, Y)", "[rho, p] = corr(..., 'Type', type)"),
    cases=("abs(corr([1;2;3], [2;4;7]) - 0.993399267798783) < 1e-14",
           "corr([1;2;3], [1;4;9], 'Type', 'Spearman') == 1"), see=("corrcoef",),
)  # fmt: skip
def corr(x: Value, *args: Value) -> Value:
    """Correlation of columns: ``Pearson``, ``Spearman`` or ``Kendall``."""
    from scipy import stats

    y = x
    if args and not isinstance(args[0], str):
        y, args = args[0], args[1:]
    options = {text_of(k).lower(): v for k, v in zip(args[::2], args[1::2], strict=True)}
    kind = text_of(options.get("type", "Pearson")).lower()
    p, q = _float("corr", x), _float("corr", y)
    if kind == "spearman":
        p, q = stats.rankdata(p, axis=0), stats.rankdata(q, axis=0)
    if kind == "kendall":
        rho = np.array([[stats.kendalltau(u, v).statistic for v in q.T] for u in p.T])
    else:
        rho = _correlation(p, q)
    return canonical(rho), canonical(_p_value(rho, p.shape[0]))


@builtin(
    "zscore", category=_FAMILY,
    signatures=("Z = zscore(X)", "[Z, mu, sigma] = zscore(X, flag, dim)"),
    cases=("isequal(zscore([1 2 3]), [-1 0 1])",), see=("normalize", "std"),
)  # fmt: skip
def zscore(x: Value, flag: Value = 0.0, dim: Value | None = None) -> Value:
    """Subtract the mean and divide by the standard deviation; constant columns give zeros."""
    a = _float("zscore", x)
    axis = _axis(a, dim)
    ddof = 0 if numel(flag) and _number(flag) == 1 else 1
    mean = a.mean(axis=axis, keepdims=True)
    spread = a.std(axis=axis, keepdims=True, ddof=min(ddof, max(a.shape[axis] - 1, 0)))
    scale = np.where(spread == 0, 1, spread)
    return canonical((a - mean) / scale), canonical(mean), canonical(spread)


@builtin(
    "normalize", category=_FAMILY,
    signatures=("N = normalize(A)", "N = normalize(A, dim)", "N = normalize(A, method, type)"),
    cases=("isequal(normalize([1 2 3]), [-1 0 1])",
           "isequal(normalize([1 2 3], 'range'), [0 0.5 1])"), see=("zscore", "rescale"),
)  # fmt: skip
def normalize(a: Value, *args: Value) -> Value:
    """Scale data: ``zscore`` (default), ``norm``, ``range``, ``center``, ``scale``."""
    x = _float("normalize", a)
    dim = None
    if args and not isinstance(args[0], str):
        dim, args = args[0], args[1:]
    axis = _axis(x, dim)
    method = text_of(args[0]).lower() if args else "zscore"
    kind = args[1] if len(args) > 1 else None
    scaler = _SCALERS.get(method)
    if scaler is None:
        text = f"Unknown normalization method '{method}'."
        raise MatlabError("MATLAB:normalize:InvalidMethod", text)
    return canonical(scaler(x, axis, kind))


def _spread(x: Array, axis: int) -> Array:
    return np.asarray(x.std(axis=axis, keepdims=True, ddof=1 if x.shape[axis] > 1 else 0))


def _by_zscore(x: Array, axis: int, kind: Value | None) -> Array:
    if kind == "robust":
        centre = np.median(x, axis=axis, keepdims=True)
        return np.asarray((x - centre) / np.median(np.abs(x - centre), axis=axis, keepdims=True))
    return np.asarray((x - x.mean(axis=axis, keepdims=True)) / _spread(x, axis))


def _by_norm(x: Array, axis: int, kind: Value | None) -> Array:
    order = 2.0 if kind is None else _number(kind)
    if np.isinf(order):
        return np.asarray(x / np.abs(x).max(axis=axis, keepdims=True))
    return np.asarray(x / (np.abs(x) ** order).sum(axis=axis, keepdims=True) ** (1 / order))


def _by_range(x: Array, axis: int, kind: Value | None) -> Array:
    low, high = x.min(axis=axis, keepdims=True), x.max(axis=axis, keepdims=True)
    a, b = (0.0, 1.0) if kind is None else np.asarray(as_array(kind)).ravel()
    return np.asarray(a + (x - low) / (high - low) * (b - a))


def _by_center(x: Array, axis: int, kind: Value | None) -> Array:
    if kind == "median":
        return np.asarray(x - np.median(x, axis=axis, keepdims=True))
    if kind is not None and not isinstance(kind, str):
        return np.asarray(x - _number(kind))
    return np.asarray(x - x.mean(axis=axis, keepdims=True))


def _by_scale(x: Array, axis: int, kind: Value | None) -> Array:
    if kind is not None and not isinstance(kind, str):
        return np.asarray(x / _number(kind))
    return np.asarray(x / _spread(x, axis))


_SCALERS: dict[str, Callable[[Array, int, Value | None], Array]] = {
    "zscore": _by_zscore, "norm": _by_norm, "range": _by_range, "center": _by_center,
    "scale": _by_scale,
}  # fmt: skip


@builtin(
    "rescale", category=_FAMILY,
    signatures=("B = rescale(A)", "B = rescale(A, low, high)",
                "B = rescale(..., 'InputMin', a, 'InputMax', b)"),
    cases=("isequal(rescale([1 2 3]), [0 0.5 1])", "isequal(rescale([1 2 3], -1, 1), [-1 0 1])"),
    see=("normalize",),
)  # fmt: skip
def rescale(a: Value, *args: Value) -> Value:
    """Scale all of an array into an interval."""
    x = _float("rescale", a)
    low, high = 0.0, 1.0
    if args and not isinstance(args[0], str):
        low, high, args = _number(args[0]), _number(args[1]), args[2:]
    options = {text_of(k).lower(): v for k, v in zip(args[::2], args[1::2], strict=True)}
    least = np.asarray(as_array(options["inputmin"])) if "inputmin" in options else np.nanmin(x)
    most = np.asarray(as_array(options["inputmax"])) if "inputmax" in options else np.nanmax(x)
    clipped = np.clip(x, least, most)
    width = np.where(most == least, 1, most - least)
    return canonical(low + (clipped - least) / width * (high - low))


@builtin(
    "center", category=_FAMILY, signatures=("Y = center(X)", "Y = center(X, dim)"),
    cases=("isequal(center([1 2 3]), [-1 0 1])",), see=("zscore",),
)  # fmt: skip
def center(x: Value, dim: Value | None = None) -> Value:
    """Subtract the mean."""
    a = _float("center", x)
    return canonical(a - a.mean(axis=_axis(a, dim), keepdims=True) if a.size else a)


@builtin(
    "meansq", category=_FAMILY, signatures=("y = meansq(X)", "y = meansq(X, dim)"),
    cases=("meansq([3 4]) == 12.5",), see=("rms",),
)  # fmt: skip
def meansq(x: Value, *args: Value) -> Value:
    """Mean of squares."""
    columns, shape = _columns("meansq", x, args)
    return _back(np.mean(np.abs(columns) ** 2, axis=-1), shape)
