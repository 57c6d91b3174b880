"""Answers travel with the work that makes them; steps that repeat keep their launches."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from itertools import count
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from app.accel.backends.wgpu import (
    WgpuProvider,
    commands,
    memory,
    native_calls,
    pipelines,
    submission,
)
from app.accel.codegen import generate
from app.accel.ir.dtypes import DType
from app.accel.planner.cost import Speeds
from app.accel.runtime.runtime import AccelOptions, Runtime
from app.accel.runtime.sent_work import no_observer
from app.errors import DeviceLost, Interrupted
from tests.accel.graphs import Graph


@pytest.fixture
def counted(
    own: WgpuProvider, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Runtime, Counter[str]]]:
    """A runtime on the device, and how often natives were called since the last clear."""
    count: Counter[str] = Counter()

    def counting(owner: Any, name: str) -> None:
        made = getattr(owner, name)

        def counted(*args: Any, **options: Any) -> Any:
            count[name] += 1
            return made(*args, **options)

        monkeypatch.setattr(owner, name, counted)

    counting(commands.Commands, "send")
    counting(submission, "wait_mapped")
    counting(pipelines, "variant_of")
    runtime = Runtime(AccelOptions(device="gpu"), own)
    runtime.executor.sent.observe = no_observer  # no plan is looked at again, however long it takes
    yield runtime, count
    runtime.close()


def test_a_small_answer_is_one_submission_and_one_wait(
    counted: tuple[Runtime, Counter[str]],
) -> None:
    runtime, count = counted
    g = Graph(runtime)
    x = g.leaf(np.linspace(0, 1, 5000))
    for k in range(4):
        runtime.synchronize()
        count.clear()
        found = runtime.gather(g.total(g.times(x, float(k))))
        assert found[0, 0] == pytest.approx(k * 2500)
        assert (count["send"], count["wait_mapped"]) == (1, 1)
    assert count["variant_of"] == 0
    assert runtime.recorder.counters.downloads == 4


def test_a_number_made_beside_an_array_comes_with_the_work(
    counted: tuple[Runtime, Counter[str]],
) -> None:
    runtime, count = counted
    g = Graph(runtime)
    x = g.leaf(np.linspace(0, 1, 5000))
    for k in range(1, 5):
        runtime.synchronize()
        count.clear()
        y = g.times(x, float(k))
        total = g.total(y)
        runtime.evaluate([y, total])
        other = g.total(g.times(y, 2.0))
        assert runtime.gather(total)[0, 0] == pytest.approx(k * 2500)
        assert (count["send"], count["wait_mapped"]) == (1, 1)
        assert runtime.gather(other)[0, 0] == pytest.approx(k * 5000)
        assert runtime.gather(total)[0, 0] == pytest.approx(k * 2500)
    assert runtime.recorder.counters.downloads == 8


def test_numbers_of_work_that_goes_together_are_each_their_own(own: WgpuProvider) -> None:
    runtime = Runtime(AccelOptions(device="gpu"), own)
    g = Graph(runtime)
    x = g.leaf(np.arange(3000.0))
    for _ in range(3):
        made = []
        for k in range(6):
            y = g.plus(x, float(k))
            total = g.total(y)
            runtime.evaluate([y, total])
            made.append(total)
        found = [runtime.gather(total)[0, 0] for total in made]
        assert found == [3000 * 2999 / 2 + 3000 * k for k in range(6)]
    runtime.close()


def test_the_answer_of_a_guarded_group_comes_with_its_status(
    counted: tuple[Runtime, Counter[str]],
) -> None:
    runtime, count = counted
    g = Graph(runtime)
    x = g.leaf(np.linspace(1, 2, 3000))
    runtime.gather(g.total(g.sqrt(x)))
    runtime.synchronize()
    count.clear()
    found = runtime.gather(g.total(g.sqrt(g.plus(x, 0.0))))
    assert found[0, 0] == pytest.approx(np.sqrt(np.linspace(1, 2, 3000)).sum())
    assert (count["send"], count["wait_mapped"]) == (1, 1)


def test_what_is_written_after_an_answer_is_read_anew(own: WgpuProvider) -> None:
    runtime = Runtime(AccelOptions(device="gpu"), own)
    g = Graph(runtime)
    x = g.leaf(np.arange(50.0))
    y = g.plus(x, 1.0)
    np.testing.assert_array_equal(runtime.gather(y)[:, 0], np.arange(1.0, 51.0))
    buffer = own.allocate(DType.F64, 50)
    own.upload(buffer, np.arange(50.0))
    np.testing.assert_array_equal(own.download(buffer), np.arange(50.0))
    own.upload(buffer, np.ones(2), start=3)
    assert own.download(buffer, 2, 4).tolist() == [2.0, 1.0, 1.0, 5.0]
    own.free(buffer)
    runtime.close()


def test_a_large_answer_passes_through_staging(counted: tuple[Runtime, Counter[str]]) -> None:
    runtime, count = counted
    g = Graph(runtime)
    x = g.leaf(np.arange(5000.0))
    runtime.gather(g.plus(x, 1.0))
    runtime.synchronize()
    count.clear()
    np.testing.assert_array_equal(runtime.gather(g.plus(x, 2.0))[:, 0], np.arange(2.0, 5002.0))
    assert count["send"] == 2


def test_kernels_compile_in_the_background(own: WgpuProvider) -> None:
    """The host goes on; then the device takes over, and the compilation counts once."""
    runtime = Runtime(AccelOptions(calibration=False), own)
    runtime.placer.device = Speeds(0.001, 1e9, 1e9, 1e9, 1e9, 0.0, 1e9, 0.0, 1e9, 20.0)
    runtime.placer.host = Speeds(3.0, 1e7, 1e6, 1e6, 1e6)
    g = Graph(runtime)
    x = g.leaf(np.ones(20000))

    def summed() -> str:
        assert runtime.gather(g.total(g.sin(x)))[0, 0] == pytest.approx(20000 * np.sin(1))
        return list(runtime.recorder.groups.values())[-1].provider

    while not own._compiler.ahead._jobs:
        assert summed() == "host"
        assert runtime.recorder.counters.plans < 50
    own._compiler.ahead.wait()
    shaders = len(own._compiler.shaders)
    assert shaders > 0
    assert runtime.recorder.counters.kernels_compiled == 0
    assert summed() == "wgpu"
    assert len(own._compiler.shaders) == shaders
    assert runtime.recorder.counters.kernels_compiled == 1
    runtime.close()


def test_a_kernel_is_compiled_for_the_dispatch_alone(own: WgpuProvider) -> None:
    """Not for the usual one first."""
    made: list[Any] = []
    real = generate.generate

    def noted(request: Any, variant: Any, *rest: Any) -> Any:
        made.append(variant)
        return real(request, variant, *rest)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipelines, "generate", noted)
        runtime = Runtime(AccelOptions(device="gpu"), own)
        a = runtime.leaf(np.asfortranarray(np.ones((150, 8))))
        runtime.gather(runtime.apply("matmul", (a, runtime.leaf(np.ones((8, 3)))), (0, 0)))
        runtime.close()
    assert len(made) == 1


def test_the_parameters_of_a_repeated_step_are_its_own(own: WgpuProvider) -> None:
    runtime = Runtime(AccelOptions(device="gpu"), own)
    g = Graph(runtime)
    x = g.leaf(np.ones((40, 30), np.float32))
    found = [runtime.gather(g.times(g.plus(x, float(k)), 2.0))[3, 4] for k in range(5)]
    assert found == [2.0 * (1 + k) for k in range(5)]
    assert native_calls.SPIN_S < 0.01
    runtime.close()


def test_a_device_is_idle_once_the_last_answer_is_there(own: WgpuProvider) -> None:
    runtime, device = Runtime(AccelOptions(device="gpu"), own), own
    g = Graph(runtime)
    x = g.leaf(np.arange(5000.0))
    runtime.evaluate([g.sin(x)])
    assert not device.idle
    assert runtime.gather(g.total(g.cos(x))).size == 1
    assert device.idle
    runtime.to_device(g.leaf(np.arange(3000.0)))
    assert not device.idle
    runtime.synchronize()
    assert device.idle


def test_who_asks_again_and_again_waits_to_the_end(own: WgpuProvider) -> None:
    runtime, done = Runtime(AccelOptions(device="gpu"), own), list[int]()
    g, (ffi, lib) = Graph(runtime), native_calls._native()
    told = ffi.callback(
        "void(WGPUQueueWorkDoneStatus, WGPUStringView, void *, void *)",
        lambda status, *_: done.append(status),
    )
    facts = {"mode": lib.WGPUCallbackMode_AllowProcessEvents, "callback": told}
    info = ffi.new("WGPUQueueWorkDoneCallbackInfo *", facts)
    x = g.leaf(np.linspace(0, 1, 200_000))
    runtime.evaluate([g.cumsum(g.sin(x), attrs=(0, False))])
    own._encoder.flush()
    native = own._device.native
    lib.wgpuQueueOnSubmittedWorkDone(native.queue._internal, info[0])
    assert not done
    own._device.patience.until(lambda: native_calls.is_idle(native), "device")
    assert done == [lib.WGPUQueueWorkDoneStatus_Success]


def test_an_idle_device_that_does_not_call_back_counts_as_lost(
    own: WgpuProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever waited for it waited for ever."""
    mapping = SimpleNamespace(done=False, message="")
    monkeypatch.setattr(memory, "SILENCE_S", 0.0)
    with pytest.raises(DeviceLost, match="does not answer"):
        memory.wait_mapped(own._device, mapping)  # type: ignore[arg-type]


