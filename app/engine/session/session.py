"""A session: one interpreter, one runtime, one base workspace, and what they tell the outside.

The command line uses a session directly; the window has one in its engine thread. A session owns
no thread and knows no Qt: requests go in by :meth:`Session.handle`, events come out by ``emit``.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app import crash, memory, restricted, textfile
from app.engine import interrupts, protocol
from app.engine.builtins.session import diary_file
from app.engine.dialog_state import Question
from app.engine.error_text import error_event, error_text
from app.engine.interpreter import error_conversion
from app.engine.interpreter.frames import (
    DictWorkspace,
    FrameWorkspace,
    end_functions,
    line_in,
)
from app.engine.interpreter.interpreter import Interpreter
from app.engine.interpreter.resolver import CODE
from app.engine.jit.entry_points import NATIVE
from app.engine.livecode.reading import read_code, read_script
from app.engine.parallel.on_demand import OnDemand
from app.engine.protocol import Event, Request
from app.engine.run_state import COMMAND, RunState
from app.engine.session import inspection
from app.engine.session import report as reports
from app.engine.session.acceleration import Acceleration
from app.engine.session.debugger_pause import DebuggerPause
from app.engine.session.stack_sampler import StackSampler
from app.engine.session.stop_watch import StopWatch
from app.engine.session.stops import Stops
from app.engine.session.suggestions import suggest
from app.engine.session.variable_edits import VariableEdits
from app.errors import Interrupted, MatlabError, UsageError
from app.source import SourceText

if TYPE_CHECKING:
    from app.engine.values import Value
    from app.settings import Settings

Emit = Callable[[Event], None]
Wait = Callable[[type[Request] | tuple[type[Request], ...]], Request]
Row = dict[str, Any]
WORKSPACE_S = 0.25
BUG = 3


class Session:
    """Runs code and tells what happened.

    Args:
        settings: the settings in force.
        emit: takes every event.
        folders: searched for functions, after the current folder.
        wait: gives the next request of a kind while the script is paused or wants input; without
            it a script that asks for input reads standard input.
        accounts: files that each run is accounted for in.
        read_line: answers a script's prompt where there is no ``wait``; else standard input does.

    Attributes:
        acceleration: the accelerator, opened when it is first needed.
        on_poll: called while a script runs, at most ten times a second.
        sampler: watches where runs of the window spend their time.
        last_status: how the last run ended: ok, error or interrupted.
        running: True while a script runs or is paused.
        pausing: answers the debugger by asking the window; None where there is none.
        exit_code: what the script gave to ``exit``, 3 after a bug of ours; else None.
    """

    def __init__(
        self,
        settings: Settings,
        emit: Emit,
        folders: tuple[str, ...] = (),
        wait: Wait | None = None,
        accounts: reports.Accounts = reports.NO_ACCOUNTS,
        read_line: Callable[[str], str] | None = None,
    ) -> None:
        self.settings = settings
        memory.use(settings.memory_limit)
        self.emit = emit
        self.on_poll: Callable[[], None] | None = None
        self._ended: reports.RunReport | None = None
        self.last_status = "ok"
        self.exit_code: int | None = None
        self.running = False
        self._wait, self.windowed = wait, wait is not None
        self._accounts = accounts
        self._read_line = read_line
        self._runs, self._placing, self._shown = 0, "", 0.0
        self.stops = Stops(emit)
        self.stop_watch = StopWatch(emit, self.stops)
        self.acceleration = Acceleration(
            settings, self.poll, self.stops.on_wait, bool(accounts.report)
        )
        self.interpreter = Interpreter(settings, self.acceleration.proxy, self, NATIVE, folders)
        self.interpreter.elsewhere = OnDemand()
        self.interpreter.read_code = read_code
        self.pausing = DebuggerPause(self, wait) if wait is not None else None
        self.edits = VariableEdits(self)
        self.kept_figures = 0
        self.sampler = StackSampler()
        self._folder = self.interpreter.path.current
        self._told_path: tuple[str, ...] = ()
        if wait is not None:
            self._connect_figures()

    def _connect_figures(self) -> None:
        """Let the window know of figures; without one nobody is told."""
        from app.engine.figures.model import figures_of

        figures = figures_of(self.interpreter.context.state)
        figures.emit = self.emit
        figures.inputs.context = self.interpreter.context
        figures.inputs.pump = self._answer

    def _answer(self) -> None:
        """Answer the window now, while a script runs."""
        if self.on_poll is not None:
            self.on_poll()

    def flush_figures(self) -> None:
        """Show what was drawn."""
        if (figures := self.interpreter.context.state.get("figures")) is not None:
            figures.flush()

    def _serve_figures(self) -> None:
        """Run the callbacks of what happened to figures while the script ran."""
        figures = self.interpreter.context.state.get("figures")
        if figures is not None and figures.inputs.pending:
            self.interpreter.guarded(figures.inputs.serve)

    def next_timer(self) -> float | None:
        """Seconds until a timer of the script's is due; None when none runs."""
        timers = self.interpreter.context.state.get("timers")
        return None if timers is None else timers.soonest()

    def serve_timers(self) -> None:
        """Call the functions of timers that are due."""
        self._call_back(self.interpreter.context.state["timers"].serve)

    def take_figure_input(self, request: protocol.FigureInput) -> None:
        """Take in what a person did to a figure; its callbacks run now unless a script does."""
        figures = self.interpreter.context.state["figures"]
        figures.inputs.take(request)
        if self.running:
            return
        if figures.inputs.pending:
            self._call_back(figures.inputs.serve)
        else:
            figures.flush()

    def _call_back(self, serve: Callable[[], None]) -> None:
        """Run functions of the script's outside a run; they can be stopped as one can."""
        try:
            with self.busy("callback"):
                self.interpreter.guarded(serve)
        except Interrupted:
            self.emit(protocol.Notice("interrupted"))
        self.flush_figures()
        self.emit(self.variables())

    @contextmanager
    def busy(self, what: str, *, asked: bool = False) -> Iterator[None]:
        """Something that can be stopped, as a run can; inside a run it is a part of it.

        Where it was ``asked`` for as a run is, a stop that came ahead of it ends it.
        """
        if self.running:
            yield
            return
        try:
            with self.stop_watch.at_work():
                self.running = True
                self.emit(protocol.StateChanged(RunState.RUNNING, what))
                if asked:
                    self.stops.heed_ahead()
                with restricted.restriction_applied(self.settings.restricted):
                    yield
        finally:
            self.running = False
            self.emit(protocol.StateChanged(RunState.IDLE))

    # --- running ------------------------------------------------------------------------

    def run_file(self, path: Path, arguments: tuple[str, ...] = ()) -> None:
        """Run a script file of any kind, or call the function of a function file."""
        content = read_script(path)
        self._warn(content.warning)
        self.run_source(SourceText(str(path), content.text), arguments)

    def run_bytes(self, data: bytes, name: str) -> None:
        """Run text of unknown encoding, such as standard input."""
        content = textfile.decode(data, name)
        self._warn(content.warning)
        self.run_source(SourceText(name, content.text))

    def run_text(self, request: protocol.RunText) -> None:
        """Run what the window sends: a file, a section of one, or a command."""
        from app.engine.livecode.running import requested_text

        text = requested_text(request)
        self._placing = request.name if request.places else ""
        try:
            self.run_source(SourceText(request.name, text), request.arguments)
        finally:
            self._placing = ""

    def run_source(self, source: SourceText, arguments: tuple[str, ...] = ()) -> None:
        """Run a text in the base workspace and tell everything about it."""
        with restricted.restriction_applied(self.settings.restricted):
            self._run_source(source, arguments)

    def _run_source(self, source: SourceText, arguments: tuple[str, ...]) -> None:
        error: MatlabError | None = None
        status, startup_ms = "ok", milliseconds_since_start()
        started, rested = time.perf_counter(), self.sampler.rested_s
        try:
            with self.stop_watch.at_work():
                self._start_run(source.name)
                self.stops.heed_ahead()
                self.interpreter.run(source, arguments)
                self._serve_figures()
                self.acceleration.synchronize()
        except MatlabError as problem:
            status, error = "error", problem
            _report_bug(self, problem)
            suggest(problem, self.interpreter)
            _end_functions(self, problem)
        except (Interrupted, KeyboardInterrupt) as stop:
            status = "interrupted"
            self.acceleration.abandon()
            _end_functions(self, stop)
        except SystemExit as wish:
            self.exit_code = wish.code if isinstance(wish.code, int) else 0
        wall = time.perf_counter() - started
        self.acceleration.script_ran(source.name, started, wall)
        worked = wall - (self.sampler.rested_s - rested)
        self._end_run(reports.Outcome(source.name, status, worked * 1e3, startup_ms, error))

    def _start_run(self, name: str) -> None:
        self._runs += 1
        memory.begin()
        self.exit_code, self.running = None, True
        self.edits.clear()
        # A command goes on with the account of the run before it.
        if name != COMMAND:
            self.acceleration.restart(name)
            self.interpreter.path.set_beside(_folder_of(name))
        if self.windowed:
            self.sampler.start()
        self.emit(protocol.RunStarted(name, self._runs))
        self.emit(protocol.StateChanged(RunState.RUNNING, name))

    def _end_run(self, outcome: reports.Outcome) -> None:
        self.running = False
        memory.end()
        stacks = self.sampler.stop()
        self.acceleration.lines_ran(outcome.file, self.sampler.looks)
        self.last_status = outcome.status
        self.flush_figures()  # what drawing downloads is a part of the run
        report = self.acceleration.report(outcome, self.interpreter.workspace)
        self._ended = report
        vars(self).pop("last_report", None)
        with restricted.restriction_lifted():
            self._accounts.write(report, self.acceleration.recorder.events)
        if outcome.error is not None:
            _tell_error(self, outcome.error)
        self._tell_folder()
        if self.windowed:
            self.emit(self.variables())
            self.emit(self.telemetry())
        if stacks:
            self.emit(protocol.StacksReady(stacks))
        finished = (self._runs, outcome.status, outcome.wall_ms, report.rows, report.device)
        self.emit(protocol.RunFinished(*finished))
        self.emit(protocol.StateChanged(RunState.IDLE))
        if not self.windowed and outcome.status != "interrupted":
            self.acceleration.rest()  # else the worker does, or the device is still at work

    @cached_property
    def last_report(self) -> Row:
        """The report of the last run as in ``--report``, made when somebody asks for it."""
        return {} if self._ended is None else reports.document(self._ended)

    def _warn(self, text: str) -> None:
        if text:
            self.emit(protocol.OutputText(f"fuselab: {text}\n", "warning"))

    def cancel(self, ahead: bool = False) -> None:
        """Interrupt what is at work, from any thread; ``ahead``: unless a run is, the next run."""
        with self.stops.lock:
            self.stops.want(ahead and not self.running)
            self.stop_watch.begin()

    # --- what the interpreter asks (see host.Host) -----------------------------------------

    def write(self, text: str) -> None:
        """Print the script's output."""
        self.emit(protocol.OutputText(text, line=line_in(self._placing)))

    def write_error(self, text: str, stream: str = "err") -> None:
        """Print an error, or a warning where ``stream`` is ``warning``."""
        self.emit(protocol.OutputText(text, stream, line_in(self._placing)))

    def tell(self, event: Event) -> None:
        """Send an event."""
        self.emit(event)

    def read_line(self, prompt: str, *, any_key: bool = False) -> str:
        """Ask the user for a line, or for any key."""
        if self._wait is None and self._read_line is not None:
            return self._read_line(prompt)
        if self._wait is None:
            self.emit(protocol.InputWanted(prompt, any_key))
            return _standard_input(self.poll)
        return _answer(self, protocol.InputWanted(prompt, any_key), self._wait).text

    def ask(self, question: Question) -> tuple[str, ...] | None:
        """Show a dialog in the window and wait for its answers; None where there is no window."""
        if self._wait is None:
            return None
        return _answer(self, protocol.QuestionAsked(question), self._wait).answers

    def poll(self) -> None:
        """Raise Interrupted after a cancel; send telemetry and answer questions when due."""
        self.stops.heed()
        if not self.acceleration.due():
            return
        if self.running:  # not where speeds are measured behind a run
            memory.watch()
        computing = self.acceleration.is_computing  # what is answered or drawn might compute, too
        if not computing:
            self.flush_figures()
        if self.windowed:
            self.emit(self.acceleration.batch())
        if computing:
            return
        self._show_workspace()
        self._answer()
        self.interpreter.debugger.heed()

    def _show_workspace(self) -> None:
        """Let the window follow the variables of a running script, without computing anything."""
        now = time.monotonic()
        if self.windowed and now - self._shown >= WORKSPACE_S:
            self._shown = now
            self.emit(self.variables())

    # --- what the window asks ----------------------------------------------------------------

    def handle(self, request: Request) -> None:
        """Do what a request asks; the answers are events."""
        from app.engine.session import request_handlers

        runs = isinstance(request, protocol.RunText)  # which can be stopped until its end is told
        work = nullcontext() if runs else self.stop_watch.at_work()
        with work, restricted.restriction_applied(self.settings.restricted):
            request_handlers.handle(self, request)

    @property
    def workspace(self) -> DictWorkspace | FrameWorkspace:
        """The workspace in view: of the frame where a script is paused, else the base one."""
        if self.pausing is not None and self.pausing.workspace is not None:
            return self.pausing.workspace
        return DictWorkspace(self.interpreter, self.interpreter.base)

    @property
    def paused(self) -> bool:
        """Whether a script stands still in the debugger."""
        return self.pausing is not None and self.pausing.workspace is not None

    def value_of(self, name: str) -> Value | None:
        """A variable's value, or None."""
        return self.workspace.get(name)

    def evaluate(self, code: str) -> None:
        """Run ``code`` silently; its failure is a MatlabError."""
        self.interpreter.run(SourceText(COMMAND, code))

    def call(self, name: str, arguments: tuple[Value, ...]) -> Value:
        """Call a builtin or function for one output."""
        return self.interpreter.guarded(lambda: self.interpreter.call(name, arguments))[0]

    def variables(self) -> protocol.VariablesChanged:
        """The workspace as the browser shows it."""
        return inspection.variables(self.workspace, self.acceleration.where)

    def telemetry(self) -> protocol.TelemetryBatch:
        """What the accelerator did since the last batch, and where every variable lives."""
        return self.acceleration.batch(self.interpreter.workspace)

    def device_ready(self) -> protocol.DeviceReady:
        """Device in use, all adapters, calibration; auto when the device asked for is not there."""
        try:
            return self.acceleration.device_ready()
        except UsageError as problem:
            self.emit(protocol.Notice(f"{problem}; going on with auto", "error"))
            self.settings.set("device", "auto")
            return self.acceleration.device_ready()

    def choose_device(self, device: str) -> None:
        """Compute elsewhere from now on."""
        before = self.settings.device
        self.settings.set("device", device)
        self.acceleration.reopen()
        try:
            event = self.acceleration.device_ready()
        except UsageError as problem:
            self.settings.set("device", before)
            self.emit(protocol.Notice(str(problem), "error"))
            event = self.device_ready()
        self.emit(event)

    def folder_changed(self) -> None:
        """The current folder is another one."""
        self._folder = str(Path.cwd())
        self.interpreter.path.set_current(self._folder)
        self.interpreter.refresh()

    def _tell_folder(self) -> None:
        """A script that used ``cd`` takes the window with it, and one that used ``addpath``."""
        path = self.interpreter.path
        folders = tuple(path.entries)
        if path.current != self._folder or folders != self._told_path:
            self._folder, self._told_path = path.current, folders
            self.emit(protocol.FolderChanged(self._folder, folders))

    def close(self) -> None:
        """Release everything; the session is not used again."""
        self.sampler.close()
        self.interpreter.base.clear()  # what onCleanup holds runs while everything still works
        self.interpreter.context.state.pop("figures", None)  # they hold device buffers
        for held in ("parallel", "python"):
            if (processes := self.interpreter.context.state.pop(held, None)) is not None:
                processes.close()
        self.interpreter.unhook()
        self.acceleration.close()


