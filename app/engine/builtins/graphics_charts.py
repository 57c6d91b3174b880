"""Charts beyond the everyday: polar plots, heat maps, box plots, two axes, groups."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.builtins.context import CallContext
from app.engine.builtins.device import CONTAINER
from app.engine.builtins.graphics_data import fetched
from app.engine.builtins.graphics_lines import plot_groups, result
from app.engine.builtins.graphics_support import (
    PLOT,
    apply_options,
    figures,
    first_text,
    is_handle,
    new_series,
    plotting_axes,
    split_axes,
)
from app.engine.builtins.registry import builtin
from app.engine.figures.colors import COLOR_ORDER
from app.engine.figures.data import HostData
from app.engine.figures.objects import GraphicsArray, GraphicsObject, items_of
from app.engine.figures.properties import is_text, number_of, plain_text
from app.engine.figures.ticks import linear_limits, linear_ticks
from app.engine.values import Array, Cell, Value, as_array, canonical, numel
from app.errors import MatlabError

# --- polar plots --------------------------------------------------------------------------


def polar_grid(ctx: CallContext, axes: GraphicsObject, most: float) -> None:
    """Circles, spokes and their labels around the origin."""
    outer = linear_limits(0.0, most * (1 - 1e-6), 5)[1]
    rings = [r for r in linear_ticks((0.0, outer), 5) if r > 0]
    turn = np.linspace(0, 2 * np.pi, 181)
    faint: dict[str, Any] = {"Color": (0.72, 0.72, 0.74), "HandleVisibility": "off",
                             "LineWidth": 0.25}  # fmt: skip
    for ring in rings:
        new_series(
            ctx,
            axes,
            "line",
            {
                "XData": HostData(ring * np.cos(turn)[None, :]),
                "YData": HostData(ring * np.sin(turn)[None, :]),
                **faint,
            },
        )
        _note(ctx, axes, ring * 0.98, ring * 0.18, f"{ring:g}", 0.8)
    for degrees in range(0, 360, 30):
        x, y = outer * np.cos(np.radians(degrees)), outer * np.sin(np.radians(degrees))
        new_series(
            ctx,
            axes,
            "line",
            {
                "XData": HostData(np.array([[0.0, x]])),
                "YData": HostData(np.array([[0.0, y]])),
                **faint,
            },
        )
        _note(ctx, axes, 1.1 * x, 1.1 * y, f"{degrees}°", 1.0)
    for letter in "XY":
        axes.set(f"{letter}Lim", np.array([[-1.25 * outer, 1.25 * outer]]))
    axes.values.update(Visible=False, DataAspectRatioMode="manual", ColorOrderIndex=1.0)


def _note(
    ctx: CallContext, axes: GraphicsObject, x: float, y: float, text: str, size: float
) -> None:
    made = GraphicsObject("text", figures(ctx), axes)
    made.values.update(Position=(float(x), float(y), 0.0), String=text, FontSize=10 * size,
                       HorizontalAlignment="center", HandleVisibility="off")  # fmt: skip


def _polar(ctx: CallContext, args: tuple[Value, ...]) -> list[GraphicsObject]:
    axes, rest = plotting_axes(ctx, args)
    groups, options = plot_groups(rest, 2)
    radii = [fetched(ctx, data[-1]).array for data, _style in groups]
    finite = [abs(r[np.isfinite(r)]).max() for r in radii if np.isfinite(r).any()]
    if not axes.children:
        polar_grid(ctx, axes, float(max(finite, default=1.0)) or 1.0)
    made = []
    for (data, style), radius in zip(groups, radii, strict=True):
        r = radius.astype(np.float64).reshape(-1, order="F")
        if len(data) == 2:
            theta = fetched(ctx, data[0]).array.astype(np.float64).reshape(-1, order="F")
        else:
            theta = np.linspace(0, 2 * np.pi, r.size)
        x, y = r * np.cos(theta), r * np.sin(theta)
        kept = {"XData": HostData(x[None, :]), "YData": HostData(y[None, :]), **style}
        made.append(new_series(ctx, axes, "line", kept))
    for item in made:
        apply_options(item, options)
    return made


@builtin("polarplot", category=PLOT, signatures=("h = polarplot(theta,rho,LineSpec)",),
         device=CONTAINER, see=("plot",))  # fmt: skip
def polarplot(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw lines in polar coordinates, on axes with circles and spokes."""
    return result(_polar(ctx, args), nargout)


@builtin("polar", category=PLOT, signatures=("h = polar(theta,rho,LineSpec)",), device=CONTAINER,
         see=("polarplot",))  # fmt: skip
