"""The workspace browser: every variable with size, class, bytes and where its data is."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QFileDialog,
    QInputDialog,
    QLineEdit,
    QMenu,
    QWidget,
)

from app.engine.protocol import SetVariable, VariableAction, VariableSummary
from app.ui.panels.panel import Context, Panel
from app.ui.panels.variable_text import cells_of, new_variable_code
from app.ui.run_model.row_model import Column, RowModel
from app.ui.support import dialog_folder, formats
from app.ui.widgets.panel_parts import ElidedLabel, IconButton, bar, column
from app.ui.widgets.row_table import RowTable

_WHERE_TOKENS = {"device": "device", "host": "host", "both": "both", "lazy": "lazy"}


def where_text(where: str) -> str:
    """The place of a value with its glyph."""
    return f"{formats.WHERE_GLYPHS.get(where, '?')} {'GPU' if where == 'device' else where}"


def value_text(variable: VariableSummary) -> str:
    """The value when it is short; empty when the preview only repeats size and class."""
    size = formats.size_text(variable.size)
    repeated = variable.preview == f"{size} {variable.class_name}"
    return "" if repeated else variable.preview


def _class_text(variable: VariableSummary) -> str:
    name = variable.class_name.rpartition(".")[2]  # of packages only the last part is short
    name = "handle" if name == "function_handle" else name
    name += " (complex)" if variable.is_complex else ""
    return name + (" (global)" if variable.is_global else "")


def _tooltip_of(variable: VariableSummary) -> str:
    size = formats.size_text(variable.size)
    what = f"{size} {_class_text(variable)}, {formats.bytes_text(variable.n_bytes)}"
    return f"{what}\n{value_text(variable)}".strip()


SIZE, CLASS, BYTES, WHERE = 2, 3, 4, 5
OPTIONAL = (SIZE, WHERE, CLASS, BYTES)
"""What a narrow panel leaves to the tooltip of the names; names and values are always there."""
NARROW = 460
WIDEST_SIZE = 150
WIDEST_CLASS = 200
WIDEST_NAME = 180

COLUMNS = (
    Column[VariableSummary]("Name", lambda v: v.name, width=84, code=True, tip=_tooltip_of),
    Column[VariableSummary](
        "Value", lambda v: v.preview, tint="muted", width=0, code=True, tip=lambda v: v.preview
    ),
    Column[VariableSummary](
        "Size", lambda v: formats.size_text(v.size), numeric=True, width=84, key=lambda v: v.size
    ),
    Column[VariableSummary]("Class", _class_text, tint="muted", width=78, tip=_class_text),
    Column[VariableSummary](
        "Bytes",
        lambda v: formats.bytes_text(v.n_bytes),
        numeric=True,
        width=70,
        key=lambda v: v.n_bytes,
    ),
    Column[VariableSummary](
        "Where",
        lambda v: where_text(v.where),
        width=66,
        tint=lambda v: _WHERE_TOKENS.get(v.where, "text"),
        tip=lambda v: formats.WHERE_SENTENCES.get(v.where, ""),
    ),
)


class _VariableTable(RowTable[VariableSummary]):
    opened = Signal(str)
    deleted = Signal()
    pasted = Signal()

    def names(self) -> list[str]:
        """The selected variables, in the order of the rows."""
        rows = sorted(index.row() for index in self.selectionModel().selectedRows())
        return [self.rows_model.rows[row].name for row in rows]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        selected = self.selected()
        if selected is not None and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit(selected.name)
        elif selected is not None and event.key() == Qt.Key.Key_Delete:
            self.deleted.emit()
        elif event.matches(QKeySequence.StandardKey.Paste):
            self.pasted.emit()
        else:
            super().keyPressEvent(event)


class WorkspacePanel(Panel):
    """Lists variables; double click opens one, the menu acts on it."""

    empty_icon = "table"
    empty_title = "No variables yet"
    empty_text = "Run a script with F5, or type x = 1 in the command window."

    chosen = Signal(str)

    def __init__(self, context: Context, open_variable: object = None) -> None:
        self._open = open_variable
        super().__init__(context)

    def _build(self) -> QWidget:
        self.model = RowModel(COLUMNS, lambda v: v.name)
        self.table = _VariableTable(self.model, "Variables", 84, OPTIONAL)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("Filter")
        self.filter.setAccessibleName("Filter variables")
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self.model.set_filter)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self._total = ElidedLabel("faint")
        self._total.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._total.setToolTip("All variables in main memory (□) and on the GPU (■)")
        self.table.doubleClicked.connect(self._on_double_click)
        self.table.opened.connect(self.open_variable)
        self.table.clicked.connect(self._on_click)
        self.table.deleted.connect(self.delete_selected)
        self.table.pasted.connect(self.paste)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.table.customContextMenuRequested.connect(self._menu)
        load = IconButton("open", "Load variables from a file", self._load)
        save = IconButton("save", "Save the selected variables, or all", self._save)
        self.filter.setMinimumWidth(70)
        self.filter.setMaximumWidth(170)
        return column(bar(self.filter, self._total, load, save), self.table)

    def _listen(self) -> None:
        self.run_model.variables_changed.connect(self.invalidate)

    def _is_empty(self) -> bool:
        return not self.run_model.variables

    def _refresh(self) -> None:
        variables = self.run_model.variables
        self.model.set_rows(variables)
        self.table.fit(SIZE, WIDEST_SIZE)
        self._fit_classes()
        self._fit_names()
        self._total.setText(_total_text(variables))

    def _fit_classes(self) -> None:
        """Classes are whole where no other column has to leave for it."""
        self.table.fit(CLASS, min(self.table.room_for(CLASS), WIDEST_CLASS))

    def _fit_names(self) -> None:
        """Names are whole where no other column has to leave for it."""
        self.table.fit(0, min(self.table.room_for(0), WIDEST_NAME))

    def open_variable(self, name: str) -> None:
        """Show a variable in the variable editor."""
        if callable(self._open):
            self._open(name)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrow panel has a short filter."""
        super().resizeEvent(event)
        self.filter.setMaximumWidth(84 if self.width() < NARROW else 170)
        self._fit_classes()
        self._fit_names()

    def _on_click(self, index: QModelIndex) -> None:
        self.chosen.emit(self.model.rows[index.row()].name)

    def _on_double_click(self, index: QModelIndex) -> None:
        self.open_variable(self.model.rows[index.row()].name)

    def delete_selected(self) -> None:
        """Delete the selected variables."""
        for name in self.table.names():
            self.context.post(VariableAction("delete", name))

    def paste(self) -> None:
        """Make a variable of the table on the clipboard, as a spreadsheet copies it."""
        code = new_variable_code(cells_of(QApplication.clipboard().text()))
        if not code:
            self.context.notify("The clipboard holds no rectangular table")
            return
        known = {variable.name for variable in self.run_model.variables}
        names = ("pasted", *(f"pasted{n}" for n in range(2, len(known) + 3)))
        name = next(name for name in names if name not in known)
        self.context.post(SetVariable(name, code))
        self.context.notify(f"Pasted as {name}")

    def _menu(self, position: QPoint) -> None:
        variable = self.table.selected()
        if variable is not None:
            menu = self.menu_for(variable)
            menu.exec(self.table.viewport().mapToGlobal(position))
            menu.deleteLater()

    def menu_for(self, variable: VariableSummary) -> QMenu:
        """What can be done with a variable."""
        name, menu = variable.name, QMenu(self)
        menu.addAction("Open", lambda: self.open_variable(name))
        menu.addAction("Plot", lambda: self.context.run_code(f"figure; plot({name})"))
        menu.addAction("Show in command window", lambda: self.context.run_code(name))
        menu.addAction("Rename…", partial(self._rename, name))
        menu.addAction("Save…", self._save)
        menu.addSeparator()
        for title, action in (
            ("Gather to main memory", "gather"),
            ("Evict from the GPU", "evict"),
            ("Keep on the GPU", "pin"),
        ):
            menu.addAction(title, partial(self._post_action, action, name))
        menu.addAction("Delete", self.delete_selected)
        return menu

    def _rename(self, name: str) -> None:
        new, fine = QInputDialog.getText(self, "Rename", f"New name of {name}", text=name)
        if fine and new != name:
            self.context.post(VariableAction("rename", name, new))

    def _save(self) -> None:
        names = self.table.names()
        start = dialog_folder.dialog_start(f"{names[0] if len(names) == 1 else 'workspace'}.mat")
        file = dialog_folder.ask_where(self, "Save", start, "MAT-files (*.mat)")
        if file is not None:
            self.save_to(str(file))

    def save_to(self, file: str) -> None:
        """Save the selected variables, or all."""
        names = "".join(f", '{name}'" for name in self.table.names())
        self.context.run_code(f"save({_quoted_text(file)}{names})")

    def _load(self) -> None:
        kinds = "Data (*.mat *.csv *.txt);;All files (*)"
        file, _ = QFileDialog.getOpenFileName(self, "Load", dialog_folder.dialog_start(), kinds)
        if file:
            self.context.run_code(f"load({_quoted_text(file)})")

    def _post_action(self, action: str, name: str) -> None:
        self.context.post(VariableAction(action, name))


def _quoted_text(text: str) -> str:
    doubled = text.replace("'", "''")
    return f"'{doubled}'"


def _total_text(variables: tuple[VariableSummary, ...]) -> str:
    def total(*places: str) -> int:
        return sum(v.n_bytes for v in variables if v.where in places)

    sums = {place: total(place, "both") for place in ("host", "device")}
    shown = (place for place, n_bytes in sums.items() if n_bytes or place == "host")
    return "  ".join(
        f"{formats.WHERE_GLYPHS[place]} {formats.bytes_text(sums[place])}" for place in shown
    )
