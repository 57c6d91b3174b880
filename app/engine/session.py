"""A session: one interpreter, one runtime, one base workspace, and what they tell the outside.

The command line uses a session directly; the window has one in its engine thread. A session owns
no thread and knows no Qt: requests go in by :meth:`Session.handle`, events come out by ``emit``.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app import textfile
from app.engine import inspection, protocol
from app.engine import report as reports
from app.engine.feed import Feed
from app.engine.protocol import Event, Request, RunState
from app.errors import Interrupted, MatlabError
from app.source import SourceText

if TYPE_CHECKING:
    from app.accel.telemetry import Event as TraceEvent
    from app.settings import Settings

Emit = Callable[[Event], None]
Wait = Callable[[type[Request] | tuple[type[Request], ...]], Request]
Row = dict[str, Any]
POLL_S = 0.1


class Session:
    """Runs code and tells what happened.

    Args:
        settings: the settings in force.
        emit: takes every event.
        folders: searched for functions, after the current folder.
        wait: gives the next request of a kind while the script is paused or wants input; without
            it a script that asks for input reads standard input.

    Attributes:
        on_poll: called between statements, at most ten times a second.
        last_report: the report of the last run.
        last_status: how the last run ended: ok, error or interrupted.
    """

    def __init__(
        self,
        settings: Settings,
        emit: Emit,
        folders: tuple[str, ...] = (),
        wait: Wait | None = None,
    ) -> None:
        from app.accel.runtime import Runtime
        from app.engine.interp.interpreter import Interpreter

        self.settings = settings
        self.emit = emit
        self.on_poll: Callable[[], None] | None = None
        self.last_report: Row = {}
        self.last_status = "ok"
        self._wait = wait
        self._runs = 0
        self._next_poll = 0.0
        self.runtime = Runtime(settings)
        self.interpreter = Interpreter(settings, self.runtime, self, folders)
        self._feed = Feed(self.runtime.recorder, self.residency)

    # --- running ------------------------------------------------------------------------

    def run_file(self, path: Path, arguments: tuple[str, ...] = ()) -> None:
        """Run a script file, or call the function of a function file with ``arguments``."""
        content = textfile.read(path)
        self._warn(content.warning)
        self._run(SourceText(str(path), content.text), arguments)

    def run_bytes(self, data: bytes, name: str) -> None:
        """Run text of unknown encoding, such as standard input."""
        content = textfile.decode(data, name)
        self._warn(content.warning)
        self._run(SourceText(name, content.text))

    def run_code(self, code: str, name: str) -> None:
        """Run ``code`` in the base workspace."""
        self._run(SourceText(name, code))

    def _run(self, source: SourceText, arguments: tuple[str, ...] = ()) -> None:
        self._start_run(source.name)
        error: MatlabError | None = None
        status = "ok"
        started = time.perf_counter()
        try:
            self.interpreter.run(source, arguments)
            self.runtime.synchronize()
        except MatlabError as problem:
            status, error = "error", problem
        except (Interrupted, KeyboardInterrupt):
            status = "interrupted"
        wall_ms = (time.perf_counter() - started) * 1e3
        self._end_run(reports.Outcome(source.name, status, wall_ms, self._startup_ms, error))

    def _start_run(self, name: str) -> None:
        self._runs += 1
        self._cancelled = False
        self.runtime.recorder.reset()
        self._feed.restart()
        self._startup_ms = _milliseconds_since_start()
        self.emit(protocol.RunStarted(name, self._runs))
        self.emit(protocol.StateChanged(RunState.RUNNING, name))

    def _end_run(self, outcome: reports.Outcome) -> None:
        self.last_status = outcome.status
        self.last_report = reports.build(
            outcome, self.runtime.recorder, self.runtime.info, self.residency()
        )
        if outcome.error is not None:
            self.emit(self._error_event(outcome.error))
        self.emit(self.variables())
        self.emit(self._feed.batch(residency=True))
        self.emit(
            protocol.RunFinished(self._runs, outcome.status, outcome.wall_ms, self.last_report)
        )
        self.emit(protocol.StateChanged(RunState.IDLE))

    def _error_event(self, error: MatlabError) -> protocol.ErrorRaised:
        frames = tuple((f.name, f.file, f.line, f.column) for f in error.stack)
        return protocol.ErrorRaised(error.identifier, error.message, frames, error.caret)

    def _warn(self, text: str) -> None:
        if text:
            self.emit(protocol.OutputText(f"fuselab: {text}\n", "warning"))

    def cancel(self) -> None:
        """Interrupt what runs; may be called from any thread."""
        self._cancelled = True

    # --- what the interpreter asks (see host.Host) -----------------------------------------

    def write(self, text: str) -> None:
        """Print the script's output."""
        self.emit(protocol.OutputText(text))

    def write_error(self, text: str) -> None:
        """Print a warning or an error."""
        self.emit(protocol.OutputText(text, "err"))

    def tell(self, event: Event) -> None:
        """Send an event."""
        self.emit(event)

    def read_line(self, prompt: str) -> str:
        """Ask the user for a line."""
        self.emit(protocol.InputWanted(prompt))
        if self._wait is None:
            line = sys.stdin.readline()
            if not line:
                raise MatlabError("MATLAB:input:noInput", "There is no input to read.")
            return line.rstrip("\n")
        self.emit(protocol.StateChanged(RunState.WAITING_INPUT))
        answer = self._wait(protocol.ProvideInput)
        self.emit(protocol.StateChanged(RunState.RUNNING))
        return answer.text if isinstance(answer, protocol.ProvideInput) else ""

    def poll(self) -> None:
        """Raise Interrupted after a cancel; send telemetry and answer questions when due."""
        if self._cancelled:
            self._cancelled = False
            raise Interrupted
        if self._feed.due():
            self.emit(self._feed.batch())
            if self.on_poll is not None:
                self.on_poll()

    # --- what the window asks ----------------------------------------------------------------

    def handle(self, request: Request) -> None:
        """Do what a request asks; the answers are events."""
        from app.engine import requests

        requests.handle(self, request)

    def variables(self) -> protocol.VariablesChanged:
        """The workspace as the browser shows it."""
        workspace = self.interpreter.workspace
        return protocol.VariablesChanged(
            tuple(
                inspection.summary(name, value, self.runtime.where(value))
                for name, value in sorted(workspace.items(), key=lambda item: item[0].lower())
            )
        )

    def residency(self) -> list[Row]:
        """The report's ``residency`` rows: every numeric array of the workspace."""
        return []

    def trace_events(self) -> Iterator[TraceEvent]:
        """The recorded events of the last run."""
        return iter(self.runtime.recorder.events)

    def close(self) -> None:
        """Release everything; the session is not used again."""
        self._feed.close()
        self.runtime.close()


def _milliseconds_since_start() -> float:
    front_door = sys.modules.get("app.main")
    started = getattr(front_door, "STARTED_NS", None)
    return 0.0 if started is None else (time.perf_counter_ns() - started) / 1e6
