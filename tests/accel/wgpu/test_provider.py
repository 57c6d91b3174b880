"""The wgpu provider: transfers, pool, batching, faults, closing."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest

from app.accel.backends.wgpu import WgpuProvider, adapters, memory, open_provider
from app.accel.backends.wgpu.memory import size_class
from app.accel.ir.dtypes import DType
from app.accel.runtime.runtime import AccelOptions, Runtime
from app.errors import DeviceLost, Interrupted, OutOfDeviceMemory, Unsupported


def test_adapters_are_described() -> None:
    for info in adapters():
        assert info.name
        assert info.max_binding_bytes >= 1 << 26
        assert info.provider == "wgpu"


def test_an_unknown_adapter_is_refused() -> None:
    with pytest.raises(Unsupported, match="no adapter"):
        open_provider("no such adapter")


@pytest.mark.parametrize("dtype", [DType.BOOL, DType.I16, DType.F32, DType.F64, DType.C128])
def test_parts_can_be_written_and_read(own: WgpuProvider, dtype: DType) -> None:
    data = np.arange(103).astype(dtype.numpy)
    buffer = own.allocate(dtype, 103)
    own.upload(buffer, data)
    own.upload(buffer, data[:3], start=5)
    expected = data.copy()
    expected[5:8] = data[:3]
    np.testing.assert_array_equal(own.download(buffer), expected)
    np.testing.assert_array_equal(own.download(buffer, 3, 9), expected[3:12])
    assert own.download(buffer, 3, 0).size == 0


def test_downloads_larger_than_staging(own: WgpuProvider) -> None:
    data = np.arange(9_000_001, dtype=np.float64)
    buffer = own.allocate(DType.F64, data.size)
    own.upload(buffer, data)
    np.testing.assert_array_equal(own.download(buffer), data)


def test_a_read_that_was_given_up_leaves_its_buffers_to_nobody(
    own: WgpuProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was asked of them may still arrive, in the place of what the next one asks for."""

    def stopped(*_: object) -> None:
        raise Interrupted

    data = np.arange(1000.0)
    buffer = own.allocate(DType.F64, data.size)
    own.upload(buffer, data)
    np.testing.assert_array_equal(own.download(buffer), data)
    assert own._staging.readers.buffers
    with monkeypatch.context() as patch:
        patch.setattr(memory, "wait_mapped", stopped)
        with pytest.raises(Interrupted):
            own.download(buffer)
    assert not own._staging.readers.buffers
    np.testing.assert_array_equal(own.download(buffer), data)


def test_pool_reuses_buffers(own: WgpuProvider) -> None:
    first = own.allocate(DType.F32, 1000)
    own.free(first)
    second = own.allocate(DType.F32, 1010)
    assert second.native is first.native
    assert own.statistics().pool_hits == 1
    own.free(second)
    own.trim()
    assert own.statistics().pooled_bytes == 0


def test_size_classes_waste_little() -> None:
    for n in (1, 255, 257, 1000, 5000, 70000, 10**6, 10**8):
        assert n <= size_class(n) <= max(1024, n * 1.26)
        assert size_class(n) % 256 == 0


def test_allocation_failure(own: WgpuProvider) -> None:
    own.faults.allocations = 1
    with pytest.raises(OutOfDeviceMemory):
        own.allocate(DType.F32, 10)
    own.free(own.allocate(DType.F32, 10))


def test_rejected_shader_falls_back_to_the_host(own: WgpuProvider) -> None:
    own.faults.shaders = True
    runtime = Runtime(AccelOptions(device="gpu"), own)
    x = np.linspace(0, 1, 500)[:, None]
    node = runtime.apply("sin", (runtime.leaf(x),))
    np.testing.assert_allclose(runtime.gather(node, "test").ravel(), np.sin(x).ravel())
    assert runtime.recorder.counters.fallbacks == 1


def test_lost_device_says_so(own: WgpuProvider) -> None:
    own.faults.lost = True
    with pytest.raises(DeviceLost):
        own.allocate(DType.F32, 10)
    own.faults.lost = False


