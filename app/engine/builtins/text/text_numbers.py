"""Text to numbers: str2double, str2num, and numbers in other bases."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import cast

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.declarations.registry import builtin
from app.engine.operators.number_text import char_rows
from app.engine.values import (
    EMPTY,
    Array,
    Cell,
    StringArray,
    Value,
    as_array,
    canonical,
    is_char,
    is_text_scalar,
    text_of,
    texts_of,
    unwrap,
)
from app.errors import MatlabError

_FAMILY = "strings"
_NUMBER = (
    r"(?:\d[\d,]*+\.?\d*+(?:[eEdD][-+]?\d+)?|\.\d+(?:[eEdD][-+]?\d+)?"
    r"|[iI]nf(?:inity)?|[nN]a[nN])"
)
_REAL = re.compile(rf"\s*+([-+]?)\s*+({_NUMBER})\s*+")
_PART = re.compile(
    rf"\s*+([-+]?)\s*+(?:({_NUMBER})\s*(?:\*?\s*([ij]))?|([ij])\s*(?:\*\s*({_NUMBER}))?)\s*"
)
_DECIMAL = r"\s*+[-+]?(?:[0-9]++\.?[0-9]*+|\.[0-9]+)(?:[eE][-+]?[0-9]+)?\s*"
_PLAIN = re.compile(_DECIMAL).fullmatch
"""Matches what ``str2double`` and Python read alike."""
_OF_DECIMALS = b"0123456789+-.eE \t"


def _value(text: str) -> float:
    word = text.lower()
    if word.startswith("inf"):
        return math.inf
    if word == "nan":
        return math.nan
    return float(text.replace(",", "").replace("d", "e").replace("D", "e"))


def number_of(text: str) -> complex | float:
    """``str2double`` of one text: NaN when it is no number."""
    if _PLAIN(text):
        return float(text)
    match = _REAL.fullmatch(text)
    if match:
        number = _value(match.group(2))
        return -number if match.group(1) == "-" else number
    return _complex_of(text) if "i" in text or "j" in text else math.nan


def decimals_of(texts: Sequence[object]) -> list[float] | None:
    """The numbers of texts that are all plain decimals; None where one is something else."""
    words = cast("Sequence[str]", texts)
    try:
        if "".join(words).encode("ascii").translate(None, _OF_DECIMALS):
            return None
        return list(map(float, words))
    except (TypeError, ValueError):  # not all are texts, or decimals
        return None


def numbers_of(texts: Sequence[str]) -> Array:
    """``str2double`` of each text, as a vector; complex where one of them is."""
    found = decimals_of(texts)
    return np.array(list(map(number_of, texts)) if found is None else found)


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


@builtin(
    "str2double",
    category=_FAMILY,
    signatures=("x = str2double(text)",),
    cases=(
        "str2double('1.5') == 1.5",
        "isnan(str2double('abc'))",
        "str2double('1,000') == 1000",
        "isequal(str2double({'1', '2'}), [1 2])",
        "str2double('2+3i') == 2+3i",
        "isequaln(str2double({' 5', '1e3', '1 2', '', 7}), [5 1000 NaN NaN NaN])",
    ),
    see=("str2num", "num2str"),
)
def str2double(text: Value) -> Value:
    """The number a text says, NaN if it says none."""
    if is_text_scalar(text):
        return number_of(text_of(text))
    if isinstance(text, Cell | StringArray):
        items = text.items() if isinstance(text, Cell) else texts_of(text)
        texts = [x for x in items if type(x) is str]
        if len(texts) < len(items):
            texts = [text_of(x) if is_text_scalar(x) else "" for x in items]
        return canonical(numbers_of(texts).reshape(text.shape, order="F"))
    if is_char(text):
        return canonical(numbers_of(texts_of(text)).reshape(-1, 1))
    return math.nan


_DIGITS = r"[+-]?(?:\d++\.?\d*+|\.\d+)(?:[eE][+-]?\d+)?"
_LISTED = re.compile(_DIGITS)
_LIST = rf" *{_DIGITS}(?:(?: +| *[,;] *){_DIGITS})* *"
_ROWS = re.compile(rf"{_LIST}| *\[{_LIST}\] *").fullmatch
"""Matches numbers alone, in rows and perhaps in brackets: they are read without the language."""


@builtin(
    "str2num",
    category=_FAMILY,
    signatures=("[x, ok] = str2num(text)",),
    cases=("isequal(str2num('[1 2 3]'), [1 2 3])",),
    see=("str2double", "eval"),
)
def str2num(ctx: CallContext, text: Value) -> Value:
    """The value of a text read as a MATLAB expression; [] when it has none."""
    if not is_char(text) and not is_text_scalar(text):
        raise MatlabError("MATLAB:str2num:InvalidArgument", "Input must be a character array.")
    body = ";".join(texts_of(text))
    rows = [_LISTED.findall(row) for row in body.strip(" []").split(";")] if _ROWS(body) else [[]]
    if rows[0] and len(set(map(len, rows))) == 1:
        return canonical(np.array([[float(n) for n in row] for row in rows])), True
    try:
        (value,) = ctx.evaluate(f"[{body}]", 1)
    except MatlabError:
        return EMPTY, False
    return value, True


# --- other bases ------------------------------------------------------------------------------


@builtin(
    "num2hex",
    category=_FAMILY,
    signatures=("hex = num2hex(x)",),
    cases=("strcmp(num2hex(1), '3ff0000000000000')",),
    see=("hex2num",),
)
def num2hex(x: Value) -> Value:
    """The bits of numbers as hexadecimal text."""
    a = as_array(x).ravel(order="F")
    big = np.ascontiguousarray(a.astype(a.dtype.newbyteorder(">")))
    return char_rows([big[i : i + 1].tobytes().hex() for i in range(big.size)])


@builtin(
    "hex2num",
    category=_FAMILY,
    signatures=("x = hex2num(hex)",),
    cases=("hex2num('3ff0000000000000') == 1",),
    see=("num2hex",),
)
def hex2num(text: Value) -> Value:
    """Doubles from their bits as hexadecimal text."""
    if not all(re.fullmatch(r"[0-9a-fA-F]{0,16}", t.strip()) for t in texts_of(text)):
        raise MatlabError("MATLAB:hex2num:OutOfRange", "hex2num takes 1 to 16 hexadecimal digits.")
    raw = [bytes.fromhex(t.strip().ljust(16, "0")) for t in texts_of(text)]
    return unwrap(np.array([np.frombuffer(r, dtype=">f8")[0] for r in raw]).reshape(-1, 1))
