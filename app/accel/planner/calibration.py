"""Measures how fast a device and the host are, once per adapter and driver.

Runs when nothing else does, after a run. It takes about half a second at most; what that does not
suffice for is measured the next time. Results are kept in the cache folder by fingerprint.
"""

from __future__ import annotations

import json
import math
from contextlib import contextmanager
from dataclasses import asdict, fields
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from app import cachefile, paths
from app.accel.backends.host import host_cost
from app.accel.backends.host.host_provider import HostProvider
from app.accel.ir.dtypes import DType
from app.accel.ir.plan import (
    Access,
    Dispatch,
    Instr,
    KernelRequest,
    MapSpec,
    MapValues,
    Reduce,
    Store,
    Template,
)
from app.accel.planner import cost
from app.accel.planner.cost import Speeds
from app.records import mutable_record, record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from app.accel.backends.base import Buffer, Pipeline, Provider

VERSION = 10
BUDGET_MS = 450.0
SMALL = 1024
LARGE = {"cpu": 1 << 22, "integrated": 1 << 22, "virtual": 1 << 22, "discrete": 1 << 24}
"""Elements of the large runs, by kind of device: enough to be seen beside the launch."""
F32 = DType.F32
SINES = 6
PRODUCT = 1024
"""Rows of the host's matrices; devices multiply smaller ones, which say as much about them."""
STAGING_BUFFERS = 4
"""The first uploads make the buffers that later ones pass through."""
TOGETHER = 16


def speeds_file() -> Path:
    """Where measured speeds are kept."""
    return paths.cache_dir() / "calibration.json"


def load(fingerprint: str) -> Speeds | None:
    """Speeds measured earlier; None where there are none (or of another version of us)."""
    entry = _entry(fingerprint)
    values = {item.name: entry.get(item.name) for item in fields(Speeds)}
    if not all(isinstance(value, int | float) for value in values.values()):
        return None
    return Speeds(**{name: float(value) for name, value in values.items() if value is not None})


def _entry(fingerprint: str) -> dict[str, Any]:
    entry = _read().get(fingerprint)
    return entry if isinstance(entry, dict) and entry.get("version") == VERSION else {}


def save(fingerprint: str, speeds: Speeds, stages: Iterable[str] = ()) -> None:
    """Remember speeds, and which stages of measuring have been done."""
    done = {"stages": sorted(stages), "version": VERSION}
    _write({fingerprint: asdict(speeds) | done})


def complete(provider: Provider) -> bool:
    """Whether everything has been measured."""
    return set(_stages(provider)) <= set(_entry(name_of(provider)).get("stages", ()))


def _write(entries: dict[str, dict[str, object]]) -> None:
    everything = _read() | entries
    cachefile.write(speeds_file(), json.dumps(everything, indent=1).encode())


def _read() -> dict[str, object]:
    kept = cachefile.read(speeds_file())
    return json.loads(kept) if kept else {}


def speeds_of(provider: Provider) -> Speeds:
    """Known speeds of a device or the host; what is not known is measured now."""
    name = name_of(provider)
    known, done = load(name) or _assumed_speeds(provider), set(_entry(name).get("stages", ()))
    if set(_stages(provider)) <= done:
        return known
    bench = bench_of(provider, known, done)
    speeds = bench.measure()
    save(name, speeds, bench.done)
    return speeds


@record
class Opened:
    """How long opening a device took, its fingerprint and what kind of device it is."""

    ms: float
    fingerprint: str
    kind: str = ""


def opening_of(name: str) -> Opened | None:
    """What is known of opening the device of this name."""
    entry = _read().get(f"opening|{name}")
    if not isinstance(entry, dict):
        return None
    spent, fingerprint = entry.get("ms"), entry.get("fingerprint")
    if not isinstance(spent, int | float) or not isinstance(fingerprint, str):
        return None
    return Opened(float(spent), fingerprint, str(entry.get("kind", "")))


def remember_opening(name: str, opened: Opened) -> None:
    """Keep how long opening took; the shorter time counts, it met a quieter machine."""
    known = opening_of(name)
    if known is None or known.fingerprint != opened.fingerprint or opened.ms < known.ms:
        _write({f"opening|{name}": asdict(opened)})


