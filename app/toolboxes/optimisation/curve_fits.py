"""Nonlinear and constrained least squares: lsqnonlin, lsqcurvefit, lsqlin."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from app.engine.arguments.call_context import CallContext, given_function
from app.engine.arguments.checks import NONEMPTY
from app.engine.builtins.calculus.optimisation import check_value
from app.engine.builtins.calculus.problem_structs import takes_problem
from app.engine.builtins.calculus.solver_progress import (
    GIVEN_OPTIONS,
    Progress,
    is_on,
    option_of,
    refuse_unsupported,
    warn_of_other_algorithm,
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
    is_text_scalar,
    numel,
)
from app.errors import MatlabError
from app.toolboxes.optimisation.constrained import complete_arguments, quadprog
from app.toolboxes.optimisation.constraints import (
    bounds_of,
    option_number,
)
from app.toolboxes.optimisation.multipliers import multipliers

_FAMILY = "optimisation"


def _least_squares(
    ctx: CallContext,
    solver: str,
    residuals: Callable[[Array], Value],
    x0: Value,
    lower: Value | None,
    upper: Value | None,
    options: Value | None,
    slopes: Callable[[Array], Value],
) -> Value:
    from scipy.optimize import least_squares

    start = as_array(x0).astype(np.float64)
    low, high = bounds_of(lower, upper, start.size)

    def rest(x: Array) -> Array:
        value = residuals(x.reshape(start.shape, order="F"))
        check_value(value)
        return flat_doubles(value)

    def jacobian(x: Array) -> Array:
        return matrix_of(slopes(x.reshape(start.shape, order="F")))

    NONEMPTY(solver, 2, x0)
    progress = Progress(ctx, solver, options, start.shape, "resnorm")
    begin = np.clip(start.ravel(order="F"), low, high)
    tol = min(option_number(options, "TolFun", 1e-6), 1e-6) * 1e-4
    found = least_squares(
        progress.counted(rest),
        begin,
        jac=jacobian if is_on(options, "GradObj", "Jacobian") else "2-point",
        bounds=(low, high),
        ftol=tol,
        xtol=tol,
        gtol=1e-14,
        max_nfev=int(option_number(options, "MaxFunEvals", 100 * start.size)),
        callback=progress.watch,
    )
    flag = 1.0 if found.success else 0.0
    flag = progress.finish(found.x, 2 * float(found.cost), flag, str(found.message))
    x = found.x.reshape(start.shape, order="F")
    shares, _ = multipliers(found.x, 2 * found.grad, low, high, {})
    return (
        canonical(x),
        float(2 * found.cost),
        residuals(x),
        flag,
        _output(float(found.optimality), float(found.nfev), progress),
        shares,
        canonical(found.jac),
    )


@builtin(
    "lsqnonlin",
    category=_FAMILY,
    least=1,
    signatures=(
        "[x, resnorm, residual, exitflag, output, lambda, J] = lsqnonlin(fun, x0, lb, ub, options)",
        "x = lsqnonlin(fun, x0, lb, ub, options, P1, ...)",
    ),
    cases=("norm(lsqnonlin(@(x) [x(1)-1; x(2)+2], [0 0]) - [1 -2]) < 1e-8",),
    see=("lsqcurvefit", "fsolve"),
)
@takes_problem("objective", "x0", "lb", "ub", "options")
def lsqnonlin(
    ctx: CallContext,
    fun: Value,
    x0: Value,
    lower: Value | None = None,
    upper: Value | None = None,
    options: Value | None = None,
    *extra: Value,
) -> Value:
    """Nonlinear least squares.

    With the option SpecifyObjectiveGradient (Jacobian) the function gives its slopes as second
    output. What follows the options is given to the function behind ``x``.
    """
    target = given_function(ctx, fun)
    _check_options("lsqnonlin", 5, options, extra)

    count = 2 if is_on(options, "GradObj", "Jacobian") else 1

    def residuals(x: Array) -> Value:
        return ctx.call(target, (canonical(x), *extra), count)[0]

    def slopes(x: Array) -> Value:
        return ctx.call(target, (canonical(x), *extra), count)[1]

    return _least_squares(ctx, "lsqnonlin", residuals, x0, lower, upper, options, slopes)


def _check_options(name: str, place: int, options: Value | None, extra: tuple[Value, ...]) -> None:
    """Raise where linear constraints, as newer releases take them, stand in place of the options.

    Of two or more inputs behind an empty one nobody can tell which they are meant to be.
    """
    if isinstance(options, GIVEN_OPTIONS) or options is None:
        return
    if numel(options) or len(extra) > 1:
        text = (
            f"{name} takes options as input {place}; linear and nonlinear constraints are not "
            "supported: use fmincon on the sum of squares."
        )
        raise MatlabError(f"optim:{name}:constraints", text)


def _output(optimality: float, calls: float, progress: Progress) -> Struct:
    """What the solvers of least squares say of a run."""
    return Struct(
        {
            "firstorderopt": optimality,
            "iterations": float(progress.iterations),
            "funcCount": calls,
            "cgiterations": 0.0,
            "algorithm": "trust-region-reflective",
            "stepsize": progress.moved,
            "message": progress.message,
            "bestfeasible": EMPTY,
            "constrviolation": EMPTY,
        }
    )


@builtin(
    "lsqcurvefit",
    category=_FAMILY,
    least=1,
    signatures=(
        "[x, resnorm, residual, exitflag, output, lambda, J] = lsqcurvefit(fun, x0, "
        "xdata, ydata, lb, ub, options)",
        "x = lsqcurvefit(fun, x0, xdata, ydata, lb, ub, options, P1, ...)",
    ),
    cases=("norm(lsqcurvefit(@(p, t) p(1)*t + p(2), [0 0], 1:4, 3:2:9) - [2 1]) < 1e-6",),
    see=("lsqnonlin", "polyfit"),
)
@takes_problem("objective", "x0", "xdata", "ydata", "lb", "ub", "options")
def lsqcurvefit(
    ctx: CallContext,
    fun: Value,
    x0: Value,
    xdata: Value,
    ydata: Value,
    lower: Value | None = None,
    upper: Value | None = None,
    options: Value | None = None,
    *extra: Value,
) -> Value:
    """Parameters of a curve that fit data best.

    What follows the options is given to the function behind ``x`` and the data.
    """
    _check_options("lsqcurvefit", 7, options, extra)
    target, wanted = given_function(ctx, fun), as_array(ydata).astype(np.float64)
    count = 2 if is_on(options, "GradObj", "Jacobian") else 1

    def residuals(x: Array) -> Value:
        value = as_array(ctx.call(target, (canonical(x), xdata, *extra), count)[0])
        if value.shape != wanted.shape:
            raise MatlabError(
                "optim:lsqcurvefit:YdataSizeMismatchFunVal",
                "Function value and YDATA sizes are not equal.",
            )
        return canonical(value - wanted)

    def slopes(x: Array) -> Value:
        return ctx.call(target, (canonical(x), xdata, *extra), count)[1]

    return _least_squares(ctx, "lsqcurvefit", residuals, x0, lower, upper, options, slopes)


@builtin(
    "lsqlin",
    category=_FAMILY,
    least=1,
    signatures=(
        "x = lsqlin(C, d, A, b)",
        "[x, resnorm, residual, exitflag, output, lambda] = "
        "lsqlin(C, d, A, b, Aeq, beq, lb, ub, x0, options)",
        "x = lsqlin(problem)",
    ),
    cases=("norm(lsqlin([1 0; 0 1], [1; 2], [1 1], 2) - [0.5; 1.5]) < 1e-6",),
    see=("lsqnonneg", "quadprog"),
)
@takes_problem("C", "d", "Aineq", "bineq", "Aeq", "beq", "lb", "ub", "x0", "options")
def lsqlin(ctx: CallContext, c: Value, d: Value, *rest: Value) -> Value:
    """Linear least squares under linear constraints and bounds."""
    matrix, right = matrix_of(c), flat_doubles(d)
    shown: dict[str, Value] = {"Display": "final"}
    for options in (v for v in rest if isinstance(v, GIVEN_OPTIONS) or is_text_scalar(v)):
        refuse_unsupported("lsqlin", options, ("OutputFcn",), display=False)
        warn_of_other_algorithm(ctx, "lsqlin", options)
        shown["Display"] = option_of(options, "Display") or "final"
    rest = tuple(v for v in rest if not is_text_scalar(v) and not isinstance(v, GIVEN_OPTIONS))
    square, linear = matrix.T @ matrix, (-matrix.T @ right).reshape(-1, 1)
    parts = complete_arguments(rest, 7)
    x, _, flag, output, shares = quadprog(
        ctx, canonical(square), canonical(linear), *parts, Struct(shown)
    )
    residual = matrix @ flat_doubles(x) - right
    return (x, float(residual @ residual), canonical(residual.reshape(-1, 1)), flag, output, shares)
