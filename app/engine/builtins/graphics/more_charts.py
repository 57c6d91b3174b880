"""Relatives of scatter plots and pies; figures that follow variables; places in pixels."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.builtins.graphics.lines import drawn, result
from app.engine.builtins.graphics.plotting_support import (
    PLOT,
    apply_options,
    figures,
    new_series,
    options_of,
    plotting_axes,
    taken_handle,
)
from app.engine.declarations.device_support import CONTAINER
from app.engine.declarations.registry import builtin
from app.engine.figures.objects import GraphicsObject, items_of
from app.engine.figures.properties import is_text, number_of, plain_text, row_value
from app.engine.figures.series_data import host_data_of
from app.engine.figures.units import normalized_frame, pixels_inside
from app.engine.values import Cell, StringArray, Value, as_array, size_of, texts_of
from app.errors import MatlabError


@builtin(
    "bubblechart3",
    least=4,
    category=PLOT,
    signatures=("h = bubblechart3(x,y,z,sizes,c)",),
    cases=("h = bubblechart3(1:3, 1:3, 1:3, 1:3); isgraphics(h)",),
    device=CONTAINER,
    see=("bubblechart", "scatter3"),
)
def bubblechart3(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Discs in space whose areas show a fourth quantity."""
    x, y, z, sizes, *rest = args
    largest = number_of(ctx.call("max", (sizes, np.zeros((0, 0)), "all"))[0]) or 1.0
    areas = ctx.call("plus", (ctx.call("times", (sizes, 900.0 / largest))[0], 30.0))[0]
    made = drawn(ctx, "scatter3", (x, y, z, areas, "filled", *rest))
    made.set("MarkerFaceAlpha", 0.6)
    return result([made], nargout)


