"""Bars, histograms, scatter plots, pies and arrows."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import MATRIX, NONEMPTY, NUMBERS, enough, takes
from app.engine.builtins.graphics.lines import result
from app.engine.builtins.graphics.plotting_support import (
    PLOT,
    apply_options,
    figures,
    first_text,
    new_series,
    options_of,
    plottable,
    plotting_axes,
    split_axes,
    take_flag,
    take_linespec,
    take_scale,
)
from app.engine.builtins.graphics.polygon_vertices import patch_vertices
from app.engine.declarations.device_support import CONTAINER
from app.engine.declarations.registry import builtin
from app.engine.figures.colors import named_color
from app.engine.figures.data_arithmetic import combine_data
from app.engine.figures.figure_data import HostData, RangeData, ResidentData, SeriesData
from app.engine.figures.mark_geometry import Geometry
from app.engine.figures.objects import GraphicsObject
from app.engine.figures.properties import is_text, number_of, plain_text
from app.engine.figures.series_data import (
    data_of,
    device_data_of,
    host_data_of,
    matching_pair,
    paired_columns,
    table_of,
    together,
    value_shape,
)
from app.engine.values import (
    EMPTY,
    Value,
    as_array,
    host,
    is_cellstr,
    is_string,
    numel,
    size_of,
)
from app.errors import MatlabError

# --- bars ---------------------------------------------------------------------------------


Pair = tuple[SeriesData, SeriesData]
"""Places and heights of one series."""


def _bar_arguments(ctx: CallContext, rest: list[Value]) -> tuple[list[Pair], float, list[Value]]:
    """Places and heights of every series, width, and what is left."""
    count = first_text(rest)
    values = rest[:count]
    enough(values, 1)
    width = 0.8
    if len(values) > 1 and numel(values[-1]) == 1 and (len(values) == 3 or numel(values[0]) > 1):
        width = number_of(values.pop())
    if len(values) > 2:
        raise MatlabError("MATLAB:maxrhs", "Too many input arguments.")
    x, y = values if len(values) > 1 else (None, values[0])
    if x is not None and numel(x) not in value_shape(y) and numel(x) != numel(y):
        raise MatlabError("MATLAB:bar:XYLength", "X must be same length as Y.")
    return paired_columns(ctx, x, y), width, rest[count:]


def _bar_spacing(ctx: CallContext, places: SeriesData) -> float:
    """The least way from one bar to the next."""
    if places.size < 2 or isinstance(places, RangeData):
        return 1.0
    if isinstance(places, ResidentData):
        steps = ctx.call("diff", (places.value(),))[0]
        return abs(number_of(ctx.call("min", (steps,))[0]))
    return float(np.diff(np.sort(places.host().reshape(-1).astype(np.float64))).min())


def _bar_series(
    ctx: CallContext, axes: GraphicsObject, rest: list[Value], horizontal: bool
) -> list[GraphicsObject]:
    style = take_flag(rest, "stacked", "grouped") or "grouped"
    pairs, width, options = _bar_arguments(ctx, rest)
    kept: dict[str, Any] = {"Horizontal": horizontal, "BarWidth": width, "BarLayout": style}
    if len(options) % 2 and named_color(plain_text(options[0])) is not None:
        kept["FaceColor"] = named_color(plain_text(options.pop(0)))
    spacing = _bar_spacing(ctx, pairs[0][0])
    heights = [y for _x, y in pairs]
    stacked = style == "stacked"
    floors, tops = _stacked_ends(heights) if stacked else ([None] * len(pairs), heights)
    made = []
    for column, (x, _y) in enumerate(pairs):
        place = _bar_place(column, len(pairs), spacing, kept)
        item = new_series(
            ctx,
            axes,
            "bar",
            {
                **kept,
                **place,
                "XData": x,
                "YData": tops[column],
                "YBase": floors[column],
            },
        )
        apply_options(item, options_of(options))
        made.append(item)
    _tick_bars(axes, pairs[0][0], "Y" if horizontal else "X")
    return made


MOST_TICKS = 15
"""Few bars have a tick each."""


def _tick_bars(axes: GraphicsObject, places: SeriesData, letter: str) -> None:
    """A tick at every bar, where there are few and the script has not said where ticks are."""
    if (
        isinstance(places, ResidentData)
        or places.size > MOST_TICKS
        or (
            axes["NextPlot"] == "add"
            or axes[f"{letter}TickMode"] == "manual"
            or axes[f"{letter}TickFormat"]
        )
    ):
        return
    axes[f"{letter}Tick"] = tuple(np.unique(places.host()).astype(np.float64).tolist())
    axes[f"{letter}TickMode"] = "manual"


def _is_list_of_texts(v: Value) -> bool:
    return is_cellstr(v) or (is_string(v) and numel(v) > 1)


def _with_categories(ctx: CallContext, args: tuple[Value, ...]) -> tuple[Value, ...]:
    """The arguments; texts for places are categories in the order in which they come."""
    first = 1 if args and isinstance(args[0], GraphicsObject) else 0
    if (
        len(args) < first + 2
        or not _is_list_of_texts(args[first])
        or not plottable(args[first + 1])
    ):
        return args
    names = args[first]
    return (*args[:first], ctx.call("categorical", (names, names))[0], *args[first + 1 :])


def _bar_place(column: int, count: int, spacing: float, kept: dict[str, Any]) -> dict[str, float]:
    """How wide a series' bars are and where: beside those of others, or over them."""
    if kept["BarLayout"] == "stacked":
        return {"XWidth": kept["BarWidth"] * spacing, "XOffset": 0.0}
    slot = spacing * (0.8 if count > 1 else 1.0) / count
    return {
        "XWidth": slot * (kept["BarWidth"] if count == 1 else 0.9),
        "XOffset": (column - (count - 1) / 2) * slot,
    }


