"""Filters of finite length: fir2, firpm, sgolay, rcosdesign; matrices of convolution."""

from __future__ import annotations

import numpy as np

from app.engine import stoppable
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
from app.engine.builtins.vectors import row, vector
from app.engine.declarations.device_support import of_resident
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Value, as_array, canonical, is_text_scalar, size_of, text_of
from app.errors import MatlabError
from app.toolboxes.signal import rate_forms

_FAMILY = "signal processing"
_SIGNAL = NUMBERS & NONEMPTY


@builtin(
    "fftfilt",
    words="",
    category=_FAMILY,
    signatures=("y = fftfilt(b, x)", "y = fftfilt(b, x, n)"),
    device=of_resident(rate_forms.fftfilt),
    cases=("norm(fftfilt([1 2 3], 1:6) - filter([1 2 3], 1, 1:6)) < 1e-12",),
    see=("filter",),
)
@takes(_SIGNAL & VECTOR, _SIGNAL)
def fftfilt(b: Value, x: Value, n: Value | None = None) -> Value:
    """Filter by the fast Fourier transform, with overlapping blocks; columns one by one."""
    from scipy.signal import oaconvolve

    a, taps = np.asarray(as_array(x)), vector(b)
    flat = a.reshape(-1, 1) if a.shape[0] == 1 else a
    made = oaconvolve(flat, taps.reshape(-1, *[1] * (flat.ndim - 1)), axes=0)[: flat.shape[0]]
    return canonical(np.asarray(made).reshape(a.shape))


@builtin(
    "fir2",
    words="",
    category=_FAMILY,
    signatures=("b = fir2(n, f, m)", "b = fir2(n, f, m, npt, lap)", "b = fir2(n, f, m, window)"),
    cases=("b = fir2(30, [0 0.4 0.5 1], [1 1 0 0]); abs(sum(b) - 1) < 1e-2",),
    see=("fir1", "firpm", "freqz"),
)
@takes(COUNT & POSITIVE, _SIGNAL & VECTOR & REAL, _SIGNAL & VECTOR & REAL)
def fir2(n: Value, f: Value, m: Value, *rest: Value) -> Value:
    """A linear-phase filter with any magnitude, given at some frequencies."""
    points, size = vector(f).real, vector(m).real
    count = int(real_number(n)) + 1
    if points[0] != 0 or points[-1] != 1 or np.any(np.diff(points) < 0) or points.size != size.size:
        text = "The frequencies must grow from 0 to 1, with a magnitude for each."
        raise MatlabError("signal:fir2:InvalidFreqVec", text)
    count += int(count % 2 == 0 and size[-1] != 0)
    window = next(
        (vector(v).real for v in rest if np.size(as_array(v)) == count), np.hamming(count)
    )
    grid = np.linspace(0, 1, max(513, 1 << int(np.ceil(np.log2(count)))))
    wanted = np.interp(grid, points + np.arange(points.size) * 1e-12, size)
    turned = wanted * np.exp(-0.5j * np.pi * grid * (count - 1))
    return row(np.fft.irfft(turned, 2 * (grid.size - 1))[:count] * window)


@builtin(
    "firpm",
    words="hilbert h differentiator d",
    category=_FAMILY,
    signatures=("b = firpm(n, f, a)", "b = firpm(n, f, a, w)", "b = firpm(n, f, a, ftype)"),
    cases=(
        "b = firpm(20, [0 0.3 0.5 1], [1 1 0 0]); abs(sum(b) - 1) < 0.05 && norm(b - "
        "fliplr(b)) < 1e-9",
    ),
    see=("firls", "fir1", "fir2"),
)
@takes(COUNT & POSITIVE, _SIGNAL & VECTOR & REAL, _SIGNAL & VECTOR & REAL)
def firpm(n: Value, f: Value, a: Value, *rest: Value) -> Value:
    """The filter whose largest error over the bands is least (Parks and McClellan)."""
    from scipy.signal import remez

    edges, gains = vector(f).real, vector(a).real
    weights = [vector(v).real for v in rest if not is_text_scalar(v)]
    kinds = [text_of(v).lower()[0] for v in rest if is_text_scalar(v)]
    if edges.size % 2 or edges.size != gains.size:
        raise MatlabError("signal:firpm:InvalidDimensions", "Give two frequencies for each band.")
    count = int(real_number(n)) + 1
    if kinds:
        kind = {"h": "hilbert", "d": "differentiator"}.get(kinds[0], "bandpass")
        pairs = gains[::2] if kind == "hilbert" else (gains[1::2] / (np.pi * edges[1::2]))
        made = remez(count, edges / 2, pairs * (1 if kind == "hilbert" else np.pi), type=kind)
        return row(made)
    if np.any(gains[::2] != gains[1::2]):
        return _sloped_band_filter(count, edges, gains, weights)
    count += int(count % 2 == 0 and gains[-1] != 0 and edges[-1] == 1)
    return row(remez(count, edges / 2, gains[::2], weight=weights[0] if weights else None))


