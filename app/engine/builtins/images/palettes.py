"""Colour images as indexed ones: rgb2ind."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.checks import NUMBERS, one_of, takes
from app.engine.builtins.images.classes import as_double
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Value, as_array, canonical, numel
from app.errors import MatlabError

_FAMILY = "images"
_MOST_OF_PILLOW = 256


@builtin(
    "rgb2ind",
    category=_FAMILY,
    signatures=(
        "[X, map] = rgb2ind(RGB, n)",
        "[X, map] = rgb2ind(RGB, tol)",
        "X = rgb2ind(RGB, map)",
        "X = rgb2ind(..., dithering)",
    ),
    cases=(
        "numel(unique(rgb2ind(cat(3, [1 0], [0 0], [0 1]), 2))) == 2",
        "isequal(rgb2ind(cat(3, [1 0], [0 0], [0 1]), [0 0 1; 1 0 0], 'nodither'), uint8([1 0]))",
        "[X, map] = rgb2ind(cat(3, [0 0.04 1], [0 0 1], [0 0 1]), 0.5, 'nodither'); "
        "isequal(map, [0 0 0; 1 1 1]) && isequal(X, uint8([0 0 1]))",
    ),
    see=("ind2rgb",),
)
@takes(NUMBERS)
def rgb2ind(rgb: Value, how: Value | None = None, dithering: Value = "dither") -> Value:
    """Indexed image of a colour image: with at most ``n`` colours (median cut), with the colours of
    a map, or with those of a grid of steps ``tol`` below one.

    Colours that are not in the map are dithered (Floyd and Steinberg) unless ``nodither`` is asked
    for. Without the second argument every colour stays.
    """
    dither = one_of("rgb2ind", "dithering", dithering, "dither nodither") == "dither"
    a = as_double(as_array(rgb))
    if a.ndim != 3 or a.shape[2] != 3:
        raise MatlabError("MATLAB:rgb2ind:invalidImage", "The image must have three planes.")
    given = None if how is None or not numel(how) else as_array(how).astype(np.float64)
    if given is not None and given.size > 1:
        if given.ndim != 2 or given.shape[1] != 3:
            raise MatlabError("MATLAB:rgb2ind:invalidMap", "A colour map has three columns.")
        return _indexed_image(_nearest(a, given, dither), given)
    if given is not None and given.flat[0] < 1:
        steps = max(round(1 / float(given.flat[0])), 1)
        grid = np.round(a * steps) / steps
        colours, places = np.unique(grid.reshape(-1, 3), axis=0, return_inverse=True)
        return _indexed_image(_nearest(a, colours, True) if dither else places, colours, a.shape)
    colours, places = np.unique(a.reshape(-1, 3), axis=0, return_inverse=True)
    most = len(colours) if given is None else int(given.flat[0])
    if len(colours) <= most:
        return _indexed_image(places, colours, a.shape)
    colours = _representative_colours(a, most)
    return _indexed_image(_nearest(a, colours, dither), colours)


def _indexed_image(places: Array, colours: Array, shape: tuple[int, ...] = ()) -> Value:
    """The numbers of the colours, from 0 as 8 or 16 bits, and the colours."""
    small = np.uint8 if len(colours) <= 256 else np.uint16
    table = np.asarray(places).reshape(shape[:2] or np.shape(places)).astype(small)
    return canonical(table), canonical(colours)


def _representative_colours(a: Array, most: int) -> Array:
    """At most so many colours that represent an image."""
    from PIL import Image
    from scipy.cluster.vq import kmeans2

    if most > _MOST_OF_PILLOW:
        return np.asarray(kmeans2(a.reshape(-1, 3), most, minit="++", seed=0)[0])
    picture = Image.fromarray(np.round(a * 255).astype(np.uint8), "RGB")
    made = picture.quantize(most, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    table = np.array((made.getpalette() or [])[: 3 * most], dtype=np.float64).reshape(-1, 3) / 255
    return np.unique(table, axis=0)


def _nearest(a: Array, colours: Array, dither: bool) -> Array:
    """The nearest of the colours for every pixel; errors are passed on where they are dithered."""
    from PIL import Image
    from scipy.spatial import KDTree

    if not dither or len(colours) > _MOST_OF_PILLOW:
        return np.asarray(KDTree(colours).query(a)[1])
    palette = Image.new("P", (1, 1))
    table = np.round(colours * 255).astype(np.uint8)
    filled = np.vstack([table, np.repeat(table[:1], _MOST_OF_PILLOW - len(table), axis=0)])
    palette.putpalette(filled.ravel().tolist())
    picture = Image.fromarray(np.round(a * 255).astype(np.uint8), "RGB")
    found = np.array(picture.quantize(palette=palette, dither=Image.Dither.FLOYDSTEINBERG))
    return np.where(found < len(table), found, 0)
