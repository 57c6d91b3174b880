"""Hills and basins of images: reconstruction, regional extremes, watersheds, chosen regions.

Reconstruction by dilation after L. Vincent (IEEE Trans. Image Processing 2, 1993), flooding after
F. Meyer (1991): pixels join the basin they are reached from first, ridges stay zero.
"""

from __future__ import annotations

import heapq
from typing import Any

import numpy as np

from app.engine.arguments.checks import (
    LIKE_NUMBERS,
    MATRIX,
    NONEMPTY,
    NONNEGATIVE,
    NUMBER,
    NUMBERS,
    takes,
)
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
    text_of,
    unwrap,
)
from app.errors import MatlabError
from app.toolboxes.images.regions import region_labels

_FAMILY = "images"


def neighbours(a: Array, connectivity: Value | None) -> tuple[Array, int]:
    """The neighbourhood of a pixel as a mask, and its number."""
    from scipy import ndimage

    default = 8 if a.ndim == 2 else 26
    n = int_of(connectivity) if connectivity is not None else default
    rank = {4: 1, 6: 1, 8: 2, 18: 2, 26: 3}.get(n)
    if rank is None:
        raise MatlabError("MATLAB:images:badConn", "Connectivity must be 4, 8, 6, 18 or 26.")
    return ndimage.generate_binary_structure(a.ndim, min(rank, a.ndim)), n


def reconstructed(marker: Array, mask: Array, near: Array) -> Array:
    """The marker grown below the mask until nothing changes."""
    from scipy import ndimage

    if mask.dtype == bool:
        return np.asarray(ndimage.binary_propagation(marker & mask, near, mask=mask))
    grown = np.minimum(marker, mask)
    while True:
        wider = np.minimum(ndimage.grey_dilation(grown, footprint=near, mode="nearest"), mask)
        if np.array_equal(wider, grown, equal_nan=True):
            return grown
        grown = wider


@builtin(
    "imreconstruct",
    category=_FAMILY,
    signatures=("J = imreconstruct(marker, mask)", "J = imreconstruct(marker, mask, conn)"),
    cases=("isequal(imreconstruct([0 3 0 0], [1 4 2 0]), [1 3 2 0])",),
    see=("imregionalmax", "imfill"),
)
@takes(NUMBERS & NONEMPTY, NUMBERS & NONEMPTY)
def imreconstruct(marker: Value, mask: Value, connectivity: Value | None = None) -> Value:
    """Let the marker spread below the mask: what stays are the parts of the mask it touches."""
    a, b = as_array(marker), as_array(mask)
    if a.shape != b.shape or a.dtype != b.dtype:
        message = "Marker and mask must have the same size and class."
        raise MatlabError("images:imreconstruct:sizeMismatch", message)
    return unwrap(reconstructed(a, b, neighbours(b, connectivity)[0]))


@builtin(
    "imfill",
    category=_FAMILY,
    signatures=(
        "BW2 = imfill(BW, 'holes')",
        "BW2 = imfill(BW, conn, 'holes')",
        "BW2 = imfill(BW, locations, conn)",
        "I2 = imfill(I, conn)",
    ),
    cases=(
        "all(imfill(logical([1 1 1; 1 0 1; 1 1 1]), 'holes'), 'all')",
        "isequal(imfill(logical([1 0 0 1 0]), [1 2]), logical([1 1 1 1 0]))",
        "isequal(imfill([5 5 5; 5 1 5; 5 5 5]), 5*ones(3))",
    ),
    words="holes",
    most=3,
)
@takes(NUMBERS)
def imfill(a: Value, *args: Value) -> Value:
    """Fill the holes of regions, the background at given places, or dark spots of an image."""
    from scipy import ndimage

    x = as_array(a)
    numbers = [v for v in args if not is_text_scalar(v)]
    places = numbers.pop(0) if len(numbers) == len(args) and numbers and x.dtype == bool else None
    near = neighbours(x, numbers[0] if numbers else np.array(4.0 if x.ndim == 2 else 6.0))[0]
    if x.dtype != bool:
        rim = np.ones_like(x, dtype=bool)
        rim[(slice(1, -1),) * x.ndim] = False
        marker = np.where(rim, x, x.max())
        return unwrap(
            _complement_of(reconstructed(_complement_of(marker), _complement_of(x), near))
        )
    if places is None:
        if len(numbers) == len(args):
            raise MatlabError("MATLAB:minrhs", "Give 'holes' or the places to fill.")
        return make_logical(ndimage.binary_fill_holes(x, structure=near))
    given = as_array(places).astype(np.int64) - 1
    if given.ndim == 2 and given.shape[1] == x.ndim:
        index = tuple(given.T)
    else:
        index = np.unravel_index(given.ravel(), x.shape, order="F")
    marker = np.zeros_like(x)
    marker[index] = True
    return make_logical(x | reconstructed(marker, ~x, near))


