"""What a mask selects: the same on the host, the device and in NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.accel.codegen.algorithms import compact
from app.accel.runtime.runtime import AccelOptions, Runtime

if TYPE_CHECKING:
    from app.accel.backends.base import Provider

SIZES = [1, 3, 4, 7, 2047, 2048, 2049, 70001]


@pytest.mark.parametrize("name", ["f4", "f8", "u1", "i2", "i8", "b1"])
@pytest.mark.parametrize("share", [0.01, 0.5, 1.0])
@pytest.mark.parametrize("count", SIZES)
def test_selected_elements_and_places(
    provider: Provider, count: int, share: float, name: str
) -> None:
    random = np.random.default_rng(count)
    mask = random.random((count, 1)) < share
    mask[-1] = True
    data = (random.normal(size=(count, 1)) * 100).astype(name)
    runtime = Runtime(AccelOptions(device="gpu", verify=True), provider)
    shape = (int(mask.sum()), 1)
    leaves = runtime.leaf(data), runtime.leaf(mask)
    chosen = runtime.apply("compact", leaves, (shape,))
    places = runtime.apply("compact_index", leaves[1:], (shape,))
    runtime.evaluate([chosen, places])
    assert runtime.state(chosen) == "device"
    assert np.array_equal(runtime.gather(chosen)[:, 0], data[mask])
    assert np.array_equal(runtime.gather(places)[:, 0], np.flatnonzero(mask) + 1.0)
    assert runtime.recorder.counters.fallbacks == 0


def test_many_tiles_are_added_up_in_batches(
    provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compact, "BATCH", 2)
    mask = np.random.default_rng(1).random((1_100_000, 1)) < 0.3
    runtime = Runtime(AccelOptions(device="gpu", verify=True), provider)
    node = runtime.apply("compact_index", (runtime.leaf(mask),), ((int(mask.sum()), 1),))
    assert np.array_equal(runtime.gather(node)[:, 0], np.flatnonzero(mask) + 1.0)
    assert runtime.recorder.counters.dispatches == 3


def test_the_host_does_the_same() -> None:
    runtime = Runtime(AccelOptions(device="cpu", verify=True))
    data = np.arange(5000.0).reshape(-1, 1)
    leaf = runtime.leaf(data)
    mask = runtime.apply("gt", (leaf, runtime.scalar(4990.0)))
    chosen = runtime.apply("compact", (leaf, mask), ((9, 1),))
    assert np.array_equal(runtime.gather(chosen)[:, 0], np.arange(4991.0, 5000.0))
    runtime.close()
