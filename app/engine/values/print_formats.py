"""``sprintf``'s formats: parsing, recycling over all arguments, MATLAB's conversion rules."""

from __future__ import annotations

import math
import re
import struct
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from app import memory
from app.engine.values import (
    CharArray,
    StringArray,
    Value,
    as_array,
    class_of,
    host,
    is_numeric_like,
    text_of,
)
from app.errors import MatlabError
from app.late_pattern import late_pattern
from app.records import record

_MOST_FIELD = 2.0**31 - 1
"""The largest width or precision that ``*`` takes, as in C."""
_CONVERSION = late_pattern(
    r"%(?:(\d+)\$)?([-+ 0#]*)(\*|\d+)?(?:\.(\*|\d*))?[hlL]*([bt][ouxX]|[diouxXfeEgGcsaA%])"
)
_ESCAPE = late_pattern(r"\\(?:x[0-9a-fA-F]{1,4}|[0-7]{1,3}|.)", re.DOTALL)
_ESCAPES = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "v": "\v",
    "\\": "\\",
    '"': '"',
    "'": "'",
    "?": "?",
}


@record
class Conversion:
    """One ``%`` conversion: flags, width and precision (None for none, -1 for ``*``), letter.

    ``place`` is the argument it names, as ``%2$s`` does; 0 for the next one.
    """

    flags: str
    width: int | None
    precision: int | None
    kind: str
    place: int = 0


Item = str | float | int


def unescape(text: str) -> str:
    """``\\n`` and its kin as the characters they mean."""
    return _ESCAPE.sub(_escape_text, text) if "\\" in text else text


def _escape_text(match: re.Match[str]) -> str:
    body = match.group()[1:]
    if body[0] == "x" and len(body) > 1:
        return chr(int(body[1:], 16))
    if body[0] in "01234567":
        return chr(int(body, 8))
    return _ESCAPES.get(body, match.group())


@lru_cache(maxsize=512)
def parse(template: str) -> tuple[str | Conversion, ...]:
    """Literal texts and conversions of a format, escapes resolved."""
    parts: list[str | Conversion] = []
    literal, position = "", 0
    for match in _CONVERSION.finditer(template):
        literal += unescape(template[position : match.start()])
        position = match.end()
        place, flags, width, precision, kind = match.groups()
        if kind == "%":
            literal += "%"
            continue
        if literal:
            parts.append(literal)
            literal = ""
        for size in filter(str.isdecimal, (width or "", precision or "")):
            memory.require_text(int(size), f"a field of {size} characters")
        made = Conversion(flags, _number(width), _number(precision), kind, int(place or 0))
        parts.append(made)
    literal += unescape(template[position:])
    if literal:
        parts.append(literal)
    return tuple(parts)


def _number(text: str | None) -> int | None:
    if text is None:
        return None
    return -1 if text == "*" else int(text or 0)


def items_of(args: Iterable[Value]) -> deque[Item]:
    """Every argument as texts and numbers, in column-major order."""
    items: deque[Item] = deque()
    for arg in args:
        if type(arg) is str or type(arg) is float:
            items.append(arg)
        elif type(arg) is bool:
            items.append(int(arg))
        elif type(arg) is CharArray:
            items.append(text_of(arg))
        elif type(arg) is StringArray:
            items.extend(_strings(arg))
        elif hasattr(arg, "to_strings"):
            items.extend(_strings(arg.to_strings()))
        elif is_numeric_like(arg):
            items.extend(_plain_numbers(as_array(host(arg))))
        else:
            text = f"Function is not defined for '{class_of(arg)}' inputs."
            raise MatlabError("MATLAB:sprintf:invalidInputType", text)
    return items


def _strings(v: StringArray) -> list[str]:
    return ["<missing>" if t is None else t for t in v.data.ravel(order="F")]


def _plain_numbers(a: np.ndarray[Any, np.dtype[Any]]) -> list[Any]:
    if a.dtype.kind == "c":
        pairs = np.stack([a.real, a.imag], axis=0)
        return pairs.reshape(-1, order="F").tolist()
    if a.dtype.kind == "b":
        a = a.astype(np.int64)
    return a.ravel(order="F").tolist()


