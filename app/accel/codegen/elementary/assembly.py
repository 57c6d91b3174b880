"""The processor's machine: definitions written as LLVM assembly on vectors.

Every value is a vector of `lanes` elements, so nothing depends on a compiler's wish to vectorise.
A branch computes both sides where the lanes disagree, and chooses lane by lane.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from app.accel.ir.operations.machine import Machine, Value
from app.accel.ir.ops import DEFINITIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

FLOATS = {32: "float", 64: "double"}
SUM = {"f": "fadd", "u": "add", "i": "add", "n": "add"}
DIFFERENCE = {"f": "fsub", "u": "sub", "i": "sub", "n": "sub"}
PRODUCT = {"f": "fmul", "u": "mul", "i": "mul", "n": "mul"}
RIGHT = {"u": "lshr", "i": "ashr", "n": "ashr"}
COMPARED = {
    "<": {"f": "fcmp olt", "u": "icmp ult", "i": "icmp slt", "n": "icmp slt"},
    "<=": {"f": "fcmp ole", "u": "icmp ule", "i": "icmp sle", "n": "icmp sle"},
    ">": {"f": "fcmp ogt", "u": "icmp ugt", "i": "icmp sgt", "n": "icmp sgt"},
    ">=": {"f": "fcmp oge", "u": "icmp uge", "i": "icmp sge", "n": "icmp sge"},
    "==": {"f": "fcmp oeq"},
    "!=": {"f": "fcmp une"},
}


def float_literal(x: float, width: int) -> str:
    """A number as LLVM writes it: the bits of the double of the same value."""
    exact = float(np.float32(x)) if width == 32 else float(x)
    return f"0x{np.float64(exact).view(np.uint64):016X}"


class Writer:
    """Statements of one function: named values, variables, blocks.

    Attributes:
        lines: what has been written.
        lanes: elements of a vector.
    """

    def __init__(self, lanes: int) -> None:
        self.lanes = lanes
        self.variables: list[str] = []
        self.lines: list[str] = []
        self._count = 0

    def vector(self, element: str) -> str:
        """The type of so many elements."""
        return f"<{self.lanes} x {element}>"

    def fresh(self, prefix: str = "t") -> str:
        """A name nobody has."""
        self._count += 1
        return f"{prefix}{self._count}"

    def write(self, line: str) -> None:
        """Append a statement."""
        self.lines.append(f"  {line}")

    def let(self, text: str) -> str:
        """Name a value."""
        name = f"%{self.fresh()}"
        self.write(f"{name} = {text}")
        return name

    def block(self, label: str) -> None:
        """Begin a block."""
        self.lines.append(f"{label}:")

    def variable(self, type_: str, value: str) -> str:
        """A place that can change, with its first value; compilers keep it in a register."""
        name = f"%{self.fresh('m')}"
        self.variables.append(f"  {name} = alloca {type_}")
        self.put(type_, name, value)
        return name

    def get(self, type_: str, variable: str) -> str:
        """What a variable holds."""
        return self.let(f"load {type_}, ptr {variable}")

    def put(self, type_: str, variable: str, value: str) -> None:
        """Change a variable."""
        self.write(f"store {type_} {value}, ptr {variable}")

    def intrinsic(self, name: str, type_: str, *args: str) -> str:
        """Call an intrinsic whose arguments and result have one vector type of this width."""
        text = ", ".join(f"{type_} {a}" for a in args)
        return self.let(f"call {type_} @llvm.{name}.{mangled_type(type_)}({text})")

    def any(self, condition: str) -> str:
        """Whether a condition holds in some lane."""
        mask = self.vector("i1")
        return self.let(f"call i1 @llvm.vector.reduce.or.{mangled_type(mask)}({mask} {condition})")

    def jump(self, label: str) -> None:
        """End the block."""
        self.write(f"br label %{label}")

    def branch(self, condition: str, yes: str, no: str) -> None:
        """End the block by a choice."""
        self.write(f"br i1 {condition}, label %{yes}, label %{no}")


def mangled_type(type_: str) -> str:
    """A type in an intrinsic's name: ``<8 x double>`` is v8f64."""
    if not type_.startswith("<"):
        return {"float": "f32", "double": "f64"}.get(type_, type_)
    lanes, element = type_[1:-1].split(" x ")
    return f"v{lanes}{mangled_type(element)}"


