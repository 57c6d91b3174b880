"""Breakpoints, stepping and per-line timings, at no cost while none is wanted.

The debugger is a Python trace function that is only installed for runs with breakpoints, steps or
profiling. MATLAB lines are Python lines of the generated code, so a line event is a MATLAB line.

The session gives ``on_pause``: it is called with a :class:`Pause` while the script stands still,
answers what the user asks through the pause's workspaces, and returns how to go on: ``continue``,
``step``,
``step-in``, ``step-out`` or ``quit``.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import field, replace
from inspect import CO_NEWLOCALS
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any

from app.engine.interpreter.error_conversion import live_stack
from app.engine.interpreter.frames import (
    DictWorkspace,
    FrameWorkspace,
    full_name,
    is_dynamic,
    is_matlab,
    nearest,
)
from app.engine.interpreter.naninf import NonFiniteWatch
from app.engine.interpreter.statement_starts import begins_statement
from app.engine.interpreter.try_blocks import is_caught
from app.engine.protocol import Breakpoint
from app.engine.values import Value, true_value
from app.engine.values.preview import preview
from app.errors import Interrupted, MatlabError, StackFrame
from app.late_pattern import late_pattern
from app.records import mutable_record

if TYPE_CHECKING:
    from app.engine.interpreter.interpreter import Interpreter

_BRACES = late_pattern(r"\{([^{}]+)\}")


@mutable_record
class Pause:
    """A script that stands still.

    Attributes:
        frames: the call stack, innermost first.
        reason: ``breakpoint``, ``step``, ``error``, ``caught error``, ``warning``, ``naninf``,
            ``keyboard`` or ``pause``.
        message: the error's or warning's text; for ``naninf`` which element of which variable.
    """

    frames: tuple[StackFrame, ...]
    reason: str
    message: str = ""
    python_frames: list[FrameType] = field(default_factory=list, repr=False)
    interpreter: Any = field(default=None, repr=False)

    def workspace(self, frame: int = 0) -> DictWorkspace | FrameWorkspace:
        """The variables of one frame of the stack."""
        held = self.python_frames[frame]
        if is_dynamic(held):
            return DictWorkspace(self.interpreter, held.f_globals)
        return FrameWorkspace(self.interpreter, held)

    def evaluate(self, text: str, frame: int = 0, nargout: int = 0) -> tuple[Any, ...]:
        """Run text in the workspace of one frame of the stack."""
        made: tuple[Any, ...] = self.interpreter.context.evaluate_in(
            self.python_frames[frame], text, nargout
        )
        return made


@mutable_record
class LineTime:
    """How often a line ran and how long it took, callees included."""

    count: int = 0
    seconds: float = 0.0


class Debugger:
    """Watches the lines of running MATLAB code."""

    def __init__(self, interpreter: Interpreter) -> None:
        self.interpreter = interpreter
        self.on_pause: Callable[[Pause], str] | None = None
        self.profiling = False
        self.lines: dict[tuple[str, int], LineTime] = {}
        self.stops: frozenset[str] = frozenset()
        self._breakpoints: dict[tuple[str, int], Breakpoint] = {}
        self._hits: dict[tuple[str, int], int] = {}
        self._files: set[str] = set()
        self._step = ""
        self._is_asked = False
        self._depth = 0
        self._last_error: BaseException | None = None
        self._watch: NonFiniteWatch | None = None
        self._running_line: dict[FrameType, tuple[tuple[str, int], float]] = {}

    # --- what to watch ---

    def set_breakpoints(self, breakpoints: Iterable[Breakpoint], stops: Iterable[str] = ()) -> None:
        """Replace all breakpoints; ``stops`` holds some of ``error`` (that no ``try`` catches),
        ``caught error``, ``warning`` and ``naninf``."""
        wanted = [b for b in breakpoints if b.enabled]
        self._breakpoints = {(full_name(b.file), b.line): b for b in wanted}
        self._files = {file for file, _ in self._breakpoints}
        self._hits = {}
        self.stops = frozenset(stops)
        self._watch = NonFiniteWatch(self.interpreter) if "naninf" in self.stops else None
        self._is_asked = True

    def breakpoints(self) -> tuple[Breakpoint, ...]:
        """The breakpoints in force, by file and line."""
        return tuple(self._breakpoints[key] for key in sorted(self._breakpoints))

    def request_pause(self) -> None:
        """Stop at the next line that runs."""
        self._step = "pause"
        self._is_asked = True

    @property
    def active(self) -> bool:
        """True when a run has to be watched."""
        return bool(self._breakpoints or self.stops or self._step or self.profiling)

    def looks_at(self, file: str) -> bool:
        """Whether code of this file has to run line by line: other files' breakpoints need none."""
        everywhere = self._step or self.stops or self.profiling
        return bool(everywhere) or (bool(self._files) and full_name(file) in self._files)

    def watches(self, code: CodeType) -> bool:
        """Whether the lines of this code have to run one by one."""
        if self._step or self._watch is not None:
            return True
        lines = {line for _, _, line in code.co_lines()}
        file = full_name(code.co_filename) if self._breakpoints else ""
        return any(at == file and line in lines for at, line in self._breakpoints)

    def install(self) -> None:
        """Watch this thread from now on, if there is anything to watch."""
        self._running_line.clear()
        self._is_asked = False
        if self.active:
            sys.settrace(self._trace)
            frame: FrameType | None = sys._getframe(1)
            while frame is not None:
                if is_matlab(frame):
                    looked_at = self.looks_at(frame.f_code.co_filename)
                    frame.f_trace = self._line if looked_at else None
                frame = frame.f_back

    def heed(self) -> None:
        """Watch what another thread, or an answer to one, asked for while this one runs code."""
        if self._is_asked:
            self.install()

    def remove(self) -> None:
        """Stop watching this thread."""
        sys.settrace(None)
        self._step = ""
        self._last_error = None
        self._running_line.clear()
        if self._watch is not None:
            self._watch.forget()

    # --- events ---

    def _trace(self, frame: FrameType, event: str, arg: Any) -> Any:
        if not is_matlab(frame) or not self.looks_at(frame.f_code.co_filename):
            return None
        return self._line(frame, event, arg)

    def _line(self, frame: FrameType, event: str, arg: Any) -> Any:
        if event == "line":
            if self.profiling:
                self._time(frame)
            stopped = self._watch is not None and self._stops_at_non_finite(frame, self._watch)
            if (self._step or self._breakpoints) and not stopped:
                self._check(frame)
        elif event == "return":
            self._finish(frame)
        elif event == "exception" and self.stops:
            self._on_error(frame, arg[1])
        return self._line

    def _time(self, frame: FrameType) -> None:
        now = time.perf_counter()
        key = (frame.f_code.co_filename, frame.f_lineno)
        self._close(frame, now)
        self._running_line[frame] = (key, now)
        self.lines.setdefault(key, LineTime()).count += 1

    def _close(self, frame: FrameType, now: float) -> None:
        before = self._running_line.pop(frame, None)
        if before is not None:
            self.lines[before[0]].seconds += now - before[1]

    def _stops_at_non_finite(self, frame: FrameType, watch: NonFiniteWatch) -> bool:
        """Pause when the statement before made a NaN or an Inf."""
        sys.settrace(None)
        try:
            message, line = watch.found(frame)
        finally:
            sys.settrace(self._trace)
        if message:
            self._pause(frame, "naninf", message, line)
        return bool(message)

    def _finish(self, frame: FrameType) -> None:
        if self._watch is not None:
            self._stops_at_non_finite(frame, self._watch)
            self._watch.forget(frame)
        if self.profiling:
            self._close(frame, time.perf_counter())
        if self._step == "step-out" and _depth(frame) <= self._depth:
            self._step, self._depth = "step", self._depth - 1

    def _check(self, frame: FrameType) -> None:
        if self._step and self._step_ends(frame) and begins_statement(frame):
            self._pause(frame, "pause" if self._step == "pause" else "step")
            return
        key = (full_name(frame.f_code.co_filename), frame.f_lineno)
        found = self._breakpoints.get(key)
        if found is not None and begins_statement(frame) and self._counts(found, key, frame):
            self._pause(frame, "breakpoint")

    def _step_ends(self, frame: FrameType) -> bool:
        if _at_header(frame):
            return False
        if self._step in ("step-in", "pause"):
            return True
        return self._step == "step" and _depth(frame) <= self._depth

    def _counts(self, found: Breakpoint, key: tuple[str, int], frame: FrameType) -> bool:
        """Does this pass over the breakpoint stop the script?"""
        if found.condition and not self._holds(found.condition, frame):
            return False
        self._hits[key] = self._hits.get(key, 0) + 1
        if self._hits[key] < found.hits:
            return False
        if found.log:
            self.interpreter.host.write(f"{self._log_text(found.log, frame)}\n")
            return False
        return True

    def _log_text(self, text: str, frame: FrameType) -> str:
        """The text of a log point with the values of what it has in braces."""

        def fill(found: re.Match[str]) -> str:
            try:
                (value,) = self._value(found[1], frame)
            except MatlabError as problem:
                return f"<{problem.message}>"
            return value if isinstance(value, str) else preview(value)

        return _BRACES.sub(fill, text)

    def _value(self, expression: str, frame: FrameType) -> tuple[Value, ...]:
        """What an expression is in a frame; nothing in it is watched."""
        sys.settrace(None)
        try:
            found: tuple[Value, ...] = self.interpreter.context.evaluate_in(frame, expression, 1)
            return found
        finally:
            sys.settrace(self._trace)

    def _holds(self, condition: str, frame: FrameType) -> bool:
        try:
            (value,) = self._value(condition, frame)
            return true_value(value)
        except MatlabError as problem:
            self.interpreter.host.write_error(f"breakpoint condition: {problem.message}\n")
            return True

    def _on_error(self, frame: FrameType, error: BaseException) -> None:
        """Pause where an error comes up, not again in every frame that it goes through."""
        if not isinstance(error, MatlabError) or error is self._last_error:
            return
        self._last_error = error
        reason = "caught error" if is_caught(frame) else "error"
        if reason in self.stops:
            self._pause(frame, reason, error.message)

    # --- pausing ---

    def stop_at(self, reason: str, message: str = "") -> bool:
        """Pause the running code from a builtin (keyboard, warning); False when nobody listens."""
        frame = nearest(sys._getframe(1))
        if frame is None or self.on_pause is None:
            return False
        self._pause(frame, reason, message)
        return True

    def _pause(self, frame: FrameType, reason: str, message: str = "", line: int = 0) -> None:
        """Stand still; ``line`` is shown instead of the one that `frame` is about to run."""
        self._step = ""
        if self.on_pause is None:
            return
        held = _matlab_frames(frame)
        self._depth = len(held)
        frames = live_stack(frame)
        if line and frames:
            frames = (replace(frames[0], line=line, column=0), *frames[1:])
        pause = Pause(frames, reason, message, held, self.interpreter)
        sys.settrace(None)
        try:
            command = self.on_pause(pause)
        finally:
            held.clear()
        if command == "quit":
            raise Interrupted
        self._step = command if command.startswith("step") else ""
        self.install()
        frame.f_trace = self._line


def _matlab_frames(frame: FrameType | None) -> list[FrameType]:
    found = []
    while frame is not None:
        if is_matlab(frame):
            found.append(frame)
        frame = frame.f_back
    return found


def _at_header(frame: FrameType) -> bool:
    """Whether a function still takes its arguments, on the line of its head."""
    code = frame.f_code
    inside = bool(code.co_flags & CO_NEWLOCALS) and frame.f_lineno == code.co_firstlineno
    return inside and any(line != code.co_firstlineno for *_, line in code.co_lines() if line)


def _depth(frame: FrameType) -> int:
    return len(_matlab_frames(frame))
