"""The order of numbers as MATLAB sorts them, shared by the language and the providers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def sort_order(x: NDArray[Any], axis: int, *, descending: bool) -> NDArray[np.intp]:
    """A stable order along an axis; NaN last when ascending, first when descending.

    Complex numbers are ordered by magnitude, then by angle.
    """
    keys = (np.abs(x), np.angle(x)) if x.dtype.kind == "c" else (x,)
    if not descending:
        return _ascending(keys, axis)
    flipped = tuple(np.flip(key, axis) for key in keys)
    return np.flip(x.shape[axis] - 1 - _ascending(flipped, axis), axis)


def _ascending(keys: tuple[NDArray[Any], ...], axis: int) -> NDArray[np.intp]:
    if len(keys) == 1:
        return np.argsort(keys[0], axis=axis, kind="stable")
    return np.lexsort(tuple(reversed(keys)), axis=axis)
