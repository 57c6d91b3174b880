"""Integer ops: saturating, rounding half away from zero, as the language wants them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from app.accel.codegen.llvm.llvm_casts import cast
from app.accel.codegen.llvm.llvm_values import literal
from app.accel.ir.dtypes import DType, of_numpy
from app.errors import Unsupported

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.accel.codegen.llvm.llvm_values import Code

COMPARISONS = {"eq": "eq", "ne": "ne", "lt": "lt", "le": "le", "gt": "gt", "ge": "ge"}
IDENTITY = frozenset("real conj floor ceil fix round".split())
BITWISE = {"bitand": "and", "bitor": "or", "bitxor": "xor"}
SATURATING = {"plus": "add.sat", "minus": "sub.sat"}


def limits(dtype: DType) -> tuple[int, int]:
    """Lowest and highest number of an integer type."""
    bits = dtype.size * 8
    if dtype.kind == "u":
        return 0, (1 << bits) - 1
    return -(1 << (bits - 1)), (1 << (bits - 1)) - 1


def on_integers(code: Code, op: str, dtype: DType, args: list[str]) -> str:
    """An op on integers of one type."""
    a, b, sign = args[0], args[-1], "s" if dtype.kind == "i" else "u"
    if op in COMPARISONS:
        signed = "" if op in {"eq", "ne"} else sign
        return code.binary(f"icmp {signed}{op}", dtype, a, b)
    if op in BITWISE:
        return code.binary(BITWISE[op], dtype, a, b)
    if op in SATURATING:
        return code.intrinsic(f"{sign}{SATURATING[op]}", dtype, a, b)
    if op in _OTHERS:
        return _OTHERS[op](code, dtype, a, b)
    return _simple(code, op, dtype, args)


def _simple(code: Code, op: str, dtype: DType, args: list[str]) -> str:
    a, sign = args[0], "s" if dtype.kind == "i" else "u"
    if op in IDENTITY:
        return a
    match op:
        case "min" | "max":
            return code.intrinsic(f"{sign}{op}", dtype, *args)
        case "uminus":
            return code.intrinsic(f"{sign}sub.sat", dtype, literal(dtype, 0), a)
        case "isnan" | "isinf" | "isfinite":
            return literal(DType.BOOL, op == "isfinite")
    raise Unsupported(f"machine code for {op} of {dtype.value}")


def _sign(code: Code, dtype: DType, a: str, _: str) -> str:
    if dtype.kind == "u":
        return code.intrinsic("umin", dtype, a, literal(dtype, 1))
    least = code.intrinsic("smin", dtype, a, literal(dtype, 1))
    return code.intrinsic("smax", dtype, least, literal(dtype, -1))


def _magnitude(code: Code, dtype: DType, a: str, _: str = "") -> str:
    if dtype.kind == "u":
        return a
    negative = code.binary("icmp slt", dtype, a, literal(dtype, 0))
    turned = code.intrinsic("ssub.sat", dtype, literal(dtype, 0), a)
    return code.select(negative, dtype, turned, a)


def _product(code: Code, dtype: DType, a: str, b: str) -> str:
    if dtype.size == 8:
        return _long_product(code, dtype, a, b)
    wide = of_numpy(np.dtype(f"{dtype.kind}{dtype.size * 2}"))
    extend, sign = ("sext", "s") if dtype.kind == "i" else ("zext", "u")
    low, high = limits(dtype)
    factors = [code.convert(extend, x, dtype, wide) for x in (a, b)]
    product = code.binary("mul", wide, *factors)
    product = code.intrinsic(f"{sign}min", wide, product, literal(wide, high))
    if sign == "s":
        product = code.intrinsic("smax", wide, product, literal(wide, low))
    return code.convert("trunc", product, wide, dtype)


def _long_product(code: Code, dtype: DType, a: str, b: str) -> str:
    sign, type_, mask = ("s" if dtype.kind == "i" else "u"), code.type(dtype), code.type(DType.BOOL)
    pair = f"{{ {type_}, {mask} }}"
    both = code.let(
        f"call {pair} @llvm.{sign}mul.with.overflow.v{code.writer.lanes}i64("
        f"{type_} {a}, {type_} {b})"
    )
    product = code.let(f"extractvalue {pair} {both}, 0")
    over = code.let(f"extractvalue {pair} {both}, 1")
    low, high = (literal(dtype, x) for x in limits(dtype))
    edge = high
    if sign == "s":
        differ = code.binary("xor", dtype, a, b)
        negative = code.binary("icmp slt", dtype, differ, literal(dtype, 0))
        edge = code.select(negative, dtype, low, high)
    return code.select(over, dtype, edge, product)


def _quotient(code: Code, dtype: DType, a: str, b: str) -> str:
    """By way of doubles, which hold operands and halves of quotients exactly; or of magnitudes."""
    if dtype.size == 8:
        return _long_quotient(code, dtype, a, b)
    top, bottom = (cast(code, x, dtype, DType.F64) for x in (a, b))
    return cast(code, code.binary("fdiv", DType.F64, top, bottom), DType.F64, dtype)


def _long_quotient(code: Code, dtype: DType, a: str, b: str) -> str:
    zero, one, low, high = (literal(dtype, x) for x in (0, 1, *limits(dtype)))
    top, divisor = a, b
    if dtype.kind == "i":  # the lowest number's magnitude is right when it is read without sign
        top, divisor = (
            code.select(
                code.binary("icmp slt", dtype, x, zero),
                dtype,
                code.binary("sub", dtype, zero, x),
                x,
            )
            for x in (a, b)
        )
    nothing = code.binary("icmp eq", dtype, b, zero)
    safe = code.select(nothing, dtype, one, divisor)
    q, r = code.binary("udiv", dtype, top, safe), code.binary("urem", dtype, top, safe)
    up = code.binary("icmp uge", dtype, r, code.binary("sub", dtype, safe, r))
    q = code.select(up, dtype, code.binary("add", dtype, q, one), q)
    some = code.binary("icmp ne", dtype, a, zero)
    if dtype.kind == "u":
        return code.select(code.binary("and", DType.BOOL, nothing, some), dtype, high, q)
    turned = code.binary("sub", dtype, zero, q)
    q = code.select(code.binary("icmp slt", dtype, q, zero), dtype, high, q)
    signs = code.binary("xor", dtype, a, b)
    q = code.select(code.binary("icmp slt", dtype, signs, zero), dtype, turned, q)
    edge = code.select(code.binary("icmp slt", dtype, a, zero), dtype, low, high)
    return code.select(code.binary("and", DType.BOOL, nothing, some), dtype, edge, q)


def _mod(code: Code, dtype: DType, a: str, b: str) -> str:
    return _remainder(code, "mod", dtype, a, b)


def _rem(code: Code, dtype: DType, a: str, b: str) -> str:
    return _remainder(code, "rem", dtype, a, b)


def _remainder(code: Code, op: str, dtype: DType, a: str, b: str) -> str:
    zero, one = literal(dtype, 0), literal(dtype, 1)
    nothing = code.binary("icmp eq", dtype, b, zero)
    safe = code.select(nothing, dtype, one, b)
    if dtype.kind == "i":  # the lowest number by -1 overflows; any number by 1 leaves as much
        trap = code.binary("icmp eq", dtype, safe, literal(dtype, -1))
        safe = code.select(trap, dtype, one, safe)
    r = code.binary("srem" if dtype.kind == "i" else "urem", dtype, a, safe)
    if op == "mod" and dtype.kind == "i":
        differ = code.binary("icmp slt", dtype, code.binary("xor", dtype, r, b), zero)
        some = code.binary("icmp ne", dtype, r, zero)
        both = code.binary("and", DType.BOOL, differ, some)
        r = code.select(both, dtype, code.binary("add", dtype, r, b), r)
    return code.select(nothing, dtype, a if op == "mod" else b, r)


def _shift(code: Code, dtype: DType, a: str, b: str) -> str:
    """Left by b, right where b is negative; what falls off is lost."""
    bits, zero = dtype.size * 8, literal(dtype, 0)
    size, right = b, literal(DType.BOOL, 0)
    if dtype.kind == "i":
        size = _magnitude(code, dtype, b)
        right = code.binary("icmp slt", dtype, b, zero)
    over = code.binary("icmp uge", dtype, size, literal(dtype, bits))
    amount = code.select(over, dtype, zero, size)
    down = code.binary("ashr" if dtype.kind == "i" else "lshr", dtype, a, amount)
    moved = code.select(right, dtype, down, code.binary("shl", dtype, a, amount))
    return code.select(over, dtype, zero, moved)


_OTHERS: dict[str, Callable[[Code, DType, str, str], str]] = {
    "abs": _magnitude,
    "sign": _sign,
    "times": _product,
    "rdivide": _quotient,
    "mod": _mod,
    "rem": _rem,
    "bitshift": _shift,
}
