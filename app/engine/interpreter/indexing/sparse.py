"""Indexing of sparse matrices: results stay sparse, assignments replace triplets.

What an assignment costs grows with the nonzeros of both sides, never with the size of the matrix.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from app.engine.interpreter.indexing.gather_elements import linear_shape
from app.engine.interpreter.indexing.store_elements import (
    count_mismatch,
    put,
    remove,
    shape_mismatch,
)
from app.engine.interpreter.indexing.subscripts import Resolved, is_colon, resolve
from app.engine.values import Array, SparseMatrix, Value, as_array, make_logical
from app.engine.values import compressed_columns as cc
from app.engine.values.sparse_values import from_columns, from_dense
from app.errors import MatlabError


def read(x: SparseMatrix, args: tuple[Value, ...]) -> Value:
    """``S(i)`` or ``S(i, j)``."""
    place = _element(x, args)
    if place is not None:
        return _read_element(x, *place)
    matrix = x.matrix.tocsc()
    rows, columns = x.shape
    if len(args) == 1:
        return _linear(matrix, args[0], x.shape)
    if len(args) != 2:
        text = "Sparse matrices have two subscripts."
        raise MatlabError("MATLAB:sparseNDSubscript", text)
    i, j = resolve(args[0], rows, 0, 2)[0], resolve(args[1], columns, 1, 2)[0]
    if type(i) is slice and type(j) is slice:
        return cc.block(matrix, _bounds(i, rows), _bounds(j, columns))
    if type(j) is not slice:  # the columns first: they lie together
        made = cc.selected_columns(matrix, j)
    else:
        made = x if is_colon(args[1]) else cc.block(matrix, (0, rows), _bounds(j, columns))
    if is_colon(args[0]):
        return made
    if type(i) is slice:
        return cc.block(made.matrix.tocsc(), _bounds(i, rows), (0, made.shape[1]))
    return cc.selected_rows(made.matrix.tocsc(), i)


def _bounds(places: slice, extent: int) -> tuple[int, int]:
    return places.start or 0, extent if places.stop is None else places.stop


def _element(x: SparseMatrix, args: tuple[Value, ...]) -> tuple[int, int] | None:
    """Row and column, from 0, of a single element inside the matrix; None for all else."""
    rows, columns = x.matrix.shape
    if len(args) == 2:
        i, j = args
        if type(i) is not float or type(j) is not float:
            return None
        if 1 <= i <= rows and 1 <= j <= columns and i.is_integer() and j.is_integer():
            return int(i) - 1, int(j) - 1
        return None
    k = args[0] if len(args) == 1 else None
    if type(k) is not float or not (1 <= k <= rows * columns and k.is_integer()):
        return None
    column, row = divmod(int(k) - 1, rows)
    return row, column


def _stored_position(x: SparseMatrix, row: int, column: int) -> tuple[Any, int, bool]:
    """The matrix in order, where an element is stored or belongs, and whether it is stored."""
    matrix = x.matrix.tocsc()
    matrix.sum_duplicates()
    low, high = int(matrix.indptr[column]), int(matrix.indptr[column + 1])
    at = low + int(matrix.indices[low:high].searchsorted(row))
    return matrix, at, at < high and matrix.indices[at] == row


def _read_element(x: SparseMatrix, row: int, column: int) -> SparseMatrix:
    matrix, at, there = _stored_position(x, row, column)
    count = int(there and matrix.data[at] != 0)
    indices = np.zeros(count, matrix.indices.dtype)
    indptr = np.array([0, count], matrix.indptr.dtype)
    return from_columns(matrix.data[at : at + count], indices, indptr, (1, 1))


def _write_element(x: SparseMatrix, row: int, column: int, v: float) -> SparseMatrix:
    """The matrix with one number set; zeros are not stored."""
    matrix, at, there = _stored_position(x, row, column)
    data, indices, indptr = matrix.data, matrix.indices, matrix.indptr
    if there and v != 0:
        data = data.copy()
        data[at] = v
    elif there:
        data, indices, indptr = np.delete(data, at), np.delete(indices, at), indptr.copy()
        indptr[column + 1 :] -= 1
    elif v != 0:
        data, indices, indptr = _with(data, at, v), _with(indices, at, row), indptr.copy()
        indptr[column + 1 :] += 1
    return from_columns(data, indices, indptr, matrix.shape)


def _with(a: Array, at: int, v: float) -> Array:
    """An array with one more element; NumPy's own function takes ten times longer to begin."""
    made = np.empty(a.size + 1, a.dtype)
    made[:at], made[at], made[at + 1 :] = a[:at], v, a[at:]
    return made


