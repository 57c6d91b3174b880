"""How the running code wrote the arguments of a builtin: names for the variables of tables."""

from __future__ import annotations

from typing import Any

from app.engine.interpreter.frames import current, unit_of
from app.engine.language import ast
from app.engine.language.parser import parse
from app.engine.language.walk import walk_body
from app.source import SourceText

_MOST_LINES = 30


def argument_names(function: str) -> list[str]:
    """The variables given to ``function`` on the running line; empty for expressions."""
    frame = current()
    if frame is None:
        return []
    source = unit_of(frame).source
    text = _statement(source, frame.f_lineno)
    for node in walk_body(parse(SourceText("<line>", text)).file.body):
        if not isinstance(node, ast.Index) or not isinstance(node.base, ast.Name):
            continue
        if node.base.id == function:
            return [_name(a) for a in node.args]
    return []


def _name(node: Any) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _statement(source: SourceText, line: int) -> str:
    """The line with those it goes on in, until its brackets close."""
    lines = source.text.split("\n")
    text = ""
    for k in range(line - 1, min(len(lines), line - 1 + _MOST_LINES)):
        text += lines[k] + "\n"
        stripped = lines[k].split("%")[0].rstrip()
        opened = sum(text.count(c) for c in "([{") - sum(text.count(c) for c in ")]}")
        if not stripped.endswith("...") and opened <= 0:
            break
    return text
