"""Matrix products on the device."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.accel.codegen.wgsl import tiles
from app.accel.ir.dtypes import DType
from app.accel.runtime.runtime import Runtime
from tests.accel.graphs import Graph

SIZES = [
    (1, 1, 2),
    (5, 7, 3),
    (33, 65, 17),
    (64, 64, 64),
    (128, 96, 40),
    (300, 1, 70),
    (1, 200, 500),
    (2, 3, 5000),
    (130, 257, 33),
    (200, 2, 30),
    (150, 7, 33),
    (9, 300, 200),
    (33, 12, 700),
]


@pytest.mark.parametrize("dtype", [DType.F32, DType.F64])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("turned", [(0, 0), (1, 0), (0, 1), (1, 1)])
def test_product(
    runtime: Runtime, dtype: DType, size: tuple[int, int, int], turned: tuple[int, int]
) -> None:
    check(runtime, dtype, size, turned)


@pytest.mark.parametrize("mode", ["large", "medium", "small"])
def test_every_algorithm(runtime: Runtime, monkeypatch: pytest.MonkeyPatch, mode: str) -> None:
    monkeypatch.setattr(tiles, "mode_of", lambda *_, **__: mode)
    for turned in ((0, 0), (1, 1)):
        check(runtime, DType.F32, (150, 140, 37), turned)


@pytest.mark.parametrize("mode", ["largex", "mediumx", "smallx"])
def test_whole_tiles(runtime: Runtime, monkeypatch: pytest.MonkeyPatch, mode: str) -> None:
    monkeypatch.setattr(tiles, "mode_of", lambda *_, **__: mode)
    for turned in ((0, 0), (1, 1)):
        check(runtime, DType.F32, (256, 128, 64), turned)


@pytest.mark.parametrize(
    ("mode", "size"),
    [
        ("split small", (150, 40, 137)),
        ("split tall", (130, 70, 61)),
        ("split mediumx", (64, 128, 96)),
        ("split small", (40, 40, 300)),
        ("split small", (40, 21, 77)),
        ("split wide_a8", (70, 11, 200)),
        ("split wide_b4", (3, 90, 150)),
        ("split deep_a2", (70, 2, 400)),
        ("split deep_b8", (9, 90, 700)),
    ],
)
def test_long_sums_in_pieces(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch, mode: str, size: tuple[int, int, int]
) -> None:
    monkeypatch.setattr(tiles, "mode_of", lambda *_, **__: mode)
    name = mode.removeprefix("split ").removesuffix("x")
    monkeypatch.setitem(tiles.TILES, name, replace(tiles.TILES[name], least=16))
    for turned in ((0, 0), (1, 0)):
        before = runtime.recorder.counters.dispatches
        check(runtime, DType.F32, size, turned)
        assert runtime.recorder.counters.dispatches == before + 2
    g, rng = Graph(runtime), np.random.default_rng(3)
    x, row = rng.random((size[2], size[0])), rng.random((1, size[0]))
    centred = g.minus(g.leaf(np.asfortranarray(x)), g.leaf(row))
    found = runtime.gather(g.matmul(centred, centred, attrs=(1, 0)))
    np.testing.assert_allclose(found, (x - row).T @ (x - row), rtol=1e-12, atol=1e-12)


def test_sums_are_split_where_few_tiles_have_long_ones() -> None:
    tile = tiles.TILES["tall"]
    assert tiles.pieces((1024, 1024, 200_000), tile) == (8, 25_008)
    assert tiles.pieces((4096, 4096, 4096), tile)[0] == 1
    assert tiles.pieces((1024, 1024, 1024), tile)[0] == 1
    assert tiles.pieces((30, 30, 800_000), tiles.TILES["small"]) == (511, 1_568)
    assert tiles.pieces((100, 100, 500), tiles.TILES["small"])[0] == 1
    assert tiles.pieces((48, 2048, 2048), tiles.TILES["medium"]) == (8, 256)  # fills a card
    assert tiles.pieces((64, 64, 300), tiles.TILES["medium"])[0] == 1


def check(
    runtime: Runtime, dtype: DType, size: tuple[int, int, int], turned: tuple[int, int]
) -> None:
    m, n, k = size
    rng = np.random.default_rng(2)
    a = rng.uniform(-1, 1, (k, m) if turned[0] else (m, k)).astype(dtype.numpy)
    b = rng.uniform(-1, 1, (n, k) if turned[1] else (k, n)).astype(dtype.numpy)
    product = runtime.apply(
        "matmul", (runtime.leaf(np.asfortranarray(a)), runtime.leaf(np.asfortranarray(b))), turned
    )
    node = runtime.apply("plus", (product, runtime.scalar(1.0, dtype)))
    runtime.evaluate([node], "test")
    assert runtime.recorder.counters.fallbacks == 0, list(runtime.recorder.boundaries)
    assert runtime.recorder.counters.dispatches >= 1
    ours = runtime.gather(node, "test").reshape(m, n, order="F")
    theirs = (a.T if turned[0] else a) @ (b.T if turned[1] else b) + 1
    tolerance = 1e-4 if dtype is DType.F32 else 1e-12
    np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("dtype", [DType.F32, DType.F64])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("turned", [(0, 0), (1, 0), (0, 1), (1, 1)])
def test_factors_computed_on_the_way(
    runtime: Runtime, dtype: DType, size: tuple[int, int, int], turned: tuple[int, int]
) -> None:
    """Bytes scaled and shifted by a row; every second column of an array, by a column."""
    m, n, k = size
    rng = np.random.default_rng(2)
    a = rng.integers(0, 255, (k, m) if turned[0] else (m, k)).astype(np.uint8)
    row = rng.random((1, a.shape[1])).astype(dtype.numpy)
    whole = rng.random((n, 2 * k) if turned[1] else (k, 2 * n)).astype(dtype.numpy)
    column = rng.random((whole.shape[0], 1)).astype(dtype.numpy)
    g = Graph(runtime)
    left = g.minus(g.times(g.cast(g.leaf(a), attrs=(dtype,)), 0.01), g.leaf(row))
    shape = (whole.shape[0], whole.shape[1] // 2)
    part = g.slice(g.leaf(whole), attrs=((1, 2), shape), data=(0, 1))
    right = g.times(part, g.leaf(column))
    found = runtime.gather(g.plus(g.matmul(left, right, attrs=turned), 1.0))
    assert runtime.recorder.counters.fallbacks == 0, list(runtime.recorder.boundaries)
    x, y = a.astype(dtype.numpy) * dtype.numpy.type(0.01) - row, whole[:, 1::2] * column
    theirs = (x.T if turned[0] else x) @ (y.T if turned[1] else y) + 1
    tolerance = 1e-3 if dtype is DType.F32 else 1e-12
    np.testing.assert_allclose(found, theirs, rtol=tolerance, atol=tolerance)
    dispatches = runtime.recorder.counters.dispatches
    assert dispatches == 1 if min(m, n) > 4 and k < 64 else dispatches <= 3


@pytest.mark.parametrize("mode", ["tall", "small", "split medium"])
def test_a_matrix_times_its_transpose_is_symmetric(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    monkeypatch.setattr(tiles, "mode_of", lambda *_, **__: mode)
    medium = replace(tiles.TILES["medium"], least=16)
    monkeypatch.setitem(tiles.TILES, "medium", medium)
    g, rng = Graph(runtime), np.random.default_rng(4)
    x = np.asfortranarray(rng.random((90, 150)))
    c = np.asfortranarray(rng.random((150, 1)))
    whole = g.leaf(x)
    found = runtime.gather(g.plus(g.matmul(whole, whole, attrs=(1, 0)), g.leaf(c)))
    np.testing.assert_allclose(found, x.T @ x + c, rtol=1e-12)
    centred = g.minus(g.leaf(x), g.leaf(np.ascontiguousarray(c[:90])))
    plain = runtime.gather(g.matmul(centred, centred, attrs=(0, 1)))
    np.testing.assert_allclose(plain, (x - c[:90]) @ (x - c[:90]).T, rtol=1e-12)
    assert np.array_equal(plain, plain.T)
    sources = [row.source for row in runtime.recorder.kernels.values()]
    assert sum("<= row) { return; }" in source for source in sources) == 2
