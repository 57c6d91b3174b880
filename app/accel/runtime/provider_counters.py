"""Counts of compilations and submissions, as far as they were made for this runtime."""

from __future__ import annotations

import time
from dataclasses import field
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from app.accel.support.telemetry import KernelRow
from app.records import mutable_record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from app.accel.backends.base import Pipeline, Provider
    from app.accel.backends.host.machine_code import MachineCode
    from app.accel.ir.plan import KernelRequest
    from app.accel.planner.schedule import PlannedStep
    from app.accel.support.telemetry import Recorder


def nobody(kernel: KernelRequest, spent: float) -> None:
    """Told of compilations where nobody wants to know."""
    del kernel, spent


@mutable_record
class ProviderCounters:
    """Books what a provider has done beyond what was booked before.

    Attributes:
        booked: compile time of each pipeline, or code of the host, that is in the counters, of this
            run or earlier ones.
        submits: submissions of the provider that are in the counters.
        told: hears how long the device's compilations took.
    """

    recorder: Recorder
    booked: WeakKeyDictionary[object, float] = field(default_factory=WeakKeyDictionary)
    submits: int = 0
    on_compiled: Callable[[KernelRequest, float], None] = nobody

    def begin(self, provider: Provider) -> None:
        """What this provider did so far was done for others."""
        self.booked.clear()
        self.submits = provider.submitted

    def hit(self, kernel: KernelRequest, pipeline: Pipeline, times: int = 1) -> None:
        """A kernel was there already; compiled in an earlier run, it has a row in this one too."""
        self.recorder.counters.pipeline_hits += times
        self._row(kernel, pipeline).hits += times

    def hits(self, steps: Sequence[PlannedStep], pipelines: Mapping[str, Pipeline]) -> None:
        """The kernels of steps were there already."""
        self.recorder.counters.pipeline_hits += len(steps)
        kernels = self.recorder.kernels
        for step in steps:
            key = step.kernel.key
            row = kernels.get(key)
            if row is None:
                row = self._row(step.kernel, pipelines[key])
            row.hits += 1

    def prepared(self, kernel: KernelRequest, pipeline: Pipeline, group: int = 0) -> None:
        """A kernel was asked for: compiled, or restored from another run, or known for long."""
        known = pipeline in self.booked
        before = self.booked.setdefault(pipeline, 0.0)
        if getattr(pipeline, "restored", False) or (known and pipeline.compile_ms <= before):
            self.hit(kernel, pipeline)
        else:
            self._count_compilation(kernel, pipeline, group)

    def launched(self, kernel: KernelRequest, pipeline: Pipeline, group: int = 0) -> None:
        """A kernel was handed in: variants for its sizes may have been compiled for that."""
        if pipeline.compile_ms > self.booked[pipeline]:
            self._count_compilation(kernel, pipeline, group)

    def _count_compilation(self, kernel: KernelRequest, pipeline: Pipeline, group: int) -> None:
        spent = pipeline.compile_ms - self.booked[pipeline]
        self.booked[pipeline] = pipeline.compile_ms
        self._missed(self._row(kernel, pipeline), spent, group)
        self.on_compiled(kernel, spent)

    def _missed(self, row: KernelRow, spent: float, group: int) -> None:
        """Count a compilation: the counters, the kernel's row and the timeline say the same."""
        counters = self.recorder.counters
        counters.pipeline_misses += 1
        row.misses += 1
        counters.kernels_compiled += 1
        counters.compile_ms += spent
        row.compile_ms += spent
        started = time.perf_counter() - spent / 1000
        self.recorder.note("Compile", row.label, started, spent / 1000, flow=group)

    def _row(self, kernel: KernelRequest, pipeline: Pipeline) -> KernelRow:
        row = self.recorder.kernels.get(kernel.key)
        if row is None:
            row = self.recorder.kernels[kernel.key] = KernelRow(
                kernel.key, kernel.label, pipeline.source, tuple(pipeline.workgroup), 0.0
            )
        return row

    def ran(self, group: int, code: MachineCode | None, refused: str) -> bool:
        """A group ran on the host: as machine code, or on NumPy (perhaps because it must).

        True where the code has just been made.
        """
        row = self.recorder.groups.get(group)
        if row is not None:
            row.native_runs += code is not None
            row.native_detail = refused
        if code is None:
            return False
        kernel = self.recorder.kernels.get(code.key)
        if kernel is None:
            kernel = self.recorder.kernels[code.key] = KernelRow(
                code.key, code.request.label, code.source, (code.variant.lanes,), 0.0
            )
        if code in self.booked or not code.compile_ms:
            self.recorder.counters.pipeline_hits += 1
            kernel.hits += 1
            return False
        self.booked[code] = code.compile_ms
        self._missed(kernel, code.compile_ms, group)
        return True

    def sent(self, provider: Provider) -> None:
        """Count the submissions since the last time."""
        self.recorder.counters.submits += provider.submitted - self.submits
        self.submits = provider.submitted
