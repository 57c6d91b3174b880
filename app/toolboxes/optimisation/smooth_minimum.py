"""Minima of smooth functions of several variables: fminunc."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.call_context import CallContext, given_function
from app.engine.arguments.checks import real_number
from app.engine.builtins.calculus.optimisation import check_value
from app.engine.builtins.calculus.problem_structs import takes_problem
from app.engine.builtins.calculus.solver_progress import Progress, is_on
from app.engine.builtins.vectors import flat_doubles
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Struct, Value, as_array, canonical
from app.errors import MatlabError
from app.toolboxes.optimisation.constraints import option_number
from app.toolboxes.optimisation.multipliers import slopes_of

_SUFFICIENT, _CURVED = 1e-4, 0.9
"""Wolfe's conditions: how much of the promised descent, how much of the slope may be left."""
_TRIALS = 60
_BOTTOM = -1e20
_KEPT_NUMBERS = 4_000_000
"""Of the steps that tell the curvature: as many as fit, at least twenty."""


class _Objective:
    """A function of a flat vector with its gradient, its own or by differences.

    Attributes:
        own: whether the function gives its gradient as second output.
    """

    def __init__(
        self,
        ctx: CallContext,
        fun: Value,
        extra: tuple[Value, ...],
        shape: tuple[int, ...],
        options: Value | None,
        progress: Progress,
    ) -> None:
        self.own = is_on(options, "GradObj")
        self._checked = is_on(options, "FunValCheck")
        target, outputs = given_function(ctx, fun), 2 if self.own else 1

        def call(x: Array) -> tuple[Value, ...]:
            return ctx.call(target, (canonical(x.reshape(shape, order="F")), *extra), outputs)

        self._call = progress.counted(call)
        self._given: Array | None = None

    def value(self, x: Array) -> float:
        """The function at a point, where :meth:`slope` may be asked for next."""
        made = self._call(x)
        if self._checked:
            check_value(made[0])
        self._given = flat_doubles(made[1]).astype(np.float64) if self.own else None
        return real_number(made[0])

    def slope(self, x: Array) -> Array:
        """The gradient at the point that was valued last."""
        return slopes_of(self.value, x)[0] if self._given is None else self._given

    def gradient(self, x: Array) -> Array:
        """The gradient at any point."""
        if self.own:
            self.value(x)
        else:
            self._given = None
        return self.slope(x)

    def curvature(self, x: Array) -> Array:
        """The matrix of second derivatives, by differences of the gradient."""
        made = np.atleast_2d(slopes_of(self.gradient, x))
        return np.asarray((made + made.T) / 2)


