"""Characters tested and changed: those of ASCII; what others are is the interpreter's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.engine.jit.builder import Refused, Val
from app.engine.jit.jit_types import CHAR, LOGICAL, TEXT

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.engine.jit.jit_expressions import Expressions
    from app.source import Span

_SPACES = ((9, 13), (32, 32))
_DIGITS = ((48, 57),)
_CAPITALS, _SMALL = ((65, 90),), ((97, 122),)
_LETTERS = _CAPITALS + _SMALL
_CASE = 32


def _code(low: Expressions, v: Val, span: Span) -> str:
    """The code of a character; separators that some count as white space are left out."""
    if low.arithmetic.kind(v) is not CHAR:
        raise Refused("a test of something that is not text", span)
    low.out.require(low.out.op(f"icmp ult i32 {v.text}, 128"))
    low.out.require(low.out.op(f"icmp ne i32 {low.out.op(f'lshr i32 {v.text}, 2')}, 7"))
    return v.text


def _is_within(low: Expressions, code: str, ranges: tuple[tuple[int, int], ...]) -> str:
    test = ""
    for first, last in ranges:
        above = low.out.op(f"sub i32 {code}, {first}")
        here = low.out.op(f"icmp ule i32 {above}, {last - first}")
        test = low.out.op(f"or i1 {test}, {here}") if test else here
    return test


def _test(ranges: tuple[tuple[int, int], ...]) -> Callable[[Expressions, Val, Span], Val]:
    def function(low: Expressions, v: Val, span: Span) -> Val:
        return Val(LOGICAL, _is_within(low, _code(low, v, span), ranges))

    return function


def _changed(
    ranges: tuple[tuple[int, int], ...], by: int
) -> Callable[[Expressions, Val, Span], Val]:
    def function(low: Expressions, v: Val, span: Span) -> Val:
        code = _code(low, v, span)
        other = low.out.op(f"add i32 {code}, {by}")
        return Val(TEXT, low.out.choose(_is_within(low, code, ranges), "i32", other, code))

    return function


CHARACTERS = {
    "isspace": _test(_SPACES),
    "isletter": _test(_LETTERS),
    "isalpha": _test(_LETTERS),
    "isdigit": _test(_DIGITS),
    "isupper": _test(_CAPITALS),
    "islower": _test(_SMALL),
    "upper": _changed(_SMALL, -_CASE),
    "toupper": _changed(_SMALL, -_CASE),
    "lower": _changed(_CAPITALS, _CASE),
    "tolower": _changed(_CAPITALS, _CASE),
}
"""Functions of single characters, by name."""