def _complement_of(a: Array) -> Array:
    """The image with dark and bright exchanged."""
    return np.asarray(~a if a.dtype.kind in "iu" else -a)


def plateaus(a: Array, near: Array) -> Array:
    """Connected regions of one value without a higher neighbour."""
    from scipy import ndimage

    higher = ndimage.grey_dilation(a, footprint=near, mode="nearest") > a
    levels = a.astype(np.float64) if a.dtype == bool else a
    spread: Array = higher
    while True:
        side = ndimage.maximum_filter(np.where(spread, levels, -np.inf), footprint=near)
        wider = spread | (side == levels)
        if np.array_equal(wider, spread):
            return ~spread
        spread = wider


def declare_extremes(name: str, sign: int, summary: str, case: str) -> None:
    """Declare the regional extremes of an image, those of a least height with an H."""

    def extremes(a: Value, connectivity: Value | None = None) -> Value:
        x = sign * as_array(a).astype(np.float64)
        return unwrap(plateaus(x, neighbours(x, connectivity)[0]))

    builtin(
        name,
        category=_FAMILY,
        cases=(case,),
        text=summary,
        see=("imreconstruct", "watershed"),
        signatures=(f"BW = {name}(I)", f"BW = {name}(I, conn)"),
    )(takes(NUMBERS & NONEMPTY)(extremes))


declare_extremes(
    "imregionalmax",
    1,
    "Connected pixels of one value that only lower ones surround.",
    "isequal(imregionalmax([1 3 3 2 5]), [0 1 1 0 1] > 0)",
)
declare_extremes(
    "imregionalmin",
    -1,
    "Connected pixels of one value that only higher ones surround.",
    "isequal(imregionalmin([1 3 3 2 5]), [1 0 0 1 0] > 0)",
)


def declare_levelled(name: str, sign: int, summary: str, case: str, *, extremes: bool) -> None:
    """Declare suppression of extremes lower than a height, or the extremes that remain."""

    def levelled(a: Value, height: Value, connectivity: Value | None = None) -> Value:
        image = as_array(a)
        x = sign * image.astype(np.float64)
        near, h = neighbours(x, connectivity)[0], float_of(height)
        flat = reconstructed(x - h, x, near)
        if extremes:
            return unwrap(plateaus(flat, near))
        return canonical((sign * flat).astype(image.dtype))

    builtin(
        name,
        category=_FAMILY,
        cases=(case,),
        text=summary,
        see=("imregionalmax",),
        signatures=(f"J = {name}(I, h)", f"J = {name}(I, h, conn)"),
    )(takes(NUMBERS & NONEMPTY, NUMBER & NONNEGATIVE)(levelled))


declare_levelled(
    "imhmax",
    1,
    "Cut off maxima that rise less than h.",
    "isequal(imhmax([1 3 1 9 1], 4), [1 1 1 5 1])",
    extremes=False,
)
declare_levelled(
    "imhmin",
    -1,
    "Fill minima that are less than h deep.",
    "isequal(imhmin([9 7 9 1 9], 4), [9 9 9 5 9])",
    extremes=False,
)
declare_levelled(
    "imextendedmax",
    1,
    "Regional maxima that rise at least h.",
    "isequal(imextendedmax([1 3 1 9 1], 4), [0 0 0 1 0] > 0)",
    extremes=True,
)
declare_levelled(
    "imextendedmin",
    -1,
    "Regional minima that are at least h deep.",
    "isequal(imextendedmin([9 7 9 1 9], 4), [0 0 0 1 0] > 0)",
    extremes=True,
)


