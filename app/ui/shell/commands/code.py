"""Commands of the Edit menu that know what code means."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.occurrences import add_caret, add_occurrence
from app.ui.editor.surface import Surface
from app.ui.shell.actions import FILE, command
from app.ui.shell.panel_catalogue import FIND
from app.ui.shell.rename import rename_places

if TYPE_CHECKING:
    from app.engine.session.language_service import Renaming
    from app.ui.shell.main_window import MainWindow


NO_NAME = "Put the caret on a name first"


class CodeCommands:
    """Definitions, occurrences, renaming, completion, fixes."""

    def __init__(self, window: MainWindow) -> None:
        self.window = window

    @property
    def _editor(self) -> CodeEditor | None:
        return self.window.editors.focused()

    @command(
        "edit.definition",
        "Go to Definition",
        menu="Code",
        shortcut="F4",
        separator=True,
        scope="editor",
        needs=FILE,
    )
    def definition(self) -> None:
        """Go to where the name under the caret is defined."""
        if self._editor:
            self.window.language.navigator.go_to_definition(self._editor, self._texts())

    def _texts(self) -> dict[str, str]:
        """The texts of open files by path."""
        return {str(e.path): e.text() for e in self.window.editors.editors() if e.path}

    @command("edit.back", "Back", menu="Code", shortcut="Alt+Left", icon="back")
    def back(self) -> None:
        """Go to the place where the caret was before."""
        self._travel(-1)

    @command("edit.forward", "Forward", menu="Code", shortcut="Alt+Right", icon="forward")
    def forward(self) -> None:
        """Go to the place from where Back was used."""
        self._travel(1)

    def _travel(self, step: int) -> None:
        if not self.window.trail.go(step):
            self.window.notify(f"There is no {'earlier' if step < 0 else 'later'} place")

    @command("edit.next_place", "Next Place in Output", menu="Code", shortcut="F8")
    def next_place(self) -> None:
        """Go to the line that the newest error or warning names; then to the one below it."""
        self._step_place(1)

    @command("edit.previous_place", "Previous Place in Output", menu="Code", shortcut="Shift+F8")
    def previous_place(self) -> None:
        """Go to the line of a file that is named further up in the command window."""
        self._step_place(-1)

    def _step_place(self, step: int) -> None:
        if not self.window.command_window.transcript.links.step(step):
            where = "further" if step > 0 else "earlier"
            self.window.notify(f"The output names no {where} line")

    @command(
        "edit.references",
        "Find References",
        menu="Code",
        shortcut="Shift+F12",
        scope="editor",
        needs=FILE,
    )
    def references(self) -> None:
        """List every place where code of the folder mentions the name under the caret."""
        editor = self._editor
        word = editor.word_at(editor.currentPos()) if editor else ""
        if word.isidentifier():
            self.window.docks.show_panel("find")
            self.window.docks.widget(FIND).show_references(word)
        else:
            self.window.notify(NO_NAME)

    @command("edit.rename", "Rename…", menu="Code", shortcut="F2", scope="editor", needs=FILE)
    def rename(self) -> None:
        """Rename the name under the caret: here by typing, in several files with a preview."""
        editor = self._editor
        if editor is not None:
            self.window.language.navigator.rename(
                editor, self.window.current_folder, self._texts(), partial(self._preview, editor)
            )

    def _preview(self, editor: CodeEditor, found: Renaming) -> None:
        if found.problem:
            self.window.notify(found.problem)
            return
        from app.ui.editor.rename_dialog import RenameDialog

        dialog = RenameDialog(self.window, found, partial(rename_places, self.window))
        dialog.open()
        editor.renaming.hand_to(dialog.field)

    @command(
        "edit.add_next",
        "Add Next Occurrence",
        menu="Edit",
        shortcut="Ctrl+D",
        scope="editor",
        needs=FILE,
    )
    def add_next(self) -> None:
        """Select the word at the caret, then its next occurrence too: all are edited at once."""
        if self._editor:
            add_occurrence(self._editor)

    @command(
        "edit.add_all",
        "Select All Occurrences",
        menu="Edit",
        shortcut="Ctrl+Shift+L",
        scope="editor",
        needs=FILE,
    )
    def add_all(self) -> None:
        """Select every occurrence of the selection or the word at the caret."""
        if self._editor:
            add_occurrence(self._editor, every=True)

    @command(
        "edit.caret_above",
        "Add Caret Above",
        menu="Edit",
        shortcut="Ctrl+Shift+Up",
        scope="editor",
        needs=FILE,
    )
    def caret_above(self) -> None:
        """Type in the line above, too, in the same column."""
        if self._editor:
            add_caret(self._editor, -1)

    @command(
        "edit.caret_below",
        "Add Caret Below",
        menu="Edit",
        shortcut="Ctrl+Shift+Down",
        scope="editor",
        needs=FILE,
    )
    def caret_below(self) -> None:
        """Type in the line below, too, in the same column."""
        if self._editor:
            add_caret(self._editor, 1)

    @command(
        "edit.fix",
        "Quick Fix",
        menu="Code",
        shortcut="Alt+Return",
        icon="wand",
        scope="editor",
        needs=FILE,
    )
    def fix(self) -> None:
        """Repair the first remark on the line that says how."""
        editor = self._editor
        if editor is None:
            return
        navigator = self.window.language.navigator
        found = navigator.fixes(editor)
        for diagnostic in found[:1]:
            navigator.apply_fix(editor, diagnostic)
        if not found:
            self.window.notify(f"Nothing to fix on line {editor.caret_line}")

    @command("edit.complete", "Complete", menu="Code", shortcut="Ctrl+Space", separator=True)
    def complete(self) -> None:
        """Offer what may complete the word before the caret."""
        self.window.language.complete(self._code)

    @command("edit.signature", "Show Arguments", menu="Code", shortcut="Ctrl+Shift+Space")
    def signature(self) -> None:
        """Show the call form of the function around the caret."""
        self.window.language.show_signature(self._code)

    @property
    def _code(self) -> Surface:
        """Where code is being typed: the command line if it has the keyboard, else the editor."""
        line = self.window.command_window.input
        return line if line.hasFocus() else self._editor or line
