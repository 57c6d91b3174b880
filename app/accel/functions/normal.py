"""The strict definitions behind random normals: the same bits on every device and on the host.

Only additions, rounded products and integer operations are used: no division, no square root, no
contraction, since shaders may round those differently.
"""

from __future__ import annotations

from app.accel.functions import coefficients as c
from app.accel.functions.language import Machine, Value
from app.accel.functions.logarithm import decompose
from app.accel.functions.registry import elementary


def _reciprocal(m: Machine, d: Value) -> Value:
    """1/d for d in [1.7, 2.42] by Newton's steps from a straight line."""
    y = 0.9852 - d * 0.2427
    for _ in range(m.pick(3, 4)):
        y = y + y * (1.0 - d * y)
    return y


def _square_root(m: Machine, x: Value) -> Value:
    """The square root of x in [0, 100) by Newton's steps for the inverse root."""
    guess = m.pick(0x5F375A86, 0x5FE6EB50C7B537A9) - (m.bits(x) >> 1)
    y = m.from_bits(guess)
    for _ in range(m.pick(3, 4)):
        y = y + y * (0.5 - (0.5 * x) * (y * y))
    root = x * y
    root = root + 0.5 * y * (x - root * root)
    return m.select(x == 0.0, 0.0, root)


def _radius(m: Machine, u: Value) -> Value:
    """sqrt(-2 log u) for u in (0, 1]."""
    ln2, rest = m.pick(*c.LN2)
    k, z = decompose(m, u)
    n, f = m.real(k), z - 1.0
    s = f * _reciprocal(m, 2.0 + f)
    w = s * s
    tail = s * (w * m.polynomial(w, m.pick(*c.LOG))) + n * rest
    logarithm = n * ln2 + (2.0 * s + tail)
    return _square_root(m, -2.0 * logarithm)


def _turn(m: Machine, v: Value) -> tuple[Value, Value, Value]:
    """Quadrant and sine and cosine of the rest of the angle 2 pi v, v in [0, 1)."""
    t = 4.0 * v
    q = m.floor(t + 0.5)
    r = (t - q) * m.pick(c.HALF_PI[0][0], c.HALF_PI[1][0])
    z = r * r
    sine = r + r * z * m.polynomial(z, m.pick(*c.SIN))
    cosine = 1.0 - (0.5 * z - z * z * m.polynomial(z, m.pick(*c.COS)))
    return m.unsigned(m.whole(q)), sine, cosine


@elementary(strict=True)
def normal_cos(m: Machine, u: Value, v: Value) -> Value:
    """The first normal number of Box and Muller (1958) from two uniform ones."""
    q, sine, cosine = _turn(m, v)
    x = m.select((q & 1) == 0, cosine, sine)
    return _radius(m, u) * m.select(((q + 1) & 2) == 0, x, -x)


@elementary(strict=True)
def normal_sin(m: Machine, u: Value, v: Value) -> Value:
    """The second one."""
    q, sine, cosine = _turn(m, v)
    x = m.select((q & 1) == 0, sine, cosine)
    return _radius(m, u) * m.select((q & 2) == 0, x, -x)
