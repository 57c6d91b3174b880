"""Work on its way: dispatches wait briefly, then travel in one encoder and one compute pass."""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass, field
from itertools import repeat
from typing import TYPE_CHECKING, Any, cast
from weakref import ref

import numpy as np

from app.accel.backends.wgpu.commands import Commands
from app.accel.backends.wgpu.in_flight import (
    BATCH_MS,
    POINTS_PER_MS,
    POINTS_PER_MS_HARDWARE,
    InFlight,
    work_of,
)
from app.accel.backends.wgpu.launches import Run, runs_of
from app.accel.backends.wgpu.memory import Sending, size_class, wait_mapped
from app.accel.backends.wgpu.native_calls import Mapping
from app.accel.backends.wgpu.row_chains import RowChains
from app.accel.backends.wgpu.split_buffers import give_back
from app.accel.codegen.wgsl.program import Role

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from app.accel.backends.wgpu.device import Device
    from app.accel.backends.wgpu.launch_sequences import LaunchSequence
    from app.accel.backends.wgpu.memory import DeviceBuffer, Pool
    from app.accel.backends.wgpu.pipelines import Compiler
    from app.accel.ir.plan import Dispatch

RING = 1 << 23
MOST = 1000
"""Dispatches of one submission: status words and time stamps are reserved for so many."""
WAITING = 64
PAUSE_S = 0.001
BIND_GROUPS = 4096
FEW_LAUNCHES = 24
"""Up to so many are recorded one by one: to prepare the call that records all takes as long."""
ANSWER = 4096
"""Bytes of a value up to which it travels with the time stamps of the work that makes it."""


@dataclass(slots=True, eq=False, weakref_slot=True)
class Results:
    """Time stamps, status words and small values of one command buffer, read back once.

    `group` is the report row that its last dispatch runs for, `work` what each dispatch computes,
    as far as something is to be learnt from it.
    """

    buffer: Any
    count: int
    stamps: bool
    nbytes: int = 0
    room: int = 0
    raw: np.ndarray[Any, np.dtype[np.uint8]] | None = None
    mapping: Mapping | None = None
    ms: list[float] = field(default_factory=list)
    group: int = 0
    work: Sequence[tuple[str, int] | None] = ()

    def request(self) -> None:
        """Begin to read; who waits for the device next waits for this as well."""
        if self.buffer is not None and self.mapping is None:
            self.mapping = Mapping(self.buffer, self.nbytes, Mapping.READ)

    def receive(self, device: Device) -> Any:
        """Wait for what was requested; the buffer that is free again, or None."""
        self.request()
        mapping = self.mapping
        if mapping is None:
            return None
        wait_mapped(device, mapping, self.group)
        if self.mapping is not mapping:  # another thread has taken them meanwhile
            return None
        self.raw = mapping.memory().copy()
        mapping.release()
        if self.stamps:
            ticks = self.raw[: 8 * (self.count + 1)].view(np.int64)
            self.ms = (np.maximum(ticks[1:] - ticks[:-1], 0) * 1e-6).tolist()
        freed, self.buffer, self.mapping = self.buffer, None, None
        return freed

    def left(self, k: int) -> bool:
        """Whether dispatch k left its domain; none did where another did its work."""
        assert self.raw is not None
        if k < 0:
            return False
        start = 8 * (self.count + 1)
        return bool(self.raw[start : start + 4 * self.count].view(np.uint32)[k])


@dataclass(slots=True, eq=False)
class WgpuSubmission:
    """Work handed to the device.

    Attributes:
        passes: per dispatch given, compute dispatches really encoded.
        submits: command buffers submitted when this work was handed in (it may itself wait).
        guarded: per dispatch given, whether it has a status word.
        results: where the results of dispatches are, in turn, once these are on their way: places,
            -1 for one whose work another did.
    """

    passes: list[int] = field(default_factory=list)
    submits: int = 0
    guarded: list[bool] = field(default_factory=list)
    results: list[tuple[Results, Sequence[int]]] = field(default_factory=list)

    @property
    def dispatches(self) -> int:
        """Compute dispatches really encoded."""
        return sum(self.passes)


