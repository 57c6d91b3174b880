"""Machine code for host kernels: when it is made, and how it is called.

A group starts on NumPy at once. Once its work has cost more than a compilation gains, the code is
taken from the disk, or written in the background while NumPy goes on; where one run alone is worth
a compilation, the run waits for it. Whatever has no machine code stays with NumPy, and says why.
"""

from __future__ import annotations

import ctypes
import math
import time
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from app import native
from app.accel.backends.host import host_cost
from app.accel.codegen.llvm.body import Variant, Words
from app.accel.codegen.llvm.kernel import ENTRY, LEFT, Section, text
from app.accel.ir.ops import OPS
from app.accel.ir.plan import Access, Template
from app.errors import Unsupported
from app.records import mutable_record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.accel.backends.host.host_blocks import Array, Block, Frame
    from app.accel.ir.dtypes import DType
    from app.accel.ir.node import Shape
    from app.accel.ir.plan import KernelRequest

HOT_MS = 15.0
"""Work of NumPy after which machine code is looked for."""
WAIT_MS = 150.0
"""Work of one run that is worth waiting for a compilation."""
SHORT_MS = 1.0
"""Work of NumPy that machine code does sooner than another thread wakes up."""
LATEST = 64
LONG_ROW = 64
"""Shorter first axes are walked along the linear index."""
PIECE = 1 << 18
"""Points of one call, so that cancelling is noticed soon."""
Range = tuple[int, int, int, int]
"""First and last place on the row (or linear), first and last row."""


@dataclass(slots=True, eq=False, weakref_slot=True)
class MachineCode:
    """One compiled variant of a section.

    Attributes:
        compile_ms: time of compilation, 0 where the code came from the disk.
        source: the text of the kernel itself.
    """

    request: KernelRequest
    section: Section
    variant: Variant
    function: Callable[..., int]
    compile_ms: float
    source: str

    @property
    def key(self) -> str:
        """A stable name for reports."""
        return f"{self.request.key}-host-{'rows' if self.variant.rows else 'flat'}"

    def words(
        self, frame: Frame, outputs: Sequence[Array], stop: Array, dense: Sequence[Array] = ()
    ) -> Array:
        """The arguments of all calls of a dispatch."""
        arrays = [*frame.inputs, *outputs, *dense]
        words = [native.address_of(a) for a in arrays]
        words += [0] * (Words(self.request, self.section.denses).map(0) - len(words))
        for place in frame.maps:
            strides = place.strides or (0,) * self.request.rank
            words += (place.offset, *strides)
        words += frame.extents
        words += [_bits(p, d) for p, d in zip(frame.params, self.request.params, strict=True)]
        words.append(native.address_of(stop))
        return np.array(words, np.int64)

    def aimed(self, words: Array, dense: Sequence[Array]) -> Array:
        """The arguments with other dense arrays."""
        words = words.copy()
        first = Words(self.request, self.section.denses).denses
        for k, array in enumerate(dense):
            words[first + k] = native.address_of(array)
        return words

    def run(self, words: Array, place: Range) -> bool:
        """Work on a range; whether a guard was left."""
        return bool(self.function(native.address_of(words), *place) & LEFT)


def _bits(value: Any, dtype: DType) -> int:
    """A parameter as a word."""
    raw = np.array(value, dtype.numpy).tobytes()
    return int.from_bytes(raw.ljust(8, b"\0"), "little", signed=True)


@cache
def fused() -> bool:
    """Whether the processor multiplies and adds in one instruction."""
    return "+fma" in native.features() or "neon" in native.features()


def variant_of(kernel: KernelRequest, lanes: int, frame: Frame) -> Variant:
    """How a dispatch is walked."""
    extents, strides = frame.extents, [m.strides for m in frame.maps]
    random = _draws(kernel)
    totals = kernel.loop is not None and bool(kernel.loop.totals)
    rows = len(extents) > 1 and extents[0] >= LONG_ROW and not random and not totals
    first = rows or len(extents) == 1
    unit = tuple(
        first and m.access is Access.STRIDED and bool(s) and s[0] == 1
        for m, s in zip(kernel.maps, strides, strict=True)
    )
    # Ranges of maps and loops begin at multiples of 64, those of reductions and totals anywhere.
    whole = kernel.template in {Template.MAP, Template.LOOP} and not totals
    aligned = random and whole and all(m.offset % 4 == 0 for m in frame.maps)
    return Variant(rows, unit, lanes, fused(), aligned)


