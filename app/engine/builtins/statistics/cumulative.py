"""Running sums and products, differences and trapezoids."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from app.accel.numerics.running_values import SOME, running
from app.engine import stoppable
from app.engine.arguments.dimensions import SCANS, along, dimension, first_axis, is_plain_vector
from app.engine.arguments.operation_rules import undefined_for_class
from app.engine.builtins.arrays import array_forms
from app.engine.declarations.device_support import Custom, term_form
from app.engine.declarations.registry import builtin
from app.engine.operators.arithmetic import float_operands, saturate
from app.engine.operators.operators import minus
from app.engine.values import (
    Array,
    Value,
    as_array,
    canonical,
    int_of,
    is_numeric_like,
    numel,
    size_of,
    unwrap,
)
from app.errors import MatlabError

_FAMILY = "reductions"


def _differences_on_graph(args: tuple[Value, ...], nargout: int) -> Any:
    from app.engine.capture import shape_capture

    return shape_capture.diff(args, minus)


def _device(name: str) -> Custom:
    def form(args: tuple[Value, ...], nargout: int) -> Any:
        from app.engine.capture import reduce_capture

        return reduce_capture.scan(name, args)

    return Custom(form)


def _scan(name: str, ufunc: Any, a: Value, args: tuple[Value, ...]) -> Value:
    if not args and is_plain_vector(a):
        vector = a.reshape(-1)
        if a.size < SOME:
            return unwrap(ufunc.accumulate(vector).reshape(a.shape))
        return unwrap(stoppable.applied(partial(running, ufunc), vector).reshape(a.shape))
    if not is_numeric_like(a):
        raise undefined_for_class(name, a)
    x = as_array(a)
    how = along(x.shape, args, SCANS)
    axis = how.axes[0]
    if x.dtype.kind == "b":
        x = x.astype(np.float64)
    if axis >= x.ndim or x.size == 0:
        return canonical(x)
    if how.omit_nan:
        x = np.where(np.isnan(x), x.dtype.type(ufunc.identity), x)
    reverse = "reverse" in how.words
    if reverse:
        x = np.flip(x, axis)
    if x.dtype.kind in "iu":
        wide = np.longdouble if x.dtype.itemsize == 8 else np.float64
        result = saturate(ufunc.accumulate(x.astype(wide), axis=axis), x.dtype, whole=True)
    else:
        result = stoppable.applied(ufunc.accumulate, x, axis=axis)
    return canonical(np.flip(result, axis) if reverse else result)


@builtin(
    "cumsum",
    scalar=lambda x: x,
    category=_FAMILY,
    signatures=("B = cumsum(A)", "B = cumsum(A, dim)", "B = cumsum(A, ..., 'reverse')"),
    device=_device("cumsum"),
    cases=(
        "isequal(cumsum([1 2 3]), [1 3 6])",
        "isequal(cumsum([1 2; 3 4]), [1 2; 4 6])",
        "isequal(cumsum([1 2 3], 'reverse'), [6 5 3])",
    ),
    see=("sum", "cumprod"),
)
def cumsum(a: Value, *args: Value) -> Value:
    """Running sum."""
    return _scan("cumsum", np.add, a, args)


@builtin(
    "cumprod",
    scalar=lambda x: x,
    category=_FAMILY,
    signatures=("B = cumprod(A)", "B = cumprod(A, dim)", "B = cumprod(A, ..., 'reverse')"),
    device=_device("cumprod"),
    cases=("isequal(cumprod([1 2 3]), [1 2 6])",),
    see=("prod", "cumsum"),
)
def cumprod(a: Value, *args: Value) -> Value:
    """Running product."""
    return _scan("cumprod", np.multiply, a, args)


@builtin(
    "diff",
    words="",
    category=_FAMILY,
    signatures=("Y = diff(X)", "Y = diff(X, n)", "Y = diff(X, n, dim)"),
    device=Custom(_differences_on_graph),
    cases=(
        "isequal(diff([1 4 9]), [3 5])",
        "isequal(diff([1 4 9], 2), 2)",
        "isempty(diff(5))",
        "isequal(diff([1 2; 4 6]), [3 4])",
    ),
    see=("gradient",),
)
def diff(x: Value, n: Value = 1.0, dim: Value | None = None) -> Value:
    """Differences of neighbours, n times."""
    if dim is None and type(n) is float and is_plain_vector(x) and 1.0 <= n < x.size:
        made = x.reshape(-1)
        for _ in range(int_of(n)):
            made = made[1:] - made[:-1]
        return unwrap(made.reshape((1, -1) if x.shape[0] == 1 else (-1, 1)))
    a = as_array(x)
    order = int_of(n) if numel(n) else 1
    if order < 0:
        text = "Difference order N must be a positive integer scalar."
        raise MatlabError("MATLAB:diff:differenceOrderMustBePositiveInteger", text)
    if a.dtype.kind == "b":
        a = a.astype(np.float64)
    axis = None if dim is None else dimension(dim)
    for _ in range(order):
        at = first_axis(a.shape) if axis is None else axis
        if at >= a.ndim:
            return np.zeros((*a.shape, 0))
        if a.size == 1 or a.shape == (0, 0):
            return np.zeros((0, 0), dtype=a.dtype)
        if a.shape[at] == 0:
            break
        a = _difference(a, at)
    return canonical(a)


def _difference(a: Array, axis: int) -> Array:
    if a.dtype.kind in "iu":
        wide = a.astype(np.longdouble if a.dtype.itemsize == 8 else np.float64)
        return saturate(np.diff(wide, axis=axis), a.dtype, whole=True)
    if a.ndim != 2 or a.dtype.kind == "b":
        return np.diff(a, axis=axis)
    return a[:, 1:] - a[:, :-1] if axis else a[1:] - a[:-1]


def _spacing(name: str, args: tuple[Value, ...]) -> tuple[Value, Array, int]:
    """(x or None, y, axis) from ``(y)``, ``(x, y)`` and ``(x, y, dim)``."""
    if len(args) == 1:
        y = as_array(args[0])
        return None, y, first_axis(y.shape)
    y = as_array(args[1])
    if len(args) == 2 and numel(args[1]) == 1 and numel(args[0]) != 1:
        y = as_array(args[0])
        return None, y, dimension(args[1])
    axis = dimension(args[2]) if len(args) > 2 else first_axis(y.shape)
    extent = y.shape[axis] if axis < y.ndim else 1
    if numel(args[0]) not in (1, extent) and size_of(args[0]) != y.shape:
        text = (
            "Point spacing must be a scalar specifying uniform spacing or a vector of "
            "x-coordinates for each data point."
        )
        raise MatlabError(f"MATLAB:{name}:LengthXmismatchY", text)
    return args[0], y, axis


def _panels(x: Value | None, y: Array, axis: int) -> Array:
    """Areas of the trapezoids along an axis."""
    y = y.astype(np.float64) if y.dtype.kind in "biu" else y
    upper = tuple(slice(1, None) if i == axis else slice(None) for i in range(y.ndim))
    lower = tuple(slice(None, -1) if i == axis else slice(None) for i in range(y.ndim))
    if x is None:
        return np.asarray((y[upper] + y[lower]) / 2)
    a, y = float_operands(as_array(x), y)
    heights = (y[upper] + y[lower]) / 2
    if a.size == 1:
        return np.asarray(heights * a.flat[0])
    if a.shape == y.shape:
        return np.asarray(heights * np.diff(a, axis=axis))
    shape = [1] * y.ndim
    shape[axis] = -1
    return np.asarray(heights * np.diff(a.ravel(order="F")).reshape(shape))


@builtin(
    "trapz",
    words="",
    least=1,
    category="numerical integration",
    signatures=("Q = trapz(Y)", "Q = trapz(X, Y)", "Q = trapz(X, Y, dim)"),
    device=term_form(array_forms.trapz),
    cases=("trapz([1 2 3]) == 4", "trapz([0 2 4], [1 2 3]) == 8"),
    see=("cumtrapz", "integral"),
)
def trapz(*args: Value) -> Value:
    """Integral by the trapezoidal rule."""
    x, y, axis = _spacing("trapz", args)
    if y.shape == (0, 0):
        return 0.0
    if axis >= y.ndim:  # one point has no extent
        return canonical(np.zeros_like(y))
    return canonical(np.sum(_panels(x, y, axis), axis=axis, keepdims=True))


@builtin(
    "cumtrapz",
    words="",
    least=1,
    category="numerical integration",
    signatures=("Q = cumtrapz(Y)", "Q = cumtrapz(X, Y)", "Q = cumtrapz(X, Y, dim)"),
    device=term_form(array_forms.cumtrapz),
    cases=("isequal(cumtrapz([1 2 3]), [0 1.5 4])",),
    see=("trapz",),
)
def cumtrapz(*args: Value) -> Value:
    """Running integral by the trapezoidal rule."""
    x, y, axis = _spacing("cumtrapz", args)
    if y.size == 0:
        return canonical(y)
    if axis >= y.ndim:
        return canonical(np.zeros_like(y))
    areas = np.cumsum(_panels(x, y, axis), axis=axis)
    start = np.zeros([1 if i == axis else n for i, n in enumerate(y.shape)], dtype=areas.dtype)
    return canonical(np.concatenate([start, areas], axis=axis))
