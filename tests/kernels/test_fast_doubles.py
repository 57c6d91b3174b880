"""Doubles in single precision on a device that has none, when the user asks for it."""

from __future__ import annotations

import numpy as np

from app.accel.backends.fast_doubles import FastDoubles
from app.accel.backends.wgpu import WgpuProvider
from app.accel.ir.dtypes import DType
from app.accel.runtime.runtime import AccelOptions, Runtime
from tests.accel.graphs import Graph


def runtime_on(provider: WgpuProvider) -> Runtime:
    return Runtime(AccelOptions(device="gpu", verify=True), FastDoubles(provider))


def test_doubles_are_computed_as_singles(provider: WgpuProvider) -> None:
    runtime = runtime_on(provider)
    g, data = Graph(runtime), np.linspace(0.1, 3.0, 5000)
    y = g.plus(g.sin(g.leaf(data)), 0.1)
    total = g.total(g.times(y, y))
    got = runtime.gather(y)
    assert got.dtype == np.float64
    expected = np.sin(data)[:, None] + 0.1
    np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-6)
    assert not np.array_equal(got, expected)
    np.testing.assert_allclose(runtime.gather(total), (expected**2).sum(), rtol=1e-4)
    rows = list(runtime.recorder.groups.values())
    assert {row.provider for row in rows} == {"wgpu"}
    assert rows[0].detail == "doubles in single precision (fast doubles)"


def test_random_doubles_keep_their_bits(provider: WgpuProvider) -> None:
    runtime, host = runtime_on(provider), Runtime(AccelOptions(device="cpu"))
    drawn = [r.gather(Graph(r).rand(3000, 1, dtype=DType.F64)) for r in (runtime, host)]
    np.testing.assert_array_equal(*drawn)
    assert runtime.recorder.counters.fallbacks == 1


def test_mixed_classes_and_loops(provider: WgpuProvider) -> None:
    runtime = runtime_on(provider)
    g = Graph(runtime)
    trace = runtime.loop(5)
    x = trace.carry(g.leaf(np.linspace(0, 1, 4000)))
    after = trace.finish([g.plus(g.times(x, 0.5), trace.counter)])[0]
    whole = g.cast(g.times(after, 10.0), attrs=(DType.I32,))
    state = np.linspace(0, 1, 4000)
    for k in range(5):
        state = state * 0.5 + 1 + k
    assert np.abs(runtime.gather(whole).ravel() - state * 10).max() <= 0.51
