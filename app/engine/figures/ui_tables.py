"""Tables in figures (``uitable``): what their cells show, and what typing into one changes."""

from __future__ import annotations

import numpy as np

from app.engine.figures.objects import GraphicsObject
from app.engine.figures.properties import is_text, lines_of, plain_text
from app.engine.values import (
    Array,
    Cell,
    StringArray,
    Value,
    as_array,
    canonical,
    is_numeric_like,
    numel,
    object_array,
)


def _elements(data: Value) -> Array:
    """The data as an array of values, one for each cell."""
    if isinstance(data, Cell | StringArray):
        return data.data
    if is_text(data):
        return object_array([plain_text(data)], (1, 1))
    return as_array(data)


def text_of_cell(value: Value) -> str:
    """What a cell of the table shows."""
    if value is None:
        return ""
    if isinstance(value, str) or is_text(value):
        return plain_text(value)
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if not is_numeric_like(value):
        return ""
    numbers = as_array(value)
    if numbers.size != 1:
        return " ".join(lines_of(value))
    number = numbers.item()
    if isinstance(number, bool):
        return "true" if number else "false"
    if not np.isfinite(number):
        return lines_of(value)[0].replace("nan", "NaN").replace("inf", "Inf")
    whole = not isinstance(number, complex) and number == round(number, 0)
    return f"{number:.0f}" if whole else f"{number:.4f}"


def table_texts(item: GraphicsObject) -> dict[str, object]:
    """Everything the window shows of a table: texts by rows, names, and what may be edited."""
    cells = np.atleast_2d(_elements(item["Data"]))
    rows, columns = cells.shape[:2] if cells.size else (0, 0)
    editable = item["ColumnEditable"]
    allowed = as_array(editable).reshape(-1).astype(bool).tolist() if np.size(editable) else []
    return {
        "cells": [[text_of_cell(cell) for cell in row] for row in cells.tolist()] if rows else [],
        "columns": _names(item["ColumnName"], columns),
        "rows": _names(item["RowName"], rows),
        "editable": [
            bool(allowed[min(c, len(allowed) - 1)]) if allowed else False for c in range(columns)
        ],
    }


def _names(given: Value, count: int) -> list[str] | None:
    """Names of rows or columns: numbers where nothing else is said, None for no names."""
    if is_text(given) and plain_text(given) == "numbered":
        return [str(k + 1) for k in range(count)]
    if numel(given) == 0:
        return None
    found = lines_of(given)[:count]
    return found + [""] * (count - len(found))


def edit(item: GraphicsObject, row: int, column: int, text: str) -> dict[str, Value]:
    """Take in what was typed into a cell; the fields of the event that CellEditCallback gets."""
    data = item["Data"]
    before: Value
    if isinstance(data, Cell):
        before = data.data[row, column]
        new: Value = text if is_text(before) else _number(text)
        changed = data.data.copy()
        changed[row, column] = new
        item["Data"] = Cell(changed)
    elif isinstance(data, StringArray):
        before, new = data.data[row, column] or "", text
        changed = data.data.copy()
        changed[row, column] = text
        item["Data"] = StringArray(changed)
    else:
        numbers = np.array(np.atleast_2d(as_array(data)))
        before = canonical(numbers[row : row + 1, column : column + 1])
        numbers[row, column] = _number(text)
        new = canonical(numbers[row : row + 1, column : column + 1])
        item["Data"] = canonical(numbers)
    return {
        "Indices": canonical(np.array([[row + 1.0, column + 1.0]])),
        "PreviousData": before,
        "EditData": text,
        "NewData": new,
        "Error": "",
    }


def _number(text: str) -> float:
    word = text.strip().lower()
    if word in ("true", "false"):
        return float(word == "true")
    try:
        return float(word)
    except ValueError:
        return float("nan")
