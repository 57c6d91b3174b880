"""Complex scalars: a pair of doubles, of which a zero second one says that the number is real.

The interpreter makes a result whose imaginary part is zero real again, and computes with it as with
any real number. So every operation here gives for such a pair what real arithmetic gives. What
NumPy computes in the interpreter its own loops compute here.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from app.engine.jit import external
from app.engine.jit.builder import Builder, Refused, Val, number
from app.engine.jit.jit_types import C128, DOUBLE, F64, LOGICAL, SCALARS
from app.source import Span

COMPLEX = SCALARS["complex"]
Parts = tuple[str, str]
"""Real and imaginary part."""
_ORDER = {"<": "olt", "<=": "ole", ">": "ogt", ">=": "oge"}
_ZERO = number(0.0).text


def is_complex(*values: Val) -> bool:
    """True when one of the values is complex."""
    return any(v.type.kind is C128 for v in values)


def parts(out: Builder, v: Val) -> Parts:
    """Real and imaginary part of a complex or double scalar."""
    if v.type.kind is C128:
        return (
            out.op(f"extractvalue {C128.llvm} {v.text}, 0"),
            out.op(f"extractvalue {C128.llvm} {v.text}, 1"),
        )
    if v.type.kind is F64:
        return v.text, _ZERO
    raise Refused("a complex number beside another class than double")


def joined_parts(out: Builder, real: str, imag: str) -> Val:
    """A complex scalar of two doubles; its second one is no negative zero."""
    return pair(out, real, out.op(f"fadd double {imag}, {_ZERO}"))


def normal(out: Builder, v: Val) -> Val:
    """An element of an array as a number of its own, whose second part is no negative zero."""
    return joined_parts(out, *parts(out, v)) if v.type.kind is C128 else v


def pair(out: Builder, real: str, imag: str) -> Val:
    """Two doubles as an element of a complex array, which keeps its negative zeros."""
    first = out.op(f"insertvalue {C128.llvm} undef, double {real}, 0")
    return Val(COMPLEX, out.op(f"insertvalue {C128.llvm} {first}, double {imag}, 1"))


def as_complex(out: Builder, v: Val) -> Val:
    """The same number as a pair."""
    return v if v.type.kind is C128 else joined_parts(out, *parts(out, v))


def is_zero(out: Builder, x: str) -> str:
    """Whether a part is zero, as an ``i1``."""
    return out.op(f"fcmp oeq double {x}, 0.0")


def _finite(out: Builder, real: str, imag: str) -> Val:
    """A result that is computed with arrays unless it is finite: leaves there."""
    require_finite(out, real, imag)
    return joined_parts(out, real, imag)


def require_finite(out: Builder, *numbers: str) -> None:
    """Leave unless they all are finite."""
    for x in numbers:
        size = out.call("double", "llvm.fabs.f64", ("double", x))
        out.require(out.op(f"fcmp olt double {size}, {number(math.inf).text}"))


def complex_binary(out: Builder, op: str, a: Val, b: Val, span: Span) -> Val:
    """``a op b`` where one is complex."""
    (p, q), (r, s) = parts(out, a), parts(out, b)
    if op in {"+", "-"}:
        name = "fadd" if op == "+" else "fsub"
        return _finite(out, _double_operation(out, name, p, r), _double_operation(out, name, q, s))
    if op in {"*", ".*"}:
        real, imag = product(out, (p, q), (r, s))
        scaled = out.op(f"or i1 {is_zero(out, q)}, {is_zero(out, s)}")
        return _finite(
            out, out.choose(scaled, "double", _double_operation(out, "fmul", p, r), real), imag
        )
    if op in {"/", "./"}:
        return _quotient(out, (p, q), (r, s), by_real=not is_complex(b))
    if op in {"^", ".^"}:
        return _power(out, (p, q), b, span)
    raise Refused(f"'{op}' of complex numbers", span)


def product(out: Builder, a: Parts, b: Parts) -> Parts:
    """The product, each part rounded alone, as in Python."""
    (p, q), (r, s) = a, b
    real = _double_operation(
        out, "fsub", _double_operation(out, "fmul", p, r), _double_operation(out, "fmul", q, s)
    )
    return real, _double_operation(
        out, "fadd", _double_operation(out, "fmul", p, s), _double_operation(out, "fmul", q, r)
    )


def _quotient(out: Builder, a: Parts, b: Parts, by_real: bool) -> Val:
    """Both parts by a real number; by a complex one as NumPy does it."""
    (p, q), (r, s) = a, b
    quotients = _double_operation(out, "fdiv", p, r), _double_operation(out, "fdiv", q, r)
    if by_real:
        return _finite(out, *quotients)
    real, imag = by_numpy(out, "divide", p, q, r, s)
    alone = is_zero(out, s)
    return _finite(
        out,
        out.choose(alone, "double", quotients[0], real),
        out.choose(alone, "double", quotients[1], imag),
    )


def _power(out: Builder, a: Parts, b: Val, span: Span) -> Val:
    """Squares and cubes as products, other powers of what is not real as NumPy's."""
    p, q = a
    if b.type.kind is not F64:
        raise Refused("a power with a complex exponent", span)
    square = product(out, a, a)
    if b.const == 2.0:
        return _finite(out, *square)
    if b.const == 3.0:
        real, imag = product(out, a, square)
        plain = out.call("double", "pow", ("double", p), ("double", number(3.0).text))
        return _finite(out, out.choose(is_zero(out, q), "double", plain, real), imag)
    out.require(out.op(f"fcmp une double {q}, 0.0"))
    return _finite(out, *by_numpy(out, "power", p, q, b.text, _ZERO))


