"""The host as a provider: the same kernels, in NumPy, block by block over a thread pool.

No temporary is larger than a block. Reductions follow a tree that depends on the box alone, never
on the number of threads, so results repeat exactly.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import local
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from app.accel import algorithms
from app.accel import host_functions as hf
from app.accel.ops import OPS
from app.accel.plan import Access, Dispatch, KernelRequest, Reduce, Template
from app.accel.providers import blocks as bl
from app.accel.providers import host_loops, host_products
from app.accel.providers.base import DeviceInfo, ProviderStatistics
from app.accel.providers.blocks import Array, Block, Frame, Program, Scratch
from app.errors import Unsupported

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.accel.dtypes import DType
    from app.accel.node import Shape

SEGMENTS = 16
"""Parts of a walk along a reduced axis that are added up on their own."""
DEAR = 30
"""Cost of an element from which smaller blocks are used."""


@dataclass(slots=True)
class HostBuffer:
    """A flat array."""

    dtype: DType
    count: int
    array: Array

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return int(self.array.nbytes)


@dataclass(slots=True)
class HostSubmission:
    """Finished work."""

    dispatches: int
    submits: int
    left: tuple[bool, ...]

    @property
    def passes(self) -> tuple[int, ...]:
        """One pass for each."""
        return (1,) * self.dispatches


class HostPipeline:
    """A kernel prepared for block execution."""

    workgroup = ()
    compile_ms = 0.0

    def __init__(self, kernel: KernelRequest) -> None:
        self.kernel = kernel
        skipped = kernel.reduced if kernel.template is Template.REDUCE else ()
        split = len(kernel.body)
        wanted = {s.value for s in kernel.stores} | {r.value for r in kernel.reductions}
        if kernel.loop is not None:
            wanted.update(range(split), kernel.loop.following)
            wanted.update(s.value for s in kernel.loop.stores)
            wanted.update(t.reduce.value for t in kernel.loop.totals)
        self.body = Program(kernel.body, 0, kernel, wanted)
        self.steps = self._steps(kernel, wanted)
        split += len(kernel.loop.steps) if kernel.loop else 0
        self.epilogue = Program(kernel.epilogue, split, kernel, wanted, skipped)
        dear = sum(OPS[i.op].cost for i in kernel.body if i.op in OPS) >= DEAR
        self.block = bl.DEAR_BLOCK if dear or kernel.loop is not None else bl.BLOCK
        self.element_stores = [s for s in kernel.stores if s.value < split]
        self.result_stores = [s for s in kernel.stores if s.value >= split]

    def _steps(self, kernel: KernelRequest, wanted: set[int]) -> Program | None:
        """One pass of a loop."""
        if kernel.loop is None:
            return None
        known = [number for number, _ in self.body.uniform]
        return Program(kernel.loop.steps, len(kernel.body), kernel, wanted, (), known)

    @property
    def key(self) -> str:
        """The request's key."""
        return self.kernel.key

    @property
    def source(self) -> str:
        """The instructions as text."""
        return "\n".join(map(str, (*self.kernel.body, *self.kernel.epilogue)))


