"""Levels in decibels, cosine transforms, smoothing filters and more windows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from app.engine.arguments.checks import (
    COUNT,
    NUMBER,
    NUMBERS,
    SCALAR,
    WHOLE,
    option_pairs,
    real_number,
    takes,
)
from app.engine.arguments.dimensions import dimension, first_axis
from app.engine.builtins.signals import signal_forms, spectral_forms
from app.engine.builtins.statistics import statistic_forms
from app.engine.declarations.device_support import (
    HOST,
    SELF,
    DeviceForm,
    Formula,
    of_resident,
    term_form,
)
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    Value,
    as_array,
    canonical,
    float_of,
    int_of,
    is_text_scalar,
    numel,
)
from app.errors import MatlabError
from app.toolboxes.signal import rate_forms
from app.toolboxes.signal.window_functions import declare_window, long_window

_FAMILY = "signal processing"


def _float(v: Value) -> Array:
    a = as_array(v)
    return a if a.dtype.kind in "fc" else a.astype(np.float64)


def declare_level(
    name: str, function: Callable[[Any], Any], summary: str, case: str, device: DeviceForm = HOST
) -> None:
    """Declare a function of every element."""

    def call(x: Value) -> Value:
        NUMBERS(name, 1, x)
        return canonical(np.asarray(function(_float(x))))

    builtin(
        name,
        category=_FAMILY,
        signatures=(f"y = {name}(x)",),
        cases=(case,),
        device=device,
        text=summary,
    )(call)


declare_level(
    "mag2db",
    lambda a: 20 * np.log10(np.where(a < 0, np.nan, a)),
    "Magnitude to decibels; NaN for negative ones.",
    "mag2db(10) == 20",
    Formula(signal_forms.mag2db),
)
declare_level(
    "db2mag",
    lambda a: 10 ** (a / 20),
    "Decibels to magnitude.",
    "db2mag(20) == 10",
    Formula(lambda x: 10 ** (x / 20.0)),
)
declare_level(
    "pow2db",
    lambda a: 10 * np.log10(a),
    "Power to decibels.",
    "pow2db(100) == 20",
    Formula(signal_forms.pow2db),
)
declare_level(
    "db2pow",
    lambda a: 10 ** (a / 10),
    "Decibels to power.",
    "db2pow(20) == 100",
    Formula(lambda x: 10 ** (x / 10.0)),
)


def declare_measure(
    name: str, function: Callable[..., Any], form: Callable[..., Any], summary: str, case: str
) -> None:
    """Declare a measure along a dimension."""

    def call(x: Value, dim: Value | None = None) -> Value:
        NUMBERS(name, 1, x)
        a = _float(x)
        axis = first_axis(a.shape) if dim is None or not numel(dim) else dimension(dim)
        if axis >= a.ndim:
            a, axis = a[..., np.newaxis], a.ndim
        return canonical(np.asarray(function(a, axis)))

    builtin(
        name,
        category=_FAMILY,
        signatures=(f"y = {name}(x)", f"y = {name}(x, dim)"),
        device=term_form(form),
        cases=(case,),
        text=summary,
    )(call)


def _root_sum(a: Array, axis: int) -> Any:
    return np.sqrt((np.abs(a) ** 2).sum(axis=axis, keepdims=True))


def _width(a: Array, axis: int) -> Any:
    if not a.size:
        return np.full([1 if k == axis else n for k, n in enumerate(a.shape)], np.nan)
    top, bottom = (f.reduce(a, axis=axis, keepdims=True) for f in (np.fmax, np.fmin))
    return top - bottom


def _crest(a: Array, axis: int) -> Any:
    if not a.size:
        return np.full([1 if k == axis else n for k, n in enumerate(a.shape)], np.nan)
    power = np.sqrt((np.abs(a) ** 2).mean(axis=axis, keepdims=True))
    return np.fmax.reduce(np.abs(a), axis=axis, keepdims=True) / power


declare_measure(
    "rssq", _root_sum, statistic_forms.rssq, "Root of the sum of squares.", "rssq([3 4]) == 5"
)
declare_measure(
    "peak2peak",
    _width,
    statistic_forms.peak2peak,
    "Difference of largest and smallest.",
    "peak2peak([3 1 7]) == 6",
)
declare_measure(
    "peak2rms",
    _crest,
    statistic_forms.peak2rms,
    "Peak magnitude over RMS.",
    "peak2rms([1 -1]) == 1",
)


def _cosine(function: str, x: Value, *rest: Value | None) -> Value:
    """A cosine transform of ``(x, n, dim, 'Type', 1 to 4)``; the types are SciPy's, orthonormal."""
    from scipy import fft

    a, first = _float(x), next((i for i, v in enumerate(rest) if is_text_scalar(v)), len(rest))
    n, dim, *more = (*rest[:first], None, None)
    if more[2:]:
        raise MatlabError("MATLAB:TooManyInputs", "Too many input arguments.")
    kind = int(real_number(option_pairs(function, rest[first:], "Type").get("type", 2.0)))
    if kind not in (1, 2, 3, 4):
        text = "The Type of a cosine transform must be 1, 2, 3 or 4."
        raise MatlabError(f"signal:{function}:InvalidType", text)
    if not a.size:
        return canonical(a)
    axis = first_axis(a.shape) if dim is None else dimension(dim)
    count = None if n is None or not numel(n) else int_of(n)
    return canonical(getattr(fft, function)(a, kind, count, axis, "ortho"))


