"""What goes wrong on a device: the run goes on, says so once, and the numbers are right."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import numpy as np
import pytest

from app.accel.providers.null import NullProvider
from app.accel.providers.wgpu import WgpuProvider, open_provider
from app.accel.runtime import AccelOptions, Runtime
from app.errors import DeviceLost, MatlabError, OutOfDeviceMemory, Unsupported
from tests.accel.graphs import Graph

N = 5000


class Bench:
    """A runtime whose device can be opened again, and the devices it opened."""

    def __init__(self) -> None:
        self.opened: list[WgpuProvider] = []
        self.runtime = Runtime(AccelOptions(device="gpu", verify=True), opener=self._open)
        self.g = Graph(self.runtime)
        if self.runtime.open() is None:
            pytest.skip(self.runtime.opening.problem)

    def _open(self, name: str) -> WgpuProvider:
        self.opened.append(open_provider(name))
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
