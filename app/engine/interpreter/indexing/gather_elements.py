"""Reading elements of one NumPy array (of any kind of elements) by MATLAB subscripts."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from app.engine.interpreter.indexing.subscripts import (
    COLON,
    DOUBLE,
    LOGICAL,
    WHOLE,
    Resolved,
    few_indices,
    flat_indices_below,
    is_colon,
    merged_shape,
    out_of_bounds,
    resolve,
    subscript_shape,
    whole,
)
from app.engine.stoppable import Stop
from app.engine.values import Array, Value, canonical, trim_shape
from app.engine.values.containers import PIECE, blank_objects

SMALL = 1 << 11
"""Of arrays with no more elements it is cheapest to pick axis by axis."""
MANY = 1 << 16
"""More elements than these are picked axis by axis, without a place for each of them."""


def select(data: Array, args: tuple[Value, ...]) -> Array:
    """``data(args)``: a fresh array, or a reshaped view for ``data(:)``."""
    if len(args) == 1:
        return _linear(data, args[0])
    if not args:
        return data
    shape = merged_shape(data.shape, len(args))
    if shape != data.shape:
        data = data.reshape(shape, order="F")
    count = len(args)
    found = [resolve(sub, shape[p], p, count)[0] for p, sub in enumerate(args)]
    return _without_trailing_ones(pick(data, found))


def select_each(
    fields: Mapping[str, Array], shape: tuple[int, ...], args: tuple[Value, ...]
) -> dict[str, Array]:
    """``data(args)`` of each of some arrays of one size; a list of places in a row is read once."""
    i = args[0] if len(args) == 1 and len(shape) == 2 and shape[0] == 1 else None
    if type(i) is np.ndarray and i.dtype is DOUBLE and i.ndim == 2 and len(i) == 1 < i.size < PIECE:
        places = flat_indices_below(i, shape[1])
        if places is not None:
            return {name: data.take(places).reshape(1, -1) for name, data in fields.items()}
    return {name: select(data, args) for name, data in fields.items()}


def part_of(x: Array, i: Value, j: Value) -> Value | None:
    """One row or column of a matrix, or lists of them; None for all else."""
    if (i is COLON) != (j is COLON):
        return _line(x, i, j)
    if type(i) is not np.ndarray or type(j) is not np.ndarray or i.dtype is not j.dtype:
        return None
    if i.dtype is not DOUBLE or x.dtype.char == "O":
        return None
    rows, columns = few_indices(i, x.shape[0]), few_indices(j, x.shape[1])
    return None if rows is None or columns is None else picked_value(pick(x, [rows, columns]))


def _line(x: Array, i: Value, j: Value) -> Value | None:
    """One row or column of a matrix; None for any other subscripts, and for what is no number."""
    along = j is COLON
    which, extent = (i if along else j), x.shape[0 if along else 1]
    if type(which) is np.ndarray and which.dtype is DOUBLE:
        places = flat_indices_below(which, extent)
        return (
            None if places is None else picked_value(elements_along(x, places, 0 if along else 1))
        )
    if type(which) is not float or not 1.0 <= which <= extent or not which.is_integer():
        return None
    k = int(which)
    return picked_value(x[k - 1 : k].copy() if along else x[:, k - 1 : k].copy())


def picked_value(made: Array) -> Value:
    """What was picked from an array, as a value."""
    if made.size == 1 or made.dtype.kind == "c":
        return canonical(made)
    return made


def pick(data: Array, indices: list[Resolved]) -> Array:
    """The outer product of ``indices``, always a copy; its cost follows from what is picked."""
    listed = [(axis, index) for axis, index in enumerate(indices) if not isinstance(index, slice)]
    if len(listed) < 2:
        if listed and all(index == WHOLE for index in indices if isinstance(index, slice)):
            ((axis, places),) = listed
            return elements_along(data, places, axis)
        return data[tuple(indices)].copy(order="F")
    if data.size <= SMALL or math.prod(map(_count, indices, data.shape)) > MANY:
        for axis, index in reversed([*enumerate(indices)]):  # the last one has whole blocks
            if not isinstance(index, slice):
                data = elements_along(data, index, axis)
            elif index != WHOLE:
                data = data[(WHOLE,) * axis + (index,)]
        return data
    turned = data.T
    lists = [
        np.arange(*index.indices(extent)) if isinstance(index, slice) else index
        for index, extent in zip(reversed(indices), turned.shape, strict=True)
    ]
    if not turned.flags.c_contiguous:
        picked: Array = turned[np.ix_(*lists)].T
        return picked
    places = lists[0]
    for extent, index in zip(turned.shape[1:], lists[1:], strict=True):
        places = places[..., np.newaxis] * extent + index
    return turned.reshape(-1).take(places).T


def _count(index: Resolved, extent: int) -> int:
    return len(range(extent)[index]) if isinstance(index, slice) else len(index)


def elements_along(data: Array, places: Array, axis: int) -> Array:
    """Rows, columns, … of an array by 0-based places along an axis, always a copy.

    ``take`` copies all of an array first whose rows do not lie one behind the other.
    """
    if _is_long(data, data.size // max(data.shape[axis], 1) * places.size):
        return _objects_along(data, places, axis)
    if data.flags.c_contiguous:
        return data.take(places, axis=axis)
    if data.flags.f_contiguous:
        return data.T.take(places, axis=data.ndim - 1 - axis).T
    picked: Array = data[(slice(None),) * axis + (places,)]
    return picked


def _is_long(data: Array, count: int) -> bool:
    """Whether so many elements are objects that copying them keeps everybody else waiting."""
    return data.dtype.char == "O" and count > PIECE


def _objects_along(data: Array, places: Array, axis: int) -> Array:
    """The same of many objects, in pieces: others and a stop have their turn between them."""
    shape = (*data.shape[:axis], places.size, *data.shape[axis + 1 :])
    made = blank_objects(math.prod(shape)).reshape(shape, order="F")
    longest = max(range(len(shape)), key=shape.__getitem__)
    step = max(1, PIECE * shape[longest] // made.size)
    for start in range(0, shape[longest], step):
        part = (WHOLE,) * longest + (slice(start, start + step),)
        if longest == axis:
            made[part] = elements_along(data, places[start : start + step], axis)
        else:
            made[part] = elements_along(data[part], places, axis)
        Stop.poll()
    return made


def _without_trailing_ones(data: Array) -> Array:
    return data if data.ndim == 2 else data.reshape(trim_shape(data.shape), order="F")


def _element(data: Array, sub: float) -> Array:
    """One element of a matrix, by its place."""
    k = whole(sub) - 1
    if k >= data.size:
        raise out_of_bounds(data.size)
    rows = data.shape[0]
    row, column = (0, k) if rows == 1 else (k % rows, k // rows)
    picked: Array = data[row : row + 1, column : column + 1].copy()
    return picked


def _linear(data: Array, sub: Value) -> Array:
    if type(sub) is float and data.ndim == 2:
        return _element(data, sub)
    if is_colon(sub):
        return data.reshape((-1, 1), order="F")
    several = row_by_list(data, sub) if type(sub) is np.ndarray else None
    if several is not None:
        return several
    if type(sub) is np.ndarray and _is_mask_of_all(data, sub):
        picked: Array = data.reshape(-1, order="F")[sub.reshape(-1, order="F")]
        return picked.reshape((1, -1) if data.shape[0] == 1 else (-1, 1))
    index, count = resolve(sub, data.size)
    picked = flat_pick(data, index)
    return picked.reshape(linear_shape(data.shape, sub, count), order="F")


def _is_mask_of_all(data: Array, sub: Value) -> bool:
    """Whether a subscript says of each element of a matrix or vector whether it is wanted."""
    return (
        type(sub) is np.ndarray
        and sub.dtype.char == "?"
        and sub.shape == data.shape
        and data.ndim == 2
        and data.size > 1
    )


def flat_pick(data: Array, index: Resolved) -> Array:
    """Elements by 0-based column-major position, as a flat copy."""
    if data.flags.f_contiguous or data.ndim == 1:
        flat = data.reshape(-1, order="F")
        if isinstance(index, slice):
            return flat[index].copy()
        return _objects_along(flat, index, 0) if _is_long(flat, index.size) else flat.take(index)
    if isinstance(index, slice):
        index = np.arange(index.start, index.stop)
    picked: Array = data[np.unravel_index(index, data.shape, order="F")]
    return picked


def linear_shape(shape: tuple[int, ...], sub: Value, count: int) -> tuple[int, ...]:
    """The shape of ``x(sub)``: a vector keeps its direction, otherwise the subscript's shape."""
    own = subscript_shape(sub, count)
    if len(shape) == len(own) == 2 and shape[0] == own[0] == 1 and shape[1] > 1:
        return own
    axes = [axis for axis, extent in enumerate(shape) if extent != 1]
    if len(axes) != 1 or count == 1 or sum(extent != 1 for extent in own) > 1:
        return own
    made = [1] * len(shape)
    made[axes[0]] = count
    return trim_shape(tuple(made))


