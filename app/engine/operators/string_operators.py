"""Operators of string arrays, and conversion of any value to strings."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from app import memory
from app.engine.operators.expansion import align
from app.engine.operators.joined_text import joined_text
from app.engine.values import (
    Cell,
    CharArray,
    NativeObject,
    StringArray,
    Value,
    as_array,
    canonical,
    class_of,
    is_numeric_like,
    text_of,
)
from app.errors import MatlabError, conversion_error

_RELATIONS: dict[str, Callable[[Any, Any], bool]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}


def number_text(x: Any) -> str:
    """The text ``string`` gives a number: up to five significant digits beyond the integer part."""
    from app.engine.operators.number_text import shortest

    return shortest(x)


def to_strings(v: Value) -> StringArray:
    """``string(v)``."""
    if type(v) is StringArray:
        return v
    if type(v) is str:
        return StringArray.scalar(v)
    if type(v) is CharArray:
        rows = v.rows()
        return StringArray.of(rows, (len(rows), 1))
    if type(v) is Cell:
        return StringArray.of((_cell_text(x, k) for k, x in enumerate(v.items(), 1)), v.shape)
    if isinstance(v, NativeObject) and hasattr(v, "to_strings"):
        return v.to_strings()  # type: ignore[no-any-return]
    if is_numeric_like(v):
        a = as_array(v)
        return StringArray.of((number_text(x) for x in a.ravel(order="F")), a.shape)
    raise conversion_error("string", class_of(v))


def _cell_text(x: Value, place: int) -> str | None:
    strings = to_strings(x) if type(x) is not Cell else None
    if strings is None or (
        strings.data.size != 1 and not (type(x) is CharArray and not x.data.size)
    ):
        text = (
            f"Conversion from cell failed. Element {place} must be convertible to a string scalar."
        )
        raise MatlabError("MATLAB:string:MustBeCharCellArray", text)
    return strings.data.flat[0] if strings.data.size else ""


def binary(name: str, a: Value, b: Value) -> Value:
    """``+`` joins, relations compare; NotImplemented for all else."""
    if name == "plus":
        return _join(to_strings(a), to_strings(b))
    compare = _RELATIONS.get(name)
    if compare is None:
        return NotImplemented
    x, y = align(_comparable(a).data, _comparable(b).data)
    pairs = np.broadcast(x, y)
    flags = [_compare(compare, name, s, t) for s, t in pairs]
    return canonical(np.array(flags, dtype=bool).reshape(pairs.shape))


def _comparable(v: Value) -> StringArray:
    if type(v) is CharArray and v.data.size == 0:
        return StringArray.scalar(text_of(v))
    return to_strings(v)


def _compare(compare: Callable[[Any, Any], bool], name: str, s: str | None, t: str | None) -> bool:
    if s is None or t is None:
        return name == "ne"
    return compare(s, t)


def _join(a: StringArray, b: StringArray) -> StringArray:
    x, y = align(a.data, b.data)
    pairs = np.broadcast(x, y)
    out = np.empty(pairs.size, dtype=object)
    for k, (s, t) in enumerate(pairs):
        if s is not None and t is not None:  # else missing
            out[k] = s + t if len(s) + len(t) < memory.LARGE else joined_text((s, t))
    return StringArray(out.reshape(pairs.shape))