def _double_operation(out: Builder, name: str, x: str, y: str) -> str:
    return out.op(f"{name} double {x}, {y}")


def by_numpy(out: Builder, ufunc: str, *numbers: str) -> Parts:
    """NumPy's loop over one pair, or over two."""
    found = external.loop_of(ufunc, external.COMPLEX)
    if found is None:
        raise Refused(f"NumPy's '{ufunc}' of complex numbers is not found")
    helper = "fuselab_complex" if len(numbers) == 4 else "fuselab_complex1"
    given = [("double", x) for x in numbers]
    made = Val(COMPLEX, out.call(C128.llvm, helper, *external.arguments(out, found), *given))
    return parts(out, made)


def elementary(
    out: Builder, ufunc: str, real_one: Callable[[str], str], v: Val, least: float
) -> Val:
    """A function of a complex number; of a real one from ``least`` on what ``real_one`` gives."""
    p, q = parts(out, v)
    slots = [out.slot(f"%{out.label('part.')}", "double") for _ in range(2)]
    plain, other, done = (out.label(h) for h in ("real", "complex", "done"))
    alone = is_zero(out, q)
    if least > -math.inf:
        inside = out.op(f"fcmp uge double {p}, {number(least).text}")
        out.branch(out.op(f"and i1 {alone}, {inside}"), plain, other)
    else:
        out.branch(alone, plain, other)
    out.start(plain)
    out.store(slots[0], "double", real_one(p))
    out.store(slots[1], "double", _ZERO)
    out.jump(done)
    out.start(other)
    for slot, text in zip(
        slots,
        by_numpy(out, ufunc, p, q),
        strict=True,
    ):
        out.store(slot, "double", text)
    out.jump(done)
    out.start(done)
    return joined_parts(out, out.load(slots[0], "double"), out.load(slots[1], "double"))


def complex_compare(out: Builder, op: str, a: Val, b: Val) -> Val:
    """Equality looks at both parts, an order at the real ones."""
    (p, q), (r, s) = parts(out, a), parts(out, b)
    if op in _ORDER:
        return Val(LOGICAL, out.op(f"fcmp {_ORDER[op]} double {p}, {r}"))
    test, join = ("oeq", "and") if op == "==" else ("une", "or")
    first = out.op(f"fcmp {test} double {p}, {r}")
    second = out.op(f"fcmp {test} double {q}, {s}")
    return Val(LOGICAL, out.op(f"{join} i1 {first}, {second}"))


def complex_negative(out: Builder, v: Val) -> Val:
    """``-z``."""
    p, q = parts(out, v)
    return joined_parts(out, out.op(f"fneg double {p}"), out.op(f"fneg double {q}"))


def conjugate(out: Builder, v: Val) -> Val:
    """``conj(z)``."""
    real, imag = parts(out, v)
    return joined_parts(out, real, out.op(f"fneg double {imag}"))


def magnitude(out: Builder, v: Val) -> Val:
    """``abs(z)``."""
    p, q = parts(out, v)
    return Val(DOUBLE, out.call("double", "hypot", ("double", p), ("double", q)))
