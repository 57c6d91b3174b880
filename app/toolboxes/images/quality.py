"""Comparing images and arithmetic on them: immse, psnr, ssim, mean2, std2, corr2, imadd and kin."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import MATRIX, NUMBERS, REAL, SCALAR, takes
from app.engine.declarations.device_support import of_resident
from app.engine.declarations.registry import builtin
from app.engine.operators.arithmetic import saturate
from app.engine.values import Array, Value, as_array, canonical, float_of, numel
from app.errors import MatlabError
from app.toolboxes.images import comparison_forms

_FAMILY = "images"


def _pair(name: str, a: Value, b: Value) -> tuple[Array, Array]:
    x, y = as_array(a), as_array(b)
    if x.shape != y.shape and 1 not in (x.size, y.size):
        raise MatlabError(f"images:{name}:sizeMismatch", "The images must be of the same size.")
    return x.astype(np.float64), y.astype(np.float64)


def _peak(a: Value, given: Value | None) -> float:
    """The largest possible pixel."""
    if given is not None and numel(given):
        return float_of(given)
    kind = as_array(a).dtype
    return float(np.iinfo(kind).max) if kind.kind in "iu" else 1.0


@builtin(
    "immse",
    category=_FAMILY,
    signatures=("e = immse(X, Y)",),
    device=of_resident(comparison_forms.immse),
    cases=("immse([1 2], [1 4]) == 2",),
    see=("psnr", "ssim"),
)
@takes(NUMBERS & REAL, NUMBERS & REAL)
def immse(a: Value, b: Value) -> Value:
    """Mean squared difference of two images."""
    x, y = _pair("immse", a, b)
    return float(((x - y) ** 2).mean())


@builtin(
    "psnr",
    words="",
    category=_FAMILY,
    signatures=("[p, snr] = psnr(A, ref)", "p = psnr(A, ref, peak)"),
    device=of_resident(comparison_forms.psnr),
    cases=("abs(psnr([0.5 0.5], [0.6 0.4]) - 20) < 1e-12", "psnr(1, 1) == Inf"),
    see=("immse", "ssim"),
)
@takes(NUMBERS & REAL, NUMBERS & REAL)
def psnr(a: Value, reference: Value, peak: Value | None = None) -> Value:
    """Ratio of the peak to the noise in decibels, and of the signal to the noise."""
    x, y = _pair("psnr", a, reference)
    error = float(((x - y) ** 2).mean())
    if not error:
        return float("inf"), float("inf")
    top = _peak(a, peak)
    return (float(10 * np.log10(top * top / error)), float(10 * np.log10((y * y).mean() / error)))


@builtin(
    "ssim",
    category=_FAMILY,
    signatures=("[s, map] = ssim(A, ref)",),
    cases=("abs(ssim(magic(12)/144, magic(12)/144) - 1) < 1e-12",),
    see=("psnr", "immse"),
)
@takes(NUMBERS & REAL & MATRIX, NUMBERS & REAL & MATRIX)
def ssim(a: Value, reference: Value) -> Value:
    """Structural similarity of two grey images, by windows of a Gaussian of deviation 1.5."""
    from scipy.ndimage import gaussian_filter

    x, y = _pair("ssim", a, reference)
    top = _peak(a, None)
    small = [(k * top) ** 2 for k in (0.01, 0.03)]

    def blurred(v: Array) -> Array:
        return np.asarray(gaussian_filter(v, 1.5, truncate=3.5, mode="nearest"))

    mx, my = blurred(x), blurred(y)
    vx, vy, both = blurred(x * x) - mx**2, blurred(y * y) - my**2, blurred(x * y) - mx * my
    found = ((2 * mx * my + small[0]) * (2 * both + small[1])) / (
        (mx**2 + my**2 + small[0]) * (vx + vy + small[1])
    )
    return float(found.mean()), canonical(found)


@builtin(
    "mean2",
    category=_FAMILY,
    signatures=("m = mean2(A)",),
    device=of_resident(comparison_forms.mean2),
    cases=("mean2(magic(3)) == 5",),
    see=("std2", "mean"),
)
@takes(NUMBERS)
def mean2(a: Value) -> Value:
    """Mean of all pixels."""
    return canonical(np.asarray(as_array(a).mean(dtype=np.float64)).reshape(1, 1))


@builtin(
    "std2",
    category=_FAMILY,
    signatures=("s = std2(A)",),
    device=of_resident(comparison_forms.std2),
    cases=("std2([1 2; 3 4]) == std([1 2 3 4])",),
    see=("mean2", "std"),
)
@takes(NUMBERS)
def std2(a: Value) -> Value:
    """Standard deviation of all pixels."""
    x = as_array(a).astype(np.float64)
    return float(x.std(ddof=1)) if x.size > 1 else 0.0


@builtin(
    "corr2",
    category=_FAMILY,
    signatures=("r = corr2(A, B)",),
    device=of_resident(comparison_forms.corr2),
    cases=("abs(corr2([1 2; 3 4], [2 4; 6 8]) - 1) < 1e-12",),
    see=("corrcoef",),
)
@takes(NUMBERS & REAL & MATRIX, NUMBERS & REAL & MATRIX)
def corr2(a: Value, b: Value) -> Value:
    """Correlation of two images."""
    x, y = _pair("corr2", a, b)
    x, y = x - x.mean(), y - y.mean()
    return float((x * y).sum() / np.sqrt((x * x).sum() * (y * y).sum()))


def declare_combined(name: str, summary: str, function: Callable[..., Any], case: str) -> None:
    """Declare arithmetic on two images, or an image and a number, in the image's class."""

    def call(a: Value, b: Value) -> Value:
        NUMBERS(name, 1, a)
        NUMBERS(name, 2, b)
        x, y = _pair(name, a, b)
        kind = as_array(a).dtype
        found = np.asarray(function(x, y))
        return canonical(
            saturate(found, kind)
            if kind.kind in "iu"
            else found.astype(kind if kind.kind == "f" else np.float64)
        )

    builtin(
        name,
        category=_FAMILY,
        signatures=(f"C = {name}(A, B)",),
        device=of_resident(comparison_forms.combined(function)),
        cases=(case,),
        text=summary,
        see=("imadjust", "imcomplement"),
    )(call)


