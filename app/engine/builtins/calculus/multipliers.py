"""Lagrange multipliers at a solution, from which constraints hold with equality there."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.values import Array, Struct, Value, canonical


def multipliers(
    x: Array, gradient: Array, low: Array, high: Array, parts: dict[str, tuple[Array, Array, bool]]
) -> Value:
    """The struct ``lambda``: ``gradient + sum of multipliers times constraint slopes = 0``.

    ``parts`` has for each field the values of its constraints, their slopes as rows, and whether
    they are inequalities (values <= 0).
    """
    from scipy.optimize import lsq_linear

    n, scale = x.size, 1e-6 * max(1.0, float(np.abs(x).max(initial=0.0)))
    blocks: list[tuple[str, Array, Array, bool]] = [
        ("lower", low - x, -np.eye(n), True),
        ("upper", x - high, np.eye(n), True),
        *((k, v, s, i) for k, (v, s, i) in parts.items()),
    ]
    columns, where, least = [], [], []
    for name, value, slopes, inequality in blocks:
        for k in np.flatnonzero(np.abs(value) <= (scale if inequality else np.inf)).tolist():
            columns.append(slopes[k])
            where.append((name, k))
            least.append(0.0 if inequality else -np.inf)
    made = {name: np.zeros(value.size) for name, value, _, _ in blocks}
    if columns:
        found = lsq_linear(np.array(columns).T, -gradient, (np.array(least), np.inf))
        for (name, k), size in zip(where, found.x, strict=True):
            made[name][k] = size
    return Struct({k: canonical(v.reshape(-1, 1)) for k, v in made.items()})


def slopes_of(f: Any, x: Array) -> Array:
    """Slopes of a function of a vector, by central differences: one row for each value."""
    columns = []
    for k in range(x.size):
        step = 1e-6 * max(1.0, abs(float(x[k])))
        up, down = x.copy(), x.copy()
        up[k] += step
        down[k] -= step
        columns.append((np.atleast_1d(f(up)) - np.atleast_1d(f(down))) / (2 * step))
    return np.array(columns).T
