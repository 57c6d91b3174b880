"""Makes and keeps the widgets of rows that are near the screen; cells are used again."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QUrl, Signal

from app.ui.documents.cell import Cell
from app.ui.documents.controls import ControlStrip
from app.ui.documents.rows import PUBLISHED, TEXT, CodeRow, Row, TextRow
from app.ui.editor.semantic_colouring import Colouring

if TYPE_CHECKING:
    from app.ui.documents.document_view import DocumentView

SPARE_CELLS = 12


class RowHost(QObject):
    """The widgets of one page.

    Args:
        page: where they are.
        literal_of: the text that a control stands for.

    Attributes:
        zoom: how many points larger text is than the settings say.
    """

    cell_added = Signal(object)
    left = Signal(object, int)
    emptied = Signal(object)
    caret_moved = Signal(object)
    focused = Signal(object, bool)
    edit_wanted = Signal(object)
    delete_wanted = Signal(object)
    link_clicked = Signal(QUrl)
    line_wanted = Signal(int)
    acted = Signal(object)
    control_changed = Signal(object, str, bool)
    configure_wanted = Signal(object)
    remove_wanted = Signal(object)

    def __init__(self, page: DocumentView, literal_of: Callable[..., str]) -> None:
        super().__init__(page)
        self._page = page
        self._literal_of = literal_of
        self._spare: list[Cell] = []
        self.zoom = 0

    @property
    def prefix(self) -> str:
        """What lines of text begin with."""
        return TEXT if self._page.document.is_live else PUBLISHED

    def show(self, row: Row) -> None:
        """Make the widget of a row."""
        if row.is_code or row.editing:
            row.widget = self._code_row(row)
        else:
            text = TextRow(self._page.viewport())
            text.show_document(self._page.setter.document(row.segment.blocks))
            text.edit_wanted.connect(partial(self.edit_wanted.emit, row))
            text.delete_wanted.connect(partial(self.delete_wanted.emit, row))
            text.anchorClicked.connect(self.link_clicked)
            row.widget = text
        row.measured = False

    def refresh(self, row: Row) -> None:
        """Show a row's lines as they are now."""
        row.measured = False
        match row.widget:
            case CodeRow() as widget:
                widget.cell.typing.prefix = "" if row.is_code else self.prefix
                widget.cell.show_lines(row.first, row.last, is_code=row.is_code)
                self._show_controls(row, widget)
            case TextRow() as widget:
                widget.show_document(self._page.setter.document(row.segment.blocks))

    def hide(self, row: Row) -> None:
        """Let go of a row's widget."""
        widget, row.widget = row.widget, None
        if widget is None:
            return
        if isinstance(widget, CodeRow):
            cell = widget.take_cell()
            for signal in (cell.left, cell.emptied, cell.caret_moved, cell.focused):
                signal.disconnect()
            widget.outputs.clear()
            cell.view.setParent(self._page.viewport())
            if len(self._spare) < SPARE_CELLS:
                self._spare.append(cell)
            else:
                cell.view.deleteLater()
        widget.hide()
        widget.deleteLater()

    def fill_outputs(self, row: Row) -> None:
        """Show what a row's lines gave."""
        row.measured = False
        if not isinstance(row.widget, CodeRow) or not row.is_code:
            return
        runs, beside = self._page.runs, self._page.outputs_beside
        section = runs.section_of(row.first)
        outputs = row.widget.outputs
        width = row.widget.outputs_width(self._page.across()[1], beside=beside)
        stale = section is not None and section.stale
        outputs.show_outputs(runs.outputs_between(row.first, row.last), width, faded=stale)

    def colour(self, row: Row) -> None:
        """Colour the calls in a row's lines."""
        colouring = self._page.editor.findChild(Colouring)
        if isinstance(colouring, Colouring) and row.is_code and row.widget is not None:
            colouring.show_calls(row.first, row.last)

    def mark_selected(self, found: Row | None) -> None:
        """Text shows what a search has selected in its line; lines of code do so themselves."""
        editor = self._page.editor
        selected = editor.slice(editor.selectionStart(), editor.selectionEnd())
        for row in self._page.rows:
            if isinstance(row.widget, TextRow):
                row.widget.mark(selected if row is found and "\n" not in selected else "")

    def use_zoom(self, level: int) -> None:
        """Make the text of all cells larger or smaller."""
        self.zoom = level
        shown = [r.widget.cell for r in self._page.rows if isinstance(r.widget, CodeRow)]
        for cell in (*shown, *self._spare):
            cell.view.setZoom(level)

    def _code_row(self, row: Row) -> CodeRow:
        cell = self._spare.pop() if self._spare else self._new_cell()
        cell.typing.prefix = "" if row.is_code else self.prefix
        cell.show_lines(row.first, row.last, is_code=row.is_code)
        made = CodeRow(cell, self._page.viewport())
        made.outputs.line_wanted.connect(self.line_wanted)
        made.outputs.acted.connect(self.acted)
        cell.left.connect(partial(self.left.emit, cell))
        cell.emptied.connect(partial(self.emptied.emit, cell))
        cell.caret_moved.connect(partial(self.caret_moved.emit, cell))
        cell.focused.connect(partial(self.focused.emit, cell))
        row.widget = made
        if row.is_code:
            self._show_controls(row, made)
            self.fill_outputs(row)
            self.colour(row)
        return made

    def _new_cell(self) -> Cell:
        made = Cell(self._page.editor)
        made.view.setZoom(self.zoom)
        self.cell_added.emit(made.view)
        return made

    def _show_controls(self, row: Row, widget: CodeRow) -> None:
        controls = row.segment.controls
        strip = widget.controls
        if not controls:
            widget.use_controls(None)
            return
        if not isinstance(strip, ControlStrip):
            strip = ControlStrip()
            strip.changed.connect(self.control_changed)
            strip.configure_wanted.connect(self.configure_wanted)
            strip.remove_wanted.connect(self.remove_wanted)
        strip.show_controls(tuple((c, self._literal_of(c)) for c in controls))
        widget.use_controls(strip)
