"""Typing in cells, whose lines have marks that are not seen: none is broken by a key, and what the
marks say of controls stays true."""

from __future__ import annotations

import random

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.engine.livecode.document import LiveDocument
from app.ui.documents.editor_faces import Face
from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.control_places import live_text, write_places
from app.ui.shell.main_window import MainWindow
from tests.support.documents import TEXT, open_document, styled
from tests.ui.keys import press

PROSE = '%[text] # Title\n%[text] hello world\n%[text]{"align":"center"} third line\nx = 1;'
MARK = '%[control:slider:7527]{"position":[5,6]}'
CASES = [
    ("Home a", '%[text]{"align":"center"} athird line'),
    ("Home Home a", '%[text]{"align":"center"} athird line'),
    ("Shift+Home Delete a", '%[text]{"align":"center"} a'),
    ("Home Shift+Up Delete a", "%[text] athird line"),
    ("Home Left a", "%[text] hello worlda"),
    ("Home Ctrl+Left a", "%[text] hello worlda"),
    ("Up End Right a", '%[text]{"align":"center"} athird line'),
    ("Home Backspace", "%[text] hello worldthird line"),
    ("Up End Delete", "%[text] hello worldthird line"),
    ("Ctrl+Shift+Backspace a", '%[text]{"align":"center"} a'),
    ("Home Ctrl+Shift+Delete a", '%[text]{"align":"center"} a'),
    ("Home Tab", '%[text]{"align":"center"}   third line'),
    ("Home Tab Shift+Tab", '%[text]{"align":"center"} third line'),
    ("Home Return a", "%[text] athird line"),
    ("Shift+Return a", "%[text] a"),
    ("Ctrl+A a", "%[text] a"),
    ("Ctrl+A Backspace a", "%[text] a"),
    ("Ctrl+A Return a", "%[text] a"),
    ("Ctrl+Shift+Home Delete a", "%[text] a"),
]


def cell_at(face: Face, line: int) -> CodeEditor:
    row = face.view.row_at(line)
    assert row is not None
    face.view.editing.edit(row)
    cell = face.view.focused_cell()
    assert cell is not None
    view = cell.view
    view.setEmptySelection(cell.typing.seen(line - 1)[0])
    return view


def keys(view: CodeEditor, words: str) -> None:
    for word in words.split():
        pressed = QKeySequence.fromString(word)[0]
        text = word if len(word) == 1 else ""
        press(view, pressed.key(), pressed.keyboardModifiers(), text)
        view.updateUi.emit(2)  # a widget that is not painted tells of no change


@pytest.mark.parametrize(("words", "expected"), CASES)
def test_no_key_breaks_the_marks_of_text(
    window: MainWindow, qtbot: QtBot, words: str, expected: str
) -> None:
    editor, face = open_document(window, qtbot, PROSE)
    styled(editor)
    view = cell_at(face, 3)
    view.setEmptySelection(view.lineEndPosition(2))
    keys(view, words)
    lines = editor.text().split("\n")
    assert expected in lines
    assert lines[-1] == "x = 1;"
    assert all(line.startswith("%[text]") for line in lines[:-1])
    while editor.canUndo():
        editor.undo()
    assert editor.text() == PROSE


CODE_CASES = [
    ("End w", f"x = 4;w {MARK}"),
    ("End End w", f"x = 4;w {MARK}"),
    ("End Right w", "wy = x^2 %[output:126e6871]"),
    ("End Return w", f"x = 4; {MARK}\nw\ny = x^2 %[output:126e6871]"),
    ("End Delete", f"x = 4;y = x^2 {MARK} %[output:126e6871]"),
    ("Down Home Backspace", f"x = 4;y = x^2 {MARK} %[output:126e6871]"),
    ("Down End w", "y = x^2w %[output:126e6871]"),
    ("Home Shift+End w", f"w {MARK}"),
    ("End Shift+Right w", f"x = 4;wy = x^2 {MARK} %[output:126e6871]"),
    ("Home Shift+Down w", "wy = x^2 %[output:126e6871]"),
]


@pytest.mark.parametrize(("words", "expected"), CODE_CASES)
def test_no_key_breaks_the_marks_behind_code(
    window: MainWindow, qtbot: QtBot, words: str, expected: str
) -> None:
    editor, face = open_document(window, qtbot)
    styled(editor)
    keys(cell_at(face, 3), words)
    assert expected in editor.text()
    while editor.canUndo():
        editor.undo()
    assert editor.text() == TEXT