declare_combined(
    "imadd", "Sum of images, saturated.", lambda x, y: x + y, "imadd(uint8(200), 100) == 255"
)
declare_combined(
    "imsubtract",
    "Difference of images, saturated.",
    lambda x, y: x - y,
    "imsubtract(uint8(5), 9) == 0",
)
declare_combined(
    "immultiply",
    "Product of images, saturated.",
    lambda x, y: x * y,
    "immultiply(uint8(100), 3) == 255",
)
declare_combined(
    "imdivide", "Quotient of images.", lambda x, y: x / y, "imdivide(uint8(100), 3) == 33"
)
declare_combined(
    "imabsdiff",
    "Size of the difference of images.",
    lambda x, y: abs(x - y),
    "imabsdiff(uint8(5), uint8(9)) == 4",
)


@builtin(
    "imnoise",
    category=_FAMILY,
    signatures=("J = imnoise(I, 'gaussian', m, v)", "J = imnoise(I, 'salt & pepper', d)"),
    cases=("isequal(size(imnoise(zeros(3), 'gaussian')), [3 3])",),
    see=("imfilter", "rand"),
)
@takes(NUMBERS & REAL)
def imnoise(
    ctx: CallContext, a: Value, kind: Value, first: Value = 0.0, second: Value = 0.01
) -> Value:
    """Image with noise: ``gaussian`` of mean and variance, or ``salt & pepper`` of a density."""
    from app.engine.builtins.images.classes import as_class, as_double
    from app.engine.values import text_of

    (SCALAR & REAL)("imnoise", 3, first)
    x = as_array(a)
    image, size = as_double(x), np.array([[float(n) for n in x.shape]])
    word = text_of(kind).lower()
    if word == "gaussian":
        noise = as_array(ctx.call("randn", (size,), 1)[0])
        spread = np.sqrt(float_of(second))
        image = image + float_of(first) + spread * noise
    elif word == "salt & pepper":
        density = float_of(first) or 0.05
        u = as_array(ctx.call("rand", (size,), 1)[0])
        image = np.where(u < density / 2, 0.0, np.where(u < density, 1.0, image))
    else:
        raise MatlabError("images:imnoise:unrecognizedType", f"Unknown kind of noise '{word}'.")
    return canonical(as_class(np.clip(image, 0, 1), x.dtype if x.dtype.kind != "b" else np.float64))
