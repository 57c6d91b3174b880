"""The element type of an indexed assignment, and the value around the changed array."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.values import (
    Array,
    Cell,
    CharArray,
    StringArray,
    Value,
    as_array,
    canonical,
    char_codes,
    char_value,
    class_of,
    codes_of_numbers,
    make_logical,
)
from app.errors import MatlabError, conversion_error

_NUMERIC = (np.ndarray, float, bool, complex)


def common_data(x: Value, v: Value) -> tuple[Array, Array, Any]:
    """Left data, right data of the same element type, and what fills new elements."""
    if x is None or (
        type(x) is np.ndarray and x.size == 0 and x.shape == (0, 0) and x.dtype == np.float64
    ):
        return _from_nothing(v)
    if type(x) is StringArray or type(v) is StringArray:
        return _strings(x, v)
    if type(x) is str or type(x) is CharArray:
        return char_codes(x), _codes(v), 0
    if not isinstance(x, _NUMERIC):
        raise _impossible(x, v)
    left = as_array(x)
    if type(v) is Cell:
        raise _impossible(x, v)
    right = as_array(v)
    if right.dtype == left.dtype:
        return left, right, 0
    return (*_cast(left, right), 0)


def _impossible(x: Value, v: Value) -> MatlabError:
    return conversion_error(class_of(x), class_of(v))


def _from_nothing(v: Value) -> tuple[Array, Array, Any]:
    """The left side is unset or ``[]``: it takes the class of the right side."""
    if type(v) is str or type(v) is CharArray:
        codes = char_codes(v)
        return np.zeros((0, 0), dtype=np.uint32), codes, 0
    if type(v) is StringArray:
        return np.empty((0, 0), dtype=object), v.data, None
    right = as_array(v)
    return np.zeros((0, 0), dtype=right.dtype), right, 0


def _strings(x: Value, v: Value) -> tuple[Array, Array, Any]:
    if type(x) is StringArray:
        from app.engine.operators.string_operators import to_strings

        right = v if type(v) is StringArray else to_strings(v)
        return x.data, right.data, None
    assert type(v) is StringArray
    texts = list(v.data.ravel(order="F"))
    if type(x) is str or type(x) is CharArray:
        if len(texts) != 1 or texts[0] is None:
            raise _impossible(x, v)
        return char_codes(x), char_codes(texts[0]), 0
    numbers = np.array([_number_of(text) for text in texts])
    return as_array(x), numbers.reshape(v.data.shape, order="F"), 0


def _number_of(text: str | None) -> float:
    """The number that a string says; NaN where it says none."""
    try:
        return float(text or "NaN")
    except ValueError:
        return np.nan


def _codes(v: Value) -> Array:
    if type(v) is str or type(v) is CharArray:
        return char_codes(v)
    return codes_of_numbers(as_array(v))


def _cast(left: Array, right: Array) -> tuple[Array, Array]:
    """``right`` in the class of ``left``; a complex right side makes the left complex."""
    if right.dtype.kind == "c" and left.dtype.kind in "fc":
        kind = np.complex64 if left.dtype.char in "fF" else np.complex128
        return left.astype(kind, order="F"), right.astype(kind)
    if left.dtype.kind == "c":
        return left, right.astype(left.dtype)
    if left.dtype.kind == "b":
        return left, as_array(make_logical(right))
    if left.dtype.kind in "iu":
        from app.engine.operators.arithmetic import cast

        return left, cast(right, left.dtype)
    return left, right.astype(left.dtype)


def wrap_like(x: Value, v: Value, data: Array) -> Value:
    """The changed array as a value of the left side's kind."""
    if data.dtype == object:
        return StringArray(data)
    if data.dtype == np.uint32 and (
        type(x) is str
        or type(x) is CharArray
        or (
            (not isinstance(x, np.ndarray) or x.dtype != np.uint32)
            and isinstance(v, str | CharArray)
        )
    ):
        return char_value(data)
    if data.size == 1 or (data.dtype.kind == "c" and not _imaginary(v)):
        return canonical(data)
    return data


def _imaginary(v: Value) -> bool:
    """True for a value that keeps the array complex that it is stored in."""
    if type(v) is complex:
        return v.imag != 0
    return type(v) is np.ndarray and v.dtype.kind == "c" and bool(v.imag.any())
