"""Classes written with ``classdef`` that derive from ``MException``.

Their objects have its properties from a class of the library; thrown, they travel as an MException
that knows its object, and are caught as that object.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.engine.interpreter.objects.mexception import MException, frames_value
from app.engine.values import ObjectValue, Struct, StructArray, Value
from app.errors import MatlabError, StackFrame

if TYPE_CHECKING:
    from app.engine.interpreter.objects.class_model import ClassInfo
    from app.engine.interpreter.objects.instances import Objects
    from app.engine.interpreter.unit import Unit

NAME = "MException"
BASE = "matlab.exception.Base"
"""The class of the library that stands for `NAME` where a class derives from it."""
METHODS = frozenset(("throw", "rethrow", "throwAsCaller", "getReport"))
"""Builtin functions that are methods of such objects."""


def base_class(objects: Objects, name: str, unit: Unit | None = None) -> ClassInfo:
    """The class that a class derives from by the name ``name``."""
    if name != NAME:
        return objects.require(name, unit)
    found = objects.require(BASE)
    found.name = name  # what its objects say of it
    return found


class _Thrown(MException):
    """An object of such a class as an MException."""

    def __init__(self, thrown: ObjectValue) -> None:
        held = thrown.properties
        super().__init__(MatlabError(str(held["identifier"]), str(held["message"])))
        self.error.stack = _frames(held["stack"])
        self.thrown = thrown


def as_exception(value: Value) -> MException | None:
    """A value as an error to throw: an MException, or an object of a class derived from it."""
    if isinstance(value, ObjectValue) and value.class_info.is_a(NAME):
        return _Thrown(value)
    return value if isinstance(value, MException) else None


def caught_value(exception: MException, stack: tuple[StackFrame, ...]) -> Value:
    """What a ``catch`` is given of an error that was thrown."""
    if not isinstance(exception, _Thrown):
        exception.error.stack = stack
        return exception
    thrown = exception.thrown
    return type(thrown)(thrown.class_info, {**thrown.properties, "stack": frames_value(stack)})


def _frames(stack: Value) -> tuple[StackFrame, ...]:
    rows = stack.elements() if isinstance(stack, StructArray) else [stack]
    return tuple(
        StackFrame(str(row.fields["name"]), str(row.fields["file"]), _line(row.fields["line"]))
        for row in rows
        if isinstance(row, Struct)
    )


def _line(value: Value) -> int:
    return int(value) if isinstance(value, float) else 0
