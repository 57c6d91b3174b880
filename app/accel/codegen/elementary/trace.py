"""The shader machine: definitions traced into WGSL text."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from app.accel.ir.operations.machine import Machine, Value
from app.accel.ir.ops import DEFINITIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

NAMES = {
    32: {"f": "f32", "u": "u32", "i": "i32", "n": "i32", "b": "bool"},
    64: {"f": "f64", "u": "u64", "i": "i64", "n": "i32", "b": "bool"},
}
LOOP_HEAD = "loop {"
PRELUDE = """\
// A zero no compiler knows: main sets it from the parameters. It keeps maths on constants honest.
var<private> zero: u32;
"""
ZERO = """\
fn set_zero(word: u32) { zero = word; }
"""
# Where the upper half of u64(zero) should have been 0, an H200 had words of addresses.
LONG_ZERO = """\
var<private> zero64: u64;
fn set_zero(word: u32) { zero = word; zero64 = u64(word) | (u64(word) << 32u); }
"""
FUSED = """\
// Rounded sum and product: the factor one and the addend zero are unknown to the compiler.
fn add_{f}(a: {f}, b: {f}) -> {f} {{ return fma(a, bitcast<{f}>({one} | {zero}), b); }}
fn mul_{f}(a: {f}, b: {f}) -> {f} {{ return fma(a, b, bitcast<{f}>({minus} | {zero})); }}
"""
SPLIT = """\
// Rounded sum and product: the compiler cannot know that the bits stay as they are. Of two operands
// one is hidden as well: x + -x would be 0 and x * (1/x) would be 1, whatever x is.
fn add_{f}(a: {f}, b: {f}) -> {f} {{ return hidden_{f}(a + hidden_{f}(b)); }}
fn mul_{f}(a: {f}, b: {f}) -> {f} {{ return hidden_{f}(a * hidden_{f}(b)); }}
"""
HIDDEN = """\
// A number that the compiler cannot compare with others, nor with itself hidden once: adding the
// unknown zero twice is not adding it once, as "or" would be.
fn hidden_{f}(a: {f}) -> {f} {{ return bitcast<{f}>(bitcast<{u}>(a) + {zero}); }}
"""
# Mesa takes doubles of 2^24 and more for whole numbers.
TRUNCATED = """\
fn trunc_f64(x: f64) -> f64 { return select(ceil(x), floor(x), x >= 0lf); }
"""


def prelude(widths: set[int], *, fused: bool) -> str:
    """The unknown zero, and rounded sums and products of these widths.

    Where fma is a product and a sum (Mesa), factors of one would be drawn out of sums.
    """
    parts, template = [PRELUDE], HIDDEN + (FUSED if fused else SPLIT)
    parts.append(LONG_ZERO if 64 in widths else ZERO)
    if 32 in widths:
        words = {"zero": "zero", "one": "0x3f800000u", "minus": "0x80000000u"}
        parts.append(template.format(f="f32", u="u32", **words))
    if 64 in widths:
        words = {"zero": "zero64", "one": "0x3ff0000000000000lu", "minus": "0x8000000000000000lu"}
        parts += [template.format(f="f64", u="u64", **words), TRUNCATED]
    return "".join(parts)


def truncation(width: int) -> str:
    """The name of the function that rounds towards zero; that of doubles is in the prelude."""
    return "trunc_f64" if width == 64 else "trunc"


def float_literal(x: float, width: int) -> str:
    """A finite float as WGSL text of exactly that value."""
    if width == 64:
        return f"{float(x)!r}lf"
    text = str(np.float32(x))
    return f"{text}f"


class Term:
    """A named WGSL value (or literal) of one kind: f(loat), u(nsigned), i(nteger), n(umber), b."""

    __slots__ = ("kind", "machine", "text")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, machine: Trace, kind: str, text: str) -> None:
        self.machine, self.kind, self.text = machine, kind, text

    def _binary(self, operator: str, other: Value, kind: str | None = None) -> Term:
        right = self.machine.term(other, self.kind)
        return self.machine.let(kind or self.kind, f"{self.text} {operator} {right.text}")

    def _reflected_operation(self, operator: str, other: Value) -> Term:
        left = self.machine.term(other, self.kind)
        return self.machine.let(self.kind, f"{left.text} {operator} {self.text}")

    def __add__(self, other: Value) -> Term:
        if self.kind == "f":
            return self.machine.add(self, other)
        return self._binary("+", other)

    def __radd__(self, other: Value) -> Term:
        return self.__add__(other)

    def __sub__(self, other: Value) -> Term:
        if self.kind == "f":
            return self.machine.add(self, -other)
        return self._binary("-", other)

    def __rsub__(self, other: Value) -> Term:
        if self.kind == "f":
            return self.machine.add(other, -self)
        return self._reflected_operation("-", other)

    def __mul__(self, other: Value) -> Term:
        if self.kind == "f" and self.machine.strict:
            return self.machine.product(self, other)
        return self._binary("*", other)

    def __rmul__(self, other: Value) -> Term:
        return self.__mul__(other)

    def __truediv__(self, other: Value) -> Term:
        return self._binary("/", other)

    def __rtruediv__(self, other: Value) -> Term:
        return self._reflected_operation("/", other)

    def __neg__(self) -> Term:
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

    def __init__(self, width: int, *, strict: bool = False, fused: bool = False) -> None:
        super().__init__(width, fused=fused and not strict)
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
            return Term(self, "f", self._float(float(x)))
        if kind == "b":
            return Term(self, "b", "true" if x else "false")
        long = "l" if self.width == 64 and kind != "n" else ""
        text = f"{int(x):#x}{long}u" if kind == "u" else f"{int(x)}{long}i"
        return Term(self, kind, text)

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

    def enter(self, name: str, returns: str, body: Callable[..., Value], *args: Value) -> Value:
        """Call another elementary function."""
        self.calls.add(name)
        return self.call(f"{name}_{self.names['f']}", returns, *args)

    def call(self, function: str, kind: str, *args: Value) -> Term:
        """Call a WGSL function on floats."""
        texts = ", ".join(self.term(a, "f").text for a in args)
        return self.let(kind, f"{function}({texts})")

    def constant(self, x: float) -> Value:
        """A float literal."""
        return self.term(x, "f")

    def integer(self, n: int) -> Value:
        """An unsigned integer whose value no compiler knows."""
        zero = "zero" if self.width == 32 else "zero64"
        return self.let("u", f"{self.term(n, 'u').text} | {zero}")

    def fma(self, a: Value, b: Value, c: Value) -> Value:
        """``a*b + c``."""
        if self.strict:
            return self.product(a, b) + c
        return self.call("fma", "f", a, b, c)

    def add(self, a: Value, b: Value) -> Term:
        """``a + b``, rounded."""
        return self.call(f"add_{self.names['f']}", "f", a, b)

    def product(self, a: Value, b: Value) -> Term:
        """``a * b``, rounded."""
        return self.call(f"mul_{self.names['f']}", "f", a, b)

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
        kinds = [
            next((x.kind for x in pair if isinstance(x, Term)), "f")
            for pair in zip(yes, no, strict=True)
        ]
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
        self.write(LOOP_HEAD)
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

    def number(self, u: Value) -> Value:
        """The low 32 bits as a number."""
        word = u.text if self.width == 32 else f"u32({u.text} & 0xfffffffflu)"
        return self.let("n", f"bitcast<i32>({word})")

    def exponent_bits(self, n: Value) -> Value:
        """A number moved to the exponent."""
        if self.width == 32:
            return self.let("u", f"bitcast<u32>({n.text}) << 23u")
        return self.let("u", f"u64(bitcast<u32>({n.text}) << 20u) << 32u")

    def exponent_of(self, u: Value) -> Value:
        """Sign and exponent as a number."""
        if self.width == 32:
            return self.let("n", f"bitcast<i32>({u.text}) >> 23u")
        return self.let("n", f"bitcast<i32>(u32({u.text} >> 32u)) >> 20u")

    def real(self, i: Value) -> Value:
        """The float of an integer."""
        return self.let("f", f"{self.names['f']}({i.text})")

    def floor(self, x: Value) -> Value:
        """Round down."""
        return self.call("floor", "f", x)

    def trunc(self, x: Value) -> Value:
        """Round towards zero."""
        return self.call(truncation(self.width), "f", x)

    def abs(self, x: Value) -> Value:
        """Clear the sign."""
        return self.call("abs", "f", x)

    def sqrt(self, x: Value) -> Value:
        """Square root."""
        return self.call("sqrt", "f", x)

    def lookup(self, name: str, words: Sequence[int], index: Value) -> list[Value]:
        """Four entries of a constant table, as a function with a switch."""
        table = f"{name}_{self.names['u']}"
        self.tables[table] = (self.width, words)
        found = self.let("u", f"{table}(u32({index.text}))")
        return [Term(self, "u", f"{found.text}.{c}") for c in "xyzw"]


# --- the text of definitions --------------------------------------------------------------------


def wgsl_name(name: str, width: int) -> str:
    """The WGSL function's name."""
    return f"{name}_f{width}"


