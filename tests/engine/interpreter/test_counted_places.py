"""Places that follow from the counter in any way are known before the passes, as batches are."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from app.accel.backends.wgpu import open_provider
from app.accel.runtime.runtime import AccelOptions, Runtime
from app.engine.capture import capture_session
from app.engine.values import as_array
from app.errors import MatlabError
from tests.engine.interpreter.running import Machine

START = "X = reshape(mod((1:18000) * 0.618, 1), 3000, 6); y = zeros(1500, 1); "
TRACED = {
    "batches": "for k = 1:12, i = mod((k - 1) * 1500, 3000); y = 0.5 * y + X(i+1:i+1500, 2) .* X(i+1:i+1500, 3); end",
    "by fields": "p.b = 1500; for k = 1:12, p.i = mod(k * p.b, 3000); y = 0.5 * y + X(p.i+1:p.i+p.b, 2); end, clear p",
    "a list": "for k = 1:12, i = mod(k * 1500, 3000); at = i+1:i+1500; y = 0.5 * y + X(at, 2) .* X(at, 3); end",
    "stored": "y = X(:, 1); for k = 1:12, i = mod(k * 700, 1500); y(i+1:i+1500) = y(i+1:i+1500) * 0.5 + k; end",
    "columns": "y = 0 * X(:, 1); for k = 1:20, y = 0.9 * y + X(:, mod(k, 6) + 1); end",
    "while": "k = 0; while k < 20, k = k + 1; i = rem(k, 2) * 1500; y = 0.9 * y + X(i+1500:-1:i+1, 1); end",
    "rounded": "y = 0 * X(:, 1); for k = 1:20, y = 0.9 * y + X(:, ceil(k / 4)); end",
    "numbers made": "y = X(:, 1); for k = 1:30, t = k * 0.1; u = t^2; m = mod(k, 3) == 0; y = y * 0.9 + u + m; end",
}
OTHERS = (
    "for k = 1:12, i = mod(k * 400, 3000); y(1:500) = 0.5 * y(1:500) + X(i+1:i+500, 1); end",
    "for k = 1:40, i = 100 * floor(k^1.1); y(1:500) = 0.5 * y(1:500) + X(i+1:i+500, 1); end",
    "for k = 1:12, i = mod(k * 0.5, 10); y(1:500) = 0.5 * y(1:500) + X(i+1:i+500, 1); end",
    "y = 0 * X(:, 1); for k = 1:12, y = 0.5 * y + X(:, mod(k, 6)); end",
    "for k = 1:12, i = mod(k, 5); y = y + sum(X(i+1:2*i+1500, 1)); end",
    "for k = 1:12, i = mod(k * 500, 3000); e = min(i + 500, 2900); y = y + sum(X(i+1:e, 1)); end",
    "y = X(:, 1); for k = 1:12, if k > 1, y = y + t; end, t = k * 0.1; end",
)
"""Places that are not valid in all passes, rows of several lengths, and a number read later."""


@pytest.fixture(scope="module")
def device() -> Iterator[Runtime]:
    made = Runtime(AccelOptions(device="gpu"), open_provider())
    yield made
    made.close()


def _run(text: str, runtime: Runtime | None) -> tuple[dict[str, np.ndarray], str]:
    """The numbers that a program leaves, and its error."""
    if runtime is not None:
        capture_session.activate(runtime, 512)
    try:
        machine, problem = Machine(runtime), ""
        try:
            machine.run(START + text)
        except MatlabError as found:
            problem = str(found)
        held = machine.interpreter.base
        return {n: as_array(held[n]) for n in "ykitum" if held.get(n) is not None}, problem
    finally:
        if runtime is not None:
            capture_session.deactivate()


def _assert_alike(device: Runtime, text: str) -> None:
    (found, problem), (expected, wanted) = _run(text, device), _run(text, None)
    assert problem == wanted
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        assert found[name].dtype == value.dtype
        np.testing.assert_allclose(found[name], value, rtol=1e-12)


@pytest.mark.parametrize("text", TRACED.values(), ids=TRACED)
def test_no_pass_is_planned_by_itself(device: Runtime, text: str) -> None:
    device.recorder.boundaries.clear()
    _assert_alike(device, text)
    reasons = [row.detail for row in device.recorder.boundaries.values()]
    assert not [reason for reason in reasons if "runs pass by pass" in reason]


@pytest.mark.parametrize("text", OTHERS)
def test_other_places(device: Runtime, text: str) -> None:
    _assert_alike(device, text)
