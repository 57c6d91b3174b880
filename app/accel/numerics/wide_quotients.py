"""Quotients of integers of 64 bits, of whose halves no float holds all."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.integer]


def wide_quotient(a: Integers, b: Integers, how: str = "round") -> Integers:
    """``a ./ b`` of one class, rounded by ``fix``, ``floor``, ``ceil`` or away from zero at halves.

    0/0 is 0, other numbers over 0 the limits of the class.
    """
    limits = np.iinfo(a.dtype)
    top, bottom = (np.where(x < 0, 0 - x.astype(np.uint64), x.astype(np.uint64)) for x in (a, b))
    safe = np.where(bottom == 0, np.uint64(1), bottom)
    q, r = np.divmod(top, safe)
    negative = (a < 0) != (b < 0)
    if how == "round":
        q += r >= safe - r
    elif how != "fix":
        q += (r > 0) & (negative == (how == "floor"))
    if a.dtype.kind == "u":
        return np.where((bottom == 0) & (a > 0), limits.max, q).astype(a.dtype)
    size = np.minimum(q, np.uint64(limits.max)).astype(a.dtype)
    down = np.where(q > limits.max, a.dtype.type(limits.min), -size)
    found = np.where(negative, down, size)
    edge = np.where(a < 0, limits.min, limits.max).astype(a.dtype)
    return np.where((b == 0) & (a != 0), edge, found)
