"""Charts beyond the everyday: polar plots, heat maps, box plots, two axes, groups."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.builtins.graphics.lines import drawn, result
from app.engine.builtins.graphics.plotting_support import (
    COLORED,
    PLOT,
    apply_options,
    figures,
    new_series,
    options_of,
    split_axes,
    taken_handle,
)
from app.engine.declarations.device_support import CONTAINER
from app.engine.declarations.registry import builtin
from app.engine.figures.colors import COLOR_ORDER
from app.engine.figures.computed_properties import color_rows
from app.engine.figures.figure_data import HostData
from app.engine.figures.mark_geometry import Geometry
from app.engine.figures.objects import GraphicsArray, GraphicsObject, items_of
from app.engine.figures.properties import number_of
from app.engine.figures.series_index import color_sides
from app.engine.values import Array, Value, as_array, canonical
from app.errors import MatlabError

# --- statistics ---------------------------------------------------------------------------


@builtin(
    "lsline",
    category=PLOT,
    signatures=("h = lsline", "h = lsline(ax)"),
    cases=(
        "scatter(1:3, [1 2 4]); lsline; numel(get(gca, 'Children')) == 2",
        "ax = subplot(1, 2, 1); plot(1:3, [1 3 5], 'o'); subplot(1, 2, 2);"
        " h = lsline(ax); isequal(ancestor(h, 'axes'), ax)",
    ),
    see=("polyfit", "refline"),
)
def lsline(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Add the least-squares line of every scatter plot in the axes."""
    axes, rest = split_axes(ctx, args)
    if rest:
        raise MatlabError("MATLAB:maxrhs", "Too many input arguments.")
    made = []
    for item in list(axes.children):
        if item.kind.name in ("scatter", "line"):
            slope, offset = _least_squares(Geometry(ctx), item)
            ends = np.array([item["XData"].limits() or (0.0, 1.0)])
            data = {"XData": HostData(ends), "YData": HostData(slope * ends + offset)}
            made.append(new_series(ctx, axes, "line", data))
    return result(made, nargout)


def _least_squares(geometry: Geometry, item: GraphicsObject) -> tuple[float, float]:
    """Slope and offset of the line through points: a few sums, wherever the points are."""
    x, y = (geometry.column(item[name].value()) for name in ("XData", "YData"))
    middles = [geometry.number("mean", part) for part in (x, y)]
    away = [geometry("minus", part, middle) for part, middle in zip((x, y), middles, strict=True)]
    products = [geometry.number("sum", geometry("times", away[0], part)) for part in away]
    slope = products[1] / products[0] if products[0] else 0.0
    return slope, middles[1] - slope * middles[0]


@builtin(
    "viscircles",
    category=PLOT,
    least=2,
    see=("rectangle",),
    signatures=("h = viscircles(centers,radii,Name,Value)",),
    cases=("h = viscircles([1 2], 3); numel(get(h, 'Children')) >= 0",),
)
def viscircles(
    ctx: CallContext, centers: Value, radii: Value, *options: Value, nargout: int = 0
) -> Value:
    """Draw circles over an image or a plot."""
    axes, _rest = split_axes(ctx, ())
    turn = np.linspace(0, 2 * np.pi, 181)
    places = as_array(centers).astype(np.float64).reshape(-1, 2)
    sizes = np.broadcast_to(as_array(radii).astype(np.float64).reshape(-1), len(places))
    gap = np.full((len(places), 1), np.nan)
    x, y = (
        np.hstack([places[:, k : k + 1] + sizes[:, None] * way(turn), gap]).reshape(1, -1)
        for k, way in enumerate((np.cos, np.sin))
    )
    made = new_series(
        ctx,
        axes,
        "line",
        {
            "XData": HostData(x),
            "YData": HostData(y),
            "Color": (1.0, 0.0, 0.0),
            "LineWidth": 2.0,
        },
    )
    names = {"edgecolor": "Color", "color": "Color"}
    apply_options(
        made,
        [
            (names.get(n.lower(), n), v)
            for n, v in options_of(options)
            if n.lower() != "enhancevisibility"
        ],
    )
    return result([made], nargout)


@builtin(
    "bubblechart",
    category=PLOT,
    signatures=("h = bubblechart(x,y,sizes,c)",),
    cases=("bubblechart(1:3, 4:6, [10 20 30]); ~isempty(get(gca, 'Children'))",),
    device=CONTAINER,
    see=("scatter",),
)
def bubblechart(
    ctx: CallContext, x: Value, y: Value, sizes: Value, *rest: Value, nargout: int = 0
) -> Value:
    """Scatter plot with discs whose areas show a third quantity."""
    largest = number_of(ctx.call("max", (sizes, np.zeros((0, 0)), "all"))[0]) or 1.0
    areas = ctx.call("plus", (ctx.call("times", (sizes, 900.0 / largest))[0], 30.0))[0]
    made = drawn(ctx, "scatter", (x, y, areas, "filled", *rest))
    made.set("MarkerFaceAlpha", 0.6)
    return result([made], nargout)


