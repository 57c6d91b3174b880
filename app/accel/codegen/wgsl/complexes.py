"""WGSL of the elementwise ops on complex numbers (a vector of two floats)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.accel.codegen.wgsl.layout import register
from app.accel.codegen.wgsl.shader_files import wgsl_template
from app.accel.codegen.wgsl.wgsl_arithmetic import (
    COMPARISONS,
    define_quotient,
    define_truncation,
    exact,
    function,
    negation,
    opaque_float,
)
from app.accel.ir.dtypes import DType
from app.errors import Unsupported

if TYPE_CHECKING:
    from app.accel.codegen.wgsl.emit import Source

ARITHMETIC = wgsl_template("complexes/arithmetic")
EXP = wgsl_template("complexes/exp")
# A number of which the magnitude would overflow, or lose bits, is scaled by a power of 4.
SCALED = wgsl_template("complexes/scaled")
SCALES = {
    DType.F32: {"up": 2.0**48, "down": 2.0**-48, "tiny": 2.0**-100, "huge": 2.0**126},
    DType.F64: {"up": 2.0**108, "down": 2.0**-108, "tiny": 2.0**-960, "huge": 2.0**1022},
}
# Adapters may flush denormal singles. A quotient below half of the least of them is zero anywhere.
# Both numbers are scaled: what an adapter divides by more than 2^126 may be flushed as well.
_UP, _DOWN, _LEAST = 2.0**72, 2.0**-24, 2.0**-54
SHARES = {
    DType.F32: {
        "flushed": f"r == 0f && other != 0f && abs((other * {_UP}f) / (p * {_DOWN}f)) > {_LEAST}f",
        "share": "select(mul_f32(v, r), mul_f32(div_f32(v, hidden_f32(p)), other), flushed)",
    },
    DType.F64: {"flushed": "false", "share": "mul_f64(v, r)"},
}
LOG = wgsl_template("complexes/log")
SQRT = wgsl_template("complexes/sqrt")

# By magnitude, then by angle; NaN is skipped.
ORDER = wgsl_template("complexes/order")
# Whole exponents by repeated squaring, as on the host.
POWER = wgsl_template("complexes/power")


def _arithmetic(source: Source, dtype: DType) -> str:
    t = exact(source, dtype.real)
    define_quotient(source, dtype.real)
    source.helper(
        f"complex_{t}", ARITHMETIC.format(t=t, **SHARES[dtype.real], **SCALES[dtype.real])
    )
    return t


def _transcendental(source: Source, op: str, dtype: DType, a: str) -> str:
    t = _arithmetic(source, dtype)
    template = {"exp": EXP, "log": LOG, "sqrt": SQRT}[op]
    needed = ("exp", "cos", "sin", "log", "log1p", "hypot", "atan2", "isinf", "isfinite")
    names = {
        n: function(source, n, dtype.real, []).removesuffix("()")
        for n in needed
        if f"{{{n}}}" in template
    }
    if op != "exp":
        source.late_helper(f"cscale_{t}", SCALED.format(t=t, **SCALES[dtype.real]))
    source.late_helper(f"c{op}_{t}", template.format(t=t, **names))
    return f"c{op}_{t}({a})"


def _power(source: Source, dtype: DType, a: str, b: str) -> str:
    for op in ("exp", "log"):
        _transcendental(source, op, dtype, a)
    t = _arithmetic(source, dtype)
    names = {
        n: function(source, n, dtype.real, []).removesuffix("()")
        for n in ("power", "exp", "hypot", "atan2", "cos", "sin", "isnan", "isinf")
    }
    source.late_helper(
        f"cpower_{t}", POWER.format(t=t, trunc=define_truncation(source, dtype.real), **names)
    )
    return f"cpower_{t}({a}, {b})"


def extreme(source: Source, op: str, dtype: DType, a: str, b: str) -> str:
    """The smaller or larger of two complex numbers."""
    t = _arithmetic(source, dtype)
    names = {
        n: function(source, n, dtype.real, []).removesuffix("()")
        for n in ("hypot", "atan2", "isnan")
    }
    source.late_helper(f"corder_{t}", ORDER.format(t=t, **names))
    return f"c{op}_{t}({a}, {b})"


def _parts(source: Source, op: str, dtype: DType, a: str) -> str:
    names = {"fix": define_truncation(source, dtype.real)}
    call = names.get(op, op)
    if op == "round":
        call = function(source, "round", dtype.real, []).removesuffix("()")
    return f"{register(dtype)}({call}({a}.x), {call}({a}.y))"


def _test(source: Source, op: str, dtype: DType, a: str) -> str:
    x, y = (function(source, op, dtype.real, [f"{a}.{c}"]) for c in "xy")
    return f"({x} {'&&' if op == 'isfinite' else '||'} {y})"


def _compare(source: Source, op: str, dtype: DType, a: str, b: str) -> str:
    real, imag = (opaque_float(source, dtype.real, f"{b}.{part}") for part in "xy")
    if op == "eq":
        return f"({a}.x == {real} && {a}.y == {imag})"
    if op == "ne":
        return negation(source, f"{a}.x == {real} && {a}.y == {imag}")
    return f"({a}.x {COMPARISONS[op]} {real})"


PLAIN = {"uminus": "(-{a})", "real": "{a}.x", "imag": "{a}.y", "conj": "{v}({a}.x, -{a}.y)"}
PARTS = frozenset({"floor", "ceil", "fix", "round"})


def _sum(source: Source, op: str, dtype: DType, a: str, b: str) -> str:
    t, sign = exact(source, dtype.real), "" if op == "plus" else "-"
    return f"{register(dtype)}(add_{t}({a}.x, {sign}{b}.x), add_{t}({a}.y, {sign}{b}.y))"


def on_complex(source: Source, op: str, dtype: DType, args: list[str]) -> str:
    """An op whose operands are complex."""
    a, b = args[0], args[-1]
    if op in PLAIN:
        return PLAIN[op].format(a=a, v=register(dtype))
    if op in COMPARISONS:
        return _compare(source, op, dtype, a, b)
    if op in {"isnan", "isinf", "isfinite"}:
        return _test(source, op, dtype, a)
    if op in PARTS:
        return _parts(source, op, dtype, a)
    if op in {"exp", "log", "sqrt"}:
        return _transcendental(source, op, dtype, a)
    if op in {"plus", "minus"}:
        return _sum(source, op, dtype, a, b)
    if op in {"times", "rdivide"}:
        return f"{'cmul' if op == 'times' else 'cdiv'}_{_arithmetic(source, dtype)}({a}, {b})"
    if op in {"min", "max"}:
        return extreme(source, op, dtype, a, b)
    if op == "power":
        return _power(source, dtype, a, b)
    if op in {"abs", "angle"}:
        name, places = ("hypot", "xy") if op == "abs" else ("atan2", "yx")
        return function(source, name, dtype.real, [f"{a}.{c}" for c in places])
    raise Unsupported(f"{op} of complex numbers")
