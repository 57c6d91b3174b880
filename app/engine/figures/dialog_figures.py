"""Figures that the window shows as dialogs: messages, and progress with a way to cancel.

They have negative numbers, are never current, and cross to the window as ``DialogUpdated``.
"""

from __future__ import annotations

from dataclasses import replace

from app.engine.dialog_state import Dialog
from app.engine.figures.objects import GraphicsObject

DIALOG = "Dialog"
"""The value of a figure that is a dialog: what is shown of it, but for its buttons."""
PROGRESS_KIND = "progressdialog"


def dialog_snapshot(figure: GraphicsObject) -> Dialog | None:
    """What the window shows of a dialog; None for other figures."""
    if figure.kind.name == PROGRESS_KIND:
        return _progress(figure)
    shown: Dialog | None = figure.values.get(DIALOG)
    if shown is None:
        return None
    controls = [child for child in figure.children if child.kind.name == "uicontrol"]
    buttons = tuple((c.serial, str(c["String"]) or "Cancel") for c in controls)
    return replace(shown, title=figure["Name"], buttons=buttons, visible=figure["Visible"])


def _progress(dialog: GraphicsObject) -> Dialog:
    return Dialog(
        "progress",
        dialog["Title"],
        dialog["Message"],
        dialog["Icon"],
        None if dialog["Indeterminate"] else dialog["Value"],
        share=dialog["ShowPercentage"],
        buttons=((0, dialog["CancelText"]),) if dialog["Cancelable"] else (),
        held=True,
        visible=dialog["Visible"],
    )
