"""Problems: the run's error, remarks on the open files, and places where fusion stopped."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from app.engine import protocol
from app.ui.panels.problems import Problem, ProblemsPanel, count_text
from app.ui.shell.main_window import MainWindow
from tests.ui.recorded import QUICKSTART, deliver


def problems(window: MainWindow) -> ProblemsPanel:
    """The panel, shown."""
    window.docks.show_panel("problems")
    panel = window.panel("problems")
    assert isinstance(panel, ProblemsPanel)
    return panel


def test_the_error_of_the_run_comes_first(window: MainWindow, qtbot: QtBot) -> None:
    panel = problems(window)
    window.commands.run("run.file")
    frames = (("quickstart", str(QUICKSTART), 19, 1),)
    window.bridge.receive(protocol.ErrorRaised("a:b", "Undefined function 'plt'.", frames))
    qtbot.waitUntil(lambda: window.docks.is_seen("command"))  # what the run says comes in front
    window.docks.show_panel("problems")
    qtbot.waitUntil(lambda: panel.model.rowCount() >= 3)
    first = panel.model.rows[0]
    assert (first.severity, first.line) == ("error", 19)
    assert {p.severity for p in panel.model.rows[1:]} <= {"warning", "info"}


def test_remarks_appear_while_typing(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    panel = problems(window)
    file = tmp_path / "broken.m"
    file.write_text("x = (1;\n")
    editor = window.open_file(file)
    assert editor is not None

    def found() -> list[str]:
        return [p.severity for p in panel.problems() if p.file == str(editor.path)]

    qtbot.waitUntil(lambda: "error" in found())
    editor.setText("x = (1);\n")
    qtbot.waitUntil(lambda: "error" not in found())


def test_names_are_found_and_renamed(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "names.m"
    file.write_text(
        "function y = names(a)\ny = helper(a) + a;\nend\nfunction z = helper(b)\nz = b;\nend\n"
    )
    editor = window.open_file(file)
    assert editor is not None
    editor.go_to(2, 6)
    window.commands.run("edit.definition")
    qtbot.waitUntil(lambda: editor.caret_line == 4)
    editor.go_to(2, 12)
    window.commands.run("edit.rename")
    qtbot.waitUntil(lambda: editor.selections() == 3)
    qtbot.keyClicks(editor, "amount")
    assert "names(amount)\ny = helper(amount) + amount;" in editor.text()


def test_what_a_run_found_goes_when_its_line_is_edited(window: MainWindow, qtbot: QtBot) -> None:
    panel = problems(window)
    window.commands.run("run.file")

    def found() -> set[tuple[str, int]]:
        return {(p.code, p.line) for p in panel.problems()}

    qtbot.waitUntil(lambda: {("needs-host-value", 8), ("too-small", 18)} <= found())
    message = next(p.message for p in panel.problems() if p.line == 18)
    assert "Estimated GPU 90 µs, host 20 µs." in message
    editor = window.editors.current()
    assert editor is not None
    editor.insertText(editor.positionFromLine(7), " ")
    assert ("needs-host-value", 8) not in found()
    assert ("too-small", 18) in found()
    for event in (protocol.RunStarted("<command>", 2), protocol.RunFinished(2, "ok", 1.0)):
        window.bridge.receive(event)
    deliver(window.bridge)
    assert ("needs-host-value", 8) not in found()


def test_the_tab_counts_errors_and_warnings() -> None:
    kinds = ("error", "warning", "warning", "info")
    assert count_text([Problem(kind, "", "f.m", 1) for kind in kinds]) == "● 1  ▲ 2"
    assert count_text([Problem("info", "", "f.m", 1)]) == ""


def test_the_tab_tells_of_an_error_before_the_panel_is_made(
    window: MainWindow, qtbot: QtBot
) -> None:
    area = window.docks.areas["bottom"]
    assert window.docks.made("problems") is None
    error = protocol.ErrorRaised("a:b", "It broke", (("story", "story.m", 3, 1),))
    window.bridge.receive(error)
    qtbot.waitUntil(lambda: area.tabText(area.ids().index("problems")) == "Problems  ● 1")
    window.docks.move_panel("problems", "right")
    assert window.docks.areas["right"].tabText(1) == "Problems  ● 1"
