"""Boundary value problems: bvp4c, bvp5c, their guesses and options."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from app.engine.arguments.call_context import CallContext, given_function
from app.engine.arguments.checks import STRUCT, VECTOR, real_number
from app.engine.builtins.calculus.ode_options import fields_of, option_named, options_of
from app.engine.builtins.calculus.ode_solutions import deval
from app.engine.builtins.vectors import flat_doubles
from app.engine.declarations.registry import builtin
from app.engine.values import (
    EMPTY,
    Array,
    FunctionHandle,
    Struct,
    Value,
    as_array,
    canonical,
    is_struct,
    is_text_scalar,
    numel,
    text_of,
)
from app.errors import MatlabError

_FAMILY = "differential equations"
_NAMES = (
    "AbsTol",
    "BCJacobian",
    "FJacobian",
    "NMax",
    "RelTol",
    "SingularTerm",
    "Stats",
    "Vectorized",
)


def column_function(ctx: CallContext, f: Value, extra: tuple[Value, ...]) -> Callable[..., Array]:
    """A function of numbers and columns that gives a column."""
    target = given_function(ctx, f)

    def call(*args: Any) -> Array:
        given = [
            canonical(a.reshape(-1, 1)) if isinstance(a, np.ndarray) else float(a) for a in args
        ]
        return flat_doubles(ctx.call(target, (*given, *extra), 1)[0])

    return call


@builtin(
    "bvpinit",
    words="",
    category=_FAMILY,
    signatures=(
        "solinit = bvpinit(x, yinit)",
        "solinit = bvpinit(x, yinit, parameters)",
        "solinit = bvpinit(sol, [anew bnew])",
    ),
    cases=("isequal(bvpinit(0:2, [1; 5]).y, [1 1 1; 5 5 5])",),
    see=("bvp4c", "bvp5c"),
)
def bvpinit(
    ctx: CallContext, x: Value, yinit: Value, parameters: Value | None = None, *extra: Value
) -> Value:
    """The first guess of a boundary value problem: a mesh, and values or a function of x."""
    if is_struct(x):
        return _guess_on_interval(x, yinit, parameters)
    mesh = flat_doubles(x)
    if mesh.size < 2 or not (np.all(np.diff(mesh) >= 0) or np.all(np.diff(mesh) <= 0)):
        text = "The mesh must have two points or more, in order."
        raise MatlabError("MATLAB:bvpinit:MeshNotMonotonic", text)
    if isinstance(yinit, FunctionHandle) or is_text_scalar(yinit):
        guess = column_function(ctx, yinit, extra)
        y = np.array([guess(float(p)) for p in mesh]).T
    else:
        VECTOR("bvpinit", 2, yinit)
        y = np.tile(flat_doubles(yinit)[:, None], mesh.size)
    fields: dict[str, Value] = {
        "solver": "bvpinit",
        "x": canonical(mesh.reshape(1, -1)),
        "y": canonical(y),
        "yinit": yinit,
    }
    if parameters is not None:
        fields["parameters"] = parameters
    return Struct(fields)


def _guess_on_interval(sol: Any, ends: Value, parameters: Value | None) -> Value:
    """A solution as a guess on another interval."""
    x, wanted = flat_doubles(sol.fields["x"]), flat_doubles(ends)
    if wanted.size != 2:
        raise MatlabError("MATLAB:bvpinit:BadInterval", "The interval must have two ends.")
    keep = (x > wanted[0]) & (x < wanted[1])
    mesh = np.concatenate([wanted[:1], x[keep], wanted[1:]])
    fields = {
        "solver": "bvpinit",
        "x": canonical(mesh.reshape(1, -1)),
        "y": deval(sol, canonical(np.clip(mesh, x[0], x[-1])))[0],
    }
    known = sol.fields.get("parameters") if parameters is None else parameters
    return Struct(fields | ({"parameters": known} if known is not None else {}))


def _solve(ctx: CallContext, name: str, args: tuple[Value, ...]) -> Value:
    """Both solvers are SciPy's collocation with a controlled residual."""
    from scipy.integrate import solve_bvp

    odefun, bcfun, guess = args[:3]
    STRUCT(name, 3, guess)
    assert is_struct(guess)
    if not {"x", "y"} <= set(guess.fields):
        raise MatlabError(f"MATLAB:{name}:NoXYInSolinit", "The guess must have fields x and y.")
    options = Struct(fields_of(name, args[3] if len(args) > 3 else None))
    extra = tuple(args[4:])
    x, y = (
        flat_doubles(guess.fields["x"]),
        np.asarray(as_array(guess.fields["y"]), dtype=np.float64),
    )
    p = flat_doubles(guess.fields["parameters"]) if "parameters" in guess.fields else None
    slope, ends = (column_function(ctx, f, extra) for f in (odefun, bcfun))
    more = () if p is None else (p,)
    if ends(y[:, 0], y[:, -1], *more).size != y.shape[0] + (0 if p is None else p.size):
        text = "The boundary conditions must be as many as unknowns and parameters."
        raise MatlabError(f"MATLAB:{name}:BCfunOuputSize", text)

    def right(points: Array, values: Array, *q: Array) -> Array:
        return np.array([slope(float(t), v, *q) for t, v in zip(points, values.T, strict=True)]).T

    nmax = options.fields.get("NMax", EMPTY)
    found = solve_bvp(
        right,
        ends,
        x,
        y,
        p=p,
        tol=real_number(_value_or_default(options.fields.get("RelTol"), 1e-3)),
        max_nodes=int(real_number(nmax)) if numel(nmax) else max(1000, 10000 // y.shape[0]),
    )
    if not found.success:
        if found.status == 2:
            text = "Unable to solve the collocation equations: a singular Jacobian was met."
            raise MatlabError(f"MATLAB:{name}:SingJac", text)
        ctx.warning(f"MATLAB:{name}:RelTolNotMet", "The tolerance was not met on the finest mesh.")
    return _solution(name, found)


def _value_or_default(v: Value | None, default: float) -> Value:
    return default if v is None or not numel(v) else v


def _solution(name: str, found: Any) -> Value:
    fields: dict[str, Value] = {
        "solver": name,
        "x": canonical(found.x.reshape(1, -1)),
        "y": canonical(found.y),
        "yp": canonical(found.yp),
        "stats": Struct(
            {
                "nmeshpoints": float(found.x.size),
                "maxres": float(found.rms_residuals.max()),
                "niterations": float(found.niter),
            }
        ),
    }
    if found.p is not None:
        fields["parameters"] = canonical(found.p.reshape(-1, 1))
    return Struct(fields)


def declare_boundary_solver(name: str, case: str) -> None:
    """Declare one of the two solvers, which share their forms."""

    def solver(
        ctx: CallContext,
        odefun: Value,
        bcfun: Value,
        solinit: Value,
        options: Value = EMPTY,
        *extra: Value,
    ) -> Value:
        return _solve(ctx, name, (odefun, bcfun, solinit, options, *extra))

    text = """Solve a boundary value problem by collocation on a mesh that adapts.

``odefun(x, y)`` gives the slopes and ``bcfun(ya, yb)`` what must be zero at the two ends; with
unknown parameters both take them last, and ``sol.parameters`` holds what they are found to be.
``deval(sol, x)`` evaluates the solution. Options from ``bvpset``: RelTol, NMax."""
    builtin(
        name,
        category=_FAMILY,
        text=text,
        cases=(case,),
        see=("bvpinit", "deval", "bvpset"),
        signatures=(
            f"sol = {name}(odefun, bcfun, solinit)",
            f"sol = {name}(odefun, bcfun, solinit, options)",
        ),
    )(solver)


declare_boundary_solver(
    "bvp4c",
    "sol = bvp4c(@(x, y) [y(2); -y(1)], @(a, b) [a(1); b(1) - 1], "
    "bvpinit(linspace(0, pi/2, 5), [0; 0])); abs(deval(sol, pi/6, 1) - 0.5) < 1e-3",
)
declare_boundary_solver(
    "bvp5c",
    "sol = bvp5c(@(x, y, k) [y(2); -k*y(1)], @(a, b, k) [a(1); b(1); a(2) - 1], "
    "bvpinit(linspace(0, pi, 10), @(x) [sin(x); cos(x)], 1.2)); abs(sol.parameters - 1) < 1e-2",
)


@builtin(
    "bvpset",
    category=_FAMILY,
    signatures=("options = bvpset(name, value, ...)", "options = bvpset(old, new)"),
    cases=("bvpset('RelTol', 1e-6).RelTol == 1e-6",),
    see=("bvpget", "bvp4c"),
)
def bvpset(*args: Value) -> Value:
    """Options of the boundary value solvers."""
    return options_of("bvpset", _NAMES, args)


@builtin(
    "bvpget",
    category=_FAMILY,
    signatures=("value = bvpget(options, name)", "value = bvpget(options, name, default)"),
    cases=("bvpget(bvpset('NMax', 7), 'NMax') == 7",),
    see=("bvpset",),
)
def bvpget(options: Value, name: Value, default: Value = EMPTY) -> Value:
    """Value of one option, or the default when it is not set."""
    known = option_named("bvpget", text_of(name), _NAMES)
    value = options.fields.get(known) if is_struct(options) else None
    return default if value is None or numel(value) == 0 else value
