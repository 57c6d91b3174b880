"""Correlation, peaks, resampling and test signals."""

from __future__ import annotations

import itertools
import warnings
from typing import Any

import numpy as np

from app import memory
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import (
    COUNT,
    NONEMPTY,
    NUMBER,
    NUMBERS,
    POSITIVE,
    VECTOR,
    WHOLE,
    option_pairs,
    real_number,
    takes,
)
from app.engine.arguments.dimensions import dimension, first_axis
from app.engine.builtins.signals import signal_forms, spectral_forms
from app.engine.builtins.statistics import extrema_forms, moving_forms
from app.engine.builtins.vectors import column, real_float, row, vector, whole
from app.engine.declarations.device_support import Formula, of_resident, term_form
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    Value,
    as_array,
    canonical,
    is_text_scalar,
    numel,
    size_of,
    text_of,
)
from app.errors import MatlabError
from app.toolboxes.signal import rate_forms

_FAMILY = "signal processing"


@builtin(
    "xcorr",
    most=4,
    words="none biased unbiased normalized coeff",
    category=_FAMILY,
    signatures=("[c, lags] = xcorr(x, y)", "[c, lags] = xcorr(x, y, maxlag, scale)"),
    device=of_resident(spectral_forms.correlation(centre=False)),
    cases=("norm(xcorr([1 2 3], [1 2 3]) - [3 8 14 8 3]) < 1e-13",),
    see=("conv", "xcov"),
)
@takes(NUMBERS & NONEMPTY)
def xcorr(x: Value, *rest: Value) -> Value:
    """Cross-correlation; scales ``none``, ``biased``, ``unbiased``, ``coeff`` (``normalized``)."""
    flags = [text_of(v).lower() for v in rest if isinstance(v, str)]
    numbers = [v for v in rest if not isinstance(v, str)]
    if flags[:1] and flags[0] not in _SCALES:
        raise MatlabError("signal:xcorr:InvalidScaleOption", "The scale option is not known.")
    scale = flags[0] if flags else "none"
    if min(size_of(x)) > 1:  # every column with every column
        data = real_float(x)
        made = [_correlation_and_lags(p, q, scale) for p in data.T for q in data.T]
        full, lags = np.stack([c for c, _ in made], axis=1), made[0][1]
    else:
        second = numbers.pop(0) if numbers and numel(numbers[0]) > 1 else x
        full, lags = _correlation_and_lags(vector(x), vector(second), scale)
        full = full.reshape((1, -1) if size_of(x)[0] == 1 else (-1, 1))
    if numbers and numel(numbers[0]):
        keep = np.abs(lags) <= whole(numbers[0])
        full, lags = full[:, keep] if size_of(x)[0] == 1 else full[keep], lags[keep]
    return canonical(full), row(lags)


def _correlation_and_lags(a: Array, b: Array, scale: str) -> tuple[Array, Array]:
    """The correlation of two vectors of any lengths, and its lags."""
    size = max(a.size, b.size)
    a, b = np.pad(a, (0, size - a.size)), np.pad(b, (0, size - b.size))
    if size < _LONG:
        full = np.correlate(a, b, "full")
    else:
        from scipy import signal

        full = signal.correlate(a, b, "full", method="fft")
    lags = np.arange(-(size - 1), size, dtype=np.float64)
    return full / _scale(scale, a, b, lags), lags


_LONG = 1000
_SCALES = frozenset(("none", "biased", "unbiased", "coeff", "normalized"))


def _scale(kind: str, a: Array, b: Array, lags: Array) -> Any:
    if kind == "biased":
        return a.size
    if kind == "unbiased":
        return a.size - np.abs(lags)
    if kind in {"coeff", "normalized"}:
        return np.sqrt(np.sum(np.abs(a) ** 2) * np.sum(np.abs(b) ** 2))
    return 1.0