def _draws(kernel: KernelRequest) -> bool:
    steps = kernel.loop.steps if kernel.loop else ()
    return any(i.op.startswith("random") for i in (*kernel.body, *steps))


def lanes_of(section: Section) -> int:
    """Points worked on together: enough to keep the processor busy, few enough to compile soon.

    The passes of a loop wait for one another, so loops take more points side by side.
    """
    steps = section.loop.steps if section.loop else ()
    uniform: set[int] = set()
    wide, cost = False, 0
    for number, instr in enumerate((*section.instructions, *steps), section.first):
        if instr.op == "param" or (instr.args and all(a in uniform for a in instr.args)):
            uniform.add(number)
            continue
        if section.loop is not None and number < section.first + len(section.instructions):
            continue  # done once, not in every pass
        wide = wide or (instr.dtype.size == 8 and instr.op != "advance")
        cost += OPS[instr.op].costs.units if instr.op in OPS else 0
    lanes = 16 if wide else 32
    if section.loop is None:
        return lanes
    return lanes * (2 if cost > CHEAP else 4)


CHEAP = 30
"""Cost of an element up to which most time goes by waiting for the pass before."""


def ranges(code: MachineCode, extents: Shape, threads: int, piece: int = PIECE) -> list[Range]:
    """Ranges that cover the box: a few for every thread, none too long; one without threads."""
    total = math.prod(extents)
    share = -(-total // max(1, 4 * threads)) if threads else total
    piece = max(1024, min(piece, -(-share // 64) * 64))
    if not code.variant.rows:
        return [(k, min(k + piece, total), 0, 1) for k in range(0, total, piece)]
    length, rows = extents[0], total // extents[0]
    if length > piece:
        return [
            (k, min(k + piece, length), r, r + 1)
            for r in range(rows)
            for k in range(0, length, piece)
        ]
    many = max(1, piece // length)
    return [(0, length, r, min(r + many, rows)) for r in range(0, rows, many)]


def range_of(code: MachineCode, extents: Shape, block: Block) -> Range:
    """A block as a range; blocks are neighbours in the linear order."""
    linear, step = 0, 1
    for start, extent in zip(block.start, extents, strict=True):
        linear += start * step
        step *= extent
    count = math.prod(block.shape)
    if not code.variant.rows:
        return linear, linear + count, 0, 1
    length = extents[0]
    if block.shape[0] < length:
        row = linear // length
        return block.start[0], block.start[0] + block.shape[0], row, row + 1
    return 0, length, linear // length, (linear + count) // length


@mutable_record
class Prospect:
    """Machine code of one section of a kernel, from the first run on NumPy to the last.

    Attributes:
        spent: milliseconds of NumPy so far.
        expected: what the run under way is expected to take.
        factor: what the expectations have turned out to be worth.
        ready: compiled variants.
        refused: why there is no machine code.
        fresh: code that has been compiled and not been reported yet.
        short: sizes and trips seen, and whether such a dispatch is short.
    """

    request: KernelRequest
    section: Section
    lanes: int
    spent: float = 0.0
    expected: float = 0.0
    factor: float = 1.0
    ready: dict[Variant, MachineCode] = field(default_factory=dict)
    pending: dict[Variant, Future[MachineCode]] = field(default_factory=dict)
    refused: str = ""
    short: dict[tuple[int, int], bool] = field(default_factory=dict)

    def expected_ms(self, frame: Frame, threads: int) -> float:
        """What NumPy would take for a dispatch."""
        points, section = math.prod(frame.extents), self.section
        total = host_cost.elements((*section.instructions, *section.closing), points)
        if section.loop is None:
            return total / 1e6 / min(threads, 4)
        loop, trips = section.loop, int(frame.params[section.loop.trips])
        total += host_cost.elements(loop.steps, points, trips)
        calls = (len(loop.steps) + len(loop.following)) * trips * max(1, min(16, points // 1024))
        return (total / min(threads, 4) + calls * host_cost.CALL) / 1e6

    def is_short(self, frame: Frame) -> bool:
        """Whether handing a dispatch to threads takes longer than the dispatch."""
        loop = self.section.loop
        size = math.prod(frame.extents), 0 if loop is None else int(frame.params[loop.trips])
        short = self.short.get(size)
        if short is None:
            short = self.short[size] = self.expected_ms(frame, 1) < SHORT_MS
        return short

    def code(self, frame: Frame, compiler: Compiler, threads: int) -> MachineCode | None:
        """The code for a dispatch, if it is there and worth it."""
        if self.refused or (not self.ready and not self._is_hot(frame, compiler, threads)):
            return None
        variant = variant_of(self.request, self.lanes, frame)  # asks the compiler: it is loaded
        code = self.ready.get(variant)
        if code is None and self._is_hot(frame, compiler, threads):
            code = self._machine_code_if_ready(variant, compiler, self.expected)
        return code if code is not None and _is_contiguous(frame) else None

    def _is_hot(self, frame: Frame, compiler: Compiler, threads: int) -> bool:
        """Whether code is looked for, now that another dispatch is expected to take so long."""
        self.expected = self.factor * self.expected_ms(frame, threads)
        return self.spent + self.expected >= compiler.hot_ms

    def learn(self, measured: float) -> None:
        """Take in how long NumPy took, which the machine's load may stretch."""
        self.spent += measured
        if self.expected > 0:
            ratio = measured / self.expected
            self.factor *= min(4.0, max(0.25, ratio)) ** 0.5

    def _machine_code_if_ready(
        self, variant: Variant, compiler: Compiler, expected: float
    ) -> MachineCode | None:
        try:
            coming = self.pending.get(variant)
            if coming is None:
                coming = compiler.begin(self.request, self.section, variant)
                self.pending[variant] = coming
            if not coming.done() and expected < compiler.wait_ms:
                return None
            del self.pending[variant]
            code = self.ready[variant] = coming.result()
            compiler.made.append(code)
        except Unsupported as problem:
            self.refused = str(problem)
            return None
        return code


def _is_contiguous(frame: Frame) -> bool:
    """Whether all inputs lie in memory element after element."""
    return all(
        a.flags.c_contiguous and a.dtype == d.numpy
        for a, d in zip(frame.inputs, frame.kernel.inputs, strict=True)
    )


class Compiler:
    """Makes machine code, in a thread of its own.

    Attributes:
        hot_ms: work after which code is looked for.
        wait_ms: work of one run that waits for a compilation.
        made: code taken into use, the latest.
    """

    def __init__(self) -> None:
        self.made: deque[MachineCode] = deque(maxlen=LATEST)
        self.hot_ms, self.wait_ms = HOT_MS, WAIT_MS
        self._pool: ThreadPoolExecutor | None = None
        self._lock = Lock()

    def begin(
        self, request: KernelRequest, section: Section, variant: Variant
    ) -> Future[MachineCode]:
        """Compile in the background; at once where the code is on the disk."""
        source = text(request, section, variant) if native.is_awake() else ""
        if source and native.is_kept(source):
            done: Future[MachineCode] = Future()
            done.set_result(_compiled_code(source, request, section, variant))
            return done
        with self._lock:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(1, "fuselab-compile")
            return self._pool.submit(_compiled_code, source, request, section, variant)

    def close(self) -> None:
        """End the thread after what it is making."""
        with self._lock:
            if self._pool is not None:
                self._pool.shutdown(wait=False, cancel_futures=True)
                self._pool = None


def _compiled_code(
    source: str, request: KernelRequest, section: Section, variant: Variant
) -> MachineCode:
    source = source or text(request, section, variant)
    kept, started = native.is_kept(source), time.perf_counter()
    library = native.compile_assembly(source, ENTRY)
    spent = 0.0 if kept else (time.perf_counter() - started) * 1e3
    function = library.function(ENTRY, ctypes.c_int32, ctypes.c_void_p, *[ctypes.c_int64] * 4)
    shown = source[source.index(f"define i32 @{ENTRY}") :]
    return MachineCode(request, section, variant, function, spent, shown)


def prospect(kernel: KernelRequest) -> Prospect | None:
    """The section of a kernel that does the work for every point."""
    body, split = kernel.body, len(kernel.body)
    stores = tuple(s for s in kernel.stores if s.value < split)
    match kernel.template:
        case Template.MAP:
            section = Section(body, 0, stores)
        case Template.REDUCE | Template.SCAN:
            dense = tuple(dict.fromkeys(r.value for r in kernel.reductions))
            section = Section(body, 0, stores, dense)
        case Template.LOOP:
            section = Section(body, 0, kernel.stores, loop=kernel.loop, closing=kernel.epilogue)
        case _:
            return None
    return Prospect(kernel, section, lanes_of(section))
