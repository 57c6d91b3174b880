"""``python -m tests.spellings.campaign [COUNT [FIRST [DEVICE [KIND]]]]``: random loops against plain
passes, of ``vectors``, ``matrices``, ``states`` (containers, objects, arrays that grow) or ``guards``
(matrices that may turn out complex).

A program gives the same values, the same text and the same error whether passes are kernels or not.
"""

from __future__ import annotations

import gc
import sys
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import numpy as np

from app.accel.runtime.runtime import AccelOptions, Runtime
from app.engine.capture import capture_session
from app.engine.capture.capture_session import Session
from app.engine.interpreter.error_conversion import is_internal
from app.engine.values import Cell, FunctionHandle, Struct, as_array
from app.engine.values.containers import NativeObject, ObjectValue, StructArray
from app.errors import MatlabError
from tests.engine.interpreter.running import Machine
from tests.spellings.guard_programs import guard_program
from tests.spellings.matrix_programs import matrix_program
from tests.spellings.random_programs import program
from tests.spellings.state_programs import FILES, state_program

TOLERANCE = 1e-7, 3e-4


def outcome(text: str) -> tuple[str, dict[str, np.ndarray]]:
    """What a program prints, with its error, and the numbers it leaves behind.

    An error of ours is no outcome, even where both sides have it: it is raised.
    """
    machine = Machine(Session.runtime)
    machine.interpreter.path.add([_folder()])
    error = ""
    try:
        machine.run(text)
    except MatlabError as problem:
        if is_internal(problem):
            problem.add_note(text)
            raise
        error = f"{problem.identifier}: {problem}"
    found: dict[str, np.ndarray] = {}
    for name, value in machine.interpreter.workspace.items():
        _numbers(name, value, found)
    return machine.host.text + error, found


@cache
def _folder() -> str:
    """The classes that programs use."""
    folder = Path(mkdtemp())
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return str(folder)


def _numbers(name: str, value: object, found: dict[str, np.ndarray]) -> None:
    if isinstance(value, Struct):
        for key, part in value.fields.items():
            _numbers(f"{name}.{key}", part, found)
    elif isinstance(value, ObjectValue):
        for key, part in value.properties.items():
            _numbers(f"{name}.{key}", part, found)
    elif isinstance(value, StructArray):
        for k, element in enumerate(value.elements()):
            _numbers(f"{name}({k + 1})", element, found)
    elif isinstance(value, Cell):
        for k, part in enumerate(value.items()):
            _numbers(f"{name}{{{k + 1}}}", part, found)
    elif not isinstance(value, FunctionHandle | NativeObject):
        found[name] = as_array(value)


def difference(text: str, runtime: Runtime) -> str:
    """What differs for a program; empty where nothing does."""
    expected = outcome(text)
    capture_session.activate(runtime, 64)
    try:
        found = outcome(text)
    finally:
        capture_session.deactivate()
        Machine()  # the latest interpreter is kept, with all its values
    if found[0] != expected[0]:
        return f"prints {found[0]!r}, not {expected[0]!r}"
    if found[1].keys() != expected[1].keys():
        return f"variables {sorted(found[1].keys() ^ expected[1].keys())}"
    for name, wanted in expected[1].items():
        other = _real(found[1][name], wanted)
        value = _real(wanted, other)
        if other.shape != value.shape or other.dtype != value.dtype:
            return f"{name} is {other.dtype}{other.shape}, not {value.dtype}{value.shape}"
        near = TOLERANCE[value.dtype.itemsize < 8 or value.dtype == np.complex64]
        if not np.allclose(other, value, near, near, equal_nan=True):
            return f"{name} differs"
    return ""


def _real(value: np.ndarray, other: np.ndarray) -> np.ndarray:
    """A value without an imaginary part that is but rounding, where the other one has none."""
    rounding = (
        value.dtype.kind == "c" and other.dtype.kind == "f" and np.all(abs(value.imag) < 1e-6)
    )
    return value.real if rounding else value


KINDS = {
    "vectors": program,
    "matrices": matrix_program,
    "states": state_program,
    "guards": guard_program,
}


def main(count: int, first: int, device: str, kind: str) -> int:
    """Try so many programs; how many differ."""
    written = KINDS[kind]
    options = AccelOptions(device=device, kernel_cache=False)
    runtime, wrong, kernels = Runtime(options), 0, 0
    for seed in range(first, first + count):
        found = difference(written(seed), runtime)
        if found:
            wrong += 1
            print(f"--- {seed}: {found}\n{written(seed)}", flush=True)
        if seed % 50 == 49:
            kernels += sum(g.kind == "loop" for g in runtime.recorder.groups.values())
            runtime.close()
            runtime = Runtime(options)
            gc.collect()
    runtime.close()
    print(f"{count} programs, {wrong} differ; {kernels} groups with the loop inside")
    return wrong


if __name__ == "__main__":
    given = [*sys.argv[1:], *("200", "0", "cpu", "vectors")[len(sys.argv) - 1 :]]
    sys.exit(bool(main(int(given[0]), int(given[1]), *given[2:])))
