"""Polar charts of counts and points, feathers, regions, and functions by their formulas."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.builtins.context import CallContext
from app.engine.builtins.device import CONTAINER
from app.engine.builtins.graphics_charts import polar_grid
from app.engine.builtins.graphics_data import fetched
from app.engine.builtins.graphics_lines import result
from app.engine.builtins.graphics_support import (
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
from app.engine.builtins.registry import builtin
from app.engine.figures.data import HostData
from app.engine.figures.objects import GraphicsObject
from app.engine.figures.properties import is_text, number_of, plain_text
from app.engine.values import Array, FunctionHandle, Value, as_array, canonical, numel


def _angles(ctx: CallContext, value: Value) -> Array:
    found: Array = fetched(ctx, value).array.astype(np.float64).reshape(-1)
    return found


def _wedges(
    ctx: CallContext, axes: GraphicsObject, edges: Array, counts: Array, style: dict[str, Any]
) -> GraphicsObject:
    """A patch with a sector for every bin."""
    rows = []
    for low, high, radius in zip(edges[:-1], edges[1:], counts, strict=True):
        turn = np.linspace(low, high, 12)
        rim = np.column_stack([radius * np.cos(turn), radius * np.sin(turn)])
        rows.append(np.vstack([[0.0, 0.0], rim]))
    faces = np.arange(1.0, 13 * len(rows) + 1).reshape(len(rows), 13)
    return new_series(ctx, axes, "patch", {
        "Vertices": np.concatenate(rows), "Faces": faces, "FaceAlpha": 0.6,
        "FaceColor": figures(ctx).next_color(axes), **style,
    })  # fmt: skip


@builtin("polarhistogram", category=PLOT, signatures=("h = polarhistogram(theta,nbins)",),
         device=CONTAINER, see=("rose", "polarplot"))  # fmt: skip
def polarhistogram(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Show how angles are distributed, on polar axes."""
    axes, rest = plotting_axes(ctx, args)
    angles = np.mod(_angles(ctx, rest.pop(0)), 2 * np.pi)
    bins = as_array(rest.pop(0)).reshape(-1) if rest and plottable(rest[0]) else np.array([20.0])
    edges = bins if bins.size > 1 else np.linspace(0, 2 * np.pi, int(bins[0]) + 1)
    counts = np.histogram(angles, edges)[0].astype(np.float64)
    polar_grid(ctx, axes, float(counts.max(initial=1.0)) or 1.0)
    made = _wedges(ctx, axes, edges, counts, {})
    apply_options(made, [o for o in options_of(rest) if made.has(o[0])])
    return result([made], nargout)


@builtin("rose", category=PLOT, signatures=("rose(theta,nbins)", "[t,r] = rose(theta)"),
         device=CONTAINER, see=("polarhistogram",))  # fmt: skip
