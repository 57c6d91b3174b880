"""``a:b`` and ``a:s:b``, whose elements are computed from their number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.engine.arguments.operation_rules import EPS
from app.engine.jit.arrays import Array
from app.engine.jit.builder import Refused, Val, number
from app.engine.jit.jit_types import DOUBLE, F64
from app.engine.language import ast
from app.records import record

if TYPE_CHECKING:
    from app.engine.jit.builder import Builder
    from app.engine.jit.jit_expressions import Expressions


@record
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


def range_of(low: Expressions, node: ast.Range) -> Array:
    """``a:b`` and ``a:s:b``; of whole numbers, until one of them was none."""
    start, step, stop = _ends(low, node)
    if _is_fraction(node.start) or _is_fraction(node.step) or low.program.was_wrong(node.span):
        return _symmetric_range(low, node, start, step, stop)
    if not (start.whole and step.whole):
        low.program.require_guess(low.out, _are_whole(low, start, step), node.span)
    found = _whole_range(low, node, start, step, stop)

    def element(k: str) -> Val:
        whole = low.out.op(f"add i64 {found.first}, {found.offset(low.out, k)}")
        return Val(DOUBLE, low.out.op(f"sitofp i64 {whole} to double"), whole, 50)

    return Array(F64, "1", found.count, element, computed=True)


def whole_range(low: Expressions, node: ast.Range) -> WholeRange:
    """The range; leaves where an element is no whole number."""
    return _whole_range(low, node, *_ends(low, node))


def _ends(low: Expressions, node: ast.Range) -> tuple[Val, Val, Val]:
    """The first element, the step and the limit."""
    start, stop = low.value(node.start), low.value(node.stop)
    step = number(1.0) if node.step is None else low.value(node.step)
    if {low.arithmetic.kind(v) for v in (start, stop, step)} != {F64}:
        raise Refused("a range of another class than double", node.span)
    return start, step, stop


def _whole_range(low: Expressions, node: ast.Range, start: Val, step: Val, stop: Val) -> WholeRange:
    first = start.whole or low.arithmetic.whole_of(start.text, 2.0**40)
    by = step.whole or low.arithmetic.whole_of(step.text, 2.0**20)
    return WholeRange(first, by, count_of(low.out, node, start, step, stop))


def _is_fraction(node: ast.Expr | None) -> bool:
    return isinstance(node, ast.Number) and not float(node.value).is_integer()


def _are_whole(low: Expressions, *values: Val) -> str:
    """Whether doubles are whole numbers, as an ``i1``."""
    made = "true"
    for v in values:
        trunc = low.out.call("double", "llvm.trunc.f64", ("double", v.text))
        made = low.out.op(f"and i1 {made}, {low.out.op(f'fcmp oeq double {trunc}, {v.text}')}")
    return made


def _symmetric_range(low: Expressions, node: ast.Range, start: Val, step: Val, stop: Val) -> Array:
    """A range computed from both ends, as the interpreter does (`ranges.double_range`)."""
    out, a, s = low.out, start.text, step.text
    count = count_of(out, node, start, step, stop)
    n = out.op(f"add i64 {count}, -1")
    half = out.op(f"ashr i64 {n}, 1")
    even = out.op(f"icmp eq i64 {out.op(f'and i64 {n}, 1')}, 0")

    def times(k: str) -> str:
        return out.op(f"fmul double {s}, {out.op(f'sitofp i64 {k} to double')}")

    last = _last(low, start, stop, step, out.op(f"fadd double {a}, {times(n)}"))
    middle = out.op(f"fmul double {out.op(f'fadd double {a}, {last}')}, {number(0.5).text}")

    def element(k: str) -> Val:
        up = out.op(f"fadd double {a}, {times(k)}")
        down = out.op(f"fsub double {last}, {times(out.op(f'sub i64 {n}, {k}'))}")
        made = out.choose(out.op(f"icmp sgt i64 {k}, {half}"), "double", down, up)
        inner = out.op(f"and i1 {even}, {out.op(f'icmp eq i64 {k}, {half}')}")
        return Val(DOUBLE, out.choose(inner, "double", middle, made))

    return Array(F64, "1", count, element, computed=True)


def _last(low: Expressions, start: Val, stop: Val, step: Val, reached: str) -> str:
    """The last element: the limit itself where that is meant (`operation_rules.last_of`)."""
    out = low.out
    sizes = [out.call("double", "llvm.fabs.f64", ("double", v.text)) for v in (start, stop)]
    larger = out.choose(out.op(f"fcmp ogt double {sizes[0]}, {sizes[1]}"), "double", *sizes)
    tolerance = out.op(f"fmul double {number(-2.0 * EPS).text}, {larger}")
    beyond = out.op(f"fsub double {reached}, {stop.text}")
    upwards = out.op(f"fcmp ogt double {step.text}, {number(0.0).text}")
    beyond = out.choose(upwards, "double", beyond, out.op(f"fneg double {beyond}"))
    near = out.op(f"fcmp ogt double {beyond}, {tolerance}")
    fraction = out.op(f"xor i1 {_are_whole(low, start, step)}, true")
    return out.choose(out.op(f"and i1 {near}, {fraction}"), "double", stop.text, reached)


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
