"""Initial value problems: ode45, ode23 and the stiff and multistep solvers, with events.

The explicit pairs are Dormand-Prince 5(4) and Bogacki-Shampine 3(2), with the step control
described by Shampine and Reichelt, "The MATLAB ODE Suite" (1997). Stiff problems go to SciPy's
implicit solvers (BDF, Radau), the multistep one to its DOP853.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.engine.arguments.call_context import CallContext, given_function
from app.engine.arguments.checks import real_number
from app.engine.builtins.calculus import ode_states
from app.engine.builtins.calculus.high_order_steps import HighOrderSteps
from app.engine.builtins.calculus.mass_equations import is_singular, solve_singular
from app.engine.builtins.calculus.ode_options import fields_of, refuse_unread
from app.engine.builtins.calculus.ode_outputs import Watcher, report
from app.engine.builtins.calculus.ode_solutions import Interpolant, Record
from app.engine.builtins.calculus.ode_states import State
from app.engine.builtins.vectors import matrix_of
from app.engine.capture.terms import Term
from app.engine.declarations.device_support import HostOnly
from app.engine.declarations.registry import builtin
from app.engine.values import (
    EMPTY,
    Array,
    FunctionHandle,
    Value,
    as_array,
    canonical,
    host,
    text_of,
)
from app.errors import MatlabError
from app.records import record

_FAMILY = "differential equations"

Slope = Callable[[float, State], State]


@record
class Pair:
    """An embedded explicit Runge-Kutta pair with the first-same-as-last property.

    Attributes:
        c: nodes of the stages.
        a: rows of stage weights.
        error: weights of the difference of the two solutions.
        order: power of the step control.
        refine: points per step given back by default.
        dense: weights of the interpolant: stage by power of the fraction of the step.
    """

    c: tuple[float, ...]
    a: tuple[tuple[float, ...], ...]
    error: Array
    order: int
    refine: int
    dense: Array


_DORMAND_PRINCE = Pair(
    c=(1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0),
    a=(
        (1 / 5,),
        (3 / 40, 9 / 40),
        (44 / 45, -56 / 15, 32 / 9),
        (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
        (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
        (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
    ),
    error=np.array([71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40]),
    order=5,
    refine=4,
    dense=np.array(
        [
            [1, -183 / 64, 37 / 12, -145 / 128],
            [0, 0, 0, 0],
            [0, 1500 / 371, -1000 / 159, 1000 / 371],
            [0, -125 / 32, 125 / 12, -375 / 64],
            [0, 9477 / 3392, -729 / 106, 25515 / 6784],
            [0, -11 / 7, 11 / 3, -55 / 28],
            [0, 3 / 2, -4, 5 / 2],
        ]
    ),
)
_BOGACKI_SHAMPINE = Pair(
    c=(1 / 2, 3 / 4, 1.0),
    a=((1 / 2,), (0.0, 3 / 4), (2 / 9, 1 / 3, 4 / 9)),
    error=np.array([-5 / 72, 1 / 12, 1 / 9, -1 / 8]),
    order=3,
    refine=1,
    dense=np.array([[1, -4 / 3, 5 / 9], [0, 1, -2 / 3], [0, 4 / 3, -8 / 9], [0, -1, 1]]),
)


@dataclass(slots=True)
class Problem:
    """One initial value problem with its options.

    Attributes:
        slope: right-hand side on flat state vectors, the mass matrix divided out.
        right: right-hand side as it was given.
        mass: the mass matrix at a time and a state, or None.
        times: requested times; two mean every step, more mean exactly these.
        state: initial state, flat.
        rtol: relative tolerance.
        atol: absolute tolerance, one or one per component.
        events: function giving (values, terminal flags, directions), or None.
        options: the raw options.
        watcher: told of every step.
        kept: components that stay nonnegative.
        failed_steps: steps rejected, for the statistics.
        calls: evaluations of the right-hand side.
    """

    slope: Slope
    right: Slope
    mass: Slope | None
    times: Array
    state: State
    rtol: float
    atol: Array
    events: Callable[[float, Array], tuple[Array, Array, Array]] | None
    options: dict[str, Value]
    watcher: Watcher
    kept: Any
    failed_steps: int = 0
    calls: int = 0

    def clipped(self, y: State) -> State:
        """The state without negative values where none are allowed."""
        if not self.kept.size:
            return y
        held: Array = np.array(y)
        held[self.kept] = np.maximum(held[self.kept], 0.0)
        return held


def _call(ctx: CallContext, f: Value, extra: tuple[Value, ...], nargout: int = 1) -> Any:
    target = given_function(ctx, f)
    if not isinstance(f, FunctionHandle) and nargout == 1:  # an ODE file: fun(t, y, flag, ...)
        extra = () if ctx.arity(f)[0] == 2 else ("", *extra)
    return lambda t, y: ctx.call(target, (t, ode_states.argument(y), *extra), nargout)


def _problem(
    ctx: CallContext,
    fun: Value,
    tspan: Value,
    y0: Value,
    options: Value | None,
    extra: tuple[Value, ...],
    *,
    stays: bool,
) -> Problem:
    chosen = fields_of("ode solvers", options)
    refuse_unread("ode solvers", chosen, ("NormControl", "InitialSlope"))
    times = np.asarray(as_array(tspan), dtype=np.float64).ravel(order="F")
    times = np.insert(times, 0, 0.0) if times.size == 1 else times
    if times.size < 2 or not (np.all(np.diff(times) > 0) or np.all(np.diff(times) < 0)):
        text = "The entries in tspan must strictly increase or decrease."
        raise MatlabError("MATLAB:odearguments:TspanNotMonotonic", text)
    state = ode_states.first_state(y0, chosen, stays=stays)
    call = _call(ctx, fun, extra)
    mass = _mass(ctx, chosen, extra)

    def right(t: float, y: State) -> State:
        problem.calls += 1
        value = ode_states.slope_of(call(float(t), y)[0], y)
        if value.size != y.size:
            text = (
                f"The function returned a vector of length {value.size}, but the length of "
                f"initial conditions vector is {y.size}."
            )
            raise MatlabError("MATLAB:odearguments:SizeIC", text)
        return value

    def slope(t: float, y: State) -> State:
        value = right(t, y)
        if mass is None and not kept.size:
            return value
        value = value if mass is None else np.linalg.solve(mass(t, y), value)
        bound = kept[y[kept].real <= 0]
        value[bound] = np.maximum(value[bound], 0.0) if bound.size else value[bound]
        return value

    kept = as_array(chosen.get("NonNegative", EMPTY)).ravel().astype(int) - 1
    problem = Problem(
        slope,
        right,
        mass,
        times,
        state,
        real_number(chosen.get("RelTol", 1e-3)),
        np.asarray(as_array(chosen.get("AbsTol", 1e-6)), dtype=np.float64).ravel(),
        _events(ctx, chosen, extra),
        chosen,
        Watcher(ctx, chosen),
        kept,
    )
    return problem


def _mass(ctx: CallContext, options: dict[str, Value], extra: tuple[Value, ...]) -> Any:
    given = options.get("Mass")
    if given is None:
        return None
    if not isinstance(given, FunctionHandle):
        matrix = matrix_of(given)
        return lambda t, y: matrix
    constant = str(options.get("MStateDependence", "weak")) == "none"

    def evaluate(t: float, y: Array) -> Array:
        args = (float(t),) if constant else (float(t), canonical(y.reshape(-1, 1)))
        return matrix_of(ctx.call(given, (*args, *extra), 1)[0])

    return evaluate


def _events(ctx: CallContext, options: dict[str, Value], extra: tuple[Value, ...]) -> Any:
    given = options.get("Events")
    if given is None:
        return None
    call = _call(ctx, given, extra, 3)

    def evaluate(t: float, y: Array) -> tuple[Array, ...]:
        return tuple(np.asarray(as_array(v), dtype=np.float64).ravel() for v in call(float(t), y))

    return evaluate


def _explicit(problem: Problem, pair: Pair, record: Record) -> None:
    """March with an embedded pair; MATLAB's step control on the infinity norm."""
    t, final = float(problem.times[0]), float(problem.times[-1])
    y, sign = problem.state, float(np.sign(final - problem.times[0]))
    k0 = problem.slope(t, y)
    h_max = real_number(problem.options.get("MaxStep", 0.1 * abs(final - t)))
    h = min(_first_step(problem, k0, pair), h_max)
    _begin(problem, record)
    while sign * (final - t) > 0:
        h = min(max(h, 16 * np.spacing(abs(t))), h_max)
        if 1.1 * h >= abs(final - t):
            h = abs(final - t)
        stepped = _step(problem, pair, t, y, k0, h, sign)
        if stepped is None:
            return
        t_new, y_new, stages, h, h_next = stepped
        dense = _interpolant(pair, t, y, stages, sign * h)
        if _accept(problem, record, pair.refine, t, t_new, y, y_new, dense):
            return
        t, y, k0, h = t_new, y_new, stages[-1], h_next


