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
_RADIUS = 4.25
"""The norm up to which the approximant with these coefficients is exact to the last digit."""
_REST = 113250775606021113483283660800000000.0
"""One over the first coefficient of its backward error."""


def exponential(a: Array) -> Array:
    """The exponential of a square matrix."""
    size = float(np.linalg.norm(a, 1)) if np.isfinite(a).all() else 0.0
    alone = np.diag(a)
    if np.count_nonzero(a) == np.count_nonzero(alone):
        return np.diag(np.exp(alone))
    if not 1.0 < size < 1e50:  # powers of larger ones overflow
        from scipy import linalg

        return np.asarray(linalg.expm(a))
    powers = [a @ a]
    powers.append(powers[0] @ powers[0])
    powers.append(powers[0] @ powers[1])
    halvings = _halvings(a, powers, size)
    part = 0.5**halvings
    found = _pade(a * part, *(power * part ** (2 * k) for k, power in enumerate(powers, 1)))
    for _ in range(halvings):
        found = found @ found
    return found


def _halvings(a: Array, powers: list[Array], size: float) -> int:
    """How often a matrix is halved, by its powers rather than by its own norm, which says too much
    of one far from normal (Al-Mohy and Higham 2009, with SciPy's choice of degrees left out: it
    costs two digits at norms of 3 to 20)."""
    roots = [float(np.linalg.norm(p, 1)) ** (0.5 / k) for k, p in enumerate(powers[1:], 2)]
    spread = min(max(roots), size)
    halvings = max(0, math.ceil(math.log2(spread / _RADIUS))) if spread > 0 else 0
    magnitudes, row = np.abs(a) * 0.5**halvings, np.ones(a.shape[0])
    for _ in range(2 * 13 + 1):
        row = row @ magnitudes
    rest = float(row.max()) / (size * 0.5**halvings * _REST * np.finfo(a.dtype).eps / 2)
    return halvings + (max(0, math.ceil(math.log2(rest) / 26)) if 0 < rest < math.inf else 0)


def _pade(a: Array, two: Array, four: Array, six: Array) -> Array:
    """The exponential of a matrix of small norm by a quotient of degree 13 (Higham 2005)."""
    b, one = [a.real.dtype.type(c) for c in _PADE], np.eye(a.shape[0], dtype=a.dtype)
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
