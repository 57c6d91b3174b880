"""Measures of signals: power in bands, mean and median frequency, noise, distortion, envelopes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from app.engine.arguments.checks import (
    NONEMPTY,
    NUMBER,
    NUMBERS,
    POSITIVE,
    VECTOR,
    WHOLE,
    element_count,
    option_pairs,
    optional,
    real_number,
    takes,
)
from app.engine.arguments.dimensions import first_axis
from app.engine.builtins.signals import signal_forms, spectral_forms
from app.engine.builtins.signals.pictures import CIRCLE
from app.engine.builtins.vectors import column, is_given, real_float, row, vector, whole
from app.engine.declarations.device_support import of_resident, term_form
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Value, as_array, canonical, is_text_scalar, numel, text_of
from app.errors import MatlabError
from app.toolboxes.signal.spectral_densities import channels

_FAMILY = "signal processing"


def spectrum(x: Value, rate: Value | None) -> tuple[Array, Array]:
    """Frequencies and power spectral density of columns, Hamming-weighted over their length."""
    from scipy import signal

    data = channels(x)
    fs = real_number(rate) if is_given(rate) else CIRCLE
    window = np.hamming(data.shape[0])
    return signal.periodogram(data, fs, window, detrend=False, axis=0)  # type: ignore[no-any-return]


def _widths(f: Array) -> Array:
    """The width each frequency stands for."""
    return np.append(np.diff(f), f[-1] - f[-2] if f.size > 1 else 0.0)


@builtin(
    "bandpower",
    words="psd",
    category=_FAMILY,
    signatures=(
        "p = bandpower(x)",
        "p = bandpower(x, fs, [low high])",
        "p = bandpower(pxx, f, [low high], 'psd')",
    ),
    cases=("bandpower([3 -3 3 -3]) == 9",),
    see=("pwelch", "rms"),
)
@takes(NUMBERS & NONEMPTY, NUMBERS, optional(NUMBERS & element_count(2)))
def bandpower(
    x: Value, fs: Value | None = None, band: Value | None = None, form: Value | None = None
) -> Value:
    """Average power, of the whole signal or of a band of frequencies."""
    if fs is None:
        return row((np.abs(channels(x)) ** 2).mean(axis=0))
    f, p = (vector(fs), channels(x)) if form is not None else spectrum(x, fs)
    low, high = vector(band) if is_given(band) else (f[0], f[-1])
    inside = slice(np.searchsorted(f, low, "right") - 1, np.searchsorted(f, high, "left") + 1)
    return row((p * _widths(f)[:, None])[inside].sum(axis=0))


def declare_centre(name: str, summary: str, case: str, of: Callable[[Array, Array], Array]) -> None:
    """Declare a frequency in the middle of a spectrum."""

    def centre(x: Value, fs: Value | None = None) -> Value:
        f, p = (vector(fs), channels(x)) if is_given(fs) and numel(fs) > 1 else spectrum(x, fs)
        weights = p * _widths(f)[:, None]
        return row(of(f, weights)), row(weights.sum(axis=0))

    builtin(
        name,
        category=_FAMILY,
        cases=(case,),
        text=summary,
        see=("bandpower", "pwelch"),
        signatures=(f"[f, power] = {name}(x, fs)", f"[f, power] = {name}(pxx, f)"),
    )(takes(NUMBERS & NONEMPTY)(centre))


declare_centre(
    "meanfreq",
    "Mean frequency of a signal, weighted by power.",
    "abs(meanfreq(sin(2*pi*10*(0:999)'/1000), 1000) - 10) < 0.1",
    lambda f, w: (f[:, None] * w).sum(axis=0) / w.sum(axis=0),
)
declare_centre(
    "medfreq",
    "The frequency that halves the power of a signal.",
    "abs(medfreq(sin(2*pi*10*(0:999)'/1000), 1000) - 10) < 1",
    lambda f, w: np.array([np.interp(0.5, np.cumsum(c) / c.sum(), f) for c in w.T]),
)


@builtin(
    "obw",
    category=_FAMILY,
    signatures=("[bw, low, high, power] = obw(x, fs)",),
    cases=("obw(sin(2*pi*10*(0:999)'/1000), 1000) < 5",),
    see=("bandpower",),
)
@takes(NUMBERS & NONEMPTY)
def obw(x: Value, fs: Value | None = None) -> Value:
    """Bandwidth that holds 99 % of the power, with its edges."""
    f, p = spectrum(x, fs)
    weights = p * _widths(f)[:, None]
    totals = weights.sum(axis=0)
    edges = np.array(
        [
            np.interp([0.005, 0.995], np.cumsum(w) / t, f)
            for w, t in zip(weights.T, totals, strict=True)
        ]
    )
    return (row(edges[:, 1] - edges[:, 0]), row(edges[:, 0]), row(edges[:, 1]), row(0.99 * totals))


_MOST_HARMONICS = 1000
"""However short a signal is; beyond twice its spectrum they are the first ones again."""


def _tones(x: Value, rate: Value | None, harmonics: int) -> tuple[Array, Array, list[slice]]:
    """Spectrum of a sinusoid (Kaiser window, 38) and the places of it and its harmonics."""
    from scipy import signal

    data = vector(x) - vector(x).mean()
    fs = real_number(rate) if is_given(rate) else CIRCLE
    f, p = signal.periodogram(data, fs, ("kaiser", 38.0), detrend=False)
    p = p * _widths(f)
    at = int(np.argmax(p))
    if harmonics > max(_MOST_HARMONICS, 2 * p.size):
        text = f"A signal of {data.size} samples has no {harmonics:g} harmonics."
        raise MatlabError("signal:harmonics:tooMany", text)
    places = []
    for k in range(1, harmonics + 1):
        near = round(k * at) % (2 * (p.size - 1)) if p.size > 1 else 0
        near = near if near < p.size else 2 * (p.size - 1) - near
        peak = max(near - 2, 0) + int(np.argmax(p[max(near - 2, 0) : near + 3]))
        places.append(_lobe(p, peak))
    return f, p, places


def _lobe(p: Array, peak: int) -> slice:
    """The places around a peak down to where the spectrum rises again."""
    first = last = peak
    while first > 0 and p[first - 1] < p[first]:
        first -= 1
    while last < p.size - 1 and p[last + 1] < p[last]:
        last += 1
    return slice(first, last + 1)


def _noise(p: Array, places: list[slice]) -> float:
    """Power outside the tones and the mean, the gaps filled with its median."""
    clear = np.ones(p.size, dtype=bool)
    for place in (_lobe(p, 0), *places):
        clear[place] = False
    level = float(np.median(p[clear])) if clear.any() else 0.0
    return float(np.where(clear, p, np.minimum(p, level)).sum())


def declare_quality(
    name: str,
    summary: str,
    case: str,
    ratio: Callable[[Array, list[slice]], tuple[Any, Any]],
    more: tuple[str, Callable[[Array, Array, list[slice]], tuple[Value, ...]]],
) -> None:
    """Declare a ratio of powers in decibels, and further outputs with their names."""
    names, further = more

    def quality(x: Value, fs: Value | None = None, harmonics: Value = 6.0) -> Value:
        f, p, places = _tones(x, fs, whole(harmonics))
        return _ratio(*ratio(p, places)), *further(f, p, places)

    builtin(
        name,
        words="",
        category=_FAMILY,
        cases=(case,),
        text=summary,
        see=("bandpower", "periodogram"),
        signatures=(f"r = {name}(x)", f"[r, {names}] = {name}(x, fs, harmonics)"),
    )(takes(NUMBERS & VECTOR & NONEMPTY)(quality))


def _power(p: Array, places: list[slice]) -> Any:
    return np.float64(sum(p[place].sum() for place in places))


def _ratio(a: Any, b: Any) -> float:
    """Decibels of a ratio of powers; infinite where there is nothing below."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(10 * np.log10(a / b))


