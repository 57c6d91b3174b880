"""Runs a text in the interpreter and in machine code; both must leave the same behind."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.engine.jit.policy import Policy
from app.engine.values import (
    Cell,
    CharArray,
    ObjectValue,
    Struct,
    StructArray,
    Value,
    class_of,
    size_of,
)
from app.engine.values.random_stream import stream_of
from app.errors import MatlabError
from app.native import THOROUGH
from tests.engine.interpreter.running import Machine

FILE = "/nowhere/program.m"


@dataclass
class Outcome:
    """What a run left behind."""

    output: str
    error: tuple[Any, ...] | None
    variables: dict[str, Any]
    drawn: int


@contextmanager
def eager(passes: int, level: int = THOROUGH) -> Iterator[None]:
    """Every loop is compiled after ``passes`` passes, and waited for."""
    Policy.eager, Policy.passes, Policy.level = True, passes, level
    try:
        yield
    finally:
        Policy.eager, Policy.passes, Policy.level = False, 0, THOROUGH


def frozen(v: Value) -> Any:
    """A value that can be compared to the bit, NaN included."""
    if isinstance(v, np.ndarray):
        return class_of(v), size_of(v), np.where(v != v, 12345.678, v).tolist()
    if isinstance(v, CharArray):
        return class_of(v), size_of(v), v.data.tolist()
    if isinstance(v, Cell):
        return class_of(v), size_of(v), [frozen(item) for item in v.data.ravel()]
    if isinstance(v, Struct):
        return {name: frozen(part) for name, part in v.fields.items()}
    if isinstance(v, StructArray):
        return size_of(v), [frozen(part) for part in v.elements()]
    if isinstance(v, ObjectValue):
        return class_of(v), {name: frozen(part) for name, part in v.properties.items()}
    if isinstance(v, float):
        return "nan" if v != v else (v, np.signbit(v))
    return (class_of(v), size_of(v), repr(v) if isinstance(v, bool | str | complex) else "")


def outcome(text: str, compiled: bool, folder: str = "") -> Outcome:
    """Run a text once; the files of a folder are in reach."""
    machine = Machine()
    if folder:
        machine.interpreter.path.add([folder])
    machine.interpreter.settings.compile_loops = compiled
    error = None
    output = ""
    try:
        output = machine.run(text, FILE)
    except MatlabError as problem:
        places = [(f.name, f.line, f.column) for f in problem.stack[:40]]
        error = (problem.identifier, problem.message, places, problem.caret)
    variables = {n: frozen(v) for n, v in machine.interpreter.workspace.items()}
    return Outcome(output, error, variables, stream_of(machine.interpreter.context).offset)


def compare(text: str, passes: int = 0, level: int = THOROUGH, folder: str = "") -> Outcome:
    """Both ways; what they left behind is the same."""
    plain = outcome(text, compiled=False, folder=folder)
    with eager(passes, level):
        fast = outcome(text, compiled=True, folder=folder)
    assert fast.error == plain.error, text
    assert fast == plain, text
    return plain
