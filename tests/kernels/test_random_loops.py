"""Random loops on the device against passes one by one on the host."""

from __future__ import annotations

import os

import numpy as np
import pytest

from app.accel.runtime.runtime import Runtime
from app.engine.capture import capture_session
from app.engine.capture.capture_session import Session
from app.engine.values import as_array
from tests.engine.interpreter import random_loops
from tests.engine.interpreter.running import Machine

COUNT = int(os.environ.get("RANDOM_LOOPS", "6"))


def outcome(program: str) -> dict[str, np.ndarray]:
    machine = Machine(Session.runtime)
    machine.run(program)
    return {name: as_array(value) for name, value in machine.interpreter.workspace.items()}


@pytest.mark.parametrize("seed", range(9000, 9000 + COUNT))
def test_device_agrees_with_plain_passes(runtime: Runtime, seed: int) -> None:
    program = random_loops.program(seed)
    expected = outcome(program)
    capture_session.activate(runtime, 64)
    try:
        found = outcome(program)
    finally:
        capture_session.deactivate()
        Machine()  # the latest interpreter is kept, with all its values
    for name, value in expected.items():
        np.testing.assert_allclose(found[name], value, 1e-7, 1e-7, err_msg=f"{name} of {program}")
