"""Some lines of a file in a place of their own: a second view with every other line hidden."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from pyside6_scintilla import Scintilla

from app.ui.documents.cell_typing import CellTyping
from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.marks import HEAT_MARKERS, HISTORY_MARKERS, Margin
from app.ui.editor.split import SecondView
from app.ui.editor.surface import MarkupStyle
from app.ui.support.fonts import UI_FAMILY, CodeFont
from app.ui.support.theme import theme_hub

Key = Qt.Key
_FREE = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
PADDING = 6
"""Pixels above and below the lines."""


class Cell(QObject):
    """The lines ``first`` to ``last`` (from 1) of an editor's text.

    Text, undo history, marks, breakpoints and colours are the editor's. Marks of outputs and
    controls, and the prefixes of text, cannot be seen here, nor deleted by hand.

    Attributes:
        view: the widget.
        is_code: whether the lines are code; text has no margins, and is set in the text's face.
        typing: what keys mean in it.
    """

    left = Signal(int)
    """The caret wants to go above (-1) or below (1), or has done with the cell (0)."""
    emptied = Signal()
    """Backspace in an empty cell."""
    focused = Signal(bool)
    caret_moved = Signal()

    def __init__(self, main: CodeEditor) -> None:
        self.view = SecondView(main)
        super().__init__(self.view)
        self.first = self.last = 1
        self._lines = main.lineCount()
        self.is_code = True
        self.typing = CellTyping(self.view)
        view = self.view
        view.setAccessibleName("Cell")
        view.setVScrollBar(False)
        view.setHScrollBar(False)
        view.setYCaretPolicy(0, 0)
        view.setAutomaticFold(0)
        view.setEndAtLastLine(False)
        view.ground = "sunken"
        view.key_handlers.insert(0, self._on_key)
        view.updateUi.connect(self._keep_caret)
        view.caret_moved.connect(self.caret_moved)
        for signal in (view.linesAdded, view.zoomed):
            signal.connect(self._set_margins)
        view.installEventFilter(self)
        view.viewport().installEventFilter(self)
        theme_hub().changed.connect(self._use_theme)
        view.zoomed.connect(self._use_theme)  # which makes the markers anew
        view.apply_theme()
        self._use_theme()

    def _use_theme(self) -> None:
        """What belongs to the format is not seen; text has the face of text."""
        view = self.view
        view.styleSetVisible(MarkupStyle.MARK, False)
        for style, more in ((MarkupStyle.PROSE, 1), (MarkupStyle.HEADING, 4)):
            view.styleSetFont(style, UI_FAMILY)
            view.styleSetSize(style, CodeFont.points + more)
        view.styleSetBold(MarkupStyle.HEADING, True)
        # Without its margin a marker would paint the whole line.
        for marker in (*HEAT_MARKERS, *HISTORY_MARKERS):
            view.markerDefine(marker, Scintilla.MarkerSymbol.Empty)
        self._set_margins()

    def show_lines(self, first: int, last: int, *, is_code: bool) -> None:
        """Show these lines; nothing is painted anew where they are all that is shown."""
        before = self.first, self.last, self.is_code
        self.first, self.last, self.is_code = first, last, is_code
        view = self.view
        self.typing.first, self.typing.last = first - 1, last - 1
        count = self._lines = view.lineCount()
        if is_code and before == (first, last, is_code) and self._shows_its_lines():
            return
        if first > 1:
            view.hideLines(0, first - 2)
        if last < count:
            view.hideLines(last, count - 1)
        view.showLines(first - 1, last - 1)
        self._set_margins()
        view.setMarginLeft(4 if is_code else 12)
        view.setWrapMode(Scintilla.Wrap.None_ if is_code else Scintilla.Wrap.Word)
        if not first <= view.caret_line <= last:
            view.setEmptySelection(view.positionFromLine(first - 1))
        view.setXOffset(0)

    def _shows_its_lines(self) -> bool:
        """Whether these lines are visible and no other one is, in code, which is not wrapped."""
        view, count = self.view, self._lines
        if not (view.lineVisible(self.first - 1) and view.lineVisible(self.last - 1)):
            return False
        above_last = self.last - self.first + (self.last < count)
        return view.visibleFromDocLine(count - 1) == above_last and (
            view.visibleFromDocLine(self.last - 1) == self.last - self.first
        )

    def _set_margins(self) -> None:
        view = self.view
        for margin in (Margin.TIMES, Margin.HEAT, Margin.CHANGES, Margin.FOLDS):
            view.setMarginWidthN(margin, 0)
        view.setMarginWidthN(Margin.BREAKPOINTS, 16 if self.is_code else 0)
        view.setMarginWidthN(Margin.GROUPS, 14 if self.is_code else 0)
        if not self.is_code:
            view.setMarginWidthN(Margin.NUMBERS, 0)
        elif not view.marginWidthN(Margin.NUMBERS):
            view.setMarginWidthN(Margin.NUMBERS, 36)

    def height(self) -> int:
        """The pixels that the lines take."""
        rows = self.last - self.first + 1
        if not self.is_code:
            lines = range(self.first - 1, self.last)
            rows = sum(max(1, self.view.wrapCount(line)) for line in lines)
        return int(rows * self.view.textHeight(0) + PADDING)

    @property
    def start(self) -> int:
        """The byte position where the first line can be written on."""
        return self.typing.seen(self.first - 1)[0]

    @property
    def end(self) -> int:
        """The byte position behind the last line's text."""
        return self.typing.seen(self.typing.last)[1]

    # --- the caret stays inside -----------------------------------------------------------

    def _keep_caret(self, _what: int) -> None:
        """Selections that reach out of the lines end at their borders.

        Lines that were typed a moment ago belong to the cell before the page is laid out anew.
        """
        view = self.view
        last = self.last + max(0, view.lineCount() - self._lines)
        self.typing.last = last - 1
        start, end = view.positionFromLine(self.first - 1), view.lineEndPosition(last - 1)
        anchor, caret = view.anchor(), view.currentPos()
        if not (start <= caret <= end and start <= anchor <= end):
            view.setSelection(min(max(caret, start), end), min(max(anchor, start), end))
        if view.hasFocus():
            self.typing.keep_out_of_marks()
        view.setFirstVisibleLine(0)
        if not view.hasFocus():
            view.braceHighlight(-1, -1)

    def _on_key(self, event: QKeyEvent) -> bool:
        key, at = event.key(), self.view.caret_line
        free = event.modifiers() in _FREE
        if key == Key.Key_Escape and free:
            self.left.emit(0)
        elif key == Key.Key_Up and free and at == self.first:
            self.left.emit(-1)
        elif key == Key.Key_Down and free and at == self.last:
            self.left.emit(1)
        elif key in (Key.Key_Backspace, Key.Key_Delete):
            return self._on_delete(event)
        elif key == Key.Key_A and event.modifiers() == Qt.KeyboardModifier.ControlModifier:
            self.view.setSelection(self.end, self.start)
        else:
            return self.typing.on_key(event)
        return True

    def _on_delete(self, event: QKeyEvent) -> bool:
        """At the borders nothing is deleted: the line above or below is another cell's."""
        view, back = self.view, event.key() == Key.Key_Backspace
        if not view.selectionEmpty():
            return self.typing.on_key(event)
        place = view.currentPos()
        at_border = place <= self.start if back else place >= self.end
        if at_border and back and self.start == self.end and self.first == self.last:
            self.emptied.emit()
        return at_border or self.typing.on_key(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The page scrolls, not the cell; who has the keyboard is told."""
        kind = event.type()
        if kind == QEvent.Type.Wheel:
            event.ignore()
            return True
        if watched is self.view and kind == QEvent.Type.FocusIn:
            self._lines = self.view.lineCount()
            self.focused.emit(True)
        elif watched is self.view and kind == QEvent.Type.FocusOut:
            self.view.braceHighlight(-1, -1)
            self.focused.emit(False)
        return False
