"""Residency, transfers, faults and counters of the runtime."""

from __future__ import annotations

import gc

import numpy as np
import pytest

from app.accel.backends.null import NullProvider
from app.accel.ir.dtypes import DType
from app.accel.ir.node import Origin
from app.accel.runtime.runtime import AccelOptions, Runtime
from app.errors import Interrupted, MatlabError, OutOfDeviceMemory, Unsupported
from tests.accel.graphs import Graph

N = 4096


def test_results_stay_resident(counting: Runtime) -> None:
    g = Graph(counting)
    x = g.leaf(np.ones(N))
    y = g.sin(x)
    counting.evaluate([y])
    counting.evaluate([g.cos(y)])
    counters = counting.recorder.counters
    assert (counters.uploads, counters.downloads) == (1, 0)
    assert counting.state(y) == "device"
    counting.gather(y)
    counting.gather(y)
    assert counters.downloads == 1
    assert counting.state(y) == "both"


def test_what_rules_make_of_numbers_belongs_to_its_runtime(counting: Runtime) -> None:
    """Equal graphs of two runtimes share no node that one of them stores."""

    runtimes = [Runtime(AccelOptions(device="cpu")) for _ in range(2)]
    made = []
    for g in map(Graph, runtimes):
        x, places = g.leaf(np.ones(N)), g.leaf(np.arange(2).reshape(2, 1))
        made.append(g.scatter(x, places, 3.0))
    for runtime, node in zip(runtimes, made, strict=True):
        assert runtime.gather(node)[:3, 0].tolist() == [3.0, 3.0, 1.0]
        runtime.close()


def test_buffers_return_when_nodes_die(counting: Runtime, null: NullProvider) -> None:
    g = Graph(counting)
    y = g.sin(g.leaf(np.ones(N)))
    counting.evaluate([y])
    counting.executor.storage.bury()
    assert null.live == 8 * N  # the leaf went with the recipe
    del y
    gc.collect()
    counting.executor.storage.bury()
    assert null.live == 0


def test_partial_gathers_fetch_only_what_is_asked(counting: Runtime) -> None:
    g = Graph(counting)
    y = g.sin(g.leaf(np.ones(N)))
    counting.gather_elements(y, [5])
    assert counting.recorder.counters.download_bytes == 8


def test_lru_eviction_under_a_budget() -> None:
    null = NullProvider()
    runtime = Runtime(AccelOptions(device="gpu", memory_budget=5 * 8 * N), null)
    g = Graph(runtime)
    kept = []
    for k in range(8):
        kept.append(g.plus(g.leaf(np.ones(N)), float(k)))
        runtime.evaluate([kept[-1]])
    assert null.live <= 5 * 8 * N
    assert runtime.recorder.counters.evictions > 0
    assert runtime.state(kept[0]) == "host"
    assert runtime.state(kept[-1]) == "device"
    runtime.close()


def test_pinned_values_are_not_evicted() -> None:
    null = NullProvider()
    runtime = Runtime(AccelOptions(device="gpu", memory_budget=3 * 8 * N), null)
    g = Graph(runtime)
    first = g.plus(g.leaf(np.ones(N)), 1.0)
    with runtime.export_buffer(first) as native:
        assert native is not None
        for k in range(4):
            runtime.evaluate([g.plus(g.leaf(np.ones(N)), float(k))])
        assert runtime.state(first) == "device"
    assert runtime.recorder.counters.downloads <= 4
    runtime.close()


@pytest.mark.parametrize("method", ["prepare", "allocate", "upload"])
def test_what_the_device_cannot_do_runs_on_the_host(
    counting: Runtime, null: NullProvider, method: str
) -> None:
    g = Graph(counting)
    null.faults[method] = [Unsupported("injected")]
    y = g.plus(g.leaf(np.ones(N)), 1.0)
    assert counting.gather(y)[3, 0] == 2.0
    assert counting.recorder.counters.fallbacks == 1
    assert any(b.detail == "injected" for b in counting.recorder.boundaries.values())


def test_out_of_memory_is_retried_then_host(counting: Runtime, null: NullProvider) -> None:
    g = Graph(counting)
    null.faults["allocate"] = [OutOfDeviceMemory(1, "full")] * 2
    assert counting.gather(g.plus(g.leaf(np.ones(N)), 1.0))[0, 0] == 2.0
    reasons = {b.reason.value for b in counting.recorder.boundaries.values()}
    assert "out-of-memory" in reasons


def test_cancel_between_steps_leaves_a_consistent_graph(host: Runtime) -> None:
    g = Graph(host)
    y = g.plus(g.leaf(np.ones(N)), 1.0)

    def stop() -> None:
        raise Interrupted

    host.poll = stop
    with pytest.raises(Interrupted):
        host.gather(y)
    host.poll = None  # type: ignore[assignment]
    assert host.gather(y)[0, 0] == 2.0


