"""Histograms: bins chosen as MATLAB does, counted where the data is."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import real_number
from app.engine.builtins.arrays import histogram_forms
from app.engine.builtins.graphics.lines import result
from app.engine.builtins.graphics.plotting_support import (
    PLOT,
    Options,
    apply_options,
    is_handle,
    new_series,
    options_of,
    plottable,
    plotting_axes,
)
from app.engine.capture.capture_session import reshape_lazy
from app.engine.declarations.device_support import CONTAINER, SELF
from app.engine.declarations.registry import builtin
from app.engine.figures.figure_data import HostData, ResidentData
from app.engine.figures.histogram_bins import bin_properties, counted, norm_of
from app.engine.figures.objects import GraphicsObject
from app.engine.figures.ruler_values import kind_of
from app.engine.figures.series_data import data_of, value_shape
from app.engine.values import (
    EMPTY,
    Array,
    DeviceArray,
    Value,
    as_array,
    canonical,
    host,
    is_text_scalar,
    numel,
)
from app.errors import MatlabError


class Sample(Protocol):
    """Values whose distribution is asked for."""

    def extent(self) -> tuple[float, float]:
        """Smallest and largest finite value; 0 and 1 when there is none."""

    def spread(self) -> float:
        """Standard deviation."""

    def size(self) -> int:
        """Number of values."""

    def whole(self) -> bool:
        """Whether all values are whole numbers."""

    def counts(self, edges: Array) -> Array:
        """Values per bin; the last bin holds its right edge."""


class HostSample:
    """Values in host memory."""

    def __init__(self, array: Array) -> None:
        values = array.astype(np.float64).reshape(-1, order="F")
        self._values = values[np.isfinite(values)]

    def extent(self) -> tuple[float, float]:
        """Smallest and largest value."""
        if not self._values.size:
            return 0.0, 1.0
        return float(self._values.min()), float(self._values.max())

    def spread(self) -> float:
        """Standard deviation."""
        return float(self._values.std()) if self._values.size else 1.0

    def size(self) -> int:
        """Number of values."""
        return int(self._values.size)

    def whole(self) -> bool:
        """Whether all are whole numbers."""
        return bool((self._values == np.round(self._values)).all())

    def counts(self, edges: Array) -> Array:
        """Values per bin."""
        return np.histogram(self._values, edges)[0]


class ResidentSample:
    """Values on the device: only counts come down."""

    def __init__(self, ctx: CallContext, data: ResidentData) -> None:
        self._ctx = ctx
        self._data = data

    def extent(self) -> tuple[float, float]:
        """Smallest and largest finite value."""
        return self._data.limits() or (0.0, 1.0)

    def spread(self) -> float:
        """Standard deviation."""
        flat = self._ctx.call("reshape", (self._data.value(), EMPTY, 1.0))[0]
        doubles = self._ctx.call("double", (flat,))[0]
        return float(as_array(self._ctx.call("std", (doubles,))[0])[0, 0])

    def size(self) -> int:
        """Number of values."""
        return self._data.size

    def whole(self) -> bool:
        """Whether all are whole numbers; one truth value comes down."""
        flat = self._ctx.call("reshape", (self._data.value(), EMPTY, 1.0))[0]
        return bool(self._ctx.call("isequal", (flat, self._ctx.call("round", (flat,))[0]))[0])

    def counts(self, edges: Array) -> Array:
        """Values per bin, counted in one pass; the counts come down together."""
        found = self._ctx.call("histcounts", (self._data.value(), edges.reshape(1, -1)))[0]
        return as_array(found).reshape(-1)


def sample_of(ctx: CallContext, value: Value) -> Sample:
    """The values of an array, left where they are."""
    data = data_of(ctx, value)
    if isinstance(data, ResidentData):
        return ResidentSample(ctx, data)
    return HostSample(data.host())


# --- bins ---------------------------------------------------------------------------------


def take_option(options: Options, name: str) -> Value:
    """Remove an option by name and give its value; None when it is not there."""
    for place, (found, value) in enumerate(options):
        if found.lower() == name:
            options.pop(place)
            return value
    return None


def _counts_and_edges(
    ctx: CallContext, sample: Value, second: Value, options: Options
) -> tuple[Array, Array]:
    """Counts and edges as ``histcounts`` has them for the bins that the arguments ask for."""
    given = take_option(options, "binedges")
    given = second if given is None else given
    words: list[Value] = [] if given is None else [given]
    for name in ("NumBins", "BinWidth", "BinLimits", "BinMethod"):
        value = take_option(options, name.lower())
        if value is not None:
            words += [name, value]
    return counted(ctx, sample, words)


@builtin(
    "histogram",
    least=1,
    category=PLOT,
    signatures=(
        "h = histogram(X,nbins)",
        "histogram(X,edges)",
        "histogram('BinEdges',e,'BinCounts',c)",
        "histogram(...,Name,Value)",
    ),
    device=CONTAINER,
    cases=(
        "h = histogram([1 1 2 3], 3); sum(h.Values) == 4",
        "h = histogram([1 1 2 3], 3); h.NumBins = 6; numel(h.Values) == 6 && sum(h.Values) == 4",
        "h = histogram('BinEdges', 0:3, 'BinCounts', [1 2 3]); isequal(h.Values, [1 2 3])",
    ),
    see=("bar", "histcounts"),
)
def histogram(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Show how values are distributed.

    Values that live on the device are counted there; only the counts come down.
    """
    given = next((kind_of(value) for value in args if kind_of(value)), "")
    axes, rest = plotting_axes(ctx, args, "X")
    if rest and is_text_scalar(rest[0]):
        return result([_of_counts(ctx, axes, options_of(rest))], nargout)
    sample = rest.pop(0)
    second = rest.pop(0) if rest and plottable(rest[0]) else None
    if given == "categorical":
        second = np.arange(len(axes["XTick"]) + 1.0)[None, :] + 0.5
    options = options_of(rest)
    norm = norm_of(take_option(options, "normalization") or "count")
    counts, edges = _counts_and_edges(ctx, sample, second, options)
    kept = {"Data": data_of(ctx, sample), **bin_properties(edges, counts, norm)}
    made = new_series(ctx, axes, "histogram", kept)
    if given == "categorical":
        made["BarGap"] = 0.1
    apply_options(made, options)
    axes["Box"] = True
    return result([made], nargout)


