"""Renaming in place: a caret in every place of a name, until Enter says that it is done."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from app.ui.editor.surface import Surface, is_enter


class RenamingInPlace:
    """Lets typing rename what only one file knows.

    Enter ends it where it began, Escape and every other caret do, too; it is then one step for
    Undo, however many letters it took. What is typed before the places are known waits for them.
    """

    def __init__(self, surface: Surface) -> None:
        self._surface = surface
        self._active = self._waits = False
        self._kept: list[QKeyEvent] = []
        self._before = b""
        self._places: list[tuple[int, int]] = []

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
            self._before, self._places = self._surface.text().encode(), sorted(places)
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
        if not self._active:
            return False
        several = self._surface.selections() > 1
        if several and not is_enter(event):
            return False
        self.end()
        if several:
            self._surface.set_carets([self._surface.selectionNEnd(0)])
        return several

    def end(self) -> None:
        """Make one step of the letters typed so far, where they are all that has changed."""
        self._active, active = False, self._active
        surface = self._surface
        after, begin = surface.text().encode(), self._places[0][0] if active else 0
        longer = (len(after) - len(self._before)) // max(len(self._places), 1)
        word = after[begin : self._places[0][1] + longer] if active else b""
        if not active or after == self._before or self._renamed(word) != after:
            return
        carets = [surface.selectionNEnd(n) for n in range(surface.selections())]
        steps = 0
        while surface.canUndo() and (
            surface.textLength() != len(self._before) or surface.text().encode() != self._before
        ):
            surface.undo()
            steps += 1
        if surface.text().encode() != self._before:
            for _ in range(steps):
                surface.redo()
            return
        surface.beginUndoAction()
        for start, end in reversed(self._places):
            surface.setTargetRange(start, end)
            surface.replaceTarget(len(word), word.decode())
        surface.endUndoAction()
        surface.set_carets(carets)

    def _renamed(self, word: bytes) -> bytes:
        """The text as it was, with another word in every place."""
        parts, last = [], 0
        for start, end in self._places:
            parts += [self._before[last:start], word]
            last = end
        return b"".join([*parts, self._before[last:]])
