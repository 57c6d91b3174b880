"""The session as builtins see it: the interpreter's side of ``CallContext``."""

from __future__ import annotations

import sys
from types import FrameType
from typing import TYPE_CHECKING, Any

from app.engine.capture.lazy_limits import Limits
from app.engine.interpreter import error_conversion, handles, loader
from app.engine.interpreter.arity import arity_of
from app.engine.interpreter.evaluated_texts import EvaluatedTexts
from app.engine.interpreter.frames import (
    DictWorkspace,
    FrameWorkspace,
    caller_of,
    current,
    is_dynamic,
    nearest,
    place_of,
    unit_of,
)
from app.engine.interpreter.late_warnings import LateWarnings
from app.engine.interpreter.unit import Unit
from app.engine.values import FunctionHandle, Value
from app.engine.values import display as displays
from app.errors import MatlabError, Unsupported

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.engine.interpreter.interpreter import Interpreter
    from app.engine.interpreter.objects.instances import Objects
    from app.engine.interpreter.resolver import SearchPath
    from app.engine.interpreter.session_host import Host

_FORMAT = "display_format"


class Context:
    """What a builtin may ask; see app.engine.arguments.call_context.CallContext."""

    def __init__(self, interpreter: Interpreter) -> None:
        self.interpreter = interpreter
        self.settings = interpreter.settings
        self.runtime = interpreter.runtime
        self.state: dict[str, Any] = {}
        self._captures: list[list[str]] = []
        self._texts = EvaluatedTexts(interpreter)
        self.late_warnings = LateWarnings(self)
        self.told_after = self.late_warnings.told_after

    @property
    def objects(self) -> Objects:
        """Classes and their objects."""
        return self.interpreter.objects

    @property
    def host(self) -> Host:
        """Output, input and interruption."""
        return self.interpreter.host

    @property
    def path(self) -> SearchPath:
        """The search path."""
        return self.interpreter.path

    # --- output ---

    def write(self, text: str) -> None:
        """Print to the command window."""
        if Limits.pure:
            raise Unsupported("it prints")
        if self._captures:
            self._captures[-1].append(text)
        else:
            self.interpreter.host.write(text)

    def write_error(self, text: str, stream: str = "err") -> None:
        """Print an error, or a warning where ``stream`` is ``warning``; ``evalc`` takes both."""
        if Limits.pure:
            raise Unsupported("it prints")
        if self._captures:
            self._captures[-1].append(text)
        else:
            self.interpreter.host.write_error(text, stream)

    def warning(self, identifier: str, message: str) -> None:
        """Issue a warning, subject to the warning states."""
        from app.engine.interpreter.warnings import issue

        if Limits.pure:
            raise Unsupported("it warns")
        self.late_warnings.tell()
        issue(self, identifier, message)

    def indent_display(self, name: str, value: Value) -> None:
        """Display ``value`` as ``name = …`` in the current format."""
        if Limits.pure:
            raise Unsupported("it prints")
        if self.objects.display(name, value):
            return
        shows = self.interpreter.shows
        if shows is not None and not self._captures and shows(name, value):
            return
        form = self.state.get(_FORMAT)
        if form is None:
            self.write(displays.display(name, value))
        else:
            self.write(displays.display(name, value, form))

    # --- calls ---

    def call(self, function: Value, args: tuple[Value, ...], nargout: int = 1) -> tuple[Value, ...]:
        """Call a function by name or handle; always a tuple of outputs."""
        if self.interpreter.stop_flag.on:
            self.interpreter.interrupted()
        return self.interpreter.call(function, args, nargout)

    def direct(self, handle: FunctionHandle) -> tuple[Callable[..., Value], Callable[[], None]]:
        """What calls a handle without ceremony, and what to ask before every call."""
        flag, interrupted = self.interpreter.stop_flag, self.interpreter.interrupted

        def poll() -> None:
            if flag.on:
                interrupted()

        return self.interpreter.target_of(handle), poll

    def resolve(self, name: str) -> FunctionHandle | None:
        """A handle of the function that ``name`` means in the calling file; None if unknown."""
        frame = current()
        return self.interpreter.named_handle(None if frame is None else unit_of(frame), name)

    def parse_handle(self, text: str) -> FunctionHandle:
        """The handle that ``text`` such as ``@(x) x+1`` or ``sin`` describes (str2func)."""
        text = text.strip()
        if text.startswith("@"):
            (made,) = self._evaluate(text, 1, {"#globals": set()})
            if isinstance(made, FunctionHandle):
                return made
        found = self.resolve(text)
        return found if found is not None else FunctionHandle(text)

    def handle_of(self, text: str, captured: dict[str, Value], home: Unit | None) -> FunctionHandle:
        """The anonymous function of a text that has taken variables along."""
        (made,) = self._evaluate(text, 1, {"#globals": set(), **captured}, home)
        assert isinstance(made, FunctionHandle)
        return made

    # --- workspaces ---

    def workspace(self, where: str = "caller") -> Any:
        """The variables of the function that called the builtin, its caller, or the base."""
        frame = self._frame(where)
        if frame is None:
            return DictWorkspace(self.interpreter, self.interpreter.base)
        if is_dynamic(frame):
            return DictWorkspace(self.interpreter, frame.f_globals)
        return FrameWorkspace(self.interpreter, frame)

    def _frame(self, where: str) -> FrameType | None:
        if where == "base":
            return None
        frame = current()
        return caller_of(frame) if where == "caller of caller" else frame

    # --- eval ---

    def evaluate(self, text: str, nargout: int, where: str = "caller") -> tuple[Value, ...]:
        """Run MATLAB text in the ``caller`` (function that called the builtin) or ``base``.

        Its functions, private and local ones among them, are those of the code that called.
        """
        frame = self._frame(where)
        if frame is None:
            return self._evaluate(text, nargout, self.interpreter.base)
        return self.evaluate_in(frame, text, nargout, handles.calling_unit())

    def evaluate_in(
        self, frame: FrameType, text: str, nargout: int, home: Unit | None = None
    ) -> tuple[Value, ...]:
        """Run MATLAB text with the variables of one running frame, and with the functions of
        ``home``, of the frame's own code where none is given."""
        unit = unit_of(frame) if home is None else home
        if is_dynamic(frame):
            frame.f_globals.update(_counts(frame))
            return self._evaluate(text, nargout, frame.f_globals, unit)
        made: tuple[Value, ...] = self._in_function(
            frame, lambda w: self._evaluate(text, nargout, w, unit)
        )
        return made

    def _in_function(self, frame: FrameType, action: Any) -> Any:
        """Run on a copy of a plain function's variables, then write back what changed."""
        view = FrameWorkspace(self.interpreter, frame)
        before = {n: view.get(n) for n in view.names()}
        workspace: dict[str, Any] = {**before, "#globals": set(view.global_names())}
        workspace |= _counts(frame)
        for name in workspace["#globals"]:
            workspace.pop(name, None)
        try:
            return action(workspace)
        finally:
            for name, value in list(workspace.items()):
                if not name.startswith(("#", "__")) and before.get(name) is not value:
                    view.set(name, value)
            for name in before:
                if name not in workspace and name not in view.global_names():
                    view.delete(name)

    def run_in_frame(self, frame: FrameType, loaded: loader.LoadedFile) -> None:
        """Run a script in the workspace of a plain function."""
        self._in_function(frame, lambda w: loader.run_script(loaded, w))

    def _evaluate(
        self, text: str, nargout: int, workspace: dict[str, Any], home: Unit | None = None
    ) -> tuple[Value, ...]:
        names = tuple(f"#out{k}" for k in range(nargout))
        loaded = self._texts.prepared(text, names, home)
        loader.run_code(loaded.unit, loader.script_code(loaded, workspace), workspace)
        return tuple(workspace.pop(n, None) for n in names)

    def capture_output(self, text: str, nargout: int = 0) -> tuple[str, tuple[Value, ...]]:
        """Run MATLAB text and give back what it printed, and its outputs (evalc)."""
        self._captures.append([])
        try:
            outputs = self.evaluate(text, nargout)
            self.late_warnings.tell()
        finally:
            printed = self._captures.pop()
        return "".join(printed), outputs

    def run_script_file(self, path: str) -> None:
        """Run a script file where the builtin was called."""
        handles.ScriptCall(self.interpreter, self.interpreter.load(path))(nargout=0)

    def is_class_file(self, path: str) -> bool:
        """True for a file with a classdef."""
        return self.interpreter.load(path).tree.classdef is not None

    # --- who called ---

    @property
    def script_arguments(self) -> tuple[str, ...]:
        """The arguments the running file was started with."""
        return self.interpreter.script_arguments

    def argument_count(self, name: str) -> float:
        """``#nargin`` or ``nargout`` of the function that called the builtin."""
        frame = current()
        while frame is not None and place_of(frame)[0].startswith("<"):
            frame = nearest(frame.f_back)
        value = None if frame is None else frame.f_locals.get(name)
        if value is None:
            raise MatlabError(
                "MATLAB:nargin", "You can only call nargin/nargout from within a MATLAB function."
            )
        return float(value)

    def argument_name(self, position: int) -> str:
        """How the caller of the running function wrote argument ``position`` (inputname)."""
        from app.engine.interpreter.inputname import argument_name

        return argument_name(current(), position)

    def arity(self, function: Value) -> tuple[int, int]:
        """Inputs and outputs that a function declares."""
        return arity_of(self.interpreter, handles.calling_unit(), function)

    def code_file(self, name: str) -> str | None:
        """The file that a name means to the code that called the builtin, its private functions
        included; None when there is none."""
        unit = handles.calling_unit()
        found: str | None = self.path.find(name, "" if unit is None else unit.folder)
        return found

    def caller_name(self) -> str:
        """Name of the function that called the builtin; empty at the command line."""
        frame = current()
        if frame is None:
            return ""
        name = place_of(frame)[0]
        return "" if name.startswith("<") else name

    def caller_file(self) -> str:
        """File of the code that called the builtin; empty at the command line."""
        frame = current()
        if frame is None:
            return ""
        file = place_of(frame)[1]
        return "" if file.startswith("<") else file

    def local_functions(self) -> list[tuple[str, Any]]:
        """Local functions of the file that is running, the main one not included."""
        unit = handles.calling_unit()
        if unit is None:
            return []
        return [(n, f) for n, f in unit.local.items() if n != unit.main]

    def stack(self) -> list[tuple[str, str, int]]:
        """(name, file, line) of every MATLAB frame, innermost first."""
        return [(f.name, f.file, f.line) for f in error_conversion.live_stack(sys._getframe(1))]

    def last_error(self) -> MatlabError | None:
        """The last error that was caught or reported (lasterr)."""
        return self.interpreter.last_error


def _counts(frame: FrameType) -> dict[str, float]:
    """``nargin`` and ``nargout`` of a running function, for text that it evaluates."""
    names = {"#nargin": "#nargin", "#nargout": "nargout"}
    held = frame.f_locals  # Python copies all of them each time it is asked
    return {n: held[own] for n, own in names.items() if own in held}
