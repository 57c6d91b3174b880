"""Powers of arrays by NumPy's loop, whose digits are not those of the C library's ``pow``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app.engine.jit import external, maps
from app.engine.jit.arrays import Array
from app.engine.jit.builder import Refused, Val, number
from app.engine.jit.jit_types import DOUBLE, F64
from app.records import record

if TYPE_CHECKING:
    from app.engine.jit.arrays import Operand
    from app.engine.jit.builder import Builder
    from app.engine.jit.jit_expressions import Expressions
    from app.source import Span

_ZERO = number(0.0).text


def power(low: Expressions, base: Operand, exponent: Operand, span: Span) -> Operand:
    """``base .^ exponent`` where one is an array; what turns complex is left."""
    square = isinstance(exponent, Val) and exponent.const == 2.0
    kinds = {low.arithmetic.kind(x) if isinstance(x, Val) else x.kind for x in (base, exponent)}
    if square or kinds != {F64}:
        return low.arrays.operate(".^", base, exponent, span)
    loop = external.loop_of("power")
    if loop is None:
        raise Refused("powers of arrays without a known loop of NumPy", span)
    made = _room(low, [x for x in (base, exponent) if isinstance(x, Array)], span)
    x, y = (_operand(low, v, made) for v in (base, exponent))
    _require_real(low, x, y, made)
    goal = (made.data, "8")
    maps.call_loop(
        low, loop, ((x.place, x.step), (y.place, y.step), goal), low.arrays.count_of(made)
    )
    return _of_square_roots(low, made, exponent.text) if isinstance(exponent, Val) else made


def _room(low: Expressions, given: list[Array], span: Span) -> Array:
    """Where the powers go: several, since one number's is the C library's."""
    first, last, out = given[0], given[-1], low.out
    rows, columns, pages = first.rows, first.columns, first.pages
    if columns == last.rows == pages == last.pages == "1":  # a column and a row
        columns = last.columns
        for extent in (rows, columns):
            out.require(out.op(f"icmp ne i64 {extent}, 1"))
    else:
        for p, q in ((rows, last.rows), (columns, last.columns), (pages, last.pages)):
            if p != q and "1" in (p, q):
                raise Refused("powers of arrays of different sizes", span)
            if p != q:
                out.require(out.op(f"icmp eq i64 {p}, {q}"))
    made = low.arrays.allocate(F64, rows, columns, pages)
    out.require(out.op(f"icmp ugt i64 {low.arrays.count_of(made)}, 1"))
    return made


@record
class _Operand:
    """Numbers in memory.

    Attributes:
        place: where the first lies.
        step: to the next one, in bytes: nothing for a single number.
    """

    place: str
    step: str

    def element(self, out: Builder, k: str) -> str:
        """The number at a place, from 0."""
        moved = out.op(f"mul i64 {k}, {self.step}")
        there = out.op(f"getelementptr i8, ptr {self.place}, i64 {moved}")
        return out.op(f"load double, ptr {there}")


def _operand(low: Expressions, v: Operand, made: Array) -> _Operand:
    if isinstance(v, Array):
        repeated = low.arrays.repeat(v, made.rows, made.columns)
        if repeated is not v:
            v = Array(F64, made.rows, made.columns, repeated.element, computed=True)
        return _Operand(low.arrays.in_memory(v).data, "8")
    slot = low.out.slot(f"%d.{low.out.label('power')}", "double")
    low.out.store(slot, "double", v.text)
    return _Operand(slot, "0")


def _require_real(low: Expressions, x: _Operand, y: _Operand, made: Array) -> None:
    """Leave where a negative number has an exponent that is not whole."""
    out = low.out
    slot = out.slot(f"%b.{out.label('negative')}", "i1")
    out.store(slot, "i1", "false")

    def look(k: str) -> None:
        below = out.op(f"fcmp olt double {x.element(out, k)}, {_ZERO}")
        exponent = y.element(out, k)
        whole = out.call("double", "llvm.floor.f64", ("double", exponent))
        turned = out.op(f"and i1 {below}, {out.op(f'fcmp ogt double {exponent}, {whole}')}")
        out.store(slot, "i1", out.op(f"or i1 {out.load(slot, 'i1')}, {turned}"))

    low.arrays.each(low.arrays.count_of(made), look)
    out.require(out.op(f"xor i1 {out.load(slot, 'i1')}, true"))


def _of_square_roots(low: Expressions, made: Array, exponent: str) -> Array:
    """NumPy takes the square root where the exponent is one half; that of -0 is a power of 0."""
    out = low.out
    half = out.op(f"fcmp oeq double {exponent}, {number(0.5).text}")

    def element(k: str) -> Val:
        x = made.element(k).text
        plain = out.op(f"fadd double {x}, {_ZERO}")
        return Val(DOUBLE, out.choose(half, "double", plain, x))

    return replace(made, element=element, computed=True, data="", fresh=False)
