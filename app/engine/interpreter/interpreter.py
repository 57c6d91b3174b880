"""The interpreter: runs texts, files and functions, and answers what generated code asks.

It owns the search path, the compiled files, the base workspace and the global variables. Builtins
see it through :class:`app.engine.interpreter.context.Context`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from app import textfile
from app.engine.arguments.call_context import expected_function
from app.engine.arguments.operation_rules import Rules
from app.engine.capture.lazy_limits import Limits
from app.engine.declarations import registry, toolboxes
from app.engine.interpreter import error_conversion, handles, loader, support
from app.engine.interpreter.context import Context
from app.engine.interpreter.debugging import Debugger
from app.engine.interpreter.frames import DictWorkspace, current, end_functions
from app.engine.interpreter.indexing.index_read import (
    CommaList,
    Hooks,
    inner_field,
    member,
    paren,
    take,
)
from app.engine.interpreter.loops.parfor_account import LoopAccounts
from app.engine.interpreter.native_compiler import NativeCompiler
from app.engine.interpreter.objects.exception_classes import caught_value
from app.engine.interpreter.objects.instances import Objects
from app.engine.interpreter.objects.mexception import MException
from app.engine.interpreter.poll_ticker import Poller
from app.engine.interpreter.resolver import CODE, SearchPath
from app.engine.interpreter.roomy_stack import with_room
from app.engine.interpreter.run_guard import RunGuard
from app.engine.interpreter.tracing import use_kept
from app.engine.interpreter.undefined_names import undefined_name
from app.engine.interpreter.unit import FunctionReference, Unit
from app.engine.operators.linear_solves import Warnings
from app.engine.operators.operator_overloads import Overloads
from app.engine.stoppable import Stop, nothing
from app.engine.values import (
    EMPTY,
    FunctionHandle,
    NativeObject,
    ObjectArray,
    ObjectValue,
    Value,
    prepare_thread,
)
from app.errors import Interrupted, MatlabError, SyntaxProblem, Unsupported
from app.source import SourceText
from app.textfile import TextFile

if TYPE_CHECKING:
    from app.accel.runtime.runtime import Runtime
    from app.engine.interpreter.compile.loop_forms import LoopForm
    from app.engine.interpreter.loops.parfor_run import Elsewhere
    from app.engine.interpreter.session_host import Host
    from app.settings import Settings

_NO_COUNT = "You can only call nargin/nargout from within a MATLAB function."


class Interpreter:
    """Runs MATLAB code.

    Args:
        settings: typed settings.
        runtime: the acceleration façade, or None without acceleration.
        host: output, input and interruption (see app.engine.interpreter.session_host).
        native_compiler: compiles hot loops and functions to machine code.
        folders: searched for functions, after the current folder.

    Attributes:
        elsewhere: who takes passes of a parfor over; None where nobody does.
        parfor_depth: loops of parfor that are running, one inside the other.
        parfors: what people are told of them.
        read_code: reads a file of code.
        shows: shows a value by its name otherwise than as text, where it can; None for nobody.
    """

    def __init__(
        self,
        settings: Settings,
        runtime: Runtime | None,
        host: Host,
        native_compiler: NativeCompiler,
        folders: Iterable[str] = (),
    ) -> None:
        self.settings = settings
        self.runtime = runtime
        self.host = host
        self.native_compiler = native_compiler
        self.globals: dict[str, Value] = {}
        self.base: dict[str, Any] = {"#globals": set()}
        self.path = SearchPath(str(Path.cwd()))
        self.path.add([*folders, *toolboxes.installed_folders()])
        self.units: WeakSet[Unit] = WeakSet()
        self.files: dict[str, loader.LoadedFile] = {}
        self.stop_flag = support.StopFlag()
        self.last_error: MatlabError | None = None
        self.last_uncaught: MatlabError | None = None
        self.script_arguments: tuple[str, ...] = ()
        self.context = Context(self)
        self.objects = Objects(self)
        self.support: dict[str, Any] = dict(support.table(self))
        self.command_functions: dict[str, Callable[..., Value]] = {}
        self._entries: dict[str, Callable[..., Value]] = {}
        self._path_version = self.path.version
        self.debugger = Debugger(self)
        self._guard = RunGuard(self.debugger, Poller(self.stop_flag))
        self.elsewhere: Elsewhere | None = None
        self.parfor_depth = 0
        self.parfors = LoopAccounts()
        self.element_forms: dict[tuple[tuple[bool, ...], int], LoopForm] = {}
        self.element_failures: dict[str, tuple[int, str]] = {}
        self.shows: Callable[[str, Value], bool] | None = None
        self.read_code: Callable[[Path], TextFile] = textfile.read
        self._hook()

    @property
    def octave(self) -> bool:
        """True when texts are read in Octave's dialect."""
        return bool(getattr(self.settings, "octave", False))

    @property
    def workspace(self) -> dict[str, Value]:
        """The variables of the base workspace."""
        return DictWorkspace(self, self.base).all()

    def _hook(self) -> None:
        Hooks.context = self.context
        Hooks.call = self.call_handle
        Hooks.object_paren = self.objects.paren
        Hooks.object_brace = self.objects.brace
        Hooks.object_member = self.objects.member
        Warnings.issue, Warnings.later = self.context.warning, self.context.late_warnings.add
        Overloads.call, Stop.poll, Rules.octave = self.objects.operator, self.host.poll, self.octave

    def unhook(self) -> None:
        """Leave nothing of this interpreter behind in what is shared; running hooks it again."""
        if Hooks.context is self.context:
            for hooks in (Hooks, Warnings):
                vars(hooks).clear()
            Overloads.call, Stop.poll, Rules.octave = None, nothing, False

    # --- running ---

    def run(self, source: SourceText, arguments: tuple[str, ...] = ()) -> None:
        """Run a text in the base workspace; a function file is called with ``arguments``."""
        self.guarded(lambda: self._run(source, arguments), room=False)

    def _run(self, source: SourceText, arguments: tuple[str, ...]) -> None:
        self.refresh()
        self.element_failures.clear()  # functions may be others by now
        loaded = loader.prepared_text(self, source)
        if not source.name.endswith(CODE):
            self.define_functions(loaded.unit.local)
        self.script_arguments = arguments
        if loaded.tree.classdef is not None:
            self.objects.define(loaded)
        elif loaded.main is not None and source.name.endswith(CODE):
            support.leave_answer(self, with_room(partial(loaded.main, *arguments, nargout=0)))
        else:
            loader.run_script(loaded, self.base)

    def guarded(self, action: Callable[[], Any], room: bool = True) -> Any:
        """Run ``action`` on this thread, which may make ``room`` itself where it runs code; any
        failure comes out as MatlabError or Interrupted."""
        prepare_thread()
        self._hook()
        if self._guard.running:
            return action()
        try:
            self._guard.begin()
            return self.context.told_after(partial(with_room, action) if room else action)
        except Interrupted:
            raise
        except Exception as problem:
            error = self.failure(problem)
            self.last_uncaught = self.last_error
            raise error from (error.__cause__ if error is problem else problem)
        finally:
            self._guard.end()

    def interrupted(self) -> None:
        """A loop noticed the stop flag: look up, and stop if the user said so."""
        self.stop_flag.on = False
        self.host.poll()

    # --- names ---

    def refresh(self) -> None:
        """Notice changed folders and files; names may mean something else afterwards."""
        self.path.refresh()
        for path, loaded in list(self.files.items()):
            if loader.stamp_of(path) != loaded.stamp:
                del self.files[path]
                self.path.version += 1
                handles.renew(self, loaded)
        self.relink()

    def relink(self) -> None:
        """Reset all links when the path changed."""
        if self._path_version != self.path.version:
            self._path_version = self.path.version
            self.reset_links()

    def reset_links(self) -> None:
        """Every function name is looked up again at its next call."""
        for unit in list(self.units):
            unit.reset_links()

    def load(self, path: str) -> loader.LoadedFile:
        """The compiled file."""
        loaded = self.files.get(path)
        if loaded is None:
            loaded = self.files[path] = loader.load(self, path)
        return loaded

    def define_functions(self, functions: Mapping[str, Callable[..., Value]]) -> None:
        """Functions of typed text are known everywhere from then on."""
        if any(self.command_functions.get(n) is not f for n, f in functions.items()):
            self.command_functions.update(functions)
            self.path.version += 1
            self.relink()

    def forget_functions(self) -> None:
        """``clear all``: persistent variables and compiled files are gone."""
        for unit in list(self.units):
            unit.clear_persistent()

    def forget_persistent(self, name: str) -> None:
        """``clear name``: the persistent variables of that function are gone."""
        for path, loaded in self.files.items():
            if Path(path).stem == name:
                loaded.unit.clear_persistent()

    def is_script(self, name: str, folder: str) -> bool:
        """True when ``name`` is a script file; not where its text is none, as a call says."""
        path = self.path.find(name, folder)
        if path is None:
            return False
        try:
            return self.load(path).tree.kind == "script"
        except SyntaxProblem:
            return False

    def is_package(self, path: tuple[str, ...]) -> bool:
        """True when the dotted path is a package."""
        return self.path.is_package(path) or registry.is_package(".".join(path))

    def resolve_link(self, unit: Unit, name: str) -> Callable[..., Value]:
        """What ``name`` calls in ``unit``; the unit's link is set to it."""
        target = self.find(unit, name)
        if target is None:
            return _assigned_from_outside(name, self.globals)
        key = f"{name}()"
        if name in unit.links:
            unit.namespace[key] = target
        return target

    def find(self, unit: Unit | None, name: str) -> Callable[..., Value] | None:
        """The callable that ``name`` means for code in ``unit``."""
        if unit is not None and name in unit.local:
            return unit.local[name]
        target = self._find_plain(unit, name)
        if target is None and self.path.refresh():  # the script may have written the file
            target = self._find_plain(unit, name)
        if target is None and unit is not None and unit.package and name == unit.main:
            target = self.file_callable(unit.source.name, name)
        if self.objects.looks(name):
            return self.objects.dispatcher(name, target)
        return target

    def _find_plain(self, unit: Unit | None, name: str) -> Callable[..., Value] | None:
        path = self.path.find(name, unit.folder if unit else "")
        if path is None and unit is not None:
            path = self.path.imported(unit.imports, name)
        if path is not None:
            return self.file_callable(path, name)
        if name in self.command_functions:
            return self.command_functions[name]
        if name in self.objects.classes:
            return self.objects.constructor(name)
        entry = self.builtin(name)
        if entry is not None:
            return entry
        if "." in name:
            return self.objects.static_member(name, unit)
        return None

    def file_callable(self, path: str, name: str) -> Callable[..., Value]:
        """What calls the function, script or constructor of a file."""
        loaded = self.load(path)
        if loaded.tree.classdef is not None:
            return self.objects.define(loaded)
        if loaded.main is not None:
            target = loaded.main
            return target.ready() if isinstance(target, loader.LazyFunction) else target
        return handles.ScriptCall(self, loaded)

    def resolve_member(self, reference: FunctionReference, name: str) -> FunctionReference | None:
        """``reference.name`` when that is a package, a function in one or a class member."""
        path = (*reference.path, name)
        dotted = ".".join(path)
        is_package = self.is_package(path)
        if is_package or self._find_plain(reference.unit, dotted) is not None:
            return FunctionReference(reference.unit, path, is_package)
        owner = ".".join(reference.path)
        if self.objects.find_class(owner, reference.unit) is not None:
            text = f"The class {owner} has no Constant property or Static method named '{name}'."
            raise MatlabError("MATLAB:subscripting:classHasNoPropertyOrMethod", text)
        return None

    def builtin(self, name: str) -> Callable[..., Value] | None:
        """A builtin as a callable of the generated code."""
        entry = self._entries.get(name)
        if entry is None:
            found = registry.lookup(name)
            if found is None or (found.octave and not self.octave):
                return None
            entry = self._entries[name] = handles.builtin_entry(self.context, found)
        return entry

    # --- calls ---

    def call(self, function: Value, args: tuple[Value, ...], nargout: int = 1) -> tuple[Value, ...]:
        """Call a function by name or handle; always a tuple of outputs."""
        if isinstance(function, FunctionHandle):
            made = self.call_handle(function, args, nargout)
        elif not isinstance(function, str):
            raise expected_function(function)
        else:
            target = self.find(handles.calling_unit(), function) or _member_of(self, function)
            if target is None:
                raise undefined_name(function)
            made = target(*args, nargout=nargout)
        if nargout <= 1:
            return () if made is None else (made,)
        if not isinstance(made, tuple):
            raise MatlabError("MATLAB:maxlhs", "Too many output arguments.")
        return made[:nargout]  # builtins may know more

    def call_handle(self, handle: FunctionHandle, args: tuple[Value, ...], nargout: int) -> Value:
        """Call a handle: one value, None, or a tuple for several outputs."""
        made: Value = self.target_of(handle)(*args, nargout=nargout)
        return made

    def target_of(self, handle: FunctionHandle) -> Callable[..., Value]:
        """What a handle calls; its name is looked up once."""
        target = handle.target
        if target is None:
            found = self.find(handles.calling_unit(), handle.name) or _member_of(self, handle.name)
            target = handle.target = found
            if target is None:
                raise undefined_name(handle.name)
            self.objects.handles.add(handle)
        return target  # type: ignore[return-value]

    # --- what generated code asks ---

    def show(self, name: str, value: Value) -> None:
        """Display ``name = value``."""
        if value is not None and not (type(value) is tuple and not value):
            self.context.indent_display(name, value)

    def answer_list(self, value: Value, display: bool) -> Value:
        """``c{:}`` or ``s.f`` as a statement: every value is an ``ans``."""
        last: Value = EMPTY
        for item in tuple(value) if type(value) is CommaList else (value,):
            last = item
            if display:
                self.show("ans", item)
        return last

    def failure(self, problem: Exception) -> MatlabError:
        """The error that a script is told of when what it tried failed."""
        if Limits.pure:
            raise Unsupported(f"an error is caught in a pass ({problem})")
        error = error_conversion.as_matlab(problem, octave=self.octave)
        error.caret = error.caret or error_conversion.caret_of(error, problem.__traceback__)
        self.last_error = error.remembered()
        return error

    def caught(self, problem: Exception) -> Value:
        """The exception of a ``catch``; the failed frames let go of their variables."""
        error = self.failure(problem)
        end_functions(problem)
        held = error.payload
        thrown = held if isinstance(held, MException) else MException(error)
        return caught_value(thrown, error.stack)

    def declare_global(self, name: str, initial: Value | None) -> None:
        """``global name``."""
        if Limits.pure:
            use_kept(self.globals, name, "global")
        self.globals.setdefault(name, EMPTY if initial is None else initial)
        frame = current()
        if frame is not None and "#globals" in frame.f_globals:
            frame.f_globals["#globals"].add(name)

    def anonymous(
        self, factory: Any, facts: tuple[str, tuple[str, ...]], *values: Value
    ) -> FunctionHandle:
        """An anonymous function with its captured variables."""
        text, names = facts
        captured = {n: v for n, v in zip(names, values, strict=False) if v is not None}
        return FunctionHandle("", factory(*values), text, captured)

    def function_handle(self, reference: FunctionReference) -> FunctionHandle:
        """``@name``."""
        name, unit = ".".join(reference.path), reference.unit
        handle = unit.handles.get(name) or self.named_handle(unit, name)
        if handle is None:
            return FunctionHandle(name, _member_of(self, name))
        unit.handles[name] = handle
        return handle

    def named_handle(self, unit: Unit | None, name: str) -> FunctionHandle | None:
        """A handle of the function that ``name`` means for code in ``unit``; None if unknown."""
        target = self.find(unit, name)
        if target is None:
            return None
        handle = FunctionHandle(name, target)
        if unit is None or name not in unit.local:
            self.objects.handles.add(handle)
        return handle

    def nested_handle(self, name: str, function: Any) -> FunctionHandle:
        """``@nested``: it keeps the variables of its parent."""
        return FunctionHandle(name, function)

    def nargin_of_caller(self) -> float:
        """``nargin`` where no function is being compiled.

        In evaluated text it is that of the function whose workspace it has, in a script file how
        many arguments it was given.
        """
        found = _count_in(sys._getframe(1), "#nargin")
        if found is not None:
            return found
        if self.script_arguments:
            return float(len(self.script_arguments))
        raise MatlabError("MATLAB:nargin", _NO_COUNT)

    def nargout_of_caller(self) -> float:
        """``nargout`` where no function is being compiled."""
        found = _count_in(sys._getframe(1), "#nargout")
        if found is not None:
            return found
        raise MatlabError("MATLAB:nargin", _NO_COUNT)

    def operator_outputs(self, name: str, count: int, *operands: Value) -> tuple[Value, ...]:
        """``[a, b] = x * y``: only operators of classes have several outputs."""
        if any(isinstance(v, ObjectValue | ObjectArray) for v in operands):
            found = self.find(None, name)
            if found is not None:
                return take(found(*operands, nargout=count), count)
        return support.too_many_values(operands)


