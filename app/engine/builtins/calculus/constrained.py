"""Minima under constraints and least squares: fmincon, linprog, quadprog, lsqcurvefit and kin."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from app.engine.builtins.calculus.optimisation import check_value, optimset
from app.engine.builtins.calculus.problem_structs import takes_problem
from app.engine.builtins.checks import NONEMPTY, NUMBERS, VECTOR, takes
from app.engine.builtins.context import CallContext
from app.engine.builtins.registry import builtin
from app.engine.values import (
    EMPTY,
    Array,
    FunctionHandle,
    Struct,
    Value,
    as_array,
    canonical,
    is_text_scalar,
    numel,
    text_of,
)
from app.errors import MatlabError

_FAMILY = "optimisation"
_NEW_NAMES = {"maxiterations": "MaxIter", "maxfunctionevaluations": "MaxFunEvals",
              "functiontolerance": "TolFun", "optimalitytolerance": "TolFun",
              "steptolerance": "TolX", "constrainttolerance": "TolCon",
              "specifyobjectivegradient": "GradObj"}  # fmt: skip


def _given(v: Value | None) -> bool:
    return v is not None and numel(v) > 0


def _flat(v: Value) -> Array:
    return as_array(v).astype(np.float64).ravel(order="F")


def _matrix(v: Value) -> Array:
    from app.engine.values import SparseMatrix

    return (v.dense() if isinstance(v, SparseMatrix) else as_array(v)).astype(np.float64)


def _function(ctx: CallContext, f: Value) -> FunctionHandle:
    return f if isinstance(f, FunctionHandle) else ctx.parse_handle(text_of(f))


def _setting(options: Value | None, name: str, default: float) -> float:
    value = options.fields.get(name) if isinstance(options, Struct) else None
    return float(as_array(value).flat[0]) if _given(value) else default


def _bounds(lower: Value | None, upper: Value | None, n: int) -> tuple[Array, Array]:
    low, high = np.full(n, -np.inf), np.full(n, np.inf)
    for ends, v in ((low, lower), (high, upper)):
        if _given(v):
            flat = _flat(v)
            ends[: flat.size] = flat
    return low, high


def _output(found: Any, algorithm: str) -> Struct:
    return Struct({"iterations": float(getattr(found, "nit", 0) or 0),
                   "funcCount": float(getattr(found, "nfev", 0) or 0), "algorithm": algorithm,
                   "message": str(found.message)})  # fmt: skip


@builtin("optimoptions", category=_FAMILY,
         signatures=("options = optimoptions(solver, name, value, ...)",
                     "options = optimoptions(old, name, value, ...)"),
         cases=("optimoptions('fmincon', 'MaxIterations', 5).MaxIter == 5",), see=("optimset",))
def optimoptions(solver: Value, *args: Value) -> Value:
    """Options of a solver, as a struct that ``optimset`` and all solvers understand."""
    named = [_NEW_NAMES.get(text_of(v).lower(), v) if k % 2 == 0 else v
             for k, v in enumerate(args)]
    return optimset(*([solver] if isinstance(solver, Struct) else []), *named)


def _constraints(ctx: CallContext, shape: tuple[int, ...], rest: list[Value]) -> list[Any]:
    from scipy.optimize import LinearConstraint

    a, b, aeq, beq, nonlinear = (rest[k] if len(rest) > k else None for k in (0, 1, 2, 3, 6))
    found: list[Any] = []
    if _given(a) != _given(b) or _given(aeq) != _given(beq):
        text = "Every matrix of linear constraints needs a right-hand side."
        raise MatlabError("optim:preparse:LinearConstraintSize", text)
    if _given(a):
        found.append(LinearConstraint(_matrix(a), -np.inf, _flat(b)))
    if _given(aeq):
        found.append(LinearConstraint(_matrix(aeq), _flat(beq), _flat(beq)))
    if _given(nonlinear):
        target = _function(ctx, nonlinear)

        def part(which: int) -> Callable[[Array], Array]:
            def values(x: Array) -> Array:
                pair = ctx.call(target, (canonical(x.reshape(shape, order="F")),), 2)
                return (-1 if which == 0 else 1) * _flat(pair[which])

            return values

        found += [{"type": "ineq", "fun": part(0)}, {"type": "eq", "fun": part(1)}]
    return found


@builtin("fmincon", category=_FAMILY, least=1,
         signatures=("x = fmincon(fun, x0, A, b)",
                     "[x, fval, exitflag, output] = fmincon(fun, x0, A, b, Aeq, beq, lb, ub, "
                     "nonlcon, options)"),
         cases=("norm(fmincon(@(x) sum((x-2).^2), [0 0], [1 1], 2) - [1 1]) < 1e-6",
                "abs(fmincon(@(x) (x-3)^2, 0, [], [], [], [], 0, 2) - 2) < 1e-8"),
         see=("fminunc", "linprog", "quadprog"))
@takes_problem("objective", "x0", "Aineq", "bineq", "Aeq", "beq", "lb", "ub", "nonlcon", "options")
def fmincon(ctx: CallContext, fun: Value, x0: Value, *rest: Value) -> Value:
    """Minimum under linear and nonlinear constraints and bounds (sequential quadratic)."""
    from scipy.optimize import Bounds, minimize

    given = list(rest)
    options = given[7] if len(given) > 7 else None
    start = as_array(x0).astype(np.float64)
    target = _function(ctx, fun)

    def objective(x: Array) -> float:
        value = ctx.call(target, (canonical(x.reshape(start.shape, order="F")),), 1)[0]
        if numel(value) != 1:
            raise MatlabError("optim:fmincon:NonScalarObj",
                              "The objective must return a scalar value.")  # fmt: skip
        return float(as_array(value).real.flat[0])

    low, high = _bounds(given[4] if len(given) > 4 else None, given[5] if len(given) > 5 else None,
                        start.size)  # fmt: skip
    found = minimize(
        objective, np.clip(start.ravel(order="F"), low, high), method="SLSQP",
        bounds=Bounds(low, high), constraints=_constraints(ctx, start.shape, given),
        options={"ftol": min(_setting(options, "TolFun", 1e-6), 1e-6) * 1e-4,
                 "maxiter": int(_setting(options, "MaxIter", 1000))},
    )  # fmt: skip
    flag = 1.0 if found.success else 0.0 if found.status == 9 else -2.0
    x = canonical(found.x.reshape(start.shape, order="F"))
    return x, float(found.fun), flag, _output(found, "sqp")


@builtin("linprog", category=_FAMILY, least=1,
         signatures=("x = linprog(f, A, b)",
                     "[x, fval, exitflag, output] = linprog(f, A, b, Aeq, beq, lb, ub, options)"),
         cases=("norm(linprog([-1; -1], [1 2; 3 1], [4; 6]) - [1.6; 1.2]) < 1e-8",),
         see=("quadprog", "fmincon"))
@takes_problem("f", "Aineq", "bineq", "Aeq", "beq", "lb", "ub", "options")
@takes(NUMBERS & NONEMPTY & VECTOR)
def linprog(f: Value, a: Value = EMPTY, b: Value = EMPTY, aeq: Value = EMPTY, beq: Value = EMPTY,
            lower: Value = EMPTY, upper: Value = EMPTY, options: Value = EMPTY) -> Value:
    """Minimum of a linear function under linear constraints."""
    from scipy.optimize import linprog as solve

    cost = _flat(f)
    low, high = _bounds(lower, upper, cost.size)
    found = solve(cost, _matrix(a) if _given(a) else None, _flat(b) if _given(b) else None,
                  _matrix(aeq) if _given(aeq) else None, _flat(beq) if _given(beq) else None,
                  bounds=np.column_stack([low, high]), method="highs")  # fmt: skip
    if found.x is None:
        flag = {2: -2.0, 3: -3.0}.get(found.status, 0.0)
        return EMPTY, EMPTY, flag, _output(found, "dual-simplex")
    return canonical(found.x.reshape(-1, 1)), float(found.fun), 1.0, _output(found, "dual-simplex")


@builtin("quadprog", category=_FAMILY, least=1,
         signatures=("x = quadprog(H, f)",
                     "[x, fval, exitflag, output] = quadprog(H, f, A, b, Aeq, beq, lb, ub, x0)"),
         cases=("norm(quadprog(eye(2), [-1; -2]) - [1; 2]) < 1e-6",), see=("linprog", "fmincon"))
@takes_problem("H", "f", "Aineq", "bineq", "Aeq", "beq", "lb", "ub", "x0", "options")
def quadprog(ctx: CallContext, h: Value, f: Value, *rest: Value) -> Value:
    """Minimum of ``x'*H*x/2 + f'*x`` under linear constraints and bounds."""
    from scipy.optimize import Bounds, minimize

    matrix, linear = _matrix(h), _flat(f)
    matrix = (matrix + matrix.T) / 2
    given = list(rest)
    low, high = _bounds(given[4] if len(given) > 4 else None, given[5] if len(given) > 5 else None,
                        linear.size)  # fmt: skip
    start = _flat(given[6]) if len(given) > 6 and _given(given[6]) else np.zeros(linear.size)
    found = minimize(
        lambda x: float(x @ matrix @ x / 2 + linear @ x), np.clip(start, low, high),
        jac=lambda x: matrix @ x + linear, method="SLSQP", bounds=Bounds(low, high),
        constraints=_constraints(ctx, (linear.size, 1), given[:4]),
        options={"ftol": 1e-14, "maxiter": 1000},
    )  # fmt: skip
    flag = 1.0 if found.success else -2.0
    return canonical(found.x.reshape(-1, 1)), float(found.fun), flag, _output(found, "active-set")


def _least_squares(residuals: Callable[[Array], Value], x0: Value, lower: Value | None,
                   upper: Value | None, options: Value | None) -> Value:  # fmt: skip
    from scipy.optimize import least_squares

    start = as_array(x0).astype(np.float64)
    low, high = _bounds(lower, upper, start.size)

    def flat(x: Array) -> Array:
        value = residuals(x.reshape(start.shape, order="F"))
        check_value(value)
        return _flat(value)

    NONEMPTY("lsqnonlin", 2, x0)
    begin = np.clip(start.ravel(order="F"), low, high)
    tol = min(_setting(options, "TolFun", 1e-6), 1e-6) * 1e-4
    found = least_squares(flat, begin, bounds=(low, high), ftol=tol, xtol=tol, gtol=1e-14,
                          max_nfev=int(_setting(options, "MaxFunEvals", 100 * start.size)))
    x = found.x.reshape(start.shape, order="F")
    return (canonical(x), float(2 * found.cost), residuals(x), 1.0 if found.success else 0.0,
            _output(found, "trust-region-reflective"), Struct({}), canonical(found.jac))


@builtin("lsqnonlin", category=_FAMILY, least=1,
         signatures=("[x, resnorm, residual, exitflag, output, lambda, J] = lsqnonlin(fun, x0, lb, "
                     "ub, options)",),
         cases=("norm(lsqnonlin(@(x) [x(1)-1; x(2)+2], [0 0]) - [1 -2]) < 1e-8",),
         see=("lsqcurvefit", "fsolve"))
@takes_problem("objective", "x0", "lb", "ub", "options")
def lsqnonlin(ctx: CallContext, fun: Value, x0: Value, lower: Value | None = None,
              upper: Value | None = None, options: Value | None = None) -> Value:  # fmt: skip
    """Nonlinear least squares."""
    target = _function(ctx, fun)
    return _least_squares(lambda x: ctx.call(target, (canonical(x),), 1)[0], x0, lower, upper,
                          options)  # fmt: skip


@builtin("lsqcurvefit", category=_FAMILY, least=1,
         signatures=("[x, resnorm, residual, exitflag, output, lambda, J] = lsqcurvefit(fun, x0, "
                     "xdata, ydata, lb, ub, options)",),
         cases=("norm(lsqcurvefit(@(p, t) p(1)*t + p(2), [0 0], 1:4, 3:2:9) - [2 1]) < 1e-6",),
         see=("lsqnonlin", "polyfit"))
@takes_problem("objective", "x0", "xdata", "ydata", "lb", "ub", "options")
def lsqcurvefit(ctx: CallContext, fun: Value, x0: Value, xdata: Value, ydata: Value,
                lower: Value | None = None, upper: Value | None = None,
                options: Value | None = None) -> Value:  # fmt: skip
    """Parameters of a curve that fit data best."""
    target, wanted = _function(ctx, fun), as_array(ydata).astype(np.float64)

    def residuals(x: Array) -> Value:
        value = as_array(ctx.call(target, (canonical(x), xdata), 1)[0])
        if value.shape != wanted.shape:
            raise MatlabError("optim:lsqcurvefit:YdataSizeMismatchFunVal",
                              "Function value and YDATA sizes are not equal.")  # fmt: skip
        return canonical(value - wanted)

    return _least_squares(residuals, x0, lower, upper, options)


@builtin("lsqlin", category=_FAMILY, least=1,
         signatures=("[x, resnorm, residual, exitflag] = lsqlin(C, d, A, b, Aeq, beq, lb, ub)",),
         cases=("norm(lsqlin([1 0; 0 1], [1; 2], [1 1], 2) - [0.5; 1.5]) < 1e-6",),
         see=("lsqnonneg", "quadprog"))
@takes_problem("C", "d", "Aineq", "bineq", "Aeq", "beq", "lb", "ub", "x0", "options")
def lsqlin(ctx: CallContext, c: Value, d: Value, *rest: Value) -> Value:
    """Linear least squares under linear constraints and bounds."""
    matrix, right = _matrix(c), _flat(d)
    rest = tuple(v for v in rest if not is_text_scalar(v) and not isinstance(v, Struct))
    x, _, flag, _ = quadprog(ctx, canonical(matrix.T @ matrix),
                             canonical((-matrix.T @ right).reshape(-1, 1)), *rest)
    residual = matrix @ _flat(x) - right
    return x, float(residual @ residual), canonical(residual.reshape(-1, 1)), flag
