"""Linear programs over second-order cones, by a primal-dual interior-point method.

The program is the least ``cost' * x`` where ``equal * x = level`` and ``right - rows * x`` lies in
a product of a positive orthant and second-order cones. It is solved in its homogeneous embedding,
so that no feasible point is needed to begin at and a program without one, or without an end, is
known as such, with the scaling of Nesterov and Todd and the predictor of Mehrotra, as described by
Andersen, Dahl and Vandenberghe (2003). Matrices are full.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from app.engine.values import Array
from app.records import record


@record
class ConeProgram:
    """What is to be minimised, and where.

    Attributes:
        cost: n numbers.
        equal: p x n.
        level: p numbers.
        rows: m x n.
        right: m numbers.
        positive: how many of the m numbers ``right - rows * x`` are at least 0.
        cones: how many of those that follow lie together in each cone, in order: the first of
            them is at least the norm of the others.
    """

    cost: Array
    equal: Array
    level: Array
    rows: Array
    right: Array
    positive: int
    cones: tuple[int, ...]


@record
class ConeLimits:
    """When the search ends: relative errors of constraints and of optimality, iterations, and a
    question asked before each iteration, True where time is up."""

    constraint: float
    optimality: float
    iterations: int
    over: Callable[[], bool]


@record
class ConeAnswer:
    """Where the search ended.

    Attributes:
        flag: MATLAB's exit flag.
        x: the last point.
        equal_shares: multipliers of the equations.
        shares: multipliers of the rows.
        missed: the largest relative errors of the constraints and of their duals.
        gap: between the program and its dual.
        iterations: those that were made.
    """

    flag: float
    x: Array
    equal_shares: Array
    shares: Array
    missed: tuple[float, float]
    gap: float
    iterations: int


class _Scaling:
    """The symmetric map W with ``W * z = W \\ s``, one block for each cone."""

    def __init__(self, program: ConeProgram, s: Array, z: Array) -> None:
        self._blocks: list[tuple[slice, float, Array]] = []
        k = program.positive
        self._weights = np.sqrt(s[:k] / z[:k])
        for place in _places(program):
            size_s, size_z = (np.sqrt(_determinant(v[place])) for v in (s, z))
            a, b = s[place] / size_s, z[place] / size_z
            share = np.sqrt((1.0 + float(a @ b)) / 2.0)
            mirrored = np.concatenate((b[:1], -b[1:]))
            self._blocks.append((place, np.sqrt(size_s / size_z), (a + mirrored) / (2.0 * share)))
        self.point = self.times(z)

    def times(self, v: Array) -> Array:
        """``W * v``, of a vector or of the columns of a matrix."""
        return self._map(v, 1.0)

    def inverse(self, v: Array) -> Array:
        """``W \\ v``."""
        return self._map(v, -1.0)

    def _map(self, v: Array, sign: float) -> Array:
        made = np.empty_like(v)
        weights = self._weights**sign
        k = weights.size
        made[:k] = (v[:k].T * weights).T
        for place, size, way in self._blocks:
            part = v[place]
            across = sign * (way[1:] @ part[1:])
            made[place.start] = way[0] * part[0] + across
            pull = sign * part[0] + sign * across / (1.0 + way[0])
            made[place.start + 1 : place.stop] = part[1:] + np.multiply.outer(way[1:], pull)
            made[place] *= size**sign
        return made


def _places(program: ConeProgram) -> list[slice]:
    ends = program.positive + np.cumsum((0, *program.cones))
    return [slice(int(a), int(b)) for a, b in pairwise(ends)]


def _determinant(v: Array) -> float:
    length = float(np.linalg.norm(v[1:]))
    return max((float(v[0]) - length) * (float(v[0]) + length), 1e-300)


def _product(program: ConeProgram, a: Array, b: Array) -> Array:
    """The product of the cones' algebra."""
    made = a * b
    for p in _places(program):
        made[p.start] = a[p] @ b[p]
        made[p.start + 1 : p.stop] = a[p.start] * b[p][1:] + b[p.start] * a[p][1:]
    return made


def _quotient(program: ConeProgram, a: Array, b: Array) -> Array:
    """The ``c`` of which the product with ``a`` is ``b``."""
    k = program.positive
    made = np.empty_like(b)
    made[:k] = b[:k] / a[:k]
    for p in _places(program):
        x, y = a[p], b[p]
        first = (x[0] * y[0] - x[1:] @ y[1:]) / _determinant(x)
        made[p.start] = first
        made[p.start + 1 : p.stop] = (y[1:] - first * x[1:]) / x[0]
    return made


def _unit(program: ConeProgram) -> Array:
    made = np.zeros(program.right.size)
    made[: program.positive] = 1.0
    made[[p.start for p in _places(program)]] = 1.0
    return made


