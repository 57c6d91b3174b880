"""Folders, trust, templates, run configurations, references, replacing in files, history."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.engine.protocol import RunState
from app.settings import Settings
from app.ui.shell.dialogs.configuration import Configuration, ConfigurationDialog
from app.ui.shell.main_window import MainWindow
from app.ui.shell.session_store import SessionStore
from app.ui.shell.workspace_trust import TrustBar
from tests.support.window import output, run, type_command, variable

Open = Callable[..., MainWindow]


def test_a_folder_is_asked_about_once(qtbot: QtBot, tmp_path: Path) -> None:
    store, settings = SessionStore(None), Settings()
    bar = TrustBar(store, settings)
    qtbot.addWidget(bar)
    (tmp_path / "inner").mkdir()
    bar.enter(tmp_path)
    assert settings.restricted
    assert not bar.isHidden()
    half = bar._answers.sizeHint().width()
    for width in (3 * half, 2 * half, 2 * half - 1):  # nothing of question and answers is cut
        bar.resize(width, 200)
        bar.layout().activate()
        assert bar.text.height() >= bar.text.heightForWidth(bar.text.width())
        right = [b.mapTo(bar, b.rect().bottomRight()).x() for b in bar.findChildren(QPushButton)]
        assert max(right) < width
        assert bar.trust_button.width() >= bar.trust_button.sizeHint().width()
    qtbot.mouseClick(bar.trust_button, Qt.MouseButton.LeftButton)
    assert bar.isHidden()
    assert not settings.restricted
    bar.enter(tmp_path / "inner")
    assert not settings.restricted
    bar.enter(tmp_path.parent)
    qtbot.mouseClick(bar.refuse_button, Qt.MouseButton.LeftButton)
    assert settings.restricted
    assert bar.answer(tmp_path) is True


def test_an_untrusted_folder_runs_restricted(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("[s, t] = system('echo hello');\ndisp(t)\n", asking=True)
    bar = window.trust
    assert bar is not None
    qtbot.waitUntil(bar.isVisible)
    assert "Trust" in bar.text.text()
    bar.hide()
    run(window, qtbot)
    assert window.run_model.status == "error"
    qtbot.waitUntil(bar.isVisible)
    assert bar.text.text().startswith("'system' is not allowed in a restricted run.")
    qtbot.mouseClick(bar.trust_button, Qt.MouseButton.LeftButton)
    run(window, qtbot)
    assert window.run_model.status == "ok"
    assert "hello" in output(window)
    assert not bar.isVisible()


def test_templates_begin_files_that_are_right(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("x = 1;\n")
    window.commands.run("file.template")
    palette = window.palettes.palette
    assert palette is not None
    titles = [entry.title for entry, _ in palette._model.found]
    assert titles == ["Class", "Function", "Script", "Test"]
    qtbot.keyClicks(palette.field, "script")
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    run(window, qtbot)
    assert window.run_model.status == "ok"
    assert "mean" in output(window)


def test_a_run_configuration_holds(open_window: Open, qtbot: QtBot, tmp_path: Path) -> None:
    window = open_window("disp('unused');\n")
    (tmp_path / "area.m").write_text(
        "function area(a, b)\nfprintf('%s %s %.4f\\n', a, b, rand);\nend\n"
    )
    assert window.open_file(tmp_path / "area.m") is not None
    window.commands.run("run.configure")
    dialog = window.findChild(ConfigurationDialog)
    assert isinstance(dialog, ConfigurationDialog)
    dialog.arguments.setText("3 'two words'")
    dialog.seed.setText("7")
    dialog.accept()
    window.commands.run("run.file")
    qtbot.waitUntil(lambda: "3 two words" in output(window))
    qtbot.waitUntil(lambda: window.run_model.state == RunState.IDLE)
    window.commands.run("run.file")
    qtbot.waitUntil(lambda: output(window).count("two words") == 2)
    first, second = (line for line in output(window).splitlines() if "two words" in line)
    assert first == second
    assert Configuration("1 'open").words == ("1", "'open")


def test_references_and_replacing_over_files(
    open_window: Open, qtbot: QtBot, tmp_path: Path
) -> None:
    other = tmp_path / "other.m"
    other.write_text("% twice in a comment\ny = twice(2); z = [twice(3)];\n", encoding="latin-1")
    (tmp_path / "twice.m").write_text("function r = twice(x)\nr = 2 * x;\nend\n")
    window = open_window("a = twice(1);\n")
    editor = window.editors.current()
    assert editor is not None
    editor.gotoPos(5)
    window.commands.run("edit.references")
    panel = window.panel("find")
    model = panel.model  # type: ignore[attr-defined]
    qtbot.waitUntil(lambda: model.rowCount() == 4)
    found = [(hit.file.name, hit.line, hit.column) for hit in model.rows]
    assert found == [("other.m", 2, 5), ("other.m", 2, 20), ("story.m", 1, 5), ("twice.m", 1, 14)]
    panel.field.setText(r"twice\((\d)\)")  # type: ignore[attr-defined]
    panel._options[2].setChecked(True)  # type: ignore[attr-defined]
    panel.replacement.setText("(2*$1)")  # type: ignore[attr-defined]
    qtbot.waitUntil(lambda: model.rowCount() == 2)
    assert panel.replace_all() == 3  # type: ignore[attr-defined]
    assert other.read_text() == "% twice in a comment\ny = (2*2); z = [(2*3)];\n"
    assert editor.text() == "a = (2*1);\n"
    editor.undo()
    assert editor.text() == "a = twice(1);\n"


def test_history_has_a_panel(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("x = 1;\n")
    window.docks.show_panel("history")
    panel = window.panel("history")
    type_command(window, qtbot, "aa = 5;")
    type_command(window, qtbot, "bb = 6;")
    qtbot.waitUntil(lambda: panel.model.rowCount() == 2)  # type: ignore[attr-defined]
    qtbot.waitUntil(lambda: variable(window, "bb") is not None)
    type_command(window, qtbot, "clear")
    qtbot.waitUntil(lambda: variable(window, "bb") is None)
    panel.table.selectRow(1)  # type: ignore[attr-defined]
    assert panel.table.selected().text == "bb = 6;"  # type: ignore[attr-defined]
    panel.run_again()  # type: ignore[attr-defined]
    qtbot.waitUntil(lambda: variable(window, "bb") is not None)


def test_several_variables_are_saved_loaded_deleted(
    open_window: Open, qtbot: QtBot, tmp_path: Path
) -> None:
    window = open_window("a = 1;\nb = 2;\nc = 3;\n")
    run(window, qtbot)
    panel = window.panel("workspace")
    table = panel.table  # type: ignore[attr-defined]
    qtbot.waitUntil(lambda: table.model().rowCount() == 3)
    table.selectRow(0)
    qtbot.keyClick(table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert table.names() == ["a", "b"]
    panel.save_to(str(tmp_path / "two.mat"))  # type: ignore[attr-defined]
    qtbot.waitUntil((tmp_path / "two.mat").exists)
    qtbot.keyClick(table, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: [v.name for v in window.run_model.variables] == ["c"])
    type_command(window, qtbot, f"load('{tmp_path / 'two.mat'}')")
    qtbot.waitUntil(lambda: [v.name for v in window.run_model.variables] == ["a", "b", "c"])


def test_the_tree_changes_the_folder_everywhere(
    open_window: Open, qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "half.m").write_text("function r = half(x)\nr = x / 2;\nend\n")
    window = open_window("x = 1;\n", layout="classic")
    files = window.panel("files")
    files.folder_wanted.emit(tmp_path / "lib")  # type: ignore[attr-defined]
    assert window.current_folder == tmp_path / "lib"
    type_command(window, qtbot, "q = half(10);")
    qtbot.waitUntil(lambda: variable(window, "q") is not None)
    type_command(window, qtbot, "cd ..")
    qtbot.waitUntil(lambda: window.current_folder == tmp_path)
    assert files.folder == tmp_path  # type: ignore[attr-defined]


def test_going_to_a_trusted_folder_does_not_make_a_script_trusted(
    open_window: Open, qtbot: QtBot, tmp_path: Path
) -> None:
    fine = tmp_path / "fine"
    fine.mkdir()
    window = open_window(f"cd('{fine}')\npause(0.3)\nsystem('echo hello');\n", asking=True)
    bar = window.trust
    assert bar is not None
    window.store.keep("trust", {str(fine.resolve()): True})
    run(window, qtbot)
    assert window.run_model.status == "error"
    assert window.settings.restricted
    qtbot.waitUntil(bar.isVisible)
    window.change_folder(fine)
    assert not window.settings.restricted
