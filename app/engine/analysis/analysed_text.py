"""A text with everything derived from it, made once per text."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache

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
    return _open(source.name, source.text, dialect)


@lru_cache(maxsize=8)
def _open(name: str, text: str, dialect: Dialect) -> Document:
    source = SourceText(name, text)
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
