"""Scripts that wait for a person: input, keyboard, pause; breakpoints set while they run."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.engine.protocol import RunState, VariableAction
from app.ui.shell.main_window import MainWindow
from tests.support.window import finish, output, paused_at, type_command, value, variable

Open = Callable[..., MainWindow]


def waits(window: MainWindow, qtbot: QtBot) -> None:
    """Wait until the script waits."""
    qtbot.waitUntil(lambda: window.run_model.state == RunState.WAITING_INPUT)


def test_input_keyboard_and_pause_are_answered(open_window: Open, qtbot: QtBot) -> None:
    window = open_window(
        "n = input('How many? ');\nt = input('Who? ', 's');\nkeyboard\npause\n"
        "fprintf('%s has %d of %d\\n', t, n, k);\n"
    )
    window.commands.run("run.file")
    waits(window, qtbot)
    assert window.command_window.input.prompt == "How many? "
    type_command(window, qtbot, "2 + 3")
    qtbot.waitUntil(lambda: window.command_window.input.prompt == "Who? ")
    waits(window, qtbot)
    type_command(window, qtbot, "Ada")
    qtbot.waitUntil(lambda: window.run_model.state == RunState.PAUSED)
    type_command(window, qtbot, "k = n * 2;")
    qtbot.waitUntil(lambda: variable(window, "k") is not None)
    type_command(window, qtbot, "dbcont")
    waits(window, qtbot)
    with qtbot.waitSignal(window.run_model.run_finished):
        qtbot.keyClick(window.command_window.input, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: output(window).endswith("Ada has 5 of 10"))


def test_a_breakpoint_is_set_while_the_script_runs(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("k = 0;\nwhile k >= 0\n    k = k + 1;\n    s = num2str(k);\nend\n")
    editor = window.editors.current()
    assert editor is not None
    window.commands.run("run.file")
    qtbot.waitUntil(lambda: window.run_model.state == RunState.RUNNING)
    qtbot.wait(1000)  # passes have gone by
    editor.stops.toggle(4)
    paused_at(window, qtbot, 4)
    qtbot.waitUntil(lambda: value(window, "s") != "")
    editor.stops.toggle(4)
    window.commands.run("debug.continue")
    qtbot.waitUntil(lambda: window.run_model.state == RunState.RUNNING)
    qtbot.wait(100)
    assert window.run_model.state == RunState.RUNNING
    finish(window, qtbot, "run.stop")


def test_a_variable_is_plotted_and_renamed(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("wave = sin(1:50);\n")
    with qtbot.waitSignal(window.run_model.run_finished):
        window.commands.run("run.file")
    panel = window.panel("workspace")
    row = variable(window, "wave")
    menu = panel.menu_for(row)  # type: ignore[attr-defined]
    next(a for a in menu.actions() if a.text() == "Plot").trigger()
    figures = window.panel("figures")
    qtbot.waitUntil(lambda: figures.panel is not None)  # type: ignore[attr-defined]
    window.bridge.post(VariableAction("rename", "wave", "swell"))
    qtbot.waitUntil(lambda: variable(window, "swell") is not None and not variable(window, "wave"))
    menu.deleteLater()
