"""Curves and searches of our own give SciPy's numbers to the bit."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.interpolate import CubicSpline, PchipInterpolator
from scipy.optimize import minimize, minimize_scalar

from app.accel.numerics import cubic_pieces
from app.accel.numerics.golden_section import bounded_minimum
from app.accel.numerics.nelder_mead import Simplex


@pytest.mark.parametrize("seed", range(60))
def test_curves(seed: int) -> None:
    draw = np.random.default_rng(seed)
    n = int(draw.integers(2, 9))
    x = np.cumsum(draw.uniform(0.01, 3, n)) - 4
    y = draw.normal(size=(n, 2) if seed % 2 else n)
    if seed % 3 == 0:
        y = np.round(y)
    at = np.concatenate([draw.normal(size=20) * 8, x, [np.nan, np.inf]])
    ends = y[0] * 2, y[-1]
    pairs = [
        (cubic_pieces.cubic_spline(x, y), CubicSpline(x, y)),
        (
            cubic_pieces.cubic_spline(x, y, ends),
            CubicSpline(x, y, bc_type=tuple((1, e) for e in ends)),
        ),
        (cubic_pieces.pchip(x, y), PchipInterpolator(x, y)),
        (cubic_pieces.cubic_spline(x, y * (1 - 2j)), CubicSpline(x, y * (1 - 2j))),
    ]
    with np.errstate(invalid="ignore"):
        for mine, theirs in pairs[: 3 + (n > 3)]:
            close = theirs.c.dtype.kind == "c"
            assert (
                np.allclose(mine.c, theirs.c, 1e-13) if close else np.array_equal(mine.c, theirs.c)
            )
            here, there = mine(at[:-1]), theirs(at[:-1])
            assert np.allclose(here, there, 1e-12, equal_nan=True)
            assert close or np.array_equal(here, there, equal_nan=True)


def test_complex_values_are_kept() -> None:
    curve = cubic_pieces.pchip(np.arange(3.0), np.array([0, 1 + 2j, 1]))
    assert curve(np.array([1.0, 0.0])).tolist() == [1 + 2j, 0]


@pytest.mark.parametrize("most", [(800, 800), (15, 1000), (1000, 17), (3, 2)])
@pytest.mark.parametrize("seed", range(12))
def test_searches(seed: int, most: tuple[int, int]) -> None:
    draw = np.random.default_rng(seed)
    n = 1 + seed % 4
    a, c, start = draw.normal(size=(n, n)), draw.normal(size=n), draw.normal(size=n)

    def function(x: np.ndarray) -> float:
        return float(
            np.sum((a @ x - c) ** 2) if seed % 2 else np.abs(x - c).sum() + np.sin(x).sum()
        )

    corners = np.tile(start, (n + 1, 1))
    corners[1:] += np.diag(0.05 * start)
    told: list[np.ndarray] = []
    mine: list[np.ndarray] = []
    limits = {"xatol": 1e-4, "fatol": 1e-4, "maxiter": most[0], "maxfev": most[1]}
    found = minimize(
        function,
        start,
        method="Nelder-Mead",
        callback=lambda xk: told.append(xk.copy()),
        options={"initial_simplex": corners, **limits},
    )
    search = Simplex(function, corners.copy(), most[1])
    search.run(1e-4, 1e-4, most[0], lambda x, value: mine.append(x.copy()))
    assert np.array_equal(search.corners[0], found.x)
    assert (search.values.min(), search.steps, search.calls) == (found.fun, found.nit, found.nfev)
    assert (search.succeeded, search.message) == (found.success, found.message)
    assert np.array_equal(told, mine)


@pytest.mark.parametrize("seed", range(35))
def test_searches_of_an_interval(seed: int) -> None:
    draw = np.random.default_rng(seed)
    a, b, c = draw.normal(size=3) * 3
    functions = [
        lambda x: (x - a) ** 2 + c * np.sin(3 * x),
        lambda x: abs(x - a) + b * x,
        lambda x: 1.0,
        lambda x: np.nan if x > a else x,
        lambda x: (x - a) ** 4,
    ]
    low, high = sorted(draw.normal(size=2) * 5)
    most = (500, 7, 1)[seed % 3]
    asked: tuple[list[float], list[float]] = ([], [])

    def noting(places: list[float]) -> Callable[[float], float]:
        return lambda x: places.append(float(x)) or float(functions[seed % 5](float(x)))

    limits = {"xatol": 1e-6, "maxiter": most}
    with np.errstate(all="ignore"):
        found = minimize_scalar(
            noting(asked[0]), bounds=(low, high), method="bounded", options=limits
        )
    mine = bounded_minimum(noting(asked[1]), float(low), float(high), 1e-6, most)
    assert asked[0] == asked[1]
    assert (mine.x, mine.succeeded, mine.message) == (found.x, found.success, found.message)
