"""Minima of functions with many valleys: ga, particleswarm, simulannealbnd, patternsearch."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from app.engine.arguments.call_context import CallContext, given_function
from app.engine.arguments.checks import COUNT, NONEMPTY, NUMBERS, POSITIVE, real_number
from app.engine.builtins.calculus.solver_progress import GIVEN_OPTIONS, refuse_unsupported
from app.engine.builtins.vectors import flat_doubles
from app.engine.declarations.registry import builtin
from app.engine.values import EMPTY, Array, Struct, Value, as_array, canonical, numel
from app.engine.values.random_stream import stream_of
from app.errors import MatlabError
from app.toolboxes.optimisation.constrained import complete_arguments
from app.toolboxes.optimisation.constraints import (
    bounds_of,
    constraints_of,
    is_given_argument,
    option_number,
)

_FAMILY = "optimisation"
Objective = Callable[[Array], float]


def objective_of(ctx: CallContext, fun: Value, shape: tuple[int, ...]) -> Objective:
    """The function of a flat vector; infinite where it is NaN."""
    target = given_function(ctx, fun)

    def call(x: Array) -> float:
        value = ctx.call(target, (canonical(np.asarray(x).reshape(shape, order="F")),), 1)[0]
        if numel(value) != 1:
            text = "The function to minimise must return a scalar."
            raise MatlabError("globaloptim:fcnvectorizer:notScalar", text)
        number = real_number(value)
        return np.inf if np.isnan(number) else number

    return call


def _generator(ctx: CallContext) -> np.random.Generator:
    """Random numbers that the session's stream begins."""
    return np.random.default_rng(int(stream_of(ctx).one("uniform") * 2**53))


def _box(lower: Value, upper: Value, n: int) -> tuple[Array, Array]:
    """Finite bounds: ten units around nothing where none are given."""
    low, high = bounds_of(lower, upper, n)
    low = np.where(np.isfinite(low), low, np.where(np.isfinite(high), high - 20, -10.0))
    return low, np.where(np.isfinite(high), high, np.maximum(low + 20, 10.0))


def _integer_flags(name: str, v: Value, n: int) -> Array:
    flags = np.zeros(n, dtype=bool)
    if is_given_argument(v):
        at = flat_doubles(v).astype(int) - 1
        if np.any(at < 0) or np.any(at >= n):
            text = "intcon must name unknowns by their numbers."
            raise MatlabError(f"globaloptim:{name}:InvalidIntcon", text)
        flags[at] = True
    return flags


@builtin(
    "ga",
    category=_FAMILY,
    least=2,
    signatures=(
        "x = ga(fun, nvars)",
        "[x, fval, exitflag, output] = ga(fun, nvars, A, b, Aeq, "
        "beq, lb, ub, nonlcon, intcon, options)",
    ),
    cases=(
        "norm(ga(@(x) sum((x - [1 -2]).^2), 2) - [1 -2]) < 1e-2",
        "isequal(ga(@(x) (x - 2.4)^2, 1, [], [], [], [], 0, 9, [], 1), 2)",
        "x = ga(@(x) x * x', 2, [], [], [], [], [0 0], [4 4], @(x) deal(1 - x(1), [])); "
        "norm(x - [1 0]) < 1e-2",
    ),
    see=("particleswarm", "fmincon", "patternsearch"),
)
def genetic(ctx: CallContext, fun: Value, nvars: Value, *rest: Value) -> Value:
    """The least value that a population finds by differential evolution."""
    from scipy.optimize import NonlinearConstraint, differential_evolution

    (COUNT & POSITIVE)("ga", 2, nvars)
    n, parts = int(real_number(nvars)), complete_arguments(rest, 9)
    options = parts[7] if isinstance(parts[7], GIVEN_OPTIONS) else parts[8]
    refuse_unsupported("ga", options, ("OutputFcn",), display=False)
    low, high = _box(parts[4], parts[5], n)
    limits = [
        NonlinearConstraint(c["fun"], 0, np.inf if c["type"] == "ineq" else 0)
        if isinstance(c, dict)
        else c
        for c in constraints_of(ctx, (1, n), parts)
        if not isinstance(c, dict) or c["fun"]((low + high) / 2).size
    ]
    (state,) = ctx.call("rng", (), 1)
    with warnings.catch_warnings():  # its last step says what it thinks of linear constraints
        warnings.simplefilter("ignore", UserWarning)
        found = differential_evolution(
            objective_of(ctx, fun, (1, n)),
            list(zip(low, high, strict=True)),
            constraints=limits,
            integrality=_integer_flags("ga", parts[7], n)
            if not isinstance(parts[7], GIVEN_OPTIONS)
            else None,
            rng=_generator(ctx),
            maxiter=int(option_number(options, "MaxGenerations", 100 * n)),
            tol=1e-8,
        )
    x = canonical(found.x.reshape(1, -1))
    output = Struct(
        {
            "generations": float(found.nit),
            "funccount": float(found.nfev),
            "message": str(found.message),
            "rngstate": state,
        }
    )
    return x, float(found.fun), 1.0 if found.success else 0.0, output


