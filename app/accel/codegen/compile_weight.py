"""How long shader compilers take over operations (in units of one addition), and so what is copied.

They take time in proportion to what they are given, and worse: a normal draw is worth a hundred
additions to them, an elementary function some tens. Kernels write their body several times to
have several loads in flight; of a body of functions, arithmetic is the limit, and copies only add
to what is compiled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.accel.ir.ops import OPS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.accel.ir.plan import Instr, KernelRequest

HEAVIEST = 100
"""The weight of a normal draw; no operation of real numbers weighs more."""
LONG = 10
"""Cost from which an operation is an elementary function: a text of its own, not an instruction."""
WEIGHTS = {
    name: spec.costs.units if spec.costs.units < LONG else min(3 * spec.costs.units, HEAVIEST)
    for name, spec in OPS.items()
}
"""Measured on Mesa's adapter: an addition 2 ms, a normal draw 130, functions 80 to 400."""
COMPLEX_WEIGHTS = {
    "times": 4,
    "rdivide": 15,
    "abs": 40,
    "sqrt": 105,
    "log": 280,
    "exp": 376,
    "power": 390,
}
"""What operations weigh whose operands are complex: the text of several functions each. One of
them fits into a kernel with a few additions; two logarithms do not. Of kernels with more than 4000
lines of double precision an H200 computed one in 300 wrongly (driver 580.159)."""
FIXED = 75
"""The weight of a kernel of nothing: what a compiler takes before it sees any arithmetic."""
SECOND = 1500
"""The weight of all copies of a body that are compiled in a second."""


def kernel_weight(kernel: KernelRequest) -> int:
    """Estimated work of compiling a kernel, what every kernel takes included."""
    steps = kernel.loop.steps if kernel.loop is not None else ()
    return FIXED + weight((*kernel.body, *steps, *kernel.epilogue))


def operation_weight(op: str, *, is_complex: bool) -> int:
    """Estimated work of compiling an operation; 1 for what is no operation of the graph."""
    plain = WEIGHTS.get(op, 1)
    return COMPLEX_WEIGHTS.get(op, plain) if is_complex else plain


def weight(instrs: Iterable[Instr]) -> int:
    """Estimated work of compiling some instructions once."""
    return sum(operation_weight(i.op, is_complex=i.dtype.is_complex) for i in instrs)


def allows_copies(instrs: Iterable[Instr], copies: int) -> bool:
    """Whether so many copies of some instructions are compiled within a second."""
    return copies * weight(instrs) <= SECOND
