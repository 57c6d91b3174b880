"""Products of complex numbers, one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[np.inexact]


def product(a: Numbers, b: Numbers) -> Numbers:
    """``a .* b`` from separately rounded parts."""
    made = np.empty(a.shape, np.result_type(a, b))
    made.real = a.real * b.real - a.imag * b.imag
    made.imag = a.real * b.imag + a.imag * b.real
    return made


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
