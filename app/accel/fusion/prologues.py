"""Which factors of a matrix product are computed as its tiles are loaded, and never stored.

An element of a factor is loaded once per tile along the other side. That is cheaper than writing it
to memory and reading it back while what it is made of is a few additions and products; a factor
that is read only once may be dear.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.accel.ir.ops import OPS, Category

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet

    from app.accel.ir.node import Node

CHEAP = 8
"""Cost of an element that is computed once per tile."""
DEAR = 60
"""Cost of an element that is computed only once or a few times."""
MOST_READS = 4
FEW = 4
"""Rows or columns of a product without tiles."""
VIEWS = frozenset({"slice", "permute", "reshape", "fill", "diagonal", "repmat"})
_POINTWISE = {Category.ELEMENTWISE, Category.CAST}


def to_store(
    product: Node, factor: Node, stored: AbstractSet[Node], readers: Mapping[Node, int]
) -> set[Node]:
    """What has to be stored so that `product` can read `factor`: nothing, a part of it, or it.

    `stored` are nodes in memory anyhow. What is dear and read by others, too, is stored instead of
    the factor if the rest is cheap.
    """
    if not factor.dtype.is_float or len(factor.shape) != 2:
        return {factor}
    limit = _limit(product, factor)
    cost = _cost(factor, stored)
    if cost is not None and cost <= limit:
        return set()
    dear = _dear_shared(factor, readers) - {factor}
    cost = _cost(factor, stored | dear) if dear else None
    return dear if cost is not None and cost <= limit else {factor}


def _dear_shared(factor: Node, readers: Mapping[Node, int]) -> set[Node]:
    """Dear elementwise values that the factor is made of and that somebody else reads."""
    found: set[Node] = set()
    seen, stack = {factor}, [(factor, False)]
    while stack:
        node, shared = stack.pop()
        spec = OPS[node.op]
        if shared and spec.costs.units > CHEAP and spec.category in _POINTWISE:
            found.add(node)
            continue
        passed = node.op in VIEWS or node.op == "cast"
        for child in node.inputs:
            if child not in seen and child.size == factor.size:
                seen.add(child)
                stack.append((child, readers.get(child, 0) > 1 or (shared and passed)))
    return found


def _limit(product: Node, factor: Node) -> int:
    """The highest cost of an element, by how often it is computed."""
    rows, columns = product.shape[0], product.shape[1]
    if min(rows, columns) > FEW:
        return CHEAP
    first = product.inputs[0]
    left = factor is first or (first.op == "permute" and factor is first.inputs[0])
    repeated = columns if left else rows
    return DEAR // repeated if repeated <= FEW else 0


def _cost(factor: Node, stored: AbstractSet[Node]) -> int | None:
    """Cost of one element, None where it cannot be computed in passing."""
    total, reads, seen, stack = 0, 0, {factor}, [factor]
    while stack:
        node = stack.pop()
        if node.op == "param":
            continue
        if node.op == "leaf" or node in stored or _is_smaller(node, factor):
            if node.size == factor.size and _finishes(node):
                return None
            reads += 1
            continue
        spec = OPS[node.op]
        if spec.category not in _POINTWISE and node.op not in VIEWS:
            return None
        if spec.domain or (node.op in VIEWS and not _is_map(node)):
            return None
        total += max(spec.costs.units, spec.costs.shader)
        fresh = [child for child in node.inputs if child not in seen]
        seen.update(fresh)
        stack.extend(fresh)
    return total if reads <= MOST_READS else None


def _finishes(node: Node) -> bool:
    """Whether the kernel that computes a node can go on to compute what is made of it."""
    return OPS[node.op].category in {Category.MATMUL, Category.REDUCTION, Category.SCAN}


def _is_map(node: Node) -> bool:
    """Whether a view is a matter of offsets and strides."""
    fits = all(a in {1, b} for a, b in zip(node.inputs[0].shape, node.shape, strict=False))
    return len(node.shape) == 2 and (node.op != "repmat" or fits)


def _is_smaller(node: Node, factor: Node) -> bool:
    """A smaller operand is computed on its own."""
    return node.size < factor.size and node.op not in VIEWS