class Word:
    """A named vector or a literal, of one kind: f(loat), u(nsigned), i(nteger), n(umber), b."""

    __slots__ = ("kind", "machine", "text")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, machine: Assembly, kind: str, text: str) -> None:
        self.machine, self.kind, self.text = machine, kind, text

    def _apply(self, operation: str, left: Value, right: Value, kind: str) -> Word:
        a, b = (self.machine.word(x, self.kind).text for x in (left, right))
        return self.machine.let(kind, f"{operation} {self.machine.type(self.kind)} {a}, {b}")

    def __add__(self, other: Value) -> Word:
        return self._apply(SUM[self.kind], self, other, self.kind)

    def __radd__(self, other: Value) -> Word:
        return self.__add__(other)

    def __sub__(self, other: Value) -> Word:
        return self._apply(DIFFERENCE[self.kind], self, other, self.kind)

    def __rsub__(self, other: Value) -> Word:
        return self._apply(DIFFERENCE[self.kind], other, self, self.kind)

    def __mul__(self, other: Value) -> Word:
        return self._apply(PRODUCT[self.kind], self, other, self.kind)

    def __rmul__(self, other: Value) -> Word:
        return self.__mul__(other)

    def __truediv__(self, other: Value) -> Word:
        return self._apply("fdiv", self, other, self.kind)

    def __rtruediv__(self, other: Value) -> Word:
        return self._apply("fdiv", other, self, self.kind)

    def __neg__(self) -> Word:
        if self.kind == "f":
            return self.machine.let("f", f"fneg {self.machine.type('f')} {self.text}")
        return self._apply("sub", 0, self, self.kind)

    def __and__(self, other: Value) -> Word:
        return self._apply("and", self, other, self.kind)

    def __or__(self, other: Value) -> Word:
        return self._apply("or", self, other, self.kind)

    def __xor__(self, other: Value) -> Word:
        return self._apply("xor", self, other, self.kind)

    def __invert__(self) -> Word:
        return self._apply("xor", self, 1 if self.kind == "b" else -1, self.kind)

    def __lshift__(self, amount: Value) -> Word:
        return self._apply("shl", self, self.machine.amount(amount, self.kind), self.kind)

    def __rshift__(self, amount: Value) -> Word:
        operation = RIGHT[self.kind]
        return self._apply(operation, self, self.machine.amount(amount, self.kind), self.kind)

    def _compare(self, relation: str, other: Value) -> Word:
        default = "icmp eq" if relation == "==" else "icmp ne"
        return self._apply(COMPARED[relation].get(self.kind, default), self, other, "b")

    def __lt__(self, other: Value) -> Word:
        return self._compare("<", other)

    def __le__(self, other: Value) -> Word:
        return self._compare("<=", other)

    def __gt__(self, other: Value) -> Word:
        return self._compare(">", other)

    def __ge__(self, other: Value) -> Word:
        return self._compare(">=", other)

    def __eq__(self, other: object) -> Word:  # type: ignore[override]
        return self._compare("==", other)

    def __ne__(self, other: object) -> Word:  # type: ignore[override]
        return self._compare("!=", other)