def _first_step(problem: Problem, k0: State, pair: Pair) -> float:
    given = problem.options.get("InitialStep")
    if given is not None:
        return abs(real_number(given))
    threshold = problem.atol / problem.rtol
    rate = ode_states.largest_ratio(k0, threshold, problem.state)
    rate /= 0.8 * problem.rtol ** (1 / pair.order)
    span = abs(float(problem.times[1] - problem.times[0]))
    return min(span, 1 / rate) if span * rate > 1 else span


def _step(
    problem: Problem, pair: Pair, t: float, y: State, k0: State, h: float, sign: float
) -> Any:
    """One accepted step, as (t, y, stages, h used, next h); None when the step got too small."""
    threshold = problem.atol / problem.rtol
    failed = False
    while True:
        stages, point = [k0], y
        for c, row in zip(pair.c, pair.a, strict=True):
            point = y + sign * h * ode_states.weighted(row, stages)
            stages.append(problem.slope(t + sign * h * c, point))
        difference = ode_states.weighted(pair.error, stages)
        error = h * ode_states.largest_ratio(difference, threshold, y, point)
        if error <= problem.rtol:
            growth = 1.25 * (error / problem.rtol) ** (1 / pair.order)
            h_next = h if failed else h / max(growth, 0.2)
            if problem.kept.size and (point[problem.kept] < 0).any():
                point = problem.clipped(point)
                stages[-1] = problem.slope(t + sign * h, point)
            return t + sign * h, point, stages, h, h_next
        problem.failed_steps += 1
        if h <= 16 * np.spacing(abs(t)) or not np.isfinite(error):
            return None
        shrink = 0.5 if failed else max(0.1, 0.8 * (problem.rtol / error) ** (1 / pair.order))
        failed, h = True, max(16 * np.spacing(abs(t)), h * shrink)


