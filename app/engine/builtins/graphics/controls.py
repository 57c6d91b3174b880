"""Controls in figures: buttons, sliders, texts, lists, panels and menus."""

from __future__ import annotations

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import one_of
from app.engine.arguments.size_arguments import shape_of
from app.engine.builtins.graphics.plotting_support import (
    PLOT,
    apply_options,
    figures,
    is_handle,
    options_of,
)
from app.engine.declarations.registry import builtin
from app.engine.figures.objects import GraphicsObject, handles, items_of, null_handles
from app.engine.figures.properties import number_of
from app.engine.values import NoObjects, Value


def _new_object(ctx: CallContext, kind: str, args: tuple[Value, ...]) -> GraphicsObject:
    """A new object of a kind inside the given or the current figure."""
    parent = args[0] if args and isinstance(args[0], GraphicsObject) else None
    options = options_of(args if parent is None else args[1:])
    for name, value in options:
        if name.lower() == "parent":
            (parent,) = items_of(value)
    made = GraphicsObject(kind, figures(ctx), parent or figures(ctx).gcf())
    apply_options(made, [o for o in options if o[0].lower() != "parent"])
    made.touch()
    return made


@builtin(
    "uicontrol",
    category=PLOT,
    signatures=("c = uicontrol(Name,Value)", "uicontrol(fig,...)"),
    cases=(
        "c = uicontrol('Style', 'pushbutton', 'String', 'Go'); strcmp(c.String, 'Go')",
        "c = uicontrol('Style', 'popupmenu', 'String', {'a', 'b'}); c.Value == 1",
        "c = uicontrol('Style', 'listbox', 'Value', 2, 'String', {'a', 'b'}); c.Value == 2",
    ),
    see=("uipanel", "figure"),
)
def uicontrol(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Put a control into a figure.

    Style is pushbutton, togglebutton, checkbox, radiobutton, edit, text, slider, listbox,
    popupmenu or frame. Callback runs when somebody uses it; Value and String say what it shows.
    """
    if len(args) == 1 and is_handle(args[0], "uicontrol"):
        return args[0] if nargout else None  # makes the control current
    made = _new_object(ctx, "uicontrol", args)
    if made["Style"] in ("popupmenu", "listbox") and "Value" not in made.values:
        made["Value"] = 1.0  # the first entry is chosen
    return made if nargout else None


@builtin(
    "uipanel",
    category=PLOT,
    signatures=("p = uipanel(Name,Value)",),
    cases=("p = uipanel('Title', 'Options'); strcmp(p.Title, 'Options')",),
    see=("uicontrol",),
)
def uipanel(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Put a panel for controls and axes into a figure."""
    made = _new_object(ctx, "uipanel", args)
    return made if nargout else None


@builtin(
    "uibuttongroup",
    category=PLOT,
    signatures=("g = uibuttongroup(Name,Value)",),
    cases=("g = uibuttongroup('Title', 'Mode'); strcmp(g.Title, 'Mode')",),
    see=("uipanel", "uicontrol"),
)
def uibuttongroup(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Put a panel for radio buttons into a figure."""
    made = _new_object(ctx, "uipanel", args)
    return made if nargout else None


@builtin(
    "uimenu",
    category=PLOT,
    signatures=("m = uimenu(parent,Name,Value)",),
    cases=("m = uimenu(figure, 'Text', 'Tools'); isgraphics(m)",),
    see=("uicontrol",),
)
def uimenu(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Add an entry to the menu of a figure: it is in the context menu of the figure panel."""
    made = _new_object(ctx, "uimenu", args)
    return made if nargout else None


@builtin(
    "uicontextmenu",
    category=PLOT,
    signatures=("m = uicontextmenu(fig,Name,Value)", "set(h,'ContextMenu',m)"),
    cases=("m = uicontextmenu; uimenu(m, 'Text', 'Copy'); numel(m.Children) == 1",),
    see=("uimenu",),
)
def uicontextmenu(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """A menu for the right button of the mouse: its entries are in that of the whole figure."""
    made = _new_object(ctx, "uicontextmenu", args)
    return made if nargout else None


@builtin(
    "uitable",
    category=PLOT,
    signatures=("t = uitable(Name,Value)", "t = uitable(parent,...)"),
    cases=(
        "t = uitable('Data', magic(3), 'ColumnName', {'a', 'b', 'c'}); isequal(t.Data, magic(3))",
    ),
    see=("uicontrol", "uipanel"),
)
def uitable(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Put a table into a figure.

    Data is an array or a cell; ColumnName and RowName name its columns and rows, ColumnEditable
    says where one may type. CellEditCallback runs behind a change, CellSelectionCallback when
    cells are selected.
    """
    made = _new_object(ctx, "uitable", args)
    return made if nargout else None


@builtin(
    "uistack",
    category=PLOT,
    signatures=("uistack(h,'top')", "uistack(h,'up',n)"),
    cases=(
        "a = plot(1:3); hold on; b = plot(3:5); uistack(a, 'top'); "
        "c = get(gca, 'Children'); c(1) == a",
    ),
    see=("uicontrol",),
)
def uistack(ctx: CallContext, target: Value, where: Value = "up", count: Value = 1.0) -> None:
    """Change what lies over what among the children of a parent."""
    word = one_of("uistack", "Step", where, "top bottom up down")
    step = int(number_of(count))
    for item in items_of(target):
        if item.parent is None:
            continue
        line = item.parent.children
        place = line.index(item)
        wanted = {"top": len(line) - 1, "bottom": 0, "up": place + step, "down": place - step}
        line.insert(max(0, wanted[word]), line.pop(place))
        item.touch()


@builtin(
    "gobjects",
    category=PLOT,
    signatures=("h = gobjects(m,n)",),
    cases=("h = gobjects(1, 3); isequal(size(h), [1 3])",),
    see=("isgraphics",),
)
def gobjects(ctx: CallContext, *sizes: Value) -> Value:
    """An array of placeholders for handles: objects that do not exist."""
    shape = shape_of(sizes)
    if not all(shape):
        return NoObjects("matlab.graphics.GraphicsPlaceholder", shape)
    return handles(null_handles(figures(ctx), shape), shape)
