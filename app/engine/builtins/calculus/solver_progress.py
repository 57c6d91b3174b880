"""What a solver reports while it runs: the options Display, OutputFcn and PlotFcns, and limits of
calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from app.engine.arguments.call_context import CallContext, given_function
from app.engine.arguments.checks import real_number
from app.engine.builtins.calculus.solver_messages import default_level, end_message, shown_end
from app.engine.builtins.calculus.solver_option_names import NEW_NAMES
from app.engine.builtins.calculus.solver_options import SolverOptions
from app.engine.builtins.calculus.solver_plots import SolverPlots
from app.engine.values import (
    EMPTY,
    Array,
    Cell,
    FunctionHandle,
    Struct,
    Value,
    canonical,
    is_text_scalar,
    numel,
    text_of,
    true_value,
)
from app.errors import MatlabError

_X = TypeVar("_X")
_Y = TypeVar("_Y")

_UNSUPPORTED = ("DerivativeCheck", "Diagnostics", "MaxTime", "ObjectiveLimit")
_POPULATION = (
    "HybridFcn CreationFcn SelectionFcn MutationFcn CrossoverFcn PopulationSize EliteCount "
    "CrossoverFraction InitialPopulationMatrix MaxStallGenerations InitialSwarmMatrix "
    "MaxStallIterations InitialTemperature ReannealInterval"
).split()
_SILENT = ("off", "none", "notify", "notify-detailed")
_FINAL = ("final", "final-detailed")
_ITERATIONS = ("iter", "iter-detailed", "testing", "diagnose")
_HEADER = "\n Iteration   Func-count            f(x)\n"


GIVEN_OPTIONS = Struct | SolverOptions
"""The classes of values in which options are given."""


def option_of(options: Value | None, name: str) -> Value | None:
    """An option by its name in ``optimset``; one that was set by its newer name goes first."""
    settings = settings_of(options)
    newer = (settings.get(n) for n, old in NEW_NAMES.items() if old == name)
    return next((v for v in newer if v is not None and numel(v)), settings.get(name))


def settings_of(options: Value | None) -> dict[str, Value]:
    """What was set, by name: in a struct of ``optimset``, or by ``optimoptions``."""
    if isinstance(options, SolverOptions):
        return options.given
    return options.fields if isinstance(options, Struct) else {}


def is_on(options: Value | None, *names: str) -> bool:
    """Whether the first of these options that was set is 'on' or true."""
    values = (option_of(options, name) for name in names)
    value = next((v for v in values if v is not None and numel(v)), None)
    if value is None or not is_text_scalar(value):
        return value is not None and real_number(value) == 1.0
    return text_of(value).lower() == "on"


def _is_set(options: Value | None, name: str) -> bool:
    """Whether an option was given another value than its neutral one."""
    value = option_of(options, name)
    if value is None or numel(value) == 0:
        return False
    if is_text_scalar(value):
        return text_of(value).lower() not in ("off", "none", "")
    if isinstance(value, FunctionHandle | Cell) or name not in ("MaxTime", "ObjectiveLimit"):
        return value is not False and value != 0.0
    return bool(np.isfinite(real_number(value))) and real_number(value) != -1e20


def refuse_unsupported(
    solver: str, options: Value | None, more: tuple[str, ...] = (), display: bool = True
) -> None:
    """Refuse by name the options that change what a solver does or shows and that it lacks.

    Args:
        solver: the solver's name.
        options: the options structure, if any.
        more: further options, by their names in ``optimset``, that this solver lacks.
        display: whether the solver shows its iterations.

    Raises:
        MatlabError: an option is set that has no effect here.
    """
    if options is not None and not isinstance(options, GIVEN_OPTIONS) and numel(options):
        text = f"The options of {solver} must be what optimset or optimoptions makes."
        raise MatlabError(f"MATLAB:{solver}:OptionsNotStruct", text)
    shown_by_none = ("PlotFcns",) if "OutputFcn" in more else ()
    for name in (*_UNSUPPORTED, *_POPULATION, *more, *shown_by_none):
        if _is_set(options, name):
            newer = [n for n, old in NEW_NAMES.items() if old == name]
            shown = " or ".join(f"'{n}'" for n in (name, *newer))
            text = f"Option {shown} is not supported by {solver}; set it to [] or leave it out."
            raise MatlabError(f"MATLAB:{solver}:unsupportedOption", text)
    if not display and _level(solver, options) in _ITERATIONS:
        text = f"{solver} cannot show its iterations: set Display to 'final' or 'off'."
        raise MatlabError(f"MATLAB:{solver}:unsupportedOption", text)


_RUNS = {
    "fmincon": "sqp sqp-legacy",
    "fminunc": "quasi-newton",
    "fsolve": "trust-region-dogleg",
    "lsqcurvefit": "trust-region-reflective",
    "lsqlin": "active-set",
    "lsqnonlin": "trust-region-reflective",
    "quadprog": "active-set",
}
"""The algorithms that the solvers run, of those that the option Algorithm may name."""


def warn_of_other_algorithm(ctx: CallContext, solver: str, options: Value | None) -> None:
    """Say once by name that another algorithm runs than the one that the options ask for."""
    value = option_of(options, "Algorithm")
    asked = text_of(value).lower() if is_text_scalar(value) else ""
    runs = _RUNS.get(solver, "").split()
    told: set[tuple[str, str]] = ctx.state.setdefault("algorithms_told", set())
    if not asked or not runs or asked in runs or (solver, asked) in told:
        return
    told.add((solver, asked))
    text = f"{solver} has no algorithm '{asked}' here; '{runs[0]}' runs instead."
    ctx.warning(f"optim:{solver}:AlgorithmNotAvailable", text)


def _level(solver: str, options: Value | None, default: str = "notify") -> str:
    """The option Display in lower case."""
    value = option_of(options, "Display")
    if value is None or numel(value) == 0:
        return default
    level = text_of(value).lower()
    if level not in (*_SILENT, *_FINAL, *_ITERATIONS):
        text = f"Display must be 'off', 'iter', 'final' or 'notify', not '{level}'."
        raise MatlabError(f"MATLAB:{solver}:invalidDisplay", text)
    return level


class Progress:
    """Shows the iterations of one solver and calls its output functions.

    An output function is called as ``stop = f(x, optimValues, state)`` with the states ``init``,
    ``iter`` and ``done``; ``optimValues`` has the fields ``iteration``, ``funccount``, ``fval``,
    ``stepsize``.
    An end that it asks for in ``init`` comes after the first iteration. A plot function (PlotFcns)
    is called in the same way, with axes of its own current.

    Attributes:
        calls: evaluations of the objective so far.
        iterations: iterations so far.
        stopped: whether an output function asked for an end.
        moved: how far the last iteration went.
        message: how the run ended, once it has.
    """

    def __init__(
        self,
        ctx: CallContext,
        solver: str,
        options: Value | None,
        shape: tuple[int, ...],
        value_name: str = "fval",
    ) -> None:
        refuse_unsupported(solver, options)
        warn_of_other_algorithm(ctx, solver, options)
        self._ctx, self._shape, self._value_name = ctx, shape, value_name
        self._solver, self._level = solver, _level(solver, options, default_level(ctx, solver))
        self.message = ""
        self._functions = _handles(ctx, option_of(options, "OutputFcn"))
        drawing = _handles(ctx, option_of(options, "PlotFcns"))
        self._plots = SolverPlots(ctx, drawing) if drawing else None
        self._most_calls = _limit(options, "MaxFunEvals")
        self._most_iterations = _limit(options, "MaxIter")
        self.calls = self.iterations = 0
        self.moved = 0.0
        self._last: Array | None = None
        self.stopped = self._begun = self._over = False

    @property
    def watched(self) -> bool:
        """Whether somebody wants to see every iteration, or limits their number."""
        shown = self._level in _ITERATIONS or self._is_heard
        return shown or np.isfinite(self._most_iterations)

    @property
    def _is_heard(self) -> bool:
        return bool(self._functions) or self._plots is not None

    def counted(self, f: Callable[[_X], _Y]) -> Callable[[_X], _Y]:
        """``f``, its calls counted."""

        def call(x: _X) -> _Y:
            if self._last is None:
                self._last = np.array(x, dtype=np.float64)
            self.calls += 1
            return f(x)

        return call

    def step(self, x: Array | float, value: float) -> None:
        """After an iteration at ``x``.

        Raises:
            StopIteration: an output function asked for an end, or a limit is reached.
        """
        if not self._begun:
            self._begun = True
            self._notify(x, value, "init")
            if self._level in _ITERATIONS:
                self._ctx.write(_HEADER)
        self.iterations += 1
        point = np.array(x, dtype=np.float64)
        if self._last is not None:
            self.moved = float(np.linalg.norm(point - self._last))
        self._last = point
        if self._level in _ITERATIONS:
            self._ctx.write(f"{self.iterations:10d}   {self.calls:10d}   {value:13.6g}\n")
        self._notify(x, value, "iter")
        over = self.calls >= self._most_calls or self.iterations >= self._most_iterations
        self._over = over
        if self.stopped or over:
            raise StopIteration

    def watch(self, intermediate_result: Any) -> None:
        """:meth:`step` in the form of a callback of SciPy's."""
        fun = getattr(intermediate_result, "cost", None)
        value = float(intermediate_result.fun) if fun is None else 2 * float(fun)
        self.step(np.asarray(intermediate_result.x), value)

    def finish(
        self,
        x: Array | float,
        value: float,
        flag: float,
        message: str,
        *tolerances: float,
    ) -> float:
        """After the last iteration: the exit flag, -1 where an output function ended the run.

        ``message`` is what is said where MATLAB's solver has no words for such an end;
        ``tolerances`` are those that its words mention.
        """
        if self._is_heard and self._begun:
            asked = self.stopped
            self._notify(x, value, "done")
            self.stopped = asked
        if self.stopped:
            flag, message = -1.0, "Stopped by an output function."
        elif self._over and flag <= 0:
            message = "Stopped: the limit of iterations or of function evaluations is reached."
        else:
            message = end_message(self._solver, flag, message, tolerances)
        self.message = message
        failed = flag <= 0 and self._level.startswith("notify")
        if self._level in (*_FINAL, *_ITERATIONS) or (failed and self.watched):
            self._ctx.write(shown_end(message, self._solver))
        return flag

    def _notify(self, x: Array | float, value: float, state: str) -> None:
        point = canonical(np.array(x, dtype=np.float64).reshape(self._shape, order="F"))
        facts = {
            "iteration": float(self.iterations),
            "funccount": float(self.calls),
            self._value_name: value,
            "stepsize": self.moved if self.iterations else EMPTY,
        }
        answers: list[Value] = []
        for function in self._functions:
            answers += self._ctx.call(function, (point, Struct(dict(facts)), state), 1)[:1]
        if self._plots is not None:
            answers += self._plots.notify(point, Struct(dict(facts)), state)
        for answer in answers:
            asked = answer is not None and numel(answer) > 0
            self.stopped = self.stopped or (asked and true_value(answer))


def tell_end(
    ctx: CallContext, solver: str, options: Value | None, flag: float, otherwise: str
) -> str:
    """What a solver without iterations says of its end, shown where Display asks for it."""
    message = end_message(solver, flag, otherwise, ())
    if _level(solver, options, default_level(ctx, solver)) in (*_FINAL, *_ITERATIONS):
        ctx.write(shown_end(message, solver))
    return message


def _handles(ctx: CallContext, given: Value | None) -> list[FunctionHandle]:
    """Output functions: a handle, a name or a cell of them."""
    if given is None or numel(given) == 0:
        return []
    parts = given.items() if isinstance(given, Cell) else [given]
    return [given_function(ctx, p) for p in parts]


def _limit(options: Value | None, name: str) -> float:
    value = option_of(options, name)
    if value is None or numel(value) == 0 or is_text_scalar(value):
        return np.inf
    return real_number(value)
