"""Images taken apart: columns of blocks, functions of blocks and of sliding neighbourhoods."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import (
    MATRIX,
    NONEMPTY,
    NUMBERS,
    POSITIVE,
    WHOLE,
    element_count,
    flag,
    one_of,
    option_pairs,
    takes,
)
from app.engine.declarations.device_support import of_resident
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    Struct,
    Value,
    as_array,
    canonical,
    is_text_scalar,
    text_of,
)
from app.errors import MatlabError
from app.toolboxes.images import surroundings_forms

_FAMILY = "images"
_PAIR = NUMBERS & WHOLE & POSITIVE & element_count(2)


def _pair(v: Value) -> tuple[int, int]:
    rows, columns = (int(n) for n in as_array(v).ravel())
    return rows, columns


def sliding(a: Array, size: tuple[int, int]) -> Array:
    """Every neighbourhood that lies inside, as columns; columns of the image go first."""
    if a.shape[0] < size[0] or a.shape[1] < size[1]:
        return np.zeros((size[0] * size[1], 0), dtype=a.dtype)
    parts = np.lib.stride_tricks.sliding_window_view(a, size)
    return np.asarray(parts.transpose(3, 2, 1, 0).reshape(size[0] * size[1], -1))


def distinct(a: Array, size: tuple[int, int]) -> Array:
    """Blocks side by side as columns, the image continued with zeros."""
    grown = np.pad(a, [(0, -n % m) for n, m in zip(a.shape, size, strict=True)])
    down, right = (n // m for n, m in zip(grown.shape, size, strict=True))
    parts = grown.reshape(down, size[0], right, size[1])
    return np.asarray(parts.transpose(3, 1, 2, 0).reshape(size[0] * size[1], -1))


def _kind(args: tuple[Value, ...]) -> str:
    word = text_of(args[0]).lower() if args else "sliding"
    if word not in ("sliding", "distinct"):
        raise MatlabError("images:im2col:unknownBlockType", "Blocks are 'sliding' or 'distinct'.")
    return word


@builtin(
    "im2col",
    most=4,
    words="distinct sliding",
    category=_FAMILY,
    signatures=("B = im2col(A, [m n])", "B = im2col(A, [m n], 'distinct')"),
    cases=(
        "isequal(im2col([1 2 3; 4 5 6], [2 2]), [1 2; 4 5; 2 3; 5 6])",
        "isequal(im2col([1 2; 3 4], [1 2], 'distinct'), [1 3; 2 4])",
    ),
    see=("col2im", "blockproc"),
    device=of_resident(surroundings_forms.im2col),
)
@takes(NUMBERS & MATRIX, _PAIR)
def im2col(a: Value, size: Value, *kind: Value) -> Value:
    """Blocks of an image as columns."""
    work = sliding if _kind(kind) == "sliding" else distinct
    return canonical(work(as_array(a), _pair(size)))


@builtin(
    "col2im",
    most=4,
    words="distinct sliding",
    category=_FAMILY,
    signatures=("A = col2im(B, [m n], [mm nn])", "A = col2im(B, [m n], [mm nn], 'distinct')"),
    cases=("isequal(col2im([1 3; 2 4], [1 2], [2 2], 'distinct'), [1 2; 3 4])",),
    see=("im2col",),
    device=of_resident(surroundings_forms.col2im),
)
@takes(NUMBERS & MATRIX, _PAIR, _PAIR)
def col2im(b: Value, size: Value, whole: Value, *kind: Value) -> Value:
    """An image from the columns of its blocks."""
    columns, (m, n), (rows, across) = as_array(b), _pair(size), _pair(whole)
    sliding_kind = _kind(kind) == "sliding"
    down, right, per_block = -(-rows // m), -(-across // n), m * n
    if sliding_kind:
        down, right, per_block = rows - m + 1, across - n + 1, 1
    if columns.size != down * right * per_block:
        message = "The number of elements does not fit the sizes of the blocks and the image."
        raise MatlabError("images:col2im:notEnoughElements", message)
    if sliding_kind:
        return canonical(columns.reshape(down, right, order="F"))
    parts = columns.reshape(n, m, right, down).transpose(3, 1, 2, 0)
    return canonical(parts.reshape(down * m, right * n)[:rows, :across])


@builtin(
    "nlfilter",
    category=_FAMILY,
    signatures=("B = nlfilter(A, [m n], fun)",),
    cases=("isequal(nlfilter([1 2 3], [1 3], @(x) max(x(:))), [2 3 3])",),
    see=("colfilt", "blockproc"),
)
@takes(NUMBERS & MATRIX, _PAIR)
def nlfilter(ctx: CallContext, a: Value, size: Value, function: Value, *more: Value) -> Value:
    """A function of the neighbourhood of every pixel, zeros beyond the edges."""
    image, (m, n) = as_array(a), _pair(size)
    grown = np.pad(image, [((m - 1) // 2, m // 2), ((n - 1) // 2, n // 2)])
    parts = np.lib.stride_tricks.sliding_window_view(grown, (m, n))
    found = [
        [
            as_array(ctx.call(function, (canonical(parts[i, j].copy()), *more), 1)[0]).flat[0]
            for j in range(image.shape[1])
        ]
        for i in range(image.shape[0])
    ]
    return canonical(np.array(found).reshape(image.shape))


@builtin(
    "colfilt",
    category=_FAMILY,
    signatures=("B = colfilt(A, [m n], kind, fun)",),
    cases=("isequal(colfilt([1 2 3], [1 3], 'sliding', @max), [2 3 3])",),
    see=("nlfilter", "im2col"),
)
@takes(NUMBERS & MATRIX, _PAIR)
def colfilt(
    ctx: CallContext, a: Value, size: Value, kind: Value, function: Value, *more: Value
) -> Value:
    """A function of all neighbourhoods at once, given as columns."""
    image, (m, n) = as_array(a), _pair(size)
    if _kind((kind,)) == "sliding":
        grown = np.pad(image, [((m - 1) // 2, m // 2), ((n - 1) // 2, n // 2)])
        (found,) = ctx.call(function, (canonical(sliding(grown, (m, n))), *more), 1)
        return canonical(as_array(found).reshape(image.shape, order="F"))
    (found,) = ctx.call(function, (canonical(distinct(image, (m, n))), *more), 1)
    whole = canonical(np.array([[-(-image.shape[0] // m) * m, -(-image.shape[1] // n) * n]], float))
    made = as_array(col2im(found, size, whole, "distinct"))
    return canonical(made[: image.shape[0], : image.shape[1]])


_BLOCKPROC = "BorderSize TrimBorder PadPartialBlocks PadMethod"


@builtin(
    "blockproc",
    category=_FAMILY,
    signatures=("B = blockproc(A, [m n], fun)", "B = blockproc(..., 'BorderSize', [v w])"),
    cases=("isequal(blockproc(magic(4), [2 2], @(b) sum(b.data(:))), [34 34; 34 34])",),
    see=("nlfilter", "im2col"),
)
@takes(NUMBERS & NONEMPTY, _PAIR)
def blockproc(ctx: CallContext, a: Value, size: Value, function: Value, *args: Value) -> Value:
    """A function of every block; it is given a struct with data, location, blockSize, border.

    Options: BorderSize, TrimBorder, PadPartialBlocks, PadMethod (a number, 'replicate',
    'symmetric').
    """
    options = option_pairs("blockproc", args, _BLOCKPROC)
    image, (m, n) = as_array(a), _pair(size)
    border = as_array(options.get("bordersize", np.zeros((1, 2)))).ravel().astype(int)
    if border.size != 2 or (border < 0).any():
        text = "BorderSize must be two nonnegative whole numbers."
        raise MatlabError("images:blockproc:invalidBorderSize", text)
    trim = flag(options, "trimborder", True)
    partial = not flag(options, "padpartialblocks")
    rows, columns = image.shape[:2]
    extra = (0, 0) if partial else (-rows % m, -columns % n)
    sides = [(border[0], border[0] + extra[0]), (border[1], border[1] + extra[1])]
    grown = _padded_image(image, sides + [(0, 0)] * (image.ndim - 2), options.get("padmethod", 0.0))
    bands = []
    for top in range(0, rows, m):
        band = []
        for left in range(0, columns, n):
            tall = min(m, rows - top) if partial else m
            wide = min(n, columns - left) if partial else n
            part = grown[top : top + tall + 2 * border[0], left : left + wide + 2 * border[1]]
            told = _block(part, top, left, (tall, wide), border, image)
            (found,) = ctx.call(function, (told,), 1)
            done = as_array(found)
            cut = trim and border.any() and done.shape[:2] == part.shape[:2]
            band.append(
                done[border[0] : border[0] + tall, border[1] : border[1] + wide] if cut else done
            )
        bands.append(np.concatenate(band, axis=1))
    whole = np.concatenate(bands, axis=0)
    return canonical(
        whole
        if partial or whole.shape[0] != grown.shape[0] - 2 * border[0]
        else whole[:rows, :columns]
    )


def _padded_image(image: Array, sides: list[tuple[int, int]], method: Value) -> Array:
    if is_text_scalar(method):
        word = one_of("blockproc", "PadMethod", method, "replicate symmetric")
        if word == "replicate":
            return np.pad(image, sides, mode="edge")
        return np.pad(image, sides, mode="symmetric")
    return np.pad(image, sides, constant_values=as_array(method).flat[0])


def _block(
    part: Array, top: int, left: int, size: tuple[int, int], border: Array, image: Array
) -> Struct:
    """What a function of blocks is told."""

    def pair(*numbers: float) -> Value:
        return canonical(np.array([numbers], dtype=np.float64))

    return Struct(
        {
            "border": pair(*border),
            "blockSize": pair(*size),
            "data": canonical(part.copy()),
            "imageSize": pair(*image.shape),
            "location": pair(top + 1, left + 1),
        }
    )
