"""Upper and lower case."""

from __future__ import annotations

from collections.abc import Callable

from app.engine.declarations.registry import builtin
from app.engine.operators.texts import map_text
from app.engine.values import Cell, Value, is_char, is_numeric_like, object_array

_FAMILY = "strings"


def _is_number(v: Value) -> bool:
    return is_numeric_like(v) and not is_char(v)


@builtin(
    "upper",
    category=_FAMILY,
    signatures=("s = upper(text)",),
    cases=("strcmp(upper('ab'), 'AB')",),
    see=("lower",),
)
def upper(text: Value) -> Value:
    """Upper case."""
    return text if _is_number(text) else map_text(str.upper, text, "upper")


@builtin(
    "lower",
    category=_FAMILY,
    signatures=("s = lower(text)",),
    cases=("strcmp(lower('AB'), 'ab')",),
    see=("upper",),
)
def lower(text: Value) -> Value:
    """Lower case."""
    return text if _is_number(text) else map_text(str.lower, text, "lower")


def _texts_cased(function: Callable[[str], str], v: Value) -> Value:
    if isinstance(v, Cell):
        return Cell(object_array([_texts_cased(function, x) for x in v.items()], v.shape))
    return v if _is_number(v) else map_text(function, v, "tolower")


@builtin(
    "toupper",
    category=_FAMILY,
    signatures=("s = toupper(text)",),
    cases=("strcmp(toupper('ab'), 'AB')", "isequal(toupper({1, 'ab', {'c'}}), {1, 'AB', {'C'}})"),
    see=("upper",),
)
def toupper(text: Value) -> Value:
    """Upper case (Octave's); what is no text stays as it is."""
    return _texts_cased(str.upper, text)


@builtin(
    "tolower",
    category=_FAMILY,
    signatures=("s = tolower(text)",),
    cases=("strcmp(tolower('AB'), 'ab')",),
    see=("lower",),
)
def tolower(text: Value) -> Value:
    """Lower case (Octave's); what is no text stays as it is."""
    return _texts_cased(str.lower, text)
