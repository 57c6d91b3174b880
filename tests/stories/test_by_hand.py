"""Mouse and keys where they meet the window: margin, stack, command line, undo, status bar."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolTip
from pytestqt.qtbot import QtBot

from app.engine.protocol import RunState, RunText
from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.hover import Hover
from app.ui.editor.marks import Margin
from app.ui.shell.main_window import MainWindow
from tests.support.window import output, run
from tests.ui.keys import offered

Open = Callable[..., MainWindow]
CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
TEXT = "%% One\na = 1;\n%% Two\nb = twice(a);\nfunction y = twice(x)\n    y = 2 * x;\nend\n"


def focused(window: MainWindow, qtbot: QtBot) -> CodeEditor:
    """The editor in front, with the keyboard."""
    editor = window.editors.current()
    assert editor is not None
    editor.setFocus()
    qtbot.waitUntil(editor.hasFocus)
    return editor


def value(window: MainWindow, name: str) -> str:
    """The value of a variable as the workspace shows it."""
    return next((v.preview for v in window.run_model.variables if v.name == name), "")


def test_a_click_in_the_margin_stops_and_the_stack_shows_its_variables(
    open_window: Open, qtbot: QtBot
) -> None:
    window = open_window(TEXT, layout="debug")
    editor = focused(window, qtbot)
    left = sum(editor.marginWidthN(m) for m in Margin if m < Margin.BREAKPOINTS)
    height = editor.pointYFromPosition(editor.positionFromLine(5)) + 5
    QTest.mouseClick(editor.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(left + 6, height))
    assert [line for line, _ in editor.stops.all()] == [6]
    QTest.keyClick(editor, Qt.Key.Key_F5)
    qtbot.waitUntil(lambda: window.run_model.state == RunState.PAUSED)
    qtbot.waitUntil(lambda: value(window, "x") == "1")
    table: Any = window.panel("stack").table  # type: ignore[attr-defined]
    qtbot.waitUntil(lambda: table.model().rowCount() == 2)  # a pause waits for nobody
    QTest.mouseClick(
        table.viewport(),
        Qt.MouseButton.LeftButton,
        pos=table.visualRect(table.model().index(1, 0)).center(),
    )
    qtbot.waitUntil(lambda: value(window, "a") == "1")
    assert editor.caret_line == 4
    QTest.keyClick(editor, Qt.Key.Key_F5, SHIFT)
    qtbot.waitUntil(lambda: window.run_model.state == RunState.IDLE)


def test_a_warning_pauses_when_asked(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("x = 1;\nwarning('a:b', 'Careful');\nx = 2;\n", layout="debug")
    boxes: Any = window.panel("breakpoints").boxes  # type: ignore[attr-defined]
    boxes["warning"].click()
    window.commands.run("run.file")
    qtbot.waitUntil(lambda: window.run_model.state == RunState.PAUSED)
    qtbot.waitUntil(lambda: value(window, "x") == "1")
    window.commands.run("debug.continue")
    qtbot.waitUntil(lambda: window.run_model.state == RunState.IDLE)
    boxes["warning"].click()


def test_sections_run_and_advance_by_keys(open_window: Open, qtbot: QtBot) -> None:
    window = open_window(TEXT, layout="classic")
    editor = focused(window, qtbot)
    editor.go_to(2)
    with qtbot.waitSignal(window.run_model.run_finished):
        QTest.keyClick(editor, Qt.Key.Key_Return, CONTROL | SHIFT)
    assert editor.caret_line == 3
    assert (value(window, "a"), value(window, "b")) == ("1", "")


def test_the_command_line_blocks_searches_and_leads_to_errors(
    open_window: Open, qtbot: QtBot
) -> None:
    window = open_window("function story\nnothing_here(1)\nend\n", layout="classic")
    line = window.command_window.input
    QTest.keyClick(focused(window, qtbot), Qt.Key.Key_J, CONTROL)
    qtbot.waitUntil(line.hasFocus)
    for text in ("for k = 1:2", "disp(k * 21)", "end"):
        QTest.keyClicks(line, text)
        QTest.keyClick(line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: output(window).rstrip().endswith("42"))
    for text in ("alpha = 5;", "beta = 6;"):
        with qtbot.waitSignal(window.run_model.run_finished):
            QTest.keyClicks(line, text)
            QTest.keyClick(line, Qt.Key.Key_Return)
    QTest.keyClicks(line, "al")
    QTest.keyClick(line, Qt.Key.Key_Up)
    assert line.text().strip() == "alpha = 5;"
    line.setText("")
    run(window, qtbot)
    transcript = window.command_window.transcript
    place = output(window).index("story.m:2")
    transcript.hotSpotClick.emit(place, 0)
    editor = window.editors.current()
    assert editor is not None
    assert editor.caret_line == 2


def test_undo_stays_where_the_keyboard_is(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("x = 1;\n", layout="classic")
    editor = focused(window, qtbot)
    QTest.keyClicks(editor, "q")
    line = window.command_window.input
    line.setFocus()
    qtbot.waitUntil(line.hasFocus)
    QTest.keyClicks(line, "7")
    QTest.keyClick(line, Qt.Key.Key_Z, CONTROL)
    assert (line.text().strip(), editor.text()) == ("", "qx = 1;\n")
    editor.setFocus()
    window.commands.run("edit.select_all")
    window.commands.run("edit.cut")
    assert editor.text() == ""
    window.commands.run("edit.paste")
    assert editor.text() == "qx = 1;\n"


def test_fields_are_completed_and_functions_explained(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("s.alpha = 1;\ns.beta = 2;\n", layout="focus")
    editor = focused(window, qtbot)
    editor.gotoPos(editor.textLength())
    QTest.keyClicks(editor, "t = s.")
    qtbot.waitUntil(lambda: offered(editor) == ["alpha", "beta"])
    QTest.keyClicks(editor, "b")
    QTest.keyClick(editor, Qt.Key.Key_Tab)
    assert editor.text().endswith("t = s.beta")
    editor.setText("cumsum(1)")
    hover = editor.findChild(Hover)
    assert isinstance(hover, Hover)
    hover._show_word(editor.mapToGlobal(QPoint(60, 30)), 2)
    qtbot.waitUntil(lambda: "cumsum(" in QToolTip.text())
    QToolTip.hideText()


def test_the_status_bar_tells_and_stops(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("while true\n  pause(0.01);\nend\n", layout="classic")
    status = window.status
    assert "ready" in status._state.text()
    assert status._encoding.text() == "UTF-8 LF"
    window.commands.run("run.file")
    qtbot.waitUntil(status.cancel.isVisible)
    assert status.progress.isVisible()
    assert "running: story.m" in status._state.text()
    QTest.mouseClick(status.cancel, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.run_model.state == RunState.IDLE)
    assert not status.progress.isVisible()
    assert status._time.text()
    window.bridge.post(RunText("while true, pause(0.01); end"))  # a command has no name
    qtbot.waitUntil(status.cancel.isVisible)
    assert status._state.text() == "● running"
    window.bridge.stop_run()
    qtbot.waitUntil(lambda: window.run_model.state == RunState.IDLE)
    editor = focused(window, qtbot)
    editor.go_to(2, 3)
    qtbot.waitUntil(lambda: status._position.text() == "Ln 2, Col 3")


def test_variables_are_filtered_and_sorted(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("big = zeros(50);\nsmall = 1;\nbigger = zeros(90);\n", layout="gpu")
    run(window, qtbot)
    panel: Any = window.panel("workspace")
    qtbot.waitUntil(lambda: panel.model.rowCount() == 3)
    QTest.keyClicks(panel.filter, "big")
    assert {row.name for row in panel.model.rows} == {"big", "bigger"}
    panel.table.sortByColumn(4, Qt.SortOrder.DescendingOrder)
    assert [row.name for row in panel.model.rows] == ["bigger", "big"]


def test_input_brings_its_window_out(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("n = input('How many? ');\n", layout="classic")
    window.docks.show_panel("problems")
    focused(window, qtbot)
    window.commands.run("run.file")
    qtbot.waitUntil(lambda: window.run_model.state == RunState.WAITING_INPUT)
    qtbot.waitUntil(window.command_window.isVisible)
    line = window.command_window.input
    qtbot.waitUntil(line.hasFocus)
    QTest.keyClicks(line, "3")
    QTest.keyClick(line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.run_model.state == RunState.IDLE)
    qtbot.waitUntil(lambda: value(window, "n") == "3")
