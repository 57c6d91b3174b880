"""Reductions of reductions, such as ``sum(sum(A))``, that one walk over the data gives.

The inner one is stored only where somebody else reads it. Of sums and products in whole classes
the inner results saturate, so that those are left as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from app.accel.ir.ops import OPS, Category
from app.records import record

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.accel.ir.node import Node

_ADDING = frozenset({"sum", "prod"})
_NESTED = _ADDING | {"amin", "amax", "any", "all"}


@record
class Walk:
    """What a reduction is taken over in one go.

    Attributes:
        data: what is walked.
        axes: the dimensions of it that are reduced.
        inner: the reductions on the way, which are not stored.
    """

    data: Node
    axes: tuple[int, ...]
    inner: tuple[Node, ...] = ()


def axes_of(node: Node) -> tuple[int, ...]:
    """The dimensions that a reduction is taken along."""
    given = node.attrs[0]
    return (given,) if isinstance(given, int) else cast("tuple[int, ...]", given)


def walk_of(node: Node, is_free: Callable[[Node], bool]) -> Walk:
    """What a reduction walks; `is_free` says of what it reads that nobody else needs it."""
    data, axes = node.inputs[0], {*axes_of(node)}
    inner: list[Node] = []
    while is_free(data) and _goes_on(node, data):
        wider = axes | {*axes_of(data)}
        if not _are_neighbours(data.inputs[0].shape, wider):
            break
        axes = wider
        inner.append(data)
        data = data.inputs[0]
    return Walk(data, tuple(sorted(axes)), tuple(inner))


def _goes_on(node: Node, below: Node) -> bool:
    """Whether a reduction of what another one gives is one of both their dimensions."""
    if node.op not in _NESTED or below.op != node.op or below.dtype is not node.dtype:
        return False
    if len(node.attrs) != 1 or len(below.attrs) != 1:
        return False
    if max(axes_of(below)) >= len(below.inputs[0].shape):
        return False
    return node.op not in _ADDING or node.dtype.is_float or node.dtype.is_complex


def _are_neighbours(shape: tuple[int, ...], axes: set[int]) -> bool:
    """Whether no dimension that is kept lies between those that are reduced."""
    if max(axes) >= len(shape):
        return False
    flags = [k in axes for k, extent in enumerate(shape) if extent != 1]
    return True not in flags or all(flags[flags.index(True) : len(flags) - flags[::-1].index(True)])


def is_reduction(node: Node) -> bool:
    """Whether a node reduces dimensions."""
    return OPS[node.op].category is Category.REDUCTION