@builtin(
    "particleswarm",
    category=_FAMILY,
    least=2,
    signatures=(
        "x = particleswarm(fun, nvars)",
        "[x, fval, exitflag, output] = particleswarm(fun, nvars, lb, ub, options)",
    ),
    cases=("norm(particleswarm(@(x) sum((x - [1 -2]).^2), 2) - [1 -2]) < 1e-2",),
    see=("ga",),
)
def particleswarm(
    ctx: CallContext,
    fun: Value,
    nvars: Value,
    lower: Value = EMPTY,
    upper: Value = EMPTY,
    options: Value = EMPTY,
) -> Value:
    """The least value that a swarm of moving points finds."""
    (COUNT & POSITIVE)("particleswarm", 2, nvars)
    refuse_unsupported("particleswarm", options, ("OutputFcn",), display=False)
    (state,) = ctx.call("rng", (), 1)
    n, draw = int(real_number(nvars)), _generator(ctx)
    low, high = _box(lower, upper, n)
    size = int(option_number(options, "SwarmSize", min(100, 10 * n)))
    f = objective_of(ctx, fun, (1, n))
    x = low + (high - low) * draw.random((size, n))
    speed = (high - low) * (draw.random((size, n)) - 0.5)
    best, value = x.copy(), np.array([f(p) for p in x])
    inertia, still, steps = 1.1, 0, 0
    while steps < int(option_number(options, "MaxIterations", 200 * n)):
        steps += 1
        leader = best[int(np.argmin(value))]
        own, common = draw.random((2, size, n))
        speed = inertia * speed + 1.49 * own * (best - x) + 1.49 * common * (leader - x)
        x = x + speed
        outside = (x < low) | (x > high)
        speed[outside], x = 0.0, np.clip(x, low, high)
        new = np.array([f(p) for p in x])
        before = float(value.min())
        better = new < value
        best[better], value[better] = x[better], new[better]
        gain = before - float(value.min())
        still = 0 if gain > 1e-6 * max(1.0, abs(before)) else still + 1
        inertia = max(0.1, min(1.1, inertia * (0.95 if gain > 0 else 0.98)))
        if still >= 20:
            break
    k = int(np.argmin(value))
    output = Struct(
        {
            "iterations": float(steps),
            "funccount": float(size * (steps + 1)),
            "message": "The swarm has come to rest.",
            "rngstate": state,
        }
    )
    return canonical(best[k].reshape(1, -1)), float(value[k]), 1.0 if still >= 20 else 0.0, output


