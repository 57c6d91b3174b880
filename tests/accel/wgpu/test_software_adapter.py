"""A software adapter opens here and computes: what is counted and timed in tests is counted on it."""

from __future__ import annotations

import numpy as np

from app.accel.backends.wgpu import open_provider
from app.accel.backends.wgpu.device import adapters
from app.accel.runtime.runtime import AccelOptions, Runtime
from tests.support.adapters import require_adapter


def test_a_software_adapter_opens_and_computes() -> None:
    software = [info.name for info in adapters() if info.type == "cpu"]
    require_adapter(software)
    provider = open_provider(software[0])
    runtime = Runtime(AccelOptions(device="gpu", verify=True), provider)
    try:
        data = np.arange(6, dtype=np.float32).reshape(2, 3, order="F")
        x = runtime.leaf(data)
        total = runtime.gather(runtime.apply("plus", (x, x)))
        assert np.array_equal(total, data + data)
        assert runtime.recorder.counters.dispatches == 1
    finally:
        runtime.close()
