"""Patterns made of patterns: repeated, optional, masked; and places between characters."""

from __future__ import annotations

from collections.abc import Callable

from app.engine.builtins.text.pattern_class import Pattern, as_pattern
from app.engine.declarations.registry import builtin
from app.engine.values import Value, float_of, text_of
from app.errors import MatlabError

_FAMILY = "strings"


def declare_wrapper(
    name: str,
    wrap: Callable[[str], str],
    case: str,
    summary: str,
    *,
    opposite: Callable[[str], str] | None = None,
) -> None:
    """Declare a pattern of one other pattern."""

    def make(inner: Value) -> Value:
        p = as_pattern(inner)
        other = opposite(p.source) if opposite else None
        return Pattern(wrap(p.source), f"{name}({p.shown})", other)

    builtin(
        name,
        category=_FAMILY,
        signatures=(f"p = {name}(pat)",),
        cases=(case,),
        text=summary,
        see=("pattern",),
    )(make)


declare_wrapper(
    "optionalPattern",
    "(?:{})?".format,
    'matches("color", "colo" + optionalPattern("u") + "r")',
    "A pattern that may be absent.",
)
declare_wrapper(
    "possessivePattern",
    "(?>{})".format,
    '~contains("aaa", possessivePattern(asManyOfPattern("a")) + "a")',
    "A pattern that gives nothing back once it has matched.",
)
declare_wrapper(
    "caseInsensitivePattern",
    "(?i:{})".format,
    'contains("ABC", caseInsensitivePattern("b"))',
    "A pattern that ignores the difference between upper and lower case.",
)
declare_wrapper(
    "caseSensitivePattern",
    "(?-i:{})".format,
    '~contains("ABC", caseSensitivePattern("b"))',
    "A pattern that tells upper from lower case.",
)
declare_wrapper(
    "lookAheadBoundary",
    "(?={})".format,
    'extract("a1 b", lettersPattern + lookAheadBoundary("1")) == "a"',
    "The place before a pattern.",
    opposite="(?!{})".format,
)
declare_wrapper(
    "lookBehindBoundary",
    "(?<={})".format,
    'extract("$5 6", lookBehindBoundary("$") + digitsPattern) == "5"',
    "The place after a pattern.",
    opposite="(?<!{})".format,
)


def _edges(inside: str) -> dict[str, tuple[str, str]]:
    """The start and the end of a run of characters, each with its opposite."""
    start, end = f"(?<!{inside})(?={inside})", f"(?<={inside})(?!{inside})"
    return {
        "start": (start, f"(?!{start})"),
        "end": (end, f"(?!{end})"),
        "either": (f"(?:{start}|{end})", f"(?!{start}|{end})"),
    }


_BOUNDARIES = {
    "textBoundary": {
        "start": (r"\A", r"(?!\A)"),
        "end": (r"\Z", r"(?!\Z)"),
        "either": (r"(?:\A|\Z)", r"(?!\A|\Z)"),
    },
    "lineBoundary": {
        "start": ("(?m:^)", "(?!(?m:^))"),
        "end": ("(?m:$)", "(?!(?m:$))"),
        "either": ("(?m:^|$)", "(?!(?m:^|$))"),
    },
    "letterBoundary": _edges(r"[^\W\d_]"),
    "digitBoundary": _edges("[0-9]"),
    "alphanumericBoundary": _edges(r"[^\W_]"),
    "whitespaceBoundary": _edges(r"\s"),
}


def declare_boundary(name: str, what: str, case: str) -> None:
    """Declare a place between two characters."""

    def make(kind: Value = "either") -> Value:
        word = text_of(kind).lower()
        if word not in _BOUNDARIES[name]:
            message = "The boundary must be 'start', 'end' or 'either'."
            raise MatlabError("MATLAB:pattern:InvalidBoundary", message)
        source, opposite = _BOUNDARIES[name][word]
        return Pattern(source, name if word == "either" else f'{name}("{word}")', opposite)

    builtin(
        name,
        category=_FAMILY,
        signatures=(f"p = {name}", f"p = {name}(kind)"),
        cases=(case,),
        text=f"The place where {what} begins ('start'), ends ('end') or either.",
        see=("pattern", "lookAheadBoundary"),
    )(make)


declare_boundary("textBoundary", "the text", 'contains("abc", textBoundary("start") + "a")')
declare_boundary(
    "lineBoundary", "a line", 'count("a" + newline + "a", lineBoundary("start") + "a") == 2'
)
declare_boundary(
    "letterBoundary", "a run of letters", 'replace("1ab", letterBoundary("start"), "-") == "1-ab"'
)
declare_boundary(
    "digitBoundary", "a run of digits", 'replace("a12", digitBoundary("start"), "-") == "a-12"'
)
declare_boundary(
    "alphanumericBoundary",
    "a run of letters and digits",
    'count("a1 b2", alphanumericBoundary("start")) == 2',
)
declare_boundary(
    "whitespaceBoundary", "a run of blanks", 'count("a b", whitespaceBoundary("start")) == 1'
)


def declare_repeat(name: str, greed: str, case: str, summary: str) -> None:
    """Declare a pattern that repeats another."""

    def make(inner: Value, least: Value = 0.0, most: Value = float("inf")) -> Value:
        low, high = (float_of(v) for v in (least, most))
        low = max(low, 1.0) if greed == "" and low == 0 and high == float("inf") else low
        if not 0 <= low <= high:
            message = "The counts must be nonnegative and in increasing order."
            raise MatlabError("MATLAB:pattern:InvalidCount", message)
        p = as_pattern(inner)
        times = f"{{{int(low)},{'' if high == float('inf') else int(high)}}}"
        return Pattern(f"(?:{p.source}){times}{greed}", f"{name}({p.shown})")

    builtin(
        name,
        category=_FAMILY,
        cases=(case,),
        text=summary,
        see=("pattern",),
        signatures=(f"p = {name}(pat)", f"p = {name}(pat, least)", f"p = {name}(pat, least, most)"),
    )(make)


declare_repeat(
    "asManyOfPattern",
    "",
    'extract("xaab", asManyOfPattern("a")) == "aa"',
    "A pattern as often as possible.",
)
declare_repeat(
    "asFewOfPattern",
    "?",
    'extract("xaab", asFewOfPattern("a", 1)) == ["a"; "a"]',
    "A pattern as seldom as possible.",
)


@builtin(
    "namedPattern",
    category=_FAMILY,
    signatures=("p = namedPattern(pat, name)",),
    cases=('contains("a1", namedPattern(digitsPattern, "number"))',),
    see=("maskedPattern",),
)
def named_pattern(inner: Value, name: Value, description: Value = "") -> Value:
    """A pattern shown by a name."""
    return Pattern(as_pattern(inner).source, text_of(name))


@builtin(
    "maskedPattern",
    category=_FAMILY,
    signatures=("p = maskedPattern(pat)", "p = maskedPattern(pat, mask)"),
    cases=('contains("a1", maskedPattern(digitsPattern, "d"))',),
    see=("namedPattern",),
)
def masked_pattern(inner: Value, mask: Value = "pattern") -> Value:
    """A pattern shown by a shorter text."""
    return Pattern(as_pattern(inner).source, text_of(mask))
