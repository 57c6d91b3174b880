"""WGSL expressions of the elementwise ops on real floats and logicals.

Sums and products go through functions that no compiler looks through (see `functions.language`):
the user's ``(x + y) - x`` and ``x - x`` must round, and be NaN, as on the host.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from app.accel.codegen.elementary.trace import truncation, wgsl_name
from app.accel.codegen.wgsl.shader_files import wgsl_text
from app.accel.ir.dtypes import DType
from app.accel.ir.ops import DEFINITIONS
from app.errors import Unsupported

if TYPE_CHECKING:
    from app.accel.codegen.wgsl.emit import Source
    from app.accel.ir.ops import Domain

COMPARISONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}

OWN = frozenset("exp log log2 sin cos tan asin acos atan sinh cosh tanh".split())
"""Functions of the shader language itself: loosely specified, used on request only."""

TESTS = frozenset(("isnan", "isinf", "isfinite"))


def exact(source: Source, dtype: DType) -> str:
    """The suffix of the functions for rounded sums and products, once they are in the text."""
    width = 64 if dtype is DType.F64 else 32
    source.widths.add(width)
    return f"f{width}"


def function(source: Source, name: str, dtype: DType, args: list[str]) -> str:
    """A call of an elementary function."""
    width = 64 if dtype is DType.F64 else 32
    if width == 32 and source.abilities.fast and name in OWN:
        return f"{name}({', '.join(args)})"
    source.elementary(name, width)
    if name in TESTS:  # a driver takes what it has computed itself for finite
        args = [opaque_float(source, dtype, a) for a in args]
    return f"{wgsl_name(name, width)}({', '.join(args)})"


def opaque_float(source: Source, dtype: DType, a: str) -> str:
    """A float of which the compiler knows nothing.

    One operand of whatever compilers take finite maths for: ``x == x`` is not always true,
    ``x / x`` not always one, and a choice by ``a < b`` between a and b is no minimum.
    """
    return f"hidden_{exact(source, dtype)}({a})"


def _binary(source: Source, op: str, dtype: DType, args: list[str]) -> str | None:
    a, b = args[0], args[-1]
    match op:
        case "plus":
            return f"add_{exact(source, dtype)}({a}, {b})"
        case "minus":
            return f"add_{exact(source, dtype)}({a}, -{b})"
        case "times":
            return f"mul_{exact(source, dtype)}({a}, {b})"
        case "rdivide":
            return quotient(source, dtype, a, b)
        case "uminus":
            return f"(-{a})"
        case "select":
            return f"select({args[2]}, {args[1]}, {args[0]})"
    return None


QUOTIENT = wgsl_text("wgsl_arithmetic/quotient")
ROOT = wgsl_text("wgsl_arithmetic/root")


PLAIN_QUOTIENT = "fn div_{t}(a: {t}, b: {t}) -> {t} {{ return hidden_{t}(a / b); }}"
"""What is hidden is no number to divide further: (x / x) / y would be x / (x * y)."""


def define_quotient(source: Source, dtype: DType) -> str:
    """The name of the function for correctly rounded quotients; it is in the text from now on."""
    t = exact(source, dtype)
    plain = dtype is DType.F64 or not source.abilities.fused
    source.helper(f"div_{t}", PLAIN_QUOTIENT.format(t=t) if plain else QUOTIENT)
    return f"div_{t}"


def quotient(source: Source, dtype: DType, a: str, b: str) -> str:
    """A correctly rounded quotient of floats."""
    return f"{define_quotient(source, dtype)}({a}, {opaque_float(source, dtype, b)})"


def root(source: Source, dtype: DType, a: str) -> str:
    """A correctly rounded square root."""
    if dtype is DType.F64 or not source.abilities.fused:
        return f"sqrt({a})"
    source.helper("sqrt_f32", ROOT)
    return f"sqrt_f32({a})"


def define_truncation(source: Source, dtype: DType) -> str:
    """The name of the function that rounds towards zero; it is in the text from now on."""
    exact(source, dtype)
    return truncation(64 if dtype is DType.F64 else 32)


def on_floats(source: Source, op: str, dtype: DType, args: list[str]) -> str:
    """An op whose operands are real floats."""
    simple = _binary(source, op, dtype, args)
    if simple is not None:
        return simple
    if op in COMPARISONS:
        return _compare(source, op, dtype, args)
    match op:
        case "abs" | "floor" | "ceil":
            return f"{op}({args[0]})"
        case "fix":
            return f"{define_truncation(source, dtype)}({args[0]})"
        case "sqrt":
            return root(source, dtype, args[0])
        case "real" | "conj":
            return args[0]
        case "imag":  # a zero that nothing is concluded from: 0/x is not 0 where x is
            zero = f"{dtype.value}()"
            return opaque_float(source, dtype, zero) if dtype.is_float else zero
        case "angle":
            return function(source, "atan2", dtype, [f"{dtype.value}()", args[0]])
        case "complex":
            return f"vec2<{dtype.value}>({args[0]}, {args[1]})"
    if op in DEFINITIONS:
        return function(source, op, dtype, args)
    raise Unsupported(f"{op} of {dtype.label}")


def _compare(source: Source, op: str, dtype: DType, args: list[str]) -> str:
    a, b = args[0], opaque_float(source, dtype, args[1])
    if op == "ne":
        return negation(source, f"{a} == {b}")
    return f"({a} {COMPARISONS[op]} {b})"


def negation(source: Source, condition: str) -> str:
    """Not, by way of the unknown zero: compilers turn !(a < b) into a >= b, wrong for NaN."""
    return f"((select(0u, 1u, {condition}) ^ zero) == 0u)"


LOGICAL = {
    "and": "({a} && {b})",
    "or": "({a} || {b})",
    "xor": "({a} != {b})",
    "ne": "({a} != {b})",
    "eq": "({a} == {b})",
    "lt": "(!{a} && {b})",
    "gt": "({a} && !{b})",
    "le": "(!{a} || {b})",
    "ge": "({a} || !{b})",
    "min": "({a} && {b})",
    "max": "({a} || {b})",
    "isnan": "false",
    "isinf": "false",
    "isfinite": "true",
}


def on_logicals(source: Source, op: str, args: list[str]) -> str:
    """An op whose operands are logicals."""
    if op == "not":
        return negation(source, args[0])
    if op not in LOGICAL:
        raise Unsupported(f"{op} of logical")
    return LOGICAL[op].format(a=args[0], b=args[-1])


def outside(domain: Domain, args: list[str], kind: str) -> str:
    """The condition under which the answer for real operands is complex."""
    a = args[0]
    if domain.whole:
        return f"{a} < {_number(domain.low, kind)} && floor({args[1]}) < {args[1]}"
    if domain.low == -domain.high:
        return f"abs({a}) > {_number(domain.high, kind)}"
    bounds = ((domain.low, "<"), (domain.high, ">"))
    return " || ".join(f"{a} {s} {_number(b, kind)}" for b, s in bounds if math.isfinite(b))


def _number(x: float, kind: str) -> str:
    return f"{kind}({x:g})" if x else f"{kind}()"
