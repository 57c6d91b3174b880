"""Text to numbers: str2double, str2num, and numbers in other bases."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np

from app.engine.builtins.number_text import char_rows
from app.engine.builtins.registry import builtin
from app.engine.values import (
    EMPTY,
    Cell,
    StringArray,
    Value,
    as_array,
    canonical,
    is_cell,
    is_char,
    is_text_scalar,
    text_of,
    texts_of,
    unwrap,
)
from app.errors import MatlabError

_FAMILY = "strings"
_NUMBER = (
    r"(?:\d[\d,]*\.?\d*(?:[eEdD][-+]?\d+)?|\.\d+(?:[eEdD][-+]?\d+)?"
    r"|[iI]nf(?:inity)?|[nN]a[nN])"
)
_REAL = re.compile(rf"\s*([-+]?)\s*({_NUMBER})\s*")
_PART = re.compile(
    rf"\s*([-+]?)\s*(?:({_NUMBER})\s*(?:\*?\s*([ij]))?|([ij])\s*(?:\*\s*({_NUMBER}))?)\s*"
)


def _value(text: str) -> float:
    word = text.lower()
    if word.startswith("inf"):
        return math.inf
    if word == "nan":
        return math.nan
    return float(text.replace(",", "").replace("d", "e").replace("D", "e"))


def number_of(text: str) -> complex | float:
    """``str2double`` of one text: NaN when it is no number."""
    match = _REAL.fullmatch(text)
    if match:
        number = _value(match.group(2))
        return -number if match.group(1) == "-" else number
    return _complex_of(text)


def _complex_of(text: str) -> complex | float:
    parts: dict[bool, float] = {}
    position = 0
    while position < len(text):
        match = _PART.match(text, position)
        if not match or match.end() == position:
            return math.nan
        sign, number, unit, alone, factor = match.groups()
        if position and not sign:
            return math.nan
        size = _value(number) if number else (_value(factor) if factor else 1.0)
        imaginary = bool(unit or alone)
        if imaginary in parts:
            return math.nan
        parts[imaginary] = -size if sign == "-" else size
        position = match.end()
    if not parts:
        return math.nan
    return complex(parts.get(False, 0.0), parts[True]) if True in parts else parts[False]


@builtin("str2double", category=_FAMILY, signatures=("x = str2double(text)",),
         cases=("str2double('1.5') == 1.5", "isnan(str2double('abc'))",
                "str2double('1,000') == 1000",
                "isequal(str2double({'1', '2'}), [1 2])", "str2double('2+3i') == 2+3i"),
         see=("str2num", "num2str"))
def str2double(text: Value) -> Value:
    """The number a text says, NaN if it says none."""
    if is_text_scalar(text):
        return number_of(text_of(text))
    if isinstance(text, Cell | StringArray):
        items = text.items() if isinstance(text, Cell) else texts_of(text)
        numbers = [number_of(text_of(x)) if is_text_scalar(x) else math.nan for x in items]
        return canonical(np.array(numbers).reshape(text.shape, order="F"))
    if is_char(text):
        return canonical(np.array([number_of(r) for r in texts_of(text)]).reshape(-1, 1))
    return math.nan


@builtin("str2num", category=_FAMILY, signatures=("[x, ok] = str2num(text)",),
         cases=("isequal(str2num('[1 2 3]'), [1 2 3])",), see=("str2double", "eval"))
def str2num(ctx: Any, text: Value) -> Value:
    """The value of a text read as a MATLAB expression; [] when it has none."""
    if not is_char(text) and not is_text_scalar(text):
        raise MatlabError("MATLAB:str2num:InvalidArgument", "Input must be a character array.")
    body = ";".join(texts_of(text))
    try:
        (value,) = ctx.evaluate(f"[{body}]", 1)
    except MatlabError:
        return EMPTY, False
    return value, True


# --- other bases ------------------------------------------------------------------------------

_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def _from_base(v: Value, base: int, name: str) -> Value:
    texts = texts_of(v)
    try:
        numbers = [float(int(t.replace(" ", "") or "0", base)) for t in texts]
    except ValueError:
        text = f"Input to {name} should contain characters of base {base} only."
        raise MatlabError(f"MATLAB:{name}:IllegalString", text) from None
    shape = v.shape if is_cell(v) else (len(numbers), 1)
    return unwrap(np.array(numbers).reshape(shape, order="F"))


@builtin("hex2dec", category=_FAMILY, signatures=("d = hex2dec(hex)",),
         cases=("hex2dec('FF') == 255",),
         see=("dec2hex",))
def hex2dec(text: Value) -> Value:
    """Number of a hexadecimal text."""
    return _from_base(text, 16, "hex2dec")


@builtin("bin2dec", category=_FAMILY, signatures=("d = bin2dec(bin)",),
         cases=("bin2dec('101') == 5",),
         see=("dec2bin",))
def bin2dec(text: Value) -> Value:
    """Number of a binary text."""
    return _from_base(text, 2, "bin2dec")


@builtin("base2dec", category=_FAMILY, signatures=("d = base2dec(text, base)",),
         cases=("base2dec('11', 3) == 4",), see=("dec2base",))
def base2dec(text: Value, base: Value) -> Value:
    """Number of a text in a base."""
    return _from_base(text, int(as_array(base).flat[0]), "base2dec")


def _in_base(d: Value, base: int, width: Value | None) -> Value:
    items = d.items() if is_cell(d) else [d]
    numbers = [x for v in items for x in as_array(v).ravel(order="F").tolist()]
    if base in (2, 16):
        numbers = [x if x >= 0 else x + 2.0 ** _bits(x) if x > -(2.0**31) else int(x) + 2**64
                   for x in numbers]
    if any(x < 0 or x != int(x) for x in numbers):
        text = "First argument must be an array of nonnegative integers."
        raise MatlabError("MATLAB:dec2base:FirstArg", text)
    numbers = [int(x) for x in numbers]
    least = int(as_array(width).flat[0]) if width is not None else 1
    texts = [_digits(n, base) for n in numbers]
    longest = max([least, *map(len, texts)])
    return char_rows([t.rjust(longest, "0") for t in texts])


def _bits(x: float) -> int:
    """Bits of the two's complement of a negative number."""
    return next((b for b in (8, 16, 32) if x >= -(2.0 ** (b - 1))), 64)


