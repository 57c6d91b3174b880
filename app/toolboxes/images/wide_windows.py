"""Neighbourhoods of many pixels that are far apart: shifted pictures joined one after the other.

ndimage makes a table of places first, for every pixel that lies near an edge all cells of the
window. Of a window as large as the picture that takes gigabytes and minutes, in which nobody else
has a turn and no stop is heeded.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from app.engine.stoppable import heeding
from app.engine.values import Array

MOST_PLACES = 1 << 22
"""Entries of ndimage's table: 32 MB, made within a moment."""


def is_wide(a: Array, cells: Array) -> bool:
    """Whether ndimage would make too large a table for the cells of a window that has gaps."""
    near_an_edge = math.prod(min(n, m) for n, m in zip(a.shape, cells.shape, strict=True))
    return not cells.all() and int(cells.sum()) * near_an_edge > MOST_PLACES


def joined(
    a: Array, cells: Array, join: np.ufunc, before: Sequence[int], beyond: float | None = None
) -> Array:
    """The pixels of each window joined.

    Args:
        a: the picture.
        cells: which pixels of a window count, at least one; as many dimensions as ``a``.
        join: how two are joined: ``np.fmax``, ``np.fmin`` or ``np.add``.
        before: how many pixels of a window lie before its own, of each dimension.
        beyond: what lies beyond the edges; the mirrored picture for None.
    """
    around = [(b, n - 1 - b) for b, n in zip(before, cells.shape, strict=True)]
    if beyond is None:
        wide = np.pad(a, around, mode="symmetric")
    else:
        wide = np.pad(a, around, constant_values=beyond)
    shifted = (
        wide[tuple(slice(k, k + n) for k, n in zip(place, a.shape, strict=True))]
        for place in heeding(np.argwhere(cells), every=1)
    )
    made: Array = next(shifted).copy()
    for part in shifted:
        join(made, part, out=made)
    return made
