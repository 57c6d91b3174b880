"""Random programs over the graph: shapes, views, reductions, products, complex detours."""

from __future__ import annotations

import math
import random

import numpy as np

from app.accel.ir.dtypes import DType
from app.accel.ir.node import Node
from app.accel.ir.shapes import normal
from app.accel.runtime.runtime import Runtime
from app.errors import MatlabError, Unsupported

SHAPES = [
    (5, 4),
    (7, 1),
    (1, 6),
    (3, 2, 4),
    (1, 1),
    (200, 130),
    (3, 1, 5),
    (40000, 1),
    (0, 3),
]
BINARY = ["plus", "minus", "times", "rdivide", "max", "min", "atan2", "hypot"]
UNARY = ["sin", "exp", "abs", "floor", "round", "uminus", "tanh", "sqrt", "log"]
LARGEST = 200_000


class Program:
    """Grows a pool of nodes by random operations; the seed says which."""

    def __init__(self, runtime: Runtime, seed: int) -> None:
        self.runtime = runtime
        self.choose = random.Random(seed)
        self.shape = self.choose.choice(SHAPES)
        self.dtype = self.choose.choice([DType.F64, DType.F32])
        self.pool = [self.leaf(self.shape) for _ in range(3)]
        self.pool.append(
            self.leaf(normal([e if self.choose.random() < 0.6 else 1 for e in self.shape]))
        )
        self.pool.append(runtime.scalar(self.choose.uniform(-2, 2), self.dtype))
        if math.prod(self.shape):
            data = (self.choose.randrange(1 << 60), 4 * self.choose.randrange(1000))
            drawn = runtime.apply("random_uniform", (), (self.dtype, self.shape), data)
            self.pool.append(drawn)

    def leaf(self, shape: tuple[int, ...]) -> Node:
        """Normal numbers."""
        numbers = np.random.default_rng(self.choose.randrange(1 << 30)).standard_normal(shape)
        return self.runtime.leaf(np.asfortranarray(numbers.astype(self.dtype.numpy)))

    def actions(self) -> list[str]:
        """The names of what may be done, as often as it should be."""
        return (
            ["binary"] * 7
            + ["unary"] * 3
            + ["masked"] * 2
            + [
                "reduced",
                "reduced",
                "reduced",
                "position",
                "turned",
                "reshaped",
                "sliced",
                "tiled",
                "joined",
                "summed",
                "product",
                "part_set",
                "looped",
                "looped",
                "placed",
                "placed",
            ]
        )

    def grow(self, steps: int) -> None:
        """Add the results of random operations; what does not fit is left out."""
        actions = self.actions()
        for _ in range(steps):
            action = getattr(self, self.choose.choice(actions))
            try:
                node = action(self.choose.choice(self.pool))
            except (MatlabError, Unsupported):
                continue
            if node.size < LARGEST:
                self.pool.append(node)

    def binary(self, x: Node) -> Node:
        other = self.choose.choice(self.pool)
        return self.runtime.apply(self.choose.choice(BINARY), (x, other))

    def unary(self, x: Node) -> Node:
        return self.runtime.apply(self.choose.choice(UNARY), (x,))

    def masked(self, x: Node) -> Node:
        mask = self.runtime.apply("gt", (x, self.runtime.scalar(0.0, self.dtype)))
        return self.runtime.apply("select", (mask, x, self.choose.choice(self.pool)))

    def reduced(self, x: Node) -> Node:
        rank = len(x.shape)
        axes = tuple(sorted(self.choose.sample(range(rank), self.choose.randrange(1, rank + 1))))
        op = self.choose.choice(["sum", "amin", "amax", "prod"]) if x.size else "sum"
        if op == "prod":  # products of large numbers depend on their order beyond all tolerance
            x = self.runtime.apply("tanh", (x,))
        return self.runtime.apply(op, (x,), (axes,))

    def position(self, x: Node) -> Node:
        if not x.size:
            return x
        op, axis = self.choose.choice(["argmin", "argmax"]), self.choose.randrange(len(x.shape))
        return self.runtime.apply("cast", (self.runtime.apply(op, (x,), (axis,)),), (self.dtype,))

    def turned(self, x: Node) -> Node:
        order = list(range(len(x.shape)))
        self.choose.shuffle(order)
        return self.runtime.apply("permute", (x,), (tuple(order),))

    def reshaped(self, x: Node) -> Node:
        shape = (1, x.size) if self.choose.random() < 0.5 else (x.size, 1)
        return self.runtime.apply("reshape", (x,), (shape,))

    def sliced(self, x: Node) -> Node:
        steps, shape, starts = self.part(x)
        return self.runtime.apply("slice", (x,), (steps, shape), starts)

    def part(self, x: Node) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """Steps, extents and starts of a part of a value."""
        steps, shape, starts = [], [], []
        for extent in x.shape:
            step = self.choose.choice([1, 1, 2, -1]) if extent else 1
            most = (extent + 1) // 2 if step == 2 else extent
            count = most if step == 2 or not extent else self.choose.randrange(1, most + 1)
            low = self.choose.randrange(0, extent - (count - 1) * abs(step)) if extent else 0
            steps.append(step)
            shape.append(count)
            starts.append(low if step > 0 else low + count - 1)
        return tuple(steps), normal(shape), tuple(starts)

    def part_set(self, x: Node) -> Node:
        """Some steps of a stencil: a part is set from another part."""
        steps, shape, starts = self.part(x)
        _, _, others = self.part(x)
        if any(
            o + s * (e - 1) not in range(n)
            for o, s, e, n in zip(others, steps, shape + (1,) * len(steps), x.shape, strict=False)
        ):
            others = starts
        for _ in range(self.choose.randrange(1, 5)):
            value = self.runtime.apply("slice", (x,), (steps, shape), others)
            value = self.runtime.apply("times", (value, self.pool[4]))
            x = self.runtime.apply("assign", (x, value), (steps,), starts)
        return x

    def placed(self, x: Node) -> Node:
        """With the coordinate, or the number, of every element."""
        apply = self.runtime.apply
        if self.choose.random() < 0.5:
            ends = (self.runtime.scalar(0.5, x.dtype), self.runtime.scalar(0.002, x.dtype))
            return apply("minus", (x, apply("iota", ends, (x.dtype, x.shape))))
        place = apply("position", (), (x.shape, self.choose.randrange(len(x.shape))))
        return apply("plus", (x, apply("cast", (place,), (x.dtype,))))

    def looped(self, x: Node) -> Node:
        """A loop over two variables, with sums over the points, the counter and a choice."""
        apply, trips = self.runtime.apply, self.choose.randrange(1, 6)
        trace = self.runtime.loop(trips, self.choose.choice([1.0, 3.0]), 2.0)
        a, s = trace.carry(x), trace.carry(self.runtime.scalar(0.5, x.dtype))
        m = trace.carry(apply("fill", (self.runtime.scalar(0.0, x.dtype),), ((1, trips),)))
        t = apply("cast", (trace.counter,), (x.dtype,))
        late = apply("gt", (t, self.runtime.scalar(4.0, x.dtype)))
        grown = apply("plus", (apply("times", (a, self.pool[4])), t))
        after = apply("select", (late, grown, apply("max", (a, self.choose.choice(self.pool)))))
        axes = tuple(range(len(x.shape)))
        whole = self.choose.choice(["sum", "amax", "amin"]) if x.size else "sum"
        total = apply(whole, (after,), (axes,))
        added = apply(self.choose.choice(["plus", "minus", "max"]), (s, total))
        each = apply("assign", (m, apply("times", (total, t))), ((1, 1), (0, 1)), (0, 0))
        return self.choose.choice(trace.finish([after, added, each]))

    def tiled(self, x: Node) -> Node:
        return self.runtime.apply("repmat", (x,), ((2, 3),))

    def joined(self, x: Node) -> Node:
        return self.runtime.apply("cat", (x, x), (self.choose.randrange(2),))

    def summed(self, x: Node) -> Node:
        axis = self.choose.randrange(len(x.shape))
        return self.runtime.apply("cumsum", (x,), (axis, self.choose.random() < 0.5))

    def product(self, x: Node) -> Node:
        if len(x.shape) > 2:
            return x
        turned = self.runtime.apply("permute", (x,), ((1, 0),))
        return self.runtime.apply("matmul", (x, turned))
