"""exp, expm1 and power.

exp: x = k ln 2 + r with ln 2 in two parts (Cody and Waite, 1980), a polynomial for exp(r), and the
leading ``1 + r`` kept in double length. power: a double-length logarithm times the exponent.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from app.accel.ir import host_functions as hf
from app.accel.ir.operations import coefficients as c
from app.accel.ir.operations.double_length import fast_two_sum, long_constant, two_product, two_sum
from app.accel.ir.operations.float_parts import (
    is_finite,
    is_inf,
    is_nan,
    is_negative,
    is_zero,
    nearest,
    polynomial,
    power_of_two,
    scale,
)
from app.accel.ir.operations.logarithm import long_log, split_exponent
from app.accel.ir.operations.spec import (
    ANY,
    EXPONENTS,
    UNSIGNED,
    Complex,
    Costs,
    Domain,
    Function,
    elementwise,
)

if TYPE_CHECKING:
    from app.accel.ir.operations.machine import Machine, Value


def clamp(m: Machine, x: Value, low: float, high: float) -> Value:
    """x, or the bound that it is beyond."""
    return m.select(x > high, high, m.select(x < low, low, x))


def _multiple_of_ln2(m: Machine, x: Value) -> tuple[Value, Value]:
    """The nearest k with x = k ln 2 + r, as a float and as a number."""
    return nearest(m, x, m.pick(c.INV_LN2[0][0], c.INV_LN2[1][0]))


def reduce_by_ln2(m: Machine, x: Value) -> tuple[Value, Value, Value, Value]:
    """2^k as float k and number k, r and the tail t with exp(x) = 2^k exp(r + t)."""
    ln2, rest = m.pick(*c.LN2)
    k, n = _multiple_of_ln2(m, x)
    high = m.fma(k, m.constant(-ln2), x)
    small = m.product(k, rest)
    r = high - small
    return k, n, r, (high - r) - small


def exp_of_sum(m: Machine, x: Value, low: Value) -> Value:
    """exp(x + low), low at most a few units of x; overflows and underflows as it should."""
    high, rest, n = exp_in_parts(m, x, low)
    return scale(m, high + rest, n)


def exp_in_parts(m: Machine, x: Value, low: Value) -> tuple[Value, Value, Value]:
    """high, rest and n with exp(x + low) = (high + rest) 2^n."""
    limit = m.pick(104.0, 746.0)
    inside = m.abs(x) < limit
    x = clamp(m, x, -limit, limit)
    _, n, r, tail = reduce_by_ln2(m, x)
    r, tail = two_sum(m, r, tail + m.select(inside, low, 0.0))
    return *_exponential(m, r, tail), n


def _exponential(m: Machine, r: Value, tail: Value) -> tuple[Value, Value]:
    high, e = fast_two_sum(m, m.constant(1.0), r)
    return high, e + m.fma(r * r, polynomial(m, r, m.pick(*c.EXP)), tail)


def normal_exp(m: Machine, x: Value) -> Value:
    """exp(x) where neither x nor the result is extreme: 2^k goes to the exponent as it is."""
    ln2, rest = m.pick(*c.LN2)
    k, n = _multiple_of_ln2(m, x)
    r = m.fma(k, m.constant(-ln2), x) - m.product(k, rest)  # compilers would join the products
    y = 1.0 + m.fma(r * r, polynomial(m, r, m.pick(*c.EXP)), r)
    return m.from_bits(m.bits(y) + m.exponent_bits(n))


def _extreme_exp(m: Machine, x: Value) -> tuple[Value]:
    limit = m.pick(104.0, 746.0)
    bounded = clamp(m, x, -limit, limit)
    _, n, r, tail = reduce_by_ln2(m, bounded)
    high, rest = _exponential(m, r, tail)
    return (m.select(is_nan(m, x), x, scale(m, high + rest, n)),)


@elementwise(
    np.exp,
    values=lambda *_: UNSIGNED,
    complex=Complex.KERNELS,
    c_name="exp",
    costs=Costs(15, host=(0.5, 1), machine=(0.5, 1.4), shader=6),
    function=Function(
        "exp",
        "Exponential, e to the power X.",
        EXPONENTS,
        examples=(
            "exp(0) == 1",
            "exp(710) == Inf",
        ),
        see=(
            "log",
            "expm1",
        ),
        scalar=math.exp,
    ),
)
def exp(m: Machine, x: Value) -> Value:
    """The exponential."""
    usual = m.abs(x) < m.pick(87.0, 708.0)
    (y,) = m.when(usual, lambda v: (normal_exp(m, v),), lambda v: _extreme_exp(m, v), x)
    return y


@elementwise(
    np.expm1,
    c_name="expm1",
    costs=Costs(20, host=(0.4, 1.2), machine=(0.6, 1.7), shader=6),
    function=Function(
        "expm1",
        "exp(X)-1, accurate for small X.",
        EXPONENTS,
        examples=("expm1(0) == 0",),
        see=("log1p",),
        scalar=math.expm1,
    ),
)
def expm1(m: Machine, x: Value) -> Value:
    """exp(x) - 1: ``2^k ((1 - 2^-k) + (exp(r) - 1))``."""
    high, low = m.pick((104.0, -20.0), (746.0, -40.0))
    bounded = clamp(m, x, low, high)
    _, n, r, tail = reduce_by_ln2(m, bounded)
    cut = m.select(n > 100, 100 + (n ^ n), n)
    s, e = two_sum(m, 1.0 - power_of_two(m, -cut), r)
    y = s + (e + m.fma(r * r, polynomial(m, r, m.pick(*c.EXP)), tail))
    tiny = m.abs(x) < m.pick(2.0**-25, 2.0**-54)
    return m.select(is_nan(m, x) | tiny, x, scale(m, y, n))


def magnitude_power(m: Machine, x: Value, y: Value) -> Value:
    """x^y for x > 0."""
    high, low = long_log(m, x)
    p, e = two_product(m, y, high)
    return exp_of_sum(m, p, e + y * low)


def _short_log(m: Machine, x: Value) -> tuple[Value, Value]:
    """log(x) in double length for a normal x > 0, where products and sums round once."""
    k, z = split_exponent(m, m.bits(x))
    n, f = m.real(k), z - 1.0
    d, lost = fast_two_sum(m, m.constant(2.0), f)
    inverse = 1.0 / d
    s = f * inverse
    low = m.fma(-s, lost, m.fma(-s, d, f)) * inverse
    w = s * s
    third, rest = long_constant(m, c.THIRD)
    inner = m.fma(w * w, polynomial(m, w, m.pick(*c.LOG_TAIL)), m.fma(s, s, -w) * third)
    inner = m.fma(w, third, m.fma(w, rest, inner))
    high = m.fma(s, inner, s)
    low = m.fma(s, inner, s - high) + m.fma(low, w, low)
    ln2, rest2 = m.pick(*c.LN2)
    high, tail = fast_two_sum(m, n * ln2, 2.0 * high)
    return high, tail + m.fma(n, m.constant(rest2), 2.0 * low)


def _short_power(m: Machine, x: Value, y: Value) -> tuple[Value]:
    """x^y for a normal x > 0 or a zero with y > 0, and y not so large that products overflow."""
    high, low = _short_log(m, x)
    p = y * high
    low = m.fma(y, low, m.fma(y, high, -p))
    limit = m.pick(104.0, 746.0)
    p = clamp(m, p, -limit, limit)
    ln2, rest = m.pick(*c.LN2)
    k, n = _multiple_of_ln2(m, p)
    r = m.fma(k, m.constant(-ln2), p) + m.fma(k, m.constant(-rest), low)
    result = 1.0 + m.fma(r * r, polynomial(m, r, m.pick(*c.EXP)), r)
    return (m.select(is_zero(m, x), 0.0, scale(m, result, n)),)


@elementwise(
    hf.power,
    domain=Domain(0.0, whole=True),
    complex=Complex.KERNELS,
    values=lambda _, a, __: UNSIGNED if a[0] > 0 else ANY,
    costs=Costs(40, host=(1.1, 2.1), machine=(2.8, 6.5)),
)
def power(m: Machine, x: Value, y: Value) -> Value:
    """x^y for real results; NaN where the answer is complex. C's and IEEE 754's special values."""
    if not m.fused or m.width == 64:
        return _any_power(m, x, y)
    least, bits = 1 << m.mantissa, m.bits(x)
    positive = ~is_zero(m, y) & ~is_negative(m, y)
    usual = (bits - least < m.inf_bits - least) | ((bits == 0) & positive)
    short = (m.bits(y) & m.magnitude_bits) < (m.bias + 16) << m.mantissa
    (result,) = m.when(
        usual & short, lambda a, b: _short_power(m, a, b), lambda a, b: (_any_power(m, a, b),), x, y
    )
    return result


def _any_power(m: Machine, x: Value, y: Value) -> Value:
    size, exponent = m.abs(x), m.abs(y)
    whole = m.floor(y) == y
    half = 0.5 * y
    odd = whole & (m.floor(half) != half) & (exponent < 2.0**m.precision)
    nothing = is_zero(m, x)
    result = magnitude_power(m, m.select(nothing, 1.0, size), y)  # denormal numbers are slow
    grows = (size > 1.0) != is_negative(m, y)
    edge = m.select(grows, m.inf, 0.0)
    extreme = nothing | is_inf(m, size) | is_inf(m, y)
    result = m.select(extreme, edge, result)
    result = m.select(size == 1.0, 1.0, result)
    result = m.select(odd & is_negative(m, x), -result, result)
    complex_ = is_negative(m, x) & ~is_zero(m, x) & ~whole & is_finite(m, x) & is_finite(m, y)
    result = m.select(complex_ | is_nan(m, x) | is_nan(m, y), m.nan, result)
    return m.select(is_zero(m, y) | (x == 1.0), 1.0, result)
