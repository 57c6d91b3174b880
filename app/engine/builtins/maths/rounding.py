"""Rounding, remainders, sign, absolute value and the parts of complex numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from app.accel.ir.ops import OPS
from app.engine.arguments.dimensions import is_plain_array
from app.engine.arguments.operation_rules import undefined_for_class
from app.engine.builtins.maths import integer_forms, real_forms
from app.engine.declarations.device_support import (
    METADATA,
    Custom,
    Elementwise,
    term_form,
    value_form,
)
from app.engine.declarations.registry import builtin
from app.engine.operators import operator_overloads
from app.engine.operators.arithmetic import (
    exact_quotient,
    float_operands,
    integer_class,
    integer_numbers,
    integer_value,
    round_away,
    saturate,
)
from app.engine.operators.complex_elements import join_complex
from app.engine.operators.elementwise import float_array
from app.engine.operators.expansion import align
from app.engine.values import (
    Array,
    SparseMatrix,
    Value,
    as_array,
    canonical,
    int_of,
    is_complex,
    is_numeric_like,
    is_text_scalar,
    text_of,
    unwrap,
)
from app.errors import MatlabError

_ROUND = "rounding"
_COMPLEX = "complex numbers"
Rounding = Callable[[Array], Array]


def _per_part(function: Callable[[Array], Any], name: str, v: Value) -> Value:
    """Round real and imaginary parts; whole classes stay as they are."""
    if type(v) is SparseMatrix:
        from app.engine.values import compressed_columns

        return compressed_columns.mapped(lambda a: _of_parts(function, a), v)
    if not is_numeric_like(v):
        result = operator_overloads.overload_result(name, v)
        if result is not NotImplemented:
            return result
        raise undefined_for_class(name, v)
    a = as_array(v)
    kind = a.dtype.kind
    if kind in "iu":
        return a
    if kind == "b":
        return unwrap(a.astype(np.float64))
    return canonical(_of_parts(function, a)) if kind == "c" else unwrap(_of_parts(function, a))


def _of_parts(function: Callable[[Array], Any], a: Array) -> Array:
    if a.dtype.kind == "c":
        return join_complex(function(a.real), function(a.imag))
    return np.asarray(function(a))


def _rounding_of_double(function: Callable[[float], int]) -> Callable[[float], float]:
    """A rounding function of one double that lets NaN and Inf pass and keeps -0."""

    def scalar(x: float) -> float:
        if -1e15 < x < 1e15:
            return float(function(x)) or math.copysign(0.0, x)
        return x

    return scalar


def _round_scalar(x: float) -> float:
    if -1e15 < x < 1e15:
        size = math.floor(abs(x))
        return math.copysign(size + (abs(x) - size >= 0.5), x)
    return x


@builtin(
    "floor",
    category=_ROUND,
    signatures=("Y = floor(X)",),
    device=Elementwise("floor"),
    scalar=_rounding_of_double(math.floor),
    cases=("floor(-1.5) == -2", "isequal(floor([1.9 2]), [1 2])"),
    see=("ceil", "fix", "round"),
)
def floor(x: Value) -> Value:
    """Round towards minus infinity."""
    return _per_part(np.floor, "floor", x)


@builtin(
    "ceil",
    category=_ROUND,
    signatures=("Y = ceil(X)",),
    device=Elementwise("ceil"),
    scalar=_rounding_of_double(math.ceil),
    cases=("ceil(1.1) == 2",),
    see=("floor",),
)
def ceil(x: Value) -> Value:
    """Round towards plus infinity."""
    return _per_part(np.ceil, "ceil", x)


@builtin(
    "fix",
    category=_ROUND,
    signatures=("Y = fix(X)",),
    device=Elementwise("fix"),
    scalar=_rounding_of_double(math.trunc),
    cases=("fix(-1.5) == -1",),
    see=("floor", "round"),
)
def fix(x: Value) -> Value:
    """Round towards zero."""
    return _per_part(np.trunc, "fix", x)


@builtin(
    "round",
    most=4,
    words="decimals significant tiebreaker fromzero tozero even odd plusinf minusinf",
    category=_ROUND,
    signatures=(
        "Y = round(X)",
        "Y = round(X, N)",
        "Y = round(X, N, 'significant')",
        "Y = round(..., 'TieBreaker', direction)",
    ),
    device=Custom(integer_forms.round_),
    scalar=_round_scalar,
    cases=(
        "round(2.5) == 3",
        "round(-2.5) == -3",
        "round(3.14159, 2) == 3.14",
        "round(12345, 2, 'significant') == 12000",
    ),
    see=("floor", "fix"),
)
def round_(x: Value, *how: Value) -> Value:
    """Round to the nearest whole number, halves away from zero; or to N digits.

    The option ``TieBreaker`` sends halves ``tozero``, ``even``, ``odd``, ``plusinf`` or
    ``minusinf`` instead.
    """
    words = [text_of(v).lower() for v in how if is_text_scalar(v)]
    ties = words[-1] if "tiebreaker" in words else "fromzero"
    if ties not in _TIES:
        text = f"'{ties}' is not a way to break ties."
        raise MatlabError("MATLAB:round:invalidTieBreaker", text)
    nearest = _TIES[ties]
    if not how or is_text_scalar(how[0]):
        return _per_part(nearest, "round", x)
    digits = int_of(how[0])
    if is_numeric_like(x) and type(x) is not SparseMatrix and as_array(x).dtype.kind in "iu":
        return _of_integers(as_array(x), digits, nearest, significant="significant" in words)
    form = _significant if "significant" in words else _decimals
    return _per_part(lambda a: form(a, digits, nearest), "round", x)


def _halves(towards: Rounding) -> Rounding:
    """Rounding to the nearest whole number where halves go as ``towards`` says."""
    return lambda a: np.where(np.abs(a - np.trunc(a)) == 0.5, towards(a), np.rint(a))


_TIES: dict[str, Rounding] = {
    "fromzero": round_away,
    "tozero": _halves(np.trunc),
    "even": np.rint,
    "odd": _halves(lambda a: 2 * np.floor(a / 2) + 1),
    "plusinf": _halves(np.ceil),
    "minusinf": _halves(np.floor),
}


def _decimals(a: Array, digits: int, nearest: Rounding) -> Array:
    scale = 10.0 ** min(abs(digits), 308)
    if digits < 0:
        return nearest(a / scale) * scale
    rounded = nearest(a * scale) / scale
    return np.where(np.isfinite(a * scale), rounded, a)


def _of_integers(a: Array, digits: int, nearest: Rounding, *, significant: bool) -> Array:
    """Integers rounded to tens, hundreds, …, exactly and within their class."""
    sizes = a if a.dtype.kind == "u" else np.abs(a.astype(np.int64)).view(np.uint64)
    places = np.full(a.shape, -digits)
    if significant:
        places = np.searchsorted(_POWERS_OF_TEN, sizes.astype(np.uint64), side="right") - digits
    known = np.clip(places, 0, len(_POWERS_OF_TEN) - 1)
    scale = _POWERS_OF_TEN[known]
    whole, rest = np.divmod(sizes.astype(np.uint64), scale)
    sign = np.where(a < 0, -1.0, 1.0)
    # Whether the last kept digit is even decides some ties.
    last = (whole % 2).astype(np.float64)
    step = np.abs(nearest(sign * (last + rest / scale))) - last
    rounded = np.maximum(whole.astype(np.longdouble) + step, 0) * scale * sign
    return saturate(np.where(places > known, 0, rounded), a.dtype, whole=True)


_POWERS_OF_TEN = 10 ** np.arange(20, dtype=np.uint64)


def _significant(a: Array, digits: int, nearest: Rounding) -> Array:
    safe = np.where((a == 0) | ~np.isfinite(a), 1.0, a)
    power = digits - 1 - np.floor(np.log10(np.abs(safe)))
    up, down = 10.0 ** np.maximum(power, 0), 10.0 ** np.maximum(-power, 0)
    return np.where(np.isfinite(a), nearest(a * up / down) / up * down, a)


@builtin(
    "abs",
    category="elementary maths",
    signatures=("Y = abs(X)",),
    device=Elementwise("abs"),
    scalar=abs,
    cases=("abs(-3) == 3", "abs(3+4i) == 5", "abs(int8(-128)) == 127"),
    see=("sign", "hypot"),
)
def abs_(x: Value) -> Value:
    """Absolute value, or magnitude of complex numbers."""
    if type(x) is complex:
        return _magnitude(x)
    if type(x) is SparseMatrix:
        from app.engine.values import compressed_columns

        return compressed_columns.mapped(np.abs, x)
    if not is_numeric_like(x):
        raise undefined_for_class("abs", x)
    a = as_array(x)
    if a.dtype.kind == "i":
        low = np.iinfo(a.dtype).min
        return unwrap(np.abs(np.where(a == low, low + 1, a)))
    return unwrap(np.abs(a.astype(np.float64) if a.dtype.kind == "b" else a))


def _magnitude(z: complex) -> float:
    """The C library's hypot, as compiled loops take it."""
    try:
        return abs(z)
    except OverflowError:
        return math.inf


