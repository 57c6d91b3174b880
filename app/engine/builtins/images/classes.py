"""Images as arrays: classes, ranges, colours and their conversions."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.arguments.checks import ANY, NUMBERS, SCALAR, element_count, takes
from app.engine.builtins.images import geometry_forms, image_forms
from app.engine.declarations.device_support import of_resident, term_form
from app.engine.declarations.registry import builtin
from app.engine.operators.arithmetic import saturate
from app.engine.values import (
    Array,
    Value,
    as_array,
    canonical,
    int_of,
    is_text_scalar,
    make_logical,
    text_of,
    unwrap,
)
from app.errors import MatlabError

_FAMILY = "images"
_LUMA = np.array([0.298936021293775, 0.587043074451121, 0.114020904255103])


def as_double(a: Array) -> Array:
    """Pixels in 0 … 1 as doubles."""
    if a.dtype.kind == "u":
        return a / float(np.iinfo(a.dtype).max)
    if a.dtype == np.int16:
        return (a.astype(np.float64) + 32768) / 65535
    return a.astype(np.float64)


def as_class(a: Array, dtype: Any) -> Array:
    """Pixels in 0 … 1 as another class, rounded and saturated."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return a >= 0.5
    if dtype == np.int16:
        return saturate(a * 65535 - 32768, dtype)
    return saturate(a * np.iinfo(dtype).max, dtype) if dtype.kind == "u" else a.astype(dtype)


def _image_of_class(a: Value, dtype: Any, args: tuple[Value, ...]) -> Value:
    x = as_array(a)
    if args and is_text_scalar(args[0]) and text_of(args[0]) == "indexed":
        offset = 1 if x.dtype.kind != "f" and np.dtype(dtype).kind == "f" else 0
        return canonical(
            saturate(x.astype(float) - 1, np.dtype(dtype))
            if x.dtype.kind == "f" and np.dtype(dtype).kind != "f"
            else x.astype(dtype) + offset
        )
    return canonical(x) if x.dtype == dtype else canonical(as_class(as_double(x), dtype))


@builtin(
    "im2double",
    most=2,
    words="indexed",
    category=_FAMILY,
    signatures=("D = im2double(I)", "D = im2double(I, 'indexed')"),
    device=term_form(image_forms.im2double),
    cases=("im2double(uint8(255)) == 1", "im2double(true) == 1"),
    see=("im2uint8",),
)
@takes(NUMBERS)
def im2double(a: Value, *args: Value) -> Value:
    """Image as double, scaled to 0 … 1."""
    return _image_of_class(a, np.float64, args)


@builtin(
    "im2single",
    most=2,
    words="indexed",
    category=_FAMILY,
    signatures=("S = im2single(I)",),
    device=term_form(image_forms.im2single),
    cases=("isa(im2single(uint8(3)), 'single')",),
    see=("im2double",),
)
@takes(NUMBERS)
def im2single(a: Value, *args: Value) -> Value:
    """Image as single, scaled to 0 … 1."""
    return _image_of_class(a, np.float32, args)


@builtin(
    "im2uint8",
    most=2,
    words="indexed",
    category=_FAMILY,
    signatures=("J = im2uint8(I)",),
    device=term_form(image_forms.im2uint8),
    cases=("im2uint8(1) == 255", "isa(im2uint8(0.5), 'uint8')"),
    see=("im2double",),
)
@takes(NUMBERS)
def im2uint8(a: Value, *args: Value) -> Value:
    """Image as uint8, scaled to 0 … 255."""
    return _image_of_class(a, np.uint8, args)


@builtin(
    "im2uint16",
    most=2,
    words="indexed",
    category=_FAMILY,
    signatures=("J = im2uint16(I)",),
    device=term_form(image_forms.im2uint16),
    cases=("im2uint16(1) == 65535",),
    see=("im2double",),
)
@takes(NUMBERS)
def im2uint16(a: Value, *args: Value) -> Value:
    """Image as uint16, scaled to 0 … 65535."""
    return _image_of_class(a, np.uint16, args)


@builtin(
    "im2int16",
    category=_FAMILY,
    signatures=("J = im2int16(I)",),
    device=term_form(image_forms.im2int16),
    cases=("im2int16(1) == 32767",),
    see=("im2double",),
)
@takes(NUMBERS)
def im2int16(a: Value) -> Value:
    """Image as int16, scaled to -32768 … 32767."""
    return _image_of_class(a, np.int16, ())


