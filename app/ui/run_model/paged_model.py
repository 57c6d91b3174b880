"""A grid over a variable of any size: only the pages in view are asked for."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from app.engine.inspected import InspectVariable, VariablePage
from app.ui.support.fonts import code_font
from app.ui.support.theme import theme

PAGE_ROWS = 128
PAGE_COLUMNS = 32
MOST_ROWS = 1_000_000
MOST_COLUMNS = 20_000
MOST_PAGES = 256
Index = QModelIndex | QPersistentModelIndex
_TABLES = frozenset(("table", "timetable"))
_ENTRIES = frozenset(("containers.Map", "dictionary"))
_SINGLE = frozenset(("char", "function_handle"))
"""Classes whose only cell shows the whole value."""


class PagedModel(QAbstractTableModel):
    """Cells of one variable from ``first_row`` on; pages arrive when the engine answers."""

    def __init__(
        self, ask: Callable[[InspectVariable], None], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._ask = ask
        self._pages: dict[tuple[int, int], VariablePage] = {}
        self._asked: set[tuple[int, int]] = set()
        self.name = ""
        self.size: tuple[int, ...] = (0, 0)
        self.grid = (0, 0)
        self.kind = ""
        self.class_name = ""
        self.first_row = 0
        self.page: tuple[int, ...] = ()
        self.path: tuple[tuple[str, str | int], ...] = ()
        self.column_names: tuple[str, ...] = ()
        self.row_names: dict[int, str] = {}

    # --- which variable ---------------------------------------------------------------

    def show(self, name: str, path: tuple[tuple[str, str | int], ...] = ()) -> None:
        """Show another variable, or a part of it."""
        self.name, self.path, self.page, self.first_row = name, path, (), 0
        self.size = self.grid = (0, 0)
        self.kind = self.class_name = ""
        self.reload()

    @property
    def place(self) -> str:
        """The code of what is shown, such as ``s.inner{2}``."""
        steps = (f".{w}" if kind == "field" else f"{{{int(w) + 1}}}" for kind, w in self.path)
        return self.name + "".join(steps)

    @property
    def is_array(self) -> bool:
        """Whether the cells are elements that round brackets take."""
        return self.kind in ("numeric", "elements") or self.class_name == "string"

    @property
    def has_records(self) -> bool:
        """Whether the rows are the elements of a struct array or of several objects."""
        return self.kind == "table" and self.class_name not in _TABLES | _ENTRIES

    def block(self, rows: range, columns: range) -> str:
        """The subscripts of cells (from 0) in the slice that is shown, such as ``2:3,1:1``."""
        first = self.first_row + 1
        spans = f"{first + rows.start}:{first + rows[-1]},{columns.start + 1}:{columns[-1] + 1}"
        return spans + "".join(f",{n + 1}" for n in self.page)

    def target(self, index: Index) -> str:
        """The code of a cell that can be assigned to; empty where there is none."""
        row, column = self.first_row + index.row(), index.column()
        rest = "".join(f",{n + 1}" for n in self.page)
        place = f"{row + 1},{column + 1}{rest}"
        if self.is_array:
            return f"{self.place}({place})"
        if self.kind == "cell" or self.class_name in _TABLES:
            return f"{self.place}{{{place}}}"
        if self.has_records and column < len(self.column_names):
            return f"{self.place}({row + 1}).{self.column_names[column]}"
        if self.class_name in _SINGLE and self.grid == (1, 1):
            return self.place
        if self.kind in ("struct", "object") and row in self.row_names and not column:
            return f"{self.place}.{self.row_names[row]}"
        return ""

    def show_page(self, page: tuple[int, ...]) -> None:
        """Show another slice of dimensions 3 and up."""
        self.page = page
        self.reload()

    def show_from(self, row: int) -> None:
        """Let the grid begin at ``row`` (from 0)."""
        self.first_row = max(0, min(row, max(0, self.grid[0] - 1)))
        self.reload()

    def reload(self) -> None:
        """Ask again for everything that is in view."""
        self.beginResetModel()
        self._forget()
        self.endResetModel()
        self._request((0, 0))

    def refresh(self) -> None:
        """The variable may have changed: ask again, keep what is shown until the answer."""
        kept = list(self._pages)
        self._asked.clear()
        for key in kept[-8:] or [(0, 0)]:
            self._request(key)

    def _forget(self) -> None:
        self._pages.clear()
        self._asked.clear()
        self.row_names.clear()

    def _request(self, key: tuple[int, int]) -> None:
        if key in self._asked or not self.name:
            return
        self._asked.add(key)
        row, col = self.first_row + key[0] * PAGE_ROWS, key[1] * PAGE_COLUMNS
        rows, columns = (row, row + PAGE_ROWS), (col, col + PAGE_COLUMNS)
        self._ask(InspectVariable(self.name, rows, columns, self.page, self.path))

    def take(self, answer: VariablePage) -> bool:
        """Take an answer of the engine if it is about what is shown."""
        asked = answer.request
        if (asked.name, asked.path, asked.page) != (self.name, self.path, self.page):
            return False
        row = asked.rows[0] - self.first_row
        if row < 0 or row % PAGE_ROWS:
            return False
        key = (row // PAGE_ROWS, asked.columns[0] // PAGE_COLUMNS)
        grown = key == (0, 0) and grid_size(answer) != self.grid
        if answer.size != self.size or answer.kind != self.kind or grown:
            self.beginResetModel()
            self._forget()
            self.size, self.kind = answer.size, answer.kind
            self.grid = grid_size(answer)
            self._store(key, answer)
            self.endResetModel()
        else:
            self._store(key, answer)
            self._emit_page_changed(key)
        return True

    def _store(self, key: tuple[int, int], answer: VariablePage) -> None:
        self.class_name, self.column_names = answer.class_name, answer.column_names
        self._pages[key] = answer
        self._asked.add(key)
        for number, name in enumerate(answer.row_names):
            self.row_names[answer.request.rows[0] + number] = name
        while len(self._pages) > MOST_PAGES:
            oldest = next(iter(self._pages))
            del self._pages[oldest]
            self._asked.discard(oldest)

    def _emit_page_changed(self, key: tuple[int, int]) -> None:
        top, left = key[0] * PAGE_ROWS, key[1] * PAGE_COLUMNS
        bottom = min(top + PAGE_ROWS, self.rowCount()) - 1
        right = min(left + PAGE_COLUMNS, self.columnCount()) - 1
        if bottom >= top and right >= left:
            self.dataChanged.emit(self.index(top, left), self.index(bottom, right))

    # --- Qt ---------------------------------------------------------------------------

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        """Rows from ``first_row`` on, as many as a table can hold."""
        return 0 if parent.isValid() else min(self.grid[0] - self.first_row, MOST_ROWS)

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        """Columns, as many as a table can hold."""
        return 0 if parent.isValid() or not self.rowCount() else min(self.grid[1], MOST_COLUMNS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The text of a cell; an ellipsis until its page arrives."""
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(index.row(), index.column())
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = (
                Qt.AlignmentFlag.AlignRight
                if self.kind == "numeric"
                else (Qt.AlignmentFlag.AlignLeft)
            )
            return side | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.ForegroundRole:
            return theme().colour("text")
        return code_font(12) if role == Qt.ItemDataRole.FontRole else None

    def text(self, row: int, column: int) -> str:
        """The text of a cell."""
        key = (row // PAGE_ROWS, column // PAGE_COLUMNS)
        page = self._pages.get(key)
        if page is None:
            self._request(key)
            return "…"
        line = row % PAGE_ROWS
        cells = page.cells[line] if line < len(page.cells) else ()
        position = column % PAGE_COLUMNS
        return cells[position] if position < len(cells) else ""

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Indices from 1, or names of fields and columns."""
        if role == Qt.ItemDataRole.TextAlignmentRole:
            left = orientation == Qt.Orientation.Horizontal and self.kind != "numeric"
            side = Qt.AlignmentFlag.AlignLeft if left else Qt.AlignmentFlag.AlignRight
            return side | Qt.AlignmentFlag.AlignVCenter
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if orientation == Qt.Orientation.Horizontal:
            named = section < len(self.column_names)
            return self.column_names[section] if named else str(section + 1)
        row = self.first_row + section
        return self.row_names.get(row, str(row + 1))


def grid_size(answer: VariablePage) -> tuple[int, int]:
    """Rows and columns of the grid for a value: its own, its fields', or one per text."""
    if answer.kind in ("numeric", "cell", "elements") or answer.class_name == "string":
        return answer.size[0], answer.size[1]
    if answer.class_name in _TABLES:
        return answer.size[0], len(answer.column_names)
    if answer.entries is not None:
        return answer.entries, len(answer.column_names)
    if answer.kind == "table":
        return prod(answer.size), len(answer.column_names)
    return len(answer.cells), max((len(row) for row in answer.cells), default=0)
