"""Products of sparse matrices and resident full ones: what is stored of each row, side by side.

The numbers of a matrix and their columns are sent to the device once. Rows that are about equally
long, as those of stencils are, are added up in order by one kernel; others as segments.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from app.accel.ir.dtypes import DType
from app.engine.capture.capture_session import Session
from app.engine.capture.term_arrays import apply_operation, elements_at, is_resident, real_term_of
from app.engine.capture.terms import Term, cat, position, where
from app.engine.values import Array, DeviceArray, SparseMatrix, Value
from app.engine.values import compressed_columns as cc
from app.records import record

if TYPE_CHECKING:
    from app.accel.backends.residency import Residency

WIDEST = 32
"""Numbers in a row that one kernel reads one after the other."""
SPARE = 3
"""Places there may be for each number that is stored."""
MOST_COLUMNS = 16
"""Of a full matrix that are multiplied by segments, one by one."""


@record
class Rows:
    """The rows of a matrix on the device.

    Attributes:
        count: how many there are.
        values: the numbers: a column for each place in a row, or one of all, row by row.
        columns: of each, from 0, in the same shape.
        lengths: numbers in every row, a column; None where ``values`` is one column.
        keys: the row of each from 1, where it is.
    """

    count: int
    values: Term
    columns: Term
    lengths: Term | None
    keys: Term | None


_Known: TypeAlias = "weakref.WeakKeyDictionary[SparseMatrix, Rows]"
_known: weakref.WeakKeyDictionary[Residency, _Known] = weakref.WeakKeyDictionary()
"""What a table of values has for a device: rows by the transpose, whose columns they are."""
_turned: weakref.WeakKeyDictionary[SparseMatrix, SparseMatrix] = weakref.WeakKeyDictionary()


def product(a: Value, b: Value) -> Value:
    """``S * X`` or ``X * S`` of a sparse matrix of doubles and a full one that is on the device.

    NotImplemented for all else, sizes that do not agree among it.
    """
    if type(a) is SparseMatrix and type(b) is DeviceArray:
        return _value_of(a, b, turned=False)
    if type(a) is DeviceArray and type(b) is SparseMatrix:
        return _value_of(b, a, turned=True)
    return NotImplemented


def _value_of(s: SparseMatrix, full: DeviceArray, *, turned: bool) -> Value:
    size, usual = full.shape, s.dtype.char == "d" and 1 not in s.shape and s.data.size > 0
    inner = s.shape[0] if turned else s.shape[1]
    if not usual or len(size) != 2 or size[1 if turned else 0] != inner or not is_resident(full):
        return NotImplemented
    x = real_term_of(full)
    if x is None or x.dtype is not DType.F64:
        return NotImplemented
    made = _rows_times(s, x.permute(1, 0)) if turned else _rows_times(_transpose(s), x)
    if made is None:
        return NotImplemented
    return made.permute(1, 0).value if turned else made.value


def _transpose(s: SparseMatrix) -> SparseMatrix:
    found = _turned.get(s)
    if found is None:
        found = _turned[s] = cc.transposed(s)
    return found


def _rows_times(transpose: SparseMatrix, x: Term) -> Term | None:
    """The product of a matrix, whose transpose is given, and a full one."""
    known = _known.setdefault(Session.runtime.residency, weakref.WeakKeyDictionary())
    rows = known.get(transpose)
    if rows is None:
        rows = known[transpose] = _sent(transpose)
    count, columns = x.shape
    if rows.lengths is not None:
        apart = position((1, columns), 1) * float(count)
        total: Term | None = None
        for k in range(rows.values.shape[1]):
            places = rows.columns.part(1, k, 1) + apart
            found = rows.values.part(1, k, 1) * elements_at(x, places)
            found = where(rows.lengths > float(k), found, 0.0)
            total = found if total is None else total + found
        return total
    if columns > MOST_COLUMNS or rows.keys is None:
        return None
    shape = (rows.count, 1)
    parts = [
        apply_operation(
            "segment_sum",
            rows.keys,
            rows.values * elements_at(x.part(1, k, 1), rows.columns),
            attrs=(shape,),
        )
        for k in range(columns)
    ]
    return cat(1, *parts) if columns > 1 else parts[0]


def _sent(transpose: SparseMatrix) -> Rows:
    lengths = np.diff(transpose.indptr)
    count, widest = lengths.size, int(lengths.max())
    if widest <= WIDEST and widest * count <= SPARE * transpose.data.size:
        row = np.repeat(np.arange(count), lengths)
        place = np.arange(row.size) - np.repeat(transpose.indptr[:-1], lengths)
        tables = [np.zeros((count, widest), order="F") for _ in range(2)]
        for table, numbers in zip(tables, (transpose.data, transpose.indices), strict=True):
            table[row, place] = numbers
        values, columns = map(_leaf, tables)
        return Rows(count, values, columns, _leaf(lengths.astype(float)), None)
    keys = np.repeat(np.arange(1, count + 1, dtype=np.int32), lengths)
    parts = (transpose.data, transpose.indices.astype(float), keys)
    values, columns, rows = map(_leaf, parts)
    return Rows(count, values, columns, None, rows)


def _leaf(a: Array) -> Term:
    made = a if a.ndim == 2 else a.reshape(-1, 1)
    return Term(Session.runtime.leaf(np.asfortranarray(made)))
