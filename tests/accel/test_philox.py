"""Random numbers: the published generator, and compiled numbers bit for bit."""

from __future__ import annotations

import numpy as np
import pytest

from app.accel.codegen import philox
from app.accel.ir.dtypes import DType

# Philox4x32-10 of Random123's known-answer tests: counter and key all zero.
ZEROS = (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)


def test_known_answer() -> None:
    assert tuple(philox.blocks(0, 0, 1)[:, 0].tolist()) == ZEROS


@pytest.mark.parametrize("dtype", [DType.F32, DType.F64])
@pytest.mark.parametrize("kind", ["uniform", "normal"])
def test_compiled_numbers_are_the_same(kind: str, dtype: DType) -> None:
    from app.accel.codegen import philox_llvm

    slow = getattr(philox, f"_{kind}")(2**40 + 77, 2**33 + 4, 10001, dtype)
    assert np.array_equal(slow, philox_llvm.draw(kind, 2**40 + 77, 2**33 + 4, 10001, dtype))


@pytest.mark.parametrize("dtype", [DType.F32, DType.F64])
def test_moments(dtype: DType) -> None:
    x = philox._normal(3, 0, 200000, dtype)
    assert abs(float(x.mean())) < 0.01
    assert abs(float(x.std()) - 1) < 0.01
    u = philox._uniform(3, 0, 200000, dtype)
    assert 0 < u.min() < u.max() < 1
    assert abs(float(u.mean()) - 0.5) < 0.005