@builtin(
    "imimposemin",
    category=_FAMILY,
    signatures=("J = imimposemin(I, BW)",),
    cases=("m = [0 0 0 1 0] > 0; isequal(imregionalmin(imimposemin([5 1 5 2 5], m)), m)",),
    see=("watershed", "imregionalmin"),
)
@takes(NUMBERS & NONEMPTY, NUMBERS & NONEMPTY)
def imimposemin(a: Value, bw: Value, connectivity: Value | None = None) -> Value:
    """Change an image so that its only regional minima are the marked pixels."""
    image, marks = as_array(a), as_array(bw) != 0
    x = image.astype(np.float64)
    step = (np.ptp(x) or 1) * 0.001 if image.dtype.kind == "f" else 1.0
    marker = np.where(marks, -np.inf, np.inf)
    mask = np.minimum(x + step, marker)
    found = -reconstructed(-marker, -mask, neighbours(x, connectivity)[0])
    if image.dtype.kind in "iu":
        limits = np.iinfo(image.dtype)
        return canonical(np.clip(found, limits.min, limits.max).astype(image.dtype))
    return canonical(found.astype(image.dtype))


def flooded(a: Array, labels: Array, near: Array) -> Array:
    """Basins grown from labels in the order of heights; ridges are zero."""
    offsets = np.argwhere(near) - 1
    steps = [tuple(map(int, o)) for o in offsets if o.any()]
    shape, out, state = a.shape, labels.copy(), (labels > 0).astype(np.int8)
    heap: list[tuple[Any, int, tuple[int, ...]]] = []
    order = 0

    def around(at: tuple[int, ...]) -> Any:
        for step in steps:
            p = tuple(i + s for i, s in zip(at, step, strict=True))
            if all(0 <= i < n for i, n in zip(p, shape, strict=True)):
                yield p

    seeds = [tuple(map(int, p)) for p in np.argwhere(labels > 0)]
    for p in (q for seed in seeds for q in around(seed)):
        if not state[p]:
            state[p] = 1
            heapq.heappush(heap, (a[p], order, p))
            order += 1
    while heap:
        _, _, at = heapq.heappop(heap)
        beside = {int(out[p]) for p in around(at)} - {0}
        if len(beside) != 1:
            continue
        out[at] = beside.pop()
        for p in around(at):
            if not state[p]:
                state[p] = 1
                heapq.heappush(heap, (a[p], order, p))
                order += 1
    return out


@builtin(
    "watershed",
    category=_FAMILY,
    signatures=("L = watershed(A)", "L = watershed(A, conn)"),
    cases=("isequal(watershed([1 5 2]), [1 0 2])",),
    see=("imimposemin", "bwdist", "bwlabel"),
)
@takes(NUMBERS & NONEMPTY)
def watershed(a: Value, connectivity: Value | None = None) -> Value:
    """Number the basins of an image; the ridges between them are 0."""
    x = as_array(a).astype(np.float64)
    near, n = neighbours(x, connectivity)
    labels, _ = region_labels(plateaus(-x, near), n)
    return canonical(flooded(x, labels.astype(np.float64), near))


@builtin(
    "bwselect",
    category=_FAMILY,
    signatures=("BW2 = bwselect(BW, c, r)", "[BW2, idx] = bwselect(BW, c, r, n)"),
    cases=("isequal(bwselect([1 0 1] > 0, 3, 1), [0 0 1] > 0)",),
    see=("bwlabel", "bwareafilt"),
)
@takes(LIKE_NUMBERS & MATRIX & NONEMPTY, NUMBERS, NUMBERS)
def bwselect(bw: Value, c: Value, r: Value, connectivity: Value = 8.0) -> Value:
    """The regions of a black and white image at the given columns and rows."""
    image = as_array(bw) != 0
    labels, _ = region_labels(image, int_of(connectivity))
    columns, rows = (as_array(v).ravel().astype(int) - 1 for v in (c, r))
    inside = (rows >= 0) & (rows < image.shape[0]) & (columns >= 0) & (columns < image.shape[1])
    wanted = np.setdiff1d(labels[rows[inside], columns[inside]], [0])
    kept = np.isin(labels, wanted)
    places = np.flatnonzero(kept.ravel(order="F")) + 1.0
    return unwrap(kept), canonical(places.reshape(-1, 1))


