"""Systems of equations, inverses and determinants of small matrices, by the interpreter's LAPACK.

What is singular, nearly so, or not finite is left to the interpreter, which warns.
"""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING

from app.engine.jit import external
from app.engine.jit.arrays import Array
from app.engine.jit.builder import Refused, Val, number
from app.engine.jit.jit_types import DOUBLE, F64
from app.engine.jit.layout import place_of, row_and_column

if TYPE_CHECKING:
    from app.engine.jit.arrays import Operand
    from app.engine.jit.jit_expressions import Expressions
    from app.engine.language import ast
    from app.source import Span

MOST_ROWS = 32
"""Of a matrix here: no second thread helps with it, and it takes no time to stop."""
_EPS = number(2.0**-52).text


def square(low: Expressions, a: Operand, what: str, span: Span) -> Array:
    """A small square matrix of doubles in memory, of at least two rows."""
    if isinstance(a, Val) or a.kind is not F64 or a.is_vector or a.pages != "1":
        raise Refused(f"{what} in this form", span)
    out = low.out
    out.require(out.op(f"icmp eq i64 {a.rows}, {a.columns}"))
    out.require(out.op(f"icmp ult i64 {out.op(f'add i64 {a.rows}, -2')}, {MOST_ROWS - 1}"))
    return low.arrays.in_memory(a)


class Lapack:
    """Calls routines of LAPACK: numbers go by reference.

    Attributes:
        rows: place of the number of rows.
        pivots: place of the interchanges.
        info: place of what the routines say.
    """

    def __init__(self, low: Expressions, rows: str) -> None:
        self.low, self.out = low, low.out
        self.rows = self.number(rows)
        self.info = self.number("0")
        self.pivots = self.out.slot(self._name(), f"[{MOST_ROWS} x i32]")

    def _name(self) -> str:
        return f"%w.{self.out.label('lapack')}"

    def number(self, value: str) -> str:
        """Where a whole number lies that is given by its place."""
        slot = self.out.slot(self._name(), "i32")
        self.out.store(slot, "i32", self.out.op(f"trunc i64 {value} to i32"))
        return slot

    def room(self, kind: str, per_row: int) -> str:
        """Room for so many values for each row."""
        return self.out.slot(self._name(), f"[{MOST_ROWS * per_row} x {kind}]")

    def call(self, name: str, *places: str, result: str = "void") -> str:
        """Call a routine with the places of its arguments."""
        if not external.has_lapack(name):
            raise Refused("a system of equations without a known LAPACK")
        symbol = f"{external.LAPACK}{name}"
        return self.out.call(result, symbol, *(("ptr", p) for p in places))

    def word(self, letter: str) -> str:
        """Where a letter lies that chooses what a routine does."""
        slot = self.out.slot(self._name(), "i8")
        self.out.store(slot, "i8", str(ord(letter)))
        return slot

    def require_success(self) -> None:
        """Leave where a routine has met a pivot that is zero."""
        self.out.require(self.out.op(f"icmp eq i32 {self.out.load(self.info, 'i32')}, 0"))

    def size_of(self, a: Array) -> str:
        """The 1-norm of a square matrix."""
        size = self.rows, self.rows, a.data, self.rows
        return self.call("lange", self.word("1"), *size, "null", result="double")

    def is_sound(self, factors: Array, size: str) -> str:
        """Whether factors of a matrix of this 1-norm are far from singular, as an ``i1``."""
        norm, found = (self.out.slot(self._name(), "double") for _ in range(2))
        self.out.store(norm, "double", size)
        work, whole = self.room("double", 4), self.room("i32", 1)
        places = factors.data, self.rows, norm, found, work, whole, self.info
        self.call("gecon", self.word("1"), self.rows, *places)
        return self.out.op(f"fcmp oge double {self.out.load(found, 'double')}, {_EPS}")


def solution(low: Expressions, a: Array, b: Operand, span: Span) -> Operand:
    """``a \\ b`` of a square matrix; triangular ones are solved from their own corner."""
    a = square(low, a, "a system of equations", span)
    if isinstance(b, Val) or b.kind is not F64 or b.pages != "1":
        raise Refused("a system of equations in this form", span)
    out = low.out
    if a.rows != b.rows:
        out.require(out.op(f"icmp eq i64 {a.rows}, {b.rows}"))
    out.require(out.op(f"icmp ult i64 {out.op(f'add i64 {b.columns}, -1')}, {MOST_ROWS}"))
    lapack = Lapack(low, a.rows)
    triangular, lower = _triangle(low, a)
    turned = out.op(f"and i1 {triangular}, {lower}")
    factors, found = _turned(low, a, turned, both=True), _turned(low, b, turned)
    places = factors.data, lapack.rows, lapack.pivots, found.data, lapack.rows, lapack.info
    lapack.call("gesv", lapack.rows, lapack.number(b.columns), *places)
    lapack.require_success()
    sound = lapack.is_sound(factors, lapack.size_of(a))
    out.require(out.op(f"or i1 {triangular}, {sound}"))
    return low.arrays.scalar_or_array(_turned(low, found, turned))


