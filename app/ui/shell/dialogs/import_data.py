"""Importing a table: what its first rows become, what is read of it, and the code for that."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    Qt,
    Signal,
    SignalInstance,
)
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QMenu,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from app.errors import FuselabError
from app.ui.support.data_files import is_no_text, is_table, loading_code, variable_name
from app.ui.support.fonts import code_font
from app.ui.support.formats import plural
from app.ui.support.theme import theme
from app.ui.widgets.panel_parts import column, label

if TYPE_CHECKING:
    from app.engine.session.table_import import Choices, Preview
    from app.ui.language_client.client import LanguageClient
    from app.ui.shell.main_window import MainWindow

_DELIMITERS = {",": "Comma", "\t": "Tab", ";": "Semicolon", "|": "Bar", " ": "Space"}
_OUTPUTS = {
    "table": "Table",
    "columns": "Column vectors",
    "matrix": "Numeric matrix",
    "strings": "String array",
    "cell": "Cell array",
}
_TOPIC = "import"
_WIDEST, _NARROWEST = 260, 90
Index = QModelIndex | QPersistentModelIndex
Seen: TypeAlias = "Preview | FuselabError"


def _looked(path: Path, chosen: Choices) -> Seen:
    """In the language thread: what would be read, or why nothing can be."""
    from app.engine.session import table_import

    try:
        return table_import.look(path, chosen)
    except FuselabError as problem:
        return problem


class _Fields(QAbstractTableModel):
    """The fields as they stand in the file, and what is read in place of those that are lost."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: Preview | None = None
        self.left_out: frozenset[str] = frozenset()

    def show(self, seen: Preview | None, left_out: frozenset[str]) -> None:
        """Show other rows."""
        self.beginResetModel()
        self.seen, self.left_out = seen, left_out
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        """Rows that are shown."""
        return 0 if self.seen is None or parent.isValid() else len(self.seen.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        """Columns of the file."""
        return 0 if self.seen is None or parent.isValid() else len(self.seen.names)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """What Qt asks about a field."""
        if self.seen is None:
            return None
        field = self.seen.rows[index.row()][index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            shown = f"{field.text} → {field.becomes}" if field.text else field.becomes
            return shown if field.becomes else field.text
        if role == Qt.ItemDataRole.ForegroundRole:
            out = self.seen.names[index.column()] in self.left_out
            return theme().colour("faint" if out else "transfer" if field.becomes else "text")
        if role == Qt.ItemDataRole.FontRole:
            return code_font(12)
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Name and class of a column; the number of a row."""
        if self.seen is None:
            return None
        across = orientation == Qt.Orientation.Horizontal
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignLeft if across else Qt.AlignmentFlag.AlignRight
            return side | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.ToolTipRole and across:
            return "Click to choose the class, or to leave the column out"
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if not across:
            return str(section + 1)
        name = self.seen.names[section]
        return f"{name}\n{'left out' if name in self.left_out else self.seen.kinds[section]} ▾"


class ImportDialog(QDialog):
    """What a table in a file would become; ``import_wanted`` and ``script_wanted`` give the code
    that reads it so.

    ``taken`` says the names of variables that are there.
    """

    import_wanted = Signal(str)
    script_wanted = Signal(str)

    def __init__(
        self, parent: QWidget, path: Path, client: LanguageClient, taken: Callable[[], set[str]]
    ) -> None:
        from app.engine.session.table_import import Choices

        super().__init__(parent)
        self.path, self._client, self._taken = path, client, taken
        self._problem = ""
        self.setWindowTitle(f"Import {path.name}")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(820, 540)
        self.chosen = Choices(name=variable_name(path.stem))
        self.shown: Choices | None = None
        self.fields = _Fields()
        self.table = QTableView()
        self.told = label("Reading…", "muted")
        self.told.setWordWrap(True)
        self.delimiter = _box({"": "Auto", **_DELIMITERS}, self._change_layout)
        self.decimal = _box({"": "Point", ",": "Comma"}, self._change_layout)
        self.sheet = _box({"": "First sheet"}, self._change_layout)
        self.cells = QLineEdit()
        self.cells.setPlaceholderText("All")
        self.cells.setToolTip("Cells such as A2:C10")
        self.cells.editingFinished.connect(self._change_layout)
        self.named = QCheckBox("Names in the first row")
        self.named.clicked.connect(self._change_layout)
        self.as_written = QCheckBox("Keep names as written")
        self.as_written.setToolTip("Names that are not valid for variables stay column names")
        self.as_written.clicked.connect(self._change_layout)
        self.output = _box(_OUTPUTS, self._change)
        self.name = QLineEdit(self.chosen.name)
        self.name.setFont(code_font())
        self.name.textChanged.connect(self._show_state)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.run = buttons.addButton("Import", QDialogButtonBox.ButtonRole.AcceptRole)
        self.run.setDefault(True)
        self.write = buttons.addButton("Generate Script", QDialogButtonBox.ButtonRole.ActionRole)
        self.run.clicked.connect(partial(self._take, self.import_wanted))
        self.write.clicked.connect(partial(self._take, self.script_wanted))
        buttons.rejected.connect(self.reject)
        self._arrange(buttons)
        self._ask()

    def _arrange(self, buttons: QDialogButtonBox) -> None:
        book = is_no_text(self.path)
        source = (
            (("Sheet", self.sheet),)
            if book
            else (
                ("Delimiter", self.delimiter),
                ("Decimal separator", self.decimal),
            )
        )
        row = QHBoxLayout()
        row.setSpacing(12)
        for title, part in (
            *source,
            ("Range", self.cells),
            ("Output", self.output),
            ("Variable", self.name),
        ):
            part.setAccessibleName(title)
            row.addWidget(column(label(title, "muted"), part, spacing=2), 1)
        unused = (self.delimiter, self.decimal) if book else (self.sheet,)
        for part in unused:
            part.setParent(self)
            part.hide()
        self._set_up_table()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 14, 16, 12)
        layout.setSpacing(10)
        layout.addLayout(row)
        names = QHBoxLayout()
        names.setSpacing(20)
        names.addWidget(self.named)
        names.addWidget(self.as_written)
        names.addStretch(1)
        layout.addLayout(names)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.told)
        layout.addWidget(buttons)

    def _set_up_table(self) -> None:
        table, header = self.table, self.table.horizontalHeader()
        self.fields.setParent(table)
        table.setModel(self.fields)
        table.setAccessibleName("First rows")
        table.setWordWrap(False)
        table.setHorizontalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        table.verticalHeader().setDefaultSectionSize(24)
        table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        table.customContextMenuRequested.connect(self._menu_of_field)
        header.setSectionsClickable(True)
        header.setHighlightSections(False)
        header.sectionClicked.connect(self._menu_below)

    # --- what is chosen ---------------------------------------------------------------

    def _change_layout(self, *_now: object) -> None:
        """Other fields: classes that were chosen for the columns before mean nothing now."""
        named = self.named.isChecked() if self.sender() is self.named else self.chosen.named
        wanted = replace(
            self.chosen,
            delimiter=self.delimiter.currentData(),
            decimal=self.decimal.currentData(),
            sheet=self.sheet.currentData(),
            cells=self.cells.text().strip(),
            named=named,
            as_written=self.as_written.isChecked(),
        )
        if wanted != self.chosen:
            self.chosen = replace(wanted, kinds={}, left_out=frozenset())
            self._ask()

    def _change(self, *_now: object) -> None:
        before, output = self.chosen, self.output.currentData()
        self.chosen = replace(before, output=output)
        if self.chosen.options() != before.options():  # the columns have other names
            self.chosen = replace(self.chosen, kinds={}, left_out=frozenset())
        self._ask()

    def give_class(self, number: int, kind: str) -> None:
        """Another class for a column."""
        assert self.fields.seen is not None
        name = self.fields.seen.names[number]
        self.chosen = replace(self.chosen, kinds={**self.chosen.kinds, name: kind})
        self._ask()

    def leave_out(self, number: int) -> None:
        """Leave a column out, or take it in again."""
        assert self.fields.seen is not None
        name = self.fields.seen.names[number]
        self.chosen = replace(self.chosen, left_out=self.chosen.left_out ^ {name})
        self._ask()

    def menu_of(self, number: int) -> QMenu:
        """What can be chosen for a column."""
        from app.engine.session.table_import import CLASSES

        menu, seen = QMenu(self), self.fields.seen
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        assert seen is not None
        out = seen.names[number] in self.chosen.left_out
        if self.chosen.output not in ("matrix", "strings"):
            for kind in CLASSES:
                _tick(
                    menu.addAction(kind, partial(self.give_class, number, kind)),
                    kind == seen.kinds[number],
                )
            menu.addSeparator()
        _tick(menu.addAction("Leave Out", partial(self.leave_out, number)), out)
        return menu

    def _menu_below(self, number: int) -> None:
        header = self.table.horizontalHeader()
        place = QPoint(header.sectionViewportPosition(number), header.height())
        self.menu_of(number).popup(header.viewport().mapToGlobal(place))

    def _menu_of_field(self, place: QPoint) -> None:
        index = self.table.indexAt(place)
        if index.isValid():
            self.menu_of(index.column()).popup(self.table.viewport().mapToGlobal(place))

    # --- what is seen -----------------------------------------------------------------

    def _ask(self) -> None:
        chosen = self.chosen
        self._show_state()
        self._client.ask(_TOPIC, partial(_looked, self.path, chosen), partial(self._show, chosen))

    def _show(self, chosen: Choices, seen: Seen) -> None:
        self.shown = chosen
        self._problem = str(seen) if isinstance(seen, FuselabError) else ""
        shown = None if isinstance(seen, FuselabError) else seen
        self.fields.show(shown, self.chosen.left_out)
        if shown is not None:
            self._name_what_was_found(shown)
            self._fit()
        self._show_state()

    def _name_what_was_found(self, seen: Preview) -> None:
        found = _DELIMITERS.get(seen.delimiter, "white space")
        self.delimiter.setItemText(0, f"Auto ({found.lower()})")
        self.named.setChecked(seen.named)
        self.as_written.setEnabled(seen.named and self.chosen.output != "columns")
        for name in seen.sheets[self.sheet.count() - 1 :]:
            self.sheet.addItem(name, name)

    def _fit(self) -> None:
        self.table.resizeColumnsToContents()
        for number in range(self.fields.columnCount()):
            width = min(max(self.table.columnWidth(number), _NARROWEST), _WIDEST)
            self.table.setColumnWidth(number, width)

    def _show_state(self) -> None:
        """Say what will be read, or why nothing can be."""
        from app.engine.session.table_import import name_objection

        columns = self.chosen.output == "columns"
        self.name.setEnabled(not columns)
        objection = self._problem if self.shown == self.chosen else ""
        if not objection and not columns:
            objection = name_objection(self.name.text().strip())
        seen = self.fields.seen
        if not objection and seen is not None and self.chosen.left_out.issuperset(seen.names):
            objection = "All columns are left out." if seen.names else ""
        self.told.setText(objection or self._summary())
        self.told.setProperty("role", "error" if objection else "muted")
        self.told.style().polish(self.told)
        current = self.shown == self.chosen
        for button in (self.run, self.write):
            button.setEnabled(current and not objection)

    def _summary(self) -> str:
        seen = self.fields.seen
        if seen is None or self.shown != self.chosen:
            return "Reading…"
        kept = len(seen.names) - len(self.chosen.left_out)
        size = f"{plural(seen.height, 'row')}, {plural(kept, 'column')}"
        if not seen.whole:
            return f"{size} at the beginning of the file; classes not chosen follow from all of it"
        lost = sum(1 for row in seen.rows for f in row if f.becomes)
        return size + (f"; {plural(lost, 'field')} missing or of another class" if lost else "")

    def _take(self, wanted: SignalInstance) -> None:
        wanted.emit(self.code())
        self.accept()

    def code(self) -> str:
        """The statements that read the table as chosen."""
        from app.engine.session.table_import import reading_code

        assert self.fields.seen is not None
        chosen = replace(self.chosen, name=self.name.text().strip())
        return reading_code(self.path, chosen, self.fields.seen.names, self._taken())


def import_values(window: MainWindow, path: Path) -> None:
    """Take a file's values into the workspace; of a table show first what it would become."""
    if not is_table(path):
        window.run_code(loading_code(path, values=True))
        return
    dialog = ImportDialog(
        window,
        path,
        window.language.client,
        lambda: {v.name for v in window.run_model.variables},
    )
    dialog.import_wanted.connect(window.run_code)
    dialog.script_wanted.connect(lambda code: window.editors.new(f"{code}\n").setFocus())
    dialog.open()


def _box(shown: dict[str, str], change: Callable[..., object]) -> QComboBox:
    box = QComboBox()
    for value, words in shown.items():
        box.addItem(words, value)
    box.activated.connect(change)
    return box


def _tick(action: QAction, ticked: bool) -> None:
    action.setCheckable(True)
    action.setChecked(ticked)
