"""Loop kernels against plain iteration, whole and cut into several launches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from app.accel.backends import reference
from app.accel.backends.wgpu import WgpuProvider
from app.accel.backends.wgpu.device import open_device
from app.accel.codegen.wgsl.tuning import Tuning
from app.accel.ir.node import Node
from app.accel.runtime.runtime import AccelOptions, Runtime
from tests.accel.graphs import Graph
from tests.support.loop_programs import PROGRAMS

ROOM = 8 << 10


@pytest.fixture
def slicing(provider: WgpuProvider) -> WgpuProvider:
    """The provider with a limit so low that every loop is cut."""
    compiler = provider._compiler
    before, compiler.tuning = compiler.tuning, Tuning(loop_steps=30000)
    yield provider
    compiler.tuning = before


@pytest.fixture(scope="module")
def cramped() -> Iterator[WgpuProvider]:
    """An adapter that binds so little that the state of some points at a time fits."""
    device = open_device()
    info = replace(device.info, max_binding_bytes=ROOM)
    opened = WgpuProvider(replace(device, info=info), Tuning(loop_steps=30000))
    yield opened
    opened.close()


@pytest.mark.parametrize("build", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("adapter", ["provider", "slicing", "cramped"])
def test_loop_agrees_with_iteration(
    request: pytest.FixtureRequest, build: Callable[[Graph], list[Node]], adapter: str
) -> None:
    chosen = request.getfixturevalue(adapter)
    runtime = Runtime(AccelOptions(device="gpu", verify=True), chosen)
    graph = Graph(runtime)
    results = build(graph)
    theirs = reference.evaluate(results, runtime.evaluation.leaf_value)
    runtime.evaluate(results, "test")
    assert runtime.recorder.counters.fallbacks == 0, list(runtime.recorder.boundaries)
    for node in results:
        ours = runtime.gather(node, "test").reshape(node.shape, order="F")
        tolerance = 1e-4 if ours.dtype.itemsize == 4 else 1e-11
        np.testing.assert_allclose(ours, theirs[node], rtol=tolerance, atol=tolerance)
