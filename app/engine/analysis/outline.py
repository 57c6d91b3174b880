"""The shape of a text: outline, sections, folds."""

from __future__ import annotations

import re
from collections.abc import Iterator

from app.engine.analysis.analysed_text import Document
from app.engine.language import ast
from app.records import record
from app.source import SourceText, Span, section_title

_NOWHERE = Span(0, 0)
_TITLE = r"(?:[^ \t\n]++|[ \t]++(?=[^ \t\n]))*+"
"""Words and what is between them: the blanks behind the last are looked through once."""
_SECTION = re.compile(rf"^[ \t]*%%(?:[ \t]++({_TITLE}))?[ \t]*$", re.MULTILINE)
_HEADING = re.compile(
    r"^[ \t]*%\[text\](?:\{.*?\})?[ \t]*(?:%\[text:anchor:[\w-]+\][ \t]*)?"
    r"(#{1,6})[ \t]++((?:[^ \t\r\n]++|[ \t\r]++(?=[^ \t\r\n]))*+)[ \t\r]*$"
)
_EMPHASIS = re.compile(r"(?<!\\)[*`]+|</?u>|\\(?=[\W_])")


@record
class OutlineEntry:
    """A function, class, property or section of a file.

    Attributes:
        name: what to show.
        kind: ``function``, ``method``, ``class``, ``property``, ``event``, ``member``,
            ``section``.
        line: line from 1.
        depth: nesting, from 0.
        span: the whole of it.
    """

    name: str
    kind: str
    line: int
    depth: int = 0
    span: Span = _NOWHERE


@record
class Fold:
    """Lines (from 1, both included) that fold away behind the first; ``kind`` is ``block``,
    ``comment`` or ``section``."""

    first: int
    last: int
    kind: str


@record
class Section:
    """A ``%%`` section: its title and its lines (from 1, both included)."""

    title: str
    first: int
    last: int


def outline(document: Document) -> tuple[OutlineEntry, ...]:
    """The parts of a text in its order."""
    source = document.source
    entries = [
        OutlineEntry(s.title, "section", s.first, 0, _lines(source, s.first, s.last))
        for s in sections(document)
        if s.title
    ]
    entries += _headings(document)
    for function in document.file.functions:
        entries += _function(function, source, 0, "function")
    if document.file.classdef:
        entries += _class(document.file.classdef, source)
    named = (entry for entry in entries if entry.name)
    return tuple(sorted(named, key=lambda e: (e.line, e.depth)))


def _headings(document: Document) -> Iterator[OutlineEntry]:
    """The headings of a live script, as deep as their marks say."""
    source = document.source
    for span in document.result.comments:
        found = _HEADING.match(source.text[span.start : span.end])
        if found:
            line = source.line_of(span.start)
            title = _EMPHASIS.sub("", found[2])
            yield OutlineEntry(
                title, "section", line, len(found[1]) - 1, _lines(source, line, line)
            )


def _lines(source: SourceText, first: int, last: int) -> Span:
    starts = source.line_starts
    end = starts[last] if last < len(starts) else len(source.text)
    return Span(starts[first - 1], end)


def _function(
    node: ast.FunctionDef, source: SourceText, depth: int, kind: str
) -> Iterator[OutlineEntry]:
    yield OutlineEntry(node.name, kind, source.line_of(node.span.start), depth, node.span)
    for inner in node.functions:
        yield from _function(inner, source, depth + 1, "function")


def _class(node: ast.ClassDef, source: SourceText) -> Iterator[OutlineEntry]:
    yield OutlineEntry(node.name, "class", source.line_of(node.span.start), 0, node.span)
    for block in node.blocks:
        line = source.line_of(block.span.start)
        match block:
            case ast.PropertiesBlock():
                for d in block.declarations:
                    place = source.line_of(d.span.start)
                    yield OutlineEntry(d.name, "property", place, 1, d.span)
            case ast.MethodsBlock():
                for function in block.functions:
                    yield from _function(function, source, 1, "method")
            case ast.EventsBlock():
                for name in block.names:
                    yield OutlineEntry(name, "event", line, 1, block.span)
            case ast.EnumerationBlock():
                for m in block.members:
                    yield OutlineEntry(m.name, "member", source.line_of(m.span.start), 1, m.span)


def sections(document: Document) -> tuple[Section, ...]:
    """The ``%%`` sections; code before the first mark is a section without title."""
    source = document.source
    marks: list[tuple[int, str]] = []
    for span in document.result.comments:
        line = source.line_of(span.start)
        found = _SECTION.match(source.line_text(line))
        if found and not source.text[source.line_starts[line - 1] : span.start].strip():
            marks.append((line, section_title(found[1] or "")))
    if not marks:
        return ()
    if marks[0][0] > 1:
        marks.insert(0, (1, ""))
    ends = [line - 1 for line, _ in marks[1:]] + [len(source.line_starts)]
    return tuple(
        Section(title, first, last) for (first, title), last in zip(marks, ends, strict=True)
    )


def folds(document: Document) -> tuple[Fold, ...]:
    """What can be folded, in the order of the text."""
    source = document.source
    found = {
        Fold(source.line_of(span.start), source.line_of(max(span.start, span.end - 1)), "block")
        for span in (*document.result.blocks, *_open_functions(document))
    }
    found |= set(_comment_folds(document))
    found |= {Fold(s.first, s.last, "section") for s in sections(document)}
    return tuple(sorted((f for f in found if f.last > f.first), key=lambda f: (f.first, -f.last)))


def _open_functions(document: Document) -> Iterator[Span]:
    return (f.span for f in document.file.functions if not f.has_end)


def _comment_folds(document: Document) -> Iterator[Fold]:
    source = document.source
    first = last = -1
    for span in document.result.comments:
        start, end = source.line_of(span.start), source.line_of(span.end)
        alone = not source.text[source.line_starts[start - 1] : span.start].strip()
        if not alone or _SECTION.match(source.line_text(start)):
            continue
        if start != last + 1:
            if last > first:
                yield Fold(first, last, "comment")
            first = start
        last = end
    if last > first:
        yield Fold(first, last, "comment")
