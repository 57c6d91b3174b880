"""Elementwise binary arithmetic on the host: MATLAB's classes, saturation and expansion."""

from __future__ import annotations

import cmath
import math
import operator
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from app.accel.numerics.complex_powers import complex_power, real_power
from app.accel.numerics.wide_quotients import wide_quotient
from app.engine.arguments.operation_rules import Rules, mixed_error
from app.engine.capture.lazy_limits import Limits, is_spread, stays_lazy
from app.engine.operators import complex_numbers, operator_overloads
from app.engine.operators.complex_elements import FEW, complex_divide, complex_multiply
from app.engine.operators.expansion import align
from app.engine.values import (
    Array,
    CharArray,
    DeviceArray,
    SparseMatrix,
    Value,
    as_array,
    canonical,
)
from app.errors import MatlabError

F64 = np.dtype(np.float64)
F32 = np.dtype(np.float32)
ND = np.ndarray
PLAIN = frozenset((float, bool, complex, np.ndarray, str, CharArray, DeviceArray))
"""Types that elementwise arithmetic handles without asking anyone."""

WIDE = frozenset((np.dtype(np.int64), np.dtype(np.uint64)))


@dataclass(frozen=True, slots=True, eq=False)
class Operator:
    """An elementwise operator.

    Attributes:
        name: MATLAB function name.
        symbol: how it is written.
        ufunc: its meaning on float arrays of equal class.
        of_doubles: the same where none is complex.
        exact: True when whole numbers give whole numbers (no rounding needed for integers).
        whole: its meaning on Python numbers, where that is exact.
        rounded: its meaning on Python numbers, where that is right for up to 32 bits.
        of_complex: its meaning on scalars of which one is complex, as NumPy rounds it; None where
            arrays must decide.
    """

    name: str
    symbol: str
    ufunc: Callable[..., Array]
    of_doubles: Callable[..., Array]
    exact: bool = True
    whole: Callable[[Any, Any], Any] | None = None
    rounded: Callable[[float, float], float] | None = None
    of_complex: Callable[[complex, complex], complex | None] = complex_numbers.no_meaning


def is_large(*operands: Value) -> bool:
    """True where an operation on these belongs on the acceleration graph."""
    for a in operands:
        if type(a) is DeviceArray or (type(a) is ND and a.size >= Limits.capture):
            return stays_lazy(operands)
    return False


def is_wide(a: Value, b: Value) -> bool:
    """True where ``a op b`` of elements belongs on the graph: for an operand or the result."""
    return is_large(a, b) or (type(a) is ND and type(b) is ND and is_spread(a, b))


def arithmetic(op: Operator, a: Value, b: Value) -> Value:
    """``a op b`` for any operands; scalar doubles were handled by the caller."""
    if (
        type(a) is ND
        and a.dtype == F64
        and a.size < Limits.capture
        and (type(b) is float or (type(b) is ND and b.dtype == F64 and a.shape == b.shape))
    ):
        return op.of_doubles(a, b)
    if type(b) is ND and b.dtype == F64 and b.size < Limits.capture:
        if type(a) is float:
            return op.of_doubles(a, b)
        if type(a) is ND and a.dtype == F64 and a.size < Limits.capture:
            if is_spread(a, b):
                return _of_arrays(op, a, b)
            return canonical(op.of_doubles(*align(a, b)))
    ta, tb = type(a), type(b)
    if ta is SparseMatrix or tb is SparseMatrix:
        return operator_overloads.binary(op.name, op.symbol, a, b)
    quick = _of_few(op, a, b)
    if quick is not None:
        return quick
    if op.whole is not None and ta in ONE_NUMBER and tb in ONE_NUMBER:
        x, y = one_number(a), one_number(b)
        if x is not None and y is not None:
            return op.whole(x, y)
    if (ta is str or tb is str) and ta in _NUMBERS_AND_TEXTS and tb in _NUMBERS_AND_TEXTS:
        return arithmetic(op, _numbers_of(a), _numbers_of(b))
    if ta not in PLAIN or tb not in PLAIN:
        return operator_overloads.binary(op.name, op.symbol, a, b)
    return _of_arrays(op, a, b)


_NUMBERS_AND_TEXTS = frozenset((float, np.ndarray, str))


def _numbers_of(v: Value) -> Value:
    """The codes of a text; other values as they are."""
    if type(v) is not str:
        return v
    return float(ord(v)) if len(v) == 1 else as_array(v)


