"""What the machine can do at most: bytes per second of a plain copy, in the same run."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

BYTES = {"cpu": 1 << 26}
"""Size of the copied array by kind of device: beyond its caches; 512 MiB elsewhere."""
TOGETHER = 8


def of(session: Any) -> float:
    """Bytes read and written per second by the session's device, or by the host without one."""
    runtime = session.interpreter.runtime
    device = runtime.executor.device if runtime is not None else None
    return _host() if device is None else _device(device)


def _device(provider: Any) -> float:
    from app.accel.graph.dtypes import DType
    from app.accel.providers.wgpu.commands import Commands

    nbytes = min(BYTES.get(provider.info.type, 1 << 29), provider.info.max_buffer_bytes // 2)
    a, b = (provider.allocate(DType.F32, nbytes // 4) for _ in range(2))
    native = provider.native_device
    best = float("inf")
    for _ in range(6):  # the first ones find the clocks low
        provider.synchronize()
        commands = Commands(native)
        for _ in range(TOGETHER):
            commands.copy(a.native, 0, b.native, 0, nbytes)
        started = time.perf_counter()
        with provider.lock:
            commands.send(native.queue)
        provider.upload(a, np.zeros(1, np.float32))
        provider.synchronize()
        best = min(best, time.perf_counter() - started)
    provider.free(a)
    provider.free(b)
    provider.trim()
    return 2.0 * nbytes * TOGETHER / best


def _host() -> float:
    a = np.ones(1 << 24)
    b = np.empty_like(a)
    times = []
    for _ in range(5):
        started = time.perf_counter()
        np.copyto(b, a)
        times.append(time.perf_counter() - started)
    return 2.0 * a.nbytes / min(times)
