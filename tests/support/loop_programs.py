"""Programs whose loops become one kernel."""

from __future__ import annotations

import numpy as np

from app.accel.ir.dtypes import DType
from app.accel.ir.node import Node
from tests.accel.graphs import Graph

F64, F32 = DType.F64, DType.F32
M, T = 3000, 7


def logistic(g: Graph) -> list[Node]:
    trace = g.runtime.loop(T)
    x0, r = g.rand(M, 1), g.leaf(np.linspace(2.5, 4.0, M))
    x = trace.carry(x0)
    return trace.finish([g.times(g.times(r, x), g.minus(g.leaf([[1.0]]), x))])


def ema_bank(g: Graph) -> list[Node]:
    data = g.leaf(np.random.default_rng(0).standard_normal((M, T)))
    trace = g.runtime.loop(T)
    y, out = trace.carry(g.leaf(np.zeros((M, 1)))), trace.carry(g.leaf(np.zeros((M, T))))
    column = g.slice(data, attrs=((1, 1), (M, 1), (0, 1)), data=(0, 0))
    after = g.plus(g.times(y, 0.98), g.times(column, 0.02))
    filled = g.assign(out, after, attrs=((1, 1), (0, 1)), data=(0, 0))
    return trace.finish([after, filled])


def brownian(g: Graph) -> list[Node]:
    trace = g.runtime.loop(T)
    s = trace.carry(g.runtime.apply("fill", (g.runtime.scalar(100.0, F32),), ((M, 1),)))
    z = g.runtime.apply("random_normal", (), (F32, (M, 1), M), (11, 400))
    growth = g.exp(g.plus(g.times(z, 0.2), 0.01))
    return trace.finish([g.times(s, growth)])


def with_counter(g: Graph) -> list[Node]:
    trace = g.runtime.loop(T, 3.0, 2.0)
    x, total = trace.carry(g.rand(40, 30)), trace.carry(g.runtime.scalar(0.0))
    row = g.leaf(np.arange(30.0).reshape(1, 30))
    after = g.plus(g.times(x, 0.5), g.times(row, trace.counter))
    return trace.finish([after, g.plus(total, trace.counter)])


def swapping(g: Graph) -> list[Node]:
    trace = g.runtime.loop(T)
    a, b = trace.carry(g.rand(M, 1)), trace.carry(g.leaf(np.ones(M)))
    return trace.finish([b, g.plus(a, b)])


def guarded(g: Graph) -> list[Node]:
    trace = g.runtime.loop(T)
    x = trace.carry(g.rand(M, 1))
    return trace.finish([g.sqrt(g.minus(x, 0.3))])


def running_sum(g: Graph) -> list[Node]:
    """What passes add up over all points feeds outputs alone."""
    trace = g.runtime.loop(T)
    x, s = trace.carry(g.rand(M, 1)), trace.carry(g.runtime.scalar(1.0))
    after = g.times(x, 0.5)
    return trace.finish([after, g.plus(s, g.total(after))])


def mean_per_pass(g: Graph) -> list[Node]:
    trace = g.runtime.loop(T)
    x, m = trace.carry(g.rand(50, 60)), trace.carry(g.leaf(np.zeros((2, T))))
    after = g.plus(x, trace.counter)
    filled = g.assign(m, g.mean(after), attrs=((1, 1), (0, 1)), data=(1, 0))
    return trace.finish([after, filled])


def spread_per_pass(g: Graph) -> list[Node]:
    """A sum of what another sum went into: two levels."""
    data = g.leaf(np.random.default_rng(0).standard_normal((M, T)))
    trace = g.runtime.loop(T)
    v = trace.carry(g.leaf(np.zeros((T, 1))))
    column = g.slice(data, attrs=((1, 1), (M, 1), (0, 1)), data=(0, 0))
    d = g.minus(column, g.mean(column))
    return trace.finish([g.assign(v, g.mean(g.times(d, d)), attrs=((1, 1), (1, 0)), data=(0, 0))])


