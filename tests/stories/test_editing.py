"""Typing code: colours by meaning, completion, blocks, hover, renaming, columns."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolTip
from pytestqt.qtbot import QtBot

from app.ui.editor import completion, sections
from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.hover import Hover
from app.ui.editor.marks import Indicator
from app.ui.shell.main_window import MainWindow
from app.ui.support import formats
from tests.support.adapters import require_adapter
from tests.support.window import run
from tests.ui.keys import offered

Open = Callable[..., MainWindow]


def editor_of(window: MainWindow) -> CodeEditor:
    """The editor in front."""
    editor = window.editors.current()
    assert editor is not None
    return editor


def test_colours_follow_the_meaning(open_window: Open, qtbot: QtBot) -> None:
    text = (
        "x = rand(2e5, 1, 'single');\ny = helper(x) + sin(x);\nz = y(3);\n"
        "function r = helper(q)\n    r = q * 2;\nend\n"
    )
    window = open_window(text, device="gpu")
    editor = editor_of(window)
    own, built, name = (text.index(word) for word in ("helper(x)", "sin(x)", "y = "))
    qtbot.waitUntil(lambda: editor.indicatorValueAt(Indicator.OWN_FUNCTION, own))
    assert editor.indicatorValueAt(Indicator.FUNCTION, built)
    assert not editor.indicatorValueAt(Indicator.FUNCTION, own)
    run(window, qtbot)
    resident = {v.name for v in window.run_model.variables if v.where in ("device", "both")}
    require_adapter(resident)
    places = {"x": 0, "y": name}
    qtbot.waitUntil(
        lambda: any(editor.indicatorValueAt(Indicator.RESIDENT, places[n]) for n in resident)
    )
    assert not editor.indicatorValueAt(Indicator.RESIDENT, built)


def test_completion_says_size_and_class(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("measured = rand(3, 4);\n")
    run(window, qtbot)
    editor = editor_of(window)
    editor.gotoPos(editor.textLength())
    editor.setFocus()
    qtbot.waitUntil(editor.hasFocus)
    QTest.keyClicks(editor, "meas")
    qtbot.waitUntil(lambda: offered(editor)[:1] == ["measured"])
    helper = editor.findChild(completion.Completer)
    assert isinstance(helper, completion.Completer)
    chosen = helper.popup.chosen()
    assert chosen is not None
    assert chosen.detail == "3×4 double"
    qtbot.keyClick(editor, Qt.Key.Key_Tab)
    assert editor.text().endswith("\nmeasured")


def test_files_are_completed_in_calls(open_window: Open, qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "inputs").mkdir()
    (tmp_path / "input.csv").write_text("1,2\n")
    found = completion.file_offer(tmp_path, "inp").candidates
    assert [c.label for c in found] == ["input.csv", "inputs/"]
    assert completion.file_offer(tmp_path, "nowhere/x").candidates == ()
    window = open_window("\n")
    editor = editor_of(window)
    editor.setFocus()
    qtbot.waitUntil(editor.hasFocus)
    QTest.keyClicks(editor, "x = load('input")
    window.commands.run("edit.complete")
    qtbot.waitUntil(lambda: offered(editor)[:1] == ["inputs/"])
    QTest.keyClick(editor, Qt.Key.Key_Down)
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert editor.text().startswith("x = load('input.csv")


def test_blocks_light_up(open_window: Open, qtbot: QtBot) -> None:
    text = "for k = 1:3\n    if k > 1\n        x = k;\n    else\n        x = 0;\n    end\nend\n"
    window = open_window(text)
    editor = editor_of(window)
    editor.go_to(4, 6)
    place = {n: text.index(word) for n, word in enumerate(("if k", "else", "    end\nend"))}
    qtbot.waitUntil(lambda: editor.indicatorValueAt(Indicator.BLOCK, place[0]))
    assert editor.indicatorValueAt(Indicator.BLOCK, place[2] + 4)
    assert not editor.indicatorValueAt(Indicator.BLOCK, 0)
    editor.go_to(3, 9)
    qtbot.waitUntil(lambda: not editor.indicatorValueAt(Indicator.BLOCK, place[0]))
    assert sections.block_lines(text.split("\n"), 1) == [1, 7]
    assert sections.block_lines(["x = 1;", "end"], 2) == []


def test_hover_draws_the_values(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("ramp = linspace(0, 1, 500);\n")
    run(window, qtbot)
    editor = editor_of(window)
    hover = editor.findChild(Hover)
    assert isinstance(hover, Hover)
    variable = next(v for v in window.run_model.variables if v.name == "ramp")
    hover._show_variable(editor.mapToGlobal(QPoint(60, 30)), variable)
    qtbot.waitUntil(lambda: "▁" in QToolTip.text())
    assert QToolTip.text().splitlines()[-1].endswith("█")
    QToolTip.hideText()
    assert formats.sparkline([1.0, float("nan"), 3.0]) == "▁ █"
    assert formats.sparkline([2.0]) == ""


def test_renaming_and_columns(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("count = 1;\ncount = count + 1;\n% count\n")
    editor = editor_of(window)
    editor.gotoPos(2)
    window.commands.run("edit.rename")
    qtbot.waitUntil(lambda: editor.selections() == 3)
    editor.setFocus()
    QTest.keyClicks(editor, "total")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert editor.text() == "total = 1;\ntotal = total + 1;\n% count\n"
    assert (editor.selections(), editor.currentPos()) == (1, 5)
    QTest.keyClick(editor, Qt.Key.Key_Return)  # which ends lines again
    assert editor.text().startswith("total\n= 1;")
    editor.setText("ab\ncd\nef")
    editor.setRectangularSelectionAnchor(0)
    editor.setRectangularSelectionCaret(editor.textLength() - 2)
    assert editor.selections() == 3
    QTest.keyClicks(editor, "%")
    assert editor.text() == "%ab\n%cd\n%ef"
