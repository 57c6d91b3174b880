"""sin, cos and tan.

Arguments are reduced modulo pi/2 with a split pi/2 (Cody and Waite) while the multiple is short,
and with the bits of 2/pi in integer arithmetic beyond (Payne and Hanek, 1983).
"""

from __future__ import annotations

import math
from itertools import pairwise
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
from app.accel.ir.operations.float_parts import is_finite, is_negative, nearest, polynomial
from app.accel.ir.operations.spec import (
    TRIGONOMETRY,
    Costs,
    Function,
    elementwise,
    within,
)

if TYPE_CHECKING:
    from app.accel.ir.operations.machine import Machine, Value

HALF_PI_ONCE = (1.57080078125, -75 * 2.0**-24, 1.5893254712295857e-08, 6.123234262925839e-17)
"""pi/2 for singles: what is left after the first two steps is a multiple of 2^-24, and exact."""


def is_own_value(m: Machine, size: Value) -> Value:
    """Whether a magnitude is so small that sine, tangent and their inverses give it back."""
    return size < m.pick(2.0**-13, 2.0**-27)


def _reduce_medium(m: Machine, x: Value) -> tuple[Value, Value, Value]:
    k, n = nearest(m, x, m.pick(0.63661975, 0.6366197723675814))
    first, *middle, last = m.pick(*c.HALF_PI_STEPS)
    r, low = m.fma(k, m.constant(-first), x), m.constant(0.0)
    for step in middle:
        if m.fused:  # the product is exact, and what is left is rounded once
            r = m.fma(k, m.constant(-step), r)
            continue
        r, e = two_sum(m, r, -m.product(k, m.constant(step)))
        low = low + e
    high, low = fast_two_sum(m, r, m.fma(k, m.constant(-last), low))
    return n, high, low


def _wide_product(m: Machine, a: Value, b: Value) -> tuple[Value, Value]:
    """High and low word of a product of two words."""
    half = m.width // 2
    mask = (1 << half) - 1
    ah, al, bh, bl = a >> half, a & mask, b >> half, b & mask
    low, middle, cross, high = al * bl, ah * bl, al * bh, ah * bh
    carry = (low >> half) + (middle & mask) + cross
    return high + (middle >> half) + (carry >> half), (low & mask) | (carry << half)


def _bits_of_two_over_pi(m: Machine, start: Value) -> list[Value]:
    """Three words of 2/pi beginning at a bit."""
    words = m.pick(*c.TWO_OVER_PI)
    shift = m.width.bit_length() - 1
    index, part = start >> shift, start & (m.width - 1)
    raw = m.lookup("two_over_pi", words, index)
    back = (m.width - part) & (m.width - 1)
    return [m.select(part == 0, a, (a << part) | (b >> back)) for a, b in pairwise(raw)]


def _reduce_huge(m: Machine, x: Value) -> tuple[Value, Value, Value]:
    """frac(|x| 2/pi / 4) in two words, then times pi/2."""
    bits = m.bits(x)
    size = bits & m.magnitude_bits
    mantissa = (size & ((1 << m.mantissa) - 1)) | (1 << m.mantissa)
    start = (size >> m.mantissa) - (m.bias + m.mantissa + 2)
    early = size < ((m.bias + m.mantissa + 2) << m.mantissa)
    # A start before the first bit: begin at 0 and shift the product to the right instead.
    late = m.select(early, 0 - start, start ^ start)
    w0, w1, w2 = _bits_of_two_over_pi(m, m.select(early, start ^ start, start))
    h1, l1 = _wide_product(m, mantissa, w1)
    h2, _ = _wide_product(m, mantissa, w2)
    low = l1 + h2
    top, high = _wide_product(m, mantissa, w0)
    carry = m.select(low < l1, (low ^ low) + 1, low ^ low)
    mixed = high + h1
    full = mixed + carry
    top = top + m.select(mixed < h1, 1 + (low ^ low), low ^ low)
    top = top + m.select(full < mixed, 1 + (low ^ low), low ^ low)
    back = (m.width - late) & (m.width - 1)
    shifted = late != 0
    high = m.select(shifted, (full >> late) | (top << back), full)
    low = m.select(shifted, (low >> late) | (full << back), low)
    return _to_radians(m, x, high, low)


def _to_radians(m: Machine, x: Value, high: Value, low: Value) -> tuple[Value, Value, Value]:
    top, half = m.width - 2, m.width // 2
    mask = (1 << half) - 1
    quadrant = (high + (1 << (m.width - 3))) >> top
    rest = high - (quadrant << top)
    signed = m.signed(rest)
    upper = m.real(signed >> half) * 2.0**half
    lower = m.real(rest & mask)
    s, e = fast_two_sum(m, upper, lower)
    tail = m.fma(m.real(low & mask), m.constant(2.0**-half), m.real(low >> half))
    s, e = two_sum(m, s, e + tail * 2.0**-half)
    scale = 2.0 ** (2 - m.width)
    r = long_product(m, (s * scale, e * scale), long_constant(m, c.HALF_PI))
    negative = is_negative(m, x)
    quadrant = m.select(negative, 0 - quadrant, quadrant)
    return m.number(quadrant), m.select(negative, -r[0], r[0]), m.select(negative, -r[1], r[1])