@builtin(
    "xcov",
    most=4,
    words="none biased unbiased normalized coeff",
    category=_FAMILY,
    signatures=("[c, lags] = xcov(x, y)",),
    device=of_resident(spectral_forms.correlation(centre=True)),
    cases=("abs(max(xcov([1 2 3])) - 2) < 1e-13",),
    see=("xcorr",),
)
def xcov(x: Value, *rest: Value) -> Value:
    """Cross-covariance: the cross-correlation of the signals without their means."""

    def centred(v: Value) -> Value:
        if isinstance(v, str) or numel(v) < 2:
            return v
        return canonical(real_float(v) - real_float(v).mean())

    return xcorr(*(centred(v) for v in (x, *rest)))


@builtin(
    "findpeaks",
    category=_FAMILY,
    signatures=(
        "findpeaks(y)",
        "[pks, locs, w, p] = findpeaks(y)",
        "[...] = findpeaks(y, x)",
        "[...] = findpeaks(..., name, value)",
    ),
    cases=("isequal(findpeaks([0 2 1 3 0]), [2 3])",),
    see=("max",),
    device=of_resident(extrema_forms.findpeaks),
)
def findpeaks(ctx: CallContext, y: Value, *rest: Value, nargout: int = 1) -> Value:
    """Local maxima, their places, widths and prominences; drawn without outputs.

    Options: MinPeakHeight, MinPeakDistance, MinPeakProminence, Threshold, NPeaks, SortStr,
    MinPeakWidth, MaxPeakWidth.
    """
    from scipy import signal

    data = vector(y)
    numbers = []
    while rest and not isinstance(rest[0], str):
        numbers.append(rest[0])
        rest = rest[1:]
    options = option_pairs(
        "findpeaks",
        rest,
        "MinPeakHeight MinPeakDistance MinPeakProminence Threshold NPeaks SortStr "
        "MinPeakWidth MaxPeakWidth",
    )
    x = _places(data.size, numbers)
    spacing = float(x[1] - x[0]) if x.size > 1 else 1.0
    limit = {
        k: real_number(options[n]) if n in options else None
        for k, n in (
            ("height", "minpeakheight"),
            ("prominence", "minpeakprominence"),
            ("threshold", "threshold"),
        )
    }
    if data.size < 3:
        text = "Data set must contain at least 3 samples."
        raise MatlabError("signal:findpeaks:emptyDataSet", text)
    found, facts = signal.find_peaks(data, plateau_size=1, **limit)
    found = facts["left_edges"]
    if "minpeakdistance" in options:
        found = _distant_peaks(found, data, real_number(options["minpeakdistance"]) / spacing)
    if {"minpeakwidth", "maxpeakwidth"} & set(options):
        widths = signal.peak_widths(data, found)[0] * spacing
        found = _peaks_of_allowed_width(found, widths, options)
    found = _selected_peaks(found, data, options)
    if not nargout:
        _draw_peaks(ctx, x, data, found)
        return None
    made = [data[found], x[found]]
    if nargout > 2:
        made.append(signal.peak_widths(data, found)[0] * spacing)
        made.append(signal.peak_prominences(data, found)[0])
    shape = (-1, 1) if np.asarray(as_array(y)).shape[1] == 1 else (1, -1)
    return tuple(canonical(v.reshape(shape)) for v in made)


def _peaks_of_allowed_width(found: Array, widths: Array, options: dict[str, Value]) -> Array:
    """The peaks whose widths at half prominence are allowed."""
    least = real_number(options.get("minpeakwidth", 0.0))
    most = real_number(options.get("maxpeakwidth", np.inf))
    return found[(widths >= least) & (widths <= most)]


def _draw_peaks(ctx: CallContext, x: Array, y: Array, found: Array) -> None:
    """The signal with a triangle over every peak."""
    lines = (column(x), column(y)), (column(x[found]), column(y[found]), "v")
    ctx.call("plot", lines[0] + lines[1], 0)
    ctx.call("grid", ("on",), 0)


