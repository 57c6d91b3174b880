"""Distributions of pairs of values: histograms in two directions, counted where the data is."""

from __future__ import annotations

import itertools
import math

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import MATRIX, NUMBERS, one_of
from app.engine.builtins.arrays.histogram_edges import (
    OF_PAIRS,
    Summary,
    edges_by,
    normalized_counts,
    options_of_side,
)
from app.engine.builtins.graphics.histogram_charts import sample_of, take_option
from app.engine.builtins.graphics.lines import result, view_in_space
from app.engine.builtins.graphics.plotting_support import (
    PLOT,
    Options,
    apply_options,
    new_series,
    options_of,
    plottable,
    plotting_axes,
)
from app.engine.declarations.device_support import CONTAINER
from app.engine.declarations.registry import builtin
from app.engine.figures.bin_shapes import boxes
from app.engine.figures.figure_data import ResidentData
from app.engine.figures.mark_geometry import Geometry
from app.engine.figures.objects import GraphicsObject
from app.engine.figures.pair_bins import SAMPLE, keep_pairs
from app.engine.figures.properties import is_text, parse_switch, plain_text
from app.engine.figures.series_data import data_of, host_data_of, value_shape
from app.engine.values import EMPTY, Array, Cell, Value, as_array, canonical, numel
from app.errors import MatlabError

Edges = tuple[Array, Array]


def _edges(ctx: CallContext, x: Value, y: Value, rest: list[Value], options: Options) -> Edges:
    """The bin edges that the arguments ask for."""
    numbers = [
        as_array(rest.pop(0)).astype(np.float64).reshape(-1)
        for _ in range(2)
        if rest and plottable(rest[0])
    ]
    if len(numbers) == 2 and min(n.size for n in numbers) > 1:
        return numbers[0], numbers[1]
    asked = {n.lower(): take_option(options, n.lower()) for n in OF_PAIRS.split()}
    given = {n: v for n, v in asked.items() if v is not None}
    if numbers:
        given["numbins"] = np.concatenate(numbers)
    made = []
    for letter, value in zip("xy", (x, y), strict=True):
        side = options_of_side(given, letter)
        if "binedges" in side:
            made.append(as_array(side["binedges"]).astype(np.float64).reshape(-1))
            continue
        sample = sample_of(ctx, value)
        spread = sample.spread() * math.sqrt(sample.size() / max(sample.size() - 1, 1))
        facts = Summary(sample.size(), *sample.extent(), sample.whole(), spread)
        made.append(edges_by("histogram2", facts, None, side, axes=2))
    return made[0], made[1]


def _counts(ctx: CallContext, x: Value, y: Value, edges: Edges) -> Array:
    """How many pairs fall into every cell: rows along x, columns along y."""
    shape = len(edges[0]) - 1, len(edges[1]) - 1
    data = [data_of(ctx, value) for value in (x, y)]
    even = all(np.allclose(np.diff(e), e[1] - e[0]) for e in edges)
    if any(isinstance(part, ResidentData) for part in data) and even:
        return _counted_there(ctx, x, y, edges).reshape(shape)
    a, b = (host_data_of(ctx, v).array.astype(np.float64).reshape(-1) for v in (x, y))
    keep = np.isfinite(a) & np.isfinite(b)
    found: Array = np.histogram2d(a[keep], b[keep], bins=list(edges))[0]
    return found


def _counted_there(ctx: CallContext, x: Value, y: Value, edges: Edges) -> Array:
    """Counts of resident pairs: the number of each pair's cell is worked out and counted where the
    data is."""

    def call(name: str, *args: Value) -> Value:
        return ctx.call(name, args)[0]

    places = []
    for value, own in zip((x, y), edges, strict=True):
        flat = call("double", call("reshape", value, EMPTY, 1.0))
        step = call("rdivide", call("minus", flat, float(own[0])), float(own[1] - own[0]))
        last = call("eq", flat, float(own[-1]))  # the last bin holds its right edge
        places.append(call("minus", call("floor", step), call("double", last)))
    count, across = len(edges[1]) - 1, len(edges[0]) - 1
    inside = call("and", call("ge", places[1], 0.0), call("lt", places[1], float(count)))
    inside = call(
        "and", inside, call("and", call("ge", places[0], 0.0), call("lt", places[0], float(across)))
    )
    cell = call("plus", call("times", places[0], float(count)), places[1])
    outside = call("rdivide", 0.0, call("double", inside))  # NaN is counted nowhere
    edge = np.arange(across * count + 1.0) - 0.5
    return sample_of(ctx, call("plus", cell, outside)).counts(edge).astype(np.float64)


