"""Ranks of numbers, equal ones sharing the mean of theirs."""

from __future__ import annotations

import numpy as np

from app.engine.values import Array


def tied_ranks(x: Array) -> Array:
    """The ranks of the numbers of a vector, from 1; all NaN where one of them is NaN."""
    if np.isnan(x).any():
        return np.full(x.shape, np.nan)
    _, which, counts = np.unique(x, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2)[which])
