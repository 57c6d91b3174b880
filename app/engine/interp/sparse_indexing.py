"""Indexing of sparse matrices: results stay sparse, assignments go through a list of triplets."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.interp.gather_elements import linear_shape
from app.engine.interp.store_elements import put, remove
from app.engine.interp.subscripts import Resolved, is_colon, resolve
from app.engine.values import SparseMatrix, Value, as_array
from app.errors import MatlabError


def read(x: SparseMatrix, args: tuple[Value, ...]) -> Value:
    """``S(i)`` or ``S(i, j)``."""
    matrix = x.matrix.tocsc()
    rows, columns = x.shape
    if len(args) == 1:
        return _linear(matrix, args[0], x.shape)
    if len(args) != 2:
        text = "Sparse matrices have two subscripts."
        raise MatlabError("MATLAB:sparseNDSubscript", text)
    i = _positions(resolve(args[0], rows, 0, 2)[0], rows)
    j = _positions(resolve(args[1], columns, 1, 2)[0], columns)
    return SparseMatrix(matrix[i, :][:, j].tocsc())


def _positions(index: Resolved, extent: int) -> Any:
    return np.arange(*index.indices(extent)) if isinstance(index, slice) else index


def _linear(matrix: Any, sub: Value, shape: tuple[int, ...]) -> Value:
    from scipy.sparse import csc_matrix

    total = shape[0] * shape[1]
    if is_colon(sub):
        index, made = np.arange(total), tuple[int, ...]((total, 1))
    else:
        resolved, count = resolve(sub, total)
        index = _positions(resolved, total)
        made = linear_shape(shape, sub, count)
    values = np.asarray(matrix[index % shape[0], index // shape[0]]).reshape(-1)
    return SparseMatrix(csc_matrix(values.reshape(made, order="F")))


def write(x: SparseMatrix, args: tuple[Value, ...], v: Value) -> Value:
    """``S(args) = v``."""
    from scipy.sparse import csc_matrix

    if len(args) == 2 and all(type(a) is float for a in args) and type(v) in {float, bool}:
        i, j = int(args[0]) - 1, int(args[1]) - 1
        if 0 <= i < x.shape[0] and 0 <= j < x.shape[1]:
            made = x.matrix.tolil(copy=True)
            made[i, j] = v
            return SparseMatrix(made.tocsc())
    dense = put(x.dense(), args, as_array(v).astype(np.float64), 0.0, True)
    return SparseMatrix(csc_matrix(dense))


def remove_from(x: SparseMatrix, args: tuple[Value, ...]) -> Value:
    """``S(args) = []``."""
    from scipy.sparse import csc_matrix

    return SparseMatrix(csc_matrix(remove(x.dense(), args)))