@builtin(
    "simulannealbnd",
    category=_FAMILY,
    least=2,
    signatures=(
        "x = simulannealbnd(fun, x0)",
        "[x, fval, exitflag, output] = simulannealbnd(fun, x0, lb, ub, options)",
    ),
    cases=("abs(simulannealbnd(@(x) (x - 1)^2 + 2*sin(5*x)^2, 4, -5, 5) - 1.2) < 0.1",),
    see=("ga", "fminsearch"),
)
def simulannealbnd(
    ctx: CallContext,
    fun: Value,
    x0: Value,
    lower: Value = EMPTY,
    upper: Value = EMPTY,
    options: Value = EMPTY,
) -> Value:
    """The least value that simulated annealing finds between bounds."""
    from scipy.optimize import dual_annealing

    (NUMBERS & NONEMPTY)("simulannealbnd", 2, x0)
    refuse_unsupported("simulannealbnd", options, ("OutputFcn",), display=False)
    start = as_array(x0).astype(np.float64)
    low, high = _box(lower, upper, start.size)
    (state,) = ctx.call("rng", (), 1)
    found = dual_annealing(
        objective_of(ctx, fun, start.shape),
        list(zip(low, high, strict=True)),
        rng=_generator(ctx),
        x0=np.clip(start.ravel(order="F"), low, high),
        maxiter=int(option_number(options, "MaxIterations", 200)),
    )
    x = canonical(found.x.reshape(start.shape, order="F"))
    output = Struct(
        {
            "iterations": float(found.nit),
            "funccount": float(found.nfev),
            "message": " ".join(map(str, found.message)),
            "rngstate": state,
        }
    )
    return x, float(found.fun), 1.0, output


@builtin(
    "patternsearch",
    category=_FAMILY,
    least=2,
    signatures=(
        "x = patternsearch(fun, x0)",
        "[x, fval, exitflag, output] = patternsearch(fun, "
        "x0, A, b, Aeq, beq, lb, ub, nonlcon, options)",
    ),
    cases=("norm(patternsearch(@(x) abs(x(1) - 1) + abs(x(2) + 2), [0 0]) - [1 -2]) < 1e-5",),
    see=("fminsearch", "ga"),
)
def patternsearch(ctx: CallContext, fun: Value, x0: Value, *rest: Value) -> Value:
    """The least value that steps along the axes find, halved where none leads down."""
    (NUMBERS & NONEMPTY)("patternsearch", 2, x0)
    start, parts = as_array(x0).astype(np.float64), complete_arguments(rest, 8)
    refuse_unsupported("patternsearch", parts[7], ("OutputFcn",), display=False)
    n, f = start.size, objective_of(ctx, fun, start.shape)
    low, high = bounds_of(parts[4], parts[5], n)
    limits = constraints_of(ctx, start.shape, parts)
    x = np.clip(start.ravel(order="F"), low, high)
    value, mesh, calls = f(x), 1.0, 1
    ways = np.vstack([np.eye(n), -np.eye(n)])
    least = option_number(options=parts[7], name="MeshTolerance", default=1e-6)
    while mesh > least and calls < 2000 * n:
        for way in ways:
            point = np.clip(x + mesh * way, low, high)
            if not _is_feasible(limits, point):
                continue
            calls += 1
            new = f(point)
            if new < value:
                x, value, mesh = point, new, mesh * 4
                break
        mesh /= 2
    output = Struct({"funccount": float(calls), "meshsize": mesh, "message": "The mesh is fine."})
    return (
        canonical(x.reshape(start.shape, order="F")),
        value,
        1.0 if mesh <= least else 0.0,
        output,
    )


def _is_feasible(limits: list[Any], x: Array) -> bool:
    for c in limits:
        if isinstance(c, dict):
            value = c["fun"](x)
            if np.any(value < -1e-6) or (c["type"] == "eq" and np.any(value > 1e-6)):
                return False
        elif np.any(c.A @ x > c.ub + 1e-9) or np.any(c.A @ x < c.lb - 1e-9):
            return False
    return True
