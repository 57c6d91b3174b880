"""Typing at several carets: one step to undo, as typing at one is."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.file_writing import NEW_FILE
from tests.ui.keys import press, type_keys

LINES = "alpha = 1;\nb = 2;\n\ngamma_ray = 34;"


@pytest.fixture
def editor(qtbot: QtBot) -> CodeEditor:
    """A script of a few lines of different lengths."""
    editor = CodeEditor(NEW_FILE, None)
    qtbot.addWidget(editor)
    editor.show()
    editor.setText(LINES)
    editor.emptyUndoBuffer()
    return editor


def select_column(editor: CodeEditor, left: int, right: int) -> None:
    """A rectangle over all lines; where they are shorter it is in virtual space."""
    last = editor.positionFromLine(3)
    editor.setRectangularSelectionAnchor(left)
    editor.setRectangularSelectionCaret(last + right)
    assert editor.selections() == 4


@pytest.mark.parametrize("text", ["x", "xyz", "a + b", "été"])
@pytest.mark.parametrize("column", [(0, 0), (0, 3), (4, 4), (8, 8), (2, 9)])
def test_column_typing_is_one_step(editor: CodeEditor, column: tuple[int, int], text: str) -> None:
    select_column(editor, *column)
    type_keys(editor, text)
    typed = editor.text()
    assert typed.count(text) == 4
    editor.undo()
    assert editor.text() == LINES
    assert not editor.canUndo()
    editor.redo()
    assert editor.text() == typed


def test_what_is_done_between_begins_another_step(editor: CodeEditor) -> None:
    select_column(editor, 2, 2)
    type_keys(editor, "ab")
    first = editor.text()
    press(editor, Qt.Key.Key_Right)
    select_column(editor, 0, 0)
    type_keys(editor, "cd")
    editor.undo()
    assert editor.text() == first
    editor.undo()
    assert editor.text() == LINES


def test_typing_goes_on_where_it_was(editor: CodeEditor) -> None:
    """Letters, undone as one, then typed again at the same carets."""
    select_column(editor, 1, 1)
    for letter in "abc":
        type_keys(editor, letter)
        assert editor.selections() == 4
    assert [line[1:4] for line in editor.lines()] == ["abc"] * 4
