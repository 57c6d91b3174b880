"""Tests of hypotheses: ttest, ttest2, ztest, kstest, anova1, chi2gof."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from app.engine.arguments.checks import NUMBERS, REAL, SCALAR, VECTOR, option_pairs, takes
from app.engine.builtins.statistics import column_forms
from app.engine.capture.terms import Term
from app.engine.declarations.device_support import of_resident
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    Struct,
    Value,
    as_array,
    canonical,
    float_of,
    int_of,
    is_text_scalar,
    numel,
    text_of,
)
from app.errors import MatlabError

_FAMILY = "statistics"
_TAILS = {"both": "two-sided", "right": "greater", "left": "less"}


def _sample(v: Value) -> Array:
    """The numbers of a sample; NaN is left out."""
    a = as_array(v).astype(np.float64).ravel(order="F")
    return a[~np.isnan(a)]


def _options(name: str, args: tuple[Value, ...]) -> tuple[float, str, dict[str, Value]]:
    """Significance level, tail in SciPy's words, and the other options."""
    given = option_pairs(name, args, "Alpha Tail")
    alpha = float_of(given.pop("alpha", 0.05))
    if not 0 < alpha < 1:
        raise MatlabError(f"stats:{name}:BadAlpha", "ALPHA must be a number between 0 and 1.")
    tail = text_of(given.pop("tail", "both")).lower()
    if tail not in _TAILS:
        raise MatlabError(f"stats:{name}:BadTail", "TAIL must be 'both', 'right' or 'left'.")
    return alpha, _TAILS[tail], given


def _interval(middle: float, error: float, half: float, tail: str) -> Value:
    """Confidence bounds around an estimate."""
    low = -np.inf if tail == "less" else middle - half * error
    high = np.inf if tail == "greater" else middle + half * error
    return np.array([[low, high]])


def _test_results(p: float, alpha: float, *rest: Value) -> Value:
    return float(p <= alpha), p, *rest


def _t_half(alpha: float, tail: str, freedom: float) -> float:
    from scipy import stats

    return float(stats.t.ppf(1 - alpha / (2 if tail == "two-sided" else 1), freedom))


@builtin(
    "ttest",
    category=_FAMILY,
    signatures=(
        "[h, p, ci, stats] = ttest(x)",
        "[h, p] = ttest(x, m)",
        "[h, p] = ttest(x, y)",
        "h = ttest(..., 'Alpha', a, 'Tail', tail)",
    ),
    cases=("ttest([5 6 7 8]) == 1", "ttest([-1 0 1]) == 0"),
    see=("ttest2", "ztest"),
)
@takes(NUMBERS & REAL)
def ttest(x: Value, *args: Value) -> Value:
    """Student's test of a mean, or of paired differences: 1 when the hypothesis is rejected."""
    from scipy import stats

    m: Value = 0.0
    if args and not is_text_scalar(args[0]):
        m, args = args[0], args[1:]
    alpha, tail, _ = _options("ttest", args)
    paired = numel(m) > 1
    data = _sample(as_array(x) - as_array(m)) if paired else _sample(x)
    centre = 0.0 if paired or not numel(m) else float_of(m)
    found = stats.ttest_1samp(data, centre, alternative=tail)
    spread, n = float(data.std(ddof=1)), data.size
    bounds = _interval(float(data.mean()), spread / np.sqrt(n), _t_half(alpha, tail, n - 1), tail)
    facts = Struct({"tstat": float(found.statistic), "df": n - 1.0, "sd": spread})
    return _test_results(float(found.pvalue), alpha, bounds, facts)


@builtin(
    "ttest2",
    category=_FAMILY,
    signatures=(
        "[h, p, ci, stats] = ttest2(x, y)",
        "h = ttest2(x, y, 'Vartype', 'unequal', 'Alpha', a, 'Tail', tail)",
    ),
    cases=("ttest2([1 2 3], [11 12 13]) == 1", "ttest2([1 2 3], [2 3 1]) == 0"),
    see=("ttest", "ranksum"),
)
@takes(NUMBERS & REAL, NUMBERS & REAL)
def ttest2(x: Value, y: Value, *args: Value) -> Value:
    """Student's test of two means."""
    from scipy import stats

    alpha, tail, given = _options("ttest2", args)
    equal = text_of(given.get("vartype", "equal")).lower() == "equal"
    a, b = _sample(x), _sample(y)
    found = stats.ttest_ind(a, b, equal_var=equal, alternative=tail)
    difference = float(a.mean() - b.mean())
    error = abs(difference / found.statistic) if found.statistic else 0.0
    bounds = _interval(difference, error, _t_half(alpha, tail, float(found.df)), tail)
    facts = Struct({"tstat": float(found.statistic), "df": float(found.df)})
    return _test_results(float(found.pvalue), alpha, bounds, facts)


@builtin(
    "ztest",
    category=_FAMILY,
    signatures=("[h, p, ci, z] = ztest(x, m, sigma)", "h = ztest(..., 'Alpha', a)"),
    cases=("ztest([5 6 7 8], 0, 1) == 1", "ztest([-1 0 1], 0, 1) == 0"),
    see=("ttest",),
)
@takes(NUMBERS & REAL, NUMBERS & REAL & SCALAR, NUMBERS & REAL & SCALAR)
def ztest(x: Value, m: Value, sigma: Value, *args: Value) -> Value:
    """Test of a mean when the deviation is known."""
    from scipy import stats

    alpha, tail, _ = _options("ztest", args)
    data, error = _sample(x), float_of(sigma)
    error /= np.sqrt(data.size)
    z = (float(data.mean()) - float_of(m)) / error
    upper, lower = float(stats.norm.sf(z)), float(stats.norm.cdf(z))
    p = {"two-sided": 2 * min(upper, lower), "greater": upper, "less": lower}[tail]
    half = float(stats.norm.ppf(1 - alpha / (2 if tail == "two-sided" else 1)))
    return _test_results(p, alpha, _interval(float(data.mean()), error, half, tail), z)