@builtin(
    "dct",
    most=5,
    category=_FAMILY,
    signatures=("y = dct(x)", "y = dct(x, n, dim)", "y = dct(..., 'Type', k)"),
    device=of_resident(spectral_forms.dct),
    cases=(
        "norm(idct(dct([1 2 3])) - [1 2 3]) < 1e-14",
        "norm(dct(1:4, 'Type', 3) - idct(1:4)) < 1e-14",
    ),
    see=("idct", "fft"),
)
@takes(NUMBERS)
def dct(x: Value, *rest: Value) -> Value:
    """Discrete cosine transform, orthonormal; of type 2 unless another is chosen."""
    return _cosine("dct", x, *rest)


@builtin(
    "idct",
    most=5,
    category=_FAMILY,
    signatures=("x = idct(y)", "x = idct(y, n, dim)", "x = idct(..., 'Type', k)"),
    device=of_resident(spectral_forms.idct),
    cases=("norm(idct([sqrt(3) 0 0]) - [1 1 1]) < 1e-14",),
    see=("dct",),
)
@takes(NUMBERS)
def idct(y: Value, *rest: Value) -> Value:
    """Inverse discrete cosine transform, orthonormal; of type 2 unless another is chosen."""
    return _cosine("idct", y, *rest)


@builtin(
    "dct2",
    category=_FAMILY,
    signatures=("B = dct2(A)",),
    device=of_resident(spectral_forms.dct2),
    cases=("norm(idct2(dct2(magic(4))) - magic(4)) < 1e-12",),
    see=("idct2", "dct"),
)
@takes(NUMBERS)
def dct2(a: Value) -> Value:
    """Discrete cosine transform of rows and columns."""
    return _cosine("dct", _cosine("dct", a, None, 1.0), None, 2.0)


@builtin(
    "idct2",
    category=_FAMILY,
    signatures=("A = idct2(B)",),
    device=of_resident(spectral_forms.idct2),
    cases=("norm(idct2([2 0; 0 0]) - ones(2)) < 1e-14",),
    see=("dct2",),
)
@takes(NUMBERS)
def idct2(b: Value) -> Value:
    """Inverse discrete cosine transform of rows and columns."""
    return _cosine("idct", _cosine("idct", b, None, 1.0), None, 2.0)


@builtin(
    "sgolayfilt",
    category=_FAMILY,
    signatures=("y = sgolayfilt(x, order, framelen)",),
    device=of_resident(rate_forms.sgolayfilt),
    cases=("norm(sgolayfilt((1:9)', 1, 3) - (1:9)') < 1e-12",),
    see=("smoothdata", "filter"),
)
@takes(NUMBERS, NUMBERS & SCALAR & WHOLE, NUMBERS & SCALAR & WHOLE)
def sgolayfilt(x: Value, order: Value, length: Value) -> Value:
    """Smooth by fitting polynomials in a moving frame (Savitzky and Golay)."""
    from scipy import signal

    degree, frame = (int_of(v) for v in (order, length))
    a = _float(x)
    axis = first_axis(a.shape)
    if frame % 2 == 0 or degree >= frame or frame > a.shape[axis]:
        text = "The frame length must be odd, greater than the order and within the data."
        raise MatlabError("signal:sgolayfilt:InvalidDimensions", text)
    return canonical(signal.savgol_filter(a, frame, degree, axis=axis))


@builtin(
    "upfirdn",
    category=_FAMILY,
    signatures=("y = upfirdn(x, h, p, q)",),
    device=of_resident(rate_forms.upfirdn),
    cases=("isequal(upfirdn([1 2], 1, 2), [1 0 2])",),
    see=("resample", "filter"),
)
@takes(NUMBERS, NUMBERS, NUMBERS & SCALAR & WHOLE, NUMBERS & SCALAR & WHOLE)
def upfirdn(x: Value, h: Value, p: Value = 1.0, q: Value = 1.0) -> Value:
    """Insert zeros, filter, and keep every q-th sample."""
    from scipy import signal

    up, down = (int_of(v) for v in (p, q))
    a = _float(x)
    return canonical(signal.upfirdn(_float(h).ravel(), a, up, down, axis=first_axis(a.shape)))


def _scipy_window(name: str) -> Callable[[int, str], Array]:
    def window(n: int, flag: str) -> Array:
        from scipy.signal import windows

        return np.asarray(getattr(windows, name)(n, sym=flag != "periodic"))

    return window


declare_window(
    "parzenwin", "Parzen window.", _scipy_window("parzen"), "isequal(size(parzenwin(5)), [5 1])"
)
declare_window("bohmanwin", "Bohman window.", _scipy_window("bohman"), "max(bohmanwin(5)) == 1")
declare_window(
    "barthannwin",
    "Modified Bartlett-Hann window.",
    _scipy_window("barthann"),
    "abs(max(barthannwin(5)) - 1) < 1e-14",
)
declare_window(
    "nuttallwin",
    "Four-term Blackman-Harris window of Nuttall.",
    _scipy_window("nuttall"),
    "abs(max(nuttallwin(5)) - 1) < 1e-14",
)


@builtin(
    "tukeywin",
    category="windows",
    device=SELF,
    signatures=("w = tukeywin(n)", "w = tukeywin(n, r)"),
    cases=("isequal(tukeywin(3, 0), [1; 1; 1])",),
    see=("hann",),
)
@takes(COUNT, NUMBER)
def tukeywin(n: Value, r: Value = 0.5) -> Value:
    """Tukey (tapered cosine) window."""
    from scipy.signal import windows

    count, share = int_of(n), float_of(r)
    lazy = long_window("tukeywin", count, min(max(share, 0.0), 1.0))
    if lazy is not NotImplemented:
        return lazy
    return canonical(windows.tukey(count, min(max(share, 0.0), 1.0)).reshape(-1, 1))
