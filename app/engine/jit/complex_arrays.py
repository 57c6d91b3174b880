"""Whole complex arrays: elementwise operators, parts, sizes, exponentials and sums.

The interpreter makes an array real whose imaginary parts are all zero, and computes with it as with
any real one. Which it is, is known only when all of it is there: so what gives complex numbers is
computed into memory and looked at, and ``real`` of the `Array` says what was seen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from app.engine.jit import external, maps
from app.engine.jit.arrays import RELATIONS, Array
from app.engine.jit.builder import Refused, Val, number
from app.engine.jit.complexes import (
    by_numpy,
    complex_compare,
    is_zero,
    normal,
    pair,
    parts,
    product,
    require_finite,
)
from app.engine.jit.jit_types import BOOL, C128, DOUBLE, F64, INTEGERS, SCALARS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.engine.jit.arrays import Operand
    from app.engine.jit.builder import Builder
    from app.engine.jit.complexes import Parts
    from app.engine.jit.jit_expressions import Expressions
    from app.source import Span

_ZERO = number(0.0).text


def is_complex(*given: Operand) -> bool:
    """Whether an array is among the operands, and complex numbers are."""
    kinds = {x.type.kind if isinstance(x, Val) else x.kind for x in given}
    return C128 in kinds and any(isinstance(x, Array) for x in given)


def settled(low: Expressions, a: Array) -> Array:
    """The array in memory, and whether it is real."""
    if a.real:
        return a
    out, source = low.out, low.arrays.in_memory(a)
    slot = out.slot(f"%b.{out.label('real')}", "i1")
    out.store(slot, "i1", "true")

    def look(k: str) -> None:
        here = is_zero(out, parts(out, source.element(k))[1])
        out.store(slot, "i1", out.op(f"and i1 {out.load(slot, 'i1')}, {here}"))

    low.arrays.each(low.arrays.count_of(source), look)
    real = out.load(slot, "i1")

    def element(k: str) -> Val:
        first, second = parts(out, source.element(k))
        return pair(out, first, out.choose(real, "double", _ZERO, second))

    return replace(source, real=real, element=element)


def _as_numbers(low: Expressions, v: Operand) -> tuple[Operand, str]:
    """An operand of doubles or complex numbers, and whether it is real."""
    if isinstance(v, Array):
        if v.kind is C128:
            made = settled(low, v)
            return made, made.real
        if v.kind is BOOL:
            v = low.arrays.map(v, lambda x: Val(DOUBLE, low.arithmetic.double(x)))
        if v.kind is not F64:
            raise Refused("complex numbers beside another class than double")
        return v, "true"
    if v.type.kind is C128:
        return v, is_zero(low.out, parts(low.out, v)[1])
    if v.type.kind in INTEGERS.values():
        raise Refused("complex numbers beside an integer")
    return low.arithmetic.cast(v, F64), "true"


def operate(low: Expressions, op: str, left: Operand, right: Operand, span: Span) -> Operand:
    """An operator between elements."""
    if op == ".^" and isinstance(left, Array) and isinstance(right, Val):
        return _power(low, left, right, span)
    (a, real_a), (b, real_b) = (_as_numbers(low, v) for v in (left, right))
    if op in RELATIONS:
        return low.arrays.broadcast(a, b, lambda x, y: complex_compare(low.out, op, x, y))
    known = _OPERATIONS.get(op)
    if known is None:
        raise Refused(f"'{op}' of complex arrays", span)
    out = low.out

    def join(x: Val, y: Val) -> Val:
        return pair(out, *known(out, parts(out, x), parts(out, y), (real_a, real_b)))

    made = low.arrays.broadcast(a, b, join)
    return made if isinstance(made, Val) else settled(low, made)


def _both(out: Builder, real: tuple[str, str]) -> str:
    return out.op(f"and i1 {real[0]}, {real[1]}")


def _plus(out: Builder, a: Parts, b: Parts, real: tuple[str, str]) -> Parts:
    return out.op(f"fadd double {a[0]}, {b[0]}"), out.op(f"fadd double {a[1]}, {b[1]}")


def _minus(out: Builder, a: Parts, b: Parts, real: tuple[str, str]) -> Parts:
    return out.op(f"fsub double {a[0]}, {b[0]}"), out.op(f"fsub double {a[1]}, {b[1]}")


def _times(out: Builder, a: Parts, b: Parts, real: tuple[str, str]) -> Parts:
    """Both parts times a real number; of two complex ones every part is rounded alone."""
    first, second = product(out, a, b)
    scaled = [out.op(f"fmul double {x}, {y}") for x, y in ((a[0], b[1]), (a[1], b[0]))]
    either = out.op(f"or i1 {real[0]}, {real[1]}")
    first = out.choose(either, "double", out.op(f"fmul double {a[0]}, {b[0]}"), first)
    for flag, other in zip(reversed(real), reversed(scaled), strict=True):
        second = out.choose(flag, "double", other, second)
    return first, out.choose(_both(out, real), "double", _ZERO, second)


def _divided(out: Builder, a: Parts, b: Parts, real: tuple[str, str]) -> Parts:
    """Both parts by a real number; by a complex one as NumPy does it where nothing overflows."""
    by_real = [out.op(f"fdiv double {x}, {b[0]}") for x in a]
    by_complex = by_numpy(out, "divide", *a, *b)
    onward = out.choose(real[1], "double", _ZERO, by_complex[0])
    require_finite(out, onward, out.choose(real[1], "double", _ZERO, by_complex[1]))
    first, second = (
        out.choose(real[1], "double", x, y) for x, y in zip(by_real, by_complex, strict=True)
    )
    return first, out.choose(_both(out, real), "double", _ZERO, second)


_OPERATIONS: dict[str, Callable[[Builder, Parts, Parts, tuple[str, str]], Parts]] = {
    "+": _plus,
    "-": _minus,
    ".*": _times,
    "*": _times,
    "./": _divided,
    "/": _divided,
}
"""Operators on two parts each, which are told what operand is real."""


def _power(low: Expressions, given: Array, exponent: Val, span: Span) -> Array:
    """``z .^ n`` for a whole n; of a single number, or where all are real, another function's.

    Of numbers that are real among others the power is that of a real number.
    """
    loops = external.loop_of("power", external.COMPLEX), external.loop_of("power")
    if exponent.const is None or not exponent.const.is_integer() or None in loops:
        raise Refused("this power of a complex array", span)
    a, out = settled(low, given), low.out
    count = low.arrays.count_of(a)
    out.require(out.op(f"icmp ugt i64 {count}, 1"))
    out.require(out.op(f"xor i1 {a.real}, true"))
    made = low.arrays.allocate(C128, a.rows, a.columns, a.pages)
    power = out.slot(f"%z.{out.label('power')}", C128.llvm)
    out.store(power, C128.llvm, pair(out, exponent.text, _ZERO).text)
    _call(low, loops[0], ((a.data, "16"), (power, "0"), (made.data, "16")), count)

    def of_real(k: str) -> None:
        alone, onward = out.label("alone"), out.label("onward")
        out.branch(is_zero(out, parts(out, a.element(k))[1]), alone, onward)
        out.start(alone)
        base, goal = (
            out.op(f"getelementptr {C128.llvm}, ptr {x.data}, i64 {k}") for x in (a, made)
        )
        _call(low, loops[1], ((base, "8"), (power, "8"), (goal, "8")), "1")
        first = parts(out, made.element(k))[0]
        low.variables.put_element(made.data, k, pair(out, first, _ZERO))
        out.jump(onward)
        out.start(onward)

    low.arrays.each(count, of_real)
    return settled(low, made)


def _call(
    low: Expressions,
    loop: tuple[str, str] | None,
    places: Sequence[tuple[str, str]],
    count: str,
) -> None:
    if loop is None:
        raise Refused("complex arrays without a known loop of NumPy")
    maps.call_loop(low, loop, places, count)


# --- functions of one array ---


def _mapped(low: Expressions, given: Array, turn: Callable[[Parts], Parts]) -> Array:
    """Both parts changed where the array is not real; its imaginary parts are not all zero then."""
    a, out = settled(low, given), low.out

    def element(k: str) -> Val:
        first, second = turn(parts(out, a.element(k)))
        return pair(out, first, out.choose(a.real, "double", _ZERO, second))

    changed = replace(a, element=element, computed=True, data="", fresh=False, turned=None)
    return replace(low.arrays.copy_of(changed), real=a.real)


def negative(low: Expressions, a: Array) -> Array:
    """``-z``."""
    return _mapped(low, a, lambda z: (_turned(low, z[0]), _turned(low, z[1])))


def conjugate(low: Expressions, a: Array) -> Array:
    """``conj(z)``."""
    return _mapped(low, a, lambda z: (z[0], _turned(low, z[1])))


def _turned(low: Expressions, x: str) -> str:
    return low.out.op(f"fneg double {x}")


def _part(which: int) -> Callable[[Expressions, Array], Array]:
    def part(low: Expressions, given: Array) -> Array:
        a = settled(low, given)
        made = low.arrays.map(a, lambda v: Val(DOUBLE, parts(low.out, v)[which]))
        return replace(made, turned=None)

    return part


def magnitude(low: Expressions, given: Array) -> Array:
    """``abs(z)``; of a single number another function's."""
    a, out = settled(low, given), low.out
    loop = external.loop_of("absolute", external.COMPLEX, external.DOUBLE)
    if loop is None:
        raise Refused("sizes of complex numbers without a known loop of NumPy")
    count = low.arrays.count_of(a)
    out.require(out.op(f"icmp ne i64 {count}, 1"))
    sizes = low.arrays.allocate(F64, a.rows, a.columns, a.pages)
    maps.call_loop(low, loop, ((a.data, "16"), (sizes.data, "8")), count)

    def element(k: str) -> Val:
        alone = out.call("double", "llvm.fabs.f64", ("double", parts(out, a.element(k))[0]))
        return Val(DOUBLE, out.choose(a.real, "double", alone, sizes.element(k).text))

    return replace(sizes, element=element, computed=True, data="", fresh=False)


