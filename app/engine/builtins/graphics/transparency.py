"""How transparent things are drawn: opacities, alpha maps and their limits."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.builtins.graphics.plotting_support import (
    PLOT,
    figures,
    is_handle,
    split_axes,
    taken_handle,
)
from app.engine.declarations.registry import builtin
from app.engine.figures.objects import GraphicsArray, GraphicsObject, items_of
from app.engine.figures.opacity import ALPHA_DATA, DEFAULT_SIZE, resolved_alphamap
from app.engine.figures.properties import is_text, number_of, plain_text
from app.engine.values import Array, Value, as_array, canonical, numel
from app.errors import MatlabError

_OPACITIES: dict[str, Value] = {
    "clear": 0.0,
    "opaque": 1.0,
    "flat": "flat",
    "interp": "interp",
    "texture": "texturemap",
}
_MAPPINGS = ("none", "scaled", "direct")
_OTHER_DATA = {"x": "XData", "y": "YData", "z": "ZData", "color": "CData"}
_SHAPE_OF = {"surface": "ZData", "image": "CData", "scatter": "YData"}
"""What alpha data have the size of."""


@builtin(
    "alpha",
    least=1,
    words="clear opaque flat interp texture none scaled direct x y z color rand",
    category=PLOT,
    signatures=("alpha(value)", "alpha(obj,value)", "alpha(data)"),
    cases=(
        "surf(peaks(5)); alpha(0.5); get(findobj('Type', 'surface'), 'FaceAlpha') == 0.5",
        "h = surf(peaks(5)); alpha(h, magic(5)); isequal({h.FaceAlpha, h.AlphaData}, "
        "{'flat', magic(5)})",
        "h = surf(peaks(5)); alpha color; alpha direct; isequal({h.AlphaData, "
        "h.AlphaDataMapping}, {h.ZData, 'direct'})",
    ),
    see=("alphamap", "alim", "surf", "patch"),
)
def alpha(ctx: CallContext, *args: Value) -> None:
    """Make faces of the axes, or of some objects, transparent.

    Args:
        ctx: has the figures.
        args: an opacity from 0 to 1, or the word for one: clear, opaque, flat, interp, texture; or
            alpha data: an array of the size of the colours, or x, y, z, color, rand; or how data
            are mapped: none, scaled, direct. Objects, or axes, may come first.
    """
    rest = list(args)
    if type(rest[0]) is GraphicsArray or (is_handle(rest[0]) and not is_handle(rest[0], "axes")):
        targets = items_of(rest.pop(0))
    else:
        axes, rest = split_axes(ctx, args)
        targets = list(axes.children)
    if len(rest) != 1:
        amount = "Too many" if rest else "Not enough"
        raise MatlabError("MATLAB:alpha:Arguments", f"{amount} input arguments.")
    given = rest[0]
    if is_text(given):
        number = ctx.call("str2double", (given,))[0]  # the command form: alpha 0.5
        given = plain_text(given).lower() if np.isnan(as_array(number)).any() else number
    for item in targets:
        _fade(ctx, item, given)


def _fade(ctx: CallContext, item: GraphicsObject, given: Value) -> None:
    """Give one object an opacity, alpha data or a way to map them."""
    data = ALPHA_DATA.get(item.kind.name)
    if isinstance(given, str) and given in _MAPPINGS:
        if data is not None:
            item.set("AlphaDataMapping", given)
    elif isinstance(given, str) and given in _OPACITIES:
        _set_opacity(item, _OPACITIES[given])
    elif not isinstance(given, str) and numel(given) == 1:
        _set_opacity(item, given)
    elif data is not None:
        item.set(data, _alpha_data(ctx, item, given))
        for name in ("FaceAlpha", "MarkerFaceAlpha"):
            if item.has(name) and not isinstance(item[name], str):
                item.set(name, "flat")


def _set_opacity(item: GraphicsObject, opacity: Value) -> None:
    for name in ("FaceAlpha", "MarkerFaceAlpha"):
        if item.has(name):
            item.set(name, opacity)
    if item.kind.name == "image" and not isinstance(opacity, str):
        item.set("AlphaData", opacity)


def _alpha_data(ctx: CallContext, item: GraphicsObject, given: Value) -> Value:
    """Alpha data for an object: those given, or its own numbers that a word stands for."""
    if item.kind.name == "patch":
        count = float(as_array(item.get("Faces")).shape[0])
        size = np.array([[count, 1.0]])
    else:
        size = np.array([as_array(item.get(_SHAPE_OF[item.kind.name])).shape[:2]], np.float64)
    shape = tuple(map(int, size[0]))
    if not isinstance(given, str):
        if item.kind.name != "patch" and as_array(given).shape != shape:
            text = "Alpha data of this {} must be {}-by-{}.".format(item.kind.name, *shape)
            raise MatlabError("MATLAB:alpha:SizeMismatch", text)
        return given
    if given == "rand":
        return ctx.call("rand", (size,))[0]
    name = _OTHER_DATA.get(given)
    if name is None:
        words = ", ".join((*_OPACITIES, *_MAPPINGS, *_OTHER_DATA, "rand"))
        text = f"'{given}' is no opacity. Use a number, or: {words}."
        raise MatlabError("MATLAB:alpha:UnknownWord", text)
    if item.kind.name == "surface":
        return canonical(_of_surface(item, name, shape))
    return item.get("FaceVertexCData" if item.kind.name == "patch" else name)


def _of_surface(surface: GraphicsObject, name: str, shape: tuple[int, ...]) -> Array:
    """Coordinates or colours of a surface, for each of its points."""
    found = as_array(surface.get("ZData" if name == "CData" and surface[name] is None else name))
    if name in ("XData", "YData") and found.shape != shape:
        found = found.reshape((1, -1) if name == "XData" else (-1, 1))
    return np.array(np.broadcast_to(found, shape))


@builtin(
    "alphamap",
    words="default rampup rampdown vup vdown increase decrease spin",
    category=PLOT,
    signatures=(
        "alphamap(map)",
        "alphamap(word)",
        "alphamap(word,length)",
        "alphamap(word,delta)",
        "alphamap(target,___)",
        "m = alphamap",
        "m = alphamap(target)",
        "m = alphamap(word)",
    ),
    cases=(
        "figure; isequal(alphamap, linspace(0, 1, 64))",
        "figure; alphamap([0; 0.5; 1]); isequal(get(gcf, 'Alphamap'), [0 0.5 1])",
        "figure; alphamap('rampdown', 3); isequal(alphamap, [1 0.5 0])",
        "figure; alphamap('vup', 5); isequal(alphamap, [0 0.5 1 0.5 0])",
    ),
    see=("alpha", "alim", "colormap"),
)
def alphamap(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """The opacities, from 0 to 1, that alpha data are shown with.

    Args:
        ctx: has the figures.
        args: opacities; or a word, with the length of a new map (rampup, rampdown, vup, vdown), or
            how far the present one changes (increase and decrease by 0.1, spin by 1 place).
            A figure or axes may come first.
        nargout: with an output and a word, the map is returned and not set.
    """
    rest = list(args)
    target = taken_handle(rest, "axes", "figure") or figures(ctx).gcf()
    current = resolved_alphamap(target)
    if not rest:
        return canonical(current[None, :])
    if is_text(rest[0]):
        number = None if len(rest) < 2 else number_of(rest[1])
        made = _named_map(plain_text(rest[0]).lower(), current, number)
        if nargout:
            return canonical(made[None, :])
    else:
        made = as_array(rest[0]).astype(np.float64).reshape(-1)
        if not made.size or not ((made >= 0) & (made <= 1)).all():
            text = "An alpha map has numbers from 0 to 1, at least one."
            raise MatlabError("MATLAB:alphamap:Values", text)
    target["Alphamap"] = tuple(made.tolist())
    for child in target.children if target.kind.name == "figure" else ():
        if child.kind.base == "axes":
            child["Alphamap"] = ()
    return canonical(made[None, :]) if nargout else None


def _named_map(word: str, current: Array, number: float | None) -> Array:
    """The alpha map that a word means."""
    if word in ("increase", "decrease"):
        change = 0.1 if number is None else number
        return np.clip(current + (change if word == "increase" else -change), 0.0, 1.0)
    if word == "spin":
        return np.roll(current, -int(1 if number is None else number))
    if word == "default":
        return np.linspace(0.0, 1.0, DEFAULT_SIZE)
    length = len(current) if number is None else int(number)
    if length < 1:
        raise MatlabError("MATLAB:alphamap:Length", "The length of an alpha map is at least 1.")
    ramp = np.linspace(0.0, 1.0, length)
    peak = 1.0 - np.abs(2.0 * ramp - 1.0)
    maps = {"rampup": ramp, "rampdown": 1.0 - ramp, "vup": peak, "vdown": 1.0 - peak}
    if word not in maps:
        known = ", ".join(("increase", "decrease", "spin", "default", *maps))
        raise MatlabError("MATLAB:alphamap:Word", f"An alpha map's word is one of: {known}.")
    return maps[word]


@builtin(
    "alim",
    words="auto manual mode",
    category=PLOT,
    signatures=("alim([a b])", "alim(mode)", "l = alim", "m = alim('mode')"),
    cases=(
        "h = surf(peaks(5), 'AlphaData', magic(5), 'FaceAlpha', 'flat'); isequal(alim, [1 25])",
        "axes; alim([0 2]); isequal({alim, alim('mode')}, {[0 2], 'manual'})",
    ),
    see=("alphamap", "alpha", "clim"),
)
def alim(ctx: CallContext, *args: Value) -> Value:
    """What the ends of the alpha map stand for."""
    axes, rest = split_axes(ctx, args)
    if not rest:
        return axes.get("ALim")
    if is_text(rest[0]) and plain_text(rest[0]).lower() == "mode":
        return axes.get("ALimMode")
    axes.set("ALimMode" if is_text(rest[0]) else "ALim", rest[0])
    return None
