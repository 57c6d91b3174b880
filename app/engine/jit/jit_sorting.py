"""Vectors of doubles in order: ``sort``, ``unique``, ``median``.

NaN and negative zeros are left to the interpreter, and so are long vectors, which other ways sort
faster.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.engine.jit import jit_lines
from app.engine.jit.arrays import Array
from app.engine.jit.builder import Refused, Val, number
from app.engine.jit.jit_types import DOUBLE, F64
from app.engine.language import ast

if TYPE_CHECKING:
    from app.engine.jit.arrays import Operand
    from app.engine.jit.jit_expressions import Expressions
    from app.source import Span

LONGEST = 256
"""Elements that are put in order by inserting one after the other."""


def _vector(low: Expressions, node: ast.Expr, name: str, span: Span) -> Array:
    """A row or column of doubles, as its type says."""
    given = low.operand(node)
    if not isinstance(given, Array) or given.kind is not F64 or not given.is_vector:
        raise Refused(f"'{name}' in this form", span)
    low.out.require(low.out.op(f"icmp ule i64 {low.arrays.count_of(given)}, {LONGEST}"))
    return low.arrays.in_memory(given)


def ordered(low: Expressions, a: Array, falling: bool = False) -> tuple[Array, Array]:
    """The elements in order, equal ones as they stood, and their places from 1."""
    out = low.out
    values, places = (low.arrays.allocate(F64, a.rows, a.columns) for _ in range(2))
    at, fine = (out.slot(f"%q.{out.label('sorted')}", kind) for kind in ("i64", "i1"))
    out.store(fine, "i1", "true")
    order = "olt" if falling else "ogt"

    def insert(k: str) -> None:
        x = a.element(k)
        usual = jit_lines.is_usual(low, x.text)
        out.store(fine, "i1", out.op(f"and i1 {out.load(fine, 'i1')}, {usual}"))
        out.store(at, "i64", k)
        test, look, move, done = (out.label(h) for h in ("insert", "look", "move", "inserted"))
        out.start(test)
        here = out.load(at, "i64")
        out.branch(out.op(f"icmp sgt i64 {here}, 0"), look, done)
        out.start(look)
        before = out.op(f"add i64 {here}, -1")
        other = values.element(before)
        out.branch(out.op(f"fcmp {order} double {other.text}, {x.text}"), move, done)
        out.start(move)
        low.variables.put_element(values.data, here, other)
        low.variables.put_element(places.data, here, places.element(before))
        out.store(at, "i64", before)
        out.jump(test)
        out.start(done)
        place = out.load(at, "i64")
        low.variables.put_element(values.data, place, x)
        number_of = out.op(f"sitofp i64 {out.op(f'add i64 {k}, 1')} to double")
        low.variables.put_element(places.data, place, Val(DOUBLE, number_of))

    low.arrays.each(low.arrays.count_of(a), insert)
    out.require(out.load(fine, "i1"))
    return values, places


_DIRECTIONS = {"ascend": False, "descend": True}


def sort(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> tuple[Array, Array]:
    """``[s, i] = sort(x)`` and ``sort(x, 'descend')`` of a row or column."""
    way = args[1] if len(args) == 2 else None
    known = way.value.lower() if isinstance(way, ast.Char) else "ascend"
    if len(args) not in {1, 2} or (way and not isinstance(way, ast.Char)):
        raise Refused("'sort' in this form", span)
    if known not in _DIRECTIONS:
        raise Refused("'sort' in this form", span)
    return ordered(low, _vector(low, args[0], "sort", span), _DIRECTIONS[known])


def _sorted(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Operand | None:
    return sort(low, args, span)[0]


def _unique(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Operand | None:
    """The different elements of a row or column with elements."""
    if len(args) != 1:
        raise Refused("'unique' in this form", span)
    a = _vector(low, args[0], "unique", span)
    out = low.out
    out.require(out.op(f"icmp ugt i64 {low.arrays.count_of(a)}, 1"))
    values, _ = ordered(low, a)
    last = out.slot(f"%q.{out.label('different')}", "i64")
    out.store(last, "i64", "0")

    def keep(k: str) -> None:
        x = values.element(out.op(f"add i64 {k}, 1"))
        held = out.load(last, "i64")
        other = out.op(f"fcmp one double {x.text}, {values.element(held).text}")
        place = out.op(f"add i64 {held}, {out.op(f'zext i1 {other} to i64')}")
        low.variables.put_element(values.data, place, x)
        out.store(last, "i64", place)

    low.arrays.each(out.op(f"add i64 {low.arrays.count_of(a)}, -1"), keep)
    count = out.op(f"add i64 {out.load(last, 'i64')}, 1")
    rows, columns = ("1", count) if a.rows == "1" else (count, "1")
    return Array(F64, rows, columns, values.element, data=values.data, fresh=True)


def _median(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Operand | None:
    """The middle element of a row or column with elements, or the mean of the two in the middle."""
    if len(args) != 1:
        raise Refused("'median' in this form", span)
    a = _vector(low, args[0], "median", span)
    out, count = low.out, low.arrays.count_of(a)
    out.require(out.op(f"icmp ne i64 {count}, 0"))
    values, _ = ordered(low, a)
    high = out.op(f"lshr i64 {count}, 1")
    low_ = out.op(f"lshr i64 {out.op(f'add i64 {count}, -1')}, 1")
    above, below = (values.element(k).text for k in (high, low_))
    mean = out.op(f"fdiv double {out.op(f'fadd double {below}, {above}')}, {number(2.0).text}")
    alone = out.op(f"icmp eq i64 {high}, {low_}")
    return Val(DOUBLE, out.choose(alone, "double", above, mean))


GIVE_VECTORS = frozenset(("sort", "unique"))
SORTED = {"sort": _sorted, "unique": _unique, "median": _median}
"""Functions of vectors in order, by name."""
