"""The counter-based generator: the published stream, and the same bits everywhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from app.accel.backends.wgpu import WgpuProvider
from app.accel.backends.wgpu.device import open_device
from app.accel.codegen import philox
from app.accel.codegen import philox_numpy as by_numpy
from app.accel.codegen.elementary.numpy_form import evaluate
from app.accel.ir.dtypes import DType
from app.accel.ir.node import Node
from app.accel.runtime.runtime import AccelOptions, Runtime
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


@pytest.fixture(scope="module")
def without_long_integers() -> Iterator[WgpuProvider]:
    """An adapter whose shaders have no 64-bit integers, and so no doubles."""
    device = open_device()
    opened = WgpuProvider(replace(device, info=replace(device.info, int64=False, f64=False)))
    yield opened
    opened.close()


def loop_of_draws(runtime: Runtime) -> list[Node]:
    trace = runtime.loop(5)
    s = trace.carry(runtime.leaf(np.ones((1001, 1), np.float32, order="F")))
    z = runtime.apply("random_normal", (), (DType.F32, (1001, 1), 2**33 + 4), (2**40 + 7, 2**33))
    return trace.finish([runtime.apply("plus", (s, z))])


def one_draw(op: str) -> Callable[[Runtime], list[Node]]:
    data = (2**40 + 7, 2**32 - 400)  # the number of the block passes 2^30 on the way
    return lambda runtime: [runtime.apply(op, (), (DType.F32, (37, 59)), data)]


def some_draws(runtime: Runtime) -> list[Node]:
    [node] = one_draw("random_uniform")(runtime)
    return [runtime.apply("slice", (node,), ((1, 1), (5, 59)), (3, 0))]


PROGRAMS = [one_draw("random_uniform"), one_draw("random_normal"), some_draws, loop_of_draws]


@pytest.mark.parametrize("program", PROGRAMS, ids=("uniform", "normal", "part", "loop"))
def test_shaders_without_long_integers_draw_the_same(
    without_long_integers: WgpuProvider, provider: WgpuProvider, program: Callable[..., list[Node]]
) -> None:
    found = []
    for device in (without_long_integers, provider):
        runtime = Runtime(AccelOptions(device="gpu", verify=True), device)
        [node] = program(runtime)
        found.append(runtime.gather(node, "test"))
        assert {row.provider for row in runtime.recorder.groups.values()} == {"wgpu"}
        sources = [row.source for row in runtime.recorder.kernels.values()]
        assert any("u64" in source for source in sources) == (device is provider)
        assert runtime.recorder.counters.fallbacks == 0
    np.testing.assert_array_equal(*found)
