"""Data tips put on points by a script: datatip."""

from __future__ import annotations

from app.engine.arguments.call_context import CallContext
from app.engine.builtins.graphics.lines import result
from app.engine.builtins.graphics.plotting_support import (
    PLOT,
    apply_options,
    first_text,
    options_of,
    taken_handle,
)
from app.engine.declarations.registry import builtin
from app.engine.figures.objects import GraphicsObject
from app.engine.figures.pinned_tips import TIP, check_chart, coordinate, nearest_point
from app.engine.values import Value
from app.errors import MatlabError


@builtin(
    "datatip",
    least=1,
    category=PLOT,
    signatures=(
        "dt = datatip(target)",
        "dt = datatip(target,x,y)",
        "dt = datatip(target,x,y,z)",
        "dt = datatip(target,'DataIndex',index)",
        "dt = datatip(...,Name,Value)",
    ),
    cases=(
        "dt = datatip(plot([1 2 3], [4 9 2]), 2.1, 8); isequal([dt.DataIndex dt.X dt.Y], [2 2 9])",
        "h = plot(1:3); dt = datatip(h, 'DataIndex', 3); isequal(h.Children, dt) && dt.X == 3",
    ),
    see=("datacursormode",),
)
def datatip(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Put a data tip on a point of a chart: on the first one, the one nearest to coordinates, or
    the one of an index. Setting its X, Y, Z or DataIndex moves it; delete takes it away."""
    rest = list(args)
    chart = taken_handle(rest)
    if chart is None:
        raise MatlabError(
            "MATLAB:graphics:datatip:UnsupportedTarget", "The first argument must be a chart."
        )
    check_chart(chart)
    place = rest[: first_text(rest)]
    options = options_of(rest[len(place) :])
    if len(place) not in (0, 2, 3):
        text = "Give x and y, or x, y and z, of the point that is meant."
        raise MatlabError("MATLAB:graphics:datatip:Coordinates", text)
    wanted = {s: coordinate(chart, s, value) for s, value in zip("XYZ", place, strict=False)}
    index = nearest_point(chart, wanted) if wanted else 1
    made = GraphicsObject(TIP, chart.owner, chart)
    try:
        made.set("DataIndex", float(index))
        apply_options(made, options)
    except MatlabError:
        made.delete()
        raise
    chart.touch()
    return result([made], nargout)
