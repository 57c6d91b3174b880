"""A host and a device whose times are given: what `auto` takes beside both sides, to the digit.

Nothing waits and nothing is measured: every step, transfer, compilation and opening moves a clock
by what a `World` says that it takes.
"""

from __future__ import annotations

import math
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from numpy.typing import NDArray

from app import paths
from app.accel.backends.null import NullBuffer, NullPipeline, NullProvider
from app.accel.codegen.compile_weight import FIXED, kernel_weight
from app.accel.ir.plan import Dispatch, KernelRequest
from app.accel.planner import calibration, cost
from app.accel.planner.calibration import Opened
from app.accel.planner.cost import Side, Speeds
from app.accel.planner.schedule import PlannedStep
from app.accel.runtime.runtime import AccelOptions, Runtime

IDLE = 2000.0
"""Milliseconds between two runs, in which somebody looks at the answers."""
BESIDE = 1.1
"""By what the host's steps take longer while a device is opened beside them."""


@dataclass
class World:
    """True speeds of both sides, what opening the device takes, and what the time is.

    Attributes:
        believed: by what the estimates of host and device are off at first.
        now: milliseconds since the beginning.
        opening: whether the device is being opened.
    """

    host: Speeds
    device: Speeds
    opening_ms: float = 300.0
    believed: tuple[float, float] = (1.0, 1.0)
    now: float = 0.0
    opening: bool = False

    def spent(self, step: PlannedStep, side: Side) -> float:
        """What a step takes."""
        if side is Side.DEVICE:
            return cost.device_ms(step.work, self.device)
        return cost.numpy_ms(step.work, self.host) * (BESIDE if self.opening else 1.0)

    def runtime(self, device: str) -> Runtime:
        """A runtime in this world, as after an earlier run has measured everything."""
        self.now, self.opening = 0.0, False
        shutil.rmtree(paths.cache_dir(), ignore_errors=True)
        found = Device(self)
        host, card = (_slower(s, by) for s, by in zip(self._sides(), self.believed, strict=True))
        calibration.save(found.info.fingerprint, card, calibration.STAGES)
        opened = Opened(self.opening_ms, found.info.fingerprint, found.info.type)
        calibration.remember_opening("auto", opened)
        options = AccelOptions(device=device, host_threads=1, kernel_cache=False)
        runtime = Runtime(options, opener=lambda _: found)
        calibration.save(calibration.name_of(runtime.executor.host), host, calibration.STAGES)
        runtime.executor.host.compiler.hot_ms = runtime.executor.host.compiler.wait_ms = math.inf
        opening = runtime.opening
        opening.clock = lambda: self.now / 1000
        opening.start = cast("Any", lambda work: Waiting(self, work))

        def observe(step: PlannedStep, side: Side, times: Sequence[float]) -> None:
            for _ in times:
                spent = self.spent(step, side)
                self.now += spent
                runtime.planner.observe(step, side, [spent])

        runtime.executor.sent.observe = observe
        if device == "gpu":
            runtime.open()
        return runtime

    def _sides(self) -> tuple[Speeds, Speeds]:
        return self.host, self.device


def _slower(speeds: Speeds, by: float) -> Speeds:
    """Speeds at which everything but launches takes so many times as long."""
    return replace(
        speeds,
        bandwidth=speeds.bandwidth / by,
        arithmetic=speeds.arithmetic / by,
        doubles=speeds.doubles / by,
        matmul=speeds.matmul / by,
    )


@dataclass
class Waiting:
    """The thread that opens the device."""

    world: World
    work: Callable[[], None]
    ends: float = field(init=False)

    def __post_init__(self) -> None:
        self.ends, self.world.opening = self.world.now + self.world.opening_ms, True

    def is_alive(self) -> bool:
        """Whether it is still at it; what it leaves behind is there when it ends."""
        if self.world.opening and self.world.now >= self.ends:
            self.world.opening, now = False, self.world.now
            self.world.now = self.ends  # that is when it is done; it compiles from then on
            self.work()
            self.world.now = now
        return self.world.opening

    def join(self, timeout: float = math.inf) -> None:
        """Time goes by."""
        self.world.now = max(self.world.now, min(self.ends, self.world.now + 1000 * timeout))


class Device(NullProvider):
    """A device that takes its time."""

    def __init__(self, world: World) -> None:
        super().__init__()
        self.world = world
        self.compiled: dict[str, float] = {}

    def upload(self, buffer: NullBuffer, data: NDArray[Any], start: int = 0) -> None:
        """It takes its time."""
        super().upload(buffer, data, start)
        self.world.now += cost.upload_ms(data.nbytes, self.world.device)

    def download(
        self,
        buffer: NullBuffer,
        start: int = 0,
        count: int | None = None,
        out: NDArray[Any] | None = None,
    ) -> NDArray[Any]:
        """It takes its time."""
        data = super().download(buffer, start, count, out)
        self.world.now += cost.download_ms(data.nbytes, self.world.device)
        return data

    def ready(self, kernel: KernelRequest, like: Dispatch) -> bool:
        """Whether its compilation has ended."""
        return self.compiled.get(kernel.key, math.inf) <= self.world.now

    def anticipate(self, kernel: KernelRequest, like: Dispatch) -> None:
        """Compilers work beside the script."""
        self.compiled.setdefault(kernel.key, self.world.now + self.compile_ms(kernel))

    def compile_ms(self, kernel: KernelRequest) -> float:
        """What its compilation takes."""
        return self.world.device.compile_ms * kernel_weight(kernel) / FIXED

    def prepare(self, kernel: KernelRequest, like: Dispatch | None = None) -> NullPipeline:
        """Waits for the compiler."""
        fresh = kernel.key not in self.compiled
        if not self.ready(kernel, cast("Dispatch", like)):
            self.anticipate(kernel, cast("Dispatch", like))
            self.world.now = self.compiled[kernel.key]
        made = super().prepare(kernel, like)
        made.compile_ms = self.compile_ms(kernel) if fresh else 0.0
        return made


Program = Callable[[Runtime, Any], None]
"""Does some work with a runtime and what was prepared."""


def times(
    world: World, device: str, prepare: Callable[[Runtime], Any], program: Program, runs: int
) -> list[float]:
    """Milliseconds of each run in one session; opening counts where it is waited for."""
    runtime = world.runtime(device)
    data, taken, before = prepare(runtime), [], 0.0
    for _ in range(runs):
        program(runtime, data)
        runtime.synchronize()
        taken.append(world.now - before)
        runtime.measure()
        world.now = before = world.now + IDLE
    runtime.close()
    return taken
