"""Regions of images by polygons: poly2mask, roipoly, regionfill."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.checks import COUNT, NONEMPTY, NUMBERS, REAL, VECTOR, real_number, takes
from app.engine.declarations.registry import builtin
from app.engine.values import Array, Value, as_array, canonical, make_logical
from app.errors import MatlabError

_FAMILY = "images"


def inside(x: Array, y: Array, rows: int, columns: int) -> Array:
    """The pixels whose centres lie inside a polygon, by counting the edges to their left.

    The corners are moved to a grid five times as fine, as MATLAB does; a centre on a left or upper
    edge is inside, on a right or lower one outside.
    """
    made = np.zeros((rows, columns), dtype=bool)
    if x.size < 3:
        return made
    fine_x, fine_y = (np.floor(5 * (v - 0.5) + 0.5) / 5 + 0.5 for v in (x, y))
    ends = zip(fine_x, fine_y, np.roll(fine_x, -1), np.roll(fine_y, -1), strict=True)
    for x0, y0, x1, y1 in ends:
        if y0 == y1:
            continue
        low, high = min(y0, y1), max(y0, y1)
        first = max(int(np.ceil(low)), 1)
        last = min(int(np.ceil(high)) - 1, rows)
        for r in range(first, last + 1):
            cut = x0 + (r - y0) * (x1 - x0) / (y1 - y0)
            start = max(int(np.ceil(cut)) - 1, 0)
            made[r - 1, start:] ^= True
    return made


@builtin(
    "poly2mask",
    category=_FAMILY,
    signatures=("BW = poly2mask(xi, yi, m, n)",),
    cases=("nnz(poly2mask([1.5 4.5 4.5 1.5], [1.5 1.5 4.5 4.5], 6, 6)) == 9",),
    see=("roipoly", "inpolygon", "regionfill"),
)
@takes(NUMBERS & REAL & VECTOR, NUMBERS & REAL & VECTOR, COUNT, COUNT)
def poly2mask(xi: Value, yi: Value, m: Value, n: Value) -> Value:
    """The pixels of an m-by-n image that lie inside a polygon."""
    x, y = (np.asarray(as_array(v), dtype=float).ravel() for v in (xi, yi))
    if x.size != y.size:
        raise MatlabError("images:poly2mask:vectorSizeMismatch", "XI and YI must match in size.")
    return make_logical(inside(x, y, int(real_number(m)), int(real_number(n))))


@builtin(
    "roipoly",
    category=_FAMILY,
    least=3,
    signatures=(
        "BW = roipoly(I, xi, yi)",
        "BW = roipoly(m, n, xi, yi)",
        "[BW, xi, yi] = roipoly(...)",
    ),
    cases=("nnz(roipoly(zeros(6), [1.5 4.5 4.5 1.5], [1.5 1.5 4.5 4.5])) == 9",),
    see=("poly2mask",),
)
def roipoly(*args: Value) -> Value:
    """The pixels of an image that lie inside a polygon, and its corners."""
    if len(args) == 3:
        rows, columns = as_array(args[0]).shape[:2]
    else:
        rows, columns = (int(real_number(v)) for v in args[:2])
    mask = poly2mask(args[-2], args[-1], float(rows), float(columns))
    return mask, args[-2], args[-1]


@builtin(
    "regionfill",
    category=_FAMILY,
    signatures=("J = regionfill(I, mask)", "J = regionfill(I, x, y)"),
    cases=("J = regionfill([1 1 1; 1 9 1; 1 1 1], logical([0 0 0; 0 1 0; 0 0 0])); J(5) == 1",),
    see=("roipoly", "imfill"),
)
@takes(NUMBERS & REAL & NONEMPTY)
def regionfill(image: Value, first: Value, second: Value | None = None) -> Value:
    """A region filled smoothly from its border (Laplace's equation)."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.linalg import spsolve

    a = np.asarray(as_array(image))
    mask = (
        as_array(first) != 0
        if second is None
        else (as_array(poly2mask(first, second, float(a.shape[0]), float(a.shape[1]))) != 0)
    )
    if mask.shape != a.shape or a.ndim != 2:
        raise MatlabError("images:regionfill:sizeMismatch", "The mask must have the image's size.")
    number = np.cumsum(mask.ravel()).reshape(mask.shape) * mask
    count = int(mask.sum())
    rows, columns, values = [], [], []
    degree, right = np.zeros(count), np.zeros(count)
    for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        r, c = np.nonzero(mask)
        fine = (r + dr >= 0) & (r + dr < a.shape[0]) & (c + dc >= 0) & (c + dc < a.shape[1])
        own, other = number[r[fine], c[fine]] - 1, (r[fine] + dr, c[fine] + dc)
        np.add.at(degree, own, 1)
        hidden = mask[other]
        np.add.at(right, own[~hidden], a[other][~hidden].astype(float))
        rows.append(own[hidden])
        columns.append(number[other][hidden] - 1)
        values.append(-np.ones(int(hidden.sum())))
    if not count:
        return image
    every = np.arange(count)
    places = np.concatenate([*rows, every]), np.concatenate([*columns, every])
    table = coo_matrix((np.concatenate([*values, degree]), places), shape=(count, count)).tocsr()
    made = a.astype(float)
    made[mask] = np.atleast_1d(spsolve(table, right))
    made = np.round(made) if a.dtype.kind in "iu" else made
    return canonical(made.astype(a.dtype))
