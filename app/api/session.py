"""A session for Python programs: a workspace, code run in it, values in and out."""

from __future__ import annotations

import atexit
import signal
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, SimpleQueue
from types import FrameType, TracebackType
from typing import Any
from weakref import WeakSet

from app import blas, log, settings
from app.api.convert import from_matlab, to_matlab
from app.api.functions import Function
from app.api.results import Report, RunResult
from app.engine.interpreter.debugging import Debugger
from app.engine.language.tokens import is_name
from app.engine.protocol import Event, Notice, OutputText
from app.engine.session.session import Session as EngineSession
from app.engine.values import FunctionHandle, Value, argument_name
from app.errors import Interrupted, MatlabError, UsageError
from app.source import SourceText

_NAME = "<python>"
_open: WeakSet[Session] = WeakSet()


@atexit.register
def _close_all() -> None:
    """Close what was left open, while the modules that closing needs are still there."""
    for session in tuple(_open):
        session.close(wait=False)


class Session:
    """Runs MATLAB-syntax code in a workspace of its own.

    Several sessions may run at the same time on threads of their own; calls of one session from
    several threads wait for each other. The current folder is the process's, as Python's is.

    Args:
        device: where to compute: auto, cpu, gpu or a part of an adapter's name; without it as the
            user's settings say.
        path: folders searched for functions, after the current one.
        echo: True to print what scripts print; else it is only in the results.
        read_line: gives a line to a script that asks with a prompt; else standard input does.
        options: further settings by name, as ``fuselab device`` lists them (``seed=1``,
            ``octave=True``, ``capture_threshold=1024`` …).

    Raises:
        UsageError: an unknown setting, or a value it does not take.
    """

    def __init__(
        self,
        device: str | None = None,
        *,
        path: tuple[str | Path, ...] = (),
        echo: bool = False,
        read_line: Callable[[str], str] | None = None,
        **options: bool | float | str,
    ) -> None:
        log.configure()
        chosen = settings.load()
        for name, value in {**({"device": device} if device else {}), **options}.items():
            chosen.set(name, value, "option")
        self._echo = echo
        self._output: list[str] = []
        self._listeners: list[Callable[[Event], None]] = []
        self._report: Report | None = None
        self._is_open = True
        self._in_turn = False
        self._lock = threading.RLock()
        # Arrays that Python lent: a second reference makes every write to them a copy.
        self._lent: dict[str, Value] = {}
        self._engine = EngineSession(chosen, self._take, tuple(map(str, path)), read_line=read_line)
        _open.add(self)
        if chosen.device not in {"auto", "cpu"}:
            self._engine.acceleration.open()

    # --- running ------------------------------------------------------------------------------

    def eval(self, code: str, name: str = _NAME) -> RunResult:
        """Run a text in the workspace; errors and reports call it ``name``.

        Raises:
            MatlabError: the script failed; it has an identifier, a message and a stack.
            Interrupted: :meth:`interrupt` was called meanwhile.
        """
        return self._run(lambda: self._engine.run_source(SourceText(name, code)))

    def run(self, path: str | Path, *arguments: str) -> RunResult:
        """Run a script file, or call the function of a function file with text arguments."""
        file = Path(path)
        if not file.is_file():
            raise UsageError(f"there is no file {file}")
        return self._run(lambda: self._engine.run_file(file, arguments))

    def call(
        self,
        function: str | FunctionHandle,
        /,
        *arguments: object,
        nargout: int = 1,
        **named: object,
    ) -> Any:
        """Call a function: its first output, or a tuple of ``nargout`` of them.

        Args:
            function: its name, or a handle of the engine.
            arguments: its inputs.
            nargout: how many outputs are wanted.
            named: inputs behind the others, as MATLAB's ``name=value``.
        """
        given = [to_matlab(a) for a in arguments]
        for name, value in named.items():
            given += (argument_name(name), to_matlab(value))
        interpreter = self._engine.interpreter
        what = function if isinstance(function, str) else function.text
        with self._turn(), self._engine.busy(what, asked=True):
            made = interpreter.guarded(lambda: interpreter.call(function, tuple(given), nargout))
        if nargout > 1 and len(made) < nargout:
            raise MatlabError("MATLAB:maxlhs", "Too many output arguments.")
        found = tuple(from_matlab(value, self) for value in made)
        if nargout > 1:
            return found
        return found[0] if found and nargout else None

    def __getattr__(self, name: str) -> Function:
        if name.startswith("_"):
            raise AttributeError(name)

        return Function(name, self)

    @property
    def is_running(self) -> bool:
        """Whether a script runs or stands still in the debugger, on whatever thread."""
        return self._engine.running

    def interrupt(self) -> None:
        """Stop what runs, from any thread: it ends with Interrupted at its next look."""
        with self._engine.stops.lock:
            self._engine.cancel(ahead=self._in_turn)

    # --- variables ----------------------------------------------------------------------------

    def __getitem__(self, name: str) -> Any:
        value = self._engine.value_of(name)
        if value is None:
            raise KeyError(name)
        return from_matlab(value, self)

    def __setitem__(self, name: str, value: object) -> None:
        if not is_name(name):
            raise UsageError(f"{name!r} cannot name a variable")
        self._lent[name] = made = to_matlab(value)
        self._engine.workspace.set(name, made)

    def __delitem__(self, name: str) -> None:
        if name not in self:
            raise KeyError(name)
        self._lent.pop(name, None)
        self._engine.workspace.delete(name)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._engine.value_of(name) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self._engine.workspace.names())

    def __len__(self) -> int:
        return len(self._engine.workspace.names())

    def update(self, values: Mapping[str, object]) -> None:
        """Set several variables."""
        for name, value in values.items():
            self[name] = value

    def show_with(self, shows: Callable[[str, Value], bool] | None) -> None:
        """Have values that a script displays shown otherwise than as text.

        Args:
            shows: called with name and value (of the engine; `from_matlab` converts it), on the
                thread that runs; gives False for what is to be printed as text.
        """
        self._engine.interpreter.shows = shows

    def values(self) -> dict[str, Value]:
        """The variables as the engine keeps them; `from_matlab` converts one."""
        workspace = self._engine.workspace
        return {name: workspace.get(name) for name in workspace.names()}

    @property
    def debugger(self) -> Debugger:
        """Breakpoints, and what is called where a script stands still."""
        return self._engine.interpreter.debugger

    # --- figures ------------------------------------------------------------------------------

    def changed_figures(self) -> tuple[int, ...]:
        """Numbers of the open figures that changed since this was last asked."""
        figures = self._engine.interpreter.context.state.get("figures")
        return () if figures is None else tuple(figures.take_changed())

    def figure(self, number: int, kind: str = "png", dpi: float = 150.0) -> bytes:
        """The picture of an open figure as a file's content: ``png``, ``svg``, ``pdf``.

        Raises:
            UsageError: no figure of that number is open.
            MatlabError: figures are not written as files of that kind.
        """
        from app.engine.builtins.graphics.export import write_figure

        interpreter = self._engine.interpreter
        figures = interpreter.context.state.get("figures")
        target = None if figures is None else figures.figure_numbered(number)
        if target is None:
            raise UsageError(f"there is no figure {number}")
        with self._turn(), tempfile.TemporaryDirectory() as folder:
            path = Path(folder, f"figure.{kind}")
            interpreter.guarded(lambda: write_figure(target, path, dpi))
            return path.read_bytes()

    @property
    def device(self) -> str:
        """The name of the device that is used where it pays, which is opened; ``cpu`` for none."""
        self._engine.acceleration.open_device()
        info = self._engine.acceleration.runtime.device_info
        return "cpu" if info is None else info.name

    def choose_device(self, device: str) -> None:
        """Compute elsewhere from now on: auto, cpu, gpu or a part of an adapter's name.

        Raises:
            UsageError: there is no such device; the one in use stays.
        """
        before = self._engine.settings.device
        self._engine.settings.set("device", device)
        self._engine.acceleration.reopen()
        try:
            if device not in {"auto", "cpu"}:
                self._engine.acceleration.open_device()
        except UsageError:
            self._engine.settings.set("device", before)
            self._engine.acceleration.reopen()
            raise

    # --- what happened ------------------------------------------------------------------------

    @property
    def output(self) -> str:
        """What the last run printed, or the one at work has so far; also one that failed."""
        return "".join(self._output)

    @property
    def report(self) -> Report | None:
        """The account of the last run; None before the first."""
        return self._report

    def listen(self, listener: Callable[[Event], None]) -> Callable[[], None]:
        """Give every event to ``listener``, on the thread that runs; returns what ends it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    @contextmanager
    def events(self) -> Iterator[Iterator[Event]]:
        """The events from now on, as an iterator that ends where nothing more is waiting.

        >>> import fuselab
        >>> with fuselab.Session(device="cpu") as s, s.events() as events:
        ...     _ = s.eval("x = 1;")
        ...     names = [type(event).__name__ for event in events]
        >>> names[0], names[-1]
        ('RunStarted', 'StateChanged')
        """
        queue: SimpleQueue[Event] = SimpleQueue()
        stop = self.listen(queue.put)
        try:
            yield _drained_events(queue)
        finally:
            stop()

    # --- its life -----------------------------------------------------------------------------

    def close(self, *, wait: bool = True) -> None:
        """Release the workspace and the device's memory; a second call does nothing.

        Args:
            wait: wait for what another thread runs; else a session that runs is left as it is.
        """
        if self._is_open and self._lock.acquire(blocking=wait):
            try:
                self._is_open = False
                self._lent.clear()
                self._engine.close()
            finally:
                self._lock.release()

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """This session's turn to run; the arrays it captures go to its own runtime."""
        if not self._is_open:
            raise UsageError("the session is closed")
        with self._lock, blas.single_threaded(), self._stopped_by_control_c():
            outer, self._in_turn = self._in_turn, True
            try:
                self._engine.acceleration.activate()
                yield
            finally:
                with self._engine.stops.lock:
                    self._in_turn = outer
                    self._engine.stops.take_ahead()

    @contextmanager
    def _stopped_by_control_c(self) -> Iterator[None]:
        """Control-C stops what runs and is a KeyboardInterrupt then; the second one is at once.

        Python raises where it stands; the engine's machine code has no such place and asks instead.
        A handler of the program's own stays.
        """
        is_main = threading.current_thread() is threading.main_thread()
        if not is_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
            yield
            return
        pressed = False

        def press(number: int, frame: FrameType | None) -> None:
            nonlocal pressed
            pressed = True
            signal.signal(signal.SIGINT, signal.default_int_handler)
            self.interrupt()

        signal.signal(signal.SIGINT, press)
        try:
            yield
        except Interrupted:
            if not pressed:
                raise
        finally:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        if pressed:
            raise KeyboardInterrupt

    def _run(self, action: Callable[[], None]) -> RunResult:
        engine = self._engine
        with self._turn():
            self._output.clear()
            action()
            output = self.output
            self._report = report = Report.of(engine.last_report)
            if engine.last_status == "error":
                raise engine.interpreter.last_error or MatlabError("", "the script failed")
            if engine.last_status == "interrupted":
                raise Interrupted
        return RunResult(output, report)

    def _take(self, event: Event) -> None:
        match event:
            case OutputText(text):
                self._output.append(text)
                if self._echo:
                    print(text, end="", flush=True)  # noqa: T201 - what a script prints
            case Notice(text, "error"):
                self._output.append(f"fuselab: {text}\n")
        for listener in tuple(self._listeners):
            listener(event)


def _drained_events(queue: SimpleQueue[Event]) -> Iterator[Event]:
    while True:
        try:
            yield queue.get_nowait()
        except Empty:
            return
