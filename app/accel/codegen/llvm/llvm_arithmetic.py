"""Elementwise ops on real floats, logicals and integers, with the meaning shaders give them."""

from __future__ import annotations

import math
from functools import reduce
from typing import TYPE_CHECKING

from app.accel.codegen.llvm.llvm_integers import on_integers
from app.accel.codegen.llvm.llvm_values import literal
from app.accel.ir.dtypes import DType
from app.accel.ir.ops import DEFINITIONS
from app.errors import Unsupported

if TYPE_CHECKING:
    from app.accel.codegen.llvm.llvm_values import Code
    from app.accel.ir.ops import Domain

COMPARISONS = {"eq": "oeq", "ne": "une", "lt": "olt", "le": "ole", "gt": "ogt", "ge": "oge"}
BINARY = {"plus": "fadd", "minus": "fsub", "times": "fmul", "rdivide": "fdiv"}
INTRINSICS = {"abs": "fabs", "floor": "floor", "ceil": "ceil", "fix": "trunc", "sqrt": "sqrt"}
LOGICAL = {"and": "and", "min": "and", "or": "or", "max": "or", "xor": "xor", "ne": "xor"}


def elementwise(code: Code, op: str, operand: DType, args: list[str], result: DType) -> str:
    """An op by the type of its operands."""
    if op == "select":
        return code.select(args[0], result, args[1], args[2])
    if operand is DType.BOOL:
        if result is not DType.BOOL:
            raise Unsupported(f"machine code for {op} of logical")
        return on_logicals(code, op, args)
    if operand.is_float:
        return on_floats(code, op, operand, args)
    if operand.is_integer:
        return on_integers(code, op, operand, args)
    raise Unsupported(f"machine code for {op} of {operand.value}")


def on_floats(code: Code, op: str, dtype: DType, args: list[str]) -> str:
    """An op on real floats."""
    if op in BINARY:
        return code.binary(BINARY[op], dtype, args[0], args[1])
    if op in COMPARISONS:
        return code.binary(f"fcmp {COMPARISONS[op]}", dtype, args[0], args[1])
    if op in INTRINSICS:
        return code.intrinsic(INTRINSICS[op], dtype, args[0])
    match op:
        case "uminus":
            return code.let(f"fneg {code.type(dtype)} {args[0]}")
        case "real" | "conj":
            return args[0]
        case "imag":
            return literal(dtype, 0.0)
        case "angle":
            return code.function("atan2", dtype, [literal(dtype, 0.0), args[0]])
        case _ if op in DEFINITIONS:
            return code.function(op, dtype, args)
    raise Unsupported(f"machine code for {op} of {dtype.value}")


def on_logicals(code: Code, op: str, args: list[str]) -> str:
    """An op on logicals."""
    a, b = args[0], args[-1]
    if op in LOGICAL:
        return code.binary(LOGICAL[op], DType.BOOL, a, b)
    match op:
        case "not":
            return code.negation(a)
        case "eq":
            return code.negation(code.binary("xor", DType.BOOL, a, b))
        case "lt":
            return code.binary("and", DType.BOOL, code.negation(a), b)
        case "gt":
            return code.binary("and", DType.BOOL, a, code.negation(b))
        case "le":
            return code.binary("or", DType.BOOL, code.negation(a), b)
        case "ge":
            return code.binary("or", DType.BOOL, a, code.negation(b))
        case "isnan" | "isinf" | "isfinite":
            return literal(DType.BOOL, op == "isfinite")
    raise Unsupported(f"machine code for {op} of logical")


def outside(code: Code, domain: Domain, dtype: DType, args: list[str]) -> str:
    """The lanes whose real operands have a complex answer."""
    a = args[0]
    if domain.whole:
        return _broken_power(code, domain, dtype, args)
    if domain.low == -domain.high:
        size = code.intrinsic("fabs", dtype, a)
        return code.binary("fcmp ogt", dtype, size, literal(dtype, domain.high))
    bounds = ((domain.low, "olt"), (domain.high, "ogt"))
    sides = [
        code.binary(f"fcmp {test}", dtype, a, literal(dtype, bound))
        for bound, test in bounds
        if math.isfinite(bound)
    ]
    return reduce(lambda p, q: code.binary("or", DType.BOOL, p, q), sides)


def _broken_power(code: Code, domain: Domain, dtype: DType, args: list[str]) -> str:
    """Lanes below the domain whose second operand is neither whole nor infinite."""
    a, b = args
    negative = code.binary("fcmp olt", dtype, a, literal(dtype, domain.low))
    broken = code.binary("fcmp one", dtype, b, code.intrinsic("floor", dtype, b))
    size = code.intrinsic("fabs", dtype, b)
    finite = code.binary("fcmp olt", dtype, size, literal(dtype, float("inf")))
    both = code.binary("and", DType.BOOL, negative, broken)
    return code.binary("and", DType.BOOL, both, finite)
