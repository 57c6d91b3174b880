"""Open, run, see the output, inspect a variable, plot, stop: what a person does first."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer
from pytestqt.qtbot import QtBot

from app.engine.protocol import RunState
from app.ui.shell.main_window import MainWindow
from tests.support.adapters import require_adapter
from tests.support.window import output, run, variable

Open = Callable[..., MainWindow]


def test_run_shows_output_and_workspace(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("x = 1:5;\ny = sum(x)\n")
    run(window, qtbot)
    assert window.run_model.status == "ok"
    assert "y = 15" in " ".join(output(window).split())
    found = variable(window, "x")
    assert found is not None
    assert found.size == (1, 5)  # type: ignore[attr-defined]


def test_the_command_window_shares_the_workspace(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("x = 20;\n")
    run(window, qtbot)
    console = window.command_window
    qtbot.keyClicks(console.input, "disp(x + 1)")
    with qtbot.waitSignal(window.run_model.run_finished):
        qtbot.keyClick(console.input, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: output(window).endswith("21"))


def test_a_variable_can_be_inspected(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("A = reshape(1:12, 3, 4);\n")
    run(window, qtbot)
    window.docks.show_panel("workspace")
    window.panel("workspace").open_variable("A")  # type: ignore[attr-defined]
    model = window.panel("variable").current.model  # type: ignore[attr-defined]
    qtbot.waitUntil(lambda: model.rowCount() == 3 and model.text(2, 3) == "12")


def test_groups_reach_the_editor_and_the_panel(open_window: Open, qtbot: QtBot) -> None:
    window = open_window(
        "x = rand(1e5, 1, 'single');\ny = sin(x) .* x + 0.5;\nm = mean(y);\n"
        "fprintf('%.1f\\n', m);\n"
    )
    run(window, qtbot)
    editor = window.editors.current()
    assert editor is not None
    qtbot.waitUntil(lambda: any(editor.eOLAnnotationText(n).size() for n in range(4)))
    table = window.panel("fusion").table  # type: ignore[attr-defined]
    qtbot.waitUntil(lambda: table.model().rowCount() > 0)


def test_a_second_run_tells_its_groups_too(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("x = rand(1e5, 1);\ny = exp(x) + 1;\nfprintf('%.3f\\n', mean(y));\n")
    run(window, qtbot)
    first = [g.lines for g in window.run_model.groups.values()]
    run(window, qtbot)
    assert first
    assert [g.lines for g in window.run_model.groups.values()] == first


def test_stop_ends_an_endless_loop(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("k = 0;\nwhile true\n  k = k + 1;\nend\n")
    shown: list[bool] = []
    window.run_model.run_started.connect(lambda: shown.append(window.status.progress.isVisible()))
    window.commands.run("run.file")
    qtbot.waitUntil(window.status.progress.isVisible)
    assert shown == [False]  # what is short says nothing
    with qtbot.waitSignal(window.run_model.run_finished):
        qtbot.mouseClick(window.status.cancel, Qt.MouseButton.LeftButton)
    assert window.run_model.status == "interrupted"
    qtbot.waitUntil(lambda: not window.status.progress.isVisible())
    qtbot.waitUntil(lambda: variable(window, "k") is not None)
    qtbot.waitUntil(lambda: not window.run_model.busy)


def test_the_workspace_follows_a_running_script(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("k = 0;\nwhile true\n  k = k + 1;\n  s = sprintf('%d', k);\nend\n")
    window.commands.run("run.file")
    qtbot.waitUntil(lambda: variable(window, "k") is not None)
    before = variable(window, "k")
    qtbot.waitUntil(lambda: variable(window, "k") != before)
    assert window.run_model.state == RunState.RUNNING
    with qtbot.waitSignal(window.run_model.run_finished):
        window.commands.run("run.stop")


def test_the_window_stays_live_while_a_script_runs(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("k = 0;\nwhile k < 1e12\n  k = k + 1;\nend\n")
    gaps: list[float] = []
    last = [0.0]

    def beat() -> None:
        now = time.process_time()  # what other processes have the machine do is not our delay
        gaps.append(now - last[0])
        last[0] = now

    heart = QTimer(window)
    heart.timeout.connect(beat)
    window.commands.run("run.file")
    qtbot.waitUntil(lambda: window.run_model.state == RunState.RUNNING)
    last[0] = time.process_time()
    heart.start(5)
    qtbot.waitUntil(lambda: len(gaps) >= 100)
    heart.stop()
    with qtbot.waitSignal(window.run_model.run_finished):
        window.commands.run("run.stop")
    assert max(gaps) < 0.5


def test_an_error_is_marked_where_it_happened(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("a = 1;\nb = undefined_thing(a);\n")
    run(window, qtbot)
    assert window.run_model.status == "error"
    editor = window.editors.current()
    assert editor is not None
    qtbot.waitUntil(lambda: b"undefined_thing" in bytes(editor.eOLAnnotationText(1).data()))
    assert "undefined_thing" in output(window)
    assert variable(window, "a") is not None


def test_a_syntax_error_runs_nothing(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("a = 1;\nb = (2;\n")
    run(window, qtbot)
    assert window.run_model.status == "error"
    assert variable(window, "a") is None


def test_a_section_runs_alone(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("%% one\na = 1;\n%% two\nb = 2;\n")
    editor = window.editors.current()
    assert editor is not None
    editor.go_to(4)
    with qtbot.waitSignal(window.run_model.run_finished):
        window.commands.run("run.section")
    assert variable(window, "b") is not None
    assert variable(window, "a") is None


def test_a_plot_appears(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("x = linspace(0, 1, 50);\nplot(x, x.^2);\n", layout="classic")
    run(window, qtbot)
    dock = window.panel("figures")
    qtbot.waitUntil(lambda: dock.panel is not None)  # type: ignore[attr-defined]
    window.grab()


def test_the_lives_of_buffers_are_drawn_after_a_run(open_window: Open, qtbot: QtBot) -> None:
    window = open_window(
        "x = rand(2e5, 1, 'single');\ny = sin(x) .* x;\nz = y(7)\nclear x\nw = exp(y);\nv = w(3)\n",
        device="gpu",
    )
    run(window, qtbot)
    require_adapter(window.run_model.device.features)
    window.docks.show_panel("residency")
    lives = window.run_model.lifetimes
    qtbot.waitUntil(lambda: bool(lives.samples))
    assert lives.peak[1] >= 800_000
    assert window.run_model.memory["live"] > 0
    assert any(life.end is None for life in lives.lives)
    assert all(span[0] != "Memory" for span in window.run_model.spans)
    window.panel("residency").grab()
