"""``bwmorph``: what black and white pixels become, by the eight neighbours they have."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from app.engine.arguments.checks import NUMBERS, TEXT, takes
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Value, as_array, float_of, make_logical, text_of
from app.errors import MatlabError
from app.toolboxes.images.region_measures import STEPS

_H = np.array([[1, 1, 1], [0, 1, 0], [1, 1, 1]], dtype=bool)


def around(a: Array) -> list[Array]:
    """The eight neighbours of every pixel, counter-clockwise from the right; black outside."""
    wide = np.pad(a, 1)
    rows, columns = a.shape
    return [
        wide[1 + r : 1 + r + rows, 1 + c : 1 + c + columns]
        for r, c in (STEPS[-k % 8] for k in range(8))
    ]


def _count(planes: list[Array]) -> Array:
    return np.asarray(np.sum(planes, axis=0))


def _groups(x: list[Array]) -> Array:
    """How many 8-connected groups the neighbours of a pixel form; none where they surround it."""
    return _count([~x[k] & (x[k + 1] | x[(k + 2) % 8]) for k in (0, 2, 4, 6)])


def _arms(x: list[Array]) -> Array:
    """How often the colour changes from black to white on the way around a pixel."""
    return _count([~x[k] & x[(k + 1) % 8] for k in range(8)])


def _thin_half(a: Array, turn: int) -> Array:
    """One half of a pass of Guo and Hall's thinning."""
    x = around(a)
    first = _count([x[k] | x[k + 1] for k in (0, 2, 4, 6)])
    second = _count([x[k + 1] | x[(k + 2) % 8] for k in (0, 2, 4, 6)])
    fewest = np.minimum(first, second)
    side = (x[1 + turn] | x[2 + turn] | ~x[(7 + turn) % 8]) & x[turn]
    gone = (_groups(x) == 1) & (fewest >= 2) & (fewest <= 3) & ~side
    return np.asarray(a & ~gone)


def _thinned_once(a: Array) -> Array:
    return _thin_half(_thin_half(a, 0), 4)


def _peel(a: Array, layer: Array) -> Array:
    """Without the layer's pixels that can go one by one and leave every region in one piece.

    Pixels of the same parity are no neighbours, so that all of them can go at once.
    """
    a = a.copy()
    for row in (0, 1):
        for column in (0, 1):
            x = around(a)
            gone = layer & a & (_groups(x) == 1)
            a[row::2, column::2] &= ~gone[row::2, column::2]
    return a


def _border(a: Array) -> Array:
    x = around(a)
    return np.asarray(a & ~(x[0] & x[2] & x[4] & x[6]))


def _shrink(a: Array) -> Array:
    return _peel(a, _border(a))


def _skeleton(a: Array, times: float) -> Array:
    """Layers peeled off, but for the pixels that are as deep as their four neighbours or deeper."""
    from scipy import ndimage

    depth = np.asarray(ndimage.distance_transform_cdt(np.pad(a, 1), "taxicab"))[1:-1, 1:-1]
    ridge = depth >= np.max(around(depth)[::2], axis=0)
    for k in range(1, int(min(times, depth.max(initial=0))) + 1):
        layer = (depth == k) & ~ridge
        a = _until_stable(partial(_peel, layer=layer), a, np.inf)
    return a


def _bridge(a: Array) -> Array:
    return np.asarray(a | (_groups(around(a)) > 1))


def _fill_diagonals(a: Array) -> Array:
    x = around(a)
    corners = [x[k] & ~x[k + 1] & x[(k + 2) % 8] for k in (0, 2, 4, 6)]
    return np.asarray(a | np.any(corners, axis=0))


def _break_h(a: Array) -> Array:
    patterns = [[p[1 + r, 1 + c] for r, c in (STEPS[-k % 8] for k in range(8))] for p in (_H, _H.T)]
    x = np.array(around(a))
    hit = [(x == np.array(p)[:, None, None]).all(axis=0) for p in patterns]
    return np.asarray(a & ~(hit[0] | hit[1]))


def _fill(a: Array) -> Array:
    x = around(a)
    return np.asarray(a | (x[0] & x[2] & x[4] & x[6]))