def _harmonics(f: Array, p: Array, places: list[slice]) -> tuple[Value, ...]:
    """Powers in decibels and frequencies of a tone and its harmonics."""
    powers = [_ratio(_power(p, [place]), 1.0) for place in places]
    centres = [float((f[place] * p[place]).sum() / p[place].sum()) for place in places]
    return column(np.array(powers)), column(np.array(centres))


_TONE = "t = (0:4799)'/48000; x = cos(2*pi*1000*t) + 0.01*cos(2*pi*2000*t); "
declare_quality(
    "thd",
    "Total harmonic distortion of a sinusoid, in decibels of the carrier.",
    _TONE + "abs(thd(x, 48000) + 40) < 0.1",
    lambda p, places: (_power(p, places[1:]), _power(p, places[:1])),
    ("powers, frequencies", _harmonics),
)
declare_quality(
    "sinad",
    "Signal over noise and distortion of a sinusoid, in decibels.",
    _TONE + "abs(sinad(x, 48000) - 40) < 0.2",
    lambda p, places: (_power(p, places[:1]), _power(p, places[1:]) + _noise(p, places)),
    (
        "distortion",
        lambda f, p, places: (_ratio(_power(p, places[1:]) + _noise(p, places), 1.0),),
    ),
)


@builtin(
    "snr",
    words="",
    category=_FAMILY,
    signatures=("[r, noisepower] = snr(x, noise)", "[r, noisepower] = snr(x, fs, harmonics)"),
    cases=(
        "abs(snr([10 -10], [1 -1]) - 20) < 1e-12",
        "[r, n] = snr([10 -10], [10 -10]); abs(n - 20) < 1e-12",
    ),
    see=("sinad", "thd"),
)
@takes(NUMBERS & NONEMPTY, NUMBERS)
def snr(x: Value, noise: Value | None = None, harmonics: Value = 6.0) -> Value:
    """Signal-to-noise ratio in decibels: of two signals, or of a sinusoid in noise."""
    if noise is not None and numel(noise) > 1:
        of_signal, of_noise = ((np.abs(vector(v)) ** 2).mean() for v in (x, noise))
        return _ratio(of_signal, of_noise), _ratio(of_noise, 1.0)
    _, p, places = _tones(x, noise, whole(harmonics))
    level = _noise(p, places)
    return _ratio(_power(p, places[:1]), level), _ratio(level, 1.0)


