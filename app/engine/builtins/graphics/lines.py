"""Line plots and their relatives."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import element_count, enough
from app.engine.builtins.graphics.function_values import function_of, function_values
from app.engine.builtins.graphics.plotting_support import (
    PLOT,
    Options,
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
)
from app.engine.declarations.device_support import CONTAINER
from app.engine.declarations.registry import builtin
from app.engine.figures.data_arithmetic import combine_data
from app.engine.figures.figure_data import HostData, SeriesData
from app.engine.figures.linespec import parse_linespec
from app.engine.figures.objects import GraphicsObject, handles
from app.engine.figures.properties import is_text, lines_of, number_of, plain_text
from app.engine.figures.ruler_values import take_kinds
from app.engine.figures.series_data import columns_of, matching_pair, paired_columns, together
from app.engine.values import (
    Cell,
    FunctionHandle,
    StringArray,
    Value,
    as_array,
    canonical,
    is_complex,
    numel,
)
from app.errors import MatlabError

Group = tuple[list[Value], dict[str, object]]


def plot_groups(args: list[Value], arrays: int) -> tuple[list[Group], Options]:
    """Cut ``x1, y1, spec1, x2, y2, …, name, value`` into data groups of ``arrays`` and options."""
    groups: list[Group] = []
    place = 0
    while place < len(args) and plottable(args[place]):
        data: list[Value] = []
        while place < len(args) and len(data) < arrays and plottable(args[place]):
            data.append(args[place])
            place += 1
        style: dict[str, object] = {}
        if place < len(args) and is_text(args[place]):
            spec = parse_linespec(plain_text(args[place]))
            if spec is not None:
                style = spec.properties()
                place += 1
        groups.append((data, style))
    if not groups:
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    return groups, options_of(args[place:])


def _group_series(ctx: CallContext, axes: GraphicsObject, group: Group) -> list[GraphicsObject]:
    data, style = group
    x, y = (None, data[0]) if len(data) == 1 else (data[0], data[1])
    if x is None and is_complex(y):
        x, y = (ctx.call(part, (y,))[0] for part in ("real", "imag"))
    return [
        new_series(ctx, axes, "line", {"XData": a, "YData": b, **style})
        for a, b in paired_columns(ctx, x, y)
    ]


def _draw_lines(
    ctx: CallContext, axes: GraphicsObject, args: list[Value], scales: dict[str, str]
) -> list[GraphicsObject]:
    groups, options = plot_groups(args, 2)
    made = [item for group in groups for item in _group_series(ctx, axes, group)]
    for item in made:
        apply_options(item, options)
    if any(style.get("DisplayName") for _, style in groups):  # between semicolons, as in Octave
        figures(ctx).attach(axes, "legend", "Legend").touch()
    for name, scale in scales.items():
        axes[name] = scale
    return made


def _plot(ctx: CallContext, args: tuple[Value, ...], **scales: str) -> list[GraphicsObject]:
    axes, rest = plotting_axes(ctx, args)
    if axes["NextPlot"] != "add":
        axes["Box"] = True
    return _draw_lines(ctx, axes, rest, scales)


def result(made: list[GraphicsObject], nargout: int) -> Value | None:
    """The handles when somebody wants them."""
    return handles(made) if nargout else None


def drawn(ctx: CallContext, name: str, args: tuple[Value, ...]) -> GraphicsObject:
    """The one object that another function draws."""
    made = ctx.call(name, args, 1)[0]
    assert isinstance(made, GraphicsObject)
    return made


@builtin(
    "plot",
    category=PLOT,
    signatures=("plot(Y)", "plot(X,Y,LineSpec)", "plot(ax,...)", "h = plot(...)"),
    device=CONTAINER,
    cases=(
        "h = plot(1:3, [2 4 1], 'r--'); isequal(h.YData, [2 4 1]) && strcmp(h.LineStyle, '--')",
    ),
    see=("plot3", "scatter", "semilogy", "hold"),
)
def plot(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw lines through points.

    ``plot(X,Y)`` draws Y over X, ``plot(Y)`` over 1:n; columns of a matrix become lines of
    their own. A text such as 'r--o' gives colour, style and marker; names and values set
    properties. An array that lives on the device is drawn from its buffer, without a copy.
    """
    return result(_plot(ctx, args), nargout)


