"""NumPy meanings of the elementwise ops, with MATLAB's special values.

Operands already have one dtype. Plain ufuncs are exposed as they are, so that block evaluation
can write into its own buffers. Complex operands follow MATLAB as well: a group that left the
real domain is recomputed with these very functions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias
from typing import cast as typed

import numpy as np

from app.accel.numerics.complex_powers import complex_power, real_power
from app.accel.numerics.complex_products import of_parts, product
from app.accel.numerics.complex_quotients import complex_quotient
from app.accel.numerics.wide_quotients import wide_quotient

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.accel.ir.dtypes import DType

    Array: TypeAlias = Any  # an ndarray; NumPy's own annotations are narrower than its results
    HostFunction: TypeAlias = Callable[..., Array]


def _saturate(wide: Array, dtype: np.dtype[np.generic]) -> Array:
    limits = np.iinfo(typed("np.dtype[np.integer]", dtype))
    return np.clip(wide, limits.min, limits.max).astype(dtype)


def plus(a: Array, b: Array) -> Array:
    """Sum; integers saturate."""
    if a.dtype.kind not in "iu":
        return np.add(a, b)
    if a.dtype.itemsize == 8:
        return _plus64(a, b)
    return _saturate(np.add(a, b, dtype=np.int64), a.dtype)


def _plus64(a: Array, b: Array) -> Array:
    total = np.add(a, b)
    limits = np.iinfo(a.dtype)
    if a.dtype.kind == "u":
        return np.where(total < a, a.dtype.type(limits.max), total)
    over = ((a ^ total) & (b ^ total)) < 0
    return np.where(over, np.where(a < 0, limits.min, limits.max).astype(a.dtype), total)


def minus(a: Array, b: Array) -> Array:
    """Difference; integers saturate."""
    if a.dtype.kind not in "iu":
        return np.subtract(a, b)
    if a.dtype.itemsize < 8:
        return _saturate(np.subtract(a, b, dtype=np.int64), a.dtype)
    rest = np.subtract(a, b)
    if a.dtype.kind == "u":
        return np.where(a < b, a.dtype.type(0), rest)
    over = ((a ^ b) & (a ^ rest)) < 0
    limits = np.iinfo(a.dtype)
    return np.where(over, np.where(a < 0, limits.min, limits.max).astype(a.dtype), rest)


def times(a: Array, b: Array) -> Array:
    """Elementwise product; integers saturate. A real factor scales both parts of a number."""
    if a.dtype.kind != "c" and b.dtype.kind == "c":
        a, b = b, a
    if a.dtype.kind == "c":
        if b.dtype.kind != "c":
            return of_parts(a.real * b, a.imag * b)
        return product(a, b)
    if a.dtype.kind not in "iu":
        return np.multiply(a, b)
    if a.dtype.itemsize < 8:
        wide = np.uint64 if a.dtype == np.uint32 else np.int64
        return _saturate(np.multiply(a, b, dtype=wide), a.dtype)
    limits = np.iinfo(a.dtype)
    exact = np.multiply(a, b, dtype=np.longdouble)
    found = np.multiply(a, b)
    found = np.where(exact > limits.max, a.dtype.type(limits.max), found)
    return np.where(exact < limits.min, a.dtype.type(limits.min), found)


def rdivide(a: Array, b: Array) -> Array:
    """Quotient; integers round half away from zero and saturate, 0/0 is 0."""
    if a.dtype.kind == "c" and b.dtype.kind != "c":
        return of_parts(a.real / b, a.imag / b)
    if "c" in a.dtype.kind + b.dtype.kind:
        return complex_quotient(a, b)
    if a.dtype.kind not in "iu":
        return np.divide(a, b)
    if a.dtype.itemsize == 8:
        return wide_quotient(a, b)
    return to_integer(np.divide(a.astype(np.float64), b.astype(np.float64)), a.dtype)


def uminus(a: Array) -> Array:
    """Negation; integers saturate."""
    if a.dtype.kind not in "iu":
        return np.negative(a)
    return minus(np.zeros((), a.dtype), a)


def power(a: Array, b: Array) -> Array:
    """Elementwise power of floats; NaN where the real answer does not exist."""
    if a.dtype.kind in "iu":
        wide = np.longdouble if a.dtype.itemsize == 8 else np.float64
        return to_integer(np.power(a.astype(wide), b.astype(wide)), a.dtype)
    if a.dtype.kind == "c":
        return complex_power(a, b)
    return real_power(a, b)


def cbrt(a: Array) -> Array:
    """The real cube root; exact for cubes of whole numbers, which not every library is."""
    root = np.cbrt(a)
    whole = np.rint(root)
    return np.where(whole * whole * whole == a, whole, root)


def mod(a: Array, b: Array) -> Array:
    """Remainder with the divisor's sign; mod(x, 0) is x."""
    if a.dtype.kind in "iu":
        safe = np.where(b == 0, b.dtype.type(1), b)
        return np.where(b == 0, a, np.mod(a, safe))
    return np.where(b == 0, a, np.mod(a, b) + a.dtype.type(0))  # a remainder of 0 has no sign


