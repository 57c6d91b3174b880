"""Columns stored one by one in a large array are stored in place, whatever computes them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from app.accel.runtime.runtime import AccelOptions, Runtime
from app.engine.capture import capture_session
from app.engine.values import as_array
from tests.engine.interpreter.running import Machine

SET_UP = "n = 20000; m = 120; s.x = 0; x = zeros(n, m + 1); x(:, 1) = 1; w = (1:n)'/n;"
LOOPS = {
    "for": "for k = 1:m, x(:, k+1) = x(:, k).*exp(0.01*w*k); end",
    "while": "k = 0; while k < m, k = k + 1; x(:, k+1) = x(:, k).*exp(0.01*w*k); end",
    "with a look": "for k = 1:m, [~, q] = max(w*k); v = w + (q/n - 1); "
    "x(:, k+1) = x(:, k).*exp(0.01*v*k); end",
    "in a field": "s.x = x; for k = 1:m, s.x(:, k+1) = s.x(:, k).*exp(0.01*w*k); end, x = s.x;",
}
"""Spellings of one computation."""


@pytest.fixture
def runtime() -> Iterator[Runtime]:
    made = Runtime(AccelOptions(device="cpu"))
    capture_session.activate(made, 4096)
    yield made
    capture_session.deactivate()
    made.close()


def _expected(n: int, m: int) -> np.ndarray:
    w = np.arange(1.0, n + 1) / n
    return np.exp(np.outer(0.01 * w, np.cumsum(np.arange(m + 1.0))))


@pytest.mark.parametrize("loop", LOOPS.values(), ids=LOOPS)
def test_the_columns_are_stored_in_place(runtime: Runtime, loop: str) -> None:
    machine = Machine(runtime)
    machine.run(SET_UP + loop)
    stored = machine.interpreter.base["x"]
    assert type(stored) is np.ndarray  # on the graph each write would be a copy of it
    np.testing.assert_allclose(as_array(stored), _expected(20000, 120), rtol=1e-10)
