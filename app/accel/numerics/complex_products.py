"""Complex numbers from their parts, and their products."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[np.inexact]


def of_parts(real: Numbers, imag: Numbers) -> Numbers:
    """The complex numbers with these parts, infinite ones too."""
    made = np.empty(real.shape, np.complex64 if real.dtype == np.float32 else np.complex128)
    made.real, made.imag = real, imag
    return made


def product(a: Numbers, b: Numbers) -> Numbers:
    """``a .* b`` of complex numbers.

    NumPy's own rounds once where the processor can: ``z * conj(z)`` would not be real.
    """
    return of_parts(a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real)


def running_product(a: Numbers, b: Numbers) -> Numbers:
    """Products of two parts: 1, which one begins with, leaves Inf as it is."""
    return np.where(a == 1, b, np.where(b == 1, a, product(a, b)))


def product_along(a: Numbers, axes: tuple[int, ...]) -> Numbers:
    """The product over axes, which stay with one element; where it is not finite, by pairs."""
    made: Numbers = np.multiply.reduce(a, axis=axes, keepdims=True)
    if not a.size or np.isfinite(made).all():
        return made
    kept = [k for k in range(a.ndim) if k not in axes]
    rows = np.transpose(a, [*axes, *kept]).reshape(-1, made.size)
    while len(rows) > 1:
        pairs = running_product(rows[: len(rows) // 2 * 2 : 2], rows[1::2])
        rows = np.concatenate((pairs, rows[len(rows) // 2 * 2 :]))
    return rows.reshape(made.shape)
