"""Least squares of few columns: the device's answers are LAPACK's, dependent columns included."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from app.accel.backends import reference
from app.accel.runtime.runtime import AccelOptions, Runtime

if TYPE_CHECKING:
    from app.accel.backends.base import Provider

EPS = {"f4": 1e-5, "f8": 1e-13}
SHAPES = [(2, 1, 1), (3, 2, 1), (300, 4, 1), (5000, 4, 3), (20_000, 8, 4), (17, 8, 1)]


def both(provider: Provider, a: Any, b: Any) -> tuple[Any, Any]:
    """The device's answer and the host's."""
    runtime = Runtime(AccelOptions(device="gpu", verify=True), provider)
    found = _node(runtime, a, b)
    runtime.evaluate([found])
    assert runtime.state(found) == "device"
    assert runtime.recorder.counters.fallbacks == 0
    assert runtime.recorder.counters.dispatches == 2
    again = Runtime(AccelOptions(device="cpu"), provider)
    node = _node(again, a, b)
    return runtime.gather(found), reference.evaluate([node], again.gather)[node]


def _node(runtime: Runtime, a: Any, b: Any) -> Any:
    leaves = tuple(runtime.leaf(np.asfortranarray(x)) for x in (a, b))
    return runtime.apply("least_squares", leaves, (a.shape[1], b.shape[1]))


@pytest.mark.parametrize("name", ["f4", "f8"])
@pytest.mark.parametrize(("rows", "columns", "sides"), SHAPES)
def test_answers(provider: Provider, rows: int, columns: int, sides: int, name: str) -> None:
    rng = np.random.default_rng(rows)
    scale = (10.0 if name == "f8" else 1.5) ** np.arange(columns)
    a = (rng.normal(size=(rows, columns)) * scale).astype(name)
    b = rng.normal(size=(rows, sides)).astype(name)
    found, known = both(provider, a, b)
    assert found.shape == known.shape == (columns, sides + 1)
    assert found[0, -1] == known[0, -1] == columns
    most = EPS[name] * np.linalg.cond(a / scale) * 10
    assert (np.abs(found - known)[:, :-1] * scale[:, None]).max() < most


CASES = {
    "zero": lambda a: a * 0,
    "equal": lambda a: a[:, [0, 1, 0, 2]],
    "one": np.ones_like,
    "unknown": lambda a: np.where(np.arange(len(a))[:, None] == 70, np.nan, a),
    "infinite": lambda a: np.where(np.arange(len(a))[:, None] == 70, np.inf, a),
    "large": lambda a: a * 1e30,
    "small": lambda a: a * 1e-30,
}


@pytest.mark.parametrize("name", ["f4", "f8"])
@pytest.mark.parametrize("case", list(CASES))
def test_strange_columns(provider: Provider, case: str, name: str) -> None:
    rng = np.random.default_rng(5)
    a = CASES[case](rng.normal(size=(2500, 4)) * [3, 1, 2, 4]).astype(name)
    found, known = both(provider, a, rng.normal(size=(2500, 1)).astype(name))
    assert found[0, -1] == known[0, -1]
    assert np.array_equal(np.isnan(found), np.isnan(known))
    np.testing.assert_allclose(
        found, known, rtol=EPS[name] * 100, atol=EPS[name] * np.abs(known).max()
    )
