"""Dialogs in which a running script asks."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDialog, QWidget

from app.engine import protocol
from app.engine.run_state import RunState
from app.ui.run_model.run_model import RunModel
from app.ui.shell.reveal import Reveal
from app.ui.support.bridge import Bridge


class ScriptQuestions(QObject):
    """Shows what a script asks, and closes it when the script goes on without an answer.

    Attributes:
        dialog: the question that is open.
    """

    def __init__(
        self, window: QWidget, bridge: Bridge, run_model: RunModel, reveal: Reveal
    ) -> None:
        super().__init__(window)
        self._window, self._bridge = window, bridge
        self._run_model, self._reveal = run_model, reveal
        self.dialog: QDialog | None = None
        bridge.subscribe(protocol.QuestionAsked, self._show_question)
        run_model.state_changed.connect(self._on_state)

    def _show_question(self, event: protocol.QuestionAsked) -> None:
        """The dialog has the keyboard, unless somebody is writing something else."""
        from app.ui.widgets.question_dialog import show_question

        self.dialog = show_question(
            self._window,
            event.question,
            self._answer,
            keyboard=not self._reveal.is_somebody_writing(),
        )
        self.dialog.finished.connect(self._forget)

    def _forget(self) -> None:
        self.dialog = None

    def _answer(self, answers: tuple[str, ...]) -> None:
        if self._run_model.state == RunState.WAITING_INPUT:
            self._bridge.post(protocol.ProvideInput("", answers))

    def _on_state(self) -> None:
        if self.dialog is not None and self._run_model.state != RunState.WAITING_INPUT:
            self.dialog.close()