@builtin(
    "envelope",
    words="analytic peak rms",
    category=_FAMILY,
    signatures=(
        "[up, low] = envelope(x)",
        "[up, low] = envelope(x, n, 'rms')",
        "[up, low] = envelope(x, n, 'peak')",
    ),
    device=of_resident(spectral_forms.envelope),
    cases=("norm(envelope(cos(2*pi*(0:99)'/10)) - 1) < 1e-10",),
    see=("hilbert",),
)
@takes(NUMBERS & NONEMPTY, NUMBER & WHOLE & POSITIVE)
def envelope(x: Value, n: Value | None = None, method: Value = "analytic") -> Value:
    """Upper and lower envelope: magnitude of the analytic signal, moving RMS, or through peaks."""
    from scipy import interpolate, ndimage, signal

    data = real_float(x)
    axis = first_axis(data.shape)
    middle = data.mean(axis=axis, keepdims=True)
    rest, how = data - middle, text_of(method).lower()
    if how == "peak":
        sides = [_through_peaks(s * data, axis, whole(n or 1.0), interpolate) for s in (1, -1)]
        return canonical(sides[0]), canonical(-sides[1])
    if how == "rms":
        width = whole(n or 1.0)
        power = ndimage.uniform_filter1d(rest**2, width, axis=axis, mode="constant")
        count = ndimage.uniform_filter1d(np.ones_like(rest), width, axis=axis, mode="constant")
        size = np.sqrt(power / count)
    else:
        size = np.abs(signal.hilbert(rest, axis=axis))
    return canonical(middle + size), canonical(middle - size)


def _through_peaks(data: Array, axis: int, distance: int, interpolate: Any) -> Array:
    """Spline through the local maxima that are ``distance`` apart."""
    from scipy import signal

    def one(v: Array) -> Array:
        peaks, _ = signal.find_peaks(v, distance=max(distance, 1))
        if peaks.size < 2:
            return np.full(v.shape, v.max())
        knots = np.unique(np.concatenate([[0], peaks, [v.size - 1]]))
        kind = interpolate.make_interp_spline(knots, v[knots], k=min(3, knots.size - 1))
        return np.asarray(kind(np.arange(v.size)))

    return np.apply_along_axis(one, axis, data)


