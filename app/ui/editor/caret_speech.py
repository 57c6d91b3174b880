"""What a screen reader says by itself while the caret moves in a text surface."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

from app.ui.editor.surface import Surface


class CaretSpeech(QObject):
    """Announces the line when the caret comes to another one, and the letter when it moves in it.

    Costs nothing while no screen reader listens.
    """

    def __init__(self, surface: Surface) -> None:
        super().__init__(surface)
        self._surface = surface
        self._line = -1
        self._position = -1
        surface.updateUi.connect(self._on_update)

    def _on_update(self, _what: int) -> None:
        if QAccessible.isActive() and self._surface.hasFocus():
            text = self.to_say()
            if text:
                event = QAccessibleAnnouncementEvent(self._surface, text)
                QAccessible.updateAccessibility(event)

    def to_say(self) -> str:
        """What is new since the last time: a line, a letter, or nothing."""
        position = self._surface.currentPos()
        line = self._surface.lineFromPosition(position)
        moved = position != self._position
        same_line = line == self._line
        self._line, self._position = line, position
        if not same_line:
            return self._surface.line_text(line).strip() or "blank"
        if not moved:
            return ""
        letter = self._surface.slice(position, self._surface.positionAfter(position))
        return {" ": "space", "\n": "end of line", "": "end of text"}.get(letter, letter)
