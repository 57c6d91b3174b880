"""What stories do with a window: press F5, type, wait for a pause, look at the workspace."""

from __future__ import annotations

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.engine.protocol import RunState
from app.ui.shell.main_window import MainWindow


def run(window: MainWindow, qtbot: QtBot) -> None:
    """Press F5 and wait for the end of the run."""
    with qtbot.waitSignal(window.run_model.run_finished, timeout=60_000):
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
    qtbot.waitUntil(lambda: window.run_model.state == RunState.PAUSED, timeout=10_000)
    editor = window.editors.current()
    assert editor is not None
    qtbot.waitUntil(lambda: editor.caret_line == line)


def value(window: MainWindow, name: str) -> str:
    """What the workspace browser shows for a variable."""
    return next((v.preview for v in window.run_model.variables if v.name == name), "")


def finish(window: MainWindow, qtbot: QtBot, command: str = "debug.continue") -> None:
    """Go on to the end."""
    with qtbot.waitSignal(window.run_model.run_finished, timeout=10_000):
        window.commands.run(command)