def _member_of(interpreter: Interpreter, name: str) -> Callable[..., Value] | None:
    """A function below what a builtin without inputs gives, such as ``py.math.sqrt``."""
    head, *path = name.split(".")
    found = registry.lookup(head) if path else None
    if found is None or found.max_args:
        return None

    def call(*args: Value, nargout: int = 1) -> Value:
        value = found.call(interpreter.context, ())
        for part in path[:-1]:
            value = inner_field(value, part)
        return member(value, path[-1], *args, nargout=nargout)

    return call


def _count_in(frame: FrameType, name: str) -> float | None:
    """``#nargin`` or ``#nargout`` of the workspace that a frame runs in."""
    value = frame.f_globals.get(name)
    return None if value is None else float(value)


def _assigned_from_outside(name: str, shared: dict[str, Value]) -> Callable[..., Value]:
    """A variable that assignin or load put into the running function, which does not name it, or
    that a text made global in it."""
    frame = current()
    held = None if frame is None else frame.f_locals.get(name)
    if held is None and frame is not None and name in frame.f_globals.get("#globals", ()):
        held = shared.get(name)
    if held is None:
        return _method_of_native(name)

    def read(*args: Value, nargout: int = 1) -> Value:
        return paren(held, *args, nargout=nargout) if args else held

    return read


def _method_of_native(name: str) -> Callable[..., Value]:
    """``name(obj, …)`` where only the object knows the name: those of Python are not declared."""

    def call(*args: Value, nargout: int = 1) -> Value:
        for argument in args:
            if isinstance(argument, NativeObject):
                method = argument.methods().get(name)
                if method is not None:
                    return method(Hooks.context, args, nargout)
        raise undefined_name(name)

    return call
