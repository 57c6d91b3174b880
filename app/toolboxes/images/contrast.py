"""Grey levels: histograms, thresholds and contrast."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.checks import (
    COUNT,
    FINITE,
    NONEMPTY,
    NONNEGATIVE,
    NUMBERS,
    POSITIVE,
    REAL,
    one_of,
    option_pairs,
    real_number,
    takes,
)
from app.engine.builtins.images import image_forms, level_forms
from app.engine.builtins.images.classes import as_class, as_double
from app.engine.builtins.images.grey_levels import equalizing, otsu, stretch_limits
from app.engine.declarations.device_support import of_resident, term_form
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    Value,
    as_array,
    canonical,
    float_of,
    int_of,
    is_text_scalar,
    make_logical,
    numel,
    size_of,
)
from app.errors import MatlabError

_FAMILY = "images"


def _counts(x: Array, bins: int) -> Array:
    places = np.clip(np.floor(as_double(x) * (bins - 1) + 0.5), 0, bins - 1).astype(int)
    return np.bincount(places.ravel(), minlength=bins).astype(np.float64)


def _rows_of_map(x: Array, colors: int) -> None:
    """Refuse an indexed image that names no row of its map: floats from 1, others from 0."""
    first = int(x.dtype.kind == "f")
    if x.dtype.kind == "c" or not ((x >= first) & (x < colors + first) & (x == np.floor(x))).all():
        text = f"An indexed image names rows of its colour map: {first} to {colors + first - 1}."
        raise MatlabError("images:imhist:invalidIndices", text)


def _bins(x: Array, n: Value | None) -> int:
    return (2 if x.dtype.kind == "b" else 256) if n is None else int_of(n)


@builtin(
    "imhist",
    category=_FAMILY,
    signatures=("[counts, locations] = imhist(I, n)", "[counts, locations] = imhist(X, map)"),
    device=of_resident(level_forms.imhist),
    cases=(
        "isequal(imhist([0 0 1], 2), [2; 1])",
        "isequal(imhist([1 2; 3 2], gray(3)), [1; 2; 1])",
        "[n, at] = imhist(uint8([0 1 1]), gray(3)); isequal({n, at}, {[1; 2; 0], [1; 2; 3]})",
    ),
    see=("histeq", "histcounts"),
)
@takes(NUMBERS)
def imhist(a: Value, n: Value | None = None) -> Value:
    """Histogram of grey levels, or of the rows of a colour map that an indexed image names."""
    x = as_array(a)
    if n is not None and size_of(n)[1:] == (3,):
        colors = size_of(n)[0]
        _rows_of_map(x, colors)
        counts = np.bincount(x.ravel().astype(int) - (x.dtype.kind == "f"), minlength=colors)
        places = np.arange(1.0, colors + 1)
        return canonical(counts.astype(np.float64)[:, None]), canonical(places[:, None])
    if n is not None:
        (COUNT & POSITIVE)("imhist", 2, n)
    bins = _bins(x, n)
    top = float(np.iinfo(x.dtype).max) if x.dtype.kind in "iu" else 1.0
    return canonical(_counts(x, bins).reshape(-1, 1)), canonical(
        np.linspace(0, top, bins).reshape(-1, 1)
    )


@builtin(
    "graythresh",
    category=_FAMILY,
    signatures=("[T, EM] = graythresh(I)",),
    device=of_resident(level_forms.graythresh),
    cases=("graythresh([0 0 1 1]) > 0 && graythresh([0 0 1 1]) < 1",),
    see=("imbinarize",),
)
@takes(NUMBERS)
def graythresh(a: Value) -> Value:
    """Threshold that separates dark from bright best (Otsu), from 0 to 1."""
    return otsu(_counts(as_array(a), 256))


@builtin(
    "otsuthresh",
    category=_FAMILY,
    signatures=("[T, EM] = otsuthresh(counts)",),
    cases=("otsuthresh([5 0 5]) == 0.25",),
    see=("graythresh",),
)
@takes(NUMBERS & REAL & FINITE & NONNEGATIVE & NONEMPTY)
def otsuthresh(counts: Value) -> Value:
    """Otsu's threshold of a histogram."""
    return otsu(as_array(counts).astype(np.float64).ravel())


