"""Medians of large numbers: the sum of the two middle ones may pass what numbers hold."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from app.engine.values import Array

Median = Callable[..., ArrayLike]
RealMedian = Callable[..., Array]


def without_overflow(of: Median) -> RealMedian:
    """``of``, a median of real numbers, also where the two middle ones have no finite sum."""

    def median(a: Array, **options: object) -> Array:
        found = np.asarray(of(a, **options))
        endless = np.isinf(found)
        if not endless.any():
            return found
        return np.asarray(np.where(endless, np.asarray(of(a / 2, **options)) * 2, found))

    return median


median = without_overflow(np.median)
"""``numpy.median``."""
nanmedian = without_overflow(np.nanmedian)
"""``numpy.nanmedian``."""
