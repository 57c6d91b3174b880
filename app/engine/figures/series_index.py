"""``SeriesIndex``: which colour of the order a series takes."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.figures.colors import COLOR_ORDER
from app.engine.figures.figure_data import HostData
from app.engine.figures.objects import GraphicsObject
from app.engine.figures.properties import is_text, number_of, plain_text
from app.engine.values import Value
from app.errors import MatlabError

Row = tuple[float, ...]
NEUTRAL: Row = (0.0, 0.0, 0.0)


def set_series_index(series: GraphicsObject, value: Value) -> None:
    """Take the colour of that place in the order, or with ``'none'`` one that is not of it.

    A colour that is none of these was chosen, and stays.
    """
    series["SeriesIndex"] = index = _checked_index(value)
    axes = series.ancestor("axes")
    if axes is None:
        return
    rows = _order(axes)
    color = NEUTRAL if isinstance(index, str) else rows[(int(index) - 1) % len(rows)]
    for name in ("Color", "FaceColor"):
        if series.has(name) and series[name] in (*rows, NEUTRAL):
            series[name] = color
    if series.kind.name == "scatter":
        given = series["CData"]
        few = isinstance(given, HostData) and given.array.size == 3
        if few and _row(given.array) in (*rows, NEUTRAL):
            series["CData"] = HostData(np.array([color]))


def _checked_index(value: Value) -> float | str:
    if is_text(value) and plain_text(value).lower() == "none":
        return "none"
    index = 0.0 if is_text(value) else number_of(value)
    if index < 1 or index != int(index):
        text = "SeriesIndex must be a positive whole number or 'none'."
        raise MatlabError("MATLAB:hg:InvalidSeriesIndex", text)
    return index


def _order(axes: GraphicsObject) -> list[Row]:
    order = order_of(axes)
    return [_row(row) for row in (COLOR_ORDER if order is None else order)]


def _row(color: object) -> Row:
    return tuple(float(part) for part in np.ravel(color))  # type: ignore[call-overload]


def color_sides(axes: GraphicsObject) -> None:
    """Give each of two y axes a colour of its own, and what is drawn against it too: the first of
    the order on the left, the second on the right."""
    rows, active = _order(axes), axes.side
    for place, side in enumerate(("left", "right")):
        axes.side = side
        axes["YColor"] = color = rows[place % len(rows)]
        axes["ColorOrder"] = np.array([color])
    axes.side = active


def style_order(axes: GraphicsObject) -> tuple[str, ...]:
    """The styles that lines take one after the other when the colours are through."""
    if not axes.has("LineStyleOrder"):
        return ("-",)
    return tuple(style for text in axes["LineStyleOrder"] for style in text.split("|")) or ("-",)


def restart_order(axes: GraphicsObject) -> None:
    """The next series takes the first colour and the first style."""
    for name in ("ColorOrderIndex", "LineStyleOrderIndex"):
        if axes.has(name):
            axes[name] = 1.0


def order_of(axes: GraphicsObject) -> Any:
    """The colours that successive series take: those of the axes or the figure; None for MATLAB's
    own, also where an order (of defaults, of a file) has no colours."""
    figure = axes.ancestor("figure")
    own = axes["ColorOrder"]
    order = own if own is not None or figure is None else figure["ColorOrder"]
    return order if order is not None and order.ndim == 2 and order.size else None
