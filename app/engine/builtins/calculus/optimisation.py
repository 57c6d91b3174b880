"""Roots and minima of functions: fzero, fminbnd, fminsearch, fsolve, lsqnonneg."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from app.accel.numerics.golden_section import bounded_minimum
from app.accel.numerics.nelder_mead import Simplex
from app.accel.numerics.scipy_extensions import extension
from app.engine.arguments.call_context import CallContext, given_function
from app.engine.arguments.checks import real_number
from app.engine.builtins.calculus.problem_structs import takes_problem
from app.engine.builtins.calculus.solver_progress import (
    GIVEN_OPTIONS,
    Progress,
    is_on,
    option_of,
    refuse_unsupported,
    settings_of,
)
from app.engine.declarations.registry import builtin
from app.engine.values import (
    EMPTY,
    Array,
    Cell,
    Struct,
    Value,
    as_array,
    canonical,
    float_of,
    is_struct,
    numel,
    text_of,
)
from app.errors import MatlabError

_FAMILY = "optimisation"
_OPTIONS = tuple(
    """
    Display MaxFunEvals MaxIter TolFun TolX FunValCheck OutputFcn PlotFcns ActiveConstrTol Algorithm
    AlwaysHonorConstraints DerivativeCheck Diagnostics DiffMaxChange DiffMinChange FinDiffRelStep
    FinDiffType GoalsExactAchieve GradConstr GradObj HessFcn Hessian HessMult HessPattern HessUpdate
    InitBarrierParam InitTrustRegionRadius Jacobian JacobMult JacobPattern LargeScale MaxNodes
    MaxPCGIter MaxProjCGIter MaxSQPIter MaxTime MeritFunction MinAbsMax NoStopIfFlatInfeas
    ObjectiveLimit PhaseOneTotalScaling Preconditioner PrecondBandWidth RelLineSrchBnd
    RelLineSrchBndDuration ScaleProblem SubproblemAlgorithm TolCon TolConSQP TolGradCon TolPCG
    TolProjCG TolProjCGAbs TypicalX UseParallel
""".split()
)
"""The fields of an options structure; those that are not set are empty."""


def _callable(ctx: CallContext, f: Value, extra: tuple[Value, ...] = ()) -> Callable[..., Value]:
    target = given_function(ctx, f)
    return lambda *args: ctx.call(target, (*args, *extra), 1)[0]


def _option(options: Value | None, name: str, default: float) -> float:
    value = option_of(options, name)
    if value is None or numel(value) != 1 or isinstance(value, str):
        return default
    return real_number(value)


def _output(iterations: int, calls: int, algorithm: str, message: str) -> Struct:
    return Struct(
        {
            "iterations": float(iterations),
            "funcCount": float(calls),
            "algorithm": algorithm,
            "message": message,
        }
    )


@builtin(
    "optimset",
    category=_FAMILY,
    signatures=("options = optimset(name, value, ...)", "options = optimset(old, new)"),
    cases=("getfield(optimset('TolX', 1e-8), 'TolX') == 1e-8",),
    see=("optimget", "fzero"),
)
def optimset(ctx: CallContext, *args: Value) -> Value:
    """Options of the optimisers: a struct; names may be in any case and abbreviated.

    Options that are not set are empty. Octave's packages have options of their own, which are kept
    in its dialect, with a warning.
    """
    result: dict[str, Value] = dict.fromkeys(_OPTIONS, EMPTY)
    rest = list(args)
    while rest and is_struct(given := rest[0]):
        del rest[0]
        result.update({k: v for k, v in given.fields.items() if numel(v) or k not in result})
    if len(rest) == 1:
        return Struct(result | _defaults(text_of(rest[0])))
    if len(rest) % 2:
        raise MatlabError("MATLAB:optimset:ArgNameMismatch", "Arguments must come in pairs.")
    for name, value in zip(rest[::2], rest[1::2], strict=True):
        result[_name_to_set(ctx, text_of(name))] = value
    return Struct(result)


_OPTIONS_OF_PACKAGES = "names of options of Octave's packages"


def _name_to_set(ctx: CallContext, given: str) -> str:
    """The option that a name means; in Octave's dialect one of a package stays as it is."""
    try:
        return _option_name(given)
    except MatlabError as problem:
        if not ctx.settings.octave or "Ambiguous" in problem.message:
            raise
        known: dict[str, str] = ctx.state.get(_OPTIONS_OF_PACKAGES, {})
        if given.lower() not in known:
            ctx.warning("Octave:optimset:unknown", f"optimset: unrecognized option: {given}")
        return known.get(given.lower(), given)


