"""Filtering past the wrapper of SciPy's package gives its bits."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import signal

from app.engine.builtins.signals.filters import linear_filter

KINDS = (np.float32, np.float64, np.complex128)


@pytest.mark.parametrize("seed", range(60))
def test_filters_are_those_of_the_package(seed: int) -> None:
    drawn = np.random.default_rng(seed)
    b = drawn.normal(size=drawn.integers(1, 5)).astype(KINDS[drawn.integers(3)])
    a = drawn.normal(size=drawn.integers(1, 4)).astype(KINDS[drawn.integers(2)])
    shape = tuple(drawn.integers(1, 6, size=drawn.integers(1, 4)))
    axis = int(drawn.integers(len(shape)))
    x = drawn.normal(size=shape).astype(KINDS[drawn.integers(3)])
    states = [*shape]
    states[axis] = max(b.size, a.size) - 1
    start = drawn.normal(size=states).astype(np.result_type(a, b, x))
    expected = signal.lfilter(b, a, x, axis=axis, zi=start)
    for found, wanted in zip(linear_filter(b, a, x, axis, start), expected, strict=True):
        assert found.dtype == wanted.dtype
        assert np.array_equal(found, wanted)
