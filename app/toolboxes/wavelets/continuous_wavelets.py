"""The continuous wavelet transform: cwt, icwt, cwtfreqbounds, centfrq, scal2frq.

Generalised Morse wavelets after Olhede and Walden (2002) and Lilly and Olhede (2009); Morlet and
bump wavelets that are zero for negative frequencies. Peaks of the wavelets' transforms are 2, so
that a cosine of amplitude 1 has a transform of magnitude 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import (
    NONEMPTY,
    NUMBERS,
    VECTOR,
    option_pairs,
    real_number,
    unknown_option,
)
from app.engine.builtins.dates.duration_class import UNITS, Duration
from app.engine.builtins.vectors import column, flat_doubles, real_float, row
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Value, as_array, canonical, is_text_scalar, text_of
from app.errors import MatlabError
from app.toolboxes.wavelets.real_wavelets import old_transform

_FAMILY = "signal processing"
_NAMES = ("morse", "amor", "bump")
_OPTIONS = (
    "FrequencyLimits PeriodLimits VoicesPerOctave ExtendSignal TimeBandwidth WaveletParameters"
)


class Wavelet(NamedTuple):
    """An analytic wavelet.

    Attributes:
        transform: its Fourier transform at angular frequencies, 2 at the peak.
        peak: the angular frequency of the peak.
        spread: its standard deviation in time.
        upper: where the transform has fallen to the share of its peak that Nyquist's may have.
        constant: the integral of the transform over frequency, weighted by its inverse.
    """

    transform: Callable[[Array], Array]
    peak: float
    spread: float
    upper: float
    constant: float


def wavelet_of(name: str, kind: str, gamma: float = 3.0, product: float = 60.0) -> Wavelet:
    """One of the three wavelets; gamma and the time-bandwidth product are those of Morse."""
    if kind == "amor":
        return _made(lambda w: 2 * np.exp(-((w - 6) ** 2) / 2), 6.0, math.sqrt(2), 0.1)
    if kind == "bump":
        return _made(_bump, 5.0, 5.847705, 0.1)
    if not (gamma >= 1 and gamma < product <= 40 * gamma):
        text = "The time-bandwidth product must be greater than gamma and at most 40*gamma; gamma "
        raise MatlabError(f"Wavelet:{name}:InvalidMorse", text + "must be at least 1.")
    beta = product / gamma
    peak = (beta / gamma) ** (1 / gamma)

    def transform(w: Array) -> Array:
        with np.errstate(divide="ignore", over="ignore"):
            x = np.where(w > 0, w, 1.0)
            made = 2 * np.exp(beta * np.log(x / peak) + peak**gamma - x**gamma)
        return np.where(w > 0, made, 0.0)

    def moment(p: float) -> float:
        return 2 ** (-(p + 1) / gamma) * math.exp(math.lgamma((p + 1) / gamma)) / gamma

    slope = (
        beta**2 * moment(2 * beta - 2)
        - 2 * beta * gamma * moment(2 * beta + gamma - 2)
        + gamma**2 * moment(2 * beta + 2 * gamma - 2)
    )
    return _made(transform, peak, math.sqrt(slope / moment(2 * beta)), 0.5)


def _bump(w: Array) -> Array:
    inside = np.abs(w - 5) < 0.6
    x = np.where(inside, (w - 5) / 0.6, 0.0)
    return np.where(inside, 2 * np.exp(1 - 1 / (1 - x**2)), 0.0)


def _made(transform: Callable[[Array], Array], peak: float, spread: float, share: float) -> Wavelet:
    from scipy.integrate import quad
    from scipy.optimize import brentq

    end = peak + 0.6 if transform is _bump else 4 * peak
    upper = brentq(lambda w: float(transform(np.array(w))) - 2 * share, peak, end)
    constant = quad(lambda w: float(transform(np.array(w))) / w, 1e-9, end, limit=200)[0]
    return Wavelet(transform, peak, spread, float(upper), float(constant))


def _in_seconds(v: Value) -> Array:
    """Numbers as they are, lengths of time in seconds: flat."""
    return v.data.ravel() / UNITS["seconds"] if isinstance(v, Duration) else flat_doubles(v)


class _Request:
    """What a call asks for: the wavelet, the sampling, and the scales."""

    def __init__(self, name: str, rest: Sequence[Value], allowed: str = _OPTIONS) -> None:
        words = list(rest)
        self.kind, self.rate, self.step = "morse", 1.0, None
        self.is_sampled = False
        while words and not (is_text_scalar(words[0]) and text_of(words[0]).lower() not in _NAMES):
            v = words.pop(0)
            if is_text_scalar(v):
                self.kind = text_of(v).lower()
            elif isinstance(v, Duration):
                self.step = v
                self.rate = 1 / float(_in_seconds(v)[0])
            else:
                self.rate, self.is_sampled = real_number(v), True
        if not (self.rate > 0 and np.isfinite(self.rate)):
            raise MatlabError(f"Wavelet:{name}:InvalidRate", "The sampling must be positive.")
        options = option_pairs(name, words, allowed)
        gamma, product = 3.0, real_number(options.get("timebandwidth", 60.0))
        if "waveletparameters" in options:
            gamma, product = (float(p) for p in np.ravel(as_array(options["waveletparameters"])))
        if self.kind != "morse" and {"timebandwidth", "waveletparameters"} & set(options):
            text = "TimeBandwidth and WaveletParameters are those of the wavelet 'morse'."
            raise MatlabError(f"Wavelet:{name}:InvalidWavelet", text)
        self.wavelet = wavelet_of(name, self.kind, gamma, product)
        self.voices = int(real_number(options.get("voicesperoctave", 10.0)))
        if not 1 <= self.voices <= 48:
            text = "VoicesPerOctave must be a whole number from 1 to 48."
            raise MatlabError(f"Wavelet:{name}:InvalidVoices", text)
        self.extends = bool(real_number(options.get("extendsignal", 1.0)))
        self.limits = self._limits(name, options)

    def _limits(self, name: str, options: dict[str, Value]) -> Array | None:
        """The lowest and highest frequency asked for."""
        if "periodlimits" in options:
            given = options["periodlimits"]
            limits = 1 / _in_seconds(given)[::-1]
        elif "frequencylimits" in options:
            limits = _in_seconds(options["frequencylimits"])
        else:
            return None
        if limits.size != 2 or not 0 <= limits[0] < limits[1] <= self.rate / 2 * (1 + 1e-12):
            text = "Limits are two increasing frequencies up to half the sampling rate."
            raise MatlabError(f"Wavelet:{name}:InvalidLimits", text)
        return limits

    def bounds(self, size: int) -> tuple[float, float]:
        """The lowest and highest frequency that a signal of ``size`` samples shows."""
        w = self.wavelet
        least = w.upper / np.pi
        most = max(size / (2 * w.spread), least * 2 ** (1 / self.voices))
        return tuple(w.peak / (2 * np.pi) * self.rate / s for s in (most, least))  # type: ignore[return-value]

    def scales(self, size: int) -> Array:
        """The scales in samples, from the highest frequency down."""
        low, high = self.bounds(size)
        if self.limits is not None:
            low, high = max(low, self.limits[0]), min(high, self.limits[1])
        least = self.wavelet.peak / (2 * np.pi) * self.rate / high
        steps = math.floor(self.voices * math.log2(high / low) + 1e-9)
        return np.asarray(least * 2 ** (np.arange(steps + 1) / self.voices))

    def frequencies(self, scales: Array) -> Array:
        """The frequency of the peak at each scale, in the units of the sampling rate."""
        return np.asarray(self.wavelet.peak / (2 * np.pi) * self.rate / scales)

    def cone(self, size: int, highest: float) -> Array:
        """Below these frequencies the ends of the signal are felt, for each sample."""
        half = np.arange(1, (size + 1) // 2)
        other = np.arange(1, size // 2)[::-1]
        away = np.concatenate([[1e-5], half, other, [1e-5]])[:size]
        factor = 2 * np.pi / self.wavelet.peak / self.wavelet.spread
        return np.minimum(self.rate / (factor * away), highest)


def transformed(x: Array, request: _Request) -> tuple[Array, Array]:
    """The transform, scales by samples (by 2 for a complex signal), and its scales."""
    size = x.size
    pad = (size // 2 if size <= 128 else math.ceil(math.log2(size))) if request.extends else 0
    wide = np.concatenate([x[:pad][::-1], x, x[size - pad :][::-1]]) if pad else x
    w = 2 * np.pi * np.fft.fftfreq(wide.size)
    if wide.size % 2 == 0:
        w[wide.size // 2] = np.pi
    scales = request.scales(size)
    spectrum = np.fft.fft(wide)
    bank = request.wavelet.transform(scales[:, None] * w)
    made = np.fft.ifft(spectrum * bank, axis=1)[:, pad : pad + size]
    if np.iscomplexobj(x):
        back = np.fft.ifft(spectrum * request.wavelet.transform(-scales[:, None] * w), axis=1)
        made = np.stack([made, back[:, pad : pad + size]], axis=2) / 2
    return made, scales


@builtin(
    "cwt",
    category=_FAMILY,
    least=1,
    signatures=(
        "wt = cwt(x)",
        "wt = cwt(x, wname)",
        "[wt, f, coi] = cwt(x, wname, fs)",
        "[wt, period, coi] = cwt(x, wname, ts)",
        "[...] = cwt(..., 'FrequencyLimits', [low high], 'VoicesPerOctave', n)",
        "cwt(...)",
        "coefs = cwt(x, scales, wname)",
    ),
    cases=(
        "[w, f] = cwt(cos(2*pi*50*(0:999)/1000), 1000); [m, k] = max(abs(w(:, 500))); "
        "abs(m - 1) < 0.01 && abs(f(k) - 50) < 3 && abs(f(1) - 434.5) < 0.5",
        "x = sin(0:0.1:60); norm(icwt(cwt(x)) - x) < 0.1*norm(x)",
        "w = cwt(zeros(1, 64), 'amor'); ~any(w(:))",
    ),
    see=("icwt", "dwt", "spectrogram"),
)
def cwt(ctx: CallContext, x: Value, *rest: Value, nargout: int = 0) -> Value:
    """The continuous wavelet transform of a vector: a row for each scale, high frequencies first.

    f are frequencies in cycles a sample, in Hz with the rate fs, or, with the duration ts between
    samples, the periods; coi says below which frequency (above which period) the ends are felt.
    Wavelets: 'morse' (the parameters 3 and 60), 'amor', 'bump'. The signal is mirrored at its ends
    unless 'ExtendSignal' is false. A complex signal has a second page, for negative frequencies.
    Without outputs the magnitude is drawn. With scales and one of the older wavelets (haar, db,
    sym, morl, mexh, gaus, cgau, cmor, shan) the transform is that of before 2016.
    """
    (NUMBERS & NONEMPTY & VECTOR)("cwt", 1, x)
    if len(rest) > 1 and not is_text_scalar(rest[0]) and is_text_scalar(rest[1]):
        word = text_of(rest[1]).lower()
        if word not in _NAMES and word not in _OPTIONS.lower().split():
            return old_transform(ctx, x, rest, nargout)
    signal = real_float(x).ravel()
    if signal.size < 4:
        raise MatlabError("Wavelet:cwt:TooShort", "The signal must have four samples at least.")
    request = _Request("cwt", rest)
    made, scales = transformed(signal, request)
    f = request.frequencies(scales)
    cone = request.cone(signal.size, float(f.max()))
    if not nargout:
        _draw(ctx, made, f, cone, request)
        return ()
    if request.step is not None:
        return canonical(made), _periods(ctx, f), _periods(ctx, cone)
    return canonical(made), column(f), column(cone)


def _periods(ctx: CallContext, f: Array) -> Value:
    return ctx.call("seconds", (column(1 / f),), 1)[0]


def _draw(ctx: CallContext, made: Array, f: Array, cone: Array, request: _Request) -> None:
    """The magnitude over time and frequency, and the line below which the ends are felt."""
    t = np.arange(made.shape[1]) / request.rate
    y, edge = (1 / f, 1 / cone) if request.step is not None else (f, cone)
    pages = [made] if made.ndim == 2 else [made[:, :, 0], made[:, :, 1]]
    for k, page in enumerate(pages):
        if len(pages) > 1:
            ctx.call("subplot", (2.0, 1.0, k + 1.0), 0)
        ctx.call("pcolor", (row(t), column(y), canonical(np.abs(page))), 0)
        ctx.call("shading", ("interp",), 0)
        ax = ctx.call("gca", (), 1)[0]
        ctx.call("set", (ax, "YScale", "log", "YLim", row(np.array([y.min(), y.max()]))), 0)
        ctx.call("hold", ("on",), 0)
        ctx.call("plot", (row(t), row(edge), "w--", "LineWidth", 2.0), 0)
        ctx.call("hold", ("off",), 0)
        ctx.call("title", ("Magnitude Scalogram",), 0)
        known = request.is_sampled or request.step is not None
        ctx.call("xlabel", ("Time (s)" if known else "Time (samples)",), 0)
        what = "Period (s)" if request.step is not None else "Frequency (Hz)"
        ctx.call("ylabel", (what if known else "Normalized Frequency (cycles/sample)",), 0)
        bar = ctx.call("colorbar", (), 1)[0]
        ctx.call("ylabel", (bar, "Magnitude"), 0)


@builtin(
    "icwt",
    category=_FAMILY,
    least=1,
    signatures=(
        "x = icwt(wt)",
        "x = icwt(wt, wname)",
        "x = icwt(wt, f, [low high])",
        "x = icwt(wt, wname, f, [low high])",
        "x = icwt(..., 'SignalMean', m, 'VoicesPerOctave', n)",
    ),
    cases=(
        "t = (0:499)/500; x = cos(2*pi*30*t).*(t > 0.3 & t < 0.7); "
        "norm(icwt(cwt(x), 'SignalMean', mean(x)) - x) < 0.05*norm(x)",
        "t = (0:999)/1000; x = cos(2*pi*20*t); [w, f] = cwt(x + cos(2*pi*200*t), 1000); "
        "y = icwt(w, f, [10 40]); norm(y(200:800) - x(200:800)) < 0.05*norm(x)",
    ),
    see=("cwt",),
)
def icwt(wt: Value, *rest: Value) -> Value:
    """A signal, a row, from its continuous wavelet transform: the sum of the scales' real parts.

    The wavelet and its parameters must be those of the transform. With frequencies (or periods) and
    a range the scales outside it are left out. 'SignalMean' is added: the transform knows none.
    """
    words = list(rest)
    kind = text_of(words.pop(0)) if words and _is_wavelet(words[0]) else "morse"
    given: list[Array] = []
    while words and not is_text_scalar(words[0]):
        v = words.pop(0)
        given.append(_in_seconds(v))
    options = option_pairs(
        "icwt", words, "SignalMean VoicesPerOctave TimeBandwidth WaveletParameters"
    )
    mean = as_array(options.pop("signalmean", 0.0)).ravel()
    pairs: list[Value] = [part for pair in options.items() for part in pair]
    request = _Request("icwt", [kind, *pairs])
    w = real_float(wt)
    if len(given) == 1 or len(given) > 2:
        raise unknown_option("icwt", rest[-1], "frequencies and a range of two")
    chosen = np.ones(w.shape[0], dtype=bool)
    if given:
        f, limits = given
        if f.size != w.shape[0] or limits.size != 2:
            text = "Give a frequency for each row of the transform, and a range of two."
            raise MatlabError("Wavelet:icwt:InvalidRange", text)
        chosen = (f >= limits[0]) & (f <= limits[1])
    factor = 2 * math.log(2) / request.voices / request.wavelet.constant
    if w.ndim == 3:
        return row(factor * w[chosen].sum(axis=(0, 2)) + mean)
    return row(factor * w[chosen].real.sum(axis=0) + mean.real)


def _is_wavelet(v: Value) -> bool:
    return is_text_scalar(v) and text_of(v).lower() in _NAMES


@builtin(
    "cwtfreqbounds",
    category=_FAMILY,
    least=1,
    signatures=(
        "[low, high] = cwtfreqbounds(n)",
        "[low, high] = cwtfreqbounds(n, fs)",
        "[...] = cwtfreqbounds(..., 'Wavelet', wname, 'VoicesPerOctave', v)",
    ),
    cases=("[a, b] = cwtfreqbounds(1000, 1000); abs(b - 434.5) < 0.5 && a < 10",),
    see=("cwt",),
)
def cwtfreqbounds(size: Value, *rest: Value) -> Value:
    """The lowest and highest frequency of the wavelet transform of a signal of n samples."""
    words = list(rest)
    rate = [words.pop(0)] if words and not is_text_scalar(words[0]) else []
    options = option_pairs(
        "cwtfreqbounds", words, "Wavelet VoicesPerOctave TimeBandwidth WaveletParameters"
    )
    kind = options.pop("wavelet", "morse")
    pairs: list[Value] = [part for pair in options.items() for part in pair]
    return _Request("cwtfreqbounds", [kind, *rate, *pairs]).bounds(int(real_number(size)))
