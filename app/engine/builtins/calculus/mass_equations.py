"""Differential-algebraic equations M(t, y) y' = f(t, y) with a singular M, for ode15s and ode23t.

The implicit method of ``ode15i`` takes the residual M y' - f. Where the initial values do not
satisfy the algebraic equations, those components that M leaves free are moved until they do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from app.engine import stoppable
from app.engine.builtins.calculus.implicit_odes import march
from app.engine.values import Array
from app.errors import MatlabError

Slope = Callable[[float, Array], Array]


def is_singular(matrix: Array) -> bool:
    """Whether a mass matrix has less than full rank."""
    return bool(np.linalg.matrix_rank(matrix) < matrix.shape[0])


def solve_singular(
    right: Slope, mass: Slope, times: Array, start: Array, rtol: float, atol: Array, longest: float
) -> tuple[list[float], list[Array], Iterator[Callable[[float], Array]]]:
    """Times and states from consistent values near ``start``, and every step's interpolant.

    Raises:
        MatlabError: no values near the start satisfy the algebraic equations.
    """
    t = float(times[0])
    state = _consistent(right, mass(t, start), t, start)
    slope = _first_slope(right, mass(t, state), t, state)

    def residual(at: float, y: Array, yp: Array) -> Array:
        return np.asarray(mass(at, y) @ yp - right(at, y))

    at, states, slopes = march(residual, times, state, slope, rtol / 10, atol / 10, longest)
    return at, states, _interpolants(at, states, slopes)


def _interpolants(
    at: list[float], states: list[Array], slopes: list[Array]
) -> Iterator[Callable[[float], Array]]:
    from scipy.interpolate import CubicHermiteSpline

    for k in range(1, len(at)):
        ends, turn = slice(k - 1, k + 1), 1 if at[k] > at[k - 1] else -1
        yield CubicHermiteSpline(at[ends][::turn], states[ends][::turn], slopes[ends][::turn])


def _null_spaces(matrix: Array) -> tuple[Array, Array]:
    """Bases of the left and of the right null space."""
    left, sizes, right = stoppable.svd(matrix)
    limit = sizes[0] * matrix.shape[0] * np.finfo(float).eps if sizes.size else 0.0
    rank = int((sizes > limit).sum())
    return left[:, rank:], right[rank:].T


def _jacobian(f: Callable[[Array], Array], x: Array) -> Array:
    """Forward differences of ``f`` at ``x``."""
    value = f(x)
    steps = 1e-7 * np.maximum(1.0, np.abs(x))
    columns = [(f(x + h * e) - value) / h for h, e in zip(steps, np.eye(x.size), strict=True)]
    return np.array(columns).T.reshape(value.size, x.size)


def _consistent(right: Slope, matrix: Array, t: float, start: Array) -> Array:
    """The state nearest along the free components that the algebraic equations allow (Newton)."""
    left, free = _null_spaces(matrix)

    def rest(z: Array) -> Array:
        return np.asarray(left.T @ right(t, start + free @ z))

    z = np.zeros(free.shape[1])
    for _ in range(30):
        value = rest(z)
        if np.max(np.abs(value), initial=0.0) < 1e-12 * max(1.0, float(np.abs(start).max())):
            break
        z = z - stoppable.lstsq(_jacobian(rest, z), value, rcond=None)[0]
    if not np.max(np.abs(rest(z)), initial=0.0) < 1e-6:
        text = "Need a better guess y0 for consistent initial conditions."
        raise MatlabError("MATLAB:daeic12:NeedBetterY0", text)
    return np.asarray(start + free @ z)


def _first_slope(right: Slope, matrix: Array, t: float, state: Array) -> Array:
    """The slopes of the differential equations and of the derived algebraic ones, together."""
    left, _ = _null_spaces(matrix)
    step = 1e-7 * max(1.0, abs(t))
    value = right(t, state)
    moved = (right(t + step, state) - value) / step
    inner = _jacobian(lambda y: right(t, y), state)
    system = np.concatenate([matrix, left.T @ inner])
    target = np.concatenate([value, -left.T @ moved])
    return np.asarray(stoppable.lstsq(system, target, rcond=None)[0])