def rem(a: Array, b: Array) -> Array:
    """Remainder with the dividend's sign; rem(x, 0) is NaN, 0 for integers."""
    if a.dtype.kind in "iu":
        safe = np.where(b == 0, b.dtype.type(1), b)
        return np.where(b == 0, b, np.fmod(a, safe))
    return typed("Array", np.fmod(a, b) + a.dtype.type(0))


def minimum(a: Array, b: Array) -> Array:
    """Smaller operand, NaN skipped; complex by magnitude, then angle."""
    if a.dtype.kind == "c":
        return np.where((_complex_less(b, a) | np.isnan(a)) & ~np.isnan(b), b, a)
    return np.fmin(a, b)


def maximum(a: Array, b: Array) -> Array:
    """Larger operand, NaN skipped; complex by magnitude, then angle."""
    if a.dtype.kind == "c":
        return np.where((_complex_less(a, b) | np.isnan(a)) & ~np.isnan(b), b, a)
    return np.fmax(a, b)


def _complex_less(a: Array, b: Array) -> Array:
    mine, other = np.abs(a), np.abs(b)
    return (mine < other) | ((mine == other) & (np.angle(a) < np.angle(b)))


def extreme_of_complex(ufunc: np.ufunc, a: Array, axes: tuple[int, ...]) -> Array:
    """`fmin` or `fmax` over axes: by magnitude, then angle, NaN skipped."""
    kept = [k for k in range(a.ndim) if k not in axes]
    rows = np.transpose(a, [*axes, *kept]).reshape(-1, *(a.shape[k] for k in kept), order="F")
    worst = np.inf if ufunc is np.fmin else -np.inf
    nothing = np.isnan(rows)
    size = np.where(nothing, worst, np.abs(rows))
    best = ufunc.reduce(size, axis=0)
    angle = np.where((size == best) & ~nothing, np.angle(rows), worst)
    where = np.argmin(angle, axis=0) if ufunc is np.fmin else np.argmax(angle, axis=0)
    return np.take_along_axis(rows, where[np.newaxis], axis=0)[0]


def bitshift(a: Array, b: Array) -> Array:
    """Shift left by b, right where b is negative; bits that fall off are lost."""
    width = a.dtype.itemsize * 8
    count = np.minimum(b, b.dtype.type(width)).astype(np.int64)
    left = np.left_shift(a, np.clip(count, 0, width - 1).astype(a.dtype))
    right = np.right_shift(a, np.clip(-count, 0, width - 1).astype(a.dtype))
    shifted = np.where(count >= 0, left, right)
    return np.where((count >= width) | (count <= -width), a.dtype.type(0), shifted)


def _extreme_by_real_part(ufunc: np.ufunc, a: Array, b: Array) -> Array:
    if a.dtype.kind == "c":
        return typed("Array", ufunc(a.real, b.real))
    return typed("Array", ufunc(a, b))


def lt(a: Array, b: Array) -> Array:
    """Less than; complex operands compare by real part."""
    return _extreme_by_real_part(np.less, a, b)


def le(a: Array, b: Array) -> Array:
    """Less or equal; complex operands compare by real part."""
    return _extreme_by_real_part(np.less_equal, a, b)


def gt(a: Array, b: Array) -> Array:
    """Greater than; complex operands compare by real part."""
    return _extreme_by_real_part(np.greater, a, b)