def _positions(index: Resolved, extent: int) -> Array:
    """Selected places; those of an assignment may lie behind ``extent``."""
    if not isinstance(index, slice):
        return index
    return np.arange(index.start or 0, extent if index.stop is None else index.stop)


def _linear(matrix: Any, sub: Value, shape: tuple[int, ...]) -> Value:
    from scipy.sparse import csc_matrix

    total = shape[0] * shape[1]
    if is_colon(sub):
        return cc.as_column(matrix)
    index = _mask_positions(sub)
    if index is None:
        resolved, count = resolve(sub, total)
        index = _positions(resolved, total)
        made = linear_shape(shape, sub, count)
    else:
        made = (1, index.size) if shape[0] == 1 else (index.size, 1)
        made = (0, 0) if shape == (1, 1) and not index.size else made
    if not index.size:
        return SparseMatrix(csc_matrix(made, dtype=matrix.dtype))
    if cc.is_small(matrix):
        values = matrix.toarray(order="F").reshape(-1, order="F")[index]
    else:
        values = np.asarray(matrix[index % shape[0], index // shape[0]]).reshape(-1)
    return from_dense(values.reshape(made, order="F"))


def _mask_positions(sub: Value) -> Array | None:
    """Places that a sparse logical subscript selects, in order; None for other subscripts."""
    if not isinstance(sub, SparseMatrix) or sub.matrix.dtype != np.bool_:
        return None
    m = sub.matrix.tocsc()
    marks = cc.with_data(m, m.data).matrix
    places: Array = cc.columns_of(marks).astype(np.int64) * sub.shape[0] + marks.indices
    return places


def write(x: SparseMatrix, args: tuple[Value, ...], v: Value) -> Value:
    """``S(args) = v``."""
    kind = x.matrix.dtype
    if kind == np.bool_ and type(v) is not bool:  # v takes the class of what it is assigned to
        v = SparseMatrix(cc.pattern(v.matrix)) if type(v) is SparseMatrix else make_logical(v)
    if (type(v) is float and kind == np.float64) or (type(v) is bool and kind == np.bool_):
        place = _element(x, args)
        if place is not None:
            return _write_element(x, *place, v)
    made = None
    if len(args) == 2 and cc.is_small(x.matrix) and all(map(_is_inside, args, x.shape)):
        return _write_dense(x, args, v)
    if x.shape[0] and x.shape[1] and len(args) in {1, 2}:
        made = _write_linear(x, args[0], v) if len(args) == 1 else _write_block(x, args, v)
    return made if made is not None else _write_dense(x, args, v)


def _write_dense(x: SparseMatrix, args: tuple[Value, ...], v: Value) -> Value:
    """Into a small matrix, and the rare ways that change the shape of what was empty."""
    given = as_array(v)
    kind = np.result_type(x.matrix.dtype, given.dtype)
    kind = kind if kind == np.bool_ else np.result_type(kind, np.float64)
    dense = x.dense().astype(kind, copy=False)
    return from_dense(put(dense, args, given.astype(kind, copy=False), 0.0, True))


def _is_inside(sub: Value, extent: int) -> bool:
    """Whether a subscript selects something, and nothing behind the extent."""
    if type(sub) is np.ndarray:
        if sub.dtype.char == "d":
            return sub.size > 0 and bool(np.maximum.reduce(sub, axis=None) <= extent)
        return 0 < sub.size <= extent and sub.dtype.char == "?"
    return is_colon(sub) or (type(sub) is float and sub <= extent)


def _write_block(x: SparseMatrix, args: tuple[Value, ...], v: Value) -> Value:
    """``S(i, j) = v``."""
    found = [
        resolve(a, n, p, 2, grow=True)[0]
        for p, (a, n) in enumerate(zip(args, x.shape, strict=True))
    ]
    rows, columns = (_positions(i, n) for i, n in zip(found, x.shape, strict=True))
    if not (rows.size and columns.size):
        return x
    shape = (max(x.shape[0], int(rows.max()) + 1), max(x.shape[1], int(columns.max()) + 1))
    block = _block(v, (rows.size, columns.size))
    (rows, last_row), (columns, last_column) = _last_of(rows), _last_of(columns)
    block = block.tocsr()[last_row][:, last_column].tocoo()

    def is_replaced(i: Array, j: Array) -> Array:
        found: Array = _marks(rows, shape[0])[i]
        if columns.size < columns[-1] - columns[0] + 1:
            found &= _marks(columns, shape[1])[j]
        return found

    span = range(int(columns[0]), int(columns[-1]) + 1)
    new = (rows[block.row], columns[block.col], block.data)
    return _with_columns(x, shape, span, is_replaced, new)


def _block(v: Value, counts: tuple[int, int]) -> Any:
    """What is written, as a sparse matrix of that size."""
    from scipy import sparse

    if isinstance(v, SparseMatrix):
        if v.shape == counts:
            return v.matrix
        v = v.dense()
    given = as_array(v)
    if given.size == 1:
        if not given.any():
            return sparse.csr_matrix(counts, dtype=given.dtype)
        return sparse.csr_matrix(np.broadcast_to(given.reshape(1, 1), counts))
    if [n for n in given.shape if n != 1] != [n for n in counts if n != 1]:
        raise shape_mismatch(counts, given.shape)
    return sparse.csr_matrix(given.reshape(counts, order="F"))


def _last_of(places: Array) -> tuple[Array, Array]:
    """Each place once, and where it stood last: later values win."""
    kept, first = np.unique(places[::-1], return_index=True)
    return kept, places.size - 1 - first


def _marks(places: Array, extent: int) -> Array:
    marks: Array = np.zeros(extent, dtype=bool)
    marks[places] = True
    return marks


def _write_linear(x: SparseMatrix, sub: Value, v: Value) -> Value | None:
    """``S(k) = v`` inside the matrix; None where it would grow."""
    total = x.shape[0] * x.shape[1]
    index = _mask_positions(sub)
    if index is None:
        index = _positions(resolve(sub, total, grow=True)[0], total)
    if not index.size:
        return x
    if int(index.max()) >= total:
        return None
    values = as_array(v.dense() if isinstance(v, SparseMatrix) else v).ravel(order="F")
    if values.size not in {1, index.size}:
        raise count_mismatch((index.size, 1), values.shape, total)
    if cc.is_small(x.matrix):
        flat = x.dense().reshape(-1, order="F")
        flat[index] = values
        return from_dense(flat.reshape(x.shape, order="F"))
    index, last = _last_of(index)
    values = np.broadcast_to(values, last.shape) if values.size == 1 else values[last]
    columns, rows = np.divmod(index, x.shape[0])

    def is_replaced(i: Array, j: Array) -> Array:
        return np.isin(j.astype(np.int64) * x.shape[0] + i, index)

    span = range(int(columns[0]), int(columns[-1]) + 1)
    return _with_columns(x, x.shape, span, is_replaced, (rows, columns, values))


def _with_columns(
    x: SparseMatrix,
    shape: tuple[int, ...],
    span: range,
    is_replaced: Callable[[Array, Array], Array],
    new: tuple[Array, Array, Array],
) -> SparseMatrix:
    """A matrix with new triplets in a span of its columns; the columns beside it are copied.

    ``is_replaced`` says of rows and columns which stored elements give way; zeros are not stored.
    """
    from scipy.sparse import csc_matrix

    old = x.matrix.tocsc()
    old.sum_duplicates()
    grown = np.full(shape[1] - x.shape[1], old.indptr[-1], old.indptr.dtype)
    indptr = np.concatenate([old.indptr, grown])
    low, high = int(indptr[span.start]), int(indptr[span.stop])
    counts = np.diff(indptr[span.start : span.stop + 1])
    rows, columns = old.indices[low:high], np.arange(span.start, span.stop).repeat(counts)
    kept = ~is_replaced(rows, columns)
    values = np.concatenate([old.data[low:high][kept], new[2]])
    made = csc_matrix(
        (
            values,
            (
                np.concatenate([rows[kept], new[0]]),
                np.concatenate([columns[kept], new[1]]) - span.start,
            ),
        ),
        shape=(shape[0], len(span)),
    )
    made.eliminate_zeros()
    made.sum_duplicates()
    ends = indptr[span.stop + 1 :] + (made.nnz - (high - low))
    return from_columns(
        np.concatenate([old.data[:low], made.data, old.data[high:]], dtype=values.dtype),
        np.concatenate([old.indices[:low], made.indices, old.indices[high:]]),
        np.concatenate([indptr[: span.start], made.indptr + low, ends]),
        (shape[0], shape[1]),
    )


def remove_from(x: SparseMatrix, args: tuple[Value, ...]) -> Value:
    """``S(args) = []``."""
    from scipy.sparse import csc_matrix

    if len(args) == 2 and is_colon(args[0]):
        kept = remove(np.arange(x.shape[1]).reshape(1, -1), args).reshape(-1)
        return SparseMatrix(x.matrix.tocsc()[:, kept])
    if len(args) == 2 and is_colon(args[1]):
        kept = remove(np.arange(x.shape[0]).reshape(-1, 1), args).reshape(-1)
        return SparseMatrix(x.matrix.tocsr()[kept].tocsc())
    return SparseMatrix(csc_matrix(remove(x.dense(), args)))
