"""Texts that become others: what is marked beside the changes stays where it was."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from app.ui.editor.area import EditorArea
from app.ui.editor.breakpoints import Stop
from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.file_writing import NEW_FILE
from app.ui.editor.text_changes import MOST_APART, change_to, one_step
from app.ui.support.formats import distinct_names

LINES = st.lists(
    st.sampled_from(["", "x = 1;", "end", "  y", "ä = 'ü';", "for k = 1:3"]), max_size=9
)


@pytest.fixture
def editor(qtbot: QtBot) -> CodeEditor:
    """An empty script."""
    editor = CodeEditor(NEW_FILE, None)
    qtbot.addWidget(editor)
    return editor


@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(old=LINES, new=LINES)
def test_any_text_becomes_any_other_and_back(
    editor: CodeEditor, old: list[str], new: list[str]
) -> None:
    editor.setText("\n".join(old))
    editor.emptyUndoBuffer()
    change_to(editor, "\n".join(new))
    assert editor.text() == "\n".join(new)
    editor.undo()
    assert editor.text() == "\n".join(old)


def test_many_lines_change_together(editor: CodeEditor) -> None:
    old = ["first", *["a = 1;"] * (MOST_APART + 1), "last"]
    new = ["first", *["b = 'ü';"] * (MOST_APART + 1), "last"]
    editor.setText("\n".join(old))
    editor.stops.put(len(old), Stop())
    editor.emptyUndoBuffer()
    change_to(editor, "\n".join(new))
    assert editor.lines() == new
    assert [line for line, _ in editor.stops.all()] == [len(old)]
    editor.undo()
    assert editor.lines() == old


def test_a_step_that_fails_is_one_step_all_the_same(editor: CodeEditor) -> None:
    def failing() -> None:
        with one_step(editor):
            editor.insertText(0, "a\n")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        failing()
    editor.insertText(editor.textLength(), "b")
    editor.undo()
    assert editor.text() == "a\n"


def test_breakpoints_stay_on_their_lines(editor: CodeEditor) -> None:
    editor.setText("a\nb\nc\nd\ne\n")
    for line in (1, 3, 5):
        editor.stops.put(line, Stop())
    change_to(editor, "a\nx\ny\nb\nc2\nd\nz\ne\n")
    assert [line for line, _ in editor.stops.all()] == [1, 5, 8]


def test_a_file_that_another_program_changed_keeps_its_breakpoints(
    qtbot: QtBot, tmp_path: Path
) -> None:
    area, file = EditorArea(tmp_path), tmp_path / "a.m"
    qtbot.addWidget(area)
    file.write_text("a = 1;\nb = 2;\nc = 3;\n")
    editor = area.open(file)
    assert editor is not None
    editor.stops.put(3, Stop())
    editor.go_to(3, 4)
    file.write_text("% new\na = 1;\nb = 20;\nc = 3;\n")
    qtbot.waitUntil(lambda: editor.text().startswith("% new"))
    assert [line for line, _ in editor.stops.all()] == [4]
    assert (editor.caret_line, editor.caret_column) == (4, 4)
    assert not editor.modified_text


def test_files_of_one_name_are_told_apart() -> None:
    def names(*files: str) -> list[str]:
        return distinct_names([Path(file) for file in files])

    assert names("/p/a.m", "/p/b.m") == ["a.m", "b.m"]
    assert names("/p/a.m", "/p/sub/a.m", "/p/b.m") == ["p/a.m", "sub/a.m", "b.m"]
    assert names("/p/x/s/a.m", "/p/y/s/a.m") == ["x/s/a.m", "y/s/a.m"]
    assert names("a.m", "a.m") == ["a.m", "a.m"]
    assert names() == []
