"""Measures how fast a device and the host are, once per adapter and driver.

Runs in the thread that opens the device, before anybody uses it, in about half a second at most;
the result is kept in the cache folder by the device's fingerprint.
"""

from __future__ import annotations

import json
import logging
import os
from dataclasses import asdict, dataclass, fields
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from app import paths
from app.accel import cost, host_cost
from app.accel.cost import Speeds
from app.accel.dtypes import DType
from app.accel.plan import (
    Access,
    Dispatch,
    Instr,
    KernelRequest,
    MapSpec,
    MapValues,
    Store,
    Template,
)  # fmt: skip
from app.accel.providers.host import HostProvider

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from app.accel.providers.base import Provider

VERSION = 7
BUDGET_MS = 450.0
SMALL = 1024
LARGE = {"cpu": 1 << 20, "integrated": 1 << 22, "virtual": 1 << 22, "discrete": 1 << 24}
"""Elements of the large runs, by kind of device: enough to be seen beside the launch."""
F32 = DType.F32
SINES = 6
TOGETHER = 16


def speeds_file() -> Path:
    """Where measured speeds are kept."""
    return paths.cache_dir() / "calibration.json"


def load(fingerprint: str) -> Speeds | None:
    """Speeds measured earlier; None where there are none (or of another version of us)."""
    entry = _read().get(fingerprint)
    if not isinstance(entry, dict) or entry.get("version") != VERSION:
        return None
    values = {item.name: entry.get(item.name) for item in fields(Speeds)}
    if not all(isinstance(value, int | float) for value in values.values()):
        return None
    return Speeds(**{name: float(value) for name, value in values.items() if value is not None})


def save(fingerprint: str, speeds: Speeds) -> None:
    """Remember speeds."""
    _write({fingerprint: asdict(speeds) | {"version": VERSION}})


def _write(entries: dict[str, dict[str, object]]) -> None:
    everything = _read() | entries
    path = speeds_file()
    fresh = path.with_suffix(f".{os.getpid()}")
    fresh.write_text(json.dumps(everything, indent=1), encoding="utf-8")
    fresh.replace(path)


def _read() -> dict[str, object]:
    path = speeds_file()
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(found, dict):
            return found
        problem = "it holds no table"
    except OSError:
        return {}  # nothing measured yet
    except ValueError as error:
        problem = str(error)
    kept = paths.set_aside(path).name
    logging.getLogger("fuselab.gpu").warning(
        "the measured speeds are broken (%s); they are kept as %s", problem, kept
    )
    return {}


def device_speeds(provider: Provider) -> Speeds:
    """Known or freshly measured speeds of a device."""
    known = load(provider.info.fingerprint)
    if known is not None:
        return known
    speeds = measure(provider)
    save(provider.info.fingerprint, speeds)
    return speeds


def opening_ms(name: str) -> tuple[float, str] | None:
    """How long opening the device of this name took before, and its fingerprint."""
    entry = _read().get(f"opening|{name}")
    if not isinstance(entry, dict):
        return None
    spent, fingerprint = entry.get("ms"), entry.get("fingerprint")
    if not isinstance(spent, int | float) or not isinstance(fingerprint, str):
        return None
    return float(spent), fingerprint


def remember_opening(name: str, spent: float, fingerprint: str) -> None:
    """Keep how long opening took; the shorter time counts, it met a quieter machine."""
    known = opening_ms(name)
    if known is None or known[1] != fingerprint or spent < known[0]:
        _write({f"opening|{name}": {"ms": spent, "fingerprint": fingerprint}})


def known_host(host: HostProvider) -> Speeds | None:
    """Speeds of the host measured earlier."""
    return load(_host_name(host))


def host_speeds(host: HostProvider) -> Speeds:
    """Known or freshly measured speeds of the host."""
    known = known_host(host)
    if known is not None:
        return known
    speeds = measure(host)
    save(_host_name(host), speeds)
    return speeds


def _host_name(host: HostProvider) -> str:
    return f"host|{host.threads}|{np.__version__}"


# --- measuring --------------------------------------------------------------------------------


def kernel(sines: int, double: bool = False) -> KernelRequest:
    """``x + 1``, or a chain of sines of it, perhaps in double precision."""
    body = [Instr("load", F32, (), (0, 0)), Instr("param", F32, (), (0,)),
            Instr("plus", F32, (0, 1))]  # fmt: skip
    inner = DType.F64 if double else F32
    if double:
        body.append(Instr("cast", inner, (2,)))
    for _ in range(sines):
        body.append(Instr("sin", inner, (len(body) - 1,)))
    if double:
        body.append(Instr("cast", F32, (len(body) - 1,)))
    store = Store(0, len(body) - 1, F32, 0)
    return KernelRequest(
        Template.MAP, f"calibration {sines}{' double' * double}", 1, (), (F32,), (F32,), (F32,),
        (MapSpec(Access.FLAT),), tuple(body), (store,),
    )  # fmt: skip


