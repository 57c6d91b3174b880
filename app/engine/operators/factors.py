"""Factors of matrices: of small ones by LAPACK itself, of large ones where a stop ends them.

NumPy's and SciPy's functions take 10 to 50 µs beside LAPACK's two for a matrix of four rows.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from app.accel.numerics.lapack import routine as lapack
from app.accel.numerics.nogil_linalg import LARGE
from app.engine import stoppable
from app.engine.values import Array

_BLOCK = 32
"""Columns that LAPACK works on at once, where it is given the room."""


def is_small(a: Array) -> bool:
    """Whether the factors of a matrix take too short to be stopped; none of an empty one."""
    return a.size > 0 and max(a.shape) < LARGE


def all_finite(a: Array) -> bool:
    """Whether no element is NaN or infinite."""
    if a.dtype.char == "d" and a.size < LARGE:
        flat = a.ravel(order="K")
        if math.isfinite(flat.dot(flat)):
            return True
    return bool(np.isfinite(a).all())


def is_hermitian(a: Array) -> bool:
    """Whether a square matrix with elements is its own conjugate transpose."""
    if a[0, -1] != a[-1, 0].conj():
        return False
    return bool((a == (a.conj().T if a.dtype.kind == "c" else a.T)).all())


def determinant(a: Array) -> float | np.generic:
    """The determinant of a square matrix: the product of its pivots."""
    if not is_small(a) or a.dtype.char != "d":
        by_library: np.generic = np.linalg.det(a)
        return by_library
    lu, pivots, _ = lapack("getrf", a.dtype)(a)
    diagonal = lu.diagonal().tolist()
    swaps = sum(map(int.__ne__, pivots.tolist(), range(len(diagonal))))
    found: float = math.prod(diagonal)
    if (found == 0 or math.isinf(found)) and all(diagonal):  # perhaps only on the way
        parts, powers = zip(*map(math.frexp, diagonal), strict=True)
        found = float(np.ldexp(math.prod(parts), sum(powers)))
    return -found if swaps % 2 else found


def singular_values(a: Array) -> Array:
    """The singular values of a matrix of finite numbers, the largest first."""
    if is_small(a):
        _, values, _, info = lapack("gesdd", a.dtype)(a, compute_uv=0)
        if not info:
            return np.asarray(values)
    return np.asarray(stoppable.singular_values(a))


def rank_limit(shape: tuple[int, ...], singular: Array) -> float:
    """Up to where singular values of a matrix of this size are taken for zeros."""
    return float(max(shape) * np.finfo(singular.dtype).eps * singular.max(initial=0.0))


def on_diagonal(numbers: Array, shape: tuple[int, ...]) -> Array:
    """A matrix with these numbers on its diagonal."""
    made = np.zeros(shape, dtype=numbers.dtype)
    np.fill_diagonal(made, numbers)
    return made


def eigenvalues(a: Array) -> Array:
    """The eigenvalues of a square matrix of finite numbers; real where all of them are."""
    if is_small(a):
        room = max(4, _BLOCK if len(a) > _BLOCK else 0) * len(a)
        *parts, _, _, info = lapack("geev", a.dtype)(a, compute_vl=0, compute_vr=0, lwork=room)
        if not info:
            return _complex_where_needed(*parts)
    return np.asarray(stoppable.eigvals(a))


def _complex_where_needed(real: Array, imag: Array | None = None) -> Array:
    return real if imag is None or not imag.any() else real + 1j * imag


def symmetric_eigenvalues(a: Array) -> Array:
    """The eigenvalues of a Hermitian matrix of finite numbers, ascending."""
    if is_small(a):
        name = "heevd" if a.dtype.kind == "c" else "syevd"
        values, _, info = lapack(name, a.dtype)(a, compute_v=0, lower=1)
        if not info:
            return np.asarray(values)
    return np.asarray(stoppable.eigvalsh(a))


def packed_lower_upper(a: Array) -> Array:
    """Both factors of a matrix of finite numbers in one, without the ones of the lower."""
    packed: Array = lapack("getrf", a.dtype)(a)[0] if a.size else a
    return packed


def lower_upper(a: Array) -> tuple[list[int], Array, Array]:
    """``order, lower, upper`` with ``a[order] == lower @ upper``."""
    rows, columns = a.shape
    order = list(range(rows))
    if not a.size:
        return order, np.zeros((rows, 0), a.dtype), np.zeros((0, columns), a.dtype)
    packed, pivots, _ = lapack("getrf", a.dtype)(a)
    for k, other in enumerate(pivots.tolist()):
        order[k], order[other] = order[other], order[k]
    least = min(rows, columns)
    lower = zeroed(packed[:, :least], below=False)
    lower.T.reshape(-1)[:: rows + 1] = 1.0
    return order, lower, zeroed(packed[:least], below=True)


def permutation(order: list[int]) -> Array:
    """The matrix ``P`` with ``P * A == A(order, :)``."""
    count = len(order)
    made = np.zeros((count, count), order="F")
    made.T.reshape(-1)[[row + count * k for row, k in enumerate(order)]] = 1.0
    return made


def orthogonal_triangular(a: Array, *, economy: bool) -> tuple[Array, Array]:
    """``Q, R`` of a small matrix: all columns of Q, or as many as the shorter side has."""
    packed, scales = _reflections(a)
    rows, columns = a.shape
    least = min(a.shape)
    if economy or rows <= columns:
        basis = packed[:, :least]
    else:
        basis = np.zeros((rows, rows), a.dtype, order="F")
        basis[:, :columns] = packed
    make = lapack("ungqr" if a.dtype.kind == "c" else "orgqr", a.dtype)
    q = make(basis, scales, lwork=_BLOCK * rows)[0]
    return q, zeroed(packed[: least if economy else rows], below=True)


def triangular(a: Array) -> Array:
    """``R`` of a small matrix, with all its rows."""
    return zeroed(_reflections(a)[0], below=True)


def _reflections(a: Array) -> tuple[Array, Array]:
    packed, scales, _, _ = lapack("geqrf", a.dtype)(a, lwork=_BLOCK * a.shape[1])
    return packed, scales


def zeroed(a: Array, *, below: bool) -> Array:
    """A copy of a matrix with zeros below its diagonal, or above it."""
    made: Array = a.copy(order="F")
    np.copyto(made, 0, where=_outside_mask(a.shape, below))
    return made


@lru_cache(maxsize=64)
def _outside_small(shape: tuple[int, ...], below: bool) -> Array:
    return _mask(shape, below)


def _outside_mask(shape: tuple[int, ...], below: bool) -> Array:
    """Where the elements below, or above, the diagonal are."""
    return _outside_small(shape, below) if max(shape) <= _BLOCK else _mask(shape, below)


def _mask(shape: tuple[int, ...], below: bool) -> Array:
    rows, columns = np.ogrid[: shape[0], : shape[1]]
    return np.asfortranarray(rows > columns if below else rows < columns)
