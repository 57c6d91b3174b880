"""Work on its way: all dispatches of a submission in one command encoder and one compute pass."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from app.accel.kernels.launch import Launch, launches
from app.accel.kernels.program import Role
from app.accel.providers.wgpu.memory import map_read, wait_mapped

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from app.accel.kernels.program import Binding
    from app.accel.plan import Dispatch
    from app.accel.providers.wgpu.device import Device
    from app.accel.providers.wgpu.memory import DeviceBuffer, Pool
    from app.accel.providers.wgpu.pipelines import Compiled, Compiler

SLOT = 256
RING = 1 << 20
STATUS_SLOTS = 1024
STAMPS = 2048
BIND_GROUPS = 4096


@dataclass(slots=True, eq=False)
class WgpuSubmission:
    """What has been handed to the device.

    Attributes:
        dispatches: compute dispatches really encoded.
        submits: command buffers really submitted.
        guarded: per dispatch given, whether it has a status word.
        spans: per dispatch given, its first and last time stamp.
    """

    dispatches: int = 0
    submits: int = 0
    guarded: list[bool] = field(default_factory=list)
    spans: list[tuple[int, int, int]] = field(default_factory=list)
    results: list[tuple[Any, int]] = field(default_factory=list)
    left: tuple[bool, ...] | None = None
    times: tuple[float | None, ...] | None = None


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
    group_hits: int = 0
    scratch: dict[int, DeviceBuffer] = field(default_factory=dict)

    def open(self) -> None:
        """Create what lives as long as the device."""
        import wgpu

        native, usage = self.device.native, wgpu.BufferUsage
        self.ring = native.create_buffer(
            label="fuselab parameters", size=RING, usage=usage.UNIFORM | usage.COPY_DST
        )
        self.status = native.create_buffer(
            label="fuselab status", size=STATUS_SLOTS * 4,
            usage=usage.STORAGE | usage.COPY_SRC | usage.COPY_DST,
        )  # fmt: skip
        if self.device.stamps:
            self.queries = native.create_query_set(type="timestamp", count=STAMPS)
            self.resolved = native.create_buffer(
                label="fuselab time stamps", size=STAMPS * 8,
                usage=usage.QUERY_RESOLVE | usage.COPY_SRC,
            )  # fmt: skip

    def submit(self, dispatches: Sequence[Dispatch]) -> WgpuSubmission:
        """Encode everything in order; several submissions only where a ring is full."""
        submission = WgpuSubmission()
        batch: list[tuple[Dispatch, list[tuple[Compiled, Launch]]]] = []
        words = stamps = 0
        for dispatch in dispatches:
            stages = self.compiler.stages_for(dispatch.pipeline, dispatch)  # type: ignore[arg-type]
            runs = list(launches(dispatch, stages, self.compiler.tuning))
            size = sum(-(-4 * len(run.words) // SLOT) * SLOT for _, run in runs)
            if batch and (words + size > RING or stamps + 2 > STAMPS
                          or len(batch) >= STATUS_SLOTS):  # fmt: skip
                self._send(batch, submission)
                batch, words, stamps = [], 0, 0
            batch.append((dispatch, runs))
            words, stamps = words + size, stamps + 2
        if batch:
            self._send(batch, submission)
        return submission

    def _send(
        self, batch: list[tuple[Dispatch, list[tuple[Compiled, Launch]]]],
        submission: WgpuSubmission,
    ) -> None:  # fmt: skip
        native = self.device.native
        part = submission.submits
        encoder = native.create_command_encoder(label="fuselab")
        guarded = [d.pipeline.request.guarded for d, _ in batch]  # type: ignore[attr-defined]
        if any(guarded):
            encoder.clear_buffer(self.status, 0, 4 * len(batch))
        words = bytearray()
        compute = encoder.begin_compute_pass()
        for k, (dispatch, runs) in enumerate(batch):
            self._stamp(compute, 2 * k)
            for stage, run in runs:
                offset = len(words)
                words += run.words_for(k)
                words += bytes(-len(words) % SLOT)
                compute.set_pipeline(stage.native)
                compute.set_bind_group(0, self._group(stage, dispatch, run), [offset])
                compute.dispatch_workgroups(*run.groups)
                submission.dispatches += 1
            self._stamp(compute, 2 * k + 1)
            submission.spans.append((part, 2 * k, 2 * k + 1))
        compute.end()
        result = self._results(encoder, len(batch), any(guarded))
        native.queue.write_buffer(self.ring, 0, words)
        native.queue.submit([encoder.finish()])
        submission.guarded += guarded
        submission.results.append((result, len(batch)))
        submission.submits += 1

    def _stamp(self, compute: Any, number: int) -> None:
        if self.queries is not None:
            compute._write_timestamp(self.queries, number)  # noqa: SLF001 - wgpu's own extra

    def _results(self, encoder: Any, count: int, guarded: bool) -> Any:
        """A buffer that receives time stamps and status words."""
        if self.queries is None and not guarded:
            return None
        result = self._spare(count)
        if self.queries is not None:
            encoder.resolve_query_set(self.queries, 0, 2 * count, self.resolved, 0)
            encoder.copy_buffer_to_buffer(self.resolved, 0, result, 0, 16 * count)
        if guarded:
            encoder.copy_buffer_to_buffer(self.status, 0, result, 16 * count, 4 * count)
        return result

    def _spare(self, count: int) -> Any:
        import wgpu

        needed = -(-20 * count // 512) * 512
        for k, buffer in enumerate(self.spare):
            if buffer.size >= needed:
                return self.spare.pop(k)
        usage = wgpu.BufferUsage.MAP_READ | wgpu.BufferUsage.COPY_DST
        return self.device.native.create_buffer(label="fuselab results", size=needed, usage=usage)

    def _group(self, stage: Compiled, dispatch: Dispatch, run: Launch) -> Any:
        """The bind group of a stage over these buffers, made once."""
        buffers = [self._buffer(b, dispatch, run) for b in stage.program.bindings]
        key = (stage.number, *(number for _, number in buffers))
        known = self.groups.get(key)
        if known is not None:
            self.groups.move_to_end(key)
            self.group_hits += 1
            return known
        entries = [{"binding": 0, "resource": {"buffer": self.ring, "offset": 0,
                                               "size": 4 * len(run.words)}}]  # fmt: skip
        entries += [
            {"binding": k, "resource": {"buffer": b, "offset": 0, "size": b.size}}
            for k, (b, _) in enumerate(buffers, 1)
        ]
        group = self.device.native.create_bind_group(layout=stage.layout, entries=entries)
        self.groups[key] = group
        if len(self.groups) > BIND_GROUPS:
            self.groups.popitem(last=False)
        return group

    def _buffer(self, binding: Binding, dispatch: Dispatch, run: Launch) -> tuple[Any, int]:
        buffer: Any
        match binding.role:
            case Role.INPUT:
                buffer = dispatch.inputs[binding.number]
            case Role.OUTPUT:
                buffer = dispatch.outputs[binding.number]
            case Role.STATUS:
                return self.status, 0
            case Role.SCRATCH:
                buffer = self._scratch(run.scratch)
        return buffer.native, buffer.number

    def _scratch(self, nbytes: int) -> DeviceBuffer:
        """Room for partial results; one buffer serves all, since dispatches run in order."""
        from app.accel.dtypes import DType
        from app.accel.providers.wgpu.memory import size_class

        size = size_class(nbytes)
        if size not in self.scratch:
            self.scratch[size] = self.pool.take(DType.U32, size // 4 - 4)
        return self.scratch[size]

    # --- results -----------------------------------------------------------------------------

    def collect(self, submission: WgpuSubmission) -> None:
        """Wait for a submission and read its status words and time stamps."""
        if submission.left is not None:
            return
        left: list[bool] = []
        times: list[float | None] = []
        for (result, count), flags in zip(submission.results, self._parts(submission), strict=True):
            if result is None:
                left += [False] * count
                times += [None] * count
                continue
            raw = self._read(result, -(-20 * count // 8) * 8)
            words = raw[16 * count : 20 * count].view(np.uint32)
            left += [bool(flag and word) for flag, word in zip(flags, words, strict=True)]
            times += self._durations(raw[: 16 * count].view(np.uint64))
        submission.left, submission.times = tuple(left), tuple(times)
        submission.results.clear()

    def _parts(self, submission: WgpuSubmission) -> Iterator[list[bool]]:
        start = 0
        for _, count in submission.results:
            yield submission.guarded[start : start + count]
            start += count

    def _durations(self, ticks: np.ndarray[Any, np.dtype[np.uint64]]) -> list[float | None]:
        if self.queries is None:
            return [None] * (len(ticks) // 2)
        spans = (ticks[1::2] - ticks[0::2]).astype(np.int64)
        return [max(0, int(span)) * 1e-6 for span in spans]

    def _read(self, result: Any, nbytes: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
        wait_mapped(self.device, map_read(result, nbytes))
        raw = np.frombuffer(result.read_mapped(0, nbytes, copy=True), np.uint8)
        result.unmap()
        self.spare.append(result)
        return raw

    def forget(self, number: int) -> None:
        """Drop bind groups of a buffer that goes away."""
        for key in [key for key in self.groups if number in key[1:]]:
            del self.groups[key]

    def close(self) -> None:
        """Destroy what is owned here."""
        self.groups.clear()
        owned = (self.ring, self.status, self.resolved, self.queries, *self.spare)
        for resource in owned:
            if resource is not None:
                resource.destroy()
        for buffer in self.scratch.values():
            self.pool.give(buffer)
        self.scratch.clear()
        self.spare.clear()
