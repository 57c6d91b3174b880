"""When a page shows what its sections give: at once, or a moment at a time while others wait."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from app.ui.documents.runs import DocumentRuns

MOMENT_MS = 40
"""What comes within it while sections wait is shown at once: quick sections are many. One that runs
alone, for a slider, is shown as it comes."""


class RunRefresh:
    """Shows the outputs and the states of the sections of one page.

    Args:
        page: the timers' parent.
        runs: whose changes are shown.
        show_outputs: shows what the lines gave.
        show_phases: shows which sections wait, run and are done.
    """

    def __init__(
        self,
        page: QWidget,
        runs: DocumentRuns,
        show_outputs: Callable[[], None],
        show_phases: Callable[[], None],
    ) -> None:
        self._runs = runs
        self._outputs, self._phases = QTimer(page), QTimer(page)
        for timer, show in ((self._outputs, show_outputs), (self._phases, show_phases)):
            timer.setSingleShot(True)
            timer.timeout.connect(show)
        runs.outputs_changed.connect(self._on_outputs)
        runs.phases_changed.connect(self._on_phases)
        runs.finished.connect(self._on_finished)

    def _on_outputs(self) -> None:
        self._start_soon(self._outputs)

    def _on_phases(self) -> None:
        self._start_soon(self._phases)

    def _start_soon(self, timer: QTimer) -> None:
        if not timer.isActive():
            timer.start(MOMENT_MS if self._runs.has_waiting else 0)

    def _on_finished(self) -> None:
        for timer in (self._outputs, self._phases):
            if timer.isActive():
                timer.start(0)
