"""Parts of arrays that are set on the device leave the rest alone."""

from __future__ import annotations

import numpy as np
import pytest

from app.accel.runtime.runtime import Runtime
from tests.accel.graphs import Graph


@pytest.mark.parametrize("dtype", ["float64", "float32", "uint8", "int16"])
@pytest.mark.parametrize(("start", "count"), [(0, 5), (4, 7), (4, 8), (3, 9), (1, 98), (0, 1)])
def test_elements_beyond_the_part_stay(
    runtime: Runtime, start: int, count: int, dtype: str
) -> None:
    g = Graph(runtime)
    base = np.arange(100).astype(dtype).reshape(-1, 1)
    value = np.full((count, 1), 7, dtype)
    one = g.leaf(np.ones((count, 1), dtype))
    made = g.assign(
        g.plus(g.leaf(base), g.leaf(np.zeros_like(base))),
        g.times(g.leaf(value), one),
        attrs=((1, 1),),
        data=(start, 0),
    )
    base[start : start + count] = 7
    np.testing.assert_array_equal(runtime.gather(made), base)


def test_joined_parts_do_not_overlap(runtime: Runtime) -> None:
    g = Graph(runtime)
    parts = [np.random.default_rng(k).random((k, 1)) for k in (4, 3, 9, 1, 5)]
    made = g.cat(*(g.sqrt(g.leaf(p)) for p in parts), attrs=(0,))
    np.testing.assert_allclose(runtime.gather(made), np.sqrt(np.concatenate(parts)), rtol=1e-15)


def test_a_stencil_takes_turns_in_two_buffers(runtime: Runtime) -> None:
    g = Graph(runtime)
    u = g.leaf(np.linspace(0.0, 1.0, 999) ** 2)
    expected = (np.linspace(0.0, 1.0, 999) ** 2).copy()
    for _ in range(9):
        left = g.slice(u, attrs=((1, 1), (997, 1)), data=(0, 0))
        right = g.slice(u, attrs=((1, 1), (997, 1)), data=(2, 0))
        u = g.assign(u, g.times(g.plus(left, right), 0.5), attrs=((1, 1),), data=(1, 0))
        expected[1:-1] = (expected[:-2] + expected[2:]) * 0.5
    found = runtime.gather(u)
    assert runtime.recorder.counters.dispatches == 9 + 2
    np.testing.assert_allclose(found[:, 0], expected, rtol=1e-13)
