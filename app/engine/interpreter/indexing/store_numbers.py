"""Numbers stored in place where whole numbers and colons say: the common case, in few steps."""

from __future__ import annotations

import numpy as np

from app.engine.interpreter.indexing.ownership import owns_data
from app.engine.interpreter.indexing.subscripts import (
    COLON,
    DOUBLE,
    LOGICAL,
    few_indices,
    flat_indices_below,
    is_colon,
)
from app.engine.operators.arithmetic import whole_number
from app.engine.values import Array, Value
from app.engine.values.containers import blank_objects

_ALL = slice(None)
_GROWTH = 64
_SMALL = 1 << 12
"""Elements up to which a matrix that an element makes larger is made without further thought."""


def number_in(x: Array, v: Value) -> complex | None:
    """What one number becomes as an element of an array that keeps its class; None for others."""
    kind = x.dtype.kind
    if type(v) is np.ndarray:
        return v.item() if v.size == 1 and v.dtype == x.dtype and kind in "iuf" else None
    if type(v) is float:
        if kind in "iu":
            return whole_number(v, x.dtype)
        return v if kind == "f" else None
    if type(v) is bool:
        return v if takes_truth(x) else None
    return v if type(v) is complex and x.dtype.char == "D" and v.imag != 0.0 else None


def takes_truth(x: Array) -> bool:
    """Whether logicals are stored in an array as they are."""
    return x.dtype is LOGICAL or x.dtype is DOUBLE


def stored_in_place(x: Array, args: tuple[Value, ...], v: Value) -> Array | None:
    """A solely held array after ``x(args) = v``; None where that takes more thought."""
    number = None
    if type(v) is np.ndarray and v.size != 1:
        if v.dtype != x.dtype:
            return None
        stored: Array | complex = v
    else:
        number = number_in(x, v)
        if number is None:
            return None
        stored = number
    if len(args) == 1:
        if x.ndim != 2:
            return None
        if type(args[0]) is np.ndarray:
            return _stored_at_places(x, args[0], stored)
        return None if number is None else _stored_at(x, args[0], number)
    if len(args) != x.ndim or not x.size:
        return None
    return _stored_in_block(x, args, stored)


def with_number(x: Array, i: float, j: float, number: complex, own: bool) -> Array | None:
    """A small matrix with a number at a place, in it or behind it; None for what takes more."""
    r, c = int(i), int(j)
    if r != i or c != j:
        return None
    rows, columns = x.shape
    if r <= rows and c <= columns:
        if not own or not (x.base is None or owns_data(x)):
            return None
        made = x
    else:
        shape = max(r, rows), max(c, columns)
        if not x.size or shape[0] * shape[1] > _SMALL:  # what is empty may take another class
            return None
        made = np.zeros(shape, x.dtype, order="F")
        made[:rows, :columns] = x
    made[r - 1, c - 1] = number
    return made


def stored_lines(x: Array, i: Value, j: Value, v: Array) -> bool:
    """Whether rows or columns of a solely held matrix could be replaced by as many of its class."""
    if (i is COLON) == (j is COLON) or x.dtype is not v.dtype or not x.ndim == v.ndim == 2:
        return False
    along = j is COLON
    which, extent = (i if along else j), x.shape[0 if along else 1]
    if type(which) is float:
        if not 1.0 <= which <= extent or not which.is_integer():
            return False
        place: slice | Array | None = slice(int(which) - 1, int(which))
        count = 1
    elif type(which) is np.ndarray and which.dtype is DOUBLE:
        place, count = few_indices(which, extent), which.size
    else:
        return False
    shape = (count, x.shape[1]) if along else (x.shape[0], count)
    if place is None or v.shape != shape or not (x.base is None or owns_data(x)):
        return False
    if along:
        x[place] = v
    else:
        x[:, place] = v
    return True


def _stored_in_block(x: Array, args: tuple[Value, ...], v: Array | complex) -> Array | None:
    """An array after ``x(i, j) = v`` for a number, or an array that fits."""
    place = _place(x.shape, args)
    if place is None or not (x.base is None or owns_data(x)):
        return None
    if any(type(p) is np.ndarray for p in place):
        return _stored_in_lines(x, place, v)
    if not isinstance(v, np.ndarray):
        x[place] = v
        return x
    target = x[place]
    if type(target) is not np.ndarray or target.size != v.size:
        return None
    if target.ndim == 1 and v.ndim == 2 and 1 in v.shape:
        target[:] = v.ravel()
        return x
    if [n for n in target.shape if n != 1] != [n for n in v.shape if n != 1]:
        return None
    target[...] = v.reshape(target.shape, order="F")
    return x


