"""Sparse factors by SuperLU's compiled library alone; its package takes a quarter of a second."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from app.accel.numerics.scipy_extensions import extension

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.generic]


class Factors(Protocol):
    """Triangular factors of a matrix whose columns and rows have been put in another order."""

    def solve(self, right: Array) -> Array:
        """The solution for a right side, or for each column of one, of the class of the factors."""
        ...


class Columns(Protocol):
    """Compressed columns of floats: rows in order, each once."""

    data: Array
    indices: Array
    indptr: Array
    shape: tuple[int, int]


def factors(m: Columns) -> Factors:
    """The factors of a square matrix, as ``scipy.sparse.linalg.splu`` finds them.

    Raises:
        RuntimeError: the matrix is singular.
    """
    places = (p.astype(np.intc, copy=False) for p in (m.indices, m.indptr))
    find = extension("scipy.sparse.linalg._dsolve._superlu").gstrf
    options = dict.fromkeys(("DiagPivotThresh", "ColPerm", "PanelSize", "Relax"))
    found: Factors = find(
        m.shape[0],
        m.data.size,
        m.data,
        *places,
        csc_construct_func=None,
        ilu=False,
        options=options,
    )
    return found
