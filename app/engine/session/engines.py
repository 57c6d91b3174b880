"""The two engines of a window: a thread for trusted folders, a confined process for all others.

Each has a workspace of its own, so nothing that nobody trusts gets at values of trusted code; what
was made in a folder goes along when it becomes a trusted one (``SendVariables``). Which one
answers is decided by the setting ``restricted``, which the window keeps by the trust in the current
folder. Where the system confines nothing the thread does all work, and calls are refused by name.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from app import sandbox
from app.engine import protocol
from app.engine.protocol import Event, Request, RunState
from app.engine.session.confined_engine import ConfinedEngine
from app.engine.session.report import NO_ACCOUNTS, Accounts
from app.engine.session.worker import TAKEN_WHILE_BUSY, EngineWorker

if TYPE_CHECKING:
    from app.settings import Settings

_Shown = protocol.FigureUpdated | protocol.DialogUpdated
_OTHER_VARIABLES = (
    "Variables of trusted folders are out of sight here; they come back with such a folder"
)


class Engines:
    """An engine that is one of two; it goes over to the other when nothing runs.

    Args:
        settings: the settings in force.
        emit: takes the events of the engine in use.
        folders: searched for functions.
        accounts: files that each run is accounted for in.
    """

    def __init__(
        self,
        settings: Settings,
        emit: Callable[[Event], None],
        folders: tuple[str, ...] = (),
        accounts: Accounts = NO_ACCOUNTS,
    ) -> None:
        self._settings, self._emit = settings, emit
        self._folders, self._accounts = folders, accounts
        self._confines = sandbox.is_available()
        self._lock = threading.RLock()
        self._made: dict[bool, EngineWorker | ConfinedEngine] = {}
        self._confined = self._wanted()
        self._state, self._runs = RunState.IDLE, 0
        self._run = 0  # the number of the last one, of both engines
        self._figures: dict[bool, dict[int, _Shown]] = {True: {}, False: {}}
        self._closed = False
        self._held: list[Request] = []
        self._filled = {True: False, False: False}  # whether there are variables
        self._carrying = False
        self._carried: protocol.VariablesSent | None = None
        self._folder: protocol.ChangeFolder | None = None
        self._breakpoints: protocol.SetBreakpoints | None = None
        settings.subscribe(self._on_setting)
        if not self._confined:
            self._engine()

    def _wanted(self) -> bool:
        return self._confines and self._settings.restricted

    # --- any thread ----------------------------------------------------------------------

    def post(self, request: Request) -> None:
        """Take a request; never blocks."""
        with self._lock:
            if self._closed:
                return
            if isinstance(request, protocol.SendVariables):
                self._carry()
                return
            if isinstance(request, protocol.ChangeFolder):
                self._folder = request
            elif isinstance(request, protocol.SetBreakpoints):
                self._breakpoints = request
            if self._confined != self._wanted() and not isinstance(request, TAKEN_WHILE_BUSY):
                self._held.append(request)
                return
            self._runs += isinstance(request, protocol.RunText)
            self._engine().post(request)

    def stop_run(self) -> None:
        """Interrupt what runs."""
        self._engine().stop_run()

    def close(self) -> None:
        """End both."""
        with self._lock:
            self._closed = True
            made = list(self._made.values())
        for engine in made:
            engine.close()

    def _carry(self) -> None:
        """The variables of the confined engine are to go along to the other one."""
        if self._confined and (self._filled[True] or self._runs):
            self._carrying = True
            self._engine().post(protocol.SendVariables())

    # --- one or the other ----------------------------------------------------------------

    def _engine(self) -> EngineWorker | ConfinedEngine:
        """The engine in use, made when it is first asked something."""
        with self._lock:
            if self._confined not in self._made:
                self._made[self._confined] = self._new(self._confined)
            return self._made[self._confined]

    def _new(self, confined: bool) -> EngineWorker | ConfinedEngine:
        take = partial(self._take, confined)
        self._state = RunState.STARTING
        if confined:
            return ConfinedEngine(self._settings, take, self._folders, self._accounts)
        worker = EngineWorker(self._settings, take, self._folders, self._accounts)
        worker.start()
        return worker

    def _on_setting(self, name: str) -> None:
        if name == "restricted":
            self._go_over()

    def _take(self, confined: bool, event: Event) -> None:
        """Pass on what the engine in use tells; the other one is not heard."""
        with self._lock:
            self._keep_figure(self._figures[confined], event)
            if isinstance(event, protocol.VariablesChanged) and not event.frame:
                self._filled[confined] = bool(event.variables)
            if confined != self._confined:
                return
            event = self._noted(event)
        if not isinstance(event, protocol.VariablesSent):
            self._emit(event)
        if isinstance(event, protocol.StateChanged | protocol.VariablesSent):
            self._go_over()

    def _noted(self, event: Event) -> Event:
        """The event, after what it says of the engine was noted; all runs are counted as one."""
        match event:
            case protocol.StateChanged(state):
                self._state = state
            case protocol.RunStarted(name):
                self._run += 1
                return protocol.RunStarted(name, self._run)
            case protocol.RunFinished(_, status, wall_ms, report):
                self._runs = max(0, self._runs - 1)
                return protocol.RunFinished(self._run, status, wall_ms, report)
            case protocol.FolderChanged(folder):
                self._folder = protocol.ChangeFolder(folder)
            case protocol.VariablesSent() if self._carrying:
                self._carrying, self._carried = False, event
            case _:
                pass
        return event

    @staticmethod
    def _keep_figure(kept: dict[int, _Shown], event: Event) -> None:
        """Remember what is shown of an engine, for when it comes back into use."""
        if isinstance(event, _Shown):
            kept[event.number] = event
        elif isinstance(event, protocol.FigureClosed):
            kept.pop(event.number, None)

    def _go_over(self) -> None:
        """Use the other engine, if that is wanted and nothing runs: in the same folder, with the
        same breakpoints, and with its own variables and figures in view, and those carried."""
        with self._lock:
            if self._confined == self._wanted() or self._closed:
                return
            if self._runs or self._carrying or self._state != RunState.IDLE:
                return
            self._confined = not self._confined
            self._exchange_figures()
            held, self._held = self._held, []
            carried, self._carried = self._carried, None
            again: list[Request] = [
                r for r in (self._folder, self._breakpoints) if r is not None and r not in held
            ]
            if carried is not None:
                self._leave_confined()
                again.append(protocol.TakeVariables(carried.data, carried.left))
            elif self._confined and self._filled[False]:
                self._emit(protocol.Notice(_OTHER_VARIABLES))
            for request in (*again, protocol.Refresh(), *held):
                self.post(request)

    def _leave_confined(self) -> None:
        """What was there has gone along."""
        engine = self._made.get(True)
        if isinstance(engine, ConfinedEngine):
            engine.leave()
        self._figures[True], self._filled[True] = {}, False

    def _exchange_figures(self) -> None:
        """Show the figures of the engine in use; carried ones, where it has none, as pictures."""
        before, now = self._figures[not self._confined], self._figures[self._confined]
        for number in before:
            self._emit(protocol.FigureClosed(number))
        for figure in now.values():
            self._emit(figure)
        shown = [(n, e.figure) for n, e in before.items() if isinstance(e, protocol.FigureUpdated)]
        if self._carried is not None and shown and not now:
            self._emit(protocol.FiguresRecalled(tuple(shown)))
