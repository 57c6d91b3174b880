"""The shader machine: definitions traced into WGSL text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from app.accel.functions.language import Machine, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

NAMES = {
    32: {"f": "f32", "u": "u32", "i": "i32", "b": "bool"},
    64: {"f": "f64", "u": "u64", "i": "i64", "b": "bool"},
}
PRELUDE = """\
// A zero no compiler knows: main sets it from the parameters. It keeps maths on constants honest.
var<private> zero: u32;
"""


def float_literal(x: float, width: int) -> str:
    """A finite float as WGSL text of exactly that value."""
    if width == 64:
        return f"{float(x)!r}lf"
    text = str(np.float32(x))
    return f"{text}f"


class Term:
    """A named WGSL value (or literal) of one kind: f(loat), u(nsigned), i(nteger), b(ool)."""

    __slots__ = ("kind", "literal", "machine", "text")
    __hash__ = None  # type: ignore[assignment]

    def __init__(
        self, machine: Trace, kind: str, text: str, literal: float | None = None
    ) -> None:
        self.machine, self.kind, self.text, self.literal = machine, kind, text, literal

    def _binary(self, operator: str, other: Value, kind: str | None = None) -> Term:
        right = self.machine.term(other, self.kind)
        if operator in "+-":
            right = self.machine.opaque(right)
        return self.machine.let(kind or self.kind, f"{self.text} {operator} {right.text}")

    def _reflected(self, operator: str, other: Value) -> Term:
        left = self.machine.term(other, self.kind)
        if operator in "+-":
            left = self.machine.opaque(left)
        return self.machine.let(self.kind, f"{left.text} {operator} {self.text}")

    def __add__(self, other: Value) -> Term:
        return self._binary("+", other)

    def __radd__(self, other: Value) -> Term:
        return self._reflected("+", other)

    def __sub__(self, other: Value) -> Term:
        return self._binary("-", other)

    def __rsub__(self, other: Value) -> Term:
        return self._reflected("-", other)

    def __mul__(self, other: Value) -> Term:
        if self.kind == "f" and self.machine.strict:
            return self.machine.product(self, other)
        return self._binary("*", other)

    def __rmul__(self, other: Value) -> Term:
        return self * other

    def __truediv__(self, other: Value) -> Term:
        return self._binary("/", other)

    def __rtruediv__(self, other: Value) -> Term:
        return self._reflected("/", other)

    def __neg__(self) -> Term:
        if self.literal is not None:
            return self.machine.term(-self.literal, "f")
        return self.machine.let(self.kind, f"-{self.text}")

    def __and__(self, other: Value) -> Term:
        return self._binary("&&" if self.kind == "b" else "&", other)

    def __or__(self, other: Value) -> Term:
        return self._binary("||" if self.kind == "b" else "|", other)

    def __xor__(self, other: Value) -> Term:
        return self._binary("!=" if self.kind == "b" else "^", other)

    def __invert__(self) -> Term:
        return self.machine.let(self.kind, f"{'!' if self.kind == 'b' else '~'}{self.text}")

    def _shift(self, operator: str, amount: Value) -> Term:
        text = f"{amount}u" if isinstance(amount, int) else f"u32({amount.text})"
        return self.machine.let(self.kind, f"{self.text} {operator} {text}")

    def __lshift__(self, amount: Value) -> Term:
        return self._shift("<<", amount)

    def __rshift__(self, amount: Value) -> Term:
        return self._shift(">>", amount)

    def __lt__(self, other: Value) -> Term:
        return self._binary("<", other, "b")

    def __le__(self, other: Value) -> Term:
        return self._binary("<=", other, "b")

    def __gt__(self, other: Value) -> Term:
        return self._binary(">", other, "b")

    def __ge__(self, other: Value) -> Term:
        return self._binary(">=", other, "b")

    def __eq__(self, other: object) -> Term:  # type: ignore[override]
        return self._binary("==", other, "b")

    def __ne__(self, other: object) -> Term:  # type: ignore[override]
        return self._binary("!=", other, "b")


class Trace(Machine):
    """Writes one WGSL function body.

    Attributes:
        strict: Every product is rounded before it is used: the same bits on every device.
        lines: The statements written so far.
        tables: Constant tables asked for, by name.
        calls: Names of the elementary functions called.
    """

    def __init__(self, width: int, *, strict: bool = False) -> None:
        super().__init__(width)
        self.names = NAMES[width]
        self.strict = strict
        self.lines: list[str] = []
        self.tables: dict[str, tuple[int, Sequence[int]]] = {}
        self.calls: set[str] = set()
        self._indent = "    "
        self._fresh = self._count()

    @staticmethod
    def _count() -> Iterator[int]:
        n = 0
        while True:
            n += 1
            yield n

    def term(self, x: Value, kind: str) -> Term:
        """A value or a Python number as a term of a kind."""
        if isinstance(x, Term):
            return x
        if kind == "f":
            return Term(self, "f", self._float(float(x)), float(x))
        if kind == "b":
            return Term(self, "b", "true" if x else "false")
        long = "l" if self.width == 64 else ""
        text = f"{int(x)}{long}i" if kind == "i" else f"{int(x):#x}{long}u"
        return Term(self, kind, text.removesuffix("i") + ("i" if kind == "i" else ""))

    def _float(self, x: float) -> str:
        text = float_literal(x, self.width)
        return f"({text})" if x < 0 else text

    def write(self, line: str) -> None:
        """Append a statement."""
        self.lines.append(self._indent + line)

    def let(self, kind: str, text: str) -> Term:
        """Name a value."""
        name = f"t{next(self._fresh)}"
        self.write(f"let {name} = {text};")
        return Term(self, kind, name)

    def call(self, function: str, kind: str, *args: Value) -> Term:
        """Call a WGSL function on floats."""
        texts = ", ".join(self.term(a, "f").text for a in args)
        return self.let(kind, f"{function}({texts})")

    def constant(self, x: float) -> Value:
        """A float literal."""
        return self.term(x, "f")

    def integer(self, n: int) -> Value:
        """An unsigned integer whose value no compiler knows."""
        long = self.names["u"]
        return self.let("u", f"{self.term(n, 'u').text} | {long}(zero)")

    def opaque(self, x: Term) -> Term:
        """A literal by its bits, mixed with the unknown zero. All literals in sums come here."""
        if x.literal is None:
            return x
        number = np.float32(x.literal) if self.width == 32 else np.float64(x.literal)
        bits = number.view(np.uint32 if self.width == 32 else np.uint64)
        return self.from_bits(self.integer(int(bits)))

    def fma(self, a: Value, b: Value, c: Value) -> Value:
        """``a*b + c``."""
        if self.strict:
            return self.product(a, b) + self.opaque(self.term(c, "f"))
        return self.call("fma", "f", a, b, c)

    def sum(self, a: Value, b: Value) -> Value:
        """``a + b`` as ``fma(a, 1, b)``, the one unknown to the compiler."""
        return self.let("f", f"fma({self.term(a, 'f').text}, {self._one()}, "
                             f"{self.term(b, 'f').text})")

    def product(self, a: Value, b: Value) -> Term:
        """``a * b`` as ``fma(a, b, -0)``, the zero unknown to the compiler."""
        return self.let("f", f"fma({self.term(a, 'f').text}, {self.term(b, 'f').text}, "
                             f"{self._hidden(self.sign_bit)})")

    def _one(self) -> str:
        return self._hidden(self.bias << self.mantissa)

    def _hidden(self, bits: int) -> str:
        return f"bitcast<{self.names['f']}>({self.term(bits, 'u').text} | {self.names['u']}(zero))"

    def select(self, condition: Value, yes: Value, no: Value) -> Value:
        """Elementwise choice."""
        kind = next((x.kind for x in (yes, no) if isinstance(x, Term)), "f")
        a, b = self.term(yes, kind), self.term(no, kind)
        return self.let(kind, f"select({b.text}, {a.text}, {condition.text})")

    def when(
        self,
        condition: Value,
        then: Callable[..., tuple[Value, ...]],
        otherwise: Callable[..., tuple[Value, ...]],
        *args: Value,
    ) -> tuple[Value, ...]:
        """An ``if``."""
        yes, yes_lines = self._block(then, args)
        no, no_lines = self._block(otherwise, args)
        kinds = [next((x.kind for x in pair if isinstance(x, Term)), "f")
                 for pair in zip(yes, no, strict=True)]
        results = [Term(self, kind, f"r{next(self._fresh)}") for kind in kinds]
        for r in results:
            self.write(f"var {r.text}: {self.names[r.kind]};")
        self.write(f"if ({condition.text}) {{")
        self._branch(yes_lines, results, yes)
        self.write("} else {")
        self._branch(no_lines, results, no)
        self.write("}")
        return tuple(results)

    def loop(
        self,
        going: Callable[..., Value],
        body: Callable[..., tuple[Value, ...]],
        *state: Value,
    ) -> tuple[Value, ...]:
        """A ``while``."""
        kinds = [x.kind if isinstance(x, Term) else "f" for x in state]
        held = tuple(Term(self, kind, f"r{next(self._fresh)}") for kind in kinds)
        for h, x in zip(held, state, strict=True):
            self.write(f"var {h.text} = {self.term(x, h.kind).text};")
        self.write("loop {")
        self._indent += "    "
        condition = going(*held)
        self.write(f"if (!({condition.text})) {{ break; }}")
        following = body(*held)
        for h, x in zip(held, following, strict=True):
            self.write(f"{h.text} = {self.term(x, h.kind).text};")
        self._indent = self._indent[:-4]
        self.write("}")
        return held

    def _block(
        self, body: Callable[..., tuple[Value, ...]], args: tuple[Value, ...]
    ) -> tuple[tuple[Value, ...], list[str]]:
        outer, self.lines = self.lines, []
        self._indent += "    "
        values = body(*args)
        lines, self.lines = self.lines, outer
        self._indent = self._indent[:-4]
        return values, lines

    def _branch(self, lines: list[str], results: list[Term], values: tuple[Value, ...]) -> None:
        self.lines += lines
        for r, v in zip(results, values, strict=True):
            self.write(f"    {r.text} = {self.term(v, r.kind).text};")

    def bits(self, x: Value) -> Value:
        """The bits of a float."""
        return self.let("u", f"bitcast<{self.names['u']}>({self.term(x, 'f').text})")

    def from_bits(self, u: Value) -> Term:
        """The float with these bits."""
        return self.let("f", f"bitcast<{self.names['f']}>({u.text})")

    def signed(self, u: Value) -> Value:
        """An unsigned integer's bits read as signed."""
        return self.let("i", f"bitcast<{self.names['i']}>({u.text})")

    def unsigned(self, i: Value) -> Value:
        """A signed integer's bits read as unsigned."""
        return self.let("u", f"bitcast<{self.names['u']}>({i.text})")

    def whole(self, x: Value) -> Value:
        """The signed integer of a float."""
        return self.let("i", f"{self.names['i']}({x.text})")

    def real(self, i: Value) -> Value:
        """The float of an integer."""
        return self.let("f", f"{self.names['f']}({i.text})")

    def floor(self, x: Value) -> Value:
        """Round down."""
        return self.call("floor", "f", x)

    def trunc(self, x: Value) -> Value:
        """Round towards zero."""
        return self.call("trunc", "f", x)

    def abs(self, x: Value) -> Value:
        """Clear the sign."""
        return self.call("abs", "f", x)

    def sqrt(self, x: Value) -> Value:
        """Square root."""
        return self.call("sqrt", "f", x)

    def lookup(self, name: str, words: Sequence[int], index: Value) -> Value:
        """The entry of a constant table, as a function with a switch."""
        table = f"{name}_{self.names['u']}"
        self.tables[table] = (self.width, words)
        return self.let("u", f"{table}(u32({index.text}))")
