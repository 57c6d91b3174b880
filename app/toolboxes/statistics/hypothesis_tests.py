"""Tests of distributions, kstest and kstest2, and the errors of forecasts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import NUMBERS, REAL, VECTOR, one_of, option_pairs, takes
from app.engine.builtins.statistics import column_forms
from app.engine.capture.terms import Term
from app.engine.declarations.device_support import of_resident
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    Value,
    as_array,
    canonical,
    float_of,
    is_numeric,
    is_text_scalar,
    numel,
)
from app.errors import MatlabError

_FAMILY = "statistics"


def _sample(v: Value) -> Array:
    """The numbers of a sample, sorted; NaN is left out."""
    a = as_array(v).astype(np.float64).ravel(order="F")
    a = np.sort(a[~np.isnan(a)])
    if not a.size:
        raise MatlabError("stats:kstest:NotEnoughData", "A sample must hold observations.")
    return a


def _options(name: str, args: tuple[Value, ...], known: str = "") -> dict[str, Value]:
    """The options by name; level, tail and a distribution are known by position, too."""
    given = list(args)
    if given and not is_text_scalar(given[0]):
        order = [*known.split(), "Alpha", "Tail"]
        if len(given) > len(order):
            raise MatlabError("MATLAB:TooManyInputs", "Too many input arguments.")
        kept = [(k, v) for k, v in zip(order, given, strict=False) if numel(v)]
        given = [word for pair in kept for word in pair]
    return option_pairs(name, given, f"Alpha Tail {known}")


def _level(name: str, given: dict[str, Value]) -> tuple[float, str]:
    """The significance level, and the tail."""
    alpha = float_of(given.get("alpha", 0.05))
    if not 0 < alpha < 1:
        raise MatlabError(f"stats:{name}:BadAlpha", "ALPHA must be a number between 0 and 1.")
    tail = given.get("tail", "unequal")
    if is_numeric(tail) and numel(tail) == 1 and float_of(tail) in (-1, 0, 1):  # as programs had it
        return alpha, ("unequal", "larger", "smaller")[int(float_of(tail))]
    return alpha, one_of(name, "Tail", tail, "unequal larger smaller")


def _distance(above: Array, below: Array, tail: str) -> float:
    """How far one distribution lies above and below another, as a tail asks."""
    if tail == "larger":
        return max(float(above.max()), 0.0)
    if tail == "smaller":
        return max(float(below.max()), 0.0)
    return max(float(above.max()), float(below.max()), 0.0)


def _supposed(ctx: CallContext, x: Array, given: Value | None) -> Array:
    """The supposed distribution at the sorted numbers ``x``: of normal numbers without one."""
    from scipy import stats

    if given is None or not numel(given):
        return np.asarray(stats.norm.cdf(x), dtype=np.float64)
    if not is_numeric(given):
        return as_array(ctx.call("cdf", (given, canonical(x.reshape(-1, 1))), 1)[0]).ravel()
    table = as_array(given).astype(np.float64)
    if table.ndim != 2 or table.shape[1] != 2:
        text = "CDF must be a matrix of two columns or a probability distribution."
        raise MatlabError("stats:kstest:BadCdf", text)
    table = table[np.argsort(table[:, 0], kind="stable")]
    if x[0] < table[0, 0] or x[-1] > table[-1, 0]:
        text = "The points of CDF must span the sample."
        raise MatlabError("stats:kstest:BadCdf", text)
    return np.interp(x, table[:, 0], table[:, 1])


@builtin(
    "kstest",
    category=_FAMILY,
    signatures=(
        "[h, p, ksstat, cv] = kstest(x)",
        "h = kstest(x, 'CDF', cdf, 'Alpha', a, 'Tail', tail)",
    ),
    cases=(
        "kstest([10 11 12 13])",
        "~kstest([-1 -0.3 0 0.4 1.1])",
        "[~, ~, d, c] = kstest([-1 -.3 0 .4 1.1]); max(abs([d c] - [.18209 .56328])) < 1e-4",
        "x = (1:20)'; ~kstest(x, 'CDF', makedist('Uniform', 'lower', 0, 'upper', 21))",
        "kstest((1:9)'/100, 'CDF', [0 0; 0.5 0.5; 1 1], 'Tail', 'larger')",
    ),
    see=("kstest2", "normcdf"),
)
@takes(NUMBERS & REAL & VECTOR)
def kstest(ctx: CallContext, x: Value, *args: Value) -> Value:
    """Kolmogorov and Smirnov's test of a distribution, of the standard normal one without it."""
    from scipy import stats

    given = _options("kstest", args, "CDF")
    alpha, tail = _level("kstest", given)
    data = _sample(x)
    n, supposed = data.size, _supposed(ctx, data, given.get("cdf"))
    steps = np.arange(n + 1) / n
    distance = _distance(steps[1:] - supposed, supposed - steps[:-1], tail)
    law = stats.kstwo if tail == "unequal" else stats.ksone
    p = float(law.sf(distance, n))
    return p <= alpha, p, distance, float(law.isf(alpha, n))


@builtin(
    "kstest2",
    category=_FAMILY,
    signatures=("[h, p, ksstat] = kstest2(x, y)", "h = kstest2(x, y, 'Alpha', a, 'Tail', tail)"),
    cases=(
        "kstest2(1:9, 21:29)",
        "~kstest2(1:9, 1:9)",
        "[~, p, d] = kstest2(1:9, 3:11); abs(p - 0.957475) < 1e-6 && abs(d - 2/9) < 1e-12",
        "kstest2(1:9, 21:29, 'Tail', 'larger') && ~kstest2(1:9, 21:29, 'Tail', 'smaller')",
    ),
    see=("kstest", "ranksum"),
)
@takes(NUMBERS & REAL & VECTOR, NUMBERS & REAL & VECTOR)
def kstest2(x: Value, y: Value, *args: Value) -> Value:
    """Kolmogorov and Smirnov's test of two samples; its probability is the asymptotic one."""
    alpha, tail = _level("kstest2", _options("kstest2", args))
    a, b = _sample(x), _sample(y)
    both = np.concatenate([a, b])
    first = np.searchsorted(a, both, side="right") / a.size
    second = np.searchsorted(b, both, side="right") / b.size
    distance = _distance(first - second, second - first, tail)
    n = a.size * b.size / (a.size + b.size)
    scaled = (np.sqrt(n) + 0.12 + 0.11 / np.sqrt(n)) * distance
    if tail == "unequal":
        j = np.arange(1, 102)
        p = float(2 * np.sum((-1.0) ** (j - 1) * np.exp(-2 * scaled**2 * j**2)))
        p = min(max(p, 0.0), 1.0)
    else:
        p = float(np.exp(-2 * scaled**2))
    return p <= alpha, p, distance


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