def _stacked_ends(heights: list[SeriesData]) -> tuple[list[SeriesData | None], list[SeriesData]]:
    """Where the bars of every series begin and end, those below zero on the other side."""
    if any(isinstance(data, ResidentData) for data in heights):
        tops = list(itertools.accumulate(heights, lambda a, b: combine_data("plus", a, b)))
        return [None, *tops[:-1]], tops
    table = np.column_stack([data.host().reshape(-1).astype(np.float64) for data in heights])
    up, down = np.cumsum(np.maximum(table, 0), axis=1), np.cumsum(np.minimum(table, 0), axis=1)
    ends = np.where(table >= 0, up, down)
    columns = range(table.shape[1])
    return [HostData((ends - table)[None, :, k]) for k in columns], [
        HostData(ends[None, :, k]) for k in columns
    ]


@builtin(
    "bar",
    least=1,
    category=PLOT,
    signatures=("h = bar(X,Y,width,style)", "bar(Y)"),
    device=CONTAINER,
    cases=("h = bar([3 1 2]); isequal(h.YData, [3 1 2])",),
    see=("barh", "histogram"),
)
def bar(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw bars; the columns of a matrix are grouped, or stacked with 'stacked'."""
    axes, rest = plotting_axes(ctx, _with_categories(ctx, args))
    made = _bar_series(ctx, axes, rest, horizontal=False)
    axes["Box"] = True
    return result(made, nargout)


@builtin(
    "barh",
    least=1,
    category=PLOT,
    signatures=("h = barh(Y,X,width,style)",),
    device=CONTAINER,
    cases=("h = barh([3 1 2]); strcmp(h.Horizontal, 'on')",),
    see=("bar",),
)
def barh(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw horizontal bars."""
    axes, rest = plotting_axes(ctx, _with_categories(ctx, args), "YX")
    made = _bar_series(ctx, axes, rest, horizontal=True)
    axes["Box"] = True
    return result(made, nargout)


# --- scatter ------------------------------------------------------------------------------


def _scatter_colors(kept: dict[str, Any], value: Value) -> None:
    if is_text(value):
        color = named_color(plain_text(value))
        if color is not None:
            kept["CData"] = HostData(np.array([color]))
        return
    kept["CData"] = HostData(as_array(host(value, "plot")).astype(np.float64))


def _one_color(colors: Value) -> bool:
    return colors is None or numel(colors) == 3


def _scatter_places(ctx: CallContext, places: list[Value], *, plain: bool) -> dict[str, Any]:
    """The coordinates: left on the device where all markers are alike."""
    data: list[Any] = [data_of(ctx, v) if plain else host_data_of(ctx, v) for v in places]
    if len({item.size for item in data}) != 1:
        raise MatlabError(
            "MATLAB:scatter:InvalidData", "X and Y must be vectors of the same length."
        )
    if len(data) == 2:
        data = list(matching_pair(ctx, data[0], data[1]))
    elif plain:
        data = together(ctx, *data)
    return {f"{letter}Data": item for letter, item in zip("XYZ", data, strict=False)}


def _resident_places(
    ctx: CallContext, places: list[Value], own: dict[str, Value]
) -> dict[str, Any] | None:
    """Coordinates, and values or sizes per marker, all on the device; None where they are not."""
    kept: dict[str, Any] = _scatter_places(ctx, places, plain=True)
    for name, value in own.items():
        data = data_of(ctx, value)
        if not isinstance(kept["YData"], ResidentData) or data.size != kept["YData"].size:
            return None
        if isinstance(data, HostData):
            data = device_data_of(ctx, data) or data
        if not isinstance(data, ResidentData):
            return None
        kept[name] = data
    return kept


def _scatter(ctx: CallContext, args: tuple[Value, ...], letters: str) -> GraphicsObject:
    axes, rest = plotting_axes(ctx, args)
    filled = bool(take_flag(rest, "filled", "fill"))
    enough(rest, len(letters))
    places = [rest.pop(0) for _letter in letters]
    sizes = rest.pop(0) if rest and plottable(rest[0]) else EMPTY
    colors = rest.pop(0) if rest and plottable(rest[0]) else None
    own: dict[str, Value] = {} if _one_color(colors) else {"CData": colors}
    if numel(sizes) > 1:
        own["SizeData"] = sizes
    kept = _resident_places(ctx, places, own)
    if kept is None:
        kept = _scatter_places(ctx, places, plain=False)
    if colors is not None and "CData" not in kept:
        _scatter_colors(kept, colors)
    if "SizeData" not in kept:
        kept["SizeData"] = host_data_of(ctx, sizes) if numel(sizes) else None
    spec = {**take_linespec(rest, 0), **take_linespec(rest, 0)}
    if "Marker" in spec:
        kept["Marker"] = spec["Marker"]
    if "Color" in spec:
        kept["CData"] = HostData(np.array([spec["Color"]]))
    if filled:
        kept.update(MarkerFaceColor="flat", MarkerEdgeColor="none")
    made = new_series(ctx, axes, "scatter", kept)
    apply_options(made, options_of(rest))
    if axes["NextPlot"] != "add":
        axes["Box"] = letters == "XY"
    return made


@builtin(
    "scatter",
    least=2,
    category=PLOT,
    signatures=("h = scatter(X,Y,S,C,'filled')",),
    device=CONTAINER,
    cases=("h = scatter(1:3, 4:6, 20, 'filled'); isequal(h.XData, 1:3)",),
    see=("plot", "scatter3"),
)
def scatter(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw markers at points; S gives areas in square points, C colours."""
    return result([_scatter(ctx, args, "XY")], nargout)


@builtin(
    "scatter3",
    least=3,
    category=PLOT,
    signatures=("h = scatter3(X,Y,Z,S,C)",),
    device=CONTAINER,
    cases=("h = scatter3(1:3, 4:6, 7:9); isequal(h.ZData, 7:9)",),
    see=("scatter", "plot3"),
)
def scatter3(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw markers at points in space."""
    from app.engine.builtins.graphics.lines import view_in_space

    made = _scatter(ctx, args, "XYZ")
    view_in_space(figures(ctx).gca())
    return result([made], nargout)


@builtin(
    "spy",
    category=PLOT,
    signatures=("spy(S)",),
    device=CONTAINER,
    cases=("spy(eye(4)); ~isempty(get(gca, 'Children'))",),
    see=("imagesc",),
)
@takes(NUMBERS & MATRIX & NONEMPTY)
def spy(ctx: CallContext, matrix: Value, *style: Value) -> None:
    """Show where a matrix is not zero."""
    axes, rest = plotting_axes(ctx, list(style))
    kept: dict[str, Any] = {"Marker": ".", "LineStyle": "none", **take_linespec(rest, 0)}
    rows, columns = ctx.call("find", (matrix,), 2)[:2]
    kept.update(Geometry(ctx).named(XData=columns, YData=rows))
    down, across = map(float, size_of(matrix)[:2])
    room = 300.0 / max(down, across)
    kept.setdefault("MarkerSize", min(max(4.0 * room, 4.0), 14.0))
    made = new_series(ctx, axes, "line", kept)
    axes.set("XLim", np.array([[0.0, across + 1.0]]))
    axes.set("YLim", np.array([[0.0, down + 1.0]]))
    axes.values.update(YDir="reverse", DataAspectRatioMode="manual", Box=True)
    figures(ctx).part(axes, "XLabel").set("String", f"nz = {made['XData'].size}")


# --- arrows -------------------------------------------------------------------------------


@builtin(
    "quiver",
    least=2,
    category=PLOT,
    signatures=("h = quiver(X,Y,U,V,scale)", "quiver(U,V)"),
    device=CONTAINER,
    cases=("h = quiver(1:2, 1:2, [1 0], [0 1]); isequal(h.UData, [1 0])",),
    see=("contour",),
)
def quiver(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw arrows (U,V) at points (X,Y)."""
    axes, rest = plotting_axes(ctx, args)
    kept = take_scale(rest, 0.9)
    count = first_text(rest)
    values = rest[:count]
    data = together(ctx, *_arrow_places(ctx, values), *(data_of(ctx, v) for v in values[-2:]))
    kept.update(zip(("XData", "YData", "UData", "VData"), data, strict=True))
    kept.update(take_linespec(rest, count))
    made = new_series(ctx, axes, "quiver", kept)
    apply_options(made, options_of(rest[count:]))
    axes["Box"] = True
    return result([made], nargout)


def _arrow_places(ctx: CallContext, values: list[Value]) -> list[SeriesData]:
    """Where arrows begin: given points, or those of a grid."""
    enough(values, 2)
    rows, columns = value_shape(values[-1])[:2]
    if len(values) == 2:
        grid = np.meshgrid(np.arange(1.0, columns + 1), np.arange(1.0, rows + 1))
    elif numel(values[0]) == numel(values[-1]) == numel(values[1]):
        return [data_of(ctx, value) for value in values[:2]]
    else:
        x, y = (host_data_of(ctx, value).array.reshape(-1) for value in values[:2])
        grid = np.meshgrid(x.astype(np.float64), y.astype(np.float64))
    return [HostData(part) for part in grid]


# --- filled shapes ------------------------------------------------------------------------


def _polygon(ctx: CallContext, axes: GraphicsObject, values: list[Value], color: Value) -> Any:
    """A patch with one face per column."""
    enough(values, 2)
    shape = value_shape(values[0])
    for number, value in enumerate(values, 1):
        MATRIX("patch", number, value)
    rows, count = (numel(values[0]), 1) if 1 in shape else shape
    faces = np.arange(1.0, rows * count + 1).reshape(count, rows)
    kept: dict[str, Any] = {**patch_vertices(ctx, values), "Faces": faces}
    if is_text(color):
        kept["FaceColor"] = named_color(plain_text(color)) or plain_text(color)
    elif numel(color) == 3 and rows * count != 3:
        kept["FaceColor"] = tuple(map(float, as_array(color).reshape(-1)))
    else:
        levels = table_of(ctx, Geometry(ctx).column(color))
        kept.update(FaceVertexCData=levels, FaceColor="flat" if levels.size == count else "interp")
    return new_series(ctx, axes, "patch", kept)


@builtin(
    "fill",
    category=PLOT,
    signatures=("h = fill(X,Y,C)",),
    device=CONTAINER,
    cases=("h = fill([0 1 1], [0 0 1], 'r'); strcmp(h.Type, 'patch')",),
    see=("patch", "area"),
)
def fill(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw filled polygons."""
    axes, rest = plotting_axes(ctx, args)
    made = []
    while len(rest) >= 3 and plottable(rest[0]):
        made.append(_polygon(ctx, axes, rest[:2], rest[2]))
        del rest[:3]
    for item in made:
        apply_options(item, options_of(rest))
    axes["Box"] = True
    return result(made, nargout)


def _corners(rest: list[Value]) -> list[Value]:
    """The coordinates among names and values, taken out of them; none without x and y."""
    names = [plain_text(v).lower() for v in rest[::2]]
    places = [2 * names.index(n) for n in ("xdata", "ydata", "zdata") if n in names]
    if len(places) < 2:
        return []
    corners = [rest[k + 1] for k in places]
    for k in sorted(places, reverse=True):
        del rest[k : k + 2]
    return corners


@builtin(
    "patch",
    category=PLOT,
    signatures=("h = patch(X,Y,C)", "patch('Faces',F,'Vertices',V)"),
    device=CONTAINER,
    cases=(
        "h = patch([0 1 1], [0 0 1], 'r'); isequal(size(h.Vertices), [3 2])",
        "h = patch(struct('Faces', 1:3, 'Vertices', eye(3)), struct('FaceAlpha', 0.5)); "
        "h.FaceAlpha == 0.5",
    ),
    see=("fill", "surf"),
)
def patch(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Add filled polygons to the axes."""
    axes, rest = split_axes(ctx, args)
    count = first_text(rest)
    if count == 0 and (corners := _corners(rest)):
        made = _polygon(ctx, axes, corners, "k")
    elif count == 0:
        made = new_series(ctx, axes, "patch", {"FaceColor": (0.0, 0.0, 0.0)})
    else:
        named = (len(rest) - count) % 2 == 1  # a colour's name, then names and values
        size = count if named else count - 1
        made = _polygon(ctx, axes, rest[:size], rest[size])
        rest = rest[size + 1 :]
    apply_options(made, options_of(rest))
    return result([made], nargout)


@builtin(
    "rectangle",
    category=PLOT,
    signatures=("h = rectangle('Position',[x y w h])",),
    cases=(
        "h = rectangle('Position', [0 0 2 1]); isequal(h.Position, [0 0 2 1])",
        "rectangle('Position', [1 2 5 6]); isequal([xlim ylim], [1 6 2 8])",
    ),
    see=("patch",),
)
def rectangle(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Add a rectangle, with rounded corners or as an ellipse by its Curvature."""
    made = GraphicsObject("rectangle", figures(ctx), figures(ctx).gca())
    apply_options(made, options_of(args))
    made.touch()
    return result([made], nargout)
