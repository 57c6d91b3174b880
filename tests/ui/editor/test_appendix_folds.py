"""The appendix of a live script is folded in the code, and stays as somebody left it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pyside6_scintilla import Scintilla
from pytestqt.qtbot import QtBot

from app.ui.editor import file_writing, folding
from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.markup_styles import MarkupStyles

TEXT = """%[text] # A
x = 1;
if x
  y = 2;
end

%[appendix]{"version":"1.0"}
%---
%[metadata:view]
%   data: {"layout":"inline"}
%---
"""


@pytest.fixture
def editor(qtbot: QtBot) -> CodeEditor:
    made = CodeEditor(file_writing.NEW_FILE, None)
    qtbot.addWidget(made)
    made.setText(TEXT)
    made.resize(600, 600)
    made.show()
    MarkupStyles(made)
    return made


def folded(editor: CodeEditor) -> list[str]:
    return [editor.line_text(line) for line in folding.folds(editor)]


def test_it_is_folded_and_stays_folded_while_somebody_types(
    editor: CodeEditor, qtbot: QtBot
) -> None:
    head = '%[appendix]{"version":"1.0"}'
    assert folded(editor) == [head]
    editor.go_to(2)
    for text in ("for k = 1:3", "z = k;", "end"):
        qtbot.keyClicks(editor, text)
        qtbot.keyClick(editor, Qt.Key.Key_Return)
        qtbot.wait(5)
    assert folded(editor) == [head]
    folding.fold_lines(editor, [editor.lineCount() - 6])
    assert folded(editor) == [head]


def test_it_stays_open_where_somebody_opened_it(editor: CodeEditor, qtbot: QtBot) -> None:
    editor.foldLine(folding.folds(editor)[0], 1)
    qtbot.keyClicks(editor, "a")
    qtbot.wait(5)
    editor.insertText(editor.textLength(), "%---\n")
    qtbot.wait(5)
    assert not folded(editor)


def test_an_edit_colours_its_own_line_where_what_follows_means_the_same(
    editor: CodeEditor, qtbot: QtBot
) -> None:
    kinds = [editor.styleAt(editor.positionFromLine(line)) for line in range(editor.lineCount())]
    restyled: list[int] = []
    style = Scintilla.ModificationFlags.ChangeStyle
    editor.setModEventMask(editor.modEventMask() | style)
    editor.modified.connect(
        lambda what, place, *_: (
            restyled.append(editor.lineFromPosition(place) + 1) if what & style else None
        )
    )
    editor.setTargetRange(*(editor.positionFromLine(1) + n for n in (4, 5)))
    editor.replaceTarget(2, "42")
    qtbot.wait(30)
    assert set(restyled) <= {2, 3}
    assert [editor.styleAt(editor.positionFromLine(n)) for n in range(editor.lineCount())] == kinds
    assert editor.styleAt(editor.positionFromLine(1) + 5) == 3  # a number
    assert folded(editor) == ['%[appendix]{"version":"1.0"}']
    editor.insertText(editor.positionFromLine(1), "%{")  # which opens no comment, but may
    editor.insertText(editor.positionFromLine(1) + 2, "\n")
    qtbot.wait(30)
    assert editor.styleAt(editor.positionFromLine(3)) == 1  # a comment
