"""Covariance and correlation."""

from __future__ import annotations

import numpy as np

from app.engine.builtins.checks import BINARY, MATRIX, NUMBERS, option_pairs, real_number, takes
from app.engine.builtins.device_support import captured, composed
from app.engine.builtins.registry import builtin
from app.engine.builtins.statistics.moments import floats
from app.engine.values import Array, Value, canonical, is_numeric, numel, text_of
from app.errors import MatlabError

_FAMILY = "statistics"


def _observations(name: str, x: Value) -> Array:
    a = floats(name, x)
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
    "cov",
    category=_FAMILY,
    device=captured("covariance"),
    signatures=("C = cov(A)", "C = cov(A, B)", "C = cov(A, w)", "C = cov(..., nanflag)"),
    cases=(
        "cov([1 2 3]) == 1",
        "isequal(cov([1 2; 3 4]), [2 2; 2 2])",
        "isequal(cov([1 2 3], [3 2 1]), [1 -1; -1 1])",
    ),
    see=("corrcoef", "var"),
)
@takes(NUMBERS & MATRIX)
def cov(a: Value, *args: Value) -> Value:
    """Covariance matrix of columns, or of two variables; w 1 divides by n."""
    flags = [text_of(v).lower() for v in args if isinstance(v, str)]
    values = [v for v in args if not isinstance(v, str)]
    x = _observations("cov", a)
    weight = 0.0
    if values and numel(values[-1]) == 1 and (numel(a) != 1 or len(values) > 1):
        BINARY("cov", len(values) + 1, values[-1])
        weight = real_number(values.pop())
    if values:
        other = floats("cov", values[0])
        if other.size != numel(a):
            text = "The lengths of the inputs must match."
            raise MatlabError("MATLAB:cov:XYlengthMismatch", text)
        x = np.column_stack([floats("cov", a).ravel(order="F"), other.ravel(order="F")])
    x = _clean(x, flags)
    if x.size == 0:
        return float("nan")
    return canonical(_covariance(x, x, weight))


@builtin(
    "corrcoef",
    category=_FAMILY,
    signatures=(
        "R = corrcoef(A)",
        "R = corrcoef(A, B)",
        "[R, P] = corrcoef(...)",
        "[R, P, low, high] = corrcoef(...)",
    ),
    device=composed("statistics.corrcoef"),
    cases=("norm(corrcoef([1 2 3], [2 4 6]) - ones(2)) < 1e-15",),
    see=("cov", "corr"),
)
@takes(NUMBERS)
def corrcoef(a: Value, *args: Value) -> Value:
    """Correlation coefficients, with p-values and 95 % confidence bounds."""
    values = []
    while args and not isinstance(args[0], str):
        values.append(args[0])
        args = args[1:]
    alpha, rows = _corrcoef_options(args)
    if len(values) > 1:
        raise MatlabError("MATLAB:corrcoef:InvalidPropertyName", "Options start with a name.")
    if numel(a) == 0:
        return float("nan")
    x = _observations("corrcoef", a)
    if values:
        x = np.column_stack([floats("corrcoef", v).ravel(order="F") for v in (a, *values)])
    if rows == "complete":
        x = x[~np.isnan(x).any(axis=1)]
    r = _correlation(x, x)
    if values or x.shape[0] > 1:
        np.fill_diagonal(r, np.where(np.isnan(x).any(axis=0), np.nan, 1.0))
    low, high = _fisher(r, x.shape[0], alpha)
    return canonical(r), canonical(_p_value(r, x.shape[0])), canonical(low), canonical(high)


def _corrcoef_options(args: tuple[Value, ...]) -> tuple[float, str]:
    """The level of the confidence bounds and which rows count."""
    alpha, rows = 0.05, "all"
    if len(args) % 2:
        raise MatlabError("MATLAB:corrcoef:MissingValue", "An option has no value.")
    for key, value in zip(args[::2], args[1::2], strict=True):
        word = text_of(key).lower()
        single = is_numeric(value) and numel(value) == 1
        if word == "alpha" and single and 0 < real_number(value) < 1:
            alpha = real_number(value)
        elif word == "rows" and text_of(value).lower() in ("all", "complete", "pairwise"):
            rows = text_of(value).lower()
        else:
            raise MatlabError("MATLAB:corrcoef:InvalidOption", f"Invalid option or value '{word}'.")
    return alpha, rows


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


def _fisher(r: Array, n: int, alpha: float) -> tuple[Array, Array]:
    from scipy import special

    z = np.arctanh(np.clip(r, -1 + 1e-16, 1 - 1e-16))
    half = -special.ndtri(alpha / 2) / np.sqrt(max(n - 3, 1))
    exact = np.abs(r) == 1
    return np.where(exact, r, np.tanh(z - half)), np.where(exact, r, np.tanh(z + half))


@builtin(
    "corr",
    category=_FAMILY,
    signatures=("rho = corr(X)", "rho = corr(X, Y)", "[rho, p] = corr(..., 'Type', type)"),
    device=composed("statistics.corr"),
    cases=(
        "abs(corr([1;2;3], [2;4;7]) - 0.993399267798783) < 1e-14",
        "corr([1;2;3], [1;4;9], 'Type', 'Spearman') == 1",
    ),
    see=("corrcoef",),
)
@takes(NUMBERS)
def corr(x: Value, *args: Value) -> Value:
    """Correlation of columns: ``Pearson``, ``Spearman`` or ``Kendall``."""
    from scipy import stats

    y = x
    if args and not isinstance(args[0], str):
        y, args = args[0], args[1:]
    options = option_pairs("corr", args)
    kind = text_of(options.get("type", "Pearson")).lower()
    p, q = floats("corr", x), floats("corr", y)
    if kind == "spearman":
        p, q = stats.rankdata(p, axis=0), stats.rankdata(q, axis=0)
    if kind == "kendall":
        rho = np.array([[stats.kendalltau(u, v).statistic for v in q.T] for u in p.T])
    else:
        rho = _correlation(p, q)
    return canonical(rho), canonical(_p_value(rho, p.shape[0]))