def _of_few(op: Operator, a: Value, b: Value) -> Value | None:
    """``a op b`` of few integers, truth values, singles and complex numbers; None for all else."""
    if type(a) is ND:
        array, other = a, b
    elif type(b) is ND:
        array, other = b, a
    elif type(a) is complex or type(b) is complex:
        return complex_scalars(op, a, b)
    else:
        return None
    kind, beside = array.dtype.kind, other.dtype.kind if type(other) is ND else ""
    if kind in "iu" or beside in ("i", "u"):
        return _of_integers(op, a, b)
    if kind == "b" or beside == "b" or type(other) is bool:
        return _of_truths(op, a, b)
    if op is POWER or array.size >= Limits.capture:
        return None
    if array.dtype.char == "f":
        alike = type(other) is ND and other.dtype is array.dtype and other.shape == array.shape
        return op.of_doubles(a, b) if alike or type(other) is float else None
    if not _are_complex(array, other):
        return None
    return canonical(op.ufunc(a, b))


def _of_truths(op: Operator, a: Value, b: Value) -> Value | None:
    """``a op b`` of few numbers among which are truth values; None for all else."""
    if op is POWER or not _are_few(a) or not _are_few(b):
        return None
    return arithmetic(op, _truth_as_double(a), _truth_as_double(b))


def _are_few(v: Value) -> bool:
    return type(v) in _NUMBERS or (type(v) is ND and v.size < Limits.capture)


_NUMBERS = frozenset((float, bool, complex))
"""Types of Python that are single numbers."""


def _truth_as_double(v: Value) -> Value:
    """Truth values as doubles; other values as they are."""
    if type(v) is bool:
        return float(v)
    return v.astype(F64) if type(v) is ND and v.dtype.kind == "b" else v


def _are_complex(array: Array, other: Value) -> bool:
    """Whether one is complex and both are double: arrays of one shape, or one and a number."""
    letter = array.dtype.char
    if type(other) is ND:
        return letter + other.dtype.char in _WITH_COMPLEX and array.shape == other.shape
    return letter in "dD" and (type(other) is complex or (type(other) is float and letter == "D"))


_WITH_COMPLEX = frozenset(("dD", "Dd", "DD"))


def _of_integers(op: Operator, a: Value, b: Value) -> Value | None:
    """``a op b`` of single integers, on Python numbers, or few of 32 bits; None for all else."""
    single = not (type(a) is ND and a.size > 1) and not (type(b) is ND and b.size > 1)
    numbers = integer_numbers(a, b) if single else None
    if numbers is None:
        return _of_few_integers(op, a, b)
    x, y, dtype = numbers
    if op.whole is not None and (dtype not in WIDE or type(x) is type(y) is int):
        return integer_value(op.whole(x, y), dtype)
    if op.rounded is not None and dtype not in WIDE:
        return integer_value(op.rounded(float(x), float(y)), dtype)
    return None


_FEW_INTEGERS = 1 << 12
"""Integers that are computed with 64 bits sooner than as doubles."""

_HALF_RANGE = float(1 << 31)


def _of_few_integers(op: Operator, a: Value, b: Value) -> Array | None:
    """``a op b`` of small arrays of up to 32 bits where nothing saturates; None for all else."""
    array = a if type(a) is ND and a.dtype.kind in "iu" else b
    assert type(array) is ND
    dtype = array.dtype
    if dtype.itemsize > 4 or array.size > _FEW_INTEGERS:
        return None
    if op is RDIVIDE:
        if array is b or type(b) is not float or not 1e-9 < abs(b) < math.inf:
            return None
        quotient = array.astype(F64) / b
        wide = (quotient + np.copysign(_BELOW_HALF["d"], quotient)).astype(np.int64)
    else:
        x, y = _widened(a, dtype), _widened(b, dtype)
        if op.whole is None or x is None or y is None:
            return None
        if type(x) is type(y) is ND and x.shape != y.shape:
            return None
        wide = op.of_doubles(x, y)
    made: Array = wide.astype(dtype)
    if array.size <= FEW:
        return made if made.tolist() == wide.tolist() else None
    return None if np.count_nonzero(made.astype(np.int64) != wide) else made


