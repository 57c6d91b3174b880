"""Functions of large square matrices, while the other threads go on.

SciPy keeps the interpreter to itself for the exponential and for Schur factors; see `nogil_linalg`.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from app.accel.numerics.nogil_linalg import LARGE, Array, schur

_PADE = (
    *(64764752532480000, 32382376266240000, 7771770303897600, 1187353796428800, 129060195264000),
    *(10559470521600, 670442572800, 33522128640, 1323241920, 40840800, 960960, 16380, 182, 1),
)
_RADIUS = 5.371920351148152
"""The norm up to which the approximant with these coefficients is exact to the last digit."""


def exponential(a: Array) -> Array:
    """The exponential of a square matrix."""
    if a.shape[0] < LARGE or not np.isfinite(a).all() or _is_triangular(a):
        from scipy import linalg

        return np.asarray(linalg.expm(a))
    size = float(np.linalg.norm(a, 1))
    halvings = max(0, math.ceil(math.log2(size / _RADIUS))) if size else 0
    found = _pade(a / 2.0**halvings)
    for _ in range(halvings):
        found = found @ found
    return found


def _pade(a: Array) -> Array:
    """The exponential of a matrix of small norm by a quotient of degree 13 (Higham 2005)."""
    b, one = [a.real.dtype.type(c) for c in _PADE], np.eye(a.shape[0], dtype=a.dtype)
    two = a @ a
    four = two @ two
    six = two @ four
    high = b[13] * six + b[11] * four + b[9] * two
    odd = a @ (six @ high + b[7] * six + b[5] * four + b[3] * two + b[1] * one)
    high = b[12] * six + b[10] * four + b[8] * two
    even = six @ high + b[6] * six + b[4] * four + b[2] * two + b[0] * one
    return np.linalg.solve(even - odd, even + odd)


def _is_triangular(a: Array) -> bool:
    return not np.tril(a, -1).any() or not np.triu(a, 1).any()


def of_triangle(function: Callable[[Array], Array], x: Array) -> Array:
    """A function of a square matrix; of a large one by way of its triangular factor.

    The library would find that factor by itself, and keep the interpreter for as long.
    """
    if x.shape[0] < LARGE or not np.isfinite(x).all() or _is_triangular(x):
        return np.asarray(function(x))
    from scipy import linalg

    t, u = schur(x)
    if np.tril(t, -1).any():
        t, u = linalg.rsf2csf(t, u)
    found: Array = u @ function(t) @ u.conj().T
    if x.dtype.kind == "f" and found.dtype.kind == "c":
        rounding = 1e6 * float(np.finfo(x.dtype).eps)
        return found.real if np.allclose(found.imag, 0, atol=rounding) else found
    return found
