"""Powers of real and complex numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[np.inexact]


def real_power(a: Numbers, b: Numbers | float) -> Numbers:
    """``a .^ b`` of real numbers; NaN where the answer is complex.

    NumPy takes the square root where the exponent is one half, and that of -0 is -0.
    """
    made: Numbers = np.power(a, b)
    half = b == 0.5 if isinstance(b, float) else b.size == 1 and b.flat[0] == 0.5
    return made + made.dtype.type(0) if half else made


def complex_power(a: Numbers, b: Numbers) -> Numbers:
    """``a .^ b`` by NumPy; numbers that are real, among complex ones, have powers of real numbers.

    A negative or infinite number to a fraction is ``|a|^b``, turned: an exponential of a logarithm
    loses digits with the size and knows no infinities.
    """
    made: Numbers = np.asarray(np.power(a, b))
    endless = np.isinf(a) & (b.real != np.floor(b.real))
    turned = np.broadcast_to((b.imag == 0) & ((a.imag == 0) | endless), made.shape)
    if turned.any():
        made[turned] = _turned(*(np.broadcast_to(v, made.shape)[turned] for v in (a, b)))
    return made


def _turned(a: Numbers, b: Numbers) -> Numbers:
    """Powers whose exponents are real."""
    base, exponent, real = a.real, b.real, a.imag == 0
    plain = (base >= 0) | (exponent == np.floor(exponent)) | np.isnan(base + exponent)
    plain &= real
    size = np.power(np.where(plain, base, np.abs(a)), exponent)
    angle = np.angle(a) * np.where(real, np.fmod(exponent, 2), exponent)
    made = np.empty(size.shape, np.result_type(size, np.complex64))
    made.real = np.where(plain, size, size * np.cos(angle))
    made.imag = np.where(plain, 0, size * np.sin(angle))
    return made
