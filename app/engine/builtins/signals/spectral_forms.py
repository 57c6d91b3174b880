"""What is made of Fourier transforms of resident signals: correlations, spectra, cosines.

Signals are real, their transforms as long as they are or as two-three-five smooth lengths allow.
As on the host, short correlations are left to sums of products, whose errors are relative.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from app.accel.ir.dtypes import DType
from app.accel.numerics.fft_tables import radices
from app.engine.arguments.dimensions import dimension, first_axis
from app.engine.builtins.signals import fourier_forms
from app.engine.builtins.signals.spectral_frames import Frames, Short, split_options
from app.engine.capture.capture_session import Session
from app.engine.capture.term_arrays import elements_at, holds, is_resident, resident, taken_along
from app.engine.capture.terms import Made, Term, cat, constant_array, position, where
from app.engine.values import Array, DeviceArray, Value, is_text_scalar, numel, text_of

Args = tuple[Value, ...]
F64 = DType.F64
LONG = 1000
"""Samples from which a correlation is a product of spectra."""
MOST_PAIRS = 256


def _op(name: str, *parts: Term) -> Term:
    return Term(Session.runtime.apply(name, tuple(p.node for p in parts)))


def _complex(real: Term, imaginary: Term) -> Term:
    return Term(_op("complex", real, imaginary).node, True)


def _parts(z: Term) -> tuple[Term, Term]:
    return _op("real", z), _op("imag", z)


def scaled(z: Term, by: Term | float) -> Term:
    """Complex numbers times real ones, part by part."""
    return _complex(*(part * by for part in _parts(z)))


def _row(a: Array, axis: int, rank: int, dtype: DType = F64) -> Term:
    """Numbers of the host along an axis."""
    shape = tuple(a.size if k == axis else 1 for k in range(max(rank, 2)))
    return Term(Session.runtime.leaf(np.asfortranarray(a.astype(dtype.numpy).reshape(shape))))


def _spectrum(x: Term, axis: int, length: int) -> Term:
    """The transform of real numbers, cut or followed by zeros."""
    node = fourier_forms.resized(x.node, axis, length)
    return Term(fourier_forms.forward(node, (axis,)), True)


def _inverse(z: Term, axis: int, *, real: bool) -> Term:
    if real:
        return Term(fourier_forms.real_part_of_inverse(z.node, (axis,)))
    return Term(fourier_forms.transformed(z.node, (axis,), True), True)


def _fast_length(least: int) -> int:
    from scipy.fft import next_fast_len

    return int(next_fast_len(least, real=True))


def _signal(v: Value) -> tuple[Term, int] | None:
    """A real float array on the device and its first dimension that is not of length one."""
    found = resident(v)
    if found is None or found[0].dtype.is_integer:
        return None
    x = found[0].number()
    return x, first_axis(x.shape)


# --- analytic signals and cosines ------------------------------------------------------------


def _analytic(x: Term, axis: int, length: int) -> Term:
    weights = np.zeros(length)
    weights[0] = 1
    weights[1 : (length + 1) // 2] = 2
    if length % 2 == 0:
        weights[length // 2] = 1
    spectrum = scaled(_spectrum(x, axis, length), _row(weights, axis, x.rank, x.dtype))
    return _inverse(spectrum, axis, real=False)


def hilbert(args: Args, nargout: int) -> Made:
    """``hilbert(x, n)``: the analytic signal."""
    found = _signal(args[0])
    length = args[1] if len(args) > 1 and numel(args[1]) else None
    if found is None or (length is not None and (type(length) is not float or length % 1)):
        return None
    x, axis = found
    count = x.shape[axis] if length is None else int(length)
    if count < 1 or radices(count) is None or x.dtype is not F64:
        return None
    return _analytic(x, axis, count)


def envelope(args: Args, nargout: int) -> Made:
    """``envelope(x)``: around the mean by the magnitude of the analytic signal."""
    found = _signal(args[0])
    if found is None or len(args) > 1 or found[0].dtype is not F64:
        return None
    x, axis = found
    if radices(x.shape[axis]) is None:
        return None
    middle = x.mean(axis)
    size = _op("abs", _analytic(x - middle, axis, x.shape[axis]))
    return (middle + size, middle - size) if nargout > 1 else middle + size


def _padded_signal(args: Args) -> tuple[Term, int] | None:
    """The signal, cut or padded, and the axis of ``dct(x, n, dim)``."""
    found = _signal(args[0])
    if found is None or len(args) > 3 or any(is_text_scalar(v) for v in args):
        return None
    x, axis = found
    if x.dtype is not F64:
        return None
    if len(args) > 2 and numel(args[2]):
        axis = dimension(args[2])
    if axis >= x.rank:
        return None
    if len(args) > 1 and numel(args[1]):
        length = args[1]
        if type(length) is not float or length % 1 or length < 1:
            return None
        x = Term(fourier_forms.resized(x.node, axis, int(length)))
    return (x, axis) if x.shape[axis] > 1 and radices(x.shape[axis]) is not None else None


def _quarter_turns(n: int, axis: int, rank: int, sign: float) -> Term:
    """``exp(sign*i*pi*k/(2*n))`` along an axis."""
    turn = np.pi * np.arange(n) / (2 * n)
    return _complex(_row(np.cos(turn), axis, rank), _row(sign * np.sin(turn), axis, rank))


def _norms(n: int, axis: int, rank: int) -> Term:
    size = np.full(n, math.sqrt(2 / n))
    size[0] = math.sqrt(1 / n)
    return _row(size, axis, rank)


def _cosines(x: Term, axis: int) -> Term:
    """The orthonormal cosine transform, from the spectrum of the even samples and the odd ones
    backwards (Makhoul, 1980)."""
    n = x.shape[axis]
    odd = n // 2
    mixed = cat(axis, x.part(axis, 0, n - odd, 2), x.part(axis, 2 * odd - 1, odd, -2))
    turned = _spectrum(mixed, axis, n) * _quarter_turns(n, axis, x.rank, -1.0)
    return _op("real", turned) * _norms(n, axis, x.rank)


def _from_cosines(y: Term, axis: int) -> Term:
    n = y.shape[axis]
    odd = n // 2
    level = y / _norms(n, axis, y.rank)
    zero = constant_array(0.0, tuple(1 if k == axis else m for k, m in enumerate(y.shape)))
    mirrored = cat(axis, zero, level.part(axis, n - 1, n - 1, -1))
    spectrum = _complex(level, -mirrored) * _quarter_turns(n, axis, y.rank, 1.0)
    mixed = _inverse(spectrum, axis, real=True)
    # Samples 0, 2, 4 … come first, then the others backwards.
    places = np.empty(n)
    places[0::2] = np.arange(n - odd)
    places[1::2] = n - 1 - np.arange(odd)
    return taken_along(mixed, axis, _row(places, axis, y.rank))


def _cosine_form(step: Callable[[Term, int], Term]) -> Callable[[Args, int], Made]:
    def form(args: Args, nargout: int) -> Made:
        found = _padded_signal(args)
        return None if found is None else step(*found)

    return form


dct, idct = _cosine_form(_cosines), _cosine_form(_from_cosines)


def _plane_form(step: Callable[[Term, int], Term]) -> Callable[[Args, int], Made]:
    def form(args: Args, nargout: int) -> Made:
        found = _padded_signal(args)
        usual = found is not None and found[0].rank == 2
        if found is None or not usual or min(found[0].shape) < 2 or len(args) > 1:
            return None
        x = found[0]
        if any(radices(n) is None for n in x.shape):
            return None
        return step(step(x, 0), 1)

    return form


dct2, idct2 = _plane_form(_cosines), _plane_form(_from_cosines)


# --- correlations ----------------------------------------------------------------------------


def _without_mean(x: Term, axis: int) -> Term:
    return x - x.mean(axis)


def correlation(centre: bool) -> Callable[[Args, int], Made]:
    """The form of xcorr, and of xcov, which leaves the means out."""

    def form(args: Args, nargout: int) -> Made:
        words = [text_of(v).lower() for v in args if is_text_scalar(v)]
        numbers = [v for v in args if not is_text_scalar(v)]
        second = numbers.pop(1) if len(numbers) > 1 and numel(numbers[1]) > 1 else numbers[0]
        found = resident(numbers[0], second)
        if found is None or any(x.dtype is not F64 or x.rank > 2 for x in found):
            return None
        scale = words[0] if words else "none"
        reach = numbers[1] if len(numbers) > 1 and numel(numbers[1]) else None
        known = len(words) < 2 and scale in ("none", "biased", "unbiased", "coeff", "normalized")
        if not known or len(numbers) > 2 or not (reach is None or type(reach) is float):
            return None
        if reach is not None and (reach % 1 or reach < 0):
            return None
        return _correlations(found[0], found[1], centre, scale, reach, nargout)

    return form


def _correlations(
    x: Term, y: Term, centre: bool, scale: str, reach: float | None, nargout: int
) -> Made:
    """Of two vectors, or of every column of a matrix with every one."""
    matrix = min(x.shape) > 1
    if matrix and (y.node is not x.node or x.shape[1] ** 2 > MOST_PAIRS or centre):
        return None
    upright = x.shape[0] != 1
    if not matrix:
        if 1 not in y.shape:
            return None
        x, y = x.reshape((x.size, 1)), y.reshape((y.size, 1))
    if centre:
        x, y = _without_mean(x, 0), _without_mean(y, 0)
    size = max(x.shape[0], y.shape[0])
    if size < LONG and matrix:
        return None
    most = size - 1 if reach is None else min(int(reach), size - 1)
    products = _lagged_sums if size < LONG else _lagged_products
    full = _scaled_lags(products(x, y, size, most), (x, y), scale, size, most)
    made = full if upright else full.reshape((1, full.size))
    if nargout < 2:
        return made
    return made, _row(np.arange(-most, most + 1.0), 1, 2)


def _lagged_sums(x: Term, y: Term, size: int, most: int) -> Term:
    """The same of two short columns, added up one by one: whole numbers stay whole."""
    longer = [
        cat(0, t, constant_array(0.0, (size - t.size, 1))) if t.size < size else t for t in (x, y)
    ]
    around = constant_array(0.0, (most, 1)) if most else None
    padded = cat(0, around, longer[0], around) if around is not None else longer[0]
    places = position((size, 1), 0) + position((1, 2 * most + 1), 1)
    return (elements_at(padded, places) * longer[1]).sum(0).reshape((2 * most + 1, 1))


def _lagged_products(x: Term, y: Term, size: int, most: int) -> Term:
    """Sums of products at lags from ``-most`` to ``most``: a column for each pair."""
    length = _fast_length(2 * size - 1)
    a, b = _spectrum(x, 0, length), _op("conj", _spectrum(y, 0, length))
    n = x.shape[1]
    product = a.reshape((length, 1, n)) * b.reshape((length, n)) if n > 1 else a * b
    found = _inverse(product.reshape((length, n * n)), 0, real=True)
    after = found.part(0, 0, most + 1)
    return cat(0, found.part(0, length - most, most), after) if most else after


def _scaled_lags(full: Term, of: tuple[Term, Term], scale: str, size: int, most: int) -> Term:
    if scale == "biased":
        return full / float(size)
    if scale == "unbiased":
        return full / _row(size - np.abs(np.arange(-most, most + 1.0)), 0, 2)
    if scale == "none":
        return full
    first, second = ((x * x).sum(0) for x in of)
    n = of[0].shape[1]
    energy = first.reshape((1, 1, n)) * second.reshape((1, n)) if n > 1 else first * second
    return full / energy.reshape((1, n * n)).root()


# --- densities -------------------------------------------------------------------------------


def _host_weights(v: Value) -> Value:
    """Weights of a window that are on the device."""
    return v.gather("needs-host-value: window") if type(v) is DeviceArray else v


def _columns(v: Value) -> Term | None:
    found = resident(v)
    if found is None or found[0].rank > 2 or found[0].dtype.is_integer:
        return None
    x = found[0].cast(F64)
    return x.reshape((x.size, 1)) if x.shape[0] == 1 else x


def _frames(x: Term, window: Array, overlap: int, points: int) -> Term | None:
    """The spectra of weighted parts: frequencies, parts, columns."""
    size, hop = window.size, window.size - overlap
    count = (x.shape[0] - overlap) // hop if x.shape[0] >= size else 0
    if count < 1 or size > points or radices(points) is None:
        return None
    shape: tuple[int, ...] = (size, count, x.shape[1])
    places = position((size, 1), 0) + position((1, count), 1) * float(hop)
    if x.shape[1] > 1:
        places = places + position((1, 1, x.shape[1]), 2) * float(x.shape[0])
    parts = elements_at(x, places).reshape(shape)
    return _spectrum(parts * _row(window, 0, 2), 0, points)


def _half(z: Term, points: int, whole: bool) -> Term:
    return z if whole else z.part(0, 0, points // 2 + 1)


def _one_sided(p: Term, points: int, whole: bool) -> Term:
    """Densities of one side, which stand for both."""
    if whole:
        return p
    twice = np.full(p.shape[0], 2.0)
    twice[0] = 1
    if points % 2 == 0:
        twice[-1] = 1
    weights = _row(twice, 0, 2)
    return scaled(p, weights) if p.dtype.is_complex else p * weights


def _in_order_of_sides(p: Term, frames: Frames) -> Term:
    """Frequencies around zero where that was asked for."""
    half = (frames.points - 1) // 2
    if frames.sides != "centered" or not half:
        return p
    first = frames.points - half
    return cat(0, p.part(0, first, frames.points - first), p.part(0, 0, first))


def _frequencies(frames: Frames, whole: bool) -> Array:
    n, step = frames.points, frames.rate / frames.points
    if frames.sides == "centered":
        return np.asarray((np.arange(n) - (n - 1) // 2) * step)
    return np.asarray(np.arange(n if whole else n // 2 + 1) * step)


def _settings(name: str, x: Term, args: Args, window: Array | None = None) -> Frames | None:
    """The parts a call asks for; None where the host has something to say about it."""
    numbers, words = split_options(tuple(map(_host_weights, args)))
    if window is not None:
        numbers = [*numbers[:1], None, *numbers[1:]]
    frames = Frames.of(name, x.shape[0], numbers, words, window)
    return frames if np.isrealobj(frames.window) and frames.wanted is None else None


def _density(
    name: str, x: Term, y: Term, frames: Frames, estimate: str
) -> tuple[Term, Array] | None:
    whole = frames.sides in ("twosided", "centered")
    window = np.asarray(frames.window, np.float64).ravel()
    spectra = [
        _frames(v, window, frames.overlap, frames.points) for v in ((x,) if x is y else (x, y))
    ]
    if any(z is None for z in spectra):
        return None
    density = frames.scaling == "density"
    area = frames.rate * (window * window).sum() if density else window.sum() ** 2

    def mean(z: Term) -> Term:
        found = _half(z, frames.points, whole)
        if found.dtype.is_complex:
            made = _complex(*(part.mean(1) / float(area) for part in _parts(found)))
        else:
            made = found.mean(1) / float(area)
        shape = (made.shape[0], made.size // made.shape[0])
        return _one_sided(made.reshape(shape), frames.points, whole)

    def power(z: Term) -> Term:
        re, im = _parts(z)
        return mean(re * re + im * im)

    a, b = spectra[0], spectra[-1]
    assert a is not None
    assert b is not None
    made = _spectral_estimate(estimate, lambda p, q: mean(_op("conj", p) * q), power, a, b)
    return _in_order_of_sides(made, frames), _frequencies(frames, whole)


def _spectral_estimate(
    estimate: str,
    across: Callable[[Term, Term], Term],
    power: Callable[[Term], Term],
    a: Term,
    b: Term,
) -> Term:
    if estimate == "power":
        return power(a)
    if estimate == "cpsd":
        return across(b, a)
    cross = across(a, b)
    if estimate == "tfestimate":
        return scaled(cross, 1.0 / power(a))
    re, im = _parts(cross)
    return (re * re + im * im) / (power(a) * power(b))


def _answer(found: tuple[Term, Array] | None, nargout: int) -> Made:
    if found is None:
        return None
    return found[0] if nargout < 2 else (found[0], _row(found[1], 0, 2))


def pwelch(args: Args, nargout: int) -> Made:
    """``[pxx, f] = pwelch(x, window, noverlap, nfft, fs)``."""
    x = _columns(args[0]) if nargout else None
    frames = None if x is None else _settings("pwelch", x, args[1:])
    if x is None or frames is None:
        return None
    return _answer(_density("pwelch", x, x, frames, "power"), nargout)


def periodogram(args: Args, nargout: int) -> Made:
    """``[pxx, f] = periodogram(x, window, nfft, fs)``."""
    x = _columns(args[0]) if nargout else None
    if x is None:
        return None
    frames = _settings("periodogram", x, args[1:], np.ones(x.shape[0]))
    if frames is None or frames.window.size != x.shape[0]:
        return None
    points = max(frames.points, x.shape[0])
    frames = replace(frames, points=points, overlap=0)
    return _answer(_density("periodogram", x, x, frames, "power"), nargout)


def pair_form(name: str) -> Callable[[Args, int], Made]:
    """The form of cpsd, mscohere and tfestimate."""

    def form(args: Args, nargout: int) -> Made:
        signals = [_columns(v) for v in args[:2]] if nargout else [None]
        x, y = signals[0], signals[-1]
        if x is None or y is None or x.shape != y.shape:
            return None
        frames = _settings(name, x, args[2:])
        return None if frames is None else _answer(_density(name, x, y, frames, name), nargout)

    return form


def spectrogram(args: Args, nargout: int) -> Made:
    """``[s, f, t, ps] = spectrogram(x, window, noverlap, nfft, fs)``."""
    from app.engine.builtins.signals.pictures import CIRCLE

    x = _columns(args[0]) if nargout else None
    if x is None or 1 not in x.shape:
        return None
    frames = _settings("spectrogram", x, args[1:])
    if frames is None or x.shape[1] > 1:
        return None
    window = np.asarray(frames.window, np.float64).ravel()
    found = _frames(x, window, frames.overlap, frames.points)
    if found is None:
        return None
    whole = frames.sides in ("twosided", "centered")
    table = _half(found, frames.points, whole)
    shown = _in_order_of_sides(table, frames)
    hop = window.size - frames.overlap
    count = table.shape[1] if table.rank > 1 else 1
    times = (np.arange(count) * hop + window.size / 2) / (
        frames.rate if frames.rate != CIRCLE else 1.0
    )
    re, im = _parts(shown)
    power = (re * re + im * im) / float(frames.rate * (window * window).sum())
    rest = (
        _row(_frequencies(frames, whole), 0, 2),
        _row(times, 1, 2),
        _one_sided(power, frames.points, whole),
    )
    return (shown, *rest[: nargout - 1]) if nargout > 1 else shown


def stft(args: Args, nargout: int) -> Made:
    """``[s, f, t] = stft(x, fs, …)``."""
    x = _columns(args[0])
    if x is None or 1 not in x.shape or x.shape[1] > 1:
        return None
    plan = Short("stft", tuple(map(_host_weights, args[1:])))
    window = np.asarray(plan.window, np.float64).ravel()
    table = _frames(x, window, plan.overlap, plan.points)
    if table is None or plan.sides not in ("centered", "twosided", "onesided"):
        return None
    f = plan.frequencies()
    if plan.sides == "onesided":
        table, f = _half(table, plan.points, False), f[: plan.points // 2 + 1]
    elif plan.sides == "centered":
        first = (plan.points - 1) // 2 + 1
        if first < plan.points:
            table = cat(0, table.part(0, first, plan.points - first), table.part(0, 0, first))
    count = table.shape[1] if table.rank > 1 else 1
    times = (np.arange(count) * plan.hop + window.size / 2) / plan.rate
    rest = (_row(f, 0, 2), _row(times, 0, 2))
    return (table, *rest[: nargout - 1]) if nargout > 1 else table


# --- convolutions ----------------------------------------------------------------------------


EXACT = 2.0**40
"""Sums of whole numbers below it come out of transforms with errors far below a half."""


def _long_pair(a: Value, b: Value, least: int) -> list[Term] | None:
    """Two arrays of doubles, both long and finite, that are on the device."""
    if min(numel(a), numel(b)) < least or not is_resident(a, b):
        return None
    found = resident(a, b)
    if found is None or any(x.dtype is not F64 or x.rank > 2 for x in found):
        return None
    finite = found[0].isfinite().all() & found[1].isfinite().all()
    return found if holds(finite, "is all of it finite?") else None


def conv(args: Args) -> Term | None:
    """The whole convolution of two long vectors; None for all else."""
    found = _long_pair(args[0], args[1], LONG)
    if found is None or any(x.size != max(x.shape) for x in found):
        return None
    x, y = found
    made = convolved(x.reshape((x.size, 1)), y.reshape((y.size, 1)))
    longer = x if x.size > y.size else y
    return made if longer.shape[0] != 1 else made.reshape((1, made.size))


def conv2(a: Value, b: Value, shape: str) -> Term | None:
    """The convolution of two large matrices."""
    found = _long_pair(a, b, LONG)
    if found is None:
        return None
    (x, y), full = found, convolved(*found)
    for axis in (0, 1):
        m, n = x.shape[axis], y.shape[axis]
        if shape == "same":
            full = full.part(axis, n // 2, m)
        elif shape == "valid":
            if m < n:
                return None
            full = full.part(axis, n - 1, m - n + 1)
    return full


def convolved(x: Term, kernel: Term) -> Term:
    """The whole convolution of two matrices of doubles; of whole numbers exactly."""
    size = tuple(m + n - 1 for m, n in zip(x.shape, kernel.shape, strict=True))
    axes = tuple(k for k, n in enumerate(size) if n > 1)
    spectra = []
    for part in (x, kernel):
        node = part.node
        for axis in axes:
            node = fourier_forms.resized(node, axis, _fast_length(size[axis]))
        spectra.append(Term(fourier_forms.transformed(node, axes, False), True))
    product = spectra[0] * spectra[1]
    found = Term(fourier_forms.real_inverse(product.node, axes))  # both were real
    for axis in axes:
        found = found.part(axis, 0, size[axis])
    is_whole = x.eq(x.floor()).all() & kernel.eq(kernel.floor()).all()
    most = _op("abs", x).amax() * _op("abs", kernel).sum()
    return where(is_whole & (most < EXACT), found.round(), found)
