"""Shapes in space: test surfaces, triangulations, arrows, functions of two variables."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import NUMBERS, REAL, enough, takes
from app.engine.arguments.size_arguments import check_room, extent
from app.engine.builtins.graphics.function_values import function_of, function_values
from app.engine.builtins.graphics.lines import result, view_in_space
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
    taken_handle,
)
from app.engine.builtins.graphics.polygon_vertices import patch_vertices
from app.engine.declarations.device_support import CONTAINER
from app.engine.declarations.registry import builtin
from app.engine.figures.mark_geometry import Geometry
from app.engine.figures.objects import GraphicsObject
from app.engine.figures.properties import is_text, number_of, parse_switch, plain_text
from app.engine.figures.series_data import table_of, value_shape
from app.engine.values import Array, FunctionHandle, Value, as_array, numel
from app.errors import MatlabError


@builtin(
    "peaks",
    words="",
    category=PLOT,
    signatures=("Z = peaks(n)", "[X,Y,Z] = peaks(n)", "Z = peaks(X,Y)"),
    cases=("isequal(size(peaks(20)), [20 20])", "abs(peaks(0, 0) - 0.981) < 1e-3"),
    see=("surf", "meshgrid"),
)
@takes(NUMBERS & REAL)
def peaks(n: Value = 49.0, other: Value = None, *, nargout: int = 1) -> Value:
    """A function of two variables with hills and hollows, to try plots with."""
    if other is None:
        count = extent(float(np.floor(number_of(n)))) if numel(n) == 1 else numel(n)
        check_room((count, count), np.dtype(float).itemsize)
        steps = np.linspace(-3, 3, count) if numel(n) == 1 else as_array(n).reshape(-1)
        x, y = np.meshgrid(steps, steps)
    else:
        x, y = as_array(n).astype(np.float64), as_array(other).astype(np.float64)
    z = (
        3 * (1 - x) ** 2 * np.exp(-(x**2) - (y + 1) ** 2)
        - 10 * (x / 5 - x**3 - y**5) * np.exp(-(x**2) - y**2)
        - np.exp(-((x + 1) ** 2) - y**2) / 3
    )
    if nargout > 1:
        return x, y, z
    return float(z[0, 0]) if z.size == 1 else z


def _shape(
    ctx: CallContext, parts: tuple[Array, ...], nargout: int, axes: GraphicsObject | None
) -> Value:
    """The coordinates, or a surface of them, in the axes if some are named, when nobody wants the
    coordinates."""
    if nargout:
        return parts
    ctx.call("surf", parts if axes is None else (axes, *parts), 0)
    return None


def _axes_before(args: tuple[Value, ...], most: int) -> tuple[GraphicsObject | None, list[Value]]:
    """The axes that arguments begin with, if they do, and the others, ``most`` at most."""
    rest = list(args)
    axes = taken_handle(rest, "axes")
    if len(rest) > most:
        raise MatlabError("MATLAB:maxrhs", "Too many input arguments.")
    return axes, rest


@builtin(
    "sphere",
    category=PLOT,
    most=2,
    signatures=("[X,Y,Z] = sphere(n)", "sphere(ax,n)"),
    cases=(
        "[x, y, z] = sphere(8); norm(x.^2 + y.^2 + z.^2 - 1) < 1e-12",
        "[x, y, z] = sphere(6); isequal([x(:, 1) y(:, 1)], [x(:, 7) y(:, 7)]) && ~any(x([1 7], :), "
        "'all') && size(unique([x(:) y(:) abs(z(:))], 'rows'), 1) == 19",
    ),
    see=("cylinder", "surf"),
)
def sphere(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """The unit sphere of n-by-n faces."""
    axes, rest = _axes_before(args, 1)
    return _shape(ctx, _unit_sphere(int(number_of(rest[0])) if rest else 20), nargout, axes)


def _unit_sphere(count: int) -> tuple[Array, Array, Array]:
    """The coordinates of a sphere of so many faces each way.

    The seam and the poles are closed: the points that meet there have the same coordinates.
    """
    steps = np.arange(-count, count + 1, 2) / count
    around, up = steps[None, :] * np.pi, steps[:, None] * (np.pi / 2)
    out, across = np.cos(up), np.sin(around)
    out[[0, -1]] = 0.0
    across[:, [0, -1]] = 0.0
    return out * np.cos(around), out * across, np.sin(up) * np.ones((1, count + 1))


@builtin(
    "cylinder",
    category=PLOT,
    most=3,
    signatures=("[X,Y,Z] = cylinder(r,n)", "cylinder(ax,r,n)"),
    cases=(
        "[x, y, z] = cylinder(2, 8); isequal(size(x), [2 9]) && isequal(y(:, 1), y(:, 9), [0; 0])",
    ),
    see=("sphere",),
)
def cylinder(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """A cylinder of height 1 with the profile r and n faces around."""
    axes, rest = _axes_before(args, 2)
    r, n = rest[0] if rest else 1.0, rest[1] if len(rest) > 1 else 20.0
    profile = as_array(r).astype(np.float64).reshape(-1, 1)
    if profile.size == 1:
        profile = np.repeat(profile, 2, axis=0)
    count, levels = int(number_of(n)), max(len(profile) - 1, 1)
    around = np.arange(count + 1)[None, :] / count * (2 * np.pi)
    across = np.sin(around)
    across[:, -1] = 0.0  # the seam is closed
    height = np.arange(len(profile))[:, None] / levels * np.ones_like(around)
    return _shape(ctx, (profile * np.cos(around), profile * across, height), nargout, axes)


@builtin(
    "ellipsoid",
    words="",
    category=PLOT,
    most=8,
    signatures=("[X,Y,Z] = ellipsoid(xc,yc,zc,xr,yr,zr,n)", "ellipsoid(ax,xc,yc,zc,xr,yr,zr,n)"),
    cases=("[x, y, z] = ellipsoid(0, 0, 0, 1, 2, 3, 8); abs(max(z(:)) - 3) < 1e-12",),
    see=("sphere",),
)
def ellipsoid(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """An ellipsoid around (xc,yc,zc) with the radii (xr,yr,zr)."""
    axes, rest = _axes_before(args, 7)
    if len(rest) < 6:
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    centre, radii = [[number_of(a) for a in rest[k : k + 3]] for k in (0, 3)]
    parts = _unit_sphere(int(number_of(rest[6])) if len(rest) > 6 else 20)
    moved = tuple(c + r * p for c, r, p in zip(centre, radii, parts, strict=True))
    return _shape(ctx, moved, nargout, axes)


# --- triangulations -----------------------------------------------------------------------


def _triangles(
    ctx: CallContext, axes: GraphicsObject, rest: list[Value], style: dict[str, Any]
) -> GraphicsObject:
    count = first_text(rest)
    points = rest[1 : min(count, 4)]
    kept = {**patch_vertices(ctx, points), "Faces": table_of(ctx, rest[0]), **style}
    if "FaceColor" not in style:
        values = Geometry(ctx).column(rest[min(count, 5) - 1])
        kept.update(FaceVertexCData=table_of(ctx, values), FaceColor="flat")
    made = new_series(ctx, axes, "patch", kept)
    apply_options(made, options_of(rest[count:]))
    if len(points) == 3:
        view_in_space(axes)
    return made


@builtin(
    "trisurf",
    least=3,
    category=PLOT,
    signatures=("h = trisurf(T,X,Y,Z)",),
    device=CONTAINER,
    cases=("h = trisurf([1 2 3], [0 1 0], [0 0 1], [0 0 1]); isgraphics(h)",),
    see=("trimesh", "delaunay"),
)
def trisurf(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw a surface of triangles: rows of T are numbers of points."""
    return result([_triangles(ctx, *plotting_axes(ctx, args), {})], nargout)