@builtin(
    "__all_opts__",
    category=_FAMILY,
    signatures=("names = __all_opts__()", "names = __all_opts__(function, ...)"),
    cases=("~exist('__all_opts__')",),
    see=("optimset",),
    octave=True,
)
def all_option_names(ctx: CallContext, *functions: Value) -> Value:
    """Names of all options, and of those that the given functions of packages have ('defaults')."""
    known: dict[str, str] = ctx.state.setdefault(_OPTIONS_OF_PACKAGES, {})
    for function in functions:
        (options,) = ctx.call(text_of(function), ("defaults",), 1)
        if isinstance(options, Struct):
            known.update((n.lower(), n) for n in options.fields if n not in _OPTIONS)
    names = sorted({*_OPTIONS, *known.values()}, key=str.lower)
    return Cell.of(names, (1, len(names)))


_TOLERANCES = {
    "fminsearch": (1e-4, 1e-4),
    "fminbnd": (1e-4, None),
    "fzero": (2.0**-52, None),
    "lsqnonneg": (None, None),
    "fminunc": (1e-6, 1e-6),
    "fsolve": (1e-6, 1e-6),
    "fmincon": (1e-10, 1e-6),
    "lsqnonlin": (1e-6, 1e-6),
    "lsqcurvefit": (1e-6, 1e-6),
    "lsqlin": (None, 1e-8),
    "linprog": (None, 1e-7),
    "quadprog": (1e-12, 1e-8),
    "fminimax": (1e-6, 1e-6),
    "fgoalattain": (1e-6, 1e-6),
    "intlinprog": (None, 1e-7),
}


def _defaults(function: str) -> dict[str, Value]:
    """The options a solver starts from."""
    if function.lower() not in _TOLERANCES:
        text = f"No default options available for the function '{function}'."
        raise MatlabError("MATLAB:optimset:FcnNotFoundOnPath", text)
    tol_x, tol_fun = _TOLERANCES[function.lower()]
    found: dict[str, Value] = {"Display": "notify"}
    found.update({k: v for k, v in (("TolX", tol_x), ("TolFun", tol_fun)) if v is not None})
    return found


def _option_name(given: str) -> str:
    matches = [n for n in _OPTIONS if n.lower().startswith(given.lower())]
    exact = [n for n in matches if n.lower() == given.lower()]
    if len(exact or matches) == 1:
        return (exact or matches)[0]
    text = f"Unrecognized parameter name '{given}'. The names are those of optimset('fzero')."
    if matches:
        text = f"Ambiguous parameter name '{given}' ({', '.join(matches)})."
    raise MatlabError("MATLAB:optimset:InvalidParamName", text)


@builtin(
    "optimget",
    category=_FAMILY,
    signatures=("value = optimget(options, name)", "value = optimget(options, name, default)"),
    cases=("optimget(optimset('TolX', 2), 'TolX') == 2", "optimget(struct(), 'TolX', 3) == 3"),
    see=("optimset",),
)
def optimget(options: Value, name: Value, default: Value = EMPTY) -> Value:
    """Value of one option, or the default when it is not set."""
    settings = settings_of(options)
    if not settings and not isinstance(options, GIVEN_OPTIONS) and numel(options):
        text = "First argument must be an options structure created with OPTIMSET."
        raise MatlabError("MATLAB:optimget:Arg1NotStruct", text)
    own = text_of(name)
    kept = own if own in settings and own not in _OPTIONS else _option_name(own)
    value = option_of(options, kept)
    return default if value is None or numel(value) == 0 else value


