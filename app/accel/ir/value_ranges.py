"""Range facts: which values can leave the real domain of a function.

A fact is an interval that holds every number the node can take (NaN aside). It is derived from
structure, from the sign of parameters and from what was known when a leaf was computed.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from app.accel.ir.dtypes import DType
from app.accel.ir.operations.spec import ANY, POSITIVE, UNSIGNED, Range, RangeRule
from app.accel.ir.ops import OPS

if TYPE_CHECKING:
    from app.accel.ir.node import Node, Number

__all__ = ["ANY", "UNSIGNED", "Range", "leaf_range", "least_known", "least_of_number", "transfer"]


def leaf_range(node: Node, least: float) -> Range:
    """What is known of a leaf or parameter of which a lower bound is known."""
    if node.dtype is DType.BOOL:
        return _TRUTH
    return UNSIGNED if node.dtype.kind == "u" else (least, math.inf)


def least_of_number(value: Number) -> float:
    """A lower bound that holds for all numbers of the sign of one: as parameters they share plans.

    NaN and -0 are with those below 0.
    """
    if isinstance(value, complex) or not value >= 0 or math.copysign(1.0, value) < 0:
        return -math.inf
    return UNSIGNED[0]


def least_known(low: float) -> float:
    """The part of a lower bound that is remembered of a value: -Inf, 0, or that of UNSIGNED."""
    return _of_sign((low, math.inf))[0]


_TRUTH = (UNSIGNED[0], 1.0)


def _of_sign(a: Range) -> Range:
    """The range of results of any size that have the sign bits of an operand."""
    if a[0] > 0:
        return UNSIGNED
    return POSITIVE if a[0] >= 0 else ANY


def _of_both_signs(_: Node, a: Range, b: Range) -> Range:
    """The range of sums of products of operands, or of one and multiples of the other."""
    return _of_sign((min(a[0], b[0]), math.inf))


def _range_of_all(_: Node, *operands: Range) -> Range:
    """The range of results each of which is an element of an operand."""
    return (min(a[0] for a in operands), max(a[1] for a in operands))


def _range_of_operand(_: Node, a: Range) -> Range:
    return a


def _cast(node: Node, a: Range) -> Range:
    if node.dtype.kind == "u":
        return UNSIGNED
    return _of_sign(a)  # rounding may move a bound outwards; only its sign survives


_RULES: dict[str, RangeRule] = {
    "cast": _cast,
    "random_uniform": lambda *_: _TRUTH,
    "amin": _range_of_operand,
    "amax": _range_of_operand,
    **dict.fromkeys(("sum", "prod", "cumsum", "cumprod"), lambda _, a: _of_sign(a)),
    **dict.fromkeys(("nnz", "argmin", "argmax", "position"), lambda *_: UNSIGNED),
    **dict.fromkeys(("matmul", "pagemtimes", "iota"), _of_both_signs),
    "cummin": _range_of_operand,
    "cummax": _range_of_operand,
    "sort": _range_of_operand,
    "top": _range_of_operand,
    "cat": _range_of_all,
    "assign": _range_of_all,
    "fill": _range_of_operand,
    "slice": _range_of_operand,
    "runs": _range_of_operand,
    "permute": _range_of_operand,
    "reshape": _range_of_operand,
    "repmat": _range_of_operand,
    "diagonal": _range_of_operand,
    "gather": lambda _, a, __: a,
}


def transfer(node: Node, operands: list[Range]) -> Range:
    """The range of a node from its operands' ranges."""
    if node.dtype is DType.BOOL:
        return _TRUTH
    if node.dtype.is_complex or any(operand.dtype.is_complex for operand in node.inputs):
        return UNSIGNED if node.op == "abs" else ANY
    rule = OPS[node.op].values or _RULES.get(node.op)
    result = rule(node, *operands) if rule else ANY
    return ANY if math.isnan(result[0]) or math.isnan(result[1]) else result