# --- axes ---------------------------------------------------------------------------------


@builtin(
    "plotyy",
    category=PLOT,
    signatures=("[ax,h1,h2] = plotyy(x1,y1,x2,y2)",),
    cases=("[ax, a, b] = plotyy(1:3, 1:3, 1:3, 10:10:30); isgraphics(a) && isgraphics(b)",),
    see=("yyaxis",),
)
def plotyy(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw two lines against two y axes (older form of yyaxis)."""
    if len(args) < 4:
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    axes, _rest = split_axes(ctx, ())
    figures(ctx).reset(axes)
    ctx.call("yyaxis", ("left",), 0)
    first = ctx.call("plot", args[:2], 1)[0]
    ctx.call("yyaxis", ("right",), 0)
    second = ctx.call("plot", args[2:4], 1)[0]
    ctx.call("yyaxis", ("left",), 0)
    return (GraphicsArray([axes, axes], (1, 2)), first, second) if nargout else None


def _order_of(value: Value) -> Array:
    """The colours of an order: a matrix, names or codes, or the name of a whole order."""
    if isinstance(value, str) and value.lower() in ("default", "gem", "gem12"):
        return np.array(COLOR_ORDER)
    return color_rows(value)


@builtin(
    "colororder",
    category=PLOT,
    signatures=("colororder(C)", "C = colororder"),
    cases=("isequal(size(colororder, 2), 3)",),
    see=("plot",),
)
def colororder(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """The colours that successive lines take."""
    rest = list(args)
    holder = taken_handle(rest, "axes", "figure") or figures(ctx).gcf()
    shown = [holder] if holder.has("XLim") else [c for c in holder.children if c.has("XLim")]
    if rest:
        holder["ColorOrder"] = order = _order_of(rest[0])
        for axes in shown:
            _recolor(axes, order)
    order = holder["ColorOrder"]
    return canonical(np.array(COLOR_ORDER) if order is None else order) if nargout else None


def _recolor(axes: GraphicsObject, order: Array) -> None:
    """Give the series of axes the colours of an order: one for each side where there are two."""
    if axes.two_sided:
        axes["ColorOrder"] = order
        color_sides(axes)
    for place, child in enumerate(c for c in axes.children if c.kind.name in COLORED):
        name = "Color" if child.has("Color") else "FaceColor"
        taken = int(child["YAxisSide"] == "right") if axes.two_sided else place
        child[name] = tuple(map(float, order[taken % len(order)]))


@builtin(
    "copyobj",
    category=PLOT,
    signatures=("h = copyobj(obj,parent)",),
    cases=("h = plot(1:3); g = copyobj(h, axes(figure)); isequal(g.YData, 1:3)",),
    see=("findobj",),
)
def copyobj(ctx: CallContext, items: Value, parent: Value) -> Value:
    """Copy graphics objects into another parent."""
    things, targets = items_of(items), items_of(parent)
    if len(things) > 1 and len(targets) > 1 and len(things) != len(targets):
        text = "There must be one parent, or one for every object."
        raise MatlabError("MATLAB:copyobj:SizeMismatch", text)
    if len(things) == 1 or len(targets) == 1:
        pairs = [(item, target) for target in targets for item in things]
    else:
        pairs = list(zip(things, targets, strict=True))
    for item, target in pairs:
        if item is target or item in target.ancestors():
            text = f"A {item.kind.name} cannot be copied into itself."
            raise MatlabError("MATLAB:copyobj:InvalidParent", text)
    made = [_copy_of(ctx, item, target) for item, target in pairs]
    return made[0] if len(made) == 1 else GraphicsArray(made)


def _copy_of(ctx: CallContext, item: GraphicsObject, parent: GraphicsObject) -> GraphicsObject:
    made = GraphicsObject(item.kind.name, figures(ctx), parent)
    made.values = dict(item.values)
    for name, part in item.parts.items():
        copy = GraphicsObject(part.kind.name, figures(ctx))
        copy.parent, copy.values = made, dict(part.values)
        made.parts[name] = copy
    for child in item.children:
        _copy_of(ctx, child, made)
    made.touch()
    return made


@builtin(
    "movegui",
    category=PLOT,
    signatures=("movegui(f,position)",),
    cases=("f = figure; movegui(f, 'center'); isgraphics(f)",),
    see=("figure",),
)
def movegui(ctx: CallContext, *_args: Value) -> None:
    """Place a figure window; figures have their places in the panel, so nothing moves."""
