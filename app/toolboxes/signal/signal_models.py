"""Prediction, resampling and framing of signals: lpc, interp, specgram, buffer, smooth, firls."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import (
    COUNT,
    FINITE,
    NONEMPTY,
    NUMBER,
    NUMBERS,
    POSITIVE,
    VECTOR,
    WHOLE,
    takes,
)
from app.engine.builtins.vectors import column, is_given, row, vector, whole
from app.engine.declarations.device_support import of_resident
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    Value,
    as_array,
    canonical,
    float_of,
    is_text_scalar,
    numel,
    size_of,
    text_of,
)
from app.errors import MatlabError
from app.toolboxes.signal import rate_forms
from app.toolboxes.signal.rate_forms import interpolating_taps

_FAMILY = "signal processing"


@builtin(
    "lpc",
    category=_FAMILY,
    signatures=("[a, g] = lpc(x, p)",),
    cases=("norm(lpc([1 0.5 0.25 0.125 0.0625], 1) - [1 -0.4995]) < 1e-3",),
    see=("filter", "xcorr"),
)
@takes(NUMBERS & VECTOR & NONEMPTY, COUNT)
def lpc(x: Value, p: Value | None = None) -> Value:
    """Coefficients that predict a signal from its past, and the variance of the error."""
    from scipy.linalg import solve_toeplitz

    a = vector(x)
    order = a.size - 1 if p is None else whole(p)
    r = np.correlate(a, a, "full")[a.size - 1 :]
    r = np.concatenate([r, np.zeros(max(order + 1 - r.size, 0))]) / a.size
    if not order or r[0] == 0:
        return canonical(np.eye(1, order + 1)), float(r[0])
    found = solve_toeplitz(r[:order].conj(), -r[1 : order + 1])
    return row(np.concatenate([[1.0], found])), float(np.real(r[0] + found @ r[1 : order + 1]))


@builtin(
    "interp",
    category=_FAMILY,
    signatures=("y = interp(x, r)", "[y, b] = interp(x, r, n, cutoff)"),
    device=of_resident(rate_forms.interp),
    cases=("x = sin(0.2*(0:49)); y = interp(x, 4); norm(y(1:4:end) - x) < 1e-2",),
    see=("decimate", "resample"),
)
@takes(
    NUMBERS & VECTOR & NONEMPTY,
    NUMBER & WHOLE & POSITIVE,
    NUMBER & WHOLE & POSITIVE,
    NUMBER & POSITIVE,
)
def interp(x: Value, r: Value, n: Value = 4.0, cutoff: Value = 0.5) -> Value:
    """Raise the sample rate by an integer, through a low-pass filter that keeps the samples."""
    a, factor, half = vector(x), whole(r), whole(n)
    taps = interpolating_taps(factor, half, float_of(cutoff))
    padded = np.concatenate([2 * a[0] - a[half:0:-1], a, 2 * a[-1] - a[-2 : -half - 2 : -1]])
    raised = np.zeros(padded.size * factor)
    raised[::factor] = padded
    start = (padded.size - a.size) // 2 * factor + half * factor
    made = np.convolve(raised, taps)[start : start + a.size * factor]
    return (row(made) if size_of(x)[0] == 1 else column(made)), column(taps)


@builtin(
    "specgram",
    category=_FAMILY,
    signatures=("[S, f, t] = specgram(x, nfft, fs, window, overlap)",),
    cases=("isequal(size(specgram(1:1024, 256)), [129 7])",),
    see=("spectrogram",),
)
@takes(NUMBERS & VECTOR & NONEMPTY)
def specgram(
    ctx: CallContext,
    x: Value,
    nfft: Value | None = None,
    fs: Value | None = None,
    window: Value | None = None,
    overlap: Value | None = None,
    *,
    nargout: int = 1,
) -> Value:
    """Spectra of parts of a signal; the newer name is ``spectrogram``."""
    points = float(whole(nfft) if is_given(nfft) else min(256, numel(x)))
    length = int(points) if not is_given(window) or numel(window) == 1 else numel(window)
    shape = window if is_given(window) else ctx.call("hann", (points,), 1)[0]
    shared = overlap if is_given(overlap) else float(length // 2)
    rate = fs if is_given(fs) else 2.0
    found = ctx.call("spectrogram", (x, shape, shared, points, rate), max(nargout, 1))
    return found[0] if nargout < 2 else tuple(found)


@builtin(
    "buffer",
    category=_FAMILY,
    signatures=(
        "Y = buffer(x, n)",
        "Y = buffer(x, n, p)",
        "Y = buffer(x, n, p, opt)",
        "[Y, z, opt] = buffer(x, n, p, opt)",
    ),
    device=of_resident(rate_forms.buffer),
    cases=(
        "isequal(buffer(1:5, 2), [1 3 5; 2 4 0])",
        "isequal(buffer(1:4, 3, 1), [0 2; 1 3; 2 4])",
    ),
    see=("reshape",),
)
@takes(NUMBERS & VECTOR, NUMBER & WHOLE & POSITIVE, NUMBER & WHOLE)
def buffer(
    x: Value, n: Value, p: Value = 0.0, opt: Value | None = None, *, nargout: int = 1
) -> Value:
    """A signal as the columns of a matrix; columns share p samples, or leave out -p.

    ``opt`` is what stands before the first sample (``'nodelay'``: nothing), or how many samples to
    skip where some are left out; as an output it is what the next call takes.
    """
    a, size, shared = np.asarray(as_array(x)).ravel(), whole(n), whole(p)
    if shared >= size:
        text = "The overlap must be less than the number of samples of a column."
        raise MatlabError("signal:buffer:OverlapMustBeLess", text)
    a = np.concatenate([_leading_samples(a.dtype, shared, opt), a])[_skipped_count(shared, opt) :]
    step, late = size - shared, max(shared, 0)
    count = max((a.size - size) // step + 1, 0) if nargout > 1 else -(-(a.size - late) // step)
    padded = np.concatenate([a, np.zeros(max((count - 1) * step + size - a.size, 0), a.dtype)])
    places = np.arange(size)[:, None] + step * np.arange(count)[None, :]
    used = count * step + late
    rest, line = a[used:], row if size_of(x)[0] == 1 else column
    kept = column(padded[used - late : used]) if late else float(max(used - a.size, 0))
    return canonical(padded[places]), line(rest), kept


def _leading_samples(kind: np.dtype[Any], shared: int, opt: Value | None) -> Array:
    """The samples before the first one that the first column shares."""
    if shared <= 0 or (opt is not None and is_text_scalar(opt)):
        if opt is not None and is_text_scalar(opt) and text_of(opt) != "nodelay":
            raise MatlabError("signal:buffer:InvalidOption", "The option is 'nodelay'.")
        return np.zeros(0, kind)
    if opt is None or not numel(opt):
        return np.zeros(shared, kind)
    if numel(opt) != shared:
        text = "The initial samples must be as many as the overlap."
        raise MatlabError("signal:buffer:InvalidDimensions", text)
    return vector(opt)


def _skipped_count(shared: int, opt: Value | None) -> int:
    return whole(opt) if shared < 0 and opt is not None and numel(opt) else 0


@builtin(
    "smooth",
    category="statistics",
    signatures=("z = smooth(y)", "z = smooth(y, span)", "z = smooth(y, span, method)"),
    cases=("isequal(smooth([1 2 6 2 1]', 3), [1; 3; 10/3; 3; 1])",),
    see=("smoothdata", "movmean"),
)
def smooth(ctx: CallContext, y: Value, span: Value = 5.0, method: Value = "moving") -> Value:
    """Moving means whose windows shrink at the ends, or ``sgolay``, ``lowess``, ``loess``."""
    if isinstance(span, str):
        span, method = 5.0, span
    a, word = vector(y), text_of(method).lower()
    (NUMBER & POSITIVE & FINITE)("smooth", 2, span)
    width = float_of(span)
    count = int(np.ceil(width * a.size)) if width < 1 else int(width)
    count = min(count - (count % 2 == 0), a.size - (a.size % 2 == 0)) or 1
    if word != "moving":
        values = (column(a), word, float(count))
        return ctx.call("smoothdata", values, 1)[0]
    sums = np.concatenate([[0.0], np.cumsum(a)])
    reach = np.minimum(np.minimum(np.arange(a.size), np.arange(a.size)[::-1]), count // 2)
    places = np.arange(a.size)
    return column((sums[places + reach + 1] - sums[places - reach]) / (2 * reach + 1))


@builtin(
    "firls",
    category=_FAMILY,
    signatures=("b = firls(n, f, a)", "b = firls(n, f, a, w)"),
    cases=(
        "norm(firls(4, [0 0.3 0.6 1], [1 1 0 0]) - fliplr(firls(4, [0 0.3 0.6 1], "
        "[1 1 0 0]))) < 1e-12",
    ),
    see=("fir1", "freqz"),
)
@takes(NUMBER & WHOLE & POSITIVE, NUMBERS & VECTOR, NUMBERS & VECTOR, NUMBERS & VECTOR)
def firls(n: Value, f: Value, a: Value, w: Value | None = None) -> Value:
    """Filter of linear phase with the least square error from a wanted response."""
    from scipy import signal

    edges, wanted = vector(f), vector(a)
    if edges.size != wanted.size or edges.size % 2:
        text = "The frequencies and the amplitudes must be as many, and of an even number."
        raise MatlabError("signal:firls:InvalidDimensions", text)
    taps = whole(n) + 1 + whole(n) % 2
    weight = None if w is None else vector(w)
    return row(signal.firls(taps, edges, wanted, weight=weight))
