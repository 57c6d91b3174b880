"""What a step costs on the host and on the device, in milliseconds."""

from __future__ import annotations

from dataclasses import field
from enum import Enum
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from app.accel.backends.host import host_cost
from app.accel.codegen import algorithms
from app.accel.codegen.compile_weight import FIXED, kernel_weight
from app.accel.ir import shapes
from app.accel.ir.dtypes import DType
from app.accel.ir.ops import OPS
from app.accel.ir.plan import Access, Template
from app.records import mutable_record, record

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.accel.backends.base import DeviceInfo
    from app.accel.fusion.build import Step
    from app.accel.ir.node import Node
    from app.accel.ir.plan import Instr, KernelRequest


@record
class Speeds:
    """Measured or assumed speeds of one side.

    Attributes:
        launch_ms: fixed time of one step.
        bandwidth: bytes per ms that streaming kernels read and write.
        arithmetic: cost units (one addition) per ms in single precision; of the host: reference
            nanoseconds (see `host_cost`) per ms, all threads.
        doubles: units per ms in double precision; of the host: the same nanoseconds in machine
            code per ms.
        matmul: multiply-adds per ms in single precision; one in double counts as two.
        upload_ms, upload: fixed time and bytes per ms of a copy to this side.
        download_ms, download: fixed time and bytes per ms of a copy from this side.
        compile_ms: time of a compilation.
    """

    launch_ms: float
    bandwidth: float
    arithmetic: float
    doubles: float
    matmul: float
    upload_ms: float = 0.0
    upload: float = 1e12
    download_ms: float = 0.0
    download: float = 1e12
    compile_ms: float = 0.0


EXPECTED_USES = 8
"""A compilation is spread over this many uses when a kernel is first considered."""

_TYPICAL = {
    "discrete": Speeds(0.06, 4e8, 4e9, 2e8, 4e9, 0.05, 8e6, 0.15, 4e6, 15.0),
    "integrated": Speeds(0.05, 4e7, 3e8, 1e7, 3e8, 0.05, 8e6, 0.15, 6e6, 15.0),
    "virtual": Speeds(0.1, 4e7, 3e8, 1e7, 3e8, 0.1, 4e6, 0.3, 2e6, 20.0),
    "cpu": Speeds(0.3, 5e6, 6e6, 3e6, 8e5, 0.03, 2e6, 0.05, 4e6, 150.0),
}


def typical(info: DeviceInfo) -> Speeds:
    """Assumed speeds of a device until it has been calibrated."""
    return typical_of(info.type)


def typical_of(kind: str) -> Speeds:
    """Assumed speeds of a kind of device."""
    return _TYPICAL.get(kind, _TYPICAL["integrated"])


def typical_host(threads: int) -> Speeds:
    """Assumed speeds of the host."""
    few = min(threads, 4)  # Python's lock keeps more from helping
    return Speeds(0.03, 4e6 * few, 3e5 * few, 7e5 * threads, 4e6 * threads)


def units(op: str) -> int:
    """Cost units of an op on a device."""
    spec = OPS.get(op)
    return (spec.costs.shader or spec.costs.units) if spec is not None else 0


Sized: TypeAlias = tuple[str, int]
"""A kernel's key, and how large the work is: the length of its count of bytes and operations."""
DRIFT = 1.6
KERNEL_DRIFT = 1.25
NEAR = 7
"""Doublings of its size over which a kernel's time is taken to grow with the work."""


@record
class Work:
    """What a step does, free of any machine.

    `host` and `machine` are reference nanoseconds of `host_cost`, for NumPy and for machine code;
    None where there is no machine code. `after` are those that NumPy takes in either case.
    """

    bytes: int
    arithmetic: int
    doubles: int
    multiply_adds: int
    host: float = 0.0
    machine: float | None = None
    after: float = 0.0

    @property
    def units(self) -> int:
        """The arithmetic: a product of matrices has two operations per step."""
        return self.arithmetic + self.doubles + 2 * self.multiply_adds

    @property
    def size(self) -> int:
        """All of it in one number, to scale by."""
        return self.bytes + self.arithmetic + self.doubles + self.multiply_adds


