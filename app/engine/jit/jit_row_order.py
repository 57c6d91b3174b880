"""``sortrows`` of a matrix of doubles: rows in order, equal ones as they stood.

NaN and negative zeros are left to the interpreter, and so are many rows, which other ways sort
faster.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from app.engine.jit import jit_lines
from app.engine.jit.arrays import Array
from app.engine.jit.builder import Refused, Val, number
from app.engine.jit.jit_sorting import LONGEST
from app.engine.jit.jit_types import DOUBLE, F64, INTEGERS, SCALARS
from app.engine.jit.layout import place_of, row_and_column
from app.engine.language import ast

if TYPE_CHECKING:
    from app.engine.jit.arrays import Operand
    from app.engine.jit.jit_expressions import Expressions
    from app.source import Span

_PLACE = INTEGERS["int64"]
_REFUSAL = "'sortrows' in this form"
Key = tuple[int, bool]
"""A column, from 0, and whether the largest comes first."""


def sortrows(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> tuple[Operand, Operand]:
    """``[B, i] = sortrows(A)`` and ``sortrows(A, columns)`` for columns that the text says."""
    given = low.operand(args[0]) if len(args) in {1, 2} else None
    if not isinstance(given, Array) or given.kind is not F64:
        raise Refused(_REFUSAL, span)
    keys = _keys(args[1]) if len(args) == 2 else None
    out = low.out
    out.require(out.op(f"icmp ule i64 {given.rows}, {LONGEST}"))
    for column, _ in keys or ():
        out.require(out.op(f"icmp ugt i64 {given.columns}, {column}"))
    if given.rows == "1":
        return given, number(1.0)
    a = low.arrays.in_memory(given)
    _require_usual(low, a)
    order = _order(low, a, keys)

    def element(k: str) -> Val:
        row, column = row_and_column(out, k, a.rows)
        return a.element(place_of(out, order.element(row).text, column, a.rows))

    def place(k: str) -> Val:
        following = out.op(f"add i64 {order.element(k).text}, 1")
        return Val(DOUBLE, out.op(f"sitofp i64 {following} to double"))

    made = Array(F64, a.rows, a.columns, element, computed=True)
    return made, Array(F64, a.rows, "1", place, computed=True)


def sorted_rows(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Operand | None:
    """``B = sortrows(A)``."""
    return sortrows(low, args, span)[0]


def _keys(node: ast.Expr) -> list[Key]:
    """The columns that are named in the text, those from the largest on with a minus."""
    nodes = node.rows[0] if isinstance(node, ast.Matrix) and len(node.rows) == 1 else (node,)
    keys = []
    for item in nodes:
        falling = isinstance(item, ast.Unary) and item.op == "-"
        column = item.operand if isinstance(item, ast.Unary) and falling else item
        if not isinstance(column, ast.Number) or column.imaginary or column.value < 1:
            raise Refused(_REFUSAL, node.span)
        if column.value != int(column.value):
            raise Refused(_REFUSAL, node.span)
        keys.append((int(column.value) - 1, falling))
    return keys


def _require_usual(low: Expressions, a: Array) -> None:
    out = low.out
    fine = out.slot(f"%q.{out.label('usual')}", "i1")
    out.store(fine, "i1", "true")

    def look(k: str) -> None:
        usual = jit_lines.is_usual(low, a.element(k).text)
        out.store(fine, "i1", out.op(f"and i1 {out.load(fine, 'i1')}, {usual}"))

    low.arrays.each(low.arrays.count_of(a), look)
    out.require(out.load(fine, "i1"))


def _order(low: Expressions, a: Array, keys: list[Key] | None) -> Array:
    """The rows, from 0, in order: each is put before those that come after it."""
    out = low.out
    order = low.arrays.allocate(_PLACE, a.rows, "1")
    at = out.slot(f"%q.{out.label('sorted')}", "i64")

    def insert(k: str) -> None:
        out.store(at, "i64", k)
        test, look, move, done = (out.label(h) for h in ("insert", "look", "move", "inserted"))
        out.start(test)
        here = out.load(at, "i64")
        out.branch(out.op(f"icmp sgt i64 {here}, 0"), look, done)
        out.start(look)
        before = out.op(f"add i64 {here}, -1")
        other = order.element(before)
        _compare(low, a, keys, (other.text, k), (move, done))
        out.start(move)
        low.variables.put_element(order.data, here, other)
        out.store(at, "i64", before)
        out.jump(test)
        out.start(done)
        low.variables.put_element(order.data, out.load(at, "i64"), Val(SCALARS["int64"], k))

    low.arrays.each(a.rows, insert)
    return order


def _compare(
    low: Expressions,
    a: Array,
    keys: list[Key] | None,
    rows: tuple[str, str],
    ways: tuple[str, str],
) -> None:
    """Go the first way where the first row comes after the second one, else the other."""
    out = low.out

    def by_column(column: str, order: str, tied: str) -> None:
        x, y = (a.element(place_of(out, row, column, a.rows)).text for row in rows)
        apart = out.label("apart")
        out.branch(out.op(f"fcmp one double {x}, {y}"), apart, tied)
        out.start(apart)
        out.branch(out.op(f"fcmp {order} double {x}, {y}"), *ways)
        out.start(tied)

    if keys is None:
        _each_column(low, a, by_column)
    for column, falling in keys or ():
        by_column(str(column), "olt" if falling else "ogt", out.label("tied"))
    out.jump(ways[1])


def _each_column(low: Expressions, a: Array, look: Callable[[str, str, str], None]) -> None:
    """Look at one column after the other while rows are tied; goes on where all are."""
    out = low.out
    test, inside, tied, done = (out.label(h) for h in ("columns", "column", "tied", "alike"))
    slot = out.slot(f"%i.{test}", "i64")
    out.store(slot, "i64", "0")
    out.start(test)
    column = out.load(slot, "i64")
    out.branch(out.op(f"icmp slt i64 {column}, {a.columns}"), inside, done)
    out.start(inside)
    look(column, "ogt", tied)
    out.store(slot, "i64", out.op(f"add nsw i64 {column}, 1"))
    out.jump(test)
    out.start(done)
