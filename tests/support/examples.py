"""The examples that functions declare."""

from __future__ import annotations

from app.engine.language.parser import parse
from app.source import SourceText


def parts(case: str) -> tuple[str, str]:
    """The statements of an example before its last one, and that one."""
    cut = parse(SourceText("<example>", case)).file.body[-1].span.start
    return case[:cut], case[cut:]