@builtin(
    "kstest",
    category=_FAMILY,
    signatures=("[h, p, ksstat] = kstest(x)", "h = kstest(x, 'Alpha', a)"),
    cases=("kstest([10 11 12 13]) == 1", "kstest([-1 -0.3 0 0.4 1.1]) == 0"),
    see=("kstest2", "normcdf"),
)
@takes(NUMBERS & REAL & VECTOR)
def kstest(x: Value, *args: Value) -> Value:
    """Kolmogorov and Smirnov's test of the standard normal distribution."""
    from scipy import stats

    alpha, tail, _ = _options("kstest", args)
    found = stats.kstest(_sample(x), "norm", alternative=tail)
    return _test_results(float(found.pvalue), alpha, float(found.statistic))


@builtin(
    "kstest2",
    category=_FAMILY,
    signatures=("[h, p, ksstat] = kstest2(x, y)", "h = kstest2(x, y, 'Alpha', a)"),
    cases=("kstest2(1:9, 21:29) == 1", "kstest2(1:9, 1:9) == 0"),
    see=("kstest", "ranksum"),
)
@takes(NUMBERS & REAL & VECTOR, NUMBERS & REAL & VECTOR)
def kstest2(x: Value, y: Value, *args: Value) -> Value:
    """Kolmogorov and Smirnov's test of two samples of one distribution."""
    from scipy import stats

    alpha, tail, _ = _options("kstest2", args)
    found = stats.ks_2samp(_sample(x), _sample(y), alternative=tail)
    return _test_results(float(found.pvalue), alpha, float(found.statistic))


@builtin(
    "chi2gof",
    category=_FAMILY,
    signatures=("[h, p, stats] = chi2gof(x)", "h = chi2gof(x, 'NBins', n, 'Alpha', a)"),
    cases=("chi2gof(norminv((1:200)/201)) == 0", "chi2gof([zeros(1,100) 100:110]) == 1"),
    see=("kstest",),
)
@takes(NUMBERS & REAL & VECTOR)
def chi2gof(x: Value, *args: Value) -> Value:
    """Chi-square test of a normal distribution with the sample's mean and deviation."""
    from scipy import stats

    alpha, _, given = _options("chi2gof", args)
    data, count = _sample(x), int_of(given.get("nbins", 10.0))
    edges = np.linspace(data.min(), data.max(), count + 1)
    observed = np.histogram(data, edges)[0].astype(np.float64)
    ends = np.concatenate([[-np.inf], edges[1:-1], [np.inf]])
    shares = np.diff(stats.norm.cdf(ends, data.mean(), data.std(ddof=1)))
    observed, expected = _pooled_bins(observed, shares * data.size)
    statistic = float(((observed - expected) ** 2 / expected).sum())
    freedom = float(max(observed.size - 3, 0))
    p = float(stats.chi2.sf(statistic, freedom)) if freedom else float("nan")
    facts = Struct(
        {
            "chi2stat": statistic,
            "df": freedom,
            "O": observed.reshape(1, -1),
            "E": expected.reshape(1, -1),
        }
    )
    return _test_results(p, alpha, facts)


def _pooled_bins(observed: Array, expected: Array) -> tuple[Array, Array]:
    """Bins at both ends joined until five observations are expected in each."""
    o, e = list(observed), list(expected)
    for first, second in ((0, 1), (-1, -2)):
        while len(e) > 2 and e[first] < 5:
            o[second] += o[first]
            e[second] += e[first]
            del o[first], e[first]
    return np.array(o), np.array(e)


def _reals(*values: Value) -> list[Any]:
    return [as_array(v).astype(np.float64) for v in values]


def declare_error(
    name: str,
    summary: str,
    measure: Callable[..., Array],
    form: Callable[[Term, Term, int], Term],
    case: str,
) -> None:
    """Declare a measure of how far forecasts are from what was observed."""

    def call(f: Value, a: Value) -> Value:
        forecast, actual = _reals(f, a)
        axis = 0 if forecast.shape[0] != 1 else 1
        return canonical(np.asarray(measure(forecast - actual, actual, axis)))

    builtin(
        name,
        category=_FAMILY,
        signatures=(f"E = {name}(F, A)",),
        device=of_resident(column_forms.error(form)),
        cases=(case,),
        text=summary,
        see=("rms", "mean"),
    )(call)


declare_error(
    "rmse",
    "Root mean square error.",
    lambda d, a, axis: np.sqrt((d * d).mean(axis=axis, keepdims=True)),
    lambda d, a, axis: (d * d).mean(axis).root(),
    "rmse([1 2 3], [1 2 6]) == sqrt(3)",
)
declare_error(
    "mape",
    "Mean absolute error in percent of what was observed.",
    lambda d, a, axis: 100 * np.abs(d / a).mean(axis=axis, keepdims=True),
    lambda d, a, axis: abs(d / a).mean(axis) * 100.0,
    "mape([1 2], [2 2]) == 25",
)