@cache
def _text(
    name: str, width: int, fused: bool
) -> tuple[str, tuple[str, ...], tuple[tuple[str, str], ...]]:
    """A function's WGSL, the functions it calls, and its tables."""
    definition = DEFINITIONS[name]
    machine = Trace(width, strict=definition.strict, fused=fused)
    kind = machine.names["f"]
    names = [f"x{i}" for i in range(definition.arity)]
    result = definition.body(machine, *(Term(machine, "f", n) for n in names))
    head = ", ".join(f"{n}: {kind}" for n in names)
    if definition.returns == "p":
        returns = f"vec2<{kind}>"
        parts = ", ".join(machine.term(r, "f").text for r in result)
        machine.write(f"return {returns}({parts});")
    else:
        returns = machine.names[definition.returns]
        machine.write(f"return {machine.term(result, definition.returns).text};")
    lines = [f"fn {wgsl_name(name, width)}({head}) -> {returns} {{", *machine.lines, "}"]
    tables = tuple((n, _table(n, w, words)) for n, (w, words) in machine.tables.items())
    return "\n".join(lines), tuple(sorted(machine.calls)), tables


def _table(name: str, width: int, words: Sequence[int]) -> str:
    """A function that gives four consecutive entries: a branch each, since shaders that copy a
    table into memory are slower."""
    kind, suffix = ("vec4<u32>", "u") if width == 32 else ("vec4<u64>", "lu")
    cases = "".join(
        f"\n        case {i}u: {{ return {kind}("
        f"{', '.join(f'{w:#x}{suffix}' for w in words[i : i + 4])}); }}"
        for i in range(len(words) - 3)
    )
    return (
        f"fn {name}(i: u32) -> {kind} {{\n    switch i {{{cases}\n"
        f"        default: {{ return {kind}(); }}\n    }}\n}}"
    )


@cache
def iterates(name: str) -> bool:
    """Whether a function has a loop inside, or calls one that has."""
    return LOOP_HEAD in library([(name, 32)])


def library(needed: Iterable[tuple[str, int]], *, fused: bool = False) -> str:
    """The WGSL text that defines these (name, width) pairs and all that they call.

    The text needs `prelude` before it.
    """
    done: dict[str, str] = {}

    def visit(name: str, width: int) -> None:
        key = wgsl_name(name, width)
        if key in done:
            return
        text, calls, tables = _text(name, width, fused)
        for other in calls:
            visit(other, width)
        done.update(tables)
        done[key] = text

    for name, width in sorted(set(needed)):
        visit(name, width)
    return "\n".join(done.values())