def pass_ms(nodes: Iterable[Node], host: Speeds) -> float:
    """About what the host takes to compute values that nobody has planned yet, each by itself."""
    moved = spent = 0.0
    for node in nodes:
        moved += 2 * node.size * node.dtype.size
        spent += node.size * host_cost.machine_operation(node.op, node.dtype)
    return moved / host.bandwidth + spent / host.doubles


def work(step: Step) -> Work:
    """Count a step's traffic and arithmetic."""
    kernel, box = step.kernel, step.extents
    points = shapes.count(box)
    if kernel.template is Template.MATMUL:
        m, n, k = box
        traffic = (m * k + k * n) * kernel.reductions[0].dtype.size + m * n * kernel.outputs[0].size
        host = host_cost.elements(kernel.epilogue, m * n)
        host += host_cost.elements(kernel.body, k * max(m, n))
        each = 2 if kernel.reductions[0].dtype in host_cost.WIDE else 1
        return Work(traffic, m * n * len(kernel.epilogue), 0, m * n * k * each, host)
    if kernel.loop is not None:
        return _loop_work(step, points)
    if kernel.template is Template.ALGORITHM:
        effort = algorithms.of(kernel).work(kernel, points, box[0] * box[2])
        return Work(effort.bytes, effort.units, 0, 0, effort.host)
    kept = 1
    for extent, flag in zip(box, kernel.reduced or (False,) * len(box), strict=True):
        kept *= 1 if flag else extent
    single, double = _units_by_precision(kernel.body)
    single += len(kernel.reductions)
    finishing = _units_by_precision(kernel.epilogue)
    return Work(
        _traffic(kernel, points, kept),
        points * single + kept * finishing[0],
        points * double + kept * finishing[1],
        0,
        *_host_work(step, points, kept),
    )


def _traffic(kernel: KernelRequest, points: int, kept: int) -> int:
    """Bytes read and written."""
    traffic = sum(
        i.dtype.size * (1 if kernel.maps[i.attrs[-1]].access is Access.SCALAR else points)
        for i in kernel.body
        if i.op == "load"
    )
    traffic += sum(i.dtype.size * points for i in kernel.body if i.op == "load_at")
    split = len(kernel.body)
    for item in kernel.stores:
        late = item.value >= split and kernel.template is Template.REDUCE
        traffic += item.dtype.size * (kept if late else points)
    return traffic


