"""Counts per bin: the same on the host, the device and in NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.accel.runtime.runtime import AccelOptions, Runtime

if TYPE_CHECKING:
    from app.accel.backends.base import Provider

EDGES = {
    "even": np.linspace(-2, 2, 101),
    "one": np.array([-1.0, 1.0]),
    "uneven": np.array([-np.inf, -1.0, 0.0, 0.0, 0.25, 3.0]),
    "many": np.linspace(-4, 4, 1025),
}


@pytest.mark.parametrize("name", ["f4", "f8"])
@pytest.mark.parametrize("kind", EDGES)
@pytest.mark.parametrize("count", [1, 1000, 300_001])
def test_counts(provider: Provider, count: int, kind: str, name: str) -> None:
    random = np.random.default_rng(count)
    data = np.round(random.normal(size=(count, 1)) * 16) / 16
    special = np.array([np.nan, -np.nan, np.inf, -np.inf, -0.0, 2.0])
    data[: special.size, 0] = special[: data.size]
    data = data.astype(name)
    edges = EDGES[kind].reshape(1, -1)
    results = []
    for device, used in (("gpu", provider), ("cpu", None)):
        runtime = Runtime(AccelOptions(device=device, verify=True), used)
        leaves = runtime.leaf(data), runtime.leaf(edges)
        counts = runtime.apply("histogram", leaves, ((1, edges.size - 1),))
        results.append(runtime.gather(counts))
        assert runtime.recorder.counters.fallbacks == 0
        if used is None:
            runtime.close()
    finite = data[np.isfinite(data) | np.isinf(data)].astype(np.float64)
    inside = finite[(finite >= edges[0, 0]) & (finite <= edges[0, -1])]
    place = np.clip(np.searchsorted(edges[0], inside, side="right"), 1, edges.size - 1)
    expected = np.bincount(place, minlength=edges.size)[1:]
    assert np.array_equal(results[0][0], expected)
    assert np.array_equal(results[1][0], expected)
