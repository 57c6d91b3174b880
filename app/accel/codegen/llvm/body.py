"""From the instructions of a request to statements on vectors of neighbouring points."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from app.accel.codegen.elementary.assembly import mangled_type
from app.accel.codegen.llvm import llvm_random
from app.accel.codegen.llvm.llvm_arithmetic import elementwise, outside
from app.accel.codegen.llvm.llvm_casts import cast
from app.accel.codegen.llvm.llvm_values import element, memory_type
from app.accel.ir.dtypes import DType
from app.accel.ir.ops import OPS
from app.accel.ir.plan import Access
from app.records import mutable_record, record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.accel.codegen.llvm.llvm_values import Code
    from app.accel.ir.plan import Instr, KernelRequest, Store

NEVER_UNIFORM = frozenset("position axis result carry counter load_at advance".split())


@record
class Words:
    """Where a kernel finds what: numbers of 64-bit words behind its first argument.

    `dense` arrays have one element for every point of the range that a call works on: values that
    somebody else will reduce, or results that somebody else has made.
    """

    request: KernelRequest
    dense: int

    @property
    def outputs(self) -> int:
        """The first output's address."""
        return len(self.request.inputs)

    @property
    def denses(self) -> int:
        """The first dense array's address."""
        return self.outputs + len(self.request.outputs)

    def map(self, number: int) -> int:
        """A map's offset; strides follow."""
        return self.denses + self.dense + number * (1 + self.request.rank)

    @property
    def extents(self) -> int:
        """The box."""
        return self.map(len(self.request.maps))

    def param(self, slot: int) -> int:
        """A parameter."""
        return self.extents + self.request.rank + slot

    @property
    def stop(self) -> int:
        """The address of a flag that ends the kernel."""
        return self.param(len(self.request.params))


@record
class Variant:
    """What is known of a dispatch when its code is written.

    Attributes:
        rows: walk along the first axis, row by row; otherwise along the linear index.
        unit: per map, whether neighbours along the first axis are neighbours in memory.
        lanes: points that are worked on together.
        fused: whether the processor multiplies and adds in one.
        aligned: whether random numbers that follow one another begin at a multiple of four.
    """

    rows: bool
    unit: tuple[bool, ...]
    lanes: int
    fused: bool
    aligned: bool = False