def pair_counts(ctx: CallContext, x: Value, y: Value, bins: list[int]) -> tuple[Array, Edges]:
    """How many pairs fall into the cells of a grid over all of them, and its edges."""
    edges = tuple(
        np.linspace(*sample_of(ctx, value).extent(), count + 1)
        for value, count in zip((x, y), bins, strict=True)
    )
    return _counts(ctx, x, y, (edges[0], edges[1])), (edges[0], edges[1])


def _normalized_heights(counts: Array, edges: Edges, norm: str) -> Array:
    areas = np.outer(np.diff(edges[0]), np.diff(edges[1]))
    return normalized_counts(counts, areas, max(int(counts.sum()), 1), norm)


def _chart(
    ctx: CallContext, axes: GraphicsObject, kind: str, sample: tuple[Value, Value], kept: Options
) -> GraphicsObject:
    """A chart of pairs without bins as yet."""
    made = new_series(ctx, axes, kind, {SAMPLE: sample, **dict(kept)})
    if kind == "binscatter":
        made.values["CDataMapping"] = "scaled"
    if kind == "binscatter" or made["DisplayStyle"] == "tile":
        axes.values.update(Box=True, Layer="top")
    else:
        view_in_space(axes)
    return made


@builtin(
    "histogram2",
    least=2,
    category=PLOT,
    device=CONTAINER,
    cases=(
        "h = histogram2([1 1 2], [1 1 2], 0:3, 0:3); isequal(h.Values, diag([0 2 1]))",
        "h = histogram2([1 1 2], [1 1 2]); h.NumBins = [3 1]; isequal(size(h.Values), [3 1])",
        "h = histogram2([1 4], [1 4], 'DisplayStyle', 'tile'); strcmp(h.Type, 'histogram2')",
    ),
    see=("histogram", "heatmap"),
    signatures=(
        "h = histogram2(X,Y,nbins)",
        "histogram2(X,Y,Xedges,Yedges)",
        "histogram2('XBinEdges',x,'YBinEdges',y,'BinCounts',n)",
        "histogram2(...,'DisplayStyle','tile')",
    ),
)
def histogram2(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Show how pairs of values are distributed: towers, or tiles seen from above.

    Values that live on the device are counted there; only the counts come down. The bins, the
    normalization and the style of the chart can be changed afterwards.
    """
    axes, rest = plotting_axes(ctx, args, "XY")
    if is_text(rest[0]):
        return result([_of_counts(ctx, axes, options_of(rest))], nargout)
    x, y = rest.pop(0), rest.pop(0)
    numbers = list(itertools.takewhile(plottable, rest[:2]))
    options = options_of(rest[len(numbers) :])
    norm = plain_text(take_option(options, "normalization") or "count").lower()
    kept = _looks(options, norm)
    edges = _edges(ctx, x, y, numbers, options)
    counts = _counts(ctx, x, y, edges)
    heights = _normalized_heights(counts, edges, norm)
    made = _chart(ctx, axes, "histogram2", (x, y), kept)
    keep_pairs(made, counts, heights, edges)
    apply_options(made, options)
    return result([made], nargout)


def _looks(options: Options, norm: str) -> Options:
    """The style, the colour and the norm of a chart before it is drawn."""
    style = plain_text(take_option(options, "displaystyle") or "bar3").lower()
    if style not in ("bar3", "tile"):
        text = f"'{style}' is not a DisplayStyle; use 'bar3' or 'tile'."
        raise MatlabError("MATLAB:histogram2:unrecognizedStringChoice", text)
    empty = parse_switch(take_option(options, "showemptybins") or "off")
    kept: Options = [("DisplayStyle", style), ("ShowEmptyBins", empty), ("Normalization", norm)]
    return [*kept, ("FaceColor", "flat")] if style == "tile" else kept


def _of_counts(ctx: CallContext, axes: GraphicsObject, options: Options) -> GraphicsObject:
    """A chart of counts that were made before: XBinEdges, YBinEdges and BinCounts."""
    given = [take_option(options, name) for name in ("xbinedges", "ybinedges", "bincounts")]
    if any(value is None for value in given):
        text = "Without data, XBinEdges, YBinEdges and BinCounts must be given."
        raise MatlabError("MATLAB:histogram2:BinCountsInvalidSize", text)
    across, along, counts = (as_array(v).astype(np.float64) for v in given)
    edges = across.reshape(-1), along.reshape(-1)
    if counts.shape != (edges[0].size - 1, edges[1].size - 1):
        text = "BinCounts must have a row for each bin of x and a column for each bin of y."
        raise MatlabError("MATLAB:histogram2:BinCountsInvalidSize", text)
    norm = plain_text(take_option(options, "normalization") or "count").lower()
    made = _chart(ctx, axes, "histogram2", (EMPTY, EMPTY), _looks(options, norm))
    del made.values[SAMPLE]
    keep_pairs(made, counts, _normalized_heights(counts, edges, norm), edges)
    apply_options(made, options)
    return made


@builtin(
    "binscatter",
    least=2,
    category=PLOT,
    signatures=("h = binscatter(x,y,n)", "h = binscatter(...,'NumBins',n,name,value)"),
    device=CONTAINER,
    cases=(
        "h = binscatter([0 0 1], [0 0 1], 2); isequal(h.Values, [2 0; 0 1])",
        "h = binscatter([0 0 1], [0 0 1], 2); h.NumBins = [1 1]; h.Values == 3",
    ),
    see=("histogram2", "scatter"),
)
def binscatter(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Show how many points fall into the cells of a grid."""
    axes, rest = plotting_axes(ctx, args, "XY")
    x, y = rest.pop(0), rest.pop(0)
    given: list[Value] = [rest.pop(0)] if rest and plottable(rest[0]) else []
    options = options_of(rest)
    count = take_option(options, "numbins")
    given = given or [50.0 if count is None else count]
    limits = [(f"{side}BinLimits", take_option(options, f"{side}limits")) for side in "xy"]
    edges = _edges(ctx, x, y, given, [pair for pair in limits if pair[1] is not None])
    empty = parse_switch(take_option(options, "showemptybins") or False)
    made = _chart(ctx, axes, "binscatter", (x, y), [("ShowEmptyBins", empty)])
    counts = _counts(ctx, x, y, edges)
    keep_pairs(made, counts, counts, edges)
    apply_options(made, options)
    ctx.call("colorbar", (axes,), 0)
    return result([made], nargout)


@builtin(
    "hist3",
    least=1,
    category=PLOT,
    signatures=(
        "hist3(X,[nx ny])",
        "[N,C] = hist3(X)",
        "hist3(X,'Edges',{ex,ey})",
        "hist3(X,'Ctrs',{cx,cy})",
        "hist3(X,'Nbins',[nx ny],'CDataMode','auto','FaceColor',c)",
    ),
    device=CONTAINER,
    cases=(
        "isequal(size(hist3(rand(20, 2), [3 4])), [3 4])",
        "isequal(hist3([1 1; 2 3; 3 3], 'Edges', {1:3, [0 2 3]}), [1 0 0; 0 0 1; 0 0 1])",
        "isequal(hist3([1 1; 2 3; 9 3], 'Ctrs', {1:3, [1 3]}), [1 0; 0 1; 0 1])",
        "isequal(size(hist3(rand(9, 2), 'Nbins', [2 3])), [2 3])",
    ),
    see=("histogram2", "bar3"),
)
def hist3(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Count the rows of a two-column matrix in a grid of bins; draw the counts as towers."""
    (NUMBERS & MATRIX)("hist3", 1, args[0])
    if value_shape(args[0])[1] != 2:
        raise MatlabError("stats:hist3:WrongNumCols", "X must be a matrix with two columns.")
    x: Value
    y: Value
    if value_shape(args[0])[0] == 1:  # a row would be one column
        x, y = as_array(args[0]).astype(np.float64).reshape(2, 1)
    else:
        x, y = Geometry(ctx).columns(args[0])
    rest = list(args[1:])
    if rest and not is_text(rest[0]):
        rest[:1] = ["Ctrs" if isinstance(rest[0], Cell) else "Nbins", rest[0]]
    own, look = _grid_options(options_of(rest))
    counts, edges, centres = _grid(ctx, x, y, own)
    if nargout:
        places = Cell.of([canonical(c[None, :]) for c in centres], (1, 2))
        return canonical(counts), places
    axes, _rest = plotting_axes(ctx, ())
    near_x, near_y = np.meshgrid(*(edge[:-1] for edge in edges), indexing="ij")
    far_x, far_y = np.meshgrid(*(edge[1:] for edge in edges), indexing="ij")
    low = np.column_stack([near_x.ravel(), near_y.ravel(), np.zeros(near_x.size)])
    high = np.column_stack([far_x.ravel(), far_y.ravel(), counts.ravel()])
    vertices, faces = boxes(low, high)
    made = new_series(
        ctx,
        axes,
        "patch",
        {"Vertices": vertices, "Faces": faces, "FaceColor": (0.35, 0.65, 0.85)},
    )
    if look.pop("cdatamode", "manual") == "auto":
        made.set("FaceVertexCData", np.repeat(counts.ravel(), 8)[:, None])
        made["FaceColor"] = "interp"
    apply_options(made, list(look.items()))
    view_in_space(axes)
    return None


_Grid = dict[str, Value]


def _grid_options(options: Options) -> tuple[_Grid, _Grid]:
    """Where the bins of hist3 are, and how its towers look."""
    own: _Grid = {}
    look: _Grid = {}
    for name, value in options:
        word = name.lower()
        if word in ("edges", "ctrs", "nbins"):
            own[word] = value
        elif word == "cdatamode":
            look[word] = one_of("hist3", "CDataMode", value, "auto manual")
        else:
            look[name] = value
    if len(own) > 1:
        text = "Only one of 'Edges', 'Ctrs' and 'Nbins' can be given."
        raise MatlabError("stats:hist3:AmbiguousBinSpec", text)
    return own, look


def _grid(ctx: CallContext, x: Value, y: Value, own: _Grid) -> tuple[Array, Edges, list[Array]]:
    """Counts of hist3, the edges that are drawn, and the middles of the bins."""
    if "edges" in own:
        ends = [as_array(v).astype(np.float64).ravel() for v in _pair(own["edges"])]
        wide = [np.append(e, np.nextafter(e[-1], np.inf)) for e in ends]
        drawn = tuple(np.append(e, 2 * e[-1] - e[-2]) for e in ends)
        counts = _counts(ctx, x, y, (wide[0], wide[1]))
        return counts, (drawn[0], drawn[1]), [(e[:-1] + e[1:]) / 2 for e in drawn]
    if "ctrs" in own:
        middles = [as_array(v).astype(np.float64).ravel() for v in _pair(own["ctrs"])]
        inner = [(c[:-1] + c[1:]) / 2 for c in middles]
        most = np.finfo(np.float64).max
        wide = [np.concatenate([[-most], e, [most]]) for e in inner]
        drawn = tuple(
            np.concatenate([[2 * c[0] - e[0]], e, [2 * c[-1] - e[-1]]])
            for c, e in zip(middles, inner, strict=True)
        )
        return _counts(ctx, x, y, (wide[0], wide[1])), (drawn[0], drawn[1]), middles
    given = as_array(own.get("nbins", np.array([10.0, 10.0]))).reshape(-1)
    bins = [int(n) for n in (given if given.size == 2 else np.repeat(given, 2))]
    counts, edges = pair_counts(ctx, x, y, bins)
    return counts, edges, [(edge[:-1] + edge[1:]) / 2 for edge in edges]


def _pair(given: Value) -> list[Value]:
    """The two parts of a cell for x and y."""
    if not isinstance(given, Cell) or numel(given) != 2:
        text = "The bins must be a cell of two vectors, for X's first and second column."
        raise MatlabError("stats:hist3:BadBinSpec", text)
    return list(given.items())
