"""Running sums and products in machine code have NumPy's digits."""

from __future__ import annotations

import numpy as np
import pytest

from app import native
from app.accel.numerics.running_values import SOME, running


@pytest.fixture(autouse=True)
def _awake(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "is_awake", lambda: True)


@pytest.mark.parametrize("ufunc", [np.add, np.multiply])
@pytest.mark.parametrize("count", [0, 1, 2, SOME - 1, SOME, SOME + 1, 5000])
def test_the_digits_are_those_of_numpy(ufunc: np.ufunc, count: int) -> None:
    x = np.random.default_rng(count).normal(0.3, 1.1, count)
    x[::977] = -0.0
    wanted = ufunc.accumulate(x)
    assert running(ufunc, x).tobytes() == wanted.tobytes()
    assert running(ufunc, x, x) is x
    assert x.tobytes() == wanted.tobytes()


@pytest.mark.parametrize("at", [0, 700, 1999])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_goes_on(at: int, value: float) -> None:
    x = np.ones(2000)
    x[at] = value
    assert np.array_equal(running(np.add, x), np.cumsum(x), equal_nan=True)


@pytest.mark.parametrize("x", [np.ones(1000, np.float32), np.arange(1000), np.ones(2000)[::2]])
def test_other_classes_and_strides_are_numpys(x: np.ndarray) -> None:
    assert np.array_equal(running(np.add, x), np.cumsum(x, dtype=x.dtype))


def test_extremes_are_numpys() -> None:
    x = np.random.default_rng(1).normal(size=1000)
    assert np.array_equal(running(np.maximum, x), np.maximum.accumulate(x))
