"""WGSL of conversions: round half away from zero, saturate, NaN becomes 0; and of the same bits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.accel.codegen.wgsl.integers import limits, literal
from app.accel.codegen.wgsl.layout import register
from app.accel.codegen.wgsl.shader_files import wgsl_template, wgsl_text
from app.accel.codegen.wgsl.wgsl_arithmetic import exact, function, negation, opaque_float
from app.accel.ir.dtypes import DType
from app.errors import Unsupported

if TYPE_CHECKING:
    from app.accel.codegen.wgsl.emit import Source

FLOAT_TO_INTEGER = wgsl_template("casts/float_to_integer")
LONGER = wgsl_text("casts/longer")
"""Mesa takes every number for less than such a one, where it knows that number: ``1 < i64(-3)``."""


def _power(bits: int, wide: bool) -> str:
    """2^bits as a float literal."""
    return f"{float(1 << bits)!r}{'lf' if wide else 'f'}"


def _float_to_integer(source: Source, value: str, source_type: DType, target: DType) -> str:
    wide = source_type is DType.F64
    f = "f64" if wide else "f32"
    low, high = limits(target)
    bits = target.size * 8 - (1 if target.kind == "i" else 0)
    name = f"{target.value}_of_{f}"
    text = FLOAT_TO_INTEGER.format(
        name=name,
        f=f,
        r=register(target),
        low=low,
        high=high,
        zero=literal(target, 0),
        rounded=function(source, "round", source_type, ["x"]),
        nan=function(source, "isnan", source_type, ["x"]),
        low_f=f"-{_power(bits, wide)}" if target.kind == "i" else "0",
        high_f=_power(bits, wide) if target.size >= 4 else f"{(1 << bits) - 1}",
    )
    source.late_helper(name, text)
    return f"{name}({value})"


def _integer_to_integer(source: Source, value: str, source_type: DType, target: DType) -> str:
    low, high = -(1 << (target.size * 8 - 1)), (1 << (target.size * 8 - 1)) - 1
    if target.kind == "u":
        low, high = 0, (1 << (target.size * 8)) - 1
    have_low = -(1 << (source_type.size * 8 - 1)) if source_type.kind == "i" else 0
    have_high = (1 << (source_type.size * 8 - (1 if source_type.kind == "i" else 0))) - 1
    text = value
    if have_low < low:
        text = f"max({text}, {literal(source_type, low)})"
    if have_high > high:
        text = f"min({text}, {literal(source_type, high)})"
    if register(source_type) == register(target):
        return text
    if register(source_type) == "u32" and target is DType.I64:
        return f"i64(u64({text}))"  # Mesa extends the sign of an unsigned word
    if register(source_type) == "i32" and target is DType.I64:
        source.late_helper("i64_of_i32", LONGER)
        return f"i64_of_i32({text})"
    return f"{register(target)}({text})"


def cast(source: Source, value: str, source_type: DType, target: DType) -> str:
    """An expression of the target type."""
    if source_type is target:
        return value
    if source_type.is_complex:
        if target.is_complex:
            return f"{register(target)}({value})"
        return cast(source, f"{value}.x", source_type.real, target)
    if target.is_complex:
        part = cast(source, value, source_type, target.real)
        # A zero that no compiler knows: it would take 0*NaN for 0.
        exact(source, target.real)
        none = "bitcast<f64>(zero64)" if target is DType.C128 else "bitcast<f32>(zero)"
        return f"{register(target)}({part}, {none})"
    if source_type is DType.BOOL:
        one = f"select({register(target)}(), {register(target)}(1), {value})"
        return opaque_float(source, target, one) if target.is_float else one
    if target is DType.BOOL:
        return negation(source, f"{value} == {register(source_type)}()")
    if target.is_float:
        return f"{register(target)}({value})"
    if source_type.is_float:
        return _float_to_integer(source, value, source_type, target)
    if target.is_integer:
        return _integer_to_integer(source, value, source_type, target)
    raise Unsupported(f"cast of {source_type.label} to {target.label}")


def typecast(value: str, source_type: DType, target: DType) -> str:
    """The bits of a value as another type of the same size."""
    if source_type.size != target.size or DType.BOOL in (source_type, target):
        raise Unsupported(f"bits of {source_type.label} as {target.label}")
    text = f"bitcast<{register(target)}>({value})"
    spare = 32 - 8 * target.size
    if spare > 0 and source_type is not target:  # registers are wider than the class
        return f"(({text} << {spare}u) >> {spare}u)"
    return text
