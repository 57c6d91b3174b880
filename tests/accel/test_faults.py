"""What goes wrong on a device: the run goes on, says so once, and the numbers are right."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from dataclasses import replace
from weakref import ref

import numpy as np
import pytest

from app.accel.backends.null import NullProvider
from app.accel.backends.wgpu import WgpuProvider
from app.accel.backends.wgpu.device import open_device
from app.accel.ir.node import Node
from app.accel.runtime.runtime import AccelOptions, Runtime
from app.errors import DeviceLost, MatlabError, OutOfDeviceMemory, Unsupported
from tests.accel.graphs import Graph
from tests.support.adapters import require_adapter

N = 5000


class Bench:
    """A runtime whose device can be opened again, and the devices it opened."""

    def __init__(self, limit: int = 0) -> None:
        self.limit = limit
        self.opened: list[WgpuProvider] = []
        self.runtime = Runtime(AccelOptions(device="gpu", verify=True), opener=self._open)
        self.g = Graph(self.runtime)
        require_adapter(self.runtime.open())

    def _open(self, name: str) -> WgpuProvider:
        device = open_device(name)
        info = replace(device.info, max_binding_bytes=self.limit or device.info.max_binding_bytes)
        self.opened.append(WgpuProvider(replace(device, info=info)))
        return self.opened[-1]

    def lose(self) -> None:
        self.opened[-1].faults.lost = True

    def notices(self) -> list[str]:
        rows = self.runtime.recorder.boundaries.values()
        return [row.detail for row in rows if row.reason.value == "device-lost"]


@pytest.fixture
def bench(caplog: pytest.LogCaptureFixture) -> Iterator[Bench]:
    caplog.expected = True  # type: ignore[attr-defined]
    made = Bench()
    yield made
    made.runtime.close()


@pytest.fixture
def cramped(caplog: pytest.LogCaptureFixture) -> Iterator[Bench]:
    """Arrays of the tests are larger than what this device binds at once."""
    caplog.expected = True  # type: ignore[attr-defined]
    made = Bench(16 << 10)
    yield made
    made.runtime.close()


def column() -> np.ndarray:
    return np.linspace(0.1, 1.0, N)[:, None]


def test_lost_in_a_run_the_device_is_opened_anew(bench: Bench) -> None:
    x = bench.g.leaf(column())
    bench.runtime.to_device(x)
    bench.lose()
    y = bench.g.plus(bench.g.sin(x), 1.0)
    np.testing.assert_allclose(bench.runtime.gather(y), np.sin(column()) + 1, rtol=1e-14)
    assert len(bench.opened) == 2
    assert [row.provider for row in bench.runtime.recorder.groups.values()][-1] == "wgpu"
    assert len(bench.notices()) == 1
    assert bench.runtime.recorder.counters.fallbacks == 1


def test_values_on_the_device_are_computed_again(bench: Bench) -> None:
    x = bench.g.leaf(column())
    y = bench.g.exp(x)
    bench.runtime.evaluate([y])
    z = bench.g.times(y, 2.0)
    bench.runtime.evaluate([z])
    assert (bench.runtime.state(y), bench.runtime.state(z)) == ("device", "device")
    bench.lose()
    np.testing.assert_allclose(bench.runtime.gather(z), 2 * np.exp(column()), rtol=1e-14)
    np.testing.assert_allclose(bench.runtime.gather(y), np.exp(column()), rtol=1e-14)
    assert len(bench.notices()) == 1


def test_random_numbers_come_back_the_same(bench: Bench) -> None:
    x = bench.g.rand(N, 1)
    bench.runtime.evaluate([x])
    before = bench.runtime.gather_elements(x, [7])
    bench.lose()
    assert bench.runtime.gather(x)[7, 0] == before[0]


def test_what_cannot_be_computed_again_is_named(bench: Bench) -> None:
    x = bench.g.leaf(column())
    for _ in range(2):  # the first x is gone when the second is made of it
        x = bench.g.times(x, 2.0)
        bench.runtime.evaluate([x])
    bench.runtime.name(x, "total")
    gc.collect()
    bench.lose()
    with pytest.raises(MatlabError, match="'total'"):
        bench.runtime.gather(x)
    assert "lost: total" in bench.notices()[0]
    assert bench.runtime.gather(bench.g.plus(bench.g.leaf(column()), 1.0))[0, 0] == 1.1


def test_lost_twice_the_host_takes_over(bench: Bench) -> None:
    x = bench.g.leaf(column())
    y = bench.g.sin(x)
    for _ in range(2):
        bench.runtime.evaluate([y])
        bench.lose()
        bench.runtime.evaluate([bench.g.plus(y, 1.0)])
    np.testing.assert_allclose(bench.runtime.gather(y), np.sin(column()), rtol=1e-14)
    assert bench.runtime.device_info is None
    assert len(bench.opened) == 2
    held = [ref(bench.opened.pop()) for _ in range(2)]
    gc.collect()
    assert [device() for device in held] == [None, None]  # with its kernels and its memory


def test_a_borrowed_device_is_not_opened_again(
    counting: Runtime, null: NullProvider, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.expected = True  # type: ignore[attr-defined]
    g = Graph(counting)
    null.faults["submit"] = [DeviceLost("injected")]
    assert counting.gather(g.plus(g.leaf(np.ones(N)), 1.0))[0, 0] == 2.0
    assert counting.device_info is None
    assert [r.levelname for r in caplog.records] == ["WARNING"]


def test_a_shader_refused_at_launch_runs_on_the_host(counting: Runtime, null: NullProvider) -> None:
    """Variants are compiled when their sizes are known: only the refused step moves."""
    g = Graph(counting)
    null.faults["submit"] = [Unsupported("first try"), Unsupported("refused")]
    y = g.plus(g.leaf(np.ones(N)), 1.0)
    z = g.total(g.times(y, 2.0))
    counting.evaluate([y, z])
    counters = counting.recorder.counters
    assert counters.fallbacks == 1
    details = [b.detail for b in counting.recorder.boundaries.values()]
    assert sum("refused" in d or "first try" in d for d in details) == 1


def test_no_memory_spills_then_retries(counting: Runtime, null: NullProvider) -> None:
    g = Graph(counting)
    kept = g.sin(g.leaf(np.ones(N)))
    counting.evaluate([kept])
    null.faults["allocate"] = [OutOfDeviceMemory(1, "full")]
    counting.evaluate([g.plus(g.leaf(np.ones(N)), 1.0)])
    counters = counting.recorder.counters
    assert counters.evictions >= 1
    assert counters.fallbacks == 0


def test_a_gpu_array_that_does_not_fit_says_what_would_help(null: NullProvider) -> None:
    runtime = Runtime(AccelOptions(device="gpu", memory_budget=3 * 8 * N), null)
    g = Graph(runtime)
    x = g.leaf(np.ones(2 * N))
    runtime.to_device(x)
    runtime.name(x, "big")
    with runtime.export_buffer(x), pytest.raises(MatlabError, match="memory_budget") as caught:
        runtime.to_device(g.leaf(np.ones(2 * N)))
    assert str(16 * N) in str(caught.value)
    assert runtime.state(x) in {"both", "device"}
    runtime.close()


def grown(g: Graph) -> list[Node]:
    """A loop of five passes over a column."""
    trace = g.runtime.loop(5)
    y = trace.carry(g.leaf(column()))
    return trace.finish([g.times(y, 1.5)])


@pytest.mark.parametrize("what", ["shaders", "lost"])
def test_in_a_loop(bench: Bench, what: str) -> None:
    setattr(bench.opened[-1].faults, what, True)
    [y] = grown(bench.g)
    np.testing.assert_allclose(bench.runtime.gather(y), column() * 1.5**5, rtol=1e-12)
    assert bench.runtime.recorder.counters.fallbacks == 1
    [group] = [g for g in bench.runtime.recorder.groups.values() if g.executions]
    assert group.provider == ("host" if what == "shaders" else "wgpu")
    assert len(bench.notices()) == (what == "lost")
    assert len(bench.opened) == 1 + (what == "lost")


@pytest.mark.parametrize("what", ["shaders", "lost", "allocations"])
def test_in_parts_of_an_array(cramped: Bench, what: str) -> None:
    x = cramped.g.leaf(column())
    y = cramped.g.plus(cramped.g.sin(x), 1.0)
    setattr(cramped.opened[-1].faults, what, 2 if what == "allocations" else True)
    np.testing.assert_allclose(cramped.runtime.gather(y), np.sin(column()) + 1, rtol=1e-14)
    counters = cramped.runtime.recorder.counters
    assert counters.fallbacks == 1
    reasons = {row.reason.value for row in cramped.runtime.recorder.boundaries.values()}
    expected = {"shaders": "unsupported-op", "lost": "device-lost", "allocations": "out-of-memory"}
    assert expected[what] in reasons
    moved = counters.dispatches > 1
    assert moved == (what == "lost")


def test_in_a_product_of_pieces(cramped: Bench) -> None:
    a = np.asfortranarray(np.random.default_rng(1).random((80, 70)))
    x = cramped.g.leaf(a)
    cramped.runtime.to_device(x)
    cramped.lose()
    product = cramped.runtime.apply("matmul", (x, x), (False, True))
    np.testing.assert_allclose(cramped.runtime.gather(product), a @ a.T, rtol=1e-12)
    assert len(cramped.notices()) == 1
    assert len(cramped.opened) == 2


def test_while_a_plot_takes_the_buffer(bench: Bench) -> None:
    x = bench.g.leaf(column())
    y = bench.g.sin(x)
    bench.runtime.evaluate([y])
    bench.lose()
    with bench.runtime.export_buffer(y) as native:
        assert native is not None
    assert len(bench.notices()) == 1
    np.testing.assert_allclose(bench.runtime.gather(y), np.sin(column()), rtol=1e-14)
    assert bench.runtime.recorder.counters.plot_download_bytes == 0


def test_a_refused_shader_is_said_once(bench: Bench) -> None:
    bench.opened[-1].faults.shaders = True
    x = bench.g.leaf(column())
    for k in range(4):
        y = bench.g.plus(bench.g.sin(x), float(k))
        np.testing.assert_allclose(bench.runtime.gather(y), np.sin(column()) + k, rtol=1e-14)
    rows = [b for b in bench.runtime.recorder.boundaries.values() if "rejected" in b.detail]
    assert len(rows) == 1
