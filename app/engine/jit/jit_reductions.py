"""Functions of whole arrays: sums, extremes, tests, and arrays that are filled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from app.engine.jit import (
    complex_arrays,
    jit_factors,
    jit_lines,
    jit_random,
    jit_row_order,
    jit_sorting,
    jit_systems,
    jit_text_numbers,
    jit_vectors,
    maps,
    products,
    shapes_made,
    slices,
    text_tests,
)
from app.engine.jit.arrays import type_of_operand
from app.engine.jit.builder import Refused, Val, number
from app.engine.jit.jit_intrinsics import size_given, sizes
from app.engine.jit.jit_types import BOOL, CHAR, DOUBLE, F64, KINDS, LOGICAL, SCALARS, Kind
from app.engine.jit.layout import row_and_column
from app.engine.language import ast
from app.records import record

if TYPE_CHECKING:
    from app.engine.jit.arrays import Array, Operand
    from app.engine.jit.jit_expressions import Expressions
    from app.source import Span

Extremes = tuple["Operand", "Operand"]
Function = Callable[["Expressions", tuple[ast.Expr, ...], "Span"], "Operand | None"]
"""Gives None where the arguments are scalars, which other functions know."""


def _upright(low: Expressions, node: ast.Expr) -> Operand:
    """An operand, where what lies along the third dimension stands as a column."""
    return _stood_up(low.operand_of_pages(node), node.span)


def _stood_up(made: Operand, span: Span) -> Operand:
    if isinstance(made, Val) or made.pages == "1":
        return made
    if not made.rows == made.columns == "1":
        raise Refused("a reduction of an array of three dimensions", span)
    return replace(made, rows=made.pages, pages="1")


@record
class _Fold:
    """``sum``, ``prod`` or ``mean`` of a vector, or along a dimension.

    Attributes:
        name: the function.
        ufunc: NumPy's operation.
        start: what it begins with.
    """

    name: str
    ufunc: str
    start: float

    def __call__(self, low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Operand | None:
        """The reduction of a call's arguments."""
        if len(args) == 2:
            return self._along(low, args[0], jit_lines.dimension_of(args[1], span), span)
        if len(args) != 1:
            raise Refused("a reduction in this form", span)
        inner = None if self.name == "mean" else _inner_argument(low, self.name, args[0])
        if inner is not None:
            return self._of_vector(low, self._along(low, inner, jit_lines.DOWN, span), span)
        given = _stood_up(low.any_operand(args[0]), args[0].span)
        if complex_arrays.is_complex(given):
            return self._of_complex(low, given, span)
        if jit_lines.has_columns(low, given, span):
            return self._of_lines(low, jit_lines.upright_matrix(low, given), jit_lines.DOWN, span)
        return self._of_vector(low, given, span)

    def _of_complex(self, low: Expressions, given: Operand, span: Span) -> Operand:
        if self.name != "sum" or isinstance(given, Val):
            return _refuse_class(span)
        return complex_arrays.total(low, shapes_made.as_vector(low, given, span))

    def _of_vector(self, low: Expressions, given: Operand, span: Span) -> Operand:
        if isinstance(given, Val):
            if low.arithmetic.kind(given) not in {F64, BOOL}:
                return _refuse_class(span)
            return Val(DOUBLE, low.arithmetic.double(given))
        a = shapes_made.as_vector(low, given, span, empty=True)
        if a.kind is BOOL and self.name == "sum":
            return _true_count(low, a)
        codes = a.kind is CHAR and self.name == "sum"
        if codes or (a.kind.is_integer and a.kind.bits < 64 and self.ufunc == "add"):
            a = low.arrays.map(a, lambda v: Val(DOUBLE, low.arithmetic.double(v)))
        if a.kind is not F64:
            return _refuse_class(span)
        total = maps.fold(low, self.ufunc, low.arrays.in_memory(a), self.start)
        made = Val(DOUBLE, total)
        return self._scaled(low, made, low.arrays.count_of(a)) if self.name == "mean" else made

    def _scaled(self, low: Expressions, total: Val, count: str) -> Val:
        """A mean from a sum."""
        number_of = low.out.op(f"sitofp i64 {count} to double")
        return Val(DOUBLE, low.out.op(f"fdiv double {total.text}, {number_of}"))

    def _along(self, low: Expressions, node: ast.Expr, axis: int, span: Span) -> Operand:
        return self._of_lines(low, jit_lines.matrix_of(low, node, span), axis, span)

    def _of_lines(self, low: Expressions, a: Array, axis: int, span: Span) -> Operand:
        made = jit_lines.folded_lines(low, a, axis, self.ufunc, self.start, span)
        if self.name == "mean":
            extent = a.rows if axis == jit_lines.DOWN else a.columns
            made = low.arrays.map(made, lambda v: self._scaled(low, v, extent))
        return low.arrays.scalar_or_array(made)


