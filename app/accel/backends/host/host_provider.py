"""The host as a provider: the same kernels, in NumPy, block by block over a thread pool.

No temporary is larger than a block. Reductions follow a tree that depends on the box alone, never
on the number of threads, so results repeat exactly.
"""

from __future__ import annotations

import math
import os
import time
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from threading import local
from typing import TYPE_CHECKING, TypeVar, cast

import numpy as np

from app.accel.backends.base import DeviceInfo, ProviderStatistics
from app.accel.backends.host import host_blocks as bl
from app.accel.backends.host import (
    host_cost,
    host_loops,
    host_products,
    host_reductions,
    host_scans,
)
from app.accel.backends.host.host_blocks import Array, Block, Frame, Program, Scratch
from app.accel.backends.host.host_memory import HostMemory
from app.accel.backends.host.machine_code import Compiler, MachineCode, prospect, range_of, ranges
from app.accel.codegen import algorithms
from app.accel.ir.ops import OPS
from app.accel.ir.plan import Access, Dispatch, KernelRequest, Template
from app.accel.support import abandonable
from app.errors import Unsupported
from app.records import mutable_record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from app.accel.backends.base import Tell
    from app.accel.ir.dtypes import DType
    from app.accel.ir.node import Shape

T = TypeVar("T")
MOST_PIPELINES = 1024
"""Kernels remembered between plans, with what is known about their machine code."""
LOOK_SECONDS = 0.03
"""How often whoever waits for the threads looks whether the work was cancelled."""
DEAR = 30
"""Cost of an element from which smaller blocks are used."""


@mutable_record
class HostBuffer:
    """A flat array."""

    dtype: DType
    count: int
    array: Array

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return int(self.array.nbytes)


@mutable_record
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
    """A kernel prepared for block execution.

    Attributes:
        block: elements that NumPy computes at a time.
        stretch: elements that a reduction takes at a time, whoever computes them.
        prospect: the kernel as machine code, once that is worth it.
        code: what ran last: machine code, or None for NumPy.
    """

    workgroup = ()
    compile_ms = 0.0

    def __init__(self, kernel: KernelRequest) -> None:
        self.request = kernel
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
        dear = sum(OPS[i.op].costs.units for i in kernel.body if i.op in OPS) >= DEAR
        self.block = bl.DEAR_BLOCK if dear or kernel.loop is not None else bl.BLOCK
        self.prospect = prospect(kernel)
        self.stretch = bl.STRETCH if host_cost.has_machine_code(kernel) else self.block
        self.code: MachineCode | None = None
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
        return self.request.key

    @property
    def source(self) -> str:
        """The instructions as text."""
        return "\n".join(map(str, (*self.request.body, *self.request.epilogue)))


