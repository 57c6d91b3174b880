"""MATLAB's regular expressions as Python's."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from app.engine.builtins.text.stoppable_matching import Expression, Problem
from app.errors import MatlabError

_CLASSES = {
    "[:alpha:]": "a-zA-Z",
    "[:digit:]": "0-9",
    "[:alnum:]": "a-zA-Z0-9",
    "[:space:]": r"\s",
    "[:upper:]": "A-Z",
    "[:lower:]": "a-z",
    "[:punct:]": r"!-/:-@\[-`{-~",
    "[:xdigit:]": "0-9a-fA-F",
}


_QUANTIFIER = re.compile(r"\{\d*(,\d*)?\}")


@lru_cache(maxsize=256)
def compiled_pattern(pattern: str, flags: int) -> Expression:
    """MATLAB's pattern, ready to match."""
    try:
        return Expression(translate(pattern), flags)
    except Problem as problem:
        text = f"In 'regexp', the pattern '{pattern}' is not valid: {problem}."
        raise MatlabError("MATLAB:regexp:invalidExpression", text) from None


def fits_any(name: str, patterns: Iterable[str]) -> bool:
    """Whether one of some patterns of MATLAB's is found in a name."""
    return any(compiled_pattern(pattern, 0).search(name) for pattern in patterns)


def translate(pattern: str) -> str:
    """What MATLAB writes differently: named groups, word edges, classes, octal, quantifiers."""
    out, i, in_set = [], 0, False
    while i < len(pattern):
        two = pattern[i : i + 2]
        if two[0] == "\\" and len(two) == 2:
            out.append(_escape(two, in_set=in_set))
            i += 2
            continue
        if in_set:
            name = next((n for n in _CLASSES if pattern.startswith(n, i)), None)
            if name:
                out.append(_CLASSES[name])
                i += len(name)
                continue
            in_set = two[0] != "]" or _just_opened(pattern, i)
            out.append("\\[" if two[0] == "[" else two[0])
        elif pattern.startswith("(?<", i) and pattern[i + 3 : i + 4] not in ("=", "!"):
            out.append("(?P<")
            i += 3
            continue
        elif two[0] == "{" and not _QUANTIFIER.match(pattern, i):
            out.append(r"\{")  # `regex` has more meanings for braces
        else:
            in_set = two[0] == "["
            out.append(two[0])
        i += 1
    return "".join(out)


def _just_opened(pattern: str, i: int) -> bool:
    """Whether a ``]`` at ``i`` is the first member of its set."""
    return pattern[i - 1] == "[" or pattern[i - 2 : i] == "[^"


def _escape(two: str, *, in_set: bool) -> str:
    special = {"\\<": r"\b(?=\w)", "\\>": r"\b(?<=\w)", "\\e": "\x1b", "\\b": r"\x08"}
    if not in_set and two in special:
        return special[two]
    letter = two[1]
    if letter.isalpha() and letter not in "wWdDsSbBnrtfvaxuAZ":
        return re.escape(letter)
    return two