@builtin(
    "sign",
    category="elementary maths",
    signatures=("Y = sign(X)",),
    device=Elementwise("sign"),
    cases=("sign(-3) == -1", "isnan(sign(NaN))"),
    see=("abs",),
)
def sign(x: Value) -> Value:
    """Signum: -1, 0 or 1; for complex numbers X./abs(X)."""
    a = as_array(x)
    if a.dtype.kind == "c":
        size = np.abs(a)
        size[size == 0] = 1
        made = np.empty_like(a)
        made.real, made.imag = a.real / size, a.imag / size
        return canonical(made)
    return unwrap(np.sign(a.astype(np.float64) if a.dtype.kind == "b" else a))


# --- complex parts ----------------------------------------------------------------------------


@builtin(
    "real",
    category=_COMPLEX,
    signatures=("R = real(Z)",),
    device=Elementwise("real"),
    cases=("real(3+4i) == 3",),
    see=("imag", "complex"),
)
def real(z: Value) -> Value:
    """Real part."""
    a = as_array(z)
    return unwrap(a.real.copy() if a.dtype.kind == "c" else _number(a))


def _number(a: Array) -> Array:
    return a.astype(np.float64) if a.dtype.kind == "b" else a


@builtin(
    "imag",
    category=_COMPLEX,
    signatures=("I = imag(Z)",),
    device=Elementwise("imag"),
    cases=("imag(3+4i) == 4", "imag(3) == 0"),
    see=("real",),
)
def imag(z: Value) -> Value:
    """Imaginary part."""
    a = as_array(z)
    return unwrap(a.imag.copy() if a.dtype.kind == "c" else np.zeros_like(_number(a)))