@builtin(
    "rgb2gray",
    category=_FAMILY,
    signatures=("I = rgb2gray(RGB)", "map = rgb2gray(map)"),
    device=term_form(image_forms.rgb2gray),
    cases=("norm(rgb2gray([1 1 1]) - 1) < 1e-12",),
    see=("im2gray", "rgb2hsv"),
)
@takes(NUMBERS)
def rgb2gray(rgb: Value) -> Value:
    """Luminance of a colour image, in its class; of a colour map, a grey colour map."""
    a = as_array(rgb)
    if a.ndim == 2 and a.shape[1] == 3:
        return canonical(np.repeat((a @ _LUMA)[:, None], 3, axis=1))
    if a.ndim < 3 or a.shape[2] != 3:
        text = "MAP must be a m x 3 array."
        raise MatlabError("MATLAB:images:rgb2gray:invalidSizeForColormap", text)
    gray = np.moveaxis(a, 2, -1).astype(np.float64) @ _LUMA
    if a.dtype.kind == "f":
        return canonical(np.clip(gray, 0, 1).astype(a.dtype))
    return unwrap(saturate(gray, a.dtype))


@builtin(
    "im2gray",
    category=_FAMILY,
    signatures=("I = im2gray(RGB)",),
    device=term_form(image_forms.im2gray),
    cases=("isequal(im2gray([1 2; 3 4]), [1 2; 3 4])",),
    see=("rgb2gray",),
)
@takes(NUMBERS)
def im2gray(a: Value) -> Value:
    """Luminance of a colour image; a grey image unchanged."""
    x = as_array(a)
    return rgb2gray(a) if x.ndim == 3 and x.shape[2] == 3 else a


@builtin(
    "mat2gray",
    category=_FAMILY,
    signatures=("I = mat2gray(A)", "I = mat2gray(A, [low high])"),
    device=term_form(image_forms.mat2gray),
    cases=("isequal(mat2gray([1 2 3]), [0 0.5 1])",),
    see=("rescale", "imadjust"),
)
@takes(NUMBERS, NUMBERS & element_count(2))
def mat2gray(a: Value, limits: Value | None = None) -> Value:
    """Numbers scaled to 0 … 1 between their extremes or given limits."""
    x = as_array(a).astype(np.float64)
    ends = (
        (x.min(initial=np.inf), x.max(initial=-np.inf))
        if limits is None
        else (tuple(as_array(limits).astype(np.float64).ravel()))
    )
    if ends[0] == ends[1] or not x.size:
        return canonical(np.clip(x, 0, 1))
    return canonical(np.clip((x - ends[0]) / (ends[1] - ends[0]), 0, 1))


@builtin(
    "ind2gray",
    category=_FAMILY,
    signatures=("I = ind2gray(X, map)",),
    cases=("isequal(ind2gray([1 2], [0 0 0; 1 1 1]) > 0.5, [false true])",),
    see=("ind2rgb", "gray2ind"),
)
@takes(NUMBERS, NUMBERS)
def ind2gray(x: Value, colours: Value) -> Value:
    """Grey image of an indexed one."""
    return canonical(_looked_up(x, as_array(colours)) @ _LUMA)


def _looked_up(x: Value, colours: Array) -> Array:
    places = as_array(x)
    start = 1 if places.dtype.kind == "f" else 0
    index = np.clip(places.astype(np.int64) - start, 0, len(colours) - 1)
    return np.asarray(colours[index])


@builtin(
    "ind2rgb",
    category=_FAMILY,
    signatures=("RGB = ind2rgb(X, map)", "[R, G, B] = ind2rgb(X, map)"),
    cases=("isequal(size(ind2rgb([1 2], [0 0 0; 1 0 0])), [1 2 3])",),
    see=("rgb2ind",),
    device=of_resident(geometry_forms.ind2rgb),
)
@takes(NUMBERS, NUMBERS)
def ind2rgb(x: Value, colours: Value, *, nargout: int = 1) -> Value:
    """Colour image of an indexed one."""
    table = as_array(colours)
    if table.ndim != 2 or table.shape[1] != 3:
        raise MatlabError("MATLAB:ind2rgb:invalidMap", "The colour map must have three columns.")
    rgb = _looked_up(x, table)
    if nargout > 1:
        return tuple(canonical(rgb[..., k]) for k in range(3))
    return canonical(rgb)


