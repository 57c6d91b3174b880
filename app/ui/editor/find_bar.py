"""The bar below the editor that finds and replaces; no dialog stands in the way of the text."""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QGridLayout,
    QLineEdit,
    QPushButton,
    QToolButton,
    QWidget,
)
from pyside6_scintilla import Scintilla

from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.marks import Indicator
from app.ui.editor.surface import MarkupStyle, tell_moved
from app.ui.widgets.panel_parts import IconButton, label

_OPTIONS = (
    ("Aa", "Match case", Scintilla.FindOption.MatchCase),
    ("W", "Whole words", Scintilla.FindOption.WholeWord),
    (".*", "Regular expression", Scintilla.FindOption.RegExp | Scintilla.FindOption.Cxx11RegEx),
)
_MAX_MARKED = 5000


class FindBar(QWidget):
    """Finds in the editor that ``attach`` gave, while one types; every match is marked."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("FindBar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._editor: CodeEditor | None = None
        self._starts: list[int] = []  # of the matches that are marked
        self.field = _field("Find")
        self.replacement = _field("Replace")
        self._count = label("", "muted")
        self._options = [
            (_toggle(text, tip, self._search_from_here), flag) for text, tip, flag in _OPTIONS
        ]
        self._build()
        self.field.textChanged.connect(self._search_from_here)
        self.field.returnPressed.connect(self._enter)
        self.replacement.returnPressed.connect(self.replace_one)
        self.hide()

    def _build(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(8, 6, 8, 6)
        grid.setSpacing(6)
        grid.addWidget(self.field, 0, 0)
        for number, (button, _) in enumerate(self._options):
            grid.addWidget(button, 0, 1 + number)
        previous = IconButton("chevron-up", "Previous match", self.find_previous)
        following = IconButton("chevron-down", "Next match", self.find_next)
        close = IconButton("close", "Close", self.close_bar)
        for widget, column in ((previous, 4), (following, 5), (self._count, 6), (close, 8)):
            grid.addWidget(widget, 0, column)
        one, everything = QPushButton("Replace"), QPushButton("Replace all")
        one.clicked.connect(self.replace_one)
        everything.clicked.connect(self.replace_all)
        grid.addWidget(self.replacement, 1, 0)
        grid.addWidget(one, 1, 1, 1, 3)
        grid.addWidget(everything, 1, 4, 1, 3)
        grid.setColumnStretch(7, 1)
        self._replace_row = (self.replacement, one, everything)
        options = [button for button, _ in self._options]
        order = (self.field, *self._replace_row, *options, previous, following, close)
        for before, after in pairwise(order):
            QWidget.setTabOrder(before, after)

    # --- use --------------------------------------------------------------------------

    def attach(self, editor: CodeEditor | None) -> None:
        """Find in ``editor`` from now on."""
        if self._editor is not None and self.isVisible():
            self._editor.clear_indicator(Indicator.FOUND)
        self._editor = editor
        if self.isVisible():
            self._search_again()

    def open(self, *, replace: bool) -> None:
        """Show the bar, with the selected word to look for."""
        for widget in self._replace_row:
            widget.setVisible(replace)
        if self._editor is not None:
            selected = bytes(self._editor.getSelText().data()).rstrip(b"\0").decode()
            if selected and "\n" not in selected:
                self.field.setText(selected)
        self.show()
        self.field.setFocus()
        self.field.selectAll()
        self._search_again()

    def close_bar(self) -> None:
        """Hide the bar and give the text its focus and looks back."""
        self.hide()
        if self._editor is not None:
            self._editor.clear_indicator(Indicator.FOUND)
            self._editor.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape closes the bar."""
        if event.key() == Qt.Key.Key_Escape:
            self.close_bar()
        else:
            super().keyPressEvent(event)

    def _enter(self) -> None:
        held = QApplication.keyboardModifiers()
        self._find(forward=not held & Qt.KeyboardModifier.ShiftModifier)

    def find_next(self) -> None:
        """Select the next match, from the top after the last one."""
        self._find(forward=True)

    def find_previous(self) -> None:
        """Select the match before."""
        self._find(forward=False)

    def replace_one(self) -> None:
        """Replace the selected match and go to the next."""
        editor = self._editor
        if editor is None:
            return
        start, end = editor.selectionStart(), editor.selectionEnd()
        if self._match(start, end) == (start, end) and start < end:
            self._replace(start, end)
            self._search_again()
        self.find_next()

    def replace_all(self) -> int:
        """Replace every match as one undoable step; returns how many there were."""
        editor = self._editor
        if editor is None or not self.field.text():
            return 0
        editor.beginUndoAction()
        position, done = 0, 0
        while (match := self._match(position, editor.textLength())) is not None:
            position = match[0] + self._replace(*match)
            done += 1
            if match[0] == match[1]:
                position += 1
        editor.endUndoAction()
        self._search_again()
        self._count.setText(f"{done} replaced")
        return done

    # --- with Scintilla ---------------------------------------------------------------

    def _flags(self) -> int:
        return sum(int(flag) for button, flag in self._options if button.isChecked())

    def _match(self, start: int, end: int) -> tuple[int, int] | None:
        editor, wanted = self._editor, self.field.text()
        if editor is None or not wanted:
            return None
        editor.setSearchFlags(self._flags())
        while True:
            editor.setTargetRange(start, end)
            if editor.searchInTarget(len(wanted.encode()), wanted) < 0:
                return None
            match = editor.targetStart(), editor.targetEnd()
            if not _is_hidden(editor, match[0]):
                return match
            start = max(match[1], match[0] + 1) if start <= end else match[0]

    def _replace(self, start: int, end: int) -> int:
        editor = self._editor
        if editor is None:
            return 0
        text = self.replacement.text()
        editor.setTargetRange(start, end)
        regular = self._options[2][0].isChecked()
        if regular:
            self._match(start, end)
            text = re.sub(r"\$(\d)", r"\\\1", text)  # $1 as everywhere else in the window
            return editor.replaceTargetRE(len(text.encode()), text)
        return editor.replaceTarget(len(text.encode()), text)

    def _find(self, *, forward: bool) -> None:
        editor = self._editor
        if editor is None:
            return
        length = editor.textLength()
        if forward:
            spans = ((editor.selectionEnd(), length), (0, length))
        else:
            spans = ((editor.selectionStart(), 0), (length, 0))
        match = self._match(*spans[0]) or self._match(*spans[1])
        if match is not None:
            self._show(match)
        elif not self.isVisible():
            self.open(replace=False)  # which says that there is none, or asks for something

    def _show(self, match: tuple[int, int]) -> None:
        """Select a match, and say which one it is."""
        editor = self._editor
        if editor is None:
            return
        editor.ensureVisible(editor.lineFromPosition(match[0]))
        editor.setSel(*match)
        tell_moved(editor)
        if self.isVisible():
            self._say_place(match[0])

    def _say_place(self, start: int) -> None:
        place = bisect_left(self._starts, start)
        if place < len(self._starts) and self._starts[place] == start:
            self._count.setText(f"{place + 1} of {self._match_count_text}")

    @property
    def _match_count_text(self) -> str:
        """How many matches there are."""
        count = len(self._starts)
        return f"{count}+" if count == _MAX_MARKED else str(count)

    def _search_from_here(self) -> None:
        """Something else is looked for: select the first match behind where one is."""
        editor = self._editor
        if editor is None or not self.isVisible():
            return
        self._search_again()
        start, end = editor.selectionStart(), editor.textLength()
        match = self._match(start, end) or self._match(0, end)
        if match is not None:
            self._show(match)

    def _search_again(self) -> None:
        """Mark all matches and count them."""
        editor = self._editor
        if editor is None:
            return
        editor.clear_indicator(Indicator.FOUND)
        editor.setIndicatorCurrent(Indicator.FOUND)
        self._starts = []
        position, end = 0, editor.textLength()
        while len(self._starts) < _MAX_MARKED:
            match = self._match(position, end)
            if match is None:
                break
            editor.indicatorFillRange(match[0], match[1] - match[0])
            position = max(match[1], position + 1)
            self._starts.append(match[0])
        self._count.setText(f"{self._match_count_text} found" if self.field.text() else "")


def _is_hidden(editor: CodeEditor, position: int) -> bool:
    """Whether a place is in what nobody sees: marks of a document, a trailer that is folded."""
    match editor.styleAt(position):
        case MarkupStyle.MARK:
            return editor.covered
        case MarkupStyle.APPENDIX:
            return editor.covered or not editor.lineVisible(editor.lineFromPosition(position))
        case _:
            return False


def _field(placeholder: str) -> QLineEdit:
    field = QLineEdit()
    field.setPlaceholderText(placeholder)
    field.setAccessibleName(placeholder)
    field.setMinimumWidth(220)
    field.setMaximumWidth(360)
    return field


def _toggle(text: str, tip: str, changed: object) -> QToolButton:
    button = QToolButton()
    button.setText(text)
    button.setToolTip(tip)
    button.setAccessibleName(tip)
    button.setCheckable(True)
    button.toggled.connect(changed)
    return button
