"""The display format: what ``format`` chooses, and how one number looks in it."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable

import numpy as np

from app.engine.values.containers import Array
from app.records import record

STYLES = (
    "short",
    "long",
    "shortg",
    "longg",
    "shorte",
    "longe",
    "bank",
    "hex",
    "rat",
    "+",
    "shorteng",
    "longeng",
)
"""The numeric formats, in lower case."""


@record
class DisplayFormat:
    """Numeric style and spacing, as the ``format`` command sets them."""

    style: str = "short"
    compact: bool = False

    @property
    def blank(self) -> str:
        """An empty line, unless compact."""
        return "" if self.compact else "\n"


SHORT = DisplayFormat()
"""The format every session starts with."""


@record
class Layout:
    """How the numbers of one array are written.

    Attributes:
        width: characters per number, the gap before it included.
        text: writes one real number, not yet padded.
        scale: common factor shown above the numbers; 1.0 for none.
    """

    width: int
    text: Callable[[float], str]
    scale: float = 1.0

    @property
    def scale_line(self) -> str:
        """The line such as ``   1.0e+03 *``; empty without a factor."""
        if self.scale == 1.0:
            return ""
        exponent = round(math.log10(self.scale))
        return f"   1.0e{'-' if exponent < 0 else '+'}{abs(exponent):02d} *\n"


def digits_of(style: str, single: bool) -> int:
    """Digits after the point in fixed notation."""
    if style.startswith("long"):
        return 7 if single else 15
    return 4


def special(x: float) -> str | None:
    """``NaN``, ``Inf`` or ``-Inf``; None for finite numbers."""
    if math.isfinite(x):
        return None
    return "NaN" if math.isnan(x) else ("Inf" if x > 0 else "-Inf")


def fixed(places: int, scale: float = 1.0) -> Callable[[float], str]:
    """Fixed notation; exact zeros are a bare 0."""

    def text(x: float) -> str:
        if x == 0:
            return "0"
        return special(x) or f"{x / scale:.{places}f}"

    return text


def whole(x: float) -> str:
    """A whole number."""
    return special(x) or str(int(x))


def exponent(places: int) -> Callable[[float], str]:
    """Scientific notation."""
    return lambda x: special(x) or f"{x:.{places}e}"


def general(digits: int) -> Callable[[float], str]:
    """Shortest of fixed and scientific."""
    return lambda x: special(x) or f"{x:.{digits}g}"


short_general = general(5)
"""A number as ``format short g`` shows it."""


def hexadecimal(single: bool) -> Callable[[float], str]:
    """The bits of the number."""
    return lambda x: struct.pack(">f" if single else ">d", x).hex()


def rational(x: float) -> str:
    """A nearby fraction."""
    if special(x):
        return special(x) or ""
    if x == int(x):
        return str(int(x))
    from fractions import Fraction

    nearest = Fraction(x).limit_denominator(1)
    bound = 1
    while abs(float(nearest) - x) > 1e-6 * abs(x) and bound < 10**6:
        bound *= 2
        nearest = Fraction(x).limit_denominator(bound)
    return f"{nearest.numerator}/{nearest.denominator}"


def engineering(places: int) -> Callable[[float], str]:
    """Scientific notation with exponents that are multiples of three."""

    def text(x: float) -> str:
        if special(x) or x == 0:
            return special(x) or f"{0:.{places}f}e+000"
        power = 3 * math.floor(math.log10(abs(x)) / 3)
        return f"{x / 10.0**power:.{places}f}e{power:+04d}"

    return text


def sign_mark(x: float) -> str:
    """``+``, ``-`` or a space."""
    return "+" if x > 0 else "-" if x < 0 else " "


_PLAIN: dict[str, tuple[int, Callable[[float], str]]] = {
    "shortg": (13, short_general),
    "longg": (26, general(15)),
    "shorte": (13, exponent(4)),
    "longe": (24, exponent(15)),
    "bank": (14, lambda x: special(x) or f"{x:.2f}"),
    "hex": (19, hexadecimal(single=False)),
    "rat": (14, rational),
    "+": (1, sign_mark),
    "shorteng": (16, engineering(4)),
    "longeng": (26, engineering(15)),
}


_NEVER_WHOLE = frozenset(("bank", "hex", "rat", "+", "shorteng", "longeng"))
"""Formats that show whole numbers like any other."""


def layout_of(values: Array, style: str, single: bool, is_scalar: bool) -> Layout:
    """The layout for real numbers ``values`` of class double or single."""
    finite = values[np.isfinite(values)]
    largest = float(np.abs(finite).max()) if finite.size else 0.0
    all_whole = not finite.size or bool((finite == np.trunc(finite)).all())
    if all_whole and largest < 1e9 and style not in _NEVER_WHOLE:
        return Layout(6 if largest < 1000 else 12, whole)
    if style in _PLAIN:
        return plain_layout(values, style, single)
    return _fraction_layout(largest, style, single, is_scalar)


def _fraction_layout(largest: float, style: str, single: bool, is_scalar: bool) -> Layout:
    places = digits_of(style, single)
    long = style == "long"
    limit = 100.0 if long else 1000.0
    width = places + (5 if long else 6)
    if 0.001 < largest < limit or largest == 0:
        return Layout(width, fixed(places))
    if is_scalar:
        return Layout(places + 9 + (2 if long and not single else 0), exponent(places))
    scale = 10.0 ** math.floor(math.log10(largest))
    return Layout(width, fixed(places, scale), scale)


def plain_layout(values: Array, style: str, single: bool) -> Layout:
    """The layout of a format other than short and long."""
    width, text = _PLAIN[style]
    if single and style == "hex":
        return Layout(11, hexadecimal(single=True))
    if single and style == "longg":
        return Layout(17, general(7))
    if single and style == "longe":
        return Layout(16, exponent(7))
    if style == "bank" and values.size:
        longest = max(len(text(x)) for x in values.ravel().tolist())
        width = max(width, longest + 2)
    return Layout(width, text)