@lru_cache(maxsize=512)
def _plain_form(template: str) -> tuple[str, str] | None:
    """The format as Python's, with one letter for each conversion; None where that is not all."""
    form, kinds = "", ""
    for part in parse(template):
        if isinstance(part, str):
            form += part.replace("%", "%%")
        elif not _is_plain(part):
            return None
        else:
            form += _form_of(part, part.kind)
            kinds += _ORDINARY_KINDS[part.kind]
    return form, kinds


def _is_plain(c: Conversion) -> bool:
    """Whether Python's own conversion of that letter is the same for ordinary arguments."""
    if c.kind not in _ORDINARY_KINDS or -1 in {c.width, c.precision} or c.place:
        return False
    if c.kind == "c":
        return c.precision is None
    return c.kind not in "oxX" or set(c.flags) <= {"-", "0"}


@lru_cache(maxsize=512)
def _form_of(c: Conversion, kind: str) -> str:
    """The conversion as Python's, with another letter."""
    width = "" if c.width is None else str(c.width)
    precision = "" if c.precision is None else f".{c.precision}"
    return f"%{c.flags}{width}{precision}{kind}"


@lru_cache(maxsize=512)
def _scalar_form(template: str) -> tuple[int, Callable[..., str | None]]:
    """How many arguments the format takes, and a function that puts them in.

    Python's own formatting does it where every argument is of the ordinary kind; the function
    gives None otherwise.
    """
    plain = _plain_form(template)
    if plain is None:
        return -1, lambda: None
    form, kinds = plain
    names = "".join(f"a{k}, " for k in range(len(kinds)))
    tests = ["True", *(_ORDINARY[kind].format(f"a{k}") for k, kind in enumerate(kinds))]
    values = "".join(f"int(a{k}), " if kind == "x" else f"a{k}, " for k, kind in enumerate(kinds))
    code = f"lambda {names}: form % ({values}) if {' and '.join(tests)} else None"
    made: Callable[..., str | None] = eval(code, {"form": form})  # noqa: S307 - made of our names
    return len(kinds), made


_ORDINARY_KINDS = {
    **dict.fromkeys("diu", "d"),
    **dict.fromkeys("feEgG", "f"),
    **dict.fromkeys("oxX", "x"),
    "s": "s",
    "c": "c",
}
"""What the letters of conversions take without a second look, as named in ``_ORDINARY``."""
_ORDINARY = {
    "s": "type({0}) is str",
    "c": "type({0}) is str and len({0}) == 1",
    "x": "type({0}) is float and {0} >= 0.0 and {0}.is_integer()",
    "d": "type({0}) is float and {0}.is_integer()",
    "f": "type({0}) is float and {0} - {0} == 0.0",
}


def render_scalars(template: str, args: tuple[Value, ...]) -> str | None:
    """The same for one scalar or text to each conversion, where nothing is out of the ordinary."""
    count, made = _scalar_form(template)
    return made(*args) if len(args) == count else None


def render(template: str, args: tuple[Value, ...]) -> str:
    """``sprintf(template, args…)``."""
    quick = render_scalars(template, args) if args else None
    if quick is not None:
        return quick
    parts = parse(template)
    items = items_of(args)
    if not items:
        return "".join(p if isinstance(p, str) else _empty(p) for p in parts)
    if not any(isinstance(p, Conversion) for p in parts):
        return "".join(p for p in parts if isinstance(p, str))
    if any(isinstance(p, Conversion) and p.place for p in parts):
        return "".join(p if isinstance(p, str) else _converted_argument(p, args) for p in parts)
    out = [_whole_cycles(template, items)]
    while items:
        for part in parts:
            if isinstance(part, str):
                out.append(part)
            elif not items:
                return "".join(out)
            else:
                out.append(_take(part, items))
    return "".join(out)


