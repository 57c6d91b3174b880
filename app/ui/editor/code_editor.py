"""The editor of one ``.m`` file."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QWidget
from pyside6_scintilla import Scintilla

from app.textfile import TextFile
from app.ui.editor import limits, section_marks
from app.ui.editor.blocks import Blocks
from app.ui.editor.breakpoints import Breakpoints
from app.ui.editor.column_typing import ColumnTyping
from app.ui.editor.editor_look import (
    define_pictures,
    match_brace,
    set_up_margins,
    set_up_typing,
    show_theme,
)
from app.ui.editor.marks import Indicator, Margin
from app.ui.editor.number_clicks import NumberClicks
from app.ui.editor.occurrences import begin_columns
from app.ui.editor.pairs import Pairs
from app.ui.editor.renaming import RenamingInPlace
from app.ui.editor.run_marks import RunMarks
from app.ui.editor.surface import MATLAB, PLAIN, Style, Surface, show_place

MANY_LINES = 100
_TRAVEL = {Qt.MouseButton.BackButton: -1, Qt.MouseButton.ForwardButton: 1}


def is_program(path: Path | None) -> bool:
    """Whether a file holds code by its name: others are shown, and not run."""
    return path is None or path.suffix in {".m", ""}


class CodeEditor(Surface):
    """A ``.m`` file with margins, folding, marks of the run, and comfortable typing.

    Attributes:
        path: the file, or None before it is saved for the first time.
        stops: the breakpoints.
        run_marks: what the last run says of the lines.
        file: encoding and line end of the file as read.
        large: the text is beyond what is understood while typing (see ``limits``).
        close_brackets: brackets and quotes are closed as they are opened.
        close_blocks: the ``end`` of a block appears as the block is begun.
    """

    caret_moved = Signal()
    breakpoints_changed = Signal()
    modified_changed = Signal(bool)
    zoomed = Signal(int)
    menu_wanted = Signal(QPoint)
    travelled = Signal(int)

    def __init__(self, file: TextFile, path: Path | None, parent: QWidget | None = None) -> None:
        self.large = limits.is_large(file.text)
        self.run_marks = RunMarks(self)
        super().__init__(MATLAB if is_program(path) and not self.large else PLAIN, parent)
        if self.large:
            self.drop_line_index()
        self.path = path
        self.file = file
        self.untitled = ""
        self.holds_code = True
        self.stops = Breakpoints(self)
        self.setAccessibleName("Editor")
        set_up_margins(self)
        set_up_typing(self)
        limits.fill(self, file.text)
        self.emptyUndoBuffer()
        self.setSavePoint()
        if not self.large:
            options = Scintilla.ChangeHistoryOption
            self.setChangeHistory(options.Enabled | options.Markers)
        self.apply_theme()
        self._typed = False
        self.close_brackets = self.close_blocks = True
        self._blocks = Blocks(self, lambda: self.close_blocks)
        pairs = Pairs(self, lambda: self.close_brackets)
        self.renaming = RenamingInPlace(self)
        NumberClicks(self)
        ordered = (self._on_escape, self.renaming.on_key, self._blocks.on_key, pairs.on_key)
        self.key_handlers += (*ordered, ColumnTyping(self).on_key)
        self._connect()
        section_marks.mark_all(self)

    # --- set-up -----------------------------------------------------------------------

    def _connect(self) -> None:
        flags = Scintilla.ModificationFlags
        self.setModEventMask(flags.InsertText | flags.DeleteText)
        self.updateUi.connect(self._on_update)
        self.marginClicked.connect(self._on_margin)
        self.savePointChanged.connect(self.modified_changed)
        self.linesAdded.connect(self._on_lines_added)
        self.modified.connect(self._on_modified)
        self.zoom.connect(self._on_zoom)  # type: ignore[attr-defined]
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self.menu_wanted)

    def apply_theme(self) -> None:
        """Colours, and the pictures in the margins, which are drawn in them."""
        super().apply_theme()
        show_theme(self)
        self._update_number_width()
        self.run_marks.fit_times()

    # --- what is shown ----------------------------------------------------------------

    @property
    def name(self) -> str:
        """The name on the tab."""
        return self.path.name if self.path else self.untitled

    @property
    def modified_text(self) -> bool:
        """True when the text differs from the file."""
        return bool(self.modify())

    @property
    def caret_column(self) -> int:
        """The column of the caret, from 1."""
        return self.column(self.currentPos()) + 1

    def caret_offset(self) -> int:
        """The caret as a number of characters from the start."""
        return self.offset_of(self.currentPos())

    def go_to(self, line: int, column: int = 1) -> None:
        """Put the caret on a line (from 1); what was out of sight comes to the middle."""
        number = min(max(line, 1), self.lineCount()) - 1
        show_place(self, number, max(column, 1) - 1)

    def reveal(self, line: int) -> None:
        """Scroll to a line (from 1); the caret stays where it is."""
        self.ensureVisible(line - 1)
        start = self.positionFromLine(line - 1)
        self.scrollRange(start, start)

    # --- events -----------------------------------------------------------------------

    def _on_escape(self, event: QKeyEvent) -> bool:
        """Escape clears what is highlighted, and does whatever else it does."""
        if event.key() == Qt.Key.Key_Escape:
            self.clear_indicator(Indicator.FOUND)
        return False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """The buttons beside the wheel go back (-1) and forward (1)."""
        step = _TRAVEL.get(event.button())
        if step is None:
            begin_columns(self, event)
            super().mousePressEvent(event)
        else:
            self.travelled.emit(step)

    def paste(self) -> None:
        """Insert what is in the clipboard; whole lines find their place."""
        self._blocks.paste(super().paste)

    def _on_update(self, what: int) -> None:
        if self._typed or what & Scintilla.Update.Selection:  # marks of a run move no caret
            self._typed = False
            match_brace(self)
            self.caret_moved.emit()

    def _on_margin(self, position: int, _modifiers: int, margin: int) -> None:
        if margin == Margin.BREAKPOINTS:
            self.stops.toggle(self.lineFromPosition(position) + 1)

    def _on_lines_added(self, _count: int) -> None:
        self._update_number_width()
        if self.stops.all():
            self.breakpoints_changed.emit()

    def _on_modified(
        self, _what: int, position: int, _length: int, added: int, *_rest: object
    ) -> None:
        line, self._typed = self.lineFromPosition(position), True
        self.setScrollWidthTracking(True)
        self.run_marks.forget(line)
        if added > MANY_LINES:
            section_marks.mark_all(self)
            return
        for number in range(line, min(line + max(added, 0) + 1, self.lineCount())):
            section_marks.mark(self, number)

    def _on_zoom(self, level: int) -> None:
        define_pictures(self)
        self._update_number_width()
        self.run_marks.fit_times()
        self.zoomed.emit(level)

    def _update_number_width(self) -> None:
        digits = "9" * max(3, len(str(self.lineCount())))
        self.setMarginWidthN(Margin.NUMBERS, self.textWidth(Style.LineNumber, digits) + 8)
