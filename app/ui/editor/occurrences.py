"""Several carets: at the occurrences of a word or of a selection, and in lines below each other."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent
from pyside6_scintilla import Scintilla

from app.ui.editor.surface import Surface

_COLUMNS = Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.ShiftModifier


def add_occurrence(surface: Surface, *, every: bool = False) -> None:
    """Select the word at the caret; then its next occurrence too, or every one."""
    main = surface.mainSelection()
    start, end = surface.selectionNStart(main), surface.selectionNEnd(main)
    if start == end:  # Scintilla would look for nothing for ever
        start, end = word_around(surface, start)
        if start < end:
            surface.set_ranges([(start, end)])
        if start == end or not every:
            return
    surface.targetWholeDocument()
    flags = Scintilla.FindOption
    whole = word_around(surface, start) == (start, end)
    surface.setSearchFlags(flags.MatchCase | (flags.WholeWord if whole else 0))
    if every:
        surface.multipleSelectAddEach()
    else:
        surface.multipleSelectAddNext()
    surface.scrollCaret()


def word_around(surface: Surface, position: int) -> tuple[int, int]:
    """Start and end of the word at a position; an empty range for none."""
    start = surface.wordStartPosition(position, True)
    return start, surface.wordEndPosition(position, True)


def add_caret(surface: Surface, step: int) -> None:
    """One more caret above the first one (``step`` -1) or below the last one (1), in the column
    of the one furthest right, or at the end of a line that is shorter."""
    carets = [surface.selectionNCaret(n) for n in range(surface.selections())]
    line = surface.lineFromPosition(max(carets) if step > 0 else min(carets)) + step
    if 0 <= line < surface.lineCount():
        column = max(map(surface.column, carets))
        surface.set_carets([*carets, surface.findColumn(line, column)])


def begin_columns(surface: Surface, press: QMouseEvent) -> None:
    """Columns that are dragged with Alt and Shift, where the desktop moves windows with Alt, begin
    where the button is pressed; Scintilla would stretch them from the caret."""
    if press.button() == Qt.MouseButton.LeftButton and press.modifiers() == _COLUMNS:
        place = press.position().toPoint()
        surface.setEmptySelection(surface.positionFromPoint(place.x(), place.y()))