def _depth(program: ConeProgram, v: Array) -> float:
    """How much of the unit can be taken from ``v`` before it leaves the cones."""
    inside = [float(v[: program.positive].min())] if program.positive else []
    inside += [float(v[p.start] - np.linalg.norm(v[p][1:])) for p in _places(program)]
    return min(inside, default=np.inf)


def _longest(program: ConeProgram, v: Array, step: Array) -> float:
    """The longest way along ``step`` that stays in the cones, at most 1e4."""
    k = program.positive
    falls = step[:k] < 0
    ways = [1e4, *(-v[:k][falls] / step[:k][falls]).tolist()]
    for p in _places(program):
        x, d = v[p], step[p]
        square = float(d[0] ** 2 - d[1:] @ d[1:])
        middle = float(x[0] * d[0] - x[1:] @ d[1:])
        inside = middle**2 - square * _determinant(x)
        if inside >= 0 and (square < 0 or middle < 0):
            ways.append(_determinant(x) / max(np.sqrt(inside) - middle, 1e-300))
    return float(min(ways))


class _Equations:
    """Solves ``equal'*y + rows'*z = a``, ``equal*x = b``, ``rows*x - W*W*z = c``."""

    def __init__(self, program: ConeProgram, scaling: _Scaling | None) -> None:
        from scipy import linalg

        self._program, self._scaling = program, scaling
        n, p = program.cost.size, program.level.size
        slopes = self._inverse(program.rows)
        square = slopes.T @ slopes
        raised = 1e-13 * max(1.0, float(np.abs(square).max(initial=0.0)))
        matrix = np.zeros((n + p, n + p))
        matrix[:n, :n] = square + raised * np.eye(n)
        matrix[:n, n:], matrix[n:, :n] = program.equal.T, program.equal
        matrix[n:, n:] = -1e-13 * np.eye(p)
        self._factors = linalg.lu_factor(matrix, check_finite=False)
        self._solve = linalg.lu_solve

    def _inverse(self, v: Array) -> Array:
        return v if self._scaling is None else self._scaling.inverse(v)

    def _square(self, v: Array) -> Array:
        return v if self._scaling is None else self._scaling.times(self._scaling.times(v))

    def solve(self, a: Array, b: Array, c: Array) -> tuple[Array, Array, Array]:
        """The unknowns, with two rounds that mend what rounding left."""
        g, equal = self._program.rows, self._program.equal
        x, y, z = np.zeros(a.size), np.zeros(b.size), np.zeros(c.size)
        for _ in range(3):
            left = (a - equal.T @ y - g.T @ z, b - equal @ x, c - g @ x + self._square(z))
            dx, dy, dz = self._once(*left)
            x, y, z = x + dx, y + dy, z + dz
        return x, y, z

    def _once(self, a: Array, b: Array, c: Array) -> tuple[Array, Array, Array]:
        n = a.size
        slopes, scaled = self._inverse(self._program.rows), self._inverse(c)
        found = self._solve(
            self._factors, np.concatenate((a + slopes.T @ scaled, b)), check_finite=False
        )
        return found[:n], found[n:], self._inverse(slopes @ found[:n] - scaled)


@record
class _State:
    """A point of the homogeneous embedding, or a step from one."""

    x: Array
    y: Array
    z: Array
    s: Array
    tau: float
    kappa: float

    def moved(self, step: _State, length: float) -> _State:
        pairs = ((getattr(self, n), getattr(step, n)) for n in ("x", "y", "z", "s", "tau", "kappa"))
        return _State(*(a + length * b for a, b in pairs))

    @property
    def gap(self) -> float:
        """Between the program and its dual."""
        return float(self.s @ self.z) / self.tau**2


def _begun(program: ConeProgram) -> _State:
    equations = _Equations(program, None)
    zeros = np.zeros(program.right.size)
    x, _, missed = equations.solve(np.zeros(program.cost.size), program.level, program.right)
    _, y, z = equations.solve(-program.cost, np.zeros(program.level.size), zeros)
    return _State(x, y, _inside(program, z), _inside(program, -missed), 1.0, 1.0)


def _inside(program: ConeProgram, v: Array) -> Array:
    depth = _depth(program, v)
    return v if depth > 1e-8 else v + (1.0 - depth) * _unit(program)


def _left(program: ConeProgram, at: _State) -> tuple[Array, Array, Array, float]:
    """What the four equations of the embedding are missed by."""
    p = program
    return (
        p.equal.T @ at.y + p.rows.T @ at.z + p.cost * at.tau,
        p.equal @ at.x - p.level * at.tau,
        p.rows @ at.x + at.s - p.right * at.tau,
        at.kappa + float(p.cost @ at.x + p.level @ at.y + p.right @ at.z),
    )


