"""Whole numbers: nodes of which the graph alone says that all elements are, and between what.

A subscript that is known to lie inside an array needs no look at its data: random numbers of
``randi``, places that ``min`` or ``sort`` found, bytes of a picture, remainders, ranges. What is
derived here holds for every element, so that NaN and Inf are excluded.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeAlias, cast

import numpy as np

from app.accel.ir.dtypes import DType

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.accel.ir.node import Node, Shape

Whole: TypeAlias = tuple[float, float]

LeafRule: TypeAlias = "Callable[[Node], Whole | None]"

MOST_NODES = 256
"""Nodes that are looked at for one answer."""
_EXACT = {DType.F64: 2.0**53, DType.F32: 2.0**24}
"""Up to which every whole number is one of the type."""


def _unknown(_: Node) -> Whole | None:
    return None


def whole_range(node: Node, of_leaf: LeafRule = _unknown) -> Whole | None:
    """The least and the greatest value that elements may have; None unless all are whole.

    `of_leaf` says it of data, as far as that is known.
    """
    known: dict[Node, Whole | None] = {}
    stack = [node]
    while stack:
        n = stack[-1]
        if n in known:
            stack.pop()
            continue
        below = [child for child in _deciding_operands(n) if child not in known]
        if below and len(known) + len(stack) < MOST_NODES:
            stack += below
            continue
        if n.op == "leaf":
            found = of_leaf(n)
        else:
            found = (
                None
                if below
                else _derived_range(n, [known[child] for child in _deciding_operands(n)])
            )
        known[n] = None if below else _range_in_type(n, found)
        stack.pop()
    return known[node]


def stored_range(node: Node, of_leaf: LeafRule) -> Whole | None:
    """The same of places that are about to be stored: the graph does not say it any more then."""
    source = node
    while source.op in _CHOSEN and source.inputs:
        source = source.inputs[0]
    if source.op == "leaf":
        return of_leaf(source)
    return _OWN[source.op](source) if source.op in _PLACES and source.inputs else None


def _deciding_operands(node: Node) -> tuple[Node, ...]:
    """The operands whose range decides."""
    if node.op in _OWN or (node.op == "floor" and _range_of_random_integer(node)):
        return ()
    places = _DATA.get(node.op)
    if places is not None:
        return node.inputs[places]
    return node.inputs if node.op in _RULES else ()


def _derived_range(node: Node, operands: list[Whole | None]) -> Whole | None:
    own = _OWN.get(node.op)
    if own is not None:
        return own(node)
    drawn = _range_of_random_integer(node) if node.op == "floor" else None
    if drawn is not None:
        return drawn
    if node.op == "cast":
        return _cast(node, operands[0])
    if not operands or None in operands:
        return None
    given = [found for found in operands if found is not None]
    if node.op in _DATA:
        return min(low for low, _ in given), max(high for _, high in given)
    return _RULES[node.op](given)


def _range_in_type(node: Node, found: Whole | None) -> Whole | None:
    """What was derived, as far as the type of the node holds it."""
    dtype = node.dtype
    if dtype is DType.BOOL:
        return 0.0, 1.0
    if dtype.is_integer:
        all_of_it = _extremes(dtype)
        inside = found and all_of_it[0] <= found[0] and found[1] <= all_of_it[1]
        return found if inside else all_of_it
    most = _EXACT.get(dtype, 0.0)
    return found if found and -most <= found[0] and found[1] <= most else None


def _extremes(dtype: DType) -> Whole:
    """What an integer type holds."""
    info = np.iinfo(str(dtype.numpy))
    return float(info.min), float(info.max)


def _cast(node: Node, operand: Whole | None) -> Whole | None:
    """Numbers are rounded and held within integer classes; NaN becomes 0."""
    if operand is None or not node.dtype.is_integer:
        return operand
    least, most = _extremes(node.dtype)
    low, high = (min(max(v, least), most) for v in operand)
    return low, high


def _parameter(node: Node) -> Whole | None:
    value = node.data[0]
    if isinstance(value, complex) or not math.isfinite(value) or value % 1:
        return None
    return float(value), float(value)


def _range_of_random_integer(node: Node) -> Whole | None:
    """``floor(u * n)`` of uniform numbers below 1 by at least the last bit of a double."""
    product = node.inputs[0]
    if product.op != "times" or product.dtype is not DType.F64:
        return None
    for drawn, count in (product.inputs, product.inputs[::-1]):
        if drawn.op == "random_uniform" and count.op == "param":
            most = _parameter(count)
            return (0.0, most[0] - 1.0) if most and most[0] >= 1.0 else None
    return None


def _evenly_spaced(node: Node) -> Whole | None:
    start, step = (_parameter(n) if n.op == "param" else None for n in node.inputs)
    if start is None or step is None:
        return None
    last = start[0] + step[0] * (node.size - 1)
    return min(start[0], last), max(start[0], last)


def _range_of_places(node: Node) -> Whole | None:
    """A place from 1 along the axis of the operand."""
    return 1.0, float(node.inputs[0].shape[int(str(node.attrs[0]))])


def _coordinate(node: Node) -> Whole | None:
    shape, axis = node.attrs
    return 0.0, float(cast("Shape", shape)[int(str(axis))] - 1)


def _product(given: list[Whole]) -> Whole:
    corners = [a * b for a in given[0] for b in given[1]]
    return min(corners), max(corners)


def _remainder(given: list[Whole]) -> Whole | None:
    """``mod``; of a positive divisor it is between 0 and the divisor."""
    low, high = given[1]
    return (0.0, high - 1.0) if low >= 1.0 else None


def _range_of_remainder(given: list[Whole]) -> Whole | None:
    """``rem``; it has the sign of the dividend."""
    low, high = given[1]
    if low < 1.0:
        return None
    return (0.0 if given[0][0] >= 0 else 1.0 - high), (high - 1.0 if given[0][1] > 0 else 0.0)


def _magnitude(given: list[Whole]) -> Whole:
    low, high = given[0]
    return 0.0 if low <= 0 <= high else min(abs(low), abs(high)), max(abs(low), abs(high))


_OWN: dict[str, Callable[[Node], Whole | None]] = {
    "leaf": lambda _: None,
    "param": _parameter,
    "iota": _evenly_spaced,
    "position": _coordinate,
    "argmin": _range_of_places,
    "argmax": _range_of_places,
    "sort_index": _range_of_places,
    "top_index": _range_of_places,
    "compact_index": lambda n: (1.0, float(n.inputs[0].size)),
    "search": lambda n: (0.0, float(n.inputs[1].size)),
    "nnz": lambda n: (0.0, float(n.inputs[0].size)),
}
"""What does not depend on the operands' ranges."""
_DATA: dict[str, slice] = {
    "fill": slice(0, 1),
    "slice": slice(0, 1),
    "runs": slice(0, 1),
    "permute": slice(0, 1),
    "reshape": slice(0, 1),
    "repmat": slice(0, 1),
    "diagonal": slice(0, 1),
    "gather": slice(0, 1),
    "compact": slice(0, 1),
    "sort": slice(0, 1),
    "top": slice(0, 1),
    "amin": slice(0, 1),
    "amax": slice(0, 1),
    "cummin": slice(0, 1),
    "cummax": slice(0, 1),
    "cat": slice(None),
    "assign": slice(0, 2),
    "scatter": slice(0, 3, 2),
    "select": slice(1, 3),
}
"""What gives elements of these operands."""
_CHOSEN = frozenset({"slice", "reshape", "gather", "compact", "sort"})
_PLACES = frozenset({"argmin", "argmax", "sort_index", "top_index", "compact_index", "search"})
"""Operations whose results are places, and those that choose some of them."""
_RULES: dict[str, Callable[[list[Whole]], Whole | None]] = {
    "cast": lambda given: given[0],
    "floor": lambda given: given[0],
    "ceil": lambda given: given[0],
    "fix": lambda given: given[0],
    "round": lambda given: given[0],
    "plus": lambda given: (given[0][0] + given[1][0], given[0][1] + given[1][1]),
    "minus": lambda given: (given[0][0] - given[1][1], given[0][1] - given[1][0]),
    "times": _product,
    "uminus": lambda given: (-given[0][1], -given[0][0]),
    "abs": _magnitude,
    "min": lambda given: (min(given[0][0], given[1][0]), min(given[0][1], given[1][1])),
    "max": lambda given: (max(given[0][0], given[1][0]), max(given[0][1], given[1][1])),
    "mod": _remainder,
    "rem": _range_of_remainder,
}