def exponential(low: Expressions, given: Array) -> Array:
    """``exp(z)`` by NumPy's loop over complex numbers, or over real ones."""
    a, out = settled(low, given), low.out
    loops = external.loop_of("exp", external.COMPLEX), external.loop_of("exp")
    made = low.arrays.allocate(C128, a.rows, a.columns, a.pages)
    count = low.arrays.count_of(a)
    plain, other, done = (out.label(h) for h in ("real", "complex", "done"))
    if loops[0] is None or loops[1] is None:
        raise Refused("exponentials of complex numbers without a known loop of NumPy")
    out.branch(a.real, plain, other)
    out.start(plain)
    real = low.arrays.copy_of(_part(0)(low, a))
    maps.call_loop(low, loops[1], ((real.data, "8"), (real.data, "8")), count)
    low.arrays.each(
        count,
        lambda k: low.variables.put_element(made.data, k, pair(out, real.element(k).text, _ZERO)),
    )
    out.jump(done)
    out.start(other)
    maps.call_loop(low, loops[0], ((a.data, "16"), (made.data, "16")), count)
    out.jump(done)
    out.start(done)
    return settled(low, made)


def total(low: Expressions, given: Array) -> Val:
    """``sum(z)`` of a vector, in NumPy's order, which is another one for real numbers."""
    a, out = settled(low, given), low.out
    loop = external.loop_of("add", external.COMPLEX)
    if loop is None:
        raise Refused("sums of complex numbers without a known loop of NumPy")
    slot = out.slot(f"%z.{out.label('total')}", C128.llvm)
    words = ("ptr", a.data), ("i64", low.arrays.count_of(a))

    def of_real() -> Val:
        return pair(out, maps.fold(low, "add", low.arrays.copy_of(_part(0)(low, a)), 0.0), _ZERO)

    def of_complex() -> Val:
        arguments = external.arguments(out, loop)
        made = out.call(C128.llvm, "fuselab_fold_complex", *arguments, *words)
        return Val(SCALARS["complex"], made)

    _either(low, a.real, slot, of_real, of_complex)
    return normal(out, Val(SCALARS["complex"], out.load(slot, C128.llvm)))


def _either(
    low: Expressions, test: str, slot: str, first: Callable[[], Val], second: Callable[[], Val]
) -> None:
    """One of two numbers into a slot."""
    out = low.out
    labels = out.label("real"), out.label("complex")
    done = out.label("done")
    out.branch(test, *labels)
    for label, make in zip(labels, (first, second), strict=True):
        out.start(label)
        out.store(slot, C128.llvm, make().text)
        out.jump(done)
    out.start(done)


FUNCTIONS: dict[str, Callable[[Expressions, Array], Array]] = {
    "abs": magnitude,
    "conj": conjugate,
    "exp": exponential,
    "imag": _part(1),
    "real": _part(0),
}
"""Functions of every element, by name."""
