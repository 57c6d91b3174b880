"""Clicks on the numbers of lines: breakpoints, while dragging over the numbers selects lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer
from PySide6.QtGui import QMouseEvent

from app.ui.editor.marks import Margin
from app.ui.editor.surface import MATLAB

if TYPE_CHECKING:
    from app.ui.editor.code_editor import CodeEditor


def line_beside(editor: CodeEditor, place: QPoint) -> int:
    """The line (from 1) beside which a place in the margins is; 0 for a place in the text."""
    if place.x() >= sum(editor.marginWidthN(m) for m in Margin):
        return 0
    return int(editor.lineFromPosition(editor.positionFromPoint(0, place.y()))) + 1


class NumberClicks(QObject):
    """Sets and clears breakpoints by clicks on numbers; a child of the editor."""

    def __init__(self, editor: CodeEditor) -> None:
        super().__init__(editor)
        self._editor = editor
        self._pressed = 0
        self._selected = 0, 0
        editor.viewport().installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Look at presses and releases; the editor has them as well."""
        if isinstance(event, QMouseEvent):
            if event.type() == QEvent.Type.MouseButtonPress:
                self._pressed = self._number_at(event)
                self._selected = self._editor.anchor(), self._editor.currentPos()
            elif event.type() == QEvent.Type.MouseButtonRelease:
                line, self._pressed = self._pressed, 0
                if line and line == self._number_at(event):
                    QTimer.singleShot(0, self, lambda: self._toggle(line))
        return False

    def _toggle(self, line: int) -> None:
        """The line was selected by the press: what was before it comes back."""
        anchor, caret = self._selected
        self._editor.setSelection(caret, anchor)
        self._editor.stops.toggle(line)

    def _number_at(self, event: QMouseEvent) -> int:
        """The line (from 1) on whose number the left button is; 0 elsewhere, and for texts."""
        editor, place = self._editor, event.position().toPoint()
        left = sum(editor.marginWidthN(m) for m in Margin if m < Margin.NUMBERS)
        inside = left <= place.x() < left + editor.marginWidthN(Margin.NUMBERS)
        plain = event.button() == Qt.MouseButton.LeftButton and not event.modifiers().value
        takes = editor.marginWidthN(Margin.BREAKPOINTS) and editor.language is MATLAB
        return line_beside(editor, place) if inside and plain and takes else 0
