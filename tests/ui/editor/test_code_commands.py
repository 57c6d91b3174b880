"""Commands that know what code means: back and forward, renaming, occurrences, comments, saving."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import Mock

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from app.settings import Settings
from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.hover import Hover
from app.ui.editor.rename_dialog import RenameDialog
from app.ui.panels.outline import OutlinePanel
from app.ui.shell import main_window
from app.ui.shell.main_window import MainWindow
from tests.ui.keys import press, type_keys

CALLER = "function caller\ny = shared(1);\nf = @shared;\nfeval('shared', 2);\nend\n"
SHARED = "function y = shared(x)\ny = inner(x);\nend\nfunction y = inner(x)\ny = x;\nend\n"
SHADOW = "function shadow\nshared(1)\nend\nfunction shared(x)\ndisp(x)\nend\n"
ALT, CONTROL = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def folder(window: MainWindow, tmp_path: Path) -> Path:
    """The current folder, with a function, one that calls it, and one that has its own."""
    for name, text in (("caller", CALLER), ("shared", SHARED), ("shadow", SHADOW)):
        (tmp_path / f"{name}.m").write_text(text)
    window.current_folder = tmp_path
    return tmp_path


def opened(window: MainWindow, file: Path) -> CodeEditor:
    """The editor of a file."""
    editor = window.open_file(file)
    assert editor is not None
    return editor


def with_text(window: MainWindow, text: str) -> CodeEditor:
    """A new script that holds a text, with the keyboard."""
    editor = window.editors.new(text)
    editor.emptyUndoBuffer()
    editor.setFocus()
    return editor


def test_back_and_forward(window: MainWindow, folder: Path, qtbot: QtBot) -> None:
    editor = opened(window, folder / "caller.m")
    editor.go_to(2, 6)
    window.commands.run("edit.definition")
    qtbot.waitUntil(lambda: window.windowTitle().startswith("shared.m"))
    window.commands.run("edit.back")
    assert window.editors.current() is editor
    assert (editor.caret_line, editor.caret_column) == (2, 6)
    window.commands.run("edit.forward")
    assert window.windowTitle().startswith("shared.m")
    inner = window.editors.current()
    assert inner is not None
    inner.go_to(2, 6)
    window.commands.run("edit.definition")
    qtbot.waitUntil(lambda: inner.caret_line == 4)
    window.commands.run("edit.back")
    assert inner.caret_line == 2


def test_a_function_is_renamed_in_every_file(
    window: MainWindow, folder: Path, qtbot: QtBot
) -> None:
    editor = opened(window, folder / "caller.m")
    editor.go_to(2, 6)
    window.commands.run("edit.rename")
    qtbot.waitUntil(lambda: window.findChild(RenameDialog) is not None)
    dialog = window.findChild(RenameDialog)
    assert isinstance(dialog, RenameDialog)
    assert {Path(p.file).name for p in dialog.chosen()} == {"caller.m", "shared.m"}
    assert not dialog.button.isEnabled()
    dialog.field.setText("caller")
    assert "already" in dialog.summary.text()
    assert not dialog.button.isEnabled()
    dialog.field.setText("common")
    dialog.button.click()
    assert editor.text() == CALLER.replace("shared(1)", "common(1)").replace("@shared", "@common")
    assert (folder / "common.m").read_text() == SHARED.replace("= shared", "= common")
    assert not (folder / "shared.m").exists()
    assert (folder / "shadow.m").read_text() == SHADOW
    editor.undo()
    assert editor.text() == CALLER


def test_what_is_typed_before_the_places_are_known_is_the_new_name(
    window: MainWindow, folder: Path, qtbot: QtBot
) -> None:
    editor = with_text(window, "value = 1;\nb = value + value;\n")
    editor.gotoPos(2)
    window.commands.run("edit.rename")
    qtbot.keyClicks(editor, "some")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert editor.text() == "value = 1;\nb = value + value;\n", "not into the text"
    qtbot.waitUntil(lambda: editor.text() == "some = 1;\nb = some + some;\n")
    assert (editor.selections(), editor.currentPos()) == (1, 4)
    window.commands.run("edit.rename")
    qtbot.keyClicks(editor, "lost")
    qtbot.keyClick(editor, Qt.Key.Key_Escape)
    qtbot.keyClicks(editor, "2")
    assert editor.text() == "some2 = 1;\nb = some + some;\n"
    function = opened(window, folder / "caller.m")
    function.go_to(2, 6)
    window.commands.run("edit.rename")
    qtbot.keyClicks(function, "common")
    qtbot.waitUntil(lambda: window.findChild(RenameDialog) is not None)
    dialog = window.findChild(RenameDialog)
    assert isinstance(dialog, RenameDialog)
    assert (dialog.field.text(), function.text()) == ("common", CALLER)


@pytest.mark.parametrize(
    ("typed", "end"),
    [
        ("total", Qt.Key.Key_Return),
        ("n", Qt.Key.Key_Escape),
        ("cnt1\b\b", None),
        ("a_longer_name_than_it_was", Qt.Key.Key_Escape),
        ("cnt\b", Qt.Key.Key_Return),
        ("total", None),
    ],
)
def test_a_renaming_is_one_step_back(
    window: MainWindow, qtbot: QtBot, typed: str, end: Qt.Key | None
) -> None:
    """However many letters it took, corrected ones too, and whatever ended it."""
    text = "kept = 0;\ncount = 1;\nfor k = 1:3\n    count = count + k;\nend\n"
    editor = with_text(window, text)
    editor.gotoPos(editor.positionFromLine(1))
    QTest.keyClicks(editor, " ")
    before = editor.text()
    window.commands.run("edit.rename")
    qtbot.waitUntil(lambda: editor.selections() == 3)
    for letter in typed:
        if letter == "\b":
            QTest.keyClick(editor, Qt.Key.Key_Backspace)
        else:
            QTest.keyClicks(editor, letter)
    renamed = editor.text()
    assert renamed != before
    if end is not None:
        QTest.keyClick(editor, end)
        assert editor.text() == renamed
    window.commands.run("edit.undo")
    assert editor.text() == before
    window.commands.run("edit.redo")
    assert editor.text() == renamed
    for _ in range(2):
        window.commands.run("edit.undo")
    assert editor.text() == text


def test_nothing_to_rename_is_said(window: MainWindow, qtbot: QtBot) -> None:
    with_text(window, "sin(1)").gotoPos(1)
    window.commands.run("edit.rename")
    qtbot.waitUntil(lambda: "not defined" in window.status._notice.text())


def test_a_menu_is_about_the_place_that_is_clicked(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor = with_text(window, "alpha = 1;\nbeta = 2;\n")
    at = editor.positionFromLine(1) + 2
    place = QPoint(editor.pointXFromPosition(at), editor.pointYFromPosition(at) + 4)
    seen: list[tuple[int, int]] = []

    def menu(_window: MainWindow, about: CodeEditor) -> Mock:
        seen.append((about.anchor(), about.currentPos()))
        return Mock()

    monkeypatch.setattr(main_window, "editor_menu", menu)
    for begin, end in ((0, 0), (0, at + 1)):
        editor.setSelection(end, begin)
        editor.menu_wanted.emit(place)
    assert seen == [(at, at), (0, at + 1)], "what is selected stays selected"


def test_nothing_is_said_over_an_open_menu(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    hover = with_text(window, "alpha = 1;").findChild(Hover)
    assert isinstance(hover, Hover)
    said: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda _place, text, _widget: said.append(text))
    hover._show(QPoint(), "first")
    monkeypatch.setattr(QApplication, "activePopupWidget", lambda: window)
    hover._show(QPoint(), "second")
    assert said == ["first"]


def test_nothing_to_fix_is_said(window: MainWindow) -> None:
    with_text(window, "x = 1;")
    window.commands.run("edit.fix")
    assert window.status._notice.text() == "Nothing to fix on line 1"


@pytest.mark.parametrize("text", ["a\nb\nc", "a\n  b\n\nc\n", "é = 1;\n\tx"])
def test_comments_come_and_go(window: MainWindow, text: str) -> None:
    editor = with_text(window, text)
    editor.selectAll()
    window.commands.run("edit.comment")
    assert all(line.lstrip()[:1] in ("%", "") for line in editor.lines())
    window.commands.run("edit.comment")
    assert editor.text() == text


def test_next_occurrences_are_edited_together(window: MainWindow) -> None:
    editor = with_text(window, "ab = ab + abc;\nab\n")
    editor.gotoPos(1)
    for _ in range(3):
        window.commands.run("edit.add_next")
    assert editor.ranges() == [(0, 2), (5, 7), (15, 17)]
    type_keys(editor, "x")
    assert editor.text() == "x = x + abc;\nx\n"
    window.commands.run("edit.add_all")
    assert editor.selections() == 3


def test_carets_above_and_below_are_typed_at_together(window: MainWindow) -> None:
    editor = with_text(window, "abcd\nx\nabcd\n")
    editor.gotoPos(3)
    for _ in range(2):
        window.commands.run("edit.caret_below")
    assert editor.ranges() == [(3, 3), (6, 6), (10, 10)]
    type_keys(editor, "!")
    assert editor.text() == "abc!d\nx!\nabc!d\n"
    for _ in range(3):
        window.commands.run("edit.caret_below")
    assert len(editor.ranges()) == 4
    editor.gotoPos(10)
    for _ in range(3):
        window.commands.run("edit.caret_above")
    assert editor.ranges() == [(1, 1), (7, 7), (10, 10)]


def test_where_nothing_is_written_nothing_is_added(window: MainWindow) -> None:
    editor = with_text(window, "ab  ab\n")
    for id_ in ("edit.add_next", "edit.add_all"):
        editor.gotoPos(3)
        window.commands.run(id_)
        assert editor.ranges() == [(3, 3)]
    editor.set_ranges([(0, 2), (3, 3)])
    window.commands.run("edit.add_all")
    editor.gotoPos(1)
    window.commands.run("edit.add_all")
    assert editor.ranges() == [(0, 2), (4, 6)]


@pytest.mark.parametrize("more", [Qt.KeyboardModifier.NoModifier, CONTROL])
def test_columns_are_selected_by_keyboard(window: MainWindow, more: Qt.KeyboardModifier) -> None:
    editor = with_text(window, "abc\nabc\nabc\n")
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Right):
        press(editor, key, ALT | Qt.KeyboardModifier.ShiftModifier | more)
    assert editor.ranges() == [(0, 1), (4, 5)]
    type_keys(editor, "x")
    assert editor.text() == "xbc\nxbc\nabc\n"


def test_the_outline_of_a_new_file_comes_by_itself(
    window: MainWindow, folder: Path, qtbot: QtBot
) -> None:
    panel = window.panel("outline")
    assert isinstance(panel, OutlinePanel)
    editor = opened(window, folder / "shared.m")

    def names() -> list[str]:
        return [row.name.strip() for row in panel.model.rows]

    qtbot.waitUntil(lambda: names() == ["shared", "inner"])
    editor.appendText(20, "function more\nend\n%%\n")
    qtbot.waitUntil(lambda: "more" in names())


def test_settings_of_the_editor_hold_at_once(window: MainWindow, tmp_path: Path) -> None:
    settings = Settings()
    window.use_settings(settings)
    editor = with_text(window, "x = 1;  \nif x\n\ty = 2;\t\nend")
    for name, value in (
        ("editor_tab_width", 2),
        ("editor_wrap", True),
        ("editor_whitespace", True),
        ("editor_rulers", "75, 100"),
        ("editor_trim", True),
        ("editor_final_newline", True),
    ):
        settings.set(name, value)
    assert (editor.tabWidth(), editor.indent(), int(editor.wrapMode())) == (2, 2, 1)
    assert int(editor.viewWS()) == 1
    assert editor.multiEdgeColumn(1) == 100
    editor.gotoPos(2)
    assert window.editors.save(editor, tmp_path / "tidy.m")
    assert (tmp_path / "tidy.m").read_text() == "x = 1;\nif x\n\ty = 2;\nend\n"
    assert editor.currentPos() == 2
    editor.setText("")
    type_keys(editor, "if a\nb")
    assert editor.text() == "if a\n  b\nend"
    settings.set("editor_close_blocks", False)
    settings.set("editor_tabs", True)
    editor.setText("")
    type_keys(editor, "if (a\nb")
    assert editor.text() == "if (a\n\tb)"
    settings.set("editor_close_brackets", False)
    editor.setText("")
    type_keys(editor, "(")
    assert editor.text() == "("
    assert window.editors.new().tabWidth() == 2
    QApplication.clipboard().clear()


@pytest.mark.parametrize("keymap", ["fuselab", "matlab", "vscode"])
def test_no_two_commands_have_the_same_keys(window: MainWindow, keymap: str) -> None:
    window.commands.use_keymap(keymap)
    keys = [key for id_ in window.commands.declared if (key := window.commands.shipped_key(id_))]
    assert sorted(keys) == sorted(set(keys))


def test_help_is_about_the_word_where_the_keyboard_is(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(window, "open_help", asked.append)
    editor = with_text(window, "cos(1)")
    line, output = window.command_window.input, window.command_window.transcript
    line.put("y = plot")
    output.write("see also tan\n")
    output.gotoPos(output.textLength())
    for text in (editor, line, output, editor):
        monkeypatch.setattr(QApplication, "focusWidget", lambda text=text: text)
        window.commands.run("help.word")
    assert asked == ["cos", "plot", "tan", "cos"]