class HostProvider:
    """Runs kernels on the CPU.

    Attributes:
        poll: called while threads work; raises Interrupted to cancel.
        stop: a flag that running kernels look at.
        compiler: makes machine code.
        memory: of the arrays.
        number: how many there were when this one was made, in the names of its threads.
    """

    made = 0

    def __init__(self, threads: int = 0) -> None:
        HostProvider.made += 1
        self.number = HostProvider.made
        self.threads = threads or os.cpu_count() or 1
        self.info = DeviceInfo(
            "host", "", "none", "cpu", "", True, True, 2**62, 2**62, (), "host", 1 << 30
        )
        self.poll: Callable[[], None] = lambda: None
        self.stop = np.zeros(1, np.int32)
        self.compiler = Compiler()
        self.memory = HostMemory()
        self._pipelines: dict[str, HostPipeline] = {}
        self._pool: ThreadPoolExecutor | None = None
        self._local = local()

    @property
    def submitted(self) -> int:
        """Nothing leaves the host."""
        return 0

    def expect(self, script: str) -> None:
        """Machine code is looked for by its text."""

    def supports(self, dtype: DType) -> bool:
        """Every type."""
        del dtype
        return True

    def allocate(self, dtype: DType, count: int) -> HostBuffer:
        """A fresh array."""
        return HostBuffer(dtype, count, self.memory.array(dtype.numpy, count))

    def free(self, buffer: HostBuffer) -> None:
        """The array goes with its last reference."""

    def upload(self, buffer: HostBuffer, data: Array, start: int = 0) -> None:
        """Copy into the array."""
        buffer.array[start : start + data.size] = data

    def download(
        self,
        buffer: HostBuffer,
        start: int = 0,
        count: int | None = None,
        out: Array | None = None,
    ) -> Array:
        """The elements; no copy unless `out` is given."""
        stop = buffer.count if count is None else start + count
        part = buffer.array[start:stop]
        if out is None:
            return part
        out[...] = part
        return out

    def ready(self, kernel: KernelRequest, like: Dispatch) -> bool:
        """NumPy always is."""
        del kernel, like
        return True

    def anticipate(self, kernel: KernelRequest, like: Dispatch) -> None:
        """Machine code is made once it is worth it."""

    def prepare(self, kernel: KernelRequest, like: Dispatch | None = None) -> HostPipeline:
        """Prepare block execution."""
        del like
        if kernel.template not in _RUNNERS:
            raise Unsupported(f"the host has no kernels of kind {kernel.template.value}")
        known = self._pipelines.pop(kernel.key, None) or HostPipeline(kernel)
        self._pipelines[kernel.key] = known
        if len(self._pipelines) > MOST_PIPELINES:
            self._pipelines.pop(next(iter(self._pipelines)))
        return known

    def submit(
        self,
        dispatches: Sequence[Dispatch],
        wanted: Sequence[HostBuffer] = (),
        *,
        awaited: bool = True,
    ) -> HostSubmission:
        """Run everything now."""
        del wanted, awaited
        with np.errstate(all="ignore"):
            left = [self._run(dispatch) for dispatch in dispatches]
        return HostSubmission(len(dispatches), 0, tuple(left))

    @property
    def player(self) -> None:
        """Dispatches are handed in one by one."""
        return

    def status(self, submission: HostSubmission) -> tuple[bool, ...]:
        """Guards that were left."""
        return submission.left

    @property
    def idle(self) -> bool:
        """Whatever was handed in is done."""
        return True

    def tell_waits(self, tell: Tell) -> None:
        """Whoever waits for the threads polls (`poll`)."""

    def synchronize(self) -> None:
        """Nothing is ever pending."""

    def timestamps(self, submission: HostSubmission) -> tuple[float | None, ...]:
        """No device, no device time."""
        return (None,) * submission.dispatches

    def export(self, buffer: HostBuffer) -> object:
        """The array itself."""
        return buffer.array

    def statistics(self) -> ProviderStatistics:
        """Arrays are owned by their records; what is held waits for the next ones."""
        return ProviderStatistics(pooled_bytes=self.memory.held)

    def trim(self) -> None:
        """Give back to the system what no array needs."""
        self.memory.release()

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None
        self.compiler.close()
        self.memory.close()

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
        frame = Frame(pipeline.request, dispatch.extents, inputs, dispatch.maps, dispatch.params)
        pipeline.body.prepare(frame)
        if pipeline.steps is not None:
            pipeline.steps.prepare(frame)
        pipeline.epilogue.prepare(frame)
        prospect = pipeline.prospect
        # What this thread does alone is told apart from what else the machine does.
        alone = prospect is not None and prospect.is_short(frame)
        clock = time.thread_time if alone else time.perf_counter
        started = clock()
        _RUNNERS[pipeline.request.template](self, pipeline, frame, outputs)
        if prospect is not None and pipeline.code is None:
            prospect.learn((clock() - started) * 1e3)
        return frame.status

    def producer(
        self, pipeline: HostPipeline, frame: Frame, outputs: list[Array]
    ) -> Callable[[Block, Scratch], dict[int, Array]]:
        """What computes and stores a block, by machine code or by NumPy, and hands values over."""
        code = self.code(pipeline, frame)
        if code is None:
            return lambda block, scratch: bl.run_block(
                pipeline.body, frame, pipeline.element_stores, outputs, block, scratch
            )
        numbers = code.section.dense
        dtypes = [pipeline.request.body[n].dtype for n in numbers]
        words = code.words(frame, outputs, self.stop)

        def produce(block: Block, scratch: Scratch) -> dict[int, Array]:
            dense = [scratch.dense(k, math.prod(block.shape), d) for k, d in enumerate(dtypes)]
            place = range_of(code, frame.extents, block)
            if code.run(code.aimed(words, dense), place):
                frame.status = True
            whole = (a.reshape(block.shape, order="F") for a in dense)
            return dict(zip(numbers, whole, strict=True))

        return produce

    def code(self, pipeline: HostPipeline, frame: Frame) -> MachineCode | None:
        """Machine code for a dispatch, where there is some; the pipeline notes who ran."""
        prospect = pipeline.prospect
        code = prospect.code(frame, self.compiler, self.threads) if prospect else None
        pipeline.code = code
        return code

    def native(self, pipeline: HostPipeline, frame: Frame, outputs: list[Array]) -> bool:
        """Run a whole kernel as machine code; False where there is none."""
        code = self.code(pipeline, frame)
        if code is None:
            return False
        words = code.words(frame, outputs, self.stop)
        alone = pipeline.prospect is not None and pipeline.prospect.is_short(frame)
        places = ranges(code, frame.extents, 0 if alone else self.threads)

        def task(k: int) -> None:
            if not self.stop[0] and code.run(words, places[k]):
                frame.status = True

        self.spread(len(places), task, alone)
        return True

    def product(self, a: Array, b: Array, out: Array | None = None) -> Array:
        """The matrix product, in ``out`` where that is given."""
        operations = 2.0 * a.size * b.shape[1]
        direct = out is not None and operations < abandonable.LONG
        found = self.library(operations, lambda: np.matmul(a, b, out=out if direct else None))
        if out is not None and not direct:
            out[...] = found
        return found

    def library(self, operations: float, call: Callable[[], T]) -> T:
        """The result of so many operations of a library; a stop ends it."""
        return abandonable.on_free_cores(
            operations, call, lambda work: abandonable.beside(work, self.poll)
        )

    def finish(
        self, pipeline: HostPipeline, frame: Frame, box: Shape, outputs: list[Array]
    ) -> None:
        """Run the epilogue over the results."""
        for block in bl.blocks(box):
            bl.run_block(
                pipeline.epilogue, frame, pipeline.result_stores, outputs, block, self.scratch
            )

    def going(self, walk: Iterable[T]) -> Iterator[T]:
        """Blocks or passes, until the work is cancelled."""
        for item in walk:
            if self.stop[0]:
                return
            yield item

    def spread(self, count: int, task: Callable[[int], None], inline: bool = False) -> None:
        """Run ``task(0) … task(count - 1)``, in parallel unless that is not worth it.

        Raises Interrupted soon after the work has been cancelled.
        """
        if inline or count <= 1:
            for k in range(count):
                task(k)
            return
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.threads, f"fuselab-host-{self.number}")
        waiting = [self._pool.submit(_run_quietly, task, k) for k in range(count)]
        try:
            while wait(waiting, LOOK_SECONDS, FIRST_EXCEPTION).not_done:
                self.poll()
        except BaseException:
            self.stop[0] = 1
            wait(waiting)
            raise
        finally:
            self.stop[0] = 0
        for done in waiting:
            done.result()


