"""Logarithms: x = 2^k (1 + f), s = f / (2 + f), log(1 + f) = 2 atanh(s) as a polynomial in s².

The arrangement of the sum follows Tang's analysis: the parts that are exact come last.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from app.accel.ir.operations import coefficients as c
from app.accel.ir.operations.double_length import (
    fast_two_sum,
    long_constant,
    long_product,
    long_quotient,
    two_sum,
)
from app.accel.ir.operations.float_parts import is_nan, is_negative, is_zero, polynomial
from app.accel.ir.operations.spec import (
    EXPONENTS,
    Complex,
    Costs,
    Domain,
    Function,
    elementwise,
)

if TYPE_CHECKING:
    from app.accel.ir.operations.machine import Machine, Value


def normal_bits(m: Machine, x: Value) -> tuple[Value, Value]:
    """The bits of x > 0, scaled up where it is denormal, and whether it is."""
    raw = m.bits(x)
    tiny = raw < 1 << m.mantissa
    # A denormal number is its bits as an integer, times the smallest denormal.
    return m.select(tiny, m.bits(m.real(raw & ((1 << m.mantissa) - 1))), raw), tiny


def decompose(m: Machine, x: Value) -> tuple[Value, Value]:
    """k (a number) and z in [sqrt(1/2), sqrt(2)) with x = 2^k z, for x > 0."""
    bits, tiny = normal_bits(m, x)
    k, z = split_exponent(m, bits)
    return m.select(tiny, k - (m.bias + m.mantissa - 1), k), z


def split_exponent(m: Machine, bits: Value) -> tuple[Value, Value]:
    """k and z from the bits of a normal number above 0."""
    sqrt_half = m.pick(0x3F3504F3, 0x3FE6A09E667F3BCD)
    offset = bits - sqrt_half
    return m.exponent_of(offset), m.from_bits((offset & ((1 << m.mantissa) - 1)) + sqrt_half)


def log_sum(m: Machine, k: Value, f: Value, extra: Value) -> Value:
    """k ln 2 + log(1 + f) + extra, extra tiny."""
    ln2, rest = m.pick(*c.LN2)
    s = f / (2.0 + f)
    w = s * s
    half_square = 0.5 * f * f
    tail = m.fma(k, m.constant(rest), extra)
    inner = m.fma(s, half_square + w * polynomial(m, w, m.pick(*c.LOG)), tail)
    return k * ln2 - ((half_square - inner) - f)


def edges(m: Machine, x: Value, result: Value) -> Value:
    """A logarithm's values at 0, infinity, NaN and below 0."""
    result = m.select(is_negative(m, x), m.nan, result)
    result = m.select(is_zero(m, x), -m.inf, result)
    return m.select(is_nan(m, x) | (m.bits(x) == m.inf_bits), x, result)


@elementwise(
    np.log,
    domain=Domain(0.0),
    complex=Complex.KERNELS,
    c_name="log",
    costs=Costs(15, host=(0.5, 3.5), machine=(0.6, 1.7), shader=5),
    function=Function(
        "log",
        "Natural logarithm; complex below zero.",
        EXPONENTS,
        examples=(
            "log(1) == 0",
            "log(0) == -Inf",
            "imag(log(-1)) == pi",
        ),
        scalar=math.log,
    ),
)
def log(m: Machine, x: Value) -> Value:
    """The natural logarithm; NaN below 0."""
    least = 1 << m.mantissa
    usual = m.bits(x) - least < m.inf_bits - least
    (y,) = m.when(usual, lambda v: _usual_log(m, v), lambda v: _extreme_log(m, v), x)
    return y


def _usual_log(m: Machine, x: Value) -> tuple[Value]:
    """The logarithm of a normal number above 0."""
    k, z = split_exponent(m, m.bits(x))
    return (log_sum(m, m.real(k), z - 1.0, 0.0),)


