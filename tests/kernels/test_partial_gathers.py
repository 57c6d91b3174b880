"""What a script reads of an array on the device is all that is fetched, to the byte."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from app.accel.runtime.runtime import Runtime
from app.engine.capture import capture_session
from app.engine.capture.capture_session import Session
from app.engine.values import as_array
from tests.engine.interpreter.running import Machine

ROWS, COLUMNS = 300, 200
MADE = f"X = reshape(sin((1:{ROWS * COLUMNS}) / 100), {ROWS}, {COLUMNS});"
READS = {
    "X(1:10, 1:10)": 100,
    "X(end, :)": COLUMNS,
    "X(:, 3)": ROWS,
    "X(5)": 1,
    "X(17, 4)": 1,
    "X(1:7)": 7,
    "X(2:3:40)": 13,
    "X((5:9)')": 5,
    "X(3:5, end)": 3,
    "X(end:-1:end-3, 2)": 4,
    "X([1 5 9], 2)": 3,
    "X(1:60:end, 1:100:end)": 10,
}


@pytest.fixture
def machine(runtime: Runtime) -> Iterator[Machine]:
    capture_session.activate(runtime, 1024)
    made = Machine(runtime)
    made.run(MADE)
    yield made
    capture_session.deactivate()
    Machine()  # the latest interpreter is kept, with all its values


def whole() -> np.ndarray:
    return np.sin(np.arange(1.0, ROWS * COLUMNS + 1) / 100).reshape(ROWS, COLUMNS, order="F")


def read(machine: Machine, text: str, ready: bool) -> np.ndarray:
    """The value of an expression on an array that has been computed, or is still pending."""
    if ready:
        node = machine.interpreter.workspace["X"].node
        Session.runtime.evaluate([node], "test")
    before = Session.runtime.recorder.counters.download_bytes
    found = as_array(machine.value(text))
    spent = Session.runtime.recorder.counters.download_bytes - before
    assert spent == 8 * READS.get(text, found.size)
    return found


@pytest.mark.parametrize("ready", [True, False])
@pytest.mark.parametrize("text", READS)
def test_only_what_is_read_is_fetched(machine: Machine, text: str, ready: bool) -> None:
    found = read(machine, text, ready)
    kept, Session.runtime = Session.runtime, None
    plain = Machine()
    try:
        plain.run(MADE)
        expected = as_array(plain.value(text))
    finally:
        Session.runtime = kept
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_many_parts_fetch_everything_once(machine: Machine) -> None:
    machine.run(f"{MADE} s = 0; for k = 1:200, s = s + X(k, 2); end")
    counters = Session.runtime.recorder.counters
    assert counters.downloads < 20
    assert counters.download_bytes < 8 * ROWS * COLUMNS + 8 * 20
    np.testing.assert_allclose(machine.interpreter.workspace["s"], whole()[:200, 1].sum())


def test_bounds_are_checked_before_anything_is_fetched(machine: Machine) -> None:
    problem = machine.fails("X(1:10, 201);")
    assert "out of bounds" in str(problem) or "must not exceed" in str(problem)
