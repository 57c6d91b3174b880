"""What is done with the selected elements of a variable: copied, plotted, sorted by, deleted."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QItemSelectionModel
from PySide6.QtWidgets import QApplication, QMenu

from app.engine.inspected import InspectVariable, VariablePage
from app.ui.panels.panel import Context
from app.ui.run_model.paged_model import PagedModel
from app.ui.support import formats

MOST_COPIED = 1_000_000
"""Elements of a selection that the clipboard takes at most."""
_WHOLE_ROWS = ("table", "object")
_WHOLE = ("struct", "text")
"""Kinds whose pages hold all their columns, or all that they have."""


class Selection:
    """The selected elements of the grid over one variable.

    Args:
        assign: gives a part of the workspace (its code) a value (its code).
    """

    def __init__(
        self,
        context: Context,
        model: PagedModel,
        selected: QItemSelectionModel,
        assign: Callable[[str, str], None],
    ) -> None:
        self._context, self._model, self._selected = context, model, selected
        self._assign = assign
        self._asked: InspectVariable | None = None
        self._cells: dict[int, list[int]] = {}

    # --- copying ----------------------------------------------------------------------

    def copy(self) -> None:
        """Ask for the elements with all their digits; they go to the clipboard when they come."""
        ranges = self._ranges()
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

    # --- the menu ---------------------------------------------------------------------

    def add_to(self, menu: QMenu) -> None:
        """Offer what can be done with the selection beside copying and pasting it."""
        model, ranges = self._model, self._ranges()
        numeric = model.kind == "numeric"
        whole = not model.path and not model.page
        if not ranges or not whole or not (numeric or model.class_name == "table"):
            return
        rows = sorted({row + model.first_row for held, _ in ranges for row in held})
        columns = sorted({column for _, held in ranges for column in held})
        menu.addSeparator()
        if numeric:
            menu.addAction("Plot selection", partial(self._plot, rows, columns))
        if len(columns) == 1 and model.grid[0] > 1:
            sort = partial(self._sort, columns[0] + 1)
            by = f"Sort by {self._column(columns[0])}"
            menu.addAction(f"{by}, ascending", partial(sort, "ascend"))
            menu.addAction(f"{by}, descending", partial(sort, "descend"))
        menu.addSeparator()
        for axis, places, word in ((0, rows, "row"), (1, columns, "column")):
            several = f"{formats.count(len(places))} {word}s"
            what = several if len(places) > 1 else f"{word} {_listed(places)}"
            menu.addAction(f"Delete {what}", partial(self._delete, axis, places))

    def _column(self, column: int) -> str:
        names = self._model.column_names
        return names[column] if column < len(names) else f"column {column + 1}"

    def _plot(self, rows: list[int], columns: list[int]) -> None:
        place = f"{self._model.name}({_listed(rows)},{_listed(columns)})"
        self._context.run_code(f"figure; plot({place}); title('{place}')")

    def _sort(self, column: int, direction: str) -> None:
        name = self._model.name
        self._assign(name, f"sortrows({name}, {column}, '{direction}')")

    def _delete(self, axis: int, places: list[int]) -> None:
        name, gone = self._model.name, _listed(places)
        kept = f"setdiff(1:size({name},{axis + 1}), {gone})"
        self._assign(name, f"{name}({kept},:)" if axis == 0 else f"{name}(:,{kept})")

    def _ranges(self) -> list[tuple[range, range]]:
        """Rows and columns of each part of the selection, as the grid counts them."""
        selection = self._selected.selection()
        parts = [selection.at(n) for n in range(selection.count()) if not selection.at(n).isEmpty()]
        return [
            (range(part.top(), part.bottom() + 1), range(part.left(), part.right() + 1))
            for part in parts
        ]


def _listed(places: list[int]) -> str:
    """Positions from 0 as MATLAB indices: ``3``, ``2:5`` or ``[1 3 4]``."""
    first, last = places[0] + 1, places[-1] + 1
    if len(places) == 1:
        return str(first)
    if last - first + 1 == len(places):
        return f"{first}:{last}"
    return "[" + " ".join(str(place + 1) for place in places) + "]"
