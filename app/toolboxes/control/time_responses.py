"""Responses over time: step, impulse, initial, lsim, stepinfo."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import NUMBER, POSITIVE, real_number
from app.engine.builtins.vectors import column
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Value, as_array, canonical, is_text_scalar, numel
from app.errors import MatlabError
from app.toolboxes.control.conversions import system, to_states
from app.toolboxes.control.lti import Lti
from app.toolboxes.control.response_plots import (
    arrays_of_model,
    plot_responses,
    systems_and_rest,
    with_model,
)
from app.toolboxes.control.system_properties import poles_of
from app.toolboxes.control.systems import StateSpace

_FAMILY = "control systems"
Response = tuple[Array, Array, Array]
"""Times; outputs by time, output and input; states likewise."""


def times_of(s: Lti, wanted: Value | None) -> Array:
    """The times asked for: a vector, a final time, or one that shows the slowest mode."""
    given = (
        np.zeros(0) if wanted is None else np.asarray(as_array(wanted), dtype=np.float64).ravel()
    )
    if given.size > 1:
        return given
    final = float(given[0]) if given.size else _final(s)
    if s.ts:
        step = abs(s.ts)
        return np.arange(round(final / step) + 1) * step
    poles = np.abs(poles_of(s))
    fastest = float(poles.max(initial=0.0))
    count = min(max(200, int(final * fastest * 5)), 5000)
    return np.linspace(0, final, count + 1)


def _final(s: Lti) -> float:
    poles = poles_of(s).astype(complex)
    if s.ts:
        with np.errstate(all="ignore"):
            poles = np.log(poles[np.abs(poles) > 1e-6]) / abs(s.ts)
    slow = np.abs(poles.real[np.abs(poles.real) > 1e-8])
    growing = poles.real[poles.real > 1e-8]
    if growing.size:
        return float(max(3 / growing.max(), 1e-6)) + s.delay
    turning = np.abs(poles.imag[np.abs(poles.real) <= 1e-8])
    final = float(5.5 / slow.min()) if slow.size else 10.0
    if turning.max(initial=0):
        final = max(final if slow.size else 0.0, 10 * np.pi / float(turning[turning > 0].min()))
    if s.ts:
        final = max(final, 20 * abs(s.ts))
    return final + s.delay


def simulated(
    s: StateSpace, u: Array, t: Array, start: Array, *, hold: bool
) -> tuple[Array, Array]:
    """Outputs and states for inputs at evenly spaced times."""
    from scipy import signal

    if s.ts:
        made = signal.dlsim((s.a, s.b, s.c, s.d, abs(s.ts)), u, x0=start)
        return np.asarray(made[1]), np.asarray(made[2])
    if not s.order:
        return u @ s.d.T, np.zeros((t.size, 0))
    _, y, x = signal.lsim((s.a, s.b, s.c, s.d), u, t - t[0], X0=start, interp=not hold)
    return np.asarray(y).reshape(t.size, -1), np.asarray(x).reshape(t.size, -1)


def _times_after_delay(s: Lti, t: Array) -> tuple[Array, Array]:
    """Times less the dead time, and which of them are past it."""
    moved = t - s.delay * (abs(s.ts) or 1)
    return moved, moved >= -1e-12


def step_of(s: Lti, t: Array, kind: str = "step") -> Response:
    """The answer to a unit step or impulse at every input."""
    m = to_states(s)
    outputs, inputs = m.io
    y, x = np.zeros((t.size, outputs, inputs)), np.zeros((t.size, m.order, inputs))
    moved, past = _times_after_delay(s, t)
    for j in range(inputs):
        u, start = np.ones((t.size, 1)), np.zeros(m.order)
        one = m.channel(list(range(outputs)), [j])
        if kind == "impulse":
            u = np.zeros((t.size, 1))
            start = m.b[:, j]
            if m.ts:
                u[0], start = 1 / abs(m.ts), np.zeros(m.order)
        found = simulated(one, u, t, start, hold=True)
        for target, values in zip((y, x), found, strict=True):
            for k in range(values.shape[1] if s.delay else 0):
                target[past, k, j] = np.interp(moved[past], t, values[:, k])
            if not s.delay:
                target[:, :, j] = values
    return t, y, x


def _response_array(a: Array) -> Value:
    return canonical(a[:, :, 0] if a.shape[2] == 1 else a)


def _step_or_impulse(ctx: CallContext, kind: str, args: tuple[Value, ...], nargout: int) -> Value:
    systems, rest, styles = systems_and_rest(kind, args)
    wanted = rest[0] if rest and numel(rest[0]) else None
    made = [step_of(s, times_of(s, wanted), kind) for s in systems]
    if not nargout:
        title = "Step Response" if kind == "step" else "Impulse Response"
        return plot_responses(
            ctx, [(t, y) for t, y, _ in made], styles, title, [bool(s.ts) for s in systems]
        )
    t, y, x = made[0]
    return _in_order(args, _response_array(y), column(t), _response_array(x))


def _in_order(args: tuple[Value, ...], y: Value, t: Value, x: Value) -> Value:
    """Outputs, times and states; the states before the times for arrays instead of a model."""
    return (y, x, t) if arrays_of_model(args) else (y, t, x)


@builtin(
    "step",
    category=_FAMILY,
    least=1,
    signatures=(
        "step(sys)",
        "step(sys1, sys2, ...)",
        "[y, t, x] = step(sys)",
        "[y, t, x] = step(sys, t)",
        "[y, x, t] = step(num, den, t)",
        "[y, x, t] = step(A, B, C, D, iu, t)",
    ),
    cases=(
        "[y, t] = step(tf(1, [1 1]), 0:0.1:5); norm(y - (1 - exp(-t))) < 1e-12",
        "y = step(tf(1, [1 -0.5], 1), 0:3); norm(y' - [0 1 1.5 1.75]) < 1e-12",
        "[y, x, t] = step(-1, [3 1], 1, [0 0], 2, 0:0.5:2); norm([y x] - (1 - exp(-t))) < 1e-12",
    ),
    see=("impulse", "lsim", "stepinfo"),
)
def step(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """The response to a unit step; draws it when no output is taken.

    ``t`` is a vector of times or a final time. Outputs are times by outputs by inputs.
    """
    return _step_or_impulse(ctx, "step", args, nargout)


@builtin(
    "impulse",
    category=_FAMILY,
    least=1,
    signatures=(
        "impulse(sys)",
        "impulse(sys1, sys2, ...)",
        "[y, t, x] = impulse(sys)",
        "[y, t, x] = impulse(sys, t)",
        "[y, x, t] = impulse(num, den, t)",
    ),
    cases=("[y, t] = impulse(tf(1, [1 1]), 0:0.1:5); norm(y - exp(-t)) < 1e-12",),
    see=("step", "lsim"),
)
def impulse(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """The response to a unit impulse; draws it when no output is taken."""
    return _step_or_impulse(ctx, "impulse", args, nargout)


@builtin(
    "initial",
    category=_FAMILY,
    least=2,
    signatures=(
        "initial(sys, x0)",
        "[y, t, x] = initial(sys, x0)",
        "[y, t, x] = initial(sys, x0, t)",
        "[y, x, t] = initial(A, B, C, D, x0, t)",
    ),
    cases=(
        "[y, x, t] = initial(-1, 1, 2, 0, 3, 0:0.5:2); norm(y - 6*exp(-t)) + norm(y - 2*x) < 1e-12",
        "[y, t] = initial(ss(-1, 1, 2, 0), 3, 0:0.5:2); norm(y - 6*exp(-t)) < 1e-12",
    ),
    see=("step", "lsim"),
)
def initial(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """The response of a state-space system to an initial state, without input."""
    sys, *rest = with_model(args)
    if not rest:
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    if len(rest) > 2:
        raise MatlabError("MATLAB:maxrhs", "Too many input arguments.")
    x0, t = rest[0], rest[1] if len(rest) > 1 else None
    s = system("initial", sys)
    if not isinstance(s, StateSpace):
        text = "The response to an initial state needs a state-space model."
        raise MatlabError("Control:analysis:initial1", text)
    times = times_of(s, t)
    start = _start(x0, s)
    y, x = simulated(s, np.zeros((times.size, s.io[1])), times, start, hold=True)
    if not nargout:
        return plot_responses(
            ctx, [(times, y[:, :, None])], [None], "Response to Initial Conditions", [bool(s.ts)]
        )
    return _in_order(args, canonical(y), column(times), canonical(x))


def _start(x0: Value, s: StateSpace) -> Array:
    start = np.asarray(as_array(x0), dtype=np.float64).ravel(order="F")
    if start.size != s.order:
        text = f"The initial state must have {s.order} elements."
        raise MatlabError("Control:analysis:initial2", text)
    return start


@builtin(
    "lsim",
    category=_FAMILY,
    least=2,
    signatures=(
        "lsim(sys, u, t)",
        "[y, t, x] = lsim(sys, u, t)",
        "[y, t, x] = lsim(sys, u, t, x0)",
        "[y, t, x] = lsim(sys, u, t, x0, method)",
        "[y, x] = lsim(num, den, u, t)",
        "[y, x] = lsim(A, B, C, D, u, t, x0)",
    ),
    cases=(
        "t = (0:0.01:2)'; y = lsim(tf(1, [1 1]), t, t); norm(y-t+1-exp(-t)) < 1e-10",
        "y = lsim(tf(1, [1 -0.5], 1), [1 0 0 0]); norm(y' - [0 1 0.5 0.25]) < 1e-12",
    ),
    see=("step", "impulse", "gensig"),
)
def lsim(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """The response to any input: one column per input, one row per time.

    ``lsim(sys, u, t, x0, method)``: between samples the input is a straight line, or constant
    with the method ``'zoh'``.
    """
    sys, *more = with_model(args)
    if not more:
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    u, *more = more
    if len(more) > 3:
        raise MatlabError("MATLAB:maxrhs", "Too many input arguments.")
    t = more[0] if more else None
    x0 = more[1] if len(more) > 1 else None
    method = more[2] if len(more) > 2 else "foh"
    s = system("lsim", sys)
    m = to_states(s)
    inputs = np.asarray(as_array(u), dtype=np.float64)
    inputs = inputs.T if inputs.shape[0] == m.io[1] != inputs.shape[1] else inputs
    times = (
        np.arange(inputs.shape[0]) * abs(s.ts or 1.0)
        if t is None or not numel(t)
        else (np.asarray(as_array(t), dtype=np.float64).ravel())
    )
    if inputs.shape != (times.size, m.io[1]) or times.size < 2:
        text = "The input needs one row for every time and one column for every input."
        raise MatlabError("Control:analysis:lsim1", text)
    start = np.zeros(m.order) if x0 is None or not numel(x0) else _start(x0, m)
    hold = is_text_scalar(method) and method == "zoh"
    if s.delay:
        moved, _ = _times_after_delay(s, times)
        inputs = np.column_stack([np.interp(moved, times, c, left=0.0) for c in inputs.T])
    y, x = simulated(m, inputs, times, start, hold=hold)
    if not nargout:
        return plot_responses(
            ctx, [(times, y[:, :, None])], [None], "Linear Simulation Results", [bool(s.ts)]
        )
    return _in_order(args, canonical(y), column(times), canonical(x))


@builtin(
    "gensig",
    category=_FAMILY,
    signatures=("[u, t] = gensig(type, tau)", "[u, t] = gensig(type, tau, Tf, Ts)"),
    cases=("[u, t] = gensig('square', 4, 8, 1); isequal(u', [0 0 1 1 0 0 1 1 0])",),
    see=("lsim",),
)
def gensig(kind: Value, tau: Value, final: Value | None = None, ts: Value | None = None) -> Value:
    """A periodic test signal: ``'sin'``, ``'square'`` or ``'pulse'`` with period tau."""
    (NUMBER & POSITIVE)("gensig", 2, tau)
    period = real_number(tau)
    end = 5 * period if final is None else real_number(final)
    if ts is not None:
        (NUMBER & POSITIVE)("gensig", 4, ts)
    step_ = period / 64 if ts is None else real_number(ts)
    t = np.arange(int(np.floor(end / step_ + 1e-9)) + 1) * step_
    phase = np.mod(t + 1e-12 * period, period)
    made = {
        "si": lambda: np.sin(2 * np.pi * t / period),
        "sq": lambda: phase >= period / 2,
        "pu": lambda: phase < step_ * (1 - 1e-9),
    }.get(str(kind).lower()[:2])
    if made is None:
        raise MatlabError("Control:analysis:gensig1", "The type must be sin, square or pulse.")
    return column(np.asarray(made(), dtype=np.float64)), column(t)
