"""Command syntax as a rule: ``name text text`` at the start of a statement.

A word begins a command when a blank follows it, then neither ``=`` nor ``(`` nor the end of the
statement, nor an operator with a blank behind it. A variable of this function begins a command
only when nothing else could be meant: ``hold on`` behind ``hold = 1``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.late_pattern import late_pattern

if TYPE_CHECKING:
    from app.engine.language.lexer import Lexer

_CONTINUED = r"(?:[ \t]|\.\.\.[^\n]*\n)"
_IS_EXPRESSION = late_pattern(
    rf"""{_CONTINUED}+(?:
      [=(;,%\#\n] | \Z
    | (?:==|~=|!=|<=|>=|&&|\|\||\.\*\*|\*\*|\.[-+*/\\^']|[-+*/\\^<>&|:])(?:[ \t]|\.\.\.)
    | (?:\.?[*/\\^]|[-+|&])=
    | (?:\+\+|--)[ \t]*(?:[;,%\#\n]|\Z)
    | \.[A-Za-z(](?![\w./\\-]*(?:[ \t]+\w|[ \t]*(?:[;,%\n]|\Z)))
    | '[ \t]*(?:[;,%\#\n]|\Z)
    | \{{[^\n{{}}]*\}}[^\n;%]*[^=~<>\n]=(?!=)
    )""",
    re.VERBOSE,
)
_WORD = late_pattern(
    r"""(?:'(?:[^'\n]|'')*' | "(?:[^"\n]|"")*" | (?!\.\.\.)[^ \t\r\n;,%'"(\[{] | ['"] )+
      | [(\[{]""",
    re.VERBOSE,
)
_QUOTED = late_pattern(r"""'[^'\n]*'|"[^"\n]*\"""")
_TRANSPOSE = late_pattern(r"(?<=[\w)\]}.])'")
_OPENER = late_pattern(r"[(\[{]")
_OPEN_QUOTE = late_pattern(r"""['"]""")
_BRACKET = late_pattern(r"""'[^'\n]*'|"[^"\n]*"|[()\[\]{}\n]""")
_CLOSERS = {"(": ")", "[": "]", "{": "}"}
_WORD_FOLLOWS = late_pattern(r"[ \t]+(?:\w|'\w(?:[^'\n]|'')*'(?=[\s;,]|\Z))")
_BETWEEN = late_pattern(r"(?:[ \t\r]|\.\.\.[^\n]*\n)*")


def command(lexer: Lexer, word: str, start: int, end: int) -> bool:
    """Emit a command when one begins with ``word``; True when it did."""
    text = lexer.text
    if text[end : end + 1] not in (" ", "\t"):
        return False
    if word in lexer.known and not _WORD_FOLLOWS.match(text, end):
        return False
    if _IS_EXPRESSION.match(text, end):
        return False
    lexer.emit("COMMAND", start, end)
    lexer.begins = False
    while True:
        place = _between_end(text, lexer.pos)
        stop = _word_end(text, place)
        if stop == place or text[place] == "#":
            return True
        if _has_open_quote(text[place:stop]):
            lexer.problem(place, stop, "A quote in this command is not closed.")
        lexer.emit("WORD", place, stop)


def _has_open_quote(word: str) -> bool:
    """Whether a text begins in a word and does not end; in brackets ``X'`` is a transpose."""
    rest = _QUOTED.sub("", word)
    if _OPENER.search(word):
        rest = _TRANSPOSE.sub("", rest)
    return _OPEN_QUOTE.search(rest) is not None


def _word_end(text: str, place: int) -> int:
    """End of the argument at ``place``; blanks and commas inside brackets belong to it."""
    while found := _WORD.match(text, place):
        place = _closed_end(text, place) if found[0] in _CLOSERS else found.end()
    return place


def _closed_end(text: str, place: int) -> int:
    """Behind the closer of the bracket at ``place``.

    A parenthesis that is not closed takes the rest of its line; others stand for themselves.
    """
    opener, depth, end = text[place], 0, len(text)
    for part in _BRACKET.finditer(text, place):
        if part[0] == "\n":
            end = part.start()
            break
        depth += (part[0] == opener) - (part[0] == _CLOSERS[opener])
        if depth == 0:
            return part.end()
    return end if opener == "(" else place + 1


def _between_end(text: str, place: int) -> int:
    found = _BETWEEN.match(text, place)
    return found.end() if found else place


def line_end(text: str, start: int) -> int:
    """Offset of the end of the line that holds ``start``."""
    end = text.find("\n", start)
    return len(text) if end < 0 else end
