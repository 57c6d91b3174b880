"""All diagnostics of one text."""

from __future__ import annotations

from app.engine.lang import MATLAB, Diagnostic, Dialect, parse
from app.source import SourceText


def check_text(source: SourceText, dialect: Dialect = MATLAB) -> list[Diagnostic]:
    """Syntax errors of ``source``, in the order of the text."""
    return list(parse(source, dialect).diagnostics)
