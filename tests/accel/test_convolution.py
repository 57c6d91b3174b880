"""Convolutions on the host: every way, every size, what is not finite."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from app.accel.codegen import convolution

SHAPES = ("full", "same", "valid")
WAYS = ("by_machine_code", "by_shifts", "by_windows", "by_transforms")
Array = np.ndarray[Any, Any]


def by_definition(a: Array, b: Array, shape: str) -> Array:
    """Sums of shifted products, and the part that is wanted."""
    rank = max(a.ndim, b.ndim)
    a, b = (v.reshape(v.shape + (1,) * (rank - v.ndim)) for v in (a, b))
    size = [m + n - 1 for m, n in zip(a.shape, b.shape, strict=True)]
    full = np.zeros(size, np.result_type(a, b))
    with np.errstate(invalid="ignore"):
        for place in itertools.product(*map(range, b.shape)):
            part = tuple(slice(k, k + m) for k, m in zip(place, a.shape, strict=True))
            full[part] += a * b[place]
    if shape == "same":
        part = tuple(slice(n // 2, n // 2 + m) for m, n in zip(a.shape, b.shape, strict=True))
    elif shape == "valid":
        part = tuple(slice(n - 1, max(m, n - 1)) for m, n in zip(a.shape, b.shape, strict=True))
    else:
        part = (slice(None),) * rank
    return full[part]


def whole_numbers(rng: np.random.Generator, rank: int, most: int) -> Array:
    """An array of small whole numbers of any size."""
    values = rng.integers(-9, 10, rng.integers(1, most, rank)).astype(float)
    return np.asfortranarray(values) if rng.random() < 0.5 else values


@pytest.mark.parametrize("way", WAYS)
def test_every_way_gives_the_sums_exactly(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    convolution._native.is_awake(np.inf)
    monkeypatch.setattr(convolution, "_cheapest_way", lambda plan: getattr(convolution, way))
    rng = np.random.default_rng(WAYS.index(way))
    for case in range(150):
        rank = int(rng.integers(1, 5))
        a = whole_numbers(rng, rank, (70, 20, 8, 5)[rank - 1])
        b = whole_numbers(rng, int(rng.integers(1, rank + 1)), (40, 12, 6, 4)[rank - 1])
        a = a + 1j * a[::-1] if case % 4 == 0 else a
        b = b.astype(np.float32) if case % 5 == 0 else b
        for shape in SHAPES:
            made, wanted = convolution.convolve(a, b, shape), by_definition(a, b, shape)
            assert made.shape == wanted.shape
            if made.size:
                width = 4 if case % 5 == 0 else 8
                assert made.dtype.itemsize == width * (2 if case % 4 == 0 else 1)
            assert np.array_equal(made, wanted), (a.shape, b.shape, shape)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("way", WAYS)
def test_what_is_not_finite_stays_where_it_is(
    way: str, bad: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    convolution._native.is_awake(np.inf)
    monkeypatch.setattr(convolution, "_cheapest_way", lambda plan: getattr(convolution, way))
    a, b = np.arange(1.0, 43).reshape(6, 7), np.arange(1.0, 7).reshape(2, 3)
    a[2, 3] = bad
    for x, y in ((a, b), (b, a)):
        for shape in SHAPES:
            wanted = by_definition(x, y, shape)
            assert np.array_equal(convolution.convolve(x, y, shape), wanted, equal_nan=True)


def test_an_infinite_kernel_meets_no_zeros_outside() -> None:
    a, b = np.ones((3, 3)), np.array([[1.0, np.inf], [0.0, 2.0]])
    for shape in SHAPES:
        wanted = by_definition(a, b, shape)
        assert np.array_equal(convolution.convolve(a, b, shape), wanted, equal_nan=True)


def test_large_kernels_go_through_transforms() -> None:
    rng = np.random.default_rng(5)
    a, b = rng.random((150, 140)), rng.random((90, 80))
    plan = convolution._plan(a.shape, b.shape, "full")
    assert convolution._cheapest_way(plan) is convolution.by_transforms
    convolution._native.is_awake(np.inf)
    direct = convolution.by_machine_code
    wide = np.zeros(plan.wide, order="F")
    wide[plan.place] = a
    exact = direct(wide, np.asfortranarray(b), plan)
    assert np.abs(convolution.convolve(a, b) - exact).max() < 1e-11 * np.abs(exact).max()
