"""Charts that count pairs of values or angles: counted and drawn anew as a script changes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from app.engine.figures import bin_shapes
from app.engine.figures.figure_data import HostData
from app.engine.figures.histogram_bins import bin_properties, norm_of
from app.engine.values import EMPTY, Array, Value, as_array, canonical, numel
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.arguments.call_context import CallContext
    from app.engine.figures.objects import GraphicsObject, Setter

SAMPLE = "Sample"
"""Where the values that were counted are kept: left where they are, and not sent to the window."""


def _floats(value: Value) -> Array:
    return as_array(value).astype(np.float64)


# --- pairs --------------------------------------------------------------------------------


def _width(edges: Array) -> float:
    widths = np.diff(edges)
    return float(widths[0]) if widths.size and np.allclose(widths, widths[0]) else np.nan


def keep_pairs(
    chart: GraphicsObject, counts: Array, heights: Array, edges: tuple[Array, Array]
) -> None:
    """Keep the bins of a chart of pairs, and draw it with them."""
    across, along = edges
    kept: dict[str, object] = {
        "Values": heights,
        "BinCounts": counts,
        "NumBins": tuple(map(float, counts.shape)),
        "XBinEdges": tuple(map(float, across)),
        "YBinEdges": tuple(map(float, along)),
    }
    for letter, own in zip("XY", edges, strict=True):
        kept[f"{letter}BinLimits"] = kept[f"{letter}Limits"] = (float(own[0]), float(own[-1]))
    widths = [_width(own) for own in edges]
    kept["BinWidth"] = "nonuniform" if np.isnan(widths).any() else canonical(np.array([widths]))
    chart.values.update({name: value for name, value in kept.items() if chart.has(name)})
    _draw_pairs(chart)


def _draw_pairs(chart: GraphicsObject) -> None:
    heights = chart["Values"]
    edges = np.array(chart["XBinEdges"]), np.array(chart["YBinEdges"])
    shown = np.ones_like(heights, bool) if chart["ShowEmptyBins"] else heights > 0
    if chart.kind.name == "binscatter":
        middles = [HostData(((own[:-1] + own[1:]) / 2)[None, :]) for own in edges]
        picture = HostData(np.asfortranarray(np.where(shown, heights, np.nan).T))
        chart.values.update(CData=picture, XData=middles[0], YData=middles[1])
    elif chart["DisplayStyle"] == "tile":
        vertices, faces = bin_shapes.tiles(*edges, shown)
        chart.values.update(Vertices=vertices, Faces=faces, FaceVertexCData=heights[shown][:, None])
    else:
        vertices, faces = bin_shapes.towers(*edges, heights, shown)
        colors = np.repeat(heights[shown], 6)[:, None]
        chart.values.update(Vertices=vertices, Faces=faces, FaceVertexCData=colors)
    chart.touch()


def _context_of(chart: GraphicsObject) -> CallContext:
    """Who counts; a chart of counts alone has nothing to count again."""
    context: CallContext | None = chart.owner.inputs.context
    if context is None or SAMPLE not in chart.values:
        text = "The bins of a histogram without data cannot be changed."
        raise MatlabError("MATLAB:histogram:NoData", text)
    return context


def _count_pairs(chart: GraphicsObject, words: list[Value]) -> None:
    """Count the pairs again with what the words say of the bins."""
    ctx, sample = _context_of(chart), chart.values[SAMPLE]
    norm = chart["Normalization"] if chart.has("Normalization") else "count"
    counts, across, along = ctx.call("histcounts2", (*sample, *words), 3)[:3]
    edges = _floats(across).reshape(-1), _floats(along).reshape(-1)
    given = (canonical(edges[0][None, :]), canonical(edges[1][None, :]))
    heights = ctx.call("histcounts2", (*sample, *given, "Normalization", norm), 1)[0]
    shape = edges[0].size - 1, edges[1].size - 1
    keep_pairs(chart, _floats(counts).reshape(shape), _floats(heights).reshape(shape), edges)


def _set_bins(option: str) -> Setter:
    """The bins of both directions anew."""
    return lambda chart, value: _count_pairs(chart, [option, value])


def _set_side(letter: str, option: str) -> Setter:
    """The bins of one direction anew; the other keeps its own."""
    other = "Y" if letter == "X" else "X"

    def change(chart: GraphicsObject, value: Value) -> None:
        kept = canonical(np.array([chart[f"{other}BinEdges"]]))
        _count_pairs(chart, [f"{letter}{option}", value, f"{other}BinEdges", kept])

    return change


def _set_pairs_norm(chart: GraphicsObject, value: Value) -> None:
    chart["Normalization"] = norm_of(value)
    _set_side("X", "BinEdges")(chart, canonical(np.array([chart["XBinEdges"]])))


def _set_pairs(chart: GraphicsObject, value: Value) -> None:
    table = _floats(value)
    if table.ndim != 2 or table.shape[1] != 2:
        raise MatlabError("MATLAB:histogram2:InvalidData", "Data must have two columns.")
    chart.values[SAMPLE] = tuple(canonical(table[:, k : k + 1]) for k in range(2))
    _count_pairs(chart, [])


def _drawn_by(name: str, draw: Callable[[GraphicsObject], None]) -> Setter:
    """A property that says how the bins are drawn."""

    def change(chart: GraphicsObject, value: Value) -> None:
        chart[name] = chart.parsed(name, value)
        draw(chart)

    return change


def _pairs_of(chart: GraphicsObject) -> Value:
    """The pairs that were counted, in two columns."""
    sample = chart.values.get(SAMPLE)
    if sample is None:
        return EMPTY
    return canonical(np.column_stack([_floats(v).ravel(order="F") for v in sample]))


def _set_side_of_pairs(place: int) -> Setter:
    """New values of one direction, counted with those of the other."""

    def change(chart: GraphicsObject, value: Value) -> None:
        sample = list(chart.values[SAMPLE])
        sample[place] = value
        chart.values[SAMPLE] = tuple(sample)
        _count_pairs(chart, ["NumBins", canonical(np.array([chart["NumBins"]]))])

    return change


def _side_of_pairs(place: int) -> Callable[[GraphicsObject], Value]:
    return lambda chart: chart.values[SAMPLE][place]


# --- angles -------------------------------------------------------------------------------


def turned_counts(ctx: CallContext, angles: Value, edges: Array) -> Array:
    """How many angles lie between the edges, whole turns aside; counted where they are."""
    inside = angles
    if np.isclose(edges[-1] - edges[0], 2 * np.pi):
        first = float(edges[0])
        moved = ctx.call("minus", (angles, first))[0] if first else angles
        inside = ctx.call("mod", (moved, 2 * np.pi))[0]
        inside = ctx.call("plus", (inside, first))[0] if first else inside
    return _floats(ctx.call("histcounts", (inside, canonical(edges[None, :])))[0]).reshape(-1)


def keep_angles(chart: GraphicsObject, edges: Array, counts: Array, norm: str) -> None:
    """Keep the bins of a chart of angles, and draw it with them."""
    for name, value in bin_properties(edges, counts, norm).items():
        chart.values[name] = value.host() if isinstance(value, HostData) else value
    chart.values["NumBins"] = (float(counts.size),)
    _draw_angles(chart)


def _draw_angles(chart: GraphicsObject) -> None:
    outline = chart["DisplayStyle"] == "stairs"
    radii = chart["Values"].reshape(-1)
    vertices, faces = bin_shapes.sectors(np.array(chart["BinEdges"]), radii, outline=outline)
    chart.values.update(Vertices=vertices, Faces=faces)
    if outline and chart["FaceColor"] != "none":
        chart.values.update(
            OwnColor=chart["FaceColor"], EdgeColor=chart["FaceColor"], FaceColor="none"
        )
    elif not outline and "OwnColor" in chart.values:
        chart.values.update(FaceColor=chart.values.pop("OwnColor"), EdgeColor=(0.0, 0.0, 0.0))
    chart.touch()


def edges_of_turn(options: dict[str, Value]) -> Array:
    """The edges that ``BinEdges``, ``NumBins``, ``BinWidth`` and ``BinLimits`` ask for."""
    if "binedges" in options:
        edges = _floats(options["binedges"]).reshape(-1)
        if edges.size < 2 or (np.diff(edges) < 0).any() or edges[-1] - edges[0] > 2 * np.pi + 1e-12:
            text = "BinEdges must be an increasing vector of at most one turn."
            raise MatlabError("MATLAB:polarhistogram:InvalidBinEdges", text)
        return edges
    low, high = 0.0, 2 * np.pi
    if "binlimits" in options:
        low, high = (float(end) for end in _floats(options["binlimits"]).reshape(-1)[:2])
    if "binwidth" in options:
        width = float(_floats(options["binwidth"]).flat[0])
        inner = np.arange(low, high - 1e-9 * width, width)
        return np.append(inner, high)
    count = float(_floats(options["numbins"]).flat[0]) if "numbins" in options else 20.0
    if count < 1 or count != int(count):
        text = "The number of bins must be a positive integer."
        raise MatlabError("MATLAB:polarhistogram:expectedPositive", text)
    return np.linspace(low, high, int(count) + 1)


def _set_turn(option: str) -> Setter:
    def change(chart: GraphicsObject, value: Value) -> None:
        ctx = _context_of(chart)
        limits = canonical(np.array([chart["BinLimits"]]))
        options = {option: value} if option == "binedges" else {"binlimits": limits, option: value}
        edges = edges_of_turn(options)
        counts = turned_counts(ctx, chart.values[SAMPLE], edges)
        keep_angles(chart, edges, counts, chart["Normalization"])

    return change


def _keep_counts(chart: GraphicsObject, counts: Array, norm: str) -> None:
    keep_angles(chart, np.array(chart["BinEdges"]), counts, norm)


def _set_angle_norm(chart: GraphicsObject, value: Value) -> None:
    _keep_counts(chart, chart["BinCounts"].reshape(-1), norm_of(value))


def _set_angle_counts(chart: GraphicsObject, value: Value) -> None:
    if numel(value) != len(chart["BinEdges"]) - 1:
        text = "BinCounts must have one element less than BinEdges."
        raise MatlabError("MATLAB:histogram:BinCountsInvalidSize", text)
    _keep_counts(chart, _floats(value).reshape(-1), chart["Normalization"])


def _set_angles(chart: GraphicsObject, value: Value) -> None:
    chart.values[SAMPLE] = value
    _set_turn("numbins")(chart, chart["NumBins"][0])


GETTERS: dict[tuple[str, str], Callable[[GraphicsObject], Value]] = {
    ("polarhistogram", "type"): lambda chart: "histogram",
    ("polarhistogram", "data"): lambda chart: chart.values.get(SAMPLE, EMPTY),
    ("histogram2", "data"): _pairs_of,
    **{("binscatter", f"{n}data"): _side_of_pairs(k) for k, n in enumerate("xy")},
}
"""What charts of bins answer beside what they keep."""

SETTERS: dict[tuple[str, str], Setter] = {
    **{
        (kind, name.lower()): _set_bins(name)
        for kind in ("histogram2", "binscatter")
        for name in ("NumBins", "BinWidth", "BinMethod")
        if kind == "histogram2" or name == "NumBins"
    },
    **{
        (kind, f"{letter}{name}".lower()): _set_side(letter, option)
        for kind, name, option in (
            ("histogram2", "BinEdges", "BinEdges"),
            ("histogram2", "BinLimits", "BinLimits"),
            ("binscatter", "Limits", "BinLimits"),
        )
        for letter in "XY"
    },
    **{
        (kind, "showemptybins"): _drawn_by("ShowEmptyBins", _draw_pairs)
        for kind in ("histogram2", "binscatter")
    },
    **{("binscatter", f"{n}data"): _set_side_of_pairs(k) for k, n in enumerate("xy")},
    ("histogram2", "displaystyle"): _drawn_by("DisplayStyle", _draw_pairs),
    ("histogram2", "normalization"): _set_pairs_norm,
    ("histogram2", "data"): _set_pairs,
    **{
        ("polarhistogram", name): _set_turn(name)
        for name in ("numbins", "binwidth", "binlimits", "binedges")
    },
    ("polarhistogram", "displaystyle"): _drawn_by("DisplayStyle", _draw_angles),
    ("polarhistogram", "normalization"): _set_angle_norm,
    ("polarhistogram", "bincounts"): _set_angle_counts,
    ("polarhistogram", "data"): _set_angles,
}
"""Assignments after which a chart has other bins, or shows them in another way."""
