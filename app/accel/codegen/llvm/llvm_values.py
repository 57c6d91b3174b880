"""What the writers of kernels share: types of values, the module's text, the lanes in force."""

from __future__ import annotations

from dataclasses import field

from app.accel.codegen.elementary.assembly import Writer, float_literal, symbol
from app.accel.ir.dtypes import DType
from app.errors import Unsupported
from app.records import mutable_record

ELEMENTS = {
    DType.F64: "double",
    DType.F32: "float",
    DType.BOOL: "i1",
    **{d: f"i{d.size * 8}" for d in DType if d.is_integer},
}
"""Types of elements in registers; in memory a logical is a byte."""


def element(dtype: DType) -> str:
    """The type of one element in a register."""
    if dtype not in ELEMENTS:
        raise Unsupported(f"machine code for {dtype.value}")
    return ELEMENTS[dtype]


def memory_type(dtype: DType) -> str:
    """The type of one element in memory."""
    return "i8" if dtype is DType.BOOL else element(dtype)


def literal(dtype: DType, value: float) -> str:
    """One number of a type, in all lanes."""
    if dtype.is_float:
        text = float_literal(value, dtype.size * 8)
    elif dtype is DType.BOOL:
        text = "true" if value else "false"
    else:
        text = str(int(value))
    return f"splat ({element(dtype)} {text})"


@mutable_record
class Code:
    """A kernel being written.

    Attributes:
        writer: where statements go.
        functions: elementary functions called: name, width and lanes.
        helpers: other functions of the module by name.
    """

    writer: Writer
    functions: set[tuple[str, int, int]] = field(default_factory=set)
    helpers: dict[str, str] = field(default_factory=dict)

    def type(self, dtype: DType) -> str:
        """The vector type of an element type."""
        return self.writer.vector(element(dtype))

    def let(self, text: str) -> str:
        """Name a value."""
        return self.writer.let(text)

    def binary(self, operation: str, dtype: DType, a: str, b: str) -> str:
        """An instruction of two operands."""
        return self.let(f"{operation} {self.type(dtype)} {a}, {b}")

    def intrinsic(self, name: str, dtype: DType, *args: str) -> str:
        """An intrinsic whose operands and result have one type."""
        return self.writer.intrinsic(name, self.type(dtype), *args)

    def select(self, mask: str, dtype: DType, yes: str, no: str) -> str:
        """Choice lane by lane."""
        type_ = self.type(dtype)
        return self.let(f"select {self.type(DType.BOOL)} {mask}, {type_} {yes}, {type_} {no}")

    def convert(self, operation: str, a: str, source: DType, target: DType) -> str:
        """An instruction that changes the type."""
        return self.let(f"{operation} {self.type(source)} {a} to {self.type(target)}")

    def function(self, name: str, dtype: DType, args: list[str]) -> str:
        """Call an elementary function; ``is…`` functions give a mask."""
        width, lanes = dtype.size * 8, self.writer.lanes
        self.functions.add((name, width, lanes))
        returns = self.type(DType.BOOL if name.startswith("is") else dtype)
        texts = ", ".join(f"{self.type(dtype)} {a}" for a in args)
        return self.let(f"call fastcc {returns} @{symbol(name, width, lanes)}({texts})")

    def negation(self, mask: str) -> str:
        """Not."""
        return self.binary("xor", DType.BOOL, mask, "splat (i1 true)")

    def splat(self, type_: str, scalar: str) -> str:
        """One number in all lanes."""
        vector = self.writer.vector(type_)
        first = self.let(f"insertelement {vector} poison, {type_} {scalar}, i64 0")
        zeros = f"<{self.writer.lanes} x i32> zeroinitializer"
        return self.let(f"shufflevector {vector} {first}, {vector} poison, {zeros}")

    def steps(self, type_: str) -> str:
        """0, 1, 2 … as a constant vector."""
        return f"<{', '.join(f'{type_} {k}' for k in range(self.writer.lanes))}>"
