"""Polar axes and what is drawn in them."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import FUNCTION, element_count, enough, takes
from app.engine.builtins.graphics.histogram_charts import take_option
from app.engine.builtins.graphics.lines import drawn, plot_groups, result
from app.engine.builtins.graphics.plotting_support import (
    PLOT,
    Options,
    apply_options,
    figures,
    is_handle,
    new_series,
    options_of,
    plottable,
    split_axes,
    taken_handle,
)
from app.engine.declarations.device_support import CONTAINER
from app.engine.declarations.registry import builtin
from app.engine.figures.figure_data import HostData, SeriesData
from app.engine.figures.histogram_bins import norm_of
from app.engine.figures.objects import GraphicsObject
from app.engine.figures.pair_bins import SAMPLE, edges_of_turn, keep_angles, turned_counts
from app.engine.figures.properties import is_text, plain_text
from app.engine.figures.series_data import came_down, columns_of, paired_columns, together
from app.engine.values import Array, FunctionHandle, Value, as_array, canonical, host, numel
from app.errors import MatlabError


def polar_axes(ctx: CallContext, args: tuple[Value, ...]) -> tuple[GraphicsObject, list[Value]]:
    """The axes to draw into, made polar and ready for a new plot, and the other arguments."""
    axes, rest = split_axes(ctx, args)
    held = axes["NextPlot"] == "add" and bool(axes.children)
    if axes.kind.name != "polaraxes":
        if held:
            raise MatlabError(
                "MATLAB:polarplot:AxesInput",
                "Polar data cannot be added to Cartesian axes on hold.",
            )
        figures(ctx).reset(axes)
        axes.become("polaraxes")
    elif axes["NextPlot"] != "add":
        figures(ctx).reset(axes)
    return axes, rest


@builtin(
    "polaraxes",
    category=PLOT,
    signatures=("pax = polaraxes", "polaraxes(Name,Value)"),
    cases=("ax = polaraxes; isgraphics(ax)",),
    see=("polarplot", "axes"),
)
def polaraxes(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Make polar axes, or make existing ones current."""
    model = figures(ctx)
    rest = list(args)
    if rest and is_handle(rest[0], "polaraxes"):
        model.activate(rest[0])
        return rest[0] if nargout else None
    parent = taken_handle(rest, "figure", "tiledlayout") or model.gcf()
    made = model.new_axes(parent)
    made.become("polaraxes")
    apply_options(made, options_of(rest))
    return made if nargout else None


def _pairs(ctx: CallContext, data: list[Value]) -> list[tuple[SeriesData, SeriesData]]:
    """Angles and radii of every line; radii alone go once around."""
    if len(data) == 2:
        return paired_columns(ctx, data[0], data[1])
    if np.iscomplexobj(as_array(data[0]) if not hasattr(data[0], "node") else 0):
        points = as_array(data[0])
        return paired_columns(ctx, np.angle(points), np.abs(points))
    return [
        (HostData(np.linspace(0, 2 * np.pi, radii.size)[:, None]), radii)
        for radii in columns_of(ctx, data[0])
    ]


def _round(ctx: CallContext, theta: SeriesData, radius: SeriesData) -> dict[str, Any]:
    theta, radius = together(ctx, theta, radius)
    return {"ThetaData": theta, "RData": radius, "XData": theta, "YData": radius}


def _polar(ctx: CallContext, args: tuple[Value, ...]) -> list[GraphicsObject]:
    axes, rest = polar_axes(ctx, args)
    enough(rest, 1)
    groups, options = plot_groups(rest, 2)
    made = [
        new_series(ctx, axes, "line", {**_round(ctx, theta, radius), **style})
        for data, style in groups
        for theta, radius in _pairs(ctx, data)
    ]
    for item in made:
        apply_options(item, options)
    return made


