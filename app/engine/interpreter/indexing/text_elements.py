"""Characters of texts by their places, without going through arrays of their codes."""

from __future__ import annotations

from itertools import compress

from app.engine.interpreter.indexing.subscripts import (
    COLON,
    DOUBLE,
    LOGICAL,
    flat_indices_below,
)
from app.engine.values import Array, CharArray, Value, char_value
from app.engine.values.types import character

_FEW = 128
"""Characters up to which it is quicker to pick them one by one."""


def characters(x: str, i: Array) -> str | None:
    """``x(i)`` for a row of few places, or truth values of each character; None for all else."""
    if i.ndim != 2 or len(i) != 1 or i.size > _FEW:
        return None
    if i.dtype is LOGICAL:  # of no character the general way knows the size
        return "".join(compress(x, i.tolist()[0])) or None if i.size == len(x) else None
    places = flat_indices_below(i, len(x)) if i.dtype is DOUBLE and i.size else None
    return None if places is None else "".join([x[k] for k in places.tolist()])


def character_in(x: CharArray, k: int) -> str | None:
    """``x(k)`` of a matrix of characters; None where there is none."""
    rows = x.data.shape[0]
    if x.data.ndim != 2 or not rows or k > x.data.size:
        return None
    return character(x.data.item((k - 1) % rows, (k - 1) // rows))


def part_of_matrix(x: CharArray, i: Value, j: Value) -> Value | None:
    """``x(i, j)``, ``x(i, :)`` and ``x(:, j)`` of a matrix of characters; None for all else."""
    data = x.data
    row, column = _place(i, data.shape[0]), _place(j, data.shape[1])
    if row is None or column is None or data.ndim != 2:
        return None
    if isinstance(row, int):
        if isinstance(column, int):
            return character(data.item(row, column))
        return char_value(data[row : row + 1])
    return char_value(data[:, column : column + 1].copy()) if isinstance(column, int) else None


def _place(sub: Value, extent: int) -> int | slice | None:
    """The place, from 0, that a number means, or all of them; None for other subscripts."""
    if sub is COLON:
        return slice(None)
    if type(sub) is float and 1.0 <= sub <= extent and sub.is_integer():
        return int(sub) - 1
    return None
