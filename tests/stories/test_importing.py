"""A table is looked at before it is imported: what is chosen is what is read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot

from app.engine.protocol import RunState
from app.ui.panels.files import FilesPanel
from app.ui.shell.dialogs.import_data import ImportDialog, import_values
from app.ui.shell.main_window import MainWindow
from tests.support.window import output, value, variable

Open = Callable[..., MainWindow]
TEXT = "time;level;place\n1;2,5;north\n2;;south\n3;x;west\n"


def opened_import(window: MainWindow, qtbot: QtBot, file: Path) -> ImportDialog:
    """The dialog of an import with the first rows in it."""
    import_values(window, file)
    (dialog,) = window.findChildren(ImportDialog)
    settled(dialog, qtbot)
    return dialog


def settled(dialog: ImportDialog, qtbot: QtBot) -> None:
    """Wait for what the latest choice shows."""
    qtbot.waitUntil(lambda: dialog.shown == dialog.chosen)


def choose(dialog: ImportDialog, qtbot: QtBot, title: str, words: str) -> None:
    """Choose in the box of that title."""
    box = {"Delimiter": dialog.delimiter, "Decimal": dialog.decimal, "Output": dialog.output}[title]
    box.setCurrentIndex(box.findText(words))
    box.activated.emit(box.currentIndex())
    settled(dialog, qtbot)


def fields(dialog: ImportDialog) -> list[list[object]]:
    """What is shown, row by row."""
    model = dialog.fields
    return [
        [model.index(r, c).data() for c in range(model.columnCount())]
        for r in range(model.rowCount())
    ]


def heads(dialog: ImportDialog) -> list[str]:
    """Names and classes of the columns."""
    across, model = Qt.Orientation.Horizontal, dialog.fields
    return [str(model.headerData(c, across)) for c in range(model.columnCount())]


def test_a_table_is_imported_as_chosen(open_window: Open, qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "levels.csv"
    file.write_text(TEXT)
    window = open_window("x = 1;\n")
    dialog = opened_import(window, qtbot, file)
    assert heads(dialog) == ["time\ndouble ▾", "level\nchar ▾", "place\nchar ▾"]
    assert dialog.named.isChecked()
    assert dialog.delimiter.currentText() == "Auto (semicolon)"
    choose(dialog, qtbot, "Decimal", "Comma")
    dialog.give_class(1, "double")
    settled(dialog, qtbot)
    dialog.leave_out(2)
    settled(dialog, qtbot)
    assert heads(dialog)[1:] == ["level\ndouble ▾", "place\nleft out ▾"]
    assert [row[1] for row in fields(dialog)] == ["2,5", "NaN", "x → NaN"]
    assert "3 rows, 2 columns; 2 fields missing" in dialog.told.text()
    with qtbot.waitSignal(window.run_model.run_finished):
        dialog.run.click()
    qtbot.waitUntil(lambda: window.run_model.state == RunState.IDLE)
    assert "setvartype(opts, {'level'}, 'double')" in output(window)
    qtbot.waitUntil(lambda: variable(window, "levels") is not None)
    assert "3×2 table" in value(window, "levels").replace("x", "×")
    assert variable(window, "opts") is None


def test_something_is_left_to_import(open_window: Open, qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "levels.csv"
    file.write_text(TEXT)
    dialog = opened_import(open_window("x = 1;\n"), qtbot, file)
    for number in range(3):
        assert dialog.run.isEnabled()
        dialog.leave_out(number)
        settled(dialog, qtbot)
    assert dialog.told.text() == "All columns are left out."
    assert not dialog.run.isEnabled()
    assert not dialog.write.isEnabled()
    dialog.leave_out(1)
    settled(dialog, qtbot)
    assert dialog.code().endswith("clear opts")
    assert dialog.run.isEnabled()


def test_the_code_is_a_script_if_wanted(open_window: Open, qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "levels.csv"
    file.write_text(TEXT)
    window = open_window("x = 1;\n")
    dialog = opened_import(window, qtbot, file)
    dialog.name.setText("2x")
    assert not dialog.run.isEnabled()
    dialog.name.setText("m")
    choose(dialog, qtbot, "Output", "Numeric matrix")
    assert heads(dialog)[2] == "place\ndouble ▾"
    assert [a.text() for a in dialog.menu_of(0).actions()] == ["Leave Out"]
    dialog.write.click()
    editor = window.editors.current()
    assert editor is not None
    assert "m = readmatrix(" in editor.text()


def test_what_cannot_be_read_says_so(open_window: Open, qtbot: QtBot, tmp_path: Path) -> None:
    window = open_window("x = 1;\n")
    book = tmp_path / "old.xls"
    book.write_bytes(b"\xd0\xcf")
    dialog = opened_import(window, qtbot, book)
    assert "save it as .xlsx" in dialog.told.text()
    assert not dialog.run.isEnabled()
    dialog.reject()
    qtbot.waitUntil(lambda: not window.findChildren(ImportDialog))
    file = tmp_path / "a.csv"
    file.write_text("a,b\n1,2\n")
    dialog = opened_import(window, qtbot, file)
    dialog.cells.setText("nonsense")
    dialog.cells.editingFinished.emit()
    settled(dialog, qtbot)
    assert "no range" in dialog.told.text()
    assert not dialog.write.isEnabled()
    dialog.cells.setText("")
    dialog.cells.editingFinished.emit()
    settled(dialog, qtbot)
    assert dialog.run.isEnabled()
    dialog.reject()


def test_a_script_asks_for_the_dialog(open_window: Open, qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    window = open_window("uiimport a.csv\n")
    window.commands.run("run.file")
    qtbot.waitUntil(lambda: bool(window.findChildren(ImportDialog)))
    (dialog,) = window.findChildren(ImportDialog)
    settled(dialog, qtbot)
    assert len(heads(dialog)) == 2
    dialog.reject()
    qtbot.waitUntil(lambda: window.run_model.state == RunState.IDLE)


def test_the_files_panel_offers_tables(open_window: Open, qtbot: QtBot, tmp_path: Path) -> None:
    """A double click on a table opened its text, and one on a workbook read its first sheet."""
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    window = open_window("x = 1;\n", layout="classic")
    panel = window.panel("files")
    assert isinstance(panel, FilesPanel)
    wanted: list[object] = []
    panel.import_wanted.connect(wanted.append)
    index: QModelIndex = panel.model.index(str(tmp_path / "a.csv"))
    panel.tree.activated.emit(index)
    assert wanted == [tmp_path / "a.csv"]
    (dialog,) = window.findChildren(QDialog)
    dialog.reject()
    titles = {
        name: [a.text() for a in panel.menu_for(tmp_path / name).actions()][:2]
        for name in ("a.csv", "a.xlsx", "a.mat", "a.txt", "a.m")
    }
    assert titles["a.csv"] == ["Open as Text", "Import Data…"]
    assert titles["a.xlsx"][0] == "Import Data…"
    assert titles["a.mat"] == ["Open", "Import Data"]
    assert titles["a.txt"] == ["Open", "Import Data…"]
    assert titles["a.m"] == ["Open", ""]
