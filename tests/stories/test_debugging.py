"""Breakpoints, steps and frames with the real engine."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from pyside6_scintilla import Scintilla
from pytestqt.qtbot import QtBot

from app.engine.protocol import RunState
from app.ui.editor.breakpoints import Stop
from app.ui.shell.main_window import MainWindow
from tests.support.window import finish, output, paused_at, run, value

Open = Callable[..., MainWindow]
SCRIPT = """\
total = 0;
for k = 1:5
    total = total + k;
end
y = twice(total);
fprintf('%d\\n', y);

function r = twice(x)
    r = 2 * x;
end
"""


def test_a_conditional_breakpoint_stops_and_steps(open_window: Open, qtbot: QtBot) -> None:
    window = open_window(SCRIPT, layout="debug")
    editor = window.editors.current()
    assert editor is not None
    editor.stops.put(3, Stop(condition="k == 4"))
    window.commands.run("run.file")
    paused_at(window, qtbot, 3)
    qtbot.waitUntil(lambda: value(window, "k") == "4")
    qtbot.waitUntil(lambda: value(window, "total") == "6")
    window.commands.run("debug.step")
    qtbot.waitUntil(lambda: value(window, "total") == "10")
    finish(window, qtbot)
    qtbot.waitUntil(lambda: window.command_window.transcript.text().endswith("30"))


def test_a_function_shows_its_own_variables(open_window: Open, qtbot: QtBot) -> None:
    window = open_window(SCRIPT, layout="debug")
    editor = window.editors.current()
    assert editor is not None
    editor.stops.toggle(9)
    window.commands.run("run.file")
    paused_at(window, qtbot, 9)
    qtbot.waitUntil(lambda: value(window, "x") == "15")
    assert not value(window, "total")
    stack = window.panel("stack")
    qtbot.waitUntil(lambda: stack.model.rowCount() == 2)  # type: ignore[attr-defined]
    stack.table.selectRow(1)  # type: ignore[attr-defined]
    stack._choose()  # type: ignore[attr-defined]
    qtbot.waitUntil(lambda: value(window, "total") == "15")
    finish(window, qtbot)


def test_the_command_window_works_in_a_pause(open_window: Open, qtbot: QtBot) -> None:
    window = open_window(SCRIPT, layout="debug")
    editor = window.editors.current()
    assert editor is not None
    editor.stops.toggle(5)
    window.commands.run("run.file")
    paused_at(window, qtbot, 5)
    console = window.command_window
    qtbot.keyClicks(console.input, "total = 100;")
    qtbot.keyClick(console.input, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: value(window, "total") == "100")
    finish(window, qtbot)
    qtbot.waitUntil(lambda: console.transcript.text().endswith("200"))


def test_stop_ends_a_paused_script(open_window: Open, qtbot: QtBot) -> None:
    window = open_window(SCRIPT, layout="debug")
    editor = window.editors.current()
    assert editor is not None
    editor.stops.toggle(3)
    window.commands.run("run.file")
    paused_at(window, qtbot, 3)
    finish(window, qtbot, "run.stop")
    assert window.run_model.status == "interrupted"
    qtbot.waitUntil(lambda: window.run_model.state == RunState.IDLE)


def test_stop_ends_a_question(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("x = input('number? ');\ny = x + 1;\n")
    window.commands.run("run.file")
    qtbot.waitUntil(lambda: window.run_model.state == RunState.WAITING_INPUT)
    finish(window, qtbot, "run.stop")
    assert window.run_model.status == "interrupted"


def test_an_error_pauses_when_asked(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("a = 1;\nb = a(5);\n", layout="debug")
    window.breakpoints.pause_on("error", on=True)
    window.commands.run("run.file")
    paused_at(window, qtbot, 2)
    qtbot.waitUntil(lambda: value(window, "a") == "1")
    finish(window, qtbot)
    assert window.run_model.status == "error"


def test_a_running_script_pauses_on_request(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("k = 0;\nwhile k >= 0\n    k = k + 1;\n    s = num2str(k);\nend\n")
    window.commands.run("run.file")
    qtbot.waitUntil(lambda: window.run_model.state == RunState.RUNNING)
    window.commands.run("debug.pause")
    qtbot.waitUntil(lambda: window.run_model.state == RunState.PAUSED)
    qtbot.waitUntil(lambda: value(window, "k") != "")
    finish(window, qtbot, "run.stop")


def test_run_to_cursor_and_watch(open_window: Open, qtbot: QtBot) -> None:
    window = open_window(SCRIPT, layout="debug")
    watches = window.panel("watches")
    watches.add("total * 2")  # type: ignore[attr-defined]
    watches.add("nothing")  # type: ignore[attr-defined]
    editor = window.editors.current()
    assert editor is not None
    editor.go_to(5)
    window.commands.run("debug.to_cursor")
    paused_at(window, qtbot, 5)
    model = watches.model  # type: ignore[attr-defined]
    qtbot.waitUntil(lambda: model.index(0, 1).data() == "30")
    assert "nothing" in model.index(1, 1).data()
    editor.go_to(9)
    window.commands.run("debug.to_cursor")
    paused_at(window, qtbot, 9)
    finish(window, qtbot)
    assert not editor.stops.all()


def test_the_first_nan_pauses_when_asked(open_window: Open, qtbot: QtBot) -> None:
    text = "x = zeros(100000, 1);\ny = x + 1;\nz = x ./ x;\nw = 1;\n"
    window = open_window(text, layout="debug")
    window.panel("breakpoints").boxes["naninf"].setChecked(True)  # type: ignore[attr-defined]
    window.commands.run("run.file")
    paused_at(window, qtbot, 3)
    assert window.run_model.detail == "z(1,1) is NaN: 0 ./ 0 at (1,1) on line 3"
    finish(window, qtbot)


def test_a_breakpoint_in_a_fused_loop_splits_it(open_window: Open, qtbot: QtBot) -> None:
    text = "x = ones(1, 100000);\nfor k = 1:8\n    x = x * 2 - k;\nend\nfprintf('%d\\n', x(3));\n"
    window = open_window(text, layout="debug")
    run(window, qtbot)
    qtbot.waitUntil(lambda: output(window).split().count("-246") == 1)
    editor = window.editors.current()
    assert editor is not None
    editor.stops.put(3, Stop(condition="k == 4"))
    window.commands.run("run.file")
    paused_at(window, qtbot, 3)
    qtbot.waitUntil(lambda: value(window, "k") == "4")
    finish(window, qtbot)
    qtbot.waitUntil(lambda: output(window).split().count("-246") == 2)
    qtbot.waitUntil(lambda: "breakpoint" in {row.reason for row in window.run_model.boundaries})


def test_keys_step_in_and_out(open_window: Open, qtbot: QtBot) -> None:
    window = open_window(SCRIPT, layout="debug")
    editor = window.editors.current()
    assert editor is not None
    editor.setFocus()
    qtbot.waitUntil(editor.hasFocus)
    editor.go_to(5)
    qtbot.keyClick(editor, Qt.Key.Key_F12)
    qtbot.keyClick(editor, Qt.Key.Key_F5)
    paused_at(window, qtbot, 5)
    qtbot.keyClick(editor, Qt.Key.Key_F11)
    paused_at(window, qtbot, 9)
    qtbot.waitUntil(lambda: value(window, "x") == "15")
    qtbot.keyClick(editor, Qt.Key.Key_F11, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: window.panel("stack").model.rowCount() == 1)  # type: ignore[attr-defined]
    finish(window, qtbot)


def test_the_line_of_the_caret_keeps_its_colour(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("x = 1;\nkeyboard\ny = 2;\n", layout="debug")
    editor = window.editors.current()
    assert editor is not None
    back = Scintilla.Element.CaretLineBack
    before = editor.elementColour(back)
    window.commands.run("run.file")
    qtbot.waitUntil(lambda: window.run_model.state == RunState.PAUSED)
    window.commands.run("debug.continue")
    qtbot.waitUntil(lambda: window.run_model.state == RunState.IDLE)
    assert editor.caretLineVisible()
    assert editor.elementColour(back) == before
