"""Regular expressions: regexp, regexpi, regexprep, regexptranslate."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from app.engine.builtins.registry import builtin
from app.engine.builtins.texts import map_text
from app.engine.values import (
    EMPTY,
    Array,
    Cell,
    StringArray,
    Struct,
    StructArray,
    Value,
    is_cell,
    is_char,
    is_string,
    object_array,
    text_of,
    texts_of,
    unwrap,
)
from app.errors import MatlabError

_FAMILY = "strings"
_OUTPUTS = ("start", "end", "tokenextents", "match", "tokens", "names", "split")
_CLASSES = {
    "[:alpha:]": "a-zA-Z", "[:digit:]": "0-9", "[:alnum:]": "a-zA-Z0-9", "[:space:]": r"\s",
    "[:upper:]": "A-Z", "[:lower:]": "a-z", "[:punct:]": r"!-/:-@\[-`{-~",
    "[:xdigit:]": "0-9a-fA-F",
}


@lru_cache(maxsize=256)
def compiled(pattern: str, flags: int) -> re.Pattern[str]:
    """MATLAB's pattern as Python's."""
    try:
        return re.compile(translate(pattern), flags)
    except re.error as problem:
        text = f"In 'regexp', the pattern '{pattern}' is not valid: {problem}."
        raise MatlabError("MATLAB:regexp:invalidExpression", text) from None


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
        else:
            in_set = two[0] == "["
            out.append(two[0])
        i += 1
    return "".join(out)


def _just_opened(pattern: str, i: int) -> bool:
    """Whether a ``]`` at ``i`` is the first member of its set."""
    return pattern[i - 1] == "[" or pattern[i - 2 : i] == "[^"


def _escape(two: str, *, in_set: bool) -> str:
    special = {"\\<": r"\b(?=\w)", "\\>": r"\b(?<=\w)", "\\e": "\x1b"}
    if not in_set and two in special:
        return special[two]
    letter = two[1]
    if letter.isalpha() and letter not in "wWdDsSbBnrtfvaxuAZ":
        return re.escape(letter)
    return two


def _options(words: list[str]) -> tuple[int, bool, bool, list[str]]:
    """Flags, once, empty matches wanted, outputs in order."""
    flags, once, empty = 0, False, False
    outputs = []
    for word in words:
        low = word.lower()
        if low in _OUTPUTS:
            outputs.append(low)
        elif low == "once":
            once = True
        elif low == "ignorecase":
            flags |= re.IGNORECASE
        elif low == "lineanchors":
            flags |= re.MULTILINE
        elif low == "freespacing":
            flags |= re.VERBOSE
        elif low == "dotexceptnewline":
            flags |= 1 << 20
        elif low == "emptymatch":
            empty = True
    return flags if flags & (1 << 20) else flags | re.DOTALL, once, empty, outputs


def _matches(
    text: str, pattern: str, flags: int, *, empty: bool, once: bool
) -> list[re.Match[str]]:
    expression = compiled(pattern, flags & ~(1 << 20))
    found = []
    for match in expression.finditer(text):
        if match.group() or empty:
            found.append(match)
            if once:
                break
    return found


class _Texts:
    """Makes results char or string, as the input was."""

    def __init__(self, string: bool) -> None:
        self.string = string

    def one(self, text: str | None) -> Value:
        """A single text."""
        found = text or ""
        return StringArray.scalar(found) if self.string else found

    def row(self, texts: list[str | None]) -> Value:
        """A row of texts."""
        made = StringArray if self.string else Cell
        if not texts:
            return made(np.empty((1, 0), dtype=object))
        return made(object_array([t or "" for t in texts]))


def _groups(match: re.Match[str]) -> list[str | None]:
    """Tokens of a match: its groups, or all of it when it has none."""
    if match.re.groups == 0:
        return [match.group()]
    taken = _taken(match)
    return [match.group(g) or "" for g in taken] if taken else [""] * match.re.groups


def _taken(match: re.Match[str]) -> list[int]:
    """Groups that give tokens: all; with alternatives only those that took part."""
    groups = range(1, match.re.groups + 1)
    if "|" not in match.re.pattern:
        return list(groups)
    return [g for g in groups if match.start(g) >= 0]


def _token_extents(match: re.Match[str]) -> Array:
    if match.re.groups == 0:
        return np.array([[match.start() + 1.0, match.end()]])
    end = match.end()
    spans = [match.span(g) if match.start(g) >= 0 else (end, end) for g in _taken(match)]
    return np.array([[a + 1.0, b] for a, b in spans]).reshape(-1, 2)


def _names(matches: list[re.Match[str]], pattern: re.Pattern[str], texts: _Texts) -> Value:
    names = sorted(pattern.groupindex, key=lambda n: pattern.groupindex[n])
    if not names:
        return Struct()
    structs = [Struct({n: texts.one(m.group(n)) for n in names}) for m in matches]
    if not structs:
        return StructArray({n: np.empty((0, 0), dtype=object) for n in names}, (0, 0))
    return StructArray.of(structs)


def _numbers(values: list[float]) -> Value:
    return unwrap(np.array([values])) if values else np.zeros((1, 0))


def _results(
    text: str, pattern: str, words: list[str], extra: int, texts: _Texts
) -> dict[str, Value]:
    flags, once, empty, _ = _options(words)
    flags |= extra
    matches = _matches(text, pattern, flags, empty=empty, once=once)
    expression = compiled(pattern, flags & ~(1 << 20))
    if once:
        m = matches[0] if matches else None
        edges = [0, *(m.span() if m else ()), len(text)]
        pieces = [text[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True)]
        return {
            "start": m.start() + 1.0 if m else EMPTY, "end": float(m.end()) if m else EMPTY,
            "tokenextents": unwrap(_token_extents(m)) if m else EMPTY,
            "match": texts.one(m.group()) if m else texts.one(""),
            "tokens": texts.row(_groups(m)) if m else Cell.empty(),
            "names": _names(matches, expression, texts), "split": texts.row(list(pieces)),
        }
    edges = [0, *(e for m in matches for e in m.span()), len(text)]
    pieces = [text[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True)]
    return {
        "start": _numbers([m.start() + 1.0 for m in matches]),
        "end": _numbers([float(m.end()) for m in matches]),
        "tokenextents": Cell.of([unwrap(_token_extents(m)) for m in matches]),
        "match": texts.row([m.group() for m in matches]),
        "tokens": Cell.of([texts.row(_groups(m)) for m in matches]),
        "names": _names(matches, expression, texts), "split": texts.row(list(pieces)),
    }


def _search(text: Value, pattern: Value, options: tuple[Value, ...], extra: int) -> Value:
    words = [text_of(o) for o in options]
    asked = _options(words)[3]
    order = [*asked, *(o for o in _OUTPUTS if o not in asked)]
    if is_cell(text) or is_cell(pattern) or (is_string(text) and text.data.size != 1):
        return _search_lists(text, pattern, words, extra, order)
    found = _results(text_of(text), text_of(pattern), words, extra, _Texts(is_string(text)))
    if "forcecelloutput" in (w.lower() for w in words):
        return tuple(Cell.of([found[name]]) for name in order)
    return tuple(found[name] for name in order)


def _search_lists(
    text: Value, pattern: Value, words: list[str], extra: int, order: list[str]
) -> Value:
    sources = texts_of(text)
    patterns = texts_of(pattern)
    shape = text.shape if not is_char(text) else pattern.shape
    count = max(len(sources), len(patterns))
    pairs = zip(sources * (count // len(sources)), patterns * (count // len(patterns)), strict=True)
    found = [_results(t, p, words, extra, _Texts(is_string(text))) for t, p in pairs]
    return tuple(Cell.of([f[name] for f in found], shape) for name in order)


_SIGNATURES = (
    "[start, end, extents, match, tokens, names, split] = {0}(text, pattern)",
    "[out1, ...] = {0}(text, pattern, outkey1, ...)", "... = {0}(..., 'once')",
)


@builtin("regexp", category=_FAMILY, signatures=tuple(s.format("regexp") for s in _SIGNATURES),
         cases=("isequal(regexp('abc123', '\\d+'), 4)",
                "isequal(regexp('ac', '(a)(b)?', 'tokens'), {{'a', ''}})",
                "isequal(regexp('a1b2', '\\d', 'match'), {'1', '2'})",
                "isequal(regexp('ab12', '([a-z]+)(\\d+)', 'tokens'), {{'ab', '12'}})",
                "strcmp(regexp('ab12', '\\d+', 'match', 'once'), '12')",
                "strcmp(regexp('k=v', '(?<key>\\w)=(?<val>\\w)', 'names').val, 'v')"),
         see=("regexprep", "strfind"))
def regexp(text: Value, pattern: Value, *options: Value) -> Value:
    """Find a regular expression in text.

    Output keys choose and order the outputs: start, end, tokenExtents, match, tokens, names,
    split. Options: once, ignorecase, lineanchors, freespacing, emptymatch.
    """
    return _search(text, pattern, options, 0)


@builtin("regexpi", category=_FAMILY, signatures=tuple(s.format("regexpi") for s in _SIGNATURES),
         cases=("isequal(regexpi('ABC', 'b'), 2)",), see=("regexp",))
def regexpi(text: Value, pattern: Value, *options: Value) -> Value:
    """Find a regular expression in text, ignoring case."""
    return _search(text, pattern, options, re.IGNORECASE)


_REFERENCE = re.compile(r"\\(.)|\$(?:(\d)|\{(\d+)\}|<(\w+)>|\{([^}]*)\})", re.DOTALL)
_TOKEN = re.compile(r"\$(\d)")
_REPLACED = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "a": "\a", "b": "\b"}


def _expander(ctx: Any, template: str) -> Callable[[re.Match[str]], str]:
    """A replacement with ``$1``, ``$<name>``, ``$0``, ``${command}`` and escapes."""

    def expand(match: re.Match[str]) -> str:
        def fill(m: re.Match[str]) -> str:
            escaped, digit, number, name, command = m.groups()
            if command is not None:
                return _computed(ctx, command, match)
            if escaped is not None:
                return _REPLACED.get(escaped, escaped)
            if name:
                return match.group(name) or ""
            k = int(digit or number)
            return (match.group(k) or "") if k <= match.re.groups else ""

        return _REFERENCE.sub(fill, template)

    return expand


def _computed(ctx: Any, command: str, match: re.Match[str]) -> str:
    """The text a command of a replacement gives, its ``$1`` being texts."""
    def quoted(m: re.Match[str]) -> str:
        k = int(m.group(1))
        text = (match.group(k) or "") if k <= match.re.groups else ""
        return "'" + text.replace("'", "''") + "'"

    (value,) = ctx.evaluate(_TOKEN.sub(quoted, command), 1)
    return text_of(value)


@builtin("regexprep", category=_FAMILY,
         signatures=("s = regexprep(text, pattern, replacement)",
                     "s = regexprep(..., 'once', 'ignorecase')"),
         cases=("strcmp(regexprep('a1b2', '\\d', '#'), 'a#b#')",
                "strcmp(regexprep('john smith', '(\\w+) (\\w+)', '$2 $1'), 'smith john')"),
         see=("regexp", "strrep"))
def regexprep(
    ctx: Any, text: Value, pattern: Value, replacement: Value, *options: Value
) -> Value:
    """Replace what matches a regular expression."""
    words = [text_of(o) for o in options]
    flags, once, _, _ = _options(words)
    patterns, news = texts_of(pattern), texts_of(replacement)
    news = news * len(patterns) if len(news) == 1 else news

    def replaced(source: str) -> str:
        for p, new in zip(patterns, news, strict=True):
            expression = compiled(p, flags & ~(1 << 20))
            expand: Any = _expander(ctx, new)
            expand = _preserving(expand) if "preservecase" in words else expand
            source = expression.sub(expand, source, count=1 if once else 0)
        return source

    return map_text(replaced, text, "regexprep")


def _preserving(expand: Callable[[re.Match[str]], str]) -> Callable[[re.Match[str]], str]:
    def kept(match: re.Match[str]) -> str:
        new, old = expand(match), match.group()
        if old.isupper():
            return new.upper()
        return new.capitalize() if old[:1].isupper() else new

    return kept


@builtin("regexptranslate", category=_FAMILY, signatures=("s = regexptranslate(kind, text)",),
         cases=("strcmp(regexptranslate('escape', 'a.b'), 'a\\.b')",), see=("regexp",))
def regexptranslate(kind: Value, text: Value) -> Value:
    """Text as a pattern: ``escape`` special characters, or translate ``wildcard`` * and ?."""
    source = text_of(text)
    if text_of(kind) == "escape":
        return re.sub(r"([\\.*+?^$\[\](){}|])", r"\\\1", source)
    return re.sub(r"\.", r"\\.", source).replace("*", ".*").replace("?", ".")
