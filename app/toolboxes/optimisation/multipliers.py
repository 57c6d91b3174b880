"""Lagrange multipliers at a solution, from which constraints hold with equality there."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from app.engine.values import Array, Struct, canonical

Constraints: TypeAlias = dict[str, tuple[Array, Array, bool]]
"""By field of ``lambda`` the values of constraints, their slopes as rows, and whether they are
inequalities (values <= 0)."""


def violation(x: Array, low: Array, high: Array, parts: Constraints) -> float:
    """How far a point is beyond the constraint that it breaks most; 0 where it breaks none."""
    beyond = [low - x, x - high, *(v if i else np.abs(v) for v, _, i in parts.values())]
    return max(0.0, float(np.concatenate(beyond).max(initial=0.0)))


def multipliers(
    x: Array, gradient: Array, low: Array, high: Array, parts: Constraints
) -> tuple[Struct, float]:
    """The struct ``lambda``, and the largest slope that it leaves (the first-order optimality).

    ``gradient + sum of multipliers times constraint slopes = 0`` at a solution.
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
    left = gradient
    if columns:
        found = lsq_linear(np.array(columns).T, -gradient, (np.array(least), np.inf))
        left = gradient + np.array(columns).T @ found.x
        for (name, k), size in zip(where, found.x, strict=True):
            made[name][k] = size
    shares = {k: canonical(made[k].reshape(-1, 1)) for k in _FIELDS if k in made}
    return Struct(shares), float(np.abs(left).max(initial=0.0))


_FIELDS = ("eqlin", "eqnonlin", "ineqlin", "lower", "upper", "ineqnonlin")
"""The fields of ``lambda`` in the order in which they are shown."""


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
