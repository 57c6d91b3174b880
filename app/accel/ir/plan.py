"""What the planner hands over: kernel requests, groups, decisions, plans.

`KernelRequest` is the small typed expression language between planner and kernel generators. It
has no sizes and no values in it: extents, strides, offsets and scalars are given per `Dispatch`,
so one kernel serves every array size and every pass of a loop.

The iteration space
    A kernel visits every point of a box of `rank` axes, axis 0 fastest (column-major). Contiguous
    axes have been merged, so rank is small: 1 for plain elementwise work.

Values
    `body` is a list of `Instr`. The value of ``body[i]`` has number ``i``; `args` are numbers of
    earlier values. `epilogue` continues the numbering: its first value is ``len(body)``.
    For a map kernel the epilogue is empty and the stores take body values. For reductions,
    scans and products the body runs per element, the epilogue per result.

Products
    The operands are inputs 0 and 1, and the body is empty; or, with the attributes ``split``,
    ``value_a`` and ``value_b``, the body computes them: its first `split` instructions give an
    element of the first operand, the others one of the second. Their maps go over the operand's
    own box, rows before columns, as it is before it is transposed.

Special instructions (everything else is the name of an elementwise op in `ops.OPS`)
    ``load``      attrs ``(binding, map)``: element of input `binding` at the place `map` gives.
    ``load_at``   attrs ``(binding,)``, args ``(index,)``: element of input at a computed
                  0-based index (U32, already in range).
    ``param``     attrs ``(slot,)``: a scalar of ``params[slot]``, given per dispatch.
    ``position``  attrs ``(map,)``, dtype U32: the linear index `map` gives, no memory touched.
    ``axis``      attrs ``(k,)``, dtype U32: coordinate of this point on axis k.
    ``cast``      to the instruction's dtype with MATLAB's rounding and saturation.
    ``random_uniform`` / ``random_normal``  args ``(key, offset, position)``: key and offset are
                  U64 params, position U32; see `philox`.
    ``result``    (epilogue) attrs ``(k,)``: result of ``reductions[k]``; of the product for
                  ``matmul``; of the running value for ``scan``.
    ``carry``     (loop body) attrs ``(k,)``: the carried value before this pass.
    ``counter``   (loop body) dtype U32: passes done so far.
    ``advance``   (loop body) args ``(offset, counter)``, attrs ``(slot,)``, dtype U64: the offset
                  plus counter times ``params[slot]`` (U64).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from app.digests import blake2b
from app.records import record

if TYPE_CHECKING:
    from app.accel.ir.dtypes import DType


class Reason(Enum):
    """Why something was placed, stopped or moved; the closed list of the report."""

    FUSED = "fused"
    RESIDENT = "resident"
    TOO_SMALL = "too-small"
    COST_MODEL_HOST = "cost-model-host"
    COST_MODEL_DEVICE = "cost-model-device"
    PRECISION = "precision"
    UNSUPPORTED_OP = "unsupported-op"
    NEEDS_HOST_VALUE = "needs-host-value"
    INDEXED_ASSIGNMENT = "indexed-assignment"
    SHAPE_MISMATCH = "shape-mismatch"
    BUFFER_LIMIT = "buffer-limit"
    DOMAIN_GUARD = "domain-guard"
    BREAKPOINT = "breakpoint"
    FORCED = "forced"
    NO_DEVICE = "no-device"
    OUT_OF_MEMORY = "out-of-memory"
    DEVICE_LOST = "device-lost"
    GRAPH_LIMIT = "graph-limit"

    __hash__ = object.__hash__


class Template(Enum):
    """The skeleton a kernel is generated from."""

    MAP = "map"
    REDUCE = "reduce"
    SCAN = "scan"
    MATMUL = "matmul"
    LOOP = "loop"
    ALGORITHM = "algorithm"

    __hash__ = object.__hash__


class Access(Enum):
    """What is known about an index map when the kernel is generated.

    FLAT: the linear iteration index itself. SCALAR: always element ``offset``.
    STRIDED: ``offset + sum(stride[k] * coordinate[k])`` with run-time strides.
    """

    FLAT = "flat"
    SCALAR = "scalar"
    STRIDED = "strided"


@record
class MapSpec:
    """The compile-time half of an index map.

    Attributes:
        access: how the place is found.
        broadcast: for STRIDED, per axis: True where the stride is known to be 0.
    """

    access: Access
    broadcast: tuple[bool, ...] = ()


@record
class MapValues:
    """The run-time half of an index map: element offset and one stride per axis.

    FLAT maps have an offset (usually 0) and no strides used; strides may be negative.
    """

    offset: int
    strides: tuple[int, ...]


@record
class Instr:
    """One typed instruction.

    Attributes:
        op: elementwise op or a special instruction of this module's docstring.
        dtype: type of the result.
        args: numbers of earlier values.
        attrs: op-specific constants.
        guard: True when leaving the op's real domain must set the status word.
    """

    op: str
    dtype: DType
    args: tuple[int, ...] = ()
    attrs: tuple[int, ...] = ()
    guard: bool = False


@record
class Store:
    """Write a value to output `binding` at the place `map` gives.

    In reductions: a store of a body value visits the whole box; a store of an epilogue value
    visits the kept axes only (its map's strides are 0 on reduced axes, and FLAT means the linear
    index over the kept axes).
    """

    binding: int
    value: int
    dtype: DType
    map: int


@record
class Reduce:
    """One reduction over the reduced axes of the box.

    Attributes:
        op: sum prod min max any all nnz argmin argmax. min and max skip NaN (NaN only when all
            are NaN); argmin/argmax give the 1-based position of the first such element along
            the (single, merged) reduced axis, 1 when all are NaN; nnz counts;
            moment is the sum of squares around the mean.
        value: number of the body value that is reduced.
        dtype: type of accumulator and result.
        running: scans only: cumsum cumprod cummin cummax use `op` sum prod min max.
    """

    op: str
    value: int
    dtype: DType


@record
class Total:
    """What every pass of a loop takes over all points: one number per tile of the points.

    The output has a row per tile and a column per pass; how points are shared out among the rows
    is up to the provider, rows without points hold the number that changes nothing.
    """

    reduce: Reduce
    binding: int


@record
class LoopSpec:
    """A loop inside the kernel (template LOOP).

    `body` runs once before the loop and gives the initial values. `steps` run in every pass;
    their numbering continues after `body`, and they may refer to body values. The kernel's
    `epilogue` runs once after the loop (numbering continues after `steps`); there ``carry`` gives
    the final values, and the kernel's `stores` write epilogue values.

    Attributes:
        trips: param slot (U32) with the number of passes.
        steps: the instructions of one pass.
        initial: per carried value, the body value it starts with.
        following: per carried value, the value (of body or steps) it takes after a pass. All
            carried values change together, at the end of a pass.
        stores: stores made in every pass, of steps values (or body values).
        loop_strides: per map, param slot (I64) with the elements its offset advances by in every
            pass, or -1 where it stands still.
        totals: values taken over all points in every pass.
    """

    trips: int
    steps: tuple[Instr, ...]
    initial: tuple[int, ...]
    following: tuple[int, ...]
    stores: tuple[Store, ...] = ()
    loop_strides: tuple[int, ...] = ()
    totals: tuple[Total, ...] = ()


STREAMS = frozenset({"random_uniform", "random_normal", "advance"})
"""Instructions whose first two operands are 64-bit positions, held as two words where need be."""


@dataclass(frozen=True)
class KernelRequest:
    """Everything a generator needs to write one kernel; equal requests share a pipeline.

    Attributes:
        template: the skeleton.
        label: readable name for panels, such as ``elementwise sin·times·plus``.
        rank: number of axes of the box.
        reduced: per axis, whether it is reduced (REDUCE) or scanned along (SCAN).
        inputs: element type per input binding.
        outputs: element type per output binding (bindings count separately from the inputs').
        params: type of every scalar parameter.
        maps: compile-time halves of the index maps.
        body: per-element instructions.
        reductions: what is reduced, scanned.
        epilogue: instructions per result.
        stores: what is written.
        guarded: whether any instruction has a guard: the kernel then has a status word.
        loop: the loop of template LOOP.
        attrs: template options as (name, value) pairs: matmul ``transpose_a``, ``transpose_b``;
            scan ``exclusive``, ``reverse``.
        notes: one comment per instruction (source line), not in the key.

    ALGORITHM: see `algorithms`; the body only says which types are read.

    MATMUL: the box is (m, n), extents are ``(m, n, k)``, inputs 0 and 1 are A and B (m×k and k×n
    after the optional transposes, contiguous column-major), body is empty and ``result`` 0 in
    the epilogue is the product.
    """

    template: Template
    label: str
    rank: int
    reduced: tuple[bool, ...]
    inputs: tuple[DType, ...]
    outputs: tuple[DType, ...]
    params: tuple[DType, ...]
    maps: tuple[MapSpec, ...]
    body: tuple[Instr, ...]
    stores: tuple[Store, ...]
    reductions: tuple[Reduce, ...] = ()
    epilogue: tuple[Instr, ...] = ()
    guarded: bool = False
    loop: LoopSpec | None = None
    attrs: tuple[tuple[str, int], ...] = ()
    notes: tuple[str, ...] = field(default=(), compare=False)

    @cached_property
    def key(self) -> str:
        """A stable name for caches and reports: equal kernels have equal keys in every run."""
        parts = (
            self.template.value,
            self.rank,
            self.reduced,
            self.params,
            self.inputs,
            self.outputs,
            self.maps,
            self.body,
            self.stores,
            self.reductions,
            self.epilogue,
            self.loop,
            self.attrs,
        )
        return blake2b(repr(parts).encode(), digest_size=12).hexdigest()

    @cached_property
    def types(self) -> frozenset[DType]:
        """Types of everything stored and computed; positions in random streams are neither."""
        instrs = (*self.body, *(self.loop.steps if self.loop else ()), *self.epilogue)
        drawn = {n for i in instrs if i.op in STREAMS for n in i.args[:2]}
        computed = {i.dtype for n, i in enumerate(instrs) if n not in drawn and i.op != "advance"}
        return frozenset(computed | {*self.inputs, *self.outputs})


class Prepared(Protocol):
    """A kernel made ready by a provider, as those see it who launch it."""

    @property
    def key(self) -> str:
        """The request's key."""

    @property
    def request(self) -> KernelRequest:
        """What the kernel computes."""


class Elements(Protocol):
    """A buffer of a provider, as those see it who bind it."""

    @property
    def count(self) -> int:
        """Number of elements."""


@dataclass(slots=True, eq=False)
class Dispatch:
    """One run of a prepared kernel; nobody changes it (a frozen class takes longer to make).

    Attributes:
        pipeline: what `Provider.prepare` returned for the request.
        inputs: device buffers by input binding.
        outputs: device buffers by output binding (may repeat an input: in-place is allowed
            only when every access to it is FLAT).
        extents: size of the box per axis (m, n, k for MATMUL).
        maps: run-time halves of the index maps, in the request's order.
        params: numbers in the order of the request's params.
        group: id of the group row this run belongs to.
        memo: where a provider keeps what stays the same in every run of a step whose box and maps
            do; None where they do not.
    """

    pipeline: Prepared
    inputs: tuple[Elements, ...]
    outputs: tuple[Elements, ...]
    extents: tuple[int, ...]
    maps: tuple[MapValues, ...]
    params: tuple[int | float | complex | bool, ...]
    group: int = 0
    memo: dict[str, Any] | None = field(default=None, compare=False)


@record
class Decision:
    """Where a group runs and why.

    Attributes:
        device: True for the device, False for the host.
        reason: the typed reason.
        host_ms: estimate for the host path, None when not priced.
        device_ms: estimate for the device path including transfers, None when not priced.
        detail: what the reason leaves open.
    """

    device: bool
    reason: Reason
    host_ms: float | None = None
    device_ms: float | None = None
    detail: str = ""

    @property
    def own_ms(self) -> float:
        """Estimate for the side chosen; 0 where it was not priced."""
        return (self.device_ms if self.device else self.host_ms) or 0.0
