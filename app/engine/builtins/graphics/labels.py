"""Titles, labels, legends, colour bars, limits, grids and text in axes."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import common_shape, enough
from app.engine.builtins.graphics.graphics_handles import targets
from app.engine.builtins.graphics.plotting_support import (
    PLOT,
    Options,
    apply_options,
    figures,
    options_of,
    split_axes,
    spread,
    switch_word,
    taken_handle,
)
from app.engine.declarations.registry import builtin
from app.engine.figures.legend_items import legend_items
from app.engine.figures.objects import GraphicsObject, handles
from app.engine.figures.properties import is_text, lines_of, plain_text, vector_of
from app.engine.figures.ruler_values import take_kinds
from app.engine.values import Array, Cell, Value, as_array, class_of, is_numeric_like, numel
from app.errors import MatlabError

LABELS = ("Title", "Subtitle", "XLabel", "YLabel", "ZLabel")


def _label(ctx: CallContext, part: str, args: tuple[Value, ...], nargout: int) -> Value | None:
    """Set the text ``part`` of axes (or the title of a layout)."""
    rest = list(args)
    holder = taken_handle(rest, "tiledlayout", "legend", "colorbar")
    if holder is None:
        holder, rest = split_axes(ctx, args)
    if holder.kind.name == "colorbar" and part != "Title":
        part = "Label"
    enough(rest, 1)
    text = figures(ctx).part(holder, part)
    text.set("String", rest[0])
    apply_options(text, options_of(rest[1:]))
    return text if nargout else None


_LIMITS = "auto manual mode tight tickaligned padded"
"""Words in place of limits."""


@builtin(
    "title",
    category=PLOT,
    signatures=("title(txt)", "title(txt,below)", "[t, s] = title(ax,txt,below,Name,Value)"),
    cases=(
        "plot(1:3); title('Mine'); strcmp(get(get(gca, 'Title'), 'String'), 'Mine')",
        "[t, s] = title('Mine', 'yours', Color='r'); strcmp(s.String, 'yours')",
    ),
    see=("xlabel", "subtitle"),
)
def title(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Write a title above the axes, and with two texts a subtitle below it; options are those of
    both."""
    place = 1 + (bool(args) and isinstance(args[0], GraphicsObject))
    options = list(spread(args[place:]))
    if len(options) % 2 == 0:
        return _label(ctx, "Title", args, nargout)
    holder, (above, below, *rest) = args[: place - 1], args[place - 1 :]
    return (
        _label(ctx, "Title", (*holder, above, *rest), nargout),
        _label(ctx, "Subtitle", (*holder, below, *rest), nargout),
    )[: max(nargout, 1)]


