"""Numbers as data tips say them: as the ruler writes them that they stand on."""

from __future__ import annotations

from app.engine.figures.dates import DATE, formatted
from app.engine.figures.ticks import tick_label
from app.ui.plots.series_arrays import Exported


def number(value: float) -> str:
    """Whole numbers with all their digits, others with six."""
    return f"{value:.0f}" if value.is_integer() and abs(value) < 1e15 else tick_label(value)


def on_ruler(axes: Exported, letter: str, value: float) -> str:
    """A number of the ruler X or Y of axes: a date, a duration, the name of a category or of a
    tick, else the number."""
    form = axes[f"{letter}TickFormat"]
    if form.startswith(DATE):
        return formatted(value, "dd-MMM-yyyy" + ("" if value.is_integer() else " HH:mm:ss"))
    if "manual" == axes[f"{letter}TickMode"] == axes[f"{letter}TickLabelMode"]:
        labels = zip(axes[f"{letter}Tick"], axes[f"{letter}TickLabel"], strict=False)
        named = next((label for tick, label in labels if tick == value), "")
        return named or number(value)
    known = form.count("%") == 1 and form.startswith("%g")
    return form.replace("%g", number(value)) if known else number(value)
