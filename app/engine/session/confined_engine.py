"""The engine of untrusted folders: a process that the system confines, seen like an engine thread.

It may read its folder and write one temporary folder; whatever runs there, the window goes on, and
a process that does not answer can be ended. What it sends is checked (`event_encoding`).
"""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, BinaryIO, cast, get_args

from app import helpers, restricted
from app.engine import protocol
from app.engine.protocol import Event, Request
from app.engine.run_state import COMMAND, RunState
from app.engine.session import confined_process, event_encoding
from app.engine.session.report import NO_ACCOUNTS, Accounts
from app.engine.session.waiting import Waiting, after_stop, never_run
from app.engine.session.worker import TAKEN_WHILE_BUSY
from app.temporary_folders import OwnedFolder

if TYPE_CHECKING:
    from app.settings import Settings

MODULE = "app.engine.session.confined_process"
PATIENCE_S = 2.0
"""How long a stop may go unanswered before the process may be ended."""
LEAVE_S = 2.0
"""How long a process may take to end once it is told to."""
_EVENTS = get_args(Event)
_OF_THE_USER = (protocol.KeepFigures, protocol.RecallFigures)
"""Requests about files of the user, which are out of reach there."""


class _Process:
    """One process, with a thread for each direction.

    Args:
        start: what it is told first.
        take: called with every event, in a thread of ours.
        ended: called once, in that thread, when it has ended without being told to.
    """

    def __init__(
        self,
        start: confined_process.Start,
        take: Callable[[Event], None],
        ended: Callable[[str], None],
    ) -> None:
        self._outbox: SimpleQueue[object] = SimpleQueue()
        self._take, self._ended = take, ended
        self._leaving = False
        with restricted.restriction_lifted():
            # Ours, since a process that is ended leaves what it wrote.
            self._folder = OwnedFolder("confined")
            self._process = subprocess.Popen(  # noqa: S603 - our own module, our own interpreter
                helpers.module_command(MODULE),
                env={**helpers.python_environment(), "TMPDIR": self._folder.name},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,
            )
        self._start = start
        self._threads = [
            threading.Thread(target=work, name="fuselab-confined", daemon=True)
            for work in (self._write, self._read)
        ]
        for thread in self._threads:
            thread.start()

    def send(self, item: object) -> None:
        """Tell it something; never blocks."""
        self._outbox.put(item)

    def kill(self) -> None:
        """End it now; `ended` is told."""
        self._process.kill()

    def leave(self) -> None:
        """Be heard no more, and end when what was asked is done or after a while."""
        self._leaving = True
        threading.Thread(target=self.close, name="fuselab-confined", daemon=True).start()

    def close(self) -> None:
        """Let it end, and see to it."""
        self._leaving = True
        self.send(None)
        try:
            self._process.wait(LEAVE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join()

    def _write(self) -> None:
        stream = cast("BinaryIO", self._process.stdin)
        with suppress(OSError), stream:
            stream.write(self._start.as_line())
            stream.flush()
            while (item := self._outbox.get()) is not None:
                event_encoding.write(stream, item)

    def _read(self) -> None:
        why = ""
        if not self._leaving:
            self._take(protocol.StateChanged(RunState.STARTING))
        with cast("BinaryIO", self._process.stdout) as stream:
            try:
                while isinstance(event := event_encoding.read(stream), _EVENTS):
                    if not self._leaving:
                        self._take(event)
                if event is not None:
                    why = f"it sent a {type(event).__name__}"
            except event_encoding.MalformedError as problem:
                why = str(problem)
        if why:
            self._process.kill()
        status = self._process.wait()
        self._folder.cleanup()
        self.send(None)
        if not self._leaving:
            self._ended(why or f"exit status {status}")


class ConfinedEngine:
    """What the window asks of an engine, done by a confined process; a new one when that has gone.

    Args:
        settings: the settings in force.
        emit: takes every event, in a thread of ours.
        folders: searched for functions, and readable.
        accounts: files that each run is accounted for in.
    """

    def __init__(
        self,
        settings: Settings,
        emit: Callable[[Event], None],
        folders: tuple[str, ...] = (),
        accounts: Accounts = NO_ACCOUNTS,
    ) -> None:
        self._settings, self._emit, self._folders = settings, emit, folders
        self._accounts = accounts
        self._folder = Path.cwd()
        self._process: _Process | None = None
        self._figures: dict[int, protocol.FigureUpdated | protocol.DialogUpdated] = {}
        self._has_variables = False
        self._next_folder: Path | None = None  # where a new process goes once it has our variables
        self._held = Waiting()  # for it
        self._asked: list[protocol.RunText] = []  # and have not ended
        self._begun = False  # the first of them
        self._breakpoints: protocol.SetBreakpoints | None = None
        self._stopped = 0.0  # when a stop was asked for that has had no effect yet
        self._silence: threading.Timer | None = None
        self._closed = False
        self._lock = threading.RLock()
        settings.subscribe(self._on_setting)

    # --- any thread ----------------------------------------------------------------------

    def post(self, request: Request) -> None:
        """Take a request; never blocks."""
        with self._lock:
            if self._closed or isinstance(request, _OF_THE_USER):
                return
            if isinstance(request, protocol.SetBreakpoints):
                self._breakpoints = request
                if self._process is None:
                    return
            if isinstance(request, protocol.ChangeFolder) and self._enter(Path(request.folder)):
                return
            if self._next_folder is not None and not isinstance(request, TAKEN_WHILE_BUSY):
                self._held.add(request)
                return
            if isinstance(request, protocol.RunText):
                self._asked.append(request)
            self._running_process().send(request)

    def begin(self) -> None:
        """Start a process, unless there is one."""
        with self._lock:
            self._running_process()

    def stop_run(self) -> None:
        """Interrupt what runs and drop the runs that wait; a second time, if what runs has not
        answered, end the process."""
        with self._lock:
            self._held.stop()
            process = self._process
            if process is None:
                return
            process.send(confined_process.STOP)
            if not self._asked:
                return
            now = time.monotonic()
            if not self._stopped:
                self._stopped = now
                self._watch(now)
            elif now - self._stopped >= PATIENCE_S:
                process.kill()

    def leave(self) -> None:
        """End the process without a word; what is asked next is done by a new one."""
        with self._lock:
            process, self._process = self._process, None
            self._end_runs("interrupted")
            self._has_variables, self._figures = False, {}
            if process is not None:
                process.leave()

    def close(self) -> None:
        """End the process; nothing is told any more."""
        with self._lock:
            self._closed = True
            self._end_watch()
            process, self._process = self._process, None
        if process is not None:
            process.send(confined_process.STOP)
            process.close()

    # --- the process ---------------------------------------------------------------------

    def _running_process(self) -> _Process:
        if self._process is None:
            self._process = _Process(self._start(), self._take, self._on_end)
            if self._breakpoints is not None:
                self._process.send(self._breakpoints)
        return self._process

    def _start(self) -> confined_process.Start:
        names = ((row["name"], row["value"], row["origin"]) for row in self._settings.rows())
        return confined_process.Start(
            str(self._folder),
            (str(self._folder), *self._folders),
            self._folders,
            (self._accounts.report, self._accounts.trace),
            tuple(names),
        )

    def _enter(self, folder: Path) -> bool:
        """Make a folder the current one by a new process, where the old one may not read it."""
        before, process = self._next_folder or self._folder, self._process
        inside = process is not None and folder.resolve().is_relative_to(before.resolve())
        if inside or not folder.is_dir():
            return False
        if self._next_folder is not None:
            self._next_folder = folder
        elif process is not None and (self._has_variables or self._asked):
            self._next_folder = folder
            process.send(protocol.SendVariables())
        else:
            for event in self._begin(folder):
                self._emit(event)
        return True

    def _begin(self, folder: Path) -> list[Event]:
        """A new process in a folder; what is to be told of the figures of the old one, which can
        still be looked at."""
        process, self._process = self._process, None
        self._folder = folder
        if process is not None:
            process.leave()
        figures, self._figures = self._figures, {}
        self._running_process()
        shown = [(n, e.figure) for n, e in figures.items() if isinstance(e, protocol.FigureUpdated)]
        told = self._end_runs("interrupted")
        told += [protocol.FigureClosed(number) for number in figures]
        return [*told, protocol.FiguresRecalled(tuple(shown))] if shown else told

    def _on_sent(self, event: protocol.VariablesSent) -> bool:
        """Hand the variables of the old process to a new one, where they were wanted for that."""
        with self._lock:
            folder, self._next_folder = self._next_folder, None
            if folder is None:
                return False
            told = [*self._begin(folder), *after_stop(self._held.dropped())]
            for request in (protocol.TakeVariables(event.data, event.left), *self._held.pop_all()):
                self.post(request)
        for one in told:  # without the lock: whoever listens has one of his own
            self._emit(one)
        return True

    def _end_runs(self, status: str, error: protocol.ErrorRaised | None = None) -> list[Event]:
        """What is told of runs that the next process knows nothing of."""
        told = [event for run in self._asked for event in never_run(run, status, error)]
        begun, self._asked, self._begun = self._begun, [], False
        return told[1:] if begun else told

    def _on_setting(self, name: str) -> None:
        process = self._process
        if process is not None and name != "restricted":
            process.send((confined_process.SETTING, name, getattr(self._settings, name), "set"))

    # --- threads of the process ----------------------------------------------------------

    def _take(self, event: Event) -> None:
        with self._lock:
            if isinstance(event, protocol.RunStarted):
                self._begun = True
            elif isinstance(event, protocol.RunFinished):
                self._begun, self._stopped = False, 0.0
                self._asked = self._asked[1:]
                self._end_watch()
            elif isinstance(event, protocol.CommandTaken):  # one that came behind the first
                commands = (n for n, run in enumerate(self._asked) if run.name == COMMAND)
                place = next((n for n in commands if n > 0), len(self._asked))
                del self._asked[place : place + 1]
            elif isinstance(event, protocol.FigureUpdated | protocol.DialogUpdated):
                self._figures[event.number] = event
            elif isinstance(event, protocol.FigureClosed):
                self._figures.pop(event.number, None)
            elif isinstance(event, protocol.VariablesChanged) and not event.frame:
                self._has_variables = bool(event.variables)
        if not isinstance(event, protocol.VariablesSent) or not self._on_sent(event):
            self._emit(event)

    def _watch(self, stop: float) -> None:
        """After a while of silence say what can be done."""
        self._silence = threading.Timer(PATIENCE_S, self._tell_silence, (stop,))
        self._silence.name, self._silence.daemon = "fuselab-confined", True
        self._silence.start()

    def _end_watch(self) -> None:
        if self._silence is not None:
            self._silence.cancel()

    def _tell_silence(self, stop: float) -> None:
        if self._stopped == stop:
            text = (
                "It does not answer. Stop again ends the engine of this folder with its variables"
            )
            self._emit(protocol.Notice(text, "warning"))

    def _on_end(self, why: str) -> None:
        """The process has gone by itself or was ended: whatever ran has failed."""
        with self._lock:
            if self._closed:
                return
            text = f"The confined engine has ended ({why}); its variables are lost."
            if self._stopped:
                ends = self._end_runs("interrupted")
            else:
                error = protocol.ErrorRaised("Fuselab:engineEnded", text, ())
                ends = self._end_runs("error", error)
            self._process, self._stopped = None, 0.0
            self._has_variables = False
        self._emit(protocol.VariablesChanged(()))
        for number in [n for n in self._figures if n < 0]:  # dialogs that nobody can answer
            del self._figures[number]
            self._emit(protocol.FigureClosed(number))
        for event in ends:
            self._emit(event)
        self._emit(protocol.Notice(text, "warning"))
        self._emit(protocol.StateChanged(RunState.IDLE))
        nothing = protocol.VariablesSent(b"")
        if not self._on_sent(nothing):
            self._emit(nothing)
