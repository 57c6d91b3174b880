"""Random programs with numbers, progressions, what becomes of scans, set parts, complex arrays."""

from __future__ import annotations

from app.accel.ir.dtypes import DType
from app.accel.ir.node import Node
from app.errors import Unsupported
from tests.accel.programs import Program

INTEGERS = [DType.I8, DType.U8, DType.I16, DType.I32, DType.U32]
NUMBERS = [0.0, 1.0, -1.0, 2.0, 0.5, 1e3]
COMPLEX_UNARY = ["abs", "real", "imag", "conj", "angle", "uminus", "exp", "sqrt", "floor"]


class RicherProgram(Program):
    """The operations of plain programs and those of this module, as often."""

    def actions(self) -> list[str]:
        return [
            *super().actions(),
            "number",
            "number",
            "powered",
            "compared",
            "ranged",
            "ranged",
            "scanned",
            "scanned",
            "averaged",
            "spread",
            "set_where",
            "set_where",
            "scattered",
            "gathered",
            "selected",
            "sorted",
            "as_integer",
            "as_complex",
            "as_complex",
            "complex_pair",
            "complex_sum",
        ]

    def apply(self, op: str, *nodes: Node, attrs: tuple[object, ...] = ()) -> Node:
        return self.runtime.apply(op, nodes, attrs)

    def scalar(self, value: float, dtype: DType | None = None) -> Node:
        return self.runtime.scalar(value, dtype or self.dtype)

    def draw(self) -> float:
        return self.choose.choice([*NUMBERS, self.choose.uniform(-3, 3)])

    def number(self, x: Node) -> Node:
        """With a number, on either side."""
        pair = [x, self.scalar(self.draw())]
        self.choose.shuffle(pair)
        return self.apply(self.choose.choice(["plus", "minus", "times", "max", "rem"]), *pair)

    def powered(self, x: Node) -> Node:
        exponent = self.choose.choice([2.0, 3.0, -1.0, 0.5, 1.5])
        return self.apply("power", x, self.scalar(exponent))

    def mask(self, x: Node) -> Node:
        op = self.choose.choice(["gt", "le", "ne", "eq"])
        found = self.apply(op, x, self.scalar(self.choose.choice([0.0, 0.5])))
        return self.apply("not", found) if self.choose.random() < 0.2 else found

    def compared(self, x: Node) -> Node:
        """Counts and tests of masks; of one element Mesa's compiler may never come back."""
        if x.size < 2:
            return x
        axes = self.choose.choice([(0,), tuple(range(len(x.shape)))])
        mask = self.apply(self.choose.choice(["and", "or", "xor"]), self.mask(x), self.mask(x))
        found = self.apply(self.choose.choice(["any", "all", "nnz"]), mask, attrs=(axes,))
        return self.apply("cast", found, attrs=(self.dtype,))

    def ranged(self, x: Node) -> Node:
        """A progression along one dimension, or all elements, of a value."""
        axis = self.choose.randrange(2)
        count = x.size if self.choose.random() < 0.3 else x.shape[axis]
        shape = (count, 1) if axis == 0 else (1, count)
        steps = self.scalar(self.draw()), self.scalar(0.002)
        row = self.apply("iota", *steps, attrs=(self.dtype, shape))
        if count == x.size:
            row = self.apply("reshape", row, attrs=(x.shape,))
        return self.apply(self.choose.choice(["plus", "times"]), x, row)

    def scanned(self, x: Node) -> Node:
        """A running value, and what is computed from it."""
        axis, back = self.choose.randrange(len(x.shape)), self.choose.random() < 0.3
        op = self.choose.choice(["cumsum", "cummax", "cummin", "cumprod"])
        source = self.apply("tanh", x) if op == "cumprod" else x
        found = self.apply(op, source, attrs=(axis, back))
        if self.choose.random() < 0.5:
            found = self.apply("minus", self.apply("times", found, self.scalar(0.5)), x)
        if x.size and self.choose.random() < 0.4:
            found = self.apply(self.choose.choice(["sum", "amax"]), found, attrs=((axis,),))
        return found

    def averaged(self, x: Node) -> Node:
        axes = self.choose.choice([(0,), (1,), tuple(range(len(x.shape)))])
        total = self.apply("sum", x, attrs=(axes,))
        return self.apply("rdivide", total, self.scalar(x.size / max(total.size, 1)))

    def spread(self, x: Node) -> Node:
        """Mean and deviation over the same axes, and the scores."""
        axes = self.choose.choice([(0,), (1,), tuple(range(len(x.shape)))])
        mean = self.apply("sum", x, attrs=(axes,))
        count = self.scalar(max(1.0, x.size / max(mean.size, 1)))
        away = self.apply("minus", x, self.apply("rdivide", mean, count))
        total = self.apply("sum", self.apply("times", away, away), attrs=(axes,))
        deviation = self.apply("sqrt", self.apply("rdivide", total, count))
        if self.choose.random() < 0.5:
            return deviation
        return self.apply("rdivide", away, self.apply("plus", deviation, self.scalar(0.5)))

    def set_where(self, x: Node) -> Node:
        """``x(mask) = number`` twice."""
        for _ in range(2):
            x = self.apply("select", self.mask(x), self.scalar(self.draw()), x)
        return x

    def places(self, x: Node) -> Node:
        """Every other element, turned round."""
        count = (x.size + 1) // 2
        ends = self.scalar(float(2 * count - 2), DType.F64), self.scalar(-2.0, DType.F64)
        row = self.apply("iota", *ends, attrs=(DType.F64, (count, 1)))
        return self.apply("cast", row, attrs=(DType.I64,))

    def scattered(self, x: Node) -> Node:
        index = self.places(x)
        ends = self.scalar(0.5), self.scalar(0.125)
        value = self.apply("iota", *ends, attrs=(self.dtype, index.shape))
        return self.apply("scatter", x, index, value)

    def gathered(self, x: Node) -> Node:
        index = self.places(x)
        return self.apply("gather", x, index, attrs=(index.shape,))

    def selected(self, x: Node) -> Node:
        """What a mask selects; here it selects every third element."""
        whole = self.apply("reshape", x, attrs=((x.size, 1),))
        place = self.apply("position", attrs=(whole.shape, 0))
        third = self.apply("rem", place, self.scalar(3.0, DType.F64))
        mask = self.apply("eq", third, self.scalar(0.0, DType.F64))
        return self.apply("compact", whole, mask, attrs=(((x.size + 2) // 3, 1),))

    def sorted(self, x: Node) -> Node:
        axis = self.choose.randrange(len(x.shape))
        return self.apply("sort", x, attrs=(axis, self.choose.random() < 0.5))

    def as_integer(self, x: Node) -> Node:
        """Saturating arithmetic in an integer class and back."""
        kind = self.choose.choice(INTEGERS)
        rounded = self.apply("floor", self.apply("times", x, self.scalar(10.3)))
        whole = self.apply("cast", rounded, attrs=(kind,))
        op = self.choose.choice(["plus", "times", "max", "minus"])
        found = self.apply(op, whole, self.scalar(self.choose.randrange(100), kind))
        return self.apply("cast", found, attrs=(self.dtype,))

    def complex_of(self, x: Node) -> Node:
        """Of several elements: Mesa's compiler may not come back from complex single numbers."""
        if x.size < 2:
            raise Unsupported("a complex number")
        other = self.choose.choice([n for n in self.pool if n.shape == x.shape])
        return self.apply("complex", x, other)

    def part_of(self, z: Node) -> Node:
        return self.apply(self.choose.choice(["abs", "real", "imag"]), z)

    def as_complex(self, x: Node) -> Node:
        z = self.apply(self.choose.choice(COMPLEX_UNARY), self.complex_of(x))
        return self.part_of(z) if z.dtype.is_complex else z

    def complex_pair(self, x: Node) -> Node:
        op = self.choose.choice(["plus", "minus", "times", "rdivide", "power", "max", "min"])
        if op in {"max", "min"} and x.dtype is DType.F32:  # equal but for a rounding, or not
            op = "plus"
        other = self.apply("cast", self.choose.choice(self.pool), attrs=(x.dtype.complex,))
        return self.part_of(self.apply(op, self.complex_of(x), other))

    def complex_sum(self, x: Node) -> Node:
        """Sums, extremes, running sums and products of complex arrays."""
        z = self.complex_of(x)
        op = self.choose.choice(["sum", "prod", "amax", "amin", "cumsum", "cumprod", "matmul"])
        if op == "matmul":
            if len(z.shape) > 2:
                return x
            turned = self.apply("permute", z, attrs=((1, 0),))
            return self.part_of(self.apply(op, z, turned))
        if "prod" in op:  # moduli below 1: where a product overflows depends on its order
            half = self.scalar(0.5)
            parts = (
                self.apply("times", self.apply("tanh", self.apply(p, z)), half)
                for p in ("real", "imag")
            )
            z = self.apply("complex", *parts)
        attrs = (0, False) if op.startswith("cum") else ((0,),)
        found = self.part_of(self.apply(op, z, attrs=attrs))
        # Sums of many singles depend on their order by more than rounding to whole numbers allows.
        return self.apply("tanh", found) if found.dtype is DType.F32 else found
