"""Where bins begin and end, and how their counts are shown: for histcounts and its device form."""

from __future__ import annotations

import itertools
import math
from functools import partial

import numpy as np

from app import memory
from app.engine import stoppable
from app.engine.values import Array, Value, as_array, canonical, numel, text_of
from app.errors import MatlabError
from app.records import record

_MOST_BINS = 65536
_BYTES_OF_A_NAME = 200
ROUNDINGS = 16
"""Units in the last place by which a running sum may fall."""
_ARRAYS_ON_THE_WAY = 3
"""Of as many numbers as there are edges, while these are found."""
METHODS = ("auto", "scott", "fd", "integers", "sturges", "sqrt")
"""Rules by which histcounts chooses bins."""


def floats_of(v: Value) -> Array:
    """The numbers as doubles."""
    return as_array(v).astype(np.float64)


def rising(edges: Array) -> Array | None:
    """Edges none of which lies below the one before; None where one does.

    A running sum on a device is put together from sums of pieces, so that it may fall by a rounding
    of its class although nothing negative is added. Such edges count as equal.
    """
    if not (edges[1:] < edges[:-1]).any():
        return edges
    level = np.fmax.accumulate(edges)
    below = edges < level
    reached, found = level[below], edges[below]
    if edges.dtype.kind != "f" or np.isinf(reached).any():
        return None
    rounded: Array = reached - found <= ROUNDINGS * np.spacing(abs(reached))
    return np.where(below, level, edges) if rounded.all() else None


def nice_edges(low: float, high: float, width: float) -> Array:
    """Edges at round numbers that cover the data with bins of about ``width``: 1, 2, 3, 5 or 10
    times a power of ten, as MATLAB's automatic rules have them."""
    if not math.isfinite(width) or width <= 0 or high <= low:
        return _edges_around(low, high, 1)
    power = 10.0 ** math.floor(math.log10(width))
    relative = width / power
    factors = ((1.5, 1), (2.5, 2), (4, 3), (7.5, 5), (math.inf, 10))
    step = power * next(factor for limit, factor in factors if relative < limit)
    return _edges_of_width(low, high, step)


def _edges_of_width(low: float, high: float, width: float) -> Array:
    """Edges at multiples of the width that cover the data."""
    first = min(width * math.floor(low / width), low)
    count = max(math.ceil((high - first) / width), 1)
    return np.asarray(first + width * np.arange(min(count, _MOST_BINS) + 1))


def _edges_around(low: float, high: float, count: int) -> Array:
    """Edges of bins that are one wide together, at halves, around data that are all alike."""
    return np.linspace(math.floor(2 * low - 1) / 2, math.ceil(2 * high + 1) / 2, count + 1)


@record
class Summary:
    """What bins are chosen by, also when the numbers themselves stay where they are.

    Attributes:
        count: how many finite numbers there are.
        low, high: the smallest and the largest of them; 0 and 1 when there is none.
        whole: whether all are whole numbers.
        spread: their standard deviation.
        middle: the distance of their quartiles; None where it is not known.
    """

    count: int
    low: float
    high: float
    whole: bool
    spread: float
    middle: float | None = None


def _summary_of(data: Array) -> Summary:
    if not data.size:
        return Summary(0, 0.0, 1.0, False, 0.0)
    spread = float(np.std(data, ddof=1)) if data.size > 1 else 0.0
    quarters = np.quantile(data, [0.25, 0.75], method="hazen")
    whole = bool((data == np.round(data)).all())
    low, high = float(data.min()), float(data.max())
    return Summary(data.size, low, high, whole, spread, float(quarters[1] - quarters[0]))


def _rule_width(summary: Summary, method: str, axes: int) -> float:
    n, extent = max(summary.count, 1), summary.high - summary.low
    shrinking = n ** (-1 / (axes + 2))
    if method == "sturges":
        return extent / math.ceil(math.log2(n) + 1)
    if method == "sqrt":
        return extent / math.ceil(math.sqrt(n))
    if method == "fd" and summary.middle is not None:
        return float(2 * summary.middle * shrinking)
    return float(3.5 * summary.spread * shrinking)


def _bin_count(name: str, bins: Value) -> int:
    count = int(floats_of(bins).flat[0])
    if count < 1:
        text = "The number of bins must be a positive integer."
        raise MatlabError(f"MATLAB:{name}:expectedPositive", text)
    return count


def _whole_edges(low: float, high: float) -> Array:
    """A bin around every whole number."""
    return np.arange(math.floor(low) - 0.5, math.ceil(high) + 1)


def _equal_edges(low: float, high: float, count: int) -> Array:
    """``count`` bins that cover the data: the first edge is round, and so is the width."""
    if high <= low:
        return _edges_around(low, high, count)
    raw = (high - low) / count
    power = 10.0 ** math.floor(math.log10(raw))
    width = power * math.floor(raw / power)
    first = min(width * math.floor(low / width), low)
    if count > 1:
        least, most = (high - first) / count, (high - first) / (count - 1)
        if most > least:  # else there are more bins than digits tell apart
            power = 10.0 ** math.floor(math.log10(most - least))
            width = power * math.ceil(least / power)
    edges = first + width * np.arange(count + 1.0)
    edges[-1] = max(edges[-1], high)
    return edges


OF_PAIRS = "XBinEdges YBinEdges XBinLimits YBinLimits BinWidth BinMethod NumBins Normalization"
"""The options of functions that count pairs of values."""