@builtin(
    "db",
    words="power voltage",
    category=_FAMILY,
    signatures=("y = db(x)", "y = db(x, 'power')", "y = db(x, R)"),
    device=term_form(signal_forms.db),
    cases=("db(10) == 20", "db(10, 'power') == 10"),
    see=("mag2db", "pow2db"),
)
@takes(NUMBERS)
def db(x: Value, form: Value = 1.0) -> Value:
    """Decibels of voltages (over a resistance), or of powers."""
    a = np.abs(real_float(x))
    with np.errstate(divide="ignore"):
        if is_text_scalar(form):
            level = (10 if text_of(form).startswith("p") else 20) * np.log10(a)
        else:
            level = 20 * np.log10(a) - 10 * np.log10(real_number(form))
    return canonical(level.astype(np.float32 if as_array(x).dtype == np.float32 else np.float64))


def declare_pass(name: str, summary: str, case: str) -> None:
    """Declare a filter of a band without phase: Kaiser FIR, its delay taken out."""

    def apply(x: Value, edges: Value, *rest: Value) -> Value:
        from scipy import signal

        positional = [v for v in rest[:1] if not is_text_scalar(v)]
        options = option_pairs(name, rest[len(positional) :], "Steepness StopbandAttenuation")
        fs = real_number(positional[0]) if positional else 2.0
        wanted = vector(edges) / (fs / 2)
        steep = real_number(options.get("steepness", 0.85))
        fall = real_number(options.get("stopbandattenuation", 60.0))
        room = (
            [wanted[0], 1 - wanted[-1]]
            if "band" in name
            else [1 - wanted[0] if name == "lowpass" else wanted[0]]
        )
        width = min(room) * (1 - steep)
        taps, beta = signal.kaiserord(fall, width)
        shift = {
            "lowpass": [0.5],
            "highpass": [-0.5],
            "bandpass": [-0.5, 0.5],
            "bandstop": [0.5, -0.5],
        }[name]
        kernel = signal.firwin(
            taps | 1, wanted + width * np.array(shift), window=("kaiser", beta), pass_zero=name
        )
        return canonical(_centred_convolution(real_float(x), kernel))

    builtin(
        name,
        category=_FAMILY,
        cases=(case,),
        see=("butter", "filtfilt", "fir1"),
        text=f"{summary}\n\nA Kaiser-window FIR filter whose delay is taken out. Options: "
        "Steepness (0.85), StopbandAttenuation (60 dB). MATLAB may choose an IIR filter.",
        signatures=(
            f"y = {name}(x, edges)",
            f"y = {name}(x, edges, fs)",
            f"y = {name}(..., 'Steepness', s, 'StopbandAttenuation', a)",
        ),
    )(takes(NUMBERS & NONEMPTY, NUMBERS & POSITIVE & VECTOR)(apply))


def _centred_convolution(data: Array, kernel: Array) -> Array:
    from scipy import ndimage

    axis = first_axis(data.shape)
    return np.asarray(ndimage.convolve1d(data, kernel, axis=axis, mode="constant"))


_SUM = "t = (0:999)'/1000; a = sin(2*pi*5*t); b = sin(2*pi*200*t); k = 200:800; "
declare_pass(
    "lowpass",
    "Keep the frequencies below an edge.",
    _SUM + "y = lowpass(a+b, 50, 1000); norm(y(k)-a(k))/norm(a(k)) < 0.01",
)
declare_pass(
    "highpass",
    "Keep the frequencies above an edge.",
    _SUM + "y = highpass(a+b, 100, 1000); norm(y(k)-b(k))/norm(b(k)) < 0.01",
)
declare_pass(
    "bandpass",
    "Keep the frequencies between two edges.",
    _SUM + "y = bandpass(a+b, [100 300], 1000); norm(y(k)-b(k))/norm(b(k)) < 0.01",
)
declare_pass(
    "bandstop",
    "Remove the frequencies between two edges.",
    _SUM + "y = bandstop(a+b, [100 300], 1000); norm(y(k)-a(k))/norm(a(k)) < 0.01",
)
