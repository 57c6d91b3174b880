"""Indexing of sparse matrices: results stay sparse, assignments replace triplets.

What an assignment costs grows with the nonzeros of both sides, never with the size of the matrix.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable

import numpy as np

from app import memory
from app.engine import stoppable
from app.engine.interpreter.indexing.gather_elements import linear_shape
from app.engine.interpreter.indexing.store_elements import (
    count_mismatch,
    put,
    remove,
    shape_mismatch,
)
from app.engine.interpreter.indexing.subscripts import Resolved, greatest, is_colon, resolve
from app.engine.values import Array, SparseMatrix, Value, as_array, make_logical
from app.engine.values import compressed_columns as cc
from app.engine.values.sparse_values import from_dense
from app.errors import MatlabError


def read(x: SparseMatrix, args: tuple[Value, ...]) -> Value:
    """``S(i)`` or ``S(i, j)``."""
    place = _element(x, args)
    if place is not None:
        return _read_element(x, *place)
    rows, columns = x.shape
    if len(args) == 1:
        return _linear(x, args[0])
    if len(args) != 2:
        text = "Sparse matrices have two subscripts."
        raise MatlabError("MATLAB:sparseNDSubscript", text)
    i = _together(resolve(args[0], rows, 0, 2)[0])
    j = _together(resolve(args[1], columns, 1, 2)[0])
    if type(i) is slice and type(j) is slice:
        if type(args[1]) is float and is_colon(args[0]):
            return cc.column(x, j.start)
        return cc.block(x, _bounds(i, rows), _bounds(j, columns))
    if type(j) is not slice:  # the columns first: they lie together
        made = cc.selected_columns(x, j)
    else:
        made = x if is_colon(args[1]) else cc.block(x, (0, rows), _bounds(j, columns))
    if is_colon(args[0]):
        return made
    if type(i) is slice:
        return cc.block(made, _bounds(i, rows), (0, made.shape[1]))
    return cc.selected_rows(made, i)


def _together(places: Resolved) -> Resolved:
    """Places that lie together, in order, as a slice."""
    if type(places) is slice or not places.size:
        return places
    first, last = places.item(0), places.item(-1)
    if last - first != places.size - 1:
        return places
    if places.size > 2 and np.count_nonzero(places[1:] > places[:-1]) < places.size - 1:
        return places
    return slice(first, last + 1)


def _bounds(places: slice, extent: int) -> tuple[int, int]:
    return places.start or 0, extent if places.stop is None else places.stop


def _element(x: SparseMatrix, args: tuple[Value, ...]) -> tuple[int, int] | None:
    """Row and column, from 0, of a single element inside the matrix; None for all else."""
    rows, columns = x.shape
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


def _stored_position(x: SparseMatrix, row: int, column: int) -> tuple[int, bool]:
    """Where an element is stored or belongs, and whether it is stored."""
    low, high = x.indptr.item(column), x.indptr.item(column + 1)
    at = bisect_left(x.indices, row, low, high)
    return at, at < high and x.indices.item(at) == row


def _read_element(x: SparseMatrix, row: int, column: int) -> SparseMatrix:
    at, there = _stored_position(x, row, column)
    count = int(there and x.data.item(at) != 0)
    indices = np.zeros(count, x.indices.dtype)
    indptr = np.array((0, count), x.indptr.dtype)
    return SparseMatrix(x.data[at : at + count].copy(), indices, indptr, (1, 1))


def _with_room(x: SparseMatrix, args: tuple[Value, ...]) -> SparseMatrix | None:
    """The matrix with room for an element beyond its end; None for other subscripts."""
    if len(args) != 2:
        return None
    i, j = args
    if type(i) is not float or type(j) is not float or not (1 <= i < cc.MOST > j >= 1):
        return None
    rows, columns = max(x.shape[0], int(i)), max(x.shape[1], int(j))
    return SparseMatrix(x.data, x.indices, _longer_pointers(x, columns), (rows, columns))


def _longer_pointers(x: SparseMatrix, columns: int) -> Array:
    """Where the columns begin of a matrix that gets empty ones behind its own."""
    memory.require_array((columns + 1,), x.indptr.dtype.itemsize)

    def written() -> Array:
        made = np.empty(columns + 1, x.indptr.dtype)
        made[: x.indptr.size], made[x.indptr.size :] = x.indptr, x.indptr[-1]
        return made

    return stoppable.of_elements(columns, written)


def _write_element(x: SparseMatrix, row: int, column: int, v: float) -> SparseMatrix:
    """The matrix with one number set; zeros are not stored."""
    at, there = _stored_position(x, row, column)
    data, indices, indptr = x.data, x.indices, x.indptr
    if there and v != 0:
        data = data.copy()
        data[at] = v
    elif there:
        data, indices, indptr = np.delete(data, at), np.delete(indices, at), _copied(indptr)
        indptr[column + 1 :] -= 1
    elif v != 0:
        data, indices, indptr = _with(data, at, v), _with(indices, at, row), _copied(indptr)
        indptr[column + 1 :] += 1
    return SparseMatrix(data, indices, indptr, x.shape)


def _copied(pointers: Array) -> Array:
    return stoppable.of_elements(pointers.size, pointers.copy)


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


def _linear(x: SparseMatrix, sub: Value) -> Value:
    if is_colon(sub):
        return cc.as_column(x)
    shape = x.shape
    index = _mask_positions(sub)
    if index is None:
        total = shape[0] * shape[1]
        resolved, count = resolve(sub, total)
        index = _positions(resolved, total)
        made = linear_shape(shape, sub, count)
    else:
        made = (1, index.size) if shape[0] == 1 else (index.size, 1)
        made = (0, 0) if shape == (1, 1) and not index.size else made
    if not index.size:
        return cc.zeros(made[0], made[1], x.dtype)
    values = cc.elements_at(x, index)
    if 1 in made:
        return cc.line(values, int(made[1] == 1))
    return from_dense(values.reshape(made, order="F"))


def _mask_positions(sub: Value) -> Array | None:
    """Places that a sparse logical subscript selects, in order; None for other subscripts."""
    if not isinstance(sub, SparseMatrix) or sub.dtype != np.bool_:
        return None
    return cc.linear_places(cc.with_data(sub, sub.data))


def write(x: SparseMatrix, args: tuple[Value, ...], v: Value) -> Value:
    """``S(args) = v``."""
    kind = x.dtype
    if type(v) is SparseMatrix and v.shape == (1, 1):
        v = v.data.item() if v.data.size else v.dtype.type(0).item()
    if kind == np.bool_ and type(v) is not bool:  # v takes the class of what it is assigned to
        v = cc.pattern(v) if type(v) is SparseMatrix else make_logical(v)
    if (type(v) is float and kind == np.float64) or (type(v) is bool and kind == np.bool_):
        place = _element(x, args)
        if place is not None:
            return _write_element(x, *place, v)
        grown = _with_room(x, args)
        if grown is not None and (place := _element(grown, args)) is not None:
            return _write_element(grown, *place, v)
    made = _write_column(x, args, v) if len(args) == 2 and is_colon(args[0]) else None
    if made is not None:
        return made
    if type(v) is float and v == 0.0 and len(args) == 2 and all(map(_is_inside, args, x.shape)):
        return _write_nothing(x, args)
    if cc.is_small(x) and _are_inside(x, args):
        made = _write_block_dense(x, args, v) if len(args) == 2 else None
        return _write_dense(x, args, v) if made is None else made
    if x.shape[0] and x.shape[1] and len(args) in {1, 2}:
        made = _write_linear(x, args[0], v) if len(args) == 1 else _write_block(x, args, v)
    return made if made is not None else _write_dense(x, args, v)


def _write_column(x: SparseMatrix, args: tuple[Value, ...], v: Value) -> Value | None:
    """``S(:, j) = v`` of the class of the matrix; None for what else there is."""
    (rows, columns), j = x.shape, args[1]
    if type(j) is not float or not (1 <= j <= columns and j.is_integer()):
        return None
    if type(v) is SparseMatrix:
        if v.shape != (rows, 1) or v.dtype != x.dtype:
            return None
        v = cc.with_data(v, v.data)
        return cc.with_column(x, int(j) - 1, v.indices, v.data)
    numbers = np.full((rows, 1), v) if type(v) is float or type(v) is bool else v
    if type(numbers) is not np.ndarray or numbers.dtype != x.dtype:
        return None
    if numbers.shape not in {(rows, 1), (1, rows)}:
        return None
    numbers = numbers.reshape(-1)
    places = numbers.nonzero()[0]
    return cc.with_column(x, int(j) - 1, places, numbers[places])


def _write_nothing(x: SparseMatrix, args: tuple[Value, ...]) -> Value:
    """``S(i, j) = 0`` inside the matrix: what is stored there is left out."""
    chosen: Array = np.array(True)
    places = (x.indices, None if is_colon(args[1]) else cc.columns_of(x))
    for position, (sub, stored, extent) in enumerate(zip(args, places, x.shape, strict=True)):
        if stored is not None and not is_colon(sub):
            found = resolve(sub, extent, position, 2)[0]
            chosen = chosen & _are_among(stored, found, extent)
    return cc.where(x, np.logical_not(np.broadcast_to(chosen, x.indices.shape)))


def _are_among(stored: Array, places: Resolved, extent: int) -> Array:
    """Which stored places are among the chosen ones."""
    if type(places) is not slice:
        return _marks(places, extent)[stored]
    low, high = _bounds(places, extent)
    if high == low + 1:
        return np.equal(stored, low)
    return np.logical_and(stored >= low, stored < high)


def _write_dense(x: SparseMatrix, args: tuple[Value, ...], v: Value) -> Value:
    """Into a small matrix, and the rare ways that change the shape of what was empty."""
    given = as_array(v)
    if x.dtype is given.dtype and x.dtype.char in "d?":
        return from_dense(put(x.dense(), args, given, 0.0, True))
    kind = np.result_type(x.dtype, given.dtype)
    kind = kind if kind == np.bool_ else np.result_type(kind, np.float64)
    dense = x.dense().astype(kind, copy=False)
    return from_dense(put(dense, args, given.astype(kind, copy=False), 0.0, True))


def _write_block_dense(x: SparseMatrix, args: tuple[Value, ...], v: Value) -> Value | None:
    """Into rows and columns of a small matrix that lie together; None for all else."""
    if type(v) is not np.ndarray or v.dtype is not x.dtype or v.ndim > 2:
        return None
    rows, columns = (
        _together(resolve(sub, extent, p, 2)[0])
        for p, (sub, extent) in enumerate(zip(args, x.shape, strict=True))
    )
    if type(rows) is not slice or type(columns) is not slice:
        return None
    dense = x.dense()
    part = dense[rows, columns]
    if v.shape != part.shape:
        return None
    part[...] = v
    return from_dense(dense)


def _are_inside(x: SparseMatrix, args: tuple[Value, ...]) -> bool:
    """Whether subscripts select something, and nothing beyond the matrix."""
    if len(args) == 2:
        return all(map(_is_inside, args, x.shape))
    return len(args) == 1 and _is_inside(args[0], x.shape[0] * x.shape[1])


def _is_inside(sub: Value, extent: int) -> bool:
    """Whether a subscript selects something, and nothing behind the extent."""
    if type(sub) is np.ndarray:
        if sub.dtype.char == "d":
            return sub.size > 0 and bool(greatest(sub.ravel(order="K")) <= extent)
        return 0 < sub.size <= extent and sub.dtype.char == "?"
    if type(sub) is SparseMatrix:
        return sub.dtype.char == "?" and 0 < sub.shape[0] * sub.shape[1] <= extent
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
    counts = rows.size, columns.size
    (rows, last_row), (columns, last_column) = _last_of(rows), _last_of(columns)
    i, j, values = _new_elements(v, counts, last_row, last_column)

    def is_replaced(i: Array, j: Array) -> Array:
        found: Array = _marks(rows, shape[0])[i]
        if columns.size < columns[-1] - columns[0] + 1:
            found &= _marks(columns, shape[1])[j]
        return found

    span = range(int(columns[0]), int(columns[-1]) + 1)
    return _with_columns(x, shape, span, is_replaced, (rows[i], columns[j], values))


def _new_elements(
    v: Value, counts: tuple[int, int], rows: Array, columns: Array
) -> tuple[Array, Array, Array]:
    """Rows and columns, from 0, in the chosen part of a block that is written, and numbers."""
    if isinstance(v, SparseMatrix) and v.shape == counts:
        part = cc.selected_rows(cc.selected_columns(v, columns), rows)
        return part.indices, cc.columns_of(part), part.data
    given = as_array(v)
    if given.size == 1:
        if not given.any():
            none = np.empty(0, np.int64)
            return none, none, np.empty(0, given.dtype)
        given = np.broadcast_to(given.reshape(1, 1), counts)
    elif [n for n in given.shape if n != 1] != [n for n in counts if n != 1]:
        raise shape_mismatch(counts, given.shape)
    block = given.reshape(counts, order="F")[np.ix_(rows, columns)]
    i, j = block.nonzero()
    return i, j, block[i, j]


def _last_of(places: Array) -> tuple[Array, Array]:
    """Each place once, in order, and where it stood last: later values win."""
    if (places[1:] > places[:-1]).all():
        return places, np.arange(places.size)
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
    values = as_array(v).ravel(order="F")
    if values.size not in {1, index.size}:
        raise count_mismatch((index.size, 1), values.shape, total)
    if type(v) is float and v == 0.0:
        return cc.where(x, ~_hold(np.sort(index), cc.linear_places(x)))
    index, last = _last_of(index)
    values = np.broadcast_to(values, last.shape) if values.size == 1 else values[last]
    columns, rows = np.divmod(index, x.shape[0])

    def is_replaced(i: Array, j: Array) -> Array:
        return _hold(index, j.astype(np.int64) * x.shape[0] + i)

    if not values.any():
        return cc.where(x, ~is_replaced(x.indices, cc.columns_of(x)))
    span = range(int(columns[0]), int(columns[-1]) + 1)
    return _with_columns(x, x.shape, span, is_replaced, (rows, columns, values))


def _hold(index: Array, places: Array) -> Array:
    """Which places are among some that are in order, and not none."""
    found: Array = index[np.minimum(index.searchsorted(places), index.size - 1)] == places
    return found


def _with_columns(
    x: SparseMatrix,
    shape: tuple[int, int],
    span: range,
    is_replaced: Callable[[Array, Array], Array],
    new: tuple[Array, Array, Array],
) -> SparseMatrix:
    """A matrix with new triplets in a span of its columns; the columns beside it are copied.

    ``is_replaced`` says of rows and columns which stored elements give way; zeros are not stored.
    """
    indptr = _longer_pointers(x, shape[1])
    low, high = int(indptr[span.start]), int(indptr[span.stop])
    counts = np.diff(indptr[span.start : span.stop + 1])
    rows, columns = x.indices[low:high], np.arange(span.start, span.stop).repeat(counts)
    kept = ~is_replaced(rows, columns)
    values = np.concatenate([x.data[low:high][kept], new[2]])
    made = cc.from_triplets(
        np.concatenate([rows[kept], new[0]]),
        np.concatenate([columns[kept], new[1]]) - span.start,
        values,
        (shape[0], len(span)),
    )
    ends = indptr[span.stop + 1 :] + (made.data.size - (high - low))
    return SparseMatrix(
        np.concatenate([x.data[:low], made.data, x.data[high:]], dtype=values.dtype),
        np.concatenate([x.indices[:low], made.indices, x.indices[high:]]),
        np.concatenate([indptr[: span.start], made.indptr + low, ends]),
        shape,
    )


def remove_from(x: SparseMatrix, args: tuple[Value, ...]) -> Value:
    """``S(args) = []``."""
    if len(args) == 2 and is_colon(args[0]):
        kept = remove(np.arange(x.shape[1]).reshape(1, -1), args).reshape(-1)
        return cc.selected_columns(x, kept)
    if len(args) == 2 and is_colon(args[1]):
        kept = remove(np.arange(x.shape[0]).reshape(-1, 1), args).reshape(-1)
        return cc.selected_rows(x, kept)
    return from_dense(remove(x.dense(), args))
