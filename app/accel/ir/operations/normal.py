"""The strict definitions behind random normals: the same bits on every device and on the host.

Only additions, rounded products and integer operations are used: no division, no square root, no
contraction, since shaders may round those differently.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.accel.ir.operations import coefficients as c
from app.accel.ir.operations.float_parts import nearest, polynomial
from app.accel.ir.operations.spec import elementary

if TYPE_CHECKING:
    from app.accel.ir.operations.machine import Machine, Value


def _reciprocal(m: Machine, d: Value) -> Value:
    """1/d for d in [1.7, 2.42] by Newton's steps from a straight line."""
    y = 0.9852 - d * 0.2427
    for _ in range(m.pick(2, 4)):
        y = y + y * (1.0 - d * y)
    return y


def _square_root(m: Machine, x: Value) -> Value:
    """The square root of x in [0, 100) by Newton's steps for the inverse root."""
    guess = m.pick(0x5F375A86, 0x5FE6EB50C7B537A9) - (m.bits(x) >> 1)
    y = m.from_bits(guess)
    half = 0.5 * x
    for _ in range(m.pick(2, 3)):
        y = y + y * (0.5 - half * (y * y))
    root = x * y
    root = root + 0.5 * y * (x - root * root)
    return m.select(x == 0.0, 0.0, root)


def _radius(m: Machine, u: Value) -> Value:
    """sqrt(-2 log u) for u in (0, 1]."""
    ln2, rest = m.pick(*c.LN2)
    sqrt_half = m.pick(0x3F3504F3, 0x3FE6A09E667F3BCD)
    offset = m.bits(u) - sqrt_half
    z = m.from_bits((offset & ((1 << m.mantissa) - 1)) + sqrt_half)
    n, f = m.real(m.exponent_of(offset)), z - 1.0
    s = f * _reciprocal(m, 2.0 + f)
    w = s * s
    tail = s * (w * polynomial(m, w, m.pick(*c.LOG))) + n * rest
    logarithm = n * ln2 + (2.0 * s + tail)
    return _square_root(m, -2.0 * logarithm)


@elementary(returns="p", strict=True)
def normal_pair(m: Machine, u: Value, v: Value) -> tuple[Value, Value]:
    """Two normal numbers from two uniform ones (Box and Muller, 1958): sine and cosine of 2 pi v,
    each times sqrt(-2 log u)."""
    q, n = nearest(m, v, 4.0)
    r = (4.0 * v - q) * m.pick(c.HALF_PI[0][0], c.HALF_PI[1][0])
    z = r * r
    sine = r + r * z * polynomial(m, z, m.pick(*c.SIN))
    cosine = 1.0 - (0.5 * z - z * z * polynomial(m, z, m.pick(*c.COS)))
    radius = _radius(m, u)
    even = (n & 1) == 0
    first, second = m.select(even, cosine, sine), m.select(even, sine, cosine)
    first = m.select(((n + 1) & 2) == 0, first, -first)
    return radius * first, radius * m.select((n & 2) == 0, second, -second)
