"""Images resized, turned, cut out and moved."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.checks import NONEMPTY, NUMBERS, SCALAR, element_count, takes
from app.engine.builtins.images import geometry_forms, image_filter_forms
from app.engine.builtins.images.resampling import KERNELS, nearest_places, size_and_scales, weights
from app.engine.declarations.device_support import of_resident
from app.engine.declarations.registry import builtin
from app.engine.operators.arithmetic import saturate
from app.engine.values import Array, Value, as_array, canonical, float_of, is_text_scalar, text_of
from app.errors import MatlabError

_FAMILY = "images"


def _resampled_axis(
    a: Array, axis: int, wanted: int, scale: float, method: str, smooth: bool
) -> Array:
    places, shares = weights(a.shape[axis], wanted, scale, method, smooth)
    used = shares.any(axis=0)
    moved = np.moveaxis(a, axis, -1)
    found = (moved[..., places[:, used]] * shares[:, used]).sum(axis=-1)
    return np.moveaxis(found, -1, axis)


def _nearest(a: Array, axis: int, wanted: int, scale: float) -> Array:
    return np.asarray(np.take(a, nearest_places(a.shape[axis], wanted, scale), axis=axis))


@builtin(
    "imresize",
    category=_FAMILY,
    signatures=(
        "B = imresize(A, scale)",
        "B = imresize(A, [rows cols])",
        "B = imresize(..., method)",
        "B = imresize(..., 'Antialiasing', tf)",
    ),
    device=of_resident(image_filter_forms.imresize),
    cases=(
        "isequal(size(imresize(ones(4, 6), 0.5)), [2 3])",
        "isequal(imresize([1 2], 2, 'nearest'), [1 1 2 2; 1 1 2 2])",
        "norm(imresize(ones(5), 2) - 1) < 1e-12",
    ),
    see=("imrotate", "interp2"),
)
@takes(NUMBERS, NUMBERS & NONEMPTY)
def imresize(a: Value, size: Value, *args: Value) -> Value:
    """Resize an image, by default bicubic and smoothed when it shrinks."""
    x = as_array(a)
    words = [text_of(v).lower() if is_text_scalar(v) else "" for v in args]
    method = next((w for w in words if w in KERNELS), "bicubic")
    unknown = [w for w in words if w and w not in (*KERNELS, "antialiasing", "method")]
    if unknown:
        text = f"Unrecognized resize option '{unknown[0]}'."
        raise MatlabError("MATLAB:images:imresize:unrecognizedInterpolationMethod", text)
    if any(not w and (k == 0 or words[k - 1] != "antialiasing") for k, w in enumerate(words)):
        text = "imresize takes no map and no length of a filter: resize ind2rgb(X, map)."
        raise MatlabError("MATLAB:images:imresize:unsupportedInput", text)
    smooth = method != "nearest"
    if "antialiasing" in words:
        smooth = bool(as_array(args[words.index("antialiasing") + 1]).any())
    wanted, scales = size_and_scales(x.shape, as_array(size).astype(np.float64))
    if min(wanted) < 1:
        text = "The new size must be at least one pixel in each direction."
        raise MatlabError("MATLAB:images:imresize:invalidSize", text)
    order = sorted((0, 1), key=lambda k: scales[k])
    out = x if x.dtype.kind in "fc" else x.astype(np.float64)
    for k in order:
        if method == "nearest" and not smooth:
            out = _nearest(out, k, wanted[k], scales[k])
        else:
            out = _resampled_axis(out, k, wanted[k], scales[k], method, smooth)
    return canonical(_in_class_of(out, x))


def _in_class_of(found: Array, image: Array) -> Array:
    if image.dtype.kind == "b":
        return found > 0.5
    return saturate(found, image.dtype) if image.dtype.kind in "iu" else found.astype(image.dtype)


@builtin(
    "imrotate",
    most=4,
    words="nearest bilinear bicubic loose crop",
    category=_FAMILY,
    signatures=("J = imrotate(I, angle)", "J = imrotate(I, angle, method, bbox)"),
    cases=(
        "isequal(imrotate([1 2; 3 4], 90), [2 4; 1 3])",
        "isequal(size(imrotate(ones(4), 30, 'bilinear', 'crop')), [4 4])",
    ),
    see=("rot90", "imresize"),
    device=of_resident(geometry_forms.imrotate),
)
@takes(NUMBERS, NUMBERS & SCALAR)
def imrotate(a: Value, angle: Value, *args: Value) -> Value:
    """Turn an image counterclockwise by degrees; what lies outside is 0."""
    from scipy import ndimage

    x, degrees = as_array(a), float_of(angle)
    words = [text_of(v).lower() for v in args if is_text_scalar(v)]
    crop = "crop" in words
    if degrees % 90 == 0 and not crop:
        return canonical(np.rot90(x, int(degrees // 90)))
    order = 3 if "bicubic" in words else 1 if "bilinear" in words else 0
    found = ndimage.rotate(
        x.astype(np.float64),
        degrees,
        axes=(1, 0),
        reshape=not crop,
        order=order,
        prefilter=order > 1,
    )
    return canonical(_in_class_of(found, x))


@builtin(
    "imcrop",
    category=_FAMILY,
    signatures=("J = imcrop(I, [xmin ymin width height])",),
    cases=("isequal(imcrop(magic(4), [2 1 1 1]), [2 3; 11 10])",),
    see=("imresize",),
    device=of_resident(geometry_forms.imcrop),
)
@takes(NUMBERS, NUMBERS)
def imcrop(a: Value, rectangle: Value) -> Value:
    """The part of an image inside a rectangle in pixel coordinates."""
    x = as_array(a)
    box = as_array(rectangle).astype(np.float64).ravel()
    if box.size != 4:
        raise MatlabError("MATLAB:imcrop:invalidRect", "RECT must have four elements.")
    first = np.floor(box[:2] + 0.5).astype(int)
    last = np.floor(box[:2] + box[2:] + 0.5).astype(int)
    columns, rows = ((max(f, 1) - 1, max(e, 0)) for f, e in zip(first, last, strict=True))
    return canonical(x[slice(*rows), slice(*columns)])


@builtin(
    "imtranslate",
    category=_FAMILY,
    signatures=("B = imtranslate(A, [x y])",),
    cases=("isequal(imtranslate([1 2 3], [1 0]), [0 1 2])",),
    see=("circshift",),
    device=of_resident(geometry_forms.imtranslate),
)
@takes(NUMBERS, NUMBERS & element_count(2))
def imtranslate(a: Value, offset: Value) -> Value:
    """Shift an image to the right and down; what comes in is 0."""
    from scipy import ndimage

    x = as_array(a)
    right, down = as_array(offset).astype(np.float64).ravel()[:2]
    shift = (down, right) + (0.0,) * (x.ndim - 2)
    return canonical(_in_class_of(ndimage.shift(x.astype(np.float64), shift, order=1), x))
