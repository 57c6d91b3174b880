"""Where a kernel is cut that would take too long to compile, estimated before it is planned.

A kernel whose estimate exceeds the budget is planned as several: values on the way are stored.
Cuts are made operands first and at the heaviest operand, so that what repeats itself is cut alike,
and its parts share a kernel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.accel.codegen.compile_weight import operation_weight
from app.accel.fusion.index_map import VIEW_OPS
from app.accel.ir.ops import OPS, Category

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from collections.abc import Set as AbstractSet

    from app.accel.ir.node import Node

BUDGET = 400
"""Compile weight (one addition) of a kernel: four normal draws, or six to nine functions. Software
adapters and drivers of graphics cards take about half a second for it."""
_PLAIN = {Category.ELEMENTWISE, Category.CAST, Category.RANDOM, Category.INDEX}


def compile_weight(nodes: Iterable[Node]) -> int:
    """Estimated work of compiling a kernel that computes these."""
    return sum(node_weight(node) for node in nodes)


def node_weight(node: Node) -> int:
    """Estimated work of compiling one operation."""
    operands = (node, *node.inputs)
    return operation_weight(node.op, is_complex=any(v.dtype.is_complex for v in operands))


def to_store(order: Sequence[Node], roots: AbstractSet[Node]) -> set[Node]:
    """What has to be stored, beside the roots, so that every kernel compiles within the budget."""
    stored: set[Node] = set()
    cones: dict[Node, frozenset[Node]] = {}

    def inlined(node: Node) -> frozenset[Node]:
        ends = node in roots or node in stored or node.op in {"leaf", "param"}
        return frozenset() if ends else cones[node]

    for node in order:
        while True:
            cone = frozenset({node}).union(*map(inlined, node.inputs))
            if compile_weight(cone) <= BUDGET:
                break
            heaviest = max(node.inputs, key=lambda child: compile_weight(inlined(child)))
            if not _can_be_stored(heaviest, inlined(heaviest)):
                break
            stored.add(heaviest)
        cones[node] = cone
    return stored


def _can_be_stored(node: Node, cone: frozenset[Node]) -> bool:
    """Whether storing a value takes anything off the kernels that read it."""
    worth = OPS[node.op].category in _PLAIN and node.op not in VIEW_OPS
    return worth and node.size > 1 and bool(cone)
