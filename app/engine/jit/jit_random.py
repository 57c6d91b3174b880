"""``rand``, ``randn`` and ``randi``: numbers of the session's stream, with the stream's own bits.

A number is a function of the stream's key and its place (`RandomStream`), so an array of them is
told by the place of its first; the stream stands behind the last as soon as they are asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.engine.jit import shapes_made
from app.engine.jit.arrays import Array
from app.engine.jit.builder import Refused, Val, number
from app.engine.jit.jit_types import DOUBLE, F64
from app.engine.language import ast

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.engine.jit.arrays import Operand
    from app.engine.jit.jit_expressions import Expressions
    from app.source import Span

    Made = Callable[[Expressions, tuple[ast.Expr, ...], Span], Operand | None]


def _drawn(low: Expressions, kind: str, sizes: tuple[ast.Expr, ...], span: Span) -> Operand:
    """Numbers of the stream, ``uniform`` or ``normal``: one, or an array of a size."""
    if len(sizes) > 3 or any(isinstance(a, ast.Char) for a in sizes):
        raise Refused("random numbers of another class or of more than three dimensions", span)
    extents = [shapes_made.extent(low, a) for a in sizes]
    if len(extents) < 2:
        extents *= 2
    draw = low.program.random_numbers(low.out, kind, low.out.product(*extents))

    def element(k: str) -> Val:
        return Val(DOUBLE, draw(k))

    if not extents:
        return element("0")
    rows, columns, *pages = extents
    made = Array(F64, rows, columns, element, computed=True, pages="".join(pages) or "1")
    return low.arrays.scalar_or_array(made)


def _plain(kind: str) -> Made:
    """``rand`` and ``randn``."""

    def made(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Operand:
        return _drawn(low, kind, args, span)

    return made


def _randi(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Operand:
    """``randi(most, …)`` and ``randi([least most], …)``."""
    if not args:
        raise Refused("'randi' without its limits", span)
    least, count = _limits(low, args[0], span)
    given = _drawn(low, "uniform", args[1:], span)

    def whole(v: Val) -> Val:
        scaled = low.out.op(f"fmul double {v.text}, {count.text}")
        down = low.out.call("double", "llvm.floor.f64", ("double", scaled))
        return Val(DOUBLE, low.out.op(f"fadd double {down}, {least.text}"))

    return whole(given) if isinstance(given, Val) else low.arrays.map(given, whole)


def _limits(low: Expressions, node: ast.Expr, span: Span) -> tuple[Val, Val]:
    """The least number, and how many there are from there on."""
    if isinstance(node, ast.Matrix):
        (row,) = node.rows if len(node.rows) == 1 else ((),)
        if len(row) != 2:
            raise Refused("limits of 'randi' in this form", span)
        least, most = (_whole(low, low.value(n), span) for n in row)
        between = low.out.op(f"sub i64 {most.whole}, {least.whole}")
        count = low.indexing.count(low.out.op(f"add i64 {between}, 1"))
    else:
        least, count = number(1.0), _whole(low, low.value(node), span)
    low.out.require(low.out.op(f"icmp sge i64 {count.whole}, 1"))
    return least, count


def _whole(low: Expressions, limit: Val, span: Span) -> Val:
    if low.arithmetic.kind(limit) is not F64:
        raise Refused("'randi' of another class", span)
    whole = limit.whole or low.arithmetic.whole_of(limit.text, 2.0**51)
    return Val(DOUBLE, limit.text, whole, 52)


DRAWN: dict[str, Made] = {"rand": _plain("uniform"), "randn": _plain("normal"), "randi": _randi}
"""Functions by name that draw."""
