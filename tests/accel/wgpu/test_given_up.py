"""Kernels that nothing has needed for long are given up, and compiled again for who needs them."""

from __future__ import annotations

import numpy as np
import pytest

from app.accel.backends.wgpu import WgpuProvider, pipelines
from app.accel.runtime import executor
from app.accel.runtime.runtime import AccelOptions, Runtime
from tests.accel.graphs import Graph

MOST = 4


@pytest.fixture
def runtime(own: WgpuProvider) -> Runtime:
    """A runtime whose device keeps few kernels."""
    own._compiler.most = MOST
    return Runtime(AccelOptions(device="gpu", calibration=False), own)


def power(runtime: Runtime, degree: int) -> np.ndarray:
    """A value of a kernel of its own."""
    g = Graph(runtime)
    x = product = g.leaf(np.arange(1.0, 6.0))
    for _ in range(degree):
        product = g.times(product, x)
    return runtime.gather(product)


def live(runtime: Runtime) -> int:
    device = runtime.executor.device
    assert isinstance(device, WgpuProvider)
    compiler = device._compiler
    stages = [s for p in compiler.pipelines.values() for of in p.stages.values() for s in of]
    assert len({id(s.shader) for s in stages if s.live}) == len(compiler.shaders)
    return len(compiler.shaders)


def test_a_bounded_number_of_kernels_stays(runtime: Runtime) -> None:
    """Of plans that are all remembered; what is given up is compiled, and counted, once more."""
    counters = runtime.recorder.counters
    for degree in range(1, 13):
        np.testing.assert_array_equal(
            power(runtime, degree)[:, 0], np.arange(1.0, 6.0) ** (degree + 1)
        )
        assert live(runtime) <= MOST * pipelines.LATELY + 2
    assert counters.kernels_compiled == 12
    power(runtime, 12)
    assert counters.kernels_compiled == 12
    for _ in range(3):
        np.testing.assert_array_equal(power(runtime, 1)[:, 0], np.arange(1.0, 6.0) ** 2)
    assert counters.kernels_compiled == 13
    assert counters.plan_cache_hits == 4
    runtime.close()


def test_a_program_keeps_what_it_uses_again_and_again(runtime: Runtime) -> None:
    """It may use more without one being compiled twice; of very many it may not."""
    counters = runtime.recorder.counters
    for _ in range(3):
        for degree in range(1, 2 * MOST + 1):
            power(runtime, degree)
    assert counters.kernels_compiled == 2 * MOST
    for degree in range(30, 60):
        power(runtime, degree)
        assert live(runtime) <= MOST * pipelines.LATELY + 2
    runtime.close()


def test_what_is_used_again_and_again_stays(runtime: Runtime) -> None:
    counters = runtime.recorder.counters
    for degree in range(2, 12):
        power(runtime, 1)
        power(runtime, degree)
    assert counters.kernels_compiled == 11
    runtime.close()


def test_a_plan_recorded_as_a_whole_runs_on(runtime: Runtime) -> None:
    """Its recording refers to kernels that are gone: it runs step by step, and is recorded anew."""
    expected = power(runtime, 1)
    for degree in (1, 1, 1, 1, *range(5, 16), 1, 1, 1, 1):
        np.testing.assert_array_equal(
            power(runtime, degree)[:, 0], np.arange(1.0, 6.0) ** (degree + 1)
        )
    np.testing.assert_array_equal(power(runtime, 1), expected)
    assert runtime.recorder.counters.kernels_compiled == 13
    runtime.close()


def test_requests_without_kernels_are_forgotten(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of very many; they count as compiled when they are asked for again."""
    monkeypatch.setattr(pipelines, "MOST_KNOWN", 6)
    monkeypatch.setattr(executor, "PREPARED", 6)
    device, counters = runtime.executor.device, runtime.recorder.counters
    assert isinstance(device, WgpuProvider)
    for degree in range(1, 31):
        power(runtime, degree)
    assert len(device._compiler.pipelines) <= MOST * pipelines.LATELY + 2
    assert len(runtime.executor.prepared) <= 7
    assert len(device._compiler.ahead._jobs) <= MOST * pipelines.LATELY + 2
    assert counters.kernels_compiled == 30
    np.testing.assert_array_equal(power(runtime, 3)[:, 0], np.arange(1.0, 6.0) ** 4)
    power(runtime, 30)
    assert counters.kernels_compiled == 31
    assert counters.compile_ms >= 0
    runtime.close()


def test_a_kernel_may_be_compiled_ahead_again(runtime: Runtime) -> None:
    """A variant that was given up is one that is not there, not one that was refused."""
    device = runtime.executor.device
    assert isinstance(device, WgpuProvider)
    power(runtime, 1)
    compiler = device._compiler
    (pipeline,) = compiler.pipelines.values()
    (variant,) = pipeline.stages
    for degree in range(2, 12):
        power(runtime, degree)
    assert pipeline.compiled(variant) is None
    compiler.begin(pipeline, variant)
    compiler.ahead.wait()
    assert pipeline.compiled(variant) is not None
    runtime.close()
