"""What the solvers share: options, bounds, and constraints in SciPy's form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from app.engine.arguments.call_context import CallContext, given_function
from app.engine.builtins.calculus.solver_progress import option_of
from app.engine.builtins.vectors import flat_doubles, matrix_of
from app.engine.values import (
    Array,
    Struct,
    Value,
    canonical,
    float_of,
    numel,
)
from app.errors import MatlabError

_FAMILY = "optimisation"


def is_given_argument(v: Value | None) -> bool:
    """Whether an argument was given and is not empty."""
    return v is not None and numel(v) > 0


def option_number(options: Value | None, name: str, default: float) -> float:
    """A number among the options."""
    value = option_of(options, name)
    return float_of(value) if is_given_argument(value) else default


def bounds_of(lower: Value | None, upper: Value | None, n: int) -> tuple[Array, Array]:
    """Lower and upper bounds of ``n`` unknowns; infinite where none are given."""
    low, high = np.full(n, -np.inf), np.full(n, np.inf)
    for ends, v in ((low, lower), (high, upper)):
        if is_given_argument(v):
            bound = flat_doubles(v)
            if bound.size > n:
                text = "There are more bounds than unknowns."
                raise MatlabError("optim:checkbounds:SizeMismatch", text)
            ends[: bound.size] = bound
    return low, high


def output_of(found: Any, algorithm: str, message: str = "") -> Struct:
    """The struct ``output`` of a solver; ``message`` goes before what the library says."""
    return Struct(
        {
            "iterations": float(getattr(found, "nit", 0) or 0),
            "funcCount": float(getattr(found, "nfev", 0) or 0),
            "algorithm": algorithm,
            "message": message or str(found.message),
        }
    )


def constraints_of(ctx: CallContext, shape: tuple[int, ...], rest: list[Value]) -> list[Any]:
    """Constraints for SciPy from A, b, Aeq, beq, two bounds and a nonlinear function."""
    from scipy.optimize import LinearConstraint

    a, b, aeq, beq, nonlinear = (rest[k] if len(rest) > k else None for k in (0, 1, 2, 3, 6))
    found: list[Any] = []
    if is_given_argument(a) != is_given_argument(b) or is_given_argument(aeq) != is_given_argument(
        beq
    ):
        text = "Every matrix of linear constraints needs a right-hand side."
        raise MatlabError("optim:preparse:LinearConstraintSize", text)
    if is_given_argument(a):
        found.append(LinearConstraint(matrix_of(a), -np.inf, flat_doubles(b)))
    if is_given_argument(aeq):
        found.append(LinearConstraint(matrix_of(aeq), flat_doubles(beq), flat_doubles(beq)))
    if is_given_argument(nonlinear):
        target = given_function(ctx, nonlinear)

        def part(which: int) -> Callable[[Array], Array]:
            def values(x: Array) -> Array:
                pair = ctx.call(target, (canonical(x.reshape(shape, order="F")),), 2)
                return (-1 if which == 0 else 1) * flat_doubles(pair[which])

            return values

        found += [{"type": "ineq", "fun": part(0)}, {"type": "eq", "fun": part(1)}]
    return found


def linear_parts(parts: list[Value], x: Array) -> dict[str, tuple[Array, Array, bool]]:
    """Values and slopes of the linear constraints at a point."""
    made = {}
    for name, matrix, right in (("ineqlin", parts[0], parts[1]), ("eqlin", parts[2], parts[3])):
        slopes = matrix_of(matrix) if is_given_argument(matrix) else np.zeros((0, x.size))
        values = slopes @ x - (flat_doubles(right) if is_given_argument(right) else np.zeros(0))
        made[name] = (values, slopes, name == "ineqlin")
    return made
