"""Uploads between waiting dispatches, buffers that go round, sliced loops: no value is ever lost."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from app.accel.backends.wgpu import WgpuProvider, open_provider
from app.accel.codegen.wgsl.tuning import Tuning
from app.accel.ir.dtypes import DType
from app.accel.ir.node import Node
from app.accel.runtime.runtime import AccelOptions, Runtime
from tests.accel.graphs import Graph

F32 = DType.F32
PATHS, STEPS = 3000, 48


@pytest.fixture(scope="module")
def slicing() -> Iterator[WgpuProvider]:
    """A device whose loops are cut into many launches."""
    opened = open_provider("auto", Tuning(loop_steps=1e7))
    yield opened
    opened.close()


def price(g: Graph, key: int) -> Node:
    start = g.runtime.scalar(100.0, F32)
    trace = g.runtime.loop(STEPS)
    s = trace.carry(g.runtime.apply("fill", (start,), ((PATHS, 1),)))
    z = g.runtime.apply("random_normal", (), (F32, (PATHS, 1), 4 * PATHS), (key, 0))
    after = trace.finish([g.times(s, g.exp(g.plus(g.times(z, 0.0126), 0.00012)))])[0]
    return g.mean(g.max(g.minus(after, 100.0), 0.0))


def test_prices_thirty_times(slicing: WgpuProvider) -> None:
    device = Runtime(AccelOptions(device="gpu"), slicing)
    host = Runtime(AccelOptions(device="cpu"))
    g = Graph(device)
    for key in range(30):
        noise = device.leaf(np.full((PATHS, 1), np.float32(key)))
        waiting = g.times(noise, 2.0)
        device.evaluate([waiting])  # still on its way when the loop is handed in
        found = float(device.gather(price(g, key))[0, 0])
        if key % 5 == 0:
            expected = float(host.gather(price(Graph(host), key))[0, 0])
            assert found == pytest.approx(expected, rel=1e-4)
        assert 1.0 < found < 20.0
        assert device.gather_elements(waiting, [0, PATHS - 1]).tolist() == [2.0 * key] * 2
    assert device.recorder.counters.fallbacks == 0
    host.close()


def test_buffers_go_round_while_work_waits(provider: WgpuProvider) -> None:
    runtime = Runtime(AccelOptions(device="gpu"), provider)
    g, kept = Graph(runtime), {}
    for k in range(200):
        x = runtime.leaf(np.full((2048, 1), np.float32(k)))
        y = g.plus(g.times(x, 3.0), 1.0)
        runtime.evaluate([y])
        z = g.times(y, 0.5)
        runtime.evaluate([z])
        if k % 7 == 0:
            kept[k] = z
        del x, y, z
    for k, z in kept.items():
        values = runtime.gather(z)
        assert values.min() == values.max() == (3.0 * k + 1) / 2
