"""Complex scalars: a pair of doubles.

The interpreter makes a result whose imaginary part is zero real again; compiled code is left there.
"""

from __future__ import annotations

import math
from typing import Protocol

from app.engine.jit.builder import Builder, Refused, Val, number
from app.engine.jit.types import C128, DOUBLE, F64, LOGICAL, SCALARS
from app.source import Span

COMPLEX = SCALARS["complex"]
Parts = tuple[str, str]
"""Real and imaginary part."""
_ORDER = {"<": "olt", "<=": "ole", ">": "ogt", ">=": "oge"}


class Lowering(Protocol):
    """What writes code and may leave it."""

    out: Builder

    def require(self, test: str) -> None:
        """Leave compiled code unless ``test`` holds."""


def is_complex(*values: Val) -> bool:
    """True when one of the values is complex."""
    return any(v.type.kind is C128 for v in values)


def parts(low: Lowering, v: Val) -> Parts:
    """Real and imaginary part of a complex or double scalar."""
    if v.type.kind is C128:
        return (
            low.out.op(f"extractvalue {C128.llvm} {v.text}, 0"),
            low.out.op(f"extractvalue {C128.llvm} {v.text}, 1"),
        )
    if v.type.kind is F64:
        return v.text, number(0.0).text
    raise Refused("a complex number beside another class than double")


def joined_parts(low: Lowering, real: str, imag: str) -> Val:
    """A complex scalar of two doubles."""
    first = low.out.op(f"insertvalue {C128.llvm} undef, double {real}, 0")
    return Val(COMPLEX, low.out.op(f"insertvalue {C128.llvm} {first}, double {imag}, 1"))


def _finite(low: Lowering, real: str, imag: str) -> Val:
    """A result that is computed with arrays unless it is finite: leaves there."""
    for part in (real, imag):
        size = low.out.call("double", "llvm.fabs.f64", ("double", part))
        low.require(low.out.op(f"fcmp olt double {size}, {number(math.inf).text}"))
    return _narrowed(low, real, imag)


def _narrowed(low: Lowering, real: str, imag: str) -> Val:
    """A result: leaves where it would become real."""
    low.require(low.out.op(f"fcmp une double {imag}, 0.0"))
    return joined_parts(low, real, imag)


def complex_binary(low: Lowering, op: str, a: Val, b: Val, span: Span) -> Val:
    """``a op b`` where one is complex."""
    (p, q), (r, s) = parts(low, a), parts(low, b)
    if op in {"+", "-"}:
        name = "fadd" if op == "+" else "fsub"
        return _finite(low, _do(low, name, p, r), _do(low, name, q, s))
    if op in {"*", ".*"}:
        return _finite(low, *_product(low, (p, q), (r, s)))
    if op in {"/", "./"} and not is_complex(b):
        return _narrowed(low, _do(low, "fdiv", p, r), _do(low, "fdiv", q, r))
    if op in {"^", ".^"} and b.const in {2.0, 3.0}:
        square = _product(low, (p, q), (p, q))
        return _finite(low, *(square if b.const == 2.0 else _product(low, (p, q), square)))
    raise Refused(f"'{op}' of complex numbers", span)


def _product(low: Lowering, a: Parts, b: Parts) -> Parts:
    """Each part rounded alone; a real factor has a zero beside it, as in Python."""
    (p, q), (r, s) = a, b
    real = _do(low, "fsub", _do(low, "fmul", p, r), _do(low, "fmul", q, s))
    return real, _do(low, "fadd", _do(low, "fmul", p, s), _do(low, "fmul", q, r))


def _do(low: Lowering, name: str, x: str, y: str) -> str:
    return low.out.op(f"{name} double {x}, {y}")


def complex_compare(low: Lowering, op: str, a: Val, b: Val) -> Val:
    """Equality looks at both parts, an order at the real ones."""
    (p, q), (r, s) = parts(low, a), parts(low, b)
    if op in _ORDER:
        return Val(LOGICAL, low.out.op(f"fcmp {_ORDER[op]} double {p}, {r}"))
    test, join = ("oeq", "and") if op == "==" else ("une", "or")
    first = low.out.op(f"fcmp {test} double {p}, {r}")
    second = low.out.op(f"fcmp {test} double {q}, {s}")
    return Val(LOGICAL, low.out.op(f"{join} i1 {first}, {second}"))


def complex_negative(low: Lowering, v: Val) -> Val:
    """``-z``."""
    p, q = parts(low, v)
    return joined_parts(low, low.out.op(f"fneg double {p}"), low.out.op(f"fneg double {q}"))


def conjugate(low: Lowering, v: Val) -> Val:
    """``conj(z)``."""
    real, imag = parts(low, v)
    return joined_parts(low, real, low.out.op(f"fneg double {imag}"))


def magnitude(low: Lowering, v: Val) -> Val:
    """``abs(z)``."""
    p, q = parts(low, v)
    return Val(DOUBLE, low.out.call("double", "hypot", ("double", p), ("double", q)))