def _interpolant(pair: Pair, t: float, y: State, stages: list[State], h: float) -> Interpolant:
    def at(time: float) -> State:
        s = (time - t) / h
        powers = s ** np.arange(1, pair.dense.shape[1] + 1)
        return y + h * ode_states.weighted(pair.dense @ powers, stages)

    return at


def _begin(problem: Problem, record: Record) -> None:
    record.t.append(float(problem.times[0]))
    record.y.append(problem.state)
    problem.watcher.begin(problem.times, problem.state)


def _accept(
    problem: Problem,
    record: Record,
    refine: int,
    t: float,
    t_new: float,
    y: State,
    y_new: State,
    dense: Interpolant,
) -> bool:
    """Record a step; True when a terminal event ended the run."""
    stop = _locate_events(problem, record, t, t_new, y, y_new, dense) if problem.events else None
    end = t_new if stop is None else stop
    sign = 1.0 if t_new > t else -1.0
    if problem.times.size > 2:
        ordered = problem.times if sign > 0 else -problem.times
        first, last = np.searchsorted(ordered, (sign * t, sign * end), side="right")
        points = [float(p) for p in problem.times[first:last]]
        if stop is not None and (not points or points[-1] != end):
            points.append(end)
    else:
        count = int(real_number(problem.options.get("Refine", float(refine))))
        points = [t + (end - t) * k / count for k in range(1, count)] + [end]
    states = [problem.clipped(y_new if p == t_new else dense(p)) for p in points]
    ode_states.settle(states)
    record.add(points, states)
    if record.whole:
        last = problem.clipped(y_new if end == t_new else dense(end))
        record.end_step(t, end, last, dense)
    return problem.watcher.step(points, states) or stop is not None


def _no_events(t: float, y: Array) -> tuple[Array, Array, Array]:
    return np.zeros(0), np.zeros(0), np.zeros(0)


def _locate_events(
    problem: Problem,
    record: Record,
    t: float,
    t_new: float,
    y: State,
    y_new: State,
    dense: Interpolant,
) -> float | None:
    """Find sign changes of the event functions inside a step by bisection."""
    events = problem.events or _no_events
    before, terminal, direction = events(t, y)
    after = events(t_new, y_new)[0]
    found: list[tuple[float, int]] = []
    for i in range(before.size):
        crossed = before[i] * after[i] < 0 or (after[i] == 0 and before[i] != 0)
        rising = after[i] > before[i]
        if crossed and (direction[i] == 0 or (direction[i] > 0) == rising):
            found.append((_bisect(problem, i, t, t_new, before[i], dense), i))
    forward = t_new > t
    for time, i in sorted(found, reverse=not forward):
        record.event_t.append(time)
        record.event_y.append(dense(time))
        record.event_i.append(float(i + 1))
        if terminal[i] and time != problem.times[0]:
            return time
    return None


