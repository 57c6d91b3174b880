"""Powers of real and complex numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from app.accel.numerics.complex_products import of_parts, product
from app.accel.numerics.complex_quotients import complex_quotient

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[np.inexact]

_PRODUCTS = 100
"""Whole exponents below this one are products, in NumPy too."""


def real_power(a: Numbers, b: Numbers | float) -> Numbers:
    """``a .^ b`` of real numbers; NaN where the answer is complex.

    NumPy takes the square root where the exponent is one half, and that of -0 is -0.
    """
    made: Numbers = np.power(a, b)
    half = b == 0.5 if isinstance(b, float) else b.size == 1 and b.flat[0] == 0.5
    return made + made.dtype.type(0) if half else made


def complex_power(a: Numbers, b: Numbers) -> Numbers:
    """``a .^ b``; real numbers among complex ones have real powers.

    Whole exponents below 100 are products, squares and cubes of all numbers. Other real ones of
    what is real, or not finite, turn ``|a|^b``: an exponential of a logarithm knows no infinities.
    NumPy computes the rest, as machine code has it do, but where the base is 0.
    """
    made: Numbers = np.asarray(np.power(a, b))
    a, b = np.broadcast_to(a, made.shape), np.broadcast_to(b, made.shape)
    products = np.abs(b.real) < _PRODUCTS
    products &= (b.imag == 0) & (b.real == np.floor(b.real))
    plain = (a.imag != 0) & np.isfinite(made) & np.isfinite(a)
    turned = (b.imag == 0) & ~products & ~plain
    turned |= products & (a.imag == 0) & (b.real != 2) & (b.real != 3)
    turned &= np.isfinite(np.abs(a)) | ~np.isfinite(a)  # a length may be beyond the largest
    special = ~(np.isfinite(made) & np.isfinite(a) & np.isfinite(b)) | (a == 0)
    if turned.any():
        made[turned] = _turned(a[turned], b[turned])
        special &= ~turned
    if special.any():
        few, others = special & products, special & ~products
        made[few] = _products(a[few], b[few].real)
        made[others] = np.exp(_times(b[others], np.log(a[others].astype(made.dtype))))
    return made


def _turned(a: Numbers, b: Numbers) -> Numbers:
    """Powers whose exponents are real."""
    base, exponent, real = a.real, b.real, a.imag == 0
    plain = (base >= 0) | (exponent == np.floor(exponent)) | np.isnan(base + exponent)
    plain &= real
    length = np.abs(a)
    size = np.power(np.where(plain, base, length), exponent)
    if (length == 1).any():  # where a length was rounded, its logarithm is not
        rate = np.log(a).real
        size = np.where((length == 1) & (rate != 0), np.exp(exponent * rate), size)
    angle = np.angle(a) * np.where(real, np.fmod(exponent, 2), exponent)
    none = plain | (size == 0)
    turned = size * np.cos(angle), size * np.sin(angle)
    return of_parts(np.where(none, size, turned[0]), np.where(none, 0, turned[1]))


def _products(a: Numbers, exponent: Numbers) -> Numbers:
    """Powers whose exponents are whole: squares, multiplied; their quotients below 0."""
    made = np.ones(a.shape, np.result_type(a, np.complex64))
    square = a.astype(made.dtype, copy=False)
    left = np.abs(exponent).astype(np.uint32)
    first = np.ones(left.shape, bool)
    while left.any():
        odd = left % 2 == 1
        made = np.where(odd, np.where(first, square, product(made, square)), made)
        first &= ~odd
        square, left = product(square, square), left // 2
    return np.where(exponent < 0, complex_quotient(np.ones_like(made), made), made)


def _times(a: Numbers, b: Numbers) -> Numbers:
    """Products in which no imaginary part of 0 takes part: Inf times a real number stays Inf."""
    mine, other = a.imag == 0, b.imag == 0
    real = a.real * b.real - np.where(mine | other, 0, a.imag * b.imag)
    return of_parts(real, np.where(other, 0, a.real * b.imag) + np.where(mine, 0, a.imag * b.real))
