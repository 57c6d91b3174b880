"""Compressed columns as SciPy's matrix and as a full array; SciPy is loaded when that is wanted."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray
    from scipy.sparse import csc_matrix

    Array = NDArray[np.generic]
    Parts = tuple[Array, Array, Array]
    """Numbers, the rows of each, in order, and where every column begins in them."""


@cache
def _template() -> csc_matrix:
    from scipy.sparse import csc_matrix

    made = csc_matrix((1, 1))
    made.has_canonical_format = True
    return made


def scipys_matrix(parts: Parts, shape: tuple[int, int]) -> csc_matrix:
    """SciPy's matrix of these arrays.

    Its own constructor checks them again, which takes longer than small operations do.
    """
    known = _template()
    made = object.__new__(type(known))
    arrays = dict(zip(("data", "indices", "indptr"), parts, strict=True))
    made.__dict__ = {**known.__dict__, "_shape": shape, **arrays}
    return made


@cache
def _filling() -> Callable[..., None]:
    from app.accel.numerics.scipy_extensions import extension

    made: Callable[..., None] = extension("scipy.sparse._sparsetools").csr_todense
    return made


def full(parts: Parts, shape: tuple[int, int]) -> Array:
    """The full array, in column-major order."""
    (data, indices, indptr), (rows, columns) = parts, shape
    made = np.zeros((columns, rows), data.dtype)
    _filling()(columns, rows, indptr, indices, data, made)
    return made.T
