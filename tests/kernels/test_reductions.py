"""Reductions on the device: every op, shape and number of passes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.accel.backends import reference
from app.accel.backends.wgpu import WgpuProvider
from app.accel.ir.dtypes import DType, of_numpy
from app.accel.runtime.runtime import AccelOptions, Runtime
from tests.accel.graphs import Graph
from tests.support.reduced_arrays import SHAPES, data

OPS = ("sum", "prod", "amin", "amax", "any", "all", "nnz")


def check(runtime: Runtime, op: str, array: np.ndarray, attrs: tuple) -> None:
    node = runtime.apply(op, (runtime.leaf(array),), attrs)
    theirs = reference.evaluate([node], lambda _: array, complex_results=False)[node]
    runtime.evaluate([node], "test")
    assert runtime.recorder.counters.fallbacks == 0, list(runtime.recorder.boundaries)
    rows = runtime.recorder.groups.values()
    assert runtime.recorder.counters.dispatches == sum(row.dispatches for row in rows) >= 1
    ours = runtime.gather(node, "test").reshape(theirs.shape, order="F")
    assert ours.dtype == theirs.dtype
    tolerance = 1e-4 if of_numpy(array.dtype).real is DType.F32 else 1e-11
    np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=1e-30)


@pytest.mark.parametrize("op", OPS)
@pytest.mark.parametrize(("shape", "axes"), SHAPES)
def test_reduction_agrees_with_host(
    runtime: Runtime, op: str, shape: tuple[int, ...], axes: tuple[int, ...]
) -> None:
    check(runtime, op, data(shape, DType.F64), (axes,))


@pytest.mark.parametrize("dtype", [d for d in DType if d is not DType.F64])
@pytest.mark.parametrize("op", OPS)
def test_every_class(runtime: Runtime, op: str, dtype: DType) -> None:
    if dtype is DType.BOOL and op in {"sum", "prod"}:
        pytest.skip("logicals are cast first")
    for shape in ((600, 2), (3, 40)):
        check(runtime, op, data(shape, dtype), ((0,),))


@pytest.mark.parametrize("op", ["argmin", "argmax"])
@pytest.mark.parametrize("dtype", [DType.F64, DType.F32, DType.I16, DType.U8])
def test_positions(runtime: Runtime, op: str, dtype: DType) -> None:
    for shape, axis in (((5000, 3), 0), ((3, 5000), 1), ((2, 3), 0)):
        check(runtime, op, data(shape, dtype), (axis,))
    check(runtime, op, np.full((4, 1), np.nan), (0,))


@pytest.mark.parametrize("shape", [(64, 4099), (31, 6000), (9, 16400), (130, 2050)])
def test_short_columns_share_a_workgroup(
    graphics: WgpuProvider, monkeypatch: pytest.MonkeyPatch, shape: tuple[int, int]
) -> None:
    compiler = graphics._compiler
    monkeypatch.setattr(compiler, "tuning", replace(compiler.tuning, groups=64))
    runtime = Runtime(AccelOptions(device="gpu", verify=True), graphics)
    for op in ("sum", "amax"):
        check(runtime, op, data(shape, DType.F32), ((0,),))
    assert all("place" in row.source for row in runtime.recorder.kernels.values())


def test_map_and_several_reductions_are_one_pass(runtime: Runtime) -> None:
    x = np.random.default_rng(1).standard_normal((100000, 1))
    leaf = runtime.leaf(x)
    y = runtime.apply("times", (leaf, leaf))
    total = runtime.apply("sum", (y,), ((0,),))
    largest = runtime.apply("amax", (y,), ((0,),))
    runtime.evaluate([total, largest], "test")
    assert runtime.gather(total, "test")[0] == pytest.approx(np.sum(x * x), rel=1e-13)
    assert runtime.gather(largest, "test")[0] == np.max(x * x)
    assert runtime.recorder.counters.groups == 1


def test_same_result_every_time(runtime: Runtime) -> None:
    x = np.random.default_rng(1).standard_normal((300001, 1)).astype(np.float32)
    results = set()
    for scale in (1.0, 1.0, 1.0):
        node = runtime.apply("sum", (runtime.leaf(x * np.float32(scale)),), ((0,),))
        results.add(runtime.gather(node, "test").tobytes())
    assert len(results) == 1


@pytest.mark.parametrize("op", ["cumsum", "cumprod", "cummin", "cummax"])
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(
    ("shape", "axis"),
    [
        ((1000, 1), 0),
        ((100003, 1), 0),
        ((33, 50), 0),
        ((33, 50), 1),
        ((5000, 3), 0),
        ((4, 5, 200), 1),
        ((6, 500, 4), 1),
        ((3, 40000), 1),
        ((2500, 70), 1),
    ],
)
def test_scan_agrees_with_host(
    runtime: Runtime, op: str, reverse: bool, shape: tuple[int, ...], axis: int
) -> None:
    array = np.asfortranarray(np.random.default_rng(5).uniform(0.999, 1.001, shape))
    check(runtime, op, array, (axis, reverse))


@pytest.mark.parametrize("dtype", [DType.F32, DType.I32, DType.U8, DType.C128])
def test_scan_of_every_kind_of_class(runtime: Runtime, dtype: DType) -> None:
    values = np.asfortranarray(np.tile(np.array([0, 1], dtype.numpy), 50)[:, None])
    check(runtime, "cumsum", values, (0, False))


@pytest.mark.parametrize("dtype", [DType.F32, DType.F64, DType.U8, DType.C64])
@pytest.mark.parametrize(
    ("length", "lines"), [(2, 300), (16, 1), (70, 300), (257, 40), (2049, 33), (4097, 40)]
)
def test_scans_of_lines_of_neighbours(
    graphics: WgpuProvider, length: int, lines: int, dtype: DType
) -> None:
    """A team of lanes for each line: of any length, NaN, Inf and signed zeros among its elements."""
    runtime = Runtime(AccelOptions(device="gpu", verify=True), graphics)
    values = np.ones((length, lines)) + (np.arange(length * lines).reshape(length, lines) % 7 == 3)
    values = 1 + (values - 1) / 64
    values[:: max(1, length // 5), lines // 2] = -0.0
    if not dtype.is_integer:
        values[length // 2, lines // 3] = np.nan
    if dtype.is_float:
        values[length // 3, lines // 4] = np.inf
    array = np.asfortranarray(values.astype(dtype.numpy))
    for op, reverse in (("cumsum", False), ("cumprod" if dtype.is_complex else "cummax", True)):
        runtime.recorder.reset()
        with np.errstate(all="ignore"):
            check(runtime, op, array, (0, reverse))
    assert runtime.recorder.counters.dispatches == 1


@pytest.mark.parametrize(("shape", "axes"), SHAPES)
@pytest.mark.parametrize(("dtype", "offset"), [(np.float64, 1e6), (np.float32, 1e4)])
def test_mean_and_deviation_share_a_pass(
    runtime: Runtime, shape: tuple[int, ...], axes: tuple[int, ...], dtype: type, offset: float
) -> None:
    numbers = (np.random.default_rng(4).standard_normal(shape) + offset).astype(dtype)
    g = Graph(runtime)
    x = g.leaf(numbers)
    total = g.sum(x, attrs=(axes,))
    away = g.minus(x, g.rdivide(total, x.size / total.size))
    found = g.sum(g.times(away, away), attrs=(axes,))
    runtime.evaluate([found])
    wide = numbers.astype(np.longdouble)
    exact = ((wide - wide.mean(axes, keepdims=True)) ** 2).sum(axes, keepdims=True)
    ours = runtime.gather(found).reshape(exact.shape, order="F")
    assert runtime.recorder.counters.fallbacks == 0
    np.testing.assert_allclose(ours, exact, rtol=3e-6 if dtype is np.float32 else 1e-13)


@pytest.mark.parametrize("op", ["amin", "amax"])
def test_complex_extremes_with_ties_and_nan(runtime: Runtime, op: str) -> None:
    numbers = np.array([3 + 4j, 5, -5, np.nan, 4 - 3j, complex(np.nan, 9), 5j, -5j, 1])
    tied = numbers if op == "amax" else numbers[:-1]
    check(runtime, op, np.asfortranarray(tied.reshape(-1, 1)), ((0,),))


@pytest.mark.parametrize(("shape", "axis"), [((64, 32, 3), 2), ((16, 40), 1), ((512, 8), 0)])
def test_what_is_reduced_is_read_again_by_the_epilogue(
    runtime: Runtime, shape: tuple[int, ...], axis: int
) -> None:
    """Reductions read quads, what finishes them single elements, from one array."""
    x = np.asfortranarray(np.random.default_rng(2).standard_normal(shape))
    leaf, steps = runtime.leaf(x), (1,) * x.ndim
    kept = tuple(1 if k == axis else n for k, n in enumerate(shape))
    part = runtime.apply("slice", (leaf,), (steps, kept), (0,) * x.ndim)
    total = runtime.apply("sum", (leaf,), ((axis,),))
    node = runtime.apply("times", (total, runtime.apply("reshape", (part,), (total.shape,))))
    expected = x.sum(axis, keepdims=True) * x.take([0], axis)
    runtime.evaluate([node], "test")
    assert runtime.recorder.counters.fallbacks == 0, list(runtime.recorder.boundaries)
    assert runtime.recorder.counters.groups == 1
    found = runtime.gather(node, "test").reshape(kept, order="F")
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("axis", [0, 1])
def test_elements_stored_on_the_way_are_written_by_neighbouring_lanes(
    graphics: WgpuProvider, axis: int
) -> None:
    """A lane that takes four neighbours would write every fourth element at a time."""
    x = np.random.default_rng(3).standard_normal((4096, 64)).astype("f4", order="F")
    runtime = Runtime(AccelOptions(device="gpu", verify=True), graphics)
    away = runtime.apply("abs", (runtime.leaf(x),))
    total = runtime.apply("sum", (away,), ((axis,),))
    runtime.evaluate([away, total])
    assert runtime.recorder.counters.groups == 1
    sources = [kernel.source for kernel in runtime.recorder.kernels.values()]
    assert not any("fn quad(" in text or "fn across4(" in text for text in sources)
    assert np.array_equal(runtime.gather(away), np.abs(x))
    expected = np.abs(x).sum(axis, keepdims=True, dtype=float)
    np.testing.assert_allclose(runtime.gather(total), expected, rtol=1e-5)
