"""Arrays that are reduced: shapes with the axes that go, and their values."""

from __future__ import annotations

import numpy as np

from app.accel.ir.dtypes import DType

SHAPES = [
    ((1000, 1), (0,)),
    ((1, 1001), (1,)),
    ((3, 500), (0,)),
    ((500, 3), (1,)),
    ((128, 70), (0,)),
    ((128, 70), (1,)),
    ((200000, 1), (0,)),
    ((2, 90001), (1,)),
    ((100003, 2), (0,)),
    ((40, 50, 6), (1,)),
    ((40, 50, 6), (0, 2)),
    ((64, 50, 6), (0, 1)),
    ((7, 30, 5), (0, 1, 2)),
    ((3000, 40), (1,)),
    ((700, 900), (0,)),
    ((900, 700), (0, 1)),
]


def data(shape: tuple[int, ...], dtype: DType) -> np.ndarray:
    rng = np.random.default_rng(3)
    if dtype is DType.BOOL:
        return np.asfortranarray(rng.random(shape) < 0.5)
    if dtype.is_integer:
        return np.asfortranarray(rng.integers(0, 100, shape).astype(dtype.numpy))
    values = rng.uniform(0.99, 1.01, shape)
    if dtype.is_complex:
        return np.asfortranarray((values + 1j * rng.uniform(-0.1, 0.1, shape)).astype(dtype.numpy))
    values[rng.random(shape) < 0.02] = np.nan if dtype is DType.F32 else -0.5
    return np.asfortranarray(values.astype(dtype.numpy))
