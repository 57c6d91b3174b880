"""Functions that only move elements, for arrays of classes that they know nothing of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.values import Value, as_array, canonical

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOVERS = (
    "reshape",
    "repmat",
    "permute",
    "flip",
    "fliplr",
    "flipud",
    "circshift",
    "transpose",
    "ctranspose",
    "squeeze",
    "repelem",
    "rot90",
    "shiftdim",
    "vec",
)


def moved_positions(
    ctx: CallContext, name: str, shape: tuple[int, ...], rest: tuple[Value, ...]
) -> NDArray[np.int64]:
    """Where a function takes each element from: linear positions from 0, in the result's shape.

    Args:
        ctx: makes the call.
        name: a function that moves elements, such as one of `MOVERS`.
        shape: the size of the array.
        rest: what the function is given after the array.
    """
    places = np.arange(1.0, np.prod(shape, dtype=int) + 1).reshape(shape, order="F")
    (index,) = ctx.call(name, (canonical(places), *rest), 1)
    return as_array(index).astype(np.int64) - 1
