"""Neighbourhoods and sizes of resident images: filters, medians, resizing."""

from __future__ import annotations

import math
from functools import reduce
from operator import add

import numpy as np

from app.accel.ir.dtypes import DType
from app.engine.builtins.images import resampling
from app.engine.builtins.signals.signal_forms import correlation, small_kernel
from app.engine.capture.capture_session import Session
from app.engine.capture.term_arrays import apply_operation, resident, taken_along
from app.engine.capture.terms import Made, Term, cat, constant_array, where
from app.engine.values import Array, Value, as_array, is_text_scalar, numel, text_of

Args = tuple[Value, ...]
F32, F64 = DType.F32, DType.F64
MODES = {"replicate": "edge", "symmetric": "symmetric", "circular": "wrap"}
FEW_NEIGHBOURS = 9
"""Neighbours among which a median is picked by exchanges; more are sorted."""
MOST_NEIGHBOURS = 81
MOST_CHANNELS = 4
WIDEST = 64.0
"""Of the Gaussians that filter on the device."""


def _leaf(a: Array, axis: int, dtype: DType = F64) -> Term:
    """Numbers of the host along an axis."""
    shape = (*(1,) * axis, a.size) if axis else (a.size, 1)
    made = np.asfortranarray(a.astype(dtype.numpy).reshape(shape))
    return Term(Session.runtime.leaf(made))


def padded_axis(x: Term, axis: int, before: int, after: int, how: str | float) -> Term:
    """A border: a number, or the array continued."""
    if not before and not after:
        return x
    if isinstance(how, str):
        places = np.pad(np.arange(x.shape[axis]), (before, after), MODES[how])  # type: ignore[call-overload]
        return taken_along(x, axis, _leaf(places, axis))
    parts = [
        constant_array(how, tuple(n if k == axis else m for k, m in enumerate(x.shape)), x.dtype)
        for n in (before, after)
    ]
    return cat(axis, *([parts[0]] if before else []), x, *([parts[1]] if after else []))


def _pixels(x: Term, dtype: DType) -> Term:
    """Doubles in the class of an image."""
    return x >= 0.5 if dtype is DType.BOOL else x.cast(dtype)


