"""Figures on the desktop's clipboard: copygraphics."""

from __future__ import annotations

import tempfile
from pathlib import Path

from app import restricted
from app.engine.arguments.checks import one_of, option_pairs
from app.engine.builtins.graphics.export import EXPORT_OPTIONS, shown_object, write_as_asked
from app.engine.builtins.graphics.plotting_support import PLOT
from app.engine.declarations.registry import builtin
from app.engine.dialog_state import Question
from app.engine.interpreter.context import Context
from app.engine.values import Value
from app.errors import MatlabError


@builtin(
    "copygraphics",
    category=PLOT,
    signatures=(
        "copygraphics(obj)",
        "copygraphics(...,'Resolution',dpi,'ContentType',type,'BackgroundColor',color)",
    ),
    cases=(
        "try, copygraphics(gcf, 'ContentType', 'x'); catch e, end; contains(e.message, 'image')",
    ),
    see=("exportgraphics", "clipboard"),
)
def copygraphics(ctx: Context, target: Value, *args: Value) -> Value:
    """Put a figure or one of its axes on the clipboard as a picture; with ContentType 'vector' as
    SVG, too. Restricted scripts do not."""
    restricted.refuse("'copygraphics'")
    given = option_pairs("copygraphics", args, EXPORT_OPTIONS)
    shown = shown_object(ctx, target)
    content = given.get("contenttype", "auto")
    kind = one_of("copygraphics", "ContentType", content, "auto image vector")
    endings = (".png", ".svg") if kind == "vector" else (".png",)
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, f"figure{ending}") for ending in endings]
        for file in files:
            write_as_asked("copygraphics", shown, file, given)
        answers = ctx.host.ask(Question("picture", "", tuple(map(str, files))))
    if answers is None:
        raise MatlabError(
            "Fuselab:noWindow", "The clipboard is the window's, and this run has none."
        )
    return ()
