"""What is done with the selected elements of a variable: copied, cleared, plotted, deleted."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QItemSelectionModel
from PySide6.QtWidgets import QMenu

from app.ui.panels.panel import Context
from app.ui.panels.variable_copying import Copying, Ranges
from app.ui.run_model.paged_model import PagedModel
from app.ui.support import formats

_EMPTY = {"numeric": "0", "cell": "{[]}", "string": '""'}
"""What stands for cleared elements of a class or kind; in others, they are missing."""
_FILLED = {"numeric": "zeros({}, 'like', {})", "cell": "cell({})"}
"""What an inserted row or column is, by the kind of the variable."""


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
        self.copying = Copying(context, model)

    def copy(self) -> None:
        """Ask for the elements with all their digits; they go to the clipboard when they come."""
        self.copying.copy(self._ranges())

    # --- clearing ---------------------------------------------------------------------

    def clear(self) -> None:
        """Zeros, empty cells and texts, or missing values stand where elements are selected."""
        model, ranges = self._model, self._ranges()
        for rows, columns in ranges:
            if model.is_array or model.kind == "cell":
                empty = _EMPTY.get(model.class_name, _EMPTY.get(model.kind, "missing"))
                self._assign(f"{model.place}({model.block(rows, columns)})", empty)
            elif model.class_name == "table":
                for column in columns:  # each has a class of its own
                    place = model.block(rows, range(column, column + 1))
                    self._assign(f"{model.place}{{{place}}}", "missing")
            else:
                kind = model.class_name or "value"
                self._context.notify(f"Parts of this {kind} cannot be cleared; write over them")

    # --- the menu ---------------------------------------------------------------------

    def add_to(self, menu: QMenu) -> None:
        """Offer what can be done with the selection beside copying and pasting it."""
        model, ranges = self._model, self._ranges()
        numeric, filled = model.kind == "numeric", model.kind in _FILLED
        whole = not model.path and not model.page
        if not ranges or not whole or not (filled or model.class_name == "table"):
            return
        rows = sorted({row + model.first_row for held, _ in ranges for row in held})
        columns = sorted({column for _, held in ranges for column in held})
        menu.addSeparator()
        if numeric:
            menu.addAction("Plot selection", partial(self._plot, rows, columns))
        if len(columns) == 1 and model.grid[0] > 1 and model.kind != "cell":
            sort = partial(self._sort, columns[0] + 1)
            by = f"Sort by {self._column(columns[0])}"
            menu.addAction(f"{by}, ascending", partial(sort, "ascend"))
            menu.addAction(f"{by}, descending", partial(sort, "descend"))
        menu.addSeparator()
        if filled:
            menu.addAction("Insert row above", partial(self._insert, 0, rows))
            menu.addAction("Insert column before", partial(self._insert, 1, columns))
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

    def _insert(self, axis: int, places: list[int]) -> None:
        """As many rows (axis 0) or columns as are selected, before the first of them."""
        name, place, count = self._model.name, places[0] + 1, len(places)
        size = f"{count}, size({name},2)" if axis == 0 else f"size({name},1), {count}"
        new = _FILLED[self._model.kind].format(size, name)
        if axis == 0:
            self._assign(name, f"[{name}(1:{place - 1},:); {new}; {name}({place}:end,:)]")
        else:
            self._assign(name, f"[{name}(:,1:{place - 1}), {new}, {name}(:,{place}:end)]")

    def _delete(self, axis: int, places: list[int]) -> None:
        name, gone = self._model.name, _listed(places)
        kept = f"setdiff(1:size({name},{axis + 1}), {gone})"
        self._assign(name, f"{name}({kept},:)" if axis == 0 else f"{name}(:,{kept})")

    def _ranges(self) -> Ranges:
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