@builtin(
    "subtitle",
    category=PLOT,
    signatures=("h = subtitle(txt)",),
    cases=("plot(1:3); h = subtitle('below'); strcmp(h.String, 'below')",),
    see=("title",),
)
def subtitle(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Write a subtitle below the title."""
    return _label(ctx, "Subtitle", args, nargout)


@builtin(
    "xlabel",
    category=PLOT,
    signatures=("h = xlabel(txt)",),
    cases=("plot(1:3); h = xlabel('time'); strcmp(h.String, 'time')",),
    see=("ylabel", "title"),
)
def xlabel(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Label the x axis."""
    return _label(ctx, "XLabel", args, nargout)


@builtin(
    "ylabel",
    category=PLOT,
    signatures=("h = ylabel(txt)",),
    cases=("plot(1:3); h = ylabel('size'); strcmp(h.String, 'size')",),
    see=("xlabel", "title"),
)
def ylabel(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Label the y axis."""
    return _label(ctx, "YLabel", args, nargout)


@builtin(
    "zlabel",
    category=PLOT,
    signatures=("h = zlabel(txt)",),
    cases=("plot3(1:3, 1:3, 1:3); h = zlabel('height'); strcmp(h.String, 'height')",),
    see=("xlabel", "title"),
)
def zlabel(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Label the z axis."""
    return _label(ctx, "ZLabel", args, nargout)


@builtin(
    "sgtitle",
    category=PLOT,
    signatures=("h = sgtitle(txt)",),
    cases=("subplot(1, 2, 1); h = sgtitle('Both'); strcmp(h.String, 'Both')",),
    see=("title", "subplot"),
)
def sgtitle(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Write a title above all axes of the figure."""
    rest = list(args)
    holder = taken_handle(rest, "figure") or figures(ctx).gcf()
    enough(rest, 1)
    text = figures(ctx).part(holder, "Title")
    text.set("String", rest[0])
    apply_options(text, options_of(rest[1:]))
    return text if nargout else None


# --- legends and colour bars --------------------------------------------------------------

_LEGEND_WORDS = {"show", "hide", "off", "toggle", "boxon", "boxoff"}
_LEGEND_OPTIONS = {
    "location",
    "orientation",
    "numcolumns",
    "box",
    "fontsize",
    "interpreter",
    "autoupdate",
    "color",
    "textcolor",
    "edgecolor",
    "position",
    "units",
    "fontname",
    "fontweight",
    "itemtokensize",
    "title",
    "fontangle",
    "tag",
    "string",
    "visible",
}


_LEGEND_NUMBERS = {"position", "numcolumns", "fontsize", "linewidth"}
"""Options whose values are numbers."""


def _options_start(args: list[Value]) -> int:
    """Where the name-value pairs of ``legend`` begin."""
    for place, value in enumerate(args):
        last = place == len(args) - 1
        if last or not is_text(value):
            continue
        word = plain_text(value).lower()
        # No text is a position or a size: where one follows, the word is a label, too.
        if word in _LEGEND_OPTIONS and not (word in _LEGEND_NUMBERS and is_text(args[place + 1])):
            return place
    return len(args)


def _labels_behind(options: Options) -> tuple[Options, list[Value]]:
    """Options up to the first that is none, and the texts from there on."""
    for place, (name, _) in enumerate(options):
        if name.lower() not in _LEGEND_OPTIONS:
            return options[:place], [v for pair in options[place:] for v in pair]
    return options, []


def _legend_word(axes: GraphicsObject, word: str) -> None:
    legend = axes.parts.get("Legend")
    if legend is None:
        return
    if word in ("boxon", "boxoff"):
        legend["Box"] = word == "boxon"
    elif word == "off":
        legend.delete()
    else:
        legend["Visible"] = word == "show" or (word == "toggle" and not legend["Visible"])


@builtin(
    "legend",
    category=PLOT,
    signatures=(
        "legend(label1,label2,...)",
        "legend(handles,labels)",
        "[l, icons, plots, texts] = legend(...)",
    ),
    cases=("plot([1 2; 3 4]); l = legend('a', 'b'); isequal(l.String, {'a', 'b'})",),
    see=("title", "plot"),
)
def legend(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Explain the series of the axes.

    Words: show, hide, off, toggle, boxon, boxoff.
    """
    axes, rest = split_axes(ctx, args)
    if len(rest) == 1 and is_text(rest[0]) and plain_text(rest[0]).lower() in _LEGEND_WORDS:
        made = axes.parts.get("Legend")
        if plain_text(rest[0]).lower() in ("show", "toggle") and made is None:
            figures(ctx).attach(axes, "legend", "Legend").touch()
        _legend_word(axes, plain_text(rest[0]).lower())
        return None
    made = figures(ctx).attach(axes, "legend", "Legend")
    start = _options_start(rest)
    odd = start == len(rest) or (len(rest) - start) % 2
    if len(rest) > 1 and odd and is_numeric_like(rest[-1]) and not is_text(rest[-1]):
        rest.pop()  # the number of a place, as it was written long ago
    options = options_of(rest[start:])
    labels = rest[:start]
    if not labels:  # options first, labels behind them
        options, labels = _labels_behind(options)
    series = legend_items(axes)
    if labels and not is_text(labels[0]) and not isinstance(labels[0], Cell):
        series = targets(ctx, labels.pop(0))
        for other in legend_items(axes):
            other["HandleVisibility"] = "on" if other in series else "off"
    wrong = next((v for v in labels if not is_text(v) and not isinstance(v, Cell)), None)
    if wrong is not None:
        text = f"Labels of a legend must be texts or lists of texts, not {class_of(wrong)}."
        raise MatlabError("MATLAB:legend:InvalidLabels", text)
    texts = [
        line
        for label in labels
        for line in (
            [plain_text(label)] if is_text(label) and not _is_list(label) else lines_of(label)
        )
    ]
    for item, text in zip(series, texts, strict=False):
        item["DisplayName"] = text
    if texts:
        made["String"] = tuple(texts)
    apply_options(made, options)
    made.touch()
    if nargout > 1:
        text = "The second output of legend is empty: the parts of a legend are not objects here."
        ctx.warning("MATLAB:legend:NoIcons", text)
        names = [item["DisplayName"] if item.has("DisplayName") else "" for item in series]
        return made, handles([]), handles(series), Cell.of(names)
    return made if nargout else None


def _is_list(label: Value) -> bool:
    return isinstance(label, Cell) or (not isinstance(label, str) and numel(label) > 1)


@builtin(
    "colorbar",
    category=PLOT,
    signatures=("colorbar", "c = colorbar(location)", "colorbar('off')"),
    cases=("imagesc(magic(4)); c = colorbar; isgraphics(c)",),
    see=("colormap",),
)
def colorbar(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Show what the colours of the axes stand for."""
    axes, rest = split_axes(ctx, args)
    if rest and is_text(rest[0]) and plain_text(rest[0]).lower() in ("off", "hide"):
        if "Colorbar" in axes.parts:
            axes.parts["Colorbar"].delete()
        return None
    made = figures(ctx).attach(axes, "colorbar", "Colorbar")
    if len(rest) % 2:
        made.set("Location", rest.pop(0))
    apply_options(made, options_of(rest))
    made.touch()
    return made if nargout else None


# --- limits, ticks, grid ------------------------------------------------------------------


def _limits(ctx: CallContext, letter: str, args: tuple[Value, ...], nargout: int) -> Value | None:
    axes, rest = split_axes(ctx, args)
    if not rest:
        return axes.get(f"{letter}Lim")
    if is_text(rest[0]):
        word = plain_text(rest[0]).lower()
        if word == "mode":
            return axes.get(f"{letter}LimMode")
        if word in ("tight", "padded", "tickaligned"):
            axes[f"{letter}LimitMethod"] = word
        axes[f"{letter}LimMode"] = "manual" if word == "manual" else "auto"
        return None
    axes.set(f"{letter}Lim", rest[0])
    return axes.get(f"{letter}Lim") if nargout else None


@builtin(
    "xlim",
    words=_LIMITS,
    category=PLOT,
    signatures=("xlim([a b])", "l = xlim"),
    cases=("plot(1:3); xlim([0 5]); isequal(xlim, [0 5])",),
    see=("ylim", "axis"),
)
def xlim(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """The limits of the x axis."""
    return _limits(ctx, "X", args, nargout)


@builtin(
    "ylim",
    words=_LIMITS,
    category=PLOT,
    signatures=("ylim([a b])", "l = ylim"),
    cases=("plot(1:3); ylim([0 5]); isequal(ylim, [0 5])",),
    see=("xlim", "axis"),
)
def ylim(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """The limits of the y axis."""
    return _limits(ctx, "Y", args, nargout)


@builtin(
    "zlim",
    words=_LIMITS,
    category=PLOT,
    signatures=("zlim([a b])", "l = zlim"),
    cases=("plot3(1:3, 1:3, 1:3); zlim([0 5]); isequal(zlim, [0 5])",),
    see=("xlim", "axis"),
)
def zlim(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """The limits of the z axis."""
    return _limits(ctx, "Z", args, nargout)


def _color_limits(ctx: CallContext, args: tuple[Value, ...]) -> Value | None:
    axes, rest = split_axes(ctx, args)
    if not rest:
        return axes.get("CLim")
    if is_text(rest[0]):
        axes["CLimMode"] = plain_text(rest[0]).lower()
    else:
        axes.set("CLim", rest[0])
    return None


@builtin(
    "clim",
    words="auto manual",
    category=PLOT,
    signatures=("clim([a b])", "l = clim"),
    cases=("imagesc(magic(4)); clim([0 20]); isequal(clim, [0 20])",),
    see=("colormap",),
)
def clim(ctx: CallContext, *args: Value) -> Value:
    """What the ends of the colour map stand for."""
    return _color_limits(ctx, args)


@builtin(
    "caxis",
    words="auto manual",
    category=PLOT,
    signatures=("caxis([a b])", "l = caxis"),
    cases=("imagesc(magic(4)); caxis([0 20]); isequal(caxis, [0 20])",),
    see=("clim",),
)
def caxis(ctx: CallContext, *args: Value) -> Value:
    """What the ends of the colour map stand for (older name of clim)."""
    return _color_limits(ctx, args)


def _axis_word(axes: GraphicsObject, word: str) -> None:
    """One word of ``axis``."""
    if word in ("on", "off"):
        axes["Visible"] = word == "on"
    elif word in ("equal", "image", "square", "normal", "fill", "vis3d"):
        _aspect(axes, word)
    elif word in ("ij", "xy"):
        axes["YDir"] = "reverse" if word == "ij" else "normal"
    elif word in _AUTOMATIC:
        for letter in _AUTOMATIC[word]:
            axes[f"{letter}LimMode"] = "auto"
    elif word in ("auto", "tight", "padded", "tickaligned", "manual"):
        for letter in "XYZ":
            if word == "manual":
                axes.set(f"{letter}Lim", axes.get(f"{letter}Lim"))
            else:
                axes[f"{letter}LimMode"] = "auto"
                axes[f"{letter}LimitMethod"] = "tickaligned" if word == "auto" else word
    else:
        raise MatlabError("MATLAB:axis:UnknownOption", f"Unknown command option '{word}'.")


_AUTOMATIC = {f"auto {letters}": letters.upper() for letters in ("x", "y", "z", "xy", "xz", "yz")}
"""The directions whose limits follow the data again, by the word of ``axis``."""


def _aspect(axes: GraphicsObject, word: str) -> None:
    axes["DataAspectRatioMode"] = "manual" if word in ("equal", "image") else "auto"
    axes["PlotBoxAspectRatioMode"] = "manual" if word == "square" else "auto"
    axes["DataAspectRatio"] = (1.0, 1.0, 1.0)
    if word == "image":
        for letter in "XY":
            axes[f"{letter}LimitMethod"] = "tight"


@builtin(
    "axis",
    category=PLOT,
    signatures=("axis([xmin xmax ymin ymax])", "axis equal", "l = axis"),
    cases=("plot(1:3); axis([0 5 0 4]); isequal(xlim, [0 5])",),
    see=("xlim", "ylim"),
)
def axis(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Limits and aspect ratio of the axes.

    Words: equal, image, square, normal, tight, padded, auto, manual, ij, xy, on, off; 'auto x' and
    so on for some directions only.
    """
    axes, rest = split_axes(ctx, args)
    for value in rest:
        if is_text(value):
            _axis_word(axes, plain_text(value).lower())
            continue
        numbers = vector_of(value)
        if len(numbers) not in (4, 6, 8):
            raise MatlabError(
                "MATLAB:axis:WrongNumberElements", "Vector must have 4, 6, or 8 elements."
            )
        for letter, place in zip(("X", "Y", "Z", "C"), range(0, len(numbers), 2), strict=False):
            axes.set(f"{letter}Lim", np.array([numbers[place : place + 2]]))
    if rest and not nargout:
        return None
    letters = "XY" if axes["View"][1] == 90.0 else "XYZ"
    return np.concatenate([as_array(axes.get(f"{letter}Lim")) for letter in letters], axis=1)


@builtin(
    "grid",
    category=PLOT,
    signatures=("grid on", "grid off", "grid minor", "grid"),
    cases=("plot(1:3); grid on; strcmp(get(gca, 'XGrid'), 'on')",),
    see=("box",),
)
def grid(ctx: CallContext, *args: Value) -> None:
    """Show grid lines."""
    axes, rest = split_axes(ctx, args)
    word = switch_word("grid", rest, "on off minor")
    name = "MinorGrid" if word == "minor" else "Grid"
    shown = word == "on" or (word != "off" and not axes[f"X{name}"])
    for letter in "XYZ":
        axes[f"{letter}{name}"] = shown
        if word == "off":
            axes[f"{letter}MinorGrid"] = False


@builtin(
    "box",
    category=PLOT,
    signatures=("box on", "box off", "box"),
    cases=("plot(1:3); box off; strcmp(get(gca, 'Box'), 'off')",),
    see=("grid",),
)
def box(ctx: CallContext, *args: Value) -> None:
    """Close the outline of the axes."""
    axes, rest = split_axes(ctx, args)
    word = switch_word("box", rest, "on off")
    axes["Box"] = word == "on" or (word != "off" and not axes["Box"])


# --- text ---------------------------------------------------------------------------------


@builtin(
    "text",
    category=PLOT,
    signatures=("t = text(x,y,txt,Name,Value)", "text(x,y,z,txt)"),
    cases=("plot(1:3); t = text(1, 2, 'here'); strcmp(t.String, 'here')",),
    see=("title", "annotation"),
)
def text(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Write text at points of the axes."""
    axes, rest = split_axes(ctx, args)
    count = next((i for i, v in enumerate(rest) if is_text(v) or isinstance(v, Cell)), len(rest))
    take_kinds(ctx, axes, rest, "XYZ")
    if not count:  # names and values alone
        rest[:0], count = [0.0, 0.0, ""], 2
    points = [as_array(value).reshape(-1, order="F") for value in rest[:count]]
    enough(points, 2)
    if len({point.size for point in points}) > 1:
        common_shape("text", *rest[:count])
    label = rest[count] if count < len(rest) else ""
    lines = lines_of(label) if _is_list_value(label) else [plain_text(label)]
    made = []
    for place, point in enumerate(zip(*points, strict=True)):
        item = GraphicsObject("text", figures(ctx), axes)
        item["Position"] = tuple(map(float, (*point, 0.0)))[:3]
        item["YAxisSide"] = axes.side
        one = lines[place % len(lines)] if len(points[0]) > 1 else "\n".join(lines)
        item["String"] = one
        apply_options(item, options_of(rest[count + 1 :]))
        made.append(item)
    return handles(made) if nargout else None


def _is_list_value(label: Value) -> bool:
    return isinstance(label, Cell) or (not isinstance(label, str) and is_text(label))


@builtin(
    "annotation",
    least=1,
    category=PLOT,
    signatures=("h = annotation(type,position)", "annotation(type,x,y)"),
    cases=(
        "h = annotation('textbox', [0.1 0.1 0.2 0.1], 'String', 'note'); strcmp(h.String, 'note')",
    ),
    see=("text",),
)
def annotation(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw a line, an arrow, a text box, a rectangle or an ellipse over a figure."""
    rest = list(args)
    parent = taken_handle(rest, "figure") or figures(ctx).gcf()
    made = GraphicsObject("annotation", figures(ctx), parent)
    made["Shape"] = plain_text(rest.pop(0)).lower()
    if made["Shape"] in ("line", "arrow", "doublearrow", "textarrow"):
        if rest and not is_text(rest[0]):
            made.set("X", rest.pop(0))
            made.set("Y", rest.pop(0))
    elif rest and not is_text(rest[0]):
        made.set("Position", rest.pop(0))
    apply_options(made, options_of(rest))
    made.touch()
    return made if nargout else None


@builtin(
    "view",
    category=PLOT,
    signatures=("view(az,el)", "[az,el] = view", "T = view", "view(2)", "view(3)"),
    cases=(
        "surf(peaks(5)); view(30, 40); [az, el] = view; az == 30 && el == 40",
        "surf(peaks(5)); view(3); T = view; isequal(round(1e4*T(1:3, 4)), [-923; -7835; 83031])",
        "a = axes; b = axes; view(a, [10 20]); isequal(view(a), view(b)) == 0 && isequal(gca, b)",
        "surf(peaks(5)); view(2); T = view; isequal(round(T(1:3, 1:3)), [1 0 0; 0 1 0; 0 0 -1])",
    ),
    see=("surf",),
)
def view(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """From where the axes are looked at; T is the 4-by-4 matrix that turns their unit cube.

    Axes that are named do not become the current ones.
    """
    rest = spread(args)
    axes = taken_handle(rest, "axes") or figures(ctx).gca()
    numbers = [number for value in rest for number in vector_of(value)]
    if numbers in ([2.0], [3.0]):
        axes["View"] = (0.0, 90.0) if numbers == [2.0] else (-37.5, 30.0)
    elif len(numbers) == 2:
        axes["View"] = (numbers[0], numbers[1])
    elif len(numbers) == 3:
        x, y, z = numbers
        azimuth, elevation = np.degrees([np.arctan2(x, -y), np.arctan2(z, np.hypot(x, y))])
        axes["View"] = (float(azimuth), float(elevation))
    if rest and not nargout:
        return None
    azimuth, elevation = axes["View"]
    return (azimuth, elevation) if nargout > 1 else _view_matrix(azimuth, elevation)


def _view_matrix(azimuth: float, elevation: float) -> Array:
    """What turns the unit cube around its centre towards a camera far away (MATLAB's ``view``)."""
    (sin_a, sin_e), (cos_a, cos_e) = (f(np.radians([azimuth, elevation])) for f in (np.sin, np.cos))
    turn = np.array(
        [
            [cos_a, sin_a, 0.0],
            [-sin_e * sin_a, sin_e * cos_a, cos_e],
            [-cos_e * sin_a, cos_e * cos_a, -sin_e],
        ]
    )
    made = np.eye(4, order="F")
    made[:3, :3] = turn
    made[:3, 3] = (0.0, 0.0, 5 * np.sqrt(3)) - turn @ np.full(3, 0.5)
    return made
