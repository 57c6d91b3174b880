"""Reductions along the rows or columns of a matrix: ``sum(A, 2)``, ``[m, k] = max(A, [], 1)``.

NumPy adds up the elements of a column in its own order, which its loop knows, and adds columns of
several rows to one another one after the other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from app.engine.jit import maps
from app.engine.jit.arrays import MOST_COMPUTED, Array, Operand
from app.engine.jit.builder import Refused, Val
from app.engine.jit.jit_types import BOOL, C128, CHAR, DOUBLE, F64, LOGICAL, SCALARS, Kind
from app.engine.language import ast

if TYPE_CHECKING:
    from app.engine.jit.jit_expressions import Expressions
    from app.source import Span

DOWN, ACROSS = 1, 2
"""Dimensions along which is reduced."""


def dimension_of(node: ast.Expr, span: Span) -> int:
    """The dimension that an argument names."""
    if not isinstance(node, ast.Number) or node.value not in {DOWN, ACROSS}:
        raise Refused("a reduction in this form", span)
    return int(node.value)


def matrix_of(low: Expressions, node: ast.Expr, span: Span) -> Array:
    """An operand that is reduced along a dimension, with its elements in memory."""
    a = low.operand(node)
    if isinstance(a, Val):
        only = a
        a = Array(low.arithmetic.kind(a), "1", "1", lambda k: only)
    if a.kind in {C128, CHAR}:
        raise Refused("a reduction of another class than double", span)
    low.out.require(low.out.op(f"icmp ule i64 {low.arrays.count_of(a)}, {MOST_COMPUTED}"))
    return low.arrays.in_memory(a)


def has_columns(low: Expressions, given: Operand, span: Span) -> bool:
    """Whether an operand is reduced column by column where no dimension is named.

    An array of any size is taken for a vector until it was a matrix of several rows.
    """
    return isinstance(given, Array) and not given.is_vector and low.program.is_matrix(span)


def upright_matrix(low: Expressions, given: Operand) -> Array:
    """A matrix that is not empty, in memory; of one row the same elements as a column."""
    assert isinstance(given, Array)
    if given.kind in {C128, CHAR}:
        raise Refused("a reduction of another class than double")
    out, a = low.out, low.arrays.in_memory(given)
    count = low.arrays.count_of(a)
    out.require(out.op(f"icmp ugt i64 {count}, 0"))
    out.require(out.op(f"icmp ule i64 {count}, {MOST_COMPUTED}"))
    row = out.op(f"icmp eq i64 {a.rows}, 1")
    rows = out.choose(row, "i64", a.columns, a.rows)
    return replace(a, rows=rows, columns=out.choose(row, "i64", "1", a.columns), turned=None)


def folded_lines(
    low: Expressions, a: Array, axis: int, ufunc: str, start: float, span: Span
) -> Array:
    """Sums or products of doubles along a dimension of an array in memory."""
    if a.kind is not F64:
        if a.kind.is_float or (a.kind.is_integer and a.kind.bits == 64) or ufunc != "add":
            raise Refused("a reduction of another class than double", span)
        a = low.arrays.in_memory(low.arrays.map(a, lambda v: Val(DOUBLE, low.arithmetic.double(v))))
    if axis == ACROSS and a.rows != "1":
        return _across(low, a, ufunc)
    count, columns = (a.columns, "1") if axis == ACROSS else (a.rows, a.columns)
    made = low.arrays.allocate(F64, "1", columns)

    def column(j: str) -> None:
        line = replace(a, rows=count, columns="1", data=_column_at(low, a, j))
        total = Val(DOUBLE, maps.fold(low, ufunc, line, start))
        low.variables.put_element(made.data, j, total)

    low.arrays.each(columns, column)
    return made


def _across(low: Expressions, a: Array, ufunc: str) -> Array:
    """Columns added to, or multiplied by, the first one after the other."""
    out = low.out
    out.require(out.op(f"icmp ugt i64 {a.rows}, 1"))  # a line is folded in another order
    out.require(out.op(f"icmp ugt i64 {a.columns}, 0"))
    made = low.arrays.allocate(F64, a.rows, "1")
    low.arrays.each(a.rows, lambda i: low.variables.put_element(made.data, i, a.element(i)))
    word = "fadd" if ufunc == "add" else "fmul"

    def column(j: str) -> None:
        first = out.op(f"mul i64 {out.op(f'add i64 {j}, 1')}, {a.rows}")

        def row(i: str) -> None:
            here = a.element(out.op(f"add i64 {first}, {i}")).text
            total = out.op(f"{word} double {made.element(i).text}, {here}")
            low.variables.put_element(made.data, i, Val(DOUBLE, total))

        low.arrays.each(a.rows, row)

    low.arrays.each(out.op(f"add i64 {a.columns}, -1"), column)
    return made


def _column_at(low: Expressions, a: Array, j: str) -> str:
    first = low.out.op(f"mul i64 {j}, {a.rows}")
    return low.out.op(f"getelementptr {a.kind.memory}, ptr {a.data}, i64 {first}")


def each_line(low: Expressions, a: Array, axis: int, line: Callable[[str, str, str], None]) -> str:
    """``line(number, first, step)`` for every row or column; how many elements one has."""
    out = low.out
    count, length = (a.columns, a.rows) if axis == DOWN else (a.rows, a.columns)
    out.require(out.op(f"icmp ugt i64 {length}, 0"))

    def begin(k: str) -> None:
        if axis == DOWN:
            line(k, out.op(f"mul i64 {k}, {a.rows}"), "1")
        else:
            line(k, k, a.rows)

    low.arrays.each(count, begin)
    return length


def extreme_lines(
    low: Expressions, a: Array, axis: int, name: str, span: Span
) -> tuple[Array, Array]:
    """The largest or smallest elements along a dimension, and the first places of them.

    NaN and negative zeros are left to the interpreter.
    """
    if not (a.kind is F64 or a.kind.is_integer):
        raise Refused(f"'{name}' of another class than double", span)
    out = low.out
    rows, columns = ("1", a.columns) if axis == DOWN else (a.rows, "1")
    best, places = (low.arrays.allocate(k, rows, columns) for k in (a.kind, F64))
    length = a.rows if axis == DOWN else a.columns
    fine = out.slot(f"%b.{out.label('fine')}", "i1")
    out.store(fine, "i1", "true")

    def line(number: str, first: str, step: str) -> None:
        low.variables.put_element(best.data, number, a.element(first))
        low.variables.put_element(places.data, number, Val(DOUBLE, "1.0"))

        def look(k: str) -> None:
            x = a.element(out.op(f"add i64 {first}, {out.op(f'mul i64 {k}, {step}')}")).text
            held = best.element(number).text
            if a.kind is F64:
                usual = is_usual(low, x)
                out.store(fine, "i1", out.op(f"and i1 {out.load(fine, 'i1')}, {usual}"))
            better = out.op(f"{comparison(a.kind, name)} {x}, {held}")
            low.variables.put_element(
                best.data,
                number,
                Val(SCALARS[a.kind.name], out.choose(better, a.kind.llvm, x, held)),
            )
            at = out.op(f"sitofp i64 {out.op(f'add i64 {k}, 1')} to double")
            there = out.choose(better, "double", at, places.element(number).text)
            low.variables.put_element(places.data, number, Val(DOUBLE, there))

        low.arrays.each(length, look)

    each_line(low, a, axis, line)
    out.require(out.load(fine, "i1"))
    return best, places


def is_usual(low: Expressions, x: str) -> str:
    """Whether a double is neither NaN nor a negative zero."""
    bits = low.out.op(f"bitcast double {x} to i64")
    ordered = low.out.op(f"fcmp ord double {x}, {x}")
    return low.out.op(f"and i1 {ordered}, {low.out.op(f'icmp ne i64 {bits}, {-1 << 63}')}")


def comparison(kind: Kind, name: str) -> str:
    """The instruction that says whether an element is larger, or smaller, than another."""
    word = "gt" if name == "max" else "lt"
    if kind.is_integer:
        return f"icmp {'s' if kind.signed else 'u'}{word} {kind.llvm}"
    return f"fcmp o{word} {kind.llvm}"


def truth_lines(low: Expressions, a: Array, axis: int, every: bool, span: Span) -> Array:
    """``any`` and ``all`` along a dimension, of truth values or doubles."""
    if a.kind not in {F64, BOOL}:
        raise Refused("'any' or 'all' in this form", span)
    out = low.out
    rows, columns = ("1", a.columns) if axis == DOWN else (a.rows, "1")
    length = a.rows if axis == DOWN else a.columns
    made = low.arrays.allocate(BOOL, rows, columns)
    word = "and" if every else "or"

    def line(number: str, first: str, step: str) -> None:
        low.variables.put_element(made.data, number, Val(LOGICAL, "true" if every else "false"))

        def look(k: str) -> None:
            v = a.element(out.op(f"add i64 {first}, {out.op(f'mul i64 {k}, {step}')}"))
            test = v.text
            if a.kind is F64:  # NaN is true for `all`, and `any` does not look at it
                test = out.op(f"fcmp {'une' if every else 'one'} double {v.text}, 0.0")
            here = out.op(f"{word} i1 {made.element(number).text}, {test}")
            low.variables.put_element(made.data, number, Val(LOGICAL, here))

        low.arrays.each(length, look)

    each_line(low, a, axis, line)
    return made
