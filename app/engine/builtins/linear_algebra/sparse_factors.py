"""Factors of sparse matrices that stay sparse, by SuperLU.

Cholesky factors are the triangular factors without exchange of rows, scaled by their diagonal.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from app.accel.numerics.lapack import routine as lapack
from app.engine import stoppable
from app.engine.builtins.linear_algebra.sparse_orderings import column_order
from app.engine.values import EMPTY, Array, SparseMatrix, Value, unwrap
from app.engine.values import compressed_columns as cc
from app.engine.values.sparse_values import from_dense
from app.errors import MatlabError


def sparse_lu(a: SparseMatrix, nargout: int, *, vector: bool, threshold: float = 1.0) -> Value:
    """``[L, U, P, Q, D] = lu(S)`` with ``P*(D\\S)*Q = L*U``; without ``D`` rows keep their size,
    without ``Q`` columns their place.

    Args:
        a: the matrix.
        nargout: how many of the factors are wanted.
        vector: whether ``P`` and ``Q`` are rows of numbers.
        threshold: how large a pivot on the diagonal is, beside the largest of its column, that
            stays there.
    """
    scaling, scaled = _row_scaling(a) if nargout > 4 else (None, a)
    matrix = scaled.matrix
    found = _triangular(matrix, "COLAMD" if nargout > 3 else "NATURAL", threshold)
    lower, upper, rows, columns = found if found is not None else _dense_lu(matrix)
    if nargout < 2:
        return SparseMatrix.of(
            (_selected_rows(lower, np.argsort(rows)) - _unit(lower) + upper).tocsc()
        )
    if nargout == 2:
        return SparseMatrix.of(_selected_rows(lower, np.argsort(rows))), SparseMatrix.of(upper)
    orders = (_order(rows, vector=vector), _order(columns, vector=vector, transposed=True))
    scales = () if scaling is None else (scaling,)
    return SparseMatrix.of(lower), SparseMatrix.of(upper), *orders, *scales


def _row_scaling(a: SparseMatrix) -> tuple[SparseMatrix, SparseMatrix]:
    """The sums of the sizes in each row as a diagonal matrix, and the rows divided by them."""
    from scipy import sparse

    sums = np.asarray(abs(a.matrix).sum(axis=1)).ravel()
    sums[(sums == 0) | ~np.isfinite(sums)] = 1.0
    scaled = sparse.diags(1 / sums) @ a.matrix
    return SparseMatrix.of(sparse.diags(sums).tocsc()), SparseMatrix.of(scaled.tocsc())


def _triangular(matrix: Any, kind: str, threshold: float) -> tuple[Any, Any, Array, Array] | None:
    """``L``, ``U`` and the rows and columns of ``matrix`` in their order; None if singular."""
    from scipy.sparse import linalg

    if matrix.shape[0] != matrix.shape[1] or matrix.shape[0] == 0:
        return None
    natural = {"SymmetricMode": True} if kind == "NATURAL" else {}
    try:
        made = stoppable.of_sparse(
            linalg.splu,
            matrix.tocsc(),
            permc_spec=kind,
            diag_pivot_thresh=threshold,
            options=natural,
        )
    except RuntimeError:  # exactly singular
        return None
    return made.L.tocsc(), made.U.tocsc(), np.argsort(made.perm_r), np.argsort(made.perm_c)


def _dense_lu(matrix: Any) -> tuple[Any, Any, Array, Array]:
    """The factors of singular and of rectangular matrices."""
    from scipy import linalg, sparse

    rows, columns = (np.arange(n) for n in matrix.shape)
    if 0 in matrix.shape:
        return matrix[:, :0], matrix[:0], rows, columns
    p, lower, upper = linalg.lu(matrix.toarray())
    return sparse.csc_matrix(lower), sparse.csc_matrix(upper), p.argmax(axis=0), columns


def _unit(lower: Any) -> Any:
    from scipy import sparse

    return sparse.eye(*lower.shape, format="csc")


def _selected_rows(matrix: Any, rows: Array) -> Any:
    return matrix.tocsr()[rows].tocsc()


def _order(order: Array, *, vector: bool, transposed: bool = False) -> Value:
    """An order as a row of numbers, or as the matrix that multiplies from its side."""
    from scipy import sparse

    if vector:
        return unwrap(order.reshape(1, -1) + 1.0)
    n = len(order)
    made = sparse.csc_matrix((np.ones(n), (np.arange(n), order)), shape=(n, n))
    return SparseMatrix.of(made.T.tocsc() if transposed else made)


def sparse_chol(a: SparseMatrix, nargout: int, *, lower: bool, vector: bool) -> Value:
    """``[R, flag, P] = chol(S)`` with ``R' * R = P' * S * P``; ``L * L'`` for the lower factor."""
    n = a.matrix.shape[0]
    if a.matrix.shape[1] != n:
        raise MatlabError("MATLAB:square", "Matrix must be square.")
    order = np.arange(n)
    if nargout > 2:
        order = column_order((a.matrix != 0).astype(float), "MMD_AT_PLUS_A")
    given = a.matrix.tocsc()
    if nargout > 2:
        given = given[order][:, order]
    factor = _cholesky(given)
    if factor is None:
        if nargout < 2:
            raise MatlabError("MATLAB:posdef", "Matrix must be positive definite.")
        size = _leading(given)
        part = _cholesky(given[:size, :size]) if size else None
        shown = (
            EMPTY if part is None else SparseMatrix.of((part.conj().T if lower else part).tocsc())
        )
        return shown, size + 1.0, _order(order, vector=vector, transposed=True)
    made = SparseMatrix.of((factor.conj().T if lower else factor).tocsc())
    if nargout < 3:
        return made, 0.0
    return made, 0.0, _order(order, vector=vector, transposed=True)


def _cholesky(matrix: Any) -> Any:
    """The upper factor; None unless ``matrix`` is positive definite."""
    if matrix.shape[0] and cc.is_small(matrix) and np.isfinite(matrix.data).all():
        factor, info = lapack("potrf", np.dtype(np.float64))(
            matrix.toarray().astype(float), clean=1
        )
        return None if info else from_dense(factor).matrix
    from scipy import sparse

    found = _triangular(
        (sparse.triu(matrix) + sparse.triu(matrix, 1).conj().T).tocsc(), "NATURAL", 0.0
    )
    if found is None:
        return None
    _, upper, rows, _ = found
    pivots = upper.diagonal()
    if (rows != np.arange(len(rows))).any() or not (pivots.real > 0).all():
        return None
    return sparse.diags(1 / np.sqrt(pivots.real)) @ upper


def _leading(matrix: Any) -> int:
    """Size of the largest leading block that is positive definite."""
    low, high = 0, matrix.shape[0]
    while low < high:
        middle = (low + high + 1) // 2
        good = _cholesky(matrix[:middle, :middle]) is not None
        low, high = (middle, high) if good else (low, middle - 1)
    return low
