"""``a:b`` and ``a:s:b`` of whole numbers, whose elements are computed from their number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.engine.jit.builder import Refused, Val, number
from app.engine.jit.jit_types import F64
from app.engine.language import ast

if TYPE_CHECKING:
    from app.engine.jit.builder import Builder
    from app.engine.jit.jit_expressions import Expressions


@dataclass(frozen=True)
class WholeRange:
    """A range of whole numbers.

    Attributes:
        first: its first element, as an ``i64``.
        step: from one element to the next.
        count: how many there are.
    """

    first: str
    step: str
    count: str

    def offset(self, out: Builder, k: str) -> str:
        """How far the k-th element is from the first."""
        return k if self.step == "1" else out.op(f"mul i64 {k}, {self.step}")


def whole_range(low: Expressions, node: ast.Range) -> WholeRange:
    """The range; leaves where an element is no whole number."""
    start, stop = low.value(node.start), low.value(node.stop)
    step = number(1.0) if node.step is None else low.value(node.step)
    kinds = {low.arithmetic.kind(v) for v in (start, stop, step)}
    if kinds != {F64}:
        raise Refused("a range of another class than double", node.span)
    first = start.whole or low.arithmetic.whole_of(start.text, 2.0**40)
    by = step.whole or low.arithmetic.whole_of(step.text, 2.0**20)
    return WholeRange(first, by, count_of(low.out, node, start, step, stop))


def count_of(out: Builder, node: ast.Range, start: Val, step: Val, stop: Val) -> str:
    """How many elements a range of doubles has; leaves where that is no number."""
    count = out.call(
        "i64",
        "fuselab_count",
        ("double", start.text),
        ("double", step.text),
        ("double", stop.text),
        ("i1", "true" if node.step is None else "false"),
    )
    out.require(out.op(f"icmp sge i64 {count}, 0"))
    return count
