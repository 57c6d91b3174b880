"""Figures, axes and handles: making them, choosing them, asking and setting their properties."""

from __future__ import annotations

import itertools

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import enough, unknown_option
from app.engine.builtins.graphics.plotting_support import (
    PLOT,
    apply_options,
    figures,
    is_handle,
    options_of,
    split_axes,
    switch_word,
    taken_handle,
)
from app.engine.declarations.registry import builtin
from app.engine.figures.model import LIMITED_S
from app.engine.figures.objects import GraphicsArray, GraphicsObject, items_of
from app.engine.figures.properties import is_text, number_of, plain_text, vector_of
from app.engine.figures.series_index import color_sides, restart_order
from app.engine.figures.tiles import axes_at, cell_frame, free_tile, put
from app.engine.values import Value, as_array
from app.errors import MatlabError

_raised = itertools.count(1)
"""Counts the wishes to have a figure in front."""

# --- figures ------------------------------------------------------------------------------


@builtin(
    "figure",
    category=PLOT,
    signatures=("figure", "figure(n)", "f = figure(Name,Value)"),
    cases=("f = figure('Name', 'mine'); strcmp(f.Name, 'mine')",),
    see=("gcf", "clf", "close"),
)
def figure(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Make a new figure, or make an existing one current and visible."""
    rest = list(args)
    model = figures(ctx)
    made, number = taken_handle(rest, "figure"), None
    if made is None and rest and (not is_text(rest[0]) or plain_text(rest[0]).isdigit()):
        number = _written_number(rest.pop(0))
        made = model.figure_numbered(number)
    if made is not None:
        model.activate(made)
        made.set("Visible", "on")
    elif number is not None:
        made = model.figure(number)
    else:
        made = model.figure()
    apply_options(made, options_of(rest))
    made.values["Raised"] = next(_raised)
    made.touch()
    return made if nargout else None


@builtin(
    "uifigure",
    category=PLOT,
    signatures=("f = uifigure", "f = uifigure(Name,Value)"),
    cases=("f = uifigure('Name', 'mine'); strcmp(f.Name, 'mine') && ~isequal(gcf, f)",),
    see=("figure", "uiprogressdlg", "uiaxes"),
)
def uifigure(ctx: CallContext, *args: Value) -> Value:
    """A figure for axes, controls and dialogs, which only who holds its handle finds."""
    model = figures(ctx)
    before = model.current
    made = model.figure()
    model.current = before
    made.values.update(NumberTitle=False, MenuBar="none", HandleVisibility="off")
    apply_options(made, options_of(args))
    return made


@builtin(
    "gcf",
    category=PLOT,
    signatures=("f = gcf",),
    cases=("f = figure; gcf == f",),
    see=("gca", "figure"),
)
def gcf(ctx: CallContext) -> Value:
    """The current figure; a new one if there is none."""
    return figures(ctx).gcf()


@builtin(
    "gca",
    category=PLOT,
    signatures=("ax = gca",),
    cases=("ax = axes; gca == ax",),
    see=("gcf", "axes"),
)
def gca(ctx: CallContext, figure_handle: Value = None) -> Value:
    """The current axes; new ones if there are none."""
    if is_handle(figure_handle, "figure"):
        figures(ctx).activate(figure_handle)
    return figures(ctx).gca()


@builtin(
    "gco", category=PLOT, signatures=("h = gco",), cases=("figure; isempty(gco)",), see=("gca",)
)
def gco(ctx: CallContext) -> Value:
    """The object last clicked in the current figure."""
    current = figures(ctx).current
    return np.zeros((0, 0)) if current is None else current["CurrentObject"]


@builtin(
    "groot", category=PLOT, signatures=("r = groot",), cases=("isgraphics(groot)",), see=("gcf",)
)
def groot(ctx: CallContext) -> Value:
    """The root of all graphics objects."""
    return figures(ctx).root


@builtin(
    "isfigure",
    category=PLOT,
    signatures=("tf = isfigure(h)",),
    cases=("isfigure(figure) && ~isfigure(1.5)",),
    see=("ishandle",),
)
def isfigure(ctx: CallContext, value: Value) -> Value:
    """True for figures."""
    return is_handle(value, "figure")


def _figure_of(ctx: CallContext, value: Value) -> GraphicsObject | None:
    """The figure that a handle, a number or a name means; None for a number without one."""
    if is_text(value) and not plain_text(value).isdigit():
        named = (f for f in figures(ctx).root.children if f.has("Name"))
        called = [f for f in named if f["Name"] == plain_text(value)]
        if not called:
            text = f"There is no figure called '{plain_text(value)}'."
            raise MatlabError("MATLAB:close:WindowNotFound", text)
        return called[0]
    if isinstance(value, GraphicsObject):
        return value if value.kind.base == "figure" and value.alive else None
    return figures(ctx).figure_numbered(_written_number(value))


def _written_number(value: Value) -> int:
    """A number, also where it was written as a word (``close 1``, ``subplot 211``)."""
    if not is_text(value):
        return int(number_of(value))
    text = plain_text(value)
    if not text.strip().isdecimal():
        raise MatlabError("MATLAB:graphics:invalidNumber", f"'{text}' must be a whole number.")
    return int(text)


@builtin(
    "close",
    category=PLOT,
    signatures=("status = close", "close(f)", "close name", "close all"),
    cases=("f = figure; close(f); ~isgraphics(f)",),
    see=("figure",),
)
def close(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Close the current figure, given figures, or all."""
    model = figures(ctx)
    words = {plain_text(arg).lower() for arg in args if is_text(arg)}
    if words & {"all", "force", "hidden"}:
        seen = [figure for figure in model.root.children if figure.listed]
        every = bool(words & {"force", "hidden"})
        chosen: list[GraphicsObject | None] = [*(model.root.children if every else seen)]
        model.close_pictures(every=True)
    elif not args:
        chosen = [model.current]
        if model.current is None:
            model.close_pictures(every=False)
    else:
        items = args[0].items if isinstance(args[0], GraphicsArray) else [args[0]]
        chosen = [_figure_of(ctx, item) for item in items]
        if chosen == [None] and not isinstance(args[0], GraphicsObject):
            model.close_unknown(_written_number(args[0]))
    for item in chosen:
        if item is not None and item.alive:
            model.close(item, ask="force" not in words)
    return 1.0 if nargout else None


@builtin(
    "clf",
    category=PLOT,
    signatures=("f = clf", "clf(f)", "clf reset"),
    cases=("plot(1:3); clf; isempty(get(gcf, 'Children'))",),
    see=("cla", "close"),
)
def clf(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Empty a figure."""
    named = [arg for arg in args if not is_text(arg) or plain_text(arg).lower() != "reset"]
    chosen = [_figure_of(ctx, arg) for arg in named]
    target = chosen[0] if chosen and chosen[0] is not None else figures(ctx).gcf()
    figures(ctx).clear(target, hidden=len(named) < len(args))
    return target if nargout else None


@builtin(
    "cla",
    category=PLOT,
    signatures=("cla", "cla(ax)", "cla reset"),
    cases=("plot(1:3); cla; isempty(get(gca, 'Children'))",),
    see=("clf",),
)
def cla(ctx: CallContext, *args: Value) -> None:
    """Remove everything from axes."""
    axes, rest = split_axes(ctx, args)
    for word in rest:
        if not is_text(word) or plain_text(word).lower() != "reset":
            raise unknown_option("cla", word, "reset")
        figures(ctx).reset(axes)
    for child in [child for child in axes.children if child.listed]:
        figures(ctx).delete(child)
    restart_order(axes)


@builtin(
    "drawnow",
    category=PLOT,
    signatures=("drawnow", "drawnow limitrate"),
    cases=("plot(1:3); drawnow; isgraphics(gca)",),
    see=("refreshdata",),
)
def drawnow(ctx: CallContext, *args: Value) -> None:
    """Show what was plotted so far.

    Every state is shown, at the pace of the screen (60 a second). With 'limitrate' states that come
    faster than 20 a second are left out and nothing waits; they are never copied anywhere.
    """
    model = figures(ctx)
    limited = any(plain_text(word).lower() == "limitrate" for word in args if is_text(word))
    if limited:
        model.draw_now(least=LIMITED_S)
    else:
        model.draw_now(paced=True)
    model.inputs.serve()


@builtin(
    "refresh",
    category=PLOT,
    signatures=("refresh", "refresh(f)"),
    cases=("figure; refresh; isgraphics(gcf)",),
    see=("drawnow",),
)
def refresh(ctx: CallContext, target: Value = None) -> None:
    """Draw a figure again."""
    (target if isinstance(target, GraphicsObject) else figures(ctx).gcf()).touch()
    figures(ctx).flush()


@builtin(
    "shg",
    category=PLOT,
    signatures=("shg",),
    cases=("figure; shg; isgraphics(gcf)",),
    see=("figure",),
)
def shg(ctx: CallContext) -> None:
    """Show the current figure."""
    figures(ctx).gcf().touch()
    figures(ctx).flush()


# --- axes ---------------------------------------------------------------------------------


@builtin(
    "axes",
    category=PLOT,
    signatures=("ax = axes", "axes(Name,Value)", "axes(ax)"),
    cases=("ax = axes; ax == gca",),
    see=("subplot", "gca"),
)
def axes(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Make new axes, or make existing ones current."""
    model = figures(ctx)
    if args and is_handle(args[0], "axes"):
        model.activate(args[0])
        return args[0] if nargout else None
    rest = list(args)
    parent = taken_handle(rest, "figure", "tiledlayout") or model.gcf()
    made = model.new_axes(parent)
    apply_options(made, options_of(rest))
    return made if nargout else None


@builtin(
    "uiaxes",
    category=PLOT,
    signatures=("ax = uiaxes(fig)", "ax = uiaxes(fig,Name,Value)"),
    cases=("f = uifigure; ax = uiaxes(f); isequal(ax.Parent, f) && isgraphics(ax, 'axes')",),
    see=("uifigure", "axes"),
)
def uiaxes(ctx: CallContext, *args: Value) -> Value:
    """Make axes in a figure, which need not be the current one; it stays what it is."""
    model = figures(ctx)
    before = model.current
    made = axes(ctx, *args, nargout=1)
    model.current = before or model.current
    return made


_NEAR = 1e-6
"""Places of axes that differ by less are the same, or touch."""


def _overlap(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return (
        a[0] < b[0] + b[2] - _NEAR
        and b[0] < a[0] + a[2] - _NEAR
        and a[1] < b[1] + b[3] - _NEAR
        and b[1] < a[1] + a[3] - _NEAR
    )


def _subplot_axes(
    ctx: CallContext, frame: tuple[float, float, float, float], fresh: bool
) -> GraphicsObject:
    """The axes at a place: those that are there already, or new ones instead of any in the way."""
    model = figures(ctx)
    parent = model.gcf()
    for item in [c for c in parent.children if c.kind.base == "axes"]:
        place = tuple(item["OuterPosition"])
        same = all(abs(a - b) < _NEAR for a, b in zip(place, frame, strict=True))
        if same and not fresh:
            model.activate(item)
            return item
        if same or _overlap(place, frame):
            model.delete(item)
    made = model.new_axes(parent)
    made["OuterPosition"] = frame
    made["PositionMode"] = "outer"
    return made


_PLACING = ("replace", "align")


@builtin(
    "subplot",
    category=PLOT,
    signatures=("subplot(m,n,p)", "ax = subplot(m,n,p)"),
    cases=("a = subplot(2, 1, 2); a == gca",),
    see=("tiledlayout", "axes"),
)
def subplot(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Choose one cell (or several) of a grid of axes."""
    model = figures(ctx)
    rest = list(args) or [111.0]
    if is_handle(rest[0], "axes"):
        model.activate(rest[0])
        return rest[0] if nargout else None
    if len(rest) == 1 and not (is_text(rest[0]) and not plain_text(rest[0]).isdigit()):
        digits = _written_number(rest[0])
        rest = [float(digits // 100), float(digits // 10 % 10), float(digits % 10)]
    if rest and is_text(rest[0]) and plain_text(rest[0]).lower() == "position":
        made = model.new_axes(model.gcf())
        made.set("Position", rest[1])
        return made if nargout else None
    enough(rest, 3)
    rows, columns = map(_written_number, rest[:2])
    cells = [
        int(cell) - 1
        for cell in vector_of(float(_written_number(rest[2])) if is_text(rest[2]) else rest[2])
    ]
    if not all(0 <= cell < rows * columns for cell in cells):
        raise MatlabError(
            "MATLAB:subplot:SubplotIndexTooLarge", "Index exceeds number of subplots."
        )
    fresh = any(is_text(word) and plain_text(word).lower() == "replace" for word in rest[3:])
    names = [v for v in rest[3:] if not (is_text(v) and plain_text(v).lower() in _PLACING)]
    made = _subplot_axes(ctx, cell_frame(rows, columns, cells), fresh)
    apply_options(made, options_of(names))
    return made if nargout else None


@builtin(
    "tiledlayout",
    category=PLOT,
    signatures=("t = tiledlayout(m,n)", "tiledlayout('flow')"),
    cases=("t = tiledlayout(2, 2); isequal(t.GridSize, [2 2])",),
    see=("nexttile", "subplot"),
)
def tiledlayout(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Make a grid of tiles for axes in the current figure."""
    model = figures(ctx)
    rest = list(args)
    parent = taken_handle(rest, "figure") or model.gcf()
    given: dict[str, object] = {}
    if (
        rest
        and is_text(rest[0])
        and plain_text(rest[0]).lower() in ("flow", "vertical", "horizontal")
    ):
        given["TileArrangement"] = plain_text(rest.pop(0)).lower()
    elif rest:
        enough(rest, 2)
        size = number_of(rest.pop(0)), number_of(rest.pop(0))
        if not all(float(n).is_integer() and n > 0 for n in size):
            text = "The numbers of rows and columns of a layout are whole and above 0."
            raise MatlabError("MATLAB:graphics:tiledlayout:InvalidGridSize", text)
        given["GridSize"] = size
    model.clear(parent)
    made = GraphicsObject("tiledlayout", model, parent)
    for name, value in given.items():
        made[name] = value
    apply_options(made, options_of(rest))
    return made if nargout else None


def _layout_of(ctx: CallContext) -> GraphicsObject:
    current = figures(ctx).gcf()
    for child in current.children:
        if child.kind.name == "tiledlayout":
            return child
    made = GraphicsObject("tiledlayout", figures(ctx), current)
    made["TileArrangement"] = "flow"
    return made


@builtin(
    "nexttile",
    category=PLOT,
    signatures=("ax = nexttile", "nexttile(p)", "nexttile([r c])"),
    cases=("tiledlayout(1, 2); a = nexttile; b = nexttile; a ~= b",),
    see=("tiledlayout",),
)
def nexttile(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Make axes in the next free tile, or in a given one."""
    model = figures(ctx)
    rest = list(args)
    layout = taken_handle(rest, "tiledlayout") or _layout_of(ctx)
    sizes = [vector_of(value) for value in rest]
    span = next(((int(s[0]), int(s[1])) for s in sizes if len(s) == 2), (1, 1))
    places = [int(s[0]) - 1 for s in sizes if len(s) == 1]
    start = places[0] if places else free_tile(layout, span)
    there = axes_at(layout, start) if places else None
    if there is not None:
        model.activate(there)
        return there if nargout else None
    rows, columns = layout["GridSize"]
    if layout["TileArrangement"] == "fixed" and start >= rows * columns:
        raise MatlabError(
            "MATLAB:tiledlayout:LayoutIsFull", "The layout does not have sufficient space."
        )
    made = model.new_axes(layout)
    put(made, start, span)
    return made if nargout else None


@builtin(
    "hold",
    category=PLOT,
    signatures=("hold on", "hold off", "hold"),
    cases=("plot(1:3); hold on; plot(3:-1:1); numel(get(gca, 'Children')) == 2",),
    see=("ishold",),
)
def hold(ctx: CallContext, *args: Value) -> None:
    """Keep what the axes show when more is plotted."""
    target, rest = split_axes(ctx, args)
    word = switch_word("hold", rest, "on off all")
    keep = word in ("on", "all") or (not word and target["NextPlot"] != "add")
    target["NextPlot"] = "add" if keep else "replace"


@builtin(
    "ishold",
    category=PLOT,
    signatures=("tf = ishold",),
    cases=("plot(1:3); hold on; ishold",),
    see=("hold",),
)
def ishold(ctx: CallContext, *args: Value) -> Value:
    """True when the axes keep what they show."""
    target, _rest = split_axes(ctx, args)
    return target["NextPlot"] == "add"


@builtin(
    "newplot",
    category=PLOT,
    signatures=("ax = newplot",),
    cases=("ax = newplot; ax == gca",),
    see=("hold",),
)
def newplot(ctx: CallContext, *args: Value) -> Value:
    """Prepare the axes for a plot."""
    target, _rest = split_axes(ctx, args)
    figures(ctx).newplot(target)
    return target


@builtin(
    "yyaxis",
    least=1,
    category=PLOT,
    signatures=("yyaxis left", "yyaxis right"),
    cases=(
        "yyaxis left; plot(1:3); yyaxis right; plot(3:-1:1); "
        "numel(get(gca, 'YAxis')) == 2 || isgraphics(gca)",
    ),
    see=("plot",),
)
def yyaxis(ctx: CallContext, *args: Value) -> None:
    """Draw from now on against the left or the right y axis."""
    target, rest = split_axes(ctx, args)
    side = plain_text(rest[0]).lower()
    if side not in ("left", "right"):
        raise MatlabError("MATLAB:yyaxis:InvalidSide", "Side must be 'left' or 'right'.")
    if not target.two_sided:
        target.two_sided = True
        color_sides(target)
    target.side = side
    target["ColorOrderIndex"] = 1.0
    target["Box"] = False


@builtin(
    "linkaxes",
    category=PLOT,
    signatures=("linkaxes(ax)", "linkaxes(ax,'x')"),
    cases=(
        "a = subplot(1, 2, 1); b = subplot(1, 2, 2); linkaxes([a b], 'x'); "
        "xlim(a, [0 3]); isequal(xlim(b), [0 3])",
    ),
    see=("subplot",),
)
def linkaxes(ctx: CallContext, targets: Value, dimension: Value = "xy") -> None:
    """Give several axes the same limits from now on."""
    items = items_of(targets)
    word = plain_text(dimension).lower()
    for item in items:
        item.linked = {} if word == "off" else dict.fromkeys(word.upper(), items[0].serial)
    for letter in "XY" if word != "off" else "":
        if letter.lower() in word:
            ends = [as_array(item.get(f"{letter}Lim")).reshape(-1) for item in items]
            low, high = min(end[0] for end in ends), max(end[1] for end in ends)
            for item in items:
                item.set(f"{letter}Lim", np.array([[low, high]]))
