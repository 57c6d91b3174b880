"""No command is without a meaning: what can do nothing now is grey, the rest does or says something."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.engine.protocol import RunState
from app.ui.shell.main_window import MainWindow
from app.ui.support.data_files import loading_code
from tests.ui.recorded import engine_of

ASKS_THE_DESKTOP = {
    "file.open",
    "file.open_folder",
    "file.import",
    "file.save",
    "file.save_as",
    "file.export",
    "file.print",
    "file.print_figure",
    "file.quit",
    "view.save_layout",
}
"""These wait for a dialog of the desktop's."""
OF_THE_TEXT = {
    f"edit.{verb}"
    for verb in (
        "undo redo cut copy paste paste_variable select_all comment indent format duplicate move_up "
        "move_down add_next add_all caret_above caret_below complete signature"
    ).split()
}
"""What these do depends on the text alone, and an empty one leaves them nothing."""
ALREADY_SO = {
    "file.save_all",
    "help.functions",
    "view.zoom_reset",
    "view.layout_classic",
    "view.reset_layout",
    "view.theme_system",
    "view.fold_all",
    "view.next_tab",
    "view.previous_tab",
    "view.editor",
    "view.command",
    "view.next_panel",
    "view.previous_panel",
}
"""What these bring about may be there already."""


def close_all(window: MainWindow) -> None:
    for editor in window.editors.editors():
        editor.setSavePoint()
        window.editors.close_tab(0)


def overlays(window: MainWindow) -> list[QWidget]:
    """What lies over the window, as the palette does."""
    own = (window.centralWidget(), window.menuBar(), window.statusBar(), window.tool_bar)
    parts = (w for w in window.children() if isinstance(w, QWidget) and w.isVisible())
    return [w for w in parts if w not in own]


def look(window: MainWindow) -> tuple[object, ...]:
    """What a person may notice."""
    editor = window.editors.current()
    tops = [type(w).__name__ for w in QApplication.topLevelWidgets() if w.isVisible()]
    actions = window.commands.actions.values()
    return (
        sorted(tops),
        sorted(type(w).__name__ for w in overlays(window)),
        window.status._notice.text(),
        str(window.docks.save()),
        len(engine_of(window).requests),
        window.run_model.run,
        window.editors.find_bar.isVisible(),
        window.editors.zoom,
        [a.isChecked() for a in actions],
        window.windowTitle(),
        window.settings.theme,
        len(window.editors.editors()),
        editor is not None and (editor.text(), editor.stops.all(), window.documents.of(editor)),
        window.editors.split.count(),
        getattr(QApplication.focusWidget(), "placeholderText", str)(),
    )


def put_away(window: MainWindow) -> None:
    """Close what a command has opened."""
    for widget in QApplication.topLevelWidgets():
        if widget is not window and widget.isVisible():
            widget.close()
    for overlay in overlays(window):
        overlay.close()
    window.editors.find_bar.hide()
    window.status._notice.setText("")


@pytest.mark.parametrize("files", ["none", "an empty one"])
def test_every_command_that_is_offered_does_or_says_something(
    window: MainWindow, qtbot: QtBot, files: str
) -> None:
    silent = []
    for name in window.commands.actions:
        if name in ASKS_THE_DESKTOP | OF_THE_TEXT | ALREADY_SO:
            continue
        close_all(window)
        if files != "none":
            window.editors.new().setFocus()
        qtbot.waitUntil(lambda: window.run_model.state == RunState.IDLE)
        put_away(window)
        action = window.commands.actions[name]
        if not action.isEnabled():
            continue
        before = look(window)
        QTimer.singleShot(0, action.trigger)
        try:
            qtbot.waitUntil(lambda before=before: look(window) != before)
        except Exception:
            silent.append(name)
    put_away(window)
    assert not silent, ", ".join(silent)


def test_commands_of_files_are_grey_without_one(window: MainWindow, qtbot: QtBot) -> None:
    close_all(window)
    actions = window.commands.actions
    qtbot.waitUntil(lambda: not actions["run.file"].isEnabled())
    on = {name for name, action in actions.items() if action.isEnabled()}
    assert not on & {"file.save", "edit.comment", "run.section", "debug.toggle", "view.split_below"}
    assert on >= {"file.new", "edit.undo", "view.palette", "help.tour"}
    window.editors.new()
    qtbot.waitUntil(actions["run.file"].isEnabled)
    assert not actions["debug.step"].isEnabled()


def test_a_file_of_data_is_not_run(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    """F5 on a table of numbers or a README made errors of syntax."""
    file = tmp_path / "data.csv"
    file.write_text("a,b\n1,2\n")
    window.open_file(file)
    qtbot.waitUntil(lambda: window.run_model.state == RunState.IDLE)
    before = window.run_model.run
    window.commands.run("run.file")
    window.commands.run("run.section")
    assert "not a program" in window.status._notice.text()
    assert window.run_model.run == before
    assert loading_code(file, values=True) == f"data = readtable('{file}');"
    assert not loading_code(file)
    assert loading_code(tmp_path / "it's 2.MAT") == f"load('{tmp_path}/it''s 2.MAT')"
    json = tmp_path / "2-ä.json"
    assert loading_code(json, values=True) == f"x2__ = jsondecode(fileread('{json}'));"
    assert not loading_code(tmp_path / "notes.m", values=True)


def test_what_runs_from_the_caret_stands_with_what_runs(window: MainWindow) -> None:
    menus = {action.text().lstrip("&"): action.menu() for action in window.menuBar().actions()}
    titles = [action.text() for action in menus["Run"].actions()]
    assert titles.index("Run From Here") == titles.index("Run Selection") + 1
    assert titles[-1] == "Clear Workspace"
