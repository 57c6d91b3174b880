"""Smoothing, sharpening, slopes and matching of templates."""

from __future__ import annotations

import math

import numpy as np

from app.accel.ir.dtypes import DType
from app.engine.arguments.checks import (
    MATRIX,
    NONEMPTY,
    NUMBERS,
    POSITIVE,
    WHOLE,
    option_pairs,
    real_number,
    takes,
)
from app.engine.builtins.images.classes import as_class, as_double
from app.engine.builtins.signals.signal_forms import padded
from app.engine.capture.term_arrays import resident
from app.engine.capture.terms import Made
from app.engine.declarations.device_support import of_resident
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Value, as_array, canonical, is_text_scalar, text_of
from app.errors import MatlabError
from app.toolboxes.images import surroundings_forms

_FAMILY = "images"


def _integral_on_device(args: tuple[Value, ...], nargout: int) -> Made:
    """Sums along columns and then along rows of a resident image, in doubles."""
    found = resident(*args) if len(args) == 1 else None
    if found is None or found[0].rank != 2:
        return None
    sums = found[0].cast(DType.F64).cumsum(0).cumsum(1)
    return padded(sums, (1, 1), (0, 0))


@builtin(
    "integralImage",
    category=_FAMILY,
    signatures=("J = integralImage(I)",),
    device=of_resident(_integral_on_device),
    cases=("isequal(integralImage([1 2]), [0 0 0; 0 1 3])",),
    see=("cumsum", "imboxfilt"),
)
@takes(NUMBERS & NONEMPTY & MATRIX)
def integral_image(a: Value) -> Value:
    """Sums over all pixels above and to the left, with a border of zeros."""
    sums = as_array(a).astype(np.float64).cumsum(axis=0).cumsum(axis=1)
    return canonical(np.pad(sums, ((1, 0), (1, 0))))


@builtin(
    "imboxfilt",
    category=_FAMILY,
    signatures=("B = imboxfilt(A)", "B = imboxfilt(A, size)"),
    cases=("isequal(imboxfilt([3 3 6], [1 3]), [3 4 5])",),
    see=("imfilter", "imgaussfilt"),
    device=of_resident(surroundings_forms.imboxfilt),
)
@takes(NUMBERS & NONEMPTY, NUMBERS & WHOLE & POSITIVE)
def imboxfilt(a: Value, size: Value = 3.0) -> Value:
    """Average over a box around every pixel, edges repeated."""
    from scipy import ndimage

    image, box = as_array(a), as_array(size).ravel().astype(int)
    pair = (int(box[0]), int(box[-1])) + (1,) * (image.ndim - 2)
    mean = ndimage.uniform_filter(image.astype(np.float64), pair, mode="nearest")
    mean = np.rint(mean) if image.dtype.kind in "iu" else mean
    return canonical(mean if image.dtype == bool else mean.astype(image.dtype))


@builtin(
    "imsharpen",
    category=_FAMILY,
    signatures=("B = imsharpen(A)", "B = imsharpen(A, 'Radius', r, 'Amount', a)"),
    cases=("max(abs(imsharpen(ones(5)) - 1), [], 'all') < 1e-12",),
    see=("imgaussfilt", "fspecial"),
    device=of_resident(surroundings_forms.imsharpen),
)
@takes(NUMBERS & NONEMPTY)
def imsharpen(a: Value, *args: Value) -> Value:
    """Add what a Gaussian takes away (unsharp mask). Options: Radius 1, Amount 0.8, Threshold 0."""
    from scipy import ndimage

    image, options = as_array(a), option_pairs("imsharpen", args, "Radius Amount Threshold")
    radius, amount, least = (
        real_number(options.get(n, d))
        for n, d in (("radius", 1.0), ("amount", 0.8), ("threshold", 0.0))
    )
    x = as_double(image)
    spread = (radius, radius) + (0,) * (image.ndim - 2)
    detail = x - ndimage.gaussian_filter(x, spread, truncate=2.0, mode="nearest")
    detail = np.where(np.abs(detail) >= least * np.abs(detail).max(initial=0), detail, 0)
    found = x + amount * detail
    if image.dtype.kind == "f":
        return canonical(found.astype(image.dtype))
    return canonical(as_class(np.clip(found, 0, 1), image.dtype))


