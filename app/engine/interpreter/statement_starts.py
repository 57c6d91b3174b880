"""Where a debugger may stand: on what begins a statement, not on what Python makes of its rest."""

from __future__ import annotations

from types import FrameType
from weakref import WeakKeyDictionary

from app.engine.interpreter.error_conversion import position_of
from app.engine.interpreter.frames import unit_of
from app.engine.language import ast, parse
from app.engine.language.walk import children, has_body, statements
from app.source import SourceText

_CONTINUED: WeakKeyDictionary[SourceText, dict[int, int]] = WeakKeyDictionary()


def begins_statement(frame: FrameType) -> bool:
    """Whether the line that a frame is about to run is one that a statement or condition begins.

    It is none where a statement of several lines goes on, or comes back to its first line, and
    where what runs stands for nothing in the text, such as the end of a temporary.
    """
    code, at = frame.f_code, frame.f_lasti
    line, end_line, start, end = position_of(code, at)
    if line == end_line and start is not None and start == end:
        return False
    continued = _continued_lines(unit_of(frame).source)
    if frame.f_lineno in continued:
        return False
    before = position_of(code, at - 2)[0] if at >= 2 else None
    return before is None or continued.get(before) != frame.f_lineno


def _continued_lines(source: SourceText) -> dict[int, int]:
    """By line that goes on with a statement or a condition: the line on which that begins."""
    found = _CONTINUED.get(source)
    if found is None:
        found = _CONTINUED[source] = {}
        for node in statements(parse(source).file):
            heads = [c for c in children(node) if isinstance(c, ast.Expr)]
            for part in heads if has_body(node) else [node]:
                first = source.line_of(part.span.start)
                last = source.line_of(max(part.span.start, part.span.end - 1))
                found.update(dict.fromkeys(range(first + 1, last + 1), first))
    return found
