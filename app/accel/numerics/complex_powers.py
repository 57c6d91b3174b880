"""Powers of complex numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[np.inexact]


def complex_power(a: Numbers, b: Numbers) -> Numbers:
    """``a .^ b``: whole and complex powers of NumPy, fractional ones as ``|a|^b``, turned.

    Numbers that are real, among complex ones, have the powers of real numbers. An exponential of a
    logarithm, as NumPy's is, loses digits with the size and knows no infinities.
    """
    made: Numbers = np.asarray(np.power(a, b))
    whole = b.real == np.floor(b.real)
    turned = np.broadcast_to((b.imag == 0) & ((a.imag == 0) | ~whole), made.shape)
    if turned.any():
        made[turned] = _turned(*(np.broadcast_to(v, made.shape)[turned] for v in (a, b)))
    return made


def _turned(a: Numbers, b: Numbers) -> Numbers:
    """Powers whose exponent is real."""
    exponent, real = b.real, a.imag == 0
    plain = real & ((a.real >= 0) | (exponent == np.floor(exponent)) | np.isnan(a.real + exponent))
    size = np.power(np.where(plain, a.real, np.abs(a)), exponent)
    angle = np.angle(a) * np.where(real, np.fmod(exponent, 2), exponent)
    made = np.empty(size.shape, np.result_type(size, np.complex64))
    made.real = np.where(plain, size, size * np.cos(angle))
    made.imag = np.where(plain, 0, size * np.sin(angle))
    return made
