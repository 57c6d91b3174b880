"""What typing aids ask about the text before the caret: does a pair open here, is a command whole,
how deep does the next line belong.

All of them read tokens, so quotes that transpose, comments and command syntax are told apart as
the language does it. Incomplete text is the normal case.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from app.engine.analysis.indent import CLOSING, MIDDLE, OPENING, Levels
from app.engine.language.lexer import tokenize
from app.engine.language.tokens import CLOSERS, OPENERS, SECTIONS, SEPARATORS, TokenStream

_PAIRED = OPENING | {"CHAR", "STRING"}
_CONTINUED = re.compile(r"\.\.\.[^\n]*\Z")
_INNER_BLOCK = re.compile(r"\s*([a-z]+)\s*(?:\([^()]*\)\s*)?(?:[%#].*)?(?:\n|\Z)")
_AROUND = {"arguments": "function f\n", **dict.fromkeys(SECTIONS, "classdef c\n")}
_OPEN_COMMENT = re.compile(r"[%#]\{[ \t]*(?:\n|\Z)")


def opens_pair(before: str, typed: str) -> bool:
    """Whether the bracket or quote ``typed`` behind ``before`` begins something that is closed.

    False for a quote that transposes, and for anything inside a text or a comment.
    """
    stream = tokenize(before + typed)
    return any(
        start == len(before) and kind in _PAIRED
        for kind, start in zip(reversed(stream.kinds), reversed(stream.starts), strict=True)
        if start >= len(before)
    )


def is_complete(text: str) -> bool:
    """False while a bracket, a continuation, a comment or a block waits for more lines."""
    text = text.rstrip()
    stream = tokenize(text)
    if _is_continued(text, stream) or _unclosed_brackets(stream):
        return False
    if stream.comments and stream.comments[-1].end == len(text):
        comment = text[stream.comments[-1].start :]
        if _OPEN_COMMENT.match(comment) and not re.search(
            r"^\s*[%#]\}\s*\Z", comment, re.MULTILINE
        ):
            return False
    opened = sum(kind in OPENERS for kind in stream.kinds)
    return opened <= sum(kind in CLOSERS for kind in stream.kinds)


def _is_continued(text: str, stream: TokenStream) -> bool:
    """True when the text ends in ``...`` that is code."""
    ends = [e for k, e in zip(stream.kinds, stream.ends, strict=True) if k not in ("NL", "$END")]
    last = max(ends, default=0)
    found = _CONTINUED.search(text, last)
    return found is not None and all(not s.start <= found.start() for s in stream.comments[-1:])


def _unclosed_brackets(stream: TokenStream) -> int:
    """How many brackets are open at the end."""
    depth = 0
    places = [i for i, kind in enumerate(stream.kinds) if kind not in ("NL", "$END", "FEND")]
    for place in places:
        kind = stream.kinds[place]
        depth += (kind in OPENING) - (kind in CLOSING and depth > 0)
        if (
            place + 1 < len(stream.kinds)
            and stream.kinds[place + 1] == "NL"
            and place != places[-1]
        ):
            depth = 0  # the lexer gave those brackets up
    return depth


def indent_of_next(lines: Sequence[str], unit: int = 4) -> int:
    """Columns of indentation for a new line below ``lines``.

    ``lines`` need not begin where a block does: only the last statement counts, and where it is.
    """
    filled = max((n for n, line in enumerate(lines) if line.strip()), default=-1)
    if filled < 0:
        return width_of(lines[-1]) if lines else 0
    lines = lines[: filled + 1]
    text = "\n".join(lines)
    stream = tokenize(text)
    first = _first_line(text, stream)
    if _is_continued(text, stream) or _unclosed_brackets(stream):
        return width_of(lines[first]) + unit if first == filled else width_of(lines[-1])
    return max(0, width_of(lines[first]) + unit * _added_depth("\n".join(lines[first:])))


def _first_line(text: str, stream: TokenStream) -> int:
    """The line (from 0) where the first statement begins that reaches into the last line."""
    last = text.count("\n")
    begins, brackets, first, found = True, 0, 0, last
    for kind, start in zip(stream.kinds, stream.starts, strict=True):
        if kind in ("$END", "FEND"):
            continue
        line = text.count("\n", 0, start)
        if begins and kind != "NL":
            first = line
        if line == last and kind not in SEPARATORS:
            found = min(found, first)
        brackets = max(0, brackets + (kind in OPENING) - (kind in CLOSING))
        begins = kind == "NL" or (kind in SEPARATORS and not brackets)
        brackets = 0 if begins else brackets
    return found


def _added_depth(statement: str) -> int:
    """How much deeper the line behind a statement is than the line it begins on."""
    kinds = _kinds(statement)
    if not kinds:
        return 0
    levels = Levels(TokenStream())
    if kinds[0] in MIDDLE:
        levels.open.append("IF")
    before = levels.place(kinds[0])
    for kind in kinds:
        levels.pass_by(kind)
    return len(levels.open) - before


def _kinds(statement: str) -> list[str]:
    """The tokens of a statement by itself; what is a keyword only inside a block is one here."""
    word = _INNER_BLOCK.match(statement)
    block = _AROUND.get(word[1], "") if word else ""
    kinds = tokenize(block + statement).kinds[3 if block else 0 :]
    return [k for k in kinds if k not in ("NL", "$END", "FEND")]


def block_opener(line: str) -> str:
    """The block that ``line`` opens and leaves open, as a token's kind; empty for none."""
    kinds = _kinds(line)
    return kinds[0] if kinds and kinds[0] in OPENERS and _added_depth(line) > 0 else ""


def width_of(line: str) -> int:
    """Columns of blanks before the text of a line."""
    line = line.expandtabs(4)
    return len(line) - len(line.lstrip())


def functions_end(text: str) -> bool | None:
    """Whether the functions of ``text`` are closed by ``end``; None for an empty text.

    Other code than functions needs them closed, too.
    """
    kinds = tokenize(text).kinds
    if "FEND" in kinds:
        return False
    return True if any(kind not in ("NL", "$END") for kind in kinds) else None
