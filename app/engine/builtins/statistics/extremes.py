"""Largest and smallest values: max, min, their cumulative forms and bounds."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from app.accel.numerics.equal_extremes import first_of_equal
from app.engine.arguments.checks import NUMBERS, takes
from app.engine.arguments.dimensions import NAN_FLAGS, SCANS, Along, along, inside, is_plain_vector
from app.engine.builtins.statistics import statistic_forms
from app.engine.declarations.device_support import Custom, term_form
from app.engine.declarations.registry import builtin
from app.engine.operators import operator_overloads
from app.engine.operators.arithmetic import PLAIN, cast, float_operands, integer_class
from app.engine.operators.elementwise import wrong_input
from app.engine.operators.expansion import align
from app.engine.values import (
    EMPTY,
    Array,
    SparseMatrix,
    Value,
    as_array,
    canonical,
    is_text_scalar,
    numel,
    text_of,
    unwrap,
)
from app.errors import MatlabError

_FAMILY = "reductions"


def _forms(name: str) -> tuple[str, ...]:
    return (
        f"M = {name}(A)",
        f"[M, I] = {name}(A)",
        f"[M, I] = {name}(A, [], dim)",
        f"M = {name}(A, [], 'all')",
        f"M = {name}(..., 'ComparisonMethod', m)",
        f"C = {name}(A, B)",
        f"M = {name}(..., 'includenan')",
    )


def _device(name: str) -> Any:
    def form(args: tuple[Value, ...], nargout: int) -> Any:
        from app.engine.capture.reduce_capture import extreme

        return extreme(name, args, nargout)

    return Custom(form, expands=True)


def _extreme(name: str, a: Value, args: tuple[Value, ...], nargout: int) -> Value:
    quick = _of_few(name, a, args, nargout)
    if quick is not None:
        return quick
    if type(a) is float and not args:
        return a, 1.0
    for v in (a, *args[:1]):
        if type(v) not in PLAIN and not isinstance(v, SparseMatrix):
            result = operator_overloads.overload_result(name, a, *args)
            if result is NotImplemented:
                raise wrong_input(name, v)
            return result
    if len(args) == 1 or (args and numel(args[0]) and type(args[0]) is not str):
        return _of_two(name, a, args, nargout)
    x = as_array(a)
    how = along(x.shape, _without_method(args), NAN_FLAGS | {"linear"})
    linear = "linear" in how.words
    if x.shape == (0, 0) and not how.explicit:
        return (EMPTY if x.dtype.kind in "bf" and x.dtype != np.float32 else x), EMPTY
    include = any(type(v) is str and v.startswith("include") for v in args)
    key = _key(args)
    if key is None or not x.size:
        return _extreme_along(name, x, how, include, nargout, linear=linear)

    def places(*, linear: bool) -> Value:
        made = _extreme_along(name, key(x), how, include, 2, linear=linear)
        assert isinstance(made, tuple)
        return made[1]

    return _by_key(x, places, nargout, linear=linear)


def _of_two(name: str, a: Value, args: tuple[Value, ...], nargout: int) -> Value:
    """The larger or smaller elements of two arrays."""
    if nargout > 1:
        text = (
            f"{name.upper()} with two matrices to compare and two output arguments "
            "is not supported."
        )
        raise MatlabError(f"MATLAB:{name}:TwoInTwoOutCaseNotSupported", text)
    if any(not is_text_scalar(v) for v in args[1:]):
        text = f"{name.upper()} with two matrices to compare and a working dimension is not "
        raise MatlabError(f"MATLAB:{name}:caseNotSupported", text + "supported.")
    x, y = as_array(a), as_array(args[0])
    include = along(x.shape, _without_method(args[1:]), NAN_FLAGS).omit_nan is False and any(
        is_text_scalar(v) and text_of(v).lower().startswith("include") for v in args[1:]
    )
    key = _key(args[1:])
    if key is None:
        return _pairwise(name, x, y, include)
    first = key(x) >= key(y) if name == "max" else key(x) <= key(y)
    return canonical(np.where(first, x, y))


def _method_at(args: Sequence[Value]) -> int:
    """Where the option ComparisonMethod stands; behind the end where it does not."""
    named = (
        k
        for k, v in enumerate(args)
        if is_text_scalar(v) and text_of(v).lower() == "comparisonmethod"
    )
    return next(named, len(args))


def _without_method(args: Sequence[Value]) -> tuple[Value, ...]:
    """Dimensions and flags: no placeholder, no ComparisonMethod and its value."""
    at = _method_at(args)
    return tuple(v for v in (*args[:at], *args[at + 2 :]) if not _is_placeholder(v))


def _key(args: Sequence[Value]) -> Callable[[Array], Array] | None:
    """What elements are compared by, where a ComparisonMethod names it."""
    keys: dict[str, Callable[[Array], Array] | None] = {
        "auto": None,
        "abs": np.abs,
        "real": np.real,
    }
    value = args[_method_at(args) + 1 :][:1]
    if not value:
        return None
    word = text_of(value[0]).lower() if is_text_scalar(value[0]) else ""
    if word not in keys:
        raise MatlabError(
            "MATLAB:unknownOption", f"ComparisonMethod must be one of: {', '.join(keys)}."
        )
    return keys[word]


def _by_key(x: Array, places: Callable[..., Value], nargout: int, *, linear: bool) -> Value:
    """The elements whose keys are extreme, and where they are."""
    everywhere = places(linear=True)
    values = canonical(x.ravel(order="F")[as_array(everywhere).astype(np.int64) - 1])
    return values, everywhere if linear or nargout < 2 else places(linear=False)


def _of_few(name: str, a: Value, args: tuple[Value, ...], nargout: int) -> Value | None:
    """Extremes of a plain vector, of a matrix's lines, or of arrays and numbers; else None."""
    if not args and is_plain_vector(a):
        return _of_vector(name, a, nargout)
    if type(a) is not np.ndarray or a.dtype.char not in _ORDERED or a.ndim != 2:
        return None
    doubles = a.dtype.char == "d"
    function = np.fmax if name == "max" else np.fmin
    if len(args) == 1:
        b = args[0]
        if a.size < 2 or nargout > 1:
            return None
        if type(b) is np.ndarray and b.dtype == a.dtype and b.shape == a.shape:
            return function(a, b)
        return function(a, b) if doubles and type(b) is float else None
    axis = 0.0 if not args else (args[1] if len(args) == 2 and _is_placeholder(args[0]) else None)
    if type(axis) is not float or axis not in (0.0, 1.0, 2.0):
        return None
    lines, along = min(a.shape), int(axis) - 1 if axis else int(len(a) == 1)
    if lines < (2 if doubles else 1):
        return None
    if nargout < 2:
        found: Array = function.reduce(a, axis=along, keepdims=True)
        return np.asarray(first_of_equal(found, a, (along,)))
    return _of_lines(name, a, along) if lines > 1 else None


