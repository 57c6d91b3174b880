"""From the instructions of a request to WGSL statements."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from app.accel.codegen.wgsl import layout
from app.accel.codegen.wgsl.casts import cast, typecast
from app.accel.codegen.wgsl.complexes import on_complex
from app.accel.codegen.wgsl.emit import Source, Words, parameter, word
from app.accel.codegen.wgsl.integers import on_integers
from app.accel.codegen.wgsl.random_numbers import advance, element, random
from app.accel.codegen.wgsl.wgsl_arithmetic import on_floats, on_logicals, outside
from app.accel.ir.dtypes import DType
from app.accel.ir.ops import OPS
from app.accel.ir.plan import Access, Instr, KernelRequest, Store
from app.records import mutable_record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def elementwise(source: Source, op: str, operand: DType, args: list[str], result: DType) -> str:
    """An elementwise op by the type of its operands."""
    if op == "select":
        return f"select({args[2]}, {args[1]}, {args[0]})"
    if operand is DType.BOOL:
        if result is DType.BOOL:
            return on_logicals(source, op, args)
        operand, args = result, [cast(source, a, DType.BOOL, result) for a in args]
    if operand.is_float:
        return on_floats(source, op, operand, args)
    if operand.is_complex:
        return on_complex(source, op, operand, args)
    return on_integers(source, op, operand, args)


@mutable_record
class Body:
    """Writes statements for the points of one box.

    Attributes:
        request: what to compute.
        source: where helpers are collected.
        words: places of the parameters.
        quads: input bindings read by quads (their FLAT loads arrive as arguments).
        prefix: of the names of values.
        given: values by instruction number that the caller provides.
        used_axes: whether coordinates are needed.
        steps: extra index term per map (loop kernels).
        arrays: other names of input arrays (where an input is an output's buffer).
        valid: the condition under which a point counts.
        lane: mark of this body's names where several bodies share a function.
        carries: types of the carried values of a loop.
    """

    request: KernelRequest
    source: Source
    words: Words
    quads: frozenset[int] = frozenset()
    prefix: str = "v"
    given: dict[int, str] = field(default_factory=dict)
    dtypes: dict[int, DType] = field(default_factory=dict)
    results: tuple[str, ...] = ()
    used_axes: bool = False
    steps: dict[int, str] = field(default_factory=dict)
    arrays: dict[int, str] = field(default_factory=dict)
    valid: str = "i < p[0].y"
    lane: str = ""
    carries: tuple[DType, ...] = ()

    def array(self, binding: int) -> str:
        """The name of an input's storage array."""
        return self.arrays.get(binding, f"in{binding}")

    def name(self, number: int) -> str:
        """The name of a value."""
        return self.given.get(number, f"{self.prefix}{number}{self.lane}")

    def index(self, number: int) -> str:
        """The element number that a map gives at this point."""
        spec, place = self.request.maps[number], self.words.maps[number]
        terms = [word(place)]
        if spec.access is Access.FLAT:
            terms.append(f"i{self.lane}")
        elif spec.access is Access.STRIDED:
            for k in range(self.request.rank):
                if not (spec.broadcast and spec.broadcast[k]):
                    self.used_axes = True
                    terms.append(f"c{k}{self.lane} * {word(place + 1 + k)}")
        if number in self.steps:
            terms.append(self.steps[number])
        return " + ".join(terms)

    def statements(self, instructions: Sequence[Instr], first: int = 0) -> list[str]:
        """``let`` statements of the instructions; `first` is the number of the first one."""
        lines = []
        for number, instr in enumerate(instructions, first):
            self.dtypes[number] = instr.dtype
            if number in self.given:
                continue
            note = self.request.notes[number] if number < len(self.request.notes) else ""
            comment = f"  // {note}" if note else ""
            lines.append(f"let {self.name(number)} = {self._expression(instr)};{comment}")
            domain = OPS[instr.op].domain if instr.guard else None
            if domain is not None:
                args = [self.name(a) for a in instr.args]
                condition = outside(domain, args, layout.register(instr.dtype))
                lines.append(f"if ({self.valid} && {condition}) {{ left = true; }}")
        return lines

    def _expression(self, instr: Instr) -> str:
        args = [self.name(a) for a in instr.args]
        special = _SPECIAL.get(instr.op)
        if special is not None:
            return special(self, instr, args)
        operand = self.dtypes[instr.args[0]]
        return elementwise(self.source, instr.op, operand, args, instr.dtype)

    def load(self, instr: Instr, args: list[str]) -> str:
        """An element of an input: where a map says, or at a computed index."""
        binding = instr.attrs[0]
        index = args[0] if args else self.index(instr.attrs[1])
        return layout.load_element(self.array(binding), self.request.inputs[binding], index)

    def param(self, slot: int) -> str:
        """A scalar parameter."""
        dtype, int64 = self.request.params[slot], self.source.abilities.int64
        return parameter(dtype, self.words.params[slot], int64=int64)

    def axis(self, k: int) -> str:
        """The coordinate on an axis."""
        self.used_axes = True
        return f"c{k}{self.lane}"

    def random(self, instr: Instr, args: list[str]) -> str:
        """One random number of a stream."""
        call = random(self.source, instr.op, instr.dtype, quad=False)
        return f"{call}({args[0]}, {element(self.source, args[1], args[2])})"

    def store(self, store: Store) -> list[str]:
        """Statements that write one value as a single element."""
        dtype = self.request.outputs[store.binding]
        value = cast(self.source, self.name(store.value), self.dtypes[store.value], dtype)
        return layout.store_element(f"out{store.binding}", dtype, self.index(store.map), value)

    def coordinates(self, linear: str = "i", *, always: bool = False) -> list[str]:
        """``let c0 = ...`` of all axes from the linear index, where they are needed."""
        if not (self.used_axes or always):
            return []
        lines, rest = [], linear
        for k in range(self.request.rank):
            extent = word(self.words.extents + k)
            if k == self.request.rank - 1:
                lines.append(f"let c{k}{self.lane} = {rest};")
            else:
                lines += [
                    f"let c{k}{self.lane} = {rest} % {extent};",
                    f"let d{k}{self.lane} = {rest} / {extent};",
                ]
                rest = f"d{k}{self.lane}"
        return lines


_SPECIAL: dict[str, Callable[[Body, Instr, list[str]], str]] = {
    "load": lambda body, instr, _: body.load(instr, []),
    "load_at": Body.load,
    "param": lambda body, instr, _: body.param(instr.attrs[0]),
    "position": lambda body, instr, _: body.index(instr.attrs[0]),
    "axis": lambda body, instr, _: body.axis(instr.attrs[0]),
    "cast": lambda body, instr, args: cast(
        body.source, args[0], body.dtypes[instr.args[0]], instr.dtype
    ),
    "typecast": lambda body, instr, args: typecast(
        args[0], body.dtypes[instr.args[0]], instr.dtype
    ),
    "random_uniform": Body.random,
    "random_normal": Body.random,
    "result": lambda body, instr, _: body.results[instr.attrs[0]],
    "carry": lambda body, instr, _: f"carry{instr.attrs[0]}{body.lane}",
    "counter": lambda *_: "pass_",
    "advance": lambda body, instr, args: advance(
        body.source, args[0], args[1], body.param(instr.attrs[0])
    ),
}
