"""Subscripts: MATLAB values to NumPy indices, with MATLAB's errors.

A resolved subscript is a ``slice`` with unit step or an int64 array (0-based) together with its
count.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from app.engine.values import (
    Array,
    CharArray,
    DeviceArray,
    NativeObject,
    ObjectArray,
    ObjectValue,
    SparseMatrix,
    Value,
    char_codes,
    class_of,
    host,
)
from app.errors import MatlabError


class _Colon:
    """The magic colon."""

    __slots__ = ()

    def __repr__(self) -> str:
        return ":"


COLON = _Colon()
"""The subscript ``:``."""

DOUBLE = np.dtype(np.float64)
LOGICAL = np.dtype(np.bool_)
Resolved = slice | np.ndarray[Any, np.dtype[np.int64]]
WHOLE = slice(None)
_BAD = "Array indices must be positive integers or logical values."


def is_colon(sub: Value) -> bool:
    """True for ``:`` and for the text ``':'``."""
    return sub is COLON or (type(sub) is str and sub == ":")


def no_subscript() -> MatlabError:
    """The error for ``x() = v`` and ``x() = []``."""
    return MatlabError("MATLAB:badsubscript", "An indexed assignment needs a subscript.")


def bad_subscript(position: int = 0, count: int = 1) -> MatlabError:
    """The error for a subscript that is no positive whole number."""
    lead = f"Index in position {position + 1} is invalid. " if count > 1 else ""
    return MatlabError("MATLAB:badsubscript", lead + _BAD)


def out_of_bounds(extent: int, position: int = 0, count: int = 1) -> MatlabError:
    """The error for a subscript beyond the end."""
    if count > 1:
        lead = f"Index in position {position + 1} exceeds array bounds."
    else:
        lead = "Index exceeds the number of array elements."
    return MatlabError("MATLAB:badsubscript", f"{lead} Index must not exceed {extent}.")


def resolve(
    sub: Value, extent: int, position: int = 0, count: int = 1, grow: bool = False
) -> tuple[Resolved, int]:
    """The index and how many elements it selects; ``grow`` allows it to pass ``extent``."""
    if type(sub) is float:
        k = whole(sub, position, count)
        if k > extent and not grow:
            raise out_of_bounds(extent, position, count)
        return slice(k - 1, k), 1
    if sub is COLON or (type(sub) is str and sub == ":"):
        return WHOLE, extent
    if type(sub) is bool:
        if sub and not extent and not grow:
            raise out_of_bounds(extent, position, count)
        return (slice(0, 1), 1) if sub else (slice(0, 0), 0)
    if type(sub) is np.ndarray and sub.dtype.char == "d":
        quick = flat_indices_below(sub, extent)
        if quick is not None:
            return quick, quick.size
    indices = index_array(sub, extent, position, count, grow)
    if not grow and indices.size and greatest(indices) >= extent:
        if _is_mask(sub):
            place = f" in position {position + 1}" if count > 1 else ""
            text = f"The logical indices{place} contain a true value outside of the array bounds."
            raise MatlabError("MATLAB:badsubscript", text)
        raise out_of_bounds(extent, position, count)
    return indices, indices.size


def element_place(shape: tuple[int, ...], args: tuple[Value, ...]) -> tuple[int, ...] | None:
    """Where one element lies: by a number in a matrix, by as many as dimensions; else None."""
    if len(args) == 1 and len(shape) == 2:
        rows, k = shape[0], args[0]
        if type(k) is not float or not (1.0 <= k <= rows * shape[1] and k.is_integer()):
            return None
        return (int(k) - 1) % rows, (int(k) - 1) // rows
    if len(args) != len(shape):
        return None
    if len(args) == 2:
        i, j = args
        if not (type(i) is type(j) is float and 1.0 <= i <= shape[0] and 1.0 <= j <= shape[1]):
            return None
        return (int(i) - 1, int(j) - 1) if i.is_integer() and j.is_integer() else None
    place = []
    for sub, extent in zip(args, shape, strict=True):
        if type(sub) is not float or not (1.0 <= sub <= extent and sub.is_integer()):
            return None
        place.append(int(sub) - 1)
    return tuple(place)


_FEW = 8
"""Subscripts that are looked at one by one sooner than by operations of arrays."""


def flat_indices_below(sub: Array, extent: int) -> Array | None:
    """Doubles as flat indices where all of them are subscripts below ``extent``; else None."""
    if sub.size <= _FEW:
        places = _few_places(sub, extent)
        return None if places is None else np.array(places, np.int64)
    flat = sub.ravel(order="F")
    indices = flat.astype(np.int64)
    if not indices.size or has_true(indices != flat):
        return None
    indices -= 1  # 0 and what is below become large numbers without a sign
    return indices if greatest(indices.view(np.uint64)) < extent else None


def _few_places(sub: Array, extent: int) -> list[int] | None:
    few = sub.tolist()[0] if sub.ndim == 2 and len(sub) == 1 else sub.ravel(order="F").tolist()
    places = [int(x) - 1 for x in few if 1.0 <= x <= extent and x.is_integer()]
    return places if len(places) == len(few) > 0 else None


def few_indices(sub: Array, extent: int) -> slice | Array | None:
    """As ``flat_indices_below``; a slice where few of them follow each other."""
    if sub.size > _FEW:
        return flat_indices_below(sub, extent)
    places = _few_places(sub, extent)
    if places is None:
        return None
    first, behind = places[0], places[-1] + 1
    if behind - first == len(places) and places == [*range(first, behind)]:
        return slice(first, behind)
    return np.array(places, np.int64)


def has_true(flags: Array) -> bool:
    """Whether one of some flags in a row is set; ``any`` takes six times longer for a few."""
    return bool(flags.item(flags.argmax()))


def greatest(flat: Array) -> Any:
    """The greatest number of a vector that is not empty; ``max`` takes six times longer."""
    return flat.item(flat.argmax())


def whole(sub: float, position: int = 0, count: int = 1) -> int:
    """A float subscript as a positive int."""
    if not math.isfinite(sub) or sub != (k := int(sub)) or k < 1:
        raise bad_subscript(position, count)
    return k


def _is_mask(sub: Value) -> bool:
    return type(sub) in {np.ndarray, DeviceArray} and class_of(sub) == "logical"


def index_array(
    sub: Value, extent: int, position: int = 0, count: int = 1, grow: bool = False
) -> Array:
    """Subscripts as a flat int64 array of 0-based indices in column-major order."""
    a = subscript_values(sub)
    if a.dtype == np.bool_:
        return a.ravel(order="F").nonzero()[0]
    flat = a.ravel(order="F")
    if flat.dtype.kind == "c":
        if flat.imag.any():
            raise bad_subscript(position, count)
        flat = flat.real
    indices = flat.astype(np.int64)
    if flat.dtype.kind == "f" and indices.size and has_true(indices != flat):
        raise bad_subscript(position, count)
    if indices.size and indices.item(indices.argmin()) < 1:
        raise bad_subscript(position, count)
    return indices - 1


def subscript_values(sub: Value) -> Array:
    """The values of a subscript as an array, before any check."""
    if type(sub) is np.ndarray:
        return sub
    if type(sub) is DeviceArray:
        return subscript_values(host(sub, "needs-host-value: subscript"))
    if type(sub) is float or type(sub) is bool or type(sub) is complex:
        return np.array([[sub]])
    if type(sub) is str or type(sub) is CharArray:
        return char_codes(sub)
    if type(sub) is SparseMatrix:
        return sub.dense()
    if sub is COLON:
        raise bad_subscript()
    if isinstance(sub, ObjectValue):
        places = sub.class_info.overload("subsindex", sub)
        if places is not None:
            return np.asarray(subscript_values(places)) + 1
    convert = getattr(sub, "to_double", None)
    if convert is not None and isinstance(sub, NativeObject | ObjectValue | ObjectArray):
        return subscript_values(convert())
    text = f"Unable to use a value of type {class_of(sub)} as an index."
    raise MatlabError("MATLAB:badsubscript", text)


def subscript_shape(sub: Value, resolved_count: int) -> tuple[int, ...]:
    """The shape a single subscript gives its result (masks give a column, rows a row)."""
    if type(sub) is DeviceArray:
        shape: tuple[int, ...] = sub.shape
        mask = sub.class_name == "logical"
    elif type(sub) is np.ndarray:
        shape, mask = sub.shape, sub.dtype == np.bool_
    elif type(sub) is str:
        return (1, resolved_count) if resolved_count else (0, 0)
    elif type(sub) is bool:
        return (1, 1) if sub else (0, 0)
    elif type(sub) is SparseMatrix:
        shape, mask = sub.shape, sub.dtype == np.bool_
    elif type(sub) is CharArray:
        shape, mask = sub.shape, False
    elif isinstance(sub, ObjectValue | ObjectArray):
        found = subscript_values(sub)
        shape, mask = found.shape, found.dtype == np.bool_
    else:
        return (1, resolved_count)
    if not mask:
        return shape
    axes = [axis for axis, extent in enumerate(shape) if extent != 1]
    if not axes and not resolved_count:
        return (0, 0)
    if len(axes) == 1 and axes[0]:
        return (1,) * axes[0] + (resolved_count,)
    return (resolved_count, 1)


def merged_shape(shape: tuple[int, ...], count: int) -> tuple[int, ...]:
    """``shape`` seen with ``count`` subscripts: trailing dimensions folded or ones appended."""
    n = len(shape)
    if n == count:
        return shape
    if n < count:
        return shape + (1,) * (count - n)
    rest = 1
    for extent in shape[count - 1 :]:
        rest *= extent
    return (*shape[: count - 1], rest)
