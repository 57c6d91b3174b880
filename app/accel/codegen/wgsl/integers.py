"""WGSL of the integer ops: saturating, rounding half away from zero, as the language wants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.accel.codegen.wgsl.shader_files import wgsl_template, wgsl_text
from app.accel.codegen.wgsl.wgsl_arithmetic import COMPARISONS
from app.accel.ir.dtypes import DType
from app.errors import Unsupported

if TYPE_CHECKING:
    from app.accel.codegen.wgsl.emit import Source

IDENTITY = frozenset({"real", "conj", "floor", "ceil", "fix", "round"})

ADD_SIGNED = wgsl_template("integers/add_signed")
ADD_UNSIGNED = """\
fn add_{n}(a: {r}, b: {r}) -> {r} {{ return a + min(b, {high} - a); }}
fn sub_{n}(a: {r}, b: {r}) -> {r} {{ return a - min(a, b); }}"""
"""Looking afterwards whether a sum ran over made the compiler of an H200 lose the upper half of
64 bits in kernels with many results."""
ADD_SMALL = """\
fn add_{n}(a: i32, b: i32) -> i32 {{ return clamp(a + b, {low}, {high}); }}
fn sub_{n}(a: i32, b: i32) -> i32 {{ return clamp(a - b, {low}, {high}); }}"""
ADD_SMALL_UNSIGNED = """\
fn add_{n}(a: u32, b: u32) -> u32 {{ return min(a + b, {high}); }}
fn sub_{n}(a: u32, b: u32) -> u32 {{ return select(a - b, 0u, a < b); }}"""
WIDE_PRODUCT = wgsl_text("integers/wide_product")
WIDE_PRODUCT_64 = wgsl_text("integers/wide_product_64")
MUL_SIGNED = wgsl_template("integers/mul_signed")
MUL_UNSIGNED = wgsl_template("integers/mul_unsigned")
DIV_UNSIGNED = wgsl_template("integers/div_unsigned")
DIV_SIGNED = wgsl_template("integers/div_signed")
REMAINDERS = wgsl_template("integers/remainders")


UNSIGNED_REMAINDERS = """\
fn rem_{n}(a: {r}, b: {r}) -> {r} {{ if (b == {zero}) {{ return b; }} return a % b; }}
fn mod_{n}(a: {r}, b: {r}) -> {r} {{ if (b == {zero}) {{ return a; }} return a % b; }}"""


def limits(dtype: DType) -> tuple[str, str]:
    """Lowest and highest value as register literals."""
    bits, signed = dtype.size * 8, dtype.kind == "i"
    low = -(1 << (bits - 1)) if signed else 0
    high = (1 << (bits - 1)) - 1 if signed else (1 << bits) - 1
    return literal(dtype, low), literal(dtype, high)


def literal(dtype: DType, value: int) -> str:
    """An integer literal of the register type; the lowest number has no literal of its own."""
    long = dtype.size == 8
    if dtype.kind == "u":
        return f"{value}{'l' if long else ''}u"
    suffix = "li" if long else "i"
    if value == -(1 << (63 if long else 31)):
        return f"({value + 1}{suffix} - 1{suffix})"
    return f"({value}{suffix})" if value < 0 else f"{value}{suffix}"


def names(dtype: DType) -> dict[str, str]:
    """What the templates above speak of."""
    low, high = limits(dtype)
    long, signed = dtype.size == 8, dtype.kind == "i"
    r = ("i" if signed else "u") + ("64" if long else "32")
    long_u = "lu" if long else "u"
    return {
        "n": dtype.value,
        "r": r,
        "u": "u64" if long else "u32",
        "low": low,
        "high": high,
        "zero": literal(dtype, 0),
        "one": literal(dtype, 1),
        "uz": f"0{long_u}",
        "uone": f"1{long_u}",
        "trap": f" || b == {literal(dtype, -1)}" if signed else "",
    }


def _sums(source: Source, dtype: DType) -> None:
    if dtype.size < 4:
        template = ADD_SMALL if dtype.kind == "i" else ADD_SMALL_UNSIGNED
    else:
        template = ADD_SIGNED if dtype.kind == "i" else ADD_UNSIGNED
    source.helper(f"sums_{dtype.value}", template.format(**names(dtype)))


def _products(source: Source, dtype: DType) -> None:
    if dtype.size == 8:
        source.helper("high_u64", WIDE_PRODUCT_64)
    else:
        source.helper("high_u32", WIDE_PRODUCT)
    template = MUL_SIGNED if dtype.kind == "i" else MUL_UNSIGNED
    source.helper(f"products_{dtype.value}", template.format(**names(dtype)))


def _product(source: Source, dtype: DType, a: str, b: str) -> str:
    if dtype.size < 4:
        low, high = limits(dtype)
        return f"clamp({a} * {b}, {low}, {high})"
    _products(source, dtype)
    return f"mul_{dtype.value}({a}, {b})"


def _quotient(source: Source, dtype: DType, a: str, b: str) -> str:
    template = DIV_SIGNED if dtype.kind == "i" else DIV_UNSIGNED
    source.helper(f"quotients_{dtype.value}", template.format(**names(dtype)))
    return f"div_{dtype.value}({a}, {b})"


def _remainder(source: Source, op: str, dtype: DType, a: str, b: str) -> str:
    values = names(dtype)
    if dtype.kind == "u":
        source.helper(f"remainders_{dtype.value}", UNSIGNED_REMAINDERS.format(**values))
        return f"{op}_{dtype.value}({a}, {b})"
    source.helper(f"remainders_{dtype.value}", REMAINDERS.format(**values))
    return f"{op}_{dtype.value}({a}, {b})"


def _shift(source: Source, dtype: DType, a: str, b: str) -> str:
    """Left by b, right where b is negative; what falls off is lost."""
    values, bits = names(dtype), dtype.size * 8
    r, zero = values["r"], values["zero"]
    size = f"{values['u']}(abs(b))" if dtype.kind == "i" else "b"
    size = f"u32(min({size}, {bits}{'lu' if bits == 64 else 'u'}))"
    right = f"b < {zero}" if dtype.kind == "i" else "false"
    left, rest = "a << n", 32 - bits
    if rest > 0:  # registers are wider than the class
        left = f"((a << n) << {rest}u) >> {rest}u"
    text = (
        f"fn shift_{dtype.value}(a: {r}, b: {r}) -> {r} {{\n    let n = {size};\n"
        f"    if (n >= {bits}u) {{ return {zero}; }}\n"
        f"    return select({left}, a >> n, {right});\n}}"
    )
    source.helper(f"shift_{dtype.value}", text)
    return f"shift_{dtype.value}({a}, {b})"


PLAIN = {
    "min": "min({a}, {b})",
    "max": "max({a}, {b})",
    "bitand": "({a} & {b})",
    "bitor": "({a} | {b})",
    "bitxor": "({a} ^ {b})",
    "isnan": "false",
    "isinf": "false",
    "isfinite": "true",
    **dict.fromkeys(IDENTITY, "{a}"),
    **{op: f"({{a}} {symbol} {{b}})" for op, symbol in COMPARISONS.items()},
}


def _sum(source: Source, op: str, dtype: DType, a: str, b: str) -> str:
    _sums(source, dtype)
    return f"{'add' if op == 'plus' else 'sub'}_{dtype.value}({a}, {b})"


def _magnitude(dtype: DType, a: str) -> str:
    if dtype.kind == "u":
        return a
    low, high = limits(dtype)
    return f"select(abs({a}), {high}, {a} == {low})"


def _sign(dtype: DType, a: str) -> str:
    return f"sign({a})" if dtype.kind == "i" else f"min({a}, {literal(dtype, 1)})"


def on_integers(source: Source, op: str, dtype: DType, args: list[str]) -> str:
    """An op whose operands are integers."""
    a, b = args[0], args[-1]
    if op in PLAIN:
        return PLAIN[op].format(a=a, b=b)
    match op:
        case "plus" | "minus":
            return _sum(source, op, dtype, a, b)
        case "uminus":
            return _sum(source, "minus", dtype, literal(dtype, 0), a)
        case "times":
            return _product(source, dtype, a, b)
        case "rdivide":
            return _quotient(source, dtype, a, b)
        case "mod" | "rem":
            return _remainder(source, op, dtype, a, b)
        case "abs":
            return _magnitude(dtype, a)
        case "sign":
            return _sign(dtype, a)
        case "bitshift":
            return _shift(source, dtype, a, b)
    raise Unsupported(f"{op} of {dtype.label}")
