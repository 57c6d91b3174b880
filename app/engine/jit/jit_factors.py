"""Factors of small matrices by the interpreter's LAPACK: ``lu``, ``qr``, ``chol``, 2-norms.

What is not finite, or not positive definite, is left to the interpreter.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from app.engine.jit.arrays import Array
from app.engine.jit.builder import Refused, Val, number
from app.engine.jit.jit_systems import MOST_ROWS, Lapack, square
from app.engine.jit.jit_types import DOUBLE, F64, INTEGERS, SCALARS
from app.engine.jit.layout import place_of, row_and_column

if TYPE_CHECKING:
    from app.engine.jit.arrays import Operand
    from app.engine.jit.jit_expressions import Expressions
    from app.engine.language import ast
    from app.source import Span

_BLOCK = 32
"""Words for each row that the interpreter gives LAPACK for reflections."""
_ZERO, _ONE = number(0.0).text, number(1.0).text


def _factored(
    low: Expressions, args: tuple[ast.Expr, ...], name: str, span: Span
) -> tuple[Array, Lapack]:
    """A copy of the argument, a small square matrix of finite numbers, and who factors it."""
    if len(args) != 1:
        raise Refused(f"'{name}' in this form", span)
    a = square(low, low.operand(args[0]), f"'{name}'", span)
    _require_finite(low, a)
    return low.arrays.copy_of(replace(a, fresh=False)), Lapack(low, a.rows)


def _require_finite(low: Expressions, a: Array) -> None:
    out = low.out
    total = out.slot(f"%d.{out.label('finite')}", "double")
    out.store(total, "double", _ZERO)

    def add(k: str) -> None:
        nothing = out.op(f"fmul double {a.element(k).text}, {_ZERO}")
        out.store(total, "double", out.op(f"fadd double {out.load(total, 'double')}, {nothing}"))

    low.arrays.each(low.arrays.count_of(a), add)
    out.require(out.op(f"fcmp oeq double {out.load(total, 'double')}, {_ZERO}"))


def _part(low: Expressions, packed: Array, order: str, diagonal: str = "") -> Array:
    """The elements whose row is so ordered to the column, and a diagonal; zeros beside them."""
    out = low.out

    def element(k: str) -> Val:
        row, column = row_and_column(out, k, packed.rows)
        here = out.op(f"icmp {order} i64 {row}, {column}")
        made = out.choose(here, "double", packed.element(k).text, _ZERO)
        if diagonal:
            made = out.choose(out.op(f"icmp eq i64 {row}, {column}"), "double", diagonal, made)
        return Val(DOUBLE, made)

    return low.arrays.copy_of(Array(F64, packed.rows, packed.columns, element, computed=True))


def lower_upper(
    low: Expressions, args: tuple[ast.Expr, ...], count: int, span: Span
) -> tuple[Operand, ...]:
    """``[L, U] = lu(A)`` and ``[L, U, P] = lu(A)``."""
    if count > 3:
        raise Refused("'lu' in this form", span)
    packed, lapack = _factored(low, args, "lu", span)
    places = packed.data, lapack.rows, lapack.pivots, lapack.info
    lapack.call("getrf", lapack.rows, lapack.rows, *places)
    lower, upper = _part(low, packed, "sgt", _ONE), _part(low, packed, "sle")
    order = _order(low, packed.rows, lapack.pivots)
    if count == 2:
        return _back(low, lower, order), upper
    permuted = low.arrays.allocate(F64, packed.rows, packed.rows)
    total = low.arrays.count_of(packed)
    low.arrays.each(total, lambda k: low.variables.put_element(permuted.data, k, number(0.0)))

    def mark(k: str) -> None:
        column = low.variables.element(order, k, INTEGERS["int64"]).text
        place = place_of(low.out, k, column, packed.rows)
        low.variables.put_element(permuted.data, place, number(1.0))

    low.arrays.each(packed.rows, mark)
    return lower, upper, permuted


def _order(low: Expressions, rows: str, pivots: str) -> str:
    """Where the rows lie that the interchanges bring to the front, one after the other."""
    out, kind = low.out, INTEGERS["int64"]
    order = low.arrays.allocate(kind, "1", str(MOST_ROWS)).data
    whole = SCALARS["int64"]
    low.arrays.each(rows, lambda k: low.variables.put_element(order, k, Val(whole, k)))

    def exchange(k: str) -> None:
        place = out.op(f"getelementptr i32, ptr {pivots}, i64 {k}")
        other = out.op(f"sext i32 {out.op(f'load i32, ptr {place}')} to i64")
        other = out.op(f"add i64 {other}, -1")
        first, second = (low.variables.element(order, at, kind) for at in (k, other))
        low.variables.put_element(order, k, second)
        low.variables.put_element(order, other, first)

    low.arrays.each(rows, exchange)
    return order


def _back(low: Expressions, a: Array, order: str) -> Array:
    """The rows of ``a`` where they came from."""
    made = low.arrays.allocate(F64, a.rows, a.columns)

    def put(k: str) -> None:
        row, column = row_and_column(low.out, k, a.rows)
        there = low.variables.element(order, row, INTEGERS["int64"]).text
        low.variables.put_element(made.data, place_of(low.out, there, column, a.rows), a.element(k))

    low.arrays.each(low.arrays.count_of(a), put, a.rows)
    return made


def orthogonal_triangular(
    low: Expressions, args: tuple[ast.Expr, ...], count: int, span: Span
) -> tuple[Operand, ...]:
    """``[Q, R] = qr(A)``."""
    if count != 2:
        raise Refused("'qr' in this form", span)
    packed, lapack = _factored(low, args, "qr", span)
    room = lapack.number(low.out.op(f"mul i64 {packed.rows}, {_BLOCK}"))
    scales, work = lapack.room("double", 1), lapack.room("double", _BLOCK)
    rest = packed.data, lapack.rows, scales, work, room, lapack.info
    lapack.call("geqrf", lapack.rows, lapack.rows, *rest)
    upper = _part(low, packed, "sle")
    lapack.call("orgqr", lapack.rows, lapack.rows, lapack.rows, *rest)
    return packed, upper


def cholesky(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Operand | None:
    """``chol(A)`` of a positive definite matrix."""
    packed, lapack = _factored(low, args, "chol", span)
    places = packed.data, lapack.rows, lapack.info
    lapack.call("potrf", lapack.word("U"), lapack.rows, *places)
    lapack.require_success()
    return _part(low, packed, "sle")


def largest_singular_value(low: Expressions, a: Array, span: Span) -> Val:
    """The 2-norm of a small matrix of finite numbers; vectors are left."""
    if a.pages != "1":
        raise Refused("'norm' in this form", span)
    out = low.out
    for side in (a.rows, a.columns):
        out.require(out.op(f"icmp ult i64 {out.op(f'add i64 {side}, -2')}, {MOST_ROWS - 1}"))
    a = low.arrays.in_memory(a)
    _require_finite(low, a)
    copy, lapack = low.arrays.copy_of(replace(a, fresh=False)), Lapack(low, a.rows)
    sides, one = (lapack.rows, lapack.number(a.columns)), lapack.number("1")
    values, unused = lapack.room("double", 1), (lapack.room("double", 1), one)
    room = lapack.room("double", _BLOCK), lapack.number(str(_BLOCK * MOST_ROWS))
    whole = lapack.room("i32", _WHOLE)
    places = copy.data, lapack.rows, values, *unused, *unused, *room, whole, lapack.info
    lapack.call("gesdd", lapack.word("N"), *sides, *places)
    lapack.require_success()
    return Val(DOUBLE, out.load(values, "double"))


_WHOLE = 8
"""Whole numbers for each row that LAPACK needs room for beside singular values."""

FACTORS: dict[str, Callable[..., tuple[Operand, ...]]] = {
    "lu": lower_upper,
    "qr": orthogonal_triangular,
}
"""Functions with two outputs or more, by name."""
