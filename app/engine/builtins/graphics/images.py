"""Images, colour maps, surfaces and contours."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from app.engine import stoppable
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import one_of, option_pairs
from app.engine.builtins.graphics.lines import result, view_in_space
from app.engine.builtins.graphics.plotting_support import (
    PLOT,
    Options,
    apply_options,
    figures,
    first_text,
    new_series,
    options_of,
    plotting_axes,
    split_axes,
    take_linespec,
    taken_handle,
)
from app.engine.declarations.device_support import CONTAINER
from app.engine.declarations.registry import builtin
from app.engine.figures.colormaps import DEFAULT_SIZE, colormap, colormap_table, resolved_colormap
from app.engine.figures.computed_properties import contour_lines_of
from app.engine.figures.figure_data import HostData, ResidentData
from app.engine.figures.objects import GraphicsObject
from app.engine.figures.properties import is_text, number_of, plain_text
from app.engine.figures.series_data import (
    data_of,
    device_data_of,
    host_data_of,
    together,
    value_shape,
)
from app.engine.figures.ticks import linear_ticks
from app.engine.values import Value, as_array, canonical, class_of, numel
from app.errors import MatlabError

# --- colour maps --------------------------------------------------------------------------


@builtin(
    "colormap",
    category=PLOT,
    signatures=("colormap(map)", "m = colormap"),
    cases=("colormap(gray(16)); isequal(colormap, gray(16))",),
    see=("colorbar", "clim"),
)
def colormap_function(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """The colours that numbers are shown in: a name, or a matrix with rows of red, green, blue.

    Words: default, parula, viridis, turbo, jet, hsv, hot, cool, spring, summer, autumn, winter,
    gray, bone, copper, pink, lines, prism, flag, white, colorcube, sky, abyss, nebula.
    """
    rest = list(args)
    target = taken_handle(rest, "axes", "figure") or figures(ctx).gcf()
    if rest:
        target["Colormap"] = colormap_table(rest[0], resolved_colormap(target))
        for child in target.children if target.kind.name == "figure" else ():
            if child.kind.base == "axes":
                child["Colormap"] = None
    return canonical(resolved_colormap(target)) if nargout or not rest else None


def _map(ctx: CallContext, name: str, size: Value) -> Value:
    current = figures(ctx).current
    rows = DEFAULT_SIZE if current is None else len(resolved_colormap(current))
    count = rows if size is None else int(number_of(size))
    make = partial(colormap, name, count)
    return canonical(stoppable.beside(make) if count >= stoppable.LARGE_ARRAY else make())


def declare_map(name: str) -> None:
    """Declare the function that makes the colour map ``name``."""

    @builtin(
        name,
        category=PLOT,
        signatures=(f"c = {name}(m)",),
        see=("colormap",),
        cases=(f"isequal(size({name}(4)), [4 3])",),
        text=f"The colour map '{name}' with m rows.",
    )
    def make(ctx: CallContext, size: Value = None) -> Value:
        return _map(ctx, name, size)


declare_map("parula")
declare_map("viridis")
declare_map("turbo")
declare_map("jet")
declare_map("hsv")
declare_map("hot")
declare_map("cool")
declare_map("spring")
declare_map("summer")
declare_map("autumn")
declare_map("winter")
declare_map("gray")
declare_map("bone")
declare_map("copper")
declare_map("pink")
declare_map("lines")
declare_map("prism")
declare_map("flag")
declare_map("white")
declare_map("colorcube")
declare_map("sky")
declare_map("abyss")
declare_map("nebula")


@builtin(
    "colordef",
    category=PLOT,
    signatures=("colordef white", "colordef black"),
    cases=("isempty(evalc('colordef white'))",),
    see=("colormap",),
)
def colordef(ctx: CallContext, *args: Value) -> None:
    """Colours of the current figure: black on white, or white on black."""
    dark = any(plain_text(word).lower() == "black" for word in args if is_text(word))
    model = figures(ctx)
    if model.current is not None:
        model.current["Color"] = (0.0, 0.0, 0.0) if dark else "auto"
        for axes in (c for c in model.current.children if c.kind.base == "axes"):
            axes["Color"] = (0.0, 0.0, 0.0) if dark else "auto"


@builtin(
    "brighten",
    category=PLOT,
    signatures=("brighten(beta)",),
    cases=("colormap(gray(4)); brighten(0.5); isequal(size(colormap), [4 3])",),
    see=("colormap",),
)
def brighten(ctx: CallContext, beta: Value) -> None:
    """Make the colour map brighter (beta > 0) or darker."""
    target = figures(ctx).gcf()
    strength = number_of(beta)
    if not -1 < strength < 1:
        text = "The strength must lie between -1 and 1."
        raise MatlabError("MATLAB:brighten:InvalidBeta", text)
    gamma = 1 - min(1 - 1e-9, strength) if strength > 0 else 1 / (1 + strength)
    target["Colormap"] = resolved_colormap(target) ** gamma


# --- images -------------------------------------------------------------------------------


def _image_parts(rest: list[Value]) -> tuple[dict[str, Value], list[Value]]:
    """The data arguments of image and imagesc by property, and the others."""
    count = first_text(rest)
    data = rest[:count]
    if count in (1, 2):
        return {"CData": data[0]}, [*data[1:], *rest[count:]]
    if count >= 3:
        parts = {"XData": data[0], "YData": data[1], "CData": data[2]}
        return parts, [*data[3:], *rest[count:]]
    return {}, rest


def _image(
    ctx: CallContext, axes: GraphicsObject, rest: list[Value], mapping: str
) -> GraphicsObject:
    parts, others = _image_parts(rest)
    limits = None
    if others and not is_text(others[0]):
        limits = others.pop(0)
    options = options_of(others)
    if not parts:
        parts = {name: value for name, value in options if name.lower() == "cdata"}
        options = [(name, value) for name, value in options if name.lower() != "cdata"]
        parts = {"CData": next(iter(parts.values()), np.zeros((0, 0)))}
    shape = value_shape(parts["CData"])
    if len(shape) > 2 and shape[2] != 3:
        raise MatlabError(
            "MATLAB:image:InvalidCData", "CData must be an m-by-n or m-by-n-by-3 array."
        )
    kept = {
        name: data_of(ctx, value) if name == "CData" else host_data_of(ctx, value)
        for name, value in parts.items()
    }
    made = new_series(ctx, axes, "image", {**kept, "CDataMapping": mapping})
    if limits is not None and numel(limits) == 2:
        axes.set("CLim", limits)
    apply_options(made, options)
    return made


def _image_axes(axes: GraphicsObject) -> None:
    """Axes of an image: first row on top, ticks in front."""
    if axes["NextPlot"] != "add":
        axes.values.update(YDir="reverse", Layer="top", Box=True)
        axes.touch()


@builtin(
    "imagesc",
    category=PLOT,
    signatures=("h = imagesc(C)", "imagesc(x,y,C,clims)"),
    device=CONTAINER,
    cases=("h = imagesc(magic(4)); strcmp(h.CDataMapping, 'scaled')",),
    see=("image", "colormap", "colorbar"),
)
def imagesc(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Show a matrix as an image, its values stretched over the whole colour map.

    A matrix that lives on the device is drawn from its buffer, without a copy.
    """
    axes, rest = plotting_axes(ctx, args)
    made = _image(ctx, axes, rest, "scaled")
    _image_axes(axes)
    return result([made], nargout)


