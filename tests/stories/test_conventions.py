"""Palette, keymaps, shortcuts, preferences, options of calls: by the keyboard alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QListWidget
from pytestqt.qtbot import QtBot

from app.ui.editor.code_editor import CodeEditor
from app.ui.shell.dialogs.preferences import Preferences
from app.ui.shell.dialogs.shortcuts import ShortcutsPage
from app.ui.shell.main_window import MainWindow
from app.ui.support.fonts import CodeFont
from app.ui.support.theme import theme
from tests.ui.keys import offered

Open = Callable[..., MainWindow]
CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


def focused(window: MainWindow, qtbot: QtBot) -> CodeEditor:
    """The editor in front, with the keyboard and the caret at its end."""
    editor = window.editors.current()
    assert editor is not None
    editor.setFocus()
    qtbot.waitUntil(editor.hasFocus)
    editor.gotoPos(editor.textLength())
    return editor


def test_the_palette_finds_and_gives_the_keyboard_back(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("x = 1;\n", layout="classic")
    editor = focused(window, qtbot)
    height = editor.textHeight(0)
    QTest.keyClick(editor, Qt.Key.Key_P, CONTROL | SHIFT)
    palette = window.palettes.palette
    assert palette is not None
    assert palette.isVisible()
    QTest.keyClicks(palette.field, "zoomlrg")
    assert [e.title for e, _ in palette._model.found] == ["Nothing found"]
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert palette.isVisible()
    palette.field.clear()
    QTest.keyClicks(palette.field, "larger")
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert not palette.isVisible()
    assert editor.textHeight(0) > height
    assert editor.hasFocus()
    QTest.keyClick(editor, Qt.Key.Key_P, CONTROL)
    assert "Go to a file" in palette.field.placeholderText()
    QTest.keyClick(palette.field, Qt.Key.Key_Escape)
    assert editor.hasFocus()


@pytest.mark.parametrize(
    ("keymap", "keys"), [("vscode", "Ctrl+/"), ("matlab", "Ctrl+R"), ("fuselab", "Ctrl+R")]
)
def test_a_keymap_is_typed(open_window: Open, qtbot: QtBot, keymap: str, keys: str) -> None:
    window = open_window("x = 1;\n", layout="focus", asking=True)
    window.settings.set("keymap", keymap)
    editor = focused(window, qtbot)
    editor.go_to(1)
    pressed = QKeySequence(keys)[0]
    QTest.keyClick(editor, pressed.key(), pressed.keyboardModifiers())
    assert editor.line_text(0).lstrip().startswith("%")
    window.settings.set("keymap", "fuselab")


def test_preferences_change_the_window_at_once(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("x = 1;\n", layout="classic", asking=True)
    editor = focused(window, qtbot)
    before, height = CodeFont.points, editor.textHeight(0)
    QTest.keyClick(editor, Qt.Key.Key_Comma, CONTROL)
    dialog = window.findChild(Preferences)
    assert isinstance(dialog, Preferences)
    size: Any = dialog.fields["editor_font_size"]
    size.setText("16")
    size.editingFinished.emit()
    assert editor.textHeight(0) > height
    size.setText(str(before))
    size.editingFinished.emit()
    chosen = dialog.fields["theme"]
    assert isinstance(chosen, QComboBox)
    for mode, dark in (("Light", False), ("Dark", True)):
        chosen.setCurrentText(mode)
        assert theme().dark is dark
    pages = dialog.findChild(QListWidget)
    assert pages is not None
    pages.setCurrentRow(pages.count() - 1)
    keys = dialog.findChild(ShortcutsPage)
    assert isinstance(keys, ShortcutsPage)
    QTest.keyClicks(keys.filter, "Format File")
    keys.table.selectRow(0)
    keys.editor.setKeySequence(QKeySequence("Ctrl+Alt+9"))
    keys.editor.editingFinished.emit()
    assert window.commands.actions["edit.format"].shortcut() == QKeySequence("Ctrl+Alt+9")
    keys.reset()
    assert window.commands.actions["edit.format"].shortcut() == QKeySequence("Ctrl+Alt+F")
    dialog.close()


def test_options_of_a_call_are_completed(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("x = 1;\n", layout="focus")
    editor = focused(window, qtbot)
    for typed, first in (
        ("plot(x, x, LineW", "LineWidth="),
        ("plot(x, x, 'LineW", "LineWidth"),
        ("cellfun(@f, x, Uni", "UniformOutput="),
    ):
        editor.setText("")
        QTest.keyClicks(editor, typed)
        qtbot.waitUntil(lambda first=first: offered(editor)[:1] == [first])
        QTest.keyClick(editor, Qt.Key.Key_Escape)
    editor.setText("")
    QTest.keyClicks(editor, "movmean(x, 3, ")
    QTest.keyClick(editor, Qt.Key.Key_Space, CONTROL)
    qtbot.waitUntil(lambda: "Endpoints=" in offered(editor)[:2])
