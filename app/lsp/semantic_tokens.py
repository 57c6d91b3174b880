"""Colours by meaning: what each name of a text is."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from app.engine.analysis.scopes import Role
from app.engine.session import language_service as service
from app.lsp.convert import Text

TOKENS = ("function", "variable", "parameter", "method")
MODIFIERS = ("definition", "defaultLibrary", "modification")
LEGEND = types.SemanticTokensLegend(list(TOKENS), list(MODIFIERS))
_WRITES = frozenset((Role.WRITE, Role.PARTIAL, Role.LOOP, Role.OUTPUT))


def tokens_of(text: Text) -> list[int]:
    """Five numbers for each name of a text, as the protocol has them."""
    return list(_relative(_tokens(text)))


def _tokens(text: Text) -> Iterator[tuple[types.Position, int, int, int]]:
    """Position, length in the client's units, kind and modifiers of each name of a text."""
    own = text.parsed.definitions
    for mention in text.parsed.mentions:
        occurrence = mention.occurrence
        modifiers = 0
        if mention.owner is None:
            known = occurrence.name in own or occurrence.name in service.builtin_names()
            if not known:
                continue
            kind = TOKENS.index("function")
            modifiers = 0 if occurrence.name in own else 1 << MODIFIERS.index("defaultLibrary")
        else:
            is_parameter = occurrence.role is Role.PARAMETER
            kind = TOKENS.index("parameter" if is_parameter else "variable")
            if occurrence.role in _WRITES:
                modifiers = 1 << MODIFIERS.index("modification")
        place = text.range(occurrence.span)
        if place.start.line == place.end.line:
            yield place.start, place.end.character - place.start.character, kind, modifiers


def _relative(
    tokens: Iterator[tuple[types.Position, int, int, int]],
) -> Iterator[int]:
    """Five numbers a token: lines and characters since the one before, length, kind, modifiers."""
    line = character = 0
    seen: set[tuple[int, int]] = set()
    for start, length, kind, modifiers in tokens:
        if (start.line, start.character) in seen:
            continue
        seen.add((start.line, start.character))
        same = start.line == line
        yield from (start.line - line, start.character - (character if same else 0))
        yield from (length, kind, modifiers)
        line, character = start.line, start.character
