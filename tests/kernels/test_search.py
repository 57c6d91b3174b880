"""Where numbers belong in a sorted line: the same on the host, the device and in NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.accel.runtime.runtime import AccelOptions, Runtime

if TYPE_CHECKING:
    from app.accel.backends.base import Provider


@pytest.mark.parametrize("name", ["f4", "f8", "u1", "i2", "i4", "u4", "i8", "u8", "b1"])
@pytest.mark.parametrize(("size", "count"), [(1, 1), (7, 300), (5000, 700), (257, 70001)])
@pytest.mark.parametrize("device", ["gpu", "cpu"])
def test_places_are_those_of_numpy(
    provider: Provider, size: int, count: int, name: str, device: str
) -> None:
    draw = np.random.default_rng(size)
    line, queries = (np.round(draw.normal(size=(n, 1)) * 40) for n in (size, count))
    if name in ("f4", "f8") and size > 6:
        special = [np.nan, np.inf, -np.inf, -0.0, 0.0, 5e-324]
        line[:6, 0], queries[:6, 0] = special, special[::-1]
    line, queries = (np.abs(a) if name[0] == "u" else a for a in (line, queries))
    line, queries = np.sort(line.astype(name), axis=0), queries.astype(name)
    if device == "gpu":
        runtime = Runtime(AccelOptions(device="gpu", verify=True), provider)
    else:
        runtime = Runtime(AccelOptions(device="cpu", verify=True))
    leaves = runtime.leaf(queries), runtime.leaf(line)
    for equals in (False, True):
        found = runtime.gather(runtime.apply("search", leaves, (equals,)))
        side = "right" if equals else "left"
        assert np.array_equal(found[:, 0], np.searchsorted(line[:, 0], queries[:, 0], side=side))
        own = runtime.gather(runtime.apply("search", (leaves[1], leaves[1]), (equals,)))
        assert np.array_equal(own[:, 0], np.searchsorted(line[:, 0], line[:, 0], side=side))
    assert runtime.recorder.counters.fallbacks == 0
    if device == "cpu":
        runtime.close()