@builtin(
    "imbinarize",
    category=_FAMILY,
    signatures=(
        "BW = imbinarize(I)",
        "BW = imbinarize(I, T)",
        "BW = imbinarize(I, 'adaptive', 'Sensitivity', s, 'ForegroundPolarity', side)",
    ),
    device=term_form(image_forms.imbinarize),
    cases=(
        "isequal(imbinarize([0.2 0.8], 0.5), [false true])",
        "isequal(imbinarize(uint8([0 255])), [false true])",
    ),
    see=("graythresh", "im2bw"),
)
@takes(NUMBERS)
def imbinarize(a: Value, *args: Value) -> Value:
    """Black and white image: pixels above a threshold (Otsu's unless given)."""
    x = as_array(a)
    level = args[0] if args else "global"
    if not is_text_scalar(level):
        if len(args) > 1:
            raise MatlabError("MATLAB:maxrhs", "Too many input arguments.")
        scale = float(np.iinfo(x.dtype).max) if x.dtype.kind in "iu" else 1.0
        return make_logical(x > as_array(level) * scale)
    if one_of("imbinarize", "method", level, "global adaptive") == "adaptive":
        given = option_pairs("imbinarize", args[1:], "Sensitivity ForegroundPolarity")
        chosen = real_number(given.get("sensitivity", 0.5))
        side = one_of("imbinarize", "ForegroundPolarity", given.get(_POLARITY, "bright"), _SIDES)
        return make_logical(as_double(x) > adaptive_level(as_double(x), chosen, side == "dark"))
    option_pairs("imbinarize", args[1:], "")
    return make_logical(as_double(x) > otsu(_counts(x, 256))[0])


_POLARITY = "foregroundpolarity"
_SIDES = "bright dark"