class HostProvider:
    """Runs kernels on the CPU."""

    def __init__(self, threads: int = 0) -> None:
        self.threads = threads or os.cpu_count() or 1
        self.info = DeviceInfo(
            "host", "", "none", "cpu", "", True, True, 2**62, 2**62, (), "host", 1 << 30
        )
        self._pool: ThreadPoolExecutor | None = None
        self._local = local()

    def supports(self, dtype: DType) -> bool:
        """Every type."""
        del dtype
        return True

    def allocate(self, dtype: DType, count: int) -> HostBuffer:
        """A fresh array."""
        return HostBuffer(dtype, count, np.empty(count, dtype.numpy))

    def free(self, buffer: HostBuffer) -> None:
        """The array goes with its last reference."""

    def upload(self, buffer: HostBuffer, data: Array, start: int = 0) -> None:
        """Copy into the array."""
        buffer.array[start : start + data.size] = data

    def download(
        self, buffer: HostBuffer, start: int = 0, count: int | None = None,
        out: Array | None = None,
    ) -> Array:  # fmt: skip
        """The elements; no copy unless `out` is given."""
        stop = buffer.count if count is None else start + count
        part = buffer.array[start:stop]
        if out is None:
            return part
        out[...] = part
        return out

    def prepare(self, kernel: KernelRequest) -> HostPipeline:
        """Prepare block execution."""
        if kernel.template not in _RUNNERS:
            raise Unsupported(f"the host has no kernels of kind {kernel.template.value}")
        return HostPipeline(kernel)

    def submit(self, dispatches: Sequence[Dispatch]) -> HostSubmission:
        """Run everything now."""
        with np.errstate(all="ignore"):
            left = [self._run(dispatch) for dispatch in dispatches]
        return HostSubmission(len(dispatches), 0, tuple(left))

    def status(self, submission: HostSubmission) -> tuple[bool, ...]:
        """Guards that were left."""
        return submission.left

    def synchronize(self) -> None:
        """Nothing is ever pending."""

    def timestamps(self, submission: HostSubmission) -> tuple[float | None, ...]:
        """No device, no device time."""
        return (None,) * submission.dispatches

    def export(self, buffer: HostBuffer) -> object:
        """The array itself."""
        return buffer.array

    def statistics(self) -> ProviderStatistics:
        """Arrays are owned by their records; nothing is held here."""
        return ProviderStatistics()

    def trim(self) -> None:
        """Nothing is pooled."""

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    # --- execution ---------------------------------------------------------------------------

    @property
    def scratch(self) -> Scratch:
        """This thread's block arrays."""
        own = getattr(self._local, "scratch", None)
        if own is None:
            own = self._local.scratch = Scratch()
        return cast("Scratch", own)

    def _run(self, dispatch: Dispatch) -> bool:
        pipeline = cast("HostPipeline", dispatch.pipeline)
        outputs = [cast("HostBuffer", b).array for b in dispatch.outputs]
        inputs = [cast("HostBuffer", b).array for b in dispatch.inputs]
        frame = Frame(pipeline.kernel, dispatch.extents, inputs, dispatch.maps, dispatch.params)
        pipeline.body.prepare(frame)
        if pipeline.steps is not None:
            pipeline.steps.prepare(frame)
        pipeline.epilogue.prepare(frame)
        _RUNNERS[pipeline.kernel.template](self, pipeline, frame, outputs)
        return frame.status

    def spread(self, count: int, task: Callable[[int], None], inline: bool = False) -> None:
        """Run ``task(0) … task(count - 1)``, in parallel unless that is not worth it."""
        if count <= 1 or self.threads == 1 or inline:
            for k in range(count):
                task(k)
            return
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.threads, "fuselab-host")
        for done in [self._pool.submit(_quiet, task, k) for k in range(count)]:
            done.result()


def _quiet(task: Callable[[int], None], k: int) -> None:
    with np.errstate(all="ignore"):
        task(k)


