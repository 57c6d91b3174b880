"""Several goals at once, and whole numbers: fminimax, fgoalattain, intlinprog."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.arguments.call_context import CallContext, given_function
from app.engine.arguments.checks import NONEMPTY, NUMBERS, VECTOR, takes
from app.engine.builtins.calculus.problem_structs import takes_problem
from app.engine.builtins.calculus.solver_progress import refuse_unsupported, tell_end
from app.engine.builtins.vectors import flat_doubles, matrix_of
from app.engine.declarations.registry import builtin
from app.engine.values import EMPTY, Array, Struct, Value, as_array, canonical
from app.errors import MatlabError
from app.toolboxes.optimisation.constrained import complete_arguments
from app.toolboxes.optimisation.constraints import (
    bounds_of,
    constraints_of,
    is_given_argument,
    linear_parts,
    option_number,
    output_of,
)
from app.toolboxes.optimisation.multipliers import violation

_FAMILY = "optimisation"


def _goal_attainment(
    ctx: CallContext,
    name: str,
    fun: Value,
    x0: Value,
    goal: Array | None,
    weight: Array | None,
    parts: list[Value],
) -> tuple[Any, ...]:
    """The least ``t`` with every ``F(x) - weight t <= goal``."""
    from scipy.optimize import LinearConstraint, minimize

    refuse_unsupported(name, parts[7], ("OutputFcn",), display=False)
    start = as_array(x0).astype(np.float64)
    NONEMPTY(name, 2, x0)
    target, n = given_function(ctx, fun), start.size

    def values(x: Array) -> Array:
        return flat_doubles(ctx.call(target, (canonical(x.reshape(start.shape, order="F")),), 1)[0])

    first = values(start.ravel(order="F"))
    goal = np.zeros(first.size) if goal is None else goal
    weight = np.ones(first.size) if weight is None else weight
    if goal.size != first.size or weight.size != first.size:
        text = "There must be one goal and one weight for every value of the function."
        raise MatlabError(f"optim:{name}:InvalidGoalAndWeight", text)
    limits: list[Any] = [{"type": "ineq", "fun": lambda z: goal + weight * z[n] - values(z[:n])}]
    for c in constraints_of(ctx, start.shape, parts):
        if isinstance(c, LinearConstraint):
            wide = np.hstack([np.atleast_2d(c.A), np.zeros((np.atleast_2d(c.A).shape[0], 1))])
            limits.append(LinearConstraint(wide, c.lb, c.ub))
        else:
            limits.append({"type": c["type"], "fun": lambda z, f=c["fun"]: f(z[:n])})
    low, high = bounds_of(parts[4], parts[5], n)
    begin = float(np.max((first - goal) / np.where(weight != 0, weight, 1)))
    options = parts[7]
    found = minimize(
        lambda z: z[n],
        np.append(np.clip(start.ravel(order="F"), low, high), begin),
        jac=lambda z: np.append(np.zeros(n), 1.0),
        method="SLSQP",
        constraints=limits,
        bounds=[*zip(low, high, strict=True), (-np.inf, np.inf)],
        options={"ftol": 1e-10, "maxiter": int(option_number(options, "MaxIter", 400))},
    )
    x = found.x[:n]
    flag = 1.0 if found.success else 0.0 if found.status == 9 else -2.0
    shape = start.shape
    return canonical(x.reshape(shape, order="F")), values(x), float(found.x[n]), flag, found


@builtin(
    "fminimax",
    category=_FAMILY,
    least=1,
    signatures=(
        "x = fminimax(fun, x0)",
        "[x, fval, maxfval, exitflag, output] = fminimax(fun, "
        "x0, A, b, Aeq, beq, lb, ub, nonlcon, options)",
    ),
    cases=("abs(fminimax(@(x) [x^2; (x-2)^2], 0.3) - 1) < 1e-5",),
    see=("fmincon",),
)
@takes_problem("objective", "x0", "Aineq", "bineq", "Aeq", "beq", "lb", "ub", "nonlcon", "options")
def fminimax(ctx: CallContext, fun: Value, x0: Value, *rest: Value) -> Value:
    """The point at which the largest of several values is least."""
    x, values, _, flag, found = _goal_attainment(
        ctx, "fminimax", fun, x0, None, None, complete_arguments(rest, 8)
    )
    return (
        x,
        canonical(values.reshape(-1, 1)),
        float(values.max()),
        flag,
        output_of(found, "active-set"),
    )


@builtin(
    "fgoalattain",
    category=_FAMILY,
    least=1,
    signatures=(
        "x = fgoalattain(fun, x0, goal, weight)",
        "[x, fval, attainfactor, exitflag, output] = "
        "fgoalattain(fun, x0, goal, weight, A, b, Aeq, beq, lb, ub, nonlcon, "
        "options)",
    ),
    cases=("abs(fgoalattain(@(x) [x^2; (x-2)^2], 0.3, [0; 0], [1; 1]) - 1) < 1e-5",),
    see=("fminimax",),
)
@takes_problem(
    "objective",
    "x0",
    "goal",
    "weight",
    "Aineq",
    "bineq",
    "Aeq",
    "beq",
    "lb",
    "ub",
    "nonlcon",
    "options",
)
def fgoalattain(
    ctx: CallContext, fun: Value, x0: Value, goal: Value, weight: Value, *rest: Value
) -> Value:
    """The point at which several values come nearest to goals, by weights."""
    x, values, factor, flag, found = _goal_attainment(
        ctx,
        "fgoalattain",
        fun,
        x0,
        flat_doubles(goal),
        flat_doubles(weight),
        complete_arguments(rest, 8),
    )
    return (x, canonical(values.reshape(-1, 1)), factor, flag, output_of(found, "active-set"))


@builtin(
    "intlinprog",
    category=_FAMILY,
    least=1,
    signatures=(
        "x = intlinprog(f, intcon, A, b)",
        "[x, fval, exitflag, output] = intlinprog(f, intcon, A, b, Aeq, beq, lb, ub, x0, options)",
        "x = intlinprog(problem)",
    ),
    cases=(
        "isequal(intlinprog([-1; -1], 1:2, [2 3], 7, [],[], [0 0], [2 2]), [2; 1])",
        "[x, v, flag, out] = intlinprog(-1, [], [], [], [], [], 0, 2.5); "
        "x == 2.5 && flag == 1 && out.absolutegap == 0",
    ),
    see=("linprog",),
)
@takes_problem("f", "intcon", "Aineq", "bineq", "Aeq", "beq", "lb", "ub", "x0", "options")
@takes(NUMBERS & NONEMPTY & VECTOR)
def intlinprog(ctx: CallContext, f: Value, intcon: Value, *rest: Value) -> Value:
    """Minimum of a linear function under linear constraints, some unknowns whole numbers."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    cost, parts = flat_doubles(f), complete_arguments(rest, 8)
    refuse_unsupported("intlinprog", parts[7], ("OutputFcn", "MaxNodes"), display=False)
    whole = np.zeros(cost.size)
    if is_given_argument(intcon):
        at = flat_doubles(intcon).astype(int) - 1
        if np.any(at < 0) or np.any(at >= cost.size):
            text = "intcon must name unknowns by their numbers."
            raise MatlabError("optim:intlinprog:InvalidIntcon", text)
        whole[at] = 1
    limits = []
    if is_given_argument(parts[0]):
        limits.append(LinearConstraint(matrix_of(parts[0]), -np.inf, flat_doubles(parts[1])))
    if is_given_argument(parts[2]):
        limits.append(
            LinearConstraint(matrix_of(parts[2]), flat_doubles(parts[3]), flat_doubles(parts[3]))
        )
    low, high = bounds_of(parts[4], parts[5], cost.size)
    found = milp(cost, integrality=whole, bounds=Bounds(low, high), constraints=limits)
    flag = 1.0 if found.x is not None else {2: -2.0, 3: -3.0}.get(found.status, 0.0)
    told = tell_end(ctx, "intlinprog", parts[7], flag, str(found.message))
    if found.x is None:
        return EMPTY, EMPTY, flag, Struct(dict.fromkeys(_PROGRAM, EMPTY) | {"message": told})
    x = np.where(whole > 0, np.round(found.x), found.x)
    facts = (
        float(found.mip_gap or 0.0),
        abs(float(found.fun - found.mip_dual_bound)) if whole.any() else 0.0,
        float(found.mip_node_count or 0),
        violation(x, low, high, linear_parts(parts[:4], x)),
        "branch-and-cut",
        told,
    )
    output = Struct(dict(zip(_PROGRAM, facts, strict=True)))
    return canonical(x.reshape(-1, 1)), float(found.fun), 1.0, output


_PROGRAM = ("relativegap", "absolutegap", "numnodes", "constrviolation", "algorithm", "message")
"""The fields of the output of ``intlinprog``."""
