"""The page of the settings dialog on which every command can have other keys."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QHBoxLayout,
    QKeySequenceEdit,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.ui.run_model.row_model import Column, RowModel
from app.ui.shell.actions import Command, Commands
from app.ui.widgets.panel_parts import label
from app.ui.widgets.row_table import RowTable


class ShortcutsPage(QWidget):
    """A list of all commands; the keys of the chosen one are changed below it."""

    def __init__(self, commands: Commands, keep: Callable[[dict[str, str]], None]) -> None:
        super().__init__()
        self.setObjectName("Page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._commands = commands
        self._keep = keep
        columns = (
            Column[Command]("Command", lambda c: c.title, width=0),
            Column[Command]("Menu", lambda c: c.menu.replace("/", " › "), width=110, tint="muted"),
            Column[Command]("Keys", self.keys_of, width=150, code=True, tint=self._tint),
        )
        self.model = RowModel(columns, lambda c: c.id)
        self.table = RowTable(self.model, "Shortcuts")
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("Filter commands")
        self.filter.setAccessibleName("Filter commands")
        self.editor = QKeySequenceEdit()
        self.editor.setAccessibleName("New keys")
        self._remark = label("", "error")
        self._build()
        self.model.set_rows(list(commands.declared.values()))

    def _build(self) -> None:
        reset = QPushButton("As shipped")
        reset.setAutoDefault(False)
        reset.clicked.connect(self.reset)
        row = QHBoxLayout()
        row.addWidget(label("Choose a command, then press its new keys:", "muted"))
        row.addWidget(self.editor)
        row.addWidget(reset)
        row.addWidget(self._remark, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 16, 20, 8)
        layout.setSpacing(8)
        layout.addWidget(self.filter)
        layout.addWidget(self.table, 1)
        layout.addLayout(row)
        self.filter.textChanged.connect(self.model.set_filter)
        self.table.selectionModel().currentRowChanged.connect(self._on_chosen)
        self.editor.editingFinished.connect(self._on_edited)

    def keys_of(self, command: Command) -> str:
        """The keys in force."""
        return self._commands.actions[command.id].shortcut().toString()

    def change(self, id_: str, keys: str) -> None:
        """Give a command other keys; keys that another command has are refused."""
        taken = self._commands.conflict(id_, keys)
        self._remark.setText(f"{keys} is taken by “{taken}”" if taken else "")
        if taken is None:
            own = {**self._commands.own_keys, id_: keys}
            if keys == self._commands.shipped_key(id_):
                del own[id_]
            self._take(own)

    def reset(self) -> None:
        """Give the chosen command the keys it was shipped with."""
        chosen = self.table.selected()
        if chosen is not None:
            own = {k: v for k, v in self._commands.own_keys.items() if k != chosen.id}
            self._take(own)
            self._on_chosen()

    def _take(self, own: dict[str, str]) -> None:
        self._commands.use_own_keys(own)
        self._keep(own)
        self.model.redraw()

    def _on_chosen(self) -> None:
        chosen = self.table.selected()
        if chosen is not None:
            self.editor.setKeySequence(QKeySequence(self.keys_of(chosen)))

    def _on_edited(self) -> None:
        chosen = self.table.selected()
        keys = self.editor.keySequence().toString()
        if chosen is not None and keys != self.keys_of(chosen):
            self.change(chosen.id, keys)

    def _tint(self, command: Command) -> str:
        return "accent" if command.id in self._commands.own_keys else "text"
