"""Convex quadratic programs, by the dual active-set method of Goldfarb and Idnani (1983).

The method begins at the minimum without constraints and takes up one violated constraint after the
other, so that it needs no feasible point to begin at and knows when there is none. Where the matrix
is singular, a short sequence of strictly convex programs near the last answer takes its place.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from app.engine.values import Array
from app.records import record

_LEAST = 1e-11
"""What a constraint of unit slope may be missed by, over the size of the numbers in it."""
Step = Callable[[Array, float], None]
"""Hears of the point and the energy after each iteration; may raise StopIteration."""


@record
class Minimum:
    """Where a search ended.

    Attributes:
        x: the last point.
        flag: MATLAB's exit flag.
        message: why it ended.
        nit: constraints that were taken up or dropped.
    """

    x: Array
    flag: float
    message: str
    nit: int


@record
class Constraints:
    """``rows @ x <= right``, the first ``equal`` of them equations."""

    rows: Array
    right: Array
    equal: int


def joined(
    inequalities: tuple[Array, Array], equations: tuple[Array, Array], low: Array, high: Array
) -> Constraints:
    """All constraints of a program as one list; those without an end are left out."""
    n = low.size
    below, above = np.isfinite(low), np.isfinite(high)
    rows = np.vstack((equations[0], inequalities[0], -np.eye(n)[below], np.eye(n)[above]))
    right = np.concatenate((equations[1], inequalities[1], -low[below], high[above]))
    kept = np.isfinite(right) | (np.arange(right.size) < equations[1].size)
    return Constraints(rows[kept], right[kept], equations[1].size)


def minimum(
    matrix: Array, values: Array, linear: Array, limits: Constraints, step: Step
) -> Minimum:
    """The least ``x' * matrix * x / 2 + linear' * x``; ``matrix`` is symmetric, ``values`` are its
    eigenvalues upwards, none of them negative."""
    sizes = np.linalg.norm(limits.rows, axis=1)
    sizes[sizes == 0] = 1.0
    scaled = Constraints(limits.rows / sizes[:, None], limits.right / sizes, limits.equal)
    top = max(float(np.abs(values).max(initial=0.0)), 1e-300)
    if values.size and values[0] > 1e-10 * top:
        return _strict(matrix, linear, scaled, step)
    if _falls_without_end(matrix, linear, scaled):
        return Minimum(np.zeros(linear.size), -3.0, "The problem is unbounded.", 0)
    return _near(matrix, linear, scaled, step, top)


def _near(matrix: Array, linear: Array, limits: Constraints, step: Step, top: float) -> Minimum:
    """The minimum where the matrix is singular: each program stays near the answer of the last."""
    weight = (
        1e-6 * top if top > 1e-300 else 1e-3 * max(float(np.abs(linear).max(initial=1.0)), 1e-9)
    )
    raised = matrix + weight * np.eye(linear.size)
    found = Minimum(np.zeros(linear.size), 0.0, "", 0)
    before, steps = found.x, 0
    for _ in range(200):
        found = _strict(raised, linear - weight * before, limits, step)
        steps += found.nit
        moved = float(np.abs(found.x - before).max(initial=0.0))
        before = found.x
        if found.flag < 1 or moved <= 1e-12 * max(1.0, float(np.abs(before).max(initial=0.0))):
            break
    return Minimum(found.x, found.flag, found.message, steps)


def _falls_without_end(matrix: Array, linear: Array, limits: Constraints) -> bool:
    """Whether a direction without curvature that no constraint ends leads down."""
    from scipy.optimize import linprog

    k, n = limits.equal, linear.size
    found = linprog(
        linear,
        A_ub=limits.rows[k:] if len(limits.rows) > k else None,
        b_ub=np.zeros(len(limits.rows) - k) if len(limits.rows) > k else None,
        A_eq=np.vstack((matrix, limits.rows[:k])),
        b_eq=np.zeros(n + k),
        bounds=(-1.0, 1.0),
    )
    steep = 1e-7 * max(1.0, float(np.abs(linear).max(initial=0.0)))
    return bool(found.status == 0 and found.fun < -steep)


class _ActiveSet:
    """The constraints that hold with equality, factored in the metric of the matrix."""

    def __init__(self, factor: Array) -> None:
        from scipy import linalg

        self._linalg = linalg
        self._factor = factor
        n = len(factor)
        self._q, self._r = np.eye(n), np.zeros((n, 0))
        self.places: list[int] = []
        self.shares = np.zeros(0)

    def direction(self, slope: Array) -> tuple[Array, Array, float]:
        """The way that lessens a constraint of this slope while the active ones hold, how their
        multipliers change along it, and how fast the constraint falls."""
        count = len(self.places)
        turned = self._linalg.solve_triangular(self._factor, slope, lower=True)
        parts = self._q.T @ turned
        free = parts[count:]
        change = (
            self._linalg.solve_triangular(self._r[:count], parts[:count]) if count else parts[:0]
        )
        speed = float(free @ free)
        if speed <= 1e-20 * max(float(turned @ turned), 1e-300):
            return np.zeros(slope.size), change, 0.0
        way = self._linalg.solve_triangular(self._factor.T, self._q[:, count:] @ free, lower=False)
        return -way, change, speed

    def add(self, place: int, slope: Array, share: float) -> None:
        """One more constraint."""
        turned = self._linalg.solve_triangular(self._factor, slope, lower=True)
        self._q, self._r = self._linalg.qr_insert(
            self._q, self._r, turned, len(self.places), which="col"
        )
        self.places.append(place)
        self.shares = np.append(self.shares, share)

    def drop(self, position: int) -> None:
        """One constraint fewer."""
        self._q, self._r = self._linalg.qr_delete(self._q, self._r, position, which="col")
        self.places.pop(position)
        self.shares = np.delete(self.shares, position)


def _strict(matrix: Array, linear: Array, limits: Constraints, step: Step) -> Minimum:
    """The minimum of a strictly convex program under constraints of unit slopes."""
    from scipy import linalg

    factor = np.linalg.cholesky(matrix)
    x = linalg.cho_solve((factor, True), -linear)
    active = _ActiveSet(factor)
    signs = np.ones(limits.right.size)
    rounds = 0
    for rounds in range(50 * (limits.right.size + linear.size) + 100):
        try:
            step(x, float(x @ matrix @ x / 2 + linear @ x))
        except StopIteration:
            return Minimum(x, 0.0, "Stopped: the limit of iterations is reached.", rounds)
        place = _most_violated(x, limits, active.places)
        if place < 0:
            return Minimum(x, 1.0, "Minimum found that satisfies the constraints.", rounds)
        missed = float(limits.rows[place] @ x - limits.right[place])
        signs[place] = -1.0 if missed < 0 else 1.0
        moved = _take_up(x, limits, active, place, signs)
        if moved is None:
            return Minimum(x, -2.0, "No point satisfies the constraints.", rounds)
        x = moved
    return Minimum(x, 0.0, "Stopped: the limit of iterations is reached.", rounds)


def _most_violated(x: Array, limits: Constraints, active: list[int]) -> int:
    """The constraint that is missed most, equations first; -1 where none is."""
    missed = limits.rows @ x - limits.right
    scale = np.abs(limits.rows) @ np.abs(x) + np.abs(limits.right) + 1.0
    missed[: limits.equal] = np.abs(missed[: limits.equal])
    missed = missed / scale
    missed[active] = -np.inf
    if limits.equal:
        first = int(np.argmax(missed[: limits.equal]))
        if missed[first] > _LEAST:
            return first
    place = int(np.argmax(missed)) if missed.size else -1
    return place if place >= 0 and missed[place] > _LEAST else -1


def _take_up(
    x: Array, limits: Constraints, active: _ActiveSet, place: int, signs: Array
) -> Array | None:
    """The point where one more constraint holds, others dropped on the way; None where the
    constraints contradict each other."""
    slope = signs[place] * limits.rows[place]
    share = 0.0
    while True:
        way, change, speed = active.direction(slope)
        longest, leaving = np.inf, -1
        for k, (other, fall) in enumerate(zip(active.places, change.tolist(), strict=True)):
            if other >= limits.equal and fall > 1e-14 and active.shares[k] / fall < longest:
                longest, leaving = active.shares[k] / fall, k
        missed = signs[place] * float(limits.rows[place] @ x - limits.right[place])
        full = max(missed, 0.0) / speed if speed > 0 else np.inf
        length = min(longest, full)
        if not np.isfinite(length):
            return None
        x = x + length * way
        active.shares = active.shares - length * change
        share += length
        if full <= longest:
            active.add(place, slope, share)
            return x
        active.drop(leaving)
