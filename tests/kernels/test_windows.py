"""Arrays larger than a binding are computed part by part: nobody sees a difference."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from app.accel.backends import reference
from app.accel.backends.wgpu import WgpuProvider
from app.accel.backends.wgpu.device import open_device
from app.accel.ir.dtypes import DType
from app.accel.ir.node import Node
from app.accel.runtime.runtime import AccelOptions, Runtime
from tests.accel.graphs import Graph

F32, F64 = DType.F32, DType.F64
LIMIT = 64 << 10
N = 100_003


@pytest.fixture(scope="module", params=["binding", "buffer"])
def cramped(request: pytest.FixtureRequest) -> Iterator[WgpuProvider]:
    """An adapter that binds no more than a few thousand elements, or has no larger buffers."""
    device = open_device()
    info = replace(device.info, max_binding_bytes=LIMIT)
    if request.param == "buffer":
        info = replace(info, max_buffer_bytes=LIMIT + 512)
    opened = WgpuProvider(replace(device, info=info))
    yield opened
    opened.close()


def data(shape: tuple[int, ...], dtype: DType = F32) -> np.ndarray:
    values = np.random.default_rng(3).random(shape)
    return np.asfortranarray(values.astype(dtype.numpy))


def flat(g: Graph) -> list[Node]:
    x = g.leaf(data((N, 1)))
    return [g.plus(g.times(g.sin(x), x), 0.5)]


def several_types(g: Graph) -> list[Node]:
    x, y = g.leaf(data((N, 1))), g.leaf(data((N, 1), F64))
    wide = g.plus(g.cast(x, attrs=(F64,)), y)
    return [wide, g.gt(wide, 1.0), g.cast(g.times(wide, 100.0), attrs=(DType.U8,))]


def broadcast(g: Graph) -> list[Node]:
    x, row, column = g.leaf(data((301, 407))), g.leaf(data((1, 407))), g.leaf(data((301, 1)))
    return [g.plus(g.times(x, row), column)]


def stencil(g: Graph) -> list[Node]:
    x = g.leaf(data((N, 1)))
    left = g.slice(x, attrs=((1, 1), (N - 2, 1)), data=(0, 0))
    right = g.slice(x, attrs=((1, 1), (N - 2, 1)), data=(2, 0))
    return [g.minus(right, left)]


def backwards(g: Graph) -> list[Node]:
    x = g.leaf(data((N, 1)))
    return [g.plus(g.slice(x, attrs=((-1, 1), (N, 1)), data=(N - 1, 0)), 1.0)]


def drawn(g: Graph) -> list[Node]:
    x = g.leaf(data((N, 1)))
    z = g.runtime.apply("random_uniform", (), (F32, (N, 1)), (11, 400))
    return [g.plus(x, z)]


def normal(g: Graph) -> list[Node]:
    return [g.runtime.apply("random_normal", (), (F32, (N, 1)), (5, 8))]


def sums(g: Graph) -> list[Node]:
    x = g.leaf(data((N, 1)))
    return [g.total(g.times(x, x)), g.amax(x, attrs=((0, 1),)), g.total(x)]


def matrix_total(g: Graph) -> list[Node]:
    return [g.total(g.leaf(data((301, 407))))]


def column_sums(g: Graph) -> list[Node]:
    return [g.sqrt(g.sum(g.leaf(data((301, 407))), attrs=((0,),)))]


def walk(g: Graph) -> list[Node]:
    trace = g.runtime.loop(6)
    s = trace.carry(g.leaf(data((N, 1))))
    z = g.runtime.apply("random_normal", (), (F32, (N, 1), N + 1), (11, 400))
    return trace.finish([g.times(s, g.exp(g.times(z, 0.1)))])


def scans(g: Graph) -> list[Node]:
    return [g.runtime.apply("cumsum", (g.leaf(data((301, 407))),), (0, False))]


CUT = [
    flat,
    several_types,
    broadcast,
    stencil,
    backwards,
    drawn,
    normal,
    sums,
    matrix_total,
    column_sums,
    walk,
    scans,
]


@pytest.mark.parametrize("program", CUT, ids=lambda p: p.__name__)
def test_parts_make_the_whole(
    cramped: WgpuProvider, program: Callable[[Graph], list[Node]]
) -> None:
    runtime = Runtime(AccelOptions(device="gpu", verify=True), cramped)
    nodes = program(Graph(runtime))
    expected = reference.evaluate(nodes, runtime.evaluation.leaf_value)
    runtime.evaluate(nodes)
    for node in nodes:
        got = runtime.gather(node)
        np.testing.assert_allclose(got, expected[node], rtol=3e-5, atol=1e-6)
    rows = runtime.recorder.groups.values()
    assert {row.provider for row in rows} == {"wgpu"}
    assert runtime.recorder.counters.fallbacks == 0
    assert runtime.recorder.counters.dispatches > len(rows)


@pytest.mark.parametrize("dtype", [DType.U8, DType.I16, F64])
def test_transfers_pass_borders(cramped: WgpuProvider, dtype: DType) -> None:
    each = LIMIT // dtype.size
    before = cramped.statistics().live_bytes
    buffer = cramped.allocate(dtype, 3 * each + 7)
    expected = (np.arange(3 * each + 7) % 251).astype(dtype.numpy)
    cramped.upload(buffer, expected)
    fresh = np.arange(9, dtype=dtype.numpy)
    for start in (each - 3, 2 * each - 5, each + 1):
        cramped.upload(buffer, fresh, start)
        expected[start : start + 9] = fresh
        got = cramped.download(buffer, start - 2, 13)
        np.testing.assert_array_equal(got, expected[start - 2 : start + 11])
    np.testing.assert_array_equal(cramped.download(buffer), expected)
    cramped.free(buffer)
    assert cramped.statistics().live_bytes == before


def test_what_cannot_be_cut_stays_on_the_host(cramped: WgpuProvider) -> None:
    runtime = Runtime(AccelOptions(device="gpu", verify=True), cramped)
    g = Graph(runtime)
    numbers = (data((N, 1)) * 100).astype(np.int16)
    total = runtime.apply("cumsum", (g.leaf(numbers),), (0, False))
    expected = np.minimum(np.cumsum(numbers.astype(float), axis=0), 32767)
    plain = reference.evaluate([total], runtime.evaluation.leaf_value)[total]
    np.testing.assert_array_equal(plain, expected)
    np.testing.assert_array_equal(runtime.gather(total), expected)
    [row] = runtime.recorder.groups.values()
    assert (row.provider, row.reason.value) == ("host", "buffer-limit")
    assert "bound at once" in row.detail


PRODUCTS = [
    ((300, 200), (200, 150), (False, False)),
    ((4, 30000), (30000, 3), (False, False)),
    ((200, 300), (150, 200), (True, True)),
    ((20, 20), (20, 5000), (False, False)),
    ((5000, 20), (20, 20), (False, False)),
]


@pytest.mark.parametrize(("left", "right", "turned"), PRODUCTS)
def test_products_in_blocks(
    cramped: WgpuProvider, left: tuple[int, int], right: tuple[int, int], turned: tuple[bool, bool]
) -> None:
    runtime = Runtime(AccelOptions(device="gpu", verify=True), cramped)
    g = Graph(runtime)
    product = runtime.apply("matmul", (g.leaf(data(left)), g.leaf(data(right))), turned)
    check(runtime, g.plus(product, 1.0))


SCANS = [
    ("cumsum", (N, 1), 0, False),
    ("cumsum", (N, 1), 0, True),
    ("cummax", (1, N), 1, False),
    ("cumprod", (301, 407), 1, True),
    ("cummin", (40000, 3), 1, False),
    ("cumsum", (40000, 3), 0, True),
]


@pytest.mark.parametrize(("op", "shape", "axis", "backwards"), SCANS)
def test_scans_in_stretches(
    cramped: WgpuProvider, op: str, shape: tuple[int, ...], axis: int, backwards: bool
) -> None:
    runtime = Runtime(AccelOptions(device="gpu", verify=True), cramped)
    g = Graph(runtime)
    x = g.plus(g.leaf(data(shape)), 0.5)
    check(runtime, g.times(runtime.apply(op, (x,), (axis, backwards)), 2.0))


def check(runtime: Runtime, node: Node) -> None:
    """The value is right, and the device computed all of it."""
    expected = reference.evaluate([node], runtime.evaluation.leaf_value)[node]
    np.testing.assert_allclose(runtime.gather(node), expected, rtol=2e-4, atol=1e-6)
    rows = runtime.recorder.groups.values()
    assert {row.provider for row in rows} == {"wgpu"}, [(r.kind, r.detail) for r in rows]
    assert runtime.recorder.counters.fallbacks == 0


@pytest.mark.parametrize("device", ["auto", "cpu"])
def test_pieces_are_a_matter_of_price(cramped: WgpuProvider, device: str) -> None:
    """Where the host is cheaper it computes the whole."""
    runtime = Runtime(AccelOptions(device=device), cramped)
    runtime.placer.device = replace(runtime.placer.device, matmul=1.0)
    g = Graph(runtime)
    node = runtime.apply("matmul", (g.leaf(data((300, 200))), g.leaf(data((200, 150)))), ())
    runtime.gather(node)
    assert [row.provider for row in runtime.recorder.groups.values()] == ["host"]


@pytest.mark.slow
def test_more_than_the_adapter_binds(provider: WgpuProvider) -> None:
    limit = provider.info.max_binding_bytes
    if limit > 256 << 20:
        pytest.skip("this adapter binds everything")
    count = limit // 4 + 1_000_003
    runtime = Runtime(AccelOptions(device="gpu", verify=True), provider)
    g = Graph(runtime)
    x = g.leaf(np.full((count, 1), 0.5, np.float32))
    y = g.plus(g.times(x, 2.0), 1.0)
    total = g.total(y)
    assert runtime.gather(total)[0, 0] == pytest.approx(2.0 * count)
    assert runtime.gather_elements(y, [0, limit // 4, count - 1]).tolist() == [2.0, 2.0, 2.0]
    assert {row.provider for row in runtime.recorder.groups.values()} == {"wgpu"}
    runtime.residency.table.clear()
    runtime.executor.storage.bury()
    provider.trim()