def _extreme_log(m: Machine, x: Value) -> tuple[Value]:
    k, z = decompose(m, x)
    return (edges(m, x, log_sum(m, m.real(k), z - 1.0, 0.0)),)


@elementwise(
    np.log1p,
    domain=Domain(-1.0),
    c_name="log1p",
    costs=Costs(20, host=(0.6, 1.5), machine=(0.9, 2.4), shader=5),
    function=Function(
        "log1p",
        "log(1+X), accurate for small X.",
        EXPONENTS,
        examples=("log1p(0) == 0",),
        see=("expm1",),
        scalar=math.log1p,
    ),
)
def log1p(m: Machine, x: Value) -> Value:
    """log(1 + x), with the rounding error of 1 + x put back."""
    u = x + 1.0
    lost = m.select(x < 1.0, x - (u - 1.0), 1.0 - (u - x))
    k, z = decompose(m, u)
    near = m.abs(x) < 0.25
    f = m.select(near, x, z - 1.0)
    n = m.select(near, 0.0, m.real(k))
    result = edges(m, u, log_sum(m, n, f, m.select(near, 0.0, lost / u)))
    tiny = m.abs(x) < m.pick(2.0**-25, 2.0**-54)
    return m.select(tiny | is_nan(m, x), x, result)


def long_log1p(m: Machine, f: Value) -> tuple[Value, Value]:
    """log(1 + f) in double length for |f| < 0.42: 2 atanh(f / (2 + f)) with two long terms."""
    d = fast_two_sum(m, m.constant(2.0), f)
    s = long_quotient(m, (f, m.constant(0.0)), d)
    z = long_product(m, s, s)
    third, rest = long_constant(m, c.THIRD)
    inner = z[0] * polynomial(m, z[0], m.pick(*c.LOG_TAIL))
    a, e = fast_two_sum(m, third, inner)
    t = long_product(m, s, long_product(m, z, (a, e + rest)))
    high, low = fast_two_sum(m, s[0], t[0])
    return 2.0 * high, 2.0 * (low + (s[1] + t[1]))


def long_log(m: Machine, x: Value) -> tuple[Value, Value]:
    """log(x) in double length, x > 0 and finite."""
    k, z = decompose(m, x)
    n = m.real(k)
    ln2, rest = m.pick(*c.LN2)
    high, low = long_log1p(m, z - 1.0)
    s, e = two_sum(m, n * ln2, high)
    return fast_two_sum(m, s, e + m.fma(n, m.constant(rest), low))


@elementwise(
    np.log2,
    domain=Domain(0.0),
    c_name="log2",
    costs=Costs(18, host=(1.2, 3.5), machine=(2, 4.6)),
)
def log2(m: Machine, x: Value) -> Value:
    """The logarithm to base 2, exact for powers of two."""
    k, z = decompose(m, x)
    high, low = long_product(m, long_log1p(m, z - 1.0), long_constant(m, c.INV_LN2))
    s, e = two_sum(m, m.real(k), high)
    return edges(m, x, s + (e + low))


@elementwise(
    np.log10,
    domain=Domain(0.0),
    c_name="log10",
    costs=Costs(18, host=(1.2, 3.5), machine=(2.2, 5)),
    function=Function(
        "log10",
        "Logarithm to the base 10.",
        EXPONENTS,
        examples=("log10(1000) == 3",),
        see=(
            "log",
            "log2",
        ),
        scalar=math.log10,
    ),
)
def log10(m: Machine, x: Value) -> Value:
    """The logarithm to base 10, exact for powers of ten."""
    k, z = decompose(m, x)
    n = m.real(k)
    log10_2, rest = m.pick(*c.LOG10_2)
    high, low = long_product(m, long_log1p(m, z - 1.0), long_constant(m, c.INV_LN10))
    s, e = two_sum(m, n * log10_2, high)
    return edges(m, x, s + (e + m.fma(n, m.constant(rest), low)))