def _bilateral(x: Array, smoothing: float, sigma: float, reach: tuple[int, int], how: str) -> Array:
    """The mean of neighbours, each weighted by how near it is and how alike; colours of a pixel
    are compared together."""
    down, across = reach
    planes = x if x.ndim == 3 else x[:, :, None]
    beyond = ((down, down), (across, across), (0, 0))
    mode = {"replicate": "edge", "symmetric": "symmetric", "zeros": "constant"}[how]
    wide = np.pad(planes, beyond, mode=mode)  # type: ignore[call-overload]
    total, weights = np.zeros_like(planes), np.zeros(planes.shape[:2])
    rows, columns = planes.shape[:2]
    for i in range(2 * down + 1):
        for j in range(2 * across + 1):
            near = wide[i : i + rows, j : j + columns]
            unlike = ((near - planes) ** 2).sum(axis=2)
            far = ((i - down) ** 2 + (j - across) ** 2) / (2 * sigma * sigma)
            weight = np.exp(-far - unlike / (2 * smoothing))
            total += weight[:, :, None] * near
            weights += weight
    return np.asarray((total / weights[:, :, None]).reshape(x.shape))


@builtin(
    "imbilatfilt",
    category=_FAMILY,
    signatures=("J = imbilatfilt(I)", "J = imbilatfilt(I, degreeOfSmoothing, spatialSigma)"),
    cases=(
        "isequal(imbilatfilt(ones(5)), ones(5))",
        "J = imbilatfilt([0 0 0 1 1 1], 1e-6); max(abs(J - [0 0 0 1 1 1])) < 1e-12",
        "J = imbilatfilt(uint8([10 12; 11 13])); isa(J, 'uint8') && all(J(:) >= 10 & J(:) <= 13)",
        "J = imbilatfilt([0 1], 1e9, 1, 'NeighborhoodSize', 3); w = exp(-.5); "
        "abs(J(1) - w * (1 + 2 * w) / ((1 + 2 * w) ^ 2)) < 1e-6",
    ),
    see=("imgaussfilt", "medfilt2"),
)
@takes(NUMBERS & NONEMPTY)
def imbilatfilt(a: Value, *args: Value) -> Value:
    """Smooth and keep edges (bilateral filter).

    The degree of smoothing is the variance of what counts as alike, a hundredth of the squared
    range of the class unless given; the spatial sigma is 1. Options: NeighborhoodSize, Padding
    ('replicate', 'symmetric' or a number 0).
    """
    image, numbers = as_array(a), list[float]()
    while args and not is_text_scalar(args[0]):
        numbers.append(real_number(args[0]))
        args = args[1:]
    options = option_pairs("imbilatfilt", args, "NeighborhoodSize Padding")
    span = np.iinfo(image.dtype).max if image.dtype.kind in "iu" else 1.0
    usual = [0.01 * float(span) ** 2, 1.0]
    smoothing, sigma = [*numbers, *usual[len(numbers) :]][:2]
    if len(numbers) > 2 or not smoothing > 0 or not sigma > 0:
        raise MatlabError("images:imbilatfilt:invalidInput", "Two positive numbers are expected.")
    size = as_array(options.get("neighborhoodsize", 2.0 * math.ceil(2 * sigma) + 1.0)).ravel()
    if not all(n == int(n) and n % 2 == 1 and n > 0 for n in size):
        raise MatlabError("images:imbilatfilt:invalidSize", "NeighborhoodSize is odd and positive.")
    padding = options.get("padding", "replicate")
    how = text_of(padding).lower() if is_text_scalar(padding) else "zeros"
    by_number = not is_text_scalar(padding)
    if how not in (("zeros",) if by_number else ("replicate", "symmetric")) or (
        by_number and real_number(padding)
    ):
        raise MatlabError(
            "images:imbilatfilt:invalidPadding", "Padding is 'replicate', 'symmetric' or 0."
        )
    reach = int(size[0]) // 2, int(size[-1]) // 2
    found = _bilateral(image.astype(np.float64), smoothing, sigma, reach, how)
    found = np.rint(found) if image.dtype.kind in "iu" else found
    return canonical(found if image.dtype == bool else found.astype(image.dtype))