def options_of_side(options: dict[str, Value], letter: str) -> dict[str, Value]:
    """What the options of a count of pairs say of one direction, under the names for one."""
    side = {k: v for k, v in options.items() if not k.startswith(("xbin", "ybin"))}
    for name in ("binedges", "binlimits"):
        if letter + name in options:
            side[name] = options[letter + name]
    for name in ("numbins", "binwidth"):
        if name in side:
            pair = floats_of(side[name]).ravel()
            side[name] = float(pair[0 if letter == "x" else -1])
    return side


def edges_for(
    name: str, x: Array, bins: Value | None, options: dict[str, Value], axes: int = 1
) -> Array:
    """The bin edges that ``bins`` or the options ask for."""
    bins = options.get("binedges", bins)
    if bins is not None and numel(bins) > 1:
        edges = rising(as_array(bins).ravel())
        if edges is None:
            text = "Bin edges must be a nondecreasing vector."
            raise MatlabError(f"MATLAB:{name}:expectedNondecreasing", text)
        return edges.astype(np.float64)
    data = x[np.isfinite(x)].ravel()
    if "binlimits" in options:
        limits = _limits_of(name, options["binlimits"])
        data = data[(data >= limits[0]) & (data <= limits[1])]
    return edges_by(name, _summary_of(data), bins, options, axes)


def _limits_of(name: str, value: Value) -> tuple[float, float]:
    limits = floats_of(value).ravel()
    if limits.size != 2 or not np.isfinite(limits).all() or limits[0] > limits[1]:
        text = "Bin limits must be a vector of two finite, nondecreasing numbers."
        raise MatlabError(f"MATLAB:{name}:InvalidBinLimits", text)
    return float(limits[0]), float(limits[1])


def _width_of(name: str, value: Value) -> float:
    width = floats_of(value).ravel()
    if width.size != 1 or not (0 < width[0] < math.inf):
        text = "The width of bins must be a positive, finite number."
        raise MatlabError(f"MATLAB:{name}:InvalidBinWidth", text)
    return float(width[0])


def edges_by(
    name: str, summary: Summary, bins: Value | None, options: dict[str, Value], axes: int = 1
) -> Array:
    """The edges of so many bins, or of as many as the options or the numbers suggest.

    ``axes`` counts the directions in which the values are counted.
    """
    limits = _limits_of(name, options["binlimits"]) if "binlimits" in options else None
    low, high = (summary.low, summary.high) if limits is None else limits
    bins = options.get("numbins") if bins is None else bins
    if bins is not None:
        count = _bin_count(name, bins)
        memory.require_array((count + 1, _ARRAYS_ON_THE_WAY), 8)
        even = limits is not None or not summary.count
        edges = partial(np.linspace, low, high, count + 1)
        edges = edges if even else partial(_equal_edges, low, high, count)
        return stoppable.beside(edges) if count >= stoppable.LARGE_ARRAY else edges()
    if limits is None and not summary.count:
        return np.array([low, high])
    if "binwidth" in options:
        width = _width_of(name, options["binwidth"])
        if limits is not None:
            return np.append(np.arange(low, high, width), high)
        return _edges_of_width(low, high, width)
    method = text_of(options.get("binmethod", "auto")).lower()
    if method not in METHODS:
        text = f"'{method}' is not a way to choose bins: {', '.join(METHODS)}."
        raise MatlabError(f"MATLAB:{name}:unrecognizedStringChoice", text)
    few_whole = summary.whole and summary.high - summary.low <= 50 and summary.count > 0
    if method == "integers" or (method == "auto" and few_whole):
        return _whole_edges(low, high)
    width = _rule_width(summary, method, axes)
    if limits is None:
        return nice_edges(low, high, width)
    bins_inside = math.ceil((high - low) / width) if width > 0 else 1
    return np.linspace(low, high, max(bins_inside, 1) + 1)


def normalized_counts(counts: Array, areas: Array, total: int, word: str) -> Array:
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
    if word in ("cumcount", "cdf"):
        summed: Array = counts
        for axis in range(counts.ndim):
            summed = np.cumsum(summed, axis=axis)
        return summed if word == "cumcount" else summed / total
    raise MatlabError(
        "MATLAB:histcounts:unrecognizedStringChoice", f"'{word}' is not a normalization."
    )


def shown_counts(
    counts: Array, edges: Array, total: int, options: dict[str, Value]
) -> tuple[Value, Value]:
    """Counts, normalized as the options ask, and the edges."""
    word = text_of(options.get("normalization", "count")).lower()
    found = normalized_counts(counts, np.diff(edges), total, word)
    return canonical(found.reshape(1, -1)), canonical(edges.reshape(1, -1))


def names_by_edges(edges: Array, *, right: bool = False) -> list[str]:
    """The names of bins between numbers; many of them can be stopped."""
    memory.require_array((edges.size, _BYTES_OF_A_NAME), 1)
    return bin_names([f"{edge:.5g}" for edge in stoppable.heeding(edges)], right=right)


def bin_names(edges: list[str], *, right: bool = False) -> list[str]:
    """What bins are called, such as ``[1, 2)``; the outermost edge belongs to its bin."""
    pairs = list(itertools.pairwise(edges))
    names = [f"({a}, {b}]" if right else f"[{a}, {b})" for a, b in pairs]
    if pairs:
        end = 0 if right else -1
        names[end] = f"[{pairs[end][0]}, {pairs[end][1]}]"
    return names
