"""The MATLAB frames on the Python stack, and their workspaces."""

from __future__ import annotations

import ctypes
import os
import sys
from contextlib import suppress
from operator import itemgetter
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, TypeAlias

from app.engine.interpreter.undefined_names import undefined_name
from app.engine.interpreter.unit import KEPT
from app.engine.values import Value

if TYPE_CHECKING:
    from app.engine.interpreter.interpreter import Interpreter
    from app.engine.interpreter.unit import Unit

REST = "<rest>"
"""The name of code that runs a part of a function: the rest of a loop's pass, a deep block."""
MARK = "#block"
"""How the names of functions made of deep blocks begin."""
NameSet: TypeAlias = set[str]
_HIDDEN = ("#", "@", "__")
_to_fast = getattr(ctypes.pythonapi, "PyFrame_LocalsToFast", None)


def is_matlab(frame: FrameType) -> bool:
    """True for a frame of compiled MATLAB code."""
    return "#unit" in frame.f_globals or "#unit" in frame.f_builtins


def unit_of(frame: FrameType) -> Unit:
    """The unit a MATLAB frame belongs to."""
    held: Unit = frame.f_globals.get("#unit") or frame.f_builtins["#unit"]
    return held


def full_name(file: str) -> str:
    """The name of a file with its folder; texts that are in none (``<eval>``) keep theirs."""
    as_it_is = file.startswith("<") or os.path.isabs(file)  # noqa: PTH117 - asked at every line
    return file if as_it_is else str(Path(file).absolute())


def place_of(frame: FrameType) -> tuple[str, str]:
    """Name and file of a MATLAB frame."""
    name = frame.f_code.co_name
    name = REST if name.startswith(MARK) else name.removesuffix("()")
    return name, frame.f_code.co_filename


def is_dynamic(frame: FrameType) -> bool:
    """True when the frame's variables are a dictionary."""
    return "#unit" not in frame.f_globals


def nearest(frame: FrameType | None) -> FrameType | None:
    """The innermost MATLAB frame from ``frame`` outwards."""
    while frame is not None:  # `is_matlab`, written out: every captured operation asks
        if "#unit" in frame.f_globals or "#unit" in frame.f_builtins:
            return frame
        frame = frame.f_back
    return None


def current() -> FrameType | None:
    """The innermost MATLAB frame of this thread."""
    return nearest(sys._getframe(1))


def end_functions(problem: BaseException) -> None:
    """The functions that a failure left let go of their variables, the innermost first."""
    failed: BaseException | None = problem
    seen = set[int]()
    while failed is not None and id(failed) not in seen:  # a cause may lead back
        seen.add(id(failed))
        frames, step = list[FrameType](), failed.__traceback__
        while step is not None:  # `walk_tb` has every line looked for in the tables of the code
            frames += [step.tb_frame] if is_matlab(step.tb_frame) else []
            step = step.tb_next
        failed.__traceback__ = None
        while frames:
            with suppress(RuntimeError):  # one that still runs keeps them
                frames.pop().clear()
        failed = failed.__cause__ or failed.__context__


def variables_of(frame: FrameType) -> list[tuple[str, Any]]:
    """The variables of a frame with their values.

    Python keeps what it gives of a function's locals; an array that is referred to from there as
    well would be copied when the function writes to it.
    """
    held = frame.f_globals if is_dynamic(frame) else frame.f_locals
    found = [(n, v) for n, v in tuple(held.items()) if not n.startswith(_HIDDEN) and "()" not in n]
    if held is not frame.f_globals and type(held) is dict:
        held.clear()
    return found


def line_in(file: str) -> int:
    """The line of a file that runs in this thread: of the outermost frame in it; 0 if none is."""
    line = 0
    frame = current() if file else None
    while frame is not None:
        if frame.f_code.co_filename == file:
            line = frame.f_lineno
        frame = caller_of(frame)
    return line


def caller_of(frame: FrameType | None) -> FrameType | None:
    """The next MATLAB frame outwards with another workspace."""
    if frame is None:
        return None
    outer = nearest(frame.f_back)
    if is_dynamic(frame):
        while outer is not None and outer.f_globals is frame.f_globals:
            outer = nearest(outer.f_back)
    return outer


