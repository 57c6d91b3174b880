"""Builtins of a few plain values called from loops, without the general dispatch.

Each gives None where it has no quick answer; the general function is called then.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any, TypeGuard

import numpy as np

from app.engine.capture.lazy_limits import Limits
from app.engine.interpreter.file_table import write_text
from app.engine.values import (
    EMPTY,
    Array,
    Cell,
    CharArray,
    Struct,
    StructArray,
    Value,
    numel,
    size_of,
    unwrap,
)
from app.engine.values.print_formats import render_scalars
from app.engine.values.random_stream import stream_of

Callee = Callable[..., Value]
_SMALL = 17.0
_PLAIN = frozenset((float, bool, complex, str, np.ndarray, CharArray, Cell, Struct, StructArray))


def _mod(a: float, b: float) -> float | None:
    if b and a.is_integer() and b.is_integer():
        return a % b + 0.0
    return None


def _rem(a: float, b: float) -> float | None:
    if b and a.is_integer() and b.is_integer():
        r = abs(a) % abs(b)
        return -r if a < 0 and r else r
    return None


def _max(a: float, b: float) -> float | None:
    return a if a >= b else b if b > a else None


def _min(a: float, b: float) -> float | None:
    return a if a <= b else b if b < a else None


def _whole_number_function(
    function: Callable[[int, int], int], least: float
) -> Callable[[float, float], Value]:
    """``function`` of two whole numbers that doubles hold exactly, none below ``least``."""

    def quick(a: float, b: float) -> float | None:
        if least <= a < _EXACT and least <= b < _EXACT and a.is_integer() and b.is_integer():
            return float(function(int(a), int(b)))
        return None

    return quick


_EXACT = 2.0**53


PAIRS: dict[str, Callable[[float, float], Value | None]] = {
    "mod": _mod,
    "rem": _rem,
    "max": _max,
    "min": _min,
    "gcd": _whole_number_function(math.gcd, -_EXACT),
    "bitand": _whole_number_function(operator.and_, 0.0),
    "bitor": _whole_number_function(operator.or_, 0.0),
    "bitxor": _whole_number_function(operator.xor, 0.0),
}
"""Functions of two doubles."""


def _isempty(x: Value) -> Value | None:
    return numel(x) == 0 if type(x) in _PLAIN else None


def _numel(x: Value) -> Value | None:
    return float(numel(x)) if type(x) in _PLAIN else None


def _length(x: Value) -> Value | None:
    if type(x) not in _PLAIN:
        return None
    shape = size_of(x)
    return 0.0 if 0 in shape else float(max(shape))


def _ischar(x: Value) -> Value | None:
    return type(x) is str or type(x) is CharArray if type(x) in _PLAIN else None


def _abs(x: Value) -> Value | None:
    try:
        return abs(x) if type(x) is float or type(x) is complex else None
    except OverflowError:
        return None


def _is_small_vector(x: Value) -> TypeGuard[Array]:
    """Whether it is a row or column of more than one double or truth value, and of few."""
    return (
        type(x) is np.ndarray
        and x.dtype.kind in "bf"
        and x.ndim == 2
        and 1 in x.shape
        and 1 < x.size < Limits.capture
    )


def _are_few_truths(x: Value) -> TypeGuard[Array]:
    """Whether it is a small matrix of truth values, with several rows and columns."""
    return (
        type(x) is np.ndarray
        and x.dtype.kind == "b"
        and x.ndim == 2
        and min(x.shape) > 1
        and x.size < Limits.capture
    )


def _any(x: Value) -> Value | None:
    """NaN is not looked at: of doubles the general function knows it."""
    if _is_small_vector(x):
        return bool(np.count_nonzero(x)) if x.dtype.kind == "b" else None
    return np.logical_or.reduce(x, 0, keepdims=True) if _are_few_truths(x) else None


def _all(x: Value) -> Value | None:
    if _is_small_vector(x):
        return bool(np.count_nonzero(x) == x.size)
    return np.logical_and.reduce(x, 0, keepdims=True) if _are_few_truths(x) else None


def _find(x: Array) -> Value:
    """The places of elements of a vector that are not zero."""
    places = x.reshape(-1).nonzero()[0] + 1.0
    if places.size == 1:
        return float(places[0])
    return places.reshape(1, -1) if len(x) == 1 else places.reshape(-1, 1)


ANY: dict[str, Callable[[Value], Value | None]] = {
    "any": _any,
    "all": _all,
    "isempty": _isempty,
    "numel": _numel,
    "length": _length,
    "ischar": _ischar,
    "abs": _abs,
}
"""Functions of one value."""


def pair_entry(name: str, general: Callee) -> Callee:
    """``general`` with a quick way for two doubles."""
    quick = PAIRS[name]

    def entry(a: Any = None, b: Any = None, *rest: Value, nargout: int = 1) -> Value:
        if type(a) is float and type(b) is float and not rest and nargout < 2:
            made = quick(a, b)
            if made is not None:
                return made
        given = (a, b, *rest) if b is not None else () if a is None else (a,)
        return general(*given, nargout=nargout)

    return entry


def any_entry(name: str, general: Callee) -> Callee:
    """``general`` with a quick way for one plain value."""
    quick = ANY[name]

    def entry(*args: Value, nargout: int = 1) -> Value:
        if len(args) == 1 and nargout < 2:
            made = quick(args[0])
            if made is not None:
                return made
        return general(*args, nargout=nargout)

    return entry


DRAWS = {"rand": "uniform", "randn": "normal"}
"""Functions that draw random numbers, and of which kind."""


def draw_entry(context: Any, name: str, general: Callee) -> Callee:
    """``general`` with a quick way for one number and for small matrices."""
    kind = DRAWS[name]

    def entry(*args: Value, nargout: int = 1) -> Value:
        if not args:
            return stream_of(context).one(kind)
        rows, columns = args[0], args[-1]
        if (
            type(rows) is float
            and type(columns) is float
            and len(args) < 3
            and (1.0 < rows < _SMALL and 0.0 < columns < _SMALL)
            and rows.is_integer()
            and columns.is_integer()
        ):
            made = stream_of(context).few(kind, int(rows), int(columns))
            if made is not None:
                return made
        return general(*args, nargout=nargout)

    return entry


def _zeros(rows: int, columns: int) -> Array:
    return np.zeros((rows, columns), order="F")


def _ones(rows: int, columns: int) -> Array:
    return np.ones((rows, columns), order="F")


def _eye(rows: int, columns: int) -> Array:
    return np.eye(rows, columns, order="F")


def _nan(rows: int, columns: int) -> Array:
    return np.full((rows, columns), np.nan, order="F")


FILLED = {"zeros": _zeros, "ones": _ones, "eye": _eye, "NaN": _nan, "nan": _nan}
"""Functions that make a matrix of a size."""


def filled_entry(name: str, general: Callee) -> Callee:
    """``general`` with a quick way for small matrices of double, by one number or two."""
    made = FILLED[name]

    def entry(*args: Value, nargout: int = 1) -> Value:
        if 0 < len(args) < 3:
            rows, columns = args[0], args[-1]
            if (
                type(rows) is float
                and type(columns) is float
                and 0.0 < rows < _EXACT
                and 0.0 < columns < _EXACT
                and rows * columns < Limits.capture
                and rows.is_integer()
                and columns.is_integer()
            ):
                return unwrap(made(int(rows), int(columns)))
        return general(*args, nargout=nargout)

    return entry


def find_entry(general: Callee) -> Callee:
    """``find`` with a quick way for vectors: all places, or the first."""

    def entry(*args: Value, nargout: int = 1) -> Value:
        if nargout < 2 and args and _is_small_vector(args[0]):
            if len(args) == 1:
                return _find(args[0])
            if len(args) == 2 and type(args[1]) is float and args[1] == 1.0:
                truth = args[0].reshape(-1).astype(bool)
                place = int(truth.argmax())
                if truth[place]:
                    return place + 1.0
        return general(*args, nargout=nargout)

    return entry


def sum_entry(general: Callee) -> Callee:
    """``sum`` with a quick way for small matrices of numbers, maybe along a dimension."""

    def entry(*args: Value, nargout: int = 1) -> Value:
        count = len(args)
        if 0 < count < 3 and type(args[0]) is np.ndarray and nargout < 2:
            x = args[0]
            if x.dtype.char in _SUMMED and x.ndim == 2 and 0 < x.size < Limits.capture:
                along = args[1] if count == 2 else 2.0 if len(x) == 1 else 1.0
                if type(along) is float and (along in {1.0, 2.0}):
                    made = np.add.reduce(x, int(along) - 1, _DOUBLE, keepdims=True)
                    return made.item() if made.size == 1 else made
        return general(*args, nargout=nargout)

    return entry


_SUMMED = frozenset("d?bBhHiI")
"""Classes whose sums are doubles, exact ones where they are no doubles."""

_DOUBLE = np.dtype(np.float64)


def reshape_entry(general: Callee) -> Callee:
    """``reshape`` with a quick way for small arrays of doubles and truths by two numbers.

    One of them may be left open as ``[]``.
    """

    def entry(*args: Value, nargout: int = 1) -> Value:
        if len(args) == 3:
            x, rows, columns = args
            if type(x) is np.ndarray:
                if rows is EMPTY and type(columns) is float and columns > 0.0:
                    rows = x.size / columns
                elif columns is EMPTY and type(rows) is float and rows > 0.0:
                    columns = x.size / rows
            if (
                type(x) is np.ndarray
                and type(rows) is type(columns) is float
                and x.dtype.kind in "bf"
                and (rows > 0.0 and rows * columns == x.size)
                and 1 < x.size < Limits.capture
                and rows.is_integer()
                and columns.is_integer()
            ):
                return x.reshape((int(rows), int(columns)), order="F")
        return general(*args, nargout=nargout)

    return entry


def size_entry(general: Callee) -> Callee:
    """``size`` with a quick way for plain values: all of it, one dimension, rows and columns."""

    def entry(*args: Value, nargout: int = 1) -> Value:
        if 0 < len(args) < 3 and type(args[0]) in _PLAIN:
            shape = size_of(args[0])
            if len(args) == 2:
                axis = args[1]
                if nargout < 2 and type(axis) is float and axis.is_integer() and axis >= 1.0:
                    return float(shape[int(axis) - 1]) if axis <= len(shape) else 1.0
            elif len(shape) == 2 and nargout < 3:
                rows, columns = float(shape[0]), float(shape[1])
                return (rows, columns) if nargout == 2 else np.array([[rows, columns]])
        return general(*args, nargout=nargout)

    return entry


def sprintf_entry(general: Callee) -> Callee:
    """``sprintf`` with a quick way for scalars."""

    def entry(*args: Value, nargout: int = 1) -> Value:
        if len(args) > 1 and type(args[0]) is str:
            made = render_scalars(args[0], args[1:])
            if made is not None:
                return made
        return general(*args, nargout=nargout)

    return entry


def fprintf_entry(context: Any, general: Callee) -> Callee:
    """``fprintf`` with a quick way for scalars, to the command window or a file."""

    def entry(*args: Value, nargout: int = 1) -> Value:
        if nargout == 0 and len(args) > 1:
            first, second = args[0], args[1]
            if type(first) is str:
                made = render_scalars(first, args[1:])
                if made is not None:
                    context.write(made)
                    return None
            elif type(first) is float and type(second) is str and first.is_integer():
                made = render_scalars(second, args[2:])
                if made is not None:
                    write_text(context, int(first), made)
                    return None
        return general(*args, nargout=nargout)

    return entry


ENTRIES: dict[str, Callable[[Callee], Callee]] = {
    "find": find_entry,
    "reshape": reshape_entry,
    "size": size_entry,
    "sum": sum_entry,
    "sprintf": sprintf_entry,
}
"""Functions with a quick way of their own."""


def quick_entry(context: Any, name: str, general: Callee) -> Callee | None:
    """``general`` with a quick way where the builtin has one."""
    if name in PAIRS:
        return pair_entry(name, general)
    if name in DRAWS:
        return draw_entry(context, name, general)
    if name in ANY:
        return any_entry(name, general)
    if name in FILLED:
        return filled_entry(name, general)
    if name in ENTRIES:
        return ENTRIES[name](general)
    return fprintf_entry(context, general) if name == "fprintf" else None
