"""Creating arrays: zeros, ones, eye, Inf, NaN, true, false, linspace, logspace, grids."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from app.engine import stoppable
from app.engine.arguments import size_arguments
from app.engine.arguments.checks import NUMBER, NUMBERS, SCALAR, takes
from app.engine.builtins.arrays import creation_forms
from app.engine.capture.device_arrays import device_creator
from app.engine.capture.lazy_limits import LONG, is_captured
from app.engine.declarations.device_support import SELF
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    DeviceArray,
    SparseMatrix,
    Value,
    as_array,
    canonical,
    int_of,
    is_char,
    is_text_scalar,
    numel,
    text_of,
    unwrap,
)
from app.errors import MatlabError

_FAMILY = "creation"


def _forms(name: str) -> tuple[str, ...]:
    return (
        f"A = {name}(n)",
        f"A = {name}(m, n, ...)",
        f"A = {name}(sz)",
        f"A = {name}(..., class)",
        f"A = {name}(..., 'like', p)",
    )


def filled(args: tuple[Value, ...], number: float) -> Value:
    """An array of one number with the size and class that ``args`` ask for."""
    if not args:
        return number
    request = size_arguments.read(args)
    dtype, shape = request.dtype, request.shape
    if type(request.like) is SparseMatrix:
        from app.engine.values import sparse_values

        return sparse_values.from_dense(np.full(shape, number))
    count = math.prod(shape)
    if is_captured(count) or type(request.like) is DeviceArray:
        from app.engine.capture import capture

        lazy = capture.fill(number, shape, dtype)
        if lazy is not NotImplemented:
            return lazy
    size_arguments.check_room(shape, dtype.itemsize)
    if number == 0:
        return unwrap(np.zeros(shape, dtype=dtype, order="F"))
    fill = partial(np.full, shape, number, dtype=dtype, order="F")
    return unwrap(stoppable.of_elements(count, fill))


@builtin(
    "zeros",
    category=_FAMILY,
    signatures=_forms("zeros"),
    device=SELF,
    cases=(
        "isequal(zeros(1, 2), [0 0])",
        "isa(zeros(2, 'int8'), 'int8')",
        "isequal(size(zeros(2, 3, 4)), [2 3 4])",
    ),
    see=("ones", "eye"),
)
@device_creator
def zeros(*args: Value) -> Value:
    """Array of zeros."""
    return filled(args, 0.0)


@builtin(
    "ones",
    category=_FAMILY,
    signatures=_forms("ones"),
    device=SELF,
    cases=("isequal(ones(1, 2), [1 1])", "isequal(ones([2 1]), [1; 1])"),
    see=("zeros",),
)
@device_creator
def ones(*args: Value) -> Value:
    """Array of ones."""
    return filled(args, 1.0)


def _float_only(args: tuple[Value, ...], number: float) -> Value:
    if args and is_char(args[-1]) and text_of(args[-1]) not in ("double", "single", "like"):
        text = "Trailing string input must be 'single' or 'double' or 'like'."
        raise MatlabError("MATLAB:invalidInputClass", text)
    return filled(args, number)


@builtin(
    "NaN",
    category=_FAMILY,
    signatures=_forms("NaN"),
    device=SELF,
    cases=("isnan(NaN)", "all(isnan(NaN(1, 3)))"),
    see=("Inf", "isnan"),
)
@device_creator
def nan(*args: Value) -> Value:
    """Not-a-Number, or an array of it."""
    return _float_only(args, math.nan)


@builtin(
    "nan",
    category=_FAMILY,
    signatures=_forms("nan"),
    device=SELF,
    cases=("isnan(nan)",),
    see=("NaN",),
)
@device_creator
def nan_lower(*args: Value) -> Value:
    """Not-a-Number, or an array of it."""
    return _float_only(args, math.nan)


@builtin(
    "Inf",
    category=_FAMILY,
    signatures=_forms("Inf"),
    device=SELF,
    cases=("Inf > realmax",),
    see=("NaN", "isinf"),
)
@device_creator
def inf(*args: Value) -> Value:
    """Infinity, or an array of it."""
    return _float_only(args, math.inf)


@builtin(
    "inf",
    category=_FAMILY,
    signatures=_forms("inf"),
    device=SELF,
    cases=("inf == Inf",),
    see=("Inf",),
)
@device_creator
def inf_lower(*args: Value) -> Value:
    """Infinity, or an array of it."""
    return _float_only(args, math.inf)


@builtin(
    "NA", category=_FAMILY, signatures=_forms("NA"), device=SELF, cases=("isnan(NA)",), see=("NaN",)
)
def missing_number(*args: Value) -> Value:
    """A missing number (Octave's name); a NaN here."""
    return _float_only(args, math.nan)


def _logical(args: tuple[Value, ...], value: bool) -> Value:
    if not args:
        return value
    like = args[-1] if len(args) >= 2 and is_char(args[-2]) else None
    request = size_arguments.read(args if like is None else args[:-2])
    if type(like) is SparseMatrix:
        from app.engine.values import sparse_values

        return sparse_values.from_dense(np.full(request.shape, value))
    count = math.prod(request.shape)
    if is_captured(count):
        from app.engine.capture import capture

        lazy = capture.fill(float(value), request.shape, np.dtype(np.bool_))
        if lazy is not NotImplemented:
            return lazy
    fill = partial(np.full, request.shape, value, order="F")
    return unwrap(stoppable.of_elements(count, fill))


@builtin(
    "true",
    words="like gpuArray",
    category=_FAMILY,
    signatures=("T = true(n)", "T = true(m, n, ...)", "T = true(..., 'like', p)"),
    device=SELF,
    cases=(
        "true",
        "isequal(true(1, 2), [true true])",
        "issparse(true(2, 'like', sparse(true)))",
    ),
    see=("false",),
)
@device_creator
def true(*args: Value) -> Value:
    """Logical true, or an array of it."""
    return _logical(args, value=True)


@builtin(
    "false",
    words="like gpuArray",
    category=_FAMILY,
    signatures=("F = false(n)", "F = false(m, n, ...)", "F = false(..., 'like', p)"),
    device=SELF,
    cases=("~false", "numel(false(2)) == 4"),
    see=("true",),
)
@device_creator
def false(*args: Value) -> Value:
    """Logical false, or an array of it."""
    return _logical(args, value=False)


@builtin(
    "eye",
    category=_FAMILY,
    signatures=_forms("eye"),
    device=SELF,
    cases=("isequal(eye(2), [1 0; 0 1])", "isequal(eye(1, 2), [1 0])"),
    see=("zeros", "diag"),
)
@device_creator
def eye(*args: Value) -> Value:
    """Identity matrix."""
    request = size_arguments.read(args)
    if len(request.shape) > 2:
        raise MatlabError("MATLAB:eye:ndNotSupported", "N-dimensional arrays are not supported.")
    if math.prod(request.shape) >= LONG:
        lazy = creation_forms.identity(request.shape, request.dtype)
        if lazy is not NotImplemented:
            return lazy
    return unwrap(np.asfortranarray(np.eye(*request.shape, dtype=request.dtype)))


@builtin(
    "linspace",
    words="",
    category=_FAMILY,
    signatures=("y = linspace(a, b)", "y = linspace(a, b, n)"),
    device=SELF,
    cases=("isequal(linspace(0, 1, 3), [0 0.5 1])", "numel(linspace(0, 1)) == 100"),
    see=("colon", "logspace"),
)
def linspace(a: Value, b: Value, n: Value = 100.0) -> Value:
    """Row of n points from a to b, evenly spaced, both ends included."""
    if type(n) is float and math.isfinite(n):
        count = math.floor(n)
    else:
        count = math.floor(float(as_array(n).flat[0].real)) if numel(n) else 100
    if type(a) is float and type(b) is float:
        if 1 < count < LONG and math.isfinite(b - a) and a != -b:
            return _row_of_points(a, b, count)
        lazy = _long_row(a, b, count) if count >= LONG else NotImplemented
        return unwrap(linear_points(a, b, count)) if lazy is NotImplemented else lazy
    x, y = as_array(a), as_array(b)
    if x.size != 1 or y.size != 1:
        raise MatlabError("MATLAB:linspace:scalarInputs", "Inputs must be scalars.")
    first, last = (
        (e.astype(np.float64) if e.dtype.kind in "iub" else e).reshape(1, 1) for e in (x, y)
    )
    points = linear_points(first, last, count)
    single = np.float32 in (x.dtype, y.dtype)
    return canonical(points.astype(np.float32) if single else points)


def _row_of_points(a: float, b: float, count: int) -> Array:
    """Several points between two numbers whose middle is no exact zero; see ``linear_points``."""
    points = np.arange(float(count)).reshape(1, -1)
    points *= (b - a) / (count - 1)
    points += a
    points[0, 0], points[0, -1] = a, b
    return points


def _long_row(a: float, b: float, count: int) -> Value:
    from app.engine.capture import progressions

    return progressions.points(a, b, count)


def linear_points(a: Any, b: Any, count: int) -> Array:
    """``count`` points from a to b; scalars give one row, columns one row each.

    Between a and -a they lie in pairs, with an exact zero in the middle, as in MATLAB.
    """
    if count < 1:
        return np.zeros((1, 0))
    steps = np.arange(float(count)).reshape(1, -1)
    last = max(count - 1, 1)
    if count == 1:
        return np.asarray(b + 0 * steps)
    base: Any
    middle: Any
    if isinstance(a, float):
        base, middle = (0.0, last / 2) if a == -b else (a, 0.0)
    else:
        base, middle = np.where(a == -b, 0, a), np.where(a == -b, last / 2, 0)
    points = np.asarray(base + (steps - middle) * ((b - a) / last))
    if isinstance(a, float) and isinstance(b, float) and not math.isfinite(b - a):
        points = _infinite_points(a, b, count)
    points[:, :1] = a
    points[:, -1:] = b
    return points


def _infinite_points(a: Any, b: Any, count: int) -> Array:
    """Points between ends of which one is not finite: MATLAB's limits."""
    if a == b:
        return np.full((1, count), a)
    points = np.full((1, count), np.nan)
    if a == -b and count % 2 == 1:
        points[0, count // 2] = 0.0
    if np.isfinite(a):
        points[:] = b
    elif np.isfinite(b):
        points[:] = a
    return points


@builtin(
    "logspace",
    category=_FAMILY,
    signatures=("y = logspace(a, b)", "y = logspace(a, b, n)"),
    device=SELF,
    cases=("isequal(logspace(0, 2, 3), [1 10 100])",),
    see=("linspace",),
)
@takes(NUMBERS & SCALAR, NUMBERS & SCALAR, NUMBER)
def logspace(a: Value, b: Value, n: Value = 50.0) -> Value:
    """Row of n points from 10^a to 10^b, evenly spaced in the exponent."""
    low, high = (as_array(v).flat[0] for v in (a, b))
    if np.iscomplexobj(low) or np.iscomplexobj(high):
        first, last = (np.array([[complex(v)]]) for v in (low, high))
        return canonical(np.power(10.0, linear_points(first, last, int_of(n))))
    low, high = float(low), float(high)
    if high == math.pi:
        high = math.log10(math.pi)
    count = int_of(n)
    lazy = _long_row(low, high, count) if count >= LONG else NotImplemented
    if lazy is not NotImplemented:
        from app.engine.operators.operators import power

        return power(10.0, lazy)
    return unwrap(np.power(10.0, linear_points(low, high, count)))


# --- grids ------------------------------------------------------------------------------------


@builtin(
    "meshgrid",
    words="",
    category=_FAMILY,
    signatures=("[X, Y] = meshgrid(x, y)", "[X, Y, Z] = meshgrid(x, y, z)"),
    device=SELF,
    cases=("isequal(meshgrid(1:2), [1 2; 1 2])", "size(meshgrid(1:2, 1:3), 1) == 3"),
    see=("ndgrid",),
)
def meshgrid(
    x: Value, y: Value | None = None, z: Value | None = None, *, nargout: int = 1
) -> Value:
    """Rectangular grids: X varies along columns, Y along rows, Z along pages."""
    if y is None:
        y = x
        z = x if nargout > 2 else None
    if z is None and nargout > 2:
        raise MatlabError("MATLAB:meshgrid:NotEnoughInputs", "Not enough input arguments.")
    if z is None:
        shape: tuple[int, ...] = (numel(y), numel(x))
        return _grid_along_axis(x, 1, shape), _grid_along_axis(y, 0, shape)
    shape = (numel(y), numel(x), numel(z))
    return (
        _grid_along_axis(x, 1, shape),
        _grid_along_axis(y, 0, shape),
        _grid_along_axis(z, 2, shape),
    )


def _grid_along_axis(v: Value, axis: int, shape: tuple[int, ...]) -> Value:
    """The elements of ``v`` along one axis of a grid, the same along all others."""
    line = tuple(n if k == axis else 1 for k, n in enumerate(shape))
    if is_captured(math.prod(shape)):
        from app.engine.capture import shape_capture

        if type(v) is DeviceArray and numel(v):
            return shape_capture.spread_line(v, line, shape)
        lazy = shape_capture.spread_rows(as_array(v).ravel(order="F").reshape(line), shape)
        if lazy is not NotImplemented:
            return lazy
    points = as_array(v).ravel(order="F").reshape(line)
    return canonical(np.array(np.broadcast_to(points, shape), order="F"))


@builtin(
    "ndgrid",
    words="",
    category=_FAMILY,
    signatures=("[X1, X2, ...] = ndgrid(x1, x2, ...)", "[X1, X2, ...] = ndgrid(x)"),
    device=SELF,
    cases=("[X, ~] = ndgrid(1:2); isequal(X, [1 1; 2 2])", "isequal(ndgrid(1:2), [1; 2])"),
    see=("meshgrid",),
)
def ndgrid(*axes: Value, nargout: int = 1) -> Value:
    """Grids in N dimensions: the k-th output varies along dimension k."""
    count = max(nargout, 1) if len(axes) == 1 else len(axes)
    lines = axes * count if len(axes) == 1 else axes
    shape = (*(numel(v) for v in lines), *[1] * (2 - count))
    return tuple(_grid_along_axis(v, k, shape) for k, v in enumerate(lines))


# --- constants --------------------------------------------------------------------------------


def _constant(args: tuple[Value, ...], number: float) -> Value:
    return filled(args, number) if args else number


@builtin("pi", category="constants", signatures=("p = pi",), cases=("abs(sin(pi)) < 1e-15",))
def pi(*args: Value) -> Value:
    """Ratio of a circle's circumference to its diameter."""
    return _constant(args, math.pi)


@builtin("e", category="constants", signatures=("x = e",), cases=("e == exp(1)",))
def euler(*args: Value) -> Value:
    """Base of the natural logarithm (Octave's)."""
    return _constant(args, math.e)


@builtin("i", category="constants", signatures=("z = i",), cases=("i*i == -1",), see=("j",))
def imaginary_i() -> Value:
    """Imaginary unit."""
    return 1j


@builtin("j", category="constants", signatures=("z = j",), cases=("j*j == -1",), see=("i",))
def imaginary_j() -> Value:
    """Imaginary unit."""
    return 1j


@builtin("I", category="constants", signatures=("z = I",), cases=("I*I == -1",), see=("i",))
def imaginary_capital() -> Value:
    """Imaginary unit (Octave's)."""
    return 1j


def _float_class(name: str, args: tuple[Value, ...]) -> type[np.floating]:
    """The class whose limits are asked for: nothing but the name of a class can be asked."""
    if args and not is_text_scalar(args[0]):
        text = f"Invalid input to '{name}'. Its form is x = {name}('single')."
        raise MatlabError(f"MATLAB:{name}:invalidClassName", text)
    return np.float32 if _single_asked(args) else np.float64


def _single_asked(args: tuple[Value, ...]) -> bool:
    """Whether the class is named, or is that of a number after ``'like'``."""
    if not args or not is_text_scalar(args[0]):
        return False
    word = text_of(args[0])
    return word == "single" or (word == "like" and as_array(args[1]).dtype.char in "fF")


@builtin(
    "eps",
    most=2,
    words="single double like",
    category="constants",
    signatures=("d = eps", "d = eps(x)", "d = eps('single')"),
    cases=("eps == 2^-52", "eps(1000) == 2^-43", "eps('single') == 2^-23"),
    see=("realmin", "realmax"),
)
def eps(*args: Value) -> Value:
    """Distance from 1 (or from abs(x)) to the next larger number."""
    if not args:
        return 2.0**-52
    if _single_asked(args):
        return np.array([[np.finfo(np.float32).eps]])
    if is_text_scalar(args[0]):
        return 2.0**-52
    a = as_array(args[0])
    if len(args) > 1:
        return filled(args, 2.0**-52)
    if a.dtype.kind != "f":
        text = "Class must be 'single' or 'double'."
        raise MatlabError("MATLAB:eps:invalidClassName", text)
    return unwrap(np.where(np.isfinite(a), np.spacing(np.abs(a)), a.dtype.type(np.nan)))


@builtin(
    "realmax",
    most=2,
    words="single double like",
    category="constants",
    signatures=("x = realmax", "x = realmax('single')"),
    cases=("realmax * 2 == Inf",),
    see=("realmin", "flintmax"),
)
def realmax(*args: Value) -> Value:
    """Largest finite number."""
    return unwrap(np.array([[np.finfo(_float_class("realmax", args)).max]]))


@builtin(
    "realmin",
    most=2,
    words="single double like",
    category="constants",
    signatures=("x = realmin", "x = realmin('single')"),
    cases=("realmin > 0",),
    see=("realmax", "eps"),
)
def realmin(*args: Value) -> Value:
    """Smallest positive number with full precision."""
    return unwrap(np.array([[np.finfo(_float_class("realmin", args)).tiny]]))


@builtin(
    "flintmax",
    most=2,
    words="single double like",
    category="constants",
    signatures=("x = flintmax", "x = flintmax('single')"),
    cases=("flintmax == 2^53",),
    see=("realmax",),
)
def flintmax(*args: Value) -> Value:
    """Largest whole number up to which all whole numbers are exact."""
    kind = _float_class("flintmax", args)
    return unwrap(np.array([[2 / np.finfo(kind).eps]], dtype=kind))


def _integer_limit(args: tuple[Value, ...], largest: bool) -> Value:
    from app.engine.values import class_of

    name = "int32"
    if len(args) == 2 and is_text_scalar(args[0]) and text_of(args[0]).lower() == "like":
        args = args[1:]
    if args:
        name = text_of(args[0]) if is_text_scalar(args[0]) else class_of(args[0])
    try:
        info = np.iinfo(np.dtype(name))
    except (TypeError, ValueError):
        text = f"Invalid class name '{name}': an integer class is needed."
        raise MatlabError("MATLAB:intmax:invalidClassName", text) from None
    return np.array([[info.max if largest else info.min]], dtype=name)


@builtin(
    "intmax",
    most=2,
    words="int8 int16 int32 int64 uint8 uint16 uint32 uint64 like",
    category="constants",
    signatures=("x = intmax", "x = intmax(class)", "x = intmax('like', v)"),
    cases=("intmax('int8') == 127", "isa(intmax, 'int32')", "intmax('like', int8(3)) == 127"),
    see=("intmin",),
)
def intmax(*args: Value) -> Value:
    """Largest value of an integer class."""
    return _integer_limit(args, largest=True)


@builtin(
    "intmin",
    most=2,
    words="int8 int16 int32 int64 uint8 uint16 uint32 uint64 like",
    category="constants",
    signatures=("x = intmin", "x = intmin(class)", "x = intmin('like', v)"),
    cases=("intmin('int8') == -128",),
    see=("intmax",),
)
def intmin(*args: Value) -> Value:
    """Smallest value of an integer class."""
    return _integer_limit(args, largest=False)
