"""Sparse matrices: sparse, full, speye, spdiags, sprand, spones, nzmax, eigs, svds."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.checks import enough
from app.engine.declarations.device_support import PASSES_ON
from app.engine.declarations.registry import builtin
from app.engine.values import Array, SparseMatrix, Value, as_array, canonical, int_of, numel
from app.engine.values import compressed_columns as cc
from app.engine.values.sparse_values import from_dense
from app.errors import MatlabError

_FAMILY = "sparse matrices"


@builtin(
    "sparse",
    words="",
    category=_FAMILY,
    signatures=(
        "S = sparse(A)",
        "S = sparse(m, n)",
        "S = sparse(i, j, v)",
        "S = sparse(i, j, v, m, n)",
    ),
    cases=(
        "isequal(full(sparse([1 2], [1 2], [5 6])), [5 0; 0 6])",
        "issparse(sparse(eye(3)))",
        "nnz(sparse(3, 3)) == 0",
    ),
    see=("full", "speye", "nnz"),
)
def sparse(*args: Value) -> Value:
    """Sparse matrix from a full one, or from row and column indices and values (summed)."""
    enough(args, 1)
    if len(args) == 1:
        return args[0] if isinstance(args[0], SparseMatrix) else from_dense(as_array(args[0]))
    if len(args) == 2:
        return zeros_of(*_sparse_size(args[0], args[1]))
    (rows, last_row), (columns, last_column) = map(_places, args[:2])
    values = as_array(args[2]).ravel(order="F")
    count = next((v.size for v in (rows, columns, values) if v.size != 1), 1)
    if any(v.size not in {1, count} for v in (rows, columns, values)):
        text = "Vectors must be the same length."
        raise MatlabError("MATLAB:sparsfcn:vectorsMustBeSameLength", text)
    if not rows.size == columns.size == values.size == count:
        rows, columns, values = (
            v if v.size == count else np.full(count, v[0]) for v in (rows, columns, values)
        )
    shape = _sparse_size(args[3], args[4]) if len(args) > 4 else (last_row, last_column)
    if count and (last_row > shape[0] or last_column > shape[1]):
        raise MatlabError("MATLAB:sparsfcn:indexOutOfRange", "Index exceeds matrix dimensions.")
    if max(count, *shape) < cc.MOST:
        return cc.from_triplets(rows, columns, _numbers(values), shape)
    from scipy import sparse as ss

    made = ss.coo_matrix((_numbers(values), (rows, columns)), shape=shape).tocsc()
    made.eliminate_zeros()
    return SparseMatrix.of(made)


def _places(v: Value) -> tuple[Array, int]:
    """Subscripts from 0 on, and the largest of them from 1 on; 0 where there are none."""
    given = as_array(v).ravel(order="F")
    places = given.astype(np.int64)
    if np.count_nonzero(places != given):
        text = "Index into matrix must be an integer."
        raise MatlabError("MATLAB:sparsfcn:nonIntegerIndex", text)
    places -= 1  # 0 and what is below become large numbers without a sign
    numbers = places.view(np.uint64)
    last = numbers.item(numbers.argmax()) + 1 if places.size else 0
    if last > _LARGEST:
        text = "Index into matrix must be positive."
        raise MatlabError("MATLAB:sparsfcn:nonPosIndex", text)
    return places, last


_LARGEST = np.iinfo(np.int64).max


def zeros_of(rows: int, columns: int) -> SparseMatrix:
    """A matrix without elements."""
    return cc.zeros(rows, columns, np.dtype(np.float64))


def _numbers(a: Array) -> Array:
    return a if a.dtype.kind in "fcb" else a.astype(np.float64)


def _sparse_size(rows: Value, columns: Value) -> tuple[int, int]:
    """A size of two numbers, which are not negative."""
    size = int_of(rows), int_of(columns)
    if min(size) < 0:
        text = "Sparse matrix sizes must be nonnegative integers."
        raise MatlabError("MATLAB:sparsfcn:negativeSize", text)
    return size


@builtin(
    "full",
    category=_FAMILY,
    signatures=("A = full(S)",),
    device=PASSES_ON,
    cases=("isequal(full(sparse([1 0; 0 2])), [1 0; 0 2])", "full(5) == 5"),
    see=("sparse",),
)
def full(s: Value) -> Value:
    """Full matrix from a sparse one."""
    return canonical(s.dense()) if isinstance(s, SparseMatrix) else s


@builtin(
    "speye",
    category=_FAMILY,
    signatures=("S = speye(n)", "S = speye(m, n)"),
    cases=("isequal(full(speye(2)), eye(2))",),
    see=("eye", "sparse"),
)
def speye(*args: Value) -> Value:
    """Sparse identity matrix."""
    from app.engine.arguments.size_arguments import shape_of

    rows, columns = shape_of(args)[:2]
    count = min(rows, columns)
    indptr = np.minimum(np.arange(columns + 1, dtype=np.int32), count)
    return SparseMatrix(np.ones(count), indptr[:count].copy(), indptr, (rows, columns))


@builtin(
    "spalloc",
    category=_FAMILY,
    signatures=("S = spalloc(m, n, nz)",),
    cases=("nnz(spalloc(2, 2, 4)) == 0",),
    see=("sparse",),
)
def spalloc(m: Value, n: Value, nz: Value = 0.0) -> Value:
    """Empty sparse matrix (room is found as needed)."""
    return sparse(m, n)


@builtin(
    "spones",
    category=_FAMILY,
    signatures=("R = spones(S)",),
    cases=("isequal(full(spones(sparse([5 0]))), [1 0])",),
    see=("sparse",),
)
def spones(s: Value) -> Value:
    """Ones where a sparse matrix is nonzero."""
    given = s if isinstance(s, SparseMatrix) else from_dense(as_array(s))
    m = cc.pattern(given)
    return cc.with_data(m, np.ones(m.data.size))


@builtin(
    "nzmax",
    category=_FAMILY,
    signatures=("n = nzmax(S)",),
    cases=("nzmax([1 0]) == 2",),
    see=("nnz",),
)
def nzmax(s: Value) -> Value:
    """Number of elements there is room for."""
    return float(s.data.size) if isinstance(s, SparseMatrix) else float(numel(s))