@builtin(
    "normxcorr2",
    category=_FAMILY,
    signatures=("C = normxcorr2(template, A)",),
    cases=(
        "A = magic(6); C = normxcorr2(A(2:4, 3:5), A); [~, k] = max(C(:)); "
        "abs(C(k) - 1) < 1e-10 && k == sub2ind(size(C), 4, 5)",
    ),
    see=("conv2",),
)
@takes(NUMBERS & NONEMPTY & MATRIX, NUMBERS & NONEMPTY & MATRIX)
def normxcorr2(template: Value, a: Value) -> Value:
    """Normalised cross-correlation: 1 where the template lies exactly."""
    from scipy import signal

    t, x = as_array(template).astype(float), as_array(a).astype(float)
    if t.shape[0] > x.shape[0] or t.shape[1] > x.shape[1] or t.std() == 0:
        message = "The template must be smaller than the image, and not all of one value."
        raise MatlabError("images:normxcorr2:invalidTemplate", message)
    centred, ones = t - t.mean(), np.ones(t.shape)
    across = signal.fftconvolve(x, centred[::-1, ::-1])
    sums, squares = signal.fftconvolve(x, ones), signal.fftconvolve(x * x, ones)
    spread = np.maximum(squares - sums**2 / t.size, 0) * (centred**2).sum()
    clear = spread > 1e-12 * spread.max()
    found = np.where(clear, across / np.sqrt(np.where(clear, spread, 1)), 0)
    return canonical(np.clip(found, -1, 1))


@builtin(
    "wiener2",
    category=_FAMILY,
    signatures=("J = wiener2(I)", "[J, noise] = wiener2(I, [m n], noise)"),
    cases=("norm(wiener2(ones(4)/2)(2:3, 2:3) - 0.5) < 1e-12",),
    see=("medfilt2", "imfilter"),
)
@takes(NUMBERS & NONEMPTY & MATRIX, NUMBERS)
def wiener2(a: Value, size: Value | None = None, noise: Value | None = None) -> Value:
    """Smooth where an image varies little (J. S. Lim, 1990); the noise is estimated."""
    from scipy import ndimage

    image = as_array(a)
    x, box = as_double(image), np.broadcast_to(as_array(size).ravel() if size is not None else 3, 2)
    pair = tuple(int(n) for n in box)
    mean, square = (ndimage.uniform_filter(v, pair, mode="constant") for v in (x, x * x))
    local = np.maximum(square - mean**2, 0)
    level = real_number(noise) if noise is not None else float(local.mean())
    share = np.maximum(local - level, 0) / np.maximum(local, max(level, 1e-300))
    found = mean + share * (x - mean)
    kind = image.dtype if image.dtype.kind == "f" else None
    done = found.astype(kind) if kind else as_class(np.clip(found, 0, 1), image.dtype)
    return canonical(done), level


@builtin(
    "imgradientxy",
    category=_FAMILY,
    signatures=("[Gx, Gy] = imgradientxy(I)", "[Gx, Gy] = imgradientxy(I, method)"),
    cases=("isequal(imgradientxy([1 2 3; 1 2 3; 1 2 3], 'central'), ones(3) .* [1 1 1])",),
    see=("imgradient", "edge"),
)
@takes(NUMBERS & NONEMPTY & MATRIX)
def imgradientxy(a: Value, method: Value = "sobel") -> Value:
    """Slopes to the right and downwards: sobel, prewitt, central or intermediate."""
    from scipy import ndimage

    x, how = as_array(a).astype(np.float64), text_of(method).lower()
    if how == "central":
        return tuple(
            canonical(np.gradient(x, axis=k) if x.shape[k] > 1 else np.zeros(x.shape))
            for k in (1, 0)
        )
    if how.startswith("intermediate"):
        return tuple(canonical(np.diff(x, axis=k, append=np.take(x, [-1], axis=k))) for k in (1, 0))
    side = {"sobel": [1.0, 2, 1], "prewitt": [1.0, 1, 1]}.get(how)
    if side is None:
        message = "The method must be sobel, prewitt, central or intermediate."
        raise MatlabError("images:imgradientxy:unrecognizedMethod", message)
    mask = np.outer(side, [-1.0, 0, 1])
    return tuple(canonical(ndimage.correlate(x, m, mode="nearest")) for m in (mask, mask.T))
