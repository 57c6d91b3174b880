"""Covariance and correlation."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from app.accel.numerics.scipy_extensions import special_function
from app.engine.arguments.checks import (
    BINARY,
    MATRIX,
    NUMBERS,
    one_of,
    option_pairs,
    real_number,
    takes,
    unknown_option,
)
from app.engine.builtins.statistics import statistic_forms
from app.engine.builtins.statistics.moments import floats
from app.engine.builtins.statistics.ranks import tied_ranks
from app.engine.capture import reduce_capture
from app.engine.declarations.device_support import term_form, value_form
from app.engine.declarations.registry import builtin
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


def _pairwise(x: Array, y: Array, measure: Callable[[Array, Array], float]) -> Array:
    """``measure`` of every column of x and y, over the rows where both are known."""
    found = np.empty((x.shape[1], y.shape[1]), dtype=np.result_type(x, y))
    for i, u in enumerate(x.T):
        for j, v in enumerate(y.T):
            known = ~(np.isnan(u) | np.isnan(v))
            found[i, j] = measure(u[known], v[known])
    return found


def _covariance_of_two(u: Array, v: Array, weight: float) -> float:
    if not u.size:
        return float("nan")
    return _covariance(u[:, None], v[:, None], weight)[0, 0]  # type: ignore[no-any-return]


def _nan_flag(name: str, words: list[str]) -> str:
    """How NaN counts: the last of the words."""
    known = ("includenan", "includemissing", "omitrows", "partialrows")
    for word in words:
        if word not in known:
            raise unknown_option(name, word, " ".join(known))
    return words[-1] if words else "includenan"


@builtin(
    "cov",
    category=_FAMILY,
    device=value_form(reduce_capture.covariance),
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
    flag = _nan_flag("cov", [text_of(v).lower() for v in args if isinstance(v, str)])
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
    if flag == "omitrows":
        x = x[~np.isnan(x).any(axis=1)]
    if flag == "partialrows":
        return canonical(_pairwise(x, x, lambda u, v: _covariance_of_two(u, v, weight)))
    if x.size == 0:
        return canonical(np.full((max(x.shape[1], 1),) * 2, np.nan))
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
    device=term_form(statistic_forms.corrcoef),
    cases=("norm(corrcoef([1 2 3], [2 4 6]) - ones(2)) < 1e-15",),
    see=("cov", "corr"),
)
@takes(NUMBERS)
def corrcoef(a: Value, *args: Value, nargout: int = 1) -> Value:
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
    counts = np.full((x.shape[1], x.shape[1]), float(x.shape[0]))
    if rows == "pairwise":
        counts = _pairwise(x, x, lambda u, v: float(u.size))
        r = _pairwise(x, x, lambda u, v: float(_correlation(u[:, None], v[:, None])[0, 0]))
        np.fill_diagonal(r, np.where(np.diag(counts) > 1, 1.0, np.nan))
    else:
        r = _correlation(x, x)
        if values or x.shape[0] > 1:
            np.fill_diagonal(r, np.where(np.isnan(x).any(axis=0), np.nan, 1.0))
    if nargout < 2:
        return canonical(r)
    low, high = _fisher(r, counts, alpha)
    return canonical(r), canonical(_p_value(r, counts)), canonical(low), canonical(high)


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
    if not x.shape[0]:
        return np.full((x.shape[1], y.shape[1]), np.nan)
    deviation = np.outer(x.std(axis=0), y.std(axis=0))
    return np.clip(_covariance(x, y, 1.0) / deviation, -1, 1)


def _p_value(r: Array, n: Array | float, tail: str = "both") -> Array:
    """The chance of such a correlation of ``n`` unrelated points, by Student's t."""
    below = special_function("stdtr")
    free = np.maximum(np.asarray(n) - 2.0, 0)
    t = r * np.sqrt(free / np.maximum(1 - r**2, 1e-300))
    free = np.maximum(free, 1)
    if tail == "right":
        return np.asarray(below(free, -t))
    if tail == "left":
        return np.asarray(below(free, t))
    p = 2 * np.asarray(below(free, -np.abs(t)))
    if r.shape[0] == r.shape[1]:
        np.fill_diagonal(p, 1.0)
    return np.asarray(p)


def _fisher(r: Array, n: Array, alpha: float) -> tuple[Array, Array]:
    z = np.arctanh(np.clip(r, -1 + 1e-16, 1 - 1e-16))
    half = -special_function("ndtri")(alpha / 2) / np.sqrt(np.maximum(n - 3, 1))
    exact = np.abs(r) == 1
    return np.where(exact, r, np.tanh(z - half)), np.where(exact, r, np.tanh(z + half))


@builtin(
    "corr",
    category=_FAMILY,
    signatures=("rho = corr(X)", "rho = corr(X, Y)", "[rho, p] = corr(..., 'Type', type)"),
    device=term_form(statistic_forms.corr),
    cases=(
        "abs(corr([1;2;3], [2;4;7]) - 0.993399267798783) < 1e-14",
        "corr([1;2;3], [1;4;9], 'Type', 'Spearman') == 1",
    ),
    see=("corrcoef",),
)
@takes(NUMBERS)
def corr(x: Value, *args: Value, nargout: int = 1) -> Value:
    """Correlation of columns: ``Pearson``, ``Spearman`` or ``Kendall``."""
    y = x
    if args and not isinstance(args[0], str):
        y, args = args[0], args[1:]
    options = option_pairs("corr", args, "Type Rows Tail")
    kind = one_of("corr", "Type", options.get("type", "Pearson"), "pearson spearman kendall")
    rows = one_of("corr", "Rows", options.get("rows", "all"), "all complete pairwise")
    tail = one_of("corr", "Tail", options.get("tail", "both"), "both right left ne gt lt")
    tail = {"ne": "both", "gt": "right", "lt": "left"}.get(tail, tail)
    p, q = floats("corr", x), floats("corr", y)
    if rows == "complete":
        known = ~(np.isnan(p).any(axis=1) | np.isnan(q).any(axis=1))
        p, q = p[known], q[known]

    def measure(u: Array, v: Array) -> float:
        if kind != "pearson":
            if kind == "kendall":
                from scipy import stats

                return float(stats.kendalltau(u, v).statistic)
            u, v = tied_ranks(u), tied_ranks(v)
        return float(_correlation(u[:, None], v[:, None])[0, 0])

    if rows == "pairwise":
        counts = _pairwise(p, q, lambda u, v: float(u.size))
        rho = _pairwise(p, q, measure)
        if nargout < 2:
            return canonical(rho)
        return canonical(rho), canonical(_p_value(rho, counts, tail))
    if kind == "spearman":
        p, q = (np.array([tied_ranks(c) for c in m.T]).reshape(m.T.shape).T for m in (p, q))
    if kind == "kendall":
        rho = np.array([[measure(u, v) for v in q.T] for u in p.T])
    else:
        rho = _correlation(p, q)
    if nargout < 2:
        return canonical(rho)
    return canonical(rho), canonical(_p_value(rho, float(p.shape[0]), tail))
