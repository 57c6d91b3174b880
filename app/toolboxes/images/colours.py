"""Colour spaces and colours of labels: rgb2lab, lab2rgb, rgb2ycbcr, ycbcr2rgb, label2rgb."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import NUMBERS, one_of, takes
from app.engine.builtins.images.classes import as_double
from app.engine.declarations.registry import builtin
from app.engine.operators.arithmetic import saturate
from app.engine.values import (
    Array,
    FunctionHandle,
    Value,
    as_array,
    canonical,
    is_text_scalar,
    text_of,
)
from app.errors import MatlabError

_FAMILY = "images"
_TO_XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)
_WHITE = np.array([0.95047, 1.0, 1.08883])
_TO_YCBCR = (
    np.array([[65.481, 128.553, 24.966], [-37.797, -74.203, 112.0], [112.0, -93.786, -18.214]])
    / 255
)
_BLACK = np.array([16.0, 128.0, 128.0]) / 255


def _each_colour(name: str, a: Array, change: Callable[[Array], Array]) -> Array:
    """``change`` applied to rows of colours: of a map, or of the pixels of an image."""
    if a.ndim == 2 and a.shape[1] == 3:
        return change(a)
    if a.ndim != 3 or a.shape[2] != 3:
        text = "Colours are the rows of a matrix with 3 columns, or an image with 3 planes."
        raise MatlabError(f"MATLAB:images:{name}:invalidSizeForColormap", text)
    return change(a.reshape(-1, 3)).reshape(a.shape)


def _to_lab(colours: Array) -> Array:
    linear = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
    xyz = linear @ _TO_XYZ.T / _WHITE
    f = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.column_stack(
        [116 * f[:, 1] - 16, 500 * (f[:, 0] - f[:, 1]), 200 * (f[:, 1] - f[:, 2])]
    )


def _from_lab(lab: Array) -> Array:
    y = (lab[:, 0] + 16) / 116
    f = np.column_stack([y + lab[:, 1] / 500, y, y - lab[:, 2] / 200])
    xyz = np.where(f**3 > 216 / 24389, f**3, (116 * f - 16) * 27 / 24389) * _WHITE
    linear = np.clip(xyz @ np.linalg.inv(_TO_XYZ).T, 0, None)
    curved = 1.055 * linear ** (1 / 2.4) - 0.055
    return np.asarray(np.where(linear <= 0.0031308, 12.92 * linear, curved))


@builtin(
    "rgb2lab",
    category=_FAMILY,
    signatures=("lab = rgb2lab(RGB)", "lab = rgb2lab(map)"),
    cases=("norm(rgb2lab([1 1 1]) - [100 0 0]) < 1e-2",),
    see=("lab2rgb", "rgb2hsv"),
)
@takes(NUMBERS)
def rgb2lab(rgb: Value) -> Value:
    """CIE 1976 L*a*b* of sRGB colours, for the white point D65."""
    return canonical(_each_colour("rgb2lab", as_double(as_array(rgb)), _to_lab))


@builtin(
    "lab2rgb",
    category=_FAMILY,
    signatures=("RGB = lab2rgb(lab)", "map = lab2rgb(lab)"),
    cases=("norm(lab2rgb(rgb2lab([0.2 0.5 0.8])) - [0.2 0.5 0.8]) < 1e-6",),
    see=("rgb2lab",),
)
@takes(NUMBERS)
def lab2rgb(lab: Value) -> Value:
    """sRGB colours of CIE 1976 L*a*b*, for the white point D65."""
    return canonical(_each_colour("lab2rgb", as_array(lab).astype(np.float64), _from_lab))


def _in_class(like: Array, found: Array) -> Value:
    """Colours from 0 to 1 in the class of the image they come from."""
    if like.dtype.kind == "f":
        return canonical(found.astype(like.dtype))
    return canonical(saturate(found * np.iinfo(like.dtype).max, like.dtype))


@builtin(
    "rgb2ycbcr",
    category=_FAMILY,
    signatures=("YCBCR = rgb2ycbcr(RGB)", "map = rgb2ycbcr(map)"),
    cases=("isequal(rgb2ycbcr(uint8(cat(3, 255, 255, 255))), uint8(cat(3, 235, 128, 128)))",),
    see=("ycbcr2rgb", "rgb2gray"),
)
@takes(NUMBERS)
def rgb2ycbcr(rgb: Value) -> Value:
    """Luminance and chrominance of colours (ITU-R BT.601)."""
    a = as_array(rgb)
    return _in_class(a, _each_colour("rgb2ycbcr", as_double(a), lambda c: c @ _TO_YCBCR.T + _BLACK))


@builtin(
    "ycbcr2rgb",
    category=_FAMILY,
    signatures=("RGB = ycbcr2rgb(YCBCR)", "map = ycbcr2rgb(map)"),
    cases=("norm(ycbcr2rgb(rgb2ycbcr([0.2 0.5 0.8])) - [0.2 0.5 0.8]) < 1e-12",),
    see=("rgb2ycbcr",),
)
@takes(NUMBERS)
def ycbcr2rgb(ycbcr: Value) -> Value:
    """Colours of luminance and chrominance (ITU-R BT.601)."""
    a, back = as_array(ycbcr), np.linalg.inv(_TO_YCBCR).T
    return _in_class(
        a, _each_colour("ycbcr2rgb", as_double(a), lambda c: np.clip((c - _BLACK) @ back, 0, 1))
    )


@builtin(
    "label2rgb",
    category=_FAMILY,
    signatures=(
        "RGB = label2rgb(L)",
        "RGB = label2rgb(L, map)",
        "RGB = label2rgb(L, map, background, 'shuffle')",
    ),
    cases=(
        "isequal(size(label2rgb([0 1; 2 2])), [2 2 3])",
        "a = squeeze(label2rgb(0:9, 'jet', 'k')); "
        "b = squeeze(label2rgb(0:9, 'jet', 'k', 'shuffle')); "
        "~isequal(a, b) && isequal(sortrows(a), sortrows(b)) && isequal(a(1, :), b(1, :))",
    ),
    see=("bwlabel", "jet"),
)
@takes(NUMBERS)
def label2rgb(
    ctx: CallContext,
    labels: Value,
    colours: Value = "jet",
    zero: Value = "w",
    order: Value = "noshuffle",
) -> Value:
    """An image of 8 bits in which each label has a colour of a map, and 0 that of the ground.

    With 'shuffle' neighbouring labels have unlike colours, the same ones every time.
    """
    from app.engine.figures.colors import parse_color

    a = as_array(labels).astype(int)
    count = int(a.max(initial=0))
    if is_text_scalar(colours) or isinstance(colours, FunctionHandle):
        colours = ctx.call(colours, (float(count),), 1)[0]
    ground = parse_color(text_of(zero)) if is_text_scalar(zero) else as_array(zero).ravel()
    table = np.vstack([np.asarray(ground, dtype=np.float64), as_array(colours)])
    if count >= len(table):
        text = "The colour map needs a row for every label."
        raise MatlabError("images:label2rgb:notEnoughRowsInColormap", text)
    if one_of("label2rgb", "order", order, "noshuffle shuffle") == "shuffle":
        table[1 : count + 1] = np.random.default_rng(0).permutation(table[1 : count + 1])
    return canonical(np.round(table[np.maximum(a, 0)] * 255).astype(np.uint8))
