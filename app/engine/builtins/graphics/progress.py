"""waitbar: a figure without axes, shown by the window as a dialog with its progress.

It has no place among the numbered figures: it is never current, ``close all`` leaves it, and
``findall(0, 'Tag', 'TMWWaitbar')`` finds it.
"""

from __future__ import annotations

from app.engine.arguments.call_context import CallContext
from app.engine.builtins.graphics.support import PLOT, apply_options, figures, is_handle, options_of
from app.engine.declarations.registry import builtin
from app.engine.figures.model import Figures
from app.engine.figures.objects import GraphicsObject
from app.engine.figures.properties import is_text, lines_of, number_of
from app.engine.figures.snapshot import PROGRESS
from app.engine.values import Value, numel
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
    bar = rest.pop(0) if rest and is_handle(rest[0], "figure") else None
    if bar is None and not rest:
        bar = next((f for f in reversed(model.root.children) if f["Tag"] == TAG), None)
    fresh = bar is None
    if bar is None:
        bar = _new_bar(model)
    if not isinstance(bar, GraphicsObject) or PROGRESS not in bar.values:
        raise MatlabError("MATLAB:waitbar:InvalidSecondInput", "The figure is no waitbar.")
    text = bar.values[PROGRESS][1]
    if rest and (len(rest) % 2 or not fresh):
        text = "\n".join(lines_of(rest.pop(0)))
    bar.values[PROGRESS] = part, text
    _apply(model, bar, options_of(rest))
    bar.touch()
    model.draw_now()
    model.inputs.serve()
    return bar if nargout or fresh else None


def _new_bar(model: Figures) -> GraphicsObject:
    bar = model.numberless_figure()
    bar.values.update(
        {PROGRESS: (0.0, ""), "Name": "", "NumberTitle": False, "Tag": TAG},
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