_ORDERED = frozenset("dbBhHiI")
"""Classes whose numbers are compared as they are."""


def _of_lines(name: str, a: Array, axis: int) -> Value | None:
    """Extremes along an axis of a matrix and their places; None where NaN has to be looked at."""
    places = a.argmax(axis) if name == "max" else a.argmin(axis)
    across = _across(places.size)
    values = a[across, places] if axis else a[places, across]
    if a.dtype.char == "d" and np.isnan(values).any():  # NaN comes first here
        return None
    shape = (-1, 1) if axis else (1, -1)
    return values.reshape(shape), (places + 1.0).reshape(shape)


@lru_cache(maxsize=32)
def _across(count: int) -> Array:
    """The numbers of the lines."""
    return np.arange(count)


def _of_vector(name: str, a: Array, nargout: int) -> Value:
    """The extreme of a row or column; None where its place has to look at NaN."""
    if nargout < 2:
        return _of_elements(np.fmax if name == "max" else np.fmin, a)
    place = int(a.argmax() if name == "max" else a.argmin())
    value = a.item(place)  # of a vector all orders are one
    return None if math.isnan(value) else (value, place + 1.0)  # NaN comes first here


def _of_elements(ufunc: np.ufunc, a: Array) -> float:
    """The extreme of a row or column."""
    found = float(ufunc.reduce(a, axis=None))
    if found != 0:
        return found
    return float(first_of_equal(np.full((1, 1), found), a, (0, 1)).item())


def _is_placeholder(v: Value) -> bool:
    return type(v) is np.ndarray and v.size == 0


def _pairwise(name: str, x: Array, y: Array, include: bool) -> Value:
    kinds = x.dtype.kind + y.dtype.kind
    integers = integer_class(x, y) if "i" in kinds or "u" in kinds else None
    x, y = align(x, y)
    if integers is not None:
        x, y = cast(x, integers), cast(y, integers)
    elif kinds == "bb":
        x, y = x.astype(np.float64), y.astype(np.float64)
    else:
        x, y = float_operands(x, y)
    if "c" in kinds:
        wanted = _complex_less(x, y) == (name == "min")
        no_x, no_y = np.isnan(x), np.isnan(y)
        first = no_x | (wanted & ~no_y) if include else no_y | (wanted & ~no_x)
        return canonical(np.where(first, x, y))
    ufuncs = {"max": (np.fmax, np.maximum), "min": (np.fmin, np.minimum)}
    return unwrap(np.asarray(ufuncs[name][include](x, y)))


