"""The lexer, the grammar, the syntax tree and its printer."""

from app.engine.lang.diagnostics import Diagnostic, Fix, Severity
from app.engine.lang.parser import ParseResult, parse, parse_expression
from app.engine.lang.tokens import MATLAB, OCTAVE, Dialect

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
