"""Conversions and operators of scalars: MATLAB's classes, rounding and saturation."""

from __future__ import annotations

from app.engine.jit import complexes
from app.engine.jit.builder import EXACT, Builder, Refused, Val, number
from app.engine.jit.jit_types import BOOL, C128, CHAR, DOUBLE, F32, F64, LOGICAL, SCALARS, Kind
from app.source import Span

_SYMBOLS = {"+": "add", "-": "sub", "*": "mul", ".*": "mul"}
_ORDER = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge"}


class Arithmetic:
    """Operators on registers; what compiled code cannot do leaves it."""

    def __init__(self, out: Builder) -> None:
        self.out = out

    # --- conversions ---

    def double(self, v: Val) -> str:
        """The register of ``v`` as a double."""
        kind = self.kind(v)
        if kind is F64:
            return v.text
        if kind is F32:
            return self.out.op(f"fpext float {v.text} to double")
        return self._float_of_integer(v, kind, "double")

    def _float_of_integer(self, v: Val, kind: Kind, to: str) -> str:
        signed = kind.is_integer and kind.signed
        return self.out.op(f"{'sitofp' if signed else 'uitofp'} {kind.llvm} {v.text} to {to}")

    def kind(self, v: Val) -> Kind:
        """The class of a scalar that is not complex."""
        if v.type.kind is None:
            raise Refused("a value of another class is used")
        if v.type.kind is C128:
            raise Refused("a complex number is used")
        return v.type.kind

    def cast(self, v: Val, to: Kind) -> Val:
        """``v`` converted as an explicit conversion or an indexed assignment does."""
        kind = self.kind(v)
        if kind is to:
            return v
        if to is F64:
            return Val(DOUBLE, self.double(v))
        if to is F32:
            return Val(SCALARS["single"], self._single(v, kind))
        if to is BOOL:
            return self.logical(v)
        if to is CHAR:
            return self._char(v, kind)
        return Val(SCALARS[to.name], self._integer(v, kind, to))

    def _single(self, v: Val, kind: Kind) -> str:
        if kind is F64:
            return self.out.op(f"fptrunc double {v.text} to float")
        return self._float_of_integer(v, kind, "float")

    def _char(self, v: Val, kind: Kind) -> Val:
        """Only code points that are whole and in range; the rest is left to the interpreter."""
        x = self.double(v)
        self.out.require(self.out.op(f"fcmp oge double {x}, {number(0.0).text}"))
        self.out.require(self.out.op(f"fcmp ole double {x}, {number(1114111.0).text}"))
        return Val(SCALARS["char"], self.out.op(f"fptoui double {x} to i32"))

    def _integer(self, v: Val, kind: Kind, to: Kind) -> str:
        if kind is BOOL or kind is CHAR:
            return self._clamp(self.out.op(f"zext {kind.llvm} {v.text} to i128"), to)
        if kind.is_integer:
            extend = "sext" if kind.signed else "zext"
            return self._clamp(self.out.op(f"{extend} {kind.llvm} {v.text} to i128"), to)
        return self.saturate(self.double(v), to)

    def saturate(self, x: str, to: Kind, rounded: bool = False) -> str:
        """A double as an integer: rounded half away from zero, clamped, NaN to 0."""
        if not rounded:
            x = self.out.call("double", "llvm.round.f64", ("double", x))
        how = "si" if to.signed else "ui"
        return self.out.call(to.llvm, f"llvm.fpto{how}.sat.{to.llvm}.f64", ("double", x))

    def _clamp(self, wide: str, to: Kind) -> str:
        """An ``i128`` in the range of an integer class."""
        low = -(1 << (to.bits - 1)) if to.signed else 0
        high = (1 << (to.bits - to.signed)) - 1
        for name, bound in (("smax", low), ("smin", high)):
            wide = self.out.call("i128", f"llvm.{name}.i128", ("i128", wide), ("i128", str(bound)))
        return self.out.op(f"trunc i128 {wide} to {to.llvm}")

    def logical(self, v: Val) -> Val:
        """``logical(v)``; NaN is an error."""
        kind = self.kind(v)
        if kind is BOOL:
            return v
        if kind.is_float:
            self.out.require(self.out.op(f"fcmp ord {kind.llvm} {v.text}, {v.text}"))
            test = self.out.op(f"fcmp une {kind.llvm} {v.text}, 0.0")
        else:
            test = self.out.op(f"icmp ne {kind.llvm} {v.text}, 0")
        return Val(LOGICAL, test)

    # --- arithmetic ---

    def binary(self, op: str, a: Val, b: Val, span: Span) -> Val:
        """``a op b`` for an arithmetic operator."""
        if op in {"\\", ".\\"}:
            return self.binary("/", b, a, span)
        if complexes.is_complex(a, b):
            a, b = (self.cast(v, F64) if v.type.kind is BOOL else v for v in (a, b))
            return complexes.complex_binary(self.out, op, a, b, span)
        ka, kb = self.kind(a), self.kind(b)
        if ka.is_integer or kb.is_integer:
            return self._integers(op, a, b, span)
        if op in {"^", ".^"}:
            return self.power(a, b, span)
        if F32 in (ka, kb):
            return self._floats(op, self.cast(a, F32), self.cast(b, F32))
        made = self._floats(op, self.cast(a, F64), self.cast(b, F64))
        return self._with_integer(op, a, b, made)

    def _floats(self, op: str, a: Val, b: Val) -> Val:
        name = f"f{_SYMBOLS.get(op, 'div')}"
        return Val(a.type, self.out.op(f"{name} {self.kind(a).llvm} {a.text}, {b.text}"))

    def _with_integer(self, op: str, a: Val, b: Val, made: Val) -> Val:
        """Sums and small multiples of whole numbers are also kept as integers for subscripts."""
        if not (a.whole and b.whole) or op not in _SYMBOLS:
            return made
        bits = a.bits + b.bits if op in {"*", ".*"} else max(a.bits, b.bits) + 1
        if bits > 62 or (op in {"*", ".*"} and a.const is None and b.const is None):
            return made
        if op in {"*", ".*"} and bits > EXACT:
            return made
        whole = self.out.op(f"{_SYMBOLS[op]} i64 {a.whole}, {b.whole}")
        return Val(DOUBLE, made.text, whole, bits)

    def negative(self, v: Val) -> Val:
        """``-v``."""
        if complexes.is_complex(v):
            return complexes.complex_negative(self.out, v)
        kind = self.kind(v)
        if v.const is not None:
            return number(-v.const)
        if kind.is_integer:
            zero = f"llvm.{'s' if kind.signed else 'u'}sub.sat.{kind.llvm}"
            return Val(
                v.type, self.out.call(kind.llvm, zero, (kind.llvm, "0"), (kind.llvm, v.text))
            )
        if kind is F32:
            return Val(v.type, self.out.op(f"fneg float {v.text}"))
        return Val(DOUBLE, self.out.op(f"fneg double {self.double(v)}"))

    # --- integer classes ---

    def integer_kind(self, a: Val, b: Val, span: Span) -> Kind:
        """The class of an operation with integers."""
        kinds = [k for k in (self.kind(a), self.kind(b)) if k.is_integer]
        if len(kinds) == 2 and kinds[0] is not kinds[1]:
            raise Refused("integers of different classes are combined", span)
        return kinds[0]

    def _integers(self, op: str, a: Val, b: Val, span: Span) -> Val:
        kind = self.integer_kind(a, b, span)
        if op in {"^", ".^"}:
            raise Refused("a power of integers", span)
        same = self.kind(a) is self.kind(b)
        if same and op in {"+", "-"}:
            name = f"llvm.{'s' if kind.signed else 'u'}{_SYMBOLS[op]}.sat.{kind.llvm}"
            made = self.out.call(kind.llvm, name, (kind.llvm, a.text), (kind.llvm, b.text))
            return Val(SCALARS[kind.name], made)
        if op in _SYMBOLS and (same or kind.bits == 64):
            return self._exact(_SYMBOLS[op], a, b, kind)
        if kind.bits == 64:
            raise Refused("a division of 64-bit integers", span)
        name = f"f{_SYMBOLS.get(op, 'div')}"
        made = self.out.op(f"{name} double {self.double(a)}, {self.double(b)}")
        return Val(SCALARS[kind.name], self.saturate(made, kind))

    def _exact(self, name: str, a: Val, b: Val, kind: Kind) -> Val:
        """In 128 bits; doubles beside 64-bit integers must be whole numbers."""
        made = self.out.op(f"{name} i128 {self._as_wide_integer(a)}, {self._as_wide_integer(b)}")
        return Val(SCALARS[kind.name], self._clamp(made, kind))

    def _as_wide_integer(self, v: Val) -> str:
        kind = self.kind(v)
        if v.whole:
            return self.out.op(f"sext i64 {v.whole} to i128")
        if not kind.is_float:
            extend = "sext" if kind.is_integer and kind.signed else "zext"
            return self.out.op(f"{extend} {kind.llvm} {v.text} to i128")
        whole = self.whole_of(self.double(v), 2.0**53)
        return self.out.op(f"sext i64 {whole} to i128")

    def whole_of(self, x: str, limit: float) -> str:
        """A double that must be a whole number below ``limit`` as an ``i64``."""
        size = self.out.call("double", "llvm.fabs.f64", ("double", x))
        self.out.require(self.out.op(f"fcmp olt double {size}, {number(limit).text}"))
        whole = self.out.op(f"fptosi double {x} to i64")
        back = self.out.op(f"sitofp i64 {whole} to double")
        self.out.require(self.out.op(f"fcmp oeq double {back}, {x}"))
        return whole

    # --- powers ---

    def power(self, a: Val, b: Val, span: Span) -> Val:
        """``a ^ b``; a fractional power of a negative number is complex: left to others."""
        if {self.kind(a), self.kind(b)} != {F64}:
            raise Refused("a power of another class than double", span)
        x, y = self.double(a), self.double(b)
        if b.const == 2.0:
            return self._with_integer("*", a, a, Val(DOUBLE, self.out.op(f"fmul double {x}, {x}")))
        if b.const is None or not b.const.is_integer():
            fine = self.out.op(f"fcmp uge double {x}, 0.0")
            whole = self.out.call("double", "llvm.floor.f64", ("double", y))
            even = self.out.op(f"fcmp oeq double {whole}, {y}")
            self.out.require(self.out.op(f"or i1 {fine}, {even}"))
        return Val(DOUBLE, self.out.call("double", "pow", ("double", x), ("double", y)))

    # --- comparisons and logic ---

    def compare(self, op: str, a: Val, b: Val, span: Span) -> Val:
        """``a op b`` for a relational operator."""
        if complexes.is_complex(a, b):
            return complexes.complex_compare(self.out, op, a, b)
        ka, kb = self.kind(a), self.kind(b)
        if a.whole and b.whole:
            return self._icmp(op, "i64", True, a.whole, b.whole)
        if ka is kb and not ka.is_float:
            return self._icmp(op, ka.llvm, ka.is_integer and ka.signed, a.text, b.text)
        if ka.is_integer and kb.is_integer and 64 in (ka.bits, kb.bits):
            raise Refused("64-bit integers are compared with another class", span)
        if any(k.is_integer and k.bits == 64 for k in (ka, kb)):
            return self._compare_wide(op, a, b)
        if {ka, kb} <= {F32, F64} and ka is not kb:
            a, b, kind = self.cast(a, F32), self.cast(b, F32), "float"
            return self._fcmp(op, kind, a.text, b.text)
        if ka is kb is F32:
            return self._fcmp(op, "float", a.text, b.text)
        return self._fcmp(op, "double", self.double(a), self.double(b))

    def _compare_wide(self, op: str, a: Val, b: Val) -> Val:
        """An integer of 64 bits beside another class: as doubles unless these are equal."""
        near = next((v for v in (a, b) if self.kind(v).is_float and not v.whole), None)
        if near is None:
            x, y = self._as_wide_integer(a), self._as_wide_integer(b)
            return self._icmp(op, "i128", True, x, y)
        kind = self.kind(b if near is a else a)
        x, y = self.double(a), self.double(b)
        rounded = self._fcmp(op, "double", x, y).text
        equal = self.out.op(f"fcmp oeq double {x}, {y}")
        x, y = (self._near(v, kind) if v is near else self._as_wide_integer(v) for v in (a, b))
        exact = self._icmp(op, "i128", True, x, y).text
        return Val(LOGICAL, self.out.op(f"select i1 {equal}, i1 {exact}, i1 {rounded}"))

    def _near(self, v: Val, kind: Kind) -> str:
        """In 128 bits a float that an integer of a class is rounded to; some integer for others."""
        x = self.double(v)
        whole = Val(SCALARS[kind.name], self.saturate(x, kind, rounded=True))
        # The largest integers are rounded to the first number behind them.
        behind = number(2.0 ** (kind.bits - kind.signed)).text
        more = self.out.op(f"zext i1 {self.out.op(f'fcmp oge double {x}, {behind}')} to i128")
        return self.out.op(f"add i128 {self._as_wide_integer(whole)}, {more}")

    def _icmp(self, op: str, kind: str, signed: bool, a: str, b: str) -> Val:
        name = {"==": "eq", "~=": "ne"}.get(op) or ("s" if signed else "u") + _ORDER[op]
        return Val(LOGICAL, self.out.op(f"icmp {name} {kind} {a}, {b}"))

    def _fcmp(self, op: str, kind: str, a: str, b: str) -> Val:
        name = {"==": "oeq", "~=": "une"}.get(op) or "o" + _ORDER[op]
        return Val(LOGICAL, self.out.op(f"fcmp {name} {kind} {a}, {b}"))

    def logical_not(self, v: Val) -> Val:
        """``~v``."""
        return Val(LOGICAL, self.out.op(f"xor i1 {self.logical(v).text}, true"))

    def logical_operator(self, op: str, a: Val, b: Val) -> Val:
        """``a & b`` and ``a | b``."""
        name = "and" if op == "&" else "or"
        x, y = self.logical(a), self.logical(b)
        return Val(LOGICAL, self.out.op(f"{name} i1 {x.text}, {y.text}"))
