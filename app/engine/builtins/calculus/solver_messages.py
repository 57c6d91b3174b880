"""What the solvers say when they end: by solver and exit flag."""

from __future__ import annotations

from app.engine.arguments.call_context import CallContext

_DETAILS = "<stopping criteria details>"
_SMALL_GRADIENT = (
    "Local minimum found.\n\nOptimization completed because the size of the gradient is less than\n"
    "the value of the optimality tolerance."
)
_CONSTRAINED = (
    "{}\n\nOptimization completed because the objective function is non-decreasing in \n"
    "feasible directions, to within the value of the optimality tolerance,\n"
    "and constraints are satisfied to within the value of the constraint tolerance."
)
_EARLY = "Solver stopped prematurely.\n\n{} stopped because it exceeded the iteration limit."
_MINIMUM = _CONSTRAINED.format("Minimum found that satisfies the constraints.")
_LOCAL = _CONSTRAINED.format("Local minimum found that satisfies the constraints.")
_INFEASIBLE = (
    "Converged to an infeasible point.\n\nfmincon stopped because the size of the current step is "
    "less than\nthe value of the step size tolerance but constraints are not\nsatisfied to within "
    "the value of the constraint tolerance."
)
_NO_POINT = "No feasible solution found.\n\n{} stopped because no point satisfies the constraints."
_MESSAGES: dict[str, dict[int, str]] = {
    "fmincon": {1: _LOCAL, -2: _INFEASIBLE},
    "fminunc": {
        1: _SMALL_GRADIENT,
        5: "Local minimum possible.\n\nfminunc stopped because it cannot decrease the objective "
        "function\nalong the current search direction.",
        -3: "Problem appears unbounded.\n\nfminunc stopped because the objective function value is "
        "less than\nthe value of the objective function limit.",
    },
    "lsqnonlin": {1: _SMALL_GRADIENT},
    "lsqcurvefit": {1: _SMALL_GRADIENT},
    "quadprog": {1: _MINIMUM, -2: _NO_POINT, -3: "Problem is unbounded."},
    "linprog": {1: "Optimal solution found.", -2: _NO_POINT, -3: "Problem is unbounded."},
    "coneprog": {
        1: "Optimal solution found.",
        0: "Solver stopped prematurely.\n\nThe limit of iterations or of time is reached.",
        -2: "Problem is infeasible.",
        -3: "Problem is unbounded.",
        -7: "Stopped: the steps have become too small.",
        -10: "Stopped: the problem is numerically unstable.",
    },
    "intlinprog": {1: "Optimal solution found.", -2: _NO_POINT, -3: "Problem is unbounded."},
    "fsolve": {
        1: "Equation solved.\n\nfsolve completed because the vector of function values is near "
        "zero\nas measured by the value of the function tolerance, and\nthe problem appears "
        "regular as measured by the gradient.",
        -2: "No solution found.\n\nfsolve stopped because the problem appears regular as measured "
        "by the gradient,\nbut the vector of function values is not near zero as measured by "
        "the\nvalue of the function tolerance.",
    },
    "fminsearch": {
        1: "Optimization terminated:\n the current x satisfies the termination criteria using "
        "OPTIONS.TolX of {:e} \n and F(X) satisfies the convergence criteria using OPTIONS.TolFun "
        "of {:e} \n",
        0: "Exiting: Maximum number of function evaluations has been exceeded\n         - increase "
        "MaxFunEvals option.\n",
    },
    "fminbnd": {
        1: "Optimization terminated:\n the current x satisfies the termination criteria using "
        "OPTIONS.TolX of {:e} \n",
        0: "Exiting: Maximum number of function evaluations has been exceeded\n         - increase "
        "MaxFunEvals option.\n",
    },
}
_SILENT_BY_DEFAULT = ("fzero", "fminbnd", "fminsearch")


def end_message(solver: str, flag: float, otherwise: str, tolerances: tuple[float, ...]) -> str:
    """What the solver says of its end; ``otherwise`` where it has no words for the flag."""
    text = _MESSAGES.get(solver, {}).get(int(flag))
    if text is None:
        return _EARLY.format(solver) if flag == 0 and solver in _MESSAGES else otherwise
    return text.format(*(tolerances or (solver.capitalize(),)))


def shown_end(message: str, solver: str) -> str:
    """The message as a command window shows it."""
    detailed = solver not in (*_SILENT_BY_DEFAULT, "linprog", "intlinprog", "coneprog")
    return f"\n{message}\n\n" + (f"{_DETAILS}\n\n" if detailed and solver in _MESSAGES else "")


def default_level(ctx: CallContext, solver: str) -> str:
    """The option Display where it is not given: in Octave's dialect no solver tells its end."""
    loud = solver in _MESSAGES and solver not in _SILENT_BY_DEFAULT
    return "final" if loud and not ctx.settings.octave else "notify"
