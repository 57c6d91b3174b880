"""Two views on one text, its colours on paper, and the formatter."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from app.engine.protocol import RunText
from app.ui.editor import code_export
from app.ui.editor.formatting import reindented_lines
from app.ui.editor.split import SecondView
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


def _split(window: MainWindow, qtbot: QtBot) -> SecondView:
    window.commands.run("view.split_right")
    second = window.editors.split.second
    assert second is not None
    second.setFocus()
    qtbot.waitUntil(second.hasFocus)
    return second


def test_two_files_stand_beside_each_other(window: MainWindow, qtbot: QtBot) -> None:
    editors, left = window.editors, window.editors.new("a = 1;\nb = 2;\n")
    second = _split(window, qtbot)
    other = editors.new("y = 2;\n")
    assert editors.split.second is second
    assert second.text() == left.text()
    assert editors.focused() is editors.current() is other
    second.setFocus()
    qtbot.waitUntil(lambda: editors.focused() is second)
    assert editors.current() is left
    assert window.windowTitle().startswith(left.name)
    window.commands.run("view.next_tab")
    assert editors.focused() is editors.current() is editors.tabs.currentWidget()
    left.setSavePoint()
    other.setSavePoint()


def test_commands_are_about_the_view_with_the_keyboard(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "%% one\nfirst = 1;\n%% two\nsecond = 2;\n"
    editor = window.editors.new(text)
    second = _split(window, qtbot)
    second.go_to(4)
    editor.go_to(2)
    window.commands.run("debug.toggle")
    assert [line for line, *_ in editor.stops.all()] == [4]
    window.commands.run("debug.clear")
    posted: list[object] = []
    monkeypatch.setattr(window.bridge, "post", posted.append)
    window.commands.run("run.section")
    assert [run.lines for run in posted if isinstance(run, RunText)] == [(3, 5)]
    window.editors.find_bar.open(replace=False)
    window.editors.find_bar.field.setText("first")
    assert bytes(second.getSelText().data()).rstrip(b"\0") == b"first"
    assert editor.selectionEmpty()
    editor.setSavePoint()


def test_another_file_is_chosen_above_the_second_view(window: MainWindow, qtbot: QtBot) -> None:
    first, other = window.editors.new("a = 1;\n"), window.editors.new("y = 2;\n")
    _split(window, qtbot)

    def chooser() -> QToolButton:
        found = window.editors.split.findChild(QToolButton, "FileChooser")
        assert isinstance(found, QToolButton)
        return found

    assert chooser().text() == f"{other.name} •"
    menu = chooser().menu()
    menu.aboutToShow.emit()
    texts = [action.text() for action in menu.actions()]
    assert texts == [editor.name for editor in window.editors.editors()]
    assert [a.text() for a in menu.actions() if a.isChecked()] == [other.name]
    menu.actions()[texts.index(first.name)].trigger()
    second = window.editors.split.second
    assert second is not None
    assert second.main is first
    assert window.editors.current() is first
    second.insertText(0, "% typed\n")
    assert first.line_text(0) == "% typed"
    assert other.text() == "y = 2;\n"
    first.setSavePoint()
    other.setSavePoint()
    assert chooser().text() == first.name


def test_the_second_view_ends_with_its_file_or_by_the_key(window: MainWindow, qtbot: QtBot) -> None:
    editors, other = window.editors, window.editors.new("y = 2;\n")
    _split(window, qtbot)
    other.setSavePoint()
    editors.close_tab(editors.tabs.currentIndex())
    second = editors.split.second
    assert second is not None
    assert second.main is editors.tabs.currentWidget()
    second.setFocus()
    qtbot.waitUntil(lambda: editors.focused() is second)
    count = editors.tabs.count()
    window.commands.run("file.close")
    assert editors.split.second is None
    assert editors.tabs.count() == count
    assert editors.focused() is editors.current() is editors.tabs.currentWidget()
    window.commands.run("file.close")
    assert editors.tabs.count() == count - 1


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