def smoothed_extreme(g: Graph) -> list[Node]:
    trace = g.runtime.loop(T)
    x, s = trace.carry(g.rand(M, 1)), trace.carry(g.runtime.scalar(0.0))
    after = g.times(x, 0.9)
    return trace.finish([after, g.plus(g.times(s, 0.5), g.total(after, "amax"))])


def largest_whole(g: Graph) -> list[Node]:
    """The largest of whole numbers: nothing is below all of them."""
    trace = g.runtime.loop(T)
    start = g.leaf(np.arange(-M, 0, dtype=np.int32).reshape(M, 1))
    x, s = trace.carry(start), trace.carry(g.runtime.scalar(0.0))
    one = g.runtime.scalar(1.0, DType.I32)
    after = g.plus(x, one)
    top = g.runtime.apply("cast", (g.total(after, "amax"),), (F64,))
    return trace.finish([after, g.plus(g.times(s, 0.5), top)])


def complex_sum(g: Graph) -> list[Node]:
    trace = g.runtime.loop(T)
    z = g.runtime.apply("complex", (g.rand(M, 1), g.rand(M, 1)))
    x, s = trace.carry(z), trace.carry(g.runtime.scalar(0.0))
    after = g.times(x, 0.9)
    size = g.runtime.apply("abs", (g.total(after),))
    return trace.finish([after, g.plus(g.times(s, 0.5), size)])


def noisy_power(g: Graph) -> list[Node]:
    trace = g.runtime.loop(T)
    p = trace.carry(g.runtime.scalar(0.0, F32))
    z = g.runtime.apply("random_normal", (), (F32, (M, 1), M), (11, 400))
    return trace.finish([g.plus(p, g.total(g.times(z, z)))])


def two_sizes(g: Graph) -> list[Node]:
    trace = g.runtime.loop(T)
    a, b = trace.carry(g.rand(M, 1)), trace.carry(g.leaf(np.ones((M + 1, 1))))
    return trace.finish([g.plus(a, trace.counter), g.times(b, 0.5)])


def adaptive_filter(g: Graph) -> list[Node]:
    """Four taps per channel: sums along a short axis."""
    rng = np.random.default_rng(0)
    data, wanted = g.leaf(rng.random((M, T + 3))), g.leaf(rng.random((M, T)))
    trace = g.runtime.loop(T)
    w, out = trace.carry(g.leaf(np.zeros((M, 4)))), trace.carry(g.leaf(np.zeros((M, T))))
    taps = g.slice(data, attrs=((1, 1), (M, 4), (0, 1)), data=(0, 0))
    y = g.sum(g.times(w, taps), attrs=((1,),))
    e = g.minus(g.slice(wanted, attrs=((1, 1), (M, 1), (0, 1)), data=(0, 0)), y)
    energy = g.plus(g.sum(g.times(taps, taps), attrs=((1,),)), 0.01)
    after = g.plus(w, g.rdivide(g.times(taps, g.times(e, 0.5)), energy))
    return trace.finish([after, g.assign(out, e, attrs=((1, 1), (0, 1)), data=(0, 0))])


def delay_line(g: Graph) -> list[Node]:
    """Columns move on by one in every pass."""
    data = g.leaf(np.random.default_rng(0).random((M, T)))
    trace = g.runtime.loop(T)
    line = trace.carry(g.leaf(np.zeros((M, 3))))
    fresh = g.slice(data, attrs=((1, 1), (M, 1), (0, 1)), data=(0, 0))
    kept = g.slice(line, attrs=((1, 1), (M, 2)), data=(0, 0))
    return trace.finish([g.cat(fresh, kept, attrs=(1,))])


PROGRAMS = [
    logistic,
    ema_bank,
    brownian,
    with_counter,
    swapping,
    guarded,
    running_sum,
    mean_per_pass,
    spread_per_pass,
    smoothed_extreme,
    largest_whole,
    complex_sum,
    noisy_power,
    two_sizes,
    adaptive_filter,
    delay_line,
]
