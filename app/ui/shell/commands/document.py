"""Commands of documents."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Literal

from app.ui.shell.actions import FILE, command

if TYPE_CHECKING:
    from app.ui.documents.editor_faces import Face
    from app.ui.shell.main_window import MainWindow


class DocumentCommands:
    """The two faces of a file, and what is written in the one that is a document."""

    def __init__(self, window: MainWindow) -> None:
        self.window = window

    def _face(self, needed_for: str = "") -> Face | None:
        """The document in front; where there is none, a word about what it is needed for."""
        face = self.window.documents.current()
        if face is None and needed_for:
            keys = self.window.commands.actions["document.toggle"].shortcut().toString()
            self.window.notify(f"The document view {needed_for} ({keys or 'View menu'})")
        return face

    @command(
        "document.toggle",
        "Document View",
        menu="View",
        shortcut="Ctrl+Shift+M",
        icon="file",
        separator=True,
        needs=FILE,
    )
    def toggle(self) -> None:
        """Show the file as a document with outputs in place, or as code."""
        editor = self.window.editors.current()
        if editor is not None:
            self.window.documents.toggle(editor)

    @command("document.beside", "Outputs at Right", menu="View", checkable=True, needs=FILE)
    def beside(self) -> None:
        """Show what the lines gave at the right of the code, or below it."""
        face = self._face("has outputs in place")
        on = face is not None and not face.view.outputs_beside
        if face is not None:
            face.view.use_outputs_beside(on=on)
        self.window.commands.actions["document.beside"].setChecked(on)

    @command(
        "document.other", "Text or Code Below", menu="Edit/Document", shortcut="Ctrl+E", needs=FILE
    )
    def insert_other(self) -> None:
        """Go on with text below code, and with code below text."""
        face = self._face()
        row = face.view.row_in_use() if face is not None else None
        self._insert("text" if row is None or row.is_code else "code")

    @command("document.text", "Insert Text", menu="Edit/Document", needs=FILE)
    def insert_text(self) -> None:
        """Write text below."""
        self._insert("text")

    @command("document.code", "Insert Code", menu="Edit/Document", needs=FILE)
    def insert_code(self) -> None:
        """Write code below."""
        self._insert("code")

    @command("document.table", "Insert Table", menu="Edit/Document", needs=FILE)
    def insert_table(self) -> None:
        """Write a table below: a line for each row, bars between its cells."""
        self._insert("table")

    @command("document.contents", "Insert Table of Contents", menu="Edit/Document", needs=FILE)
    def insert_contents(self) -> None:
        """List the headings of the document below, each a link."""
        self._insert("contents")

    @command(
        "document.section",
        "Insert Section",
        menu="Edit/Document",
        shortcut="Ctrl+Alt+Return",
        needs=FILE,
    )
    def insert_section(self) -> None:
        """Begin another section below."""
        self._insert("section")

    def _insert(self, kind: str) -> None:
        face = self._face("inserts that")
        if face is not None:
            face.view.editing.insert(kind)

    @command(
        "document.store",
        "Store Outputs in the File",
        menu="Edit/Document",
        separator=True,
        needs=FILE,
    )
    def store(self) -> None:
        """Write what the lines gave into the file, as MATLAB's live scripts keep it."""
        from app.ui.documents.saving import store_outputs

        face = self._face("has outputs in place")
        if face is not None:
            store_outputs(face.view)

    @command("document.clear", "Remove Outputs", menu="Edit/Document", needs=FILE)
    def clear(self) -> None:
        """Take the outputs off the page and out of the file."""
        from app.ui.documents.saving import remove_outputs

        face = self._face("has outputs in place")
        if face is not None:
            remove_outputs(face.view)

    @command("document.control", "Insert Control…", menu="Edit/Document", needs=FILE)
    def control(self) -> None:
        """Let a slider, a list or another control stand for the value at the caret."""
        face = self._face("has controls")
        if face is None:
            return
        place = face.view.editing.controls.literal_at_caret()
        if place is None:
            self.window.notify(
                "Put the caret on a number, a text, true or false without a control first"
            )
            return
        kinds = face.view.editing.controls.kinds_for(place)
        entries: list[tuple[str, str, Callable[[], object]]] = [
            (title, "control", partial(face.view.editing.controls.insert, kind, place))
            for kind, title in kinds
        ]
        self.window.palettes.choose(entries, "Which control is to stand for it?")

    @command("document.configure_control", "Configure Control…", menu="Edit/Document", needs=FILE)
    def configure_control(self) -> None:
        """Change the label, the limits and the choices of the control at the caret."""
        self._act_on_control("configure")

    @command("document.remove_control", "Remove Control", menu="Edit/Document", needs=FILE)
    def remove_control(self) -> None:
        """Take the control at the caret away; its value stays."""
        self._act_on_control("remove")

    def _act_on_control(self, action: Literal["configure", "remove"]) -> None:
        face = self._face("has controls")
        if face is None:
            return
        controls = face.view.editing.controls
        control = controls.in_use()
        if control is None:
            self.window.notify("Put the caret on the line of a control first")
        elif action == "configure":
            controls.configure(control)
        else:
            controls.remove(control)

    @command(
        "document.run_from_here",
        "Run From Here",
        menu="Run",
        shortcut="Ctrl+Shift+F9",
        after="run.selection",
        needs=FILE,
    )
    def run_from_here(self) -> None:
        """Run the section of the caret and all below it."""
        face, editor = self._face("runs from here on"), self.window.editors.current()
        if face is None or editor is None:
            return
        section = face.runs.section_of(editor.caret_line)
        sections = face.runs.sections
        face.runs.run(sections[sections.index(section) :] if section is not None else sections)
