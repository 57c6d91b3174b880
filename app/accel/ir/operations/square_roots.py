"""Roots and lengths."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from app.accel.ir import host_functions as hf
from app.accel.ir.operations.double_length import fast_two_sum, two_product
from app.accel.ir.operations.float_parts import copysign, is_finite, is_inf, is_nan, is_zero
from app.accel.ir.operations.spec import (
    EXPONENTS,
    POSITIVE,
    UNSIGNED,
    Complex,
    Costs,
    Domain,
    Function,
    elementwise,
    primitive,
)

if TYPE_CHECKING:
    from app.accel.ir.operations.machine import Machine, Value


primitive(
    "sqrt",
    1,
    np.sqrt,
    domain=Domain(0.0),
    values=lambda _, a: UNSIGNED if a[0] > 0 else POSITIVE,
    complex=Complex.KERNELS,
    c_name="llvm.sqrt.f64",
    costs=Costs(4, host=(0.2, 0.9), machine=(0.1, 0.8)),
    function=Function(
        "sqrt",
        "Square root; complex below zero.",
        EXPONENTS,
        examples=("sqrt(4) == 2", "sqrt(-4) == 2i", "isequal(sqrt([1 4 9]), [1 2 3])"),
        see=("nthroot", "realsqrt"),
        scalar=math.sqrt,
    ),
)


@elementwise(
    hf.cbrt,
    complex=Complex.NONE,
    costs=Costs(25, host=(0.5, 1.3), machine=(1.6, 4.1), shader=12),
    function=Function(
        "cbrt", "Real cube root.", EXPONENTS, examples=("cbrt(-27) == -3",), see=("nthroot",)
    ),
)
def cbrt(m: Machine, x: Value) -> Value:
    """The real cube root: a third of the exponent, Halley's steps, a double-length last step."""
    size = m.abs(x)
    lift = 3 * ((m.precision + 3) // 3)
    tiny = m.bits(size) < 1 << m.mantissa
    huge, low = size > 2.0 ** (m.bias - 6), size < 2.0 ** (lift - m.bias)
    raw = m.bits(size)
    denormal = m.real(raw & ((1 << m.mantissa) - 1)) * m.pick(2.0**-2, 2.0**-3)
    up = m.select(huge, 2.0**-lift, m.select(low, 2.0**lift, 1.0))
    a = m.select(tiny, denormal, size * up)
    down = m.select(huge, 2.0 ** (lift // 3), m.select(low, 2.0 ** -(lift // 3), 1.0))
    down = m.select(tiny, m.pick(2.0**-49, 2.0**-357), down)
    start = _third(m, m.bits(a))
    y = m.from_bits(start + m.pick(0x2A5119F2, 0x2A9F7893782DA1CE))
    for _ in range(m.pick(2, 3)):
        cube = y * y * y
        y = y * ((cube + 2.0 * a) / (2.0 * cube + a))
    p, e = two_product(m, y, y)
    q, f = two_product(m, p, y)
    y = y + ((a - q) - (f + e * y)) / (3.0 * p)
    return m.select(is_finite(m, x) & ~is_zero(m, x), copysign(m, y * down, x), x)


def _third(m: Machine, bits: Value) -> Value:
    """About a third of an unsigned integer: the sum of bits/4^k."""
    total = bits >> 2
    for shift in (4, 6, 8, 10, 12, 14, 16):
        total = total + (bits >> shift)
    return total


@elementwise(
    np.hypot,
    values=lambda *_: UNSIGNED,
    complex_host=lambda a, b: np.hypot(np.abs(a), np.abs(b)),
    c_name="hypot",
    costs=Costs(10, host=(3, 4), machine=(0.7, 2)),
    function=Function(
        "hypot",
        "Square root of the sum of squares, without overflow.",
        EXPONENTS,
        examples=("hypot(3, 4) == 5",),
        scalar=lambda a, b: float(np.hypot(a, b)),
        see=("norm",),
    ),
)
def hypot(m: Machine, x: Value, y: Value) -> Value:
    """sqrt(x² + y²) without overflow; infinite when either is."""
    a, b = m.abs(x), m.abs(y)
    big, small = m.select(a > b, a, b), m.select(a > b, b, a)
    # The errors of the squares, 2^-48 of them (2^-106), are to be normal numbers, too.
    large, little = big > m.pick(2.0**60, 2.0**500), big < m.pick(2.0**-36, 2.0**-400)
    step = m.pick(2.0**90, 2.0**640)
    down = m.select(large, 1.0 / step, m.select(little, step, 1.0))
    up = m.select(large, step, m.select(little, 1.0 / step, 1.0))
    big, small = big * down, small * down
    p, e = two_product(m, big, big)
    q, f = two_product(m, small, small)
    s, g = fast_two_sum(m, p, q)
    rest = g + (e + f)
    root = m.sqrt(s)
    r, h = two_product(m, root, root)
    root = root + m.select(root == 0.0, 0.0, (((s - r) - h) + rest) / (2.0 * root))
    result = m.select(is_nan(m, x) | is_nan(m, y), m.nan, root * up)
    return m.select(is_inf(m, a) | is_inf(m, b), m.inf, result)
