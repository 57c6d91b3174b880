"""The text of an editor for screen readers: Scintilla has no text interface of its own.

A text widget that is never shown holds a copy, made when somebody asks, and Qt's own interface
to it answers for the editor: text, caret, selection, words, and lines.
"""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QTextCursor
from PySide6.QtWidgets import QAccessibleWidget, QPlainTextEdit

from app.ui.editor.surface import Surface


class AccessibleText(QAccessibleWidget):
    """What a screen reader learns of a surface."""

    def __init__(self, surface: Surface) -> None:
        super().__init__(surface, QAccessible.Role.EditableText)
        self._surface = surface
        self._copy = QPlainTextEdit()
        self._inner = QAccessible.queryAccessibleInterface(self._copy)
        self._stale = True
        surface.modified.connect(self._on_modified)
        surface.destroyed.connect(self._copy.deleteLater)

    def _on_modified(self) -> None:
        self._stale = True

    def interface_cast(self, kind: QAccessible.InterfaceType) -> int:
        """Questions about text go to the copy, which is brought up to date first."""
        if kind != QAccessible.InterfaceType.TextInterface:
            return super().interface_cast(kind)
        self._follow()
        return self._inner.interface_cast(kind)

    def _follow(self) -> None:
        surface = self._surface
        if self._stale:
            self._copy.setPlainText(surface.text())
            self._stale = False
        cursor = self._copy.textCursor()
        cursor.setPosition(self._place(surface.anchor()))
        cursor.setPosition(self._place(surface.currentPos()), QTextCursor.MoveMode.KeepAnchor)
        self._copy.setTextCursor(cursor)

    def _place(self, position: int) -> int:
        """A byte position as Qt counts: in UTF-16 units."""
        return self._surface.countCodeUnits(0, position)

    def state(self) -> QAccessible.State:
        """Several lines, and whether they can be changed."""
        state = super().state()
        state.multiLine, state.selectableText = True, True
        state.editable = not self._surface.readOnly()
        state.readOnly = bool(self._surface.readOnly())
        return state

    def text(self, kind: QAccessible.Text) -> str:
        """Name, the whole text as the value, and where the caret is."""
        surface = self._surface
        if kind == QAccessible.Text.Value:
            return surface.text()
        if kind == QAccessible.Text.Description:
            line = surface.lineFromPosition(surface.currentPos())
            return f"Line {line + 1} of {surface.lineCount()}: {surface.line_text(line).strip()}"
        return super().text(kind)


def _interface(_class_name: str, thing: QObject) -> AccessibleText | None:
    return AccessibleText(thing) if isinstance(thing, Surface) else None


@cache
def install() -> None:
    """Answer for all surfaces from now on."""
    QAccessible.installFactory(_interface)
