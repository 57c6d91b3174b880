"""Systems of equations with sparse matrices whose elements lie near the diagonal, by LAPACK.

Pivots that differ much in size are left to whoever estimates how near to singular a matrix is.
"""

from __future__ import annotations

import numpy as np

from app.accel.numerics.lapack import routine as lapack
from app.engine.values import Array, SparseMatrix
from app.engine.values import compressed_columns as cc
from app.engine.values.scipy_columns import full
from app.engine.values.sparse_values import Columns

MOST_SHARE = 8
"""A band is worth its storage where it has at most one in so many of the places."""
SOUND = 1e-8
"""Least size of a pivot beside the largest."""
_DOUBLE = np.dtype(np.float64)


def of_large_triangle(m: SparseMatrix, b: Array) -> Array | None:
    """The solution with a large triangular matrix, by substitution among its elements.

    None where the matrix is small or no triangle, or where a pivot is zero or no number.
    """
    if cc.is_small(m) or not m.data.size or not b.size:
        return None
    offsets = m.indices - cc.columns_of(m)
    is_lower, is_upper = offsets.item(offsets.argmin()) >= 0, offsets.item(offsets.argmax()) <= 0
    pivots = m.data[offsets == 0]
    if not (is_lower or is_upper) or pivots.size != m.shape[0]:
        return None
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        if not cc.is_dense(np.isfinite(1.0 / pivots)) or not cc.is_dense(np.isfinite(m.data)):
            return None
    if pivots.size == m.data.size:
        return np.asarray(b / pivots.reshape(-1, 1))
    from scipy.sparse.linalg import spsolve_triangular

    return np.asarray(spsolve_triangular(m.matrix, b, lower=is_lower))


def solution(m: Columns, b: Array) -> Array | None:
    """The solution for right sides of doubles; None where the band is wide or pivots are small."""
    rows = m.shape[0]
    if not m.data.size or not b.size:
        return None
    columns = cc.columns_of(m)
    offsets = m.indices - columns
    least, most = offsets.item(offsets.argmin()), offsets.item(offsets.argmax())
    below, above = max(0, most), -min(0, least)
    if rows > 1 and (not below or not above):
        found = _substituted(m, offsets, b, lower=not above)
        if found is not None:
            return found
    if below <= 1 and above <= 1 and rows > 1:
        return _tridiagonal(_band(m, columns, offsets, 1, 1), b)
    if (2 * below + above + 1) * MOST_SHARE > rows:
        return None
    room = np.zeros((2 * below + above + 1, rows), order="F")
    room[below:] = _band(m, columns, offsets, below, above)
    factors, pivots, info = lapack("gbtrf", _DOUBLE)(room, below, above)
    if info or not _are_sound(factors[below + above]):
        return None
    return np.asarray(lapack("gbtrs", _DOUBLE)(factors, below, above, b, pivots)[0])


def _substituted(m: Columns, offsets: Array, b: Array, *, lower: bool) -> Array | None:
    """The solution with a triangular matrix; None where it is large or pivots are small."""
    pivots = m.data[offsets == 0]
    if pivots.size != m.shape[0] or not cc.is_small(m) or not _are_sound(pivots):
        return None
    if not cc.is_dense(np.isfinite(m.data)):
        return None
    if pivots.size == m.data.size:
        return np.asarray(b / pivots.reshape(-1, 1))
    dense = full((m.data, m.indices, m.indptr), m.shape)
    return np.asarray(lapack("trtrs", _DOUBLE)(dense, b, lower=lower)[0])


def _band(m: Columns, columns: Array, offsets: Array, below: int, above: int) -> Array:
    """The diagonals as rows, the highest first; each element in its own column."""
    made = np.zeros((below + above + 1, m.shape[1]), order="F")
    made[above + offsets, columns] = m.data
    return made


def _tridiagonal(band: Array, b: Array) -> Array | None:
    upper, middle, lower = band
    found = lapack("gtsv", _DOUBLE)(lower[:-1], middle, upper[1:], b)
    return np.asarray(found[-2]) if not found[-1] and _are_sound(found[1]) else None


def _are_sound(pivots: Array) -> bool:
    sizes = np.abs(pivots)  # NaN is both the least and the greatest
    return bool(sizes.item(sizes.argmin()) > SOUND * sizes.item(sizes.argmax()))
