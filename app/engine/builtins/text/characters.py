"""Questions about single characters: letters, digits, white space."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    Cell,
    StringArray,
    Value,
    char_codes,
    is_cell,
    is_char,
    size_of,
    text_of,
    unwrap,
)
from app.errors import MatlabError

_FAMILY = "strings"


@builtin(
    "isspace",
    category=_FAMILY,
    signatures=("tf = isspace(text)",),
    cases=("isequal(isspace('a b'), [false true false])",),
    see=("isletter",),
)
def isspace(text: Value) -> Value:
    """True for white space characters."""
    return char_test(text, str.isspace)


def char_test(text: Value, test: Callable[[str], bool]) -> Value:
    """``test`` of every character; False for what is no text."""
    if type(text) is str and len(text) == 1:
        return test(text)
    if isinstance(text, StringArray):
        text = text_of(text)
    if is_cell(text):
        return Cell.of([char_test(x, test) for x in text.items()], text.shape)
    if not is_char(text):
        return unwrap(np.zeros(size_of(text), dtype=bool))
    codes = char_codes(text)
    if codes.size > _FEW and np.maximum.reduce(codes, axis=None) < _TABLED:
        return _table(test)[codes]
    flags = [test(chr(c)) for c in codes.ravel().tolist()]
    return unwrap(np.array(flags, dtype=bool).reshape(codes.shape))


_FEW = 16
"""Characters that are asked one by one sooner than from a table."""
_TABLED = 1 << 10
"""Characters that a table answers for."""


@cache
def _table(test: Callable[[str], bool]) -> Array:
    return np.array([test(chr(c)) for c in range(_TABLED)])


@builtin(
    "isstrprop",
    category=_FAMILY,
    signatures=("tf = isstrprop(text, property)",),
    cases=("isequal(isstrprop('a1', 'digit'), [false true])",),
    see=("isspace",),
)
def isstrprop(text: Value, kind: Value) -> Value:
    """True for characters of a category: alpha, digit, alphanum, upper, lower, wspace, punct."""
    word = text_of(kind)
    if word not in _CATEGORIES:
        raise MatlabError("MATLAB:isstrprop:InvalidCategory", f"Unknown category '{word}'.")
    return char_test(text, _CATEGORIES[word])


_CATEGORIES: dict[str, Callable[[str], bool]] = {
    "alpha": str.isalpha,
    "digit": str.isdigit,
    "alphanum": str.isalnum,
    "upper": str.isupper,
    "lower": str.islower,
    "wspace": str.isspace,
    "space": str.isspace,
    "punct": lambda c: c.isprintable() and not c.isalnum() and not c.isspace(),
    "cntrl": lambda c: ord(c) < 32 or ord(c) == 127,
    "print": str.isprintable,
    "graphic": lambda c: c.isprintable() and not c.isspace(),
    "xdigit": lambda c: c in "0123456789abcdefABCDEF",
    "ascii": str.isascii,
    "alnum": str.isalnum,
}


@builtin(
    "isletter",
    category=_FAMILY,
    signatures=("tf = isletter(text)",),
    cases=("isequal(isletter('a1'), [true false])",),
    see=("isspace",),
)
def isletter(text: Value) -> Value:
    """True for letters."""
    return char_test(text, str.isalpha)


@builtin(
    "isalpha",
    category=_FAMILY,
    signatures=("tf = isalpha(text)",),
    cases=("isalpha('a')",),
    see=("isletter",),
)
def isalpha(text: Value) -> Value:
    """True for letters (Octave's)."""
    return char_test(text, str.isalpha)


@builtin(
    "isdigit",
    category=_FAMILY,
    signatures=("tf = isdigit(text)",),
    cases=("isequal(isdigit('a1'), [false true])",),
    see=("isletter",),
)
def isdigit(text: Value) -> Value:
    """True for decimal digits (Octave's)."""
    return char_test(text, str.isdigit)


@builtin("isupper", category=_FAMILY, signatures=("tf = isupper(text)",), cases=("isupper('A')",))
def isupper(text: Value) -> Value:
    """True for upper-case letters (Octave's)."""
    return char_test(text, str.isupper)


@builtin("islower", category=_FAMILY, signatures=("tf = islower(text)",), cases=("islower('a')",))
def islower(text: Value) -> Value:
    """True for lower-case letters (Octave's)."""
    return char_test(text, str.islower)
