"""``s(i).name`` and ``s(i, j).name`` of struct arrays, without making the struct."""

from __future__ import annotations

from app.engine.interpreter.indexing.index_read import field, paren1, paren2
from app.engine.interpreter.indexing.subscripts import element_place
from app.engine.values import StructArray, Value


def element_field(x: Value, i: Value, name: str) -> Value:
    """``s(i).name``."""
    if type(x) is StructArray and type(i) is float:
        column = x.fields.get(name)
        k = int(i) if -9e15 < i < 9e15 else 0
        if column is not None and k == i and 0 < k <= column.size and column.ndim == 2:
            rows = column.shape[0]
            return column[0, k - 1] if rows == 1 else column[(k - 1) % rows, (k - 1) // rows]
    return field(paren1(x, i), name)


def element_field2(x: Value, i: Value, j: Value, name: str) -> Value:
    """``s(i, j).name``."""
    if type(x) is StructArray:
        column = x.fields.get(name)
        place = None if column is None else element_place(x.shape, (i, j))
        if column is not None and place is not None:
            return column[place]
    return field(paren2(x, i, j), name)
