"""What a data tip says of a point where a script chose the rows: ``h.DataTipTemplate``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from app.engine.figures.dates import DATE, formatted
from app.ui.plots.series_arrays import Exported, count_of, host_array
from app.ui.plots.tip_numbers import number, on_ruler

_WORDS = {
    "usd": "$%.2f",
    "eur": "€%.2f",
    "gbp": "£%.2f",
    "jpy": "¥%.0f",
    "degrees": "%g°",
    "percentage": "%g%%",
}
_NUMBER = re.compile(r"%[-+ 0#]*\d*(?:\.\d+)?[dieEfgG]")


@dataclass(frozen=True, slots=True)
class Look:
    """How the text of a tip is written.

    Attributes:
        interpreter: of the text.
        size: of the letters, in points.
    """

    interpreter: str = "none"
    size: float = 9.0


@dataclass(frozen=True, slots=True)
class Coordinate:
    """One coordinate of the point that is meant.

    Attributes:
        value: in the data.
        ruler: the properties of the ruler that it stands on; None for a plain number.
        letter: which ruler that is.
    """

    value: float
    ruler: Exported | None = None
    letter: str = "X"

    def said(self, form: str = "auto") -> str:
        """The coordinate as its ruler writes it, or in a format of its own."""
        if self.ruler is None:
            return written(self.value, form)
        dates = self.ruler[f"{self.letter}TickFormat"].startswith(DATE)
        if form == "auto":
            return on_ruler(self.ruler, self.letter, self.value)
        return formatted(self.value, form) if dates else written(self.value, form)


def element(data: Exported, index: int) -> tuple[float, int]:
    """One element, and how many bytes had to be fetched for it."""
    if data["kind"] == "range":
        return float(data["start"] + data["step"] * index), 0
    if data["kind"] == "host":
        return float(host_array(data).reshape(-1, order="F")[index]), 0
    pin = data["buffer"]
    place = int(data["offset"]) + index
    value = pin.runtime.gather_elements(pin.node, [place], "data tip")
    return float(value[0]), int(np.dtype(data["dtype"]).itemsize)


def look_of(series: Exported) -> Look:
    """How the tips of a series are written."""
    tips = series.get("tips")
    return Look() if tips is None else Look(tips["interpreter"], tips["fontsize"])


def chosen_rows(
    series: Exported, index: int, spot: Mapping[str, Coordinate]
) -> tuple[str, int] | None:
    """What the rows say that a script chose, and the bytes fetched for that; None where it chose
    none.

    Args:
        series: the chart.
        index: of the point.
        spot: the point's coordinates by the names of the properties that have them.
    """
    tips = series.get("tips")
    if tips is None or not tips["rows"]:
        return None
    said, fetched = [], 0
    for row in tips["rows"]:
        text, moved = _row(series, row, index, spot)
        said.append(f"{row['label']}  {text}")
        fetched += moved
    return "\n".join(said), fetched


def _row(
    series: Exported, row: Exported, index: int, spot: Mapping[str, Coordinate]
) -> tuple[str, int]:
    """The value of one row, and the bytes fetched for it; no text of a point that it says nothing
    of."""
    if "texts" in row:
        texts = row["texts"]
        return (texts[index] if index < len(texts) else ""), 0
    if "name" in row and row["name"] in spot:
        return spot[row["name"]].said(row["format"]), 0
    data = row["data"] if "data" in row else series.get(row["name"])
    if not isinstance(data, dict):
        return ("" if data is None else str(data)), 0
    count = count_of(data)
    if index >= count and count != 1:
        return "", 0
    value, moved = element(data, index if count > 1 else 0)
    return written(value, row["format"]), moved


def written(value: float, form: str) -> str:
    """A number in a format of ``sprintf`` with one conversion, or one that has a name."""
    form = _WORDS.get(form, form)
    if len(_NUMBER.findall(form)) != 1:
        return number(value)
    return _NUMBER.sub(lambda found: found[0] % value, form).replace("%%", "%")
