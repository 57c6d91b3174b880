"""Renaming in place: a caret in every place of a name, until Enter says that it is done."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QKeyEvent

from app.ui.editor.surface import Surface, is_enter


class RenamingInPlace:
    """Lets typing rename what only one file knows.

    Enter ends it where it began, Escape and every other caret do, too.
    """

    def __init__(self, surface: Surface) -> None:
        self._surface = surface
        self._active = False

    def begin(self, places: Sequence[tuple[int, int]]) -> None:
        """Select every place of a name, the first one chiefly."""
        self._surface.set_ranges(places)
        self._surface.setMainSelection(0)
        self._active = True

    def on_key(self, event: QKeyEvent) -> bool:
        """End it with Enter, which then begins no lines."""
        self._active = self._active and self._surface.selections() > 1
        if not (self._active and is_enter(event)):
            return False
        self._active = False
        self._surface.set_carets([self._surface.selectionNEnd(0)])
        return True
