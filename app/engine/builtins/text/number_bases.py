"""Numbers as text in other bases: dec2bin, dec2hex, dec2base and back."""

from __future__ import annotations

import math
import re

import numpy as np

from app.engine.arguments import size_arguments
from app.engine.declarations.registry import builtin
from app.engine.operators.number_text import char_rows
from app.engine.values import (
    EMPTY,
    Value,
    as_array,
    is_cell,
    is_char,
    is_numeric_like,
    is_text_scalar,
    numel,
    text_of,
    texts_of,
    unwrap,
)
from app.errors import MatlabError

_FAMILY = "strings"
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def _symbols(base: Value, name: str) -> str:
    """The digits of a base given as a number or as its symbols."""
    if is_text_scalar(base):
        digits = text_of(base)
        if len(digits) < 2 or len(set(digits)) != len(digits) or any(c.isspace() for c in digits):
            text = "The symbols of a base must be two or more, unique, and not white space."
            raise MatlabError(f"MATLAB:{name}:InvalidSymbols", text)
        return digits
    number = as_array(base)
    if (
        number.size != 1
        or number.dtype.kind == "c"
        or number.flat[0] != int(number.flat[0])
        or (not 2 <= number.flat[0] <= 36)
    ):
        text = "Second argument must be an integer between 2 and 36."
        raise MatlabError(f"MATLAB:{name}:SecondArg", text)
    return _DIGITS[: int(number.flat[0])]


_CLASSED = re.compile(r"(0[xXbB][0-9a-fA-F]+)([su])(8|16|32|64)$")
"""A literal with the class of integers that it is read as: ``0xFFs8``."""


def _value(text: str, digits: str) -> float:
    """The number that digits say; NaN when one of them is no digit."""
    plain = text.replace(" ", "")
    if classed := _CLASSED.match(plain):
        return _as_class(_value(classed[1], digits), classed[2] == "s", int(classed[3]))
    prefix = _PREFIXES.get(len(digits), "")
    if prefix and plain.lower().startswith(prefix):
        plain = plain[len(prefix) :]
    if digits == digits.upper() and digits in _DIGITS:
        plain = plain.upper()
    if _DIGITS.startswith(digits) and plain.isalnum() and plain.isascii() and len(plain) <= _SHORT:
        try:
            return float(int(plain, len(digits)))
        except ValueError:
            return math.nan
    total = 0
    for c in plain:
        place = digits.find(c)
        if place < 0:
            return math.nan
        total = total * len(digits) + place
    if not plain:
        return math.nan
    return float(total) if total < 1 << _FLOAT_BITS else math.inf


def _as_class(value: float, signed: bool, bits: int) -> float:
    """The bits of a whole number as an integer of a class; NaN where it has not so many."""
    if not value < 2.0**bits:
        return math.nan
    return value - 2.0**bits if signed and value >= 2.0 ** (bits - 1) else value


_PREFIXES = {2: "0b", 16: "0x"}
_SHORT = 64
"""Digits of a number that Python may read."""
_FLOAT_BITS = 1024
"""Numbers of more bits are infinite as floats."""


_ILLEGAL = {
    "hex2dec": (
        "MATLAB:hex2dec:IllegalHexadecimal",
        "Input to hex2dec should have just 0-9, a-f, or A-F.",
    ),
    "bin2dec": (
        "MATLAB:bin2dec:IllegalBinaryString",
        "Binary character vector may consist only of characters 0 and 1.",
    ),
}


def _from_base(v: Value, digits: str, name: str) -> Value:
    if not (is_char(v) or is_text_scalar(v) or is_cell(v) or hasattr(v, "data")) or (
        is_numeric_like(v) and not is_char(v)
    ):
        text = "Argument must be text: a character array, a string array or a cell of texts."
        raise MatlabError(f"MATLAB:{name}:InvalidInputClass", text)
    if is_char(v) and not numel(v):
        return EMPTY
    numbers = [_value(t, digits) for t in texts_of(v)]
    if name in _ILLEGAL and any(
        math.isnan(n) and t.strip() for n, t in zip(numbers, texts_of(v), strict=True)
    ):
        raise MatlabError(*_ILLEGAL[name])
    return unwrap(np.array(numbers).reshape(-1, 1)) if numbers else np.zeros((0, 0))


@builtin(
    "hex2dec",
    category=_FAMILY,
    signatures=("d = hex2dec(hex)",),
    cases=("hex2dec('FF') == 255", "isequal(hex2dec({'A', '1F'}), [10; 31])"),
    see=("dec2hex",),
)
def hex2dec(text: Value) -> Value:
    """Numbers of hexadecimal texts."""
    return _from_base(text, _DIGITS[:16], "hex2dec")


@builtin(
    "bin2dec",
    category=_FAMILY,
    signatures=("d = bin2dec(bin)",),
    cases=(
        "bin2dec('101') == 5",
        "bin2dec('1 0 1') == 5",
        "bin2dec('0b11111111s8') == -1",
        "bin2dec(repmat('1', 1, 2000)) == Inf",
    ),
    see=("dec2bin",),
)
def bin2dec(text: Value) -> Value:
    """Numbers of binary texts; blanks are left out."""
    return _from_base(text, "01", "bin2dec")


