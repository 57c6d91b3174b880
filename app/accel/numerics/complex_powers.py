"""Powers of complex numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[np.inexact]


def complex_power(a: Numbers, b: Numbers) -> Numbers:
    """``a .^ b`` by NumPy; numbers that are real, among complex ones, have powers of real numbers.

    A negative number to a fraction is ``|a|^b`` at the angle ``b pi``: exponentials of logarithms
    would lose digits with its size, and know no infinities.
    """
    made: Numbers = np.asarray(np.power(a, b))
    real = np.broadcast_to((a.imag == 0) & (b.imag == 0), made.shape)
    if real.any():
        made[real] = _real_power(*(np.broadcast_to(v, made.shape)[real] for v in (a, b)))
    return made


def _real_power(a: Numbers, b: Numbers) -> Numbers:
    """Powers of complex numbers whose imaginary parts are 0."""
    base, exponent = a.real, b.real
    whole = (base >= 0) | (exponent == np.floor(exponent)) | np.isnan(base + exponent)
    size = np.power(np.where(whole, base, -base), exponent)
    angle = np.angle(a) * np.fmod(exponent, 2, where=~whole, out=np.zeros_like(exponent))
    made = np.empty(size.shape, np.result_type(size, np.complex64))
    made.real = np.where(whole, size, size * np.cos(angle))
    made.imag = np.where(whole, 0, size * np.sin(angle))
    return made
