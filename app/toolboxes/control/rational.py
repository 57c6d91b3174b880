"""Numerators and denominators as arrays of coefficients, highest power first."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine import stoppable
from app.engine.values import Array

Channels = Any
"""An object array of coefficient vectors, one for each output (row) and input (column)."""


convolved = stoppable.of_array(np.convolve, 10_000)
"""The product of two polynomials; a stop ends the wait for long ones."""


def trimmed_polynomial(p: Array) -> Array:
    """Without leading zeros; the zero polynomial is ``[0]``."""
    kept = np.trim_zeros(np.atleast_1d(p), "f")
    return kept if kept.size else np.zeros(1)


def channels(items: list[list[Array]]) -> Channels:
    """An object array of rows of coefficient vectors."""
    made = np.empty((len(items), len(items[0]) if items else 0), dtype=object)
    for i, line in enumerate(items):
        for j, item in enumerate(line):
            made[i, j] = np.atleast_1d(np.asarray(item))
    return made


def real_poly(roots: Array) -> Array:
    """The monic polynomial with these roots; real where they come in conjugate pairs."""
    made = np.atleast_1d(np.poly(roots)) if len(roots) else np.ones(1)
    return made.real if np.allclose(made.imag, 0, atol=1e-9 * np.abs(made).max()) else made


def fraction_sum(n1: Array, d1: Array, n2: Array, d2: Array) -> tuple[Array, Array]:
    """The sum of two fractions; equal denominators stay."""
    if d1.size == d2.size and np.array_equal(d1, d2):
        return trimmed_polynomial(np.polyadd(n1, n2)), d1
    return trimmed_polynomial(np.polyadd(convolved(n1, d2), convolved(n2, d1))), convolved(d1, d2)


def fraction_product(n1: Array, d1: Array, n2: Array, d2: Array) -> tuple[Array, Array]:
    """The product of two fractions."""
    return convolved(n1, n2), convolved(d1, d2)


def same_length(n: Array, d: Array) -> tuple[Array, Array]:
    """Both at the same length, as ``tfdata`` gives them."""
    size = max(n.size, d.size)
    return np.pad(n, (size - n.size, 0)), np.pad(d, (size - d.size, 0))