def _bisect(problem: Problem, i: int, a: float, b: float, fa: float, dense: Interpolant) -> float:
    events = problem.events or _no_events
    for _ in range(80):
        middle = (a + b) / 2
        if middle in (a, b):
            break
        fm = events(middle, dense(middle))[0][i]
        if fm == 0:
            return middle
        if (fm > 0) == (fa > 0):
            a, fa = middle, fm
        else:
            b = middle
    return b


def _implicit(method: str) -> Callable[[Problem, Record], None]:
    def solve(problem: Problem, record: Record) -> None:
        from scipy import integrate

        resident = isinstance(problem.state, Term)
        if not resident and problem.state.dtype.kind == "c":
            text = "Implicit solvers need a real state: split it into real and imaginary parts."
            raise MatlabError("MATLAB:odearguments:ComplexState", text)
        steps = getattr(integrate, method)
        if resident:
            steps = HighOrderSteps
        solver = steps(
            problem.slope,
            float(problem.times[0]),
            problem.state,
            float(problem.times[-1]),
            rtol=max(problem.rtol / 10, 2.3e-14),
            atol=problem.atol if problem.atol.size > 1 else float(problem.atol[0]) / 10,
            max_step=real_number(problem.options.get("MaxStep", np.inf)),
        )
        _begin(problem, record)
        while solver.status == "running":
            t, y = float(solver.t), solver.y
            if solver.step() is not None:
                return
            dense = solver.dense_output()
            if _accept(problem, record, 1, t, float(solver.t), y, solver.y, dense):
                return

    return solve


def _with_algebraic(method: str) -> Callable[[Problem, Record], None]:
    """An implicit solver that also takes a singular mass matrix."""
    plain = _implicit(method)

    def solve(problem: Problem, record: Record) -> None:
        if problem.mass is None or not _is_algebraic(problem):
            plain(problem, record)
            return
        times = problem.times
        span = abs(float(times[-1] - times[0]))
        longest = real_number(problem.options.get("MaxStep", span / 10))
        at, states, denses = solve_singular(
            problem.right, problem.mass, times, problem.state, problem.rtol, problem.atol, longest
        )
        problem.state = states[0]
        _begin(problem, record)
        for k, dense in enumerate(denses):
            before, after = states[k], states[k + 1]
            if _accept(problem, record, 1, at[k], at[k + 1], before, after, dense):
                return

    return solve


def _is_algebraic(problem: Problem) -> bool:
    """Whether the mass matrix is singular at the start, or said to be (``MassSingular``)."""
    said = text_of(problem.options.get("MassSingular", "maybe"))
    start = problem.mass and problem.mass(float(problem.times[0]), problem.state)
    return start is not None and said != "no" and (said == "yes" or is_singular(start))


_SOLVERS: dict[str, Callable[[Problem, Record], None]] = {
    "ode45": lambda p, r: _explicit(p, _DORMAND_PRINCE, r),
    "ode23": lambda p, r: _explicit(p, _BOGACKI_SHAMPINE, r),
    "ode113": _implicit("DOP853"),
    "ode15s": _with_algebraic("BDF"),
    "ode23s": _implicit("Radau"),
    "ode23t": _with_algebraic("Radau"),
    "ode23tb": _implicit("Radau"),
    "ode78": _implicit("DOP853"),
    "ode89": _implicit("DOP853"),
}


_EXPLICIT = frozenset({"ode45", "ode23", "ode113", "ode78", "ode89"})
"""The solvers whose states may stay on the device."""
_STAYS = HostOnly(
    "steps on the host; states that are on the device stay there", lazy=True, stays=True
)
_STEPS = HostOnly("steps on the host", lazy=True)
_OF_ALGEBRAIC = frozenset({"ode15s", "ode23t"})
"""The solvers that take a singular mass matrix."""


