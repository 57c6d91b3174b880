"""Quotients of complex numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Reals: TypeAlias = NDArray[np.floating]
    Numbers: TypeAlias = NDArray[np.inexact]


def complex_quotient(a: Numbers, b: Numbers) -> Numbers:
    """``a ./ b`` of complex numbers by NumPy, and what overflows there where 1/b does."""
    made: Numbers = np.asarray(np.divide(a, b))
    if made.dtype.kind != "c" or np.isfinite(made).all():
        return made
    again = np.broadcast_to(_is_tiny(b), made.shape) & ~np.isfinite(made)
    if again.any():
        a, b = (np.broadcast_to(v, made.shape)[again] for v in (a, b))
        up = b.real.dtype.type(2.0) ** (np.finfo(b.real.dtype).nmant + 2)
        small = _larger_part(a) < 1.0
        quotient = np.divide(_scaled(a, np.where(small, up, 1)), _scaled(b, up))
        made[again] = _scaled(quotient, np.where(small, 1, up))
    return made


def _larger_part(a: Numbers) -> Reals:
    larger: Reals = np.maximum(np.abs(a.real), np.abs(a.imag))
    return larger


def _is_tiny(a: Numbers) -> NDArray[np.bool_]:
    size = _larger_part(a)
    return np.logical_and(size > 0, size < 4 * np.finfo(size.dtype).tiny)


def _scaled(a: Numbers, by: Reals) -> Numbers:
    """``a`` with both parts times real numbers."""
    made = np.empty(a.shape, np.result_type(a, np.complex64))
    made.real, made.imag = a.real * by, a.imag * by
    return made
