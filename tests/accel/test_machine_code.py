"""Machine code of host kernels against NumPy: every op over its special values, graphs, loops."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app import native
from app.accel.backends import reference
from app.accel.backends.host import host_blocks, host_reductions
from app.accel.ir.dtypes import DType
from app.accel.ir.node import Node
from app.accel.runtime.runtime import AccelOptions, Runtime
from app.errors import Interrupted, MatlabError
from tests.accel.graphs import Graph
from tests.accel.programs import Program
from tests.support.loop_programs import PROGRAMS
from tests.support.machine_code import compiling_runtime
from tests.support.random_graphs import agree, wanted_of
from tests.support.reduced_arrays import SHAPES, data
from tests.support.special_values import (
    CASTS,
    EITHER_ZERO,
    FLOATS,
    TYPECASTS,
    ULPS,
    cases,
    grid,
    operands,
    ulps,
)

NOT_YET = {"complex"}
"""Ops without machine code, beside all of complex numbers."""


def by_machine_code(runtime: Runtime) -> list[str]:
    """Labels of the kernels whose last run was machine code."""
    return [c.request.label for c in runtime.executor.host.compiler.made]


@pytest.fixture
def runtime() -> Iterator[Runtime]:
    made = compiling_runtime()
    yield made
    made.close()


CLASSES = {*FLOATS, DType.BOOL, DType.I8, DType.I32, DType.I64, DType.U16, DType.U64}
REAL = [(op, d) for op, d in cases() if d in CLASSES and op not in NOT_YET]


@pytest.mark.parametrize(("op", "dtype"), REAL, ids=lambda v: getattr(v, "value", v))
def test_op_agrees_with_numpy(runtime: Runtime, op: str, dtype: DType) -> None:
    arrays = operands(op, dtype)
    node = runtime.apply(op, tuple(runtime.leaf(a) for a in arrays))
    theirs = reference.evaluate([node], runtime.evaluation.leaf_value, complex_results=False)[node]
    before = len(by_machine_code(runtime))
    runtime.evaluate([node], "test")
    assert len(by_machine_code(runtime)) > before or node.op == "leaf"  # floor of whole numbers
    ours = runtime.gather(node, "test").reshape(theirs.shape, order="F")
    if ours.dtype.kind == "c" and theirs.dtype.kind == "f":
        return  # left the domain, as it must: redone with complex numbers
    assert ours.dtype == theirs.dtype
    if theirs.dtype.kind != "f":
        np.testing.assert_array_equal(ours, theirs)
        return
    if op in EITHER_ZERO:
        ours, theirs = ours + 0, theirs + 0
    distance = ulps(ours, theirs)
    worst = np.argmax(distance)
    place = [a.ravel()[worst] for a in arrays]
    assert distance.max() <= ULPS.get(op, 4), (place, ours.ravel()[worst], theirs.ravel()[worst])


@pytest.mark.parametrize("dtype", [DType.I64, DType.U64], ids=lambda d: d.value)
def test_long_quotients_are_exact(runtime: Runtime, dtype: DType) -> None:
    limits = np.iinfo(dtype.numpy)
    edges = [
        limits.min,
        limits.min + 1,
        0,
        1,
        2,
        3,
        5,
        7,
        2**62 + 1,
        limits.max // 3,
        limits.max - 1,
        limits.max,
    ]
    numbers = edges + [-x for x in (1, 2, 3, 7) if limits.min]
    tops, bottoms = (m.ravel()[:, None] for m in np.meshgrid(*[np.array(numbers, dtype.numpy)] * 2))
    node = runtime.apply("rdivide", (runtime.leaf(tops), runtime.leaf(bottoms)))
    theirs = reference.evaluate([node], runtime.evaluation.leaf_value, complex_results=False)[
        node
    ].ravel()
    ours = runtime.gather(node, "test").ravel()
    assert by_machine_code(runtime)
    for a, b, mine, other in zip(tops.ravel(), bottoms.ravel(), ours, theirs, strict=True):
        assert int(mine) == int(other) == _rounded(int(a), int(b), limits), (a, b)


def _rounded(a: int, b: int, limits: np.iinfo) -> int:
    """The quotient, halves away from zero, saturated."""
    if not b:
        return 0 if not a else limits.max if a > 0 else limits.min
    size = (2 * abs(a) + abs(b)) // (2 * abs(b))
    return max(limits.min, min(limits.max, size if (a < 0) == (b < 0) else -size))


@pytest.mark.parametrize(("source", "target"), CASTS, ids=lambda v: v.value)
def test_cast_agrees_with_numpy(runtime: Runtime, source: DType, target: DType) -> None:
    array = grid(source)[:, None]
    node = runtime.apply("cast", (runtime.leaf(array),), (target,))
    theirs = reference.evaluate([node], lambda _: array, complex_results=False)[node]
    ours = runtime.gather(node, "test").reshape(theirs.shape, order="F")
    assert ours.dtype == theirs.dtype
    np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize(("source", "target"), TYPECASTS, ids=lambda v: v.value)
def test_the_same_bits_in_another_type(runtime: Runtime, source: DType, target: DType) -> None:
    array = grid(source)[:, None]
    ours = runtime.gather(runtime.apply("typecast", (runtime.leaf(array),), (target,)), "test")
    assert ours.dtype == target.numpy
    assert ours.tobytes() == array.tobytes()


@pytest.mark.parametrize("op", ["sum", "amax", "nnz"])
@pytest.mark.parametrize(("shape", "axes"), SHAPES)
def test_reduction_has_the_bits_of_numpys_blocks(
    runtime: Runtime, op: str, shape: tuple[int, ...], axes: tuple[int, ...]
) -> None:
    array = data(shape, DType.F64)
    plain = Runtime(AccelOptions(device="cpu", verify=True, host_threads=2))
    results = []
    for made in (runtime, plain):
        leaf = made.leaf(array)
        node = made.apply(op, (made.apply("times", (leaf, leaf)),), (axes,))
        results.append(made.gather(node, "test"))
    plain.close()
    assert by_machine_code(runtime)
    np.testing.assert_array_equal(results[0], results[1])


def test_numpy_reduces_what_machine_code_computed_in_few_calls(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between two calls a thread waits for the lock that all threads share."""
    calls = []
    taken = host_reductions.accumulate

    def counted(*given: Any) -> None:
        calls.append(given)
        taken(*given)

    monkeypatch.setattr(host_reductions, "accumulate", counted)
    columns = np.ones((1 << 10, 1 << 14), np.float32, order="F")
    leaf = runtime.leaf(columns)
    total = runtime.apply("sum", (runtime.apply("exp", (leaf,)),), ((0,),))
    runtime.evaluate([total])
    assert by_machine_code(runtime)
    assert len(calls) == columns.size // host_blocks.STRETCH


