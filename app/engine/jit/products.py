"""Operators of matrices: products by BLAS, which the interpreter calls in the same way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.engine.jit import complex_arrays, external, jit_least_squares, jit_powers, jit_systems
from app.engine.jit.builder import Refused, Val, number
from app.engine.jit.jit_types import DOUBLE, F64
from app.engine.jit.layout import place_of, row_and_column

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.engine.jit.arrays import Array, Operand
    from app.engine.jit.jit_expressions import Expressions
    from app.source import Span

MOST_PRODUCTS = 1 << 22
"""Multiplications of one product here; larger ones are worth several threads or a device."""
_COLUMN_MAJOR, _PLAIN, _TURNED, _LOWER = "102", "111", "112", "122"
_KINDS = {
    "dot": "i64, ptr, i64, ptr, i64",
    "gemv": "i32, i32, i64, i64, double, ptr, i64, ptr, i64, double, ptr, i64",
    "gemm": "i32, i32, i32, i64, i64, i64, double, ptr, i64, ptr, i64, double, ptr, i64",
    "syrk": "i32, i32, i32, i64, i64, double, ptr, i64, double, ptr, i64",
}


def matrix_operator(
    low: Expressions, op: str, left: Operand, right: Operand, span: Span
) -> Operand:
    """``left op right``, where ``*``, ``/``, ``\\`` and ``^`` are those of matrices."""
    arrays = not isinstance(left, Val), not isinstance(right, Val)
    if complex_arrays.is_complex(left, right):
        if all(arrays) and op in {"*", "/", "\\", "^"}:
            raise Refused("a product of complex matrices", span)
        return complex_arrays.operate(low, op, left, right, span)
    matrices = op in {"*", "/", "\\", "^"} and all(arrays)
    if matrices and any(not isinstance(x, Val) and x.pages != "1" for x in (left, right)):
        raise Refused("a product of arrays of three dimensions", span)
    if op == "*" and all(arrays):
        assert not isinstance(left, Val)
        assert not isinstance(right, Val)
        return product(low, left, right, span)
    if op == "\\" and not isinstance(left, Val):
        return _solution(low, left, right, span)
    if op == "/" and not isinstance(right, Val):
        return _division(low, left, right, span)
    if op == "^" and any(arrays):
        raise Refused("a power of matrices", span)
    if op == ".^" and any(arrays):
        return jit_powers.power(low, left, right, span)
    return low.arrays.operate(op, left, right, span)


def _solution(low: Expressions, a: Array, b: Operand, span: Span) -> Operand:
    """``a \\ b``; a matrix of any size is taken for a square one until it was none."""
    extents = a.rows, a.columns
    known = all(n.isdigit() for n in extents) and a.rows != a.columns
    if known or a.is_vector or low.program.was_wrong(span):
        return jit_least_squares.solution(low, a, b, span)
    if a.rows != a.columns:
        test = low.out.op(f"icmp eq i64 {a.rows}, {a.columns}")
        low.program.require_guess(low.out, test, span)
    return jit_systems.solution(low, a, b, span)


def _division(low: Expressions, left: Operand, right: Array, span: Span) -> Operand:
    """``left / right`` by a matrix."""
    if isinstance(left, Val):
        raise Refused("a division by a matrix in this form", span)
    turned = [low.arrays.transpose_of(x) for x in (right, left)]
    found = _solution(low, turned[0], turned[1], span)
    return found if isinstance(found, Val) else low.arrays.transpose_of(found)


def product(low: Expressions, a: Array, b: Array, span: Span) -> Operand:
    """``a * b`` of two arrays."""
    if not a.kind is b.kind is F64:
        raise Refused("a product of matrices of another class than double", span)
    if a.columns != b.rows:
        low.out.require(low.out.op(f"icmp eq i64 {a.columns}, {b.rows}"))
    if a.columns == "1" and b.rows == "1":
        return _outer(low, a, b, span)
    low.program.wide = True
    if a.rows == b.columns == "1":
        return dot(low, a, b)
    for extent in (a.rows, b.columns):  # what turns out to be a line is another routine's work
        if extent != "1":
            low.out.require(low.out.op(f"icmp ne i64 {extent}, 1"))
    if b.columns == "1":
        return _times_vector(low, a, b, a.rows, "1")
    if a.rows == "1":
        return _times_vector(low, low.arrays.transpose_of(b), a, "1", b.columns)
    return _times_matrix(low, a, b)


def _outer(low: Expressions, a: Array, b: Array, span: Span) -> Operand:
    """Every element is one product."""
    return low.arrays.broadcast(a, b, lambda x, y: low.arithmetic.binary("*", x, y, span))


def dot(low: Expressions, a: Array, b: Array) -> Val:
    """The sum of products of two vectors of one length; 0 of none."""
    count = low.arrays.count_of(a)
    x, y = low.arrays.in_memory(a), low.arrays.in_memory(b)
    made = _call(low, "double", "dot", count, x.data, "1", y.data, "1")
    return Val(DOUBLE, made)


def _work(low: Expressions, *extents: str) -> str:
    """The number of multiplications; leaves where the product is large."""
    work = extents[0]
    for extent in extents[1:]:
        work = low.out.op(f"mul i64 {work}, {extent}")
    low.out.require(low.out.op(f"icmp ule i64 {work}, {MOST_PRODUCTS}"))
    return work


def _fill(low: Expressions, made: Array, work: str, compute: Callable[[], object]) -> None:
    """``compute`` where there is something to multiply, for which BLAS insists on; else zeros."""
    some, none, done = (low.out.label(h) for h in ("product", "nothing", "multiplied"))
    low.out.branch(low.out.op(f"icmp sgt i64 {work}, 0"), some, none, likely=True)
    low.out.start(none)
    low.arrays.each(
        low.arrays.count_of(made),
        lambda k: low.variables.put_element(made.data, k, number(0.0)),
    )
    low.out.jump(done)
    low.out.start(some)
    compute()
    low.out.start(done)


def _times_vector(low: Expressions, a: Array, x: Array, rows: str, columns: str) -> Array:
    """A matrix times a column, which may stand for a row times the transpose."""
    work = _work(low, a.rows, a.columns)
    source, turned = _as_lying(low, a)
    vector = low.arrays.in_memory(x)
    made = low.arrays.allocate(F64, rows, columns)
    one, zero = number(1.0).text, number(0.0).text
    form = _TURNED if turned else _PLAIN
    size = source.rows, source.columns
    given = source.data, source.rows, vector.data, "1"
    _fill(
        low,
        made,
        work,
        lambda: _call(
            low, "void", "gemv", _COLUMN_MAJOR, form, *size, one, *given, zero, made.data, "1"
        ),
    )
    return made


def _times_matrix(low: Expressions, a: Array, b: Array) -> Array:
    """``a * b``."""
    work = _work(low, a.rows, a.columns, b.columns)
    first, second = _as_lying(low, a), _as_lying(low, b)
    made = low.arrays.allocate(F64, a.rows, b.columns)
    if first[1] == second[1]:
        _fill(low, made, work, lambda: _general_product(low, first, second, made))
    else:
        _fill(low, made, work, lambda: _product_with_turned(low, first, second, made))
    return made


def _product_with_turned(
    low: Expressions, a: tuple[Array, bool], b: tuple[Array, bool], made: Array
) -> None:
    """The same; of ``x' * x`` and ``x * x'`` one half is computed, so that it is symmetric."""
    first, turned = a
    half, whole, done = (low.out.label(h) for h in ("half", "whole", "product"))
    same = low.out.op(f"icmp eq ptr {first.data}, {b[0].data}")
    square = low.out.op(f"icmp eq i64 {made.rows}, {made.columns}")
    low.out.branch(low.out.op(f"and i1 {same}, {square}"), half, whole)
    low.out.start(half)
    _symmetric_product(low, first, turned, made)
    low.out.jump(done)
    low.out.start(whole)
    _general_product(low, a, b, made)
    low.out.start(done)


def _general_product(
    low: Expressions, a: tuple[Array, bool], b: tuple[Array, bool], made: Array
) -> None:
    """Fill ``made`` with the product of two arrays in memory or of their transposes."""
    (first, turned_first), (second, turned_second) = a, b
    _call(
        low,
        "void",
        "gemm",
        _COLUMN_MAJOR,
        _TURNED if turned_first else _PLAIN,
        _TURNED if turned_second else _PLAIN,
        made.rows,
        made.columns,
        first.rows if turned_first else first.columns,
        number(1.0).text,
        first.data,
        first.rows,
        second.data,
        second.rows,
        number(0.0).text,
        made.data,
        made.rows,
    )


def _symmetric_product(low: Expressions, x: Array, turned: bool, made: Array) -> None:
    """Fill ``made`` with ``x' * x`` where ``turned``, else with ``x * x'``."""
    _call(
        low,
        "void",
        "syrk",
        _COLUMN_MAJOR,
        _LOWER,
        _TURNED if turned else _PLAIN,
        made.rows,
        x.rows if turned else x.columns,
        number(1.0).text,
        x.data,
        x.rows,
        number(0.0).text,
        made.data,
        made.rows,
    )

    def mirror(k: str) -> None:
        row, column = row_and_column(low.out, k, made.rows)
        below = low.out.op(f"icmp sgt i64 {row}, {column}")
        source = low.out.choose(below, "i64", k, place_of(low.out, column, row, made.rows))
        low.variables.put_element(made.data, k, made.element(source))

    low.arrays.each(low.arrays.count_of(made), mirror)


def _as_lying(low: Expressions, a: Array) -> tuple[Array, bool]:
    """``a`` in memory, or what it is the transpose of."""
    if a.turned is not None and not a.is_vector:
        return low.arrays.in_memory(a.turned), True
    return low.arrays.in_memory(a), False


def _call(low: Expressions, result: str, name: str, *operands: str) -> str:
    """Call a routine of BLAS."""
    if not external.has_blas(name):
        raise Refused("a product of matrices without a known BLAS")
    symbol, kinds = f"{external.BLAS}{name}", _KINDS[name].split(", ")
    return low.out.call(result, symbol, *zip(kinds, operands, strict=True))
