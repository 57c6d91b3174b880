"""asin, acos, atan and atan2: odd polynomials near 0, the usual identities beyond."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from app.accel.ir.operations import coefficients as c
from app.accel.ir.operations.double_length import (
    fast_two_sum,
    long_constant,
    long_quotient,
    two_product,
)
from app.accel.ir.operations.float_parts import copysign, is_inf, is_nan, is_negative, polynomial
from app.accel.ir.operations.spec import (
    TRIGONOMETRY,
    Complex,
    Costs,
    Domain,
    Function,
    elementwise,
    within,
)
from app.accel.ir.operations.trigonometric import is_own_value

if TYPE_CHECKING:
    from app.accel.ir.operations.machine import Machine, Value


def _half_angle(m: Machine, x: Value) -> tuple[Value, Value, Value]:
    """s, its rounding error and the rest: asin(sqrt((1-x)/2)) = s + error + rest."""
    t = 0.5 * (1.0 - x)
    s = m.sqrt(t)
    p, e = two_product(m, s, s)
    error = ((t - p) - e) / (s + s)
    return s, m.select(s == 0.0, 0.0, error), s * t * polynomial(m, t, m.pick(*c.ASIN))


@elementwise(
    np.arcsin,
    domain=Domain(-1.0, 1.0, conjugate=True),
    c_name="asin",
    costs=Costs(25, host=(1, 2), machine=(0.75, 1.9), shader=6),
    function=Function(
        "asin",
        "Inverse sine in radians; complex outside [-1, 1].",
        TRIGONOMETRY,
        examples=(
            "abs(asin(1) - pi/2) < eps",
            "~isreal(asin(2))",
        ),
        scalar=math.asin,
    ),
)
def asin(m: Machine, x: Value) -> Value:
    """The inverse sine; NaN outside [-1, 1]."""
    size = m.abs(x)
    z = x * x
    near = m.fma(x * z, polynomial(m, z, m.pick(*c.ASIN)), x)
    s, error, rest = _half_angle(m, size)
    high, low = long_constant(m, c.HALF_PI)
    top, e = fast_two_sum(m, high, -2.0 * s)
    far = copysign(m, top + (e + (low - 2.0 * (error + rest))), x)
    result = m.select(size > 0.5, far, near)
    tiny = is_own_value(m, size)
    return m.select(size > 1.0, m.nan, m.select(tiny | is_nan(m, x), x, result))


@elementwise(
    np.arccos,
    domain=Domain(-1.0, 1.0, conjugate=True),
    values=within(0.0, 4.0),
    c_name="acos",
    costs=Costs(25, host=(1, 2), machine=(0.9, 2), shader=6),
    function=Function(
        "acos",
        "Inverse cosine in radians; complex outside [-1, 1].",
        TRIGONOMETRY,
        examples=("acos(1) == 0",),
        scalar=math.acos,
    ),
)
def acos(m: Machine, x: Value) -> Value:
    """The inverse cosine; NaN outside [-1, 1]."""
    size = m.abs(x)
    z = x * x
    high, low = long_constant(m, c.HALF_PI)
    top, e = fast_two_sum(m, high, -x)
    near = top + (e + (low - x * z * polynomial(m, z, m.pick(*c.ASIN))))
    s, error, rest = _half_angle(m, size)
    right = 2.0 * (s + (error + rest))
    top, e = fast_two_sum(m, 2.0 * high, -2.0 * s)
    left = top + (e + (2.0 * low - 2.0 * (error + rest)))
    result = m.select(size > 0.5, m.select(x > 0.0, right, left), near)
    return m.select(size > 1.0, m.nan, m.select(is_nan(m, x), x, result))


def long_atan(m: Machine, a: Value, b: Value) -> tuple[Value, Value]:
    """atan(a / b) as a sum of two, for a >= 0 and b >= 0, not both 0."""
    swap = a > b
    low, high = m.select(swap, b, a), m.select(swap, a, b)
    middle = low > 0.4142135623730950 * high
    top, top_e = fast_two_sum(m, high, -low)
    bottom, bottom_e = fast_two_sum(m, high, low)
    t, e = long_quotient(
        m,
        (m.select(middle, -top, low), m.select(middle, -top_e, 0.0)),
        (m.select(middle, bottom, high), m.select(middle, bottom_e, 0.0)),
    )
    z = t * t
    rest = m.fma(t * z, polynomial(m, z, m.pick(*c.ATAN)), e)
    pi2, pi2_low = long_constant(m, c.HALF_PI)
    s, s_e = fast_two_sum(m, m.select(middle, 0.5 * pi2, 0.0), t)
    s_e = m.select(middle, s_e + 0.5 * pi2_low, 0.0) + rest
    s = m.select(middle, s, t)
    u, u_e = fast_two_sum(m, pi2, -s)
    return m.select(swap, u, s), m.select(swap, u_e + (pi2_low - s_e), s_e)


@elementwise(
    np.arctan,
    c_name="atan",
    costs=Costs(20, host=(0.5, 1.4), machine=(1.1, 2.9)),
    function=Function(
        "atan",
        "Inverse tangent in radians.",
        TRIGONOMETRY,
        examples=("abs(atan(1) - pi/4) < eps",),
        see=("atan2",),
        scalar=math.atan,
    ),
)
def atan(m: Machine, x: Value) -> Value:
    """The inverse tangent."""
    size = m.abs(x)
    big = size > m.pick(2.0**30, 2.0**60)
    high, low = long_atan(m, m.select(big, 1.0, size), m.select(big, 0.0, 1.0))
    tiny = is_own_value(m, size)
    return m.select(tiny | is_nan(m, x), x, copysign(m, high + low, x))


@elementwise(
    np.arctan2,
    complex=Complex.NONE,
    c_name="atan2",
    costs=Costs(25, host=(0.9, 2.6), machine=(1.5, 3.4)),
    function=Function(
        "atan2",
        "Four-quadrant inverse tangent.",
        TRIGONOMETRY,
        examples=("atan2(0, -1) == pi", "abs(atan2(1, 1) - pi/4) < eps"),
        see=("atan",),
        scalar=math.atan2,
        signature="P = atan2(Y, X)",
    ),
)
def atan2(m: Machine, y: Value, x: Value) -> Value:
    """The angle of the point (x, y), signed zeros and infinities as in C."""
    a, b = m.abs(y), m.abs(x)
    both = is_inf(m, a) & is_inf(m, b)
    flat = is_inf(m, a) | is_inf(m, b)
    a2 = m.select(flat, m.select(both | is_inf(m, a), 1.0, 0.0), a)
    b2 = m.select(flat, m.select(both | is_inf(m, b), 1.0, 0.0), b)
    origin = (a2 == 0.0) & (b2 == 0.0)
    # Keep the division's parts away from overflow and underflow: only their ratio matters.
    edge = m.pick(2.0**60, 2.0**500)
    large, small = (a2 > edge) | (b2 > edge), (a2 < 1.0 / edge) & (b2 < 1.0 / edge)
    factor = m.select(large, 1.0 / edge, m.select(small, edge, 1.0))
    high, low = long_atan(m, a2 * factor, m.select(origin, 1.0, b2 * factor))
    pi, pi_low = 2.0 * long_constant(m, c.HALF_PI)[0], 2.0 * long_constant(m, c.HALF_PI)[1]
    s, e = fast_two_sum(m, pi, -high)
    angle = m.select(is_negative(m, x), s + (e + (pi_low - low)), high + low)
    return m.select(is_nan(m, x) | is_nan(m, y), m.nan, copysign(m, angle, y))
