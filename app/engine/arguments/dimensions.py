"""Which dimensions a function works along: the trailing arguments all reductions share."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TypeGuard

import numpy as np

from app.engine.values import Array, Value, as_array, is_char, is_string, text_of
from app.errors import MatlabError
from app.records import record

_FLAGS = {
    f"{what}{which}": what
    for what in ("omit", "include")
    for which in ("nan", "missing", "nat", "undefined")
}
_TYPES = ("double", "native", "default")
NAN_FLAGS = frozenset(_FLAGS)
"""Words that keep or skip NaN."""
SUMS = NAN_FLAGS | frozenset(_TYPES)
"""Words of sums: NaN flags and the class of the result."""
SCANS = NAN_FLAGS | {"forward", "reverse"}
"""Words of running sums and extremes."""
NO_WORDS: frozenset[str] = frozenset()


@record
class Along:
    """What to reduce.

    Attributes:
        axes: 0-based axes; empty for none beyond the array's own.
        omit_nan: True to skip NaN.
        out_type: ``default``, ``double`` or ``native``.
        explicit: True when the user named the dimensions.
        words: other option words, in lower case.
    """

    axes: tuple[int, ...]
    omit_nan: bool = False
    out_type: str = "default"
    explicit: bool = False
    words: tuple[str, ...] = ()


def first_axis(shape: tuple[int, ...]) -> int:
    """The first dimension whose size is not one, from 0; 0 if there is none."""
    for axis, extent in enumerate(shape):  # a generator takes five times longer
        if extent != 1:
            return axis
    return 0


def dimension(v: Value) -> int:
    """A dimension argument as a 0-based axis."""
    a = as_array(v)
    if a.size != 1 or a.dtype.kind not in "fiub" or float(a.flat[0]) < 1 or float(a.flat[0]) % 1:
        text = "Dimension argument must be a positive integer scalar within indexing range."
        raise MatlabError("MATLAB:getdimarg:dimensionMustBePositiveInteger", text)
    return int(a.flat[0]) - 1


def dimension_list(v: Value) -> tuple[int, ...]:
    """A dimension or vector of dimensions as sorted 0-based axes."""
    dims = [dimension(np.asarray(d)) for d in as_array(v).ravel()]
    if not dims or len(set(dims)) != len(dims):
        text = "Vector of dimensions must contain unique positive integers."
        raise MatlabError("MATLAB:getdimarg:vecDimsMustBeUniquePositiveIntegers", text)
    return tuple(sorted(dims))


def along(
    shape: tuple[int, ...], args: tuple[Value, ...], known: frozenset[str] | None = SUMS
) -> Along:
    """Read ``dim``, ``vecdim``, ``'all'``, NaN flags and type words from trailing arguments.

    Words that are not ``known`` are refused; with None they are left to the caller.
    """
    if not args:
        return _default(shape)
    if len(args) == 1 and type(args[0]) is float and args[0] >= 1 and args[0].is_integer():
        return _only_axis(int(args[0]) - 1)
    axes: tuple[int, ...] | None = None
    omit, out_type = False, "default"
    words: list[str] = []
    for arg in args:
        if not (is_char(arg) and arg != "") and not is_string(arg):
            if axes is not None:
                raise MatlabError("MATLAB:maxrhs", "Too many input arguments.")
            if np.size(as_array(arg)):
                axes = dimension_list(arg)
            continue
        word = text_of(arg).lower()
        if known is not None and word not in known and word != "all":
            text = f"Unknown option '{text_of(arg)}'. Use 'all'"
            text += f" or one of: {', '.join(sorted(known))}." if known else "."
            raise MatlabError("MATLAB:unknownOption", text)
        if word == "all":
            axes = tuple(range(len(shape)))
        elif word in _FLAGS:
            omit = _FLAGS[word] == "omit"
        elif word in _TYPES:
            out_type = word
        else:
            words.append(word)
    explicit = axes is not None
    if axes is None:
        axes = tuple(range(2)) if shape == (0, 0) else (first_axis(shape),)
    return Along(axes, omit, out_type, explicit, tuple(words))


@lru_cache(maxsize=256)
def _default(shape: tuple[int, ...]) -> Along:
    return Along(tuple(range(2)) if shape == (0, 0) else (first_axis(shape),))


@lru_cache(maxsize=16)
def _only_axis(axis: int) -> Along:
    return Along((axis,), explicit=True)


def is_plain_array(a: Value) -> TypeGuard[Array]:
    """True for a real double array that is no lazy one."""
    return type(a) is np.ndarray and a.dtype.char == "d"


def is_plain_vector(a: Value) -> TypeGuard[Array]:
    """True for what reductions meet most: a small real double row or column with elements."""
    return (
        type(a) is np.ndarray
        and a.dtype.char == "d"
        and a.ndim == 2
        and 1 in a.shape
        and a.size > 0
    )


def is_logical_vector(a: Value) -> TypeGuard[Array]:
    """True for a logical row or column with elements that is no lazy one."""
    return (
        type(a) is np.ndarray
        and a.dtype.char == "?"
        and a.ndim == 2
        and 1 in a.shape
        and a.size > 0
    )


def inside(axes: tuple[int, ...], ndim: int) -> tuple[int, ...]:
    """The axes the array really has; the others have size one."""
    return tuple(a for a in axes if a < ndim)


def merge_axes(a: Array, axes: tuple[int, ...]) -> Array:
    """``a`` with ``axes`` merged into one last axis (for medians and sorts over several)."""
    axes = inside(axes, a.ndim)
    kept = [i for i in range(a.ndim) if i not in axes]
    moved = a.transpose(*kept, *axes)
    count = math.prod(a.shape[i] for i in axes)
    return moved.reshape(*(a.shape[i] for i in kept), count, order="F")


def kept_shape(shape: tuple[int, ...], axes: tuple[int, ...]) -> tuple[int, ...]:
    """``shape`` with ``axes`` set to one."""
    return tuple(1 if i in axes else n for i, n in enumerate(shape))