def _widened(v: Value, dtype: object) -> Array | int | None:
    """Integers of a class as those of 64 bits, one of them as a number; None for what is neither
    such nor whole."""
    if type(v) is float:
        return int(v) if v.is_integer() and abs(v) <= _HALF_RANGE else None
    if type(v) is not ND or v.dtype is not dtype:
        return None
    return v.item() if v.size == 1 else v.astype(np.int64)


def _of_arrays(op: Operator, a: Value, b: Value) -> Value:
    """``a op b`` on the graph where an operand or the result is large, else on the host."""
    if is_wide(a, b):
        from app.engine.capture.capture import binary  # of a package it would take twice as long

        lazy = binary(op.name, a, b)
        if lazy is not NotImplemented:
            return lazy
    return host_arithmetic(op, as_array(a), as_array(b))


ONE_NUMBER = frozenset((float, bool, str))
"""Types of which ``one_number`` may make a number."""


def one_number(v: Value) -> float | None:
    """The number that a double, a logical or a single character counts as; None for all else."""
    if type(v) is float or type(v) is bool:
        return float(v)
    return float(ord(v)) if type(v) is str and len(v) == 1 else None


def complex_scalars(op: Operator, a: Value, b: Value) -> Value:
    """The finite result for scalar doubles, as NumPy rounds it; None where arrays must decide."""
    if type(a) not in SCALARS or type(b) not in SCALARS:
        return None
    made = op.of_complex(a, b)  # type: ignore[arg-type]  # they were seen to be numbers
    if made is None or not cmath.isfinite(made):
        return None
    return made if made.imag else made.real


SCALARS = frozenset((float, complex))
"""Types of Python that are scalar doubles, real or complex."""


def host_arithmetic(op: Operator, x: Array, y: Array) -> Value:
    """``x op y`` for arrays."""
    kinds = x.dtype.kind + y.dtype.kind
    if "i" in kinds or "u" in kinds:
        return canonical(integer_arithmetic(op, x, y))
    x, y = float_operands(*align(x, y))
    return canonical(op.ufunc(x, y))


def float_operands(x: Array, y: Array) -> tuple[Array, Array]:
    """Logicals as double; single wins over double."""
    if x.dtype.kind == "b":
        x = x.astype(np.float64)
    if y.dtype.kind == "b":
        y = y.astype(np.float64)
    narrow = x.dtype.char in "fF" or y.dtype.char in "fF"
    return (to_single(x), to_single(y)) if narrow else (x, y)


def to_single(x: Array) -> Array:
    """``x`` in single precision."""
    if x.dtype.char in "fF":
        return x
    return x.astype(np.complex64 if x.dtype.kind == "c" else np.float32)


def integer_class(x: Array, y: Array) -> np.dtype[Any]:
    """The integer class of the result, after MATLAB's checks."""
    x_int, y_int = x.dtype.kind in "iu", y.dtype.kind in "iu"
    if x_int and y_int:
        if x.dtype != y.dtype:
            raise mixed_error()
        return x.dtype
    other = y if x_int else x
    arrays = other.dtype.kind == "f" and 1 not in (x.size, y.size)
    if other.dtype.kind == "c" or (arrays and not Rules.octave):
        raise mixed_error()
    return x.dtype if x_int else y.dtype


def integer_arithmetic(op: Operator, x: Array, y: Array) -> Array:
    """Integer arithmetic: exact, rounded half away from zero, saturated."""
    dtype = integer_class(x, y)  # a class that does not fit is told before a size
    x, y = align(x, y)
    if dtype in WIDE:
        if op is RDIVIDE and (exact := exact_quotient(x, y, dtype)) is not None:
            return exact
        result = op.ufunc(x.astype(np.longdouble), y.astype(np.longdouble))
        return saturate(result, dtype, op.exact and x.dtype == y.dtype)
    if type(op.of_doubles) is np.ufunc:
        result = op.of_doubles(x, y, dtype=np.float64)
    else:
        result = op.ufunc(x.astype(np.float64), y.astype(np.float64))
    if op.exact and _is_whole(x) and _is_whole(y):
        low, high = _bounds(dtype.char, result.dtype.char)
        return np.minimum(np.maximum(result, low), high).astype(dtype)
    certain = op is RDIVIDE and x.dtype.kind != "f" and _is_divisor(y)
    return saturate(result, dtype, certain=certain)


