"""Strings as chars and chars as strings."""

from __future__ import annotations

from app.engine.declarations.registry import builtin
from app.engine.values import (
    Cell,
    StringArray,
    Value,
    is_char,
    object_array,
    text_of,
)

_FAMILY = "strings"


@builtin(
    "convertStringsToChars",
    category=_FAMILY,
    signatures=("[c1, c2, ...] = convertStringsToChars(s1, s2, ...)",),
    cases=(
        'ischar(convertStringsToChars("a"))',
        "isequal(convertStringsToChars([\"a\" \"b\"]), {'a', 'b'})",
    ),
    see=("convertCharsToStrings", "convertContainedStringsToChars"),
)
def convert_strings_to_chars(*args: Value) -> Value:
    """Strings as char vectors (a scalar) or cells of them; anything else as it is."""
    return tuple(_as_chars(a) for a in args)


def _as_chars(v: Value) -> Value:
    if not isinstance(v, StringArray):
        return v
    if v.data.size == 1:
        return "" if v.data.flat[0] is None else v.data.flat[0]
    return Cell(object_array(["" if t is None else t for t in v.data.ravel(order="F")], v.shape))


@builtin(
    "convertCharsToStrings",
    category=_FAMILY,
    signatures=("[s1, s2, ...] = convertCharsToStrings(c1, c2, ...)",),
    cases=(
        "isstring(convertCharsToStrings('a'))",
        "isequal(convertCharsToStrings({'a', 'b'}), [\"a\" \"b\"])",
    ),
    see=("convertStringsToChars",),
)
def convert_chars_to_strings(*args: Value) -> Value:
    """Char vectors and cells of them as strings; anything else as it is."""
    from app.engine.operators.string_operators import to_strings
    from app.engine.values import is_cellstr

    made = [
        StringArray.scalar(text_of(a)) if is_char(a) else to_strings(a) if is_cellstr(a) else a
        for a in args
    ]
    return tuple(made)


@builtin(
    "convertContainedStringsToChars",
    category=_FAMILY,
    signatures=("[c1, ...] = convertContainedStringsToChars(a1, ...)",),
    cases=("ischar(convertContainedStringsToChars(struct('a', \"x\")).a)",),
    see=("convertStringsToChars",),
)
def convert_contained(*args: Value) -> Value:
    """Strings as chars, also inside cells and structs."""
    return tuple(_converted_contents(a) for a in args)


def _converted_contents(v: Value) -> Value:
    from app.engine.values import Struct

    if isinstance(v, Cell):
        return Cell(object_array([_converted_contents(x) for x in v.items()], v.shape))
    if isinstance(v, Struct):
        return Struct({k: _converted_contents(x) for k, x in v.fields.items()})
    return _as_chars(v)
