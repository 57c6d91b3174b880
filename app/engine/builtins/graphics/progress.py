"""waitbar and uiprogressdlg: figures without axes, shown by the window as dialogs.

They have no place among the numbered figures: they are never current, ``close all`` leaves them,
and ``findall(0, 'Tag', 'TMWWaitbar')`` finds a waitbar.
"""

from __future__ import annotations

from app.engine.arguments.call_context import CallContext
from app.engine.builtins.graphics.plotting_support import (
    PLOT,
    apply_options,
    figures,
    is_handle,
    options_of,
    taken_handle,
)
from app.engine.declarations.registry import builtin
from app.engine.dialog_state import Dialog
from app.engine.figures.dialog_figures import DIALOG, PROGRESS_KIND
from app.engine.figures.model import Figures
from app.engine.figures.objects import GraphicsObject
from app.engine.figures.properties import is_text, lines_of, number_of
from app.engine.values import Cell, Value, numel
from app.errors import MatlabError

TAG = "TMWWaitbar"


@builtin(
    "waitbar",
    category=PLOT,
    signatures=(
        "h = waitbar(x,message)",
        "h = waitbar(x,message,'CreateCancelBtn',callback)",
        "waitbar(x)",
        "waitbar(x,h)",
        "waitbar(x,h,message)",
    ),
    cases=(
        "h = waitbar(0.5, 'Half'); ok = isgraphics(h); close(h); ok",
        "h = waitbar(0, 'a'); ok = isempty(get(0, 'CurrentFigure')); delete(h); ok",
        "h = waitbar(0, 'a'); delete(h); try, waitbar(0.5, h), catch e, end; "
        "strcmp(e.identifier, 'MATLAB:waitbar:InvalidSecondInput')",
    ),
    see=("drawnow",),
)
def waitbar(ctx: CallContext, fraction: Value, *args: Value, nargout: int = 0) -> Value:
    """Show progress from 0 to 1 in a dialog, and let a person cancel.

    ``CreateCancelBtn`` adds a button whose callback runs when it is pressed, as it does when the
    dialog is closed.
    """
    part = min(max(number_of(fraction), 0.0), 1.0) if numel(fraction) else 0.0
    model, rest = figures(ctx), list(args)
    bar = taken_handle(rest, "figure")
    if bar is None and rest and not isinstance(rest[0], Cell) and not is_text(rest[0]):
        raise MatlabError(
            "MATLAB:waitbar:InvalidSecondInput",
            "The second argument must be a message character vector or a handle to an existing "
            "waitbar.",
        )
    if bar is None and not rest:
        bar = next((f for f in reversed(model.root.children) if f["Tag"] == TAG), None)
    fresh = bar is None
    if bar is None:
        bar = _new_bar(model)
    if not isinstance(bar, GraphicsObject) or bar["Tag"] != TAG or DIALOG not in bar.values:
        raise MatlabError("MATLAB:waitbar:InvalidSecondInput", "The figure is not a waitbar.")
    text = bar.values[DIALOG].text
    if rest and (len(rest) % 2 or not fresh):
        text = "\n".join(lines_of(rest.pop(0)))
    bar.values[DIALOG] = Dialog("progress", "", text, part=part)
    _apply(model, bar, options_of(rest))
    bar.touch()
    model.draw_now()
    model.inputs.serve()
    return bar if nargout else None


def _new_bar(model: Figures) -> GraphicsObject:
    bar = model.new_dialog()
    bar.values.update(
        {DIALOG: Dialog("progress", "", ""), "Name": "", "NumberTitle": False, "Tag": TAG},
        HandleVisibility="callback",
        Position=(100.0, 100.0, 360.0, 75.0),
    )
    return bar


def _apply(model: Figures, bar: GraphicsObject, options: list[tuple[str, Value]]) -> None:
    for name, value in options:
        if name.lower() != "createcancelbtn":
            apply_options(bar, [(name, value)])
            continue
        if not is_text(value) or value:
            button = GraphicsObject("uicontrol", model, bar)
            button.values.update(Style="pushbutton", String="Cancel", Callback=value)
            bar.values["CloseRequestFcn"] = value


@builtin(
    "uiprogressdlg",
    category=PLOT,
    signatures=("d = uiprogressdlg(fig)", "d = uiprogressdlg(fig,Name,Value)"),
    cases=(
        "d = uiprogressdlg(figure, 'Title', 'Wait', 'Value', 0.3); v = d.Value; close(d); v == 0.3",
        "d = uiprogressdlg(uifigure, 'Cancelable', 'on'); ~d.CancelRequested",
    ),
    see=("waitbar", "uiconfirm"),
)
def uiprogressdlg(ctx: CallContext, over: Value, *args: Value) -> Value:
    """Show progress over a figure in a dialog that the script moves on by its Value, 0 to 1.

    With Cancelable it has a button, and CancelRequested says whether somebody has pressed it.
    Indeterminate shows that something goes on where nobody knows how far it is.
    """
    if not is_handle(over, "figure"):
        raise MatlabError("MATLAB:uiprogressdlg:NoFigure", "The first input must be a figure.")
    model = figures(ctx)
    dialog = model.new_dialog(PROGRESS_KIND, over)
    try:
        apply_options(dialog, options_of(args))
    except MatlabError:
        model.delete(dialog)
        raise
    dialog.touch()
    model.draw_now()
    return dialog
