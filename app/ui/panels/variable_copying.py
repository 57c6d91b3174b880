"""Copying elements of a variable with all their digits, which the engine is asked for."""

from __future__ import annotations

import csv
import io

from PySide6.QtWidgets import QApplication

from app.engine.inspected import InspectVariable, VariablePage
from app.ui.panels.panel import Context
from app.ui.run_model.paged_model import PagedModel
from app.ui.support import formats

MOST_COPIED = 1_000_000
"""Elements of a selection that the clipboard takes at most."""
_WHOLE_ROWS = ("table", "object")
_WHOLE = ("struct", "text")
"""Kinds whose pages hold all their columns, or all that they have."""
Ranges = list[tuple[range, range]]
"""Rows and columns of each part of a selection, as the grid counts them."""


class Copying:
    """Brings elements of the variable that a model shows to the clipboard."""

    def __init__(self, context: Context, model: PagedModel) -> None:
        self._context, self._model = context, model
        self._asked: InspectVariable | None = None
        self._cells: dict[int, list[int]] = {}

    def copy(self, ranges: Ranges) -> None:
        """Ask for the elements with all their digits; they go to the clipboard when they come."""
        count = sum(len(rows) * len(columns) for rows, columns in ranges)
        if not ranges or count > MOST_COPIED:
            if ranges:
                most = formats.count(MOST_COPIED)
                self._context.notify(
                    f"{formats.count(count)} elements are selected; {most} can be copied at once"
                )
            return
        cells: dict[int, set[int]] = {}
        for rows, columns in ranges:
            for row in rows:
                cells.setdefault(row, set()).update(columns)
        self._cells = {row: sorted(columns) for row, columns in sorted(cells.items())}
        wanted = [column for held in self._cells.values() for column in held]
        model, first = self._model, self._model.first_row
        self._asked = InspectVariable(
            model.name,
            (first + min(cells), first + max(cells) + 1),
            (min(wanted), max(wanted) + 1),
            model.page,
            model.path,
            exact=True,
        )
        self._context.post(self._asked)

    def take(self, answer: VariablePage) -> None:
        """Put an answer that was asked for into the clipboard."""
        if answer.request != self._asked:
            return
        self._asked = None
        top, left = answer.request.rows[0] - self._model.first_row, answer.request.columns[0]
        if answer.class_name != "string" and answer.kind in _WHOLE:
            top, left = -self._model.first_row, 0
        elif answer.kind in _WHOLE_ROWS:
            left = 0
        text = io.StringIO()
        write = csv.writer(text, "excel-tab", lineterminator="\n").writerow
        for row, columns in self._cells.items():
            held = answer.cells[row - top] if row - top < len(answer.cells) else ()
            write([held[c - left] if c - left < len(held) else "" for c in columns])
        QApplication.clipboard().setText(text.getvalue().removesuffix("\n"))
