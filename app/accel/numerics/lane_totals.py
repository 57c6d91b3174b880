"""Sums and products in the order of machine code that works on so many elements at a time."""

from __future__ import annotations

import operator
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

NOTHING = {"sum": 0.0, "prod": 1.0}
"""What changes no total."""
_JOINED = {"sum": (np.add, operator.add), "prod": (np.multiply, operator.mul)}


def total(op: str, values: NDArray[np.generic], lanes: int) -> float:
    """Neighbouring lanes are joined until one is left of each group; groups follow one another."""
    flat, (joined, join) = values.reshape(-1, order="F"), _JOINED[op]
    groups = -(-flat.size // lanes)
    padded = np.full(groups * lanes, NOTHING[op])
    padded[: flat.size] = flat
    grid = padded.reshape(groups, lanes)
    while grid.shape[1] > 1:
        grid = joined(grid[:, 0::2], grid[:, 1::2])
    found: float = reduce(join, grid[:, 0].tolist(), NOTHING[op])
    return found
