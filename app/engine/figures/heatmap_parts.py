"""What a heat map is made of: an image, a text per cell, and ticks with names."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.figures.colormaps import colormap_table, resolved_colormap
from app.engine.figures.limits import color_limits
from app.engine.figures.objects import GraphicsObject
from app.engine.figures.properties import row_value
from app.engine.values import Value

MOST_TEXTS = 900
_REDRAWN = (
    "ColorData",
    "CellLabelFormat",
    "CellLabelColor",
    "GridVisible",
    "XDisplayLabels",
    "YDisplayLabels",
    "ColorbarVisible",
    "MissingDataColor",
    "MissingDataLabel",
    "FontSize",
    "FontColor",
)


def redraw(axes: GraphicsObject) -> None:
    """Make the parts of a heat map anew from its properties."""
    for child in list(axes.children):
        child.delete()
    table = axes["ColorData"]
    image = GraphicsObject("image", axes.owner, axes)
    image.values.update(CData=table, CDataMapping="scaled")
    for letter, size in zip("XY", table.shape[::-1], strict=True):
        axes.values.update(
            {
                f"{letter}Tick": tuple(np.arange(1.0, size + 1).tolist()),
                f"{letter}TickMode": "manual",
                f"{letter}TickLabel": axes[f"{letter}DisplayLabels"],
                f"{letter}TickLabelMode": "manual",
            }
        )
    axes.values.update(YDir="reverse", Layer="top", Box=True, TickDir="none", NextPlot="replace")
    axes["Color"] = axes["MissingDataColor"]  # what shows where the image has no value
    if 0 < table.size <= MOST_TEXTS and axes["CellLabelColor"] != "none":
        numbers = table.host("axes")  # those that the cells show
        given = axes["CellLabelFormat"]
        shorter = ("%.3g", "%.2g") if given == "%.4g" else ()
        form = next((f for f in (given, *shorter) if _fits(axes, numbers, f)), None)
        if form is not None:
            _write(axes, numbers, form)
    if axes["GridVisible"]:
        _rule(axes, table.shape)
    bar = axes.parts.get("Colorbar")
    if bar is not None:
        bar["Visible"] = axes["ColorbarVisible"]
    axes.touch()


def _fits(axes: GraphicsObject, numbers: Any, form: str) -> bool:
    """Whether cells are wide enough for their numbers in this form."""
    from app.engine.figures.text_extents import POINT, width_of
    from app.engine.figures.units import normalized_frame, pixels_inside

    room = pixels_inside(axes.parent)[0] * normalized_frame(axes)[2] / numbers.shape[1]
    widest = max((width_of(form % value) for value in numbers.flat), default=0)
    return bool(float(widest) * float(axes["FontSize"]) * POINT < room)


def _rule(axes: GraphicsObject, shape: tuple[int, ...]) -> None:
    """Lines between cells."""
    rows, columns = shape[:2]
    for letter, count in (("x", columns), ("y", rows)):
        for k in range(1, count):
            line = GraphicsObject("constantline", axes.owner, axes)
            line.values.update(
                InterceptAxis=letter,
                Value=k + 0.5,
                Color=(0.15, 0.15, 0.15),
                Alpha=0.8,
                HandleVisibility="off",
            )


def _write(axes: GraphicsObject, table: Any, form: str) -> None:
    """The number of every cell, light on dark colours."""
    low, high = color_limits(axes)
    colors = axes["Colormap"]
    for (row, column), value in np.ndenumerate(table):
        note = GraphicsObject("text", axes.owner, axes)
        part = (value - low) / ((high - low) or 1.0)
        place = int(np.clip(np.nan_to_num(part) * len(colors), 0, len(colors) - 1))
        dark = colors[place] @ [0.299, 0.587, 0.114] < 0.55
        ink = (1.0, 1.0, 1.0) if dark or np.isnan(value) else (0.15, 0.15, 0.15)
        text = axes["MissingDataLabel"] if np.isnan(value) else form % value
        given = axes["CellLabelColor"]
        note.values.update(
            Position=(column + 1.0, row + 1.0, 0.0),
            String=text,
            HorizontalAlignment="center",
            FontSize=axes["FontSize"],
            HandleVisibility="off",
            Interpreter="none",
            Color=ink if given == "auto" else given,
        )


def _assign(name: str) -> Any:
    def set_property(axes: GraphicsObject, value: Value) -> None:
        axes[name] = axes.parsed(name, value)
        if axes["ColorData"] is not None:
            redraw(axes)

    return set_property


def _set_limits(axes: GraphicsObject, value: Value) -> None:
    axes["CLim"] = axes["ColorLimits"] = axes.parsed("ColorLimits", value)
    axes["CLimMode"] = "manual"
    redraw(axes)


def _set_map(axes: GraphicsObject, value: Value) -> None:
    axes["Colormap"] = colormap_table(value, resolved_colormap(axes))
    redraw(axes)


SETTERS = {("heatmap", name.lower()): _assign(name) for name in _REDRAWN} | {
    ("heatmap", "colorlimits"): _set_limits,
    ("heatmap", "colormap"): _set_map,
}
"""Assignments after which a heat map is drawn anew."""
GETTERS = {("heatmap", "colorlimits"): lambda axes: row_value(color_limits(axes))}
