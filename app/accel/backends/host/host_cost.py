"""What the host's kernels cost: nanoseconds per element and thread, scaled per machine.

What operations take stands in their records (`OpSpec.costs`): with NumPy, and as machine code,
which takes the place of NumPy where that pays. Both were measured on one core of a server
processor; `Speeds.arithmetic` and `Speeds.doubles` of the host say how many of these nanoseconds
pass in a millisecond (about a million per thread that helps).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.accel.codegen import philox
from app.accel.ir.dtypes import DType
from app.accel.ir.ops import OPS, Costs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.accel.ir.plan import Instr, KernelRequest

WIDE = {DType.F64, DType.C64, DType.C128}

INSIDE = {"load_at": (3.0, 4.0), "position": (1.5, 1.5), "axis": (0.3, 0.3)}
"""Nanoseconds of NumPy for what kernels do beside operations."""
NS = {name: spec.costs.host for name, spec in OPS.items()} | INSIDE
"""Nanoseconds in single and in double precision."""
MACHINE = {name: spec.costs.machine for name, spec in OPS.items()} | {"load_at": (2.0, 3.0)}
"""Nanoseconds of machine code."""
OTHER, PLAIN = Costs().host, Costs().machine
"""Of NumPy and of machine code for everything else: additions, comparisons, choices."""
FREE = frozenset("load param carry result counter advance".split())
CALL = 1200.0
"""Nanoseconds of Python around the NumPy call for one block."""
REDUCED = {"sum": 0.4, "min": 0.8, "max": 0.8, "argmin": 4.0, "argmax": 4.0, "moment": 1.6}
SCANNED = 4.0
SCATTERED = 2.5
"""Nanoseconds of a load or store that jumps through memory."""
FRESH = 0.4
"""Nanoseconds per byte of memory that the system hands out for results."""
LOADING = 1.5e8
"""Nanoseconds until the compiled random numbers are there."""
_DRAWS = {
    "random_uniform": ((18.0, 38.0), (0.8, 1.4)),
    "random_normal": ((48.0, 90.0), (1.5, 3.6)),
}
"""Slow and compiled, in single and in double precision."""
_MACHINE_DRAWS = {"random_uniform": (2.0, 2.8), "random_normal": (3.2, 5.8)}


def draws(op: str, dtype: DType, count: int) -> float:
    """Nanoseconds of so many random numbers: slow ones at first, compiled ones after many."""
    slow, fast = (pair[dtype is DType.F64] for pair in _DRAWS[op])
    if philox.native.draw is not None:
        return fast * count
    weight = 1 if op == "random_uniform" else 4
    before = max(0, philox.PAYS - philox.native.drawn) // weight
    if count <= before:
        return slow * count
    return slow * before + LOADING + fast * (count - before)


def instruction(instr: Instr) -> float:
    """Nanoseconds per element of an instruction; random numbers are counted by `draws`."""
    if instr.op in FREE or instr.op in _DRAWS:
        return 0.0
    if instr.op == "cast":
        return 6.0 if instr.dtype.is_integer else 0.4
    return NS.get(instr.op, OTHER)[instr.dtype in WIDE] * (2.5 if instr.dtype.is_complex else 1)


def elements(instrs: Iterable[Instr], points: int, trips: int = 1) -> float:
    """Nanoseconds of instructions at every point, in every pass."""
    total = 0.0
    for instr in instrs:
        if instr.op in _DRAWS:
            total += draws(instr.op, instr.dtype, points * trips)
        else:
            total += instruction(instr) * points * trips
    return total


def machine(instrs: Iterable[Instr], points: int, trips: int = 1) -> float:
    """The same in machine code."""
    return sum(machine_operation(i.op, i.dtype) for i in instrs) * points * trips


def machine_operation(op: str, dtype: DType) -> float:
    """Nanoseconds of machine code per element of an operation."""
    if op in FREE:
        return 0.0
    cost = _MACHINE_DRAWS.get(op) or MACHINE.get(op, PLAIN)
    return cost[dtype in WIDE] * (2.5 if dtype.is_complex else 1)


def has_machine_code(kernel: KernelRequest) -> bool:
    """Whether the host makes machine code of a kernel: not of complex numbers, nor of sums and the
    like of 64-bit integers over all points in every pass."""
    totals = kernel.loop is not None and bool(kernel.loop.totals)
    return not any(
        dtype.is_complex or (totals and dtype.is_integer and dtype.size == 8)
        for dtype in kernel.types
    )
