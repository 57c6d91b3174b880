"""Small systems of equations: the device's answers are LAPACK's, singular ones included."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from app.accel.backends import reference
from app.accel.runtime.runtime import AccelOptions, Runtime

if TYPE_CHECKING:
    from app.accel.backends.base import Provider

EPS = {"f4": 1e-6, "f8": 2e-15}
CASES = {
    "zero": lambda a: a * 0,
    "dependent": lambda a: np.outer(np.arange(1.0, len(a) + 1), np.ones(len(a))),
    "unknown": lambda a: np.where(np.eye(len(a)) > 0, np.nan, a),
    "huge": lambda a: a * 1e30,
    "exchanged": lambda a: np.eye(len(a))[::-1],
}


def both(provider: Provider, *given: Any) -> tuple[Any, Any]:
    """The device's answer and the host's."""
    runtime = Runtime(AccelOptions(device="gpu", verify=True), provider)
    leaves = tuple(runtime.leaf(np.asfortranarray(a)) for a in given)
    found = runtime.apply("equations", leaves)
    runtime.evaluate([found])
    assert runtime.state(found) == "device"
    assert runtime.recorder.counters.fallbacks == 0
    assert runtime.recorder.counters.dispatches == 1
    again = Runtime(AccelOptions(device="cpu"), provider)
    leaves = tuple(again.leaf(np.asfortranarray(a)) for a in given)
    node = again.apply("equations", leaves)
    known = reference.evaluate([node], again.gather)[node]
    return runtime.gather(found), known


@pytest.mark.parametrize(
    ("n", "sides", "name"),
    [(2, 0, "f8"), (2, 1, "f4"), (3, 17, "f8"), (17, 1, "f8"), (30, 40, "f8"), (32, 0, "f4")],
)
def test_answers_are_the_hosts(provider: Provider, n: int, sides: int, name: str) -> None:
    rng = np.random.default_rng(n)
    a = rng.normal(size=(n, n)).astype(name)
    given = (a, rng.normal(size=(n, sides)).astype(name)) if sides else (a,)
    found, known = both(provider, *given)
    size = np.abs(np.linalg.inv(a)).sum() * np.abs(a).max() * np.abs(known).max()
    assert found.shape == known.shape == (n, (sides or n) + 1)
    assert np.abs(found - known).max() < EPS[name] * size
    near = 1 / np.linalg.cond(a.astype("f8"), 1)
    assert abs(found[0, -1] - near) < 1e3 * EPS[name] * near
    assert abs(found[1, -1] - np.linalg.det(a.astype("f8"))) < n * EPS[name] * abs(known[1, -1])


@pytest.mark.parametrize("name", ["f4", "f8"])
@pytest.mark.parametrize("case", list(CASES))
@pytest.mark.parametrize("sides", [0, 2])
def test_strange_matrices(provider: Provider, case: str, name: str, sides: int) -> None:
    a = CASES[case](np.random.default_rng(4).normal(size=(4, 4))).astype(name)
    found, known = both(provider, *((a, a[:, :2] * 3) if sides else (a,)))
    assert np.array_equal(np.isnan(found), np.isnan(known))
    assert np.array_equal(np.isinf(found), np.isinf(known))
    whole = np.isfinite(known)
    most = 1e3 * EPS[name] * np.abs(known[whole]).max(initial=0)
    assert np.abs(found[whole] - known[whole]).max(initial=0) <= most


def test_a_determinant_does_not_overflow_on_the_way(provider: Provider) -> None:
    a = np.diag([1e200, 1e200, 1e-200, 1e-150, 1e-60, 2.0])
    found, known = both(provider, a[:, [1, 0, 2, 3, 4, 5]])
    assert found[1, -1] == pytest.approx(-2e-10)
    assert known[1, -1] == pytest.approx(-2e-10)
