"""Loops that become one kernel, against plain iteration."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from app.accel.backends import reference
from app.accel.backends.null import NullProvider
from app.accel.fusion.loops.passes import Passes
from app.accel.ir.dtypes import DType
from app.accel.ir.node import Node, make, make_leaf
from app.accel.runtime.runtime import Runtime
from app.errors import Unsupported
from tests.accel.graphs import Graph
from tests.support.loop_programs import (
    F32,
    PROGRAMS,
    M,
    T,
    adaptive_filter,
    brownian,
    complex_sum,
    largest_whole,
    logistic,
    mean_per_pass,
    noisy_power,
    running_sum,
    smoothed_extreme,
    spread_per_pass,
    swapping,
    two_sizes,
    with_counter,
)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_same_as_plain_iteration(host: Runtime, program: Callable[[Graph], list[Node]]) -> None:
    after = program(Graph(host))
    expected = reference.evaluate(after, host.evaluation.leaf_value)
    host.evaluate(after)
    for node in after:
        got = host.gather(node)
        assert got.dtype == expected[node].dtype
        np.testing.assert_allclose(got, expected[node], rtol=1e-5 if node.dtype is F32 else 1e-13)


TOTALS: list[tuple[Callable[[Graph], list[Node]], list[str]]] = [
    (running_sum, ["loop", "reduction"]),
    (mean_per_pass, ["loop", "single", "single", "single"]),
    (spread_per_pass, ["loop", "single", "loop", "reduction"]),
    (smoothed_extreme, ["loop", "single", "loop"]),
    (largest_whole, ["loop", "single", "loop"]),
    (complex_sum, ["loop", "single", "loop"]),
    (noisy_power, ["loop", "reduction"]),
    (two_sizes, ["loop", "loop"]),
    (adaptive_filter, ["single", "loop", "single", "single", "single", "single"]),
]


@pytest.mark.parametrize(("program", "expected"), TOTALS, ids=lambda v: getattr(v, "__name__", ""))
def test_sums_belong_to_the_loop(counting: Runtime, program: Any, expected: list[str]) -> None:
    counting.evaluate(program(Graph(counting)))
    assert sorted(row.kind for row in counting.recorder.groups.values()) == sorted(expected)


@pytest.mark.parametrize("program", [logistic, brownian, with_counter, swapping])
def test_one_kernel(counting: Runtime, null: NullProvider, program: Any) -> None:
    counting.evaluate(program(Graph(counting)))
    kinds = [row.kind for row in counting.recorder.groups.values()]
    assert kinds[-1] == "loop"
    assert kinds.count("loop") == 1
    assert len(kinds) <= 2


def test_other_lengths_and_values_reuse_the_kernel(counting: Runtime, null: NullProvider) -> None:
    g = Graph(counting)
    x0 = g.leaf(np.ones(M))
    for trips in (4, 5, 6):
        trace = counting.loop(trips)
        x = trace.carry(x0)
        counting.evaluate(trace.finish([g.times(x, 0.5 + trips)]))
    assert len(null.kernels) == 1


def test_a_loop_result_feeds_a_reduction(counting: Runtime, null: NullProvider) -> None:
    g = Graph(counting)
    price = g.mean(g.max(g.minus(brownian(g)[0], 100.0), 0.0))
    counting.evaluate([price])
    assert [row.kind for row in counting.recorder.groups.values()] == ["loop", "reduction"]


def refuse_reduction(g: Graph) -> list[Node]:
    trace = g.runtime.loop(T)
    x = trace.carry(g.rand(M, 1))
    return trace.finish([g.minus(x, g.mean(x))])


def refuse_long_axis(g: Graph) -> list[Node]:
    trace = g.runtime.loop(T)
    x = trace.carry(g.rand(40, 30))
    return trace.finish([g.plus(x, g.sum(x, attrs=((0,),)))])


def refuse_part(g: Graph) -> list[Node]:
    trace = g.runtime.loop(T)
    x = trace.carry(g.rand(M, 1))
    part = g.slice(x, attrs=((1, 1), (1, 1)), data=(0, 0))
    return trace.finish([g.plus(x, part)])


def refuse_growth(g: Graph) -> list[Node]:
    trace = g.runtime.loop(T)
    x = trace.carry(g.rand(M, 1))
    return trace.finish([g.plus(x, g.rand(1, 3))])


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        (refuse_reduction, "depends on a sum"),
        (refuse_part, "part"),
        (refuse_growth, "size"),
        (refuse_long_axis, "sum along one dimension"),
    ],
)
def test_refusals_say_why(host: Runtime, program: Any, reason: str) -> None:
    with pytest.raises(Unsupported, match=reason):
        program(Graph(host))


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize(
    ("ends", "likely", "looks"),
    [(40, 0, [1, 2, 4, 8, 16, 32]), (40, 40, [40]), (40, 44, [44]), (43, 40, [40, 1, 2])],
)
def test_a_condition_is_looked_at_first_where_it_turned_last(
    monkeypatch: pytest.MonkeyPatch, late: bool, ends: int, likely: int, looks: list[int]
) -> None:
    """`late`: the pass in which it turns is done; else it takes one more to see that."""
    chunks = list[int]()

    class Watched:
        reason = "watched"

        def run(self, k: int, trips: int, begun: list[object]) -> list[object]:
            chunks.append(trips)
            met = ends <= k + trips if late else ends < k + trips
            return [*begun, min(trips, ends - k) + 0.5 * met]

    passes = Passes(None, make, lambda: None, lambda _: None, float)  # type: ignore[arg-type]
    monkeypatch.setattr(Passes, "_with_stop_condition", lambda *_, **__: Watched())
    monkeypatch.setattr(Passes, "_in_kernels", lambda *_: None)
    monkeypatch.setattr(Passes, "_traced_from", lambda *_: None)
    stop = make_leaf(DType.BOOL, (1, 1))
    done, _, met = passes.until(stop, 0, 1000, [], late, likely)
    assert (done, met) == (ends, True)
    assert chunks == [looks[0] + (likely > 0 and not late), *looks[1:]]


@pytest.mark.parametrize("gone", range(4))
def test_a_condition_has_its_own_places_beside_variables_that_are_left(
    host: Runtime, gone: int
) -> None:
    """The first of the variables turned out to stay as they are."""
    g = Graph(host)
    trace = host.loop(100)
    for _ in range(gone):
        trace.carry(host.scalar(1.0))
    x, q = trace.carry(g.leaf(np.ones(20))), trace.carry(host.scalar(0.0))
    n = g.plus(q, g.total(x))
    passes = host.passes(trace, [x, q], [g.times(x, 2.0), n], lambda: None)
    passes.remote, passes.replay = True, None
    begun = [g.leaf(np.ones(20)), host.scalar(0.0)]
    done, values, met = passes.until(g.gt(n, 2000.0), 0, 100, begun)
    assert (done, met) == (6, True)
    assert host.gather(values[1]).item() == 20 * (2**6 - 1)
    assert host.gather(values[0])[3].item() == 2**6
