"""Counting data in bins: histcounts, histcounts2 and discretize."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from app.accel.numerics.host_sort import bins_of
from app.engine.arguments.checks import NUMBERS, REAL, option_pairs, takes
from app.engine.declarations.device_support import composed, of_resident
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    Cell,
    Value,
    as_array,
    canonical,
    is_text_scalar,
    numel,
    text_of,
    texts_of,
)
from app.errors import MatlabError
from app.records import record

_FAMILY = "histograms"
_MOST_BINS = 65536


def _floats(v: Value) -> Array:
    return as_array(v).astype(np.float64)


def nice_edges(low: float, high: float, width: float) -> Array:
    """Edges at round numbers that cover the data with bins of about ``width``."""
    if not math.isfinite(width) or width <= 0 or high <= low:
        return np.array([low - 0.5, low + 0.5])
    power = 10.0 ** math.floor(math.log10(width))
    relative = width / power
    step = power * (1 if relative < 1.5 else 2 if relative < 2.5 else 5 if relative < 7.5 else 10)
    first = step * math.floor(low / step)
    count = max(math.ceil((high - first) / step), 1)
    return np.asarray(first + step * np.arange(min(count, _MOST_BINS) + 1))


def _rule_width(x: Array, method: str) -> float:
    n = x.size
    spread = float(np.std(x, ddof=1)) if n > 1 else 0.0
    if method == "sturges":
        return float(np.ptp(x)) / math.ceil(math.log2(n) + 1)
    if method == "sqrt":
        return float(np.ptp(x)) / math.ceil(math.sqrt(n))
    if method == "fd":
        quarter = np.quantile(x, [0.25, 0.75], method="hazen")
        return float(2 * (quarter[1] - quarter[0]) * n ** (-1 / 3))
    return float(3.5 * spread * n ** (-1 / 3))


@record
class Summary:
    """What bins are chosen by when the numbers themselves stay where they are.

    Attributes:
        count: how many finite numbers there are.
        low, high: the smallest and the largest of them.
        whole: whether all are whole numbers.
        spread: their standard deviation.
    """

    count: int
    low: float
    high: float
    whole: bool
    spread: float


def edges_by(summary: Summary, bins: Value | None) -> Array:
    """The edges of so many bins, or of as many as the numbers suggest."""
    low, high = (summary.low, summary.high) if summary.count else (0.0, 1.0)
    if bins is not None:
        return _equal_edges(low, high, _bin_count("histcounts", bins))
    if summary.whole and high - low <= 50 and summary.count:
        return _whole_edges(low, high)
    return nice_edges(low, high, 3.5 * summary.spread * summary.count ** (-1 / 3))


def _bin_count(name: str, bins: Value) -> int:
    count = int(_floats(bins).flat[0])
    if count < 1:
        text = "The number of bins must be a positive integer."
        raise MatlabError(f"MATLAB:{name}:expectedPositive", text)
    return count


def _whole_edges(low: float, high: float) -> Array:
    """A bin around every whole number."""
    return np.arange(math.floor(low) - 0.5, math.ceil(high) + 1)


def _equal_edges(low: float, high: float, count: int) -> Array:
    """``count`` bins that cover the data, with a rounded width as histcounts chooses them."""
    if high <= low:
        return np.linspace(low - 0.5, low + 0.5, count + 1)
    raw = (high - low) / count
    power = 10.0 ** math.floor(math.log10(raw))
    width = max(math.ceil(raw / power * 10 - 1e-9) / 10 * power, raw)
    first = min(width * math.floor(low / width), low)
    if first + width * count < high:
        width = (high - low) / count
        first = low
    return np.asarray(first + width * np.arange(count + 1))


def edges_for(name: str, x: Array, bins: Value | None, options: dict[str, Value]) -> Array:
    """The bin edges that ``bins`` or the options ask for."""
    if bins is not None and numel(bins) > 1:
        edges = _floats(bins).ravel()
        if (np.diff(edges) < 0).any():
            text = "Bin edges must be a nondecreasing vector."
            raise MatlabError(f"MATLAB:{name}:expectedNondecreasing", text)
        return edges
    data = x[np.isfinite(x)].ravel()
    limits = _floats(options["binlimits"]).ravel() if "binlimits" in options else None
    if limits is not None:
        data = data[(data >= limits[0]) & (data <= limits[1])]
    low, high = (
        (limits if limits is not None else (data.min(), data.max()))
        if (data.size or limits is not None)
        else (0.0, 1.0)
    )
    if bins is not None or "numbins" in options:
        count = _bin_count(name, options["numbins"] if bins is None else bins)
        return (
            np.linspace(low, high, count + 1)
            if limits is not None
            else (_equal_edges(low, high, count))
        )
    return _edges_by_rule(data, float(low), float(high), limits, options)


def _edges_by_rule(
    data: Array, low: float, high: float, limits: Array | None, options: dict[str, Value]
) -> Array:
    if "binwidth" in options:
        width = float(_floats(options["binwidth"]).flat[0])
        if limits is not None:
            return np.append(np.arange(low, high, width), high)
        first = width * math.floor(low / width)
        return np.asarray(first + width * np.arange(max(math.ceil((high - first) / width), 1) + 1))
    method = text_of(options.get("binmethod", "auto")).lower()
    whole = bool(data.size and (data == np.round(data)).all())
    if method == "integers" or (method == "auto" and whole and high - low <= 50 and data.size):
        return _whole_edges(low, high)
    width = _rule_width(data, method) if data.size else 1.0
    if limits is not None:
        return np.linspace(low, high, max(math.ceil((high - low) / width), 1) + 1)
    return nice_edges(low, high, width)


def normalized(counts: Array, areas: Array, total: int, word: str) -> Array:
    """Counts as the normalization asks for."""
    if word == "count":
        return counts
    if word == "probability":
        return counts / total
    if word == "percentage":
        return 100 * counts / total
    if word == "countdensity":
        return counts / areas
    if word == "pdf":
        return counts / total / areas
    if word == "cumcount":
        return np.cumsum(counts)
    if word == "cdf":
        return np.cumsum(counts) / total
    raise MatlabError(
        "MATLAB:histcounts:unrecognizedStringChoice", f"'{word}' is not a normalization."
    )


def shown_counts(
    counts: Array, edges: Array, total: int, options: dict[str, Value]
) -> tuple[Value, Value]:
    """Counts, normalized as the options ask, and the edges."""
    word = text_of(options.get("normalization", "count")).lower()
    found = normalized(counts, np.diff(edges), total, word)
    return canonical(found.reshape(1, -1)), canonical(edges.reshape(1, -1))


@builtin(
    "histcounts",
    category=_FAMILY,
    device=composed("sorting.histcounts"),
    signatures=(
        "[N, edges, bin] = histcounts(X)",
        "N = histcounts(X, nbins)",
        "N = histcounts(X, edges)",
        "N = histcounts(..., 'Normalization', type)",
    ),
    cases=(
        "isequal(histcounts([1 1 2 5], [0 2 4 6]), [2 1 1])",
        "isequal(histcounts([1 2 2 3]), [1 2 1])",
        "isequal(histcounts([1 1 2], [0 1.5 3], 'Normalization', 'cdf'), [2/3 1])",
    ),
    see=("histc", "discretize", "accumarray"),
)
@takes(NUMBERS & REAL)
def histcounts(x: Value, *args: Value) -> Value:
    """Number of elements in each bin; bins are ``[a, b)``, the last one ``[a, b]``."""
    bins = args[0] if args and not is_text_scalar(args[0]) else None
    options = option_pairs(
        "histcounts",
        args[bins is not None :],
        "BinEdges BinLimits BinWidth BinMethod NumBins Normalization",
    )
    if "binedges" in options:
        bins = options["binedges"]
    data = _floats(x)
    edges = edges_for("histcounts", data, bins, options)
    place = bins_of(data, edges)
    counts = np.bincount(place.ravel(), minlength=edges.size)[1:].astype(np.float64)
    return (*shown_counts(counts, edges, data.size, options), canonical(place.astype(np.float64)))


@builtin(
    "histcounts2",
    category=_FAMILY,
    signatures=(
        "[N, Xedges, Yedges, binX, binY] = histcounts2(X, Y)",
        "N = histcounts2(X, Y, nbins)",
        "N = histcounts2(X, Y, Xedges, Yedges)",
    ),
    device=of_resident("histograms.histcounts2"),
    cases=("isequal(histcounts2([1 2 2], [1 1 3], [0 2 4], [0 2 4]), [1 0; 1 1])",),
    see=("histcounts",),
)
@takes(NUMBERS & REAL, NUMBERS & REAL)
def histcounts2(x: Value, y: Value, *args: Value) -> Value:
    """Number of points in each cell of a grid of bins."""
    given: list[Value] = []
    while args and not is_text_scalar(args[0]):
        given.append(args[0])
        args = args[1:]
    if len(given) == 1:
        pair = _floats(given[0]).ravel()
        given = [float(pair[0]), float(pair[-1])]
    options = option_pairs(
        "histcounts2",
        args,
        "XBinEdges YBinEdges XBinLimits YBinLimits BinWidth BinMethod NumBins Normalization",
    )
    data = [_floats(v).ravel(order="F") for v in (x, y)]
    if data[0].size != data[1].size:
        raise MatlabError("MATLAB:histcounts2:xySizeMismatch", "X and Y must have the same size.")
    edges = [
        edges_for("histcounts2", d, g, _side(options, letter))
        for d, g, letter in zip(data, given or [None, None], "xy", strict=True)
    ]
    places = [bins_of(d, e) for d, e in zip(data, edges, strict=True)]
    inside = (places[0] > 0) & (places[1] > 0)
    counts = np.zeros((edges[0].size - 1, edges[1].size - 1))
    np.add.at(counts, (places[0][inside] - 1, places[1][inside] - 1), 1.0)
    areas = np.outer(np.diff(edges[0]), np.diff(edges[1]))
    word = text_of(options.get("normalization", "count")).lower()
    counts = normalized(counts, areas, data[0].size, word).reshape(counts.shape)
    shaped: list[Array] = [p.reshape(as_array(x).shape, order="F").astype(float) for p in places]
    return tuple(canonical(a) for a in (counts, *(e.reshape(1, -1) for e in edges), *shaped))


def _side(options: dict[str, Value], letter: str) -> dict[str, Value]:
    renamed = {f"{letter}binedges": "binedges", f"{letter}binlimits": "binlimits"}
    side: dict[str, Any] = {renamed.get(k, k): v for k, v in options.items()}
    return side


@builtin(
    "discretize",
    category=_FAMILY,
    signatures=(
        "Y = discretize(X, edges)",
        "[Y, E] = discretize(X, N)",
        "Y = discretize(X, edges, values)",
        "Y = discretize(X, edges, 'categorical', names)",
        "Y = discretize(..., 'IncludedEdge', side)",
    ),
    device=composed("arrays.discretize"),
    cases=(
        "isequal(discretize([1 3 5], [0 2 4 6]), [1 2 3])",
        "isnan(discretize(9, [0 2 4]))",
        "isequal(discretize([1 3], [0 2 4], [10 20]), [10 20])",
        "discretize(3, [0 2 4], 'categorical', {'a', 'b'}) == 'b'",
    ),
    see=("histcounts", "categorical"),
)
@takes(NUMBERS & REAL)
def discretize(x: Value, edges: Value, *args: Value) -> Value:
    """The bin each element falls into; NaN outside."""
    data = _floats(x)
    limits = edges_for("discretize", data, edges, {})
    words = [text_of(a).lower() if is_text_scalar(a) else "" for a in args]
    right = "includededge" in words and words[words.index("includededge") + 1] == "right"
    place = _right_bins(data, limits) if right else bins_of(data, limits)
    if args and words[0] == "categorical":
        return _categorical(place, limits, right, args[1:]), canonical(limits.reshape(1, -1))
    if args and words[0] != "includededge":
        return _named(args[0], place), canonical(limits.reshape(1, -1))
    found = np.where(place == 0, np.nan, place)
    return canonical(found), canonical(limits.reshape(1, -1))


def bin_names(edges: list[str], *, right: bool = False) -> list[str]:
    """What bins are called, such as ``[1, 2)``; the outermost edge belongs to its bin."""
    pairs = list(itertools.pairwise(edges))
    names = [f"({a}, {b}]" if right else f"[{a}, {b})" for a, b in pairs]
    if pairs:
        end = 0 if right else -1
        names[end] = f"[{pairs[end][0]}, {pairs[end][1]}]"
    return names


def _categorical(place: Array, edges: Array, right: bool, args: tuple[Value, ...]) -> Value:
    """Bins as ordered categories, by the names given or their edges."""
    from app.engine.builtins.containers.categorical_class import Categorical

    given = bool(args) and not (is_text_scalar(args[0]) and numel(args[0]) > 0)
    names = texts_of(args[0]) if given else bin_names([f"{e:.5g}" for e in edges], right=right)
    if len(names) != edges.size - 1:
        text = "There must be a name for every bin."
        raise MatlabError("MATLAB:discretize:CategoryNamesInvalidSize", text)
    return Categorical(np.where(place == 0, np.nan, place), names, ordinal=True)


def _right_bins(x: Array, edges: Array) -> Array:
    place = np.searchsorted(edges, x, side="left")
    place = np.where(x == edges[0], 1, place)
    return np.where((x >= edges[0]) & (x <= edges[-1]), place, 0)


def _named(values: Value, place: Array) -> Value:
    if isinstance(values, Cell):
        items = np.empty(place.shape, dtype=object)
        for index, p in np.ndenumerate(place):
            items[index] = values.items()[p - 1] if p else ""
        return Cell(items)
    chosen = _floats(values).ravel()
    return canonical(np.where(place == 0, np.nan, chosen[np.maximum(place - 1, 0)]))
