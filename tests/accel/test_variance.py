"""Mean and deviation in one pass: what is taken together, what is not, and how exact it is."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from app.accel.backends.null import NullProvider
from app.accel.ir.node import Node
from app.accel.runtime.runtime import Runtime
from tests.accel.graphs import Graph

ROWS, COLUMNS = 300, 40


def data(offset: float, dtype: type, shape: tuple[int, ...] = (ROWS, COLUMNS)) -> np.ndarray:
    return (np.random.default_rng(3).standard_normal(shape) + offset).astype(dtype)


def squares(g: Graph, x: Node, centre: Node, axes: tuple[int, ...]) -> Node:
    away = g.minus(x, centre)
    return g.sum(g.times(away, away), attrs=(axes,))


def mean(g: Graph, x: Node, axes: tuple[int, ...]) -> Node:
    total = g.sum(x, attrs=(axes,))
    return g.rdivide(total, x.size / total.size)


def around_mean(g: Graph, x: Node) -> Node:
    return squares(g, x, mean(g, x, (0,)), (0,))


def other_way_round(g: Graph, x: Node) -> Node:
    away = g.minus(mean(g, x, (1,)), x)
    return g.sum(g.times(away, away), attrs=((1,),))


def of_all(g: Graph, x: Node) -> Node:
    """As mean((x(:) - mean(x, 'all')).^2) reads the data in another shape."""
    away = g.minus(x, mean(g, x, (0, 1)))
    column = g.reshape(away, attrs=((x.size, 1),))
    return g.sum(g.times(column, column), attrs=((0,),))


def off_centre(g: Graph, x: Node) -> Node:
    """Any number made of the sum will do, not just the mean."""
    return squares(g, x, g.plus(g.times(mean(g, x, (0,)), 0.5), 1.0), (0,))


def computed(g: Graph, x: Node) -> Node:
    return around_mean(g, g.sin(x))


def other_axis(g: Graph, x: Node) -> Node:
    return squares(g, x, mean(g, x, (1,)), (0,))


def other_data(g: Graph, x: Node) -> Node:
    return squares(g, x, mean(g, g.abs(x), (0,)), (0,))


def of_largest(g: Graph, x: Node) -> Node:
    return squares(g, x, g.amax(x, attrs=((0,),)), (0,))


ONE = [around_mean, other_way_round, of_all, off_centre, computed]
TWO = [other_axis, other_data, of_largest]


@pytest.mark.parametrize("program", ONE + TWO)
def test_passes(counting: Runtime, null: NullProvider, program: Callable[..., Node]) -> None:
    g = Graph(counting)
    counting.evaluate([program(g, g.leaf(data(0.0, np.float64)))])
    assert len(null.dispatched) == (1 if program in ONE else 2)
    one = any(r.op == "moment" for r in null.kernels[0].reductions)
    assert one == (program in ONE)


def test_distances_that_are_kept_are_summed_where_they_are_made(
    counting: Runtime, null: NullProvider
) -> None:
    g = Graph(counting)
    x = g.leaf(data(0.0, np.float64))
    away = g.minus(x, mean(g, x, (0,)))
    counting.evaluate([away, g.sum(g.times(away, away), attrs=((0,),))])
    assert [[r.op for r in k.reductions] for k in null.kernels] == [["sum"], ["sum"]]


@pytest.mark.parametrize("program", ONE)
@pytest.mark.parametrize("shape", [(ROWS, COLUMNS), (3, 2), (70_000, 3)])
def test_numbers(host: Runtime, program: Callable[..., Node], shape: tuple[int, int]) -> None:
    numbers = data(0.5, np.float64, shape)
    found, expected = both(host, program, numbers)
    np.testing.assert_allclose(found, expected, rtol=1e-13)


def both(runtime: Runtime, program: Callable[..., Node], numbers: np.ndarray) -> tuple:
    from app.accel.backends import reference

    g = Graph(runtime)
    node = program(g, g.leaf(numbers))
    expected = reference.evaluate([node], runtime.evaluation.leaf_value)[node]
    return runtime.gather(node), expected


@pytest.mark.parametrize("shape", [(ROWS, COLUMNS), (3, 1), (200_000, 1)])
def test_single_data_far_from_zero(host: Runtime, shape: tuple[int, int]) -> None:
    """Two passes over singles round the mean; one pass must not be worse."""
    numbers = data(1e4, np.float32, shape)
    found, two_passes = both(host, around_mean, numbers)
    exact = ((numbers - numbers.mean(0, float)) ** 2).sum(0, float, keepdims=True)
    error, allowed = (np.abs(v / exact - 1).max() for v in (found, two_passes))
    assert error <= max(allowed, 3e-6)


@pytest.mark.parametrize("special", [np.nan, np.inf, -np.inf])
def test_special_values(host: Runtime, special: float) -> None:
    numbers = data(0.0, np.float64)
    numbers[7, 2] = special
    found, expected = both(host, around_mean, numbers)
    assert np.isnan(found[0, 2])
    np.testing.assert_allclose(found, expected, rtol=1e-12)
