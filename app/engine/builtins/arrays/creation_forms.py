"""Large matrices whose elements follow from their places."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.accel.ir.dtypes import of_numpy
from app.engine.capture.capture_session import Session
from app.engine.capture.terms import position


def identity(shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    """Ones on the diagonal."""
    if not Session.is_active or dtype.kind == "c":
        return NotImplemented
    diagonal = position(shape, 0).eq(position(shape, 1))
    return diagonal.cast(of_numpy(dtype)).value


def hilbert(order: int) -> Any:
    """One over the sum of row and column."""
    if not Session.is_active:
        return NotImplemented
    shape = (order, order)
    return (1 / (position(shape, 0) + position(shape, 1) + 1.0)).value