@builtin(
    "trimesh",
    least=3,
    category=PLOT,
    signatures=("h = trimesh(T,X,Y,Z)", "h = trimesh(T,X,Y,name,value)"),
    device=CONTAINER,
    cases=(
        "h = trimesh([1 2 3], [0 1 0], [0 0 1], [0 0 1]); isgraphics(h)",
        "h = trimesh([1 2 3], [0 1 0], [0 0 1], 'color', 'k'); isequal(h.Color, [0 0 0])",
    ),
    see=("trisurf", "triplot"),
)
def trimesh(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw the edges of triangles; those in the plane as a line."""
    axes, rest = plotting_axes(ctx, args)
    if first_text(rest) == 3:
        return result([_edges(ctx, axes, rest)], nargout)
    edges = {"FaceColor": "none", "EdgeColor": (0.0, 0.447, 0.741)}
    made = _triangles(ctx, axes, rest, edges)
    return result([made], nargout)


@builtin(
    "triplot",
    least=3,
    category=PLOT,
    signatures=("h = triplot(T,X,Y)",),
    device=CONTAINER,
    cases=("h = triplot([1 2 3], [0 1 0], [0 0 1]); isgraphics(h)",),
    see=("trimesh",),
)
def triplot(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw the edges of triangles in the plane, as one line."""
    axes, rest = plotting_axes(ctx, args)
    return result([_edges(ctx, axes, rest)], nargout)


def _edges(ctx: CallContext, axes: GraphicsObject, rest: list[Value]) -> GraphicsObject:
    geometry, count = Geometry(ctx), first_text(rest)
    given = as_array(rest[0])
    if given.ndim != 2 or given.shape[1] != 3:
        text = "The triangles must be rows of three numbers of points."
        raise MatlabError("MATLAB:triplot:InvalidTriangles", text)
    corners = given.astype(np.float64)[:, [0, 1, 2, 0]] - 1
    data = {}
    for name, value in zip(("XData", "YData"), rest[1:3], strict=True):
        column = geometry.column(value)
        ends = [geometry.chosen(column, corners[:, k : k + 1]) for k in range(4)]
        data[name] = geometry.strokes(*ends)
    style = take_linespec(rest, count)
    made = new_series(ctx, axes, "line", {**geometry.named(**data), **style})
    apply_options(made, options_of(rest[count:]))
    axes["Box"] = True
    return made


# --- lines and arrows in space ------------------------------------------------------------


@builtin(
    "quiver3",
    least=4,
    category=PLOT,
    signatures=("h = quiver3(X,Y,Z,U,V,W,scale)",),
    device=CONTAINER,
    cases=("h = quiver3(0, 0, 0, 1, 1, 1); isgraphics(h)",),
    see=("quiver",),
)
def quiver3(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw arrows (U,V,W) at points (X,Y,Z)."""
    axes, rest = plotting_axes(ctx, args)
    scale = take_scale(rest, 1.0)
    values = rest[: first_text(rest)]
    style = take_linespec(rest, len(values))
    options = options_of(rest[len(values) :])
    kept: dict[str, Any] = {"AutoScaleFactor": 1.0, "MaxHeadSize": 0.2, **style, **scale}
    if len(values) not in (4, 6):
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    geometry = Geometry(ctx)
    places = geometry.matrices(values[:-3])
    data = geometry.named(**dict(zip("xyzuvw", [*places, *values[-3:]], strict=True)))
    kept.update({f"{letter.upper()}Data": part for letter, part in data.items()})
    made = new_series(ctx, axes, "quiver", kept)
    apply_options(made, options)
    view_in_space(axes)
    return result([made], nargout)


@builtin(
    "stem3",
    least=1,
    category=PLOT,
    signatures=("h = stem3(X,Y,Z)",),
    device=CONTAINER,
    cases=("h = stem3([1 2; 3 4]); all(isgraphics(h))",),
    see=("stem", "plot3"),
)
def stem3(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw stems from the floor to points in space."""
    axes, rest = plotting_axes(ctx, args)
    kept: dict[str, Any] = {"MarkerFaceColor": "auto"} if take_flag(rest, "filled") else {}
    count = first_text(rest)
    style = take_linespec(rest, count)
    if count not in (1, 3):
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    geometry = Geometry(ctx)
    x, y, z = geometry.matrices(rest[:1]) if count == 1 else rest[:3]
    data = geometry.named(XData=x, YData=y, ZData=z)
    made = new_series(ctx, axes, "stem", {**kept, **data, **style})
    apply_options(made, options_of(rest[count:]))
    view_in_space(axes)
    return result([made], nargout)


@builtin(
    "ribbon",
    words="",
    least=1,
    category=PLOT,
    signatures=("h = ribbon(Y,Z,width)",),
    device=CONTAINER,
    cases=("h = ribbon(peaks(5)); all(isgraphics(h))",),
    see=("waterfall",),
)
def ribbon(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw the columns of a matrix as ribbons in space."""
    axes, rest = plotting_axes(ctx, args)
    geometry, values = Geometry(ctx), [v for v in rest[:2] if plottable(v)]
    enough(values, 1)
    z = geometry("double", values[-1])
    z = geometry.column(z) if 1 in value_shape(z) else z
    rows = value_shape(z)[0]
    y = geometry.column(values[0]) if len(values) > 1 else np.arange(1.0, rows + 1)[:, None]
    half = (number_of(rest[2]) if len(rest) > 2 else 0.75) / 2
    both, made = np.ones((1, 2)), []
    for k, own in enumerate(geometry.columns(z)):
        band = geometry("times", own, both)
        flat, edges = np.zeros((rows, 2)), k + 1 + half * np.array([[-1.0, 1.0]])
        data = geometry.named(
            XData=flat + edges,
            YData=geometry("times", y, both),
            ZData=band,
            CData=flat + (k + 1.0),
        )
        made.append(new_series(ctx, axes, "surface", data))
    view_in_space(axes)
    return result(made, nargout)


# --- functions of two variables -----------------------------------------------------------


def taken_option(rest: list[Value], name: str) -> Value | None:
    """The value of an option, which is taken off ``rest`` with its name; None without it."""
    for place in range(len(rest) - 1):
        if is_text(rest[place]) and plain_text(rest[place]).lower() == name:
            value = rest[place + 1]
            del rest[place : place + 2]
            return value
    return None


def _sampled_function(
    ctx: CallContext, rest: list[Value], count: int
) -> tuple[Array, Array, Array]:
    """A function of two variables on a grid; takes the function and its limits off ``rest``.

    Three functions give the coordinates of a surface.
    """
    functions = [function_of(ctx, rest.pop(0), "xy")]
    while rest and isinstance(rest[0], FunctionHandle):
        functions.append(function_of(ctx, rest.pop(0)))
    if len(functions) not in (1, 3):
        text = "A surface is given by one function, or by three for its coordinates."
        raise MatlabError("MATLAB:fsurf:InvalidFunctions", text)
    ends = [-5.0, 5.0, -5.0, 5.0]
    if rest and plottable(rest[0]):
        given = [float(v) for v in as_array(rest.pop(0)).reshape(-1)]
        if len(given) not in (2, 4):
            text = "The limits are a vector of 2 or 4 numbers."
            raise MatlabError("MATLAB:fsurf:InvalidLimits", text)
        ends = given * 2 if len(given) == 2 else given
    x, y = np.meshgrid(np.linspace(ends[0], ends[1], count), np.linspace(ends[2], ends[3], count))
    found = [function_values(ctx, f, x, y).astype(np.float64) for f in functions]
    return (found[0], found[1], found[2]) if len(found) > 1 else (x, y, found[0])


def _of_function(ctx: CallContext, drawer: str, args: tuple[Value, ...], nargout: int) -> Value:
    axes, rest = split_axes(ctx, args)
    density = taken_option(rest, "meshdensity")
    count = 81 if drawer in ("contour", "contourf") else 41
    grid = _sampled_function(ctx, rest, count if density is None else int(number_of(density)))
    found = ctx.call(drawer, (axes, *grid, *rest), nargout)
    return found[-1] if nargout else None


@builtin(
    "fsurf",
    least=1,
    category=PLOT,
    signatures=("h = fsurf(f,[xmin xmax ymin ymax])",),
    cases=(
        "h = fsurf(@(x, y) x + y); isgraphics(h)",
        "h = fsurf(@(x, y) x + y, [0 1], 'MeshDensity', 5); isequal(size(h.ZData), [5 5])",
        "h = fsurf(@(u, v) u, @(u, v) v, @(u, v) u.*v, [0 1 2 3]); max(h.YData(:)) == 3",
        "ax = axes; h = fsurf(ax, @(x, y) x); isequal(ancestor(h, 'axes'), ax)",
    ),
    see=("surf",),
)
def fsurf(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw a function of two variables as a surface; with 'ShowContours' over its contours."""
    rest = list(args)
    shown = taken_option(rest, "showcontours")
    lines = shown is not None and parse_switch(shown)
    return _of_function(ctx, "surfc" if lines else "surf", tuple(rest), nargout)


@builtin(
    "fmesh",
    least=1,
    category=PLOT,
    signatures=("h = fmesh(f,[xmin xmax ymin ymax])",),
    cases=("h = fmesh(@(x, y) x + y); isgraphics(h)",),
    see=("mesh",),
)
def fmesh(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw a function of two variables as a mesh."""
    return _of_function(ctx, "mesh", args, nargout)


@builtin(
    "ezsurf",
    least=1,
    category=PLOT,
    signatures=("h = ezsurf(f,[xmin xmax ymin ymax])",),
    cases=("h = ezsurf(@(x, y) x .* y); isgraphics(h)",),
    see=("fsurf",),
)
def ezsurf(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw a function of two variables as a surface (older name of fsurf)."""
    return _of_function(ctx, "surf", args, nargout)


@builtin(
    "ezmesh",
    least=1,
    category=PLOT,
    signatures=("h = ezmesh(f,[xmin xmax ymin ymax])",),
    cases=("h = ezmesh(@(x, y) x .* y); isgraphics(h)",),
    see=("fmesh",),
)
def ezmesh(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw a function of two variables as a mesh (older name of fmesh)."""
    return _of_function(ctx, "mesh", args, nargout)


@builtin(
    "fcontour",
    least=1,
    category=PLOT,
    signatures=("h = fcontour(f,[xmin xmax ymin ymax])",),
    cases=("h = fcontour(@(x, y) x.^2 + y.^2, [-1 1 -1 1]); isgraphics(h)",),
    see=("contour",),
)
def fcontour(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw lines of equal value of a function of two variables."""
    rest = list(args)
    ctx.call("contour", _sampled_function(ctx, rest, 81), 0)
    return figures(ctx).gca().children[-1] if nargout else None


@builtin(
    "fimplicit",
    least=1,
    category=PLOT,
    signatures=("h = fimplicit(f,[xmin xmax ymin ymax])",),
    cases=("h = fimplicit(@(x, y) x.^2 + y.^2 - 1, [-2 2]); isgraphics(h)",),
    see=("fcontour",),
)
def fimplicit(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw the curve on which a function of two variables is zero."""
    rest = list(args)
    grid = _sampled_function(ctx, rest, 201)
    ctx.call("contour", (*grid, np.array([[0.0, 0.0]])), 0)
    made = figures(ctx).gca().children[-1]
    made["LineColor"] = (0.0, 0.447, 0.741)
    return made if nargout else None


@builtin(
    "ezplot",
    least=1,
    category=PLOT,
    signatures=("h = ezplot(f,[a b])",),
    cases=(
        "h = ezplot(@sin); isgraphics(h)",
        "ezplot('t^2', [0 3]); isequal(xlim, [0 3]) && strcmp(gca().XLabel.String, 't')",
        "ezplot(@(x) x.^2); isequal(get(get(gca, 'Title'), 'String'), 'x.^2')",
    ),
    see=("fplot", "fimplicit"),
)
def ezplot(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw a function of one variable, or the zeros of one of two; its text is the title."""
    rest: list[Any] = [function_of(ctx, args[0]), *args[1:]]
    if len(rest) > 1 and not plottable(rest[1]):
        return _of_parameter(ctx, rest, nargout)
    ends = rest[1] if len(rest) > 1 else np.array([[-2 * np.pi, 2 * np.pi]])
    inputs = int(number_of(ctx.call("nargin", (rest[0],))[0]))
    drawer = "fimplicit" if inputs == 2 else "fplot"
    ends = np.reshape(ends, (1, -1))[:, :2] if drawer == "fplot" else ends
    found = ctx.call(drawer, (rest[0], ends), nargout)
    if drawer == "fplot":
        ctx.call("xlim", (ends,), 0)
    names, title = _name_and_body(rest[0].text, inputs)
    ctx.call("title", (title,), 0)
    for label, name in zip(("xlabel", "ylabel"), names, strict=False):
        ctx.call(label, (name,), 0)
    return found[0] if nargout else None


def _name_and_body(text: str, inputs: int) -> tuple[list[str], str]:
    """The names of the inputs of a function, and what it computes of them."""
    given = re.match(r"@\(([^)]*)\)\s*(.*)", text, re.DOTALL)
    if given is None:
        names = ["x", "y"][: max(inputs, 1)] if inputs > 0 else ["x"]
        return names, f"{text.lstrip('@')}({','.join(names)})"
    return [name.strip() for name in given[1].split(",")], given[2]


def _of_parameter(ctx: CallContext, rest: list[Any], nargout: int) -> Value:
    """The curve ``x(t), y(t)``, over a circle unless limits are given."""
    parts = [function_of(ctx, part, "t") for part in rest[:2]]
    if len(rest) > 3 or (len(rest) > 2 and numel(rest[2]) != 2):
        raise MatlabError("MATLAB:ezplot:BadLimits", "The limits of the parameter are two numbers.")
    low, high = as_array(rest[2]).reshape(-1)[:2] if len(rest) > 2 else (0.0, 2 * np.pi)
    t = np.linspace(low, high, 501)[None, :]
    found = ctx.call("plot", tuple(function_values(ctx, f, t) for f in parts), 1)
    return found[0] if nargout else None