def ge(a: Array, b: Array) -> Array:
    """Greater or equal; complex operands compare by real part."""
    return _extreme_by_real_part(np.greater_equal, a, b)


def abs(a: Array) -> Array:  # noqa: A001 - named as the op
    """Magnitude; the lowest integer saturates."""
    if a.dtype.kind == "i":
        limits = np.iinfo(a.dtype)
        return np.where(a == limits.min, a.dtype.type(limits.max), np.abs(a))
    return np.abs(a)


def real(a: Array) -> Array:
    """Real part."""
    return a.real


def imag(a: Array) -> Array:
    """Imaginary part."""
    return a.imag if a.dtype.kind == "c" else np.zeros_like(a)


def angle(a: Array) -> Array:
    """Phase angle in radians."""
    return np.arctan2(imag(a), real(a))


def make_complex(a: Array, b: Array) -> Array:
    """Complex number from real and imaginary part, signed zeros and NaN kept."""
    shape = np.broadcast_shapes(a.shape, b.shape)
    result = np.empty(shape, np.result_type(a.dtype, np.complex64), order="F")
    result.real, result.imag = a, b
    return result


def _by_parts(ufunc: np.ufunc, a: Array) -> Array:
    if a.dtype.kind == "c":
        return make_complex(ufunc(a.real), ufunc(a.imag))
    return a if a.dtype.kind in "iub" else typed("Array", ufunc(a))


def floor(a: Array) -> Array:
    """Round towards minus infinity."""
    return _by_parts(np.floor, a)


def ceil(a: Array) -> Array:
    """Round towards infinity."""
    return _by_parts(np.ceil, a)


def fix(a: Array) -> Array:
    """Round towards zero."""
    return _by_parts(np.trunc, a)


def round(a: Array) -> Array:  # noqa: A001 - named as the op
    """Round to nearest, halves away from zero."""
    if a.dtype.kind == "c":
        return make_complex(round(a.real), round(a.imag))
    if a.dtype.kind in "iub":
        return a
    whole = np.trunc(a)
    with np.errstate(invalid="ignore"):
        away = np.abs(a - whole) >= 0.5
    return np.where(away, whole + np.copysign(a.dtype.type(1), a), whole)


def sign(a: Array) -> Array:
    """-1, 0 or 1; z/abs(z) for complex."""
    return np.sign(a)


def select(mask: Array, a: Array, b: Array) -> Array:
    """a where the mask is true, else b."""
    return np.where(mask, a, b)


def to_integer(a: Array, dtype: np.dtype[np.generic]) -> Array:
    """Float to integer: round half away, saturate, NaN becomes 0."""
    limits = np.iinfo(typed("np.dtype[np.integer]", dtype))
    value = round(a.real)
    with np.errstate(invalid="ignore"):
        result = np.where(np.isnan(value), value.dtype.type(0), value)
        low, high = result <= limits.min, result >= limits.max
        result = np.where(low | high, value.dtype.type(0), result).astype(dtype)
    result[low] = limits.min
    result[high] = limits.max
    return result


def cast(a: Array, dtype: DType) -> Array:
    """Conversion with MATLAB's rounding and saturation."""
    target = dtype.numpy
    if a.dtype == target:
        return a
    if target.kind in "iu":
        if a.dtype.kind in "fc":
            return to_integer(a, target)
        return _integer_to_integer(a, target)
    if target.kind == "b":
        return a != 0
    if a.dtype.kind == "c" and target.kind == "f":
        return a.real.astype(target)
    return a.astype(target)


def typecast(a: Array, dtype: DType) -> Array:
    """The same bits as another type of the same size."""
    return a.view(dtype.numpy)


CONVERSIONS: dict[str, Callable[[Array, DType], Array]] = {"cast": cast, "typecast": typecast}
"""Of elements into another type."""


def _integer_to_integer(a: Array, target: np.dtype[np.generic]) -> Array:
    if a.dtype.kind == "b":
        return a.astype(target)
    goal, have = np.iinfo(typed("np.dtype[np.integer]", target)), np.iinfo(a.dtype)
    low, high = max(goal.min, have.min), min(goal.max, have.max)
    return np.clip(a, a.dtype.type(low), a.dtype.type(high)).astype(target)
