"""The order of numbers as MATLAB sorts them, shared by the language and the providers.

NumPy's stable sorts are many times slower than its default ones, which use vector instructions. So
the default ones are used, and only what is tied is put into its original order afterwards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Array = NDArray[Any]
    Order = NDArray[np.intp]

TABLED = 1024
"""Elements from which a table over their range is worth it."""
FEW = 0.25
"""Share of tied elements up to which they are reordered on their own."""


def sort_order(x: Array, axis: int, *, descending: bool) -> Order:
    """A stable order along an axis; NaN last when ascending, first when descending.

    Complex numbers are ordered by magnitude, then by angle.
    """
    keys = (np.abs(x), np.angle(x)) if x.dtype.kind == "c" else (x,)
    if not descending:
        return _ascending(keys, axis)
    flipped = tuple(np.flip(key, axis) for key in keys)
    return np.flip(x.shape[axis] - 1 - _ascending(flipped, axis), axis)


def sorted_values(x: Array, axis: int, *, descending: bool) -> Array:
    """The elements in that order; of real numbers, without working out where they were."""
    zeros = x == 0 if x.dtype.kind == "f" and np.count_nonzero(x) < x.size else None
    zeros_differ = zeros is not None and bool((np.signbit(x) & zeros).any())
    alone = x.size == x.shape[axis]
    if x.dtype.kind == "c" or (zeros_differ and not alone):
        return np.take_along_axis(x, sort_order(x, axis, descending=descending), axis)
    found = x.copy(order="K")
    found.sort(axis)
    if zeros_differ:  # the only equal elements that can be told apart
        found[found == 0] = x[zeros][::-1] if descending else x[zeros]
    return np.flip(found, axis) if descending else found


def order_of_rows(
    columns: Sequence[Array], rows: int, order: Callable[[int, Array], Order]
) -> Order:
    """The stable order of rows: by the first column, where that leaves some tied by the next.

    Args:
        columns: what the rows are ordered by.
        rows: how many there are.
        order: a stable order of the elements of a column, which is told by its number.
    """
    count = 1
    while True:
        found = np.arange(rows)
        for k in reversed(range(min(count, len(columns)))):
            found = found[order(k, columns[k][found])]
        if count >= len(columns) or not _are_tied([c[found] for c in columns[:count]]):
            return found
        count *= 4


def _are_tied(columns: Sequence[Array]) -> bool:
    """Whether two rows next to each other are alike in all columns."""
    tied = np.ones(max(0, columns[0].size - 1), dtype=bool)
    for column in columns:
        above, below = column[:-1], column[1:]
        tied &= (above == below) | ((above != above) & (below != below))  # NaN is like NaN
    return bool(tied.any())


def _ascending(keys: tuple[Array, ...], axis: int) -> Order:
    if len(keys) > 1:
        return np.lexsort(tuple(reversed(keys)), axis=axis)
    key = keys[0]
    if key.size < TABLED:  # done before the ties of a quicker sort were found
        return key.argsort(axis, kind="stable")
    if key.size == key.shape[axis]:
        span = dense_range(key, min(key.size, 1 << 16))
        places = None if span is None else offsets(key, *span)
        key = key if places is None else places.astype(np.uint16)
    if key.dtype.itemsize <= 2:
        return np.argsort(key, axis=axis, kind="stable")  # a radix sort
    order = np.argsort(key, axis=axis)
    found = np.moveaxis(np.take_along_axis(key, order, axis), axis, 0)
    tied = (found[1:] == found[:-1]) | ((found[1:] != found[1:]) & (found[:-1] != found[:-1]))
    if not tied.any():
        return order
    if key.size == key.shape[axis] and tied.mean() <= FEW:
        _reorder(order.reshape(-1), tied.reshape(-1))
        return order
    return np.argsort(key, axis=axis, kind="stable")


def _reorder(order: Order, tied: NDArray[np.bool_]) -> None:
    """Put each run of tied elements into its original order."""
    member = np.zeros(order.size, np.bool_)
    member[1:] |= tied
    member[:-1] |= tied
    run = np.cumsum(np.concatenate(([True], ~tied)))[member]
    places = order[member]
    order[member] = places[np.lexsort((places, run))]


def offsets(x: Array, low: float, count: int) -> Order | None:
    """``x - low`` where all elements are whole numbers from ``low`` to ``low + count - 1``."""
    if x.dtype.kind not in "fiub" or not low <= x.min() or not x.max() < low + count:
        return None
    places = (x - low if x.dtype.kind == "f" else x.astype(np.int64) - int(low)).astype(np.intp)
    return places if x.dtype.kind != "f" or bool((places + low == x).all()) else None


def dense_range(x: Array, most: int) -> tuple[float, int] | None:
    """The least of finite numbers, and how many whole ones there are up to the largest.

    None where these are more than ``most``, or where that is too few for a table to be worth it.
    """
    if most < TABLED or not x.size or x.dtype.kind not in "fiub":
        return None
    low, high = float(x.min()), float(x.max())
    count = high - low + 1
    return (low, int(count)) if count <= most and max(abs(low), abs(high)) < 2**53 else None


def even_width(edges: NDArray[np.float64]) -> float | None:
    """The width of bins between (almost) evenly spaced edges; None where they are not."""
    width = float(edges[-1] - edges[0]) / (edges.size - 1)
    if not 0 < width < np.inf:
        return None
    off = np.abs(edges - edges[0] - width * np.arange(edges.size))
    return width if bool((off < 0.4 * width).all()) else None


def bins_of(x: Array, edges: NDArray[np.float64]) -> Order:
    """The bin of every element, from 1; 0 outside. Bins are ``[a, b)``, the last one ``[a, b]``.

    Between (almost) evenly spaced edges a bin is computed and then compared with its edges.
    """
    last = edges.size - 1
    inside = (x >= edges[0]) & (x <= edges[-1])
    width = even_width(edges)
    if width is None:
        place = np.searchsorted(edges, x, side="right")
        place = np.where(x == edges[-1], last, place)
        return np.where(inside, place, 0)
    place = np.where(inside, (x - edges[0]) * (1 / width), 0.0).astype(np.intp)
    np.minimum(place, last - 1, out=place)
    place -= x < edges[place]
    place += (x >= edges[place + 1]) & (place < last - 1)
    return np.where(inside, place + 1, 0)
