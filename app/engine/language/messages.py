"""Human sentences for tokens that do not fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.engine.language.tokens import BOUNDARIES, KEYWORDS, OPENERS, OPERATORS
from app.late_pattern import late_pattern
from app.source import Span

if TYPE_CHECKING:
    from app.engine.language.parser import Machine

_WORDS = late_pattern(r"\w+")
STATEMENT_WORDS = (
    OPENERS | BOUNDARIES | frozenset("BREAK CONTINUE RETURN GLOBAL PERSISTENT".split())
)

_BRACKETS = {
    "LPAR": ("(", ")"),
    "LBRA": ("[", "]"),
    "OBRA": ("[", "]"),
    "LBRACE": ("{", "}"),
    "IBRACE": ("{", "}"),
    "VBRACE": ("{", "}"),
}
_CLOSING = {"RPAR": ")", "RBRA": "]", "RBRACE": "}"}
_OPERATORS = frozenset(OPERATORS.values()) - {"TRANSPOSE"} | {"COMMA", "AT"}
_NEEDED_BY = {
    "ELSE": "if",
    "ELSEIF": "if",
    "CASE": "switch",
    "OTHERWISE": "switch",
    "CATCH": "try",
    "CLEANUP": "unwind_protect",
    "UNTIL": "do",
}


def explain(machine: Machine, token: int) -> tuple[str, Span]:
    """What is wrong at ``token`` and where to show it."""
    stream = machine.stream
    kind = stream.kinds[token]
    here = Span(stream.starts[token], stream.ends[token])
    bracket = _open_bracket(machine)
    if bracket is not None and (kind in ("NL", "SEMI", "$END", "FEND") or kind in _CLOSING):
        opened, closing = _BRACKETS[stream.kinds[bracket]]
        if kind not in _CLOSING or _CLOSING[kind] != closing:
            place = Span(stream.starts[bracket], stream.ends[bracket])
            return f"This '{opened}' is never closed: a '{closing}' is missing.", place
    if kind in ("$END", "FEND"):
        return _unclosed_block(machine, here)
    if kind in _CLOSING:
        return f"This '{_CLOSING[kind]}' closes no bracket.", here
    return _misplaced_token(machine, token, kind, here)


def _misplaced_token(machine: Machine, token: int, kind: str, here: Span) -> tuple[str, Span]:
    stream = machine.stream
    word = machine.text[here.start : here.end]
    before = stream.kinds[token - 1] if token else ""
    if kind in ("NL", "SEMI") and before in _OPERATORS:
        operator = machine.text[stream.starts[token - 1] : stream.ends[token - 1]]
        place = Span(stream.starts[token - 1], stream.ends[token - 1])
        return f"Something is missing behind '{operator}'.", place
    if kind in _NEEDED_BY:
        return f"'{word}' belongs to no '{_NEEDED_BY[kind]}'.", here
    if kind in BOUNDARIES:
        return f"'{word}' closes no block.", here
    if kind in ("NL", "SEMI", "ROWSEP"):
        return f"The statement breaks off; {_expected_text(machine)} is missing.", _last(
            machine, token
        )
    if word.lower() in KEYWORDS:
        return f"The keyword '{word}' cannot stand here.", here
    if kind in ("EQ", "OPEQ") and _expected_text(machine) != "an expression":
        return f"Nothing can be assigned to what stands before '{word}'.", here
    if kind in _OPERATORS:
        return (
            f"'{word}' needs a value on its left; {_expected_text(machine)} is expected here.",
            here,
        )
    return f"{word!r} does not fit here; {_expected_text(machine)} is expected.", here


def _last(machine: Machine, token: int) -> Span:
    before = max(0, token - 1)
    return Span(machine.stream.starts[before], machine.stream.ends[before])


def _expected_text(machine: Machine) -> str:
    row = machine.table.actions[machine.states[-1]]
    if "NUMBER" in row:
        return "an expression"
    if "EQ" in row and len(row) < 4:
        return "'='"
    if "NAME" in row and len(row) < 6:
        return "a name"
    return "an operator or the end of the statement"


def _open_bracket(machine: Machine) -> int | None:
    level = machine.level()
    kinds = machine.stream.kinds
    opened = [v for v in machine.values[level:] if isinstance(v, int) and kinds[v] in _BRACKETS]
    return opened[-1] if opened else None


def _unclosed_block(machine: Machine, here: Span) -> tuple[str, Span]:
    kinds, starts, ends = machine.stream.kinds, machine.stream.starts, machine.stream.ends
    opened = [v for v in machine.values if isinstance(v, int) and kinds[v] in OPENERS]
    if not opened:
        return "The text ends too early.", here
    place = _suspect(machine) or Span(starts[opened[-1]], ends[opened[-1]])
    word = machine.text[place.start : place.end]
    return f"This '{word}' is never closed: an 'end' is missing.", place


def _suspect(machine: Machine) -> Span | None:
    """The first opener whose ``end`` stands further left: that one closes another block."""
    text = machine.text
    for span in machine.stream.blocks:
        last = _WORDS.findall(text[max(span.start, span.end - 24) : span.end])[-1]
        opener, closer = _indent(text, span.start), _indent(text, span.end - len(last))
        if opener is not None and closer is not None and closer < opener:
            word = _WORDS.match(text, span.start)
            return Span(*word.span()) if word else None
    return None


def _indent(text: str, offset: int) -> int | None:
    """Width of the blanks before ``offset``; None when something else stands there."""
    before = text[text.rfind("\n", 0, offset) + 1 : offset]
    return None if before.strip() else len(before.expandtabs(4))
