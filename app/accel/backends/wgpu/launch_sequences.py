"""Dispatches that repeat: their launches are kept, and recorded again and again by native calls.

A sequence is what one repetition launches, on given buffers. What differs from one to the next are
words of the parameters, which are written for many sequences at once.
"""

from __future__ import annotations

import time
from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import accumulate, chain, islice
from typing import TYPE_CHECKING, TypeAlias, cast

import numpy as np

from app.accel.backends.wgpu import native_launches
from app.accel.backends.wgpu.commands import Commands
from app.accel.backends.wgpu.in_flight import BATCH_MS, work_of
from app.accel.backends.wgpu.launches import packer_of, runs_of
from app.accel.backends.wgpu.submission import ANSWER, FEW_LAUNCHES, MOST, RING, WgpuSubmission
from app.accel.codegen.generate import variant_of
from app.accel.codegen.wgsl.emit import Words as Layout
from app.accel.codegen.wgsl.emit import arrange
from app.accel.ir.dtypes import DType
from app.errors import Unsupported

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from app.accel.backends.base import Buffer, Changes
    from app.accel.backends.wgpu.commands import Call
    from app.accel.backends.wgpu.launches import Packer, Run
    from app.accel.backends.wgpu.memory import DeviceBuffer
    from app.accel.backends.wgpu.native_launches import Launches
    from app.accel.backends.wgpu.pipelines import Compiled, WgpuPipeline
    from app.accel.backends.wgpu.submission import Encoder, Results
    from app.accel.ir.plan import Dispatch, KernelRequest

    Words: TypeAlias = NDArray[np.uint32]

SLOT_WORD = 2
"""Of a launch's words, the one that says which status word is its own."""


@dataclass(slots=True, eq=False)
class LaunchSequence:
    """The launches of dispatches that follow each other.

    Attributes:
        launches: with offsets from the first word of the sequence, and stamp 1 behind the last
            launch of each dispatch.
        words: the parameters of all of them.
        firsts: per dispatch, the first words of its launches.
        passes: per dispatch, its launches.
        work: per dispatch, the key of its kernel and its points.
        groups: report rows.
        layouts: per dispatch, where its parameters lie, and their types.
        calls: the same launches for the interpreter: shader, bind group, byte of the first word,
            workgroups, which time stamp of the sequence is behind it, and whether it is the last
            before that. They keep alive the groups that the launches refer to.
        stages: what is launched, each once.
        guarded: per dispatch, whether it has a status word.
        packers: per dispatch, what puts its parameters into its words; None where they stay.
        places: per dispatch, which of the sequence's time stamps and status words are its own; -1
            for one whose work another does.
        slots: words where launches say which status word is theirs, and the numbers of those.
        script: the one that ran when it was made.
        stamps: of each launch, the number of the time stamp behind it.
        once: of each time stamp its work; None for work that one before it has done, too.
        any_guarded: whether any dispatch has a status word.
    """

    launches: Launches
    words: Words
    firsts: list[list[int]]
    passes: list[int]
    work: list[tuple[str, int]]
    groups: list[int]
    layouts: list[tuple[Layout, tuple[DType, ...]]]
    calls: list[Call]
    stages: list[Compiled]
    guarded: list[bool]
    packers: list[Packer | None]
    places: list[int]
    slots: tuple[Words, Words]
    script: str
    stamps: Words = field(init=False)
    once: list[tuple[str, int] | None] = field(init=False)
    any_guarded: bool = field(init=False)

    def __post_init__(self) -> None:
        self.stamps = self.launches["stamp"].cumsum(dtype=np.uint32)
        self.once, self.any_guarded = self._work_once(), any(self.guarded)

    @property
    def live(self) -> bool:
        """Whether all that it launches is there."""
        return all(stage.live for stage in self.stages)

    def put(self, dispatch: int, values: Sequence[complex]) -> bool:
        """Give a dispatch other parameters; whether that is all that has to change."""
        packer = self.packers[dispatch]
        if packer is None:
            return False
        fresh = np.frombuffer(packer.packed(values), np.uint32)
        for launch in self.firsts[dispatch]:
            at = launch + packer.first // 4
            self.words[at : at + len(fresh)] = fresh
        return True

    def take_slots(self, words: Words, slot: int) -> None:
        """Have launches whose words these are use the status words from a number on."""
        at, numbers = self.slots
        words[at] = numbers + slot

    def placed(self, offset: int, slot: int, *, stamped: bool) -> Launches:
        """The launches behind so many bytes of words, and so many time stamps."""
        launches = self.launches.copy()
        launches["offset"] += offset
        launches["stamp"] = (self.stamps + slot) * launches["stamp"] if stamped else 0
        return launches

    def _work_once(self) -> list[tuple[str, int] | None]:
        found: list[tuple[str, int] | None] = []
        for work, place in zip(self.work, self.places, strict=True):
            if place >= 0:
                found.append(None if work in found else work)
        return found

    def changed(
        self, dispatch: int, number: int, values: NDArray[np.generic], *, parameter: bool
    ) -> tuple[int, list[Words]]:
        """Values of a parameter, or offsets of a map, as words: the place of the first, and all."""
        layout, types = self.layouts[dispatch]
        if parameter:
            return layout.params[number], encoded(values, types[number])
        return layout.maps[number], [values.astype(np.int64).astype(np.uint32)]