class _Step:
    """The directions from one point."""

    def __init__(self, program: ConeProgram, at: _State) -> None:
        self._program, self._at = program, at
        self.scaling = _Scaling(program, at.s, at.z)
        self._equations = _Equations(program, self.scaling)
        self._fixed = self._equations.solve(-program.cost, program.level, program.right)
        self._left = _left(program, at)

    def direction(self, share: float, aim: Array, aim_kappa: float) -> _State:
        """Where ``share`` of what is missed is mended, and the products fall by the aims."""
        p, at = self._program, self._at
        a, b, c, d = self._left
        pulled = _quotient(p, self.scaling.point, aim)
        x, y, z = self._equations.solve(
            -share * a, -share * b, -share * c + self.scaling.times(pulled)
        )
        fx, fy, fz = self._fixed
        slope = float(p.cost @ fx + p.level @ fy + p.right @ fz) - at.kappa / at.tau
        known = float(p.cost @ x + p.level @ y + p.right @ z)
        tau = (-share * d + aim_kappa / at.tau - known) / slope
        x, y, z = x + tau * fx, y + tau * fy, z + tau * fz
        s = -self.scaling.times(pulled + self.scaling.times(z))
        return _State(x, y, z, s, tau, -(aim_kappa + at.kappa * tau) / at.tau)

    def length(self, step: _State) -> float:
        """How far the step can go."""
        p, at = self._program, self._at
        ways = [_longest(p, at.s, step.s), _longest(p, at.z, step.z)]
        ways += [-at.tau / step.tau] if step.tau < 0 else []
        ways += [-at.kappa / step.kappa] if step.kappa < 0 else []
        return min(ways)


def _advanced(program: ConeProgram, at: _State) -> tuple[_State, float]:
    """The next point, and how long the step to it was."""
    step = _Step(program, at)
    point = step.scaling.point
    degree = program.positive + len(program.cones) + 1
    mean = (float(at.s @ at.z) + at.kappa * at.tau) / degree
    first = step.direction(1.0, _product(program, point, point), at.kappa * at.tau)
    centred = (1.0 - min(1.0, step.length(first))) ** 3
    bent = _product(program, step.scaling.inverse(first.s), step.scaling.times(first.z))
    aim = _product(program, point, point) + bent - centred * mean * _unit(program)
    aim_kappa = at.kappa * at.tau + first.kappa * first.tau - centred * mean
    way = step.direction(1.0 - centred, aim, aim_kappa)
    length = min(1.0, 0.99 * step.length(way))
    return at.moved(way, length), length


def _verdict(program: ConeProgram, at: _State, limits: ConeLimits) -> tuple[float, float, float]:
    """The exit flag, NaN where the search goes on, and the errors of constraints and duals."""
    p, (a, b, c, _) = program, _left(program, at)
    sizes = [max(1.0, float(np.linalg.norm(v))) for v in (p.cost, p.level, p.right)]
    lengths = [float(np.linalg.norm(v)) / at.tau for v in (a, b, c)]
    dual, missed = lengths[0] / sizes[0], max(lengths[1] / sizes[1], lengths[2] / sizes[2])
    cost = float(p.cost @ at.x) / at.tau
    near = at.gap <= limits.optimality * max(1.0, abs(cost))
    if near and missed <= limits.constraint and dual <= limits.optimality:
        return 1.0, missed, dual
    apart = -float(p.level @ at.y + p.right @ at.z)
    if apart > 0 and np.linalg.norm(p.equal.T @ at.y + p.rows.T @ at.z) <= 1e-8 * sizes[0] * apart:
        return -2.0, missed, dual
    falls = -float(p.cost @ at.x)
    way = max(np.linalg.norm(p.equal @ at.x), np.linalg.norm(p.rows @ at.x + at.s))
    if falls > 0 and way <= 1e-8 * max(sizes[1:]) * falls:
        return -3.0, missed, dual
    return np.nan, missed, dual


def least(program: ConeProgram, limits: ConeLimits) -> ConeAnswer:
    """The minimum, or why there is none."""
    at, length, rounds, flag = _begun(program), 1.0, 0, np.nan
    missed = dual = np.inf
    with np.errstate(all="ignore"):
        while np.isnan(flag):
            flag, missed, dual = _verdict(program, at, limits)
            if not np.isnan(flag):
                break
            if rounds >= limits.iterations or limits.over():
                flag = 0.0
                break
            moved, length = _advanced(program, at)
            good = all(np.isfinite(v).all() for v in (moved.x, moved.z, moved.s))
            if not good or not moved.tau > 0:
                flag = -10.0
            elif length < 1e-8:
                flag = -7.0
            else:
                at, rounds = moved, rounds + 1
    shares = (at.x / at.tau, at.y / at.tau, at.z / at.tau)
    return ConeAnswer(float(flag), *shares, (missed, dual), at.gap, rounds)