@dataclass(slots=True)
class _Bench:
    """Buffers and kernels of a measurement."""

    provider: Provider
    deadline: float
    large: int

    def measure(self) -> Speeds:
        """All speeds; what the time does not suffice for stays as assumed."""
        known = asdict(_assumed(self.provider))
        provider = self.provider
        data = np.linspace(0, 1, self.large, dtype=np.float32)
        source = provider.allocate(F32, self.large)
        target = provider.allocate(F32, self.large)
        try:
            large = _best(lambda: self._upload(source, data), 3)
            small = _best(lambda: self._upload(source, data[:4]), 3)
            known["upload_ms"], known["upload"] = small, _rate(data.nbytes, large - small)
            stream = provider.prepare(kernel(0))  # the first one also loads the compiler
            started = perf_counter()
            provider.prepare(kernel(1))
            known["compile_ms"] = (perf_counter() - started) * 1000
            self._kernels(stream, source, target, known)
            self._downloads(target, data.nbytes, known)
        finally:
            provider.free(source)
            provider.free(target)
        return Speeds(**known)

    def _kernels(self, stream: object, source: object, target: object, known: dict[str, float]
                 ) -> None:  # fmt: skip
        waiting = self._time(stream, source, target, SMALL)
        large = self._time(stream, source, target, self.large)
        # Waiting for the device is paid once per answer, launches travel together.
        many = self._time(stream, source, target, SMALL, TOGETHER)
        known["launch_ms"] = max(many - waiting, 0.001 * TOGETHER) / (TOGETHER - 1)
        known["bandwidth"] = _rate(2 * 4 * self.large, large - waiting)
        if perf_counter() < self.deadline:
            known["arithmetic"] = self._sines(False, source, target, large)
        if perf_counter() < self.deadline and self.provider.supports(DType.F64):
            known["doubles"] = self._sines(True, source, target, large)
        if isinstance(self.provider, HostProvider):
            known["matmul"] = max(_host_matmul(), known["matmul"] / 2)

    def _sines(self, double: bool, source: object, target: object, plain: float) -> float:
        """Cost units (on the host reference nanoseconds) per ms beyond plain copying."""
        each: float = cost.units("sin")
        if isinstance(self.provider, HostProvider):
            each = host_cost.NS["sin"][double]
        spent = self._time(self.provider.prepare(kernel(SINES, double)), source, target, self.large)
        return _rate(self.large * SINES * each, max(spent - plain, 0.02 * plain))

    def _downloads(self, target: object, n_bytes: int, known: dict[str, float]) -> None:
        if perf_counter() > self.deadline:
            return
        out = np.empty(self.large, np.float32)
        small = _best(lambda: self.provider.download(target, 0, 4), 3)
        large = _best(lambda: self.provider.download(target, 0, self.large, out), 2)
        known["download_ms"], known["download"] = small, _rate(n_bytes, large - small)

    def _upload(self, buffer: object, data: np.ndarray[tuple[int], np.dtype[np.float32]]) -> None:
        self.provider.upload(buffer, data)
        self.provider.synchronize()

    def _time(
        self, pipeline: object, source: object, target: object, count: int, runs: int = 1
    ) -> float:
        place = (MapValues(0, (1,)),)
        run = Dispatch(pipeline, (source,), (target,), (count,), place, (1.0,))

        def once() -> None:
            self.provider.submit([run] * runs)
            self.provider.synchronize()

        once()
        return _best(once, 4)


def _host_matmul() -> float:
    """Multiply-adds per ms of the linear algebra library."""
    side = 512
    a = np.ones((side, side), np.float32)
    return _rate(side**3, _best(lambda: a @ a, 4))


def measure(provider: Provider) -> Speeds:
    """Measure a provider within the time budget."""
    large = LARGE.get(provider.info.type, LARGE["integrated"])
    return _Bench(provider, perf_counter() + BUDGET_MS / 1000, large).measure()


def _assumed(provider: Provider) -> Speeds:
    if isinstance(provider, HostProvider):
        return cost.typical_host(provider.threads)
    return cost.typical(provider.info)


def _best(action: Callable[[], object], times: int) -> float:
    """Shortest of several runs in ms."""
    best = float("inf")
    for _ in range(times):
        started = perf_counter()
        action()
        best = min(best, (perf_counter() - started) * 1000)
    return best


def _rate(amount: float, ms: float) -> float:
    """Amount per ms, safe against a clock that saw nothing."""
    return amount / max(ms, 1e-4)
