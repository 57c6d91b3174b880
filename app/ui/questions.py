"""The questions the window asks the language service, in the language thread.

The service is imported by the first question, so that the window is usable before.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.engine.language_service import Analysis, HelpPage, SignatureHelp


@contextmanager
def _uncollected() -> Iterator[None]:
    """No garbage collection: it would stop all threads while it walks a large syntax tree.

    The tree has no cycles, so that nothing is left behind.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def analyse(name: str, text: str) -> Analysis:
    """Diagnostics, calls, variables and outline of a text."""
    from app.engine import language_service
    from app.source import SourceText

    with _uncollected():
        return language_service.analyse(SourceText(name, text))


def completions(before: str, words: frozenset[str]) -> tuple[str, list[str]]:
    """What may complete the text before the caret."""
    from app.engine import language_service

    return language_service.completions(before, words)


def signature_help(before: str) -> SignatureHelp | None:
    """The call being typed at the end of ``before``."""
    from app.engine import language_service

    return language_service.signature_help(before)


def describe(name: str) -> SignatureHelp | None:
    """Call forms and summary of a function."""
    from app.engine import language_service

    return language_service.describe(name)


def help_page(name: str) -> HelpPage | None:
    """The help page of a function."""
    from app.engine import language_service

    return language_service.help_page(name)


def help_index() -> tuple[tuple[str, str], ...]:
    """Every function with its category."""
    from app.engine import language_service

    return language_service.help_index()
