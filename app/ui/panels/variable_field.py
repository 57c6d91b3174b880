"""Writing over an element of a variable: a field over its cell, which stays where it is refused."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QTableView

from app.engine.inspected import EditRefused
from app.records import record
from app.ui.panels.panel import Context
from app.ui.panels.variable_text import typed_code
from app.ui.run_model.paged_model import PagedModel

_STEPS = {
    Qt.Key.Key_Return: 1,
    Qt.Key.Key_Enter: 1,
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Up: -1,
}
"""Keys that end the writing of an element, and how many rows further they go."""
_STAYS = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason)
_MOST_WAITING = 100
"""Edits whose answers are awaited at most, as while a script runs."""


class CellField(QLineEdit):
    """Keeps its keys to itself; ``left`` tells whether what is written counts, and where to go.

    Return, Tab, the arrows up and down and a click elsewhere take it, Escape drops it.
    """

    left = Signal(bool, int, int)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return, the arrows and Escape end it."""
        step = _STEPS.get(Qt.Key(event.key()))
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit(False, 0, 0)
        elif step is not None:
            self.left.emit(True, step, 0)
        else:
            super().keyPressEvent(event)
        event.accept()

    def focusNextPrevChild(self, following: bool) -> bool:
        """Tab takes it, too."""
        self.left.emit(True, 0, 1 if following else -1)
        return True

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """So does a click elsewhere."""
        super().focusOutEvent(event)
        if event.reason() not in _STAYS:
            self.left.emit(True, 0, 0)


@record
class _Written:
    """What somebody wrote over an element: its code, its text and where it was written."""

    target: str
    code: str
    text: str
    index: QPersistentModelIndex


class CellWriting:
    """Fields over the cells of a grid.

    Args:
        assign: gives a part of the workspace (its code) a value (its code).
    """

    def __init__(
        self,
        context: Context,
        model: PagedModel,
        grid: QTableView,
        assign: Callable[[str, str], None],
    ) -> None:
        self._context, self._model, self._grid = context, model, grid
        self._assign = assign
        self._field: CellField | None = None
        self._problem = QLabel(grid.viewport())
        self._problem.setObjectName("CellProblem")
        self._problem.setWordWrap(True)
        self._problem.setTextFormat(Qt.TextFormat.PlainText)
        self._problem.hide()
        self._sent: list[_Written] = []
        context.bridge.subscribe(EditRefused, self._on_refused)

    def leave(self) -> None:
        """Hear nothing more: the grid is closed."""
        self._context.bridge.unsubscribe(EditRefused, self._on_refused)

    def begin(self, index: QModelIndex, begun: str = "") -> None:
        """Let a person write other code for an element, over it; ``begun`` replaces it."""
        target = self._model.target(index)
        if not target:
            what = self._model.class_name or "value"
            self._context.notify(f"Parts of this {what} cannot be written here: use code")
            return
        field = self._open(target, index)
        field.selectAll()
        if begun:
            field.insert(begun)
        field.setFocus()

    def _open(self, target: str, index: QModelIndex) -> CellField:
        grid, shown = self._grid, self._model.text(index.row(), index.column())
        grid.scrollTo(index)
        self._field = field = CellField(shown, grid.viewport())
        field.setAccessibleName(f"New value of {target}")
        field.setGeometry(grid.visualRect(index))
        field.setAlignment(Qt.AlignmentFlag(index.data(Qt.ItemDataRole.TextAlignmentRole)))
        place = QPersistentModelIndex(index)
        field.left.connect(lambda *how: self._leave_field(field, target, place, *how))
        field.show()
        return field

    def _on_refused(self, event: EditRefused) -> None:
        """Show what was written again, over its element, and below it what is wrong with it."""
        edits = [e for e in self._sent if (e.target, e.code) == (event.target, event.code)]
        for edit in edits[-1:]:
            self._sent.remove(edit)
            index = self._model.index(edit.index.row(), edit.index.column())
            if self._field is None and self._model.target(index) == edit.target:
                self._show_again(edit, index, event.message)

    def _show_again(self, edit: _Written, index: QModelIndex, message: str) -> None:
        had_keyboard = self._grid.hasFocus()
        self._grid.setCurrentIndex(index)
        field = self._open(edit.target, index)
        field.setAccessibleDescription(message)
        field.setText(edit.text)
        field.setModified(True)
        field.textEdited.connect(self._problem.hide)
        self._tell(message, field.geometry())
        if had_keyboard:
            field.setFocus()

    def _tell(self, message: str, cell: QRect) -> None:
        """The error under its cell, or over it where there is no room below, within the grid."""
        problem, room = self._problem, self._grid.viewport().rect()
        problem.ensurePolished()
        problem.setText(message)
        words = problem.fontMetrics().horizontalAdvance(message) + 32
        width = max(min(words, room.width()), 1)
        problem.resize(width, problem.heightForWidth(width))
        left = max(min(cell.left(), room.width() - width), 0)
        below = cell.bottom() + 1 + problem.height() <= room.height()
        problem.move(left, cell.bottom() + 1 if below else max(cell.top() - problem.height(), 0))
        problem.show()
        problem.raise_()

    def _code_of(self, text: str, index: QModelIndex) -> str:
        """What somebody wrote over an element, as code."""
        model, shown = self._model, self._model.text(index.row(), index.column())
        if model.class_name == "char":
            shown = f"'{shown}'"
        return typed_code(text, shown, "struct" if model.has_records else model.kind)

    def _leave_field(
        self,
        field: CellField,
        target: str,
        place: QPersistentModelIndex,
        taken: bool,
        down: int,
        right: int,
    ) -> None:
        """Assign what was written, unless it is what stood there, and go to another element."""
        field.left.disconnect()
        index = self._model.index(place.row(), place.column())
        self._field = None
        self._problem.hide()
        if taken and field.isModified():
            code = self._code_of(field.text(), index)
            self._sent.append(_Written(target, code, field.text(), place))
            del self._sent[:-_MOST_WAITING]
            self._assign(target, code)
        if field.hasFocus():
            self._grid.setFocus()
        field.hide()
        field.deleteLater()
        there = self._model.index(index.row() + down, index.column() + right)
        if (down or right) and there.isValid():
            self._grid.setCurrentIndex(there)
