"""Dialogs in which a running script asks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QElapsedTimer, QMimeData, QObject
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QDialog

from app.engine import protocol
from app.engine.dialog_state import Question
from app.engine.run_state import RunState

if TYPE_CHECKING:
    from app.ui.shell.main_window import MainWindow

_CLIPBOARD = ("copy", "paste", "picture")
ON_ITS_WAY_MS = 1000
"""After a question the keyboard is on its way back to the window so long at most."""


class ScriptQuestions(QObject):
    """Shows what a script asks, and closes it when the script goes on without an answer.

    Attributes:
        dialog: the question that is open.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window, self._bridge = window, window.bridge
        self._run_model, self._reveal = window.run_model, window.reveal
        self.dialog: QDialog | None = None
        self._is_withdrawn = False
        self._closed = QElapsedTimer()
        self._bridge.subscribe(protocol.QuestionAsked, self._show_question)
        self._run_model.state_changed.connect(self._on_state)

    def _show_question(self, event: protocol.QuestionAsked) -> None:
        """The dialog has the keyboard, unless somebody is writing something else."""
        from app.ui.widgets.question_dialog import show_question

        self._is_withdrawn = False
        if event.question.kind in _CLIPBOARD:
            self._answer(self._of_clipboard(event.question))
            return
        keyboard = self._is_keyboard_on_its_way() or not self._reveal.is_somebody_writing()
        self.dialog = show_question(self._window, event.question, self._answer, keyboard=keyboard)
        self.dialog.finished.connect(self._forget)

    def _of_clipboard(self, question: Question) -> tuple[str, ...]:
        """The clipboard's text, or nothing once it has what the script gives; nothing to untrusted
        ones, whatever they send."""
        if self._window.settings.restricted:
            return ()
        clipboard = QApplication.clipboard()
        if question.kind == "paste":
            return (clipboard.text(),)
        if question.kind == "picture":
            clipboard.setMimeData(_picture(question.prompts))
        else:
            clipboard.setText("".join(question.prompts))
        return ()

    def _is_keyboard_on_its_way(self) -> bool:
        """Whether a question has just been closed and no window has got the keyboard yet."""
        just_closed = self._closed.isValid() and not self._closed.hasExpired(ON_ITS_WAY_MS)
        return just_closed and QApplication.focusWidget() is None

    def _forget(self) -> None:
        self.dialog = None
        self._closed.start()

    def _answer(self, answers: tuple[str, ...]) -> None:
        """Hand answers over; the state WAITING_INPUT may come a moment after the question."""
        if not self._is_withdrawn:
            self._bridge.post(protocol.ProvideInput("", answers))

    def _on_state(self) -> None:
        if self.dialog is not None and self._run_model.state != RunState.WAITING_INPUT:
            self._is_withdrawn = True
            self.dialog.close()


def _picture(files: Sequence[str]) -> QMimeData:
    """Files of a picture for the clipboard: pixels, and SVG where there is some."""
    data = QMimeData()
    for file in files:
        if file.endswith(".svg"):
            data.setData("image/svg+xml", Path(file).read_bytes())
        else:
            data.setImageData(QImage(file))
    return data
