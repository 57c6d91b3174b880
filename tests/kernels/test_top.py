"""The first few of each line: order, ties and missing values as when the line is sorted."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.accel.codegen.algorithms.top import MOST, TOP_FEW
from app.accel.ir.dtypes import DType
from app.accel.ir.plan import Reduce
from app.accel.planner import calibration
from app.accel.runtime.runtime import AccelOptions, Runtime
from app.api import Session
from app.engine.builtins.arrays import sorting_forms

if TYPE_CHECKING:
    from app.accel.backends.base import Provider

SHAPES = [((1, 1), 0), ((7, 5), 0), ((5, 700), 1), ((3000, 4), 0), ((6, 40, 9), 1)]


@pytest.mark.parametrize("name", ["f4", "f8", "i1", "i2", "u2", "i4", "i8", "b1"])
@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize(("shape", "axis"), SHAPES)
def test_the_first_few_are_those_of_the_sorted_line(
    provider: Provider, shape: tuple[int, ...], axis: int, descending: bool, name: str
) -> None:
    draw = np.random.default_rng(len(shape) + axis)
    data = draw.integers(-9, 9, shape).astype(name)
    if data.dtype.kind == "f":
        data.flat[:: max(1, data.size // 7)] = np.resize(
            [np.nan, np.inf, -np.inf, -0.0, 0.0], data.flat[:: max(1, data.size // 7)].shape
        )
    runtime = Runtime(AccelOptions(device="gpu", verify=True), provider)
    leaf = runtime.leaf(np.asfortranarray(data))
    for count in {1, min(3, shape[axis]), min(MOST, shape[axis])}:
        attrs = (axis, descending, count)
        nodes = [runtime.apply(op, (leaf,), attrs) for op in ("top", "top_index")]
        whole = [runtime.apply(op, (leaf,), attrs[:2]) for op in ("sort", "sort_index")]
        runtime.evaluate([*nodes, *whole])
        for node, full in zip(nodes, whole, strict=True):
            wanted = np.take(runtime.gather(full), range(count), axis=axis)
            found = runtime.gather(node)
            assert np.array_equal(
                found.reshape(wanted.shape), wanted, equal_nan=wanted.dtype.kind == "f"
            )
    assert runtime.recorder.counters.fallbacks == 0


def test_what_it_takes_is_said_in_plain_numbers() -> None:
    """They are kept between runs, in files from which no other class is read."""
    reduction = Reduce("top", 0, DType.F32)
    request = replace(calibration.kernel(1), reductions=(reduction,))
    effort = TOP_FEW.work(request, 1000, 3)
    assert [type(number) for number in effort] == [int, int, float]


def test_the_limits_agree() -> None:
    assert sorting_forms.MOST_KEPT == MOST


def test_nearest_neighbours_stay_on_the_device() -> None:
    with Session(device="gpu") as s:
        s.eval(
            "Q = rand(64, 8, 'single'); P = rand(3000, 8, 'single');"
            "D = sum(Q.^2, 2) + sum(P.^2, 2)' - 2*Q*P'; [m, i] = mink(D, 5, 2);"
            "disp(sum(m(:)) > -1 && max(i(:)) <= 3000)"
        )
        assert s.report is not None
        assert s.report.counters["download_bytes"] < 100