def known_host(host: HostProvider) -> Speeds | None:
    """Speeds of the host measured earlier."""
    return load(name_of(host))


def name_of(provider: Provider) -> str:
    """What measurements of a device, or of the host, are kept under."""
    if isinstance(provider, HostProvider):
        return f"host|{provider.threads}|{np.__version__}"
    return provider.info.fingerprint


# --- measuring --------------------------------------------------------------------------------


def kernel(sines: int, double: bool = False) -> KernelRequest:
    """``x + 1``, or a chain of sines of it, perhaps in double precision."""
    body = [
        Instr("load", F32, (), (0, 0)),
        Instr("param", F32, (), (0,)),
        Instr("plus", F32, (0, 1)),
    ]
    inner = DType.F64 if double else F32
    if double:
        body.append(Instr("cast", inner, (2,)))
    for _ in range(sines):
        body.append(Instr("sin", inner, (len(body) - 1,)))
    if double:
        body.append(Instr("cast", F32, (len(body) - 1,)))
    store = Store(0, len(body) - 1, F32, 0)
    return KernelRequest(
        Template.MAP,
        f"calibration {sines}{' double' * double}",
        1,
        (),
        (F32,),
        (F32,),
        (F32,),
        (MapSpec(Access.FLAT),),
        tuple(body),
        (store,),
    )


def product() -> KernelRequest:
    """A product of two matrices of singles."""
    options = (("transpose_a", 0), ("transpose_b", 0))
    return KernelRequest(
        Template.MATMUL,
        "calibration product",
        2,
        (),
        (F32, F32),
        (F32,),
        (),
        (MapSpec(Access.FLAT),),
        (),
        (Store(0, 0, F32, 0),),
        (Reduce("sum", 0, F32),),
        (Instr("result", F32, (), (0,)),),
        attrs=options,
    )


STAGES = ("transfers", "streams", "singles", "doubles", "products")


def _stages(provider: Provider) -> tuple[str, ...]:
    """What is to be measured of a provider."""
    return tuple(s for s in STAGES if s != "doubles" or provider.supports(DType.F64))