@pytest.mark.parametrize("build", PROGRAMS, ids=lambda f: f.__name__)
def test_loop_agrees_with_iteration(runtime: Runtime, build: Callable[[Graph], list[Node]]) -> None:
    results = build(Graph(runtime))
    theirs = reference.evaluate(results, runtime.evaluation.leaf_value)
    runtime.evaluate(results, "test")
    for node in results:
        ours = runtime.gather(node, "test").reshape(node.shape, order="F")
        tolerance = 1e-4 if ours.dtype.itemsize == 4 else 1e-11
        np.testing.assert_allclose(ours, theirs[node], rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("op", ["sum", "prod", "amin", "amax"])
@settings(max_examples=6, deadline=None)
@given(
    shape=st.sampled_from([(3, 1), (63, 1), (1000, 1), (40, 90), (20_000, 1), (70, 3)]),
    dtype=st.sampled_from([DType.F64, DType.F32, DType.BOOL, DType.I32]),
    seed=st.integers(0, 10**9),
)
def test_totals_of_passes_have_the_bits_of_numpy(
    op: str, shape: tuple[int, int], dtype: DType, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    values = rng.normal(0, 1, shape)
    values[rng.random(shape) < 0.2] *= 0  # of either sign
    found = []
    for hot in (-1.0, 1e18):
        runtime = compiling_runtime()
        runtime.executor.host.compiler.hot_ms = hot
        g = Graph(runtime)
        trace = runtime.loop(7)
        x, kept = trace.carry(runtime.leaf(values)), trace.carry(runtime.scalar(0.0))
        after = g.times(x, -0.75)
        part = g.plus(after, 1.0) if op == "prod" else after
        taken = part
        if dtype is not DType.F64:
            taken = g.gt(part, 0.0)
            taken = runtime.apply("cast", (taken if dtype is DType.BOOL else part,), (dtype,))
        total = runtime.apply("cast", (g.total(taken, op),), (DType.F64,))
        results = trace.finish([after, g.plus(g.times(kept, 0.5), total)])
        runtime.evaluate(results, "test")
        made = runtime.executor.host.compiler.made
        assert any(c.request.loop and c.request.loop.totals for c in made) == (hot < 0)
        found.append([runtime.gather(node, "test").tobytes() for node in results])
        runtime.close()
    assert found[0] == found[1]


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**9), steps=st.integers(2, 14))
def test_random_graphs_agree_with_the_oracle(seed: int, steps: int) -> None:
    runtime = compiling_runtime()
    program = Program(runtime, seed)
    program.grow(steps)
    wanted = wanted_of(program)
    try:
        expected = reference.evaluate(wanted, runtime.evaluation.leaf_value)
    except MatlabError:  # a complex value met a function of reals
        runtime.close()
        return
    for node in wanted:
        assert agree(runtime.gather(node), expected[node]), node
    runtime.close()


