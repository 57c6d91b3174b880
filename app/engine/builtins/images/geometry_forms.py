"""Parts, turns and shifts of resident images, and colours looked up for them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from app.accel.ir.dtypes import DType
from app.engine.capture.line_systems import dominated_solution
from app.engine.capture.term_arrays import clamp_nan_low, elements_at, resident, shift_along
from app.engine.capture.terms import Made, Term, cat, clamp, position, where
from app.engine.operators import shape_forms
from app.engine.values import Value, as_array, is_text_scalar, text_of

Args = tuple[Value, ...]
F64 = DType.F64
Lookup: TypeAlias = Callable[[Term, list[Term]], Term]
"""The values of a plane at rows and columns from 0 inside it."""


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
    if x is None or type(degrees) is not float or nargout > 1:
        return None
    if degrees % 90 == 0 and "crop" not in words:
        return shape_forms.rot90((args[0], degrees // 90), 1) if x.rank == 2 else None
    lookup = _nearest
    if "bicubic" in words:
        lookup = _by_splines
    elif "bilinear" in words:
        lookup = _between_four
    return _turned(x, degrees, "crop" in words, lookup)


def _turned(x: Term, degrees: float, crop: bool, lookup: Lookup) -> Term | None:
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
        where(inside, lookup(plane, held), 0.0)
        for plane in (_plane(x, k) for k in range(math.prod(x.shape[2:])))
    ]
    made = [p > 0.5 if x.dtype is DType.BOOL else p.cast(x.dtype) for p in planes]
    return cat(2, *made) if len(made) > 1 else made[0]


def _plane(x: Term, number: int) -> Term:
    """One plane of an image, as doubles."""
    return (x.part(2, number, 1).reshape(x.shape[:2]) if x.rank > 2 else x).cast(F64)


def _pixel(x: Term, row: Term, column: Term) -> Term:
    return elements_at(x, row + column * float(x.shape[0]))


def _nearest(x: Term, at: list[Term]) -> Term:
    """The pixels that are the nearest to places inside a plane."""
    return _pixel(x, (at[0] + 0.5).floor(), (at[1] + 0.5).floor())


def _between_four(x: Term, at: list[Term]) -> Term:
    """What lies linearly between four pixels."""
    low = [k.floor() for k in at]
    high = [clamp(k + 1.0, 0.0, float(n - 1)) for k, n in zip(low, x.shape, strict=True)]
    share = [k - begun for k, begun in zip(at, low, strict=True)]
    upper = _pixel(x, low[0], low[1]) * (1.0 - share[1]) + _pixel(x, low[0], high[1]) * share[1]
    lower = _pixel(x, high[0], low[1]) * (1.0 - share[1]) + _pixel(x, high[0], high[1]) * share[1]
    return upper * (1.0 - share[0]) + lower * share[0]


def _by_splines(x: Term, at: list[Term]) -> Term:
    """What cubic splines through the pixels give, a plane being mirrored in its border."""
    for axis in (0, 1):
        x = _spline_weights(x.permute(1, 0)).permute(1, 0) if axis else _spline_weights(x)
    low = [k.floor() for k in at]
    shares = [_cubic_shares(k - begun) for k, begun in zip(at, low, strict=True)]
    total: Term | None = None
    for down, share in enumerate(shares[0], -1):
        for right, other in enumerate(shares[1], -1):
            places = [
                _mirrored(k + float(by), n)
                for k, by, n in zip(low, (down, right), x.shape, strict=True)
            ]
            found = _pixel(x, places[0], places[1]) * (share * other)
            total = found if total is None else total + found
    assert total is not None
    return total


def _spline_weights(x: Term) -> Term:
    """The weights of the cubic B-splines that go through columns, mirrored at their ends."""
    count = x.shape[0]
    if count < 2:
        return x
    place = position((count, 1), 0)
    low = where(place.eq(count - 1.0), 0.5, 0.25)
    high = where(place.eq(0.0), 0.5, 0.25)
    none = [where(place.eq(end), 0.0, side) for end, side in ((0.0, low), (count - 1.0, high))]
    return dominated_solution(none[0], none[1], x * 1.5)


def _cubic_shares(s: Term) -> tuple[Term, ...]:
    """What four B-splines count at a place between the second and the third of their middles."""
    rest = 1.0 - s
    return (
        rest * rest * rest / 6.0,
        (s * s * (s - 2.0) * 3.0 + 4.0) / 6.0,
        (rest * rest * (rest - 2.0) * 3.0 + 4.0) / 6.0,
        s * s * s / 6.0,
    )


def _mirrored(k: Term, count: int) -> Term:
    """Numbers from 0 that go back at the ends of a line."""
    back = abs(k)
    return clamp(where(back > count - 1.0, 2.0 * (count - 1.0) - back, back), 0.0, count - 1.0)
