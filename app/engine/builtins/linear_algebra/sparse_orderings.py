"""Orders of rows and columns that keep the factors of sparse matrices sparse.

Minimum degree and column orders are those of SuperLU, reverse Cuthill-McKee is SciPy's. Orders
that are equally good differ from MATLAB's.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine import stoppable
from app.engine.arguments.checks import MATRIX, NUMBERS, takes
from app.engine.declarations.registry import builtin
from app.engine.values import Array, SparseMatrix, Value, as_array, unwrap
from app.errors import MatlabError

_FAMILY = "sparse matrices"


def _pattern(a: Value) -> Any:
    """Where ``a`` has nonzeros, as a sparse matrix of ones."""
    from scipy import sparse

    made = sparse.csc_matrix(a.matrix if isinstance(a, SparseMatrix) else as_array(a) != 0)
    made = made.astype(np.float64)
    made.data[:] = 1.0
    return made


def _square(name: str, a: Value) -> Any:
    made = _pattern(a)
    if made.shape[0] != made.shape[1]:
        raise MatlabError(f"MATLAB:{name}:matrixMustBeSquare", "Matrix must be square.")
    return made


def _row(order: Array) -> Value:
    return unwrap(np.asarray(order, dtype=np.float64).reshape(1, -1) + 1)


def column_order(pattern: Any, kind: str) -> Array:
    """SuperLU's order of the columns of a square pattern: ``MMD_AT_PLUS_A`` or ``COLAMD``."""
    from scipy import sparse
    from scipy.sparse import linalg

    n = pattern.shape[0]
    if n == 0:
        return np.zeros(0, dtype=int)
    dominant = (pattern + sparse.eye(n) * (2.0 * n)).tocsc()
    factors = stoppable.of_sparse(linalg.splu, dominant, permc_spec=kind, diag_pivot_thresh=0.0)
    return np.argsort(factors.perm_c)


@builtin(
    "amd",
    words="",
    category=_FAMILY,
    signatures=("p = amd(A)", "p = amd(A, options)"),
    cases=("isequal(sort(amd(gallery('tridiag', 5))), 1:5)",),
    see=("symamd", "colamd"),
)
@takes(MATRIX & NUMBERS)
def amd(a: Value, *options: Value) -> Value:
    """Minimum degree order of a symmetric pattern (of ``A + A'`` otherwise)."""
    pattern = _square("amd", a)
    return _row(column_order(pattern + pattern.T, "MMD_AT_PLUS_A"))


@builtin(
    "symamd",
    words="",
    category=_FAMILY,
    signatures=("p = symamd(S)",),
    cases=("isequal(sort(symamd(gallery('tridiag', 5))), 1:5)",),
    see=("amd", "symrcm"),
)
@takes(MATRIX & NUMBERS)
def symamd(a: Value, *options: Value) -> Value:
    """Minimum degree order for the Cholesky factor of a symmetric matrix."""
    pattern = _square("symamd", a)
    return _row(column_order(pattern + pattern.T, "MMD_AT_PLUS_A"))


@builtin(
    "colamd",
    words="",
    category=_FAMILY,
    signatures=("p = colamd(S)",),
    cases=("isequal(sort(colamd(sparse([1 1; 0 1; 1 0]))), 1:2)",),
    see=("amd", "colperm"),
)
@takes(MATRIX & NUMBERS)
def colamd(a: Value, *options: Value) -> Value:
    """Order of the columns for the LU or QR factors of any matrix."""
    pattern = _pattern(a)
    gram = (pattern.T @ pattern).tocsc()
    return _row(column_order(gram, "MMD_AT_PLUS_A"))


@builtin(
    "symrcm",
    category=_FAMILY,
    signatures=("r = symrcm(S)",),
    cases=("isequal(bandwidth(full(eye(3)(symrcm(sparse(eye(3))), :)), 'lower') >= 0, true)",),
    see=("symamd",),
)
@takes(MATRIX & NUMBERS)
def symrcm(a: Value) -> Value:
    """Order of Cuthill and McKee, reversed: nonzeros come close to the diagonal."""
    from scipy.sparse import csgraph

    pattern = _square("symrcm", a)
    return _row(csgraph.reverse_cuthill_mckee((pattern + pattern.T).tocsr(), symmetric_mode=True))


@builtin(
    "colperm",
    category=_FAMILY,
    signatures=("p = colperm(S)",),
    cases=("isequal(colperm(sparse([1 1 0; 1 0 0; 1 0 1])), [2 3 1])",),
    see=("colamd",),
)
@takes(MATRIX & NUMBERS)
def colperm(a: Value) -> Value:
    """Columns by their number of nonzeros, fewest first."""
    return _row(np.argsort(np.diff(_pattern(a).indptr), kind="stable"))


@builtin(
    "sprank",
    category=_FAMILY,
    signatures=("r = sprank(A)",),
    cases=("sprank(sparse([1 1; 0 0])) == 1",),
    see=("dmperm", "rank"),
)
@takes(MATRIX & NUMBERS)
def sprank(a: Value) -> Value:
    """The rank that the places of the nonzeros allow."""
    from scipy.sparse import csgraph

    return float(csgraph.structural_rank(_pattern(a).tocsr()))


@builtin(
    "dmperm",
    category=_FAMILY,
    signatures=("p = dmperm(A)",),
    cases=("isequal(dmperm(sparse([0 1; 1 0])), [2 1])",),
    see=("sprank",),
)
@takes(MATRIX & NUMBERS)
def dmperm(a: Value) -> Value:
    """A matching of rows to columns: ``p(j)`` is the row of column ``j``, or 0."""
    from scipy.sparse import csgraph

    return _row(csgraph.maximum_bipartite_matching(_pattern(a).tocsr(), perm_type="row"))


@builtin(
    "etree",
    category=_FAMILY,
    signatures=("p = etree(A)",),
    cases=("isequal(etree(gallery('tridiag', 4)), [2 3 4 0])",),
    see=("symamd",),
)
@takes(MATRIX & NUMBERS)
def etree(a: Value) -> Value:
    """Elimination tree of a symmetric matrix: the parent of every column, 0 for roots.

    Liu, *The role of elimination trees in sparse factorization*, 1990, algorithm 4.2.
    """
    pattern = _square("etree", a)
    parents = np.zeros(pattern.shape[0])
    ancestors = np.full(pattern.shape[0], -1)
    for column in range(pattern.shape[0]):
        for row in pattern.indices[pattern.indptr[column] : pattern.indptr[column + 1]].tolist():
            _climb(row, column, ancestors, parents)
    return unwrap(parents.reshape(1, -1))


def _climb(row: int, column: int, ancestors: Array, parents: Array) -> None:
    """From ``row`` to the root of its tree, whose parent ``column`` becomes."""
    while row != -1 and row < column:
        above = int(ancestors[row])
        ancestors[row] = column
        if above == -1:
            parents[row] = column + 1
        row = above
