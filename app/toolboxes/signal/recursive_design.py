"""Recursive filters that fit a wish: yulewalk, prony, stmcb, phasedelay."""

from __future__ import annotations

import numpy as np

from app.engine import stoppable
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import (
    COUNT,
    NONEMPTY,
    NUMBERS,
    POSITIVE,
    REAL,
    VECTOR,
    real_number,
    takes,
)
from app.engine.builtins.vectors import column, flat_doubles, row, vector
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Value, is_text_scalar, numel
from app.errors import MatlabError

_FAMILY = "signal processing"


def _impulse(b: Array, a: Array, count: int) -> Array:
    from scipy import signal

    return np.asarray(signal.lfilter(b, a, np.eye(1, count)[0]))


def _numerator(h: Array, a: Array, order: int) -> Array:
    """The numerator of that order whose response with the denominator is nearest to ``h``."""
    unit = _impulse(np.ones(1), a, h.size)
    shifted = np.array(
        [np.concatenate([np.zeros(k), unit[: h.size - k]]) for k in range(order + 1)]
    )
    return np.asarray(stoppable.lstsq(shifted.T, h, rcond=None)[0])


def _wanted_magnitude(f: Array, m: Array, points: int, lap: int) -> Array:
    """Magnitudes from 0 to half the rate, steps as ramps of ``lap`` points."""
    places = f * (points - 1)
    for k in np.flatnonzero(np.diff(f) == 0):
        places[k], places[k + 1] = places[k] - lap / 2, places[k + 1] + lap / 2
    return np.asarray(np.interp(np.arange(points), places, m))