@builtin(
    "semilogx",
    category=PLOT,
    signatures=("h = semilogx(X,Y,LineSpec)",),
    device=CONTAINER,
    cases=("semilogx([1 10], [1 2]); strcmp(get(gca, 'XScale'), 'log')",),
    see=("plot", "semilogy", "loglog"),
)
def semilogx(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Like plot, with a logarithmic x axis."""
    return result(_plot(ctx, args, XScale="log"), nargout)


@builtin(
    "semilogy",
    category=PLOT,
    signatures=("h = semilogy(X,Y,LineSpec)",),
    device=CONTAINER,
    cases=("semilogy([1 2], [1 10]); strcmp(get(gca, 'YScale'), 'log')",),
    see=("plot", "semilogx", "loglog"),
)
def semilogy(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Like plot, with a logarithmic y axis."""
    return result(_plot(ctx, args, YScale="log"), nargout)


@builtin(
    "loglog",
    category=PLOT,
    signatures=("h = loglog(X,Y,LineSpec)",),
    device=CONTAINER,
    cases=("loglog([1 10], [1 100]); strcmp(get(gca, 'XScale'), 'log')",),
    see=("plot", "semilogx", "semilogy"),
)
def loglog(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Like plot, with two logarithmic axes."""
    return result(_plot(ctx, args, XScale="log", YScale="log"), nargout)


@builtin(
    "plot3",
    category=PLOT,
    signatures=("h = plot3(X,Y,Z,LineSpec)",),
    device=CONTAINER,
    cases=("h = plot3(1:3, 4:6, 7:9); isequal(h.ZData, 7:9)",),
    see=("plot", "surf"),
)
def plot3(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw lines through points in space."""
    axes, rest = plotting_axes(ctx, args)
    groups, options = plot_groups(rest, 3)
    made = []
    for data, style in groups:
        if len(data) != 3:
            raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
        first, second, third = data
        pairs = paired_columns(ctx, first, second)
        depths = [z for _x, z in paired_columns(ctx, first, third)]
        for (x, y), z in zip(pairs, depths, strict=False):
            places = zip(("XData", "YData", "ZData"), together(ctx, x, y, z), strict=True)
            made.append(new_series(ctx, axes, "line", {**dict(places), **style}))
    view_in_space(axes)
    for item in made:
        apply_options(item, options)
    return result(made, nargout)


def view_in_space(axes: GraphicsObject) -> None:
    """Look at axes from the side, unless they are on hold."""
    if axes["NextPlot"] != "add":
        axes["View"] = (-37.5, 30.0)
        for letter in "XYZ":
            axes[f"{letter}Grid"] = True


@builtin(
    "line",
    category=PLOT,
    signatures=("h = line(X,Y,Name,Value)",),
    device=CONTAINER,
    cases=(
        "h = line([0 1], [0 2]); isequal(h.YData, [0 2])",
        "h = line([1 2; 3 4], [1 2; 3 4], [5 6; 7 8]); isequal(h(2).ZData(:), [6; 8])",
    ),
    see=("plot",),
)
def line(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Add lines to the axes without clearing them."""
    axes, rest = split_axes(ctx, args)
    count = first_text(rest)
    options = options_of(rest[count:])
    if count < 2:
        diagonal = HostData(np.array([[0.0, 1.0]]))
        made = [new_series(ctx, axes, "line", {"XData": diagonal, "YData": diagonal})]
    else:
        made = [
            new_series(ctx, axes, "line", {"XData": x, "YData": y})
            for x, y in paired_columns(ctx, rest[0], rest[1])
        ]
        heights = paired_columns(ctx, rest[0], rest[2]) if count > 2 else ()
        for item, (_x, z) in zip(made, heights, strict=False):
            for letter, data in zip("XYZ", (item["XData"], item["YData"], z), strict=True):
                item[f"{letter}Data"] = HostData(data.host("plot"))
    for item in made:
        apply_options(item, options)
    return result(made, nargout)


def _simple_series(
    ctx: CallContext, kind: str, args: tuple[Value, ...], kept: dict[str, Any]
) -> list[GraphicsObject]:
    """Series of ``kind`` from ``x, y, spec, options`` with one series per column."""
    axes, rest = plotting_axes(ctx, args)
    if take_flag(rest, "filled", "fill"):
        kept = {"MarkerFaceColor": "auto", **kept}
    count = first_text(rest)
    style = take_linespec(rest, count)
    enough(rest[:count], 1)
    x, y = (None, rest[0]) if count == 1 else (rest[0], rest[1])
    made = [
        new_series(ctx, axes, kind, {**kept, "XData": a, "YData": b, **style})
        for a, b in paired_columns(ctx, x, y)
    ]
    for item in made:
        apply_options(item, options_of(rest[count:]))
    if axes["NextPlot"] != "add":
        axes["Box"] = True
    return made


@builtin(
    "stairs",
    least=1,
    category=PLOT,
    signatures=("h = stairs(X,Y,LineSpec)", "[xb, yb] = stairs(X,Y)"),
    device=CONTAINER,
    cases=(
        "h = stairs([1 3 2]); isgraphics(h)",
        "[x, y] = stairs(2:4, [5 7 6]); isequal([x y], [2 5; 3 5; 3 7; 4 7; 4 6])",
        "[x, y] = stairs([1 2; 3 4]); isequal(x, [1 1; 2 2; 2 2]) && isequal(y, [1 2; 1 2; 3 4])",
        "[x, y] = stairs(4); isequal({x, y}, {1, 4})",
    ),
    see=("plot", "stem"),
)
def stairs(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw data as steps; with two outputs, give the corners for plot and draw nothing."""
    if nargout > 1:
        return _corners([v for v in args if not is_text(v)])
    return result(_simple_series(ctx, "stair", args, {}), nargout)


def _corners(data: list[Value]) -> Value:
    """The corners of steps, in columns."""
    enough(data, 1)
    y = as_array(data[-1])
    y = y.reshape(-1, 1) if y.shape[0] == 1 else y
    x = as_array(data[0]) if len(data) > 1 else np.arange(1.0, y.shape[0] + 1)
    x = x.reshape(-1, 1) if 1 in x.shape or x.ndim == 1 else x
    if x.shape[0] != y.shape[0]:
        raise MatlabError("MATLAB:stairs:samelen", "X and Y must be the same length.")
    twice = np.repeat(np.arange(y.shape[0]), 2)
    across = np.broadcast_to(x, y.shape) if x.shape[1] == 1 else x
    return canonical(across[twice[1:]]), canonical(y[twice[:-1]])


@builtin(
    "stem",
    least=1,
    category=PLOT,
    signatures=("h = stem(X,Y,LineSpec)", "stem(...,'filled')"),
    device=CONTAINER,
    cases=("h = stem([1 3 2]); isequal(h.YData, [1 3 2])",),
    see=("stairs", "bar"),
)
def stem(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw data as stems standing on a base line."""
    return result(_simple_series(ctx, "stem", args, {}), nargout)


@builtin(
    "area",
    least=1,
    category=PLOT,
    signatures=("h = area(X,Y)",),
    device=CONTAINER,
    cases=("h = area([1 3 2]); strcmp(h.Type, 'area')",),
    see=("plot",),
)
def area(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Fill the area below lines; the columns of a matrix are stacked."""
    made = _simple_series(ctx, "area", args, {"EdgeColor": (0.0, 0.0, 0.0)})
    for below, item in itertools.pairwise(made):
        item["YBase"] = below["YData"]
        item["YData"] = combine_data("plus", below["YData"], item["YData"])
    return result(made, nargout)


@builtin(
    "errorbar",
    least=2,
    category=PLOT,
    signatures=("h = errorbar(X,Y,ERR,LineSpec)", "errorbar(X,Y,NEG,POS)"),
    device=CONTAINER,
    cases=("h = errorbar(1:3, [2 4 3], [0.1 0.2 0.1]); isequal(h.YData, [2 4 3])",),
    see=("plot",),
)
def errorbar(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw a line with an error bar at every point."""
    axes, rest = plotting_axes(ctx, args)
    direction = take_flag(rest, "horizontal", "vertical", "both") or "vertical"
    count = first_text(rest)
    style = take_linespec(rest, count)
    enough(rest[:count], 2)
    values = rest[:count] if count != 2 else [None, *rest[:2]]
    pairs = paired_columns(ctx, values[0], values[1])
    deltas = [columns_of(ctx, value) if numel(value) else [] for value in values[2:6]]
    made = [
        new_series(
            ctx,
            axes,
            "errorbar",
            {
                **_errors(ctx, x, y, [d[k % len(d)] if d else None for d in deltas], direction),
                **style,
            },
        )
        for k, (x, y) in enumerate(pairs)
    ]
    axes["Box"] = axes["Box"] or axes["NextPlot"] != "add"
    for item in made:
        apply_options(item, options_of(rest[count:]))
    return result(made, nargout)


def _errors(
    ctx: CallContext, x: SeriesData, y: SeriesData, deltas: list[SeriesData | None], direction: str
) -> dict[str, Any]:
    """Places and deviations of one series: both ways alike, or below and above; with four
    deviations those along y come first."""
    if len(deltas) == 4:
        ways = {"Y": deltas[:2], "X": deltas[2:]}
    else:
        both = [deltas[0], deltas[-1]]
        ways = dict.fromkeys({"horizontal": "X", "vertical": "Y"}.get(direction, "XY"), both)
    names = [f"{letter}{sign}Delta" for letter in ways for sign in ("Negative", "Positive")]
    given = [delta for pair in ways.values() for delta in pair]
    there = {name: delta for name, delta in zip(names, given, strict=True) if delta is not None}
    parts = together(ctx, y, *there.values(), *([x] if "X" in ways else []))
    there = dict(zip(there, parts[1:], strict=False))
    x, y = matching_pair(ctx, parts[-1] if "X" in ways else x, parts[0])
    return {"XData": x, "YData": y, **there}


@builtin(
    "fplot",
    least=1,
    category=PLOT,
    signatures=(
        "h = fplot(f,[a b],LineSpec)",
        "h = fplot(fx,fy,[a b],LineSpec)",
        "h = fplot(f,[a b ymin ymax])",
        "h = fplot(...,'MeshDensity',n)",
        "[x, y] = fplot(f,[a b])",
    ),
    cases=(
        "h = fplot(@(x) x.^2, [0 2]); abs(max(h.YData) - 4) < 1e-9",
        "h = fplot(@cos, @sin, [0 pi]); abs(min(h.XData) + 1) < 1e-4 && h.YData(1) == 0",
        "fplot(@sin, [0 9 -2 3]); isequal([xlim ylim], [0 9 -2 3])",
        "h = fplot(@sin, [0 9], 'MeshDensity', 900); numel(h.XData) == 900",
    ),
    see=("plot", "fplot3"),
)
def fplot(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw a function between two limits (-5 and 5), or a curve that two functions describe.

    Four limits are those of both axes. 'MeshDensity' is the number of places, 501 at least.
    """
    axes, rest = plotting_axes(ctx, args)
    function = function_of(ctx, rest.pop(0))
    across = rest and isinstance(rest[0], FunctionHandle)
    other = function_of(ctx, rest.pop(0)) if across else None
    limits = [-5.0, 5.0]
    if rest and plottable(rest[0]):
        given = rest.pop(0)
        element_count(4 if numel(given) == 4 and other is None else 2)("fplot", 2, given)
        limits = [float(number) for number in as_array(given).reshape(-1)]
    style, options = take_linespec(rest, 0), options_of(rest)
    count = next((number_of(v) for k, v in options if k.lower() == "meshdensity"), 501)
    t = np.linspace(limits[0], limits[1], max(int(count), 501))[None, :]
    first = function_values(ctx, function, t)
    x, y = (t, first) if other is None else (first, function_values(ctx, other, t))
    if nargout > 1:
        return np.array(x.T), np.array(y.T)
    made = new_series(ctx, axes, "line", {"XData": HostData(x), "YData": HostData(y), **style})
    apply_options(made, [pair for pair in options if pair[0].lower() != "meshdensity"])
    axes["Box"] = True
    if len(limits) == 4:
        axes.set("XLim", np.array([limits[:2]]))
        axes.set("YLim", np.array([limits[2:]]))
    return result([made], nargout)


# --- reference lines ----------------------------------------------------------------------


def _reference(
    ctx: CallContext, letter: str, args: tuple[Value, ...], nargout: int
) -> Value | None:
    axes, rest = split_axes(ctx, args)
    take_kinds(ctx, axes, rest, letter.upper())
    values = as_array(rest.pop(0)).reshape(-1)
    style = take_linespec(rest, 0)
    labels = [""]
    if len(rest) % 2:
        label = rest.pop(0)
        many = isinstance(label, Cell | StringArray) and values.size > 1
        labels = (lines_of(label) or [""]) if many else ["\n".join(lines_of(label))]
    made = []
    for place, value in enumerate(values):
        text = labels[place % len(labels)]
        kept = {"InterceptAxis": letter, "Value": float(value), "Label": text, **style}
        item = new_series(ctx, axes, "constantline", kept)
        apply_options(item, options_of(rest))
        made.append(item)
    return result(made, nargout)


@builtin(
    "xline",
    least=1,
    category=PLOT,
    signatures=("h = xline(x,LineSpec,label)",),
    cases=("plot(1:3); h = xline(2, '--', 'here'); h.Value == 2",),
    see=("yline",),
)
def xline(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw vertical lines right across the axes."""
    return _reference(ctx, "x", args, nargout)


@builtin(
    "yline",
    least=1,
    category=PLOT,
    signatures=("h = yline(y,LineSpec,label)",),
    cases=("plot(1:3); h = yline(2); h.Value == 2",),
    see=("xline",),
)
def yline(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw horizontal lines right across the axes."""
    return _reference(ctx, "y", args, nargout)


@builtin(
    "refline",
    category=PLOT,
    signatures=("h = refline(slope,intercept)", "refline(coeffs)", "refline(ax,...)", "refline"),
    cases=(
        "plot(1:3); refline(1, 0); numel(get(gca, 'Children')) == 2",
        "plot(0:3); h = refline([2 1]); isequal(h.YData, 2*h.XData + 1)",
    ),
    see=("yline", "lsline"),
)
def refline(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Add the line ``slope*x + intercept`` between the limits of the axes.

    Without numbers it is the least-squares line of every scatter plot.
    """
    axes, rest = split_axes(ctx, args)
    if not rest:
        return ctx.call("lsline", (axes,), nargout)
    line = as_array(rest[0]).ravel() if len(rest) == 1 else [number_of(v) for v in rest]
    if len(line) != 2:
        text = "A line is given by its slope and intercept."
        raise MatlabError("stats:refline:WrongNumberOfCoefficients", text)
    x = as_array(axes.get("XLim"))
    data = {"XData": HostData(x), "YData": HostData(float(line[0]) * x + float(line[1]))}
    return result([new_series(ctx, axes, "line", data)], nargout)
