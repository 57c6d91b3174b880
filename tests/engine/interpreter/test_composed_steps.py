"""Loops over functions that are many steps on a device are traced as others are."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from app.accel.backends.wgpu import open_provider
from app.accel.runtime.runtime import AccelOptions, Runtime
from app.engine.capture import capture_session
from app.engine.values import as_array
from tests.engine.interpreter.running import Machine

START = (
    "n = 3000; x = linspace(0, 10, n); q = mod((1:n) * 0.377, 10); y = sin(x) + 0.1 * cos(37 * x);"
)
STEPS = (
    "y = interp1(x, y, q);",
    "y = 0.5 * y + interp1(x, y, q, 'nearest', 0);",
    "y = reshape(interp2(reshape(y, 50, 60), reshape(q * 5.9 + 1, 50, 60), reshape(q * 4.9 + 1, 50, 60)), 1, []);",
    "y = y - 0.1 * median(y);",
    "y = movmean(y, 5) + 0.01 * k;",
    "s.y = y; s.y = s.y - quantile(s.y, 0.3); y = s.y;",
    "y = 0.9 * y + 0.1 * cumtrapz(x, y);",
)


@pytest.fixture(scope="module")
def device() -> Iterator[Runtime]:
    made = Runtime(AccelOptions(device="gpu"), open_provider())
    yield made
    made.close()


@pytest.mark.parametrize("step", STEPS)
def test_no_pass_is_planned_by_itself(device: Runtime, step: str) -> None:
    text = START + "for k = 1:12, " + step + " end"
    capture_session.activate(device, 1024)
    try:
        device.recorder.boundaries.clear()
        machine = Machine(device)
        machine.run(text)
        found = as_array(machine.interpreter.base["y"])
    finally:
        capture_session.deactivate()
    reasons = [row.detail for row in device.recorder.boundaries.values()]
    assert not [reason for reason in reasons if "pass by pass" in reason]
    plain = Machine()
    plain.run(text)
    np.testing.assert_allclose(found, as_array(plain.interpreter.base["y"]), rtol=1e-9, atol=1e-12)
