"""Arrays made of others: repeated, turned round, differences, running sums; two compared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from app.engine.jit.arrays import Array
from app.engine.jit.builder import Refused, Val, number
from app.engine.jit.jit_types import BOOL, C128, CHAR, DOUBLE, F64, LOGICAL, TEXT
from app.engine.jit.layout import place_of, row_and_column
from app.engine.language import ast

if TYPE_CHECKING:
    from app.engine.jit.arrays import Operand
    from app.engine.jit.jit_expressions import Expressions
    from app.source import Span

Made = Callable[["Expressions", tuple[ast.Expr, ...], "Span"], "Operand | None"]


def extent(low: Expressions, node: ast.Expr) -> str:
    """A number of rows or columns."""
    v = low.value(node)
    if low.arithmetic.kind(v) is not F64:
        raise Refused("a size of another class than double", node.span)
    whole = v.whole or low.arithmetic.whole_of(v.text, 2.0**31)
    low.out.require(low.out.op(f"icmp ult i64 {whole}, {1 << 31}"))
    return whole


def as_vector(low: Expressions, a: Array, span: Span, empty: bool = False) -> Array:
    """A vector, which is not ``empty`` unless it may be; what else it may be is left.

    Raises Refused where it was a matrix before: leaving in every pass teaches nothing.
    """
    if "1" not in (a.rows, a.columns):
        if low.program.is_matrix(span):
            raise Refused("a matrix where vectors are compiled", span)
        line = low.out.op(f"icmp eq i64 {a.rows}, 1")
        column = low.out.op(f"icmp eq i64 {a.columns}, 1")
        low.program.require_guess(low.out, low.out.op(f"or i1 {line}, {column}"), span)
    if not empty:
        low.out.require(low.out.op(f"icmp sgt i64 {low.arrays.count_of(a)}, 0"))
    return a


def _times(low: Expressions, count: str, by: str) -> str:
    if "1" in (count, by):
        return by if count == "1" else count
    return low.out.op(f"mul i64 {count}, {by}")


def repmat(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Operand | None:
    """``repmat(x, m, n)`` and ``repmat(x, m)``."""
    if len(args) not in {2, 3}:
        raise Refused("'repmat' in this form", span)
    given = low.operand(args[0])
    down, across = extent(low, args[1]), extent(low, args[-1])
    if isinstance(given, Val):
        made = Array(low.arithmetic.kind(given), down, across, lambda k: given, computed=True)
        return low.arrays.scalar_or_array(made)
    source = low.arrays.in_memory(given)
    rows, columns = _times(low, source.rows, down), _times(low, source.columns, across)

    def element(k: str) -> Val:
        row, column = row_and_column(low.out, k, rows)
        row = "0" if source.rows == "1" else low.out.op(f"urem i64 {row}, {source.rows}")
        column = (
            "0" if source.columns == "1" else low.out.op(f"urem i64 {column}, {source.columns}")
        )
        return source.element(place_of(low.out, row, column, source.rows))

    return low.arrays.scalar_or_array(Array(given.kind, rows, columns, element, computed=True))


def flipped(axis: int) -> Made:
    """``flipud`` and ``fliplr``."""

    def made(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Operand | None:
        if len(args) != 1:
            raise Refused("an array turned round in this form", span)
        given = low.operand(args[0])
        if isinstance(given, Val):
            return given
        source = low.arrays.in_memory(given)
        last = low.out.op(f"add i64 {source.columns if axis else source.rows}, -1")

        def element(k: str) -> Val:
            row, column = row_and_column(low.out, k, source.rows)
            if axis:
                column = low.out.op(f"sub i64 {last}, {column}")
            else:
                row = low.out.op(f"sub i64 {last}, {row}")
            return source.element(place_of(low.out, row, column, source.rows))

        return Array(given.kind, given.rows, given.columns, element, computed=True)

    return made


def _only_vector(low: Expressions, given: Operand | None, span: Span) -> Array:
    """An argument: a row or column of doubles, as its type says, with elements."""
    if not isinstance(given, Array) or given.kind is not F64 or not given.is_vector:
        raise Refused("a function of neighbours in this form", span)
    low.out.require(low.out.op(f"icmp ugt i64 {low.arrays.count_of(given)}, 1"))
    return low.arrays.in_memory(given)


def diff(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Operand | None:
    """``diff`` of several elements in a row or column, or of a matrix of several rows."""
    given = low.operand(args[0]) if len(args) == 1 else None
    if isinstance(given, Array) and given.kind is F64 and not given.is_vector:
        return _between_rows(low, given)
    source = _only_vector(low, given, span)
    left = low.out.op(f"add i64 {low.arrays.count_of(source)}, -1")
    rows, columns = ("1", left) if source.rows == "1" else (left, "1")

    def element(k: str) -> Val:
        after = source.element(low.out.op(f"add i64 {k}, 1")).text
        return Val(DOUBLE, low.out.op(f"fsub double {after}, {source.element(k).text}"))

    return Array(F64, rows, columns, element, computed=True)


def _between_rows(low: Expressions, given: Array) -> Array:
    """The differences of rows; leaves where there is but one, which has others."""
    out = low.out
    out.require(out.op(f"icmp ugt i64 {given.rows}, 1"))
    source = low.arrays.in_memory(given)
    left = out.op(f"add i64 {source.rows}, -1")

    def element(k: str) -> Val:
        row, column = row_and_column(out, k, left)
        place = place_of(out, row, column, source.rows)
        after = source.element(out.op(f"add i64 {place}, 1")).text
        return Val(DOUBLE, out.op(f"fsub double {after}, {source.element(place).text}"))

    return Array(F64, left, source.columns, element, computed=True)


def cumulative(word: str) -> Made:
    """``cumsum`` and ``cumprod`` of a row or column of several elements, in order."""

    def made(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Operand | None:
        source = _only_vector(low, low.operand(args[0]) if len(args) == 1 else None, span)
        result = low.arrays.allocate(F64, source.rows, source.columns)
        low.variables.put_element(result.data, "0", source.element("0"))

        def add(k: str) -> None:
            after = low.out.op(f"add i64 {k}, 1")
            total = result.element(k).text
            total = low.out.op(f"{word} double {total}, {source.element(after).text}")
            low.variables.put_element(result.data, after, Val(DOUBLE, total))

        low.arrays.each(low.out.op(f"add i64 {low.arrays.count_of(source)}, -1"), add)
        return result

    return made


def cross(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Operand | None:
    """``cross`` of two rows or two columns of three."""
    given = [low.operand(a) for a in args]
    arrays = [a for a in given if isinstance(a, Array) and a.kind is F64 and a.is_vector]
    if len(given) != 2 or len(arrays) != 2 or (arrays[0].rows == "1") != (arrays[1].rows == "1"):
        raise Refused("'cross' in this form", span)
    for a in arrays:
        low.out.require(low.out.op(f"icmp eq i64 {low.arrays.count_of(a)}, 3"))
    (p, q, r), (u, v, w) = ([a.element(str(k)).text for k in range(3)] for a in arrays)
    values = []
    for first, second in (((q, w), (r, v)), ((r, u), (p, w)), ((p, v), (q, u))):
        plus = low.out.op(f"fmul double {first[0]}, {first[1]}")
        minus = low.out.op(f"fmul double {second[0]}, {second[1]}")
        values.append(Val(DOUBLE, low.out.op(f"fsub double {plus}, {minus}")))
    return low.arrays.array_of(values, F64, 1 if arrays[0].rows == "1" else 3)


def reshape(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Operand | None:
    """``reshape(x, m, n)`` and ``reshape(x, [m n])``, one of them perhaps ``[]``, and pages."""
    sizes = args[1:]
    if len(sizes) == 1 and isinstance(sizes[0], ast.Matrix) and len(sizes[0].rows) == 1:
        sizes = sizes[0].rows[0]
    if len(sizes) not in {2, 3}:
        raise Refused("'reshape' in this form", span)
    given = low.operand_of_pages(args[0])
    if isinstance(given, Val):
        raise Refused("'reshape' of a number", span)
    count = low.arrays.count_of(given)
    free = [k for k, a in enumerate(sizes) if isinstance(a, ast.Matrix) and not any(a.rows)]
    extents = ["" if k in free else extent(low, a) for k, a in enumerate(sizes)]
    if free:
        known = low.out.product(*(e for e in extents if e))
        low.out.require(low.out.op(f"icmp ne i64 {known}, 0"))
        extents[free[0]] = low.out.op(f"udiv i64 {count}, {known}")
    if not all(extents):
        raise Refused("'reshape' to several sizes that are left open", span)
    low.out.require(low.out.op(f"icmp eq i64 {low.out.product(*extents)}, {count}"))
    rows, columns, *pages = extents
    made = replace(given, rows=rows, columns=columns, pages="".join(pages) or "1", turned=None)
    return low.arrays.scalar_or_array(made)


def diagonal(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Operand | None:
    """``diag(v)`` of a vector, and of what is none."""
    given = low.operand(args[0]) if len(args) == 1 else None
    if given is None or isinstance(given, Val):
        raise Refused("'diag' in this form", span)
    source = low.arrays.in_memory(given)
    out = low.out
    if given.is_vector:
        count = low.arrays.count_of(given)
        zero = low.arithmetic.cast(number(0.0), given.kind)

        def element(k: str) -> Val:
            row, column = row_and_column(out, k, count)
            same = out.op(f"icmp eq i64 {row}, {column}")
            text = out.choose(same, given.kind.llvm, source.element(row).text, zero.text)
            return Val(zero.type, text)

        return Array(given.kind, count, count, element, computed=True)
    for side in (given.rows, given.columns):
        out.require(out.op(f"icmp ugt i64 {side}, 1"))
    least = out.call("i64", "llvm.smin.i64", ("i64", given.rows), ("i64", given.columns))
    return Array(
        given.kind,
        least,
        "1",
        lambda k: source.element(place_of(out, k, k, source.rows)),
    )


def _triangle(order: str) -> Made:
    """``triu`` and ``tril``: elements beside the diagonal where columns are so ordered to rows."""

    def made(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Operand | None:
        given = low.operand(args[0]) if len(args) in {1, 2} else None
        if not isinstance(given, Array) or given.kind is not F64:
            raise Refused("a triangle of a matrix in this form", span)
        by = "0"
        if len(args) == 2:
            v = low.value(args[1])
            by = v.whole or low.arithmetic.whole_of(v.text, 2.0**31)
        source = low.arrays.in_memory(given)

        def element(k: str) -> Val:
            row, column = row_and_column(low.out, k, source.rows)
            inside = low.out.op(f"icmp {order} i64 {low.out.op(f'sub i64 {column}, {row}')}, {by}")
            kept = low.out.choose(inside, "double", source.element(k).text, number(0.0).text)
            return Val(DOUBLE, kept)

        return Array(F64, given.rows, given.columns, element, computed=True)

    return made


def circshift(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Operand | None:
    """``circshift(v, n)`` of a row or column with elements."""
    given = low.operand(args[0]) if len(args) == 2 else None
    if not isinstance(given, Array) or not given.is_vector:
        raise Refused("'circshift' in this form", span)
    by = low.value(args[1])
    if low.arithmetic.kind(by) is not F64:
        raise Refused("'circshift' by another class than double", span)
    count = low.arrays.count_of(given)
    low.out.require(low.out.op(f"icmp ne i64 {count}, 0"))
    steps = low.out.op(f"srem i64 {by.whole or low.arithmetic.whole_of(by.text, 2.0**40)}, {count}")
    source = low.arrays.in_memory(given)

    def element(k: str) -> Val:
        back = low.out.op(f"sub i64 {low.out.op(f'add i64 {k}, {count}')}, {steps}")
        return source.element(low.out.op(f"urem i64 {back}, {count}"))

    return replace(given, element=element, computed=True, data="", fresh=False, turned=None)


# --- two arrays compared ---


def _same(low: Expressions, a: Operand, b: Operand, span: Span) -> Val:
    """Whether two values have the same size and elements."""
    x, y = (_as_array(low, v) for v in (a, b))
    mixed = {x.kind, y.kind} - {F64, BOOL, CHAR}
    if C128 in mixed or (mixed and x.kind is not y.kind):
        raise Refused("values of different classes are compared", span)
    out = low.out
    rows = out.op(f"icmp eq i64 {x.rows}, {y.rows}")
    columns = out.op(f"icmp eq i64 {x.columns}, {y.columns}")
    fits = out.op(f"and i1 {rows}, {columns}")
    slot = out.slot(f"%b.{out.label('same')}", "i1")
    out.store(slot, "i1", fits)

    def look(k: str) -> None:
        test = low.arithmetic.compare("==", x.element(k), y.element(k), span).text
        out.store(slot, "i1", out.op(f"and i1 {out.load(slot, 'i1')}, {test}"))

    low.arrays.each(out.choose(fits, "i64", low.arrays.count_of(x), "0"), look)
    return Val(LOGICAL, out.load(slot, "i1"))


def _as_array(low: Expressions, v: Operand) -> Array:
    return v if isinstance(v, Array) else Array(low.arithmetic.kind(v), "1", "1", lambda k: v)


def isequal(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Operand | None:
    """``isequal`` of two arrays or numbers."""
    if len(args) != 2:
        raise Refused("'isequal' in this form", span)
    first, second = (low.operand(a) for a in args)
    return _same(low, first, second, span)


def same_text(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Operand | None:
    """``strcmp`` of two texts."""
    given = [low.operand(a) for a in args]
    for v in given:
        if not (v.type is TEXT if isinstance(v, Val) else v.kind is CHAR):
            raise Refused("'strcmp' of something that is not text", span)
    return _same(low, given[0], given[1], span)


def ismember(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Operand | None:
    """``ismember`` of a double among others."""
    given = [low.operand(a) for a in args]
    if len(given) != 2:
        raise Refused("'ismember' in this form", span)
    x, held = given
    if not isinstance(x, Val) or not isinstance(held, Array):
        raise Refused("'ismember' in this form", span)
    if low.arithmetic.kind(x) is not F64 or held.kind is not F64:
        raise Refused("'ismember' of another class than double", span)
    slot = low.out.slot(f"%b.{low.out.label('member')}", "i1")
    low.out.store(slot, "i1", "false")

    def look(k: str) -> None:
        test = low.out.op(f"fcmp oeq double {held.element(k).text}, {x.text}")
        low.out.store(slot, "i1", low.out.op(f"or i1 {low.out.load(slot, 'i1')}, {test}"))

    low.arrays.each(low.arrays.count_of(held), look)
    return Val(LOGICAL, low.out.load(slot, "i1"))


SHAPED = {
    "repmat": repmat,
    "reshape": reshape,
    "diag": diagonal,
    "circshift": circshift,
    "triu": _triangle("sge"),
    "tril": _triangle("sle"),
    "flipud": flipped(0),
    "fliplr": flipped(1),
    "diff": diff,
    "cumsum": cumulative("fadd"),
    "cumprod": cumulative("fmul"),
    "cross": cross,
    "isequal": isequal,
    "ismember": ismember,
}
"""Functions by name that give arrays of others, or compare two."""
