"""How many kernels an expression becomes: fusion regressions fail as numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from app.accel.backends import reference
from app.accel.backends.null import NullProvider
from app.accel.ir.dtypes import DType
from app.accel.ir.node import Node
from app.accel.runtime.runtime import Runtime
from tests.accel.graphs import Graph

N = 4096


def kernels(runtime: Runtime, null: NullProvider, *nodes: Node) -> list[str]:
    """Kinds of the groups that these nodes become; checks that each is one dispatch."""
    runtime.evaluate(nodes)
    rows = list(runtime.recorder.groups.values())
    assert len(null.dispatched) == len(rows)
    return [row.kind for row in rows]


def column(g: Graph, n: int = N) -> Node:
    return g.leaf(np.linspace(0.1, 1.0, n))


def quickstart(g: Graph) -> Node:
    x = g.rand(1024, 1, dtype=DType.F32)
    return g.mean(g.plus(g.times(g.sin(x), x), 0.5))


def normalised(g: Graph) -> Node:
    x = column(g)
    return g.minus(x, g.mean(x))


def variance(g: Graph) -> Node:
    x = column(g)
    d = g.minus(x, g.mean(x))
    return g.rdivide(g.total(g.times(d, d)), N - 1.0)


def two_sums(g: Graph) -> Node:
    x, y = column(g), column(g)
    return g.rdivide(g.total(g.times(x, y)), g.total(g.times(x, x)))


def broadcast(g: Graph) -> Node:
    x, r = g.leaf(np.ones((64, 32))), g.leaf(np.ones((1, 32)))
    return g.plus(g.times(x, r), g.exp(x))


def transposed(g: Graph) -> Node:
    x = g.leaf(np.ones((64, 32)))
    return g.plus(g.permute(x, attrs=((1, 0),)), 1.0)


def sliced(g: Graph) -> Node:
    x = column(g)
    part = g.slice(g.sin(x), attrs=((2, 1), (N // 2, 1)), data=(1, 0))
    return g.times(part, 3.0)


def heat(g: Graph) -> Node:
    return heat_of(g, column(g))


def heat_of(g: Graph, x: Node) -> Node:
    left = g.slice(x, attrs=((1, 1), (N - 2, 1)), data=(0, 0))
    mid = g.slice(x, attrs=((1, 1), (N - 2, 1)), data=(1, 0))
    right = g.slice(x, attrs=((1, 1), (N - 2, 1)), data=(2, 0))
    return g.plus(mid, g.times(g.plus(g.minus(left, g.times(mid, 2.0)), right), 0.1))


def long_chain(g: Graph) -> Node:
    x = column(g)
    for k in range(40):
        x = g.plus(g.times(x, 0.5), float(k))
    return x


def masked(g: Graph) -> Node:
    x = column(g)
    return g.select(g.gt(x, 0.5), g.times(x, 0.0), x)


def column_sums(g: Graph) -> Node:
    x = g.leaf(np.ones((64, 32)))
    return g.sqrt(g.sum(g.times(x, x), attrs=((0,),)))


def product(g: Graph) -> Node:
    a, b = g.leaf(np.ones((64, 32))), g.leaf(np.ones((32, 16)))
    return g.max(g.plus(g.times(g.matmul(a, b), 2.0), g.leaf(np.ones((1, 16)))), 0.0)


def gram(g: Graph) -> Node:
    a = g.leaf(np.ones((64, 32)))
    return g.matmul(g.permute(a, attrs=((1, 0),)), a)


def tall(g: Graph, rows: int = 64, columns: int = 16) -> Node:
    return g.leaf(np.random.default_rng(1).standard_normal((rows, columns)))


def covariance(g: Graph) -> Node:
    x = tall(g)
    mu = g.rdivide(g.sum(x, attrs=((0,),)), 64.0)
    d = g.minus(x, mu)
    return g.rdivide(g.matmul(g.permute(d, attrs=((1, 0),)), d), 63.0)


def spelled_out_gram(g: Graph) -> Node:
    """X - ones(n,1)*mean(X), times its transpose from the other side."""
    x = tall(g)
    mu = g.rdivide(g.sum(x, attrs=((0,),)), 64.0)
    ones = g.fill(g.runtime.scalar(1.0), attrs=((64, 1),))
    d = g.minus(x, g.matmul(ones, mu))
    return g.times(g.matmul(d, d, attrs=(True, False)), 0.1)


def correlation(g: Graph) -> Node:
    x = tall(g)
    d = g.minus(x, g.rdivide(g.sum(x, attrs=((0,),)), 64.0))
    z = g.rdivide(d, g.sqrt(g.rdivide(g.sum(g.times(d, d), attrs=((0,),)), 63.0)))
    return g.rdivide(g.matmul(g.permute(z, attrs=((1, 0),)), z), 63.0)


def bytes_times_matrix(g: Graph) -> Node:
    a = g.leaf(np.arange(64 * 32, dtype=np.uint8).reshape(64, 32))
    return g.matmul(g.times(g.cast(a, attrs=(DType.F64,)), 1 / 255), tall(g, 32, 16))


def part_times_matrix(g: Graph) -> Node:
    """Parts of arrays are factors without a copy."""
    a = g.slice(tall(g, 64, 64), attrs=((1, 2), (64, 32)), data=(0, 0))
    return g.matmul(a, g.slice(tall(g, 64, 16), attrs=((2, 1), (32, 16)), data=(0, 0)))


def dear_factor(g: Graph) -> Node:
    """Computed once per tile, a sine is dearer than a round trip."""
    return g.matmul(g.sin(tall(g, 64, 32)), tall(g, 32, 16))


def outer(g: Graph) -> Node:
    return g.matmul(tall(g, 64, 1), tall(g, 1, 16))


def power_iteration(g: Graph) -> Node:
    y = g.matmul(tall(g, 16, 16), tall(g, 16, 4))
    norms = g.sqrt(g.sum(g.times(y, y), attrs=((0,),)))
    return g.rdivide(y, norms)


def explained(g: Graph) -> Node:
    q, gram_matrix = tall(g, 16, 4), tall(g, 16, 16)
    left = g.matmul(g.permute(q, attrs=((1, 0),)), gram_matrix)
    return g.diagonal(g.matmul(left, q))


def image(g: Graph) -> Node:
    x = g.leaf(np.random.default_rng(1).random((4, 30, 40), dtype=np.float32))
    mu = g.rdivide(g.sum(x, attrs=((1, 2),)), 1200.0)
    d = g.minus(x, mu)
    sigma = g.sqrt(g.plus(g.rdivide(g.sum(g.times(d, d), attrs=((1, 2),)), 1200.0), 1e-6))
    out = g.plus(g.times(g.rdivide(d, sigma), 1.0123), -0.02)
    return g.power(g.max(out, 0.0), 1.8)


def image_consumed(g: Graph) -> Node:
    """The normalised image goes into a mean alone: it is never stored."""
    return g.mean(image(g))


CASES: list[tuple[Callable[[Graph], Node], list[str]]] = [
    (quickstart, ["reduction"]),
    (normalised, ["reduction", "single"]),
    (variance, ["reduction"]),
    (two_sums, ["reduction"]),
    (broadcast, ["elementwise"]),
    (transposed, ["single"]),
    (sliced, ["elementwise"]),
    (heat, ["elementwise"]),
    (long_chain, ["loop"]),
    (masked, ["elementwise"]),
    (column_sums, ["reduction"]),
    (product, ["matmul_epilogue"]),
    (gram, ["single"]),
    (covariance, ["reduction", "centered_gram"]),
    (spelled_out_gram, ["reduction", "centered_gram"]),
    (correlation, ["reduction", "centered_gram"]),
    (bytes_times_matrix, ["matmul_epilogue"]),
    (part_times_matrix, ["single"]),
    (dear_factor, ["single", "single"]),
    (outer, ["single"]),
    (power_iteration, ["single", "reduction", "power_step"]),
    (explained, ["single", "explained_variance"]),
    (image, ["reduction", "image_normalize"]),
    (image_consumed, ["reduction", "image_normalize"]),
]


@pytest.mark.parametrize(("program", "expected"), CASES, ids=lambda v: getattr(v, "__name__", ""))
def test_kernels(counting: Runtime, null: NullProvider, program: Any, expected: list[str]) -> None:
    assert kernels(counting, null, program(Graph(counting))) == expected


@pytest.mark.parametrize("program", [case[0] for case in CASES], ids=lambda p: p.__name__)
def test_host_agrees_with_plain_evaluation(host: Runtime, program: Any) -> None:
    node = program(Graph(host))
    expected = reference.evaluate([node], host.evaluation.leaf_value)[node]
    tolerance = 1e-5 if node.dtype is DType.F32 else 1e-12
    np.testing.assert_allclose(host.gather(node), expected, rtol=tolerance, atol=tolerance / 10)


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


def test_moving_parts_are_copied(counting: Runtime, null: NullProvider) -> None:
    """The value of two steps ago holds the rest only if both steps set the same part."""
    g = Graph(counting)
    u = g.leaf(np.linspace(0.0, 1.0, N))
    for k in range(4):
        part = g.slice(u, attrs=((1, 1), (9, 1)), data=(k, 0))
        u = g.assign(u, g.times(part, 2.0), attrs=((1, 1), (0, 0)), data=(k + 1, 0))
    counting.evaluate([u])
    assert len(null.dispatched) == 8


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
