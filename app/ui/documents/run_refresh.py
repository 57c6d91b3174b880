"""When a page shows what its sections give: at once, or a moment at a time while others wait."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from app.ui.documents.runs import DocumentRuns
from app.ui.support.pace import Pace

MOMENT_MS = 40
"""What comes within it while sections wait is shown at once: quick sections are many. One that runs
alone, for a slider, is shown as it comes, but its states and times only at a pace."""

REST_MS = 250
"""A long text that grows is shown so often: laying it out takes a while."""


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
        self._pace = Pace()
        self._show_phases = show_phases
        self._outputs, self._phases = QTimer(page), QTimer(page)
        shows = (self._outputs, show_outputs), (self._phases, self._show_phases_now)
        for timer, show in shows:
            timer.setSingleShot(True)
            timer.timeout.connect(show)
        runs.outputs_changed.connect(self._on_outputs)
        runs.phases_changed.connect(self._on_phases)
        runs.finished.connect(self._on_finished)

    def _on_outputs(self) -> None:
        self._start_soon(self._outputs, REST_MS if self._runs.is_flooded else 0)

    def _on_phases(self) -> None:
        self._start_soon(self._phases, self._pace.wait_ms())

    def _start_soon(self, timer: QTimer, least_ms: int) -> None:
        if not timer.isActive():
            timer.start(MOMENT_MS if self._runs.has_waiting else least_ms)

    def _show_phases_now(self) -> None:
        self._pace.note()
        self._show_phases()

    def _on_finished(self) -> None:
        for timer, least_ms in ((self._outputs, 0), (self._phases, self._pace.wait_ms())):
            if timer.isActive():
                timer.start(least_ms)