@builtin(
    "conj",
    category=_COMPLEX,
    signatures=("C = conj(Z)",),
    device=Elementwise("conj"),
    cases=("conj(3+4i) == 3-4i",),
)
def conj(z: Value) -> Value:
    """Complex conjugate."""
    a = as_array(z)
    return unwrap(a.conj() if a.dtype.kind == "c" else _number(a))


@builtin(
    "angle",
    category=_COMPLEX,
    signatures=("P = angle(Z)",),
    device=Elementwise("angle"),
    cases=("angle(-1) == pi", "angle(1i) == pi/2"),
    see=("abs", "atan2"),
)
def angle(z: Value) -> Value:
    """Phase angle in radians."""
    if type(z) is complex:
        return math.atan2(z.imag, z.real)
    return unwrap(np.asarray(np.angle(float_array("angle", z))))


@builtin(
    "arg",
    category=_COMPLEX,
    signatures=("P = arg(Z)",),
    device=Elementwise("angle"),
    cases=("arg(-1) == pi",),
    see=("angle",),
)
def arg(z: Value) -> Value:
    """Phase angle in radians (Octave's name of angle)."""
    return angle(z)


@builtin(
    "complex",
    category=_COMPLEX,
    signatures=("Z = complex(R, I)", "Z = complex(X)"),
    device=value_form(real_forms.complex_),
    cases=("complex(1, 2) == 1+2i", "~isreal(complex(1, 0))"),
    see=("real",),
)
def complex_(r: Value, i: Value | None = None) -> Value:
    """Complex numbers from real and imaginary parts; stays complex even when I is zero."""
    if type(r) is type(i) is float:
        return complex(r, i)
    if is_complex(r) and i is None:
        return r
    if is_complex(r) or (i is not None and is_complex(i)):
        text = "The real and the imaginary part must be real numbers."
        raise MatlabError("MATLAB:complex:expectedReal", text)
    x, y = align(as_array(r), as_array(0.0 if i is None else i))
    x, y = np.broadcast_arrays(*float_operands(x, y))
    z = join_complex(x, y)
    return z.item() if z.size == 1 and z.dtype == np.complex128 else z