def test_shape_errors_are_raised_at_capture(host: Runtime) -> None:
    g = Graph(host)
    with pytest.raises(MatlabError, match="incompatible sizes"):
        g.plus(g.leaf(np.ones((3, 1))), g.leaf(np.ones((4, 1))))
    with pytest.raises(MatlabError, match="matrix multiplication"):
        g.matmul(g.leaf(np.ones((3, 2))), g.leaf(np.ones((3, 2))))


def test_nodes_are_hash_consed(host: Runtime) -> None:
    g = Graph(host)
    x = g.leaf(np.ones(4))
    assert g.sin(x) is g.sin(x)
    assert host.scalar(0.0) is not host.scalar(-0.0)
    assert g.plus(x, 0.0) is not g.plus(x, -0.0)


def test_random_numbers_do_not_depend_on_blocks(host: Runtime) -> None:
    whole = host.gather(host.apply("random_uniform", (), (DType.F64, (100000, 1)), (9, 8)))
    part = host.gather(host.apply("random_uniform", (), (DType.F64, (5, 1)), (9, 50008)))
    assert np.array_equal(whole[50000:50005], part)
    assert 0 < whole.min() < whole.max() < 1


def test_reductions_repeat_exactly() -> None:
    data = np.random.default_rng(0).standard_normal(500000)
    sums = set()
    for threads in (1, 2, 4):
        runtime = Runtime(AccelOptions(host_threads=threads))
        g = Graph(runtime)
        sums.add(runtime.gather(g.total(g.leaf(data))).item())
        runtime.close()
    assert len(sums) == 1


def fill_columns(g: Graph, base: object, count: int) -> object:
    for k in range(count):
        value = g.times(g.leaf(np.ones((N, 1))), float(k))
        base = g.assign(base, value, attrs=((1, 1), (0, 0)), data=(0, k))
    return base


def test_assignments_in_a_row_share_memory(counting: Runtime, null: NullProvider) -> None:
    g = Graph(counting)
    counting.evaluate([fill_columns(g, g.leaf(np.zeros((N, 4))), 4)])
    copies = [d for d in null.dispatched if d.extents == (4 * N,)]
    assert len(copies) <= 1


def test_memory_that_is_still_seen_is_copied(host: Runtime) -> None:
    g = Graph(host)
    base = g.plus(g.leaf(np.zeros((N, 2))), 0.0)
    before = host.gather(base)
    after = fill_columns(g, base, 2)
    np.testing.assert_array_equal(host.gather(after)[0], [0.0, 1.0])  # type: ignore[arg-type]
    np.testing.assert_array_equal(before, 0)
    np.testing.assert_array_equal(host.gather(base), 0)


def test_memory_nobody_sees_is_taken_over(host: Runtime) -> None:
    g = Graph(host)
    node = g.plus(g.leaf(np.zeros((N, 3))), 0.0)
    host.evaluate([node])
    memory = host.residency.record(node).host.ctypes.data  # type: ignore[union-attr]
    node = g.assign(node, g.leaf(np.ones((N, 1))), attrs=((1, 1), (0, 0)), data=(0, 1))
    host.evaluate([node])
    record = host.residency.record(node)
    assert record.host.ctypes.data == memory  # type: ignore[union-attr]
    np.testing.assert_array_equal(host.gather(node)[5], [0.0, 1.0, 0.0])


def test_an_interrupt_gives_memory_back(host: Runtime) -> None:
    g = Graph(host)
    node = g.plus(g.leaf(np.zeros((N, 3))), 0.0)
    host.evaluate([node])
    node = g.assign(node, g.leaf(np.ones((N, 1))), attrs=((1, 1), (0, 0)), data=(0, 1))
    calls = []

    def stop() -> None:
        calls.append(1)
        if len(calls) == 2:
            raise Interrupted

    host.poll = stop
    with pytest.raises(Interrupted):
        host.evaluate([node])
    host.poll = None  # type: ignore[assignment]
    np.testing.assert_array_equal(host.gather(node)[5], [0.0, 1.0, 0.0])


def test_a_report_keeps_so_many_rows_and_counts_all(null: NullProvider) -> None:
    runtime = Runtime(AccelOptions(device="gpu", report_limit=3), null)
    g = Graph(runtime)
    for k in range(6):
        runtime.to_device(g.leaf(np.full(N, float(k))))
    assert len(runtime.recorder.transfers) == 3
    assert runtime.recorder.counters.uploads == 6
    runtime.close()


def test_equal_work_on_other_lines_is_told_for_those_lines(counting: Runtime) -> None:
    g = Graph(counting)
    places = [Origin("a.m", 3), Origin("b.m", 8), Origin("a.m", 3)]
    for place in places:
        counting.locate = lambda place=place: place  # type: ignore[method-assign]
        counting.gather(g.total(g.sin(g.leaf(np.ones(N)))))
    told = [(row.file, row.lines, row.executions) for row in counting.recorder.groups.values()]
    assert told == [("a.m", (3,), 2), ("b.m", (8,), 1)]
    assert counting.recorder.counters.plan_cache_hits == 2
