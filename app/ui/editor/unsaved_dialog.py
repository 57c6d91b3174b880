"""One question for all unsaved files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from app.ui.editor.code_editor import CodeEditor

Save = Callable[[CodeEditor, Path | None], bool]


def ask_about_unsaved(parent: QWidget, editors: Sequence[CodeEditor], save: Save) -> bool:
    """Ask what to do with unsaved files; True when it is fine to go on."""
    names = "\n".join(editor.name for editor in editors)
    plural = "files" if len(editors) > 1 else "file"
    box = QMessageBox(parent)
    box.setWindowTitle("Unsaved text")
    box.setText(f"Save the changed {plural}?")
    box.setInformativeText(names)
    buttons = QMessageBox.StandardButton
    box.setStandardButtons(buttons.Save | buttons.Discard | buttons.Cancel)
    box.setDefaultButton(buttons.Save)
    answer = box.exec()
    box.deleteLater()
    if answer == buttons.Save:
        return all(save_or_ask(parent, editor, save) for editor in editors)
    return answer == buttons.Discard


def save_or_ask(parent: QWidget, editor: CodeEditor, save: Save) -> bool:
    """Save an editor, asking for a name when it has none."""
    if editor.path is not None:
        return save(editor, None)
    name, _ = QFileDialog.getSaveFileName(parent, "Save as", editor.untitled, "Scripts (*.m)")
    return bool(name) and save(editor, Path(name))
