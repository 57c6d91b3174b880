"""Lights, materials, and from where axes in space are looked at."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import enough
from app.engine.builtins.graphics.lines import result
from app.engine.builtins.graphics.plotting_support import (
    PLOT,
    apply_options,
    figures,
    options_of,
    split_axes,
    taken_handle,
)
from app.engine.declarations.registry import builtin
from app.engine.figures.objects import GraphicsObject, items_of
from app.engine.figures.properties import is_text, number_of, plain_text, vector_of
from app.engine.values import Value
from app.errors import MatlabError

Vector = tuple[float, float, float]
_MATERIALS = {
    "shiny": (0.3, 0.6, 0.9, 20.0, 1.0),
    "dull": (0.3, 0.8, 0.0, 10.0, 1.0),
    "metal": (0.3, 0.3, 1.0, 25.0, 0.5),
    "default": (0.3, 0.6, 0.9, 10.0, 1.0),
}
_ASIDE = {"headlight": (0.0, 0.0), "left": (-30.0, 30.0)}
_STRENGTHS = (
    "AmbientStrength",
    "DiffuseStrength",
    "SpecularStrength",
    "SpecularExponent",
    "SpecularColorReflectance",
)


def _view_vector(azimuth: float, elevation: float) -> Vector:
    """The unit vector from the middle of the axes to somebody who looks from there."""
    a, e = np.radians([azimuth, elevation])
    return float(np.sin(a) * np.cos(e)), float(-np.cos(a) * np.cos(e)), float(np.sin(e))


def _new_light(ctx: CallContext, place: Vector) -> GraphicsObject:
    made = GraphicsObject("light", figures(ctx), figures(ctx).gca())
    made["Position"] = place
    return made


@builtin(
    "light",
    category=PLOT,
    signatures=("h = light(Name,Value)",),
    cases=("h = light('Position', [1 0 0]); isequal(h.Position, [1 0 0])",),
    see=("camlight",),
)
def light(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Add a light to the axes; Position says from where it shines."""
    made = _new_light(ctx, (1.0, 0.0, 1.0))
    apply_options(made, options_of(args))
    return result([made], nargout)


