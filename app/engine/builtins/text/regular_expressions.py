"""Regular expressions: regexp, regexpi, regexprep, regexptranslate."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from itertools import islice

import numpy as np

from app.engine.builtins.text.pattern_syntax import compiled_pattern
from app.engine.builtins.text.stoppable_matching import Expression, Match
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
    size_of,
    text_of,
    texts_of,
    unwrap,
)
from app.errors import MatlabError
from app.records import record

_FAMILY = "strings"
_OLD_DOT = 1 << 20
"""Among flags: a dot does not match the end of a line."""
_FLAGS = {
    "ignorecase": re.IGNORECASE,
    "preservecase": re.IGNORECASE,
    "lineanchors": re.MULTILINE,
    "freespacing": re.VERBOSE,
    "dotexceptnewline": _OLD_DOT,
}
_DEFAULTS = frozenset(
    "matchcase noemptymatch stringanchors literalspacing dotall warnings all "
    "once emptymatch forcecelloutput".split()
)
"""Other options; most say what holds anyway."""
_OUTPUTS = ("start", "end", "tokenextents", "match", "tokens", "names", "split")


@record
class Wishes:
    """What the options of regexp and regexprep ask for.

    Attributes:
        flags: those of `re`.
        once: only the first match.
        empty: matches of nothing count.
        outputs: those named, in order.
        in_cells: results of a single text are put in cells too.
    """

    flags: int = re.DOTALL
    once: bool = False
    empty: bool = False
    outputs: tuple[str, ...] = ()
    in_cells: bool = False


@lru_cache(maxsize=256)
def read_options(words: tuple[str, ...], extra: int = 0) -> Wishes:
    """What option words ask for; ``extra`` flags hold anyway."""
    flags, outputs, low = extra, [], [w.lower() for w in words]
    for word, name in zip(words, low, strict=True):
        if name in _OUTPUTS:
            outputs.append(name)
        elif name in _FLAGS:
            flags |= _FLAGS[name]
        elif name not in _DEFAULTS:
            raise MatlabError("MATLAB:regexp:unknownOption", f"Unknown option '{word}'.")
    flags = flags & ~_OLD_DOT if flags & _OLD_DOT else flags | re.DOTALL
    return Wishes(
        flags, "once" in low, "emptymatch" in low, tuple(outputs), "forcecelloutput" in low
    )


def _matches(expression: Expression, text: str, wishes: Wishes) -> list[Match]:
    found = expression.finditer(text, once=wishes.once)
    kept = found if wishes.empty else (m for m in found if m.end() > m.start())
    return list(islice(kept, 1) if wishes.once else kept)


class _Texts:
    """Makes results char or string, as the input was."""

    def __init__(self, string: bool) -> None:
        self.string = string

    def one(self, text: str | None) -> Value:
        """A single text; missing when there is none."""
        return StringArray.scalar(text) if self.string else text or ""

    def row(self, texts: list[str]) -> Value:
        """A row of texts."""
        made = StringArray if self.string else Cell
        return made(object_array(texts))


def _groups(match: Match) -> list[str]:
    """Tokens of a match: its groups, or all of it when it has none.

    With alternatives only the groups that took part, and as many empty texts if none did.
    """
    found = match.groups()
    if not found:
        return [match.group()]
    if None in found and "|" in match.re.pattern:
        return [t for t in found if t is not None] or [""] * len(found)
    return [t or "" for t in found]


def _token_groups(match: Match) -> list[int]:
    """Groups that give tokens: all; with alternatives only those that took part."""
    groups = range(1, match.re.groups + 1)
    if "|" not in match.re.pattern:
        return list(groups)
    return [g for g in groups if match.start(g) >= 0]


def _token_extents(match: Match) -> Array:
    if match.re.groups == 0:
        return np.array([[match.start() + 1.0, match.end()]])
    end = match.end()
    spans = [match.span(g) if match.start(g) >= 0 else (end, end) for g in _token_groups(match)]
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


def _pieces(matches: list[Match], text: str) -> list[str]:
    """What stands before, between and behind matches."""
    edges = [0, *(e for m in matches for e in m.span()), len(text)]
    return [text[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True)]


_FIRST: dict[str, Callable[[Match, _Texts], Value]] = {
    "start": lambda m, texts: m.start() + 1.0,
    "end": lambda m, texts: float(m.end()),
    "tokenextents": lambda m, texts: unwrap(_token_extents(m)),
    "match": lambda m, texts: texts.one(m.group()),
    "tokens": lambda m, texts: texts.row(_groups(m)),
}
_EACH: dict[str, Callable[[list[Match], _Texts], Value]] = {
    "start": lambda found, texts: _numbers([m.start() + 1.0 for m in found]),
    "end": lambda found, texts: _numbers([float(m.end()) for m in found]),
    "tokenextents": lambda found, texts: Cell.of([unwrap(_token_extents(m)) for m in found]),
    "match": lambda found, texts: texts.row([m.group() for m in found]),
    "tokens": lambda found, texts: Cell.of([texts.row(_groups(m)) for m in found]),
}


def _results(
    text: str, expression: Expression, wishes: Wishes, texts: _Texts, wanted: list[str]
) -> list[Value]:
    """The outputs wanted."""
    matches = _matches(expression, text, wishes)
    made: list[Value] = []
    for name in wanted:
        if name == "split":
            made.append(texts.row(_pieces(matches, text)))
        elif name == "names":
            made.append(_names(matches, expression, texts))
        elif not wishes.once:
            made.append(_EACH[name](matches, texts))
        elif matches:
            made.append(_FIRST[name](matches[0], texts))
        else:
            nothing = {"match": texts.one(None), "tokens": Cell.empty()}
            made.append(nothing.get(name, EMPTY))
    return made


def _search(
    text: Value, pattern: Value, options: tuple[Value, ...], extra: int, nargout: int
) -> Value:
    wishes = read_options(tuple(map(text_of, options)), extra)
    order = [*wishes.outputs, *(o for o in _OUTPUTS if o not in wishes.outputs)]
    order = order[: max(nargout, 1)]
    if is_cell(text) or is_cell(pattern) or (is_string(text) and text.data.size != 1):
        return _search_lists(text, pattern, wishes, order)
    if not (is_text_scalar(text) and is_text_scalar(pattern)):
        problem = "The inputs must be text: character vectors, strings or cells of them."
        raise MatlabError("MATLAB:REGEXP:invalidInputs", problem)
    expression = compiled_pattern(text_of(pattern), wishes.flags)
    found = _results(text_of(text), expression, wishes, _Texts(is_string(text)), order)
    return tuple(Cell.of([x]) for x in found) if wishes.in_cells else tuple(found)


def _search_lists(text: Value, pattern: Value, wishes: Wishes, order: list[str]) -> Value:
    sources = texts_of(text)
    patterns = texts_of(pattern)
    shape = size_of(pattern if is_char(text) else text)
    if not sources or not patterns:
        empty = Cell.empty(shape if not sources else size_of(pattern))
        return tuple(empty for _ in order)
    count = max(len(sources), len(patterns))
    if count % len(sources) or count % len(patterns):
        problem = "The texts and the patterns must be of equal number, or one."
        raise MatlabError("MATLAB:regexp:invalidInput", problem)
    pairs = zip(sources * (count // len(sources)), patterns * (count // len(patterns)), strict=True)
    kind = _Texts(is_string(text))
    found = [_results(t, compiled_pattern(p, wishes.flags), wishes, kind, order) for t, p in pairs]
    return tuple(Cell.of(list(column), shape) for column in zip(*found, strict=True))


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
        "isempty(regexp('aab', '.*?', 'match'))",
        "isequal(regexp('ab', 'b', 'forceCellOutput'), {2})",
        "strcmp(regexp('k=v', '(?<key>\\w)=(?<val>\\w)', 'names').val, 'v')",
    ),
    see=("regexprep", "strfind"),
)
def regexp(text: Value, pattern: Value, *options: Value, nargout: int = 1) -> Value:
    """Find a regular expression in text.

    Output keys choose and order the outputs: start, end, tokenExtents, match, tokens, names,
    split. Options: once, ignorecase, lineanchors, freespacing, emptymatch.
    """
    return _search(text, pattern, options, 0, nargout)


@builtin(
    "regexpi",
    category=_FAMILY,
    signatures=tuple(s.format("regexpi") for s in _SIGNATURES),
    cases=("isequal(regexpi('ABC', 'b'), 2)",),
    see=("regexp",),
)
def regexpi(text: Value, pattern: Value, *options: Value, nargout: int = 1) -> Value:
    """Find a regular expression in text, ignoring case."""
    return _search(text, pattern, options, re.IGNORECASE, nargout)