class _Steps:
    """The latest steps and how the gradient changed over them: what is known of the curvature."""

    def __init__(self, size: int) -> None:
        self._most = max(20, _KEPT_NUMBERS // size)
        self._pairs: list[tuple[Array, Array, float]] = []

    def add(self, step: Array, change: Array) -> None:
        """A step; one over which the function is not convex tells nothing."""
        product = float(step @ change)
        if product > 1e-14 * float(np.linalg.norm(step) * np.linalg.norm(change)):
            self._pairs = [*self._pairs[-self._most + 1 :], (step, change, product)]

    def direction(self, gradient: Array) -> Array:
        """Minus the gradient times the inverse of the curvature (BFGS, by its two recursions)."""
        way, shares = -gradient, []
        for step, change, product in reversed(self._pairs):
            shares.append(float(step @ way) / product)
            way = way - shares[-1] * change
        if self._pairs:
            _, change, product = self._pairs[-1]
            way = way * (product / float(change @ change))
        else:
            way = way / max(1.0, float(np.abs(gradient).max()))
        for step, change, product in self._pairs:
            way = way + (shares.pop() - float(change @ way) / product) * step
        return way

    def forget(self) -> bool:
        """Begin anew with the gradient; False when nothing was known."""
        known, self._pairs = bool(self._pairs), []
        return known


def _wolfe_point(
    f: _Objective, x: Array, value: float, slope: float, way: Array
) -> tuple[Array, float, Array] | None:
    """A point on the way with Wolfe's conditions, its value and gradient; None if there is none.

    Where the function is not finite the way goes too far.
    """
    low, high, t = 0.0, np.inf, 1.0
    best: tuple[Array, float, Array] | None = None
    for _ in range(_TRIALS):
        there = x + t * way
        found = f.value(there)
        gradient = f.slope(there) if np.isfinite(found) else None
        if gradient is None or not np.isfinite(gradient).all():
            high, t = t, low + (t - low) / 10
            continue
        if found > value + _SUFFICIENT * t * slope or found > value:
            high = t
            bend = found - value - slope * t
            guess = -slope * t * t / (2 * bend) if bend > 0 else 0.0
            t = float(np.clip(guess, low + 0.1 * (high - low), high - 0.1 * (high - low)))
        else:
            best = there, found, gradient
            if found < _BOTTOM or float(gradient @ way) >= _CURVED * slope:
                return best
            low, t = t, 2 * t if high == np.inf else (t + high) / 2
        if high - low <= 1e-15 * max(t, 1e-300):
            break
    return best


@builtin(
    "fminunc",
    category="optimisation",
    least=1,
    signatures=("[x, fval, exitflag, output, grad, hessian] = fminunc(fun, x0, options)",),
    cases=(
        "norm(fminunc(@(x) sum((x-[1 2]).^2), [0 0]) - [1 2]) < 1e-5",
        "f = @(x) deal(sum((x-[1 2]).^2), 2*(x-[1 2])); o = optimset('GradObj', 'on'); "
        "norm(fminunc(f, [0 0], o) - [1 2]) < 1e-8",
    ),
    see=("fminsearch", "fmincon"),
)
@takes_problem("objective", "x0", "options")
def fminunc(
    ctx: CallContext,
    fun: Value,
    x0: Value,
    options: Value | None = None,
    *extra: Value,
    nargout: int = 1,
) -> Value:
    """Minimum of a smooth function of several variables (BFGS quasi-Newton).

    With the option SpecifyObjectiveGradient (GradObj) the function gives its gradient as second
    output. The last output is the matrix of second derivatives at the minimum.
    """
    start = np.asarray(as_array(x0), dtype=np.float64)
    progress = Progress(ctx, "fminunc", options, start.shape)
    f = _Objective(ctx, fun, extra, start.shape, options, progress)
    x = start.ravel(order="F")
    value = f.value(x)
    if not np.isfinite(value):
        text = "Objective function is undefined at initial point. Fminunc cannot continue."
        raise MatlabError("optim:fminunc:UsrObjUndefAtX0", text)
    x, value, gradient, flag = _bfgs_minimum(f, x, value, progress, options)
    flag = progress.finish(x, value, flag, "")
    facts: dict[str, Value] = {
        "iterations": float(progress.iterations),
        "funcCount": float(progress.calls),
        "stepsize": progress.moved,
        "firstorderopt": float(np.abs(gradient).max(initial=0.0)),
        "algorithm": "quasi-newton",
        "message": progress.message,
    }
    made = (canonical(x.reshape(start.shape, order="F")), value, flag, Struct(facts))
    if nargout < 5:
        return made
    slope = canonical(gradient.reshape(start.shape, order="F"))
    return (*made, slope, canonical(f.curvature(x))) if nargout > 5 else (*made, slope)


def _bfgs_minimum(
    f: _Objective, x: Array, value: float, progress: Progress, options: Value | None
) -> tuple[Array, float, Array, float]:
    """The last point with its value, gradient and exit flag."""
    gradient = f.slope(x)
    tolerance = option_number(options, "TolFun", 1e-6)
    first = 1 + float(np.abs(gradient).max(initial=0.0))
    steps = _Steps(max(x.size, 1))
    for _ in range(int(option_number(options, "MaxIter", 400))):
        steepness = float(np.abs(gradient).max(initial=0.0))
        if steepness <= tolerance:
            return x, value, gradient, 1.0
        way = steps.direction(gradient)
        slope = float(gradient @ way)
        found = _wolfe_point(f, x, value, slope, way) if slope < 0 else None
        if found is None:
            if steps.forget():
                continue
            return x, value, gradient, 1.0 if steepness <= tolerance * first else 5.0
        steps.add(found[0] - x, found[2] - gradient)
        x, value, gradient = found
        try:
            progress.step(x, value)
        except StopIteration:
            return x, value, gradient, 0.0
        if value < _BOTTOM:
            return x, value, gradient, -3.0
    return x, value, gradient, 0.0
