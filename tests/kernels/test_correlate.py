"""Sums of neighbours are SciPy's, whatever the sizes and wherever the result begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from scipy import signal

from app.accel.runtime.runtime import AccelOptions, Runtime

if TYPE_CHECKING:
    from app.accel.backends.base import Provider


@pytest.mark.parametrize("name", ["f4", "f8"])
@pytest.mark.parametrize(
    ("shape", "kernel", "how"),
    [
        ((70, 130), (9, 9), "same"),
        ((70, 130), (17, 33), "full"),
        ((40, 50), (16, 3), "valid"),
        ((5000, 1), (70, 1), "full"),
        ((5000, 1), (300, 1), "same"),
        ((33, 40), (1, 70), "full"),
    ],
)
def test_neighbours(
    provider: Provider, name: str, shape: tuple[int, int], kernel: tuple[int, int], how: str
) -> None:
    rng = np.random.default_rng(sum(shape))
    x, k = (np.asfortranarray(rng.normal(size=size).astype(name)) for size in (shape, kernel))
    x[3, 0] = np.inf  # it reaches those whose kernel covers it, and no other
    before = {
        "full": (kernel[0] - 1, kernel[1] - 1),
        "valid": (0, 0),
        "same": ((kernel[0] - 1) // 2, (kernel[1] - 1) // 2),
    }[how]
    expected = signal.correlate(x.astype(float), k.astype(float), "full", "direct")
    size = {
        "full": expected.shape,
        "same": shape,
        "valid": tuple(m - p + 1 for m, p in zip(shape, kernel, strict=True)),
    }[how]
    first = [p - 1 - b for p, b in zip(kernel, before, strict=True)]
    expected = expected[first[0] : first[0] + size[0], first[1] : first[1] + size[1]]
    runtime = Runtime(AccelOptions(device="gpu", verify=True), provider)
    leaves = tuple(runtime.leaf(a) for a in (x, k))
    node = runtime.apply("correlate", leaves, (*before, *size, *kernel))
    found = runtime.gather(node)
    assert runtime.recorder.counters.dispatches == 1
    assert runtime.recorder.counters.fallbacks == 0
    scale = np.abs(k).sum() * 4
    finite = np.isfinite(expected)
    assert np.array_equal(np.isfinite(found), finite)
    most = scale * (1e-6 if name == "f4" else 1e-15)
    assert np.abs(found[finite] - expected[finite]).max() < most
