"""Sums of squared distances from a mean, in the pass that gives the mean.

``sum((x - c).^2)`` needs `c` before it can begin, which costs a second pass over the data where `c`
comes from ``sum(x)``. For every `c` it is the same as the sum of squares around the mean `m`, which
one pass gives accurately (Chan, Golub and LeVeque 1979), plus ``n*(m - c)^2``: two terms that are
not negative, so nothing cancels, whatever the offset of the data.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.accel.ir.node import Node

MOMENT = "moment"
"""The reduction: sum of squares around the mean of what is reduced."""
REARRANGED = frozenset({"reshape", "permute"})


@record
class SquaredDeviations:
    """A sum of squared distances.

    Attributes:
        total: the sum over the same data.
        centre: what the distances are from: one number per result.
    """

    total: Node
    centre: Node

    @property
    def data(self) -> Node:
        """What both are taken over."""
        return self.total.inputs[0]

    @property
    def count(self) -> int:
        """Elements per result."""
        return self.data.size // self.total.size


def _unarranged_node(node: Node, loose: bool) -> Node:
    """The node under what only changes places, where order does not matter."""
    while loose and node.op in REARRANGED:
        node = node.inputs[0]
    return node


def squared_deviations_of(
    node: Node, roots: set[Node], sums: Iterable[Node]
) -> SquaredDeviations | None:
    """What a reduction is, if it is one of these; `sums` are reductions that may give the mean."""
    if node.op != "sum" or not node.dtype.is_float:
        return None
    square = node.inputs[0]
    if square.op != "times" or square.inputs[0] is not square.inputs[1] or square in roots:
        return None
    whole = node.size == 1
    means = [total for total in sums if total.op == "sum"]
    distance = _unarranged_node(square.inputs[0], whole)
    if distance.op != "minus" or distance in roots or not distance.size:
        return None
    for data, centre in (distance.inputs, distance.inputs[::-1]):
        if data.shape != distance.shape or centre.size != node.size or data.size == node.size:
            continue
        for total in means:
            same = _unarranged_node(total.inputs[0], whole) is _unarranged_node(data, whole)
            alike = total.shape == node.shape and (whole or total.attrs == node.attrs)
            if same and alike and _fits(centre, node):
                return SquaredDeviations(total, centre)
    return None


def _fits(centre: Node, node: Node) -> bool:
    return centre.size == 1 or centre.shape == node.shape
