"""The blocks of a parfor on a pool: whether that pays, and how it is done."""

from __future__ import annotations

import time
from functools import partial
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, NamedTuple

from app.engine.interpreter.indexing.index_assign import set_args
from app.engine.interpreter.loops.parfor_place import (
    NESTED,
    NO_POOL,
    ON_DEVICE,
    ONE_WORKER,
    SHORT,
    STARTING,
    fixed_stay,
    record_workers,
)
from app.engine.interpreter.loops.parfor_slices import places_of
from app.engine.parallel.parfor_passes import LoopHead
from app.engine.parallel.pool import POLL_S, Job, Message, Pool, Task, loss
from app.engine.parallel.shared_segment import OwnSegment
from app.engine.parallel.value_encoding import Decoder, Encoder, Sources, Tree, failure, given_to
from app.engine.values import DeviceArray, Value, n_bytes
from app.engine.values.random_stream import stream_of
from app.errors import InternalError

if TYPE_CHECKING:
    from app.engine.interpreter.compile.spmd import SpmdBlock
    from app.engine.interpreter.interpreter import Interpreter
    from app.engine.interpreter.loops.parfor_place import Stay
    from app.engine.interpreter.loops.parfor_run import Run
    from app.engine.parallel.parallel import Parallel

START_S = 1.5
"""Work of so much time pays for starting a pool."""
OVERHEAD_S = 0.002
RANGE_S = 0.05
"""Ranges are not made shorter than this, as far as there are passes."""
LONGEST_S = 1.0
"""Ranges are not made longer than this."""
TRY_S = 0.02
"""What it may cost to give passes that nobody has timed to a pool that was asked for."""


def _moved_bytes(run: Run) -> int:
    """Bytes that go to workers, and those of what is assigned to, which come back."""
    sizes = {name: n_bytes(v) for name, v in run.values.items() if hasattr(v, "shape")}
    return sum(sizes.values()) + sum(sizes.get(name, 0) for name in run.loop.slices)


class ParforPool:
    """Takes passes over for the workers of a pool.

    Args:
        parallel: the pool of the session, and what is told of it.
    """

    def __init__(self, parallel: Parallel) -> None:
        self.parallel = parallel

    @property
    def always(self) -> bool:
        """Whether every parfor goes to the pool, whatever it costs."""
        return self.parallel.always

    def stay(self, run: Run) -> Stay | None:
        """Why the blocks that are left stay here; None where the workers had better do them."""
        parallel = self.parallel
        fixed = NESTED if parallel.is_worker else fixed_stay(run.interpreter, run.most)
        if fixed is not None:
            return fixed
        if parallel.always:
            return NO_POOL if parallel.ready(wait=True) is None else None
        if any(type(v) is DeviceArray for v in run.joined.values()):
            return ON_DEVICE
        pool = parallel.ready()
        if pool is None:
            saved = run.left_s * (1 - 1 / max(2, parallel.default_size))
            if saved < START_S or not run.is_timed or not parallel.may_start:
                return SHORT
            parallel.start_beside()
            return STARTING
        count = min(run.most, pool.size)
        if count == 1:
            return ONE_WORKER
        cost = OVERHEAD_S + _moved_bytes(run) / pool.machines.bytes_per_s
        if not run.is_timed:  # a first pass here may be half of the work: an open pool does it all
            unknown = parallel.asked_for and not run.at and run.block == 1
            return None if unknown and cost < TRY_S else SHORT
        return None if run.left_s * (1 - 1 / count) > 2 * cost else SHORT

    def finish(self, run: Run, slices: tuple[Value, ...]) -> tuple[Value, ...]:
        """Do the blocks that are left; gives the sliced variables afterwards."""
        pool = self.parallel.ready(wait=True)
        if pool is None:
            raise InternalError("parallel", "the pool has gone")
        return _Sharing(self.parallel, pool, run, slices).go()

    def spmd(
        self,
        interpreter: Interpreter,
        block: SpmdBlock,
        most: Value,
        values: dict[str, Value],
    ) -> tuple[Value, ...]:
        """Run an spmd block on the pool; gives the variables that it sets."""
        from app.engine.parallel.spmd_pool import run_spmd  # few sessions have one

        return run_spmd(self.parallel, block, most, values)


