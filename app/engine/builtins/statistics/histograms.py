"""Counting data in bins: histcounts, histcounts2, discretize and histc."""

from __future__ import annotations

import numpy as np

from app.accel.numerics.bin_counts import counts_of
from app.accel.numerics.host_sort import bins_of
from app.engine.arguments.checks import (
    DIM,
    NUMBERS,
    REAL,
    one_of,
    option_pairs,
    takes,
    unknown_option,
)
from app.engine.arguments.dimensions import dimension, first_axis
from app.engine.builtins.arrays import array_forms, histogram_forms, sorting_forms
from app.engine.builtins.arrays.histogram_edges import (
    OF_PAIRS,
    edges_for,
    floats_of,
    names_by_edges,
    normalized_counts,
    options_of_side,
    rising,
    shown_counts,
)
from app.engine.declarations.device_support import of_resident, term_form
from app.engine.declarations.registry import builtin
from app.engine.values import (
    EMPTY,
    Array,
    Cell,
    Value,
    as_array,
    canonical,
    is_text_scalar,
    numel,
    text_of,
    texts_of,
    unwrap,
)
from app.errors import MatlabError

_FAMILY = "histograms"


@builtin(
    "histcounts",
    category=_FAMILY,
    device=term_form(sorting_forms.histcounts),
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
def histcounts(x: Value, *args: Value, nargout: int = 1) -> Value:
    """Number of elements in each bin; bins are ``[a, b)``, the last one ``[a, b]``."""
    bins = args[0] if args and not is_text_scalar(args[0]) else None
    options = option_pairs(
        "histcounts",
        args[bins is not None :],
        "BinEdges BinLimits BinWidth BinMethod NumBins Normalization",
    )
    data = floats_of(x)
    edges = edges_for("histcounts", data, bins, options)
    counts = counts_of(data.ravel(order="K"), edges).astype(np.float64)
    shown = shown_counts(counts, edges, data.size, options)
    if nargout < 3:
        return shown
    return (*shown, canonical(bins_of(data, edges).astype(np.float64)))


@builtin(
    "histcounts2",
    category=_FAMILY,
    signatures=(
        "[N, Xedges, Yedges, binX, binY] = histcounts2(X, Y)",
        "N = histcounts2(X, Y, nbins)",
        "N = histcounts2(X, Y, Xedges, Yedges)",
    ),
    device=of_resident(histogram_forms.histcounts2),
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
        pair = floats_of(given[0]).ravel()
        given = [float(pair[0]), float(pair[-1])]
    options = option_pairs("histcounts2", args, OF_PAIRS)
    data = [floats_of(v).ravel(order="F") for v in (x, y)]
    if data[0].size != data[1].size:
        raise MatlabError("MATLAB:histcounts2:xySizeMismatch", "X and Y must have the same size.")
    edges = [
        edges_for("histcounts2", d, g, options_of_side(options, letter), axes=2)
        for d, g, letter in zip(data, given or [None, None], "xy", strict=True)
    ]
    places = [bins_of(d, e) for d, e in zip(data, edges, strict=True)]
    inside = (places[0] > 0) & (places[1] > 0)
    counts = np.zeros((edges[0].size - 1, edges[1].size - 1))
    np.add.at(counts, (places[0][inside] - 1, places[1][inside] - 1), 1.0)
    areas = np.outer(np.diff(edges[0]), np.diff(edges[1]))
    word = text_of(options.get("normalization", "count")).lower()
    counts = normalized_counts(counts, areas, data[0].size, word)
    shaped: list[Array] = [p.reshape(as_array(x).shape, order="F").astype(float) for p in places]
    return tuple(canonical(a) for a in (counts, *(e.reshape(1, -1) for e in edges), *shaped))


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
    device=term_form(array_forms.discretize),
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
    data = floats_of(x)
    limits = edges_for("discretize", data, edges, {})
    words = [text_of(a).lower() if is_text_scalar(a) else "" for a in args]
    place_of_options = words.index("includededge") if "includededge" in words else len(args)
    options = option_pairs("discretize", args[place_of_options:], "IncludedEdge")
    side = one_of("discretize", "IncludedEdge", options.get("includededge", "left"), "left right")
    right, args = side == "right", args[:place_of_options]
    place = _right_bins(data, limits) if right else bins_of(data, limits)
    if args and words[0] == "categorical":
        return _categorical(place, limits, right, args[1:]), canonical(limits.reshape(1, -1))
    if args and (len(args) > 1 or is_text_scalar(args[0])):
        raise unknown_option("discretize", words[0] or words[1], "categorical IncludedEdge")
    if args:
        if numel(args[0]) != limits.size - 1:
            text = f"There must be one value for each of the {limits.size - 1} bins."
            raise MatlabError("MATLAB:discretize:InvalidValues", text)
        return _bin_labels(args[0], place), canonical(limits.reshape(1, -1))
    found = np.where(place == 0, np.nan, place)
    return canonical(found), canonical(limits.reshape(1, -1))


def _categorical(place: Array, edges: Array, right: bool, args: tuple[Value, ...]) -> Value:
    """Bins as ordered categories, by the names given or their edges."""
    from app.engine.builtins.arrays.categorical_class import Categorical

    given = bool(args) and not (is_text_scalar(args[0]) and numel(args[0]) > 0)
    names = texts_of(args[0]) if given else names_by_edges(edges, right=right)
    if len(names) != edges.size - 1:
        text = "There must be a name for every bin."
        raise MatlabError("MATLAB:discretize:CategoryNamesInvalidSize", text)
    return Categorical(np.where(place == 0, np.nan, place), names, ordinal=True)


def _right_bins(x: Array, edges: Array) -> Array:
    place = np.searchsorted(edges, x, side="left")
    place = np.where(x == edges[0], 1, place)
    return np.where((x >= edges[0]) & (x <= edges[-1]), place, 0)


def _bin_labels(values: Value, place: Array) -> Value:
    if isinstance(values, Cell):
        items = np.empty(place.shape, dtype=object)
        for index, p in np.ndenumerate(place):
            items[index] = values.items()[p - 1] if p else ""
        return Cell(items)
    chosen = floats_of(values).ravel()
    return canonical(np.where(place == 0, np.nan, chosen[np.maximum(place - 1, 0)]))


@builtin(
    "histc",
    category=_FAMILY,
    signatures=("n = histc(x, edges)", "[n, bin] = histc(x, edges, dim)"),
    device=of_resident(histogram_forms.histc),
    cases=("isequal(histc([1 2 2 5], 1:5), [1 2 0 0 1])",),
    see=("histcounts",),
)
@takes(NUMBERS & REAL, NUMBERS & REAL, DIM)
def histc(x: Value, edges: Value, dim: Value | None = None) -> Value:
    """Counts of values between edges; the last edge counts exact hits."""
    a, e = as_array(x), rising(as_array(edges).ravel())
    if e is None:
        text = "Edges vector must be monotonically non-decreasing."
        raise MatlabError("MATLAB:histc:InvalidInput", text)
    if not e.size:
        return EMPTY, unwrap(np.zeros(a.shape))
    if dim is not None or a.ndim > 2 or 1 not in a.shape:
        return _histc_along(a, e, first_axis(a.shape) if dim is None else dimension(dim))
    places = _places(a.ravel(order="F"), e)
    counts = np.bincount(places[places > 0] - 1, minlength=e.size).astype(np.float64)
    shape = (1, -1) if a.shape[0] == 1 else (-1, 1)
    bins = places.astype(np.float64).reshape(a.shape, order="F")
    return unwrap(counts.reshape(shape)), unwrap(bins)


def _histc_along(a: Array, edges: Array, axis: int) -> Value:
    a = a.reshape(a.shape + (1,) * (axis + 1 - a.ndim))
    columns = np.moveaxis(a, axis, -1)
    places = _places(columns, edges)
    counts = np.stack([(places == k).sum(axis=-1) for k in range(1, edges.size + 1)], axis=-1)
    found = [np.moveaxis(v, -1, axis).astype(np.float64) for v in (counts, places)]
    return unwrap(found[0]), unwrap(found[1])


def _places(a: Array, edges: Array) -> Array:
    """1-based bin of every value, 0 outside."""
    places = np.searchsorted(edges, a, side="right")
    return np.where((a > edges[-1]) | np.isnan(a), 0, places)
