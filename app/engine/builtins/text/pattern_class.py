r"""``pattern``: what text to look for, built from pieces instead of a regular expression.

A pattern is a Python regular expression with the MATLAB text that made it; ``+`` joins, ``|``
chooses. Every searching function takes patterns and plain texts alike through :func:`searcher`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from app.engine.builtins.text.pattern_syntax import translate
from app.engine.builtins.text.stoppable_matching import Expression, Problem
from app.engine.declarations.registry import builtin, native_type
from app.engine.values import (
    NativeObject,
    StringArray,
    Value,
    as_array,
    float_of,
    is_char,
    is_numeric_like,
    text_of,
    texts_of,
)
from app.errors import MatlabError

_FAMILY = "strings"
_LETTER, _DIGIT, _BOTH, _SPACE = r"[^\W\d_]", "[0-9]", r"[^\W_]", r"\s"


@native_type
class Pattern(NativeObject):
    """A pattern of text.

    Attributes:
        source: the regular expression, safe to put beside others.
        shown: how a script writes it.
        opposite: the expression of ``~pattern``, which boundaries have.
    """

    class_name = "pattern"

    def __init__(self, source: str, shown: str, opposite: str | None = None) -> None:
        self.source, self.shown, self.opposite = source, shown, opposite

    def operate(self, operator: str, args: tuple[Value, ...]) -> Value:
        """``a + b``, ``a | b`` and ``~boundary``."""
        if operator == "not" and self.opposite is not None:
            return Pattern(self.opposite, f"~{self.shown}", self.source)
        if operator not in ("plus", "or"):
            return NotImplemented
        a, b = (as_pattern(x) for x in args)
        if operator == "plus":
            return Pattern(a.source + b.source, f"{a.shown} + {b.shown}")
        return Pattern(f"(?:{a.source}|{b.source})", f"({a.shown} | {b.shown})")

    def show(self, name: str, style: Any) -> str:
        """What it matches."""
        return f"  pattern\n\n  Matching:\n\n    {self.shown}\n"

    def equals(self, other: Value) -> bool:
        """Whether both are made alike."""
        return isinstance(other, Pattern) and other.source == self.source


def as_pattern(v: Value) -> Pattern:
    """A pattern, or the one that matches any of the texts of ``v``."""
    if isinstance(v, Pattern):
        return v
    texts = texts_of(v, "Pattern")
    shown = " | ".join(f'"{t}"' for t in texts)
    longest_first = sorted(texts, key=len, reverse=True)
    source = "|".join(re.escape(t) for t in longest_first) if texts else "(?!)"
    return Pattern(f"(?:{source})" if len(texts) > 1 else source, shown)


def searcher(v: Value) -> Expression:
    """What finds a pattern or any of several texts, the longest where several begin."""
    return compiled_expression(as_pattern(v).source, fold=False)


@lru_cache(maxsize=256)
def compiled_expression(source: str, fold: bool) -> Expression:
    """A pattern's expression; text that looks behind has to be of one length."""
    try:
        return Expression(source, re.IGNORECASE if fold else 0)
    except Problem as problem:
        message = f"The pattern cannot be searched for: {problem}."
        raise MatlabError("MATLAB:pattern:Unsupported", message) from None


def _literal(v: Value) -> str:
    if is_numeric_like(v) and not is_char(v):
        return f"{as_array(v).flat[0]:g}"
    return v.shown if isinstance(v, Pattern) else " | ".join(f'"{t}"' for t in texts_of(v))


def _call(name: str, args: tuple[Value, ...]) -> str:
    return f"{name}({', '.join(map(_literal, args))})" if args else name


def _times(args: tuple[Value, ...], default: str) -> str:
    """How often, from ``N`` or ``min, max``."""
    if not args:
        return default
    numbers = [float_of(a) for a in args]
    if any(n < 0 or (n != int(n) and n != float("inf")) for n in numbers):
        message = "The number of characters must be a nonnegative integer."
        raise MatlabError("MATLAB:pattern:InvalidCount", message)
    first, last = numbers[0], numbers[-1]
    return f"{{{int(first)},{'' if last == float('inf') else int(last)}}}"


def declare_characters(name: str, one: str, case: str, summary: str) -> None:
    """Declare a pattern of some characters of a kind."""

    def make(*count: Value) -> Value:
        return Pattern(one + _times(count, "+"), _call(name, count))

    builtin(
        name,
        category=_FAMILY,
        cases=(case,),
        text=summary,
        see=("pattern", "extract"),
        signatures=(f"p = {name}", f"p = {name}(n)", f"p = {name}(least, most)"),
    )(make)


declare_characters(
    "digitsPattern", _DIGIT, 'extract("a12b", digitsPattern) == "12"', "A pattern of digits."
)
declare_characters(
    "lettersPattern", _LETTER, 'extract("1ab2", lettersPattern) == "ab"', "A pattern of letters."
)
declare_characters(
    "alphanumericsPattern",
    _BOTH,
    'extract("(a1)", alphanumericsPattern) == "a1"',
    "A pattern of letters and digits.",
)
declare_characters(
    "whitespacePattern",
    _SPACE,
    'replace("a   b", whitespacePattern, " ") == "a b"',
    "A pattern of blanks.",
)


@builtin(
    "wildcardPattern",
    category=_FAMILY,
    see=("pattern",),
    signatures=(
        "p = wildcardPattern",
        "p = wildcardPattern(n)",
        "p = wildcardPattern(least, most)",
        "p = wildcardPattern(..., 'Except', p)",
    ),
    cases=('extract("a<b>c", "<" + wildcardPattern + ">") == "<b>"',),
)
def wildcard_pattern(*args: Value) -> Value:
    """A pattern of any characters, as few as possible."""
    except_at = next(
        (k for k, a in enumerate(args) if is_char(a) or isinstance(a, StringArray)), len(args)
    )
    barred = args[except_at + 1 : except_at + 2]
    one = f"(?:(?!{as_pattern(barred[0]).source})(?s:.))" if barred else "(?s:.)"
    return Pattern(one + _times(args[:except_at], "*") + "?", _call("wildcardPattern", args))


@builtin(
    "characterListPattern",
    category=_FAMILY,
    see=("pattern",),
    signatures=("p = characterListPattern(characters)", "p = characterListPattern(first, last)"),
    cases=(
        'count("education", characterListPattern("aeiou")) == 5',
        'count("a1z", characterListPattern("a", "z")) == 2',
    ),
)
def character_list_pattern(first: Value, last: Value | None = None) -> Value:
    """A pattern of one character of a list or of a range."""
    shown = _call("characterListPattern", (first,) if last is None else (first, last))
    if last is not None:
        return Pattern(f"[{re.escape(text_of(first))}-{re.escape(text_of(last))}]", shown)
    return Pattern(f"[{re.escape(''.join(texts_of(first)))}]", shown)


@builtin(
    "regexpPattern",
    category=_FAMILY,
    signatures=("p = regexpPattern(expression)",),
    cases=(r'extract("ab12", regexpPattern("\d")) == ["1"; "2"]',),
    see=("pattern", "regexp"),
)
def regexp_pattern(expression: Value) -> Value:
    """A pattern from a regular expression."""
    return Pattern(f"(?:{translate(text_of(expression))})", _call("regexpPattern", (expression,)))


@builtin(
    "pattern",
    category=_FAMILY,
    signatures=("p = pattern(text)",),
    cases=('contains("abc", pattern("b"))',),
    see=("digitsPattern", "contains"),
)
def pattern(text: Value) -> Value:
    """A pattern that matches a text, or any of several."""
    return as_pattern(text)
