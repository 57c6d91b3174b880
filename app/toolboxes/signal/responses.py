"""How filters answer: impulse, step, group delay, phase, poles; analog ones too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from app.engine import stoppable
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import COUNT, NONEMPTY, NUMBERS, real_number, takes
from app.engine.builtins.signals.pictures import CIRCLE, draw, draw_response, frequencies
from app.engine.builtins.vectors import column, is_given, row, vector, whole
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Value, is_text_scalar, numel, size_of, text_of
from app.toolboxes.signal.filter_design import split_points
from app.toolboxes.signal.sections import filter_of

_FAMILY = "signal processing"
_DRAWN = "\n\nWithout outputs it is drawn."
_FILTER = NUMBERS & NONEMPTY


def response_length(b: Array, a: Array) -> int:
    """Samples until an impulse has died away to a hundred-thousandth, at most 10,000."""
    poles = np.abs(stoppable.roots(a)) if a.size > 1 else np.zeros(0)
    slowest = poles.max(initial=0.0)
    if a.size <= 1 or slowest == 0:
        return max(int(b.size), 1)
    if slowest >= 1 - 1e-9:
        return 100
    return min(max(int(np.ceil(np.log(5e-5) / np.log(slowest))), b.size), 10_000)


def declare_answer(
    name: str, summary: str, case: str, title: str, signal_of: Callable[[int], Array]
) -> None:
    """Declare the answer of a filter to a signal."""

    def answer(
        ctx: CallContext,
        b: Value,
        a: Value | None = None,
        n: Value | None = None,
        fs: Value | None = None,
        *,
        nargout: int = 1,
    ) -> Value:
        from scipy import signal

        num, den, more = filter_of(b, a, n, fs)
        n, fs = (more + [None, 1.0][len(more) :])[:2]
        if is_given(n) and numel(n) > 1:
            places = vector(n).astype(int)
        else:
            places = np.arange(whole(n) if is_given(n) else response_length(num, den))
        data = signal_of(int(places.max(initial=-1)) + 1)
        work = data.size * min(data.size, max(num.size, den.size))
        h = stoppable.of_elements(work, lambda: signal.lfilter(num, den, data))[places]
        t = places / real_number(fs)
        if nargout:
            return column(h), column(t)
        words = (title, "n (samples)", "Amplitude")
        draw(ctx, t.reshape(-1, 1), h.reshape(-1, 1), words, "stem", "filled")
        return None

    builtin(
        name,
        words="whole",
        category=_FAMILY,
        cases=(case,),
        text=summary + _DRAWN,
        signatures=(f"{name}(b, a)", f"[h, t] = {name}(b, a, n, fs)", f"h = {name}(sos, n)"),
        see=("freqz", "filter"),
    )(takes(_FILTER, _FILTER)(answer))


declare_answer(
    "impz",
    "Impulse response of a digital filter.",
    "isequal(impz([1 2 3], 1), [1; 2; 3])",
    "Impulse Response",
    lambda n: np.eye(1, n)[0],
)
declare_answer(
    "stepz",
    "Step response of a digital filter.",
    "isequal(stepz([1 2 3], 1), [1; 3; 6])",
    "Step Response",
    np.ones,
)


def declare_phase(
    name: str, summary: str, case: str, label: str, measure: Callable[[Array, Array, Any, Any], Any]
) -> None:
    """Declare a measure of the phase over frequency."""

    def over(
        ctx: CallContext,
        b: Value,
        a: Value | None = None,
        n: Value | None = None,
        *given: Value,
        nargout: int = 1,
    ) -> Value:
        num, den, (n, *rest) = split_points(b, a, n, *given)
        rates = [real_number(v) for v in rest if not is_text_scalar(v)]
        rate = rates[0] if rates else CIRCLE
        circle = 1.0 if any(is_text_scalar(v) and text_of(v) == "whole" for v in rest) else 0.5
        w = vector(n) if numel(n) > 1 else np.arange(whole(n)) * circle * rate / whole(n)
        found = measure(num, den, w, rate)
        if nargout:
            return column(found), column(w)
        x, across = frequencies(w, rate)
        words = (summary.rstrip("."), across, label)
        draw(ctx, x.reshape(-1, 1), found.reshape(-1, 1), words)
        return None

    builtin(
        name,
        words="whole",
        category=_FAMILY,
        cases=(case,),
        text=summary + _DRAWN,
        signatures=(f"{name}(b, a)", f"[g, w] = {name}(b, a, n, fs)", f"g = {name}(sos, n)"),
        see=("freqz",),
    )(takes(_FILTER, _FILTER)(over))


def _group_delay(b: Array, a: Array, w: Any, rate: float) -> Any:
    """By the ramp-weighted polynomial of b and the reversed a (J. O. Smith, 2007)."""
    c = np.convolve(b, a[::-1].conj())
    z = np.exp(-2j * np.pi * w / rate)
    ramp = np.polyval((c * np.arange(c.size))[::-1], z)
    base = np.polyval(c[::-1], z)
    safe = np.abs(base) > 1e-12 * np.abs(c).sum()
    return np.where(safe, np.real(ramp / np.where(safe, base, 1)) - (a.size - 1), 0.0)


def _phase(b: Array, a: Array, w: Any, rate: float) -> Any:
    z = np.exp(-2j * np.pi * w / rate)
    return np.unwrap(np.angle(np.polyval(b[::-1], z) / np.polyval(a[::-1], z)))


declare_phase(
    "grpdelay",
    "Group delay of a digital filter in samples.",
    "norm(grpdelay([1 2 1], 1, 8) - 1) < 1e-12",
    "Group delay (samples)",
    _group_delay,
)
declare_phase(
    "phasez",
    "Phase of a digital filter in radians.",
    "abs(max(phasez([0 1], 1, 8))) < 1e-12",
    "Phase (radians)",
    _phase,
)


@builtin(
    "zplane",
    category=_FAMILY,
    least=1,
    signatures=("zplane(z, p)", "zplane(b, a)", "[hz, hp] = zplane(z, p)"),
    cases=(
        "close all; zplane([0; 1], 0.5); ok = numel(findobj(gca, 'Type', 'line')) > 1; "
        "close all; ok",
    ),
    see=("roots", "freqz"),
)
def zplane(ctx: CallContext, z: Value, p: Value = 1.0, *, nargout: int = 0) -> Value:
    """Zeros (o) and poles (x) in the complex plane, with the unit circle.

    Columns are zeros and poles themselves, rows the coefficients of a filter.
    """
    zeros, poles = vector(z), vector(p)
    if all(size_of(v)[0] == 1 for v in (z, p)) and numel(z) + numel(p) > 2:
        size = max(zeros.size, poles.size)
        padded = [np.concatenate([v, np.zeros(size - v.size)]) for v in (zeros, poles)]
        zeros, poles = (stoppable.roots(v) if v.size > 1 else np.zeros(0) for v in padded)
    turn = np.exp(1j * np.linspace(0, CIRCLE, 201))
    ctx.call("plot", (row(turn.real), row(turn.imag), ":"), 0)
    ctx.call("hold", ("on",), 0)
    marks = [
        ctx.call("plot", (column(v.real), column(v.imag), mark), 1)[0]
        for v, mark in ((zeros, "o"), (poles, "x"))
    ]
    ctx.call("hold", ("off",), 0)
    ctx.call("axis", ("equal",), 0)
    for function, text in (
        ("xlabel", "Real Part"),
        ("ylabel", "Imaginary Part"),
        ("title", "Pole-Zero Plot"),
    ):
        ctx.call(function, (text,), 0)
    return tuple(marks) if nargout else None


@builtin(
    "freqs",
    category=_FAMILY,
    signatures=("freqs(b, a)", "h = freqs(b, a, w)", "[h, w] = freqs(b, a, n)"),
    cases=("abs(freqs(1, [1 1], 1) - 1/(1+1i)) < 1e-15",),
    see=("freqz",),
)
@takes(_FILTER, _FILTER)
def freqs(
    ctx: CallContext, b: Value, a: Value, w: Value | None = None, *, nargout: int = 1
) -> Value:
    """Frequency response of an analog filter; without outputs it is drawn."""
    from scipy import signal

    count = 200 if not is_given(w) else whole(w) if numel(w) == 1 and nargout > 1 else 0
    points: Any = count or vector(w)
    found = stoppable.of_array(signal.freqs, stoppable.MANY_ROOTS)
    at, h = found(vector(b), vector(a), points)
    if not nargout:
        draw_response(ctx, at, h, 1.0)
        return None
    return row(np.asarray(h)), row(np.asarray(at))


@builtin(
    "kaiserord",
    category=_FAMILY,
    signatures=("[n, Wn, beta, type] = kaiserord(f, a, dev, fs)",),
    cases=("kaiserord([1000 1500], [1 0], [0.05 0.01], 8000) == 36",),
    see=("fir1", "kaiser"),
)
@takes(NUMBERS & NONEMPTY, NUMBERS & NONEMPTY, NUMBERS & NONEMPTY, COUNT)
def kaiserord(f: Value, a: Value, dev: Value, fs: Value = 2.0) -> Value:
    """Order, edges, shape and type of a Kaiser-window filter (J. F. Kaiser, 1974)."""
    edges, gains, ripples = vector(f) / real_number(fs), vector(a), vector(dev)
    ripple = np.broadcast_to(ripples, gains.shape) / np.where(gains > 0, gains, 1.0)
    attenuation = -20 * np.log10(ripple.min())
    beta = 0.0
    if attenuation > 50:
        beta = 0.1102 * (attenuation - 8.7)
    elif attenuation >= 21:
        beta = 0.5842 * (attenuation - 21) ** 0.4 + 0.07886 * (attenuation - 21)
    gaps = np.diff(edges)[::2]
    order = int(np.ceil((attenuation - 7.95) / (2.285 * 2 * np.pi * gaps.min())))
    middles = edges[::2] + gaps / 2
    kind = {(1, 0): "low", (0, 1): "high", (0, 1, 0): "bandpass", (1, 0, 1): "stop"}.get(
        tuple((gains > 0).astype(int).tolist()), "DC-0" if gains[0] == 0 else "DC-1"
    )
    order += bool(order % 2 and gains[-1] > 0)
    return float(order), row(2 * middles), float(beta), kind