def _run_quietly(task: Callable[[int], None], k: int) -> None:
    with np.errstate(all="ignore"):
        task(k)


def _map(host: HostProvider, pipeline: HostPipeline, frame: Frame, outputs: list[Array]) -> None:
    if host.native(pipeline, frame, outputs):
        return
    size = math.prod(frame.extents)
    parts = bl.segments(frame.extents[-1], min(4 * host.threads, -(-size // pipeline.block)))

    def task(k: int) -> None:
        scratch = host.scratch
        for block in host.going(bl.blocks(frame.extents, pipeline.block, parts[k])):
            bl.run_block(pipeline.body, frame, pipeline.element_stores, outputs, block, scratch)

    host.spread(len(parts), task)


def _loop(host: HostProvider, pipeline: HostPipeline, frame: Frame, outputs: list[Array]) -> None:
    loop = pipeline.request.loop
    if (loop is not None and loop.totals) or not host.native(pipeline, frame, outputs):
        host_loops.run(host, pipeline, frame, outputs)


def _matmul(host: HostProvider, pipeline: HostPipeline, frame: Frame, outputs: list[Array]) -> None:
    m, n, _ = frame.extents
    options = dict(pipeline.request.attrs)
    a, b = host_products.operands(host, pipeline.request, frame)
    left = a.T if options["transpose_a"] else a
    right = b.T if options["transpose_b"] else b
    frame.extents = (m, n)
    epilogue = pipeline.epilogue
    only = pipeline.result_stores[0] if len(pipeline.result_stores) == 1 else None
    if (
        only
        and len(pipeline.request.epilogue) == 1
        and (pipeline.request.maps[only.map].access is Access.FLAT)
    ):
        # C = A*B in column-major order is C' = B'*A' in NumPy's own order.
        host.product(right.T, left.T, outputs[0].reshape(n, m))
        return
    frame.results = [host.product(right.T, left.T).T]
    epilogue.prepare(frame)
    host.finish(pipeline, frame, frame.extents, outputs)


def _algorithm(
    host: HostProvider, pipeline: HostPipeline, frame: Frame, outputs: list[Array]
) -> None:
    """A whole-array algorithm."""
    kernel = pipeline.request
    ops = [result.op for result in kernel.reductions]
    form, inputs, attrs = algorithms.of(kernel).host, list(frame.inputs), dict(kernel.attrs)
    operations = float(max((a.size for a in inputs), default=0)) ** 1.5
    found = host.library(operations, lambda: form(ops, inputs, frame.extents, attrs))
    for place, values in zip(outputs, found, strict=True):
        place[...] = values


_RUNNERS: dict[Template, Callable[[HostProvider, HostPipeline, Frame, list[Array]], None]] = {
    Template.MAP: _map,
    Template.REDUCE: host_reductions.run,
    Template.SCAN: host_scans.run,
    Template.MATMUL: _matmul,
    Template.LOOP: _loop,
    Template.ALGORITHM: _algorithm,
}
