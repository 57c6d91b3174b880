"""Images beside and over each other: imtile, montage, imfuse, imshowpair."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import NONEMPTY, NUMBERS, option_pairs, takes
from app.engine.builtins.images.classes import as_class, as_double
from app.engine.declarations.registry import builtin
from app.engine.figures.colors import parse_color
from app.engine.values import (
    Array,
    Cell,
    StringArray,
    Value,
    as_array,
    canonical,
    is_cell,
    is_numeric_like,
    is_text_scalar,
    text_of,
)
from app.errors import MatlabError

_FAMILY = "images"
BLACK = (0.0, 0.0, 0.0)


def _pictures(ctx: CallContext, source: Value) -> list[Array]:
    """The images of a cell, of a list of files, or the pages of an array."""
    if isinstance(source, StringArray):
        source = Cell.of(list(source.data.ravel(order="F")))
    if is_cell(source):
        return [
            as_array(ctx.call("imread", (v,), 1)[0] if is_text_scalar(v) else v)
            for v in source.items()
        ]
    if not is_numeric_like(source):
        raise MatlabError("images:imtile:invalidInput", "Expected images, or names of files.")
    a = as_array(source)
    if a.ndim < 4:
        return [a] if a.ndim < 3 or a.shape[2] == 3 else list(np.moveaxis(a, 2, 0))
    return list(np.moveaxis(a, 3, 0))


def _with_planes(image: Array) -> Array:
    """An image with three colours."""
    return np.repeat(image[:, :, None], 3, axis=2) if image.ndim == 2 else image


def tiled(
    images: list[Array],
    grid: tuple[int, int] | None,
    border: tuple[int, int],
    ground: tuple[float, ...] = BLACK,
) -> Array:
    """Images of one class row by row in a grid as square as possible, on a ground."""
    colour = any(i.ndim == 3 for i in images) or len(set(ground)) > 1
    kind = images[0].dtype
    parts = [i if i.dtype == kind else as_class(as_double(i), kind) for i in images]
    parts = [_with_planes(i) if colour else i for i in parts]
    tall, wide = (max(i.shape[k] for i in parts) for k in (0, 1))
    columns = grid[1] if grid else int(np.ceil(np.sqrt(len(parts) * tall / wide)))
    rows = grid[0] if grid else -(-len(parts) // columns)
    step = tall + 2 * border[0], wide + 2 * border[1]
    shade = np.array(ground if colour else ground[0])
    made = np.empty((rows * step[0], columns * step[1], *parts[0].shape[2:]), dtype=kind)
    made[...] = as_class(shade, kind)
    for k, part in enumerate(parts[: rows * columns]):
        top, left = (k // columns) * step[0] + border[0], (k % columns) * step[1] + border[1]
        made[top : top + part.shape[0], left : left + part.shape[1]] = part
    return made


def _chosen_images(name: str, images: list[Array], wanted: Value) -> list[Array]:
    """Those with these numbers, from 1."""
    places = as_array(wanted).ravel()
    if not all(place == int(place) and 1 <= place <= len(images) for place in places):
        text = f"Frames and indices are whole numbers from 1 to {len(images)}."
        raise MatlabError(f"images:{name}:invalidIndices", text)
    return [images[int(place) - 1] for place in places]


def _ground_of(options: dict[str, Value]) -> tuple[float, ...]:
    """The colour behind the images."""
    if "backgroundcolor" not in options:
        return BLACK
    wanted = options["backgroundcolor"]
    found = parse_color(text_of(wanted) if is_text_scalar(wanted) else list(as_array(wanted).flat))
    if isinstance(found, str) or len(found) != 3:
        raise MatlabError("MATLAB:hg:ColorSpec", f"'{found}' is not a background colour.")
    return found


def _tiles(name: str, ctx: CallContext, options: dict[str, Value], source: Value) -> Array:
    images = _pictures(ctx, source)
    for word in ("frames", "indices"):
        if word in options:
            images = _chosen_images(name, images, options[word])
    if not images or not all(i.size for i in images):
        raise MatlabError(f"images:{name}:noImages", "There is no image to show.")
    size = as_array(options.get("gridsize", options.get("size", np.zeros((1, 0))))).ravel()
    grid = None
    if size.size == 2:
        down, right = size
        grid = (
            int(down) if down == down else -(-len(images) // int(right)),
            int(right) if right == right else -(-len(images) // int(down)),
        )
    border = as_array(options.get("bordersize", 0.0)).ravel()
    return tiled(images, grid, (int(border[0]), int(border[-1])), _ground_of(options))


@builtin(
    "imtile",
    category=_FAMILY,
    least=1,
    signatures=("I = imtile(images)", "I = imtile(images, 'GridSize', [m n])"),
    cases=(
        "isequal(imtile({1, 2, 3, 4}), [1 2; 3 4])",
        "isequal(imtile({1, 2}, 'BorderSize', [0 1], 'BackgroundColor', 'w'), [1 1 1 1 2 1])",
        "A = imtile({uint8(7)}, 'BorderSize', 1, 'BackgroundColor', [1 0 0]); "
        "isequal(A(1, 1, :), cat(3, uint8(255), 0, 0)) && all(A(2, 2, :) == 7)",
        "isequal(imtile({1, 2, 3}, 'Frames', [3 1]), [3 1])",
    ),
    see=("montage",),
)
def imtile(ctx: CallContext, *args: Value) -> Value:
    """Several images as one: a cell of images or file names, or the pages of an array.

    Options: GridSize, BorderSize, BackgroundColor, Frames.
    """
    options = option_pairs("imtile", args[1:], "BackgroundColor BorderSize Frames GridSize")
    return canonical(_tiles("imtile", ctx, options, args[0]))


@builtin(
    "montage",
    category=_FAMILY,
    least=1,
    signatures=("h = montage(images)", "montage(images, 'Size', [m n])"),
    cases=("close all; h = montage({zeros(4), ones(4)}); n = size(h.CData, 2); close all; n == 8",),
    see=("imtile", "imshowpair"),
)
def montage(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Show several images side by side.

    Options: Size, BorderSize, BackgroundColor, Indices, DisplayRange.
    """
    known = "BackgroundColor BorderSize DisplayRange Indices Size"
    options = option_pairs("montage", args[1:], known)
    whole = canonical(_tiles("montage", ctx, options, args[0]))
    ends = (options["displayrange"],) if "displayrange" in options else ()
    found = ctx.call("imshow", (whole, *ends), min(nargout, 1))
    return found[0] if nargout else None


