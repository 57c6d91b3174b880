"""Between continuous and discrete time: c2d, d2c, d2d, pade."""

from __future__ import annotations

import math

import numpy as np

from app.engine import stoppable
from app.engine.arguments.checks import COUNT, NUMBER, POSITIVE, real_number
from app.engine.builtins.vectors import row
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    Value,
    as_array,
    canonical,
    is_numeric,
    is_text_scalar,
    text_of,
)
from app.errors import MatlabError
from app.toolboxes.control import rational
from app.toolboxes.control.conversions import like, system, to_roots, to_states
from app.toolboxes.control.lti import Lti
from app.toolboxes.control.system_arithmetic import times
from app.toolboxes.control.systems import StateSpace, TransferFunction, ZeroPoleGain

_FAMILY = "control systems"
_METHODS = {"zoh": "zoh", "foh": "foh", "impulse": "impulse", "tustin": "bilinear"}


def _word(name: str, method: Value) -> str:
    word = text_of(method).lower() if is_text_scalar(method) else ""
    known = [m for m in (*_METHODS, "matched", "prewarp") if word and m.startswith(word)]
    if not known:
        text = "The method must be zoh, foh, impulse, tustin or matched."
        raise MatlabError(f"Control:transformation:{name}1", text)
    return known[0]


@builtin(
    "c2d",
    category=_FAMILY,
    signatures=(
        "sysd = c2d(sys, Ts)",
        "sysd = c2d(sys, Ts, method)",
        "sysd = c2d(sys, Ts, 'prewarp', w)",
        "[Phi, Gamma] = c2d(A, B, Ts)",
    ),
    cases=(
        "[p, g] = c2d(-1, 2, 0.5); abs(p - exp(-0.5)) + abs(g - 2*(1 - exp(-0.5))) < 1e-12",
        "d = c2d(tf(1, [1 1]), 0.5); norm(d.den{1} - [1 -exp(-0.5)]) < 1e-12",
        "d = c2d(tf(1, [1 0]), 2, 'tustin'); norm(d.num{1} - [1 1]) < 1e-12",
        "d = c2d(tf(1, [1 0]), 2, 't'); e = c2d(tf(1, [1 0]), 2, 'z'); "
        "norm(d.num{1} - [1 1]) < 1e-12 && norm(e.num{1} - [0 2]) < 1e-12",
    ),
    see=("d2c", "d2d"),
)
def c2d(sys: Value, ts: Value, method: Value = "zoh", w: Value = 0.0, *, nargout: int = 1) -> Value:
    """The system in discrete time: zoh, foh, impulse, tustin or matched.

    With two outputs the matrices of ``x' = A*x + B*u`` for a constant input between samples.
    """
    from scipy.signal import cont2discrete

    if nargout == 2 and is_numeric(sys):
        held = _held_matrices(sys, ts, method)
        return canonical(held.a), canonical(held.b)
    s = system("c2d", sys)
    (NUMBER & POSITIVE)("c2d", 2, ts)
    step, word = real_number(ts), _word("c2d", method)
    if s.ts:
        raise MatlabError("Control:transformation:c2d2", "The system is already in discrete time.")
    if word == "matched":
        return like(s, _matched_poles_and_zeros(to_roots(s), step))
    m = to_states(s)
    if word in ("tustin", "prewarp"):
        factor = real_number(w)
        rate = 2 / step if word == "tustin" or not factor else factor / math.tan(factor * step / 2)
        made = _tustin(m, rate, step)
    elif word == "zoh" or not m.order:
        made = _zero_order_hold(m, step)
    else:
        a, b, c, d, _ = cont2discrete((m.a, m.b, m.c, m.d), step, method=_METHODS[word])
        b, d = (b * step, d * step) if word == "impulse" else (b, d)
        made = StateSpace(a, b, c, d, step)
    return _with_delay_states(like(s, made), s.delay, step)


def _zero_order_hold(m: StateSpace, step: float) -> StateSpace:
    n, inputs = m.b.shape
    whole = np.zeros((n + inputs, n + inputs))
    whole[:n, :n], whole[:n, n:] = m.a * step, m.b * step
    made = stoppable.exponential(whole)
    return StateSpace(made[:n, :n], made[:n, n:], m.c, m.d, step)


def _with_delay_states(s: Lti, delay: float, step: float) -> Lti:
    """Dead time as a whole number of samples."""
    steps = round(delay / step)
    if abs(steps * step - delay) > 1e-9 * step:
        text = "The dead time must be a multiple of the sample time."
        raise MatlabError("Control:transformation:c2d3", text)
    s.delay = float(steps)
    return s


def _tustin(m: StateSpace, rate: float, ts: float) -> StateSpace:
    """``s = rate (z - 1)/(z + 1)``."""
    eye = np.eye(m.order)
    inverse = stoppable.inv(rate * eye - m.a)
    a = inverse @ (rate * eye + m.a)
    b = inverse @ m.b
    return StateSpace(a, 2 * rate * b, m.c @ inverse, m.d + m.c @ b, ts)


