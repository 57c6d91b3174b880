"""What definitions do with floats by their bits: tests, signs, powers of two, polynomials."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.accel.ir.operations.machine import Machine, Value


def is_nan(m: Machine, x: Value) -> Value:
    """Whether x is NaN."""
    return (m.bits(x) & m.magnitude_bits) > m.inf_bits


def is_inf(m: Machine, x: Value) -> Value:
    """Whether x is an infinity."""
    return (m.bits(x) & m.magnitude_bits) == m.inf_bits


def is_finite(m: Machine, x: Value) -> Value:
    """Whether x is neither NaN nor infinite."""
    return (m.bits(x) & m.magnitude_bits) < m.inf_bits


def is_zero(m: Machine, x: Value) -> Value:
    """Whether x is a zero (and not a denormal number that arithmetic would flush)."""
    return (m.bits(x) & m.magnitude_bits) == 0


def is_negative(m: Machine, x: Value) -> Value:
    """Whether the sign bit of x is set."""
    return m.bits(x) >= m.sign_bit


def copysign(m: Machine, magnitude: Value, sign: Value) -> Value:
    """The magnitude of one number with the sign of another."""
    bits = (m.bits(magnitude) & m.magnitude_bits) | (m.bits(sign) & m.sign_bit)
    return m.from_bits(bits)


def power_of_two(m: Machine, k: Value) -> Value:
    """2^k for a number k within the range of normal floats."""
    return m.from_bits(m.exponent_bits(k + m.bias))


def scale(m: Machine, x: Value, k: Value) -> Value:
    """x * 2^k, k at most twice the exponent range."""
    half = k >> 1
    return m.product(x, power_of_two(m, half)) * power_of_two(m, k - half)


def polynomial(m: Machine, x: Value, coefficients: Sequence[float]) -> Value:
    """Horner's scheme, constant coefficient first."""
    result = m.constant(coefficients[-1])
    for c in reversed(coefficients[:-1]):
        result = m.fma(result, x, m.constant(c))
    return result


def nearest(m: Machine, x: Value, factor: float) -> tuple[Value, Value]:
    """The integer nearest to x * factor as a float and as a number (below 2^21).

    Adding 1.5 times 2^mantissa leaves the integer in the low bits.
    """
    magic = 1.5 * 2.0**m.mantissa
    shifted = m.fma(x, m.constant(factor), m.constant(magic)) if m.fused else x * factor + magic
    low = m.bits(shifted) - m.pick(0x4B400000, 0x4338000000000000)
    return shifted - magic, m.number(low)