@builtin(
    "fzero",
    category=_FAMILY,
    least=1,
    signatures=("[x, fval, exitflag, output] = fzero(fun, x0, options)",),
    cases=(
        "abs(fzero(@cos, [1 2]) - pi/2) < 1e-12",
        "[x, v, flag] = fzero(@tan, [1 2]); flag == -5",
        "abs(fzero(@(x) x^3-2, 1) - 2^(1/3)) < 1e-12",
    ),
    see=("fminbnd", "fsolve", "roots"),
)
@takes_problem("objective", "x0", "options")
def fzero(
    ctx: CallContext, fun: Value, x0: Value, options: Value | None = None, *extra: Value
) -> Value:
    """Root of a function of one variable, by Brent's method from an interval or a guess."""
    brent = extension("scipy.optimize._zeros")._brentq  # noqa: SLF001 - the routine behind SciPy's slow checks
    f = _callable(ctx, fun, extra)
    progress = Progress(ctx, "fzero", options, ())
    real: Callable[[float], float] = progress.counted(lambda x: real_number(f(x)))
    try:
        low, high = _bracket(real, np.asarray(as_array(x0)).ravel(order="F"))
    except _NoSignChangeError as none:
        flag = progress.finish(math.nan, math.nan, none.flag, none.message)
        if option_of(options, "Display") not in ("off", "none"):
            ctx.write(f"{none.message}\n")
        output = _output(0, progress.calls, "bisection, interpolation", progress.message)
        found = Struct({"intervaliterations": float(progress.calls // 2), **output.fields})
        return math.nan, math.nan, flag, found
    search = 0.0 if numel(x0) > 1 else float(progress.calls // 2)
    name = "bisection, interpolation"
    if low == high:
        value = real(low)
        flag = progress.finish(low, value, 1.0, f"Zero found at {low:g}")
        output = _output(0, progress.calls, name, progress.message)
        return low, value, flag, Struct({"intervaliterations": search, **output.fields})
    tolerance = max(_option(options, "TolX", 2.220446049250313e-16), 4 * np.finfo(float).eps)
    steps = _Steps(real, progress, abs)
    message = f"Zero found in the interval [{low:g}, {high:g}]"
    try:
        x, flag = float(brent(steps, low, high, 1e-300, tolerance, 1000, (), False, False)), 1.0
    except StopIteration:
        x, flag, message = steps.best, 0.0, "Stopped before the tolerance was met."
    value = real_number(f(x))
    if flag > 0 and not abs(value) <= max(abs(real(low)), abs(real(high))):
        flag, message = -5.0, _SINGULAR.format(low=low, high=high)
    flag = progress.finish(x, value, flag, message)
    output = _output(progress.iterations, progress.calls, name, progress.message)
    return x, value, flag, Struct({"intervaliterations": search, **output.fields})


_SINGULAR = (
    "Current point x may be near a singular point. The interval [{low:g}, {high:g}] reduced to the "
    "requested tolerance and the function changes sign in the interval, but f(x) increased in "
    "magnitude as the interval reduced."
)


class _Steps:
    """A function of one variable of which each evaluation is an iteration.

    Attributes:
        best: the argument of the least value, by ``size``.
    """

    def __init__(
        self,
        f: Callable[[float], float],
        progress: Progress,
        size: Callable[[float], float] = float,
    ) -> None:
        self._f, self._progress, self._size = f, progress, size
        self.best, self._least = math.nan, math.inf

    def __call__(self, x: float) -> float:
        value = self._f(x)
        if self._size(value) < self._least:
            self.best, self._least = float(x), self._size(value)
        self._progress.step(x, value)
        return value


class _NoSignChangeError(Exception):
    """No sign change was found around a guess before the numbers ended: no error of the program.

    Attributes:
        flag: the exit flag, by what ended the search.
    """

    def __init__(self, x: float, value: float) -> None:
        self.flag = -6.0 if math.isfinite(value) else -3.0
        told = f"{value:g}".replace("inf", "Inf").replace("nan", "NaN")
        self.message = (
            "Exiting fzero: aborting search for an interval containing a sign change\n"
            "    because NaN or Inf function value encountered during search.\n"
            f"(Function value at {x:g} is {told}.)\n"
            "Check function or try again with a different starting value."
        )
        super().__init__(self.message)


def _bracket(f: Callable[[float], float], start: Array) -> tuple[float, float]:
    a = float(start[0])
    fa = f(a)
    if start.size > 1:
        b = float(start[1])
        fb = f(b)
        if fa == 0 or fb == 0:
            return (a, a) if fa == 0 else (b, b)
        if (fa > 0) == (fb > 0):
            text = "The function values at the interval endpoints must differ in sign."
            raise MatlabError("MATLAB:fzero:ValuesAtEndPtsSameSign", text)
        return a, b
    if not math.isfinite(fa):
        text = "Function value at starting guess must be finite and real."
        raise MatlabError("MATLAB:fzero:ValueAtInitGuessComplexOrNotFinite", text)
    return (a, a) if fa == 0 else _widen(f, a, fa)


def _widen(f: Callable[[float], float], x: float, fx: float) -> tuple[float, float]:
    step = abs(x) / 50 if x else 1 / 50
    low = high = x
    while math.isfinite(step):
        step *= math.sqrt(2)
        low, high = x - step, x + step
        for side in (low, high):
            value = f(side)
            if not (math.isfinite(value) and math.isfinite(side)):
                raise _NoSignChangeError(side, value)
            if (value > 0) != (fx > 0):
                return (side, x) if side == low else (x, side)
    raise _NoSignChangeError(low, f(low))


@builtin(
    "fminbnd",
    category=_FAMILY,
    least=1,
    signatures=("[x, fval, exitflag, output] = fminbnd(fun, x1, x2, options)",),
    cases=("abs(fminbnd(@(x) (x-2)^2, 0, 5) - 2) < 1e-4",),
    see=("fminsearch", "fzero"),
)
@takes_problem("objective", "x1", "x2", "options")
def fminbnd(
    ctx: CallContext, fun: Value, x1: Value, x2: Value, options: Value | None = None, *extra: Value
) -> Value:
    """Minimum of a function of one variable on an interval, by Brent's golden-section search."""
    f = _callable(ctx, fun, extra)
    low, high = real_number(x1), real_number(x2)
    if low > high:
        return EMPTY, EMPTY, -2.0, _output(0, 0, "golden section search", "bounds inconsistent")
    progress = Progress(ctx, "fminbnd", options, ())
    value_at: Callable[[float], float] = progress.counted(lambda x: real_number(f(float(x))))
    steps = _Steps(value_at, progress)
    name = "golden section search, parabolic interpolation"
    try:
        found = bounded_minimum(steps, low, high, _option(options, "TolX", 1e-4), 500)
        x, flag, message = found.x, 1.0 if found.succeeded else 0.0, found.message
    except StopIteration:
        x, flag, message = steps.best, 0.0, "Stopped before the tolerance was met."
    value = real_number(f(x))
    flag = progress.finish(x, value, flag, message, _option(options, "TolX", 1e-4))
    output = _output(progress.iterations, progress.calls, name, progress.message)
    return x, value, flag, output


def _objective_of_vector(
    ctx: CallContext, fun: Value, x0: Value, extra: tuple[Value, ...], options: Value | None = None
) -> Any:
    start = np.asarray(as_array(x0), dtype=np.float64)
    f = _callable(ctx, fun, extra)
    wish = settings_of(options).get("FunValCheck")
    checked = isinstance(wish, str) and wish == "on"

    def evaluate(x: Any) -> Value:
        value = f(canonical(np.asarray(x).reshape(start.shape, order="F")))
        if checked:
            check_value(value)
        return value

    return start, evaluate


def check_value(value: Value) -> None:
    """What FunValCheck refuses: complex values, NaN and infinities."""
    a = np.asarray(as_array(value))
    if np.iscomplexobj(a) or not np.isfinite(a).all():
        text = "User function returned a complex, Inf or NaN value, which FunValCheck refuses."
        raise MatlabError("MATLAB:optimfcnchk:checkfun:InvalidValue", text)


@builtin(
    "fminsearch",
    category=_FAMILY,
    least=1,
    signatures=("[x, fval, exitflag, output] = fminsearch(fun, x0, options)",),
    cases=("norm(fminsearch(@(x) (x(1)-1)^2+(x(2)+2)^2, [0 0]) - [1 -2]) < 1e-3",),
    see=("fminunc", "fminbnd"),
)
@takes_problem("objective", "x0", "options")
def fminsearch(
    ctx: CallContext, fun: Value, x0: Value, options: Value | None = None, *extra: Value
) -> Value:
    """Minimum of a function of several variables without derivatives (Nelder-Mead simplex)."""
    start, f = _objective_of_vector(ctx, fun, x0, extra, options)
    progress = Progress(ctx, "fminsearch", options, start.shape)
    n = start.size
    flat = start.ravel(order="F")
    simplex = np.tile(flat, (n + 1, 1))
    for k in range(n):
        simplex[k + 1, k] = 1.05 * flat[k] if flat[k] else 0.00025
    most_calls = int(_option(options, "MaxFunEvals", 200 * n))
    search = Simplex(progress.counted(lambda x: real_number(f(x))), simplex, most_calls)
    limits = (_option(options, "TolX", 1e-4), _option(options, "TolFun", 1e-4))
    search.run(*limits, int(_option(options, "MaxIter", 200 * n)), progress.step)
    best, value = search.corners[0], float(search.values[0])
    flag = 1.0 if search.succeeded else 0.0
    flag = progress.finish(best, value, flag, search.message, *limits)
    name = "Nelder-Mead simplex direct search"
    output = _output(search.steps, search.calls, name, progress.message)
    return canonical(best.reshape(start.shape, order="F")), value, flag, output


@builtin(
    "fsolve",
    category=_FAMILY,
    least=1,
    signatures=("[x, fval, exitflag, output, jacobian] = fsolve(fun, x0, options)",),
    cases=("norm(fsolve(@(x) [x(1)^2+x(2)^2-1; x(1)-x(2)], [1;0]) - sqrt([.5;.5])) < 1e-6",),
    see=("fzero", "fminunc"),
)
@takes_problem("objective", "x0", "options")
def fsolve(
    ctx: CallContext, fun: Value, x0: Value, options: Value | None = None, *extra: Value
) -> Value:
    """Solve a system of nonlinear equations (Powell's hybrid method).

    With the option SpecifyObjectiveGradient (Jacobian) the function gives its slopes as second
    output.
    """
    from scipy.optimize import root

    start, f = _objective_of_vector(ctx, fun, x0, extra)
    progress = Progress(ctx, "fsolve", options, start.shape, "resnorm")
    tolerance = _option(options, "TolFun", 1e-6)
    slopes = _own_slopes(ctx, fun, start, extra) if is_on(options, "GradObj", "Jacobian") else None
    if progress.watched or numel(f(start)) < start.size:
        return _by_least_squares(f, start, progress, tolerance, slopes)
    steps = _Iterates(f)
    found = root(
        steps,
        start.ravel(order="F"),
        method="hybr" if _square(f, start) else "lm",
        jac=slopes,
        tol=_option(options, "TolFun", 1e-10),
    )
    if not found.success:  # its updated Jacobian went astray; this one is made anew every step
        return _by_least_squares(f, start, progress, tolerance, slopes)
    x = canonical(found.x.reshape(start.shape, order="F"))
    told = " ".join(str(found.message).split())
    jacobian = _jacobian(f, found.x) if slopes is None else slopes(found.x)
    value = f(found.x)
    size = float(np.sum(np.abs(np.asarray(as_array(value))) ** 2))
    flag = progress.finish(found.x, size, _is_root(size, tolerance), told)
    gradient = jacobian.T @ as_array(value).ravel(order="F")
    output = _equations_output(steps.count, int(found.nfev), "hybrid", gradient, progress.message)
    return x, value, flag, output, canonical(jacobian)


def _own_slopes(
    ctx: CallContext, fun: Value, start: Array, extra: tuple[Value, ...]
) -> Callable[[Array], Array]:
    """The slopes that a function gives as its second output."""
    target = given_function(ctx, fun)

    def slopes(x: Array) -> Array:
        point = canonical(np.asarray(x).reshape(start.shape, order="F"))
        return np.asarray(as_array(ctx.call(target, (point, *extra), 2)[1]), dtype=np.float64)

    return slopes


class _Iterates:
    """Counts the iterations of a method that tells none: points that lie farther from the last one
    than the steps that only measure slopes."""

    def __init__(self, f: Callable[[Array], Value]) -> None:
        self._f, self.count = f, 0
        self._last: Array | None = None

    def __call__(self, x: Array) -> Array:
        near = 1e-7 * max(1.0, float(np.abs(x).max(initial=0.0)))
        if self._last is None or float(np.abs(x - self._last).max(initial=0.0)) > near:
            self.count += self._last is not None
            self._last = x.copy()
        return np.asarray(as_array(self._f(x)), dtype=np.float64).ravel(order="F")


def _equations_output(
    iterations: int, calls: int, algorithm: str, slopes: Array, message: str
) -> Struct:
    """What ``fsolve`` says of its run; ``slopes`` are those of half the sum of squares."""
    facts = _output(iterations, calls, algorithm, message).fields
    facts["firstorderopt"] = float(np.abs(slopes).max(initial=0.0))
    return Struct({k: facts[k] for k in _EQUATIONS})


_EQUATIONS = ("iterations", "funcCount", "algorithm", "firstorderopt", "message")


def _is_root(size: float, tolerance: float) -> float:
    """The exit flag where the iterations have settled: 1 at a root, -2 elsewhere, as MATLAB."""
    return 1.0 if size < math.sqrt(tolerance) else -2.0


def _by_least_squares(
    f: Callable[[Array], Value],
    start: Array,
    progress: Progress,
    tolerance: float,
    slopes: Callable[[Array], Array] | None,
) -> Value:
    """The least squares: with fewer equations than unknowns, where iterations are watched, or
    where Powell's method finds no root."""
    from scipy.optimize import least_squares

    def residuals(x: Array) -> Array:
        return np.asarray(as_array(f(x)), dtype=np.float64).ravel(order="F")

    found = least_squares(
        progress.counted(residuals),
        start.ravel(order="F"),
        jac="2-point" if slopes is None else slopes,
        xtol=1e-12,
        ftol=1e-12,
        gtol=1e-12,
        callback=progress.watch,
    )
    x = canonical(found.x.reshape(start.shape, order="F"))
    size = 2 * float(found.cost)
    flag = _is_root(size, tolerance) if found.success else 0.0
    flag = progress.finish(found.x, size, flag, str(found.message))
    output = _equations_output(
        progress.iterations, progress.calls, "trust-region", found.grad, progress.message
    )
    return x, f(found.x), flag, output, canonical(found.jac)


def _square(f: Callable[[Array], Value], start: Array) -> bool:
    return numel(f(start.ravel(order="F"))) == start.size


def _jacobian(f: Callable[[Array], Value], x: Array) -> Array:
    base = np.asarray(as_array(f(x)), dtype=np.float64).ravel(order="F")
    columns = []
    for k in range(x.size):
        step = math.sqrt(np.finfo(float).eps) * max(1.0, abs(float(x[k])))
        moved = x.copy()
        moved[k] += step
        value = np.asarray(as_array(f(moved)), dtype=np.float64).ravel(order="F")
        columns.append((value - base) / step)
    return np.array(columns).T


@builtin(
    "lsqnonneg",
    category=_FAMILY,
    least=1,
    signatures=("[x, resnorm, residual, exitflag, output, lambda] = lsqnonneg(C, d)",),
    cases=("norm(lsqnonneg([1 0; 0 1], [1; -1]) - [1; 0]) < 1e-12",),
    see=("mldivide",),
)
@takes_problem("C", "d", "options")
def lsqnonneg(c: Value, d: Value, options: Value | None = None) -> Value:
    """Least squares with nonnegative unknowns (Lawson and Hanson)."""
    from scipy.optimize import nnls

    refuse_unsupported("lsqnonneg", options, ("OutputFcn", "MaxIter"), display=False)
    matrix = np.asarray(as_array(c), dtype=np.float64)
    right = np.asarray(as_array(d), dtype=np.float64).ravel(order="F")
    if matrix.ndim != 2 or not matrix.size or matrix.shape[0] != right.size:
        text = "C must be a matrix with as many rows as D has elements."
        raise MatlabError("MATLAB:lsqnonneg:InvalidSizes", text)
    settings = settings_of(options)
    stop = settings.get("TolX", EMPTY)
    x, _ = nnls(matrix, right, **({"atol": float_of(stop)} if numel(stop) else {}))
    residual = right - matrix @ x
    dual = matrix.T @ residual
    output = _output(0, 0, "active-set", "Optimization terminated.")
    return (
        canonical(x.reshape(-1, 1)),
        float(residual @ residual),
        canonical(residual.reshape(-1, 1)),
        1.0,
        output,
        canonical(dual.reshape(-1, 1)),
    )
