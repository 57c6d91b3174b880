"""Sums, products and transposes of compressed columns, by SciPy's compiled routines.

SciPy's own methods check and convert what they are given at every call, which takes ten times
longer than the work on a small matrix does. What comes out is in order, each element once, and has
no zeros stored.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.sparse import _sparsetools as routines

from app.engine.values.containers import Array, SparseMatrix
from app.engine.values.sparse_values import Columns, from_columns

MOST = 1 << 31
"""Places of 32 bits count no further."""

DType = np.dtype[np.generic]
WHOLE: DType = np.dtype(np.int32)
TRUTH: DType = np.dtype(np.bool_)
Routine = Callable[..., None]
ADD: Routine = routines.csr_plus_csr
SUBTRACT: Routine = routines.csr_minus_csr
MULTIPLY: Routine = routines.csr_elmul_csr
DIFFERS: Routine = routines.csr_ne_csr
LESS: Routine = routines.csr_lt_csr
GREATER: Routine = routines.csr_gt_csr


def are_alike(x: Columns, y: Columns) -> bool:
    """Whether matrices of compressed columns hold doubles, at places of the usual class."""
    return bool(
        x.data.dtype.char == y.data.dtype.char == "d"
        and x.indptr.dtype.char == y.indptr.dtype.char == "i"
    )


def merged(routine: Routine, x: Columns, y: Columns, kind: DType | None = None) -> SparseMatrix:
    """Two matrices of one size, element by element; of another class than theirs."""
    x.sum_duplicates()
    y.sum_duplicates()
    rows, columns = x.shape
    made = _room(columns, x.data.size + y.data.size, kind or x.data.dtype, x.indptr.dtype)
    data, indices, indptr = made
    arrays = (x.indptr, x.indices, x.data, y.indptr, y.indices, y.data)
    routine(columns, rows, *arrays, indptr, indices, data)
    return _without_rest(*made, (rows, columns))


def product(x: Columns, y: Columns) -> SparseMatrix:
    """The matrix product of two matrices whose inner sizes agree."""
    (rows, _), columns = x.shape, y.shape[1]
    arrays = (y.indptr, y.indices, y.data, x.indptr, x.indices, x.data)
    places = arrays[:2] + arrays[3:5]
    made = _room(columns, routines.csr_matmat_maxnnz(columns, rows, *places), x.data.dtype)
    data, indices, indptr = made
    routines.csr_matmat(columns, rows, *arrays, indptr, indices, data)
    routines.csr_sort_indices(columns, indptr, indices, data)
    routines.csr_eliminate_zeros(columns, rows, indptr, indices, data)
    return _without_rest(*made, (rows, columns))


def transposed(m: Columns) -> SparseMatrix:
    """The transpose, without conjugation."""
    m.sum_duplicates()
    rows, columns = m.shape
    made = _room(rows, m.data.size, m.data.dtype, m.indptr.dtype)
    data, indices, indptr = made
    routines.csr_tocsc(columns, rows, m.indptr, m.indices, m.data, indptr, indices, data)
    return from_columns(*made, (columns, rows))


def times_vector(m: Columns, x: Array) -> Array:
    """The product of a matrix and a full column of the same class."""
    rows, columns = m.shape
    made = np.zeros(rows, m.data.dtype)
    routines.csc_matvec(rows, columns, m.indptr, m.indices, m.data, x.reshape(-1), made)
    return made.reshape(-1, 1)


def with_data(m: Columns, data: Array) -> SparseMatrix:
    """The matrix with other numbers where it has some; zeros among them are not stored."""
    m.sum_duplicates()
    if data.all():
        return from_columns(data, m.indices, m.indptr, m.shape)
    rows, columns = m.shape
    made = data.copy(), m.indices.copy(), m.indptr.copy()
    routines.csr_eliminate_zeros(columns, rows, made[2], made[1], made[0])
    return _without_rest(*made, (rows, columns))


def as_doubles(m: Columns) -> Columns:
    """A matrix of truth values with numbers in their place."""
    made: Columns = with_data(m, m.data.astype(np.float64)).matrix
    return made


def pattern(m: Columns) -> Columns:
    """Where a matrix has other elements than zero, as truth values."""
    if m.data.dtype == TRUTH:
        return m
    made: Columns = with_data(m, m.data != 0).matrix
    return made


def from_triplets(
    rows: Array, columns: Array, values: Array, shape: tuple[int, int]
) -> SparseMatrix:
    """The matrix of elements at places inside it, from 0; those of one place are added."""
    made = _room(shape[1], values.size, values.dtype)
    data, indices, indptr = made
    places = columns.astype(np.int32), rows.astype(np.int32)
    routines.coo_tocsr(shape[1], shape[0], values.size, *places, values, indptr, indices, data)
    routines.csr_sort_indices(shape[1], indptr, indices, data)
    routines.csr_sum_duplicates(shape[1], shape[0], indptr, indices, data)
    routines.csr_eliminate_zeros(shape[1], shape[0], indptr, indices, data)
    return _without_rest(*made, shape)


def columns_of(m: Columns) -> Array:
    """The column of every stored element, from 0."""
    made = np.empty(m.indices.size, m.indptr.dtype)
    routines.expandptr(m.shape[1], m.indptr, made)
    return made


def line(values: Array, axis: int) -> SparseMatrix:
    """The sparse row (along the first axis) or column of these numbers."""
    places = values.nonzero()[0].astype(np.int32)
    kept = values[places]
    if axis == 1:
        return from_columns(kept, places, np.array((0, kept.size), np.int32), (values.size, 1))
    indptr = np.zeros(values.size + 1, np.int32)
    np.cumsum(values != 0, out=indptr[1:])
    return from_columns(kept, np.zeros(kept.size, np.int32), indptr, (1, values.size))


def _room(
    columns: int, count: int, kind: DType, places: DType = WHOLE
) -> tuple[Array, Array, Array]:
    """Numbers, rows and beginnings of columns, to be filled."""
    return np.empty(count, kind), np.empty(count, places), np.empty(columns + 1, places)


def _without_rest(
    data: Array, indices: Array, indptr: Array, shape: tuple[int, int]
) -> SparseMatrix:
    """The matrix of arrays that may be longer than what is stored; much room is given back."""
    count = int(indptr[-1])
    if count < data.size:
        data, indices = data[:count], indices[:count]
        if 2 * count < data.size + count:  # a view would keep all of it
            data, indices = data.copy(), indices.copy()
    return from_columns(data, indices, indptr, shape)
