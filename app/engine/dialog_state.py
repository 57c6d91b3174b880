"""Dialogs of scripts as plain data: what is asked, and what stands beside the work."""

from __future__ import annotations

from app.records import record


@record
class Question:
    """A dialog of the script.

    Attributes:
        kind: ``texts``, ``buttons``, ``list``, ``several`` (of a list), ``open``, ``open several``,
            ``save``, ``folder`` or ``color``; ``copy`` and ``paste`` ask the clipboard, nobody, and
            so does ``picture``, of files.
        title: what stands above it.
        prompts: what is asked; for ``texts`` one per field.
        choices: what can be chosen; for files kinds such as ``Pictures (*.png *.jpg)``, for
            ``texts`` the number of lines of each field.
        defaults: what is there or chosen at first.
        icon: ``error``, ``warning``, ``question``, ``info``, ``success`` or none.
        buttons: what stands on the buttons that take a list's choice and leave it.
    """

    kind: str
    title: str
    prompts: tuple[str, ...]
    choices: tuple[str, ...] = ()
    defaults: tuple[str, ...] = ()
    icon: str = ""
    buttons: tuple[str, ...] = ()


@record
class Dialog:
    """A message or the progress of a script, shown as a dialog beside its work.

    Attributes:
        kind: ``message`` or ``progress``.
        title: what stands above it.
        text: what it says.
        icon: as in ``Question``.
        part: how far it is, from 0 to 1; None while nobody knows.
        share: whether that is written as well.
        buttons: ids of controls and what stands on them; 0 only asks the script to end.
        held: whether it stays until the script closes it or has ended.
        visible: whether it is shown.
    """

    kind: str
    title: str
    text: str
    icon: str = ""
    part: float | None = None
    share: bool = True
    buttons: tuple[tuple[int, str], ...] = ()
    held: bool = False
    visible: bool = True
