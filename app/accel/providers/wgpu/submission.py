"""Work on its way: dispatches wait briefly, then travel in one encoder and one compute pass."""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

import numpy as np

from app.accel.kernels.program import Role
from app.accel.providers.wgpu.calls import FastPass, Mapping
from app.accel.providers.wgpu.memory import size_class, wait_mapped
from app.accel.providers.wgpu.runs import Run, runs_of
from app.accel.providers.wgpu.segments import give_back

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.accel.kernels.program import Binding
    from app.accel.plan import Dispatch
    from app.accel.providers.wgpu.device import Device
    from app.accel.providers.wgpu.memory import DeviceBuffer, Pool
    from app.accel.providers.wgpu.pipelines import Compiler
    from app.accel.providers.wgpu.segments import Loan

SLOT = 256
RING = 1 << 20
MOST = 1000
"""Dispatches of one submission: status words and time stamps are reserved for so many."""
WAITING = 64
PAUSE_S = 0.001
BIND_GROUPS = 4096


@dataclass(slots=True, eq=False, weakref_slot=True)
class Results:
    """Time stamps and status words of one command buffer, read back once."""

    buffer: Any
    count: int
    stamps: bool
    raw: np.ndarray[Any, np.dtype[np.uint8]] | None = None
    mapping: Mapping | None = None

    def request(self) -> None:
        """Begin to read; who waits for the device next waits for this as well."""
        if self.buffer is not None and self.mapping is None:
            self.mapping = Mapping(self.buffer, -(-(12 * self.count + 8) // 8) * 8, Mapping.READ)

    def receive(self, device: Device) -> Any:
        """Wait for what was requested; the buffer that is free again, or None."""
        self.request()
        if self.mapping is None:
            return None
        wait_mapped(device, self.mapping)
        self.raw = self.mapping.memory().copy()
        self.mapping.release()
        freed, self.buffer, self.mapping = self.buffer, None, None
        return freed

    def left(self, k: int) -> bool:
        """Whether dispatch k left its domain."""
        assert self.raw is not None
        start = 8 * (self.count + 1)
        return bool(self.raw[start : start + 4 * self.count].view(np.uint32)[k])

    def spent(self, k: int) -> float | None:
        """Milliseconds of dispatch k."""
        if not self.stamps:
            return None
        assert self.raw is not None
        ticks = self.raw[8 * k : 8 * k + 16].view(np.int64)
        return float(max(0, int(ticks[1]) - int(ticks[0]))) * 1e-6


@dataclass(slots=True, eq=False)
class WgpuSubmission:
    """Work handed to the device.

    Attributes:
        passes: per dispatch given, compute dispatches really encoded.
        submits: command buffers submitted when this work was handed in (it may itself wait).
        guarded: per dispatch given, whether it has a status word.
        results: per dispatch given, where its results are, once it is on its way.
    """

    passes: list[int] = field(default_factory=list)
    submits: int = 0
    guarded: list[bool] = field(default_factory=list)
    results: list[tuple[Results, int]] = field(default_factory=list)

    @property
    def dispatches(self) -> int:
        """Compute dispatches really encoded."""
        return sum(self.passes)


@dataclass(slots=True)
class Waiting:
    """A dispatch that has not been encoded yet."""

    dispatch: Dispatch
    runs: list[Run]
    submission: WgpuSubmission
    size: int


@dataclass(slots=True)
class Encoder:
    """Encodes and submits; owns the parameter ring, the status words and the bind groups."""

    device: Device
    compiler: Compiler
    pool: Pool
    ring: Any = None
    status: Any = None
    queries: Any = None
    resolved: Any = None
    groups: OrderedDict[tuple[int, ...], Any] = field(default_factory=OrderedDict)
    spare: list[Any] = field(default_factory=list)
    waiting: list[Waiting] = field(default_factory=list)
    scratch: dict[int, DeviceBuffer] = field(default_factory=dict)
    unread: WeakSet[Results] = field(default_factory=WeakSet)
    sent_at: float = 0.0
    submits: int = 0
    group_hits: int = 0

    def open(self) -> None:
        """Create what lives as long as the device."""
        import wgpu

        native, usage = self.device.native, wgpu.BufferUsage
        self.ring = native.create_buffer(
            label="fuselab parameters", size=RING, usage=usage.UNIFORM | usage.COPY_DST
        )
        self.status = native.create_buffer(
            label="fuselab status", size=MOST * 4,
            usage=usage.STORAGE | usage.COPY_SRC | usage.COPY_DST,
        )  # fmt: skip
        if self.device.stamps:
            self.queries = native.create_query_set(type="timestamp", count=MOST + 1)
            self.resolved = native.create_buffer(
                label="fuselab time stamps", size=(MOST + 1) * 8,
                usage=usage.QUERY_RESOLVE | usage.COPY_SRC,
            )  # fmt: skip

    def submit(self, dispatches: Sequence[Dispatch]) -> WgpuSubmission:
        """Take dispatches in order; they go out soon, or when somebody waits for them."""
        submission, before = WgpuSubmission(), self.submits
        fresh = []
        for dispatch in dispatches:
            pipeline: Any = dispatch.pipeline
            limit = self.device.info.max_binding_bytes
            runs = list(runs_of(dispatch, self.compiler, limit, self.pool))
            size = sum(-(-4 * len(run.launch.words) // SLOT) * SLOT for run in runs)
            submission.passes.append(len(runs))
            submission.guarded.append(pipeline.request.guarded)
            fresh.append(Waiting(dispatch, runs, submission, size))
        self.waiting += fresh  # all or, when a shader is refused, nothing
        if len(self.waiting) >= WAITING or time.perf_counter() - self.sent_at > PAUSE_S:
            self.flush()
        submission.submits = self.submits - before
        return submission

    def flush(self) -> None:
        """Send everything that waits."""
        batch: list[Waiting] = []
        total = 0
        for item in self.waiting:
            if batch and (total + item.size > RING or len(batch) == MOST):
                self._send(batch)
                batch, total = [], 0
            batch.append(item)
            total += item.size
        self.waiting.clear()
        if batch:
            self._send(batch)
            self.sent_at = time.perf_counter()

    def _send(self, batch: list[Waiting]) -> None:
        native = self.device.native
        encoder = native.create_command_encoder(label="fuselab")
        guarded = any(item.dispatch.pipeline.request.guarded for item in batch)  # type: ignore[attr-defined]
        if guarded:
            encoder.clear_buffer(self.status, 0, 4 * len(batch))
        words = bytearray()
        compute = FastPass(encoder)
        if self.queries is not None:
            compute.stamp(self.queries, 0)
        for slot, item in enumerate(batch):
            for run in item.runs:
                compute = self._lent(encoder, compute, run.before)
                group = self._group(run)
                compute.dispatch(run.stage.native, group, len(words), run.launch.groups)
                compute = self._lent(encoder, compute, run.after, back=True)
                words += run.launch.words_for(slot)
                words += bytes(-len(words) % SLOT)
            if self.queries is not None:
                compute.stamp(self.queries, slot + 1)
        compute.end()
        results = self._results(encoder, len(batch), guarded)
        if words:
            native.queue.write_buffer(self.ring, 0, words)
        native.queue.submit([encoder.finish()])
        self.submits += 1
        for slot, item in enumerate(batch):
            item.submission.results.append((results, slot))
            for run in item.runs:
                give_back(run.before, self.pool)

    def _lent(
        self, encoder: Any, compute: FastPass, loans: Sequence[Loan], *, back: bool = False
    ) -> FastPass:
        """Fill or empty borrowed buffers, between two passes."""
        if not loans:
            return compute
        compute.end()
        for loan in loans:
            loan.copy(encoder, back=back)
        return FastPass(encoder)

    def _results(self, encoder: Any, count: int, guarded: bool) -> Results:
        """A buffer that receives time stamps and status words."""
        stamps = self.queries is not None
        if not stamps and not guarded:
            return Results(None, count, stamps)
        buffer = self._spare(count)
        if stamps:
            encoder.resolve_query_set(self.queries, 0, count + 1, self.resolved, 0)
            encoder.copy_buffer_to_buffer(self.resolved, 0, buffer, 0, 8 * (count + 1))
        if guarded:
            encoder.copy_buffer_to_buffer(self.status, 0, buffer, 8 * (count + 1), 4 * count)
        results = Results(buffer, count, stamps)
        self.unread.add(results)
        return results

    def _spare(self, count: int) -> Any:
        import wgpu

        needed = -(-(12 * count + 16) // 512) * 512
        for k, buffer in enumerate(self.spare):
            if buffer.size >= needed:
                return self.spare.pop(k)
        usage = wgpu.BufferUsage.MAP_READ | wgpu.BufferUsage.COPY_DST
        return self.device.native.create_buffer(label="fuselab results", size=needed, usage=usage)

    def _group(self, run: Run) -> Any:
        """The bind group of a stage over these buffers, made once."""
        stage, words = run.stage, run.launch.words
        buffers = [self._buffer(b, run) for b in stage.program.bindings]
        key = (stage.number, len(words), *(part for _, *where in buffers for part in where))
        known = self.groups.get(key)
        if known is not None:
            self.group_hits += 1
            return known
        entries = [{"binding": 0, "resource": {"buffer": self.ring, "offset": 0,
                                               "size": 4 * len(words)}}]  # fmt: skip
        entries += [
            {"binding": k, "resource": {"buffer": b, "offset": start, "size": size}}
            for k, (b, _, start, size) in enumerate(buffers, 1)
        ]
        group = self.device.native.create_bind_group(layout=stage.layout, entries=entries)
        self.groups[key] = group
        if len(self.groups) > BIND_GROUPS:
            self.groups.popitem(last=False)
        return group

    def _buffer(self, binding: Binding, run: Run) -> tuple[Any, int, int, int]:
        """What is bound: the buffer, its number, first byte and length."""
        buffer: Any
        match binding.role:
            case Role.INPUT:
                buffer = run.dispatch.inputs[binding.number]
            case Role.OUTPUT:
                buffer = run.dispatch.outputs[binding.number]
            case Role.STATUS:
                return self.status, 0, 0, self.status.size
            case Role.SCRATCH:
                buffer = self._scratch(run.launch.scratch)
                start = run.scratch_at
                return buffer.native, buffer.number, start, buffer.native.size - start
        whole = buffer.native.size - buffer.start
        return buffer.native, buffer.number, buffer.start, min(whole, buffer.nbytes)

    def _scratch(self, nbytes: int) -> DeviceBuffer:
        """Room for partial results; one buffer serves all, since dispatches run in order."""
        from app.accel.dtypes import DType

        size = size_class(nbytes)
        if size not in self.scratch:
            self.scratch[size] = self.pool.take(DType.U32, size // 4 - 4)
        return self.scratch[size]

    # --- results -----------------------------------------------------------------------------

    def left(self, submission: WgpuSubmission) -> tuple[bool, ...]:
        """Status words of a submission; waits for it."""
        self._collect(submission)
        return tuple(
            guarded and results.left(k)
            for guarded, (results, k) in zip(submission.guarded, submission.results, strict=True)
        )

    def times(self, submission: WgpuSubmission) -> tuple[float | None, ...]:
        """Milliseconds per dispatch; waits for the submission."""
        self._collect(submission)
        return tuple(results.spent(k) for results, k in submission.results)

    def _collect(self, submission: WgpuSubmission) -> None:
        self.flush()
        self.request_results()
        for results, _ in submission.results:
            freed = results.receive(self.device)
            if freed is not None:
                self.spare.append(freed)

    def request_results(self) -> None:
        """Begin to read the results of all submissions, so that one wait serves them all."""
        for results in self.unread:
            results.request()
        self.unread.clear()

    def forget(self, number: int) -> None:
        """Drop bind groups of a buffer that goes away; what waits may still use it."""
        self.flush()
        for key in [key for key in self.groups if number in key[2::3]]:
            del self.groups[key]

    def close(self) -> None:
        """Destroy what is owned here."""
        self.waiting.clear()
        self.groups.clear()
        owned = (self.ring, self.status, self.resolved, self.queries, *self.spare)
        for resource in owned:
            if resource is not None:
                resource.destroy()
        for buffer in self.scratch.values():
            self.pool.give(buffer)
        self.scratch.clear()
        self.spare.clear()