@builtin(
    "base2dec",
    category=_FAMILY,
    signatures=("d = base2dec(text, base)", "d = base2dec(text, symbols)"),
    cases=("base2dec('11', 3) == 4", "base2dec('yyyzx', 'xyz') == 123"),
    see=("dec2base",),
)
def base2dec(text: Value, base: Value) -> Value:
    """Numbers of texts in a base."""
    return _from_base(text, _symbols(base, "base2dec"), "base2dec")


def _numbers(d: Value, *, signed: bool) -> list[int]:
    """Whole numbers; negative ones as their two's complement where that is meant."""
    if type(d) is np.ndarray and d.dtype.char == "d":
        whole = d.astype(np.int64)
        if not np.count_nonzero(whole != d) and not np.count_nonzero((d < 0) | (d > _EXACT)):
            return whole.ravel(order="F").tolist()
    items = d.items() if is_cell(d) else [d]
    if any(is_char(v) or not is_numeric_like(v) for v in items):
        raise _not_whole()
    found = [x for v in items for x in as_array(v).ravel(order="F").tolist()]
    if any(isinstance(x, complex) or x != x or math.isinf(x) for x in found):
        raise _not_whole()
    if signed:
        found = [_complement(x) if x < 0 else int(x) for x in found]
    if any(x < 0 or x != int(x) for x in found):
        raise _not_whole()
    return [int(x) for x in found]


def _not_whole() -> MatlabError:
    text = "First argument must be an array of nonnegative integers."
    return MatlabError("MATLAB:dec2base:FirstArg", text)


def _complement(x: float) -> int:
    bits = next((b for b in (8, 16, 32) if x >= -(2.0 ** (b - 1))), 64)
    return int(x) + (1 << bits)


_EXACT = 2.0**53


_TEXT_BYTES = 64
"""What a short text takes while the rows are made."""


def _in_base(d: Value, digits: str, width: Value | None, *, signed: bool = False) -> Value:
    least = 1
    if width is not None:
        size = as_array(width)
        if (
            size.size != 1
            or size.dtype.kind == "c"
            or size.flat[0] != int(size.flat[0])
            or (size.flat[0] < 0)
        ):
            text = "Third argument must be a nonnegative integer."
            raise MatlabError("MATLAB:dec2base:ThirdArg", text)
        least = int(size.flat[0])
    size_arguments.check_room((numel(d), least), _TEXT_BYTES)
    numbers = _numbers(d, signed=signed)
    if not numbers:
        return ""
    longest = max(least, len(_text(max(numbers), digits)))
    form = _FORMATS.get(digits)
    if form is not None:
        padded = f"0{longest}{form}"
        return char_rows([format(n, padded) for n in numbers])
    return char_rows([_text(n, digits).rjust(longest, digits[0]) for n in numbers])


_FORMATS = {"01": "b", _DIGITS[:8]: "o", _DIGITS[:16]: "X"}
"""Python's letters for the digits of the usual bases."""


def _text(n: int, digits: str) -> str:
    form = _FORMATS.get(digits)
    if form is not None:
        return format(n, form)
    out = ""
    while n:
        n, digit = divmod(n, len(digits))
        out = digits[digit] + out
    return out or digits[0]


@builtin(
    "dec2hex",
    category=_FAMILY,
    signatures=("hex = dec2hex(d)", "hex = dec2hex(d, n)"),
    cases=("strcmp(dec2hex(255), 'FF')", "strcmp(dec2hex(-1), 'FF')"),
    see=("hex2dec",),
)
def dec2hex(d: Value, n: Value | None = None) -> Value:
    """Hexadecimal text of numbers."""
    if n is None and type(d) is float and 0 <= d < _EXACT and d.is_integer():
        return f"{int(d):X}"
    return _in_base(d, _DIGITS[:16], n, signed=True)


@builtin(
    "dec2bin",
    category=_FAMILY,
    signatures=("bin = dec2bin(d)", "bin = dec2bin(d, n)"),
    cases=("strcmp(dec2bin(5), '101')", "strcmp(dec2bin(5, 4), '0101')"),
    see=("bin2dec",),
)
def dec2bin(d: Value, n: Value | None = None) -> Value:
    """Binary text of numbers."""
    if n is None and type(d) is float and 0 <= d < _EXACT and d.is_integer():
        return f"{int(d):b}"
    return _in_base(d, "01", n, signed=True)


@builtin(
    "dec2base",
    category=_FAMILY,
    signatures=("text = dec2base(d, base)", "dec2base(d, base, n)"),
    cases=("strcmp(dec2base(4, 3), '11')", "strcmp(dec2base(123, 'xyz'), 'yyyzx')"),
    see=("base2dec",),
)
def dec2base(d: Value, base: Value, n: Value | None = None) -> Value:
    """Text of numbers in a base."""
    return _in_base(d, _symbols(base, "dec2base"), n)