def correlated_matrix(x: Term, kernel: Array, how: str | float) -> Term:
    """A matrix of doubles correlated with a kernel that is as large as it is."""
    (p, q), size = kernel.shape, (x.shape[0], x.shape[1])
    before, after = ((p - 1) // 2, (q - 1) // 2), (p // 2, q // 2)
    if how == 0.0:
        return correlation(x, kernel, before, after, size)
    for axis in (0, 1):
        x = padded_axis(x, axis, before[axis], after[axis], how)
    return correlation(x, kernel, (0, 0), (0, 0), size)


def _by_channel(x: Term, kernels: list[Array], how: str | float) -> Made:
    """Kernels applied one after the other to every channel."""
    if x.rank > 3 or (x.rank == 3 and x.shape[2] > MOST_CHANNELS):
        return None
    made = []
    for channel in range(x.shape[2] if x.rank == 3 else 1):
        part = x.part(2, channel, 1) if x.rank == 3 else x
        work = part.reshape(x.shape[:2]).cast(F64)
        for kernel in kernels:
            work = correlated_matrix(work, kernel, how)
        made.append(_pixels(work, x.dtype))
    return cat(2, *made) if len(made) > 1 else made[0]


def _image(v: Value) -> Term | None:
    found = resident(v)
    usual = found is not None and found[0].dtype.label in (
        "logical",
        "double",
        "single",
        "uint8",
        "uint16",
        "int16",
    )
    return found[0] if found and usual else None


def imfilter(args: Args, nargout: int) -> Made:
    """``imfilter(A, h, boundary, 'conv')`` of the size of the image."""
    x = _image(args[0])
    kernel = small_kernel(args[1], x) if x is not None else None
    words = {text_of(v).lower() for v in args[2:] if is_text_scalar(v)}
    numbers = [v for v in args[2:] if not is_text_scalar(v)]
    known = words <= {*MODES, "same", "conv", "corr"} and len(words & set(MODES)) < 2
    plain = [v for v in numbers if type(v) is float]
    if x is None or kernel is None or not known or len(plain) < len(numbers):
        return None
    how: str | float = next(iter(words & set(MODES)), plain[-1] if plain else 0.0)
    return _by_channel(x, [kernel[::-1, ::-1] if "conv" in words else kernel], how)


def imgaussfilt(args: Args, nargout: int) -> Made:
    """``imgaussfilt(A, sigma)``: a column and a row of weights, one after the other."""
    x, sigma = _image(args[0]), args[1] if len(args) > 1 else 0.5
    if x is None or len(args) > 2 or numel(sigma) not in (1, 2) or is_text_scalar(sigma):
        return None
    widths = as_array(sigma).astype(np.float64).ravel()
    if not ((widths > 0) & (widths < WIDEST)).all():
        return None
    down, across = gaussian_line(widths[0]), gaussian_line(widths[-1])
    return _by_channel(x, [down.reshape(-1, 1), across.reshape(1, -1)], "replicate")


def gaussian_line(sigma: float) -> Array:
    """The weights of a Gaussian of a width, as far as twice that; their sum is 1."""
    reach = math.ceil(2 * sigma)
    weights = np.exp(-(np.arange(-reach, reach + 1.0) ** 2) / (2 * sigma * sigma))
    return np.asarray(weights / weights.sum())


def _median_by_exchanges(items: list[Term]) -> Term:
    """The median by leaving out the smallest and the largest of what is known, again and again."""
    held, rest = items[: len(items) // 2 + 2], items[len(items) // 2 + 2 :]
    while True:
        for k in range(len(held) - 1):  # the largest to the end
            low, high = held[k].min(held[k + 1]), held[k].max(held[k + 1])
            held[k], held[k + 1] = low, high
        for k in range(len(held) - 2, 0, -1):  # the smallest to the beginning
            low, high = held[k - 1].min(held[k]), held[k - 1].max(held[k])
            held[k - 1], held[k] = low, high
        held = held[1:-1]
        if not rest:
            return held[0]
        held.append(rest.pop(0))


def medfilt2(args: Args, nargout: int) -> Made:
    """``medfilt2(I, [m n], 'zeros' | 'symmetric')`` of an odd number of neighbours."""
    x = _image(args[0])
    sizes = [v for v in args[1:] if not is_text_scalar(v)]
    words = [text_of(v).lower() for v in args[1:] if is_text_scalar(v)]
    shape = [int(n) for n in as_array(sizes[0]).ravel()] if sizes else [3, 3]
    count = math.prod(shape)
    usual = len(sizes) < 2 and set(words) <= {"zeros", "symmetric"} and len(shape) == 2
    if x is None or not usual or count % 2 == 0 or not 3 <= count <= MOST_NEIGHBOURS:
        return None
    if x.rank > 2 or x.dtype is DType.BOOL:
        return None
    wide = x
    for axis, n in enumerate(shape):
        wide = padded_axis(wide, axis, n // 2, n // 2, "symmetric" if "symmetric" in words else 0.0)

    def parts(of: Term) -> list[Term]:
        columns = [of.part(1, j, x.shape[1]) for j in range(shape[1])]
        return [column.part(0, i, x.shape[0]) for column in columns for i in range(shape[0])]

    if count > FEW_NEIGHBOURS:
        return apply_operation("sort", cat(2, *parts(wide)), attrs=(2, False)).part(
            2, count // 2, 1
        )
    if not x.dtype.is_float:
        return _median_by_exchanges(parts(wide))
    missing = wide.isnan()  # the largest, as in a sort
    lost = reduce(add, [part.cast(F32) for part in parts(missing)])
    median = _median_by_exchanges(parts(where(missing, math.inf, wide)))
    return where(lost > count // 2, math.nan, median)


def imresize(args: Args, nargout: int) -> Made:
    """``imresize(A, size, method)``: each new pixel from a few old ones, one axis at a time."""
    x = _image(args[0])
    words = [text_of(v).lower() for v in args[2:] if is_text_scalar(v)]
    known = len(words) == len(args) - 2 < 2 and set(words) <= set(resampling.KERNELS)
    if x is None or not known or nargout > 1 or not numel(args[1]) or is_text_scalar(args[1]):
        return None
    method = words[0] if words else "bicubic"
    wanted, scales = resampling.size_and_scales(x.shape, as_array(args[1]).astype(np.float64))
    if min(wanted) < 1:
        return None
    out = x if x.dtype.is_float else x.cast(F64)
    for axis in sorted((0, 1), key=lambda k: scales[k]):
        out = _resampled_axis(out, axis, wanted[axis], scales[axis], method)
    return out > 0.5 if x.dtype is DType.BOOL else out.cast(x.dtype)


def _resampled_axis(x: Term, axis: int, wanted: int, scale: float, method: str) -> Term:
    if method == "nearest":
        places = resampling.nearest_places(x.shape[axis], wanted, scale)
        return taken_along(x, axis, _leaf(places, axis))
    places, weights = resampling.weights(x.shape[axis], wanted, scale, method, smooth=True)
    total: Term | None = None
    for k in np.flatnonzero(weights.any(axis=0)):
        part = taken_along(x, axis, _leaf(places[:, k], axis)) * _leaf(weights[:, k], axis, x.dtype)
        total = part if total is None else total + part
    assert total is not None
    return total
