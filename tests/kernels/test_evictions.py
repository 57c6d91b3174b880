"""A step's operands stay on the device while room is made for its results."""

from __future__ import annotations

import numpy as np
import pytest

from app.accel.backends.wgpu import WgpuProvider
from app.accel.runtime.runtime import AccelOptions, Runtime

N = 1 << 18


@pytest.mark.parametrize("arrays", [2, 3, 4, 6])
def test_a_small_budget_changes_no_value(provider: WgpuProvider, arrays: int) -> None:
    runtime = Runtime(
        AccelOptions(device="gpu", memory_budget=arrays * 4 * N, host_threads=1), provider
    )
    kept = [runtime.leaf(np.linspace(0, 1, N, dtype=np.float32).reshape(-1, 1))]
    for _ in range(6):
        kept.append(runtime.apply("plus", (kept[-1], kept[0])))
        runtime.evaluate([kept[-1]], "test")
    for times, node in enumerate(kept, start=1):
        expected = np.linspace(0, 1, N, dtype=np.float32) * times
        found = runtime.gather(node, "test").reshape(-1)
        np.testing.assert_allclose(found, expected, rtol=1e-6)
    reasons = {row.reason.value for row in runtime.recorder.boundaries.values()}
    assert "device-lost" not in reasons
    assert runtime.recorder.counters.evictions > 0 or arrays == 2
    runtime.executor.host.close()
