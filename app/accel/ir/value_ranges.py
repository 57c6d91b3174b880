"""Range facts: which values can leave the real domain of a function.

A fact is an interval that holds every number the node can take (NaN aside). It is derived from
structure, from the sign of parameters and from what was known when a leaf was computed.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeAlias

from app.accel.ir.dtypes import DType

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.accel.ir.node import Node

Range: TypeAlias = tuple[float, float]

ANY: Range = (-math.inf, math.inf)
POSITIVE: Range = (0.0, math.inf)


def leaf_range(node: Node, nonnegative: bool) -> Range:
    """What is known of a leaf or parameter."""
    if nonnegative or node.dtype in {DType.BOOL, DType.U8, DType.U16, DType.U32, DType.U64}:
        return (0.0, 1.0) if node.dtype is DType.BOOL else POSITIVE
    return ANY


def _product(a: float, b: float) -> float:
    return 0.0 if a == 0 or b == 0 else a * b


def _times(node: Node, a: Range, b: Range) -> Range:
    if node.inputs[0] is node.inputs[1]:
        low = 0.0 if a[0] <= 0 <= a[1] else min(a[0] * a[0], a[1] * a[1])
        return (low, max(a[0] * a[0], a[1] * a[1]))
    corners = [_product(p, q) for p in a for q in b]
    return (min(corners), max(corners))


def _divide(_: Node, a: Range, b: Range) -> Range:
    if a[0] >= 0 and b[0] >= 0:
        # 1 / -0 is -Inf, but a square or a sum that is bounded by 0 never is -0 here or
        # its guard stays: only strictly positive divisors count.
        return POSITIVE if b[0] > 0 else ANY
    return ANY


def _abs(_: Node, a: Range) -> Range:
    low = 0.0 if a[0] <= 0 <= a[1] else min(abs(a[0]), abs(a[1]))
    return (low, max(abs(a[0]), abs(a[1])))


def _floor(x: float) -> float:
    return math.floor(x) if math.isfinite(x) else x


def _ceil(x: float) -> float:
    return math.ceil(x) if math.isfinite(x) else x


def _rounded(_: Node, a: Range) -> Range:
    return (_floor(a[0]), _ceil(a[1]))


def _max(node: Node, a: Range, b: Range) -> Range:
    """A bound counts only where its operand cannot be NaN: NaN gives way to the other."""
    low = min(a[0], b[0])
    for operand, known in zip(node.inputs, (a, b), strict=True):
        if operand.op == "param" and known[0] >= 0:
            low = max(a[0], b[0])
    return (low, max(a[1], b[1]))


def _same(_: Node, a: Range) -> Range:
    return a


def _minus(_: Node, a: Range, b: Range) -> Range:
    low, high = a[0] - b[1], a[1] - b[0]
    return (-math.inf if math.isnan(low) else low, math.inf if math.isnan(high) else high)


def _cast(node: Node, a: Range) -> Range:
    if node.dtype is DType.BOOL:
        return (0.0, 1.0)
    if node.dtype.kind == "u":
        return POSITIVE
    # Rounding may move a bound outwards; only its sign survives.
    return POSITIVE if a[0] >= 0 else ANY


_RULES: dict[str, Callable[..., Range]] = {
    "plus": lambda _, a, b: (a[0] + b[0], a[1] + b[1]),
    "minus": _minus,
    "times": _times,
    "rdivide": _divide,
    "uminus": lambda _, a: (-a[1], -a[0]),
    "abs": _abs,
    "hypot": lambda *_: POSITIVE,
    "exp": lambda *_: POSITIVE,
    "cosh": lambda *_: (1.0, math.inf),
    "sqrt": lambda *_: POSITIVE,
    "acos": lambda *_: (0.0, 4.0),
    "sin": lambda *_: (-1.0, 1.0),
    "cos": lambda *_: (-1.0, 1.0),
    "tanh": lambda *_: (-1.0, 1.0),
    "erf": lambda *_: (-1.0, 1.0),
    "erfc": lambda *_: (0.0, 2.0),
    "sign": lambda *_: (-1.0, 1.0),
    "power": lambda _, a, __: POSITIVE if a[0] >= 0 else ANY,
    "max": _max,
    "min": lambda _, a, b: (min(a[0], b[0]), max(a[1], b[1])),
    "floor": _rounded,
    "ceil": _rounded,
    "fix": _rounded,
    "round": _rounded,
    "real": _same,
    "select": lambda _, __, a, b: (min(a[0], b[0]), max(a[1], b[1])),
    "cast": _cast,
    "random_uniform": lambda *_: (0.0, 1.0),
    "amin": _same,
    "amax": _same,
    "sum": lambda _, a: POSITIVE if a[0] >= 0 else ANY,
    "prod": lambda _, a: POSITIVE if a[0] >= 0 else ANY,
    "nnz": lambda *_: POSITIVE,
    "argmin": lambda *_: POSITIVE,
    "argmax": lambda *_: POSITIVE,
    "position": lambda *_: POSITIVE,
    "fill": _same,
    "slice": _same,
    "permute": _same,
    "reshape": _same,
    "repmat": _same,
    "diagonal": _same,
    "gather": lambda _, a, __: a,
}


def transfer(node: Node, operands: list[Range]) -> Range:
    """The range of a node from its operands' ranges."""
    if node.dtype is DType.BOOL:
        return (0.0, 1.0)
    rule = _RULES.get(node.op)
    result = rule(node, *operands) if rule else ANY
    return ANY if math.isnan(result[0]) or math.isnan(result[1]) else result


def inside_domain(node: Node, operands: list[Range]) -> bool:
    """Whether no operand in these ranges can make the answer complex."""
    low, high = operands[0]
    match node.op:
        case "power":
            return low >= 0 or node.attrs == (1,)
        case "asin" | "acos" | "atanh":
            return low >= -1 and high <= 1
        case "acosh":
            return low >= 1
        case "log1p":
            return low >= -1
        case _:
            return low >= 0
