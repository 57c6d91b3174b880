"""Written programs whose kernels are counted: one small function each."""

from __future__ import annotations

import numpy as np

from app.accel.ir.dtypes import DType
from app.accel.ir.node import Node
from tests.accel.graphs import Graph

N, ROWS, COLUMNS = 4096, 64, 48
F32, U8 = DType.F32, DType.U8


def x(g: Graph) -> Node:
    return g.leaf(np.linspace(0.1, 1.0, N))


def single(g: Graph) -> Node:
    return g.leaf(np.linspace(0.1, 1.0, N, dtype=np.float32))


def matrix(g: Graph, rows: int = ROWS, columns: int = COLUMNS) -> Node:
    return g.leaf(np.random.default_rng(1).random((rows, columns)))


def polynomial(g: Graph) -> Node:
    a = x(g)
    return g.plus(g.times(g.plus(g.times(a, 3.0), 2.0), a), 1.0)


def sigmoid(g: Graph) -> Node:
    return g.rdivide(g.leaf([[1.0]]), g.plus(g.exp(g.uminus(x(g))), 1.0))


def relu(g: Graph) -> Node:
    return g.max(g.minus(x(g), 0.5), 0.0)


def clamp(g: Graph) -> Node:
    return g.min(g.max(x(g), 0.2), 0.8)


def distance(g: Graph) -> Node:
    return g.sqrt(g.total(g.power(g.minus(x(g), g.leaf(np.ones(N))), 2.0)))


def dot(g: Graph) -> Node:
    return g.total(g.times(x(g), x(g)))


def norm_then_scale(g: Graph) -> Node:
    a = x(g)
    return g.rdivide(a, g.sqrt(g.total(g.times(a, a))))


def sum_of_normalised_rows(g: Graph) -> list[Node]:
    """sum(y(:).^2) and max(y(:)): lined up after something was spread over the rows."""
    a = matrix(g)
    rows = g.rdivide(a, g.sqrt(g.sum(g.times(a, a), attrs=((1,),))))
    lined = g.reshape(rows, attrs=((ROWS * COLUMNS, 1),))
    return [g.sum(g.times(lined, lined), attrs=((0,),)), g.amax(lined, attrs=((0,),))]


def distance_matrix(g: Graph) -> Node:
    """Squared norms of the rows join the product in its epilogue."""
    a, b = matrix(g, ROWS, 3), matrix(g, COLUMNS, 3)
    across = g.permute(g.sum(g.times(b, b), attrs=((1,),)), attrs=((1, 0),))
    product = g.matmul(g.times(a, 2.0), g.permute(b, attrs=((1, 0),)))
    norms = g.plus(g.sum(g.times(a, a), attrs=((1,),)), across)
    return g.sqrt(g.max(g.minus(norms, product), 0.0))


def noisy_z_scores(g: Graph) -> Node:
    """Data that are dear to compute are stored by the pass that gives mean and deviation."""
    a = g.plus(g.times(g.rand(ROWS, COLUMNS), 3.0), 2.0)
    d = g.minus(a, g.rdivide(g.sum(a, attrs=((0,),)), float(ROWS)))
    return g.rdivide(d, g.sqrt(g.rdivide(g.sum(g.times(d, d), attrs=((0,),)), float(ROWS))))


def softmax(g: Graph) -> Node:
    a = x(g)
    e = g.exp(g.minus(a, g.amax(a, attrs=((0, 1),))))
    return g.rdivide(e, g.total(e))


def log_sum_exp(g: Graph) -> Node:
    a = x(g)
    top = g.amax(a, attrs=((0, 1),))
    return g.plus(g.log(g.total(g.exp(g.minus(a, top)))), top)


def mean_and_deviation(g: Graph) -> list[Node]:
    a = x(g)
    mu = g.mean(a)
    d = g.minus(a, mu)
    return [mu, g.sqrt(g.mean(g.times(d, d)))]


def moments_one_pass(g: Graph) -> list[Node]:
    a = x(g)
    return [g.total(a), g.total(g.times(a, a)), g.amax(a, attrs=((0, 1),))]


