"""The context menu of the editor: quick fixes for the line, then the commands one needs there."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu

from app.ui.editor.code_editor import CodeEditor

if TYPE_CHECKING:
    from app.ui.shell.main_window import MainWindow

_COMMANDS = (
    ("edit.definition", "edit.references", "edit.rename", "view.follow", "help.word"),
    ("run.selection", "run.section", "debug.toggle", "debug.to_cursor", "debug.watch"),
    ("edit.comment", "edit.indent"),
)


def editor_menu(window: MainWindow, editor: CodeEditor) -> QMenu:
    """Made anew each time, for the caret's place."""
    menu = QMenu(editor)
    navigator = window.language.navigator
    for diagnostic in navigator.fixes(editor):
        if diagnostic.fix is not None:
            menu.addAction(diagnostic.fix.title, partial(navigator.apply_fix, editor, diagnostic))
    menu.addSeparator()
    for title, act in (("Cut", editor.cut), ("Copy", editor.copy), ("Paste", editor.paste)):
        menu.addAction(title, act)
    for block in _COMMANDS:
        menu.addSeparator()
        for name in block:
            menu.addAction(window.commands.actions[name])
    return menu
