"""A text with everything derived from it, made once per text."""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from threading import Lock

from app.engine.analysis.scopes import Occurrence, Role, Scope, Symbols, resolve
from app.engine.language import MATLAB, Dialect, ParseResult, ast, parse
from app.records import record
from app.source import SourceText, Span


@record
class Mention:
    """An occurrence with its scope; ``owner`` is the scope of the variable, None for functions."""

    occurrence: Occurrence
    scope: Scope
    owner: Scope | None


@record
class Document:
    """What is known about a text.

    Attributes:
        source: the text.
        result: its tree and syntax errors.
        symbols: its names.
        mentions: every mention of a name, in the order of the text.
        definitions: name and place of every function and class defined.
    """

    source: SourceText
    result: ParseResult
    symbols: Symbols
    mentions: tuple[Mention, ...]
    definitions: dict[str, Span]

    @property
    def file(self) -> ast.File:
        """The tree."""
        return self.result.file

    def mention_at(self, offset: int) -> Mention | None:
        """The name under ``offset``, or ending there."""
        place = bisect_right(self.mentions, offset, key=lambda m: m.occurrence.span.start)
        for mention in self.mentions[max(0, place - 2) : place][::-1]:
            if mention.occurrence.span.start <= offset <= mention.occurrence.span.end:
                return mention
        return None


def open_document(source: SourceText, dialect: Dialect = MATLAB) -> Document:
    """The document of ``source``; the last few are kept."""
    found = known_document(source, dialect)
    if found is None:
        found = _understood(source, dialect)
        with _lock:
            _kept[source.name, source.text, dialect] = found
            while len(_kept) > 1 and (len(_kept) > MOST or _characters_kept() > MOST_CHARACTERS):
                _kept.popitem(last=False)
    return found


def known_document(source: SourceText, dialect: Dialect = MATLAB) -> Document | None:
    """The document of ``source`` if it is among those kept."""
    key = source.name, source.text, dialect
    with _lock:
        if key in _kept:
            _kept.move_to_end(key)
        return _kept.get(key)


MOST = 8
MOST_CHARACTERS = 2_000_000
"""Trees are large: some hundred bytes for a character."""
_kept: OrderedDict[tuple[str, str, Dialect], Document] = OrderedDict()
_lock = Lock()


def _characters_kept() -> int:
    return sum(len(text) for _, text, _ in _kept)


def _understood(source: SourceText, dialect: Dialect) -> Document:
    result = parse(source, dialect)
    symbols = resolve(result.file)
    mentions = {
        (o.span, o.role): Mention(o, scope, scope.owner(o.name))
        for scope in symbols.all_scopes()
        for o in scope.occurrences
    }
    definitions: dict[str, Span] = {}
    for scope in symbols.all_scopes():
        if isinstance(scope.node, ast.FunctionDef) and scope.name:
            definitions.setdefault(scope.name, scope.node.name_span)
            occurrence = Occurrence(scope.name, scope.node.name_span, Role.HANDLE)
            mentions[scope.node.name_span, Role.HANDLE] = Mention(occurrence, scope, None)
    if result.file.classdef:
        definitions.setdefault(result.file.classdef.name, result.file.classdef.name_span)
    ordered = sorted(mentions.values(), key=lambda m: m.occurrence.span)
    return Document(source, result, symbols, tuple(ordered), definitions)
