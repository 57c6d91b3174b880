"""Making sparse matrices: from full ones, from SciPy's, element by element."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, Self

import numpy as np

from app.engine.values.canonical_form import canonical
from app.engine.values.containers import Array, SparseMatrix, Value
from app.errors import MatlabError


class Columns(Protocol):
    """What is needed of SciPy's matrices, which have no types."""

    data: Array

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

    def eliminate_zeros(self) -> None:
        """Store no zeros."""
        ...


def from_dense(a: Array) -> SparseMatrix:
    """The sparse form of a full matrix."""
    from scipy import sparse

    if a.ndim > 2:
        raise MatlabError("MATLAB:sparse:ND", "N-dimensional sparse arrays are not supported.")
    kind = a if a.dtype.kind in "fcb" else a.astype(np.float64)
    return SparseMatrix(sparse.csc_matrix(kind))


def sparse_value(m: Columns) -> SparseMatrix:
    """A matrix of ours as a value: zeros are not stored, real where it can be."""
    made = m.tocsc()
    if made.dtype.kind == "c" and not made.data.imag.any():
        made = made.real
    made.eliminate_zeros()
    return SparseMatrix(made)


def map_sparse(function: Callable[[Array], Array], a: SparseMatrix) -> Value:
    """An elementwise function; sparse when it keeps zeros, else full."""
    held = a.matrix.astype(np.float64) if a.matrix.dtype == np.bool_ else a.matrix
    if np.asarray(function(np.zeros((1, 1)))).flat[0] != 0:
        return canonical(np.asarray(function(held.toarray())))
    made = held.copy().tocsc()
    made.data = np.array(function(made.data.reshape(1, -1))).reshape(-1)
    return sparse_value(made)
