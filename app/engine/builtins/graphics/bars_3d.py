"""Bars, pies, polygons and comets in space."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import MATRIX, enough, unknown_option
from app.engine.builtins.graphics.lines import drawn, result, view_in_space
from app.engine.builtins.graphics.plotting_support import (
    PLOT,
    apply_options,
    figures,
    first_text,
    new_series,
    options_of,
    plottable,
    plotting_axes,
    take_flag,
)
from app.engine.declarations.device_support import CONTAINER
from app.engine.declarations.registry import builtin
from app.engine.figures.colors import named_color
from app.engine.figures.mark_geometry import Geometry
from app.engine.figures.objects import GraphicsObject
from app.engine.figures.properties import number_of, plain_text
from app.engine.figures.series_data import host_data_of, value_shape
from app.engine.values import Array, Value, as_array, numel
from app.errors import MatlabError

_STYLES = "detached grouped stacked"


_NONE = np.nan
_SIDES_OF = np.array(
    [
        [_NONE, 0, 0, _NONE],
        [0, 1, 1, 0],
        [0, 1, 1, 0],
        [_NONE, 0, 0, _NONE],
        [_NONE] * 4,
        [_NONE] * 4,
    ]
)
"""A tower as six rows of a surface: which points are on top, and where there is none."""


def _tower_places(rows: Array, width: float) -> Array:
    """Where the six rows of every tower stand along the other axis."""
    edges = np.array([-0.5, -0.5, 0.5, 0.5, np.nan, np.nan]) * width
    found: Array = (rows.reshape(-1, 1) + edges).reshape(-1, 1)
    return found


def _column_of_towers(
    ctx: CallContext, heights: Value, places: Array, column: int, width: float, *, lying: bool
) -> dict[str, Any]:
    """A surface of towers, made where the heights are."""
    geometry, count = Geometry(ctx), len(places)
    tops = geometry("repelem", heights, 6.0, 1.0)
    z = geometry("times", tops, np.tile(_SIDES_OF, (count // 6, 1)))
    edges = column + 1 + width / 2 * np.array([-1.0, -1.0, 1.0, 1.0])
    x, y = edges + np.zeros((count, 4)), places + np.zeros((count, 4))
    along = {"YData": z, "ZData": y} if lying else {"YData": y, "ZData": z}
    color = np.full((count, 4), column + 1.0)
    return geometry.named(XData=x, CData=color, **along)


def _bar3(ctx: CallContext, args: tuple[Value, ...], *, lying: bool) -> list[GraphicsObject]:
    axes, rest = plotting_axes(ctx, args)
    take_flag(rest, *_STYLES.split())
    values = rest[: first_text(rest)]
    options = rest[len(values) :]
    enough(values, 1)
    width = number_of(values.pop()) if len(values) > 1 and numel(values[-1]) == 1 else 0.8
    geometry = Geometry(ctx)
    z = geometry("double", values[-1])
    z = geometry.column(z) if 1 in value_shape(z) else z
    count = value_shape(z)[0]
    rows = as_array(values[0]).reshape(-1) if len(values) > 1 else np.arange(1.0, count + 1)
    places = _tower_places(rows.astype(np.float64), width)
    made = [
        new_series(
            ctx,
            axes,
            "surface",
            {"Whole": True, **_column_of_towers(ctx, heights, places, column, width, lying=lying)},
        )
        for column, heights in enumerate(geometry.columns(z))
    ]
    if len(options) % 2:
        word = plain_text(options.pop(0))
        color = named_color(word)
        if color is None:
            raise unknown_option("bar3h" if lying else "bar3", word, _STYLES)
        for item in made:
            item["FaceColor"] = color
    for item in made:
        apply_options(item, options_of(options))
    view_in_space(axes)
    axes["YDir"] = "normal" if lying else "reverse"
    return made


@builtin(
    "bar3",
    least=1,
    category=PLOT,
    signatures=("h = bar3(Y,Z,width)",),
    device=CONTAINER,
    cases=(
        "h = bar3([1 2; 3 4]); all(isgraphics(h))",
        "h = bar3([1 2; 3 4], 0.5, 'r'); isequal(h(1).FaceColor, [1 0 0])",
    ),
    see=("bar", "bar3h"),
)
def bar3(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw the elements of a matrix as towers, a colour per column."""
    return result(_bar3(ctx, args, lying=False), nargout)


