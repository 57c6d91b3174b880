"""Brackets and quotes in pairs: closed as they are opened, typed over, deleted and put around."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from pyside6_scintilla import Scintilla

from app.ui.editor.marks import Indicator
from app.ui.editor.surface import MOVED, Surface, indicated, text_before
from app.ui.editor.text_changes import one_step

CLOSERS = {"(": ")", "[": "]", "{": "}", "'": "'", '"': '"'}
_CLOSING = frozenset(CLOSERS.values())
_ROOM = "\0\n\r\t )]},;"
"""What may stand behind the caret where a pair is closed by itself."""
_COMMANDS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier


def typed_text(event: QKeyEvent) -> str:
    """The characters a key types; empty for keys that command."""
    held = event.modifiers() & _COMMANDS
    if (held and held != _COMMANDS) or event.modifiers() & Qt.KeyboardModifier.MetaModifier:
        return ""
    text = event.text()
    return text if text.isprintable() else ""


class Pairs:
    """What pairs do at the carets of a surface.

    A closing half that was put there by itself is marked until the caret leaves its line: only
    such a one is typed over, and only such a pair is deleted as one, so that what is typed is
    what stands there.
    """

    def __init__(self, surface: Surface, wanted: Callable[[], bool] = lambda: True) -> None:
        self._surface = surface
        self._wanted = wanted
        self._live = False
        surface.indicSetStyle(Indicator.AUTO_CLOSED, Scintilla.IndicatorStyle.Hidden)
        surface.updateUi.connect(self._on_update)

    def on_key(self, event: QKeyEvent) -> bool:
        """Do what a key means for pairs; False when it means nothing to them."""
        surface = self._surface
        if surface.readOnly() or not self._wanted() or surface.selectionIsRectangle():
            return False
        if event.key() == Qt.Key.Key_Backspace and not event.modifiers():
            return self._delete_pair()
        text = typed_text(event)
        if (text not in CLOSERS and text not in _CLOSING) or not text:
            return False
        ranges = surface.ranges()
        if all(start < end for start, end in ranges):
            return text in CLOSERS and self._put_around(text, ranges)
        if any(start < end for start, end in ranges):
            return False
        carets = [start for start, _ in ranges]
        return self._type_over(text, carets) or self._close(text, carets)

    def _character_at(self, position: int) -> str:
        return chr(self._surface.charAt(position) & 0xFF)

    def _is_automatic(self, position: int) -> bool:
        return bool(self._surface.indicatorValueAt(Indicator.AUTO_CLOSED, position))

    def _mark(self, positions: list[int], *, on: bool) -> None:
        surface = self._surface
        surface.setIndicatorCurrent(Indicator.AUTO_CLOSED)
        for position in positions:
            (surface.indicatorFillRange if on else surface.indicatorClearRange)(position, 1)
        self._live = self._live or on

    def _type_over(self, text: str, carets: list[int]) -> bool:
        if not all(self._character_at(c) == text and self._is_automatic(c) for c in carets):
            return False
        self._mark(carets, on=False)
        self._surface.set_carets([c + 1 for c in carets])
        self._surface.charAdded.emit(ord(text))
        return True

    def _close(self, text: str, carets: list[int]) -> bool:
        surface = self._surface
        if text not in CLOSERS or not all(self._opens(text, caret) for caret in carets):
            return False
        with one_step(surface):
            for caret in reversed(carets):
                surface.insertText(caret, text + CLOSERS[text])
        inner = [caret + 2 * number + 1 for number, caret in enumerate(carets)]
        self._mark(inner, on=True)
        surface.set_carets(inner)
        surface.charAdded.emit(ord(text))
        return True

    def _opens(self, text: str, caret: int) -> bool:
        from app.engine.session import language_service

        return self._character_at(caret) in _ROOM and language_service.opens_pair(
            text_before(self._surface, caret), text
        )

    def _put_around(self, text: str, ranges: list[tuple[int, int]]) -> bool:
        surface = self._surface
        with one_step(surface):
            for start, end in reversed(ranges):
                surface.insertText(end, CLOSERS[text])
                surface.insertText(start, text)
        moved = [(s + 2 * n + 1, e + 2 * n + 1) for n, (s, e) in enumerate(ranges)]
        surface.set_ranges(moved)
        return True

    def _delete_pair(self) -> bool:
        surface = self._surface
        ranges = surface.ranges()
        carets = [start for start, end in ranges if start == end > 0]
        if len(carets) < len(ranges) or not all(
            CLOSERS.get(self._character_at(c - 1)) == self._character_at(c)
            and self._is_automatic(c)
            for c in carets
        ):
            return False
        with one_step(surface):
            for caret in reversed(carets):
                surface.deleteRange(caret - 1, 2)
        surface.set_carets([caret - 1 - 2 * number for number, caret in enumerate(carets)])
        return True

    def _on_update(self, what: int) -> None:
        """Where the caret has left the line, a closing half is a character like any other."""
        if not self._live or not what & MOVED:
            return
        surface = self._surface
        lines = {surface.lineFromPosition(end) for _, end in surface.ranges()}
        found = list(indicated(surface, Indicator.AUTO_CLOSED))
        left = [
            p for a, b in found for p in range(a, b) if surface.lineFromPosition(p) not in lines
        ]
        self._mark(left, on=False)
        self._live = sum(b - a for a, b in found) > len(left)
