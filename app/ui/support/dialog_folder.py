"""Where dialogs that ask for a file begin: the current folder, wherever the engine runs."""

from __future__ import annotations

from pathlib import Path


class DialogFolder:
    """The window's current folder; the process's own is that of an engine within it."""

    path = Path()


def dialog_start(name: str = "") -> str:
    """Where a dialog begins that proposes a name, or none."""
    return str(DialogFolder.path / name)
