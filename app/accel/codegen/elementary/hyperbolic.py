"""Hyperbolic functions and their inverses: odd polynomials near 0, exp and log beyond."""

from __future__ import annotations

from app.accel.codegen.elementary import coefficients as c
from app.accel.codegen.elementary.exponential import exp, exp_of_sum
from app.accel.codegen.elementary.language import Machine, Value
from app.accel.codegen.elementary.logarithm import log, log1p
from app.accel.codegen.elementary.registry import elementary


def _odd(m: Machine, x: Value, coefficients: tuple[tuple[float, ...], tuple[float, ...]]) -> Value:
    z = x * x
    return m.fma(x * z, m.polynomial(z, m.pick(*coefficients)), x)


def _half_exp(m: Machine, size: Value) -> Value:
    """exp(size) / 2 without early overflow."""
    ln2, rest = m.pick(*c.LN2)
    high, low = m.two_sum(size, -m.constant(ln2))
    return exp_of_sum(m, high, low - rest)


@elementary()
def sinh(m: Machine, x: Value) -> Value:
    """The hyperbolic sine."""
    size = m.abs(x)
    e = _half_exp(m, size)
    far = m.copysign(e - 0.25 / e, x)
    return m.select(m.is_nan(x) | (x == 0.0), x, m.select(size < 1.0, _odd(m, x, c.SINH), far))


@elementary()
def cosh(m: Machine, x: Value) -> Value:
    """The hyperbolic cosine."""
    e = _half_exp(m, m.abs(x))
    return m.select(m.is_nan(x), x, e + 0.25 / e)


@elementary()
def tanh(m: Machine, x: Value) -> Value:
    """The hyperbolic tangent."""
    size = m.abs(x)
    bounded = m.select(size > 30.0, 30.0, size)
    far = m.copysign(1.0 - 2.0 / (exp(m, 2.0 * bounded) + 1.0), x)
    near = _odd(m, x, c.TANH)
    return m.select(m.is_nan(x) | (x == 0.0), x, m.select(size < 0.625, near, far))


@elementary()
def asinh(m: Machine, x: Value) -> Value:
    """The inverse hyperbolic sine."""
    size = m.abs(x)
    huge = size > m.pick(2.0**24, 2.0**53)
    bounded = m.select(huge, 1.0, size)
    z = bounded * bounded
    middle = log1p(m, bounded + z / (1.0 + m.sqrt(1.0 + z)))
    far = log(m, m.select(huge, size, 1.0)) + m.pick(0.6931471805599453, 0.6931471805599453)
    result = m.copysign(m.select(huge, far, middle), x)
    return m.select(m.is_nan(x) | (x == 0.0), x, m.select(size < 0.5, _odd(m, x, c.ASINH), result))


@elementary()
def acosh(m: Machine, x: Value) -> Value:
    """The inverse hyperbolic cosine; NaN below 1."""
    huge = x > m.pick(2.0**24, 2.0**53)
    bounded = m.select(huge, 1.0, x)
    t = bounded - 1.0
    d, d_low = m.fast_two_sum(bounded, m.constant(1.0))
    v, e = m.two_product(t, d)
    root = m.sqrt(v)
    p, f = m.two_product(root, root)
    error = m.select(root == 0.0, 0.0, (((v - p) - f) + (e + t * d_low)) / (2.0 * root))
    s, g = m.fast_two_sum(root, t)
    middle = log1p(m, s) + (g + error) / (1.0 + s)
    far = log(m, m.select(huge, x, 1.0)) + 0.6931471805599453
    return m.select(m.is_nan(x), x, m.select(x < 1.0, m.nan, m.select(huge, far, middle)))


@elementary()
def atanh(m: Machine, x: Value) -> Value:
    """The inverse hyperbolic tangent; NaN outside [-1, 1]."""
    size = m.abs(x)
    far = m.copysign(0.5 * log1p(m, 2.0 * size / (1.0 - size)), x)
    far = m.select(size == 1.0, m.copysign(m.inf, x), far)
    result = m.select(size < 0.5, _odd(m, x, c.ATANH), far)
    return m.select(size > 1.0, m.nan, m.select(m.is_nan(x) | (x == 0.0), x, result))