def _chain(runtime: Runtime, x: Node) -> Node:
    y = runtime.apply("times", (runtime.apply("sin", (x,)), x))
    return runtime.apply("sqrt", (runtime.apply("plus", (runtime.apply("abs", (y,)), x)),))


def test_a_group_starts_on_numpy_and_goes_on_as_machine_code() -> None:
    runtime = Runtime(AccelOptions(device="cpu", verify=True, host_threads=2))
    host = runtime.executor.host
    host.compiler.hot_ms, host.compiler.wait_ms = 1.0, 1e9
    leaf = runtime.leaf(np.linspace(0, 9, 200_000)[:, None])
    first = runtime.gather(_chain(runtime, leaf), "test").copy()
    second, latest = first, time.monotonic() + 60  # the compiler works beside it, when it may
    while not host.compiler.made and time.monotonic() < latest:
        second = runtime.gather(_chain(runtime, leaf), "test").copy()
    np.testing.assert_allclose(first, second, rtol=1e-15)
    rows = list(runtime.recorder.groups.values())
    assert sum(r.native_runs for r in rows) == 1
    runtime.gather(_chain(runtime, leaf), "test")
    counters, kernels = runtime.recorder.counters, runtime.recorder.kernels.values()
    assert counters.pipeline_hits == sum(k.hits for k in kernels) == 1
    misses = sum(k.misses for k in kernels)
    assert counters.pipeline_misses == counters.kernels_compiled == misses == 1
    assert sum(r.executions for r in rows) > 1
    kernel = next(iter(runtime.recorder.kernels.values()))
    assert "define i32 @kernel" in kernel.source
    runtime.close()


def test_a_moment_of_work_does_not_load_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> str:
        pytest.fail("the compiler was asked")

    monkeypatch.setattr(native, "features", refuse)
    runtime = Runtime(AccelOptions(device="cpu", verify=True, host_threads=1))
    runtime.executor.host.compiler.hot_ms = 1e9
    g, x = Graph(runtime), np.arange(20_000.0).reshape(-1, 1)
    assert np.array_equal(runtime.gather(g.times(g.leaf(x), 2.0), "test"), x * 2)
    runtime.close()


def test_what_has_no_machine_code_says_so(runtime: Runtime) -> None:
    leaf = runtime.leaf(np.full((2000, 1), 1 + 2j))
    runtime.gather(runtime.apply("plus", (leaf, leaf)), "test")
    (row,) = runtime.recorder.groups.values()
    assert (row.native_runs, row.native_detail) == (0, "machine code for c128")


def test_chains_need_no_memory_beside_their_results(runtime: Runtime) -> None:
    leaf = runtime.leaf(np.linspace(0, 9, 4_000_000)[:, None])
    runtime.evaluate([_chain(runtime, leaf)], "test")  # compiles
    node = runtime.apply("minus", (_chain(runtime, leaf), runtime.scalar(1.0)))
    tracemalloc.start()
    runtime.evaluate([node], "test")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak <= leaf.size * 8 + (16 << 20)


def test_scans_need_no_memory_beside_their_results(runtime: Runtime) -> None:
    leaf = runtime.leaf(np.linspace(0, 9, 4_000_000)[:, None])
    node = runtime.apply("cumsum", (_chain(runtime, leaf),), (0, False))
    tracemalloc.start()
    runtime.evaluate([node], "test")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak <= leaf.size * 8 + (16 << 20)
    theirs = reference.evaluate([node], runtime.evaluation.leaf_value)[node]
    ours = runtime.gather(node, "test").ravel()
    np.testing.assert_allclose(ours, theirs.ravel(), rtol=1e-13)


@pytest.mark.parametrize("hot", [-1.0, 1e18], ids=["machine code", "NumPy"])
def test_long_work_is_cancelled_soon(runtime: Runtime, hot: float) -> None:
    runtime.executor.host.compiler.hot_ms = hot
    leaf = runtime.leaf(np.linspace(1, 9, 12_000_000)[:, None])
    node = runtime.apply("gammaln", (leaf,))
    for _ in range(12):
        node = runtime.apply("power", (runtime.apply("plus", (node, leaf)), leaf))
    asked: list[float] = []

    def poll() -> None:
        if asked or time.perf_counter() - begun > 0.1:
            asked.append(time.process_time())
            raise Interrupted

    runtime.evaluate([runtime.apply("uminus", (leaf,))], "test")
    runtime.poll = poll
    begun = time.perf_counter()
    with pytest.raises(Interrupted):
        runtime.evaluate([node], "test")
    assert time.process_time() - asked[0] < 0.6  # of two threads; a sixth of that is usual
    runtime.poll = None