@mutable_record
class Bench:
    """Buffers and kernels of a measurement.

    Attributes:
        known: speeds by name, as far as they are known or assumed.
        done: the stages measured so far.
    """

    provider: Provider
    deadline: float
    large: int
    known: dict[str, float]
    done: set[str]

    def measure(self) -> Speeds:
        """All speeds; what the time does not suffice for stays as it was."""
        source = self.provider.allocate(F32, self.large)
        target = self.provider.allocate(F32, self.large)
        stages: dict[str, Callable[[Buffer, Buffer], None]] = {
            "transfers": self._transfers,
            "streams": self._streams,
            "singles": self._singles,
            "doubles": self._doubles,
            "products": self._products,
        }
        try:
            for name in _stages(self.provider):
                if name not in self.done and perf_counter() < self.deadline:
                    stages[name](source, target)
                    self.done.add(name)
        finally:
            self.provider.free(source)
            self.provider.free(target)
        return Speeds(**self.known)

    def _transfers(self, source: Buffer, target: Buffer) -> None:
        del target
        data = np.linspace(0, 1, self.large, dtype=np.float32)
        out, known = np.empty_like(data), self.known
        for _ in range(STAGING_BUFFERS):
            self._upload(source, data)
        large = _best(lambda: self._upload(source, data), 3)
        small = _best(lambda: self._upload(source, data[:4]), 3)
        known["upload_ms"], known["upload"] = small, _rate(data.nbytes, large - small)
        small = _best(lambda: self.provider.download(source, 0, 4), 3)
        large = _best(lambda: self.provider.download(source, 0, self.large, out), 3)
        known["download_ms"], known["download"] = small, _rate(data.nbytes, large - small)

    def _streams(self, source: Buffer, target: Buffer) -> None:
        known = self.known
        stream = self.provider.prepare(kernel(0))  # the first one also loads the compiler
        self._time(stream, source, target, SMALL)
        started = perf_counter()
        fresh = self.provider.prepare(kernel(1))
        self._time(fresh, source, target, SMALL, times=1)
        known["compile_ms"] = (perf_counter() - started) * 1000
        waiting = self._time(stream, source, target, SMALL)
        large = self._time(stream, source, target, self.large)
        # Waiting for the device is paid once per answer, launches travel together.
        many = self._time(stream, source, target, SMALL, TOGETHER)
        known["launch_ms"] = max(many - waiting, 0.001 * TOGETHER) / (TOGETHER - 1)
        known["bandwidth"] = _rate(2 * 4 * self.large, large - waiting)

    def _singles(self, source: Buffer, target: Buffer) -> None:
        with _machine_code(self.provider, False):
            self.known["arithmetic"] = self._sines(False, source, target)

    def _doubles(self, source: Buffer, target: Buffer) -> None:
        """On the host: machine code for singles."""
        with _machine_code(self.provider, True):
            self.known["doubles"] = self._sines(True, source, target)

    def _sines(self, double: bool, source: Buffer, target: Buffer) -> float:
        """Cost units (on the host reference nanoseconds) per ms beyond plain copying."""
        each: float = cost.units("sin")
        if isinstance(self.provider, HostProvider):
            each = (host_cost.MACHINE if double else host_cost.NS)["sin"][0]
        count = self.large // 4
        plain = self._time(self.provider.prepare(kernel(0)), source, target, count)
        wide = double and not isinstance(self.provider, HostProvider)
        spent = self._time(self.provider.prepare(kernel(SINES, wide)), source, target, count)
        return _rate(count * SINES * each, max(spent - plain, 0.02 * plain))

    def _products(self, *_: object) -> None:
        provider = self.provider
        side = PRODUCT if isinstance(provider, HostProvider) else math.isqrt(self.large) // 4
        a, b, c = (provider.allocate(F32, side * side) for _ in range(3))
        for factor in (a, b):
            provider.upload(factor, np.ones(side * side, np.float32))
        run = Dispatch(
            provider.prepare(product()),
            (a, b),
            (c,),
            (side, side, side),
            (MapValues(0, (1, side)),),
            (),
        )
        self.known["matmul"] = _rate(side**3, self._runs([run], 3))
        for buffer in (a, b, c):
            provider.free(buffer)

    def _upload(self, buffer: Buffer, data: np.ndarray[tuple[int], np.dtype[np.float32]]) -> None:
        self.provider.upload(buffer, data)
        self.provider.synchronize()

    def _time(
        self,
        pipeline: Pipeline,
        source: Buffer,
        target: Buffer,
        count: int,
        runs: int = 1,
        times: int = 4,
    ) -> float:
        place = (MapValues(0, (1,)),)
        run = Dispatch(pipeline, (source,), (target,), (count,), place, (1.0,))
        return self._runs([run] * runs, times)

    def _runs(self, dispatches: list[Dispatch], times: int) -> float:
        def once() -> None:
            self.provider.submit(dispatches)
            self.provider.synchronize()

        once()
        return _best(once, times)


@contextmanager
def _machine_code(provider: Provider, wanted: bool) -> Iterator[None]:
    """Let the host use machine code at once, or not at all."""
    if not isinstance(provider, HostProvider):
        yield
        return
    compiler = provider.compiler
    kept = compiler.hot_ms, compiler.wait_ms
    compiler.hot_ms, compiler.wait_ms = (0.0, 0.0) if wanted else (math.inf, math.inf)
    try:
        yield
    finally:
        compiler.hot_ms, compiler.wait_ms = kept


def bench_of(provider: Provider, known: Speeds, done: set[str]) -> Bench:
    """A measurement within the time budget."""
    large = LARGE.get(provider.info.type, LARGE["integrated"])
    return Bench(provider, perf_counter() + BUDGET_MS / 1000, large, asdict(known), set(done))


def measure(provider: Provider) -> Speeds:
    """Measure a provider within the time budget, without regard to what is known."""
    return bench_of(provider, _assumed_speeds(provider), set()).measure()


def _assumed_speeds(provider: Provider) -> Speeds:
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
