"""Parts, turns and shifts of resident images, and colours looked up for them."""

from __future__ import annotations

import math

import numpy as np

from app.accel.ir.dtypes import DType
from app.engine.capture.term_arrays import clamp_nan_low, elements_at, resident, shift_along
from app.engine.capture.terms import Made, Term, cat, clamp, position, where
from app.engine.operators import shape_forms
from app.engine.values import Value, as_array, is_text_scalar, text_of

Args = tuple[Value, ...]
F64 = DType.F64


def _image(v: Value) -> Term | None:
    found = resident(v)
    return found[0] if found and found[0].rank in (2, 3) and found[0].dtype.size < 9 else None


def imcrop(args: Args, nargout: int) -> Made:
    """The part of an image inside a rectangle in pixel coordinates."""
    x = _image(args[0])
    box = as_array(args[1]).astype(np.float64).ravel() if x is not None else np.zeros(0)
    if x is None or box.size != 4 or nargout > 1:
        return None
    first = np.floor(box[:2] + 0.5).astype(int)
    last = np.floor(box[:2] + box[2:] + 0.5).astype(int)
    for axis, (start, end) in enumerate(
        zip(first[::-1].tolist(), last[::-1].tolist(), strict=True)
    ):
        begun, ended = max(start, 1) - 1, min(end, x.shape[axis])
        if ended <= begun:
            return None
        x = x.part(axis, begun, ended - begun)
    return x


def imtranslate(args: Args, nargout: int) -> Made:
    """An image shifted by whole pixels; what comes in is 0."""
    x = _image(args[0])
    offset = as_array(args[1]).ravel() if x is not None and len(args) == 2 else np.zeros(0)
    if x is None or offset.size != 2 or not np.all(offset == np.round(offset)):
        return None
    for axis, by in enumerate(offset[::-1].tolist()):
        x = shift_along(x, axis, int(by), 0.0)
    return x


def ind2rgb(args: Args, nargout: int) -> Made:
    """The colours of a map for an indexed image."""
    found = resident(*args)
    if found is None or found[0].rank != 2 or found[1].rank != 2 or found[1].shape[1] != 3:
        return None
    x, colours = found
    first = 1.0 if x.dtype.is_float else 0.0
    row = clamp_nan_low(x.cast(F64) - first, 0.0, float(colours.shape[0] - 1))
    row = where(row < 0.0, row.ceil(), row.floor())
    made = [elements_at(colours, row + float(k * colours.shape[0])) for k in range(3)]
    return tuple(made[:nargout]) if nargout > 1 else cat(2, *made)


def imrotate(args: Args, nargout: int) -> Made:
    """An image turned by degrees: right angles, or looked up at the nearest or four pixels."""
    x, degrees = _image(args[0]), args[1]
    words = [text_of(v).lower() for v in args[2:] if is_text_scalar(v)]
    if x is None or type(degrees) is not float or "bicubic" in words or nargout > 1:
        return None
    if degrees % 90 == 0 and "crop" not in words:
        return shape_forms.rot90((args[0], degrees // 90), 1) if x.rank == 2 else None
    return _turned(x, degrees, "crop" in words, "bilinear" in words)


def _turned(x: Term, degrees: float, crop: bool, smooth: bool) -> Term | None:
    from scipy import special

    cosine, sine = special.cosdg(degrees), special.sindg(degrees)
    turn = np.array([[cosine, sine], [-sine, cosine]])
    size = np.array(x.shape[:2])
    corners = turn @ [[0, 0, size[0], size[0]], [0, size[1], 0, size[1]]]
    wanted = size if crop else (np.ptp(corners, axis=1) + 0.5).astype(int)
    if wanted.min() < 1:
        return None
    offset = (size - 1) / 2 - turn @ ((wanted - 1) / 2)
    rows, columns = int(wanted[0]), int(wanted[1])
    down, right = position((rows, 1), 0), position((1, columns), 1)
    at = [float(offset[k]) + down * float(turn[k, 0]) + right * float(turn[k, 1]) for k in (0, 1)]
    last = [float(n - 1) for n in x.shape[:2]]
    inside = (at[0] >= 0.0) & (at[0] <= last[0]) & (at[1] >= 0.0) & (at[1] <= last[1])
    held = [clamp(k, 0.0, most) for k, most in zip(at, last, strict=True)]
    planes = [
        where(inside, _looked_up(x, held, plane, smooth), 0.0)
        for plane in range(math.prod(x.shape[2:]))
    ]
    made = [p > 0.5 if x.dtype is DType.BOOL else p.cast(x.dtype) for p in planes]
    return cat(2, *made) if len(made) > 1 else made[0]


def _looked_up(x: Term, at: list[Term], plane: int, smooth: bool) -> Term:
    """The pixels of a plane at places inside it, as doubles."""
    height, width = x.shape[:2]
    begin = float(plane * height * width)

    def pixel(row: Term, column: Term) -> Term:
        return elements_at(x, row + column * float(height) + begin).cast(F64)

    if not smooth:
        return pixel((at[0] + 0.5).floor(), (at[1] + 0.5).floor())
    low = [k.floor() for k in at]
    high = [clamp(k + 1.0, 0.0, float(n - 1)) for k, n in zip(low, (height, width), strict=True)]
    share = [k - begun for k, begun in zip(at, low, strict=True)]
    upper = pixel(low[0], low[1]) * (1.0 - share[1]) + pixel(low[0], high[1]) * share[1]
    lower = pixel(high[0], low[1]) * (1.0 - share[1]) + pixel(high[0], high[1]) * share[1]
    return upper * (1.0 - share[0]) + lower * share[0]
