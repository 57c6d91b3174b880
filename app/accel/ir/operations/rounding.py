"""Rounding, signs, remainders and extremes with MATLAB's rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from app.accel.ir import host_functions as hf
from app.accel.ir.operations.arithmetic import whole_range
from app.accel.ir.operations.double_length import two_product
from app.accel.ir.operations.float_parts import (
    copysign,
    is_finite,
    is_inf,
    is_nan,
    is_negative,
    is_zero,
    scale,
)
from app.accel.ir.operations.logarithm import normal_bits
from app.accel.ir.operations.spec import (
    Complex,
    Costs,
    Range,
    Result,
    elementwise,
    within,
)

if TYPE_CHECKING:
    from app.accel.ir.node import Node
    from app.accel.ir.operations.machine import Machine, Value


@elementwise(
    np.isnan,
    result=Result.BOOL,
    complex=Complex.KERNELS,
    costs=Costs(host=(0.3, 0.6)),
)
def isnan(m: Machine, x: Value) -> Value:
    """Whether x is NaN."""
    return is_nan(m, x)


@elementwise(
    np.isinf,
    result=Result.BOOL,
    complex=Complex.KERNELS,
    costs=Costs(host=(0.3, 0.6)),
)
def isinf(m: Machine, x: Value) -> Value:
    """Whether x is infinite."""
    return is_inf(m, x)


@elementwise(
    np.isfinite,
    result=Result.BOOL,
    complex=Complex.KERNELS,
    costs=Costs(host=(0.3, 0.6)),
)
def isfinite(m: Machine, x: Value) -> Value:
    """Whether x is finite."""
    return is_finite(m, x)


@elementwise(
    hf.round,
    values=whole_range,
    complex=Complex.KERNELS,
    integers=True,
    whole=True,
    costs=Costs(3, host=(2.4, 4.3), machine=(0.1, 0.2)),
)
def round_(m: Machine, x: Value) -> Value:
    """Round to nearest, halves away from zero."""
    t = m.trunc(x)
    away = m.abs(x - t) >= 0.5
    return m.select(away & is_finite(m, x), t + copysign(m, m.constant(1.0), x), t)


@elementwise(
    hf.sign,
    values=within(-1.0, 1.0),
    integers=True,
    costs=Costs(2, host=(0.45, 0.8)),
)
def sign(m: Machine, x: Value) -> Value:
    """-1, 0 or 1; NaN stays."""
    # By bits: compilers make -0 of a choice between -1, 0 and 1.
    unit = m.bits(x) & m.sign_bit | m.bias << m.mantissa
    signed = m.from_bits(m.select(is_zero(m, x), unit ^ unit, unit))
    return m.select(is_nan(m, x), x, signed)


def _range_of_either(_: Node, a: Range, b: Range) -> Range:
    return (min(a[0], b[0]), max(a[1], b[1]))


def _range_of_larger(node: Node, a: Range, b: Range) -> Range:
    """A bound counts only where its operand cannot be NaN: NaN gives way to the other."""
    low = min(a[0], b[0])
    for operand, known in zip(node.inputs, (a, b), strict=True):
        if low <= 0 <= known[0] and operand.op == "param":
            low = 0.0  # of -0 and 0 either may be the answer
    return (low, max(a[1], b[1]))


@elementwise(
    hf.minimum,
    values=_range_of_either,
    integers=True,
    costs=Costs(host=(0.2, 0.45)),
)
def min_(m: Machine, x: Value, y: Value) -> Value:
    """The smaller one; NaN only if both are."""
    return m.select(is_nan(m, y) | (~is_nan(m, x) & (x <= y)), x, y)


@elementwise(
    hf.maximum,
    values=_range_of_larger,
    integers=True,
    costs=Costs(host=(0.2, 0.45)),
)
def max_(m: Machine, x: Value, y: Value) -> Value:
    """The larger one; NaN only if both are."""
    return m.select(is_nan(m, y) | (~is_nan(m, x) & (x >= y)), x, y)


def _exponent(m: Machine, x: Value) -> Value:
    """floor(log2(x)) of x > 0 as a number."""
    bits, tiny = normal_bits(m, x)
    e = m.exponent_of(bits) - m.bias
    return m.select(tiny, e - (m.bias + m.mantissa - 1), e)


def remainder(m: Machine, a: Value, b: Value) -> Value:
    """a mod b for finite a >= 0, b > 0, exactly: long division by b 2^j, a word of bits a time."""
    step = m.precision - 4

    def reduce(a: Value) -> tuple[Value]:
        j = _exponent(m, a) - _exponent(m, b) - step
        most = (j ^ j) + 2 * m.bias  # what `scale` can do: two bits more in the largest quotient
        divisor = scale(m, b, m.select(j > most, most, m.select(j > 0, j, j ^ j)))
        n = m.trunc(a / divisor)
        n = m.select(n < 1.0, 1.0, n)  # singles divided by more than 2^126 may come out as 0
        n = m.select(m.product(n, divisor) > a, n - 1.0, n)  # the product might overflow
        p, e = two_product(m, n, divisor)
        r = (a - p) - e
        return (m.select(r < 0.0, r + divisor, r),)

    return m.loop(lambda a: a >= b, reduce, a)[0]


def _counts_as_zero(m: Machine, b: Value) -> Value:
    """Whether a divisor counts as 0: denormal singles do, devices may flush them."""
    return (m.bits(b) & m.magnitude_bits) < m.pick(1 << m.mantissa, 1)


def _scaled_down(m: Machine, r: Value, power: int) -> Value:
    """r / 2^power for r >= 0, exactly; what is no normal number comes from bits."""
    least = 2.0 ** (1 - m.bias)
    # Added to 2^mantissa, what counts least denormal numbers lies in the mantissa.
    counted = m.bits(r * 2.0 ** (m.bias - 1 + m.mantissa - power) + 2.0**m.mantissa)
    denormal = m.from_bits(counted & ((1 << m.mantissa) - 1))
    return m.select(r < least * 2.0**power, denormal, r * 2.0**-power)


def _rest_of_doubles(m: Machine, a: Value, b: Value, rest: Value) -> Value:
    """a mod b, or b less it where ``rest`` holds and it is not zero."""
    r = remainder(m, a, b)
    return m.select(rest & (r != 0.0), b - r, r)


def _rest_of_singles(m: Machine, a: Value, b: Value, rest: Value) -> Value:
    """The same of normal numbers only: a mod b is (a mod 2^64 b) mod b."""
    small = b < 2.0**-60
    up = m.select(small, 2.0**64, m.constant(1.0))
    r = _rest_of_doubles(m, remainder(m, a, b * up) * up, b * up, rest)
    return m.select(small, _scaled_down(m, r, 64), r)


def _fmod(m: Machine, x: Value, y: Value, rest: Value) -> Value:
    """The magnitude of the remainder, or what is missing to the divisor; NaN where there is none.

    Args:
        m: what computes.
        x: what is divided.
        y: the divisor.
        rest: where the remainder, unless it is zero, is taken off the divisor.
    """
    a, b = m.abs(x), m.abs(y)
    possible = is_finite(m, x) & ~is_nan(m, y)
    simple = possible & ~is_inf(m, y) & ~_counts_as_zero(m, b)
    a, b = m.select(simple, a, 0.0), m.select(simple, b, 1.0)
    r = (_rest_of_doubles if m.width == 64 else _rest_of_singles)(m, a, b, rest)
    r = m.select(is_inf(m, y), m.select(rest & ~is_zero(m, x), m.inf, m.abs(x)), r)
    return m.select(possible, r, m.nan)


def _negative(m: Machine, r: Value) -> Value:
    """-r, unless it is zero."""
    return m.select(is_zero(m, r), r, m.from_bits(m.bits(r) ^ m.sign_bit))


@elementwise(
    hf.rem,
    complex=Complex.NONE,
    integers=True,
    costs=Costs(10, host=(9, 9), machine=(0.3, 0.6)),
)
def rem(m: Machine, x: Value, y: Value) -> Value:
    """Remainder with the sign of x; NaN for y = 0."""
    r = _fmod(m, x, y, x != x)
    r = m.select(is_negative(m, x), _negative(m, r), r)
    return m.select(_counts_as_zero(m, y), m.nan, r)


@elementwise(
    hf.mod,
    complex=Complex.NONE,
    integers=True,
    costs=Costs(10, host=(12, 12), machine=(0.4, 1)),
)
def mod(m: Machine, x: Value, y: Value) -> Value:
    """Remainder with the sign of y; x for y = 0."""
    r = _fmod(m, x, y, is_negative(m, x) != is_negative(m, y))
    r = m.select(is_negative(m, y), _negative(m, r), r)
    return m.select(_counts_as_zero(m, y), x, r)
