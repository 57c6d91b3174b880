"""What the machine can do at most: bytes per second of a plain copy, in the same run.

On a device that is the faster of a kernel that only moves what it reads and of torch's copy; the
copy commands of a graphics interface reach a fifth of it. On the host it is NumPy's copy.
"""

from __future__ import annotations

import importlib
import importlib.util
import time
from typing import Any

import numpy as np

COUNT = {"cpu": 1 << 24}
"""Elements of the copied array by kind of device: beyond its caches; 2^27 elsewhere."""
TIMES = 12


def of(session: Any) -> float:
    """Bytes read and written per second by the session's device, or by the host without one."""
    runtime = session.interpreter.runtime
    device = runtime.executor.device if runtime is not None else None
    return _host() if device is None else max(_device(device), _torch(device.info.type))


def _device(provider: Any) -> float:
    from app.accel.ir.dtypes import DType
    from app.accel.ir.plan import Dispatch, MapValues
    from app.accel.planner import calibration

    count = COUNT.get(provider.info.type, 1 << 27)
    a, b = (provider.allocate(DType.F32, count) for _ in range(2))
    provider.upload(a, np.random.default_rng(1).random(count, np.float32))
    made = provider.prepare(calibration.kernel(0))
    run = Dispatch(made, (a,), (b,), (count,), (MapValues(0, (1,)),), (1.0,))
    best = float("inf")
    for _ in range(TIMES):  # the first ones find the clocks low
        provider.synchronize()
        started = time.perf_counter()
        sent = provider.submit([run])
        provider.synchronize()
        spent = (time.perf_counter() - started) * 1e3
        best = min(best, provider.timestamps(sent)[0] or spent)
    for buffer in (a, b):
        provider.free(buffer)
    provider.trim()
    return 8.0 * count / best * 1e3


def _torch(kind: str) -> float:
    if kind == "cpu" or importlib.util.find_spec("torch") is None:
        return 0.0
    torch = importlib.import_module("torch")
    if not torch.cuda.is_available():
        return 0.0
    a = torch.ones(1 << 27, device="cuda")
    b = torch.empty_like(a)
    times = []
    for _ in range(TIMES):
        torch.cuda.synchronize()
        started = time.perf_counter()
        for _ in range(TIMES):
            b.copy_(a)
        torch.cuda.synchronize()
        times.append(time.perf_counter() - started)
    return 2.0 * a.nbytes * TIMES / min(times)


def _host() -> float:
    a = np.ones(1 << 24)
    b = np.empty_like(a)
    times = []
    for _ in range(5):
        started = time.perf_counter()
        np.copyto(b, a)
        times.append(time.perf_counter() - started)
    return 2.0 * a.nbytes / min(times)
