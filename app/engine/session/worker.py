"""The engine thread: one plain thread that owns the session and takes requests in order.

It owns no object of the window. What breaks in a request is reported and the next one is taken.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from app import crash
from app.engine import inspected, protocol
from app.engine.protocol import Event, Request, RunText
from app.engine.run_state import COMMAND, RunState
from app.engine.session.report import NO_ACCOUNTS, Accounts
from app.engine.session.waiting import Waiting, after_stop, never_run
from app.errors import Interrupted

if TYPE_CHECKING:
    from app.engine.session.session import Session
    from app.settings import Settings

Emit = Callable[[Event], None]
ANSWERED_WHILE_BUSY = (
    inspected.InspectVariable,
    inspected.InspectOverview,
    inspected.ComputeStatistics,
    protocol.Refresh,
    protocol.SetBreakpoints,
    protocol.DebugCommand,
    protocol.FigureInput,
)
TAKEN_WHILE_BUSY = (*ANSWERED_WHILE_BUSY, protocol.ProvideInput)
"""What a run that goes on is asked and told."""

_STOP = "stop"
QUIET_S = 0.4
"""Nobody wants anything for so long: the time to measure speeds, which may take as long again."""


class EngineWorker(threading.Thread):
    """Runs requests in a thread of its own and emits events from there.

    Args:
        settings: the settings in force.
        emit: takes every event; called in this thread.
        folders: searched for functions.
        accounts: files that each run is accounted for in.
    """

    def __init__(
        self,
        settings: Settings,
        emit: Emit,
        folders: tuple[str, ...] = (),
        accounts: Accounts = NO_ACCOUNTS,
    ) -> None:
        super().__init__(name="fuselab-engine", daemon=True)
        self._settings = settings
        self._emit = emit
        self._folders = folders
        self._accounts = accounts
        self._requests: queue.SimpleQueue[Request | str | None] = queue.SimpleQueue()
        self._postponed = Waiting()
        self._session: Session | None = None
        self._lock = threading.Lock()
        self._runs = 0  # that were asked for and have not ended
        self._closing = False
        self._rested = True

    # --- any thread ----------------------------------------------------------------------

    def post(self, request: Request) -> None:
        """Take a request; never blocks."""
        with self._lock:
            self._runs += isinstance(request, RunText)
        self._requests.put(request)

    def begin(self) -> None:
        """Start the thread, unless it was started."""
        if self.ident is None:
            self.start()

    def stop_run(self) -> None:
        """Interrupt what runs and drop the runs that wait; harmless when there are none."""
        with self._lock:
            if self._session is not None:
                self._session.cancel(ahead=self._runs > 0)
        self._requests.put(_STOP)

    def close(self, timeout: float = 10.0) -> None:
        """Interrupt, finish and join the thread."""
        self._closing = True
        self._requests.put(None)
        self.stop_run()
        if self.is_alive():
            self.join(timeout)

    # --- the engine thread ---------------------------------------------------------------

    def run(self) -> None:
        """Take requests until closed."""
        self._emit(protocol.StateChanged(RunState.STARTING))
        try:
            session = self._open_session()
        except Exception as bug:  # without an engine the window still has its editor
            self._emit(protocol.Notice(crash.report(bug), "error"))
            self._refuse()
            return
        try:
            self._serve(session)
        finally:
            self._session = None
            session.close()

    def _open_session(self) -> Session:
        from app.engine.parallel.status import ParallelStatus
        from app.engine.session.session import Session
        from app.engine.values import prepare_thread

        prepare_thread()
        session = Session(self._settings, self._emit, self._folders, self.wait, self._accounts)
        session.on_poll = self._answer_while_busy
        ParallelStatus(session.interpreter, self._emit)
        return session

    def _refuse(self) -> None:
        """Without a session: say of everything that is to be run that it is not."""
        self._emit(protocol.StateChanged(RunState.ABSENT))
        while (request := self._next_request()) is not None:
            if isinstance(request, RunText):
                text = "Nothing was run: the engine did not start. Restart Fuselab to try again."
                error = protocol.ErrorRaised("Fuselab:noEngine", text, ())
                for event in never_run(request, "error", error):
                    self._emit(event)

    def _serve(self, session: Session) -> None:
        with self._lock:
            self._session = session
        self._handle_guarded(session, protocol.Refresh())
        self._emit(protocol.StateChanged(RunState.IDLE))
        while True:
            request: Request | None = None
            try:
                request = self._next_request()
                if request is None:
                    return
                self._handle_guarded(session, request)
                session.interpreter.parfors.changed(now=True)
            except Interrupted:  # it came when all was over
                if request is not None:
                    self._tell_of_end(request, "interrupted")

    def wait(self, kind: type[Request] | tuple[type[Request], ...]) -> Request:
        """Answer what can be answered in a pause until a request of ``kind`` arrives.

        Of runs only commands are such requests: they are a part of the run that waits.

        Raises:
            Interrupted: a stop came instead, or the end.
        """
        while True:
            request = self._requests.get()
            if request is None or self._closing:
                self._requests.put(None)
                raise Interrupted
            if isinstance(request, str):
                self._postpone(request)
                if self._session is not None:
                    self._session.stops.heed()
                raise Interrupted
            if not isinstance(request, kind) or _runs_by_itself(request):
                self._answer_or_postpone(request)
                continue
            if isinstance(request, RunText):
                with self._lock:
                    self._runs -= 1
                self._emit(protocol.CommandTaken())
            return request

    def _next_request(self) -> Request | None:
        while True:
            while not self._requests.empty():
                self._postpone(self._requests.get())
            if self._closing:
                return None
            self._drop()
            if self._postponed:  # also by a timer's function or a measurement, just now
                return self._postponed.pop()
            session = self._session
            due = None if session is None else session.next_timer()
            rests = not self._rested and (due is None or due > QUIET_S)
            try:
                self._postpone(self._requests.get(timeout=QUIET_S if rests else due))
            except queue.Empty:
                if session is not None and rests:
                    self._measure_at_rest(session)
                elif session is not None:
                    session.serve_timers()

    def _postpone(self, request: Request | str | None) -> None:
        if isinstance(request, str):
            self._postponed.stop()
        elif request is not None:
            self._postponed.add(request)

    def _drop(self) -> None:
        """Nothing runs: tell of the runs that a stop has dropped."""
        dropped = self._postponed.dropped()
        with self._lock:
            self._runs -= len(dropped)
            if dropped and self._session is not None:
                self._session.stops.take_ahead()  # it was meant for them
        for event in after_stop(dropped):
            self._emit(event)

    def _measure_at_rest(self, session: Session) -> None:
        """Measure what no run has measured yet, unless the device may still be at work."""
        self._rested = True
        if session.last_status != "interrupted":
            session.acceleration.rest()

    def _answer_while_busy(self) -> None:
        """Between statements of a running script: answer questions, keep the rest for later."""
        if self._session is not None:
            self._session.interpreter.parfors.changed()
        while not self._requests.empty():
            request = self._requests.get()
            if request is None:
                self._requests.put(None)
                raise Interrupted
            self._answer_or_postpone(request)

    def _answer_or_postpone(self, request: Request | str) -> None:
        session = self._session
        if session is not None and isinstance(request, ANSWERED_WHILE_BUSY):
            self._handle_guarded(session, request)
        else:
            self._postpone(request)

    def _handle_guarded(self, session: Session, request: Request) -> None:
        if isinstance(request, RunText):
            self._rested = False
        try:
            try:
                session.handle(request)
            finally:
                if isinstance(request, RunText):
                    self._run_ended(session)
        except Interrupted:
            if session.running:  # the stop is for the run, not for what is answered in it
                raise
            self._emit(protocol.Notice("interrupted"))
            self._tell_of_end(request, "interrupted")
        except Exception as bug:  # the crash barrier of the engine thread
            self._emit(protocol.Notice(crash.report(bug), "error"))
            self._tell_of_end(request, "error")

    def _run_ended(self, session: Session) -> None:
        with self._lock:
            self._runs -= 1
            session.stops.take_ahead()  # it was meant for this one

    def _tell_of_end(self, request: Request, status: str) -> None:
        """Whoever waits for the end of what was asked is told of it."""
        if isinstance(request, RunText):
            self._emit(protocol.RunFinished(0, status, 0.0))
        self._emit(protocol.StateChanged(RunState.IDLE))


def _runs_by_itself(request: Request) -> bool:
    """A file is no part of another run, unlike a command."""
    return isinstance(request, RunText) and request.name != COMMAND