def polar(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw lines in polar coordinates (older name of polarplot)."""
    return result(_polar(ctx, args), nargout)


@builtin("compass", category=PLOT, signatures=("compass(U,V)",), device=CONTAINER, see=("quiver",))
def compass(ctx: CallContext, u: Value, v: Value) -> None:
    """Draw arrows from the origin on polar axes."""
    across, up = (fetched(ctx, value).array.astype(np.float64).reshape(1, -1) for value in (u, v))
    axes, _rest = plotting_axes(ctx, ())
    polar_grid(ctx, axes, float(np.hypot(across, up).max()))
    zero = HostData(np.zeros_like(across))
    new_series(ctx, axes, "quiver", {"XData": zero, "YData": zero, "UData": HostData(across),
                                     "VData": HostData(up), "AutoScale": False})  # fmt: skip


# --- statistics ---------------------------------------------------------------------------


@builtin("histogram2", category=PLOT, signatures=("h = histogram2(X,Y,nbins)",), device=CONTAINER,
         see=("histogram", "heatmap"))  # fmt: skip
def histogram2(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Show how pairs of values are distributed, as an image of counts."""
    axes, rest = plotting_axes(ctx, args)
    x, y = (fetched(ctx, rest.pop(0)).array.astype(np.float64).reshape(-1) for _ in range(2))
    bins = [20, 20]
    if rest and not is_text(rest[0]):
        given = [int(v) for v in as_array(rest.pop(0)).reshape(-1)]
        bins = given * 2 if len(given) == 1 else given[:2]
    keep = np.isfinite(x) & np.isfinite(y)
    counts, edges_x, edges_y = np.histogram2d(x[keep], y[keep], bins=bins)
    centres = [(edges[:-1] + edges[1:]) / 2 for edges in (edges_x, edges_y)]
    made = new_series(ctx, axes, "image", {
        "CData": HostData(np.asfortranarray(counts.T)), "CDataMapping": "scaled",
        "XData": HostData(centres[0][None, :]), "YData": HostData(centres[1][None, :]),
    })  # fmt: skip
    axes.values.update(Box=True, Layer="top")
    return result([made], nargout)


@builtin("heatmap", category=PLOT, signatures=("h = heatmap(C)", "heatmap(xnames,ynames,C)"),
         device=CONTAINER, see=("imagesc",))  # fmt: skip
def heatmap(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Show a matrix as coloured cells with their numbers."""
    axes, rest = plotting_axes(ctx, args)
    count = first_text([a for a in rest if not isinstance(a, Cell)])
    names = [rest.pop(0), rest.pop(0)] if count == 3 or isinstance(rest[0], Cell) else []
    table = fetched(ctx, rest.pop(0)).array.astype(np.float64)
    made = new_series(ctx, axes, "image", {"CData": HostData(table), "CDataMapping": "scaled"})
    for letter, size, labels in zip("XY", table.shape[::-1], names or (None, None), strict=True):
        axes.set(f"{letter}Tick", np.arange(1.0, size + 1)[None, :])
        if labels is not None:
            axes.set(f"{letter}TickLabel", labels)
    if table.size <= 400:
        _write_cells(ctx, axes, table)
    axes.values.update(YDir="reverse", Layer="top", Box=True)
    figures(ctx).attach(axes, "colorbar", "Colorbar").touch()
    return result([made], nargout)


def _write_cells(ctx: CallContext, axes: GraphicsObject, table: Array) -> None:
    """The number of every cell, dark on bright colours."""
    low, high = float(np.nanmin(table)), float(np.nanmax(table))
    for (row, column), value in np.ndenumerate(table):
        note = GraphicsObject("text", figures(ctx), axes)
        bright = (value - low) / ((high - low) or 1.0) > 0.6
        note.values.update(Position=(column + 1.0, row + 1.0, 0.0), String=f"{value:.4g}",
                           HorizontalAlignment="center", FontSize=9.0, HandleVisibility="off",
                           Color=(0.1, 0.1, 0.1) if bright else (1.0, 1.0, 1.0))  # fmt: skip


@builtin("boxplot", category=PLOT, signatures=("boxplot(X)",), device=CONTAINER,
         see=("boxchart", "histogram"))  # fmt: skip
def boxplot(ctx: CallContext, *args: Value) -> None:
    """Show median, quartiles, range and outliers of every column."""
    axes, rest = plotting_axes(ctx, args)
    table = fetched(ctx, rest[0]).array.astype(np.float64)
    table = table.reshape(-1, 1) if 1 in table.shape else table
    for k in range(table.shape[1]):
        _box(ctx, axes, k + 1.0, table[:, k])
    axes.set("XTick", np.arange(1.0, table.shape[1] + 1)[None, :])
    axes.set("XLim", np.array([[0.5, table.shape[1] + 0.5]]))
    axes["Box"] = True


@builtin("boxchart", category=PLOT, signatures=("boxchart(Y)",), device=CONTAINER,
         see=("boxplot",))  # fmt: skip
def boxchart(ctx: CallContext, *args: Value) -> None:
    """Show median, quartiles, range and outliers of every column."""
    boxplot(ctx, *args)


def _box(ctx: CallContext, axes: GraphicsObject, place: float, column: Array) -> None:
    values = column[np.isfinite(column)]
    if not values.size:
        return
    low, middle, high = np.percentile(values, [25, 50, 75], method="hazen")
    reach = 1.5 * (high - low)
    inside = values[(values >= low - reach) & (values <= high + reach)]
    blue, red = COLOR_ORDER[0], COLOR_ORDER[1]
    half = 0.25
    square = [[place - half, place + half, place + half, place - half, place - half],
              [low, low, high, high, low]]  # fmt: skip
    strokes = [(square, blue, "-"), ([[place - half, place + half], [middle] * 2], red, "-")]
    for end, edge in ((inside.min(), low), (inside.max(), high)):
        strokes.append(([[place, place], [edge, end]], blue, "--"))
        strokes.append(([[place - half / 2, place + half / 2], [end, end]], blue, "-"))
    for (x, y), color, style in strokes:
        new_series(ctx, axes, "line", {
            "XData": HostData(np.array([x], dtype=float)), "Color": color, "LineStyle": style,
            "YData": HostData(np.array([y], dtype=float)),
        })  # fmt: skip
    outside = values[(values < low - reach) | (values > high + reach)]
    if outside.size:
        new_series(ctx, axes, "line", {
            "XData": HostData(np.full((1, outside.size), place)), "Color": red, "Marker": "+",
            "YData": HostData(outside[None, :]), "LineStyle": "none",
        })  # fmt: skip


@builtin("gscatter", category=PLOT, signatures=("gscatter(x,y,group)",), see=("scatter",))
def gscatter(ctx: CallContext, x: Value, y: Value, group: Value, *_style: Value) -> None:
    """Scatter plot with a colour per group."""
    axes, _rest = plotting_axes(ctx, ())
    names, numbers = _groups(group)
    across, up = (as_array(value).astype(np.float64).reshape(-1) for value in (x, y))
    for k, name in enumerate(names):
        pick = numbers == k
        new_series(ctx, axes, "line", {
            "XData": HostData(across[pick][None, :]), "YData": HostData(up[pick][None, :]),
            "LineStyle": "none", "Marker": ".", "MarkerSize": 15.0, "DisplayName": name,
        })  # fmt: skip
    axes["Box"] = True
    figures(ctx).attach(axes, "legend", "Legend").touch()


def _groups(group: Value) -> tuple[list[str], Array]:
    if isinstance(group, Cell):
        texts = [plain_text(item) for item in group.items()]
    elif is_text(group):
        texts = list(plain_text(group))
    else:
        texts = [f"{number:g}" for number in as_array(group).reshape(-1)]
    names = list(dict.fromkeys(texts))
    return names, np.array([names.index(text) for text in texts])


@builtin("lsline", category=PLOT, signatures=("lsline",), see=("polyfit", "refline"))
def lsline(ctx: CallContext) -> None:
    """Add the least-squares line of every scatter plot in the axes."""
    axes = figures(ctx).gca()
    for item in list(axes.children):
        if item.kind.name in ("scatter", "line"):
            x, y = (item[n].host().reshape(-1).astype(np.float64) for n in ("XData", "YData"))
            slope, offset = np.polyfit(x, y, 1)
            ends = np.array([[x.min(), x.max()]])
            new_series(
                ctx,
                axes,
                "line",
                {"XData": HostData(ends), "YData": HostData(slope * ends + offset)},
            )


@builtin("bubblechart", category=PLOT, signatures=("bubblechart(x,y,sizes,c)",), see=("scatter",))
def bubblechart(ctx: CallContext, x: Value, y: Value, sizes: Value, *rest: Value) -> None:
    """Scatter plot with discs whose areas show a third quantity."""
    weights = as_array(sizes).astype(np.float64)
    areas = 30 + 900 * weights / (float(np.nanmax(weights)) or 1.0)
    ctx.call("scatter", (x, y, areas, *rest, "filled"), 0)
    figures(ctx).gca().children[-1].set("MarkerFaceAlpha", 0.6)


# --- axes ---------------------------------------------------------------------------------


@builtin("plotyy", category=PLOT, signatures=("[ax,h1,h2] = plotyy(x1,y1,x2,y2)",),
         see=("yyaxis",))  # fmt: skip
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


@builtin("colororder", category=PLOT, signatures=("colororder(C)", "C = colororder"), see=("plot",))
def colororder(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """The colours that successive lines take."""
    axes, rest = split_axes(ctx, args)
    if rest and not is_text(rest[0]):
        axes["ColorOrder"] = as_array(rest[0]).astype(np.float64)
        for place, child in enumerate(c for c in axes.children if c.has("Color")):
            child["Color"] = tuple(map(float, axes["ColorOrder"][place % len(axes["ColorOrder"])]))
    order = axes["ColorOrder"]
    return canonical(np.array(COLOR_ORDER) if order is None else order) if nargout else None


@builtin("copyobj", category=PLOT, signatures=("h = copyobj(obj,parent)",), see=("findobj",))
def copyobj(ctx: CallContext, items: Value, parent: Value) -> Value:
    """Copy graphics objects into another parent."""
    (target,) = items_of(parent)
    made = [_copied(ctx, item, target) for item in items_of(items)]
    return made[0] if len(made) == 1 else GraphicsArray(made)


def _copied(ctx: CallContext, item: GraphicsObject, parent: GraphicsObject) -> GraphicsObject:
    made = GraphicsObject(item.kind.name, figures(ctx), parent)
    made.values = dict(item.values)
    for name, part in item.parts.items():
        copy = GraphicsObject(part.kind.name, figures(ctx))
        copy.parent, copy.values = made, dict(part.values)
        made.parts[name] = copy
    for child in item.children:
        _copied(ctx, child, made)
    made.touch()
    return made


def _tool(name: str, help_text: str) -> None:
    """Declare a function that turns a mouse tool of figures on or off."""

    @builtin(name, category=PLOT, signatures=(f"{name} on", f"{name} off"), see=("figure",),
             text=help_text)  # fmt: skip
    def switch(ctx: CallContext, *_args: Value) -> None:
        figures(ctx).gcf()


def declare_tool(name: str) -> None:
    """A mouse tool: always there in the figure panel, so nothing has to be switched."""
    _tool(name, f"The mouse tool {name}; figures offer it at any time.")


declare_tool("zoom")
declare_tool("pan")
declare_tool("rotate3d")
declare_tool("datacursormode")
declare_tool("brush")
declare_tool("plotedit")


@builtin("movegui", category=PLOT, signatures=("movegui(f,position)",), see=("figure",))
def movegui(ctx: CallContext, *_args: Value) -> None:
    """Place a figure window; figures have their places in the panel, so nothing moves."""


@builtin("alpha", category=PLOT, signatures=("alpha(value)",), see=("surf", "patch"))
def alpha(ctx: CallContext, *args: Value) -> None:
    """Make the faces of the axes transparent."""
    axes, rest = split_axes(ctx, args)
    targets = items_of(rest.pop(0)) if is_handle(rest[0]) else axes.children
    given = rest[0]
    if is_text(given):  # the command form: alpha 0.5
        given = ctx.call("str2double", (given,))[0]
    for item in targets:
        for name in ("FaceAlpha", "AlphaData", "MarkerFaceAlpha"):
            if item.has(name):
                item.set(name, number_of(given))


@builtin("waitbar", category=PLOT, signatures=("h = waitbar(x,message)", "waitbar(x,h,message)"),
         see=("drawnow",))  # fmt: skip
def waitbar(ctx: CallContext, fraction: Value, *args: Value, nargout: int = 0) -> Value:
    """Show progress as a bar in a small figure."""
    part = min(max(number_of(fraction), 0.0), 1.0) if numel(fraction) else 0.0
    model = figures(ctx)
    before = model.current
    holder = args[0] if args and is_handle(args[0], "figure") else None
    bar = holder if holder is not None else _new_waitbar(ctx)
    texts = [plain_text(arg) for arg in args if is_text(arg)]
    axes = bar.children[0]
    axes.children[0]["YData"] = HostData(np.array([[part]]))
    if texts:
        model.part(axes, "Title").set("String", texts[0])
    if before is not None and before.alive and before is not bar:
        model.activate(before)
    model.draw_now()
    return bar if nargout or holder is None else None


def _new_waitbar(ctx: CallContext) -> GraphicsObject:
    """A figure with one horizontal bar."""
    model = figures(ctx)
    made = model.figure()
    made.values.update(Name="Progress", NumberTitle=False, Position=(100.0, 100.0, 360.0, 75.0))
    axes = model.new_axes(made)
    new_series(ctx, axes, "bar", {
        "XData": HostData(np.array([[1.0]])), "YData": HostData(np.array([[0.0]])),
        "Horizontal": True, "XWidth": 0.8,
    })  # fmt: skip
    axes.set("XLim", np.array([[0.0, 1.0]]))
    axes.values.update(YTickMode="manual", Box=True)
    return made