def _inner_argument(low: Expressions, name: str, node: ast.Expr) -> ast.Expr | None:
    """What a call of the same function is of, which may be a matrix: ``sum(sum(A))``."""
    if not isinstance(node, ast.Index) or len(node.args) != 1:
        return None
    called = isinstance(node.base, ast.Name) and node.base.id == name
    known = name not in low.names and low.program.local_function(name) is None
    return node.args[0] if called and known and low.program.is_builtin(name) else None


def _all_elements(low: Expressions, name: str, node: ast.Expr) -> Operand:
    """An operand; all elements as a column of what the same function is called of inside."""
    inner = _inner_argument(low, name, node)
    given = _upright(low, node) if inner is None else low.operand(inner)
    if inner is None or isinstance(given, Val):
        return given
    return replace(given, rows=low.arrays.count_of(given), columns="1", turned=None)


def _refuse_class(span: Span) -> Operand:
    raise Refused("a reduction of another class than double", span)


def _true_count(low: Expressions, a: Array) -> Val:
    """How many elements are true."""
    slot = low.out.slot(f"%q.{low.out.label('count')}", "i64")
    low.out.store(slot, "i64", "0")

    def add(k: str) -> None:
        one = low.out.op(f"zext i1 {_is_true(low, a.element(k))} to i64")
        low.out.store(slot, "i64", low.out.op(f"add i64 {low.out.load(slot, 'i64')}, {one}"))

    low.arrays.each(low.arrays.count_of(a), add)
    return low.indexing.count(low.out.load(slot, "i64"))


