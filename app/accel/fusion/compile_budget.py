"""How long a kernel takes to compile, estimated before it is planned, and where it is cut for that.

Shader compilers take time in proportion to what they are given, and worse: a normal draw is worth
a hundred additions to them, an elementary function some tens. A kernel whose estimate exceeds the
budget is planned as several: values on the way are stored. Cuts are made operands first and at the
heaviest operand, so that what repeats itself is cut alike, and its parts share a kernel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.accel.fusion.index_map import VIEW_OPS
from app.accel.ir.ops import OPS, Category

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from collections.abc import Set as AbstractSet

    from app.accel.ir.node import Node
    from app.accel.ir.plan import KernelRequest

BUDGET = 400
"""Compile weight (one addition) of a kernel: four normal draws, or six to nine functions. Software
adapters and drivers of graphics cards take about half a second for it."""
HEAVIEST = 100
"""The weight of a normal draw; no operation weighs more."""
LONG = 10
"""Cost from which an operation is an elementary function: a text of its own, not an instruction."""
WEIGHTS = {
    name: spec.costs.units if spec.costs.units < LONG else min(3 * spec.costs.units, HEAVIEST)
    for name, spec in OPS.items()
}
"""Measured on Mesa's adapter: an addition 2 ms, a normal draw 130, functions 80 to 400."""
_PLAIN = {Category.ELEMENTWISE, Category.CAST, Category.RANDOM, Category.INDEX}


FIXED = 75
"""The weight of a kernel of nothing: what a compiler takes before it sees any arithmetic."""


def kernel_weight(kernel: KernelRequest) -> int:
    """Estimated work of compiling a kernel, what every kernel takes included."""
    steps = kernel.loop.steps if kernel.loop is not None else ()
    instrs = (*kernel.body, *steps, *kernel.epilogue)
    return FIXED + sum(WEIGHTS.get(instr.op, 1) for instr in instrs)


def compile_weight(nodes: Iterable[Node]) -> int:
    """Estimated work of compiling a kernel that computes these."""
    return sum(WEIGHTS[node.op] for node in nodes)


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
