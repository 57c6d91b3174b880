"""Parts that are set to what leaves the real numbers make the whole array complex."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from app.accel.backends.wgpu import open_provider
from app.accel.runtime.runtime import AccelOptions, Runtime
from app.engine.capture import capture_session
from app.engine.values import as_array
from tests.engine.interpreter.running import Machine

STORES = {
    "a range": "y = zeros(1, n); y(2:end) = sqrt(x(2:end));",
    "a row in a field": "s.y = zeros(2, n); s.y(1, :) = log(x); y = s.y;",
    "a part that is read": "y = zeros(1, n); for k = 1:5, y(1:m) = y(1:m) + sqrt(k * x(1:m)); end",
    "a column": "y = zeros(n, 2); y(:, 2) = (x') .^ 0.5;",
    "a few": "y = zeros(1, n); y(1:3) = sqrt([-1 2 3]);",
    "a mask": "y = zeros(1, n); y(x < 0) = sqrt(x(x < 0));",
    "places": "y = zeros(1, n); y([1 3 5]) = acos([2 3 4]);",
    "everything": "y = zeros(1, n); y(:) = sqrt(x);",
    "roots that are real": "y = zeros(1, n); y(2:end) = sqrt(abs(x(2:end)));",
}


@pytest.fixture(params=["cpu", "gpu"])
def runtime(request: pytest.FixtureRequest) -> Iterator[Runtime]:
    provider = open_provider() if request.param == "gpu" else None
    made = Runtime(AccelOptions(device=request.param), provider)
    capture_session.activate(made, 2048)
    yield made
    capture_session.deactivate()
    made.close()


def _answers(text: str, runtime: Runtime | None) -> dict[str, np.ndarray]:
    machine = Machine(runtime)
    begun = "n = 30000; m = 15000; x = linspace(-1, 1, n);"
    machine.run(f"{begun}{text} r = isreal(y); t = y'; q = y.'; s = sum(y(:));")
    return {name: as_array(machine.interpreter.base[name]) for name in "rtqs"}


@pytest.mark.parametrize("store", STORES)
def test_it_is_complex_as_on_the_host(runtime: Runtime, store: str) -> None:
    """``isreal`` and the conjugating transpose look at what may have become complex."""
    found = _answers(STORES[store], runtime)
    capture_session.deactivate()
    for name, value in _answers(STORES[store], None).items():
        np.testing.assert_allclose(found[name], value, rtol=1e-9, atol=1e-12, err_msg=name)
