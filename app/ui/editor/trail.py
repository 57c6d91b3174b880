"""The places where the caret has been: back and forward, as in a browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QObject

from app.ui.editor.area import EditorArea

NEAR = 10
"""Lines; a caret that moves less far is still at the same place."""
MOST = 100


class Place(NamedTuple):
    """A line (from 1) and a column of an open or once open file."""

    file: str
    line: int
    column: int


class Trail(QObject):
    """Notes every place the caret jumps to: definitions, search results, other tabs, far lines.

    ``open_location`` shows a file at a line.
    """

    def __init__(self, editors: EditorArea, open_location: Callable[[str, int], None]) -> None:
        super().__init__(editors)
        self._editors = editors
        self._open = open_location
        self._places: list[Place] = []
        self._now = -1
        self._leaving = False
        editors.caret_moved.connect(self._note)
        editors.current_changed.connect(self._note)

    def leave(self) -> None:
        """The next move is a jump, however short: one can come back from it."""
        self._note()
        self._leaving = True

    def go(self, step: int) -> bool:
        """Show the place before (-1) or after (1); False when there is none.

        Places in texts that are no more, closed without a file or deleted, are passed over.
        """
        self._note()
        before, here = self._now, self._current_place()
        wanted = before + step if here is not None else before + max(step, 0)
        while 0 <= wanted < len(self._places):
            self._now, place = wanted, self._places[wanted]
            if (here is None or place[:2] != here[:2]) and self._show(place):
                return True
            wanted += step
        self._now = before
        return False

    def _show(self, place: Place) -> bool:
        self._open(place.file, place.line)
        here = self._current_place()
        editor = self._editors.focused()
        if editor is None or here is None or here.file != place.file:
            return False
        editor.go_to(place.line, place.column)
        return True

    def _current_place(self) -> Place | None:
        editor = self._editors.focused()
        if editor is None:
            return None
        name = str(editor.path or editor.untitled)
        return Place(name, editor.caret_line, editor.caret_column)

    def _note(self) -> None:
        here = self._current_place()
        if here is None:
            return
        if self._now >= 0:
            last = self._places[self._now]
            near = last.file == here.file and abs(last.line - here.line) <= NEAR
            if here[:2] == last[:2] or (near and not self._leaving):
                self._places[self._now] = here
                return
        self._leaving = False
        self._places = [*self._places[: self._now + 1], here][-MOST:]
        self._now = len(self._places) - 1