def _matched_poles_and_zeros(s: ZeroPoleGain, ts: float) -> ZeroPoleGain:
    if s.io != (1, 1):
        text = "The matched method is for one input and one output."
        raise MatlabError("Control:transformation:c2d4", text)
    z, p = np.exp(s.z[0, 0] * ts), np.exp(s.p[0, 0] * ts)
    z = np.concatenate([z, -np.ones(max(p.size - z.size - 1, 0))])
    near = next(
        (
            x
            for x in (0.0, 0.1, 0.7)
            if not np.any(np.abs(s.p[0, 0] - x) < 1e-9) and not np.any(np.abs(s.z[0, 0] - x) < 1e-9)
        ),
        0.3,
    )
    wanted = s.k[0, 0] * np.prod(near - s.z[0, 0]) / np.prod(near - s.p[0, 0])
    at = np.exp(near * ts)
    k = np.real(wanted * np.prod(at - p) / np.prod(at - z))
    return ZeroPoleGain(rational.channels([[z]]), rational.channels([[p]]), np.array([[k]]), ts)


@builtin(
    "d2c",
    words="zoh tustin",
    category=_FAMILY,
    signatures=("sys = d2c(sysd)", "sys = d2c(sysd, method)"),
    cases=(
        "s = d2c(c2d(tf(2, [1 3]), 0.1)); norm(s.den{1} - [1 3]) < 1e-9",
        "s = d2c(c2d(tf(2, [1 3]), 1, 'tustin'), 'tustin'); abs(dcgain(s) - 2/3) < 1e-9",
    ),
    see=("c2d",),
)
def d2c(sys: Value, method: Value = "zoh") -> Value:
    """The system in continuous time: zoh or tustin."""
    s = system("d2c", sys)
    if not s.ts:
        raise MatlabError("Control:transformation:d2c2", "The system is in continuous time.")
    m, word = to_states(s), _word("d2c", method)
    if word == "tustin":
        rate, eye = 2 / abs(s.ts), np.eye(m.order)
        inverse = stoppable.inv(eye + m.a)
        made = StateSpace(
            rate * inverse @ (m.a - eye),
            rate * inverse @ m.b,
            2 * m.c @ inverse,
            m.d - m.c @ inverse @ m.b,
        )
        return like(s, made)
    if word != "zoh":
        raise MatlabError("Control:transformation:d2c3", "The method must be zoh or tustin.")
    return like(s, _unheld(m))


def _held_matrices(a: Value, b: Value, ts: Value) -> StateSpace:
    (NUMBER & POSITIVE)("c2d", 3, ts)
    states, inputs = (np.atleast_2d(np.asarray(as_array(v), dtype=float)) for v in (a, b))
    n = len(states)
    if states.shape != (n, n) or len(inputs) != n:
        text = "A must be square, and B must have a row for every state."
        raise MatlabError("Control:transformation:c2d3", text)
    m = StateSpace(states, inputs, np.eye(n), np.zeros(inputs.shape))
    return _zero_order_hold(m, real_number(ts))


def _unheld(m: StateSpace) -> StateSpace:
    from scipy.linalg import logm

    n, inputs = m.b.shape
    whole = np.zeros((n + inputs, n + inputs))
    whole[:n, :n], whole[:n, n:], whole[n:, n:] = m.a, m.b, np.eye(inputs)
    poles = stoppable.eigvals(m.a) if n else np.zeros(0)
    if np.any((np.abs(poles.imag) < 1e-12) & (poles.real <= 1e-12)):
        text = "A system with poles at or left of zero has no counterpart in continuous time."
        raise MatlabError("Control:transformation:d2c4", text)
    made = np.real(stoppable.of_triangle(logm, whole)) / abs(m.ts)
    return StateSpace(made[:n, :n], made[:n, n:], m.c, m.d)


@builtin(
    "d2d",
    category=_FAMILY,
    signatures=("sys = d2d(sysd, Ts)", "sys = d2d(sysd, Ts, method)"),
    cases=("d = d2d(c2d(tf(1, [1 1]), 0.1), 0.5); norm(d.den{1} - [1 -exp(-0.5)]) < 1e-9",),
    see=("c2d", "d2c"),
)
def d2d(sys: Value, ts: Value, method: Value = "zoh") -> Value:
    """The system with another sample time."""
    return c2d(d2c(sys, method), ts, method)


@builtin(
    "pade",
    category=_FAMILY,
    signatures=("[num, den] = pade(T, N)", "sys = pade(sys, N)"),
    cases=("[n, d] = pade(2, 1); isequal(n, [-1 1]) && isequal(d, [1 1])",),
    see=("tf",),
)
def pade(first: Value, n: Value = 1.0) -> Value:
    """Dead time by a fraction of two polynomials of degree N."""
    COUNT("pade", 2, n)
    degree = int(real_number(n))
    if isinstance(first, Lti):
        num, den = _pade(first.delay, degree)
        part = TransferFunction(rational.channels([[num]]), rational.channels([[den]]))
        plain = system("pade", first).channel(list(range(first.io[0])), list(range(first.io[1])))
        plain.delay = 0.0
        return times(plain, part)
    num, den = _pade(real_number(first), degree)
    return row(num), row(den)


def _pade(delay: float, n: int) -> tuple[Array, Array]:
    if delay == 0 or n == 0:
        return np.ones(1), np.ones(1)
    orders = np.arange(n)  # each coefficient from the one before: factorials would overflow
    ratios = delay * (n - orders) / ((2.0 * n - orders) * (orders + 1))
    den = np.append(1.0, np.cumprod(ratios))[::-1]
    if den[0] == 0 or not np.isfinite(den[0]):
        text = f"The coefficients of degree {n} leave the range of numbers; take a smaller degree."
        raise MatlabError("Control:transformation:pade2", text)
    num = den * (-1.0) ** np.arange(n, -1, -1)
    return num / den[0], den / den[0]
