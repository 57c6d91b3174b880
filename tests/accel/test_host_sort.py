"""Fast orders are stable orders."""

from __future__ import annotations

import numpy as np
import pytest

from app.accel.numerics import bin_counts, host_sort


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("kinds", [3, 50, 5000, 10**9])
@pytest.mark.parametrize("shape", [(4001, 1), (1, 3000), (40, 30)])
@pytest.mark.parametrize("name", ["f4", "f8", "i4", "u1", "numbers"])
def test_ties_keep_their_order(
    shape: tuple[int, int], kinds: int, name: str, descending: bool
) -> None:
    random = np.random.default_rng(kinds)
    data = random.integers(0, min(kinds, 250 if name == "u1" else kinds), shape)
    data = data.astype("f8" if name == "numbers" else name)
    if name[0] == "f":
        data.flat[::9] = np.nan
    if data.dtype.kind == "f":
        data.flat[1::7] = -0.0
    for axis in (0, 1):
        way = np.flip(data, axis) if descending else data
        expected = np.argsort(way, axis=axis, kind="stable")
        if descending:
            expected = np.flip(data.shape[axis] - 1 - expected, axis)
        assert np.array_equal(host_sort.sort_order(data, axis, descending=descending), expected)
        values = host_sort.sorted_values(data, axis, descending=descending)
        stable = np.take_along_axis(data, expected, axis)
        assert np.array_equal(values, stable, equal_nan=name[0] == "f")
        assert np.array_equal(np.signbit(values), np.signbit(stable)) or data.dtype.kind != "f"


@pytest.mark.parametrize(
    "edges",
    [
        np.linspace(-2, 2, 101),
        np.linspace(0.1, 0.7, 8),
        np.array([-1.0, 1.0]),
        np.arange(-3.0, 4.0),
        np.array([-np.inf, -1.0, 0.0, 0.0, 0.25, 3.0]),
        np.array([1.0, 1.0]),
        np.linspace(1e15, 1e15 + 3, 7),
        np.linspace(0, 1.4, 60) ** 1.1,
    ],
)
def test_computed_bins_are_searched_bins(
    edges: np.ndarray[tuple[int], np.dtype[np.float64]],
) -> None:
    random = np.random.default_rng(1)
    x = np.concatenate(
        [
            random.normal(size=20000),
            edges,
            np.nextafter(edges, -9e99),
            [np.nan],
            np.nextafter(edges, 9e99),
            [np.inf, -np.inf, 1e15 + 1.7],
        ]
    )
    expected = np.searchsorted(edges, x, side="right")
    expected[x == edges[-1]] = edges.size - 1
    expected[~((x >= edges[0]) & (x <= edges[-1]))] = 0
    assert np.array_equal(host_sort.bins_of(x, edges), expected)


@pytest.mark.parametrize(
    "edges",
    [
        np.linspace(-2, 2, 101),
        np.linspace(0.1, 0.7, 8),
        np.array([-1.0, 1.0]),
        np.array([-np.inf, -1.0, 0.0, 0.0, 0.25, 3.0]),
        np.linspace(1e15, 1e15 + 3, 7),
        np.array([0, 1.3, 1.7, 3.2, 4.3, 5.0]),
    ],
)
@pytest.mark.parametrize("least", [0, 1 << 30])
def test_machine_code_counts_as_bins_are_found(
    edges: np.ndarray[tuple[int], np.dtype[np.float64]],
    least: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bin_counts, "LEAST", least)
    random = np.random.default_rng(2)
    near = [np.nextafter(edges, side) for side in (-9e99, 9e99)]
    x = np.concatenate([random.normal(size=70_000), 6 * random.random(999), edges, *near, [np.nan]])
    for kept in (x, np.append(x, [np.inf, -np.inf]), edges, x[:0], np.repeat(edges[-1:], 9)):
        expected = np.bincount(host_sort.bins_of(kept, edges), minlength=edges.size)[1:]
        assert np.array_equal(bin_counts.counts_of(kept, edges), expected)
        single = kept.astype(np.float32)
        expected = np.bincount(host_sort.bins_of(single.astype(float), edges), minlength=edges.size)
        assert np.array_equal(bin_counts.counts_of(single, edges), expected[1:])
