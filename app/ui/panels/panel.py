"""What all panels have in common: their declaration, their context, and turns to refresh."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtWidgets import QStackedWidget, QWidget

from app.engine import protocol
from app.ui.run_model.run_model import RunModel
from app.ui.support.bridge import Bridge
from app.ui.widgets.panel_parts import EmptyState


@dataclass(frozen=True)
class Context:
    """What a panel may use of the window.

    Attributes:
        run_model: what the engine told.
        bridge: subscribe to events, post requests.
        open_location: show a file at a line (from 1).
        run_code: run code in the base workspace as if typed in the command window.
        notify: one line in the status bar.
        trusts: whether the user has said that a folder's code may run.
    """

    run_model: RunModel
    bridge: Bridge
    open_location: Callable[[str, int], None]
    run_code: Callable[[str], None]
    notify: Callable[[str], None]
    trusts: Callable[[Path], bool]

    def post(self, request: protocol.Request) -> None:
        """Send a request to the engine."""
        self.bridge.post(request)


_GOES_ON = "A run is in progress; what it shows will appear here."


class Panel(QStackedWidget):
    """A panel: its content, or its empty state.

    Subclasses make the content in ``_build`` and fill it in ``_refresh``, which runs when the run
    model's ``refresh_scheduler`` gives a turn, and only while the panel is visible; ``_is_empty``
    says when the empty state is shown instead. One that is ``of_runs`` says nothing of F5 while a
    run goes on.
    """

    empty_icon = "table"
    empty_title = ""
    empty_text = ""
    empty_button = ""
    of_runs = False

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.context = context
        self.run_model = context.run_model
        self._empty = EmptyState(self.empty_icon, self.empty_title, self.empty_text)
        if self.empty_button:
            self._empty.offer(self.empty_button, self._on_empty_button)
        self._stale = True
        self.content = self._build()
        self.addWidget(self._empty)
        self.addWidget(self.content)
        self.run_model.refresh_scheduler.due.connect(self._take_turn)
        self.run_model.state_changed.connect(self._on_state)
        self._listen()

    @abstractmethod
    def _build(self) -> QWidget:
        """Make the content widget."""

    def _on_empty_button(self) -> None:
        """What the button of the empty state does, where there is one."""

    def _listen(self) -> None:
        """Connect to what changes the content; runs and their telemetry unless a panel says
        otherwise."""
        self.run_model.telemetry_changed.connect(self.invalidate)
        self.run_model.run_finished.connect(self.invalidate)

    @abstractmethod
    def _is_empty(self) -> bool:
        """True when the empty state is to be shown."""

    def _why_empty(self) -> str:
        """What the empty state says below its title: after a run, why there is nothing."""
        return self.empty_text

    @abstractmethod
    def _refresh(self) -> None:
        """Fill the content from the run model."""

    def _on_state(self) -> None:
        """What an empty panel says depends on whether something runs."""
        if self.of_runs and self.currentWidget() is self._empty:
            self.invalidate()

    def invalidate(self) -> None:
        """Refresh soon, if anybody looks."""
        self._stale = True
        if self.isVisible():
            self.run_model.refresh_scheduler.ask()

    def _take_turn(self) -> None:
        if self._stale and self.isVisible():
            self._refresh_now()

    def showEvent(self, event: object) -> None:
        """Catch up with what happened while hidden."""
        super().showEvent(event)  # type: ignore[arg-type]
        if self._stale:
            self._refresh_now()

    def _refresh_now(self) -> None:
        started = time.perf_counter()
        self._stale = False
        empty = self._is_empty()
        self.setCurrentWidget(self._empty if empty else self.content)
        if empty:
            goes_on = self.of_runs and self.run_model.busy
            self._empty.say(_GOES_ON if goes_on else self._why_empty())
        else:
            self._refresh()
        spent = time.perf_counter() - started
        self.run_model.note_work(type(self).__name__, started, spent)
