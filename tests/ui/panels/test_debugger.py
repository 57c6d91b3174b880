"""Breakpoints with conditions, pauses on errors, and the call stack."""

from __future__ import annotations

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.engine import protocol
from app.engine.protocol import Breakpoint, RunState, SetBreakpoints
from app.ui.editor.breakpoint_dialog import BreakpointDialog
from app.ui.editor.breakpoints import Stop, describe
from app.ui.panels.debugger import BreakpointsDock, StackPanel
from app.ui.panels.watches import WatchesPanel
from app.ui.shell.main_window import MainWindow
from tests.ui.recorded import QUICKSTART, FakeEngine


def last_request(window: MainWindow) -> protocol.Request:
    """What was asked last."""
    engine = window.bridge._engine
    assert isinstance(engine, FakeEngine)
    return engine.requests[-1]


def test_a_condition_reaches_list_and_engine(window: MainWindow, qtbot: QtBot) -> None:
    window.use_layout("debug")
    dock = window.panel("breakpoints")
    assert isinstance(dock, BreakpointsDock)
    editor = window.editors.current()
    assert editor is not None
    dialog = BreakpointDialog(editor, 6)
    dialog.condition.setText("k > 10")
    dialog.hits.setValue(3)
    dialog.accept()
    expected = Breakpoint(str(QUICKSTART), 6, "k > 10", 3)
    assert last_request(window) == SetBreakpoints((expected,))
    qtbot.waitUntil(lambda: dock.panel.model.rowCount() == 1)
    assert dock.panel.model.index(0, 1).data() == "if k > 10, from hit 3 on"
    window.commands.run("debug.clear")
    assert last_request(window) == SetBreakpoints(())


def test_a_condition_that_is_no_expression_is_not_taken(window: MainWindow) -> None:
    editor = window.editors.current()
    assert editor is not None
    dialog = BreakpointDialog(editor, 6)
    dialog.open()
    dialog.condition.setText("k ==")
    dialog.accept()
    assert dialog.isVisible()
    assert "missing" in dialog.problem.text()
    assert editor.stops.at(6) is None
    dialog.condition.setText("k == 1")
    dialog.accept()
    assert editor.stops.at(6) == Stop("k == 1")


def test_pausing_on_errors(window: MainWindow) -> None:
    dock = window.panel("breakpoints")
    assert isinstance(dock, BreakpointsDock)
    dock.boxes["error"].setChecked(True)
    dock.boxes["warning"].setChecked(True)
    assert last_request(window) == SetBreakpoints((), ("error", "warning"))
    dock.boxes["error"].setChecked(False)
    assert last_request(window) == SetBreakpoints((), ("warning",))


def test_a_frame_shows_its_place_and_workspace(window: MainWindow, qtbot: QtBot) -> None:
    window.use_layout("debug")
    stack = window.panel("stack")
    assert isinstance(stack, StackPanel)
    frames = (("f", str(QUICKSTART), 13, 1), ("quickstart", str(QUICKSTART), 5, 1))
    window.bridge.receive(protocol.StateChanged(RunState.PAUSED))
    window.bridge.receive(protocol.Paused(frames, "breakpoint"))
    qtbot.waitUntil(lambda: stack.model.rowCount() == 2)
    stack.table.selectRow(1)
    stack._choose()
    assert last_request(window) == protocol.DebugCommand("frame", 1)
    editor = window.editors.current()
    assert editor is not None
    assert editor.caret_line == 5


def test_a_frame_that_was_typed_for_is_selected_and_shown(window: MainWindow, qtbot: QtBot) -> None:
    window.use_layout("debug")
    stack = window.panel("stack")
    assert isinstance(stack, StackPanel)
    frames = (("f", str(QUICKSTART), 13, 1), ("quickstart", str(QUICKSTART), 5, 1))
    window.bridge.receive(protocol.StateChanged(RunState.PAUSED))
    window.bridge.receive(protocol.Paused(frames, "breakpoint"))
    window.bridge.receive(protocol.FrameShown(1))
    qtbot.waitUntil(lambda: (frame := stack.table.selected()) is not None and frame.number == 1)
    editor = window.editors.current()
    assert editor is not None
    assert editor.caret_line == 5


def test_a_stack_that_is_first_looked_at_during_a_pause_shows_it(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.bridge.receive(protocol.StateChanged(RunState.PAUSED))
    window.bridge.receive(protocol.Paused((("f", str(QUICKSTART), 13, 1),), "breakpoint"))
    qtbot.waitUntil(lambda: window.run_model.state == RunState.PAUSED)
    window.use_layout("debug")
    stack = window.panel("stack")
    assert isinstance(stack, StackPanel)
    qtbot.waitUntil(lambda: stack.currentWidget() is stack.content and stack.model.rowCount() == 1)


def test_breakpoints_in_words() -> None:
    assert describe(Stop()) == ""
    assert describe(Stop(log="k", enabled=False)) == "prints “k”, off"


def test_watches_are_evaluated_at_a_pause(window: MainWindow, qtbot: QtBot) -> None:
    panel = window.panel("watches")
    assert isinstance(panel, WatchesPanel)
    qtbot.keyClicks(panel.field, "sum(x)")
    qtbot.keyClick(panel.field, Qt.Key.Key_Return)
    panel.add("y")
    assert last_request(window) == protocol.EvaluateWatches(("sum(x)", "y"))
    row = protocol.VariableSummary("sum(x)", "double", (1, 1), 8, "host", "15")
    window.bridge.receive(protocol.WatchesReady((row,), (("y", "'y' is not known."),)))
    qtbot.waitUntil(lambda: panel.model.index(0, 1).data() == "15")
    assert panel.model.index(1, 1).data() == "'y' is not known."
    panel.table.selectRow(1)
    qtbot.keyClick(panel.table, Qt.Key.Key_Delete)
    assert panel.expressions == window.store.state["watches"] == ["sum(x)"]


def test_run_to_cursor_is_a_breakpoint_for_once(window: MainWindow, qtbot: QtBot) -> None:
    editor = window.editors.current()
    assert editor is not None
    editor.go_to(7)
    engine = window.bridge._engine
    assert isinstance(engine, FakeEngine)
    window.commands.run("debug.to_cursor")
    asked = [r for r in engine.requests if isinstance(r, SetBreakpoints)]
    assert asked[-1] == SetBreakpoints((Breakpoint(str(QUICKSTART), 7),))
    qtbot.waitUntil(lambda: engine.requests[-1] == SetBreakpoints(()))
