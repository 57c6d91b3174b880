"""Ranges of a parfor in a worker.

The passes are the same function as in the owner's process. It stays where it is between ranges:
sliced variables keep what this worker has assigned, and only the parts that belong to a range go
back.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from app.engine.interpreter.compile.parfor_bodies import passes_of
from app.engine.interpreter.loops.iteration import Counter
from app.engine.interpreter.loops.parfor_run import Range, starts_of
from app.engine.interpreter.loops.parfor_slices import offset_of, slice_of
from app.engine.parallel import travelled_code
from app.engine.parallel.shared_segment import Segment
from app.engine.parallel.value_encoding import (
    Decoder,
    Encoder,
    Named,
    Sources,
    Tree,
    given_to,
    read_head,
)
from app.engine.values import DeviceArray, Value, host
from app.engine.values.random_stream import RandomStream, stream_of

if TYPE_CHECKING:
    from app.engine.interpreter.compile.parfor import ParforLoop
    from app.engine.session.session import Session


class Owner(Protocol):
    """How a worker talks with the owner of the pool."""

    job: int
    session: Session

    def tell(self, kind: str, *content: Tree) -> None:
        """Say something of the task at hand."""

    def next_of(self, job: int) -> Order | None:
        """The next task of a job; None when it has ended."""


class Order(NamedTuple):
    """A task, as a worker is told of it.

    Attributes:
        kind: ``parfor``, ``call`` or ``spmd``.
        job: the number of its job.
        number: its own number.
        head: what all tasks of the job have in common; None where the worker has it.
        body: what this one is about.
    """

    kind: str
    job: int
    number: int
    head: bytes | None
    body: tuple[Tree, ...]


class LoopHead(NamedTuple):
    """What a worker is told of a parfor.

    Attributes:
        source: number of the text that the loop is in.
        start: where it begins there.
        given: the variables that it has before.
        first: its first number.
        passes: how many there are.
        dtype: of the counter; empty for double.
        block: passes whose random numbers and reductions belong together.
        unstarted: reductions without a value before.
        shared: name and places of the segment of large arrays.
    """

    source: int
    sources: Sources
    start: int
    names: tuple[str, ...]
    given: Named
    first: int
    passes: int
    dtype: str
    block: int
    draws: bool
    seed: int
    unstarted: tuple[str, ...]
    shared: tuple[str, tuple[tuple[int, int], ...]] | None


class _Ranges:
    """Asks the owner for ranges, and gives back what they made."""

    def __init__(
        self, owner: Owner, loop: ParforLoop, passes: Range, block: int, values: dict[str, Value]
    ) -> None:
        self.owner, self.loop, self.passes, self.block = owner, loop, passes, block
        self.initial = {n: values[n] for n in loop.reductions}
        self.offsets = {n: offset_of(loop.body.variables[n], values) for n in loop.slices}
        self.first = self.at = self.last = 0
        self.parts: list[tuple[Value, ...]] = []
        self.is_open = False

    def begin(self, first: int, last: int) -> None:
        """Passes from ``first`` to before ``last``, both from 0."""
        self.first, self.last = first, last
        self.at, self.parts, self.is_open = first, [], True

    def __call__(self, *outs: Value) -> tuple[Value, ...]:
        """A block is done, or none yet: the next one."""
        count = len(self.initial)
        parts, slices = outs[:count], outs[count:]
        if self.at > self.first:
            self.parts.append(parts)
            _start_computing(parts)
        if self.at >= self.last:
            self._give(slices)
            message = self.owner.next_of(self.owner.job)
            if message is None:
                return (None, None, *parts, *slices)
            given_to(self.begin, message.body)
        first = self.at
        self.at = min(self.last, first + self.block) if count else self.last
        starts = starts_of(self.loop, self.initial).values()
        number = self.passes.number
        return (number(first), number(self.at - 1), *starts, *slices)

    def _give(self, slices: tuple[Value, ...]) -> None:
        """Tell what a range made; only now is what a device computes waited for."""
        encoder = Encoder(share=False)
        parts = tuple(tuple(map(encoder.tree, part)) for part in self.parts)
        made: list[tuple[int, int, Tree]] = []
        for name, value in zip(self.loop.slices, slices, strict=True):
            offset = self.passes.first + self.offsets[name]
            variable = self.loop.body.variables[name]
            first, last, part = slice_of(
                variable, value, self.first + offset, self.last - 1 + offset
            )
            made.append((first, last, Encoder(share=False).tree(host(part))))
        self.owner.tell("done", parts, tuple(made))


def _start_computing(values: Sequence[Value]) -> None:
    """Hand what is recorded to the device, which computes while the next block is recorded.

    Block by block, so that every block has the same plan, however long a range is.
    """
    recorded = [v for v in values if type(v) is DeviceArray]
    if recorded:
        cause = "needs-host-value: the answer of a worker"
        recorded[0].runtime.evaluate([v.node for v in recorded], cause)


def run_ranges(owner: Owner, head: bytes | None, first: int, last: int) -> None:
    """Do ranges of one parfor until the owner has no more of them."""
    if head is None:  # the loop has failed here before
        owner.tell("stopped")
        return
    interpreter = owner.session.interpreter
    told = read_head(LoopHead, interpreter, head)
    loaded = travelled_code.loaded_text(interpreter, *told.sources[told.source])
    loop = travelled_code.loop_at(loaded, told.start, told.names)
    segment = Segment(*told.shared) if told.shared else None
    values = Decoder(interpreter, told.sources, segment).values(told.given)
    passes = Range(Counter(float(told.first), 1.0, told.passes))
    passes.dtype = np.dtype(told.dtype) if told.dtype else None
    ranges = _Ranges(owner, loop, passes, told.block, values)
    ranges.begin(first, last)
    unstarted = frozenset(told.unstarted)
    function = passes_of(loop, tuple(values), unstarted, draws=told.draws, blocks=True).run
    stream = stream_of(interpreter.context)
    _restart_stream(stream, told.seed)
    interpreter.parfor_depth += 1
    try:
        function(ranges, *values.values())
    finally:
        interpreter.parfor_depth -= 1


def _restart_stream(stream: RandomStream, seed: int) -> None:
    stream.restart(seed, "philox")
    stream.pass_seed = seed
