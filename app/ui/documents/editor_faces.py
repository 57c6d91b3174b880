"""Which editors show their document, and what runs their sections."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.ui.editor.area import EditorArea
from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.surface import MATLAB
from app.ui.run_model.run_model import RunModel

if TYPE_CHECKING:
    from app.ui.documents.document_view import DocumentView
    from app.ui.documents.runs import DocumentRuns

_LIVE = re.compile(r"^[ \t]*%\[(?:text|appendix)", re.MULTILINE)
_APP = re.compile(r"^%\[app:", re.MULTILINE)


def is_live(text: str) -> bool:
    """Whether a text is a live script, which is shown as a document at first; apps are not."""
    return _LIVE.search(text) is not None and _APP.search(text) is None


@dataclass(eq=False)
class Face:
    """A document over its editor."""

    runs: DocumentRuns
    view: DocumentView


class DocumentFaces(QObject):
    """The documents of a window.

    Args:
        editors: of the window.
        run_model: of the window.
        prepare: called before sections run; answers whether they may.
        trusted: whether a folder is trusted.
    """

    shown = Signal(object)
    hidden = Signal(object)
    cell_added = Signal(object)
    figure_acted = Signal(object)
    link_clicked = Signal(object, str)
    told = Signal(str)

    def __init__(
        self,
        editors: EditorArea,
        run_model: RunModel,
        prepare: Callable[[CodeEditor], bool],
        trusted: Callable[[Path], bool],
    ) -> None:
        super().__init__(editors)
        self._editors = editors
        self._model = run_model
        self._prepare = prepare
        self._trusted = trusted
        self._faces: dict[CodeEditor, Face] = {}
        editors.editor_closing.connect(self._on_closing)
        editors.zoomed.connect(self._on_zoom)

    def current(self) -> Face | None:
        """The document in front, if the editor in front shows one."""
        return self.of(self._editors.current())

    def of(self, editor: CodeEditor | None) -> Face | None:
        """The document that an editor shows; None while it shows code."""
        face = self._faces.get(editor) if editor is not None else None
        if face is None or editor is None:
            return None
        return face if face.view.isVisibleTo(editor) else None

    def show(self, editor: CodeEditor) -> Face:
        """Show an editor's document."""
        known = self._faces.get(editor)
        face = known or self._new_face(editor)
        self._faces[editor] = face
        editor.setHScrollBar(False)
        editor.setVScrollBar(False)
        editor.covered = True
        editor.viewport().setUpdatesEnabled(False)
        face.view.setGeometry(editor.rect())
        face.view.show()
        if known is None:
            face.view.open_page()
        else:
            face.view.read_text()
        face.view.raise_()
        if editor is self._editors.current():  # a page behind another takes no keyboard
            face.view.setFocus()
        self.shown.emit(editor)
        return face

    def hide(self, editor: CodeEditor) -> None:
        """Show an editor's code."""
        face = self._faces.get(editor)
        if face is not None:
            face.view.hide()
            editor.covered = False
            editor.viewport().setUpdatesEnabled(True)
            editor.setHScrollBar(True)
            editor.setVScrollBar(True)
            editor.setFocus()
            self.hidden.emit(editor)

    def toggle(self, editor: CodeEditor) -> None:
        """Show the other face."""
        if editor.language is not MATLAB:
            return
        if self.of(editor) is None:
            self.show(editor)
        else:
            self.hide(editor)

    def _new_face(self, editor: CodeEditor) -> Face:
        # Pages draw figures: what that takes is loaded with the first one, not with the window.
        from app.ui.documents.document_view import DocumentView
        from app.ui.documents.runs import DocumentRuns

        runs = DocumentRuns(editor, self._model, self._prepare)

        def trusted() -> bool:
            return editor.path is None or self._trusted(editor.path.parent)

        view = DocumentView(editor, runs, trusted)
        view.editing.controls.told.connect(self.told)
        view.host.cell_added.connect(self.cell_added)
        view.host.acted.connect(self.figure_acted)
        view.link_clicked.connect(lambda address: self.link_clicked.emit(editor, address))
        return Face(runs, view)

    def _on_closing(self, editor: CodeEditor) -> None:
        face = self._faces.pop(editor, None)
        if face is not None:
            face.runs.close()
            face.view.close_page()

    def close_all(self) -> None:
        """Let go of all figures: the window closes."""
        for editor in list(self._faces):
            self._on_closing(editor)

    def _on_zoom(self) -> None:
        for face in self._faces.values():
            face.view.use_zoom(self._editors.zoom)
