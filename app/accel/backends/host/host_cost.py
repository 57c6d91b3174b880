"""What the host's kernels cost: nanoseconds per element and thread, scaled per machine.

One table is for NumPy, one for machine code (`providers.native_code`), which takes the place of
NumPy where that pays. Both were measured on one core of a server processor; `Speeds.arithmetic` and
`Speeds.doubles` of the host say how many of these nanoseconds pass in a millisecond (about a
million per thread that helps).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.accel.codegen import philox
from app.accel.ir.dtypes import DType

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.accel.ir.plan import Instr

WIDE = {DType.F64, DType.C64, DType.C128}

_TABLE = """
plus 0.13 0.4 | minus 0.13 0.4 | times 0.13 0.4 | rdivide 0.15 0.6 | uminus 0.1 0.35
abs 0.13 0.35 | min 0.2 0.45 | max 0.2 0.45 | sqrt 0.2 0.9 | floor 0.1 0.4 | ceil 0.1 0.4
fix 0.1 0.4 | round 2.4 4.3 | sign 0.45 0.8 | power 1.1 2.1 | mod 12 12 | rem 9 9 | atan2 0.9 2.6
hypot 3 4 | exp 0.5 1 | expm1 0.4 1.2 | log 0.5 3.5 | log1p 0.6 1.5 | log2 1.2 3.5 | log10 1.2 3.5
sin 0.6 5 | cos 0.6 5 | tan 0.6 1.6 | asin 1 2 | acos 1 2 | atan 0.5 1.4 | sinh 0.5 1.3
cosh 0.5 1.3 | tanh 0.5 1.6 | asinh 0.9 2.4 | acosh 4 4.5 | atanh 1 2 | cbrt 0.5 1.3 | erf 4.3 3.8
erfc 5.6 4.6 | erfinv 8 8 | gamma 9.5 9 | gammaln 13 13 | eq 0.2 0.5 | ne 0.2 0.5 | lt 0.2 0.5
le 0.2 0.5 | gt 0.2 0.5 | ge 0.2 0.5 | and 0.1 1.8 | or 0.1 1.8 | xor 0.1 1.8 | not 0.1 0.5
isnan 0.3 0.6 | isinf 0.3 0.6 | isfinite 0.3 0.6 | select 1 1.4 | load_at 3 4 | position 1.5 1.5
axis 0.3 0.3
"""
NS = {
    name: (float(single), float(double))
    for name, single, double in (
        entry.split() for line in _TABLE.strip().splitlines() for entry in line.split("|")
    )
}
"""Nanoseconds in single and in double precision."""
_MACHINE = """
rdivide 0.15 0.5 | sqrt 0.1 0.8 | round 0.1 0.2 | power 2.8 6.5 | mod 0.4 1 | rem 0.3 0.6
atan2 1.5 3.4 | hypot 0.7 2 | exp 0.5 1.4 | expm1 0.6 1.7 | log 0.6 1.7 | log1p 0.9 2.4
log2 2 4.6 | log10 2.2 5 | sin 0.8 1.6 | cos 0.9 1.7 | tan 1.5 3.2 | asin 0.75 1.9 | acos 0.9 2
atan 1.1 2.9 | sinh 1.1 2.8 | cosh 1 2.7 | tanh 0.85 2 | asinh 2 4.3 | acosh 1.9 4.7 | atanh 1.1 3.2
cbrt 1.6 4.1 | erf 1.8 5.7 | erfc 1.4 4.1 | erfinv 6.5 25 | gamma 2.5 5.5 | gammaln 2.4 15
load_at 2 3
"""
MACHINE = {
    name: (float(single), float(double))
    for name, single, double in (
        entry.split() for line in _MACHINE.strip().splitlines() for entry in line.split("|")
    )
}
"""Nanoseconds of machine code."""
PLAIN = (0.05, 0.1)
"""Machine code of everything else: additions, comparisons, choices."""
OTHER = (1.0, 1.5)
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
    total = 0.0
    for instr in instrs:
        if instr.op not in FREE:
            cost = _MACHINE_DRAWS.get(instr.op) or MACHINE.get(instr.op, PLAIN)
            total += cost[instr.dtype in WIDE] * (2.5 if instr.dtype.is_complex else 1)
    return total * points * trips
