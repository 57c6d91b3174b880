"""Short-time Fourier transforms and single frequencies: stft, istft, goertzel, czt, cepstra."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.arguments.checks import (
    COUNT,
    NONEMPTY,
    NUMBER,
    NUMBERS,
    POSITIVE,
    VECTOR,
    WHOLE,
    takes,
)
from app.engine.arguments.dimensions import first_axis
from app.engine.builtins.signals import spectral_forms
from app.engine.builtins.signals.spectral_frames import Short
from app.engine.builtins.vectors import column, is_given, real_float, vector, whole
from app.engine.declarations.device_support import of_resident
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Value, canonical, is_text_scalar, text_of
from app.errors import MOST_DIMENSIONS, too_many_dimensions

_FAMILY = "signal processing"


@builtin(
    "stft",
    category=_FAMILY,
    signatures=(
        "[s, f, t] = stft(x)",
        "[s, f, t] = stft(x, fs)",
        "[...] = stft(..., 'Window', w, 'OverlapLength', n, 'FFTLength', k)",
    ),
    device=of_resident(spectral_forms.stft),
    cases=(
        "isequal(size(stft(ones(256, 1))), [128 5])",
        "x = rand(256, 1); y = istft(stft(x)); norm(y(2:end) - x(2:end)) < 1e-10",
    ),
    see=("istft", "spectrogram"),
)
@takes(NUMBERS & NONEMPTY & VECTOR)
def stft(x: Value, *args: Value) -> Value:
    """Short-time Fourier transform: columns are times, rows frequencies from below to above zero.

    Options: Window (128 points of Hann), OverlapLength (three quarters), FFTLength,
    FrequencyRange ('centered', 'twosided', 'onesided').
    """
    plan, data = Short("stft", args), vector(x)
    starts = np.arange((data.size - plan.overlap) // plan.hop) * plan.hop
    parts = data[starts[None, :] + np.arange(plan.window.size)[:, None]] * plan.window[:, None]
    table, f = plan.turned(np.fft.fft(parts, plan.points, axis=0)), plan.frequencies()
    if plan.sides == "onesided":
        table, f = table[: plan.points // 2 + 1], f[: plan.points // 2 + 1]
    return canonical(table), column(f), column((starts + plan.window.size / 2) / plan.rate)


@builtin(
    "istft",
    category=_FAMILY,
    signatures=("[x, t] = istft(s)", "[x, t] = istft(s, fs, ...)"),
    cases=("x = rand(256, 1); y = istft(stft(x)); norm(y(2:end) - x(2:end)) < 1e-10",),
    see=("stft",),
)
@takes(NUMBERS & NONEMPTY)
def istft(s: Value, *args: Value) -> Value:
    """The signal of a short-time transform, by weighted overlapping and adding.

    Options: those of ``stft``, and ConjugateSymmetric for real signals.
    """
    kept = [
        k
        for k, v in enumerate(args)
        if is_text_scalar(v) and text_of(v).lower() in ("method", "conjugatesymmetric")
    ]
    plan = Short(
        "istft", tuple(v for k, v in enumerate(args) if k not in kept and k - 1 not in kept)
    )
    table = real_float(s)
    if plan.sides == "onesided":
        parts: Array = np.fft.irfft(table, plan.points, axis=0)
    else:
        parts = np.fft.ifft(plan.turned(table, back=True), axis=0)
    size, window = plan.window.size, plan.window
    total = np.zeros((table.shape[1] - 1) * plan.hop + size, dtype=parts.dtype)
    weight = np.zeros(total.size)
    for k in range(table.shape[1]):
        place = slice(k * plan.hop, k * plan.hop + size)
        total[place] += parts[:size, k] * window
        weight[place] += window**2
    x: Array = np.where(weight > 1e-12, total / np.where(weight > 1e-12, weight, 1), 0)
    small = np.abs(x.imag).max(initial=0) <= 1e-10 * np.abs(x).max(initial=0)
    x = x.real if np.iscomplexobj(x) and small else x
    return column(x), column(np.arange(x.size) / plan.rate)


@builtin(
    "goertzel",
    category=_FAMILY,
    signatures=("y = goertzel(x, k)", "y = goertzel(x, k, dim)"),
    cases=("norm(goertzel([1 2 3 4], [1 2]) - [10, -2+2i]) < 1e-12",),
    see=("fft", "czt"),
)
@takes(NUMBERS & NONEMPTY, NUMBERS & POSITIVE, NUMBER & WHOLE & POSITIVE)
def goertzel(x: Value, k: Value | None = None, dim: Value | None = None) -> Value:
    """The discrete Fourier transform at some places only (they may be fractions)."""
    data = real_float(x)
    axis = whole(dim) - 1 if is_given(dim) else first_axis(data.shape)
    if axis >= MOST_DIMENSIONS:
        raise too_many_dimensions()
    data = data[(..., *(None,) * (axis + 1 - data.ndim))]
    n = data.shape[axis]
    places = vector(k) - 1 if is_given(k) else np.arange(n)
    turns = np.exp(-2j * np.pi * np.outer(places, np.arange(n)) / n)
    return canonical(np.moveaxis(np.tensordot(turns, data, (1, axis)), 0, axis))


@builtin(
    "czt",
    category=_FAMILY,
    signatures=("y = czt(x)", "y = czt(x, m, w, a)"),
    cases=("norm(czt([1 2 3 4]) - fft([1 2 3 4])) < 1e-12",),
    see=("fft", "goertzel"),
)
@takes(NUMBERS & NONEMPTY, COUNT)
def czt(x: Value, m: Value | None = None, w: Value | None = None, a: Value = 1.0) -> Value:
    """The z-transform along a spiral of m points (Rabiner, Schafer and Rader, 1969)."""
    from scipy import signal

    data = real_float(x)
    axis = first_axis(data.shape)
    ratio: Any = vector(w)[0] if is_given(w) else None
    count = whole(m) if is_given(m) else data.shape[axis]
    return canonical(signal.czt(data, count, ratio, complex(vector(a)[0]), axis=axis))


@builtin(
    "rceps",
    category=_FAMILY,
    signatures=("[y, ym] = rceps(x)",),
    cases=("abs(rceps([2 0 0 0]) - [log(2) 0 0 0]) < 1e-12",),
    see=("fft",),
)
@takes(NUMBERS & NONEMPTY & VECTOR)
def rceps(x: Value) -> Value:
    """Real cepstrum, and the signal of the same magnitude with least phase."""
    data = real_float(x)
    n, flat = data.size, data.ravel()
    with np.errstate(divide="ignore"):
        found = np.fft.ifft(np.log(np.abs(np.fft.fft(flat)))).real
    fold = np.zeros(n)
    fold[0] = 1
    fold[1 : (n + 1) // 2] = 2
    if n % 2 == 0:
        fold[n // 2] = 1
    least = np.fft.ifft(np.exp(np.fft.fft(fold * found))).real
    return canonical(found.reshape(data.shape)), canonical(least.reshape(data.shape))
