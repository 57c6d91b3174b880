"""The context menus of the editor: what one needs in its text, and beside a line."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QMenu

from app.ui.editor.breakpoint_dialog import BreakpointDialog
from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.split import text_editor

if TYPE_CHECKING:
    from app.ui.shell.main_window import MainWindow

_COMMANDS = (
    ("edit.definition", "edit.references", "edit.rename", "view.follow", "help.word"),
    ("run.selection", "run.section", "debug.toggle", "debug.to_cursor", "debug.watch"),
    ("edit.comment", "edit.indent"),
)
_IN_DOCUMENTS = ("document.control", "document.other", "document.run_from_here")


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
    documents = [_IN_DOCUMENTS] if window.documents.of(text_editor(editor)) is not None else []
    for block in [*_COMMANDS, *documents]:
        menu.addSeparator()
        for name in block:
            menu.addAction(window.commands.actions[name])
    return menu


def go_to_click(editor: CodeEditor, place: QPoint) -> None:
    """Put the caret where a menu is asked for, unless that is in the selection."""
    at = editor.positionFromPoint(place.x(), place.y())
    spans = (
        (editor.selectionNStart(n), editor.selectionNEnd(n)) for n in range(editor.selections())
    )
    if not any(start <= at <= end for start, end in spans):
        editor.gotoPos(at)


def margin_menu(editor: CodeEditor, line: int) -> QMenu:
    """What can be done with the breakpoint of a line."""
    menu, stop = QMenu(editor), editor.stops.at(line)
    menu.addAction(
        "Clear Breakpoint" if stop else "Set Breakpoint", lambda: editor.stops.toggle(line)
    )
    menu.addAction("Breakpoint Condition…", lambda: BreakpointDialog(editor, line).open())
    if stop is not None:
        change = partial(editor.stops.change, line, enabled=not stop.enabled)
        menu.addAction("Disable Breakpoint" if stop.enabled else "Enable Breakpoint", change)
    return menu
