"""Dialogs that ask for a file begin in the current folder, wherever the engine runs, and what is
saved under a name without an ending gets the one of its kind."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

_ENDING = re.compile(r"\*\.(\w+)")


class DialogFolder:
    """The window's current folder; the process's own is that of an engine within it."""

    path = Path()


def dialog_start(name: str = "") -> str:
    """Where a dialog begins that proposes a name, or none."""
    return str(DialogFolder.path / name)


def ask_where(parent: QWidget, title: str, start: str, kinds: str) -> Path | None:
    """Ask under which name to save; None when nothing is to be saved.

    ``kinds`` are patterns as in ``Picture (*.png);;All files (*)``.
    """
    dialog = QFileDialog(parent, title, str(Path(start).parent), kinds)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)

    def use_kind(kind: str) -> None:
        ending = _ENDING.search(kind)
        dialog.setDefaultSuffix(ending[1] if ending else "")

    dialog.filterSelected.connect(use_kind)
    use_kind(dialog.selectedNameFilter())
    dialog.selectFile(Path(start).name)
    accepted, names = dialog.exec(), dialog.selectedFiles()
    dialog.deleteLater()
    return Path(names[0]) if accepted and names else None
