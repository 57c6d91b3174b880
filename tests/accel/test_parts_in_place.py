"""Parts set in arrays, of which others are read, held or asked for in any order: memory is taken
over only where nobody misses what was there."""

from __future__ import annotations

import random
from contextlib import suppress

import numpy as np
import pytest

from app.accel.ir.node import Node
from app.accel.runtime.executor import no_cancel
from app.accel.runtime.runtime import AccelOptions, Runtime
from app.errors import Interrupted

ROWS, COLUMNS = 6, 5
VARIABLES = 4


class PartsProgram:
    """Variables on the graph, and what they are."""

    def __init__(self, runtime: Runtime, seed: int) -> None:
        self.runtime, self.draw = runtime, random.Random(seed)
        self.nodes: list[Node] = []
        self.values: list[np.ndarray] = []
        for k in range(VARIABLES):
            value = np.asfortranarray(np.arange(30.0).reshape(ROWS, COLUMNS) + 100 * k)
            self.nodes.append(runtime.leaf(value.copy(order="F")))
            self.values.append(value)

    def column(self) -> tuple[Node, np.ndarray]:
        """A column of a variable, maybe with something done to it."""
        k, c = self.draw.randrange(VARIABLES), self.draw.randrange(COLUMNS)
        part = self.runtime.apply("slice", (self.nodes[k],), ((1, 1), (ROWS, 1)), (0, c))
        value = self.values[k][:, c : c + 1]
        match self.draw.randrange(4):
            case 0:
                part = self.sum_of(part, part)
            case 1:
                total = self.runtime.apply("sum", (part,), ((0,),))
                part, value = self.sum_of(part, total), (value + value.sum()) * 0.5
            case 2:
                part, value = (
                    self.runtime.apply("cumsum", (part,), (0, False)),
                    value.cumsum()[:, None],
                )
        return part, value

    def sum_of(self, a: Node, b: Node) -> Node:
        """The sum, halved: numbers stay small."""
        half = self.runtime.scalar(0.5)
        return self.runtime.apply("times", (self.runtime.apply("plus", (a, b)), half))

    def step(self) -> None:
        """One statement."""
        k, c = self.draw.randrange(VARIABLES), self.draw.randrange(COLUMNS)
        match self.draw.randrange(8):
            case 0 | 1 | 2 | 3:
                self.set_column(k, c)
            case 4:
                other = self.draw.randrange(VARIABLES)
                self.nodes[k], self.values[k] = self.nodes[other], self.values[other]
            case 5:
                other = self.draw.randrange(VARIABLES)
                self.nodes[k] = self.sum_of(self.nodes[k], self.nodes[other])
                self.values[k] = (self.values[k] + self.values[other]) * 0.5
            case 6:
                part, value = self.column()
                self.nodes[k] = self.sum_of(self.nodes[k], part)
                self.values[k] = (self.values[k] + value) * 0.5
            case _:
                self.ask()

    def set_column(self, k: int, c: int) -> None:
        """One column becomes what another one is, or something made of it."""
        part, value = self.column()
        steps = ((1, 1),)
        self.nodes[k] = self.runtime.apply("assign", (self.nodes[k], part), steps, (0, c))
        self.values[k] = self.values[k].copy()
        self.values[k][:, c : c + 1] = value

    def ask(self) -> None:
        """Something is needed now: a variable, a few, or what is made of one."""
        chosen = self.draw.sample(range(VARIABLES), self.draw.randrange(1, 3))
        if self.draw.random() < 0.4:
            self.stop_in(chosen)
        if self.draw.random() < 0.5:
            self.runtime.evaluate([self.nodes[k] for k in chosen])
        else:
            part, value = self.column()
            self.check(part, value)

    def stop_in(self, chosen: list[int]) -> None:
        """The same, but stopped on the way, if that is long enough."""
        left = self.draw.randrange(60)

        def poll() -> None:
            nonlocal left
            left -= 1
            if left < 0:
                raise Interrupted

        executor = self.runtime.executor
        executor.poll = poll
        with suppress(Interrupted):
            self.runtime.evaluate([self.nodes[k] for k in chosen])
        executor.poll = no_cancel

    def check(self, node: Node, value: np.ndarray) -> None:
        """A value is what it must be."""
        np.testing.assert_allclose(self.runtime.gather(node), value, rtol=1e-12)

    def run(self, steps: int) -> None:
        """So many statements; then everything is asked for."""
        for _ in range(steps):
            self.step()
        for node, value in zip(self.nodes, self.values, strict=True):
            self.check(node, value)


@pytest.mark.parametrize("first", range(0, 60, 20))
def test_parts_are_set_as_if_arrays_were_copied(first: int) -> None:
    runtime = Runtime(AccelOptions(device="cpu", verify=True))
    for seed in range(first, first + 20):
        PartsProgram(runtime, seed).run(24)
    runtime.close()


@pytest.mark.parametrize("left", range(8, 24))
def test_a_stop_leaves_what_was_read_before_it_was_written_over(left: int) -> None:
    """The memory of a leaf that two parts are set in, with a sum of all between them."""
    runtime = Runtime(AccelOptions(device="cpu", verify=True))
    apply, polls = runtime.apply, iter(range(left))

    def poll() -> None:
        if next(polls, None) is None:
            raise Interrupted

    node = apply("plus", (runtime.leaf(np.ones((ROWS, COLUMNS))), runtime.scalar(0.0)))
    runtime.evaluate([node])
    node = apply(
        "assign", (node, apply("fill", (runtime.scalar(5.0),), ((ROWS, 1),))), ((1, 1),), (0, 0)
    )
    for k in (1, 2):
        total = apply("sum", (node,), ((1,),))
        node = apply("assign", (node, total), ((1, 1),), (0, k))
    runtime.executor.poll = poll
    with suppress(Interrupted):
        runtime.evaluate([node])
    runtime.executor.poll = no_cancel
    np.testing.assert_array_equal(runtime.gather(node)[0], [5.0, 9.0, 17.0, 1.0, 1.0])
    runtime.close()
