"""Where bins begin and end, and how their counts are shown: for histcounts and its device form."""

from __future__ import annotations

import math

import numpy as np

from app.engine.values import Array, Value, as_array, canonical, numel, text_of
from app.errors import MatlabError
from app.records import record

_MOST_BINS = 65536


def floats_of(v: Value) -> Array:
    """The numbers as doubles."""
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
    count = int(floats_of(bins).flat[0])
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
        edges = floats_of(bins).ravel()
        if (np.diff(edges) < 0).any():
            text = "Bin edges must be a nondecreasing vector."
            raise MatlabError(f"MATLAB:{name}:expectedNondecreasing", text)
        return edges
    data = x[np.isfinite(x)].ravel()
    limits = floats_of(options["binlimits"]).ravel() if "binlimits" in options else None
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
        width = float(floats_of(options["binwidth"]).flat[0])
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
