"""Definition and references of the name under the caret."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from app.engine.analysis.analysed_text import Document, Mention
from app.engine.analysis.class_members import known_classes, member_at
from app.engine.analysis.scopes import BINDING
from app.records import record
from app.source import Span


@record
class Definition:
    """Where a name is defined.

    Attributes:
        name: the name.
        span: its place; None for a function of a file elsewhere, or a builtin.
        file: the file of the place, where it is not in this text: a member of another class.
        line: the line of the place in that file, from 1.
    """

    name: str
    span: Span | None
    file: Path | None = None
    line: int = 1


@record
class Edit:
    """Replace the text of ``span`` by ``text``."""

    span: Span
    text: str


def definition(
    document: Document,
    offset: int,
    folders: Iterable[Path] = (),
    unsaved: Mapping[str, str] | None = None,
) -> Definition | None:
    """Where the name at ``offset`` comes from; None when there is no name.

    Args:
        document: the text.
        offset: where the name stands in it.
        folders: where classes are looked for.
        unsaved: the texts of open files by path.
    """
    member = member_at(document, offset, known_classes(document, folders, unsaved or {}))
    if member is not None:
        source, span = member.owner.source, member.owner.members[member.name]
        file = None if source.name == document.source.name else Path(source.name)
        return Definition(member.name, span, file, source.line_of(span.start))
    mention = document.mention_at(offset)
    if mention is None:
        return None
    name = mention.occurrence.name
    if mention.owner is not None:
        places = [o.span for o in mention.owner.mentions[name] if o.role in BINDING]
        return Definition(name, min(places))
    return Definition(name, document.definitions.get(name))


def references(document: Document, offset: int) -> tuple[Span, ...]:
    """All places of the variable or function at ``offset`` in this text, in order."""
    mention = document.mention_at(offset)
    return () if mention is None else _spans_of_same(document, mention)


def _spans_of_same(document: Document, mention: Mention) -> tuple[Span, ...]:
    name = mention.occurrence.name
    if mention.owner is not None:
        return tuple(sorted({o.span for o in mention.owner.mentions[name]}))
    places = {
        m.occurrence.span
        for m in document.mentions
        if m.owner is None and m.occurrence.name == name
    }
    return tuple(sorted(places))