def adaptive_level(
    x: Array,
    sensitivity: float,
    dark: bool = False,
    size: tuple[int, ...] = (),
    statistic: str = "mean",
) -> Array:
    """A threshold for every pixel from its neighbourhood (Bradley's method).

    Args:
        x: the image, from 0 to 1.
        sensitivity: from 0 to 1; more pixels belong to the foreground.
        dark: whether the foreground is darker than what is around it.
        size: rows and columns of the neighbourhood; about an eighth of the image's unless given.
        statistic: mean, median or gaussian.
    """
    from scipy import ndimage

    size = size or tuple(2 * (n // 16) + 1 for n in x.shape)
    if statistic == "median":
        level = ndimage.median_filter(x, size, mode="nearest")
    elif statistic == "gaussian":
        widths = [(n - 1) / 6 for n in size]
        level = ndimage.gaussian_filter(x, widths, mode="nearest", truncate=3.0)
    else:
        level = ndimage.uniform_filter(x, size, mode="nearest")
    return np.asarray(level * (0.4 + sensitivity if dark else 1.6 - sensitivity))


@builtin(
    "adaptthresh",
    category=_FAMILY,
    signatures=("T = adaptthresh(I, sensitivity)", "T = adaptthresh(..., name, value)"),
    cases=(
        "isequal(size(adaptthresh(ones(4))), [4 4])",
        "isequal(adaptthresh([0 1], 0.4, 'ForegroundPolarity', 'dark'), [0 0.8])",
    ),
    see=("imbinarize",),
)
@takes(NUMBERS)
def adaptthresh(a: Value, *args: Value) -> Value:
    """Local thresholds for imbinarize.

    Options: NeighborhoodSize, ForegroundPolarity (bright, dark), Statistic (mean, median,
    gaussian).
    """
    numbered = bool(args) and not is_text_scalar(args[0])
    given = option_pairs(
        "adaptthresh", args[numbered:], "NeighborhoodSize ForegroundPolarity Statistic"
    )
    level = adaptive_level(
        as_double(as_array(a)),
        real_number(args[0]) if numbered else 0.5,
        one_of("adaptthresh", "ForegroundPolarity", given.get(_POLARITY, "bright"), _SIDES)
        == "dark",
        _window(given),
        one_of("adaptthresh", "Statistic", given.get("statistic", "mean"), "mean median gaussian"),
    )
    return canonical(np.clip(level, 0, 1))


def _window(given: dict[str, Value]) -> tuple[int, ...]:
    """Rows and columns of the neighbourhood; empty where they were not given."""
    if "neighborhoodsize" not in given:
        return ()
    sides = as_array(given["neighborhoodsize"]).ravel().astype(int).tolist()
    return (sides[0], sides[-1])


@builtin(
    "im2bw",
    category=_FAMILY,
    signatures=("BW = im2bw(I, level)",),
    device=term_form(image_forms.im2bw),
    cases=("isequal(im2bw([0.2 0.8], 0.5), [false true])",),
    see=("imbinarize",),
)
@takes(NUMBERS, NUMBERS)
def im2bw(a: Value, level: Value = 0.5) -> Value:
    """Black and white image by a level from 0 to 1."""
    from app.engine.builtins.images.classes import im2gray

    return make_logical(as_double(as_array(im2gray(a))) > float_of(level))


@builtin(
    "stretchlim",
    category=_FAMILY,
    signatures=("lowhigh = stretchlim(I, tol)",),
    cases=("isequal(size(stretchlim(rand(9))), [2 1])",),
    see=("imadjust",),
)
@takes(NUMBERS, NUMBERS)
def stretchlim(a: Value, tol: Value | None = None) -> Value:
    """Grey levels that leave a share of the pixels (1 % at each end) outside."""
    limits = stretch_limits(_counts(as_array(a), 256), tol)
    return canonical(np.array(limits).reshape(2, 1))


@builtin(
    "imadjust",
    words="",
    category=_FAMILY,
    signatures=("J = imadjust(I)", "J = imadjust(I, [li; hi], [lo; ho], gamma)"),
    device=term_form(image_forms.imadjust),
    cases=("isequal(imadjust([0.25 0.75], [0.25 0.75], [0 1]), [0 1])",),
    see=("histeq", "stretchlim"),
)
@takes(NUMBERS)
def imadjust(a: Value, *args: Value) -> Value:
    """Map grey levels from one range to another, bent by gamma."""
    x = as_array(a)
    given = [as_array(v).astype(np.float64).ravel() for v in args]
    low, high = (
        given[0]
        if given and given[0].size == 2
        else (0.0, 1.0)
        if given
        else stretch_limits(_counts(x, 256), None)
    )
    bottom, top = given[1] if len(given) > 1 and given[1].size == 2 else (0.0, 1.0)
    gamma = float(given[2][0]) if len(given) > 2 else 1.0
    scaled = np.clip((as_double(x) - low) / (high - low), 0, 1) ** gamma
    return canonical(as_class(scaled * (top - bottom) + bottom, x.dtype))


@builtin(
    "histeq",
    category=_FAMILY,
    signatures=("[J, T] = histeq(I, n)",),
    device=of_resident(level_forms.histeq),
    cases=("isequal(size(histeq(rand(5))), [5 5])",),
    see=("imhist", "adapthisteq"),
)
@takes(NUMBERS, NUMBERS)
def histeq(a: Value, n: Value = 64.0) -> Value:
    """Make all grey levels about equally frequent."""
    x = as_array(a)
    wanted = as_array(n).astype(np.float64).ravel()
    goal = np.ones(int(wanted[0])) if numel(n) == 1 else wanted
    table = equalizing(_counts(x, 256), goal * x.size / goal.sum())
    places = np.clip(np.floor(as_double(x) * 255 + 0.5), 0, 255).astype(int)
    return canonical(as_class(table[places], x.dtype)), canonical(table.reshape(1, -1))


@builtin(
    "adapthisteq",
    category=_FAMILY,
    signatures=("J = adapthisteq(I)", "J = adapthisteq(I, 'ClipLimit', c, 'NumTiles', [m n])"),
    cases=("isequal(size(adapthisteq(rand(64))), [64 64])",),
    see=("histeq",),
)
@takes(NUMBERS)
def adapthisteq(a: Value, *args: Value) -> Value:
    """Equalise tiles of the image, blended, with limited contrast."""
    x = as_array(a)
    if x.ndim != 2:
        raise MatlabError("MATLAB:adapthisteq:expected2D", "Expected I to be two-dimensional.")
    NONEMPTY("adapthisteq", 1, a)
    options = {
        k: as_array(v)
        for k, v in option_pairs("adapthisteq", args, "ClipLimit NumTiles").items()
        if not is_text_scalar(v)
    }
    tiles = [int(n) for n in options.get("numtiles", np.array([8, 8])).ravel()]
    clip = float(options.get("cliplimit", np.array([0.01])).flat[0])
    return canonical(as_class(_equalized_pixels(as_double(x), tiles, clip), x.dtype))


def _equalized_pixels(x: Array, tiles: list[int], clip: float) -> Array:
    """Each pixel through the maps of its four nearest tiles, weighted by distance."""
    rows, columns = (
        np.array_split(np.arange(n), min(t, n)) for n, t in zip(x.shape, tiles, strict=True)
    )
    maps = np.array([[_tile_map(x[np.ix_(r, c)], clip) for c in columns] for r in rows])
    level = np.clip(np.floor(x * 255 + 0.5), 0, 255).astype(int)
    (i, p), (j, q) = (
        _tile_shares(parts, n) for parts, n in zip((rows, columns), x.shape, strict=True)
    )
    after_i, after_j = np.minimum(i + 1, len(rows) - 1), np.minimum(j + 1, len(columns) - 1)
    top = maps[i[:, None], j, level] * (1 - q) + maps[i[:, None], after_j, level] * q
    bottom = maps[after_i[:, None], j, level] * (1 - q) + maps[after_i[:, None], after_j, level] * q
    return np.asarray(top * (1 - p[:, None]) + bottom * p[:, None])


def _tile_shares(parts: list[Array], n: int) -> tuple[Array, Array]:
    centres = np.array([part.mean() for part in parts])
    place = np.interp(np.arange(n), centres, np.arange(len(parts)))
    return np.floor(place).astype(int), place - np.floor(place)


def _tile_map(tile: Array, clip: float) -> Array:
    counts = _counts(tile, 256)
    limit = max(np.ceil(tile.size / 256), np.ceil(clip * tile.size))
    excess = np.maximum(counts - limit, 0).sum()
    return np.asarray(np.cumsum(np.minimum(counts, limit) + excess / 256) / tile.size)
