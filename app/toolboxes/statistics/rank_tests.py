"""Ranks, and tests that need little of a distribution."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.checks import NUMBERS, REAL, VECTOR, one_of, option_pairs, takes
from app.engine.builtins.statistics.ranks import tied_ranks
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    Struct,
    Value,
    as_array,
    canonical,
    float_of,
    is_text_scalar,
)
from app.errors import MatlabError
from app.toolboxes.statistics.distribution_kinds import NORM, STANDARD

_FAMILY = "statistics"


def _numbers(v: Value) -> Array:
    return np.asarray(as_array(v), dtype=float)


def _sample(v: Value) -> Array:
    a = _numbers(v).ravel(order="F")
    return a[~np.isnan(a)]


@builtin(
    "tiedrank",
    category=_FAMILY,
    signatures=("[r, tieadj] = tiedrank(x)",),
    cases=("isequal(tiedrank([10 20 30 40 20]), [1 2.5 4 5 2.5])",),
    see=("sort", "ranksum"),
)
@takes(NUMBERS & REAL)
def tiedrank(x: Value) -> Value:
    """Ranks; equal numbers share the mean of theirs, NaN stays."""
    a = _numbers(x)
    flat = a.reshape(-1, 1) if 1 in a.shape and a.ndim == 2 else a
    made = np.full(flat.shape, np.nan)
    ties = []
    for k in range(flat.shape[1]):
        known = ~np.isnan(flat[:, k])
        made[known, k] = tied_ranks(flat[known, k])
        count = np.unique(flat[known, k], return_counts=True)[1]
        ties.append(float(np.sum(count * (count**2 - 1)) / 2))
    return canonical(made.reshape(a.shape)), canonical(np.array([ties]))


def _level(name: str, rest: tuple[Value, ...]) -> tuple[float, str]:
    given = option_pairs(name, rest, "Alpha Tail")
    alpha = float(_numbers(given.get("alpha", 0.05)).flat[0])
    return alpha, one_of(name, "Tail", given.get("tail", "both"), " ".join(_TAILS))


_TAILS = {"both": "two-sided", "right": "greater", "left": "less"}


@builtin(
    "signtest",
    category=_FAMILY,
    signatures=(
        "[p, h, stats] = signtest(x)",
        "[p, h, stats] = signtest(x, y)",
        "[p, h, stats] = signtest(x, m, name, value)",
    ),
    cases=("abs(signtest([1 2 3 4 5]) - 0.0625) < 1e-12",),
    see=("signrank", "ranksum"),
)
@takes(NUMBERS & REAL & VECTOR)
def signtest(x: Value, *rest: Value) -> Value:
    """Whether the median is zero (or m, or that of pairs), by signs alone."""
    from scipy.stats import binomtest

    other = _numbers(rest[0]) if rest and not is_text_scalar(rest[0]) else np.zeros(1)
    alpha, tail = _level("signtest", rest[1:] if rest and not is_text_scalar(rest[0]) else rest)
    d = _numbers(x).ravel() - (other.ravel() if other.size else 0.0)
    d = d[(d != 0) & ~np.isnan(d)]
    up = int(np.sum(d > 0))
    p = binomtest(up, d.size, alternative=_TAILS[tail]).pvalue if d.size else 1.0
    return float(p), bool(p <= alpha), Struct({"sign": float(up), "zval": np.nan})


def _normality(name: str, x: Value, rest: tuple[Value, ...]) -> tuple[Array, float]:
    """A sample without NaN, and the level of its test: a number, or the option Alpha."""
    if len(rest) == 1 and not is_text_scalar(rest[0]):
        rest = ("Alpha", rest[0])
    alpha = float_of(option_pairs(name, rest, "Alpha").get("alpha", 0.05))
    data = _sample(x)
    if data.size < 4:
        raise MatlabError(f"stats:{name}:NotEnoughData", "There must be four observations or more.")
    return data, alpha


@builtin(
    "jbtest",
    category=_FAMILY,
    signatures=("[h, p, jbstat] = jbtest(x, alpha)",),
    cases=("~jbtest([1 2 3 4 5 6 7 8 9])",),
    see=("lillietest", "kstest"),
)
@takes(NUMBERS & REAL & VECTOR)
def jbtest(x: Value, *rest: Value) -> Value:
    """Whether a sample may be normal, by skewness and kurtosis."""
    from scipy.stats import jarque_bera

    data, alpha = _normality("jbtest", x, rest)
    found = jarque_bera(data)
    return float(found.pvalue <= alpha), float(found.pvalue), float(found.statistic)


@builtin(
    "lillietest",
    category=_FAMILY,
    signatures=("[h, p, kstat] = lillietest(x)",),
    cases=("~lillietest([1 2 3 4 5 6 7 8 9])",),
    see=("jbtest", "kstest"),
)
@takes(NUMBERS & REAL & VECTOR)
def lillietest(x: Value, *rest: Value) -> Value:
    """Whether a sample may be normal, by the distance of distribution functions.

    The probability is Dallal and Wilkinson's approximation.
    """
    from scipy.stats import kstest

    data, alpha = _normality("lillietest", x, rest)
    n = data.size
    d = float(kstest((data - data.mean()) / data.std(ddof=1), "norm").statistic)
    k, m = (d * (n / 100) ** 0.49, 100) if n > 100 else (d, n)
    p = np.exp(
        -7.01256 * k**2 * (m + 2.78019)
        + 2.99587 * k * np.sqrt(m + 2.78019)
        - 0.122119
        + 0.974598 / np.sqrt(m)
        + 1.67997 / m
    )
    return float(p <= alpha), float(min(max(p, 0.001), 0.5)), d


@builtin(
    "adtest",
    category=_FAMILY,
    signatures=("[h, p, adstat] = adtest(x)",),
    cases=("~adtest([1 2 3 4 5 6 7 8 9])",),
    see=("jbtest", "lillietest"),
)
@takes(NUMBERS & REAL & VECTOR)
def adtest(x: Value, *rest: Value) -> Value:
    """Whether a sample may be normal, by Anderson and Darling's distance."""
    data, alpha = _normality("adtest", x, rest)
    n = data.size
    z = np.sort(NORM.value("cdf", STANDARD, (data - data.mean()) / data.std(ddof=1)))
    i = np.arange(1, n + 1)
    a = float(-n - np.mean((2 * i - 1) * (np.log(z) + np.log1p(-z[::-1]))))
    s = a * (1 + 0.75 / n + 2.25 / n**2)
    p = (
        np.exp(1.2937 - 5.709 * s + 0.0186 * s**2)
        if s >= 0.6
        else np.exp(0.9177 - 4.279 * s - 1.38 * s**2)
        if s >= 0.34
        else 1 - np.exp(-8.318 + 42.796 * s - 59.938 * s**2)
        if s >= 0.2
        else 1 - np.exp(-13.436 + 101.14 * s - 223.73 * s**2)
    )
    return bool(p <= alpha), float(p), a
