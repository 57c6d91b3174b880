"""Wilcoxon's tests by sums of ranks: signrank and ranksum."""

from __future__ import annotations

import math

import numpy as np

from app.engine.arguments.checks import (
    NUMBERS,
    REAL,
    VECTOR,
    one_of,
    option_pairs,
    real_number,
    takes,
)
from app.engine.builtins.statistics.ranks import tied_ranks
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Struct, Value, as_array, is_text_scalar
from app.errors import MatlabError, size_error
from app.records import record

_FAMILY = "statistics"
_FEW_PAIRS = 15
"""Differences for which every sign is counted."""
_FEW_OF_ONE, _FEW_OF_BOTH = 10, 20
"""Below these many observations of the smaller sample and of both every choice is counted."""


@record
class _Settings:
    """Significance level, tail, and whether ``exact`` or ``approximate``; empty for what suits."""

    alpha: float
    tail: str
    method: str


def _settings(name: str, args: tuple[Value, ...]) -> _Settings:
    given = option_pairs(name, args, "Alpha Tail Method")
    alpha = real_number(given.get("alpha", 0.05))
    if not 0 < alpha < 1:
        raise MatlabError(f"stats:{name}:BadAlpha", "ALPHA must be a number between 0 and 1.")
    tail = one_of(name, "Tail", given.get("tail", "both"), "both right left")
    method = given.get("method")
    word = "" if method is None else one_of(name, "Method", method, "exact approximate")
    return _Settings(alpha, tail, word)


def _ranks(x: Array) -> tuple[Array, float]:
    """Ranks, equal numbers sharing theirs, and how much the ties take off a variance."""
    counts = np.unique(x, return_counts=True)[1].astype(float)
    return tied_ranks(x), float(np.sum(counts * (counts**2 - 1)) / 2)


def _exact(counts: Array, at: int, tail: str) -> float:
    """The probability of a sum as far out as ``at`` where ``counts`` says how often each comes."""
    total = float(counts.sum())
    low, high = float(counts[: at + 1].sum()) / total, float(counts[at:].sum()) / total
    if tail == "both":
        return min(2 * min(low, high), 1.0)
    return high if tail == "right" else low


def _normal(z: float, tail: str) -> float:
    """The probability of a standard normal number as far out as ``z``."""
    if tail == "both":
        return math.erfc(abs(z) / math.sqrt(2))
    return math.erfc((z if tail == "right" else -z) / math.sqrt(2)) / 2


def _test_results(p: float, settings: _Settings, z: float | None, name: str, total: float) -> Value:
    found: dict[str, Value] = {} if z is None else {"zval": z}
    return p, bool(p <= settings.alpha), Struct({**found, name: total})


@builtin(
    "signrank",
    category=_FAMILY,
    signatures=(
        "[p, h, stats] = signrank(x)",
        "p = signrank(x, y)",
        "p = signrank(x, m)",
        "p = signrank(..., 'Alpha', a, 'Tail', tail, 'Method', method)",
    ),
    cases=(
        "signrank(1:9) < 0.01",
        "signrank([-1 1 -2 2]) > 0.5",
        "[p, h, s] = signrank([1 2 3 4 5]); isequal({p, h, s.signedrank}, {0.0625, false, 15})",
        "signrank([1 2 3 4 5], 0, 'Tail', 'right') == 0.03125",
        "[~, ~, s] = signrank(1:20, 'method', 'approximate'); abs(s.zval - 3.91993) < 1e-5",
    ),
    see=("ranksum", "signtest"),
)
@takes(NUMBERS & REAL & VECTOR)
def signrank(x: Value, *args: Value) -> Value:
    """Wilcoxon's test of a median, or of paired differences."""
    other: Value = 0.0
    if args and not is_text_scalar(args[0]):
        other, args = args[0], args[1:]
    settings = _settings("signrank", args)
    d, m = (as_array(v).astype(np.float64).ravel(order="F") for v in (x, other))
    if m.size not in (0, 1, d.size):
        raise size_error()
    d = d - m if m.size else d
    d = d[~np.isnan(d) & (d != 0)]
    if not d.size:
        return _test_results(1.0, settings, None, "signedrank", 0.0)
    ranks, ties = _ranks(np.abs(d))
    up, n = float(ranks[d > 0].sum()), d.size
    if settings.method == "exact" or (not settings.method and n <= _FEW_PAIRS):
        doubled = np.round(2 * ranks).astype(int)
        counts = np.ones(1)
        for r in doubled.tolist():
            longer = np.concatenate([counts, np.zeros(r)])
            longer[r:] += counts
            counts = longer
        return _test_results(
            _exact(counts, round(2 * up), settings.tail), settings, None, "signedrank", up
        )
    spread = math.sqrt((n * (n + 1) * (2 * n + 1) - ties) / 24)
    z = (up - n * (n + 1) / 4) / spread
    return _test_results(_normal(z, settings.tail), settings, z, "signedrank", up)


@builtin(
    "ranksum",
    category=_FAMILY,
    signatures=(
        "[p, h, stats] = ranksum(x, y)",
        "p = ranksum(x, y, 'Alpha', a, 'Tail', tail, 'Method', method)",
    ),
    cases=(
        "ranksum(1:9, 21:29) < 0.001",
        "ranksum([1 3 5], [2 4 6]) > 0.5",
        "[p, h, s] = ranksum(1:3, 4:6); isequal({p, h, s.ranksum}, {0.1, false, 6})",
        "ranksum(1:3, 4:6, 'tail', 'left') == 0.05",
        "[p, ~, s] = ranksum(1:12, 6:20);"
        " abs(p - 0.00149800762623721) < 1e-14 && abs(p - erfc(-s.zval/sqrt(2))) < 1e-14",
    ),
    see=("signrank", "kstest2"),
)
@takes(NUMBERS & REAL & VECTOR, NUMBERS & REAL & VECTOR)
def ranksum(x: Value, y: Value, *args: Value) -> Value:
    """Wilcoxon's test of equal medians of two samples."""
    settings = _settings("ranksum", args)
    a, b = (as_array(v).astype(np.float64).ravel(order="F") for v in (x, y))
    a, b = a[~np.isnan(a)], b[~np.isnan(b)]
    if not (a.size and b.size):
        raise MatlabError("stats:ranksum:NotEnoughData", "Both samples must have observations.")
    ranks, ties = _ranks(np.concatenate([a, b]))
    own, m, n = float(ranks[: a.size].sum()), a.size, a.size + b.size
    few = min(a.size, b.size) < _FEW_OF_ONE and n < _FEW_OF_BOTH
    if settings.method == "exact" or (not settings.method and few):
        doubled = np.round(2 * ranks).astype(int)
        counts = np.zeros((m + 1, int(doubled.sum()) + 1))
        counts[0, 0] = 1
        for r in doubled.tolist():
            counts[1:, r:] += counts[:-1, : counts.shape[1] - r].copy()
        p = _exact(counts[m], round(2 * own), settings.tail)
        return _test_results(p, settings, None, "ranksum", own)
    away = own - m * (n + 1) / 2
    spread = math.sqrt(m * b.size * ((n + 1) - 2 * ties / (n * (n - 1))) / 12)
    half = {"both": 0.5 * np.sign(away), "right": 0.5, "left": -0.5}[settings.tail]
    z = float((away - half) / spread)
    return _test_results(_normal(z, settings.tail), settings, z, "ranksum", own)