class SequencePlayer:
    """Makes sequences and plays them."""

    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder

    def variant(self, dispatch: Dispatch) -> Hashable:
        """Sequences differ where this does."""
        return variant_of(_request(dispatch), dispatch, self.encoder.compiler.tuning)

    def storage(self, buffers: Iterable[object]) -> Hashable:
        """See `Player`."""
        return tuple([b.place for b in cast("Iterable[DeviceBuffer]", buffers)])

    def serves(self, played: LaunchSequence) -> bool:
        """See `Player`."""
        return played.live

    def label(self, played: LaunchSequence, rows: Iterator[int]) -> None:
        """See `Player`."""
        played.groups = list(islice(rows, len(played.passes)))

    def most(self, played: LaunchSequence) -> int:
        """How many of these may be played at once, at least one."""
        return max(1, min(2 * MOST // len(played.passes), RING // played.words.nbytes))

    def recorded(self, dispatches: Sequence[Dispatch]) -> list[LaunchSequence] | None:
        """See `Player`: every one takes no longer than a command buffer may."""
        encoder = self.encoder
        chained = encoder.chains.runs(dispatches)
        if encoder.chains.awaited:
            return None
        totals = list(accumulate(encoder.in_flight.expected_ms(d) for d in dispatches))
        first, made = 0, []
        while first < len(totals):
            last = _end_of_batch(totals, first)
            while last < len(totals) and chained.get(last - 1) == []:
                last += 1  # the last of a chain does the work of all
            known = {k - first: chained[k] for k in range(first, last) if k in chained}
            made.append(self.prepare(dispatches[first:last], known))
            made[-1].take_slots(made[-1].words, 0)
            first = last
        return made

    def again(
        self,
        played: Sequence[LaunchSequence],
        parameters: Sequence[tuple[int, Sequence[complex]]],
        wanted: Sequence[Buffer],
        *,
        awaited: bool,
    ) -> WgpuSubmission | None:
        """See `Player`."""
        timed = [(part, sum(self._expected_ms(part))) for part in played]
        for part, ms in timed:
            slow = ms > 2 * BATCH_MS and len(part.passes) > 1
            if slow or not part.live or part.script != self.encoder.compiler.script:
                return None
        starts = list(accumulate((len(part.passes) for part in played), initial=0))
        for dispatch, values in parameters:
            k = bisect_right(starts, dispatch) - 1
            if not played[k].put(dispatch - starts[k], values):
                return None
        given = cast("Sequence[DeviceBuffer]", wanted)
        return self.encoder.submit_sequences(timed, given, awaited=awaited)

    def prepare(
        self, dispatches: Sequence[Dispatch], chained: Mapping[int, list[Run]] | None = None
    ) -> LaunchSequence:
        """The sequence of these. Raises Unsupported where arrays must be cut for them.

        `chained` are runs that are known already.
        """
        encoder, limit = self.encoder, self.encoder.device.info.max_binding_bytes
        rows: list[tuple[int, ...]] = []
        words, firsts = bytearray(), list[list[int]]()
        calls: list[Call] = []
        chained, places, heads = chained or {}, list[int](), list[tuple[int, int]]()
        guarded, pending, stamped = list[bool](), False, 0
        stages: dict[int, Compiled] = {}
        for number, dispatch in enumerate(dispatches):
            runs = chained.get(number)
            if runs is None:
                runs = runs_of(dispatch, encoder.compiler, limit, encoder.pool)
            encoder.compiler.use(run.stage for run in runs)
            places.append(stamped if runs else -1)
            stamped += bool(runs)
            pending |= _request(dispatch).guarded
            guarded.append(pending)
            pending &= not runs
            firsts.append([])
            for k, run in enumerate(runs, 1):
                if run.before or run.after:
                    raise Unsupported("windows on arrays are borrowed anew every time")
                group, shader = encoder.group(run), run.stage.shader
                calls.append((shader, group, len(words), run.groups, places[-1], k == len(runs)))
                stages[id(shader)] = run.stage
                handles = map(native_launches.address, (shader.native, group))
                rows.append((*handles, len(words), *run.groups, k == len(runs), 0))
                firsts[-1].append(len(words) // 4)
                heads.append((len(words) // 4 + SLOT_WORD, places[-1]))
                words += run.words
        self._make_ready(len(calls))
        if len(words) > RING:
            raise Unsupported("a sequence has more parameters than there is room for")
        return LaunchSequence(
            np.array(rows, native_launches.LAUNCH),
            np.frombuffer(words, np.uint32),
            firsts,
            [len(places) for places in firsts],
            [work_of(dispatch) for dispatch in dispatches],
            [dispatch.group for dispatch in dispatches],
            [_layout(dispatch) for dispatch in dispatches],
            calls,
            list(stages.values()),
            guarded,
            [None if k in chained else packer_of(d) for k, d in enumerate(dispatches)],
            places,
            cast("tuple[Words, Words]", tuple(np.array(heads, np.uint32).reshape(-1, 2).T)),
            encoder.compiler.script,
        )

    def play(
        self, sequences: Sequence[LaunchSequence], changes: Changes, wanted: Sequence[Buffer]
    ) -> list[WgpuSubmission]:
        """Hand in sequences, in command buffers that take no longer than others do."""
        encoder = self.encoder
        encoder.compiler.clock += 1
        expected = {played: self._expected_ms(played) for played in dict.fromkeys(sequences)}
        for played in expected:
            encoder.compiler.use(played.stages)
        encoder.flush()
        encoder.answers.clear()
        starts = [0, *accumulate(len(played.words) for played in sequences)]
        words = np.concatenate([played.words for played in sequences])
        _write(words, sequences, starts, changes)
        rows = [played.launches.view(np.uint8) for played in sequences]  # NumPy asks less of bytes
        launches = np.concatenate(rows).view(native_launches.LAUNCH)
        self._make_ready(len(launches))
        counts = [len(played.launches) for played in sequences]
        launches["offset"] += np.repeat(np.array(starts[:-1], np.uint32) * 4, counts)
        ends = np.flatnonzero(launches["stamp"]) + 1
        ms = list(chain.from_iterable([expected[played] for played in sequences]))
        totals = list(accumulate(ms))
        made: list[WgpuSubmission] = []
        first, guarded = 0, any(played.any_guarded for played in expected)
        given = cast("Sequence[DeviceBuffer]", wanted)
        small = [b for b in given if not b.parts and b.count * b.dtype.size <= ANSWER]
        while first < len(ms):
            last = _end_of_batch(totals, first)
            begin = int(ends[first - 1]) if first else 0
            part = launches[begin : int(ends[last - 1])]
            part["stamp"][ends[first:last] - 1 - begin] = np.arange(1, last - first + 1)
            if encoder.queries is None:
                part["stamp"] = 0
            asked = small if last == len(ms) else []
            sent = self._send(
                part, last - first, sum(ms[first:last]), b"" if first else words, asked, guarded
            )
            made.append(self._note(sequences, first, last, sent))
            first = last
        return made

    def _make_ready(self, count: int) -> None:
        """See that so many launches can be recorded by one native call next time.

        Loading the compiler slows what runs meanwhile down, more than a few launches would gain.
        """
        if count > FEW_LAUNCHES:
            self.encoder.compiler.ahead.add("launches", native_launches.make_ready)

    def _expected_ms(self, played: LaunchSequence) -> list[float]:
        flight = self.encoder.in_flight
        return [n / flight.speeds.get(key, flight.points_per_ms) for key, n in played.work]

    def _send(
        self,
        launches: Launches,
        count: int,
        ms: float,
        words: Words | bytes,
        wanted: Sequence[DeviceBuffer],
        guarded: bool,
    ) -> Results:
        encoder = self.encoder
        encoder.in_flight.admit(ms)
        native = encoder.device.native
        with encoder.sending:
            commands = Commands(native)
            if guarded:
                commands.clear(encoder.status, 4)
            if encoder.queries is not None:
                commands.stamp(encoder.queries, 0)
            commands.record(encoder.queries, launches)
            results = encoder.results_of(commands, count, wanted, guarded=guarded)
            encoder.held = None
            commands.send(native.queue, encoder.ring, words)
        encoder.submits += 1
        encoder.busy, encoder.latest, encoder.sent_at = True, results, time.perf_counter()
        encoder.in_flight.sent(results, ms)
        return results

    @staticmethod
    def _note(
        sequences: Sequence[LaunchSequence], first: int, last: int, results: Results
    ) -> WgpuSubmission:
        """The submission of some of the dispatches of all sequences."""
        size = len(sequences[0].passes)
        work, groups = sequences[0].work, sequences[0].groups
        turned = first % size
        results.work = [*work[turned:], *work[:turned]][: last - first]
        results.group = groups[(last - 1) % size]
        submission = WgpuSubmission(submits=1)
        units = sequences[first // size : -(-last // size)]
        passes = list(chain.from_iterable([played.passes for played in units]))
        submission.passes = passes[first % size : first % size + last - first]
        guarded = any(played.any_guarded for played in units)  # all have the first status word
        submission.guarded = [guarded, *[False] * (last - first - 1)]
        submission.results = [(results, range(last - first))]
        return submission


def _layout(dispatch: Dispatch) -> tuple[Layout, tuple[DType, ...]]:
    request = _request(dispatch)
    extents, maps = len(dispatch.extents), len(dispatch.maps)
    return arrange(extents, request.rank, maps, request.params), request.params


def _request(dispatch: Dispatch) -> KernelRequest:
    return cast("WgpuPipeline", dispatch.pipeline).request


def _end_of_batch(totals: Sequence[float], first: int) -> int:
    """Behind the last dispatch that goes into one command buffer with the first one; given is how
    long all dispatches take up to each."""
    before = totals[first - 1] if first else 0.0
    return max(
        first + 1, bisect_right(totals, before + BATCH_MS, first, min(len(totals), first + MOST))
    )


def _write(
    words: Words, sequences: Sequence[LaunchSequence], starts: Sequence[int], changes: Changes
) -> None:
    """Put in what differs from sequence to sequence."""
    alike: dict[int, list[int]] = {}
    for k, played in enumerate(sequences):
        alike.setdefault(id(played), []).append(k)
    for numbers in alike.values():
        played, chosen = sequences[numbers[0]], np.array(numbers)
        first = np.array([starts[k] for k in numbers])
        for (dispatch, parameter, number), values in changes.items():
            at, found = played.changed(dispatch, number, values[chosen], parameter=parameter)
            for launch in played.firsts[dispatch]:
                for k, word in enumerate(found):
                    words[first + (launch + at + k)] = word


def encoded(values: NDArray[np.generic], dtype: DType) -> list[Words]:
    """Numbers as parameter words: per word of one, a row of all. See `launch.encode`."""
    if dtype is DType.F64:
        return list(np.ascontiguousarray(values, np.float64).view(np.uint32).reshape(-1, 2).T)
    if dtype is DType.F32:
        with np.errstate(all="ignore"):
            return [values.astype(np.float32).view(np.uint32)]
    if dtype.size == 8:
        values = values.astype(np.int64) if values.dtype.kind == "f" else values
        return list(np.ascontiguousarray(values).astype(np.uint64).view(np.uint32).reshape(-1, 2).T)
    return [values.astype(np.int64).astype(np.uint32)]