def test_dispatches_travel_together(own: WgpuProvider) -> None:
    runtime = Runtime(AccelOptions(device="gpu"), own)
    x = runtime.leaf(np.ones((2000, 1)))
    for k in range(40):
        node = runtime.apply("times", (x, runtime.scalar(float(k))))
        runtime.evaluate([node], "test")
    assert runtime.gather(node, "test")[0] == 39.0
    assert runtime.recorder.counters.dispatches == 40
    assert own.statistics().submits < 40


def test_device_times_are_measured(own: WgpuProvider) -> None:
    runtime = Runtime(AccelOptions(device="gpu"), own)
    node = runtime.apply("exp", (runtime.leaf(np.ones((100000, 1))),))
    runtime.gather(node, "test")
    if "timestamp-query-inside-passes" in own.info.features:
        spent = runtime.recorder.counters_json()["device_ms"]
        assert spent is not None
        assert spent > 0


def test_closing_leaves_nothing_behind() -> None:
    before = set(threading.enumerate())
    provider = open_provider()
    provider.upload(provider.allocate(DType.F32, 10), np.zeros(10, np.float32))
    provider.close()
    provider.close()
    for thread in set(threading.enumerate()) - before:
        thread.join(timeout=60)
        assert not thread.is_alive(), thread.name


def test_use_from_another_thread(own: WgpuProvider) -> None:
    data, results = np.arange(1000.0), []
    buffer = own.allocate(DType.F64, 1000)

    def work() -> None:
        own.upload(buffer, data)
        results.append(own.download(buffer))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    np.testing.assert_array_equal(results[0], data)


def test_in_place_outputs(own: WgpuProvider) -> None:
    from app.accel.ir.plan import (
        Access,
        Dispatch,
        Instr,
        KernelRequest,
        MapSpec,
        MapValues,
        Store,
        Template,
    )

    request = KernelRequest(
        Template.MAP,
        "double",
        1,
        (),
        (DType.F64,),
        (DType.F64,),
        (),
        (MapSpec(Access.FLAT),),
        (Instr("load", DType.F64, (), (0, 0)), Instr("plus", DType.F64, (0, 0))),
        (Store(0, 1, DType.F64, 0),),
    )
    buffer = own.allocate(DType.F64, 77)
    own.upload(buffer, np.arange(77.0))
    pipeline = own.prepare(request)
    own.submit([Dispatch(pipeline, (buffer,), (buffer,), (77,), (MapValues(0, (1,)),), ())])
    np.testing.assert_array_equal(own.download(buffer), 2 * np.arange(77.0))
    moved = own.allocate(DType.F64, 200)
    own.submit([Dispatch(pipeline, (buffer,), (moved,), (70,), (MapValues(3, (1,)),), ())])
    np.testing.assert_array_equal(own.download(moved, 3, 70), 4 * np.arange(3.0, 73.0))


def test_a_second_start_compiles_nothing(tmp_path: Path) -> None:
    def run() -> tuple[int, float]:
        provider = open_provider(cache=tmp_path)
        provider.expect("script.m")
        provider._warmer.wait()
        before = len(provider._compiler.shaders)
        runtime = Runtime(AccelOptions(device="gpu"), provider)
        x = runtime.leaf(np.ones((3000, 1)))
        total = runtime.apply("sum", (runtime.apply("sin", (x,)),), ((0,),))
        assert runtime.gather(total, "test")[0] == pytest.approx(3000 * np.sin(1))
        compiled = len(provider._compiler.shaders) - before
        restored = provider.statistics().extra["restored"]
        provider.close()
        return compiled, restored

    assert run()[0] > 0
    compiled, restored = run()
    assert compiled == 0
    assert restored > 0
    assert len(list(tmp_path.glob("*.kernels"))) == 1
    other = open_provider(cache=tmp_path)
    other.expect("another.m")
    other._warmer.wait()
    assert other.statistics().extra["restored"] == 0
    other.close()
