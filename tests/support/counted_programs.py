"""Programs with the kernels they become."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from app.accel.ir.dtypes import DType
from app.accel.ir.node import Node
from tests.accel.graphs import Graph

N = 4096


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


def summed_twice(g: Graph) -> Node:
    """``sum(sum(A))`` is one walk over the data."""
    return g.sum(g.sum(tall(g, 64, 32), attrs=((0,),)), attrs=((1,),))


def summed_twice_of_pages(g: Graph) -> Node:
    """Of three dimensions two, and what is left lined up."""
    pages = g.leaf(np.random.default_rng(2).random((8, 9, 10)))
    return g.reshape(g.amax(g.amax(pages, attrs=((0,),)), attrs=((1,),)), attrs=((10, 1),))


def summed_around_what_is_kept(g: Graph) -> Node:
    """A dimension that is kept lies between those that are reduced."""
    pages = g.leaf(np.random.default_rng(2).random((8, 9, 10)))
    return g.sum(g.sum(pages, attrs=((0,),)), attrs=((2,),))


def extreme_of_turned(g: Graph) -> Node:
    """``max(A')'`` is ``max(A, [], 2)``."""
    rows = g.amax(g.permute(tall(g, 64, 32), attrs=((1, 0),)), attrs=((0,),))
    return g.permute(rows, attrs=((1, 0),))


def row_times_column(g: Graph) -> Node:
    """``x' * x`` is a sum."""
    x = tall(g, 512, 1)
    return g.matmul(g.permute(x, attrs=((1, 0),)), x)


def lined_up_total(g: Graph) -> Node:
    """What is computed from results in another size is computed with them."""
    return g.times(g.reshape(g.sum(tall(g, 64, 32), attrs=((1,),)), attrs=((8, 8),)), 2.0)


def spread_behind_lined_up(g: Graph) -> Node:
    """Columns spread over results of another size want their rows: a kernel of their own."""
    x = g.reshape(tall(g, 64, 32), attrs=((8, 16, 16),))
    totals = g.reshape(g.sum(x, attrs=((1,),)), attrs=((8, 16),))
    return g.times(totals, tall(g, 8, 1))


def numbers_of_masked(g: Graph) -> Node:
    """A sum along a column, and one of all its elements."""
    x = tall(g, 512, 1)
    mask = g.gt(x, 0.5)
    chosen = g.sum(g.select(mask, x, 0.0), attrs=((0,),))
    return g.rdivide(chosen, g.nnz(mask, attrs=((0, 1),)))


COUNTED: list[tuple[Callable[[Graph], Node], list[str]]] = [
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
    (correlation, ["reduction", "image_normalize", "centered_gram"]),
    (bytes_times_matrix, ["matmul_epilogue"]),
    (part_times_matrix, ["single"]),
    (dear_factor, ["single", "single"]),
    (outer, ["single"]),
    (power_iteration, ["single", "reduction", "power_step"]),
    (explained, ["single", "explained_variance"]),
    (image, ["reduction", "image_normalize"]),
    (image_consumed, ["reduction", "image_normalize"]),
    (summed_twice, ["reduction"]),
    (summed_twice_of_pages, ["reduction"]),
    (summed_around_what_is_kept, ["single", "single"]),
    (extreme_of_turned, ["single"]),
    (row_times_column, ["reduction"]),
    (lined_up_total, ["reduction"]),
    (spread_behind_lined_up, ["single", "single"]),
    (numbers_of_masked, ["reduction"]),
]
