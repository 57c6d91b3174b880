"""Gives every editor, and the command line, what the language service knows."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.engine.protocol import FolderChanged
from app.ui.editor.area import EditorArea
from app.ui.editor.caret_speech import CaretSpeech
from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.completion import Completion
from app.ui.editor.hover import Hover
from app.ui.editor.navigation import Navigator, Occurrences
from app.ui.editor.residency_marks import ResidencyMarks
from app.ui.editor.run_notes import RunNotes
from app.ui.editor.semantic_colouring import Colouring
from app.ui.editor.split import SecondView
from app.ui.editor.surface import MATLAB, Surface
from app.ui.language_client.client import LanguageClient
from app.ui.language_client.queries import Text
from app.ui.run_model.findings import Finding
from app.ui.run_model.run_model import RunModel
from app.ui.support import formats

if TYPE_CHECKING:
    from app.engine.language import Diagnostic


class LanguageView(QObject):
    """Colours, completion, call tips, hovers and navigation of all editors.

    ``folder`` gives the current folder.
    """

    remarks_changed = Signal()

    def __init__(
        self,
        run_model: RunModel,
        editors: EditorArea,
        folder: Callable[[], Path],
        open_file: Callable[[str, int], None],
        open_help: Callable[[str], None],
    ) -> None:
        super().__init__(editors)
        self.client = LanguageClient(self)
        self._account = run_model
        self._editors = editors
        self._folder = folder
        self._path: tuple[Path, ...] = ()
        self.navigator = Navigator(self, self.client, self.describe, open_file, open_help)
        editors.editor_added.connect(self._on_editor)
        editors.current_changed.connect(self.remarks_changed)
        editors.split.opened.connect(self._on_second_view)
        run_model.bridge.subscribe(FolderChanged, self._on_folder)

    def describe(self, editor: CodeEditor, *, whole: bool = True) -> Text:
        """An editor's text, if it is wanted, and what is known around it."""
        folder = editor.path.parent if editor.path else self._folder()
        name = str(editor.path or editor.untitled)
        text = editor.text() if whole else ""
        return Text(name, text, folder, self._variables(), (self._folder(), *self._path))

    def _on_folder(self, event: FolderChanged) -> None:
        """Functions are found in other folders: everything is looked at anew."""
        self._path = tuple(map(Path, event.path))
        for editor in self._editors.editors():
            colouring = editor.findChild(Colouring)
            if isinstance(colouring, Colouring):
                colouring.look_again()

    def completion(self, surface: Surface) -> Completion:
        """Offer completions in the command line."""
        CaretSpeech(surface)
        return Completion(
            surface, self.client, partial(self._describe_command, surface), self._detail
        )

    def complete(self, editor: CodeEditor) -> None:
        """Offer completions now."""
        found = editor.findChild(Completion)
        if isinstance(found, Completion):
            found.complete(0)

    def remarks(self) -> list[tuple[str, int, Diagnostic]]:
        """What is wrong in the open files: file, line, remark."""
        found = []
        for editor in self._editors.editors():
            colouring = editor.findChild(Colouring)
            if isinstance(colouring, Colouring):
                name = str(editor.path or editor.untitled)
                found += [(name, line, remark) for line, remark in colouring.places()]
        return found

    def findings(self) -> list[Finding]:
        """What the last run found, where the lines are now; edited lines have none any more."""
        notes = [
            n for e in self._editors.editors() if isinstance(n := e.findChild(RunNotes), RunNotes)
        ]
        shown = {note.file for note in notes}
        elsewhere = [f for f in self._account.findings if f.file not in shown]
        return [f for note in notes for f in note.findings()] + elsewhere

    def close(self) -> None:
        """End the language thread."""
        self.client.close()

    def _on_editor(self, editor: CodeEditor) -> None:
        CaretSpeech(editor)
        if editor.language is not MATLAB:
            return
        colouring = Colouring(editor, self.client, self.describe)
        ResidencyMarks(editor, colouring, self._account)
        colouring.changed.connect(self.remarks_changed)
        run_notes = RunNotes(editor, self._account)
        run_notes.changed.connect(self.remarks_changed)
        Hover(editor, colouring, run_notes, self._account, self.client)
        Completion(editor, self.client, partial(self.describe, editor), self._detail)
        Occurrences(editor, self.client, self.describe)

    def _on_second_view(self, view: SecondView) -> None:
        """What belongs to a caret and a pointer; colours and remarks come with the shared text."""
        CaretSpeech(view)
        if view.language is not MATLAB:
            return
        Completion(view, self.client, partial(self.describe, view), self._detail)
        Occurrences(view, self.client, self.describe)
        colouring, notes = view.main.findChild(Colouring), view.main.findChild(RunNotes)
        if isinstance(colouring, Colouring) and isinstance(notes, RunNotes):
            Hover(view, colouring, notes, self._account, self.client)

    def _describe_command(self, surface: Surface, *, whole: bool) -> Text:
        text = surface.text() if whole else ""
        return Text("<command>", text, self._folder(), self._variables(), self._path)

    def _detail(self, name: str) -> str:
        """Size and class of a variable."""
        found = next((v for v in self._account.variables if v.name == name), None)
        return f"{formats.size_text(found.size)} {found.class_name}" if found else ""

    def _variables(self) -> frozenset[str]:
        return frozenset(v.name for v in self._account.variables)