def _solve(
    ctx: CallContext, name: str, args: tuple[Value, ...], nargout: int, *, stays: bool
) -> Value:
    if len(args) < 3:
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    options = host(args[3]) if len(args) > 3 else None
    problem = _problem(ctx, args[0], host(args[1]), args[2], options, args[4:], stays=stays)
    record = Record(whole=nargout == 1)
    if name not in _OF_ALGEBRAIC and _is_algebraic(problem):
        text = f"{name} needs a mass matrix that is not singular: use ode15s or ode23t."
        raise MatlabError(f"MATLAB:{name}:MassMatrixSingular", text)
    _SOLVERS[name](problem, record)
    watcher, reached = problem.watcher, record.t[-1]
    watcher.end()
    if reached != problem.times[-1] and not record.event_t and not watcher.stopped:
        text = (
            f"Failure at t={reached:e}. Unable to meet integration tolerances without "
            f"reducing the step size below the smallest value allowed."
        )
        ctx.warning(f"MATLAB:{name}:IntegrationTolNotMet", text)
    counts = report(ctx, problem.options, (watcher.steps, problem.failed_steps, problem.calls))
    if not nargout:
        if watcher.function is None:
            ctx.call("plot", (canonical(np.array(record.t)), ode_states.table(record.y), "-o"), 0)
        return ()
    if nargout == 1:
        return record.solution(
            name, (args[0], EMPTY if options is None else options, *args[4:]), counts
        )
    states = ode_states.table(record.y)
    return (canonical(np.array(record.t).reshape(-1, 1)), states, *record.events())


def declare_solver(name: str, summary: str, cases: tuple[str, ...] = ()) -> None:
    """Declare one solver; all share their signatures."""

    def solver(ctx: CallContext, *args: Value, nargout: int = 1) -> Value:
        try:
            return _solve(ctx, name, args, nargout, stays=name in _EXPLICIT and nargout == 2)
        except ode_states.LeavesReals:
            return _solve(ctx, name, args, nargout, stays=False)

    signatures = (
        f"[t, y] = {name}(fun, tspan, y0)",
        f"[t, y] = {name}(fun, tspan, y0, options)",
        f"[t, y, te, ye, ie] = {name}(fun, tspan, y0, options)",
        f"sol = {name}(...)",
    )
    text = f"""{summary}

``fun(t, y)`` gives the slopes as a column. With two times every step is returned, with more
exactly those times. Options come from ``odeset``: RelTol, AbsTol, MaxStep, InitialStep, Refine,
Events, Mass."""
    builtin(
        name,
        category=_FAMILY,
        signatures=signatures,
        device=_STAYS if name in _EXPLICIT else _STEPS,
        cases=cases,
        text=text,
        see=("odeset", "deval"),
    )(solver)


declare_solver(
    "ode45",
    "Solve non-stiff differential equations (Dormand-Prince, order 5).",
    ("[t, y] = ode45(@(t, y) [y(2); -y(1)], [0 pi], [0; 1]); norm(y(end, :) - [0 -1]) < 1e-2",),
)
declare_solver(
    "ode23",
    "Solve non-stiff differential equations (Bogacki-Shampine, order 3).",
    ("[t, y] = ode23(@(t, y) -y, [0 1], 1); abs(y(end) - exp(-1)) < 1e-3",),
)
declare_solver(
    "ode113",
    "Solve non-stiff differential equations to tight tolerances.",
    ("[t, y] = ode113(@(t, y) -y, [0 1], 1); abs(y(end) - exp(-1)) < 1e-3",),
)
declare_solver(
    "ode15s",
    "Solve stiff differential equations (variable order BDF).",
    (
        "[t, y] = ode15s(@(t, y) -100*(y - cos(t)), [0 1], 0); abs(y(end) - cos(1)) < 0.02",
        "o = odeset('Mass', diag([1 0])); f = @(t, y) [-y(1); y(1) + y(2) - 1]; "
        "[t, y] = ode15s(f, [0 1], [1; 5], o); norm(y(end, :) - [exp(-1) 1-exp(-1)]) < 1e-3",
    ),
)
declare_solver(
    "ode23s",
    "Solve stiff differential equations (implicit Runge-Kutta).",
    ("[t, y] = ode23s(@(t, y) -100*(y - cos(t)), [0 1], 0); abs(y(end) - cos(1)) < 0.02",),
)
declare_solver(
    "ode23t",
    "Solve moderately stiff differential equations.",
    ("[t, y] = ode23t(@(t, y) -y, [0 1], 1); abs(y(end) - exp(-1)) < 1e-2",),
)
declare_solver(
    "ode23tb",
    "Solve stiff differential equations.",
    ("[t, y] = ode23tb(@(t, y) -y, [0 1], 1); abs(y(end) - exp(-1)) < 1e-2",),
)
declare_solver(
    "ode78",
    "Solve non-stiff differential equations with high order.",
    ("[t, y] = ode78(@(t, y) -y, [0 1], 1); abs(y(end) - exp(-1)) < 1e-3",),
)
declare_solver(
    "ode89",
    "Solve non-stiff differential equations with very high order.",
    ("[t, y] = ode89(@(t, y) -y, [0 1], 1); abs(y(end) - exp(-1)) < 1e-3",),
)