@builtin(
    "bar3h",
    least=1,
    category=PLOT,
    signatures=("h = bar3h(Z,Y,width)",),
    device=CONTAINER,
    cases=("h = bar3h([1 2; 3 4]); all(isgraphics(h))",),
    see=("bar3",),
)
def bar3h(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw the elements of a matrix as lying towers, a colour per column."""
    return result(_bar3(ctx, args, lying=True), nargout)


@builtin(
    "pie3",
    least=1,
    category=PLOT,
    signatures=("h = pie3(X,explode,labels)",),
    device=CONTAINER,
    cases=("h = pie3([1 2 3]); all(isgraphics(h))",),
    see=("pie",),
)
def pie3(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Show shares of a whole as slices of a flat cylinder."""
    axes, rest = plotting_axes(ctx, args)
    shares = host_data_of(ctx, rest.pop(0)).array.astype(np.float64).reshape(-1)
    shares = shares / shares.sum()
    made, start, height = [], np.pi / 2, 0.35
    for share in shares.tolist():
        angles = np.linspace(start, start + 2 * np.pi * share, max(3, int(60 * share) + 2))
        start = float(angles[-1])
        made.append(_wedge(ctx, axes, angles, height))
        middle = float(angles.mean())
        note = GraphicsObject("text", figures(ctx), axes)
        note.values.update(
            String=f"{round(100 * share)}%",
            HorizontalAlignment="center",
            Position=(1.2 * float(np.cos(middle)), 1.2 * float(np.sin(middle)), height),
        )
    axes.values.update(View=(-37.5, 45.0), Visible=False, DataAspectRatioMode="manual")
    return result(made, nargout)


def _wedge(ctx: CallContext, axes: GraphicsObject, angles: Array, height: float) -> GraphicsObject:
    """One slice: bottom, top and rim."""
    rim = np.column_stack([np.cos(angles), np.sin(angles)])
    flat = np.vstack([[0.0, 0.0], rim])
    count = len(flat)
    vertices = np.vstack([np.column_stack([flat, np.full(count, z)]) for z in (0.0, height)])
    lids = np.arange(1.0, count + 1)[None, :] + np.array([[0.0], [count]])
    corners = np.arange(count)
    walls = np.column_stack([corners, (corners + 1) % count]) + 1.0
    sides = np.full((count, count), np.nan)
    sides[:, :4] = np.column_stack([walls, walls[:, ::-1] + count])
    return new_series(
        ctx,
        axes,
        "patch",
        {
            "Vertices": vertices,
            "Faces": np.vstack([lids, sides]),
            "FaceColor": figures(ctx).next_color(axes),
            "EdgeAlpha": 0.3,
        },
    )


@builtin(
    "fill3",
    category=PLOT,
    signatures=("h = fill3(X,Y,Z,C)",),
    device=CONTAINER,
    cases=("h = fill3([0 1 1], [0 0 1], [0 0 1], 'g'); strcmp(h.Type, 'patch')",),
    see=("fill", "patch"),
)
def fill3(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw filled polygons in space."""
    axes, rest = plotting_axes(ctx, args)
    made = []
    while len(rest) >= 4 and plottable(rest[0]):
        made.append(drawn(ctx, "patch", tuple(rest[:4])))
        del rest[:4]
    for item in made:
        apply_options(item, options_of(rest))
    view_in_space(axes)
    return result(made, nargout)


@builtin(
    "meshz",
    least=1,
    category=PLOT,
    signatures=("h = meshz(X,Y,Z)",),
    device=CONTAINER,
    cases=("h = meshz(peaks(5)); isgraphics(h)",),
    see=("mesh",),
)
def meshz(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw a mesh with a curtain around it."""
    geometry, count = Geometry(ctx), first_text(args)
    enough(args[:count], 1)
    MATRIX("meshz", min(count, 3), args[min(count, 3) - 1])
    x, y, z = geometry.matrices(list(args[: min(count, 3)]))
    rows, columns = value_shape(z)
    places = np.pad(np.arange(rows * columns).reshape(rows, columns, order="F"), 1, mode="edge")
    x, y = (geometry.chosen(part, places) for part in (x, y))
    floor = geometry.number("min", z)
    side, end = np.full((rows, 1), floor), np.full((1, columns + 2), floor)
    z = geometry("vertcat", end, geometry("horzcat", side, z, side), end)
    return result([drawn(ctx, "mesh", (x, y, z, *args[count:]))], nargout)


def _normals(geometry: Geometry, across: list[Value], down: list[Value]) -> tuple[Value, ...]:
    """Unit vectors that stand upright on two others."""
    found = []
    for first, second in ((1, 2), (2, 0), (0, 1)):
        products = [
            geometry("times", across[a], down[b]) for a, b in ((first, second), (second, first))
        ]
        found.append(geometry("minus", *products))
    squares = [geometry("times", part, part) for part in found]
    length = geometry("sqrt", geometry("plus", geometry("plus", *squares[:2]), squares[2]))
    length = geometry("max", length, 1e-300)
    return tuple(geometry("rdivide", part, length) for part in found)


@builtin(
    "surfnorm",
    least=1,
    category=PLOT,
    signatures=("surfnorm(X,Y,Z)", "[nx,ny,nz] = surfnorm(Z)"),
    device=CONTAINER,
    cases=("[nx, ny, nz] = surfnorm(ones(3)); isequal(nz, ones(3))",),
    see=("surf", "quiver3"),
)
def surfnorm(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """The directions that stand upright on a surface; or a picture of them."""
    geometry, given = Geometry(ctx), list(args[: 3 if len(args) > 2 else 1])
    MATRIX("surfnorm", len(given), given[-1])
    if min(value_shape(given[-1])) < 2:
        raise MatlabError("MATLAB:surfnorm:TooFewPoints", "Z needs two rows and columns at least.")
    x, y, z = geometry.matrices(given)
    slopes = [ctx.call("gradient", (part,), 2) for part in (x, y, z)]
    parts = _normals(geometry, [s[0] for s in slopes], [s[1] for s in slopes])
    if nargout:
        return parts
    ctx.call("surf", (x, y, z), 0)
    ctx.call("hold", ("on",), 0)
    ctx.call("quiver3", (x, y, z, *parts), 0)
    ctx.call("hold", ("off",), 0)
    return None
