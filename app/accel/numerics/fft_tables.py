"""Lengths of Fourier transforms and their roots of unity, for the language and the device."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

RADICES = (16, 8, 4, 2, 3, 5, 7, 11, 13)
"""In the order in which they are tried; a transform takes lengths that are products of these."""


def radices(n: int) -> tuple[int, ...] | None:
    """The radices of a transform of length n; None where a prime factor is too large."""
    found: list[int] = []
    for radix in RADICES:
        while n % radix == 0 and n > 1:
            found.append(radix)
            n //= radix
    return tuple(found or [1]) if n == 1 else None


def roots(n: int, inverse: bool) -> NDArray[np.complex128]:
    """The n-th roots of unity, ``exp(-2 pi i k / n)``, exact in their eighths of the circle."""
    angle = 2.0 * np.pi * np.arange(n) / n
    table = np.cos(angle) + 1j * (np.sin(angle) if inverse else -np.sin(angle))
    for k in range(1, 4):  # what is exactly 0 or 1
        if (k * n) % 4 == 0:
            table[k * n // 4] = (1j if inverse else -1j) ** k
    return table
