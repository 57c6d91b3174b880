"""Blocks, slopes, ranges and deviations around the pixels of resident images."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from app.accel.ir.dtypes import DType
from app.engine.arguments.checks import option_pairs, real_number
from app.engine.builtins.images import edges
from app.engine.builtins.images.image_filter_forms import correlated_matrix, padded_axis
from app.engine.builtins.images.image_forms import as_class, as_double
from app.engine.capture.term_arrays import elements_at, resident, shift_along
from app.engine.capture.terms import Made, Term, cat, clamp, constant_array, position
from app.engine.values import Array, Value, as_array, is_text_scalar, numel, text_of

Args = tuple[Value, ...]
F64 = DType.F64
MOST_CELLS = 49
"""Neighbours whose largest and smallest one kernel finds."""


def _matrix(v: Value) -> Term | None:
    found = resident(v)
    return found[0] if found and found[0].rank == 2 else None


def _block_kind(words: Args) -> str:
    known = len(words) < 2 and all(map(is_text_scalar, words))
    return text_of(words[0]).lower() if words and known else "sliding" if known else ""


def im2col(args: Args, nargout: int) -> Made:
    """Blocks of a matrix as columns: all that lie inside, or side by side."""
    x, size = _matrix(args[0]), [int(n) for n in as_array(args[1]).ravel()]
    kind = _block_kind(args[2:])
    if x is None or len(size) != 2 or kind not in ("sliding", "distinct"):
        return None
    (height, width), (m, n) = x.shape, size
    if kind == "distinct":
        for axis, more in enumerate((-height % m, -width % n)):
            x = padded_axis(x, axis, 0, more, 0.0) if more else x
        down, right = x.shape[0] // m, x.shape[1] // n
        parts = x.reshape((m, down, n, right)) if right > 1 else x.reshape((m, down, n))
        order = (0, 2, 1, 3) if right > 1 else (0, 2, 1)
        return parts.permute(*order).reshape((m * n, down * right))
    down, right = height - m + 1, width - n + 1
    if down < 1 or right < 1:
        return None
    inner, outer = position((m * n, 1), 0), position((1, down * right), 1)
    across, over = (inner / float(m)).floor(), (outer / float(down)).floor()
    row = inner - across * float(m) + outer - over * float(down)
    return elements_at(x, row + (across + over) * float(height))


def col2im(args: Args, nargout: int) -> Made:
    """An image from the columns of blocks side by side, or of one pixel for each block."""
    x = _matrix(args[0])
    sizes = [int(n) for v in args[1:3] for n in as_array(v).ravel()]
    kind = _block_kind(args[3:])
    if x is None or len(sizes) != 4 or kind not in ("sliding", "distinct"):
        return None
    m, n, rows, across = sizes
    if kind == "sliding":
        fits = x.size == (rows - m + 1) * (across - n + 1)
        return x.reshape((rows - m + 1, across - n + 1)) if fits else None
    down, right = -(-rows // m), -(-across // n)
    if x.size != down * right * m * n:
        return None
    parts = x.reshape((m, n, down, right)) if right > 1 else x.reshape((m, n, down))
    order = (0, 2, 1, 3) if right > 1 else (0, 2, 1)
    whole = parts.permute(*order).reshape((down * m, right * n))
    return whole.part(0, 0, rows).part(1, 0, across)


def imgradient(args: Args, nargout: int) -> Made:
    """Size and direction in degrees of the gradient, by Sobel's kernels."""
    x = _matrix(args[0]) if len(args) == 1 else None
    if x is None:
        return None
    kernel = -np.array([[1.0, 2, 1], [0, 0, 0], [-1, -2, -1]])
    across, down = (correlated_matrix(x.cast(F64), k, "replicate") for k in (kernel.T, kernel))
    size = across.hypot(down)
    return (size, (-down).atan2(across) * (180.0 / np.pi))[:nargout] if nargout > 1 else size


def _mask(args: Args) -> Array | None:
    """The neighbours around a pixel; None where none is in their middle."""
    given = as_array(args[1]) != 0 if len(args) > 1 and numel(args[1]) else np.ones((3, 3), bool)
    odd = given.ndim == 2 and all(n % 2 for n in given.shape)
    return given if odd and given.any() else None


def local(of: Callable[[Term, Array], Made]) -> Callable[[Args, int], Made]:
    """The form of what is found among the neighbours of every pixel, the image mirrored."""

    def form(args: Args, nargout: int) -> Made:
        x = _matrix(args[0]) if len(args) < 3 and nargout < 2 else None
        mask = _mask(args) if x is not None else None
        return None if x is None or mask is None else of(x, mask)

    return form


