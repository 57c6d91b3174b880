"""coneprog: linear programs over second-order cones."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import NONEMPTY, NUMBERS, VECTOR, takes
from app.engine.builtins.calculus.problem_structs import takes_problem
from app.engine.builtins.calculus.solver_progress import (
    option_of,
    refuse_unsupported,
    settings_of,
    tell_end,
)
from app.engine.builtins.vectors import flat_doubles, matrix_of
from app.engine.declarations.registry import builtin
from app.engine.stoppable import Stop
from app.engine.values import (
    EMPTY,
    Array,
    Cell,
    ObjectArray,
    ObjectValue,
    Struct,
    Value,
    canonical,
    float_of,
    is_text_scalar,
    numel,
    text_of,
)
from app.errors import MatlabError
from app.toolboxes.optimisation.cone_programs import ConeAnswer, ConeLimits, ConeProgram, least
from app.toolboxes.optimisation.constrained import complete_arguments
from app.toolboxes.optimisation.constraints import (
    bounds_of,
    is_given_argument,
    linear_parts,
    option_number,
)

_CONE = "optim.coneprog.SecondOrderConeConstraint"


@builtin(
    "coneprog",
    category="optimisation",
    least=1,
    signatures=(
        "x = coneprog(f, socConstraints)",
        "[x, fval, exitflag, output, lambda] = coneprog(f, socConstraints, A, b, Aeq, beq, lb, ub, "
        "options)",
        "x = coneprog(problem)",
    ),
    cases=(
        "norm(coneprog([-1 -2 0], secondordercone(diag([1 .5 0]), [0;0;0], [0;0;1], 0), [], [], "
        "[], [], [-Inf -Inf 0], [Inf Inf 2]) - [2/sqrt(17); 16/sqrt(17); 2]) < 1e-5",
        "[x, f, e, o, l] = coneprog(1, secondordercone(1, 5, 0, -2)); "
        "abs(x - 3) < 1e-6 && abs(l.soc - 1) < 1e-6",
    ),
    see=("linprog", "quadprog", "fmincon"),
)
@takes_problem("f", "socConstraints", "Aineq", "bineq", "Aeq", "beq", "lb", "ub", "options")
@takes(NUMBERS & NONEMPTY & VECTOR)
def coneprog(ctx: CallContext, f: Value, *rest: Value) -> tuple[Value, ...]:
    """Minimum of ``f'*x`` where ``norm(A*x - b) <= d'*x - gamma`` for each of the constraints that
    ``secondordercone`` makes (in an array or a cell), under linear constraints and bounds.

    By an interior-point method on full matrices; ``lambda.soc`` has one multiplier for each cone.
    """
    cones, a, b, aeq, beq, lower, upper, options = complete_arguments(rest, 8)
    refuse_unsupported("coneprog", _without_time(options), ("OutputFcn",), display=False)
    cost = flat_doubles(f)
    low, high = bounds_of(lower, upper, cost.size)
    sides = linear_parts([a, b, aeq, beq], np.zeros(cost.size))
    program = _program(cost, sides, (low, high), list(_cones(cones, cost.size)))
    found = least(program, _limits(ctx, options))
    told = tell_end(ctx, "coneprog", options, found.flag, "")
    output = {
        "iterations": float(found.iterations),
        "primalfeasibility": found.missed[0],
        "dualfeasibility": found.missed[1],
        "dualitygap": found.gap,
        "algorithm": "interior-point",
        "linearsolver": "normal-dense",
        "message": told,
    }
    if found.flag not in (1.0, 0.0):
        return EMPTY, EMPTY, found.flag, Struct(output), EMPTY
    shares = _shares(program, found, sides["ineqlin"][0].size, (low, high))
    duals = Struct({k: canonical(v.reshape(-1, 1)) for k, v in shares.items()})
    x, value = canonical(found.x.reshape(-1, 1)), float(cost @ found.x)
    return x, value, found.flag, Struct(output), duals


def _without_time(options: Value) -> Value:
    """The options but MaxTime, which this solver knows."""
    if not isinstance(options, Struct) and not settings_of(options):
        return options
    return Struct({k: v for k, v in settings_of(options).items() if k != "MaxTime"})


def _limits(ctx: CallContext, options: Value) -> ConeLimits:
    chosen = option_of(options, "LinearSolver")
    if is_text_scalar(chosen) and text_of(chosen).lower() not in ("auto", "normal-dense"):
        text = (
            f"coneprog has no LinearSolver '{text_of(chosen)}'; there is 'auto' and 'normal-dense'."
        )
        raise MatlabError("MATLAB:coneprog:unsupportedOption", text)
    end = time.monotonic() + option_number(options, "MaxTime", np.inf)

    def over() -> bool:
        Stop.poll()
        return time.monotonic() >= end

    settings = settings_of(options)

    def tolerance(name: str) -> float:
        return float_of(settings[name]) if is_given_argument(settings.get(name)) else 1e-6

    return ConeLimits(
        tolerance("ConstraintTolerance"),
        tolerance("OptimalityTolerance"),
        int(option_number(options, "MaxIter", 200)),
        over,
    )


def _cones(given: Value, n: int) -> Iterator[tuple[Array, Array]]:
    """For each cone the rows and the right side of ``right - rows * x`` in the cone."""
    if isinstance(given, Cell):
        for part in given.items():
            yield from _cones(part, n)
        return
    parts = given.data.ravel(order="F") if isinstance(given, ObjectArray) else [given]
    if not isinstance(given, ObjectArray | ObjectValue) and numel(given) == 0:
        return
    for part in parts:
        if not isinstance(part, ObjectValue) or part.class_info.name != _CONE:
            text = "Constraints by cones must be what secondordercone makes."
            raise MatlabError("optim:coneprog:InvalidConeConstraint", text)
        a, b, d, gamma = (part.properties[k] for k in ("A", "b", "d", "gamma"))
        if numel(d) != n:
            text = f"A constraint is about {numel(d)} unknowns, the objective about {n}."
            raise MatlabError("optim:coneprog:SizeMismatch", text)
        rows = np.vstack((-flat_doubles(d), -matrix_of(a).reshape(-1, n)))
        yield rows, np.concatenate(([-float_of(gamma)], -flat_doubles(b)))


def _program(
    cost: Array,
    sides: dict[str, tuple[Array, Array, bool]],
    bounds: tuple[Array, Array],
    cones: list[tuple[Array, Array]],
) -> ConeProgram:
    """Inequalities first, then lower and upper bounds that are finite, then the cones."""
    unit = np.eye(cost.size)
    below, above = (np.isfinite(v) for v in bounds)
    (left, rows, _), (missed, equal, _) = sides["ineqlin"], sides["eqlin"]
    linear = [(rows, -left), (-unit[below], -bounds[0][below]), (unit[above], bounds[1][above])]
    every = [*linear, *cones]
    return ConeProgram(
        cost=cost,
        equal=equal,
        level=-missed,
        rows=np.vstack([r for r, _ in every]),
        right=np.concatenate([v for _, v in every]),
        positive=sum(v.size for _, v in linear),
        cones=tuple(v.size for _, v in cones),
    )


def _shares(
    program: ConeProgram, found: ConeAnswer, inequalities: int, bounds: tuple[Array, Array]
) -> dict[str, Array]:
    """The multipliers by the kinds of constraints; 0 for bounds that are infinite."""
    made = {"ineqlin": found.shares[:inequalities], "eqlin": found.equal_shares}
    place = inequalities
    for name, ends in zip(("lower", "upper"), bounds, strict=True):
        finite = np.isfinite(ends)
        made[name] = np.zeros(ends.size)
        made[name][finite] = found.shares[place : place + int(finite.sum())]
        place += int(finite.sum())
    starts = program.positive + np.cumsum((0, *program.cones[:-1]))
    made["soc"] = found.shares[starts] if program.cones else np.zeros(0)
    return made
