"""Powers of complex numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[np.inexact]


def complex_power(a: Numbers, b: Numbers) -> Numbers:
    """``a .^ b`` by NumPy; numbers that are real, among complex ones, have powers of real numbers.

    A negative number to a fraction is ``|a|^b``, turned: an exponential of a logarithm loses digits
    with the size and knows no infinities.
    """
    made: Numbers = np.asarray(np.power(a, b))
    real = np.broadcast_to((a.imag == 0) & (b.imag == 0), made.shape)
    if real.any():
        made[real] = _of_real(*(np.broadcast_to(v, made.shape)[real] for v in (a, b)))
    return made


def _of_real(a: Numbers, b: Numbers) -> Numbers:
    """Powers of complex numbers whose imaginary parts are 0."""
    base, exponent = a.real, b.real
    plain = (base >= 0) | (exponent == np.floor(exponent)) | np.isnan(base + exponent)
    size = np.power(np.where(plain, base, -base), exponent)
    angle = np.angle(a) * np.fmod(exponent, 2)
    made = np.empty(size.shape, np.result_type(size, np.complex64))
    made.real = np.where(plain, size, size * np.cos(angle))
    made.imag = np.where(plain, 0, size * np.sin(angle))
    return made
