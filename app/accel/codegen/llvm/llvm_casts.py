"""Conversions: round half away from zero, saturate, NaN becomes 0."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.accel.codegen.elementary.assembly import mangled_type
from app.accel.codegen.llvm.llvm_values import literal
from app.accel.ir.dtypes import DType
from app.errors import Unsupported

if TYPE_CHECKING:
    from app.accel.codegen.llvm.llvm_values import Code


def cast(code: Code, value: str, source: DType, target: DType) -> str:
    """A value in another type."""
    if source is target:
        return value
    if source.is_complex or target.is_complex:
        raise Unsupported(f"machine code for a cast of {source.value} to {target.value}")
    if source is DType.BOOL:
        return code.convert("uitofp" if target.is_float else "zext", value, source, target)
    if target is DType.BOOL:
        relation = "fcmp une" if source.is_float else "icmp ne"
        return code.binary(relation, source, value, literal(source, 0))
    if source.is_float and target.is_float:
        return code.convert("fpext" if target is DType.F64 else "fptrunc", value, source, target)
    if source.is_float:
        return _rounded_to_integer(code, value, source, target)
    if target.is_float:
        operation = "sitofp" if source.kind == "i" else "uitofp"
        return code.convert(operation, value, source, target)
    return _between_integers(code, value, source, target)


def _rounded_to_integer(code: Code, value: str, source: DType, target: DType) -> str:
    whole = code.function("round", source, [value])
    sign, have, want = "s" if target.kind == "i" else "u", code.type(source), code.type(target)
    name = f"llvm.fpto{sign}i.sat.{mangled_type(want)}.{mangled_type(have)}"
    return code.let(f"call {want} @{name}({have} {whole})")


def _between_integers(code: Code, value: str, source: DType, target: DType) -> str:
    """Bounded in the type it has, then cut or extended."""
    bits, room = target.size * 8, source.size * 8
    signed, keeps = source.kind == "i", target.kind == "i"
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if keeps else (0, (1 << bits) - 1)
    least = -(1 << (room - 1)) if signed else 0
    most = (1 << (room - signed)) - 1
    kind = "s" if signed else "u"
    if least < low:
        value = code.intrinsic(f"{kind}max", source, value, literal(source, low))
    if most > high:
        value = code.intrinsic(f"{kind}min", source, value, literal(source, high))
    if bits == room:
        return value
    if bits < room:
        return code.convert("trunc", value, source, target)
    return code.convert("sext" if signed else "zext", value, source, target)
