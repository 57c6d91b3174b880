"""What is typed is what stands there: whole files key by key, and random edits against a model."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.engine.session import language_service
from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.file_writing import NEW_FILE
from tests.ui.keys import EXAMPLES, PROGRAMS, press, sample, type_keys


@pytest.fixture
def editor(qtbot: QtBot) -> CodeEditor:
    """An empty script."""
    editor = CodeEditor(NEW_FILE, None)
    qtbot.addWidget(editor)
    editor.resize(600, 400)
    editor.show()
    editor.activateWindow()
    editor.setFocus()
    return editor


def test_lines_of_programs_come_out_as_typed(editor: CodeEditor) -> None:
    for line in [*sample(EXAMPLES, 120, 1), *sample(PROGRAMS, 200, 2)]:
        editor.setText("")
        type_keys(editor, line)
        begun = editor.text().removeprefix(line)  # brackets that later lines close wait there
        assert editor.text() == line + begun
        assert not begun or not (language_service.is_complete(line) or begun.strip(")]}"))


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda f: f.stem)
def test_whole_examples_come_out_as_typed(editor: CodeEditor, file: Path) -> None:
    lines = [line.strip() for line in file.read_text().rstrip().split("\n")]
    lines = [line for line in lines if line.isascii()][:60]
    type_keys(editor, "\n".join(lines))
    assert [line.strip() for line in editor.lines()] == lines


NESTED = """\
classdef Stack < handle
    properties
        items = {}
    end
    methods
        function push(self, item)
            arguments
                self
                item (1,1) double = 3
            end
            for k = 1:numel(self.items)
                if isequal(self.items{k}, item), return, end
                switch class(item)
                    case {'double', "single"}
                        x = [1 2
                            3 4]';
                    otherwise
                        try
                            disp(['it''s ' item(end)'])
                        catch problem
                            endpoint = f(a, ...
                                b);
                            rethrow(problem)
                        end
                end
            end
            self.items{end + 1} = item;
        end
    end
end"""


def test_a_class_indents_and_closes_itself(editor: CodeEditor) -> None:
    type_keys(editor, "\n".join(line.strip() for line in NESTED.split("\n")))
    assert editor.text() == NESTED


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        ("a=(1)", "a=(1)"),
        ("b=[1 (2)]", "b=[1 (2)]"),
        ("f={1}", "f={1}"),
        ("sin(", "sin()"),
        ("sin(\b", "sin"),
        ("x = 'a", "x = 'a'"),
        ("x = '\b", "x = "),
        ("y = x'", "y = x'"),
        ("y = [a' b']", "y = [a' b']"),
        ("disp('it''s')", "disp('it''s')"),
        ('s = "a""b";', 's = "a""b";'),
        ("% it's (a", "% it's (a"),
        ("x = 'a (b", "x = 'a (b'"),
        ("x = ''''", "x = ''''"),
        ("x = {[('", "x = {[('')]}"),
        ("x = {[('\b\b\b\b", "x = "),
        ("for k = 1:3\nx\nend", "for k = 1:3\n    x\nend"),
        ("for k = 1:3\n", "for k = 1:3\n    \nend"),
        ("if a\nb\nelse\nc\nend\nd", "if a\n    b\nelse\n    c\nend\nd"),
        ("if a\nfor b\nend\nend", "if a\n    for b\n    end\nend"),
        ("if a\nendpoint = 1\nend", "if a\n    endpoint = 1\nend"),
        ("while a, b, end\nc", "while a, b, end\nc"),
        ("x = [1\n2]\ny", "x = [1\n    2]\ny"),
        ("if a\n\nb", "if a\n\n    b\nend"),
        ("function y = f(x)\ny = x;\nend", "function y = f(x)\n    y = x;\nend"),
    ],
)
def test_typing(editor: CodeEditor, keys: str, text: str) -> None:
    type_keys(editor, keys)
    assert editor.text() == text


def test_nothing_comes_by_itself_in_a_long_comment(editor: CodeEditor) -> None:
    editor.setText("%{\n" + "it's (a note\n" * 100 + "%}\n")
    editor.colourise(0, -1)
    editor.gotoPos(editor.lineEndPosition(89))
    type_keys(editor, "('")
    assert editor.line_text(89) == "it's (a note('"
    editor.go_to(103)
    type_keys(editor, "f(")
    assert editor.line_text(102) == "f()"


def test_functions_without_end_do_not_indent(editor: CodeEditor) -> None:
    editor.setText("function a\nx = 1;\n")
    editor.gotoPos(editor.textLength())
    type_keys(editor, "function b\ny = 2;\n")
    assert editor.text() == "function a\nx = 1;\nfunction b\ny = 2;\n"


def test_a_function_inside_another_is_indented_before_that_has_its_end(editor: CodeEditor) -> None:
    editor.setText("function a\n    x = 1;\n")
    editor.gotoPos(editor.textLength())
    type_keys(editor, "    function b\ny = 2;\nend\nend\n")
    inner = "    function b\n        y = 2;\n    end\n"
    assert editor.text() == f"function a\n    x = 1;\n{inner}end\n"


def test_a_word_that_only_begins_like_end_stays(editor: CodeEditor) -> None:
    type_keys(editor, "if a\nend")
    assert editor.text() == "if a\nend"
    type_keys(editor, "s")
    assert editor.text() == "if a\n    ends\nend"
    editor.setText("x\n\n")
    editor.gotoPos(2)
    type_keys(editor, "y")
    assert editor.text() == "x\ny\n"


def test_a_pair_left_behind_is_typed_like_any_text(editor: CodeEditor) -> None:
    type_keys(editor, "f(\n")
    type_keys(editor, ")")
    assert editor.text() == "f(\n    )"
    editor.setText("f()\n")
    editor.gotoPos(2)
    type_keys(editor, ")")
    assert editor.text() == "f())\n"


def test_a_selection_is_put_in_brackets(editor: CodeEditor) -> None:
    editor.setText("a b")
    editor.set_ranges([(0, 1), (2, 3)])
    type_keys(editor, "(")
    assert editor.text() == "(a) (b)"
    type_keys(editor, "'")
    assert editor.text() == "('a') ('b')"
    editor.undo()
    editor.undo()
    assert editor.text() == "a b"


def test_several_carets_type_pairs(editor: CodeEditor) -> None:
    editor.setText("a\nb\n")
    editor.set_carets([1, 3])
    type_keys(editor, "(1)'")
    assert editor.text() == "a(1)'\nb(1)'\n"
    type_keys(editor, "\b\b\b\b{\b")
    assert editor.text() == "a\nb\n"
    type_keys(editor, "\nc")
    assert editor.text() == "a\nc\nb\nc\n"


def test_a_block_and_its_end_are_undone_together(editor: CodeEditor) -> None:
    type_keys(editor, "if a\n")
    editor.undo()
    assert editor.text() == "if a"


def test_an_end_that_is_there_is_enough(editor: CodeEditor) -> None:
    editor.setText("if a\nend\n")
    editor.gotoPos(4)
    type_keys(editor, "\nb")
    assert editor.text() == "if a\n    b\nend\n"


def test_without_the_settings_nothing_comes_by_itself(editor: CodeEditor) -> None:
    editor.close_brackets = editor.close_blocks = False
    type_keys(editor, "if (a\n'b")
    assert editor.text() == "if (a\n    'b"


@pytest.mark.parametrize(
    ("text", "caret", "pasted", "expected"),
    [
        (
            "if a\n    \nend",
            9,
            "for k = 1:3\n  x\nend",
            "if a\n    for k = 1:3\n        x\n    end\nend",
        ),
        (
            "if a\n\nend",
            5,
            "        x = 1;\n        y = 2;\n",
            "if a\n    x = 1;\n    y = 2;\n\nend",
        ),
        ("x = ", 4, "[1\n2]", "x = [1\n2]"),
        ("", 0, "    a\n    b", "a\nb"),
    ],
)
def test_pasted_lines_find_their_place(
    editor: CodeEditor, text: str, caret: int, pasted: str, expected: str
) -> None:
    editor.setText(text)
    editor.gotoPos(caret)
    QApplication.clipboard().setText(pasted)
    press(editor, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert editor.text() == expected
    editor.undo()
    assert editor.text() == text


@pytest.mark.parametrize("seed", range(4))
def test_random_edits_follow_a_plain_model(editor: CodeEditor, seed: int) -> None:
    """Letters, deletions and moves against a string; then everything undone and done again."""
    editor.close_brackets = editor.close_blocks = False
    pick, model, caret = random.Random(seed), "", 0
    for _ in range(300):
        match pick.choice(["type", "type", "type", "back", "delete", "left", "right", "home"]):
            case "type":
                letter = pick.choice("abx1 =+()[]{}'\";,.%é")
                type_keys(editor, letter)
                model, caret = model[:caret] + letter + model[caret:], caret + 1
            case "back":
                press(editor, Qt.Key.Key_Backspace)
                model, caret = model[: max(0, caret - 1)] + model[caret:], max(0, caret - 1)
            case "delete":
                press(editor, Qt.Key.Key_Delete)
                model = model[:caret] + model[caret + 1 :]
            case "left":
                press(editor, Qt.Key.Key_Left)
                caret = max(0, caret - 1)
            case "right":
                press(editor, Qt.Key.Key_Right)
                caret = min(len(model), caret + 1)
            case _:
                editor.gotoPos(0)
                caret = 0
        assert editor.text() == model
        assert editor.caret_offset() == caret
    undone_and_done(editor)


@pytest.mark.parametrize("seed", range(4))
def test_random_typing_with_pairs_can_be_undone(editor: CodeEditor, seed: int) -> None:
    pick = random.Random(seed)
    for _ in range(300):
        type_keys(editor, pick.choice("ab(((([{'\")]}\n\b end if x\n,;"))
        if pick.random() < 0.2:
            press(editor, pick.choice([Qt.Key.Key_Left, Qt.Key.Key_Up, Qt.Key.Key_Delete]))
    undone_and_done(editor)


def undone_and_done(editor: CodeEditor) -> None:
    """Undo down to nothing, and redo up to what stands there."""
    text = editor.text()
    while editor.canUndo():
        editor.undo()
    assert editor.text() == ""
    while editor.canRedo():
        editor.redo()
    assert editor.text() == text
