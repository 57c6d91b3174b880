"""Morphology: structuring elements, dilation, erosion and what is made of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from app.engine.arguments.checks import NONEMPTY, NUMBERS, TEXT, takes
from app.engine.declarations.device_support import of_resident
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    Struct,
    Value,
    as_array,
    canonical,
    is_text_scalar,
    make_logical,
    text_of,
)
from app.errors import MatlabError
from app.toolboxes.images import morphology_forms
from app.toolboxes.images.morphology_forms import neighbourhood
from app.toolboxes.images.wide_windows import is_wide, joined

_FAMILY = "images"
_AXES = {
    4: ((1, 0), (1, 1), (0, 1), (-1, 1)),
    6: ((1, 0), (1, 2), (2, 1), (0, 1), (-1, 2), (-2, 1)),
    8: ((1, 0), (2, 1), (1, 1), (1, 2), (0, 1), (-1, 2), (-1, 1), (-2, 1)),
}


def _round_disk(radius: int) -> Array:
    y, x = np.mgrid[-radius : radius + 1, -radius : radius + 1]
    return np.asarray(x * x + y * y <= radius * radius)


def _line_points(count: int, step: tuple[int, int]) -> Array:
    reach = max(abs(count * step[0]), abs(count * step[1]))
    cells = np.zeros((2 * reach + 1, 2 * reach + 1), dtype=bool)
    for k in range(-count, count + 1):
        cells[reach + k * step[0], reach + k * step[1]] = True
    return cells


def _disk(radius: int, lines: int) -> Array:
    """A disk; from radius 3 built of ``lines`` periodic lines, as MATLAB does by default."""
    from scipy import ndimage

    if radius < 3 or lines == 0:
        return _round_disk(radius)
    theta = math.pi / (2 * lines)
    reach = 2 * radius / (1 / math.tan(theta) + 1 / math.sin(theta))
    size = 4 * radius + 9
    cells = np.zeros((size, size), dtype=bool)
    cells[size // 2, size // 2] = True
    for step in _AXES[lines]:
        count = int(reach // math.hypot(*step))
        if count:
            cells = ndimage.binary_dilation(cells, _line_points(count, step))
    missing = radius - (int(cells.any(axis=0).sum()) + 1) // 2
    if missing > 0:
        cells = ndimage.binary_dilation(cells, np.ones((2 * missing + 1, 2 * missing + 1)))
    return np.asarray(cells[np.ix_(cells.any(axis=1), cells.any(axis=0))])


def _diamond(radius: int) -> Array:
    y, x = np.mgrid[-radius : radius + 1, -radius : radius + 1]
    return np.asarray(np.abs(x) + np.abs(y) <= radius)


def _line(length: float, degrees: float) -> Array:
    half = (length - 1) / 2
    x, y = half * math.cos(math.radians(degrees)), -half * math.sin(math.radians(degrees))
    count = max(abs(round(x)), abs(round(y)))
    t = np.linspace(-1, 1, 2 * count + 1)
    columns, rows = np.round(t * x).astype(int), np.round(t * y).astype(int)
    cells = np.zeros((2 * abs(rows).max() + 1, 2 * abs(columns).max() + 1), dtype=bool)
    cells[rows + abs(rows).max(), columns + abs(columns).max()] = True
    return cells


def _octagon(radius: int) -> Array:
    k = radius // 3
    y, x = np.mgrid[-radius : radius + 1, -radius : radius + 1]
    return np.asarray(np.abs(x) + np.abs(y) <= radius + k)


def _rectangle(*size: float) -> Array:
    return np.full((int(size[0]), int(size[-1])), fill_value=True)


_SHAPES: dict[str, Callable[..., Array]] = {
    "disk": lambda r, n=4.0: _disk(int(r), int(n)),
    "diamond": lambda r: _diamond(int(r)),
    "square": _rectangle,
    "rectangle": _rectangle,
    "line": _line,
    "octagon": lambda r: _octagon(int(r)),
    "cube": lambda w: np.ones((int(w),) * 3, dtype=bool),
}


@builtin(
    "strel",
    category=_FAMILY,
    signatures=(
        "SE = strel('disk', r, n)",
        "SE = strel('square', w)",
        "SE = strel('rectangle', [m n])",
        "SE = strel('line', len, deg)",
        "SE = strel(nhood)",
    ),
    cases=(
        "isequal(strel('diamond', 1).Neighborhood, logical([0 1 0; 1 1 1; 0 1 0]))",
        "isequal(size(strel('disk', 5).Neighborhood), [9 9])",
    ),
    see=("imdilate", "imerode"),
)
def strel(kind: Value, *args: Value) -> Value:
    """Structuring element, as a struct with the fields Neighborhood and Dimensionality."""
    if not is_text_scalar(kind):
        cells = as_array(kind) != 0
    else:
        TEXT("strel", 1, kind)
        word = text_of(kind).lower()
        numbers = [float(n) for v in args for n in as_array(v).ravel()]
        if word == "arbitrary":
            cells = as_array(args[0]) != 0
        elif word not in _SHAPES or not numbers:
            text = f"'{word}' with these arguments is not a structuring element."
            raise MatlabError("MATLAB:strel:unrecognizedStringChoice", text)
        else:
            cells = _SHAPES[word](*numbers)
    return Struct({"Neighborhood": make_logical(cells), "Dimensionality": float(cells.ndim)})


def _dilated_or_eroded(a: Array, cells: Array, dilate: bool) -> Array:
    from scipy import ndimage

    shape: tuple[int, ...] = cells.shape + (1,) * (a.ndim - cells.ndim)
    cells = cells.reshape(shape)
    if cells.ndim > a.ndim:
        text = "The structuring element must not have more dimensions than the image."
        raise MatlabError("images:morphop:tooManyDimensions", text)
    NONEMPTY("strel", 1, cells)
    lowest, highest = _ends(a)
    if is_wide(a, cells) and a.dtype.kind != "c":
        if dilate:
            return joined(a, np.flip(cells), np.fmax, [n // 2 for n in shape], lowest)
        return joined(a, cells, np.fmin, [(n - 1) // 2 for n in shape], highest)
    if dilate:
        moved = np.flip(cells)
        return np.asarray(ndimage.maximum_filter(a, footprint=moved, mode="constant", cval=lowest))
    origin = [-1 if n % 2 == 0 else 0 for n in shape]  # before the middle
    return np.asarray(
        ndimage.minimum_filter(a, footprint=cells, mode="constant", cval=highest, origin=origin)
    )


def _ends(a: Array) -> tuple[Any, Any]:
    if a.dtype.kind == "b":
        return False, True
    if a.dtype.kind in "iu":
        return np.iinfo(a.dtype).min, np.iinfo(a.dtype).max
    return -np.inf, np.inf


def _image(v: Value) -> Array:
    return as_array(v)


@builtin(
    "imdilate",
    category=_FAMILY,
    signatures=("J = imdilate(I, SE)",),
    device=of_resident(morphology_forms.morphology(True)),
    cases=("isequal(imdilate([0 1 0 0], [1 1 1]), [1 1 1 0])",),
    see=("imerode", "strel"),
)
@takes(NUMBERS)
def imdilate(a: Value, se: Value) -> Value:
    """Maximum over the neighbourhood of each pixel."""
    return canonical(_dilated_or_eroded(_image(a), neighbourhood(se), True))


@builtin(
    "imerode",
    category=_FAMILY,
    signatures=("J = imerode(I, SE)",),
    device=of_resident(morphology_forms.morphology(False)),
    cases=("isequal(imerode([1 1 1 0], [1 1 1]), [1 1 0 0])",),
    see=("imdilate", "strel"),
)
@takes(NUMBERS)
def imerode(a: Value, se: Value) -> Value:
    """Minimum over the neighbourhood of each pixel."""
    return canonical(_dilated_or_eroded(_image(a), neighbourhood(se), False))


@builtin(
    "imopen",
    category=_FAMILY,
    signatures=("J = imopen(I, SE)",),
    device=of_resident(morphology_forms.morphology(False, True)),
    cases=("isequal(imopen([0 1 0 1 1 1], [1 1 1]), [0 0 0 1 1 1])",),
    see=("imclose",),
)
@takes(NUMBERS)
def imopen(a: Value, se: Value) -> Value:
    """Erosion, then dilation: small bright things vanish."""
    cells = neighbourhood(se)
    return canonical(_dilated_or_eroded(_dilated_or_eroded(_image(a), cells, False), cells, True))


@builtin(
    "imclose",
    category=_FAMILY,
    signatures=("J = imclose(I, SE)",),
    device=of_resident(morphology_forms.morphology(True, False)),
    cases=("isequal(imclose([1 0 1 0 0 0], [1 1 1]), [1 1 1 0 0 0])",),
    see=("imopen",),
)
@takes(NUMBERS)
def imclose(a: Value, se: Value) -> Value:
    """Dilation, then erosion: small dark things vanish."""
    cells, x = neighbourhood(se), _image(a)
    reach = [(n, n) for n in cells.shape] + [(0, 0)] * (x.ndim - cells.ndim)
    wide = np.pad(x, reach, constant_values=_ends(x)[0])
    closed = _dilated_or_eroded(_dilated_or_eroded(wide, cells, True), cells, False)
    return canonical(closed[tuple(slice(b, closed.shape[k] - e) for k, (b, e) in enumerate(reach))])


@builtin(
    "imtophat",
    category=_FAMILY,
    signatures=("J = imtophat(I, SE)",),
    cases=("isequal(imtophat([0 5 0], [1 1 1]), [0 5 0])",),
    see=("imbothat", "imopen"),
)
@takes(NUMBERS)
def imtophat(a: Value, se: Value) -> Value:
    """The image without its opening."""
    x, opened = as_array(a), as_array(imopen(a, se))
    return make_logical(x & ~opened) if x.dtype.kind == "b" else canonical(x - opened)


@builtin(
    "imbothat",
    category=_FAMILY,
    signatures=("J = imbothat(I, SE)",),
    cases=("isequal(imbothat([5 0 5], [1 1 1]), [0 5 0])",),
    see=("imtophat", "imclose"),
)
@takes(NUMBERS)
def imbothat(a: Value, se: Value) -> Value:
    """The closing of an image without the image."""
    x, closed = as_array(a), as_array(imclose(a, se))
    return make_logical(closed & ~x) if x.dtype.kind == "b" else canonical(closed - x)
