"""Fourier transforms and convolutions."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from app.accel.codegen import convolution
from app.accel.numerics.scipy_extensions import extension
from app.engine import stoppable
from app.engine.arguments.checks import (
    ANY,
    DIM,
    NUMBERS,
    NUMERIC,
    VECTOR,
    takes,
    unknown_option,
)
from app.engine.arguments.dimensions import dimension, first_axis
from app.engine.builtins.arrays import array_forms
from app.engine.builtins.signals import fourier_forms, signal_forms
from app.engine.builtins.signals.filters import linear_filter
from app.engine.builtins.signals.symmetric_spectra import is_symmetric, make_symmetric
from app.engine.builtins.vectors import whole
from app.engine.declarations.device_support import term_form
from app.engine.declarations.registry import builtin
from app.engine.operators.arithmetic import float_operands
from app.engine.operators.element_arrays import data_of, rebuild
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
from app.errors import MOST_DIMENSIONS, MatlabError, too_many_dimensions

_FAMILY = "signal processing"
_SYMMETRIES = "symmetric nonsymmetric"
_FEW = 20_000
"""Products of two vectors that NumPy adds up soonest."""
_convolved = stoppable.of_array(convolution.convolve, stoppable.LARGE_MATRIX)


@cache
def _library() -> Callable[..., Array]:
    return stoppable.of_array(extension("scipy.fft._pocketfft.pypocketfft").c2c)  # type: ignore[no-any-return]


def _spectrum(a: Array, axes: tuple[int, ...], *, inverse: bool) -> Array:
    """The transform of a float array with elements along some axes.

    That of real numbers is exactly its own conjugate at opposite frequencies.
    """
    scaled = 2 if inverse else 0  # by the number of points, or not
    turned = tuple([a.ndim - 1 - axis for axis in axes])  # the library's results are in C order
    made = _library()(a.T, turned, not inverse, scaled, None, 1).T
    if not inverse and a.dtype.kind != "c":
        make_symmetric(made, axes)
    return made


def _of_length(a: Array, length: int, axis: int) -> Array:
    """An array cut, or padded with zeros, to a length along an axis."""
    if a.shape[axis] == length:
        return a
    part: list[slice] = [slice(None)] * a.ndim
    part[axis] = slice(min(length, a.shape[axis]))
    if a.shape[axis] > length:
        return a[tuple(part)]
    padded = np.zeros([length if k == axis else n for k, n in enumerate(a.shape)], a.dtype)
    padded[tuple(part)] = a
    return padded


def _transform(name: str, x: Value, n: Value | None, dim: Value | None) -> Array:
    a = np.asarray(as_array(x))
    if a.dtype.kind in "iub":
        a = a.astype(np.float64)
    axis = first_axis(a.shape) if dim is None else dimension(dim)
    length = None if n is None or numel(n) == 0 else whole(n)
    if length is not None and length < 0:
        text = "Transform length must be a nonnegative integer."
        raise MatlabError(f"MATLAB:{name}:InvalidLength", text)
    if axis >= MOST_DIMENSIONS and (length not in (None, 1) or a.size == 0):
        raise too_many_dimensions()
    if length == 0 or a.size == 0:
        shape = [*a.shape, *(1,) * (axis + 1 - a.ndim)]
        if length is not None:
            shape[axis] = length
        return np.zeros(shape, dtype=a.dtype)
    if axis >= a.ndim and length in (None, 1):
        return a
    while axis >= a.ndim:
        a = a[..., None]
    if length is not None:
        a = _of_length(a, length, axis)
    return _spectrum(a, (axis,), inverse=name == "ifft")


@builtin(
    "fft",
    scalar=lambda x: x,
    words="",
    category=_FAMILY,
    signatures=("Y = fft(X)", "Y = fft(X, n)", "Y = fft(X, n, dim)"),
    device=term_form(fourier_forms.fft),
    cases=(
        "isequal(fft([1 0 0 0]), [1 1 1 1])",
        "norm(fft([1 2 3 4]) - [10 -2+2i -2 -2-2i]) < 1e-14",
        "isequal(1 ./ imag(fft([1 2; 3 4])), Inf(2))",
    ),
    see=("ifft", "fft2", "fftshift"),
)
def fft(x: Value, n: Value | None = None, dim: Value | None = None) -> Value:
    """Discrete Fourier transform along a dimension, padded or cut to n points."""
    return canonical(_transform("fft", x, n, dim))


@builtin(
    "ifft",
    scalar=lambda x: x,
    most=4,
    words=_SYMMETRIES,
    category=_FAMILY,
    signatures=("X = ifft(Y)", "X = ifft(Y, n)", "X = ifft(Y, n, dim)", "X = ifft(..., symflag)"),
    device=term_form(fourier_forms.ifft),
    cases=("norm(ifft(fft([1 2 3])) - [1 2 3]) < 1e-15", "isreal(ifft(fft([1 2 3])))"),
    see=("fft",),
)
def ifft(y: Value, *rest: Value) -> Value:
    """Inverse discrete Fourier transform; ``'symmetric'`` forces a real result."""
    (n, dim), symmetric = _numbers_and_symmetry("ifft", rest, 2)
    a = np.asarray(as_array(y))
    axis = first_axis(a.shape) if dim is None else dimension(dim)
    result = _transform("ifft", y, n, dim)
    if symmetric or _gives_real(a, result.shape, (axis,)):
        result = result.real
    return canonical(np.asarray(result))


def _numbers_and_symmetry(
    name: str, rest: tuple[Value, ...], count: int
) -> tuple[list[Value | None], bool]:
    """The numbers behind a spectrum, None where one is missing, and whether it is symmetric."""
    numbers: list[Value | None] = [v for v in rest if not is_text_scalar(v)]
    words = [text_of(v).lower() for v in rest if is_text_scalar(v)]
    for word in words:
        if word not in _SYMMETRIES.split():
            raise unknown_option(name, word, _SYMMETRIES)
    if len(numbers) > count or len(words) > 1:
        raise MatlabError("MATLAB:TooManyInputs", "Too many input arguments.")
    return numbers + [None] * (count - len(numbers)), "symmetric" in words


def _gives_real(a: Array, shape: tuple[int, ...], axes: tuple[int, ...]) -> bool:
    """True where the spectrum, cut or padded to a shape, is that of real numbers."""
    if a.size == 0 or max(axes) >= a.ndim:
        return bool(np.isrealobj(a))
    if shape != a.shape:
        a = a[tuple(slice(n) for n in shape)]
        a = np.pad(a, [(0, n - m) for n, m in zip(shape, a.shape, strict=True)])
    return is_symmetric(a, axes)


def _transform_over_axes(
    name: str,
    x: Value,
    shape: tuple[int, ...] | None,
    axes: tuple[int, ...],
    *,
    symmetric: bool = False,
) -> Value:
    a = np.asarray(as_array(x))
    a = a.astype(np.float64) if a.dtype.kind in "iub" else a
    if shape is not None and len(shape) != len(axes):
        text = f"The vector of lengths must have {len(axes)} elements."
        raise MatlabError(f"MATLAB:{name}:InvalidLength", text)
    if a.size:
        for axis, length in zip(axes, shape or (), strict=False):
            a = _of_length(a, length, axis)
    result = _spectrum(a, axes, inverse=name.startswith("i")) if a.size else a
    if symmetric or (name.startswith("i") and a.size and _gives_real(a, result.shape, axes)):
        result = np.asarray(result.real)
    return canonical(result)


def _pair(m: Value | None, n: Value | None) -> tuple[int, int] | None:
    if m is not None and n is None:
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    return None if m is None or n is None else (whole(m), whole(n))


@builtin(
    "fft2",
    words="",
    category=_FAMILY,
    signatures=("Y = fft2(X)", "Y = fft2(X, m, n)"),
    device=term_form(fourier_forms.fft2),
    cases=("isequal(fft2([1 0; 0 0]), ones(2))",),
    see=("ifft2", "fft"),
)
def fft2(x: Value, m: Value | None = None, n: Value | None = None) -> Value:
    """Two-dimensional Fourier transform of every page."""
    return _transform_over_axes("fft2", x, _pair(m, n), (0, 1))


@builtin(
    "ifft2",
    most=4,
    words=_SYMMETRIES,
    category=_FAMILY,
    signatures=("X = ifft2(Y)", "X = ifft2(Y, m, n)", "X = ifft2(..., symflag)"),
    device=term_form(fourier_forms.ifft2),
    cases=("norm(ifft2(fft2(magic(3))) - magic(3)) < 1e-13", "isreal(ifft2([1i 2], 'symmetric'))"),
    see=("fft2",),
)
def ifft2(y: Value, *rest: Value) -> Value:
    """Inverse two-dimensional Fourier transform of every page; see ``ifft`` for ``symflag``."""
    (m, n), symmetric = _numbers_and_symmetry("ifft2", rest, 2)
    return _transform_over_axes("ifft2", y, _pair(m, n), (0, 1), symmetric=symmetric)


@builtin(
    "fftn",
    category=_FAMILY,
    signatures=("Y = fftn(X)", "Y = fftn(X, size)"),
    device=term_form(fourier_forms.fftn),
    cases=(
        "isequal(fftn(magic(4), int8([2 3])), fft2(magic(4), 2, 3))",
        "norm(fftn(magic(3)) - fft2(magic(3))) < 1e-13",
    ),
    see=("fft2", "ifftn"),
)
def fftn(x: Value, size: Value | None = None) -> Value:
    """Fourier transform over all dimensions."""
    return _transform_over_axes("fftn", x, _lengths(size), tuple(range(len(size_of(x)))))


def _lengths(size: Value | None) -> tuple[int, ...] | None:
    """The lengths of all dimensions that a vector gives."""
    if size is None or numel(size) == 0:
        return None
    given = as_array(size).ravel()
    return tuple(whole(given[k : k + 1]) for k in range(given.size))


@builtin(
    "ifftn",
    words=_SYMMETRIES,
    category=_FAMILY,
    most=3,
    signatures=("X = ifftn(Y)", "X = ifftn(Y, size)", "X = ifftn(..., symflag)"),
    device=term_form(fourier_forms.ifftn),
    cases=(
        "norm(ifftn(fftn(magic(3))) - magic(3)) < 1e-13",
        "isreal(ifftn(rand(3) + 1i, 'symmetric'))",
    ),
    see=("fftn",),
)
def ifftn(y: Value, *rest: Value) -> Value:
    """Inverse Fourier transform over all dimensions; see ``ifft`` for ``symflag``."""
    (size,), symmetric = _numbers_and_symmetry("ifftn", rest, 1)
    axes = tuple(range(len(size_of(y))))
    return _transform_over_axes("ifftn", y, _lengths(size), axes, symmetric=symmetric)


def _shift(x: Value, dim: Value | None, direction: int) -> Value:
    a = data_of(x)
    axes = range(a.ndim) if dim is None else (whole(dim) - 1,)
    for axis in axes:
        if axis >= a.ndim:
            continue
        half = a.shape[axis] // 2
        a = np.roll(a, half if direction > 0 else -half, axis)
    return rebuild(x, a)


@builtin(
    "fftshift",
    words="",
    category=_FAMILY,
    signatures=("Y = fftshift(X)", "Y = fftshift(X, dim)"),
    device=term_form(array_forms.fftshift),
    cases=("isequal(fftshift(1:5), [4 5 1 2 3])",),
    see=("ifftshift", "fft"),
)
@takes(ANY, DIM)
def fftshift(x: Value, dim: Value | None = None) -> Value:
    """Move the zero frequency to the middle."""
    return _shift(x, dim, 1)


@builtin(
    "ifftshift",
    words="",
    category=_FAMILY,
    signatures=("X = ifftshift(Y)", "X = ifftshift(Y, dim)"),
    device=term_form(array_forms.ifftshift),
    cases=("isequal(ifftshift(fftshift(1:5)), 1:5)",),
    see=("fftshift",),
)
@takes(ANY, DIM)
def ifftshift(y: Value, dim: Value | None = None) -> Value:
    """Undo ``fftshift``."""
    return _shift(y, dim, -1)


def _float(v: Value) -> Array:
    a = np.asarray(as_array(v))
    return a if a.dtype.kind in "fc" else a.astype(np.float64)


def _shape_error() -> MatlabError:
    text = "SHAPE must be 'full', 'same' or 'valid'."
    return MatlabError("MATLAB:conv2:unknownShapeParameter", text)


@builtin(
    "conv",
    category=_FAMILY,
    signatures=("w = conv(u, v)", "w = conv(u, v, shape)"),
    device=term_form(signal_forms.conv),
    cases=(
        "isequal(conv([1 2], [1 3]), [1 5 6])",
        "isequal(conv([1 2 3], [1 1 1], 'same'), [3 6 5])",
        "isa(conv(single([1 2]), [1 3]), 'single')",
    ),
    see=("deconv", "conv2", "filter"),
)
def conv(u: Value, v: Value, shape: Value = "full") -> Value:
    """Convolution of vectors, which multiplies polynomials."""
    a, b = float_operands(_float(u), _float(v))
    if not (0 < a.size == max(a.shape) and 0 < b.size == max(b.shape)):
        raise MatlabError("MATLAB:conv:AorBNotVector", "A and B must be vectors.")
    kind = text_of(shape).lower()
    if kind not in ("full", "same", "valid"):
        raise _shape_error()
    if kind == "full" and 0 < a.size * b.size < _FEW:
        full = np.convolve(a.ravel(), b.ravel())
    else:
        full = _convolved(a.ravel(), b.ravel(), kind)
    longer = a if kind != "full" or a.size > b.size else b
    column = longer.shape[0] != 1
    return canonical(full.reshape(-1, 1) if column else full.reshape(1, -1))


@builtin(
    "deconv",
    category=_FAMILY,
    signatures=("[q, r] = deconv(b, a)",),
    cases=("isequal(deconv([1 5 6], [1 2]), [1 3])",),
    see=("conv", "residue"),
)
@takes(NUMBERS & VECTOR, NUMBERS & VECTOR)
def deconv(b: Value, a: Value) -> Value:
    """Polynomial division: quotient and remainder with ``b = conv(a, q) + r``."""
    y, x = float_operands(_float(b), _float(a))
    if x.size == 0 or x.flat[0] == 0:
        text = "First coefficient of A must be non-zero."
        raise MatlabError("MATLAB:deconv:ZeroCoef1", text)
    shape = (-1, 1) if y.shape[1] == 1 and y.size > 1 else (1, -1)
    if y.size < x.size:
        return 0.0, canonical(y)
    kind = np.result_type(y, x)
    pulse = np.zeros(y.size - x.size + 1, kind)
    pulse[0] = 1
    top, bottom = (v.ravel().astype(kind) for v in (y, x))
    start = np.zeros(max(top.size, bottom.size) - 1, kind)
    quotient, _ = linear_filter(top, bottom, pulse, 0, start)
    remainder = y.ravel() - np.convolve(x.ravel(), quotient)
    return canonical(quotient.reshape(shape)), canonical(remainder.reshape(shape))


def _convolve(a: Array, b: Array, shape: str) -> Array:
    if shape not in ("full", "same", "valid"):
        raise _shape_error()
    if a.size == 0 or b.size == 0:
        return np.zeros((0, 0))
    return convolution.convolve(a, b, shape)


@builtin(
    "conv2",
    words="full same valid",
    category=_FAMILY,
    signatures=(
        "C = conv2(A, B)",
        "C = conv2(A, B, shape)",
        "C = conv2(u, v, A)",
        "C = conv2(u, v, A, shape)",
    ),
    device=term_form(signal_forms.conv2),
    cases=(
        "isequal(conv2([1 2; 3 4], [1 1]), [1 3 2; 3 7 4])",
        "isequal(conv2([1 2; 3 4], ones(2), 'valid'), 10)",
    ),
    see=("conv", "filter2", "convn"),
)
def conv2(a: Value, b: Value, *rest: Value) -> Value:
    """Two-dimensional convolution, optionally with a column and a row kernel."""
    shape = text_of(rest[-1]).lower() if rest and isinstance(rest[-1], str) else "full"
    numbers = [v for v in rest if not isinstance(v, str)]
    if any(len(size_of(v)) > 2 for v in (a, b, *numbers)):
        text = "N-D arrays are not supported: use convn."
        raise MatlabError("MATLAB:conv2:NDNotSupported", text)
    if numbers:
        column, row = _float(a).reshape(-1, 1), _float(b).reshape(1, -1)
        return canonical(_convolve(_convolve(_float(numbers[0]), column, shape), row, shape))
    return canonical(_convolve(_float(a), _float(b), shape))


@builtin(
    "convn",
    category=_FAMILY,
    words="full same valid",
    signatures=("C = convn(A, B)", "C = convn(A, B, shape)"),
    device=term_form(signal_forms.convn),
    cases=("isequal(convn([1 2], [1 3]), [1 5 6])",),
    see=("conv2",),
)
def convn(a: Value, b: Value, shape: Value = "full") -> Value:
    """Convolution in any number of dimensions."""
    return canonical(_convolve(_float(a), _float(b), text_of(shape).lower()))


@builtin(
    "filter2",
    category=_FAMILY,
    signatures=("Y = filter2(H, X)", "Y = filter2(H, X, shape)"),
    device=term_form(signal_forms.filter2),
    cases=("isequal(filter2([1 1], [1 2 3]), [3 5 3])",),
    see=("conv2", "filter"),
)
def filter2(h: Value, x: Value, shape: Value = "same") -> Value:
    """Two-dimensional correlation with a kernel."""
    kernel = np.rot90(_float(h), 2)
    return canonical(_convolve(_float(x), kernel, text_of(shape).lower()))


@builtin(
    "nextpow2",
    category=_FAMILY,
    signatures=("p = nextpow2(A)",),
    cases=("isequal(nextpow2([1 2 3 1000]), [0 1 2 10])",),
    see=("fft", "pow2"),
)
@takes(NUMERIC)
def nextpow2(a: Value) -> Value:
    """Smallest p with ``2^p >= abs(A)``."""
    magnitude = np.abs(_float(a)).astype(np.float64)
    mantissa, exponent = np.frexp(magnitude)
    power = np.where(mantissa == 0.5, exponent - 1, exponent).astype(np.float64)
    power = np.where(magnitude == 0, 0.0, np.where(np.isinf(magnitude), np.inf, power))
    power = np.where(np.isnan(magnitude), np.nan, power)
    return canonical(power.astype(_float(a).real.dtype))


@builtin(
    "unwrap",
    words="",
    category=_FAMILY,
    signatures=("Q = unwrap(P)", "Q = unwrap(P, tol)", "Q = unwrap(P, tol, dim)"),
    device=term_form(signal_forms.unwrap),
    cases=("norm(unwrap([0 3 6-2*pi]) - [0 3 6]) < 1e-14",),
    see=("angle",),
)
@takes(NUMBERS)
def unwrap(p: Value, tol: Value | None = None, dim: Value | None = None) -> Value:
    """Remove jumps of more than pi (or tol) from phase angles by adding multiples of 2*pi."""
    a = _float(p)
    axis = first_axis(a.shape) if dim is None else dimension(dim)
    limit = np.pi if tol is None or numel(tol) == 0 else float(np.asarray(as_array(tol)).flat[0])
    step = np.diff(a, axis=axis)
    turns = np.where(
        np.abs(step) > limit,
        -2 * np.pi * np.ceil((np.abs(step) - np.pi) / (2 * np.pi)) * np.sign(step),
        0.0,
    )
    pad = [(0, 0)] * a.ndim
    pad[axis] = (1, 0)
    return canonical(a + np.pad(np.cumsum(turns, axis=axis), pad))