@builtin(
    "bwareafilt",
    words="largest smallest",
    category=_FAMILY,
    signatures=(
        "BW2 = bwareafilt(BW, [low high])",
        "BW2 = bwareafilt(BW, n)",
        "BW2 = bwareafilt(BW, n, 'smallest', conn)",
    ),
    cases=(
        "isequal(bwareafilt([1 0 1 1] > 0, 1), [0 0 1 1] > 0)",
        "isequal(bwareafilt([1 0 1 1] > 0, [1 1]), [1 0 0 0] > 0)",
    ),
    see=("bwareaopen", "regionprops"),
)
@takes(NUMBERS & MATRIX & NONEMPTY, NUMBERS & NONEMPTY)
def bwareafilt(bw: Value, choice: Value, *args: Value) -> Value:
    """The regions whose area is within limits, or the n largest or smallest ones."""
    words = [text_of(v).lower() for v in args if is_text_scalar(v)]
    connectivity = next((int_of(v) for v in args if not is_text_scalar(v)), 8)
    labels, count = region_labels(as_array(bw) != 0, connectivity)
    areas = np.bincount(labels.ravel(), minlength=count + 1)[1:]
    limits = as_array(choice).ravel()
    if limits.size == 2:
        kept = np.flatnonzero((areas >= limits[0]) & (areas <= limits[1]))
    else:
        order = np.argsort(areas if "smallest" in words else -areas, kind="stable")
        kept = order[: int(limits[0])]
    return unwrap(np.isin(labels, kept + 1))


@builtin(
    "bwulterode",
    category=_FAMILY,
    signatures=("BW2 = bwulterode(BW)",),
    cases=(
        "isequal(bwulterode([0 0 0 0 0; 0 1 1 1 0; 0 1 1 1 0; 0 1 1 1 0; 0 0 0 0 0] > 0), "
        "accumarray([3 3], 1, [5 5]) > 0)",
    ),
    see=("bwdist", "imregionalmax"),
)
@takes(NUMBERS & MATRIX & NONEMPTY)
def bwulterode(bw: Value) -> Value:
    """The last points of every region as it is eroded."""
    from scipy import ndimage

    image = as_array(bw) != 0
    inner = ndimage.distance_transform_edt(np.pad(image, 1))[1:-1, 1:-1]
    return unwrap(plateaus(inner, np.ones((3, 3), dtype=bool)) & image)


@builtin(
    "bwhitmiss",
    category=_FAMILY,
    signatures=("BW2 = bwhitmiss(BW, hit, miss)", "BW2 = bwhitmiss(BW, interval)"),
    cases=("isequal(bwhitmiss([0 1 0 1 1] > 0, [-1 1 -1]), [0 1 0 0 0] > 0)",),
    see=("imerode", "bwmorph"),
)
@takes(NUMBERS & MATRIX & NONEMPTY, NUMBERS & MATRIX & NONEMPTY, NUMBERS & MATRIX & NONEMPTY)
def bwhitmiss(bw: Value, hit: Value, miss: Value | None = None) -> Value:
    """Pixels whose surroundings have ones and zeros where the masks say."""
    from scipy import ndimage

    interval = as_array(hit)
    empty = interval == -1 if miss is None else as_array(miss) != 0
    image = as_array(bw) != 0
    found = ndimage.binary_erosion(image, interval == 1) & ndimage.binary_erosion(
        ~image, empty, border_value=1
    )
    return unwrap(found)


@builtin(
    "bweuler",
    words="",
    category=_FAMILY,
    signatures=("n = bweuler(BW)", "n = bweuler(BW, conn)"),
    cases=("bweuler([1 1 1; 1 0 1; 1 1 1] > 0) == 0",),
    see=("bwlabel", "regionprops"),
)
@takes(NUMBERS & MATRIX & NONEMPTY)
def bweuler(bw: Value, connectivity: Value = 8.0) -> Value:
    """Number of regions less their holes, from the patterns of 2 by 2 pixels (Gray, 1971)."""
    q = np.pad(as_array(bw) != 0, 1).astype(int)
    total = q[:-1, :-1] + q[1:, :-1] + q[:-1, 1:] + q[1:, 1:]
    crossed = (total == 2) & (q[:-1, :-1] == q[1:, 1:])
    sign = -2 if int_of(connectivity) == 8 else 2
    return float(((total == 1).sum() - (total == 3).sum() + sign * crossed.sum()) / 4)
