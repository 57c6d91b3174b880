"""Random sparse matrices with given eigenvalues, singular values or condition."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from app.engine.values import Array, SparseMatrix
from app.engine.values.random_stream import RandomStream

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

_F64 = np.dtype(np.float64)


def graded(rc: Array, count: int) -> Array:
    """The values themselves, or a geometric series from one to a reciprocal condition number."""
    values = rc.ravel().astype(float)
    if values.size == 1:
        return np.asarray(float(values[0]) ** (np.arange(count) / max(count - 1, 1)))
    padded = np.zeros(count)
    padded[: min(count, values.size)] = values[:count]
    return padded


def of_values(
    stream: RandomStream, shape: tuple[int, int], values: Array, density: float, *, symmetric: bool
) -> SparseMatrix:
    """A diagonal that random rotations of rows and columns fill up to the density."""
    from scipy import sparse

    rows, columns = shape
    wanted = density * rows * columns
    made = sparse.diags(values, shape=shape).tocsr()
    while rows * columns > 1 and 0 < made.nnz < wanted:
        before = made.nnz
        # A pair of rows joins what both have, and so does a pair of columns.
        share = (wanted - before) / (4 * before)
        left = _rotation(stream, rows, share)
        right = left if symmetric else _rotation(stream, columns, share)
        made = (left @ made @ right.T).tocsr()
    if symmetric:
        made = (made + made.T) / 2
    return SparseMatrix.of(made.tocsc())


def _rotation(stream: RandomStream, n: int, share: float) -> csr_matrix:
    """Rotations of disjoint pairs: of that share of all, and of one at least."""
    from scipy import sparse

    pairs = min(n // 2, max(1, round(share * n)))
    order = np.argsort(stream.draw("uniform", (1, n), _F64).ravel())
    i, j = order[:pairs], order[pairs : 2 * pairs]
    angles = 2 * np.pi * stream.draw("uniform", (1, pairs), _F64).ravel()
    diagonal = np.ones(n)
    diagonal[i] = diagonal[j] = np.cos(angles)
    across = sparse.coo_matrix((np.sin(angles), (i, j)), shape=(n, n))
    return (sparse.diags(diagonal) + across - across.T).tocsr()


def outer_products(stream: RandomStream, n: int, density: float) -> csr_matrix:
    """A sum of outer products of vectors with two elements, with about that density."""
    from scipy import sparse

    count = max(round((density * n * n - n) / 2), n)
    rows = np.floor(stream.draw("uniform", (2, count), _F64) * n).astype(int)
    values = stream.draw("normal", (2, count), _F64)
    grid = (rows.ravel(), np.tile(np.arange(count), 2))
    vectors = sparse.coo_matrix((values.ravel(), grid), shape=(n, count)).tocsr()
    return (vectors @ vectors.T).tocsr()


def shifted(a: csr_matrix, rc: float) -> SparseMatrix:
    """Positive definite by a multiple of the identity, with that reciprocal condition number."""
    from scipy import sparse

    n = a.shape[0]
    dense = np.linalg.eigvalsh(a.toarray()) if n else np.zeros(1)
    low, high = float(dense[0]), float(dense[-1])
    shift = (rc * high - low) / (1 - rc) if rc < 1 and high > low else 1 - low
    return SparseMatrix.of((a + shift * sparse.identity(n)).tocsc())
