"""Texts and numbers: ``str2double``, ``num2str``, ``int2str`` and ``sprintf`` of whole numbers.

What is not a plain decimal, and not a whole number, is the interpreter's.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.engine.jit import joining
from app.engine.jit.builder import Refused, Val
from app.engine.jit.jit_types import BOOL, CHAR, DOUBLE, F64
from app.engine.jit.text_helpers import MOST_DIGITS
from app.engine.language import ast

if TYPE_CHECKING:
    from app.engine.jit.arrays import Array, Operand
    from app.engine.jit.jit_expressions import Expressions
    from app.source import Span

Args = tuple[ast.Expr, ...]

_LARGEST = 1e9
"""Whole numbers below are written by all their digits, whatever the function."""
_PIECES = re.compile(r"%(?P<form>[dis])|(?P<text>(?:[^%\\]|%%|\\[nt\\])+)|(?P<other>.)", re.DOTALL)
_ESCAPES = {"%%": "%", "\\n": "\n", "\\t": "\t", "\\\\": "\\"}
_ESCAPE = re.compile(r"%%|\\.", re.DOTALL)


def _row_of_text(low: Expressions, given: Operand, span: Span) -> Array:
    """Characters in a row, at least one."""
    from app.engine.jit.arrays import Array

    if isinstance(given, Val):
        only = given
        given = Array(low.arithmetic.kind(given), "1", "1", lambda k: only)
    if given.kind is not CHAR:
        raise Refused("a number where a text is wanted", span)
    for extent in (given.rows, given.columns):
        if extent != "1":
            low.out.require(low.out.op(f"icmp ugt i64 {extent}, 0"))
    if given.rows != "1":
        low.out.require(low.out.op(f"icmp eq i64 {given.rows}, 1"))
    return low.arrays.in_memory(given)


def str2double(low: Expressions, args: Args, span: Span) -> Operand | None:
    """The number that a text says."""
    if len(args) != 1:
        raise Refused("'str2double' in this form", span)
    a = _row_of_text(low, low.operand(args[0]), span)
    fine = low.out.slot(f"%b.{low.out.label('fine')}", "i1")
    found = low.out.call(
        "double", "fuselab_number", ("ptr", a.data), ("i64", a.columns), ("ptr", fine)
    )
    low.out.require(low.out.load(fine, "i1"))
    return Val(DOUBLE, found)


def _digits(low: Expressions, v: Val, span: Span) -> Array:
    """The digits of a whole number; zero has no sign."""
    kind = low.arithmetic.kind(v)
    if kind is F64:
        low.arithmetic.whole_of(v.text, _LARGEST)
        bits = low.out.op(f"bitcast double {v.text} to i64")
        low.out.require(low.out.op(f"icmp ne i64 {bits}, {-1 << 63}"))
        whole = low.out.op(f"fptosi double {v.text} to i64")
    elif kind in {BOOL, CHAR}:
        whole = low.out.op(f"zext {kind.llvm} {v.text} to i64")
    else:
        raise Refused("a text of a number of this class", span)
    made = low.arrays.allocate(CHAR, "1", str(MOST_DIGITS))
    count = low.out.call("i64", "fuselab_digits", ("i64", whole), ("ptr", made.data))
    return low.arrays.array_at(CHAR, "1", count, made.data, fresh=True)


def num2str(low: Expressions, args: Args, span: Span) -> Operand | None:
    """The text of a whole number."""
    v = low.value(args[0]) if len(args) == 1 else None
    if v is None or low.arithmetic.kind(v) not in {F64, BOOL}:
        raise Refused("a text of a number in this form", span)
    return _digits(low, v, span)


def sprintf(low: Expressions, args: Args, span: Span) -> Operand | None:
    """A format of texts and whole numbers, as many as it takes."""
    if not args or not isinstance(args[0], ast.Char):
        raise Refused("'sprintf' in this form", span)
    left = list(args[1:])
    parts: list[Operand] = []
    for piece in _PIECES.finditer(args[0].value):
        form, text = piece["form"], piece["text"]
        if piece["other"] or (form and not left):
            raise Refused("a format of this form", span)
        if text:
            plain = _ESCAPE.sub(lambda m: _ESCAPES[m[0]], text)
            parts.append(low.arrays.text_array(plain, span))
        elif form == "s":
            parts.append(_row_of_text(low, low.operand(left.pop(0)), span))
        else:
            parts.append(_digits(low, low.value(left.pop(0)), span))
    if left or not parts:
        raise Refused("a format of this form", span)
    return joining.side_by_side(low, parts, span)


TEXT_NUMBERS = {
    "str2double": str2double,
    "num2str": num2str,
    "int2str": num2str,
    "sprintf": sprintf,
}
"""Functions by name."""
