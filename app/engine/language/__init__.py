"""The lexer, the grammar, the syntax tree and its printer."""

from app.engine.language.diagnostics import Diagnostic, Fix, Severity
from app.engine.language.parser import ParseResult, parse, parse_expression
from app.engine.language.tokens import MATLAB, OCTAVE, Dialect

__all__ = [
    "MATLAB",
    "OCTAVE",
    "Diagnostic",
    "Dialect",
    "Fix",
    "ParseResult",
    "Severity",
    "parse",
    "parse_expression",
]
