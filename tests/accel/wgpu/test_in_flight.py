"""Work under way is bounded in time and memory, and whoever waits for it can give up."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from app.accel.backends.base import nobody_told
from app.accel.backends.wgpu import WgpuProvider, in_flight
from app.accel.ir.dtypes import DType
from app.accel.runtime import devices, executor
from app.accel.runtime.runtime import AccelOptions, Runtime
from app.errors import Interrupted
from tests.accel.graphs import Graph


@pytest.fixture
def runtime(own: WgpuProvider) -> Iterator[Runtime]:
    """A runtime on the device alone."""
    made = Runtime(AccelOptions(device="gpu"), own)
    yield made
    devices.tell_waits(made, nobody_told)
    made.close()


def long_chain(g: Graph, size: int, steps: int) -> object:
    """Products that depend on each other."""
    x = g.leaf(np.random.default_rng(1).random((size, size)) / size)
    for _ in range(steps):
        x = g.matmul(g.sin(x), x)
    return x


def test_a_plan_gives_back_what_it_will_not_read_again(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    size, steps = 64, 40
    one = size * size * 8
    monkeypatch.setattr(executor, "MOST_MADE", 4 * one)
    x = long_chain(Graph(runtime), size, steps)
    runtime.evaluate([x])
    assert runtime.recorder.counters.peak_device_bytes < 12 * (one + 4096)
    expected = np.random.default_rng(1).random((size, size)) / size
    for _ in range(steps):
        expected = np.sin(expected) @ expected
    np.testing.assert_allclose(runtime.gather(x), expected, rtol=1e-10)


def test_what_a_variable_holds_is_kept(runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executor, "MOST_MADE", 4 * 64 * 64 * 8)
    g = Graph(runtime)
    middle = long_chain(g, 64, 5)
    last = middle
    for _ in range(20):
        last = g.matmul(g.sin(last), last)
    runtime.evaluate([last])
    before = runtime.recorder.counters.dispatches
    runtime.gather(middle)
    assert runtime.recorder.counters.dispatches == before


def test_only_so_much_is_handed_in(runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_flight, "MOST_MS", 4.0)
    monkeypatch.setattr("app.accel.backends.wgpu.submission.BATCH_MS", 1.0)
    flights = runtime.executor.device._encoder.in_flight  # type: ignore[union-attr]
    most = []
    sent = flights.sent

    def noted(results: object, ms: float) -> None:
        sent(results, ms)
        most.append(sum(flight.ms for flight in flights.flights))

    monkeypatch.setattr(type(flights), "sent", lambda _self, *given: noted(*given))
    flights.points_per_ms = 64 * 64 * 64  # a product takes a millisecond, it thinks
    monkeypatch.setattr(type(flights), "learn", lambda *_: None)
    runtime.evaluate([long_chain(Graph(runtime), 64, 30)])
    assert len(most) >= 15
    assert max(most) <= 4.0 + 1.1


def test_who_waits_can_give_up_and_come_back(runtime: Runtime) -> None:
    g = Graph(runtime)
    x = long_chain(g, 500, 6)
    told: list[str] = []

    def tell(what: str, group: int, seconds: float) -> None:
        told.append(what)
        if what == "device":
            raise Interrupted

    devices.tell_waits(runtime, tell)
    with pytest.raises(Interrupted):
        runtime.gather(x)
    assert told[-1] == "device"
    devices.abandon(runtime)
    devices.tell_waits(runtime, nobody_told)
    again = runtime.gather(x)
    assert np.isfinite(again).all()


def test_a_read_that_others_begin_while_it_waits_has_its_own_buffers(
    own: WgpuProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever waits lets others have the device: a copy into a mapped buffer ends the process."""
    until = in_flight.Patience.until

    def looked_at_once(
        patience: in_flight.Patience, done: Callable[[], bool], *rest: Any, **more: Any
    ) -> None:
        """A device that is quick, or had time, has answered before anybody waits."""
        first = iter([False])
        until(patience, lambda: next(first, True) and done(), *rest, **more)

    monkeypatch.setattr(in_flight.Patience, "until", looked_at_once)
    sizes = (300_000, 1000, 700_000)
    arrays = [np.arange(n, dtype=np.float64) + n for n in sizes]
    buffers = [own.allocate(DType.F64, n) for n in sizes]
    for buffer, data in zip(buffers, arrays, strict=True):
        own.upload(buffer, data)
    between: list[bool] = []

    def tell(what: str, group: int, seconds: float) -> None:
        own.tell_waits(nobody_told)
        between.extend(np.array_equal(own.download(buffers[k]), arrays[k]) for k in (1, 2))
        own.tell_waits(tell)

    for _ in range(20):
        own.tell_waits(tell)
        np.testing.assert_array_equal(own.download(buffers[0]), arrays[0])
        own.tell_waits(nobody_told)
    assert between
    assert all(between)
    np.testing.assert_array_equal(own.download(buffers[2]), arrays[2])


def test_a_compiler_does_not_keep_anybody_waiting(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiler = runtime.executor.device._compiler  # type: ignore[union-attr]
    make = type(compiler).shader
    begun, interrupted = threading.Event(), threading.Event()
    waited_for: list[bool] = []

    def slowly(*given: object) -> object:
        begun.set()
        waited_for.append(not interrupted.wait(60))
        return make(*given)

    def tell(what: str, group: int, seconds: float) -> None:
        if what == "compiling" and begun.wait(60):
            raise Interrupted

    monkeypatch.setattr(type(compiler), "shader", slowly)
    g = Graph(runtime)
    x = g.erf(g.leaf(np.linspace(0, 1, 100_003)))
    devices.tell_waits(runtime, tell)
    with pytest.raises(Interrupted):
        runtime.gather(x)
    interrupted.set()
    monkeypatch.undo()
    devices.tell_waits(runtime, nobody_told)
    assert runtime.gather(x)[-1, 0] == pytest.approx(0.8427007929497149)
    assert waited_for == [False]
