"""Heat maps: a matrix as coloured cells with their numbers, as a chart of its own."""

from __future__ import annotations

import re

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import MATRIX, NONEMPTY, NUMBERS, enough
from app.engine.builtins.graphics.lines import result
from app.engine.builtins.graphics.plotting_support import (
    PLOT,
    apply_options,
    figures,
    first_text,
    options_of,
    plotting_axes,
)
from app.engine.declarations.device_support import CONTAINER
from app.engine.declarations.registry import builtin
from app.engine.figures.heatmap_parts import redraw
from app.engine.figures.properties import lines_of, plain_text
from app.engine.figures.ruler_values import is_table, kind_of
from app.engine.figures.series_data import data_of
from app.engine.values import Array, Cell, DeviceArray, StringArray, Value, as_array


def _names(ctx: CallContext, value: Value) -> tuple[str, ...]:
    """The names of rows or columns."""
    if kind_of(value):
        value = ctx.call("cellstr", (value,))[0]
    return tuple(lines_of(value))


def _table_counts(ctx: CallContext, table: Value, *names: Value) -> tuple[Value, Value, Array]:
    """``heatmap(tbl, xvar, yvar)``: names of columns and rows, and how often each pair occurs."""
    enough(names, 2)
    columns = [ctx.call("getfield", (table, plain_text(name)))[0] for name in names]
    texts = [_labels(ctx, column) for column in columns]
    labels = [_in_order(text) for text in texts]
    found = np.zeros((len(labels[1]), len(labels[0])))
    for x, y in zip(*texts, strict=True):
        found[labels[1].index(y), labels[0].index(x)] += 1
    across, down = (Cell.of(label, (1, len(label))) for label in labels)
    return across, down, found


@builtin(
    "heatmap",
    least=1,
    category=PLOT,
    device=CONTAINER,
    cases=("h = heatmap(magic(3)); isgraphics(h)",),
    see=("imagesc",),
    signatures=("h = heatmap(C)", "heatmap(xnames,ynames,C)", "heatmap(tbl,xvar,yvar)"),
)
def heatmap(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Show a matrix as coloured cells with their numbers."""
    if len(args) == 1:
        (NUMBERS & MATRIX & NONEMPTY)("heatmap", 1, args[0])
    place = next((k for k, value in enumerate(args[:2]) if is_table(value)), None)
    if place is not None:
        counted = _table_counts(ctx, *args[place : place + 3])
        args = (*args[:place], *counted, *args[place + 3 :])
    axes, rest = plotting_axes(ctx, args, "C")
    named = len(rest) > 2 and (
        kind_of(rest[0]) or isinstance(rest[0], Cell | StringArray) or (first_text(rest) > 2)
    )
    names = [rest.pop(0), rest.pop(0)] if named else []
    table = ctx.call("double", (rest.pop(0),))[0]
    axes.become("heatmap")
    axes["ColorData"] = data_of(ctx, table if isinstance(table, DeviceArray) else as_array(table))
    shape = axes["ColorData"].shape
    for letter, size, labels in zip("XY", shape[::-1], names or (None, None), strict=True):
        axes[f"{letter}Data"] = axes[f"{letter}DisplayLabels"] = (
            tuple(f"{k + 1}" for k in range(size)) if labels is None else _labels(ctx, labels)
        )
    axes["Colormap"] = _blues()
    figures(ctx).attach(axes, "colorbar", "Colorbar").touch()
    redraw(axes)
    apply_options(axes, options_of(rest))
    return result([axes], nargout)


def _labels(ctx: CallContext, value: Value) -> tuple[str, ...]:
    if kind_of(value) or isinstance(value, Cell | StringArray):
        return _names(ctx, value)
    return tuple(f"{number:g}" for number in as_array(value).reshape(-1))


def _in_order(labels: tuple[str, ...]) -> list[str]:
    """Each label once: numbers by size, texts by the alphabet."""
    numbers = all(re.fullmatch(r"[-+]?[\d.]+(e[-+]\d+)?|[-+]?inf|nan", label) for label in labels)
    return sorted(set(labels), key=float if numbers else None)


def _blues() -> Array:
    """From nearly white to deep blue."""
    ends = np.array([[0.95, 0.975, 1.0], [0.55, 0.76, 0.92], [0.0, 0.4471, 0.7412]])
    places, wanted = np.linspace(0, 1, 3), np.linspace(0, 1, 256)
    return np.column_stack([np.interp(wanted, places, ends[:, k]) for k in range(3)])
