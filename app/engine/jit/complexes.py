"""Complex scalars: a pair of doubles.

The interpreter makes a result whose imaginary part is zero real again; compiled code is left there.
"""

from __future__ import annotations

import math

from app.engine.jit.builder import Builder, Refused, Val, number
from app.engine.jit.types import C128, DOUBLE, F64, LOGICAL, SCALARS
from app.source import Span

COMPLEX = SCALARS["complex"]
Parts = tuple[str, str]
"""Real and imaginary part."""
_ORDER = {"<": "olt", "<=": "ole", ">": "ogt", ">=": "oge"}


class Complexes:
    """Operators of complex scalars."""

    out: Builder

    def require(self, test: str) -> None:
        """Leave compiled code unless ``test`` holds."""
        raise NotImplementedError

    def is_complex(self, *values: Val) -> bool:
        """True when one of the values is complex."""
        return any(v.type.kind is C128 for v in values)

    def parts(self, v: Val) -> Parts:
        """Real and imaginary part of a complex or double scalar."""
        if v.type.kind is C128:
            return (
                self.out.op(f"extractvalue {C128.llvm} {v.text}, 0"),
                self.out.op(f"extractvalue {C128.llvm} {v.text}, 1"),
            )
        if v.type.kind is F64:
            return v.text, number(0.0).text
        raise Refused("a complex number beside another class than double")

    def joined_parts(self, real: str, imag: str) -> Val:
        """A complex scalar of two doubles."""
        first = self.out.op(f"insertvalue {C128.llvm} undef, double {real}, 0")
        return Val(COMPLEX, self.out.op(f"insertvalue {C128.llvm} {first}, double {imag}, 1"))

    def _finite(self, real: str, imag: str) -> Val:
        """A result that is computed with arrays unless it is finite: leaves there."""
        for part in (real, imag):
            size = self.out.call("double", "llvm.fabs.f64", ("double", part))
            self.require(self.out.op(f"fcmp olt double {size}, {number(math.inf).text}"))
        return self._narrowed(real, imag)

    def _narrowed(self, real: str, imag: str) -> Val:
        """A result: leaves where it would become real."""
        self.require(self.out.op(f"fcmp une double {imag}, 0.0"))
        return self.joined_parts(real, imag)

    def complex_binary(self, op: str, a: Val, b: Val, span: Span) -> Val:
        """``a op b`` where one is complex."""
        (p, q), (r, s) = self.parts(a), self.parts(b)
        if op in {"+", "-"}:
            name = "fadd" if op == "+" else "fsub"
            return self._finite(self._do(name, p, r), self._do(name, q, s))
        if op in {"*", ".*"}:
            return self._finite(*self._product((p, q), (r, s)))
        if op in {"/", "./"} and not self.is_complex(b):
            return self._narrowed(self._do("fdiv", p, r), self._do("fdiv", q, r))
        if op in {"^", ".^"} and b.const in {2.0, 3.0}:
            square = self._product((p, q), (p, q))
            return self._finite(*(square if b.const == 2.0 else self._product((p, q), square)))
        raise Refused(f"'{op}' of complex numbers", span)

    def _product(self, a: Parts, b: Parts) -> Parts:
        """Each part rounded alone; a real factor has a zero beside it, as in Python."""
        (p, q), (r, s) = a, b
        real = self._do("fsub", self._do("fmul", p, r), self._do("fmul", q, s))
        return real, self._do("fadd", self._do("fmul", p, s), self._do("fmul", q, r))

    def _do(self, name: str, x: str, y: str) -> str:
        return self.out.op(f"{name} double {x}, {y}")

    def complex_compare(self, op: str, a: Val, b: Val) -> Val:
        """Equality looks at both parts, an order at the real ones."""
        (p, q), (r, s) = self.parts(a), self.parts(b)
        if op in _ORDER:
            return Val(LOGICAL, self.out.op(f"fcmp {_ORDER[op]} double {p}, {r}"))
        test, join = ("oeq", "and") if op == "==" else ("une", "or")
        first = self.out.op(f"fcmp {test} double {p}, {r}")
        second = self.out.op(f"fcmp {test} double {q}, {s}")
        return Val(LOGICAL, self.out.op(f"{join} i1 {first}, {second}"))

    def complex_negative(self, v: Val) -> Val:
        """``-z``."""
        p, q = self.parts(v)
        return self.joined_parts(self.out.op(f"fneg double {p}"), self.out.op(f"fneg double {q}"))

    def conjugate(self, v: Val) -> Val:
        """``conj(z)``."""
        real, imag = self.parts(v)
        return self.joined_parts(real, self.out.op(f"fneg double {imag}"))

    def magnitude(self, v: Val) -> Val:
        """``abs(z)``."""
        p, q = self.parts(v)
        return Val(DOUBLE, self.out.call("double", "hypot", ("double", p), ("double", q)))