def chosen(x: Array, mask: Array) -> Value:
    """The elements of a matrix where a mask of its size is true."""
    rows, columns = x.shape
    if rows == 1 or columns == 1:
        made = x[mask]
        made = made.reshape(1, -1) if rows == 1 else made.reshape(-1, 1)
    else:
        made = x.T[mask.T].reshape(-1, 1)
    return made.item() if made.size == 1 else made


def elements_by_list(x: Array, i: Array) -> Value | None:
    """Elements by a mask of the same size, or several of a row; None for other subscripts."""
    if _is_its_mask(x, i):
        return chosen(x, i)
    several = row_by_list(x, i)
    return several if several is None else picked_value(several)


def row_by_list(x: Array, i: Array) -> Array | None:
    """Several elements of a row by a row of places; None for other arrays and subscripts."""
    if i.dtype is not DOUBLE or not x.ndim == i.ndim == 2 or not len(x) == len(i) == 1 < i.size:
        return None
    places = None if _is_long(x, i.size) else flat_indices_below(i, x.size)
    return None if places is None else x.take(places).reshape(1, -1)


def _is_its_mask(x: Array, i: Array) -> bool:
    """Whether truth values say of each element of a matrix whether it is wanted."""
    if i.dtype is not LOGICAL or i.shape != x.shape or x.ndim != 2:
        return False
    return x.size > 1 and (x.dtype is DOUBLE or x.dtype is LOGICAL)
