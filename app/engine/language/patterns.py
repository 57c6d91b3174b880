"""The regular expressions of the lexer, and questions they answer about the text ahead."""

from __future__ import annotations

import re

from app.engine.language.tokens import OPERATORS
from app.late_pattern import late_pattern
from app.source import BLOCK_MARK


def _operators() -> str:
    """The operators as alternatives, longest first; ``a+==b`` has no ``+=``."""
    return "|".join(
        re.escape(text) + ("(?!=)" if OPERATORS[text] == "OPEQ" else "")
        for text in sorted(OPERATORS, key=len, reverse=True)
    )


BLANKS = frozenset(" \t\r\f\v\xa0\n")

# Blanks, continuations, then one token; the group that matched names the handler.
TOKEN = re.compile(
    r"""(?: [ \t\r\f\v\xa0\x1a\0]+ | \.\.\.[^\n]*(?:\n|\Z) | \\[ \t]*(?:[%\#][^\n]*)?\n )*+
    (?: \Z
    | (?P<word>[A-Za-z_][A-Za-z0-9_]*)
    | (?P<number>
          0[xX][0-9A-Fa-f](?:_?[0-9A-Fa-f])*(?:[us](?:8|16|32|64))?
        | 0[bB][01](?:_?[01])*(?:[us](?:8|16|32|64))?
        | (?:[0-9](?:_?[0-9])*(?:\.(?![*/\\^']|\.\.)[0-9]*)?|\.[0-9]+)
          (?:[eEdD][-+]?[0-9]+)?(?:[ijIJ](?![A-Za-z0-9_]))?)
    | (?P<separator>[,;])
    | (?P<open>[(\[{])
    | (?P<close>[)\]}])
    | (?P<newline>\n)
    | (?P<comment>[%\#])
    | (?P<operator>"""
    + _operators()
    + r""")
    | (?P<quote>')
    | (?P<string>")
    | (?P<at>@)
    | (?P<meta>\?[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)*)
    | (?P<bad>.)
    )""",
    re.VERBOSE,
)

CHAR = late_pattern(r"'(?:[^'\n]|'')*'")
STRING = late_pattern(r'"(?:[^"\n]|"")*"')
OCTAVE_STRING = late_pattern(r'"(?:[^"\\\n]|\\[\s\S]|"")*"')
HANDLE = late_pattern(
    r"@(?:[ \t]|\.\.\.[^\n]*\n)*[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*"
)
COMMENT_LINES = late_pattern(r"(?:[ \t]*[%#][^\n]*\n)+")
OPERAND_FOLLOWS = late_pattern(r"""[ \t]*(?:[\w(\[{'"@.+-]|[~!](?!=))""")
# In Octave a sign behind x++ is an operator: x++ - 1.
OCTAVE_OPERAND_FOLLOWS = late_pattern(r"""[ \t]*(?:[\w(\[{'"@.]|[~!](?!=))""")

# A line that can only be a statement: brackets open before it were never closed.
ABANDONED = late_pattern(
    r"""[ \t]*(?:
      (?:if|for|while|switch|function|try|elseif|parfor|global|persistent|classdef|case)\b
          (?![ \t]*(?:[=,;)\]}]|\.[A-Za-z]))
    | (?:end|else|return|break|continue|otherwise)[ \t]*(?:[;%\n]|\Z)
    | [A-Za-z]\w*[ \t]*=(?!=)
    | \[[^\]\[\n'"]*\][ \t]*=(?!=)
    )""",
    re.VERBOSE,
)

_BLOCK_OPEN = late_pattern(r"[%#]\{[ \t\r\f]*(?:\n|\Z)")
_SIMPLE_LIST = late_pattern(r"\[[^\]\[\n'\"%#{]*\]")
_IS_ASSIGNED = late_pattern(r"(?:[ \t]|\.\.\.[^\n]*\n)*=(?!=)")
_LIST_PART = late_pattern(
    r"""\.\.\.[^\n]*\n | (?<![\w)\]}'.])'(?:[^'\n]|'')*' | "(?:[^"\n]|"")*" | [\[\]{}()\n] """,
    re.VERBOSE,
)


def comment_end(text: str, start: int) -> int:
    """Where the comment that begins at ``start`` ends (before its line end)."""
    if _BLOCK_OPEN.match(text, start) and _only_blanks_before(text, start):
        depth = 0
        for line in BLOCK_MARK.finditer(text, text.rfind("\n", 0, start) + 1):
            depth += 1 if line[1] == "{" else -1
            if depth == 0:
                return line.end()
        return len(text)
    end = text.find("\n", start)
    return len(text) if end < 0 else end


def _only_blanks_before(text: str, start: int) -> bool:
    return not text[text.rfind("\n", 0, start) + 1 : start].strip()


def is_target_list(text: str, start: int) -> bool:
    """True when the ``[`` at ``start`` opens the targets of an assignment."""
    simple = _SIMPLE_LIST.match(text, start)
    if simple:
        return _IS_ASSIGNED.match(text, simple.end()) is not None
    depth = 0
    for part in _LIST_PART.finditer(text, start):
        if part[0] in "[{(":
            depth += 1
        elif part[0] in "]})":
            depth -= 1
            if depth <= 0:
                return part[0] == "]" and _IS_ASSIGNED.match(text, part.end()) is not None
        elif part[0] == "\n":
            return False
    return False
