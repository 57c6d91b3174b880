"""The questions the window asks the language service, in the language thread.

The service is imported by the first question, so that the window is usable before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from app.ui.support import gc_driver

if TYPE_CHECKING:
    from app.engine.session.language_service import (
        Analysis,
        Completion,
        Definition,
        Document,
        HelpPage,
        Renaming,
        SignatureHelp,
        Surroundings,
    )
    from app.source import Span

LARGE = 200_000
QUICK = 4_000
"""Texts up to this length are understood anew for every completion; longer ones after pauses."""
_understood: dict[str, Document] = {}
"""The longer text understood last, by name; only the language thread uses it."""


@dataclass(frozen=True)
class Text:
    """A text as it is now, and what is known around it.

    Attributes:
        name: file path or label.
        text: the text.
        folder: where functions are looked for; None for nowhere.
        variables: names in the workspace.
        path: further folders where functions are looked for.
    """

    name: str
    text: str
    folder: Path | None = None
    variables: frozenset[str] = frozenset()
    path: tuple[Path, ...] = ()

    def document(self) -> Document:
        """The text understood."""
        from app.engine.session import language_service
        from app.source import SourceText

        return language_service.open_document(SourceText(self.name, self.text))

    def understood(self) -> Document:
        """The text understood, or the longer text of that name as it was understood last."""
        from app.engine.session import language_service
        from app.source import SourceText

        known = None if self.text else _understood.get(self.name)
        return known or language_service.open_document(SourceText(self.name, self.text))

    def surroundings(self) -> Surroundings:
        """Functions of the folders and variables of the workspace."""
        from app.engine.session import language_service

        return language_service.look_around(self.folders(), self.variables)

    def folders(self) -> list[Path]:
        """Where functions are looked for, each folder once."""
        first = (self.folder,) if self.folder else ()
        return list(dict.fromkeys((*first, *self.path)))


def analyse(text: Text) -> Analysis:
    """Diagnostics, calls, variables and outline of a text."""
    from app.engine.session import language_service
    from app.source import SourceText

    with gc_driver.gc_postponed():  # a syntax tree is large, and has no cycles
        source = SourceText(text.name, text.text)
        made = language_service.analyse(source, surroundings=text.surroundings())
        if QUICK < len(text.text) <= LARGE:
            _understood.clear()
            _understood[text.name] = language_service.open_document(source)
        return made


@dataclass(frozen=True)
class Offer:
    """What may stand before a caret.

    Attributes:
        typed: the part that is typed already.
        candidates: everything that may stand there, whatever is typed.
        uses: how often names are used in the text.
    """

    typed: str
    candidates: tuple[Completion, ...]
    uses: Mapping[str, int]


def offer(text: Text, before: str, offset: int) -> Offer:
    """What may complete the text at ``offset``.

    ``before`` is the line up to there; of a text longer than ``QUICK`` nothing else is needed.
    """
    from app.engine.session import language_service

    document = text.understood()
    place = min(offset, len(document.source.text))
    span, found = language_service.complete(document, place, text.surroundings(), before)
    typed = before[len(before) - (span.end - span.start) :]
    return Offer(typed, found, language_service.name_counts(document.source.text))


def signature_help(text: Text, before: str, offset: int) -> SignatureHelp | None:
    """The call being typed at the end of ``before``."""
    from app.engine.session import language_service

    document, around = text.understood(), text.surroundings()
    return language_service.signature_help(before, document, around, offset)


def function_help(text: Text, name: str) -> HelpPage | None:
    """The page of a function of the text, of a file around it, or of a builtin."""
    from app.engine.session import language_service

    return language_service.function_help(name, text.understood(), text.surroundings())


def references(text: Text, offset: int) -> tuple[Span, ...]:
    """All places of the name at ``offset``."""
    from app.engine.session import language_service

    return language_service.references(text.document(), offset)


def definition(text: Text, offset: int, unsaved: Mapping[str, str]) -> Definition | None:
    """Where the name at ``offset`` is defined; ``unsaved``: the texts of open files by path."""
    from app.engine.session import language_service

    return language_service.definition(text.document(), offset, text.folders(), unsaved)


def help_page(name: str) -> HelpPage | None:
    """The help page of a function."""
    from app.engine.session import language_service

    return language_service.help_page(name)


def help_index() -> tuple[tuple[str, str], ...]:
    """Every function with its category."""
    from app.engine.session import language_service

    return language_service.help_index()


def renaming(text: Text, offset: int, folder: Path, unsaved: Mapping[str, str]) -> Renaming:
    """What renaming the name at ``offset`` means; ``unsaved``: the texts of open files by path."""
    from app.engine.session import language_service

    return language_service.renaming(text.document(), offset, folder, text.folders(), unsaved)
