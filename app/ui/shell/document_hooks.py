"""Documents in the window: what they are told, and what they ask for."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, QUrl
from PySide6.QtGui import QDesktopServices

from app.paths import is_file
from app.ui.documents.editor_faces import DocumentFaces, is_live
from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.control_places import write_places
from app.ui.editor.surface import MATLAB
from app.ui.run_model.run_model import BUSY

if TYPE_CHECKING:
    from app.ui.shell.main_window import MainWindow


def make_documents(window: MainWindow) -> DocumentFaces:
    """The documents of a window; live scripts are shown as such when they are opened."""
    made = DocumentFaces(
        window.editors, window.run_model, partial(_prepare, window), window.context.trusts
    )
    made.cell_added.connect(window.language.assist_view)
    made.cell_added.connect(window.editors.offer_menu)
    made.figure_acted.connect(window.bridge.post)
    made.told.connect(window.notify)
    made.shown.connect(lambda editor: window.store.keep_face(editor, "document"))
    made.hidden.connect(lambda editor: window.store.keep_face(editor, "code"))
    made.link_clicked.connect(partial(_follow, window))
    window.editors.editor_added.connect(partial(_on_editor, window, made))
    window.editors.saving.connect(partial(_on_saving, window, made))
    window.closing.connect(made.close_all)
    return made


def _on_editor(window: MainWindow, documents: DocumentFaces, editor: CodeEditor) -> None:
    if editor.language is MATLAB and is_live(editor.text()):
        QTimer.singleShot(0, editor, partial(_show, window, documents, editor))


def _on_saving(window: MainWindow, documents: DocumentFaces, editor: CodeEditor) -> None:
    """Marks of controls say where they are, and outputs go into the file where the settings want
    it."""
    write_places(editor)
    face = documents.of(editor)
    if face is not None and window.editors.settings.editor_outputs and not face.runs.busy:
        from app.ui.documents.saving import store_outputs

        store_outputs(face.view)


def _show(window: MainWindow, documents: DocumentFaces, editor: CodeEditor) -> None:
    if editor in window.editors.editors() and window.store.face_of(editor) != "code":
        documents.show(editor)


def _prepare(window: MainWindow, editor: CodeEditor) -> bool:
    """Get ready for a run of sections; False while something else runs."""
    if window.run_model.busy:
        window.notify(BUSY)
        return False
    window.begin_run(editor, "")
    if editor.path is not None and editor.path.parent != window.current_folder.resolve():
        window.change_folder(editor.path.parent)
        window.notify(f"The current folder is now {editor.path.parent}")
    return True


_OPENS = re.compile(r"matlab: *(?:open|edit)[ (]+['\"]?(?P<file>[\w ./-]+?)['\"]?\)? *;?")


def _follow(window: MainWindow, editor: CodeEditor, address: str) -> None:
    """Follow a link of a document: to the web, to a file beside it; commands are not run."""
    if opens := _OPENS.fullmatch(address):
        address = opens["file"]
    url = QUrl(address)
    if url.scheme() in ("http", "https", "mailto"):
        QDesktopServices.openUrl(url)
        return
    folder = editor.path.parent if editor.path is not None else window.current_folder
    file = folder / address
    if not url.scheme() and is_file(file) and file.resolve().is_relative_to(folder.resolve()):
        window.open_file(file)
    else:
        window.notify(f"This link is not followed: {address}")
