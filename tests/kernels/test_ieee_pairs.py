"""Special values where two operations meet: on the software adapter and in machine code."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.accel.ir.dtypes import DType
from app.accel.runtime.runtime import Runtime
from app.accel.support.options import AccelOptions
from tests.kernels.ieee_pairs import CLASSES, Pair, mistakes, sample
from tests.support.machine_code import compiling_runtime


@pytest.fixture(scope="module", params=["gpu", "host"])
def runtimes(request: pytest.FixtureRequest) -> Iterator[tuple[Runtime, Runtime]]:
    if request.param == "gpu":
        request.getfixturevalue("provider")  # fails where no adapter opens
        made = [Runtime(AccelOptions(device="gpu", verify=True)) for _ in "ab"]
    else:
        made = [compiling_runtime(), compiling_runtime()]
    yield made[0], made[1]
    for runtime in made:
        runtime.close()


FOLDED = [
    Pair(DType.F64, "identity", "minus", ("f", "x")),
    Pair(DType.F64, "times", "minus", ("f", "g")),
    Pair(DType.F64, "exp", "minus", ("f", "f")),
    Pair(DType.F64, "uminus", "plus", ("f", "x")),
    Pair(DType.F64, "sqrt", "times", ("f", "f")),
    Pair(DType.F64, "cast bool", "times", ("f", "y")),
    Pair(DType.F64, "rdivide", "rem", ("x", "f")),
    Pair(DType.F64, "identity", "rdivide", ("f", "x")),
    Pair(DType.F64, "times", "eq", ("f", "g")),
    Pair(DType.F64, "identity", "select", ("lt", "f", "x")),
]
"""What compilers fold when they take all numbers for finite."""


@pytest.mark.parametrize("dtype", [DType.F64, DType.F32], ids=lambda d: d.value)
def test_nothing_is_folded_that_may_be_nan(runtimes: tuple[Runtime, Runtime], dtype: DType) -> None:
    chosen = [Pair(dtype, p.inner, p.outer, p.form) for p in FOLDED]
    assert not mistakes(*runtimes, chosen)


@pytest.mark.parametrize("dtype", CLASSES, ids=lambda d: d.value)
def test_pairs_agree_with_the_host(runtimes: tuple[Runtime, Runtime], dtype: DType) -> None:
    inners, each = (4, 24) if dtype.is_float else (2, 24)
    assert not mistakes(*runtimes, sample(dtype, inners, each, seed=3))
