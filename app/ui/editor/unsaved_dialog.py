"""Questions before text is lost: unsaved files, and files that others have changed."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Sequence
from enum import Enum
from pathlib import Path
from typing import TypeVar

from PySide6.QtWidgets import QMessageBox, QWidget

from app.ui.editor.code_editor import CodeEditor
from app.ui.support import dialog_folder

Save = Callable[[CodeEditor, Path | None], bool]
Answer = TypeVar("Answer", bound=Enum)
_PATTERN = "Scripts (*.m);;All files (*)"
_DECLARES = re.compile(
    r"(?:\s*%[^\n]*\n|\s)*"  # comments and empty lines
    r"(?:classdef\s*(?:\([^)]*\)\s*)?(\w+)|function\s+(?:[^=(\n]*=\s*)?(\w+))"
)


def ask_about_unsaved(
    parent: QWidget, editors: Sequence[CodeEditor], save: Save, folder: Path
) -> bool:
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
        return all(save_or_ask(parent, editor, save, folder) for editor in editors)
    return answer == buttons.Discard


def save_or_ask(parent: QWidget, editor: CodeEditor, save: Save, folder: Path) -> bool:
    """Save an editor, asking for a name in a folder when it has none."""
    if editor.path is not None:
        return save(editor, None)
    return save_as(parent, editor, save, folder)


def save_as(parent: QWidget, editor: CodeEditor, save: Save, folder: Path) -> bool:
    """Ask for a name, and save under it: beside the file, else in a folder."""
    start = str(editor.path or folder / name_for(editor))
    target = dialog_folder.ask_where(parent, "Save as", start, _PATTERN)
    return target is not None and save(editor, target)


def name_for(editor: CodeEditor) -> str:
    """The name that a file must have for what it declares, else the one in its tab."""
    found = _DECLARES.match(editor.text())
    return f"{found[1] or found[2]}.m" if found else editor.untitled


class Choice(Enum):
    """What to do with a file that somebody else has changed meanwhile."""

    MINE = "Overwrite with mine"
    THEIRS = "Take the file's"
    COMPARE = "Compare"
    NOTHING = "Cancel"


class Protected(Enum):
    """What to do with a file that is write-protected."""

    OVERWRITE = "Overwrite"
    ELSEWHERE = "Save As…"
    NOTHING = "Cancel"


def ask_about_conflict(parent: QWidget, editor: CodeEditor) -> Choice:
    """Ask whose text is to stay; closing the question changes nothing."""
    roles = QMessageBox.ButtonRole
    given = {
        Choice.MINE: roles.DestructiveRole,
        Choice.THEIRS: roles.DestructiveRole,
        Choice.COMPARE: roles.ActionRole,
        Choice.NOTHING: roles.RejectRole,
    }
    box = QMessageBox(parent)
    box.setWindowTitle("Changed on disk")
    box.setText(f"{editor.name} was changed by another program since it was read.")
    box.setInformativeText("Saving would overwrite that change.")
    return _answer(box, given, Choice.COMPARE, Choice.NOTHING)


def ask_about_protected(parent: QWidget, path: Path) -> Protected:
    """Ask whether a write-protected file is to be replaced; closing the question leaves it."""
    roles = QMessageBox.ButtonRole
    given = {
        Protected.OVERWRITE: roles.DestructiveRole,
        Protected.ELSEWHERE: roles.AcceptRole,
        Protected.NOTHING: roles.RejectRole,
    }
    box = QMessageBox(parent)
    box.setWindowTitle("Write-protected")
    box.setText(f"{path.name} is write-protected.")
    box.setInformativeText("Save As leaves it as it is and writes another file.")
    return _answer(box, given, Protected.ELSEWHERE, Protected.NOTHING)


def _answer(
    box: QMessageBox, given: dict[Answer, QMessageBox.ButtonRole], default: Answer, nothing: Answer
) -> Answer:
    """The answer to a warning with a button for each; Escape is the one that does nothing."""
    box.setIcon(QMessageBox.Icon.Warning)
    buttons = {answer: box.addButton(str(answer.value), role) for answer, role in given.items()}
    box.setDefaultButton(buttons[default])
    box.setEscapeButton(buttons[nothing])
    box.exec()
    clicked = box.clickedButton()
    box.deleteLater()
    return next((answer for answer, button in buttons.items() if button is clicked), nothing)


def differences(mine: str, theirs: str, name: str) -> str:
    """Both texts as a unified comparison, as comments of a script."""
    lines = difflib.unified_diff(
        theirs.splitlines(), mine.splitlines(), f"{name} on disk", f"{name} here", lineterm=""
    )
    return "".join(f"% {line}\n" for line in lines)