class RangeSizes:
    """How many passes the ranges of a parfor have.

    They come in rounds, a range for each worker. A round has half of the passes that are left, so
    that a worker that is done early finds some; where halves would not be worth sending it has all
    of them (factoring: Hummel, Schonberg and Flynn, 1992).

    Args:
        workers: how many share the passes.
    """

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._size = self._left_of_round = 0

    def next_size(self, left: int, pass_s: float) -> int:
        """Passes of the next range, of those that are left; 0 seconds where nobody knows them."""
        if not self._left_of_round:
            self._left_of_round = self._workers
            self._size = max(1, left // (2 * self._workers))
            if 0 < self._size * pass_s < RANGE_S:
                self._size = -(-left // self._workers)
            if pass_s:  # people see how far it is, and nobody waits long for the last range
                self._size = min(self._size, max(1, int(LONGEST_S / pass_s)))
        self._left_of_round -= 1
        return self._size


class _Bounds(NamedTuple):
    """The passes of a task: from the first to before the last."""

    first: int
    last: int


class _Sharing:
    """One parfor on a pool."""

    def __init__(self, parallel: Parallel, pool: Pool, run: Run, slices: tuple[Value, ...]) -> None:
        self.parallel, self.pool, self.run = parallel, pool, run
        self.slices = list(slices)
        del slices
        self.inbox: SimpleQueue[Message] = SimpleQueue()
        self.next_pass = self.joined_to = run.at
        self.out = self.ranges = 0
        self.parts: dict[int, tuple[Value, ...]] = {}
        self.segment: OwnSegment | None = None
        self.sources: Sources = ()
        self.workers = min(run.most, pool.size)
        self.sizes = RangeSizes(self.workers)
        self.started = time.monotonic()

    def go(self) -> tuple[Value, ...]:
        """Share the blocks out and put together what comes back."""
        job = self._job()
        self.run.workers_text = f"{self.workers} workers"
        try:
            for _ in range(self.workers + 1):
                self._share(job)
            while self.out:
                self._take(job, self._wait())
        except BaseException:
            self.pool.cancel(job)
            raise
        finally:
            self.pool.end(job)
            if self.segment is not None:
                self.segment.close()
        self._record_passes()
        return tuple(self.slices)

    def _record_passes(self) -> None:
        """Keep what a pass took, and record where they ran."""
        run = self.run
        passes, workers = run.range.count - run.at, min(self.workers, self.ranges)
        run.loop.pass_s = (time.monotonic() - self.started) * workers / passes
        record_workers(run.loop, workers, run.at, passes, self.ranges)

    def _job(self) -> Job:
        run, loop = self.run, self.run.loop
        run.values.update(zip(loop.slices, self.slices, strict=True))
        encoder = Encoder(share=self.pool.machines.are_here)
        source = encoder.note(loop.unit)
        given = tuple((k, encoder.tree(v)) for k, v in run.values.items())
        if encoder.large:
            self.segment = OwnSegment(encoder.large)
        shared = None if self.segment is None else (self.segment.name, self.segment.places)
        self.parallel.shared_bytes += 0 if self.segment is None else self.segment.size
        range_ = run.range
        seed = stream_of(run.interpreter.context).pass_seed if run.draws else 0
        dtype = "" if range_.dtype is None else range_.dtype.str
        start = loop.node.span.start
        self.sources = tuple(encoder.sources)
        head = LoopHead(
            source,
            self.sources,
            start,
            loop.names,
            given,
            range_.first,
            range_.count,
            dtype,
            run.block,
            run.draws,
            seed,
            tuple(run.unstarted),
            shared,
        )
        return self.parallel.job(self.pool, "parfor", head)

    def _share(self, job: Job) -> None:
        """Queue the next range: a share of what is left, in whole blocks."""
        run, first = self.run, self.next_pass
        left = run.range.count - first
        if left <= 0:
            return
        size = self.parallel.range_of(run.workers) or self.sizes.next_size(left, run.pass_s)
        blocks = max(1, size // run.block)
        last = min(run.range.count, first + blocks * run.block)
        self.next_pass = last
        self.out += 1
        self.ranges += 1
        number = run.range.first
        line = run.loop.line
        what = f"line {line}: passes {number + first} to {number + last - 1}"
        self.pool.submit(Task(job, (first, last), self.inbox, what=what, line=line))

    def _wait(self) -> Message:
        while True:
            try:
                return self.inbox.get(timeout=POLL_S)
            except Empty:
                self.run.interpreter.host.poll()

    def _take(self, job: Job, message: Message) -> None:
        first, last = given_to(_Bounds, message.task.body)
        self.parallel.note(message)
        match message.kind:
            case "out":
                given_to(self.parallel.print, message.content)
            case "data":
                given_to(self.parallel.take_data, message.content)
            case "done":
                self.out -= 1
                given_to(partial(self._take_results, first, last), message.content)
                self.run.away += last - first
                self.run.interpreter.parfors.changed()
                self._share(job)
            case "failed":
                raise given_to(failure, message.content)
            case "lost":
                number = self.run.range.first
                text = (
                    f"Passes {number + first} to {number + last - 1} of the parfor in line "
                    f"{self.run.loop.line} ended two workers, one after the other."
                )
                raise loss(message, "parallel:cluster:WorkerLost", text)
            case _:
                raise InternalError("parallel", f"a range was {message.kind}")

    def _take_results(
        self,
        first: int,
        last: int,
        parts: tuple[tuple[Tree, ...], ...],
        slices: tuple[tuple[int, int, Tree], ...],
    ) -> None:
        run, loop = self.run, self.run.loop
        decoder = Decoder(run.interpreter, self.sources)
        for k, (low, high, tree) in enumerate(slices):
            if high < low:
                continue
            part = decoder.value(tree)
            variable = loop.body.variables[loop.slices[k]]
            places = places_of(variable, low, high, part)
            held, self.slices[k] = self.slices[k], None
            run.values.pop(loop.slices[k], None)
            self.slices[k] = set_args(held, places, part)
        for k, part in enumerate(parts):
            at = first + k * run.block
            self.parts[at] = tuple(map(decoder.value, part))
        if not run.joined:
            self.joined_to += last - first
        while self.joined_to in self.parts:
            run.join(self.parts.pop(self.joined_to))
            self.joined_to = min(self.joined_to + run.block, run.range.count)
