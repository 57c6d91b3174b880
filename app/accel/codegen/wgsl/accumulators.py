"""What a reduction carries along: identity, combination and result of each kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.accel.codegen.wgsl import layout
from app.accel.codegen.wgsl.casts import cast
from app.accel.codegen.wgsl.expressions import elementwise
from app.accel.codegen.wgsl.integers import limits
from app.accel.codegen.wgsl.shader_files import wgsl_template
from app.accel.codegen.wgsl.wgsl_arithmetic import exact, function, negation
from app.accel.ir.dtypes import DType
from app.errors import Unsupported
from app.records import record

if TYPE_CHECKING:
    from app.accel.codegen.wgsl.emit import Source
    from app.accel.ir.plan import Reduce

SIZES = {
    "f32": 4,
    "u32": 4,
    "i32": 4,
    "f64": 8,
    "i64": 8,
    "u64": 8,
    "vec2<f32>": 8,
    "vec2<f64>": 16,
    "Moments_f32": 16,
    "Moments_f64": 32,
}


EXCHANGED = {
    **dict.fromkeys(("f32", "u32", "i32", "vec2<f32>"), ("",)),
    "Moments_f32": (".mean", ".low", ".squares", ".count"),
}
"""Types that the lanes of a subgroup can exchange, by their members."""


@record
class Accumulator:
    """One reduction in WGSL.

    Attributes:
        fields: types of the fields of the partial result.
        identity: their starting values.
        lift: their values for one element, from the element's expression.
        merge: their values from ``a.*`` and ``b.*``; names of fields are substituted.
        result: expression of the result.
    """

    fields: tuple[str, ...]
    identity: tuple[str, ...]
    lift: tuple[str, ...]
    merge: tuple[str, ...]
    result: str


def nan(source: Source, dtype: DType) -> str:
    """NaN, from bits no compiler knows."""
    if dtype is DType.F64:
        exact(source, dtype)
        return "bitcast<f64>(0x7ff8000000000000lu | zero64)"
    return "bitcast<f32>(0x7fc00000u | zero)"


def accumulator(
    source: Source, reduce: Reduce, operand: DType, k: int, value: str, position: str
) -> Accumulator:
    """The accumulator of reduction k; `value` is the element, `position` its 0-based place."""
    name, left, right = f"s{k}", f"a.s{k}", f"b.s{k}"
    match reduce.op:
        case "sum" | "prod":
            return _arithmetic(source, reduce, operand, name, value)
        case "min" | "max":
            return _extreme(source, reduce, name, value)
        case "any" | "all" | "nnz":
            return _count(source, reduce, operand, name, value)
        case "moment":
            return _moment(source, reduce, k, value)
        case "argmin" | "argmax":
            return _position(source, reduce, operand, k, value, position)
    raise Unsupported(f"reduction {reduce.op} of {left}{right}")


def carrier(op: str, dtype: DType) -> DType:
    """The type in which a sum or a product is carried."""
    if not dtype.is_integer:
        return dtype
    return DType.I64 if op == "sum" and dtype.size < 8 else DType.F64


def _arithmetic(
    source: Source, reduce: Reduce, operand: DType, name: str, value: str
) -> Accumulator:
    carried = carrier(reduce.op, reduce.dtype)
    kind = layout.register(carried)
    one = "1" if reduce.op == "prod" else "0"
    identity = f"{kind}({one}, 0)" if carried.is_complex else f"{kind}({one})"
    op = "plus" if reduce.op == "sum" else "times"
    if carried is DType.I64:
        merged = f"(a.{name} + b.{name})"
    else:
        merged = elementwise(source, op, carried, [f"a.{name}", f"b.{name}"], carried)
        if carried.is_complex and reduce.op == "prod":  # Inf times 1 + 0i is no number
            alone = f"select({merged}, b.{name}, all(a.{name} == {identity}))"
            merged = f"select({alone}, a.{name}, all(b.{name} == {identity}))"
    lifted = cast(source, value, operand, carried)
    result = cast(source, f"t.{name}", carried, reduce.dtype)
    return Accumulator((kind,), (identity,), (lifted,), (merged,), result)


MOMENTS = wgsl_template("accumulators/moments")


def _moment(source: Source, reduce: Reduce, k: int, value: str) -> Accumulator:
    """Squares around the mean, carried with the mean and a count (Chan, Golub, LeVeque 1979)."""
    t = exact(source, reduce.dtype)
    source.helper(f"moments_{t}", MOMENTS.format(t=t))
    kind = f"Moments_{t}"
    return Accumulator(
        (kind,),
        (f"{kind}()",),
        (f"{kind}({value}, {t}(), {t}(), 1u)",),
        (f"moments_{t}(a.s{k}, b.s{k})",),
        f"t.s{k}.squares",
    )


def _extreme(source: Source, reduce: Reduce, name: str, value: str) -> Accumulator:
    """Of 0 and -0 either may be the answer: lanes do not meet in the order of the elements."""
    dtype = reduce.dtype
    if dtype.is_float:
        kind, identity = layout.register(dtype), nan(source, dtype)
        merged = function(source, reduce.op, dtype, [f"a.{name}", f"b.{name}"])
        return Accumulator((kind,), (identity,), (value,), (merged,), f"t.{name}")
    if dtype is DType.BOOL:
        start = "1u" if reduce.op == "min" else "0u"
        merged = f"{reduce.op}(a.{name}, b.{name})"
        return Accumulator(
            ("u32",), (start,), (f"select(0u, 1u, {value})",), (merged,), f"(t.{name} != 0u)"
        )
    if dtype.is_complex:
        kind, one = layout.register(dtype), nan(source, dtype.real)
        merged = elementwise(source, reduce.op, dtype, [f"a.{name}", f"b.{name}"], dtype)
        return Accumulator((kind,), (f"{kind}({one}, {one})",), (value,), (merged,), f"t.{name}")
    low, high = limits(dtype)
    merged = f"{reduce.op}(a.{name}, b.{name})"
    return Accumulator(
        (layout.register(dtype),),
        (high if reduce.op == "min" else low,),
        (value,),
        (merged,),
        f"t.{name}",
    )


def _nonzero(source: Source, operand: DType, value: str) -> str:
    if operand is DType.BOOL:
        return value
    if operand.is_complex:
        return negation(
            source, f"{value}.x == {operand.real.value}() && {value}.y == {operand.real.value}()"
        )
    return negation(source, f"{value} == {layout.register(operand)}()")


def _count(source: Source, reduce: Reduce, operand: DType, name: str, value: str) -> Accumulator:
    test = _nonzero(source, operand, value)
    if reduce.op == "any" and (operand.is_float or operand.is_complex):
        number = elementwise(source, "isnan", operand, [value], DType.BOOL)
        test = f"({test} && !{number})"
    symbol = {"any": "|", "all": "&", "nnz": "+"}[reduce.op]
    start = "1u" if reduce.op == "all" else "0u"
    result = f"(t.{name} != 0u)"
    if reduce.op == "nnz":
        result = cast(source, f"t.{name}", DType.U32, reduce.dtype)
    return Accumulator(
        ("u32",), (start,), (f"select(0u, 1u, {test})",), (f"(a.{name} {symbol} b.{name})",), result
    )


def _position(
    source: Source, reduce: Reduce, operand: DType, k: int, value: str, position: str
) -> Accumulator:
    if operand.is_complex:
        raise Unsupported(f"{reduce.op} of complex numbers")
    sign = "<" if reduce.op == "argmin" else ">"
    if operand is DType.BOOL:
        operand, value = DType.U32, f"select(0u, 1u, {value})"
    kind = layout.register(operand)
    # The first place is 0xffffffff until a number has been seen.
    better = f"(b.s{k} {sign} a.s{k} || (b.s{k} == a.s{k} && b.p{k} < a.p{k}))"
    wins = f"(b.p{k} != 0xffffffffu && (a.p{k} == 0xffffffffu || {better}))"
    place = position
    if operand.is_float:
        place = f"select({position}, 0xffffffffu, {function(source, 'isnan', operand, [value])})"
    result = f"select(t.p{k} + 1u, 1u, t.p{k} == 0xffffffffu)"
    return Accumulator(
        (kind, "u32"),
        (f"{kind}()", "0xffffffffu"),
        (value, place),
        (f"select(a.s{k}, b.s{k}, {wins})", f"select(a.p{k}, b.p{k}, {wins})"),
        cast(source, result, DType.U32, reduce.dtype),
    )


@record
class Partial:
    """All accumulators of a kernel as one WGSL struct."""

    parts: tuple[Accumulator, ...]

    def names(self) -> list[str]:
        """Field names in order."""
        return [
            f"{'sp'[i]}{k}" for k, part in enumerate(self.parts) for i in range(len(part.fields))
        ]

    def size(self) -> int:
        """Bytes of one struct in an array."""
        at = align = 0
        for kind in (f for part in self.parts for f in part.fields):
            size = SIZES[kind]
            at, align = -(-at // size) * size + size, max(align, size)
        return -(-at // align) * align

    def text(self) -> str:
        """Struct, identity and combination."""
        kinds = [f for part in self.parts for f in part.fields]
        fields = ", ".join(f"{n}: {t}" for n, t in zip(self.names(), kinds, strict=True))
        start = ", ".join(v for part in self.parts for v in part.identity)
        merge = ", ".join(v for part in self.parts for v in part.merge)
        return (
            f"struct Partial {{ {fields} }}\n"
            f"fn identity() -> Partial {{ return Partial({start}); }}\n"
            f"fn merge(a: Partial, b: Partial) -> Partial {{ return Partial({merge}); }}"
        )

    def lifted(self) -> str:
        """A struct of one element."""
        return f"Partial({', '.join(v for part in self.parts for v in part.lift)})"

    def moved(self) -> str | None:
        """The function ``moved``: a struct from the lane of the subgroup so many lanes on.

        None where a field has a type that lanes may not be able to exchange.
        """
        fields = zip(self.names(), (f for part in self.parts for f in part.fields), strict=True)
        given = [[f"a.{name}{m}" for m in EXCHANGED.get(kind, ())] for name, kind in fields]
        if not all(given):
            return None
        values = [[f"subgroupShuffleDown({one}, s)" for one in one_field] for one_field in given]
        made = [v[0] if len(v) == 1 else f"Moments_f32({', '.join(v)})" for v in values]
        return f"fn moved(a: Partial, s: u32) -> Partial {{ return Partial({', '.join(made)}); }}"

    def results(self) -> tuple[str, ...]:
        """Expressions of the results of struct ``t``."""
        return tuple(part.result for part in self.parts)


__all__ = ["Accumulator", "Partial", "accumulator", "carrier", "exact"]