class LinkedVariables:
    """Variables that dynamic code declares global, for code that clears: a name is one of the
    global workspace from its declaration to a ``clear`` of it, else one of the code's own."""

    def __init__(self, shared: dict[str, Value]) -> None:
        self.shared = shared

    def _holder(self, name: str) -> dict[str, Any]:
        frame = current()
        assert frame is not None
        own = frame.f_globals
        return self.shared if name in own["#globals"] else own

    def get(self, name: str) -> Value:
        """The variable, or None when it is unset."""
        return self._holder(name).get(name)

    def __getitem__(self, name: str) -> Value:
        value = self.get(name)
        if value is None:
            raise undefined_name(name)
        return value

    def __setitem__(self, name: str, value: Value) -> None:
        self._holder(name)[name] = value


class DictWorkspace:
    """Variables in a dictionary: the base workspace, scripts and dynamic functions."""

    def __init__(self, interpreter: Interpreter, variables: dict[str, Any]) -> None:
        self.interpreter = interpreter
        self.variables = variables

    def get(self, name: str) -> Value | None:
        """The variable's value, or None."""
        if name in self.global_names():
            return self.interpreter.globals.get(name)
        kept = self._persistents()
        return kept[name] if name in kept else self.variables.get(name)

    def set(self, name: str, value: Value) -> None:
        """Assign a variable."""
        if name in self.global_names():
            self.interpreter.globals[name] = value
        elif name in self._persistents():
            self._persistents()[name] = value
        else:
            self.variables[name] = value

    def names(self) -> list[str]:
        """Names of all variables that have a value."""
        own = [n for n, v in self.variables.items() if not n.startswith(_HIDDEN) and v is not None]
        return sorted({*own, *self.global_names(), *self._persistents()})

    def all(self) -> dict[str, Value]:
        """All variables that have a value, by name."""
        if self.global_names() or self._persistents():
            return {name: self.get(name) for name in self.names()}
        found = self.variables.items()
        own = [(n, v) for n, v in found if v is not None and not n.startswith(_HIDDEN)]
        return dict(sorted(own, key=itemgetter(0)))

    def delete(self, name: str) -> None:
        """Remove a variable if it exists."""
        self.variables.pop(name, None)
        self.global_names().discard(name)

    def global_names(self) -> NameSet:
        """Names declared ``global`` here."""
        held: NameSet = self.variables.setdefault("#globals", set())
        return held

    def persistent_names(self) -> NameSet:
        """Names declared ``persistent`` here."""
        return set(self._persistents())

    def _persistents(self) -> dict[str, Value]:
        kept: dict[str, Value] = self.variables.get(KEPT, {})
        return kept


class FrameWorkspace:
    """Variables of a running compiled function: Python locals, seen and changed from outside."""

    def __init__(self, interpreter: Interpreter, frame: FrameType) -> None:
        self.interpreter = interpreter
        self.frame = frame

    def get(self, name: str) -> Value | None:
        """The variable's value, or None."""
        if name in self.global_names():
            return self.interpreter.globals.get(name)
        if name in self._persistents():
            return self._persistents()[name]
        value = self.frame.f_locals.get(name)
        return None if name == "nargout" else value

    def set(self, name: str, value: Value) -> None:
        """Assign a variable; one the function does not know is out of its sight."""
        if name in self.global_names():
            self.interpreter.globals[name] = value
        elif name in self._persistents():
            self._persistents()[name] = value
        else:
            self._write(name, value)

    def _write(self, name: str, value: Value | None) -> None:
        self.frame.f_locals[name] = value
        if _to_fast is not None:
            _to_fast(ctypes.py_object(self.frame), ctypes.c_int(0))

    def names(self) -> list[str]:
        """Names of all variables that have a value."""
        own = [
            n
            for n, v in self.frame.f_locals.items()
            if v is not None
            and not n.startswith(_HIDDEN)
            and not n.endswith("()")
            and n != "nargout"
        ]
        return sorted({*own, *self.global_names(), *self._persistents()})

    def delete(self, name: str) -> None:
        """Remove a variable if it exists."""
        if name in self.frame.f_locals:
            self._write(name, None)

    def global_names(self) -> NameSet:
        """Names the running function declares ``global``."""
        return self._facts().globals & set(self.interpreter.globals)

    def persistent_names(self) -> NameSet:
        """Names the running function declares ``persistent``."""
        return set(self._persistents())

    def _persistents(self) -> dict[str, Value]:
        return self._facts().persistents

    def _facts(self) -> FrameFacts:
        facts = unit_of(self.frame).codes.get(self.frame.f_code.co_name)
        return facts if facts is not None else _NOTHING


class FrameFacts:
    """What a compiled function declares that its frame does not show."""

    __slots__ = ("globals", "persistents")

    def __init__(self, names: set[str], persistents: dict[str, Value]) -> None:
        self.globals = names
        self.persistents = persistents


_NOTHING = FrameFacts(set(), {})