@builtin(
    "polarplot",
    least=1,
    category=PLOT,
    device=CONTAINER,
    cases=("h = polarplot(0:0.1:1, 0:0.1:1); isgraphics(h)",),
    see=("plot", "polaraxes"),
    signatures=("h = polarplot(theta,rho,LineSpec)", "polarplot(rho)"),
)
def polarplot(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw lines in polar coordinates, on axes with circles and spokes."""
    return result(_polar(ctx, args), nargout)


@builtin(
    "polar",
    least=1,
    category=PLOT,
    signatures=("h = polar(theta,rho,LineSpec)",),
    device=CONTAINER,
    cases=("h = polar(0:0.1:1, 0:0.1:1); isgraphics(h)",),
    see=("polarplot",),
)
def polar(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw lines in polar coordinates (older name of polarplot)."""
    return result(_polar(ctx, args), nargout)


@builtin(
    "polarscatter",
    least=2,
    category=PLOT,
    device=CONTAINER,
    cases=("h = polarscatter([0 1], [1 2]); isgraphics(h)",),
    see=("polarplot", "scatter"),
    signatures=("h = polarscatter(theta,rho,sizes,colors)",),
)
def polarscatter(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw markers in polar coordinates."""
    axes, rest = polar_axes(ctx, args)
    enough(rest, 2)
    before, axes["NextPlot"] = axes["NextPlot"], "add"
    try:
        made = drawn(ctx, "scatter", (axes, *rest))
    finally:
        axes["NextPlot"] = before
    made.values.update(ThetaData=made["XData"], RData=made["YData"])
    made.touch()
    return result([made], nargout)


def _turn(ctx: CallContext, rest: list[Value], options: Options) -> tuple[Array, Array]:
    """The edges that the arguments ask for, and how many of the angles, the first of them, lie
    between."""
    bins = rest[1] if len(rest) > 1 else None
    given = {} if bins is None else {"numbins" if numel(bins) == 1 else "binedges": bins}
    for name in ("numbins", "binwidth", "binlimits", "binedges"):
        value = take_option(options, name)
        if value is not None:
            given[name] = value
    edges = edges_of_turn(given)
    return edges, turned_counts(ctx, rest[0], edges)


@builtin(
    "polarhistogram",
    least=1,
    category=PLOT,
    device=CONTAINER,
    cases=(
        "h = polarhistogram([0.1 0.2 4], 4); isequal(h.Values, [2 0 1 0])",
        "h = polarhistogram([0.1 0.2 4], 4); h.Normalization = 'probability'; sum(h.Values) == 1",
        "h = polarhistogram('BinEdges', [0 1 2], 'BinCounts', [3 4]); isequal(h.BinCounts, [3 4])",
    ),
    see=("rose", "polarplot"),
    signatures=(
        "h = polarhistogram(theta,nbins)",
        "polarhistogram(theta,edges)",
        "polarhistogram('BinEdges',e,'BinCounts',c)",
        "polarhistogram(...,Name,Value)",
    ),
)
def polarhistogram(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Show how angles are distributed, on polar axes."""
    axes, rest = polar_axes(ctx, args)
    data = list(itertools.takewhile(plottable, rest[:2]))
    options = options_of(rest[len(data) :])
    norm = norm_of(take_option(options, "normalization") or "count")
    if data:
        edges, counts = _turn(ctx, data, options)
    else:
        edges, counts = _given_counts(options)
    style = take_option(options, "displaystyle")
    kept = {"FaceAlpha": 0.6, "FaceColor": figures(ctx).next_color(axes)}
    made = new_series(ctx, axes, "polarhistogram", kept | ({SAMPLE: data[0]} if data else {}))
    if style is not None:
        made["DisplayStyle"] = made.parsed("DisplayStyle", style)
    keep_angles(made, edges, counts, norm)
    apply_options(made, options)
    return result([made], nargout)


def _given_counts(options: Options) -> tuple[Array, Array]:
    """Edges and counts that were made before."""
    edges, counts = (take_option(options, name) for name in ("binedges", "bincounts"))
    if edges is None or counts is None or numel(edges) != numel(counts) + 1:
        text = "BinEdges and BinCounts must be given, with one edge more than there are counts."
        raise MatlabError("MATLAB:polarhistogram:BinCountsInvalidSize", text)
    return edges_of_turn({"binedges": edges}), as_array(counts).astype(np.float64).reshape(-1)


@builtin(
    "rose",
    least=1,
    category=PLOT,
    device=CONTAINER,
    cases=("[t, r] = rose([0 1 2], 4); max(r) == 2",),
    see=("polarhistogram",),
    signatures=("rose(theta,nbins)", "[t,r] = rose(theta)"),
)
def rose(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Show how angles are distributed, as sectors (older form of polarhistogram)."""
    if not nargout:
        return polarhistogram(ctx, *args)
    edges, counts = _turn(ctx, list(args[:2]), [])
    turn = np.column_stack([edges[:-1], edges[:-1], edges[1:], edges[1:]]).reshape(1, -1)
    zero = np.zeros_like(counts)
    radii = np.column_stack([zero, counts, counts, zero]).reshape(1, -1)
    return canonical(turn), canonical(radii)


@builtin(
    "ezpolar",
    least=1,
    category=PLOT,
    signatures=("h = ezpolar(f,[a b])",),
    cases=("h = ezpolar(@(t) 1 + cos(t)); isgraphics(h)",),
    see=("polarplot",),
)
@takes(FUNCTION, element_count(2))
def ezpolar(ctx: CallContext, function: Value, ends: Value = None, *, nargout: int = 0) -> Value:
    """Draw a function of the angle in polar coordinates."""
    low, high = (0.0, 2 * np.pi) if ends is None else as_array(ends).reshape(-1)[:2]
    if not isinstance(function, FunctionHandle):
        text = plain_text(function)
        function = ctx.parse_handle(text if text.startswith("@") else f"@(t) {text}")
    t = np.linspace(low, high, 501)[None, :]
    radius = np.broadcast_to(as_array(ctx.call(function, (t,))[0]), t.shape)
    return result([drawn(ctx, "polarplot", (t, canonical(radius)))], nargout)


@builtin(
    "compass",
    least=1,
    category=PLOT,
    signatures=("h = compass(U,V)", "compass(Z)"),
    device=CONTAINER,
    cases=("h = compass([1 2], [3 4]); all(isgraphics(h))",),
    see=("quiver",),
)
def compass(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw arrows from the origin on polar axes."""
    axes, rest = polar_axes(ctx, args)
    before = came_down(ctx)
    points = as_array(host(rest.pop(0), "plot")).reshape(-1)
    if rest and plottable(rest[0]):
        points = points + 1j * as_array(host(rest.pop(0), "plot")).reshape(-1)
    made: list[GraphicsObject] = []
    moved = came_down(ctx) - before
    for angle, length in zip(np.angle(points), np.abs(points), strict=True):
        head, turn = 0.12 * np.abs(points).max(), np.array([2.7, -2.7])
        barbs = length * np.exp(1j * angle) + head * np.exp(1j * (angle + turn))
        way = np.array(
            [0, length * np.exp(1j * angle), barbs[0], length * np.exp(1j * angle), barbs[1]]
        )
        lengths = HostData(np.abs(way)[None, :], 0 if made else moved)
        data = HostData(np.angle(way)[None, :]), lengths
        made.append(
            new_series(
                ctx, axes, "line", {**_round(ctx, *data), "Color": figures(ctx).next_color(axes)}
            )
        )
    return result(made, nargout)


# --- limits and ticks ---------------------------------------------------------------------


def _property(ctx: CallContext, name: str, args: tuple[Value, ...]) -> Value | None:
    """Ask for a property of the current polar axes, or assign it."""
    axes, rest = split_axes(ctx, args)
    if axes.kind.name != "polaraxes":
        axes, rest = polar_axes(ctx, args)
    if len(rest) > 1:
        raise MatlabError("MATLAB:maxrhs", "Too many input arguments.")
    if not rest:
        return axes.get(name)
    if is_text(rest[0]) and plain_text(rest[0]).lower() in ("auto", "manual", "mode"):
        word = plain_text(rest[0]).lower()
        if word == "mode":
            return axes.get(f"{name}Mode")
        axes[f"{name}Mode"] = word
        return None
    axes.set(name, rest[0])
    return None


def declare_polar(name: str, full: str, text: str, example: str) -> None:
    """Declare a function that asks for or sets a property of polar axes."""

    @builtin(
        name,
        category=PLOT,
        signatures=(f"{name}(v)", f"v = {name}"),
        see=("polaraxes",),
        text=text,
        cases=(example,),
    )
    def change(ctx: CallContext, *args: Value) -> Value:
        return _property(ctx, full, args)


declare_polar(
    "rlim",
    "RLim",
    "The radii at the centre and at the rim of polar axes.",
    "polarplot([0 1], [0 2]); rlim([0 5]); isequal(rlim, [0 5])",
)
declare_polar(
    "thetalim",
    "ThetaLim",
    "The angles that polar axes show, in degrees.",
    "polarplot([0 1], [0 2]); thetalim([0 180]); isequal(thetalim, [0 180])",
)
declare_polar(
    "rticks",
    "RTick",
    "The radii of the rings of polar axes.",
    "polarplot([0 1], [0 2]); rticks([1 2]); isequal(rticks, [1 2])",
)
declare_polar(
    "thetaticks",
    "ThetaTick",
    "The angles of the spokes of polar axes, in degrees.",
    "polarplot([0 1], [0 2]); thetaticks([0 90]); isequal(thetaticks, [0 90])",
)
declare_polar(
    "rticklabels",
    "RTickLabel",
    "What is written at the rings of polar axes.",
    "polarplot([0 1], [0 2]); rticks([1 2]); rticklabels({'a', 'b'}); numel(rticklabels) == 2",
)
declare_polar(
    "thetaticklabels",
    "ThetaTickLabel",
    "What is written at the spokes of polar axes.",
    "polarplot([0 1], [0 2]); thetaticks([0 90]); thetaticklabels({'e', 'n'}); "
    "numel(thetaticklabels) == 2",
)
declare_polar(
    "rtickformat",
    "RTickFormat",
    "The format of the radii of polar axes.",
    "polarplot([0 1], [0 2]); rtickformat('%.1f'); strcmp(rtickformat, '%.1f')",
)
declare_polar(
    "thetatickformat",
    "ThetaTickFormat",
    "The format of the angles of polar axes.",
    "polarplot([0 1], [0 2]); thetatickformat('%.0f'); ischar(thetatickformat)",
)
declare_polar(
    "rtickangle",
    "RTickLabelRotation",
    "The slant of the radii of polar axes.",
    "polarplot([0 1], [0 2]); rtickangle(30); rtickangle == 30",
)