@builtin(
    "image",
    category=PLOT,
    signatures=("h = image(C)", "image(x,y,C)"),
    device=CONTAINER,
    cases=("h = image(magic(4)); isequal(h.CData, magic(4))",),
    see=("imagesc", "imshow"),
)
def image(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Show a matrix as an image: values are rows of the colour map, or colours themselves."""
    axes, rest = plotting_axes(ctx, args)
    made = _image(ctx, axes, rest, "direct")
    _image_axes(axes)
    return result([made], nargout)


def _imshow_range(value: Value, second: Value) -> Value:
    """The values shown black and white."""
    if second is not None and numel(second) == 2:
        return second
    if second is not None:
        return None
    class_name = class_of(value)
    top = {"uint8": 255.0, "uint16": 65535.0}.get(class_name, 1.0)
    return np.array([[0.0, top]])


@builtin(
    "imshow",
    least=1,
    category=PLOT,
    signatures=(
        "h = imshow(I)",
        "imshow(I,[low high])",
        "imshow(...,'DisplayRange',[low high],'Colormap',map,'InitialMagnification',percent)",
        "imshow(...,'Border','tight')",
    ),
    device=CONTAINER,
    cases=(
        "h = imshow(uint8(magic(4))); strcmp(h.Type, 'image')",
        "imshow(magic(4), 'DisplayRange', [1 9], 'Colormap', jet(5)); "
        "isequal({get(gca, 'CLim'), colormap(gca)}, {[1 9], jet(5)})",
        "imshow(ones(40, 80), 'InitialMagnification', 200, 'Border', 'tight'); p = get(gcf, "
        "'Position'); isequal(p(3:4), [160 80])",
    ),
    see=("image", "imagesc"),
)
def imshow(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Show a picture with square pixels and no axes."""
    axes, rest = plotting_axes(ctx, args)
    value = rest.pop(0)
    if is_text(value):
        value = ctx.call("imread", (value,))[0]
    second = rest.pop(0) if rest and not is_text(rest[0]) else None
    options = option_pairs("imshow", rest)
    second = options.pop("displayrange", second)
    made = _image(ctx, axes, [value], "scaled")
    axes["Colormap"] = as_array(options.pop("colormap", colormap("gray"))).astype(np.float64)
    if second is not None and value_shape(second)[1] == 3:
        axes["Colormap"] = as_array(second).astype(np.float64)
        made["CDataMapping"] = "direct"
    elif len(value_shape(value)) == 2:
        limits = _imshow_range(value, second)
        if limits is not None:
            axes.set("CLim", limits)
    axes.values.update(YDir="reverse", Visible=False, DataAspectRatioMode="manual")
    _sized_as(axes, value, options)
    apply_options(made, list(options.items()))
    return result([made], nargout)


def _sized_as(axes: GraphicsObject, value: Value, options: dict[str, Value]) -> None:
    """Put imshow's options of size into effect, and take them out."""
    size = options.pop("initialmagnification", "fit")
    figure = axes.ancestor("figure")
    if one_of("imshow", "Border", options.pop("border", "loose"), "loose tight") == "tight":
        axes.set("Position", np.array([[0.0, 0.0, 1.0, 1.0]]))
    if is_text(size):
        if plain_text(size).lower() != "fit":
            text = "InitialMagnification must be 'fit' or a number of percent."
            raise MatlabError("MATLAB:images:imshow:invalidMagnification", text)
    elif figure is not None and len(figure.children) == 1:
        place = as_array(figure.get("Position")).ravel().astype(np.float64)
        share = as_array(axes.get("Position")).ravel()[2:]
        pixels = np.array(value_shape(value)[1::-1]) * number_of(size) / 100
        figure.set("Position", np.concatenate([place[:2], pixels / share])[None, :])


# --- surfaces -----------------------------------------------------------------------------


def _left_there(ctx: CallContext, data: list[Value], names: tuple[str, ...]) -> dict[str, Any]:
    """The data of a surface whose heights may stay on the device: so may matrices of places."""
    heights = data_of(ctx, data[names.index("ZData")])
    if "CData" in names:
        colors = data_of(ctx, data[names.index("CData")])
        heights = together(ctx, heights, colors)[0]
        if colors.shape != heights.shape:
            heights = host_data_of(ctx, data[names.index("ZData")])
    if not isinstance(heights, ResidentData):
        return {name: host_data_of(ctx, value) for name, value in zip(names, data, strict=True)}
    found: dict[str, Any] = {"ZData": heights}
    for name, value in zip(names, data, strict=True):
        if name != "ZData":
            whole = value_shape(value) == heights.shape
            found[name] = data_of(ctx, value) if whole else host_data_of(ctx, value)
    for name, item in list(found.items()):
        if isinstance(item, HostData) and item.shape == heights.shape:
            found[name] = device_data_of(ctx, item) or item
    return found


def _surface_data(ctx: CallContext, data: list[Value]) -> dict[str, Any]:
    """X, Y, Z and colour of a surface from the numeric arguments."""
    names = {
        1: ("ZData",),
        2: ("ZData", "CData"),
        3: ("XData", "YData", "ZData"),
        4: ("XData", "YData", "ZData", "CData"),
    }.get(len(data))
    if names is None:
        raise MatlabError("MATLAB:narginchk:notEnoughInputs", "Not enough input arguments.")
    kept = _left_there(ctx, data, names)
    down, across = kept["ZData"].shape[:2]
    if min(down, across) < 2:
        raise MatlabError(
            "MATLAB:surf:NonMatrixData", "Z must be a matrix, not a scalar or vector."
        )
    kept.setdefault("XData", HostData(np.arange(1.0, across + 1)[None, :]))
    kept.setdefault("YData", HostData(np.arange(1.0, down + 1)[:, None]))
    return kept


def _surface(ctx: CallContext, args: tuple[Value, ...], **style: Any) -> GraphicsObject:
    axes, rest = plotting_axes(ctx, args)
    count = first_text(rest)
    kept = _surface_data(ctx, rest[:count])
    made = new_series(ctx, axes, "surface", {**kept, **style})
    view_in_space(axes)
    apply_options(made, options_of(rest[count:]))
    return made


@builtin(
    "surf",
    category=PLOT,
    signatures=("h = surf(X,Y,Z,C)", "surf(Z)"),
    device=CONTAINER,
    cases=("h = surf(peaks(5)); isequal(size(h.ZData), [5 5])",),
    see=("mesh", "contour", "shading"),
)
def surf(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw a surface of coloured faces."""
    return result([_surface(ctx, args)], nargout)


@builtin(
    "surface",
    category=PLOT,
    signatures=("h = surface(X,Y,Z)",),
    device=CONTAINER,
    cases=("h = surface(1:2, 1:2, ones(2)); strcmp(h.Type, 'surface')",),
    see=("surf",),
)
def surface(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Add a surface to the axes, as they are."""
    axes, rest = split_axes(ctx, args)
    count = first_text(rest)
    kept = _surface_data(ctx, rest[:count]) if count else {}
    made = new_series(ctx, axes, "surface", kept)
    apply_options(made, options_of(rest[count:]))
    return result([made], nargout)


@builtin(
    "mesh",
    category=PLOT,
    signatures=("h = mesh(X,Y,Z,C)", "mesh(Z)"),
    device=CONTAINER,
    cases=("h = mesh(peaks(5)); strcmp(h.Type, 'surface')",),
    see=("surf",),
)
def mesh(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw a surface as a coloured wire mesh."""
    return result([_surface(ctx, args, FaceColor="none", EdgeColor="flat")], nargout)


@builtin(
    "surfl",
    category=PLOT,
    signatures=("h = surfl(X,Y,Z)",),
    device=CONTAINER,
    cases=("h = surfl(peaks(5)); isgraphics(h(1))",),
    see=("surf",),
)
def surfl(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw a surface under a light from the side."""
    made = _surface(ctx, args, SpecularStrength=0.3)
    ctx.call("camlight", (45.0, 20.0), 0)
    return result([made], nargout)


@builtin(
    "waterfall",
    category=PLOT,
    signatures=("h = waterfall(X,Y,Z)",),
    device=CONTAINER,
    cases=("h = waterfall(peaks(5)); isgraphics(h)",),
    see=("mesh",),
)
def waterfall(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw the rows of a surface as lines."""
    made = _surface(ctx, args, FaceColor="none", EdgeColor="flat", MeshStyle="row")
    return result([made], nargout)


@builtin(
    "surfc",
    category=PLOT,
    signatures=("h = surfc(X,Y,Z)",),
    device=CONTAINER,
    cases=("h = surfc(peaks(5)); numel(h) == 2",),
    see=("surf", "contour"),
)
def surfc(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw a surface with contours on the floor."""
    made = _surface(ctx, args)
    return result([made, _floor_contour(ctx, made)], nargout)


@builtin(
    "meshc",
    category=PLOT,
    signatures=("h = meshc(X,Y,Z)",),
    device=CONTAINER,
    cases=("h = meshc(peaks(5)); numel(h) == 2",),
    see=("mesh", "contour"),
)
def meshc(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw a mesh with contours on the floor."""
    made = _surface(ctx, args, FaceColor="none", EdgeColor="flat")
    return result([made, _floor_contour(ctx, made)], nargout)


def _floor_contour(ctx: CallContext, made: GraphicsObject) -> GraphicsObject:
    axes = figures(ctx).gca()
    kept: dict[str, Any] = {name: made[name] for name in ("XData", "YData", "ZData")}
    kept["ZLocation"] = "zmin"
    return new_series(ctx, axes, "contour", {**kept, "LevelList": _levels(made["ZData"], None)})


@builtin(
    "pcolor",
    category=PLOT,
    signatures=("h = pcolor(C)", "pcolor(X,Y,C)"),
    device=CONTAINER,
    cases=("h = pcolor(magic(4)); strcmp(h.Type, 'surface')",),
    see=("imagesc", "surf"),
)
def pcolor(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Show a matrix as a flat checkerboard of coloured faces."""
    axes, rest = plotting_axes(ctx, args)
    count = first_text(rest)
    made = new_series(ctx, axes, "surface", _surface_data(ctx, rest[:count]))
    apply_options(made, options_of(rest[count:]))
    if axes["NextPlot"] != "add":
        axes["Box"] = True
    return result([made], nargout)


@builtin(
    "shading",
    least=1,
    category=PLOT,
    signatures=("shading flat", "shading interp", "shading faceted"),
    cases=(
        "surf(peaks(5)); shading interp; "
        "strcmp(get(findobj('Type', 'surface'), 'FaceColor'), 'interp')",
    ),
    see=("surf",),
)
def shading(ctx: CallContext, *args: Value) -> None:
    """How the faces of surfaces are coloured."""
    axes, rest = split_axes(ctx, args)
    word = plain_text(rest[0]).lower()
    for item in axes.children:
        if item.kind.name in ("surface", "patch"):
            item["FaceColor"] = "interp" if word == "interp" else "flat"
            item["EdgeColor"] = (0.0, 0.0, 0.0) if word == "faceted" else "none"


# --- contours -----------------------------------------------------------------------------


def _levels(data: Any, wanted: Value) -> tuple[float, ...]:
    """The levels of a contour plot: given ones, a number of them, or nice ones."""
    if wanted is not None and numel(wanted) > 1:
        return tuple(sorted({float(level) for level in as_array(wanted).reshape(-1)}))
    extent = data.limits() or (0.0, 1.0)
    if wanted is None:
        ticks = linear_ticks(extent, 10)
        return tuple(tick for tick in ticks if extent[0] < tick < extent[1])
    count = int(number_of(wanted))
    return tuple(np.linspace(extent[0], extent[1], count + 2)[1:-1].tolist())


def _contour(ctx: CallContext, args: tuple[Value, ...], **style: Any) -> GraphicsObject:
    axes, rest = plotting_axes(ctx, args)
    count = first_text(rest)
    data = rest[:count]
    wanted = data.pop() if count in (2, 4) else None
    kept = {**_surface_data(ctx, data), **style}
    kept["LevelList"] = _levels(kept["ZData"], wanted)
    spec = take_linespec(rest, count)
    if "Color" in spec:
        kept["LineColor"] = spec["Color"]
    made = new_series(ctx, axes, "contour", kept)
    options: Options = options_of(rest[count:])
    apply_options(made, options)
    if axes["NextPlot"] != "add":
        axes.values.update(Box=True, Layer="top")
    return made


@builtin(
    "contour",
    category=PLOT,
    signatures=("contour(X,Y,Z,levels)", "[M,c] = contour(Z)"),
    device=CONTAINER,
    cases=("[M, h] = contour(peaks(10), [0 2]); isequal(h.LevelList, [0 2])",),
    see=("contourf", "surf"),
)
def contour(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw lines of equal height."""
    return _contour_result(_contour(ctx, args), nargout)


@builtin(
    "contourf",
    category=PLOT,
    signatures=("contourf(X,Y,Z,levels)", "[M,c] = contourf(Z)"),
    device=CONTAINER,
    cases=("[M, h] = contourf(peaks(10)); strcmp(h.Fill, 'on')",),
    see=("contour",),
)
def contourf(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Fill the bands between lines of equal height."""
    made = _contour(ctx, args, Fill=True, LineColor=(0.0, 0.0, 0.0))
    return _contour_result(made, nargout)


@builtin(
    "contour3",
    category=PLOT,
    signatures=("contour3(X,Y,Z,levels)", "[M,c] = contour3(Z)"),
    device=CONTAINER,
    cases=("[M, h] = contour3(peaks(10)); isgraphics(h)",),
    see=("contour",),
)
def contour3(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw lines of equal height at their height."""
    made = _contour(ctx, args, ZLocation="levels")
    axes = figures(ctx).gca()
    if axes["NextPlot"] != "add":
        axes["Box"] = False
    view_in_space(axes)
    return _contour_result(made, nargout)


def _contour_result(made: GraphicsObject, nargout: int) -> Value:
    if not nargout:
        return None
    return contour_lines_of(made), made
