"""Interpolation at scattered points gives what the same method gives on a grid, point by point."""

from __future__ import annotations

import numpy as np
import pytest

from app.engine.builtins.calculus.grid_interpolation import at_points, on_grid

METHODS = ("linear", "nearest", "previous", "next", "cubic", "spline")
RNG = np.random.default_rng(5)
REGULAR = [np.linspace(0, 1, 7), np.linspace(-2, 2, 5), np.linspace(1, 4, 4)]
IRREGULAR = [np.cumsum(RNG.uniform(0.1, 1, n)) for n in (6, 4, 5)]
SHORT = [np.array([0.0, 1.0]), np.array([0.0, 1.0, 3.0]), np.linspace(0, 1, 4)]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dimensions", [2, 3])
@pytest.mark.parametrize("axes", [REGULAR, IRREGULAR, SHORT], ids=["regular", "irregular", "short"])
@pytest.mark.parametrize("kind", [float, complex])
def test_scattered_as_on_the_grid(
    method: str, dimensions: int, axes: list[np.ndarray], kind: type
) -> None:
    axes = axes[:dimensions]
    v = RNG.standard_normal([x.size for x in axes]).astype(kind)
    if kind is complex:
        v += 1j * RNG.standard_normal(v.shape)
    lines = [np.concatenate([x, RNG.uniform(x[0] - 0.3, x[-1] + 0.3, 5)]) for x in axes]
    expected = on_grid(v, axes, lines, method)
    points = [q.ravel(order="F") for q in np.meshgrid(*lines, indexing="ij")]
    found = at_points(v, axes, points, method).reshape(expected.shape, order="F")
    np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-11)


def test_a_missing_value_is_felt_only_around_it() -> None:
    v = np.arange(36.0).reshape(6, 6)
    v[0, 0] = np.nan
    axes = [np.arange(6.0)] * 2
    queries = [np.array([0.5, 2.5, 5.0]), np.array([0.5, 3.5, 5.0])]
    found = at_points(v, axes, queries, "linear")
    assert np.isnan(found).tolist() == [True, False, False]
    assert found[2] == v[5, 5]
