"""Box charts: median, quartiles, range and outliers of groups of values."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import enough, unknown_option
from app.engine.builtins.graphics.lines import result
from app.engine.builtins.graphics.plotting_support import (
    PLOT,
    apply_options,
    figures,
    first_text,
    new_series,
    options_of,
    plotting_axes,
    split_axes,
)
from app.engine.declarations.device_support import CONTAINER
from app.engine.declarations.registry import builtin
from app.engine.figures.colors import COLOR_ORDER
from app.engine.figures.linespec import LineSpec, parse_linespec
from app.engine.figures.mark_geometry import Geometry
from app.engine.figures.objects import GraphicsObject
from app.engine.figures.properties import is_text, plain_text, texts_of_groups
from app.engine.figures.ruler_values import kind_of
from app.engine.figures.series_data import value_shape
from app.engine.values import Array, Value, as_array, canonical, numel
from app.errors import MatlabError

_GROUP = "groupbycolor"
_BOXPLOT = "BoxStyle Colors Labels Notch Orientation Positions Symbol Widths"
"""Options of boxplot that have an effect."""


def _values(ctx: CallContext, value: Value) -> tuple[Value, Value, int]:
    """Columns of values below each other, the number of the column of each, how many columns."""
    geometry = Geometry(ctx)
    rows, columns = value_shape(value)[:2]
    if 1 in (rows, columns):
        rows, columns = rows * columns, 1
    places = geometry("repelem", geometry("colon", 1.0, float(columns)), 1.0, float(rows))
    return geometry.column(places), geometry.column(value), columns


def _chart(
    ctx: CallContext, axes: GraphicsObject, x: Value, y: Value, shift: float, width: float
) -> GraphicsObject:
    """One series of boxes: a box for every place in ``x``."""
    color = figures(ctx).next_color(axes)
    return new_series(
        ctx,
        axes,
        "boxchart",
        {
            **Geometry(ctx).named(XData=x, YData=y),
            "BoxFaceColor": color,
            "BoxEdgeColor": color,
            "MarkerColor": color,
            "XOffset": shift,
            "BoxWidth": width,
        },
    )


@builtin(
    "boxchart",
    least=1,
    category=PLOT,
    device=CONTAINER,
    cases=("h = boxchart(randn(20, 1)); isgraphics(h)",),
    see=("boxplot", "swarmchart"),
    signatures=("b = boxchart(Y)", "boxchart(groups,Y)", "boxchart(...,'GroupByColor',c)"),
)
def boxchart(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Show median, quartiles, range and outliers of every column, or of every group."""
    _axes, given = split_axes(ctx, args)
    two = first_text(given) > 1 and not is_text(given[1])
    axes, rest = plotting_axes(ctx, args, "XY" if two else "Y")
    enough(rest, 2 if two else 1)
    options = options_of(rest[2 if two else 1 :])
    geometry = Geometry(ctx)
    x, y, _columns = _values(ctx, rest[1 if two else 0])
    if two:
        x = geometry.column(rest[0])
    colors = next((value for name, value in options if name.lower() == _GROUP), None)
    names, group = _groups(ctx, colors, numel(y))
    width = 0.8 / len(names) if len(names) > 1 else 0.5
    made = []
    for k, name in enumerate(names):
        shift = (k - (len(names) - 1) / 2) * width
        own = x, y
        if len(names) > 1:
            chosen = np.flatnonzero(group == k)[:, None]
            own = geometry.chosen(x, chosen), geometry.chosen(y, chosen)
        item = _chart(ctx, axes, *own, shift, 0.9 * width)
        item["DisplayName"] = name
        apply_options(item, [pair for pair in options if pair[0].lower() != _GROUP])
        made.append(item)
    if axes["XTickMode"] != "manual":
        axes.set("XTick", canonical(geometry.distinct(x)[None, :]))
    axes["Box"] = True
    return result(made, nargout)


def _groups(ctx: CallContext, colors: Value, count: int) -> tuple[list[str], Array]:
    """The names of colour groups, and the group of every value."""
    if colors is None:
        return [""], np.zeros(count, dtype=int)
    if kind_of(colors):
        colors = ctx.call("cellstr", (colors,))[0]
    texts = texts_of_groups(colors)
    names = list(dict.fromkeys(texts))
    return names, np.array([names.index(text) for text in texts])


