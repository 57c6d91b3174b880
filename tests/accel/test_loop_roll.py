"""Chains that repeat become loops, with the numbers they have pass by pass."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest

from app.accel.backends import reference
from app.accel.backends.null import NullProvider
from app.accel.fusion.loops import loop_roll
from app.accel.ir.dtypes import DType
from app.accel.ir.node import Node
from app.accel.runtime.runtime import AccelOptions, Runtime
from tests.support.random_graphs import agree

SHAPE = (3000, 1)


class Chain:
    """A pass over some state: elementwise, with draws, moving numbers and moving columns."""

    def __init__(self, runtime: Runtime, seed: int) -> None:
        self.runtime, self.choose = runtime, random.Random(seed)
        self.dtype = self.choose.choice([DType.F32, DType.F64])
        numbers = np.random.default_rng(seed).uniform(0.2, 1.0, (*SHAPE[:1], 64))
        self.table = runtime.leaf(np.asfortranarray(numbers.astype(self.dtype.numpy)))
        first = numbers[:, :1].astype(self.dtype.numpy)
        self.state = [runtime.leaf(np.asfortranarray(first * k)) for k in range(1, 3)]
        self.plan = [self.choose.randrange(6) for _ in range(self.choose.randrange(2, 7))]

    def step(self, k: int) -> None:
        """One pass; its form is the same in every pass."""
        apply, scalar = self.runtime.apply, self.runtime.scalar
        x, y = self.state
        for way in self.plan:
            if way == 0:
                x = apply("plus", (x, apply("times", (y, scalar(0.01, self.dtype)))))
            elif way == 1:
                x = apply("minus", (x, scalar(0.1 * k * k, self.dtype)))
            elif way == 2:
                y = apply("tanh", (apply("times", (x, scalar(0.5, self.dtype))),))
            elif way == 3:
                data = (7, 4 * 750 * k)
                y = apply("plus", (y, apply("random_uniform", (), (self.dtype, SHAPE), data)))
            elif way == 4:
                part = apply("slice", (self.table,), ((1, 1), SHAPE), (0, k))
                x = apply("max", (x, part))
            else:
                late = apply("gt", (x, scalar(0.7, self.dtype)))
                x, y = apply("select", (late, y, x)), x
        self.state = [x, apply("plus", (y, scalar(0.25, self.dtype)))]

    def run(self, passes: int) -> list[Node]:
        for k in range(passes):
            self.step(k)
        return self.state[: self.choose.randrange(1, 3)]


@pytest.mark.parametrize("seed", range(30))
def test_rolled_chains_have_the_values_of_their_passes(seed: int) -> None:
    runtime = Runtime(AccelOptions(device="cpu", verify=True, chain_limit=10000))
    wanted = Chain(runtime, seed).run(5 + seed)
    expected = reference.evaluate(wanted, runtime.evaluation.leaf_value)
    runtime.evaluate(wanted)
    for node in wanted:
        assert agree(runtime.gather(node), expected[node])
    runtime.close()


@pytest.mark.parametrize("seed", range(8))
def test_a_chain_of_the_same_form_is_rolled_without_being_searched(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched: list[int] = []
    search = loop_roll._find

    def counted(nodes: Sequence[Node], *rest: object) -> object:
        searched.append(len(nodes))
        return search(nodes, *rest)

    monkeypatch.setattr(loop_roll, "_find", counted)
    monkeypatch.setattr(loop_roll, "_known", {})
    runtime = Runtime(AccelOptions(device="cpu", verify=True, chain_limit=10000))
    for turn in range(3):
        chain = Chain(runtime, seed)
        chain.state.reverse()  # other leaves in other places
        wanted = chain.run(12 if turn < 2 else 13)
        expected = reference.evaluate(wanted, runtime.evaluation.leaf_value)
        before = len(searched)
        runtime.evaluate(wanted)
        assert all(agree(runtime.gather(n), expected[n]) for n in wanted)
        assert turn != 1 or len(searched) == before
    assert searched
    runtime.close()


@pytest.mark.parametrize("seed", range(12))
def test_kernels_do_not_grow_with_the_number_of_passes(seed: int) -> None:
    longest = []
    for passes in (20, 60):
        null = NullProvider()
        runtime = Runtime(AccelOptions(device="gpu", verify=True, chain_limit=10000), null)
        runtime.evaluate(Chain(runtime, seed).run(passes))
        sizes = [
            len(k.body) + len(k.epilogue) + len(k.loop.steps if k.loop else ())
            for k in null.kernels
        ]
        longest.append((max(sizes), len(null.dispatched), len(null.kernels)))
        runtime.close()
    assert longest[0] == longest[1]


def test_what_is_read_in_the_middle_stays_a_chain(counting: Runtime) -> None:
    """Every tenth value is wanted: nothing is computed twice for a loop that leaves them out."""
    x = counting.leaf(np.linspace(0, 1, 3000).reshape(SHAPE, order="F"))
    kept = []
    for k in range(40):
        x = counting.apply("plus", (counting.apply("times", (x, x)), counting.scalar(0.1)))
        kept += [x] if k % 10 == 9 else []
    counting.evaluate(kept)
    assert counting.recorder.counters.work_inflation <= 1.0
