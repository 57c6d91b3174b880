"""Runs a spelled program and says what it took: kernels, bytes, downloads, and the answers."""

from __future__ import annotations

import gc
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from app.accel.runtime.kept_tapes import tapes_of
from app.accel.runtime.runtime import AccelOptions, Runtime
from app.engine.capture import capture_session
from app.engine.values import DeviceArray, as_array
from tests.engine.interpreter.running import Machine
from tests.spellings.rewriting import Loop, Spelled
from tests.support.machine_code import interpreted_loops

CAPTURE = 64
"""Elements from which arrays are captured."""


@dataclass(frozen=True)
class Measured:
    """What a program took.

    Attributes:
        groups: kind, kernel and bytes of every group, with how often it ran, sorted.
        downloads: downloads and their bytes.
        answers: the results by name.
        reasons: why loops ran pass by pass.
    """

    groups: tuple[tuple[str, int, int], ...]
    downloads: tuple[int, int]
    answers: dict[str, np.ndarray]
    reasons: tuple[str, ...]

    @property
    def plan(self) -> object:
        """What must be the same in every spelling."""
        return self.groups, self.downloads


def measure(loop: Loop, spelled: Spelled, folder: Path, runtime: Runtime) -> Measured:
    """Run set-up and program in a fresh session."""
    for name, text in spelled.files.items():
        (folder / name).write_text(text)
    tapes_of(runtime).forms.clear()  # what an earlier spelling recorded
    capture_session.activate(runtime, CAPTURE)
    try:
        with interpreted_loops():
            return _measured(loop, spelled, folder, runtime)
    finally:
        capture_session.deactivate()
        Machine()  # the latest interpreter is kept, with all its values
        gc.collect()


def _measured(loop: Loop, spelled: Spelled, folder: Path, runtime: Runtime) -> Measured:
    machine = Machine(runtime)
    machine.interpreter.path.add([str(folder)])
    if spelled.before:
        machine.run(spelled.before)
    capture_session.begin_run()
    machine.run(f"rng(3);\n{loop.computation.setup}")
    for name, value in machine.interpreter.workspace.items():
        if isinstance(value, DeviceArray):  # what the loop begins with is known
            machine.interpreter.base[name] = value.gather()
    recorder = runtime.recorder
    before = {k: (g.executions, g.kind) for k, g in recorder.groups.items()}
    said = set(recorder.boundaries)
    counted = recorder.counters.downloads, recorder.counters.download_bytes
    machine.run(spelled.text)
    workspace = machine.interpreter.workspace
    answers = {name: as_array(workspace[name]) for name in loop.results}
    groups = sorted(
        (g.kind, g.bytes, g.executions - before.get(k, (0, ""))[0])
        for k, g in recorder.groups.items()
        if g.executions > before.get(k, (0, ""))[0]
    )
    downs = recorder.counters.downloads - counted[0], recorder.counters.download_bytes - counted[1]
    reasons = tuple(
        row.detail
        for key, row in recorder.boundaries.items()
        if key not in said and "pass by pass" in row.detail
    )
    return Measured(tuple(groups), downs, answers, reasons)


def same_bits(a: dict[str, np.ndarray], b: dict[str, np.ndarray]) -> list[str]:
    """The names whose values differ in class, size or any bit."""
    return [n for n in a if not _equal(a[n], b[n])]


def _equal(a: Any, b: Any) -> bool:
    return bool(
        a.dtype == b.dtype and a.shape == b.shape and a.tobytes(order="F") == b.tobytes(order="F")
    )


def device_options() -> AccelOptions:
    """Everything on the device, nothing kept from run to run."""
    return AccelOptions(device="gpu", kernel_cache=False)
