"""What surfaces look like: local range, deviation, entropy; co-occurrence."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from app.engine.arguments.checks import (
    MATRIX,
    NONEMPTY,
    NUMBERS,
    flag,
    option_pairs,
    real_number,
    takes,
)
from app.engine.builtins.images.classes import as_class, as_double
from app.engine.declarations.device_support import HOST, DeviceForm, of_resident
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    Struct,
    Value,
    as_array,
    canonical,
    texts_of,
)
from app.errors import MatlabError
from app.toolboxes.images import surroundings_forms
from app.toolboxes.images.wide_windows import is_wide, joined

_FAMILY = "images"


def _hundreds(a: Array) -> Array:
    """An image as 8-bit numbers."""
    return a if a.dtype == np.uint8 else as_class(as_double(a), np.uint8)


@builtin(
    "entropy",
    category=_FAMILY,
    signatures=("e = entropy(I)",),
    cases=("entropy([0 1]) == 1",),
    see=("imhist", "entropyfilt"),
)
@takes(NUMBERS & NONEMPTY)
def entropy(a: Value) -> Value:
    """Entropy of the gray values of an image in bits."""
    counts = np.bincount(_hundreds(as_array(a)).ravel(), minlength=256)
    p = counts[counts > 0] / counts.sum()
    return float(-(p * np.log2(p)).sum())


def _window(mask: Value | None, default: int) -> Array:
    return as_array(mask) != 0 if mask is not None else np.ones((default, default), dtype=bool)


def declare_local(
    name: str,
    default: int,
    summary: str,
    case: str,
    of: Callable[[Array, Array], Array],
    device: DeviceForm = HOST,
) -> None:
    """Declare a measure of the surroundings of every pixel."""

    def local(a: Value, mask: Value | None = None) -> Value:
        return canonical(of(as_array(a), _window(mask, default)))

    builtin(
        name,
        category=_FAMILY,
        cases=(case,),
        text=summary,
        see=("imfilter", "nlfilter"),
        device=device,
        signatures=(f"J = {name}(I)", f"J = {name}(I, mask)"),
    )(takes(NUMBERS & NONEMPTY & MATRIX, NUMBERS & NONEMPTY & MATRIX)(local))


def _range(a: Array, near: Array) -> Array:
    from scipy import ndimage

    if is_wide(a, near):
        high, low = (joined(a, near, f, _middle(near)) for f in (np.fmax, np.fmin))
    else:
        high, low = (
            f(a, footprint=near, mode="reflect")
            for f in (ndimage.maximum_filter, ndimage.minimum_filter)
        )
    return np.asarray(high ^ low if a.dtype == bool else high - low)


def _middle(near: Array) -> list[int]:
    return [n // 2 for n in near.shape]


def _summed(a: Array, near: Array) -> Array:
    """The sum of the pixels around every pixel."""
    from scipy import ndimage

    if is_wide(a, near):
        return joined(a, near, np.add, _middle(near))
    return np.asarray(ndimage.correlate(a, near.astype(a.dtype), mode="reflect"))


def _deviation(a: Array, near: Array) -> Array:
    x, n = a.astype(np.float64), near.sum()
    mean, square = (_summed(v, near) / n for v in (x, x * x))
    return np.asarray(np.sqrt(np.maximum(square - mean**2, 0) * n / (n - 1)))


def _disorder(a: Array, near: Array) -> Array:
    levels, found = _hundreds(a), np.zeros(a.shape)
    for level in np.unique(levels):
        share = _summed((levels == level).astype(np.int64), near) / near.sum()
        found -= np.where(share > 0, share * np.log2(np.maximum(share, 1e-300)), 0)
    return found


declare_local(
    "rangefilt",
    3,
    "Largest less smallest value around every pixel.",
    "isequal(rangefilt([1 1 5]), [0 4 4])",
    _range,
    of_resident(surroundings_forms.rangefilt),
)
declare_local(
    "stdfilt",
    3,
    "Standard deviation around every pixel.",
    "norm(stdfilt(ones(4))) < 1e-12",
    _deviation,
    of_resident(surroundings_forms.stdfilt),
)
declare_local(
    "entropyfilt",
    9,
    "Entropy of the gray values around every pixel, in bits.",
    "isequal(entropyfilt(zeros(4)), zeros(4))",
    _disorder,
)


@builtin(
    "graycomatrix",
    category=_FAMILY,
    signatures=("glcm = graycomatrix(I)", "[glcm, SI] = graycomatrix(I, name, value)"),
    cases=("isequal(graycomatrix([1 1; 2 2], 'NumLevels', 2, 'GrayLimits', [1 2]), eye(2))",),
    see=("graycoprops",),
)
@takes(NUMBERS & NONEMPTY & MATRIX)
def graycomatrix(a: Value, *args: Value) -> Value:
    """How often pairs of gray levels stand side by side.

    Options: NumLevels (8), GrayLimits, Offset ([0 1]: the right neighbour), Symmetric (false).
    """
    image, options = (
        as_array(a),
        option_pairs("graycomatrix", args, "NumLevels GrayLimits Offset Symmetric"),
    )
    count = int(real_number(options.get("numlevels", 2.0 if image.dtype == bool else 8.0)))
    whole_range = (
        (0.0, 1.0)
        if image.dtype.kind in "fb"
        else (float(np.iinfo(image.dtype).min), float(np.iinfo(image.dtype).max))
    )
    low, high = whole_range
    if "graylimits" in options:
        given = as_array(options["graylimits"]).ravel().astype(float).tolist()
        if len(given) not in (0, 2):
            text = "GrayLimits must be two numbers, or empty for the range of the image."
            raise MatlabError("MATLAB:graycomatrix:invalidGrayLimits", text)
        low, high = given or (float(image.min()), float(image.max()))
    scaled = np.floor((image.astype(float) - low) * count / (high - low or 1))
    levels = np.clip(scaled, 0, count - 1).astype(int)
    offsets = as_array(options.get("offset", np.array([[0.0, 1.0]]))).astype(int)
    if offsets.ndim != 2 or offsets.shape[1] != 2:
        text = "Offset must have two columns: rows and columns to the neighbour."
        raise MatlabError("images:graycomatrix:invalidOffset", text)
    both = flag(options, "symmetric")
    tables = np.stack([_cooccurrences(levels, o, count, both) for o in offsets], axis=2)
    return canonical(tables), canonical(levels + 1.0)


def _cooccurrences(levels: Array, offset: Array, count: int, both: bool) -> Array:
    rows, columns = levels.shape
    down, right = map(int, offset)
    first = levels[max(0, -down) : rows - max(0, down), max(0, -right) : columns - max(0, right)]
    second = levels[max(0, down) : rows + min(0, down), max(0, right) : columns + min(0, right)]
    pairs = np.bincount((first * count + second).ravel(), minlength=count * count)
    table = pairs.reshape(count, count).astype(float)
    return table + table.T if both else table


@builtin(
    "graycoprops",
    category=_FAMILY,
    signatures=("stats = graycoprops(glcm)", "stats = graycoprops(glcm, properties)"),
    cases=("graycoprops(eye(2)).Energy == 0.5", "graycoprops(eye(2)).Contrast == 0"),
    see=("graycomatrix",),
)
@takes(NUMBERS & NONEMPTY)
def graycoprops(table: Value, wanted: Value = "all") -> Value:
    """Contrast, correlation, energy and homogeneity of co-occurrence matrices."""
    a = as_array(table).astype(float)
    a = a[:, :, None] if a.ndim == 2 else a
    p = a / a.sum(axis=(0, 1), keepdims=True)
    i, j = (g[:, :, None] for g in np.mgrid[1 : a.shape[0] + 1, 1 : a.shape[1] + 1])
    means = [(g * p).sum(axis=(0, 1)) for g in (i, j)]
    spreads = [
        np.sqrt(((g - m) ** 2 * p).sum(axis=(0, 1))) for g, m in zip((i, j), means, strict=True)
    ]
    with np.errstate(invalid="ignore", divide="ignore"):
        joint = ((i - means[0]) * (j - means[1]) * p).sum(axis=(0, 1))
        together = joint / (spreads[0] * spreads[1])
    known = {
        "Contrast": (np.abs(i - j) ** 2 * p).sum(axis=(0, 1)),
        "Correlation": together,
        "Energy": (p**2).sum(axis=(0, 1)),
        "Homogeneity": (p / (1 + np.abs(i - j))).sum(axis=(0, 1)),
    }
    names = [w for t in texts_of(wanted) for w in t.split()]
    chosen = (
        list(known)
        if "all" in [n.lower() for n in names]
        else [next((k for k in known if k.lower().startswith(n.lower())), n) for n in names]
    )
    if set(chosen) - set(known):
        message = "Properties are Contrast, Correlation, Energy and Homogeneity."
        raise MatlabError("images:graycoprops:invalidProperty", message)
    return Struct({k: canonical(known[k].reshape(1, -1)) for k in known if k in chosen})
