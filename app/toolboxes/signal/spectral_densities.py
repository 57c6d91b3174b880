"""Where the power of signals lies: pwelch, periodogram, spectrogram, cpsd, mscohere, tfestimate.

Columns are channels. Frequencies run from 0 to half the rate for real signals, over the whole
circle for complex ones or with 'twosided', around zero with 'centered'; without a rate they are
radians per sample. Conventions of P. Welch, IEEE Trans. Audio Electroacoustics 15 (1967).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import (
    ANY,
    NONEMPTY,
    NUMBER,
    NUMBERS,
    POSITIVE,
    takes,
    unless_text,
)
from app.engine.builtins.signals import spectral_forms
from app.engine.builtins.signals.pictures import (
    CIRCLE,
    draw,
    draw_density,
    draw_power,
    frequencies,
)
from app.engine.builtins.signals.spectral_frames import Frames, split_options
from app.engine.builtins.vectors import column, real_float, row, vector
from app.engine.declarations.device_support import of_resident
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Value, canonical
from app.errors import MatlabError

_FAMILY = "signal processing"


def channels(x: Value) -> Array:
    """Signals in columns; a row is one signal."""
    data = real_float(x)
    return data.reshape(-1, 1) if data.shape[0] == 1 else data


@builtin(
    "pwelch",
    category=_FAMILY,
    signatures=(
        "pwelch(x)",
        "[pxx, f] = pwelch(x, window, noverlap, nfft, fs)",
        "[pxx, f] = pwelch(x, window, noverlap, f, fs)",
        "[...] = pwelch(..., 'power' | 'twosided' | 'centered')",
    ),
    device=of_resident(spectral_forms.pwelch),
    cases=(
        "numel(pwelch(sin(1:512)')) == 129",
        "isequal(size(pwelch(rand(512, 2))), [129 2])",
        "isequal(nthargout(2, @pwelch, ones(8, 1), 8, 0, 8, 8, 'centered'), (-3:4)')",
        "x = sin(1:64)'; [p, f] = pwelch(x, 16, 8, 16, 4, 'twosided'); "
        "norm(pwelch(x, 16, 8, f, 4) - p) < 1e-12",
    ),
    see=("periodogram", "spectrogram"),
)
@takes(NUMBERS & NONEMPTY)
def pwelch(ctx: CallContext, x: Value, *args: Value, nargout: int = 1) -> Value:
    """Power spectral density by Welch's method (Hamming, eight parts, half overlap).

    Without outputs it is drawn.
    """
    data, (numbers, words) = channels(x), split_options(args)
    frames = Frames.of("pwelch", data.shape[0], numbers, words)
    if frames.wanted is not None:
        f, p = frames.wanted, frames.densities_at(data)
    else:
        f, p = frames.ordered(*frames.densities(data))
    if not nargout:
        draw_density(ctx, f, p, frames.rate, "Welch Power Spectral Density Estimate")
        return None
    return canonical(p), column(f)


@builtin(
    "periodogram",
    category=_FAMILY,
    signatures=(
        "periodogram(x)",
        "[pxx, f] = periodogram(x, window, nfft, fs)",
        "[...] = periodogram(..., 'power' | 'twosided' | 'centered')",
    ),
    device=of_resident(spectral_forms.periodogram),
    cases=(
        "numel(periodogram(ones(8,1))) == 129",
        "[p, f] = periodogram([1 4 2]', [], 8, 'twosided'); "
        "norm(periodogram([1 4 2]', [], f) - p) < 1e-12",
    ),
    see=("pwelch",),
)
@takes(NUMBERS & NONEMPTY, ANY, ANY, unless_text(NUMBER & POSITIVE))
def periodogram(ctx: CallContext, x: Value, *args: Value, nargout: int = 1) -> Value:
    """Power spectral density of the whole signal at once; without outputs it is drawn."""
    from scipy import signal

    data, (numbers, words) = channels(x), split_options(args)
    numbers = [*numbers[:1], None, *numbers[1:]]
    frames = Frames.of("periodogram", data.shape[0], numbers, words, np.ones(data.shape[0]))
    frames = replace(frames, points=max(frames.points, data.shape[0]))
    options = frames.options(data)
    del options["noverlap"]
    if frames.wanted is not None:
        f, p = frames.wanted, frames.densities_at(data)
    else:
        f, p = frames.ordered(*signal.periodogram(data, scaling=frames.scaling, **options))
    if not nargout:
        draw_density(ctx, f, p, frames.rate, "Periodogram Power Spectral Density Estimate")
        return None
    return canonical(p), column(f)


@builtin(
    "spectrogram",
    category=_FAMILY,
    signatures=("spectrogram(x)", "[s, f, t, ps] = spectrogram(x, window, noverlap, nfft, fs)"),
    device=of_resident(spectral_forms.spectrogram),
    cases=(
        "size(spectrogram(ones(512,1), 64, 32, 64), 1) == 33",
        "x = sin(1:64); [s, f] = spectrogram(x, 16, 8, 16); "
        "norm(spectrogram(x, 16, 8, f) - s) < 1e-12",
    ),
    see=("pwelch", "stft"),
)
@takes(NUMBERS & NONEMPTY)
def spectrogram(ctx: CallContext, x: Value, *args: Value, nargout: int = 1) -> Value:
    """Short-time Fourier transform: columns are times, rows frequencies.

    The fourth output is the power spectral density. Without outputs it is drawn, frequency to the
    right, or upwards with 'yaxis'.
    """
    data, (numbers, words) = vector(x), split_options(args)
    frames = Frames.of("spectrogram", data.size, numbers, words)
    shape, hop = frames.window, frames.window.size - frames.overlap
    onesided = frames.wanted is None and frames.options(data)["return_onesided"]
    if frames.wanted is not None:
        f, table = frames.wanted, frames.transforms_at(data)
    else:
        transform = np.fft.rfft if onesided else np.fft.fft
        table = transform(frames.parts(data), frames.points, axis=0)
        f, table = frames.ordered(np.arange(table.shape[0]) * frames.rate / frames.points, table)
    starts = np.arange(table.shape[1]) * hop
    t = (starts + shape.size / 2) / (frames.rate if frames.rate != CIRCLE else 1.0)
    power = np.abs(table) ** 2 / (frames.rate * np.sum(shape**2))
    if onesided:
        power[1 : None if frames.points % 2 else -1] *= 2
    if not nargout:
        draw_power(ctx, t, f, power, frames.rate, upright="yaxis" in words)
        return None
    return canonical(table), column(f), row(t), canonical(power)


def declare_pair(name: str, summary: str, words: tuple[str, str], case: str) -> None:
    """Declare an estimate from two signals, with the title and label of its picture."""

    def estimate(ctx: CallContext, x: Value, y: Value, *args: Value, nargout: int = 1) -> Value:
        a, b, (numbers, named) = channels(x), channels(y), split_options(args)
        if a.shape[0] != b.shape[0]:
            message = "The lengths of the two signals must be equal."
            raise MatlabError(f"signal:{name}:MismatchedLength", message)
        frames = Frames.of(name, a.shape[0], numbers, named)
        if frames.wanted is not None:
            text = f"{name} takes the length of its transform, not the frequencies themselves."
            raise MatlabError(f"signal:{name}:unsupportedFrequencies", text)
        f, p = frames.ordered(*_pair(name, a, b, frames))
        if nargout:
            return canonical(p), column(f)
        shown, across = _ruler(f, frames.rate)
        level = 20 * np.log10(np.abs(p)) if name != "mscohere" else p
        draw(ctx, shown, level, (words[0], across, words[1]))
        return None

    builtin(
        name,
        category=_FAMILY,
        device=of_resident(spectral_forms.pair_form(name)),
        cases=(case,),
        text=summary,
        see=("pwelch",),
        signatures=(f"{name}(x, y)", f"[p, f] = {name}(x, y, window, noverlap, nfft, fs)"),
    )(estimate)


def _ruler(f: Array, rate: float) -> tuple[Array, str]:
    """A column of frequencies and the words of their axis."""
    shown, across = frequencies(f, rate)
    return shown.reshape(-1, 1), across


def _pair(name: str, a: Array, b: Array, frames: Frames) -> tuple[Array, Array]:
    if name == "cpsd":
        return frames.densities(a, b)
    f, across = frames.densities(b, a)
    _, power = frames.densities(a)
    if name == "tfestimate":
        return f, across / power
    _, other = frames.densities(b)
    return f, np.abs(across) ** 2 / (power * other)


declare_pair(
    "cpsd",
    "Cross power spectral density of two signals by Welch's method.",
    ("Welch Cross Power Spectral Density Estimate", "Power/frequency (dB)"),
    "x = rand(512, 1); norm(cpsd(x, x) - pwelch(x)) < 1e-12",
)
declare_pair(
    "mscohere",
    "Magnitude-squared coherence: how linearly two signals depend, 0 to 1.",
    ("Coherence Estimate via Welch", "Magnitude-Squared Coherence"),
    "x = rand(512, 1); norm(mscohere(x, 2*x) - 1) < 1e-10",
)
declare_pair(
    "tfestimate",
    "Transfer function from one signal to another by Welch's method.",
    ("Transfer Function Estimate", "Magnitude (dB)"),
    "x = rand(512, 1); norm(tfestimate(x, 2*x) - 2) < 1e-10",
)