def z_scores(g: Graph) -> Node:
    a = matrix(g)
    mu = g.rdivide(g.sum(a, attrs=((0,),)), float(ROWS))
    d = g.minus(a, mu)
    return g.rdivide(d, g.sqrt(g.rdivide(g.sum(g.times(d, d), attrs=((0,),)), float(ROWS))))


def row_sums(g: Graph) -> Node:
    return g.sum(g.times(matrix(g), 2.0), attrs=((1,),))


def row_and_column_sums(g: Graph) -> list[Node]:
    a = matrix(g)
    return [g.sum(a, attrs=((0,),)), g.sum(a, attrs=((1,),))]


def row_normalised(g: Graph) -> Node:
    a = matrix(g)
    return g.rdivide(a, g.sum(a, attrs=((1,),)))


def counted(g: Graph) -> Node:
    return g.nnz(g.gt(x(g), 0.5), attrs=((0, 1),))


def any_and_all(g: Graph) -> list[Node]:
    a = x(g)
    return [g.any(g.gt(a, 0.5), attrs=((0, 1),)), g.all(g.gt(a, 0.0), attrs=((0, 1),))]


def position_of_largest(g: Graph) -> Node:
    return g.argmax(g.sin(x(g)), attrs=(0,))


def running_total(g: Graph) -> Node:
    return g.cumsum(g.times(x(g), 0.1), attrs=(0, False))


def running_total_scaled(g: Graph) -> Node:
    return g.rdivide(g.cumsum(x(g), attrs=(0, False)), 3.0)


def running_mean(g: Graph) -> list[Node]:
    """Running sums are finished in the kernel that makes them; all three are asked for."""
    a = x(g)
    total = g.cumsum(g.times(a, a), attrs=(0, False))
    place = g.plus(g.runtime.apply("position", (), ((N, 1), 0)), 1.0)
    return [total, g.sqrt(g.rdivide(total, place)), g.minus(total, a)]


def running_rows(g: Graph) -> Node:
    a = matrix(g)
    return g.exp(g.minus(g.cumsum(a, attrs=(1, True)), g.leaf(np.ones((ROWS, 1)))))


def mean_of_running_total(g: Graph) -> Node:
    return g.mean(g.plus(g.times(g.cumsum(x(g), attrs=(0, False)), 2.0), 1.0))


def sum_of_running_totals(g: Graph) -> list[Node]:
    """Along the scan, against it, and over everything."""
    a = matrix(g)
    back = g.cumsum(a, attrs=(1, True))
    return [g.sum(g.cumsum(a, attrs=(0, False)), attrs=((0,),)), g.sum(back, attrs=((0, 1),))]


def running_product(g: Graph) -> Node:
    return g.cumprod(x(g), attrs=(0, False))


def column_scan(g: Graph) -> Node:
    return g.cumsum(matrix(g), attrs=(1, False))


def casts(g: Graph) -> Node:
    return g.cast(g.times(g.cast(single(g), attrs=(DType.F64,)), 100.0), attrs=(U8,))


def integers(g: Graph) -> Node:
    a = g.leaf(np.arange(N, dtype=np.int32))
    return g.plus(g.times(a, a), a)


def logic(g: Graph) -> Node:
    a = x(g)
    return getattr(g, "and")(g.gt(a, 0.2), g.lt(a, 0.7))


def complex_magnitude(g: Graph) -> Node:
    z = g.complex(x(g), x(g))
    return g.abs(g.times(z, z))


def random_walk_ends(g: Graph) -> Node:
    z = g.runtime.apply("random_normal", (), (F32, (N, 1)), (3, 0))
    return g.exp(g.times(z, 0.2))


def pi_by_darts(g: Graph) -> Node:
    u = g.runtime.apply("random_uniform", (), (F32, (N, 1)), (3, 0))
    v = g.runtime.apply("random_uniform", (), (F32, (N, 1)), (3, N))
    inside = g.lt(g.plus(g.times(u, u), g.times(v, v)), 1.0)
    return g.nnz(inside, attrs=((0, 1),))


def outer_product(g: Graph) -> Node:
    a, b = g.leaf(np.ones((ROWS, 1))), g.leaf(np.ones((1, COLUMNS)))
    return g.times(a, b)