def _map(host: HostProvider, pipeline: HostPipeline, frame: Frame, outputs: list[Array]) -> None:
    size = int(np.prod(frame.extents))
    parts = bl.segments(frame.extents[-1], min(4 * host.threads, -(-size // pipeline.block)))

    def task(k: int) -> None:
        scratch = host.scratch
        for block in bl.blocks(frame.extents, pipeline.block, parts[k]):
            bl.run_block(pipeline.body, frame, pipeline.element_stores, outputs, block, scratch)

    host.spread(len(parts), task)


def _reduce(host: HostProvider, pipeline: HostPipeline, frame: Frame, outputs: list[Array]
            ) -> None:  # fmt: skip
    kernel, extents = pipeline.kernel, frame.extents
    kept = tuple(1 if r else e for r, e in zip(kernel.reduced, extents, strict=True))
    size, kept_size = int(np.prod(extents)), int(np.prod(kept))
    along = kernel.reduced[-1]
    limit = max(1, min(SEGMENTS, size // max(1, 4 * kept_size))) if along else SEGMENTS
    parts = bl.segments(extents[-1], limit if size > pipeline.block else 1)
    copies = len(parts) if along else 1
    totals = [[start(r, kept) for r in kernel.reductions] for _ in range(copies)]

    def task(k: int) -> None:
        scratch = host.scratch
        for block in bl.blocks(extents, pipeline.block, parts[k]):
            values = bl.run_block(
                pipeline.body, frame, pipeline.element_stores, outputs, block, scratch
            )
            _accumulate(kernel, totals[k if along else 0], values, block)

    host.spread(len(parts), task)
    for others in totals[1:]:
        for r, mine, other in zip(kernel.reductions, totals[0], others, strict=True):
            merge(r, mine, other)
    frame.results = [finished(r, t) for r, t in zip(kernel.reductions, totals[0], strict=True)]
    _finish(host, pipeline, frame, kept, outputs)


def _accumulate(kernel: KernelRequest, totals: list[Any], values: dict[int, Array], block: Block
                ) -> None:  # fmt: skip
    axes = tuple(k for k, r in enumerate(kernel.reduced) if r)
    place = tuple(
        slice(0, 1) if r else slice(s, s + n)
        for r, s, n in zip(kernel.reduced, block.start, block.shape, strict=True)
    )
    for reduction, total in zip(kernel.reductions, totals, strict=True):
        value = np.broadcast_to(values[reduction.value], block.shape)
        part = partial(reduction, value, axes, block.start[axes[0]])
        merge(reduction, [t[place] for t in total], part)


def start(reduction: Reduce, kept: Shape) -> list[Array]:
    """Accumulators before the first element."""
    dtype = accumulator(reduction)
    if reduction.op in {"argmin", "argmax"}:
        best = np.full(kept, np.nan, np.float64, order="F")
        return [best, np.ones(kept, np.float64, order="F")]
    if reduction.op in {"min", "max"}:
        worst: Any = np.nan
        if dtype.kind in "iu":
            limits = np.iinfo(dtype)
            worst = limits.max if reduction.op == "min" else limits.min
        elif dtype.kind == "b":
            worst = reduction.op == "min"
        return [np.full(kept, worst, dtype, order="F")]
    first = reduction.op in {"prod", "all"}
    return [np.full(kept, first, dtype, order="F")]


def accumulator(reduction: Reduce) -> np.dtype[Any]:
    """Integers are added up in double, everything else in its own type."""
    dtype = reduction.dtype
    if reduction.op in {"sum", "prod"} and dtype.is_integer:
        return np.dtype(np.float64)
    return dtype.numpy


def partial(reduction: Reduce, value: Array, axes: tuple[int, ...], first: int) -> list[Array]:
    """The reduction of one block."""
    match reduction.op:
        case "argmin" | "argmax":
            return _extreme_position(reduction.op, value, axes[0], first)
        case "any":
            return [np.any((value != 0) & (value == value), axis=axes, keepdims=True)]
        case "all":
            return [np.all(value != 0, axis=axes, keepdims=True)]
        case "nnz":
            return [np.count_nonzero(value, axis=axes, keepdims=True).astype(np.float64)]
        case _:
            pass
    ufunc = _COMBINE[reduction.op]
    if reduction.op in {"sum", "prod"}:
        return [ufunc.reduce(value, axis=axes, dtype=accumulator(reduction), keepdims=True)]
    return [ufunc.reduce(value, axis=axes, keepdims=True)]


_COMBINE: dict[str, np.ufunc] = {
    "sum": np.add, "nnz": np.add, "prod": np.multiply, "min": np.fmin, "max": np.fmax,
    "any": np.logical_or, "all": np.logical_and,
}  # fmt: skip


def _extreme_position(op: str, value: Array, axis: int, first: int) -> list[Array]:
    wide = value.astype(np.float64)
    worst, best = (np.inf, np.argmin) if op == "argmin" else (-np.inf, np.argmax)
    nothing = np.isnan(wide)
    where = best(np.where(nothing, worst, wide), axis=axis, keepdims=True)
    # An infinity among NaNs is found by a second look: NaN must never win.
    only = np.where(nothing, 0, 1)
    where = np.where(
        np.take_along_axis(nothing, where, axis), np.argmax(only, axis=axis, keepdims=True), where
    )
    return [np.take_along_axis(wide, where, axis), where + (first + 1.0)]


def merge(reduction: Reduce, mine: Sequence[Array], other: Sequence[Array]) -> None:
    """Take a part that lies further along into the accumulators."""
    if reduction.op in {"argmin", "argmax"}:
        less = other[0] < mine[0] if reduction.op == "argmin" else other[0] > mine[0]
        better = less | (np.isnan(mine[0]) & ~np.isnan(other[0]))
        mine[1][...] = np.where(better, other[1], mine[1])
        mine[0][...] = np.where(better, other[0], mine[0])
        return
    mine[0][...] = _COMBINE[reduction.op](mine[0], other[0])


def finished(reduction: Reduce, total: Sequence[Array]) -> Array:
    """Results in the reduction's type."""
    result = total[-1]
    if result.dtype != reduction.dtype.numpy:
        return hf.cast(result, reduction.dtype)
    return result


def _finish(host: HostProvider, pipeline: HostPipeline, frame: Frame, box: Shape,
            outputs: list[Array]) -> None:  # fmt: skip
    """Run the epilogue over the results."""
    scratch = host.scratch
    for block in bl.blocks(box):
        bl.run_block(pipeline.epilogue, frame, pipeline.result_stores, outputs, block, scratch)


def _whole(host: HostProvider, pipeline: HostPipeline, frame: Frame, value: int) -> Array:
    """A body value over the whole box."""
    kernel = pipeline.kernel
    dtype = kernel.body[value].dtype
    whole = np.empty(frame.extents, dtype.numpy, order="F")
    for block in bl.blocks(frame.extents):
        values = pipeline.body.run(frame, block, host.scratch)
        place = tuple(slice(s, s + n) for s, n in zip(block.start, block.shape, strict=True))
        whole[place] = values[value]
    return whole


def _scan(host: HostProvider, pipeline: HostPipeline, frame: Frame, outputs: list[Array]) -> None:
    kernel = pipeline.kernel
    axis = kernel.reduced.index(True)
    reverse = dict(kernel.attrs).get("reverse", 0)
    results = []
    for reduction in kernel.reductions:
        whole = _whole(host, pipeline, frame, reduction.value)
        way = np.flip(whole, axis) if reverse else whole
        done = _COMBINE[reduction.op].accumulate(way, axis=axis, dtype=accumulator(reduction))
        done = finished(reduction, [done])
        results.append(np.flip(done, axis) if reverse else done)
    frame.results = results
    _finish(host, pipeline, frame, frame.extents, outputs)


def _matmul(host: HostProvider, pipeline: HostPipeline, frame: Frame, outputs: list[Array]) -> None:
    m, n, _ = frame.extents
    options = dict(pipeline.kernel.attrs)
    a, b = host_products.operands(host, pipeline.kernel, frame)
    left = a.T if options["transpose_a"] else a
    right = b.T if options["transpose_b"] else b
    frame.extents = (m, n)
    epilogue = pipeline.epilogue
    only = pipeline.result_stores[0] if len(pipeline.result_stores) == 1 else None
    if only and len(pipeline.kernel.epilogue) == 1 and (
        pipeline.kernel.maps[only.map].access is Access.FLAT
    ):
        # C = A*B in column-major order is C' = B'*A' in NumPy's own order.
        np.matmul(right.T, left.T, out=outputs[0].reshape(n, m))
        return
    frame.results = [np.matmul(right.T, left.T).T]
    epilogue.prepare(frame)
    _finish(host, pipeline, frame, frame.extents, outputs)


def _algorithm(
    host: HostProvider, pipeline: HostPipeline, frame: Frame, outputs: list[Array]
) -> None:
    """A whole-array algorithm."""
    del host
    kernel = pipeline.kernel
    ops = [result.op for result in kernel.reductions]
    found = algorithms.of(kernel).host(ops, frame.inputs, frame.extents, dict(kernel.attrs))
    for place, values in zip(outputs, found, strict=True):
        place[...] = values


_RUNNERS: dict[Template, Callable[[HostProvider, HostPipeline, Frame, list[Array]], None]] = {
    Template.MAP: _map, Template.REDUCE: _reduce, Template.SCAN: _scan, Template.MATMUL: _matmul,
    Template.LOOP: host_loops.run, Template.ALGORITHM: _algorithm,
}  # fmt: skip
