"""The widget of a table in a figure."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTableWidget, QTableWidgetItem, QWidget

from app.ui.plots.series_arrays import Exported


def make_table(model: Exported, tell: Callable[[str, object], None]) -> QWidget:
    """A table that tells of cells somebody changes or selects."""
    made = QTableWidget()

    def changed(item: QTableWidgetItem) -> None:
        tell("edit", (item.row(), item.column(), item.text()))

    def selected() -> None:
        places = sorted((item.column(), item.row()) for item in made.selectedItems())
        tell("selection", tuple((row, column) for column, row in places))

    made.itemChanged.connect(changed)
    made.itemSelectionChanged.connect(selected)
    return made


def set_table(widget: QTableWidget, model: Exported) -> None:
    """Show the data, the names and what may be edited."""
    cells, columns, rows = model["cells"], model["columns"], model["rows"]
    widget.setRowCount(len(cells))
    widget.setColumnCount(len(cells[0]) if cells else len(columns or ()))
    widget.horizontalHeader().setVisible(columns is not None)
    widget.verticalHeader().setVisible(rows is not None)
    widget.setHorizontalHeaderLabels(columns or [])
    widget.setVerticalHeaderLabels(rows or [])
    widget.setAlternatingRowColors(bool(model["RowStriping"]))
    for r, texts in enumerate(cells):
        for c, text in enumerate(texts):
            item = widget.item(r, c)
            if item is None:
                item = QTableWidgetItem()
                widget.setItem(r, c, item)
            if item.text() != text:
                item.setText(text)
            flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
            item.setFlags(flags | Qt.ItemFlag.ItemIsEditable if model["editable"][c] else flags)