def reduce_by_half_pi(m: Machine, x: Value) -> tuple[Value, Value, Value]:
    """Quadrant (a number, its two low bits count) and the rest in double length."""
    short = m.abs(x) < m.pick(3000.0, 2.0e5)
    q, high, low = m.when(short, lambda y: _reduce_medium(m, y), lambda y: _reduce_huge(m, y), x)
    return q, high, low


def _reduce_once(m: Machine, x: Value) -> tuple[Value, Value]:
    """The same where products and sums round once, so that only the last two steps do."""
    k, n = nearest(m, x, m.pick(0.63661975, 0.6366197723675814))
    r = x
    for step in m.pick(HALF_PI_ONCE, c.HALF_PI_STEPS[1]):
        r = m.fma(k, m.constant(-step), r)
    return n, r


def _sine_and_cosine(m: Machine, x: Value) -> tuple[Value, Value, Value]:
    """Quadrant, and sine and cosine of the rest."""
    if not m.fused:
        q, r, low = reduce_by_half_pi(m, x)
        w, rest = cosine_parts(m, r, low)
        return q, r + sine_tail(m, r, low), w + rest
    short = m.abs(x) < m.pick(3000.0, 2.0e5)
    q, r = m.when(short, lambda y: _reduce_once(m, y), lambda y: _reduce_huge(m, y)[:2], x)
    z = r * r
    cosine = m.fma(z * z, polynomial(m, z, m.pick(*c.COS)), m.fma(z, m.constant(-0.5), 1.0))
    return q, m.fma(r * z, polynomial(m, z, m.pick(*c.SIN)), r), cosine


def sine_tail(m: Machine, r: Value, low: Value) -> Value:
    """sin(r + low) - r for |r| <= pi/4."""
    z = r * r
    return m.fma(r * z, polynomial(m, z, m.pick(*c.SIN)), low * (1.0 - 0.5 * z))


def cosine_parts(m: Machine, r: Value, low: Value) -> tuple[Value, Value]:
    """cos(r + low) for |r| <= pi/4 as a sum of two."""
    z = r * r
    half = 0.5 * z
    w = 1.0 - half
    tail = m.fma(z * z, polynomial(m, z, m.pick(*c.COS)), -(r * low))
    return w, ((1.0 - w) - half) + tail


def _finish(m: Machine, x: Value, result: Value) -> Value:
    return m.select(is_finite(m, x), result, m.nan)


@elementwise(
    np.sin,
    values=within(-1.0, 1.0),
    c_name="sin",
    costs=Costs(20, host=(0.6, 5), machine=(0.8, 1.6)),
    function=Function(
        "sin",
        "Sine of X in radians.",
        TRIGONOMETRY,
        examples=(
            "sin(0) == 0",
            "abs(sin(pi/2) - 1) < eps",
        ),
        see=(
            "cos",
            "asin",
        ),
        scalar=math.sin,
    ),
)
def sin(m: Machine, x: Value) -> Value:
    """The sine."""
    q, sine, cosine = _sine_and_cosine(m, x)
    y = m.select((q & 1) == 0, sine, cosine)
    y = m.select((q & 2) == 0, y, -y)
    return _finish(m, x, m.select(is_own_value(m, m.abs(x)), x, y))


@elementwise(
    np.cos,
    values=within(-1.0, 1.0),
    c_name="cos",
    costs=Costs(20, host=(0.6, 5), machine=(0.9, 1.7)),
    function=Function(
        "cos",
        "Cosine of X in radians.",
        TRIGONOMETRY,
        examples=("cos(0) == 1",),
        see=(
            "sin",
            "acos",
        ),
        scalar=math.cos,
    ),
)
def cos(m: Machine, x: Value) -> Value:
    """The cosine."""
    q, sine, cosine = _sine_and_cosine(m, x)
    y = m.select((q & 1) == 0, cosine, sine)
    return _finish(m, x, m.select(((q + 1) & 2) == 0, y, -y))


@elementwise(
    np.tan,
    c_name="tan",
    costs=Costs(30, host=(0.6, 1.6), machine=(1.5, 3.2), shader=35),
    function=Function(
        "tan",
        "Tangent of X in radians.",
        TRIGONOMETRY,
        examples=("tan(0) == 0",),
        see=("atan",),
        scalar=math.tan,
    ),
)
def tan(m: Machine, x: Value) -> Value:
    """The tangent: sine over cosine in double length."""
    q, r, low = reduce_by_half_pi(m, x)
    s = fast_two_sum(m, r, sine_tail(m, r, low))
    k = fast_two_sum(m, *cosine_parts(m, r, low))
    even = (q & 1) == 0
    top = [m.select(even, a, -b) for a, b in zip(s, k, strict=True)]
    bottom = [m.select(even, b, a) for a, b in zip(s, k, strict=True)]
    high, rest = long_quotient(m, (top[0], top[1]), (bottom[0], bottom[1]))
    y = m.select(is_own_value(m, m.abs(x)), x, high + rest)
    return _finish(m, x, y)