@builtin(
    "gray2ind",
    category=_FAMILY,
    signatures=("[X, map] = gray2ind(I, n)",),
    cases=("gray2ind(1, 4) == 3",),
    see=("ind2gray",),
)
@takes(NUMBERS, SCALAR)
def gray2ind(a: Value, n: Value = 64.0) -> Value:
    """Indexed image of a grey one."""
    count = int_of(n)
    places = np.round(as_double(as_array(a)) * (count - 1))
    ramp = np.repeat(np.linspace(0, 1, count)[:, None], 3, axis=1)
    return canonical(places.astype(np.uint8 if count <= 256 else np.uint16)), canonical(ramp)


def _converted_colours(name: str, a: Value, function: Any) -> Value:
    x = as_array(a)
    channel = -1 if x.ndim > 2 else 1
    if x.shape[channel] != 3:
        raise MatlabError(
            f"MATLAB:{name}:invalidSize", "The input must be an m-by-3 map or an m-by-n-by-3 image."
        )
    return canonical(function(np.moveaxis(as_double(x), channel, -1)))


def _to_hsv(rgb: Array) -> Array:
    high, low = rgb.max(axis=-1), rgb.min(axis=-1)
    spread = np.where(high == low, 1, high - low)
    r, g, b = np.moveaxis(rgb, -1, 0)
    hue = np.select(
        [high == low, high == r, high == g],
        [0 * r, (g - b) / spread % 6, 2 + (b - r) / spread],
        4 + (r - g) / spread,
    )
    saturation = (high - low) / np.where(high == 0, 1, high)
    return np.stack([hue / 6, saturation, high], axis=-1)


def _to_rgb(hsv: Array) -> Array:
    h, s, v = (c[..., None] for c in np.moveaxis(hsv, -1, 0))
    k = (np.array([5.0, 3.0, 1.0]) + 6 * h) % 6
    return np.asarray(v - v * s * np.clip(np.minimum(k, 4 - k), 0, 1))


@builtin(
    "rgb2hsv",
    category=_FAMILY,
    signatures=("HSV = rgb2hsv(RGB)", "map = rgb2hsv(map)"),
    device=term_form(image_forms.rgb2hsv),
    cases=("isequal(rgb2hsv([0 0 1]), [2/3 1 1])",),
    see=("hsv2rgb",),
)
@takes(NUMBERS)
def rgb2hsv(a: Value) -> Value:
    """Hue, saturation and value of colours."""
    return _converted_colours("rgb2hsv", a, _to_hsv)


@builtin(
    "hsv2rgb",
    category=_FAMILY,
    signatures=("RGB = hsv2rgb(HSV)", "map = hsv2rgb(map)"),
    device=term_form(image_forms.hsv2rgb),
    cases=("isequal(hsv2rgb([1/3 1 1]), [0 1 0])",),
    see=("rgb2hsv",),
)
@takes(NUMBERS)
def hsv2rgb(a: Value) -> Value:
    """Colours of hue, saturation and value."""
    return _converted_colours("hsv2rgb", a, _to_rgb)


@builtin(
    "imcomplement",
    category=_FAMILY,
    signatures=("J = imcomplement(I)",),
    device=term_form(image_forms.imcomplement),
    cases=("imcomplement(uint8(0)) == 255", "imcomplement(0.25) == 0.75"),
)
@takes(NUMBERS)
def imcomplement(a: Value) -> Value:
    """Negative of an image."""
    x = as_array(a)
    if x.dtype.kind == "b":
        return make_logical(~x)
    return canonical(~x if x.dtype.kind in "iu" else 1 - x)


@builtin("isgray", category=_FAMILY, signatures=("tf = isgray(A)",), cases=("isgray([0 0.5])",))
@takes(ANY)
def isgray(a: Value) -> Value:
    """True for what may be a grey image."""
    x = as_array(a)
    return bool(
        x.ndim == 2
        and (x.dtype.kind == "u" or (x.dtype.kind == "f" and not ((x < 0) | (x > 1)).any()))
    )


@builtin("isrgb", category=_FAMILY, signatures=("tf = isrgb(A)",), cases=("~isrgb([0 0.5])",))
@takes(ANY)
def isrgb(a: Value) -> Value:
    """True for what may be a colour image."""
    x = as_array(a)
    return bool(x.ndim == 3 and x.shape[2] == 3 and x.dtype.kind in "uf")