def exact_quotient(
    x: Array, y: Array, dtype: np.dtype[np.integer], how: str = "round"
) -> Array | None:
    """A quotient of integers of 64 bits and whole numbers; None of other numbers, and by a float 0.

    Floats have no halves of large quotients.
    """
    whole = [v if v.dtype == dtype else _as_wide(v, dtype) for v in (x, y)]
    top, bottom = whole
    if top is None or bottom is None or (y.dtype.kind == "f" and not bottom.all()):
        return None
    return np.asarray(wide_quotient(top, bottom, how))


def _as_wide(v: Array, dtype: np.dtype[np.integer]) -> Array | None:
    """Numbers as integers of a class of 64 bits, None where some are none."""
    if v.dtype.kind == "b":
        return v.astype(dtype)
    limits = np.iinfo(dtype)
    inside = (v >= float(limits.min)) & (v < float(limits.max)) & (v == np.floor(v))
    return v.astype(dtype) if inside.all() else None


def _is_divisor(y: Array) -> bool:
    """Whether integers divided by this are all numbers, as far as that is quickly known."""
    return y.size == 1 and y.item() != 0 and math.isfinite(y.item())


def _is_whole(x: Array) -> bool:
    """Whether operands are whole numbers, as far as that is quickly known."""
    return x.dtype.kind != "f" or (x.size == 1 and x.item().is_integer())


def integer_numbers(a: Value, b: Value) -> tuple[float, float, np.dtype[Any]] | None:
    """Two single numbers, whole ones as int, and the integer class of what they give.

    None where neither is of an integer class, and where one is of another class than double.
    """
    if type(a) is ND:
        if a.size != 1 or a.dtype.kind not in "iu":
            return None
        if type(b) is float:
            return a.item(), int(b) if b.is_integer() else b, a.dtype
        if type(b) is ND and b.size == 1 and b.dtype == a.dtype:
            return a.item(), b.item(), a.dtype
    elif type(a) is float and type(b) is ND and b.size == 1 and b.dtype.kind in "iu":
        return int(a) if a.is_integer() else a, b.item(), b.dtype
    return None


def integer_value(x: float, dtype: np.dtype[Any]) -> Array:
    """A number as a single integer of a class."""
    made: Array = np.empty((1, 1), dtype)
    made[0, 0] = whole_number(x, dtype)
    return made


_LIMITS: dict[Any, tuple[int, int]] = {
    np.dtype(n): (int(np.iinfo(n).min), int(np.iinfo(n).max))
    for n in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
}


def whole_number(x: float, dtype: Any) -> int:
    """A number rounded half away from zero and saturated; NaN gives 0."""
    low, high = _LIMITS[dtype]
    if type(x) is float:
        if not -1e300 < x < 1e300:
            return 0 if math.isnan(x) else (high if x > 0 else low)
        size = math.floor(abs(x))
        size += abs(x) - size >= 0.5
        return _clamped_integer(size if x >= 0 else -size, low, high)
    return _clamped_integer(int(x), low, high)


def _clamped_integer(x: int, low: int, high: int) -> int:
    return low if x < low else min(x, high)


def round_away(x: Array) -> Array:
    """Round halves away from zero."""
    half = _BELOW_HALF.get(x.dtype.char)
    if half is not None:
        # The sum is rounded up from a half on.
        return np.asarray(np.trunc(x + np.copysign(half, x)))
    whole = np.rint(x)  # halves to even
    halves = np.abs(x - whole) == 0.5
    return np.where(halves, np.trunc(x) + np.sign(x), whole) if halves.any() else whole


_BELOW_HALF = {
    kind: np.array(np.nextafter(np.array(0.5, kind), np.array(0.0, kind))) for kind in "df"
}
"""The largest number below a half, by class. NumPy takes an array of no dimension, such as these
and `_bounds`, in half the time of a number."""


def saturate(
    x: Array, dtype: np.dtype[Any], whole: bool = False, *, certain: bool = False
) -> Array:
    """Float values as integers: rounded unless ``whole``, clipped to the range, NaN to 0.

    Where it is ``certain`` that none is NaN, nobody looks.
    """
    wide = dtype.itemsize >= min(8, x.dtype.itemsize)
    if not whole:
        half = None if wide else _BELOW_HALF.get(x.dtype.char)
        # The conversion itself cuts off what is behind the point.
        x = round_away(x) if half is None else x + np.copysign(half, x)
    if wide:
        return _saturate_wide(x, dtype)
    low, high = _bounds(dtype.char, x.dtype.char)
    x = np.minimum(np.maximum(x, low), high)
    if certain:
        return x.astype(dtype)
    missing = np.isnan(x)
    return (np.where(missing, 0, x) if np.count_nonzero(missing) else x).astype(dtype)


