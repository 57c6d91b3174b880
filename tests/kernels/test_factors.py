"""Factorisations and solving: the device's factors give the matrix back, to rounding."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.accel.runtime.runtime import AccelOptions, Runtime

if TYPE_CHECKING:
    from app.accel.backends.base import Provider

EPS = {"f4": 6e-7, "f8": 1e-15}


@pytest.mark.parametrize(
    ("n", "sides", "name", "launches"),
    [
        (5, 1, "f4", 3 + 3),
        (161, 40, "f4", 23 + 23),
        (100, 3, "f8", 15 + 15),
    ],
)
def test_factors_solve(provider: Provider, n: int, sides: int, name: str, launches: int) -> None:
    runtime = Runtime(AccelOptions(device="gpu", verify=True), provider)
    rng = np.random.default_rng(n)
    a = np.asfortranarray(rng.normal(size=(n, n)).astype(name))
    b = np.asfortranarray(rng.normal(size=(n, sides)).astype(name))
    leaf = runtime.leaf(a)
    factors, order = runtime.apply("lu", (leaf,)), runtime.apply("lu_order", (leaf,))
    x = runtime.apply("lu_solve", (factors, order, runtime.leaf(b)))
    runtime.evaluate([factors, order, x])
    assert {runtime.state(node) for node in (factors, order, x)} == {"device"}
    assert runtime.recorder.counters.fallbacks == 0
    assert runtime.recorder.counters.dispatches == launches
    packed, rows = runtime.gather(factors), runtime.gather(order).ravel().astype(int) - 1
    lower, upper = np.tril(packed, -1) + np.eye(n, dtype=name), np.triu(packed)
    assert np.abs(np.tril(packed, -1)).max(initial=0) <= 1
    assert np.abs(lower @ upper - a[rows]).max() < 20 * n * EPS[name]
    found = runtime.gather(x)
    size = np.abs(a).sum(1).max() * np.abs(found).max()
    assert np.abs(a @ found - b).max() < 20 * EPS[name] * size


@pytest.mark.parametrize(("n", "name"), [(1, "f8"), (64, "f8"), (150, "f4")])
def test_cholesky(provider: Provider, n: int, name: str) -> None:
    runtime = Runtime(AccelOptions(device="gpu", verify=True), provider)
    half = np.random.default_rng(n).normal(size=(n, n))
    a = np.asfortranarray((half @ half.T + n * np.eye(n)).astype(name))
    below = a + np.tril(np.ones((n, n), name), -1)  # only the upper triangle is read
    factor = runtime.apply("cholesky", (runtime.leaf(np.asfortranarray(below)),))
    runtime.evaluate([factor])
    assert runtime.state(factor) == "device"
    found = runtime.gather(factor)
    assert not np.tril(found, -1).any()
    assert np.abs(found.T @ found - a).max() < 20 * EPS[name] * np.abs(a).max()


def test_what_is_not_definite_shows_on_the_diagonal(provider: Provider) -> None:
    runtime = Runtime(AccelOptions(device="gpu", verify=True), provider)
    a = np.asfortranarray(-np.eye(70))
    assert np.isnan(runtime.gather(runtime.apply("cholesky", (runtime.leaf(a),)))[-1, -1])


@pytest.mark.parametrize(
    ("m", "n", "name"),
    [
        (5, 5, "f8"),
        (100, 70, "f8"),
        (40, 70, "f8"),
        (700, 40, "f4"),
        (9000, 33, "f4"),
    ],
)
def test_reflections(provider: Provider, m: int, n: int, name: str) -> None:
    runtime = Runtime(AccelOptions(device="gpu", verify=True), provider)
    a = np.random.default_rng(m).normal(size=(m, n)).astype(name)
    a[:, n // 2] = 0.0
    leaf, count = runtime.leaf(np.asfortranarray(a)), min(m, n)
    packed, blocks = runtime.apply("qr", (leaf,)), runtime.apply("qr_blocks", (leaf,))
    runtime.evaluate([packed, blocks])
    assert runtime.recorder.counters.fallbacks == 0
    more = -(-count // 32) * 5 - 2 * (n <= count)  # nothing follows the last block
    assert runtime.recorder.counters.dispatches == 1 + count + more
    identity = runtime.leaf(np.asfortranarray(np.eye(m, count, dtype=name)))
    q = runtime.gather(runtime.apply("qr_apply", (packed, blocks, identity), (False, True)))
    turned = runtime.gather(runtime.apply("qr_apply", (packed, blocks, leaf), (True, False)))
    upper = np.triu(runtime.gather(packed)[:count])
    most = 10 * EPS[name] * np.abs(a).sum(0).max()
    assert np.abs(q.T @ q - np.eye(count)).max() < 10 * EPS[name]
    assert np.abs(q @ upper - a).max() < most
    assert np.abs(turned[:count] - upper).max() < most
    assert runtime.recorder.counters.fallbacks == 0