def rose(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Show how angles are distributed, as sectors (older form of polarhistogram)."""
    if not nargout:
        return polarhistogram(ctx, *args)
    angles = np.mod(_angles(ctx, args[0]), 2 * np.pi)
    count = int(number_of(args[1])) if len(args) > 1 else 20
    edges = np.linspace(0, 2 * np.pi, count + 1)
    counts = np.histogram(angles, edges)[0].astype(np.float64)
    turn = np.column_stack([edges[:-1], edges[:-1], edges[1:], edges[1:]]).reshape(1, -1)
    zero = np.zeros_like(counts)
    radii = np.column_stack([zero, counts, counts, zero]).reshape(1, -1)
    return canonical(turn), canonical(radii)


@builtin("polarscatter", category=PLOT, signatures=("h = polarscatter(theta,rho,sizes,colors)",),
         device=CONTAINER, see=("polarplot", "scatter"))  # fmt: skip
def polarscatter(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw markers in polar coordinates."""
    axes, rest = plotting_axes(ctx, args)
    theta, radius = _angles(ctx, rest.pop(0)), _angles(ctx, rest.pop(0))
    polar_grid(ctx, axes, float(np.abs(radius).max(initial=0.0)) or 1.0)
    before = axes["NextPlot"]
    axes["NextPlot"] = "add"
    places = [canonical((radius * way(theta))[:, None]) for way in (np.cos, np.sin)]
    made = ctx.call("scatter", (axes, *places, *rest), 1)[0]
    axes["NextPlot"] = before
    return result([made], nargout)


@builtin("feather", category=PLOT, signatures=("h = feather(U,V)", "feather(Z)"), device=CONTAINER,
         see=("quiver", "compass"))  # fmt: skip
def feather(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw arrows from points along the x axis."""
    axes, rest = plotting_axes(ctx, args)
    first = as_array(rest.pop(0)).reshape(1, -1)
    second = as_array(rest.pop(0)).reshape(1, -1) if rest and plottable(rest[0]) else first.imag
    u, v = first.real.astype(np.float64), second.real.astype(np.float64)
    style = take_linespec(rest, 0)
    x = np.arange(1.0, u.size + 1)[None, :]
    made = new_series(ctx, axes, "quiver", {
        "XData": HostData(x), "YData": HostData(np.zeros_like(x)), "UData": HostData(u),
        "VData": HostData(v), "AutoScale": False, **style,
    })  # fmt: skip
    axes["Box"] = True
    return result([made], nargout)


# --- regions ------------------------------------------------------------------------------


def _region(ctx: CallContext, letter: str, args: tuple[Value, ...], nargout: int) -> Value | None:
    axes, rest = split_axes(ctx, args)
    low, high = number_of(rest[0]), number_of(rest[1])
    far = as_array(axes.get("YLim" if letter == "X" else "XLim")).reshape(-1)
    near, reach = far.mean() - 50 * np.ptp(far), far.mean() + 50 * np.ptp(far)
    corners = np.array([[low, near], [high, near], [high, reach], [low, reach]])
    vertices = corners if letter == "X" else corners[:, ::-1]
    axes.set("XLim", axes.get("XLim"))
    axes.set("YLim", axes.get("YLim"))
    made = new_series(ctx, axes, "patch", {
        "Vertices": np.ascontiguousarray(vertices), "Faces": np.array([[1.0, 2.0, 3.0, 4.0]]),
        "FaceColor": (0.5, 0.5, 0.5), "FaceAlpha": 0.3, "EdgeColor": "none",
    })  # fmt: skip
    apply_options(made, options_of(rest[2:]))
    return result([made], nargout)


@builtin("xregion", category=PLOT, signatures=("h = xregion(x1,x2)",), see=("xline", "yregion"))
def xregion(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Shade everything between two values of x."""
    return _region(ctx, "X", args, nargout)


@builtin("yregion", category=PLOT, signatures=("h = yregion(y1,y2)",), see=("yline", "xregion"))
def yregion(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Shade everything between two values of y."""
    return _region(ctx, "Y", args, nargout)


# --- more scatter plots -------------------------------------------------------------------


@builtin("swarmchart", category=PLOT, signatures=("h = swarmchart(x,y)",), device=CONTAINER,
         see=("scatter", "boxchart"))  # fmt: skip
def swarmchart(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw markers, spread sideways where many lie close together."""
    axes, rest = split_axes(ctx, args)
    x, y = _angles(ctx, rest[0]), _angles(ctx, rest[1])
    moved = np.broadcast_to(x, y.shape).copy()
    for place in np.unique(moved):
        own = np.flatnonzero(moved == place)
        counts, edges = np.histogram(y[own], bins=max(5, round(len(own) ** 0.5)))
        density = counts[np.clip(np.searchsorted(edges, y[own], "right") - 1, 0, len(counts) - 1)]
        turn = np.modf(np.arange(len(own)) * 0.6180339887)[0] - 0.5  # evenly, without patterns
        moved[own] += 0.7 * turn * density / max(counts.max(), 1)
    given = (axes, canonical(moved[:, None]), canonical(y[:, None]), *rest[2:])
    return result([ctx.call("scatter", given, 1)[0]], nargout)


@builtin("binscatter", category=PLOT, signatures=("h = binscatter(x,y,n)",), device=CONTAINER,
         see=("histogram2", "scatter"))  # fmt: skip
def binscatter(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Show how many points fall into the cells of a grid."""
    made = ctx.call("histogram2", args if len(args) > 2 else (*args, 50.0), 1)[0]
    counts = made["CData"].host("plot")
    made["CData"] = HostData(np.where(counts > 0, counts, np.nan))
    ctx.call("colorbar", (), 0)
    made.parent["YDir"] = "normal"
    return result([made], nargout)


@builtin("stackedplot", category=PLOT, signatures=("h = stackedplot(X,Y)", "stackedplot(Y)"),
         device=CONTAINER, see=("plot", "subplot"))  # fmt: skip
def stackedplot(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw every column in axes of its own, one below the other."""
    arrays = [fetched(ctx, v).array.astype(np.float64) for v in args if not is_text(v)]
    table = arrays[-1].reshape(-1, 1) if 1 in arrays[-1].shape else arrays[-1]
    x = arrays[0].reshape(-1) if len(arrays) > 1 else np.arange(1.0, len(table) + 1)
    for k in range(table.shape[1]):
        ctx.call("subplot", (float(table.shape[1]), 1.0, k + 1.0), 0)
        ctx.call("plot", (canonical(x[:, None]), canonical(table[:, k : k + 1])), 0)
    return None


# --- functions ----------------------------------------------------------------------------


def _function(ctx: CallContext, value: Value) -> FunctionHandle:
    if isinstance(value, FunctionHandle):
        return value
    text = plain_text(value)
    return ctx.parse_handle(text if text.startswith("@") else f"@(t) {text}")


@builtin("fplot3", category=PLOT, signatures=("h = fplot3(x,y,z,[a b])",), see=("fplot", "plot3"))
def fplot3(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw a curve in space that three functions describe."""
    rest = list(args)
    parts = [_function(ctx, rest.pop(0)) for _letter in "XYZ"]
    low, high = -5.0, 5.0
    if rest and plottable(rest[0]):
        low, high = (float(end) for end in as_array(rest.pop(0)).reshape(-1)[:2])
    t = np.linspace(low, high, 501)[None, :]
    data = [np.broadcast_to(as_array(ctx.call(part, (t,))[0]), t.shape) for part in parts]
    return result([ctx.call("plot3", (*map(canonical, data), *rest), 1)[0]], nargout)


@builtin("ezplot3", category=PLOT, signatures=("h = ezplot3(x,y,z,[a b])",), see=("fplot3",))
def ezplot3(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw a curve in space that three functions describe (older name of fplot3)."""
    words = list(args)
    take_flag(words, "animate")
    if len(words) == 3:
        words.append(np.array([[0.0, 2 * np.pi]]))
    return fplot3(ctx, *words, nargout=nargout)


@builtin("ezpolar", category=PLOT, signatures=("h = ezpolar(f,[a b])",), see=("polarplot",))
def ezpolar(ctx: CallContext, function: Value, ends: Value = None, *, nargout: int = 0) -> Value:
    """Draw a function of the angle in polar coordinates."""
    low, high = (0.0, 2 * np.pi) if ends is None else as_array(ends).reshape(-1)[:2]
    t = np.linspace(low, high, 501)[None, :]
    radius = np.broadcast_to(as_array(ctx.call(_function(ctx, function), (t,))[0]), t.shape)
    return result([ctx.call("polarplot", (t, canonical(radius)), 1)[0]], nargout)


def _ez_grid(ctx: CallContext, drawer: str, args: tuple[Value, ...], nargout: int) -> Value:
    """A drawing of a function of two variables over a grid."""
    rest = list(args)
    function = rest.pop(0)
    if not isinstance(function, FunctionHandle):
        function = ctx.parse_handle(f"@(x,y) {plain_text(function)}")
    ends = [-2 * np.pi, 2 * np.pi] * 2
    if rest and numel(rest[0]) > 1:
        given = [float(v) for v in as_array(rest.pop(0)).reshape(-1)]
        ends = given * 2 if len(given) == 2 else given
    x, y = np.meshgrid(np.linspace(ends[0], ends[1], 60), np.linspace(ends[2], ends[3], 60))
    z = np.broadcast_to(as_array(ctx.call(function, (x, y))[0]), x.shape)
    found = ctx.call(drawer, (x, y, canonical(z)), nargout)
    return found[-1] if nargout else None


@builtin("ezcontour", category=PLOT, signatures=("h = ezcontour(f,[a b c d])",), see=("fcontour",))
def ezcontour(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw lines of equal value of a function of two variables (older name of fcontour)."""
    return _ez_grid(ctx, "contour", args, nargout)


@builtin("ezcontourf", category=PLOT, signatures=("h = ezcontourf(f,[a b c d])",),
         see=("fcontour",))  # fmt: skip
def ezcontourf(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Fill the bands between lines of equal value of a function of two variables."""
    return _ez_grid(ctx, "contourf", args, nargout)


@builtin("ezmeshc", category=PLOT, signatures=("h = ezmeshc(f,[a b c d])",), see=("meshc",))
def ezmeshc(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw a function of two variables as a mesh over its contours."""
    return _ez_grid(ctx, "meshc", args, nargout)


@builtin("ezsurfc", category=PLOT, signatures=("h = ezsurfc(f,[a b c d])",), see=("surfc",))
def ezsurfc(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw a function of two variables as a surface over its contours."""
    return _ez_grid(ctx, "surfc", args, nargout)
