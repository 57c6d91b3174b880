"""Waiting for people: clicks, keys, closing; what callbacks ask; data kept with figures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.builtins.graphics.plotting_support import PLOT, figures, is_same_property
from app.engine.declarations.registry import builtin
from app.engine.figures.model import Figures
from app.engine.figures.objects import GraphicsObject, items_of
from app.engine.figures.properties import number_of, plain_text
from app.engine.protocol import FigureInput
from app.engine.values import EMPTY, Struct, Value, canonical
from app.errors import MatlabError

# --- callbacks ----------------------------------------------------------------------------


@builtin(
    "gcbo",
    category=PLOT,
    signatures=("h = gcbo", "[h,fig] = gcbo"),
    cases=("isempty(gcbo)",),
    see=("gcbf", "gco"),
)
def gcbo(ctx: CallContext, *, nargout: int = 1) -> Value:
    """The object whose callback runs; empty outside of callbacks."""
    source = figures(ctx).inputs.source
    item = EMPTY if source is None else source
    return (item, gcbf(ctx)) if nargout > 1 else item


@builtin(
    "gcbf", category=PLOT, signatures=("fig = gcbf",), cases=("isempty(gcbf)",), see=("gcbo", "gcf")
)
def gcbf(ctx: CallContext) -> Value:
    """The figure whose callback runs; empty outside of callbacks."""
    source = figures(ctx).inputs.source
    found = None if source is None else source.ancestor("figure")
    return EMPTY if found is None else found


@builtin(
    "closereq",
    category=PLOT,
    signatures=("closereq",),
    cases=("figure; closereq; isempty(findobj('Type', 'figure'))",),
    see=("close", "delete"),
)
def closereq(ctx: CallContext) -> None:
    """Close the figure whose callback runs, or the current one: what closing does by itself."""
    model = figures(ctx)
    source = model.inputs.source
    figure = model.current if source is None else source.ancestor("figure")
    if figure is not None:
        model.delete(figure)


# --- waiting ------------------------------------------------------------------------------


def visible_figures(ctx: CallContext, name: str) -> Figures:
    """The figures, where somebody can see them; an error elsewhere."""
    model = figures(ctx)
    if model.emit is None:
        raise MatlabError(
            f"MATLAB:{name}:NoDisplay", f"{name} waits for a person: run the script in the window."
        )
    return model


def _figure_of(model: Figures, value: Value) -> GraphicsObject:
    if value is None:
        return model.gcf()
    if isinstance(value, GraphicsObject):
        return value
    found = model.figure_numbered(int(number_of(value)))
    if found is None:
        raise MatlabError("MATLAB:hg:InvalidHandle", "Invalid handle.")
    return found


@builtin(
    "uiwait",
    category=PLOT,
    signatures=("uiwait", "uiwait(fig)", "uiwait(fig,seconds)"),
    see=("uiresume", "waitfor"),
)
def uiwait(ctx: CallContext, target: Value = None, seconds: Value = float("inf")) -> None:
    """Wait until uiresume is called or the figure is closed; callbacks run meanwhile."""
    model = visible_figures(ctx, "uiwait")
    figure = _figure_of(model, target)
    figure.values["WaitStatus"] = "waiting"
    model.inputs.wait(
        lambda: not figure.alive or figure.values.get("WaitStatus") != "waiting",
        number_of(seconds),
    )


@builtin(
    "uiresume",
    category=PLOT,
    signatures=("uiresume(fig)",),
    cases=("f = figure; uiresume(f); isgraphics(f)",),
    see=("uiwait",),
)
def uiresume(ctx: CallContext, target: Value = None) -> None:
    """Let the uiwait of a figure return."""
    _figure_of(figures(ctx), target).values.pop("WaitStatus", None)


def _end_of_wait(item: GraphicsObject, rest: tuple[Value, ...]) -> Callable[[], bool]:
    """What waitfor waits for: the end of an object, a change of a property, or a value of it."""
    if not rest:
        return lambda: not item.alive
    name = plain_text(rest[0])
    before = item.get(name)
    if len(rest) > 1:
        return lambda: not item.alive or is_same_property(item.get(name), rest[1])
    return lambda: not item.alive or not is_same_property(item.get(name), before)


@builtin(
    "waitfor",
    category=PLOT,
    signatures=("waitfor(h)", "waitfor(h,property)", "waitfor(h,property,value)"),
    see=("uiwait",),
)
def waitfor(ctx: CallContext, target: Value, *rest: Value) -> None:
    """Wait until an object is gone, or until a property of it changes or has a value."""
    model = visible_figures(ctx, "waitfor")
    for item in items_of(target):
        if item.alive:
            model.inputs.wait(_end_of_wait(item, rest))


def _next_input(model: Figures, figure: GraphicsObject) -> FigureInput | None:
    """The next click or key in a figure; None when it is closed."""
    inputs = model.inputs
    inputs.picking = True
    figure.touch()
    try:
        inputs.wait(lambda: bool(inputs.picked) or not figure.alive)
        return inputs.picked.popleft() if inputs.picked else None
    finally:
        inputs.picking = False
        if figure.alive:
            figure.touch()


@builtin(
    "waitforbuttonpress",
    category=PLOT,
    signatures=("k = waitforbuttonpress",),
    see=("ginput", "uiwait"),
)
def waitforbuttonpress(ctx: CallContext) -> Value:
    """Wait for a click (gives 0) or a key (gives 1) in the current figure."""
    model = visible_figures(ctx, "waitforbuttonpress")
    event = _next_input(model, model.gcf())
    if event is None:
        text = "waitforbuttonpress exit because target figure has been deleted"
        raise MatlabError("MATLAB:UI:CancelWaitForKeyOrButtonPress", text)
    return 1.0 if event.action == "key" else 0.0


@builtin(
    "ginput", category=PLOT, signatures=("[x,y,button] = ginput(n)",), see=("waitforbuttonpress",)
)
def ginput(ctx: CallContext, count: Value = float("inf"), *, nargout: int = 1) -> Value:
    """Points that are clicked in the axes; Return ends it."""
    model = visible_figures(ctx, "ginput")
    figure, most = model.gcf(), number_of(count)
    model.gca()
    rows: list[tuple[float, float, float]] = []
    while len(rows) < most:
        event = _next_input(model, figure)
        if event is None:
            raise MatlabError("MATLAB:ginput:FigureDeletionPause", "Interrupted by figure deletion")
        if event.action == "key":
            if event.data[0] == "return":
                break
            place = figure.owner.gca()["CurrentPoint"][0]
            rows.append((float(place[0]), float(place[1]), float(ord(event.data[1] or "\0"))))
        elif event.data[1]:
            button = {"normal": 1.0, "extend": 2.0, "alt": 3.0}.get(event.data[3], 1.0)
            rows.append((float(event.data[2][0]), float(event.data[2][1]), button))
    found = np.array(rows).reshape(-1, 3)
    if nargout <= 1:
        return canonical(found[:, :2])
    return tuple(canonical(found[:, k : k + 1]) for k in range(3))


@builtin(
    "refreshdata",
    category=PLOT,
    signatures=("refreshdata",),
    cases=("plot(1:3); refreshdata; isgraphics(gca)",),
    see=("drawnow",),
)
def refreshdata(ctx: CallContext, *_args: Value) -> None:
    """Set the data of series from the variables that their DataSource properties name."""
    model = figures(ctx)
    space = ctx.workspace("caller")
    for figure in model.root.children:
        for item in figure.descendants():
            for letter in "XYZC":
                name = item.values.get(f"{letter}DataSource")
                value = space.get(plain_text(name)) if name else None
                if value is not None and value is not item.values.get(f"Followed{letter}"):
                    item.values[f"Followed{letter}"] = value
                    item.set(f"{letter}Data", value)


# --- data kept with objects ---------------------------------------------------------------


def _application_data(ctx: CallContext, target: Value) -> dict[str, Any]:
    """The application data of an object."""
    if isinstance(target, GraphicsObject):
        item = target
    elif number_of(target) == 0.0:
        item = figures(ctx).root
    else:
        item = _figure_of(figures(ctx), target)
    item.check_alive()
    found: dict[str, Any] = item.values.setdefault("ApplicationData", {})
    return found


@builtin(
    "setappdata",
    category=PLOT,
    signatures=("setappdata(h,name,value)",),
    cases=("f = figure; setappdata(f, 'n', 3); getappdata(f, 'n') == 3",),
    see=("getappdata",),
)
def setappdata(ctx: CallContext, target: Value, name: Value, value: Value) -> None:
    """Keep a value with a graphics object."""
    _application_data(ctx, target)[plain_text(name)] = value


@builtin(
    "getappdata",
    category=PLOT,
    signatures=("v = getappdata(h,name)", "s = getappdata(h)"),
    cases=("f = figure; setappdata(f, 'n', 3); getappdata(f, 'n') == 3",),
    see=("setappdata",),
)
def getappdata(ctx: CallContext, target: Value, name: Value = None) -> Value:
    """A value kept with a graphics object; empty when there is none. All of them as a struct."""
    kept = _application_data(ctx, target)
    return Struct(dict(kept)) if name is None else kept.get(plain_text(name), EMPTY)


@builtin(
    "isappdata",
    category=PLOT,
    signatures=("tf = isappdata(h,name)",),
    cases=("f = figure; setappdata(f, 'n', 1); isappdata(f, 'n')",),
    see=("getappdata",),
)
def isappdata(ctx: CallContext, target: Value, name: Value) -> Value:
    """Whether a value of that name is kept with a graphics object."""
    return plain_text(name) in _application_data(ctx, target)


@builtin(
    "rmappdata",
    category=PLOT,
    signatures=("rmappdata(h,name)",),
    cases=("f = figure; setappdata(f, 'n', 1); rmappdata(f, 'n'); ~isappdata(f, 'n')",),
    see=("setappdata",),
)
def rmappdata(ctx: CallContext, target: Value, name: Value) -> None:
    """Forget a value kept with a graphics object."""
    if _application_data(ctx, target).pop(plain_text(name), None) is None:
        raise MatlabError(
            "MATLAB:HandleGraphics:Appdata:InvalidPropertyName",
            f"The appdata name '{plain_text(name)}' does not exist.",
        )


def _holder(ctx: CallContext, target: Value) -> GraphicsObject:
    item = target if isinstance(target, GraphicsObject) else _figure_of(figures(ctx), target)
    found = item.ancestor("figure")
    if found is None:
        raise MatlabError("MATLAB:guidata:InvalidInput", "Invalid handle.")
    return found


@builtin(
    "guidata",
    category=PLOT,
    signatures=("guidata(h,data)", "data = guidata(h)"),
    cases=("f = figure; guidata(f, struct('n', 3)); s = guidata(f); s.n == 3",),
    see=("guihandles", "setappdata"),
)
def guidata(ctx: CallContext, target: Value, *data: Value) -> Value:
    """Keep one value with the figure of an object, or ask for it."""
    kept = _application_data(ctx, _holder(ctx, target))
    if not data:
        return kept.get("UsedByGUIData_m", EMPTY)
    kept["UsedByGUIData_m"] = data[0]
    return None


@builtin(
    "guihandles",
    category=PLOT,
    signatures=("s = guihandles(h)",),
    cases=("f = figure; uicontrol('Tag', 'go'); s = guihandles(f); isfield(s, 'go')",),
    see=("guidata",),
)
def guihandles(ctx: CallContext, target: Value = None) -> Value:
    """The objects of a figure that have a Tag, as fields of a struct."""
    figure = figures(ctx).gcf() if target is None else _holder(ctx, target)
    found = {item["Tag"]: item for item in figure.descendants() if item["Tag"].isidentifier()}
    return Struct(dict(found))
