"""Ranges of a parfor in a worker.

The passes are the same function as in the owner's process. It stays where it is between ranges:
sliced variables keep what this worker has assigned, and only the parts that belong to a range go
back.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np

from app.engine.interpreter.compile.parfor_bodies import passes_of
from app.engine.interpreter.loops.iteration import Counter
from app.engine.interpreter.loops.parfor_run import Range, starts_of
from app.engine.interpreter.loops.parfor_slices import offset_of, slice_of
from app.engine.parallel import travelled_code
from app.engine.parallel.shared_segment import Segment
from app.engine.parallel.value_encoding import Decoder, Encoder, Tree, unpack
from app.engine.values import DeviceArray, host
from app.engine.values import Untyped as Value
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

    def next_of(self, job: int) -> tuple[Tree, ...] | None:
        """The next task of a job; None when it has ended."""


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

    def begin(self, body: Sequence[int]) -> None:
        """Passes from ``body[0]`` to before ``body[1]``, both from 0."""
        self.first, self.last = self.at, self.end = body[0], body[1]
        self.at, self.parts, self.is_open = self.first, [], True

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
            self.begin(message[5])
        first = self.at
        self.at = min(self.last, first + self.block) if count else self.last
        starts = starts_of(self.loop, self.initial).values()
        number = self.passes.number
        return (number(first), number(self.at - 1), *starts, *slices)

    def _give(self, slices: tuple[Value, ...]) -> None:
        """Tell what a range made; only now is what a device computes waited for."""
        encoder = Encoder(share=False)
        parts = tuple(tuple(map(encoder.tree, part)) for part in self.parts)
        made = []
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


def run_ranges(owner: Owner, head: bytes | None, body: Sequence[int]) -> None:
    """Do ranges of one parfor until the owner has no more of them."""
    if head is None:  # the loop has failed here before
        owner.tell("stopped")
        return
    interpreter = owner.session.interpreter
    around, source, sources, start, names, given, facts, shared = unpack(head)
    travelled_code.surround(interpreter, around)
    loaded = travelled_code.loaded_text(interpreter, *sources[source])
    loop = travelled_code.loop_at(loaded, start, names)
    segment = Segment(*shared) if shared else None
    decoder = Decoder(interpreter, sources, segment)
    values = {k: decoder.value(v) for k, v in given}
    first, count, dtype, block, draws, seed, unstarted = facts
    passes = Range(Counter(float(first), 1.0, count))
    passes.dtype = np.dtype(dtype) if dtype else None
    ranges = _Ranges(owner, loop, passes, block, values)
    ranges.begin(body)
    function = passes_of(loop, tuple(values), frozenset(unstarted), draws=draws, blocks=True).run
    stream = stream_of(interpreter.context)
    _restart_stream(stream, seed)
    interpreter.parfor_depth += 1
    try:
        function(ranges, *values.values())
    finally:
        interpreter.parfor_depth -= 1


def _restart_stream(stream: RandomStream, seed: int) -> None:
    stream.restart(seed, "philox")
    stream.pass_seed = seed
