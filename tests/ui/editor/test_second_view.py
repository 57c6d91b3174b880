"""Two views on one text, its colours on paper, and the formatter."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.ui.editor import code_export
from app.ui.editor.formatting import reindented_lines
from app.ui.shell.main_window import MainWindow


def test_the_second_view_shares_text_and_breakpoints(window: MainWindow, qtbot: QtBot) -> None:
    editor, area = window.editors.current(), window.editors.split
    assert editor is not None
    window.commands.run("view.split_below")
    second = area.second
    assert second is not None
    second.insertText(0, "% above\n")
    assert editor.text() == second.text()
    assert editor.line_text(0) == "% above"
    second.setFocus()
    qtbot.waitUntil(second.hasFocus)
    second.go_to(1)
    window.commands.run("edit.duplicate")
    assert editor.line_text(1) == "% above"
    window.commands.run("edit.undo")
    second.stops.toggle(3)
    (stop,) = editor.stops.all()
    assert second.stops.all() == [stop]
    window.commands.run("view.split_right")
    assert area.second is second
    assert area.orientation() == Qt.Orientation.Horizontal
    window.grab()
    window.commands.run("view.split_right")
    assert area.second is None
    editor.undo()
    assert editor.line_text(0) != "% above"


def test_the_second_view_follows_the_tabs(window: MainWindow) -> None:
    window.commands.run("view.split_below")
    other = window.editors.new("y = 2;\n")
    second = window.editors.split.second
    assert second is not None
    assert second.text() == "y = 2;\n"
    other.setSavePoint()
    window.editors.close_tab(window.editors.tabs.currentIndex())
    now = window.editors.split.second
    assert now is not None
    assert now.main is window.editors.current()


def test_code_on_paper_keeps_its_colours(window: MainWindow, tmp_path: Path) -> None:
    editor = window.editors.new("for k = 1:3\n    x = 'ä<b'; % note\nend\n")
    page = code_export.html_of(editor)
    assert "ä&lt;b" in page
    assert page.count("<span") > 8
    code_export.save(editor, tmp_path / "a.html")
    assert (tmp_path / "a.html").read_text(encoding="utf-8") == page
    code_export.save(editor, tmp_path / "a.pdf")
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")
    editor.setSavePoint()


def test_the_formatter_indents_selection_or_file(window: MainWindow) -> None:
    editor = window.editors.new("if x\ny = 1;\nend\nfor k = 1:2\nz = k;\nend\n")
    editor.setSel(editor.positionFromLine(3), editor.positionFromLine(5))
    window.commands.run("edit.indent")
    assert editor.lines()[1] == "y = 1;"
    assert editor.lines()[4] == "    z = k;"
    window.commands.run("edit.format")
    assert editor.lines()[1] == "    y = 1;"
    editor.undo()
    assert editor.lines()[1] == "y = 1;"
    assert reindented_lines("while a\nb\nend") == ["while a", "    b", "end"]
    editor.setSavePoint()
