"""Renaming in place: a caret in every place of a name, until Enter says that it is done."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from app.ui.editor.surface import Surface, is_enter


class RenamingInPlace:
    """Lets typing rename what only one file knows.

    Enter ends it where it began, Escape and every other caret do, too. What is typed before the
    places are known waits for them.
    """

    def __init__(self, surface: Surface) -> None:
        self._surface = surface
        self._active = self._waits = False
        self._kept: list[QKeyEvent] = []

    def wait(self) -> None:
        """Keep what is typed from now on, until it is known where it belongs."""
        self._waits = True
        self._kept.clear()

    def begin(self, places: Sequence[tuple[int, int]]) -> None:
        """Select every place of a name, the first one chiefly, and type what waited."""
        if self._waits:
            self._surface.set_ranges(places)
            self._surface.setMainSelection(0)
            self._active = True
            self.hand_to(self._surface)

    def hand_to(self, widget: QWidget) -> None:
        """Wait no longer: what was typed meanwhile is typed there."""
        self._waits = False
        kept, self._kept = self._kept, []
        for event in kept:
            QCoreApplication.sendEvent(widget, event)

    def on_key(self, event: QKeyEvent) -> bool:
        """End it with Enter, which then begins no lines; Escape ends waiting for it."""
        if self._waits:
            self._waits = event.key() != Qt.Key.Key_Escape
            self._kept = [*self._kept, event.clone()] if self._waits else []
            return True
        self._active = self._active and self._surface.selections() > 1
        if not (self._active and is_enter(event)):
            return False
        self._active = False
        self._surface.set_carets([self._surface.selectionNEnd(0)])
        return True