def test_text_is_copied_and_pasted_without_marks(window: MainWindow, qtbot: QtBot) -> None:
    editor, face = open_document(window, qtbot, PROSE)
    styled(editor)
    view = cell_at(face, 1)
    keys(view, "Ctrl+A Ctrl+C")
    clipboard = QApplication.clipboard()
    assert clipboard.text() == "# Title\nhello world\nthird line"
    clipboard.setText("one\r\n%[text] two\n\n%% three\n")
    keys(view, "Ctrl+A Ctrl+V")
    wanted = "%[text] one\n%[text] two\n%[text] \n%[text] %% three\nx = 1;"
    assert editor.text() == wanted
    editor.undo()
    assert editor.text() == PROSE
    keys(view, "Ctrl+A Ctrl+X")
    assert editor.text() == "%[text] \nx = 1;"


@pytest.mark.parametrize("seed", range(6))
def test_marks_of_controls_follow_what_is_typed(
    window: MainWindow, qtbot: QtBot, seed: int
) -> None:
    mark = '%[control:slider:0001]{"position":[11,15]} %[control:checkbox:0002]{"position":[17,21]}'
    editor, _ = open_document(window, qtbot, f"%[text] T\nü = f(1), 7777, true; {mark}\nz = 2;")
    rng = random.Random(seed)
    for _ in range(30):
        line = next(n for n, text in enumerate(editor.lines()) if "7777" in text)
        start, code = editor.positionFromLine(line), editor.line_text(line).partition(" %[")[0]
        values = [range(code.index(text), code.index(text) + 4) for text in ("7777", "true")]
        inside = {place for value in values for place in value[1:]}
        at = rng.choice([place for place in range(len(code) + 1) if place not in inside])
        byte = start + len(code[:at].encode())
        match rng.randrange(6):
            case 0:
                editor.undo()
            case 1:
                editor.redo()
            case 2:
                editor.insertText(start, "w = 3;\n")
            case 3 if at < len(code) and not any(at in value for value in values):
                editor.deleteRange(byte, len(code[at].encode()))
            case _:
                editor.insertText(byte, rng.choice(["+ ", "(é)", " ", ",,"]))
        assert values_of_controls(LiveDocument(live_text(editor))) == ["7777", "true"]
    wanted = live_text(editor)
    write_places(editor)
    assert editor.text() == wanted


def values_of_controls(document: LiveDocument) -> list[str]:
    controls = [control for block in document.code_blocks for control in block.controls]
    return [document.lines[c.line - 1][c.first - 1 : c.last - 1] for c in controls]


def test_a_value_typed_by_hand_is_the_controls(window: MainWindow, qtbot: QtBot) -> None:
    editor, face = open_document(window, qtbot)
    styled(editor)
    view = cell_at(face, 3)
    keys(view, "a b Right Right Right Right Delete 1 2 3")
    assert editor.line_text(2) == f"abx = 123; {MARK}"
    face.view.read_text()
    (control,) = face.view.document.code_blocks[0].controls
    assert (control.first, control.last) == (7, 10)
    controls = face.view.editing.controls
    assert controls.literal_of(control) == "123"
    controls.on_changed(control, "8", False)
    assert editor.line_text(2) == 'abx = 8; %[control:slider:7527]{"position":[7,8]}'
    write_places(editor)
    assert not LiveDocument(editor.text()).problems


@pytest.mark.parametrize(("kind", "count"), [("table", 1), ("contents", 1)])
def test_blocks_of_text_are_inserted(
    window: MainWindow, qtbot: QtBot, kind: str, count: int
) -> None:
    editor, face = open_document(window, qtbot, "%[text] # Title\nx = 1;")
    face.view.editing.go_to(2)
    window.commands.run(f"document.{kind}")
    document = LiveDocument(editor.text())
    assert not document.problems
    names = [type(block).__name__.lower() for block in document.blocks]
    assert sum(name.startswith(kind) for name in names) == count
    assert (face.view.focused_cell() is not None) == (kind == "table")
    editor.undo()
    assert editor.text() == "%[text] # Title\nx = 1;"