def _levels(a: Array, how: str) -> Array:
    """Gray values from 0 to 1, stretched to the full range unless they are not to be."""
    x = as_double(a)
    x = x @ np.array([0.298936, 0.587043, 0.114021]) if x.ndim == 3 else x
    if how == "none":
        return np.asarray(x)
    low, high = x.min(), x.max()
    return np.asarray((x - low) / (high - low) if high > low else x * 0)


def fused(a: Array, b: Array, method: str, scaling: str, channels: Array) -> Array:
    """Two images over or beside each other, the smaller one continued with black."""
    tall, wide = (max(a.shape[k], b.shape[k]) for k in (0, 1))
    if method == "montage":
        colour = a.ndim == 3 or b.ndim == 3
        sides = [
            as_double(i) if scaling == "none" or i.ndim == 3 else _levels(i, scaling)
            for i in (a, b)
        ]
        sides = [_with_planes(i) if colour else i for i in sides]
        sides = [np.pad(i, [(0, tall - i.shape[0])] + [(0, 0)] * (i.ndim - 1)) for i in sides]
        return as_class(np.concatenate(sides, axis=1), np.uint8)
    x, y = (
        np.pad(_levels(i, scaling), [(0, tall - i.shape[0]), (0, wide - i.shape[1])])
        for i in (a, b)
    )
    if method == "blend":
        return as_class((x + y) / 2, np.uint8)
    if method == "diff":
        apart = np.abs(x - y)
        return as_class(apart / (apart.max() or 1), np.uint8)
    if method == "checkerboard":
        side = max(min(tall, wide) // 8, 1)
        rows, columns = np.indices((tall, wide)) // side
        return as_class(np.where((rows + columns) % 2, y, x), np.uint8)
    planes = (np.zeros_like(x), x, y)
    return as_class(np.stack([planes[int(c)] for c in channels], axis=2), np.uint8)


def _fuse(name: str, a: Value, b: Value, args: tuple[Value, ...]) -> Array:
    rest = list(args)
    method = text_of(rest.pop(0)).lower() if len(rest) % 2 else "falsecolor"
    options = option_pairs(name, rest, "ColorChannels Scaling")
    known = ("falsecolor", "blend", "diff", "montage", "checkerboard")
    if method not in known:
        message = f"The method must be one of {', '.join(known)}."
        raise MatlabError(f"images:{name}:invalidMethod", message)
    scaling = text_of(options.get("scaling", "independent")).lower()
    given = options.get("colorchannels", "green-magenta")
    words = {"green-magenta": [2, 1, 2], "red-cyan": [1, 2, 2]}
    named = words.get(text_of(given).lower(), []) if is_text_scalar(given) else given
    channels = np.asarray(named if isinstance(named, list) else as_array(named)).ravel()
    if channels.size != 3 or not np.isin(channels, (0, 1, 2)).all():
        message = "ColorChannels must be 'green-magenta', 'red-cyan' or three numbers."
        raise MatlabError(f"images:{name}:invalidColorChannels", message)
    return fused(as_array(a), as_array(b), method, scaling, channels)


@builtin(
    "imfuse",
    category=_FAMILY,
    signatures=(
        "C = imfuse(A, B)",
        "C = imfuse(A, B, method)",
        "C = imfuse(..., 'Scaling', s, 'ColorChannels', c)",
    ),
    cases=("isequal(imfuse([0 1], [1 1], 'diff', 'Scaling', 'none'), uint8([255 0]))",),
    see=("imshowpair",),
)
@takes(NUMBERS & NONEMPTY, NUMBERS & NONEMPTY)
def imfuse(a: Value, b: Value, *args: Value) -> Value:
    """Two images in one: falsecolor, blend, diff, montage or checkerboard."""
    return canonical(_fuse("imfuse", a, b, args))


@builtin(
    "imshowpair",
    category=_FAMILY,
    signatures=("h = imshowpair(A, B)", "imshowpair(A, B, method)"),
    cases=(
        "close all; h = imshowpair(zeros(4), ones(4), 'montage'); n = size(h.CData, 2); "
        "close all; n == 8",
    ),
    see=("imfuse", "montage"),
)
@takes(NUMBERS & NONEMPTY, NUMBERS & NONEMPTY)
def imshowpair(ctx: CallContext, a: Value, b: Value, *args: Value, nargout: int = 0) -> Value:
    """Show two images together: falsecolor, blend, diff, montage or checkerboard."""
    found = ctx.call("imshow", (canonical(_fuse("imshowpair", a, b, args)),), min(nargout, 1))
    return found[0] if nargout else None
