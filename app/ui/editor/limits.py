"""How large a text may be before the editor stops understanding it and only shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEventLoop

if TYPE_CHECKING:
    from app.ui.editor.surface import Surface

LARGE_TEXT = 2_000_000
"""Characters; a larger text has no colours, folds, sections, remarks or history of changes."""
PIECE = 4_000_000
"""Characters of a large text that are put in at once."""


def is_large(text: str) -> bool:
    """Whether a text is only shown and edited, and nothing in it is looked for while typing."""
    return len(text) > LARGE_TEXT


def fill(surface: Surface, text: str) -> None:
    """Put a text in; with a large one the window goes on painting, and keys wait."""
    if not is_large(text):
        surface.setText(text)
        return
    surface.setUndoCollection(False)
    for start in range(0, len(text), PIECE):
        surface.add(text[start : start + PIECE])
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
    surface.setUndoCollection(True)
