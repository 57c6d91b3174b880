"""Minima under constraints: fmincon, linprog, quadprog."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from app.engine import stoppable
from app.engine.arguments.call_context import CallContext, given_function
from app.engine.arguments.checks import NONEMPTY, NUMBERS, VECTOR, takes
from app.engine.builtins.calculus.problem_structs import takes_problem
from app.engine.builtins.calculus.solver_progress import (
    Progress,
    is_on,
    option_of,
    refuse_unsupported,
    settings_of,
    tell_end,
)
from app.engine.builtins.vectors import flat_doubles, matrix_of
from app.engine.declarations.registry import builtin
from app.engine.values import (
    EMPTY,
    Array,
    Struct,
    Value,
    as_array,
    canonical,
    float_of,
    is_text_scalar,
    numel,
    text_of,
)
from app.errors import MatlabError
from app.toolboxes.optimisation import quadratic_programs
from app.toolboxes.optimisation.constraints import (
    bounds_of,
    constraints_of,
    is_given_argument,
    linear_parts,
    option_number,
)
from app.toolboxes.optimisation.multipliers import multipliers, slopes_of, violation

_FAMILY = "optimisation"


@builtin(
    "fmincon",
    category=_FAMILY,
    least=1,
    signatures=(
        "x = fmincon(fun, x0, A, b)",
        "[x, fval, exitflag, output, lambda, grad, hessian] = fmincon(fun, x0, A, b, "
        "Aeq, beq, lb, ub, nonlcon, options)",
        "x = fmincon(problem)",
    ),
    cases=(
        "norm(fmincon(@(x) sum((x-2).^2), [0 0], [1 1], 2) - [1 1]) < 1e-6",
        "abs(fmincon(@(x) (x-3)^2, 0, [], [], [], [], 0, 2) - 2) < 1e-8",
        "[x, f, e, o, l] = fmincon(@(x) x*x, 3, [],[],[],[], 1); abs(l.lower-2) < 1e-4",
    ),
    see=("fminunc", "linprog", "quadprog"),
)
@takes_problem("objective", "x0", "Aineq", "bineq", "Aeq", "beq", "lb", "ub", "nonlcon", "options")
def fmincon(ctx: CallContext, fun: Value, x0: Value, *rest: Value, nargout: int = 1) -> Value:
    """Minimum under linear and nonlinear constraints and bounds (sequential quadratic).

    With the option SpecifyObjectiveGradient the function gives its gradient as second output.
    ``lambda`` holds the Lagrange multipliers of every kind of constraint.
    """
    from scipy.optimize import Bounds, minimize

    parts = complete_arguments(rest, 8)
    options = parts[7]
    start = as_array(x0).astype(np.float64)
    objective, slope = objective_of(ctx, fun, start.shape, options)
    low, high = bounds_of(parts[4], parts[5], start.size)
    progress = Progress(ctx, "fmincon", options, start.shape)
    found = minimize(
        progress.counted(objective),
        np.clip(start.ravel(order="F"), low, high),
        method="SLSQP",
        callback=progress.watch,
        jac=slope,
        bounds=Bounds(low, high),
        constraints=constraints_of(ctx, start.shape, parts),
        options={
            "ftol": min(option_number(options, "TolFun", 1e-6), 1e-6) * 1e-4,
            "maxiter": int(option_number(options, "MaxIter", 1000)),
        },
    )
    flag = 1.0 if found.success else 0.0 if found.status in (9, 99) else -2.0
    flag = progress.finish(found.x, float(found.fun), flag, str(found.message))
    x = canonical(found.x.reshape(start.shape, order="F"))
    value = float(found.fun)
    if nargout < 4:
        return x, value, flag
    gradient = slopes_of(objective, found.x)[0] if slope is None else slope(found.x)
    kinds = linear_parts(parts, found.x) | _nonlinear_constraints(ctx, parts, start.shape, found.x)
    shares, slope_left = multipliers(found.x, gradient, low, high, kinds)
    beyond = violation(found.x, low, high, kinds)
    measured: dict[str, Value] = {"constrviolation": beyond, "firstorderopt": slope_left}
    best = Struct({"x": x, "fval": value, **measured}) if flag > 0 else EMPTY
    output: dict[str, Value] = {
        "iterations": float(found.nit),
        "funcCount": float(found.nfev),
        "constrviolation": beyond,
        "stepsize": progress.moved,
        "algorithm": "sqp",
        "firstorderopt": slope_left,
        "cgiterations": EMPTY,
        "message": progress.message,
        "bestfeasible": best,
    }
    more = canonical(gradient.reshape(start.shape, order="F"))
    made = (x, value, flag, Struct(output), shares, more)
    return (*made, canonical(_hessian(objective, found.x))) if nargout > 6 else made


def objective_of(
    ctx: CallContext, fun: Value, shape: tuple[int, ...], options: Value
) -> tuple[Callable[[Array], float], Callable[[Array], Array] | None]:
    """The objective of a flat vector, and its gradient where the options say that it has one."""
    target = given_function(ctx, fun)

    own = is_on(options, "GradObj")

    def call(x: Array, count: int) -> tuple[Value, ...]:
        return ctx.call(target, (canonical(x.reshape(shape, order="F")),), count)

    def objective(x: Array) -> float:
        value = call(x, 2 if own else 1)[0]
        if numel(value) != 1:
            raise MatlabError(
                "optim:fmincon:NonScalarObj", "The objective must return a scalar value."
            )
        return float(as_array(value).real.flat[0])

    return objective, (lambda x: flat_doubles(call(x, 2)[1])) if own else None


def _nonlinear_constraints(
    ctx: CallContext, parts: list[Value], shape: tuple[int, ...], x: Array
) -> dict[str, tuple[Array, Array, bool]]:
    names = ("ineqnonlin", "eqnonlin")
    if not is_given_argument(parts[6]):
        return {name: (np.zeros(0), np.zeros((0, x.size)), True) for name in names}
    target = given_function(ctx, parts[6])

    def values(which: int) -> Callable[[Array], Array]:
        return lambda p: flat_doubles(
            ctx.call(target, (canonical(p.reshape(shape, order="F")),), 2)[which]
        )

    return {
        name: (values(k)(x), slopes_of(values(k), x).reshape(-1, x.size), k == 0)
        for k, name in enumerate(names)
    }


def _hessian(f: Callable[[Array], float], x: Array) -> Array:
    """Second differences of a function."""
    made = slopes_of(lambda p: slopes_of(f, p)[0], x)
    return np.asarray((made + made.T) / 2)


def complete_arguments(args: tuple[Value, ...], count: int) -> list[Value]:
    """Arguments with ``[]`` for those that are missing."""
    return [*args, *([EMPTY] * (count - len(args)))]


def _limits(options: Value) -> dict[str, Any]:
    """What a solver of HiGHS takes from the options: how many iterations, and tolerances."""
    fields = settings_of(options)
    known = {
        "MaxIterations": "maxiter",
        "MaxIter": "maxiter",
        "ConstraintTolerance": "primal_feasibility_tolerance",
        "OptimalityTolerance": "dual_feasibility_tolerance",
    }
    found = {k: float_of(fields[n]) for n, k in known.items() if _is_number(fields, n)}
    return {k: int(v) if k == "maxiter" else v for k, v in found.items()}


def _is_number(fields: dict[str, Value], name: str) -> bool:
    return name in fields and not is_text_scalar(fields[name]) and is_given_argument(fields[name])


@builtin(
    "linprog",
    category=_FAMILY,
    least=1,
    signatures=(
        "x = linprog(f, A, b)",
        "[x, fval, exitflag, output, lambda] = linprog(f, A, b, Aeq, beq, lb, ub, options)",
        "x = linprog(problem)",
    ),
    cases=(
        "norm(linprog([-1; -1], [1 2; 3 1], [4; 6]) - [1.6; 1.2]) < 1e-8",
        "[x, f, e, o, l] = linprog(-1, 1, 5); l.ineqlin == 1",
    ),
    see=("quadprog", "fmincon", "intlinprog"),
)
@takes_problem("f", "Aineq", "bineq", "Aeq", "beq", "lb", "ub", "options")
@takes(NUMBERS & NONEMPTY & VECTOR)
def linprog(ctx: CallContext, f: Value, *rest: Value) -> Value:
    """Minimum of a linear function under linear constraints; a start before the options is
    taken as the solver takes it: it has no need of one."""
    from scipy.optimize import linprog as solve

    if len(rest) > 8:
        raise MatlabError("MATLAB:maxrhs", "Too many input arguments.")
    rest = (*rest[:6], rest[7]) if len(rest) == 8 else rest
    a, b, aeq, beq, lower, upper, options = complete_arguments(rest, 7)
    refuse_unsupported("linprog", options, ("OutputFcn",), display=False)
    asked = option_of(options, "Algorithm")
    algorithm = text_of(asked).lower() if is_text_scalar(asked) else "dual-simplex"
    cost = flat_doubles(f)
    low, high = bounds_of(lower, upper, cost.size)
    found = solve(
        cost,
        matrix_of(a) if is_given_argument(a) else None,
        flat_doubles(b) if is_given_argument(b) else None,
        matrix_of(aeq) if is_given_argument(aeq) else None,
        flat_doubles(beq) if is_given_argument(beq) else None,
        bounds=np.column_stack([low, high]),
        method="highs-ipm" if algorithm.startswith("interior-point") else "highs",
        options=_limits(options),
    )
    flag = 1.0 if found.x is not None else {2: -2.0, 3: -3.0}.get(found.status, 0.0)
    told = tell_end(ctx, "linprog", options, flag, str(found.message))
    output: dict[str, Value] = {
        "iterations": float(found.nit),
        "constrviolation": EMPTY,
        "message": told,
        "algorithm": algorithm,
        "firstorderopt": EMPTY,
    }
    if found.x is None:
        return EMPTY, EMPTY, flag, Struct(output), EMPTY
    kinds = linear_parts([a, b, aeq, beq], found.x)
    left = cost - found.lower.marginals - found.upper.marginals
    for name, side in (("ineqlin", found.ineqlin), ("eqlin", found.eqlin)):
        left = left - kinds[name][1].T @ side.marginals
    output["firstorderopt"] = float(np.abs(left).max(initial=0.0))
    output["constrviolation"] = violation(found.x, low, high, kinds)
    shares = {
        "lower": found.lower.marginals,
        "upper": -found.upper.marginals,
        "eqlin": -found.eqlin.marginals,
        "ineqlin": -found.ineqlin.marginals,
    }
    duals = Struct({k: canonical(np.asarray(v).reshape(-1, 1) + 0.0) for k, v in shares.items()})
    return canonical(found.x.reshape(-1, 1)), float(found.fun), 1.0, Struct(output), duals


@builtin(
    "quadprog",
    category=_FAMILY,
    least=1,
    signatures=(
        "x = quadprog(H, f)",
        "[x, fval, exitflag, output, lambda] = quadprog(H, f, A, b, Aeq, beq, lb, ub, x0, options)",
        "x = quadprog(problem)",
    ),
    cases=(
        "norm(quadprog(eye(2), [-1; -2]) - [1; 2]) < 1e-6",
        "[x, f, e, o, l] = quadprog(1, -3, 1, 1); abs(l.ineqlin - 2) < 1e-6",
    ),
    see=("linprog", "fmincon"),
)
@takes_problem("H", "f", "Aineq", "bineq", "Aeq", "beq", "lb", "ub", "x0", "options")
def quadprog(ctx: CallContext, h: Value, f: Value, *rest: Value) -> tuple[Value, ...]:
    """Minimum of ``x'*H*x/2 + f'*x`` under linear constraints and bounds."""
    matrix = matrix_of(h)
    linear = flat_doubles(f) if is_given_argument(f) else np.zeros(matrix.shape[0])
    if matrix.shape != (linear.size, linear.size):
        raise MatlabError("optim:quadprog:SizeMismatch", "H must be square and fit f.")
    if not (np.isfinite(matrix).all() and np.isfinite(linear).all()):
        raise MatlabError("optim:quadprog:InfNaNDetected", "The inputs must be finite.")
    matrix, parts = (matrix + matrix.T) / 2, complete_arguments(rest, 8)
    progress = Progress(ctx, "quadprog", parts[7], (linear.size, 1))
    refuse_unsupported("quadprog", parts[7], ("OutputFcn",))
    low, high = bounds_of(parts[4], parts[5], linear.size)
    values = stoppable.eigvalsh(matrix)
    if values.size and values[0] < -1e-9 * np.abs(values).max():
        found = _lowest_nearby(ctx, progress, matrix, linear, parts, (low, high))
    else:
        sides = linear_parts(parts, np.zeros(linear.size))
        (above, slopes, _), (beside, equal_slopes, _) = sides["ineqlin"], sides["eqlin"]
        limits = quadratic_programs.joined((slopes, -above), (equal_slopes, -beside), low, high)
        found = quadratic_programs.minimum(matrix, values, linear, limits, progress.step)
        found = replace(found, x=np.clip(found.x, low, high))
    value = float(found.x @ matrix @ found.x / 2 + linear @ found.x)
    flag = progress.finish(found.x, value, found.flag, found.message)
    kinds = linear_parts(parts, found.x)
    shares, left = multipliers(found.x, matrix @ found.x + linear, low, high, kinds)
    output: dict[str, Value] = {
        "message": progress.message,
        "algorithm": "active-set",
        "firstorderopt": left,
        "constrviolation": violation(found.x, low, high, kinds),
        "iterations": float(found.nit),
        "linearsolver": EMPTY,
        "cgiterations": EMPTY,
    }
    duals = Struct({k: shares.fields[k] for k in ("ineqlin", "eqlin", "lower", "upper")})
    return canonical(found.x.reshape(-1, 1)), value, flag, Struct(output), duals


def _lowest_nearby(
    ctx: CallContext,
    progress: Progress,
    matrix: Array,
    linear: Array,
    parts: list[Value],
    bounds: tuple[Array, Array],
) -> quadratic_programs.Minimum:
    """A local minimum where the matrix has a negative eigenvalue."""
    from scipy.optimize import Bounds, minimize

    start = flat_doubles(parts[6]) if is_given_argument(parts[6]) else np.zeros(linear.size)
    found: Any = minimize(
        progress.counted(lambda x: float(x @ matrix @ x / 2 + linear @ x)),
        np.clip(start, *bounds),
        callback=progress.watch,
        jac=lambda x: matrix @ x + linear,
        method="SLSQP",
        bounds=Bounds(*bounds),
        constraints=constraints_of(ctx, (linear.size, 1), parts[:4]),
        options={"ftol": 1e-14, "maxiter": 1000},
    )
    flag = 1.0 if found.success else 0.0 if found.status == 99 else -2.0
    return quadratic_programs.Minimum(found.x, flag, str(found.message), int(found.nit))
