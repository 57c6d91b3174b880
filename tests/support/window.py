"""What stories do with a window: press F5, type, wait for a pause, look at the workspace."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.engine.protocol import RunState
from app.ui.editor.marks import Indicator
from app.ui.shell.main_window import MainWindow


def run(window: MainWindow, qtbot: QtBot) -> None:
    """Press F5 and wait for the end of the run."""
    with qtbot.waitSignal(window.run_model.run_finished):
        window.commands.run("run.file")
    qtbot.waitUntil(lambda: window.run_model.state == RunState.IDLE)


def output(window: MainWindow) -> str:
    """What the command window shows."""
    return window.command_window.transcript.text()


def variable(window: MainWindow, name: str) -> object:
    """A row of the workspace."""
    return next((v for v in window.run_model.variables if v.name == name), None)


def type_command(window: MainWindow, qtbot: QtBot, text: str) -> None:
    """Type into the command window."""
    qtbot.keyClicks(window.command_window.input, text)
    qtbot.keyClick(window.command_window.input, Qt.Key.Key_Return)


def paused_at(window: MainWindow, qtbot: QtBot, line: int) -> None:
    """Wait until the script stands on a line."""

    def stands() -> bool:  # asked one after the other, the state may be that of the stop before
        editor = window.editors.current()
        at = editor is not None and editor.caret_line == line
        return at and window.run_model.state == RunState.PAUSED

    qtbot.waitUntil(stands)


def value(window: MainWindow, name: str) -> str:
    """What the workspace browser shows for a variable."""
    return next((v.preview for v in window.run_model.variables if v.name == name), "")


def finish(window: MainWindow, qtbot: QtBot, command: str = "debug.continue") -> None:
    """Go on to the end."""
    with qtbot.waitSignal(window.run_model.run_finished):
        window.commands.run(command)
    qtbot.waitUntil(lambda: window.run_model.state == RunState.IDLE)


def shown(window: MainWindow, qtbot: QtBot, name: str) -> Any:
    """A panel with something in it."""
    window.docks.show_panel(name)
    panel: Any = window.panel(name)
    qtbot.waitUntil(lambda: panel.currentWidget() is panel.content)
    return panel


def marked_lines(window: MainWindow, indicator: Indicator) -> list[int]:
    """The lines with a mark."""
    editor = window.editors.current()
    assert editor is not None
    places = range(editor.textLength())
    return sorted(
        {editor.lineFromPosition(p) + 1 for p in places if editor.indicatorValueAt(indicator, p)}
    )


def opened_variable(window: MainWindow, qtbot: QtBot, name: str) -> Any:
    """The panel with a variable in it."""
    window.panel("workspace").open_variable(name)  # type: ignore[attr-defined]
    view: Any = window.panel("variable").current  # type: ignore[attr-defined]
    qtbot.waitUntil(lambda: view.model.rowCount() > 0)
    return view
