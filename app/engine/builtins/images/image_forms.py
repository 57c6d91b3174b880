"""Classes, colours and contrast of images as formulas."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from app.accel.ir.dtypes import DType
from app.engine.builtins.images import image_filter_forms, level_forms
from app.engine.builtins.signals.signal_forms import correlation, small_kernel
from app.engine.capture.terms import Term, cat, clamp, number, term, where
from app.engine.values import Value, as_array, is_text_scalar, numel, text_of

Args = tuple[Value, ...]
F64 = DType.F64
_LUMA = (0.298936021293775, 0.587043074451121, 0.114020904255103)
_KINDS = ("logical", "double", "single", "uint8", "uint16", "int16")


def _image(args: Args) -> Any:
    x = term(args[0])
    return x if x is not NotImplemented and x.dtype.label in _KINDS else NotImplemented


def _largest_pixel(dtype: DType) -> float:
    """The largest pixel of an unsigned class."""
    return 2.0 ** (8 * dtype.size) - 1


def as_double(x: Term) -> Term:
    """Pixels in 0 … 1 as doubles."""
    if x.dtype.label.startswith("uint"):
        return x.cast(F64) / _largest_pixel(x.dtype)
    if x.dtype.label == "int16":
        return (x.cast(F64) + 32768.0) / 65535.0
    return x.cast(F64)


def as_class(x: Term, dtype: DType) -> Term:
    """Pixels in 0 … 1 as another class."""
    if dtype.label == "int16":
        return (x * 65535.0 - 32768.0).cast(dtype)
    if dtype.label.startswith("uint"):
        return (x * _largest_pixel(dtype)).cast(dtype)
    return x >= 0.5 if dtype.label == "logical" else x.cast(dtype)


def _conversion_to(dtype: DType) -> Callable[[Args, int], Any]:
    def form(args: Args, nargout: int) -> Any:
        x = _image(args)
        if x is NotImplemented or len(args) > 1:
            return NotImplemented
        return x if x.dtype is dtype else as_class(as_double(x), dtype)

    return form


im2double, im2single = _conversion_to(F64), _conversion_to(DType.F32)
im2uint8, im2uint16, im2int16 = (
    _conversion_to(DType.U8),
    _conversion_to(DType.U16),
    _conversion_to(DType.I16),
)


def _channels(x: Term, axis: int) -> list[Term]:
    return [x.part(axis, k, 1) for k in range(3)]


def _is_colour(x: Any) -> bool:
    return x is not NotImplemented and x.rank == 3 and x.shape[2] == 3


def _luminance(x: Term) -> Term:
    red, green, blue = (c.cast(F64) * w for c, w in zip(_channels(x, 2), _LUMA, strict=True))
    return red + green + blue


def rgb2gray(args: Args, nargout: int) -> Any:
    """Luminance of a colour image."""
    x = _image(args)
    if not _is_colour(x) or len(args) > 1 or x.dtype.label == "logical":
        return NotImplemented
    gray = _luminance(x)
    return (clamp(gray, 0.0, 1.0) if x.dtype.is_float else gray).cast(x.dtype)


def im2gray(args: Args, nargout: int) -> Any:
    """Luminance of a colour image; a grey one as it is."""
    x = _image(args)
    return (
        rgb2gray(args, nargout)
        if _is_colour(x)
        else (x if x is not NotImplemented and x.rank == 2 else NotImplemented)
    )


def mat2gray(args: Args, nargout: int) -> Any:
    """Numbers scaled to 0 … 1 between given limits, or between their extremes."""
    x = _image(args)
    if x is not NotImplemented and len(args) == 1:
        return _between_extremes(x.cast(F64))
    if x is NotImplemented or len(args) != 2 or numel(args[1]) != 2 or is_text_scalar(args[1]):
        return NotImplemented
    low, high = (float(v) for v in as_array(args[1]).ravel())
    return clamp((x.cast(F64) - low) / (high - low), 0.0, 1.0) if low != high else NotImplemented


def _between_extremes(x: Term) -> Term:
    """Scaled to 0 … 1; only held there where all are alike, and NaN where one is."""
    low, high = x.amin(), x.amax()
    alike = low.eq(high)
    scaled = where(alike, x, (x - where(alike, 0.0, low)) / where(alike, 1.0, high - low))
    return where(x.isnan().any(), math.nan, clamp(scaled, 0.0, 1.0))


def imadjust(args: Args, nargout: int) -> Any:
    """Grey levels moved from one given range to another, bent by gamma."""
    x = _image(args)
    if x is not NotImplemented and len(args) == 1:
        return level_forms.stretched(args, nargout)
    given = [as_array(v).astype(float).ravel() for v in args[1:] if not is_text_scalar(v)]
    if x is NotImplemented or not given or len(given) != len(args) - 1 or given[0].size != 2:
        return NotImplemented
    low, high = (float(v) for v in given[0])
    bottom, top = (float(v) for v in given[1]) if len(given) > 1 and given[1].size == 2 else (0, 1)
    if low == high or x.dtype.label == "logical":
        return NotImplemented
    scaled = clamp((as_double(x) - low) / (high - low), 0.0, 1.0)
    if len(given) > 2 and float(given[2][0]) != 1.0:
        scaled = Term((scaled ** float(given[2][0])).node)
    return as_class(scaled * (top - bottom) + float(bottom), x.dtype)


def imcomplement(args: Args, nargout: int) -> Any:
    """Negatives."""
    x = _image(args)
    if x is NotImplemented or x.dtype.label == "int16":
        return NotImplemented
    if x.dtype.label == "logical":
        return ~x
    if x.dtype.is_float:
        return 1 - x
    return x.bitxor(number(_largest_pixel(x.dtype), x.dtype))


def im2bw(args: Args, nargout: int) -> Any:
    """Black and white by a level."""
    x, level = _image(args), args[1] if len(args) > 1 else 0.5
    if x is NotImplemented or type(level) is not float:
        return NotImplemented
    if _is_colour(x):
        return NotImplemented
    return as_double(x) > level


def imbinarize(args: Args, nargout: int) -> Any:
    """Black and white by a given threshold, or by the one that separates best."""
    if len(args) == 1 and nargout < 2:
        return level_forms.separated(args, nargout)
    x, level = _image(args), args[1] if len(args) > 1 else ""
    if x is NotImplemented or type(level) is not float or len(args) > 2:
        return NotImplemented
    scale = 1.0 if x.dtype.is_float else _largest_pixel(x.dtype)
    return x.cast(F64) > level * scale if x.dtype.label != "logical" else NotImplemented


def _colours(args: Args) -> Any:
    """The channels of an image or colour map, and their axis."""
    x = _image(args)
    if x is NotImplemented or len(args) > 1 or x.rank > 3:
        return NotImplemented
    axis = 2 if x.rank == 3 else 1
    return (_channels(as_double(x), axis), axis) if x.shape[axis] == 3 else NotImplemented


def rgb2hsv(args: Args, nargout: int) -> Any:
    """Hue, saturation and value."""
    found = _colours(args)
    if found is NotImplemented or nargout > 1:
        return NotImplemented
    (r, g, b), axis = found
    high, low = r.max(g).max(b), r.min(g).min(b)
    width = high - low
    spread = where(width.eq(0.0), 1.0, width)
    hue = where(high.eq(g), 2.0 + (b - r) / spread, 4.0 + (r - g) / spread)
    hue = where(high.eq(r), ((g - b) / spread).mod(6.0), hue)
    hue = where(width.eq(0.0), 0.0, hue) / 6.0
    return cat(axis, hue, width / where(high.eq(0.0), 1.0, high), high)


def hsv2rgb(args: Args, nargout: int) -> Any:
    """Colours of hue, saturation and value."""
    found = _colours(args)
    if found is NotImplemented or nargout > 1:
        return NotImplemented
    (h, s, v), axis = found
    places = [(h * 6.0 + k).mod(6.0) for k in (5.0, 3.0, 1.0)]
    return cat(axis, *(v - v * s * clamp(k.min(4.0 - k), 0.0, 1.0) for k in places))


def imfilter(args: Args, nargout: int) -> Any:
    """A matrix correlated with a small kernel, zeros beyond its edges; all else if resident."""
    x = _image(args)
    kernel = small_kernel(args[1], x)
    if x is NotImplemented or kernel is None or len(args) > 2 or x.rank > 2:
        return image_filter_forms.imfilter(args, nargout)
    if x.dtype.label == "logical":
        return NotImplemented
    p, q = kernel.shape
    before, after = ((p - 1) // 2, (q - 1) // 2), (p // 2, q // 2)
    return correlation(x.cast(F64), kernel, before, after, (x.shape[0], x.shape[1])).cast(x.dtype)


def padarray(args: Args, nargout: int) -> Any:
    """A border of one number, or the image continued."""
    x = _image(args)
    words = [text_of(v).lower() for v in args[2:] if is_text_scalar(v)]
    values = [v for v in args[2:] if not is_text_scalar(v)]
    sides = [w for w in words if w in ("pre", "post", "both")]
    how: list[str | float] = [w for w in words if w in image_filter_forms.MODES]
    how += [v for v in values if type(v) is float]
    if x is NotImplemented or len(sides) > 1 or len(how) > 1:
        return NotImplemented
    if len(sides) + len(how) < len(args) - 2 or 0 in x.shape:
        return NotImplemented
    sizes = [int(n) for n in as_array(args[1]).ravel()]
    if len(sizes) > x.rank or any(n < 0 for n in sizes):
        return NotImplemented
    border = how[0] if how else 0.0
    for axis, n in enumerate(sizes):
        before, after = n * (sides != ["post"]), n * (sides != ["pre"])
        x = image_filter_forms.padded_axis(x, axis, before, after, border)
    return x
