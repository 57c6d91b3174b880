"""The settings dialog has a field for every declared setting, and keeps what is changed."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit
from pytestqt.qtbot import QtBot

from app import settings
from app.ui.shell.dialogs.preferences import Preferences
from app.ui.shell.dialogs.shortcuts import ShortcutsPage
from app.ui.shell.main_window import MainWindow
from app.ui.support import fonts
from app.ui.support.theme import theme


def test_every_setting_has_a_field(window: MainWindow, qtbot: QtBot) -> None:
    dialog = Preferences(window, window.settings)
    qtbot.addWidget(dialog)
    assert set(dialog.fields) == {d.name for d in settings.declarations()}


def test_changes_hold_at_once_and_are_kept(
    window: MainWindow, qtbot: QtBot, private_home: Path
) -> None:
    dialog = Preferences(window, window.settings)
    qtbot.addWidget(dialog)
    choice, check = dialog.fields["theme"], dialog.fields["calibration"]
    assert isinstance(choice, QComboBox)
    assert isinstance(check, QCheckBox)
    choice.setCurrentText("Light")
    check.setChecked(False)
    assert not theme().dark
    dialog.accept()
    kept = settings.load()
    assert (kept.theme, kept.calibration) == ("light", False)


def test_wrong_values_are_explained_and_not_taken(window: MainWindow, qtbot: QtBot) -> None:
    dialog = Preferences(window, window.settings)
    qtbot.addWidget(dialog)
    field = dialog.fields["capture_threshold"]
    assert isinstance(field, QLineEdit)
    field.setText("many")
    field.editingFinished.emit()
    assert dialog._problem.text().startswith("Capture threshold must be a whole number")
    assert window.settings.capture_threshold == 1024


def test_fonts_of_code_are_those_that_are_here(window: MainWindow, qtbot: QtBot) -> None:
    """A name that no typeface has gave letters of all widths."""
    dialog = Preferences(window, window.settings)
    qtbot.addWidget(dialog)
    choice = dialog.fields["editor_font"]
    assert isinstance(choice, QComboBox)
    assert (choice.currentData(), choice.currentText()) == ("", "JetBrains Mono (shipped)")
    choice.setCurrentIndex(choice.findData(fonts.CODE_FAMILY))
    assert window.settings.editor_font == fonts.CODE_FAMILY
    window.settings.set("editor_font", "Of Another Machine")
    editor = window.editors.current()
    assert editor is not None
    assert fonts.CodeFont.family == fonts.CODE_FAMILY
    assert editor.textWidth(0, "iii") == editor.textWidth(0, "MMM")
    again = Preferences(window, window.settings)
    qtbot.addWidget(again)
    choice = again.fields["editor_font"]
    assert isinstance(choice, QComboBox)
    assert choice.currentData() == "Of Another Machine"  # kept for the other machine


def test_a_keymap_changes_the_shortcuts(window: MainWindow) -> None:
    window.settings.set("keymap", "vscode")
    assert window.commands.actions["debug.toggle"].shortcut().toString() == "F9"
    window.settings.set("keymap", "fuselab")
    assert window.commands.actions["debug.toggle"].shortcut().toString() == "F12"


def test_a_command_gets_other_keys(window: MainWindow, qtbot: QtBot) -> None:
    kept: list[dict[str, str]] = []
    page = ShortcutsPage(window.commands, kept.append)
    qtbot.addWidget(page)
    page.change("run.file", "Ctrl+Alt+R")
    assert window.commands.actions["run.file"].shortcut().toString() == "Ctrl+Alt+R"
    assert kept[-1] == {"run.file": "Ctrl+Alt+R"}
    page.change("edit.find", "Ctrl+Alt+R")
    assert "taken by “Run File”" in page._remark.text()
    assert window.commands.actions["edit.find"].shortcut().toString() == "Ctrl+F"
    page.table.select("run.file")
    page.reset()
    assert window.commands.actions["run.file"].shortcut().toString() == "F5"
    assert kept[-1] == {}