def _whole_cycles(template: str, items: deque[Item]) -> str:
    """The format used again and again, by Python's own, where all numbers are ordinary.

    What it took is taken out of ``items``.
    """
    plain = _plain_form(template)
    if plain is None or "s" in plain[1] or "c" in plain[1]:
        return ""
    form, kinds = plain
    count = len(items) // len(kinds)
    values = list(items)[: count * len(kinds)]
    for k, kind in enumerate(kinds):
        for x in values[k :: len(kinds)]:
            if type(x) is not float or x - x != 0.0 or (kind in "dx" and not x.is_integer()):
                return ""
            if kind == "x" and x < 0:
                return ""
    for _ in values:
        items.popleft()
    if "x" in kinds:
        letters = kinds * count
        values = [int(x) if k == "x" else x for x, k in zip(values, letters, strict=True)]
    return (form * count) % tuple(values)


def _converted_argument(c: Conversion, args: tuple[Value, ...]) -> str:
    """A conversion of the argument it names."""
    return _take(c, items_of(args[c.place - 1 : c.place]))


def _empty(c: Conversion) -> str:
    """A conversion without data: only its width remains."""
    return " " * c.width if c.width and c.width > 0 and c.kind in "sc" else ""


def _take(c: Conversion, items: deque[Item]) -> str:
    """Convert the next item (and the numbers for ``*``)."""
    if c.width == -1:
        width = field_number(items.popleft())
        c = replace(c, width=abs(width), flags=c.flags + ("-" if width < 0 else ""))
    if c.precision == -1 and items:
        precision = field_number(items.popleft())
        c = replace(c, precision=precision if precision >= 0 else None)
    memory.require_text(max(c.width or 0, c.precision or 0), "a field of such a width")
    if not items:
        return ""
    item = items.popleft()
    if isinstance(item, str):
        if c.kind == "s":
            return _padded_text(c, item if c.precision is None else item[: c.precision])
        if not item:
            return _padded_text(c, "")
        if c.kind == "c":
            items.extendleft(reversed(item[1:]))
            return _padded_text(c, item[0])
        items.extendleft(reversed([float(ord(ch)) for ch in item[1:]]))
        item = float(ord(item[0]))
    return number(c, item)


def field_number(item: Item) -> int:
    """The number that ``*`` takes for a width or a precision; of a text its first character's."""
    if isinstance(item, str):
        item = float(ord(item[0])) if item else 0.0
    if not abs(item) < _MOST_FIELD:
        text = f"A width or precision of {item:g} is larger than {_MOST_FIELD:.0f}."
        raise MatlabError("MATLAB:badformat_mx", text)
    return int(item)


def _padded_text(c: Conversion, text: str) -> str:
    width = c.width or 0
    return text.ljust(width) if "-" in c.flags else text.rjust(width)


def number(c: Conversion, x: float) -> str:
    """A number under a conversion; one that does not fit is shown in %e (or %f) form."""
    if len(c.kind) > 1:
        form, whole_form = ("=d", "=Q") if c.kind[0] == "b" else ("=f", "=I")
        (bits,) = struct.unpack(whole_form, struct.pack(form, x))
        return number(replace(c, kind=c.kind[1]), bits)
    if isinstance(x, float) and not math.isfinite(x):
        sign = "+" if "+" in c.flags and x > 0 else ""
        return _padded_text(c, "NaN" if math.isnan(x) else f"{sign}{'' if x > 0 else '-'}Inf")
    kind = c.kind
    whole = isinstance(x, int) or x.is_integer()
    if kind in "sc":
        return _text_number(c, x, whole=whole)
    if kind in "dioxXu":
        if not whole or (kind in "oxX" and x < 0):
            return _form_of(c, "e") % x
        if kind == "o" and "#" in c.flags:
            return _padded_text(c, f"0{int(x):o}")
        return _form_of(c, "d" if kind in "iu" else kind) % int(x)
    if kind in "aA":
        return _padded_text(c, re.sub(r"\.?0*p", "p", float(x).hex()))
    return _form_of(c, kind) % float(x)


def _text_number(c: Conversion, x: float, *, whole: bool) -> str:
    if whole and 0 <= x < 0x110000:
        return _padded_text(c, chr(int(x)))
    if whole:
        return _padded_text(c, str(int(x)))
    return _form_of(c, "e") % x
