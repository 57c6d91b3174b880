"""Regular expressions: regexp, regexpi, regexprep, regexptranslate."""

from __future__ import annotations

import re

import numpy as np

from app.engine.builtins.text.expressions import Expression, Match
from app.engine.builtins.text.pattern_syntax import compiled
from app.engine.declarations.registry import builtin
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
    is_text_scalar,
    object_array,
    text_of,
    texts_of,
    unwrap,
)
from app.errors import MatlabError

_FAMILY = "strings"
_DEFAULTS = frozenset(
    "matchcase noemptymatch stringanchors literalspacing dotall warnings all".split()
)
"""Options that say what holds anyway."""
_OUTPUTS = ("start", "end", "tokenextents", "match", "tokens", "names", "split")


def read_options(words: list[str]) -> tuple[int, bool, bool, list[str]]:
    """Flags, once, empty matches wanted, outputs in order."""
    flags, once, empty = 0, False, False
    outputs = []
    for word in words:
        low = word.lower()
        if low in _OUTPUTS:
            outputs.append(low)
        elif low == "once":
            once = True
        elif low in ("ignorecase", "preservecase"):
            flags |= re.IGNORECASE
        elif low == "lineanchors":
            flags |= re.MULTILINE
        elif low == "freespacing":
            flags |= re.VERBOSE
        elif low == "dotexceptnewline":
            flags |= 1 << 20
        elif low == "emptymatch":
            empty = True
        elif low not in _DEFAULTS:
            raise MatlabError("MATLAB:regexp:unknownOption", f"Unknown option '{word}'.")
    return flags if flags & (1 << 20) else flags | re.DOTALL, once, empty, outputs


def _matches(text: str, pattern: str, flags: int, *, empty: bool, once: bool) -> list[Match]:
    expression = compiled(pattern, flags & ~(1 << 20))
    found = []
    for match in expression.finditer(text, once=once):
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
        """A single text; missing when there is none."""
        return StringArray.scalar(text) if self.string else text or ""

    def row(self, texts: list[str | None]) -> Value:
        """A row of texts."""
        made = StringArray if self.string else Cell
        if not texts:
            return made(np.empty((1, 0), dtype=object))
        return made(object_array([t or "" for t in texts]))


def _groups(match: Match) -> list[str | None]:
    """Tokens of a match: its groups, or all of it when it has none."""
    if match.re.groups == 0:
        return [match.group()]
    taken = _taken(match)
    return [match.group(g) or "" for g in taken] if taken else [""] * match.re.groups


def _taken(match: Match) -> list[int]:
    """Groups that give tokens: all; with alternatives only those that took part."""
    groups = range(1, match.re.groups + 1)
    if "|" not in match.re.pattern:
        return list(groups)
    return [g for g in groups if match.start(g) >= 0]


def _token_extents(match: Match) -> Array:
    if match.re.groups == 0:
        return np.array([[match.start() + 1.0, match.end()]])
    end = match.end()
    spans = [match.span(g) if match.start(g) >= 0 else (end, end) for g in _taken(match)]
    return np.array([[a + 1.0, b] for a, b in spans]).reshape(-1, 2)


def _names(matches: list[Match], pattern: Expression, texts: _Texts) -> Value:
    names = sorted(pattern.groupindex, key=lambda n: pattern.groupindex[n])
    if not names:
        return Struct()
    structs = [Struct({n: texts.one(m.group(n) or "") for n in names}) for m in matches]
    if not structs:
        return StructArray({n: np.empty((0, 0), dtype=object) for n in names}, (0, 0))
    return StructArray.of(structs)


def _numbers(values: list[float]) -> Value:
    return unwrap(np.array([values])) if values else np.zeros((1, 0))


