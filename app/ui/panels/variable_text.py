"""Numbers and tables of the variable editor as text, and back."""

from __future__ import annotations

import re

_SPLIT = re.compile(r"[\t;,]|\s+")
_NUMBER = re.compile(
    r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?[ij]?|[-+]?(?:nan|inf)|true|false", re.IGNORECASE
)


def number_text(value: float) -> str:
    """A number as MATLAB writes it."""
    return "NaN" if value != value else f"{value:.6g}"


def cells_of(text: str) -> list[list[str]]:
    """The rows of a table from a spreadsheet or a text; nothing when they are not even."""
    rows = [line.strip("\r") for line in text.strip("\n").split("\n")]
    cells = [[cell for cell in _SPLIT.split(row.strip()) if cell] for row in rows]
    return cells if len({len(row) for row in cells}) == 1 and cells[0] else []


def matrix_code(cells: list[list[str]]) -> str:
    """A table as MATLAB code; empty when a cell is no number."""
    if not all(_NUMBER.fullmatch(cell) for row in cells for cell in row):
        return ""
    return "[" + "; ".join(" ".join(row) for row in cells) + "]"
