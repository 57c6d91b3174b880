"""Texts compared with literals: ``switch`` and ``strcmp``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.engine.jit import shapes_made
from app.engine.jit.arrays import MOST_LISTED
from app.engine.jit.builder import Refused, Val
from app.engine.jit.jit_types import CHAR, LOGICAL, TEXT
from app.engine.language import ast

if TYPE_CHECKING:
    from app.engine.jit.arrays import Operand
    from app.engine.jit.jit_expressions import Expressions
    from app.source import Span


def is_text(low: Expressions, given: Operand, text: str, span: Span) -> str:
    """Whether a value is a text, as an ``i1``; what is no text never is."""
    if not text or len(text) > MOST_LISTED:
        raise Refused("a text of this length", span)
    out = low.out
    if isinstance(given, Val):
        if given.type != TEXT or len(text) != 1:
            return "false"
        return out.op(f"icmp eq i32 {given.text}, {ord(text)}")
    if given.kind is not CHAR:
        return "false"
    slot = out.slot(f"%b.{out.label('text')}", "i1")
    out.store(slot, "i1", "false")
    look, done = out.label("look"), out.label("compared")
    line = out.op(f"icmp eq i64 {given.rows}, 1")
    long = out.op(f"icmp eq i64 {given.columns}, {len(text)}")
    out.branch(out.op(f"and i1 {line}, {long}"), look, done)
    out.start(look)
    same = "true"
    for k, character in enumerate(text):
        test = out.op(f"icmp eq i32 {given.element(str(k)).text}, {ord(character)}")
        same = out.op(f"and i1 {same}, {test}")
    out.store(slot, "i1", same)
    out.start(done)
    return out.load(slot, "i1")


def strcmp(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Operand | None:
    """``strcmp`` of two texts, one of which may be a literal."""
    if len(args) == 2:
        for literal, other in (args, args[::-1]):
            if isinstance(literal, ast.Char):
                return Val(LOGICAL, is_text(low, low.operand(other), literal.value, span))
        return shapes_made.same_text(low, args, span)
    raise Refused("'strcmp' in this form", span)