@builtin(
    "yulewalk",
    category=_FAMILY,
    least=3,
    signatures=(
        "[b, a] = yulewalk(n, f, m)",
        "[b, a] = yulewalk(n, f, m, npt)",
        "[b, a] = yulewalk(n, f, m, npt, lap)",
    ),
    cases=(
        "[b, a] = yulewalk(8, [0 .6 .6 1], [1 1 0 0]); h = abs(freqz(b, a, [.2 .9]*pi)); "
        "abs(h(1) - 1) < 0.1 && h(2) < 0.1 && all(abs(roots(a)) < 1) && numel(b) == 9",
    ),
    see=("fir2", "butter", "prony"),
)
@takes(COUNT & POSITIVE, NUMBERS & REAL & VECTOR & NONEMPTY, NUMBERS & REAL & VECTOR & NONEMPTY)
def yulewalk(
    n: Value, f: Value, m: Value, npt: Value | None = None, lap: Value | None = None
) -> Value:
    """A recursive filter of order n with magnitudes m at frequencies f from 0 to 1: rows b and a.

    The denominator solves the modified Yule-Walker equations for the correlation that the squared
    magnitude means; the numerator is the stable root of its additive part (Friedlander and Porat,
    1984). The magnitude is sampled at npt (512) points; its steps are ramps of lap points.
    """
    order = int(real_number(n))
    places, wanted = flat_doubles(f), flat_doubles(m)
    if (
        places.size != wanted.size
        or places[0] != 0
        or places[-1] != 1
        or (np.diff(places) < 0).any()
    ):
        text = "Frequencies go up from 0 to 1, and each has a magnitude."
        raise MatlabError("signal:yulewalk:InvalidRange", text)
    count = int(real_number(npt)) if npt is not None and numel(npt) else 512
    width = int(real_number(lap)) if lap is not None and numel(lap) else count // 25
    half = _wanted_magnitude(places.copy(), wanted, count + 1, width)
    power = np.concatenate([half, half[-2:0:-1]]) ** 2
    taps = 4 * order
    r = np.fft.ifft(power).real[:taps]
    r = r * (0.54 + 0.46 * np.cos(np.pi * np.arange(taps) / (taps - 1)))
    lags = np.arange(order + 1, taps)[:, None] - np.arange(1, order + 1)
    a = np.append(1, -stoppable.lstsq(r[np.abs(lags)], r[order + 1 :], rcond=None)[0])
    a = _stabilised(a)
    one_sided = r.copy()
    one_sided[0] /= 2
    q = _numerator(one_sided, a, order)
    w = np.exp(-2j * np.pi * np.arange(power.size) / power.size)
    spectrum = np.abs(2 * np.real(np.polyval(q[::-1], w) / np.polyval(a[::-1], w))) + 1e-300
    window = np.zeros(power.size)
    window[0], window[1 : power.size // 2] = 0.5, 1.0
    least_phase = np.fft.ifft(np.exp(np.fft.fft(window * np.fft.ifft(np.log(spectrum)))))
    return row(_numerator(least_phase.real[:taps], a, order)), row(a)


def _stabilised(a: Array) -> Array:
    """The denominator with roots outside the unit circle mirrored into it."""
    roots = stoppable.roots(a)
    outside = np.abs(roots) > 1
    roots[outside] = 1 / roots[outside].conj()
    return np.asarray(a[0] * np.poly(roots).real)


@builtin(
    "prony",
    category=_FAMILY,
    signatures=("[b, a] = prony(h, nb, na)",),
    cases=(
        "[b, a] = prony(filter([1 2], [1 -0.5 0.2], [1 zeros(1, 30)]), 1, 2); "
        "norm(b - [1 2]) + norm(a - [1 -0.5 0.2]) < 1e-9",
    ),
    see=("stmcb", "yulewalk", "lpc"),
)
@takes(NUMBERS & VECTOR & NONEMPTY, COUNT, COUNT)
def prony(h: Value, nb: Value, na: Value) -> Value:
    """The filter of orders nb and na with the impulse response h: Prony's method, rows b and a."""
    return tuple(row(p) for p in _pronys(vector(h), int(real_number(nb)), int(real_number(na))))


def _pronys(h: Array, zeros: int, poles: int) -> tuple[Array, Array]:
    wide = np.pad(h, (0, max(zeros + poles + 1 - h.size, 0)))
    padded = np.concatenate([np.zeros(poles), wide])
    table = np.array([padded[k : k + wide.size] for k in range(poles, -1, -1)]).T
    below = table[zeros + 1 :]
    a = np.append(1, -stoppable.lstsq(below[:, 1:], below[:, 0], rcond=None)[0])
    return table[: zeros + 1] @ a, a


@builtin(
    "stmcb",
    category=_FAMILY,
    least=3,
    most=6,
    signatures=(
        "[b, a] = stmcb(h, nb, na)",
        "[b, a] = stmcb(y, x, nb, na)",
        "[b, a] = stmcb(..., niter, ai)",
    ),
    cases=(
        "[b, a] = stmcb(filter([1 2], [1 -0.5 0.2], [1 zeros(1, 30)]), 1, 2); "
        "norm(b - [1 2]) + norm(a - [1 -0.5 0.2]) < 1e-9",
        "x = cos(0:40); [b, a] = stmcb(filter(2, [1 0.4], x), x, 0, 1); "
        "abs(b - 2) + norm(a - [1 0.4]) < 1e-9",
    ),
    see=("prony", "yulewalk"),
)
def stmcb(h: Value, *rest: Value) -> Value:
    """The filter of orders nb and na with the impulse response h, or with the output y of x.

    Steiglitz and McBride (1965): numerator and denominator are fitted together to what the last
    denominator filters, niter (5) times, from that of Prony's method or from ai.
    """
    from scipy import signal

    (NUMBERS & VECTOR & NONEMPTY)("stmcb", 1, h)
    y = vector(h)
    given = numel(rest[0]) != 1
    x = vector(rest[0]) if given else np.eye(1, y.size)[0]
    numbers = rest[int(given) :]
    if len(numbers) < 2:
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    if x.size != y.size:
        raise MatlabError("signal:stmcb:InvalidDimensions", "X and Y must have the same length.")
    zeros, poles = (int(real_number(v)) for v in numbers[:2])
    passes = int(real_number(numbers[2])) if len(numbers) > 2 and numel(numbers[2]) else 5
    a = vector(numbers[3]) if len(numbers) > 3 else _pronys(y, 0, poles)[1]
    b = np.zeros(zeros + 1)
    for _ in range(passes):
        past, driven = (signal.lfilter([1.0], a, s) for s in (y, x))
        table = [_delayed(-past, k) for k in range(1, poles + 1)]
        table += [_delayed(driven, k) for k in range(zeros + 1)]
        found = stoppable.lstsq(np.array(table).T, past, rcond=None)[0]
        a, b = np.append(1, found[:poles]), found[poles:]
    return row(b), row(a)


def _delayed(s: Array, k: int) -> Array:
    return np.concatenate([np.zeros(k), s])[: s.size]


@builtin(
    "phasedelay",
    category=_FAMILY,
    least=1,
    signatures=(
        "[phi, w] = phasedelay(b, a)",
        "[phi, w] = phasedelay(b, a, n)",
        "[phi, w] = phasedelay(b, a, w)",
        "[phi, f] = phasedelay(b, a, n, fs)",
        "phasedelay(...)",
    ),
    cases=(
        "norm(phasedelay([1 2 1], 1, [0.5 1 2]) - [1 1 1]) < 1e-12",
        "[p, f] = phasedelay([0 0 1], 1, 4, 100); norm(p(2:4) - 0.02) < 1e-12 && f(2) == 12.5",
    ),
    see=("grpdelay", "phasez", "freqz"),
)
def phasedelay(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """The phase of a filter over its frequency, with a minus: in samples, or in seconds with fs.

    Columns at n (512) frequencies below half the rate, or values at given frequencies of their
    shape. Draws without outputs.
    """
    if any(is_text_scalar(v) for v in args):
        raise MatlabError("signal:phasedelay:UnknownOption", "phasedelay takes numbers only.")
    filled = (*args, 1.0) if len(args) == 1 else args
    phi, w = ctx.call("phasez", filled, 2)
    phase, frequency = vector(phi).real, vector(w).real
    with np.errstate(all="ignore"):
        made = -phase / (frequency * (2 * np.pi if len(args) > 3 else 1))
    like = column if len(args) < 3 or numel(args[2]) == 1 else row
    if nargout:
        return like(made), like(frequency)
    ctx.call("plot", (column(frequency / np.pi), column(made)), 0)
    ctx.call("xlabel", ("Normalized Frequency (\\times\\pi rad/sample)",), 0)
    ctx.call("ylabel", ("Phase Delay (samples)",), 0)
    return ()