@builtin(
    "camlight",
    category=PLOT,
    signatures=("h = camlight(position)", "camlight(az,el)"),
    cases=("surf(peaks(5)); h = camlight; isgraphics(h)",),
    see=("light",),
)
def camlight(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Add a light to the right and above the camera; or to the 'left', at it ('headlight'), or as
    many degrees away."""
    rest = list(args)
    old = taken_handle(rest, "light")
    words = [plain_text(value).lower() for value in rest if is_text(value)]
    numbers = [number_of(value) for value in rest if not is_text(value)]
    aside = _ASIDE.get((words or ["right"])[0], (30.0, 30.0))
    if len(numbers) == 2:
        aside = numbers[0], numbers[1]
    azimuth, elevation = figures(ctx).gca()["View"]
    place = _view_vector(azimuth + aside[0], elevation + aside[1])
    made = _new_light(ctx, place) if old is None else old
    made["Position"] = place
    return result([made], nargout)


@builtin(
    "lightangle",
    words="",
    least=1,
    category=PLOT,
    signatures=("h = lightangle(az,el)",),
    cases=("h = lightangle(45, 30); isgraphics(h)",),
    see=("camlight",),
)
def lightangle(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Add a light that shines from an azimuth and an elevation, or move one."""
    rest = list(args)
    old = taken_handle(rest, "light")
    enough(rest, 2)
    made = _new_light(ctx, (1.0, 0.0, 1.0)) if old is None else old
    made["Position"] = _view_vector(number_of(rest[0]), number_of(rest[1]))
    return result([made], nargout)


@builtin(
    "lighting",
    category=PLOT,
    signatures=("lighting flat", "lighting gouraud", "lighting none"),
    cases=(
        "surf(peaks(5)); lighting gouraud; "
        "strcmp(get(findobj('Type', 'surface'), 'FaceLighting'), 'gouraud')",
    ),
    see=("light",),
)
def lighting(ctx: CallContext, *args: Value) -> None:
    """How surfaces take light: face by face, or not at all."""
    axes, rest = split_axes(ctx, args)
    for item in axes.children:
        if item.has("FaceLighting"):
            item["FaceLighting"] = plain_text(rest[-1]).lower()


@builtin(
    "material",
    least=1,
    category=PLOT,
    signatures=("material shiny", "material([ka kd ks n sc])"),
    cases=("surf(peaks(5)); material shiny; isgraphics(gca)",),
    see=("lighting",),
)
def material(ctx: CallContext, *args: Value) -> None:
    """What surfaces are made of: shiny, dull, metal, default, or up to five numbers."""
    rest = list(args)
    targets = (
        items_of(rest.pop(0))
        if isinstance(rest[0], GraphicsObject)
        else (figures(ctx).gca().children)
    )
    enough(rest, 1)
    if is_text(rest[0]):
        word = plain_text(rest[0]).lower()
        if word not in _MATERIALS:
            raise MatlabError("MATLAB:material:UnknownMaterial", f"Unknown material '{word}'.")
        numbers: tuple[float, ...] = _MATERIALS[word]
    else:
        numbers = vector_of(rest[0])
    for item in targets:
        for name, number in zip(_STRENGTHS, numbers, strict=False):
            if item.has(name):
                item[name] = number


# --- the camera ---------------------------------------------------------------------------


def _aspect(ctx: CallContext, name: str, args: tuple[Value, ...]) -> Value | None:
    axes, rest = split_axes(ctx, args)
    if not rest:
        return axes.get(name)
    if is_text(rest[0]):
        word = plain_text(rest[0]).lower()
        if word == "mode":
            return axes.get(f"{name}Mode")
        axes[f"{name}Mode"] = word
    else:
        axes.set(name, rest[0])
    return None


@builtin(
    "daspect",
    words="auto manual mode",
    category=PLOT,
    signatures=("daspect([x y z])", "r = daspect"),
    cases=("plot(1:3); daspect([1 2 1]); isequal(daspect, [1 2 1])",),
    see=("axis",),
)
def daspect(ctx: CallContext, *args: Value) -> Value:
    """How long units of x, y and z are beside each other."""
    return _aspect(ctx, "DataAspectRatio", args)


@builtin(
    "pbaspect",
    words="auto manual mode",
    category=PLOT,
    signatures=("pbaspect([x y z])", "r = pbaspect"),
    cases=("plot(1:3); pbaspect([2 1 1]); isequal(pbaspect, [2 1 1])",),
    see=("axis",),
)
def pbaspect(ctx: CallContext, *args: Value) -> Value:
    """How long the sides of the axes' box are beside each other."""
    return _aspect(ctx, "PlotBoxAspectRatio", args)


@builtin(
    "hidden",
    category=PLOT,
    signatures=("hidden on", "hidden off", "hidden", "hidden(ax, ...)"),
    words="on off",
    cases=(
        "h = mesh(peaks(5)); hidden off; h.FaceAlpha == 0",
        "h = mesh(peaks(5)); hidden; hidden; h.FaceAlpha == 1",
        "h = surf(peaks(5)); hidden off; h.FaceAlpha == 1",
    ),
    see=("mesh",),
)
def hidden(ctx: CallContext, *args: Value) -> None:
    """Whether meshes hide what is behind them; without a word the other way than now."""
    axes, rest = split_axes(ctx, args)
    word = plain_text(rest[0]).lower() if rest else ""
    for item in axes.children:
        if item.kind.name == "surface" and item["FaceColor"] == "none":
            see_through = word == "off" or (not word and item["FaceAlpha"] != 0.0)
            item["FaceAlpha"] = 0.0 if see_through else 1.0


@builtin(
    "rotate",
    words="",
    category=PLOT,
    signatures=("rotate(h,direction,degrees)",),
    cases=(
        "h = plot3([0 1], [0 0], [0 0]); rotate(h, [0 0 1], 90, [0 0 0]); "
        "abs(h.YData(2) - 1) < 1e-9",
        "h = text(2, 0, 'a'); rotate(h, [0 0 1], 90, [0 0 0]); norm(h.Position - [0 2 0]) < 1e-9",
    ),
    see=("view",),
)
def rotate(
    ctx: CallContext, target: Value, direction: Value, degrees: Value, *origin: Value
) -> None:
    """Turn series around a direction through their middle (or a point); texts keep upright."""
    from app.engine.figures.figure_data import HostData

    way = np.array(vector_of(direction))
    if way.size == 2:
        way = np.array(_view_vector(way[0], way[1]))
    if way.size != 3:
        text = "A direction has three elements, or azimuth and elevation."
        raise MatlabError("MATLAB:rotate:InvalidDirection", text)
    way = way / np.linalg.norm(way)
    angle = np.radians(number_of(degrees))
    cross = np.array([[0, -way[2], way[1]], [way[2], 0, -way[0]], [-way[1], way[0], 0]])
    turn = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
    for item in items_of(target):
        if item.kind.name == "text" and origin:
            spot, middle = (
                np.array([*vector_of(v), 0.0][:3]) for v in (item.get("Position"), *origin)
            )
            item.set("Position", (turn @ (spot - middle) + middle).reshape(1, 3))
        if not item.has("XData"):
            continue
        grids = [item[f"{letter}Data"] for letter in "XYZ"]
        if grids[0] is None or grids[1] is None:
            continue
        hosts = [np.zeros(1) if grid is None else grid.host("get") for grid in grids]
        if item.kind.name == "surface" and hosts[0].shape != hosts[2].shape:
            hosts[:2] = np.meshgrid(hosts[0].reshape(-1), hosts[1].reshape(-1))
        parts = np.broadcast_arrays(*hosts)
        middle = (
            np.array(vector_of(origin[0]))
            if origin
            else np.array([(part.min() + part.max()) / 2 for part in parts])
        )
        moved = np.tensordot(turn, np.stack(parts) - middle[:, None, None], 1)
        for letter, part in zip("XYZ", moved + middle[:, None, None], strict=True):
            item[f"{letter}Data"] = HostData(np.ascontiguousarray(part))
