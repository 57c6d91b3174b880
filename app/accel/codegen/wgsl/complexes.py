"""WGSL of the elementwise ops on complex numbers (a vector of two floats)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.accel.codegen.wgsl.layout import register
from app.accel.codegen.wgsl.wgsl_arithmetic import (
    COMPARISONS,
    define_quotient,
    exact,
    function,
    negation,
    opaque_float,
)
from app.accel.ir.dtypes import DType
from app.errors import Unsupported

if TYPE_CHECKING:
    from app.accel.codegen.wgsl.emit import Source

ARITHMETIC = """\
fn cmul_{t}(a: vec2<{t}>, b: vec2<{t}>) -> vec2<{t}> {{
    return vec2<{t}>(add_{t}(mul_{t}(a.x, b.x), -mul_{t}(a.y, b.y)),
                     add_{t}(mul_{t}(a.x, b.y), mul_{t}(a.y, b.x)));
}}
// Smith (1962): scale by the larger part of the divisor. It is hidden: of a number over itself both
// sums are the same, and compilers would make one of them, whatever they are.
fn cdiv_{t}(a: vec2<{t}>, b: vec2<{t}>) -> vec2<{t}> {{
    if (abs(b.x) >= abs(b.y)) {{
        if (b.x == {t}() && b.y == {t}()) {{ return vec2<{t}>(a.x / abs(b.x), a.y / abs(b.x)); }}
        let r = div_{t}(b.y, b.x);
        let d = hidden_{t}(add_{t}(b.x, mul_{t}(b.y, r)));
        return vec2<{t}>(div_{t}(add_{t}(a.x, mul_{t}(a.y, r)), d),
                         div_{t}(add_{t}(a.y, -mul_{t}(a.x, r)), d));
    }}
    let r = div_{t}(b.x, b.y);
    let d = hidden_{t}(add_{t}(mul_{t}(b.x, r), b.y));
    return vec2<{t}>(div_{t}(add_{t}(mul_{t}(a.x, r), a.y), d),
                     div_{t}(add_{t}(mul_{t}(a.y, r), -a.x), d));
}}"""
EXP = """\
fn cexp_{t}(a: vec2<{t}>) -> vec2<{t}> {{
    let size = {exp}(a.x);
    if (a.y == {t}()) {{ return vec2<{t}>(size, a.y); }}
    if ({isinf}(a.x) && !{isfinite}(a.y)) {{
        if (a.x < {t}()) {{ return vec2<{t}>(size, size); }}
        return vec2<{t}>(size, {sin}(a.y));
    }}
    if ({isinf}(size) && {isfinite}(a.x)) {{  // a small cosine or sine may bring it back
        let root = {exp}(mul_{t}(a.x, {t}(0.5)));
        return vec2<{t}>(mul_{t}(mul_{t}(root, {cos}(a.y)), root),
                         mul_{t}(mul_{t}(root, {sin}(a.y)), root));
    }}
    return vec2<{t}>(mul_{t}(size, {cos}(a.y)), mul_{t}(size, {sin}(a.y)));
}}"""
# A number of which the magnitude would overflow, or lose bits, is scaled by a power of 4.
SCALED = """\
fn cscale_{t}(a: vec2<{t}>) -> {t} {{
    let m = max(abs(a.x), abs(a.y));
    return select(select({t}(1), {t}({up}), m < {t}({tiny})), {t}(0.25), m > {t}({huge}));
}}"""
SCALES = {
    DType.F32: {"up": 2.0**48, "tiny": 2.0**-100, "huge": 2.0**126},
    DType.F64: {"up": 2.0**108, "tiny": 2.0**-960, "huge": 2.0**1022},
}
LOG = """\
fn clog_{t}(a: vec2<{t}>) -> vec2<{t}> {{
    let size = {hypot}(a.x, a.y);
    let angle = {atan2}(a.y, a.x);
    if (size > {t}(0.5) && size < {t}(2)) {{  // where log(size) would cancel
        let m = max(abs(a.x), abs(a.y));
        let n = min(abs(a.x), abs(a.y));
        let rest = add_{t}(mul_{t}(m - {t}(1), m + {t}(1)), mul_{t}(n, n));
        return vec2<{t}>({t}(0.5) * {log1p}(rest), angle);
    }}
    let scale = cscale_{t}(a);
    return vec2<{t}>(add_{t}({log}({hypot}(a.x * scale, a.y * scale)), -{log}(scale)), angle);
}}"""
SQRT = """\
fn csqrt_{t}(a: vec2<{t}>) -> vec2<{t}> {{
    if (a.x == {t}() && a.y == {t}()) {{ return vec2<{t}>({t}(), a.y); }}
    if ({isinf}(a.y)) {{ return vec2<{t}>(abs(a.y), a.y); }}
    let scale = cscale_{t}(a);
    let x = abs(a.x) * scale;
    let scaled = sqrt({t}(0.5) * add_{t}({hypot}(x, a.y * scale), x));
    let back = {t}(1) / sqrt(scale);
    let size = scaled * back;
    let other = (abs(a.y) * scale / ({t}(2) * scaled)) * back;
    let low = {atan2}(a.y, -{t}(1)) < {t}();  // the sign, of -0 too
    if (a.x >= {t}()) {{ return vec2<{t}>(size, select(other, -other, low)); }}
    return vec2<{t}>(other, select(size, -size, low));
}}"""

# By magnitude, then by angle; NaN is skipped.
ORDER = """\
fn cless_{t}(a: vec2<{t}>, b: vec2<{t}>) -> bool {{
    let m = {hypot}(a.x, a.y);
    let n = {hypot}(b.x, b.y);
    return m < n || (m == n && {atan2}(a.y, a.x) < {atan2}(b.y, b.x));
}}
fn cnan_{t}(a: vec2<{t}>) -> bool {{ return {isnan}(a.x) || {isnan}(a.y); }}
fn cmin_{t}(a: vec2<{t}>, b: vec2<{t}>) -> vec2<{t}> {{
    return select(a, b, cless_{t}(b, a) || cnan_{t}(a));
}}
fn cmax_{t}(a: vec2<{t}>, b: vec2<{t}>) -> vec2<{t}> {{
    return select(a, b, cless_{t}(a, b) || cnan_{t}(a));
}}"""
# Whole exponents by repeated squaring, as on the host.
POWER = """\
fn cpower_{t}(a: vec2<{t}>, b: vec2<{t}>) -> vec2<{t}> {{
    let whole = b.y == {t}() && b.x == floor(b.x) && abs(b.x) < {t}(100);
    if (whole && !(a.x == {t}() && a.y == {t}())) {{
        var left = u32(abs(b.x));
        var square = a;
        var found = vec2<{t}>({t}(1), {t}());
        for (; left > 1u; left = left >> 1u) {{
            if ((left & 1u) == 1u) {{ found = cmul_{t}(found, square); }}
            square = cmul_{t}(square, square);
        }}
        if (left == 1u) {{ found = cmul_{t}(found, square); }}
        if (b.x < {t}()) {{ return cdiv_{t}(vec2<{t}>({t}(1), {t}()), found); }}
        return found;
    }}
    if (a.x == {t}() && a.y == {t}() && b.y == {t}()) {{
        return vec2<{t}>({power}({t}(), b.x), {t}());
    }}
    return cexp_{t}(cmul_{t}(b, clog_{t}(a)));
}}"""


def _arithmetic(source: Source, dtype: DType) -> str:
    t = exact(source, dtype.real)
    define_quotient(source, dtype.real)
    source.helper(f"complex_{t}", ARITHMETIC.format(t=t))
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
    name = function(source, "power", dtype.real, []).removesuffix("()")
    source.late_helper(f"cpower_{t}", POWER.format(t=t, power=name))
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
    names = {"fix": "trunc"}
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