@mutable_record
class Body:
    """Writes statements for one range of points.

    Attributes:
        index: the number of the first lane's point: on its row, or linear.
        mask: the lanes that lie in the range.
        row: the row's linear number.
        local: number of the point within the dense arrays.
        coordinates: per axis: scalars on rows (none for the first axis), vectors otherwise.
        values: by instruction number.
        pass_: number of the loop's pass, if there is one.
        left: variable that is set when a guard was left.
    """

    request: KernelRequest
    code: Code
    variant: Variant
    words: Words
    index: str = ""
    mask: str = ""
    full: str = ""
    row: str = ""
    local: str = ""
    coordinates: list[str] = field(default_factory=list)
    values: dict[int, str] = field(default_factory=dict)
    dtypes: dict[int, DType] = field(default_factory=dict)
    known: dict[int, str] = field(default_factory=dict)
    uniform: set[int] = field(default_factory=set)
    carries: list[tuple[DType, str]] = field(default_factory=list)
    results: dict[int, tuple[int, DType]] = field(default_factory=dict)
    pass_: str = ""
    left: str = ""

    # --- words and places --------------------------------------------------------------------

    def word(self, number: int) -> str:
        """A word of the arguments, loaded once at the beginning."""
        return self.known[number]

    def scalar(self, operation: str, a: str, b: str) -> str:
        """Arithmetic of places."""
        return self.code.let(f"{operation} i64 {a}, {b}")

    def place(self, number: int) -> tuple[str, str]:
        """Where a map's elements are: (``scalar``, ``next`` or ``apart``, scalar or vector)."""
        spec, first = self.request.maps[number].access, self.words.map(number)
        base = self._base_in_pass(number, self.word(first))
        if spec is Access.SCALAR:
            return "scalar", base
        if spec is Access.FLAT:
            if self.variant.rows:
                start = self.scalar("mul", self.row, self.word(self.words.extents))
                base = self.scalar("add", base, start)
            return "next", self.scalar("add", base, self.index)
        return self._base_and_stride(number, first, base)

    def _base_in_pass(self, number: int, base: str) -> str:
        """In a loop a place may move on with every pass."""
        loop = self.request.loop
        if loop is None or not self.pass_ or loop.loop_strides[number] < 0:
            return base
        step = self.word(self.words.param(loop.loop_strides[number]))
        return self.scalar("add", base, self.scalar("mul", self.pass_, step))

    def _base_and_stride(self, number: int, first: int, base: str) -> tuple[str, str]:
        rank, still = self.request.rank, self.request.maps[number].broadcast
        fixed = [bool(still and still[k]) for k in range(rank)]
        if not self.variant.rows:
            if rank == 1 and self.variant.unit[number]:
                return "next", self.scalar("add", base, self.index)
            return "apart", self._walk(first, base, fixed)
        for k in range(1, rank):
            if not fixed[k]:
                step = self.scalar("mul", self.coordinates[k], self.word(first + 1 + k))
                base = self.scalar("add", base, step)
        if fixed[0]:
            return "scalar", base
        if self.variant.unit[number]:
            return "next", self.scalar("add", base, self.index)
        return "apart", self._strided_places(base, self.index, self.word(first + 1))

    def _walk(self, first: int, base: str, fixed: list[bool]) -> str:
        code, total = self.code, self.code.splat("i64", base)
        for k in range(self.request.rank):
            if not fixed[k]:
                stride = code.splat("i64", self.word(first + 1 + k))
                step = code.binary("mul", DType.I64, self.coordinates[k], stride)
                total = code.binary("add", DType.I64, total, step)
        return total

    def _strided_places(self, base: str, index: str, stride: str) -> str:
        code = self.code
        start = self.scalar("add", base, self.scalar("mul", index, stride))
        steps = code.binary("mul", DType.I64, code.splat("i64", stride), code.steps("i64"))
        return code.binary("add", DType.I64, code.splat("i64", start), steps)

    def linear(self, number: int) -> str:
        """The element numbers of a map as a vector."""
        how, where = self.place(number)
        if how == "apart":
            return where
        first = self.code.splat("i64", where)
        if how == "scalar":
            return first
        return self.code.binary("add", DType.I64, first, self.code.steps("i64"))

    # --- memory ------------------------------------------------------------------------------

    def read(self, base: str, dtype: DType, how: str, where: str) -> str:
        """Elements of an array."""
        code, small = self.code, memory_type(dtype)
        if how == "scalar":
            pointer = code.let(f"getelementptr {small}, ptr {base}, i64 {where}")
            one = code.let(f"load {small}, ptr {pointer}, align {dtype.size}")
            return self._logical(code.splat(small, one), dtype)
        vector = code.writer.vector(small)
        if how == "next":
            pointer = code.let(f"getelementptr {small}, ptr {base}, i64 {where}")
            return self._logical(self._load(vector, pointer, dtype), dtype)
        pointers = self._pointers(base, small, where)
        mask = f"{code.type(DType.BOOL)} {self.mask}"
        found = code.let(
            f"call {vector} @llvm.masked.gather.{mangled_type(vector)}."
            f"v{code.writer.lanes}p0({pointers}, i32 {dtype.size}, {mask}, "
            f"{vector} zeroinitializer)"
        )
        return self._logical(found, dtype)

    def _pointers(self, base: str, small: str, where: str) -> str:
        code, index = self.code, self.code.writer.vector("i64")
        found = code.let(f"getelementptr {small}, ptr {base}, {index} {where}")
        return f"{code.writer.vector('ptr')} {found}"

    def _load(self, vector: str, pointer: str, dtype: DType) -> str:
        """Neighbours in memory. Processors mask words, but not all of them mask bytes."""
        code, mask = self.code, f"{self.code.type(DType.BOOL)} {self.mask}"
        masked = (
            f"call {vector} @llvm.masked.load.{mangled_type(vector)}.p0(ptr {pointer}, "
            f"i32 {dtype.size}, {mask}, {vector} zeroinitializer)"
        )
        if dtype.size >= 4:
            return code.let(masked)
        w = code.writer
        found = w.variable(vector, "zeroinitializer")
        whole, part, after = (w.fresh("b") for _ in range(3))
        w.branch(self.full, whole, part)
        w.block(whole)
        w.put(vector, found, code.let(f"load {vector}, ptr {pointer}, align {dtype.size}"))
        w.jump(after)
        w.block(part)
        w.put(vector, found, code.let(masked))
        w.jump(after)
        w.block(after)
        return w.get(vector, found)

    def _logical(self, value: str, dtype: DType) -> str:
        if dtype is not DType.BOOL:
            return value
        vector = self.code.writer.vector("i8")
        return self.code.let(f"icmp ne {vector} {value}, zeroinitializer")

    def put(self, base: str, dtype: DType, how: str, where: str, value: str) -> None:
        """Write elements of an array."""
        code, small = self.code, memory_type(dtype)
        vector = code.writer.vector(small)
        if dtype is DType.BOOL:
            value = code.let(f"zext {code.type(dtype)} {value} to {vector}")
        mask = f"{code.type(DType.BOOL)} {self.mask}"
        if how != "next":
            where = code.splat("i64", where) if how == "scalar" else where
            pointers = self._pointers(base, small, where)
            code.writer.write(
                f"call void @llvm.masked.scatter.{mangled_type(vector)}."
                f"v{code.writer.lanes}p0({vector} {value}, {pointers}, "
                f"i32 {dtype.size}, {mask})"
            )
            return
        pointer = code.let(f"getelementptr {small}, ptr {base}, i64 {where}")
        masked = (
            f"call void @llvm.masked.store.{mangled_type(vector)}.p0({vector} {value}, "
            f"ptr {pointer}, i32 {dtype.size}, {mask})"
        )
        whole = f"store {vector} {value}, ptr {pointer}, align {dtype.size}"
        if dtype.size >= 4:
            code.writer.write(masked)
        else:
            self._write_either(whole, masked)

    def _write_either(self, whole: str, masked: str) -> None:
        w = self.code.writer
        yes, no, after = (w.fresh("b") for _ in range(3))
        w.branch(self.full, yes, no)
        for label, text in ((yes, whole), (no, masked)):
            w.block(label)
            w.write(text)
            w.jump(after)
        w.block(after)

    # --- instructions ------------------------------------------------------------------------

    def is_uniform(self, instr: Instr) -> bool:
        """Whether all points of the box have the same value."""
        if instr.op == "load":
            loop, place = self.request.loop, instr.attrs[1]
            moves = loop is not None and loop.loop_strides[place] >= 0
            return self.request.maps[place].access is Access.SCALAR and not moves
        if instr.op in NEVER_UNIFORM:
            return False
        return instr.op == "param" or (
            bool(instr.args) and all(arg in self.uniform for arg in instr.args)
        )

    def prepare(self, instructions: Sequence[Instr], first: int) -> None:
        """Write what is the same everywhere; to be called at the beginning of the kernel."""
        self.mask = self.mask or "splat (i1 true)"
        for number, instr in enumerate(instructions, first):
            self.dtypes[number] = instr.dtype
            if self.is_uniform(instr):
                self.uniform.add(number)
                self._write_instruction(number, instr)

    def statements(self, instructions: Sequence[Instr], first: int) -> None:
        """Write what differs from point to point."""
        for number, instr in enumerate(instructions, first):
            self.dtypes[number] = instr.dtype
            if number not in self.uniform:
                self._write_instruction(number, instr)

    def _write_instruction(self, number: int, instr: Instr) -> None:
        element(instr.dtype)
        args = [self.values[a] for a in instr.args]
        special = _SPECIAL.get(instr.op)
        if special is not None:
            self.values[number] = special(self, instr, args)
            return
        operand = self.dtypes[instr.args[0]]
        domain = OPS[instr.op].domain if instr.guard and operand.is_float else None
        if domain is not None:
            self._guard(outside(self.code, domain, operand, args))
        self.values[number] = elementwise(self.code, instr.op, operand, args, instr.dtype)

    def _guard(self, condition: str) -> None:
        here = self.code.binary("and", DType.BOOL, condition, self.mask)
        w = self.code.writer
        w.put("i1", self.left, w.let(f"or i1 {w.get('i1', self.left)}, {w.any(here)}"))

    def load(self, instr: Instr) -> str:
        """Elements of an input."""
        binding, number = instr.attrs
        return self.read(self.word(binding), self.request.inputs[binding], *self.place(number))

    def load_at(self, instr: Instr, index: str) -> str:
        """Elements at computed places."""
        binding = instr.attrs[0]
        where = self.code.convert("zext", index, DType.U32, DType.U64)
        return self.read(self.word(binding), self.request.inputs[binding], "apart", where)

    def param(self, slot: int, dtype: DType) -> str:
        """A scalar parameter in all lanes."""
        code, name, raw = self.code, element(dtype), self.word(self.words.param(slot))
        if dtype.size < 8:
            bits = "i1" if dtype is DType.BOOL else f"i{dtype.size * 8}"
            raw = code.let(f"trunc i64 {raw} to {bits}")
        if dtype.is_float:
            raw = code.let(f"bitcast i{dtype.size * 8} {raw} to {name}")
        return code.splat(name, raw)

    def position(self, number: int) -> str:
        """Element numbers as values."""
        return self.code.convert("trunc", self.linear(number), DType.U64, DType.U32)

    def axis(self, k: int) -> str:
        """Coordinates on an axis."""
        code = self.code
        if self.variant.rows and k:
            where = code.splat("i64", self.coordinates[k])
        elif self.variant.rows or self.request.rank == 1:
            first = code.splat("i64", self.index)
            where = code.binary("add", DType.I64, first, code.steps("i64"))
        else:
            where = self.coordinates[k]
        return code.convert("trunc", where, DType.U64, DType.U32)

    def random(self, instr: Instr, args: list[str]) -> str:
        """Random numbers of the lanes' elements."""
        code, vector = self.code, self.code.writer.vector("i64")
        key = code.let(f"extractelement {vector} {args[0]}, i64 0")
        where = code.convert("zext", args[2], DType.U32, DType.U64)
        place = code.binary("add", DType.U64, args[1], where)
        if not self._in_order(instr.args[2]):
            return llvm_random.numbers_at(code, instr.op, instr.dtype, key, place)
        first = code.let(f"extractelement {vector} {place}, i64 0")
        if self.variant.aligned:
            return llvm_random.consecutive(code, instr.op, instr.dtype, key, first)
        rest = code.let(f"and i64 {first}, 3")
        w, type_ = code.writer, code.type(instr.dtype)
        drawn = w.variable(type_, "zeroinitializer")
        even, odd, after = (w.fresh("b") for _ in range(3))
        w.branch(w.let(f"icmp eq i64 {rest}, 0"), even, odd)
        w.block(even)
        w.put(type_, drawn, llvm_random.consecutive(code, instr.op, instr.dtype, key, first))
        w.jump(after)
        w.block(odd)
        w.put(type_, drawn, llvm_random.numbers_at(code, instr.op, instr.dtype, key, place))
        w.jump(after)
        w.block(after)
        return w.get(type_, drawn)

    def _in_order(self, number: int) -> bool:
        """Whether the lanes' places follow one another."""
        steps = self.request.loop.steps if self.request.loop else ()
        instr = (*self.request.body, *steps, *self.request.epilogue)[number]
        if instr.op != "position" or self.variant.rows:
            return False
        access = self.request.maps[instr.attrs[0]].access
        return access is Access.FLAT or (
            self.request.rank == 1
            and access is Access.STRIDED
            and self.variant.unit[instr.attrs[0]]
        )

    def result(self, k: int) -> str:
        """What somebody else has worked out for these points."""
        dense, dtype = self.results[k]
        return self.read(self.word(self.words.denses + dense), dtype, "next", self.local)

    def counter(self) -> str:
        """Passes done so far."""
        short = self.code.let(f"trunc i64 {self.pass_} to i32")
        return self.code.splat("i32", short)

    def advance(self, instr: Instr, args: list[str]) -> str:
        """A stream's offset in this pass."""
        code = self.code
        done = code.convert("zext", args[1], DType.U32, DType.U64)
        step = code.splat("i64", self.word(self.words.param(instr.attrs[0])))
        return code.binary("add", DType.U64, args[0], code.binary("mul", DType.U64, done, step))

    def carry(self, k: int) -> str:
        """A carried value."""
        dtype, variable = self.carries[k]
        return self.code.writer.get(self.code.type(dtype), variable)

    def store(self, store: Store) -> None:
        """Write a value to an output."""
        dtype = self.request.outputs[store.binding]
        value = cast(self.code, self.values[store.value], self.dtypes[store.value], dtype)
        base = self.word(self.words.outputs + store.binding)
        self.put(base, dtype, *self.place(store.map), value)


_SPECIAL: dict[str, Callable[[Body, Instr, list[str]], str]] = {
    "load": lambda body, instr, _: body.load(instr),
    "load_at": lambda body, instr, args: body.load_at(instr, args[0]),
    "param": lambda body, instr, _: body.param(instr.attrs[0], instr.dtype),
    "position": lambda body, instr, _: body.position(instr.attrs[0]),
    "axis": lambda body, instr, _: body.axis(instr.attrs[0]),
    "cast": lambda body, instr, args: cast(
        body.code, args[0], body.dtypes[instr.args[0]], instr.dtype
    ),
    "typecast": lambda body, instr, args: body.code.convert(
        "bitcast", args[0], body.dtypes[instr.args[0]], instr.dtype
    ),
    "random_uniform": Body.random,
    "random_normal": Body.random,
    "result": lambda body, instr, _: body.result(instr.attrs[0]),
    "carry": lambda body, instr, _: body.carry(instr.attrs[0]),
    "counter": lambda body, *_: body.counter(),
    "advance": Body.advance,
}
