"""Shares of a whole: pies and Pareto charts; scatter plots of all pairs of columns."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.builtins.graphics.lines import drawn
from app.engine.builtins.graphics.plotting_support import (
    PLOT,
    figures,
    new_series,
    plotting_axes,
    split_axes,
)
from app.engine.declarations.device_support import CONTAINER
from app.engine.declarations.registry import builtin
from app.engine.figures.linespec import parse_linespec
from app.engine.figures.mark_geometry import Geometry
from app.engine.figures.objects import GraphicsArray, GraphicsObject, handles, items_of
from app.engine.figures.properties import is_text, lines_of, plain_text
from app.engine.figures.ruler_values import kind_of
from app.engine.figures.series_data import columns_of, host_data_of
from app.engine.values import (
    Cell,
    StringArray,
    Value,
    as_array,
    canonical,
    numel,
    texts_of,
)
from app.errors import MatlabError

PARETO_BARS = 10
"""At most so many bars are shown, or those that make up 95 % of the sum."""


LABEL_RADIUS = 1.1
"""Where labels begin; the pie's own radius is one."""
ASIDE = 0.35
"""Labels whose direction has at least this cosine stand beside the pie, others above or below."""


def _alignment_at(angle: float) -> str:
    """How a label stands in a direction so that it reaches away from the pie."""
    if abs(np.cos(angle)) < ASIDE:
        return "center"
    return "left" if np.cos(angle) > 0 else "right"


