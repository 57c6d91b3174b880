"""Gives every editor, and the command line, what the language service knows."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.engine.protocol import FolderChanged
from app.engine.run_state import COMMAND
from app.ui.editor.area import EditorArea
from app.ui.editor.caret_speech import CaretSpeech
from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.completion import Completer, Known
from app.ui.editor.control_places import ControlPlaces
from app.ui.editor.hover import Hover
from app.ui.editor.markup_styles import MarkupStyles
from app.ui.editor.navigation import Navigator, Occurrences
from app.ui.editor.residency_marks import ResidencyMarks
from app.ui.editor.run_notes import RunNotes
from app.ui.editor.semantic_colouring import Colouring
from app.ui.editor.signature_tip import SignatureTip
from app.ui.editor.snippets import Snippets
from app.ui.editor.split import SecondView
from app.ui.editor.surface import MATLAB, Surface
from app.ui.language_client.client import LanguageClient
from app.ui.language_client.queries import Text
from app.ui.language_client.workspace_fields import WorkspaceFields
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
        self._run_model = run_model
        self._editors = editors
        self._folder = folder
        self._path: tuple[Path, ...] = ()
        self.navigator = Navigator(self, self.client, self.describe, open_file, open_help)
        fields = WorkspaceFields(run_model.bridge)
        self.known = Known(self._detail, fields.ask)
        editors.editor_added.connect(self._on_editor)
        editors.current_changed.connect(self.remarks_changed)
        editors.split.opened.connect(self.assist_view)
        run_model.bridge.subscribe(FolderChanged, self._on_folder)

    def describe(self, editor: CodeEditor, *, whole: bool = True) -> Text:
        """An editor's text, if it is wanted, and what is known around it."""
        folder = editor.path.parent if editor.path else self._folder()
        name = str(editor.path or editor.untitled)
        text = editor.text() if whole else ""
        return Text(name, text, folder, self._variables(), self.folders())

    def folders(self) -> tuple[Path, ...]:
        """Where functions are found: the current folder, then the path."""
        return (self._folder(), *self._path)

    def _on_folder(self, event: FolderChanged) -> None:
        """Functions are found in other folders: everything is looked at anew."""
        self._path = tuple(map(Path, event.path))
        for editor in self._editors.editors():
            colouring = editor.findChild(Colouring)
            if isinstance(colouring, Colouring):
                colouring.look_again()

    def completion(self, surface: Surface) -> Completer:
        """Offer completions in the command line."""
        CaretSpeech(surface)
        describe = partial(self._describe_command, surface)
        completer = Completer(surface, self.client, describe, self.known, is_command=True)
        SignatureTip(surface, self.client, describe)
        return completer

    def complete(self, editor: Surface) -> None:
        """Offer completions now."""
        found = editor.findChild(Completer)
        if isinstance(found, Completer):
            found.complete()

    def show_signature(self, editor: Surface) -> None:
        """Show the call around the caret now."""
        found = editor.findChild(SignatureTip)
        if isinstance(found, SignatureTip):
            found.ask()

    def _assist_editor(self, editor: CodeEditor) -> None:
        describe = partial(self.describe, editor)
        snippets = Snippets(editor)
        Completer(editor, self.client, describe, self.known, snippets=snippets)
        SignatureTip(editor, self.client, describe)

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
        elsewhere = [f for f in self._run_model.findings if f.file not in shown]
        return [f for note in notes for f in note.findings()] + elsewhere

    def close(self) -> None:
        """End the language thread."""
        self.client.close()

    def _on_editor(self, editor: CodeEditor) -> None:
        CaretSpeech(editor)
        if editor.language is not MATLAB:
            return
        MarkupStyles(editor)
        ControlPlaces(editor)
        colouring = Colouring(editor, self.client, self.describe)
        ResidencyMarks(editor, colouring, self._run_model)
        colouring.changed.connect(self.remarks_changed)
        run_notes = RunNotes(editor, self._run_model)
        run_notes.changed.connect(self.remarks_changed)
        Hover(editor, colouring, run_notes, self._run_model, self.client, self.describe)
        self._assist_editor(editor)
        Occurrences(editor, self.client, self.describe)

    def assist_view(self, view: SecondView) -> None:
        """What belongs to a caret and a pointer; colours and remarks come with the shared text."""
        CaretSpeech(view)
        if view.language is not MATLAB:
            return
        self._assist_editor(view)
        Occurrences(view, self.client, self.describe, with_keyboard=True)
        colouring, notes = view.main.findChild(Colouring), view.main.findChild(RunNotes)
        if isinstance(colouring, Colouring) and isinstance(notes, RunNotes):
            Hover(view, colouring, notes, self._run_model, self.client, self.describe)

    def _describe_command(self, surface: Surface, *, whole: bool) -> Text:
        text = surface.text() if whole else ""
        return Text(COMMAND, text, self._folder(), self._variables(), self._path)

    def _detail(self, name: str) -> str:
        """Size and class of a variable."""
        found = next((v for v in self._run_model.variables if v.name == name), None)
        return f"{formats.size_text(found.size)} {found.class_name}" if found else ""

    def _variables(self) -> frozenset[str]:
        return frozenset(v.name for v in self._run_model.variables)
