"""Polar charts of counts and points, feathers, regions, and functions by their formulas."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import element_count, enough
from app.engine.builtins.graphics.function_values import function_of, function_values
from app.engine.builtins.graphics.lines import drawn, result
from app.engine.builtins.graphics.plotting_support import (
    PLOT,
    apply_options,
    figures,
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
from app.engine.figures.mark_geometry import Geometry
from app.engine.figures.objects import handles
from app.engine.figures.properties import is_text, number_of, plain_text
from app.engine.figures.series_data import paired_columns
from app.engine.values import FunctionHandle, Value, as_array, canonical, numel
from app.errors import MatlabError


@builtin(
    "feather",
    least=1,
    category=PLOT,
    signatures=("h = feather(U,V)", "feather(Z)"),
    device=CONTAINER,
    cases=("h = feather([1 2], [1 0]); all(isgraphics(h))",),
    see=("quiver", "compass"),
)
def feather(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw arrows from points along the x axis."""
    axes, rest = plotting_axes(ctx, args)
    enough(rest, 1)
    geometry, first = Geometry(ctx), rest.pop(0)
    second = rest.pop(0) if rest and plottable(rest[0]) else geometry("imag", first)
    u, v = (geometry.column(geometry("real", part)) for part in (first, second))
    style = take_linespec(rest, 0)
    x = geometry.column(geometry("colon", 1.0, float(numel(u))))
    data = geometry.named(XData=x, YData=geometry("times", x, 0.0), UData=u, VData=v)
    made = new_series(ctx, axes, "quiver", {**data, "AutoScale": False, **style})
    axes["Box"] = True
    return result([made], nargout)


# --- regions ------------------------------------------------------------------------------


def _region(ctx: CallContext, letter: str, args: tuple[Value, ...], nargout: int) -> Value | None:
    axes, rest = split_axes(ctx, args)
    enough(rest, 2)
    low, high = number_of(rest[0]), number_of(rest[1])
    far = as_array(axes.get("YLim" if letter == "X" else "XLim")).reshape(-1)
    near, reach = far.mean() - 50 * np.ptp(far), far.mean() + 50 * np.ptp(far)
    corners = np.array([[low, near], [high, near], [high, reach], [low, reach]])
    vertices = corners if letter == "X" else corners[:, ::-1]
    axes.set("XLim", axes.get("XLim"))
    axes.set("YLim", axes.get("YLim"))
    made = new_series(
        ctx,
        axes,
        "patch",
        {
            "Vertices": np.ascontiguousarray(vertices),
            "Faces": np.array([[1.0, 2.0, 3.0, 4.0]]),
            "FaceColor": (0.5, 0.5, 0.5),
            "FaceAlpha": 0.3,
            "EdgeColor": "none",
        },
    )
    apply_options(made, options_of(rest[2:]))
    return result([made], nargout)