def _stored_at_places(x: Array, sub: Array, v: Array | complex) -> Array | None:
    """A vector or matrix after ``x(list) = v`` for a number or as many as there are places."""
    places = _places_of(sub, x.size)
    if places is None or not (x.base is None or owns_data(x)):
        return None
    if isinstance(v, np.ndarray):
        if v.size != places.size:
            return None
        v = v.reshape(-1, order="F")
    rows, columns = x.shape
    if rows == 1 or columns == 1:
        x.reshape(-1)[places] = v
    else:
        x[places % rows, places // rows] = v
    return x


def _stored_in_lines(
    x: Array, place: tuple[int | slice | Array, ...], v: Array | complex
) -> Array | None:
    """A matrix after ``x(list, j) = v`` for a number, or an array of just this size."""
    if x.ndim != 2:
        return None
    rows, columns = (slice(p, p + 1) if isinstance(p, int) else p for p in place)
    if isinstance(v, np.ndarray):
        counts = (_count(rows, x.shape[0]), _count(columns, x.shape[1]))
        if v.shape != counts:
            return None
    if isinstance(rows, np.ndarray) and isinstance(columns, np.ndarray):
        rows = rows.reshape(-1, 1)
    x[rows, columns] = v
    return x


def _count(places: slice | Array, extent: int) -> int:
    """How many places they are."""
    if isinstance(places, slice):
        return len(range(*places.indices(extent)))
    return places.size


def _places_of(sub: Array, extent: int) -> Array | None:
    """Places from 0 that a list or mask of an array means; None for other subscripts."""
    if sub.dtype is DOUBLE:
        return flat_indices_below(sub, extent)
    if sub.dtype is LOGICAL and sub.size <= extent:
        return sub.ravel(order="F").nonzero()[0]
    return None


def _line_places(sub: Array, extent: int) -> slice | Array | None:
    """The same along a dimension, a slice where few places follow each other."""
    return few_indices(sub, extent) if sub.dtype is DOUBLE else _places_of(sub, extent)


def _stored_at(x: Array, i: Value, number: complex) -> Array | None:
    """A vector or matrix after ``x(i) = number``, maybe behind the last of a vector."""
    if type(i) is not float or not 1.0 <= i <= x.size + 1.0:
        return None
    k = int(i)
    if k != i:
        return None
    if k <= x.size:
        if not (x.base is None or owns_data(x)):
            return None
        rows = len(x)
        x[(0, k - 1) if rows == 1 else ((k - 1) % rows, (k - 1) // rows)] = number
        return x
    return appended(x, number) if k > 1 and 1 in x.shape else None


def begun_vector(x: Value, i: float, v: float) -> Value | None:
    """``x(i) = v`` where x is a number, or empty and getting its first one; else None."""
    if type(x) is float:
        if i == 1.0:
            return v
        return np.array([[x, v]]) if i == 2.0 else None
    if i == 1.0 and type(x) is np.ndarray and x.shape in NOTHING and x.dtype is DOUBLE:
        return v
    return None


NOTHING = frozenset(((0, 0), (1, 0), (0, 1)))
"""Sizes of what one element is stored in as the first and only one."""


def _place(
    shape: tuple[int, ...], args: tuple[Value, ...]
) -> tuple[int | slice | Array, ...] | None:
    """NumPy's indices for whole numbers in range, lists of them, masks and colons; else None."""
    found: list[int | slice | Array] = []
    for extent, sub in zip(shape, args, strict=True):
        if type(sub) is float:
            if not 1.0 <= sub <= extent or not sub.is_integer():
                return None
            found.append(int(sub) - 1)
        elif is_colon(sub):
            found.append(_ALL)
        else:
            places = _line_places(sub, extent) if type(sub) is np.ndarray else None
            if places is None:
                return None
            found.append(places)
    return tuple(found)


def appended(x: Array, v: complex) -> Array:
    """``x(end+1) = v`` for a solely held vector, with room to spare for the next ones."""
    k = x.size + 1
    row = x.shape[0] < 2
    base = x.base
    if not owns_data(x) or base is None or base.ndim != 2 or base.size < k:
        base = roomy(x, k, row)
    if row:
        base[0, k - 1] = v
        return base[:, :k]
    base[k - 1, 0] = v
    return base[:k]


def roomy(x: Array, k: int, row: bool) -> Array:
    """A buffer that holds the vector ``x`` and has room for more than ``k`` elements."""
    room = 2 * k + _GROWTH
    if x.dtype == object:
        base = blank_objects(room).reshape((1, room) if row else (room, 1))
    else:
        base = np.empty((1, room) if row else (room, 1), dtype=x.dtype)
    base.reshape(-1)[: k - 1] = x.reshape(-1)
    return base
