"""Functions of whole arrays: sums, extremes, tests, and arrays that are filled."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from app.engine.jit import maps, products, text_tests
from app.engine.jit.builder import Refused, Val, number
from app.engine.jit.jit_types import BOOL, DOUBLE, F64, KINDS, LOGICAL, Kind
from app.engine.jit.layout import row_and_column
from app.engine.language import ast

if TYPE_CHECKING:
    from app.engine.jit.arrays import Array, Operand
    from app.engine.jit.jit_expressions import Expressions
    from app.source import Span

Function = Callable[["Expressions", tuple[ast.Expr, ...], "Span"], "Operand | None"]
"""Gives None where the arguments are scalars, which other functions know."""


def _only_array(low: Expressions, args: tuple[ast.Expr, ...]) -> Array | None:
    """The operand of a call with one argument, where it is an array."""
    if len(args) != 1:
        return None
    made = low.operand(args[0])
    return None if isinstance(made, Val) else made


def _as_vector(low: Expressions, a: Array) -> Array:
    """A vector that is not empty; what else it may be is left to the interpreter."""
    if a.rows == "1":
        low.out.require(low.out.op(f"icmp sgt i64 {a.columns}, 0"))
        return a
    if a.columns == "1":
        low.out.require(low.out.op(f"icmp sgt i64 {a.rows}, 0"))
        return a
    line = low.out.op(f"icmp eq i64 {a.rows}, 1")
    column = low.out.op(f"icmp eq i64 {a.columns}, 1")
    low.out.require(low.out.op(f"or i1 {line}, {column}"))
    low.out.require(low.out.op(f"icmp sgt i64 {low.arrays.count_of(a)}, 0"))
    return a


def _fold_function(ufunc: str, start: float, mean: bool = False) -> Function:
    """``sum``, ``prod`` and ``mean`` of a vector."""

    def made(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Operand | None:
        if len(args) != 1:
            raise Refused("a reduction in this form", span)
        given = low.operand(args[0])
        if isinstance(given, Val):
            return (
                Val(DOUBLE, low.arithmetic.double(given))
                if low.arithmetic.kind(given) in {F64, BOOL}
                else _refuse_class(span)
            )
        a = _as_vector(low, given)
        if a.kind is BOOL and not mean and ufunc == "add":
            return _true_count(low, a)
        if a.kind is not F64:
            return _refuse_class(span)
        total = maps.fold(low, ufunc, low.arrays.in_memory(a), start)
        if mean:
            count = low.out.op(f"sitofp i64 {low.arrays.count_of(a)} to double")
            total = low.out.op(f"fdiv double {total}, {count}")
        return Val(DOUBLE, total)

    return made


def _refuse_class(span: Span) -> Operand:
    raise Refused("a reduction of another class than double", span)


def _true_count(low: Expressions, a: Array) -> Val:
    """How many elements are true."""
    slot = low.out.slot(f"%q.{low.out.label('count')}", "i64")
    low.out.store(slot, "i64", "0")

    def add(k: str) -> None:
        one = low.out.op(f"zext i1 {a.element(k).text} to i64")
        low.out.store(slot, "i64", low.out.op(f"add i64 {low.out.load(slot, 'i64')}, {one}"))

    low.arrays.each(low.arrays.count_of(a), add)
    return low.indexing.count(low.out.load(slot, "i64"))


def _truth(every: bool) -> Function:
    """``any`` and ``all`` of a vector; an empty one is the interpreter's.

    NaN is true for ``all``, and ``any`` does not look at it.
    """

    def made(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Operand | None:
        a = _only_array(low, args)
        if a is None:
            raise Refused("'any' or 'all' in this form", span)
        a = _as_vector(low, a)
        slot = low.out.slot(f"%b.{low.out.label('truth')}", "i1")
        low.out.store(slot, "i1", "true" if every else "false")
        name = "and" if every else "or"

        def look(k: str) -> None:
            test = _is_true(low, a.element(k), nan=every)
            low.out.store(slot, "i1", low.out.op(f"{name} i1 {low.out.load(slot, 'i1')}, {test}"))

        low.arrays.each(low.arrays.count_of(a), look)
        return Val(LOGICAL, low.out.load(slot, "i1"))

    return made


def extreme_place(low: Expressions, a: Array, name: str) -> tuple[Val, Val]:
    """The largest or smallest element of a vector and the first place of it.

    NaN and negative zeros are left to the interpreter.
    """
    a = _as_vector(low, a)
    if a.kind is not F64:
        raise Refused(f"'{name}' of another class than double")
    best = low.out.slot(f"%v.{low.out.label('best')}", "double")
    where = low.out.slot(f"%q.{low.out.label('where')}", "i64")
    source = low.arrays.in_memory(a) if a.computed else a
    first = source.element("0").text
    low.out.store(best, "double", first)
    low.out.store(where, "i64", "0")
    fine = low.out.slot(f"%b.{low.out.label('fine')}", "i1")
    low.out.store(fine, "i1", "true")
    order = "ogt" if name == "max" else "olt"

    def look(k: str) -> None:
        x, held = source.element(k).text, low.out.load(best, "double")
        bits = low.out.op(f"bitcast double {x} to i64")
        ordered = low.out.op(f"fcmp ord double {x}, {x}")
        known = low.out.op(f"icmp ne i64 {bits}, {-1 << 63}")
        usual = low.out.op(f"and i1 {ordered}, {known}")
        low.out.store(fine, "i1", low.out.op(f"and i1 {low.out.load(fine, 'i1')}, {usual}"))
        better = low.out.op(f"fcmp {order} double {x}, {held}")
        low.out.store(best, "double", low.out.choose(better, "double", x, held))
        place = low.out.choose(better, "i64", k, low.out.load(where, "i64"))
        low.out.store(where, "i64", place)

    low.arrays.each(low.arrays.count_of(a), look)
    low.out.require(low.out.load(fine, "i1"))
    place = low.out.op(f"add i64 {low.out.load(where, 'i64')}, 1")
    return Val(DOUBLE, low.out.load(best, "double")), low.indexing.count(place)


def _extreme(name: str) -> Function:
    def made(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Operand | None:
        a = _only_array(low, args)
        if a is None:
            if len(args) == 1:
                raise Refused(f"'{name}' of a number", span)
            return None
        return extreme_place(low, a, name)[0]

    return made


def _dot(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Operand | None:
    """``dot`` of two vectors of one length."""
    given = [low.operand(a) for a in args]
    arrays = [a for a in given if not isinstance(a, Val)]
    if len(given) != 2 or len(arrays) != 2 or {a.kind for a in arrays} != {F64}:
        raise Refused("'dot' in this form", span)
    first, second = (_as_vector(low, a) for a in arrays)
    counts = low.arrays.count_of(first), low.arrays.count_of(second)
    low.out.require(low.out.op(f"icmp eq i64 {counts[0]}, {counts[1]}"))
    return products.dot(low, first, second)


def _norm(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Operand | None:
    """The 2-norm of a vector whose squares neither overflow nor vanish."""
    a = _only_array(low, args)
    if a is None or a.kind is not F64:
        raise Refused("'norm' in this form", span)
    a = low.arrays.in_memory(_as_vector(low, a))
    squares = products.dot(low, a, a).text
    low.out.require(low.out.op(f"fcmp ogt double {squares}, {number(1e-200).text}"))
    low.out.require(low.out.op(f"fcmp olt double {squares}, {number(1e200).text}"))
    return Val(DOUBLE, low.out.call("double", "llvm.sqrt.f64", ("double", squares)))


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
        if len(given) not in {1, 2}:
            raise Refused(f"'{name}' of {len(given)} dimensions", span)
        extents = [_extent(low, a) for a in given]
        filling = low.arithmetic.cast(number(value), wanted)
        return low.arrays.scalar_or_array(Array(wanted, extents[0], extents[-1], lambda k: filling))

    return made


def _extent(low: Expressions, node: ast.Expr) -> str:
    v = low.value(node)
    if low.arithmetic.kind(v) is not F64:
        raise Refused("a size of another class than double", node.span)
    whole = v.whole or low.arithmetic.whole_of(v.text, 2.0**31)
    low.out.require(low.out.op(f"icmp ult i64 {whole}, {1 << 31}"))
    return whole


def _eye(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Operand | None:
    from app.engine.jit.arrays import Array

    if len(args) not in {1, 2} or any(isinstance(a, ast.Char) for a in args):
        raise Refused("'eye' in this form", span)
    extents = [_extent(low, a) for a in args]
    rows, columns = extents[0], extents[-1]

    def element(k: str) -> Val:
        row, column = row_and_column(low.out, k, rows)
        same = low.out.op(f"icmp eq i64 {row}, {column}")
        return Val(DOUBLE, low.out.choose(same, "double", number(1.0).text, number(0.0).text))

    return low.arrays.scalar_or_array(Array(F64, rows, columns, element, computed=True))


ARRAY_FUNCTIONS: dict[str, Function] = {
    "sum": _fold_function("add", 0.0),
    "prod": _fold_function("multiply", 1.0),
    "mean": _fold_function("add", 0.0, mean=True),
    "any": _truth(every=False),
    "all": _truth(every=True),
    "max": _extreme("max"),
    "min": _extreme("min"),
    "dot": _dot,
    "norm": _norm,
    "zeros": _fill_function("zeros", 0.0, F64),
    "ones": _fill_function("ones", 1.0, F64),
    "true": _fill_function("true", 1.0, BOOL),
    "false": _fill_function("false", 0.0, BOOL),
    "eye": _eye,
    "find": _find,
    "strcmp": text_tests.strcmp,
}
"""Functions by name that may be given or give arrays."""