def _truth(word: str) -> Function:
    """``any`` and ``all`` of a vector, or along a dimension; an empty one is the interpreter's.

    NaN is true for ``all``, and ``any`` does not look at it.
    """
    every = word == "all"

    def made(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Operand | None:
        if len(args) == 2:
            axis = jit_lines.dimension_of(args[1], span)
            lines = jit_lines.matrix_of(low, args[0], span)
            return low.arrays.scalar_or_array(jit_lines.truth_lines(low, lines, axis, every, span))
        a = _all_elements(low, word, args[0]) if len(args) == 1 else None
        if a is None or isinstance(a, Val):
            raise Refused("'any' or 'all' in this form", span)
        if jit_lines.has_columns(low, a, span):
            lines = jit_lines.upright_matrix(low, a)
            return jit_lines.truth_lines(low, lines, jit_lines.DOWN, every, span)
        a = shapes_made.as_vector(low, a, span)
        slot = low.out.slot(f"%b.{low.out.label('truth')}", "i1")
        low.out.store(slot, "i1", "true" if every else "false")
        name = "and" if every else "or"

        def look(k: str) -> None:
            test = _is_true(low, a.element(k), nan=every)
            low.out.store(slot, "i1", low.out.op(f"{name} i1 {low.out.load(slot, 'i1')}, {test}"))

        low.arrays.each(low.arrays.count_of(a), look)
        return Val(LOGICAL, low.out.load(slot, "i1"))

    return made


def extreme_place(low: Expressions, a: Array, name: str, span: Span) -> tuple[Val, Val]:
    """The largest or smallest element of a vector and the first place of it.

    NaN and negative zeros are left to the interpreter.
    """
    a = shapes_made.as_vector(low, a, span)
    kind = a.kind
    if not (kind is F64 or kind.is_integer):
        raise Refused(f"'{name}' of another class than double")
    best = low.out.slot(f"%v.{low.out.label('best')}", kind.llvm)
    where = low.out.slot(f"%q.{low.out.label('where')}", "i64")
    source = low.arrays.in_memory(a) if a.computed else a
    first = source.element("0").text
    low.out.store(best, kind.llvm, first)
    low.out.store(where, "i64", "0")
    fine = low.out.slot(f"%b.{low.out.label('fine')}", "i1")
    low.out.store(fine, "i1", "true")
    order = jit_lines.comparison(kind, name)

    def look(k: str) -> None:
        x, held = source.element(k).text, low.out.load(best, kind.llvm)
        if kind is F64:
            usual = jit_lines.is_usual(low, x)
            low.out.store(fine, "i1", low.out.op(f"and i1 {low.out.load(fine, 'i1')}, {usual}"))
        better = low.out.op(f"{order} {x}, {held}")
        low.out.store(best, kind.llvm, low.out.choose(better, kind.llvm, x, held))
        place = low.out.choose(better, "i64", k, low.out.load(where, "i64"))
        low.out.store(where, "i64", place)

    low.arrays.each(low.arrays.count_of(a), look)
    low.out.require(low.out.load(fine, "i1"))
    place = low.out.op(f"add i64 {low.out.load(where, 'i64')}, 1")
    found = Val(SCALARS[kind.name], low.out.load(best, kind.llvm))
    return found, low.indexing.count(place)


def extremes(low: Expressions, name: str, args: tuple[ast.Expr, ...], span: Span) -> Extremes:
    """``[m, k] = max(x)`` of a vector and ``max(x, [], dim)``."""
    if len(args) == 3 and _is_placeholder(args[1]):
        axis = jit_lines.dimension_of(args[2], span)
        a = jit_lines.matrix_of(low, args[0], span)
        best, places = jit_lines.extreme_lines(low, a, axis, name, span)
        return low.arrays.scalar_or_array(best), low.arrays.scalar_or_array(places)
    if len(args) != 1:
        raise Refused(f"'{name}' in this form", span)
    return extreme_of(low, name, _upright(low, args[0]), span)


def extreme_of(low: Expressions, name: str, given: Operand, span: Span) -> Extremes:
    """The extreme of a number or vector, and its place."""
    if isinstance(given, Val):
        if low.arithmetic.kind(given) is not F64:
            raise Refused(f"'{name}' of a number of another class than double", span)
        return given, number(1.0)
    if jit_lines.has_columns(low, given, span):
        lines = jit_lines.upright_matrix(low, given)
        return jit_lines.extreme_lines(low, lines, jit_lines.DOWN, name, span)
    return extreme_place(low, given, name, span)


def _is_placeholder(node: ast.Expr) -> bool:
    return isinstance(node, ast.Matrix) and not any(node.rows)


def _extreme(name: str) -> Function:
    def made(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Operand | None:
        if len(args) == 1:
            given = _all_elements(low, name, args[0])
            return extreme_of(low, name, given, span)[0]
        return None if len(args) == 2 else extremes(low, name, args, span)[0]

    return made


def _dot(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Operand | None:
    """``dot`` of two vectors of one length."""
    given = [low.operand(a) for a in args]
    arrays = [a for a in given if not isinstance(a, Val)]
    if len(given) != 2 or len(arrays) != 2 or {a.kind for a in arrays} != {F64}:
        raise Refused("'dot' in this form", span)
    first, second = (shapes_made.as_vector(low, a, span) for a in arrays)
    counts = low.arrays.count_of(first), low.arrays.count_of(second)
    low.out.require(low.out.op(f"icmp eq i64 {counts[0]}, {counts[1]}"))
    return products.dot(low, first, second)


def _find(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Operand | None:
    """``find(x)`` and ``find(x, n)``: the places of elements that are not zero.

    What has one element or none has shapes of its own, which are the interpreter's.
    """
    from app.engine.jit.arrays import Array

    most = args[1] if len(args) == 2 else None
    if len(args) not in {1, 2} or not (most is None or _is_whole_number(most)):
        raise Refused("'find' in this form", span)
    a = low.operand(args[0])
    if isinstance(a, Val):
        raise Refused("'find' of a number", span)
    out, count = low.out, low.arrays.count_of(a)
    out.require(out.op(f"icmp sgt i64 {count}, 1"))
    limit = str(int(most.value)) if isinstance(most, ast.Number) else count
    places = low.arrays.allocate(F64, "1", out.op(f"add i64 {count}, 1"))
    found = _true_places(low, a, count, limit, places.data)
    if a.is_vector:
        rows, columns = ("1", found) if a.rows == "1" else (found, "1")
    else:
        line = out.op(f"icmp eq i64 {a.rows}, 1")
        rows, columns = (out.choose(line, "i64", *p) for p in (("1", found), (found, "1")))
    return Array(F64, rows, columns, places.element, data=places.data, fresh=True)


def _is_whole_number(node: ast.Expr) -> bool:
    return isinstance(node, ast.Number) and node.value >= 1 and float(node.value).is_integer()


def _true_places(low: Expressions, a: Array, count: str, limit: str, places: str) -> str:
    """Write the places of true elements, at most ``limit``; gives how many there are."""
    out = low.out
    test, inside, done = (out.label(h) for h in ("find", "element", "found"))
    at, chosen = (out.slot(f"%q.{out.label(h)}", "i64") for h in ("at", "chosen"))
    for slot in (at, chosen):
        out.store(slot, "i64", "0")
    out.start(test)
    k, here = out.load(at, "i64"), out.load(chosen, "i64")
    left, fits = out.op(f"icmp slt i64 {k}, {count}"), out.op(f"icmp slt i64 {here}, {limit}")
    out.branch(out.op(f"and i1 {left}, {fits}"), inside, done)
    out.start(inside)
    truth = out.op(f"zext i1 {_is_true(low, a.element(k))} to i64")
    after = out.op(f"add nsw i64 {k}, 1")
    place = Val(DOUBLE, out.op(f"sitofp i64 {after} to double"))
    low.variables.put_element(places, here, place)
    out.store(chosen, "i64", out.op(f"add nsw i64 {here}, {truth}"))
    out.store(at, "i64", after)
    out.jump(test)
    out.start(done)
    return out.load(chosen, "i64")


def _is_true(low: Expressions, v: Val, nan: bool = True) -> str:
    """Whether an element is not zero; what is said of NaN."""
    kind = low.arithmetic.kind(v)
    if kind.is_float:
        return low.out.op(f"fcmp {'une' if nan else 'one'} {kind.llvm} {v.text}, 0.0")
    return v.text if kind is BOOL else low.out.op(f"icmp ne {kind.llvm} {v.text}, 0")


def _nnz(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Operand | None:
    """How many elements are not zero."""
    given = low.operand(args[0]) if len(args) == 1 else None
    if given is None or type_of_operand(given).kind not in {F64, BOOL}:
        raise Refused("'nnz' in this form", span)
    if isinstance(given, Val):
        return Val(DOUBLE, low.out.op(f"uitofp i1 {_is_true(low, given)} to double"))
    return _true_count(low, given)


# --- arrays that are filled ---


def _fill_function(name: str, value: float, kind: Kind) -> Function:
    """``zeros(m, n)`` and its kin."""

    def made(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Operand | None:
        from app.engine.jit.arrays import Array

        given, wanted = list(args), kind
        if not given:
            return None if kind is BOOL else number(value)
        last = given[-1]
        if isinstance(last, ast.Char) and last.value in KINDS and kind is F64:
            wanted = KINDS[last.value]
            given.pop()
        if len(given) not in {1, 2, 3}:
            raise Refused(f"'{name}' of {len(given)} dimensions", span)
        rows, columns, *pages = _extents(low, given)
        filling = low.arithmetic.cast(number(value), wanted)
        return low.arrays.scalar_or_array(
            Array(wanted, rows, columns, lambda k: filling, pages="".join(pages) or "1")
        )

    return made


def _extents(low: Expressions, given: list[ast.Expr]) -> list[str]:
    """The extents that some arguments tell: numbers, or the size of an array."""
    if len(given) > 1:
        return [shapes_made.extent(low, a) for a in given]
    rows, columns, *others = size_given(low, given[0]) or [shapes_made.extent(low, given[0])] * 2
    pages = [extent for extent in others if extent != "1"]
    if len(pages) > 1:
        raise Refused("an array of more than three dimensions that is filled")
    return [rows, columns, *pages]


def _size(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Operand | None:
    """``size(x)`` of a matrix."""
    if len(args) != 1:
        return None
    return low.arrays.array_of(list(sizes(low, args, 2, exact=True)), F64, 1)


def _eye(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Operand | None:
    from app.engine.jit.arrays import Array

    if len(args) not in {1, 2} or any(isinstance(a, ast.Char) for a in args):
        raise Refused("'eye' in this form", span)
    extents = [shapes_made.extent(low, a) for a in args]
    rows, columns = extents[0], extents[-1]

    def element(k: str) -> Val:
        row, column = row_and_column(low.out, k, rows)
        same = low.out.op(f"icmp eq i64 {row}, {column}")
        return Val(DOUBLE, low.out.choose(same, "double", number(1.0).text, number(0.0).text))

    return low.arrays.scalar_or_array(Array(F64, rows, columns, element, computed=True))


ARRAY_FUNCTIONS: dict[str, Function] = {
    "sum": _Fold("sum", "add", 0.0),
    "prod": _Fold("prod", "multiply", 1.0),
    "mean": _Fold("mean", "add", 0.0),
    "any": _truth("any"),
    "all": _truth("all"),
    "max": _extreme("max"),
    "min": _extreme("min"),
    "dot": _dot,
    "squeeze": slices.squeeze,
    "zeros": _fill_function("zeros", 0.0, F64),
    "ones": _fill_function("ones", 1.0, F64),
    "true": _fill_function("true", 1.0, BOOL),
    "false": _fill_function("false", 0.0, BOOL),
    "eye": _eye,
    "size": _size,
    "find": _find,
    "nnz": _nnz,
    "strcmp": text_tests.strcmp,
    **jit_random.DRAWN,
    **shapes_made.SHAPED,
    **jit_sorting.SORTED,
    "sortrows": jit_row_order.sorted_rows,
    **jit_systems.SYSTEMS,
    "chol": jit_factors.cholesky,
    **jit_text_numbers.TEXT_NUMBERS,
    **jit_vectors.VECTORS,
}
"""Functions by name that may be given or give arrays."""
