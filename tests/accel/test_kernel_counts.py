"""How many kernels an expression becomes: fusion regressions fail as numbers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

from app.accel.backends import reference
from app.accel.backends.null import NullProvider
from app.accel.fusion.partition import Group, Partition
from app.accel.ir.dtypes import DType
from app.accel.ir.node import Node
from app.accel.runtime.runtime import Runtime
from app.errors import Interrupted
from tests.accel.graphs import Graph
from tests.support.counted_programs import COUNTED, N, column, heat_of, image_consumed


def kernels(runtime: Runtime, null: NullProvider, *nodes: Node) -> list[str]:
    """Kinds of the groups that these nodes become; checks that each is one dispatch."""
    runtime.evaluate(nodes)
    rows = list(runtime.recorder.groups.values())
    assert len(null.dispatched) == len(rows)
    return [row.kind for row in rows]


@pytest.mark.parametrize(("program", "expected"), COUNTED, ids=lambda v: getattr(v, "__name__", ""))
def test_kernels(counting: Runtime, null: NullProvider, program: Any, expected: list[str]) -> None:
    assert kernels(counting, null, program(Graph(counting))) == expected


@pytest.mark.parametrize("program", [case[0] for case in COUNTED], ids=lambda p: p.__name__)
def test_host_agrees_with_plain_evaluation(host: Runtime, program: Any) -> None:
    node = program(Graph(host))
    expected = reference.evaluate([node], host.evaluation.leaf_value)[node]
    tolerance = 1e-5 if node.dtype is DType.F32 else 1e-12
    np.testing.assert_allclose(host.gather(node), expected, rtol=tolerance, atol=tolerance / 10)


def test_a_turned_row_is_stored_and_read_lined_up_in_one_kernel(
    counting: Runtime, null: NullProvider
) -> None:
    g = Graph(counting)
    column = g.permute(g.leaf(np.ones((1, 4096))), attrs=((1, 0),))
    square = g.floor(g.reshape(column, attrs=((64, 64),)))
    again = g.reshape(g.times(square, 2.0), attrs=((4096, 1),))
    assert kernels(counting, null, column, g.plus(again, 1.0)) == ["elementwise"]


def test_a_turned_block_that_is_read_lined_up_has_a_kernel_of_its_own(
    counting: Runtime, null: NullProvider
) -> None:
    g = Graph(counting)
    turned = g.permute(g.leaf(np.ones((16, 256))), attrs=((1, 2, 0),))
    flat = g.exp(g.reshape(turned, attrs=((4096, 1),)))
    again = g.plus(g.reshape(flat, attrs=((256, 1, 16),)), 1.0)
    assert kernels(counting, null, turned, again) == ["single", "elementwise"]


def test_what_a_reduction_consumes_is_not_stored(counting: Runtime, null: NullProvider) -> None:
    g = Graph(counting)
    counting.evaluate([image_consumed(g)])
    assert [b.count for d in null.dispatched for b in d.outputs] == [4, 4, 1]


def test_a_stencil_is_one_dispatch_per_step(counting: Runtime, null: NullProvider) -> None:
    g = Graph(counting)
    u = g.leaf(np.linspace(0.0, 1.0, N))
    steps = 12
    for _ in range(steps):
        u = g.assign(u, heat_of(g, u), attrs=((1, 1), (0, 0)), data=(1, 0))
    counting.evaluate([u])
    assert len(null.dispatched) == steps + 2  # the first two values are copied whole
    assert counting.recorder.counters.submits == 1
    assert null.calls["allocate"] == 3  # the start, and two that take turns


def wave_of(g: Graph, base: Node, u: Node, before: Node) -> Node:
    mid = g.slice(before, attrs=((1, 1), (N - 2, 1)), data=(1, 0))
    inside = g.minus(g.times(heat_of(g, u), 2.0), mid)
    return g.assign(base, inside, attrs=((1, 1), (0, 0)), data=(1, 0))


@pytest.mark.parametrize("fresh", [False, True])
def test_a_wave_takes_turns_among_three(
    counting: Runtime, null: NullProvider, host: Runtime, fresh: bool
) -> None:
    """The next value is made of two; it begins as the last one, or as zeros."""
    found = []
    for runtime in (counting, host):
        g = Graph(runtime)
        zeros = g.fill(runtime.scalar(0.0), attrs=((N, 1),))
        before = u = g.leaf(np.linspace(0.0, 1.0, N))
        for _ in range(12):
            u, before = wave_of(g, zeros if fresh else u, u, before), u
        expected = reference.evaluate([u], runtime.evaluation.leaf_value)[u]
        runtime.evaluate([u])
        found.append((runtime.gather(u), expected))
    np.testing.assert_allclose(*found[1], rtol=1e-12)
    assert len(null.dispatched) == 12 + 3 + fresh  # the zeros
    assert null.calls["allocate"] == 4 + fresh  # the start, and three that take turns


def test_moving_parts_are_set_in_place(counting: Runtime, null: NullProvider) -> None:
    """The value of two steps ago holds the rest only if both steps set the same part: the array is
    copied once, and what is small and made of it is stored before it is set there."""
    g = Graph(counting)
    u = g.leaf(np.linspace(0.0, 1.0, N))
    for k in range(4):
        part = g.slice(u, attrs=((1, 1), (9, 1)), data=(k, 0))
        u = g.assign(u, g.times(part, 2.0), attrs=((1, 1), (0, 0)), data=(k + 1, 0))
    counting.evaluate([u])
    assert [d.extents for d in null.dispatched] == [(N,), *[(9,)] * 7]


def test_columns_are_set_in_place_between_those_that_read_them(
    counting: Runtime, null: NullProvider
) -> None:
    """Each is made of all columns: the array is copied once."""
    g = Graph(counting)
    u = g.leaf(np.ones((N, 8)))
    for k in range(8):
        total = g.sum(u, attrs=((1,),))
        u = g.assign(u, total, attrs=((1, 1), (0, 0)), data=(0, k))
    counting.evaluate([u])
    assert [d.extents for d in null.dispatched if d.extents == (8 * N,)] == [(8 * N,)]
    assert len(null.dispatched) == 1 + 2 * 8


def test_values_of_two_steps_ago_are_kept_while_needed(host: Runtime) -> None:
    g = Graph(host)
    u = [g.leaf(np.linspace(0.0, 1.0, N))]
    for _ in range(6):
        u.append(g.assign(u[-1], heat_of(g, u[-1]), attrs=((1, 1), (0, 0)), data=(1, 0)))
    wanted = [u[6], g.plus(u[2], u[5]), u[3]]
    expected = reference.evaluate(wanted, host.evaluation.leaf_value)
    host.evaluate(wanted)
    for node in wanted:
        np.testing.assert_allclose(host.gather(node), expected[node], rtol=1e-12)


def test_parts_are_computed_where_they_are_joined(counting: Runtime, null: NullProvider) -> None:
    g = Graph(counting)
    x = column(g)
    counting.evaluate([g.cat(g.sin(x), g.cos(x), attrs=(0,))])
    assert [[i.op for i in k.body] for k in null.kernels] == [["load", "sin"], ["load", "cos"]]


def test_several_outputs_share_a_kernel(counting: Runtime, null: NullProvider) -> None:
    g = Graph(counting)
    x = column(g)
    y = g.sin(x)
    assert kernels(counting, null, y, g.times(y, 2.0), g.total(y)) == ["reduction"]
    assert len(null.kernels[0].outputs) == 3


def test_dear_producer_of_two_groups_is_stored(counting: Runtime, null: NullProvider) -> None:
    g = Graph(counting)
    x = counting.apply("random_normal", (), (DType.F64, (N, 1)), (7, 0))
    d = g.minus(x, g.mean(x))
    assert kernels(counting, null, g.total(g.abs(d))) == ["reduction", "reduction"]
    draws = sum(i.op == "random_normal" for k in null.kernels for i in k.body)
    assert draws == 1


def test_unread_values_are_never_computed(counting: Runtime, null: NullProvider) -> None:
    g = Graph(counting)
    x = column(g)
    g.exp(x)
    counting.evaluate([g.sin(x)])
    assert [i.op for i in null.kernels[0].body] == ["load", "sin"]


def test_common_subexpressions_are_shared(counting: Runtime, null: NullProvider) -> None:
    g = Graph(counting)
    x = column(g)
    counting.evaluate([g.plus(g.times(g.sin(x), 2.0), g.sin(x))])
    assert sum(i.op == "sin" for i in null.kernels[0].body) == 1


def test_second_demand_stores_the_shared_part(counting: Runtime, null: NullProvider) -> None:
    g = Graph(counting)
    y = g.exp(g.sin(column(g)))
    counting.evaluate([g.plus(y, 1.0)])
    assert counting.state(y) == "lazy"
    counting.evaluate([g.plus(y, 2.0)])
    assert counting.state(y) == "device"
    counting.evaluate([g.plus(y, 3.0)])
    assert [i.op for i in null.kernels[-1].body] == ["load", "param", "plus"]


def test_scalars_do_not_make_new_kernels(counting: Runtime, null: NullProvider) -> None:
    g = Graph(counting)
    x = column(g)
    for k in range(5):
        counting.evaluate([g.plus(g.times(x, k + 0.5), k + 0.25)])
    assert len(null.kernels) == 1
    assert counting.recorder.counters.plan_cache_hits >= 3


def test_slices_by_a_counter_share_a_kernel(counting: Runtime, null: NullProvider) -> None:
    g = Graph(counting)
    x = g.leaf(np.ones((256, 16)))
    for k in range(16):
        part = g.slice(x, attrs=((1, 1), (256, 1)), data=(0, k))
        counting.evaluate([g.times(part, 2.0)])
    assert len(null.kernels) == 1
    assert null.dispatched[5].maps[0].offset == 5 * 256


def test_a_wide_expression_is_split(counting: Runtime, null: NullProvider) -> None:
    g = Graph(counting)
    total = column(g)
    for _ in range(20):
        total = g.plus(total, column(g))
    counting.evaluate([total])
    assert all(len(k.inputs) + len(k.outputs) + 1 <= 8 for k in null.kernels)
    assert len(null.kernels) <= 5


def test_what_finishes_many_reductions_is_split(counting: Runtime, null: NullProvider) -> None:
    """A running total of totals: its kernel reads as many of them as can be bound."""
    g = Graph(counting)
    data = column(g)
    total = g.total(data)
    for k in range(1, 21):
        total = g.plus(total, g.total(g.times(data, k + 0.5)))
    counting.evaluate([total])
    assert all(len(k.inputs) + len(k.outputs) + 1 <= 8 for k in null.kernels)
    assert len(null.dispatched) <= 16


@pytest.mark.parametrize("count", [4, 16, 48])
def test_many_values_are_planned_in_as_few_rounds_as_one(
    counting: Runtime, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    """What has to be stored is found for all kernels at once: time grows as the graph does."""
    rounds = 0
    build = Partition.build

    def counted(self: Partition, extra: Iterable[Node]) -> list[Group]:
        nonlocal rounds
        rounds += 1
        return build(self, extra)

    monkeypatch.setattr(Partition, "build", counted)
    g = Graph(counting)
    down, across = column(g), g.leaf(np.ones((1, 3)))
    both = [g.plus(g.times(down, k + 0.5), across) for k in range(count)]
    counting.evaluate([g.reshape(x, attrs=((1, 3 * N),)) for x in both])
    assert rounds <= 3


def test_planning_can_be_stopped(counting: Runtime, null: NullProvider) -> None:
    """A large graph is planned for longer than anybody waits for a stop."""
    g = Graph(counting)
    data = column(g)
    sums = [g.total(g.sin(g.cumsum(g.times(data, k + 0.5), attrs=(0, False)))) for k in range(24)]

    def stop() -> None:
        if not null.dispatched:
            asked.append(len(asked))
        if len(asked) == 24:
            raise Interrupted

    asked: list[int] = []
    counting.poll = stop
    with pytest.raises(Interrupted):
        counting.evaluate(sums)
    assert not null.dispatched
    assert not counting.recorder.groups
    counting.poll = None
    counting.evaluate(sums)
    assert null.dispatched


def test_chains_that_grow_too_long_are_cut(counting: Runtime, null: NullProvider) -> None:
    g = Graph(counting)
    x = column(g)
    for _ in range(200):
        x = g.plus(g.times(x, 0.5), 1.0)
    assert null.dispatched
    reasons = {b.reason.value for b in counting.recorder.boundaries.values()}
    assert "graph-limit" in reasons


@pytest.mark.parametrize("op", ["sqrt", "log", "asin", "acosh", "log1p"])
def test_unknown_arguments_are_guarded(counting: Runtime, null: NullProvider, op: str) -> None:
    g = Graph(counting)
    counting.evaluate([getattr(g, op)(column(g))])
    assert null.kernels[0].guarded


def test_range_facts_remove_guards(counting: Runtime, null: NullProvider) -> None:
    g = Graph(counting)
    x = column(g)
    safe = [
        g.sqrt(g.plus(g.power(x, 2.0), 1.0)),
        g.log(g.abs(x)),
        g.power(g.exp(x), 0.3),
        g.log(g.rand(N, 1)),
        g.asin(g.sin(x)),
        g.power(x, 3.0),
        g.power(g.max(x, 0.0), 1.8),
    ]
    for node in safe:
        counting.evaluate([node])
        assert not null.kernels[-1].guarded, node
    for node in [g.power(x, 0.5), g.sqrt(g.minus(g.abs(x), 1.0)), g.log(g.times(x, -1.0))]:
        counting.evaluate([node])
        assert null.kernels[-1].guarded, node


def test_doubles_stay_on_the_host_without_f64() -> None:
    null = NullProvider(f64=False)
    from app.accel.runtime.runtime import AccelOptions

    runtime = Runtime(AccelOptions(device="gpu", verify=True), null)
    g = Graph(runtime)
    runtime.evaluate([g.sin(column(g))])
    runtime.evaluate([g.sin(g.leaf(np.ones(N, np.float32)))])
    rows = [(row.provider, row.reason.value) for row in runtime.recorder.groups.values()]
    assert rows == [("host", "precision"), ("null", "forced")]
    runtime.close()


@pytest.mark.parametrize("square", [True, False], ids=["products", "sums"])
def test_a_choice_of_what_is_read_again_is_made_where_that_is_computed(
    counting: Runtime, null: NullProvider, square: bool
) -> None:
    # As in passes of a `while` loop: a number says whether it goes on, and values stay otherwise.
    g = Graph(counting)
    matrix, old = g.leaf(np.ones((300, 300))), g.leaf(np.ones(300))
    goes = g.gt(g.leaf(np.ones((1, 1))), 0.5)
    new = g.rdivide(old, g.matmul(matrix, old)) if square else g.exp(old)
    kept = g.select(goes, new, old)
    after = g.matmul(matrix, new) if square else g.cumsum(new, attrs=(0, False))
    first = "matmul_epilogue" if square else "elementwise"
    found = kernels(counting, null, goes, kept, new, after)
    assert sorted(found) == sorted(["single", first, "single"])
