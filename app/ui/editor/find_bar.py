"""The bar below the editor that finds and replaces; no dialog stands in the way of the text."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import islice, pairwise

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QToolButton,
    QWidget,
)
from pyside6_scintilla import Scintilla

from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.limits import LARGE_TEXT
from app.ui.editor.marks import Indicator
from app.ui.editor.surface import MarkupStyle, indicated, tell_moved
from app.ui.editor.text_changes import one_step, replace_range
from app.ui.run_model.file_search import filled
from app.ui.widgets.panel_parts import ElidedLabel, IconButton

_OPTIONS = (
    ("Aa", "Match case", Scintilla.FindOption.MatchCase),
    ("W", "Whole words", Scintilla.FindOption.WholeWord),
    (".*", "Regular expression", Scintilla.FindOption.RegExp | Scintilla.FindOption.Cxx11RegEx),
)
_MAX_MARKED = 5000
_NARROW, _USUAL, _LEAST = 620, 220, 80
"""Below which width the options have a row of their own; widths of the fields in both cases."""


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
        self._count = ElidedLabel("muted")
        self._options = [
            (_toggle(text, tip, self._search_from_here), flag) for text, tip, flag in _OPTIONS
        ]
        self.regular = self._options[2][0]
        self.inside = _toggle("In selection", "Find in the selected text only", self._limit)
        self._grid = QGridLayout(self)
        self._edited = QTimer(self, singleShot=True, interval=0)
        self._edited.timeout.connect(self._search_again)
        self._build()
        self.field.textChanged.connect(self._search_from_here)
        self.field.returnPressed.connect(self._enter)
        self.replacement.returnPressed.connect(self.replace_one)
        self.hide()

    def _build(self) -> None:
        steps = (
            IconButton("chevron-up", "Previous match", self.find_previous),
            IconButton("chevron-down", "Next match", self.find_next),
        )
        close = IconButton("close", "Close", self.close_bar)
        one, everything = QPushButton("Replace"), QPushButton("Replace all")
        one.clicked.connect(self.replace_one)
        everything.clicked.connect(self.replace_all)
        self._replace_row = (self.replacement, one, everything)
        options = [*(button for button, _ in self._options), self.inside]
        self._choices = _in_a_row(*options)
        grid = self._grid
        grid.setContentsMargins(8, 6, 8, 6)
        grid.setSpacing(6)
        grid.addWidget(self.field, 0, 0)
        grid.addWidget(_in_a_row(*steps, self._count), 0, 2)
        grid.addWidget(close, 0, 3)
        grid.addWidget(self.replacement, 1, 0)
        grid.addWidget(_in_a_row(one, everything), 1, 1, 1, 2, Qt.AlignmentFlag.AlignLeft)
        grid.setColumnStretch(2, 1)
        self._fit()
        for before, after in pairwise((self.field, *self._replace_row, *options, *steps, close)):
            QWidget.setTabOrder(before, after)

    def _fit(self) -> None:
        """Put the options into a row of their own where there is little room."""
        narrow = self.width() < _NARROW
        place = (2, 0, 1, 3) if narrow else (0, 1, 1, 1)
        self._grid.addWidget(self._choices, *place, Qt.AlignmentFlag.AlignLeft)
        for field in (self.field, self.replacement):
            field.setMinimumWidth(_LEAST if narrow else _USUAL)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Options go where there is room."""
        super().resizeEvent(event)
        self._fit()

    # --- use --------------------------------------------------------------------------

    def attach(self, editor: CodeEditor | None) -> None:
        """Find in ``editor`` from now on."""
        if editor is self._editor:
            return
        self.inside.setChecked(False)
        if self._editor is not None:
            self._editor.modified.disconnect(self._on_edit)
            self._editor.clear_indicator(Indicator.FOUND)
        self._editor = editor
        if editor is not None:
            editor.modified.connect(self._on_edit)
        if self.isVisible():
            self._search_again()

    def open(self, *, replace: bool) -> None:
        """Show the bar, with the selected word to look for, or the selected lines to search."""
        for widget in self._replace_row:
            widget.setVisible(replace)
        selected = ""
        if self._editor is not None:
            selected = bytes(self._editor.getSelText().data()).rstrip(b"\0").decode()
        self.show()
        if "\n" in selected:
            self.inside.setChecked(False)
            self.inside.setChecked(True)
        elif selected:
            self.field.setText(selected)
        self.field.setFocus()
        self.field.selectAll()
        self._search_again()

    def _on_edit(self) -> None:
        editor = self._editor
        if editor is not None and self.isVisible() and editor.textLength() <= LARGE_TEXT:
            self._edited.start()

    def close_bar(self) -> None:
        """Hide the bar and give the text its focus and looks back."""
        self.hide()
        self.inside.setChecked(False)
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
        if start < end and self._match(start, self._scope()[1]) == (start, end):
            self._replace([(start, end, self._instead())])
        self.find_next()

    def replace_all(self) -> int:
        """Replace every match as one undoable step; returns how many there were. What stands for
        each follows from the text as it was: the last one is put first."""
        found = [(*match, self._instead()) for match in self._matches()]
        if found:
            self._replace(found)
            self._count.setText(f"{len(found)} replaced")
        return len(found)

    # --- with Scintilla ---------------------------------------------------------------

    def _flags(self) -> int:
        return sum(int(flag) for button, flag in self._options if button.isChecked())

    def _scope(self) -> tuple[int, int]:
        """Where matches count: in the whole text, or in the lines that were selected."""
        editor = self._editor
        if editor is None:
            return 0, 0
        inside = list(indicated(editor, Indicator.SEARCHED)) if self.inside.isChecked() else []
        return (inside[0][0], inside[-1][1]) if inside else (0, editor.textLength())

    def _limit(self) -> None:
        """The selection is searched, or everything again."""
        editor = self._editor
        if editor is None:
            return
        editor.clear_indicator(Indicator.SEARCHED)
        start, end = editor.selectionStart(), editor.selectionEnd()
        if self.inside.isChecked() and start < end:
            self._mark_scope(start, end)
            editor.gotoPos(start)
        self._search_from_here()

    def _mark_scope(self, start: int, end: int) -> None:
        if self._editor is not None:
            self._editor.setIndicatorCurrent(Indicator.SEARCHED)
            self._editor.indicatorFillRange(start, end - start)

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

    def _matches(self) -> Iterator[tuple[int, int]]:
        """Every match from the first to the last; one may be empty, such as the end of a line."""
        position, last = self._scope()
        while (match := self._match(position, last)) is not None:
            yield match
            position = match[1]
            if match[0] == match[1]:
                if position >= last or self._editor is None:
                    return
                position = self._editor.positionAfter(position)

    def _instead(self) -> str:
        """What stands for the match that was just found."""
        editor, text = self._editor, self.replacement.text()
        if editor is None or not self.regular.isChecked():
            return text
        whole = editor.slice(editor.targetStart(), editor.targetEnd())
        return filled(text, lambda n: bytes(editor.tag(n).data()).decode() if n else whole)

    def _replace(self, found: list[tuple[int, int, str]]) -> None:
        """Put texts in the places of matches, as one step; what is searched grows with them."""
        editor = self._editor
        if editor is None:
            return
        first, last = self._scope()
        before = editor.textLength()
        with one_step(editor):
            for start, end, text in reversed(found):
                replace_range(editor, start, end, text)
        if self.inside.isChecked():
            self._mark_scope(first, last + editor.textLength() - before)
        self._search_again()

    def _find(self, *, forward: bool) -> None:
        editor = self._editor
        if editor is None:
            return
        first, last = self._scope()
        selected = editor.selectionStart(), editor.selectionEnd()
        start = min(max(selected[forward], first), last)
        aim, other = (last, first) if forward else (first, last)
        match = self._match(start, aim)
        if match == selected and match[0] == match[1]:  # an empty one, which the caret stands on
            step = editor.positionAfter if forward else editor.positionBefore
            match = self._match(step(start), aim) if start != aim else None
        match = match or self._match(other, aim)
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
        first, last = self._scope()
        start = min(max(editor.selectionStart(), first), last)
        match = self._match(start, last) or self._match(first, last)
        if match is not None:
            self._show(match)

    def _search_again(self) -> None:
        """Mark all matches and count them."""
        self._edited.stop()
        editor = self._editor
        if editor is None:
            return
        editor.clear_indicator(Indicator.FOUND)
        editor.setIndicatorCurrent(Indicator.FOUND)
        editor.setStatus(0)
        self._starts = []
        for start, end in islice(self._matches(), _MAX_MARKED):
            editor.indicatorFillRange(start, end - start)
            self._starts.append(start)
        if not self.field.text():
            self._count.setText("")
        elif editor.status() == int(Scintilla.Status.RegEx):
            self._count.setText("Not a regular expression")
        else:
            self._count.setText(f"{self._match_count_text} found")


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
    field.setMaximumWidth(360)
    return field


def _in_a_row(*widgets: QWidget) -> QWidget:
    row = QWidget()
    layout = QHBoxLayout(row)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(6)
    for widget in widgets:
        layout.addWidget(widget)
    return row


def _toggle(text: str, tip: str, changed: object) -> QToolButton:
    button = QToolButton()
    button.setText(text)
    button.setToolTip(tip)
    button.setAccessibleName(tip)
    button.setCheckable(True)
    button.toggled.connect(changed)
    return button
