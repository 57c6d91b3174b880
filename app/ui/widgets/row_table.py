"""Tables as all panels show them: quiet headers, rows of one height, numbers to the right."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QKeyEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from app.ui.run_model.row_model import ROW_ROLE, RowModel

R = TypeVar("R")
ROW_HEIGHT = 24
LEAST_STRETCHED = 110
"""The column that takes what is left keeps this width; a narrow table scrolls instead."""


def order(value: float | None) -> float:
    """What rows are ordered by where a number may not be known: those without it come first."""
    return -1.0 if value is None else value


class RowDelegate(QStyledItemDelegate):
    """What has a meaning by its colour keeps it while its row is chosen; the pointer is over whole
    rows."""

    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """How a cell is drawn."""
        super().initStyleOption(option, index)
        table = self.parent()
        if isinstance(table, RowTable) and index.row() == table.row_under_pointer:
            option.state |= QStyle.StateFlag.State_MouseOver
        if option.state & QStyle.StateFlag.State_Selected:
            option.palette.setBrush(
                QPalette.ColorRole.HighlightedText, option.palette.brush(QPalette.ColorRole.Text)
            )


class RowTable(QTableView, Generic[R]):
    """A table view over a ``RowModel``; keeps the selected thing selected across refreshes.

    ``optional`` are columns that a narrow table leaves out, the most wanted one first;
    ``row_under_pointer`` is -1 for none.
    """

    def __init__(
        self,
        model: RowModel[R],
        name: str,
        least_stretched: int = LEAST_STRETCHED,
        optional: tuple[int, ...] = (),
    ) -> None:
        super().__init__()
        self.rows_model = model
        self.least_stretched = least_stretched
        self.optional = optional
        self._widths = [declared.width for declared in model.columns]
        model.setParent(self)
        self.setModel(model)
        self.setAccessibleName(name)
        self.row_under_pointer = -1
        self.setItemDelegate(RowDelegate(self))
        self.setMouseTracking(True)
        self.entered.connect(lambda index: self._point_at(index.row()))
        self.viewportEntered.connect(lambda: self._point_at(-1))
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self._selected: Any = None
        self._set_up_headers()
        self.selectionModel().currentRowChanged.connect(self._remember)
        model.modelReset.connect(self._restore)

    def _set_up_headers(self) -> None:
        rows = self.verticalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(ROW_HEIGHT)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setMinimumSectionSize(20)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)
        for number, declared in enumerate(self.rows_model.columns):
            if declared.width:
                self.setColumnWidth(number, declared.width)
            else:
                header.setSectionResizeMode(number, QHeaderView.ResizeMode.Stretch)

    def fit(self, number: int, most: int) -> None:
        """Give a column the width that its rows need, from the declared one to ``most``."""
        wanted = max(self.rows_model.columns[number].width, self.sizeHintForColumn(number))
        wanted = min(wanted, most)
        if wanted != self._widths[number]:
            self._widths[number] = wanted
            self.setColumnWidth(number, wanted)
            self._arrange()

    def leaveEvent(self, event: QEvent) -> None:
        """The pointer is over no row any more."""
        super().leaveEvent(event)
        self._point_at(-1)

    def _point_at(self, row: int) -> None:
        before, self.row_under_pointer = self.row_under_pointer, row
        for changed in {before, row} - {-1} if before != row else ():
            top, width = self.rowViewportPosition(changed), self.viewport().width()
            self.viewport().update(0, top, width, self.rowHeight(changed))

    def room_for(self, number: int) -> int:
        """How wide a column can be before another one has to leave for it."""
        least = self.rows_model.columns[number].width
        always = (w for n, w in enumerate(self._widths) if n not in {number, *self.optional})
        room = self.viewport().width() - self.least_stretched - least - sum(always)
        for other in (n for n in self.optional if n != number):
            if room < self._widths[other]:
                break
            room -= self._widths[other]
        return least + max(room, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Scroll rather than squeeze the column that takes what is left."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        columns = self.rows_model.columns
        least = self.least_stretched
        self._leave_out(self.viewport().width() - least)
        fixed = sum(self.columnWidth(n) for n, c in enumerate(columns) if c.width)
        tight = self.viewport().width() - fixed < least
        header, mode = self.horizontalHeader(), QHeaderView.ResizeMode
        for number, declared in enumerate(columns):
            if not declared.width:
                header.setSectionResizeMode(number, mode.Interactive if tight else mode.Stretch)
                if tight:
                    self.setColumnWidth(number, least)

    def _leave_out(self, room: int) -> None:
        """Show as many of the optional columns as there is room for beside all others."""
        room -= sum(w for n, w in enumerate(self._widths) if n not in self.optional)
        for number in self.optional:
            room -= self._widths[number]
            self.setColumnHidden(number, room < 0)

    def selected(self) -> R | None:
        """The selected row, or None."""
        index = self.currentIndex()
        found: R | None = index.data(ROW_ROLE) if index.isValid() else None
        return found

    def select(self, identity: Any) -> None:
        """Select the row that ``identity`` names, if it is there."""
        row = self.rows_model.row_of(identity)
        if row < 0:
            return
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect
        index = self.rows_model.index(row, 0)
        self.selectionModel().setCurrentIndex(index, flags | QItemSelectionModel.SelectionFlag.Rows)
        self.scrollTo(index)

    def bring_into_view(self, identity: object) -> None:
        """Scroll to the row that ``identity`` names; what is selected stays selected."""
        self.scrollTo(self.rows_model.index(self.rows_model.row_of(identity), 0))

    def _remember(self, current: QModelIndex) -> None:
        row = current.data(ROW_ROLE)
        if row is not None:
            self._selected = self.rows_model.identity(row)

    def _restore(self) -> None:
        """What was selected stays so; what is in view stays there, too, whoever has scrolled."""
        if self._selected is not None:
            seen = self.verticalScrollBar().value()
            self.select(self._selected)
            self.verticalScrollBar().setValue(seen)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Home and End go to the first and the last row: rows are what is chosen here."""
        ends = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: self.rows_model.rowCount() - 1}
        if event.key() in ends and not event.modifiers():
            self.setCurrentIndex(self.rows_model.index(ends[Qt.Key(event.key())], 0))
        else:
            super().keyPressEvent(event)
