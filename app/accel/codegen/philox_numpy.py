"""Random numbers for callers that speak NumPy: see `philox` for the definition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from app.accel.codegen import philox
from app.accel.ir import dtypes

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray


def uniform(key: int, offset: int, n: int, dtype: DTypeLike = np.float64) -> NDArray[Any]:
    """n uniform numbers in (0, 1): elements offset, offset + 1, ... of the stream `key`."""
    return philox.uniform(key, offset, n, dtypes.of_numpy(np.dtype(dtype)))


def normal(key: int, offset: int, n: int, dtype: DTypeLike = np.float64) -> NDArray[Any]:
    """n standard normal numbers, likewise."""
    return philox.normal(key, offset, n, dtypes.of_numpy(np.dtype(dtype)))
