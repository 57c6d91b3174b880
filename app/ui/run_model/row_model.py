"""A table model over rows, from declared columns: text, alignment, order, tooltip together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from app.ui.support.fonts import code_font
from app.ui.support.theme import theme

R = TypeVar("R")
Index = QModelIndex | QPersistentModelIndex
ROW_ROLE = Qt.ItemDataRole.UserRole
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True)
class Column(Generic[R]):
    """One column.

    Attributes:
        title: the header.
        text: what is shown for a row.
        key: what rows are ordered by; the text when missing.
        numeric: right-aligned.
        tint: the theme colour of the text, or a function of the row.
        tip: tooltip of the cell.
        width: preferred width in pixels; 0 stretches.
        code: shown in the code typeface.
    """

    title: str
    text: Callable[[R], str]
    key: Callable[[R], Any] | None = None
    numeric: bool = False
    tint: str | Callable[[R], str] = "text"
    tip: Callable[[R], str] | None = None
    width: int = 90
    code: bool = False

    def order(self, row: R) -> Any:
        """The value that sorts ``row``."""
        return self.key(row) if self.key else self.text(row).casefold()

    def colour(self, row: R) -> str:
        """The token of the text colour for ``row``."""
        return self.tint if isinstance(self.tint, str) else self.tint(row)


class RowModel(QAbstractTableModel, Generic[R]):
    """Rows in declared columns, sorted and filtered here so that a refresh keeps the view still.

    ``identity`` names a row: rows that stay keep their place in the selection.
    """

    def __init__(
        self,
        columns: Sequence[Column[R]],
        identity: Callable[[R], Any],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.columns = tuple(columns)
        self.identity = identity
        self.rows: list[R] = []
        self._all: list[R] = []
        self._filter = ""
        self._sort: tuple[int, bool] | None = None

    # --- content ----------------------------------------------------------------------

    def set_rows(self, rows: Sequence[R]) -> None:
        """Show ``rows``; of things that were there before only what changed is drawn anew."""
        self._all = list(rows)
        self._update()

    def redraw(self) -> None:
        """Draw every cell anew: what it says depends on more than its row."""
        if self.rows:
            last = self.index(len(self.rows) - 1, len(self.columns) - 1)
            self.dataChanged.emit(self.index(0, 0), last)

    def set_filter(self, text: str) -> None:
        """Show only rows whose texts contain ``text``."""
        self._filter = text.casefold()
        self._update()

    def _update(self) -> None:
        shown = self._sorted_rows([row for row in self._all if self._passes(row)])
        same = [self.identity(r) for r in shown] == [self.identity(r) for r in self.rows]
        if same:
            before, self.rows = self.rows, shown
            changed = [n for n, row in enumerate(shown) if row != before[n]]
            if changed:
                last = self.index(changed[-1], len(self.columns) - 1)
                self.dataChanged.emit(self.index(changed[0], 0), last)
            return
        self.beginResetModel()
        self.rows = shown
        self.endResetModel()

    def _passes(self, row: R) -> bool:
        return not self._filter or any(self._filter in c.text(row).casefold() for c in self.columns)

    def _sorted_rows(self, rows: list[R]) -> list[R]:
        if self._sort is None:
            return rows
        column, descending = self._sort
        return sorted(rows, key=self.columns[column].order, reverse=descending)

    def row_of(self, identity: Any) -> int:
        """The row number of what ``identity`` names, or -1."""
        for number, row in enumerate(self.rows):
            if self.identity(row) == identity:
                return number
        return -1

    # --- Qt ---------------------------------------------------------------------------

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        """Number of rows shown."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        """Number of columns."""
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What Qt asks about a cell."""
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        row, column = self.rows[index.row()], self.columns[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.text(row)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if column.numeric else _LEFT
        if role == Qt.ItemDataRole.ForegroundRole:
            return theme().colour(column.colour(row))
        if role == Qt.ItemDataRole.FontRole and column.code:
            return code_font(12)
        if role == Qt.ItemDataRole.ToolTipRole and column.tip is not None:
            return column.tip(row)
        return row if role == ROW_ROLE else None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Titles, aligned as their columns."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        column = self.columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.title
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if column.numeric else _LEFT
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Order the rows by a column; -1 restores the given order."""
        descending = order == Qt.SortOrder.DescendingOrder
        self._sort = None if column < 0 else (column, descending)
        self.beginResetModel()
        self.rows = self._sorted_rows([row for row in self._all if self._passes(row)])
        self.endResetModel()
