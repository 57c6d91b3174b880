"""Making sparse matrices: from full ones, from SciPy's, element by element."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from app.engine.values.containers import Array, SparseMatrix
from app.errors import MatlabError

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix


class Columns(Protocol):
    """Compressed columns: a value of ours, or a matrix of SciPy's, which has no types."""

    @property
    def data(self) -> Array:
        """The numbers that are stored."""
        ...

    @property
    def indices(self) -> Array:
        """The row of each, from 0; in order within a column."""
        ...

    @property
    def indptr(self) -> Array:
        """Where every column begins in them, and where the last one ends."""
        ...

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        ...

    @property
    def dtype(self) -> np.dtype[np.generic]:
        """The element type."""
        ...


def from_dense(a: Array) -> SparseMatrix:
    """The sparse form of a full matrix."""
    if a.ndim > 2:
        raise MatlabError("MATLAB:sparse:ND", "N-dimensional sparse arrays are not supported.")
    kind = a if a.dtype.kind in "fcb" else a.astype(np.float64)
    kind = kind if kind.ndim == 2 else np.atleast_2d(kind)
    rows, columns = kind.shape
    flat = kind.ravel(order="F")
    places = flat.nonzero()[0]
    whole = np.int32 if max(places.size, rows, columns) < 1 << 31 else np.int64
    if not rows:
        return SparseMatrix(flat, places.astype(whole), np.zeros(columns + 1, whole), kind.shape)
    ends = np.arange(0, flat.size + 1, rows)
    indptr = (ends if places.size == flat.size else places.searchsorted(ends)).astype(whole)
    indices = (places % rows if columns > 1 else places).astype(whole)
    return SparseMatrix(flat[places], indices, indptr, kind.shape)


def sparse_value(m: csc_matrix) -> SparseMatrix:
    """A matrix of ours as a value: zeros are not stored, real where it can be."""
    made = m.tocsc()
    if made.dtype.kind == "c" and not made.data.imag.any():
        made = made.real
    made.eliminate_zeros()
    return SparseMatrix.of(made)
