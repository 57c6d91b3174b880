"""What people do to a document: move between its parts, write, insert, delete."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

from app.ui.documents.cell import Cell
from app.ui.documents.cell_typing import types
from app.ui.documents.control_edits import ControlEdits
from app.ui.documents.rows import PUBLISHED, TEXT, CodeRow, Row
from app.ui.editor.surface import is_enter, tell_moved
from app.ui.editor.text_changes import delete_lines, insert_lines, one_step, replace_line

if TYPE_CHECKING:
    from app.ui.documents.document_view import DocumentView

_TABLE = "%[text:table]"
_BLOCKS = {
    "table": [
        _TABLE,
        "%[text] | A | B | C |",
        "%[text] | --- | --- | --- |",
        "%[text] |  |  |  |",
        _TABLE,
    ],
    "contents": ['%[text:tableOfContents]{"heading":"Contents"}'],
}
_FIRST_CELL = 2
"""The line of a new table on which its first row is written."""


class Editing(QObject):
    """Changes of one page's document.

    Attributes:
        controls: changes by its controls, and of them.
    """

    def __init__(self, page: DocumentView) -> None:
        super().__init__(page)
        self._page = page
        self.controls = ControlEdits(page)

    # --- going somewhere --------------------------------------------------------------------

    def edit(self, row: Row, *, at_end: bool = False) -> None:
        """Give the keyboard to a row: code as it is, text as it is written."""
        page = self._page
        if row.last < row.first:  # an empty section has no line to write on
            insert_lines(page.editor, row.first - 1, [""])
            page.read_text(row.first)
            row = page.row_at(row.first) or row
        if not row.is_code and not row.editing:
            page.host.hide(row)
            row.editing = True
            page.lay_out()
        if row.widget is None:
            page.host.show(row)
        page.reveal(row)
        if isinstance(row.widget, CodeRow):
            cell = row.widget.cell
            cell.view.setEmptySelection(cell.end if at_end else cell.start)
            cell.view.setFocus()

    def go_to(self, line: int, position: int | None = None) -> None:
        """Give the keyboard to the row of a line (from 1), or select it where it is text."""
        page = self._page
        row = page.row_at(line)
        if row is None and page.rows:
            row = min(page.rows, key=lambda r: abs(r.first - line))
        if row is None:
            return
        if not row.is_code and not row.editing:
            self.select(row)
            return
        self.edit(row)
        if isinstance(row.widget, CodeRow):
            view = row.widget.cell.view
            place = view.positionFromLine(line - 1) if position is None else position
            view.setEmptySelection(place)

    def select(self, row: Row) -> None:
        """Make a row the current one, without editing it."""
        page = self._page
        page.current = row
        page.setFocus()
        page.reveal(row)
        page.editor.setEmptySelection(page.editor.positionFromLine(max(0, row.first - 1)))
        tell_moved(page.editor)
        page.viewport().update()

    def leave(self, cell: Cell, step: int) -> None:
        """The caret goes out of a cell: up, down, or to the page."""
        page = self._page
        row = page.row_of(cell)
        if row is None:
            return
        place = page.rows.index(row) + step
        if step and not 0 <= place < len(page.rows):
            return
        wanted = page.rows[place]
        self.finish(row)
        if step and wanted.is_code and wanted in page.rows:
            self.edit(wanted, at_end=step < 0)
        elif page.rows:
            self.select(
                wanted if wanted in page.rows else page.rows[min(place, len(page.rows) - 1)]
            )

    def finish(self, row: Row) -> None:
        """Show text that was edited as people read it."""
        if not row.is_code and row.editing:
            self._page.setFocus()
            row.editing = False
            self._page.host.hide(row)
            self._page.read_text()

    # --- inserting and deleting -------------------------------------------------------------

    def insert(self, kind: str) -> None:
        """Insert ``text``, ``code``, a ``section``, a ``table`` or ``contents`` behind the row in
        use, and edit it."""
        page = self._page
        row = page.row_in_use() or (page.rows[-1] if page.rows else None)
        line = row.last if row is not None else 0
        lines = self._inserted_lines(kind, row)
        blank = kind in ("text", "contents") and row is not None and _is_blank(page, row)
        if row is not None:
            self.finish(row)
        with one_step(page.editor):
            if blank and row is not None:  # the first thing in an empty document
                replace_line(page.editor, row.first - 1, lines[-1])
                line = row.first - len(lines)
            else:
                insert_lines(page.editor, line, lines)
        if kind == "contents":  # there is nothing to write
            page.read_text()
            self.go_to(line + 1)
        else:
            self._write_at(line + (_FIRST_CELL if kind == "table" else len(lines)))

    def _inserted_lines(self, kind: str, row: Row | None) -> list[str]:
        live = self._page.document.is_live
        published = not live and any(
            text.lstrip().startswith("%%") for text in self._page.document.lines
        )
        if kind == "text":
            return ["%%", PUBLISHED] if published else [TEXT]
        if kind in _BLOCKS:
            return _BLOCKS[kind]
        if kind == "code" and (row is None or not row.is_code):
            return [""]
        return ["%%", ""]

    def _write_at(self, line: int) -> None:
        """Give the keyboard to the end of a line that has just come."""
        page = self._page
        page.setFocus()
        page.read_text(line)
        row = page.row_at(line)
        if row is not None:
            self.edit(row)
            if isinstance(row.widget, CodeRow):
                end = page.editor.lineEndPosition(line - 1)
                row.widget.cell.view.setEmptySelection(end)

    def on_emptied(self, cell: Cell) -> None:
        """Backspace in an empty cell deletes it, unless it is the only one."""
        row = self._page.row_of(cell)
        if row is not None and len(self._page.rows) > 1:
            QTimer.singleShot(0, self, partial(self.delete, row))

    def delete(self, row: Row) -> None:
        """Delete a row's lines; the row above it becomes the current one."""
        page = self._page
        if row not in page.rows:
            return
        place = page.rows.index(row)
        page.setFocus()
        first = row.first
        lines = page.editor.lines()
        if row.is_code and first > 1 and lines[first - 2].strip() == "%%" and place:
            first -= 1  # a section of nothing else goes with its beginning
        with one_step(page.editor):
            delete_lines(page.editor, first - 1, max(first, row.last))
        page.read_text()
        if page.rows:
            self.select(page.rows[max(0, min(place, len(page.rows)) - 1)])

    # --- keys of the page -------------------------------------------------------------------

    def on_key(self, event: QKeyEvent) -> bool:
        """Keys while no cell has the keyboard; False for those that mean nothing here."""
        page, key = self._page, event.key()
        if page.rows and types(event):
            self._begin_typing(event)
            return True
        if not page.rows or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        place = page.rows.index(page.current) if page.current in page.rows else -1
        if key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            step = -1 if key == Qt.Key.Key_Up else 1
            self.select(page.rows[min(max(place + step, 0), len(page.rows) - 1)])
        elif is_enter(event):
            self.edit(page.rows[max(place, 0)], at_end=True)
        elif key == Qt.Key.Key_Delete and place >= 0:
            self.delete(page.rows[place])
        else:
            return False
        return True

    def _begin_typing(self, event: QKeyEvent) -> None:
        """What is typed is written at the end of the current row, else where the caret is."""
        page = self._page
        if page.current is None:
            self.go_to(page.editor.caret_line, page.editor.currentPos())
        if page.focused_cell() is None and page.current is not None:
            self.edit(page.current, at_end=True)
        cell = page.focused_cell()
        if cell is not None:
            QApplication.sendEvent(cell.view, event)


def _is_blank(page: DocumentView, row: Row) -> bool:
    """Whether a row is one blank line in a section of its own."""
    lines = page.editor.lines()[row.first - 1 : row.last]
    return row.is_code and len(lines) == 1 and not lines[0].strip()
