"""The commands typed before, the newest first; a double click runs one again."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtWidgets import QLineEdit, QStackedWidget, QVBoxLayout, QWidget

from app.ui.panels.command_window import CommandWindow
from app.ui.panels.panel import Context
from app.ui.run_model.row_model import Column, RowModel
from app.ui.widgets.panel_parts import EmptyState, IconButton, bar
from app.ui.widgets.row_table import RowTable


@dataclass(frozen=True)
class Typed:
    """One command with its number."""

    number: int
    text: str


COLUMNS = (
    Column[Typed](
        "Command", lambda t: t.text.replace("\n", " ↵ "), width=0, code=True, tip=lambda t: t.text
    ),
)


class HistoryPanel(QWidget):
    """Filter, list, and a way back into the command window."""

    def __init__(self, context: Context, console: CommandWindow) -> None:
        super().__init__()
        self._context = context
        self._console = console
        self.model = RowModel(COLUMNS, lambda t: t.number)
        self.table = RowTable(self.model, "Command history")
        self.table.horizontalHeader().hide()
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("Filter commands")
        self.filter.setAccessibleName("Filter commands")
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self.model.set_filter)
        self._stack = QStackedWidget()
        self._stack.addWidget(
            EmptyState("history", "Nothing typed yet", "Commands that you type are kept here.")
        )
        self._stack.addWidget(self.table)
        edit = IconButton("terminal", "Put it into the command window", self.recall)
        again = IconButton("run", "Run it again", self.run_again)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(bar(self.filter, edit, again))
        layout.addWidget(self._stack, 1)
        self.table.doubleClicked.connect(self.run_again)
        console.input.submitted.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show what has been typed by now."""
        entries = self._console.input.history.entries
        rows = [Typed(number, text) for number, text in enumerate(entries)]
        self.model.set_rows(rows[::-1])
        self._stack.setCurrentIndex(1 if rows else 0)

    def recall(self) -> None:
        """Put the chosen command into the command window."""
        chosen = self.table.selected()
        if isinstance(chosen, Typed):
            self._console.input.put(chosen.text)
            self._console.setFocus()

    def run_again(self) -> None:
        """Run the chosen command."""
        chosen = self.table.selected()
        if isinstance(chosen, Typed):
            self._context.run_code(chosen.text)
