"""The two engines of a window: a thread for trusted folders, a confined process for all others.

Each has a workspace of its own, so nothing that nobody trusts gets at values of trusted code; what
was made in a folder goes along when it becomes a trusted one (``SendVariables``). Which one
answers is decided by the setting ``restricted``, which the window keeps by the trust in the current
folder. Where the system confines nothing the thread does all work, and calls are refused by name.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from app import sandbox
from app.engine import protocol
from app.engine.protocol import Event, Request
from app.engine.run_state import RunState
from app.engine.session.confined_engine import ConfinedEngine
from app.engine.session.report import NO_ACCOUNTS, Accounts
from app.engine.session.waiting import Waiting, after_stop
from app.engine.session.worker import TAKEN_WHILE_BUSY, EngineWorker

if TYPE_CHECKING:
    from app.settings import Settings

_Shown = protocol.FigureUpdated | protocol.DialogUpdated
_AT_REST = (RunState.IDLE, RunState.ABSENT)
_OTHER_VARIABLES = (
    "Variables of trusted folders are not visible here; they come back in such a folder"
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
        self._confined = self._is_confinement_wanted()
        self._state, self._runs = RunState.IDLE, 0
        self._run = 0  # the number of the last one, of both engines
        self._figures: dict[bool, dict[int, _Shown]] = {True: {}, False: {}}
        self._closed = False
        self._held = Waiting()
        self._filled = {True: False, False: False}  # whether there are variables
        self._carrying = False
        self._carried: protocol.VariablesSent | None = None
        self._folder: protocol.ChangeFolder | None = None
        self._breakpoints: protocol.SetBreakpoints | None = None
        settings.subscribe(self._on_setting)
        if not self._confined:
            self._engine()

    def _is_confinement_wanted(self) -> bool:
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
            engine = self._engine()
            if self._is_held(request):
                self._held.add(request, confined=self._is_confinement_wanted())
                if self._state == RunState.STARTING:
                    engine.begin()
                self._tell_starting()
                return
            self._hand_over(request)

    def stop_run(self) -> None:
        """Interrupt what runs, and drop the runs that wait for an engine."""
        with self._lock:
            self._held.stop()
            if not self._runs:
                self._drop()
                self._tell_starting()
            engine = self._engine()
        engine.stop_run()

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

    def _hand_over(self, request: Request) -> None:
        self._runs += isinstance(request, protocol.RunText)
        self._engine().post(request)

    # --- what waits ----------------------------------------------------------------------

    def _is_held(self, request: Request) -> bool:
        """Whether a request waits until the engine it is for is ready: runs do, and what comes
        behind them, but not what a run that goes on is asked."""
        if isinstance(request, TAKEN_WHILE_BUSY):
            return False
        if self._held or self._confined != self._is_confinement_wanted():
            return True
        return self._state == RunState.STARTING and isinstance(request, protocol.RunText)

    def _tell_starting(self) -> None:
        """Say what waits for the engine that starts."""
        if self._state == RunState.STARTING:
            self._emit(protocol.StateChanged(self._state, self._held.first_run()))

    def _drop(self) -> None:
        """Nothing runs: tell of the runs that a stop has dropped."""
        for event in after_stop(self._held.dropped()):
            self._emit(self._numbered_event(event))

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
        worker.begin()
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
            event = self._noted_event(event)
        if not isinstance(event, protocol.VariablesSent):
            self._emit(event)
        if isinstance(event, protocol.StateChanged | protocol.VariablesSent):
            self._go_over()

    def _noted_event(self, event: Event) -> Event:
        """The event, after what it says of the engine was noted."""
        match event:
            case protocol.StateChanged(state):
                self._state = state
                if state == RunState.STARTING:
                    return protocol.StateChanged(state, self._held.first_run())
            case protocol.RunFinished() | protocol.CommandTaken():
                self._runs = max(0, self._runs - 1)
            case protocol.FolderChanged(folder):
                self._folder = protocol.ChangeFolder(folder)
            case protocol.VariablesSent() if self._carrying:
                self._carrying, self._carried = False, event
            case _:
                pass
        return self._numbered_event(event)

    def _numbered_event(self, event: Event) -> Event:
        """Runs of both engines are counted as one."""
        if isinstance(event, protocol.RunStarted):
            self._run += 1
        if isinstance(event, protocol.RunStarted | protocol.RunFinished):
            return replace(event, run=self._run)
        return event

    @staticmethod
    def _keep_figure(kept: dict[int, _Shown], event: Event) -> None:
        """Remember what is shown of an engine, for when it comes back into use."""
        if isinstance(event, _Shown):
            kept[event.number] = event
        elif isinstance(event, protocol.FigureClosed):
            kept.pop(event.number, None)

    def _go_over(self) -> None:
        """When nothing runs, use the engine that is wanted, and ask it what was held for it."""
        with self._lock:
            while not (self._closed or self._runs or self._state not in _AT_REST):
                self._drop()
                wanted = self._held.confined if self._held else self._is_confinement_wanted()
                if self._confined == wanted and not self._held:
                    return
                if self._confined != wanted:
                    if self._carrying:
                        return
                    self._exchange()
                self._hand_over_held()

    def _hand_over_held(self) -> None:
        """Ask the engine in use what was held for it; runs not before it is ready."""
        while self._held and self._held.confined == self._confined:
            if self._held.runs and self._state not in _AT_REST:
                return
            self._hand_over(self._held.pop())

    def _exchange(self) -> None:
        """Use the other engine: in the same folder, with the same breakpoints, and with its own
        variables and figures in view, and those carried."""
        self._confined = not self._confined
        self._exchange_figures()
        carried, self._carried = self._carried, None
        kept = (self._folder, self._breakpoints)
        first: list[Request] = [r for r in kept if r is not None and r not in self._held]
        if carried is not None:
            self._leave_confined()
            first.append(protocol.TakeVariables(carried.data, carried.left))
        elif self._confined and self._filled[False]:
            self._emit(protocol.Notice(_OTHER_VARIABLES))
        for request in (*first, protocol.Refresh()):
            self._hand_over(request)

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
