"""The counter-based generator: the published stream, and the same bits everywhere."""

from __future__ import annotations

import numpy as np
import pytest

from app.accel import philox
from app.accel.dtypes import DType
from app.accel.functions import philox as by_numpy
from app.accel.functions.registry import evaluate
from app.accel.providers.wgpu import WgpuProvider
from app.accel.runtime import AccelOptions, Runtime
from tests.accel.functions import devices


def test_published_block() -> None:
    words = [hex(int(w)) for w in philox.blocks(0, 0, 1)[:, 0]]
    assert words == ["0x6627e8d5", "0xe169c58d", "0xbc57ac4c", "0x9b00dbd8"]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_any_part_of_a_stream(dtype: type) -> None:
    for draw in (by_numpy.uniform, by_numpy.normal):
        whole = draw(9, 0, 100, dtype)
        np.testing.assert_array_equal(draw(9, 36, 50, dtype), whole[36:86])
    u = by_numpy.uniform(1, 0, 10000, dtype)
    assert 0 < u.min() < u.max() < 1


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_normals_have_the_same_bits_on_the_device(provider: WgpuProvider, dtype: type) -> None:
    u = by_numpy.uniform(5, 0, 20000, dtype)
    ours = evaluate("normal_pair", u[0::2], u[1::2])
    theirs = devices.evaluate(provider, "normal_pair", u[0::2], u[1::2])
    for a, b in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(a, b)
    assert abs(np.std(ours[0]) - 1) < 0.03


@pytest.mark.parametrize("op", ["random_uniform", "random_normal"])
@pytest.mark.parametrize("dtype", [DType.F32, DType.F64])
def test_kernels_draw_the_host_numbers(provider: WgpuProvider, op: str, dtype: DType) -> None:
    runtime = Runtime(AccelOptions(device="gpu"), provider)
    node = runtime.apply(op, (), (dtype, (37, 59)), (2**40 + 7, 2**33 + 8))
    draw = philox.uniform if op == "random_uniform" else philox.normal
    expected = draw(2**40 + 7, 2**33 + 8, 37 * 59, dtype)
    got = runtime.gather(node, "test").reshape(-1, order="F")
    assert runtime.recorder.counters.fallbacks == 0
    np.testing.assert_array_equal(got, expected)
    part = runtime.apply("slice", (node,), ((1, 1), (5, 59)), (3, 0))
    np.testing.assert_array_equal(
        runtime.gather(part, "test").reshape(5, 59, order="F"),
        expected.reshape(37, 59, order="F")[3:8],
    )