@builtin(
    "isreal",
    category=_COMPLEX,
    signatures=("tf = isreal(A)",),
    device=METADATA,
    cases=("isreal(1)", "~isreal(1i)"),
    see=("complex",),
)
def isreal(a: Value) -> Value:
    """True when A is stored without an imaginary part."""
    return is_numeric_like(a) and not is_complex(a)


@builtin(
    "iscomplex",
    category=_COMPLEX,
    signatures=("tf = iscomplex(A)",),
    device=METADATA,
    cases=("iscomplex(1i)",),
    see=("isreal",),
)
def iscomplex(a: Value) -> Value:
    """True when A is stored with an imaginary part (Octave's)."""
    return is_complex(a)


# --- remainders -------------------------------------------------------------------------------


def _remainder(name: str, function: Callable[[Array, Array], Array], a: Value, b: Value) -> Value:
    numbers = integer_numbers(a, b)
    if numbers is not None and type(numbers[0]) is type(numbers[1]) is int and numbers[1]:
        first, second, kind = numbers
        rest = abs(first) % abs(second)
        if name == "mod":
            return integer_value(first % second, kind)
        return integer_value(rest if first >= 0 else -rest, kind)
    x, y = align(as_array(a), as_array(b))
    if x.dtype.kind == "c" or y.dtype.kind == "c":
        raise OPS[name].complex_refusal()
    kinds = x.dtype.kind + y.dtype.kind
    if "i" in kinds or "u" in kinds:
        dtype = integer_class(x, y)
        wide = np.longdouble if dtype.itemsize == 8 else np.float64
        return canonical(saturate(function(x.astype(wide), y.astype(wide)), dtype))
    return unwrap(function(*float_operands(x, y)))


def mod_arrays(x: Array, y: Array) -> Array:
    """``mod`` of float arrays: the sign of the divisor, none for 0; X for a zero divisor."""
    result = np.mod(x, y)
    if _are_whole_divisors(y):
        return np.asarray(result + x.dtype.type(0))
    near = _near_multiple(x, y)
    if near is not None:
        result = np.where(near, 0, result)
    infinite = np.isinf(y) & np.isfinite(x)
    if infinite.any():
        result = np.where(infinite & ((x >= 0) == (y >= 0)), x, result)
    return np.asarray(np.where(y == 0, x, result + x.dtype.type(0)))


_FEW_DIVISORS = 64
"""Divisors that are looked at one by one sooner than by operations of arrays."""

_USUAL = float(1 << 31)


def _are_whole_divisors(y: Array) -> bool:
    """Whether all are whole numbers of the usual size, and none is zero."""
    if y.size <= _FEW_DIVISORS:
        few = y.ravel(order="F").tolist()
        return all(few) and all(v.is_integer() and abs(v) < _USUAL for v in few)
    whole = y.astype(np.int32)
    return bool((whole == y).all() and whole.all())