def _digits(n: int, base: int) -> str:
    out = ""
    while n:
        n, digit = divmod(n, base)
        out = _DIGITS[digit] + out
    return out or "0"


@builtin("dec2hex", category=_FAMILY, signatures=("hex = dec2hex(d)", "hex = dec2hex(d, n)"),
         cases=("strcmp(dec2hex(255), 'FF')",), see=("hex2dec",))
def dec2hex(d: Value, n: Value | None = None) -> Value:
    """Hexadecimal text of a number."""
    return _in_base(d, 16, n)


@builtin("dec2bin", category=_FAMILY, signatures=("bin = dec2bin(d)", "bin = dec2bin(d, n)"),
         cases=("strcmp(dec2bin(5), '101')", "strcmp(dec2bin(5, 4), '0101')"), see=("bin2dec",))
def dec2bin(d: Value, n: Value | None = None) -> Value:
    """Binary text of a number."""
    return _in_base(d, 2, n)


@builtin("dec2base", category=_FAMILY,
         signatures=("text = dec2base(d, base)", "dec2base(d, base, n)"),
         cases=("strcmp(dec2base(4, 3), '11')",), see=("base2dec",))
def dec2base(d: Value, base: Value, n: Value | None = None) -> Value:
    """Text of a number in a base."""
    return _in_base(d, int(as_array(base).flat[0]), n)


@builtin("num2hex", category=_FAMILY, signatures=("hex = num2hex(x)",),
         cases=("strcmp(num2hex(1), '3ff0000000000000')",), see=("hex2num",))
def num2hex(x: Value) -> Value:
    """The bits of numbers as hexadecimal text."""
    a = as_array(x).ravel(order="F")
    big = np.ascontiguousarray(a.astype(a.dtype.newbyteorder(">")))
    return char_rows([big[i : i + 1].tobytes().hex() for i in range(big.size)])


@builtin("hex2num", category=_FAMILY, signatures=("x = hex2num(hex)",),
         cases=("hex2num('3ff0000000000000') == 1",), see=("num2hex",))
def hex2num(text: Value) -> Value:
    """Doubles from their bits as hexadecimal text."""
    raw = [bytes.fromhex(t.strip().ljust(16, "0")) for t in texts_of(text)]
    return unwrap(np.array([np.frombuffer(r, dtype=">f8")[0] for r in raw]).reshape(-1, 1))
