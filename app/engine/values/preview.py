"""A value in a few characters: for workspace rows, pages of cells, and the debugger."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.engine import values
from app.engine.values import (
    Array,
    FunctionHandle,
    NativeObject,
    ObjectArray,
    ObjectValue,
    StringArray,
    Value,
    object_array,
)

PREVIEW_ELEMENTS = 8
PREVIEW_TEXT = 80
PREVIEW_TEXTS = 4


def preview(value: Value) -> str:
    """A short text for ``value``: its content when it is small, else its size and class."""
    if isinstance(value, str):
        return _shortened_text(f"'{value}'")
    if isinstance(value, FunctionHandle):
        return _shortened_text(value.text if value.text.startswith("@") else f"@{value.text}")
    if isinstance(value, StringArray) and value.data.size == 1:
        return _shortened_text(string_text(value.data.item()))
    if _is_small_numeric(value):
        return _numbers(values.as_array(value))
    if isinstance(value, NativeObject) and 0 < values.numel(value) <= PREVIEW_TEXTS:
        texts = ["<missing>" if text is None else text for text in value.texts()]
        if texts:
            return _shortened_text("  ".join(texts))
    if isinstance(value, ObjectValue | ObjectArray) and 0 < values.numel(value) <= PREVIEW_TEXTS:
        names = member_names(value)
        if names is not None:
            return _shortened_text("  ".join(names.ravel(order="F")))
    return f"{size_text(value)} {values.class_of(value)}"


def member_names(value: ObjectValue | ObjectArray) -> NDArray[Any] | None:
    """The names of members of an enumeration in their places; None for other objects."""
    if not value.class_info.enumeration:
        return None
    members = value.data if isinstance(value, ObjectArray) else object_array([value], (1, 1))
    names = [str(m.properties["#name"]) for m in members.ravel(order="F")]
    return object_array(names, members.shape)


def size_text(value: Value) -> str:
    """The size as ``2×3``."""
    return "×".join(map(str, values.size_of(value)))


def string_text(text: str | None) -> str:
    """One element of a string array."""
    return "<missing>" if text is None else f'"{text}"'


def _is_small_numeric(value: Value) -> bool:
    if type(value) in (float, bool, complex):
        return True
    return type(value) is np.ndarray and value.ndim == 2 and 0 < value.size <= PREVIEW_ELEMENTS


def _numbers(a: Array) -> str:
    if a.size == 1:
        return number_text(a.flat[0])
    rows = [" ".join(map(number_text, row)) for row in a]
    return _shortened_text("[" + "; ".join(rows) + "]")


def number_text(number: Any) -> str:
    """One number as the variable editor shows it."""
    if isinstance(number, bool | np.bool_):
        return "true" if number else "false"
    if isinstance(number, complex | np.complexfloating):
        sign = "-" if np.signbit(number.imag) else "+"
        return f"{number_text(number.real)}{sign}{number_text(abs(number.imag))}i"
    if isinstance(number, int | np.integer):
        return str(int(number))
    if not np.isfinite(number):
        return "NaN" if np.isnan(number) else "Inf" if number > 0 else "-Inf"
    return f"{float(number):.7g}" if isinstance(number, np.float32) else f"{float(number):.6g}"


def exact_number_text(number: object) -> str:
    """One number with as many digits as tell it from every other of its class."""
    if isinstance(number, complex | np.complexfloating):
        sign = "-" if np.signbit(number.imag) else "+"
        real, imaginary = exact_number_text(number.real), exact_number_text(abs(number.imag))
        return f"{real}{sign}{imaginary}i"
    if not isinstance(number, float | np.floating) or not np.isfinite(number):
        return number_text(number)
    return str(number).removesuffix(".0")


def exact_text(value: Value) -> str:
    """A value as it goes into one cell of a spreadsheet: a whole text, a number with all digits."""
    if isinstance(value, str):
        return value
    if isinstance(value, StringArray) and value.data.size == 1:
        return "<missing>" if value.data.item() is None else str(value.data.item())
    if _is_small_numeric(value) and values.numel(value) == 1:
        return exact_number_text(values.as_array(value).flat[0])
    return preview(value)


def _shortened_text(text: str) -> str:
    text = text.replace("\n", "↵")
    return text if len(text) <= PREVIEW_TEXT else text[: PREVIEW_TEXT - 1] + "…"