@builtin(
    "pie",
    least=1,
    category=PLOT,
    signatures=("h = pie(X,labels)", "h = pie(X,explode,labels)"),
    device=CONTAINER,
    cases=("h = pie([1 2 3]); all(isgraphics(h))",),
    see=("bar",),
)
def pie(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Show shares of a whole as slices."""
    axes, rest = plotting_axes(ctx, args)
    if kind_of(args[0]):  # how often every category occurs
        rest = [ctx.call(name, (args[0],))[0] for name in ("countcats", "categories")]
        axes.values.update(XTickMode="auto", XLimMode="auto")
    shares = host_data_of(ctx, rest.pop(0)).array.astype(np.float64).reshape(-1)
    shares = shares / shares.sum() if shares.sum() > 1 else shares
    apart = np.zeros(shares.size)
    if rest and not isinstance(rest[0], Cell | StringArray):
        apart = 0.1 * (host_data_of(ctx, rest.pop(0)).array.astype(np.float64).reshape(-1) != 0)
    labels = list(texts_of(rest[0])) if rest else [f"{round(100 * s)}%" for s in shares]
    made: list[GraphicsObject] = []
    start = np.pi / 2
    for share, label, away in zip(shares, labels, apart, strict=False):
        middle = start + np.pi * share
        direction = np.array([np.cos(middle), np.sin(middle)])
        aside = away * direction
        angles = np.linspace(start, start + 2 * np.pi * share, max(3, int(100 * share) + 2))
        vertices = np.column_stack([np.append(np.cos(angles), 0), np.append(np.sin(angles), 0)])
        made.append(
            new_series(
                ctx,
                axes,
                "patch",
                {
                    "Vertices": vertices + aside,
                    "Faces": np.arange(1.0, len(vertices) + 1)[None, :],
                    "FaceColor": "flat",
                    "FaceVertexCData": np.array([[len(made) / 2 + 1.0]]),
                },
            )
        )
        note = GraphicsObject("text", figures(ctx), axes)
        note.values.update(
            String=label,
            HorizontalAlignment=_alignment_at(middle),
            Position=(*((LABEL_RADIUS + away) * direction).tolist(), 0),
        )
        made.append(note)
        start += 2 * np.pi * share
    axes.values.update(Visible=False, DataAspectRatioMode="manual")
    for letter in "XY":
        axes.set(f"{letter}Lim", np.array([[-1.3, 1.3]]))
    return handles(made, (1, len(made))) if nargout else None


@builtin(
    "plotmatrix",
    category=PLOT,
    device=CONTAINER,
    cases=(
        "plotmatrix(rand(10, 2)); numel(findobj('Type', 'axes')) >= 4",
        "[s, ax, whole, h, own] = plotmatrix(magic(3)); isequal(size(ax), [3 3]) && numel(h) == 3"
        " && isequal(own(2), ax(2, 2)) && isgraphics(whole, 'axes')",
        "s = plotmatrix([1 2 3]', [4 5 6]', 'r+'); isequal(s.Marker, '+')",
    ),
    signatures=("[S,AX,BigAx,H,HAx] = plotmatrix(X,Y)", "plotmatrix(...,LineSpec)"),
    see=("scatter",),
)
def plotmatrix(
    ctx: CallContext, x: Value, y: Value = None, style: Value = None, *, nargout: int = 0
) -> Value:
    """Scatter plots of the columns of X against those of Y (or of X), in a grid of axes.

    Of X alone, the diagonal shows how its columns are distributed.
    """
    if is_text(y):
        y, style = None, y
    look: dict[str, object] = {"Marker": ".", "LineStyle": "none"}
    if style is not None:
        look |= _linespec_properties(style)
    columns, rows = columns_of(ctx, x), columns_of(ctx, x if y is None else y)
    model, series, places, counts = figures(ctx), [], [], []
    model.clear(model.gcf())
    whole = GraphicsObject("axes", model, model.gcf())
    whole["Visible"] = False
    for r, below in enumerate(rows):
        for c, across in enumerate(columns):
            axes = GraphicsObject("axes", model, model.gcf())
            axes.set(
                "Position",
                np.array([[*_cell(c, len(columns)), *_cell(len(rows) - 1 - r, len(rows))]])[
                    :, [0, 2, 1, 3]
                ],
            )
            model.activate(axes)
            places.append(axes)
            if y is None and r == c:
                counts += items_of(ctx.call("histogram", (axes, across.value()), 1)[0])
            else:
                kept = {"XData": across, "YData": below, **look}
                series.append(new_series(ctx, axes, "line", kept))
            axes.values.update(Box=True, **_hidden_labels(r, c, len(rows)))
    if not nargout:
        return None
    own = [axes for axes in (count.ancestor("axes") for count in counts) if axes is not None]
    size = len(rows), len(columns)
    grid = [places[r * size[1] + c] for c in range(size[1]) for r in range(size[0])]
    return handles(series), GraphicsArray(grid, size), whole, handles(counts), handles(own)


def _linespec_properties(style: Value) -> dict[str, object]:
    """The properties that a line specification sets."""
    spec = parse_linespec(plain_text(style))
    if spec is None:
        text = f"'{plain_text(style)}' is not a line specification."
        raise MatlabError("MATLAB:plotmatrix:InvalidLineSpec", text)
    return spec.properties()


def _cell(place: int, count: int) -> tuple[float, float]:
    """Start and length of one of several cells side by side."""
    return 0.1 + 0.83 * place / count, 0.83 / count * 0.94


def _hidden_labels(row: int, column: int, rows: int) -> dict[str, object]:
    """Only the axes on the left and at the bottom have labels."""
    found: dict[str, object] = {}
    if column:
        found.update(YTickLabelMode="manual", YTickLabel=())
    if row < rows - 1:
        found.update(XTickLabelMode="manual", XTickLabel=())
    return found


@builtin(
    "pareto",
    least=1,
    category=PLOT,
    device=CONTAINER,
    see=("bar",),
    cases=("h = pareto([3 1 2]); isequal(h(1).YData, [3 2 1])",),
    signatures=("[h,ax] = pareto(Y,names)",),
)
def pareto(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Bars in falling order with the cumulated sum as a line, and its share on the right."""
    axes, rest = split_axes(ctx, args)
    geometry = Geometry(ctx)
    heights, order = ctx.call("sort", (geometry.column(rest[0]), "descend"), 2)
    sums = geometry("cumsum", heights)
    total = geometry.number("sum", heights)
    first = np.arange(min(numel(heights), PARETO_BARS))
    heights, sums, order = (geometry.elements(part, first) for part in (heights, sums, order))
    count = min(int((sums < 0.95 * total).sum()) + 1, len(first))
    heights, sums, order = heights[:count], sums[:count], order[:count]
    names = lines_of(rest[1]) if len(rest) > 1 else ()
    if names and len(names) < numel(geometry.column(rest[0])):
        raise MatlabError("MATLAB:pareto:InvalidNames", "There must be a name for every bar.")
    plotting_axes(ctx, (axes,))
    bars = drawn(ctx, "bar", (axes, canonical(heights[None, :])))
    axes.set("XTick", canonical(np.arange(1.0, count + 1)[None, :]))
    texts = [names[int(k) - 1] if names else f"{k:g}" for k in order]
    axes.set("XTickLabel", Cell.of(texts, (1, len(texts))))
    places = canonical(np.arange(1.0, count + 1)[None, :])
    data = geometry.named(XData=places, YData=canonical(sums[None, :]))
    line = new_series(ctx, axes, "line", data)
    axes.set("YLim", np.array([[0.0, total]]))
    ticks = [f"{k}%" for k in range(0, 101, 10)]
    second = GraphicsObject("axes", figures(ctx), axes.parent)
    second.values.update(axes.values)
    second.values.update(
        YAxisLocation="right",
        Color="none",
        YLim=(0.0, total),
        YLimMode="manual",
        YTick=tuple(total * k / 10 for k in range(11)),
        YTickMode="manual",
        YTickLabel=tuple(ticks),
        YTickLabelMode="manual",
        XTick=(),
        XTickMode="manual",
        XLim=tuple(map(float, as_array(axes.get("XLim")).reshape(-1))),
        XLimMode="manual",
    )
    figures(ctx).activate(axes)
    made = GraphicsArray([bars, line])
    return (made, GraphicsArray([axes, second], (1, 2))) if nargout else None