@dataclass(slots=True)
class Waiting:
    """A dispatch that has not been encoded yet, and how long it is expected to take."""

    runs: list[Run]
    submission: WgpuSubmission
    dispatch: Dispatch
    ms: float
    count = 1

    @property
    def nbytes(self) -> int:
        """Bytes of its parameters."""
        return sum([len(run.words) for run in self.runs])

    @property
    def work(self) -> list[tuple[str, int] | None]:
        """Its kernel and points."""
        return [work_of(self.dispatch)]

    @property
    def group(self) -> int:
        """The report row that it runs for."""
        return self.dispatch.group

    @property
    def guarded(self) -> bool:
        """Whether it has a status word, like any other of its submission."""
        return any(self.submission.guarded)

    def encode(self, encoder: Encoder, commands: Commands, words: bytearray, slot: int) -> None:
        """Record its launches; its parameters are added to the words."""
        for run in self.runs:
            for loan in run.before:
                loan.copy(commands, back=False)
            at = len(words)
            commands.dispatch(run.stage.shader, encoder.group(run), at, run.groups)
            for loan in run.after:
                loan.copy(commands, back=True)
            words += run.words
            words[at + 8 : at + 12] = slot.to_bytes(4, "little")
        if encoder.queries is not None:
            commands.stamp(encoder.queries, slot + 1)

    def sent(self, results: Results, slot: int, pool: Pool) -> None:
        """It is on its way."""
        self.submission.results.append((results, (slot,)))
        for run in self.runs:
            if run.before:
                give_back(run.before, pool)


@dataclass(slots=True)
class WaitingSequence:
    """A sequence that has not been encoded yet: what `Waiting` is of one dispatch.

    Attributes:
        words: its parameters; the sequence may wait once more with others.
        count: time stamps and status words.
    """

    played: LaunchSequence
    submission: WgpuSubmission
    ms: float
    words: bytes
    count: int

    @property
    def nbytes(self) -> int:
        """Bytes of its parameters."""
        return len(self.words)

    @property
    def work(self) -> list[tuple[str, int] | None]:
        """Kernels and points, each once."""
        return self.played.once

    @property
    def group(self) -> int:
        """The report row that its last dispatch runs for."""
        return self.played.groups[-1]

    @property
    def guarded(self) -> bool:
        """Whether it has a status word."""
        return self.played.any_guarded

    def encode(self, encoder: Encoder, commands: Commands, words: bytearray, slot: int) -> None:
        """Record its launches; its parameters are added to the words."""
        played, queries, begin = self.played, encoder.queries, len(words)
        words += self.words
        if slot:
            played.take_slots(np.frombuffer(words, np.uint32, offset=begin), slot)
        if len(played.calls) > FEW_LAUNCHES:
            commands.record(queries, played.placed(begin, slot, stamped=queries is not None))
            return
        commands.record_each(played.calls, begin, queries, slot + 1)

    def sent(self, results: Results, slot: int, pool: Pool) -> None:
        """It is on its way."""
        places = [slot + place if place >= 0 else -1 for place in self.played.places]
        self.submission.results.append((results, places))