@lru_cache(maxsize=32)
def _bounds(letter: str, kind: str) -> tuple[Array, Array]:
    """The least and the largest number of an integer class, in a float class that holds them."""
    info = np.iinfo(letter)
    return np.array(info.min, kind), np.array(info.max, kind)


def _saturate_wide(x: Array, dtype: np.dtype[Any]) -> Array:
    """The same where the class of ``x`` cannot hold the largest integer."""
    info = np.iinfo(dtype)
    low, high = x <= float(info.min), x >= float(info.max)
    inside = np.where(low | high | np.isnan(x), 0, x).astype(dtype)
    return np.where(low, dtype.type(info.min), np.where(high, dtype.type(info.max), inside))


def cast(x: Array, dtype: np.dtype[Any]) -> Array:
    """``x`` converted with MATLAB's rules (saturating, rounding) to a real class."""
    if x.dtype == dtype:
        return x
    if dtype.kind in "iu":
        return _to_integer(x, dtype)
    if dtype.kind == "b":
        return np.not_equal(x, 0)
    if x.dtype.kind == "c":
        return x.astype(np.complex64 if dtype == F32 else np.complex128)
    return x.astype(dtype)


def _to_integer(x: Array, dtype: np.dtype[Any]) -> Array:
    if x.dtype.kind == "b":
        return x.astype(dtype)
    if x.dtype.kind in "iu":
        info, source = np.iinfo(dtype), np.iinfo(x.dtype)
        low, high = max(info.min, source.min), min(info.max, source.max)
        return np.clip(x, low, high).astype(dtype)
    if x.dtype.kind == "c":
        raise MatlabError("MATLAB:complexInteger", "Complex integers are not supported.")
    return saturate(x, dtype)


# --- operators whose scalar or complex meaning needs care ----------------------------------


def power_arrays(x: Array, y: Array) -> Array:
    """``x.^y`` for float arrays; complex where a negative base meets a fractional exponent.

    NaN is no fraction: what it gives is NaN, and real.
    """
    if x.dtype.kind == "c" or y.dtype.kind == "c":
        return np.asarray(complex_power(x, y))
    if y.size == 1 and float(y.flat[0]) == np.floor(float(y.flat[0])):
        return np.asarray(np.power(x, y))
    below = x < 0
    if np.count_nonzero(below) and bool(np.any(below & (y > np.floor(y)))):
        wide = np.complex64 if x.dtype == F32 else np.complex128
        return np.asarray(complex_power(x.astype(wide), y))
    return np.asarray(real_power(x, y))


def power_of_doubles(x: Array, b: float) -> Value:
    """``x.^b`` for real doubles and one exponent."""
    if b.is_integer():
        return np.power(x, b)
    if x.size and not np.count_nonzero(x < 0):
        return real_power(x, b)
    return canonical(power_arrays(x, np.array([[b]])))


def scalar_power(a: float, b: float) -> Value:
    """``a^b`` for real scalars."""
    if a != -math.inf:
        try:
            return math.pow(a, b)
        except (ValueError, OverflowError):
            pass
    return canonical(power_arrays(np.array([[a]]), np.array([[b]])))


def scalar_divide(a: float, b: float) -> float:
    """``a/b`` with IEEE results for zero divisors."""
    if b != 0.0:
        return a / b
    if a == 0.0 or math.isnan(a):
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1.0, b)


PLUS = Operator("plus", "+", np.add, np.add, whole=operator.add, of_complex=operator.add)
MINUS = Operator(
    "minus", "-", np.subtract, np.subtract, whole=operator.sub, of_complex=operator.sub
)
TIMES = Operator(
    "times",
    ".*",
    complex_multiply,
    np.multiply,
    whole=operator.mul,
    of_complex=complex_numbers.product,
)
RDIVIDE = Operator(
    "rdivide",
    "./",
    complex_divide,
    np.divide,
    exact=False,
    rounded=scalar_divide,
    of_complex=complex_numbers.quotient,
)
POWER = Operator(
    "power", ".^", power_arrays, power_arrays, exact=False, of_complex=complex_numbers.power
)
