"""Work is conserved: whatever reads a value through several maps, it is computed about once."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.accel.backends import reference
from app.accel.backends.null import NullProvider
from app.accel.fusion.inflation import BOUND
from app.accel.ir.dtypes import DType
from app.accel.ir.node import Node
from app.accel.ir.ops import OPS, Category
from app.accel.ir.plan import Instr
from app.accel.runtime.runtime import AccelOptions, Runtime
from tests.support.random_graphs import agree

SIDE = 12
PASSES = 50
POINTWISE = {Category.ELEMENTWISE, Category.CAST}


class Passes:
    """Passes that read the last value, or an older one, through several maps."""

    def __init__(self, runtime: Runtime, seed: int) -> None:
        self.runtime, self.scalar = runtime, runtime.scalar
        self.made: set[Node] = set()
        self.choose = random.Random(seed)
        numbers = np.random.default_rng(seed).uniform(0.1, 1.0, (SIDE, SIDE))
        self.dtype = self.choose.choice([DType.F32, DType.F64])
        self.pool = [runtime.leaf(np.asfortranarray(numbers.astype(self.dtype.numpy)))]
        row = np.linspace(0.5, 1, SIDE).reshape(1, SIDE).astype(self.dtype.numpy)
        self.row = runtime.leaf(np.asfortranarray(row))
        self.recipe = self.choose.sample(self.ways(), self.choose.randrange(1, 4))

    def apply(self, op: str, inputs: tuple[Node, ...], *details: tuple[Any, ...]) -> Node:
        """A node; what is computed elementwise is kept in mind."""
        node = self.runtime.apply(op, inputs, *details)
        if OPS[op].category in POINTWISE:
            self.made.add(node)
        return node

    def ways(self) -> list[Callable[[Node], Node]]:
        """What may be done to a value before it meets itself again."""
        return [self.mirrored, self.turned, self.shifted, self.spread_column, self.spread_row]

    def part(self, x: Node, steps: tuple[int, ...], starts: tuple[int, ...], *shape: int) -> Node:
        return self.apply("slice", (x,), (steps, shape), starts)

    def mirrored(self, x: Node) -> Node:
        if self.choose.random() < 0.5:
            return self.part(x, (-1, 1), (SIDE - 1, 0), SIDE, SIDE)
        return self.part(x, (1, -1), (0, SIDE - 1), SIDE, SIDE)

    def turned(self, x: Node) -> Node:
        return self.apply("permute", (x,), ((1, 0),))

    def shifted(self, x: Node) -> Node:
        """``circshift`` along the rows, joined of two parts, or a neighbour with an edge."""
        by = self.choose.randrange(1, SIDE)
        low = self.part(x, (1, 1), (by, 0), SIDE - by, SIDE)
        return self.apply("cat", (low, self.part(x, (1, 1), (0, 0), by, SIDE)), (0,))

    def spread_column(self, x: Node) -> Node:
        return self.part(x, (1, 1), (0, self.choose.randrange(SIDE)), SIDE, 1)

    def spread_row(self, x: Node) -> Node:
        return self.part(x, (1, 1), (self.choose.randrange(SIDE), 0), 1, SIDE)

    def neighbours(self, x: Node) -> Node:
        """The interior from its neighbours, put back."""
        inner = SIDE - 2
        four = [self.part(x, (1, 1), at, inner, inner) for at in ((0, 1), (2, 1), (1, 0), (1, 2))]
        total = four[0]
        for other in four[1:]:
            total = self.apply("plus", (total, other))
        mean = self.apply("times", (total, self.scalar(0.25, self.dtype)))
        return self.apply("assign", (x, mean), ((1, 1),), (1, 1))

    def total(self, x: Node) -> Node:
        """Along a dimension, or lined up; sometimes it is needed at once."""
        if self.choose.random() < 0.5:
            return self.apply("sum", (x,), ((self.choose.randrange(2),),))
        whole = self.apply("sum", (self.apply("reshape", (x,), ((x.size, 1),)),), ((0,),))
        if self.choose.random() < 0.3:
            self.runtime.evaluate([whole])
        return whole

    def step(self) -> None:
        """One pass."""
        x = self.pool[-1]
        if self.choose.random() < 0.1:
            self.pool.append(self.neighbours(x))
            return
        for way in self.recipe:
            y = self.apply("times", (way(x), self.scalar(0.5, self.dtype)))
            op = self.choose.choice(["min", "max", "plus", "minus"])
            x = self.apply(op, (x, y))
        if self.choose.random() < 0.3:
            x = self.apply("plus", (x, self.row))
        if self.choose.random() < 0.1:
            x = self.apply("minus", (x, self.apply("tanh", (self.total(x),))))
        self.pool.append(self.apply("tanh", (x,)) if self.choose.random() < 0.2 else x)

    def run(self, passes: int) -> list[Node]:
        """The last value, and sometimes older ones."""
        for _ in range(passes):
            self.step()
        older = self.choose.sample(self.pool[1:], min(2, passes))
        return list(dict.fromkeys([self.pool[-1], *older[: self.choose.randrange(3)]]))


class Strands(Passes):
    """Values that move on together: each is read through one map of its own in every pass.

    What a pass computes of several of them is seen through the maps of all passes behind it.
    """

    def run(self, passes: int) -> list[Node]:
        """The last values, some two elements shorter for every pass."""
        length = SIDE + 2 * passes
        numbers = np.random.default_rng(passes).uniform(0.1, 1.0, (length, 3))
        columns = numbers.astype(self.dtype.numpy)[:, : self.choose.randrange(2, 4)].T
        strands = [self.runtime.leaf(np.asfortranarray(c.reshape(length, 1))) for c in columns]
        for _ in range(passes):
            length -= 2
            parts = [
                self.part(x, (1, 1), (self.choose.randrange(3), 0), length, 1) for x in strands
            ]
            shared = self.apply("times", tuple(self.choose.sample(parts, 2)))
            if self.choose.random() < 0.3:
                shared = self.apply("tanh", (shared,))
            ops = [self.choose.choice(["min", "max", "plus", "minus"]) for _ in parts]
            strands = [self.apply(op, (x, shared)) for op, x in zip(ops, parts, strict=True)]
            if self.choose.random() < 0.1:
                strands = [self.part(x, (-1, 1), (length - 1, 0), length, 1) for x in strands]
        return list(dict.fromkeys(strands))


def operations(null: NullProvider) -> int:
    """Elementwise operations of everything that was dispatched."""
    total = 0
    for dispatch in null.dispatched:
        body: tuple[Instr, ...] = dispatch.pipeline.request.body
        computed = sum(i.op in OPS and OPS[i.op].category in POINTWISE for i in body)
        total += int(np.prod(dispatch.extents)) * computed
    return total


@settings(max_examples=30, deadline=None)
@given(
    kind=st.sampled_from([Passes, Strands]),
    seed=st.integers(0, 10**9),
    passes=st.integers(1, PASSES),
)
def test_no_plan_works_more_than_the_bound(kind: type[Passes], seed: int, passes: int) -> None:
    """On the host with the answers compared, and as a device would be asked to do it."""
    host = Runtime(AccelOptions(device="cpu", verify=True, chain_limit=1000))
    wanted = kind(host, seed).run(passes)
    expected = reference.evaluate(wanted, host.evaluation.leaf_value)
    host.evaluate(wanted)
    for node in wanted:
        assert agree(host.gather(node), expected[node])
    null = NullProvider()
    device = Runtime(AccelOptions(device="gpu", verify=True, chain_limit=1000), null)
    program = kind(device, seed)
    device.evaluate(program.run(passes))
    # Counted apart from the planner: a slice of something cheap may be computed twice, and so may
    # what was needed by a sum alone when it was computed first.
    assert operations(null) <= 3 * sum(node.size for node in program.made)
    for runtime in (host, device):
        assert 0 < runtime.recorder.counters.work_inflation <= BOUND
        assert runtime.recorder.counters.fallbacks == 0
        runtime.close()


@pytest.mark.parametrize("passes", [5, 40])
def test_shortest_paths_are_one_small_kernel_per_pass(counting: Runtime, passes: int) -> None:
    """``D = min(D, D(:, k) + D(k, :))``: the same kernel in every pass."""
    whole = np.asfortranarray(np.random.default_rng(1).random((64, 64), np.float32))
    distance = counting.leaf(whole)
    apply = counting.apply
    for k in range(passes):
        column = apply("slice", (distance,), ((1, 1), (64, 1)), (0, k))
        row = apply("slice", (distance,), ((1, 1), (1, 64)), (k, 0))
        distance = apply("min", (distance, apply("plus", (column, row))))
    counting.evaluate([distance])
    null = counting.executor.device
    assert isinstance(null, NullProvider)
    assert len(null.dispatched) == passes
    assert len(null.kernels) == 1
    assert len(null.kernels[0].body) == 5


def test_a_part_alone_is_computed_alone(counting: Runtime) -> None:
    """Of a dear matrix of which one column is spread over another one, the column is computed."""
    matrix = counting.leaf(np.asfortranarray(np.random.default_rng(2).random((300, 300))))
    dear = counting.apply("exp", (counting.apply("sin", (matrix,)),))
    column = counting.apply("slice", (dear,), ((1, 1), (300, 1)), (0, 7))
    counting.evaluate([counting.apply("plus", (matrix, column))])
    null = counting.executor.device
    assert isinstance(null, NullProvider)
    sizes = [int(np.prod(dispatch.extents)) for dispatch in null.dispatched]
    assert sizes == [300, 90000]


def test_a_mirror_image_does_not_share_the_kernel_of_what_it_mirrors(counting: Runtime) -> None:
    """Both are wanted: what one kernel has stored is read by the next one, not computed again."""
    x = counting.leaf(np.asfortranarray(np.random.default_rng(3).random((5000, 1))))
    dear = counting.apply("gammaln", (x,))
    mirrored = counting.apply("slice", (dear,), ((-1, 1), (5000, 1)), (4999, 0))
    both = [dear, counting.apply("plus", (dear, mirrored))]
    counting.evaluate(both)
    null = counting.executor.device
    assert isinstance(null, NullProvider)
    assert sum("gammaln" in [i.op for i in kernel.body] for kernel in null.kernels) == 1
    assert counting.recorder.counters.work_inflation == 1.0


@pytest.mark.parametrize("step", [2, 3])
def test_values_of_ever_shorter_parts_stand_in_a_kernel_a_few_times(
    step: int, counting: Runtime
) -> None:
    """No more work than once, since parts of parts are read; but kernels doubled with every pass."""
    passes = 9
    length = step**passes * 2
    numbers = np.random.default_rng(step).uniform(0.1, 1.0, (2, length, 1))
    pair = [counting.leaf(np.asfortranarray(column)) for column in numbers]
    for _ in range(passes):
        length //= step
        parts = [
            counting.apply("slice", (x,), ((step, 1), (length, 1)), (k, 0))
            for k, x in enumerate(pair)
        ]
        shared = counting.apply("times", tuple(parts))
        ops = ("plus", "minus")
        pair = [counting.apply(op, (x, shared)) for op, x in zip(ops, parts, strict=True)]
    counting.evaluate(pair)
    null = counting.executor.device
    assert isinstance(null, NullProvider)
    assert max(len(kernel.body) for kernel in null.kernels) < 300
    assert counting.recorder.counters.work_inflation <= BOUND
