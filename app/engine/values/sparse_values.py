"""Making sparse matrices: from full ones, from SciPy's, element by element."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Protocol, Self

import numpy as np

from app.engine.values.containers import Array, SparseMatrix
from app.errors import MatlabError

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix


class Columns(Protocol):
    """What is needed of SciPy's matrices, which have no types."""

    data: Array
    indices: Array
    indptr: Array
    shape: tuple[int, int]

    @property
    def dtype(self) -> np.dtype[np.generic]:
        """The element type."""
        ...

    @property
    def real(self) -> Self:
        """The real part."""
        ...

    def tocsc(self) -> Self:
        """The matrix by compressed columns."""
        ...

    def sum_duplicates(self) -> None:
        """Put the elements in order, each place once."""
        ...

    def eliminate_zeros(self) -> None:
        """Store no zeros."""
        ...


@cache
def _template() -> csc_matrix:
    from scipy.sparse import csc_matrix

    made = csc_matrix((1, 1))
    made.has_canonical_format = True
    return made


def from_columns(
    data: Array, indices: Array, indptr: Array, shape: tuple[int, int]
) -> SparseMatrix:
    """A matrix of compressed columns whose rows are in order, each once, and none zero.

    SciPy's own constructor checks them again, which takes longer than small operations do.
    """
    known = _template()
    made = object.__new__(type(known))
    arrays = {"data": data, "indices": indices, "indptr": indptr}
    made.__dict__ = {**known.__dict__, "_shape": shape, **arrays}
    return SparseMatrix(made)


def from_dense(a: Array) -> SparseMatrix:
    """The sparse form of a full matrix."""
    if a.ndim > 2:
        raise MatlabError("MATLAB:sparse:ND", "N-dimensional sparse arrays are not supported.")
    kind = a if a.dtype.kind in "fcb" else a.astype(np.float64)
    kind = np.atleast_2d(kind)
    rows, columns = kind.shape
    flat = kind.ravel(order="F")
    places = flat.nonzero()[0]
    whole = np.int32 if max(places.size, rows, columns) < 1 << 31 else np.int64
    if not rows:
        return from_columns(flat, places.astype(whole), np.zeros(columns + 1, whole), kind.shape)
    indptr = places.searchsorted(np.arange(0, flat.size + 1, rows)).astype(whole)
    return from_columns(flat[places], (places % rows).astype(whole), indptr, kind.shape)


def sparse_value(m: Columns) -> SparseMatrix:
    """A matrix of ours as a value: zeros are not stored, real where it can be."""
    made = m.tocsc()
    if made.dtype.kind == "c" and not made.data.imag.any():
        made = made.real
    made.eliminate_zeros()
    return SparseMatrix(made)
