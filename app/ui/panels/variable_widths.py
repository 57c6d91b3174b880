"""How wide the columns of a variable's grid are: as its values want it, and as people drag them."""

from __future__ import annotations

from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QTableView

from app.engine.inspected import VariablePage
from app.ui.run_model.paged_model import PagedModel
from app.ui.support.fonts import code_font

LEAST = {"numeric": 108}
"""Pixels of a column, by the kind of what is shown: numbers stand in equal ones."""
OTHER_LEAST = 84
MOST = 420
_ROOM = 20
"""Pixels beside a text: margins of the cell, the line between two columns."""


class ColumnWidths:
    """Widens columns to the values that arrive; what a person has dragged stays as it is."""

    def __init__(self, grid: QTableView, model: PagedModel) -> None:
        self._grid, self._model = grid, model
        self._shown: tuple[str, str] = ("", "")
        self._dragged: set[int] = set()
        self._fits = False
        grid.horizontalHeader().sectionResized.connect(self._on_resized)

    def fit(self, page: VariablePage) -> None:
        """A page has come: its columns become as wide as its values, never narrower again."""
        header, model = self._grid.horizontalHeader(), self._model
        self._fits = True
        least = LEAST.get(model.kind, OTHER_LEAST)
        if (model.place, model.kind) != self._shown:
            self._shown = (model.place, model.kind)
            self._dragged.clear()
            header.setDefaultSectionSize(least)  # of those that are there, too
        values, names = QFontMetrics(code_font(12)), header.fontMetrics()
        first = page.request.columns[0]
        width = max((len(row) for row in page.cells), default=0)
        for column in range(first, min(first + width, header.count())):
            texts = [row[column - first] for row in page.cells if column - first < len(row)]
            longest = max(texts, key=len, default="")[:MOST]
            wanted = values.horizontalAdvance(longest.partition("\n")[0])
            if column < len(model.column_names):
                wanted = max(wanted, names.horizontalAdvance(model.column_names[column]))
            wanted = min(max(wanted + _ROOM, least), MOST)
            if column not in self._dragged and wanted > header.sectionSize(column):
                header.resizeSection(column, wanted)
        self._fits = False

    def _on_resized(self, column: int, _before: int, _after: int) -> None:
        if not self._fits:
            self._dragged.add(column)
