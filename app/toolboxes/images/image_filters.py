"""Filters for images: padarray, imfilter, fspecial, medfilt2, ordfilt2, edge, imgaussfilt."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from app.engine import stoppable
from app.engine.arguments import size_arguments
from app.engine.arguments.checks import (
    MATRIX,
    NONEMPTY,
    NONNEGATIVE,
    NUMBERS,
    POSITIVE,
    TEXT,
    WHOLE,
    one_of,
    takes,
)
from app.engine.builtins.images import image_filter_forms, image_forms
from app.engine.builtins.images.classes import as_double
from app.engine.declarations.device_support import of_resident, term_form
from app.engine.declarations.registry import builtin
from app.engine.operators.arithmetic import saturate
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
)
from app.errors import MatlabError
from app.toolboxes.images import surroundings_forms

_FAMILY = "images"
_BEYOND = "zeros symmetric indexed"
_MODES = {"replicate": "edge", "symmetric": "symmetric", "circular": "wrap"}
_SOBEL = np.array([[1.0, 2, 1], [0, 0, 0], [-1, -2, -1]])


def padded(a: Array, before: list[int], after: list[int], how: str | float) -> Array:
    """``a`` with a border of a number, or continued as ``how`` says."""
    n = max(a.ndim, len(before))
    a = a.reshape(a.shape + (1,) * (n - a.ndim), order="F")
    widths = [
        (before[k] if k < len(before) else 0, after[k] if k < len(after) else 0) for k in range(n)
    ]
    shape: tuple[int, ...] = a.shape
    size_arguments.check_room(
        tuple(m + sum(w) for m, w in zip(shape, widths, strict=True)), a.itemsize
    )
    if isinstance(how, str):
        NONEMPTY("padarray", 1, a)
        return np.pad(a, widths, mode=_MODES[how])  # type: ignore[call-overload,no-any-return]
    return np.pad(a, widths, constant_values=a.dtype.type(how))


@builtin(
    "padarray",
    category=_FAMILY,
    signatures=(
        "B = padarray(A, padsize)",
        "B = padarray(A, padsize, padval)",
        "B = padarray(A, padsize, ..., direction)",
    ),
    device=term_form(image_forms.padarray),
    cases=(
        "isequal(padarray([1 2], [0 1]), [0 1 2 0])",
        "isequal(padarray([1 2], [0 1], 'replicate', 'post'), [1 2 2])",
    ),
    see=("imfilter", "circshift"),
)
@takes(NUMBERS, NUMBERS & WHOLE & NONNEGATIVE)
def padarray(a: Value, amount: Value, *args: Value) -> Value:
    """Add a border: a number, or the array continued."""
    how: str | float = 0.0
    direction = "both"
    for arg in args:
        word = text_of(arg).lower() if is_text_scalar(arg) else ""
        if word in ("pre", "post", "both"):
            direction = word
        elif word in _MODES:
            how = word
        elif word:
            text = f"Expected padding to be 'circular', 'replicate' or 'symmetric', not '{word}'."
            raise MatlabError("MATLAB:padarray:unrecognizedStringChoice", text)
        else:
            how = float_of(arg)
    sizes = [int(n) for n in as_array(amount).ravel()]
    none = [0] * len(sizes)
    before = none if direction == "post" else sizes
    after = none if direction == "pre" else sizes
    return canonical(padded(as_array(a), before, after, how))


@builtin(
    "imfilter",
    words="symmetric replicate circular same full corr conv",
    category=_FAMILY,
    signatures=("B = imfilter(A, h)", "B = imfilter(A, h, boundary, output, method)"),
    device=term_form(image_forms.imfilter),
    cases=(
        "isequal(imfilter([1 2 3], [1 1 1]), [3 6 5])",
        "isequal(imfilter([1 2 3], [1 1 1], 'replicate'), [4 6 8])",
    ),
    see=("fspecial", "conv2", "filter2"),
)
@takes(NUMBERS, NUMBERS & NONEMPTY)
def imfilter(a: Value, h: Value, *args: Value) -> Value:
    """Filter an image by correlation (or ``'conv'``), with a chosen continuation at its edges."""
    from scipy import signal

    how: str | float = 0.0
    words = {text_of(v).lower() for v in args if is_text_scalar(v)}
    for arg in args:
        if not is_text_scalar(arg):
            how = float_of(arg)
    how = next(iter(words & set(_MODES)), how)
    kernel = as_array(h).astype(np.float64)
    kernel = np.flip(kernel) if "conv" in words else kernel
    x = as_array(a)
    shape: tuple[int, ...] = kernel.shape + (1,) * (x.ndim - kernel.ndim)
    kernel = kernel.reshape(shape)
    reach = [(n - 1) if "full" in words else (n - 1) // 2 for n in shape]
    rest = [(n - 1) if "full" in words else n // 2 for n in shape]
    wide = padded(x.astype(np.float64), reach, rest, how)
    found = (
        signal.correlate(wide, kernel, mode="valid", method="direct")
        if (kernel.size <= 1024)
        else signal.correlate(wide, kernel, mode="valid")
    )
    return canonical(_in_class_of(found, x))


def _in_class_of(found: Array, like: Array) -> Array:
    """Filtered doubles in the class of the image."""
    if like.dtype.kind == "b":
        return found >= 0.5
    return saturate(found, like.dtype) if like.dtype.kind in "iu" else found.astype(like.dtype)


def _grid(size: tuple[int, int]) -> tuple[Array, Array]:
    rows, columns = ((np.arange(n) - (n - 1) / 2) for n in size)
    return np.meshgrid(rows, columns, indexing="ij")


def _pair(args: list[Array], index: int, default: float) -> tuple[int, int]:
    a = args[index] if len(args) > index and args[index].size else np.array([default])
    return int(a.flat[0]), int(a.flat[-1])


def _number(args: list[Array], index: int, default: float) -> float:
    return float(args[index].flat[0]) if len(args) > index else default


def _gaussian(args: list[Array]) -> Array:
    y, x = _grid(_pair(args, 0, 3))
    h = np.exp(-(x * x + y * y) / (2 * _number(args, 1, 0.5) ** 2))
    h[h < np.finfo(float).eps * h.max()] = 0
    return np.asarray(h / h.sum())


def _log(args: list[Array]) -> Array:
    size, sigma = _pair(args, 0, 5), _number(args, 1, 0.5)
    y, x = _grid(size)
    h = _gaussian([np.array(size), np.array([sigma])])
    h = h * (x * x + y * y - 2 * sigma**2) / sigma**4
    return np.asarray(h - h.mean())


def _disk(args: list[Array]) -> Array:
    r = _number(args, 0, 5)
    n = math.ceil(r - 0.5)
    edges = np.arange(-n, n + 2) - 0.5
    corners = _disk_area(np.abs(edges)[:, None], np.abs(edges), r)
    corners *= np.sign(edges)[:, None] * np.sign(edges)
    h = np.diff(np.diff(corners, axis=0), axis=1) / (math.pi * r * r)
    near = np.maximum(np.abs(edges[:-1] + 0.5) - 0.5, 0)
    h[np.hypot(near[:, None], near) >= r] = 0
    return np.asarray(h)


def _disk_area(x: Array, y: Array, r: float) -> Array:
    """Area that a disk about the origin has in common with the rectangles from there to (x, y)."""

    def under(t: Array) -> Array:
        """Area under the circle from 0 to t."""
        return np.asarray((t * np.sqrt(r * r - t * t) + r * r * np.arcsin(t / r)) / 2)

    x, y = np.minimum(x, r), np.minimum(y, r)
    meet = np.minimum(np.sqrt(r * r - y * y), x)
    return np.asarray(meet * y + under(x) - under(meet))


def _laplacian(args: list[Array]) -> Array:
    alpha = min(max(_number(args, 0, 0.2), 0.0), 1.0)
    side, middle = alpha / (alpha + 1), (1 - alpha) / (alpha + 1)
    outer = [side, middle, side]
    return np.array([outer, [middle, -4 / (alpha + 1), middle], outer])


def _unsharp(args: list[Array]) -> Array:
    return np.array([[0.0, 0, 0], [0, 1, 0], [0, 0, 0]]) - _laplacian(args)


def _average(args: list[Array]) -> Array:
    size = _pair(args, 0, 3)
    return np.full(size, 1 / (size[0] * size[1]))


def _motion(args: list[Array]) -> Array:
    length, angle = max(1.0, _number(args, 0, 9)), math.radians(_number(args, 1, 0) % 180)
    half = (length - 1) / 2
    reach = math.ceil(half)
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    away = np.abs(x * math.sin(angle) + y * math.cos(angle))
    along = np.abs(x * math.cos(angle) - y * math.sin(angle))
    beyond = np.maximum(along - half, 0)
    h = np.maximum(1 - np.hypot(away, beyond), 0)
    h = h[h.any(axis=1)][:, h.any(axis=0)]
    return np.asarray(h / h.sum())


_KERNELS: dict[str, Callable[[list[Array]], Array]] = {
    "gaussian": _gaussian,
    "log": _log,
    "disk": _disk,
    "laplacian": _laplacian,
    "unsharp": _unsharp,
    "average": _average,
    "motion": _motion,
    "sobel": lambda args: _SOBEL,
    "prewitt": lambda args: np.array([[1.0, 1, 1], [0, 0, 0], [-1, -1, -1]]),
}


@builtin(
    "fspecial",
    category=_FAMILY,
    signatures=(
        "h = fspecial('gaussian', size, sigma)",
        "h = fspecial('average', size)",
        "h = fspecial(type, ...)",
    ),
    cases=(
        "abs(sum(fspecial('gaussian', 5, 1), 'all') - 1) < 1e-12",
        "isequal(fspecial('sobel'), [1 2 1; 0 0 0; -1 -2 -1])",
    ),
    see=("imfilter",),
)
@takes(TEXT)
def fspecial(kind: Value, *args: Value) -> Value:
    """Filter kernels: average, disk, gaussian, laplacian, log, motion, prewitt, sobel, unsharp."""
    word = text_of(kind).lower()
    if word not in _KERNELS:
        text = f"Expected the filter type to be one of: {', '.join(sorted(_KERNELS))}."
        raise MatlabError("MATLAB:fspecial:unrecognizedStringChoice", text)
    return canonical(_KERNELS[word]([as_array(v).astype(np.float64) for v in args]))


@builtin(
    "imgaussfilt",
    category=_FAMILY,
    signatures=("B = imgaussfilt(A)", "B = imgaussfilt(A, sigma)"),
    device=of_resident(image_filter_forms.imgaussfilt),
    cases=(
        "norm(imgaussfilt(ones(5)) - 1) < 1e-12",
        "norm(imgaussfilt(magic(6), [1 2]) - imgaussfilt(magic(6)', [2 1])') < 1e-12",
    ),
    see=("fspecial", "imfilter"),
)
@takes(NUMBERS, NUMBERS & POSITIVE & NONEMPTY)
def imgaussfilt(a: Value, sigma: Value = 0.5) -> Value:
    """Smooth an image with a Gaussian of one width, or of widths down and across; edges are
    replicated."""
    widths = as_array(sigma).astype(np.float64).ravel()
    if widths.size > 2:
        text = "Expected input number 2, SIGMA, to be a number or a vector of two."
        raise MatlabError("MATLAB:imgaussfilt:incorrectNumel", text)
    line = image_filter_forms.gaussian_line
    down, across = line(float(widths[0])), line(float(widths[-1]))
    return imfilter(a, canonical(np.outer(down, across)), "replicate")


@builtin(
    "medfilt2",
    words="zeros symmetric indexed",
    category=_FAMILY,
    signatures=("J = medfilt2(I)", "J = medfilt2(I, [m n])", "J = medfilt2(I, ..., padopt)"),
    device=of_resident(image_filter_forms.medfilt2),
    cases=("max(medfilt2([1 1 1; 1 9 1; 1 1 1]), [], 'all') == 1",),
    see=("medfilt1", "ordfilt2"),
)
@takes(NUMBERS & MATRIX)
def medfilt2(a: Value, *args: Value) -> Value:
    """Median of the neighbourhood of each pixel; zeros lie beyond the edges.

    NaN counts as larger than all numbers: it is the median of a neighbourhood that is mostly NaN.
    """
    from scipy import ndimage

    sizes = [v for v in args if not is_text_scalar(v)]
    shape = tuple(int(n) for n in as_array(sizes[0]).ravel()) if sizes else (3, 3)
    words = [one_of("medfilt2", "padopt", v, _BEYOND) for v in args if is_text_scalar(v)]
    mode = "reflect" if "symmetric" in words else "constant"
    x = as_array(a)
    edge = 1.0 if "indexed" in words and x.dtype.kind == "f" else 0.0
    median = stoppable.of_matrix(ndimage.median_filter)
    missing = np.isnan(x) if x.dtype.kind == "f" else np.zeros(0, bool)
    if not missing.any():
        return canonical(median(x, size=shape, mode=mode, cval=edge))
    found = median(np.where(missing, np.inf, x), size=shape, mode=mode, cval=edge)
    lost = ndimage.rank_filter(missing, math.prod(shape) // 2, size=shape, mode=mode, cval=0)
    return canonical(np.where(lost, np.nan, found).astype(x.dtype))


@builtin(
    "ordfilt2",
    category=_FAMILY,
    signatures=(
        "B = ordfilt2(A, order, domain)",
        "B = ordfilt2(A, order, domain, S)",
        "B = ordfilt2(..., padopt)",
    ),
    cases=(
        "isequal(ordfilt2([1 5 2], 3, [1 1 1]), [5 5 5])",
        "isequal(ordfilt2([1 5 2], 1, [1 1 1], 'symmetric'), [1 1 2])",
        "isequal(ordfilt2([1 5 2], 3, [1 1 1], [0 0 9]), [14 11 9])",
    ),
    see=("medfilt2",),
)
@takes(NUMBERS & MATRIX, NUMBERS & WHOLE, NUMBERS & MATRIX)
def ordfilt2(a: Value, order: Value, domain: Value, *rest: Value) -> Value:
    """The order-th smallest of the neighbours that ``domain`` names.

    ``S`` is added to the neighbours first; zeros lie beyond the edges, or with 'symmetric' the
    mirrored image.
    """
    x, chosen = as_array(a), as_array(domain) != 0
    words = [one_of("ordfilt2", "padopt", v, "zeros symmetric") for v in rest if is_text_scalar(v)]
    added = next((as_array(v) for v in rest if not is_text_scalar(v)), np.zeros(chosen.shape))
    rank = int_of(order)
    if len(rest) > 2 or added.shape != chosen.shape or not 1 <= rank <= chosen.sum():
        text = "The order counts the neighbours of the domain, and S has its size."
        raise MatlabError("images:ordfilt2:orderNotValid", text)
    # the centre of an even domain is left and above, as floor((size + 1)/2)
    before = [(n - 1) // 2 for n in chosen.shape]
    around = [(b, n - 1 - b) for b, n in zip(before, chosen.shape, strict=True)]
    wide = np.pad(x, around, mode="symmetric" if "symmetric" in words else "constant")
    near = np.lib.stride_tricks.sliding_window_view(wide, chosen.shape)[..., chosen]
    summed = near if not added.any() else near.astype(np.float64) + added[chosen]
    found = np.partition(summed, rank - 1, axis=-1)[..., rank - 1]
    return canonical(np.asarray(found.astype(x.dtype)))


@builtin(
    "edge",
    category=_FAMILY,
    signatures=(
        "BW = edge(I)",
        "BW = edge(I, method)",
        "BW = edge(I, method, threshold)",
        "BW = edge(I, method, threshold, direction)",
        "BW = edge(I, method, threshold, direction, 'nothinning')",
        "BW = edge(I, method, threshold, sigma)",
        "BW = edge(I, 'zerocross', threshold, h)",
        "[BW, threshold] = edge(...)",
    ),
    cases=(
        "any(edge([zeros(9, 4) ones(9, 5)]), 'all')",
        "~any(edge(ones(5)), 'all')",
        "h = fspecial('log', 13, 2); h = h - mean(h(:)); x = magic(20); "
        "isequal(edge(x, 'zerocross', [], h), edge(x, 'log'), edge(x, 'zerocross'))",
    ),
    see=("imgradient", "fspecial"),
    device=of_resident(surroundings_forms.edge),
)
@takes(NUMBERS & MATRIX)
def edge(a: Value, *args: Value) -> Value:
    """Edges by ``sobel`` (default), ``prewitt``, ``roberts``, ``log``, ``zerocross`` or ``canny``.

    The direction is ``both``, ``horizontal`` or ``vertical``; sigma is the width of the smoothing
    of ``log`` (2) and ``canny`` (the root of 2); ``zerocross`` takes a filter in its place.
    """
    from app.engine.builtins.images import edges as image_edges

    method = text_of(args[0]).lower() if args and is_text_scalar(args[0]) else "sobel"
    rest = args[1:] if args and is_text_scalar(args[0]) else args
    image_edges.check(method, rest)
    words = {text_of(v).lower() for v in rest if is_text_scalar(v)}
    numbers = [as_array(v).astype(np.float64) for v in rest if not is_text_scalar(v)]
    given = numbers[0].ravel() if numbers and numbers[0].size else None
    last = numbers[1] if len(numbers) > 1 and numbers[1].size else None
    kernel = last if method == "zerocross" else None
    sigma = float(last.flat[0]) if last is not None and kernel is None else None
    if kernel is None and method in image_edges.CURVATURES:
        width = 2.0 if sigma is None else sigma
        kernel = _log([np.full(2, np.ceil(3 * width) * 2 + 1), np.asarray(width)])
    wanted = image_edges.Wanted(method, given, frozenset(words), sigma, kernel)
    found, threshold = image_edges.edges(as_double(as_array(a)), wanted)
    return make_logical(found), canonical(np.atleast_2d(threshold))


@builtin(
    "imgradient",
    category=_FAMILY,
    signatures=("[Gmag, Gdir] = imgradient(I)",),
    cases=("isequal(imgradient(ones(3)), zeros(3))",),
    see=("edge",),
    device=of_resident(surroundings_forms.imgradient),
)
@takes(NUMBERS & MATRIX)
def imgradient(a: Value) -> Value:
    """Size and direction in degrees of the gradient, by Sobel's kernels."""
    from scipy import ndimage

    x = as_array(a).astype(np.float64)
    across = ndimage.correlate(x, -_SOBEL.T, mode="nearest")
    down = ndimage.correlate(x, -_SOBEL, mode="nearest")
    return canonical(np.hypot(across, down)), canonical(np.degrees(np.arctan2(-down, across)))
