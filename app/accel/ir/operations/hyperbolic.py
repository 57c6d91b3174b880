"""Hyperbolic functions and their inverses: odd polynomials near 0, exp and log beyond."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from app.accel.ir.operations import coefficients as c
from app.accel.ir.operations.double_length import fast_two_sum, two_product, two_sum
from app.accel.ir.operations.exponential import exp, exp_of_sum
from app.accel.ir.operations.float_parts import copysign, is_nan, polynomial
from app.accel.ir.operations.logarithm import log, log1p
from app.accel.ir.operations.spec import (
    TRIGONOMETRY,
    Costs,
    Domain,
    Function,
    elementwise,
    within,
)

if TYPE_CHECKING:
    from app.accel.ir.operations.machine import Machine, Value


def _odd_polynomial(
    m: Machine, x: Value, coefficients: tuple[tuple[float, ...], tuple[float, ...]]
) -> Value:
    z = x * x
    return m.fma(x * z, polynomial(m, z, m.pick(*coefficients)), x)


def _odd_function(m: Machine, x: Value, result: Value) -> Value:
    """The values of an odd function: zeros keep their sign, NaN stays."""
    return m.select(is_nan(m, x) | (x == 0.0), x, result)


def _half_exp(m: Machine, size: Value) -> Value:
    """exp(size) / 2 without early overflow."""
    ln2, rest = m.pick(*c.LN2)
    high, low = two_sum(m, size, -m.constant(ln2))
    return exp_of_sum(m, high, low - rest)


@elementwise(
    np.sinh,
    c_name="sinh",
    costs=Costs(25, host=(0.5, 1.3), machine=(1.1, 2.8), shader=11),
    function=Function(
        "sinh", "Hyperbolic sine.", TRIGONOMETRY, examples=("sinh(0) == 0",), scalar=math.sinh
    ),
)
def sinh(m: Machine, x: Value) -> Value:
    """The hyperbolic sine."""
    size = m.abs(x)
    e = _half_exp(m, size)
    far = copysign(m, e - 0.25 / e, x)
    return _odd_function(m, x, m.select(size < 1.0, _odd_polynomial(m, x, c.SINH), far))


@elementwise(
    np.cosh,
    values=within(1.0, math.inf),
    c_name="cosh",
    costs=Costs(25, host=(0.5, 1.3), machine=(1, 2.7), shader=11),
    function=Function(
        "cosh", "Hyperbolic cosine.", TRIGONOMETRY, examples=("cosh(0) == 1",), scalar=math.cosh
    ),
)
def cosh(m: Machine, x: Value) -> Value:
    """The hyperbolic cosine."""
    e = _half_exp(m, m.abs(x))
    return m.select(is_nan(m, x), x, e + 0.25 / e)


@elementwise(
    np.tanh,
    values=within(-1.0, 1.0),
    c_name="tanh",
    costs=Costs(25, host=(0.5, 1.6), machine=(0.85, 2), shader=9),
    function=Function(
        "tanh", "Hyperbolic tangent.", TRIGONOMETRY, examples=("tanh(Inf) == 1",), scalar=math.tanh
    ),
)
def tanh(m: Machine, x: Value) -> Value:
    """The hyperbolic tangent."""
    size = m.abs(x)
    bounded = m.select(size > 30.0, 30.0, size)
    far = copysign(m, 1.0 - 2.0 / (exp(m, 2.0 * bounded) + 1.0), x)
    near = _odd_polynomial(m, x, c.TANH)
    return _odd_function(m, x, m.select(size < 0.625, near, far))


@elementwise(
    np.arcsinh,
    c_name="asinh",
    costs=Costs(30, host=(0.9, 2.4), machine=(2, 4.3)),
    function=Function(
        "asinh",
        "Inverse hyperbolic sine.",
        TRIGONOMETRY,
        examples=("asinh(0) == 0",),
        scalar=math.asinh,
    ),
)
def asinh(m: Machine, x: Value) -> Value:
    """The inverse hyperbolic sine."""
    size = m.abs(x)
    huge = size > m.pick(2.0**24, 2.0**53)
    bounded = m.select(huge, 1.0, size)
    z = bounded * bounded
    middle = log1p(m, bounded + z / (1.0 + m.sqrt(1.0 + z)))
    far = log(m, m.select(huge, size, 1.0)) + m.pick(0.6931471805599453, 0.6931471805599453)
    result = copysign(m, m.select(huge, far, middle), x)
    return _odd_function(m, x, m.select(size < 0.5, _odd_polynomial(m, x, c.ASINH), result))


@elementwise(
    np.arccosh,
    domain=Domain(1.0),
    c_name="acosh",
    costs=Costs(30, host=(4, 4.5), machine=(1.9, 4.7)),
    function=Function(
        "acosh",
        "Inverse hyperbolic cosine.",
        TRIGONOMETRY,
        examples=("acosh(1) == 0",),
        scalar=math.acosh,
    ),
)
def acosh(m: Machine, x: Value) -> Value:
    """The inverse hyperbolic cosine; NaN below 1."""
    huge = x > m.pick(2.0**24, 2.0**53)
    bounded = m.select(huge, 1.0, x)
    t = bounded - 1.0
    d, d_low = fast_two_sum(m, bounded, m.constant(1.0))
    v, e = two_product(m, t, d)
    root = m.sqrt(v)
    p, f = two_product(m, root, root)
    error = m.select(root == 0.0, 0.0, (((v - p) - f) + (e + t * d_low)) / (2.0 * root))
    s, g = fast_two_sum(m, root, t)
    middle = log1p(m, s) + (g + error) / (1.0 + s)
    far = log(m, m.select(huge, x, 1.0)) + 0.6931471805599453
    return m.select(is_nan(m, x), x, m.select(x < 1.0, m.nan, m.select(huge, far, middle)))


@elementwise(
    np.arctanh,
    domain=Domain(-1.0, 1.0),
    c_name="atanh",
    costs=Costs(30, host=(1, 2), machine=(1.1, 3.2)),
    function=Function(
        "atanh",
        "Inverse hyperbolic tangent.",
        TRIGONOMETRY,
        examples=(
            "atanh(0) == 0",
            "atanh(1) == Inf",
        ),
        scalar=math.atanh,
    ),
)
def atanh(m: Machine, x: Value) -> Value:
    """The inverse hyperbolic tangent; NaN outside [-1, 1]."""
    size = m.abs(x)
    far = copysign(m, 0.5 * log1p(m, 2.0 * size / (1.0 - size)), x)
    far = m.select(size == 1.0, copysign(m, m.inf, x), far)
    result = m.select(size < 0.5, _odd_polynomial(m, x, c.ATANH), far)
    return m.select(size > 1.0, m.nan, _odd_function(m, x, result))
