"""The context menus of the editor: what one needs in its text, beside a line, and on a tab."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QMenu

from app.ui.editor.area import EditorArea
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
_IN_DOCUMENTS = (
    ("document.text", "document.code", "document.section"),
    ("document.control", "document.run_from_here"),
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
    documents = _IN_DOCUMENTS if window.documents.of(text_editor(editor)) is not None else ()
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


def tab_menu(area: EditorArea, index: int) -> QMenu:
    """What can be done with the file of a tab, and with the others."""
    menu, editors = QMenu(area), area.editors()
    editor = editors[index]
    others, behind = [e for e in editors if e is not editor], editors[index + 1 :]
    menu.addAction("Close", partial(area.close_editors, [editor]))
    for title, closed in (("Close Others", others), ("Close to the Right", behind)):
        menu.addAction(title, partial(area.close_editors, closed)).setEnabled(bool(closed))
    menu.addAction("Close All", partial(area.close_editors, editors))
    menu.addSeparator()
    for title, side in (
        ("Show Beside", Qt.Orientation.Horizontal),
        ("Show Below", Qt.Orientation.Vertical),
    ):
        menu.addAction(title, partial(area.split.show_beside, editor, side))
    if editor.path is not None:
        menu.addSeparator()
        menu.addAction("Copy Path", partial(QApplication.clipboard().setText, str(editor.path)))
    return menu


def show_tab_menu(area: EditorArea, index: int, place: QPoint) -> None:
    """Offer the menu of a tab at a place of the screen."""
    menu = tab_menu(area, index)
    menu.exec(place)
    menu.deleteLater()