class Assembly(Machine):
    """Writes one function of vectors.

    Attributes:
        writer: where statements go.
        tables: constant tables asked for, by name: width and entries.
        calls: names of the elementary functions called.
    """

    def __init__(self, width: int, lanes: int, *, strict: bool, fused: bool) -> None:
        super().__init__(width, fused=fused and not strict)
        self.writer = Writer(lanes)
        self.elements = {
            "f": FLOATS[width],
            "u": f"i{width}",
            "i": f"i{width}",
            "n": "i32",
            "b": "i1",
        }
        self.tables: dict[str, tuple[int, Sequence[int]]] = {}
        self.calls: set[str] = set()
        self._loops = 0

    def type(self, kind: str) -> str:
        """The vector type of a kind."""
        return self.writer.vector(self.elements[kind])

    def let(self, kind: str, text: str) -> Word:
        """Name a value."""
        return Word(self, kind, self.writer.let(text))

    def word(self, x: Value, kind: str) -> Word:
        """A value or a Python number as a value of a kind."""
        if isinstance(x, Word):
            return x
        return Word(self, kind, f"splat ({self.elements[kind]} {self._literal(x, kind)})")

    def _literal(self, x: float, kind: str) -> str:
        if kind == "f":
            return float_literal(x, self.width)
        if kind == "b":
            return "true" if x else "false"
        return str(int(x))

    def amount(self, amount: Value, kind: str) -> Word:
        """By how much to shift a value of a kind; shifts by the whole width are undefined."""
        if not isinstance(amount, Word):
            return self.word(amount, kind)
        have, want = self.elements[amount.kind], self.elements[kind]
        if have != want:
            operation = "zext" if want == "i64" else "trunc"
            amount = self.let(
                kind, f"{operation} {self.type(amount.kind)} {amount.text} to {self.type(kind)}"
            )
        return Word(self, kind, amount.text) & (int(want[1:]) - 1)

    def enter(self, name: str, returns: str, body: Callable[..., Value], *args: Value) -> Value:
        """Call another elementary function."""
        self.calls.add(name)
        texts = ", ".join(f"{self.type('f')} {self.word(a, 'f').text}" for a in args)
        other = symbol(name, self.width, self.writer.lanes)
        return self.let(returns, f"call fastcc {self.type(returns)} @{other}({texts})")

    def constant(self, x: float) -> Value:
        """A float."""
        return self.word(x, "f")

    def integer(self, n: int) -> Value:
        """An unsigned integer."""
        return self.word(n, "u")

    def _float(self, name: str, *args: Value) -> Word:
        texts = [self.word(a, "f").text for a in args]
        return Word(self, "f", self.writer.intrinsic(name, self.type("f"), *texts))

    def fma(self, a: Value, b: Value, c: Value) -> Value:
        """``a*b + c``, rounded once where the processor can."""
        if not self.fused:
            return self.product(a, b) + c
        return self._float("fma", a, b, c)

    def product(self, a: Value, b: Value) -> Value:
        """``a * b``: nothing is contracted that is not asked for."""
        return self.word(a, "f") * b

    def select(self, condition: Value, yes: Value, no: Value) -> Value:
        """Choice lane by lane."""
        kind = next((x.kind for x in (yes, no) if isinstance(x, Word)), "f")
        a, b, type_ = self.word(yes, kind), self.word(no, kind), self.type(kind)
        mask = f"{self.type('b')} {condition.text}"
        return self.let(kind, f"select {mask}, {type_} {a.text}, {type_} {b.text}")

    def when(
        self,
        condition: Value,
        then: Callable[..., tuple[Value, ...]],
        otherwise: Callable[..., tuple[Value, ...]],
        *args: Value,
    ) -> tuple[Value, ...]:
        """Each side is computed where some lane needs it."""
        yes = self._if_any(condition, then, args)
        no = self._if_any(~condition, otherwise, args)
        return tuple(self.select(condition, a, b) for a, b in zip(yes, no, strict=True))

    def _if_any(
        self, condition: Value, body: Callable[..., tuple[Value, ...]], args: tuple[Value, ...]
    ) -> list[Value]:
        writer = self.writer
        yes, after = writer.fresh("b"), writer.fresh("b")
        start = len(writer.lines)
        writer.branch(writer.any(condition.text), yes, after)
        writer.block(yes)
        inside, self._loops = len(writer.lines), 0
        values = [self._word_of(x) for x in body(*args)]
        if self._loops:  # again, with arguments for which the loops are known to end
            del writer.lines[inside:]
            values = [self._word_of(x) for x in body(*self._arguments_of_lanes(condition, args))]
        tail, writer.lines = writer.lines[start:], writer.lines[:start]
        places = [writer.variable(self.type(v.kind), "zeroinitializer") for v in values]
        writer.lines += tail
        for place, value in zip(places, values, strict=True):
            writer.put(self.type(value.kind), place, value.text)
        writer.jump(after)
        writer.block(after)
        return [
            Word(self, v.kind, writer.get(self.type(v.kind), p))
            for v, p in zip(values, places, strict=True)
        ]

    def _arguments_of_lanes(self, condition: Value, args: tuple[Value, ...]) -> list[Value]:
        """Arguments in which the other lanes have what one of the condition's lanes has."""
        writer = self.writer
        bits = f"i{writer.lanes}"
        mask = writer.let(f"bitcast {self.type('b')} {condition.text} to {bits}")
        first = writer.let(f"call {bits} @llvm.cttz.{bits}({bits} {mask}, i1 true)")
        found = []
        for arg in args:
            type_, one = self.type(arg.kind), self.elements[arg.kind]
            some = writer.let(f"extractelement {type_} {arg.text}, {bits} {first}")
            lane = writer.let(f"insertelement {type_} poison, {one} {some}, i64 0")
            all_ = self.let(
                arg.kind,
                f"shufflevector {type_} {lane}, {type_} poison, "
                f"{writer.vector('i32')} zeroinitializer",
            )
            found.append(self.select(condition, arg, all_))
        return found

    def _word_of(self, x: Value) -> Word:
        return self.word(x, "f")

    def loop(
        self,
        going: Callable[..., Value],
        body: Callable[..., tuple[Value, ...]],
        *state: Value,
    ) -> tuple[Value, ...]:
        """A ``while`` whose lanes stop one by one."""
        self._loops += 1
        writer, first = self.writer, [self._word_of(x) for x in state]
        kinds = [x.kind for x in first]
        places = [writer.variable(self.type(x.kind), x.text) for x in first]
        again, inside, after = (writer.fresh("b") for _ in range(3))
        writer.jump(again)
        writer.block(again)
        held = [
            Word(self, k, writer.get(self.type(k), p)) for k, p in zip(kinds, places, strict=True)
        ]
        mask = going(*held)
        writer.branch(writer.any(mask.text), inside, after)
        writer.block(inside)
        for place, kind, new, old in zip(places, kinds, body(*held), held, strict=True):
            writer.put(self.type(kind), place, self.select(mask, new, old).text)
        writer.jump(again)
        writer.block(after)
        return tuple(held)

    def bits(self, x: Value) -> Value:
        """The bits of a float."""
        return self._cast_word("bitcast", self._word_of(x), "u")

    def _cast_word(self, operation: str, x: Word, kind: str) -> Word:
        have, want = self.type(x.kind), self.type(kind)
        if have == want:
            return Word(self, kind, x.text)
        return self.let(kind, f"{operation} {have} {x.text} to {want}")

    def from_bits(self, u: Value) -> Value:
        """The float with these bits."""
        return self._cast_word("bitcast", u, "f")

    def signed(self, u: Value) -> Value:
        """An unsigned integer's bits read as signed."""
        return Word(self, "i", u.text)

    def unsigned(self, i: Value) -> Value:
        """A signed integer's bits read as unsigned."""
        return Word(self, "u", i.text)

    def number(self, u: Value) -> Value:
        """The low 32 bits as a number."""
        return self._cast_word("trunc", u, "n")

    def exponent_bits(self, n: Value) -> Value:
        """A number moved to the exponent."""
        return self._cast_word("sext", n, "u") << self.mantissa

    def exponent_of(self, u: Value) -> Value:
        """Sign and exponent as a number."""
        return self._cast_word("trunc", self.signed(u) >> self.mantissa, "n")

    def real(self, i: Value) -> Value:
        """The float of an integer."""
        return self._cast_word("uitofp" if i.kind == "u" else "sitofp", i, "f")

    def floor(self, x: Value) -> Value:
        """Round down."""
        return self._float("floor", x)

    def trunc(self, x: Value) -> Value:
        """Round towards zero."""
        return self._float("trunc", x)

    def abs(self, x: Value) -> Value:
        """Clear the sign."""
        return self._float("fabs", x)

    def sqrt(self, x: Value) -> Value:
        """Square root."""
        return self._float("sqrt", x)

    def lookup(self, name: str, words: Sequence[int], index: Value) -> list[Value]:
        """Four entries of a constant table."""
        table, type_ = f"{name}_{self.width}", self.type("u")
        self.tables[table] = (self.width, words)
        found = []
        for k in range(4):
            last = self.word(len(words) - 1, "u").text
            place = self.writer.intrinsic("umin", type_, (index + k).text, last)
            pointers = self.writer.let(
                f"getelementptr i{self.width}, ptr @{table}, {type_} {place}"
            )
            all_ = f"{self.type('b')} splat (i1 true)"
            found.append(
                self.let(
                    "u",
                    f"call {type_} @llvm.masked.gather.{mangled_type(type_)}."
                    f"v{self.writer.lanes}p0({self.writer.vector('ptr')} "
                    f"{pointers}, i32 1, {all_}, {type_} poison)",
                )
            )
        return found


