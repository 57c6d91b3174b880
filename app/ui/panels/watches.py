"""Watched expressions: evaluated whenever a script pauses or ends."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QStackedWidget, QVBoxLayout, QWidget

from app.engine.protocol import EvaluateWatches, VariableSummary, WatchesReady
from app.engine.run_state import RunState
from app.ui.panels.panel import Context
from app.ui.run_model.row_model import Column, RowModel
from app.ui.support import formats
from app.ui.widgets.panel_parts import EmptyState, IconButton, bar
from app.ui.widgets.row_table import RowTable

SIZE, WIDEST_SIZE = 2, 150
_QUIET = (RunState.IDLE, RunState.PAUSED)


def _size(row: VariableSummary) -> str:
    return formats.size_text(row.size) if row.class_name else ""


WATCH_COLUMNS = (
    Column[VariableSummary](
        "Expression", lambda w: w.name, width=110, code=True, tip=lambda w: w.name
    ),
    Column[VariableSummary](
        "Value",
        lambda w: w.preview,
        width=0,
        code=True,
        tint=lambda w: "text" if w.class_name else "faint",
        tip=lambda w: w.preview,
    ),
    Column[VariableSummary]("Size", _size, tint="muted", numeric=True, width=72),
)


class _WatchTable(RowTable[VariableSummary]):
    deleted = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete:
            self.deleted.emit()
        else:
            super().keyPressEvent(event)


class WatchesPanel(QWidget):
    """A field to add an expression, and the expressions with their values."""

    changed = Signal(list)

    def __init__(self, context: Context, expressions: Iterable[str] = ()) -> None:
        super().__init__()
        self._context = context
        self.expressions = list(expressions)
        self._values: dict[str, VariableSummary] = {}
        self.model = RowModel(WATCH_COLUMNS, lambda w: w.name)
        self.table = _WatchTable(self.model, "Watches")
        self.field = QLineEdit()
        self._build()
        context.bridge.subscribe(WatchesReady, self._show)
        context.run_model.state_changed.connect(self.ask)
        context.run_model.variables_changed.connect(self.ask)
        self._fill()
        self.ask()

    def _build(self) -> None:
        self.field.setPlaceholderText("Watch an expression")
        self.field.setAccessibleName("Expression to watch")
        self.field.returnPressed.connect(self._add_typed)
        self.table.deleted.connect(self.remove)
        self._stack = QStackedWidget()
        self._stack.addWidget(
            EmptyState("find", "Nothing is watched", "Type an expression, such as max(abs(x)).")
        )
        self._stack.addWidget(self.table)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(bar(self.field, IconButton("trash", "Stop watching", self.remove)))
        layout.addWidget(self._stack, 1)

    def add(self, expression: str) -> None:
        """Watch one more expression."""
        if expression and expression not in self.expressions:
            self.expressions.append(expression)
            self._tell_changed()

    def remove(self) -> None:
        """Watch the selected expression no more."""
        row = self.table.selected()
        if row is not None:
            self.expressions.remove(row.name)
            self._tell_changed()

    def ask(self) -> None:
        """Have the expressions evaluated, unless a script is running."""
        if self.expressions and self._context.run_model.state in _QUIET:
            self._context.post(EvaluateWatches(tuple(self.expressions)))

    def _add_typed(self) -> None:
        self.add(self.field.text().strip())
        self.field.clear()

    def _tell_changed(self) -> None:
        self.changed.emit(list(self.expressions))
        self._fill()
        self.ask()

    def _show(self, event: WatchesReady) -> None:
        self._values = {row.name: row for row in event.values}
        for expression, problem in event.problems:
            self._values[expression] = _unknown(expression, problem)
        self._fill()

    def _fill(self) -> None:
        rows = [self._values.get(text) or _unknown(text, "") for text in self.expressions]
        self.model.set_rows(rows)
        self.table.fit(SIZE, WIDEST_SIZE)
        self._stack.setCurrentIndex(1 if rows else 0)


def _unknown(expression: str, problem: str) -> VariableSummary:
    return VariableSummary(expression, "", (), 0, "host", problem or formats.DASH)
