"""Looks after a stop that goes unheeded: says where the script is, and breaks off what is Python.

A function that looks at no wish to stop may go through nested values for hours. Where it only
computes, the exception of a stop is raised in it at once; after a while it is raised wherever the
thread is. Calls of libraries that do not come back cannot be broken off, but the line is told.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from types import FrameType

from app.engine import protocol
from app.engine.declarations.effects import only_computes
from app.engine.declarations.registry import Builtin
from app.engine.interpreter.frames import is_matlab
from app.engine.session.stack_sampler import frames_of, stack_of
from app.engine.session.stops import Stops
from app.errors import Interrupted
from app.log import topic

SOON_S = 0.05
"""How long a function that only computes has to look up by itself."""
PATIENCE_S = 2.0
"""How long a stop may go unheeded."""
LONG_S = 3.0
"""How long a thread may stand still after that where it is given up."""
AGAIN_S = 0.5
"""How often the exception is raised until the run has ended: what is cleaned up has time for it."""
_LOG = topic("run")
_Hook = Callable[["sys.UnraisableHookArgs"], object]
_COMPUTING = (
    "app.toolboxes.",
    "app.engine.arguments.",
    "app.engine.builtins.",
    "app.engine.declarations.",
    "app.engine.operators.",
    "app.engine.values.",
)
"""Packages whose functions can be left anywhere: they change nothing but what they return."""
_PURE = ("app.engine.language.", "app.engine.figures.properties", "app.engine.values.print_formats")
"""What only reads, checks or shows, whoever calls it, and may end in an error at any place."""
IMPORTING = "<frozen importlib._bootstrap>"
_NEVER_LEFT = ("importlib", "_frozen_importlib", "threading", "logging", "concurrent")


class StopWatch:
    """One for each session; `begin` may be called from any thread.

    Args:
        emit: takes the notice of where the script is.
        stops: says what is at work, and whether it has not answered the stop itself.

    Attributes:
        give_up: called where a stop has gone unheeded for long in one call of a library.
    """

    def __init__(self, emit: Callable[[protocol.Event], None], stops: Stops) -> None:
        self.give_up: Callable[[], None] | None = None
        self._emit = emit
        self._stops = stops
        self._lock = threading.RLock()
        self._over: threading.Event | None = None
        self._raised = False

    def begin(self) -> None:
        """A stop of what is at work, if anything is, is wanted from now on."""
        with self._lock:
            if self._over is not None or not self._stops.at_work:
                return
            self._over = threading.Event()
        hook = sys.unraisablehook
        sys.unraisablehook = partial(self._note_swallowed, hook)
        threading.Thread(
            target=self._watch,
            args=(self._stops.thread, self._over, hook),
            name="fuselab-stop",
            daemon=True,
        ).start()

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """What is done within can be stopped; nothing is raised in the thread behind it."""
        outer = self._stops.at_work
        try:
            self._stops.begin()
            yield
        finally:
            while self._stops.at_work > outer:
                # A stop may be raised wherever the thread is, until it is taken back.
                with suppress(Interrupted), self._stops.lock:
                    if not outer:
                        self._note_end()
                    self._stops.end()

    def _note_end(self) -> None:
        """What was at work has ended; called in its thread."""
        with self._lock:
            over, self._over = self._over, None
            if over is not None:
                over.set()
            if self._raised:
                self._raised = False
                _take_back(threading.get_ident())

    def _watch(self, thread: int, over: threading.Event, hook: _Hook) -> None:
        try:
            if not self._leave_computing(thread, over):
                self._report_unheeded(thread)
                self._insist(thread, over)
        finally:
            sys.unraisablehook = hook

    def _note_swallowed(self, hook: _Hook, what: sys.UnraisableHookArgs) -> None:
        """A finalizer swallows what is raised in it: what it ended for is to be stopped, too."""
        if issubclass(what.exc_type, Interrupted):
            self._stops.want(ahead=False)
        else:
            hook(what)

    def _leave_computing(self, thread: int, over: threading.Event) -> bool:
        """Raise where the thread only computes; whether the run has ended within the patience."""
        until, wait = time.monotonic() + PATIENCE_S, min(SOON_S, PATIENCE_S)
        while not over.wait(wait):
            with self._lock:
                unheeded = not over.is_set() and self._stops.wanted
                if unheeded and _is_computing(frames_of(thread)):
                    self._raised = True
                    _raise_in(thread, Interrupted)
            wait = min(SOON_S, until - time.monotonic())
            if wait <= 0:
                return False
        return True

    def _insist(self, thread: int, over: threading.Event) -> None:
        """Raise wherever the thread is until the run has ended, or give it up.

        Not while it imports: what is half imported stays broken as long as the process.
        """
        since, place, wait = time.monotonic(), _instruction(thread), SOON_S
        while not over.wait(wait):
            wait = AGAIN_S
            with self._lock:
                if not over.is_set():
                    if not _is_importing(frames_of(thread)):
                        self._raised = True
                        _raise_in(thread, Interrupted)
                    if place != (now := _instruction(thread)):
                        since, place = time.monotonic(), now
                    elif self.give_up is not None and time.monotonic() - since > LONG_S:
                        self.give_up()

    def _report_unheeded(self, thread: int) -> None:
        frames = frames_of(thread)
        stack = stack_of(frames)
        if frames:
            _LOG.info("a stop is not heeded in %s", frames[0].f_code)
        if stack:
            _, file, line = stack[-1]
            place = f"line {line} of {Path(file).name}"
            text = f"Stop: {place} does not look up; it is broken off where that is possible"
            self._emit(protocol.Notice(text, "warning"))


def _is_computing(frames: list[FrameType]) -> bool:
    """Whether a thread, innermost frame first, is in functions that can be left anywhere."""
    for depth, frame in enumerate(frames):
        if is_matlab(frame):
            return depth > 0
        if frame.f_code is Builtin.call.__code__:
            called = frame.f_locals.get("self")
            return isinstance(called, Builtin) and only_computes(called.name, called.category)
        module = str(frame.f_globals.get("__name__", ""))
        if module.startswith(_NEVER_LEFT):
            return False
        if module.startswith(_PURE):
            return True
        if module.startswith("app.") and not module.startswith(_COMPUTING):
            return False
    return False


def _is_importing(frames: list[FrameType]) -> bool:
    return any(frame.f_code.co_filename == IMPORTING for frame in frames)


def _instruction(thread: int) -> tuple[int, int]:
    """Where a thread is in Python: it is the same as long as a library does not come back."""
    frame = sys._current_frames().get(thread)  # noqa: SLF001 - the only way to the frames of a thread
    return (0, 0) if frame is None else (id(frame), frame.f_lasti)


def _raise_in(thread: int, error: type[BaseException]) -> None:
    """Raise an exception in a thread before its next instruction."""
    import ctypes

    wanted = ctypes.py_object(error)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), wanted)


class _TakenBack(BaseException):
    """Takes the place of an exception that is wanted no more."""


def _take_back(thread: int) -> None:
    """Let nothing be raised any more in this thread, which is the one that calls.

    Setting no exception would leave the interpreter looking for one for ever: it then runs slowly,
    and CPython 3.11 does not get beyond the first call of a thread that is traced.
    """
    with suppress(_TakenBack):
        _raise_in(thread, _TakenBack)
        while True:
            time.sleep(0)