def ramp(g: Graph) -> Node:
    start, step = g.runtime.scalar(0.0), g.runtime.scalar(0.5)
    return g.sin(g.runtime.apply("iota", (start, step), (DType.F64, (N, 1))))


def differences(g: Graph) -> Node:
    a = x(g)
    later = g.slice(a, attrs=((1, 1), (N - 1, 1)), data=(1, 0))
    return g.minus(later, g.slice(a, attrs=((1, 1), (N - 1, 1)), data=(0, 0)))


def reversed_sum(g: Graph) -> Node:
    a = x(g)
    return g.plus(g.slice(a, attrs=((-1, 1), (N, 1)), data=(N - 1, 0)), a)


def every_third(g: Graph) -> Node:
    return g.times(g.slice(x(g), attrs=((3, 1), (N // 3, 1)), data=(0, 0)), 2.0)


def tiled_rows(g: Graph) -> Node:
    return g.plus(g.repmat(g.leaf(np.ones((1, COLUMNS))), attrs=((ROWS, 1),)), matrix(g))


def reshaped(g: Graph) -> Node:
    return g.times(g.reshape(g.sin(x(g)), attrs=((ROWS, ROWS),)), 2.0)


def turned_sum(g: Graph) -> Node:
    a = matrix(g, 48, 48)
    return g.plus(a, g.permute(a, attrs=((1, 0),)))


def joined(g: Graph) -> Node:
    return g.cat(x(g), g.times(x(g), 2.0), attrs=(0,))


def cube(g: Graph) -> Node:
    return g.leaf(np.random.default_rng(2).random((8, 6, 4)))


def turned_cube(g: Graph) -> Node:
    """permute, a part and a flip, in place: nothing is copied."""
    part = g.slice(
        g.permute(cube(g), attrs=((2, 0, 1),)), attrs=((-1, 1, 2), (4, 8, 3)), data=(3, 0, 0)
    )
    return g.times(part, 2.0)


def rows_of_cube(g: Graph) -> Node:
    """Extents of one come and go without a copy."""
    flat = g.reshape(
        g.slice(cube(g), attrs=((1, 1, 1), (8, 1, 4)), data=(0, 2, 0)), attrs=((8, 4),)
    )
    return g.sum(g.exp(g.permute(flat, attrs=((1, 0),))), attrs=((0,),))


def rolled(g: Graph) -> Node:
    """circshift: two parts, each computed where it goes."""
    a = g.sin(x(g))
    tail = g.slice(a, attrs=((1, 1), (5, 1)), data=(N - 5, 0))
    head = g.slice(a, attrs=((1, 1), (N - 5, 1)), data=(0, 0))
    return g.cat(tail, head, attrs=(0,))


def grid(g: Graph) -> Node:
    """meshgrid: rows and columns spread over the plane, never stored."""
    row = g.leaf(np.linspace(-1.0, 1.0, COLUMNS).reshape(1, -1))
    across = g.repmat(row, attrs=((ROWS, 1),))
    down = g.repmat(g.leaf(np.linspace(-1.0, 1.0, ROWS)), attrs=((1, COLUMNS),))
    return g.total(g.times(across, g.times(down, down)))


def tiles(g: Graph) -> Node:
    """A repeated pattern has no offset and stride: its tiles are written out."""
    return g.times(g.repmat(matrix(g, 4, 3), attrs=((5, 6),)), 2.0)


def clipped_in_place(g: Graph) -> Node:
    """x(x > 1) = 1; x(isnan(x)) = 0 is one kernel."""
    a = g.exp(x(g))
    a = g.select(g.gt(a, 1.5), g.runtime.scalar(1.5), a)
    return g.select(g.isnan(a), g.runtime.scalar(0.0), a)


def every_other_set(g: Graph) -> Node:
    value = g.fill(g.runtime.scalar(7.0), attrs=((N // 2, 1),))
    return g.assign(g.plus(x(g), 1.0), value, attrs=((2, 1),), data=(1, 0))


def scan_then_scan(g: Graph) -> Node:
    """A running sum of a running sum reads the whole first one: it must not fuse."""
    return g.cumsum(g.cumsum(x(g), attrs=(0, False)), attrs=(0, False))


def sum_over_product_columns(g: Graph) -> Node:
    """A reduction of a product needs all of it: it must not fuse."""
    return g.sum(g.matmul(matrix(g), matrix(g, COLUMNS, 32)), attrs=((0,),))


def product_of_products(g: Graph) -> Node:
    return g.matmul(g.matmul(matrix(g), matrix(g, COLUMNS, 32)), matrix(g, 32, 16))


def taken(g: Graph) -> Node:
    index = g.leaf(np.arange(N - 1, -1, -1, dtype=np.int64))
    return g.times(g.gather(x(g), index, attrs=((N, 1),)), 2.0)


def part_set(g: Graph) -> Node:
    value = g.leaf(np.zeros((10, 1)))
    return g.assign(g.sin(x(g)), value, attrs=((1, 1), ()), data=(5, 0))


def linear_layer(g: Graph) -> Node:
    y = g.plus(g.matmul(matrix(g), matrix(g, COLUMNS, 32)), g.leaf(np.ones((1, 32))))
    return g.max(y, 0.0)


def two_layers(g: Graph) -> Node:
    return g.tanh(g.matmul(linear_layer(g), matrix(g, 32, 8)))


def quadratic_form(g: Graph) -> Node:
    v = g.leaf(np.ones((COLUMNS, 1)))
    a = matrix(g, COLUMNS, COLUMNS)
    return g.matmul(g.permute(v, attrs=((1, 0),)), g.matmul(a, v))


def product_minus(g: Graph) -> Node:
    return g.minus(matrix(g, ROWS, 8), g.matmul(matrix(g), matrix(g, COLUMNS, 8)))


WRITTEN = {
    polynomial: ["elementwise"],
    sigmoid: ["elementwise"],
    relu: ["elementwise"],
    clamp: ["elementwise"],
    distance: ["reduction"],
    dot: ["reduction"],
    norm_then_scale: ["reduction", "single"],
    softmax: ["single", "reduction", "image_normalize"],
    sum_of_normalised_rows: ["reduction", "reduction"],
    distance_matrix: ["reduction", "reduction", "matmul_epilogue"],
    noisy_z_scores: ["reduction", "image_normalize"],
    log_sum_exp: ["single", "reduction"],
    mean_and_deviation: ["reduction"],
    moments_one_pass: ["reduction"],
    z_scores: ["reduction", "image_normalize"],
    row_sums: ["reduction"],
    row_and_column_sums: ["single", "single"],
    row_normalised: ["single", "single"],
    counted: ["reduction"],
    any_and_all: ["reduction"],
    running_mean: ["scan"],
    running_rows: ["scan"],
    mean_of_running_total: ["single", "reduction"],
    sum_of_running_totals: ["reduction", "reduction"],
    position_of_largest: ["reduction"],
    running_total: ["scan"],
    running_total_scaled: ["scan"],
    running_product: ["single"],
    column_scan: ["single"],
    casts: ["elementwise"],
    integers: ["elementwise"],
    logic: ["elementwise"],
    complex_magnitude: ["elementwise"],
    random_walk_ends: ["random"],
    pi_by_darts: ["reduction"],
    outer_product: ["single"],
    ramp: ["elementwise"],
    differences: ["single"],
    reversed_sum: ["single"],
    every_third: ["single"],
    tiled_rows: ["elementwise"],
    reshaped: ["elementwise"],
    turned_cube: ["single"],
    rows_of_cube: ["reduction"],
    rolled: ["elementwise"],
    grid: ["reduction"],
    tiles: ["single", "single"],
    clipped_in_place: ["elementwise"],
    every_other_set: ["single", "single", "single"],
    scan_then_scan: ["single", "single"],
    sum_over_product_columns: ["single", "single"],
    product_of_products: ["single", "single"],
    turned_sum: ["single"],
    joined: ["single", "single"],
    taken: ["elementwise"],
    part_set: ["single", "single", "single"],
    linear_layer: ["matmul_epilogue"],
    two_layers: ["matmul_epilogue", "matmul_epilogue"],
    quadratic_form: ["single", "reduction"],
    product_minus: ["matmul_epilogue"],
}
