"""Complex scalars: a pair of doubles.

The interpreter makes a result whose imaginary part is zero real again; compiled code is left there.
"""

from __future__ import annotations

import math

from app.engine.jit.builder import Builder, Refused, Val, number
from app.engine.jit.jit_types import C128, DOUBLE, F64, LOGICAL, SCALARS
from app.source import Span

COMPLEX = SCALARS["complex"]
Parts = tuple[str, str]
"""Real and imaginary part."""
_ORDER = {"<": "olt", "<=": "ole", ">": "ogt", ">=": "oge"}


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
        return v.text, number(0.0).text
    raise Refused("a complex number beside another class than double")


def joined_parts(out: Builder, real: str, imag: str) -> Val:
    """A complex scalar of two doubles."""
    first = out.op(f"insertvalue {C128.llvm} undef, double {real}, 0")
    return Val(COMPLEX, out.op(f"insertvalue {C128.llvm} {first}, double {imag}, 1"))


def _finite(out: Builder, real: str, imag: str) -> Val:
    """A result that is computed with arrays unless it is finite: leaves there."""
    for part in (real, imag):
        size = out.call("double", "llvm.fabs.f64", ("double", part))
        out.require(out.op(f"fcmp olt double {size}, {number(math.inf).text}"))
    return _narrowed(out, real, imag)


def _narrowed(out: Builder, real: str, imag: str) -> Val:
    """A result: leaves where it would become real."""
    out.require(out.op(f"fcmp une double {imag}, 0.0"))
    return joined_parts(out, real, imag)


def complex_binary(out: Builder, op: str, a: Val, b: Val, span: Span) -> Val:
    """``a op b`` where one is complex."""
    (p, q), (r, s) = parts(out, a), parts(out, b)
    if op in {"+", "-"}:
        name = "fadd" if op == "+" else "fsub"
        return _finite(out, _do(out, name, p, r), _do(out, name, q, s))
    if op in {"*", ".*"}:
        return _finite(out, *_product(out, (p, q), (r, s)))
    if op in {"/", "./"} and not is_complex(b):
        return _narrowed(out, _do(out, "fdiv", p, r), _do(out, "fdiv", q, r))
    if op in {"^", ".^"} and b.const in {2.0, 3.0}:
        square = _product(out, (p, q), (p, q))
        return _finite(out, *(square if b.const == 2.0 else _product(out, (p, q), square)))
    raise Refused(f"'{op}' of complex numbers", span)


def _product(out: Builder, a: Parts, b: Parts) -> Parts:
    """Each part rounded alone; a real factor has a zero beside it, as in Python."""
    (p, q), (r, s) = a, b
    real = _do(out, "fsub", _do(out, "fmul", p, r), _do(out, "fmul", q, s))
    return real, _do(out, "fadd", _do(out, "fmul", p, s), _do(out, "fmul", q, r))


def _do(out: Builder, name: str, x: str, y: str) -> str:
    return out.op(f"{name} double {x}, {y}")


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
