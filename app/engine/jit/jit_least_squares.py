"""Least-squares solutions of small systems that are not square, by the interpreter's LAPACK.

What has dependent columns is left to the interpreter, which warns.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app.accel.numerics.pivoted_factors import UNBLOCKED
from app.engine.jit.arrays import Array
from app.engine.jit.builder import Refused, Val, number
from app.engine.jit.jit_systems import MOST_ROWS, Lapack
from app.engine.jit.jit_types import F64, SCALARS
from app.engine.jit.layout import place_of, row_and_column
from app.engine.operators.linear_solves import EPS, FEW

if TYPE_CHECKING:
    from app.engine.jit.arrays import Operand
    from app.engine.jit.jit_expressions import Expressions
    from app.source import Span

_WORK = 3
"""Words for each column, and as many more, that SciPy gives LAPACK to factor with pivots."""
_INT32 = SCALARS["int32"]


def solution(low: Expressions, a: Array, b: Operand, span: Span) -> Operand:
    """``a \\ b`` of a matrix of full rank with more rows than columns.

    Of fewer rows MATLAB and Octave take different solutions; those are the interpreter's.
    """
    if isinstance(b, Val) or a.kind is not F64 or b.kind is not F64 or {a.pages, b.pages} != {"1"}:
        raise Refused("a system of equations in this form", span)
    side = _require_small(low, a, b)
    lapack = Lapack(low, a.rows)
    packed, right = (low.arrays.copy_of(replace(x, fresh=False)) for x in (a, b))
    columns, scales = lapack.number(a.columns), lapack.room("double", 1)
    low.arrays.each(a.columns, lambda k: _put(low, lapack.pivots, k, Val(_INT32, "0")))
    room = lapack.number(
        low.out.op(f"add i64 {low.out.op(f'mul i64 {a.columns}, {_WORK}')}, {_WORK}")
    )
    work = lapack.room("double", _WORK + 1)
    given = packed.data, lapack.rows, lapack.pivots, scales, work, room, lapack.info
    lapack.call("geqp3", lapack.rows, columns, *given)
    _require_full_rank(low, packed, side)
    solved = _solved(low, lapack, (packed, scales), right, side)
    return low.arrays.scalar_or_array(_placed(low, lapack, a, solved))


def _require_small(low: Expressions, a: Array, b: Array) -> str:
    """Leave where another way may be taken; gives the lesser of rows and columns."""
    out = low.out
    for test, first, second in (("eq", a.rows, b.rows), ("ugt", a.rows, a.columns)):
        if first != second:
            out.require(out.op(f"icmp {test} i64 {first}, {second}"))
    for x in (a, b):
        for extent, most in ((low.arrays.count_of(x), FEW), (x.columns, MOST_ROWS)):
            out.require(out.op(f"icmp ult i64 {out.op(f'add i64 {extent}, -1')}, {most}"))
    side = out.call("i64", "llvm.umin.i64", ("i64", a.rows), ("i64", a.columns))
    out.require(out.op(f"icmp ule i64 {side}, {UNBLOCKED}"))
    return side


def _put(low: Expressions, place: str, k: str, v: Val) -> None:
    low.variables.put_element(place, k, v)


def _require_full_rank(low: Expressions, packed: Array, side: str) -> None:
    """Leave where a number on the diagonal of R counts as zero, or is none."""
    out = low.out

    def size(k: str) -> str:
        found = packed.element(place_of(out, k, k, packed.rows)).text
        return out.call("double", "llvm.fabs.f64", ("double", found))

    longest = out.call("i64", "llvm.umax.i64", ("i64", packed.rows), ("i64", packed.columns))
    least = out.op(f"fmul double {out.op(f'sitofp i64 {longest} to double')}, {number(EPS).text}")
    least = out.op(f"fmul double {least}, {size('0')}")
    low.arrays.each(side, lambda k: out.require(out.op(f"fcmp ogt double {size(k)}, {least}")))


def _solved(
    low: Expressions, lapack: Lapack, factors: tuple[Array, str], right: Array, side: str
) -> Array:
    """The unknowns in the order of R's columns."""
    packed, scales = factors
    rank, columns = lapack.number(side), lapack.number(right.columns)
    places = rank, packed.data, lapack.rows, scales, right.data, lapack.rows
    work = lapack.room("double", 1), columns, lapack.info
    left = lapack.word("L"), lapack.word("T"), lapack.rows, columns
    lapack.call("ormqr", *left, *places, *work)
    upper, found = (
        low.arrays.copy_of(_corner(low, x, side, n))
        for x, n in ((packed, side), (right, right.columns))
    )
    plain = lapack.word("N")
    places = rank, columns, upper.data, rank, found.data, rank
    lapack.call("trtrs", lapack.word("U"), plain, plain, *places, lapack.info)
    return found


def _corner(low: Expressions, a: Array, rows: str, columns: str) -> Array:
    """The first rows and columns."""

    def element(k: str) -> Val:
        return a.element(place_of(low.out, *row_and_column(low.out, k, rows), a.rows))

    return Array(F64, rows, columns, element, computed=True)


def _placed(low: Expressions, lapack: Lapack, a: Array, solved: Array) -> Array:
    """The unknowns where their columns stood in ``a``; zeros for those that take no part."""
    out = low.out
    made = low.arrays.allocate(F64, a.columns, solved.columns)
    low.arrays.each(low.arrays.count_of(made), lambda k: _put(low, made.data, k, number(0.0)))

    def put(k: str) -> None:
        row, column = row_and_column(out, k, solved.rows)
        place = out.op(f"getelementptr i32, ptr {lapack.pivots}, i64 {row}")
        there = out.op(f"sext i32 {out.op(f'load i32, ptr {place}')} to i64")
        there = place_of(out, out.op(f"add i64 {there}, -1"), column, made.rows)
        _put(low, made.data, there, solved.element(k))

    low.arrays.each(low.arrays.count_of(solved), put, solved.rows)
    return made