def _of_counts(ctx: CallContext, axes: GraphicsObject, options: Options) -> GraphicsObject:
    """A histogram of counts that were made before: the options BinEdges and BinCounts."""
    edges, counts = (take_option(options, name) for name in ("binedges", "bincounts"))
    if edges is None or counts is None or numel(edges) != numel(counts) + 1:
        text = "BinEdges and BinCounts must be given, with one edge more than there are counts."
        raise MatlabError("MATLAB:histogram:BinCountsInvalidSize", text)
    norm = norm_of(take_option(options, "normalization") or "count")
    flat_edges, flat = (as_array(v).astype(np.float64).reshape(-1) for v in (edges, counts))
    made = new_series(ctx, axes, "histogram", bin_properties(flat_edges, flat, norm))
    apply_options(made, options)
    axes["Box"] = True
    return made


def _hist_bins(low: float, high: float, bins: Array) -> tuple[Array, Array]:
    """Centers, and edges where a value on one belongs to the bin before it."""
    if bins.size > 1:
        centers = bins.astype(np.float64)
        middles = (centers[:-1] + centers[1:]) / 2
        ends = min(low, middles[0]) - 1, max(high, middles[-1]) + 1
        edges = np.concatenate([ends[:1], middles, ends[1:]])
    else:
        count = int(bins[0])
        if low == high:
            low, high = low - count // 2 - 0.5, high + (count + 1) // 2 - 0.5
        edges = np.linspace(low, high, count + 1)
        centers = (edges[:-1] + edges[1:]) / 2
    edges[1:-1] = np.nextafter(edges[1:-1], np.inf)
    return centers, edges


def _column_counts(x: Array, bins: Array) -> tuple[Array, Array]:
    """The counts of every column, and the centers of the bins."""
    centers, edges = _hist_bins(float(np.nanmin(x)), float(np.nanmax(x)), bins)
    counts = np.stack([np.histogram(c[~np.isnan(c)], edges)[0] for c in x.T], axis=1)
    return counts.astype(np.float64), centers[:, None]


def _resident_counts(x: Value, bins: Array, total: float | None) -> Value | None:
    """Counts and centers of an array on the device, where the counts stay; None for others."""
    if type(x) is not DeviceArray or len(value_shape(x)) > 2:
        return None
    row = value_shape(x)[0] == 1
    places: list[Array] = []

    def edges_of(low: float, high: float) -> Array:
        centers, edges = _hist_bins(low, high, bins)
        places.append(centers)
        return edges

    upright = histogram_forms.hist(reshape_lazy(x, (numel(x), 1)) if row else x, edges_of)
    if upright is None:
        return None
    counts = upright if total is None else upright * total / upright.sum(0)
    line = row or value_shape(x)[1] == 1
    made = counts.reshape((1, counts.size)) if line else counts
    return made.value, canonical(places[0].reshape((1, -1) if line else (-1, 1)))


@builtin(
    "hist",
    least=1,
    category=PLOT,
    signatures=("hist(X,n)", "hist(ax,...)", "[counts,centers] = hist(X,n)", "n = hist(X,n,total)"),
    device=SELF,
    cases=("isequal(hist([1 1 2], 2), [2 1])",),
    see=("histogram",),
)
def hist(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Count values in ten (or n) equal bins, or around given centers, and draw the counts.

    Every column of a matrix is counted by itself; a third number is what the counts add up to
    (Octave's).
    """
    target, rest = (args[:1], args[1:]) if is_handle(args[0]) else ((), args)
    if len(rest) > 3:
        raise MatlabError("MATLAB:maxrhs", "Too many input arguments.")
    total = real_number(rest[2]) if len(rest) > 2 else None
    bins = as_array(rest[1]).reshape(-1) if len(rest) > 1 else np.array([10.0])
    if nargout and (on_device := _resident_counts(rest[0], bins, total)) is not None:
        return on_device
    if len(value_shape(rest[0])) == 2 and min(value_shape(rest[0])) > 1:
        table, places = _column_counts(as_array(host(rest[0])).astype(np.float64), bins)
        table = table if total is None else table * total / table.sum(axis=0)
        return (table, places) if nargout else ctx.call("bar", (*target, places, table), 0)
    sample = sample_of(ctx, host(rest[0]) if nargout else rest[0])
    centers, edges = _hist_bins(*sample.extent(), bins)
    counts = sample.counts(edges).astype(np.float64)
    counts = counts if total is None else counts * total / counts.sum()
    if nargout:
        return counts[None, :], centers[None, :]
    axes, _rest = plotting_axes(ctx, target)
    width = float(centers[1] - centers[0]) if centers.size > 1 else 1.0
    new_series(
        ctx,
        axes,
        "bar",
        {
            "XData": HostData(centers[None, :]),
            "YData": HostData(counts[None, :]),
            "XWidth": width,
        },
    )
    return None