def _host_work(step: Step, points: int, kept: int) -> tuple[float, float | None, float]:
    """Reference nanoseconds of a map, reduction or scan: by NumPy, by machine code, and what NumPy
    reduces or scans of what machine code has computed."""
    kernel = step.kernel
    elements, after = host_cost.elements(kernel.body, points), 0.0
    for reduction in kernel.reductions:
        scan = kernel.template is Template.SCAN
        each = host_cost.SCANNED if scan else host_cost.REDUCED.get(reduction.op, 1.0)
        after += (each if kept == 1 else 2 * each) * points
    total = host_cost.elements(kernel.epilogue, kept)
    jumps = sum(i.op == "load" and _jumps(step, i.attrs[1]) for i in kernel.body)
    jumps += sum(_jumps(step, item.map) for item in kernel.stores)
    calls = len(kernel.body) * -(-points // BLOCK)
    total += host_cost.FRESH * sum(node.size * node.dtype.size for node in step.outputs)
    total += jumps * points * host_cost.SCATTERED
    machine = total + host_cost.machine(kernel.body, points)
    made = machine if host_cost.has_machine_code(kernel) else None
    return total + after + elements + calls * host_cost.CALL, made, after


BLOCK = 65536


def _jumps(step: Step, number: int) -> bool:
    """Whether a map's neighbours along the first axis are apart in memory."""
    strides = step.maps[number].strides
    strided = step.kernel.maps[number].access is Access.STRIDED
    return strided and bool(strides) and abs(strides[0]) > 1


def _loop_work(step: Step, points: int) -> Work:
    """Every pass costs its steps; state stays in registers."""
    kernel, loop = step.kernel, step.kernel.loop
    assert loop is not None
    before, inside = _units_by_precision(kernel.body), _units_by_precision(loop.steps)
    moved = sum(i.dtype.size for i in kernel.body if i.op == "load")
    moved += sum(store.dtype.size for store in kernel.stores)
    every = sum(i.dtype.size for i in loop.steps if i.op == "load")
    every += sum(store.dtype.size for store in loop.stores)
    trips = step.trips
    single, double = (points * (b + trips * i) for b, i in zip(before, inside, strict=True))
    host = host_cost.elements(loop.steps, points, trips)
    host += 0.3 * points * trips * len(loop.following)
    calls = (len(loop.steps) + len(loop.following) + len(loop.stores)) * trips
    host += calls * host_cost.CALL * max(1.0, min(16.0, points / 1024), points / 32768)
    coded = host_cost.has_machine_code(kernel)
    machine = host_cost.machine(loop.steps, points, trips) if coded else None
    return Work(points * (moved + trips * every), single, double, 0, host, machine)


def sized(kernel: KernelRequest, amount: Work) -> Sized:
    """The name under which measured times of a kernel are kept."""
    return kernel.key, amount.size.bit_length()


def _units_by_precision(instrs: Iterable[Instr]) -> tuple[int, int]:
    """Cost units per element in single and in double precision."""
    costs = [0, 0]
    for instr in instrs:
        costs[instr.dtype in {DType.F64, DType.C128}] += units(instr.op)
    return costs[0], costs[1]


def numpy_ms(amount: Work, speeds: Speeds) -> float:
    """Time of the work in NumPy: block by block, memory and arithmetic take turns."""
    moving = speeds.launch_ms + amount.bytes / speeds.bandwidth
    moving += amount.multiply_adds / speeds.matmul
    return moving + amount.host / speeds.arithmetic


def waits(amount: Work, speeds: Speeds) -> bool:
    """Whether the host waits for machine code before it does the work."""
    return amount.machine is not None and numpy_ms(amount, speeds) >= WAIT_MS


def machine_ms(amount: Work, speeds: Speeds) -> float:
    """The same once there is machine code."""
    if amount.machine is None:
        return numpy_ms(amount, speeds)
    computing = amount.machine / speeds.doubles + amount.after / speeds.arithmetic
    return speeds.launch_ms + max(amount.bytes / speeds.bandwidth, computing)


WAIT_MS = 150.0
"""Work of NumPy that is worth waiting for machine code; see `providers.native_code`."""


def compiled_ms(kernel: KernelRequest) -> float:
    """Time in which the host makes machine code for a kernel, measured on a server's core."""
    return 0.6 * kernel_weight(kernel)


def device_ms(amount: Work, speeds: Speeds) -> float:
    """Time of the work on a device: the slower of memory and arithmetic."""
    return speeds.launch_ms + max(
        amount.bytes / speeds.bandwidth,
        amount.arithmetic / speeds.arithmetic
        + amount.doubles / speeds.doubles
        + amount.multiply_adds / speeds.matmul,
    )


class Side(Enum):
    """What does the work."""

    NUMPY = "numpy"
    CODE = "machine code"
    DEVICE = "device"


MOST_KNOWN = 10_000
"""Kernels at a size, and others of what a session has learnt, that are remembered."""
_Key = TypeVar("_Key")
_Item = TypeVar("_Item")


@mutable_record
class Known:
    """What a kernel has taken at a size: milliseconds for so much work, and in how many runs."""

    ms: float
    work: int
    runs: int = 1

    def at(self, size: int) -> float:
        """Milliseconds for another amount of work, in proportion."""
        return self.ms * size / max(self.work, 1)


@mutable_record
class Correction:
    """What runs have shown about the estimates.

    Attributes:
        factors: per side and template, by what estimates of kernels that have not run there are
            multiplied.
        own: on the device or not, and per kernel at a size, what it took.
        compilers: per template, milliseconds that a unit of compile weight takes.
        compiled: per kernel what its latest compilation took.
        epoch: grows when a template's factor has moved enough to look at placements again.
    """

    factors: dict[tuple[Side, Template], float] = field(default_factory=dict)
    own: dict[tuple[bool, Sized], Known] = field(default_factory=dict)
    compilers: dict[Template, float] = field(default_factory=dict)
    compiled: dict[str, float] = field(default_factory=dict)
    shown: dict[tuple[object, object], float] = field(default_factory=dict)
    epoch: int = 0

    def factor(self, side: Side, template: Template) -> float:
        """By how much estimates of this kind are multiplied."""
        return self.factors.get((side, template), 1.0)

    def has_run(self, template: Template) -> bool:
        """Whether the host has been measured doing something of this kind."""
        return any((side, template) in self.factors for side in (Side.NUMPY, Side.CODE))

    def known(self, device: bool, kernel: KernelRequest, amount: Work) -> Known | None:
        """What this very kernel took, at this size."""
        return self.own.get((device, sized(kernel, amount)))

    def similar(self, device: bool, kernel: KernelRequest, amount: Work) -> Known | None:
        """What it took at the size nearest to this one."""
        key, bits = sized(kernel, amount)
        near = (bits + away for k in range(NEAR) for away in (-k, k))
        return next(filter(None, (self.own.get((device, (key, size))) for size in near)), None)

    def compiling(self, kernel: KernelRequest, speeds: Speeds) -> float:
        """Milliseconds that a kernel takes to compile: what it took, or in proportion to others."""
        known = self.compiled.get(kernel.key)
        if known is not None:
            return known
        each = self.compilers.get(kernel.template, speeds.compile_ms / FIXED)
        return each * kernel_weight(kernel)

    def estimate(self, side: Side, kernel: KernelRequest, amount: Work, plain: float) -> float:
        """The time of a kernel: what it took before, or the model's time with the factor."""
        known = self.similar(side is Side.DEVICE, kernel, amount)
        if known is None:
            return plain * self.factor(side, kernel.template)
        return known.at(amount.size)

    def observe(
        self, side: Side, kernel: KernelRequest, amount: Work, expected: float, measured: float
    ) -> bool:
        """Take a measured run into account; whether the kernel is not what it was taken for.

        Single outliers move little.
        """
        size = amount.size
        key = side is Side.DEVICE, sized(kernel, amount)
        known = self.own.pop(key, None)
        if known is None:
            believed = self.estimate(side, kernel, amount, expected)
            runs, trust = 1, 0.75
        else:
            believed = known.at(size)
            runs, trust = known.runs + 1, 0.5
        now = believed * _clamped_ratio(measured / max(believed, 1e-6), 16.0) ** trust
        _keep(self.own, key, Known(now, size, runs))
        kind = side, kernel.template
        factor = self.factors.get(kind, 1.0)
        ratio = measured / max(expected, 1e-6)
        factor *= (_clamped_ratio(ratio, 8.0) / factor) ** 0.2
        self.factors[kind] = factor
        self.epoch += self._has_moved(kind, factor, DRIFT, 1.0)
        each = max(size, 1)
        return self._has_moved(key, now / each, KERNEL_DRIFT, believed / each)

    def has_compiled(self, kernel: KernelRequest, spent: float) -> None:
        """A compilation took this long."""
        each = spent / kernel_weight(kernel)
        known = self.compilers.get(kernel.template, each)
        self.compilers[kernel.template] = (max(known, 1e-6) * max(each, 1e-6)) ** 0.5
        _keep(self.compiled, kernel.key, spent)

    def _has_moved(
        self, key: tuple[object, object], factor: float, most: float, first: float
    ) -> bool:
        last = self.shown.pop(key, first)
        moved = not 1 / most < factor / last < most
        _keep(self.shown, key, factor if moved else last)
        return moved


def _keep(known: dict[_Key, _Item], key: _Key, item: _Item) -> None:
    """Add what has been learnt; what is longest unused is forgotten beyond a count."""
    known.pop(key, None)
    known[key] = item
    if len(known) > MOST_KNOWN:
        del known[next(iter(known))]


def _clamped_ratio(ratio: float, most: float) -> float:
    return min(most, max(1 / most, ratio))


def upload_ms(n_bytes: int, speeds: Speeds) -> float:
    """Time to bring data to the device."""
    return speeds.upload_ms + n_bytes / speeds.upload


def download_ms(n_bytes: int, speeds: Speeds) -> float:
    """Time to bring data back."""
    return speeds.download_ms + n_bytes / speeds.download
