"""Commands of the Edit menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication, QLineEdit

from app.ui.documents.cell_typing import CellTyping, typing_of
from app.ui.editor import formatting, sections
from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.surface import Surface
from app.ui.editor.text_changes import one_step, replace_line
from app.ui.shell.actions import FILE, command
from app.ui.shell.panel_catalogue import FIND, WORKSPACE

if TYPE_CHECKING:
    from app.ui.shell.main_window import MainWindow


class EditCommands:
    """Undo, find, comment, indent."""

    def __init__(self, window: MainWindow) -> None:
        self.window = window

    @property
    def _editor(self) -> CodeEditor | None:
        return self.window.editors.focused()

    @command("edit.undo", "Undo", menu="Edit", shortcut="Ctrl+Z", icon="undo")
    def undo(self) -> None:
        """Take the last change back; a name that is being renamed, as a whole."""
        text = self._focused_text()
        if isinstance(text, CodeEditor):
            text.renaming.end()
        text.undo()

    @command("edit.redo", "Redo", menu="Edit", shortcut="Ctrl+Y", icon="redo")
    def redo(self) -> None:
        """Do the change again."""
        self._focused_text().redo()

    @command("edit.cut", "Cut", menu="Edit", known="Ctrl+X", separator=True)
    def cut(self) -> None:
        """Take the selection into the clipboard."""
        self._clipboard_text().cut()

    @command("edit.copy", "Copy", menu="Edit", known="Ctrl+C")
    def copy(self) -> None:
        """Put the selection into the clipboard, too."""
        self._clipboard_text().copy()

    @command("edit.paste", "Paste", menu="Edit", known="Ctrl+V")
    def paste(self) -> None:
        """Insert what is in the clipboard."""
        self._clipboard_text().paste()

    @command("edit.paste_variable", "Paste as Variable", menu="Edit")
    def paste_variable(self) -> None:
        """Make a variable of the table on the clipboard, as a spreadsheet copies it."""
        self.window.docks.widget(WORKSPACE).paste()

    @command("edit.select_all", "Select All", menu="Edit", known="Ctrl+A")
    def select_all(self) -> None:
        """Select the whole text."""
        self._focused_text().selectAll()

    def _clipboard_text(self) -> Surface | QLineEdit | CellTyping:
        """What copies and pastes: in a cell of a document what is seen of its lines."""
        text = self._focused_text()
        return typing_of(text) or text

    def _focused_text(self) -> Surface | QLineEdit:
        """Where the keyboard is, when that is a text; else the editor in front."""
        widget = QApplication.focusWidget()
        if isinstance(widget, Surface | QLineEdit):
            return widget
        return self._editor or self.window.command_window.input

    @command(
        "edit.find",
        "Find…",
        menu="Edit",
        shortcut="Ctrl+F",
        icon="find",
        separator=True,
        needs=FILE,
    )
    def find(self) -> None:
        """Find in the file."""
        self.window.editors.find_bar.open(replace=False)

    @command("edit.replace", "Replace…", menu="Edit", shortcut="Ctrl+H", icon="replace", needs=FILE)
    def replace(self) -> None:
        """Find and replace in the file."""
        self.window.editors.find_bar.open(replace=True)

    @command("edit.find_next", "Find Next", menu="Edit", shortcut="F3", needs=FILE)
    def find_next(self) -> None:
        """Go to the next match."""
        self.window.editors.find_bar.find_next()

    @command("edit.find_previous", "Find Previous", menu="Edit", shortcut="Shift+F3", needs=FILE)
    def find_previous(self) -> None:
        """Go to the match before."""
        self.window.editors.find_bar.find_previous()

    @command("edit.find_files", "Find in Files…", menu="Edit", shortcut="Ctrl+Shift+F")
    def find_files(self) -> None:
        """Find in all files of the current folder."""
        self.window.docks.show_panel("find")
        self.window.docks.widget(FIND).setFocus()

    @command("edit.go_to_line", "Go to Line…", menu="Edit", shortcut="Ctrl+G", needs=FILE)
    def go_to_line(self) -> None:
        """Go to a line by its number."""
        self.window.palettes.lines()

    @command(
        "edit.comment",
        "Toggle Comment",
        menu="Code",
        shortcut="Ctrl+R",
        icon="comment",
        scope="editor",
        needs=FILE,
    )
    def comment(self) -> None:
        """Comment or uncomment the selected lines."""
        self._change_lines(sections.toggle_comments)

    @command(
        "edit.indent",
        "Smart Indent",
        menu="Code",
        shortcut="Ctrl+I",
        icon="wand",
        scope="editor",
        needs=FILE,
    )
    def indent(self) -> None:
        """Indent the selected lines as their blocks want it; the whole file without selection."""
        editor = self._editor
        if editor is None:
            return
        if editor.selectionEmpty() or not editor.holds_code:
            self.format()
            return
        first, last = _selected_lines(editor)
        formatting.indent(editor, first, last)

    @command(
        "edit.format", "Format File", menu="Code", shortcut="Ctrl+Alt+F", scope="editor", needs=FILE
    )
    def format(self) -> None:
        """Indent the whole file as its blocks want it."""
        if self._editor:
            formatting.indent(self._editor, 0, self._editor.lineCount() - 1)

    @command(
        "edit.duplicate",
        "Duplicate Line",
        menu="Edit",
        shortcut="Ctrl+Shift+D",
        separator=True,
        scope="editor",
        needs=FILE,
    )
    def duplicate(self) -> None:
        """Repeat the line or the selection below."""
        if self._editor:
            self._editor.selectionDuplicate()

    @command(
        "edit.move_up", "Move Line Up", menu="Edit", shortcut="Alt+Up", scope="editor", needs=FILE
    )
    def move_up(self) -> None:
        """Swap the line with the one above."""
        self._move_lines(down=False)

    @command(
        "edit.move_down",
        "Move Line Down",
        menu="Edit",
        shortcut="Alt+Down",
        scope="editor",
        needs=FILE,
    )
    def move_down(self) -> None:
        """Swap the line with the one below."""
        self._move_lines(down=True)

    def _move_lines(self, *, down: bool) -> None:
        editor = self._editor
        typing = typing_of(editor)
        if typing is not None:
            typing.move_lines(down=down)
        elif editor is not None and down:
            editor.moveSelectedLinesDown()
        elif editor is not None:
            editor.moveSelectedLinesUp()

    def _change_lines(self, change: object) -> None:
        editor = self._editor
        if editor is None or not callable(change):
            return
        if not editor.holds_code:
            self.window.notify("Text has no comments")
            return
        first, last = _selected_lines(editor)
        lines = change([editor.line_text(n) for n in range(first, last + 1)])
        with one_step(editor):
            for number, text in enumerate(lines, first):
                replace_line(editor, number, text)


def _selected_lines(editor: CodeEditor) -> tuple[int, int]:
    first = editor.lineFromPosition(editor.selectionStart())
    last = editor.lineFromPosition(editor.selectionEnd())
    if last > first and editor.selectionEnd() == editor.positionFromLine(last):
        last -= 1
    return first, last
