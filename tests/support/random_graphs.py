"""What is asked of random programs, and when two answers agree."""

from __future__ import annotations

import numpy as np

from app.accel.ir.node import Node
from tests.accel.programs import Program


def agree(got: np.ndarray, expected: np.ndarray) -> bool:
    """Equal but for the order of sums."""
    single = expected.dtype in {np.dtype(np.float32), np.dtype(np.complex64)}
    tolerance = 2e-3 if single else 1e-9
    finite = np.abs(np.where(np.isfinite(expected), expected, 0))
    slack = tolerance * (1 + float(np.max(finite, initial=0)))
    return np.allclose(got, expected, rtol=tolerance, atol=slack, equal_nan=True)


def wanted_of(program: Program) -> list[Node]:
    extra = program.choose.sample(program.pool, min(len(program.pool), 2))
    return [program.pool[-1], *extra]
