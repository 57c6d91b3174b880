"""When the window shows a run that goes on: soon, but for a fiftieth of its time at most."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, QTimer, Signal

from app.ui.support.pace import Pace

LEAST_MS, MOST_MS = 250, 2000
PAINTED_MS = 150
SHARE = 0.02
"""The part of a run's time that the window may work; what it draws afterwards costs nothing."""


class RefreshScheduler(QObject):
    """One turn for everybody who shows something of the run, so that the window is painted once.

    All the work of this thread counts, painting included: who asks for a turn gets it when what
    was done since the run began, and what the last turn took, are a fiftieth of the run's time.
    Runs that follow each other closely, as for a slider, share turns.
    """

    due = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._turn, self._turned = 0.0, time.thread_time()
        self._pace = Pace()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._take_turn)
        self._painted = QTimer(self)
        self._painted.setSingleShot(True)
        self._painted.timeout.connect(self._note_turn)
        self.restart()
        self._running = False

    def restart(self) -> None:
        """A run begins."""
        self._running = True
        self._began, self._worked = time.perf_counter(), time.thread_time()

    def ask(self) -> None:
        """Ask for a turn; at once where nothing runs."""
        if not self._timer.isActive():
            self._timer.start(self.wait_ms() if self._running else self._pace.wait_ms())

    def set_running(self, *, on: bool) -> None:
        """Say whether a script runs; when it ends, what waits is shown."""
        self._running = on
        if not on and self._timer.isActive():
            self._timer.start(self._pace.wait_ms())

    def wait_ms(self) -> int:
        """Milliseconds until the next turn while a script runs."""
        owed = (time.thread_time() - self._worked + self._turn) / SHARE
        passed = time.perf_counter() - self._began
        return min(max(LEAST_MS, round((owed - passed) * 1000)), MOST_MS)

    def _take_turn(self) -> None:
        self._turned = time.thread_time()
        self._pace.note()
        self.due.emit()
        if self._running:
            self._painted.start(PAINTED_MS)

    def _note_turn(self) -> None:
        self._turn = time.thread_time() - self._turned