def _sloped_band_filter(count: int, edges: Array, gains: Array, weights: list[Array]) -> Value:
    """Bands whose gain is not constant, in the least squares of many points, weighted again."""
    from scipy.signal import firls

    return row(
        firls(count + (count % 2 == 0), edges, gains, weight=weights[0] if weights else None)
    )


@builtin(
    "sgolay",
    category=_FAMILY,
    signatures=("b = sgolay(order, framelen)", "[b, g] = sgolay(order, framelen)"),
    cases=("b = sgolay(2, 5); norm(b(3, :) - [-3 12 17 12 -3]/35) < 1e-12",),
    see=("sgolayfilt",),
)
@takes(COUNT, COUNT & POSITIVE)
def sgolay(order: Value, frame: Value, weights: Value | None = None) -> Value:
    """The projection on polynomials of a window, and filters for the derivatives at its middle."""
    k, n = int(real_number(order)), int(real_number(frame))
    if n % 2 == 0 or k >= n:
        text = "The frame must be odd and longer than the order."
        raise MatlabError("signal:sgolay:MustBeOdd", text)
    w = np.ones(n) if weights is None else vector(weights).real
    powers = np.vander(np.arange(n) - n // 2, k + 1, increasing=True).astype(float)
    g = stoppable.solve(powers.T @ (w[:, None] * powers), powers.T * w).T
    return canonical(powers @ g.T), canonical(g)


@builtin(
    "rcosdesign",
    words="sqrt normal",
    category=_FAMILY,
    signatures=("b = rcosdesign(beta, span, sps)", "b = rcosdesign(beta, span, sps, shape)"),
    cases=("b = rcosdesign(0.25, 6, 4); abs(norm(b) - 1) < 1e-12 && numel(b) == 25",),
    see=("fir1",),
)
@takes(NUMBERS & REAL, COUNT & POSITIVE, COUNT & POSITIVE)
def rcosdesign(beta: Value, span: Value, sps: Value, shape: Value = "sqrt") -> Value:
    """A raised cosine pulse, or its root, of unit energy."""
    roll, count, each = real_number(beta), int(real_number(span)), int(real_number(sps))
    if not 0 <= roll <= 1 or count * each % 2:
        raise MatlabError(
            "signal:rcosdesign:InvalidInput", "beta lies in 0 to 1, span*sps is even."
        )
    t = np.arange(-count * each // 2, count * each // 2 + 1) / each
    with np.errstate(all="ignore"):
        if text_of(shape) == "normal":
            b = np.sinc(t) * np.cos(np.pi * roll * t) / (1 - (2 * roll * t) ** 2)
            odd = np.isclose(np.abs(2 * roll * t), 1)
            b[odd] = np.pi / 4 * np.sinc(1 / (2 * roll)) if roll else 1.0
        else:
            b = (np.sin(np.pi * t * (1 - roll)) + 4 * roll * t * np.cos(np.pi * t * (1 + roll))) / (
                np.pi * t * (1 - (4 * roll * t) ** 2)
            )
            b[t == 0] = 1 - roll + 4 * roll / np.pi
            odd = np.isclose(np.abs(4 * roll * t), 1)
            if roll:
                b[odd] = (
                    roll
                    / np.sqrt(2)
                    * (
                        (1 + 2 / np.pi) * np.sin(np.pi / (4 * roll))
                        + (1 - 2 / np.pi) * np.cos(np.pi / (4 * roll))
                    )
                )
    return row(b / np.linalg.norm(b))


@builtin(
    "convmtx",
    category=_FAMILY,
    signatures=("A = convmtx(h, n)",),
    cases=("isequal(convmtx([1 2], 2), [1 2 0; 0 1 2])",),
    see=("conv", "toeplitz"),
)
@takes(_SIGNAL & VECTOR, COUNT & POSITIVE)
def convmtx(h: Value, n: Value) -> Value:
    """The matrix whose product with a vector of length n is the convolution."""
    from scipy.linalg import convolution_matrix

    made = convolution_matrix(vector(h), int(real_number(n)), mode="full")
    return canonical(made.T if size_of(h)[0] == 1 else made)


@builtin(
    "corrmtx",
    category=_FAMILY,
    signatures=("[H, R] = corrmtx(x, m)", "[H, R] = corrmtx(x, m, method)"),
    cases=(
        "isequal(size(corrmtx(1:5, 2)), [7 3])",
        "isequal(round(2*corrmtx(1:4, 2, 'modified')), [3 2 1; 4 3 2; 1 2 3; 2 3 4])",
    ),
    see=("xcorr", "convmtx"),
)
@takes(_SIGNAL & VECTOR, COUNT)
def corrmtx(x: Value, m: Value, method: Value = "autocorrelation") -> Value:
    """A matrix of shifted data whose product with itself is the autocorrelation.

    The methods: ``autocorrelation``, ``prewindowed``, ``postwindowed``, ``covariance``, and
    ``modified`` (forward and backward prediction errors).
    """
    from scipy.linalg import toeplitz

    a, k, word = vector(x), int(real_number(m)), text_of(method).lower()
    whole = toeplitz(np.concatenate([a, np.zeros(k)]), np.zeros(k + 1))
    whole[:, 0] = np.concatenate([a, np.zeros(k)])
    n = a.size
    rows = {
        "autocorrelation": slice(0, n + k),
        "prewindowed": slice(0, n),
        "postwindowed": slice(k, n + k),
        "covariance": slice(k, n),
        "modified": slice(k, n),
    }.get(word)
    if rows is None:
        raise MatlabError("signal:corrmtx:UnrecognizedMethod", f"'{word}' is no method.")
    made = whole[rows] / np.sqrt(n if word == "autocorrelation" else max(n - k, 1))
    if word == "modified":
        made = np.vstack([made, made[:, ::-1].conj()]) / np.sqrt(2)
    return canonical(made), canonical(made.conj().T @ made)


@builtin(
    "cconv",
    category=_FAMILY,
    signatures=("c = cconv(a, b)", "c = cconv(a, b, n)"),
    cases=("norm(cconv([1 2 3], [1 1], 3) - [4 3 5]) < 1e-12",),
    see=("conv", "fft"),
)
@takes(_SIGNAL & VECTOR, _SIGNAL & VECTOR, COUNT & POSITIVE)
def cconv(a: Value, b: Value, n: Value | None = None) -> Value:
    """The circular convolution of length n."""
    full = np.convolve(vector(a), vector(b))
    count = full.size if n is None else int(real_number(n))
    padded = np.pad(full, (0, -full.size % count))
    made = padded.reshape(-1, count).sum(axis=0)
    upright = size_of(a)[1] == 1 and size_of(a)[0] > 1
    return canonical(made.reshape(-1, 1) if upright else made.reshape(1, -1))


@builtin(
    "dctmtx",
    category=_FAMILY,
    signatures=("D = dctmtx(n)",),
    cases=("D = dctmtx(4); norm(D*D' - eye(4)) < 1e-12 && norm(D*(1:4)' - dct((1:4)')) < 1e-12",),
    see=("dct",),
)
@takes(COUNT & POSITIVE)
def dctmtx(n: Value) -> Value:
    """The matrix of the discrete cosine transform."""
    from scipy.fft import dct

    return canonical(dct(np.eye(int(real_number(n))), axis=0, norm="ortho"))


@builtin(
    "pulstran",
    category=_FAMILY,
    least=3,
    signatures=(
        "y = pulstran(t, d, func)",
        "y = pulstran(t, d, func, p1, ...)",
        "y = pulstran(t, d, p, fs)",
    ),
    cases=("isequal(pulstran(0:4, [1 3], @(t) double(t == 0)), [0 1 0 1 0])",),
    see=("rectpuls", "tripuls"),
)
def pulstran(ctx: object, t: Value, d: Value, pulse: Value, *rest: Value) -> Value:
    """A train of pulses at delays, each with a gain where d has a second column."""
    from typing import Any, cast

    from app.engine.values import FunctionHandle

    times = np.asarray(as_array(t), dtype=float)
    table = np.asarray(as_array(d), dtype=float)
    pairs = (
        table
        if table.ndim == 2 and table.shape[1] == 2 and table.shape[0] > 1
        else (np.column_stack([table.ravel(), np.ones(table.size)]))
    )
    made = np.zeros(times.shape)
    for delay, gain in pairs:
        moved = times - delay
        if isinstance(pulse, FunctionHandle) or is_text_scalar(pulse):
            name = pulse if isinstance(pulse, FunctionHandle) else text_of(pulse)
            value = as_array(cast(Any, ctx).call(name, (canonical(moved), *rest), 1)[0])
        else:
            samples, rate = vector(pulse).real, real_number(rest[0]) if rest else 1.0
            value = np.interp(moved, np.arange(samples.size) / rate, samples, left=0.0, right=0.0)
        made = made + gain * value
    return canonical(made)