def _triangle(low: Expressions, a: Array) -> tuple[str, str]:
    """Whether a matrix is triangular without a zero on its diagonal, and whether a lower one."""
    out = low.out
    slots = [out.slot(f"%b.{out.label('triangle')}", "i1") for _ in range(3)]
    for slot in slots:
        out.store(slot, "i1", "true")

    def look(k: str) -> None:
        row, column = row_and_column(out, k, a.rows)
        zero = out.op(f"fcmp oeq double {a.element(k).text}, {number(0.0).text}")
        some = out.op(f"xor i1 {zero}, true")
        for slot, order, fine in zip(slots, ("sgt", "slt", "eq"), (zero, zero, some), strict=True):
            here = out.op(f"icmp {order} i64 {column}, {row}")
            kept = out.op(f"or i1 {out.op(f'xor i1 {here}, true')}, {fine}")
            out.store(slot, "i1", out.op(f"and i1 {out.load(slot, 'i1')}, {kept}"))

    low.arrays.each(low.arrays.count_of(a), look, a.rows)
    lower, upper, full = (out.load(slot, "i1") for slot in slots)
    return out.op(f"and i1 {full}, {out.op(f'or i1 {lower}, {upper}')}"), lower


def _turned(low: Expressions, a: Array, turned: str, both: bool = False) -> Array:
    """A copy, with its rows from the last to the first where ``turned``, maybe columns as well."""
    out = low.out
    source = low.arrays.in_memory(a)
    made = low.arrays.allocate(F64, a.rows, a.columns)
    count = low.arrays.count_of(a)

    def put(k: str) -> None:
        if both:
            back = out.op(f"sub i64 {out.op(f'add i64 {count}, -1')}, {k}")
        else:
            row, column = row_and_column(out, k, a.rows)
            last = out.op(f"add i64 {a.rows}, -1")
            back = place_of(out, out.op(f"sub i64 {last}, {row}"), column, a.rows)
        low.variables.put_element(made.data, k, source.element(out.choose(turned, "i64", back, k)))

    low.arrays.each(count, put, a.rows)
    return made


def _only(low: Expressions, args: tuple[ast.Expr, ...], name: str, span: Span) -> Operand:
    if len(args) != 1:
        raise Refused(f"'{name}' in this form", span)
    return low.operand(args[0])


def determinant(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Operand | None:
    """``det``: the product of the pivots; what over- or underflows on the way is left."""
    given = _only(low, args, "det", span)
    if isinstance(given, Val):
        return _plain(low, given, "det", span)
    a = square(low, given, "'det'", span)
    out = low.out
    lapack = Lapack(low, a.rows)
    factors = low.arrays.copy_of(replace(a, fresh=False))
    places = factors.data, lapack.rows, lapack.pivots, lapack.info
    lapack.call("getrf", lapack.rows, lapack.rows, *places)
    total, negative, some = (
        out.slot(f"%d.{out.label('det')}", kind) for kind in ("double", "i1", "i1")
    )
    out.store(total, "double", number(1.0).text)
    out.store(negative, "i1", "false")
    out.store(some, "i1", "true")

    def pivot(k: str) -> None:
        x = factors.element(out.op(f"add i64 {out.op(f'mul i64 {k}, {a.rows}')}, {k}")).text
        out.store(total, "double", out.op(f"fmul double {out.load(total, 'double')}, {x}"))
        nonzero = out.op(f"fcmp une double {x}, {number(0.0).text}")
        out.store(some, "i1", out.op(f"and i1 {out.load(some, 'i1')}, {nonzero}"))
        place = out.op(f"getelementptr i32, ptr {lapack.pivots}, i64 {k}")
        number_of = out.op(f"sext i32 {out.op(f'load i32, ptr {place}')} to i64")
        moved = out.op(f"icmp ne i64 {number_of}, {out.op(f'add i64 {k}, 1')}")
        out.store(negative, "i1", out.op(f"xor i1 {out.load(negative, 'i1')}, {moved}"))

    low.arrays.each(a.rows, pivot)
    found = out.load(total, "double")
    size = out.call("double", "llvm.fabs.f64", ("double", found))
    nothing = out.op(f"fcmp oeq double {size}, {number(0.0).text}")
    endless = out.op(f"fcmp oeq double {size}, {number(inf).text}")
    lost = out.op(f"and i1 {out.op(f'or i1 {nothing}, {endless}')}, {out.load(some, 'i1')}")
    out.require(out.op(f"xor i1 {lost}, true"))
    turned = out.op(f"fneg double {found}")
    return Val(DOUBLE, out.choose(out.load(negative, "i1"), "double", turned, found))


def _plain(low: Expressions, v: Val, name: str, span: Span) -> Val:
    if low.arithmetic.kind(v) is not F64:
        raise Refused(f"'{name}' of another class than double", span)
    return v


def inverse(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Operand | None:
    """``inv`` of a small matrix."""
    given = _only(low, args, "inv", span)
    out = low.out
    if isinstance(given, Val):
        v = _plain(low, given, "inv", span)
        size = out.call("double", "llvm.fabs.f64", ("double", v.text))
        out.require(out.op(f"fcmp ogt double {size}, {number(1e-300).text}"))
        out.require(out.op(f"fcmp olt double {size}, {number(1e300).text}"))
        return Val(DOUBLE, out.op(f"fdiv double {number(1.0).text}, {v.text}"))
    a = square(low, given, "'inv'", span)
    lapack = Lapack(low, a.rows)
    factors = low.arrays.copy_of(replace(a, fresh=False))
    places = factors.data, lapack.rows, lapack.pivots
    lapack.call("getrf", lapack.rows, lapack.rows, *places, lapack.info)
    lapack.require_success()
    out.require(lapack.is_sound(factors, lapack.size_of(a)))
    room = lapack.number(out.op(f"mul i64 {a.rows}, {_WORK}"))
    lapack.call("getri", lapack.rows, *places, lapack.room("double", _WORK), room, lapack.info)
    return factors


_WORK = 3
"""Words for each row that SciPy gives LAPACK to invert a matrix."""

SYSTEMS = {"det": determinant, "inv": inverse}
"""Functions of square matrices by name."""
