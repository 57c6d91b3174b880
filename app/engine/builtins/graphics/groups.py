"""Scatter plots of groups: a colour, a marker and a legend entry for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.builtins.graphics.lines import result
from app.engine.builtins.graphics.plotting_support import PLOT, figures, new_series, plotting_axes
from app.engine.declarations.device_support import CONTAINER
from app.engine.declarations.registry import builtin
from app.engine.figures.computed_properties import color_rows
from app.engine.figures.linespec import MARKERS
from app.engine.figures.mark_geometry import Geometry
from app.engine.figures.properties import is_text, parse_switch, plain_text, texts_of_groups
from app.engine.interpreter.indexing.index_read import paren
from app.engine.values import Cell, DeviceArray, Value, as_array, numel
from app.errors import MatlabError


@builtin(
    "gscatter",
    category=PLOT,
    see=("scatter",),
    signatures=("h = gscatter(x,y,group,colors,markers,sizes,legend)",),
    device=CONTAINER,
    cases=("gscatter([1 2 3], [1 2 3], [1 1 2]); numel(get(gca, 'Children')) == 2",),
)
def gscatter(
    ctx: CallContext, x: Value, y: Value, group: Value, *style: Value, nargout: int = 0
) -> Value:
    """Scatter plot with a colour per group."""
    axes, _rest = plotting_axes(ctx, ())
    geometry, made = Geometry(ctx), []
    if (
        not numel(x)
        == numel(y)
        == (numel(group) if type(group) is DeviceArray else len(texts_of_groups(group)))
    ):
        raise MatlabError("stats:gscatter:BadGroup", "There must be as many groups as points.")
    columns = [geometry.column(value) for value in (x, y)]
    for k, (name, pick) in enumerate(_members(geometry, group)):
        own = [pick(column) for column in columns]
        made.append(
            new_series(
                ctx,
                axes,
                "line",
                {
                    **geometry.named(XData=own[0], YData=own[1]),
                    **_group_style(style, k),
                    "LineStyle": "none",
                    "DisplayName": name,
                },
            )
        )
    axes["Box"] = True
    if len(style) < 4 or parse_switch(style[3]):
        figures(ctx).attach(axes, "legend", "Legend").touch()
    for part, text in zip(("XLabel", "YLabel"), style[4:6], strict=False):
        figures(ctx).part(axes, part).set("String", text)
    return result(made, nargout)


def _members(geometry: Geometry, group: Value) -> Iterator[tuple[str, Callable[[Value], Value]]]:
    """The name of every group, and what takes its elements out of a column."""
    if type(group) is DeviceArray:
        column = geometry.column(group)
        for number in geometry.distinct(column).tolist():
            yield f"{number:g}", partial(_masked_rows, mask=geometry("eq", column, number))
        return
    texts = texts_of_groups(group)
    names = list(dict.fromkeys(texts))
    numbers = np.array([names.index(text) for text in texts])
    for k, name in enumerate(names):
        yield name, partial(geometry.chosen, index=np.flatnonzero(numbers == k)[:, None])


def _masked_rows(column: Value, mask: Value) -> Value:
    return paren(column, mask)


def _markers(value: Value) -> list[str]:
    """The markers of a text such as ``'o+x'``."""
    return [MARKERS.get(letter, "o") for letter in plain_text(value)]


def _group_style(style: tuple[Value, ...], group: int) -> dict[str, object]:
    """Marker, size and colour of a group: the given ones in turn."""
    markers = _markers(style[1]) if len(style) > 1 and numel(style[1]) else ["."]
    sizes = as_array(style[2]).reshape(-1) if len(style) > 2 and numel(style[2]) else [15.0]
    found: dict[str, object] = {
        "Marker": markers[group % len(markers)],
        "MarkerSize": float(sizes[group % len(sizes)]),
    }
    if style and numel(style[0]):
        colors = style[0]
        letters = plain_text(colors) if is_text(colors) else ""
        rows = color_rows(Cell.of(letters, (1, len(letters))) if letters else colors)
        found["Color"] = tuple(map(float, rows[group % len(rows)]))
    return found
