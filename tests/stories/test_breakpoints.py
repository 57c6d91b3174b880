"""One registry of breakpoints: margin, panel and ``dbstop``; what the pause says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pytestqt.qtbot import QtBot

from app.engine.protocol import RunState
from app.ui.editor.breakpoint_registry import name_of
from app.ui.editor.breakpoints import Stop
from app.ui.editor.marks import Marker
from app.ui.shell.main_window import MainWindow
from tests.support.window import finish, output, paused_at, type_command, value

Open = Callable[..., MainWindow]


def test_dbstop_and_the_margin_are_one(open_window: Open, qtbot: QtBot, tmp_path: Path) -> None:
    window = open_window("a = 1;\nb = 2;\nc = a + b;\n", layout="debug")
    editor = window.editors.current()
    assert editor is not None
    editor.stops.put(2, Stop(enabled=False))
    type_command(window, qtbot, f"dbstop in {editor.path} at 3 if a == 1")
    qtbot.waitUntil(lambda: editor.stops.at(3) == Stop(condition="a == 1"))
    assert editor.stops.at(2) == Stop(enabled=False)
    type_command(window, qtbot, "dbstop if naninf")
    box = window.panel("breakpoints").boxes["naninf"]  # type: ignore[attr-defined]
    qtbot.waitUntil(box.isChecked)
    qtbot.waitUntil(lambda: window.run_model.state == RunState.IDLE)
    window.commands.run("run.file")
    paused_at(window, qtbot, 3)
    with qtbot.waitSignal(window.run_model.run_finished):
        type_command(window, qtbot, "dbcont")
    type_command(window, qtbot, "dbclear all")
    qtbot.waitUntil(lambda: editor.stops.at(3) is None and not box.isChecked())


def test_breakpoints_of_closed_files_stay(open_window: Open, qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "twice.m").write_text("function r = twice(x)\n    r = 2 * x;\nend\n")
    window = open_window("y = twice(4);\n", layout="debug")
    helper = window.open_file(tmp_path / "twice.m")
    assert helper is not None
    helper.stops.toggle(2)
    file = name_of(helper)
    window.editors.close_tab(window.editors.tabs.indexOf(helper))
    assert [k["line"] for k in window.breakpoints.loose[file]] == [2]
    panel = window.panel("breakpoints").panel  # type: ignore[attr-defined]
    assert [(row.file, row.line) for row in panel._rows()] == [(file, 2)]
    window.commands.run("run.file")
    paused_at(window, qtbot, 2)
    qtbot.waitUntil(lambda: value(window, "x") == "4")
    opened = window.editors.current()
    assert opened is not None
    assert opened.stops.at(2) == Stop()
    finish(window, qtbot)


def test_the_operation_inside_a_kernel_is_named(open_window: Open, qtbot: QtBot) -> None:
    text = (
        "x = linspace(0, 2, 4000)';\n"
        "y = 3 + sqrt(x) .* log(x) - 1;\n"
        "z = exp(400 * x) .* 2;\nw = 1;\n"
    )
    window = open_window(text, layout="debug", device="gpu")
    window.breakpoints.pause_on("naninf", on=True)
    window.commands.run("run.file")
    paused_at(window, qtbot, 2)
    assert window.run_model.detail == "y(1,1) is NaN: log(0) at (1,1) on line 2"
    stack = window.panel("stack")
    qtbot.waitUntil(lambda: "log(0)" in stack.reason.text())  # type: ignore[attr-defined]
    window.commands.run("debug.continue")
    paused_at(window, qtbot, 3)
    assert "is Inf: exp(709." in window.run_model.detail or "exp(710" in window.run_model.detail
    finish(window, qtbot)


def test_hits_are_counted_and_log_points_print(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("for k = 1:6\n    x = k * 2;\n    y = x + 1;\nend\n", layout="debug")
    editor = window.editors.current()
    assert editor is not None
    editor.stops.put(2, Stop(hits=5))
    editor.stops.put(3, Stop(log="k is {k}, x is {x}, {nothing}"))
    window.commands.run("run.file")
    paused_at(window, qtbot, 2)
    qtbot.waitUntil(lambda: value(window, "k") == "5")
    said = window.command_window.transcript
    qtbot.waitUntil(lambda: "k is 4" in said.text())
    lines = said.text().splitlines()[1:]
    assert [line.split(", <")[0] for line in lines] == [
        f"k is {k}, x is {2 * k}" for k in range(1, 5)
    ]
    assert "<Unrecognized" in lines[0]
    finish(window, qtbot, "debug.quit")


def test_an_error_is_told_at_the_prompt_and_leaving_it_is_no_error(
    open_window: Open, qtbot: QtBot
) -> None:
    window = open_window("a = 1:3;\nb = a(4);\n", layout="classic")
    type_command(window, qtbot, "dbstop if error")
    qtbot.waitUntil(lambda: window.run_model.state == RunState.IDLE)
    window.commands.run("run.file")
    paused_at(window, qtbot, 2)
    qtbot.waitUntil(lambda: "Index must not exceed 3" in output(window))
    assert output(window).count(":2)") == 1
    with qtbot.waitSignal(window.run_model.run_finished):
        type_command(window, qtbot, "dbquit")
    qtbot.waitUntil(lambda: window.run_model.state == RunState.IDLE)
    assert "terminated" not in output(window)
    window.commands.run("run.file")
    paused_at(window, qtbot, 2)
    finish(window, qtbot, "debug.quit")
    assert "terminated" not in output(window)
    type_command(window, qtbot, "dbclear all")
    qtbot.waitUntil(lambda: not window.breakpoints.pauses)


def test_the_place_where_a_script_stands_is_drawn_over_breakpoints() -> None:
    dots = (Marker.BREAKPOINT, Marker.BREAKPOINT_OFF, Marker.BREAKPOINT_IF)
    assert max(dots) < Marker.EXECUTION