@builtin(
    "xregion",
    least=1,
    category=PLOT,
    signatures=("h = xregion(x1,x2)",),
    cases=("plot(1:3); h = xregion(1, 2); isgraphics(h)",),
    see=("xline", "yregion"),
)
def xregion(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Shade everything between two values of x."""
    return _region(ctx, "X", args, nargout)


@builtin(
    "yregion",
    least=1,
    category=PLOT,
    signatures=("h = yregion(y1,y2)",),
    cases=("plot(1:3); h = yregion(1, 2); isgraphics(h)",),
    see=("yline", "xregion"),
)
def yregion(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Shade everything between two values of y."""
    return _region(ctx, "Y", args, nargout)


# --- more scatter plots -------------------------------------------------------------------


@builtin(
    "swarmchart",
    least=2,
    category=PLOT,
    signatures=("h = swarmchart(x,y)",),
    device=CONTAINER,
    cases=("h = swarmchart(ones(1, 5), rand(1, 5)); isgraphics(h)",),
    see=("scatter", "boxchart"),
)
def swarmchart(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw markers, spread sideways where many lie close together."""
    made = drawn(ctx, "scatter", args)
    made.values["XJitter"] = "density"
    return result([made], nargout)


@builtin(
    "stackedplot",
    least=1,
    category=PLOT,
    signatures=("h = stackedplot(X,Y)", "stackedplot(Y)"),
    device=CONTAINER,
    cases=("stackedplot(rand(5, 2)); numel(findobj('Type', 'axes')) >= 2",),
    see=("plot", "subplot"),
)
def stackedplot(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw every column in axes of its own, one below the other."""
    values = [value for value in args if not is_text(value)]
    enough(values, 1)
    pairs = paired_columns(ctx, values[0] if len(values) > 1 else None, values[-1])
    model, made = figures(ctx), []
    model.clear(model.gcf())
    for row, (x, y) in enumerate(pairs):
        axes = drawn(ctx, "subplot", (float(len(pairs)), 1.0, row + 1.0))
        made.append(new_series(ctx, axes, "line", {"XData": x, "YData": y}))
        axes.values.update(Box=True, XLimitMethod="tight", XGrid=True)
        if row < len(pairs) - 1:
            axes.values.update(XTickLabelMode="manual", XTickLabel=())
    ctx.call("linkaxes", (handles([item.parent for item in made if item.parent]), "x"), 0)
    return result(made, nargout)


# --- functions ----------------------------------------------------------------------------


def _function(ctx: CallContext, value: Value) -> FunctionHandle:
    if isinstance(value, FunctionHandle):
        return value
    text = plain_text(value)
    return ctx.parse_handle(text if text.startswith("@") else f"@(t) {text}")


@builtin(
    "fplot3",
    least=3,
    category=PLOT,
    signatures=("h = fplot3(x,y,z,[a b])",),
    cases=("h = fplot3(@sin, @cos, @(t) t, [0 1]); isgraphics(h)",),
    see=("fplot", "plot3"),
)
def fplot3(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw a curve in space that three functions describe."""
    rest = list(args)
    parts = [_function(ctx, rest.pop(0)) for _letter in "XYZ"]
    low, high = -5.0, 5.0
    if rest and plottable(rest[0]):
        element_count(2)("fplot3", 4, rest[0])
        low, high = (float(end) for end in as_array(rest.pop(0)).reshape(-1))
    t = np.linspace(low, high, 501)[None, :]
    data = [function_values(ctx, part, t) for part in parts]
    return result([drawn(ctx, "plot3", (*map(canonical, data), *rest))], nargout)


@builtin(
    "ezplot3",
    least=3,
    category=PLOT,
    signatures=("h = ezplot3(x,y,z,[a b])",),
    cases=("h = ezplot3(@sin, @cos, @(t) t); isgraphics(h)",),
    see=("fplot3",),
)
def ezplot3(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw a curve in space that three functions describe (older name of fplot3)."""
    words = list(args)
    take_flag(words, "animate")
    if len(words) == 3:
        words.append(np.array([[0.0, 2 * np.pi]]))
    return fplot3(ctx, *words, nargout=nargout)


def _ez_grid(ctx: CallContext, drawer: str, args: tuple[Value, ...], nargout: int) -> Value:
    """A drawing of a function of two variables over a grid."""
    rest = list(args)
    function = function_of(ctx, rest.pop(0), "xy")
    ends = [-2 * np.pi, 2 * np.pi] * 2
    if rest and numel(rest[0]) > 1:
        given = [float(v) for v in as_array(rest.pop(0)).reshape(-1)]
        if len(given) not in (2, 4):
            text = "The limits must be two numbers, for x and y, or four: [xmin xmax ymin ymax]."
            raise MatlabError("MATLAB:ez:InvalidLimits", text)
        ends = given * 2 if len(given) == 2 else given
    x, y = np.meshgrid(np.linspace(ends[0], ends[1], 60), np.linspace(ends[2], ends[3], 60))
    z = function_values(ctx, function, x, y)
    wanted = nargout + drawer.startswith("contour")  # which gives its lines before its handle
    found = ctx.call(drawer, (x, y, canonical(z)), wanted if nargout else 0)
    return found[-1] if nargout else None


@builtin(
    "ezcontour",
    least=1,
    category=PLOT,
    signatures=("h = ezcontour(f,[a b c d])",),
    cases=("h = ezcontour(@(x, y) x + y); set(h, 'LineWidth', 2); isgraphics(h)",),
    see=("fcontour",),
)
def ezcontour(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw lines of equal value of a function of two variables (older name of fcontour)."""
    return _ez_grid(ctx, "contour", args, nargout)


@builtin(
    "ezcontourf",
    least=1,
    category=PLOT,
    signatures=("h = ezcontourf(f,[a b c d])",),
    cases=("h = ezcontourf(@(x, y) x + y); isgraphics(h, 'contour')",),
    see=("fcontour",),
)
def ezcontourf(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Fill the bands between lines of equal value of a function of two variables."""
    return _ez_grid(ctx, "contourf", args, nargout)


@builtin(
    "ezmeshc",
    least=1,
    category=PLOT,
    signatures=("h = ezmeshc(f,[a b c d])",),
    cases=("h = ezmeshc(@(x, y) x .* y); all(isgraphics(h))",),
    see=("meshc",),
)
def ezmeshc(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw a function of two variables as a mesh over its contours."""
    return _ez_grid(ctx, "meshc", args, nargout)


@builtin(
    "ezsurfc",
    least=1,
    category=PLOT,
    signatures=("h = ezsurfc(f,[a b c d])",),
    cases=("h = ezsurfc(@(x, y) x .* y); all(isgraphics(h))",),
    see=("surfc",),
)
def ezsurfc(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw a function of two variables as a surface over its contours."""
    return _ez_grid(ctx, "surfc", args, nargout)