@builtin(
    "boxplot",
    least=1,
    category=PLOT,
    signatures=(
        "h = boxplot(X)",
        "boxplot(x,groups)",
        "boxplot(...,'Labels',names,'Positions',x,'Widths',w,'Notch','on')",
        "boxplot(...,'Colors',c,'Symbol',s,'Orientation','horizontal','BoxStyle','filled')",
    ),
    device=CONTAINER,
    cases=(
        "boxplot(randn(20, 2)); ~isempty(get(gca, 'Children'))",
        "h = boxplot(randn(20, 2), 'Notch', 'on', 'Positions', [1 4], 'Widths', 0.3, 'Symbol', "
        "'bo'); isequal({h.Notch, unique(h.XData)', h.BoxWidth, h.MarkerColor}, "
        "{'on', [1 4], 0.3, [0 0 1]})",
        "h = boxplot([1; 2; 9], {'a'; 'b'; 'b'}, 'Labels', {'x', 'y'}); isgraphics(h)",
    ),
    see=("boxchart", "histogram"),
)
def boxplot(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Show median, quartiles, range and outliers of every column, or of every group."""
    axes, rest = plotting_axes(ctx, args)
    enough(rest, 1)
    x, y, columns = _values(ctx, rest[0])
    names = [f"{k + 1}" for k in range(columns)]
    if len(rest) % 2 == 0:
        found, places = _groups(ctx, rest[1], numel(y))
        if columns > 1 and len(places) == columns:
            names = [found[k] for k in places]
        elif len(places) == numel(y):
            names, x = found, places[:, None] + 1.0
        else:
            text = "There must be a group for each value or each column."
            raise MatlabError("stats:boxplot:BadGroups", text)
    options = {k.lower(): v for k, v in options_of(rest[2 - len(rest) % 2 :])}
    places = np.arange(1.0, len(names) + 1)
    if "positions" in options:
        places = as_array(options.pop("positions")).astype(np.float64).ravel()
        if places.size != len(names):
            text = "There must be a position for each box."
            raise MatlabError("stats:boxplot:BadPositions", text)
        x = places[as_array(Geometry(ctx)("double", x)).astype(int) - 1]
    made = _chart(ctx, axes, x, y, 0.0, 0.5)
    made.values.update(
        BoxFaceColor="none",
        MarkerStyle="+",
        MarkerColor=COLOR_ORDER[1],
        MedianColor=COLOR_ORDER[1],
        WhiskerLineStyle="--",
    )
    labels = options.pop("labels", None)
    across = _styled(made, options)
    axes.set(f"{across}Tick", np.sort(places)[None, :])
    if labels is not None:
        axes.set(f"{across}TickLabel", labels)
    else:
        names = [names[k] for k in np.argsort(places, kind="stable")]
        axes[f"{across}TickLabel"], axes[f"{across}TickLabelMode"] = tuple(names), "manual"
    axes.set(f"{across}Lim", np.array([[places.min() - 0.5, places.max() + 0.5]]))
    axes["Box"] = True
    return result([made], nargout)


def _styled(chart: GraphicsObject, options: dict[str, Value]) -> str:
    """Give the boxes of boxplot their look; the letter of the axis that they stand along."""
    usual = {"whisker": 1.5, "plotstyle": "traditional", "medianstyle": "line", "jitter": 0.0}
    for name, value in options.items():
        word = plain_text(value).lower() if is_text(value) else ""
        if name in ("notch", "orientation"):
            chart.set(name.capitalize(), value)
        elif name == "widths" and numel(value) == 1:
            chart.set("BoxWidth", value)
        elif name in ("colors", "color") and (len(word) == 1 or (not word and numel(value) == 3)):
            chart.set("BoxEdgeColor", value)
            chart.set("WhiskerLineColor", value)
        elif name == "boxstyle" and word in ("outline", "filled"):
            chart["BoxFaceColor"] = chart["BoxEdgeColor"] if word == "filled" else "none"
        elif name in ("symbol", "outliersymbol") and is_text(value):
            spec = parse_linespec(word) if word else LineSpec()
            if spec is None:
                raise unknown_option("boxplot", value, "Symbol")
            chart.set("MarkerStyle", spec.marker or "none")
            if spec.color is not None:
                chart["MarkerColor"] = spec.color
        elif (not word and numel(value) != 1) or usual.get(name) != (word or value):
            raise unknown_option("boxplot", name, _BOXPLOT)
    return "Y" if chart["Orientation"] == "horizontal" else "X"
