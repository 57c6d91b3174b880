"""Running sums, products and extremes on the host, block after block, without large temporaries."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from app.accel.backends.host import host_blocks as bl
from app.accel.backends.host.host_reductions import COMBINE, FEW, accumulator, reduction_result
from app.accel.numerics.running_values import SOME, running

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.accel.backends.host.host_blocks import Array, Block, Frame
    from app.accel.backends.host.host_provider import HostPipeline, HostProvider
    from app.accel.ir.plan import Reduce


def run(host: HostProvider, pipeline: HostPipeline, frame: Frame, outputs: list[Array]) -> None:
    """Run a scan kernel."""
    kernel, extents = pipeline.request, frame.extents
    axis = kernel.reduced.index(True)
    last = axis == len(extents) - 1
    parts = [(0, extents[-1])] if last else bl.segments(extents[-1], 4 * host.threads)
    produce = host.producer(pipeline, frame, outputs)
    kept = tuple(1 if k == axis else e for k, e in enumerate(extents))
    carries = [np.empty(kept, accumulator(r), order="F") for r in kernel.reductions]
    reverse = bool(dict(kernel.attrs).get("reverse", 0))
    # Values that nobody else has may be summed where they are; inputs and outputs may not.
    apart = len({r.value for r in kernel.reductions}) == len(kernel.reductions)
    loose = (
        apart
        and not pipeline.element_stores
        and all(kernel.body[r.value].op != "load" for r in kernel.reductions)
    )

    def task(k: int) -> None:
        scratch, inner, own = host.scratch, bl.Scratch(), replace(frame)
        walk = bl.blocks(extents, pipeline.block, parts[k])
        for block in host.going(_backwards(walk) if reverse else walk):
            values = produce(block, scratch)
            ways = [
                _array_to_sum(values[r.value], block, carry, loose)
                for r, carry in zip(kernel.reductions, carries, strict=True)
            ]
            own.results = [
                reduction_result(r, [_running(r, way, block, carry, axis, extents, reverse)])
                for r, way, carry in zip(kernel.reductions, ways, carries, strict=True)
            ]
            own.origin = block.start
            bl.run_block(pipeline.epilogue, own, pipeline.result_stores, outputs, block, inner)
        frame.status |= own.status

    host.spread(len(parts), task, math.prod(extents) < bl.BLOCK // 2)


def _backwards(walk: Iterator[Block]) -> Iterator[Block]:
    yield from reversed(list(walk))


def _array_to_sum(value: Array, block: Block, carry: Array, loose: bool) -> Array:
    """The values as an array of their own, in the type they are summed in."""
    if (
        loose
        and value.shape == block.shape
        and value.dtype == carry.dtype
        and (value.flags.f_contiguous and value.flags.writeable)
    ):
        return value
    return np.array(np.broadcast_to(value, block.shape), carry.dtype, order="F")


def _running(
    reduction: Reduce,
    way: Array,
    block: Block,
    carry: Array,
    axis: int,
    extents: tuple[int, ...],
    reverse: bool,
) -> Array:
    """The running value over a block, in its memory, going on from the one before it."""
    combine = COMBINE[reduction.op]
    if reverse:
        way = np.flip(way, axis)
    place = tuple(
        slice(0, 1) if k == axis else slice(s, s + n)
        for k, (s, n) in enumerate(zip(block.start, block.shape, strict=True))
    )
    start = block.start[axis]
    begins = start + block.shape[axis] == extents[axis] if reverse else start == 0
    first = tuple(slice(0, 1) if k == axis else slice(None) for k in range(len(extents)))
    final = tuple(slice(-1, None) if k == axis else slice(None) for k in range(len(extents)))
    if not begins:
        way[first] = combine(carry[place], way[first])
    done = _running_values(combine, way, axis)
    carry[place] = done[final]
    return np.flip(done, axis) if reverse else done


def _running_values(combine: np.ufunc, way: Array, axis: int) -> Array:
    """NumPy's scan; long columns and few long rows are done one by one."""
    rows = math.prod(way.shape[:axis])
    if axis == 0 and way.shape[0] >= SOME and way.flags.f_contiguous:
        for column in way.T.reshape(-1, way.shape[0]):
            running(combine, column, column)
        return way
    if axis == 0 or rows > FEW:
        return combine.accumulate(way, axis=axis, out=way)
    lead = way.shape[:axis]
    for place in np.ndindex(lead):
        running(combine, way[place], way[place])
    return way
