"""Numbers as unevaluated sums of two floats: error-free transformations (Dekker 1971, Knuth)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.accel.ir.operations.machine import Machine, Value


def fast_two_sum(m: Machine, a: Value, b: Value) -> tuple[Value, Value]:
    """``a + b`` and its rounding error, for |a| >= |b|."""
    s = a + b
    return s, b - (s - a)


def two_sum(m: Machine, a: Value, b: Value) -> tuple[Value, Value]:
    """``a + b`` and its rounding error."""
    s = a + b
    part = s - a
    return s, (a - (s - part)) + (b - part)


def split(m: Machine, a: Value) -> tuple[Value, Value]:
    """A number as two whose mantissas have half the bits."""
    drop = (m.precision + 1) // 2
    keep = (1 << m.width) - (1 << drop)
    high = m.from_bits(m.bits(a) & keep)
    return high, a - high


def two_product(m: Machine, a: Value, b: Value) -> tuple[Value, Value]:
    """``a * b`` and its rounding error. Every partial product is exact."""
    p = m.product(a, b)
    if m.fused:
        return p, m.fma(a, b, -p)
    ah, al = split(m, a)
    bh, bl = split(m, b)
    return p, ((ah * bh - p) + ah * bl + al * bh) + al * bl


def long_product(m: Machine, a: tuple[Value, Value], b: tuple[Value, Value]) -> tuple[Value, Value]:
    """The product of two double-length numbers."""
    high, low = two_product(m, a[0], b[0])
    return fast_two_sum(m, high, low + (a[0] * b[1] + a[1] * b[0]))


def long_sum(m: Machine, a: tuple[Value, Value], b: tuple[Value, Value]) -> tuple[Value, Value]:
    """The sum of two double-length numbers."""
    high, low = two_sum(m, a[0], b[0])
    return fast_two_sum(m, high, low + (a[1] + b[1]))


def long_quotient(
    m: Machine, a: tuple[Value, Value], b: tuple[Value, Value]
) -> tuple[Value, Value]:
    """The quotient of two double-length numbers."""
    q = a[0] / b[0]
    p, e = two_product(m, q, b[0])
    return fast_two_sum(m, q, ((a[0] - p) - e + a[1] - q * b[1]) / b[0])


def long_constant(m: Machine, parts: Sequence[Sequence[float]]) -> tuple[Value, Value]:
    """A constant given as ((high, low) for single, (high, low) for double)."""
    high, low = m.pick(*parts)
    return m.constant(high), m.constant(low)
