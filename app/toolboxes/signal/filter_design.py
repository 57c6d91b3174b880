"""Digital filters: designing them, their responses, running them both ways."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine import stoppable
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import (
    MATRIX,
    NONEMPTY,
    NUMBERS,
    real_number,
    takes,
    within,
)
from app.engine.arguments.dimensions import first_axis
from app.engine.builtins.signals import recursion_forms, spectral_forms
from app.engine.builtins.vectors import column, is_given, real_float, row, vector, whole
from app.engine.declarations.device_support import of_resident
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Value, canonical, is_text_scalar, numel, size_of, text_of
from app.errors import MatlabError
from app.toolboxes.signal.cut_coefficients import cut_silently
from app.toolboxes.signal.sections import filter_of, is_cascade

_FAMILY = "signal processing"


@builtin(
    "filtfilt",
    category=_FAMILY,
    signatures=("y = filtfilt(b, a, x)", "y = filtfilt(sos, g, x)"),
    device=of_resident(recursion_forms.filtfilt),
    cases=(
        "norm(filtfilt(1, 1, [1 2 3 4]) - [1 2 3 4]) < 1e-15",
        "[b, a] = butter(4, .3); [s, g] = tf2sos(b, a); x = exp(-((1:200) - 90).^2/50); "
        "norm(filtfilt(s, g, x) - filtfilt(b, a, x)) < 1e-5",
    ),
    see=("filter",),
)
def filtfilt(b: Value, a: Value, x: Value) -> Value:
    """Zero-phase filtering: forwards and backwards, with reflected ends."""
    from scipy import signal

    data = real_float(x)
    axis = first_axis(data.shape)
    if is_cascade(b):
        return canonical(_sections_both_ways(real_float(b), real_float(a), data, axis))
    num, den = vector(b), vector(a)
    if max(num.size, den.size) == 1:
        return canonical(data * (num[0] / den[0]) ** 2)
    pad = 3 * (max(num.size, den.size) - 1)
    _require_samples(data.shape[axis], pad)
    return canonical(signal.filtfilt(num, den, data, axis=axis, padlen=pad))


def _sections_both_ways(sos: Array, gains: Array, data: Array, axis: int) -> Array:
    """One section after the other, all with the reflected ends that the whole filter needs."""
    from scipy import signal

    order = int((np.count_nonzero(sos[:, 3:], axis=1) - 1).sum())
    order = max(order, int((np.count_nonzero(sos[:, :3], axis=1) - 1).sum()), 1)
    _require_samples(data.shape[axis], 3 * order)
    done = data * np.prod(gains) ** 2
    for section in sos:
        done = signal.filtfilt(section[:3], section[3:], done, axis=axis, padlen=3 * order)
    return done


def split_points(
    b: Value, a: Value | None, *given: Value | None
) -> tuple[Array, Array, list[Value]]:
    """Numerator, denominator, where to look (512 points without it), and further arguments."""
    num, den, rest = filter_of(b, a, *given)
    if not rest or is_text_scalar(rest[0]):
        rest = [512.0, *rest]
    return num, den, rest if numel(rest[0]) else [512.0, *rest[1:]]


def _require_samples(count: int, pad: int) -> None:
    if count <= pad:
        text = f"Data must have length more than {pad} samples."
        raise MatlabError("signal:filtfilt:InvalidDimensionsDataShortForFiltOrder", text)


@builtin(
    "freqz",
    words="whole half",
    category=_FAMILY,
    signatures=(
        "freqz(b, a)",
        "[h, w] = freqz(b, a, n)",
        "[h, f] = freqz(b, a, n, fs)",
        "h = freqz(b, a, w)",
        "[h, w] = freqz(sos, n)",
    ),
    cases=(
        "norm(freqz(1, 1, 4) - ones(4, 1)) < 1e-15",
        "norm(freqz([1 1 0 1 0 0; 1 2 0 1 0 0], 4) - freqz([1 3 2], 1, 4)) < 1e-12",
    ),
    see=("filter", "fft"),
)
def freqz(
    ctx: CallContext,
    b: Value,
    a: Value | None = None,
    n: Value | None = None,
    *given: Value,
    nargout: int = 1,
) -> Value:
    """Frequency response of a digital filter at n points of the upper half circle.

    Without outputs magnitude and phase are drawn.
    """
    from scipy import signal

    from app.engine.builtins.signals.pictures import draw_response

    num, den, (n, *rest) = split_points(b, a, n, *given)
    circle = any(isinstance(v, str) and v == "whole" for v in rest)
    rates = [real_number(v) for v in rest if not isinstance(v, str) and numel(v)]
    points: Any = whole(n) if numel(n) == 1 else vector(n)
    fs = rates[0] if rates else 2 * np.pi
    w, h = signal.freqz(num, den, worN=points, whole=circle, fs=fs)
    if not nargout:
        draw_response(ctx, w, h, fs)
        return None
    shape = (-1, 1) if numel(n) == 1 else size_of(n)
    return canonical(np.asarray(h).reshape(shape)), canonical(w.reshape(shape))


def _design(
    kind: str,
    n: Value,
    wn: Value,
    rest: tuple[Value, ...],
    nargout: int,
    ripples: tuple[float, ...] = (),
) -> Value:
    from scipy import signal

    flags = [text_of(v).lower() for v in rest if isinstance(v, str)]
    analog = "s" in flags
    edges = vector(wn)
    if not analog and np.any((edges <= 0) | (edges >= 1)):
        text = "The cutoff frequencies must be within the interval of (0,1)."
        raise MatlabError(f"signal:{kind}:InvalidCutoffFrequency", text)
    band = {"high": "highpass", "stop": "bandstop", "low": "lowpass", "bandpass": "bandpass"}
    default = "bandpass" if edges.size == 2 else "lowpass"
    btype = next((band[f] for f in flags if f in band), default)
    if real_number(n) < 1 or real_number(n) % 1:
        text = f"Expected input number 1 of {kind}, N, to be a positive integer."
        raise MatlabError(f"MATLAB:{kind}:expectedPositive", text)
    if edges.size > 2 or {*flags} - {*band, "s", "z"}:
        text = "One or two cutoff frequencies; the type is 'low', 'high', 'bandpass' or 'stop'."
        raise MatlabError(f"signal:{kind}:InvalidParam", text)
    critical = edges if edges.size == 2 else float(edges[0])
    form = {0: "ba", 1: "ba", 2: "ba", 3: "zpk", 4: "ss"}[nargout]
    design = getattr(signal, kind)
    if form == "ss":
        with cut_silently():
            parts = signal.zpk2ss(*design(whole(n), *ripples, critical, btype, analog, "zpk"))
        return tuple(canonical(np.atleast_2d(p)) for p in parts)
    result = design(whole(n), *ripples, critical, btype, analog, form)
    if form == "zpk":
        return column(result[0]), column(result[1]), float(result[2])
    return row(result[0]), row(result[1])


@builtin(
    "butter",
    category=_FAMILY,
    signatures=(
        "[b, a] = butter(n, Wn)",
        "[b, a] = butter(n, Wn, type)",
        "[z, p, k] = butter(...)",
        "[A, B, C, D] = butter(...)",
    ),
    cases=("norm(butter(1, 0.5) - [0.5 0.5]) < 1e-15",),
    see=("cheby1", "filter", "filtfilt"),
)
def butter(n: Value, wn: Value, *rest: Value, nargout: int = 1) -> Value:
    """Butterworth filter; cut-off 1 is half the sample rate; types low, high, bandpass, stop."""
    return _design("butter", n, wn, rest, nargout)


@builtin(
    "cheby1",
    category=_FAMILY,
    signatures=(
        "[b, a] = cheby1(n, Rp, Wp)",
        "[b, a] = cheby1(n, Rp, Wp, type)",
        "[z, p, k] = cheby1(...)",
        "[A, B, C, D] = cheby1(...)",
    ),
    cases=("isequal(size(cheby1(3, 1, 0.3)), [1 4])",),
    see=("butter", "cheby2"),
)
def cheby1(n: Value, rp: Value, wp: Value, *rest: Value, nargout: int = 1) -> Value:
    """Chebyshev filter with Rp decibels of ripple in the pass band."""
    return _design("cheby1", n, wp, rest, nargout, (real_number(rp),))


@builtin(
    "cheby2",
    category=_FAMILY,
    signatures=(
        "[b, a] = cheby2(n, Rs, Ws)",
        "[b, a] = cheby2(n, Rs, Ws, type)",
        "[z, p, k] = cheby2(...)",
        "[A, B, C, D] = cheby2(...)",
    ),
    cases=("isequal(size(cheby2(3, 20, 0.3)), [1 4])",),
    see=("butter", "cheby1"),
)
def cheby2(n: Value, rs: Value, ws: Value, *rest: Value, nargout: int = 1) -> Value:
    """Chebyshev filter with a stop band Rs decibels down."""
    return _design("cheby2", n, ws, rest, nargout, (real_number(rs),))


@builtin(
    "ellip",
    category=_FAMILY,
    signatures=(
        "[b, a] = ellip(n, Rp, Rs, Wp)",
        "[b, a] = ellip(n, Rp, Rs, Wp, type)",
        "[z, p, k] = ellip(...)",
        "[A, B, C, D] = ellip(...)",
    ),
    cases=("isequal(size(ellip(3, 1, 20, 0.3)), [1 4])",),
    see=("butter",),
)
def ellip(n: Value, rp: Value, rs: Value, wp: Value, *rest: Value, nargout: int = 1) -> Value:
    """Elliptic filter with given ripples in pass and stop band."""
    return _design("ellip", n, wp, rest, nargout, (real_number(rp), real_number(rs)))


@builtin(
    "fir1",
    most=5,
    words="low high bandpass bandstop stop dc-0 dc-1 scale noscale",
    category=_FAMILY,
    signatures=("b = fir1(n, Wn)", "b = fir1(n, Wn, type, window, scaling)"),
    cases=("abs(sum(fir1(10, 0.3)) - 1) < 1e-12",),
    see=("butter", "filter"),
)
def fir1(n: Value, wn: Value, *rest: Value) -> Value:
    """Linear-phase FIR filter by the window method (Hamming unless a window is given)."""
    from scipy import signal

    flags = [text_of(v).lower() for v in rest if isinstance(v, str)]
    windows = [vector(v) for v in rest if not isinstance(v, str) and numel(v)]
    edges = vector(wn)
    within(0.0, 1.0)("fir1", 2, wn)
    first = not (edges.size == 2 or "dc-0" in flags)  # whether the band that begins at 0 passes
    first = first if not {"high", "stop"} & set(flags) else edges.size > 1
    taps = whole(n) + 1
    if (first + edges.size) % 2 and taps % 2 == 0:  # half the sample rate passes
        taps += 1
    window = windows[0] if windows else np.hamming(taps)
    if window.size != taps:
        text = f"The window length must be {taps}, one more than the order of the filter."
        raise MatlabError("signal:fir1:MismatchedWindowLength", text)
    ideal = signal.firwin(taps, list(edges), window="boxcar", pass_zero=first, scale=False)
    shaped = ideal * window
    if "noscale" in flags:
        return row(shaped)
    upper = edges[1] if edges.size > 1 else 1.0
    centre = 0.0 if first else 1.0 if upper == 1.0 else (edges[0] + upper) / 2
    gain = np.sum(shaped * np.cos(np.pi * (np.arange(taps) - (taps - 1) / 2) * centre))
    return row(shaped / gain)


@builtin(
    "sosfilt",
    category=_FAMILY,
    signatures=("y = sosfilt(sos, x)",),
    cases=(
        "isequal(sosfilt([1 0 0 1 0 0], [1 2 3]), [1 2 3])",
        "isequal(sosfilt([1 1 0 2 0 0; 1 0 0 1 0 0], [2 4; 6 8]), [1 2; 4 6])",
    ),
    see=("filter",),
)
@takes(NUMBERS & MATRIX, NUMBERS)
def sosfilt(sos: Value, x: Value) -> Value:
    """Filter through a cascade of second-order sections."""
    from scipy import signal

    if size_of(sos)[1] != 6:
        text = "The matrix of sections must have 6 columns."
        raise MatlabError("signal:sosfilt:invalidDimensions", text)
    data, rows = real_float(x), np.array(real_float(sos), order="C")
    rows /= rows[:, 3:4]
    return canonical(signal.sosfilt(rows, data, axis=first_axis(data.shape)))


@builtin(
    "hilbert",
    words="",
    category=_FAMILY,
    signatures=("y = hilbert(x)", "y = hilbert(x, n)"),
    device=of_resident(spectral_forms.hilbert),
    cases=("isequal(real(hilbert([1 2 3 4])), [1 2 3 4])",),
    see=("fft",),
)
@takes(NUMBERS & NONEMPTY)
def hilbert(x: Value, n: Value | None = None) -> Value:
    """Analytic signal of a real one: the imaginary part is its Hilbert transform."""
    from scipy import signal

    data = real_float(x)
    axis = first_axis(data.shape)
    return canonical(signal.hilbert(data, whole(n) if is_given(n) else None, axis=axis))


@builtin(
    "tf2zp",
    category=_FAMILY,
    signatures=("[z, p, k] = tf2zp(b, a)",),
    cases=(
        "norm(tf2zp([1 -3 2], 1) - [2; 1]) < 1e-12",
        "isequal(size(tf2zp([0 0 2], [1 3 2])), [0 1])",
    ),
    see=("zp2tf", "roots"),
)
def tf2zp(b: Value, a: Value) -> Value:
    """Zeros, poles and gain of a transfer function."""
    num, den = np.trim_zeros(vector(b), "f"), vector(a)
    gain = float(np.real(num[0] / den[0])) if num.size else 0.0
    zeros, poles = stoppable.roots(num), stoppable.roots(den)
    return column(zeros), column(poles), gain


@builtin(
    "zp2tf",
    category=_FAMILY,
    signatures=("[b, a] = zp2tf(z, p, k)",),
    cases=("norm(zp2tf([2; 1], [], 1) - [1 -3 2]) < 1e-12",),
    see=("tf2zp", "poly"),
)
def zp2tf(z: Value, p: Value, k: Value) -> Value:
    """Transfer function from zeros, poles and gain."""
    zeros, poles = vector(z), vector(p)
    num = real_number(k) * np.atleast_1d(np.poly(zeros))
    den = np.atleast_1d(np.poly(poles))
    pad = max(den.size - num.size, 0)
    return row(np.concatenate([np.zeros(pad), num])), row(den)
