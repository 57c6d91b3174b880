"""Complex scalars: a pair of doubles.

The interpreter makes a result whose imaginary part is zero real again; compiled code is left there.
"""

from __future__ import annotations

from app.engine.jit.builder import Builder, Refused, Val, number
from app.engine.jit.types import C128, DOUBLE, F64, LOGICAL, SCALARS
from app.source import Span

COMPLEX = SCALARS["complex"]
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

    def parts(self, v: Val) -> tuple[str, str]:
        """Real and imaginary part of a complex or double scalar."""
        if v.type.kind is C128:
            return (self.out.op(f"extractvalue {C128.llvm} {v.text}, 0"),
                    self.out.op(f"extractvalue {C128.llvm} {v.text}, 1"))  # fmt: skip
        if v.type.kind is F64:
            return v.text, number(0.0).text
        raise Refused("a complex number beside another class than double")

    def joined_parts(self, real: str, imag: str) -> Val:
        """A complex scalar of two doubles."""
        first = self.out.op(f"insertvalue {C128.llvm} undef, double {real}, 0")
        return Val(COMPLEX, self.out.op(f"insertvalue {C128.llvm} {first}, double {imag}, 1"))

    def _narrowed(self, real: str, imag: str) -> Val:
        """A result: leaves where it would become real."""
        self.require(self.out.op(f"fcmp une double {imag}, 0.0"))
        return self.joined_parts(real, imag)

    def complex_binary(self, op: str, a: Val, b: Val, span: Span) -> Val:
        """``a op b`` where one is complex."""
        (p, q), (r, s) = self.parts(a), self.parts(b)
        if op in {"+", "-"}:
            name = "fadd" if op == "+" else "fsub"
            return self._narrowed(self._do(name, p, r), self._do(name, q, s))
        if op in {"*", ".*"}:
            return self._product(a, b)
        if op in {"/", "./"} and not self.is_complex(b):
            return self._narrowed(self._do("fdiv", p, r), self._do("fdiv", q, r))
        if op in {"^", ".^"} and b.const == 2.0:
            cross = self._do("fmul", p, q)
            real = self._do("fsub", self._do("fmul", p, p), self._do("fmul", q, q))
            return self._narrowed(real, self._do("fadd", cross, cross))
        raise Refused(f"'{op}' of complex numbers", span)

    def _product(self, a: Val, b: Val) -> Val:
        (p, q), (r, s) = self.parts(a), self.parts(b)
        if not self.is_complex(a):
            return self._narrowed(self._do("fmul", r, p), self._do("fmul", s, p))
        if not self.is_complex(b):
            return self._narrowed(self._do("fmul", p, r), self._do("fmul", q, r))
        real = self._do("fsub", self._do("fmul", p, r), self._do("fmul", q, s))
        return self._narrowed(real, self._do("fadd", self._do("fmul", p, s),
                                             self._do("fmul", q, r)))  # fmt: skip

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
        return self.joined_parts(self.out.op(f"fneg double {p}"),
                                 self.out.op(f"fneg double {q}"))  # fmt: skip

    def magnitude(self, v: Val) -> Val:
        """``abs(z)``."""
        p, q = self.parts(v)
        return Val(DOUBLE, self.out.call("double", "hypot", ("double", p), ("double", q)))
