"""``x(a:b)`` and ``x(a:s:b)`` of vectors and texts, without making the subscripts."""

from __future__ import annotations

import numpy as np

from app.engine.capture.lazy_limits import LONG
from app.engine.interpreter.indexing.index_read import COMPLEX, field, member, ndarray, paren1
from app.engine.operators.operators import colon
from app.engine.values import Cell, CharArray, DeviceArray, Struct, Value, canonical


def paren_range(x: Value, start: Value, stop: Value) -> Value:
    """``x(start:stop)``; of vectors and texts without making the subscripts."""
    if type(start) is not float or type(stop) is not float:
        return paren1(x, colon(start, stop))
    if stop < start:
        made = _nothing_of(x)
        if made is not None:
            return made
    if 1.0 <= start <= stop < LONG and start.is_integer():
        made = _elements_between(x, int(start), int(stop), (start, stop))
        if made is not None:
            return made
    return paren1(x, colon(start, stop))


def _elements_between(x: Value, first: int, last: int, ends: tuple[float, float]) -> Value | None:
    """Elements from ``first`` to ``last``; None of what is no vector or has fewer."""
    if type(x) is str and last <= len(x):
        return x[first - 1 : last]
    if type(x) is ndarray and x.ndim == 2 and first < last and x.dtype.kind != COMPLEX:
        rows, columns = x.shape
        if rows == 1 and last <= columns:
            return x[:, first - 1 : last].copy()
        if columns == 1 and last <= rows:
            return x[first - 1 : last].copy()
    if type(x) is DeviceArray:
        from app.engine.interpreter.indexing import device_index  # the graph's part is heavy

        return device_index.read_between(x, ends)
    return _elements_of_slice(x, slice(first - 1, last), last) if type(x) is Cell else None


def member_range(x: Value, name: str, start: Value, stop: Value) -> Value:
    """``x.name(start:stop)`` of a field, or a call of a method."""
    if type(x) is Struct:
        return paren_range(field(x, name), start, stop)
    return member(x, name, colon(start, stop))


def _nothing_of(x: Value) -> Value | None:
    """What no subscripts select of a row or a text that has elements; None of anything else."""
    if type(x) is str and x:
        return CharArray(np.zeros((1, 0), np.uint32))
    data = x.data if type(x) is Cell else x
    if type(data) is not ndarray or data.ndim != 2 or data.shape[0] != 1 or not data.shape[1]:
        return None
    made = data[:, :0].copy()
    if type(x) is Cell:
        return Cell(made)
    return canonical(made) if made.dtype.kind == COMPLEX else made


def paren_steps(x: Value, start: Value, step: Value, stop: Value) -> Value:
    """``x(start:step:stop)``; of vectors and texts without making the subscripts."""
    if type(start) is type(step) is type(stop) is float and _are_short(start, step, stop):
        first, by = int(start), int(step)
        last = first + int((stop - start) // step) * by
        if first == start and by == step and last >= 1 and (last - first) * by > 0:
            end = last - 1 + by
            places = slice(first - 1, end if end >= 0 else None, by)
            made = _elements_of_slice(x, places, max(first, last))
            if made is not None:
                return made
    return paren1(x, colon(start, step, stop))


def _are_short(start: float, step: float, stop: float) -> bool:
    return step != 0.0 and 1.0 <= start < LONG and -LONG < step < LONG and -LONG < stop < LONG


def _elements_of_slice(x: Value, places: slice, furthest: int) -> Value | None:
    """The elements of a vector or text at these places; None of anything else."""
    if type(x) is str:
        return x[places] if furthest <= len(x) else None
    data = x.data if type(x) is Cell else x
    if type(data) is not ndarray or data.ndim != 2 or data.dtype.kind == COMPLEX:
        return None
    rows, columns = data.shape
    if rows == 1 and furthest <= columns:
        made = data[:, places].copy()
    elif columns == 1 and furthest <= rows:
        made = data[places].copy()
    else:
        return None
    return Cell(made) if type(x) is Cell else made