def _dilate(a: Array) -> Array:
    return np.asarray(a | np.any(around(a), axis=0))


def _erode(a: Array) -> Array:
    """White where all neighbours are; the outside counts as white."""
    return ~_dilate(~a)


def _open(a: Array) -> Array:
    return _dilate(_erode(a))


def _close(a: Array) -> Array:
    return _erode(_dilate(np.pad(a, 1)))[1:-1, 1:-1]


def _thicken(a: Array) -> Array:
    """One pass of thinning the background, whose parts stay apart across diagonals too.

    A pixel alone, which thinning would go around, gets the neighbours that see nothing else.
    """
    near = _count(around(a))
    a = a | (_dilate(a & (near == 0)) & (near == 1))
    ground = np.pad(~a, 2, constant_values=True)
    thin = _thinned_once(ground)
    kept = thin | (ground & _fill_diagonals(thin))
    return np.asarray(~kept[2:-2, 2:-2])


_STEPS_OF: dict[str, Callable[[Array], Array]] = {
    "bothat": lambda a: _close(a) & ~a,
    "branchpoints": lambda a: a & (_arms(around(a)) > 2),
    "bridge": _bridge,
    "clean": lambda a: a & np.any(around(a), axis=0),
    "close": _close,
    "diag": _fill_diagonals,
    "dilate": _dilate,
    "endpoints": lambda a: a & (_count(around(a)) == 1),
    "erode": _erode,
    "fill": _fill,
    "hbreak": _break_h,
    "majority": lambda a: _count([a, *around(a)]) > 4,
    "open": _open,
    "remove": _border,
    "shrink": _shrink,
    "thicken": _thicken,
    "spur": lambda a: a & (_count(around(a)) != 1),
    "thin": _thinned_once,
    "tophat": lambda a: a & ~_open(a),
}


def _until_stable(step: Callable[[Array], Array], a: Array, times: float) -> Array:
    """``step`` so many times, or until nothing changes."""
    while times > 0:
        new = step(a)
        if np.array_equal(new, a):
            break
        a, times = new, times - 1
    return a


@builtin(
    "bwmorph",
    words="",
    category="images",
    signatures=("BW2 = bwmorph(BW, operation)", "BW2 = bwmorph(BW, operation, n)"),
    cases=(
        "isequal(bwmorph(logical([1 1 1; 1 0 1; 1 1 1]), 'fill'), true(3))",
        "isequal(bwmorph(true(3), 'remove'), logical([1 1 1; 1 0 1; 1 1 1]))",
        "nnz(bwmorph(true(3, 7), 'shrink', Inf)) == 1",
        "B = false(9); B([21 61]) = true; max(max(bwlabel(bwmorph(B, 'thicken', Inf)))) == 2",
        "isequal(bwmorph(logical([1 0 0; 1 0 1; 0 0 1]), 'bridge'), "
        "logical([1 1 0; 1 1 1; 0 1 1]))",
    ),
    see=("imdilate", "imerode", "bwperim", "bwlabel"),
)
@takes(NUMBERS, TEXT)
def bwmorph(bw: Value, operation: Value, times: Value = 1.0) -> Value:
    """A morphological operation on a black and white image, n times, or Inf for as long as it acts.

    By neighbours: bridge, clean, diag, fill, hbreak, majority, remove, spur, branchpoints,
    endpoints. With a square of three pixels: dilate, erode, open, close, tophat, bothat.
    ``thicken`` grows regions that stay apart, ``thin`` (Guo and Hall) leaves lines,
    ``skel`` lines into the corners as well, and ``shrink``
    points and rings.
    """
    a, word = as_array(bw) != 0, text_of(operation).lower()
    if a.ndim != 2:
        raise MatlabError("MATLAB:bwmorph:expected2D", "The image must be two-dimensional.")
    count = float_of(times)
    if word == "skel":
        return make_logical(_skeleton(a, count))
    if word not in _STEPS_OF:
        text = f"'{word}' is not an operation; they are {', '.join([*_STEPS_OF, 'skel'])}."
        raise MatlabError("MATLAB:bwmorph:unrecognizedStringChoice", text)
    return make_logical(_until_stable(_STEPS_OF[word], a, count))