@builtin(
    "swarmchart3",
    least=3,
    category=PLOT,
    signatures=("h = swarmchart3(x,y,z)",),
    cases=("h = swarmchart3(ones(1, 5), ones(1, 5), rand(1, 5)); isgraphics(h)",),
    device=CONTAINER,
    see=("swarmchart", "scatter3"),
)
def swarmchart3(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Markers in space, spread sideways."""
    made = drawn(ctx, "scatter3", args)
    made.values.update(XJitter="rand", YJitter="rand", XJitterWidth=0.6, YJitterWidth=0.6)
    return result([made], nargout)


def _ring(ctx: CallContext, args: tuple[Value, ...], inner: float) -> list[GraphicsObject]:
    """Shares of a whole clockwise from the top, around a hole."""
    axes, rest = plotting_axes(ctx, args)
    shares = host_data_of(ctx, rest.pop(0)).array.astype(np.float64).reshape(-1)
    names = list(texts_of(rest.pop(0))) if rest and isinstance(rest[0], Cell | StringArray) else []
    shares, made, start = shares / shares.sum(), [], np.pi / 2
    for place, share in enumerate(shares.tolist()):
        turn = np.linspace(start, start - 2 * np.pi * share, max(3, int(120 * share) + 2))
        middle, start = float(turn.mean()), float(turn[-1])
        rim = np.column_stack([np.cos(turn), np.sin(turn)])
        vertices = np.vstack([rim, inner * rim[::-1]])
        made.append(
            new_series(
                ctx,
                axes,
                "patch",
                {
                    "Vertices": vertices,
                    "Faces": np.arange(1.0, len(vertices) + 1)[None, :],
                    "FaceColor": figures(ctx).next_color(axes),
                    "EdgeColor": (1.0, 1.0, 1.0),
                },
            )
        )
        name = f"{names[place]} " if place < len(names) else ""
        note = GraphicsObject("text", figures(ctx), axes)
        note.values.update(
            String=f"{name}({100 * share:.3g}%)",
            Position=(1.12 * float(np.cos(middle)), 1.12 * float(np.sin(middle)), 0.0),
            HorizontalAlignment="left" if np.cos(middle) > 0 else "right",
        )
    axes.values.update(Visible=False, DataAspectRatioMode="manual")
    for letter in "XY":
        axes.set(f"{letter}Lim", np.array([[-1.4, 1.4]]))
    for item in made:
        apply_options(item, options_of(rest))
    return made


@builtin(
    "piechart",
    least=1,
    category=PLOT,
    signatures=("p = piechart(data,names)",),
    cases=('p = piechart([1 2 3], ["a" "b" "c"]); numel(p) == 3',),
    device=CONTAINER,
    see=("pie", "donutchart"),
)
def piechart(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Shares of a whole as slices, clockwise, with their names and percents."""
    return result(_ring(ctx, args, 0.0), nargout)


@builtin(
    "donutchart",
    least=1,
    category=PLOT,
    signatures=("d = donutchart(data,names)",),
    cases=("d = donutchart([1 2 3]); numel(d) == 3",),
    device=CONTAINER,
    see=("piechart",),
)
def donutchart(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Shares of a whole as pieces of a ring."""
    return result(_ring(ctx, args, 0.5), nargout)


@builtin(
    "rgbplot",
    least=1,
    category=PLOT,
    signatures=("rgbplot(map)",),
    see=("colormap",),
    cases=("rgbplot(jet(8)); numel(get(gca, 'Children')) == 3",),
)
def rgbplot(ctx: CallContext, table: Value) -> None:
    """The red, green and blue of a colour map as lines."""
    if size_of(table)[1:] != (3,) or size_of(table)[0] < 2:
        raise MatlabError("MATLAB:rgbplot:InvalidColormap", "The map needs three columns.")
    for item, color in zip(
        items_of(ctx.call("plot", (table,), 1)[0]), np.eye(3).tolist(), strict=True
    ):
        item["Color"] = tuple(color)


@builtin(
    "linkdata",
    category=PLOT,
    signatures=("linkdata on", "linkdata(f,'on')", "linkdata off"),
    cases=("plot(1:3); linkdata on; isgraphics(gcf)",),
    see=("refreshdata",),
)
def linkdata(ctx: CallContext, *args: Value) -> None:
    """Have the series of a figure follow the variables that their DataSource properties name,
    whenever the figure is drawn."""
    rest = list(args)
    figure = taken_handle(rest, "figure") or figures(ctx).gcf()
    word = plain_text(rest[0]).lower() if rest and is_text(rest[0]) else ""
    figure.values["LinkData"] = word == "on" or (not word and not figure.values.get("LinkData"))


@builtin(
    "getpixelposition",
    words="",
    least=1,
    category=PLOT,
    signatures=("p = getpixelposition(h)",),
    cases=("f = figure('Position', [1 2 300 200]); isequal(getpixelposition(f), [1 2 300 200])",),
    see=("setpixelposition",),
)
def getpixelposition(ctx: CallContext, item: Value, *_recursive: Value) -> Value:
    """Where an object is, in pixels of its parent."""
    (target,) = items_of(item)
    across, up = pixels_inside(target.parent)
    place = normalized_frame(target)
    return row_value(
        tuple(part * side for part, side in zip(place, (across, up, across, up), strict=True))
    )


@builtin(
    "setpixelposition",
    words="",
    least=2,
    category=PLOT,
    signatures=("setpixelposition(h,p)",),
    cases=(
        "f = figure; a = axes; setpixelposition(a, [20 30 200 100]); "
        "norm(getpixelposition(a) - [20 30 200 100]) < 1e-9",
    ),
    see=("getpixelposition",),
)
def setpixelposition(ctx: CallContext, item: Value, place: Value, *_recursive: Value) -> None:
    """Put an object somewhere, in pixels of its parent."""
    (target,) = items_of(item)
    units = target["Units"]
    target.set("Units", "pixels")
    target.set("Position", as_array(place))
    target.set("Units", units)