def rem_arrays(x: Array, y: Array) -> Array:
    """``rem`` of float arrays: the sign of the dividend, none for 0; NaN for a zero divisor."""
    result = np.fmod(x, y)
    near = _near_multiple(x, y)
    if near is not None:
        result = np.where(near, 0, result)
    return np.asarray(result + x.dtype.type(0))


def _near_multiple(x: Array, y: Array) -> Array | None:
    """Where X/Y is whole within rounding, for fractional Y only; None for none."""
    fractional = y != np.floor(y)
    if not fractional.any():
        return None
    ratio = x / y
    whole = np.round(ratio)
    eps = np.finfo(ratio.dtype).eps
    near = np.abs(ratio - whole) <= eps * np.abs(ratio)
    return np.asarray(np.isfinite(ratio) & near & (whole != 0) & fractional)


@builtin(
    "mod",
    category=_ROUND,
    signatures=("R = mod(A, M)",),
    device=Elementwise("mod"),
    cases=("mod(-1, 3) == 2", "mod(5, 0) == 5", "mod(int8(-7), int8(3)) == 2"),
    see=("rem",),
)
def mod(a: Value, m: Value) -> Value:
    """Remainder after division with the sign of the divisor."""
    if type(a) is float and type(m) is float and math.isfinite(a) and m.is_integer() and m:
        return a % m + 0.0  # no quotient is nearly whole without being it
    if type(m) is float and is_plain_array(a) and m.is_integer() and m:
        return unwrap(np.mod(a, m) + a.dtype.type(0))
    return _remainder("mod", mod_arrays, a, m)


@builtin(
    "rem",
    category=_ROUND,
    signatures=("R = rem(A, B)",),
    device=Elementwise("rem"),
    cases=("rem(-1, 3) == -1", "isnan(rem(5, 0))"),
    see=("mod",),
)
def rem(a: Value, b: Value) -> Value:
    """Remainder after division with the sign of the dividend."""
    if type(b) is float and is_plain_array(a) and b.is_integer() and b:
        return unwrap(np.fmod(a, b) + a.dtype.type(0))
    return _remainder("rem", rem_arrays, a, b)


_ROUNDINGS: dict[str, Callable[[Array], Array]] = {
    "fix": np.trunc,
    "floor": np.floor,
    "ceil": np.ceil,
    "round": round_away,
}


@builtin(
    "idivide",
    category=_ROUND,
    signatures=("C = idivide(A, B)", "C = idivide(A, B, opt)"),
    device=term_form(integer_forms.idivide),
    cases=("idivide(int32(7), int32(2)) == 3", "idivide(int32(7), int32(2), 'ceil') == 4"),
    see=("rdivide",),
)
def idivide(a: Value, b: Value, opt: Value = "fix") -> Value:
    """Integer division with a chosen rounding (fix, floor, ceil or round)."""
    if text_of(opt) not in _ROUNDINGS:
        text = f"Unknown rounding '{text_of(opt)}': use fix, floor, ceil or round."
        raise MatlabError("MATLAB:idivide:InvalidRoundingOption", text)
    numbers = integer_numbers(a, b)
    if numbers is not None and numbers[2].itemsize < 8 and numbers[1]:
        made = _ROUNDINGS[text_of(opt)](np.array(numbers[0] / numbers[1]))
        return integer_value(float(made), numbers[2])
    x, y = align(as_array(a), as_array(b))
    if x.dtype.kind not in "iu" and y.dtype.kind not in "iu":
        text = "At least one argument must belong to an integer class."
        raise MatlabError("MATLAB:idivide:InvalidClass", text)
    dtype = x.dtype if x.dtype.kind in "iu" else y.dtype
    if y.dtype.kind in "iu":
        integer_class(x.astype(dtype) if x.dtype.kind == "f" else x, y)
    exact = exact_quotient(x, y, dtype, text_of(opt)) if dtype.itemsize == 8 else None
    if exact is not None:
        return canonical(exact)
    wide = np.longdouble if dtype.itemsize == 8 else np.float64
    quotient = _ROUNDINGS[text_of(opt)](x.astype(wide) / y.astype(wide))
    return canonical(saturate(quotient, dtype, whole=True))