def _results(
    text: str, pattern: str, words: list[str], extra: int, texts: _Texts
) -> dict[str, Value]:
    flags, once, empty, _ = read_options(words)
    flags |= extra
    matches = _matches(text, pattern, flags, empty=empty, once=once)
    expression = compiled(pattern, flags & ~(1 << 20))
    if once:
        m = matches[0] if matches else None
        edges = [0, *(m.span() if m else ()), len(text)]
        pieces = [text[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True)]
        return {
            "start": m.start() + 1.0 if m else EMPTY,
            "end": float(m.end()) if m else EMPTY,
            "tokenextents": unwrap(_token_extents(m)) if m else EMPTY,
            "match": texts.one(m.group() if m else None),
            "tokens": texts.row(_groups(m)) if m else Cell.empty(),
            "names": _names(matches, expression, texts),
            "split": texts.row(list(pieces)),
        }
    edges = [0, *(e for m in matches for e in m.span()), len(text)]
    pieces = [text[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True)]
    return {
        "start": _numbers([m.start() + 1.0 for m in matches]),
        "end": _numbers([float(m.end()) for m in matches]),
        "tokenextents": Cell.of([unwrap(_token_extents(m)) for m in matches]),
        "match": texts.row([m.group() for m in matches]),
        "tokens": Cell.of([texts.row(_groups(m)) for m in matches]),
        "names": _names(matches, expression, texts),
        "split": texts.row(list(pieces)),
    }


def _search(text: Value, pattern: Value, options: tuple[Value, ...], extra: int) -> Value:
    words = [text_of(o) for o in options]
    asked = read_options(words)[3]
    order = [*asked, *(o for o in _OUTPUTS if o not in asked)]
    if is_cell(text) or is_cell(pattern) or (is_string(text) and text.data.size != 1):
        return _search_lists(text, pattern, words, extra, order)
    if not (is_text_scalar(text) and is_text_scalar(pattern)):
        problem = "The inputs must be text: character vectors, strings or cells of them."
        raise MatlabError("MATLAB:REGEXP:invalidInputs", problem)
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
    if not sources or not patterns:
        empty = Cell.empty(shape if not sources else pattern.shape)
        return tuple(empty for _ in order)
    count = max(len(sources), len(patterns))
    if count % len(sources) or count % len(patterns):
        problem = "The texts and the patterns must be of equal number, or one."
        raise MatlabError("MATLAB:regexp:invalidInput", problem)
    pairs = zip(sources * (count // len(sources)), patterns * (count // len(patterns)), strict=True)
    found = [_results(t, p, words, extra, _Texts(is_string(text))) for t, p in pairs]
    return tuple(Cell.of([f[name] for f in found], shape) for name in order)


_SIGNATURES = (
    "[start, end, extents, match, tokens, names, split] = {0}(text, pattern)",
    "[out1, ...] = {0}(text, pattern, outkey1, ...)",
    "... = {0}(..., 'once')",
)


@builtin(
    "regexp",
    category=_FAMILY,
    signatures=tuple(s.format("regexp") for s in _SIGNATURES),
    cases=(
        "isequal(regexp('abc123', '\\d+'), 4)",
        "isequal(regexp('ac', '(a)(b)?', 'tokens'), {{'a', ''}})",
        "isequal(regexp('a1b2', '\\d', 'match'), {'1', '2'})",
        "isequal(regexp('ab12', '([a-z]+)(\\d+)', 'tokens'), {{'ab', '12'}})",
        "strcmp(regexp('ab12', '\\d+', 'match', 'once'), '12')",
        "strcmp(regexp('k=v', '(?<key>\\w)=(?<val>\\w)', 'names').val, 'v')",
    ),
    see=("regexprep", "strfind"),
)
def regexp(text: Value, pattern: Value, *options: Value) -> Value:
    """Find a regular expression in text.

    Output keys choose and order the outputs: start, end, tokenExtents, match, tokens, names,
    split. Options: once, ignorecase, lineanchors, freespacing, emptymatch.
    """
    return _search(text, pattern, options, 0)


@builtin(
    "regexpi",
    category=_FAMILY,
    signatures=tuple(s.format("regexpi") for s in _SIGNATURES),
    cases=("isequal(regexpi('ABC', 'b'), 2)",),
    see=("regexp",),
)
def regexpi(text: Value, pattern: Value, *options: Value) -> Value:
    """Find a regular expression in text, ignoring case."""
    return _search(text, pattern, options, re.IGNORECASE)