def test_a_process_that_had_no_turn_has_not_waited(
    own: WgpuProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a busy machine minutes lie between two looks, and the answer is on its way."""
    looks = iter(range(20))

    class Answer:
        message = ""

        @property
        def done(self) -> bool:
            return next(looks) > 10

    monkeypatch.setattr(memory, "time", SimpleNamespace(monotonic=count(0.0, 60.0).__next__))
    memory.wait_mapped(own._device, Answer())  # type: ignore[arg-type]


def test_a_stop_that_is_raised_where_the_device_calls_back_loses_no_answer(
    own: WgpuProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever waited for that mapping, in a later run, found a device that does not answer."""
    answered, swallowed = native_calls.Mapping.called_back, []

    def stopped(number: int, message: str) -> None:
        monkeypatch.setattr(native_calls.Mapping, "called_back", answered)
        raise Interrupted

    monkeypatch.setattr(memory, "SILENCE_S", 0.5)
    monkeypatch.setattr(sys, "unraisablehook", lambda what: swallowed.append(what.exc_type))
    buffer = own.allocate(DType.F64, 5000)
    own.upload(buffer, np.arange(5000.0))
    own.download(buffer)
    before = set(native_calls.Mapping.pending)
    monkeypatch.setattr(native_calls.Mapping, "called_back", stopped)
    np.testing.assert_array_equal(own.download(buffer), np.arange(5000.0))
    assert Interrupted in swallowed
    assert native_calls.Mapping.pending.keys() <= before
    own.free(buffer)
