"""Range facts: which values can leave the real domain of a function.

A fact is an interval that holds every number the node can take (NaN aside). It is derived from
structure, from the sign of parameters and from what was known when a leaf was computed.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from app.accel.ir.dtypes import DType
from app.accel.ir.operations.spec import ANY, POSITIVE, Range, RangeRule
from app.accel.ir.ops import OPS

if TYPE_CHECKING:
    from app.accel.ir.node import Node

__all__ = ["ANY", "POSITIVE", "Range", "leaf_range", "transfer"]


def leaf_range(node: Node, nonnegative: bool) -> Range:
    """What is known of a leaf or parameter."""
    if nonnegative or node.dtype in {DType.BOOL, DType.U8, DType.U16, DType.U32, DType.U64}:
        return (0.0, 1.0) if node.dtype is DType.BOOL else POSITIVE
    return ANY


def _range_of_operand(_: Node, a: Range) -> Range:
    return a


def _cast(node: Node, a: Range) -> Range:
    if node.dtype is DType.BOOL:
        return (0.0, 1.0)
    if node.dtype.kind == "u":
        return POSITIVE
    # Rounding may move a bound outwards; only its sign survives.
    return POSITIVE if a[0] >= 0 else ANY


_RULES: dict[str, RangeRule] = {
    "cast": _cast,
    "random_uniform": lambda *_: (0.0, 1.0),
    "amin": _range_of_operand,
    "amax": _range_of_operand,
    "sum": lambda _, a: POSITIVE if a[0] >= 0 else ANY,
    "prod": lambda _, a: POSITIVE if a[0] >= 0 else ANY,
    "nnz": lambda *_: POSITIVE,
    "argmin": lambda *_: POSITIVE,
    "argmax": lambda *_: POSITIVE,
    "position": lambda *_: POSITIVE,
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
        return (0.0, 1.0)
    rule = OPS[node.op].values or _RULES.get(node.op)
    result = rule(node, *operands) if rule else ANY
    return ANY if math.isnan(result[0]) or math.isnan(result[1]) else result
