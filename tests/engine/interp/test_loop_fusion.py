"""Loops that become one kernel give what they give pass by pass."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from app.accel.runtime import AccelOptions, Runtime
from app.engine.builtins import capture
from app.engine.values import as_array
from tests.engine.interp.running import Machine

PROGRAMS = {
    "ema": "y = zeros(n, 1); for t = 1:20, y = 0.3 * x(:, t) + 0.7 * y; end",
    "bank": "y = zeros(n, 1); Y = zeros(n, 20); for t = 1:20, y = 0.9 * y + x(:, t); Y(:, t) = y; end",
    "logistic": "y = x(:, 1); for k = 1:30, y = 3.7 * y .* (1 - y); end",
    "brownian": "y = 100 * ones(n, 1); for k = 1:8, z = randn(n, 1); y = y .* exp(0.01 + 0.1 * z); end",
    "counter": "y = x(:, 1); s = 0; for k = 3:2:21, y = y + k * x(:, 2); s = s + k; end",
    "shifted": "y = zeros(n, 1); for k = 1:19, y = y + x(:, k + 1) - x(:, 21 - k); end",
}


@pytest.fixture
def runtime() -> Iterator[Runtime]:
    made = Runtime(AccelOptions(device="cpu"))
    capture.activate(made, 64)
    yield made
    capture.deactivate()
    made.close()


def outcome(program: str) -> dict[str, object]:
    machine = Machine(capture.Session.runtime)
    machine.run(f"n = 500; x = reshape((1:{500 * 20}) / 1e4, n, 20);\n{program}")
    return machine.interpreter.workspace


@pytest.mark.parametrize("name", PROGRAMS)
def test_same_answer_as_pass_by_pass(name: str, runtime: Runtime) -> None:
    plain_runtime, capture.Session.runtime = capture.Session.runtime, None
    expected = outcome(PROGRAMS[name])
    capture.Session.runtime = plain_runtime
    found = outcome(PROGRAMS[name])
    assert any(g.kind == "loop" for g in _groups(runtime, found))
    for variable, value in expected.items():
        np.testing.assert_allclose(as_array(found[variable]), as_array(value), rtol=1e-12)


def _groups(runtime: Runtime, found: dict[str, object]) -> list[object]:
    for value in found.values():
        as_array(value)
    return list(runtime.recorder.groups.values())


@pytest.mark.parametrize(("body", "reason"), [
    ("y = sort(y);", "sort runs on the host"),
    ("y(2:end) = y(1:end-1) + 1;", "a part of a value that the loop computes is read"),
    ("y = y + rand;", "a random scalar is drawn in every pass"),
])  # fmt: skip
def test_other_loops_run_pass_by_pass_and_say_why(body: str, reason: str, runtime: Runtime) -> None:
    outcome(f"y = x(:, 1); for k = 1:10, {body} end")
    assert any(reason in row.detail for row in runtime.recorder.boundaries.values())
