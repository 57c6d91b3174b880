"""What the graph alone says of whole numbers holds for their values."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from app.accel.ir.dtypes import DType
from app.accel.ir.node import Node
from app.accel.ir.whole_ranges import whole_range
from app.accel.runtime.runtime import AccelOptions, Runtime

SHAPE = (4, 3)
ONE = ("floor", "ceil", "fix", "round", "uminus", "abs")
TWO = ("plus", "minus", "times", "min", "max", "mod", "rem")
TYPES = (DType.U8, DType.I8, DType.I32, DType.U16, DType.BOOL)


@pytest.fixture(scope="module")
def runtime() -> Iterator[Runtime]:
    made = Runtime(AccelOptions(device="cpu"))
    yield made
    made.close()


def drawn(r: Runtime, draw: random.Random) -> Node:
    """A source: ranges, coordinates, random numbers, parameters, integers, any doubles."""
    match draw.randrange(7):
        case 0:
            ends = r.scalar(float(draw.randint(-9, 9))), r.scalar(float(draw.randint(-3, 3)))
            return r.apply("iota", ends, (DType.F64, SHAPE))
        case 1:
            return r.apply("position", (), (SHAPE, draw.randrange(2)))
        case 2:
            u = r.apply("random_uniform", (), (DType.F64, SHAPE), (draw.randrange(99), 0))
            return r.apply(
                "floor", (r.apply("times", (u, r.scalar(draw.choice([1.0, 7.0, 2.5])))),)
            )
        case 3:
            value = draw.choice([0.0, 3.0, -4.0, 2.5, np.inf, np.nan, 2.0**53])
            return r.apply("fill", (r.scalar(value),), (SHAPE,))
        case 4:
            whole = np.array([[draw.randint(-200, 300) for _ in range(3)] for _ in range(4)])
            dtype = draw.choice(TYPES)
            return r.apply("cast", (r.leaf(whole.astype(dtype.numpy, order="F")),), (DType.F64,))
        case 5:
            values = np.array([[draw.gauss(0, 300) for _ in range(3)] for _ in range(4)], order="F")
            values[0, 0] = draw.choice([np.nan, np.inf, 0.5])
            return r.leaf(values)
        case _:
            values = np.array([[draw.random() for _ in range(3)] for _ in range(4)], order="F")
            return r.apply("sort_index", (r.leaf(values),), (0, False))


def grown(r: Runtime, draw: random.Random) -> Node:
    """An expression of some operations."""
    node = drawn(r, draw)
    for _ in range(draw.randrange(6)):
        match draw.randrange(6):
            case 0:
                node = r.apply(draw.choice(ONE), (node,))
            case 1 | 2:
                other = drawn(r, draw)
                node = r.apply(draw.choice(TWO), draw.choice([(node, other), (other, node)]))
            case 3:
                narrow = r.apply("cast", (node,), (draw.choice(TYPES[:4]),))
                node = r.apply("cast", (narrow,), (DType.F64,))
            case 4:
                mask = r.apply("lt", (node, r.scalar(draw.uniform(-5, 5))))
                node = r.apply("select", (mask, node, drawn(r, draw)))
            case _:
                reversed_ = r.apply("slice", (node,), ((-1, 1), SHAPE), (3, 0))
                node = r.apply(
                    "slice", (r.apply("cat", (node, reversed_), (0,)),), ((1, 1), SHAPE), (2, 0)
                )
    return node


def test_every_value_is_whole_and_inside(runtime: Runtime) -> None:
    draw, known = random.Random(5), 0
    with np.errstate(all="ignore"):
        for _ in range(300):
            node = grown(runtime, draw)
            found = whole_range(node)
            if found is None:
                continue
            known += 1
            values = np.asarray(runtime.gather(node), np.float64)
            assert np.isfinite(values).all()
            assert np.array_equal(values, np.floor(values))
            assert found[0] <= values.min()
            assert values.max() <= found[1]
    assert known > 100


def test_places_that_are_found_lie_in_the_array(runtime: Runtime) -> None:
    x = runtime.leaf(np.asfortranarray(np.random.default_rng(1).random((5, 3))))
    assert whole_range(runtime.apply("argmin", (x,), (1,))) == (1.0, 3.0)
    assert whole_range(runtime.apply("sort_index", (x,), (0, False))) == (1.0, 5.0)
    assert whole_range(x) is None
    assert whole_range(runtime.apply("floor", (x,))) is None


def test_long_sums_are_given_up_in_time(runtime: Runtime) -> None:
    node = runtime.apply("position", (), (SHAPE, 0))
    for _ in range(2000):
        node = runtime.apply("plus", (node, node))
    assert whole_range(node) is None