def _tell_error(session: Session, error: MatlabError) -> None:
    """An error is told; a diary has it, too."""
    event = error_event(error)
    diary_file.note(session.interpreter.host, error_text(event))
    session.emit(event)


def _report_bug(session: Session, error: MatlabError) -> None:
    """An error that is a bug of ours leaves a crash report."""
    if error_conversion.is_internal(error) and error.__cause__ is not None:
        session.exit_code = BUG
        session.emit(protocol.Notice(crash.report(error.__cause__), "error"))


def _end_functions(session: Session, problem: BaseException) -> None:
    """The functions that a run was left in end: what their onCleanup objects hold runs now."""
    memory.begin()  # what is held now is no fault of theirs
    with suppress(Interrupted), session.stop_watch.at_work():
        try:
            session.interpreter.guarded(lambda: end_functions(problem))
        except MatlabError as another:
            session.emit(protocol.Notice(f"functions could not tidy up: {another}", "warning"))


def _folder_of(script: str) -> str:
    """The folder of a script, empty for a text that is no file; asked in every run."""
    if not script.endswith(CODE) or not os.path.isfile(script):  # noqa: PTH113 - five times as fast
        return ""
    return os.path.dirname(os.path.realpath(script))  # noqa: PTH120 - as above


def milliseconds_since_start() -> float:
    """Time since the front door was entered; 0 where there was none (tests, other hosts)."""
    front_door = sys.modules.get("app.main")
    started = getattr(front_door, "STARTED_NS", None)
    return 0.0 if started is None else (time.perf_counter_ns() - started) / 1e6


def _answer(session: Session, question: Event, wait: Wait) -> protocol.ProvideInput:
    """What a person answers who sees what was drawn; an empty answer where there is none."""
    session.flush_figures()
    session.emit(question)
    session.emit(protocol.StateChanged(RunState.WAITING_INPUT))
    answer = wait(protocol.ProvideInput)
    session.poll()  # the answer may have come with a stop
    session.emit(protocol.StateChanged(RunState.RUNNING))
    return answer if isinstance(answer, protocol.ProvideInput) else protocol.ProvideInput("")


def _standard_input(poll: Callable[[], None]) -> str:
    with interrupts.raising_on_interrupt(poll):
        line = sys.stdin.readline()
    if not line:
        raise MatlabError("MATLAB:input:noInput", "There is no input to read.")
    return line.rstrip("\n")
