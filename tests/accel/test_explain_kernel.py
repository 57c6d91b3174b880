"""What kernels are said to be made of."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.accel.ir.node import Node, Origin
from app.accel.runtime.runtime import Runtime
from tests.accel.graphs import Graph

COLUMN = np.arange(3000.0)
SQUARE = np.arange(4096.0).reshape(64, 64)


def at(line: int) -> Origin:
    return Origin("script.m", line)


def told(runtime: Runtime, nodes: list[Node]) -> list[Any]:
    """The groups after an evaluation, in the order they were planned."""
    runtime.evaluate(nodes)
    return list(runtime.recorder.groups.values())


def brief(group: Any) -> list[tuple[Any, ...]]:
    return [(o.op, list(o.args), o.line) for o in group.operations]


def test_operations_have_their_operands_shapes_and_lines(counting: Runtime) -> None:
    g, apply = Graph(counting), counting.apply
    x = g.leaf(COLUMN)
    y = apply("sin", (x,), (), origin=at(3))
    z = apply("times", (y, x), (), origin=at(4))
    total = apply(
        "sum", (apply("plus", (z, counting.scalar(1.0)), (), origin=at(4)),), ((0,),), origin=at(5)
    )
    (group,) = told(counting, [total])
    sine, product, more, added = (o.id for o in group.operations)
    assert brief(group) == [
        ("sin", [-1], 3),
        ("times", [sine, -1], 4),
        ("plus", [product], 4),
        ("sum", [more], 5),
    ]
    assert [o.shape for o in group.operations] == [(3000, 1)] * 3 + [(1, 1)]
    assert {o.class_name for o in group.operations} == {"double"}
    assert group.stored == (added,)
    assert group.file == "script.m"
    assert group.units > 0


def test_loops_say_what_comes_from_the_pass_before(counting: Runtime) -> None:
    g = Graph(counting)
    trace = counting.loop(5)
    x = trace.carry(g.leaf(COLUMN))
    after = counting.apply(
        "times", (counting.apply("exp", (x,), (), origin=at(7)), x), (), origin=at(8)
    )
    groups = told(counting, trace.finish([after]))
    loop = next(group for group in groups if group.kind == "loop")
    carry, exp, times = loop.operations
    assert (carry.op, carry.args, carry.back) == ("carry", (-1,), times.id)
    assert (exp.args, exp.line) == ((carry.id,), 7)
    assert (sorted(times.args), times.line) == (sorted([exp.id, carry.id]), 8)
    assert loop.stored == (times.id,)


def test_products_and_algorithms_read_their_inputs(counting: Runtime) -> None:
    g = Graph(counting)
    product = g.plus(g.runtime.apply("matmul", (g.leaf(SQUARE), g.leaf(SQUARE + 1))), 1.0)
    (group,) = told(counting, [product])
    assert [o.op for o in group.operations] == ["matmul", "plus"]
    assert group.operations[0].args == (-1, -2)


def test_groups_know_who_made_what_they_read_and_passes_share_a_row(counting: Runtime) -> None:
    counting.recorder.reset()
    value = Graph(counting).leaf(COLUMN)
    for _ in range(3):
        value = counting.apply("plus", (value, counting.scalar(1.0)), (), origin=at(2))
        counting.evaluate([value])
    (group,) = counting.recorder.groups.values()
    assert group.executions == 3
    last = counting.apply("cumsum", (value,), (0, False), origin=at(4))
    counting.evaluate([last])
    assert list(counting.recorder.groups.values())[-1].sources == (group.id,)