def _complex_less(x: Array, y: Array) -> Array:
    size_x, size_y = np.abs(x), np.abs(y)
    return np.asarray((size_x < size_y) | ((size_x == size_y) & (np.angle(x) < np.angle(y))))


def _extreme_along(
    name: str, x: Array, how: Along, include: bool, nargout: int, *, linear: bool
) -> Value:
    axes = inside(how.axes, x.ndim)
    if x.size == 0 and axes:
        shape = tuple(0 if i in axes else n for i, n in enumerate(x.shape))
        shape = tuple(1 if i in axes and x.shape[i] else n for i, n in enumerate(shape))
        return np.zeros(shape, dtype=x.dtype), np.zeros(shape)
    if not axes:
        return unwrap(x), unwrap(np.ones(x.shape))
    if nargout < 2 and x.dtype.kind != "c":
        return canonical(_values(name, x, axes, include=include))
    if len(axes) > 1:
        return _over_several(name, x, axes, include, linear=linear)
    index = _positions(name, x, axes[0], include)
    values = np.take_along_axis(x, index, axis=axes[0])
    shown = _linear_index(x.shape, index, axes[0]) if linear else index + 1.0
    return canonical(values), canonical(shown)


def _linear_index(shape: tuple[int, ...], index: Array, axis: int) -> Array:
    grid: list[Array] = list(np.indices(index.shape))
    grid[axis] = index
    return np.asarray(np.ravel_multi_index(tuple(grid), shape, order="F") + 1.0)


def _values(name: str, x: Array, axes: tuple[int, ...], *, include: bool) -> Array:
    if x.dtype.kind != "f" or include:
        ufunc: Any = np.maximum if name == "max" else np.minimum
    else:
        ufunc = np.fmax if name == "max" else np.fmin
    found = ufunc.reduce(x, axis=axes, keepdims=True)
    return np.asarray(first_of_equal(found, x, axes))


def _positions(name: str, x: Array, axis: int, include: bool) -> Array:
    """The first position of the extreme along an axis, NaN skipped (or preferred)."""
    key = np.abs(x) if x.dtype.kind == "c" else x
    if key.dtype.kind == "f":
        away = -np.inf if (name == "max") != include else np.inf
        missing = np.isnan(x)
        if missing.any():
            key = np.where(missing, away, key)
            if not include:
                key = _prefer_numbers(key, missing, away, axis)
        if x.dtype.kind == "c":
            key = _by_angle(name, key, np.where(missing, away, np.angle(x)), axis)
    pick = np.argmax if name == "max" else np.argmin
    return np.asarray(pick(key, axis=axis, keepdims=True))


def _prefer_numbers(key: Array, missing: Array, away: float, axis: int) -> Array:
    """Where every number equals the stand-in for NaN, keep the position of the number."""
    best = (key == away).all(axis=axis, keepdims=True) & ~missing.all(axis=axis, keepdims=True)
    if not best.any():
        return key
    return np.where(best & ~missing, 0.0, key)


def _by_angle(name: str, sizes: Array, angles: Array, axis: int) -> Array:
    """What decides among complex numbers: the angles of those of the extreme size."""
    reduce, least = (np.max, -np.inf) if name == "max" else (np.min, np.inf)
    return np.where(sizes == reduce(sizes, axis=axis, keepdims=True), angles, least)


def _over_several(
    name: str, x: Array, axes: tuple[int, ...], include: bool, *, linear: bool
) -> Value:
    if len(axes) != x.ndim:
        moved = np.moveaxis(x, axes, range(len(axes)))
        rest = moved.shape[len(axes) :]
        flat = moved.reshape((-1, *rest), order="F")
        index = _positions(name, flat, 0, include)
        values = np.take_along_axis(flat, index, axis=0)
        shape = tuple(1 if i in axes else n for i, n in enumerate(x.shape))
        if linear:
            every = np.arange(x.size).reshape(x.shape, order="F")
            every = np.moveaxis(every, axes, range(len(axes)))
            index = np.take_along_axis(every.reshape(flat.shape, order="F"), index, axis=0)
        return canonical(values.reshape(shape, order="F")), unwrap(
            (index + 1.0).reshape(shape, order="F")
        )
    flat = x.reshape(-1, 1, order="F")
    index = _positions(name, flat, 0, include)
    return canonical(flat[index[0]]), unwrap(index + 1.0)


