"""What the snapshot of axes says of one of their rulers."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QColor

from app.ui.plots.series_arrays import Exported
from app.ui.plots.style import POINT, Style


@dataclass(frozen=True, slots=True)
class RulerModel:
    """What the model says of one axis.

    Attributes:
        log: whether it is logarithmic.
        ticks: the script's ticks; None for automatic ones.
        labels: the script's labels; None for automatic ones.
        grid: whether grid lines are drawn.
        minor_grid: whether fine grid lines are drawn.
        tick_format: format of automatic labels; may be empty.
        rotation: slant of the labels in degrees.
        color: of line, ticks and labels; None for the style's.
        size: of the labels in points.
        box: whether ticks are repeated on the other side.
        tick_length: pixels; negative for outside.
        minor: whether fine ticks are drawn.
        exponent: the power of ten beside the axis; None for automatic.
        width: of line and ticks in pixels.
        both: whether ticks go to both sides of the line.
        shown: whether anything but the grid is drawn.
        grid_style: colour (None for the style's), opacity and dashes of the grid.
        interpreter: of the labels.
        family: typeface of the labels.
    """

    log: bool = False
    ticks: tuple[float, ...] | None = None
    labels: tuple[str, ...] | None = None
    grid: bool = False
    minor_grid: bool = False
    tick_format: str = ""
    rotation: float = 0.0
    color: QColor | None = None
    size: float = 10.0
    box: bool = False
    tick_length: float = 5.0
    minor: bool = False
    exponent: int | None = None
    width: float = 1.0
    both: bool = False
    shown: bool = True
    grid_style: tuple[QColor | None, float, str] = (None, 0.15, "-")
    interpreter: str = "tex"
    family: str = ""


def ruler_model(model: Exported, source: Exported, letter: str, style: Style) -> RulerModel:
    """How a ruler of axes looks, from their snapshot and the one of its side (`source`)."""
    manual = source[f"{letter}TickMode"] == "manual"
    named = source[f"{letter}TickLabelMode"] == "manual"
    color = source[f"{letter}Color"]
    length = 500.0 * model["TickLength"][0]
    tick = {"out": -length, "none": 0.0}.get(model["TickDir"], length)
    grid = model["GridColor"]
    own = source[f"{letter}ExponentMode"] == "manual"
    return RulerModel(
        log=source[f"{letter}Scale"] == "log",
        ticks=tuple(source[f"{letter}Tick"]) if manual else None,
        labels=tuple(source[f"{letter}TickLabel"]) if named else None,
        grid=source[f"{letter}Grid"],
        tick_format=source[f"{letter}TickFormat"],
        minor_grid=model[f"{letter}MinorGrid"],
        rotation=model[f"{letter}TickLabelRotation"],
        color=style.color(color) if isinstance(color, tuple) else None,
        size=model["FontSize"],
        box=model["Box"] and not model["two_sided"],
        tick_length=tick,
        minor=model[f"{letter}MinorTick"],
        exponent=int(source[f"{letter}Exponent"]) if own else None,
        width=max(1.0, model["LineWidth"] * POINT),
        both=model["TickDir"] == "both",
        shown=source[f"{letter}Shown"],
        family=model["FontName"],
        interpreter=model["TickLabelInterpreter"],
        grid_style=(
            None if grid == "auto" else style.color(grid),
            model["GridAlpha"],
            model["GridLineStyle"],
        ),
    )