def symbol(name: str, width: int, lanes: int) -> str:
    """A function's name in assembly."""
    return f"{name}_f{width}x{lanes}"


@cache
def _text(
    name: str, width: int, lanes: int, fused: bool
) -> tuple[str, tuple[str, ...], tuple[tuple[str, str], ...]]:
    """A function, those it calls, and its tables."""
    definition = DEFINITIONS[name]
    machine = Assembly(width, lanes, strict=definition.strict, fused=fused)
    type_ = machine.type("f")
    names = [f"%x{i}" for i in range(definition.arity)]
    result = definition.body(machine, *(Word(machine, "f", n) for n in names))
    returns = machine.type("f" if definition.returns == "p" else definition.returns)
    if definition.returns == "p":
        returns, first = f"{{ {type_}, {type_} }}", machine.writer
        half = first.let(f"insertvalue {returns} poison, {type_} {result[0].text}, 0")
        whole = first.let(f"insertvalue {returns} {half}, {type_} {result[1].text}, 1")
        first.write(f"ret {returns} {whole}")
    else:
        kind = definition.returns
        machine.writer.write(f"ret {returns} {machine.word(result, kind).text}")
    head = ", ".join(f"{type_} {n}" for n in names)
    lines = [
        f"define internal fastcc {returns} @{symbol(name, width, lanes)}({head}) #0 {{",
        *machine.writer.variables,
        *machine.writer.lines,
        "}",
    ]
    tables = tuple((n, _table(n, w, words)) for n, (w, words) in machine.tables.items())
    return "\n".join(lines), tuple(sorted(machine.calls)), tables


def _table(name: str, width: int, words: Sequence[int]) -> str:
    entries = ", ".join(f"i{width} {w}" for w in words)
    return f"@{name} = private constant [{len(words)} x i{width}] [{entries}]"


def library(needed: Iterable[tuple[str, int, int]], *, fused: bool) -> str:
    """The text that defines functions by (name, width, lanes), and all that they call."""
    done: dict[str, str] = {}

    def visit(name: str, width: int, lanes: int) -> None:
        key = symbol(name, width, lanes)
        if key in done:
            return
        text, calls, tables = _text(name, width, lanes, fused)
        done[key] = text
        for other in calls:
            visit(other, width, lanes)
        done.update(tables)

    for entry in sorted(set(needed)):
        visit(*entry)
    return "\n".join(done.values())