@builtin(
    "max",
    scalar=lambda x: x,
    category=_FAMILY,
    signatures=_forms("max"),
    device=_device("max"),
    cases=(
        "max([1 5 3]) == 5",
        "isequal(max([1 2; 3 0]), [3 2])",
        "isequal(max(2, [1 3]), [2 3])",
        "max([NaN 1]) == 1",
        "isempty(max([]))",
        "max([1 2; 3 4], [], 'all') == 4",
    ),
    see=("min", "cummax", "sort"),
)
def max_(a: Value, *args: Value, nargout: int = 1) -> Value:
    """Largest elements and where they are; NaN is skipped. ``max(A, B)`` compares elements."""
    if len(args) == 1 and type(a) is float and type(args[0]) is float:
        b = args[0]
        return a if a >= b or math.isnan(b) else b
    if not args and nargout < 2 and is_plain_vector(a):
        return _of_elements(np.fmax, a)
    return _extreme("max", a, args, nargout)


@builtin(
    "min",
    scalar=lambda x: x,
    category=_FAMILY,
    signatures=_forms("min"),
    device=_device("min"),
    cases=("min([4 1 3]) == 1", "isequal(min([1 2; 3 0], [], 2), [1; 0])", "min([NaN 1]) == 1"),
    see=("max", "cummin"),
)
def min_(a: Value, *args: Value, nargout: int = 1) -> Value:
    """Smallest elements and where they are; NaN is skipped. ``min(A, B)`` compares elements."""
    if len(args) == 1 and type(a) is float and type(args[0]) is float:
        b = args[0]
        return a if a <= b or math.isnan(b) else b
    if not args and nargout < 2 and is_plain_vector(a):
        return _of_elements(np.fmin, a)
    return _extreme("min", a, args, nargout)


@builtin(
    "bounds",
    category=_FAMILY,
    signatures=("[S, L] = bounds(A)", "[S, L] = bounds(A, dim)"),
    device=term_form(statistic_forms.bounds),
    cases=("bounds([3 1 2]) == 1",),
    see=("max", "min"),
)
@takes(NUMBERS)
def bounds(a: Value, *args: Value) -> Value:
    """Smallest and largest elements."""
    rest = (EMPTY, *args) if args else ()
    low, high = _extreme("min", a, rest, 1), _extreme("max", a, rest, 1)
    first = [canonical(as_array(v[0] if isinstance(v, tuple) else v)) for v in (low, high)]
    return first[0], first[1]


def _running(name: str, a: Value, args: tuple[Value, ...], nargout: int) -> Value:
    x = as_array(a)
    if x.dtype.kind == "b":
        x = x.astype(np.float64)
    how = along(x.shape, args, SCANS)
    axis = how.axes[0]
    if axis >= x.ndim or x.size == 0:
        return unwrap(x), unwrap(np.ones(x.shape))
    flipped = np.flip(x, axis) if "reverse" in how.words else x
    ufunc = np.fmax if name == "max" else np.fmin
    values = ufunc.accumulate(flipped, axis=axis)
    index = _running_index(flipped, values, axis) if nargout > 1 else np.ones(x.shape)
    if "reverse" in how.words:
        values, index = np.flip(values, axis), x.shape[axis] + 1 - np.flip(index, axis)
    return unwrap(values), unwrap(index)


def _running_index(x: Array, values: Array, axis: int) -> Array:
    """1-based place where the running extreme was first reached."""
    new = np.ones(x.shape, dtype=bool)
    later = tuple(slice(1, None) if i == axis else slice(None) for i in range(x.ndim))
    before = tuple(slice(None, -1) if i == axis else slice(None) for i in range(x.ndim))
    previous = values[before]
    new[later] = (values[later] != previous) & ~np.isnan(values[later])
    shape = [1] * x.ndim
    shape[axis] = -1
    places = np.where(new, np.arange(1.0, x.shape[axis] + 1).reshape(shape), 1.0)
    return np.asarray(np.maximum.accumulate(places, axis=axis))


@builtin(
    "cummax",
    category=_FAMILY,
    signatures=("M = cummax(A)", "[M, I] = cummax(A, dim)"),
    device=term_form(statistic_forms.cummax),
    cases=("isequal(cummax([1 3 2]), [1 3 3])",),
    see=("max", "cummin"),
)
def cummax(a: Value, *args: Value, nargout: int = 1) -> Value:
    """Running maximum."""
    return _running("max", a, args, nargout)


@builtin(
    "cummin",
    category=_FAMILY,
    signatures=("M = cummin(A)", "[M, I] = cummin(A, dim)"),
    device=term_form(statistic_forms.cummin),
    cases=("isequal(cummin([3 1 2]), [3 1 1])",),
    see=("min", "cummax"),
)
def cummin(a: Value, *args: Value, nargout: int = 1) -> Value:
    """Running minimum."""
    return _running("min", a, args, nargout)
