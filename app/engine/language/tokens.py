"""Token kinds and the tables of words and operators."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum

from app.engine.language.diagnostics import Diagnostic
from app.records import mutable_record
from app.source import Span


class Dialect(StrEnum):
    """How double-quoted text and ``!`` at the start of a statement are read."""

    MATLAB = "matlab"
    OCTAVE = "octave"


MATLAB = Dialect.MATLAB
OCTAVE = Dialect.OCTAVE


@mutable_record
class TokenStream:
    """The tokens of a text as parallel lists, the last one being ``$END``.

    Attributes:
        kinds: terminal names of the grammar.
        starts: offset of each token's first character.
        ends: offset behind each token.
        comments: where the comments are, in order; a block comment is one span.
        diagnostics: what the lexer could not read.
        blocks: from opener to closer of every closed block.
    """

    kinds: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    comments: list[Span] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    blocks: list[Span] = field(default_factory=list)


# Words that are keywords wherever they are no field name.
KEYWORDS = {
    word: word.upper()
    for word in (
        "break case catch classdef continue else elseif end for function global if otherwise "
        "parfor persistent return spmd switch try while"
    ).split()
}


def is_name(text: str) -> bool:
    """Whether ``text`` can be a variable name."""
    return (
        text.isascii()
        and text.isidentifier()
        and not text.startswith("_")
        and text not in KEYWORDS
        and len(text) <= 2048
    )


# Octave's words are keywords only where a statement begins and nothing is assigned to them.
OCTAVE_KEYWORDS = {
    "do": "DO",
    "until": "UNTIL",
    "unwind_protect": "UNWIND",
    "unwind_protect_cleanup": "CLEANUP",
    "end_unwind_protect": "ENDUNWIND",
    "end_try_catch": "ENDTRY",
    **{
        f"end{word}": f"END{word.upper()}"
        for word in (
            "if while for parfor switch function classdef properties methods events "
            "enumeration arguments spmd"
        ).split()
    },
}

SECTIONS = frozenset({"properties", "methods", "events", "enumeration"})

OPENERS = frozenset(
    "IF WHILE FOR PARFOR SWITCH TRY UNWIND DO SPMD FUNCTION CLASSDEF PROPERTIES METHODS EVENTS "
    "ENUMERATION ARGUMENTS".split()
)
CLOSERS = frozenset({"END", "UNTIL", *(k for k in OCTAVE_KEYWORDS.values() if k[:3] == "END")})
# A block goes on or ends here: the statement before needs no separator.
BOUNDARIES = CLOSERS | {"ELSE", "ELSEIF", "CASE", "OTHERWISE", "CATCH", "CLEANUP"}
# An expression follows, and a statement may follow that without a separator.
HEADERS = frozenset("IF ELSEIF WHILE FOR PARFOR SWITCH CASE UNTIL".split())
# A statement may follow at once.
STATEMENT_FOLLOWS = frozenset(
    {"ELSE", "OTHERWISE", "TRY", "CLEANUP", "UNWIND", "DO", "SPMD", *(CLOSERS - {"UNTIL"})}
)

OPERATORS = {
    **dict.fromkeys(["+", "-"], "ADDOP"),
    **dict.fromkeys(["*", "/", "\\", ".*", "./", ".\\"], "MULOP"),
    **dict.fromkeys(["^", ".^", "**", ".**"], "POW"),
    **dict.fromkeys(["==", "~=", "!=", "<=", ">", ">="], "RELOP"),
    **dict.fromkeys(["~", "!"], "NOT"),
    **dict.fromkeys(["++", "--"], "INCR"),
    **dict.fromkeys("+= -= *= /= \\= ^= |= &= .+= .-= .*= ./= .\\= .^=".split(), "OPEQ"),
    "<": "LT",
    "&": "AND",
    "|": "OR",
    "&&": "ANDAND",
    "||": "OROR",
    "=": "EQ",
    ":": "COLON",
    ".": "DOT",
    ".'": "TRANSPOSE",
    ".+": "DOTADD",
    ".-": "DOTADD",
}

CANONICAL = {"!": "~", "!=": "~=", "**": "^", ".**": ".^", ".+": "+", ".-": "-"}


def operator_of(assignment: str) -> str:
    """The operator of ``+=`` and friends."""
    return CANONICAL.get(assignment[:-1], assignment[:-1])


SEPARATORS = frozenset({"NL", "SEMI", "COMMA"})
