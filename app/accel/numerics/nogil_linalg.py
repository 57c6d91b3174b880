"""LAPACK for large matrices in calls during which the other threads go on.

SciPy's wrappers of some routines (``gesv``, ``getri``, ``potrf``, ``trtrs``, ``geev``) keep the
interpreter to themselves until they are done: a window beside them would stand still.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.accel.numerics.lapack import routine

Array = NDArray[Any]
LARGE = 200
"""Rows from which a routine takes long enough to be noticed."""
STRIP = 200_000_000
"""Operations of a solution by a triangle before the others get their turn."""


def cholesky(a: Array, *, lower: bool = False) -> tuple[Array, int]:
    """Factor, zeros beside it, and LAPACK's word on it: the first minor that is not positive."""
    if a.shape[0] >= LARGE:
        try:
            return np.asfortranarray(np.linalg.cholesky(a, upper=not lower)), 0
        except np.linalg.LinAlgError:
            pass  # where it fails is what LAPACK itself tells
    factor, info = routine("potrf", a.dtype)(a, lower=lower, clean=True)
    return factor, int(info)


def in_strips(solve: Callable[[Array], Array], n: int, right: Array) -> Array:
    """``solve(right)`` for ``n`` unknowns, some columns at a time."""
    width = max(1, STRIP // max(n * n, 1))
    if right.shape[1] <= width:
        return solve(right)
    starts = range(0, right.shape[1], width)
    return np.hstack([solve(right[:, start : start + width]) for start in starts])
