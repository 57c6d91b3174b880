"""Definition and references of the name under the caret."""

from __future__ import annotations

import re

from app.engine.analysis.analysed_text import Document, Mention
from app.engine.analysis.scopes import BINDING
from app.engine.language.tokens import KEYWORDS
from app.records import record
from app.source import Span

_IDENTIFIER = re.compile(r"[A-Za-z]\w{0,62}", re.ASCII)


@record
class Definition:
    """Where a name is defined: a place in this text, or None for a file elsewhere or a builtin."""

    name: str
    span: Span | None


@record
class Edit:
    """Replace the text of ``span`` by ``text``."""

    span: Span
    text: str


def definition(document: Document, offset: int) -> Definition | None:
    """Where the name at ``offset`` comes from; None when there is no name."""
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
    return () if mention is None else _same(document, mention)


def _same(document: Document, mention: Mention) -> tuple[Span, ...]:
    name = mention.occurrence.name
    if mention.owner is not None:
        return tuple(sorted({o.span for o in mention.owner.mentions[name]}))
    places = {
        m.occurrence.span
        for m in document.mentions
        if m.owner is None and m.occurrence.name == name
    }
    return tuple(sorted(places))


def is_name(text: str) -> bool:
    """True for what may name a variable or a function."""
    return bool(_IDENTIFIER.fullmatch(text)) and text not in KEYWORDS
