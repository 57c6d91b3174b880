"""Where what is shipped in the language itself is: nobody edits it while the program runs."""

from __future__ import annotations

from app import paths
from app.engine.declarations import toolboxes

_LIBRARY = str(paths.resource("library"))


def shipped_folders() -> tuple[str, ...]:
    """The folder of the library, and those of the toolboxes that are not left out."""
    return (_LIBRARY, *toolboxes.shipped_folders())
