"""Sums, products, transposes and parts of compressed columns, by SciPy's compiled routines.

SciPy's own methods check and convert what they are given at every call, which takes ten times
longer than the work on a small matrix does. What comes out is in order, each element once, and has
no zeros stored.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import TypeVar

import numpy as np

from app.accel.numerics.scipy_extensions import extension
from app.engine.values.containers import Array, SparseMatrix
from app.engine.values.sparse_values import Columns, from_dense

routines = extension("scipy.sparse._sparsetools")

MOST = 1 << 31
"""Places of 32 bits count no further."""

DType = np.dtype[np.generic]
WHOLE: DType = np.dtype(np.int32)
TRUTH: DType = np.dtype(np.bool_)
Routine = Callable[..., None]
_Matrix = TypeVar("_Matrix", Array, SparseMatrix)
ADD: Routine = routines.csr_plus_csr
SUBTRACT: Routine = routines.csr_minus_csr
MULTIPLY: Routine = routines.csr_elmul_csr
DIFFERS: Routine = routines.csr_ne_csr
LESS: Routine = routines.csr_lt_csr
GREATER: Routine = routines.csr_gt_csr


SMALL = 1 << 14
"""Elements of a full matrix that is made in less time than SciPy takes to begin."""


def is_dense(numbers: Array) -> bool:
    """Whether no number is zero; counting takes a tenth of what ``all`` does for a few."""
    return bool(np.count_nonzero(numbers) == numbers.size)


def is_small(m: Columns) -> bool:
    """Whether the full form of a matrix of doubles or truth values is quickly made."""
    return m.shape[0] * m.shape[1] <= SMALL and m.data.dtype.char in "d?"


def are_alike(x: Columns, y: Columns) -> bool:
    """Whether matrices of compressed columns hold doubles, at places of the usual class."""
    return bool(
        x.data.dtype.char == y.data.dtype.char == "d"
        and x.indptr.dtype.char == y.indptr.dtype.char == "i"
    )


def alike(x: Columns, y: Columns) -> tuple[Columns, Columns]:
    """Both with numbers of one class, double or complex, and with places of one."""
    if are_alike(x, y):
        return x, y
    kind = np.result_type(x.data, y.data, np.float64)
    whole = np.result_type(x.indptr, y.indptr)
    if x.data.size + y.data.size >= MOST:
        whole = np.dtype(np.int64)
    return _with_classes(x, kind, whole), _with_classes(y, kind, whole)


def _with_classes(m: Columns, kind: DType, whole: DType) -> SparseMatrix:
    indices, indptr = (places.astype(whole, copy=False) for places in (m.indices, m.indptr))
    return SparseMatrix(m.data.astype(kind, copy=False), indices, indptr, m.shape)


def with_class(m: _Matrix, kind: DType) -> _Matrix:
    """A matrix, full or sparse, with numbers of a class."""
    if isinstance(m, SparseMatrix):
        return _with_classes(m, kind, m.indptr.dtype)
    return m.astype(kind, copy=False)


def narrowed(m: SparseMatrix) -> SparseMatrix:
    """The matrix as a real one where no number has an imaginary part."""
    if m.data.dtype.kind != "c" or np.count_nonzero(m.data.imag):
        return m
    return with_data(m, m.data.real)


def merged(routine: Routine, x: Columns, y: Columns, kind: DType | None = None) -> SparseMatrix:
    """Two matrices of one size, element by element; of another class than theirs."""
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


def power(m: SparseMatrix, exponent: int) -> SparseMatrix:
    """The product of so many of a square matrix of doubles, of one or more."""
    made: SparseMatrix | None = None
    square = m
    while True:
        if exponent & 1:
            made = square if made is None else product(made, square)
        exponent >>= 1
        if not exponent:
            assert made is not None
            return made
        square = product(square, square)


def transposed(m: Columns) -> SparseMatrix:
    """The transpose, without conjugation."""
    rows, columns = m.shape
    made = _room(rows, m.data.size, m.data.dtype, m.indptr.dtype)
    data, indices, indptr = made
    routines.csr_tocsc(columns, rows, m.indptr, m.indices, m.data, indptr, indices, data)
    return SparseMatrix(*made, (columns, rows))


def times_vector(m: Columns, x: Array) -> Array:
    """The product of a matrix and a full column of the same class."""
    rows, columns = m.shape
    made = np.zeros(rows, m.data.dtype)
    routines.csc_matvec(rows, columns, m.indptr, m.indices, m.data, x.reshape(-1), made)
    return made.reshape(-1, 1)


def vector_times(x: Array, m: Columns) -> Array:
    """The product of a full row and a matrix of the same class."""
    rows, columns = m.shape
    made = np.zeros((1, columns), m.data.dtype)
    arrays = (m.indptr, m.indices, m.data, x.reshape(-1))
    routines.csr_matvec(columns, rows, *arrays, made.reshape(-1))
    return made


def full_times(x: Array, m: Columns) -> Array:
    """The product of a full matrix and one of the same class."""
    (rows, columns), count = m.shape, x.shape[0]
    made = np.zeros((columns, count), m.data.dtype)
    arrays = (m.indptr, m.indices, m.data, np.ascontiguousarray(x.T).reshape(-1))
    routines.csr_matvecs(columns, rows, count, *arrays, made.reshape(-1))
    return made.T


def times_full(m: Columns, x: Array) -> Array:
    """The product of a matrix and a full one of the same class."""
    (rows, columns), count = m.shape, x.shape[1]
    made = np.zeros((rows, count), m.data.dtype)
    arrays = (m.indptr, m.indices, m.data, np.ascontiguousarray(x).reshape(-1))
    routines.csc_matvecs(rows, columns, count, *arrays, made.reshape(-1))
    return np.asfortranarray(made)


def sums(m: Columns, axis: int) -> Array:
    """The sums of columns or rows of numbers, in the order in which they are stored."""
    rows, columns = m.shape
    ones, arrays = np.ones(m.shape[axis], m.data.dtype), (m.indptr, m.indices, m.data)
    made = np.zeros(m.shape[1 - axis], m.data.dtype)
    if axis == 1:
        routines.csc_matvec(rows, columns, *arrays, ones, made)
    else:
        routines.csr_matvec(columns, rows, *arrays, ones, made)
    return made


def diagonal(m: Columns, above: int) -> Array:
    """The elements so many places above the main diagonal."""
    rows, columns = m.shape
    made = np.zeros(max(0, min(rows + min(0, above), columns - max(0, above))), m.data.dtype)
    if made.size:
        routines.csr_diagonal(-above, columns, rows, m.indptr, m.indices, m.data, made)
    return made


def extremes(m: Columns, axis: int, ufunc: np.ufunc) -> Array:
    """The largest or smallest element of every real column or row, zeros included."""
    m = transposed(m) if axis else m
    starts, counts = m.indptr[:-1], m.indptr[1:] - m.indptr[:-1]
    made = np.zeros(counts.size, m.data.dtype)
    some = counts.nonzero()[0]
    if some.size:
        made[some] = ufunc.reduceat(m.data, starts[some])
    return np.where(counts < m.shape[0], ufunc(made, 0), made)


def with_data(m: Columns, data: Array) -> SparseMatrix:
    """The matrix with other numbers where it has some; zeros among them are not stored."""
    if is_dense(data):
        return SparseMatrix(data, m.indices, m.indptr, m.shape)
    rows, columns = m.shape
    made = data.copy(), m.indices.copy(), m.indptr.copy()
    routines.csr_eliminate_zeros(columns, rows, made[2], made[1], made[0])
    return _without_rest(*made, (rows, columns))


def mapped(function: Callable[[Array], Array], a: SparseMatrix) -> SparseMatrix:
    """An elementwise function: sparse, also where it makes no zeros of zeros."""
    held = a.data.astype(np.float64) if a.dtype == TRUTH else a.data
    made = np.asarray(function(np.append(held, 0.0).reshape(1, -1))).reshape(-1)
    if made[-1] != 0:
        dense = a.dense()
        return from_dense(np.asarray(function(dense.astype(held.dtype, copy=False))))
    if made.dtype.kind == "c" and not made.imag.any():
        made = made.real.copy()
    return with_data(a, made[:-1])


def as_doubles(m: Columns) -> SparseMatrix:
    """A matrix of truth values with numbers in their place."""
    return with_data(m, m.data.astype(np.float64))


def pattern(m: SparseMatrix) -> SparseMatrix:
    """Where a matrix has other elements than zero, as truth values."""
    if m.data.dtype.char == "?":
        return m
    if is_dense(m.data):
        return SparseMatrix(np.ones(m.data.size, TRUTH), m.indices, m.indptr, m.shape)
    return with_data(m, m.data != 0)


def zeros(rows: int, columns: int, kind: DType) -> SparseMatrix:
    """A matrix that stores nothing."""
    whole = WHOLE if max(rows, columns) < MOST else np.dtype(np.int64)
    indptr = np.zeros(columns + 1, whole)
    return SparseMatrix(np.empty(0, kind), np.empty(0, whole), indptr, (rows, columns))


def from_triplets(
    rows: Array, columns: Array, values: Array, shape: tuple[int, int]
) -> SparseMatrix:
    """The matrix of elements at places inside it, from 0; those of one place are added."""
    kind = WHOLE if max(values.size, *shape) < MOST else np.dtype(np.int64)
    made = _room(shape[1], values.size, values.dtype, kind)
    data, indices, indptr = made
    places = columns.astype(kind), rows.astype(kind)
    routines.coo_tocsr(shape[1], shape[0], values.size, *places, values, indptr, indices, data)
    routines.csr_sort_indices(shape[1], indptr, indices, data)
    routines.csr_sum_duplicates(shape[1], shape[0], indptr, indices, data)
    routines.csr_eliminate_zeros(shape[1], shape[0], indptr, indices, data)
    return _without_rest(*made, shape)


def block(m: Columns, rows: tuple[int, int], columns: tuple[int, int]) -> SparseMatrix:
    """The rows and columns between two numbers each, from 0."""
    if rows == (0, m.shape[0]):
        low, high = m.indptr.item(columns[0]), m.indptr.item(columns[1])
        indptr = m.indptr[columns[0] : columns[1] + 1] - m.indptr.dtype.type(low)
        data, indices = m.data[low:high].copy(), m.indices[low:high].copy()
        return SparseMatrix(data, indices, indptr, (m.shape[0], columns[1] - columns[0]))
    arrays = (m.indptr, m.indices, m.data)
    indptr, indices, data = routines.get_csr_submatrix(
        m.shape[1], m.shape[0], *arrays, *columns, *rows
    )
    return SparseMatrix(data, indices, indptr, (rows[1] - rows[0], columns[1] - columns[0]))


def selected_columns(m: Columns, places: Array) -> SparseMatrix:
    """Columns in any order, from 0."""
    places = places.astype(m.indptr.dtype)
    indptr = _ends(m.indptr[places + 1] - m.indptr[places], m.indptr.dtype)
    data, indices, _ = _room(0, int(indptr[-1]), m.data.dtype, m.indices.dtype)
    arrays = (m.indptr, m.indices, m.data)
    routines.csr_row_index(places.size, places, *arrays, indices, data)
    return SparseMatrix(data, indices, indptr, (m.shape[0], places.size))


def selected_rows(m: Columns, places: Array) -> SparseMatrix:
    """Rows in any order, from 0."""
    rows, columns = m.shape
    kind = m.indptr.dtype
    places = places.astype(kind)
    offsets, indptr = np.zeros(rows, kind), np.empty_like(m.indptr)
    routines.csr_column_index1(
        places.size, places, columns, rows, m.indptr, m.indices, offsets, indptr
    )
    order = places.argsort(kind="stable").astype(kind)
    data, indices, _ = _room(0, int(indptr[-1]), m.data.dtype, kind)
    arrays = (m.indices, m.data, indices, data)
    routines.csr_column_index2(order, offsets, m.indices.size, *arrays)
    routines.csr_sort_indices(columns, indptr, indices, data)
    return SparseMatrix(data, indices, indptr, (places.size, columns))


def as_column(m: Columns) -> SparseMatrix:
    """All elements below each other, column by column."""
    rows, columns = m.shape
    kind: DType = WHOLE if rows * columns < MOST else np.dtype(np.int64)
    places = linear_places(m)
    indptr = np.array((0, places.size), kind)
    return SparseMatrix(m.data, places.astype(kind), indptr, (rows * columns, 1))


def linear_places(m: Columns) -> Array:
    """Where the stored elements lie along all elements, from 0."""
    places: Array = np.multiply(columns_of(m), m.shape[0], dtype=np.int64)
    places += m.indices
    return places


def reshaped(m: Columns, shape: tuple[int, int]) -> SparseMatrix:
    """The same elements, column by column, in a matrix of another size."""
    places, height = linear_places(m), max(1, shape[0])
    kind: DType = WHOLE if max(places.size, *shape) < MOST else np.dtype(np.int64)
    at = places // height
    if at.size < shape[1] >> 3:  # most columns begin where the one before them does
        begins = np.diff(at, prepend=-1, append=shape[1])
        indptr = np.repeat(np.arange(at.size + 1, dtype=kind), begins)
    else:
        indptr = at.searchsorted(np.arange(shape[1] + 1)).astype(kind)
    return SparseMatrix(m.data, (places - at * height).astype(kind), indptr, shape)


def elements_at(m: Columns, places: Array) -> Array:
    """The elements at linear places, from 0, as a full vector."""
    stored = linear_places(m)
    if not stored.size:
        return np.zeros(places.size, m.data.dtype)
    at = np.minimum(stored.searchsorted(places), stored.size - 1)
    return np.where(stored[at] == places, m.data[at], m.data.dtype.type(0))


def column(m: Columns, number: int) -> SparseMatrix:
    """One column, from 0."""
    low, high = m.indptr.item(number), m.indptr.item(number + 1)
    indptr = np.array((0, high - low), m.indptr.dtype)
    return SparseMatrix(
        m.data[low:high].copy(), m.indices[low:high].copy(), indptr, (m.shape[0], 1)
    )


def with_column(m: Columns, number: int, rows: Array, data: Array) -> SparseMatrix:
    """The matrix with other elements, none of them zero, in a column, from 0."""
    low, high = m.indptr.item(number), m.indptr.item(number + 1)
    indptr = m.indptr.copy()
    indptr[number + 1 :] += data.size - (high - low)
    indices = np.concatenate((m.indices[:low], rows.astype(m.indices.dtype), m.indices[high:]))
    return SparseMatrix(
        np.concatenate((m.data[:low], data, m.data[high:])), indices, indptr, m.shape
    )


def where(m: Columns, kept: Array) -> SparseMatrix:
    """The matrix with only those of its stored elements that are marked."""
    before = _ends(kept, m.indptr.dtype)
    return SparseMatrix(m.data[kept], m.indices[kept], before[m.indptr], m.shape)


def joined(parts: Sequence[Columns], axis: int) -> SparseMatrix:
    """Matrices of one class below (0) or beside (1) each other."""
    extent = sum(p.shape[axis] for p in parts)
    data, indices = _below([p.data for p in parts]), _below([p.indices for p in parts])
    if axis == 1:
        counts = accumulate(p.indptr.item(-1) for p in parts)
        later = [p.indptr[1:] + n for p, n in zip(parts[1:], counts, strict=False)]
        indptr = _below([parts[0].indptr, *later])
        return SparseMatrix(data, indices, indptr, (parts[0].shape[0], extent))
    shape = extent, parts[0].shape[1]
    made = _room(shape[1], data.size, data.dtype, parts[0].indptr.dtype)
    heights = np.array([p.shape[0] for p in parts], made[2].dtype)
    arrays = (heights, _below([p.indptr for p in parts]), indices, data, made[2], made[1], made[0])
    routines.csr_hstack(len(parts), shape[1], *arrays)
    return SparseMatrix(*made, shape)


def _below(parts: Sequence[Array]) -> Array:
    """Vectors of one class after each other; for two that takes a fourth of ``concatenate``."""
    if len(parts) != 2:
        return np.concatenate(parts)
    first, second = parts
    made = np.empty(first.size + second.size, first.dtype)
    made[: first.size], made[first.size :] = first, second
    return made


def columns_of(m: Columns) -> Array:
    """The column of every stored element, from 0."""
    made = np.empty(m.indices.size, m.indptr.dtype)
    routines.expandptr(m.shape[1], m.indptr, made)
    return made


def line(values: Array, axis: int) -> SparseMatrix:
    """The sparse row (along the first axis) or column of these numbers."""
    if axis == 0 and is_dense(values):
        places = np.arange(values.size + 1, dtype=WHOLE)
        return SparseMatrix(values, np.zeros(values.size, WHOLE), places, (1, values.size))
    places = values.nonzero()[0].astype(np.int32)
    kept = values[places]
    if axis == 1:
        return SparseMatrix(kept, places, np.array((0, kept.size), np.int32), (values.size, 1))
    indptr = _ends(values != 0, WHOLE)
    return SparseMatrix(kept, np.zeros(kept.size, np.int32), indptr, (1, values.size))


def _ends(counts: Array, kind: DType) -> Array:
    """Where columns of so many elements begin, and the last one ends."""
    made = np.zeros(counts.size + 1, kind)
    np.add.accumulate(counts, dtype=kind, out=made[1:])
    return made


def _room(
    columns: int, count: int, kind: DType, places: DType = WHOLE
) -> tuple[Array, Array, Array]:
    """Numbers, rows and beginnings of columns, to be filled."""
    return np.empty(count, kind), np.empty(count, places), np.empty(columns + 1, places)


def _without_rest(
    data: Array, indices: Array, indptr: Array, shape: tuple[int, int]
) -> SparseMatrix:
    """The matrix of arrays that may be longer than what is stored; much room is given back."""
    count = indptr.item(-1)
    if count < data.size:
        data, indices = data[:count], indices[:count]
        if 2 * count < data.size + count:  # a view would keep all of it
            data, indices = data.copy(), indices.copy()
    return SparseMatrix(data, indices, indptr, shape)