def _places(size: int, numbers: list[Value]) -> Array:
    if not numbers:
        return np.arange(1.0, size + 1)
    if numel(numbers[0]) == 1:
        return np.arange(size) / real_number(numbers[0])
    places = vector(numbers[0])
    if places.size != size:
        text = f"There must be as many places as samples, {size}, not {places.size}."
        raise MatlabError("signal:findpeaks:mismatchYX", text)
    return places


def _distant_peaks(found: Array, data: Array, distance: float) -> Array:
    kept: list[int] = []
    for place in sorted(found.tolist(), key=lambda k: (-data[k], k)):
        if all(abs(place - other) >= distance for other in kept):
            kept.append(place)
    return np.array(sorted(kept), dtype=np.intp)


def _selected_peaks(found: Array, data: Array, options: dict[str, Value]) -> Array:
    order = text_of(options.get("sortstr", "none")).lower()
    if order.startswith("desc"):
        found = found[np.argsort(-data[found], kind="stable")]
    elif order.startswith("asc"):
        found = found[np.argsort(data[found], kind="stable")]
    return found[: whole(options["npeaks"])] if "npeaks" in options else found


@builtin(
    "medfilt1",
    words="includenan omitnan zeropad truncate",
    category=_FAMILY,
    signatures=(
        "y = medfilt1(x)",
        "y = medfilt1(x, n)",
        "y = medfilt1(x, n, blocksize, dim)",
        "y = medfilt1(..., nanflag, padding)",
    ),
    device=term_form(moving_forms.medfilt1),
    cases=(
        "isequal(medfilt1([1 9 2 3 4]), [1 2 3 3 3])",
        "isequal(medfilt1([1 9 2; 3 4 8], 3, [], 2), [1 2 2; 3 4 4])",
        "isequal(medfilt1([4 NaN 6 8], 3, 'omitnan', 'truncate'), [4 5 7 7])",
    ),
    see=("filter", "movmedian"),
)
@takes(NUMBERS & NONEMPTY)
def medfilt1(x: Value, n: Value = 3.0, *more: Value) -> Value:
    """Running median of n points, along ``dim`` or the first dimension that is not 1.

    Beyond the ends are zeros, or with ``truncate`` nothing. A NaN makes every median with it NaN
    unless it is left out (``omitnan``). The size of blocks only steers how much memory is used.
    """
    given, words = _median_options((n, *more))
    data = real_float(x)
    for place, value in enumerate(given[:2], 2):
        if numel(value):
            (NUMBER & WHOLE & POSITIVE)("medfilt1", place, value)
    count = whole(given[0]) if given and numel(given[0]) else 3
    axis = dimension(given[2]) if len(given) > 2 and numel(given[2]) else first_axis(data.shape)
    data = data.reshape(data.shape + (1,) * (axis + 1 - data.ndim))
    memory.require_array((data.size, count), 8)
    pad = [(0, 0)] * data.ndim
    pad[axis] = (count // 2, count - 1 - count // 2)
    beyond = np.nan if "truncate" in words else 0.0
    unknown = _windows(np.pad(np.isnan(data), pad), count, axis).any(axis=-1)
    windows = _windows(np.pad(data, pad, constant_values=beyond), count, axis)
    if not np.isnan(beyond) and not unknown.any():
        return canonical(np.median(windows, axis=-1))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a window without a number is NaN
        found = np.nanmedian(windows, axis=-1)
    return canonical(found if "omitnan" in words else np.where(unknown, np.nan, found))


def _windows(padded: Array, count: int, axis: int) -> Array:
    return np.asarray(np.lib.stride_tricks.sliding_window_view(padded, count, axis=axis))


def _median_options(args: tuple[Value, ...]) -> tuple[list[Value], list[str]]:
    """The numbers before the words, three at most, and the words."""
    count = next((k for k, v in enumerate(args) if is_text_scalar(v)), len(args))
    if count > 3:
        raise MatlabError("MATLAB:maxrhs", "Too many input arguments.")
    return list(args[:count]), [text_of(v).lower() for v in args[count:]]


def _sampling_arguments(
    name: str, x: Value, n: Value, offset: Value
) -> tuple[Array, int, int, int]:
    """The samples, their axis, how many one stands for, and where among them."""
    data = np.asarray(as_array(x))
    (COUNT & POSITIVE)(name, 2, n)
    COUNT(name, 3, offset)
    step, start = whole(n), whole(offset)
    if start >= step:
        text = f"The offset of {name} must be from 0 to {step - 1}."
        raise MatlabError(f"signal:{name}:InvalidOffset", text)
    return data, first_axis(data.shape), step, start


@builtin(
    "downsample",
    words="",
    category=_FAMILY,
    signatures=("y = downsample(x, n)", "y = downsample(x, n, offset)"),
    device=term_form(signal_forms.downsample),
    cases=("isequal(downsample(1:6, 2), [1 3 5])",),
    see=("upsample", "decimate"),
)
def downsample(x: Value, n: Value, offset: Value = 0.0) -> Value:
    """Keep every n-th sample."""
    data, axis, step, start = _sampling_arguments("downsample", x, n, offset)
    places = np.arange(data.shape[axis])[start :: min(step, data.shape[axis] + 1)]
    return canonical(np.take(data, places, axis=axis))


@builtin(
    "upsample",
    category=_FAMILY,
    signatures=("y = upsample(x, n)", "y = upsample(x, n, offset)"),
    device=term_form(signal_forms.upsample),
    cases=("isequal(upsample([1 2], 2), [1 0 2 0])",),
    see=("downsample", "resample"),
)
def upsample(x: Value, n: Value, offset: Value = 0.0) -> Value:
    """Put n-1 zeros between the samples."""
    data, axis, step, start = _sampling_arguments("upsample", x, n, offset)
    shape = list(data.shape)
    shape[axis] *= step
    result = np.zeros(shape, dtype=data.dtype)
    place: list[slice] = [slice(None)] * data.ndim
    place[axis] = slice(start, None, step)
    result[tuple(place)] = data
    return canonical(result)


@builtin(
    "decimate",
    words="fir iir",
    category=_FAMILY,
    signatures=("y = decimate(x, r)", "y = decimate(x, r, n)", "y = decimate(x, r, n, 'fir')"),
    cases=("numel(decimate(ones(1, 100), 4)) == 25",),
    see=("resample", "downsample"),
)
@takes(NUMBERS & VECTOR & NONEMPTY, NUMBER & WHOLE & POSITIVE)
def decimate(x: Value, r: Value, n: Value | None = None, kind: Value = "iir") -> Value:
    """Low-pass filter (Chebyshev, zero phase; or fir1's) and keep every r-th sample."""
    from scipy import signal

    if isinstance(n, str):
        n, kind = None, n
    data, factor = vector(x), whole(r)
    if text_of(kind).lower() == "fir":
        return _decimated_by_fir(x, factor, 30 if n is None else whole(n))
    order = 8 if n is None else whole(n)
    smooth = signal.filtfilt(*signal.cheby1(order, 0.05, 0.8 / factor), data)
    count = -(-data.size // factor)
    start = factor - (factor * count - data.size) - 1
    kept = smooth[start::factor]
    return column(kept) if np.asarray(as_array(x)).shape[1] == 1 else row(kept)


def _decimated_by_fir(x: Value, factor: int, order: int) -> Value:
    """Every r-th sample, from the first, after a filter whose delay is taken out."""
    from scipy import signal

    order += order % 2
    data, taps = vector(x), signal.firwin(order + 1, 1 / factor)
    ends = (2 * data[0] - data[order // 2 : 0 : -1], 2 * data[-1] - data[-2 : -order // 2 - 2 : -1])
    kept = np.convolve(np.concatenate([ends[0], data, ends[1]]), taps, "valid")[::factor]
    return column(kept) if np.asarray(as_array(x)).shape[1] == 1 else row(kept)


@builtin(
    "resample",
    category=_FAMILY,
    signatures=(
        "y = resample(x, p, q)",
        "y = resample(x, p, q, n, beta)",
        "y = resample(..., 'Dimension', dim)",
        "[y, b] = resample(...)",
    ),
    device=of_resident(rate_forms.resample),
    cases=("numel(resample(1:10, 2, 1)) == 20",),
    see=("decimate", "interp1"),
)
@takes(NUMBERS, COUNT & POSITIVE, COUNT & POSITIVE)
def resample(x: Value, p: Value, q: Value, *rest: Value) -> Value:
    """Change the sample rate by p/q with a Kaiser-windowed anti-aliasing filter."""
    from scipy import signal

    numbers = list(itertools.takewhile(lambda v: not is_text_scalar(v), rest))
    options = option_pairs("resample", rest[len(numbers) :], "Dimension")
    n, beta = (*numbers, *(10.0, 5.0)[len(numbers) :])[:2]
    data, up, down = real_float(x), whole(p), whole(q)
    common = int(np.gcd(up, down))
    up, down = up // common, down // common
    most = max(up, down)
    half = whole(n) * most
    taps = signal.firwin(2 * half + 1, 1 / most, window=("kaiser", real_number(beta)))
    axis = whole(options["dimension"]) - 1 if "dimension" in options else first_axis(data.shape)
    made = signal.resample_poly(data, up, down, axis=axis, window=taps)
    return canonical(made), row(up * taps)


@builtin(
    "sinc",
    category=_FAMILY,
    signatures=("y = sinc(x)",),
    device=Formula(signal_forms.sinc),
    cases=("sinc(0) == 1", "abs(sinc(0.5) - 2/pi) < 1e-15"),
    see=("sin",),
)
def sinc(x: Value) -> Value:
    """``sin(pi*x)./(pi*x)``, and 1 at zero."""
    return canonical(np.sinc(real_float(x)))


@builtin(
    "chirp",
    words="linear quadratic logarithmic",
    category=_FAMILY,
    signatures=("y = chirp(t, f0, t1, f1)", "y = chirp(t, f0, t1, f1, method, phi)"),
    device=term_form(signal_forms.chirp),
    cases=("chirp(0) == 1",),
    see=("sawtooth", "square"),
)
def chirp(
    t: Value,
    f0: Value = 0.0,
    t1: Value = 1.0,
    f1: Value = 100.0,
    method: Value = "linear",
    phi: Value = 0.0,
) -> Value:
    """Cosine whose frequency sweeps from f0 at time 0 to f1 at t1."""
    from scipy import signal

    times, numbers = real_float(t), [real_number(v) for v in (f0, t1, f1)]
    swept = signal.chirp(times.astype(np.float64), *numbers, text_of(method), real_number(phi))
    return canonical(swept.astype(times.dtype))


@builtin(
    "square",
    words="",
    category=_FAMILY,
    signatures=("x = square(t)", "x = square(t, duty)"),
    device=Formula(signal_forms.square),
    cases=("isequal(square([1 4]), [1 -1])",),
    see=("sawtooth",),
)
def square(t: Value, duty: Value = 50.0) -> Value:
    """Square wave of period 2*pi; duty is the positive share in percent."""
    phase = np.mod(real_float(t), 2 * np.pi)
    return canonical(np.where(phase < 2 * np.pi * real_number(duty) / 100, 1.0, -1.0))


@builtin(
    "sawtooth",
    words="",
    category=_FAMILY,
    signatures=("x = sawtooth(t)", "x = sawtooth(t, width)"),
    device=Formula(signal_forms.sawtooth),
    cases=("sawtooth(0) == -1",),
    see=("square",),
)
def sawtooth(t: Value, width: Value = 1.0) -> Value:
    """Sawtooth wave of period 2*pi rising from -1 to 1; width is where the peak lies."""
    from scipy import signal

    return canonical(signal.sawtooth(real_float(t), real_number(width)))
