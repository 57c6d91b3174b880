"""Typing at several carets: the letters of one go are one step to undo, as they are at one."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from pyside6_scintilla import ScintillaEdit

from app.ui.editor.surface import Surface
from app.ui.editor.text_changes import one_step


class _Caret(NamedTuple):
    """A caret and where its selection begins; in a rectangle both may be beyond a line's end."""

    place: int
    beyond: int
    anchor: int
    anchor_beyond: int


class _State(NamedTuple):
    """The carets of a text of so many bytes."""

    carets: tuple[_Caret, ...]
    length: int


class ColumnTyping:
    """Makes one step of the letters that are typed after each other at the same carets.

    The library makes a step of every letter, so those before are undone and typed again with
    the next one behind them.
    """

    def __init__(self, editor: Surface) -> None:
        self._editor = editor
        self._begun: _State | None = None
        self._left: _State | None = None
        self._text = ""

    def on_key(self, event: QKeyEvent) -> bool:
        """Type a letter at several carets; False where the key or the caret is another one."""
        editor, text = self._editor, event.text()
        commands = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.MetaModifier
        if not text.isprintable() or not text or event.modifiers() & commands:
            return False
        if editor.selections() < 2 or editor.readOnly():
            return False
        here = self._state()
        if here != self._left or not self._taken_back(here):
            self._begun, self._text = here, ""
        self._text += text
        plain = Qt.KeyboardModifier.NoModifier
        typed = QKeyEvent(QEvent.Type.KeyPress, event.key(), plain, self._text)
        with one_step(editor):
            ScintillaEdit.keyPressEvent(editor, typed)
        self._left = self._state()
        return True

    def _taken_back(self, here: _State) -> bool:
        """Undo the letters so far; False, with nothing changed, where that was something else."""
        editor, begun = self._editor, self._begun
        if begun is None or not editor.canUndo():
            return False
        editor.undo()
        if editor.textLength() != begun.length:
            editor.redo()
            self._put(here)
            return False
        self._put(begun)
        return True

    def _put(self, state: _State) -> None:
        """Put the carets there."""
        editor = self._editor
        first, *others = state.carets
        editor.setSelection(first.place, first.anchor)
        for caret in others:
            editor.addSelection(caret.place, caret.anchor)
        for number, caret in enumerate(state.carets):
            editor.setSelectionNCaretVirtualSpace(number, caret.beyond)
            editor.setSelectionNAnchorVirtualSpace(number, caret.anchor_beyond)

    def _state(self) -> _State:
        editor = self._editor
        carets = (
            _Caret(
                editor.selectionNCaret(number),
                editor.selectionNCaretVirtualSpace(number),
                editor.selectionNAnchor(number),
                editor.selectionNAnchorVirtualSpace(number),
            )
            for number in range(editor.selections())
        )
        return _State(tuple(carets), editor.textLength())
