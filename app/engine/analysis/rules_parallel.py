"""Errors of ``parfor`` loops: variables without a class, statements that no pass may have."""

from __future__ import annotations

from collections.abc import Iterator

from app.engine.language import Diagnostic, Fix, Severity, ast
from app.engine.language.parfor_variables import classify, parfor_loops
from app.source import Span

_KEYWORD = len("parfor")


def check(file: ast.File, text: str) -> Iterator[Diagnostic]:
    """All remarks of this module."""
    if "parfor" not in text:
        return
    for node, nested in parfor_loops(file):
        start = node.span.start
        serial = Fix("Run it as a for loop", Span(start, start + _KEYWORD), "for")
        for problem in classify(node, nested).problems:
            yield Diagnostic(problem.span, Severity.ERROR, "parfor", problem.message, serial)
