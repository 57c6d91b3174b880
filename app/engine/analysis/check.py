"""All diagnostics of one text."""

from __future__ import annotations

from app.engine.analysis import rules_classes, rules_flow, rules_growth, rules_names, rules_parallel
from app.engine.analysis.known import Surroundings
from app.engine.analysis.scopes import Symbols, resolve
from app.engine.language import MATLAB, Diagnostic, Dialect, ParseResult, parse
from app.source import SourceText


def check_text(
    source: SourceText, dialect: Dialect = MATLAB, surroundings: Surroundings | None = None
) -> list[Diagnostic]:
    """Syntax errors and remarks on ``source``, in the order of the text.

    Without ``surroundings`` nothing is said that depends on other files: undefined names,
    hidden functions and the arity of builtins.
    """
    result = parse(source, dialect)
    return check_result(result, source, resolve(result.file), surroundings)


def check_result(
    result: ParseResult,
    source: SourceText,
    symbols: Symbols,
    surroundings: Surroundings | None = None,
) -> list[Diagnostic]:
    """The same for a text already parsed; a text with syntax errors gets only those."""
    if result.diagnostics:
        return list(result.diagnostics)
    found = list(rules_flow.check(result.file, source.text))
    found += rules_classes.check(result.file)
    found += rules_growth.check(result.file, source.text)
    found += rules_parallel.check(result.file, source.text)
    in_class_folder = "@" in source.name
    found += rules_names.check(symbols, surroundings, in_class_folder=in_class_folder)
    return sorted(found, key=lambda d: d.span)
