"""``inputname``: how the caller wrote an argument."""

from __future__ import annotations

from types import FrameType

from app.engine.interpreter.frames import caller_of, place_of, unit_of
from app.engine.language import ast
from app.engine.language.parser import parse
from app.engine.language.walk import walk_body
from app.source import SourceText


def argument_name(frame: FrameType | None, position: int) -> str:
    """The variable the running function's caller gave as argument ``position``, or empty."""
    if frame is None:
        return ""
    name, outer = place_of(frame)[0], caller_of(frame)
    return "" if outer is None else given_to(outer, name, position)


def given_to(frame: FrameType, name: str, position: int) -> str:
    """The variable that the call of ``name`` a frame is busy with has at ``position``, or empty."""
    tree = parse(SourceText("<call>", _call_text(frame))).file
    for node in walk_body(tree.body):
        if (
            isinstance(node, ast.Index)
            and isinstance(node.base, ast.Name)
            and (node.base.id == name and position <= len(node.args))
        ):
            given = node.args[position - 1]
            return given.id if isinstance(given, ast.Name) else ""
    return ""


def _call_text(frame: FrameType) -> str:
    """The text of the expression the frame is busy with, or its line."""
    line = unit_of(frame).source.line_text(frame.f_lineno)
    positions = list(frame.f_code.co_positions())
    first, last, start, end = positions[frame.f_lasti // 2]
    if first != last or start is None or end is None:
        return line
    return line[start:end]