@dataclass(slots=True)
class Encoder:
    """Encodes and submits; owns the parameter ring, the status words and the bind groups.

    Attributes:
        busy: whether something may be under way; what was handed in last has not answered yet.
        latest: the results of what was handed in last.
        waiting_ms: how long what waits is expected to take.
        chains: finds what is run row by row.
        sending: held while work is handed in.
        held: the parameters that the ring begins with; None where that is not known.
    """

    device: Device
    compiler: Compiler
    pool: Pool
    ring: Any = None
    status: Any = None
    queries: Any = None
    resolved: Any = None
    groups: OrderedDict[tuple[Any, ...], Any] = field(default_factory=OrderedDict)
    spare: list[tuple[Any, int]] = field(default_factory=list)
    waiting: list[Waiting | WaitingSequence] = field(default_factory=list)
    scratch: dict[int, DeviceBuffer] = field(default_factory=dict)
    unread: list[ref[Results]] = field(default_factory=list)
    wanted: list[DeviceBuffer] = field(default_factory=list)
    answers: dict[DeviceBuffer, tuple[Results, int]] = field(default_factory=dict)
    busy: bool = False
    latest: Results | None = None
    sent_at: float = 0.0
    submits: int = 0
    group_hits: int = 0
    waiting_ms: float = 0.0
    held: bytes | None = None
    in_flight: InFlight = field(init=False)
    chains: RowChains = field(init=False)
    sending: Sending = field(init=False)

    def __post_init__(self) -> None:
        self.sending = Sending(self.pool)
        speed = POINTS_PER_MS.get(self.device.info.type, POINTS_PER_MS_HARDWARE)
        self.in_flight = InFlight(speed, self._receive)
        self.chains = RowChains(self.compiler, self.device.info.max_binding_bytes)

    def open(self) -> None:
        """Create what lives as long as the device."""
        import wgpu

        native, usage = self.device.native, wgpu.BufferUsage
        self.ring = native.create_buffer(
            label="fuselab parameters", size=RING, usage=usage.UNIFORM | usage.COPY_DST
        )
        self.status = native.create_buffer(
            label="fuselab status",
            size=MOST * 4,
            usage=usage.STORAGE | usage.COPY_SRC | usage.COPY_DST,
        )
        if self.device.stamps:
            self.queries = native.create_query_set(type="timestamp", count=MOST + 1)
            self.resolved = native.create_buffer(
                label="fuselab time stamps",
                size=(MOST + 1) * 8,
                usage=usage.QUERY_RESOLVE | usage.COPY_SRC,
            )

    def submit(
        self,
        dispatches: Sequence[Dispatch],
        wanted: Sequence[DeviceBuffer] = (),
        *,
        awaited: bool = True,
    ) -> WgpuSubmission:
        """Take dispatches in order; they go out soon, or when somebody waits for them.

        Somebody will where values that are `wanted` are `awaited`: the device begins while the host
        books what it has handed in. Small ones come with the time stamps.
        """
        submission, before = WgpuSubmission(), self.submits
        limit, fresh = self.device.info.max_binding_bytes, []
        self.compiler.clock += 1
        chained, guarded = self.chains.runs(dispatches), False
        for number, dispatch in enumerate(dispatches):
            runs = chained.get(number)
            if runs is None:
                runs = runs_of(dispatch, self.compiler, limit, self.pool)
            self.compiler.use(run.stage for run in runs)
            submission.passes.append(len(runs))
            # The last of a chain tells for all of it.
            guarded |= dispatch.pipeline.request.guarded
            submission.guarded.append(guarded)
            guarded &= not runs
            expected = self.in_flight.expected_ms(dispatch)
            fresh.append(Waiting(runs, submission, dispatch, expected))
        # All or, when a shader is refused, nothing.
        self._wait(fresh, wanted, awaited=awaited)
        submission.submits = self.submits - before
        return submission

    def submit_sequences(
        self,
        sequences: Sequence[tuple[LaunchSequence, float]],
        wanted: Sequence[DeviceBuffer],
        *,
        awaited: bool,
    ) -> WgpuSubmission:
        """The same for the dispatches of sequences, each with the time it is expected to take."""
        submission, before, fresh = WgpuSubmission(), self.submits, []
        self.compiler.clock += 1
        for played, ms in sequences:
            self.compiler.use(played.stages)
            submission.passes += played.passes
            submission.guarded += played.guarded
            words = played.words.tobytes()
            fresh.append(WaitingSequence(played, submission, ms, words, len(played.once)))
        self._wait(fresh, wanted, awaited=awaited)
        submission.submits = self.submits - before
        return submission

    def _wait(
        self,
        fresh: Iterable[Waiting | WaitingSequence],
        wanted: Sequence[DeviceBuffer],
        *,
        awaited: bool,
    ) -> None:
        """Put work behind what waits, unless that is enough for a command buffer."""
        self.answers.clear()  # this work may write to where they were read
        for item in fresh:
            if self.waiting and self.waiting_ms + item.ms > BATCH_MS:
                self.flush()
            self.waiting.append(item)
            self.waiting_ms += item.ms
        if wanted:
            self.wanted += (b for b in wanted if not b.parts and b.count * b.dtype.size <= ANSWER)
        late = time.perf_counter() - self.sent_at > PAUSE_S
        if (wanted and awaited) or late or len(self.waiting) >= WAITING:
            self.flush()

    def flush(self) -> None:
        """Send everything that waits; then some of too many kernels may go."""
        if self.waiting:
            self._send_waiting()
        if not self.pool.sending:
            self.compiler.give_up()

    def _send_waiting(self) -> None:
        self.in_flight.admit(self.waiting_ms)
        batch: list[Waiting | WaitingSequence] = []
        total = count = 0
        for item in self.waiting:
            size = item.nbytes
            if batch and (total + size > RING or count + item.count > MOST):
                self._send(batch, [])
                batch, total, count = [], 0, 0
            batch.append(item)
            total += size
            count += item.count
        wanted, self.wanted = self.wanted, []
        self.waiting.clear()
        self.waiting_ms = 0.0
        self._send(batch, wanted)
        self.sent_at = time.perf_counter()

    def _send(self, batch: Sequence[Waiting | WaitingSequence], wanted: list[DeviceBuffer]) -> None:
        native = self.device.native
        with self.sending:
            commands, count = Commands(native), sum([item.count for item in batch])
            guarded = any(item.guarded for item in batch)
            if guarded:
                commands.clear(self.status, 4 * count)
            words, slot = bytearray(), 0
            if self.queries is not None:
                commands.stamp(self.queries, 0)
            for item in batch:
                item.encode(self, commands, words, slot)
                slot += item.count
            results = self.results_of(commands, count, wanted, guarded=guarded)
            results.group = batch[-1].group
            results.work = [work for item in batch for work in item.work]
            self._hand_in(commands, words)
        self.submits += 1
        self.busy, self.latest = True, results
        self.in_flight.sent(results, sum([item.ms for item in batch]))
        slot = 0
        for item in batch:
            item.sent(results, slot, self.pool)
            slot += item.count

    def _hand_in(self, commands: Commands, words: bytearray) -> None:
        """Submit; parameters that are where they were the last time are not written again."""
        wanted, held, self.held = bytes(words), self.held, None
        commands.send(self.device.native.queue, self.ring, b"" if wanted == held else wanted)
        self.held = wanted

    def results_of(
        self, commands: Commands, count: int, wanted: Sequence[DeviceBuffer], *, guarded: bool
    ) -> Results:
        """A buffer that receives time stamps, status words and small values.

        There is always one: that it can be read says that the work is done.
        """
        stamps = self.queries is not None
        first = -(-(12 * count + 8) // 8) * 8
        sizes = [-(-b.count * b.dtype.size // 8) * 8 for b in wanted]
        buffer, room = self._spare(first + sum(sizes))
        results = Results(buffer, count, stamps, first + sum(sizes), room)
        if stamps:
            commands.resolve(self.queries, count + 1, self.resolved)
            commands.copy(self.resolved, 0, results.buffer, 0, 8 * (count + 1))
        if guarded:
            commands.copy(self.status, 0, results.buffer, 8 * (count + 1), 4 * count)
        elif not stamps:
            commands.copy(self.status, 0, results.buffer, 0, 4)
        for value, size in zip(wanted, sizes, strict=True):
            commands.copy(value.native, 0, results.buffer, first, size)
            self.answers[value] = results, first
            first += size
        self.unread.append(ref(results))
        return results

    def _spare(self, nbytes: int) -> tuple[Any, int]:
        """A buffer to map, with its size."""
        needed = -(-nbytes // 512) * 512
        for k, (_, size) in enumerate(self.spare):
            if size >= needed:
                return self.spare.pop(k)
        import wgpu

        usage = wgpu.BufferUsage.MAP_READ | wgpu.BufferUsage.COPY_DST
        made = self.pool.native_buffer("fuselab results", needed, usage)
        return made, needed

    def group(self, run: Run) -> Any:
        """The bind group of a stage over these buffers, made once."""
        stage, dispatch = run.stage, run.dispatch
        bound: list[tuple[Any, tuple[int, int, int]]] = []
        key: list[object] = [stage.shader.number, run.bound]
        for binding in stage.program.bindings:
            role, buffer = binding.role, cast("Any", None)
            if role is Role.INPUT:
                buffer = dispatch.inputs[binding.number]
            elif role is Role.OUTPUT:
                buffer = dispatch.outputs[binding.number]
            found: Any = (
                (buffer.native, buffer.place) if buffer else self._internal_buffer(role, run)
            )
            bound.append(found)
            key.append(found[1])
        known = self.groups.get(tuple(key))
        if known is not None:
            self.group_hits += 1
            return known
        group = self._new_group(stage.shader.layout, run.bound, bound)
        self.groups[tuple(key)] = group
        if len(self.groups) > BIND_GROUPS:
            self.groups.popitem(last=False)
        return group

    def _new_group(
        self, layout: Any, size: int, bound: Sequence[tuple[Any, tuple[int, int, int]]]
    ) -> Any:
        entries = [{"binding": 0, "resource": {"buffer": self.ring, "offset": 0, "size": size}}]
        entries += [
            {"binding": k, "resource": {"buffer": native, "offset": start, "size": length}}
            for k, (native, (_, start, length)) in enumerate(bound, 1)
        ]
        return self.device.native.create_bind_group(layout=layout, entries=entries)

    def _internal_buffer(self, role: Role, run: Run) -> tuple[Any, tuple[int, int, int]]:
        """The status words, or scratch: the buffer, its number, first byte and length."""
        if role is Role.STATUS:
            return self.status, (0, 0, self.status.size)
        scratch, start = self._scratch(run.scratch), run.scratch_at
        return scratch.native, (scratch.number, start, scratch.nbytes - start)

    def _scratch(self, nbytes: int) -> DeviceBuffer:
        """Room for partial results; one buffer serves all, since dispatches run in order."""
        from app.accel.ir.dtypes import DType

        size = size_class(nbytes)
        if size > self.device.info.max_binding_bytes:  # it is bound as a whole
            size = -(-nbytes // 16) * 16
        if size not in self.scratch:
            self.scratch[size] = self.pool.take(DType.U32, size // 4 - 4)
        return self.scratch[size]

    # --- results -----------------------------------------------------------------------------

    def left(self, submission: WgpuSubmission) -> tuple[bool, ...]:
        """Status words of a submission; waits for it."""
        self._collect(submission)
        places = [(results, k) for results, places in submission.results for k in places]
        return tuple(
            guarded and results.left(k)
            for guarded, (results, k) in zip(submission.guarded, places, strict=True)
        )

    def times(self, submission: WgpuSubmission) -> tuple[float | None, ...]:
        """Milliseconds per dispatch; waits for the submission."""
        self._collect(submission)
        found: list[float | None] = []
        for results, places in submission.results:
            if not results.stamps:
                found += repeat(None, len(places))
            elif isinstance(places, range):
                found += results.ms[places.start : places.stop]
            else:
                found += [results.ms[k] if k >= 0 else 0.0 for k in places]
        return tuple(found)

    def _collect(self, submission: WgpuSubmission) -> None:
        self.flush()
        for results in dict.fromkeys([results for results, _ in submission.results]):
            if results.buffer is not None:
                self.request_results()
                self._receive(results)

    def _receive(self, results: Results) -> None:
        freed = results.receive(self.device)
        if freed is not None:
            self.busy &= results is not self.latest
            self.spare.append((freed, results.room))
            took: dict[tuple[str, int], list[float]] = {}
            for work, ms in zip(results.work, results.ms, strict=False):
                if work is not None:
                    took.setdefault(work, []).append(ms)
            for work, spent in took.items():
                self.in_flight.learn(*work, sum(spent) / len(spent))

    def answer(self, buffer: DeviceBuffer) -> Any:
        """The bytes of a value that travels with the results of its work; None where none does."""
        self.flush()
        if buffer not in self.answers:
            return None
        results, first = self.answers[buffer]
        self.request_results()
        self._receive(results)
        assert results.raw is not None
        return results.raw[first : first + buffer.count * buffer.dtype.size]

    def request_results(self) -> None:
        """Begin to read the results of all submissions, so that one wait serves them all."""
        for told in self.unread:
            results = told()
            if results is not None:
                results.request()
        self.unread.clear()

    def forget(self, number: int) -> None:
        """Drop bind groups of a buffer that goes away; what waits may still use it."""
        self.flush()
        for key in [key for key in self.groups if any(p[0] == number for p in key[2:])]:
            del self.groups[key]

    def close(self) -> None:
        """Destroy what is owned here."""
        self.waiting.clear()
        self.in_flight.clear()
        self.answers.clear()
        self.groups.clear()
        spare = (buffer for buffer, _ in self.spare)
        owned = (self.ring, self.status, self.resolved, self.queries, *spare)
        for resource in owned:
            if resource is not None:
                resource.destroy()
        for buffer in self.scratch.values():
            self.pool.give(buffer)
        self.scratch.clear()
        self.spare.clear()
