"""Loops on the host: all passes of one block after the other, its state in arrays of its own.

What passes take over all points has the same bits by machine code as by NumPy: blocks are the same.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

import numpy as np

from app.accel.backends.host import host_blocks as bl
from app.accel.backends.host.host_blocks import Array, Block, Frame, Program, Scratch
from app.accel.backends.host.machine_code import range_of
from app.accel.ir.loop_node import tiles
from app.accel.numerics import lane_totals
from app.accel.numerics.equal_extremes import first_of_equal, first_of_two
from app.accel.numerics.lane_totals import NOTHING
from app.errors import InternalError

if TYPE_CHECKING:
    from app.accel.backends.host.host_provider import HostPipeline, HostProvider
    from app.accel.ir.plan import LoopSpec, Reduce

_TOTALS: dict[str, tuple[np.ufunc, float | None]] = {
    "sum": (np.add, 0.0),
    "prod": (np.multiply, 1.0),
    "min": (np.fmin, None),
    "max": (np.fmax, None),
}
"""How totals are taken, and what changes none; None where no number of every class does."""


def run(host: HostProvider, pipeline: HostPipeline, frame: Frame, outputs: list[Array]) -> None:
    """Run a loop kernel."""
    size = int(np.prod(frame.extents))
    parts = bl.segments(frame.extents[-1], max(1, min(4 * host.threads, size // 1024)))
    found: list[list[list[Array]]] = [[] for _ in parts]

    loop = _spec(pipeline)
    trips = int(frame.params[loop.trips])
    code = host.code(pipeline, frame) if loop.totals else None
    words = code.words(frame, outputs, host.stop) if code is not None else None

    def task(k: int) -> None:
        own = replace(frame)
        for block in host.going(bl.blocks(frame.extents, pipeline.block, parts[k])):
            if code is None or words is None:
                found[k].append(_Passes(host, pipeline, own, outputs, block).run())
                continue
            rows = [np.full(trips, NOTHING.get(t.reduce.op, np.nan)) for t in loop.totals]
            own.status |= code.run(code.aimed(words, rows), range_of(code, own.extents, block))
            found[k].append(rows)
        frame.status |= own.status

    prospect = pipeline.prospect
    short = code is not None and prospect is not None and prospect.is_short(frame)
    host.spread(len(parts), task, short or size * trips < bl.BLOCK)
    _store_totals(loop, frame, outputs, [row for rows in found for row in rows])


def _spec(pipeline: HostPipeline) -> LoopSpec:
    loop = pipeline.request.loop
    if loop is None:
        raise InternalError("host provider", f"{pipeline.request.label} has no loop")
    return loop


class _Passes:
    """All passes of one block."""

    def __init__(
        self,
        host: HostProvider,
        pipeline: HostPipeline,
        frame: Frame,
        outputs: list[Array],
        block: Block,
    ) -> None:
        self.pipeline, self.frame, self.outputs, self.block = pipeline, frame, outputs, block
        self.loop, self.host = _spec(pipeline), host
        self.trips = int(frame.params[self.loop.trips])
        self.totals = [
            np.empty(self.trips, complex if outputs[total.binding].dtype.kind == "c" else float)
            for total in self.loop.totals
        ]

    def run(self) -> list[Array]:
        """What the passes give of every total."""
        frame, block, inner = self.frame, self.block, Scratch()
        frame.done = 0
        before = self.pipeline.body.run(frame, block, self.host.scratch)
        state = [
            np.array(np.broadcast_to(before[i], block.shape), order="F") for i in self.loop.initial
        ]
        frame.carries = state
        for done in self.host.going(range(self.trips)):
            frame.done = done
            self._run_pass(state, before, inner)
        frame.done = 0
        stores = self.pipeline.result_stores
        bl.run_block(self.pipeline.epilogue, frame, stores, self.outputs, block, inner)
        return self.totals

    def _run_pass(self, state: list[Array], before: dict[int, Array], inner: Scratch) -> None:
        loop, frame, steps = self.loop, self.frame, cast("Program", self.pipeline.steps)
        values = steps.run(frame, self.block, inner, before)
        places = bl.targets(steps, frame, loop.stores, self.outputs, self.block)
        bl.write(loop.stores, places, values)
        for k, total in enumerate(loop.totals):
            self.totals[k][frame.done] = self._total_of_pass(total.reduce, values)
        after = [values[number] for number in loop.following]
        if len(state) > 1:
            after = [a.copy() if any(a is s for s in state) else a for a in after]
        for mine, new in zip(state, after, strict=True):
            mine[...] = new

    def _total_of_pass(self, reduce: Reduce, values: dict[int, Array]) -> complex:
        whole = np.broadcast_to(values[reduce.value], self.block.shape)
        prospect, dtype = self.pipeline.prospect, whole.dtype
        wide = dtype.kind == "c" or (dtype.kind in "iu" and dtype.itemsize == 8)
        if prospect is not None and reduce.op in NOTHING and not wide:
            return lane_totals.total(reduce.op, whole, prospect.lanes)
        taken = _TOTALS[reduce.op][0].reduce(whole, axis=None, keepdims=True)
        if reduce.op in {"min", "max"}:
            taken = first_of_equal(taken, whole, tuple(range(whole.ndim)))
        total: complex = taken.item()
        return total


def _store_totals(
    loop: LoopSpec, frame: Frame, outputs: list[Array], blocks: list[list[Array]]
) -> None:
    """Blocks go to the rows of the outputs one after the other; the others change nothing."""
    trips, rows = int(frame.params[loop.trips]), tiles(int(np.prod(frame.extents)))
    for k, total in enumerate(loop.totals):
        combine, nothing = _TOTALS[total.reduce.op]
        table = outputs[total.binding].reshape((rows, trips), order="F")
        table[...] = blocks[0][k] if nothing is None else nothing
        for number, block in enumerate(blocks):
            row = number % rows
            two = table[row], block[k]
            least = combine in {np.fmin, np.fmax}
            table[row] = first_of_two(combine, *two) if least else combine(*two)