def _range(x: Term, mask: Array) -> Made:
    signed = x.dtype.is_integer and not x.dtype.label.startswith("u")
    if signed or np.count_nonzero(mask) > MOST_CELLS:
        return None
    wide = x
    for axis, n in enumerate(mask.shape):
        wide = padded_axis(wide, axis, n // 2, n // 2, "symmetric")
    parts = [
        wide.part(0, int(i), x.shape[0]).part(1, int(j), x.shape[1])
        for i, j in zip(*np.nonzero(mask), strict=True)
    ]
    high = low = parts[0]
    logical = x.dtype is DType.BOOL
    for part in parts[1:]:
        high, low = (high | part, low & part) if logical else (high.max(part), low.min(part))
    return high ^ low if logical else high - low


def _deviation(x: Term, mask: Array) -> Made:
    count = int(mask.sum())
    if count < 2:
        return None
    work, weights = x.cast(F64), mask / count
    mean, square = (correlated_matrix(v, weights, "symmetric") for v in (work, work * work))
    return (clamp(square - mean * mean, 0.0, np.inf) * (float(count) / (count - 1))).root()


rangefilt = local(_range)
stdfilt = local(_deviation)


def imboxfilt(args: Args, nargout: int) -> Made:
    """Averages over boxes of odd sides, edges repeated."""
    x = _matrix(args[0]) if len(args) < 3 and nargout < 2 else None
    box = as_array(args[1]).ravel().astype(int) if len(args) > 1 else np.array([3])
    if x is None or x.dtype is DType.BOOL or not all(n % 2 for n in box) or box.size > 2:
        return None
    work = x.cast(F64)
    for n, axis in ((int(box[0]), 0), (int(box[-1]), 1)):
        line = np.full((n, 1), 1 / n)
        work = correlated_matrix(work, line if axis == 0 else line.T, "replicate")
    return work.cast(x.dtype)


def _slopes(x: Term, method: str) -> tuple[Term, Term]:
    """Squares of the slopes in a detector's two directions."""
    if method == "roberts":
        wide = padded_axis(padded_axis(x, 0, 0, 1, "replicate"), 1, 0, 1, "replicate")
        corner = [
            wide.part(0, i, x.shape[0]).part(1, j, x.shape[1]) for i in (0, 1) for j in (0, 1)
        ]
        one, two = (corner[0] - corner[3]) / 2.0, (corner[1] - corner[2]) / 2.0
        return one * one, two * two
    kernel = edges.KERNELS[method]
    across, down = (correlated_matrix(x, k, "replicate") for k in (kernel.T, kernel))
    return across * across, down * down


def edge(args: Args, nargout: int) -> Made:
    """Edges by the detectors that look at slopes, with a threshold given or chosen."""
    x, rest = _matrix(args[0]), args[1:]
    method = text_of(rest[0]).lower() if rest and is_text_scalar(rest[0]) else "sobel"
    rest = rest[1:] if rest and is_text_scalar(rest[0]) else rest
    if x is None or method not in edges.GRADIENTS:
        return None
    edges.check(method, rest)
    words = frozenset(text_of(v).lower() for v in rest if is_text_scalar(v))
    numbers = [v for v in rest if not is_text_scalar(v)]
    given = numbers[0] if numbers and numel(numbers[0]) else None
    if given is not None and type(given) is not float:
        return None
    wanted = edges.Wanted(method, None, words, None, None)
    slopes = _slopes(as_double(x), method)
    across, down = (s * w for w, s in zip(wanted.weights(), slopes, strict=True))
    strength = across + down
    scale = 6.0 if method == "roberts" else 4.0
    cutoff = constant_array(given**2, (1, 1)) if given is not None else strength.mean() * scale
    found = strength > cutoff
    if "nothinning" not in words:
        found = found & _ridges(strength, across, down)
    return (found, cutoff.root())[:nargout] if nargout > 1 else found


def _ridges(strength: Term, across: Term, down: Term) -> Term:
    """Local maxima along rows or columns, where the gradient points that way."""
    upright, sideways = (
        (shift_along(strength, axis, 1, 0.0) <= strength)
        & (strength > shift_along(strength, axis, -1, 0.0))
        for axis in (0, 1)
    )
    return (across >= down) & sideways | (down >= across) & upright


def imsharpen(args: Args, nargout: int) -> Made:
    """What a Gaussian takes away, added to each channel."""
    found = resident(args[0])
    options = option_pairs("imsharpen", args[1:], "Radius Amount Threshold") if found else {}
    numbers = [options.get(n, d) for n, d in (("radius", 1.0), ("amount", 0.8), ("threshold", 0.0))]
    if found is None or nargout > 1 or not all(type(v) is float for v in numbers):
        return None
    x, (radius, amount, least) = found[0], (real_number(v) for v in numbers)
    known = x.dtype.label in ("logical", "double", "single", "uint8", "uint16", "int16")
    if not known or not 0 < radius < 64 or least or x.rank > 3 or x.size == 0:
        return None
    reach = int(2.0 * radius + 0.5)
    weights = np.exp(-(np.arange(-reach, reach + 1.0) ** 2) / (2 * radius * radius))
    line = (weights / weights.sum()).reshape(-1, 1)
    channels = []
    for channel in range(x.shape[2] if x.rank == 3 else 1):
        part = x.part(2, channel, 1) if x.rank == 3 else x
        image = as_double(part.reshape(x.shape[:2]))
        blurred = correlated_matrix(
            correlated_matrix(image, line, "replicate"), line.T, "replicate"
        )
        sharp = image + (image - blurred) * amount
        held = sharp if x.dtype.is_float else clamp(sharp, 0.0, 1.0)
        channels.append(as_class(held, x.dtype))
    return cat(2, *channels) if len(channels) > 1 else channels[0]
